"""Class decomposability (opitz2024, Property III): proofs against mixed differences, and tampered certificates.

If a power of the measure is a sum of functions of one row and column each, every mixed difference over cells that no
class has in common is 0. The differences are formed here from the exact values of the measure alone.
"""

import copy
import random
from itertools import product

import pytest

import goodmeasure as gm
from tests.replay import replayed

PIII = "opitz_class_decomposable"
PROVED = [
    *(("balanced_accuracy", 2, "1"), ("scott_pi", 2, "1"), ("f1", 2, "1"), ("markedness", 2, "1"), ("dif2", 2, "1")),
    *(("zero_one_loss", 2, "-1"), ("p4", 2, "-1"), ("macro(recall, p=-1)", 2, "-1")),
    *(("diagnostic_odds_ratio", 2, "0"), ("sokal_sneath_5", 2, "0"), ("g_mean", 2, "0")),
    *(("macro(recall)", 3, "1"), ("macro(jaccard)", 3, "1"), ("macro(recall, p=-1)", 3, "-1")),
    *(("g_mean", 3, "0"), ("discriminant_power", 2, "1"), ("distance_index", 2, "2")),
]
# cells that no single row and column hold together
APART = {2: [((0, 0), (1, 1))], 3: [((0, 0), (1, 1)), ((0, 0), (1, 2)), ((0, 1), (2, 2)), ((0, 1), (1, 2), (2, 0))]}


def _mixed_difference(value, rows, cells, steps):
    """Return Σ ± value over all ways to raise some of the cells, for p = 0 as two products."""
    even, odd = [], []
    for chosen in product((0, 1), repeat=len(cells)):
        raised = [list(row) for row in rows]
        for (i, j), step, there in zip(cells, steps, chosen, strict=True):
            raised[i][j] += step * there
        (odd if sum(chosen) % 2 else even).append(value(raised))
    return even, odd


@pytest.mark.parametrize(("name", "m", "p"), PROVED)
def test_mixed_differences_of_a_decomposable_measure_vanish(name, m, p):
    verdict = gm.check(name, classes=m, domain="regular", properties=[PIII])[PIII]
    assert (verdict.status, verdict.constants) == ("proved", {"p": p})
    assert gm.verify(verdict)
    rng, measure = random.Random(5), gm.measure(name)
    for _ in range(60):
        rows = [[rng.randint(1, 9) for _ in range(m)] for _ in range(m)]
        for cells in APART[m]:
            even, odd = _mixed_difference(measure.exact, rows, cells, [rng.randint(1, 9) for _ in cells])
            if p == "0":
                left, right = 1, 1
                for x, y in zip(even, odd, strict=True):
                    left, right = left * x**m, right * y**m  # without m-th roots
            else:
                left, right = (sum(x ** int(p) for x in side) for side in (even, odd))
            assert left == right


@pytest.mark.parametrize(("name", "m"), [("accuracy", 2), ("kappa", 2), ("mcc", 2), ("accuracy", 3)])
def test_what_is_no_mean_over_classes_is_not_proved(name, m):
    assert gm.check(name, classes=m, domain="regular", properties=[PIII])[PIII].status == "refuted"


NEAR_EXPONENTS = {  # measures of which every square of matrices leaves one exponent, but not the same one
    "normalized_mutual_information(average='geometric')": 3,
    "calibrated(mcc)": 6,
    "calibrated(macro(f1))": 4,
    "calibrated(weighted(f1))": 4,
}


@pytest.mark.parametrize(("name", "n"), NEAR_EXPONENTS.items())
def test_exponents_that_are_not_whole_are_told_apart(name, n):
    verdict = gm.check(name, domain="regular", properties=[PIII])[PIII]
    assert (verdict.status, verdict.n) == ("refuted", n)
    assert replayed(verdict.witness.replay) is False
    for start in (verdict.witness.matrices[0], verdict.witness.matrices[4]):  # each square alone leaves an exponent
        values = [float(gm.measure(name).exact(x)) for x in _square(start)]
        assert _changes_sign(values)


def _square(rows):
    (a, b), (c, d) = ([int(x) for x in row] for row in rows)
    return [[[a + i, b], [c, d + j]] for i, j in ((0, 0), (1, 0), (0, 1), (1, 1))]


def _changes_sign(values):
    x, y, z, w = values
    signs = {(w**p - y**p - z**p + x**p) > 0 for p in (0.01 * k for k in range(1, 500))}
    return signs == {True, False}


def test_values_that_are_not_positive_exclude_the_sum_itself():
    verdict = gm.check("generalized_mean(r=-1)", domain="all", properties=[PIII])[PIII]
    assert (verdict.status, verdict.n) == ("refuted", 3)
    assert replayed(verdict.witness.replay) is False
    x, y, z, w = (gm.measure("generalized_mean(r=-1)").exact(r) for r in verdict.witness.matrices[4:])
    assert x + w != y + z


def test_the_empty_class_is_not_forgotten():
    """Recall over the classes that occur is no mean over all classes: how many occur is no matter of one class."""
    verdict = gm.check("macro(recall)", domain="all", properties=[PIII])[PIII]
    assert verdict.status != "proved"


def _support(data, support):
    return next(x for x in data["cases"] if x["support"] == support)["proof"]


TAMPERED = {
    "another exponent": lambda d: d["constants"].update(p="1"),
    "an unknown exponent": lambda d: d["constants"].update(p="2"),
    "a support is missing": lambda d: d["cases"].pop(),
    "the wrong class makes the value 0": lambda d: _support(d, "1110").update({"class": 0}),
    "a class that does not exist": lambda d: _support(d, "1110").update({"class": 5}),
    "a positive value is said to be 0": lambda d: _support(d, "1111").update({"by": "zero score", "class": 0}),
    "a value is said to be missing": lambda d: _support(d, "1111").update(by="undefined"),
}


@pytest.mark.parametrize("what", TAMPERED)
def test_a_tampered_decomposition_is_refused(what):
    certificate = gm.check("g_mean", domain="regular", properties=[PIII])[PIII].certificate
    assert gm.verify(certificate)
    data = copy.deepcopy(certificate.to_dict())
    TAMPERED[what](data)
    with pytest.raises(gm.CertificateError):
        gm.verify(data)


def test_errors_of_other_classes_are_looked_at_too():
    """Zero-one loss is a harmonic mean over two classes; with three, an error of two classes changes the third."""
    two = gm.check("zero_one_loss", domain="regular", properties=[PIII])[PIII]
    three = gm.check("zero_one_loss", classes=3, domain="regular", properties=[PIII])[PIII]
    assert (two.status, three.status) == ("proved", "refuted")
    start, one, other, both = three.witness.matrices[:4]
    raised = [{(i, j) for i in range(3) for j in range(3) if x[i][j] != start[i][j]} for x in (one, other, both)]
    ((first,), (second,)) = raised[:2]
    assert not set(first) & set(second)
    assert raised[2] == {first, second}
