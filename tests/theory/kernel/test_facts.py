"""Every rule about signs: true facts are learnt, and false ones refused, each by the demand that is there for it."""

import pytest

from goodmeasure.theory.kernel import facts
from goodmeasure.theory.kernel.facts import know, learn
from goodmeasure.theory.kernel.refusal import Refused, Unsettled
from goodmeasure.theory.kernel.signs import NEGATIVE, NOT_NEGATIVE, NOT_POSITIVE, NOT_ZERO, POSITIVE, ZERO
from goodmeasure.theory.kernel.texts import parsed, polynomial
from goodmeasure.theory.kernel.values import Ring

SIGNS = {">": POSITIVE, ">=": NOT_NEGATIVE, "<": NEGATIVE, "<=": NOT_POSITIVE}


@pytest.fixture
def ring():
    """Whole numbers x, y, z and real numbers u, v."""
    return Ring("uvxyz", whole="xyz")


def oriented(ring, of, sign):
    """The fact about the polynomial in lowest terms that has the sign, or with the other sign the opposite one."""
    value = parsed(ring, of)
    if value.coefficient == -1 and list(value.powers.values()) == [1]:
        return ring.text(*value.powers), sign.translate(str.maketrans("<>", "><"))
    return of, sign


def learnt(ring, of, sign, by, **fact):
    of, sign = oriented(ring, of, sign)
    learn(ring, [{"of": of, "sign": sign, "by": by, **fact}])
    f = polynomial(ring, of)
    assert ring.facts[f] == SIGNS[sign]


def refused(ring, why, of, sign, by, **fact):
    before = dict(ring.facts)
    of, sign = oriented(ring, of, sign)
    with pytest.raises(Refused, match=why):
        learn(ring, [{"of": of, "sign": sign, "by": by, **fact}])
    assert ring.facts == before


def suppose(ring, text, known):
    know(ring, polynomial(ring, text), known)


# What a fact is


def test_facts_are_objects_with_a_known_rule_and_sign(ring):
    good = {"of": "x*y - x + 1", "sign": ">", "by": "shift"}
    learn(ring, [good])
    for bad in (None, "facts", {"of": 1}, [None], ["x"], [[good]], [{**good, "by": "magic"}], [{**good, "by": None}],
                [{**good, "sign": "="}], [{**good, "sign": "!="}], [{**good, "sign": None}], [{**good, "sign": "≥"}],
                [good] * (facts.MOST + 1)):  # fmt: skip
        with pytest.raises(Refused):
            learn(ring, bad)
    with pytest.raises(Refused, match="the fact about y - x"):
        learn(ring, [{"of": "y - x", "sign": ">", "by": "shift"}])
    learn(ring, [])


def test_a_fact_is_about_a_polynomial_in_lowest_terms(ring):
    for of in ("x - y", "2*y - 2*x", "x*y - x", "1/x", "7", "x/2 + y"):
        with pytest.raises(Refused, match="lowest terms"):
            learn(ring, [{"of": of, "sign": ">", "by": "shift"}])


def test_facts_add_up(ring):
    learnt(ring, "x*y - x - y + 1", ">=", "shift")
    suppose(ring, "x*y - x - y + 1", NOT_ZERO)
    assert ring.facts[polynomial(ring, "x*y - x - y + 1")] == POSITIVE
    learn(ring, [{"of": "x*y - x - y + 1", "sign": ">=", "by": "shift"}])
    assert ring.facts[polynomial(ring, "x*y - x - y + 1")] == POSITIVE


# Products that are known


def test_products_are_multiplied_out(ring):
    learn(ring, [{"of": "y^2 - x^2", "product": ["y - x", "x + y"]}])
    learn(ring, [{"of": "y^2 - 2*x*y + x^2", "product": [["y - x", 2]]}])
    assert ring.signs_of(polynomial(ring, "z - u")) == 7
    assert (ring.variable(3) ** 2 - ring.variable(2) ** 2).powers.keys() == {
        polynomial(ring, "y - x"),
        polynomial(ring, "x + y"),
    }


