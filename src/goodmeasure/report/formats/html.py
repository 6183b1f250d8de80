"""A report as one self-contained HTML page that needs no network and suits light, dark and print."""

from __future__ import annotations

import base64
import hashlib
import json
import math
import re
from dataclasses import replace
from functools import cache
from importlib.resources import files
from itertools import count
from typing import TYPE_CHECKING

import numpy as np

from goodmeasure.counts.matrix import ConfusionMatrix
from goodmeasure.exceptions import MissingPackageError
from goodmeasure.report.charts.confusion import by_confusion
from goodmeasure.report.charts.palette import custom_properties
from goodmeasure.report.document import (
    Block,
    Chart,
    Code,
    Document,
    Facts,
    Finding,
    Grid,
    MatrixBlock,
    Section,
    Sentences,
    TableCell,
)
from goodmeasure.report.formats.format import Format, register
from goodmeasure.report.numbers import chance_text, count_text, share_text
from goodmeasure.report.visible_text import NO_BREAK, visible, visible_data
from goodmeasure.typing import Array

if TYPE_CHECKING:
    from jinja2 import Environment
    from markupsafe import Markup

_SHADES = 10
_SMALL, _LARGE = 6, 12  # up to so many classes, cells have room for shares; from so many on, they must be small
_ORDERED = 4  # from so many classes on, another order of the classes can help
_FRAGMENTS = count(1)
_NARROW = 400  # pixels of a chart that half a page has room for
_HALF = 70  # characters of a table that half a page has room for
_WIDTHS = {9: " wide", 11: " wider", 14: " widest", 26: " boundless"}  # CSS class if there are more columns
_LONGEST_WORD = 16  # characters: columns have room for such words


def html(document: Document) -> str:
    """Return the whole report as a page."""
    charts = _has_charts(document)
    style, scripts = _style("design.css") + _style("report.css"), [comforts(), *([bundle()] if charts else [])]
    template = _environment().get_template("report.html")
    text: str = template.render(
        document=document, style=style, style_hash=_digest(style), scripts=scripts,
        script_hashes=[_digest(x) for x in scripts], has_charts=charts, kind=kind,
    )  # fmt: skip
    return text


register(Format("html", (".html", ".htm"), lambda result: html(result.report()), place=0, media_type="text/html"))


def fragment(document: Document) -> str:
    """Return a document as an HTML fragment for notebooks: the first screen and everything else folded, no script.

    Two fragments on one page must not have the same names, hence the number.
    """
    number = next(_FRAGMENTS)
    style = _style("design.css").partition("@media")[0].replace(":root", ".goodmeasure") + _style("notebook.css")
    style = style.replace(".goodmeasure", f"#goodmeasure-{number}")
    shown = _environment().get_template("fragment.html")
    text: str = shown.render(document=_without_charts(document), style=style, kind=kind, number=number)
    return text


def _without_charts(document: Document) -> Document:
    """Return the document without charts, which need a script, and without sections that would be empty."""
    kept = [replace(x, blocks=tuple(y for y in x.blocks if not isinstance(y, Chart))) for x in document.sections]
    return replace(document, sections=tuple(section for section in kept if section.blocks))


def _digest(text: str) -> str:
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _has_charts(document: Document) -> bool:
    return any(isinstance(block, Chart) for section in document.sections for block in section.blocks)


@cache
def comforts() -> str:
    """Return the script that every page has: folds, sorting, searching, and cards on phones."""
    return _wrapped(_file("page.js"))


def _wrapped(script: str) -> str:
    """Return a script as a function of its own, since scripts of a page share their names at the top level."""
    return f"(() => {{\n{script}}})();\n"


@cache
def bundle() -> str:
    """Return the script of a page: Vega with its licences, and the lines that draw the charts of the page.

    Vega is bundled into one file when the package is built, so that a page loads nothing from elsewhere. Our lines
    are a function, since the bundle defines short names at the top level.
    """
    try:
        vega = _file("vega.js")
    except FileNotFoundError as error:
        raise MissingPackageError(
            "the script that draws charts (report/formats/templates/vega.js) was not built",
            advice="install goodmeasure with pip, or run 'python setup.py build_py' in its source folder",
        ) from error
    tones = f"const tones = {json.dumps(custom_properties())};\n"
    script = f"{vega}\n{_wrapped(tones + _file('charts.js'))}"
    return script.replace("</script", "<\\/script").replace("<!--", "<\\!--")


def kind(block: Block) -> str:
    """Return the name of the template macro that shows a block."""
    return type(block).__name__.lower()


@cache
def _file(name: str) -> str:
    return files("goodmeasure.report.formats").joinpath("templates", name).read_text(encoding="utf-8")


