"""How right a judge is, how it is biased, and which items to label next."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import goodmeasure as gm
from tests.cli.command import call
from tests.evaluation.judges.worlds import drawn_labels, with_judge


def test_agreement_is_that_of_the_items_with_a_human_label() -> None:
    true, said, _ = with_judge(200, 300, seed=1)
    found = gm.judge(true, said)
    alone = gm.evaluate(true[:200], said[:200], measures=["accuracy", "kappa"])
    assert found.value("kappa") == alone.value("kappa")
    row = next(x for x in alone.table if x["measure"] == "accuracy" and x["class"] is None)
    assert found.interval("accuracy") == (row["low"], row["high"])
    assert found.matrix() == alone.matrix()


def test_the_bias_of_each_class_and_slice_has_an_interval() -> None:
    drawing, covered = np.random.default_rng(0), 0
    for _ in range(300):
        human = (drawing.random(80) < 0.4).astype(int)
        said = np.where(human == 1, 1, (drawing.random(80) < 0.1).astype(int))  # says 1 in 6% of items too often
        bias = gm.judge(human.tolist(), said.tolist()).bias[0]
        covered += bias.low <= 0.06 <= bias.high
    assert covered >= 0.92 * 300
    sliced = gm.judge(human.tolist(), said.tolist(), by={"length": drawing.permutation(80).tolist()})
    assert [x.slice for x in sliced.bias][:1] == [None]
    assert len(sliced.bias) == 5  # all items, and four ranges of lengths
    assert sum(x.items for x in sliced.bias[1:]) == 80


def test_what_to_label_next_is_where_the_judge_is_unsure() -> None:
    drawing = np.random.default_rng(2)
    human = (drawing.random(3000) < 0.5).astype(int)
    said = np.where((human == 0) & (drawing.random(3000) < 0.3), 1, human)  # a 0 is right, a 1 may be wrong
    given = [int(x) if k < 200 else None for k, x in enumerate(human)]
    chosen = gm.judge(given, said.tolist()).next_items(300)
    assert len(chosen.items) == 300
    assert len(chosen.sampling) == 3000
    assert np.mean(said[list(chosen.items)]) > 0.75
    assert all(given[k] is None for k in chosen.items)
    assert gm.judge(given, said.tolist()).next_items(300) == chosen


def test_labels_of_the_next_items_keep_intervals_valid_and_make_them_narrower() -> None:
    true, said, pred = drawn_labels(200_000, seed=4, judge=0.85)
    said = np.where((true == 0) & (np.arange(len(true)) % 4 == 0), 1, said)
    truth, covered, widths = float((true == pred).mean()), 0, []
    drawing = np.random.default_rng(5)
    for seed in range(60):
        at = drawing.integers(0, len(true), 1500)
        t, j, p = (x[at].astype(float) for x in (true, said, pred))
        human = np.where(np.arange(1500) < 80, t, np.nan)
        first = gm.evaluate(human, p, y_judge=j, measures=["accuracy"], classwise=False)
        assert first.judge is not None
        chosen = first.judge.next_items(120, seed=seed)
        human[list(chosen.items)] = t[list(chosen.items)]
        after = gm.evaluate(human, p, y_judge=j, sampling=chosen.sampling, measures=["accuracy"], classwise=False)
        row = after.table[0]
        covered += row["low"] <= truth <= row["high"]
        at_random = gm.evaluate(
            np.where(np.arange(1500) < 200, t, np.nan), p, y_judge=j, measures=["accuracy"], classwise=False
        ).table[0]
        widths.append((row["high"] - row["low"], at_random["high"] - at_random["low"]))
    assert covered >= 0.9 * 60
    assert np.median([a / b for a, b in widths]) < 1.05


def test_the_command_says_how_right_the_judge_is(tmp_path: Path) -> None:
    true, said, _ = with_judge(60, 100, seed=3)
    lines = ["human,judge", *(f"{'' if t is None else t},{j}" for t, j in zip(true, said, strict=True))]
    path = tmp_path / "labels.csv"
    path.write_text("\n".join(lines))
    shown = call("judge", str(path), "--true", "human", "--judge", "judge", "--next", "5")
    assert "The judge agrees with humans on" in shown.output
    assert "rows to label next" in shown.output


@pytest.mark.parametrize(
    ("human", "judge", "said"),
    [([None, None], [1, 0], "no item has a human label"), ([1, 0, 1], [1, 0], "2 labels"), ([1, 0], [1, None], "1")],
)
def test_bad_input_gets_one_clear_line(human: list[int], judge: list[int], said: str) -> None:
    with pytest.raises(gm.InputError, match=said):
        gm.judge(human, judge)


def test_a_judge_saves_human_labels_in_a_plan() -> None:
    true, said, pred = with_judge(1000, 3200, seed=7, judge=0.9)
    pilot = gm.evaluate(true, pred, y_judge=said, measures=["accuracy"])
    asked = {"measure": "accuracy", "width": 0.06, "simulations": 50}
    alone = gm.plan(pilot.matrix(), **asked)
    found = gm.plan(pilot.matrix(), judge=pilot.judge, **asked)
    assert found.items < 0.75 * alone.items
    truth, new, system = drawn_labels(4200, seed=8, judge=0.9)
    human = np.where(np.arange(4200) < found.items, truth.astype(float), np.nan)
    row = gm.evaluate(human, system.astype(float), y_judge=new.astype(float), measures=["accuracy"]).table[0]
    assert row["high"] - row["low"] == pytest.approx(0.06, rel=0.2)
    with pytest.raises(gm.InputError, match="not known for f1"):
        gm.plan(pilot.matrix(), judge=pilot.judge, measure="f1", width=0.1, simulations=50)