@pytest.mark.parametrize(
    ("of", "product"),
    [
        ("y^2 - x^2", ["y - x", "y - x"]),  # another product
        ("y^2 - x^2", ["x - y", "x + y"]),  # its negative
        ("y^2 - x^2", ["2*y - 2*x", "x + y"]),  # twice that
        ("y^2 - x^2", ["y^2 - x^2"]),  # itself
        ("y^2 - x^2", [["y - x", 0], "y^2 - x^2"]),
        ("y^2 - x^2", [["y - x", -1], "x + y"]),
        ("y^2 - x^2", [["y - x", 1.0], "x + y"]),
        ("y^2 - x^2", [["y - x", True], "x + y"]),
        ("y^2 - x^2", [["y - x", 101], "x + y"]),
        ("y^2 - x^2", [["y - x", 1, 1], "x + y"]),
        ("y^2 - x^2", "y - x"),
        ("y^2 - x^2", []),
        ("y^2 - x^2", ["y - x", "(x + y)/1/2"]),
        ("2*y^2 - 2*x^2", ["y - x", "2*x + 2*y"]),  # not in lowest terms
    ],
)
def test_other_products_are_refused(of, product, ring):
    with pytest.raises(Refused):
        learn(ring, [{"of": of, "product": product}])
    assert not ring.factored


def test_a_product_has_the_signs_that_its_factors_give(ring):
    f, g = polynomial(ring, "z^2 - y^2"), polynomial(ring, "z^2 - 2*x*z + x^2")
    learn(ring, [{"of": "z^2 - y^2", "product": ["z - y", "y + z"]}])
    assert ring.signs(f) == 7
    suppose(ring, "z - y", NOT_NEGATIVE)
    assert ring.signs(f) == NOT_NEGATIVE
    assert ring.signs(g) == 7
    learn(ring, [{"of": "z^2 - 2*x*z + x^2", "product": [["z - x", 2]]}])
    assert ring.signs(g) == NOT_NEGATIVE


# shift


def test_whole_variables_are_one_or_more(ring):
    learnt(ring, "x*y - x + 1", ">", "shift")
    learnt(ring, "x*y*z - 1", ">=", "shift")
    learnt(ring, "2*x + u - 1", ">", "shift")
    learnt(ring, "u*x - u + v", ">", "shift")


@pytest.mark.parametrize(
    ("of", "sign"),
    [
        ("x*y*z - 1", ">"),  # 0 where all are 1
        ("x*y - 2", ">="),
        ("u*v - 1", ">="),  # these are real numbers
        ("u + x - 1", "<"),
        ("x*y - 1", "<"),
        ("x*y - 1", "<="),
        ("y - x", ">="),
        ("u*x - v", ">"),
    ],
)
def test_shifted_polynomials_have_one_sign(of, sign, ring):
    refused(ring, "another sign", of, sign, "shift")


def test_only_named_variables_are_shifted(ring):
    learnt(ring, "x*y - y + 1", ">", "shift", variables=["x"])
    refused(ring, "another sign", "x*y - x + 2", ">", "shift", variables=["z"])
    refused(ring, "another sign", "u*x - x + 2", ">", "shift", variables=["u", "other"])
    refused(ring, "no list", "x*y - x + 2", ">", "shift", variables="y")


def test_atoms_in_shifted_polynomials_have_their_signs(ring):
    learnt(ring, "x*root(u + v, 2) - root(u + v, 2) + v", ">", "shift")
    refused(ring, "another sign", "x*log(u) + 1", ">", "shift")


# products


def test_sums_of_products_have_the_sign_of_the_products(ring):
    learnt(ring, "y^2 - x*y + x^2", ">", "products", times=["4"], terms=[[1, ["2*y - x", 2]], [3, ["x", 2]]])
    learnt(ring, "v^2 - u*v + u^2", ">", "products", times=[["u + v", 1]], terms=[[1, "u^3 + v^3"]])
    learnt(ring, "y^2 - 2*x*y + x^2 + z", ">", "products", terms=[[1, ["y - x", 2]], [1, "z"]])
    learnt(ring, "2*x*y - y^2 - x^2 - z", "<", "products", terms=[[1, ["y - x", 2]], [1, "z"]])


