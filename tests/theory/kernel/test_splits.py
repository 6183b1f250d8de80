"""What a split supposes holds in its branch, and is used nowhere else."""

import pytest

from goodmeasure.theory.kernel.refusal import Refused
from tests.theory.kernel.forging import case_refused, check_case, claimed, refused

COVARIANCE = "c0_0*c1_1 - c0_1*c1_0"


def _by_sign(polynomial, proof):
    return {"split": {"polynomial": polynomial}, ">": proof, "<": proof, "=": proof}


def test_derivatives_are_not_taken_in_branches():
    """|covariance| has no second derivative where labelings are independent."""
    proof = _by_sign(COVARIANCE, {"by": "flat"})
    refused(
        claimed(
            lambda c: abs(c.tp * c.tn - c.fp * c.fn) / c.n**2,
            "approximate_constant_baseline(order=2)",
            [({"order": 0}, {"by": "equal"}), ({"order": 2}, proof)],
            constants={"c_base": "0"},
        ),
        "split by more than the class sizes",
    )


def test_smoothness_is_not_shown_in_branches():
    """|TP − FN| is not smooth where both are equal; without values on the faces, no formula is compared there."""
    refused(
        claimed(
            lambda c: c.where(c.tp * c.fn * c.tn * c.fp > 0, abs(c.tp - c.fn), c.ratio(0, 0)),
            "sebastiani_con",
            [({"true": "11"}, _by_sign("c1_1 - c1_0", {"by": "one formula"}))],
            undefined="nan",
        ),
        "split by more than the class sizes",
    )


def test_smoothness_takes_counts_as_real_numbers():
    """A measure that jumps between 0 and 1 item is not smooth, although no whole number lies between."""
    refused(
        claimed(
            lambda c: c.where(2 * c.tp > 1, c.tp, 0) / c.a[1],
            "sebastiani_con",
            [
                (
                    {"true": "11"},
                    {"by": "one formula", "facts": [{"of": "2*c1_1 - 1", "sign": ">", "by": "shift"}]},
                )
            ],
        ),
        "terms of another sign",
    )


def test_slopes_take_counts_as_real_numbers():
    """A slope that is positive where counts are at least 1 shows nothing about the way from 0 to 1."""
    data = claimed(lambda c: c.tp * (c.tp - 1), "sebastiani_mon", domain="all")
    about = {"support": "1001", "move": [[1, 0, -1], [1, 1, 1]]}
    fact = {"of": "2*c1_1 - 1", "sign": ">", "by": "shift"}
    case_refused(data, about, {"by": "slope", "facts": [fact]}, "terms of another sign")
    case_refused(data, about, _by_sign("2*c1_1 - 1", {"by": "slope"}), "not split")
    outer = {"facts": [fact], "split": {"polynomial": "c1_1 - c0_0"}}
    case_refused(data, about, {**outer, **{x: {"by": "slope"} for x in "<=>"}}, "not split")


def test_facts_of_a_branch_do_not_outlive_its_variables():
    """After c1_1 > c0_0 and then a split on the two, c1_1 stands for the difference, which may be smaller than c0_0."""
    data = claimed(
        lambda c: c.where(c.tp > 2 * c.tn, 1, c.where(c.tp > c.tn, 0, 1)),
        "sebastiani_fix",
        constants={"alpha": "1", "beta": "1"},
    )
    about = {"support": "1001", "bound": "alpha"}
    shown = {"by": "difference"}
    order = {"split": {"variables": ["c1_1", "c0_0"]}, "<": shown, "=": shown}
    case_refused(
        data, about, _by_sign("c1_1 - c0_0", {**order, ">": shown}), ">.*: the sign of a polynomial is not shown"
    )
    case_refused(data, about, {**order, ">": _by_sign("c1_1 - c0_0", shown)}, "a value has the wrong sign")


def test_what_a_split_supposes_is_kept_by_later_splits():
    """Where c1_1 > 2·c0_0, the difference of c1_1 and c0_0 exceeds c0_0."""
    data = claimed(lambda c: c.where(c.tp > 2 * c.tn, 1, 0), "sebastiani_fix", constants={"alpha": "0", "beta": "1"})
    shown = {"by": "difference"}
    order = {"split": {"variables": ["c1_1", "c0_0"]}, "<": shown, "=": shown, ">": shown}
    check_case(data, {"support": "1001", "bound": "alpha"}, _by_sign("c1_1 - 2*c0_0", order))


def test_a_bound_is_reached_in_every_branch():
    """With c_00 = c_11 the measure is 1; but a test set may have classes of other sizes."""
    data = claimed(
        lambda c: 4 * c.tp * c.tn / c.n**2, "sebastiani_fix", domain="all", constants={"alpha": "0", "beta": "1"}
    )
    shown = {"by": "difference"}
    about = {"support": "1001", "bound": "beta"}
    order = {"split": {"variables": ["c0_0", "c1_1"]}, "<": shown, "=": shown, ">": shown}
    square = {"of": "c1_1^2 - 2*c0_0*c1_1 + c0_0^2", "product": [["c1_1 - c0_0", 2]]}
    for proof in (order, _by_sign("c1_1 - c0_0", {**shown, "facts": [square]}), {**shown, "facts": [square]}):
        with pytest.raises(Refused, match="not shown to be reached"):
            check_case(data, about, proof).finish()


# Extremes that are left open


def greatest(c):
    return c.max(c.tp, c.fp) / c.n


def test_a_node_says_whether_extremes_are_left_open():
    data = claimed(greatest, "sebastiani_sde", undefined="nan")
    check_case(data, {"support": "1111"}, {"by": "defined", "extremes": "open"})
    for extremes in (None, True, "closed", ["open"]):
        case_refused(data, {"support": "1111"}, {"by": "defined", "extremes": extremes}, "sign")
    split = {"split": {"polynomial": "c1_1 - c0_1", "weakly": True}, ">=": {"by": "defined"}, "<=": {"by": "defined"}}
    check_case(data, {"support": "1111"}, split)
    case_refused(
        data, {"support": "1111"}, {**split, "extremes": "open", "<=": {"by": "defined"}, ">=": None}, "object"
    )


def test_formulas_with_open_extremes_are_not_smooth():
    data = claimed(greatest, "sebastiani_con")
    case_refused(data, {"true": "11"}, {"by": "one formula", "extremes": "open"}, "no quotient of polynomials")
    data = claimed(greatest, "monotone")
    about = {"support": "1111", "move": [[0, 1, -1], [1, 1, 1]]}
    case_refused(data, about, {"by": "slope", "extremes": "open"}, "no derivative")
    case_refused(data, about, {"by": "difference", "extremes": "open"}, "sign")
