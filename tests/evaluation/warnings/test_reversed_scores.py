"""Scores that point the other way are told, by sweeps and beside evaluations, and others are not."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest
from sklearn import metrics

import goodmeasure as gm
from goodmeasure.counts.scores.by_threshold import count
from goodmeasure.evaluation.warnings.reversed_scores import area
from tests.cli.command import call

HINT = "The scores seem to point the other way: the area under the ROC curve is"


def scored(n=300, seed=0, strength=1.5, decimals=2):
    rng = np.random.default_rng(seed)
    y = rng.random(n) < 0.3
    return y, np.round(rng.normal(size=n) + strength * y, decimals)


@pytest.mark.parametrize("decimals", [0, 2, 9])
@pytest.mark.parametrize("weighted", [False, True])
def test_the_area_is_that_of_scikit_learn(decimals, weighted):
    y, s = scored(decimals=decimals)
    weights = np.random.default_rng(1).random(len(y)) if weighted else None
    assert area(count(s, y, weights)) == pytest.approx(metrics.roc_auc_score(y, s, sample_weight=weights), abs=1e-12)


def test_reversed_scores_are_told_with_both_ways_out():
    y, s = scored()
    (found,) = gm.sweep(y, -s).warnings
    assert found.text.startswith(HINT)
    assert "Negate the scores, or name the other class" in found.text
    assert HINT in str(gm.sweep(y, -s))
    assert HINT in gm.sweep(y, -s).to_markdown()
    assert gm.sweep(y, -s, positive=False).warnings == []


@pytest.mark.parametrize("strength", [0, 0.1, 1.5, 20])
def test_scores_that_are_right_or_useless_are_not_said_to_be_reversed(strength):
    assert [x for seed in range(5) for x in gm.sweep(*scored(seed=seed, strength=strength)).warnings] == []


def test_one_class_only_and_matrices_say_nothing():
    assert gm.sweep([1, 1], [0.2, 0.4]).warnings == []
    assert gm.sweep(matrices={0.5: [[1, 5], [4, 2]]}).warnings == []


def test_the_system_whose_scores_are_reversed_is_named():
    y, s = scored()
    assert [x.system for x in gm.sweep(y, {"good": s, "bad": -s}).warnings] == ["bad"]


def test_the_command_line_tells_reversed_scores(tmp_path):
    y, s = scored()
    path = tmp_path / "x.csv"
    pd.DataFrame({"label": y.astype(int), "p": -s, "pred": (s > 1).astype(int)}).to_csv(path, index=False)
    swept = call("sweep", path, "--true", "label", "--score", "p")
    assert f"Warning: p: {HINT}" in swept.output or f"Warning: {HINT}" in swept.output
    options = ["evaluate", str(path), "--true", "label", "--pred", "pred", "--score", "p"]
    assert HINT in call(*options, "--no-report").output
    data = json.loads(call(*options, "--json").output)
    assert data["sweep"]["warnings"][0]["text"].startswith(HINT)
