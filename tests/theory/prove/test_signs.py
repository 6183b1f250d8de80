"""The rules by which the prover shows signs: each holds at random points, and refuses what is not so."""

from __future__ import annotations

import math
import random
from fractions import Fraction

import pytest

from goodmeasure.theory.algebra import orthant
from goodmeasure.theory.algebra.orthant import Orthant
from goodmeasure.theory.algebra.quantities import constant, log, of_polynomial, power
from goodmeasure.theory.prove.signs import NoProof, positive, zero
from goodmeasure.theory.verify import arithmetic


@pytest.fixture
def ring():
    return Orthant(("x", "y", "z"))


def test_a_quadratic_is_shown_by_its_discriminant(ring):
    x, y, z = ring.context.gens()
    spread = x**2 + y**2 + z**2 - x * y - y * z - x * z  # half the sum of the squared differences
    assert positive(of_polynomial(ring, spread), strict=False)["by"] == "quadratic"
    with pytest.raises(NoProof):
        positive(of_polynomial(ring, spread), strict=True)  # it is 0 for x = y = z
    rng = random.Random(3)
    for _ in range(200):
        a, b = rng.randint(-9, 9), rng.randint(-9, 9)
        p = x**2 + a * x * y + b * y**2
        try:
            positive(of_polynomial(ring, p), strict=True, whole=False)
        except NoProof:
            continue
        points = [(rng.randint(1, 99), rng.randint(1, 99)) for _ in range(50)]
        assert all(u * u + a * u * v + b * v * v > 0 for u, v in points)


def test_the_root_of_a_number_is_rational_where_it_can_be(ring):
    assert power(constant(ring, Fraction(8, 27)), Fraction(1, 3)).as_fraction() == Fraction(2, 3)
    assert power(constant(ring, Fraction(8, 27)), Fraction(2, 3)).as_fraction() == Fraction(4, 9)
    assert power(constant(ring, 9), Fraction(1, 3)).as_fraction() is None


def test_logarithms_are_bounded_by_rational_numbers(ring):
    x, y, _ = (of_polynomial(ring, g) for g in ring.context.gens())
    two, more = log(constant(ring, 2)), log((3 * x + y) / x)
    shown = positive(more * x + two * y - x - Fraction(6, 10) * y, whole=False)
    assert shown["by"] == "bounds of logarithms"
    assert positive(Fraction(694, 1000) - two)["by"] == "bounds of logarithms"
    for wrong in (two - Fraction(694, 1000), more - Fraction(11, 10), Fraction(12, 10) - more):
        with pytest.raises(NoProof):
            positive(wrong, whole=False)


def test_sums_of_logarithms_are_shown_by_tangents(ring):
    x, y, z = (of_polynomial(ring, g) for g in ring.context.gens())
    n = x + y + z
    divergence = x * log(3 * x / n) + y * log(3 * y / n) + z * log(3 * z / n)
    assert positive(divergence, strict=False)["by"] == "tangents of logarithms"
    with pytest.raises(NoProof):
        positive(divergence, strict=True)  # it is 0 for x = y = z
    with pytest.raises(NoProof):
        positive(-divergence, strict=False)
    with pytest.raises(NoProof):
        positive(x * log(2 * x / n) + y * log(2 * y / n) + z * log(2 * z / n), strict=False)


@pytest.mark.parametrize("seed", range(3))
def test_what_tangents_show_holds_at_random_points(ring, seed):
    rng = random.Random(seed)
    gens = [of_polynomial(ring, g) for g in ring.context.gens()]
    shown = 0
    for _ in range(80):
        terms = [(rng.choice((-1, 1, 1, 2)), *rng.sample(range(3), 2)) for _ in range(2)]
        plain = [rng.randint(-1, 2) for _ in range(3)]
        value = sum((k * gens[i] * log(gens[i] / gens[j]) for k, i, j in terms), constant(ring, 0))
        try:
            positive(value + sum(a * g for a, g in zip(plain, gens, strict=True)), strict=False, whole=False)
        except NoProof:
            continue
        shown += 1
        for _ in range(40):
            at = [math.exp(rng.uniform(-4, 4)) for _ in range(3)]
            total = sum(k * at[i] * math.log(at[i] / at[j]) for k, i, j in terms)
            assert total + sum(a * x for a, x in zip(plain, at, strict=True)) > -1e-9
    assert shown


def test_equal_sums_of_logarithms_are_seen_to_be_equal(ring):
    x, y, z = (of_polynomial(ring, g) for g in ring.context.gens())
    assert zero(log(x * y / z) + log(z / y) - log(x))["by"] == "zero"
    assert zero(log(8 * x / (x + y)) - 3 * log(constant(ring, 2)) + log((x + y) / x))["by"] == "zero"
    with pytest.raises(NoProof):
        zero(log(x * y / z) + log(z / y) - log(y))


def test_what_a_ring_remembers_is_bounded(ring, monkeypatch):
    monkeypatch.setattr(orthant, "MOST_REMEMBERED", 40)
    x, y, z = ring.context.gens()
    for k in range(1, 60):
        p = (x - k * y) * (z - y)
        assert len(ring.factors(p)[1]) == 2
        with pytest.raises(NoProof):
            positive(of_polynomial(ring, p))
        assert len(ring._factors) + len(ring._shown) <= 20


def test_what_the_verifier_remembers_is_bounded(monkeypatch):
    monkeypatch.setattr(arithmetic, "MOST_REMEMBERED", 40)
    ground = arithmetic.Ground(("x", "y"))
    x, y = ground.gens
    for k in range(1, 60):
        assert len(ground.factors((x - k * y) * (x + 1))[1]) == 2
        ground.signs((x - k * y) * (x + 1), ())
        assert len(ground._factors) + len(ground._signs) <= 20


def test_polynomials_are_told_apart_although_they_meet_at_a_point():
    for ring in (Orthant(("x", "y")), arithmetic.Ground(("x", "y"))):
        ring._point = [1, 1]
        x, y = ring.context.gens()
        assert ring.number((x + y) ** 2) == ring.number(x**2 + 2 * x * y + y**2)
        assert len({ring.number(p) for p in (x, y, x**2, x * y, x + y, 2 * y, x + 1, 0 * x)}) == 8
        assert ring.text(x * y + 1) == str(x * y + 1)
