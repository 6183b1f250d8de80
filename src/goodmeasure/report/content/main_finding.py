"""The verdict: the one sentence that says what a report finds, from results that are corrected for many tests."""

from __future__ import annotations

import math
from collections.abc import Sequence

from goodmeasure.catalogue.display_names import display_name, names_text, sentence_name, sentence_names
from goodmeasure.catalogue.measure import LOWER, NEITHER, Measure
from goodmeasure.catalogue.scores.measure import ScoreMeasure
from goodmeasure.comparison.comparison import Comparison, comparison_of
from goodmeasure.comparison.system_ranks import places
from goodmeasure.evaluation.result import Result
from goodmeasure.evaluation.scoring import SystemScores
from goodmeasure.evaluation.table import Row
from goodmeasure.evaluation.warnings.class_imbalance import hardly_better
from goodmeasure.report.content.built_once import built_once
from goodmeasure.report.content.sample_sizes import wholes
from goodmeasure.report.numbers import chance_text, label_text, share_text, value_text

LEADING = ("mcc", "sba", "kappa", "balanced_accuracy", "macro(f1)", "roc_auc", "macro(roc_auc)")
UNNAMED = frozenset(
    {"system", "matrix", "pred", "prediction", "predictions", "predicted", "y_pred", "yhat", "y_hat", "score", "scores",
     "y_score", "prob", "proba", "probability"}
)  # fmt: skip  # names of single systems, often of columns, that name nobody
_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_NAMED = 3  # systems or measures that a sentence names
_ACCURACY = "accuracy"
AnyMeasure = Measure | ScoreMeasure


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


def lead_of(result: Result) -> AnyMeasure | None:
    """Return the measure that decides which system of a result is shown first."""
    found = comparison_of(result)
    tested = [f for f in measures_of(result) if found is not None and f.name in found.winners]
    return leading(tested or measures_of(result))


@built_once
def best_part(result: Result) -> SystemScores:
    """Return the system with the best value of the leading measure, on all items."""
    parts, f = wholes(result), lead_of(result)
    if f is None or not result.rivals:
        return parts[0]
    order = places([_value(part, f) for part in parts], higher=f.orientation != LOWER)
    return next((part for part, rank in zip(parts, order, strict=True) if rank == 1), parts[0])


def _value(part: SystemScores, f: AnyMeasure) -> float:
    found = part.value(f.name)
    return math.nan if found is None else found


@built_once
def verdict(result: Result) -> str:
    """Return the verdict on an evaluation."""
    found, f, parts = comparison_of(result), lead_of(result), wholes(result)
    if f is None:
        return "Nothing was measured that has a best value."
    if not result.rivals:
        return _of_labels(result, f)
    if len(parts) == 1:
        return _of_one(parts[0], f)
    if found is not None and f.name in found.winners:
        return comparison_verdict(found)
    return _untested(parts, f)


# several systems that were compared in pairs


def comparison_verdict(found: Comparison) -> str:
    """Return the verdict on a comparison: who is significantly better than whom, and what the price is."""
    f = leading([x for x in found.settings.measures if x.name in found.winners])
    if f is None or len(found.systems) < 2:
        return "There is nothing to compare."
    winners, best = found.winners[f.name], found.best[f.name]
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
    rest = [name for name, winners in found.winners.items() if name != f.name]
    also = [name for name in rest if found.winners[name] == (who,)]
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
    name, winners = sentence_name(f), found.winners[f.name]
    best, near = found.best[f.name][0], [x for x in winners if x != found.best[f.name][0]]
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
        better = found.winners.get(one, ())
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
    for name, alone in found.winners.items():
        if name != f.name and len(alone) == 1 and (len(winners) > 1 or alone[0] != winners[0]):
            by_system.setdefault(alone[0], []).append(shown[name])
    if not by_system:
        return ""
    rival, names = max(by_system.items(), key=lambda x: len(x[1]))
    return f"; {rival} is significantly better on {_some(names)}"


# one system, and systems that were not compared


def _of_one(part: SystemScores, f: AnyMeasure) -> str:
    """Return how one system stands against random guessing and the majority-class baseline."""
    row = _row(part, f.name)
    name, who = sentence_name(f), "The classifier" if part.system in UNNAMED else part.system
    if row is None or math.isnan(row.value):
        return f"{who} has no value of {name}: it is undefined on these data."
    weakest = _weakest(part)
    if math.isnan(row.low) or math.isnan(row.chance):
        by_chance = "" if math.isnan(row.chance) else f" (random guessing: {chance_text(row.chance)})"
        return f"{who} has a value of {value_text(row.value)} in {name}{by_chance}{weakest}."
    if row.low <= row.chance <= row.high:
        ends = f"[{value_text(row.low)}, {value_text(row.high)}]"
        return (
            f"{who} is not significantly better than random guessing: its {name} is {value_text(row.value)}, and the "
            f"confidence interval {ends} includes {chance_text(row.chance)}."
        )
    if (row.value > row.chance) == (f.orientation == LOWER):
        return f"{who} is significantly worse than random guessing ({_against(name, row)})."
    return f"{who} is significantly better than random guessing ({_against(name, row)}){_and_baseline(part)}{weakest}."


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

    >>> _shares_that_differ(0.9897, 0.99), _shares_that_differ(0.5, 0.25)
    ('98.97% against 99.00%', '50.0% against 25.0%')
    """
    for digits in (1, 2, 3):
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
    return f"; it finds {share_text(worst.value)} of {label_text(worst.label)!r}, its weakest class"


def _row(part: SystemScores, measure: str) -> Row | None:
    every = (*part.rows, *part.score_rows)
    return next((row for row in every if row.label is None and row.measure == measure), None)


def _untested(parts: list[SystemScores], f: AnyMeasure) -> str:
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
    return f"{said}; whether the difference is significant was not tested."


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
