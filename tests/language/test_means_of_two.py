"""The named means of two numbers are means, and proofs may use the facts that are claimed about them."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

import goodmeasure as gm
from goodmeasure.language.means_of_two import KNOWN

MEANS = [(x, p) for x in KNOWN for p in ((2, 3, 4, 7) if x == "stolarsky" else (None,))]
NODES, WEIGHTS = np.polynomial.legendre.leggauss(200)


def average(f, low: float, high: float) -> float:
    """The average of a function over an interval, by Gauss's rule."""
    return float(WEIGHTS @ f((high - low) / 2 * NODES + (high + low) / 2) / 2)


def integrated(name: str, u: float, v: float) -> float:
    """The mean from its integral, which shares nothing with the formulas of the library."""
    if name == "logarithmic":
        return 1 / average(lambda x: 1 / x, u, v)
    if name == "identric":
        return math.exp(average(np.log, u, v))
    if name.startswith("stolarsky"):
        p = int(name.split()[1])
        return average(lambda x: x ** (p - 1), u, v) ** (1 / (p - 1))
    if name == "heronian":
        return (2 * (u + v) / 2 + math.sqrt(u * v)) / 3
    z = (u - v) / (u + v)  # arcsin z = z·(average of 1/√(1 − t²) over 0 … z), and the same for arcsinh with +
    sign = -1 if name == "seiffert" else 1
    return (u + v) / 2 / average(lambda t: 1 / np.sqrt(1 + sign * t * t), 0, z)


def mean_of(name: str, p: int | None):
    return gm.measure(lambda c: c.over_mean(1, c.tp, c.tn, name, p))


def value(measure, u: float, v: float) -> float:
    return 1 / measure([[v, 0], [0, u]])


@pytest.mark.parametrize(("name", "p"), MEANS)
def test_a_named_mean_is_a_symmetric_homogeneous_strictly_increasing_mean(name, p):
    measure = mean_of(name, p)
    grid = (1, 2, 3, 7, 8, 50)
    for u, v in itertools.product(grid, repeat=2):
        found = value(measure, u, v)
        assert found == pytest.approx(integrated(name if p is None else f"{name} {p}", u, v), rel=1e-10)
        assert found == pytest.approx(value(measure, v, u), rel=1e-14)
        assert value(measure, 5 * u, 5 * v) == pytest.approx(5 * found, rel=1e-13)
        assert (u == v == pytest.approx(found)) or min(u, v) < found < max(u, v)
        assert value(measure, u * (1 + 1e-6), v) > found < value(measure, u, v * (1 + 1e-6))


@pytest.mark.parametrize(("name", "p"), MEANS)
def test_a_named_mean_has_the_same_value_exactly_and_in_batches(name, p):
    measure = mean_of(name, p)
    matrices = np.array([[[2, 0], [0, 3]], [[5, 1], [0, 5]], [[1, 0], [4, 90]]])
    exact = [float(measure.exact(x)) for x in matrices.tolist()]
    assert [measure(x) for x in matrices.tolist()] == pytest.approx(exact, rel=1e-14)
    assert measure(matrices).tolist() == pytest.approx(exact, rel=1e-14)


@pytest.mark.parametrize("wrong", [("contraharmonic", None), ("stolarsky", None), ("stolarsky", 1), ("seiffert", 2)])
def test_a_mean_that_is_not_known_is_refused(wrong):
    with pytest.raises(ValueError, match="mean"):
        gm.measure(lambda c: c.over_mean(1, c.tp, c.tn, *wrong))([[1, 0], [0, 2]])


@pytest.mark.parametrize("name", ["logarithmic_mean", "identric_mean", "neuman_sandor_mean", "stolarsky_mean(p=4)"])
def test_agreement_over_a_named_mean_has_all_properties_but_distance(name):
    report = gm.check(name, properties=["Max", "Min", "CSym", "Sym", "Mon", "SMon", "CB", "ACB", "Scale"])
    assert {x.status for x in report.values()} == {"proved"}
    assert all(gm.verify(x) for x in report.values())


def test_a_mean_that_is_not_increasing_is_not_taken_for_one():
    """The contraharmonic mean is symmetric and homogeneous, but falls where the smaller number grows from 0."""
    report = gm.check("lehmer_mean(p=2)", properties=["SMon"])
    assert report["SMon"].status == "refuted"


@pytest.mark.parametrize("number", [3, 10])
def test_a_mean_of_a_count_and_a_number_has_a_gradient(number):
    """Where both are equal (n = 10), it is half that of the arithmetic mean."""
    found = gm.measure(lambda c: c.over_mean(c.tp, number, c.n, "logarithmic")).gradient([[3, 1], [2, 4]])
    slope = (10 * (math.log(10 / 3) / 7**2 - 1 / (7 * 10))) / -10 if number == 3 else -1 / 200
    value = math.log(10 / 3) / 7 if number == 3 else 1 / 10
    assert found == pytest.approx(np.array([[4 * slope, 4 * slope], [4 * slope, 4 * slope + value]]))
