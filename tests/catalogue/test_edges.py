"""Values and messages at the edges: counts far from 1, mapped matrices, users' own definitions, odd names."""

from __future__ import annotations

import math
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import goodmeasure as gm
from goodmeasure.catalogue.chance import chance_level
from goodmeasure.language.policy import RESOLVE

SPAM = [[50, 3], [4, 20]]
EMPTY = [[5, 1, 0], [0, 4, 0], [0, 0, 0]]


@pytest.mark.parametrize("scale", [1e80, 1e200, 1e300, 10**87, 1e-120])
@pytest.mark.parametrize(
    "name", ["calibrated(mcc)", "calibrated(kappa)", "calibrated(ochiai)", "macro(calibrated(mcc))"]
)
def test_measures_of_calibrated_matrices_do_not_depend_on_the_scale(name, scale):
    measure = gm.measure(name)
    rows = [[2 * scale, scale], [scale, 3 * scale]]
    expected = measure([[2, 1], [1, 3]])
    assert measure(rows) == pytest.approx(expected, rel=1e-12)
    assert measure(np.array([rows], dtype=float))[0] == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("name", ["confusion_entropy", "mutual_information", "mcc", "macro(f1)"])
def test_one_tiny_weight_does_not_make_a_call_slow_or_wrong(name):
    rows = [[1, 1.2345678901234567e-71], [3.141592653589793, 2.718281828459045]]
    without = [[1, 0], rows[1]]
    assert gm.measure(name)(rows) == pytest.approx(gm.measure(name)(without), rel=1e-9)


def test_logarithms_of_huge_counts_are_exact_without_factoring_them():
    value = gm.mutual_information.exact([[3 * 10**40 + 7, 11], [13, 10**40 + 1]])
    assert float(value) == pytest.approx(gm.mutual_information([[3, 0], [0, 1]]), rel=1e-9)


def test_a_definition_that_reads_a_broken_map_gets_the_number_of_the_policy():
    total = gm.measure(lambda c: c.map(lambda i, j: c.ratio(c[i, j], c.a[i])).n)
    assert total(EMPTY, undefined=0.25) == 0.25
    assert total.exact(EMPTY, undefined=0.25) == 0.25
    assert total(np.array([EMPTY, [[1, 2, 3], [4, 5, 6], [7, 8, 9]]]), undefined=0.25).tolist() == [0.25, 3]
    assert math.isnan(total(EMPTY))


def test_fbeta_of_zero_is_precision_and_undefined_where_that_is():
    assert gm.fbeta(0)(SPAM) == pytest.approx(gm.precision(SPAM))
    assert math.isnan(gm.fbeta(0)([[0, 0], [1, 0]]))
    assert gm.fbeta(0)([[3, 0], [0, 0]]) == 1


def test_costs_that_cost_nothing_are_refused():
    with pytest.raises(ValueError, match="no error of class 0 costs anything"):
        gm.k_cost([[0, 0], [1, 0]])
    with pytest.raises(ValueError, match="costs anything"):
        gm.k_ordinal("absolute", steps=[0, 0])([[1, 0, 0], [0, 1, 0], [0, 0, 1]])


def test_chance_is_not_called_affine_where_a_rule_acts_at_the_rim():
    assert chance_level(gm.mutability, gm.ConfusionMatrix([[0, 1], [1, 0]]), RESOLVE).value == pytest.approx(0.5)
    assert chance_level(gm.mutability, gm.ConfusionMatrix([[2, 1], [1, 2]]), RESOLVE).value == pytest.approx(0.95)
    assert chance_level(gm.mcc, gm.ConfusionMatrix([[5, 1], [2, 3]]), RESOLVE).value == 0


def test_notes_of_both_sides_of_sba_are_told():
    notes = gm.sba.explain([[5, 1, 1], [2, 4, 1], [0, 0, 0]]).notes
    assert notes == ("class 2 has no true items, so its recall is 0/0 and counts as 0.143",)
    assert {word for x in gm.sba.explain(EMPTY).notes for word in ("recall", "precision") if word in x} == {
        "recall",
        "precision",
    }


def test_a_number_of_the_user_is_not_called_a_rule():
    assert gm.precision.explain([[3, 0], [2, 0]], undefined=0.3).notes == (
        "class 1 is never predicted, so precision is 0/0 and is replaced by 0.3",
    )


def test_a_class_by_number_has_no_formula_for_any_number_of_classes():
    for definition in (lambda c: c[0, 0] / c.n, lambda c: c.a[0]):
        with pytest.raises(TypeError, match="names a class by its number"):
            gm.measure(definition).formula  # noqa: B018
    assert gm.measure(lambda c: c.ratio(1, 0)).formula == r"\frac{1}{0}"


def test_explaining_works_where_there_is_no_formula_or_numbers_are_huge():
    told = gm.measure(lambda c: 1 if c.n > 3 else 0).explain(SPAM)
    assert "no printed formula" in told.formula
    assert told.value == 1
    assert gm.mcc.explain([[1e300, 2], [3, 1e-300]]).value == pytest.approx(gm.mcc([[1e300, 2], [3, 1e-300]]))


