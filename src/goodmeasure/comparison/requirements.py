"""The scores of a comparison that a requirement is about, and whether systems are worse than a baseline."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from statistics import NormalDist
from typing import TYPE_CHECKING, NamedTuple

from goodmeasure.catalogue.measure import NEITHER, as_measure
from goodmeasure.catalogue.names import measure as named
from goodmeasure.catalogue.scores.measure import ScoreMeasure
from goodmeasure.comparison.settings import is_higher
from goodmeasure.evaluation import significance
from goodmeasure.evaluation.chosen_measures import chosen
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
from goodmeasure.evaluation.requirements.required import Required
from goodmeasure.evaluation.scoring import Settings as Alone
from goodmeasure.evaluation.significance import Claim
from goodmeasure.evaluation.tracked_numbers import Tracked, with_interval
from goodmeasure.exceptions import InputError, InputTypeError

if TYPE_CHECKING:
    from goodmeasure.catalogue.measure import Measure
    from goodmeasure.comparison.comparison import Comparison
    from goodmeasure.comparison.multilabel_comparison import MultilabelComparison
    from goodmeasure.comparison.rows import PairedRow

_NORMAL = NormalDist()


class RequiredOfSystems(Required):
    """Base class of comparisons, which can also be held to a baseline: no system may be worse than it."""

    def against(self, baseline: str, measures: Sequence[object] | None) -> Gate:
        """Return whether other systems are worse than the baseline."""
        raise NotImplementedError

    def checked(
        self,
        *requirements: str,
        confident: bool = False,
        baseline: str | None = None,
        measures: Sequence[object] | None = None,
    ) -> Gate:
        """Return the outcomes of the requirements and of the comparison with a baseline."""
        if baseline is None:
            return super().checked(*requirements, confident=confident)
        against = self.against(baseline, measures)
        return super().checked(*requirements, confident=confident).joined(against) if requirements else against

    def require(
        self,
        *requirements: str,
        confident: bool = False,
        baseline: str | None = None,
        measures: Sequence[object] | None = None,
    ) -> Gate:
        """Check requirements such as "A: mcc >= 0.8", and raise `RequirementNotMet` if one of them is not met.

        With `baseline`, the name of a system, no other system may be significantly worse than it in any of `measures`
        (by default all that were compared; of multilabel data, the macro average of each). Where the comparison has a
        `margin`, each must be shown to be worse by less than that. See `Result.require` for the other requirements.

        >>> from goodmeasure.comparison.compare import compare
        >>> systems = {"new": [0, 1, 0, 0] * 9, "old": [0, 1, 1, 0] * 9}
        >>> compare([0, 1, 1, 0] * 9, systems, measures="accuracy").require(baseline="old")  # doctest: +ELLIPSIS
        Traceback (most recent call last):
            ...
        goodmeasure.RequirementNotMet: 1 requirement is not met:
          new: accuracy not significantly worse than old: 0.750 against 1.000, difference −0.250 (95% ...), p = 0.002
        """
        return self.checked(*requirements, confident=confident, baseline=baseline, measures=measures).check()


def scores_of(found: Comparison, asked: Requirement) -> list[RequiredScore]:
    """Return the scores of a comparison that a requirement is about.

    Measures that were not compared, and those of single classes, are computed from the counts of each system, as by
    `evaluate`.
    """
    systems = system_names(found.systems).named(asked.system)
    names = found.systems if systems == [None] else [str(x) for x in systems]
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


def multilabel_scores_of(found: MultilabelComparison, asked: Requirement) -> list[RequiredScore]:
    """Return the averages of multilabel systems that a requirement is about."""
    if asked.label is not None or asked.either is not None or asked.slice is not None:
        raise InputError(
            "{requirement!r} names a label or a slice", requirement=str(asked),
            advice="a comparison of multilabel systems has averages only; evaluate has each label",
        )  # fmt: skip
    average, name = average_named(asked.measure)
    chosen = system_names(found.systems).named(asked.system)
    names = found.systems if chosen == [None] else [str(x) for x in chosen]
    rows = [x for x in found.scores if (x["average"], x["measure"]) == (average, name) and x["system"] in names]
    if not rows:
        known = ", ".join(found.measures)
        raise InputError("{name} was not averaged", name=asked.measure, known=known, advice="the measures are {known}")
    shown = EXACT_MATCH if average is None else f"{average}({name})"
    orientation = "higher" if average is None else named(name).orientation
    return [
        RequiredScore(shown, x["system"], None, None, x["value"], x["low"], x["high"], x["reason"], orientation)
        for x in rows
    ]


def tracked_numbers(found: Comparison) -> Iterator[Tracked]:
    """Yield every score with its interval, and every difference with its interval and p-value."""
    slices = {name: text for text, name in _slice_names(found).items()}
    for part in (found, *found.slices.values()):
        where = () if part.slice is None else (f"slice.{slices[part.slice]}",)
        yield Tracked((*where, "items"), float(part.items))
        for row in part.scores:
            yield from with_interval((row["system"], *where, row["measure"]), row["value"], row["low"], row["high"])
        for paired in part.differences:
            yield from difference_numbers((*where, paired["measure"]), paired)


def difference_numbers(measure: tuple[object, ...], row: PairedRow) -> Iterator[Tracked]:
    """Yield a difference of two systems with its interval and p-value."""
    parts = (f"{row['a']}-{row['b']}", *measure)
    yield from with_interval(parts, row["difference"], row["low"], row["high"])
    yield Tracked(parts, row["p_corrected"], "_p")


def multilabel_numbers(found: MultilabelComparison) -> Iterator[Tracked]:
    """Yield every average of multilabel systems, and every difference."""
    yield Tracked(("items",), float(found.items))
    for row in found.scores:
        parts = tuple(x for x in (row["system"], row["average"], row["measure"]) if x is not None)
        yield from with_interval(parts, row["value"], row["low"], row["high"])
    for paired in found.differences:
        yield from difference_numbers(tuple(x for x in (paired["average"], paired["measure"]) if x is not None), paired)


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

    Without a margin, a requirement is met unless a system is significantly worse: p-values are two-sided and corrected
    by Holm's method over systems and measures, so that a gate rejects systems that are all as good as the baseline with
    a probability of at most half the level. With a margin, a system must be shown to be worse by less than it
    (non-inferiority). All measures must show it, so that no correction for their number is needed (Berger 1982).
    """
    base = _baseline(found.systems, baseline)
    asked = found.measures if measures is None else [measures] if isinstance(measures, str) else measures
    names = [measure_named(str(x), found.settings.measures).name for x in asked]
    by_name = {f.name: f for f in found.settings.measures}
    rows = [
        (by_name[name], found.difference(system, base, name))
        for system in found.systems if system != base
        for name in names if by_name[name].orientation != NEITHER
    ]  # fmt: skip
    if not rows:
        raise _nothing(base)
    level, margin = found.settings.confidence, found.settings.margin
    values = {(x["system"], x["measure"]): x["value"] for x in found.scores}
    tested = [
        _Tested(f.name, row, values[row["a"], f.name], values[row["b"], f.name], level, is_higher(f)) for f, row in rows
    ]
    if margin is not None:
        claims = [_known(row["p_a_noninferior"]) for _, row in rows]
        return Gate(tuple(_noninferior(x, p, margin) for x, p in zip(tested, claims, strict=True)), level)
    corrected = holm([_known(row["p"]) for _, row in rows])
    return Gate(tuple(_not_worse(x, p, len(rows)) for x, p in zip(tested, corrected, strict=True)), level)


