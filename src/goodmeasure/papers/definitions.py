"""Tables of formulas and notation, and single numbers of the papers, computed as they are printed.

The formulas are written here as the papers print them, apart from the catalogue, and compared with it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import combinations

import numpy as np

from goodmeasure.catalogue.measure import as_measure
from goodmeasure.counts.counting import pair_confusion
from goodmeasure.counts.enumeration import matrices
from goodmeasure.counts.matrix import ConfusionMatrix
from goodmeasure.papers.paper_tables import PrintedCell, Recomputed, number, rounds_to, table
from goodmeasure.typing import Array

_CLOSE = 1e-9
_ALL_PRESENT = "matrices in which every class occurs in both labelings"


def _every(m: int, most: int) -> list[Array]:
    """Return all matrices of m classes with up to so many items in which every class occurs in both labelings."""
    cells = np.concatenate([matrices(n, m) for n in range(m, most + 1)])
    kept = (cells.sum(axis=1) > 0).all(axis=1) & (cells.sum(axis=2) > 0).all(axis=1)
    return list(cells[kept])


class _Sizes:
    """The notation of Table 7: cells, class sizes and shares of a matrix."""

    def __init__(self, c: Array) -> None:
        self.c, self.a, self.b, self.n, self.m = c, c.sum(axis=1), c.sum(axis=0), int(c.sum()), len(c)
        self.hits = int(np.trace(c))
        self.chance = int((self.a * self.b).sum())


def _confusion_entropy(x: _Sizes) -> float:
    """Return CE with logarithms to the base 2m − 2, as in the authors' code."""
    base, found = 2 * x.m - 2, 0.0
    for i in range(x.m):
        for j in range(x.m):
            for cell in (x.c[j, i], x.c[i, j]) if i != j else ():
                if cell:
                    share = cell / (x.a[j] + x.b[j])
                    found -= cell * (math.log(share) / math.log(base) if base > 1 else 0.0) / (2 * x.n)
    return found


def _correlation(x: _Sizes) -> float:
    squares = [x.n**2 - int((y**2).sum()) for y in (x.a, x.b)]
    return float((x.n * x.hits - x.chance) / math.sqrt(squares[0] * squares[1]))


def _generalized_mean(x: _Sizes, r: float) -> float:
    mean = ((float(x.a[1] * x.a[0]) ** r + float(x.b[1] * x.b[0]) ** r) / 2) ** (1 / r)
    return float((x.n * x.c[1, 1] - x.a[1] * x.b[1]) / mean)


def _binary_correlation(x: _Sizes) -> float:
    c = x.c
    return float((c[1, 1] * c[0, 0] - c[0, 1] * c[1, 0]) / math.sqrt(x.b[1] * x.a[1] * x.b[0] * x.a[0]))


def _f_beta(x: _Sizes, beta: int) -> float:
    hits = (1 + beta**2) * x.c[1, 1]
    return float(hits / (hits + beta**2 * x.c[1, 0] + x.c[0, 1]))


# Table 1 as printed: row, number of classes, name in the catalogue, and the formula.
_TABLE_1: tuple[tuple[str, int, str, Callable[[_Sizes], float]], ...] = (
    ("F-measure (β = 1)", 2, "f1", lambda x: _f_beta(x, 1)),
    ("F-measure (β = 2)", 2, "fbeta(2)", lambda x: _f_beta(x, 2)),
    ("Jaccard (J)", 2, "jaccard", lambda x: float(x.c[1, 1] / (x.c[1, 1] + x.c[1, 0] + x.c[0, 1]))),
    ("Matthews Coefficient (CC), binary", 2, "mcc", _binary_correlation),
    ("Matthews Coefficient (CC)", 3, "mcc", _correlation),
    ("Accuracy (Acc)", 3, "accuracy", lambda x: x.hits / x.n),
    ("Balanced Accuracy (BA)", 3, "balanced_accuracy", lambda x: float((np.diag(x.c) / x.a).mean())),
    ("Cohen's Kappa", 3, "kappa", lambda x: float((x.n * x.hits - x.chance) / (x.n**2 - x.chance))),
    ("Confusion Entropy (CE)", 3, "confusion_entropy", _confusion_entropy),
    ("Symmetric Balanced Accuracy (SBA)", 3, "sba",
     lambda x: float((np.diag(x.c) / x.a + np.diag(x.c) / x.b).sum() / (2 * x.m))),
    ("Generalized Means (GM), r = 1", 2, "generalized_mean(r=1)", lambda x: _generalized_mean(x, 1)),
    ("Generalized Means (GM), r = −1", 2, "generalized_mean(r=-1)", lambda x: _generalized_mean(x, -1)),
    ("Generalized Means (GM), r = 2", 2, "generalized_mean(r=2)", lambda x: _generalized_mean(x, 2)),
    ("Correlation Distance (CD)", 3, "correlation_distance",
     lambda x: math.acos(max(-1.0, min(1.0, _correlation(x)))) / math.pi),
)  # fmt: skip


