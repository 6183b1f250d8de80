"""The forest plot: paired differences of systems from the best one, or from a chosen one, with intervals."""

from __future__ import annotations

import math
from dataclasses import dataclass

from goodmeasure.catalogue.display_names import display_names
from goodmeasure.comparison.comparison import Comparison
from goodmeasure.comparison.rows import DifferenceRow
from goodmeasure.evaluation import significance
from goodmeasure.evaluation.number_words import p_text
from goodmeasure.evaluation.significance import Claim
from goodmeasure.report.charts.palette import ALARM, GREY, VALUE
from goodmeasure.report.charts.scorecard import Spec, spec_of, tips
from goodmeasure.report.charts.systems import FEWEST, MOST
from goodmeasure.report.content.marks import legend, sign_of
from goodmeasure.report.document import Chart, Grid, TableCell
from goodmeasure.report.numbers import interval_text, level_text, value_text

TOLD, NEAR, REFERENCE = "significant", "not significant", "compared with"
_COLOURS = {TOLD: ALARM, NEAR: VALUE, REFERENCE: GREY}
_MOST_PANELS = 24


@dataclass(frozen=True)
class Paired:
    """The difference of one system from the one it is compared with, under one measure."""

    measure: str
    shown: str  # the display name of the measure
    system: str
    reference: str
    row: DifferenceRow
    told: bool


def paired(found: Comparison, systems: list[str]) -> list[Paired]:
    """Return the differences of all systems, in this order, from the best one or from the chosen baseline."""
    known = {(row["measure"], row["a"], row["b"]): row for row in found.differences}
    chosen = found.settings.pairs if found.settings.pairs in found.systems else None
    rows, shown = [], display_names(found.settings.measures)
    for measure in found.measures:
        reference = chosen if chosen is not None else next(iter(found.leaders.get(measure, ())), None)
        if reference is None:
            continue
        for system in systems:
            if system != reference and ((measure, system, reference) in known or (measure, reference, system) in known):
                row = found.difference(system, reference, measure)
                told = _is_told(found, row, chosen is None)
                rows.append(Paired(measure, shown[measure], system, reference, row, told))
    return rows


def _is_told(found: Comparison, row: DifferenceRow, from_best: bool) -> bool:
    if from_best:
        apart = row["a"] not in found.winners.get(row["measure"], ())
        return significance.is_significant(Claim(found.settings.confidence, apart=apart))
    return significance.is_significant(Claim(found.settings.confidence, row["p_family"]))


def differences_chart(found: Comparison, systems: list[str]) -> Chart | None:
    """Return the forest plot: for each measure a panel of differences with intervals and their significance."""
    rows = [x for x in paired(found, systems) if math.isfinite(x.row["difference"])]
    measures = list(dict.fromkeys(x.measure for x in rows))[:_MOST_PANELS]
    if not rows or not FEWEST <= len(systems) <= MOST:
        return None
    references = {x.measure: x.reference for x in rows}
    values: list[Spec] = [_drawn(x) for x in rows if x.measure in measures]
    shown = {x.measure: x.shown for x in rows}
    values += [_reference(shown[measure], references[measure]) for measure in measures]
    y = {"field": "system", "type": "nominal", "sort": systems, "title": None,
         "axis": {"labelLimit": 130, "grid": True, "ticks": False, "domain": False}}  # fmt: skip
    x = {"type": "quantitative", "title": None, "axis": {"grid": False, "tickCount": 3}, "scale": {"zero": True}}
    hover = tips(("system", "system"), ("reference", "compared with"), ("measure", "measure"), ("shown", "difference"),
                 ("interval", "interval"), ("p", "p"), ("verdict", "verdict"))  # fmt: skip
    colour = {"field": "verdict", "type": "nominal", "title": None,
              "scale": {"domain": list(_COLOURS), "range": list(_COLOURS.values())},
              "legend": {"orient": "top", "symbolOpacity": 1, "symbolType": "circle", "symbolSize": 110}}  # fmt: skip
    shape = {"condition": {"test": f"datum.verdict == '{REFERENCE}'", "value": "diamond"}, "value": "circle"}
    layer = [
        {"mark": {"type": "rule", "strokeDash": [3, 3], "color": "#888", "aria": False},
         "encoding": {"x": {"datum": 0, "type": "quantitative"}}},
        {"mark": {"type": "rule", "strokeWidth": 3, "opacity": 0.55, "aria": False},
         "encoding": {"y": y, "x": {**x, "field": "low"}, "x2": {"field": "high"}, "color": colour,
                      "tooltip": hover}},
        {"mark": {"type": "point", "filled": True, "size": 75, "opacity": 1},
         "encoding": {"y": y, "x": {**x, "field": "difference"}, "color": colour, "shape": shape, "tooltip": hover,
                      "description": {"field": "said"}}},
    ]  # fmt: skip
    facet = {
        "field": "measure",
        "type": "nominal",
        "sort": [shown[x] for x in measures],
        "title": None,
        "header": {"labelLimit": 230},
    }
    panel = {"width": 230, "height": {"step": 21}, "layer": layer}
    each = {"scale": {"x": "independent"}}  # since measures have different scales
    spec = spec_of(values, facet=facet, columns=3, spacing=26, spec=panel, resolve=each)
    return Chart("paired-differences", _title(found), _alt(found, len(measures)), spec)