def test_what_is_supposed_may_be_multiplied(ring):
    suppose(ring, "y - x", NOT_NEGATIVE)
    learnt(ring, "y*z - x*z + u", ">", "products", terms=[[1, "z", "y - x"], [1, "u"]])
    refused(ring, "sign", "y*u - x*u + z*y - z*x - v", ">=", "products", terms=[[1, "u + z", "y - x"], [-1, "v"]])


def test_what_is_supposed_to_vanish_may_have_any_factor(ring):
    suppose(ring, "y - x", ZERO)
    learnt(ring, "u + x*z - y*z", ">", "products", terms=[[-1, "z", "y - x"], [1, "u"]])
    learnt(ring, "u + v*x - v*y", ">", "products", terms=[[-3, "y - x", "v"], [2, "v", "y - x"], [1, "u"]])


@pytest.mark.parametrize(
    ("why", "of", "sign", "more"),
    [
        ("another polynomial", "y^2 - x*y + x^2", ">", {"terms": [[1, ["y - x", 2]]]}),
        ("another polynomial", "y^2 - x*y + x^2", ">", {"times": ["4"], "terms": [[1, ["2*y - x", 2]]]}),
        ("another polynomial", "y^2 - x*y + x^2", ">", {"terms": []}),
        ("another polynomial", "y^2 - x*y + x^2", "<", {"terms": [[1, ["y - x", 2]], [1, "x*y"]]}),
        ("sign", "y - x + z", ">", {"terms": [[1, "y - x"], [1, "z"]]}),
        ("sign", "y - x + z", ">", {"terms": [[1, "y + z"], [-1, "x"]]}),
        ("sign", "y^2 - 2*x*y + x^2 - z", ">=", {"terms": [[1, ["y - x", 2]], [-1, "z"]]}),
        ("sign", "v^2 - u*v - 2*u^2", ">", {"times": ["v - u"], "terms": [[1, "v - u", "v - 2*u", "u + v"]]}),
        ("sign", "y*z - x*z + u", ">", {"times": ["0"], "terms": []}),
        ("sign", "y*z - x*z + u", ">", {"times": ["-1"], "terms": [[-1, "y*z - x*z + u"]]}),
        ("no small whole", "y^2 - x*y + x^2", ">", {"terms": [[1, ["y - x", -2]], [1, "x*y"]]}),
        ("whole number", "y^2 - x*y + x^2", ">", {"terms": [[1.0, ["y - x", 2]], [1, "x*y"]]}),
        ("whole number", "y^2 - x*y + x^2", ">", {"terms": [["1", ["y - x", 2]], [1, "x*y"]]}),
        ("whole number", "y^2 - x*y + x^2", ">", {"terms": [[True, ["y - x", 2]], [1, "x*y"]]}),
        ("no list", "y^2 - x*y + x^2", ">", {"terms": "all"}),
        ("no list", "y^2 - x*y + x^2", ">", {"terms": [1]}),
        ("no list", "y^2 - x*y + x^2", ">", {"times": "4", "terms": []}),
        ("denominator", "y^2 - x*y + x^2", ">", {"terms": [[1, ["y - x", 2]], [1, "x*y^2/y/(x + y)"]]}),
    ],
)
def test_other_sums_of_products_are_refused(why, of, sign, more, ring):
    refused(ring, why, of, sign, "products", **more)


def test_a_square_alone_is_not_positive(ring):
    suppose(ring, "z - y", NOT_NEGATIVE)
    of = "z*u^2 - y*u^2 + x^2*z - x^2*y + z - y"
    refused(ring, "lowest|sign", "y^2 - 2*x*y + x^2", ">", "products", terms=[[1, ["y - x", 2]]])
    learnt(ring, "y^2 - 2*x*y + x^2", ">=", "products", terms=[[1, ["y - x", 2]]])
    refused(ring, "sign", of, ">", "products", terms=[[1, "z - y", "u^2 + x^2 + 1"]])
    learnt(ring, of, ">=", "products", terms=[[1, "z - y", "u^2 + x^2 + 1"]])


