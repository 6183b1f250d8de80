"""Values that compiled source computes for one matrix, against exact values, over the whole catalogue."""

from __future__ import annotations

import math
import random
import traceback

import pytest

import goodmeasure as gm
from goodmeasure.language.policy import RESOLVE, UndefinedMeasure

PRECISION = 1e-12  # relative to the exact value
# Sums of products of both signs whose exact value can be 0: what is left of rounding then, beside values of order 1
NEAR_ZERO = {"weighted_kappa(weights='linear')": 1e-16, "weighted_kappa(weights='quadratic')": 1e-16}
# With counts over many orders of magnitude, what may be wrong beside the relative error, in units of the largest value
HARD = {
    **NEAR_ZERO,
    # Differences of terms of order 1, or sums of terms of both signs, that come near 0
    **dict.fromkeys(
        (
            *("k", "k_ordinal(error='absolute')", "k_ordinal(error='squared')", "bookmaker_win", "markedness"),
            *("k_cost(costs=[[0, 1, 4], [2, 0, 1], [5, 1, 0]])", "optimized_precision", "similarity_index"),
            *("e_measure(alpha=0.5)", "information_score", "mutability", "rh", "lambda_true", "lambda_predicted"),
            *("class_size_divergence", "index_of_balanced_accuracy()", "macro(mcc)", "macro(mcc, classes='all')"),
            *("calibrated(mcc)", "calibrated(kappa)"),
        ),
        1e-15,
    ),
    # The arc cosine, or the root, of what is left of 1: half of the digits
    "correlation_distance": 1e-11,
    "correlation_chord": 1e-11,
}
SLOW = {"normalized_mutual_information(average='geometric')"}  # its exact value multiplies out two sums of logarithms


def matrices(m: int, rng: random.Random):
    """Yield whole, huge, fractional and skewed counts, with empty rows and columns."""
    cells = range(m)
    yield [[rng.randint(1, 30) for _ in cells] for _ in cells]
    empty = [[rng.randint(0, 30) for _ in cells] for _ in cells]
    empty[rng.randrange(m)] = [0] * m
    yield empty if any(map(any, empty)) else [[1] * m] * m
    yield [[rng.randint(0, 30) * (j > 0 or m == 1) for j in cells] for _ in cells]
    yield [[rng.randint(0, 10**12) for _ in cells] for _ in cells]
    yield [[round(rng.random() * 20, 3) + 0.001 for _ in cells] for _ in cells]
    skewed = [[0.0] * m for _ in cells]
    for value in (0.7, 1e9, 0.1):
        skewed[rng.randrange(m)][rng.randrange(m)] = value
    yield skewed


def hard_matrices(m: int, rng: random.Random):
    """Yield real counts over many orders of magnitude: few cells, one large one, all kinds, and almost no errors."""
    cells = range(m)
    for values in ((0.7, 1e9, 0.1), (0.7, 1e9, 0.1, 1e6, 3.3)):
        few = [[0.0] * m for _ in cells]
        for x in values:
            few[rng.randrange(m)][rng.randrange(m)] = x
        yield few
    one = [[rng.random() for _ in cells] for _ in cells]
    one[rng.randrange(m)][rng.randrange(m)] = 1e9
    yield one
    yield [[round(10 ** rng.uniform(-6, 9), 6) for _ in cells] for _ in cells]
    yield [[0.001 if i != j else round(rng.random() * 1e6, 2) for j in cells] for i in cells]


def measures(m: int):
    found = [x for x in gm.measures() if (x.classes != 2 or m <= 2) and ("costs" not in x.parameters or m == 3)]
    return [x for x in found if m < 6 or x.name not in SLOW]


def value(f, rows, undefined, *, exact=False):
    try:
        found = (f.exact if exact else f)(rows, undefined=undefined)
    except UndefinedMeasure:
        return "undefined"
    return float(found)


@pytest.mark.parametrize("m", [1, 2, 3, *(pytest.param(m, marks=pytest.mark.deep) for m in range(4, 13))])
def test_every_measure_has_its_exact_value_in_floats(m):
    rng, wrong = random.Random(m), []
    for rows in matrices(m, rng):
        for f in measures(m):
            first = value(f, rows, "resolve")
            for undefined in ("resolve", "nan", 0.25, "raise"):
                found = value(f, rows, undefined)
                if m > 5 and undefined != "resolve" and found == first:
                    continue  # no rule acted
                known = value(f, rows, undefined, exact=True)
                if found == known or (found != found and known != known):
                    continue
                if not is_near(found, known, NEAR_ZERO.get(f.name, 0)):
                    wrong.append((f.name, rows, undefined, found, known))
    assert wrong == []


def is_near(found, known, beside):
    return (
        not isinstance(found, str)
        and not isinstance(known, str)
        and (abs(found - known) <= PRECISION * abs(known) + beside)
    )


@pytest.mark.parametrize("m", [2, 3, pytest.param(5, marks=pytest.mark.deep)])
def test_counts_of_many_orders_of_magnitude_keep_their_digits(m):
    """Each measure that may lose some is named, with how many."""
    rng, wrong = random.Random(m), []
    for rows in (rows for _ in range(8 - m) for rows in hard_matrices(m, rng)):
        for f in measures(m):
            found, known = value(f, rows, "resolve"), value(f, rows, "resolve", exact=True)
            unit = sum(map(sum, rows)) if f.name == "bookmaker_win" else 1
            if not (found != found and known != known) and not is_near(found, known, HARD.get(f.name, 0) * unit):
                wrong.append((f.name, rows, found, known))
    assert wrong == []


def test_weighted_kappa_keeps_its_digits_beside_a_large_cell():
    """n·c − a·b is computed from the cells outside of row and column, so that the large cell does not cancel."""
    rows = [[0, 0, 0], [1e9, 0, 0.1], [0.7, 0, 0]]
    for weights in ("linear", "quadratic"):
        f = gm.weighted_kappa(weights)
        assert f(rows) == pytest.approx(float(f.exact(rows)), rel=1e-14)
        assert f([rows, rows])[1] == pytest.approx(float(f.exact(rows)), rel=1e-14)


@pytest.mark.parametrize("scale", [1e-200, 1e80, 10**200])
def test_counts_beyond_the_range_of_products_are_computed_exactly(scale):
    rows = [[50 * scale, 3 * scale], [4 * scale, 20 * scale]]
    assert gm.mcc(rows) == pytest.approx(gm.mcc([[50, 3], [4, 20]]), rel=1e-14)


def test_a_sum_over_the_rest_is_zero_exactly_if_its_cells_are():
    """1.1 · 3 − (1.1 + 1.1 + 1.1) is not 0 in floating point, so a subtraction would miss the rule."""
    assert gm.mcc([[0.1, 0.2], [0, 0]]) == 0
    assert gm.mcc([[1e9, 1], [0, 1]]) == pytest.approx(float(gm.mcc.exact([[10**9, 1], [0, 1]])), rel=1e-15)


def test_tracebacks_show_the_line_of_the_source():
    f = gm.measure(lambda c: c.ratio(c.tp, c.n))
    compiled = f.recorded
    with pytest.raises(TypeError) as error:
        compiled.value([["a", "b"], ["c", "d"]], RESOLVE, whole=True)
    assert "c1_1" in "".join(traceback.format_exception(error.value))


def test_the_source_that_is_shown_is_what_computes():
    space: dict[str, object] = {"sqrt": lambda x, u: math.sqrt(x)}
    exec(gm.mcc.source(2), space)
    assert space["f"]([[50, 3], [4, 20]], math.nan) == gm.mcc([[50, 3], [4, 20]])
