"""Measures of scores that are built from measures of confusion matrices: areas, values under conditions, best values.

Every threshold makes a confusion matrix, from the one where nothing is predicted positive (a threshold above all
scores) to the one where everything is. A measure of `c` has a value on each, and what is built here is a number from
these values. So every measure, including a user's own, has a curve and an area.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from goodmeasure.catalogue import derivative, running
from goodmeasure.catalogue.definitions import rates
from goodmeasure.catalogue.display_names import title_inside
from goodmeasure.catalogue.family import literal, number
from goodmeasure.catalogue.measure import LOWER, NEITHER, Description, Measure, MeasureLike, as_measure
from goodmeasure.catalogue.scores.definition import (
    DegenerateScores,
    ScoreDefinition,
    check_both_classes,
    check_ranked,
    weights_of,
)
from goodmeasure.catalogue.scores.measure import ScoreMeasure
from goodmeasure.counts.scores.by_threshold import ThresholdCounts
from goodmeasure.counts.scores.scored import Scored
from goodmeasure.exceptions import InputError
from goodmeasure.language.policy import RESOLVE
from goodmeasure.typing import Array

_SLACK = 1e-12  # differences of values that may come from rounding
LINE, STEP, ENVELOPE = BETWEEN = ("line", "step", "envelope")


class ThresholdMatrices:
    """Confusion matrices (2, 2, points, batch) from the threshold above all scores down, and measures of them.

    The batch holds resamples, or a single data set.
    """

    def __init__(self, cells: Array, *, whole: bool) -> None:
        self.cells, self.whole = cells, whole
        self._known: dict[Measure, Array] = {}

    @classmethod
    def of(cls, counts: ThresholdCounts) -> ThresholdMatrices:
        """Return the points of one data set."""
        cells = counts.cells
        nothing = np.zeros((2, 2, 1))
        nothing[:, 0, 0] = cells[:, :, -1].sum(axis=1)
        return cls(np.concatenate([nothing, cells], axis=2)[..., None], whole=counts.whole)

    def values(self, f: Measure) -> Array:
        """Return the values (points, batch) of a measure; NaN where it is undefined."""
        if f not in self._known:
            self._known[f] = self._on(f, self.cells, whole=self.whole)
        return self._known[f]

    def mixed(self, f: Measure, place: Array, share: Array) -> Array:
        """Return the values (batch) on a mixture of two neighbouring points: `share` of the second one.

        That is what a classifier gets that chooses between the two thresholds at random.
        """
        b = np.arange(self.cells.shape[3])
        here, there = self.cells[:, :, place, b], self.cells[:, :, np.minimum(place + 1, self.cells.shape[2] - 1), b]
        mixture = np.where(share == 0, here, (1 - share) * here + share * there)
        return np.asarray(self._on(f, mixture[:, :, None, :], whole=False)[0])

    def _on(self, f: Measure, cells: Array, *, whole: bool) -> Array:
        batch = running.MatrixBatch.laid_out(np.ascontiguousarray(cells.reshape(2, 2, -1)), whole=whole)
        found: Array = f.within_range(np.asarray(batch.value(f.recorded, RESOLVE), dtype=float))
        return np.asarray(np.reshape(found, cells.shape[2:]))


class OverThresholds(ScoreDefinition):
    """A number from the values of measures at all thresholds."""

    def reduced(self, points: ThresholdMatrices) -> Array:
        """Return the value of each data set of a batch; NaN where there is none."""
        raise NotImplementedError

    def missing(self) -> str:
        """Return why there may be no value, although both classes have items."""
        return "a measure is undefined at a threshold"

    def value(self, data: Scored) -> float:
        check_both_classes(data)
        found = self.found(data)
        if np.isnan(found):
            raise DegenerateScores(self.missing())
        return check_ranked(data, found)

    def found(self, data: Scored) -> float:
        """Return the value of data with both classes; NaN where there is none."""
        return float(self.reduced(ThresholdMatrices.of(data.ranking.counts))[0])

    def slopes(self, data: Scored) -> Array | None:
        """Return the derivatives (2, scores) with respect to the weight of an item, by its class and score.

        Scores rise. None where the value has no derivative that is known.
        """
        return None

    def influences(self, data: Scored) -> Array | None:
        slopes = self.slopes(data) if data.sizes.all() else None  # with one class there is no value
        if slopes is None or not np.isfinite(slopes).all():
            return None
        found: Array = weights_of(data) * slopes[data.true.astype(np.int64), data.ranking.places(data.scores)]
        return found

    def variance(self, data: Scored) -> float | None:
        slopes = self.slopes(data) if data.sizes.all() else None  # with one class there is no value
        if slopes is None or not np.isfinite(slopes).all():
            return None
        ranking = data.ranking
        sizes = [max(x, 1) for x in (ranking.items - ranking.positives, ranking.positives)]
        # DeLong's variance divides by n − 1 within each class.
        return sum(
            size / max(size - 1, 1) * float((square * slope**2).sum())
            for size, square, slope in zip(sizes, ranking.squares, slopes, strict=True)
        )


# Areas


class Area(OverThresholds):
    """The area under one measure over another."""

    def __init__(self, y: Measure, over: Measure, between: str, low: float | None, high: float | None) -> None:
        self.y, self.over, self.between, self.low, self.high = y, over, between, low, high
        is_whole = low is None and high is None and not y.is_users_own() and not over.is_users_own()
        self.shortcut = _SHORTCUTS.get((y, over, between)) if is_whole else None

    @property
    def is_roc(self) -> bool:
        """Whether this is the whole area under the ROC curve."""
        return self.shortcut is _ROC

    @property
    def formula(self) -> str:  # type: ignore[override]
        """The area as an integral or, for steps, as a sum over the thresholds."""
        if self.between == LINE:
            ends = "" if self.low is None and self.high is None else f"_{{{self.low or 0:g}}}^{{{_end(self.high)}}}"
            return rf"\int{ends} {self.y.formula} \, \mathrm{{d}}\left({self.over.formula}\right)"
        level = "y_{k}" if self.between == STEP else r"\max_{j \ge k} y_{j}"
        return (
            rf"\sum_{{k}} \left(x_{{k}} - x_{{k-1}}\right) {level} \quad "
            rf"\text{{with }} y = {self.y.formula}, \, x = {self.over.formula}"
        )

    def found(self, data: Scored) -> float:
        return super().found(data) if self.shortcut is None else self.shortcut.area(data)

    def reduced(self, points: ThresholdMatrices) -> Array:
        y, x = self._levels(points.values(self.y)), points.values(self.over)
        check_axis(x, self.over)
        if self.low is not None or self.high is not None:
            return np.array([self._limited(y[:, b], x[:, b]) for b in range(x.shape[1])])
        steps = np.diff(x, axis=0)
        levels = (y[1:] + y[:-1]) / 2 if self.between == LINE else y[1:]
        levels = np.where(steps == 0, 0.0, levels)
        found: Array = np.abs((steps * levels).sum(axis=0))
        return found

    def _levels(self, y: Array) -> Array:
        """Return the values, with the first and the last defined one extended over undefined values at the two ends.

        Precision is undefined where nothing is predicted positive: it keeps the value of the first threshold.
        """
        if np.isnan(y).any():
            y = np.array(y)
            for column in y.T:
                known = np.flatnonzero(~np.isnan(column))
                if len(known):
                    column[: known[0]], column[known[-1] :] = column[known[0]], column[known[-1]]
        return np.maximum.accumulate(y[::-1], axis=0)[::-1] if self.between == ENVELOPE else y

    def _limited(self, y: Array, x: Array) -> float:
        """Return the area between two ends of the axis, with straight lines between points."""
        if np.isnan(x).any() or np.isnan(y).any():
            return np.nan
        low, high = (self.low or 0.0), (1.0 if self.high is None else self.high)
        if self.between != LINE:
            return abs(float((np.diff(np.clip(x, low, high)) * y[1:]).sum()))
        if x[0] > x[-1]:
            x, y = x[::-1], y[::-1]
        inside = (x > low) & (x < high)
        ends = np.concatenate([[low], x[inside], [high]])
        levels = np.concatenate([[_at(low, x, y, last=True)], y[inside], [_at(high, x, y, last=False)]])
        return float((np.diff(ends) * (levels[1:] + levels[:-1]) / 2).sum())

    def missing(self) -> str:
        return f"{title_inside(self.y)} or {title_inside(self.over)} is undefined at a threshold"

    def variance(self, data: Scored) -> float | None:
        found = None if self.shortcut is None or not data.sizes.all() else self.shortcut.variance(data)
        return super().variance(data) if found is None else found

    def slopes(self, data: Scored) -> Array | None:
        if self.shortcut is not None:
            return self.shortcut.slopes(data)
        if self.low is not None or self.high is not None or self.between == ENVELOPE:
            return None
        points = ThresholdMatrices.of(data.ranking.counts)
        y, x = self._levels(points.values(self.y))[:, 0], points.values(self.over)[:, 0]
        by_y, by_x = _area_slopes(y, x, self.between)
        total = np.zeros(points.cells.shape[:3])
        for f, by in ((self.y, by_y), (self.over, by_x)):
            at = by != 0
            try:
                found = derivative.on_batch(f.recorded, points.cells[:, :, at, 0], RESOLVE, whole=points.whole)
            except (TypeError, ValueError, NotImplementedError):
                return None  # a user's function need not have a derivative
            total[:, :, at] += by[at] * found
        if not np.isfinite(total).all():
            return None
        sign = -1.0 if x[-1] < x[0] else 1.0
        return sign * _by_item(total)


def _end(x: float | None) -> str:
    return "1" if x is None else f"{x:g}"


def check_axis(x: Array, f: Measure) -> None:
    """Refuse an axis whose values are not monotone along the thresholds."""
    steps = np.diff(x, axis=0)
    if not (steps < -_SLACK).any() or not (steps > _SLACK).any():  # NaN is neither
        return
    raise InputError(
        "{over} is {name}, which does not move in one direction along the thresholds",
        name=f.name,
        advice="an area needs an axis such as recall, fallout or predicted_prevalence",
    )


def _at(end: float, x: Array, y: Array, *, last: bool) -> float:
    """Return the height of a polyline at x = `end`; if several points lie there, that of the last or the first."""
    here = np.flatnonzero(x == end)
    if len(here):
        return float(y[here[-1 if last else 0]])
    return float(np.interp(end, x, y))


def _area_slopes(y: Array, x: Array, between: str) -> tuple[Array, Array]:
    """Return the derivatives of an area with respect to the values on both axes at each point."""
    by_y, by_x, steps = np.zeros(len(y)), np.zeros(len(x)), np.diff(x)
    if between == LINE:
        by_y[1:] += steps / 2
        by_y[:-1] += steps / 2
        levels = (y[1:] + y[:-1]) / 2
    else:
        by_y[1:], levels = steps, y[1:]
    by_x[1:] += levels
    by_x[:-1] -= levels
    return by_y, by_x


def _by_item(total: Array) -> Array:
    """Return the derivatives (2, scores) with respect to items, from those with respect to the cells of each point.

    An item is predicted positive at its own threshold and all lower ones, and negative at the others. Points come from
    the highest threshold down, and scores are returned from the lowest up.
    """
    rejected, accepted = total[:, 0], total[:, 1]
    before = np.cumsum(rejected, axis=1)[:, :-1]
    behind = np.cumsum(accepted[:, ::-1], axis=1)[:, ::-1][:, 1:]
    found: Array = (before + behind)[:, ::-1]
    return found


class Shortcut(NamedTuple):
    """A faster way to an area, and to its derivatives by class and score."""

    area: Callable[[Scored], float]
    slopes: Callable[[Scored], Array]
    variance: Callable[[Scored], float | None] = lambda data: None


def _roc_slopes(data: Scored) -> Array:
    """Return the derivatives of the area under the ROC curve: DeLong's placements, less the area."""
    ranking = data.ranking
    (negative, positive), area = ranking.totals, ranking.pairs_in_order()
    lower_negative, higher_positive = ranking.below[0], ranking.from_here[1]
    of_positive = (lower_negative + ranking.weight[0] / 2) / negative
    of_negative = (higher_positive - ranking.weight[1] / 2) / positive
    return np.stack([(of_negative - area) / negative, (of_positive - area) / positive])


