"""rh-dif2norm: Tables 2.9 and 3.1, and the curves of its figures."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations_with_replacement

from goodmeasure.catalogue.literature import tables as printed_tables
from goodmeasure.catalogue.measure import as_measure
from goodmeasure.papers.figures import Curves, PanelLine
from goodmeasure.papers.paper_tables import PrintedCell, Recomputed, number, rounds_to, table

MEASURES_2_9 = {
    "SS1": "sokal_sneath_1", "SS4": "sba", "ACC": "accuracy", "RT": "rogers_tanimoto", "SS5": "sokal_sneath_5",
    "F1": "f1", "F-0.7": "f_alpha(0.7)", "K2": "kulczynski_2", "Ochiai": "ochiai", "JACC": "jaccard",
    "SS2": "sokal_sneath_2", "RR": "russell_rao", "Q": "yule_q", "Y": "yule_y", "MCC": "mcc", "Somers_d": "somers_d",
    "HC": "hamann", "kappa": "kappa",
}  # fmt: skip
FROM_MINUS_ONE = ("Q", "Y", "MCC", "Somers_d", "HC", "kappa")
MEASURES_3_1 = {"SMC": "accuracy", "mutability": "mutability", "RH": "rh", "Dif2": "dif2", "Dif2Norm": "dif2norm"}
_NO_NUMBERS = "A figure: the paper prints curves, no numbers."
_ROW = "Dif2 is 2² + 3² + 3² = 22, and Dif2Norm (27 − 22)/27 = 0.185"


def _matrix(n11: int, predicted: int = 90) -> list[list[int]]:
    """Return a matrix with 90 items of each class and this many predictions of the positive class."""
    return [[90 - (predicted - n11), predicted - n11], [90 - n11, n11]]


@table("rh-dif2norm:table2.9", "18 coefficients for margins of 90")
def table_2_9() -> Recomputed:
    """Recompute every cell exactly, and then round it."""
    printed = printed_tables()["rh-dif2norm:table2.9"]
    cells = []
    for name, row in printed["rows"].items():
        for n11, shown in zip(printed["n11"], row, strict=True):
            ours = as_measure(MEASURES_2_9[name]).exact(_matrix(n11))
            cells.append(PrintedCell(name, f"n11 = {n11}", f"{shown:g}", number(ours, 2), rounds_to(ours, shown, 2)))
    return Recomputed(cells)


@table("rh-dif2norm:table3.1", "three groups of three objects")
def table_3_1() -> Recomputed:
    """Recompute every printed row, and the two that are missing."""
    printed = printed_tables()["rh-dif2norm:table3.1"]
    cells, seen = [], set()
    for diagonal, *row in printed["rows"]:
        seen.add(tuple(diagonal))
        for column, shown in zip(printed["columns"], row, strict=True):
            ours = as_measure(MEASURES_3_1[column]).exact(_groups(diagonal))
            decimals = 0 if column == "Dif2" else 3
            agrees = rounds_to(ours, shown, decimals)
            right = {"Dif2": 22, "Dif2Norm": Fraction(5, 27)}.get(column)
            why = _ROW if not agrees and list(diagonal) == [1, 0, 0] and ours == right else ""
            cells.append(PrintedCell(_name(diagonal), column, f"{shown:g}", number(ours, decimals), agrees, why))
    for absent in sorted({tuple(sorted(x, reverse=True)) for x in combinations_with_replacement(range(4), 3)} - seen):
        cells += [PrintedCell(_name(absent), x, None, number(as_measure(y).exact(_groups(absent)), 3), True)
                  for x, y in MEASURES_3_1.items()]  # fmt: skip
    return Recomputed(cells, [
        "Rows 3,1,1 and 3,3,1 are missing in print. With them RH and Dif2Norm do not give the same order: (3,3,0) "
        "against (3,1,1), and (3,3,1) against (2,2,2).",
    ])  # fmt: skip


def _name(diagonal: Sequence[int]) -> str:
    return ",".join(map(str, diagonal))


def _groups(diagonal: Sequence[int], size: int = 3) -> list[list[int]]:
    """Return a matrix of groups of equal size in which every error goes to the next group."""
    matrix = [[0] * len(diagonal) for _ in diagonal]
    for i, right in enumerate(diagonal):
        matrix[i][i] = right
        matrix[i][(i + 1) % len(diagonal)] += size - right
    return matrix


def _curves(names: Sequence[str], predicted: int) -> Recomputed:
    """Return coefficients along n11; where a class is never predicted, a coefficient may be undefined."""
    places = range(max(0, predicted - 90), min(90, predicted) + 1, 10)
    cells, curves = [], []
    for name in names:
        values = [float(as_measure(MEASURES_2_9[name])(_matrix(n11, predicted))) for n11 in places]
        cells += [
            PrintedCell(name, f"n11 = {x}", None, number(y, 3), True) for x, y in zip(places, values, strict=True)
        ]
        curves.append(PanelLine("coefficients", name, places, values))
    return Recomputed(cells, [_NO_NUMBERS], Curves("n11", tuple(curves)))


_FROM_ZERO = [x for x in MEASURES_2_9 if x not in FROM_MINUS_ONE]


@table("rh-dif2norm:figure2.1", "coefficients from 0, margins 90, 90, 90, 90")
def figure_2_1() -> Recomputed:
    """Compute the coefficients from 0 to 1 along n11, with equal margins."""
    return _curves(_FROM_ZERO, 90)


@table("rh-dif2norm:figure2.2", "coefficients from −1, margins 90, 90, 90, 90")
def figure_2_2() -> Recomputed:
    """Compute the coefficients from −1 to 1 along n11, with equal margins."""
    return _curves(FROM_MINUS_ONE, 90)


@table("rh-dif2norm:figure2.3", "coefficients from 0, margins 90, 90, 60, 120")
def figure_2_3() -> Recomputed:
    """Compute the coefficients from 0 to 1 along n11, with unequal margins."""
    return _curves(_FROM_ZERO, 60)


@table("rh-dif2norm:figure2.4", "coefficients from −1, margins 90, 90, 60, 120")
def figure_2_4() -> Recomputed:
    """Compute the coefficients from −1 to 1 along n11, with unequal margins."""
    found = _curves(FROM_MINUS_ONE, 60)
    found.notes.append("At n11 = 60 Q and Y are 1 and MCC is 0.707: coefficients of 1 do not make the correlation 1.")
    return found


@table("rh-dif2norm:figure3.1", "SMC, κ and Hamann's coefficient for 90 objects in three groups")
def figure_3_1() -> Recomputed:
    """Compute the curves for three groups of 30 with equally many right in each."""
    places = range(0, 31, 5)
    cells, curves = [], []
    for column, name in (("SMC", "accuracy"), ("kappa", "kappa"), ("HC", "hamann")):
        values = [as_measure(name).exact(_even(right)) for right in places]
        cells += [
            PrintedCell(column, f"n_ii = {x}", None, number(y, 3), True) for x, y in zip(places, values, strict=True)
        ]
        curves.append(PanelLine("three groups of 30", column, places, [float(y) for y in values]))
    said = f"{_NO_NUMBERS} Errors go to both other groups alike."
    return Recomputed(cells, [said], Curves("n_ii, the number of right predictions in each group", tuple(curves)))


def _even(right: int) -> list[list[Fraction]]:
    """Return a matrix of three groups of 30 with so many right in each."""
    return [[Fraction(right) if i == j else Fraction(30 - right, 2) for j in range(3)] for i in range(3)]
