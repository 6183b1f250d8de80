"""Proofs of Sebastiani's axioms agree with brute force from the paper's text, and verify."""

import json
from fractions import Fraction

import pytest

import goodmeasure as gm
from tests.replay import replayed
from tests.theory.proving import prove

from . import axioms_by_brute_force as paper

TWO = [
    "accuracy",
    "mcc",
    "kappa",
    "f1",
    "recall",
    "specificity",
    "precision",
    "lift",
    "k",
    "yule_q",
    "markedness",
    "predicted_prevalence",
    "prevalence",
    "g_mean",
    "zero_one_loss",
    "balanced_accuracy",
    "positive_likelihood_ratio",
    "somers_d_true",
    "correlation_distance",
]


def constants(certificate):
    return None if certificate is None else dict(certificate.constants)


@pytest.mark.parametrize("domain", ["all", "regular"])
@pytest.mark.parametrize("name", TWO)
def test_what_is_proved_of_two_classes_holds_for_every_test_set_with_few_items(name, domain):
    measure = gm.measure(name)
    measured = paper.Measured(measure, 2, domain)
    bare = paper.Measured(measure, 2, domain, undefined="nan")
    found = {
        x: prove(measure, f"sebastiani_{x}", domain=domain) for x in ("mon", "sde", "wde", "sym", "fix", "cha", "imb")
    }
    assert found["mon"] is None or paper.mon(measured, 4)
    assert found["sde"] is None or paper.defined(bare, 4)
    assert found["wde"] is None or paper.defined_together(bare, 4)
    assert found["sym"] is None or paper.sym(measured, 4)
    if found["fix"] is not None:
        alpha, beta = (found["fix"].constants[x] for x in ("alpha", "beta"))
        assert paper.ranges(measured, 5) == ({alpha}, {beta})
    if found["cha"] is not None:
        gamma = found["cha"].constants["gamma"]
        assert paper.averages(measured, 5) <= {gamma}
        assert paper.averages_where_defined(measured, 5) >= {gamma}
    if found["imb"] is not None:
        scores = paper.constant_predictions(measured, 5)
        known = {name: next(iter(scores[j])) for name, j in (("k_1", 1), ("k_2", 0)) if scores[j]}
        assert all(len(x) < 2 for x in scores.values())
        assert constants(found["imb"]) == known
    for certificate in filter(None, found.values()):
        assert gm.verify(certificate)


@pytest.mark.parametrize(
    ("name", "domain", "gamma"),
    [
        ("accuracy", "regular", "1/2"),  # affine: a prediction and its complement add up to 1
        ("mcc", "all", "0"),  # not affine
        ("correlation_distance", "all", "1/2"),  # arccos x + arccos(-x) is pi
        ("correlation_distance", "regular", "1/2"),
        ("predicted_prevalence", "regular", "1/2"),
        ("kappa", "regular", "0"),  # from the constant baseline, given the predicted class sizes
        ("lift", "regular", "1"),
        ("lift", "all", "1"),  # every test set has a prediction without a value; the others score 1 on average
    ],
)
def test_guessing_is_averaged_over_renamed_predictions_or_over_predicted_sizes(name, domain, gamma):
    certificate = prove(name, "sebastiani_cha", domain=domain)
    assert certificate.constants == {"gamma": gamma}
    measured = paper.Measured(gm.measure(name), 2, domain)
    assert paper.averages_where_defined(measured, 6) == {gamma}
    assert gm.verify(certificate)


def test_kappa_is_not_robust_to_chance_on_all_matrices():
    """On constant true labels kappa is 1 or 0 by rule, so the mixture over predicted sizes is not constant."""
    assert prove("kappa", "sebastiani_cha", domain="all") is None
    assert len(paper.averages(paper.Measured(gm.kappa, 2, "all"), 3)) > 1


