"""A document as text of a given width, for terminals and for print()."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from io import TextIOWrapper
from textwrap import fill
from typing import TYPE_CHECKING, Literal

from goodmeasure.catalogue.display_names import names_text
from goodmeasure.exceptions import InputTypeError
from goodmeasure.report.document import (
    Block,
    Document,
    Facts,
    Finding,
    Grid,
    Headlines,
    MatrixBlock,
    Sentences,
    TableCell,
)
from goodmeasure.report.numbers import count_text, many
from goodmeasure.report.visible_text import visible

if TYPE_CHECKING:
    from rich.text import Text

REST = "in a report (.to_html(path) or --out FILE)"  # where to find what a terminal does not show
WARNING = "Warning: "
_YELLOW = "\x1b[1;33m{}\x1b[0m"
_BOLD = "\x1b[1m{}\x1b[0m"
_INTERVALS = "the intervals"
_NOTES = 6
_NAMED = 4  # columns that did not fit and are named
_GAP = 3  # characters between columns
_FEWEST = 3  # rows that a table keeps where lines are few
_NAMES = 12  # characters that the first column keeps


def known_width() -> int | None:
    """Return the width of the terminal, or None if the output goes elsewhere and COLUMNS is not set.

    The output of a notebook claims to be a terminal, hence the test of its type.
    """
    from goodmeasure.packages import rich

    is_terminal = isinstance(sys.stdout, TextIOWrapper) and sys.stdout.isatty()
    return rich.console.Console(force_jupyter=False).width if is_terminal or "COLUMNS" in os.environ else None


def document_text(
    document: Document, columns: int, rest: str, *, styled: bool = False, wrapped: bool = True, most: int = 0
) -> str:
    """Return the blocks of a document as text; `rest` says where to find what does not fit.

    Sentences are not `wrapped` where another program may read them line by line. With `most`, the text has at most so
    many lines: the last warnings go first, then the last rows of the last table, then the first warning.
    """
    text = _whole_text(document, columns, rest, styled, wrapped)
    while most and text.count("\n") >= most:
        cut = _shortened(document)
        if cut is None:
            break
        document = cut
        text = _whole_text(document, columns, rest, styled, wrapped)
    return text


def _shortened(document: Document) -> Document | None:
    """Return the document with one warning less or, where one is left, with one row less in its last table."""
    return _less_warned(document, 1) or _with_fewer_rows(document) or _less_warned(document, 0)


def _less_warned(document: Document, least: int) -> Document | None:
    for at, section in enumerate(document.sections):
        for k, block in enumerate(section.blocks):
            if isinstance(block, Sentences) and block.warning and len(block.lines) > least:
                counted = [x for x in block.more if x.startswith("and ")]
                known = int(counted[0].split()[1].replace(",", "")) if counted else 0
                shown = len(block.lines) - 1
                said = f"and {many(known + 1, 'more warning')}" if shown else f"{many(known + 1, 'warning')} in all"
                more = (said, *(x for x in block.more if x not in counted))
                return _with_block(document, at, k, replace(block, lines=block.lines[:-1], more=more))
    return None


def _with_fewer_rows(document: Document) -> Document | None:
    for at in reversed(range(len(document.sections))):
        for k, block in enumerate(document.sections[at].blocks):
            if isinstance(block, Grid) and len(block.rows) > _FEWEST:
                return _with_block(document, at, k, replace(block, rows=block.rows[:-1]))
    return None


def _with_block(document: Document, at: int, k: int, block: Block) -> Document:
    """Return the document with another block in one place."""
    section = document.sections[at]
    changed = replace(section, blocks=(*section.blocks[:k], block, *section.blocks[k + 1 :]))
    return replace(document, sections=(*document.sections[:at], changed, *document.sections[at + 1 :]))


def _whole_text(document: Document, columns: int, rest: str, styled: bool, wrapped: bool) -> str:
    blocks = [block for section in document.sections for block in section.blocks]
    room = _Room(columns, rest, styled, wrapped)
    heading = "\n".join(room.line(x) for x in (*document.about, document.title) if x)
    return "\n\n".join([*([heading] if heading else []), *(_block_text(block, room) for block in blocks)])


@dataclass(frozen=True)
class _Room:
    """The available width, and where to find what does not fit."""

    columns: int
    rest: str
    styled: bool
    wrapped: bool

    def bold(self, text: str) -> str:
        """Return text in bold, where the terminal can show it."""
        return _BOLD.format(text) if self.styled else text

    def line(self, text: str, mark: str = "", indent: str = "", hang: str = "  ") -> str:
        """Return a sentence, wrapped; `mark` may hold colour codes, which have no width."""
        plain = f"{indent}{WARNING if mark else ''}{visible(text)}"
        if self.wrapped:
            plain = fill(
                plain, max(self.columns, 20), subsequent_indent=indent or hang, replace_whitespace=False,
                expand_tabs=False, break_long_words=False, break_on_hyphens=False,
            )  # fmt: skip
        return f"{mark}{plain.removeprefix(WARNING)}" if mark else plain


def _block_text(block: Block, room: _Room) -> str:
    """Return one block as lines of text; charts and formulas are for other formats."""
    if isinstance(block, Facts):
        return facts_text([(name, visible(text)) for name, text in block.items], room.columns, styled=room.styled)
    if isinstance(block, Grid):
        return _grid_text(block, room)
    if isinstance(block, Sentences):
        mark = _YELLOW.format(WARNING) if room.styled else WARNING
        return "\n".join(room.line(line, mark if warns else "") for line, warns in block.shown())
    if isinstance(block, Finding):
        return room.bold(room.line(block.text, hang=""))
    if isinstance(block, Headlines):
        return _grid_text(block.grid(), room)
    if isinstance(block, MatrixBlock):
        matrix = _matrix_grid(block)
        cut = block.otherwise is not None and sum(_least(matrix)) > room.columns
        return _grid_text(block.otherwise if cut and block.otherwise is not None else matrix, room)
    raise InputTypeError("{kind} is not shown as text", kind=type(block).__name__)


def _matrix_grid(block: MatrixBlock) -> Grid:
    """Return a confusion matrix as a table of counts."""
    rows = zip(block.labels, block.counts.tolist(), strict=True)
    columns = ("true \\ predicted", *block.labels)
    lines = tuple((TableCell(label), *(TableCell(count_text(x), float(x)) for x in row)) for label, row in rows)
    return Grid(block.caption, columns, lines, tuple(range(1, len(columns))), compact=block.compact)


def _grid_text(grid: Grid, room: _Room) -> str:
    """Return a table with its caption, its notes, and what is not shown."""
    fitted, missing = fitting(grid, room.columns)
    pieces, other = [fitted], grid.otherwise
    if other is not None and len(fitted.columns) < len(grid.columns):
        pieces, missing = _pieces(_bare(other), room.columns), [_INTERVALS] if _bare(grid) != grid else []
    notes = grid.notes() if grid.columns[0] == "measure" else []
    lines = notes[:_NOTES]
    lines += [f"… and {len(notes) - _NOTES} more remarks, {room.rest}"] if len(notes) > _NOTES else []
    lines += [f"… {names_text(missing)}: {room.rest}, or on a wider terminal"] if missing else []
    lines += [f"… {grid.left_out}"] if grid.left_out else []
    tables = "\n\n".join(_table(piece, room) for piece in pieces)
    caption = grid.bare if grid.bare and _INTERVALS in missing else grid.caption
    above = [room.line(f"{caption}:")] if caption else []
    return "\n".join([*above, tables, *(room.line(x, indent="  ") for x in lines)])


def _table(grid: Grid, room: _Room) -> str:
    rows = [[visible(cell.words) for cell in row] for row in grid.rows]
    columns = [visible(x) for x in grid.columns]
    return table_text(columns, rows, room.columns, right=grid.numbers, styled=room.styled, ruled=not grid.compact)


def fitting(grid: Grid, columns: int) -> tuple[Grid, list[str]]:
    """Return the table as far as it fits, and what is missing from it.

    The intervals of minor columns go first, then these columns, then all intervals, then the last columns. Names in the
    first column and headings are broken between words before anything goes.
    """
    bare = _bare(grid)
    gone = [_INTERVALS] if bare != grid else []
    minor = [(_bare(grid, grid.keep), _some(grid)), _first(grid, grid.keep, [])] if grid.keep else []
    choices = [(grid, gone[:0]), *minor, (bare, gone)]
    choices += [_first(bare, k, gone) for k in range(len(grid.columns) - 1, 1, -1)]
    return next((x for x in choices if sum(_least(x[0])) <= columns), choices[-1])


def _pieces(grid: Grid, columns: int) -> list[Grid]:
    """Return a wide table as several, one below the other, each with the first column."""
    widths, found, start = _least(grid), [], 1
    while start < len(grid.columns):
        end = start + 1
        while end < len(grid.columns) and widths[0] + sum(widths[start : end + 1]) <= columns:
            end += 1
        names = (grid.columns[0], *grid.columns[start:end])
        rows = tuple((row[0], *row[start:end]) for row in grid.rows)
        found.append(replace(grid, columns=names, rows=rows, numbers=tuple(range(1, len(names)))))
        start = end
    return found


def _least(grid: Grid) -> list[int]:
    """Return the width that each column needs, with the gap before the next, if names are broken between words."""
    rows = [[visible(cell.words) for cell in row] for row in grid.rows]
    return [x + _GAP for x in _least_widths([visible(x) for x in grid.columns], rows)]


def _least_widths(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> list[int]:
    widths = []
    for k, name in enumerate(columns):
        cells = [row[k] for row in rows]
        words = [name, *cells] if k == 0 else [name]
        longest = max([*(len(word) for text in words for word in text.split(" ")), *(map(len, cells) if k else ())])
        widths.append(max(longest, min(_NAMES, max(map(len, [name, *cells])))) if k == 0 else longest)
    return widths


def _first(grid: Grid, k: int, missing: list[str]) -> tuple[Grid, list[str]]:
    """Return the first k columns, and the names of those that are left out."""
    gone = list(grid.columns[k:])
    named = [*gone[:_NAMED], *([f"{len(gone) - _NAMED} more"] if len(gone) > _NAMED else [])]
    cut = replace(grid, columns=grid.columns[:k], rows=tuple(row[:k] for row in grid.rows))
    return cut, [*missing, *named]


def _bare(grid: Grid, keep: int = 0) -> Grid:
    """Return the table without the intervals after its values, except in the columns to `keep`."""
    rows = tuple((*row[:keep], *(cell.without_interval() for cell in row[keep:])) for row in grid.rows)
    return replace(grid, rows=rows)


def _some(grid: Grid) -> list[str]:
    """Return the note that names the columns whose intervals are left out, if only minor columns lose them."""
    names = [
        name for k, name in enumerate(grid.columns) if k >= grid.keep and any(row[k].interval for row in grid.rows)
    ]
    return [f"the intervals of {names_text(names)}"] if names else []


def table_text(
    columns: Sequence[str], rows: Sequence[Sequence[str]], room: int, *, right: Sequence[int] = (),
    styled: bool = False, ruled: bool = True,
) -> str:  # fmt: skip
    """Return a table that fits the width; names may contain brackets, which Rich would take for markup."""
    from goodmeasure.packages import rich

    box = rich.box.SIMPLE_HEAD if ruled else None
    table = rich.table.Table(box=box, pad_edge=False, padding=(0, 1) if ruled else (0, 3, 0, 0))
    widths = _broken(columns, rows, room)
    for k, name in enumerate(columns):
        side: Literal["left", "right"] = "right" if k in right else "left"
        table.add_column(_text(name), justify=side, overflow="fold", no_wrap=k == 0 and not widths, width=widths.get(k))
    for row in rows:
        table.add_row(*map(_text, row))
    return _rendered(table, room, styled)


def _broken(columns: Sequence[str], rows: Sequence[Sequence[str]], room: int) -> dict[int, int]:
    """Return the widths of columns if names and headings must be broken between words for them to fit.

    It is empty where everything fits as it is, and where even that would not help.
    """
    whole = [max(len(x) for x in (name, *(row[k] for row in rows))) for k, name in enumerate(columns)]
    gaps = _GAP * len(columns) - 1
    least = _least_widths(columns, rows)
    if sum(whole) + gaps <= room or sum(least) + gaps > room:
        return {}
    spare, widths = room - gaps - sum(least), dict(enumerate(least))
    for k in range(len(columns)):
        more = min(spare, whole[k] - widths[k])
        widths[k], spare = widths[k] + more, spare - more
    return widths


def facts_text(facts: Sequence[tuple[str, str]], room: int, *, styled: bool = False) -> str:
    """Return named facts, one under another, wrapped beside their names."""
    from goodmeasure.packages import rich

    grid = rich.table.Table.grid(padding=(0, 2))
    grid.add_column(style="bold", no_wrap=True)
    grid.add_column(overflow="fold")
    for name, text in facts:
        grid.add_row(_text(name), _text(text))
    return _rendered(grid, room, styled)


def _text(text: str) -> Text:
    """Return text for Rich, without control characters that would act on the terminal."""
    from goodmeasure.packages import rich

    return rich.text.Text(visible(text, keep="\n"))


def _rendered(table: object, room: int, styled: bool) -> str:
    """Return a table as text without trailing spaces."""
    from goodmeasure.packages import rich

    screen = rich.console.Console(
        highlight=False, width=room, force_jupyter=False, force_terminal=None if styled else False,
        color_system="auto" if styled else None,
    )  # fmt: skip
    with screen.capture() as text:
        screen.print(table)
    return "\n".join(line.rstrip() for line in text.get().splitlines()).strip("\n")
