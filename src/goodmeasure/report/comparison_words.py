"""A comparison in sentences: who wins, how ranks move from measure to measure, and what turns an order around."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np

from goodmeasure.catalogue.measure import LOWER, NEITHER, Measure
from goodmeasure.comparison.disagreement import CONSISTENT, disagreement
from goodmeasure.comparison.result import Comparison
from goodmeasure.report.numbers import count_text, level_text, many

NO_TURNS = "No two measures put two systems in opposite order."
_TOLD = 3  # flips that are explained
_MOST_CLASSES = 200  # beyond them, what turns an order around is not worked out


def summary_lines(found: Comparison) -> list[str]:
    """What to know if you read nothing else."""
    if len(found.systems) < 2:
        return []
    by_set: dict[tuple[str, ...], list[str]] = {}
    for measure, winners in found.winners.items():
        by_set.setdefault(winners, []).append(measure)
    lines = []
    level = level_text(found.settings.confidence)
    for winners, measures in sorted(by_set.items(), key=lambda x: -len(x[1])):
        by = ", ".join(measures)
        firsts = list(dict.fromkeys(_best(found, measure) for measure in measures))  # of each, all that share rank 1
        best = " or ".join(_listed(x) for x in firsts)
        verb = "has" if len(firsts[0]) == 1 else "have"
        near = [x for x in winners if not any(x in first for first in firsts)]
        if len(winners) == 1:
            lines.append(f"{winners[0]} is the best by {by}, told from every other system at {level} confidence.")
        elif len(firsts) == 1 and len(firsts[0]) == len(found.systems):
            lines.append(f"All systems have the same value of {by}.")
        elif len(winners) == len(found.systems):
            lines.append(f"No system can be told from the best ({best}) by {by}.")
        else:
            them = "it" if len(firsts[0]) == 1 else "them"
            others = f", told from every other system at {level} confidence"
            told = f"; {', '.join(near)} cannot be told from {them}" if near else others
            lines.append(f"{best} {verb} the best value of {by}{told}.")
    return lines


def _best(found: Comparison, measure: str) -> tuple[str, ...]:
    """Who has rank 1."""
    return tuple(system for system, rank in found.ranks[measure].items() if rank == 1)


def _listed(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def rank_lines(found: Comparison) -> list[str]:
    """Whether the measures agree on the order, who is first most often, and whose rank moves most."""
    ranks = {measure: row for measure, row in found.ranks.items() if all(x is not None for x in row.values())}
    if len(found.systems) < 2 or len(ranks) < 2:
        return []
    orders = {tuple(row[x] for x in found.systems) for row in ranks.values()}
    if len(orders) == 1:
        row = next(iter(ranks.values()))
        if len(set(row.values())) == 1:
            return [f"No measure tells the systems apart: under each of {len(ranks)} all share rank 1."]
        order = ", ".join(" = ".join(x for x in found.systems if row[x] == rank) for rank in _places(row))
        return [f"All {len(ranks)} measures put the systems in the same order: {order}."]
    firsts = {x: [name for name, row in ranks.items() if row[x] == 1] for x in found.systems}
    most = max(len(x) for x in firsts.values())
    leaders = [x for x in found.systems if len(firsts[x]) == most]
    missing = [name for name in ranks if name not in firsts[leaders[0]]]
    but = f", all but {', '.join(missing)}" if 0 < len(missing) <= 3 and len(leaders) == 1 else ""
    every = (
        f"{len(ranks)} measures"
        if len(ranks) == len(found.ranks)
        else f"the {len(ranks)} measures that rank every system"
    )
    who = f"{leaders[0]} has" if len(leaders) == 1 else f"{_listed(leaders)} each have"
    lines = [f"{who} rank 1 under {most} of {every}{but}."]
    places = {x: [(row[x] or 0, name) for name, row in ranks.items()] for x in found.systems}
    moved = max(found.systems, key=lambda x: max(places[x])[0] - min(places[x])[0])
    (low, low_by), (high, high_by) = min(places[moved]), max(places[moved])
    if high > low:
        lines.append(f"The rank of {moved} moves most: {low} under {low_by}, {high} under {high_by}.")
    return lines


def _places(row: Mapping[str, int | None]) -> list[int]:
    """The ranks that were given, the best first."""
    return sorted({rank for rank in row.values() if rank is not None})


class Turn(NamedTuple):
    """Two systems that two measures put in opposite order, and how clear both orders are (0 to 1)."""

    clear: float
    systems: tuple[str, str]
    measures: tuple[Measure, Measure]


def flip_lines(found: Comparison) -> list[str]:
    """How many pairs of systems the measures turn around, and for the clearest of them why."""
    turns = _turns(found)
    pairs = {x.systems for x in turns}
    size = len(found.systems)
    if size < 2 or len([f for f in found.settings.measures if f.orientation != NEITHER]) < 2:
        return []
    if not turns:
        return [NO_TURNS]
    every = count_text(size * (size - 1) // 2)
    are = "are" if len(pairs) > 1 else "is"
    lines = [f"Of {every} pairs of systems, {count_text(len(pairs))} {are} put in opposite order by some measures."]
    told: dict[tuple[str, str], Turn] = {}
    for turn in sorted(turns, key=lambda x: -x.clear):
        told.setdefault(turn.systems, turn)
    shown = list(told.values())[:_TOLD] if len(found.labels) <= _MOST_CLASSES else []
    return [*lines, *(line for turn in shown for line in _why(found, turn))]


def order_lines(found: Comparison) -> list[str]:
    """Ranks and what turns them around, for one screen: what one line says no other one repeats."""
    return [*rank_lines(found), *(line for line in flip_lines(found) if line != NO_TURNS)]


def _turns(found: Comparison) -> list[Turn]:
    """Every pair of systems and of measures whose orders are opposite."""
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
    """One turn in words: what both measures prefer, what drives it, and whether it may be chance."""
    matrices = {system: found.matrices[system] for system in turn.systems}
    flips = disagreement(list(turn.measures), matrices, ties=CONSISTENT).flips
    if not flips:  # another policy for what is undefined gives other values
        return []
    return [str(flips[0]) + _is_sure(found, turn)]


def _is_sure(found: Comparison, turn: Turn) -> str:
    """Whether the differences may be chance, as far as they were tested."""
    doubtful = []
    for f in turn.measures:
        try:
            row = found.difference(*turn.systems, f.name)
        except ValueError:
            return ""
        if not row["p_corrected"] < 1 - found.settings.confidence:
            doubtful.append(f.name)
    if not doubtful:
        return " Neither difference is likely to be chance."
    which = "Both differences" if len(doubtful) == 2 else f"The difference under {doubtful[0]}"
    return f" {which} may be chance."


def title(found: Comparison) -> str:
    """How much is compared."""
    systems = len(found.systems)
    classes = many(len(found.labels), "class", "classes")
    return f"{many(systems, 'system')}: {many(found.items, 'item')}, {classes}"
