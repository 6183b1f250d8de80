"""Read a definition for every number of classes: a class is represented by letters, and a sum over classes is an atom.

**Letters.** Inside ``c.sum`` a class shows its cell c, its true size a and its predicted size b, and a tree for any
number of classes asks for nothing else. So a term that is read to its end is one function f(c, a, b, n, m), the same
for all classes and every m = k + 1. A digit after a letter tells nested sums apart; e is the cell of two
different classes.

**Closed sums** (`close`). A sum over classes is linear: what does not depend on the class is taken out, and the rest is
taken apart into sums of products of the class's letters over a denominator. For all matrices and every m, Σ 1 = m, Σ a
= Σ b = n, and over ordered pairs of different classes Σ 1 = m(m − 1), Σ e = n − Σ c. Every other simple sum is an atom,
known by its term in normal form. So values that are equal by these rules have the same normal form.

**Signs.** The letters of a class are not independent: hits c, misses u = a − c, false alarms v = b − c and the rest w =
n − a − b + c are not negative and not all 0, and every four such numbers may occur. `ClassGround.signs` goes through
all ways in which some of them are 0, in each of which the others are positive variables, and unites the signs. If all
classes are *present* (domain "regular"), a > 0 and b > 0, and n − a > 0 and n − b > 0, because another class occurs
too; so some of the 15 ways fall away. If the labelings are *independent* as well, c = ab/n, and hits, misses, false
alarms and rest are all positive. A closed sum has the sign of its term where that is the same for all classes, since
there is a class; a closed sum over pairs likewise, since m ≥ 2, so that there is a pair.

**Points.** The variables are not independent here, so the invariants of `arithmetic.py` hold on another set than all
positive points. Let S be the set of points at which n, k and the extra variables are positive, every cell e of two
classes is not negative, and the letters c, a, b of each depth are those of a class: c, a − c, b − c and n − a − b + c
are not negative (and a, b, n − a and n − b are positive if all classes are present; if the labelings are independent, c
= ab/n is no variable, and only these four conditions remain). Every class, every pair of classes, and every two classes
of nested sums, the same or different ones, give a point of S; that some points of S belong to no matrix does no harm. A
quotient x/y is formed only if y has one sign at all points of S: `ClassGround.images` goes through the letters of one
depth as above, and for letters of two depths, or of pairs, it takes sizes and n for any positive numbers, which covers
S. So denominators are positive on S. S is given by linear inequalities, so it is convex, hence connected; and it
contains the sample point n = 100, a = b = 3, c = 1, where all other variables are 1: there a − c = b − c = 2 and n − a
− b + c = 95. So a common factor that vanishes nowhere on S has the sign on S that it has at the sample. With named
classes all variables are positive and independent, and the sample is (1, …, 1). The kinds of sizes in `guesses.py`
admit 0 ≤ a ≤ n, or 0 ≤ a < n, or 0 < a < n, with or without the assumption that a is not 0, and likewise for b; this is
again a convex set that contains the sample.

**Named classes.** For a move, the two classes that it touches are written out in every sum, and what all others add is
one atom (`Others`), known by the value of the term in each of the ways above. Other classes have the same letters
before and after the move, so the atom is the same before and after, unless the term contains n and the move changes n.
If the move keeps n, n is written in the letters of the other class itself. If it changes n, the rest w = n − a − b + c
of another class changes with it, and may become positive where it was 0, so that the class is in another of the ways
above. But then a term is worked out on h, h + p and h + q alone: a term without n has the same value in two ways that
differ in w only, so the class adds the same before and after.

**Suppositions.** A root, an angle or a logarithm whose argument is not shown to lie in its domain may be read as if it
did: on a matrix on which it does not, the measure has no value, and the statement demands nothing there. This is right
only if nothing depends on whether the term is defined; `SupposingView` makes sure of that.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import product
from typing import NoReturn, SupportsIndex, cast

from goodmeasure.language.policy import LeaveOut, Policy
from goodmeasure.language.view import Chosen, ConstantTable, Number, PairTerm, RowsOfTable, Rule, Sizes, Term
from goodmeasure.packages import flint
from goodmeasure.theory.verify import atoms
from goodmeasure.theory.verify.arithmetic import (
    ANY,
    DOWN,
    NOT_DOWN,
    NOT_UP,
    UNDEFINED,
    UP,
    ZERO,
    Atom,
    Atoms,
    FunctionValue,
    Ground,
    Outcome,
    PointData,
    Poly,
    Refused,
    Signs,
    _made,
    _plus,
    _times,
)
from goodmeasure.theory.verify.views import FunctionView, SupposingView

DEPTH = 2  # how many sums may stand inside one another
SHARES = ("m", "true", "predicted", "both")  # ways to distribute the terms that depend on no class among the classes


def ways(present: bool) -> Iterator[tuple[int, int, int, int]]:
    """Yield the ways in which some of hits, misses, false alarms and the rest of a class are 0."""
    for h, u, v, w in list(product((0, 1), repeat=4))[1:]:
        if not present or ((h or u) and (h or v) and (v or w) and (u or w)):
            yield h, u, v, w


def letters_from(depth: int) -> frozenset[str]:
    """Return the letters of the classes that are bound at this depth or inside."""
    return frozenset(f"{x}{d}" for x in "abce" for d in range(depth, DEPTH))


class ClassGround(Ground):
    """The letters of classes; ``extra`` are further positive variables.

    ``named``: the ground for moves, whose extra variables are cells, and where h, p, q, w are the letters of one of the
    other classes, all of them positive variables.
    """

    def __init__(
        self,
        extra: tuple[str, ...] = (),
        *,
        present: bool,
        independent: bool = False,
        named: bool = False,
        deadline: float = float("inf"),
    ) -> None:
        self.present, self.independent, self.named = present, independent, named
        own = "hpqw" if named else "ceab"
        bound = [f"{x}{d}" for d in range(DEPTH) for x in own]
        super().__init__((*extra, *(() if named else ("n", "u", "v", "w")), "k", *bound), deadline)

    def sign_at_sample(self, p: Poly) -> int:
        """Return the sign of a polynomial for two classes with 100 items, in which class sizes are 3."""
        known = {"n": 100, **{f"{x}{d}": 3 for x in "ab" for d in range(DEPTH)}}
        skip = p.context().nvars() - len(self.names)
        total = int(p(*([1] * skip), *(1 if self.named else known.get(name, 1) for name in self.names)))
        return (total > 0) - (total < 0)

    def signs(self, p: Poly, atoms: Atoms, *, whole: bool = False, depth: int = 6) -> Signs:
        """Return the signs for all letters that a class can have; powers of atoms are taken term by term."""
        if self.named:
            return super().signs(p, atoms, whole=whole, depth=depth)
        inside = letters_from(0)
        if not self.mentioned(p, atoms) & inside and not any(self.atoms[k].letters() & inside for k in atoms):
            return super().signs(p, atoms, whole=False, depth=depth)
        total = ZERO
        for exponents, q in self.by_atoms(p, atoms).items():
            one = self._of_letters(q)
            for e, k in zip(exponents, atoms, strict=True):
                if e:
                    one = _times(one, self.atoms[k].signs if e % 2 else frozenset(x * x for x in self.atoms[k].signs))
            total = _plus(total, one)
        return total

    def _of_factor(self, p: Poly, atoms: Atoms, whole: bool, depth: int) -> Signs:
        """Return the signs of an irreducible polynomial, also class by class, or by m being a whole number."""
        found = super()._of_factor(p, atoms, whole, depth)
        if self.named or found != ANY:
            return found
        for share in SHARES if atoms else ():
            body = self.per_class(p, atoms, share)
            found = ANY if body is None else self.signs_of_sum(body)
            if found in (UP, DOWN, NOT_DOWN, NOT_UP, ZERO):
                return found  # there is a class, and a sum of terms of one sign has this sign
        k, gens = self.names.index("k") + len(atoms), list(p.context().gens())
        moved = p.compose(*(g + 1 if j == k else g for j, g in enumerate(gens)))  # m ≥ 2, so k = 1 or k = 1 + k′
        return self._of_terms(moved, atoms) | self._of_terms(moved.subs({"k": 0}), atoms)

    def signs_of_sum(self, body: FunctionValue, depth: int = 0) -> Signs:
        """Return the signs of the sum of a term over all classes: those of the term, if it has one sign."""
        return body.signs()

    def per_class(self, p: Poly, atoms: Atoms, share: str) -> FunctionValue | None:
        """Return what one class adds to a polynomial that is linear in sums over classes; None if it is not.

        Terms that depend on no class are shared out: each class gets 1/m of them, or a/n, or b/n, or (a + b)/2n. These
        shares add up to 1.
        """
        known = [self.atoms[k] for k in atoms]
        sums = [x for x in known if isinstance(x, SumOver) and not x.pairs and x.depth == 0 and not x.body.atoms]
        if len(sums) < len(known) or letters_from(0) & self.mentioned(p, atoms):
            return None
        g = self.variables
        above, below = {
            "m": (self.constant(1), g["k"] + 1),
            "true": (g["a0"], g["n"]),
            "predicted": (g["b0"], g["n"]),
            "both": (g["a0"] + g["b0"], 2 * g["n"]),
        }[share]
        total = self.rational(0)
        for exponents, q in self.by_atoms(p, atoms).items():
            if sum(exponents) > 1:
                return None
            body = next((x.body for x, e in zip(sums, exponents, strict=True) if e), None)
            total = total + self.value(q) * (self.value(above) / self.value(below) if body is None else body)
        return total

    def mentioned(self, p: Poly, atoms: Atoms) -> frozenset[str]:
        """Return the variables of a polynomial."""
        return frozenset(name for name, e in zip(self.names, p.degrees()[len(atoms) :], strict=True) if e > 0)

    def by_atoms(self, p: Poly, atoms: Atoms) -> dict[tuple[int, ...], Poly]:
        """Return a polynomial as {exponents of atoms: polynomial in the letters}."""
        parts: dict[tuple[int, ...], dict[tuple[int, ...], int]] = {}
        for monomial, c in zip(p.monoms(), p.coeffs(), strict=True):
            e = tuple(map(int, monomial))
            parts.setdefault(e[: len(atoms)], {})[e[len(atoms) :]] = int(c)
        return {key: self.context.from_dict(x) for key, x in parts.items()}

    def _of_letters(self, p: Poly) -> Signs:
        """Return the signs of a polynomial in letters, over all ways in which some counts of a class are 0."""
        found: Signs = frozenset()
        for image in self.images(p):
            found |= Ground.signs(self, p.compose(*image), ()) if image is not None else ANY
            if found == ANY:
                break
        return found

    def images(self, p: Poly) -> Iterator[list[Poly] | None]:
        """Yield what stands for the variables in each way that the letters of a polynomial can be; None if unknown."""
        bound = self.mentioned(p, ()) & letters_from(0)
        g, depths = self.variables, {x[1] for x in bound}
        if not bound:
            yield list(self.gens)
        elif any(x[0] == "e" for x in bound) or len(depths) > 1:
            if not self.present or any(x[0] == "c" for x in bound):
                yield None
                return
            cells = [x for x in bound if x[0] == "e"]
            for there in product((0, 1), repeat=len(cells)):  # class sizes are positive, a cell may be 0
                gone = {x: g[x] * y for x, y in zip(cells, there, strict=True)}
                yield [gone.get(name, x) for name, x in g.items()]
        else:
            (d,) = depths
            for h, u, v, w in ((1, 1, 1, 1),) if self.independent else ways(self.present):
                c, miss, alarm, rest = g[f"c{d}"] * h, g["u"] * u, g["v"] * v, g["w"] * w
                image = {f"c{d}": c, f"a{d}": c + miss, f"b{d}": c + alarm, "n": c + miss + alarm + rest}
                yield [image.get(name, x) for name, x in g.items()]

    def positive_unless(self, y: FunctionValue, x: FunctionValue) -> bool:
        """Return whether y is seen to be positive wherever x is not 0, for values without atoms."""
        if y.atoms or x.atoms:
            return False
        both = x.num * y.num * y.num * y.den  # this product is only used to find which letters occur
        for image in self.images(both):
            if image is None:
                return False
            if Ground.signs(self, x.num.compose(*image), ()) == ZERO:
                continue
            if Ground.signs(self, y.num.compose(*image), ()) != UP:
                return False
        return True


# Closed sums


class SumOver(Atom):
    """The sum of a term over all classes, or over all ordered pairs of different classes."""

    def __init__(self, body: FunctionValue, depth: int, pairs: bool, signs: Signs) -> None:
        super().__init__(signs)
        self.body, self.depth, self.pairs = body, depth, pairs

    def letters(self) -> frozenset[str]:
        return (self.body.letters - letters_from(self.depth)) | {"k"}

    def inside(self) -> list[FunctionValue]:
        return [self.body]

    def ball(self, at: Callable[[FunctionValue], flint.arb], point: PointData) -> flint.arb:
        rows, d, total = point["rows"], self.depth, flint.arb(0)
        true, predicted = [sum(row) for row in rows], [sum(x) for x in zip(*rows, strict=True)]
        for i, j in product(range(len(rows)), repeat=2):
            if (i != j) == self.pairs:
                local = {f"i{d}": i, f"c{d}": rows[i][i], f"e{d}": rows[i][j], f"a{d}": true[i], f"b{d}": predicted[i]}
                if self.pairs:
                    local |= {f"c{d + 1}": rows[j][j], f"a{d + 1}": true[j], f"b{d + 1}": predicted[j]}
                total = total + atoms.ball(self.body, {**point, **local})
        return total


class Others(Atom):
    """The sum over the classes that are not named, identified by the term in each way that a class can be.

    Every class is in one of these ways. If no way makes the term negative, neither is the sum, of however many classes.
    """

    needs_matrix = True

    def __init__(self, terms: Mapping[tuple[int, ...], FunctionValue], depth: int) -> None:
        super().__init__(NOT_DOWN if all(x.signs() <= NOT_DOWN for x in terms.values()) else ANY)
        self.terms, self.depth = terms, depth

    def letters(self) -> frozenset[str]:
        own = frozenset(f"{x}{d}" for x in "hpqw" for d in range(self.depth, DEPTH))
        return frozenset({"k"}).union(*(x.letters for x in self.terms.values())) - own

    def inside(self) -> list[FunctionValue]:
        return list(self.terms.values())

    def ball(self, at: Callable[[FunctionValue], flint.arb], point: PointData) -> flint.arb:
        """Return the value for three classes, of which the last is not named."""
        return atoms.ball(*self._last(point))

    def whole(self, point: PointData) -> int | None:
        if "rows" not in point:
            return None
        found = atoms.number_at(*self._last(point))
        return int(found.p) if found is not None and found.q == 1 else None

    def _last(self, point: PointData) -> tuple[FunctionValue, PointData]:
        """Return what the last of three classes adds, and the point at which it has its value."""
        rows, d = point["rows"], self.depth
        h = rows[2][2]
        miss, alarm = sum(rows[2]) - h, sum(row[2] for row in rows) - h
        rest = sum(map(sum, rows)) - h - miss - alarm
        way = tuple(int(x > 0) for x in (h, miss, alarm, rest))
        return self.terms[way], {**point, f"h{d}": h or 1, f"p{d}": miss or 1, f"q{d}": alarm or 1, f"w{d}": rest or 1}


def close(body: FunctionValue, depth: int, *, pairs: bool = False) -> FunctionValue:
    """Return the sum of a term over all classes (or pairs), taken apart into simple sums."""
    ground = cast(ClassGround, body.ground)
    own = letters_from(depth)
    kept = [bool(ground.atoms[k].letters() & own) for k in body.atoms]
    inside, outside = _denominators(ground, body, own, kept)
    total = ground.rational(0)
    for (mine, letters), rest in _grouped(ground, body, own, kept).items():
        simple = _simple(ground, mine, letters, inside, body.atoms, depth, pairs)
        total = total + rest / outside * simple
    return total


def _denominators(
    ground: ClassGround, body: FunctionValue, own: frozenset[str], kept: list[bool]
) -> tuple[FunctionValue, FunctionValue]:
    """Return the denominator as a positive factor that depends on the class and a positive one that does not."""
    inside, outside = ground.one, ground.one
    content, factors = body.den.factor()
    one = ground.lifted(ground.constant(1), body.atoms)
    for factor, power in factors:
        f = _made(ground, factor, one, body.atoms)
        depends = bool(f.letters & own)
        if f.signs() != UP:
            if (-f).signs() != UP:  # a factor of open sign: the whole denominator stays inside
                return _made(ground, body.den, one, body.atoms), ground.one
            f = -f
        for _ in range(int(power)):
            inside, outside = (inside * f, outside) if depends else (inside, outside * f)
    return inside, outside * abs(int(content))


def _grouped(
    ground: ClassGround, body: FunctionValue, own: frozenset[str], kept: list[bool]
) -> dict[tuple[Atoms, Atoms], FunctionValue]:
    """Return the numerator as {(exponents of atoms, of letters) that depend on the class: factor that does not}."""
    parts: dict[tuple[Atoms, Atoms], dict[tuple[int, ...], int]] = {}
    mine = [*kept, *(name in own for name in ground.names)]
    for monomial, c in zip(body.num.monoms(), body.num.coeffs(), strict=True):
        e = tuple(map(int, monomial))
        key = tuple(x if y else 0 for x, y in zip(e, mine, strict=True))
        rest = tuple(0 if y else x for x, y in zip(e, mine, strict=True))
        split = len(body.atoms)
        parts.setdefault((key[:split], key[split:]), {})[rest] = int(c)
    context = ground.context_of(body.atoms)
    one = ground.lifted(ground.constant(1), body.atoms)
    return {key: _made(ground, context.from_dict(x), one, body.atoms) for key, x in parts.items()}


def _simple(
    ground: ClassGround, of_atoms: Atoms, of_letters: Atoms, below: FunctionValue, names: Atoms, depth: int, pairs: bool
) -> FunctionValue:
    """Return the sum of one product over a positive denominator: a known one, or an atom."""
    context = ground.context_of(names)
    above = _made(
        ground, context.from_dict({(*of_atoms, *of_letters): 1}), ground.lifted(ground.constant(1), names), names
    )
    body = above / below
    m, n = ground.value(ground.variables["k"] + 1), ground.value(ground.variables["n"])
    if not body.atoms and body.den.is_one():
        letters, g = body.num, ground.variables
        if letters.is_one():
            return m * (m - 1) if pairs else m
        if not pairs and letters in (g[f"a{depth}"], g[f"b{depth}"]):
            return n
        if pairs and letters == g[f"e{depth}"]:
            return n - close(ground.value(g[f"c{depth}"]), depth)
    if depth and not body.atoms and not body.letters & frozenset(f"{x}0" for x in "abce"):  # as if it stood alone
        place = {f"{x}{d}": ground.variables[f"{x}{d - depth}"] for x in "abce" for d in range(depth, DEPTH)}
        body, depth = (
            ground.value(_renamed(ground, body.num, place)) / ground.value(_renamed(ground, body.den, place)),
            0,
        )
    signs = body.signs() if pairs else ground.signs_of_sum(body, depth)
    return ground.new_atom(("sum", pairs, depth, *body.key), partial(SumOver, body, depth, pairs, signs))


def _renamed(ground: ClassGround, p: Poly, place: Mapping[str, Poly]) -> Poly:
    return p.compose(*(place.get(name, g) for name, g in ground.variables.items()))


# The view


class OneClass:
    """A class inside a sum: its cell on the diagonal and its two sizes."""

    __slots__ = ("cell", "predicted", "true")

    def __init__(self, cell: Outcome, true: Outcome, predicted: Outcome) -> None:
        self.cell, self.true, self.predicted = cell, true, predicted

    def __index__(self) -> NoReturn:
        raise Refused("a class of any number of classes has no position")


class ClassView(SupposingView):
    """The language of ``c`` for a matrix with any number of classes, some of which may be named."""

    def __init__(self, policy: Policy, ground: ClassGround, n: FunctionValue, named: tuple[OneClass, ...] = ()) -> None:
        super().__init__([[0]], policy, ground)
        self.m = ground.value(ground.variables["k"] + 1)  # type: ignore[assignment] # no loop runs over the classes
        self.letters = ground
        self._items, self.named = n, named
        self.depth = 0  # the nesting depth of the sum that is being read
        self.flipped = False  # whether true and predicted are exchanged
        self.scale: FunctionValue | None = None  # the factor of all counts
        self.keeps_n = False  # whether the move keeps n
        self._pair: tuple[OneClass, OneClass, Outcome] | None = None

    # Cells and sizes

    def __getitem__(self, ij: tuple[SupportsIndex | int, SupportsIndex | int]) -> Outcome:
        i, j = ij
        if type(i) is OneClass and i is j:
            return i.cell
        if self._pair is not None and i is self._pair[0] and j is self._pair[1]:
            return self._pair[2]
        return self.ground.refuse("a cell that is not that of one class")

    def _class(self, i: SupportsIndex | int) -> OneClass:
        return i if type(i) is OneClass else self.ground.refuse("the definition names a class")

    @property
    def a(self) -> Sizes[Outcome, SupportsIndex]:
        return Sizes(lambda i: self._class(i).predicted if self.flipped else self._class(i).true)

    @property
    def b(self) -> Sizes[Outcome, SupportsIndex]:
        return Sizes(lambda i: self._class(i).true if self.flipped else self._class(i).predicted)

    @property
    def n(self) -> Outcome:
        return self._items

    @property
    def T(self) -> ClassView:  # noqa: N802
        turned = ClassView(self.policy, self.letters, self._items, self.named)
        turned.flipped, turned.depth, turned.scale = not self.flipped, self.depth, self.scale
        turned.keeps_n = self.keeps_n
        return turned

    def _of_two(self, i: int, j: int) -> Outcome:
        return self.ground.refuse("cells of two classes")

    def vs_rest(self, i: SupportsIndex | int) -> FunctionView:
        hit, a, b = self[i, i], self.a[i], self.b[i]
        return self.two(hit, a - hit, b - hit, self._items - a - b + hit)

    def two(self, tp: Outcome, fn: Outcome, fp: Outcome, tn: Outcome) -> FunctionView:
        return FunctionView([[tn, fp], [fn, tp]], self.policy, self.ground)

    def like(self, cells: Sequence[Sequence[Outcome]]) -> FunctionView:
        return FunctionView(cells, self.policy, self.ground)

    def map(self, cell: Callable[[SupportsIndex, SupportsIndex], Outcome]) -> FunctionView:
        return self.ground.refuse("a mapped matrix")

    def table(self, rows: RowsOfTable, legend: str | None = None) -> ConstantTable[Outcome, SupportsIndex]:
        return self.ground.refuse("a table of constants")

    # Over classes

    def sum(self, term: Term[SupportsIndex, Outcome], over: Chosen[SupportsIndex] | None = None) -> Outcome:
        def each(i: OneClass) -> Outcome:
            try:
                return self._term(term, i) if over is None or over(i) else self.ground.rational(0)
            except LeaveOut:
                return self.ground.rational(0)

        return self._sum(each)

    def mean(
        self,
        term: Term[SupportsIndex, Outcome],
        p: Outcome | Number = 1,
        over: Chosen[SupportsIndex] | None = None,
        undefined: Rule[Outcome, SupportsIndex] | None = None,
        weights: Sizes[Outcome, SupportsIndex] | None = None,
    ) -> Outcome:
        if self.ground.plain(p) != 1:
            return self.ground.refuse("a power mean over classes")
        if undefined is not None and self.policy.resolves:
            term = self._with_rule(term, undefined)
        if weights is not None:

            def counts(i: SupportsIndex) -> bool:
                return weights[i] > 0

            above = self._sum(lambda i: weights[i] * self._kept(term, i) if counts(i) else self.ground.rational(0))
            return self.ratio(above, self.sum(lambda i: weights[i], counts))

        def each(i: OneClass) -> Outcome:
            if over is not None and not over(i):
                self.ground.refuse("a class that a mean leaves out")
            return self._kept(term, i)

        return self._sum(each) / self.m

    def _kept(self, term: Term[SupportsIndex, Outcome], i: OneClass) -> Outcome:
        try:
            return self._term(term, i)
        except LeaveOut:
            return self.ground.refuse("a class that a mean leaves out")

    def _term(self, term: Term[SupportsIndex, Outcome], i: OneClass) -> Outcome:
        value = self.constant(term(i))
        return self.ground.refuse("a class without a value") if value is UNDEFINED else value

    def _sum(self, term: Callable[[OneClass], Outcome]) -> Outcome:
        """Return a sum over all classes: the named ones written out, all others closed."""
        depth = self.depth
        if depth >= DEPTH:
            return self.ground.refuse("too many sums inside one another")
        total = self.ground.rational(0)
        for known in self.named:
            total = total + term(known)
        self.depth += 1
        try:
            if self.named:
                return total + self._others(term, depth)
            body = term(self._any_class(depth))
        finally:
            self.depth -= 1
        return close(body, depth)

    def _any_class(self, depth: int) -> OneClass:
        """Return the class that stands for all classes in a closed sum."""
        ground = self.letters
        cell, a, b = (ground.value(ground.variables[f"{x}{depth}"]) for x in "cab")
        if ground.independent:
            cell = a * b / self._items
        if self.scale is not None:
            cell, a, b = cell * self.scale, a * self.scale, b * self.scale
        return OneClass(cell, a, b)

    def _others(self, term: Callable[[OneClass], Outcome], depth: int) -> Outcome:
        """Return the sum over the classes that are not named, as an atom."""
        ground, n = self.letters, self._items
        found: dict[tuple[int, ...], Outcome] = {}
        for way in ways(ground.present):
            hit, miss, alarm, rest = (
                ground.value(ground.variables[f"{x}{depth}"] * y) for x, y in zip("hpqw", way, strict=True)
            )
            if self.keeps_n:
                self._items = hit + miss + alarm + rest
            try:
                found[way] = term(OneClass(hit, hit + miss, hit + alarm))
            finally:
                self._items = n
        key = "others", depth, *((way, x.key) for way, x in found.items())
        return ground.new_atom(key, partial(Others, found, depth))

    def product(self, term: Term[SupportsIndex, Outcome], over: Chosen[SupportsIndex] | None = None) -> Outcome:
        return self.ground.refuse("a product over classes")

    def least(self, term: Term[SupportsIndex, Outcome], over: Chosen[SupportsIndex] | None = None) -> Outcome:
        return self.ground.refuse("a least value over classes")

    def greatest(self, term: Term[SupportsIndex, Outcome], over: Chosen[SupportsIndex] | None = None) -> Outcome:
        return self.ground.refuse("a greatest value over classes")

    def sum_off(self, term: PairTerm[SupportsIndex, Outcome], over: object = None) -> Outcome:
        depth = self.depth
        if self.named or over is not None or depth + 1 >= DEPTH or self._pair is not None:
            return self.ground.refuse("a sum over pairs of classes")
        ground = self.letters
        first, second = self._any_class(depth), self._any_class(depth + 1)
        cell = ground.value(ground.variables[f"e{depth}"])
        if ground.independent:
            cell = first.true * second.predicted / self._items
        if self.scale is not None:
            cell = cell * self.scale
        if self.flipped:  # Σ over pairs (i, j) of the transposed matrix is Σ over pairs (j, i) of the matrix
            first, second = second, first
        self._pair, self.depth = (first, second, cell), depth + 2
        try:
            body = self.constant(term(first, second))
        finally:
            self._pair, self.depth = None, depth
        return self.ground.refuse("a pair without a value") if body is UNDEFINED else close(body, depth, pairs=True)

    # Where it is not seen that a term is defined

    def xlogy(self, x: object, y: object, above: object = None) -> Outcome:
        factor = self.constant(x)
        try:
            value = self.constant(y() if callable(y) else y)
        except LeaveOut:
            return self.ground.refuse("a logarithm without a value")
        if factor is UNDEFINED or value is UNDEFINED:
            return self.ground.refuse("a logarithm without a value")
        if not self.letters.positive_unless(value, factor):
            self._suppose()
        if value.signs() == UP:
            return factor * atoms.log(value)
        return factor * self.ground.new_atom(("xlog", *value.key), partial(LogOrZero, value, ANY))

    def arccos(self, x: object) -> Outcome:
        x = self.constant(x)
        if x is not UNDEFINED and not ((1 - x).signs() <= NOT_DOWN and (1 + x).signs() <= NOT_DOWN):
            self._suppose()
            return atoms.angle_of(x)
        return super().arccos(x)


class LogOrZero(atoms.Logarithm):
    """The logarithm of a value that is not negative, as a factor of something that is 0 where the value is 0."""

    def ball(self, at: Callable[[FunctionValue], flint.arb], point: PointData) -> flint.arb:
        x = at(self.inner)
        return flint.arb(0) if x == 0 else x.log()