@table("goesgens2021:table1", "the formulas of the measures, against the catalogue")
def table_1() -> Recomputed:
    """Compare each printed formula with the measure of the catalogue on all small matrices."""
    every = {2: _every(2, 7), 3: _every(3, 5)}
    cells = []
    for row, m, name, formula in _TABLE_1:
        found = [(float(as_measure(name)(c)), formula(_Sizes(c))) for c in every[m]]
        right = sum(abs(x - y) < _CLOSE for x, y in found)
        cells.append(_of_all(row, name, right, len(found)))
    return Recomputed(cells, [
        f"Compared on all {_ALL_PRESENT}: up to 7 items for two classes, up to 5 for three.",
        "In our text of the paper the logarithm of CE has the base 2m − 2 as an exponent, and GM a square root; they "
        "are read as in the authors' code and in Definition 10.",
    ])  # fmt: skip


def _of_all(row: str, column: str, right: int, whole: int) -> PrintedCell:
    return PrintedCell(row, column, f"{whole} of {whole}", f"{right} of {whole}", bool(right == whole))


@table("goesgens2021-appendix:table7", "the notation, against confusion matrices of gm")
def table_7() -> Recomputed:
    """Check what the notation says of labelings on all pairs of labelings of four items into three classes."""
    labelings = [tuple(x) for x in np.ndindex(3, 3, 3, 3)]
    rows: dict[str, list[bool]] = {"n": [], "m": [], "c_ij": [], "a_i": [], "b_i": [], "p_A, p_B": [], "p_AB": []}
    for true, pred in ((x, y) for x in labelings[::7] for y in labelings[::5]):
        cm = ConfusionMatrix(_counted(true, pred))
        rows["n"].append(float(cm.n) == 4)
        rows["m"].append(cm.m == 3)
        rows["c_ij"].append(all(cm.counts[i][j] == list(zip(true, pred, strict=True)).count((i, j))
                                for i in range(3) for j in range(3)))  # fmt: skip
        rows["a_i"].append([int(x) for x in cm.a] == [true.count(i) for i in range(3)])
        rows["b_i"].append([int(x) for x in cm.b] == [pred.count(i) for i in range(3)])
        one = cm.vs_rest(1)
        rows["p_A, p_B"].append((one.a[1] / one.n, one.b[1] / one.n) == (true.count(1) / 4, pred.count(1) / 4))
        both = sum(x == y == 1 for x, y in zip(true, pred, strict=True))
        rows["p_AB"].append(one.counts[1][1] / one.n == both / 4)
    cells = [_of_all(row, "pairs of labelings", sum(found), len(found)) for row, found in rows.items()]
    return Recomputed(cells, ["For p_A, p_B and p_AB, one class is compared with the rest."])


def _counted(true: Sequence[int], pred: Sequence[int]) -> list[list[int]]:
    pairs = list(zip(true, pred, strict=True))
    return [[pairs.count((i, j)) for j in range(3)] for i in range(3)]


@table("goesgens2021-appendix:table8", "binary measures of pairs of items are measures of clusterings")
def table_8() -> Recomputed:
    """Compare binary measures of pairs of items with the formulas of measures of clusterings."""
    rng = np.random.default_rng(0)
    pairs = [(rng.integers(0, 3, 8).tolist(), rng.integers(0, 4, 8).tolist()) for _ in range(200)]
    cells = []
    for binary, clustering, name, formula in _TABLE_8:
        found = [(float(as_measure(name)(pair_confusion(x, y))), formula(x, y)) for x, y in pairs]
        right = sum(abs(x - y) < _CLOSE or (math.isnan(x) and math.isnan(y)) for x, y in found)
        cells.append(_of_all(f"{binary}: {clustering}", "pairs of clusterings", right, len(found)))
    return Recomputed(cells, ["Compared on 200 random pairs of clusterings of 8 items."])


def _together(x: Sequence[int], y: Sequence[int]) -> tuple[int, int, int, int]:
    """Return N11, N10, N01 and N00: pairs of items that are together in both clusterings, in one, or in none."""
    kinds = [(x[i] == x[j], y[i] == y[j]) for i, j in combinations(range(len(x)), 2)]
    return tuple(kinds.count(z) for z in ((True, True), (True, False), (False, True), (False, False)))  # type: ignore[return-value]  # four


