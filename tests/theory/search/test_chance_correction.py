"""Chance correction (opitz2024, Property V): verdicts against guesses that are drawn here, and tampered certificates.

The brute force shares nothing with the prover: it draws true and predicted sizes and computes the value of the guess
with formulas that are written out below.
"""

import copy
import math
import random
from fractions import Fraction
from itertools import product

import pytest

import goodmeasure as gm
from goodmeasure.language.exact.number_parsing import read_exact
from goodmeasure.language.exact.reals import Exact
from goodmeasure.theory.search.prove import tree_data

PV = "opitz_chance_corrected"


def _recall(c, i):
    return Fraction(c[i][i], sum(c[i]))


def _f1(c, i):
    return Fraction(2 * c[i][i], sum(c[i]) + sum(row[i] for row in c))


def _mean(values):
    return sum(values) / len(values)


def _harmonic(values):
    return Fraction(len(values)) / sum(1 / x for x in values)


def _scott_pi(c):
    n, both = sum(map(sum, c)), [sum(c[i]) + sum(row[i] for row in c) for i in range(len(c))]
    chance = sum((x / (2 * n)) ** 2 for x in both)
    return (sum(c[i][i] for i in range(len(c))) / n - chance) / (1 - chance)


def _rh(c):
    recalls = [_recall(c, i) for i in range(len(c))]
    shares = [x / sum(recalls) for x in recalls]
    right = sum(c[i][i] for i in range(len(c))) / sum(map(sum, c))
    return right * Fraction(len(c), len(c) - 1) * sum(q * (1 - q) for q in shares)


MEASURES = {
    "macro(f1)": lambda c: _mean([_f1(c, i) for i in range(len(c))]),
    "macro(recall)": lambda c: _mean([_recall(c, i) for i in range(len(c))]),
    "macro(recall, p=-1)": lambda c: _harmonic([_recall(c, i) for i in range(len(c))]),
    "scott_pi": _scott_pi,
    "rh": _rh,
    "accuracy": lambda c: Fraction(sum(c[i][i] for i in range(len(c)))) / sum(map(sum, c)),
    "recall": lambda c: _recall(c, 1),
}


def guess(a, b):
    return [[Fraction(x * y, sum(b)) for y in b] for x in a]


def drawn(m, seed, most=30):
    rng = random.Random(seed)
    return [tuple(rng.randint(1, most) for _ in range(m)) for _ in range(150)]


@pytest.mark.parametrize("m", [2, pytest.param(3, marks=pytest.mark.deep)])
@pytest.mark.parametrize("name", ["macro(f1)", "macro(recall)", "macro(recall, p=-1)", "scott_pi"])
def test_no_guess_beats_the_bound_and_some_guess_comes_near_it_for_all_true_sizes(name, m):
    verdict = gm.check(name, classes=m, domain="regular", properties=[PV])[PV]
    assert verdict.status == "proved"
    assert gm.verify(verdict)
    omega, value = Fraction(str(verdict.constants["omega"])), MEASURES[name]
    for a in drawn(m, 1)[:20]:
        values = [value(guess(a, b)) for b in (*drawn(m, 2), a, (1,) * m)]
        assert max(values) == omega


@pytest.mark.parametrize(("name", "m"), [("accuracy", 2), ("accuracy", 3), ("rh", 2), ("rh", 3)])
def test_a_bound_for_some_true_sizes_holds_for_guesses_and_is_exceeded_for_others(name, m):
    verdict = gm.check(name, classes=m, domain="regular", properties=[PV])[PV]
    assert verdict.status == "refuted"
    assert gm.verify(verdict)
    about, value = verdict.certificate.data["about"], MEASURES[name]
    assert verdict.certificate.data["by"] == "apart"
    assert value(guess(about["true"], list(map(int, about["shares"])))) == Fraction(about["bound"])
    assert Fraction(about["bound"]) > Fraction(about["most"])
    assert max(value(guess(about["other"], b)) for b in drawn(m, 3)) <= Fraction(about["most"])


