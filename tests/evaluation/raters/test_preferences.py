"""Which of two systems people prefer."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import goodmeasure as gm
from tests.cli.command import call


def drawn(seed: int, strengths: dict[str, float], number: int, position: float = 0.0) -> gm.results.Preferences:
    drawing, names = np.random.default_rng(seed), list(strengths)
    pairs = [drawing.choice(names, 2, replace=False) for _ in range(number)]
    left, right = ([str(x[k]) for x in pairs] for k in (0, 1))
    ahead = [1 / (1 + np.exp(strengths[b] - strengths[a] - position)) for a, b in zip(left, right, strict=True)]
    winner = ["left" if drawing.random() < p else "right" for p in ahead]
    return gm.preferences(left, right, winner)


def test_a_tie_is_half_a_win() -> None:
    found = gm.preferences(["A", "B", "A", "A"], ["B", "A", "B", "B"], ["A", "A", "tie", "right"])
    rate = found.win_rate("A", "B")
    assert (rate.value, rate.wins, rate.ties, rate.losses) == (0.625, 2, 1, 1)
    other = found.win_rate("B", "A")
    assert other.value == 0.375
    assert (rate.low, rate.high) == pytest.approx((1 - other.high, 1 - other.low))


def test_win_rates_and_strengths_are_covered() -> None:
    strengths, rates, best = {"A": 0.6, "B": 0.0, "C": -0.6}, 0, 0
    truth = 1 / (1 + np.exp(-0.6))
    for seed in range(150):
        found = drawn(seed, strengths, 200)
        rate, strength = found.win_rate("A", "B"), found.bradley_terry().strength("A")
        rates += rate.low <= truth <= rate.high
        best += strength.low <= 0.6 <= strength.high
    assert rates >= 0.9 * 150
    assert best >= 0.9 * 150


def test_a_bias_towards_a_position_is_found_and_taken_out() -> None:
    found = drawn(1, {"A": 0.5, "B": -0.5}, 3000, position=0.8)
    assert found.position.p < 1e-6
    assert any("Position bias" in line for line in found.lines())
    model = found.bradley_terry()
    assert model.position_low < 0.8 < model.position_high
    assert model.probability("A", "B") == pytest.approx(1 / (1 + np.exp(-1)), abs=0.04)


def test_annotators_widen_the_interval() -> None:
    winner = ["A"] * 10 + ["B"] * 10 + ["A"] * 20
    alone = gm.preferences(["A"] * 40, ["B"] * 40, winner).win_rate("A", "B")
    grouped = gm.preferences(["A"] * 40, ["B"] * 40, winner, groups=[k // 10 for k in range(40)]).win_rate("A", "B")
    assert grouped.high - grouped.low > alone.high - alone.low


def test_a_file_is_read_by_its_column_names(tmp_path: Path) -> None:
    (tmp_path / "p.csv").write_text("left,right,winner\n" + "A,B,A\nB,A,tie\nA,B,B\n" * 5)
    assert gm.preferences(tmp_path / "p.csv").win_rate("A", "B").value == 0.5
    assert "comparisons of 2 systems" in call("preferences", tmp_path / "p.csv").output


@pytest.mark.parametrize(
    ("left", "right", "winner", "said"),
    [
        (["A"], ["A"], ["A"], "compared with itself"),
        (["A"], ["B"], ["C"], "the winner 'C' is neither 'A' nor 'B'"),
        (["A"], ["B"], ["A", "B"], "different lengths"),
    ],
)
def test_bad_input_gets_one_clear_line(left: list[str], right: list[str], winner: list[str], said: str) -> None:
    with pytest.raises(gm.InputError, match=said):
        gm.preferences(left, right, winner)