# powers


def test_powers_lose_roots(ring):
    learnt(ring, "root(x + y, 2) - root(x, 2)", ">", "powers", up="root(x + y, 2)", degree=2)
    learnt(ring, "x + y - root(x^2 + y^2, 2)", ">", "powers", up="x + y", degree=2)
    learnt(ring, "root(x, 2)*root(y, 2) - x - y", "<", "powers", up="x + y", degree=2)
    learnt(ring, "root(x^3 + y^3, 3) - x", ">", "powers", up="root(x^3 + y^3, 3)", degree=3)


@pytest.mark.parametrize(
    ("why", "of", "sign", "up", "degree"),
    [
        ("sign", "root(x + y, 2) - x", ">", "root(x + y, 2)", 2),  # false
        ("sign", "root(x + y, 2) - root(x, 2)", ">", "root(x + y, 2) - 2*root(x, 2)", 2),  # (−3)² > 2², yet −3 < 2
        ("sign", "y - x", ">", "-x", 2),
        ("wrong sign", "root(x + y, 2) - root(x, 2)", "<", "root(x, 2)", 2),  # false
        ("small whole", "root(x + y, 2) - root(x, 2)", ">", "root(x + y, 2)", 1),
        ("small whole", "root(x + y, 2) - root(x, 2)", ">", "root(x + y, 2)", 61),
        ("small whole", "root(x + y, 2) - root(x, 2)", ">", "root(x + y, 2)", "2"),
        ("small whole", "root(x + y, 2) - root(x, 2)", ">", "root(x + y, 2)", 2.0),
    ],
)
def test_other_powers_are_refused(why, of, sign, up, degree, ring):
    refused(ring, why, of, sign, "powers", up=up, degree=degree)


def test_powers_that_are_equal_show_less(ring):
    """With z = √(x² + y²)² the squares are equal, which shows ≥ 0 and not > 0."""
    suppose(ring, "2*x + y - u^2", ZERO)
    refused(ring, "sign", "u - root(2*x + y, 2)", ">", "powers", up="u", degree=2)
    learnt(ring, "u - root(2*x + y, 2)", ">=", "powers", up="u", degree=2)


# monotone


def test_monotone_functions_compare_as_what_is_in_them(ring):
    learnt(ring, "log(x + y) - log(x)", ">", "monotone", times="1", map="log", above="x + y", below="x")
    learnt(ring, "y*log(x + y) - y*log(x) + z", ">", "monotone", times="y", map="log", above="x + y", below="x")
    learnt(ring, "exp(x + y) - exp(x)", ">", "monotone", times="1", map="exp", above="x + y", below="x")
    of = "acos(x/(x + y)) - acos((x + z)/(x + y + z))"
    about = {"times": "1", "map": "acos", "above": "x/(x + y)", "below": "(x + z)/(x + y + z)"}
    learnt(ring, of, ">", "monotone", **about)
    learnt(ring, "pi - acos(x/(x + y))", ">", "monotone", times="1", map="acos", above="-1", below="x/(x + y)")
    suppose(ring, "y - x", NOT_NEGATIVE)
    learnt(ring, "log(y) - log(x)", ">=", "monotone", times="1", map="log", above="y", below="x")
    refused(ring, "sign", "exp(y) - exp(x)", ">", "monotone", times="1", map="exp", above="y", below="x")


