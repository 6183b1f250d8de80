"""What independent labelings score, for every number of classes: c_ij = a_i b_j / n.

Every cell is a formula in the true size of one class and the predicted size of another, even if these are one class. So
the letters of a class are its two sizes, a sum over pairs of different classes is the sum over all pairs minus that
over pairs of a class with itself, and a mapped matrix has cells that are formulas as well. Sizes are real numbers here,
at most n; where every class occurs in both labelings they lie strictly between 0 and n, otherwise either of them may be
0.

- *Logarithms.* log x is written as log n − log(n/x) for a size x; log(n/x) is an atom that is positive, or not negative
  if x may be n.
- *Nothing over something.* If x = 0, the quotient x/y is 0 or undefined, whatever y is, unless a rule says what it is
  for y = 0; and if the rule says 0, it is 0 too.
- *Extremes.* The least value of g·f over all classes is g times the least value of f, if g ≥ 0 does not depend on the
  class; likewise the greatest. It is an atom with a sign that f has for some class. The greater or smaller of some
  values whose order is open is an atom with one of their signs.
- *Positions.* The distance |i − j| between the positions of two classes is an atom that is not negative, and 0 for a
  class and itself. A sum over j of terms that are positive wherever this distance is, is positive if every class
  occurs, because there is a class j ≠ i.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import reduce
from itertools import product
from operator import or_

from goodmeasure.language import tree as t
from goodmeasure.theory.kernel import functions
from goodmeasure.theory.kernel.affine import must_be_affine
from goodmeasure.theory.kernel.calculus import at
from goodmeasure.theory.kernel.claim import Case, Claim, Kind
from goodmeasure.theory.kernel.facts import know
from goodmeasure.theory.kernel.kinds.sums import K, Matrix, Member, Opaque, Sums, Table, Way, on_two
from goodmeasure.theory.kernel.meaning import Classes, LeftOut, Outcome
from goodmeasure.theory.kernel.polynomials import variable
from goodmeasure.theory.kernel.refusal import Refused, Unsettled, demand
from goodmeasure.theory.kernel.signs import NOT_NEGATIVE, NOT_ZERO, POSITIVE, UNKNOWN, ZERO
from goodmeasure.theory.kernel.values import Ring, Value


class _Known(Opaque):
    """An atom of which a sign, a text and what it depends on are known."""

    def __init__(self, ring: Ring, text: str, parts: tuple[Value, ...], sign: Callable[[], int]) -> None:
        super().__init__(ring, parts)
        self._text, self._sign = text, sign

    @property
    def sign(self) -> int:
        return self._sign()

    def text(self) -> str:
        return self._text


class GuessReading(Sums):
    """The reading of a tree on independent labelings."""

    letters = "ab"
    deepest = 3

    def __init__(self, claim: Claim) -> None:
        self.present = claim.domain == "regular"
        super().__init__(claim, [(1, 1)] if self.present else product((0, 1), repeat=2))
        self.reached: set[t.Tree] = set()  # the nodes that were read
        self.distant: object = None  # the two classes whose positions are taken to differ
        last = self.ring.size - 1
        self.below_all = POSITIVE if self.present else NOT_NEGATIVE  # the sign of n minus a size
        for k in range(1, last):
            know(self.ring, variable(last) - variable(k), self.below_all)

    def read(self, x: t.Tree, at: Classes) -> object:
        self.reached.add(x)
        return super().read(x, at)

    def member(self, depth: int, way: Way) -> Member:
        true, predicted = self.letters_at(depth, way)
        return Member(way, true * predicted / self.n, true, predicted, self.n)

    def plain_cell(self, i: Member, j: Member) -> Value:
        return i.true * j.predicted / self.n

    def has(self, way: Way, side: str) -> bool:
        return bool(way["ab".index(side)])

    def simple(self, own: int, depth: int) -> Value:
        sizes = [next(iter(variable(1 + 2 * depth + k).terms)) for k in (0, 1)]
        return self.n if own in sizes else super().simple(own, depth)

    def named(self, text: str, parts: Iterable[Value], sign: Callable[[], int]) -> Value:
        """Return the atom with a text."""
        return self.ring.made(text, lambda: _Known(self.ring, text, tuple(parts), sign)).value

    # Matrices and pairs

    def mapped_of_any(self, x: t.Mapped, of: Matrix, at: Classes) -> Matrix:
        def cell(i: Member, j: Member) -> Outcome:
            self.mapped += 1
            try:
                return self.value(x.cell, {**at, x.i: i, x.j: j})  # type: ignore[dict-item]
            except LeftOut:
                raise Refused("a cell leaves a class out") from None
            finally:
                self.mapped -= 1

        return Matrix(cell)

    def whole_of_any(self, x: t.Whole, of: Matrix, at: Classes) -> Outcome:
        if of.cells is not None and self.items_of(of) is None:  # it is if all cells are; it is refused if some are
            return self.missing()
        found = self.value(x.value, at)
        return found if found is not None or of.cells is not None else self.missing()

    def overpairs_of_any(self, x: t.OverPairs, of: Matrix, at: Classes) -> Outcome:
        demand(x.test is None, "a sum over some pairs of classes")

        def pair(i: Member, j: Member) -> Outcome:
            found = self._terms([(x.term, None, None, None, {**at, x.i: i, x.j: j})])
            return found[0][0] if found else self.ring.number(0)

        def row(i: Member) -> Outcome:
            every, same = self.sum_over(lambda j: pair(i, j)), pair(i, i)
            if same is None:
                raise Refused("a pair of a class with itself has no value")
            return None if every is None else every - same

        return self.sum_over(row)

    # Positions

    def _operation(self, x: t.Operation, at: Classes) -> Outcome:
        match x:
            case t.Operation(name="sub", args=(t.Position(i=i), t.Position(i=j))):
                places = [self.inside.index(self.class_of(y, at)) for y in (i, j)]
                if places[0] == places[1]:
                    return self.ring.number(0)
                low, high = sorted(places)
                parts = [self.ring.variable(1 + 2 * d) for d in (low, high)]
                found = self.named(f"position{low} - position{high}", parts, lambda: self._sign_of_step(low, high))
                return found if places[0] == low else -found
            case t.Operation(name="abs", args=(y,)):
                of = self.value(y, at)
                return None if of is None else self.absolute(of)
        return super()._operation(x, at)

    def _sign_of_step(self, low: int, high: int) -> int:
        self.ring.consulted += 1  # it is not the same everywhere, so nothing that rests on it is kept
        return NOT_ZERO if (low, high) == self.distant else UNKNOWN

    def sign_of_sum(self, table: Table, depth: int = 0) -> int:
        found = super().sign_of_sum(table, depth)
        if found == NOT_NEGATIVE and depth == 1 and self.present and self.distant is None:
            self.distant = (0, 1)
            try:
                found = POSITIVE if super().sign_of_sum(table, depth) == POSITIVE else found
            finally:
                self.distant = None
        return found

    def absolute(self, x: Value) -> Value:
        """Return |x|, as an atom if the sign of x is open."""
        try:
            return self.size(x)
        except Unsettled:
            x = Value(self.ring, abs(x.coefficient), x.powers)
            return self.named(f"|{x.text()}|", [x], lambda: POSITIVE if not x.signs() & ZERO else NOT_NEGATIVE)

    # Functions

    def logarithm(self, x: Value) -> Outcome:
        if x.sign() <= 0:
            return self.missing()
        shares = self.ring.number(0)
        for k in range(1, self.ring.size - 1):
            e, size = x.powers.get(variable(k), 0), self.ring.variable(k)
            if e:
                x = x * (self.n / size).power(Fraction(e))
                share = self.named(f"log(n/{self.ring.names[k]})", [size], lambda: self.below_all)
                shares = shares + share.times(Fraction(e))
        return functions.log(x) - shares

    def _ratio(self, x: t.Ratio, at: Classes) -> Outcome:
        try:
            return super()._ratio(x, at)
        except Refused:
            above = self.value(x.x, at)
            some = any(isinstance(y, t.Skipped) for y in t.below(x))
            if above is None or not above.is_zero() or some or not self.supposes:
                raise
            if x.rule is not None and self.resolves:
                with self.guard():
                    rule = self.value(x.rule, at)
                if rule is None or not rule.is_zero():
                    raise
            return above

    def extreme(self, values: Sequence[Outcome], *, greatest: bool) -> Outcome:
        try:
            return super().extreme(values, greatest=greatest)
        except Unsettled:
            known = [x for x in values if x is not None]
            text = f"{'greatest' if greatest else 'least'}({', '.join(sorted(x.text() for x in known))})"
            return self.named(text, known, lambda: reduce(or_, (x.signs() for x in known)))

    def over_of_any(self, x: t.Over, of: Matrix, at: Classes) -> Outcome:
        if x.op not in ("least", "greatest"):
            return super().over_of_any(x, of, at)
        plain = x.test is None and x.weight is None and (x.rule is None or not self.resolves)
        demand(plain and not any(isinstance(y, t.Skipped) for y in t.below(x.term)), "an extreme over some classes")
        depth = len(self.inside)
        table, gone = self.table_of(lambda i: self.value(x.term, {**at, x.i: i}))  # type: ignore[dict-item]
        demand(not gone, "some classes have no value")
        return self.extreme_of(table, x.op, depth)

    def extreme_of(self, table: Table, op: str, depth: int) -> Value:
        """Return the least or greatest value over all classes of a term, which is known in all ways."""
        whole = table[self.full]
        own = {f: e for f, e in whole.powers.items() if self.depends(self.ring.of(f), depth)}
        inner = Value(self.ring, whole.coefficient, own)
        factor = Value(self.ring, Fraction(1), {f: e for f, e in whole.powers.items() if f not in own})
        factor.must_be(NOT_NEGATIVE)
        ways = {way: self.restricted(inner, depth, way) for way in table}
        demand(all((factor * ways[way]).key == x.key for way, x in table.items()), "the extreme of several formulas")
        if not inner.coefficient:
            return inner
        of_one = at(inner, {1 + 2 * depth + k: self.ring.variable(1 + k) for k in (0, 1)})
        demand(all(self.depth_of(k) < 1 for k in of_one.variables()), "an extreme that depends on another class")
        text = f"{op} over classes({of_one.text()})"
        return factor * self.named(text, [], lambda: reduce(or_, (x.signs() for x in ways.values())))


class Independent(Kind):
    """The value on independent labelings is one function of the number of classes alone, wherever there is one.

    The value on two items of each class, for two classes, shows that there is a value.
    """

    def __init__(self, claim: Claim) -> None:
        super().__init__(claim)
        self.reading = GuessReading(claim)
        m, two = claim.ring.variable(0), claim.ring.number(2)
        self.base = at(self.reading.answered(self._read), {K: m - claim.ring.number(1)}, claim.ring)
        same = (at(self.base, {0: two}) - on_two(claim, (1, 1, 1, 1))).is_zero()
        demand(same, "the value on a matrix of ones is another one")

    def _read(self) -> Value:
        found = self.reading.value(self.claim.tree)
        if found is None:
            raise Refused("the measure is undefined on independent labelings")
        return found

    def cases(self) -> Iterator[Case]:
        """Yield nothing: the reading shows everything."""
        yield from ()

    def constants(self) -> Mapping[str, Outcome]:
        return {self.claim.statement.constants[0]: self.base}


class Expectation(Independent):
    """The average over random predictions is the value on their mean matrix, for a measure that is affine in the cells.

    All predictions for given class sizes lie in the domain, or none does.
    """

    def __init__(self, claim: Claim) -> None:
        super().__init__(claim)
        must_be_affine(claim.tree, self.reading.reached)
