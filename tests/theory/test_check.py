"""gm.check decides: the table of the binary case, three classes, Sebastiani's axioms, and what it says of bad input."""

from __future__ import annotations

import pytest

import goodmeasure as gm
from goodmeasure.language.exact.reals import Exact
from goodmeasure.theory.statements.lookup import NINE
from tests.replay import replayed

P = "P"
# Two classes, all matrices (confusion_entropy: regular ones), undefined="resolve": P proved, or the smallest n.
TABLE = {
    "f1": (P, 2, 2, P, 2, 2, 2, 2, 2),
    "jaccard": (P, 2, 2, P, P, 2, 2, 2, 2),
    "mcc": (P, P, P, P, 3, P, P, P, P),
    "accuracy": (P, P, P, P, P, P, P, 3, 3),
    "balanced_accuracy": (P, P, P, 4, 3, P, 3, P, P),
    "kappa": (P, 2, P, P, 3, P, 4, P, P),
    "confusion_entropy": (P, 3, P, P, 4, 3, 2, 3, 3),
    "sba": (P, P, P, P, 3, P, P, P, P),
    "generalized_mean(r=1)": (P, P, P, P, 3, P, P, P, P),
    "correlation_distance": (P, P, P, P, P, P, P, 3, P),
}


@pytest.mark.parametrize("name", TABLE)
def test_every_cell_of_the_binary_table_is_decided(name):
    report = gm.check(name, domain="regular" if name == "confusion_entropy" else "all", properties=NINE)
    assert "held" not in report.statuses.values()
    assert tuple(P if x.status == "proved" else x.n for x in report.values()) == TABLE[name]
    for verdict in report.values():
        if verdict.status == "refuted":
            assert replayed(verdict.witness.replay) is False
        else:
            assert verdict.certificate.statement == verdict.statement
            assert verdict.n is None


def test_constants_are_exact_and_in_the_measures_own_sign():
    report = gm.check("correlation_distance", properties=["Max", "Min", "ACB", "CB"])
    assert report["Max"].constant == 0
    assert report["Min"].constant == 1
    assert report["ACB"].constant == Exact.of("1/2")
    assert report["CB"].constant is None, "what is refuted has no constant"
    fixed = gm.check("k", properties=["FIX", "IMB"])
    assert fixed["FIX"].constant == {"alpha": -1, "beta": 1}
    assert fixed["IMB"].constant == {"k_1": 0, "k_2": 0}


# Three classes that all occur: what the printed table gets wrong (with n), and what it gets right.
THREE = {
    "balanced_accuracy": {"Mon": 4, "SMon": 3, "Max": P, "Min": P, "CB": P, "ACB": P, "Sym": 4},
    "sba": {"SMon": 3, "Sym": P},  # that it is monotone is proved in prove/test_proof.py
    "mcc": {"Min": 4, "SMon": 5, "CB": P},
    "kappa": {"Min": 4, "SMon": 5, "CB": P},
    "confusion_entropy": {"Mon": 4, "SMon": 3, "Dist": 4, "Max": P},
    "accuracy": {"Max": P, "Min": P, "Dist": P, "CB": 4},
}


@pytest.mark.parametrize("name", [pytest.param(x, marks=[pytest.mark.deep] * (x == "mcc")) for x in THREE])
def test_three_classes(name):
    report = gm.check(name, classes=3, domain="regular", properties=THREE[name])
    assert {k: P if report[k].status == "proved" else report[k].n for k in THREE[name]} == THREE[name]


@pytest.mark.deep
def test_a_large_smallest_counterexample_is_found():
    """Multiclass mcc is monotone on all regular matrices with fewer than 14 items of three classes."""
    verdict = gm.check("mcc", classes=3, domain="regular", properties="Mon", seconds=120)["Mon"]
    assert (verdict.status, verdict.n) == ("refuted", 14)
    before, after = verdict.witness.matrices
    assert sum(map(sum, before)) == sum(map(sum, after)) == 14
    assert gm.mcc.exact(before) >= gm.mcc.exact(after)


# Sebastiani's axioms for two classes: what fails. SDE and WDE speak of the bare formula.
AXIOMS = {
    "k": "",
    "f1": "MON CON SDE WDE CHA IMB SYM",
    "accuracy": "IMB",
    "average_set_precision": "MON CON SDE WDE FIX CHA IMB SYM",
    "mcc": "MON CON SDE WDE",
}


@pytest.mark.parametrize("name", AXIOMS)
def test_sebastianis_axioms(name):
    eight = ["MON", "CON", "SDE", "WDE", "FIX", "CHA", "IMB", "SYM"]
    report = gm.check(name, properties=eight)
    assert {x for x in eight if report[x].status == "refuted"} == set(AXIOMS[name].split())
    for verdict in report.values():
        if verdict.status == "refuted":
            assert replayed(verdict.witness.replay) is False
    assert report["SDE"].undefined == report["WDE"].undefined == "nan"
    assert report["MON"].undefined == "resolve"


