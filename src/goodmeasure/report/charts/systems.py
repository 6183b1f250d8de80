"""Charts of several systems: their ranks under each measure, and how far measures agree on their order."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations

from goodmeasure.catalogue.display_names import display_names
from goodmeasure.catalogue.measure import LOWER, NEITHER
from goodmeasure.comparison.comparison import Comparison
from goodmeasure.comparison.system_ranks import mean_places
from goodmeasure.evaluation.result import Result
from goodmeasure.report.charts.palette import series
from goodmeasure.report.charts.scorecard import Spec, spec_of, tips
from goodmeasure.report.document import Chart
from goodmeasure.report.numbers import value_text

FEWEST, MOST = 2, 40
_NUMBERED = 16  # up to so many measures, every pair shows its number


@dataclass(frozen=True)
class Standing:
    """The values and ranks of systems under each measure and, where known, the winners."""

    systems: tuple[str, ...]
    values: Mapping[str, Mapping[str, float]]
    ranks: Mapping[str, Mapping[str, float]]
    winners: Mapping[str, Sequence[str]] = field(default_factory=dict)

    @classmethod
    def of_result(cls, result: Result) -> Standing:
        """Return the standing in an evaluation, which does not test whether differences are significant."""
        shown = display_names(result.settings.measures)
        known, order = values(result), ranks(result)
        return cls(result.systems, {shown[x]: known[x] for x in known}, {shown[x]: order[x] for x in order})

    @classmethod
    def of_comparison(cls, found: Comparison) -> Standing:
        """Return the standing in a comparison, with its winners."""
        names = display_names(found.settings.measures)
        known = {(names[row["measure"]], row["system"]): float(row["value"]) for row in found.scores}
        order = {
            names[measure]: {system: float(rank) for system, rank in row.items() if rank is not None}
            for measure, row in found.ranks.items()
        }
        order = {measure: row for measure, row in order.items() if row}
        shown = {measure: {system: known[measure, system] for system in row} for measure, row in order.items()}
        return cls(found.systems, shown, order, {names[x]: who for x, who in found.winners.items()})


def ranks_chart(given: Standing) -> Chart | None:
    """Return the chart of ranks: a line for each system through its ranks; the marks of winners are filled."""
    if not FEWEST <= len(given.systems) <= MOST or len(given.ranks) < 2:
        return None
    rows: list[Spec] = [_standing(given, measure, system) for measure, row in given.ranks.items() for system in row]
    x = {"field": "measure", "type": "nominal", "sort": None, "title": None,
         "axis": {"labelAngle": -40, "labelLimit": 200, "grid": False}}  # fmt: skip
    y = {"field": "drawn", "type": "quantitative", "title": "rank (1 is the best)",
         "scale": {"reverse": True, "domain": [0.5, len(given.systems) + 0.5], "nice": False},
         "axis": {"values": list(range(1, len(given.systems) + 1)), "format": "d", "grid": False}}  # fmt: skip
    colour = colours(given.systems)
    hover = tips(("system", "system"), ("measure", "measure"), ("place", "rank"), ("shown", "value"))
    mark = {"type": "point", "size": 130, "strokeWidth": 2, "opacity": 1}
    encoding = {"x": x, "y": y, "color": colour, "tooltip": hover, "description": {"field": "said"}}
    layer: list[Spec] = [
        {"mark": {"type": "line", "strokeWidth": 2.5, "opacity": 0.55, "interpolate": "monotone", "aria": False},
         "encoding": {"x": x, "y": y, "color": colour}},
    ]  # fmt: skip
    looks: dict[str, Spec] = {
        "datum.filled": {"filled": True},
        "!datum.filled": {"filled": False, "fill": "transparent"},
    }
    # a layer without marks would be announced to screen readers without a name
    there = {"datum.filled" if row["filled"] else "!datum.filled" for row in rows}
    layer += [
        {"mark": {**mark, **look}, "transform": [{"filter": test}], "encoding": encoding}
        for test, look in looks.items()
        if test in there
    ]
    step = 62 if len(given.ranks) <= _NUMBERED else 50
    spec = spec_of(rows, width={"step": step}, height=max(140, 30 * len(given.systems)), layer=layer)
    alt = f"The ranks of {len(given.systems)} systems under {len(given.ranks)} measures, a line for each system"
    filled_are = "; filled marks: no significant difference from the best" if given.winners else ""
    return Chart("ranks-of-systems", f"Ranks of the systems under each measure{filled_are}", alt + filled_are, spec)


def colours(systems: Sequence[str]) -> Spec:
    """Return the encoding of systems by colour, the same in every chart, with a legend above the chart."""
    legend = {"orient": "top", "labelLimit": 170, "symbolType": "circle", "symbolOpacity": 1,
              "symbolSize": 110}  # fmt: skip
    scale = {"domain": list(systems), "range": series(len(systems))}
    return {"field": "system", "type": "nominal", "sort": None, "title": None, "scale": scale, "legend": legend}


def drawn_rank(row: Mapping[str, float], system: str) -> float:
    """Return where the rank of a system is drawn; systems that share a rank are drawn slightly apart."""
    tied = [x for x in row if row[x] == row[system]]
    return row[system] + (0.6 * (tied.index(system) / (len(tied) - 1) - 0.5) if len(tied) > 1 else 0.0)


def _standing(given: Standing, measure: str, system: str) -> Spec:
    """Return the data of one point of the chart of ranks."""
    row = given.ranks[measure]
    rank, tied = row[system], [x for x in row if row[x] == row[system]]
    others = len(tied) - 1
    place = f"{rank:g}" + (f", shared with {others} other{'s' if others > 1 else ''}" if others else "")
    shown = value_text(given.values[measure][system])
    return {"measure": measure, "system": system, "rank": rank, "drawn": drawn_rank(row, system), "place": place,
            "shown": shown,
            "filled": not given.winners or system in given.winners.get(measure, ()),
            "said": f"{measure}, {system}: rank {place}, value {shown}"}  # fmt: skip


def orders_chart(given: Standing) -> Chart | None:
    """Return the heat map of how many pairs of systems each two measures put in the same order."""
    if len(given.systems) < 3 or len(given.ranks) < 2:
        return None
    names = list(given.ranks)
    known = {(one, two): agreement(given.ranks[one], given.ranks[two]) for one in names for two in names}
    alt = f"How many pairs of systems each two of {len(names)} measures put in the same order"
    spec = _pairs(names, known, "same order", ".0%", [0, 1], "blues", 0.72)
    return Chart("agreement-of-measures", "Agreement of the measures on the order of systems", alt, spec)


def ranking_names(found: Comparison) -> list[str]:
    """Return the measures that put the systems in an order, which equal or infinite values do not."""
    both = [(row["measure"], row["other"]) for row in found.agreement if not math.isnan(row["kendall"])]
    ordered = {x for pair in both for x in pair}
    return [x for x in found.measures if x in ordered]


def correlations_chart(found: Comparison) -> Chart | None:
    """Return the heat map of Kendall's τ between the rankings by each two measures."""
    if len(found.systems) < FEWEST or not found.agreement:
        return None
    shown = display_names(found.settings.measures)
    names = [shown[x] for x in ranking_names(found)]
    if not names:
        return None
    known = {(shown[row["measure"]], shown[row["other"]]): row["kendall"] for row in found.agreement}
    known |= {(other, one): x for (one, other), x in known.items()} | {(name, name): 1.0 for name in names}
    spec = _pairs(names, known, "Kendall's τ", ".2f", [-1, 1], "redblue", 0.65)
    alt = f"Kendall's τ of the orders of {len(found.systems)} systems that each two of {len(names)} measures give"
    return Chart("agreement-of-measures", "Agreement of the measures on the order of systems", alt, spec)


