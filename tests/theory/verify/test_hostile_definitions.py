"""A function that tells symbols from numbers, or counts classes, is refused: else a false claim about it is accepted.

Each function is 0 for symbols. With numbers it is 1 where n = 123,456, which no random matrix meets. So it is neither
invariant under scaling nor constant on guesses, although the certificates about the number 0 say so.
"""

from __future__ import annotations

import copy
import weakref
from fractions import Fraction
from functools import cache

import pytest

import goodmeasure as gm
from goodmeasure.catalogue.measure import as_measure
from goodmeasure.theory.prove.proof import prove
from goodmeasure.theory.statements.certificate import definition_of
from goodmeasure.theory.verify.foreign_code import asks_for_types
from goodmeasure.theory.verify.renaming import tells_no_classes_apart
from goodmeasure.theory.verify.traces import leaves_no_trace


def odd(c):
    return c.constant(1) if c.n == 123_456 else c.constant(0)


# Functions that tell symbols from numbers, for any number of classes


def by_an_exponential(c):
    try:
        c.exp(0)
    except Exception:  # noqa: BLE001
        return c.constant(0)
    return odd(c)


def by_a_quotient_of_m(c):
    return c.constant(0) if isinstance(c.m / 2, Fraction) else odd(c)


def by_an_attribute(c):
    try:
        c.n.num  # noqa: B018
    except AttributeError:
        return odd(c)
    return c.constant(0)


def by_a_pattern(c):
    match c.n:
        case object(num=_):
            return c.constant(0)
    return odd(c)


def by_the_documentation(c):
    return odd(c) if "exact" in c.n.__doc__.lower() else c.constant(0)


def by_what_a_view_has(c):
    return c.constant(0) if hasattr(c, "ground") or hasattr(c, "orthant") else odd(c)


def by_an_attribute_with_a_secret_name(c):
    return c.constant(0) if hasattr(c.n, "".join(("n", "um"))) else odd(c)


def by_a_weak_reference(c):
    try:
        weakref.ref(c.n)
    except TypeError:
        return c.constant(0)
    return odd(c)


def by_an_assignment(c):
    try:
        c.n.flag = 1
    except AttributeError:
        return c.constant(0)
    return odd(c)


def by_being_the_same(c):
    return odd(c) if abs(c.n) is c.n else c.constant(0)


class Asks:
    def __call__(self, c):
        return self.value(c)

    def value(self, c):
        return odd(c) if type(c.n).__name__ == "Exact" else c.constant(0)


ASKS = Asks()


def by_a_method(c):
    return ASKS.value(c)


def by_a_partial_method(c, ask=ASKS.value):
    return ask(c)


class TwoNumbers(int):
    def __int__(self):
        return 1

    @property
    def numerator(self):
        return 0


def by_a_number_of_its_own(c):
    return c.constant(0) if c.constant(TwoNumbers(1)) == 0 else odd(c)


def by_removing_the_mark(c):
    try:
        return odd(c)
    except Exception:  # noqa: BLE001
        c.ground.void = ""
        return c.constant(0)


ALWAYS = [
    by_an_exponential, by_a_quotient_of_m, by_an_attribute, by_a_pattern, by_the_documentation, by_what_a_view_has,
    by_an_attribute_with_a_secret_name, by_a_weak_reference, by_an_assignment,
    by_being_the_same, ASKS, by_a_method, by_a_partial_method,
    by_a_number_of_its_own, by_removing_the_mark,
]  # fmt: skip


# Functions that are only read otherwise if the number of classes is open


def by_remembering_a_refusal(c):
    seen = []

    def over(i):
        try:
            return bool(c.a[i] > c.b[i])
        except BaseException:
            seen.append(None)
            raise

    c.sum(lambda i: c.a[i], over=over)
    return c.constant(0) if seen else odd(c)


def by_the_length_of_sizes(c):
    try:
        len(c.a)
    except TypeError:
        return c.constant(0)
    return odd(c)


def by_the_type_of_sizes(c):
    return odd(c) if isinstance(c.a, list) else c.constant(0)


def by_counting_to_four(c):
    calls = []
    c.sum(lambda i: (calls.append(None), c.a[i])[1])
    return odd(c) if len(calls) > 3 else c.constant(0)


