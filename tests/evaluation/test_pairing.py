"""The comparison of a result is what `compare` returns, made when it is first needed, from what was counted."""

from __future__ import annotations

import json
import pickle

import numpy as np
import pandas as pd
import pytest

import goodmeasure as gm
from goodmeasure.comparison import of_results

RNG = np.random.default_rng(3)
TRUE = RNG.integers(0, 2, 300)
SYSTEMS = {name: np.where(RNG.random(300) < right, TRUE, 1 - TRUE) for name, right in (("A", 0.9), ("B", 0.8))}
SCORES = {name: np.clip(0.2 + 0.5 * x + 0.3 * RNG.random(300), 0, 1) for name, x in SYSTEMS.items()}
FRAME = pd.DataFrame({"label": TRUE, **SYSTEMS, "site": ["x", "y", "z"] * 100, "w": RNG.random(300) + 0.5})


def data_of(found):
    return json.loads(found.to_json())


@pytest.mark.parametrize("more", [{}, {"groups": "site"}, {"sample_weight": "w"}, {"positive": 0}])
def test_it_is_what_compare_returns_for_frames(more):
    asked = {"y_true": "label", "y_pred": ["A", "B"], "seed": 5, **more}
    assert data_of(gm.evaluate(FRAME, **asked).comparison) == data_of(gm.compare(FRAME, **asked))


def test_it_is_what_compare_returns_for_labels_scores_and_files(tmp_path):
    assert data_of(gm.evaluate(TRUE, SYSTEMS).comparison) == data_of(gm.compare(TRUE, SYSTEMS))
    result = gm.evaluate(TRUE, y_score=SCORES, seed=2, family=None)
    named = {"measures": result.measured, "threshold": 0.5, "seed": 2, "family": None}
    assert data_of(result.comparison) == data_of(gm.compare(TRUE, y_score=SCORES, **named))
    FRAME.to_csv(tmp_path / "p.csv", index=False)
    asked = {"y_true": "label", "y_pred": ["A", "B"]}
    found = gm.evaluate(tmp_path / "p.csv", **asked).comparison
    assert data_of(found) == data_of(gm.compare(tmp_path / "p.csv", **asked))


def test_slices_are_left_to_compare():
    asked = {"y_true": "label", "y_pred": ["A", "B"], "family": None}  # with slices, a page has more claims
    found = gm.evaluate(FRAME, by="site", **asked).comparison
    assert not found.slices
    assert data_of(found) == data_of(gm.compare(FRAME, **asked))


def test_it_is_made_once_and_only_when_it_is_needed(monkeypatch):
    made = []
    monkeypatch.setattr(of_results, "compared", lambda *given, old=of_results.compared: made.append(1) or old(*given))
    result = gm.evaluate(TRUE, SYSTEMS)
    assert not made
    copy = result.from_files("p.csv")
    assert result.comparison.winners == copy.comparison.winners
    str(result)
    result.to_html()
    assert len(made) == 1


@pytest.mark.parametrize("given", [{"y_pred": SYSTEMS}, {"y_score": SCORES}])
def test_arrays_that_change_later_do_not_change_it(given):
    true, (name, systems) = TRUE.copy(), next(iter(given.items()))
    mine = {system: x.copy() for system, x in systems.items()}
    result = gm.evaluate(true, **{name: mine})
    true[:] = 1 - true
    for x in mine.values():
        x[:] = 0
    assert data_of(result.comparison) == data_of(gm.evaluate(TRUE, **given).comparison)


def test_a_pickled_result_has_it_too():
    result = pickle.loads(pickle.dumps(gm.evaluate(TRUE, SYSTEMS)))
    assert data_of(result.comparison) == data_of(gm.compare(TRUE, SYSTEMS))


def test_where_there_is_none_the_verdict_says_why():
    assert gm.evaluate(TRUE, SYSTEMS["A"]).comparison is None
    matrices = {name: gm.confusion(TRUE, x) for name, x in SYSTEMS.items()}
    for result, why in (
        (gm.evaluate(TRUE, SYSTEMS, tests=False), "was not tested"),
        (gm.evaluate(TRUE, y_score=SCORES, tests=False), "was not tested"),
        (gm.evaluate(TRUE, SYSTEMS, confidence=None), "was not tested"),
        (gm.evaluate(matrices), "cannot be tested: confusion matrices do not say which items"),
    ):
        assert result.comparison is None
        assert why in " ".join(result.to_text().split())
    nothing = [None, *SYSTEMS["A"][1:].tolist()], [SYSTEMS["B"].tolist()[0], *[None] * 299]
    result = gm.evaluate(TRUE.tolist(), dict(zip("AB", nothing, strict=True)), missing="drop")
    assert result.comparison is None
    assert "cannot be tested: " in " ".join(result.to_text().split())