@pytest.mark.parametrize(
    ("name", "domain"), [("recall", "all"), ("f1", "regular"), ("mcc", "regular"), ("somers_d", "all")]
)
def test_smoothness_is_about_the_matrices_of_the_domain_that_have_values(name, domain):
    certificate = prove(name, "sebastiani_con", domain=domain)
    assert gm.verify(certificate)
    assert {x["true"] for x in certificate.cases} == ({"11"} if domain == "regular" else {"01", "10", "11"})


def test_a_test_set_without_values_is_skipped_and_said_to_be():
    cases = prove("recall", "sebastiani_con").cases
    assert {x["true"]: x["proof"]["by"] for x in cases} == {"01": "one formula", "10": "undefined", "11": "one formula"}


def test_predicted_prevalence_reaches_its_range_at_constant_predictions():
    assert prove("predicted_prevalence", "FIX").constants == {"alpha": "0", "beta": "1"}
    assert prove("predicted_prevalence", "FIX", domain="regular") is None  # one item is always given the other label


def test_a_constant_prediction_without_value_has_no_constant():
    verdict = gm.check(gm.lift, properties=["IMB"])["IMB"]
    assert verdict.status == "proved"
    assert verdict.constants == {"k_1": 1}
    assert gm.verify(verdict)
    assert gm.check(gm.measure("markedness"), properties=["IMB"])["IMB"].status == "vacuous"


AXIOMS = ("MON", "SDE", "WDE", "FIX", "CHA", "IMB", "SYM")
THREE = {
    "mcc": AXIOMS,
    "kappa": AXIOMS,
    "balanced_accuracy": ("MON", "SDE", "WDE", "IMB"),
    "accuracy": ("SDE", "FIX", "CHA", "IMB", "SYM"),
    "macro(f1)": ("SDE", "WDE", "CHA", "IMB", "SYM"),
    "k_ordinal(error='absolute')": ("CHA", "IMB", "SYM"),
    "k_cost(costs=((0, 1, 4), (2, 0, 1), (5, 1, 0)))": ("CHA", "IMB", "SYM"),
}


def holds(axiom, measure, domain, most):
    """Return what brute force from the paper's text says of three classes."""
    measured = paper.Measured(measure, 3, domain, undefined="nan" if axiom in ("SDE", "WDE") else "resolve")
    if axiom == "FIX":
        return all(len(x) < 2 for x in paper.ranges(measured, most))
    if axiom == "CHA":
        return len(paper.averages(measured, most)) < 2
    if axiom == "IMB":
        return all(len(x) < 2 for x in paper.constant_predictions(measured, most).values())
    ways = {"MON": paper.mon, "SDE": paper.defined, "WDE": paper.defined_together, "SYM": paper.sym}
    return ways[axiom](measured, most)


@pytest.mark.parametrize("name", THREE)
def test_verdicts_about_three_classes_agree_with_the_papers_text(name):
    """Refuted with n items means that brute force fails first at n; proved means that it never does."""
    for verdict in gm.check(name, classes=3, properties=THREE[name]).values():
        axiom, measure = verdict.statement[-3:].upper(), gm.measure(name)
        assert verdict.status in ("refuted", "proved")
        if verdict.status == "refuted":
            assert not holds(axiom, measure, "all", verdict.n), verdict
        assert holds(axiom, measure, "all", 3 if verdict.n is None else verdict.n - 1), verdict


def test_k_has_every_axiom_for_three_classes_as_the_paper_says():
    report = gm.check(gm.k, classes=3, properties=[*AXIOMS, "CON"])
    assert set(report.statuses.values()) == {"proved"}
    assert all(holds(x, gm.k, "all", 3) for x in AXIOMS)
    assert report["FIX"].constants == {"alpha": Fraction(-1, 2), "beta": 1}
    assert report["IMB"].constants == {"k_1": 0, "k_2": 0, "k_3": 0}
    assert report["CHA"].constant == 0
    measured = paper.Measured(gm.k, 3, "all")
    assert paper.ranges(measured, 3) == ({"-1/2"}, {"1"})
    assert paper.averages(measured, 3) == {"0"}


