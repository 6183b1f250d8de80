"""Scores of files and lazy engines that are read in batches have the values of the same scores in memory."""

from __future__ import annotations

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pytest

import goodmeasure as gm
from goodmeasure.counts.readers import row_batches
from goodmeasure.counts.readers.files import memory_budget
from goodmeasure.counts.readers.reader import lazy_reader_of
from goodmeasure.counts.scores import score_sketch
from goodmeasure.evaluation.scores import scores_beyond_memory, uncertainty

RNG = np.random.default_rng(5)
N = 400
P = RNG.random(N).round(2).clip(0.01, 0.99)
FRAME = pd.DataFrame({
    "label": np.where(1.2 * RNG.random(N) < P, "spam", "ham"), "p": P,
    "q": np.clip(P + RNG.normal(size=N) / 4, 0.01, 0.99),
    "site": RNG.choice(["x", "y"], N), "age": RNG.integers(1, 4, N), "w": RNG.random(N).round(1) + 0.1,
})  # fmt: skip
CHOSEN = ["roc_auc", "average_precision", "log_loss", "brier", "calibration_error", "ks", "mcc", "recall"]


@pytest.fixture
def tiny(monkeypatch):
    """Batches and limits that a few hundred rows exceed."""
    monkeypatch.setattr(scores_beyond_memory, "LARGE", 50)
    monkeypatch.setattr(row_batches, "ROWS", 37)


def table(result):
    return [(x["system"], x["slice"], x["class"], x["measure"], x["reason"]) for x in result.table]


def numbers(result):
    return [[x["value"], x["low"], x["high"], x["chance"]] for x in result.table]


def lazy_dask(frame):
    return pytest.importorskip("dask.dataframe").from_pandas(frame, npartitions=3)


def lazy_ibis(frame, backend="duckdb"):
    return getattr(pytest.importorskip("ibis"), backend).connect().create_table("made", frame)


ENGINES = {"duckdb": duckdb.from_df, "polars": lambda frame: pl.from_pandas(frame).lazy()}


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("options", [{}, {"sample_weight": "w"}, {"by": "site"}, {"positive": "ham", "threshold": 0.3}])
def test_batches_have_the_values_of_memory(tiny, engine, options):
    given = {"y_true": "label", "y_score": ["p", "q"], "measures": CHOSEN, "replicates": 200, **options}
    found, expected = gm.evaluate(ENGINES[engine](FRAME), **given), gm.evaluate(FRAME, **given)
    assert found.scored.data["p", None].merged is not None
    assert expected.scored.data["p", None].merged is None
    assert table(found) == table(expected)
    values, known = (np.array(numbers(x), float) for x in (found, expected))
    drawn = np.array([x["measure"] in ("ks", "calibration_error") for x in found.table])
    if "sample_weight" in options:  # sums of weights are drawn as normal numbers
        assert values[drawn] == pytest.approx(known[drawn], abs=0.08, nan_ok=True)
        # and the ends of intervals depend on fourth powers of weights, as if those of a row were equal
        assert values[~drawn, 0] == pytest.approx(known[~drawn, 0], rel=1e-9, abs=1e-12, nan_ok=True)
        assert values[~drawn] == pytest.approx(known[~drawn], abs=0.02, nan_ok=True)
    else:
        assert values[~drawn] == pytest.approx(known[~drawn], rel=1e-9, abs=1e-12, nan_ok=True)
    assert values[drawn][:, 0] == pytest.approx(known[drawn][:, 0])
    assert found.matrix("p").counts == pytest.approx(expected.matrix("p").counts)


