"""The interval of the best threshold: all thresholds that are not significantly worse than the best."""

from __future__ import annotations

import json
import math
from statistics import NormalDist

import numpy as np
import pytest
from scipy import stats

import goodmeasure as gm
from benchmarks.coverage import chosen_thresholds
from goodmeasure.comparison.paired_labels import PairedLabels
from goodmeasure.comparison.settings import ComparisonSettings
from goodmeasure.counts.joint import Joint
from goodmeasure.evaluation.thresholds.best import by_threshold
from goodmeasure.evaluation.thresholds.near_best import NearBest
from goodmeasure.language.policy import RESOLVE


def scored(n, seed=0, share=0.4):
    rng = np.random.default_rng(seed)
    true = (rng.random(n) < share).astype(int)
    return true, np.round(rng.normal(size=n) + 1.5 * true, 6)


@pytest.mark.parametrize("measure", ["mcc", "f1", "accuracy", "zero_one_loss"])
@pytest.mark.parametrize("kind", ["plain", "weighted", "grouped"])
def test_a_threshold_is_kept_where_compare_does_not_call_it_worse(measure, kind):
    """The paired tests of the thresholds are those of `compare` (method="normal", smoothed), one-sided."""
    f, n = gm.measure(measure), 40
    true, scores = scored(n)
    order = np.argsort(-scores)
    true, weight = true[order], np.ones(n) if kind != "weighted" else np.linspace(1, 3, n)[order]
    group = np.arange(n) % 8
    items = np.stack([weight * (true == 0), weight * (true == 1)])
    grouped = (group, np.arange(n) + n * true, weight) if kind == "grouped" else None
    work = NearBest(items, np.stack([weight**2 * (true == 0), weight**2 * (true == 1)]), RESOLVE, 0.95, grouped)
    cells = by_threshold(items)
    values = f(np.moveaxis(cells, -1, 0))
    best = int(np.argmin(values) if f.orientation == "lower" else np.argmax(values))
    kept = work.kept(f, cells, best)
    for k in range(0, n, 3):
        said = np.array([(np.arange(n) <= best).astype(int), (np.arange(n) <= k).astype(int)], np.uint8)
        more = {"group": group, "groups": 8} if kind == "grouped" else {}
        if kind == "weighted":
            more = {"number": np.ones(n, np.int64), "weight": weight, "squares": weight**2}
        joint = Joint(("A", "B"), (0, 1), true.astype(np.uint8), said, **more)
        compared = PairedLabels(joint, ComparisonSettings((f,), confidence=0.95, method="normal"))
        middle, error, freedom, _ = compared.smoothed(0, (0, 1))
        below = NormalDist().inv_cdf(0.95) if freedom is None else stats.t.ppf(0.95, freedom)
        sign = -1 if f.orientation == "lower" else 1
        distance = abs(sign * middle - below * error)
        # with groups, `compare` gives imagined items another weight
        if k != best and distance > (0.05 if kind == "grouped" else 1e-9):
            assert kept[k] == (sign * middle <= below * error)


@pytest.mark.parametrize(("items", "prevalence"), [(50, 0.5), (50, 0.1), (200, 0.1)])
def test_the_best_threshold_of_the_population_is_covered(items, prevalence):
    """Percentiles of the bootstrap covered 87, 79 and 90%."""
    found = chosen_thresholds.honest(items, prevalence, 2, datasets=40, seed=3)["threshold"]["coverage"]
    assert min(found.values()) >= 0.93


def test_the_interval_holds_the_threshold_and_may_reach_beyond_all_scores():
    true, scores = scored(60, share=0.05)
    best = gm.sweep(true, scores, measures=["accuracy"]).best("accuracy")
    assert best.low <= best.threshold <= best.high
    assert best.high == math.inf  # predicting nothing as positive is hardly worse


def test_a_written_interval_without_an_end_is_valid_json(tmp_path):
    true, scores = scored(60, share=0.05)
    found = gm.sweep(true, scores, measures=["accuracy"])
    for name in ("sweep.json", "sweep.html", "sweep.md"):
        found.save(tmp_path / name)
    text = (tmp_path / "sweep.json").read_text()
    json.loads(text, parse_constant=lambda x: pytest.fail(f"{x} is not JSON"))
    assert "inf" not in (tmp_path / "sweep.md").read_text().replace("information", "")


def test_under_a_condition_the_bootstrap_is_used():
    true, scores = scored(200)
    found = gm.sweep(true, scores, measures=["precision", "recall"])
    best = found.best("precision", where="recall >= 0.8")
    assert best.low <= best.threshold <= best.high
