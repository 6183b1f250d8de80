"""Every measure with very many classes: what cannot be had is left out with a reason, and nothing is lost."""

from __future__ import annotations

import math
import time
import tracemalloc

import numpy as np
import pytest

import goodmeasure as gm
from goodmeasure.catalogue.definitions.agreement import _disagreement
from goodmeasure.language.view import entries, float_entries


def labels(m: int, n: int) -> tuple[np.ndarray, np.ndarray]:
    """True and predicted labels of m classes that agree four times out of five."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, m, n)
    return y, np.where(rng.random(n) < 0.8, y, rng.integers(0, m, n))


def test_a_report_of_every_measure_on_3000_classes_is_written():
    """A measure that needs a table of all pairs of classes raised TypeError when the report was written."""
    result = gm.evaluate(*labels(3000, 20_000), measures="all", confidence=None)
    missing = [row for row in result.table if math.isnan(row["value"])]
    assert {row["measure"] for row in missing} >= {"weighted_kappa(weights='linear')"}
    assert all(row["reason"] for row in missing)
    assert "3,000" in result.to_markdown() or "2,998" in result.to_markdown()


def test_every_measure_on_300_classes_takes_seconds():
    """Tables of fractions took most of the time."""
    start = time.process_time()
    gm.evaluate(*labels(300, 200_000), measures="all")
    assert time.process_time() - start < 8


@pytest.mark.parametrize("weights", ["linear", "quadratic"])
@pytest.mark.parametrize("m", [2, 3, 17, 60])
def test_tables_of_floats_are_the_rounded_exact_ones(weights, m):
    rows = _disagreement(weights)
    assert np.array_equal(float_entries(rows, m), np.array(entries(rows, m), float))


@pytest.mark.parametrize("error", ["absolute", "squared"])
def test_ordinal_k_of_a_large_matrix_is_the_exact_value(error):
    """Thirteen classes are measured with a table of floats, and the exact value with one of fractions."""
    counts = np.random.default_rng(1).integers(0, 50, (13, 13))
    f = gm.k_ordinal(error)
    assert f(counts) == pytest.approx(float(f.exact(counts)), rel=1e-14)


def test_every_measure_on_300_classes_and_few_items_takes_seconds():
    """A whole matrix was written out for each cell, once for every measure that reads all cells."""
    start = time.process_time()
    gm.evaluate(*labels(300, 20_000), measures="all")
    assert time.process_time() - start < 15


def test_rows_by_class_take_no_matrix_for_each_class():
    start = time.process_time()
    gm.evaluate(*labels(900, 20_000))
    assert time.process_time() - start < 4


def test_2000_classes_take_few_copies_of_the_matrix():
    """Each measure's intermediate matrices waited for the garbage collector: 790 MB in all."""
    y, p = labels(2000, 100_000)
    gm.evaluate(y[:50], p[:50])  # imports
    tracemalloc.start()
    gm.evaluate(y, p)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 7 * 8 * 2000**2


@pytest.mark.parametrize("name", ["mcc", "macro(f1)", "mutual_information", "calibrated(kappa)", "confusion_entropy"])
def test_a_mostly_empty_matrix_has_the_value_that_reading_all_cells_gives(name):
    cm, f = gm.confusion(*labels(300, 3000)), gm.measure(name)
    assert f(cm) == pytest.approx(f(cm.counts[None])[0], rel=1e-12)
    assert cm._listed
