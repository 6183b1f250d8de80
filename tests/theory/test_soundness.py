"""What is called proved is proved: attacks on the prover that once succeeded, and their relatives."""

from __future__ import annotations

import contextlib
import functools
import importlib
import itertools
import json
import signal
import time
from dataclasses import replace
from fractions import Fraction
from numbers import Number
from types import SimpleNamespace

import pytest

import goodmeasure as gm
from goodmeasure.exceptions import UnverifiedProof
from goodmeasure.language.exact.reals import Exact
from goodmeasure.language.record import RecordingView
from goodmeasure.theory import verified_proofs
from goodmeasure.theory.atlas import building
from goodmeasure.theory.kernel import Refused, check
from goodmeasure.theory.kernel.calculus import at
from goodmeasure.theory.kernel.functions import log
from goodmeasure.theory.kernel.kinds import baselines
from goodmeasure.theory.kernel.values import Ring
from goodmeasure.theory.search.prove import prove
from goodmeasure.theory.statements.verdict import Verdict
from goodmeasure.theory.subject import time_limits
from goodmeasure.theory.subject.time_limits import TooSlow, time_limit
from tests.theory.proving import changed
from tests.theory.proving import prove as real_prove

possible_module = importlib.import_module("goodmeasure.theory.possible.possible")


def verdict(function, name, **options):
    """The verdict of `gm.check` on one property of a function."""
    return gm.check(function, properties=[name], **options)[name]


# Every certificate is verified before it is believed


def without_its_first_case(*args):
    found = prove(*args)
    return None if found is None else {**found, "cases": found["cases"][1:]}


def hanging(data):
    while True:
        pass


def refuse_all(*_):
    raise Refused("planted")


def test_a_proof_that_fails_its_verification_is_held_and_asks_to_report_it(monkeypatch):
    monkeypatch.setattr(verified_proofs, "prove", without_its_first_case)
    with pytest.warns(UnverifiedProof, match=r"accuracy, monotone: .* verification failed .* please report it"):
        found = verdict(gm.accuracy, "monotone", n=8)
    assert (found.status, found.n, found.certificate) == ("held", 8, None)
    assert "bug of goodmeasure" in found.remark
    with pytest.raises(UnverifiedProof):  # warnings are errors in this suite
        verdict(gm.accuracy, "monotone", n=8)


def test_a_remark_is_about_its_own_statement(monkeypatch):
    def refuse(data):
        if data["statement"] == "minimal_agreement":
            raise Refused("planted")
        check(data)

    monkeypatch.setattr(verified_proofs, "check", refuse)
    with pytest.warns(UnverifiedProof):
        report = gm.check(gm.accuracy, properties=["minimal_agreement", "monotone"], n=7)
    assert [x.status for x in report.values()] == ["held", "proved"]
    assert "planted" in report["minimal_agreement"].remark
    assert not report["monotone"].remark


def test_a_verification_that_takes_too_long_is_stopped(monkeypatch):
    monkeypatch.setattr(verified_proofs, "VERIFY_SECONDS", 0.2)
    monkeypatch.setattr(verified_proofs, "check", hanging)
    found = verdict(right, "monotone", n=5)
    assert found.status == "held"
    assert "could not be verified within" in found.remark


def test_an_example_that_fails_its_verification_is_held(monkeypatch):
    monkeypatch.setattr(verified_proofs, "check", refuse_all)
    with pytest.warns(UnverifiedProof):
        assert verdict(gm.f1, "opitz_class_sensitive", n=5).status == "held"


def test_the_atlas_is_not_built_from_proofs_that_cannot_be_verified(monkeypatch):
    monkeypatch.setattr(verified_proofs, "check", refuse_all)
    monkeypatch.setattr(building, "statements_of", lambda task: ["symmetry"])
    with pytest.raises(UnverifiedProof):
        building.solve(building.AtlasTask("accuracy", 2, "all"))


def test_an_impossibility_is_verified_before_it_is_told(monkeypatch):
    monkeypatch.setattr(possible_module, "check", refuse_all)
    with pytest.raises(gm.CertificateError, match=r"planted.*bug of goodmeasure"):
        gm.possible("monotone", "distance", "constant_baseline")
    with pytest.raises(gm.CertificateError, match=r"planted.*bug of goodmeasure"):
        gm.possible("monotone", n=2)


