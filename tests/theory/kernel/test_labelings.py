"""Test sets: fixed ranges, constant predictions and smoothness."""

import pytest

import goodmeasure as gm
from goodmeasure.theory.kernel import check
from goodmeasure.theory.kernel.claim import Claim
from goodmeasure.theory.kernel.kinds.labelings import ConstantPredictions, Ranges, Smoothness, is_pure, occurring
from goodmeasure.theory.kernel.proof import claim_of, kind_of
from goodmeasure.theory.statements.lookup import statement
from tests.theory.kernel.forging import case_refused, changed, check_case, claimed, proved, refused

DIFFERENCE, EQUAL, UNDEFINED, FORMULA = ({"by": x} for x in ("difference", "equal", "undefined", "one formula"))
BOUNDS = {"alpha": "0", "beta": "1"}


def kind(kind, name, domain, m=2, **more):
    tree = gm.measure("accuracy").recorded.tree(m)
    claim = Claim(tree, statement(name), m=m, domain=domain, policy="nan", constants=BOUNDS, **more)
    return kind(claim)


# Ranges


@pytest.mark.parametrize("domain", ["all", "non-unary", "regular"])
def test_both_bounds_are_checked_on_every_support(domain):
    found = kind(Ranges, "sebastiani_fix", domain)
    supports = {x.about["support"] for x in found.cases()}
    assert len(supports) == {"all": 15, "non-unary": 7, "regular": 7}[domain]
    assert len(list(found.cases())) == 2 * len(supports)
    assert {x.about["bound"] for x in found.cases()} == {"alpha", "beta"}


def test_ranges_of_proved_measures():
    assert proved("accuracy", "sebastiani_fix", domain="all")["constants"] == BOUNDS
    assert proved("error_rate", "sebastiani_fix", domain="all")["constants"] == BOUNDS
    assert proved("braun_blanquet", "sebastiani_fix")["constants"] == BOUNDS  # its bounds are reached in branches
    data = proved("accuracy", "sebastiani_fix", domain="all")
    for constants in (
        {"alpha": "0", "beta": "2"}, {"alpha": "-1", "beta": "1"}, {"alpha": "1", "beta": "0"}, {"alpha": "0"},
        {"alpha": "0", "beta": "1/2"}, {"alpha": "0", "beta": "c0_0"}, {"alpha": "0", "beta": "1", "more": "1"}, {},
    ):  # fmt: skip
        refused({**data, "constants": constants}, "bound|constants|no text|sign")


def test_bounds_are_in_the_measures_own_sign():
    turned = claimed("error_rate", "sebastiani_fix", constants={"alpha": "0", "beta": "1"})
    check_case(turned, {"support": "0110", "bound": "beta"}, DIFFERENCE)
    wrong = {**turned, "constants": {"alpha": "-1", "beta": "0"}}
    case_refused(wrong, {"support": "0110", "bound": "beta"}, DIFFERENCE, "wrong sign")


def test_a_bound_is_reached_for_all_class_sizes():
    """TP/n has all values between 0 and 1, yet for given class sizes none is 1."""
    cases = [({"support": x.about["support"], "bound": x.about["bound"]}, DIFFERENCE)
             for x in kind(Ranges, "sebastiani_fix", "regular").cases()]  # fmt: skip
    refused(claimed(lambda c: c.tp / c.n, "sebastiani_fix", cases, constants=BOUNDS), "not shown to be reached")
    check(claimed("accuracy", "sebastiani_fix", cases, constants=BOUNDS))


def test_a_bound_is_reached_in_every_branch():
    """Where TP = TN + 1 the value is 1, and elsewhere it is less: not for all class sizes."""
    jumps = lambda c: c.where(c.fp + c.fn > 0, c.tp / c.n, c.where(c.tp == c.tn + 1, 1, c.tp / c.n))  # noqa: E731
    cases = []
    for x in kind(Ranges, "sebastiani_fix", "regular").cases():
        split = {"split": {"polynomial": "c1_1 - c0_0 - 1"}, "=": DIFFERENCE, "<": DIFFERENCE, ">": DIFFERENCE}
        diagonal = x.about["support"] == "1001"
        cases.append((dict(x.about), split if diagonal else DIFFERENCE))
    refused(claimed(jumps, "sebastiani_fix", cases, constants=BOUNDS), "not shown to be reached")
    gaps = lambda c: c.where(  # noqa: E731
        c.fp + c.fn > 0, c.tp / c.n, c.where(c.tp == c.tn + 1, c.tp / c.tp, c.ratio(0, c.tp - c.tp))
    )
    for about, proof in cases:
        if about["support"] == "1001":
            proof |= {"<": UNDEFINED, ">": UNDEFINED}
    refused(claimed(gaps, "sebastiani_fix", cases, constants=BOUNDS, undefined="nan"), "not shown to be reached")