def test_orders_of_the_correlation_distances():
    """Statement 6 of goesgens2021."""
    orders = ["ACB(1)", "ACB(2)", "ACB(3)"]
    assert list(gm.check("correlation_distance", properties=orders).statuses.values()) == ["proved"] * 2 + ["refuted"]
    assert list(gm.check("correlation_chord", properties=orders).statuses.values()) == ["proved"] + ["refuted"] * 2


def test_a_measure_that_is_monotone_for_small_n_only_is_never_proved():
    def turns(c):
        return c.ratio(c.tp + c.tn, c.n) if c.n < 400 else c.ratio(c.fp + c.fn, c.n)

    verdict = gm.check(turns, properties="Mon", n=20)["Mon"]
    assert (verdict.status, verdict.n) == ("held", 20)

    def turns_earlier(c):
        return c.where(c.n < 9, lambda: c.ratio(c.tp + c.tn, c.n), lambda: c.ratio(c.fp + c.fn, c.n))

    verdict = gm.check(turns_earlier, properties="Mon")["Mon"]
    assert (verdict.status, verdict.n) == ("refuted", 9)


def test_the_domain_and_the_reading_of_undefined_matter():
    assert gm.check("confusion_entropy", properties="Max")["Max"].n == 1, "an empty class, on all matrices"
    assert gm.check("confusion_entropy", domain="regular", properties="Max")["Max"].status == "proved"
    assert gm.check("f1", properties="Max", undefined=0)["Max"].n == 1, "nothing positive scores 0"
    assert gm.check("f1", properties="Max", undefined="nan")["Max"].status == "proved", "and is left out here"
    for name in ("f1", "jaccard"):
        assert gm.check(name, domain="regular", properties="Mon")["Mon"].n > 2


def test_a_report_is_a_mapping_with_a_readable_face():
    report = gm.check("jaccard", properties=["Mon", "symmetry"])
    assert list(report) == ["monotone", "symmetry"]
    assert len(report) == 2
    assert "Mon" in report
    assert "distance" not in report
    assert "nonsense" not in report
    with pytest.raises(KeyError, match=r"^'distance' is not among .* checked \(monotone, symmetry\)") as error:
        report["distance"]
    assert isinstance(error.value, gm.UnknownName)
    assert repr(report).splitlines()[0] == "jaccard, 2 classes, domain 'all', undefined='resolve'"
    assert "✗2" in repr(report)
    data = report.to_dict()
    assert [x["status"] for x in data["verdicts"]] == ["refuted", "proved"]
    assert gm.check("jaccard", properties="Mon")["Mon"].witness.matrices[0] == ((0, 1), (1, 0))


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"classes": 3}, "f1 is for two classes"),
        ({"classes": "every"}, "f1 is for two classes"),
        ({"classes": 1}, 'use 2, 3, 4, 5 or "every"'),
        ({"domain": "odd"}, 'use "all", "non-unary" or "regular"'),
        ({"undefined": "raise"}, 'use "nan"'),
        ({"undefined": "maybe"}, 'use "resolve"'),
        ({"properties": ["monoton"]}, "did you mean 'monotone'"),
        ({"n": 0}, "expected the number of items"),
    ],
)
def test_bad_arguments_are_named(arguments, said):
    with pytest.raises(ValueError, match=r"f1|classes|domain|undefined|monoton|n is") as error:
        gm.check("f1", **arguments)
    assert said in str(error.value)


def test_statements_about_two_classes_are_refused_for_three():
    with pytest.raises(ValueError, match="which is about two classes"):
        gm.check("mcc", classes=3, properties=["ACB2"])


def test_held_for_every_number_of_classes_means_as_far_as_each_was_searched():
    """Two classes are searched further than five: what is said of all reaches no further than five."""

    def until_ten_classes(c):
        return c.ratio(c.sum(lambda i: c[i, i]), c.n) * (10 - c.m)

    two, three, every = (
        gm.check(until_ten_classes, classes=x, properties="Max", n=n)["Max"] for x, n in ((2, 8), (3, 6), ("every", 8))
    )
    assert (two.status, three.status) == ("proved", "proved")
    assert (every.status, every.n) == ("held", 3)
    assert "8 with 2 classes, 6 with 3 classes, 6 with 4 classes, 3 with 5 classes" in every.method


@pytest.mark.parametrize("name", ["accuracy", pytest.param("gwet_ac1", marks=pytest.mark.deep)])
def test_five_classes_are_searched_as_far_as_their_matrices_can_be_listed(name):
    report = gm.check(gm.measure(name), classes=5, properties=["monotone", "symmetry", "scale_invariance", "Max"])
    assert {x.status for x in report.values()} <= {"proved", "refuted", "held"}
    assert all(x.n is None or x.n <= 4 for x in report.values())