def _precision_slopes(data: Scored) -> Array:
    """Return the derivatives of the average precision.

    An item moves the precision at every positive item with the same or a lower score; a positive one adds its own.
    """
    ranking = data.ranking
    accepted = ranking.from_here.sum(axis=0)
    precision, positive = ranking.from_here[1] / accepted, ranking.weight[1]
    raised = np.cumsum(positive * (1 - precision) / accepted)
    lowered = np.cumsum(positive * precision / accepted)
    area = float((positive * precision).sum()) / ranking.totals[1]
    found: Array = np.stack([-lowered, precision - area + raised]) / ranking.totals[1]
    return found


_ROC = Shortcut(lambda data: data.ranking.pairs_in_order(), _roc_slopes, lambda data: data.ranking.variance_of_pairs())
_SHORTCUTS = {
    (rates.recall, rates.fallout, LINE): _ROC,
    (rates.precision, rates.recall, STEP): Shortcut(
        lambda data: data.ranking.precision_at_positives(), _precision_slopes
    ),
}


def upper_hull(x: Array, y: Array) -> Array:
    """Return the places of the corners of the upper convex hull; x and y rise, and x may stand still.

    A point on or below the line between its neighbours is no corner, whatever other points are removed: all such points
    go at once, until none is left. Each round removes about half of a jagged curve.

    >>> upper_hull(np.array([0, 0, 1, 2, 4]), np.array([0, 2, 1, 4, 4])).tolist()
    [0, 1, 3, 4]
    """
    kept = np.flatnonzero(np.concatenate([[True], (np.diff(x) != 0) | (np.diff(y) != 0)]))  # equal points are one
    while len(kept) > 2:
        a, b = x[kept].astype(float), y[kept].astype(float)
        right, up = np.diff(a), np.diff(b)
        # The slope must fall strictly at a corner: up_k / right_k > up_(k+1) / right_(k+1), without dividing.
        corner = up[:-1] * right[1:] > up[1:] * right[:-1]
        if corner.all():
            break
        kept = kept[np.concatenate([[True], corner, [True]])]
    return kept


