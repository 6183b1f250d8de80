"""False claims cannot be proved: the search forges certificates for them, and the kernel refuses what it is asked.

Most of these claims were forged by hand against the verifier that the kernel replaced, or were once accepted by it.
"""

from __future__ import annotations

import time

import pytest

import goodmeasure as gm
from goodmeasure.theory.kernel import Refused, check
from goodmeasure.theory.kernel.proof import claim_of, ways_of
from goodmeasure.theory.search.prove import _shown, claimed, prove
from goodmeasure.theory.search.prover import NoProof
from goodmeasure.theory.statements.lookup import statement
from tests.theory.kernel.forging import changed, proved, refused


def nothing(c):
    return c.ratio(0, 0 * c.n)


def nothing_for_every(c):
    return c.ratio(c.sum(lambda i: c[i, i]), 0 * c.n)


def one_true_class(c):
    return c.where(c.a[0] * c.a[1] > 0, 0, 1)


def squared_covariance(c):
    return c.ratio((c.tp * c.tn - c.fp * c.fn) ** 2, c.n**4)


def some_hit(c):
    return c.where(c.tp > 0, 1, 0)


def root_of_hits(c):
    return c.sqrt(c.ratio(c.tp, c.n))


def angle_of_hits(c):
    return c.arccos(c.ratio(c.tp, 2 * c.n))


def one_if_constant(c):
    return c.where(c.b[0] * c.b[1] > 0, 0, 1)


def jumps(c):
    """Accuracy, with a bonus where some cell is 0: the limit at the end of a move is another value."""
    return c.ratio(c.tp + c.tn, c.n) + c.where(c.tp * c.tn * c.fp * c.fn > 0, 0, 1)


def odds(c):
    return c.ratio(c.tn, c.fp, otherwise=c.n)


def falls_without_end(c):
    return c.log(c.ratio(c.b[0], c.n)) + c.log(c.ratio(c.b[1], c.n))


def bent_root(c):
    """It exceeds 0 where TN is much larger than TP: (f⁶)^(1/5) is |f|·|f|^(1/5), not f·f^(1/5)."""
    f = c.tn - c.tp
    return -(c.fp + c.fn) * (1_000_000 + c.tp * c.tn * c.fp * c.fn * f * c.power(f**6, 0.2))


def errors(c):
    return -(c.fp + c.fn) * 1_000_000


# Chords and angles of x = N/√(V·W), where V belongs to the true labels, and W to the predicted ones


def chord(c, x):
    return -c.sqrt(2 * (1 - x))


def weighted_cosine(c, wrong=0):
    weights = (c.a[0] + 2 * c.a[1] + wrong) * (c.b[0] + 2 * c.b[1] + wrong)
    return c.ratio(c[0, 0] + 2 * c[1, 1], c.sqrt(weights))


def chord_that_doubles(c):
    """At zero cells it is twice as long, so that its triangle inequality is false."""
    long = c.where(c[0, 0] * c[0, 1] * c[1, 0] * c[1, 1] > 0, 1, 2)
    return long * chord(c, weighted_cosine(c))


def chord_of_squares(c):
    def square(x, y):
        return x * x + x * y + 2 * y * y

    above = square(c[0, 0], c[1, 1]) - 3 * c[0, 1] * c[1, 0]
    return chord(c, c.ratio(above, c.sqrt(square(*c.a) * square(*c.b))))


def accuracy_that_falls(c):
    """Where an error is missing each error counts twice, so that the triangle inequality is false."""
    right = c.ratio(c[0, 0] + c[1, 1] + c[2, 2], c.n)
    return c.where(c[0, 1] * c[1, 0] > 0, right, 2 * right - 1)


# For every number of classes


def lifts(c):
    return c.sum(lambda i: c.ratio(c.n * c[i, i], c.a[i] * c.b[i]))


def misses(c):
    return c.mean(lambda i: c.ratio(c[i, i], c.a[i]))


