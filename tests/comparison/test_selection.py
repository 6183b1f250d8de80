"""What was chosen because it looks best or worst is said with an interval that allows for the choice."""

from __future__ import annotations

import re

import numpy as np
import pytest

import goodmeasure as gm


def alike(rng, systems, items=200, right=0.85):
    true, common = rng.integers(0, 2, items), rng.random(items)
    drawn = {f"s{k}": np.where(rng.random(items) < 0.5, common, rng.random(items)) for k in range(systems)}
    return true, {name: np.where(x < right, true, 1 - true) for name, x in drawn.items()}


def test_the_interval_of_the_best_of_many_alike_systems_holds_its_true_value():
    rng, alone, chosen, bias = np.random.default_rng(1), 0, 0, []
    for _ in range(25):
        found = gm.compare(*alike(rng, 10), measures="accuracy", replicates=200, ensemble=False, pairs="best")
        best = found.best("accuracy")
        row = found.score(best.name, "accuracy")
        assert best.value == row["value"]
        alone += row["low"] <= 0.85 <= row["high"]
        chosen += best.low <= 0.85 <= best.high
        bias.append((best.value - 0.85, best.expected - 0.85))
    assert chosen >= 22  # of 25; at 95%, fewer come with a probability of 3%
    assert alone < chosen
    observed, expected = np.mean(bias, axis=0)
    assert observed > 0.02
    assert abs(expected) < observed / 2


def test_a_system_that_is_clearly_better_keeps_its_value():
    rng = np.random.default_rng(2)
    true, systems = alike(rng, 3, 2000, 0.7)
    systems["clear"] = np.where(rng.random(2000) < 0.95, true, 1 - true)
    best = gm.compare(true, systems, measures="accuracy", replicates=200).best()
    assert best.name == "clear"
    assert best.expected == pytest.approx(best.value, abs=0.01)
    assert best.low < 0.95 < best.high


def test_lower_is_better_too():
    true, systems = alike(np.random.default_rng(3), 6)
    best = gm.compare(true, systems, measures="error_rate", replicates=200).best()
    assert best.value < best.expected < best.high


def test_the_weakest_class_comes_with_an_interval_for_the_lowest_of_all():
    rng, held = np.random.default_rng(4), 0
    for _ in range(60):
        true = np.repeat(np.arange(8), 30)
        predicted = np.where(rng.random(240) < 0.8, true, (true + rng.integers(1, 8, 240)) % 8)
        said = str(gm.evaluate(true, predicted, measures=["accuracy", "mcc"], classwise=["recall"]))
        found = re.search(r"weakest class \(([\d.]+)% to ([\d.]+)%, allowing for the choice", " ".join(said.split()))
        held += float(found[1]) <= 80 <= float(found[2])
    assert held >= 53


def test_two_alike_systems_are_not_said_to_change_places():
    rng, said = np.random.default_rng(5), 0
    for _ in range(15):
        true = (rng.random(400) < 0.3).astype(int)
        systems = {k: np.where(rng.random(400) < np.where(true == 1, 0.8, 0.9), true, 1 - true) for k in "AB"}
        text = gm.evaluate(true, systems, measures=["mcc"], classwise=False, tests=False).to_markdown()
        said += "is better than" in text
    assert said <= 1
