"""Averaging rows of goesgens2021, Table 2: a linear program over all binary measures."""

from __future__ import annotations

from fractions import Fraction

import pytest

from goodmeasure.theory.atlas.preservation import preserves
from goodmeasure.theory.statements.lookup import NINE, statement

pytest.importorskip("scipy")

# With all three classes present, n up to 4: what is lost.
LOST = {
    "micro": {"Min", "SMon", "CB", "ACB"},
    "macro": {"Min", "SMon"},
    "weighted": {"Min", "Sym", "Dist", "Mon", "SMon"},
}


@pytest.mark.parametrize("averaging", LOST)
def test_what_averaging_keeps_where_all_classes_occur(averaging):
    """As printed, but for weighted averaging and monotonicity."""
    found = {statement(x).short: preserves(averaging, x) for x in NINE}
    assert {x for x, kept in found.items() if kept.status == "refuted"} == LOST[averaging]
    assert all(kept.n >= 3 for kept in found.values())


@pytest.mark.parametrize("name", ["Mon", "CB", "ACB"])
def test_macro_averaging_loses_more_where_classes_may_be_absent(name):
    assert preserves("macro", name, domain="all").n == 2


def average(kind, rows, measure):
    """The average of a binary measure given as a table, written down once more."""
    m, n = len(rows), sum(map(sum, rows))
    total = Fraction(0)
    for i in range(m):
        a, b, hit = sum(rows[i]), sum(row[i] for row in rows), rows[i][i]
        weight = Fraction(1, m) if kind == "macro" else Fraction(a, n)
        if weight:
            total += weight * measure[((n - a - b + hit, b - hit), (a - hit, hit))]
    return total


def test_the_witness_measure_is_monotone_and_its_average_is_not():
    lost = preserves("weighted", "Mon")
    measure = dict(lost.measure)
    size = sum(map(sum, lost.matrices[0]))
    for ((tn, fp), (fn, tp)), value in measure.items():
        if tn + fp + fn + tp != size or not all((tn + fp, fn + tp, tn + fn, fp + tp)):
            continue
        for after in (((tn + 1, fp - 1), (fn, tp)), ((tn, fp - 1), (fn, tp + 1)),
                      ((tn + 1, fp), (fn - 1, tp)), ((tn, fp), (fn - 1, tp + 1))):  # fmt: skip
            if after in measure and min(map(min, after)) >= 0:
                assert measure[after] > value
    before, after = lost.matrices
    assert average("weighted", after, measure) <= average("weighted", before, measure)


def test_an_unknown_averaging_is_named():
    with pytest.raises(ValueError, match="use one of micro, macro, weighted"):
        preserves("median", "Mon")
