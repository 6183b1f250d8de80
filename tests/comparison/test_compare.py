"""compare: paired differences, tests, ranks and winners, from labels, frames and files, also where data is strange."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest

import goodmeasure as gm
from goodmeasure.comparison.bootstrap import drawn_values
from goodmeasure.comparison.paired_averages import PairedAverages
from goodmeasure.comparison.paired_labels import PairedLabels
from goodmeasure.comparison.permutation import Swaps
from goodmeasure.comparison.rows import COLUMNS
from goodmeasure.comparison.settings import ComparisonSettings
from goodmeasure.counts.readers.arrays import count_systems
from goodmeasure.evaluation.intervals.resampling import value_of
from goodmeasure.exceptions import InputError

stats = pytest.importorskip("scipy.stats")
MEASURES = ["accuracy", "mcc", "macro(f1)"]
NAMED = ["accuracy", "mcc", "correlation_distance"]


def data(n=200, m=3, rates=(0.8, 0.7, 0.4), seed=0):
    rng = np.random.default_rng(seed)
    true = rng.integers(0, m, n)
    systems = {
        name: np.where(rng.random(n) < rate, true, rng.integers(0, m, n))
        for name, rate in zip("ABCDEFGHIJKLMN", rates, strict=False)
    }
    return true, systems


def test_differences_are_those_of_the_measures():
    true, systems = data()
    found = gm.compare(true, systems, measures=MEASURES, replicates=200)
    for row in found.differences:
        f = gm.measure(row["measure"])
        difference = f(true, systems[row["a"]]) - f(true, systems[row["b"]])
        assert row["difference"] == pytest.approx(difference)
        assert row["low"] <= difference <= row["high"]
        assert 0 < row["p"] <= row["p_corrected"] <= 1
    assert len(found.differences) == 3 * 3
    assert found.ranks["mcc"] == {"A": 1, "B": 2, "C": 3}
    assert found.winners["mcc"][0] == "A"
    assert "C" not in found.winners["mcc"]
    assert sum(found.best_probability["mcc"].values()) == pytest.approx(1)


def test_scores_are_those_of_evaluate():
    true, systems = data()
    found = gm.compare(true, systems, measures=MEASURES, replicates=200)
    for row in gm.evaluate(true, systems, measures=MEASURES).table.where(class_=None):
        mine = found.score(row["system"], row["measure"])
        assert [mine[x] for x in ("value", "low", "high")] == pytest.approx([row[x] for x in ("value", "low", "high")])


@pytest.mark.parametrize("rows", ["scores", "differences", "ensemble", "agreement"])
def test_rows_have_the_columns_of_the_frame_in_their_order(rows):
    found = gm.compare(*data(n=60), measures=MEASURES, ensemble=NAMED[:2], replicates=50)
    columns = tuple(found.to_frame(rows=rows).columns)
    assert {tuple(row) for row in getattr(found, rows)} == {columns}
    if rows == "differences":
        assert tuple(found.difference("B", "A", "accuracy")) == columns


def test_accuracy_is_tested_by_mcnemar():
    true, systems = data()
    row = gm.compare(true, systems, measures="accuracy", method="exact").difference("A", "B", "accuracy")
    a, b = systems["A"] == true, systems["B"] == true
    first, differ = int((a & ~b).sum()), int((a != b).sum())
    exact = stats.binomtest(first, differ).pvalue
    assert row["method"] == "exact McNemar"
    assert row["p"] == pytest.approx(exact)
    usual = gm.compare(true, systems, measures="accuracy").difference("A", "B", "accuracy")
    assert usual["method"] == "mid-p McNemar"
    assert usual["p"] == pytest.approx(exact - stats.binom.pmf(first, differ, 0.5))


def test_recall_of_two_classes_is_tested_on_the_positive_items():
    true, systems = data(m=2)
    row = gm.compare(true, systems, measures="recall", method="exact").difference("A", "B", "recall")
    a, b = (systems[x][true == 1] == 1 for x in "AB")
    assert row["method"] == "exact McNemar"
    assert row["p"] == pytest.approx(stats.binomtest(int((a & ~b).sum()), int((a != b).sum())).pvalue)


def test_drawing_joint_cells_is_drawing_items():
    """The differences on samples drawn by pattern and item by item have one distribution (Kolmogorov and Smirnov)."""
    true, systems = data(n=80, rates=(0.8, 0.6))
    joint = count_systems(true, systems).joint().by_pattern()
    f = gm.macro(gm.f1)
    drawn = drawn_values(joint, [f], 3000, 0, ComparisonSettings(()).policy)
    by_cell = drawn[0, 0] - drawn[1, 0]
    rng = np.random.default_rng(1)
    by_item = []
    for _ in range(700):
        chosen = rng.integers(0, len(true), len(true))
        matrices = [gm.confusion(true[chosen], systems[x][chosen], labels=[0, 1, 2]) for x in "AB"]
        by_item.append(
            value_of(f, matrices[0], ComparisonSettings(()).policy)
            - value_of(f, matrices[1], ComparisonSettings(()).policy)
        )
    assert stats.ks_2samp(by_cell, by_item).pvalue > 0.01


def test_permuting_cells_is_permuting_items():
    """Swaps drawn by pattern and item by item give the same p-value of the plain difference."""
    true, systems = data(n=60, rates=(0.8, 0.6), seed=5)
    f = gm.kappa
    work = Swaps(count_systems(true, systems).joint().by_pattern(), ComparisonSettings(()).policy)
    drawn = np.concatenate(
        [work._statistics([f], swapped, groups, [False])[0] for swapped, groups in work._draws(4000, 0)]
    )
    rng = np.random.default_rng(2)
    by_item = []
    for _ in range(700):
        swap = rng.random(len(true)) < 0.5
        one = np.where(swap, systems["B"], systems["A"])
        two = np.where(swap, systems["A"], systems["B"])
        by_item.append(f(gm.confusion(true, one, labels=[0, 1, 2])) - f(gm.confusion(true, two, labels=[0, 1, 2])))
    assert stats.ks_2samp(drawn, by_item).pvalue > 0.01


@pytest.mark.parametrize("gather", ["by pattern", "item by item"])
def test_the_variance_after_swaps_is_that_of_the_influences_of_items(gather):
    """Σd² − (Σd)²/n over items, with the cells of the swapped ones exchanged; a pattern may be listed many times."""
    true, systems = data(n=80, rates=(0.7, 0.6), seed=7)
    joint = count_systems(true, systems).joint()
    joint = joint.by_pattern() if gather == "by pattern" else joint
    work = Swaps(joint, ComparisonSettings(()).policy)
    rng = np.random.default_rng(3)
    low = np.array([rng.integers(0, int(x) + 1, 5) for x in work.mass], float)
    one, two = rng.normal(size=(2, work.size, 5))
    agreed = work.first == work.second
    expected = []
    for b in range(5):
        kept = (one - two)[work.first[agreed], b]
        here, there = one[work.low, b] - two[work.high, b], one[work.high, b] - two[work.low, b]
        times = np.concatenate([joint.mass[agreed], low[:, b], work.mass - low[:, b]]).astype(int)
        influence = np.repeat(np.concatenate([kept, here, there]), times)
        assert len(influence) == len(true)
        expected.append((influence**2).sum() - influence.sum() ** 2 / len(true))
    matrices = work._matrices(low - work.observed[:, None])
    assert work._variance(matrices, low)(one, two) == pytest.approx(np.array(expected), rel=1e-9)


def test_the_standard_error_is_the_spread_of_the_bootstrap():
    true, systems = data(n=2000, rates=(0.8, 0.7))
    found = gm.compare(true, systems, measures=MEASURES)
    joint = count_systems(true, systems).joint()
    work = PairedLabels(joint, found.settings)
    for i, _ in enumerate(MEASURES):
        drawn = work.drawn(i)[0] - work.drawn(i)[1]
        assert work.standard_error(i, (0, 1)) == pytest.approx(float(drawn.std()), rel=0.08)


@pytest.mark.parametrize("method", ["auto", "exact", "permutation", "bootstrap", "normal"])
def test_every_method_finds_a_large_difference_and_none_where_there_is_none(method):
    true, systems = data(n=400, rates=(0.9, 0.5))
    found = gm.compare(true, systems, measures=MEASURES, method=method, replicates=500)
    assert all(row["p"] < 0.01 for row in found.differences)
    same = gm.compare(true, {"A": systems["A"], "B": systems["A"].copy()}, measures=MEASURES, method=method)
    assert all(row["p"] == 1 and row["difference"] == 0 for row in same.differences)
    assert same.winners["mcc"] == ("A", "B")
    assert same.ranks["mcc"] == {"A": 1, "B": 1}
    assert same.best_probability["mcc"] == pytest.approx({"A": 0.5, "B": 0.5})


def test_weights_that_are_whole_numbers_are_repeated_items_for_the_values():
    true, systems = data(n=100, rates=(0.8, 0.6))
    times = np.random.default_rng(0).integers(0, 4, 100)
    weighted = gm.compare(true, systems, sample_weight=times.astype(float), measures=MEASURES, replicates=200)
    repeated = gm.compare(
        np.repeat(true, times), {k: np.repeat(v, times) for k, v in systems.items()}, measures=MEASURES, replicates=200
    )
    for one, two in zip(weighted.differences, repeated.differences, strict=True):
        assert one["difference"] == pytest.approx(two["difference"])
        assert one["method"].startswith("permutation")


def test_weights_of_one_change_nothing_but_the_test_of_accuracy():
    true, systems = data(n=100, rates=(0.8, 0.6))
    plain = gm.compare(true, systems, measures=["mcc"], replicates=3000)
    weighted = gm.compare(true, systems, measures=["mcc"], replicates=3000, sample_weight=np.ones(100))
    assert weighted.differences[0]["p"] == pytest.approx(plain.differences[0]["p"], abs=0.05)
    assert weighted.differences[0]["low"] == pytest.approx(plain.differences[0]["low"])


def test_groups_are_swapped_and_drawn_as_a_whole():
    """Items that are copies of each other tell no more than one of them."""
    true, systems = data(n=60, rates=(0.8, 0.6), seed=3)
    copies = 20
    one = gm.compare(true, systems, measures=["mcc"], replicates=2000)
    many = gm.compare(
        np.repeat(true, copies), {k: np.repeat(v, copies) for k, v in systems.items()},
        groups=np.repeat(np.arange(60), copies), measures=["mcc"], replicates=2000,
    )  # fmt: skip
    assert many.differences[0]["p"] == pytest.approx(one.differences[0]["p"], abs=0.05)
    assert many.differences[0]["low"] == pytest.approx(one.differences[0]["low"], abs=0.05)
    ignored = gm.compare(
        np.repeat(true, copies), {k: np.repeat(v, copies) for k, v in systems.items()}, measures=["mcc"]
    )
    assert ignored.differences[0]["high"] - ignored.differences[0]["low"] < 0.4 * (
        one.differences[0]["high"] - one.differences[0]["low"]
    )


def test_a_slice_is_a_comparison_of_its_own():
    true, systems = data(n=120)
    site = np.arange(120) % 2
    found = gm.compare(true, systems, by={"site": site}, measures=MEASURES, replicates=100)
    alone = gm.compare(
        true[site == 1], {k: v[site == 1] for k, v in systems.items()}, measures=MEASURES, replicates=100
    )
    assert [row["p"] for row in found.slices[1].differences] == [row["p"] for row in alone.differences]
    assert all(row["slice"] == 1 for row in found.slices[1].differences)


def test_many_systems_are_compared_with_the_best():
    true, systems = data(n=150, rates=np.linspace(0.5, 0.9, 14))
    found = gm.compare(true, systems, measures=["mcc"], replicates=300)
    best = min(found.ranks["mcc"], key=found.ranks["mcc"].get)
    assert len(found.differences) == 13
    assert {row["a"] for row in found.differences} == {best}
    baseline = gm.compare(true, systems, measures=["mcc"], pairs="A", replicates=300)
    assert {row["b"] for row in baseline.differences} == {"A"}
    assert baseline.winners == found.winners


def test_normal_and_drawn_items_agree_on_many_items():
    true, systems = data(n=5000, rates=(0.72, 0.71, 0.4))
    drawn = gm.compare(true, systems, measures=MEASURES)
    normal = gm.compare(true, systems, measures=MEASURES, method="normal")
    for one, two in zip(drawn.differences, normal.differences, strict=True):
        assert [one["low"], one["high"]] == pytest.approx([two["low"], two["high"]], abs=0.005)
        assert one["p"] == pytest.approx(two["p"], abs=0.05)
    for measure in MEASURES:
        assert drawn.best_probability[measure] == pytest.approx(normal.best_probability[measure], abs=0.06)
    assert any(x.startswith("normal") for x in normal.notes)
    assert any(x.startswith("paired bootstrap") for x in drawn.notes)


def test_the_ensemble_is_the_mean_on_one_scale():
    true, systems = data()
    found = gm.compare(true, systems, measures=[*MEASURES, "correlation_distance"], ensemble=NAMED)
    for row in found.ensemble:
        pred = systems[row["system"]]
        accuracy, mcc, distance = (f(true, pred) for f in (gm.accuracy, gm.mcc, gm.correlation_distance))
        low, high = gm.correlation_distance.range
        mean = (accuracy + (mcc + 1) / 2 + (float(high) - distance) / float(high - low)) / 3
        assert row["score"] == pytest.approx(mean)
        assert row["low"] <= row["score"] <= row["high"]
    assert [row["rank"] for row in found.ensemble] == [1, 2, 3]
    assert found.ranks["correlation_distance"]["A"] == 1  # the lowest is the best
    assert gm.compare(true, systems, measures=MEASURES, ensemble=False).ensemble == ()


@pytest.mark.filterwarnings("ignore:Conversion of an array with ndim > 0:DeprecationWarning")  # before NumPy 2.4
def test_a_function_of_c_can_be_compared():
    true, systems = data(rates=(0.8, 0.6))

    def hits(c):
        return c.ratio(c.sum(lambda i: c[i, i]), c.n)

    def decides(c):
        return 1.0 if c[0, 0] > c[1, 1] else 0.5 + float(c[1, 1] / c.n)

    found = gm.compare(true, systems, measures=[hits, decides], replicates=50)
    assert found.differences[0]["difference"] == pytest.approx(
        gm.accuracy(true, systems["A"]) - gm.accuracy(true, systems["B"])
    )
    assert 0 < found.differences[1]["p"] <= 1


def test_many_classes_are_compared():
    true, systems = data(n=3000, m=150, rates=(0.8, 0.6))
    found = gm.compare(true, systems, measures=["mcc", "macro(f1)"], replicates=100)
    assert all(row["p"] < 0.05 for row in found.differences)


def test_every_format_is_written(tmp_path):
    true, systems = data(n=60)
    found = gm.compare(true, systems, by=np.arange(60) % 2, measures=MEASURES, replicates=100)
    for ending in ("html", "md", "tex", "json", "csv"):
        found.save(tmp_path / f"c.{ending}")
    data_ = json.loads((tmp_path / "c.json").read_text())
    assert data_["schema"] == "goodmeasure/comparison/1"
    assert len(data_["differences"]) == 3 * 9
    assert (tmp_path / "c.csv").read_text().count("\n") == 28
    assert "## Do the measures agree?" in (tmp_path / "c.md").read_text()
    for kind in ("pandas", "polars", "arrow"):
        for rows in ("differences", "scores", "ensemble", "agreement"):
            assert len(found.to_frame(kind, rows)) == len(found.all_rows(rows))
    with pytest.raises(ValueError, match=r"ends in '.pdf'"):
        found.save(tmp_path / "c.pdf")
    assert not (tmp_path / "c.pdf").exists()


@pytest.mark.parametrize("method", ["auto", "normal", "bootstrap"])
def test_every_measure_of_the_catalogue_can_be_compared(method):
    items = np.arange(60)
    systems = {"A": (items // 3) % 2, "B": (items // 2) % 2, "constant": np.ones(60, int)}
    found = gm.compare(items % 2, systems, measures="all", method=method, replicates=40)
    assert len(found.differences) == 3 * len(gm.measures(classes=2))
    for row in found.differences:
        assert math.isnan(row["p"]) or 0 < row["p"] <= 1
        assert math.isnan(row["p"]) == row["method"].startswith("none")
    json.loads(found.to_json())


def test_seeds_repeat():
    true, systems = data(n=60)
    one, two, other = (gm.compare(true, systems, measures=MEASURES, seed=s, replicates=100) for s in (1, 1, 2))
    assert one.to_json() == two.to_json()
    assert one.to_json() != other.to_json()


def test_systems_that_share_the_best_value_are_all_best_and_their_order_decides_nothing():
    """C is told from A, which is right wherever C is (8 to 0), and not from B, which is right elsewhere (28 to 20)."""
    right = {"A": range(68), "B": range(20, 88), "C": range(60), "D": range(10)}
    systems = {name: [int(k in where) for k in range(120)] for name, where in right.items()}
    true = [1] * 120
    for order in ("ABCD", "BADC", "DCBA"):
        found = gm.compare(true, {name: systems[name] for name in order}, measures=["accuracy"], replicates=50)
        assert sorted(found.leaders["accuracy"]) == ["A", "B"]
        assert sorted(found.winners["accuracy"]) == ["A", "B", "C"]
        assert json.loads(found.to_json())["best"]["accuracy"] == list(found.leaders["accuracy"])


def test_many_systems_that_share_the_best_value_are_all_best():
    true, systems = data(rates=(0.8, 0.3))
    same = {f"same {k}": systems["A"] for k in range(12)}
    found = gm.compare(true, {**same, "B": systems["B"]}, measures=["mcc"], replicates=50)
    assert found.leaders["mcc"] == found.winners["mcc"] == tuple(same)


def test_a_copy_of_the_best_system_does_not_change_how_the_others_are_tested():
    true, systems = data(n=80, rates=(0.9, *[0.5] * 12))
    methods = []
    for copies in range(3):
        given = {**systems, **{f"copy {k}": systems["A"] for k in range(copies)}}
        found = gm.compare(true, given, measures=["mcc"], replicates=4000, confidence=0.95)
        methods.append(found.difference("A", "B", "mcc")["method"])
    assert methods == ["permutation (studentised)"] * 3


def test_alike_systems_are_seldom_told_apart():
    """Corrected only over the comparisons with the best, one of ten alike systems was left out in 14% of data sets."""
    rng, apart = np.random.default_rng(1), 0
    for _ in range(150):
        true = rng.integers(0, 2, 100)
        said = {f"s{k}": np.where(rng.random(100) < 0.8, true, 1 - true) for k in range(10)}
        found = gm.compare(true, said, measures=["accuracy"], ensemble=False, replicates=2)
        apart += len(found.winners["accuracy"]) < 10
    assert apart <= 15  # 5% of 150 are 7.5


def test_winners_and_corrected_p_values_agree():
    true, systems = data(n=300, rates=(0.9, 0.85, 0.8, 0.6))
    found = gm.compare(true, systems, measures=["mcc", "accuracy"], replicates=2000)
    for measure, winners in found.winners.items():
        (best,) = found.leaders[measure]
        for system in set(found.systems) - {best}:
            assert (system in winners) == (found.difference(best, system, measure)["p_corrected"] >= 0.05)


def test_p_values_can_be_corrected_over_measures_too():
    true, systems = data(n=300, rates=(0.9, 0.85, 0.8))
    one, all_ = (gm.compare(true, systems, measures=["mcc", "accuracy"], correct=x) for x in ("systems", "all"))
    p = sorted(row["p"] for row in one.differences)
    assert min(row["p_corrected"] for row in all_.differences) == pytest.approx(min(1, 6 * p[0]))
    assert all(x["p_corrected"] <= y["p_corrected"] for x, y in zip(one.differences, all_.differences, strict=True))
    with pytest.raises(InputError, match="correct is 'none': use 'systems' or 'all'"):
        gm.compare(true, systems, correct="none")


def test_correcting_over_everything_counts_the_slices_too():
    """With 4 slices and 2 measures, three systems have 3 · 2 · 5 tests."""
    rng = np.random.default_rng(0)
    true, where = rng.integers(0, 2, 400), np.repeat(list("abcd"), 100)
    said = {name: np.where(rng.random(400) < x, true, 1 - true) for name, x in (("A", 0.9), ("B", 0.8), ("C", 0.8))}
    options = {"by": {"site": where}, "measures": ["accuracy", "mcc"], "method": "normal"}
    plain, every = (gm.compare(true, said, correct=x, **options) for x in ("systems", "all"))
    assert every.settings.family(3) == 30
    assert plain.settings.family(3) == 3
    for one, two in zip([plain, *plain.slices.values()], [every, *every.slices.values()], strict=True):
        least = min(one.differences, key=lambda row: row["p"])
        same = next(row for row in two.differences if all(row[x] == least[x] for x in ("measure", "a", "b")))
        assert same["p_corrected"] == pytest.approx(min(1, 30 * least["p"]))
        assert same["p_corrected"] >= least["p_corrected"]


def test_scores_are_corrected_over_slices_too():
    rng = np.random.default_rng(1)
    true, where = rng.integers(0, 2, 200), np.repeat(list("ab"), 100)
    both = {name: rng.normal(size=200) + x * true for name, x in (("A", 2.0), ("B", 1.0))}
    found = gm.compare(true, y_score=both, measures=["roc_auc"], by={"site": where}, correct="all")
    assert found.settings.family(2) == 3
    for part in (found, *found.slices.values()):
        row = part.differences[0]
        assert row["p_corrected"] == pytest.approx(min(1, 3 * row["p"]))


@pytest.mark.parametrize(("groups", "said"), [(1, "there is only one group"), (3, "there are 3 groups: "), (10, None)])
def test_few_groups_are_noted(groups, said):
    true = [0, 1] * 20
    member = [k % groups for k in range(40)]
    worse = [1 - x if k % 7 == 0 else x for k, x in enumerate(true)]
    scored = {"A": [0.8 * x + 0.1 for x in true], "B": [0.5 + 0.3 * (x - 0.5) for x in worse]}
    sets = {name: gm.multilabel([[x, 1] for x in true], [[x, 1] for x in y], groups=member)
            for name, y in (("A", true), ("B", worse))}  # fmt: skip
    for found in (
        gm.compare(true, {"A": true, "B": worse}, measures="accuracy", groups=member),
        gm.compare(true, y_score=scored, measures="roc_auc", groups=member),
        gm.compare(sets, measures="f1"),
    ):
        about = [x for x in found.notes if "group" in x and "resamples" not in x]
        assert len(about) == (said is not None)
        assert said is None or about[0].startswith(said)


def test_the_columns_of_differences_stand_in_their_order():
    paired = ("measure", "a", "b", "difference", "low", "high", "p", "p_corrected", "p_family", "family", "level",
              "method")  # fmt: skip
    claims = ("interval", "p_a_noninferior", "p_b_noninferior", "p_equivalent")
    assert ("slice", *paired, *claims, "reason") == COLUMNS["differences"]
    assert ("average", *paired, "reason") == PairedAverages.columns["differences"]
    found = gm.compare([0, 1, 1, 0] * 5, {"A": [0, 1, 1, 0] * 5, "B": [0, 0, 1, 0] * 5}, replicates=20)
    assert tuple(found.differences[0]) == COLUMNS["differences"]
