"""The interface of formats: what they are, what they write, and how they become known."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from goodmeasure.evaluation.requirements.gate import Gate
from goodmeasure.report.document import Document


class Writable(Protocol):
    """What a result offers to every format: its report as a document, and itself as data."""

    @property
    def gate(self) -> Gate | None:
        """Return the outcomes of the requirements, if there were any."""

    def document(self) -> Document:
        """Return the report, free of any format."""

    def report(self) -> Document:
        """Return the report, free of any format, with requirements first."""

    def json(self) -> str:
        """Return everything as JSON."""

    def csv(self) -> str:
        """Return the tidy rows as CSV."""


@dataclass(frozen=True)
class Format:
    """A format: its name, the endings of its files (the usual one first), and how something is written in it.

    Messages list formats by `place`. The local page offers those that have a `media_type`.
    """

    name: str
    endings: tuple[str, ...]
    write: Callable[[Writable], str]
    place: int
    media_type: str | None = None


REGISTERED: list[Format] = []


def register(found: Format) -> None:
    """Make a format known; a module of this folder does so when it is imported."""
    REGISTERED.append(found)