@pytest.mark.filterwarnings("ignore")  # dask sets an option that pandas no longer wants
def test_partitions_of_dask_are_batches(tiny):
    found = gm.evaluate(lazy_dask(FRAME), y_true="label", y_score="p", measures=["roc_auc"])
    assert found.value("roc_auc") == gm.roc_auc(FRAME["label"], FRAME["p"], positive="spam")
    assert found.scored.data["p", None].merged is not None


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("backend", ["duckdb", "sqlite"])
def test_tables_of_ibis_come_in_batches(tiny, backend):
    given = lazy_ibis(FRAME, backend)
    found = gm.evaluate(given, y_true="label", y_score="p", measures=["roc_auc"])
    assert found.value("roc_auc") == gm.roc_auc(FRAME["label"], FRAME["p"], positive="spam")
    assert found.scored.data["p", None].merged is not None
    sizes = [len(x) for x in lazy_reader_of(given).batches(["p"])]
    assert len(sizes) > 1
    assert sum(sizes) == N
    in_memory = pytest.importorskip("ibis").memtable(FRAME)
    assert sum(len(x) for x in lazy_reader_of(in_memory).batches(["p"])) == N


def test_no_number_of_items_is_too_large(tiny):
    """Pairs of 10^12 items do not fit 64 bits."""
    frame = FRAME.assign(n=RNG.integers(1, 9, N))
    given = {"y_true": "label", "y_score": "p", "count": "n", "confidence": None}
    given["measures"] = [f.name for f in gm.measures(takes="scores")]
    few, many = (gm.evaluate(duckdb.from_df(frame.assign(n=frame["n"] * k)), **given) for k in (1, 10**9))
    ours, theirs = ([x[0] for x in numbers(found)] for found in (many, few))
    assert ours == pytest.approx(theirs, rel=1e-9, nan_ok=True)


@pytest.mark.parametrize("weighted", [False, True])
def test_rows_that_stand_for_many_items_are_counted_as_often(tiny, weighted):
    frame = FRAME.assign(n=RNG.integers(0, 4, N))
    listed = frame.loc[frame.index.repeat(frame["n"])]
    given = {"y_true": "label", "y_score": ["p", "q"], "measures": CHOSEN, "by": "site", "replicates": 200}
    given |= {"sample_weight": "w"} if weighted else {}
    found = gm.evaluate(duckdb.from_df(frame), count="n", **given)
    assert found.scored.data["p", None].merged is not None
    expected = gm.evaluate(duckdb.from_df(listed), **given)
    assert table(found) == table(expected)
    assert numbers(found) == [pytest.approx(x, nan_ok=True) for x in numbers(expected)]
    assert found.counted.rows == len(listed)


def test_more_items_than_memory_could_list(tmp_path):
    """A file of few rows that stand for 5 billion items."""
    rows = ["yes,0.9,2000000000", "yes,0.4,500000000", "no,0.5,1000000000", "no,0.1,1500000000"]
    (tmp_path / "table.csv").write_text("\n".join(["label,p,n", *rows, ""]))
    given = {"y_true": "label", "y_score": "p", "count": "n"}
    found = gm.evaluate(tmp_path / "table.csv", **given, measures=["roc_auc", "accuracy"])
    assert found.value("roc_auc") == pytest.approx(0.8 + 0.2 * 0.6)
    assert found.value("accuracy") == pytest.approx(3.5 / 5)
    assert gm.sweep(tmp_path / "table.csv", **given).matrix(0.5).counts.tolist() == [
        [1_500_000_000, 1_000_000_000], [500_000_000, 2_000_000_000]
    ]  # fmt: skip


@pytest.mark.parametrize("options", [{}, {"by": "site"}, {"sample_weight": "w"}, {"positive": "ham"}])
def test_a_sweep_over_batches_is_that_of_memory(tiny, options):
    given = {"y_true": "label", "measures": ["mcc", "f1"], **options}
    for y_score in ("p", ["p", "q"]):
        found, expected = (gm.sweep(x, y_score=y_score, **given) for x in (duckdb.from_df(FRAME), FRAME))
        assert set(found.groups) == set(expected.groups)
        assert found.positive == expected.positive
        for group in found.groups:
            assert found.values("mcc", group) == pytest.approx(expected.values("mcc", group))
            ours, theirs = found.best("f1", group), expected.best("f1", group)
            assert (ours.threshold, ours.value) == (theirs.threshold, pytest.approx(theirs.value))
            if not options.get("sample_weight"):
                assert (ours.low, ours.high) == (theirs.low, theirs.high)


