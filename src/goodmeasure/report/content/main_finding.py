"""The verdict: the one sentence that says what a report finds, from results that are corrected for many tests."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from goodmeasure.catalogue.affine import AnyMeasure as AnyMeasure
from goodmeasure.catalogue.affine import distinct
from goodmeasure.catalogue.display_names import display_name, names_text, sentence_name, sentence_names
from goodmeasure.catalogue.measure import LOWER, NEITHER, Measure
from goodmeasure.catalogue.scores.measure import ScoreMeasure
from goodmeasure.comparison.comparison import Comparison
from goodmeasure.comparison.system_ranks import places
from goodmeasure.counts.matrix import ConfusionMatrix
from goodmeasure.evaluation import significance
from goodmeasure.evaluation.intervals.proportions import proportion, wilson
from goodmeasure.evaluation.intervals.sampling_units import reach_of, units_of
from goodmeasure.evaluation.number_words import p_is
from goodmeasure.evaluation.provenance import ARRAYS
from goodmeasure.evaluation.result import Result
from goodmeasure.evaluation.scoring import SystemScores
from goodmeasure.evaluation.table import Row
from goodmeasure.evaluation.thresholds.best import Best
from goodmeasure.evaluation.warnings.class_imbalance import hardly_better
from goodmeasure.exceptions import InputError
from goodmeasure.report.content.built_once import built_once
from goodmeasure.report.content.sample_sizes import wholes
from goodmeasure.report.content.significance import against_chance, is_poor, p_of, winners_of
from goodmeasure.report.numbers import chance_text, label_text, share_text, value_text

LEADING = ("mcc", "sba", "kappa", "balanced_accuracy", "macro(f1)", "roc_auc", "macro(roc_auc)")
RANKING = ("average_precision", "roc_auc", "hand_till", "macro(roc_auc)")
PROBABILITIES = ("brier", "log_loss")
RARE = 0.2  # of the items: average precision tells more about rarer positives than the area under the ROC curve
UNNAMED = frozenset(
    {"system", "matrix", "pred", "prediction", "predictions", "predicted", "y_pred", "yhat", "y_hat", "score", "scores",
     "y_score", "prob", "proba", "probability"}
)  # fmt: skip  # names of single systems, often of columns, that name nobody
_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_NAMED = 3  # systems or measures that a sentence names
_ACCURACY = "accuracy"


def leading(measures: Sequence[AnyMeasure]) -> AnyMeasure | None:
    """Return the measure that decides which system is shown first.

    It is one that random guessing cannot lift, where there is one, and else the first that has a best value.
    """
    by_name = {f.name: f for f in measures}
    known = [by_name[name] for name in LEADING if name in by_name]
    judged = [f for f in measures if f.orientation != NEITHER]
    return next(iter([*known, *judged]), None)


def measures_of(result: Result) -> tuple[AnyMeasure, ...]:
    """Return all measures of a result: those of labels, then those of scores."""
    return (*result.settings.measures, *(() if result.scored is None else result.scored.measures))


@built_once
def lead_of(result: Result) -> AnyMeasure | None:
    """Return the measure that decides which system of a result is shown first: with scores, how well they rank."""
    found, measures = result.comparison, measures_of(result)
    if found is not None:
        return lead_of_comparison(found) or leading(measures)
    return next(iter(ranking_measures(measures, result.part().matrix)), None) or leading(measures)


@built_once
def lead_of_comparison(found: Comparison) -> AnyMeasure | None:
    """Return the measure that decides which system of a comparison is shown first.

    With scores it is the first measure of ranking on which one system is significantly better than all others.
    """
    tested = [f for f in found.settings.measures if f.name in found.winners]
    ranking = ranking_measures(tested, next(iter(found.matrices.values())))
    decided = [f for f in ranking if len(winners_of(found, f.name)) == 1]
    return next(iter([*decided, *ranking]), None) or leading(tested)


def ranking_measures(measures: Sequence[AnyMeasure], matrix: ConfusionMatrix) -> list[AnyMeasure]:
    """Return the measures of how well scores rank the items; where positives are rare, average precision first."""
    rare = matrix.m == 2 and float(matrix.a[-1]) < RARE * float(matrix.n)
    by_name = {f.name: f for f in measures}
    return [by_name[name] for name in (RANKING if rare else RANKING[::-1]) if name in by_name]


@built_once
def best_part(result: Result) -> SystemScores:
    """Return the system with the best value of the leading measure, on all items."""
    parts, f = wholes(result), lead_of(result)
    if f is None or not result.competing:
        return parts[0]
    order = places([_value(part, f) for part in parts], higher=f.orientation != LOWER)
    return next((part for part, rank in zip(parts, order, strict=True) if rank == 1), parts[0])


def _value(part: SystemScores, f: AnyMeasure) -> float:
    found = part.value(f.name)
    return math.nan if found is None else found


@built_once
def verdict(result: Result) -> str:
    """Return the verdict on an evaluation."""
    found, f, parts = result.comparison, lead_of(result), wholes(result)
    if f is None:
        return "Nothing was measured that has a best value."
    if not result.competing:
        return _of_labels(result, f)
    if result.source.of_outcomes and len(parts) == 1:
        return _of_outcomes(result, parts[0])
    if len(parts) == 1:
        return _of_one_with_scores(result, parts[0]) if ranks(result) else _of_one(parts[0], f, result.claims)
    if found is not None and f.name in found.winners:
        return f"{comparison_verdict(found)}{threshold_sentence(result)}"
    return f"{_untested(parts, f, result.pairing.why)}{threshold_sentence(result)}"


def ranks(result: Result) -> list[AnyMeasure]:
    """Return the measures of a result that say how well scores rank the items, the most telling first."""
    return ranking_measures(measures_of(result), result.part().matrix)


# several systems that were compared in pairs


def comparison_verdict(found: Comparison) -> str:
    """Return the verdict on a comparison: who is significantly better than whom, and what the price is."""
    f = lead_of_comparison(found)
    if f is None or len(found.systems) < 2:
        return "There is nothing to compare."
    if isinstance(f, ScoreMeasure) and f.name in RANKING:
        return scores_verdict(found)
    winners, best = winners_of(found, f.name), found.leaders[f.name]
    if len(winners) == 1:
        said = _one_winner(found, f, winners[0])
    elif len(best) == len(found.systems):
        said = f"All systems have the same {sentence_name(f)} ({_shown(found, best[0], f.name)})"
    elif len(winners) == len(found.systems):
        said = _no_winner(found, f)
    else:
        said = _some_winners(found, f)
    return f"{said}{_price(found, best[0]) or _elsewhere(found, f, winners)}."


def _shown(found: Comparison, system: str, measure: str) -> str:
    return value_text(found.score(system, measure)["value"])


def _one_winner(found: Comparison, f: AnyMeasure, who: str) -> str:
    others = [x for x in found.systems if x != who]
    valued = [x for x in others if not math.isnan(found.score(x, f.name)["value"])]
    different = [x.name for x in distinct([f, *found.settings.measures], len(found.labels))]
    rest = [name for name in different if name != f.name and name in found.winners]
    also = [name for name in rest if winners_of(found, name) == (who,)]
    if valued != others:
        whom = "every other system that has a value"
    elif len(others) == 1:
        whom = others[0]
    else:
        whom = f"the other {_count(len(others))} systems"
    second = min(valued, key=lambda x: found.ranks[f.name][x] or math.inf, default=None)
    ahead = "" if second is None else f" against {_shown(found, second, f.name)}"
    ahead += f" for {second}" if second is not None and len(others) > 1 else ""
    return (
        f"{who} is significantly better than {whom} on {sentence_name(f)} "
        f"({_shown(found, who, f.name)}{ahead}){_and_on(also, rest)}"
    )


def _and_on(also: list[str], rest: list[str]) -> str:
    """Return on how many more measures the same holds."""
    if not also:
        return ""
    if len(also) == len(rest):
        return " and on the other measure" if len(rest) == 1 else f" and on all {_count(len(rest))} other measures"
    return f" and on {_count(len(also))} of the {_count(len(rest))} other measures"


def _count(number: int) -> str:
    return _NUMBERS[number] if number < len(_NUMBERS) else f"{number:,}"


def _no_winner(found: Comparison, f: AnyMeasure) -> str:
    name = sentence_name(f)
    ordered = sorted(found.systems, key=lambda x: found.ranks[f.name][x] or math.inf)
    if len(ordered) == 2:
        values = names_text([_shown(found, x, f.name) for x in ordered])
        return f"There is no significant difference between {names_text(ordered)} in {name} ({values})"
    ends = f"from {_shown(found, ordered[-1], f.name)} ({ordered[-1]}) to {_shown(found, ordered[0], f.name)}"
    return f"No system is significantly better than the others on {name}, which ranges {ends} ({ordered[0]})"


def _some_winners(found: Comparison, f: AnyMeasure) -> str:
    name, winners = sentence_name(f), winners_of(found, f.name)
    best, near = found.leaders[f.name][0], [x for x in winners if x != found.leaders[f.name][0]]
    worse = [x for x in found.systems if x not in winners]
    value = _shown(found, best, f.name)
    said = f"{best} has the best {name} ({value}), with no significant difference from {_some(near)}"
    return f"{said}; {_some(worse)} {'is' if len(worse) == 1 else 'are'} significantly worse"


def _some(names: Sequence[str]) -> str:
    rest = len(names) - _NAMED
    return names_text(names) if rest <= 0 else f"{', '.join(names[:_NAMED])} and {rest} more"


def _price(found: Comparison, who: str) -> str:
    """Return which other system is significantly better in recall or precision, and at which price in the other one."""
    for one, other, does in (
        ("recall", "precision", f"finds more of {label_text(found.labels[-1])!r}"),
        ("precision", "recall", "raises fewer false alarms"),
    ):
        better = winners_of(found, one)
        if len(better) != 1 or better[0] == who or other not in found.winners:
            continue
        rival = better[0]
        mine, theirs = (found.score(x, other)["value"] for x in (who, rival))
        if mine > theirs:
            return (
                f"; {rival} {does} ({one} {_shown(found, rival, one)} against {_shown(found, who, one)}), at the price "
                f"of {other} ({value_text(theirs)} against {value_text(mine)})"
            )
    return ""


def _elsewhere(found: Comparison, f: AnyMeasure, winners: Sequence[str]) -> str:
    """Return which other system is significantly better than all others on some other measures."""
    shown = sentence_names(found.settings.measures)
    by_system: dict[str, list[str]] = {}
    for name in found.winners:
        alone = winners_of(found, name)
        if name != f.name and len(alone) == 1 and (len(winners) > 1 or alone[0] != winners[0]):
            by_system.setdefault(alone[0], []).append(shown[name])
    if not by_system:
        return ""
    rival, names = max(by_system.items(), key=lambda x: len(x[1]))
    return f"; {rival} is significantly better on {_some(names)}"


# scores: how they rank, how far they are probabilities, and the labels that a threshold makes of them


def scores_verdict(found: Comparison) -> str:
    """Return who ranks better, who has the better probabilities, and who has the better labels at the threshold."""
    by_name = {f.name: f for f in found.settings.measures if f.name in found.winners}
    ranking = ranking_measures(list(by_name.values()), next(iter(found.matrices.values())))
    said = [_ranking_sentence(found, ranking), *_probability_clauses(found, by_name, ranking)]
    labels = leading([f for f in by_name.values() if isinstance(f, Measure)])
    at = "" if labels is None else f" {_label_sentence(found, labels)}."
    return f"{'; '.join(said)}.{at}"


def _alone(found: Comparison, f: AnyMeasure) -> str | None:
    """Return the one system that is significantly better than all others, if there is one."""
    winners = winners_of(found, f.name)
    return winners[0] if len(winners) == 1 else None


def _lead_over(found: Comparison, f: AnyMeasure, who: str) -> str:
    """Return a value against that of the next system, with the p-value of the difference."""
    others = [x for x in found.systems if x != who and not math.isnan(found.score(x, f.name)["value"])]
    second = min(others, key=lambda x: found.ranks[f.name][x] or math.inf, default=None)
    if second is None:
        return _shown(found, who, f.name)
    whose = f" for {second}" if len(found.systems) > 2 else ""
    p = p_of(found, who, second, f.name)
    test = "" if math.isnan(p) else f", p {p_is(p)}"
    return f"{_shown(found, who, f.name)} against {_shown(found, second, f.name)}{whose}{test}"


def _each_value(found: Comparison, f: AnyMeasure) -> str:
    """Return the value of every system with its name: the order of the sentence before may be another."""
    return ", ".join(f"{x} {_shown(found, x, f.name)}" for x in found.systems)


def _ranking_sentence(found: Comparison, ranking: list[AnyMeasure]) -> str:
    by_system: dict[str, list[AnyMeasure]] = {}
    for f in ranking:
        who = _alone(found, f)
        if who is not None:
            by_system.setdefault(who, []).append(f)
    if len(by_system) > 1:
        said = [f"{who} is significantly better on {sentence_name(fs[0])} ({_lead_over(found, fs[0], who)})"
                for who, fs in by_system.items()]  # fmt: skip
        return f"The measures of ranking disagree: {' and '.join(said)}"
    if by_system:
        who, fs = next(iter(by_system.items()))
        rest = "" if len(found.systems) == 2 else f" than the other {_count(len(found.systems) - 1)} systems"
        shown = " and ".join(f"{sentence_name(f)} {_lead_over(found, f, who)}" for f in fs[:2])
        return f"{who} ranks significantly better{rest}: {shown}"
    f = ranking[0]
    if len(found.leaders[f.name]) == len(found.systems):
        return f"All systems have the same {sentence_name(f)} ({_shown(found, found.systems[0], f.name)})"
    return _no_winner(found, f) if len(winners_of(found, f.name)) == len(found.systems) else _some_winners(found, f)


def _probability_clauses(found: Comparison, by_name: dict[str, AnyMeasure], ranking: list[AnyMeasure]) -> list[str]:
    """Return who has the better probabilities, and whose log loss is infinite."""
    said = []
    f = next((by_name[name] for name in PROBABILITIES if name in by_name), None)
    if f is not None and len(found.leaders[f.name]) < len(found.systems):
        who, name = _alone(found, f), sentence_name(f)
        if who is None:
            shown = f" ({_each_value(found, f)})" if len(found.systems) == 2 else ""
            best = winners_of(found, f.name)
            none = len(best) == len(found.systems)
            said.append(
                f"no significant difference in {name}{shown}" if none else f"{_some(best)} have the best {name}"
            )
        elif who in {_alone(found, x) for x in ranking}:
            said.append(
                f"the probabilities of {who} are significantly better, too ({name} {_lead_over(found, f, who)})"
            )
        else:
            said.append(f"{who} has significantly better probabilities ({name} {_lead_over(found, f, who)})")
    if "log_loss" in by_name:
        endless = [x for x in found.systems if math.isinf(found.score(x, "log_loss")["value"])]
        if endless:
            said.append(f"the log loss of {_some(endless)} is infinite, as a true class got the probability 0")
    return said


def _label_sentence(found: Comparison, f: AnyMeasure) -> str:
    """Return who has the better labels at the threshold."""
    at, name = found.source.threshold, sentence_name(f)
    where = "Of the classes with the highest scores" if at is None else f"At the threshold {at:g}"
    who, best = _alone(found, f), found.leaders[f.name]
    if len(best) == len(found.systems):
        every = "both" if len(best) == 2 else "all systems"
        return f"{where}, {every} have the same {name} ({_shown(found, best[0], f.name)})"
    if who is not None:
        return f"{where}, {who} is significantly better on {name} ({_lead_over(found, f, who)})"
    if len(found.systems) == 2:
        return f"{where}, there is no significant difference in {name} ({_each_value(found, f)})"
    near = [x for x in winners_of(found, f.name) if x != best[0]]
    value = _shown(found, best[0], f.name)
    return f"{where}, {best[0]} has the best {name} ({value}), with no significant difference from {_some(near)}"


@built_once
def better_threshold(result: Result) -> tuple[Best, float, Measure] | None:
    """Return the best threshold of the best system, the value at the one that was used, and the measure.

    None where the threshold that was used is not significantly worse than the best one would be on new items.
    """
    if result.swept is None or result.scored is None or result.scored.threshold is None:
        return None
    f, settings = leading(result.settings.measures), result.settings
    if not isinstance(f, Measure) or settings.confidence is None:
        return None
    system = best_part(result).system
    value = _value(best_part(result), f)
    try:
        group = system if len(result.systems) > 1 else None
        level = 1 - (1 - settings.confidence) * result.claims.get(significance.THRESHOLDS, 1.0)
        best = result.swept.best(f, group, confidence=level, seed=settings.seed)
    except InputError:  # the measure is undefined at every threshold
        return None
    return (best, value, f) if is_poor(value, best, f.orientation, settings.confidence) else None


def threshold_sentence(result: Result) -> str:
    """Return that the threshold is a poor one, and which would be better on new items; empty if it is not."""
    found = better_threshold(result)
    if found is None or result.scored is None:
        return ""
    best, value, f = found
    if best.honest is None:
        return ""
    whose = f" of {best_part(result).system}" if len(result.systems) > 1 else ""
    return (
        f" {result.scored.threshold:g} is a poor threshold: at {best.threshold:.3g}, {sentence_name(f)}{whose} is "
        f"{value_text(best.value)} instead of {value_text(value)}, and {value_text(best.honest)} is expected on new "
        "items."
    )


def _of_one_with_scores(result: Result, part: SystemScores) -> str:
    """Return how one system ranks, and how good its labels are at the threshold."""
    ranking = ranks(result)
    row, who = _row(part, ranking[0].name), "The classifier" if part.system in UNNAMED else part.system
    if row is None or math.isnan(row.value):
        return f"{who} has no value of {sentence_name(ranking[0])}: it is undefined on these data."
    beyond, name = against_chance(row, part.settings.confidence, result.claims), sentence_name(ranking[0])
    values = [f"{name} {value_text(row.value)} against {chance_text(row.chance)}"]
    values += [f"{sentence_name(f)} {value_text(_value(part, f))}" for f in ranking[1:2]]
    shown = f"({'; '.join(values)})"
    if beyond is None:
        said = f"The {name} of {_in_sentence(who)} is {value_text(row.value)}"
    elif not beyond:
        said = f"{who} does not rank significantly better than random guessing {shown}"
    else:
        said = (
            f"{who} ranks significantly {'better' if row.value > row.chance else 'worse'} than random guessing {shown}"
        )
    f = leading(result.settings.measures)
    if f is None or result.scored is None:
        return f"{said}."
    at = result.scored.threshold
    where = "With the class of the highest score" if at is None else f"At the threshold {at:g}"
    return f"{said}. {_labels_of_one(part, f, where, result.claims)}.{threshold_sentence(result)}"


def _labels_of_one(part: SystemScores, f: AnyMeasure, where: str, claims: Mapping[str, float]) -> str:
    row, name = _row(part, f.name), sentence_name(f)
    if row is None or math.isnan(row.value):
        return f"{where}, {name} is undefined"
    beyond = against_chance(row, part.settings.confidence, claims)
    if beyond is False:
        return f"{where}, its labels are not significantly better than random guessing ({name} {value_text(row.value)})"
    return f"{where}, {name} is {value_text(row.value)}{_weakest(part)}"


# one system, and systems that were not compared


def _of_one(part: SystemScores, f: AnyMeasure, claims: Mapping[str, float]) -> str:
    """Return how one system stands against random guessing and the majority-class baseline."""
    row = _row(part, f.name)
    name, who = sentence_name(f), "The classifier" if part.system in UNNAMED else part.system
    if row is None or math.isnan(row.value):
        return f"{who} has no value of {name}: it is undefined on these data."
    weakest = _weakest(part)
    beyond = against_chance(row, part.settings.confidence, claims)
    if beyond is None:
        by_chance = "" if math.isnan(row.chance) else f" (random guessing: {chance_text(row.chance)})"
        return f"The {name} of {_in_sentence(who)} is {value_text(row.value)}{by_chance}{weakest}."
    if not beyond:
        ends = f"[{value_text(row.low)}, {value_text(row.high)}]"
        inside = row.low <= row.chance <= row.high
        why = (
            f"includes {chance_text(row.chance)}"
            if inside
            else (f"excludes {chance_text(row.chance)}, but not clearly enough among all that this report could claim")
        )
        return (
            f"{who} is not significantly better than random guessing: its {name} is {value_text(row.value)}, and the "
            f"confidence interval {ends} {why}."
        )
    if (row.value > row.chance) == (f.orientation == LOWER):
        return f"{who} is significantly worse than random guessing ({_against(name, row)})."
    return f"{who} is significantly better than random guessing ({_against(name, row)}){_and_baseline(part)}{weakest}."


def _of_outcomes(result: Result, part: SystemScores) -> str:
    """Return the values of one system's outcomes, the first with its interval."""
    who = "" if part.system in UNNAMED or result.source.kind != ARRAYS else f" of {part.system}"
    said = []
    for f in measures_of(result):
        row = _row(part, f.name)
        if row is not None and not math.isnan(row.value):
            ends = "" if math.isnan(row.low) else f" ({value_text(row.low)} to {value_text(row.high)})"
            said.append(f"{sentence_name(f)}{who} is {value_text(row.value)}{ends}")
            who = ""
    return f"The {names_text(said)}." if said else "There are no outcomes."