def root_of_sum(c):
    """1 where labelings are independent, and less on average: E[√X] < √E[X]."""
    return c.sqrt(c.ratio(2 * c.n**2 + c.sum(lambda i: c.n * c[i, i] - c.a[i] * c.b[i]), 2 * c.n**2))


def below_the_line(c):
    return c.sum(lambda i: c.ratio(c.n * c[i, i] - c.a[i] * c.b[i], (c[i, i] + c.a[i]) * c.n))


def not_linear(c):
    return c.ratio(c.sum(lambda i: (c.n * c[i, i] - c.a[i] * c.b[i]) ** 2), c.n**4)


def not_affine(c):
    return c.ratio(c.sum(lambda i: c.n * c[i, i] - c.a[i] * c.b[i]) ** 2, c.n**4)


def some_errors_are_good(c):
    return c.ratio(c.sum(lambda i: (c.b[i] - c[i, i]) ** 2 - (c.a[i] - c[i, i]) ** 2), c.n**2)


def only_both_kinds_of_errors(c):
    return -c.ratio(c.sum(lambda i: (c.a[i] - c[i, i]) * (c.b[i] - c[i, i])), c.n**2)


def classes_of_one_size(c):
    """It is 0 if all classes have the same number of hits and there are no errors."""
    m = c.sum(lambda i: 1)
    return -c.sum(lambda i: (c.a[i] - c[i, i]) ** 3 + (c.n - m * c[i, i]) ** 2)


def hits_times_misses(c):
    return c.ratio(c.sum(lambda i: c[i, i] * (c.a[i] - c[i, i])), c.n**2)


def squared_misses(c):
    return -c.ratio(c.sum(lambda i: (c.a[i] - c[i, i]) ** 2), c.n**2)


def squared_errors(c):
    return 1 - c.ratio(c.n - c.sum(lambda i: c[i, i]), c.n) ** 2


def errors_are_good(c):
    return 1 + c.ratio(c.n - c.sum(lambda i: c[i, i]), c.n)


def items_are_errors(c):
    return 1 - c.ratio(2 * c.n - c.m - c.sum(lambda i: c[i, i]), c.n)


def sum_below(c):
    return c.ratio(1, 1 + c.sum(lambda i: c[i, i]))


def supposed(c):
    """It has no value where some class has many hits."""
    return c.ratio(c.sum(lambda i: c[i, i]), c.n) + 0 * c.sum(lambda i: c.sqrt(c.n - 3 * c[i, i]))