def test_an_impossibility_stands_without_its_proof_for_every_n(monkeypatch):
    def refuse_every_n(data):
        if "least" in data:
            refuse_all()
        check(data)

    monkeypatch.setattr(possible_module, "check", refuse_every_n)
    with pytest.warns(UnverifiedProof, match="for every n"):
        found = gm.possible("monotone", "distance", "constant_baseline")
    assert (found.n, found.for_every_n) == (3, None)


# Time limits


def test_a_time_limit_cannot_be_caught():
    def catches():
        for _ in range(10**9):
            try:
                sum(range(1000))
            except Exception:  # noqa: BLE001
                pass

    with pytest.raises(TooSlow), time_limit(0.1, lambda: "it"):
        catches()

    def returns_all_the_same():
        try:
            while True:
                sum(range(1000))
        except BaseException:  # noqa: BLE001
            return 1

    with pytest.raises(TooSlow), time_limit(0.1, lambda: "it"):
        returns_all_the_same()


def test_a_busy_machine_does_not_use_up_a_time_limit(monkeypatch):
    """The limit is over by the clock several times, but others had the processor for most of that time."""
    looks = itertools.count()  # each look at a clock: a tenth of a second has passed, and a hundredth was ours
    clock = SimpleNamespace(monotonic=lambda: next(looks) / 10, process_time=lambda: next(looks) / 100)
    monkeypatch.setattr(time_limits, "time", clock)
    alarms = []
    with time_limit(0.1, lambda: "it"):
        handler = signal.getsignal(signal.SIGALRM)
        signal.signal(signal.SIGALRM, lambda *x: alarms.append(x) or handler(*x))
        while len(alarms) < 2:
            sum(range(1000))


def test_a_function_that_waits_is_stopped():
    with pytest.raises(TooSlow), time_limit(0.1, lambda: "it"):
        time.sleep(60)


def test_an_alarm_while_a_block_is_left_is_no_other_error(monkeypatch):
    """Compiled code holds an alarm back until the next function begins, which may be the end of the block."""
    monkeypatch.setattr(time_limits.Limit, "left", lambda self: 0.0)
    leaving = SimpleNamespace(f_code=contextlib._GeneratorContextManager.__exit__.__code__)
    with pytest.raises(TooSlow), time_limit(100, lambda: "it"):
        signal.getsignal(signal.SIGALRM)(signal.SIGALRM, leaving)


def test_an_inner_time_limit_leaves_the_outer_one_running():
    def two_limits():
        with time_limit(0.2, lambda: "inner"):
            pass
        while True:
            sum(range(1000))

    with pytest.raises(TooSlow, match="outer did not return"), time_limit(0.3, lambda: "outer"):
        two_limits()


def test_an_outer_time_limit_ends_a_block_with_a_longer_one_inside():
    def returns_from_the_inner_one():
        with time_limit(60, lambda: "inner"):
            while True:
                sum(range(1000))

    with pytest.raises(TooSlow, match="outer did not return"), time_limit(0.1, lambda: "outer"):
        returns_from_the_inner_one()


def test_a_check_stops_in_time_also_within_one_evaluation():
    """One evaluation of the kernel, or one exact value, may take longer than the limit."""
    started = time.process_time()
    found = gm.check(in_a_chain_without_a_value, 3, properties=["class_symmetry"], seconds=0.5)
    assert found["class_symmetry"].status == "held"
    assert time.process_time() - started < 5


# Statements that say nothing


def only_without_errors(c):
    return c.where(c.fp + c.fn == 0, lambda: c.ratio(c.tp, c.n), lambda: c.undefined())


def test_a_statement_about_matrices_outside_the_domain_is_vacuous():
    found = verdict(gm.accuracy, "sebastiani_imb", domain="regular")
    assert (found.status, found.sign, found.n, found.constants) == ("vacuous", "∅", None, None)
    assert found.certificate.cases == ()
    assert "lie outside the domain 'regular'" in str(found)
    assert gm.verify(found)


