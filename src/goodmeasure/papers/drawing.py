"""Write a recomputed table or figure as a page (HTML) or as a drawing (SVG)."""

from __future__ import annotations

import math
from io import StringIO
from pathlib import Path

from goodmeasure.exceptions import InputError, MissingPackageError
from goodmeasure.papers.figures import Curves, Figure, HeatMap
from goodmeasure.papers.paper_tables import PaperTable, Recomputed
from goodmeasure.papers.paper_tables import PrintedCell as Compared
from goodmeasure.report.charts.line_panels import Axis, Line, panels
from goodmeasure.report.charts.scorecard import Spec, spec_of
from goodmeasure.report.document import Chart, Document, Grid, Section, Sentences, TableCell
from goodmeasure.report.whole_files import write_file
from goodmeasure.typing import Namespace

PAGE, DRAWING = (".html", ".htm"), ".svg"
_COLUMNS = 3  # panels side by side in a drawing
_STYLES = ("-", "--", "-.", ":")


def write(path: Path, found: list[tuple[PaperTable, Recomputed]]) -> None:
    """Write tables and figures to a page, or one figure to a drawing."""
    ending = path.suffix.lower()
    if ending in PAGE:
        from goodmeasure.report.formats.html import html  # it loads the template engine

        write_file(path, html(page(found)))
        return
    if ending != DRAWING:
        raise InputError("{out} is {got!r}", got=str(path), advice="use a name that ends in .html or .svg")
    figures = [x.figure for _, x in found if x.figure is not None]
    if len(figures) != 1:
        raise InputError(
            "{out} is {got!r}, and there are {count} figures to draw",
            got=str(path),
            count=len(figures),
            advice="an .svg file holds one figure; name one, or use .html, which shows tables too",
        )
    write_file(path, svg(figures[0]))


def page(found: list[tuple[PaperTable, Recomputed]]) -> Document:
    """Return the page: for each table its figure, if it is one, the cells and the notes."""
    title = found[0][0].key if len(found) == 1 else found[0][0].key.partition(":")[0]
    return Document(f"{title}, recomputed", tuple(_section(x, outcome) for x, outcome in found))


def _section(x: PaperTable, outcome: Recomputed) -> Section:
    key = x.key.replace(":", "-").replace(".", "-")
    figure = outcome.figure
    chart = [] if figure is None else [Chart(f"{key}-chart", x.title, _described(figure), specification(figure))]
    return Section(key, f"{x.key}: {x.title}", (*chart, _grid(x, outcome), *_notes(outcome)))


def _grid(x: PaperTable, outcome: Recomputed) -> Grid:
    columns = list(dict.fromkeys(cell.column for cell in outcome.cells))
    rows: dict[str, dict[str, Compared]] = {}
    for cell in outcome.cells:
        rows.setdefault(cell.row, {})[cell.column] = cell
    lines = tuple((TableCell(row), *(_cell(found.get(y)) for y in columns)) for row, found in rows.items())
    return Grid(
        f"{x.title} (printed | ours, ← where they differ)", ("", *columns), lines, folded=outcome.figure is not None
    )


def _cell(cell: Compared | None) -> TableCell:
    return TableCell("") if cell is None else TableCell(cell.text, note=cell.why or None)


def _notes(outcome: Recomputed) -> list[Sentences]:
    return [Sentences(tuple(outcome.notes))] if outcome.notes else []


def _described(figure: Figure) -> str:
    if isinstance(figure, HeatMap):
        return f"Heat map of {len(figure.names)} × {len(figure.names)} numbers from −1 to 1; the table below has them."
    return f"{len(figure.curves)} curves over {figure.x_title}; the table below has their values."


def specification(figure: Figure) -> Spec:
    """Return a figure as a Vega-Lite specification."""
    if isinstance(figure, Curves):
        lines = [Line(x.panel, x.name, x.x, x.y) for x in figure.curves]
        return panels(lines, [], Axis(figure.x_title, "~g"))
    rows = [
        {"row": one, "column": two, "value": round(value, 3)}
        for one, line in zip(figure.names, figure.values, strict=True)
        for two, value in zip(figure.names, line, strict=True)
    ]
    axis: Spec = {"type": "nominal", "sort": list(figure.names), "title": None}
    tips = [{"field": x, "type": "nominal"} for x in ("row", "column")] + [{"field": "value", "type": "quantitative"}]
    encoding = {
        "x": {**axis, "field": "column", "axis": {"labelAngle": -45}},
        "y": {**axis, "field": "row"},
        "color": {"field": "value", "type": "quantitative", "scale": {"scheme": "redblue", "domain": [-1, 1]}},
        "tooltip": tips,
    }
    return spec_of(
        rows, mark={"type": "rect"}, encoding=encoding, width=26 * len(figure.names), height=26 * len(figure.names)
    )


def svg(figure: Figure) -> str:
    """Return a figure as the text of an SVG file; needs Matplotlib."""
    try:
        import matplotlib as mpl
        from matplotlib.figure import Figure as Sheet
    except ImportError:
        raise MissingPackageError("drawings need Matplotlib", advice="pip install 'goodmeasure[plot]'") from None
    with mpl.rc_context({"svg.hashsalt": "goodmeasure", "svg.fonttype": "none"}):
        sheet = Sheet(layout="constrained")
        _draw_map(sheet, figure) if isinstance(figure, HeatMap) else _draw_curves(sheet, figure)
        text = StringIO()
        sheet.savefig(text, format="svg", metadata={"Date": None})
    return text.getvalue()


def _draw_curves(sheet: Namespace, figure: Curves) -> None:
    panels_ = figure.panels
    columns = min(_COLUMNS, len(panels_))
    rows = math.ceil(len(panels_) / columns)
    sheet.set_size_inches(5.2 * columns + (1.6 if columns == 1 else 0), 3.6 * rows)
    places = sheet.subplots(rows, columns, squeeze=False).ravel()
    for axes, panel in zip(places, panels_, strict=False):
        for k, x in enumerate(x for x in figure.curves if x.panel == panel):
            # curves that coincide stay visible under each other, and colours repeat after ten
            axes.plot(x.x, x.y, _STYLES[k % len(_STYLES)], label=x.name, marker=".", linewidth=1 + k % 3)
        axes.set_title(panel)
        axes.set_xlabel(figure.x_title)
    for axes in places[len(panels_) :]:
        axes.set_axis_off()
    outside = {"loc": "upper left", "bbox_to_anchor": (1, 1)} if columns == 1 else {}
    places[0].legend(**outside)


def _draw_map(sheet: Namespace, figure: HeatMap) -> None:
    count = len(figure.names)
    sheet.set_size_inches(0.45 * count + 2, 0.45 * count + 1)
    axes = sheet.subplots()
    shown = axes.imshow(figure.values, cmap="RdBu", vmin=-1, vmax=1)
    axes.set_xticks(range(count), figure.names, rotation=45, ha="right")
    axes.set_yticks(range(count), figure.names)
    sheet.colorbar(shown)
