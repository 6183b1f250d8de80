"""What trivial classifiers score, and the frame they give to a value."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

import goodmeasure as gm
from goodmeasure.catalogue.chance import mean_of_draws

SPAM = gm.ConfusionMatrix([[50, 3], [4, 20]], labels=["ham", "spam"])


def test_the_trivial_classifiers_of_two_classes():
    table = gm.baselines(SPAM, measures=["accuracy", "mcc", "f1", "recall"])
    assert list(table) == [
        "perfect",
        "worst",
        "acceptor",
        "rejector",
        "always 'ham'",
        "always 'spam'",
        "random",
        "chance",
    ]
    assert table["perfect"] == {"accuracy": 1, "mcc": 1, "f1": 1, "recall": 1}
    assert table["worst"] == {"accuracy": 0, "mcc": -1, "f1": 0, "recall": 0}
    assert table["acceptor"] == table["always 'spam'"]
    assert table["acceptor"]["f1"] == pytest.approx(48 / 101)
    assert table["rejector"]["accuracy"] == pytest.approx(53 / 77)
    assert table["random"]["accuracy"] == pytest.approx(0.5)
    assert table["chance"]["mcc"] == pytest.approx(0, abs=1e-12)
    assert table.about["acceptor"] == "always says 'spam'"


def test_three_classes_have_a_constant_classifier_each():
    table = gm.baselines([[5, 1, 0], [0, 4, 2], [1, 0, 3]], measures=[gm.accuracy, gm.macro(gm.f1), gm.k])
    assert [x for x in table if x.startswith("always")] == ["always 0", "always 1", "always 2"]
    assert table["always 1"]["accuracy"] == pytest.approx(6 / 16)
    assert table["worst"]["k"] == -0.5
    assert table["random"]["k"] == pytest.approx(0, abs=1e-12)
    assert "acceptor" not in table


def test_random_guessing_is_an_expected_value():
    """E[F1] of fair coins on two positive items and one negative: all eight predictions by hand."""
    values = []
    for code in range(8):
        p = [code & 1, code >> 1 & 1, code >> 2 & 1]
        tp, fp = p[0] + p[1], p[2]
        values.append(2 * tp / (2 * tp + (2 - tp) + fp))
    table = gm.baselines([[1, 0], [0, 2]], measures=["f1"])
    assert table["random"]["f1"] == pytest.approx(np.mean(values), abs=0.01)


def test_undefined_values_stay_undefined_or_follow_the_policy():
    assert math.isnan(gm.baselines(SPAM, measures=["precision"])["rejector"]["precision"])
    assert gm.baselines(SPAM, measures=["precision"], undefined=0.0)["rejector"]["precision"] == 0
    assert "-" in repr(gm.baselines(SPAM, measures=["precision"]))


def test_real_counts_and_one_class_work():
    assert gm.baselines([[0.5, 1.5], [2, 0.25]], measures=["accuracy"])["perfect"]["accuracy"] == 1
    assert gm.baselines([[7]], measures=["accuracy"])["perfect"]["accuracy"] == 1


def test_a_batch_is_refused():
    with pytest.raises(ValueError, match="baselines takes one matrix"):
        gm.baselines(np.ones((2, 2, 2)))


@pytest.mark.parametrize(
    ("name", "similarity"),
    [("accuracy", "rand_score"), ("kappa", "adjusted_rand_score"), ("ochiai", "fowlkes_mallows_score")],
)
def test_pair_confusion_turns_binary_measures_into_cluster_similarities(name, similarity):
    from sklearn import metrics

    rng = np.random.default_rng(5)
    a, b = rng.integers(0, 4, 60), rng.integers(0, 3, 60)
    expected = getattr(metrics, similarity)(a, b)
    assert gm.measure(name)(gm.pair_confusion(a, [f"c{x}" for x in b])) == pytest.approx(expected)


def test_chance_of_few_items_is_exact():
    """Drawn tables gave 0.3019."""
    found = gm.baselines([[1, 1, 0], [0, 0, 1], [0, 0, 0]], measures=["sba"])["chance"]["sba"]
    assert found == pytest.approx(17 / 54, abs=1e-12)


@pytest.mark.parametrize("counts", [[[1, 1, 0], [1, 1, 1], [0, 1, 2]], [[1, 0, 2], [0, 3, 0], [1, 1, 0]]])
@pytest.mark.parametrize("measure", ["macro(f1)", "sba", "macro(jaccard)"])
def test_chance_of_few_items_is_the_mean_over_all_predictions(counts, measure):
    cm, f = gm.ConfusionMatrix(counts), gm.measure(measure)
    true, said = (np.repeat(np.arange(3), x) for x in (cm.a, cm.b))
    every = dict.fromkeys(itertools.permutations(said.tolist()), 0)
    values = [f(gm.confusion(true, np.array(p), labels=[0, 1, 2])) for p in every]
    assert gm.baselines(cm, measures=[f])["chance"][f.name] == pytest.approx(np.mean(values), abs=1e-9)


def test_random_guesses_have_the_chance_corrected_value_0():
    """Drawn guesses gave −0.0089."""
    found = gm.baselines([[30, 5, 5], [4, 20, 6], [1, 2, 27]], measures=["mcc", "kappa"])["random"]
    assert found == {"mcc": 0, "kappa": 0}


def test_means_of_draws_show_no_digit_that_the_draws_do_not_support():
    values = np.random.default_rng(0).normal(0.3456789, 0.2, 2000)
    assert mean_of_draws(values) == round(float(values.mean()), 2)


def test_labels_have_baselines_and_an_older_second_argument_still_works():
    true, said = [0, 0, 0, 1], [0, 1, 0, 1]
    expected = gm.baselines(gm.confusion(true, said), measures=["mcc", "f1"])
    assert dict(gm.baselines(true, said, measures=["mcc", "f1"])) == dict(expected)
    assert expected.value("f1", system="acceptor") == expected["acceptor"]["f1"]
    with pytest.warns(DeprecationWarning, match="the second argument of baselines beside a matrix is called measures="):
        assert dict(gm.baselines(gm.confusion(true, said), ["mcc", "f1"])) == dict(expected)