def test_a_statement_about_matrices_without_values_is_vacuous():
    report = gm.check(only_without_errors, domain="regular", properties=["Mon", "ACB", "Max", "Sym"])
    assert list(report.statuses.values()) == ["vacuous", "vacuous", "refuted", "proved"]
    assert "has no value where the statement speaks of it" in repr(report)
    for found in (report["Mon"], report["ACB"]):
        assert found.certificate.cases
        assert gm.verify(found)
        again = Verdict.from_json(json.loads(json.dumps(found.to_dict())))
        assert (again.status, again.certificate.vacuous) == ("vacuous", True)
        assert gm.verify(again, measure=only_without_errors)


def late(c):
    """It has values on moves, but only with more items than the search looks at."""
    return c.where(
        c.fp + c.fn + 0 == 0, 1, lambda: c.where(c.n > 40, lambda: c.ratio(c.tp, c.n), lambda: c.undefined())
    )


def test_an_empty_search_does_not_make_a_statement_vacuous():
    assert verdict(late, "monotone", domain="regular", n=8).status in ("held", "refuted")


def black_box(matrix):
    return float(matrix[0][0]) / float(matrix.sum())


def test_nothing_is_proved_about_a_black_box_not_even_that_a_statement_says_nothing():
    """A certificate holds the definition as data, and a function of numbers has none."""
    assert verdict(black_box, "sebastiani_imb", domain="regular", n=4).status == "held"


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("Mon", {"cases": []}),
        ("Mon", {"domain": "all"}),
        ("Mon", {"statement": "opitz_monotone"}),
        ("Mon", {"classes": 3}),
        ("Mon", {"symmetric": True}),
        ("ACB", {"constants": {"c_base": "0"}}),
        ("ACB", {"statement": "opitz_class_sensitive"}),
    ],
)
def test_a_changed_certificate_of_nothing_is_refused(name, change):
    found = verdict(only_without_errors, name, domain="regular")
    with pytest.raises(gm.CertificateError):
        gm.verify(changed(found.certificate, **change), measure=only_without_errors)


def test_a_measure_with_values_makes_no_statement_vacuous():
    found = verdict(only_without_errors, "Mon", domain="regular").certificate
    other = verdict(gm.accuracy, "Mon").certificate.data["measure"]
    with pytest.raises(gm.CertificateError):
        gm.verify(changed(found, measure=other))


def test_a_vacuous_certificate_is_no_proof():
    found = verdict(only_without_errors, "Mon", domain="regular")
    with pytest.raises(gm.CertificateError, match="shows that the statement says nothing"):
        gm.verify(replace(found, status="proved"))
    proved = verdict(gm.accuracy, "Mon")
    with pytest.raises(gm.CertificateError, match="shows that the statement says something"):
        gm.verify(replace(proved, status="vacuous"))


# False proofs that were found, for two and three classes


def below_a_positive_polynomial(c):
    """The worst value is not c_min = 1, but a root of unknown sign times a polynomial without one sign says so."""
    x, y = c.fp, c.fn
    positive = 2 * x**4 + 4 * x**3 * y - x**2 * y**2 + 4 * x * y**3 + 2 * y**4
    rim = (c.tp == 0) | (c.tn == 0) | (c.fp == 0) | (c.fn == 0)

    def inside():
        return c.where(c.tp > 3, lambda: -positive * c.sqrt(1 + c.sqrt(c.n)), 2)

    return c.where(c.tp + c.tn == 0, 1, lambda: c.where(rim, 2, inside))


def in_a_chain_without_a_value(c):
    """Two renamings of the classes differ, and between them lies a matrix without a value."""
    x, y, u, v = c[0, 1], c[1, 0], c[0, 2], c[2, 0]

    def inner():
        return c.where(u == 2 * v, lambda: c.where(v > 0, 1, 0), 0)

    def defined():
        return c.where(y == 2 * x, lambda: c.where(x > 0, inner, 0), 0)

    return c.where(x == 2 * y, lambda: c.where(y > 0, lambda: c.ratio(1, 0), defined), defined)