@pytest.mark.parametrize(
    ("why", "of", "sign", "more"),
    [
        ("sign", "log(y) - log(x)", ">", {"times": "1", "map": "log", "above": "y", "below": "x"}),
        ("sign", "log(x + y) - log(x)", "<", {"times": "1", "map": "log", "above": "x + y", "below": "x"}),
        ("sign", "log(x + y) - log(x) - z", ">", {"times": "1", "map": "log", "above": "x + y", "below": "x"}),
        ("sign", "log(x + y) - log(x)", ">", {"times": "1", "map": "log", "above": "x + 2*y", "below": "x"}),
        ("sign", "y*log(x + y) - x*log(x + y) + x*log(x) - y*log(x) + z", ">",
         {"times": "y - x", "map": "log", "above": "x + y", "below": "x"}),
        ("sign", "acos(x/(x + y)) - acos((x + z)/(x + y + z))", "<",
         {"times": "1", "map": "acos", "above": "x/(x + y)", "below": "(x + z)/(x + y + z)"}),
        ("rises", "log(x + y) - log(x)", ">", {"times": "1", "map": "sin", "above": "x + y", "below": "x"}),
        ("rises", "log(x + y) - log(x)", ">", {"times": "1", "map": None, "above": "x + y", "below": "x"}),
        ("sign|not", "log(x + y) - log(x)", ">", {"times": "1", "map": "log", "above": "x + y", "below": "-x"}),
        ("sign", "pi - acos(x/(x + y))", ">", {"times": "1", "map": "acos", "above": "1", "below": "x/(x + y)"}),
    ],
)  # fmt: skip
def test_other_comparisons_are_refused(why, of, sign, more, ring):
    refused(ring, why, of, sign, "monotone", **more)


# logarithm


def test_sums_of_logarithms_are_logarithms_of_products(ring):
    of = "log(x + y) + log(x + z) - log(x^2 + x*y + x*z)"
    learnt(ring, "2*log(x + y) - log(x) - log(y)", ">", "logarithm", times="1", inner="(x + y)^2/(x*y)")
    learnt(ring, "log(x) - log(x + y)", "<", "logarithm", times="1", inner="(x + y)/x")
    refused(ring, "another one|lowest", of, ">", "logarithm", times="1", inner="(x + y)*(x + z)/(x^2)")
    suppose(ring, "y - x", NOT_NEGATIVE)
    learnt(ring, "log(y) - log(x)", ">=", "logarithm", times="1", inner="y/x")


@pytest.mark.parametrize(
    ("why", "of", "sign", "times", "inner"),
    [
        ("another one", "2*log(x + y) - log(x) - log(y)", ">", "1", "(x + y)/(x*y)"),
        ("another one", "2*log(x + y) - log(x) - log(y)", ">", "2", "(x + y)^2/(x*y)"),
        ("another one", "2*log(x + y) - log(x) - log(y) - z", ">", "1", "(x + y)^2/(x*y)"),
        ("sign", "log(y) - log(x)", ">", "1", "y/x"),
        ("sign", "2*log(x + y) - log(x) - log(y)", "<", "1", "x*y/(x + y)^2"),
        ("wrong sign", "log(x + y) - log(x)", "<", "1", "x/(x + y)"),
        ("wrong sign", "log(x + y) - log(x)", "<", "-1", "(x + y)/x"),
    ],
)
def test_other_logarithms_are_refused(why, of, sign, times, inner, ring):
    refused(ring, why + "|sign", of, sign, "logarithm", times=times, inner=inner)


# between


def test_means_lie_between(ring):
    mean = "mean(logarithmic, x, x + y)"
    learnt(ring, f"{mean} - x", ">=", "between", mean=mean)
    ring.facts = {}
    learnt(ring, f"{mean} - x", ">", "between", mean=mean)  # one end is 0, the other is y
    learnt(ring, f"x + 2*y - {mean}", ">", "between", mean=mean)
    learnt(ring, f"x*{mean} - x^2 + z", ">", "between", mean=mean)
    learnt(ring, f"{mean} - 2*x - y", "<", "between", mean=mean)
    suppose(ring, "z - y", NOT_NEGATIVE)
    other = "mean(2/3, y, z)"
    learnt(ring, f"{other} - y", ">=", "between", mean=other)
    refused(ring, "sign", f"{other} - y", ">", "between", mean=other)


