"""opitz2024: the matrices of Tables 2–4, 7 and 8, and consistency checks of Table 6 and of the survey."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

import numpy as np

from goodmeasure.catalogue.literature import tables as printed_tables
from goodmeasure.catalogue.measure import as_measure
from goodmeasure.comparison.system_ranks import spearman
from goodmeasure.counts.enumeration import matrices
from goodmeasure.language.exact.reals import Exact
from goodmeasure.papers.figures import HeatMap
from goodmeasure.papers.paper_tables import PrintedCell, Recomputed, number, rounds_to, table
from goodmeasure.theory.statements.domain import domain_of

_HALF = Fraction(1, 20)  # half a unit of the one printed decimal
_RECALLS = ("r1", "r2", "r3")
_MEANS = {"macR": "macro(recall)", "GmacR": "macro(recall, p=0)", "HmacR": "macro(recall, p=-1)",
          "cal_Kappa": "calibrated(kappa)"}  # fmt: skip


def _true_by_predicted(key: str) -> list[list[int]]:
    """Return a printed matrix with true classes in rows; the paper has predicted classes in rows."""
    return [list(x) for x in zip(*printed_tables()[f"opitz2024:{key}"]["predicted_by_true"], strict=True)]


def _precision(key: str) -> PrintedCell:
    shown = printed_tables()["opitz2024:table4"][f"macP_{key}"]
    ours = as_measure("macro(precision)").exact(_true_by_predicted(key))
    return PrintedCell(key, "macP", shown, str(ours), ours == Fraction(shown))


@table("opitz2024:table2", "a matrix and its macro precision")
def table_2() -> Recomputed:
    """Recompute macro precision, 5/8 in Appendix C.4."""
    return Recomputed([_precision("table2")])


@table("opitz2024:table3", "the scaling that turns Table 2 into Table 4")
def table_3() -> Recomputed:
    """Check that every cell of Table 4 is that of Table 2 times the factor of its true class."""
    factors = printed_tables()["opitz2024:table3"]["lambda"]
    before, after = _true_by_predicted("table2"), _true_by_predicted("table4")
    cells = []
    for i, factor in enumerate(factors):
        for j in range(2):
            ours = factor * before[i][j]
            cells.append(PrintedCell(f"true {i}", f"predicted {j}", str(after[i][j]), str(ours), ours == after[i][j]))
    return Recomputed(cells)


@table("opitz2024:table4", "the scaled matrix: macro precision changes, macro recall does not")
def table_4() -> Recomputed:
    """Recompute macro precision, 19/30, and the measures that prevalence invariance leaves unchanged."""
    before, after = _true_by_predicted("table2"), _true_by_predicted("table4")
    cells = [_precision("table4")]
    for name in ("macro(recall)", "calibrated(macro(precision))", "calibrated(kappa)", "calibrated(mcc)"):
        x, y = (as_measure(name).exact(cm) for cm in (before, after))
        cells.append(PrintedCell("as in Table 2", name, str(x), str(y), x == y))
    return Recomputed(cells)


@table("opitz2024:table6", "the eight best systems: what the printed numbers must satisfy")
def table_6() -> Recomputed:
    """Recompute the columns that follow from other printed columns; rounding leaves a range for each."""
    printed = printed_tables()["opitz2024:table6"]
    cells = []
    for name, row in printed["rows"].items():
        known = {x: Fraction(str(y)) for x, y in zip(printed["columns"], row, strict=True)}
        recalls = [known[r] for r in _RECALLS]
        for column, by in _MEANS.items():
            low, high = (100 * as_measure(by).exact(_with_recalls([r + d for r in recalls])) for d in (-_HALF, _HALF))
            cells.append(_within(name, column, known[column], low, high))
        ends = [_harmonic(known["macR"] + d, known["macP"] + d) for d in (-_HALF, _HALF)]
        cells.append(_within(name, "macF1p", known["macF1p"], *ends))
        for x, y in (("MCC", "Kappa"), ("cal_MCC", "cal_Kappa")):
            cells.append(
                PrintedCell(
                    name, f"{x} ≥ {y}", f"{float(known[x]):.1f}", f"≥ {float(known[y]):.1f}", known[x] >= known[y]
                )
            )
    return Recomputed(cells, [
        "The systems' predictions are not in the paper: macR, GmacR, HmacR and calibrated κ follow from the printed "
        "recalls, macF1′ from macR and macP; ours is the range that one decimal leaves.",
        "System E is rank 5, by macR and in the table; §7.1 calls it rank 6.",
    ])  # fmt: skip


# Pairs of measures that §7.1 calls in complete agreement, since one is a function of the other (Equations 8 and 16).
_IN_AGREEMENT = (
    ("macro(recall)", "calibrated(kappa)"),
    ("macro(recall)", "calibrated(accuracy)"),
    ("calibrated(accuracy)", "calibrated(kappa)"),
    ("calibrated(macro(f1))", "calibrated(weighted(f1))"),
)
_RANKED = 17  # columns of Table 6 from accuracy on


@table("opitz2024:figure1", "rank correlation of measures (Spearman)")
def figure_1() -> Recomputed:
    """Check the agreements that hold for any systems, and correlate the rankings of the eight printed systems.

    Two measures rank any systems alike if one is an increasing linear function of the other; that is compared on all
    matrices of three classes with few items.
    """
    cells = [PrintedCell("any systems", f"{x}, {y}", "100", *_always_alike(x, y)) for x, y in _IN_AGREEMENT]
    printed = printed_tables()["opitz2024:table6"]
    names = printed["columns"][-_RANKED:]
    values = {x: [float(row[printed["columns"].index(x)]) for row in printed["rows"].values()] for x in names}
    grid = [[spearman(values[x], values[y]) for y in names] for x in names]
    cells += [
        PrintedCell(x, y, None, f"{100 * grid[i][j]:.0f}", True)
        for (i, x), (j, y) in combinations(enumerate(names), 2)
    ]  # fmt: skip
    second = max(spearman(values["r2"], values[x]) for x in names if x != "r2")
    return Recomputed(cells, [
        "The paper prints the correlations of 37 systems as colours; only eight systems have their values in Table 6. "
        "The four complete agreements hold for any systems. The rest is the correlation of these eight, ×100.",
        "Between macR and calibrated κ it is 99 and not 100 for the eight: systems A and B have 68.1 in print, with "
        "one decimal, and calibrated κ of 52.1 and 52.2.",
        "§7.1 says of all 37 systems that the recall of class 2 correlates with no other measure by more than 14; for "
        f"the eight best the highest is {100 * second:.0f}.",
    ], HeatMap(tuple(names), tuple(tuple(row) for row in grid)))  # fmt: skip


def _always_alike(one: str, two: str) -> tuple[str, bool]:
    """Return whether a measure is an increasing linear function of another on all small matrices, exactly."""
    cells = np.concatenate([matrices(n, 3) for n in (3, 4)])
    rows = cells[domain_of("regular").holds(cells)].tolist()
    first, second = ([as_measure(x).exact(row) for row in rows] for x in (one, two))
    far = next(k for k, x in enumerate(first) if x != first[0])
    slope = (second[far] - second[0]) / (first[far] - first[0])
    alike = slope > 0 and all(y == second[0] + slope * (x - first[0]) for x, y in zip(first, second, strict=True))
    return ("100" if alike else "they differ"), bool(alike)


def _with_recalls(recalls: list[Fraction]) -> list[list[Fraction]]:
    """Return a matrix of three classes with these recalls; all errors of a class go to the next one."""
    return [
        [x if j == i else 100 - x if j == (i + 1) % 3 else Fraction(0) for j in range(3)]
        for i, x in enumerate(recalls)
    ]  # fmt: skip


def _harmonic(recall: Fraction, precision: Fraction) -> Exact:
    """Return F1 in percent, from a matrix with this recall and precision."""
    missed, false = precision * (100 - recall), recall * (100 - precision)
    value: Exact = as_measure("f1").exact([[Fraction(0), false], [missed, precision * recall]])
    return 100 * value


def _within(row: str, column: str, shown: Fraction, low: Exact, high: Exact) -> PrintedCell:
    agrees = bool(low <= shown + _HALF) and bool(high >= shown - _HALF)
    return PrintedCell(row, column, f"{float(shown):.1f}", f"{float(low):.2f} to {float(high):.2f}", agrees)


@table("opitz2024:table7", "a matrix without agreement beyond chance")
def table_7() -> Recomputed:
    """Recompute MCC and kappa, which are both 0."""
    return _agreement("table7", 1)


@table("opitz2024:table8", "Table 7 with ten errors more: MCC and κ rise")
def table_8() -> Recomputed:
    """Recompute MCC and kappa, 0.07 and 0.02."""
    return _agreement("table8", 2)


def _agreement(key: str, decimals: int) -> Recomputed:
    cells = []
    for column, name in (("MCC", "mcc"), ("Kappa", "kappa")):
        shown, ours = printed_tables()[f"opitz2024:{key}"][column], as_measure(name).exact(_true_by_predicted(key))
        cells.append(
            PrintedCell(key, column, f"{shown:.{decimals}f}", number(ours, 4), rounds_to(ours, shown, decimals))
        )
    return Recomputed(cells)


@table("opitz2024:survey", "how 42 shared tasks argue for their measure, %")
def survey() -> Recomputed:
    """Find which number of papers each printed percentage can stand for."""
    printed = printed_tables()["opitz2024:survey"]
    n = printed["n"]
    cells = []
    for key in ("formula_pct", "sensible_pct", "weak_pct", "none_pct"):
        fitting = [x for x in range(n + 1) if rounds_to(Fraction(100 * x, n), printed[key], 1)]
        ours = f"{fitting[0]} of {n}" if fitting else "no number of papers"
        later = key == "sensible_pct" and rounds_to(Fraction(100 * 5, 46), printed[key], 1)
        why = "5 of 42 are 11.9%; 10.9% is 5 of 46, the later sample" if not fitting and later else ""
        cells.append(PrintedCell(key.removesuffix("_pct"), "%", str(printed[key]), ours, bool(fitting), why))
    return Recomputed(cells)
