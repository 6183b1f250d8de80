"""Statements for every number of classes, shown class by class.

The letters of a class are its right predictions h, its misses p, its false alarms q, and the rest w, the items that are
in neither of its sizes. Some of them may be 0, and which ones is the way of the class; every class has at least one
item in them, since h + p + q + w = n. Where no labeling is constant, q + w and p + w are positive; where every class
occurs in both labelings, h + p and h + q are positive too.

If a measure, or what it lacks to a constant, is a sum over classes of what each adds, G(h, p, q, w), this is a function
of the matrix of one class against the rest, [[w, q], [p, h]]. So a statement about matrices of any number of classes
follows from one about matrices of two classes, with G in the place of the measure (`OneClass`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import product

from goodmeasure.theory.kernel.calculus import at
from goodmeasure.theory.kernel.claim import Branch, Case, Claim, Kind, Support, bits, difference
from goodmeasure.theory.kernel.facts import Node
from goodmeasure.theory.kernel.kinds import distance, moves
from goodmeasure.theory.kernel.kinds.moves import changed
from goodmeasure.theory.kernel.kinds.sums import K, Matrix, Member, Sums, Table, Way, has_sums, on_two
from goodmeasure.theory.kernel.meaning import Outcome
from goodmeasure.theory.kernel.polynomials import ONE, variable
from goodmeasure.theory.kernel.refusal import Refused, Unsettled, demand
from goodmeasure.theory.kernel.signs import NOT_NEGATIVE, POSITIVE
from goodmeasure.theory.kernel.values import Ring, Value
from goodmeasure.theory.statements import statement as kinds
from goodmeasure.theory.statements.goesgens import transposition
from goodmeasure.theory.statements.statement import Move, Statement

_H, _P, _Q, _W = range(4)  # places of the letters in a way


def ways_of_classes(domain: str) -> Iterator[Way]:
    """Yield the ways in which a class of a matrix in a domain can be."""
    for way in product((0, 1), repeat=4):
        h, p, q, w = way
        if (
            any(way)
            and (domain == "all" or ((q or w) and (p or w)))
            and (domain != "regular" or ((h or p) and (h or q)))
        ):
            yield way


class ClassReading(Sums):
    """The reading of a tree in which a class has the letters h, p, q and w."""

    letters = "hpqw"

    def __init__(self, claim: Claim) -> None:
        super().__init__(claim, ways_of_classes(claim.domain))

    def plain_cell(self, i: Member, j: Member) -> Value:
        demand(i is j, "a cell of two classes")
        return i.hit

    def member(self, depth: int, way: Way) -> Member:
        h, p, q, w = self.letters_at(depth, way)
        return Member(way, h, h + p, h + q, h + p + q + w)

    def has(self, way: Way, side: str) -> bool:
        return bool(way[_H] or way[_P if side == "a" else _Q])

    def simplified(self, x: Value, depth: int) -> Value:
        h, p, q, _ = self.letters_at(depth, self.full)
        return at(x, {1 + _W: self.n - h - p - q})

    def simple(self, own: int, depth: int) -> Value:
        """Return a sum; the misses of all classes are the items that are not right, and so are their false alarms."""
        h, p, q = (next(iter(variable(1 + k).terms)) for k in (_H, _P, _Q))
        return self.n - super().simple(h, depth) if own in (p, q) else super().simple(own, depth)

    def of_class(self, x: Value, i: Member) -> Value:
        return at(x, {self.ring.size - 1: i.items})

    def own(self) -> Value:
        """Return the value of the measure, turned so that higher is better."""
        found = self.value(self.claim.tree)
        if found is None:
            raise Refused("the measure is undefined")
        return found.times(self.claim.turn)

    def added(self, x: Value, *, up_to_scale: bool = False) -> Table:
        """Return what a class adds to a value that is a sum over classes, or to a multiple that is the same for all.

        A positive factor without sums over classes depends on the numbers of items and classes alone.
        """
        sums = [f for f in x.powers if has_sums(self.ring.of(f))]
        demand(len(sums) < 2 and all(x.powers[f] == 1 for f in sums), "the value is no sum over classes")
        rest = Value(self.ring, x.coefficient, {f: e for f, e in x.powers.items() if f not in sums})
        if up_to_scale:
            rest = self.ring.number(rest.sign())
        table = self.per_class(sums[0] if sums else ONE, self.claim.about.get("share"))
        found = {i.way: table[i.way] * self.of_class(rest, i) for i in self.members(0)}
        demand(not any(map(has_sums, found.values())), "what a class adds depends on all classes")
        return found


class OneClass(Claim):
    """A class against the rest, with what it adds in the place of the measure."""

    def __init__(self, claim: Claim, table: Table, statement: Statement | None = None) -> None:
        domain = "regular" if claim.domain == "regular" else "all"
        of = statement or claim.statement
        super().__init__(claim.tree, of, m=2, domain=domain, policy=claim.policy, constants={"c_max": "0"})
        names = ["c0_0", "c0_1", "c1_0", "c1_1", "k"]
        self.ring, self.table = Ring(names, whole=names, kept="k"), table

    def value(self, cells: Sequence[Value], *, ring: Ring | None = None) -> Outcome:
        found, to = self.table.get(tuple(int(bool(x.coefficient)) for x in reversed(cells))), ring or self.ring
        if found is None:  # there is no such class in a matrix with a value
            return None
        place = {1 + k: x for k, x in enumerate(reversed(cells))}
        return at(found, {**place, K: to.variable(4)} if to is self.ring else place, to)


class ByClass(Kind):
    """What is shown by the matrix of one class against the rest."""

    def __init__(self, claim: Claim) -> None:
        super().__init__(claim)
        self.reading = ClassReading(claim)
        self.one = OneClass(claim, self.reading.answered(self.table))
        self.ring = self.one.ring

    def table(self) -> Table:
        """Return what a class adds to the measure."""
        return self.reading.added(self.reading.own())


def best(claim: Claim, *, at_diagonal: bool) -> Value:
    """Return the value on two items of two classes, both right or both wrong."""
    return on_two(claim, (1, 0, 0, 1) if at_diagonal else (0, 1, 1, 0)).times(claim.turn)


class Extremes(ByClass):
    """The gap between a constant and the measure is 0 where all predictions are right (wrong), and positive elsewhere.

    The gap is a positive multiple of a power of N = Σ G. For the greatest value, G = 0 for classes without misses and
    false alarms, G ≥ 0 for all others, and G > 0 for every class with misses, or for every one with false alarms. If a
    prediction is wrong, some class has a miss, and some class a false alarm, so the gap is positive. For the least
    value, G = 0 for classes without right predictions, and G > 0 for all others.
    """

    ways = ("positive", "not negative")

    def __init__(self, claim: Claim) -> None:
        self.at_diagonal = claim.statement.at == kinds.DIAGONAL
        self.best = best(claim, at_diagonal=self.at_diagonal)
        super().__init__(claim)
        self.strict = {way: True for way in self.one.table if self._adds(way)}

    def _adds(self, way: Way) -> bool:
        """Return whether a class in a way adds something to the gap."""
        return bool(way[_P] or way[_Q]) if self.at_diagonal else bool(way[_H])

    def table(self) -> Table:
        reading = self.reading
        gap = (_moved(self.best, reading.ring) - reading.own()).times(1 if self.at_diagonal else -1)
        factors = [f for f in gap.powers if reading.ring.signs(f) != POSITIVE]
        sums = [f for f in factors if gap.powers[f] > 0]
        for f in factors:
            if f not in sums:
                raise Unsettled(f)
        demand(len(sums) == 1, "the gap is no positive multiple of one sum over classes")
        odd = gap.powers[sums[0]] % 2 == 1  # so that −N^e is (−N)^e
        demand(gap.coefficient > 0 or odd, "the gap may be negative")
        found = reading.per_class(sums[0].times(1 if gap.coefficient > 0 else -1), self.claim.about.get("share"))
        none = all(self._adds(way) or x.is_zero() for way, x in found.items())
        demand(none, "a class adds to the gap that should add nothing", "share")
        return found

    def cases(self) -> Iterator[Case]:
        """Yield the ways in which a class adds something."""
        for way in self.strict:
            yield Case({"class": bits(way)}, lambda branch, node, way=way: self._check(branch, node, way))  # type: ignore[misc]

    def _check(self, branch: Branch, node: Node, way: Way) -> None:
        value, by = self.one.value(branch.cells(tuple(reversed(way)))), node.get("by")
        demand(by in self.ways, "no way to show a sign", "by")
        assert value is not None
        value.must_be(POSITIVE if by == "positive" else NOT_NEGATIVE)
        self.strict[way] = self.strict[way] and by == "positive"

    def finish(self) -> None:
        """Demand that an error, or a right prediction, makes some class add more than nothing."""
        letters = (_P, _Q) if self.at_diagonal else (_H,)
        some = any(all(x for way, x in self.strict.items() if way[k]) for k in letters)
        demand(some, "an error, or a right prediction, may add nothing")

    def constants(self) -> Mapping[str, Outcome]:
        return {self.claim.statement.constants[0]: self.claim.own(self.best)}


def _moved(x: Value, ring: Ring) -> Value:
    return at(x, {}, ring)


class Moves(moves.Moves):
    """The measure is a sum over classes, and a move raises what some class adds and lowers what none adds.

    A move touches at most two classes. For each class it is a move of the matrix of that class against the rest;
    classes that it does not touch gain or lose items in the rest only, or nothing. All moves of a statement are those
    for three classes with other names, and any further class is like the third one. What the statement says of the
    matrices before and after is left open, so more is shown than is asked.
    """

    ways = ("undefined", "difference", "stays", "slope")

    def __init__(self, claim: Claim) -> None:
        moves = claim.statement.moves
        self.moves = [binary_moves(move, 2) for move in moves(2)]  # for two classes, some class that is there must rise
        self.strict = {x: True for move in moves(3) for x in binary_moves(move, 3)}
        statement = replace(claim.statement, moves=lambda m: tuple(self.strict), before=(), pair=())
        reading = ClassReading(claim)
        super().__init__(OneClass(claim, reading.answered(lambda: reading.added(reading.own())), statement))

    def _check(self, branch: Branch, node: Node, support: Support, move: Move) -> None:
        if node.get("by") != "stays":
            super()._check(branch, node, support, move)
            return
        low, high = (self.claim.value(changed(branch, support, move, after=x)) for x in (False, True))
        if low is None or high is None:
            raise Refused("a value is undefined")
        difference(high, low, strict=False)
        self.strict[move] = False

    def finish(self) -> None:
        """Demand that each move raises what some class adds, if the measure must rise."""
        some = all(any(self.strict[x] for x in some) for some in self.moves)
        demand(some or not self.claim.statement.strict, "a move may leave all classes as they are")


def binary_moves(move: Move, classes: int) -> list[Move]:
    """Return how the matrices of the first classes against the rest change with a move, where they do.

    That the measure falls with a move is said as that it rises with the opposite one.
    """
    demand(len({x for i, j, _ in move.changes for x in (i, j)}) < 3, "a move touches three classes")
    found = []
    for k in range(classes):
        cells = dict.fromkeys(product((0, 1), repeat=2), 0)
        for i, j, delta in move.changes:
            cells[int(i == k), int(j == k)] += delta
        changes = tuple((i, j, delta if move.rises else -delta) for (i, j), delta in cells.items() if delta)
        if changes:
            found.append(Move(changes))
    return list(dict.fromkeys(found))


class Scores(Kind):
    """m times what a class adds is a function of its right predictions, misses and false alarms alone.

    So the measure is the arithmetic mean of such scores (p = 1), each of which depends on the row and the column of its
    class, of which h, p and q are functions.
    """

    def __init__(self, claim: Claim) -> None:
        super().__init__(claim)
        demand(claim.about.get("share") == "m", "a mean has equal weights", "share")
        reading = ClassReading(claim)
        table = reading.answered(lambda: reading.added(reading.own()))
        scores = {way: (x * reading.m).times(claim.turn) for way, x in table.items()}
        for way, x in scores.items():
            demand(not x.variables() & {K, 1 + _W}, "what a class adds depends on more than its row and column")
            other = scores.get((*way[:_W], 1 - way[_W]))
            demand(other is None or other.key == x.key, "what a class adds depends on other classes")

    def cases(self) -> Iterator[Case]:
        """Yield nothing: the reading shows everything."""
        yield from ()

    def constants(self) -> Mapping[str, Outcome]:
        return {self.claim.statement.constants[0]: self.claim.ring.number(1)}


class Transposes(Kind):
    """The value on the transpose, where misses and false alarms change places, is the same."""

    def __init__(self, claim: Claim) -> None:
        super().__init__(claim)
        demand(claim.statement.maps is transposition, "the statement is not about transposes")
        reading = ClassReading(claim)
        gap = reading.answered(lambda: self._gap(reading))
        demand(gap.is_zero(), "the transpose may have another value")

    def _gap(self, reading: ClassReading) -> Value:
        gap = reading.ring.number(0)
        for turned in (False, True):
            reading.whole, reading.known = Matrix(turned=turned), {}
            gap = reading.own() - gap
        return gap

    def cases(self) -> Iterator[Case]:
        """Yield nothing: the readings show everything."""
        yield from ()


class Triangles(distance.Triangles):
    """The gap between the best value and the measure is Σ G, and G obeys the triangle inequality for each class.

    Each labeling gives a binary one for each class, "this class or not", and the matrix of a class against the rest is
    that of two of these. So the inequalities for all classes add up.
    """

    def __init__(self, claim: Claim) -> None:
        reading = ClassReading(claim)
        self.of_all, self.best_of_all = claim, best(claim, at_diagonal=True)
        super().__init__(OneClass(claim, reading.answered(lambda: self._lacks(reading))))

    def _lacks(self, reading: ClassReading) -> Table:
        return reading.added(reading.own() - _moved(self.best_of_all, reading.ring), up_to_scale=True)

    def parts(self) -> dict[str, Node]:
        known = {"symmetry": {}, "maximal_agreement": self.of_all.constants}
        return {name: {"statement": name, "constants": constants} for name, constants in known.items()}

    def constants(self) -> dict[str, Outcome]:
        return {"c_max": self.of_all.own(self.best_of_all)}


class Errors(Kind):
    """c_max − M is a function φ of the number of errors e, the number of items and of classes, with φ(0) = 0.

    It is shown for e, f ≥ 1 and e + f ≤ n that φ(e) > 0, φ(e) ≤ φ(e + f) ≤ φ(e) + φ(f). The number of items on which
    two labelings differ is symmetric and 0 for equal ones only. If z ≤ x + y are such numbers, φ(z) ≤ φ(x) + φ(y): this
    is so if z ≤ x or z ≤ y, since φ rises; else z = x + y′ with 1 ≤ y′ ≤ y, and φ(z) ≤ φ(x) + φ(y′) ≤ φ(x) + φ(y).
    """

    ways = ("difference",)

    def __init__(self, claim: Claim) -> None:
        super().__init__(claim)
        self.reading = ClassReading(claim)
        self.measured = self.reading.answered(self.reading.own)
        self.best = best(claim, at_diagonal=True)
        self.ring = Ring("kefr", whole="kefr", kept="k")
        self.none = self.ring.number(0)
        demand(self._lacks(self.none, self.ring.variable(3)).is_zero(), "there is a gap without errors")

    def _lacks(self, errors: Value, rest: Value) -> Value:
        """Return φ for a number of errors among the errors and the rest of the items."""
        reading, hits = self.reading, next(iter(variable(1 + _H).terms))
        (place,) = reading.simple(hits, 0).atoms()
        image = {place: rest, reading.ring.size - 1: errors + rest, K: self.ring.variable(0)}
        return _moved(self.best, self.ring) - at(self.measured, image, self.ring)

    def cases(self) -> Iterator[Case]:
        """Yield what is shown of φ, where further items are right or there are none."""
        for fact, rest in product(("positive", "rises", "adds"), (0, 1)):
            about = {"fact": fact, "rest": rest}
            yield Case(about, lambda branch, node, x=fact, y=rest: self._check(branch, node, x, y))  # type: ignore[misc]

    def _check(self, branch: Branch, node: Node, fact: str, rest: int) -> None:
        demand(node.get("by") == "difference", "no way to show a difference", "by")
        e, f = branch.variable(1), branch.variable(2)
        r = branch.variable(3) if rest else self.none
        if fact == "positive":
            self._lacks(e, r).must_be(POSITIVE)
            return
        both, one, other = self._lacks(e + f, r), self._lacks(e, f + r), self._lacks(f, e + r)
        difference(both if fact == "rises" else one + other, one if fact == "rises" else both, strict=False)

    def constants(self) -> Mapping[str, Outcome]:
        return {self.claim.statement.constants[0]: self.claim.own(self.best)}
