"""What trees mean, against the exact values of the project, for the whole catalogue."""

import math
import random
import zlib
from fractions import Fraction

import pytest

import goodmeasure as gm
from goodmeasure.catalogue.family import Family
from goodmeasure.catalogue.register import entries
from goodmeasure.exceptions import GoodmeasureError
from goodmeasure.language.tree import from_data
from goodmeasure.theory.kernel import check, meaning, means
from goodmeasure.theory.kernel.claim import Claim, supposing
from goodmeasure.theory.kernel.meaning import Meaning
from goodmeasure.theory.kernel.refusal import Refused, Unsettled
from goodmeasure.theory.kernel.values import Ring
from goodmeasure.theory.search.facts import FactSearch
from goodmeasure.theory.search.prove import tree_data
from goodmeasure.theory.search.samples import SamplePoint
from goodmeasure.theory.statements.lookup import statement
from tests.theory.kernel.forging import proved

SOME = statement("symmetry")
NAMES = sorted({x.measure for m in (2, 3) for x in gm.atlas(classes=m)})


def value(claim, rows):
    """The value on a matrix of numbers, with facts about numbers that are not rational."""
    with claim.one_case(claim.ring), supposing(claim.ring):
        search = FactSearch(claim.ring)
        while True:
            try:
                found = claim.number(rows)
            except Unsettled as refusal:
                if search.settle(refusal.question) is None:
                    raise
            else:
                return (
                    None
                    if found is None
                    else (found.number(), SamplePoint(claim.ring, [1.0] * claim.ring.size).value(found))
                )


def same(found, exact):
    """Whether the kernel's value is the exact one."""
    if str(exact) == "undefined":
        return found is None
    if found is None:
        return False
    if exact.is_rational and found[0] is not None:
        return found[0] == Fraction(str(exact))
    return math.isclose(found[1], float(exact), rel_tol=1e-9, abs_tol=1e-12)


@pytest.mark.parametrize("name", NAMES)
def test_values_are_those_of_the_project(name):
    measure, draw = gm.measure(name), random.Random(zlib.crc32(name.encode()))
    for m in (2, 3):
        try:
            tree = measure.recorded.tree(m)
        except GoodmeasureError:
            continue
        if measure.classes not in (None, m):
            continue
        for policy in ("resolve", "nan", "0", "1/3"):
            claim = Claim(tree, SOME, m=m, domain="all", policy=policy)
            for _ in range(4):
                rows = [draw.choice((0, 0, 1, 2, 3, 7, 50)) for _ in range(m * m)]
                rows[draw.randrange(m * m)] += 1
                undefined = policy if policy in ("resolve", "nan") else Fraction(policy)
                try:
                    exact = measure.exact([rows[i * m : (i + 1) * m] for i in range(m)], undefined=undefined)
                except GoodmeasureError:
                    continue
                assert same(value(claim, rows), exact), (m, policy, rows, exact)


def test_values_on_symbols_are_those_on_numbers():
    """What comes out for positive variables is the value at each of their places."""
    for name in ("mcc", "macro(f1)", "kappa", "confusion_entropy", "logarithmic_mean", "generalized_mean(r=1/3)"):
        measure = gm.measure(name)
        claim = Claim(measure.recorded.tree(2), SOME, m=2, domain="all", policy="resolve")
        for support in ((1, 1, 1, 1), (1, 0, 1, 1), (1, 0, 0, 1), (1, 1, 0, 0)):
            with supposing(claim.ring):
                search = FactSearch(claim.ring)
                while True:
                    try:
                        found = claim.on(support)
                        break
                    except Unsettled as refusal:
                        if search.settle(refusal.question) is None:
                            raise
                for place in ((2.0, 3.0, 5.0, 7.0), (4.0, 1.0, 1.0, 9.0)):
                    cells = [int(x * y) for x, y in zip(place, support, strict=True)]
                    wanted = measure.exact([cells[:2], cells[2:]])
                    here = None if found is None else SamplePoint(claim.ring, [*place, 1, 1, 1, 1]).value(found)
                    assert (here is None) == (str(wanted) == "undefined")
                    assert here is None or math.isclose(here, float(wanted), rel_tol=1e-9, abs_tol=1e-12)