def test_test_sets_without_values_have_no_range():
    """Recall has no value where no item is positive."""
    data = proved("recall", "sebastiani_fix", domain="all", undefined="nan")
    assert {"support": "1000", "bound": "alpha", "proof": UNDEFINED} in data["cases"]
    bare = claimed("recall", "sebastiani_fix", domain="all", undefined="nan", constants=BOUNDS)
    case_refused(bare, {"support": "1000", "bound": "alpha"}, DIFFERENCE, "undefined")
    case_refused(bare, {"support": "1010", "bound": "alpha"}, UNDEFINED, "defined")
    gone = claimed(lambda c: c.ratio(1, c.tp - c.tp), "sebastiani_fix", constants=BOUNDS, undefined="nan")
    nothing = [({**x, "bound": y}, UNDEFINED) for x in supports_of(gone) for y in BOUNDS]
    refused({**gone, "cases": [{**about, "proof": proof} for about, proof in nothing]}, "no test set has a value")


def supports_of(data):
    return [{"support": x} for x in sorted({y.about["support"] for y in kind_of(claim_of(data)).cases()})]


def test_values_of_mixed_supports_reach_no_bound():
    """A bound that is a value on a support with two cells in a row is reached for some class sizes only."""
    assert [is_pure(x, 2) for x in ((1, 0, 0, 1), (0, 0, 1, 0), (1, 1, 0, 1), (1, 1, 1, 1))] == [
        True,
        True,
        False,
        False,
    ]
    assert occurring((0, 0, 0, 1), 2) == (False, True)
    assert occurring((0, 1, 0, 1), 2) == (True, True)
    flat = lambda c: c.where(c.tp * c.fn > 0, 1, 0) * c.n / c.n  # noqa: E731
    cases = [(dict(x.about), DIFFERENCE) for x in kind(Ranges, "sebastiani_fix", "regular").cases()]
    refused(claimed(flat, "sebastiani_fix", cases, constants=BOUNDS), "not shown to be reached")


def test_symmetric_test_sets_are_the_same_up_to_names():
    data = proved("accuracy", "sebastiani_fix", m=3, domain="all")
    assert data["symmetric"]
    assert len(data["cases"]) < 2 * 511 / 4


# Constant predictions


def test_constant_predictions_are_those_of_one_class():
    found = kind(ConstantPredictions, "sebastiani_imb", "all")
    assert [x.about["support"] for x in found.cases()] == ["0101", "1010"]
    assert not list(kind(ConstantPredictions, "sebastiani_imb", "regular").cases())
    assert len(list(kind(ConstantPredictions, "sebastiani_imb", "all", 3).cases())) == 3
    data = proved("balanced_accuracy", "sebastiani_imb", domain="all")
    assert data["constants"] == {"k_1": "1/2", "k_2": "1/2"}


def test_constant_predictions_score_one_constant():
    data = proved("balanced_accuracy", "sebastiani_imb", domain="all")
    for constants in ({"k_1": "1/2"}, {"k_1": "1/2", "k_2": "1/3"}, {"k_1": "1/2", "k_3": "1/2"}, {}):
        refused({**data, "constants": constants}, "constant|k_2")
    plain = claimed("accuracy", "sebastiani_imb", domain="all")
    case_refused(plain, {"support": "0101"}, EQUAL, "should be 0")
    case_refused(plain, {"support": "0101"}, UNDEFINED, "a value is defined")
    bare = claimed("precision", "sebastiani_imb", domain="all", undefined="nan")
    check_case(bare, {"support": "1010"}, UNDEFINED)
    case_refused(bare, {"support": "1010"}, EQUAL, "undefined")
    one = lambda c: c.where(c.n > 2, 1, c.ratio(0, c.n - c.n))  # noqa: E731
    split = {"split": {"polynomial": "c1_1 + c0_1 - 2"}, ">": EQUAL, "=": UNDEFINED, "<": UNDEFINED}
    case_refused(claimed(one, "sebastiani_imb", domain="all", undefined="nan"), {"support": "0101"}, split, "of ones")


def test_some_constant_prediction_has_a_value():
    gone = claimed(lambda c: c.ratio(1, c.tp * c.tn), "sebastiani_imb", domain="all", undefined="nan")
    cases = [{"support": x, "proof": UNDEFINED} for x in ("0101", "1010")]
    refused({**gone, "cases": cases}, "no constant prediction")


# Smoothness


def test_smooth_formulas():
    for measure in (
        "accuracy",
        "balanced_accuracy",
        "mcc",
        "mutual_information",
        "logarithmic_mean",
        "no_information_rate",
    ):
        known = [
            x.status
            for x in gm.atlas(classes=2)
            if (x.measure, x.statement, x.domain) == (measure, "sebastiani_con", "regular")
        ]
        if known == ["proved"]:
            proved(measure, "sebastiani_con")
    three = kind(Smoothness, "sebastiani_con", "all", 3)
    assert len(list(three.cases())) == 7
    assert [x.about["true"] for x in kind(Smoothness, "sebastiani_con", "all", 3, symmetric=True).cases()] == [
        "100", "110", "111",
    ]  # fmt: skip
    assert [x.about["true"] for x in kind(Smoothness, "sebastiani_con", "regular").cases()] == ["11"]


