"""A comparison in sentences: who wins, how ranks change between measures, and why measures disagree."""

from __future__ import annotations

import math
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from goodmeasure.catalogue.display_names import names_text, sentence_name, sentence_names
from goodmeasure.catalogue.measure import LOWER, NEITHER, Measure
from goodmeasure.comparison.comparison import Comparison
from goodmeasure.comparison.disagreement import CONSISTENT, disagreement
from goodmeasure.report.content.built_once import built_once
from goodmeasure.report.content.first_screen import positive_class
from goodmeasure.report.content.significance import differ, winners_of
from goodmeasure.report.numbers import count_text, level_text, many

if TYPE_CHECKING:
    from goodmeasure.catalogue.scores.measure import ScoreMeasure

_TOLD = 3  # disagreements that are explained
_MOST_CLASSES = 200  # beyond that many, the cause of a disagreement is not worked out


@built_once
def summary_lines(found: Comparison) -> list[str]:
    """Return the main findings: which system is best on which measures."""
    if len(found.systems) < 2:
        return []
    every = len(found.systems)
    by_sets: dict[tuple[tuple[str, ...], tuple[str, ...] | None], list[str]] = {}
    for measure in found.winners:
        winners = winners_of(found, measure)
        if len(found.systems) - len(infinite(found, measure)) < 2:  # nothing was compared
            continue
        best = found.leaders[measure]
        apart = len(best) == 1 and len(winners) == every  # one sentence for all such measures
        by_sets.setdefault((winners, None if apart else best), []).append(measure)
    ordered = sorted(by_sets.items(), key=lambda x: -len(x[1]))
    said = [_who_wins(found, winners, best, measures) for (winners, best), measures in ordered]
    return [*said, *infinite_lines(found)]


def infinite(found: Comparison, measure: str) -> tuple[str, ...]:
    """Return the systems whose value of a measure is infinite."""
    return tuple(x["system"] for x in found.scores if x["measure"] == measure and math.isinf(x["value"]))


def infinite_lines(found: Comparison) -> list[str]:
    """Return the measures that are infinite, of which systems, and what follows from it."""
    lines, shown = [], sentence_names(found.settings.measures)
    for measure in found.winners:
        systems, name = infinite(found, measure), _first_capital(shown[measure])
        finite = [x for x in found.systems if x not in systems]
        if not systems:
            continue
        if not finite:
            lines.append(f"{_first_capital(shown[measure])} is infinite for every system, so it cannot rank them.")
            continue
        gives = "it gives" if len(systems) == 1 else "each gives"
        lines.append(
            f"{name} of {names_text(systems)} is infinite, since {gives} a true class the probability 0: "
            f"{names_text(finite)} {'is' if len(finite) == 1 else 'are'} better, and no test is needed."
        )
    return lines


def _first_capital(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}"


def _who_wins(found: Comparison, winners: tuple[str, ...], best: tuple[str, ...] | None, measures: list[str]) -> str:
    """Return which system is best on these measures; `best` is None where no difference is significant."""
    shown = sentence_names(found.settings.measures)
    by, level = ", ".join(shown[x] for x in measures), f"at the {level_text(1 - found.settings.confidence)} level"
    if best is None:
        names = sorted({found.leaders[measure][0] for measure in measures})
        if len(found.systems) == 2:
            return f"There is no significant difference between {names_text(found.systems)} in {by} ({level})."
        return f"No system is significantly worse than the best ({' or '.join(names)}) in {by} ({level})."
    if len(best) == len(found.systems):
        return f"All systems have the same value of {by}."
    others = "every other system"
    if any(infinite(found, measure) for measure in measures):
        others = "every other system with a finite value"
    elif not _all_defined(found, measures):
        others = "every other system that has a value"
    if len(winners) == 1:
        return f"{best[0]} is significantly better than {others} in {by} ({level})."
    near, one = [x for x in winners if x not in best], len(best) == 1
    says = f"{names_text(best)} {'has' if one else 'share'} the best value of {by}"
    if not near:
        return f"{says} and are significantly better than {others} ({level})."
    return f"{says}; {names_text(near)} {'is' if len(near) == 1 else 'are'} not significantly worse ({level})."


