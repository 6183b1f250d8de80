"""How results are written down: the formats live in the report room, which is imported when one is asked for.

The report room uses this room, so this room must not import it at the top: a result names the module that writes it.
"""

from __future__ import annotations

from importlib import import_module
from os import PathLike
from typing import Any, ClassVar


class Written:
    """Base class of results that can be saved in every format, shown in notebooks and plotted.

    Each kind of result has a module in the report room, named by `_formats`, with functions `text` and `piece`, a class
    `Plots`, and whatever else the kind needs.
    """

    _formats: ClassVar[str]

    def to_html(self, path: str | PathLike[str] | None = None) -> str:
        """Return the report as one self-contained HTML page with charts; also write it to `path`, if given."""
        return self._write("html", path)

    def to_markdown(self, path: str | PathLike[str] | None = None) -> str:
        """Return the report as Markdown; also write it to `path`, if given."""
        return self._write("markdown", path)

    def to_latex(self, path: str | PathLike[str] | None = None) -> str:
        """Return the tables of the report as LaTeX (booktabs); also write them to `path`, if given."""
        return self._write("latex", path)

    def to_json(self, path: str | PathLike[str] | None = None) -> str:
        """Return everything as JSON; also write it to `path`, if given."""
        return self._write("json", path)

    def to_csv(self, path: str | PathLike[str] | None = None) -> str:
        """Return the tidy rows of the result as CSV; also write them to `path`, if given."""
        return self._write("csv", path)

    def save(self, path: str | PathLike[str], *more: str | PathLike[str]) -> None:
        """Write files in the formats of their extensions (.html, .md, .tex, .json, .csv): all of them or none."""
        files = import_module("goodmeasure.report.whole_files")
        files.write_files({x: self._ask("text", files.format_of(x)) for x in (path, *more)})

    @property
    def plot(self) -> Any:
        """Return the figures that Matplotlib draws, such as ``result.plot.confusion(ax=ax)``."""
        return self._ask("Plots")

    def _repr_html_(self) -> str:
        return str(self._ask("piece"))

    def _write(self, format: str, path: str | PathLike[str] | None) -> str:
        text = str(self._ask("text", format))
        if path is not None:
            import_module("goodmeasure.report.whole_files").write_files({path: text})
        return text

    def _ask(self, name: str, *arguments: Any) -> Any:
        return getattr(import_module(f"goodmeasure.report.formats.{self._formats}"), name)(self, *arguments)
