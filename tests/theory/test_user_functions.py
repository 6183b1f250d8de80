"""Functions that users write: what they may do, and what is said when they do something else."""

from __future__ import annotations

import functools
import itertools
import math

import numpy as np
import pytest

import goodmeasure as gm
from tests.replay import replayed

FEW = ["Mon", "Sym", "Max", "CB"]


def test_a_function_of_c_is_proved_and_refuted_like_a_measure():
    def mine(c):
        return c.ratio(c.tp + c.tn, c.n)

    report = gm.check(mine, properties=FEW)
    assert list(report.statuses.values()) == ["proved", "proved", "proved", "refuted"]
    assert replayed(report["CB"].witness.replay, mine=mine) is False


def by_loops(rows):
    return sum(rows[i][i] for i in range(len(rows))) / sum(map(sum, rows))


def by_numpy(matrix):
    return float(np.trace(matrix) / matrix.sum())


def by_matrix(cm):
    return float(cm.counts[1, 1]) / float(cm.n)


def with_if(c):
    return c.ratio(c.tp, c.tp + c.fn) if c.tp > 1 else 0


def in_floats(c):
    return math.sqrt(c.tp * c.tn) / c.n


@pytest.mark.parametrize("function", [by_loops, by_numpy, by_matrix, in_floats])
def test_a_black_box_is_refuted_or_held_and_never_proved(function):
    report = gm.check(function, properties=FEW, n=8)
    assert "proved" not in report.statuses.values()
    assert "in floats" in report["CB"].method
    assert report["CB"].status == "refuted"


def test_a_function_that_decides_with_if_is_refuted_exactly():
    report = gm.check(with_if, properties=["Mon", "Sym"], n=8)
    assert report["Mon"].n == 2
    assert report["Sym"].status == "refuted"
    assert replayed(report["Sym"].witness.replay, with_if=with_if) is False


def test_rounding_noise_is_no_counterexample():
    def noisy(matrix):
        (tn, fp), (fn, tp) = matrix
        return float((tn / 3 + fp / 7) * 0.1 + (tp / 3 + fn / 7) * 0.1) / float(np.sum(matrix))

    assert gm.check(noisy, properties=["CSym"], n=8)["CSym"].status == "held"


def test_a_division_by_zero_means_undefined():
    def plain(matrix):
        (_, fp), (_, tp) = [[int(x) for x in row] for row in matrix]
        return tp / (tp + fp)

    verdict = gm.check(plain, properties=["Max"], n=5)["Max"]
    assert verdict.status == "refuted"
    assert all(x[0][1] + x[1][1] > 0 for x in verdict.witness.matrices), "undefined matrices are outside the domain"


def test_a_function_that_raises_is_named_with_the_matrix():
    def broken(c):
        raise KeyError("x")

    with pytest.raises(ValueError, match=r"broken raised KeyError: 'x' \(on \[\["):
        gm.check(broken)

    def breaks_in_a_corner(c):
        if c.fp == 0:
            raise RuntimeError("no false positives")
        return c.ratio(c.tp, c.n)

    with pytest.raises(ValueError, match=r"breaks_in_a_corner raised RuntimeError: no false positives \(on \[\[0, 0\]"):
        gm.check(breaks_in_a_corner, properties=["Mon"])


@pytest.mark.parametrize(
    ("function", "said"),
    [
        (lambda c: c.hits, "c has no attribute 'hits'"),
        (lambda c: c(1), "c is not callable"),
        (lambda c: c + "", "for \\+: c and 'str'"),
    ],
)
def test_the_types_behind_c_are_not_shown(function, said):
    with pytest.raises(gm.InputError, match=said) as error:
        gm.check(function)
    assert "View" not in str(error.value)


@pytest.mark.parametrize("value", ["good", None, [1, 2], 1j])
def test_a_function_that_returns_no_number_says_so(value):
    with pytest.raises((gm.InputTypeError, gm.InputError), match=r"returned|number"):
        gm.check(lambda c: value)


def test_a_function_that_never_returns_is_stopped():
    def endless(c):
        while True:
            pass

    with pytest.raises(gm.InputError, match=r"endless\(\[\[.* did not return within 0.3 s"):
        gm.check(endless, call_seconds=0.3)


def test_a_function_that_is_not_deterministic_is_refused():
    ticks = itertools.count()
    with pytest.raises(ValueError, match="not deterministic"):
        gm.check(lambda c: next(ticks) / 1000)
    times = itertools.count()

    def sometimes(c):
        return c.ratio(c.tp, c.n) + (next(times) % 7 if c.tp == 0 else 0)

    with pytest.raises(ValueError, match="sometimes is not deterministic"):
        gm.check(sometimes, properties=["Mon", "Sym", "Max"])


def test_a_function_that_ends_the_program_does_not():
    def leaves(c):
        raise SystemExit(3)

    with pytest.raises(ValueError, match=r"sys.exit\(3\)"):
        gm.check(leaves)


