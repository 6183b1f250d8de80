"""A report as one self-contained HTML page that needs no network and suits light, dark and print."""

from __future__ import annotations

import base64
import hashlib
import json
import math
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

import numpy as np

from goodmeasure.report.document import Block, Cell, Chart, Counts, Document
from goodmeasure.report.formats.format import Format
from goodmeasure.report.numbers import count_text, share_text
from goodmeasure.report.visible_text import NO_BREAK, visible, visible_data
from goodmeasure.typing import Array

if TYPE_CHECKING:
    from jinja2 import Environment
    from markupsafe import Markup

_THREE_VIEWS = 40  # up to so many classes, the matrix is shown as counts, by row and by column
_SHADES = 10


def html(document: Document) -> str:
    """Return the whole report as a page."""
    style, script = _file("report.css"), bundle() if _has_charts(document) else ""
    template = _environment().get_template("report.html")
    text: str = template.render(
        document=document, style=style, style_hash=_digest(style), script=script, script_hash=_digest(script), kind=kind
    )
    return text


FORMAT = Format("html", (".html", ".htm"), lambda result: html(result.report()))


def fragment(document: Document) -> str:
    """Return the sections as an HTML fragment for notebooks, without style or script."""
    shown = _environment().get_template("fragment.html")
    text: str = shown.render(document=document, kind=kind)
    return text


def _digest(text: str) -> str:
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _has_charts(document: Document) -> bool:
    return any(isinstance(block, Chart) for section in document.sections for block in section.blocks)


@cache
def bundle() -> str:
    """Return the script of a page: Vega with its licences, and the lines that draw the charts of the page.

    Vega is bundled into one file when the package is built, so that a page loads nothing from elsewhere. Our lines are
    wrapped in a function, since the bundle defines short names at the top level.
    """
    try:
        vega = _file("vega.js")
    except FileNotFoundError as error:
        raise ImportError(
            "the script that draws charts (report/templates/vega.js) was not built: install goodmeasure with pip, "
            "or run 'python setup.py build_py' in its source folder"
        ) from error
    script = f"{vega}\n(() => {{\n{_file('charts.js')}}})();\n"
    return script.replace("</script", "<\\/script").replace("<!--", "<\\!--")


def kind(block: Block) -> str:
    """Return the name of the template macro that shows a block."""
    return type(block).__name__.lower()


@cache
def _file(name: str) -> str:
    return files("goodmeasure.report.formats").joinpath("templates", name).read_text(encoding="utf-8")


@cache
def _environment() -> Environment:
    from jinja2 import DictLoader, Environment, StrictUndefined

    pages = {name: _file(name) for name in ("report.html", "fragment.html", "blocks.html")}
    found = Environment(
        loader=DictLoader(pages), autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True,
        finalize=_shown,
    )  # fmt: skip
    found.filters |= {
        "mathml": mathml,
        "views": views,
        "number": _number,
        "data": data,
        "value": _value,
    }
    return found


def _shown(x: Any) -> Any:
    """Return a value for a template: text without control characters, which HTML forbids; markup as it is."""
    return visible(x, keep="\n\t") if isinstance(x, str) and not hasattr(x, "__html__") else x


def _value(cell: Cell) -> str:
    """Return a value with its interval in small print, so that more of them fit side by side."""
    from markupsafe import Markup

    if not cell.interval:
        return str(_shown(cell.words))
    shown = Markup("{} <small>({})</small>").format(_shown(cell.text), cell.interval)
    return shown + Markup("{}{}").format(NO_BREAK, cell.behind) if cell.behind else shown


def mathml(latex: str) -> Markup:
    """Return a formula as MathML for browsers and screen readers; the converter escapes its text."""
    from latex2mathml.converter import convert
    from markupsafe import Markup

    return Markup(convert(latex, display="block"))


def data(spec: dict[str, Any]) -> Markup:
    """Return a specification as JSON that cannot close the script element around it."""
    from markupsafe import Markup

    text = json.dumps(visible_data(spec), ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return Markup(text.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e"))


def _number(cell: Cell) -> str:
    """Return a cell's number to ten digits, for copying; empty where the cell shows it in full."""
    if cell.value is None or math.isnan(cell.value):
        return ""
    number = f"{float(cell.value):.10g}"
    return "" if number == cell.words else number


def views(counts: Counts) -> list[dict[str, Any]]:
    """Return a matrix as tables of text and shade: counts, and shares by row and by column."""
    values = np.asarray(counts.counts, dtype=float)
    totals = {"row": values.sum(axis=1, keepdims=True), "column": values.sum(axis=0, keepdims=True)}
    shares = {
        name: np.divide(values, total, out=np.zeros_like(values), where=total > 0) for name, total in totals.items()
    }
    raw = np.asarray(counts.counts).tolist()
    found = [_view("counts", "Counts", [[count_text(x) for x in row] for row in raw], shares["row"], counts)]
    if len(counts.labels) <= _THREE_VIEWS:
        for name, title in (("row", "By row (recall)"), ("column", "By column (precision)")):
            text = [[share_text(x) for x in row] for row in shares[name].tolist()]
            found.append(_view(name, title, text, shares[name], counts))
    return found


def _view(key: str, title: str, text: list[list[str]], shares: Array, counts: Counts) -> dict[str, Any]:
    shades = np.where(shares > 0, np.clip(np.ceil(shares * _SHADES), 1, _SHADES), 0).astype(int).tolist()
    lines = [
        (label, [(x, shade, i == j) for j, (x, shade) in enumerate(zip(row, shaded, strict=True))])
        for i, (label, row, shaded) in enumerate(zip(counts.labels, text, shades, strict=True))
    ]
    return {"key": key, "title": title, "rows": lines}
