"""Values that compiled source computes for one matrix, against exact values, over the whole catalogue."""

from __future__ import annotations

import math
import random
import traceback

import pytest

import goodmeasure as gm
from goodmeasure.language.policy import RESOLVE, UndefinedMeasure

PRECISION = 1e-12
# Where the formula itself takes a small number from large ones
LOSES_DIGITS = {
    "gwet_ac1": 1e-9,
    "weighted_kappa(weights='linear')": 1e-5,
    "weighted_kappa(weights='quadratic')": 1e-5,
}


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


def measures(m: int):
    return [x for x in gm.measures() if (x.classes != 2 or m <= 2) and ("costs" not in x.parameters or m == 3)]


def value(f, rows, undefined, *, exact=False):
    try:
        found = (f.exact if exact else f)(rows, undefined=undefined)
    except UndefinedMeasure:
        return "undefined"
    return float(found)


@pytest.mark.parametrize("m", [1, 2, 3, 5])
def test_every_measure_has_its_exact_value_in_floats(m):
    rng, wrong = random.Random(m), []
    for rows in matrices(m, rng):
        for f in measures(m):
            for undefined in ("resolve", "nan", 0.25, "raise"):
                found, known = value(f, rows, undefined), value(f, rows, undefined, exact=True)
                bound = LOSES_DIGITS.get(f.name, PRECISION)
                if found == known or (found != found and known != known):
                    continue
                if isinstance(found, str) or isinstance(known, str) or not abs(found - known) <= bound * abs(known):
                    wrong.append((f.name, rows, undefined, found, known))
    assert wrong == []


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
