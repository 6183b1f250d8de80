"""How any kind of result is written: in a format, to files, in a notebook and on a terminal."""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

from goodmeasure.documents import JsonDocument as Saved
from goodmeasure.documents import as_text, written
from goodmeasure.evaluation.requirements.gate import Gate
from goodmeasure.exceptions import InputError, InputTypeError
from goodmeasure.report.content.requirements import with_requirements
from goodmeasure.report.document import Document
from goodmeasure.report.formats import check_path, format_of, formats
from goodmeasure.report.formats.format import Writable
from goodmeasure.report.formats.html import fragment
from goodmeasure.report.formats.notebook import VegaLite
from goodmeasure.report.formats.terminal import REST, document_text, known_width
from goodmeasure.report.whole_files import write_files
from goodmeasure.typing import Frame, Namespace

PRINTED = 120  # the width that is assumed where it is unknown, as in a notebook or a pipe
LEAST = 20  # characters in a line

Kind = TypeVar("Kind", bound=Saved)


@dataclass(frozen=True)
class _Titled:
    """A result whose report has a title that somebody gave."""

    writer: Writable
    title: str

    @property
    def gate(self) -> Gate | None:
        return self.writer.gate

    def document(self) -> Document:
        return replace(self.writer.document(), title=self.title)

    def report(self) -> Document:
        return replace(self.writer.report(), title=self.title)

    def json(self) -> str:
        return self.writer.json()

    def csv(self) -> str:
        return self.writer.csv()


class ReportWriter(ABC, Generic[Kind]):
    """Writes one result; each kind of result has a subclass, which registers itself."""

    def __init__(self, result: Kind) -> None:
        self.result = result

    @abstractmethod
    def document(self) -> Document:
        """Return the report, free of any format."""

    @property
    def gate(self) -> Gate | None:
        """Return the outcomes of the requirements, if there were any."""
        found: Gate | None = getattr(self.result, "gate", None)
        return found

    def report(self) -> Document:
        """Return the report, free of any format, with requirements first."""
        return with_requirements(self.document(), self.gate)

    @abstractmethod
    def screen(self) -> Document:
        """Return everything that a terminal shows."""

    def short(self) -> Document:
        """Return the short form that a terminal shows; by default it shows everything."""
        return self.screen()

    @property
    def most_lines(self) -> int:
        """Return how many lines the short form may have; 0 for any number."""
        return 0

    @abstractmethod
    def readable(self) -> dict[str, object]:
        """Return the entries of the JSON that are for other programs."""

    def json(self) -> str:
        """Return everything as JSON."""
        return as_text(written(self.result, self.readable()))

    @abstractmethod
    def csv(self) -> str:
        """Return the tidy rows as CSV."""

    @abstractmethod
    def chart(self, name: str, system: str | None = None) -> VegaLite:
        """Return one chart as a Vega-Lite specification."""

    @abstractmethod
    def plots(self) -> Namespace:
        """Return the Matplotlib figures."""

    def frame(self, kind: str, rows: str = "") -> Frame:
        """Return tidy rows as a data frame."""
        raise InputTypeError("{kind} has no data frame", kind=type(self.result).__name__)

    def statement(self, format: str) -> str:
        """Return the paragraph for a paper."""
        raise InputTypeError("{kind} has no statement", kind=type(self.result).__name__)

    def text(self, format: str, title: str | None = None) -> str:
        """Return the report in a format, with a title of its own, if one is given."""
        if title is not None and not isinstance(title, str):
            raise InputTypeError("{title} is {got!r}", got=title, expected="a text")
        return formats()[format].write(self if title is None else _Titled(self, title))

    def write(self, format: str, path: str | os.PathLike[str], title: str | None = None) -> str:
        """Write the report in a format to a file, whatever its ending, and return its text."""
        check_path(path)
        text = self.text(format, title)
        write_files({path: text})
        return text

    def save(self, paths: Sequence[str | os.PathLike[str]], title: str | None = None) -> None:
        """Write several files, each in the format of its ending: all of them or none."""
        write_files({path: self.text(format_of(path), title) for path in paths})

    def notebook(self) -> Document:
        """Return what a notebook shows: the first screen and all other sections, without the appendix."""
        whole = self.document()
        return replace(whole, sections=tuple(section for section in whole.sections if not section.appendix))

    def piece(self) -> str:
        """Return what a notebook shows, as HTML without scripts."""
        return fragment(with_requirements(self.notebook(), self.gate))

    def plain_text(self, full: bool = False, width: int | None = None, *, styled: bool = False) -> str:
        """Return what print() and the command line show; sentences are not wrapped where no width is known."""
        if width is not None and (isinstance(width, bool) or not isinstance(width, int) or width < LEAST):
            raise InputError(
                "{argument} is {got!r}",
                argument="width",
                got=width,
                least=LEAST,
                expected="a whole number from {least} on",
            )
        known = width or known_width()
        columns = known or PRINTED
        text = with_requirements(self.screen() if full else self.short(), self.gate)
        most = 0 if full or self.gate is not None else self.most_lines
        return document_text(text, columns, REST, styled=styled, wrapped=known is not None, most=most)
