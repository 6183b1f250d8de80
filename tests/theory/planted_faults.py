"""Faults to plant in the prover: each makes it find proofs of false statements, which the verifier must refuse.

A fault is planted in every module of the prover and of its algebra that knows the faulty function, and stays there
while the certificate is verified.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import goodmeasure.theory.algebra
import goodmeasure.theory.prove
import goodmeasure.theory.verify
from goodmeasure.language.exact.reals import UNDEFINED
from goodmeasure.theory.algebra import class_sums, quantities, slopes
from goodmeasure.theory.algebra.every_m_readings import EveryView
from goodmeasure.theory.algebra.guesses import GuessOrthant, GuessView
from goodmeasure.theory.algebra.orthant import RATIONAL, Orthant
from goodmeasure.theory.algebra.quantities import Quantity
from goodmeasure.theory.algebra.support_patterns import PolynomialView
from goodmeasure.theory.prove import baselines, distance, every_m, moves, signs, support_cases, values

# Whether the verifier computes with the prover's algebra; a fault in what both share shows in neither.
SHARED = any(
    "import goodmeasure.theory.algebra" in line or "from goodmeasure.theory.algebra" in line
    for path in Path(goodmeasure.theory.verify.__file__).parent.glob("*.py")
    for line in path.read_text(encoding="utf-8").splitlines()
)
MODULES = [
    importlib.import_module(f"{room.__name__}.{x.name}")
    for room in (goodmeasure.theory.algebra, goodmeasure.theory.prove)
    for x in pkgutil.iter_modules(room.__path__)
]

Fault = Callable[[Any], Any]  # what a function becomes
Claim = tuple[Any, str]  # a measure, and a property that it lacks for two classes where every class occurs


class Plant(NamedTuple):
    """A fault: what it is planted in, and claims that a prover with the fault proves, though they are false."""

    place: Any
    name: str
    fault: Fault
    claims: tuple[Claim, ...]


@contextmanager
def planted(place: Any, name: str, fault: Fault) -> Iterator[None]:
    """Put a faulty function in place of a method, or of a function in all modules that know it."""
    right = getattr(place, name)
    wrong = fault(right)
    holders = [place] if isinstance(place, type) else [x for x in MODULES if getattr(x, name, None) is right]
    for holder in holders:
        setattr(holder, name, wrong)
    try:
        yield
    finally:
        for holder in holders:
            setattr(holder, name, right)


# Measures, of which brute force knows what they lack


def right(c: Any) -> Any:
    return c.ratio(c.tp + c.tn, c.n)


def errors(c: Any) -> Any:
    return c.ratio(c.fp + c.fn, c.n)


def hits(c: Any) -> Any:
    return c.ratio(c.tp, c.n)


def bias(c: Any) -> Any:
    return 1 - abs(c.ratio(c.fp - c.fn, c.n))


def squares(c: Any) -> Any:
    return c.ratio(c.tp**2 + c.tn**2 - c.fp**2, c.n**2)


def greater(c: Any) -> Any:
    return c.max(c.ratio(c.tp, c.n), c.ratio(c.fp, c.n))


def lesser(c: Any) -> Any:
    return c.min(c.ratio(c.tn, c.n), c.ratio(c.fn, c.n))


def root_of_hits(c: Any) -> Any:
    return c.ratio(c.sqrt(c.tp), c.n)


def roots(c: Any) -> Any:
    return c.ratio(c.sqrt(c.tp * c.n) * c.sqrt(c.tp * c.n) * c.sqrt(c.n), c.n**2)


def more_than_right(c: Any) -> Any:
    return right(c) + 3 * c.sqrt(c.ratio(c.fp, c.n))


def root_of_square(c: Any) -> Any:
    return right(c) + c.ratio(c.sqrt(4 * (c.fp + 1) ** 2), c.n)


def errors_of_all(c: Any) -> Any:
    return c.where(c.n > 0, lambda: errors(c), lambda: right(c))


def errors_below_0(c: Any) -> Any:
    return c.where(-c.n < 0, lambda: errors(c), lambda: right(c))


def hits_where_all_occur(c: Any) -> Any:
    return c.where((c.tp > 0) & (c.tn > 0) & (c.fp > 0) & (c.fn > 0), lambda: hits(c), lambda: right(c))


def squared_correlation(c: Any) -> Any:
    return c.ratio((c.tp * c.tn - c.fp * c.fn) ** 2, (c.tp + c.fp) * (c.tp + c.fn) * (c.tn + c.fp) * (c.tn + c.fn))


def with_rule(c: Any) -> Any:
    return c.ratio(c.tp, c.tp + c.fn + c.fp, otherwise=0) + c.ratio(c.tp * c.fp, c.tp * c.fp, otherwise=0)


def recalls(c: Any) -> Any:
    return c.mean(lambda i: c.ratio(c[i, i], c.a[i], otherwise=0))


def falling(c: Any) -> Any:
    return c.mean(lambda i: c.ratio(c.a[i] + c.b[i], c.a[i] + c.b[i] + c[i, i]))


def all_pairs(c: Any) -> Any:
    """Return what guesses score 0 on, if a class and itself were two different classes."""
    return c.ratio(c.sum(lambda i: c.sum(lambda j: c.a[i] * c.b[j])) - c.n * c.sum_off(lambda i, j: c[i, j]), c.n**2)


def surprise(c: Any) -> Any:
    """Return a sum of logarithms that guesses do not make 0."""
    return c.sum(lambda i: c.xlogy(c.ratio(c[i, i], c.n), lambda: c.ratio(c.n * c[i, i], c.a[i] * c.a[i])))


# Faults


def _first_of(right: Any) -> Any:
    return lambda *given, **options: iter(list(right(*given, **options))[:1])


def _without_last(right: Any) -> Any:
    return lambda *given, **options: list(right(*given, **options))[:-1]


def _without_roots(right: Any) -> Any:
    def times(self: Any, x: Any, y: Any) -> Any:
        total: Any = {}
        for p in right(self, x, y).values():
            total = self.plus(total, {RATIONAL: p})
        return total

    return times


def _first_coefficient(right: Any) -> Any:
    def sign(self: Any, p: Any) -> Any:
        return right(self, p) if p == 0 or self.free else (1 if p.coeffs()[0] > 0 else -1)

    return sign


def _last_coefficient(right: Any) -> Any:
    def sign(self: Any, p: Any) -> Any:
        return right(self, p) if p == 0 or self.free else (1 if p.coeffs()[-1] > 0 else -1)

    return sign


def _never_negative(right: Any) -> Any:
    return lambda self: abs(right(self))


def _without_new_terms(right: Any) -> Any:
    return lambda self, x, y: right(self, x, {key: p for key, p in y.items() if key in x} if x else y)


def _same_cells(right: Any) -> Any:
    return lambda *given, **options: [lambda cells: cells]


def _both_alike(right: Any) -> Any:
    def matrices(self: Any, splits: Any) -> Any:
        before, _ = right(self, splits)
        return before, before

    return matrices


def _turned_round(right: Any) -> Any:
    def matrices(self: Any, splits: Any) -> Any:
        before, after = right(self, splits)
        return after, before

    return matrices


def _all_in_one_row(right: Any) -> Any:
    def cells(reader: Any, a: Any, b: Any) -> Any:
        m = reader.m
        x = reader.gens[m * m]
        return [x if i and j else reader.orthant.constant(0) for i in a for j in b]

    return cells


def _only_the_first_side(right: Any) -> Any:
    return lambda self, support, side: right(self, support, (0, 1))


def _one_of_m(right: Any) -> Any:
    def simple(ring: Any, kind: Any, depth: Any, key: Any, local: Any, below: Any) -> Any:
        return quantities.of_polynomial(ring, ring.variables["n"])

    return simple


def _says(node: Any) -> Fault:
    return lambda right: lambda *given, **options: dict(node)


FAULTS: dict[str, Plant] = {
    # Arithmetic
    "a subtraction adds": Plant(
        Quantity,
        "__sub__",
        lambda right: lambda s, o: s + o,
        (
            (errors, "monotone"),
            (errors, "maximal_agreement"),
        ),
    ),
    "a subtraction from a number adds": Plant(
        Quantity, "__rsub__", lambda right: lambda s, o: s + o, (("f1", "distance"),)
    ),
    "a sign is not turned": Plant(
        Quantity,
        "__neg__",
        lambda right: lambda s: s,
        (
            (errors, "monotone"),
            (errors, "maximal_agreement"),
        ),
    ),
    "a product forgets a factor": Plant(
        Quantity,
        "__mul__",
        lambda right: lambda s, o: right(s, 1),
        (
            (squares, "symmetry"),
            (squares, "class_symmetry"),
        ),
    ),
    "a product is a sum": Plant(
        Quantity,
        "__mul__",
        lambda right: lambda s, o: s + o,
        (
            (errors, "monotone"),
            (errors, "strongly_monotone"),
        ),
    ),
    "a quotient is turned over": Plant(
        Quantity,
        "__truediv__",
        lambda right: lambda s, o: right(s * 0 + o, s) if s.num else UNDEFINED,
        (
            (errors, "monotone"),
            (errors, "minimal_agreement"),
        ),
    ),
    "a quotient forgets the divisor": Plant(
        Quantity, "__truediv__", lambda right: lambda s, o: s, ((hits, "opitz_monotone"),)
    ),
    "a power is too small": Plant(
        Quantity, "__pow__", lambda right: lambda s, r: right(s, 1), ((squares, "maximal_agreement"),)
    ),
    "an absolute value keeps its sign": Plant(
        Quantity, "__abs__", lambda right: lambda s: s, ((bias, "sebastiani_con"),)
    ),
    "terms with new roots are dropped": Plant(
        Orthant,
        "plus",
        _without_new_terms,
        (
            (more_than_right, "monotone"),
            (roots, "opitz_monotone"),
        ),
    ),
    "roots are lost in products": Plant(Orthant, "times", _without_roots, ((roots, "scale_invariance"),)),
    "a root loses what stands before it": Plant(
        Orthant,
        "root",
        lambda right: lambda s, p: (s.one, right(s, p)[1]),
        (
            (root_of_square, "monotone"),
            (root_of_square, "maximal_agreement"),
            (root_of_square, "symmetry"),
        ),
    ),
    "a square root is forgotten": Plant(
        quantities,
        "sqrt",
        lambda right: lambda x: x,
        (
            (root_of_hits, "scale_invariance"),
            (root_of_hits, "sebastiani_con"),
        ),
    ),
    # Signs and comparisons
    "a sign is never negative": Plant(
        Quantity,
        "sign",
        _never_negative,
        (
            (errors_below_0, "monotone"),
            (errors_below_0, "maximal_agreement"),
        ),
    ),
    "greater means less": Plant(
        Quantity,
        "__gt__",
        lambda right: Quantity.__lt__,
        (
            (errors_of_all, "monotone"),
            (errors_of_all, "maximal_agreement"),
        ),
    ),
    "only the first coefficient counts": Plant(
        Orthant,
        "sign_by_coefficients",
        _first_coefficient,
        (
            (bias, "maximal_agreement"),
            ("f1", "distance"),
        ),
    ),
    "only the last coefficient counts": Plant(
        Orthant,
        "sign_by_coefficients",
        _last_coefficient,
        (
            (bias, "maximal_agreement"),
            (bias, "monotone"),
        ),
    ),
    "the greater value is the first": Plant(
        PolynomialView,
        "max",
        lambda right: lambda s, *x: s._of(x[0]),
        (
            (greater, "symmetry"),
            (greater, "sebastiani_con"),
        ),
    ),
    "the lesser value is the first": Plant(
        PolynomialView,
        "min",
        lambda right: lambda s, *x: s._of(x[0]),
        (
            (lesser, "symmetry"),
            (lesser, "sebastiani_con"),
        ),
    ),
    "a choice takes the other branch": Plant(
        PolynomialView,
        "where",
        lambda right: lambda s, c, x, y: right(s, not c, x, y),
        (
            (errors_of_all, "monotone"),
            (errors_of_all, "maximal_agreement"),
        ),
    ),
    "a rule for 0/0 is ignored": Plant(
        PolynomialView,
        "ratio",
        lambda right: lambda s, x, y, otherwise=None: right(s, x, y, 1),
        (
            (with_rule, "symmetry"),
            (with_rule, "sebastiani_con"),
        ),
    ),
    "everything is positive": Plant(
        signs,
        "positive",
        _says({"by": "coefficients", "of": "[1]*sqrt(1)"}),
        (
            (errors, "monotone"),
            (errors, "minimal_agreement"),
        ),
    ),
    "everything is 0": Plant(
        signs,
        "zero",
        _says({"by": "zero"}),
        (
            (hits, "class_symmetry"),
            (errors, "opitz_chance_corrected_strictly"),
        ),
    ),
    "nothing varies": Plant(
        values,
        "varies",
        lambda right: lambda value: False,
        (
            (errors, "constant_baseline"),
            (hits, "approximate_constant_baseline"),
        ),
    ),
    # Derivatives and limits
    "a slope falls": Plant(
        slopes,
        "derivative",
        lambda right: lambda x, along: -right(x, along),
        (
            (errors, "monotone"),
            (errors, "strongly_monotone"),
        ),
    ),
    # Cases
    "a support is left out": Plant(
        values,
        "in_domain",
        lambda right: lambda r, d: iter(list(right(r, d))[:-1]),
        (
            (hits_where_all_occur, "class_symmetry"),
            (hits_where_all_occur, "maximal_agreement"),
        ),
    ),
    "only the first support is looked at": Plant(
        values,
        "in_domain",
        _first_of,
        (
            (errors, "minimal_agreement"),
            (hits, "minimal_agreement"),
        ),
    ),
    "only the first case of a move is looked at": Plant(
        moves,
        "_cases",
        _first_of,
        (
            (hits, "opitz_monotone"),
            (hits, "strongly_monotone"),
        ),
    ),
    "a branch of a split is dropped": Plant(
        support_cases,
        "settle",
        _without_last,
        (
            (bias, "monotone"),
            (hits, "sebastiani_fix"),
        ),
    ),
    "before and after are alike": Plant(
        moves.MoveCase,
        "matrices",
        _both_alike,
        (
            (errors, "opitz_monotone"),
            (hits, "opitz_monotone"),
        ),
    ),
    "before and after are exchanged": Plant(
        moves.MoveCase,
        "matrices",
        _turned_round,
        (
            (errors, "monotone"),
            (errors, "strongly_monotone"),
        ),
    ),
    "an image is the matrix itself": Plant(
        values,
        "images",
        _same_cells,
        (
            (hits, "class_symmetry"),
            (greater, "symmetry"),
        ),
    ),
    "diagonal and zero diagonal are exchanged": Plant(
        support_cases, "is_diagonal", lambda right: support_cases.is_zero_diagonal, ((errors, "maximal_agreement"),)
    ),
    "independent labelings are all alike": Plant(
        baselines,
        "independent_cells",
        _all_in_one_row,
        (
            (errors, "approximate_constant_baseline"),
            (errors, "constant_baseline"),
        ),
    ),
    "no direction keeps the class sizes": Plant(
        baselines, "margin_directions", lambda right: lambda a, b: [], ((squared_correlation, "constant_baseline"),)
    ),
    "one formula is said to hold everywhere": Plant(
        baselines,
        "same_formula",
        lambda right: lambda *x, **y: None,
        (
            (with_rule, "sebastiani_con"),
            ("f1", "sebastiani_con"),
        ),
    ),
    "three labelings are one pair": Plant(
        distance.Triples,
        "matrix",
        _only_the_first_side,
        (
            ("f1", "distance"),
            ("mcc", "distance"),
        ),
    ),
}

# Faults in what only proofs for every number of classes use, with claims about every number of classes.
FOR_EVERY_NUMBER: dict[str, Plant] = {
    "every sum over classes is n": Plant(
        class_sums,
        "_simple",
        _one_of_m,
        (("accuracy", "constant_baseline"), ("accuracy", "symmetry"), (recalls, "symmetry")),
    ),
    "exchanged labels are the same": Plant(
        EveryView, "T", lambda right: property(lambda self: self), ((recalls, "symmetry"),)
    ),
    "a sum over classes forgets its terms": Plant(
        class_sums,
        "apart",
        lambda right: lambda ring, *x: quantities.constant(ring, 0),
        ((recalls, "symmetry"), (recalls, "constant_baseline")),
    ),
    "all differences are positive": Plant(
        signs, "positive", _says({"by": "coefficients", "of": "[1]*sqrt(1)"}), ((falling, "monotone"),)
    ),
    "only the first of the nine sums matters": Plant(
        every_m,
        "demanded",
        lambda right: lambda before, after, s, d: right(before, after, s, d) and sum(before) == 9,
        (("sba", "strongly_monotone"), ("balanced_accuracy", "monotone")),
    ),
    "a class and itself are two classes": Plant(
        GuessView,
        "sum_off",
        lambda right: lambda self, term, over=None: self._sum(lambda i: self._sum(lambda j: self._of(term(i, j)))),
        ((all_pairs, "opitz_chance_corrected_completely"), (all_pairs, "opitz_chance_corrected_strictly")),
    ),
    "every logarithm is 0": Plant(
        GuessView,
        "xlogy",
        lambda right: lambda self, *x: quantities.constant(self.orthant, 0),
        ((surprise, "opitz_chance_corrected_completely"),),
    ),
    "sizes are never 0": Plant(
        GuessOrthant,
        "_kinds",
        lambda right: lambda self, name: ("inside",),
        (("kappa", "opitz_chance_corrected_completely"), ("mcc", "opitz_chance_corrected_completely")),
    ),
    "whatever is left counts errors": Plant(
        every_m,
        "prove_distance",
        lambda right: lambda every, best: [{"proof": {"by": "errors"}}],
        ((recalls, "distance"), ("kappa", "distance")),
    ),
}