def test_k_would_fail_imbalance_if_a_class_might_be_absent():
    """Why the axiom asks for every class: two of three classes occur, and all items are called one of them."""
    assert gm.k.exact([[1, 0, 0], [1, 0, 0], [0, 0, 0]]) == Fraction(1, 4)
    assert gm.k.exact([[1, 0, 0], [1, 0, 0], [1, 0, 0]]) == 0


def test_cost_sensitive_k_fails_two_axioms_that_the_paper_claims():
    costs = gm.k_cost(costs=((0, 1, 4), (2, 0, 1), (5, 1, 0)))
    report = gm.check(costs, classes=3, properties=["CHA", "SYM", "FIX", "IMB"])
    assert report.statuses["sebastiani_cha"] == report.statuses["sebastiani_sym"] == "refuted"
    assert report.statuses["sebastiani_fix"] == report.statuses["sebastiani_imb"] == "proved"
    assert report["FIX"].constants == {"alpha": Fraction(-1, 2), "beta": 1}


@pytest.mark.parametrize(
    ("definition", "said"),
    [
        (lambda c: c.sqrt(c.ratio(c[0, 0], c.n)), "infinite slope"),
        (lambda c: c.max(c.ratio(c[0, 0], c.n), c.ratio(c[1, 1], c.n)), "contradict each other"),
        (lambda c: c.ratio(c[0, 0], c[0, 0] + c[1, 1], otherwise=0), "not continuous"),
        (lambda c: c.ratio(c.n, c[0, 1], otherwise=0), "unbounded"),
    ],
)
def test_roughness_is_seen_for_three_classes(definition, said):
    verdict = gm.check(definition, classes=3, properties=["CON"])["CON"]
    assert verdict.status == "refuted"
    assert said in verdict.witness.says


@pytest.mark.parametrize(
    "name", ["mutual_information", "confusion_entropy", "normalized_mutual_information(average='min')"]
)
def test_entropies_have_infinite_slopes_where_a_cell_vanishes(name):
    """x log x has no slope at 0; the line to replay sees the slope grow by the same amount at each smaller step."""
    verdict = gm.check(name, domain="regular", properties=["CON"])["CON"]
    assert verdict.status == "refuted"
    assert "infinite slope" in verdict.witness.says
    assert replayed(verdict.witness.replay) is False


def test_a_logarithm_alone_is_unbounded():
    def log_hits(c):
        return c.log(c.ratio(c.tp, c.n))

    verdict = gm.check(log_hits, properties=["CON"], source="gm.measure(log_hits)")["CON"]
    assert verdict.status == "refuted"
    assert "unbounded" in verdict.witness.says
    assert replayed(verdict.witness.replay, log_hits=log_hits) is False


@pytest.mark.parametrize(
    ("name", "domain"),
    [
        ("no_information_rate", "all"),
        ("entropy_true", "all"),
        ("entropy_predicted", "regular"),
        ("class_size_divergence", "regular"),
        ("class_size_cross_entropy", "regular"),
    ],
)
def test_logarithms_of_positive_values_and_functions_of_true_sizes_are_smooth(name, domain):
    verdict = gm.check(name, properties=["sebastiani_con"], domain=domain)["sebastiani_con"]
    assert verdict.status == "proved"
    assert gm.verify(verdict)


def test_a_logarithm_that_reaches_0_at_the_rim_is_not_smooth():
    """x·log x is 0 at x = 0 and has no slope there; the greatest of two predicted sizes has a corner."""

    def steep(c):
        return c.where(c.tp > 0, lambda: c.ratio(c.tp, c.n) * c.log(c.ratio(c.tp, c.n)), 0)

    def cornered(c):
        return c.ratio(c.max(c.b[0], c.b[1]), c.n)

    honest = prove("k", "sebastiani_con", domain="regular").to_dict()
    for function in (steep, cornered):
        assert gm.check(function, properties=["sebastiani_con"], domain="regular")["sebastiani_con"].status == "refuted"
        tree = json.loads(gm.measure(function).tree.to_json())
        with pytest.raises(gm.CertificateError):
            gm.verify({**honest, "measure": {"name": "own", "orientation": "higher", "tree": tree}})