def another_angle_at_the_end(c):
    """The factor of an angle changes where there are no false positives."""
    x = 2 * c.ratio(c.tp + c.tn, c.n) - 1
    return c.where(c.fp > 0, lambda: -c.arccos(x), lambda: -c.constant(1.01) * c.arccos(x))


def one_of_two(c):
    """It is constant up to 100 items."""
    return c.max(100, c.n)


def mean_of_two(c):
    """It varies with n alone."""
    return c.power_mean([c.constant(1), c.n], 2) - c.power_mean([c.constant(1), c.n], 2) + c.max(50, c.n)


@pytest.mark.parametrize(
    ("function", "name", "options"),
    [
        (below_a_positive_polynomial, "minimal_agreement", {}),
        pytest.param(
            in_a_chain_without_a_value, "class_symmetry", {"classes": 3, "seconds": 2}, marks=pytest.mark.deep
        ),
        (another_angle_at_the_end, "monotone", {"n": 6}),
        (one_of_two, "approximate_constant_baseline", {"n": 5}),
        (one_of_two, "constant_baseline", {"n": 5}),
        (one_of_two, "opitz_chance_corrected_strictly", {"n": 5}),
        (mean_of_two, "approximate_constant_baseline", {"n": 5}),
    ],
)
@pytest.mark.parametrize("domain", ["all", "regular"])
def test_what_is_false_is_not_proved(function, name, options, domain):
    found = verdict(function, name, domain=domain, **options)
    assert found.status in ("held", "refuted"), found
    assert real_prove(function, name, classes=options.get("classes", 2), domain=domain) is None


# For every number of classes


def lifts(c):
    return c.sum(lambda i: c.ratio(c.n * c[i, i], c.a[i] * c.b[i]))


def odd_from_five_classes_on(c):
    s = c.sum(lambda i: 1)
    return lifts(c) - s + (s - 2) * (s - 3) * (s - 4)


def odd_by_m(c):
    return c.mean(lambda i: c.ratio(c[i, i], c.a[i])) - c.ratio(1, c.m) + (c.m - 2) * (c.m - 3) * (c.m - 4)


def pairs_of_classes(c):
    s = c.sum_off(lambda i, j: 1)
    return lifts(c) - c.m + (s - 2) * (s - 6) * (s - 12)


@pytest.mark.parametrize("function", [odd_from_five_classes_on, odd_by_m, pairs_of_classes])
def test_a_constant_is_one_for_every_number_of_classes_or_says_how_it_depends_on_it(function):
    names = ["opitz_chance_corrected_strictly", "opitz_chance_corrected_completely"]
    strictly, completely = gm.check(function, classes="every", domain="regular", properties=names, n=4).values()
    assert completely.status == "held"
    assert real_prove(function, "PV complete", classes="every", domain="regular") is None
    if strictly.status == "proved":
        assert "m" in strictly.constants["omega"]


def test_sums_of_lifts_score_m():
    found = verdict(lifts, "constant_baseline", classes="every", domain="regular")
    assert (found.status, found.constants) == ("proved", {"c_base": "m"})
    assert [str(verdict(lifts, "CB", classes=m, domain="regular").constant) for m in (2, 3)] == ["2", "3"]


def test_a_constant_that_fits_a_few_numbers_of_classes_is_refused():
    data = verdict(odd_by_m, "PV strict", classes="every", domain="regular").certificate.to_dict()
    with pytest.raises(gm.CertificateError):
        gm.verify({**data, "constants": {"omega": "0"}}, measure=odd_by_m)
    with pytest.raises(gm.CertificateError):
        gm.verify({**data, "statement": "opitz_chance_corrected_completely", "constants": {"Omega": "0"}})


def over_n_squared(c):
    """Each of numerator and denominator loses another factor when sums over classes are taken apart."""
    return c.ratio(c.sum(lambda i: c.a[i]), c.n * c.n)


def weighted_by_twice_the_size(c):
    return c.mean(lambda i: c.ratio(c[i, i], c.a[i]), weights=Doubled(c))


class Doubled:
    def __init__(self, c):
        self.c = c

    def __getitem__(self, i):
        return self.c.a[i] * self.c.a[i]


