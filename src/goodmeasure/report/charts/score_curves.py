"""Charts of scores: ROC, precision over recall, cumulative gain, decision curve and reliability diagram."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

import numpy as np

from goodmeasure.catalogue.display_names import display_of
from goodmeasure.catalogue.names import score_measure
from goodmeasure.counts.scores.scored import Scored
from goodmeasure.evaluation.scores.curves import (
    GAIN,
    PRECISION_RECALL,
    ROC,
    OperatingPoint,
    ScoreCurve,
    curve_of,
    operating_points,
)
from goodmeasure.evaluation.scores.reliability import Reliability, reliability_of
from goodmeasure.evaluation.thresholds.decisions import DecisionCurve, decision_curve
from goodmeasure.evaluation.thresholds.thinning import thinned
from goodmeasure.report.charts.scorecard import Spec, short, spec_of
from goodmeasure.report.charts.systems import MOST, colours
from goodmeasure.report.document import Chart
from goodmeasure.report.numbers import interval_text, label_text, level_text, share_text, value_text
from goodmeasure.typing import Array

DECISION, RELIABILITY = "decision_curve", "reliability"
_NEEDS = "it needs scores, items of both classes, and at most twelve classes"
NEEDS = {  # the charts by name, and why there may be nothing to draw
    ROC: _NEEDS,
    PRECISION_RECALL: _NEEDS,
    RELIABILITY: "it needs scores that are probabilities",
    GAIN: _NEEDS,
    DECISION: "it needs probabilities of two classes, with items of both",
}
NAMES = tuple(NEEDS)
_SIZE, _SMALL = 300, 210  # the size of a panel in pixels, if it is the only one and if there are several
POINTS = 300  # points of a curve: longer curves are thinned
_BANDS = 3  # systems with a band each; more would cover each other
_MOST_CLASSES = 12  # with a panel each
BAR = 0.16  # height of the tallest bar of the histogram below a reliability diagram
_TOLD = 50  # points of a curve that have tooltips
_AREAS = {ROC: "roc_auc", PRECISION_RECALL: "average_precision"}  # the measure that is the area under a curve
_SHAPES = ["circle", "diamond", "triangle-up"]


class Words(NamedTuple):
    """The title of a chart, its axes, the name of its reference line, and the values that its points have."""

    title: str
    x: str
    y: str
    reference: str
    point: tuple[str, str] = ("", "")


WORDS = {
    ROC: Words("ROC curve", "false positive rate", "true positive rate (recall)", "random guessing",
               ("fallout", "recall")),
    PRECISION_RECALL: Words("Precision over recall", "recall", "precision", "random guessing",
                            ("recall", "precision")),
    GAIN: Words("Cumulative gain", "share of the items, highest scores first", "share of the positive items found",
                "random order", ("predicted_prevalence", "recall")),
    DECISION: Words("Decision curve", "threshold probability", "net benefit", "acting on every item"),
    RELIABILITY: Words("Reliability diagram", "predicted probability", "observed share", "perfect calibration"),
}  # fmt: skip


@dataclass(frozen=True, eq=False)
class DrawnScores:
    """The scores of systems to be drawn, and what is drawn of them: each is computed once."""

    systems: Mapping[str, Scored]
    confidence: float | None = 0.95
    seed: int = 0
    threshold: float | None = None
    _curves: dict[str, dict[tuple[str, int], ScoreCurve]] = field(default_factory=dict)

    @cached_property
    def first(self) -> Scored:
        """Return the scores of the first system."""
        return next(iter(self.systems.values()))

    @property
    def classes(self) -> list[int]:
        """Return the numbers of the classes that are drawn against the rest: of two, the positive one."""
        return [1] if self.first.m == 2 else list(range(self.first.m))

    @property
    def has_bands(self) -> bool:
        """Return whether bands are drawn: not where they would cover each other."""
        return self.confidence is not None and len(self.systems) <= _BANDS and len(self.classes) == 1

    def curves(self, kind: str) -> dict[tuple[str, int], ScoreCurve]:
        """Return the curves by system and class; those of classes without items are left out."""
        if kind not in self._curves:
            level = self.confidence if self.has_bands else None
            made = {(name, k): curve_of(data.of_class(k), kind, level, self.seed)
                    for name, data in self.systems.items() for k in self.classes}  # fmt: skip
            self._curves[kind] = {key: curve for key, curve in made.items() if curve is not None}
        return self._curves[kind]

    @cached_property
    def points(self) -> dict[str, list[OperatingPoint]]:
        """The operating points of each system; none with more than two classes."""
        two = {name: data for name, data in self.systems.items() if data.m == 2 and data.sizes.all()}
        return {name: operating_points(data, self.threshold) for name, data in two.items()}

    @cached_property
    def decisions(self) -> dict[str, DecisionCurve]:
        """The decision curve of each system whose scores are probabilities of two classes."""
        return {
            name: decision_curve(x, None, self.confidence)
            for name, x in self.systems.items()
            if x.m == 2 and x.are_probabilities and x.sizes.all()
        }

    @cached_property
    def reliabilities(self) -> dict[str, Reliability]:
        """The reliability diagram of each system whose scores are probabilities."""
        level = 0.95 if self.confidence is None else self.confidence
        return {name: reliability_of(x, confidence=level) for name, x in self.systems.items() if x.are_probabilities}


def score_chart(given: DrawnScores, name: str) -> Chart | None:
    """Return one of the charts by name; None where there is nothing to draw."""
    if len(given.systems) > MOST:
        return None
    if name == RELIABILITY:
        return _reliability_chart(given)
    return _decision_chart(given) if name == DECISION else _curves_chart(given, name)


# ROC, precision over recall, gain


def _curves_chart(given: DrawnScores, kind: str) -> Chart | None:
    curves, words = given.curves(kind), WORDS[kind]
    if not curves or len(given.classes) > _MOST_CLASSES:
        return None
    panels = {k: _panel(given, k) for k in given.classes}
    rows: list[Spec] = []
    for (system, k), curve in curves.items():
        rows += _curve_rows(curve, panels[k], system)
    for k in given.classes:
        rows.append({"kind": "reference", "panel": panels[k], "x": [0, 1], "y": _by_chance(given, kind, k)})
    rows += _point_rows(given, words, panels[given.classes[-1]])
    title = f"{words.title}{_against(given)}{_what_bands_are(given, rows)}{_areas(given, kind)}"
    alt = f"{words.title} of {_who(given)}{_against(given)}: {words.y} over {words.x}{_areas(given, kind)}"
    spec = _spec(rows, given, words, (0, 1), (0, 1), panels=list(panels.values()), steps=kind == PRECISION_RECALL)
    return Chart(kind.replace("_", "-"), title, alt, spec)


def _panel(given: DrawnScores, k: int) -> str:
    return "" if len(given.classes) == 1 else label_text(given.first.labels[k])


def _against(given: DrawnScores) -> str:
    return "" if len(given.classes) == 1 else ", each class against the rest"


def _who(given: DrawnScores) -> str:
    return next(iter(given.systems)) if len(given.systems) == 1 else f"{len(given.systems)} systems"


def _areas(given: DrawnScores, kind: str) -> str:
    """Return the area under the curve of each system, which a reader looks for beside the curve."""
    if kind not in _AREAS or len(given.classes) > 1 or len(given.systems) > _BANDS:
        return ""
    name = _AREAS[kind]
    values = {system: score_measure(name).of(data)[0] for system, data in given.systems.items()}
    known = [(system, value) for system, value in values.items() if not math.isnan(value)]
    if not known:
        return ""
    shown = [value_text(value) if len(values) == 1 else f"{system} {value_text(value)}" for system, value in known]
    return f"; {display_of(name)}: {', '.join(shown)}"


def _what_bands_are(given: DrawnScores, rows: Iterable[Spec]) -> str:
    if given.confidence is None or not any(row["kind"] == "band" for row in rows):
        return ""
    return f", with pointwise {level_text(given.confidence)} confidence bands"


def _by_chance(given: DrawnScores, kind: str, k: int) -> list[float]:
    """Return the height of the line for an uninformative classifier at both ends of the axis."""
    if kind != PRECISION_RECALL:
        return [0, 1]
    share = short(float(given.first.sizes[k] / given.first.total))
    return [share, share]


def _curve_rows(curve: ScoreCurve, panel: str, system: str) -> list[Spec]:
    """Return the data of a curve, of its band, and of the points that have tooltips."""
    at = thinned(curve.x, curve.y, points=POINTS)
    same = {"panel": panel, "system": system}
    rows: list[Spec] = [{"kind": "curve", **same, "x": _rounded(curve.x[at]), "y": _rounded(curve.y[at])}]
    told = at[np.unique(np.linspace(0, len(at) - 1, _TOLD).round().astype(int))]
    told = told[np.isfinite(curve.thresholds[told])]
    if len(told):
        thresholds = [short(float(x)) for x in curve.thresholds[told]]
        rows.append({"kind": "tips", **same, "x": _rounded(curve.x[told]), "y": _rounded(curve.y[told]),
                     "threshold": thresholds})  # fmt: skip
    if curve.band is not None:
        band = curve.band
        rows.append({"kind": "band", **same, "x": _rounded(band.x), "y": _rounded(band.low),
                     "high": _rounded(band.high)})  # fmt: skip
    return rows


def _point_rows(given: DrawnScores, words: Words, panel: str) -> list[Spec]:
    """Return the data of the operating points."""
    rows = []
    for system, points in given.points.items():
        for point in points:
            x, y = (point.values[name] for name in words.point)
            if math.isfinite(x) and math.isfinite(y):
                said = f"{system}, {point.why}: {words.x} {value_text(x)}, {words.y} {value_text(y)}"
                rows.append({"kind": "point", "panel": panel, "system": system, "x": [short(x)], "y": [short(y)],
                             "point": point.why, "at": threshold_text(point.threshold), "said": said})  # fmt: skip
    return rows


def threshold_text(x: float) -> str:
    """Return a threshold in words."""
    return f"{x:.4g}".replace("-", "−") if math.isfinite(x) else "above all scores"


# Decision curves


def _decision_chart(given: DrawnScores) -> Chart | None:
    curves, words = given.decisions, WORDS[DECISION]
    if not curves:
        return None
    rows: list[Spec] = []
    for system, curve in curves.items():
        same = {"panel": "", "system": system, "x": _rounded(curve.thresholds)}
        rows += [{"kind": "curve", **same, "y": _rounded(curve.benefit)}]
        rows += [{"kind": "tips", **same, "y": _rounded(curve.benefit)}]
        if curve.low is not None and curve.high is not None and given.has_bands:
            rows.append({"kind": "band", **same, "y": _rounded(curve.low), "high": _rounded(curve.high)})
    first = next(iter(curves.values()))
    rows.append({"kind": "reference", "panel": "", "x": _rounded(first.thresholds), "y": _rounded(first.all)})
    rows.append({"kind": "zero", "panel": "", "x": [0, 1], "y": [0, 0]})
    top = max(float(x.benefit.max()) for x in curves.values())
    top = max([top, *(float(x.high.max()) for x in curves.values() if x.high is not None), 1e-6])
    title = f"{words.title}{_what_bands_are(given, rows)}; dashed: acting on every item, and on none"
    alt = f"{words.title} of {_who(given)}: {words.y} over {words.x}, with that of acting on every item and on none"
    spec = _spec(rows, given, words, (0, 1), (short(-0.25 * top), short(1.05 * top)), panels=[""])
    return Chart("decision-curve", title, alt, spec)


# Reliability diagrams


def _reliability_chart(given: DrawnScores) -> Chart | None:
    found, words = given.reliabilities, WORDS[RELIABILITY]
    if not found:
        return None
    rows: list[Spec] = []
    for system, bins in found.items():
        panel = system if len(given.systems) > 1 else ""
        rows.append({"kind": "reference", "panel": panel, "x": [0, 1], "y": [0, 1]})
        rows += _bin_rows(bins, panel, system)
    what = "of the predicted class" if given.first.m > 2 else "of the positive class"
    level = level_text(0.95 if given.confidence is None else given.confidence)
    title = f"{words.title} {what}, with {level} confidence intervals; bars: how many items each bin has"
    alt = f"{words.title} of {_who(given)}: {words.y} over {words.x} in bins, with intervals and a histogram"
    panels = [name if len(given.systems) > 1 else "" for name in found]
    spec = _spec(rows, given, words, (0, 1), (0, 1), panels=panels, own_panels=True)
    return Chart(RELIABILITY, title, alt, spec)


def _bin_rows(bins: Reliability, panel: str, system: str) -> list[Spec]:
    rows: list[Spec] = [{"kind": "curve", "panel": panel, "system": system, "x": _rounded(bins.predicted),
                         "y": _rounded(bins.observed)}]  # fmt: skip
    most = float(bins.weight.max())
    for k in range(len(bins.items)):
        shown = {
            "bin": f"{value_text(float(bins.left[k]))} to {value_text(float(bins.right[k]))}",
            "items": int(bins.items[k]), "share": share_text(float(bins.weight[k] / bins.weight.sum())),
            "interval": interval_text(float(bins.low[k]), float(bins.high[k])),
        }  # fmt: skip
        x, y = short(float(bins.predicted[k])), short(float(bins.observed[k]))
        said = f"{system}, predicted {value_text(x)}: observed {value_text(y)}, {shown['interval']}, {shown['items']:,}"
        same = {"panel": panel, "system": system, **shown}
        rows.append({"kind": "bin", **same, "x": [x], "y": [y], "low": short(float(bins.low[k])),
                     "high": [short(float(bins.high[k]))], "said": f"{said} items"})  # fmt: skip
        rows.append({"kind": "bar", **same, "x": [short(float(bins.left[k]))], "x2": short(float(bins.right[k])),
                     "y": [short(BAR * float(bins.weight[k]) / most)]})  # fmt: skip
    return rows


# The specification that all of them share


def _spec(
    rows: list[Spec], given: DrawnScores, words: Words, across: tuple[float, float], up: tuple[float, float], *,
    panels: Sequence[str], steps: bool = False, own_panels: bool = False,
) -> Spec:  # fmt: skip
    """Return the layers that have something to draw, in one panel or in several."""
    several = len(set(panels)) > 1
    size = _SMALL if several else _SIZE
    axes = _Axes(words, across, up, given)
    colour = {**colours(list(given.systems)), **({"legend": None} if len(given.systems) == 1 or own_panels else {})}
    made: dict[str, Callable[[], list[Spec]]] = {
        "bar": lambda: axes.bars(colour),
        "band": lambda: axes.bands(colour, steps),
        "zero": lambda: axes.references("zero"),
        "reference": lambda: axes.references("reference"),
        "curve": lambda: axes.lines(colour, steps),
        "bin": lambda: axes.bins(colour),
        "tips": lambda: axes.tips(),
        "point": lambda: axes.points(colour),
    }
    kinds = {row["kind"] for row in rows}
    layer = [part for kind, make in made.items() if kind in kinds for part in make()]
    listed = [x for x in ("x", "y", "high", "threshold") if any(x in row for row in rows)]
    rows = [{**{name: [] for name in listed}, **row} for row in rows]  # flattening needs a list in every row
    flat = [{"flatten": listed}]
    if not several:
        return spec_of(rows, transform=flat, width=size, height=size, layer=layer)
    facet = {"field": "panel", "type": "nominal", "sort": list(panels), "title": None, "header": {"labelLimit": 220}}
    panel = {"width": size, "height": size, "layer": layer}
    resolve = {"axis": {"x": "independent", "y": "independent"}}
    return spec_of(rows, transform=flat, facet=facet, columns=3, spacing=24, spec=panel, resolve=resolve)


@dataclass(frozen=True)
class _Axes:
    """The axes of a chart, and its layers on them."""

    words: Words
    across: tuple[float, float]
    up: tuple[float, float]
    given: DrawnScores

    def on(self, kind: str, mark: Spec, more: Spec, x: str = "x", y: str = "y") -> Spec:
        """Return a layer that draws the rows of one kind."""
        encoding = {
            "x": {"field": x, "type": "quantitative", "title": self.words.x, "axis": {"tickCount": 5},
                  "scale": {"domain": list(self.across), "nice": False}},
            "y": {"field": y, "type": "quantitative", "title": self.words.y, "axis": {"tickCount": 5},
                  "scale": {"domain": list(self.up), "nice": False}},
        }  # fmt: skip
        return {"mark": mark, "transform": [{"filter": f"datum.kind == '{kind}'"}], "encoding": {**encoding, **more}}

    def lines(self, colour: Spec, steps: bool) -> list[Spec]:
        shape = {"interpolate": "step-before"} if steps else {}
        return [self.on("curve", {"type": "line", "strokeWidth": 2, "clip": True, "aria": False, **shape},
                        {"color": colour})]  # fmt: skip

    def bands(self, colour: Spec, steps: bool) -> list[Spec]:
        shape = {"interpolate": "step-before"} if steps else {}
        mark = {"type": "area", "opacity": 0.17, "clip": True, "line": False, "aria": False, **shape}
        return [self.on("band", mark, {"y2": {"field": "high"}, "color": colour})]

    def references(self, kind: str) -> list[Spec]:
        mark = {"type": "line", "strokeDash": [4, 4], "strokeWidth": 1, "color": "#888", "clip": True, "aria": False}
        return [self.on(kind, mark, {})]

    def tips(self) -> list[Spec]:
        mark = {"type": "point", "filled": True, "size": 90, "opacity": 0, "clip": True, "aria": False}
        return [self.on("tips", mark, {"tooltip": self._hover("threshold")})]

    def points(self, colour: Spec) -> list[Spec]:
        names = list(dict.fromkeys(x.why for points in self.given.points.values() for x in points))
        legend = {"orient": "bottom", "labelLimit": 170, "symbolFillColor": "currentColor", "symbolStrokeColor":
                  "currentColor", "symbolSize": 70, "symbolOpacity": 1}  # fmt: skip
        shapes = {"domain": names, "range": _SHAPES[-len(names) :]}  # the circle is the threshold in use
        shape = {"field": "point", "type": "nominal", "title": None, "sort": names, "legend": legend, "scale": shapes}
        mark = {"type": "point", "filled": True, "size": 80, "opacity": 1, "stroke": "currentColor", "strokeWidth": 1}
        more = {"color": colour, "shape": shape, "tooltip": self._hover("point", "at")}
        return [self.on("point", mark, {**more, "description": {"field": "said"}})]

    def bins(self, colour: Spec) -> list[Spec]:
        hover = self._hover("interval", "items", "share", "bin")
        rule = {"type": "rule", "strokeWidth": 2, "aria": False}
        point = {"type": "point", "filled": True, "size": 60, "opacity": 1}
        return [
            self.on("bin", rule, {"y2": {"field": "high"}, "color": colour, "tooltip": hover}, y="low"),
            self.on("bin", point, {"color": colour, "tooltip": hover, "description": {"field": "said"}}),
        ]

    def bars(self, colour: Spec) -> list[Spec]:
        mark = {"type": "bar", "opacity": 0.35, "aria": False}
        more = {"x2": {"field": "x2"}, "y2": {"datum": 0}, "color": colour}
        tips = [{"field": name, "type": "nominal"} for name in ("bin", "items", "share")]
        return [self.on("bar", mark, {**more, "tooltip": tips})]

    def _hover(self, *more: str) -> list[Spec]:
        """Return the entries of a tooltip: the system, both axes, and some fields."""
        named = [{"field": "system", "type": "nominal"}] if len(self.given.systems) > 1 else []
        axes = [{"field": name, "type": "quantitative", "title": title, "format": ".3f"}
                for name, title in (("x", self.words.x), ("y", self.words.y))]  # fmt: skip
        titles = {"at": "threshold"}
        return [*named, *axes, *({"field": x, "type": "nominal", "title": titles.get(x, x)} for x in more)]


def _rounded(values: Array) -> list[float]:
    """Return the values to four decimals, which is finer than a chart can show."""
    return [round(float(x), 4) for x in values]
