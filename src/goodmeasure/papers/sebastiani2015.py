"""sebastiani2015: the numbers in its proofs and examples."""

from __future__ import annotations

import math
from fractions import Fraction

from goodmeasure.catalogue.literature import tables as printed_tables
from goodmeasure.catalogue.measure import as_measure
from goodmeasure.language.exact.reals import Exact
from goodmeasure.language.value import total
from goodmeasure.papers.paper_tables import PrintedCell, Recomputed, number, table

_DECIMALS = {"E_F1_AN0_D1": 1, "E_F1_AN0_D100": 3, "F1_acceptor_prev_0.01": 2, "F1_acceptor_prev_0.60": 2,
             "F1_acceptor_prev_0.50": 3}  # fmt: skip
_CUT = "the print leaves the further digits out where it should round"
_UNIFORM = (
    "footnote 2 averages over all possible classifiers, which gives 0.66518; the printed 0.612 is 0.61257 without its "
    "last digits, the average where the number of accepted items is uniform on 0 … 100"
)


@table("sebastiani2015:values", "F1 of chance and of the acceptor, and Example 6.1")
def values() -> Recomputed:
    """Recompute every printed number exactly."""
    printed = printed_tables()["sebastiani2015:values"]
    exact: dict[str, Exact] = {
        "E_F1_AN0_D1": _expected_f1(1), "E_F1_AN0_D100": _expected_f1(100),
        **{f"F1_acceptor_prev_{x}": _acceptor(Fraction(x)) for x in ("0.01", "0.60", "0.50")},
    }  # fmt: skip
    cells = []
    for key, decimals in _DECIMALS.items():
        shown = Fraction(str(printed[key]))
        value = exact[key].as_fraction()
        agrees = abs(value - shown) <= Fraction(1, 2 * 10**decimals)
        explained = key == "E_F1_AN0_D100" and number(_uniform_f1(100).as_fraction(), 5) == "0.61257"
        cut = Fraction(math.floor(value * 10**decimals), 10**decimals) == shown
        why = "" if agrees else _UNIFORM if explained else _CUT if cut else ""
        cells.append(PrintedCell(key, "F1", str(printed[key]), number(value, decimals + 2), agrees, why))
    cells += [_contribution(item, shown) for item, shown in printed["example6.1_contributions"].items()]
    return Recomputed(cells, ["MCC's printed denominator is unbounded: it should be √(AP·AN·PP·PN)."])


def _f1_without_negatives(hits: int, size: int) -> Exact:
    return _exact_f1([[0, 0], [size - hits, hits]])


def _uniform_f1(size: int) -> Exact:
    """Return the mean of F1 with AN = 0 where TP is uniform on 0 … |D|."""
    return total(_f1_without_negatives(hits, size) for hits in range(size + 1)) / (size + 1)


def _expected_f1(size: int) -> Exact:
    """Return E[F1] with AN = 0 over all possible classifiers, each equally likely (footnote 2)."""
    return total(math.comb(size, hits) * _f1_without_negatives(hits, size) for hits in range(size + 1)) / (1 << size)


def _acceptor(prevalence: Fraction) -> Exact:
    """Return F1 of the classifier that accepts everything: TP = AP, FP = AN."""
    return _exact_f1([[Fraction(0), 1 - prevalence], [Fraction(0), prevalence]])


def _exact_f1(rows: list[list[int]] | list[list[Fraction]]) -> Exact:
    value: Exact = as_measure("f1").exact(rows)
    return value


_ITEMS = {"d1": (3, 3), "d2": (3, 2), "d3": (3, 1), "d4": (4, 3)}  # true and predicted of five ordered classes


def _contribution(item: str, shown: object) -> PrintedCell:
    """Compare the contribution of one item: alone, it is the graded recall of its class (equation 11).

    It follows from K = (5·mean − 1)/4 (equation 10).
    """
    true, predicted = _ITEMS[item]
    matrix = [[int((i, j) == (true - 1, predicted - 1)) for j in range(5)] for i in range(5)]
    ours = (4 * as_measure("k_ordinal('absolute')").exact(matrix) + 1) / 5
    return PrintedCell(
        f"Example 6.1, {item}", "contribution", str(shown), str(ours), bool(ours == Fraction(str(shown)))
    )
