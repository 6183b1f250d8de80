"""How notebooks show objects of any room.

The report room draws them, and may use every room above it, but not the other way round. So it is imported here, by
its name, when a notebook shows an object for the first time.
"""

from __future__ import annotations

from importlib import import_module


class Shown:
    """Base class of what notebooks show as a table; the report room has a view for each kind."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        text: str = import_module("goodmeasure.report.formats.notebook_views").view(self)
        return text
