"""How often paired tests are wrong where nothing is to be found, and right where something is, for docs/comparison.md.

python docs/comparison_study.py [--simulations 4000]
"""

from __future__ import annotations

import argparse
import re
from pathlib import Path
from typing import Any

import numpy as np

from goodmeasure.catalogue.names import measure
from goodmeasure.comparison.compare import _wanted, _winners
from goodmeasure.comparison.computation import Work
from goodmeasure.comparison.settings import Settings, best_of
from goodmeasure.counts.joint import Joint

Array = np.ndarray[Any, Any]
PAGE = Path(__file__).with_name("comparison.md")
MEASURES = ("accuracy", "mcc", "kappa", "macro(f1)", "sba")
TESTS = {
    "exact McNemar": ("accuracy",),
    "mid-p McNemar": ("accuracy",),
    "permutation": MEASURES,
    "bootstrap": MEASURES,
    "normal": MEASURES,
}
METHODS = {"exact McNemar": "exact", "mid-p McNemar": "auto"}  # the others are called by their name
REPLICATES = 199  # (199 + 1) · 5% is whole, so that a permutation test can have exactly this size
SIZE = 0.05


def alike(m: int, right: float, together: float) -> Array:
    """Cells (true, A, B): both systems err alike, more often together than by chance; classes of different sizes."""
    sizes = np.arange(1, m + 1) / np.arange(1, m + 1).sum()
    cells = np.zeros((m, m, m))
    for t in range(m):
        own = np.full(m, (1 - right) / (m - 1))
        own[t] = right
        cells[t] = sizes[t] * (together * np.diag(own) + (1 - together) * np.outer(own, own))
    return cells


def mirrored(better: float, worse: float, together: float) -> Array:
    """Two classes of one size: A finds more of the first and B more of the second, so that every value is the same."""
    cells = np.zeros((2, 2, 2))
    for t, (a, b) in enumerate([(better, worse), (worse, better)]):
        first, second = np.full(2, 1 - a), np.full(2, 1 - b)
        first[t], second[t] = a, b
        shared = np.diag(np.minimum(first, second))
        cells[t] = (together * shared + _rest(first, second, together * np.diag(shared))) / 2
    return cells


def _rest(first: Array, second: Array, used: Array) -> Array:
    one, two = first - used, second - used
    return np.outer(one, two) / one.sum()


def shifted(cells: Array, share: float) -> Array:
    """B errs more: this share of what B alone gets right is wrong."""
    moved = cells.copy()
    m = len(cells)
    for t in range(m):
        for a in range(m):
            loss = share * moved[t, a, t]
            moved[t, a, t] -= loss
            moved[t, a, (t + 1) % m] += loss
    return moved


def rejections(cells: Array, n: int, simulations: int, seed: int) -> dict[str, dict[str, float]]:
    """How often each test calls a difference real, by measure."""
    m = len(cells)
    drawing = np.random.default_rng(seed)
    drawn = drawing.multinomial(n, cells.ravel() / cells.sum(), size=simulations)
    true, a, b = (x.ravel().astype(np.uint8) for x in np.indices(cells.shape))
    found = {name: dict.fromkeys(measures, 0) for name, measures in TESTS.items()}
    for k, number in enumerate(drawn):
        held = number > 0
        pred = np.stack([a[held], b[held]])
        joint = Joint(("A", "B"), tuple(range(m)), true[held], pred, number=number[held])
        for name, measures in TESTS.items():
            chosen = tuple(measure(x) for x in measures)
            work = Work(joint, Settings(chosen, method=METHODS.get(name, name), replicates=REPLICATES, seed=k))
            tests = work.tests({(0, 1): list(range(len(chosen)))})
            for i, x in enumerate(measures):
                found[name][x] += tests[(0, 1), i].p <= SIZE
    return {name: {x: hits / simulations for x, hits in by.items()} for name, by in found.items()}


def table(simulations: int) -> str:
    """The study as a table."""
    cases = [
        ("alike, 2 classes", alike(2, 0.8, 0.3), 300),
        ("alike, 3 classes", alike(3, 0.7, 0.3), 150),
        ("alike, 3 classes", alike(3, 0.7, 0.3), 2000),
        ("mirrored, 2 classes", mirrored(0.9, 0.7, 0.5), 400),
        ("B is worse, 3 classes", shifted(alike(3, 0.7, 0.3), 0.06), 1000),
    ]
    lines = [f"| case | items | test | {' | '.join(MEASURES)} |", f"| --- | ---: | --- |{' ---: |' * len(MEASURES)}"]
    for seed, (name, cells, n) in enumerate(cases):
        for test, shares in rejections(cells, n, simulations, seed).items():
            values = " | ".join(f"{100 * shares[x]:.1f}%" if x in shares else "" for x in MEASURES)
            lines.append(f"| {name} | {n:,} | {test} | {values} |")
            print(lines[-1], flush=True)
    return "\n".join(lines)