@pytest.mark.parametrize(
    ("why", "of", "sign", "mean"),
    [
        ("sign", "mean(logarithmic, x, y) - x", ">", "mean(logarithmic, x, y)"),
        ("sign", "mean(logarithmic, x, x + y) - x - y", ">=", "mean(logarithmic, x, x + y)"),
        ("sign", "mean(logarithmic, x, x + y) - z", ">", "mean(logarithmic, x, x + y)"),
        ("no mean", "mean(logarithmic, x, x + y) - x", ">", "x"),
        ("no mean", "mean(logarithmic, x, x + y) - x", ">", "2*mean(logarithmic, x, x + y)"),
        ("no mean", "log(x) - x", "<", "log(x)"),
        ("linear", "mean(logarithmic, x, x + y) - x", ">", "mean(identric, x, x + y)"),
        ("linear", "mean(logarithmic, x, x + y)^2 - x^2", ">", "mean(logarithmic, x, x + y)"),
        ("linear", "mean(logarithmic, x, x + y)^2 - (2*x + y)*mean(logarithmic, x, x + y) + x^2 + x*y", ">=",
         "mean(logarithmic, x, x + y)"),
    ],
)  # fmt: skip
def test_other_comparisons_with_means_are_refused(why, of, sign, mean, ring):
    refused(ring, why, of, sign, "between", mean=mean)


def test_an_extreme_has_the_sign_that_each_part_gives(ring):
    suppose(ring, "x - 1", NOT_NEGATIVE)
    suppose(ring, "y - 1", POSITIVE)
    learnt(ring, "min(x, y) - 1", ">=", "between", mean="min(x, y)")
    refused(ring, "sign", "min(x, y) - 1", ">", "between", mean="min(x, y)")  # where x is the least, it may be 1
    refused(ring, "sign", "min(x, z) - 1", ">=", "between", mean="min(x, z)")
    suppose(ring, "x - 1", POSITIVE)
    learnt(ring, "min(x, y) - 1", ">", "between", mean="min(x, y)")


def test_an_extreme_lies_on_one_side_of_each_part(ring):
    for least, most, part in (("min(x, y)", "max(x, y)", 0), ("min(u, x)", "max(u, x)", 1)):
        learnt(ring, f"{most} - x + u", ">", "between", mean=most, part=part)
        learnt(ring, f"z*{most} - x*z + v", ">", "between", mean=most, part=part)
        learnt(ring, f"x - {least}", ">=", "between", mean=least, part=part)
        refused(ring, "sign", f"x - {least}", ">", "between", mean=least, part=part)
        refused(ring, "sign", f"x - {least}", ">=", "between", mean=least, part=1 - part)
        refused(ring, "sign", f"x + z - {most}", ">=", "between", mean=most, part=part)  # the other part may be greater
        refused(ring, "sign", f"{least} - x + z", ">=", "between", mean=least, part=part)  # and may be less
        refused(ring, "sign", f"(y - z)*{most} - x*(y - z) + v", ">", "between", mean=most, part=part)
    for part in (2, -1, 0.0, False, None, "0"):
        refused(ring, "no such part", "max(x, y) - x", ">=", "between", mean="max(x, y)", part=part)
    refused(ring, "linear", "max(x, y)^2 - x^2", ">=", "between", mean="max(x, y)", part=0)


# tangents


def test_logarithms_lie_above_their_tangents(ring):
    learnt(ring, "x*log(x + y) - x*log(x) + z", ">", "tangents", terms=[{"times": "x", "inner": "(x + y)/x"}])
    gibbs = "x*log(x) - x*log(x + y) + x*log(2) + y*log(y) - y*log(x + y) + y*log(2)"
    terms = [{"times": "x", "inner": "2*x/(x + y)"}, {"times": "y", "inner": "2*y/(x + y)"}]
    learnt(ring, gibbs, ">=", "tangents", terms=terms)
    refused(ring, "sign", gibbs.replace("x*log(x) ", "x*log(x) - z "), ">=", "tangents", terms=terms)
    learnt(ring, "x - log(x)", ">", "tangents", terms=[{"times": "1", "inner": "1/x"}])
    learnt(ring, "x - 1 - log(x)", ">=", "tangents", terms=[{"times": "1", "inner": "1/x"}])


