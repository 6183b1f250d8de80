"""Every measure with very many classes: what cannot be had is left out with a reason, and nothing is lost."""

from __future__ import annotations

import math
import tracemalloc

import numpy as np
import pytest

import goodmeasure as gm
from goodmeasure.catalogue import running
from goodmeasure.language.view import ClassTable


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


def test_a_fault_of_an_own_function_on_very_many_classes_is_raised():
    """It was taken for a measure that needs every cell: the value was NaN, and NumPy's words were the reason."""

    def faulty(c):
        return c.n + None

    with pytest.raises(TypeError, match="computes with None, not a number"):
        gm.evaluate(*labels(3000, 20_000), measures=[faulty], confidence=None)


def test_an_own_function_on_very_many_classes_may_count_them():
    """The class of a sum was no number where all classes are read at once, so the value was NaN."""

    def needs_numbers(c):
        return c.sum(lambda i: c[i, i] * range(c.m)[i]) / c.n

    y, p = labels(300, 20_000)
    (row,) = gm.evaluate(y, p, measures=[needs_numbers], confidence=None, classwise=[]).table
    cm = gm.confusion(y, p)
    assert row["value"] == pytest.approx(float(np.diag(cm.counts) @ np.arange(cm.m)) / float(cm.n))


def test_every_measure_on_300_classes_makes_no_table_of_fractions(monkeypatch):
    """They took most of the time: 90,000 fractions for each table."""
    asked = []
    monkeypatch.setattr(ClassTable, "__call__", lambda table, m: asked.append(m) or [])
    gm.evaluate(*labels(300, 200_000), measures="all", confidence=None)
    assert asked == []


@pytest.mark.parametrize("error", ["absolute", "squared"])
def test_ordinal_k_of_a_large_matrix_is_the_exact_value(error):
    """Thirteen classes are measured with a table of floats, and the exact value with one of fractions."""
    counts = np.random.default_rng(1).integers(0, 50, (13, 13))
    f = gm.k_ordinal(error)
    assert f(counts) == pytest.approx(float(f.exact(counts)), rel=1e-14)


def test_the_cells_of_a_mostly_empty_matrix_are_listed_once_for_all_measures(monkeypatch):
    """A whole matrix was written out for each cell, once for every measure that reads all cells."""
    listed = []
    made = running.SparseMatrix.__init__
    monkeypatch.setattr(running.SparseMatrix, "__init__", lambda one, of: listed.append(len(of.a)) or made(one, of))
    result = gm.evaluate(*labels(300, 3000), measures="all", confidence=None)
    assert len(result.settings.measures) > 50
    assert 1 <= listed.count(300) <= 3


def test_rows_by_class_take_no_matrix_for_each_class(monkeypatch):
    asked = []
    vs_rest = gm.ConfusionMatrix.vs_rest
    monkeypatch.setattr(gm.ConfusionMatrix, "vs_rest", lambda cm, label: asked.append(label) or vs_rest(cm, label))
    result = gm.evaluate(*labels(300, 20_000))
    assert sum(row.label is not None for row in result.parts[0].rows) >= 600
    assert len(asked) < 10


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
    assert isinstance(cm.prepared(pytest.fail), running.MostlyEmptyMatrix)