CHA, CB, ACB, PV = "sebastiani_cha", "constant_baseline", "approximate_constant_baseline", "opitz_chance_corrected"
MAX, MIN, MON, DIST = "maximal_agreement", "minimal_agreement", "monotone", "distance"
CLAIMS = [
    # what has no value, or none in some cases
    (nothing, ACB, {"c_base": "0"}, {"domain": "regular"}),
    (nothing, ACB + "(order=1)", {"c_base": "0"}, {}),
    (nothing, MAX, {"c_max": "0"}, {}),
    (nothing, "sebastiani_fix", {"alpha": "0", "beta": "0"}, {}),
    (nothing, CHA, {"gamma": "1/2"}, {}),
    (nothing, PV, {"omega": "0"}, {"domain": "regular"}),
    (nothing_for_every, ACB, {"c_base": "0"}, {"domain": "regular", "classes": "every"}),
    ("recall", "sebastiani_sde", {}, {"undefined": "nan"}),
    # averages and guesses
    (one_true_class, CB, {"c_base": "0"}, {}),
    (squared_covariance, CB, {"c_base": "0"}, {"domain": "regular"}),
    (squared_covariance, ACB + "(order=inf)", {"c_base": "0"}, {}),
    (one_if_constant, CHA, {"gamma": "0"}, {}),
    ("kappa", CHA, {"gamma": "1"}, {"domain": "regular"}),
    ("macro(f1)", PV, {"omega": "3/5"}, {"domain": "regular"}),
    ("accuracy", PV, {"omega": "5/9"}, {"domain": "regular"}),
    # ranges and smoothness
    (one_true_class, "sebastiani_fix", {"alpha": "0", "beta": "1"}, {}),
    ("precision", "sebastiani_con", {}, {}),
    (some_hit, "sebastiani_con", {}, {}),
    (root_of_hits, "sebastiani_con", {}, {}),
    (angle_of_hits, "sebastiani_con", {}, {"domain": "regular"}),
    # moves
    (jumps, "sebastiani_mon", {}, {"domain": "regular"}),
    (odds, "sebastiani_mon", {}, {"domain": "regular"}),
    # distances
    ("accuracy", DIST, {"c_max": "2"}, {}),
    pytest.param(chord_that_doubles, DIST, {"c_max": "0"}, {"domain": "regular"}, marks=pytest.mark.deep),
    pytest.param(chord_of_squares, DIST, {"c_max": "0"}, {"domain": "regular"}, marks=pytest.mark.deep),
    (accuracy_that_falls, DIST, {"c_max": "1"}, {"domain": "regular", "classes": 3}),
    # signs
    (bent_root, MAX, {"c_max": "0"}, {}),
    # for every number of classes
    (supposed, MON, {}, {"classes": "every"}),
    ("balanced_accuracy", MON, {}, {"domain": "regular", "classes": "every"}),
    (misses, "symmetry", {}, {"domain": "regular", "classes": "every"}),
    (misses, ACB, {"c_base": "1/2"}, {"domain": "regular", "classes": "every"}),
    (lifts, "opitz_chance_corrected_completely", {"Omega": "m"}, {"domain": "regular", "classes": "every"}),
    (root_of_sum, CB, {"c_base": "1"}, {"domain": "regular", "classes": "every"}),
    (below_the_line, CB, {"c_base": "0"}, {"domain": "regular", "classes": "every"}),
    (not_linear, CB, {"c_base": "0"}, {"domain": "regular", "classes": "every"}),
    (not_affine, CB, {"c_base": "0"}, {"domain": "regular", "classes": "every"}),
    (some_errors_are_good, MAX, {"c_max": "0"}, {"domain": "regular", "classes": "every"}),
    (only_both_kinds_of_errors, MAX, {"c_max": "0"}, {"domain": "regular", "classes": "every"}),
    (classes_of_one_size, MAX, {"c_max": "0"}, {"domain": "regular", "classes": "every"}),
    (hits_times_misses, MIN, {"c_min": "0"}, {"domain": "regular", "classes": "every"}),
    ("accuracy", DIST, {"c_max": "2"}, {"domain": "regular", "classes": "every"}),
    (squared_misses, DIST, {"c_max": "0"}, {"domain": "regular", "classes": "every"}),
    (squared_errors, DIST, {"c_max": "1"}, {"domain": "regular", "classes": "every"}),
    (errors_are_good, DIST, {"c_max": "1"}, {"domain": "regular", "classes": "every"}),
    (items_are_errors, DIST, {"c_max": "1"}, {"domain": "regular", "classes": "every"}),
    (sum_below, "opitz_class_decomposable", {"p": "1"}, {"domain": "regular", "classes": "every"}),
    ("macro(recall)", "opitz_class_decomposable", {"p": "-1"}, {"domain": "regular", "classes": "every"}),
    ("mutual_information", "opitz_chance_corrected_completely", {"Omega": "1"},
     {"domain": "regular", "classes": "every"}),
]  # fmt: skip


def named(x):
    return getattr(x, "__name__", x) if not isinstance(x, dict) else "-".join(map(str, x.values())) or "-"


def claim(of, name, classes=2, domain="all", undefined="resolve"):
    return claimed(gm.measure(of), statement(name), classes, domain, undefined)


