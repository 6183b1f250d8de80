"""Measures by their normaliser, and the six conditions of Theorem 3."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

import goodmeasure as gm
from goodmeasure.theory.possible.named_means import MEANS, beyond_means
from goodmeasure.theory.possible.normaliser import normaliser
from goodmeasure.theory.possible.normaliser_conditions import LEFT, LOW, pieces
from goodmeasure.theory.possible.rational import positive_on, unknowns

MATRIX = [[50, 3], [4, 20]]
GOOD = ["arithmetic", "geometric", "harmonic", "quadratic", "heronian", "logarithmic", "identric", "seiffert"]
GOOD += ["neuman_sandor", "stolarsky_3", "stolarsky_4", "cubic"]


@pytest.mark.parametrize("name", GOOD)
def test_a_symmetric_homogeneous_increasing_mean_has_all_six(name):
    found = normaliser(mean=name)
    assert found.proved
    assert found.why


@pytest.mark.parametrize("name", GOOD)
def test_no_point_speaks_against_the_theorem_on_means(name):
    """The conditions themselves, on points: nothing of the six is refuted."""
    from goodmeasure.theory.possible.normaliser_conditions import decide

    mean = MEANS[name].function
    found = decide(lambda a, b, f: mean(a * (1 - a), b * (1 - b), f))
    assert {x.status for x in found} <= {"proved", "held"}


@pytest.mark.parametrize("name", ["contraharmonic", "lehmer_3"])
def test_means_that_do_not_increase_fail_the_last_two(name):
    found = normaliser(mean=name)
    assert found.statuses == {1: "proved", 2: "proved", 3: "proved", 4: "proved", 5: "refuted", 6: "refuted"}
    for k in (5, 6):
        assert fails_at(name, k, found.conditions[k].point)


def fails_at(name, k, point):
    """The condition in exact arithmetic, at the point that is named."""
    a, b = unknowns("a", "b")
    x = MEANS[name].function(a * (1 - a), b * (1 - b), None)
    region = {LOW: point[0] + point[1] < 1, LEFT: point[0] < point[1]}
    for number, triangle, value in pieces(x, (x.slope(0), x.slope(1)), a, b):
        inside = region.get(triangle, not region[LOW] if triangle[0] == (1, 1) else not region[LEFT])
        if number == k and inside and value.at(*point) < 0:
            return True
    return False


def test_kappas_normaliser_fails_the_second():
    found = normaliser(lambda a, b: 2 / (a * (1 - b) + b * (1 - a)), name="kappa")
    assert found.statuses[1] == "proved"
    assert found.statuses[2] == "refuted"
    a, b = found.conditions[2].point
    assert a + b == 1
    assert found(MATRIX) == pytest.approx(gm.kappa(MATRIX))


def test_a_normaliser_without_symmetry_fails_the_first():
    found = normaliser(lambda a, b: 1 / (a * (1 - a)), name="informedness")
    assert found.statuses[1] == "refuted"
    assert found(MATRIX) == pytest.approx(2 * gm.balanced_accuracy(MATRIX) - 1)


@pytest.mark.parametrize(
    ("name", "measure"),
    [
        ("arithmetic", "generalized_mean(r=1)"), ("geometric", "mcc"), ("harmonic", "generalized_mean(r=-1)"),
        ("quadratic", "generalized_mean(r=2)"), ("heronian", "heronian_mean"), ("logarithmic", "logarithmic_mean"),
        ("identric", "identric_mean"),
        ("seiffert", "seiffert_mean"), ("neuman_sandor", "neuman_sandor_mean"), ("stolarsky_3", "stolarsky_mean(p=3)"),
        ("contraharmonic", "lehmer_mean(p=2)"), ("lehmer_3", "lehmer_mean(p=3)"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("rows", [MATRIX, [[5, 2], [2, 9]], [[3, 0], [4, 0]], [[0, 4], [0, 0]], [[7, 0], [0, 1]]])
def test_the_measure_is_that_of_the_catalogue(name, measure, rows):
    assert normaliser(mean=name)(rows) == pytest.approx(gm.measure(measure)(rows), abs=1e-13)


def test_a_users_mean_is_decided_from_its_formula():
    assert normaliser(mean=lambda u, v: 2 * u * v / (u + v)).proved
    assert normaliser(mean=lambda u, v, f: (f.sqrt(u) + f.sqrt(v)) ** 2 / 4).proved
    assert normaliser(lambda a, b: 2 / (a * (1 - a) + b * (1 - b))).proved


def test_a_function_of_floats_only_is_held_and_never_proved():
    found = normaliser(mean=lambda u, v: (u - v) / (math.log(u) - math.log(v)), name="mine")
    assert set(found.statuses.values()) == {"held"}
    assert found(MATRIX) == pytest.approx(gm.logarithmic_mean(MATRIX))
    assert found([[5, 2], [2, 9]]) == pytest.approx(gm.mcc([[5, 2], [2, 9]])), "u = v: the limit"


def test_a_function_of_floats_only_is_refuted_by_its_values_and_not_by_estimated_slopes():
    found = normaliser(mean=lambda u, v: math.log((math.exp(20 * u) + math.exp(20 * v)) / 2) / 20)
    assert found.statuses[5] == "held"
    assert found.conditions[5].method == "seems to fail in floats"
    assert found.conditions[5].point is not None
    found = normaliser(mean=lambda u, v: math.sqrt(u * v) * 2)
    assert (found.statuses[2], found.conditions[2].method) == ("refuted", "floats")


def at_the_end_of_the_interval(a, b):
    """For a and b below 1/2 the derivative of condition 5 is at the lower end of its interval: s is 1/4ab there."""
    return 1 / (4 * a * b)


def test_a_normaliser_at_the_end_of_an_interval_does_not_pass():
    found = normaliser(at_the_end_of_the_interval)
    assert found.statuses[5] != "proved"


def odd_at_one_place(a, b):
    return 5 if a == Fraction(1, 7) else 2 / (a * (1 - a) + b * (1 - b))


def odd_beyond(a, b):
    try:
        if a > Fraction(99, 100):
            return 5
    except TypeError:
        pass
    return 2 / (a * (1 - a) + b * (1 - b))


def odd_by_type(a, b):
    return 5 if isinstance(a, float) and a > 0.99 else 2 / (a * (1 - a) + b * (1 - b))


def wrong_root(a, b, f):
    return 2 / (a * (1 - a) + b * (1 - b) + a * b * (f.sqrt((a - b) ** 2) - (a - b)) ** 2)


@pytest.mark.parametrize("function", [odd_at_one_place, odd_beyond, odd_by_type, wrong_root])
def test_a_function_that_is_no_formula_is_not_proved(function):
    assert "proved" not in normaliser(function).statuses.values()


def test_the_root_of_a_square_is_positive():
    a, b = unknowns("a", "b")
    assert ((1 - a) ** 2).root(2) == 1 - a
    assert ((a - b) ** 2).root(2).degree == 2


def test_what_is_no_mean_fails_the_second():
    found = normaliser(mean=lambda u, v: u + v)
    assert found.statuses[2] == "refuted"
    assert found([[5, 2], [2, 9]]) == pytest.approx(gm.mcc([[5, 2], [2, 9]]) / 2)


@pytest.mark.deep
def test_theorem_2_is_too_narrow():
    """A normaliser with all six conditions that is no function of u and v."""
    found = normaliser("beyond_means")
    assert found.proved
    a, b = Fraction(1, 4), Fraction(2, 5)
    assert beyond_means(a, b) != beyond_means(1 - a, b), "u and v are the same, s is not"
    report = gm.check(found.measure, properties=["Max", "Min", "CSym", "Sym", "SMon", "CB", "ACB"])
    assert set(report.statuses.values()) == {"proved"}
    assert all(gm.verify(x, measure=found.measure) for x in report.values())


def test_measures_of_normalisers_are_measures():
    found = normaliser(mean="logarithmic")
    assert str(found.measure.exact([[5, 3], [4, 9]])) == "-33*log(13)/4 - 33*log(2)/4 + 99*log(3)/4"
    batch = found(np.array([MATRIX, [[5, 3], [4, 9]]]))
    assert batch == pytest.approx([found(MATRIX), found([[5, 3], [4, 9]])])
    assert found.to_dict()["conditions"][0][1]["status"] == "proved"


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: normaliser(), "and not both"),
        (lambda: normaliser(lambda a, b: a, mean="harmonic"), "and not both"),
        (lambda: normaliser(mean="heronic"), "did you mean 'heronian'"),
        (lambda: normaliser("harmonic"), "mean='harmonic'"),
        (lambda: normaliser(lambda a: a), "takes 1 arguments"),
        (lambda: normaliser(3), "not a function"),
    ],
)
def test_bad_normalisers_say_what_is_wrong(call, says):
    with pytest.raises((TypeError, ValueError), match=says):
        call()


def test_a_polynomial_is_proved_positive_only_where_it_is():
    a, b = unknowns("a", "b")
    triangle = ((Fraction(0), Fraction(0)), (Fraction(1), Fraction(0)), (Fraction(0), Fraction(1)))
    assert positive_on(a * a - a * b + b * b, triangle, strict=True)
    assert not positive_on((a - b) * (a - b), triangle, strict=True), "0 on a line inside"
    assert not positive_on(a - b, triangle, strict=False)
    assert not positive_on(a * a + b * b - Fraction(1, 1000), triangle, strict=False)


def test_an_exponent_that_python_rounds_means_the_fraction():
    """1/7 reaches the function as a float; as a fraction with 17 digits it would fill the memory."""
    found = normaliser(mean=lambda u, v, f: f.power((f.power(u, 7) + f.power(v, 7)) / 2, 1 / 7))
    assert found.proved
    odd = normaliser(mean=lambda u, v, f: f.power((f.power(u, 0.1234567) + f.power(v, 0.1234567)) / 2, 8.1))
    assert odd.conditions[2].status == "refuted"


@pytest.mark.parametrize(
    ("function", "said"),
    [
        (lambda u, v: "much", "returned 'much'"),
        (lambda u, v: 0, "returned 0"),
        (lambda u, v: -u - v, "expected a positive number"),
        (lambda u, v: 1 / 0, "raised ZeroDivisionError"),
    ],
)
def test_a_function_that_is_no_mean_is_told_so(function, said):
    with pytest.raises(ValueError, match=said):
        normaliser(mean=function)
    with pytest.raises(ValueError, match=said):
        normaliser(function)


# Strict and weak conditions


@pytest.mark.deep
@pytest.mark.parametrize("mean", [max, pytest.param(min, marks=pytest.mark.deep)])
def test_bounds_that_are_only_reached_refute_the_strict_conditions_and_not_the_weak_ones(mean):
    """1/max(u, v) and 1/min(u, v) keep the closed intervals of Theorem 3, and are not strongly monotone.

    Python's max and min compare numbers, so the measure is opaque, and nothing is proved about it.
    """
    found = normaliser(mean=mean)
    assert found.statuses == {1: "held", 2: "held", 3: "held", 4: "held", 5: "refuted", 6: "refuted"}
    assert {k: x.weak for k, x in found.conditions.items()} == dict.fromkeys(range(1, 7), "held")
    assert {found.conditions[k].method for k in (5, 6)} == {"exact"}
    assert "with the ends of the bounds, which are reached there: held" in str(found)
    assert [x["weak"] for _, x in found.to_dict()["conditions"]] == ["held"] * 6
    checked = gm.check(found.measure, properties=["Max", "Min", "Mon", "SMon"], domain="regular", seconds=2)
    assert [checked[x].status for x in ("Max", "Min", "Mon", "SMon")] == ["held", "held", "held", "refuted"]


def test_a_bound_that_is_broken_refutes_the_weak_condition_too():
    found = normaliser(mean=lambda u, v: (u**2 + v**2) / (u + v))
    assert {k: x.weak for k, x in found.conditions.items()} == found.statuses
    assert found.statuses[5] == "refuted"


def test_what_is_proved_strictly_is_proved_weakly():
    found = normaliser(mean="heronian")
    assert {x.weak for x in found.conditions.values()} == {"proved"}


def test_where_a_bound_is_reached_another_true_negative_changes_nothing():
    """The point that refutes condition 5 for max, as matrices: p_A = 1/30 and p_B = 1/15 with p_AB at its greatest."""
    found = normaliser(mean=max)
    a, b = found.conditions[5].point
    assert (a, b) == (Fraction(1, 30), Fraction(1, 15))
    before, after = [[28, 1], [0, 1]], [[29, 1], [0, 1]]  # n = 30: one positive, which is found, and one false alarm
    assert found.measure.exact(before) == found.measure.exact(after)


@pytest.mark.parametrize(
    "function",
    [lambda u, v: max(u, v), lambda u, v: u if u > v else v, lambda u, v: (u + v + abs(u - v)) / 2],
    ids=["max", "if", "abs"],
)
def test_exact_slopes_follow_comparisons(function):
    assert normaliser(mean=function).statuses == normaliser(mean=max).statuses
