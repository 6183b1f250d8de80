"""Slices measured together have the rows that each would have alone, from a few batches."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import goodmeasure as gm
from goodmeasure.catalogue import chance
from goodmeasure.catalogue.measure import Measure, as_measure
from goodmeasure.evaluation import batch_scoring
from goodmeasure.evaluation.intervals.by_class import class_intervals
from goodmeasure.evaluation.scoring import score
from goodmeasure.exceptions import InputError
from goodmeasure.language.policy import RESOLVE


def labels(m: int, n: int, seed: int) -> tuple[np.ndarray, np.ndarray, np.random.Generator]:
    """True and predicted labels of m classes that agree four times out of five."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, m, n)
    return y, np.where(rng.random(n) < 0.8, y, rng.integers(0, m, n)), rng


@pytest.mark.parametrize(
    ("m", "weighted", "options"),
    [(2, False, {}), (2, True, {}), (3, False, {}), (4, True, {"confidence": 0.8}), (2, False, {"undefined": 0.5}),
     (3, False, {"undefined": "nan"}), (2, False, {"measures": "all"}), (3, False, {"confidence": None})],
)  # fmt: skip
def test_a_slice_among_many_has_the_rows_that_it_has_alone(m, weighted, options):
    y, predicted, rng = labels(m, 300, seed=m)
    weight = rng.random(300) if weighted else None
    result = gm.evaluate(y, predicted, by={"site": rng.integers(0, 25, 300)}, sample_weight=weight, **options)
    for part in result.parts:
        alone = score(part.system, part.slice, part.sample, result.settings)
        assert part.methods == alone.methods
        assert part.constant == alone.constant
        assert part.constant_values == pytest.approx(alone.constant_values, rel=1e-12, abs=1e-14, nan_ok=True)
        assert [(*x[:4], x.reason) for x in part.rows] == [(*x[:4], x.reason) for x in alone.rows]
        mine, other = (np.array([x[4:8] for x in rows], dtype=float) for rows in (part.rows, alone.rows))
        np.testing.assert_allclose(mine, other, rtol=1e-11, atol=1e-13)


@pytest.mark.parametrize("m", [2, 5])
def test_many_slices_are_measured_in_few_batches(monkeypatch, m):
    """A thousand took 18 s, each slice on its own, and with five classes random tables were drawn for each."""
    monkeypatch.setattr(batch_scoring, "score", lambda *given: pytest.fail("a slice was measured on its own"))
    monkeypatch.setattr(chance, "random_tables", lambda *asked: pytest.fail("tables were drawn"))
    called = []
    monkeypatch.setattr(
        Measure, "__call__", lambda f, *x, __call=Measure.__call__, **y: called.append(f) or __call(f, *x, **y)
    )
    y, predicted, rng = labels(m, 20_000, seed=0)
    result = gm.evaluate(y, predicted, by={"site": rng.integers(0, 200, len(y))})
    assert len(result.parts) == 201
    assert len(called) < len(result.parts)


def test_the_usual_measures_need_no_random_tables(monkeypatch):
    monkeypatch.setattr(chance, "random_tables", lambda *asked: pytest.fail("tables were drawn"))
    y, predicted, rng = labels(6, 400, seed=0)
    gm.evaluate(y, predicted, by={"site": rng.integers(0, 5, 400)})


def test_a_measure_that_bends_on_extreme_tables_only_is_added_up_where_these_matter():
    """A mean of recalls that counts a class without hits as 1 is affine but there."""
    f = as_measure(lambda c: c.mean(lambda i: c.where(c[i, i] == 0, 1, c.ratio(c[i, i], c.a[i]))))
    few = gm.ConfusionMatrix([[1, 1, 0], [1, 0, 1], [0, 1, 1]])
    many = gm.ConfusionMatrix(1000 * few.counts)
    assert chance.chance_level(f, few, RESOLVE).how == "exact"
    assert chance.chance_level(f, many, RESOLVE).how == "affine"


@pytest.mark.parametrize("weighted", [False, True])
def test_classes_together_have_the_intervals_that_each_has_alone(weighted):
    y, predicted, rng = labels(7, 300, seed=1)
    result = gm.evaluate(y, predicted, sample_weight=rng.random(300) if weighted else None, classwise=["f1", "recall"])
    sample = result.parts[0].sample
    for name, alone in zip(["f1", "recall"], class_intervals(sample, ["f1", "recall"]), strict=True):
        rows = [row for row in result.parts[0].rows if row.label is not None and row.measure == name]
        for row, interval in zip(rows, alone, strict=True):
            assert (row.low, row.high) == pytest.approx((interval.low, interval.high), rel=1e-10)


def test_slices_by_an_identifier_are_refused():
    y, predicted, rng = labels(3, 1000, seed=0)
    with pytest.raises(InputError, match=r"by\['id'\] gives 1,000 slices, and 1,000 of the 1,000 items are alone"):
        gm.evaluate(y, predicted, by={"id": np.arange(1000)})
    with pytest.raises(InputError, match="by gives"):
        gm.evaluate(y, predicted, by={"a": rng.integers(0, 90, 1000), "b": rng.integers(0, 90, 1000)})
    frame = pd.DataFrame({"y": y, "p": predicted, "id": [f"item {k}" for k in range(1000)]})
    with pytest.raises(InputError, match=r"if it is an identifier, give it as groups="):
        gm.evaluate(frame, y_true="y", y_pred="p", by="id")
    assert len(gm.evaluate(frame, y_true="y", y_pred="p", groups="id").parts) == 1
    assert len(gm.evaluate(y, predicted, by={"id": np.arange(1000) // 3}).parts) == 335


def test_labels_that_look_like_identifiers_are_said_to():
    names = [f"item {k}" for k in range(400)]
    said = [x.text for x in gm.evaluate(names, names[::-1]).warnings]
    assert any(x.startswith("400 of 400 items have a true label that no other item has") for x in said)
    known = gm.evaluate(names, names[::-1], labels=names)
    assert not any("no other item has" in x.text for x in known.warnings)