def by_an_attribute_of_the_view(c):
    c.calls = 0

    def term(i):
        c.calls = c.calls + 1
        return c.a[i]

    c.sum(term)
    return odd(c) if c.calls > 3 else c.constant(0)


def by_a_default_value(c):
    def term(i, calls=[]):  # noqa: B006
        calls.append(None)
        return c.a[i] * len(calls[:1])

    c.sum(term)
    return odd(c) if len(term.__defaults__[0]) > 3 else c.constant(0)


def by_an_iterator(c):
    numbers = iter(range(1000))
    c.sum(lambda i: next(numbers) * 0 + c.a[i])
    return odd(c) if next(numbers) > 3 else c.constant(0)


def by_a_nonlocal_number(c):
    calls = 0

    def chosen(i):
        nonlocal calls
        calls += 1
        return True

    c.mean(lambda i: c.a[i], over=chosen)
    return odd(c) if calls > 3 else c.constant(0)


def by_the_last_class(c):
    sizes = []
    c.sum(lambda i: (sizes.append(c.a[i]), c.a[i])[1])
    return c.constant(0) if sizes[-1] - sizes[0] == 0 else odd(c)


def by_what_a_logarithm_asks(c):
    seen = []
    c.sum(lambda i: c.xlogy(c[i, i], lambda: (seen.append(None), c.constant(1))[1]))
    return c.constant(0) if seen else odd(c)


def by_a_branch(c):
    seen = []
    c.sum(lambda i: c.where(c.a[i] * c.b[i] == 0, 0, lambda: (seen.append(None), c.constant(0))[1]))
    return c.constant(0) if seen else odd(c)


def by_who_is_selected(c):
    seen = []
    c.sum(lambda i: (seen.append(None), c.a[i])[1], over=lambda i: c.a[i] > c.b[i])
    return odd(c) if seen else c.constant(0)


def by_a_division(c):
    try:
        c.sum(lambda i: 1 / (c.a[i] - c.a[i]), over=lambda i: c.a[i] > c.b[i])
    except ZeroDivisionError:
        return c.constant(0)
    return odd(c)


class CountingTruth:
    def __init__(self):
        self.asked = []

    def __bool__(self):
        self.asked.append(None)
        return True


def by_a_condition_of_its_own(c):
    condition = CountingTruth()
    c.sum(lambda i: c.a[i], over=lambda i: condition)
    return odd(c) if len(condition.asked) > 3 else c.constant(0)


def by_a_choice_of_its_own(c):
    condition = CountingTruth()
    c.sum(lambda i: c.where(condition, c.a[i], 0))
    return odd(c) if len(condition.asked) > 3 else c.constant(0)


def by_being_true(c):
    many = c.sum(lambda i: 1 if (c.a[i] > c.b[i]) is True else 0)
    return c.where(many == 0, 0, lambda: c.where(c.n == 123_456, 1, 0))


def by_what_can_be_called(c):
    many = c.sum(lambda i: 0 if callable(i) else 1)
    return c.where(many == 0, 0, lambda: c.where(c.n == 123_456, 1, 0))


def by_a_weak_reference_to_a_sum(c):
    try:
        weakref.ref(c.sum(lambda i: c.a[i], over=lambda i: c.a[i] > c.b[i]))
    except TypeError:
        return c.constant(0)
    return odd(c)


def by_turning_twice(c):
    return odd(c) if [c] == [c.T.T] else c.constant(0)


def by_the_matrix_of_the_last_of_two_classes(c):
    same = c.sum(lambda i: 1 if c.vs_rest(i) == c else 0)
    return c.where(same == 0, 0, lambda: c.where(c.n == 123_456, 1, 0))


OPEN = [
    by_remembering_a_refusal, by_the_length_of_sizes, by_the_type_of_sizes, by_counting_to_four,
    by_an_attribute_of_the_view, by_a_default_value, by_an_iterator, by_a_nonlocal_number, by_the_last_class,
    by_what_a_logarithm_asks, by_a_branch, by_who_is_selected, by_a_division, by_turning_twice,
    by_being_true, by_what_can_be_called, by_a_weak_reference_to_a_sum, by_a_condition_of_its_own,
    by_a_choice_of_its_own, by_the_matrix_of_the_last_of_two_classes,
]  # fmt: skip