@cache
def _style(name: str) -> str:
    """Return a style sheet without its comments, which are for those who edit it."""
    return re.sub(r"/\*.*?\*/\s*", "", _file(name), flags=re.DOTALL)


@cache
def _environment() -> Environment:
    from goodmeasure.packages import jinja2

    pages = {name: _file(name) for name in ("report.html", "fragment.html", "blocks.html")}
    found = jinja2.Environment(
        loader=jinja2.DictLoader(pages), autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True,
        lstrip_blocks=True, finalize=_shown,
    )  # fmt: skip
    found.filters |= {
        "mathml": mathml, "views": views, "number": _full_number, "data": data, "value": _value, "drawn": drawn,
        "chance": chance_text, "seen": seen, "told": told, "verdicts": verdicts, "groups": groups,
        "matrix_size": _matrix_size, "confusion_order": _confusion_order, "marks": marks,
        "unbroken": _unbroken, "width": _width,
    }  # fmt: skip
    return found


def _shown(x: object) -> object:
    """Return a value for a template: text without control characters, which HTML forbids; markup as it is."""
    return visible(x, keep="\n\t") if isinstance(x, str) and not hasattr(x, "__html__") else x


def _value(cell: TableCell) -> str:
    """Return a value with its interval in small print, so that more of them fit side by side."""
    from markupsafe import Markup

    if not cell.interval:
        return str(_shown(cell.words)) if cell.text else Markup("<small>{}</small>").format(cell.words)
    shown = Markup("{} <small>({})</small>").format(_shown(cell.text), cell.interval)
    return shown + Markup("{}{}").format(NO_BREAK, cell.behind) if cell.behind else shown


def _unbroken(text: str) -> str:
    """Return the class of a cell that has a word too long for a column: on paper, only such words are broken."""
    return " unbroken" if any(len(word) > _LONGEST_WORD for word in text.split()) else ""


def _width(grid: Grid) -> str:
    """Return the classes that say how little room each column of a wide table has on paper."""
    return "".join(width for least, width in _WIDTHS.items() if len(grid.columns) > least)


def mathml(latex: str) -> Markup:
    """Return a formula as MathML for browsers and screen readers; the converter escapes its text."""
    from markupsafe import Markup

    from goodmeasure.packages import latex2mathml

    return Markup(latex2mathml.convert(latex, display="block"))