def _in_sentence(who: str) -> str:
    return "the classifier" if who == "The classifier" else who


def _against(name: str, row: Row) -> str:
    return f"{name} {value_text(row.value)} against {chance_text(row.chance)}"


def _and_baseline(part: SystemScores) -> str:
    """Return how accuracy stands against that of always predicting the majority class, if it was measured."""
    value, lazy = part.value(_ACCURACY), part.constant_values.get(_ACCURACY)
    if value is None or lazy is None or math.isnan(value) or math.isnan(lazy):
        return ""
    always = f"always predicting {label_text(part.constant)!r} ({_shares_that_differ(value, lazy)})"
    if value < lazy:
        return f", but less accurate than {always}"
    if any(hardly_better(part)):
        return f", but not significantly more accurate than {always}"
    return f" and more accurate than {always}"


def _shares_that_differ(value: float, other: float) -> str:
    """Return two shares in per cent with as many decimals, up to three, as show which is larger.

    >>> _shares_that_differ(0.9897, 0.99), _shares_that_differ(0.5, 0.25), _shares_that_differ(0.9, 0.9)
    ('98.97% against 99.00%', '50.0% against 25.0%', '90.0% against 90.0%')
    """
    for digits in (1, 2, 3) if value != other else (1,):
        texts = [f"{100 * x:.{digits}f}%" for x in (value, other)]
        if texts[0] != texts[1]:
            break
    return " against ".join(texts)


