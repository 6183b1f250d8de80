"""How far several raters agree, what they agree on, and whether a judge may replace one of them."""

from __future__ import annotations

from pathlib import Path

import krippendorff
import numpy as np
import pandas as pd
import pytest
from statsmodels.stats.inter_rater import aggregate_raters, fleiss_kappa

import goodmeasure as gm
from goodmeasure.typing import Array
from tests.cli.command import call

N = np.nan
# Krippendorff (2011), "Computing Krippendorff's alpha-reliability", section C: four observers, twelve units
PRINTED = np.array([
    [1, 2, 3, 3, 2, 1, 4, 1, 2, N, N, N], [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, N, 3], [N, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, N],
    [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, N],
]).T  # fmt: skip
# The worked example of Fleiss' kappa in Wikipedia: how many of fourteen raters gave each of five ratings to ten items
FLEISS = [
    [0, 0, 0, 0, 14], [0, 2, 6, 4, 2], [0, 0, 3, 5, 6], [0, 3, 9, 2, 0], [2, 2, 8, 1, 1], [7, 7, 0, 0, 0],
    [3, 2, 6, 3, 0], [2, 5, 3, 2, 2], [6, 5, 2, 1, 0], [0, 2, 2, 3, 7],
]  # fmt: skip


def test_the_worked_example_of_fleiss_kappa_comes_out_as_printed() -> None:
    ratings = [[rating for rating, times in enumerate(row) for _ in range(times)] for row in FLEISS]
    assert round(gm.raters(ratings).value("fleiss_kappa"), 3) == 0.210


@pytest.mark.parametrize(
    ("kind", "printed"), [("nominal", 0.743), ("ordinal", 0.815), ("interval", 0.849), ("ratio", 0.797)]
)
def test_krippendorffs_example_comes_out_as_printed(kind: str, printed: float) -> None:
    found = gm.raters(PRINTED, kind=kind)
    assert round(found.value("krippendorff_alpha"), 3) == printed
    peer = krippendorff.alpha(PRINTED.T, level_of_measurement=kind)  # type: ignore[call-overload]
    assert found.value() == pytest.approx(peer, abs=1e-10)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("kind", ["nominal", "ordinal", "interval", "ratio"])
def test_alpha_is_that_of_krippendorff_with_missing_ratings(kind: str, seed: int) -> None:
    drawing = np.random.default_rng(seed)
    ratings = drawing.integers(1, 6, (25, 5)).astype(float)
    ratings[drawing.random(ratings.shape) < 0.3] = np.nan
    peer = krippendorff.alpha(ratings.T, level_of_measurement=kind)  # type: ignore[call-overload]
    assert gm.raters(ratings, kind=kind).value() == pytest.approx(peer, abs=1e-10)


@pytest.mark.parametrize("seed", range(3))
def test_fleiss_kappa_is_that_of_statsmodels(seed: int) -> None:
    ratings = np.random.default_rng(seed).integers(0, 4, (30, 5))
    assert gm.raters(ratings).value("fleiss_kappa") == pytest.approx(
        fleiss_kappa(aggregate_raters(ratings)[0]), abs=1e-10
    )


def test_coefficients_of_gwets_example_come_out_as_printed() -> None:
    # Gwet (2014) and the R package irrCAC, cac.raw4raters: the same ratings
    found = gm.raters(PRINTED)
    printed = {"gwet_ac1": 0.77544, "fleiss_kappa": 0.76117, "brennan_prediger": 0.77273, "percent_agreement": 0.81818}
    assert {f: round(found.value(f), 5) for f in printed} == printed


def test_own_distances_are_taken() -> None:
    squared = gm.raters(PRINTED, kind=lambda x, y: (x - y) ** 2)
    assert squared.value() == pytest.approx(gm.raters(PRINTED, kind="interval").value())


@pytest.mark.parametrize("agree", [0.5, 0.9])
def test_intervals_cover_with_thirty_items_four_raters_and_a_fifth_missing(agree: float) -> None:
    drawing = np.random.default_rng(1)
    names = ["krippendorff_alpha", "fleiss_kappa", "gwet_ac1", "percent_agreement"]

    def ratings(items: int) -> Array:
        true = drawing.choice(3, items, p=[0.6, 0.3, 0.1])
        other = drawing.choice(3, (items, 4), p=[0.6, 0.3, 0.1])
        return np.where(drawing.random((items, 4)) < agree, true[:, None], other).astype(float)

    truth = {f: gm.raters(ratings(30_000)).value(f) for f in names}
    covered = dict.fromkeys(names, 0)
    for _ in range(120):
        given = ratings(30)
        given[drawing.random(given.shape) < 0.2] = np.nan
        found = gm.raters(given)
        for f in names:
            low, high = found.interval(f)
            covered[f] += low <= truth[f] <= high
    assert min(covered.values()) >= 0.9 * 120  # 0.92 less what 120 data sets may deviate
    assert found.interval("fleiss_kappa", raters="sample")[0] <= found.interval("fleiss_kappa")[0]