def test_a_sweep_over_too_many_scores_says_how_far_apart_its_thresholds_are(tiny, monkeypatch):
    monkeypatch.setattr(score_sketch, "MOST", 120)
    monkeypatch.setattr(score_sketch, "_FEWEST", 60)
    found = gm.sweep(duckdb.from_df(FRAME), y_true="label", y_score="q", measures="mcc")
    exact = gm.sweep(FRAME, y_true="label", y_score="q", measures="mcc")
    known = dict(zip(exact.thresholds.tolist(), exact.values("mcc").tolist(), strict=True))
    assert len(found.thresholds) < len(known)
    assert found.values("mcc") == pytest.approx([known[x] for x in found.thresholds.tolist()])
    assert "thresholds were kept, at which all counts are exact" in found.source.notes[0]
    for text in (str(found), found.to_markdown()):
        assert found.source.notes[0] in " ".join(text.split())


def test_what_does_not_fit_a_memory_limit_says_what_to_do(tmp_path, monkeypatch):
    monkeypatch.setattr(memory_budget, "SCORED", 1_000_000)
    FRAME.assign(doc=np.arange(N) // 4).to_csv(tmp_path / "scores.csv", index=False)
    given = {"y_true": "label", "memory_limit": "200MB"}
    for data in (tmp_path / "scores.csv", duckdb.from_df(FRAME.assign(doc=np.arange(N) // 4))):
        with pytest.raises(gm.InputError, match="400 items take about 400 MB"):
            gm.compare(data, y_score=["p", "q"], by="site", **given)
        with pytest.raises(gm.InputError, match="400 items take about 400 MB"):
            gm.evaluate(data, y_score="p", groups="doc", **given)
        gm.compare(data, y_score=["p", "q"], measures="roc_auc", **{**given, "memory_limit": "1GB"})


@pytest.mark.parametrize("ending", ["csv", "parquet", "jsonl"])
def test_files_are_read_in_batches(tiny, tmp_path, monkeypatch, ending):
    frame = FRAME.assign(label=(FRAME["label"] == "spam").astype(int))
    path = tmp_path / f"scores.{ending}"
    write = {"csv": frame.to_csv, "parquet": frame.to_parquet,
             "jsonl": lambda x, index: frame.to_json(x, orient="records", lines=True)}[ending]  # fmt: skip
    write(path, index=False)
    given = {"y_true": "label", "y_score": "p", "by": ["site", "age"], "measures": ["roc_auc", "brier", "f1"]}
    found = gm.evaluate(path, **given)
    assert found.scored.data["p", None].merged is not None
    monkeypatch.setattr(scores_beyond_memory, "LARGE", 10**9)
    expected = gm.evaluate(path, **given)
    assert table(found) == table(expected)
    assert numbers(found) == [pytest.approx(x, nan_ok=True) for x in numbers(expected)]
    assert found.source.positive == expected.source.positive
    assert found.source.reading == expected.source.reading


def test_a_memory_limit_says_what_is_large(tmp_path, monkeypatch):
    monkeypatch.setattr(scores_beyond_memory, "_are_small", lambda data: False)
    monkeypatch.setattr(scores_beyond_memory, "SCORED", 1_000_000)  # so that 200 MB are enough for 200 rows
    FRAME.to_csv(tmp_path / "scores.csv", index=False)
    options = {"y_true": "label", "y_score": "p", "measures": "roc_auc"}
    small = gm.evaluate(tmp_path / "scores.csv", **options, memory_limit="200MB")
    assert small.scored.data["p", None].merged is not None
    assert gm.evaluate(tmp_path / "scores.csv", **options).scored.data["p", None].merged is None


def test_a_sketch_says_how_far_off_it_may_be(tiny, monkeypatch):
    monkeypatch.setattr(score_sketch, "MOST", 120)
    monkeypatch.setattr(score_sketch, "_FEWEST", 60)
    result = gm.evaluate(duckdb.from_df(FRAME), y_true="label", y_score="q", measures=[*CHOSEN, "h_measure"])
    rows = {x["measure"]: x for x in result.table if x["class"] is None}
    exact = gm.evaluate(FRAME, y_true="label", y_score="q", measures=CHOSEN)
    for name in CHOSEN:
        off = 0.0
        if rows[name]["reason"]:
            assert "sketch" in rows[name]["reason"]
            off = float(rows[name]["reason"].rsplit(" ", 1)[1])
        assert abs(rows[name]["value"] - exact.value(name)) <= 1.1 * off + 1e-9
    assert "off by at most" in rows["roc_auc"]["reason"]
    assert rows["log_loss"]["reason"] is None
    assert rows["calibration_error"]["reason"] is None
    assert np.isnan(rows["h_measure"]["value"])
    assert "off by at most" in result.to_markdown()
    assert result.to_html().count('class="chart"') >= 6
    assert "off by at most" in result.to_text(full=True)


def test_intervals_are_wider_by_what_a_sketch_leaves_open(tiny, monkeypatch):
    monkeypatch.setattr(score_sketch, "MOST", 120)
    monkeypatch.setattr(score_sketch, "_FEWEST", 60)
    given = {"y_true": "label", "y_score": "q", "measures": ["roc_auc", "average_precision", "brier"]}

    def ends():
        table = gm.evaluate(duckdb.from_df(FRAME), **given).table
        return {x["measure"]: (x["low"], x["high"]) for x in table if x["class"] is None}

    wide = ends()
    monkeypatch.setattr(uncertainty, "sketch_error", lambda *_: 0.0)
    narrow = ends()
    for name in ("roc_auc", "average_precision"):
        off = narrow[name][0] - wide[name][0]
        assert off > 0
        assert wide[name][1] - narrow[name][1] == pytest.approx(off)
    assert wide["brier"] == narrow["brier"]


def test_missing_scores_are_refused_or_left_out(tiny):
    frame = FRAME.assign(p=FRAME["p"].where(FRAME["p"] > 0.1), label=FRAME["label"].where(FRAME["q"] > 0.1))
    options = {"y_true": "label", "y_score": ["p", "q"], "measures": ["roc_auc", "mcc"]}
    with pytest.raises(ValueError, match="missing='drop' leaves such items out"):
        gm.evaluate(duckdb.from_df(frame), **options)
    found = gm.evaluate(duckdb.from_df(frame), **options, missing="drop")
    expected = gm.evaluate(frame, **options, missing="drop")
    assert found.counted.dropped == expected.counted.dropped
    assert numbers(found) == [pytest.approx(x, nan_ok=True) for x in numbers(expected)]


def test_what_needs_all_items_at_once_is_read_into_memory(tiny):
    frame = FRAME.assign(doc=np.arange(N) // 4)
    found = gm.evaluate(duckdb.from_df(frame), y_true="label", y_score="p", groups="doc", measures="roc_auc")
    assert found.scored.data["p", None].merged is None


def test_bad_weights_and_text_instead_of_scores_are_refused(tiny):
    with pytest.raises(ValueError, match="weight column 'w' is missing, negative"):
        gm.evaluate(duckdb.from_df(FRAME.assign(w=-1.0)), y_true="label", y_score="p", sample_weight="w")
    with pytest.raises((TypeError, ValueError), match="site"):
        gm.evaluate(duckdb.from_df(FRAME), y_true="label", y_score="site")
