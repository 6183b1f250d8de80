"""What a result can be written as.

The report room knows how, and may use this room, but not the other way round. So its modules register a writer for
each kind of result here when they are imported, and they are imported when a result is written for the first time.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from os import PathLike
from typing import Protocol, TypeVar

from goodmeasure.documents import JsonDocument
from goodmeasure.progress import progress
from goodmeasure.typing import ChartSpec, Frame, Namespace

Path = str | PathLike[str]
_WRITING = "preparing the report"


class Printer(Protocol):
    """What IPython prints with."""

    def text(self, text: str) -> None: ...


class Writer(Protocol):
    """What the report room offers for one result."""

    def text(self, format: str, title: str | None = None) -> str:
        """Return the report in a format."""

    def readable(self) -> dict[str, object]:
        """Return the entries of the JSON that are for other programs."""

    def write(self, format: str, path: Path, title: str | None = None) -> str:
        """Write the report in a format to a file, and return its text."""

    def save(self, paths: Sequence[Path], title: str | None = None) -> None:
        """Write several files, each in the format of its ending: all of them or none."""

    def piece(self) -> str:
        """Return what a notebook shows."""

    def plain_text(self, full: bool = False, width: int | None = None, *, styled: bool = False) -> str:
        """Return what print() and the command line show."""

    def plots(self) -> Namespace:
        """Return the figures by Matplotlib."""

    def chart(self, name: str, system: str | None = None) -> ChartSpec:
        """Return one chart as a Vega-Lite specification."""

    def frame(self, kind: str, rows: str = "") -> Frame:
        """Return tidy rows as a data frame."""

    def statement(self, format: str) -> str:
        """Return the paragraph for a paper."""


_WRITERS: dict[type, Callable[..., Writer]] = {}  # each takes one argument, a result of its kind
_Class = TypeVar("_Class", bound=Callable[..., Writer])


def writes(kind: type) -> Callable[[_Class], _Class]:
    """Register a class as the writer of a kind of result."""

    def registered(writer: _Class) -> _Class:
        _WRITERS[kind] = writer
        return writer

    return registered


def writer_of(result: object) -> Writer:
    """Return the writer of a result; the report room is imported here, and nowhere else in the rooms above it."""
    if type(result) not in _WRITERS:
        import_module("goodmeasure.report.formats").load()
    return next(_WRITERS[kind] for kind in type(result).__mro__ if kind in _WRITERS)(result)


class Written(JsonDocument):
    """Base class of results that can be saved in every format, shown in notebooks and plotted.

    The methods call the writer that the report room registers for the kind of result (`writes`, `writer_of`).
    """

    def to_html(self, path: Path | None = None, *, title: str | None = None) -> str:
        """Return the report as one self-contained HTML page with charts; also write it to `path`, if given.

        `title` is the title of the page; without one, it is made from the data.
        """
        return self._write("html", path, title)

    def to_markdown(self, path: Path | None = None, *, title: str | None = None) -> str:
        """Return the report as Markdown; also write it to `path`, if given."""
        return self._write("markdown", path, title)

    def to_latex(self, path: Path | None = None) -> str:
        """Return the tables of the report as LaTeX (booktabs); also write them to `path`, if given."""
        return self._write("latex", path)

    def to_json(self, path: Path | None = None) -> str:
        """Return everything as JSON, which `from_json` reads back; also write it to `path`, if given."""
        return self._write("json", path)

    def readable(self) -> dict[str, object]:
        """Return entries in a layout for other programs, such as the rows of the table."""
        with progress(_WRITING):
            return writer_of(self).readable()

    def to_csv(self, path: Path | None = None) -> str:
        """Return the tidy rows of the result as CSV; also write them to `path`, if given."""
        return self._write("csv", path)

    def save(self, path: Path, *more: Path, title: str | None = None) -> None:
        """Write files in the formats of their extensions (.html, .md, .tex, .json, .csv, .xml): all of them or none.

        `title` is the title of reports; without one, it is made from the data.
        """
        with progress(_WRITING):
            writer_of(self).save((path, *more), title)

    @property
    def plot(self) -> Namespace:
        """Return the figures that Matplotlib draws, such as ``result.plot.confusion(ax=ax)``."""
        return writer_of(self).plots()

    def _repr_html_(self) -> str:
        with progress(_WRITING):
            return writer_of(self).piece()

    def __str__(self) -> str:
        return self.to_text()

    def to_text(self, full: bool = False, width: int | None = None) -> str:
        """Return what print() and the command line show: the short form or, if `full`, everything that fits a screen.

        `width` is the number of characters in a line; by default that of the terminal.
        """
        with progress(_WRITING):
            return writer_of(self).plain_text(full, width)

    def __repr__(self) -> str:
        """Return a short text, as it is a part of others, such as that of a method."""
        return f"<{type(self).__name__}: print() shows it>"

    def _repr_pretty_(self, printer: Printer, cycle: bool) -> None:
        """Print everything where IPython shows a result as text."""
        printer.text(str(self))

    def _write(self, format: str, path: Path | None, title: str | None = None) -> str:
        with progress(_WRITING):
            writer = writer_of(self)
            return writer.text(format, title) if path is None else writer.write(format, path, title)