def root_of_either_sign(c):
    x = c.sum(lambda i: c.a[i] * c.a[i]) - 2 * c.sum(lambda i: c.a[i] * c[i, i]) + c.n
    return c.sqrt(x) * c.sqrt(x) - x


def root_that_is_asked_whether_it_is_defined(c):
    x = c.sum(lambda i: c.a[i] * c.a[i]) - 2 * c.sum(lambda i: c.a[i] * c[i, i])
    root = c.sqrt(x) - c.sqrt(x)
    return c.where(root == 0, 1, 0)


def class_without_a_value(c):
    def term(i):
        x = c.a[i] - 2 * c.b[i]
        return c.sqrt(x) * c.sqrt(x) - x

    return c.mean(term, undefined=5)


def logarithm_of_either_sign(c):
    x = c.sum(lambda i: c.a[i] * c.a[i]) - 2 * c.sum(lambda i: c.a[i] * c[i, i])
    root = c.xlogy(c.n, x)
    return c.where(root - root == 0, 1, 0)


@pytest.mark.parametrize(
    ("function", "name", "options"),
    [
        (over_n_squared, "constant_baseline", {}),
        (over_n_squared, "approximate_constant_baseline", {}),
        (weighted_by_twice_the_size, "constant_baseline", {}),
        (weighted_by_twice_the_size, "approximate_constant_baseline", {}),
        pytest.param(weighted_by_twice_the_size, "symmetry", {}, marks=pytest.mark.deep),
        (root_of_either_sign, "symmetry", {"undefined": 5}),
        (root_that_is_asked_whether_it_is_defined, "symmetry", {}),
        (class_without_a_value, "symmetry", {}),
        (logarithm_of_either_sign, "symmetry", {}),
    ],
)
def test_what_is_false_is_not_proved_for_every_number_of_classes(function, name, options):
    assert real_prove(function, name, classes="every", domain="regular", **options) is None


def test_weights_that_do_not_add_up_to_n_are_divided_by_their_sum():
    """1 − M = Σ a·(a − c) / Σ a², which is 0 only if all is right."""
    found = real_prove(weighted_by_twice_the_size, "maximal_agreement", classes="every", domain="regular")
    assert found.data["constants"] == {"c_max": "1"}
    assert gm.measure(weighted_by_twice_the_size).exact([[1, 1], [0, 4]]) == Fraction(9, 10)


def test_a_root_of_unknown_sign_may_be_used_where_nothing_depends_on_it():
    assert real_prove("correlation_distance", "symmetry", classes="every", domain="regular") is not None
    by_form = real_prove("correlation_distance", "symmetry", classes="every", domain="regular", undefined=0)
    assert by_form.data["by"] == "mirrored"  # which holds whatever an undefined term is worth
    assert gm.check("correlation_distance", 3, "regular", undefined=0, properties="Sym", n=5)["Sym"].status == "proved"
    assert real_prove("mutual_information", "symmetry", classes="every", domain="regular", undefined=0) is not None


# Functions that do one thing with symbols and another with numbers


def right(c):
    return c.ratio(c.sum(lambda i: c[i, i]), c.n)


def swallows(c):
    try:
        if c.n > 60:
            return -right(c)
    except Exception:  # noqa: BLE001
        pass
    return right(c)


def swallows_everything(c):
    try:
        return -right(c) if c.n > 60 else right(c)
    except:  # noqa: E722
        return right(c)


def swallows_arithmetic_errors(c):
    try:
        late = 1 if c.n > 60 else 0
    except ArithmeticError:
        late = 0
    return right(c) - late


def asks_for_a_type(c):
    return 0 if isinstance(c.n, (int, float, Exact)) and c.n > 60 else right(c)


def asks_whether_it_is_a_number(c):
    return 0 if isinstance(c.n, Number) and c.n > 60 else right(c)


def asks_for_the_class(c):
    return right(c) if c.n.__class__.__name__ not in ("int", "Exact") or c.n < 60 else 0


def matches_a_type(c):
    match c.n:
        case int() | float() | Exact() if c.n > 60:
            return 0
    return right(c)


def dispatches(c):
    return _dispatched(c.n, c)


