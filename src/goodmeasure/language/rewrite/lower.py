"""Rewriting a tree into the core language, for one number of classes or for all, with the rules for 0/0 or without."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import reduce
from itertools import permutations
from typing import TypeAlias, cast

from goodmeasure.exceptions import InputError
from goodmeasure.language import tree as t
from goodmeasure.language.record import is_mapped, written_mean
from goodmeasure.language.rewrite import core
from goodmeasure.language.rewrite.core import both, compare, either, where
from goodmeasure.language.tree import FALSE, TRUE, ZERO, Tree, number

Bindings: TypeAlias = Mapping[int, Tree]  # the classes that variables stand for


class WrittenOut:
    """A matrix whose classes are written out: its cells, as sums of cells of one set of groups."""

    def __init__(self, cells: Sequence[Sequence[Tree]]) -> None:
        self.m, flat = len(cells), [x for row in cells for x in row]
        if any(core.joined(flat[0], x, 1) is None for x in flat):
            basis = core.CellGroups(tuple(flat))
            units = [core.Lin(basis, tuple(int(k == other) for other in range(len(flat)))) for k in range(len(flat))]
            cells = [units[i * self.m : (i + 1) * self.m] for i in range(self.m)]
        self.cells, self._every = cells, range(self.m)

    def _sum(self, rows: Iterable[int], columns: Sequence[int]) -> Tree:
        return reduce(core.add, [ZERO, *(self.cells[i][j] for i in rows for j in columns)])

    def cell(self, i: Tree, j: Tree) -> Tree:
        return self._sum(_place(i), _place(j))

    def size(self, side: str, i: Tree) -> Tree:
        return self._sum(_place(i), self._every) if side == "a" else self._sum(self._every, _place(i))

    def total(self) -> Tree:
        return self._sum(self._every, self._every)

    def around(self, i: Tree, j: Tree) -> list[Tree]:
        """Return cell (i, j), the rest of row i, the rest of column j, and everything else."""
        rows, columns = ((_place(x), [k for k in self._every if k not in _place(x)]) for x in (i, j))
        return [self._sum(x, y) for x in rows for y in columns]

    def transposed(self) -> WrittenOut:
        return WrittenOut(list(zip(*self.cells, strict=True)))

    def lost(self) -> Tree:
        """Return the condition that a cell is undefined."""
        return reduce(either, dict.fromkeys(core.undefined(x) for row in self.cells for x in row))


def is_computed(x: Tree) -> bool:
    """Return whether a matrix holds other values than counts and their sums."""
    return isinstance(x, (t.Mapped, t.Two))


def _place(i: Tree) -> list[int]:
    return [cast(t.Nth, i).number]


class Looped:
    """A matrix with any number of classes, which is read cell by cell in loops."""

    def __init__(self, of: Tree, *, turned: bool = False) -> None:
        self.of, self.turned = of, turned

    def _part(self, i: Tree, j: Tree, weights: tuple[int, int, int, int]) -> Tree:
        if self.turned:
            i, j, weights = j, i, (weights[0], weights[2], weights[1], weights[3])
        return core.Lin(core.Pair(self.of, i, j), weights)

    def cell(self, i: Tree, j: Tree) -> Tree:
        return self._part(i, j, (1, 0, 0, 0))

    def size(self, side: str, i: Tree) -> Tree:
        return self._part(i, i, (1, 1, 0, 0) if side == "a" else (1, 0, 1, 0))

    def total(self) -> Tree:
        return core.Lin(core.All(self.of), (1,))

    def around(self, i: Tree, j: Tree) -> list[Tree]:
        return [self._part(i, j, x) for x in ((1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1))]

    def transposed(self) -> Looped:
        return Looped(self.of, turned=not self.turned)

    def lost(self) -> Tree:
        return t.Test("broken", (self.of,))


class Lowering:
    """The rewriting for one number of classes (None: any) and one kind of policy: rules act, or they do not.

    Inside a mapped matrix an undefined cell is lost under every policy: a policy that is a number replaces the value of
    the whole measure, not single cells.
    """

    def __init__(
        self, m: int | None, *, resolves: bool, exact_products: bool = False, inside_map: bool = False
    ) -> None:
        self.m, self.resolves, self.exact_products = m, resolves, exact_products and not inside_map
        self.missing: Tree = core.Lost() if inside_map else t.Missing()
        self.known: dict[object, object] = {}
        self.quiet = self if inside_map else type(self)(m, resolves=resolves, inside_map=True)

    def lowered(self, tree: Tree) -> Tree:
        """Return the core of a tree. Long sums are rewritten from their first term on, so nothing is nested deeply."""
        for x in t.below(tree):
            if x.SORT == "ValueTree" and not x.free and type(x) in (t.Operation, t.Ratio, t.ToPower):
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
            ways: dict[str, Callable[[Tree, Bindings], object]] = {
                "MatrixTree": self._matrix, "ValueTree": self.value, "ConditionTree": self._condition
            }  # fmt: skip
            found = self.known[key] = ways[x.SORT](x, at)
        return found

    def _class(self, x: Tree, at: Bindings) -> Tree:
        return at[x.number] if isinstance(x, t.ClassVariable) else x

    def _matrix(self, x: Tree, at: Bindings) -> WrittenOut | Looped:
        match x:
            case t.Counts():
                return Looped(x) if self.m is None else WrittenOut(_entries(self.m))
            case t.Transposed():
                return self.matrix(x.of, at).transposed()
            case t.Rest():
                of, k = self.matrix(x.of, at), self._class(x.i, at)
                if isinstance(of, WrittenOut) and of.m == 2 and k is t.Nth(1):
                    return of
                hit, row, column, other = of.around(k, k)
                return WrittenOut([[other, column], [row, hit]])
            case t.Two():
                tp, fn, fp, tn = (self(y, at) for y in x.parts)
                return WrittenOut([[tn, fp], [fn, tp]])
            case t.Mapped(i=i, j=j, cell=cell):
                of = self.matrix(x.of, at)
                if isinstance(of, Looped):
                    bound = {**at, i: t.ClassVariable(i), j: t.ClassVariable(j)}
                    return Looped(core.MappedGrid(i, j, self.quiet(cell, bound)))
                every = [t.Nth(k) for k in range(of.m)]
                return WrittenOut([[self.quiet(cell, {**at, i: row, j: column}) for column in every] for row in every])
        raise TypeError(type(x))

    def value(self, x: Tree, at: Bindings) -> Tree:
        """Return the core of a value."""
        again: Callable[[Tree], Tree] = lambda y: self(y, at)  # noqa: E731
        match x:
            case t.Numeral() | t.Skipped():  # the sum around it leaves the class out
                return x
            case t.Missing():
                return self.missing
            case t.Position():
                i = self._class(x.i, at)
                return number(i.number) if isinstance(i, t.Nth) else t.Position(i)
            case t.Tabled(rows=rows):
                i, j = self._class(x.i, at), self._class(x.j, at)
                if isinstance(i, t.Nth) and isinstance(j, t.Nth):
                    return t.Numeral(rows[i.number][j.number])
                return t.Tabled(rows, i, j, None)
            case t.Operation(name="min" | "max", args=args):
                return _among("least" if x.name == "min" else "greatest", Fraction(1), [again(y) for y in args])
            case t.Operation(name=name, args=args):
                built = _ARITHMETIC.get(name)
                return t.Operation(name, tuple(map(again, args))) if built is None else built(*map(again, args))
            case t.ToPower(r=r):
                base = self(x.x, at)
                if isinstance(base, t.Numeral) and r.denominator == 1 and r >= 0:
                    return t.Numeral(Fraction(base.value**r))
                return t.Operation("power", (base, t.Numeral(r)))
            case t.PowerMean(values=values, p=p):
                return _among("mean", p, [again(y) for y in values])
            case t.OverMean():
                return again(written_mean(x))
            case t.XLogY(y=y, above=above):
                factor, values = again(x.x), tuple(again(z) for z in (y, above) if z is not None)
                found = t.Operation("log" if above is None else "log_near", values)
                return where(compare("eq", factor, ZERO), ZERO, core.mul(factor, found))
            case t.Ratio(rule=rule):
                acts = self.missing if rule is None or not self.resolves else again(rule)
                return core.ratio(again(x.x), again(x.y), acts)
            case t.Where():
                test = again(x.test)
                if test is TRUE or test is FALSE:
                    return again(x.x if test is TRUE else x.y)
                return where(test, again(x.x), again(x.y))
            case t.Whole(of=of):
                value = again(x.value)
                gone = self.matrix(of, at).lost() if is_mapped(of) else core.undefined(value)
                return where(gone, self.missing, value)
            case t.Listed(terms=terms):
                nothing = (None,) * len(terms)
                listed = zip(terms, x.tests or nothing, x.rules or nothing, x.weights or nothing, strict=True)
                return core.folded(x.op, x.p, [self._term(*term, at) for term in listed])
            case t.Over() | t.OverPairs():
                return self._over_classes(x, at)
        return self._count(x, at)

    def _count(self, x: Tree, at: Bindings) -> Tree:
        """Return the core of what is read from a matrix."""
        of = self.matrix(x.__dict__["of"], at)
        match x:
            case t.CountOfClasses():
                return number(of.m) if isinstance(of, WrittenOut) else t.CountOfClasses(of.of)
            case t.CellOf(i=i, j=j):
                return of.cell(self._class(i, at), self._class(j, at))
            case t.SizeOf(side=side, i=i):
                return of.size(side, self._class(i, at))
            case t.Excess():
                i, j = self._class(x.i, at), self._class(x.j, at)
                if isinstance(of, WrittenOut) and of.m == 2 and i is j:
                    i = j = t.Nth(1)  # it is the same for both classes
                if self.exact_products and self.m is None and not any(map(is_computed, t.below(x.of))):
                    return core.sub(core.mul(of.total(), of.cell(i, j)), core.mul(of.size("a", i), of.size("b", j)))
                # Multiplied out, both products of n·c − a·b contain c·(row + column), and subtracting these large equal
                # parts would cancel digits where products are rounded
                cell, row, column, other = of.around(i, j)
                return core.sub(core.mul(cell, other), core.mul(row, column))
        return of.total()

    def _condition(self, x: Tree, at: Bindings) -> Tree:
        assert isinstance(x, t.Test)
        if x.name == "resolves":
            return TRUE if self.resolves else FALSE
        args = [self(y, at) for y in x.args]
        if x.name in t.COMPARISONS:
            return compare(x.name, *args)
        built = _CONNECTED.get(x.name)
        return x if built is None else built(*args)

    # Over classes

    def _over_classes(self, x: t.Over | t.OverPairs, at: Bindings) -> Tree:
        of, variables = self.matrix(x.of, at), [x.__dict__[k] for k in x.BINDS]
        op, p = (x.op, x.p) if isinstance(x, t.Over) else ("sum", Fraction(1))
        rest = (x.rule, x.weight) if isinstance(x, t.Over) else (None, None)
        if isinstance(of, WrittenOut):
            places = permutations(map(t.Nth, range(of.m)), len(variables))
            bound = [{**at, **dict(zip(variables, place, strict=True))} for place in places]
            return core.folded(op, p, [self._term(x.term, x.test, *rest, y) for y in bound]) if bound else ZERO
        classes = [t.ClassVariable(k) for k in variables]
        term, test, weight = self._term(x.term, x.test, *rest, {**at, **dict(zip(variables, classes, strict=True))})
        if len(classes) > 1:
            test = both(core.inverse(t.Test("same", tuple(classes))), test)

        def each(op: str, term: Tree) -> Tree:
            for k in reversed(variables):
                term = core.each_class(op, of.of, k, term)
            return term

        return core.folded(op, p, [(term, test, weight)], each)

    def _term(
        self, value: Tree, condition: Tree | None, rule: Tree | None, weight: Tree | None, at: Bindings
    ) -> core.CountedTerm:
        """Return the term of one class, whether it counts, and its weight."""
        term, test = self(value, at), TRUE if condition is None else self(condition, at)
        if rule is not None and self.resolves:
            term = where(core.undefined(term), self(rule, at), term)
        test = both(test, core.inverse(core.absent(term)))
        if weight is None:
            return term, test, None
        weighed = self(weight, at)
        return term, both(compare("lt", ZERO, weighed), test), weighed


_ARITHMETIC: dict[str, Callable[..., Tree]] = {"add": core.add, "sub": core.sub, "mul": core.mul, "neg": core.neg}
_CONNECTED: dict[str, Callable[..., Tree]] = {"and": both, "or": either, "not": core.inverse}


def _among(op: str, p: t.MeanPower, values: list[Tree]) -> Tree:
    """Return the least, the greatest or a mean of some values; one that leaves its class out does so for all."""
    gone = reduce(either, map(core.absent, values))
    return where(gone, t.Skipped(), core.folded(op, p, [(x, TRUE, None) for x in values]))


def _entries(m: int) -> list[list[Tree]]:
    return [[core.Entry(i, j) for j in range(m)] for i in range(m)]


def lowered(
    tree: Tree, m: int | None, *, resolves: bool, exact_products: bool = False, by: type[Lowering] = Lowering
) -> Tree:
    """Return the core of a tree: for m classes written out, or (None) for any number of them in loops.

    With ``resolves`` the rules for 0/0 act, as under the policy "resolve". Where products of two sums of counts are
    exact, they may be subtracted.
    """
    if m is not None:
        check_tables(tree, m)
    return by(m, resolves=resolves, exact_products=exact_products).lowered(tree)


def may_jump(tree: Tree) -> bool:
    """Return whether a value may jump where counts change a little: whether a choice depends on which of two is larger.

    Tests whether something that is never negative is 0 do not count: they hold on the rim of all counts, where classes
    or cells are empty.
    """

    def decides(x: Tree) -> bool:
        if not isinstance(x, t.Test) or x.name not in ("lt", "le"):
            return False
        return not any(y is ZERO and core.never_negative(z) for y, z in (x.args, x.args[::-1]))

    if "jumps" not in tree.memo:
        tree.memo["jumps"] = any(map(decides, t.below(lowered(tree, tree.classes, resolves=True))))
    return tree.memo["jumps"] is True


def check_tables(tree: Tree, m: int) -> None:
    """Refuse a formula with a table of constants for another number of classes."""
    sizes = tree.memo.get("tables")
    if sizes is None:
        sizes = tree.memo["tables"] = {len(x.rows) for x in t.below(tree) if isinstance(x, t.Tabled)}
    others = cast("set[int]", sizes) - {m}
    if others:
        raise InputError(
            "the table is for {size} classes, the matrix has {m}",
            size=min(others),
            m=m,
            advice="give one for each pair",
        )
