"""Check certificates that guessing scores a constant for every number of classes: labelings that are independent.

A guess has the cells c_ij = a_i·b_j/n. So every cell is a formula in the true size of one class and the predicted size
of another, whether the two classes are different or not, and this file reads more of the language on guesses than
`every_m_readings.py` can on all matrices: sums over pairs, mapped matrices, tables of weights, and sizes that may be 0.

**Kinds of sizes.** A case of a certificate says what is known of the true sizes a and of the predicted sizes b:

* ``positive``: each is more than 0, and less than n, since there are at least two classes;
* ``any``: each is from 0 to n;
* ``several``: each is from 0 to less than n, so that at least two classes occur;
* ``constant`` (predictions only): one class has size n, and all others 0;
* ``missing`` (truth only): some class has size 0.

On the domain "regular" all sizes are positive. On "all", the kinds of the true sizes must be ``any``, or ``positive``
and ``missing``, and for each of them those of the predicted sizes ``any``, or ``constant`` and ``several``. These
exhaust all guesses of the domain, so nothing is left out.

**Signs.** A size of one class is 0, n or strictly between, as its kind admits, and the sizes strictly between are in
some order, with ties. `GuessGround.images` writes the sizes in positive variables in each of these ways: the least one
is a variable, each further one is the one before plus a variable or equal to it, and n is the greatest one plus a
variable. Every choice of sizes is among these ways, so a sign that is the same in all of them holds for every guess.
(It is not used that the sizes add up to n: there may be more ways than can occur, never fewer.)

**Sums.** A sum over classes is closed as in `every_m_readings.py`. Its sign is that of its term, if that has one. It is
also positive if its term is never negative, and positive for every class that is predicted (or that is in the truth),
since there is such a class. A sum over pairs of different classes is the sum over all pairs minus the sum over pairs of
a class with itself, where the term is the same formula.

**Tables of weights.** A table whose entry is one formula w(i, j) of the numbers of two classes is read with symbols:
j = i, j = i + d and i = j + d with a positive whole number d. The entry must be 0 for j = i and not negative elsewhere.
Then w_ij is an atom that is never negative, and 0 if i and j are the same class. If all entries off the diagonal are
positive, Σ_j w_ij·t_j with positive t_j is positive, since there is a class j other than i.

**Logarithms.** x·log y is 0 where x is 0, and y is evaluated only where x is not 0. A size that is a factor of x is not
0 there, so y may be worked out on the assumption that such sizes are positive, if what comes out is y = 1: then the
term is 0 wherever x is not 0, and so everywhere. While something is assumed, no atom is made, because its sign might
rest on the assumption.

**Cells that may be 0.** Whether a product of sizes is 0 may stay open (`OpenZero`). Then ``c.where(it is 0, x, y)`` is
x, if y comes out as x on the assumption that these sizes are not 0: where the product is 0 the value is x, and
elsewhere it is y, which is x there.

**Extremes over classes.** If g ≥ 0 does not depend on the class, the least value of g·f over all classes is g times the
least value of f, and likewise the greatest. The extreme of f is an atom (`ExtremeOver`), identified by f with its
letters renamed to those of depth 0. It equals f for some class, so its sign is among the signs that f takes.

**0/y.** If it is open whether y is 0, then 0/y is 0 or has no value, and is supposed to have one (`SupposingView`). So
y may also be `Unknown`: a number, or no value, of which nothing can be asked, such as the number of classes with true
items. A matrix on which the measure has no value is not compared with what was read.

**One predicted class.** If the true sizes are any sizes, the class that all predictions name has true items or has
none; both are read.

**Mapped matrices.** The sizes of a mapped matrix are sums of its cells, which are formulas. If some true class is
missing and the cells of its row have no value, the mapped matrix is broken, and every measure of it is undefined
(`LoopView.finish`), whatever its definition does; `Broken` makes sure that nothing else comes out.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from itertools import product
from typing import TYPE_CHECKING, NoReturn, Self, SupportsIndex

from goodmeasure.language.policy import LeaveOut, Policy, policy_of
from goodmeasure.language.value import Condition
from goodmeasure.language.view import (
    Branch,
    Chosen,
    ClassTable,
    ConstantTable,
    Number,
    PairTerm,
    RowsOfTable,
    Rule,
    Sizes,
    TableEntry,
    Term,
)
from goodmeasure.packages import flint
from goodmeasure.theory.verify.arithmetic import (
    NOT_DOWN,
    UNDEFINED,
    UP,
    ZERO,
    Atom,
    FunctionValue,
    Ground,
    Outcome,
    PointData,
    Poly,
    Refused,
    Signs,
)
from goodmeasure.theory.verify.atoms import ball as value_at
from goodmeasure.theory.verify.certificate_input import function_of_m
from goodmeasure.theory.verify.every_m_readings import (
    DEPTH,
    ClassGround,
    ClassView,
    OneClass,
    close,
    letters_from,
)
from goodmeasure.theory.verify.formula_readings import agrees, read_soundly
from goodmeasure.theory.verify.signs import CertificateError, demand
from goodmeasure.theory.verify.views import FunctionView

if TYPE_CHECKING:
    from goodmeasure.theory.verify.verify import Check

POSITIVE, ANY_SIZE, SEVERAL, CONSTANT, MISSING = "positive", "any", "several", "constant", "missing"
_STATES = {POSITIVE: "-", ANY_SIZE: "0-n", SEVERAL: "0-", CONSTANT: "", MISSING: "0-n"}  # 0, between, or all items
_SIZES = (2, 3, 3, 4, 5)  # numbers of classes of the matrices that a reading is compared on
_DRAWS = 10  # how often they are drawn until the measure has a value on one of them


class GuessGround(ClassGround):
    """The letters of classes where labelings are independent, with the kinds of their true and predicted sizes."""

    def __init__(self, true: str, predicted: str, deadline: float = float("inf")) -> None:
        super().__init__(("s",), present=true == predicted == POSITIVE, independent=True, deadline=deadline)
        self.states = {"a": _STATES[true], "b": _STATES[predicted]}
        self.predicted = predicted
        self.open = 0  # the nesting depth of the sums that are being read
        self.missed = False  # whether the class that all predictions name has no true items

    @contextmanager
    def assuming(self, letters: frozenset[str]) -> Iterator[None]:
        """Work something out where these sizes are not 0."""
        before, self.assumed = self.assumed, self.assumed | letters
        try:
            yield
        finally:
            self.assumed = before

    def left_open(self, difference: FunctionValue, yes: Signs) -> OpenAnswer:
        """Return an open answer; one to the question whether a product of sizes is 0 says so."""
        letters = self.mentioned(difference.num, ()) if not difference.atoms else frozenset()
        sizes = letters & letters_from(0)
        plain = len(difference.num) == 1 and all(x[0] in "ab" for x in sizes)
        return OpenZero(sizes) if yes == ZERO and sizes and plain else OpenAnswer()

    def new_atom(self, key: object, make: Callable[[], Atom]) -> FunctionValue:
        if self.assumed:
            self.refuse("an atom where something is assumed")
        return super().new_atom(key, make)

    def images(self, p: Poly) -> Iterator[list[Poly] | None]:
        """Yield what stands for the variables in each way that the sizes in a polynomial can be."""
        bound = sorted(self.mentioned(p, ()) & letters_from(0))
        if any(x[0] not in "ab" for x in bound):
            yield None
            return
        for states in product(*(self._states(x) for x in bound)):
            between = [x for x, state in zip(bound, states, strict=True) if state == "-"]
            for order in _weak_orders(between):
                yield self._placed(dict(zip(bound, states, strict=True)), order)

    def _states(self, letter: str) -> str:
        states = self.states[letter[0]]
        return states.replace("0", "") if letter in self.assumed else states

    def _placed(self, states: dict[str, str], order: list[list[str]]) -> list[Poly]:
        """Return the images of all variables if sizes are in a given order: equal ones stand together, least first."""
        g, image, last = self.variables, dict(self.variables), self.constant(0)
        for equal in order:
            last = last + g[equal[0]]
            image.update(dict.fromkeys(equal, last))
        if order:
            image["n"] = last + g["w"]
        for x, state in states.items():
            if state != "-":
                image[x] = image["n"] if state == "n" else self.constant(0)
        return list(image.values())

    def signs_of_sum(self, body: FunctionValue, depth: int = 0) -> Signs:
        """Return the signs of the sum of a term over all classes (see the top of this file)."""
        found = super().signs_of_sum(body, depth)
        for side, weak in ((UP, NOT_DOWN), (frozenset({-1}), frozenset({-1, 0}))):
            if found != side and found <= weak:
                for letter in "ab":
                    with self.assuming(frozenset({f"{letter}{depth}"})):
                        if body.signs() == side:
                            return side
                if self._of_others(body, depth) == side:
                    return side
        return found

    def _of_others(self, body: FunctionValue, depth: int) -> Signs:
        """Return the signs of a term w_ij·f for a class j other than i, with positive weights off the diagonal."""
        weights = [self.atoms[k] for k in body.atoms]
        if not any(isinstance(x, TableWeight) and x.positive and x.classes[1] == depth for x in weights):
            return frozenset()
        if not all(isinstance(x, TableWeight) and x.positive for x in weights):
            return frozenset()
        total: Signs = frozenset()
        for q in self.by_atoms(body.num, body.atoms).values():
            total |= self._of_letters(q)
        return total


def _weak_orders(names: list[str]) -> Iterator[list[list[str]]]:
    """Yield all orders of some names, with ties: lists of lists of equal ones, least first."""
    if not names:
        yield []
        return
    first, rest = names[0], names[1:]
    for order in _weak_orders(rest):
        for k in range(len(order)):
            yield [*order[:k], [first, *order[k]], *order[k + 1 :]]
        for k in range(len(order) + 1):
            yield [*order[:k], [first], *order[k:]]


class OpenAnswer:
    """The answer to a comparison that is not settled; only `GuessView.sum` can use it, as that of a condition."""

    __slots__ = ()

    def _asked(self, *_: object) -> NoReturn:
        raise Refused("a comparison is not settled")

    __bool__ = __eq__ = __ne__ = __and__ = __rand__ = __or__ = __ror__ = __invert__ = _asked
    __hash__ = None  # type: ignore[assignment]


class OpenZero(OpenAnswer):
    """The answer whether a product of sizes is 0, where it may be or not; ``c.where`` can use it too."""

    __slots__ = ("sizes",)

    def __init__(self, sizes: frozenset[str]) -> None:
        self.sizes = sizes


class _LeftOpen(Refused):  # a signal inside of `GuessView.sum`
    """It is open which classes a condition selects."""


class Unknown:
    """A number or an undefined value about which nothing is known: arithmetic returns it, and comparisons are refused.

    A view returns it where a value is expected, since it stands for one (``type: ignore[return-value]``).
    """

    __slots__ = ()

    def _same(self, *_: object) -> Self:
        return self

    def _asked(self, *_: object) -> NoReturn:
        raise Refused("a sum over classes that a condition selects")

    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = __rtruediv__ = __pow__ = _same
    __neg__ = __pos__ = __abs__ = _same
    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = __bool__ = _asked
    __hash__ = None  # type: ignore[assignment]


class ExtremeOver(Atom):
    """The least or greatest value of a term over all classes; the term is one in the letters of depth 0."""

    def __init__(self, body: FunctionValue, greatest: bool) -> None:
        super().__init__(body.signs())
        self.body, self.greatest = body, greatest

    def letters(self) -> frozenset[str]:
        return (self.body.letters - letters_from(0)) | {"k"}

    def inside(self) -> list[FunctionValue]:
        return [self.body]

    def ball(self, at: Callable[[FunctionValue], flint.arb], point: PointData) -> flint.arb:
        rows = point["rows"]
        sizes = zip(map(sum, rows), map(sum, zip(*rows, strict=True)), strict=True)
        first, *rest = (value_at(self.body, {**point, "a0": a, "b0": b}) for a, b in sizes)
        for x in rest:
            first = first.max(x) if self.greatest else first.min(x)
        return first


class TableWeight(Atom):
    """The entry w_ij of a table of weights for the classes that are bound at two depths, i the outer one."""

    def __init__(self, entry: TableEntry, outer: int, inner: int, positive: bool, turned: bool) -> None:
        super().__init__(NOT_DOWN)
        self.entry, self.classes, self.positive, self.turned = entry, (outer, inner), positive, turned

    def letters(self) -> frozenset[str]:
        return frozenset(f"a{d}" for d in self.classes)

    def inside(self) -> list[FunctionValue]:
        return []

    def ball(self, at: Callable[[FunctionValue], flint.arb], point: PointData) -> flint.arb:
        i, j = (point[f"i{d}"] for d in self.classes)
        return flint.arb(self.entry(j, i) if self.turned else self.entry(i, j))


def checked_entry(entry: TableEntry) -> bool:
    """Return whether all entries off the diagonal are positive; refuse negative ones, and a diagonal that is not 0."""
    ground = Ground(("x", "d"))
    i, d = ground.value(ground.variables["x"] - 1), ground.value(ground.variables["d"])
    try:
        same, above, below = (ground.read(entry(*x)) for x in ((i, i), (i, i + d), (i + d, i)))
    except Refused as error:
        raise CertificateError("a table of weights cannot be read: {why}", why=error) from None
    demand(isinstance(same, FunctionValue) and same.is_zero, "a weight on the diagonal is not 0")
    demand(
        all(isinstance(x, FunctionValue) and x.signs() <= NOT_DOWN for x in (above, below)), "a weight may be negative"
    )
    return all(isinstance(x, FunctionValue) and x.signs() == UP for x in (above, below))


class GuessClass(OneClass):
    """A class inside a sum on guesses; ``depth`` tells the sums apart, −1 for the class that all predictions name."""

    __slots__ = ("depth",)

    def __init__(self, true: Outcome, predicted: Outcome, depth: int) -> None:
        super().__init__(None, true, predicted)  # type: ignore[arg-type] # a cell is a product of sizes
        self.depth = depth


class GuessView(ClassView):
    """The language of ``c`` on guesses, for any number of classes."""

    def __init__(self, policy: Policy, ground: GuessGround, n: FunctionValue | None = None) -> None:
        super().__init__(policy, ground, ground.value(ground.variables["n"]) if n is None else n)
        self.guess: GuessGround = ground

    # Cells and sizes

    def _class(self, i: object) -> OneClass:
        return i if type(i) is GuessClass else self.ground.refuse("the definition names a class")

    def __getitem__(self, ij: tuple[SupportsIndex | int, SupportsIndex | int]) -> Outcome:
        i, j = self._class(ij[0]), self._class(ij[1])
        return (j.true * i.predicted if self.flipped else i.true * j.predicted) / self._items

    @property
    def T(self) -> GuessView:  # noqa: N802
        turned = GuessView(self.policy, self.guess, self._items)
        turned.flipped = not self.flipped
        return turned

    def map(self, cell: Callable[[SupportsIndex, SupportsIndex], Outcome]) -> FunctionView:
        if self.policy.name == "number":  # it would replace the value of the measure, not that of a cell
            return self.ground.refuse("a mapped matrix whose undefined cells have no number")
        return MappedView(self, cell)

    def table(self, rows: RowsOfTable, legend: str | None = None) -> ConstantTable[Outcome, SupportsIndex]:
        if not isinstance(rows, ClassTable):
            return self.ground.refuse("a table of constants")
        return ConstantTable(partial(self._weight, rows.entry, checked_entry(rows.entry)))

    def _weight(self, entry: TableEntry, positive: bool, i: object, j: object) -> Outcome:
        d, e = self._class(i).depth, self._class(j).depth  # type: ignore[attr-defined]
        if d == e and d >= 0:
            return self.ground.rational(0)
        if min(d, e) < 0:
            return self.ground.refuse("a weight of a class that all predictions name")
        make = partial(TableWeight, entry, min(d, e), max(d, e), positive, d > e)
        return self.ground.new_atom(("weight", id(entry), d, e), make)

    # What is left open

    def where(self, condition: Condition | bool, x: Branch[Outcome], y: Branch[Outcome]) -> Outcome:
        if type(condition) is not OpenZero:
            return super().where(condition, x, y)
        zero = self._branch(x)
        with self.guess.assuming(condition.sizes):
            other = self._branch(y)
        if zero is UNDEFINED or other is UNDEFINED or not (other - zero).is_zero:
            return self.ground.refuse("another value where a size is 0")
        return zero

    def _branch(self, x: object) -> Outcome:
        """Return the value of a branch that is taken for some guesses only."""
        try:
            return self.constant(x() if callable(x) else x)
        except LeaveOut:
            return self.ground.refuse("a class that is left out for some guesses only")

    def ratio(self, x: object, y: object, otherwise: Branch[Outcome] | None = None) -> Outcome:
        top = self.constant(x)
        if top is not UNDEFINED and top.is_zero and otherwise is None and self._may_be_0(y):
            self._suppose()
            return top
        return super().ratio(x, y, otherwise)

    def _may_be_0(self, y: object) -> bool:
        if type(y) is Unknown:
            return True
        value = self.constant(y)
        return value is not UNDEFINED and len(value.signs()) > 1

    def min(self, *values: object) -> Outcome:
        return Unknown() if any(type(x) is Unknown for x in values) else super().min(*values)  # type: ignore[return-value]

    def max(self, *values: object) -> Outcome:
        return Unknown() if any(type(x) is Unknown for x in values) else super().max(*values)  # type: ignore[return-value]

    # Over classes

    def sum(self, term: Term[SupportsIndex, Outcome], over: Chosen[SupportsIndex] | None = None) -> Outcome:
        if over is None:
            return super().sum(term)

        def chosen(i: SupportsIndex) -> bool:
            answer = over(i)
            if type(answer) not in (OpenAnswer, OpenZero):
                return bool(answer)
            with suppress(LeaveOut):
                self.constant(term(i))  # it may be called with numbers, so it must be readable
            raise _LeftOpen

        try:
            return super().sum(term, chosen)
        except _LeftOpen:  # whatever the answer is, the sum is a number or has no value
            return Unknown()  # type: ignore[return-value]

    def least(self, term: Term[SupportsIndex, Outcome], over: Chosen[SupportsIndex] | None = None) -> Outcome:
        return self._extreme(term, over, greatest=False)

    def greatest(self, term: Term[SupportsIndex, Outcome], over: Chosen[SupportsIndex] | None = None) -> Outcome:
        return self._extreme(term, over, greatest=True)

    def _extreme(  # type: ignore[override]
        self, term: Term[SupportsIndex, Outcome], over: Chosen[SupportsIndex] | None, *, greatest: bool
    ) -> Outcome:
        """Return the least or greatest value of a term over classes, as a factor that is not negative times an atom."""
        ground, depth = self.guess, self.guess.open
        if over is not None or depth >= DEPTH or ground.assumed or ground.predicted == CONSTANT:
            return ground.refuse("an extreme over some classes")
        ground.open += 1
        try:
            body = self._term(term, self._any_class(depth))
        finally:
            ground.open -= 1
        if body.atoms or body.is_zero:
            return ground.refuse("an extreme over classes of something else than a quotient of polynomials")
        factor, inner = ground.one, []
        for p, below in ((body.num, False), (body.den, True)):
            content, factors = p.factor()
            left = ground.constant(int(content))
            for f, power in factors:
                value = ground.value(f)
                if value.letters & letters_from(depth) or not value.signs() <= NOT_DOWN:
                    left = left * f**power
                else:
                    factor = factor / value ** int(power) if below else factor * value ** int(power)
            inner.append(left)
        return factor * self._of_any_class(inner, depth, greatest)

    def _of_any_class(self, parts: list[Poly], depth: int, greatest: bool) -> Outcome:
        """Return the extreme over classes of a quotient of polynomials in the letters of one class and n."""
        ground = self.guess
        place = {f"{x}{depth}": ground.variables[f"{x}0"] for x in "ab"}
        if any(ground.mentioned(p, ()) - set(place) - {"n", "k"} for p in parts):
            return ground.refuse("an extreme over classes that depends on another class")
        images = [place.get(name, g) for name, g in ground.variables.items()]
        above, below = (ground.value(p.compose(*images)) for p in parts)
        body = above / below
        return ground.new_atom(("extreme", greatest, *body.key), lambda: ExtremeOver(body, greatest))

    def _sum(self, term: Callable[[GuessClass], Outcome]) -> Outcome:
        ground, depth = self.guess, self.guess.open
        if depth >= DEPTH or ground.assumed:
            return ground.refuse("too many sums inside one another")
        ground.open += 1
        try:
            if ground.predicted != CONSTANT:
                return close(term(self._any_class(depth)), depth)
            true = ground.rational(0) if ground.missed else ground.value(ground.variables["s"])
            named = GuessClass(true, self._whole(), -1)
            other = term(GuessClass(ground.value(ground.variables[f"a{depth}"]), ground.rational(0), depth))
            mine = term(named)
            if other.letters & letters_from(depth):
                return ground.refuse("the terms of classes that are never predicted depend on their true sizes")
            return mine + other * (self.m - 1)
        finally:
            ground.open -= 1

    def _whole(self) -> Outcome:
        return self.ground.value(self.guess.variables["n"])

    def _any_class(self, depth: int) -> GuessClass:
        g = self.guess.variables
        return GuessClass(self.ground.value(g[f"a{depth}"]), self.ground.value(g[f"b{depth}"]), depth)

    def sum_off(self, term: PairTerm[SupportsIndex, Outcome], over: object = None) -> Outcome:
        if over is not None:
            return self.ground.refuse("a sum over some pairs of classes")

        def value(i: SupportsIndex, j: SupportsIndex) -> Outcome:
            found = self.constant(term(i, j))
            return self.ground.refuse("a pair without a value") if found is UNDEFINED else found

        def again(i: GuessClass) -> Outcome:
            return value(i, GuessClass(i.true, i.predicted, i.depth))

        return self._sum(lambda i: self._sum(lambda j: value(i, j))) - self._sum(again)

    # Functions: nothing is supposed to be defined here

    def xlogy(self, x: object, y: object, above: object = None) -> Outcome:
        factor, ground = self.constant(x), self.guess
        if factor is UNDEFINED or factor.is_zero:
            return ground.refuse("a logarithm without a value") if factor is UNDEFINED else factor
        present = ground.mentioned(factor.num.term_content(), ()) if not factor.atoms else frozenset()
        with ground.assuming(frozenset() if ground.present else present & letters_from(0)):
            value = self._branch(y)
        if value is UNDEFINED:
            return ground.refuse("a logarithm without a value")
        return ground.rational(0) if (value - 1).is_zero else factor * self.log(value)

    def power(self, x: object, r: object) -> Outcome:
        return x if type(x) is Unknown else FunctionView.power(self, x, r)  # type: ignore[return-value]

    def arccos(self, x: object) -> Outcome:
        return FunctionView.arccos(self, x)


class MappedView(GuessView):
    """A matrix that is computed cell by cell from a guess; its sizes are sums of its cells."""

    def __init__(self, base: GuessView, cell: PairTerm[SupportsIndex, Outcome]) -> None:
        def value(i: SupportsIndex, j: SupportsIndex) -> Outcome:
            found = base.constant(cell(i, j))
            return base.ground.refuse("a mapped cell without a value") if found is UNDEFINED else found

        self.cell = value
        super().__init__(base.policy, base.guess)
        self._items = self._sum(lambda i: self._sum(lambda j: value(i, j)))

    def __getitem__(self, ij: tuple[SupportsIndex | int, SupportsIndex | int]) -> Outcome:
        return self.cell(*ij)

    @property
    def a(self) -> Sizes[Outcome, SupportsIndex]:
        return Sizes(lambda i: self._sum(lambda j: self.cell(i, j)))

    @property
    def b(self) -> Sizes[Outcome, SupportsIndex]:
        return Sizes(lambda j: self._sum(lambda i: self.cell(i, j)))

    @property
    def T(self) -> GuessView:  # noqa: N802
        return self.ground.refuse("a mapped matrix turned")

    def map(self, cell: Callable[[SupportsIndex, SupportsIndex], Outcome]) -> FunctionView:
        return self.ground.refuse("a mapped matrix mapped again")


class MissingView(GuessView):
    """Guesses where some true class has no items; a sum is undefined if the term of such a class is."""

    def sum(self, term: Term[SupportsIndex, Outcome], over: Chosen[SupportsIndex] | None = None) -> Outcome:
        if over is not None:
            return self.ground.refuse("a sum over some classes")
        return self._undefined_where_missing(term)

    def mean(
        self,
        term: Term[SupportsIndex, Outcome],
        p: Outcome | Number = 1,
        over: object = None,
        undefined: Rule[Outcome, SupportsIndex] | None = None,
        weights: object = None,
    ) -> Outcome:
        if self.ground.plain(p) != 1 or any(x is not None for x in (over, undefined, weights)):
            return self.ground.refuse("a mean with rules")
        return self._undefined_where_missing(term)

    def sum_off(self, term: PairTerm[SupportsIndex, Outcome], over: object = None) -> Outcome:
        return self.ground.refuse("a sum over pairs of classes")

    def map(self, cell: Callable[[SupportsIndex, SupportsIndex], Outcome]) -> FunctionView:
        if self.policy.name == "number":
            return self.ground.refuse("a mapped matrix whose undefined cells have no number")
        self._undefined_where_missing(lambda i: cell(i, self._any_class(1)))
        return Broken(self)  # type: ignore[return-value] # it has every word of a view

    def _undefined_where_missing(self, term: Term[SupportsIndex, Outcome]) -> Outcome:
        missing = GuessClass(self.ground.rational(0), self.ground.value(self.guess.variables["b0"]), 0)
        try:
            value = self.constant(term(missing))
        except LeaveOut:
            return self.ground.refuse("a class that is left out")
        return value if value is UNDEFINED else self.ground.refuse("a class without true items that has a value")


class _Nothing(Unknown):
    """A value computed from a broken matrix."""

    __slots__ = ()


class Broken:
    """A mapped matrix with an undefined cell: every method returns `_Nothing`, and a measure of it is undefined."""

    def __init__(self, view: GuessView) -> None:
        self._view, self._nothing = view, _Nothing()
        self.m, self.policy = view.m, view.policy

    def begin(self) -> Broken:
        return self

    def finish(self, value: object) -> Outcome:
        return self._view.undefined()

    def __getitem__(self, ij: object) -> _Nothing:
        return self._nothing

    def __getattr__(self, word: str) -> object:
        if word in ("n", "pi"):
            return self._nothing
        if word in ("a", "b"):
            return Sizes(lambda i: self._nothing)
        return self if word == "T" else lambda *_, **__: self._nothing


# The check


def check_guesses(check: Check) -> None:
    """Check that every guess scores one constant, for every number of classes."""
    certificate = check.certificate
    found = [(x.get("true"), x.get("predicted"), x.get("proof", {}).get("by")) for x in certificate.cases]
    demand(tuple(found) in _covers(check.domain.name), "{got} do not exhaust the guesses", field="cases", got=found)
    for true, predicted, by in found:
        _check_case(check, str(true), str(predicted), undefined=by == "undefined")


def _covers(domain: str) -> set[tuple[tuple[str, str, str], ...]]:
    """Return the lists of cases that exhaust the guesses of a domain."""
    if domain == "regular":
        return {((POSITIVE, POSITIVE, "constant"),)}
    if domain != "all":
        return set()
    predictions = ((ANY_SIZE,), (CONSTANT, SEVERAL))
    listed = {tuple((ANY_SIZE, x, "constant") for x in two) for two in predictions}
    present = {(*((POSITIVE, x, "constant") for x in two), (MISSING, ANY_SIZE, "undefined")) for two in predictions}
    return listed | present


def _check_case(check: Check, true: str, predicted: str, *, undefined: bool) -> None:
    """Check one case: the value is the stated constant, or undefined."""
    for missed in (False, True) if (true, predicted) == (ANY_SIZE, CONSTANT) else (False,):
        _check_reading(check, true, predicted, undefined=undefined, missed=missed)


def _check_reading(check: Check, true: str, predicted: str, *, undefined: bool, missed: bool) -> None:
    """Check one case, in which the class that all predictions name has true items, or has none."""
    ground = GuessGround(true, predicted, check.deadline)
    ground.missed = missed
    policy = policy_of(check.undefined)
    view = (MissingView if true == MISSING else GuessView)(policy, ground)
    value = read_soundly(check.measure, view)
    seen = False
    for _ in range(_DRAWS):
        for m in _SIZES:
            seen |= _compare(check, ground, value, policy, *_sizes(m, true, predicted, missed))
        if seen:
            break
    demand(seen, "the measure could not be compared with what was read")
    if undefined:
        demand(value is UNDEFINED, "the measure has a value where some class is missing")
        return
    demand(value is not UNDEFINED, "the measure is undefined")
    (name,) = check.statement.constants
    known = function_of_m(ground, check.certificate.constants[name])
    demand(known is not None, "the constant is no function of the number of classes")
    demand(
        (value - known).is_zero, "guesses do not score {got}", field="constants", got=check.certificate.constants[name]
    )
    demand(not check.statement.across_m or not known.letters, "the constant depends on the number of classes")  # type: ignore[union-attr]


_random = random.Random()


def _sizes(m: int, true: str, predicted: str, missed: bool) -> tuple[list[int], list[int]]:
    """Return sizes of the kinds of a case, up to a factor: small, large or mixed."""
    x, y = _of_kind(m, true), _of_kind(m, predicted)
    if predicted == CONSTANT:
        named = max(range(m), key=lambda j: y[j])
        x[named] = 0 if missed else x[named] or 1
        x[named - 1] = x[named - 1] or int(missed)
    return x, y


def _of_kind(m: int, kind: str) -> list[int]:
    found = [_random.choice((1, _random.randint(1, 9), _random.randint(1, 10**6))) for _ in range(m)]
    place = _random.randrange(m)
    if kind == CONSTANT or (kind in (ANY_SIZE, MISSING) and _random.random() < 0.3):
        found = [x if k == place else 0 for k, x in enumerate(found)]
    elif kind == MISSING or (kind in (ANY_SIZE, SEVERAL) and m > 2 and _random.random() < 0.6):
        found[place] = 0
    return found


def _compare(check: Check, ground: ClassGround, value: Outcome, policy: Policy, x: list[int], y: list[int]) -> bool:
    """Demand that what was read is the exact value on the matrix x_i·y_j; return whether there was one to compare."""
    rows = [[p * q for q in y] for p in x]
    named = max(range(len(y)), key=lambda j: y[j])
    point = {**dict.fromkeys(ground.names, 1), "n": sum(x) * sum(y), "k": len(x) - 1, "s": x[named] * sum(y)}
    return agrees(check.measure, value, rows, policy, {**point, "rows": rows}, supposed=ground.supposed)
