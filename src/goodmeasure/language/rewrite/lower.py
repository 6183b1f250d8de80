"""Rewriting a tree into the core language, for one number of classes or for all, with the rules for 0/0 or without."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import TypeAlias, cast

from goodmeasure.exceptions import InputError
from goodmeasure.language.record import is_mapped, written_mean
from goodmeasure.language.rewrite import core
from goodmeasure.language.rewrite.core import (
    All,
    CellGroups,
    EachPair,
    Entry,
    Lin,
    Lost,
    MappedGrid,
    Pair,
    both,
    compare,
    either,
    folded,
    inverse,
    never_negative,
    where,
)
from goodmeasure.language.tree import (
    FALSE,
    TRUE,
    ZERO,
    CellOf,
    ClassVariable,
    CountOfClasses,
    Counts,
    Excess,
    Listed,
    Mapped,
    Missing,
    Nth,
    Numeral,
    Operation,
    Over,
    OverMean,
    OverPairs,
    Position,
    PowerMean,
    Ratio,
    Rest,
    SizeOf,
    Skipped,
    Tabled,
    Test,
    ToPower,
    TotalOf,
    Transposed,
    Tree,
    Two,
    Where,
    Whole,
    XLogY,
    below,
    known_of,
    number,
)

Bindings: TypeAlias = Mapping[int, Tree]  # the classes that variables stand for


class WrittenOut:
    """A matrix whose classes are written out: its cells, as sums of cells of one set of groups."""

    def __init__(self, cells: Sequence[Sequence[Tree]]) -> None:
        self.m = len(cells)
        flat = [x for row in cells for x in row]
        if any(core.joined(flat[0], x, 1) is None for x in flat):
            basis = CellGroups(tuple(flat))
            units = [Lin(basis, tuple(int(k == other) for other in range(len(flat)))) for k in range(len(flat))]
            cells = [units[i * self.m : (i + 1) * self.m] for i in range(self.m)]
        self.cells = cells

    def cell(self, i: Tree, j: Tree) -> Tree:
        return self.cells[_place(i)][_place(j)]

    def _sum(self, chosen: Callable[[int, int], bool]) -> Tree:
        total: Tree = ZERO
        for i in range(self.m):
            for j in range(self.m):
                if chosen(i, j):
                    total = core.add(total, self.cells[i][j])
        return total

    def size(self, side: str, i: Tree) -> Tree:
        k = _place(i)
        return self._sum(lambda row, column: (row if side == "a" else column) == k)

    def total(self) -> Tree:
        return self._sum(lambda row, column: True)

    def around(self, i: Tree, j: Tree) -> list[Tree]:
        """Return cell (i, j), the rest of row i, the rest of column j, and everything else."""
        k, n = _place(i), _place(j)
        wanted = ((True, True), (True, False), (False, True), (False, False))
        return [self._sum(lambda p, q, x=x: (p == k, q == n) == x) for x in wanted]  # type: ignore[misc]

    def transposed(self) -> WrittenOut:
        return WrittenOut(list(zip(*self.cells, strict=True)))


def _place(i: Tree) -> int:
    return cast(Nth, i).number


class Looped:
    """A matrix with any number of classes, which is read cell by cell in loops."""

    def __init__(self, of: Tree, *, turned: bool = False) -> None:
        self.of, self.turned = of, turned

    def _part(self, i: Tree, j: Tree, weights: tuple[int, int, int, int]) -> Tree:
        if self.turned:
            i, j, weights = j, i, (weights[0], weights[2], weights[1], weights[3])
        return Lin(Pair(self.of, i, j), weights)

    def cell(self, i: Tree, j: Tree) -> Tree:
        return self._part(i, j, (1, 0, 0, 0))

    def size(self, side: str, i: Tree) -> Tree:
        return self._part(i, i, (1, 1, 0, 0) if side == "a" else (1, 0, 1, 0))

    def total(self) -> Tree:
        return Lin(All(self.of), (1,))

    def around(self, i: Tree, j: Tree) -> list[Tree]:
        return [self._part(i, j, x) for x in ((1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1))]

    def transposed(self) -> Looped:
        return Looped(self.of, turned=not self.turned)


class Lowering:
    """The rewriting for one number of classes (None: any) and one kind of policy: rules act, or they do not.

    Inside a mapped matrix an undefined cell is lost under every policy: a policy that is a number replaces the value of
    the whole measure, not single cells.
    """

    def __init__(self, m: int | None, *, resolves: bool, inside_map: bool = False) -> None:
        self.m, self.resolves, self.inside_map = m, resolves, inside_map
        self.known: dict[object, object] = {}
        self.quiet = self if inside_map else type(self)(m, resolves=resolves, inside_map=True)

    def lowered(self, tree: Tree) -> Tree:
        """Return the core of a tree. Long sums are rewritten from their first term on, so nothing is nested deeply."""
        for x in below(tree):
            if x.SORT == "ValueTree" and not x.free and type(x) in (Operation, Ratio, ToPower):
                self(x, {})
        return self(tree, {})

    def __call__(self, x: Tree, at: Bindings) -> Tree:
        return cast(Tree, self._rewritten(x, at))

    def matrix(self, x: Tree, at: Bindings) -> WrittenOut | Looped:
        return cast("WrittenOut | Looped", self._rewritten(x, at))

    def _rewritten(self, x: Tree, at: Bindings) -> object:
        key = (x, *(at[k] for k in sorted(x.free)))
        found = self.known.get(key)
        if found is None:
            found = self.known[key] = getattr(self, f"_{type(x).__name__.lower()}")(x, at)
        return found

    # Classes and matrices

    def _classvariable(self, x: ClassVariable, at: Bindings) -> Tree:
        return at[x.number]

    def _nth(self, x: Nth, at: Bindings) -> Tree:
        return x

    def _counts(self, x: Counts, at: Bindings) -> WrittenOut | Looped:
        if self.m is None:
            return Looped(x)
        return WrittenOut([[Entry(i, j) for j in range(self.m)] for i in range(self.m)])

    def _transposed(self, x: Transposed, at: Bindings) -> WrittenOut | Looped:
        return self.matrix(x.of, at).transposed()

    def _rest(self, x: Rest, at: Bindings) -> WrittenOut:
        of, i = self.matrix(x.of, at), self(x.i, at)
        if isinstance(of, WrittenOut) and of.m == 2 and i is Nth(1):
            return of
        hit, row, column, other = of.around(i, i)
        return WrittenOut([[other, column], [row, hit]])

    def _two(self, x: Two, at: Bindings) -> WrittenOut:
        tp, fn, fp, tn = (self(y, at) for y in (x.tp, x.fn, x.fp, x.tn))
        return WrittenOut([[tn, fp], [fn, tp]])

    def _mapped(self, x: Mapped, at: Bindings) -> WrittenOut | Looped:
        of = self.matrix(x.of, at)
        if isinstance(of, WrittenOut):
            classes = [Nth(k) for k in range(of.m)]
            return WrittenOut([[self.quiet(x.cell, {**at, x.i: i, x.j: j}) for j in classes] for i in classes])
        return Looped(
            MappedGrid(x.i, x.j, self.quiet(x.cell, {**at, x.i: ClassVariable(x.i), x.j: ClassVariable(x.j)}))
        )

    # Numbers

    def _numeral(self, x: Numeral, at: Bindings) -> Tree:
        return x

    def _missing(self, x: Tree, at: Bindings) -> Tree:
        return Lost() if self.inside_map else Missing()

    _skipped = _missing  # the sum around it leaves the class out

    def _countofclasses(self, x: CountOfClasses, at: Bindings) -> Tree:
        of = self.matrix(x.of, at)
        return number(of.m) if isinstance(of, WrittenOut) else CountOfClasses(of.of)

    def _position(self, x: Position, at: Bindings) -> Tree:
        i = self(x.i, at)
        return number(i.number) if isinstance(i, Nth) else Position(i)

    def _tabled(self, x: Tabled, at: Bindings) -> Tree:
        i, j = self(x.i, at), self(x.j, at)
        if isinstance(i, Nth) and isinstance(j, Nth):
            return Numeral(x.rows[i.number][j.number])
        return Tabled(x.rows, i, j, None)

    def _cellof(self, x: CellOf, at: Bindings) -> Tree:
        return self.matrix(x.of, at).cell(self(x.i, at), self(x.j, at))

    def _sizeof(self, x: SizeOf, at: Bindings) -> Tree:
        return self.matrix(x.of, at).size(x.side, self(x.i, at))

    def _totalof(self, x: TotalOf, at: Bindings) -> Tree:
        return self.matrix(x.of, at).total()

    def _excess(self, x: Excess, at: Bindings) -> Tree:
        # Multiplied out, both products of n·c − a·b contain c·(row + column), and subtracting these large equal parts
        # would cancel digits
        cell, row, column, other = self.matrix(x.of, at).around(self(x.i, at), self(x.j, at))
        return core.sub(core.mul(cell, other), core.mul(row, column))

    def _operation(self, x: Operation, at: Bindings) -> Tree:
        args = tuple(self(y, at) for y in x.args)
        built = _ARITHMETIC.get(x.name)
        return Operation(x.name, args) if built is None else built(*args)

    def _topower(self, x: ToPower, at: Bindings) -> Tree:
        base = self(x.x, at)
        if isinstance(base, Numeral) and x.r.denominator == 1 and x.r >= 0:
            return Numeral(Fraction(base.value**x.r))
        return ToPower(base, x.r)

    def _powermean(self, x: PowerMean, at: Bindings) -> Tree:
        return folded("mean", x.p, [self(y, at) for y in x.values])

    def _overmean(self, x: OverMean, at: Bindings) -> Tree:
        return self(written_mean(x), at)

    def _xlogy(self, x: XLogY, at: Bindings) -> Tree:
        return XLogY(self(x.x, at), self(x.y, at), None if x.above is None else self(x.above, at))

    def _ratio(self, x: Ratio, at: Bindings) -> Tree:
        rule = None if x.rule is None or not self.resolves else self(x.rule, at)
        return core.ratio(self(x.x, at), self(x.y, at), rule or self._missing(x, at))

    def _where(self, x: Where, at: Bindings) -> Tree:
        test = self(x.test, at)
        if test is TRUE or test is FALSE:
            return self(x.x if test is TRUE else x.y, at)
        return where(test, self(x.x, at), self(x.y, at))

    def _whole(self, x: Whole, at: Bindings) -> Tree:
        of, value = self.matrix(x.of, at), self(x.value, at)
        gone: Tree = FALSE
        for y in self._that_must_be_defined(x, of, value):
            missing = Test("broken", (y,)) if isinstance(y, MappedGrid) else core.undefined(y)
            gone = gone if missing in _alternatives(gone) else either(gone, missing)
        return where(gone, self._missing(x, at), value)

    def _that_must_be_defined(self, x: Whole, of: WrittenOut | Looped, value: Tree) -> list[Tree]:
        """Return the cells of a mapped matrix; of a measure that reads such a matrix in passing, its value."""
        if not is_mapped(x.of):
            return [value]
        if isinstance(of, Looped):
            return [of.of]
        every = [y for row in of.cells for y in row]
        groups = [y.basis.cells if isinstance(y, Lin) and isinstance(y.basis, CellGroups) else (y,) for y in every]
        return [y for group in groups for y in group]

    # Conditions

    def _test(self, x: Test, at: Bindings) -> Tree:
        if x.name == "resolves":
            return TRUE if self.resolves else FALSE
        args = [self(y, at) for y in x.args]
        if x.name in ("eq", "lt", "le"):
            return compare(x.name, *args)
        built = _CONNECTED.get(x.name)
        return x if built is None else built(*args)

    # Over classes

    def _over(self, x: Over, at: Bindings) -> Tree:
        of = self.matrix(x.of, at)
        if isinstance(of, Looped):
            return core.each(
                x.op, x.p, x.i, *self._term(x.term, x.test, x.rule, x.weight, {**at, x.i: ClassVariable(x.i)})
            )
        items = [self._term(x.term, x.test, x.rule, x.weight, {**at, x.i: Nth(k)}) for k in range(of.m)]
        terms, tests, weights = zip(*items, strict=True)
        return folded(x.op, x.p, terms, tests, weights)

    def _listed(self, x: Listed, at: Bindings) -> Tree:
        nothing = (None,) * len(x.terms)
        rows = zip(x.terms, x.tests or nothing, x.rules or nothing, x.weights or nothing, strict=True)
        terms, tests, weights = zip(*(self._term(*row, at) for row in rows), strict=True)
        return folded(x.op, x.p, terms, tests, weights)

    def _term(
        self, value: Tree, condition: Tree | None, rule: Tree | None, weight: Tree | None, at: Bindings
    ) -> tuple[Tree, Tree, Tree | None]:
        """Return the term of one class, whether it counts, and its weight."""
        term, test = self(value, at), TRUE if condition is None else self(condition, at)
        test = both(test, inverse(self.skipped(value, at)))
        if rule is not None and self.resolves:
            gone = core.undefined(term)
            test = both(test, inverse(both(gone, self.skipped(rule, at))))
            term = where(gone, self(rule, at), term)
        weighed = None if weight is None else self(weight, at)
        if weighed is not None:
            test = both(compare("lt", ZERO, weighed), test)
        return term, test, weighed

    def _overpairs(self, x: OverPairs, at: Bindings) -> Tree:
        of = self.matrix(x.of, at)

        def test(at: Bindings) -> Tree:
            return both(TRUE if x.test is None else self(x.test, at), inverse(self.skipped(x.term, at)))

        if isinstance(of, Looped):
            at = {**at, x.i: ClassVariable(x.i), x.j: ClassVariable(x.j)}
            return EachPair(x.i, x.j, self(x.term, at), test(at))
        places = [{**at, x.i: Nth(i), x.j: Nth(j)} for i in range(of.m) for j in range(of.m) if i != j]
        if not places:
            return ZERO
        return folded("sum", Fraction(1), [self(x.term, y) for y in places], [test(y) for y in places])

    def skipped(self, x: Tree, at: Bindings) -> Tree:
        """Return the condition under which the value of a node leaves its class out."""
        if not may_skip(x):
            return FALSE
        if isinstance(x, Skipped):
            return TRUE
        if isinstance(x, Where):
            test = self(x.test, at)
            return either(both(test, self.skipped(x.x, at)), both(inverse(test), self.skipped(x.y, at)))
        found: Tree = FALSE
        for y in x.parts:
            if isinstance(x, Ratio) and y is x.rule:
                if self.resolves:
                    found = either(found, both(compare("eq", self(x.y, at), ZERO), self.skipped(y, at)))
            elif isinstance(x, XLogY) and y is not x.x:
                found = either(found, both(inverse(compare("eq", self(x.x, at), ZERO)), self.skipped(y, at)))
            else:
                found = either(found, self.skipped(y, at))
        return found


_ARITHMETIC: dict[str, Callable[..., Tree]] = {"add": core.add, "sub": core.sub, "mul": core.mul, "neg": core.neg}

_CONNECTED: dict[str, Callable[..., Tree]] = {"and": both, "or": either, "not": inverse}


def _alternatives(x: Tree) -> list[Tree]:
    """Return the conditions of which one must hold."""
    if isinstance(x, Test) and x.name == "or":
        return [y for part in x.args for y in _alternatives(part)]
    return [x]


def may_skip(x: Tree) -> bool:
    """Return whether the value of a node may leave its class out."""
    return known_of(x, "skips", _may_skip)


def _may_skip(x: Tree) -> bool:
    return isinstance(x, Skipped) or (type(x) not in (Over, OverPairs, Listed) and any(map(may_skip, x.parts)))


def lowered(tree: Tree, m: int | None, *, resolves: bool, by: type[Lowering] = Lowering) -> Tree:
    """Return the core of a tree: for m classes written out, or (None) for any number of them in loops.

    With ``resolves`` the rules for 0/0 act, as under the policy "resolve".
    """
    if m is not None:
        check_tables(tree, m)
    return by(m, resolves=resolves).lowered(tree)


def may_jump(tree: Tree) -> bool:
    """Return whether a value may jump where counts change a little: whether a choice depends on which of two is larger.

    Tests whether something that is never negative is 0 do not count: they hold on the rim of all counts, where classes
    or cells are empty.
    """

    def decides(x: Tree) -> bool:
        if not isinstance(x, Test) or x.name not in ("lt", "le"):
            return False
        return not any(y is ZERO and never_negative(z) for y, z in (x.args, x.args[::-1]))

    if "jumps" not in tree.memo:
        tree.memo["jumps"] = any(map(decides, below(lowered(tree, tree.classes, resolves=True))))
    return tree.memo["jumps"] is True


def check_tables(tree: Tree, m: int) -> None:
    """Refuse a formula with a table of constants for another number of classes."""
    sizes = tree.memo.get("tables")
    if sizes is None:
        sizes = tree.memo["tables"] = {len(x.rows) for x in below(tree) if isinstance(x, Tabled)}
    others = cast("set[int]", sizes) - {m}
    if others:
        raise InputError(
            "the table is for {size} classes, the matrix has {m}",
            size=min(others),
            m=m,
            advice="give one for each pair",
        )