def area(
    y: MeasureLike, over: MeasureLike, *, between: str = LINE, low: float | None = None, high: float | None = None
) -> ScoreMeasure:
    """Return the measure of scores that is the area under one measure over another, at all thresholds.

    `between` says how the curve runs between two thresholds: along a "line"; in a "step", at the value of the lower
    threshold; or along the "envelope", at the best value of that threshold or any lower one. `low` and `high` limit the
    area to a part of the axis.

    >>> area("recall", over="false_positive_rate")([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    0.75
    """
    first, second = as_measure(y, "y"), as_measure(over, "over")
    if between not in BETWEEN:
        raise InputError("{between} is {got!r}", got=between, advice="use 'line', 'step' or 'envelope'")
    low, high = (None if x is None else number(x, name) for x, name in ((low, "low"), (high, "high")))
    chosen = {"between": between, "low": low, "high": high}
    usual = {"between": LINE, "low": None, "high": None}
    options = "".join(f", {k}={literal(v)}" for k, v in chosen.items() if v != usual[k])
    whole = _is_share(first) and _is_share(second)
    return ScoreMeasure(
        Area(first, second, between, low, high),
        f"area({first.name}, over={second.name}{options})",
        title=f"Area under {title_inside(first)} over {title_inside(second)}",
        range=(0, 1 if low is None and high is None else (high or 1) - (low or 0)) if whole else None,
        orientation=first.orientation,
        cite=first.cite,
        family="own" if first.is_users_own() or second.is_users_own() else "areas",
        about=f"the area under the curve of {title_inside(first)} over {title_inside(second)}, at all thresholds",
        parameters={"measure": first, "over": second, **chosen},
        made_by="area",
        key=("area", first, second, between, low, high),
    )


