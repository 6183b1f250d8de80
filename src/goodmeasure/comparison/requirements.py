"""The scores of a comparison that a requirement is about, and whether systems are worse than a baseline."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from statistics import NormalDist
from typing import TYPE_CHECKING, NamedTuple

from goodmeasure.catalogue.measure import HIGHER, NEITHER, as_measure
from goodmeasure.catalogue.names import measure as named
from goodmeasure.catalogue.scores.measure import ScoreMeasure
from goodmeasure.comparison.paired_averages import LabelAverage
from goodmeasure.comparison.settings import is_higher
from goodmeasure.evaluation import significance
from goodmeasure.evaluation.chosen_measures import chosen
from goodmeasure.evaluation.multilabel import MACRO
from goodmeasure.evaluation.multilabel_averages import EXACT_MATCH
from goodmeasure.evaluation.p_values import holm
from goodmeasure.evaluation.requirements.gate import LIKELY, Gate, RequiredScore, RequirementOutcome, standard_error
from goodmeasure.evaluation.requirements.grammar import Requirement
from goodmeasure.evaluation.requirements.of_results import average_named, check_classes, computed, measure_named
from goodmeasure.evaluation.requirements.places import (
    KnownNames,
    class_and_slice,
    class_names,
    slice_names,
    system_names,
)
from goodmeasure.evaluation.scoring import Settings as Alone
from goodmeasure.evaluation.significance import Claim
from goodmeasure.evaluation.tracked_numbers import Tracked, with_interval
from goodmeasure.exceptions import InputError, InputTypeError

if TYPE_CHECKING:
    from goodmeasure.catalogue.measure import Measure
    from goodmeasure.comparison.comparison import Comparison
    from goodmeasure.comparison.rows import DifferenceRow, ScoreRow
    from goodmeasure.comparison.settings import ComparedQuantity

_NORMAL = NormalDist()


def scores_of(found: Comparison, asked: Requirement) -> list[RequiredScore]:
    """Return the scores of a comparison that a requirement is about.

    Measures that were not compared, and those of single classes, are computed from the counts of each system, as by
    `evaluate`.
    """
    systems = system_names(found.systems).named(asked.system)
    names = found.systems if systems == [None] else [str(x) for x in systems]
    if found.of_averages:
        return _averages(found, asked, names)
    slices = _slice_names(found)
    classes = class_names(found.labels)
    label, where = class_and_slice(asked, classes, slices)
    f = measure_named(asked.measure, found.settings.measures)
    return [
        _score(found if piece is None else found.slices[slices[piece]], f, name, piece, one, classes)
        for name in names
        for piece in slices.named(where)
        for one in classes.named(label)
    ]


def _slice_names(found: Comparison) -> KnownNames:
    return slice_names({name: part.where for name, part in found.slices.items() if part.where is not None})


def _score(
    part: Comparison, f: Measure | ScoreMeasure, system: str, piece: str | None, label: str | None, classes: KnownNames
) -> RequiredScore:
    row = next((x for x in part.scores if x["system"] == system and x["measure"] == f.name), None)
    if label is None and row is not None:
        ends = (row["value"], row["low"], row["high"], row["reason"])
        return RequiredScore(f.name, system, piece, None, *ends, f.orientation, f.range)
    if isinstance(f, ScoreMeasure):
        raise InputError("{name} was not compared", name=f.name, advice="name it in {measures:=}, with {y_score:=}")
    if part.source.of_scores and all(isinstance(x, ScoreMeasure) for x in part.settings.measures):
        raise InputError(
            "{name} is a measure of labels, and scores were compared", name=f.name,
            advice="make labels of them with {threshold:=}",
        )  # fmt: skip
    sample = part.samples[system]
    if label is None:
        check_classes(f, sample.matrix.m, next(iter(classes)))
        f = chosen([f], sample.matrix.m)[0]
    else:
        sample, f = sample.with_positive(classes[label]), as_measure(f)
    s = part.settings
    alone = Alone((), (), s.confidence, s.seed, "auto", s.replicates, s.policy)
    return RequiredScore(f.name, system, piece, label, *computed(f, sample, alone), f.orientation, f.range)


def _averages(found: Comparison, asked: Requirement, systems: Sequence[str]) -> list[RequiredScore]:
    """Return the averages over labels that a requirement is about."""
    if asked.label is not None or asked.either is not None or asked.slice is not None:
        raise InputError(
            "{requirement!r} names a label or a slice", requirement=str(asked),
            advice="a comparison of multilabel systems has averages only; evaluate has each label",
        )  # fmt: skip
    average, name = average_named(asked.measure)
    if name not in (*found.measures, EXACT_MATCH):
        known = ", ".join(found.measures)
        raise InputError("{name} was not averaged", name=asked.measure, known=known, advice="the measures are {known}")
    f, rows = _quantity(average, name), [found.score(system, name, average) for system in systems]
    return [
        RequiredScore(f.name, x["system"], None, None, x["value"], x["low"], x["high"], x["reason"], f.orientation)
        for x in rows
    ]


def _quantity(average: str | None, name: str) -> LabelAverage:
    """Return an average of a measure, or the exact match."""
    f = None if average is None else named(name)
    orientation = HIGHER if f is None else f.orientation
    return LabelAverage(average, name, orientation, None if f is None else f.range)


def tracked_numbers(found: Comparison) -> Iterator[Tracked]:
    """Yield every score with its interval, and every difference with its interval and p-value."""
    slices = {name: text for text, name in _slice_names(found).items()}
    for part in (found, *found.slices.values()):
        where = () if part.slice is None else (f"slice.{slices[part.slice]}",)
        yield Tracked((*where, "items"), float(part.items))
        for row in part.scores:
            parts = (row["system"], *where, *_measure_of(row))
            yield from with_interval(parts, row["value"], row["low"], row["high"])
        for paired in part.differences:
            parts = (f"{paired['a']}-{paired['b']}", *where, *_measure_of(paired))
            yield from with_interval(parts, paired["difference"], paired["low"], paired["high"])
            yield Tracked(parts, paired["p_corrected"], "_p")


def _measure_of(row: ScoreRow | DifferenceRow) -> tuple[str, ...]:
    """Return the average, if there is one, and the measure of a row."""
    average = row.get("average")
    return (row["measure"],) if average is None else (str(average), row["measure"])


# Against a baseline


def _baseline(systems: Sequence[str], baseline: object) -> str:
    """Return the system that is named as the baseline."""
    if not isinstance(baseline, str):
        raise InputTypeError("{baseline} is {got!r}", got=baseline, expected="the name of a system")
    (base,) = system_names(systems).named(baseline)
    assert base is not None
    return base


def against_baseline(found: Comparison, baseline: str, measures: Sequence[object] | None = None) -> Gate:
    """Return whether each other system is no worse than a baseline, by each measure.

    Of several labels for each item, it is the macro average of each measure unless averages are named.

    Without a margin, a requirement is met unless a system is significantly worse: p-values are two-sided and corrected
    by Holm's method over systems and measures, so that a gate rejects systems that are all as good as the baseline with
    a probability of at most half the level. With a margin, a system must be shown to be worse by less than it
    (non-inferiority). All measures must show it, so that no correction for their number is needed (Berger 1982).
    """
    base = _baseline(found.systems, baseline)
    asked = found.measures if measures is None else [measures] if isinstance(measures, str) else measures
    chosen_ones: list[ComparedQuantity]
    if not found.of_averages:
        chosen_ones = [measure_named(str(x), found.settings.measures) for x in asked]
    else:
        chosen_ones = [_quantity(*average_named(f"{MACRO}({x})" if measures is None else str(x))) for x in asked]
    level, margin = found.settings.confidence, found.settings.margin
    values = {(x["system"], *_measure_of(x)): x["value"] for x in found.scores}
    rows = [
        (f, found.difference(system, base, f.name))
        for system in found.systems if system != base
        for f in chosen_ones if f.orientation != NEITHER
    ]  # fmt: skip
    tested = [_Tested(f, x, values[x["a"], *_measure_of(x)], values[x["b"], *_measure_of(x)], level) for f, x in rows]
    if not tested:
        raise InputError(
            "there is nothing to compare with {base!r}", base=base, advice="give another system, and a measure"
        )
    if margin is not None:
        outcomes = [_noninferior(x, math.nan if (p := x.row["p_a_noninferior"]) is None else p, margin) for x in tested]
    else:
        corrected = holm([x.row["p"] for x in tested])
        outcomes = [_not_worse(x, p, len(tested)) for x, p in zip(tested, corrected, strict=True)]
    return Gate(tuple(outcomes), level)


class _Tested(NamedTuple):
    """The difference of a system and the baseline under one measure, and both values."""

    f: ComparedQuantity
    row: DifferenceRow
    mine: float
    base: float
    confidence: float

    @property
    def level(self) -> float:
        """Return the significance level."""
        return 1 - self.confidence

    @property
    def error(self) -> float:
        """Return the standard error of the difference."""
        return standard_error(self.row["low"], self.row["high"], self.confidence)

    def found(self, p: float) -> str:
        """Return both values, the difference and the p-value in words."""
        if math.isnan(p):
            return f"there is no test ({self.row['reason'] or 'a value is undefined'})"
        change, low, high = (f"{self.row[name]:+.3f}".replace("-", "−") for name in ("difference", "low", "high"))
        level = f"{100 * self.confidence:.12g}% confidence interval {low} to {high}"
        return f"{self.mine:.3f} against {self.base:.3f}, difference {change} ({level}), p = {p:.2g}"

    def outcome(self, asked: str, met: bool, p: float, strength: str) -> RequirementOutcome:
        """Return the outcome of a requirement about this difference."""
        row = self.row
        ends = row["difference"], row["low"], row["high"]
        known = None if math.isnan(p) else p
        return RequirementOutcome(asked, met, self.f.name, row["a"], None, None, *ends, self.found(p), strength, known)


def _not_worse(x: _Tested, p: float, tests: int) -> RequirementOutcome:
    """Return the outcome of a significance test, of which there are several at one level."""
    worse = x.row["difference"] < 0 if is_higher(x.f) else x.row["difference"] > 0
    met = not math.isnan(p) and not (worse and significance.is_significant(Claim(1 - x.level, p)))
    loss = (_NORMAL.inv_cdf(1 - x.level / tests / 2) + _NORMAL.inv_cdf(LIKELY)) * x.error
    strength = f"a loss of {loss:.3f} would be found with {LIKELY:.0%} probability" if loss > 0 else ""
    return x.outcome(f"{x.row['a']}: {x.f.name} not significantly worse than {x.row['b']}", met, p, strength)


def _noninferior(x: _Tested, p: float, margin: float) -> RequirementOutcome:
    """Return the outcome of a test of non-inferiority."""
    strength = ""
    if math.isfinite(x.error) and x.error > 0:
        power = _NORMAL.cdf(margin / x.error - _NORMAL.inv_cdf(1 - x.level))
        strength = f"an equally good system would pass with {power:.0%} probability"
    asked = f"{x.row['a']}: {x.f.name} less than {margin:g} worse than {x.row['b']}"
    return x.outcome(asked, significance.is_significant(Claim(1 - x.level, p)), p, strength)