def test_an_empty_prediction_is_no_guess():
    """On all matrices a constant true labeling is guessed perfectly, and a mixed one is not."""
    for name in ("f1", "jaccard", "kappa", "sba", "balanced_accuracy", "correlation_distance"):
        verdict = gm.check(name, domain="all", properties=[PV])[PV]
        assert (verdict.status, verdict.n) == ("refuted", 2)
        assert gm.verify(verdict)
        assert all("1" in x["predicted"] for x in verdict.certificate.cases if "predicted" in x)


@pytest.mark.parametrize("domain", ["all", "regular"])
@pytest.mark.parametrize("name", ["recall", "specificity", "fallout", "predicted_prevalence"])
def test_a_measure_that_guesses_can_bring_to_its_best_value_is_not_chance_corrected(name, domain):
    verdict = gm.check(name, domain=domain, properties=[PV])[PV]
    assert verdict.status == "refuted"
    assert gm.verify(verdict)
    assert verdict.witness.says.endswith("and no matrix scores better")


def test_a_bound_on_a_quotient_of_roots_is_shown():
    verdict = gm.check("adjusted_f_score", domain="regular", properties=[PV])[PV]
    assert (verdict.status, verdict.n) == ("refuted", 3)
    data = verdict.certificate.to_dict()
    assert data["about"]["other"] == [1, 2]
    assert not _is_accepted({**data, "about": {**data["about"], "most": "1/3"}})


def _is_accepted(certificate):
    try:
        return gm.verify(certificate)
    except gm.CertificateError:
        return False


@pytest.mark.parametrize("domain", ["all", "regular"])
def test_the_best_guess_may_have_other_fixed_shares(domain):
    """A guess with the share q of the positive class scores 2q²(1 − q), which is greatest at q = 2/3."""
    verdict = gm.check("index_of_balanced_accuracy()", domain=domain, properties=[PV])[PV]
    assert (verdict.status, str(verdict.constants["omega"])) == ("proved", "8/27")
    data = verdict.certificate.to_dict()
    named = [k for k, x in enumerate(data["cases"]) if x["proof"].get("shares") == ["1", "2"]]
    assert named
    for shares in (["2", "1"], ["0", "1"], ["-1", "2"], ["1"], ["1", "2", "3"], [], [1, 2], ["1", ["2"]], ["1", ""],
                   None, {}, "1 2", ["0", "0"], ["c0_0", "1"], ["1/0", "1"]):  # fmt: skip
        changed = copy.deepcopy(data)
        changed["cases"][named[0]]["proof"]["shares"] = shares
        assert not _is_accepted(changed)


def test_a_number_on_one_branch_says_nothing_about_another():
    def threshold(c):
        return c.where(c.tp > c.fn, 1, 0)

    verdict = gm.check(threshold, domain="regular", properties=[PV])[PV]
    assert verdict.status == "refuted"
    assert verdict.witness.says.endswith("no matrix scores better")
    split = {"split": {"variables": ["y0", "y1"]}, **{x: {"by": "bound"} for x in "<=>"}}
    forged = {
        "by": "apart",
        "about": {"true": [1, 2], "shares": ["1", "2"], "other": [1, 1], "bound": "1", "most": "0", "within": "0"},
        "cases": [{"proof": {"by": "guess"}}, {"predicted": "11", "proof": split}],
    }
    with pytest.raises(gm.CertificateError):
        gm.verify({**verdict.certificate.to_dict(), **forged}, measure=threshold)


def test_a_constant_is_not_chance_corrected():
    def one(c):
        return c.ratio(c.n, c.n)

    assert gm.check(one, domain="regular", properties=[PV])[PV].status == "refuted"


def test_guesses_may_come_near_a_bound_that_none_reaches():
    """Ordinal K is linear in the predicted shares: always guessing the middle class is best, whatever the truth is."""
    verdict = gm.check("k_ordinal(error='absolute')", classes=3, domain="regular", properties=[PV])[PV]
    assert (verdict.status, verdict.constants) == ("proved", {"omega": "1/2"})
    assert gm.verify(verdict)
    best = [gm.measure("k_ordinal(error='absolute')").exact(guess(a, (1, 10**6, 1))) for a in drawn(3, 4)[:5]]
    assert all(Fraction(499_999, 10**6) < x < Fraction(1, 2) for x in best)


def _tampered(certificate, change):
    data = copy.deepcopy(certificate.to_dict())
    change(data)
    return data


