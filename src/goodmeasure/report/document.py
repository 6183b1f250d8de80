"""The parts a report is made of, free of any format."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from goodmeasure.report.numbers import chance_text, interval_text
from goodmeasure.typing import Array, ChartSpec

FIRST = "summary"  # the key of the section that is the first screen of a page
_PLACES = 4  # rows and columns that a note names


def _first(places: list[str]) -> str:
    rest = len(places) - _PLACES
    return "; ".join([*places[:_PLACES], *([f"and {rest} more"] if rest > 0 else [])])


@dataclass(frozen=True)
class Span:
    """The axis on which a page draws an interval inside a cell, with the marks on it."""

    least: float
    most: float
    at: float  # the value
    chance: float | None = None  # what random guessing scores
    baseline: float | None = None  # what the majority-class baseline scores


@dataclass(frozen=True)
class TableCell:
    """One cell of a table: its text, or its value with interval, rank and sign.

    `text` is the value in words, and `value` the number itself. `low` and `high` are the ends of its confidence
    interval; a cell without text shows only the interval. `rank` is the rank of a system among others, `sign` one of
    those that a legend explains, and `note` a footnote of the table. With a `span`, a page draws the interval, too.
    Each format decides how to put the parts together, so that nothing has to be parsed back out of the text.
    """

    text: str
    value: float | None = None
    low: float | None = None
    high: float | None = None
    note: str | None = None
    rank: int | None = None
    sign: str = ""
    span: Span | None = None

    @property
    def interval(self) -> str:
        """Return the interval that follows the value; empty if there is none, or no value before it."""
        return interval_text(self.low, self.high) if self.text else ""

    @property
    def behind(self) -> str:
        """Return the rank and the sign, which follow the value and its interval."""
        rank = "" if self.rank is None else f"[{self.rank}]"
        return " ".join(x for x in (rank, self.sign) if x)

    @property
    def words(self) -> str:
        """Return everything that the cell shows, on one line.

        >>> TableCell("0.500", 0.5, 0.4, 0.6, rank=1, sign="*").words, TableCell("", low=0.4, high=0.6).words
        ('0.500 (0.400 to 0.600) [1] *', '0.400 to 0.600')
        """
        shown = self.text or interval_text(self.low, self.high)
        interval = f"({self.interval})" if self.interval else ""
        return " ".join(x for x in (shown, interval, self.behind) if x)

    def without_interval(self) -> TableCell:
        """Return the cell without the interval after its value, for narrow tables."""
        return replace(self, low=None, high=None) if self.interval else self


def interval_cell(low: float | None, high: float | None, otherwise: str = "–") -> TableCell:
    """Return the cell of a column of intervals; it shows `otherwise` where there is no interval.

    >>> interval_cell(0.4, 0.6).words, interval_cell(None, None).words
    ('0.400 to 0.600', '–')
    """
    return TableCell("", low=low, high=high) if interval_text(low, high) else TableCell(otherwise)


@dataclass(frozen=True)
class Finding:
    """The one sentence that says what the whole report finds."""

    text: str


@dataclass(frozen=True)
class Headline:
    """One of the few numbers that a reader should remember, with what random guessing and the baseline would score."""

    name: str
    cell: TableCell
    chance: float | None = None
    baseline: float | None = None


@dataclass(frozen=True)
class Headlines:
    """The headline numbers of one system; `baseline` names the majority-class baseline."""

    caption: str
    items: tuple[Headline, ...]
    baseline: str = ""

    def grid(self) -> Grid:
        """Return the same as a table, for formats without cards."""
        chance = any(x.chance is not None for x in self.items)
        lazy = any(x.baseline is not None for x in self.items)
        rows = tuple(
            (
                TableCell(x.name),
                x.cell,
                *((_level(x.chance),) if chance else ()),
                *((_level(x.baseline),) if lazy else ()),
            )
            for x in self.items
        )
        columns = ("measure", "value", *(("chance",) if chance else ()), *((self.baseline,) if lazy else ()))
        return Grid(self.caption, columns, rows, tuple(range(1, len(columns))), lead=1)


def _level(x: float | None) -> TableCell:
    return TableCell("–") if x is None else TableCell(chance_text(x), x)


@dataclass(frozen=True)
class Sentences:
    """Sentences, each on a line of its own; with `warning`, they are shown as warnings.

    `more` are hints at sentences elsewhere in the report. They are shown last, and are not warnings themselves. A page
    folds what comes after the first `most` warnings.
    """

    lines: tuple[str, ...]
    warning: bool = False
    more: tuple[str, ...] = ()
    most: int = 0  # 0: all

    def shown(self) -> list[tuple[str, bool]]:
        """Return every line and whether it is a warning."""
        return [*((line, self.warning) for line in self.lines), *((f"… {line}", False) for line in self.more)]


@dataclass(frozen=True)
class Facts:
    """Named facts."""

    items: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Grid:
    """A table: the first column names its rows."""

    caption: str
    columns: tuple[str, ...]
    rows: tuple[tuple[TableCell, ...], ...]
    numbers: tuple[int, ...] = ()  # indices of the columns that hold numbers
    left_out: str = ""  # what is not shown, if the table was cut
    folded: bool = False  # whether a page shows it only when asked
    sortable: bool = False  # whether a page lets readers sort it by any column, and search it where it is long
    keep: int = 0  # in a narrow table: how many columns are more important than the intervals
    otherwise: Grid | None = None  # the transposed table, which a terminal shows if this one does not fit
    bare: str = ""  # the caption where there is no room for the intervals
    lead: int | None = None  # the column that the rows are about: a note on it names the row only
    compact: bool = False  # whether a terminal shows it without a line below its heading

    def arranged(self, order: Sequence[int]) -> Grid:
        """Return the table with its columns in another order."""
        return replace(
            self, columns=tuple(self.columns[k] for k in order),
            rows=tuple(tuple(row[k] for k in order) for row in self.rows),
            numbers=tuple(order.index(k) for k in self.numbers),
            lead=None if self.lead is None else order.index(self.lead),
        )  # fmt: skip

    def turned(self, first: str) -> Grid:
        """Return the table transposed, if that makes it narrower; `first` is the heading of its first column."""
        if len(self.columns) - 1 <= len(self.rows) or len(self.numbers) < len(self.columns) - 1:
            return self
        columns = (first, *(row[0].text for row in self.rows))
        rows = tuple((TableCell(name), *(row[k] for row in self.rows)) for k, name in enumerate(self.columns) if k)
        return replace(self, columns=columns, rows=rows, numbers=tuple(range(1, len(columns))), lead=None)

    def notes(self) -> list[str]:
        """Return the notes on its values, each once, with the rows and columns it is about."""
        whose: dict[str, list[str]] = {}
        for row in self.rows:
            for k, (column, cell) in enumerate(zip(self.columns, row, strict=True)):
                if k and cell.note:
                    about = row[0].text if k == self.lead else f"{row[0].text}, {column}"
                    whose.setdefault(cell.note, []).append(about)
        return [f"{_first(places)}: {note}" for note, places in whose.items()]


@dataclass(frozen=True)
class MatrixBlock:
    """A confusion matrix, to be shown as counts, by row and by column."""

    caption: str
    labels: tuple[str, ...]
    counts: Array  # (m, m)
    folded: bool = False  # whether a page shows it only when asked
    otherwise: Grid | None = None  # what a terminal shows where the matrix does not fit
    compact: bool = False  # whether a terminal shows it without a line below its heading


@dataclass(frozen=True)
class DefinitionEntry:
    """The definition of a measure: names, formula, range, citation and signature."""

    name: str
    title: str
    about: str
    latex: str
    text: str
    range: str
    citation: str
    key: str | None
    signature: str


@dataclass(frozen=True)
class Definitions:
    """The definitions of the measures that were used."""

    items: tuple[DefinitionEntry, ...]


@dataclass(frozen=True)
class Code:
    """Lines of code to copy."""

    text: str
    language: str = ""


@dataclass(frozen=True)
class Chart:
    """A Vega-Lite specification with a title and a description; a table with the same numbers accompanies it."""

    key: str
    title: str
    alt: str
    spec: ChartSpec
    system: str | None = None  # whose numbers it shows, if it shows those of one system of several


Block = Finding | Headlines | Sentences | Facts | Grid | MatrixBlock | Definitions | Code | Chart


@dataclass(frozen=True)
class Section:
    """A heading with its content.

    A page shows a section with its heading and its `gist` only, until somebody opens it, unless it is `opened`.
    """

    key: str
    title: str
    blocks: tuple[Block, ...]
    gist: str = ""
    opened: bool = False
    appendix: bool = False


@dataclass(frozen=True)
class Document:
    """A whole report; `about` says what the data are and where they come from, in a few words each."""

    title: str
    sections: tuple[Section, ...]
    about: tuple[str, ...] = ()

    def section(self, key: str) -> Section:
        """Return a section by its key."""
        return next(section for section in self.sections if section.key == key)
