"""How to get the numbers of a report again: the end of every report."""

from __future__ import annotations

from goodmeasure import __version__
from goodmeasure.report.document import Block, Code, Facts, Section


def again(command: str | None, lines: list[str], *facts: tuple[str, str]) -> Section:
    """The command, where the data is in files, the lines of Python, and what else the numbers depend on."""
    blocks: list[Block] = [] if command is None else [Code(command, "sh")]
    blocks.append(Code("\n".join(["import goodmeasure as gm", *lines]), "python"))
    blocks.append(Facts((("version", f"goodmeasure {__version__}"), *facts)))
    return Section("reproduce", "How to get these numbers again", tuple(blocks))