def test_an_open_exponent_is_any_exponent_of_its_sign():
    """For both signs, the formula at a sample exponent is that of the measure with this exponent."""
    from goodmeasure.theory.search.prove import claimed

    data = claimed(gm.generalized_mean, SOME, 2, "all", "resolve")["measure"]["tree"]
    for exponents, r in (("r > 0", 1.5), ("r <= 0", -0.5)):
        claim = Claim(from_data(data), SOME, m=2, domain="all", policy="resolve", exponents=exponents)
        measure = gm.measure(f"generalized_mean(r={r})")
        for rows in ((3, 1, 2, 7), (1, 0, 2, 5), (4, 4, 4, 4), (0, 3, 0, 2), (1, 2, 0, 0), (0, 1, 0, 0), (2, 0, 0, 3)):
            assert same(value(claim, rows), measure.exact([rows[:2], rows[2:]]))
    (family,) = (x for x in entries() if isinstance(x, Family) and list(x.signature.parameters) == ["r"])
    assert family.name == "generalized_mean"  # its special exponents agree with the general formula
    for r in (0, 1):  # as limits of the general formula
        near, at = gm.measure(f"generalized_mean(r={r + 1e-7})"), gm.measure(f"generalized_mean(r={r})")
        assert math.isclose(near([[3, 1], [2, 7]]), at([[3, 1], [2, 7]]), rel_tol=1e-5)


def test_an_exponent_that_is_left_open_means_nothing_alone():
    from goodmeasure.theory.search.prove import claimed

    data = claimed(gm.generalized_mean, SOME, 2, "all", "resolve")["measure"]["tree"]
    for exponents in ("", "r", "r >= 0", "0"):
        claim = Claim(from_data(data), SOME, m=2, domain="all", policy="resolve", exponents=exponents)
        with pytest.raises(Refused, match="left open"):
            claim.number((3, 1, 2, 7))


def tree(definition, m=2):
    return gm.measure(definition).recorded.tree(m)


def on(definition, rows, policy="resolve"):
    """The value of a definition for two classes on variables (letters), zeros and numbers."""
    ring = Ring("xyzw", whole="xyzw")
    cells = [ring.variable("xyzw".index(x)) if x in "xyzw" else ring.number(int(x)) for x in rows]
    return Meaning(ring, [cells[:2], cells[2:]], policy).value(tree(definition))


@pytest.mark.parametrize(
    ("definition", "rows"),
    [
        (lambda c: c.where(c.tp < c.tn, 1, 0), "xyzw"),
        (lambda c: c.where(c.tp == c.tn, 1, 0), "xyzw"),
        (lambda c: abs(c.tp - c.fn), "xyzw"),
        (lambda c: c.max(c.tp, c.fn), "xyzw"),
        (lambda c: c.min(c.tp, c.fn, c.fp), "xyzw"),
        (lambda c: c.ratio(1, c.tp - c.tn), "xyzw"),
        (lambda c: c.sqrt(c.tp - c.tn), "xyzw"),
        (lambda c: c.log(c.tp - c.tn), "xyzw"),
        (lambda c: c.power(c.tp - c.tn, Fraction(1, 3)), "xyzw"),
        (lambda c: c.where(c.tp < 2, 1, 0), "xyzw"),
    ],
)
def test_what_is_decided_is_known(definition, rows):
    """A comparison of which the answer is not the same everywhere is a question, and no answer."""
    with pytest.raises(Unsettled):
        on(definition, rows)