def test_a_function_may_break_on_letters_and_is_then_held():
    """What only numbers can be asked is an error to the prover, never to the user."""

    def odd(c):
        assert c.n < 10**6
        digits = str(c.tp).replace("/", "")
        if not digits.lstrip("-").isdigit():
            raise RuntimeError("not a number")
        return c.ratio(c.tp + c.tn, c.n)

    assert gm.check(odd, properties=["Mon"], n=7)["Mon"].status == "held"


def test_a_family_needs_its_parameters():
    with pytest.raises(ValueError, match="needs its parameters"):
        gm.check(gm.fbeta)
    with pytest.raises(TypeError, match="not a measure"):
        gm.check(3)


# What users write, with every default


class Scaled:
    """An object that is called, and has a method that is a measure too."""

    def __call__(self, c):
        return c.ratio(c.tp, c.n)

    def method(self, c):
        return c.ratio(c.tn, c.n)


def bias(c):
    return 1 - abs(c.ratio(c.fp - c.fn, c.n))


def plain_division(c):
    return c.tp / (c.tp + c.fp)


def hinge(c):
    return c.max(0, c.ratio(c.tp - c.fp, c.n))


def threshold(c):
    return 1 if c.tp > c.fn else 0


def whether(c):
    return c.tp > c.fn


def square_root(c):
    return (c.tp - c.fn) ** 0.5


def rounded(c):
    return round(c.ratio(c.tp, c.n), 2)


def whole_numbers_only(c):
    return c.tp / c.n if isinstance(c.tp, int) else 0


def unpacked(matrix):
    tn, fp, fn, tp = matrix.ravel()
    return (tp + tn) / (tp + tn + fp + fn)


def weighted_hits(c, weight):
    return c.ratio(c.tp + weight * c.tn, c.n)


def of_measures(c):
    return gm.f1(c) * gm.recall(c)


OWN = [
    bias,
    plain_division,
    hinge,
    threshold,
    whether,
    square_root,
    rounded,
    whole_numbers_only,
    unpacked,
    of_measures,
    Scaled(),
    Scaled().method,
    functools.partial(weighted_hits, weight=2),
    lambda c: c.ratio(c.tp, c.n),
]


@pytest.mark.parametrize("function", OWN, ids=lambda f: getattr(f, "__name__", type(f).__name__))
@pytest.mark.parametrize("domain", ["all", "regular"])
def test_check_of_my_function_works_with_every_default(function, domain):
    report = gm.check(function, domain=domain, n=5)
    strictly, completely = (report[f"opitz_chance_corrected_{x}"] for x in ("strictly", "completely"))
    assert strictly.status == completely.status, "for a function of two classes only, they say the same"
    names = {getattr(function, "__name__", ""): function, "my_function": function}
    for verdict in report.values():
        if verdict.status == "refuted" and verdict.witness is not None:
            assert not replayed(verdict.witness.replay, **names), verdict
        if verdict.certificate is not None:
            assert gm.verify(verdict), "a verdict knows the function that it came from"


def test_a_verdict_read_from_json_needs_the_function_again():
    verdict = gm.check(bias, properties="symmetry")["symmetry"]
    again = type(verdict).from_json(verdict.to_dict())
    assert (again.of, again.certificate) == (None, verdict.certificate)
    with pytest.raises(ValueError, match=r"measure=…"):
        gm.verify(again)
    assert gm.verify(again, measure=bias)


def test_what_compares_numbers_of_classes_speaks_of_those_that_a_function_takes():
    """The catalogue and a user's function of two classes with the same formula have the same verdict."""

    def own(c):
        return c.ratio(c.tp * c.tn - c.fp * c.fn, c.sqrt(c.a[0] * c.a[1] * c.b[0] * c.b[1]), otherwise=0)

    name = "opitz_chance_corrected_completely"
    verdict = gm.check(own, properties=name)[name]
    assert (verdict.status, str(verdict.constant)) == ("proved", "0")
    assert verdict.remark == "follows from opitz_chance_corrected_strictly"
    assert gm.verify(verdict)
    assert gm.check("yule_q", properties=name)[name].remark == verdict.remark


def only_three(matrix):
    if len(matrix) != 3:
        raise ValueError("three classes, please")
    return matrix[0][0] / sum(map(sum, matrix))


def test_a_function_of_three_classes_is_checked_with_three():
    report = gm.check(only_three, seconds=0.3)
    assert {x.classes for x in report.values()} == {3}
    with pytest.raises(gm.InputError, match=r"only_three takes 3 classes, not 2, where it raised .*: use classes=3$"):
        gm.check(only_three, classes=2)
    with pytest.raises(gm.InputError, match="bias takes 2 classes, not 3, where ") as error:
        gm.check(bias, classes=3)
    assert (error.value.argument, error.value.got) == ("classes", 3)
    assert error.value.advice == "use classes=2, or gm.macro(bias)"
    assert error.value.message({"classes": "--classes"}.get).endswith(": use --classes 2")
    with pytest.raises(ValueError, match="bias takes 2 classes, not 3"):
        gm.check(bias, classes="every")


