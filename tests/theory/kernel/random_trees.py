"""Random small trees with all kinds of nodes: what is proved of them must hold on all small matrices.

The trees are read here once more, in the plainest way, with fractions where these suffice and floats elsewhere, and the
statements are read from their data: moves, maps, diagonals. Nothing of the kernel is used but its answer.

``python -m tests.theory.kernel.random_trees --seed 0 --count 2000`` looks at many, and prints what is wrong.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import sys
from fractions import Fraction
from functools import cache
from itertools import permutations, product
from typing import Any

from goodmeasure.language import tree as t
from goodmeasure.theory.kernel import Refused, check
from goodmeasure.theory.search.prove import NoProof, search
from goodmeasure.theory.statements import statement as kinds
from goodmeasure.theory.statements.domain import DOMAINS
from goodmeasure.theory.statements.lookup import statement

from .forging import of_tree

NAMES = (
    "maximal_agreement", "minimal_agreement", "class_symmetry", "symmetry", "monotone", "strongly_monotone",
    "scale_invariance", "sebastiani_mon", "sebastiani_sde", "opitz_monotone", "opitz_prevalence_invariant",
    "opitz_class_indifferent", "constant_baseline", "sebastiani_cha", "sebastiani_imb", "opitz_class_decomposable",
)  # fmt: skip
NEAR = 1e-9


class Unclear(Exception):  # noqa: N818 - a signal
    """Floats are too near for a comparison."""


class LeftOut(Exception):  # noqa: N818 - a signal
    """The class is left out of the sum around it."""


# Trees


class Drawing:
    """A source of random trees."""

    def __init__(self, seed: int) -> None:
        self.draw, self.next = random.Random(seed), 1000

    def tree(self) -> t.Tree:
        self.counts = t.Counts(self.draw.choice((2, None, None)))
        return self.value([(self.counts, [])], self.draw.randrange(2, 5))

    def one(self, *choices: Any) -> Any:
        return self.draw.choice(choices)

    def place(self, matrix: t.Tree, known: list[t.Tree]) -> t.Tree:
        """Return a class of a matrix."""
        two = isinstance(matrix, (t.Rest, t.Two)) or self.counts.m == 2
        named = [t.Nth(0), t.Nth(1)] if two or self.draw.random() < 0.1 else []
        return self.draw.choice([*known, *named] or [t.Nth(0)])

    def bound(self, parts: list[t.Tree | None], *placed: t.Tree) -> tuple[list[t.Tree | None], list[int]]:
        """Return parts in which placeholders have the numbers that a node around them binds, and these numbers."""
        height = max((x.height for x in parts if x is not None), default=0)
        numbers = [height + 1 + k for k in range(len(placed))]
        new = {x.number: t.ClassVariable(n) for x, n in zip(placed, numbers, strict=True)}  # type: ignore[attr-defined]
        return [x and x.with_classes(new) for x in parts], numbers

    def fresh(self) -> t.Tree:
        self.next += 1
        return t.ClassVariable(self.next)

    def value(self, scope: list[tuple[t.Tree, list[t.Tree]]], depth: int) -> t.Tree:
        """Return a value; the scope has the matrices there are, each with the class variables that run over it."""
        matrix, known = self.draw.choice(scope)
        if depth <= 0:
            kind = self.draw.randrange(8)
            if kind == 0:
                return t.number(self.one(0, 1, 1, 2, -1, Fraction(1, 2)))
            if kind == 1:
                return t.TotalOf(matrix)
            if kind == 2 and self.draw.random() < 0.3:
                return t.CountOfClasses(matrix)
            if kind == 3 and known and self.draw.random() < 0.2:
                return t.Position(self.draw.choice(known))
            if kind == 4:
                return t.SizeOf(matrix, self.one("a", "b"), self.place(matrix, known))
            if kind == 5 and self.draw.random() < 0.5:
                return t.Excess(matrix, self.place(matrix, known), self.place(matrix, known))
            if kind == 6 and known and self.draw.random() < 0.2:
                rows = ((Fraction(0), Fraction(1)), (Fraction(self.one(1, 2)), Fraction(0)))
                return t.Tabled(rows, self.place(matrix, known), self.place(matrix, known), None)
            return t.CellOf(matrix, self.place(matrix, known), self.place(matrix, known))
        go = lambda: self.value(scope, depth - self.one(1, 1, 2))  # noqa: E731
        match self.draw.randrange(16):
            case 0 | 1:
                return t.Operation(self.one("add", "sub", "mul"), (go(), go()))
            case 2 | 3:
                return t.Ratio(go(), go(), self.one(None, None, t.ZERO, t.ONE))
            case 4:
                return t.Operation(self.one("neg", "abs", "sqrt", "exp"), (go(),))
            case 5:
                return t.Operation(self.one("min", "max"), (go(), go()))
            case 6:
                return t.ToPower(go(), self.one(Fraction(2), Fraction(-1), Fraction(1, 2), Fraction(3)))
            case 7:
                return t.PowerMean((go(), go()), self.one(Fraction(1), Fraction(0), Fraction(-1), math.inf))
            case 8:
                return t.Where(self.test(scope, depth - 1), go(), self.one(go(), t.Missing(), t.Skipped()))
            case 9 if self.draw.random() < 0.3:
                return t.OverMean(go(), go(), go(), "heronian", None)
            case 9:
                return t.XLogY(go(), go(), None)
            case 10:
                inner = self.one(t.Transposed(matrix), t.Rest(matrix, self.place(matrix, known)))
                return self.value([*scope, (inner, [])], depth - 1)
            case 11:
                x, y = self.fresh(), self.fresh()
                inside = [*((m, [*k, x, y]) if m is matrix else (m, k) for m, k in scope)]
                parts, (i, j) = self.bound([self.value(inside, depth - 1), matrix], x, y)
                return t.OverPairs(parts[1], i, j, parts[0], None)
            case 12:
                x, y = self.fresh(), self.fresh()
                inside = [*((m, [*k, x, y]) if m is matrix else (m, k) for m, k in scope)]
                parts, (i, j) = self.bound([self.value(inside, depth - 2), matrix], x, y)
                mapped = t.Mapped(parts[1], i, j, parts[0])
                return t.Whole(mapped, self.value([(mapped, [])], depth - 1))
        x = self.fresh()
        inside = [*((m, [*k, x]) if m is matrix else (m, k) for m, k in scope)]
        op, rare = self.one("sum", "sum", "mean", "least", "greatest", "product"), self.draw.random()
        term = self.value(inside, depth - 1)
        test = self.test(inside, depth - 2) if rare < 0.15 else None
        weight = self.value(inside, depth - 2) if op == "mean" and rare > 0.8 else None
        p = Fraction(1) if weight is not None else self.one(Fraction(1), Fraction(1), Fraction(0), Fraction(-1))
        rule = self.one(None, None, None, t.ZERO)
        parts, (i,) = self.bound([term, test, rule, weight, matrix], x)
        return t.Over(op, parts[4], i, parts[0], parts[1], p, parts[2], parts[3])

    def test(self, scope: list[tuple[t.Tree, list[t.Tree]]], depth: int) -> t.Tree:
        args = (self.value(scope, max(depth - 1, 0)), self.value(scope, 0))
        found = t.Test(self.one("eq", "lt", "le"), args)
        return self.one(found, found, t.Test("not", (found,)), t.Test("or", (found, t.RESOLVES)))


# Values


def sign(x: Any) -> int:
    if isinstance(x, float) and abs(x) < NEAR:
        raise Unclear
    return (x > 0) - (x < 0)


class Plain:
    """The value of a tree on a matrix; None where it is undefined."""

    def __init__(self, rows: Any, policy: str) -> None:
        self.rows, self.resolves, self.inner = rows, policy == "resolve", 0
        self.worth = None if policy in ("resolve", "nan") else Fraction(policy)

    def gone(self) -> Any:
        return None if self.inner else self.worth

    def __call__(self, x: t.Tree, at: dict[int, int]) -> Any:
        return getattr(self, type(x).__name__.lower())(x, at)

    def classvariable(self, x: Any, at: Any) -> Any:
        return at[x.number]

    def nth(self, x: Any, at: Any) -> Any:
        return x.number

    def counts(self, x: Any, at: Any) -> Any:
        return self.rows

    def transposed(self, x: Any, at: Any) -> Any:
        return list(zip(*self(x.of, at), strict=True))

    def rest(self, x: Any, at: Any) -> Any:
        rows, k = self(x.of, at), self(x.i, at)
        found: list[list[Any]] = [[0, 0], [0, 0]]
        for i, row in enumerate(rows):
            for j, y in enumerate(row):
                old = found[i == k][j == k]
                found[i == k][j == k] = None if old is None or y is None else old + y
        return found

    def mapped(self, x: Any, at: Any) -> Any:
        size = range(len(self(x.of, at)))
        self.inner += 1
        try:
            return [[self(x.cell, {**at, x.i: i, x.j: j}) for j in size] for i in size]
        finally:
            self.inner -= 1

    def numeral(self, x: Any, at: Any) -> Any:
        return x.value

    def countofclasses(self, x: Any, at: Any) -> Any:
        return len(self(x.of, at))

    def position(self, x: Any, at: Any) -> Any:
        return self(x.i, at)

    def tabled(self, x: Any, at: Any) -> Any:
        return x.rows[self(x.i, at)][self(x.j, at)]

    def cellof(self, x: Any, at: Any) -> Any:
        return self(x.of, at)[self(x.i, at)][self(x.j, at)]

    def added(self, values: Any) -> Any:
        found = list(values)
        return None if None in found else sum(found)

    def sizeof(self, x: Any, at: Any) -> Any:
        rows, k = self(x.of, at), self(x.i, at)
        return self.added(rows[k] if x.side == "a" else [row[k] for row in rows])

    def totalof(self, x: Any, at: Any) -> Any:
        return self.added(y for row in self(x.of, at) for y in row)

    def excess(self, x: Any, at: Any) -> Any:
        parts = [t.TotalOf(x.of), t.CellOf(x.of, x.i, x.j), t.SizeOf(x.of, "a", x.i), t.SizeOf(x.of, "b", x.j)]
        n, c, a, b = (self(y, at) for y in parts)
        return None if None in (n, c, a, b) else n * c - a * b

    def missing(self, x: Any, at: Any) -> Any:
        return self.gone()

    def skipped(self, x: Any, at: Any) -> Any:
        raise LeftOut

    def power(self, x: Any, r: Fraction) -> Any:
        if r.denominator != 1 and sign(x) < 0:
            return self.gone()
        if r < 0 and sign(x) == 0:
            return self.gone()
        if r.denominator == 1:
            return x ** int(r)
        return 0 if not x else float(x) ** float(r)

    def operation(self, x: Any, at: Any) -> Any:
        args = [self(y, at) for y in x.args]
        if None in args:
            return None
        match x.name:
            case "add":
                return args[0] + args[1]
            case "sub":
                return args[0] - args[1]
            case "mul":
                return args[0] * args[1]
            case "neg":
                return -args[0]
            case "abs":
                return abs(args[0])
            case "sqrt":
                return self.power(args[0], Fraction(1, 2))
            case "exp":
                return math.exp(args[0]) if args[0] else 1
        return (min if x.name == "min" else max)(args)

    def topower(self, x: Any, at: Any) -> Any:
        base = self(x.x, at)
        return None if base is None else self.power(base, x.r)

    def average(self, values: list[Any], p: Any) -> Any:
        if None in values:
            return None
        if not values:
            return self.gone()
        if p == math.inf:
            return max(values)
        if p == 1:
            return sum(values) * Fraction(1, len(values))
        if any(sign(x) < 0 for x in values):
            return self.gone()
        if any(sign(x) == 0 for x in values):
            return 0
        if p == 0:
            return math.prod(values) if len(values) == 1 else float(math.prod(values)) ** (1 / len(values))
        return 1 / (sum(1 / Fraction(x) if not isinstance(x, float) else 1 / x for x in values) / len(values))

    def powermean(self, x: Any, at: Any) -> Any:
        return self.average([self(y, at) for y in x.values], x.p)

    def overmean(self, x: Any, at: Any) -> Any:
        above, u, v = (self(y, at) for y in (x.x, x.u, x.v))
        if None in (above, u, v):
            return None
        product = self.power(u * v, Fraction(1, 2))
        return None if product is None else self.quotient(above, (u + v + product) / 3, self.gone)

    def quotient(self, x: Any, y: Any, rule: Any) -> Any:
        if sign(y) == 0:
            return rule()
        return x / y if isinstance(x, float) or isinstance(y, float) else Fraction(x) / Fraction(y)

    def xlogy(self, x: Any, at: Any) -> Any:
        factor = self(x.x, at)
        if factor is None or sign(factor) == 0:
            return factor
        inner = self(x.y, at)
        if inner is None:
            return None
        return factor * math.log(inner) if sign(inner) > 0 else self._none_or(factor)

    def _none_or(self, factor: Any) -> Any:
        gone = self.gone()
        return None if gone is None else factor * gone

    def ratio(self, x: Any, at: Any) -> Any:
        above, under = self(x.x, at), self(x.y, at)
        if above is None or under is None:
            return None
        rule = x.rule if self.resolves else None
        return self.quotient(above, under, self.gone if rule is None else lambda: self(rule, at))

    def where(self, x: Any, at: Any) -> Any:
        return self(x.x if self(x.test, at) else x.y, at)

    def whole(self, x: Any, at: Any) -> Any:
        if any(y is None for row in self(x.of, at) for y in row):
            return self.gone()
        return self(x.value, at)

    def over(self, x: Any, at: Any) -> Any:
        values, weights = [], []
        for k in range(len(self(x.of, at))):
            here = {**at, x.i: k}
            if x.test is not None and not self(x.test, here):
                continue
            weight = None if x.weight is None else self(x.weight, here)
            if x.weight is not None and (weight is None or sign(weight) <= 0):
                continue
            try:
                value = self(x.term, here)
                if value is None and x.rule is not None and self.resolves:
                    value = self(x.rule, here)
            except LeftOut:
                continue
            values.append(value)
            weights.append(weight)
        if x.op == "sum":
            return self.added(values)
        if None in values:
            return None
        if x.op == "product":
            return math.prod(values)
        if not values:
            return self.gone()
        if x.op != "mean":
            return (min if x.op == "least" else max)(values)
        if x.weight is None:
            return self.average(values, x.p)
        below = sum(weights)
        return sum(
            v * w / (Fraction(below) if not isinstance(below, float) else below)
            for v, w in zip(values, weights, strict=True)
        )

    def overpairs(self, x: Any, at: Any) -> Any:
        found, size = [], range(len(self(x.of, at)))
        for i, j in permutations(size, 2):
            try:
                found.append(self(x.term, {**at, x.i: i, x.j: j}))
            except LeftOut:
                continue
        return self.added(found)

    def test(self, x: Any, at: Any) -> bool:
        match x.name:
            case "resolves":
                return self.resolves
            case "true" | "false":
                return bool(x.name == "true")
            case "not":
                return not self(x.args[0], at)
            case "or":
                return any(self(y, at) for y in x.args)
            case "and":
                return all(self(y, at) for y in x.args)
        u, v = (self(y, at) for y in x.args)
        if u is None or v is None:
            return False
        s = sign(u - v)
        return bool(s == 0 if x.name == "eq" else s < 0 if x.name == "lt" else s <= 0)


# Statements


@cache
def matrices(n: int, m: int) -> list[Any]:
    def parts(total: int, places: int) -> Any:
        if places == 1:
            yield (total,)
            return
        for first in range(total + 1):
            for rest in parts(total - first, places - 1):
                yield (first, *rest)

    return [tuple(x[i * m : (i + 1) * m] for i in range(m)) for x in parts(n, m * m)]


class Measured:
    """The values of a tree on matrices of a domain, as a statement sees them."""

    def __init__(self, tree: t.Tree, domain: str, policy: str) -> None:
        self.tree, self.domain, self.policy, self.known = tree, DOMAINS[domain], policy, dict[Any, Any]()

    def __call__(self, rows: Any) -> Any:
        """Return the value; None where it is undefined or the matrix outside the domain."""
        if rows not in self.known:
            inside = self.domain.admits_classes([any(x) for x in rows], [any(x) for x in zip(*rows, strict=True)])
            self.known[rows] = self.value(rows) if inside else None
        return self.known[rows]

    def value(self, rows: Any) -> Any:
        try:
            return Plain(rows, self.policy)(self.tree, {})
        except LeftOut:
            return None


def order(x: Any, y: Any) -> int:
    """Return the sign of a difference; floats that are near count as equal."""
    if isinstance(x, float) or isinstance(y, float):
        return 0 if math.isclose(x, y, rel_tol=1e-7, abs_tol=1e-9) else (x > y) - (x < y)
    return int(x > y) - int(x < y)


def violation(name: str, tree: t.Tree, m: int, domain: str, policy: str, most: int) -> object:
    """Return a violation of a statement on matrices with few items; None if there is none."""
    of = statement(name)
    measured = Measured(tree, domain, of.policy or policy)
    every = [x for n in range(1, most + 1) for x in matrices(n, m)]
    inside = [x for x in every if measured.domain.admits_classes(*_classes(x))]
    if of.kind == kinds.DEFINED:
        return next((x for x in inside if measured(x) is None), None)
    valued = [(x, measured(x)) for x in inside if measured(x) is not None]
    if of.kind == kinds.EXTREME:
        at = _diagonal if of.at == kinds.DIAGONAL else _hollow
        best = next((v for x, v in valued if at(x)), None)
        turn = 1 if of.at == kinds.DIAGONAL else -1
        wrong = (x for x, v in valued if best is not None and (order(v, best) != 0) == at(x))
        return next(wrong, None) or next((x for x, v in valued if best is not None and turn * order(v, best) > 0), None)
    if of.kind == kinds.INVARIANCE:
        maps = [lambda x, y=y: tuple(tuple(x[p][q] for p, q in row) for row in y) for y in of.maps(m)]
        if of.scales == "matrix":
            maps = [lambda x, k=k: tuple(tuple(k * c for c in row) for row in x) for k in (2, 3, 10)]
        elif of.scales:
            factors = [f for f in product((1, 2, 5), repeat=m) if max(f) > 1]
            maps = [
                lambda x, f=f: tuple(tuple(k * c for c in row) for k, row in zip(f, x, strict=True)) for f in factors
            ]
        for x, v in valued:
            for image in maps:
                other = measured(image(x))
                if other is not None and order(v, other):
                    return x, image(x)
    if of.kind == kinds.MOVES:
        for x, v in valued:
            for move in of.moves(m):
                y = move.apply(x)
                other = None if y is None else measured(y)
                if other is None or not _speaks(of, x, y):
                    continue
                rise = order(other, v) * (1 if move.rises else -1)
                if rise < 0 or (of.strict and not rise):
                    return x, y
    if of.kind == kinds.INDIFFERENT:
        for x in every:
            for diagonal in (True, False):
                after = [move.apply(x) for move in of.moves(m) if move.rises == diagonal]
                found = [v for v in map(measured, after) if v is not None]
                if any(order(v, found[0]) for v in found):
                    return x, diagonal
    if of.kind == kinds.TRIVIAL:
        for j in range(m):
            found = [
                v
                for x, v in valued
                if all(map(any, x)) and all(c == 0 for row in x for k, c in enumerate(row) if k != j)
            ]
            if any(order(v, found[0]) for v in found):
                return j
    if of.kind == kinds.EXPECTATION:
        return _average(of, measured, inside)
    return None


def _classes(x: Any) -> tuple[list[bool], list[bool]]:
    return [any(row) for row in x], [any(y) for y in zip(*x, strict=True)]


def _diagonal(x: Any) -> bool:
    return not any(c for i, row in enumerate(x) for j, c in enumerate(row) if i != j)


def _hollow(x: Any) -> bool:
    return not any(row[i] for i, row in enumerate(x))


def _speaks(of: Any, x: Any, y: Any) -> bool:
    if kinds.NON_UNARY_BEFORE in of.before and any(sum(z) < 2 for z in _classes(x)):
        return False
    if kinds.NOT_BOTH_DIAGONAL in of.pair and _diagonal(x) and _diagonal(y):
        return False
    return not (kinds.NOT_BOTH_ZERO_DIAGONAL in of.pair and _hollow(x) and _hollow(y))


def _average(of: Any, measured: Any, inside: list[Any]) -> object:
    groups: dict[Any, list[Any]] = {}
    for x in inside:
        a, b = tuple(map(sum, x)), tuple(map(sum, zip(*x, strict=True)))
        if of.uniform or sum(k > 0 for k in b) > 1:
            groups.setdefault((a, None if of.uniform else b), []).append(x)
    first = None
    for sizes, group in groups.items():
        values = [measured(x) for x in group]
        if any(v is None for v in values):
            continue
        ways = [Fraction(1, math.prod(math.factorial(c) for row in x for c in row)) for x in group]
        mean = sum(w * v for w, v in zip(ways, values, strict=True)) / sum(ways)
        first = mean if first is None else first
        if order(mean, first):
            return sizes
    return None


def wrong(seed: int, seconds: float, most: dict[int, int]) -> tuple[list[str], int]:
    """Return what is proved of one random tree and does not hold, and how many statements are proved."""
    import time

    source = Drawing(seed)
    try:
        tree = source.tree()
        t.from_json(tree.to_json())
    except Exception:  # noqa: BLE001 - what cannot be written down is no tree
        return [], 0
    draw, found, count = source.draw, list[str](), 0
    policy, domain = draw.choice(("resolve", "resolve", "nan", "0", "1/2")), draw.choice(tuple(DOMAINS))
    for name in draw.sample(NAMES, 5):
        m: Any = draw.choice((2, 2, 3, "every"))
        m = 2 if tree.classes == 2 else m
        data = of_tree(tree, name, m=m, domain=domain, undefined=statement(name).policy or policy)
        try:
            data = search(data, time.process_time() + seconds)
            check(json.loads(json.dumps(data)))
        except (NoProof, Refused):
            continue
        count += 1
        for size in (2, 3) if m == "every" else (m,):
            try:
                seen = violation(name, tree, size, domain, policy, most[size])
            except (Unclear, OverflowError, IndexError):
                continue
            if seen is not None:
                found.append(f"seed {seed}: {name}, m = {m}, {domain}, {policy}: {seen}; {tree.to_json()}")
    return found, count


def main(words: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.theory.kernel.random_trees")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--count", type=int, default=2000)
    said, proofs, bad = parser.parse_args(words), 0, 0
    for seed in range(said.seed, said.seed + said.count):
        found, count = wrong(seed, 1.0, {2: 6, 3: 4})
        proofs, bad = proofs + count, bad + len(found)
        for line in found:
            print(line, flush=True)
    print(f"{said.count} trees, {proofs} proofs, {bad} wrong")
    return bad > 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