@pytest.mark.parametrize(("of", "name", "constants", "options"), CLAIMS, ids=named)
def test_a_false_claim_is_not_proved(of, name, constants, options):
    found = prove(gm.measure(of), statement(name), **{"classes": 2, "domain": "all", "seconds": 5, **options})
    assert found is None or found["constants"] != constants
    about = {**claim(of, name, **options), "symmetric": False, "constants": constants}
    for by in ways_of(claim_of(about)):
        with pytest.raises((NoProof, Refused)):
            check({**about, "by": by, **_shown({**about, "by": by}, time.process_time() + 5), "constants": constants})


# What is said of guesses that refute chance correction


EVEN, NEARLY = {"true": [1, 1], "shares": ["1", "1"]}, {"true": [1, 1], "shares": ["s", "1"]}
UNCORRECTED = [
    (nothing, "unbounded", {**NEARLY, "rate": "1"}),
    (falls_without_end, "unbounded", {**NEARLY, "rate": "1"}),
    (falls_without_end, "unbounded", {**NEARLY, "rate": "-1"}),
    ("entropy_joint", "unbounded", {**NEARLY, "rate": "1/6"}),
    (nothing, "perfect", {**EVEN, "bound": "0", "most": "0", "within": "0"}),
    ("accuracy", "perfect", {**EVEN, "bound": "1/2", "most": "0", "within": "0"}),  # some matrices score more
    ("accuracy", "perfect", {**EVEN, "bound": "1", "most": "0", "within": "0"}),  # the guess scores less
    ("accuracy", "perfect", {**NEARLY, "bound": "1", "most": "0", "within": "4"}),
    ("accuracy", "apart", {**EVEN, "other": [1, 2], "bound": "1/2", "most": "1/3", "within": "0"}),
    ("accuracy", "apart", {"true": [1, 2], "shares": ["1", "2"], "other": [1, 1], "bound": "5/9", "most": "1/3",
                           "within": "0"}),
    ("recall", "apart", {**EVEN, "other": [1, 0], "bound": "1/2", "most": "0", "within": "0"}),  # others have no value
    ("recall", "apart", {"true": [1, 1], "shares": ["0", "1"], "other": [1, 1], "bound": "1", "most": "1/2",
                         "within": "0"}),  # the guess is outside the domain
]  # fmt: skip


@pytest.mark.parametrize(("of", "by", "about"), UNCORRECTED)
def test_guesses_that_show_nothing_are_refused(of, by, about):
    data = {**claim(of, "opitz_chance_uncorrected", domain="regular"), "by": by, "about": about}
    with pytest.raises((NoProof, Refused)):
        _shown(data, time.process_time() + 5)


# Certificates of other measures


@pytest.mark.parametrize("domain", ["all", "regular"])
def test_a_root_of_a_power_keeps_the_sign_of_what_is_under_it(domain):
    """The certificate of a measure that −10⁶ errors bound, under the formula of one that exceeds it."""
    honest = proved(errors, MAX, domain=domain)
    forged = claim(bent_root, MAX, domain=domain)["measure"]
    assert gm.measure(bent_root).exact([[1, 3], [3, 200]]) > gm.measure(bent_root).exact([[1, 0], [0, 1]])
    refused(changed(honest, "measure", to=forged), "sign|0")
    for case in honest["cases"]:
        for by in ("difference", "equal", "undefined"):
            cases = [{**case, "proof": {"by": by}}, *(x for x in honest["cases"] if x is not case)]
            refused({**honest, "measure": forged, "cases": cases}, "sign|0|defined")


def test_a_small_certificate_takes_no_long_time():
    """The limits on numbers come before arithmetic: 480 bytes once took more than a minute."""
    honest = proved("kappa", ACB, m="every")
    for text in ("(" * 7 + "2" + "**24)" * 7, "(" * 7 + "2" + "^24)" * 7, "2^(2^(2^(2^(2^2))))", "m^999999999",
                 "(m + 1)^100000", "9" * 5001, "root(2, 999999999)", "exp(" * 40 + "9" + ")" * 40):  # fmt: skip
        start = time.process_time()
        with pytest.raises(gm.CertificateError):
            gm.verify({**honest, "constants": {"c_base": text}}, seconds=5)
        assert time.process_time() - start < 1
