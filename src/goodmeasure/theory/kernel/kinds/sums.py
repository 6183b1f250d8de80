"""What a tree means on a matrix with any number of classes: sums over classes are atoms.

**Ways.** A class of a sum is known by which of its *letters* are 0 (its *way*); the others are positive variables. The
term of the sum is read once for each way that a class can be in. So a term that is read becomes, in each way, one
function of the letters, the same for all classes and every number of classes m = k + 1, where k is a positive whole
number. A tree that asks for the position of a class, or compares classes, is refused.

**Sums.** If in each way the term is the value of one polynomial in the letters, the sum is taken apart: Σ g·f = g·Σ f
for a factor g that is the same for all classes, Σ 1 = m, and class sizes add up to n. Other sums are atoms
(`ClassSum`), known by the terms in all ways. So values that these rules make equal have one form. A mean over classes
is the sum of the terms of those that count, divided by their number or weight.

**Signs.** A sum whose terms are not negative in any way is not negative. It is positive if some class has a positive
term: some class has true items, and some has predicted items, so it is enough that the term is positive in all ways
with true items, or in all ways with predicted items. The rule *classes* says this of a polynomial that is linear in
such sums: what depends on no class is shared out among the classes, as 1/m, a/n, b/n or (a + b)/2n of it, which add up
to it.

**Suppositions.** If a class in some way makes the measure undefined, no statement read here speaks of a matrix with
such a class, so there is none, and the way is left out from there on (`suppose`). That is so only if being undefined
spreads to the whole measure: in a condition, under a rule for undefined terms, or if a number stands for them, nothing
is supposed. A way is left out for all sums, so only a sum that stands in no other one may do so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import ClassVar, TypeVar

from goodmeasure.language import tree as t
from goodmeasure.theory.kernel.calculus import at
from goodmeasure.theory.kernel.claim import Claim
from goodmeasure.theory.kernel.facts import know, listed
from goodmeasure.theory.kernel.meaning import Classes, LeftOut, Meaning, Outcome, Rows
from goodmeasure.theory.kernel.polynomials import BITS, Polynomial, exponents, variable
from goodmeasure.theory.kernel.refusal import Refused, Unsettled, demand
from goodmeasure.theory.kernel.signs import NEGATIVE, NOT_NEGATIVE, NOT_POSITIVE, POSITIVE, UNKNOWN
from goodmeasure.theory.kernel.values import Atom, Ring, Value, total

Way = tuple[int, ...]  # 1 for each letter of a class that is positive
Table = dict[Way, Value]
SHARES = ("m", "true", "predicted", "both")
K = 0  # the place of the variable k
_Found = TypeVar("_Found")


@dataclass(frozen=True, eq=False)
class Member:
    """A class that a sum is over: its way, its right predictions, its sizes, and the number of items."""

    way: Way
    hit: Value
    true: Value
    predicted: Value
    items: Value


@dataclass(frozen=True, eq=False)
class Matrix:
    """A matrix with any number of classes: that of the claim, or one that is computed cell by cell, perhaps turned."""

    cells: Callable[[Member, Member], Outcome] | None = None
    turned: bool = False


class Opaque(Atom):
    """An atom that stays what it is, unless what it depends on becomes something else."""

    def at(self, moved: Callable[[Value], Value]) -> Value:
        same = moved(self.ring.number(1)).ring is self.ring and all(moved(x).key == x.key for x in self.parts)
        demand(same, f"{self.text()[:60]} at another place")
        return self.value


class ClassSum(Opaque):
    """The sum over all classes of what each adds in its way."""

    def __init__(self, reading: Sums, table: Table, depth: int) -> None:
        outer = {k for x in table.values() for k in x.variables() if reading.depth_of(k) in range(depth)}
        super().__init__(reading.ring, tuple(map(reading.ring.variable, sorted(outer))))
        self.reading, self.table, self.depth = reading, table, depth

    @property
    def sign(self) -> int:
        return self.reading.sign_of_sum(self.table, self.depth)

    def text(self) -> str:
        ways = (f"{''.join(map(str, way))}: {x.text()}" for way, x in sorted(self.table.items()))
        return f"sum{self.depth}({', '.join(ways)})"


class Sums(Meaning):
    """The reading of a tree on a matrix with any number of classes.

    ``letters``: the names of the letters of a class. A further digit says how many sums are around that of the class.
    """

    letters: ClassVar[str]
    deepest: ClassVar[int] = 1  # how many sums may stand inside one another

    def __init__(self, claim: Claim, ways: Iterable[Way]) -> None:
        ring = Ring(["k", *(f"{x}{d}" for d in range(self.deepest) for x in self.letters), "n"])
        super().__init__(ring, [], claim.policy, claim.exponents)
        self.claim, self.every_way = claim, list(ways)
        self.m, self.n = ring.variable(K) + ring.number(1), ring.variable(ring.size - 1)
        self.inside: tuple[Member, ...] = ()  # the classes of the sums around
        self.guarded = 0  # how many nodes are around under which being undefined does not spread
        self.whole = Matrix()
        self._members: dict[tuple[int, Way], Member] = {}

    # Questions and answers

    def answered(self, find: Callable[[], _Found]) -> _Found:
        """Return what is found, where the certificate answers questions about signs in their order.

        An answer is a way to share something out among the classes, for the rule *classes*.
        """
        answers = iter(listed(self.claim.about.get("answers", []), "answers"))
        while True:
            try:
                return find()
            except LeftOut:
                raise Refused("a class is left out of no sum") from None
            except Unsettled as open_question:
                share = next(answers, None)
                if share is None:
                    raise
                f = open_question.question
                know(self.ring, f, self.sign_of_sum(self.per_class(f, share)))

    @property
    def supposes(self) -> bool:
        """Whether the measure is undefined if something here is."""
        return self.worth is None and not self.guarded and len(self.inside) < 2

    @contextmanager
    def guard(self) -> Iterator[None]:
        """Read something under which being undefined does not spread."""
        self.guarded += 1
        try:
            yield
        finally:
            self.guarded -= 1

    # Classes

    def members(self, depth: int) -> list[Member]:
        """Return a class for each way that a class can be in."""
        demand(depth < self.deepest, "too many sums stand inside one another")
        for way in self.every_way:
            if (depth, way) not in self._members:
                self._members[depth, way] = self.member(depth, way)
        return [self._members[depth, way] for way in self.every_way]

    def member(self, depth: int, way: Way) -> Member:
        raise NotImplementedError

    def letters_at(self, depth: int, way: Way) -> list[Value]:
        """Return the letters of a class in a way."""
        first, ring = 1 + depth * len(self.letters), self.ring
        return [ring.variable(first + k) if there else ring.number(0) for k, there in enumerate(way)]

    def depth_of(self, k: int) -> int:
        """Return the depth that a letter belongs to; −1 for all other variables."""
        return (k - 1) // len(self.letters) if 0 < k < self.ring.size - 1 else -1

    # Reading

    def read(self, x: t.Tree, at: Classes) -> object:
        if self.inside and not x.free and t.known_of(x, "over classes", _is_over_classes):
            inside, self.inside = self.inside, ()  # it is the same for all classes
            try:
                with self.guard():  # it may be needed for some classes only
                    return super().read(x, at)
            finally:
                self.inside = inside
        return super().read(x, at)

    def scope(self) -> object:
        return super().scope(), self.inside[-1] if self.inside else None

    def holds(self, x: t.Tree, at: Classes) -> bool:
        with self.guard():
            return super().holds(x, at)

    def found(self, x: t.Tree, at: Classes) -> object:
        """Return what a node stands for; what is said of a matrix with any number of classes has its own methods."""
        of = x.__dict__.get("of")
        matrix = self.read(of, at) if isinstance(of, t.Tree) and of.SORT == "MatrixTree" else None
        if not isinstance(matrix, Matrix):
            return super().found(x, at)
        word = getattr(self, f"{type(x).__name__.lower()}_of_any", None)
        if word is None:
            raise Refused(f"{type(x).__name__} is not read for any number of classes")
        return word(x, matrix, at)

    def class_of(self, x: t.Tree, at: Classes) -> Member:
        found = self.read(x, at)
        if not isinstance(found, Member):
            raise Refused("a class is named by its position")
        return found

    def _counts(self, x: t.Counts, at: Classes) -> Matrix:  # type: ignore[override] # no rows
        demand(x.m is None, "the formula is for another number of classes")
        return self.whole

    def transposed_of_any(self, x: t.Transposed, of: Matrix, at: Classes) -> Matrix:
        return replace(of, turned=not of.turned)

    def rest_of_any(self, x: t.Rest, of: Matrix, at: Classes) -> Rows:
        i = self.class_of(x.i, at)
        hit, true, predicted, every = self.about(of, i, i)
        if hit is None or true is None or predicted is None or every is None:
            return [[None, None], [None, None]]
        return [[every - true - predicted + hit, predicted - hit], [true - hit, hit]]

    def excess_of_any(self, x: t.Excess, of: Matrix, at: Classes) -> Outcome:
        hit, true, predicted, every = self.about(of, self.class_of(x.i, at), self.class_of(x.j, at))
        if hit is None or true is None or predicted is None or every is None:
            return None
        return every * hit - true * predicted

    def cellof_of_any(self, x: t.CellOf, of: Matrix, at: Classes) -> Outcome:
        return self.cell_of(of, self.class_of(x.i, at), self.class_of(x.j, at))

    def sizeof_of_any(self, x: t.SizeOf, of: Matrix, at: Classes) -> Outcome:
        return self.size_of(of, x.side == "a", self.class_of(x.i, at))

    def totalof_of_any(self, x: t.TotalOf, of: Matrix, at: Classes) -> Outcome:
        return self.items_of(of)

    def countofclasses_of_any(self, x: t.CountOfClasses, of: Matrix, at: Classes) -> Value:
        return self.m

    def about(self, of: Matrix, i: Member, j: Member) -> tuple[Outcome, ...]:
        """Return a cell of a matrix, the true and the predicted size that it belongs to, and the number of items."""
        return self.cell_of(of, i, j), self.size_of(of, True, i), self.size_of(of, False, j), self.items_of(of)

    def cell_of(self, of: Matrix, i: Member, j: Member) -> Outcome:
        """Return a cell of a matrix."""
        if of.turned:
            i, j = j, i
        return self.plain_cell(i, j) if of.cells is None else of.cells(i, j)

    def size_of(self, of: Matrix, true: bool, i: Member) -> Outcome:
        """Return a true or a predicted class size of a matrix."""
        cells, row = of.cells, true != of.turned
        if cells is None:
            return i.true if row else i.predicted
        return self.sum_over(lambda j: cells(i, j) if row else cells(j, i))

    def items_of(self, of: Matrix) -> Outcome:
        """Return the number of items of a matrix."""
        if of.cells is None:
            return self.inside[-1].items if self.inside else self.n
        return self.sum_over(lambda i: self.size_of(of, True, i))

    def plain_cell(self, i: Member, j: Member) -> Value:
        """Return a cell of the matrix of the claim."""
        raise NotImplementedError

    def _position(self, x: t.Position, at: Classes) -> Value:
        raise Refused("the definition asks for the position of a class")

    def over_of_any(self, x: t.Over, of: Matrix, at: Classes) -> Outcome:
        demand(x.op == "sum" or (x.op == "mean" and x.p == 1), f"{x.op} over any number of classes")
        above = self.sum_over(lambda i: self.part_of(x, i, at, of_weight=False))
        if x.op == "sum" or above is None:
            return above
        below = self.sum_over(lambda i: self.part_of(x, i, at, of_weight=True))
        return None if below is None else self.quotient(above, below)

    def part_of(self, x: t.Over, i: Member, at: Classes, *, of_weight: bool) -> Outcome:
        """Return what a class adds to a sum, or to the numerator of a mean, or to its denominator."""
        row = (x.term, x.test, x.rule, x.weight, {**at, x.i: i})
        if x.weight is not None or (x.rule is not None and self.resolves):
            with self.guard():
                found = self._terms([row])
        else:
            found = self._terms([row])
        if not found:
            return self.ring.number(0)
        ((value, weight),) = found
        if of_weight:
            return self.ring.number(1) if weight is None else weight
        return value if weight is None or value is None else value * weight

    # Sums

    def table_of(self, term: Callable[[Member], Outcome]) -> tuple[Table, list[Way]]:
        """Return what a term is in each way of a class, and the ways in which it is undefined."""
        table, gone = Table(), list[Way]()
        for i in self.members(len(self.inside)):
            self.inside = (*self.inside, i)
            try:
                value = term(i)
            finally:
                self.inside = self.inside[:-1]
            if value is None:
                gone.append(i.way)
            else:
                table[i.way] = value
        return table, gone

    def sum_over(self, term: Callable[[Member], Outcome]) -> Outcome:
        """Return the sum of a term over all classes; a way in which it is undefined is left out from there on."""
        depth = len(self.inside)
        table, gone = self.table_of(term)
        if not table:
            return None
        if gone:
            demand(self.supposes and not depth, "some classes have no value, and the measure may have one")
            self.every_way = [x for x in self.every_way if x not in gone]
        return self.closed(table, depth)

    def closed(self, table: Table, depth: int) -> Value:
        """Return the sum of a term over all classes: taken apart, or as one atom."""
        found = self.apart(table, depth)
        return self.atom(table, depth) if found is None else found

    def atom(self, table: Table, depth: int) -> Value:
        """Return the sum of a term over all classes as an atom."""
        if not any(x.coefficient for x in table.values()):
            return self.ring.number(0)
        key = ("sum", depth, *((way, x.key) for way, x in sorted(table.items())))
        return self.ring.made(key, lambda: ClassSum(self, table, depth)).value

    def apart(self, table: Table, depth: int) -> Value | None:
        """Return a sum taken apart; None if its term is not the value of one polynomial in the letters of a class.

        `simplified` writes the term with as few letters as possible, by what the letters of a class have in common.
        """
        whole = table.get(self.full)
        if whole is None:
            return None
        outside, inside = self.ring.number(whole.coefficient), self.ring.number(1)
        try:
            for f, e in whole.powers.items():
                x = self.simplified(self.ring.of(f), depth)
                if not self.depends(x, depth):
                    outside = outside * x.power(Fraction(e))
                else:
                    demand(e.denominator == 1 and e > 0 and _is_polynomial(x), "it is no polynomial in the letters")
                    inside = inside * x**e.numerator
            if any(self.restricted(whole, depth, way).key != x.key for way, x in table.items()):
                return None
        except Refused:
            return None
        parts = _grouped(self.ring.expanded(inside.powers), lambda k: self.depends(self.ring.of(variable(k)), depth))
        sums = [self.ring.of(rest) * self.simple(own, depth) for own, rest in parts.items()]
        return outside.times(inside.coefficient) * total(self.ring, sums)

    def simple(self, own: int, depth: int) -> Value:
        """Return the sum of a product of letters of a class over all classes."""
        if not own:
            return self.m
        x = self.ring.of(Polynomial({own: 1}, sum(e for _, e in exponents(own))))
        return self.atom({way: self.restricted(x, depth, way) for way in self.every_way}, depth)

    def restricted(self, x: Value, depth: int, way: Way) -> Value:
        """Return a value where some letters of a class are 0."""
        if all(way):
            return x
        first = 1 + depth * len(self.letters)
        return at(x, {first + k: self.ring.number(0) for k, there in enumerate(way) if not there})

    def simplified(self, x: Value, depth: int) -> Value:
        return x

    def depends(self, x: Value, depth: int) -> bool:
        """Return whether a value depends on the letters of one depth."""
        return any(self.depth_of(k) == depth for k in x.variables())

    @property
    def full(self) -> Way:
        """The way in which all letters are positive."""
        return (1,) * len(self.letters)

    # Signs of sums

    def per_class(self, f: Polynomial, share: object) -> Table:
        """Return what one class adds, in each way, to a polynomial that is linear in sums over classes."""
        demand(share in SHARES, f"{str(share)[:20]!r} is no way to share something out", "share")
        ring, found = self.ring, {i.way: list[Value]() for i in self.members(0)}
        for own, p in _grouped(f, lambda k: isinstance(ring.atom(k), ClassSum)).items():
            rest, sums = ring.of(p), list(exponents(own))
            demand(sum(e for _, e in sums) < 2, "a product of sums over classes", "share")
            same = not has_sums(rest) and all(self.depth_of(k) < 0 for k in rest.variables())
            demand(same, "what a sum over classes is multiplied by is no number of items or classes", "share")
            atom = ring.atom(sums[0][0]) if sums else None
            for i in self.members(0):
                body = atom.table[i.way] if isinstance(atom, ClassSum) else self.share_of(i, str(share))
                found[i.way].append(self.of_class(rest, i) * self.of_class(body, i))
        return {way: total(ring, x) for way, x in found.items()}

    def of_class(self, x: Value, i: Member) -> Value:
        """Return a value that does not depend on the class as one in its letters."""
        return x

    def share_of(self, i: Member, share: str) -> Value:
        """Return the share of a class in what depends on no class."""
        sizes = {"true": [i.true], "predicted": [i.predicted], "both": [i.true, i.predicted]}.get(share)
        if sizes is None:
            return self.m.inverse()
        return total(self.ring, sizes) / i.items.times(len(sizes))

    def sign_of_sum(self, table: Table, depth: int = 0) -> int:
        """Return the signs that the sum over all classes of a term may have."""
        found = {way: x.signs() for way, x in table.items()}
        for one, weak in ((POSITIVE, NOT_NEGATIVE), (NEGATIVE, NOT_POSITIVE)):
            if all(not x & ~weak for x in found.values()):
                strict = ({found[way] for way in found if self.has(way, side)} == {one} for side in "ab")
                return one if any(strict) else weak
        return UNKNOWN

    def has(self, way: Way, side: str) -> bool:
        """Return whether classes in a way have true (side "a") or predicted items."""
        raise NotImplementedError


def on_two(claim: Claim, cells: Sequence[int]) -> Value:
    """Return the value on a matrix of two classes, which must have one."""
    tn, fp, fn, tp = map(claim.ring.number, cells)
    found = Meaning(claim.ring, [[tn, fp], [fn, tp]], claim.policy, claim.exponents).value(claim.tree)
    if found is None:
        raise Refused("a matrix of two classes has no value")
    return found


def _is_over_classes(x: t.Tree) -> bool:
    inside = (y.memo["over classes"] for y in x.parts)
    return isinstance(x, (t.Over, t.OverPairs, t.Mapped)) or True in inside


def _grouped(p: Polynomial, chosen: Callable[[int], bool]) -> dict[int, Polynomial]:
    """Return a polynomial as a sum of monomials in chosen variables times polynomials in the others."""
    parts: dict[int, dict[int, int]] = {}
    for monomial, c in p.terms.items():
        own = sum(e << k * BITS for k, e in exponents(monomial) if chosen(k))
        parts.setdefault(own, {})[monomial - own] = c
    return {own: Polynomial(terms, p.degree) for own, terms in parts.items()}


def has_sums(x: Value) -> bool:
    """Return whether a sum over classes occurs in a value, also inside of a root, a logarithm or the like."""
    atoms = [atom for atom in map(x.ring.atom, x.atoms()) if atom is not None]
    return any(isinstance(atom, ClassSum) or any(map(has_sums, atom.parts)) for atom in atoms)


def _is_polynomial(x: Value) -> bool:
    return x.coefficient.denominator == 1 and all(e.denominator == 1 and e > 0 for e in x.powers.values())