def _is_share(f: Measure) -> bool:
    return f.range is not None and tuple(f.range) == (0, 1)


# Values at thresholds

_CONDITION = re.compile(r"^\s*(.+?)\s*(>=|<=|==|≥|≤|=|>|<)\s*(.+?)\s*$")
_SIGNS = {"≥": ">=", "≤": "<=", "=": "=="}
_LATEX = {">=": r"\ge", "<=": r"\le", "==": "=", ">": ">", "<": "<"}


class ThresholdCondition(NamedTuple):
    """A condition such as "recall >= 0.9": a measure, a sign, and a number or another measure."""

    left: Measure
    sign: str
    right: Measure | float

    @classmethod
    def read(cls, text: object, *, bound: bool = False, argument: str = "condition") -> ThresholdCondition:
        """Return the condition that a text states; a `bound` has a sign such as >=. An error names the argument."""
        found = _CONDITION.match(text) if isinstance(text, str) else None
        if found is None:
            raise InputError(
                "{argument} is {got!r}", argument=argument, got=text, expected="a text such as 'recall >= 0.9'"
            )
        left, sign, right = found.groups()
        if bound and _SIGNS.get(sign, sign) == "==":
            raise InputError(
                "{argument} is {got!r}", argument=argument, got=text,
                advice="it is met between thresholds: use >= or <=",
            )  # fmt: skip
        try:
            other: float | Measure = float(right)
        except ValueError:
            other = as_measure(right, argument)
        return cls(as_measure(left, argument), _SIGNS.get(sign, sign), other)

    def __str__(self) -> str:
        return f"{self.left.name} {self.sign} {self._right(lambda f: f.name)}"

    def latex(self) -> str:
        """Return the condition as a formula."""
        return rf"{self.left.formula} {_LATEX[self.sign]} {self._right(lambda f: f.formula)}"

    def _right(self, of: Callable[[Measure], str]) -> str:
        return of(self.right) if isinstance(self.right, Measure) else f"{self.right:g}"

    def measures(self) -> list[Measure]:
        """Return the measures that the condition is about."""
        return [x for x in (self.left, self.right) if isinstance(x, Measure)]

    def difference(self, points: ThresholdMatrices) -> Array:
        """Return the left side minus the right one, (points, batch)."""
        right = points.values(self.right) if isinstance(self.right, Measure) else self.right
        found: Array = points.values(self.left) - right
        return found

    def holds(self, points: ThresholdMatrices) -> Array:
        """Return at which points the condition holds; a difference of rounding size counts as none."""
        gap = self.difference(points)
        near, known = np.abs(gap) <= _SLACK, ~np.isnan(gap)
        above = gap > 0
        signs = {">=": above | near, "<=": ~above | near, ">": above & ~near, "<": ~above & ~near}
        found: Array = known & signs[self.sign]
        return found