@pytest.mark.parametrize(
    ("why", "of", "sign", "terms"),
    [
        ("sign", "x - 1 - log(x)", ">", [{"times": "1", "inner": "1/x"}]),
        ("sign", "x - 2 - log(x)", ">=", [{"times": "1", "inner": "1/x"}]),
        ("sign", "log(x)", ">=", [{"times": "1", "inner": "x"}]),
        ("sign", "x - log(x)", ">", [{"times": "-1", "inner": "x"}]),  # the tangent of x from above is none from below
        ("sign", "x - log(x) - 2", ">", [{"times": "x - 2", "inner": "x"}]),
        ("not positive", "x - log(x)", ">", [{"times": "1", "inner": "-1/x"}]),
        ("sign", "x - log(x)", ">", [{"times": "1", "inner": "y - x"}]),
        ("sign", "x - log(x)", ">", []),
        ("no object", "x - log(x)", ">", ["x"]),
        ("no list", "x - log(x)", ">", None),
    ],
)
def test_other_tangents_are_refused(why, of, sign, terms, ring):
    refused(ring, why, of, sign, "tangents", terms=terms)


# Facts rest on facts before them


def test_facts_may_use_those_before_them(ring):
    first = {"of": "x*y*z - 1", "sign": ">=", "by": "shift"}
    second = {"of": "u*x*y*z - u + v", "sign": ">", "by": "products", "terms": [[1, "u", "x*y*z - 1"], [1, "v"]]}
    with pytest.raises(Unsettled):
        learn(ring, [second])
    with pytest.raises(Unsettled):
        learn(ring, [second, first])
    learn(ring, [first, second])


def test_what_is_missing_is_named(ring):
    """A rule says which sign it needs, for the search."""
    for fact, missing in (
        ({"of": "y*z - x*z + u", "sign": ">", "by": "products", "terms": [[1, "z", "y - x"], [1, "u"]]}, "y - x"),
        ({"of": "y - x + u", "sign": ">", "by": "products", "times": ["z - u"], "terms": []}, "z - u"),
        ({"of": "root(y, 2) - root(x, 2)", "sign": ">", "by": "powers", "up": "root(y, 2)", "degree": 2}, "y - x"),
        ({"of": "log(y) - log(x)", "sign": ">", "by": "monotone", "times": "1", "map": "log", "above": "y",
          "below": "x"}, "y - x"),
        ({"of": "log(y) - log(x)", "sign": ">", "by": "logarithm", "times": "1", "inner": "y/x"}, "y - x"),
        ({"of": "mean(1/3, x, y) - u", "sign": ">", "by": "between", "mean": "mean(1/3, x, y)"}, "x - u"),
        ({"of": "x - log(x)", "sign": ">", "by": "tangents", "terms": [{"times": "y - u", "inner": "x"}]}, "y - u"),
    ):  # fmt: skip
        of, sign = oriented(ring, fact["of"], fact["sign"])
        with pytest.raises(Unsettled) as caught:
            learn(ring, [{**fact, "of": of, "sign": sign}])
        assert caught.value.question == polynomial(ring, missing)


def test_what_is_raised_to_a_power_is_not_negative(ring):
    """With U = −x − y and −V = y, U² exceeds V², and yet U + V = −x − 2y is negative."""
    refused(ring, "sign", "x + 2*y", "<", "powers", up="-x - y", degree=2)
    learnt(ring, "x + 2*y", ">", "powers", up="x + 2*y", degree=60)
    refused(ring, "degree", "x + y", ">", "powers", up="x + y", degree=61)


def test_limits_of_facts(ring):
    good = {"of": "x*y - x + 1", "sign": ">", "by": "shift"}
    learn(ring, [good] * facts.MOST)
    assert facts._power(ring, ["x", 100])[1] == 100
    for exponent in (0, 101):
        with pytest.raises(Refused, match="exponent"):
            facts._power(ring, ["x", exponent])
    refused(ring, "another polynomial", "x + y", ">", "products", times=["x"], terms=[[1, "x"], [1, "y"]])


def test_an_unknown_word_is_no_sign(ring):
    suppose(ring, "y - x", NEGATIVE)
    for word in ("≥", "", "less"):
        with pytest.raises(Refused, match="a rule shows"):
            learn(ring, [{"of": "y*z - x*z + y - x", "sign": word, "by": "products", "terms": [[1, "z + 1", "y - x"]]}])
