"""Formulas typed as text: their values, their Python, and what is refused with its place."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import goodmeasure as gm
from goodmeasure.catalogue.measure import Measure, as_measure
from goodmeasure.catalogue.register import entry_of
from goodmeasure.language.typed.formula import TypedFormula
from goodmeasure.language.typed.syntax import FormulaError

MCC = """
A = c.sum(lambda i: c.a[i] * (c.n - c.a[i]))
B = c.sum(lambda i: c.b[i] * (c.n - c.b[i]))
hits = c.sum(lambda i: c[i, i])
constant = lambda: c.where((A == 0) & (B == 0), lambda: c.where(hits == 0, -1, 1), 0)
c.ratio(c.sum(lambda i: c.n * c[i, i] - c.a[i] * c.b[i]), c.sqrt(A * B), otherwise=constant())
"""
SAME = {
    "tp / (tp + fn)": "recall",
    "c.ratio(2*c.tp, 2*c.tp + c.fn + c.fp, otherwise=1)": "f1",
    "(tp + tn) ÷ n": "accuracy",
    "sum(lambda i: c[i, i]) / n": "accuracy",
    "mcc(c)": "mcc",
    "gm.kappa(c)": "kappa",
    MCC: "mcc",
    "p = c.sum(lambda i: c.a[i]*c.b[i]); c.ratio(n*sum(lambda i: c[i,i]) − p, n² - p, otherwise=1)": "kappa",
    """def k(c):
        recall = lambda i: c.ratio(c[i, i], c.a[i])  # of one class
        return c.ratio(c.m * c.mean(recall, over=lambda i: c.a[i] > 0) - 1, c.m - 1)""": "k",
    "lambda c: c.mean(lambda i: f1(c.vs_rest(i)), over=c.occurs)": "macro(f1)",
    "c.mean(lambda i: recall(c.vs_rest(i)), weights=c.a, undefined=c.skip)": "accuracy",
}  # fmt: skip


def named(name):
    found = entry_of(name)
    return found if isinstance(found, Measure) else None


def measure(text):
    formula = TypedFormula(text, named)
    return Measure.from_tree(formula.tree, formula.name)


def matrices(m):
    found = np.random.default_rng(m).integers(0, 4, (40, m, m))
    return found[found.sum(axis=(1, 2)) > 0]


@pytest.mark.parametrize(("text", "name"), SAME.items())
def test_a_formula_has_the_values_of_its_measure(text, name):
    f, expected = measure(text), gm.measure(name)
    batch = matrices(2 if f.classes == 2 else 3)
    np.testing.assert_allclose(f(batch), expected(batch), rtol=1e-12)
    np.testing.assert_allclose([f(x) for x in batch], f(batch), rtol=1e-12)
    assert f.exact(batch[0]) == expected.exact(batch[0])


OTHERS = [
    "0.5*tp/n + 1/3",
    "tp**0.5 + tn^2",
    "√(tp*tn)",
    "min(tp, tn) / max(tp, tn, 1)",
    "c.table([[0, 1], [5, 0]])[0, 1] * fp",
    "c.where(tp == 0 or not (fp > 2 and tn < 2), 1, c.undefined)",
    "c.sum_off(lambda i, j: c[i, j])",
    "x = c.T\nx.fp - -tn",
    "power_mean([tp, tn], -1)",
    "inf = 3\ntp * inf",
    "tp^(1/2) + power(tn, 1/4) + power_mean([tp, tn], p=1/2)",
    "f = lambda i: c[i, i]\nc.product(f) / (1 + c.sum(f, over=lambda i: c[i, i] ≥ 1))",
]


@pytest.mark.parametrize("name", ["recall", "f1", "accuracy", "mcc", "kappa", "k"])
def test_a_formula_is_the_recorded_definition(name):
    assert gm.measure(name).tree in [TypedFormula(text, named).tree for text in SAME]


@pytest.mark.parametrize("text", [*SAME, *OTHERS])
def test_the_same_function_in_python_has_the_same_values(text):
    f = measure(text)
    names = {"gm": gm}
    exec(TypedFormula(text, named).python, names)
    again = as_measure(names[f.name])
    assert again.tree is f.tree or "1/3" in text  # which Python divides anew each time
    batch = matrices(2)
    np.testing.assert_allclose([again(x) for x in batch], [f(x) for x in batch], rtol=1e-12)


def test_the_printed_formula_comes_from_the_text():
    assert measure("tp / (tp + fn)").formula == gm.recall.formula
    assert measure("tp/n").classes == 2
    assert measure("sum(lambda i: c[i, i])").classes is None


def test_every_division_is_told_apart():
    told = measure("tp/(tp + fn) + tn/(tn + fp)").explain([[0, 0], [1, 2]])
    assert len(told.notes) == 1
    assert "negative" in told.notes[0] or "every item is of class" in told.notes[0]


def test_names_inside_of_a_function_are_its_own():
    text = "i = n\nwhole = lambda: i\nc.sum(lambda i: whole() * c[i, i])"
    assert measure(text)([[1, 2], [3, 4]]) == 50


WRONG = {
    "": (0, "the formula ends where something is missing"),
    "tp +": (4, "the formula ends"),
    "(tp": (3, "where ')' is missing"),
    "tp)": (2, "')' is not expected here"),
    "c": (0, "c is a matrix: expected a number, such as c.n"),
    "c.tpp": (2, "'tpp' is not known here: did you mean tp?"),
    "tpp": (0, "did you mean tp"),
    "c.sum(c.tp)": (6, "expected a function of a class"),
    "c.sum(lambda i: i)": (16, "i is a class: expected a number"),
    "c.sum(lambda i, j: c[i, j])": (6, "expected a function of a class, such as lambda i: c[i, i]"),
    "c.sum(c.occurs)": (6, "c.occurs is a condition: expected a number"),
    "c[2, 1]": (2, "expected a class"),
    "c[0]": (0, "a matrix takes two classes in brackets"),
    "n[0]": (0, "a number takes no class in brackets"),
    "c.where(tp, 1, 2)": (8, "expected a condition"),
    "c.ratio(1)": (0, "missing a required argument: 'y'"),
    "c.ratio(1, 2, 3, 4)": (0, "too many positional arguments: it takes x, y, otherwise"),
    "c.ratio(tp, fp, other=1)": (0, "unexpected keyword argument 'other': it takes x, y, otherwise"),
    "c.ratio(tp, y=fp, 1)": (19, "positional argument follows keyword argument"),
    "c.ratio(tp fp)": (8, "'tp' is not expected here: a sign or a comma is missing after it"),
    "c.mean(lambda i: c[i, i], 2, weights=c.a)": (0, "weights= needs p=1"),
    "c.table([[1, 2]])[0, 1]": (0, "the table is"),
    "c.mean(lambda i: c[i, i], weights=c.n)": (34, "expected class sizes"),
    "tp if fp else fn": (3, "say c.where(condition, x, y) instead"),
    "f1": (0, "f1 is a function without its arguments: expected a number"),
    "f1(c, c)": (0, "'f1(c, c)' is not possible here"),
    "c.sum": (0, "c.sum is a function without its arguments: expected a number"),
    "1/0": (0, "divided by 0"),
    "tp**tp": (4, "tp is a number: expected a number from −100 to 100 that is written out"),
    "10**20**20": (4, "expected a number from −100 to 100"),
    "tp² ** 3": (2, "'²' is not a symbol of the language"),
    "tp**inf": (4, "inf is a number: expected a number from −100 to 100"),
    "mean(lambda i: a[i], p=-tp)": (23, "expected a number from −100 to 100 that is written out, or inf"),
    "tp // 2": (4, "'/' is not expected here"),
    "0 < tp < 1": (9, "two comparisons"),
    "tp, fn": (2, "',' is not expected here"),
    "tp = , fn": (5, "',' is not expected here"),
    "tp = ": (5, "the formula ends where something is missing"),
    "tp; fn": (4, "'fn' is not expected here"),
    "c = 1\nc": (4, "c is the matrix"),
    "9" * 30: (0, "too many digits"),
    "1e400": (0, "too many digits"),
    "2**20 * 2**20 * " * 12 + "1": (None, "too many digits"),
    "(" * 300 + "tp" + ")" * 300: (None, "not expected here"),
    "-" * 1990 + "tp": (None, "nested too deeply"),
    "-" * 200 + "tp": (150, "nested too deeply"),
    "√" * 2 + "tp": (1, "'√' is not expected here"),
    "tp = 3\ntp +\n": (11, "the line ends where something is missing"),
    "tp" + "**2" * 100: (None, ""),
    "c.sum(lambda i: c.sum(lambda j: c.sum(lambda k: c.sum(lambda l: c[i, j]))))": (48, "nested too deeply"),
    "+".join(["tp"] * 600): (None, "give parts of it names"),
    "c" + ".T" * 900 + ".tp": (None, "nested too deeply"),
    "f = lambda: tp" + "+tp" * 140 + "\ng = lambda: f()" + "+tp" * 140 + "\ng() / n": (None, "nested too deeply"),
    "tp + " * 500: (2000, "has 2,500 characters"),
    "x" * 1_000_000: (2000, "has 1,000,000 characters"),
}


@pytest.mark.parametrize("text", WRONG, ids=lambda x: x[:30])
def test_what_is_wrong_is_said_with_its_place(text):
    position, words = WRONG[text]
    with pytest.raises(FormulaError) as error:
        measure(text)
    assert words in str(error.value)
    assert position in (None, error.value.position)


@pytest.mark.parametrize(
    "text",
    [
        "__import__('os').system('true')", "c.__class__", "c.tp.__class__.__mro__", "().__class__", "c.sum.__globals__",
        "exec('1')", "open('/etc/passwd')", "globals()", "[x for x in y]", "c._margins()", "c.begin()", "c.policy",
        "c.kept", "getattr(c, 'n')", "lambda: 1", "f = lambda i: i; f(f)", "c.T.T.__dict__", "import os", "tp @ fp",
        "x := 1", "c.n.real", "gm.define", "gm.measure('x')", "gm.evaluate(c)", "`tp`", "tp\0", "c['a']", "f'{tp}'",
    ],
)  # fmt: skip
def test_nothing_but_the_language_is_ever_run(text):
    with pytest.raises(FormulaError):
        measure(text)


def test_functions_that_grow_without_end_are_refused():
    lines = ["f0 = lambda: tp", *(f"f{k} = lambda: f{k - 1}() + f{k - 1}()" for k in range(1, 40)), "f39()"]
    with pytest.raises(FormulaError, match="too long"):
        measure("\n".join(lines))


WORDS = st.sampled_from(
    ["c", ".", "tp", "fn", "n", "m", "sum", "lambda", "i", ":", "(", ")", "[", "]", ",", "+", "-", "*", "/", "**", "=",
     "==", "<", "&", "|", "1", "2", "0.5", "\n", ";", "c.a", "c.ratio", "c.where", "c.mean", "c.skip", "otherwise",
     "return", "def", "x", "not", "√", "mcc", "inf", "_", "__class__", "e", "'"]
)  # fmt: skip


@given(st.lists(WORDS, max_size=25))
def test_any_text_is_read_or_refused(words):
    text = " ".join(words)
    try:
        found = TypedFormula(text, named).python
    except FormulaError as error:
        found, place = None, error.position
    if found is None:
        assert 0 <= place <= len(text)
    else:
        TypedFormula(found, named)  # whatever can be read can be written