def _pairs(
    names: list[str], known: Mapping[tuple[str, str], float], what: str, format: str, ends: list[int], scheme: str,
    dark: float,
) -> Spec:  # fmt: skip
    """Return a heat map with a number for each pair of measures."""
    rows: list[Spec] = [
        {"one": one, "two": two, "share": known[one, two]}
        for one in names
        for two in names
        if not math.isnan(known[one, two])
    ]
    axis = {"labelLimit": 160, "grid": False, "domain": False, "ticks": False}
    hover = tips(("one", "measure"), ("two", "and"), ("share", what))
    hover[-1]["format"] = format
    encoding = {
        "x": {"field": "one", "type": "nominal", "sort": None, "title": None, "axis": {**axis, "labelAngle": -45}},
        "y": {"field": "two", "type": "nominal", "sort": None, "title": None, "axis": axis},
        "tooltip": hover,
    }
    colour = {"field": "share", "type": "quantitative", "title": what, "scale": {"scheme": scheme, "domain": ends},
              "legend": {"format": format, "orient": "right", "gradientLength": 140}}  # fmt: skip
    ink = {"condition": {"test": f"abs(datum.share) > {dark}", "value": "white"}, "value": "#111"}
    text = {"text": {"field": "share", "format": format}, "color": ink}
    layer: list[Spec] = [{"mark": {"type": "rect", "stroke": "#8884", "strokeWidth": 0.5},
                          "encoding": {"color": colour}}]  # fmt: skip
    numbered = len(names) <= _NUMBERED
    if numbered:
        layer.append({"mark": {"type": "text", "fontSize": 11, "aria": False}, "encoding": text})
    step = ({"step": 44}, {"step": 28}) if numbered else ({"step": 22}, {"step": 22})
    return spec_of(rows, width=step[0], height=step[1], encoding=encoding, layer=layer)


def values(result: Result) -> dict[str, dict[str, float]]:
    """Return each system's value on all items, by measure, where it is defined and the measure has an orientation."""
    parts = [part for part in result.parts if part.slice is None]
    found = {}
    for f in result.settings.measures:
        known = {part.system: part.value(f.name) for part in parts}
        if f.orientation != NEITHER:
            found[f.name] = {name: x for name, x in known.items() if x is not None and not math.isnan(x)}
    return found


def ranks(result: Result) -> dict[str, dict[str, float]]:
    """Return each system's rank, by measure: 1 is the best, and equal values share the mean of their ranks."""
    lower = {f.name for f in result.settings.measures if f.orientation == LOWER}
    return {name: _ranked(row, higher=name not in lower) for name, row in values(result).items()}


def _ranked(scores: dict[str, float], *, higher: bool) -> dict[str, float]:
    return dict(zip(scores, mean_places(list(scores.values()), higher=higher).tolist(), strict=True))


def agreement(one: Mapping[str, float], two: Mapping[str, float]) -> float:
    """Return the share of pairs of systems that two measures order alike; a tie agrees only with a tie."""
    pairs = list(combinations([name for name in one if name in two], 2))
    same = sum(_sign(one[a] - one[b]) == _sign(two[a] - two[b]) for a, b in pairs)
    return same / len(pairs) if pairs else math.nan


def _sign(x: float) -> int:
    return (x > 0) - (x < 0)