def _all_defined(found: Comparison, measures: list[str]) -> bool:
    """Return whether every system has a value of each of these measures."""
    return all(rank is not None for measure in measures for rank in found.ranks[measure].values())


def note_lines(found: Comparison) -> list[str]:
    """Return what readers must know about the data and the resamples, as sentences."""
    return [f"{_first_capital(note)}." for note in found.notes]


def rank_lines(found: Comparison) -> list[str]:
    """Return whether the measures agree on the order, who is first most often, and whose rank varies most."""
    shown = sentence_names(found.settings.measures)
    ranks = {shown[name]: row for name, row in found.ranks.items() if all(x is not None for x in row.values())}
    if len(found.systems) < 2 or len(ranks) < 2:
        return []
    orders = {tuple(row[x] for x in found.systems) for row in ranks.values()}
    if len(orders) == 1:
        row = next(iter(ranks.values()))
        every = "both measures" if len(ranks) == 2 else f"all {len(ranks)} measures"
        if len(set(row.values())) == 1:
            return [f"No measure distinguishes the systems: they share rank 1 under {every}."]
        return [f"{every.capitalize()} put the systems in the same order: {_order(row)}."]
    firsts = {x: [name for name, row in ranks.items() if row[x] == 1] for x in found.systems}
    most = max(map(len, firsts.values()))
    leaders = [x for x in found.systems if len(firsts[x]) == most]
    missing = [name for name in ranks if name not in firsts[leaders[0]]]
    same = all(firsts[x] == firsts[leaders[0]] for x in leaders)
    but = f", all but {', '.join(missing)}" if same and 0 < len(missing) <= 3 else ""
    who = f"{names_text(leaders)} {'has' if len(leaders) == 1 else 'share' if same else 'each have'} rank 1"
    ranking = "measures" if len(ranks) == len(found.ranks) else "measures that rank every system"
    lines = [f"{who} under {most} of {len(ranks)} {ranking}{but}."]
    if len(found.systems) == 2:  # which can only change places
        return lines
    places = {x: [(row[x] or 0, name) for name, row in ranks.items()] for x in found.systems}
    moves = {x: max(places[x])[0] - min(places[x])[0] for x in found.systems}
    moved = [x for x in found.systems if moves[x] == max(moves.values())]
    if len(moved) > 1:
        lines.append(f"The ranks of {names_text(moved)} move most, by {many(moves[moved[0]], 'place')}.")
        return lines
    (low, low_by), (high, high_by) = min(places[moved[0]]), max(places[moved[0]])
    lines.append(f"The rank of {moved[0]} moves most: {low} under {low_by}, {high} under {high_by}.")
    return lines


def _order(row: dict[str, int | None]) -> str:
    """Return the systems from the best to the worst; equal ones have = between them."""
    by_rank: dict[int, list[str]] = {}
    for system, rank in row.items():
        by_rank.setdefault(rank or 0, []).append(system)
    return ", ".join(" = ".join(by_rank[rank]) for rank in sorted(by_rank))


class Turn(NamedTuple):
    """Two systems that two measures order differently, and how clear both orders are (0 to 1)."""

    clear: float
    systems: tuple[str, str]
    measures: tuple[Measure | ScoreMeasure, Measure | ScoreMeasure]


def can_disagree(found: Comparison) -> bool:
    """Return whether there are two systems to order and two measures to order them."""
    return len(found.systems) > 1 and len([f for f in found.settings.measures if f.orientation != NEITHER]) > 1


def always_agree(found: Comparison) -> bool:
    """Return whether the measures, at least two, order all systems alike."""
    return can_disagree(found) and not _turns(found)