def multilabel_against(found: MultilabelComparison, baseline: str, measures: Sequence[object] | None = None) -> Gate:
    """Return whether each other system is no worse than a baseline, by averages such as macro(f1).

    By default it is the macro average of each measure. The tests are those of `against_baseline` without a margin.
    """
    base = _baseline(found.systems, baseline)
    asked = [f"macro({x})" for x in found.measures] if measures is None else measures
    names = [average_named(str(x)) for x in ([asked] if isinstance(asked, str) else asked)]
    rows = [
        (average, name, found.difference(system, base, name, average))
        for system in found.systems if system != base
        for average, name in names if average is None or named(name).orientation != NEITHER
    ]  # fmt: skip
    if not rows:
        raise _nothing(base)
    corrected = holm([_known(row["p"]) for *_, row in rows])
    outcomes = []
    for (average, name, row), p in zip(rows, corrected, strict=True):
        shown = EXACT_MATCH if average is None else f"{average}({name})"
        higher = average is None or is_higher(named(name))
        scores = [
            next(x["value"] for x in found.scores if (x["system"], x["average"], x["measure"]) == (who, average, name))
            for who in (row["a"], row["b"])
        ]
        tested = _Tested(shown, row, scores[0], scores[1], found.confidence, higher)
        outcomes.append(_not_worse(tested, p, len(rows)))
    return Gate(tuple(outcomes), found.confidence)


def _nothing(base: str) -> InputError:
    return InputError(
        "there is nothing to compare with {base!r}", base=base, advice="give another system, and a measure"
    )


class _Tested(NamedTuple):
    """The difference of a system and the baseline under one measure, and both values."""

    measure: str
    row: PairedRow
    mine: float
    base: float
    confidence: float
    higher: bool  # whether a higher value is better

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
        return RequirementOutcome(asked, met, self.measure, row["a"], None, None, *ends, self.found(p), strength, known)


def _known(p: float | None) -> float:
    return math.nan if p is None else p


def _not_worse(x: _Tested, p: float, tests: int) -> RequirementOutcome:
    """Return the outcome of a significance test, of which there are several at one level."""
    worse = x.row["difference"] < 0 if x.higher else x.row["difference"] > 0
    met = not math.isnan(p) and not (worse and significance.is_significant(Claim(1 - x.level, p)))
    loss = (_NORMAL.inv_cdf(1 - x.level / tests / 2) + _NORMAL.inv_cdf(LIKELY)) * x.error
    strength = f"a loss of {loss:.3f} would be found with {LIKELY:.0%} probability" if loss > 0 else ""
    return x.outcome(f"{x.row['a']}: {x.measure} not significantly worse than {x.row['b']}", met, p, strength)


def _noninferior(x: _Tested, p: float, margin: float) -> RequirementOutcome:
    """Return the outcome of a test of non-inferiority."""
    strength = ""
    if math.isfinite(x.error) and x.error > 0:
        power = _NORMAL.cdf(margin / x.error - _NORMAL.inv_cdf(1 - x.level))
        strength = f"an equally good system would pass with {power:.0%} probability"
    asked = f"{x.row['a']}: {x.measure} less than {margin:g} worse than {x.row['b']}"
    return x.outcome(asked, significance.is_significant(Claim(1 - x.level, p)), p, strength)
