"""What a tree means on a matrix whose cells are values.

Each kind of node has one method of its name. An undefined value is None, and spreads through arithmetic. A comparison
is answered only if the sign of the difference is known (`Value.sign`); then the answer is the same wherever the
variables are positive, so that the value that comes out is that of the definition at all those places at once. What a
branch, a rule or a condition does not need is not computed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import product
from typing import TypeAlias

from goodmeasure.language import tree as t
from goodmeasure.theory.kernel import functions
from goodmeasure.theory.kernel.means import OPEN, mean_of_two, share
from goodmeasure.theory.kernel.refusal import Refused, demand
from goodmeasure.theory.kernel.signs import NOT_NEGATIVE, NOT_POSITIVE, POSITIVE, ZERO
from goodmeasure.theory.kernel.values import FINEST, Ring, Value, total

Outcome: TypeAlias = Value | None
Rows: TypeAlias = "Sequence[Sequence[Outcome]]"
Classes: TypeAlias = "dict[int, int]"  # what class variables stand for


_MOST = 200_000  # readings of nodes, each once for the classes in it


class LeftOut(Exception):  # noqa: N818 - a signal: the class is left out of the sum around it
    """What `Skipped` says to the sum around it."""


class Meaning:
    """One reading of a tree: `policy` is "resolve", "nan" or the number that undefined terms are worth."""

    def __init__(self, ring: Ring, rows: Rows, policy: str, exponents: str = "") -> None:
        self.ring, self.rows, self.exponents = ring, rows, exponents
        self.resolves = policy == "resolve"
        worth = number_of(policy)
        self.worth = None if worth is None else ring.number(worth)
        self.mapped = 0  # how many mapped matrices are around: what is undefined in their cells is lost
        self.known: dict[object, object] = {}

    def value(self, x: t.Tree, at: Classes | None = None) -> Outcome:
        """Return the value of a node; None where it is undefined."""
        found = self.read(x, at or {})
        assert found is None or isinstance(found, Value)
        return found

    def read(self, x: t.Tree, at: Classes) -> object:
        """Return what a node stands for: a value, a condition, a class, or the rows of a matrix."""
        key = (x, self.scope(), *((k, at[k]) for k in sorted(x.free)))
        if key not in self.known:
            demand(len(self.known) < _MOST, "the tree says too much")
            try:
                self.known[key] = self.found(x, at)
            except LeftOut:
                self.known[key] = LeftOut
        if self.known[key] is LeftOut:
            raise LeftOut
        return self.known[key]

    def found(self, x: t.Tree, at: Classes) -> object:
        """Return what a node stands for, by the method of its name."""
        return getattr(self, "_" + type(x).__name__.lower(), self._unknown)(x, at)

    def scope(self) -> object:
        """Return what the meaning of a node depends on besides the classes in it."""
        return bool(self.mapped)

    def _unknown(self, x: t.Tree, at: Classes) -> object:
        raise Refused(f"{type(x).__name__} means nothing here")

    def missing(self) -> Outcome:
        """Return what an undefined term is worth."""
        return None if self.mapped else self.worth

    # Classes and matrices

    def _classvariable(self, x: t.ClassVariable, at: Classes) -> int:
        return at[x.number]

    def _nth(self, x: t.Nth, at: Classes) -> int:
        return x.number

    def matrix(self, x: t.Tree, at: Classes) -> Rows:
        return self.read(x, at)  # type: ignore[return-value] # the rows of a matrix

    def place(self, x: t.Tree, at: Classes, rows: Rows) -> int:
        found = self.read(x, at)
        if not isinstance(found, int) or found >= len(rows):
            raise Refused("there is no class of this number")
        return found

    def _counts(self, x: t.Counts, at: Classes) -> Rows:
        demand(x.m in (None, len(self.rows)), "the formula is for another number of classes")
        return self.rows

    def _transposed(self, x: t.Transposed, at: Classes) -> Rows:
        return list(zip(*self.matrix(x.of, at), strict=True))

    def _rest(self, x: t.Rest, at: Classes) -> Rows:
        rows = self.matrix(x.of, at)
        k = self.place(x.i, at, rows)

        def group(true: bool, predicted: bool) -> Outcome:
            return self.sum_of(
                y for i, row in enumerate(rows) for j, y in enumerate(row) if ((i == k), (j == k)) == (true, predicted)
            )

        return [[group(i, j) for j in (False, True)] for i in (False, True)]

    def _two(self, x: t.Two, at: Classes) -> Rows:
        tp, fn, fp, tn = (self.value(y, at) for y in (x.tp, x.fn, x.fp, x.tn))
        return [[tn, fp], [fn, tp]]

    def _mapped(self, x: t.Mapped, at: Classes) -> Rows:
        size = range(len(self.matrix(x.of, at)))
        self.mapped += 1
        try:
            return [[self.value(x.cell, {**at, x.i: i, x.j: j}) for j in size] for i in size]
        finally:
            self.mapped -= 1

    def sum_of(self, values: Sequence[Outcome] | Iterator[Outcome]) -> Outcome:
        """Return the sum of some values; None if one of them is undefined."""
        found = list(values)
        return None if any(x is None for x in found) else total(self.ring, found)  # type: ignore[arg-type] # none is None

    # Numbers

    def _numeral(self, x: t.Numeral, at: Classes) -> Value:
        return self.ring.number(x.value)

    def _countofclasses(self, x: t.CountOfClasses, at: Classes) -> Value:
        return self.ring.number(len(self.matrix(x.of, at)))

    def _position(self, x: t.Position, at: Classes) -> Value:
        found = self.read(x.i, at)
        assert isinstance(found, int)
        return self.ring.number(found)

    def _tabled(self, x: t.Tabled, at: Classes) -> Value:
        demand(len(x.rows) == len(self.rows), "the table is for another number of classes")
        i, j = (self.place(y, at, self.rows) for y in (x.i, x.j))
        return self.ring.number(x.rows[i][j])

    def _cellof(self, x: t.CellOf, at: Classes) -> Outcome:
        rows = self.matrix(x.of, at)
        return rows[self.place(x.i, at, rows)][self.place(x.j, at, rows)]

    def _sizeof(self, x: t.SizeOf, at: Classes) -> Outcome:
        rows = self.matrix(x.of, at)
        k = self.place(x.i, at, rows)
        return self.sum_of(rows[k] if x.side == "a" else [row[k] for row in rows])

    def _totalof(self, x: t.TotalOf, at: Classes) -> Outcome:
        return self.sum_of([y for row in self.matrix(x.of, at) for y in row])

    def _excess(self, x: t.Excess, at: Classes) -> Outcome:
        rows = self.matrix(x.of, at)
        k, l = self.place(x.i, at, rows), self.place(x.j, at, rows)  # noqa: E741 - a class
        cell = rows[k][l]
        row, column = (
            self.sum_of(y for j, y in enumerate(rows[k]) if j != l),
            self.sum_of(y[l] for i, y in enumerate(rows) if i != k),
        )
        rest = self.sum_of(y for i, z in enumerate(rows) for j, y in enumerate(z) if i != k and j != l)
        return None if cell is None or row is None or column is None or rest is None else cell * rest - row * column

    def _missing(self, x: t.Missing, at: Classes) -> Outcome:
        return self.missing()

    def _skipped(self, x: t.Skipped, at: Classes) -> Outcome:
        raise LeftOut

    def _operation(self, x: t.Operation, at: Classes) -> Outcome:
        if x.name in ("min", "max"):
            return self.extreme([self.value(y, at) for y in x.args], greatest=x.name == "max")
        args = []
        for y in x.args:
            found = self.value(y, at)
            if found is not None:
                args.append(found)
        if len(args) < len(x.args):
            return None
        return _FUNCTIONS[x.name](self, *args)

    def root(self, x: Value, r: Fraction) -> Outcome:
        """Return x^r, undefined for a negative x and for 1/0."""
        if x.is_zero():
            return x.ring.number(0) if r > 0 else x.ring.number(1) if r == 0 else self.missing()
        whole = r.denominator == 1
        if not whole and x.signs() & ~NOT_NEGATIVE and x.sign() < 0:
            return self.missing()
        if r < 0 and x.signs() & ZERO and x.sign() == 0:
            return self.missing()
        return x.power(r)

    def logarithm(self, x: Value) -> Outcome:
        return functions.log(x) if x.sign() > 0 else self.missing()

    def angle(self, x: Value) -> Outcome:
        """Return arccos x, undefined beyond −1 and 1."""
        one = x.ring.number(1)
        if (one - x).signs() & ~NOT_NEGATIVE and (one - x).sign() < 0:
            return self.missing()
        if (one + x).signs() & ~NOT_NEGATIVE and (one + x).sign() < 0:
            return self.missing()
        return functions.arccos(x)

    def half_turn(self, x: Value) -> Outcome:
        """Return arcsin x = π/2 − arccos x."""
        found = self.angle(x)
        return None if found is None else functions.pi(x.ring).times(Fraction(1, 2)) - found

    def size(self, x: Value) -> Value:
        """Return |x|."""
        known = x.signs()
        if not known & ~NOT_NEGATIVE:
            return x
        return -x if not known & ~NOT_POSITIVE or x.sign() < 0 else x

    def extreme(self, values: Sequence[Outcome], *, greatest: bool) -> Outcome:
        """Return the greatest or the least of some values; which one may only be left open where the node says so."""
        if not values:
            return self.missing()
        best = values[0]
        if any(x is None for x in values):
            return None
        if self.ring.leaves_open:
            return functions.extreme([x for x in values if x is not None], "max" if greatest else "min")
        for x in values[1:]:
            assert best is not None
            assert x is not None
            gap = x - best if greatest else best - x
            known = gap.signs()
            if known & ~NOT_POSITIVE and (not known & ~NOT_NEGATIVE or gap.sign() > 0):
                best = x
        return best

    def _topower(self, x: t.ToPower, at: Classes) -> Outcome:
        base = self.value(x.x, at)
        return None if base is None else self.root(base, x.r)

    def _powermean(self, x: t.PowerMean, at: Classes) -> Outcome:
        return self.mean([self.value(y, at) for y in x.values], x.p)

    def _overmean(self, x: t.OverMean, at: Classes) -> Outcome:
        above, u, v = (self.value(y, at) for y in (x.x, x.u, x.v))
        if above is None or u is None or v is None:
            return None
        name = f"stolarsky{x.p}" if x.p else x.mean
        if u.signs() == POSITIVE == v.signs():
            return above / mean_of_two(u, v, name)
        if x.mean == "heronian":
            product = self.root(u * v, Fraction(1, 2))
            below = None if product is None else (u + product + v).times(Fraction(1, 3))
        elif x.mean == "stolarsky":
            p = x.p or 2
            powers = total(self.ring, [u**k * v ** (p - 1 - k) for k in range(p)])
            below = self.root(powers.times(Fraction(1, p)), Fraction(1, p - 1))
        else:
            return self.over_named(above, u, v, x.mean)
        return None if below is None else self.quotient(above, below)

    def over_named(self, above: Value, u: Value, v: Value, mean: str) -> Outcome:
        """Return x/M(u, v) for a mean of two positive values that only its name tells."""
        if (u - v).is_zero():
            return self.quotient(above, u)
        low, high = (u, v) if u.is_zero() else (v, u)
        if low.is_zero() and high.sign() > 0:
            demand(self.worth is None, "a mean at the boundary of its domain")
            return self._at_zero(above, high, mean)
        demand(u.sign() > 0 and v.sign() > 0, "a mean at the boundary of its domain")
        return above / mean_of_two(u, v, mean)

    def _at_zero(self, above: Value, v: Value, mean: str) -> Outcome:
        """Return x/M(0, v), where the formulas of `means_of_two` have a value; two of them divide by 0."""
        if mean == "seiffert":
            return above * functions.pi(v.ring) / v
        demand(mean in ("logarithmic", "identric"), "a mean at the boundary of its domain")
        return None

    def quotient(self, x: Value, y: Value, rule: Callable[[], Outcome] | None = None) -> Outcome:
        """Return x/y, and for y = 0 what the rule says."""
        if y.is_zero():
            return self.missing() if rule is None else rule()
        if y.signs() & ZERO and y.sign() == 0:
            return self.missing() if rule is None else rule()
        return x / y

    def _xlogy(self, x: t.XLogY, at: Classes) -> Outcome:
        factor = self.value(x.x, at)
        if factor is None or factor.is_zero() or (factor.signs() & ZERO and factor.sign() == 0):
            return factor
        inner = self.value(x.y, at)
        if inner is None:
            return None
        found = self.logarithm(inner)
        return None if found is None else factor * found

    def _ratio(self, x: t.Ratio, at: Classes) -> Outcome:
        under, above = self.value(x.y, at), self.value(x.x, at)
        rule = x.rule if self.resolves else None
        if under is None or (above is None and (rule is None or under.sign())):
            return None  # the rule is for a denominator of 0, whatever stands above it
        return self.quotient(above or under, under, None if rule is None else lambda: self.value(rule, at))

    def _where(self, x: t.Where, at: Classes) -> Outcome:
        return self.value(x.x if self.holds(x.test, at) else x.y, at)

    def _whole(self, x: t.Whole, at: Classes) -> Outcome:
        of = x.of
        while isinstance(of, t.Transposed):
            of = of.of
        if isinstance(of, t.Mapped) and any(y is None for row in self.matrix(x.of, at) for y in row):
            return self.missing()
        found = self.value(x.value, at)
        return found if found is not None or isinstance(of, t.Mapped) else self.missing()

    # Over classes

    def _terms(self, rows: Sequence[tuple[object, ...]]) -> list[tuple[Outcome, Value | None]]:
        """Return the terms that count, each with its weight, from (term, test, rule, weight, classes) of each class."""
        found = []
        for term, test, rule, weight, at in rows:
            if test is not None and not self.holds(test, at):  # type: ignore[arg-type] # what they are, see above
                continue
            weighed = None if weight is None else self.value(weight, at)  # type: ignore[arg-type]
            if weight is not None and (weighed is None or weighed.sign() <= 0):
                continue
            try:
                value = self.value(term, at)  # type: ignore[arg-type]
                if value is None and rule is not None and self.resolves:
                    value = self.value(rule, at)  # type: ignore[arg-type]
            except LeftOut:
                continue
            found.append((value, weighed))
        return found

    def _over(self, x: t.Over, at: Classes) -> Outcome:
        size = range(len(self.matrix(x.of, at)))
        rows = [(x.term, x.test, x.rule, x.weight, {**at, x.i: k}) for k in size]
        return self.combined(x.op, self._terms(rows), x.p)

    def _listed(self, x: t.Listed, at: Classes) -> Outcome:
        nothing = (None,) * len(x.terms)
        rows = zip(
            x.terms, x.tests or nothing, x.rules or nothing, x.weights or nothing, [at] * len(nothing), strict=True
        )
        return self.combined(x.op, self._terms(list(rows)), x.p)

    def combined(self, op: str, terms: list[tuple[Outcome, Value | None]], p: object) -> Outcome:
        """Return a sum, product, extreme or mean of the terms that count."""
        values = [x for x, _ in terms]
        if op == "sum":
            return self.sum_of(values)
        if any(x is None for x in values):
            return None
        if op == "product":
            found = self.ring.number(1)
            for x in values:
                assert x is not None
                found = found * x
            return found
        if op in ("least", "greatest"):
            return self.extreme(values, greatest=op == "greatest")
        if not terms:
            return self.missing()
        if terms[0][1] is None:
            return self.mean(values, p)
        above = self.sum_of([x * w for x, w in terms])  # type: ignore[operator] # all are values
        below = self.sum_of([w for _, w in terms])
        assert above is not None
        assert below is not None
        return above / below

    def mean(self, values: Sequence[Outcome], p: object) -> Outcome:
        """Return the power mean: of no values it is undefined, and of a negative one too unless p = 1."""
        if p in (float("inf"), float("-inf")):
            return self.extreme(values, greatest=p == float("inf"))
        if not isinstance(p, Fraction):
            return self.open_mean(values)
        if not values:
            return self.missing()
        if any(x is None for x in values):
            return None
        known: list[Value] = [x for x in values if x is not None]
        share = Fraction(1, len(known))
        if p == 1:
            return total(self.ring, known).times(share)
        positive = self.positive_terms(known)
        if positive is None:
            return self.missing()
        if not positive or (p <= 0 and len(positive) < len(known)):
            return self.ring.number(0)
        if p == 0:
            found = self.ring.number(1)
            for x in known:
                found = found * x
            return found.power(share)
        if p not in _EASY and len(known) == 2 and (len(positive) == 2 or max(p.as_integer_ratio()) > FINEST):
            return self.of_two(positive, str(p), "share_{}_{}".format(*p.as_integer_ratio()))
        return total(self.ring, [x.power(p) for x in positive]).times(share).power(1 / p)

    def positive_terms(self, values: Sequence[Value]) -> list[Value] | None:
        """Return those of some values that are positive; None if one is negative."""
        known = [(x, 0 if x.is_zero() else x.sign()) for x in values]
        return None if any(sign < 0 for _, sign in known) else [x for x, sign in known if sign]

    def open_mean(self, values: Sequence[Outcome]) -> Outcome:
        """Return the power mean of two values for every exponent of one sign."""
        demand(self.exponents in OPEN and len(values) == 2, "an exponent is left open")
        known = [x for x in values if x is not None]
        positive = self.positive_terms(known)
        if positive is None:
            return self.missing() if len(known) == 2 else None
        if len(known) < 2:
            return None
        if not positive or (len(positive) == 1 and self.exponents != OPEN[0]):
            return self.ring.number(0)
        return self.of_two(positive, self.exponents, "share")

    def of_two(self, positive: Sequence[Value], name: str, part: str) -> Value:
        """Return the mean of two positive values, or that of one and 0, which is a part of it."""
        first, *rest = positive
        return mean_of_two(first, rest[0], name) if rest else first * share(self.ring, part)

    def _overpairs(self, x: t.OverPairs, at: Classes) -> Outcome:
        size = range(len(self.matrix(x.of, at)))
        rows = [(x.term, x.test, None, None, {**at, x.i: i, x.j: j}) for i, j in product(size, repeat=2) if i != j]
        return self.combined("sum", self._terms(rows), 1)

    # Conditions

    def holds(self, x: t.Tree, at: Classes) -> bool:
        """Return whether a condition holds; it must be known."""
        found = self.read(x, at)
        assert isinstance(found, bool)
        return found

    def _test(self, x: t.Test, at: Classes) -> bool:
        match x.name:
            case "true" | "false":
                return x.name == "true"
            case "resolves":
                return self.resolves
            case "and":
                return all(self.holds(y, at) for y in x.args)
            case "or":
                return any(self.holds(y, at) for y in x.args)
            case "not":
                return not self.holds(x.args[0], at)
        u, v = (self.value(y, at) for y in x.args)
        if u is None or v is None:
            return False
        gap = u - v
        sign = 0 if gap.is_zero() else None
        if x.name == "le" and not gap.signs() & ~NOT_POSITIVE:
            return True
        sign = gap.sign() if sign is None else sign
        return sign == 0 if x.name == "eq" else sign < 0 if x.name == "lt" else sign <= 0


_EASY = (Fraction(-1), Fraction(2), Fraction(1, 2), Fraction(-2))


_NUMBER = re.compile(r"-?\d{1,100}(/0*[1-9]\d{0,100}|\.\d{1,100})?(e-?\d{1,2})?", re.ASCII)


def must_be_policy(policy: str) -> None:
    """Demand that a policy is one that is known: "resolve", "nan" or a number."""
    demand(policy in ("resolve", "nan") or _NUMBER.fullmatch(policy), "the policy is none that is known", "undefined")


def number_of(policy: str) -> Fraction | None:
    """Return the number that a policy says undefined terms are worth; None if it is no number."""
    must_be_policy(policy)
    return None if policy in ("resolve", "nan") else Fraction(policy)


_FUNCTIONS: dict[str, Callable[..., Outcome]] = {
    "add": lambda c, x, y: x + y,
    "sub": lambda c, x, y: x - y,
    "mul": lambda c, x, y: x * y,
    "neg": lambda c, x: -x,
    "abs": Meaning.size,
    "sqrt": lambda c, x: c.root(x, Fraction(1, 2)),
    "log": Meaning.logarithm,
    "log1p": lambda c, x: c.logarithm(x + c.ring.number(1)),
    "exp": lambda c, x: functions.exp(x),
    "arccos": Meaning.angle,
    "arcsin": Meaning.half_turn,
    "pi": lambda c: functions.pi(c.ring),
    "inf": lambda c: None,
}
