"""Joint counts: patterns of several systems hold what each system's own counts say, in every engine."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import goodmeasure as gm
from goodmeasure.counts.joint import _patterns
from goodmeasure.counts.readers import duckdb_engine, engines
from goodmeasure.counts.readers.arrays import count_systems
from goodmeasure.counts.readers.frames import count_frame


@given(st.integers(1, 40), st.integers(1, 4), st.integers(1, 5), st.integers(0, 10**6), st.booleans(), st.booleans())
@settings(deadline=None, max_examples=25)
def test_every_system_keeps_its_counts(n, systems, m, seed, weighted, grouped):
    rng = np.random.default_rng(seed)
    true = rng.integers(0, m, n)
    said = {f"S{k}": rng.integers(0, m, n) for k in range(systems)}
    weight = rng.random(n) + 0.1 if weighted else None
    groups = rng.integers(0, 4, n) if grouped else None
    joint = count_systems(true, said, sample_weight=weight, groups=groups).joint()
    for form in (joint, joint.by_pattern()):
        assert form.items == n
        for k, name in enumerate(said):
            mine = form.sample(k)
            labels = list(joint.labels)
            counted = count_systems(true, {name: said[name]}, sample_weight=weight, groups=groups, labels=labels)
            alone = counted.samples[name, None]
            assert np.allclose(mine.matrix.counts, alone.matrix.counts)
            if weighted:
                assert np.allclose(mine.squares, alone.squares)
                assert (mine.items == alone.items).all()
            if grouped:
                assert mine.groups.size == alone.groups.size
                assert sorted(zip(mine.groups.group, mine.groups.rows, mine.groups.cols, strict=True)) == sorted(
                    zip(alone.groups.group, alone.groups.rows, alone.groups.cols, strict=True)
                )


def test_patterns_are_those_of_the_rows():
    """Also where there are so many columns that their number would not fit into 64 bits."""
    rng = np.random.default_rng(0)
    base = rng.integers(0, 9, (90, 20))
    rows = base[:, rng.integers(0, 20, 500)]
    first, where = _patterns([(x, 9) for x in rows], 500)
    assert len(first) == len(np.unique(rows, axis=1).T)
    assert (rows[:, first][:, where] == rows).all()
    assert _patterns([(x, 9) for x in rows], 5) is None


def test_many_classes_stay_sparse():
    true = np.arange(6000)
    joint = count_systems(true, {"A": true, "B": (true + 1) % 6000}).joint()
    assert joint.sample(0).matrix.is_sparse
    assert gm.accuracy(joint.sample(0).matrix) == 1
    assert gm.accuracy(joint.sample(1).matrix) == 0


@pytest.mark.parametrize("most", [1, 200_000])
@pytest.mark.parametrize("kind", ["text", "numbers", "missing"])
def test_engines_count_what_arrays_say(monkeypatch, most, kind):
    import duckdb

    monkeypatch.setattr(duckdb_engine, "MOST_PATTERNS", most)
    monkeypatch.setattr(engines, "MOST_PATTERNS", most)
    rng = np.random.default_rng(1)
    columns = {name: rng.integers(0, 3, 50) for name in ("label", "A", "B")}
    if kind != "numbers":
        columns = {name: np.array(["x", "it's", "z"], object)[x] for name, x in columns.items()}
    if kind == "missing":
        columns["B"][[3, 7]] = None
    frame = pd.DataFrame(columns)
    expected = count_systems(
        columns["label"].tolist(), {x: columns[x].tolist() for x in "AB"}, missing="drop"
    ).joint()  # fmt: skip
    for table in (frame, pl.from_pandas(frame).lazy(), duckdb.from_df(frame)):
        found = count_frame(table, y_true="label", y_pred=["A", "B"], missing="drop", always_jointly=True).joint()
        assert found.labels == expected.labels
        assert found.dropped == expected.dropped == (2 if kind == "missing" else 0)
        for k in range(2):
            assert found.sample(k).matrix.counts.tolist() == expected.sample(k).matrix.counts.tolist()
        one, two = (x.of(0, 1) for x in (found, expected))
        assert sorted(zip(one.true, *one.pred, one.number, strict=True)) == sorted(
            zip(two.true, *two.pred, two.number, strict=True)
        )


def test_a_positive_class_makes_two():
    joint = count_systems(["a", "b", "c"], {"S": ["a", "c", "c"]}).joint().with_positive("c")
    assert joint.labels == ("not c", "c")
    assert joint.sample(0).matrix.counts.tolist() == [[1, 1], [0, 1]]
