"""How notebooks show objects of any room.

The report room draws them. It may import every room above it, but none of these may import it. So it is loaded here, by
its name, when a notebook shows an object for the first time.
"""

from __future__ import annotations

import html
from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from importlib import import_module

from goodmeasure.documents import JsonDocument


class ShownInNotebooks:
    """Base class of what notebooks show as a table; the report room has a view for each kind."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        text: str = import_module("goodmeasure.report.notebook_views").view(self)
        return text


class SentencesAndTable(JsonDocument, ABC):
    """Base class of results that are shown as sentences and one table."""

    @abstractmethod
    def lines(self) -> list[str]:
        """Return what was found, in sentences."""

    @abstractmethod
    def rows(self) -> Sequence[Sequence[str]]:
        """Return the table; its first row holds the names of the columns."""

    def _repr_html_(self) -> str:
        return _lines_and_table(self.lines(), self.rows())


def _lines_and_table(lines: Iterable[str], rows: Sequence[Sequence[str]]) -> str:
    """Return sentences and a table as HTML; the first row holds the names of the columns."""
    said = "".join(f"<p>{html.escape(x)}</p>" for x in lines)
    head, *body = rows
    names = "".join(f"<th>{html.escape(x)}</th>" for x in head)
    cells = ("".join(f"<td>{html.escape(x)}</td>" for x in row) for row in body)
    table = "".join(f"<tr>{row}</tr>" for row in cells)
    return f"{said}<table><thead><tr>{names}</tr></thead><tbody>{table}</tbody></table>"
