"""The last section of every report: how to reproduce its numbers."""

from __future__ import annotations

from goodmeasure import __version__
from goodmeasure.report.document import Block, Code, Facts, Section


def reproduce_section(command: str | None, lines: list[str], *facts: tuple[str, str]) -> Section:
    """Return the section with the command (for data in files), the lines of Python, and what else numbers depend on."""
    blocks: list[Block] = [] if command is None else [Code(command, "sh")]
    blocks.append(Code("\n".join(["import goodmeasure as gm", *lines]), "python"))
    blocks.append(Facts((("version", f"goodmeasure {__version__}"), *facts)))
    return Section("reproduce", "How to reproduce these numbers", tuple(blocks))