def test_a_table_of_costs_for_three_classes_is_checked_with_three():
    costs = gm.k_cost([[0, 1, 4], [2, 0, 1], [5, 1, 0]])
    assert gm.check(costs, properties="Sym")["Sym"].classes == 3


@pytest.mark.parametrize("value", [math.nan, math.inf])
def test_a_function_without_any_value_is_refused(value):
    with pytest.raises(ValueError, match="has no finite value on any of the matrices"):
        gm.check(lambda c: value)


def test_a_function_that_changes_its_argument_is_refused():
    def empties(matrix):
        matrix[0][0] = 0
        return float(matrix[1][1] / (1 + np.sum(matrix)))

    with pytest.raises(ValueError, match=r"empties changes the matrix .* became \[\[0, 4\]"):
        gm.check(empties)


def test_a_function_for_large_samples_only_is_told_how_to_say_so():
    def large(c):
        if c.n < 10:
            raise ValueError("too few")
        return c.ratio(c.tp, c.n)

    with pytest.raises(ValueError, match=r"large raised ValueError: too few .* return float\('nan'\)"):
        gm.check(large)


def test_a_complex_number_or_an_array_is_named():
    with pytest.raises(TypeError, match=r"returned an array of shape \(2,\)"):
        gm.check(lambda matrix: np.asarray(matrix).sum(axis=0))
    with pytest.raises(TypeError, match=r"returned np.complex128\(1\+2j\)"):
        gm.check(lambda c: np.complex128(1 + 2j))


async def awaited(c):
    return 1


@pytest.mark.parametrize(
    ("function", "said"),
    [
        (lambda y_true, y_pred: 1.0, r"takes the arguments \(y_true, y_pred\)"),
        (lambda: 1.0, r"takes the arguments \(\)"),
        (Scaled, r"Scaled is a class: hand in an object of it, as in Scaled\(\)"),
        (lambda c: (yield c), "is a generator"),
        (awaited, "awaited is a coroutine"),
    ],
)
def test_what_cannot_be_a_function_of_one_matrix_is_refused(function, said):
    with pytest.raises(TypeError, match=said):
        gm.check(function)


def test_what_a_function_did_on_c_and_on_an_array_is_told():
    with pytest.raises(ValueError, match=r"raised ValueError: too many .* \(on \[\["):
        gm.check(two_values)


def two_values(matrix):
    a, b = matrix.ravel()
    return a / b


def test_a_function_in_floats_is_not_said_to_be_smooth_up_to_some_n():
    verdict = gm.check(unpacked, properties="sebastiani_con")["sebastiani_con"]
    assert (verdict.status, verdict.n, verdict.method) == ("held", None, "not searched")
    assert "the search needs exact values" in verdict.remark


def test_a_measure_with_a_place_in_the_catalogue_may_break_on_letters():
    measure = gm.define("rounded_hits", classes=2)(lambda c: c.ratio(round(c.tp), c.n))
    try:
        assert gm.check(measure, properties="sebastiani_con", n=3)["CON"].status == "held"
    finally:
        gm.measure("rounded_hits").forget()


def test_a_plain_division_by_zero_is_undefined_as_c_ratio_is():
    def mine(c):
        return c.tp / (c.tp + c.fp)

    never = [[3, 0], [2, 0]]
    assert math.isnan(gm.measure(mine)(never))
    assert gm.measure(mine)(never, undefined=0.0) == 0
    assert np.isnan(gm.measure(mine)(np.array([never, never]))).all()
    with pytest.raises(gm.UndefinedMeasure, match="mine is undefined"):
        gm.measure(mine)(never, undefined="raise")
    result = gm.evaluate([0, 1, 1], [0, 0, 0], measures=[mine])
    assert math.isnan(result.value("mine"))


def in_steps(c):
    return (3 * c.tp) // (c.n + 1) + c.n % 2


def test_whole_quotients_and_remainders_of_real_counts_are_numbers():
    """Independent labelings have cells that are fractions, and a definition may round them."""
    assert gm.measure(in_steps)([[0.5, 0.5], [0.5, 2.5]]) == 1.0
    verdict = gm.check(in_steps, properties="approximate_constant_baseline(order=2)")["ACB2"]
    assert (verdict.status, verdict.n) == ("refuted", 3)


@pytest.mark.parametrize("average", ["min", "max"])
def test_equal_entropies_are_seen_to_be_equal(average):
    """The derivative at independent labelings with the same class sizes is the least counterexample."""
    measure = f"normalized_mutual_information(average={average!r})"
    for order in (2, 3):
        verdict = gm.check(measure, properties=f"ACB{order}")[f"ACB{order}"]
        assert (verdict.status, verdict.n) == ("refuted", 2)
        assert gm.verify(verdict)