@pytest.mark.parametrize(
    ("definition", "rows", "wanted"),
    [
        (lambda c: c.where(c.tp < c.tp + c.tn, 2, 0), "xyzw", "2"),
        (lambda c: c.where(c.tp < c.tp, 2, 0), "xyzw", "0"),
        (lambda c: c.where(c.tp <= c.tp, 2, 0), "xyzw", "2"),
        (lambda c: c.where(c.tp == c.tp + 0, 2, 0), "xyzw", "2"),
        (lambda c: abs(c.tp + c.fn), "xyzw", "(w + z)"),
        (lambda c: abs(-c.tp - c.fn), "xyzw", "(w + z)"),
        (lambda c: c.max(c.tp, c.tp + c.fn), "xyzw", "(w + z)"),
        (lambda c: c.min(c.tp, c.tp + c.fn), "xyzw", "w"),
        (lambda c: c.min(c.tp, c.tp), "xyzw", "w"),
        (lambda c: c.ratio(c.fn, c.tp - c.tp, otherwise=5), "xyzw", "5"),
        (lambda c: c.sqrt(c.tp), "xyzw", "sqrt(w)"),
        (lambda c: c.sqrt(c.tp - c.tp), "xyzw", "0"),
        (lambda c: c.tp**2 / c.tp, "xyzw", "w"),
        (lambda c: c.ratio(c.tp, c.tp + c.fn, otherwise=7), "xy00", "7"),
    ],
)
def test_what_is_known_is_decided(definition, rows, wanted):
    assert on(definition, rows).text() == wanted


@pytest.mark.parametrize(
    ("definition", "rows"),
    [
        (lambda c: c.ratio(1, c.tp - c.tp), "xyzw"),
        (lambda c: c.sqrt(-c.tp), "xyzw"),
        (lambda c: c.log(-c.tp), "xyzw"),
        (lambda c: c.log(c.tp - c.tp), "xyzw"),
        (lambda c: c.power(c.tp - c.tp, -1), "xyzw"),
        (lambda c: c.arccos(c.tp + 2), "xyzw"),
        (lambda c: c.arcsin(-c.tp - 2), "xyzw"),
        (lambda c: c.ratio(c.tp, c.tp + c.fn), "xy00"),
        (lambda c: c.ratio(c.tp, c.tp + c.fn) + c.tn, "xy00"),
    ],
)
def test_undefined_terms_follow_the_policy(definition, rows):
    assert on(definition, rows, "nan") is None
    assert on(definition, rows) is None
    assert on(definition, rows, "1/2") is not None


def test_policies_are_numbers():
    for policy in ("x", "1/0", "", "nan ", "1" * 300):
        with pytest.raises(Refused, match="policy"):
            on(lambda c: c.tp, "xyzw", policy)


def test_classes_have_to_be_there():
    """A tree for three classes, or with a third class, means nothing on two."""
    table = gm.measure("average_cost(costs=[[0, 1, 4], [2, 0, 1], [5, 1, 0]])").recorded.tree(3)
    ring = Ring("xyzw")
    rows = [[ring.variable(0), ring.variable(1)], [ring.variable(2), ring.variable(3)]]
    with pytest.raises(Refused, match="number of classes"):
        Meaning(ring, rows, "nan").value(table)


def share_minus(p):
    """Return accuracy plus the part 2^(−7/100) of n, minus the part with another exponent."""
    return lambda c: c.ratio(c.tp + c.tn, c.n) + c.power_mean([c.n, 0], 100 / 7) - c.power_mean([c.n, 0], p)


def test_the_parts_of_different_exponents_are_different_numbers(monkeypatch):
    true = proved(share_minus(100 / 7), "maximal_agreement", domain="all")
    other = gm.measure(share_minus(101 / 7))
    forged = {**true, "measure": {**true["measure"], "tree": tree_data(other.recorded.tree(2))}}
    with pytest.raises(Refused):
        check(forged)
    monkeypatch.setattr(meaning, "share", lambda ring, name: means.share(ring))
    check(forged)