class AtCondition(OverThresholds):
    """The best value of a measure among the thresholds that meet a condition."""

    def __init__(self, measure: Measure, condition: ThresholdCondition) -> None:
        self.measure, self.condition = measure, condition

    @property
    def formula(self) -> str:  # type: ignore[override]
        """The best value under a condition."""
        if self.condition.sign == "==":
            return rf"{self.measure.formula} \quad \text{{where }} {self.condition.latex()}"
        best = r"\min" if self.measure.orientation == LOWER else r"\max"
        return rf"{best}_{{t}} {self.measure.formula} \quad \text{{where }} {self.condition.latex()}"

    def reduced(self, points: ThresholdMatrices) -> Array:
        if self.condition.sign == "==":
            return self._crossing(points)
        return best_value(self.measure, points.values(self.measure), self.condition.holds(points))

    def _crossing(self, points: ThresholdMatrices) -> Array:
        """Return the value where both sides are equal: between two thresholds, of their mixture."""
        gap = self.condition.difference(points)
        with np.errstate(invalid="ignore"):
            crosses = np.sign(gap[1:]) * np.sign(gap[:-1]) <= 0
        place, b = crosses.argmax(axis=0), np.arange(gap.shape[1])
        here, there = gap[place, b], gap[place + 1, b]
        share = np.where(here == there, 0.0, here / np.where(here == there, 1.0, here - there))
        found = points.mixed(self.measure, place, share)
        return np.where(crosses.any(axis=0), found, np.nan)

    def missing(self) -> str:
        return f"no threshold has {self.condition} with {title_inside(self.measure)} defined"