def test_skip_outside_a_sum_is_undefined():
    lonely = gm.measure(lambda c: c.ratio(c.n, c.n - c.n, otherwise=c.skip))
    assert math.isnan(lonely(SPAM))
    assert np.isnan(lonely(np.array([SPAM, SPAM]))).all()
    with pytest.raises(gm.UndefinedMeasure):
        lonely(SPAM, undefined="raise")


def test_arccos_is_undefined_outside_its_domain_in_every_algebra():
    angle = gm.measure(lambda c: c.arccos(c.ratio(c.n, 7)))
    assert math.isnan(angle(SPAM))
    assert math.isnan(angle(np.array([SPAM]))[0])
    assert math.isnan(float(angle.exact(SPAM)))


def test_an_empty_batch_has_no_values():
    assert gm.mcc(np.zeros((0, 2, 2))).shape == (0,)
    assert gm.macro(gm.f1)(np.zeros((3, 0, 4, 4))).shape == (3, 0)


def test_the_policy_belongs_to_the_outermost_call():
    with pytest.raises(TypeError, match="outermost call"):
        gm.measure(lambda c: gm.mcc(c, undefined="nan"))(SPAM)


def test_rounding_does_not_leave_the_declared_range():
    perfect = [[3, 0, 0], [0, 1, 0], [0, 0, 6]]
    assert gm.normalized_mutual_information()(perfect) == 1.0
    assert gm.variation_of_information(perfect) == 0.0
    batch = np.random.default_rng(0).integers(1, 50, (500, 1, 1)) * np.eye(2)
    assert gm.generalized_mean(0)(batch).max() == 1.0


@pytest.mark.parametrize(
    ("text", "name"),
    [("GmacR", "macro(recall, p=0)"), ("HmacR", "macro(recall, p=-1)"), ("macF1'", "macro_f1_of_means"),
     ("macF1′", "macro_f1_of_means"), ("MACRO(F1)", "macro(f1)"), ("macP", "macro(precision)")],
)  # fmt: skip
def test_names_as_the_papers_write_them(text, name):
    assert gm.measure(text).name == name


@pytest.mark.parametrize(
    ("text", "hint"), [("f7", r"fbeta\(beta=7\)"), ("macro", r"'macro\(f1\)'"), ("mmc", "mcc"), ("macro(mmc)", "mcc")]
)
def test_near_misses_get_the_right_hint(text, hint):
    with pytest.raises(ValueError, match=hint):
        gm.measure(text)


def test_families_are_not_measures_yet():
    with pytest.raises(ValueError, match=r"'fbeta' needs its parameters: for example fbeta\(beta=2\)"):
        gm.macro(gm.fbeta)
    assert "recall counts beta times as much" in gm.fbeta.__doc__
    assert "β^2" in gm.fbeta.__doc__


def test_names_of_the_package_are_not_taken():
    with pytest.raises(ValueError, match="a name of goodmeasure itself"):
        gm.define("macro")(lambda c: c.n)
    with pytest.raises(TypeError, match="expected a tuple of names"):
        gm.define("fresh", aliases="abc")(lambda c: c.n)
    with pytest.raises(ValueError, match="stays in the catalogue"):
        gm.measure("mcc").forget()


def test_every_measure_for_a_number_of_classes_can_be_called_on_it():
    for m in (2, 3, 4):
        for measure in gm.measures(classes=m):
            assert isinstance(measure(np.ones((m, m)) + np.eye(m)), float)


def test_an_exact_number_can_be_formatted():
    assert f"{gm.mcc.exact(SPAM):.3f}" == "0.786"
    assert f"{gm.sba.exact(SPAM)}" == "235145/263304"


def test_dir_shows_public_names_only():
    assert not [x for x in dir(gm) if x.startswith("_") and not x.startswith("__")]
    assert "mcc" in dir(gm)
    assert "import_module" not in dir(gm)


def test_worked_exponents_are_in_brackets():
    assert "^(1/3)" in gm.macro(gm.f1, p=0).explain([[5, 1, 0], [2, 4, 2], [1, 0, 3]]).worked


def test_a_binary_signature_of_three_classes_is_refused():
    with pytest.raises(ValueError, match="defined for two classes"):
        gm.f1.signature(np.ones((3, 3)))


def test_threads_that_share_a_matrix_do_not_disturb_each_other():
    """Rules that leave a class out keep no state on the view, which a matrix shares between all calls."""
    cm = gm.ConfusionMatrix([[10, 5, 1], [3, 12, 2], [0, 0, 0]])
    chosen = [gm.mutability, gm.rh, gm.macro(gm.precision), gm.sba, gm.calibrated(gm.mcc)]
    policies = ("resolve", "nan", 0.5)
    expected = {(f.name, p): f(cm, undefined=p) for f in chosen for p in policies}
    with ThreadPoolExecutor(8) as pool:
        for _ in range(150):
            jobs = {(f.name, p): pool.submit(f, cm, undefined=p) for f in chosen for p in policies}
            assert {key: repr(job.result()) for key, job in jobs.items()} == {k: repr(v) for k, v in expected.items()}
