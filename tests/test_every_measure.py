"""What holds for every measure of the catalogue, drawn by Hypothesis and by enumeration."""

from __future__ import annotations

import itertools
import math
import re
from functools import cache

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import goodmeasure as gm
from goodmeasure.catalogue.register import known_names
from goodmeasure.language.exact.reals import Exact
from tests.strategies import COUNTS, MEASURES, matrices, real, regular, small_matrices

every_measure = pytest.mark.parametrize("measure", MEASURES, ids=lambda x: x.name)
TOLERANCE = 1e-9


def sizes_of(measure) -> tuple[int, ...]:
    """How many classes a measure is tried on; a table of costs is made for one number of them."""
    if "costs" in measure.parameters:
        return (len(measure.parameters["costs"]),)
    return (2,) if measure.classes == 2 else (2, 3, 4)


@cache
def sizes(measures):
    """How many classes measures of one kind are tried on."""
    return st.sampled_from(sizes_of(measures[0]))


def measures_that(holds=lambda measure: True):
    """The measures of which this holds, by how many classes they are tried on.

    All measures of a kind are tried on the same matrices: drawing them for each measure takes longer than measuring.
    """
    kinds = {}
    for measure in filter(holds, MEASURES):
        kinds.setdefault(sizes_of(measure), []).append(measure)
    names = [" or ".join(map(str, kind)) + " classes" for kind in kinds]
    return pytest.mark.parametrize("measures", [tuple(x) for x in kinds.values()], ids=names)


twice = settings(max_examples=2 * settings().max_examples)  # as all measures share what is drawn
all_measures = measures_that()
any_size = measures_that(lambda x: len(sizes_of(x)) > 1)
with_a_good_end = measures_that(lambda x: x.orientation != "neither")
FEW = (0, 1, 2, 3)
MODERATE = (0.0, 0.1, 0.3, 2.5, 70.7)
WHOLE_OR_REAL = st.sampled_from([COUNTS, real()])


def draw_matrix(data, measures, cell=COUNTS):
    return data.draw(matrices(sizes(measures), cell))


def same(x: float, y: float, tolerance: float = TOLERANCE) -> bool:
    return (math.isnan(x) and math.isnan(y)) or abs(x - y) <= tolerance * max(1.0, abs(x), abs(y))


@all_measures
@twice
@given(data=st.data())
def test_floats_agree_with_exact_values(measures, data):
    rows = draw_matrix(data, measures)
    for measure, undefined in itertools.product(measures, ("resolve", "nan", 0.0)):
        value, exact = (f(rows, undefined=undefined) for f in (measure, measure.exact))
        assert same(value, float(exact)), (measure, undefined)


# Entropies of classes that differ by fifteen orders of magnitude lose digits in any formula with logarithms.
@pytest.mark.parametrize(("family", "cell"), [("information", MODERATE), ("others", real())])
@all_measures
@twice
@given(data=st.data())
def test_real_counts_agree_with_exact_values(measures, family, cell, data):
    rows = draw_matrix(data, measures, cell)
    for measure in measures:
        if (measure.family == "information") == (family == "information"):
            assert same(measure(rows), float(measure.exact(rows)), 1e-6), measure


@all_measures
@twice
@given(data=st.data())
def test_a_batch_agrees_with_single_matrices(measures, data):
    m = data.draw(sizes(measures))
    cell = data.draw(WHOLE_OR_REAL)
    batch = data.draw(st.lists(matrices(m, cell), min_size=1, max_size=4))
    for measure, undefined in itertools.product(measures, ("resolve", "nan", 0.5)):
        values = measure(np.array(batch), undefined=undefined)
        assert values.shape == (len(batch),)
        singles = [measure(rows, undefined=undefined) for rows in batch]
        alike = (same(x, y) for x, y in zip(values, singles, strict=True))
        assert all(alike), (measure, undefined, values, singles)


@any_size
@given(data=st.data())
def test_many_classes_run_through_the_array_algebra_with_the_same_value(measures, data):
    """Thirteen classes are beyond the plain-number algebra."""
    rows = data.draw(matrices(13, FEW))
    for measure in measures:
        assert same(measure(rows), float(measure.exact(rows))), measure


@all_measures
@twice
@given(data=st.data())
def test_the_declared_range_holds(measures, data):
    cells = data.draw(WHOLE_OR_REAL)
    rows = draw_matrix(data, measures, cells)
    for measure in measures:
        if cells is not COUNTS and not measure.scale_invariant:
            continue  # the range of what depends on the number of items is that of whole items
        value = measure(rows)
        if measure.range is not None and not math.isnan(value):
            low, high = measure.range_for(len(rows))
            assert low - TOLERANCE <= value <= high + TOLERANCE, measure