def _weakest(part: SystemScores) -> str:
    """Return the class with the lowest recall, as the end of a sentence."""
    recalls = [x for x in part.rows if x.label is not None and x.measure == "recall" and not math.isnan(x.value)]
    if len(recalls) < 2:
        return ""
    worst = min(recalls, key=lambda x: x.value)
    if worst.value == max(x.value for x in recalls):
        return ""
    among = _among(part, worst, len(recalls))
    return f"; it finds {share_text(worst.value)} of {label_text(worst.label)!r}, its weakest class{among}"


def _among(part: SystemScores, worst: Row, classes: int) -> str:
    """Return the interval of the recall of a class that was chosen because it is the lowest.

    It is one of as many intervals as there are classes that hold the true recalls of all classes at once (Šidák 1967).
    """
    if part.settings.confidence is None:
        return ""
    units, k = units_of(part.sample), part.matrix.labels.index(worst.label)
    found = proportion((units.rows == k) & (units.cols == k), units.rows == k, units)
    if found is None:
        return ""
    level = part.settings.confidence ** (1 / classes)
    low, high = wilson(found, reach_of(level, found.freedom))
    return f" ({share_text(low)} to {share_text(high)}, allowing for the choice)"


def _row(part: SystemScores, measure: str) -> Row | None:
    every = (*part.rows, *part.score_rows)
    return next((row for row in every if row.label is None and row.measure == measure), None)


