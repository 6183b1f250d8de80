"""Read a definition on one support pattern: each cell is identically 0 or a positive variable.

**Definitions.** The support of a confusion matrix is the set of its positive cells. The matrices of m classes fall into
2^(m²) sets by their support, and the matrices of one support S are the points of an open orthant: the cells in S are
variables that take positive values independently of each other, and all other cells are 0. (Counts are whole numbers;
what is shown for all positive reals holds for them in particular.)

**Claim.** If `value_on` returns a quantity, it is the value of the definition at every matrix of the pattern. If it
returns `UNDEFINED`, the definition has a value at none of them.

**Why.** A definition is a tree (`language/tree.py`), from which its numbers are computed as well. Compute it at some
matrix of the pattern with numbers and with quantities side by side. Each arithmetic step on quantities, evaluated at
that matrix, is the same step on numbers (`quantities.py`). The only other thing that a node does with values is to
compare them, in `c.where`, in a condition, or in the zero test of `c.ratio`. A comparison of quantities is answered
only if the answer is the same on the whole orthant, so both take the same branch. By induction over the tree both give
the same value. Two more things can happen in a step. A test whether a value is undefined (`is_undefined`, for the rules
of means and in mapped matrices) compares no numbers: a step gives `UNDEFINED` on quantities only by a comparison with
one answer on the whole pattern, so it does so for numbers too, and `UNDEFINED` spreads through arithmetic in both runs;
so the test has one answer. And ``c.skip`` raises `LeaveOut`. Inside a sum or a mean the language catches it in both
runs alike, and the class is left out of both. At top level nothing is left to sum over, and both readings return what
stands for an undefined measure (`value_of` below).

**Why zero tests resolve.** What decides whether a rule for 0/0 acts are class sizes, their products, and the numbers of
items outside a class. Each of them is a polynomial in the cells with coefficients that are not negative, so on one
pattern it is identically 0 or positive everywhere, and the test has one answer. So finitely many patterns cover all
matrices of m classes, of whatever size, and on each of them a measure of this kind is a single formula. Where a
definition compares something else (the greater of precision and recall, say), the answer may differ within a pattern.
Then `Unsettled` carries the polynomial in doubt, and `prove/support_cases.py` splits the pattern further.

**What is assumed.** Nothing about the function that a user wrote: it is read once, as a tree, and what is computed with
numbers is computed from this tree as well.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, SupportsIndex

from goodmeasure.language import means_of_two
from goodmeasure.language.class_by_class import LoopView
from goodmeasure.language.exact.reals import UNDEFINED, NoValue
from goodmeasure.language.policy import LeaveOut, Policy
from goodmeasure.language.read import read
from goodmeasure.language.tree import Tree
from goodmeasure.language.value import Condition, Exponent
from goodmeasure.language.view import Branch, Chosen, Number, Term, shortest
from goodmeasure.theory.algebra import quantities
from goodmeasure.theory.algebra.mean_square import is_positive_multiple
from goodmeasure.theory.algebra.orthant import Orthant, Outside
from goodmeasure.theory.algebra.quantities import Quantity, Read, quantity

if TYPE_CHECKING:
    from goodmeasure.catalogue.measure import Measure


class ClassCount(int):
    """The number of classes: an integer whose quotients are exact fractions."""

    def __add__(self, other: object) -> ClassCount:
        return ClassCount(int.__add__(self, other)) if isinstance(other, int) else NotImplemented

    __radd__ = __add__

    def __sub__(self, other: object) -> ClassCount:
        return ClassCount(int.__sub__(self, other)) if isinstance(other, int) else NotImplemented

    def __rsub__(self, other: object) -> ClassCount:
        return ClassCount(int.__rsub__(self, other)) if isinstance(other, int) else NotImplemented

    def __mul__(self, other: object) -> ClassCount:
        return ClassCount(int.__mul__(self, other)) if isinstance(other, int) else NotImplemented

    __rmul__ = __mul__

    def __truediv__(self, other: object) -> Fraction:  # type: ignore[override]
        return Fraction(int(self)) / other if isinstance(other, (int, Fraction)) else NotImplemented

    def __rtruediv__(self, other: object) -> Fraction:  # type: ignore[override]
        return Fraction(other) / int(self) if isinstance(other, (int, Fraction)) else NotImplemented


class EveryExponent:
    """The exponent of a power mean, of which only the sign is known: it stands for every real number of that sign.

    Comparisons with numbers take the general branch of a definition; ``float`` gives one sample exponent. See
    `open_exponent.py` for what a proof may use.
    """

    __slots__ = ("positive",)

    def __init__(self, positive: bool) -> None:
        self.positive = positive

    def __le__(self, other: object) -> bool:
        if other != 0:
            raise Outside("an exponent that is left open compares with 0 only")
        return not self.positive

    def __float__(self) -> float:
        return 1.5 if self.positive else -0.5

    def __str__(self) -> str:
        return "r > 0" if self.positive else "r <= 0"


class PolynomialView(LoopView[Read]):
    """The language of ``c`` for one matrix whose cells are quantities on an orthant."""

    def __init__(
        self, cells: Sequence[Sequence[object]], policy: Policy, orthant: Orthant, *, open_order: bool = False
    ) -> None:
        super().__init__([[quantity(orthant, x) for x in row] for row in cells], policy)
        self.orthant = orthant
        self.open_order = open_order  # whether the greater of two values may become an atom if their order is unknown
        self.m = ClassCount(self.m)

    def like(self, cells: list[list[Read]]) -> LoopView[Read]:
        return PolynomialView(cells, self.policy, self.orthant, open_order=self.open_order)

    def no_value(self) -> Read:
        return UNDEFINED

    def is_undefined(self, x: Read | float) -> bool:
        if self.orthant.supposed:
            raise Outside("a test after something was supposed to be defined")
        return x is UNDEFINED

    def _of(self, x: object) -> Quantity | NoValue:
        return quantity(self.orthant, x)

    def sum(self, term: Term[SupportsIndex, Read], over: Chosen[SupportsIndex] | None = None) -> Read:
        return self._of(super().sum(term, over))

    def where(self, condition: Condition | bool, x: Branch[Read], y: Branch[Read]) -> Read:
        return self._of(super().where(condition, x, y))

    def ratio(self, x: Read | float, y: Read | float, otherwise: Branch[Read] | None = None) -> Read:
        return super().ratio(self._of(x), self._of(y), otherwise)

    @property
    def pi(self) -> Read:
        return quantities.of_atom(self.orthant, self.orthant.atom("pi", positive=True))

    def constant(self, number: Read | Number) -> Read:
        return self._of(number)

    def min(self, *values: Read | float) -> Read:
        left_open = self._open(values, "least")
        return super().min(*values) if left_open is None else left_open

    def max(self, *values: Read | float) -> Read:
        left_open = self._open(values, "greatest")
        return super().max(*values) if left_open is None else left_open

    def _open(self, values: tuple[Read | float, ...], kind: str) -> Quantity | None:
        """Return an extreme of some values, as an atom if their order is unknown; None if that is not allowed."""
        self.orthant.extremes = True
        read = [self._of(v) for v in values]
        found = [x for x in read if isinstance(x, Quantity)]
        if not self.open_order or not found or len(found) < len(read):
            return None
        return quantities.extreme(found, kind)

    def power_mean(self, values: Sequence[Read | float], p: Exponent) -> Read:
        if isinstance(p, EveryExponent) and not all(isinstance(x, Quantity) for x in values):
            raise Outside("a power mean of undefined values")
        return super().power_mean(values, p)

    def _middle(self, values: Sequence[Read | float], p: Exponent) -> Read:
        if len(values) == 2 and (isinstance(p, EveryExponent) or p != -1):
            x, y = self._of(values[0]), self._of(values[1])
            assert isinstance(x, Quantity)
            assert isinstance(y, Quantity)
            zeros = [z for z in (x, y) if z == 0]
            if not zeros:
                return quantities.mean(x, y, p if isinstance(p, EveryExponent) else shortest(p))
            if isinstance(p, EveryExponent):  # p > 0 here: M_p(x, 0) = 2^(−1/p)·x, a share that depends on p alone
                share = quantities.of_atom(self.orthant, self.orthant.atom("share", p, positive=True))
                return share * (x if y == 0 else y)
        return super()._middle(values, p)

    def over_mean(self, x: Read | float, u: Read | float, v: Read | float, mean: str, p: int | None = None) -> Read:
        """Return x divided by a mean as an atom: `language/means_of_two.py` has the facts about it that proofs use."""
        name = means_of_two.label(mean, p)
        x, u, v = self._of(x), self._of(u), self._of(v)
        if not (isinstance(x, Quantity) and isinstance(u, Quantity) and isinstance(v, Quantity)):
            return UNDEFINED
        return x / quantities.mean(u, v, name)

    def power(self, x: Read | float, r: Read | Number) -> Read:
        x, r = self._of(x), shortest(r)
        if not isinstance(x, Quantity):
            return x
        sign = x.sign() if r < 0 or r.denominator != 1 else 1
        if (sign == 0 and r < 0) or (sign < 0 and r.denominator != 1):
            return self.undefined()
        return quantities.power(x, r)

    def sqrt(self, x: Read | float) -> Read:
        x = self._of(x)
        if not isinstance(x, Quantity):
            return x
        try:
            return self.undefined() if quantities.is_negative(x) else quantities.sqrt(x)
        except Outside:
            if not is_positive_multiple(x, self.cells):
                raise
            return quantities.nested_root(x, positive=False)

    def log(self, x: Read | float) -> Read:
        x = self._of(x)
        if not isinstance(x, Quantity):
            return x
        return self.undefined() if x.sign() <= 0 else quantities.log(x)

    def arccos(self, x: Read | float) -> Read:
        x = self._of(x)
        if not isinstance(x, Quantity):
            return x
        if x < -1 or x > 1:
            return self.undefined()
        return quantities.of_atom(self.orthant, self.orthant.atom("arccos", x, positive=False))


class SupposingView(PolynomialView):
    """A view on which the root of a value of open sign is read on the supposition that it is defined.

    On a matrix on which the value under the root is negative, the measure has no value, and statements demand nothing
    there. This argument requires that an undefined root makes the whole measure undefined, so nothing in the definition
    may depend on whether the root is defined. Therefore every comparison and every test for undefined values after a
    supposition is refused (a comparison with an undefined value would be False), and nothing is supposed where
    undefined terms are replaced by a number (``undefined=0``).
    """

    def like(self, cells: list[list[Read]]) -> LoopView[Read]:
        return SupposingView(cells, self.policy, self.orthant, open_order=self.open_order)

    def _suppose_defined(self) -> None:
        """Suppose that a term is defined: see the class."""
        if self.policy.name == "number":
            raise Outside("a term that may be undefined, and would be replaced by a number")
        self.orthant.supposed = True

    def sqrt(self, x: Read | float) -> Read:
        try:
            return super().sqrt(x)
        except Outside:
            read = self._of(x)
            assert isinstance(read, Quantity)
            if _is_never_positive(read):
                raise
            self._suppose_defined()
            return quantities.nested_root(read, positive=False)


def _is_never_positive(x: Quantity) -> bool:
    """Return whether a value is minus a square over something positive, so that its root is defined almost nowhere."""
    both = x.as_polynomials()
    if both is None:
        return False
    content, factors = both[0].factor()
    return bool(content < 0) and all(power % 2 == 0 for _, power in factors)


def value_on(
    measure: Measure,
    cells: Sequence[Sequence[object]],
    policy: Policy,
    orthant: Orthant,
    *,
    open_order: bool = False,
    supposing: bool = False,
) -> Quantity | NoValue:
    """Return the value of a measure on these cells, as a quantity that holds on the whole orthant.

    Returns `UNDEFINED` where the measure has no value, and raises `Outside` where it cannot be read. ``supposing``:
    roots may be supposed to be defined, so that the quantity holds where the measure has a value (`SupposingView`).
    """
    orthant.open_order = open_order
    view = SupposingView if supposing else PolynomialView
    tree = measure.recorded.tree(len(cells))
    return value_of(tree, view(cells, policy, orthant, open_order=open_order), exponent_of(measure))


def exponent_of(measure: Measure) -> EveryExponent | None:
    """Return what stands for the exponent that a measure leaves open, if it does."""
    found = getattr(measure, "exponent", None)
    return found if isinstance(found, EveryExponent) else None


def value_of(tree: Tree, view: PolynomialView, exponent: EveryExponent | None = None) -> Quantity | NoValue:
    """Return the value of a tree on a view; `Outside` where its numbers answer something that symbols cannot."""
    view.orthant.supposed = False
    try:
        return quantity(view.orthant, read(tree, view, exponent))
    except LeaveOut:
        return quantity(view.orthant, view.undefined())
    except Outside:
        raise
    except (TypeError, ValueError, ArithmeticError) as error:
        raise Outside(f"{type(error).__name__}: {error}") from None
    finally:
        view.orthant.supposed = False
