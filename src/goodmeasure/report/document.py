"""The parts a report is made of, free of any format."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from goodmeasure.report.numbers import interval_text
from goodmeasure.typing import Array

_PLACES = 4  # that a remark names


def _first(places: list[str]) -> str:
    rest = len(places) - _PLACES
    return "; ".join([*places[:_PLACES], *([f"and {rest} more"] if rest > 0 else [])])


@dataclass(frozen=True)
class Cell:
    """One cell of a grid: the words or the value it shows, with what stands behind the value.

    `text` is the value in words, and `value` the number itself. `low` and `high` are the ends of its confidence
    interval; a cell without text shows the interval alone. `rank` is the place of a system among others, `sign` one of
    those that a legend explains, and `note` a remark for the foot of the table. How the parts are put together is up to
    each format: nothing has to be read back out of the text.
    """

    text: str
    value: float | None = None
    low: float | None = None
    high: float | None = None
    note: str | None = None
    rank: int | None = None
    sign: str = ""

    @property
    def interval(self) -> str:
        """The confidence interval behind the value, in words; empty where there is none, or nothing but it."""
        return interval_text(self.low, self.high) if self.text else ""

    @property
    def behind(self) -> str:
        """The rank and the sign, which stand behind the value and its interval."""
        rank = "" if self.rank is None else f"[{self.rank}]"
        return " ".join(x for x in (rank, self.sign) if x)

    @property
    def words(self) -> str:
        """Everything that the cell shows, on one line.

        >>> Cell("0.500", 0.5, 0.4, 0.6, rank=1, sign="*").words, Cell("", low=0.4, high=0.6).words
        ('0.500 (0.400 to 0.600) [1] *', '0.400 to 0.600')
        """
        shown = self.text or interval_text(self.low, self.high)
        interval = f"({self.interval})" if self.interval else ""
        return " ".join(x for x in (shown, interval, self.behind) if x)

    def without_interval(self) -> Cell:
        """Return the cell without the interval behind its value, for where there is little room."""
        return replace(self, low=None, high=None) if self.interval else self


def interval_cell(low: float | None, high: float | None, otherwise: str = "–") -> Cell:
    """Return the cell of a column of intervals; `otherwise` stands where there is none.

    >>> interval_cell(0.4, 0.6).words, interval_cell(None, None).words
    ('0.400 to 0.600', '–')
    """
    return Cell("", low=low, high=high) if interval_text(low, high) else Cell(otherwise)


@dataclass(frozen=True)
class Sentences:
    """Plain sentences, one under another; `warning` sets them apart.

    `more` are hints about sentences that stand elsewhere; they are shown last, and are no warnings themselves.
    """

    lines: tuple[str, ...]
    warning: bool = False
    more: tuple[str, ...] = ()

    def shown(self) -> list[tuple[str, bool]]:
        """Return every line, with whether it is a warning."""
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
    rows: tuple[tuple[Cell, ...], ...]
    numbers: tuple[int, ...] = ()  # which columns hold numbers
    left_out: str = ""  # what of it is not shown, if it was cut
    folded: bool = False  # whether a page shows it only when asked
    keep: int = 0  # where there is little room: how many columns matter more than the intervals of all
    subject: tuple[str, ...] = ()  # columns of which a narrow screen shows two, if need be without the others

    def arranged(self, order: Sequence[int]) -> Grid:
        """The same table with its columns in another order."""
        return replace(
            self, columns=tuple(self.columns[k] for k in order),
            rows=tuple(tuple(row[k] for k in order) for row in self.rows),
            numbers=tuple(order.index(k) for k in self.numbers),
        )  # fmt: skip

    def turned(self, first: str) -> Grid:
        """The same table with columns for rows, if that makes it narrower; `first` is its new first column."""
        if len(self.columns) - 1 <= len(self.rows) or len(self.numbers) < len(self.columns) - 1:
            return self
        columns = (first, *(row[0].text for row in self.rows))
        rows = tuple((Cell(name), *(row[k] for row in self.rows)) for k, name in enumerate(self.columns) if k)
        return replace(self, columns=columns, rows=rows, numbers=tuple(range(1, len(columns))))

    def notes(self) -> list[str]:
        """The remarks on its values, each once, with the rows and columns it is about."""
        whose: dict[str, list[str]] = {}
        for row in self.rows:
            for column, cell in zip(self.columns[1:], row[1:], strict=True):
                if cell.note:
                    about = row[0].text if column == "value" else f"{row[0].text}, {column}"
                    whose.setdefault(cell.note, []).append(about)
        return [f"{_first(places)}: {note}" for note, places in whose.items()]


@dataclass(frozen=True)
class Counts:
    """A confusion matrix, to be shown as counts, by row and by column."""

    caption: str
    labels: tuple[str, ...]
    counts: Array  # (m, m)
    folded: bool = False  # whether a page shows it only when asked


@dataclass(frozen=True)
class Definition:
    """All there is to say about a measure, without a value."""

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
    """The measures that were used."""

    items: tuple[Definition, ...]


@dataclass(frozen=True)
class Code:
    """Lines to copy."""

    text: str
    language: str = ""


@dataclass(frozen=True)
class Chart:
    """A Vega-Lite specification, and what it shows in words; the table it is drawn from stands beside it."""

    key: str
    title: str
    alt: str
    spec: dict[str, Any]


Block = Sentences | Facts | Grid | Counts | Definitions | Code | Chart


@dataclass(frozen=True)
class Section:
    """A heading and what stands under it."""

    key: str
    title: str
    blocks: tuple[Block, ...]


@dataclass(frozen=True)
class Document:
    """A whole report."""

    title: str
    sections: tuple[Section, ...]

    def section(self, key: str) -> Section:
        """One section by its key."""
        return next(section for section in self.sections if section.key == key)