def flip_lines(found: Comparison) -> list[str]:
    """Return how many pairs of systems the measures order differently, with reasons for the clearest pairs."""
    if not can_disagree(found):
        return []
    turns = _turns(found)
    if not turns:
        return ["The measures never disagree about which of two systems is better."]
    pairs, size = {x.systems for x in turns}, len(found.systems)
    every = size * (size - 1) // 2
    where = "" if every == 1 else f" in {count_text(len(pairs))} of {count_text(every)} pairs"
    lines = [f"The measures disagree about which system is better{where}."]
    told: dict[tuple[str, str], Turn] = {}
    for turn in sorted(turns, key=lambda x: -x.clear):
        told.setdefault(turn.systems, turn)
    shown = list(told.values())[:_TOLD] if len(found.labels) <= _MOST_CLASSES else []
    return [*lines, *(line for turn in shown for line in _why(found, turn))]


def order_lines(found: Comparison) -> list[str]:
    """Return, for one screen, the ranking and why measures disagree about it, without repetitions."""
    return [*rank_lines(found), *([] if always_agree(found) else flip_lines(found))]


@built_once
def _turns(found: Comparison) -> list[Turn]:
    """Return every pair of systems that a pair of measures puts in opposite orders."""
    measures = [f for f in found.settings.measures if f.orientation != NEITHER]
    known = {(row["measure"], row["system"]): float(row["value"]) for row in found.scores}
    values = np.array([[known[f.name, x] * (-1 if f.orientation == LOWER else 1) for x in found.systems]
                       for f in measures]).reshape(len(measures), len(found.systems))  # fmt: skip
    values[~np.isfinite(values)] = math.nan
    with np.errstate(invalid="ignore"):
        spread = np.nan_to_num(np.nanmax(values, axis=1, initial=-np.inf) - np.nanmin(values, axis=1, initial=np.inf))
    pairs = list(combinations(range(len(found.systems)), 2))
    gaps = np.array([values[:, b] - values[:, a] for a, b in pairs]).reshape(len(pairs), len(measures))
    gaps = np.where(np.isnan(gaps) | (np.abs(gaps) < 1e-12), 0.0, gaps) / np.where(spread > 0, spread, 1.0)
    turns = []
    for (a, b), gap in zip(pairs, gaps, strict=True):
        for i, j in combinations(range(len(measures)), 2):
            if gap[i] * gap[j] < 0:
                systems = found.systems[a], found.systems[b]
                turns.append(Turn(float(min(abs(gap[i]), abs(gap[j]))), systems, (measures[i], measures[j])))
    return turns


def _why(found: Comparison, turn: Turn) -> list[str]:
    """Return a disagreement in words: what each measure prefers, what causes it, and whether it is significant."""
    if found.source.of_scores:  # confusion matrices do not tell why scores disagree
        return []
    matrices = {system: found.matrices[system] for system in turn.systems}
    flips = disagreement(list(turn.measures), matrices, ties=CONSISTENT).flips
    if not flips:  # the values differ under another policy for 0/0
        return []
    return [str(flips[0]) + _is_sure(found, turn)]


def _is_sure(found: Comparison, turn: Turn) -> str:
    """Return in words whether the differences are significant, as far as they were tested."""
    doubtful = []
    for f in turn.measures:
        known = differ(found, *turn.systems, f.name)
        if known is None:
            return ""
        if not known:
            doubtful.append(sentence_name(f))
    if not doubtful:
        return " Both differences are significant."
    if len(doubtful) == 2:
        return " Neither difference is significant."
    return f" The difference in {doubtful[0]} is not significant."


def title(found: Comparison) -> str:
    """Return the title: how many systems, measures and items are compared."""
    systems = len(found.systems)
    classes = "".join(f", {x}" for x in comparison_classes(found))
    read = f", labels read as {found.source.reading}" if found.source.reading is not None else ""
    pooled = f", {found.source.parts:,} files pooled into one data set" if found.source.parts else ""
    positive = "".join(f", {x}" for x in positive_class(found.source, found.labels))
    return f"{many(systems, 'system')}: {many(found.items, 'item')}{classes}{positive}{read}{pooled}"


def comparison_classes(found: Comparison) -> list[str]:
    """Return how many classes there are; of outcomes, what is known about them."""
    if found.source.of_outcomes:
        return [text for _, text in found.source.facts]
    return [many(len(found.labels), "class", "classes")]
