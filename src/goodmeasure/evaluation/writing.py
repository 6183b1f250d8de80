"""What a result can be written as; the report room knows how, and is found by name, as it may use this room only."""

from __future__ import annotations

from importlib import import_module
from os import PathLike
from typing import Any, ClassVar


class Written:
    """A result that is written down in every format, shown in notebooks and plotted.

    Each kind of result has a module of the report room, which offers `text`, `piece` and `Plots`, and what else the
    kind asks of it.
    """

    _formats: ClassVar[str]

    def to_html(self, path: str | PathLike[str] | None = None) -> str:
        """The report as one self-contained HTML page with charts, also written to a file if one is named."""
        return self._write("html", path)

    def to_markdown(self, path: str | PathLike[str] | None = None) -> str:
        """The report as Markdown, also written to a file if one is named."""
        return self._write("markdown", path)

    def to_latex(self, path: str | PathLike[str] | None = None) -> str:
        """The report's tables as LaTeX (booktabs), also written to a file if one is named."""
        return self._write("latex", path)

    def to_json(self, path: str | PathLike[str] | None = None) -> str:
        """Everything as JSON, also written to a file if one is named."""
        return self._write("json", path)

    def to_csv(self, path: str | PathLike[str] | None = None) -> str:
        """The tidy rows of the result as CSV, also written to a file if one is named."""
        return self._write("csv", path)

    def save(self, path: str | PathLike[str], *more: str | PathLike[str]) -> None:
        """Write the format of the file's ending, .html, .md, .tex, .json or .csv; of several files, all or none."""
        files = import_module("goodmeasure.report.whole_files")
        files.write_files({x: self._ask("text", files.format_of(x)) for x in (path, *more)})

    @property
    def plot(self) -> Any:
        """Figures by Matplotlib, such as ``result.plot.confusion(ax=ax)``."""
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