class BestValue(OverThresholds):
    """The best value of a measure at any threshold."""

    def __init__(self, measure: Measure) -> None:
        self.measure = measure

    @property
    def formula(self) -> str:  # type: ignore[override]
        """The best value at any threshold."""
        best = r"\min" if self.measure.orientation == LOWER else r"\max"
        return rf"{best}_{{t}} {self.measure.formula}"

    def reduced(self, points: ThresholdMatrices) -> Array:
        values = points.values(self.measure)
        return best_value(self.measure, values, ~np.isnan(values))

    def missing(self) -> str:
        return f"{title_inside(self.measure)} is undefined at every threshold"


def best_value(f: Measure, values: Array, allowed: Array) -> Array:
    """Return the best of the values (points, batch) that are allowed and defined; NaN where none is."""
    allowed = allowed & ~np.isnan(values)
    sign = -1.0 if f.orientation == LOWER else 1.0
    found: Array = sign * np.where(allowed, sign * values, -np.inf).max(axis=0)
    return np.where(allowed.any(axis=0), found, np.nan)


def at(measure: MeasureLike, condition: str) -> ScoreMeasure:
    """Return the measure of scores that is the best value of a measure among the thresholds that meet a condition.

    A condition with == is met where both sides are equal; if that lies between two thresholds, the measure is taken on
    the mixture of their matrices, which a random choice between the two would get.

    >>> at("precision", "recall >= 0.9")([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    0.6666666666666666
    """
    f, asked = as_measure(measure), ThresholdCondition.read(condition)
    if f.orientation == NEITHER and asked.sign != "==":
        raise no_best(f)
    return ScoreMeasure(
        AtCondition(f, asked),
        f"at({f.name}, {str(asked)!r})",
        title=f"{f.title} where {asked}",
        range=f.range,
        orientation=f.orientation,
        cite=f.cite,
        family="own" if any(x.is_users_own() for x in (f, *asked.measures())) else "operating points",
        about=f"the best {title_inside(f)} among the thresholds with {asked}",
        parameters={"measure": f, "condition": str(asked)},
        made_by="at",
        key=("at", f, asked),
    )


def best(measure: MeasureLike) -> ScoreMeasure:
    """Return the measure of scores that is the best value of a measure at any threshold.

    >>> best("f1")([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    0.8
    """
    f = as_measure(measure)
    if f.orientation == NEITHER:
        raise no_best(f)
    return ScoreMeasure(
        BestValue(f),
        f"best({f.name})",
        title=f"Best {title_inside(f)}",
        range=f.range,
        orientation=f.orientation,
        cite=f.cite,
        family="own" if f.is_users_own() else "operating points",
        about=Description(
            f"the best {title_inside(f)} at any threshold", "optimistic, since the same items choose the threshold"
        ),
        parameters={"measure": f},
        made_by="best",
        key=("best", f),
    )


def no_best(f: Measure) -> InputError:
    """Return the error about a measure without an orientation."""
    return InputError(
        "{name} is neither better when higher nor when lower",
        name=f.name,
        advice="it has no best value",
    )


COMBINATORS: dict[str, Callable[..., ScoreMeasure]] = {"area": area, "at": at, "best": best}