def test_long_tables_wide_tables_and_files_give_the_same(tmp_path: Path) -> None:
    rows = [("i1", "x", "a"), ("i1", "y", "a"), ("i2", "x", "b"), ("i2", "y", "a"), ("i3", "y", "b"), ("i3", "x", "b")]
    long = pd.DataFrame(rows, columns=["item", "who", "said"])
    wide = gm.raters({"x": ["a", "b", "b"], "y": ["a", "a", "b"]})
    found = gm.raters(long, item="item", rater="who", rating="said")
    assert (found.names, found.items) == (("x", "y"), ("i1", "i2", "i3"))
    assert found.value() == wide.value()
    long.to_csv(tmp_path / "long.csv", index=False)
    of_file = gm.raters(tmp_path / "long.csv", item="item", rater="who", rating="said")
    assert of_file.value() == wide.value()
    shown = call("raters", tmp_path / "long.csv", "--item", "item", "--rater", "who", "--rating", "said")
    assert "Krippendorff's alpha (nominal) is" in shown.output


def test_a_rater_who_differs_is_found() -> None:
    drawing = np.random.default_rng(0)
    true = drawing.integers(0, 2, 60)
    ratings = np.stack([np.where(drawing.random(60) < p, true, 1 - true) for p in (0.95, 0.95, 0.95, 0.5)], axis=1)
    found = gm.raters(ratings)
    without = {x.rater: x.value for x in found.without_each()}
    assert max(without, key=lambda x: without[x]) == "rater 4"
    assert any("rater 4" in line for line in found.lines())
    assert found.matrix("rater 1", "rater 2").n == 60


def test_dawid_and_skene_trust_the_better_raters() -> None:
    drawing = np.random.default_rng(3)
    true = drawing.integers(0, 2, 400)
    ratings = np.stack([np.where(drawing.random(400) < p, true, 1 - true) for p in (0.95, 0.6, 0.6)], axis=1)
    found = gm.raters(ratings)
    by_vote, by_model = ((np.array(found.consensus(x).labels) == true).mean() for x in ("majority", "dawid_skene"))
    assert by_model > by_vote + 0.05


def test_a_consensus_is_taken_as_true_labels_with_soft_counts() -> None:
    consensus = gm.raters([["a", "a", "b"], ["b", "b", "b"], ["a", "b", None], ["b", "b", "a"]]).consensus()
    said = ["a", "b", "a", "b"]
    matrix = consensus.confusion(said)
    assert matrix.counts.tolist() == [[1.5, 0], [0.5, 2]]
    found = gm.evaluate(consensus, said, measures=["accuracy"])
    assert found.value("accuracy") == gm.accuracy(matrix) == 0.875
    compared = gm.compare(consensus, {"A": said, "B": ["b"] * 4}, measures=["accuracy"])
    assert compared.difference("A", "B", "accuracy")["difference"] == pytest.approx(0.25)


def test_a_judge_as_good_as_the_raters_may_replace_one() -> None:
    drawing = np.random.default_rng(5)
    true = drawing.integers(0, 3, 150)

    def rated(right: float) -> Array:
        return np.where(drawing.random(150) < right, true, drawing.integers(0, 3, 150))

    found = gm.raters(np.stack([rated(0.8) for _ in range(4)], axis=1))
    assert found.alternative_annotator_test(rated(0.9)).allowed
    assert not found.alternative_annotator_test(rated(0.2)).allowed


BAD: list[tuple[object, dict[str, object], str]] = [
    ([["a", None], [None, "b"]], {}, "no item was rated by two raters"),
    ([["a"], ["b"]], {}, "there is one rater"),
    ([["a", "b"], ["a", "a"]], {"kind": "ordinal"}, "labels="),
    ([["a", "b"], ["a", "a"]], {"kind": "interval"}, "is not a number"),
    ([["a", "b"], ["a"]], {}, "no table of items"),
    ({"x": ["a"], "y": ["a", "b"]}, {}, "different numbers of ratings"),
    ([["a", "b"]], {"kind": "words"}, "kind is 'words'"),
]


@pytest.mark.parametrize(("ratings", "options", "said"), BAD, ids=[said for *_, said in BAD])
def test_bad_input_gets_one_clear_line(ratings: object, options: dict[str, object], said: str) -> None:
    with pytest.raises((ValueError, TypeError), match=said) as caught:
        gm.raters(ratings, **options)
    assert "\n" not in str(caught.value)


def test_the_report_shows_each_rater() -> None:
    found = gm.raters(PRINTED)
    assert "Gwet's AC1" in found.to_text()
    assert "Each two raters" in found.to_html()