def _adjusted_rand(x: Sequence[int], y: Sequence[int]) -> float:
    """Return the adjusted Rand index by its hypergeometric formula."""
    cells = {(i, j): sum(a == i and b == j for a, b in zip(x, y, strict=True)) for i in set(x) for j in set(y)}
    both = sum(math.comb(k, 2) for k in cells.values())
    first, second = (sum(math.comb(z.count(i), 2) for i in set(z)) for z in (list(x), list(y)))
    expected = Fraction(first * second, math.comb(len(x), 2))
    return float((both - expected) / (Fraction(first + second, 2) - expected))


def _pearson(x: Sequence[int], y: Sequence[int]) -> float:
    both, first, second, none = _together(x, y)
    margins = (both + first) * (both + second) * (none + first) * (none + second)
    return (both * none - first * second) / math.sqrt(margins)


def _sokal_sneath(x: Sequence[int], y: Sequence[int]) -> float:
    both, first, second, none = _together(x, y)
    return (both / (both + first) + both / (both + second) + none / (none + first) + none / (none + second)) / 4


def _rand(x: Sequence[int], y: Sequence[int]) -> float:
    both, first, second, none = _together(x, y)
    return (both + none) / (both + first + second + none)


def _dice(x: Sequence[int], y: Sequence[int]) -> float:
    both, first, second, _ = _together(x, y)
    return 2 * both / (2 * both + first + second)


def _jaccard(x: Sequence[int], y: Sequence[int]) -> float:
    both, first, second, _ = _together(x, y)
    return both / (both + first + second)


_TABLE_8: tuple[tuple[str, str, str, Callable[[Sequence[int], Sequence[int]], float]], ...] = (
    ("F1", "Dice", "f1", _dice),
    ("Jaccard", "Jaccard", "jaccard", _jaccard),
    ("Matthews Correlation Coefficient", "Pearson Correlation Coefficient", "mcc", _pearson),
    ("Accuracy", "Rand", "accuracy", _rand),
    ("Cohen's Kappa", "Adjusted Rand", "kappa", _adjusted_rand),
    ("Symmetric Balanced Accuracy", "Sokal&Sneath", "sba", _sokal_sneath),
    ("Correlation Distance", "Correlation Distance", "correlation_distance",
     lambda x, y: math.acos(max(-1.0, min(1.0, _pearson(x, y)))) / math.pi),
)  # fmt: skip


@table("sebastiani2015:reuters", "how many classes of Reuters-21578 have no positive item, %")
def reuters() -> Recomputed:
    """Recompute the share of 25 of 115 classes, and what one rule for them is worth in the macro average."""
    share = Fraction(100 * 25, 115)
    worth = 100 * (as_measure("macro(f1, classes='all')").exact(_with_empty(115, 25)) - Fraction(90, 115))
    return Recomputed([
        PrintedCell("classes with AP = 0", "25 of 115, %", "21.7", number(share, 2), rounds_to(share, 21.7, 1)),
        PrintedCell("macro F1 of a perfect classifier that comes from them", "points", "21.7", number(worth, 2),
                    rounds_to(worth, 21.7, 1)),
    ])  # fmt: skip


def _with_empty(classes: int, empty: int) -> list[list[int]]:
    """Return the matrix of a classifier that is right on one item of each class but the last ones, which have none."""
    return [[int(i == j < classes - empty) for j in range(classes)] for i in range(classes)]


@table("opitz2024:f1_bound", "how far the two macro F1 can lie apart (§4.5)")
def f1_bound() -> Recomputed:
    """Compute the difference near its bound, and its maximum over all small matrices."""
    f1, of_means = (as_measure(x) for x in ("macro(f1)", "macro_f1_of_means"))
    near = [[1, 0], [10**6, 1]]
    gap = of_means.exact(near) - f1.exact(near)
    found = [of_means.exact(c.tolist()) - f1.exact(c.tolist()) for m, most in ((2, 7), (3, 4)) for c in _every(m, most)]
    within = sum(bool(0 <= x < Fraction(1, 2)) for x in found)
    apart = "macF1′ − macF1 of [[1, 0], [10^6, 1]]"
    return Recomputed([
        PrintedCell(apart, "difference", "0.5", number(gap, 6), rounds_to(gap, 0.5, 1)),
        PrintedCell("differences from 0 to below 0.5", "matrices", f"{len(found)} of {len(found)}",
                    f"{within} of {len(found)}", within == len(found)),
    ], [f"Over all {_ALL_PRESENT}, of up to 7 items for two classes and up to 4 for three."])  # fmt: skip