def _case(data, **about):
    """The case about something, and nothing else."""
    return next(x for x in data["cases"] if {k: v for k, v in x.items() if k != "proof"} == about)


BOTH = {"true": "11", "predicted": "11"}
PROVED = {
    "omega is another number": lambda d: d["constants"].update(omega="3/5"),
    "a set of classes is missing": lambda d: d["cases"].remove(_case(d, **BOTH)),
    "the best guess is missing": lambda d: d["cases"].remove(_case(d, true="11")),
    "another guess is named": lambda d: _case(d, true="11")["proof"].update(shares=["1", "1"]),
    "the guess comes near only": lambda d: _case(d, true="11")["proof"].update(within="-1"),
    "the better matrix is missing": lambda d: d["cases"].remove(_case(d)),
    "the better matrix is not better": lambda d: _case(d)["proof"].update(matrix=[[1, 1], [1, 1]]),
    "the better matrix lies outside": lambda d: _case(d)["proof"].update(matrix=[[1, 0], [0, 0]]),
    "the facts are missing": lambda d: _case(d, **BOTH)["proof"].update(facts=[]),
    "a value is said to be missing": lambda d: _case(d, **BOTH).update(proof={"by": "undefined"}),
    "a bound is said to be reached": lambda d: _case(d, **BOTH).update(proof={"by": "equal"}),
    "a branch is missing": lambda d: _case(d, **BOTH).update(
        proof={"split": {"variables": ["x0", "x1"]}, ">": {"by": "bound"}, "=": {"by": "bound"}}
    ),
}


@pytest.mark.parametrize("what", PROVED)
def test_a_tampered_proof_of_chance_correction_is_refused(what):
    certificate = gm.check("macro(f1)", domain="regular", properties=[PV])[PV].certificate
    assert gm.verify(certificate)
    with pytest.raises(gm.CertificateError):
        gm.verify(_tampered(certificate, PROVED[what]))


APART = {
    "the other bound is too low": lambda d: d["about"].update(most="1/10"),
    "the bound is not exceeded": lambda d: d["about"].update(bound="2"),
    "the bounds are the same": lambda d: d["about"].update(most=d["about"]["bound"]),
    "the true sizes are others": lambda d: d["about"].update(other=[1, 9]),
    "nothing is predicted": lambda d: d["about"].update(shares=["0", "0"]),
    "the guess lies outside": lambda d: d["about"].update(shares=["0", "1"]),
    "the guess scores less": lambda d: d["about"].update(true=[1, 1]),
    "predicted classes are missing": lambda d: d["cases"].pop(),
    "the guess is missing": lambda d: d["cases"].pop(0),
}


@pytest.mark.parametrize("what", APART)
def test_a_tampered_proof_of_two_bounds_is_refused(what):
    certificate = gm.check("accuracy", domain="regular", properties=[PV])[PV].certificate
    assert gm.verify(certificate)
    with pytest.raises(gm.CertificateError):
        gm.verify(_tampered(certificate, APART[what]))


PERFECT = {
    "the bound is not approached": lambda d: d["about"].update(bound="2"),
    "the bound is exceeded": lambda d: d["about"].update(bound="1/2"),
    "the distance is too small": lambda d: d["about"].update(within="0"),
    "the class is another one": lambda d: d["about"].update(shares=["s", "1"]),
    "a support is missing": lambda d: d["cases"].pop(),
    "a value is said to be missing": lambda d: d["cases"][-1].update(proof={"by": "undefined"}),
}


@pytest.mark.parametrize("what", PERFECT)
def test_a_tampered_proof_that_guesses_come_near_the_best_value_is_refused(what):
    certificate = gm.check("recall", domain="regular", properties=[PV])[PV].certificate
    assert gm.verify(certificate)
    with pytest.raises(gm.CertificateError):
        gm.verify(_tampered(certificate, PERFECT[what]))


SHARED_SCALE = ["dif2"]
LOGARITHMS = ["variation_of_information"]


# The bound of guesses that are nearly always one class is not shown: tangents to the logarithms of groups of terms
# lose too much where s·log s stands against s². The verdict is held, though it should be refuted.
OPEN = pytest.mark.xfail(reason="no tangents are found for s·log s beside s²", strict=True)


