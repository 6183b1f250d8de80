"""A report as Markdown."""

from __future__ import annotations

import re
from collections.abc import Container, Sequence

from goodmeasure.report.document import (
    Block,
    Chart,
    Code,
    DefinitionEntry,
    Definitions,
    Document,
    Facts,
    Finding,
    Grid,
    Headlines,
    MatrixBlock,
    Section,
    Sentences,
)
from goodmeasure.report.formats.format import Format, Writable, register
from goodmeasure.report.numbers import count_text
from goodmeasure.report.visible_text import NO_BREAK, spaced, visible

_SPECIAL = re.compile(r"([\\`*_{}\[\]#|~$])")


def markdown(document: Document) -> str:
    """Return the whole report as Markdown."""
    about = [escaped(" · ".join(document.about))] if document.about else []
    parts = [f"# {escaped(document.title)}", *about, *(_section(section) for section in document.sections)]
    return "\n\n".join(parts) + "\n"


def _written(writer: Writable) -> str:
    """Return a report, or the summary for a pull request where a result was held to requirements."""
    from goodmeasure.report.formats.pull_request import pull_request  # which uses this module

    return markdown(writer.report()) if writer.gate is None else pull_request(writer.document(), writer.gate)


register(Format("markdown", (".md", ".markdown"), _written, place=1, media_type="text/markdown"))


def escaped(text: str) -> str:
    """Return text escaped for Markdown: no emphasis, no table column, no HTML."""
    one_line = spaced(visible(text))
    safe = one_line.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace(NO_BREAK, "&nbsp;")
    return _SPECIAL.sub(r"\\\1", safe)


def _section(section: Section) -> str:
    blocks = [block_text(block) for block in section.blocks]
    return "\n\n".join([f"## {section.title}", *(text for text in blocks if text)])


def block_text(block: Block) -> str:
    """Return one block of a report as Markdown."""
    match block:
        case Finding(text):
            return f"**{escaped(text)}**"
        case Headlines():
            return _grid(block.grid())
        case Sentences():
            return "\n".join(f"- {'**Warning:** ' if warns else ''}{escaped(line)}" for line, warns in block.shown())
        case Facts(items):
            return "\n".join(f"- {escaped(name)}: {escaped(text)}" for name, text in items)
        case Grid():
            return _grid(block)
        case MatrixBlock():
            return _counts(block)
        case Definitions(items):
            return "\n\n".join(_definition(item) for item in items)
        case Chart():
            return ""  # the table beside it shows the same numbers
        case Code(text, language):
            fence = "`" * max(3, 1 + max((len(x) for x in re.findall(r"`+", text)), default=0))
            return f"{fence}{language}\n{text}\n{fence}"


def table(columns: Sequence[str], rows: Sequence[Sequence[str]], numbers: Container[int]) -> str:
    """Return a table; `numbers` are the columns that are aligned at the right."""
    marks = ["---:" if k in numbers else "---" for k in range(len(columns))]
    lines = [[escaped(x) for x in columns], marks, *([escaped(x) for x in row] for row in rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _grid(grid: Grid) -> str:
    shown = table(grid.columns, [[cell.words for cell in row] for row in grid.rows], grid.numbers)
    said = "\n".join(f"- {escaped(note)}" for note in grid.notes())
    return "\n\n".join(x for x in (f"{escaped(grid.caption)}:", shown, said) if x)


def _counts(counts: MatrixBlock) -> str:
    columns = ["true \\ predicted", *counts.labels]
    rows = [
        [label, *(count_text(x) for x in row)] for label, row in zip(counts.labels, counts.counts.tolist(), strict=True)
    ]
    return f"{escaped(counts.caption)}:\n\n{table(columns, rows, range(1, len(columns)))}"


def _code(text: str) -> str:
    """Return text as inline code, whatever backticks it holds."""
    fence = "`" * (1 + max((len(x) for x in re.findall(r"`+", text)), default=0))
    return f"{fence}{text}{fence}" if len(fence) == 1 else f"{fence} {text} {fence}"


def _definition(item: DefinitionEntry) -> str:
    about = f" {escaped(item.about[0].upper() + item.about[1:])}." if item.about else ""
    lines = [f"**{escaped(item.name)}** — {escaped(item.title)}.{about}"]
    lines += [f"$$ {item.latex} $$"] if item.latex else [escaped(item.text)]
    lines += [f"Range {escaped(item.range)}. Signature {_code(item.signature)}."]
    lines += [escaped(item.citation)] if item.citation else []
    return "\n\n".join(lines)
