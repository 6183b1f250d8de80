"""The gradient of a measure: exact, in floats for batches, equal to the papers' (corrected), and undefined at kinks."""

from __future__ import annotations

import math
import re

import numpy as np
import pytest

import goodmeasure as gm
from goodmeasure.catalogue import derivative
from goodmeasure.language.exact.reals import Exact
from goodmeasure.language.policy import RESOLVE
from tests.latex_values import value
from tests.strategies import MEASURES
from tests.test_every_measure import sizes_of

RNG = np.random.default_rng(5)
THREE = np.array([[5, 1, 2], [3, 4, 2], [1, 6, 3]])
CASES = [pytest.param(f, m, id=f"{f.name}-{m}") for f in MEASURES for m in (2, 3) if m in sizes_of(f)]


def floats(gradient):
    return np.array([[float(x) for x in row] for row in gradient])


@pytest.mark.parametrize(("measure", "m"), CASES)
def test_the_exact_gradient_is_the_recorded_one(measure, m):
    counts = np.array([[8, 2, 4], [5, 7, 1], [2, 6, 13]])[:m, :m]  # without ties, where a maximum would bend
    expected = derivative.on_batch(measure.recorded, counts[:, :, None].astype(float), RESOLVE, whole=True)[:, :, 0]
    np.testing.assert_allclose(floats(measure.gradient(counts, exact=True)), expected, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(measure.gradient(counts), expected, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize(("measure", "m"), CASES)
def test_where_there_is_a_derivative_small_steps_have_its_slope(measure, m):
    """Matrices with empty cells and classes: the value moves along each slope that is given; a cell can only grow."""
    for _ in range(3):
        counts = RNG.integers(0, 3, (m, m)) * RNG.integers(0, 2, (m, m))
        counts[0, 0] += 1
        start, slopes = float(measure.exact(counts)), measure.gradient(counts)
        for i, j in zip(*np.nonzero(~np.isnan(slopes)), strict=True):
            moved = counts.astype(float)
            moved[i, j] += 1e-7
            assert measure(moved) - start == pytest.approx(1e-7 * slopes[i, j], rel=2e-3, abs=3e-12), (counts, i, j)


def test_a_batch_of_any_shape_keeps_it():
    batch = RNG.integers(0, 4, (2, 5, 3, 3)) + np.eye(3, dtype=int)
    for f in (gm.mcc, gm.macro(gm.f1), gm.kappa):
        found = f.gradient(batch)
        assert found.shape == batch.shape
        for k in np.ndindex(2, 5):
            np.testing.assert_allclose(found[k], f.gradient(batch[k]), rtol=1e-9, atol=1e-12)
    assert gm.f1.gradient(RNG.integers(1, 4, (4, 2, 2)), exact=True).shape == (4, 2, 2)


def test_labels_weights_and_positive_class_are_read_as_in_a_call():
    true, predicted = ["b", "a", "a", "b", "b"], ["b", "a", "b", "a", "b"]
    found = gm.precision.gradient(true, predicted, sample_weight=[1, 1, 1, 1, 2], positive="a", exact=True)
    assert [[str(x) for x in row] for row in found] == [["0", "-1/4"], ["0", "1/4"]]
    with pytest.raises(ValueError, match="macro"):
        gm.f1.gradient(THREE)
    with pytest.raises(ValueError, match="no items"):
        gm.f1.gradient([[0, 0], [0, 0]])


def test_there_is_no_derivative_where_a_rule_begins_or_ends():
    always_negative = [[3, 0], [2, 0]]
    assert np.isnan(gm.mcc.gradient(always_negative)).tolist() == [[False, True], [False, True]]
    assert gm.mcc.gradient(always_negative)[:, 0].tolist() == [0, 0]  # the predictions stay constant
    with pytest.raises(gm.UndefinedMeasure, match="items of 0 predicted as 1: only class 0 is ever predicted"):
        gm.mcc.gradient(always_negative, undefined="raise")
    assert np.isnan(gm.recall.gradient([[5, 3], [0, 0]])).all()
    assert np.isnan(gm.macro(gm.recall).gradient([[5, 3], [0, 0]], undefined="nan")).all()


def test_a_minimum_bends_only_where_both_sides_are_equal():
    """Both sides are equal on a symmetric matrix, and stay so if an item is added to its diagonal."""
    least = gm.generalized_mean(r=-math.inf)
    found = least.gradient([[3, 1], [1, 4]], exact=True)
    assert np.isnan(floats(found)).tolist() == [[False, True], [True, False]]
    assert [str(x) for x in np.diag(found)] == ["1/16", "1/25"]
    assert not np.isnan(least.gradient([[3, 1], [2, 4]])).any()
    with pytest.raises(gm.UndefinedMeasure, match="bends"):
        least.gradient([[3, 1], [1, 4]], undefined="raise")


def test_a_tie_below_the_maximum_does_not_bend_it():
    most = gm.Measure(lambda c: c.ratio(c.greatest(lambda i: c.b[i]), c.n), "most")
    assert not np.isnan(most.gradient([[8, 2, 4], [5, 7, 1], [2, 6, 13]])).any()  # columns 15, 15, 18
    assert np.isnan(most.gradient([[8, 2, 4], [5, 7, 1], [2, 9, 13]])).tolist() == [[False, True, True]] * 3


def test_a_function_of_ones_own_has_a_gradient():
    assert gm.Measure(lambda c: c.ratio(c.tp, c.n), "hits").gradient([[1, 1], [1, 1]]).tolist() == [
        [-1 / 16, -1 / 16],
        [-1 / 16, 3 / 16],
    ]


# Sebastiani 2015 varies TP and TN while the true class sizes stay: an item moves from FN to TP, or from FP to TN.


def by_hits(measure, rows):
    (tn, fp), (fn, tp) = measure.gradient(rows, exact=True)
    return tp - fn, tn - fp


def test_sebastiani_equation_3_with_its_numerator_mended():
    rows = [[5, 2], [3, 4]]
    below = Exact.of(2 * 4 + 3 + 2) ** 2
    by_tp, by_tn = by_hits(gm.f1, rows)
    assert by_tp == 2 * (4 + 3 + 2) / below  # 2(AP + FP)/(2TP + FP + FN)²
    assert by_tn == 2 * 4 / below


def test_sebastiani_equation_4_mended():
    ap, pp, tp = Exact.of(7), Exact.of(6), Exact.of(4)
    by_tp, by_tn = by_hits(gm.average_set_precision, [[5, 2], [3, 4]])
    assert by_tp == tp * (2 * pp - tp) / (ap * pp**2)
    assert by_tn == tp**2 / (ap * pp**2)


def test_sebastiani_derivatives_of_k():
    by_tp, by_tn = by_hits(gm.k, [[5, 2], [3, 4]])
    assert by_tp == Exact.of(1) / 7
    assert by_tn == Exact.of(1) / 7


# Opitz 2024, appendices A to G, with the corrections; p, b: true and predicted class sizes, rows are true classes here.

S, N = Exact.of(int(THREE.sum())), 3
P, B, Z = ([Exact.of(int(x)) for x in sizes] for sizes in (THREE.sum(1), THREE.sum(0), np.diag(THREE)))
R = sum(Z)


def opitz_kappa(i, j):
    chance = sum(x * y for x, y in zip(P, B, strict=True))
    above, below = R * S - chance, S**2 - chance
    moved = P[j] + B[i]
    return ((R + (S if i == j else 0) - moved) * below - (2 * S - moved) * above) / below**2


def opitz_macro_f1(i, j):
    if i == j:
        return 2 / (N * (P[i] + B[i])) - 4 * Z[i] / (N * (P[i] + B[i]) ** 2)
    return -2 * Z[i] / (N * (P[i] + B[i]) ** 2) - 2 * Z[j] / (N * (P[j] + B[j]) ** 2)


def opitz_macro_recall(i, j):
    return ((P[i] if i == j else 0) - Z[i]) / (N * P[i] ** 2)


def opitz_macro_precision(i, j):
    return ((B[j] if i == j else 0) - Z[j]) / (N * B[j] ** 2)


def opitz_f1_of_means(i, j):
    r = sum(z / p for z, p in zip(Z, P, strict=True)) / N
    p = sum(z / b for z, b in zip(Z, B, strict=True)) / N
    return 2 * (p**2 * opitz_macro_recall(i, j) + r**2 * opitz_macro_precision(i, j)) / (r + p) ** 2


def opitz_weighted_f1(i, j):
    value = sum(2 * p * z / (p + b) for p, b, z in zip(P, B, Z, strict=True)) / S
    if i == j:
        whole = P[i] + B[i]
        return (2 * (Z[i] + P[i]) / whole - 4 * P[i] * Z[i] / whole**2 - value) / S
    return (2 * B[i] * Z[i] / (P[i] + B[i]) ** 2 - 2 * P[j] * Z[j] / (P[j] + B[j]) ** 2 - value) / S


def opitz_accuracy(i, j):
    return ((S if i == j else 0) - R) / S**2


def opitz_harmonic_recall(i, j):
    h = gm.measure("macro(recall, p=-1)").exact(THREE)
    recall, share = Z[i] / P[i], 1 / (N * P[i])
    return h**2 * share * (recall**-2 - recall**-1) if i == j else -(h**2) * share * recall**-1


@pytest.mark.parametrize(
    ("name", "printed"),
    [
        ("accuracy", opitz_accuracy),
        ("macro(recall)", opitz_macro_recall),
        ("macro(precision)", opitz_macro_precision),
        ("macro(f1)", opitz_macro_f1),
        ("macro_f1_of_means", opitz_f1_of_means),
        ("weighted(f1)", opitz_weighted_f1),
        ("kappa", opitz_kappa),
        ("macro(recall, p=-1)", opitz_harmonic_recall),
    ],
)
def test_opitz_gradients_are_exactly_ours_once_mended(name, printed):
    found = gm.measure(name).gradient(THREE, exact=True)
    for i in range(3):
        for j in range(3):
            assert found[i, j] == printed(i, j), (name, i, j)


def test_opitz_gradient_of_mcc_is_ours_once_mended():
    """It is [2D²(s·δ_ij + r − z_ij) − N((2s − 2p_i)(s² − bᵀb) + (2s − 2b_j)(s² − pᵀp))]/(2D³)."""
    p, b, s, r = THREE.sum(1), THREE.sum(0), THREE.sum(), np.trace(THREE)
    spread_p, spread_b, above = s**2 - p @ p, s**2 - b @ b, r * s - p @ b
    d2 = spread_p * spread_b
    found = gm.mcc.gradient(THREE)
    for i in range(3):
        for j in range(3):
            z = b[i] + p[j]
            change = 2 * d2 * ((s if i == j else 0) + r - z)
            change -= above * ((2 * s - 2 * p[i]) * spread_b + (2 * s - 2 * b[j]) * spread_p)
            assert found[i, j] == pytest.approx(change / (2 * d2**1.5), rel=1e-12)


def printed_or_none(measure):
    try:
        return measure.gradient_formula
    except gm.InputTypeError:
        return None


PRINTED = {x.name: text for x in MEASURES if (text := printed_or_none(x)) is not None and "w_{" not in text}


@pytest.mark.parametrize("name", PRINTED)
def test_the_printed_gradient_has_the_values_of_the_gradient(name):
    measure = gm.measure(name)
    m = 2 if measure.classes == 2 else 3
    counts = [[7, 2, 3], [1, 6, 4], [2, 5, 9]] if m == 3 else [[7, 2], [3, 6]]
    found = measure.gradient(counts)
    for row in PRINTED[name].split(r",\quad "):
        by, text = row.split(" = ", 1)
        if m == 2:
            cell = re.search(r"mathrm\{(\w+)\}", by)[1]
            i, j = {"TN": (0, 0), "FP": (0, 1), "FN": (1, 0), "TP": (1, 1)}[cell]
            assert value(text, counts) == pytest.approx(found[i, j], rel=1e-9, abs=1e-12)
        else:
            for k, l in np.ndindex(3, 3):  # noqa: E741
                assert value(text, counts, k=k, l=l) == pytest.approx(found[k, l], rel=1e-9, abs=1e-12)


def test_most_gradients_can_be_printed_and_the_others_say_why_not():
    assert len(PRINTED) > 0.7 * len(MEASURES)
    with pytest.raises(gm.InputTypeError, match="contains a greatest or least value"):
        _ = gm.generalized_mean(r=math.inf).gradient_formula


def test_a_printed_gradient_is_short_where_the_formula_is():
    assert PRINTED["f1"].startswith(
        r"\frac{\partial}{\partial \mathrm{TP}} = \frac{2 \left(\mathrm{FN} + \mathrm{FP}\right)}"
        r"{\left(2 \mathrm{TP} + \mathrm{FN} + \mathrm{FP}\right)^{2}}"
    )
    assert PRINTED["macro(recall, classes='all')"].endswith("}{m}")