BOTH = {"true": "11"}


@pytest.mark.parametrize(
    ("definition", "domain", "why"),
    [
        (lambda c: c.tp / c.n, "all", None),
        (lambda c: c.where(c.fp > 0, c.tp / c.n, c.tp / c.n), "all", None),
        (lambda c: c.where(c.fp > 0, c.tp / c.n, 0 * c.n), "all", "another formula"),
        (lambda c: c.sqrt(c.tp / c.n), "all", "wrong sign|0"),  # its slope is infinite at TP = 0
        (lambda c: c.sqrt((c.tp + c.fn) / c.n), "all", None),
        (lambda c: c.power(c.tp / c.n, 2), "all", None),
        (lambda c: c.log((c.tp + c.n) / c.n), "all", None),
        (lambda c: c.ratio(c.tp, c.tp + c.fp, otherwise=0), "all", "by 0|0"),  # the divisor vanishes on a face
        (lambda c: c.ratio(c.tp, c.tp + c.fp, otherwise=0), "regular", None),
        (lambda c: c.exp(c.tp / c.n), "all", "no quotient"),
        (lambda c: c.exp((c.tp + c.fn) / c.n) * c.tp, "all", None),  # it depends on the true class sizes alone
        (lambda c: c.arccos(c.tp / c.n), "all", "no quotient"),
        (lambda c: c.where(c.tp * c.fn * c.tn * c.fp > 0, c.ratio(0, c.n - c.n), 1), "all", "cells are positive"),
        (lambda c: c.where(c.fp > 0, c.tp / c.n, c.ratio(0, c.n - c.n)), "all", None),  # the formula fills the gap
        (lambda c: c.where(c.fp > 0, c.n / c.fp, c.ratio(0, c.n - c.n)), "all", "by 0|0"),
    ],
)  # fmt: skip
def test_formulas_that_are_smooth_up_to_the_faces(definition, domain, why):
    data = claimed(definition, "sebastiani_con", domain=domain, undefined="nan")
    if why is None:
        check_case(data, BOTH, FORMULA)
    else:
        case_refused(data, BOTH, FORMULA, why)


def test_splits_are_by_true_class_sizes_alone():
    larger = claimed(lambda c: c.max(c.a[0], c.a[1]) * c.tp, "sebastiani_con", domain="all")
    sizes = {"polynomial": "c1_1 + c1_0 - c0_1 - c0_0", "weakly": True}
    check_case(larger, BOTH, {"split": sizes, ">=": FORMULA, "<=": FORMULA})
    case_refused(larger, BOTH, FORMULA, "sign of a polynomial")
    cells = claimed(lambda c: c.max(c.tp, c.fn), "sebastiani_con", domain="all")
    case_refused(cells, BOTH, {"split": {"polynomial": "c1_1 - c1_0", "weakly": True}, ">=": FORMULA, "<=": FORMULA},
                 "more than the class sizes")  # fmt: skip
    case_refused(larger, BOTH, {"split": {"variables": ["c1_1", "c1_0"]}, "<": FORMULA, "=": FORMULA, ">": FORMULA},
                 "more than the class sizes")  # fmt: skip


def test_what_is_supposed_of_class_sizes_holds_on_the_faces():
    """Where class 1 is larger, it stays larger with some cells empty; on faces nothing else is known."""
    first = claimed(lambda c: c.where(c.a[0] < c.a[1], c.tp, c.tp + 0 * c.fp), "sebastiani_con", domain="all")
    split = {"split": {"polynomial": "c1_1 + c1_0 - c0_1 - c0_0"}, ">": FORMULA, "=": FORMULA, "<": FORMULA}
    check_case(first, BOTH, split)
    other = claimed(
        lambda c: c.where(c.a[0] < c.a[1], c.tp, c.where(c.fp > 0, c.tp, c.tn)), "sebastiani_con", domain="all"
    )
    case_refused(other, BOTH, split, "another formula")


def test_some_test_set_has_a_formula():
    gone = claimed(lambda c: c.ratio(1, c.n - c.n), "sebastiani_con", domain="all", undefined="nan")
    cases = [{"true": x, "proof": UNDEFINED} for x in ("01", "10", "11")]
    refused({**gone, "cases": cases}, "no test set is said")
    bare = claimed("precision", "sebastiani_con", domain="all", undefined="nan")
    case_refused(bare, BOTH, UNDEFINED, "has values")
    case_refused(bare, BOTH, {"by": "equal"}, "no way")


def test_constants_of_a_claim_are_those_that_come_out():
    data = proved("accuracy", "sebastiani_con", domain="all")
    refused({**data, "constants": {"c": "1"}}, "constants")
    refused(changed(data, "cases", 0, "true", to="00"), "missing")