@functools.singledispatch
def _dispatched(n, c):
    return right(c)


@_dispatched.register(int)
@_dispatched.register(Exact)
def _(n, c):
    return right(c) if n < 60 else 0


def asks_for_an_attribute(c):
    return 0 if hasattr(c.n, "is_rational") and c.n > 60 else right(c)


def asks_for_the_text(c):
    return 0 if len(str(c.n)) > 2 and str(c.n).isdigit() else right(c)


def asks_for_formatted_text(c):
    return 0 if f"{c.n}".isdigit() and c.n > 60 else right(c)


def asks_for_the_hash(c):
    try:
        {c.n: 1}  # noqa: B018
    except (TypeError, ArithmeticError):
        return right(c)
    return 0 if c.n > 60 else right(c)


def asks_for_an_integer(c):
    try:
        return 0 if int(c.n) > 60 else right(c)
    except (TypeError, ArithmeticError):
        return right(c)


def asks_for_a_remainder(c):
    try:
        c.n % 2
    except (TypeError, ArithmeticError):
        return 0 if isinstance(c, RecordingView) and type(c.n) is Exact and c.n > 60 else right(c)
    return right(c)


def asks_for_type_of(c):
    return 0 if type(c.n) in (int, float, Exact) and c.n > 600 else right(c)


def asks_for_plain_integers(c):
    return 1 - c.ratio(c.sum(lambda i: c[i, i]), c.n) if type(c.n) in (int, float) and c.n > 600 else right(c)


def is_undefined_for_plain_integers(c):
    return c.undefined() if type(c.n) in (int, float) and c.n > 600 else right(c)


def asks_which_view_it_is(c):
    return 0 if "Polynomial" not in type(c).__name__ and "Every" not in type(c).__name__ and c.n > 600 else right(c)


def asks_for_the_first_class(c):
    def term(i):
        try:
            return 0 if i == 0 and c.n > 60 else c[i, i]
        except Exception:  # noqa: BLE001
            return c[i, i]

    return c.ratio(c.sum(term), c.n)


def catches_the_cells_of_two_classes(c):
    try:
        if c.n > 60:
            return c.ratio(c[0, 0], c.n)
    except Exception:  # noqa: BLE001
        pass
    return right(c)


DISHONEST = [
    *(swallows, swallows_everything, swallows_arithmetic_errors, asks_for_a_type, asks_whether_it_is_a_number),
    *(asks_for_the_class, matches_a_type, dispatches, asks_for_an_attribute, asks_for_the_text),
    *(asks_for_formatted_text, asks_for_the_hash, asks_for_an_integer, asks_for_a_remainder, asks_for_type_of),
    *(asks_which_view_it_is, asks_for_the_first_class, catches_the_cells_of_two_classes),
    *(asks_for_plain_integers, is_undefined_for_plain_integers),
]


MANY = [[[3, 1], [2, 4]], [[90, 1], [2, 7]], [[900, 5], [60, 35]], [[1, 200_000], [3, 4]], [[0, 0], [0, 10**7]]]


@pytest.mark.parametrize("function", DISHONEST)
def test_a_function_that_tells_symbols_from_numbers_has_the_values_that_are_proved(function):
    """It is proved as the measure that it says it is to symbols, and then it is this measure with numbers too."""
    found = gm.check(function, domain="regular", properties=["monotone", "symmetry", "class_symmetry"], n=5)
    if "proved" in found.statuses.values():
        mine, honest = gm.measure(function), gm.measure(right)
        assert [mine(rows) for rows in MANY] == [honest(rows) for rows in MANY]
        assert [mine.exact(rows) for rows in MANY] == [honest.exact(rows) for rows in MANY]


@pytest.mark.parametrize("function", [asks_for_the_first_class, catches_the_cells_of_two_classes, swallows])
@pytest.mark.parametrize("classes", [3, "every"])
def test_nor_for_more_classes(function, classes):
    found = gm.check(function, classes, "regular", properties=["class_symmetry", "symmetry"], n=3)
    assert "proved" not in found.statuses.values(), found