@pytest.mark.parametrize(
    ("name", "m"),
    [
        *((name, m) for name in [*SHARED_SCALE, *LOGARITHMS] for m in (2, 3)),
        ("confusion_entropy", 2),
        pytest.param("confusion_entropy", 3, marks=[OPEN, pytest.mark.deep]),
    ],
)
def test_no_guess_for_some_true_sizes_is_as_good_as_one_for_others(name, m):
    verdict = gm.check(name, classes=m, domain="regular", properties=[PV])[PV]
    assert verdict.status == "refuted"
    assert gm.verify(verdict.certificate)
    about = verdict.certificate.data["about"]
    reached, bound = (float(Exact.of(read_exact(about[x]))) for x in ("bound", "most"))
    assert reached < bound  # lower values are better
    measure, rng = gm.measure(name), random.Random(7)
    for _ in range(300):
        shares = [rng.choice((1, rng.randint(1, 9), rng.randint(1, 10**6))) for _ in range(m)]
        assert measure(_guessed(about["other"], shares)) > bound - 1e-12


def _guessed(true, predicted):
    return [[Fraction(x * y, sum(predicted)) for y in predicted] for x in true]


LOGS = {
    "the bound is not proved": lambda d: d["about"].update(most="7/10"),
    "the bound is not exceeded": lambda d: d["about"].update(bound="1/2"),
    "the true sizes are others": lambda d: d["about"].update(other=[1, 9]),
    "the distance is too small": lambda d: d["about"].update(within="0"),
    "the distance grows": lambda d: d["about"].update(within="s"),
}


@pytest.mark.parametrize("what", LOGS)
def test_a_tampered_bound_with_logarithms_is_refused(what):
    certificate = gm.check("variation_of_information", domain="regular", properties=[PV])[PV].certificate
    with pytest.raises(gm.CertificateError):
        gm.verify(_tampered(certificate, LOGS[what]))


def test_shares_are_compared_where_all_predictions_name_one_class():
    verdict = gm.check("dif2", domain="all", properties=[PV])[PV]
    assert verdict.status == "refuted"
    assert gm.verify(verdict.certificate)


@pytest.mark.parametrize(
    ("name", "domain", "best"),
    [
        ("entropy_predicted", "all", math.log(2)),
        ("entropy_joint", "regular", 2 * math.log(2)),
        ("class_size_divergence", "regular", 0),
        ("completeness", "all", 1),
        ("entropy_conditional", "regular", 0),
        ("overlap_coefficient", "regular", 1),
    ],
)
def test_guesses_that_reach_or_come_near_a_best_value_with_logarithms(name, domain, best):
    """No matrix of a few items is better than what guesses reach, or nearly reach."""
    verdict = gm.check(name, domain=domain, properties=[PV])[PV]
    assert verdict.status == "refuted"
    assert gm.verify(verdict)
    assert verdict.witness.exhibits[0].number == pytest.approx(best, abs=1e-6)
    measure, turn = gm.measure(name), -1 if gm.measure(name).orientation == "lower" else 1
    for cells in product(range(4), repeat=4):
        rows = [list(cells[:2]), list(cells[2:])]
        inside = domain == "all" or all(map(sum, (*rows, *zip(*rows, strict=True))))
        value = measure(rows) if any(cells) and inside else math.nan
        assert math.isnan(value) or turn * value <= turn * best + 1e-9


@pytest.mark.parametrize("classes", [2, 3])
def test_guesses_may_score_more_than_any_number(classes):
    verdict = gm.check("class_size_cross_entropy", classes=classes, properties=[PV])[PV]
    assert verdict.status == "refuted"
    assert gm.verify(verdict)
    assert verdict.witness.says.endswith("score more than any number")


def test_guesses_that_stay_below_a_number_are_not_said_to_be_unbounded():
    data = gm.check("class_size_cross_entropy", properties=[PV])[PV].certificate.to_dict()
    assert data["by"] == "unbounded"
    of = gm.entropy_joint
    about = {"name": of.name, "orientation": of.orientation, "tree": tree_data(of.recorded.tree(2))}
    with pytest.raises(gm.CertificateError, match="sign"):
        gm.verify({**data, "measure": about})