CLAIMS = [
    ("scale_invariance", 2, "all"),
    ("scale_invariance", "every", "regular"),
    ("opitz_chance_corrected_strictly", "every", "regular"),
    ("opitz_chance_corrected_strictly", "every", "all"),
]


def zero(c):
    return c.constant(0)


@cache
def honest(statement, classes, domain):
    if statement.startswith("opitz"):  # no matrix scores more, which nobody asks of this certificate
        kinds = ("positive", "positive") if domain == "regular" else ("any", "any")
        case = {"true": kinds[0], "predicted": kinds[1], "proof": {"by": "constant"}}
        base = prove("kappa", statement, classes=classes, domain="regular").to_json()
        return {**base, "domain": domain, "cases": [case], "constants": {"omega": "0"}}
    return prove(zero, statement, classes=classes, domain=domain).to_json()


def named(function):
    return getattr(function, "__name__", type(function).__name__)


@pytest.mark.parametrize(
    ("function", "claim"),
    [(f, x) for f in ALWAYS for x in CLAIMS] + [(f, x) for f in OPEN for x in CLAIMS if x[1] == "every"],
    ids=lambda x: named(x) if callable(x) else "-".join(map(str, x)),
)
def test_a_false_claim_about_a_hostile_function_is_refused(function, claim):
    measure = as_measure(function)
    data = {**honest(*claim), "measure": {"name": measure.name, "definition": definition_of(measure)}}
    with pytest.raises(gm.CertificateError):
        gm.verify(data, measure=function)


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda x: "-".join(map(str, x)))
def test_the_same_claims_about_an_honest_function_are_accepted(claim):
    assert gm.verify({**honest(*claim), "measure": {"name": "zero", "definition": definition_of(as_measure(zero))}},
                     measure=zero)  # fmt: skip


def test_a_hostile_function_inside_an_average_is_found():
    assert asks_for_types(gm.macro(gm.measure(by_the_documentation)).function)


def by_policy(c):
    hits = c.sum(lambda i: c[i, i]) / c.n
    return hits if c.policy.resolves else hits + c.where(c.n == 123_456, c[0, 0], 0)


def test_a_definition_must_treat_classes_alike_under_the_policy_in_question():
    measure = as_measure(by_policy)
    assert tells_no_classes_apart(measure, "resolve")
    assert not tells_no_classes_apart(measure, "nan")


def hits(c):
    return c.sum(lambda i: c[i, i]) / c.n


def first_if_equal(c):
    return c[0, 0] if (c.n == 123_456) is True else hits(c)


def first_if_it_has_cells(c):
    try:
        c.cells  # noqa: B018
    except AttributeError:
        return hits(c)
    return c[0, 0] if c.n == 123_456 else hits(c)


def first_if_a_count_has_a_view(c):
    return c[0, 0] if not hasattr(c.n, "_view") and c.n == 123_456 else hits(c)


def first_if_it_can_be_copied(c):
    try:
        copy.deepcopy(c.n)
    except TypeError:
        return hits(c)
    return c[0, 0] if c.n == 123_456 else hits(c)


@pytest.mark.parametrize(
    "function", [first_if_equal, first_if_a_count_has_a_view, first_if_it_has_cells, first_if_it_can_be_copied]
)
def test_a_hostile_function_may_treat_classes_differently(function):
    assert tells_no_classes_apart(as_measure(hits))
    assert not tells_no_classes_apart(as_measure(function))


class Tally:
    def __init__(self):
        self.calls = 0

    def add(self):
        self.__dict__["calls"] = self.calls + 1
        return 1


def test_what_a_call_changes_is_noticed():
    numbers, tally, table = [1], Tally(), {"n": [0]}
    assert leaves_no_trace(lambda: len(numbers) + tally.calls) == (1, True)
    assert leaves_no_trace(tally.add) == (1, False)
    assert leaves_no_trace(lambda: table["n"].append(1)) == (None, False)
    assert leaves_no_trace(lambda: numbers.sort()) == (None, True)
    assert leaves_no_trace(lambda x: [x].append(2), 1) == (None, True)