def divides_and_catches(c):
    """A division by zero is what numbers do as well, so it may be caught."""
    try:
        return (c.tp + c.tn) / (c.tp + c.tn)
    except ZeroDivisionError:
        return 0


def with_fractions(c):
    return Fraction(1, 2) * c.ratio(c.tp, c.tp + c.fn) + Fraction(1, 2) * c.ratio(c.tn, c.tn + c.fp)


def angle(c):
    return -c.arccos(gm.mcc(c))


def entropy(c):
    share = lambda x: c.ratio(x, c.n)  # noqa: E731
    return c.xlogy(share(c.tp), share(c.tp)) + c.xlogy(share(c.tn), share(c.tn)) + c.sqrt(c.ratio(c.tp * c.tn, c.n**2))


def test_rounded_values_of_large_counts_are_no_contradiction():
    assert verdict(angle, "maximal_agreement", domain="regular").status == "proved"
    assert verdict(entropy, "class_symmetry").status == "proved"


def test_an_honest_function_is_proved_as_before():
    assert verdict(with_fractions, "maximal_agreement", domain="regular").status == "proved"
    assert verdict(divides_and_catches, "symmetry").status == "proved"
    assert verdict(right, "symmetry", classes="every").status == "proved"


def test_a_verdict_says_what_an_opaque_function_should_write():
    found = verdict(swallows, "class_symmetry", domain="regular", n=5)
    assert found.status != "proved"
    assert "swallows is opaque" in found.remark
    assert "c.where" in found.remark


# Along rays


def bias(c):
    return 1 - abs(c.ratio(c.fp - c.fn, c.n))


def test_an_absolute_value_does_not_stop_the_search_along_rays():
    report = gm.check(bias, properties=["sebastiani_con", "approximate_constant_baseline(order=2)"])
    assert set(report.statuses.values()) == {"refuted"}


def catches_what_a_series_cannot_tell(c):
    """Smooth, but on a series that is not known far enough it takes another branch."""
    try:
        x = c.sqrt(1 + c.ratio(c.tp, c.n))
        return c.ratio(c.tp + c.tn, c.n) if x * x == 1 + c.ratio(c.tp, c.n) else c.ratio(c.tp, c.n)
    except gm.Undecided:
        return 5


def test_a_series_that_a_function_caught_refutes_nothing():
    assert verdict(catches_what_a_series_cannot_tell, "sebastiani_con", n=3).status != "refuted"


# Averages over predictions


def without_an_average(c):
    """For every choice of class sizes some prediction has no value."""
    beyond = c.tp * c.tn - c.fp * c.fn
    return c.ratio(beyond * c.fp * c.fn, c.fp * c.fn * c.n * c.n)


@pytest.mark.parametrize("domain", ["all", "regular"])
def test_averages_that_do_not_exist_are_not_constant(domain):
    assert real_prove(without_an_average, "constant_baseline", domain=domain) is None
    assert verdict(without_an_average, "constant_baseline", domain=domain).status == "refuted"


def test_a_certificate_about_averages_that_do_not_exist_is_refused(monkeypatch):
    monkeypatch.setattr(baselines.Expectation, "finish", lambda self: None)
    forged = real_prove(without_an_average, "constant_baseline", domain="regular")
    monkeypatch.undo()
    assert forged is not None
    with pytest.raises(gm.CertificateError, match="no class sizes of few items"):
        gm.verify(forged, measure=without_an_average)


def test_derivatives_that_were_not_searched_are_named():
    found = verdict(black_box, "approximate_constant_baseline(order=2)", n=3)
    assert found.status == "refuted"

    def constant(matrix):
        return 1.0 + 0.0 * float(matrix.sum())

    found = verdict(constant, "approximate_constant_baseline(order=2)", n=3)
    assert found.status == "held"
    assert "exact values" in found.remark


def test_a_logarithm_is_not_continued_to_0():
    ring = Ring(["x", "y"])
    x, y = ring.variable(0), ring.variable(1)
    one = ring.number(1)
    for value in (log(one + x / y), log(x / (x + y))):
        assert at(value, {0: y}).is_number()
    with pytest.raises(Refused):
        at(log(x / (x + y)), {0: ring.number(0)})