def _title(found: Comparison) -> str:
    chosen = found.settings.pairs if found.settings.pairs in found.systems else None
    from_what = "the best of each measure" if chosen is None else chosen
    return f"Differences from {from_what}, with intervals at {level_text(found.settings.confidence)} confidence"


def _alt(found: Comparison, measures: int) -> str:
    return f"{_title(found)}: {len(found.systems)} systems under {measures} measures, a panel for each measure"


def _drawn(x: Paired) -> Spec:
    here = x.row["difference"]
    low, high = (here if math.isnan(end) else end for end in (x.row["low"], x.row["high"]))
    interval = interval_text(x.row["low"], x.row["high"]) or "none"
    verdict = TOLD if x.told else NEAR
    said = f"{x.shown}, {x.system}: {value_text(here)}, interval {interval}, {verdict}"
    return {"measure": x.shown, "system": x.system, "reference": x.reference, "difference": here, "low": low,
            "high": high, "shown": value_text(here), "interval": interval, "p": p_text(x.row["p"]),
            "verdict": verdict, "said": said}  # fmt: skip


def _reference(measure: str, system: str) -> Spec:
    return {"measure": measure, "system": system, "reference": system, "difference": 0, "low": 0, "high": 0,
            "shown": "0", "interval": "none", "p": "–", "verdict": REFERENCE,
            "said": f"{measure}: compared with {system}"}  # fmt: skip


def against_grid(found: Comparison, systems: list[str]) -> Grid | None:
    """Return the table of the forest plot: measures and systems, the fewer of them as columns."""
    by_place = {(x.measure, x.system): x for x in paired(found, systems)}
    references = {x.measure: x.reference for x in by_place.values()}
    names = {x.measure: x.shown for x in by_place.values()}
    if not references:
        return None
    chosen = found.settings.pairs in found.systems
    rows = []
    for measure, reference in references.items():
        cells = [TableCell(names[measure])]
        for system in systems:
            x = by_place.get((measure, system))
            nothing = TableCell("best" if system == reference and not chosen else "–")
            cells.append(nothing if x is None else _against(x))
        rows.append(tuple(cells))
    columns = ("measure", *systems)
    what = found.settings.pairs if chosen else "the best"
    caption = f"{_title(found)}{legend(rows, what)}"
    return Grid(caption, columns, tuple(rows), tuple(range(1, len(columns)))).turned("system")


def _against(x: Paired) -> TableCell:
    row, sign = x.row, sign_of(near=not x.told)
    return TableCell(
        value_text(row["difference"]), row["difference"], row["low"], row["high"], row["reason"], sign=sign
    )