def data(spec: dict[str, object]) -> Markup:
    """Return a specification as JSON that cannot close the script element around it."""
    from markupsafe import Markup

    text = json.dumps(visible_data(spec), ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return Markup(text.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e"))


def _full_number(cell: TableCell) -> str:
    """Return a cell's number to ten digits, for copying; empty where the cell shows it in full."""
    if cell.value is None or math.isnan(cell.value):
        return ""
    number = f"{float(cell.value):.10g}"
    return "" if number == cell.words else number


def drawn(cell: TableCell) -> Markup:
    """Return the interval of a cell as a small picture: a line with its value, and ticks for chance and the baseline.

    The same numbers stand beside it, so screen readers skip it.
    """
    from markupsafe import Markup

    span = cell.span
    if span is None or cell.low is None or cell.high is None:
        return Markup()
    reach = span.most - span.least

    def at(x: float) -> str:
        return f"{100 * (x - span.least) / reach:.3g}%"

    ticks = "".join(
        f'<line class="{name}" x1="{at(x)}" x2="{at(x)}" y2="10"/>'
        for name, x in (("lazy", span.baseline), ("tick", span.chance))
        if x is not None
    )
    line = f'<line class="line" x1="{at(cell.low)}" x2="{at(cell.high)}" y1="5" y2="5"/>'
    point = f'<circle cx="{at(span.at)}" cy="5" r="3.2"/>'
    axis = '<line x2="100%" y1="5" y2="5"/>'
    return Markup(f'<svg class="span" aria-hidden="true">{axis}{ticks}{line}{point}</svg>')


def marks(grid: Grid) -> list[tuple[str, str]]:
    """Return the marks in the drawn intervals of a table for its legend, each as a CSS class and words."""
    spans = [cell.span for row in grid.rows for cell in row if cell.span is not None]
    found = [("dot", "value and confidence interval")] if spans else []
    found += [("tick", "random guessing")] if any(x.chance is not None for x in spans) else []
    return found + ([("tick lazy", "majority-class baseline")] if any(x.baseline is not None for x in spans) else [])


def verdicts(section: Section) -> list[Block]:
    """Return the verdict, which stands above everything else."""
    return [block for block in section.blocks if isinstance(block, Finding)]


def told(section: Section) -> list[Block]:
    """Return the left half of the first screen: numbers, sentences, and tables if there is a picture on the right."""
    beside = {id(block) for block in seen(section)}
    return [block for block in section.blocks if id(block) not in beside and not isinstance(block, Finding)]


def seen(section: Section) -> list[Block]:
    """Return the right half of the first screen: matrices and charts or, if there are none, tables."""
    pictures: list[Block] = [block for block in section.blocks if isinstance(block, (MatrixBlock, Chart))]
    return pictures or [block for block in section.blocks if isinstance(block, Grid)]


Unit = list[tuple[int, Block]]  # a block with its place, and what is folded below it


def groups(section: Section) -> list[list[Unit]]:
    """Return the blocks with their places, as rows of a page.

    What is folded stays below the block before it, and narrow blocks that follow each other share a row.
    """
    units: list[Unit] = []
    for place, block in enumerate(section.blocks, 1):
        if units and getattr(block, "folded", False) and isinstance(units[-1][0][1], Chart):
            units[-1].append((place, block))
        else:
            units.append([(place, block)])
    found: list[list[Unit]] = []
    for unit, after in zip(units, [*units[1:], None], strict=True):
        if found and len(found[-1]) == 1 and _go_together(found[-1][0], unit, after):
            found[-1].append(unit)
        else:
            found.append([unit])
    return found


def _go_together(one: Unit, other: Unit, after: Unit | None) -> bool:
    """Return whether two units share a row; two charts go together rather than a table and the first of them."""
    if not is_narrow(one[0][1]) or not is_narrow(other[0][1]):
        return False
    if isinstance(one[0][1], Chart) or not isinstance(other[0][1], Chart):
        return True
    return after is None or not isinstance(after[0][1], Chart) or not is_narrow(after[0][1])


def is_narrow(block: Block) -> bool:
    """Return whether half the width of a page is enough for a block."""
    if isinstance(block, Grid):
        columns = zip(block.columns, *([cell.words for cell in row] for row in block.rows), strict=True)
        return not block.folded and sum(max(map(len, column)) + 3 for column in columns) <= _HALF
    if isinstance(block, MatrixBlock):
        return not block.folded and len(block.labels) <= _SMALL
    if isinstance(block, Chart):
        width = block.spec.get("width")
        return isinstance(width, (int, float)) and width <= _NARROW
    return isinstance(block, (Facts, Code)) or (isinstance(block, Sentences) and not block.warning)


def _matrix_size(counts: MatrixBlock) -> str:
    """Return the classes that say how much room each cell of a matrix has."""
    size = len(counts.labels)
    return " small" if size <= _SMALL else " large" if size > _LARGE else ""


def _confusion_order(counts: MatrixBlock) -> str:
    """Return the order of classes that groups confused ones, as a list of numbers; empty if it is the given order."""
    if len(counts.labels) < _ORDERED:
        return ""
    order = by_confusion(ConfusionMatrix(counts.counts))
    return "" if order == sorted(order) else ",".join(map(str, order))


def views(counts: MatrixBlock) -> list[dict[str, object]]:
    """Return a matrix as tables of text and shade: counts, and shares by row and by column."""
    values = np.asarray(counts.counts, dtype=float)
    totals = {"row": values.sum(axis=1, keepdims=True), "column": values.sum(axis=0, keepdims=True)}
    shares = {
        name: np.divide(values, total, out=np.zeros_like(values), where=total > 0) for name, total in totals.items()
    }
    raw = np.asarray(counts.counts)
    texts = [[count_text(x) for x in row] for row in raw.tolist()]
    first = _view("counts", "Counts", texts, shares["row"], counts)
    first["says"] = "shaded by the share of the true class"
    first["totals"] = [count_text(x) for x in raw.sum(axis=1).tolist()]
    first["below"] = [count_text(x) for x in (*raw.sum(axis=0).tolist(), raw.sum())]
    found = [first]
    titles = {"row": ("By true class", "shares of the true class; the diagonal is recall"),
              "column": ("By predicted class", "shares of the predicted class; the diagonal is precision")}  # fmt: skip
    for name, (title, says) in titles.items():
        text = [[share_text(x) for x in row] for row in shares[name].tolist()]
        found.append({**_view(name, title, text, shares[name], counts), "says": says})
    return found


def _view(key: str, title: str, text: list[list[str]], shares: Array, counts: MatrixBlock) -> dict[str, object]:
    shades = np.where(shares > 0, np.clip(np.ceil(shares * _SHADES), 1, _SHADES), 0).astype(int).tolist()
    both = key == "counts" and len(counts.labels) <= _SMALL  # there is room for the share below the count
    small = [[share_text(x) if both else "" for x in row] for row in shares.tolist()]
    lines = [
        (label, [(*x, i == j) for j, x in enumerate(zip(row, beside, shaded, strict=True))])
        for i, (label, row, beside, shaded) in enumerate(zip(counts.labels, text, small, shades, strict=True))
    ]
    return {"key": key, "title": title, "rows": lines, "totals": [], "below": []}
