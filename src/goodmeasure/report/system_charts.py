"""Charts of several systems: their ranks under each measure, and the agreement of measures on their order."""

from __future__ import annotations

import math

from goodmeasure.evaluation.result import Result
from goodmeasure.report.charts import Spec, spec_of, tips
from goodmeasure.report.document import Chart
from goodmeasure.report.numbers import value_text
from goodmeasure.report.ranks import agreement, ranks, values

_FEWEST, _MOST = 2, 40


def ranks_chart(result: Result) -> Chart | None:
    """A line for each system, through its ranks under the measures."""
    if not _FEWEST <= len(result.systems) <= _MOST:
        return None
    shown, order = values(result), ranks(result)
    rows: list[Spec] = [
        {"measure": measure, "system": system, "rank": rank, "shown": value_text(shown[measure][system])}
        for measure, row in order.items()
        for system, rank in row.items()
    ]
    if not rows or len(order) < 2:
        return None
    x = {"field": "measure", "type": "nominal", "sort": None, "title": None,
         "axis": {"labelAngle": -40, "labelLimit": 160, "grid": False}}  # fmt: skip
    y = {"field": "rank", "type": "quantitative", "title": "rank (1 is the best)",
         "scale": {"reverse": True, "domain": [0.5, len(result.systems) + 0.5], "nice": False},
         "axis": {"values": list(range(1, len(result.systems) + 1)), "format": "d"}}  # fmt: skip
    colour = {"field": "system", "type": "nominal", "sort": None, "title": None,
              "legend": {"labelLimit": 200, "symbolType": "circle"}}  # fmt: skip
    hover = tips(("system", "system"), ("measure", "measure"), ("rank", "rank"), ("shown", "value"))
    layer = [
        {"mark": {"type": "line", "strokeWidth": 2.5, "opacity": 0.65, "aria": False},
         "encoding": {"x": x, "y": y, "color": colour}},
        {"mark": {"type": "point", "filled": True, "size": 110, "opacity": 1},
         "encoding": {"x": x, "y": y, "color": colour, "shape": {**colour, "legend": None}, "tooltip": hover}},
    ]  # fmt: skip
    spec = spec_of(rows, width={"step": 62}, height=max(140, 30 * len(result.systems)), layer=layer)
    alt = f"The ranks of {len(result.systems)} systems under {len(order)} measures, a line for each system"
    return Chart("ranks", "Ranks of the systems under each measure", alt, spec)


def agreement_chart(result: Result) -> Chart | None:
    """How many pairs of systems each two measures put in the same order."""
    if len(result.systems) < 3:
        return None
    order = ranks(result)
    names = list(order)
    rows: list[Spec] = [
        {"one": one, "two": two, "share": agreement(order[one], order[two])} for one in names for two in names
    ]
    rows = [row for row in rows if not math.isnan(row["share"])]
    axis = {"labelLimit": 160}
    encoding = {
        "x": {"field": "one", "type": "nominal", "sort": None, "title": None, "axis": {**axis, "labelAngle": -45}},
        "y": {"field": "two", "type": "nominal", "sort": None, "title": None, "axis": axis},
        "tooltip": tips(("one", "measure"), ("two", "and"), ("share", "same order")),
    }
    colour = {"field": "share", "type": "quantitative", "title": "same order", "legend": {"format": ".0%"},
              "scale": {"scheme": "blues", "domain": [0, 1]}}  # fmt: skip
    text = {"text": {"field": "share", "format": ".0%"},
            "color": {"condition": {"test": "datum.share > 0.6", "value": "white"}, "value": "#111"}}  # fmt: skip
    layer = [
        {"mark": {"type": "rect", "stroke": "#8884", "strokeWidth": 0.5}, "encoding": {"color": colour}},
        {"mark": {"type": "text", "fontSize": 11, "aria": False}, "encoding": text},
    ]
    spec = spec_of(rows, width={"step": 44}, height={"step": 28}, encoding=encoding, layer=layer)
    alt = f"How many pairs of systems each two of {len(names)} measures put in the same order"
    return Chart("agreement", "Agreement of the measures on the order of systems", alt, spec)
