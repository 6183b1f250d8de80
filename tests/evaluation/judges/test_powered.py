"""Human labels of a few items, and a judge's labels of all."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import goodmeasure as gm
from goodmeasure.evaluation.judges.random_draw import drawn_at_random
from goodmeasure.options import IntervalMethod
from goodmeasure.typing import Array
from tests.evaluation.judges.worlds import drawn_labels, with_judge

MANY = ["accuracy", "f1", "mcc", "kappa", "balanced_accuracy", "macro(f1)", "precision", "recall"]


def ends(result: gm.Result, measure: str = "accuracy") -> tuple[float, float]:
    row = next(x for x in result.table if x["measure"] == measure and x["class"] is None and x["slice"] is None)
    return row["low"], row["high"]


@pytest.mark.parametrize("method", ["auto", "delta", "exact", "smoothed"])
def test_a_judge_that_contradicts_humans_leaves_the_interval_of_the_human_labels(method: IntervalMethod) -> None:
    true, judge, pred = with_judge(80, 500, seed=1, judge=0.2)
    found = gm.evaluate(true, pred, y_judge=judge, measures=["accuracy"], method=method)
    alone = gm.evaluate(true[:80], pred[:80], measures=["accuracy"], method=method)
    assert found.parts[0].powered[0].share == 0
    assert ends(found) == ends(alone)
    assert found.judge is not None
    assert found.judge.worth == 0


@pytest.mark.parametrize("seed", range(2))
def test_no_interval_is_wider_than_that_of_the_human_labels_alone(seed: int) -> None:
    true, judge, pred = with_judge(60, 400, seed=seed, judge=[0.95, 0.7][seed % 2])
    found = gm.evaluate(true, pred, y_judge=judge, measures="all", classwise=["recall"])
    alone = gm.evaluate(true[:60], pred[:60], measures="all", classwise=["recall"])
    for one, other in zip(found.table, alone.table, strict=True):
        if not np.isnan([other["low"], other["value"]]).any():
            assert one["high"] - one["low"] <= other["high"] - other["low"] + 1e-12, one
            assert one["low"] <= one["value"] <= one["high"]


def test_a_right_judge_narrows_every_measure_and_says_what_it_is_worth() -> None:
    true, judge, pred = with_judge(150, 1500, seed=5, judge=0.97)
    found = gm.evaluate(true, pred, y_judge=judge, measures=MANY)
    alone = gm.evaluate(true[:150], pred[:150], measures=MANY)
    for f in MANY:
        (low, high), (under, over) = ends(found, f), ends(alone, f)
        assert high - low < 0.75 * (over - under)
    assert found.judge is not None
    assert found.judge.worth is not None
    assert 150 < found.judge.worth < 1500
    assert set(found.judge.worths["system"]) == set(MANY)


def test_the_first_items_may_be_those_with_a_human_label() -> None:
    assert sum(_p(with_judge(100, 900, seed=k)) < 0.01 for k in range(60)) <= 3


def _p(labels: tuple[list[int | None], Array, Array]) -> float:
    from goodmeasure.counts.judged import Judged

    true, judge, pred = labels
    one = np.ones(len(pred))
    return drawn_at_random([Judged(np.array([-1 if x is None else x for x in true]), judge, pred, one, one, one)])


def test_human_labels_of_other_items_than_random_ones_are_refused() -> None:
    true, judge, pred = drawn_labels(2000, seed=2)
    human = [int(t) if p == 1 and k % 3 == 0 else None for k, (t, p) in enumerate(zip(true, pred, strict=True))]
    with pytest.raises(gm.InputError, match=r"not drawn at random: .* name the strata .* strata=.* sampling="):
        gm.evaluate(human, pred, y_judge=judge)


def test_a_slight_difference_is_noted() -> None:
    true, judge, pred = drawn_labels(3000, seed=3)
    drawing = np.random.default_rng(0)
    human = [int(t) if drawing.random() < 0.1 + 0.025 * p else None for t, p in zip(true, pred, strict=True)]
    found = gm.evaluate(human, pred, y_judge=judge, measures=["accuracy"])
    assert any("It seems that items with a human label were not drawn at random" in str(x) for x in found.warnings)


@pytest.mark.parametrize("way", ["strata", "sampling"])
def test_strata_and_sampling_probabilities_keep_intervals_valid(way: str) -> None:
    covered, values, truth = 0, [], 0.0
    true, judge, pred = drawn_labels(400_000, seed=9, system=0.8)
    pred = np.where((true == 1) & (np.arange(len(true)) % 2 == 0), 0, pred)  # the system fails on positives
    truth = float((true == pred).mean())
    drawing = np.random.default_rng(1)
    for _ in range(120):
        at = drawing.integers(0, len(true), 1500)
        t, j, p = true[at], judge[at], pred[at]
        chance = np.where(p == 1, 0.25, 0.05)
        human = np.where(drawing.random(1500) < chance, t, np.nan)
        given = {"strata": p} if way == "strata" else {"sampling": chance}
        found = gm.evaluate(human, p.astype(float), y_judge=j.astype(float), measures=["accuracy"], **given)
        low, high = ends(found)
        covered += low <= truth <= high
        values.append(found.value("accuracy"))
    assert abs(np.mean(values) - truth) < 0.01
    assert covered >= 0.9 * 120


def test_few_human_labels_and_a_high_pass_rate_are_covered() -> None:
    # 40 human labels, 95% right, a judge that is right in 90%: truescore 0.7.4 covers 86.8%, ppi_py 83.5% of the time.
    drawing, covered, wider = np.random.default_rng(0), 0, 0
    for _ in range(400):
        right = drawing.random(1040) < 0.95
        judged = np.where(drawing.random(1040) < 0.9, right, ~right).astype(float)
        human = np.where(np.arange(1040) < 40, right.astype(float), np.nan)
        found = gm.evaluate(
            human, np.ones(1040), y_judge=judged, measures=["accuracy"], labels=[0.0, 1.0], classwise=False
        )
        (low, high), alone = ends(found), found.parts[0].powered[0].human
        covered += low <= 0.95 <= high
        wider += high - low > alone.high - alone.low + 1e-12
    assert covered >= 0.92 * 400
    assert wider == 0


def test_groups_widen_the_interval() -> None:
    drawing, covered = np.random.default_rng(3), 0
    for _ in range(150):
        group = np.repeat(np.arange(150), 8)
        ease = drawing.beta(4, 1, 150)[group]
        right = drawing.random(1200) < ease
        judged = np.where(drawing.random(1200) < 0.9, right, ~right).astype(float)
        human = np.where(group < 30, right.astype(float), np.nan)
        found = gm.evaluate(
            human, np.ones(1200), y_judge=judged, groups=group, measures=["accuracy"], labels=[0.0, 1.0],
            classwise=False,
        )  # fmt: skip
        low, high = ends(found)
        covered += low <= 0.8 <= high
    assert covered >= 0.9 * 150


def test_frames_files_and_labels_give_the_same(tmp_path: Path) -> None:
    true, judge, pred = with_judge(120, 700, seed=4)
    names = {0: "bad", 1: "good", None: None}
    frame = pd.DataFrame({
        "human": [names[x] for x in true], "said": [names[x] for x in judge.tolist()],
        "pred": [names[x] for x in pred.tolist()], "site": ["x", "y"] * 410,
    })  # fmt: skip
    frame.to_csv(tmp_path / "a.csv", index=False)
    asked = {"y_true": "human", "y_pred": "pred", "y_judge": "said", "measures": MANY, "by": "site"}
    one = gm.evaluate(frame, **asked)
    of_file = gm.evaluate(tmp_path / "a.csv", **asked)
    assert [x["slice"] for x in of_file.table] == [x["slice"] for x in one.table]
    assert [x["low"] for x in of_file.table] == pytest.approx([x["low"] for x in one.table], abs=1e-12, nan_ok=True)
    arrays = gm.evaluate(
        frame["human"].tolist(), frame["pred"].tolist(), y_judge=frame["said"].tolist(), measures=MANY,
        by={"site": frame["site"].tolist()},
    )  # fmt: skip
    assert [x["value"] for x in arrays.table] == [x["value"] for x in one.table]
    guessed = gm.evaluate(frame, y_true="human", y_judge="said", measures=["accuracy"])
    assert guessed.value("accuracy") == pytest.approx(one.value("accuracy"), abs=1e-12)


def test_a_missing_prediction_is_left_to_missing() -> None:
    true, judge, pred = with_judge(60, 300, seed=6)
    said: list[int | None] = pred.tolist()
    said[3] = said[200] = None
    with pytest.raises(gm.InputError, match="has no label in 2 of 360 rows"):
        gm.evaluate(true, said, y_judge=judge)
    found = gm.evaluate(true, said, y_judge=judge, missing="drop", measures=["accuracy"])
    assert found.part().sample.item_count == 59
    with_class = gm.evaluate(true, said, y_judge=judge, missing="class", measures=["accuracy"])
    assert with_class.matrix().m == 3


def test_two_systems_are_compared_with_the_judge() -> None:
    true, judge, better, worse = drawn_labels(1200, seed=8, judge=0.97, systems=2)
    worse = np.where(np.arange(1200) % 8 == 0, 1 - worse, worse)
    human = [int(x) if k < 150 else None for k, x in enumerate(true)]
    systems = {"A": better, "B": worse}
    found = gm.compare(human, systems, y_judge=judge, measures=["accuracy", "f1"])
    alone = gm.compare(human[:150], {k: x[:150] for k, x in systems.items()}, measures=["accuracy", "f1"])
    for one, other in zip(found.differences, alone.differences, strict=True):
        assert one["high"] - one["low"] < other["high"] - other["low"]
        assert one["method"] == "normal"
    result = gm.evaluate(human, systems, y_judge=judge, measures=["accuracy", "f1"])
    assert result.comparison is not None
    kept = ("system", "measure", "value", "low", "high")
    rows = [{key: x[key] for key in kept} for x in result.table if x["class"] is None]
    assert rows == [{key: x[key] for key in kept} for x in found.scores]
    with pytest.raises(gm.InputError, match="with a judge, differences are tested by 'auto' or 'normal'"):
        gm.compare(human, systems, y_judge=judge, method="permutation")


def test_differences_of_systems_that_are_alike_are_rarely_significant() -> None:
    significant = 0
    for seed in range(80):
        true, judge, a, b = drawn_labels(700, seed=seed, systems=2)
        human = np.where(np.arange(700) < 100, true.astype(float), np.nan)
        found = gm.compare(human, {"a": a.astype(float), "b": b.astype(float)}, y_judge=judge.astype(float),
                           measures=["accuracy"])  # fmt: skip
        significant += found.differences[0]["p"] < 0.05
    assert significant <= 10


def test_requirements_are_checked_against_the_corrected_values() -> None:
    true, judge, pred = with_judge(100, 1000, seed=11)
    found = gm.evaluate(true, pred, y_judge=judge, measures=["accuracy"])
    low, high = ends(found)
    assert found.checked(f"accuracy >= {low - 0.001}", confident=True).met
    assert not found.checked(f"accuracy >= {high}", confident=True).met


def test_the_report_says_what_the_judge_adds() -> None:
    true, judge, pred = with_judge(100, 1000, seed=12)
    found = gm.evaluate(true, pred, y_judge=judge)
    assert "100 items with a human label and 1,000 more judged" in found.to_text()
    page = found.to_html()
    assert "prediction-powered inference" in page
    assert "What the judge adds" in page


BAD: list[tuple[dict[str, object], str]] = [
    ({"y_judge": [[1], [0]] * 150}, "more than one label for an item"),
    ({"y_judge": None, "strata": [1] * 300}, "strata needs y_judge="),
    ({"strata": ["s"] * 299 + ["t"]}, "no item of the stratum 't' has a human label"),
    ({"sampling": [0.0] * 300}, "sampling is 0 for an item with a human label"),
    ({"y_judge": [1] * 200}, "300"),
]


@pytest.mark.parametrize(("options", "said"), BAD, ids=[said for _, said in BAD])
def test_bad_input_gets_one_clear_line(options: dict[str, object], said: str) -> None:
    true, judge, pred = with_judge(50, 250, seed=1)
    with pytest.raises((ValueError, TypeError), match=said) as caught:
        gm.evaluate(true, pred, **{"y_judge": judge, **options})
    assert "\n" not in str(caught.value)


def test_a_judge_may_not_be_the_human_labels() -> None:
    true, _, pred = with_judge(50, 250, seed=1)
    with pytest.raises(gm.InputError, match="y_judge and y_true are the same labels"):
        gm.evaluate(true, pred, y_judge=true)


def test_without_a_human_label_nothing_can_be_corrected() -> None:
    _, judge, pred = with_judge(50, 250, seed=1)
    with pytest.raises(gm.InputError, match="no item has a human label"):
        gm.evaluate([None] * 300, pred, y_judge=judge)


def test_few_human_labels_are_said_and_not_refused() -> None:
    true, judge, pred = with_judge(12, 250, seed=1)
    found = gm.evaluate(true, pred, y_judge=judge, measures=["accuracy"])
    assert any("With 12 human labels" in str(x) for x in found.warnings)


def test_a_judge_of_scores_or_outcomes_is_refused_with_what_to_do() -> None:
    with pytest.raises(gm.InputError, match="the accuracy is the pass rate"):
        gm.evaluate(y_correct=[1, 0, 1], y_judge=[1, 1, 1])
    with pytest.raises(gm.InputError, match="y_judge needs predicted labels"):
        gm.evaluate([1, 0, 1], y_score=[0.3, 0.2, 0.4], y_judge=[1, 1, 1])


def test_labels_may_be_listed() -> None:
    true, judge, pred = with_judge(60, 300, seed=2)
    listed = gm.evaluate(true, pred, y_judge=judge, labels=[0, 1], measures=["f1"])
    assert list(listed.table) == list(gm.evaluate(true, pred, y_judge=judge, measures=["f1"]).table)
    assert listed.matrix().labels == (0, 1)