def winners(worse: tuple[float, ...], n: int, simulations: int, seed: int) -> dict[str, tuple[float, float, float]]:
    """Return how often winners are wrong and right, by measure, where systems lose these shares of their right answers.

    The three shares are: a system that is as good as the best is left out, each of the systems that are as good as the
    best stays, and a worse system is left out (NaN where there is none).
    """
    drawing = np.random.default_rng(seed)
    chosen = tuple(measure(x) for x in WINNING)
    lost = np.array(worse)
    top, wrong, stays, left = lost == 0, *np.zeros((3, len(chosen)))
    for _ in range(simulations):
        true = drawing.integers(0, 2, n).astype(np.uint8)
        hard = drawing.random(n) < 0.4  # all systems are often wrong on the same items
        right = drawing.random((len(worse), n)) < np.where(hard, 0.5, 0.95)
        right &= drawing.random((len(worse), n)) >= lost[:, None]
        said = np.where(right, true, 1 - true).astype(np.uint8)
        work = Work(Joint(tuple(map(str, range(len(worse)))), (0, 1), true, said), Settings(chosen, method="normal"))
        bests = [best_of(work.values[:, i].tolist(), f) for i, f in enumerate(chosen)]
        found = _winners(work, bests, work.tests(_wanted([[] for _ in chosen], bests, len(worse))))
        for i, f in enumerate(chosen):
            kept = np.array([str(k) in found[f.name] for k in range(len(worse))])
            wrong[i] += not kept[top].all()
            stays[i] += kept[top].mean()
            left[i] += (~kept[~top]).mean() if not top.all() else np.nan
    shares = np.stack([wrong, stays, left], axis=1) / simulations
    return {f.name: tuple(row) for f, row in zip(chosen, shares.tolist(), strict=True)}


WINNING = ("accuracy", "mcc", "macro(f1)")
RACES = {
    "3, all alike": (0.0,) * 3,
    "10, all alike": (0.0,) * 10,
    "20, all alike": (0.0,) * 20,
    "1 best, 4 lose 5%": (0.0, *(0.05,) * 4),
    "1 best, 4 lose 10%": (0.0, *(0.1,) * 4),
    "2 best, 3 lose 10%": (0.0, 0.0, *(0.1,) * 3),
}


def winners_table(simulations: int) -> str:
    """Return the table of winners: family-wise error, confidence of the set, and power."""
    lines = [
        f"| systems | items | {' | '.join(WINNING)} |",
        f"| --- | ---: |{' ---: |' * len(WINNING)}",
    ]
    for seed, (name, worse) in enumerate(RACES.items()):
        for n in (400, 1000) if any(worse) else (400,):
            cells = []
            for wrong, stays, left in winners(worse, n, simulations, seed).values():
                power = "" if left != left else f" · {100 * left:.0f}%"
                cells.append(f"{100 * wrong:.1f}% · {100 * stays:.1f}%{power}")
            lines.append(f"| {name} | {n:,} | {' | '.join(cells)} |")
            print(lines[-1], flush=True)
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--simulations", type=int, default=4000)
    parser.add_argument("--only-winners", action="store_true", help="leave the table of the tests as it is")
    chosen = parser.parse_args()
    simulations, half = chosen.simulations, chosen.simulations // 4
    found = f"{half:,} simulated data sets each.\n\n{winners_table(half)}"
    _replace("winners", found)
    if not chosen.only_winners:
        said = f"{simulations:,} simulated data sets each, {REPLICATES} swaps or resamples."
        _replace("study", f"{said}\n\n{table(simulations)}")


def _replace(name: str, text: str) -> None:
    page = PAGE.read_text(encoding="utf-8")
    block = f"<!-- {name} -->\n{text}\n<!-- end -->"
    PAGE.write_text(
        re.sub(rf"<!-- {name} -->.*?<!-- end -->", lambda _: block, page, flags=re.DOTALL), encoding="utf-8"
    )


if __name__ == "__main__":
    main()
