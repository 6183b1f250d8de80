"""The interface of formats: what they are, and what they write."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from goodmeasure.report.document import Document


class Writable(Protocol):
    """What a result offers to every format: its report as a document, and itself as data."""

    def document(self) -> Document:
        """Return the report, free of any format."""

    def json(self) -> str:
        """Return everything as JSON."""

    def csv(self) -> str:
        """Return the tidy rows as CSV."""


@dataclass(frozen=True)
class Format:
    """A format: its name, the endings of its files (the usual one first), and how something is written in it."""

    name: str
    endings: tuple[str, ...]
    write: Callable[[Writable], str]