def candidates(m: int) -> np.ndarray:
    """Small matrices, and those on which some measure is greatest or comes closest to its bound."""
    found = [small_matrices(m, n) for n in ((1, 2, 3, 4, 5, 6) if m == 2 else (1, 2, 3, 4))]
    entropy = [[[0.5 - 1 / math.e, 1 / math.e], [1 / math.e, 0.5 - 1 / math.e]]]
    bounds = [[[1, 10**12], [0, 1]], [[0, 10**12], [10**12, 0]]]
    return np.concatenate([*found, *([np.array([*bounds, *entropy])] if m == 2 else [np.ones((1, 3, 3), int)])])


@pytest.fixture(scope="module")
def all_small():
    return {m: candidates(m) for m in (2, 3)}


@every_measure
def test_both_ends_of_the_declared_range_are_reached(measure, all_small):
    reached = {m: measure(all_small[m]) for m in (2, 3) if m in sizes_of(measure)}
    if measure.range_by_classes is None:
        reached = {2: np.concatenate(list(reached.values()))}
    for m, values in reached.items():
        low, high = measure.range_for(m)
        if math.isfinite(low):
            assert np.nanmin(values) == pytest.approx(low, abs=1e-9)
        if math.isfinite(high):
            assert np.nanmax(values) == pytest.approx(high, abs=1e-9)


NO_HIGHEST = {"russell_rao", "net_benefit()", "phi_squared"}  # class sizes limit a perfect prediction, too


@with_a_good_end
@twice
@given(data=st.data())
def test_a_perfect_prediction_is_at_the_good_end(measures, data):
    m = data.draw(sizes(measures))
    true = data.draw(st.lists(st.integers(1, 20), min_size=m, max_size=m))
    perfect, worst = np.diag(true), np.roll(np.diag(true), 1, axis=1)
    for measure in measures:
        best, least = measure(perfect), measure(worst)
        end = measure.range_for(m)[0 if measure.orientation == "lower" else 1]
        if not math.isnan(best) and math.isfinite(end) and measure.name not in NO_HIGHEST and m > 1:
            assert best == pytest.approx(end), measure
        if not math.isnan(best) and not math.isnan(least) and measure.family not in ("information", "contingency"):
            assert best >= least if measure.orientation == "higher" else best <= least, measure


@measures_that(lambda x: x.scale_invariant)
@twice
@given(data=st.data())
def test_scale_invariance_holds_where_declared(measures, data):
    rows = draw_matrix(data, measures)
    factor = data.draw(st.integers(2, 7))
    bigger = [[factor * x for x in row] for row in rows]
    for measure in measures:
        assert same(measure(rows), measure(bigger)), measure


def test_what_is_not_declared_scale_invariant_is_not():
    changing = [x for x in MEASURES if not x.scale_invariant]
    assert {x.name for x in changing} == {
        "bookmaker_win", "dif2", "automatic_manual", "chi_squared", "krippendorff_alpha",
    }  # fmt: skip
    for measure in changing:
        assert measure([[3, 1], [2, 5]]) != measure([[6, 2], [4, 10]])


@measures_that(lambda x: x.symmetric)
@twice
@given(data=st.data())
def test_symmetry_holds_where_declared(measures, data):
    rows = draw_matrix(data, measures)
    for measure in measures:
        assert same(measure(rows), measure([list(x) for x in zip(*rows, strict=True)])), measure


@measures_that(lambda x: x.class_symmetric)
@twice
@given(data=st.data())
def test_class_symmetry_holds_where_declared(measures, data):
    rows = draw_matrix(data, measures)
    order = data.draw(st.permutations(range(len(rows))))
    for measure in measures:
        assert same(measure(rows), measure([[rows[i][j] for j in order] for i in order])), measure


@every_measure
def test_symmetries_that_are_not_declared_fail_somewhere(measure, all_small):
    m = 2 if measure.classes == 2 else 3
    batch = all_small[m][:-3] if m == 2 else all_small[m]
    values = measure(batch)
    if not measure.symmetric:
        assert not np.allclose(values, measure(np.swapaxes(batch, 1, 2)), equal_nan=True)
    if not measure.class_symmetric:
        turned = batch[:, ::-1, ::-1] if m == 2 else batch[:, [1, 2, 0]][:, :, [1, 2, 0]]
        assert not np.allclose(values, measure(turned), equal_nan=True)


