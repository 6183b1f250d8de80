"""The tables of one comparison: values with ranks, differences with corrected p-values, winners, and agreement."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Reversible, Sequence
from itertools import combinations
from typing import cast

import numpy as np

from goodmeasure.catalogue.measure import NEITHER
from goodmeasure.comparison.comparison import Comparison
from goodmeasure.comparison.group_swaps import about_groups
from goodmeasure.comparison.inference import Inference, Tests
from goodmeasure.comparison.paired_data import BOOTSTRAP, NORMAL, SystemPair, WantedTests
from goodmeasure.comparison.rows import AgreementRow, DifferenceRow, EnsembleRow, ScoreRow
from goodmeasure.comparison.selection import worth_of_best
from goodmeasure.comparison.settings import ALL, FEW, SYSTEMS, best_of, is_higher
from goodmeasure.comparison.system_ranks import best_shares, kendall, mean_places, place_intervals, places, spearman
from goodmeasure.counts.sample import Slice
from goodmeasure.evaluation.p_values import holm
from goodmeasure.evaluation.provenance import Provenance
from goodmeasure.evaluation.significance import DIFFERENCES, UNBUDGETED
from goodmeasure.evaluation.slices import slice_value, slice_words
from goodmeasure.evaluation.warnings.traps import MANY_SYSTEMS
from goodmeasure.typing import Array

FullRow = dict[str, object]  # the columns that any kind of data has; each kind says which of them it shows
TestedPair = tuple[SystemPair, int]  # two systems and the quantity that they are compared in


def comparison_of(
    found: Inference, source: Provenance, notes: Sequence[str] = (), piece: Slice | None = None,
    slices: Reversible[Slice] = (),
) -> Comparison:  # fmt: skip
    """Return the comparison of all systems on one slice, which is one of `slices`; None stands for all items."""
    systems, where = found.systems, slice_value(piece, slices)
    bests = [best_of(found.values[:, i].tolist(), f) for i, f in enumerate(found.quantities)]
    shown = [found.settings.shown_pairs(systems, best[0] if best else None) for best in bests]
    tests = found.tests(_wanted(shown, bests, len(systems)), found.family(winners=True))
    ranks, shares, rank_ends = dict[str, dict[str, int | None]](), dict[str, dict[str, float]](), dict[str, Array]()
    worth: dict[str, tuple[float, float, float]] = {}
    for i, f in enumerate(found.quantities):
        ranks[f.name] = dict.fromkeys(systems)
        if f.orientation != NEITHER:
            higher, varying = is_higher(f), found.varying(i)
            ranks[f.name].update(zip(systems, places(found.values[:, i].tolist(), higher=higher), strict=True))
            shares[f.name] = dict(zip(systems, best_shares(varying, higher=higher).tolist(), strict=True))
            rank_ends[f.name] = place_intervals(varying, found.settings.confidence, higher=higher)
            if bests[i]:
                alone = found.score_intervals(bests[i][0])[i]
                worth[f.name] = worth_of_best(
                    found.values[:, i], varying, bests[i][0], (alone.low, alone.high), found.settings.confidence,
                    higher=higher,
                )  # fmt: skip
    rows = {
        "scores": _scores(found, ranks, shares, rank_ends),
        "differences": _differences(found, shown, tests, piece is None),
        "ensemble": _ensemble(found), "agreement": _agreement(found),
    }  # fmt: skip
    tables = {
        name: tuple({key: where if key == "slice" else row[key] for key in columns} for row in rows[name])
        for name, columns in found.columns.items()
    }
    said = _about_ranks(found) if "rank" in found.columns["scores"] and len(systems) > 1 else []
    if len(systems) >= MANY_SYSTEMS and worth:
        name, (expected, low, high) = next(iter(worth.items()))
        said.append(
            f"the best of {len(systems)} systems was chosen for its value, which is optimistic: on new items, expect "
            f"{name} {expected:.3f} ({low:.3f} to {high:.3f}); .best(measure) says it of each measure"
        )
    unbudgeted = [] if found.settings.page else [UNBUDGETED]
    return Comparison(
        systems=systems, measures=tuple(f.name for f in found.settings.measures), labels=found.labels,
        items=found.items, scores=cast("tuple[ScoreRow, ...]", tables["scores"]),
        differences=cast("tuple[DifferenceRow, ...]", tables["differences"]),
        ensemble=cast("tuple[EnsembleRow, ...]", tables.get("ensemble", ())),
        agreement=cast("tuple[AgreementRow, ...]", tables.get("agreement", ())),
        ranks=ranks, winners=_winners(found, bests, tests, piece is None), best_probability=shares,
        notes=(*notes, *about_groups(found.group), *said, *unbudgeted), settings=found.settings, source=source,
        samples=dict(zip(systems, found.samples, strict=False)), columns=found.columns, slice=where,
        slice_words="" if piece is None else slice_words(piece, slices), where=piece, worth=worth,
    )  # fmt: skip


def _scores(
    found: Inference, ranks: dict[str, dict[str, int | None]], shares: dict[str, dict[str, float]],
    rank_ends: dict[str, Array],
) -> Iterator[FullRow]:  # fmt: skip
    """Yield the row of each system in each quantity."""
    for k, system in enumerate(found.systems):
        for i, (f, interval) in enumerate(zip(found.quantities, found.score_intervals(k), strict=True)):
            rank = ranks[f.name][system]
            low, high = (None, None) if rank is None else rank_ends[f.name][k].tolist()
            yield {
                "system": system, **found.named(i), "value": float(found.values[k, i]), "low": interval.low,
                "high": interval.high, "standard_error": interval.deviation, "method": interval.method, "rank": rank,
                "rank_low": low, "rank_high": high, "reason": found.reasons[k][i],
                "best_probability": math.nan if rank is None else shares[f.name][system],
            }  # fmt: skip


def _wanted(shown: list[list[SystemPair]], bests: list[list[int]], size: int) -> WantedTests:
    """Return the tests that are needed, by pair: those that are shown, and the best systems against every other."""
    wanted: WantedTests = {}
    for i, (pairs, best) in enumerate(zip(shown, bests, strict=True)):
        against = [(first, k) for first in _tested(best) for k in range(size) if k != first]
        for k, j in dict.fromkeys((min(pair), max(pair)) for pair in [*pairs, *against]):
            wanted.setdefault((k, j), []).append(i)
    return wanted


def _tested(best: list[int]) -> list[int]:
    """Return the best systems that others are tested against: all of them, unless there are very many.

    So many systems with exactly the same value are most likely the same predictions, and testing against one of them is
    enough.
    """
    return best if len(best) <= FEW else best[:1]


def _differences(found: Inference, shown: list[list[SystemPair]], tests: Tests, whole: bool) -> Iterator[FullRow]:
    """Yield the rows of paired differences, with p-values corrected over all tests that could have been made."""
    made = {(pair, i): tests[(min(pair), max(pair)), i] for i, pairs in enumerate(shown) for pair in pairs}
    corrected = _corrected(found, {key: test.p for key, test in made.items()}, found.family())
    claims, level = _claims(found, tests, found.settings.pairs, whole), round(1 - found.settings.confidence, 12)
    within = _margin_p_values(found, made)
    for (pair, i), test in made.items():
        interval, (k, j) = found.difference_interval(i, pair, test.p), pair
        yield {
            **found.named(i), "a": found.systems[k], "b": found.systems[j],
            "difference": float(found.values[k, i]) - float(found.values[j, i]), "low": interval.low,
            "high": interval.high, "p": test.p, "p_corrected": corrected[pair, i],
            "p_family": corrected[pair, i] if claims is None else claims[(min(pair), max(pair)), i],
            "family": None if found.settings.page is None else DIFFERENCES, "level": level, "method": test.method,
            "interval": interval.method, **within[pair, i], "reason": interval.reason or None,
        }  # fmt: skip


def _claims(found: Inference, tests: Tests, pairs: str, whole: bool) -> dict[TestedPair, float] | None:
    """Return the p-values that claims on a page rest on, whose errors add up to its level; None without a budget."""
    size, s = len(found.systems), found.settings
    if not s.jointly:
        return None
    base = found.systems.index(pairs) if pairs in found.systems else None
    every = [x for x in combinations(range(size), 2) if base is None or base in x]
    mine = 1.0 if s.tables == 1 else 0.5 if whole else 0.5 / (s.tables - 1)  # half for all items, half for slices
    return {key: min(1.0, p / (s.share * mine)) for key, p in found.jointly(tests, every).items()}


def _margin_p_values(found: Inference, keys: Iterable[TestedPair]) -> dict[TestedPair, FullRow]:
    """Return the p-values of non-inferiority and equivalence, corrected over as many pairs as those of differences.

    Two systems are equivalent where both are non-inferior; each of the two tests has the level of the whole, since both
    must reject (two one-sided tests: Schuirmann 1987). Equivalence is corrected by Holm's method. Of the two claims of
    non-inferiority of one pair, at most one can be false, so that multiplying by the number of pairs keeps the
    probability of any false claim below the level.
    """
    margin, family = found.settings.margin, found.family()
    names = ("p_a_noninferior", "p_b_noninferior", "p_equivalent")
    if margin is None:
        return {key: dict.fromkeys(names) for key in keys}
    tested = {(pair, i): found.margin_tests(i, pair, margin) for pair, i in keys}
    both = {key: math.nan if any(map(math.isnan, p)) else max(p) for key, p in tested.items()}
    equivalent, rows = _corrected(found, both, family), dict[TestedPair, FullRow]()
    for key, p in tested.items():
        f = found.quantities[key[1]]
        above, below = (math.nan if f.orientation == NEITHER or math.isnan(x) else min(1.0, x * family) for x in p)
        claims = (above, below) if is_higher(f) else (below, above)
        rows[key] = dict(zip(names, (*claims, equivalent[key]), strict=True))
    return rows


def _corrected(found: Inference, p: Mapping[TestedPair, float], family: int) -> dict[TestedPair, float]:
    """Return the corrected p-values of some tests: measure by measure, or of all measures at once."""
    groups: dict[int | None, list[TestedPair]] = {}
    for key in p:
        groups.setdefault(key[1] if found.settings.correct == SYSTEMS else None, []).append(key)
    return {
        key: x for keys in groups.values() for key, x in zip(keys, holm([p[key] for key in keys], family), strict=True)
    }


def _winners(found: Inference, bests: list[list[int]], tests: Tests, whole: bool) -> dict[str, tuple[str, ...]]:
    """Return, for each measure, the systems that are not significantly worse than the best one.

    Which system is the best is chosen by the same data, so every system could have been tested against every other:
    p-values are corrected over all pairs. If all systems are alike, the probability that any of them is left out is
    then at most the level, and in any case this holds for those that are as good as the truly best one. (Correcting
    only over the comparisons with the best, as if it had been known beforehand, leaves one of twenty alike systems out
    in 23% of data sets.) Where several systems share the best value, a system stays if it is not significantly
    different from at least one of them: which of them comes first is chance.
    """
    every = len(found.systems) * (len(found.systems) - 1) // 2 * len(found.quantities)
    if len(tests) < every:  # which of the other pairs were tested must not matter
        tests = {(pair, i): x for (pair, i), x in tests.items() if set(pair) & set(_tested(bests[i]))}
    corrected = _claims(found, tests, ALL, whole) or _corrected(
        found, {key: x.p for key, x in tests.items()}, found.family(winners=True)
    )
    winners = {}
    for i, (f, best) in enumerate(zip(found.quantities, bests, strict=True)):
        near = set(best)
        for first in _tested(best):
            others = [k for k in range(len(found.systems)) if k != first and not math.isnan(found.values[k, i])]
            p = {k: corrected[(min(first, k), max(first, k)), i] for k in others}
            near |= {k for k, x in p.items() if not x < 1 - found.settings.confidence and _compares(found, i, first, k)}
        if best:
            winners[f.name] = tuple(name for k, name in enumerate(found.systems) if k in near)
    return winners


def _compares(found: Inference, i: int, best: int, other: int) -> bool:
    """Return whether a system can be tested against the best one: an infinite value beside a finite one cannot.

    A loss is infinite where a true class has the probability 0. That happened, so the expected loss is infinite too,
    whatever other items would show: there is nothing to test.
    """
    return not (math.isinf(found.values[other, i]) and math.isfinite(found.values[best, i]))


def _ensemble(found: Inference) -> Iterator[FullRow]:
    """Yield the rows of the ensemble score: the mean of several measures on a scale from 0 to 1."""
    together, answer = found.settings.ensemble, found.parts[0].ensemble()
    if together is None or answer is None:
        return
    scores, varying, ends = answer
    ranked = [mean_places(found.values[:, i].tolist(), higher=is_higher(found.quantities[i])) for i in together.places]
    means, shares, order = np.mean(ranked, axis=0), best_shares(varying), places(scores.tolist())
    for k, system in enumerate(found.systems):
        yield {
            "system": system, "score": float(scores[k]), "low": ends[k][0], "high": ends[k][1], "rank": order[k],
            "mean_rank": float(means[k]), "best_probability": float(shares[k]),
        }  # fmt: skip


def _agreement(found: Inference) -> Iterator[FullRow]:
    """Yield how far each pair of measures agrees on the order of the systems."""
    ranked = [i for i, f in enumerate(found.quantities) if f.orientation != NEITHER and len(found.systems) > 1]
    signed = {i: (found.values[:, i] * (1 if is_higher(found.quantities[i]) else -1)).tolist() for i in ranked}
    for i, j in combinations(ranked, 2):
        yield {
            "measure": found.quantities[i].name, "other": found.quantities[j].name,
            "kendall": kendall(signed[i], signed[j]), "spearman": spearman(signed[i], signed[j]),
        }  # fmt: skip


def _about_ranks(found: Inference) -> list[str]:
    """Return how ranks and the probability of being best were found."""
    s = found.settings
    if found.draws_items:
        what = "groups" if found.group is not None else "items"
        return [f"paired {BOOTSTRAP}, {s.replicates:,} resamples of the {what} (random seed {s.seed})"]
    return [f"{NORMAL} approximation with the covariances of the systems' influence functions ({s.replicates:,} draws "
            f"for ranks and the probability of being best, random seed {s.seed})"]  # fmt: skip