def _untested(parts: list[SystemScores], f: AnyMeasure, why: str) -> str:
    known = [(part.system, _value(part, f)) for part in parts if not math.isnan(_value(part, f))]
    name = sentence_name(f)
    if not known:
        return f"{display_name(f)} is undefined for every system."
    ranked = places([value for _, value in known], higher=f.orientation != LOWER)
    order = [x for _, x in sorted(zip(ranked, known, strict=True), key=lambda x: x[0] or math.inf)]
    (who, value), rest = order[0], order[1:]
    first = [system for rank, (system, _) in zip(ranked, known, strict=True) if rank == 1]
    if len(first) > 1:
        return f"{_some(first)} have the same {name} ({value_text(value)})."
    after = f", ahead of {rest[0][0]} ({value_text(rest[0][1])})" if rest else ""
    said = f"{who} has the best {name} ({value_text(value)}){after}"
    return f"{said}; whether the difference is significant {why}."


def _of_labels(result: Result, f: AnyMeasure) -> str:
    """Return how well the labels of multilabel data are predicted: on average, and the weakest one."""
    parts = [part for part in wholes(result) if not math.isnan(_value(part, f))]
    name = display_name(f)
    if not parts:
        return f"{name} is undefined for every label."
    ordered = sorted(parts, key=lambda part: _value(part, f), reverse=f.orientation == LOWER)
    worst, best = ordered[0], ordered[-1]
    mean = next((x for x in result.averages if x.average == "macro" and x.measure == f.name), None)
    average = "" if mean is None else f", {value_text(mean.value)} on average"
    ends = f"from {value_text(_value(worst, f))} ({worst.system}) to {value_text(_value(best, f))} ({best.system})"
    return f"{name} of the {len(parts)} labels ranges {ends}{average}."