@all_measures
@twice
@given(data=st.data())
def test_policies_agree_on_where_a_measure_is_undefined(measures, data):
    """ "raise" raises exactly where "nan" finds no value or a rule acts; a number never leaves a NaN."""
    rows = draw_matrix(data, measures)
    for measure in measures:
        assert not math.isnan(measure(rows, undefined=0.25)), measure
        bare = measure(rows, undefined="nan")
        if math.isnan(bare):
            with pytest.raises(gm.UndefinedMeasure, match=re.escape(measure.name)):
                measure(rows, undefined="raise")
        else:
            assert same(measure(rows), bare), f"{measure}: where the formula has a value, no rule may act"


ALWAYS_DEFINED = {
    "accuracy", "balanced_accuracy", "sba", "kappa", "mcc", "correlation_distance", "correlation_chord",
    "confusion_entropy",
    "hamann", "scott_pi", "f1", "jaccard", "sokal_sneath_2", "russell_rao", "k", "macro(f1)", "macro(mcc)", "micro(f1)",
    "weighted(f1)", "macro_f1_of_means", "rh", "dif2", "dif2norm", "mutual_information", "zero_one_loss", "prevalence",
}  # fmt: skip


@measures_that(lambda x: x.name in ALWAYS_DEFINED - {"rh"})
@twice
@given(data=st.data())
def test_measures_with_a_rule_for_every_case_are_always_defined(measures, data):
    rows = draw_matrix(data, measures)
    for measure in measures:
        assert not math.isnan(measure(rows)), measure


@given(rows=matrices(st.integers(2, 4)))
def test_rh_is_undefined_only_with_one_true_class_and_some_hit(rows):
    classes, hits = sum(map(any, rows)), sum(rows[i][i] for i in range(len(rows)))
    assert math.isnan(gm.rh(rows)) == (classes == 1 and hits > 0)


RATES = {
    "recall": (1, 1, 1, 0),
    "specificity": (0, 0, 0, 1),
    "precision": (1, 1, 0, 1),
    "negative_predictive_value": (0, 0, 1, 0),
}


@given(rows=matrices(2))
def test_rates_are_undefined_exactly_where_their_denominator_is_zero(rows):
    (tn, fp), (fn, tp) = rows
    below = {
        "recall": tp + fn, "miss_rate": tp + fn, "specificity": tn + fp, "fallout": tn + fp, "precision": tp + fp,
        "false_discovery_rate": tp + fp, "negative_predictive_value": tn + fn, "false_omission_rate": tn + fn,
        "diagnostic_odds_ratio": fp * fn, "yule_q": tp * tn + fp * fn, "somers_d_predicted": (tp + fn) * (tn + fp),
        "somers_d_true": (tp + fp) * (tn + fn), "positive_likelihood_ratio": (tp + fn) * fp,
        "negative_likelihood_ratio": (tp + fn) * tn,
        "lam": fp * fn + tp * tn, "kulczynski_2": (tp + fn) * (tp + fp) or not (tp or fn or fp),
    }  # fmt: skip
    for name, denominator in below.items():
        assert math.isnan(gm.measure(name)(rows)) == (denominator == 0), name


@every_measure
def test_the_formula_builds_and_its_brackets_close(measure):
    text = measure.formula
    assert text
    depth = list(itertools.accumulate((x == "{") - (x == "}") for x in text.replace(r"\{", "").replace(r"\}", "")))
    assert min(depth) >= 0
    assert depth[-1] == 0
    assert text.count(r"\left") == text.count(r"\right")
    assert "Sym" not in text
    assert "object at" not in text


@pytest.mark.filterwarnings(
    "ignore::goodmeasure.catalogue.names.NameWarning"
)  # some names have other meanings elsewhere
@every_measure
def test_names_and_aliases_lead_back_to_the_measure(measure):
    assert gm.measure(measure.name) == measure
    assert repr(measure) == measure.name
    for alias in measure.aliases:
        assert gm.measure(alias) == measure


def test_no_alias_is_the_name_of_another_measure():
    names = [x.name for x in MEASURES]
    assert len(names) == len(set(names))
    aliases = [alias for x in MEASURES for alias in x.aliases]
    assert len(aliases) == len(set(aliases))
    assert not set(aliases) & set(names)
    assert set(aliases) <= set(known_names())


@every_measure
def test_every_measure_has_its_facts(measure):
    assert measure.title
    assert measure.about
    assert measure.citation not in ("", measure.cite), f"{measure.cite} is not in references.bib"
    assert measure.range is not None
    assert measure.family != "own"
    assert measure.__doc__.startswith(measure.title)


@given(rows=regular(2))
def test_identities_of_binary_measures_hold_exactly(rows):
    x = {name: gm.measure(name).exact(rows) for name in (
        "gm(-1)", "gm(0)", "gm(1)", "sba", "mcc", "somers_d", "k", "somers_d_predicted", "f1", "jaccard",
    )}  # fmt: skip
    assert x["gm(-1)"] == 2 * x["sba"] - 1
    assert x["gm(0)"] == x["mcc"]
    assert x["gm(1)"] == x["somers_d"]
    assert x["k"] == x["somers_d_predicted"]
    assert x["f1"] == 2 * x["jaccard"] / (1 + x["jaccard"])


@given(rows=matrices(2))
def test_yule_y_is_one_minus_twice_lam(rows):
    y, lam = gm.yule_y.exact(rows), gm.lam.exact(rows)
    assume(not math.isnan(float(y)))
    assert y == 1 - 2 * lam


@given(rows=matrices(st.integers(2, 5)))
def test_micro_f1_is_accuracy(rows):
    assert gm.micro(gm.f1).exact(rows) == gm.accuracy.exact(rows)


@given(rows=matrices(st.integers(2, 4)).filter(lambda rows: all(map(any, rows))))
def test_identities_of_calibration_hold_exactly(rows):
    m = len(rows)
    recall = gm.macro(gm.recall).exact(rows)
    assert gm.calibrated(gm.accuracy).exact(rows) == recall
    assert gm.calibrated(gm.kappa).exact(rows) == (recall - Exact.of(1) / m) / (1 - Exact.of(1) / m)
    assert gm.calibrated(gm.weighted(gm.f1)).exact(rows) == gm.calibrated(gm.macro(gm.f1)).exact(rows)


@given(rows=matrices(st.integers(2, 4)).filter(lambda rows: all(map(any, rows))))
def test_a_calibrated_measure_is_the_measure_of_the_calibrated_matrix(rows):
    cm = gm.ConfusionMatrix(rows)
    assert same(gm.calibrated(gm.mcc)(cm), gm.mcc(cm.calibrated()))


@settings(max_examples=25)
@given(m=st.integers(3, 40), seed=st.integers(0, 2**32 - 1), column=st.booleans())
def test_constant_labelings_with_real_weights_hit_their_rule_exactly(m, seed, column):
    """Soft counts: a constant labeling has mcc 0, not 1e-9, in both float algebras and after calibration."""
    rng = np.random.default_rng(seed)
    rows = np.zeros((m, m))
    weights = rng.random(m) * 10.0 ** rng.integers(-6, 7, m)
    rows[:, rng.integers(m)] = weights
    if not column:
        rows = rows.T
    for f in (gm.mcc, gm.kappa):
        assert f(rows) == 0.0
        assert (f(np.stack([rows, rows])) == 0.0).all()
    if column:
        assert gm.calibrated(gm.mcc)(rows) == 0.0


@pytest.mark.parametrize("name", ["mcc", "kappa", "macro(mcc)", "balanced_accuracy", "macro(f1)"])
def test_combinators_nest_in_any_order(name):
    rows = [[5, 1, 0], [2, 4, 2], [1, 0, 3]]
    for outer in itertools.permutations(["macro", "micro", "weighted", "calibrated"], 2):
        text = f"{outer[0]}({outer[1]}({name}))"
        measure = gm.measure(text)
        assert measure.name == text
        assert same(measure(rows), float(measure.exact(rows)))
        assert same(measure(rows), float(measure(np.array([rows]))[0]))


@pytest.mark.parametrize("measure", [x for x in MEASURES if 2 in sizes_of(x)], ids=lambda x: x.name)
def test_thresholds_share_their_margins_and_give_the_values_of_each_matrix(measure):
    true, score = [0, 1, 1, 0, 1, 0, 0, 1, 0], [0.1, 0.9, 0.4, 0.4, 0.8, 0.9, 0.3, 0.2, 0.05]
    for undefined, positive in itertools.product(["resolve", "nan", 0.5], [true, [1] * 9, [0] * 9]):
        swept = gm.sweep(positive, score, measures=[measure], undefined=undefined)
        for cells, value in zip(swept.counts, swept.values(measure), strict=True):
            assert same(value, measure(cells, undefined=undefined)), (undefined, cells)
