"""Proofs that properties exclude each other: each row follows from a statement, and the rows add up to 0 > 0.

*One n.* The unknowns are the values M(C) of an arbitrary measure on the matrices of some sizes, and the constants that
the statements claim to exist (c_max, c_base, …). Every statement demands linear rows: form = 0, form > 0 or form ≥ 0.
If multipliers, positive for inequalities and of any sign for equalities, make the sum of the forms vanish identically,
and one of the inequalities is strict, then any measure with all the properties would give 0 > 0. So there is none. The
certificate holds only what each row is about and its multiplier. The form is built here from the statement, so that a
row which no statement demands is refused: every matrix must have one of the sizes and lie in the domain, and every side
condition of the statement must hold.

*Every n.* One cell of each matrix is written n + c, and multipliers are polynomials in n. Cells are pairs (k, c) that
stand for k·n + c with k = 0 or 1; coefficients of a form are quotients of polynomials in n. Then

* the sum of the forms vanishes as an identity between rational functions of n; the denominators (numbers of labelings)
  are positive for every n ≥ least;
* a multiplier is positive for every n ≥ least if, written in n − least, it has no negative coefficient and a positive
  constant one;
* a side condition depends only on which cells are 0. A growing cell is ≥ 0 at n = least, so it is positive from
  least + 1 on, and no zero appears or disappears after that. So conditions are examined at least and least + 1.

*Averages for every n.* A random prediction with true sizes a and predicted sizes b gives C with probability
proportional to 1 / ∏ c_ij!. If the class sizes a_i and b_j grow, so does the one cell (i, j), and the others are
bounded by sizes that do not; so there are finitely many matrices. Multiplied by (n + top)!, with n + top the greatest
growing cell among them, 1 / (n + c)! becomes the polynomial (n + c + 1)⋯(n + top). Exactly one of the a_i and one
of the b_j must grow (`_listed`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product
from math import comb, factorial, prod

from goodmeasure.theory.kernel.calculus import at as placed
from goodmeasure.theory.kernel.claim import domain_admits, statement_of
from goodmeasure.theory.kernel.facts import Node, entries, listed
from goodmeasure.theory.kernel.refusal import Refused, demand
from goodmeasure.theory.kernel.texts import parsed
from goodmeasure.theory.kernel.values import Ring, Value, total
from goodmeasure.theory.statements import statement as kinds
from goodmeasure.theory.statements.statement import Cell, Statement

Grid = tuple[tuple[Cell, ...], ...]
Numbers = tuple[tuple[int, ...], ...]
Counts = Sequence[Sequence[int | Fraction]]
Form = dict[object, Value]  # by unknown, a matrix or a constant of a statement: its coefficient
MOST_ITEMS = 500  # in the cells of one average that do not grow
MOST_TABLES = 50_000  # matrices in one average
_CELL = re.compile(r"(n)?\s*([+-]?\s*\d{1,12})?", re.ASCII)


def check(data: Node) -> None:
    """Demand that each row follows from a statement, and that the rows times their multipliers add up to 0 > 0."""
    demand(data.get("measure") is None, "the certificate is about all measures, and names one", "measure")
    Rows(data).run()


class Rows:
    """The check of one proof of impossibility."""

    def __init__(self, data: Node) -> None:
        names = [str(x) for x in listed(data.get("statements"), "statements")]
        self.rows = [entries(x) for x in listed(data.get("rows"), "rows", most=200_000)]
        self.statements = {x: statement_of(x) for x in names}
        m, self.domain = data.get("classes"), str(data.get("domain"))
        if type(m) is not int or not 2 <= m <= 6:
            raise Refused("the number of classes is none that is known", "classes")
        self.m = m
        self.sizes = {cell(x) for x in listed(data.get("sizes"), "sizes")}
        self.every = any(k for k, _ in self.sizes)
        least = data.get("least") if self.every else 0
        if type(least) is not int or not 0 <= least < 10**6:
            raise Refused("the least n is no whole number", "least")
        self.least, self.ring = least, Ring(["n"], whole=["n"])
        demand(not self.every or all(k for k, _ in self.sizes), "sizes mix numbers with n", "sizes")
        for of in self.statements.values():
            known = of.fits(m) and (m == 2 or of.kind not in (kinds.RANGE, kinds.TRIVIAL))
            demand(known, f"{of.name} does not speak of {m} classes", "classes")

    def run(self) -> None:
        """Rebuild every row, and demand that the rows times their multipliers add up to 0 > 0."""
        added: dict[object, list[Value]] = {}
        strict = False
        for k, row in enumerate(self.rows, 1):
            try:
                form, relation = self.rebuilt(row)
                weight = parsed(self.ring, row.get("multiplier"))
                demand(relation == row.get("relation"), f"the statement says {relation}", "relation")
                whole = all(
                    e > 0 and e.denominator == 1 for e in weight.powers.values()
                )  # it has a value for n = 0 too
                demand(whole, "the multiplier is no polynomial", "multiplier")
                demand(relation == "=" or self.is_positive(weight), "the multiplier is not positive", "multiplier")
            except Refused as refusal:
                refusal.where.insert(0, f"row {k}")
                raise
            strict |= relation == ">"
            for x, coefficient in form.items():
                added.setdefault(x, []).append(weight * coefficient)
        demand(strict, "no row is strict, so nothing contradicts", "rows")
        left = sum(not total(self.ring, values).is_zero() for values in added.values())
        demand(not left, f"the rows do not add up to 0: {left} values are left", "rows")

    def is_positive(self, weight: Value) -> bool:
        """Return whether the coefficients in n − least show that a polynomial is positive for every n ≥ least."""
        moved = placed(weight, {0: self.ring.variable(0) + self.ring.number(self.least)})
        p = self.ring.expanded(moved.powers).times(1 if moved.coefficient > 0 else -1)
        return min(p.terms.values(), default=0) > 0 and 0 in p.terms

    # What rows are about

    def grid(self, rows: object, *, sized: bool = True) -> Grid:
        """Return a matrix as pairs (k, c); demand that it has one of the sizes and lies in the domain for every n.

        ``sized``: False for a matrix whose value does not occur in the row.
        """
        found = tuple(tuple(cell(x) for x in listed(row, "a row")) for row in listed(rows, "a matrix"))
        demand(len(found) == self.m and all(len(row) == self.m for row in found), "a matrix has another shape")
        growing = sum(k for row in found for k, _ in row)
        demand(growing == int(self.every), "exactly one cell grows with n" if self.every else "a cell speaks of n")
        fits = not sized or added(x for row in found for x in row) in self.sizes
        demand(fits, "a matrix has another number of items")
        for n in self.points():
            numbers = at(found, n)
            demand(all(x >= 0 for row in numbers for x in row), "a cell is negative")
            inside = domain_admits(self.domain, [any(x) for x in numbers], [any(x) for x in zip(*numbers, strict=True)])
            demand(inside, f"a matrix is not in the domain {self.domain}")
        return found

    def points(self) -> tuple[int, ...]:
        """Return the n at which to examine which cells are 0: nothing changes beyond the second one."""
        return (self.least, self.least + 1) if self.every else (0,)

    def rebuilt(self, row: Node) -> tuple[Form, str]:
        """Return the linear form of a row and its relation to 0, as the statement demands them."""
        of = self.statements.get(str(row.get("statement")))
        if of is None or of.kind not in _KINDS:
            raise Refused(f"{row.get('statement')} is not among the statements, or demands no row", "statement")
        return _KINDS[of.kind](self, of, entries(row.get("about")))

    def form(self, *terms: tuple[object, int]) -> Form:
        """Return the linear form with these unknowns and whole coefficients."""
        found: Form = {}
        for x, w in terms:
            found[x] = found.get(x, self.ring.number(0)) + self.ring.number(w)
        return found

    def polynomial(self, x: Cell) -> Value:
        """Return k·n + c."""
        return self.ring.variable(0).times(x[0]) + self.ring.number(x[1])

    def each(self, condition: Callable[..., bool], *grids: Grid) -> set[bool]:
        """Return the answers to a condition on which cells are 0, over every n."""
        return {condition(*(at(x, n) for x in grids)) for n in self.points()}

    def sizes_of(self, of: Statement, about: Node, side: str) -> tuple[Cell, ...]:
        """Return class sizes, which must not be constant where the statement excludes it."""
        sizes = tuple(cell(x) for x in listed(about.get(side), side))
        demand(len(sizes) == self.m, "there are sizes for another number of classes", side)
        for n in self.points():
            numbers = [k * n + c for k, c in sizes]
            demand(min(numbers) >= 0 and sum(numbers) > 0, "a size is negative", side)
            allowed = of.unary_truth if side == "true" else of.unary_predictions
            demand(allowed or max(numbers) < sum(numbers), "a labeling is constant", side)
        return sizes


def constant_of(of: Statement, which: int = 0) -> tuple[str, str]:
    """Return the unknown that stands for a constant of a statement."""
    return of.name, of.constants[which]


def cell(x: object) -> Cell:
    """Return a cell such as 3 or "n-3" as the pair (k, c) that stands for k·n + c."""
    if type(x) is int and abs(x) < 10**12:
        return 0, x
    text = x.strip() if isinstance(x, str) else ""
    found = _CELL.fullmatch(text)
    if not text or found is None:
        raise Refused(f"{str(x)[:40]} is not a cell")
    return int(bool(found[1])), int((found[2] or "0").replace(" ", ""))


def added(cells: Iterator[Cell]) -> Cell:
    """Return the sum of some cells."""
    chosen = list(cells)
    return sum(k for k, _ in chosen), sum(c for _, c in chosen)


def at(grid: Grid, n: int) -> Numbers:
    """Return a matrix for one n."""
    return tuple(tuple(k * n + c for k, c in row) for row in grid)


def all_right(x: Counts) -> bool:
    """Return whether a matrix is diagonal."""
    return all(c == 0 for i, row in enumerate(x) for j, c in enumerate(row) if i != j)


def all_wrong(x: Counts) -> bool:
    """Return whether a matrix has a zero diagonal."""
    return all(row[i] == 0 for i, row in enumerate(x))


def admits(of: Statement, x: Counts, y: Counts) -> bool:
    """Return whether the side conditions of a statement about moves hold for a move from x to y."""
    n = sum(map(sum, x))
    constant = any(sum(row) == n for row in x) or any(sum(column) == n for column in zip(*x, strict=True))
    return not (
        (kinds.NON_UNARY_BEFORE in of.before and constant)
        or (kinds.NOT_BOTH_DIAGONAL in of.pair and all_right(x) and all_right(y))
        or (kinds.NOT_BOTH_ZERO_DIAGONAL in of.pair and all_wrong(x) and all_wrong(y))
    )


def scaled(of: Statement, x: Counts, y: Counts) -> bool:
    """Return whether two matrices differ by one positive factor, or by one for each row."""
    flat = [[c for row in z for c in row] for z in (x, y)]
    groups = [tuple(flat)] if of.scales == "matrix" else list(zip(x, y, strict=True))
    return all(any(p) == any(q) and all(a * sum(q) == b * sum(p) for a, b in zip(p, q, strict=True)) for p, q in groups)


def images(of: Statement, x: Sequence[Sequence[object]]) -> list[object]:
    """Return the images of a matrix under the maps of a statement."""
    return [tuple(tuple(x[p][q] for p, q in row) for row in image) for image in of.maps(len(x))]


# For each kind of statement: the row that it demands about something, or a refusal if it demands none


def _extreme(check: Rows, of: Statement, about: Node) -> tuple[Form, str]:
    """Return c_max − M(C), which is 0 if C is diagonal and else positive; or M(C) − c_min."""
    x = check.grid(about.get("matrix"))
    extreme = check.each(all_right if of.at == kinds.DIAGONAL else all_wrong, x)
    demand(len(extreme) == 1, "the matrix is extreme for some n only")
    sign = 1 if of.at == kinds.DIAGONAL else -1
    return check.form((constant_of(of), sign), (x, -sign)), "=" if True in extreme else ">"


def _invariance(check: Rows, of: Statement, about: Node) -> tuple[Form, str]:
    """Return M(C) − M(image) = 0."""
    x, y = check.grid(about.get("matrix")), check.grid(about.get("image"))
    multiple = bool(of.scales) and not check.every and scaled(of, at(x, 0), at(y, 0))
    demand(y in images(of, x) or multiple, "no image of it")
    return check.form((x, 1), (y, -1)), "="


def _changes(x: Grid, y: Grid) -> set[tuple[int, int, int]]:
    """Return the cells that change between two matrices, each by a number."""
    pairs = [(i, j, p, y[i][j]) for i, row in enumerate(x) for j, p in enumerate(row)]
    demand(all(p[0] == q[0] for _, _, p, q in pairs), "the matrices grow in different cells")
    return {(i, j, q[1] - p[1]) for i, j, p, q in pairs if p != q}


def _moves(check: Rows, of: Statement, about: Node) -> tuple[Form, str]:
    """Return the value after a move minus the value before it, with the sign of the statement."""
    x, y = check.grid(about.get("matrix")), check.grid(about.get("after"))
    changes = _changes(x, y)
    rises = [move.rises for move in of.moves(check.m) if set(move.changes) == changes]
    demand(rises, "no move of the statement leads from the one matrix to the other")
    demand(check.each(lambda p, q: admits(of, p, q), x, y) == {True}, "the statement does not speak of this matrix")
    sign = 1 if rises[0] else -1
    return check.form((y, sign), (x, -sign)), ">" if of.strict else ">="


def _distance(check: Rows, of: Statement, about: Node) -> tuple[Form, str]:
    """Return the row of a part of the distance, or c_max + M(A, C) − M(A, B) − M(B, C) ≥ 0 from the joint counts."""
    if "part" in about:
        demand(about["part"] in ("symmetry", "maximal_agreement"), "no part of a distance", "part")
        part = statement_of(about["part"])
        form, relation = _KINDS[part.kind](check, part, about)
        return {constant_of(of) if x == (part.name, "c_max") else x: w for x, w in form.items()}, relation
    m = range(check.m)
    given = about.get("labelings")
    joint = [
        [[cell(z) for z in listed(y, "labelings")] for y in listed(x, "labelings")] for x in listed(given, "labelings")
    ]
    demand(
        [[len(y) for y in x] for x in joint] == [[check.m] * check.m] * check.m, "the joint counts have another shape"
    )
    for n in check.points():
        demand(all(k * n + c >= 0 for x in joint for y in x for k, c in y), "a joint count is negative")
    ab = check.grid([[_text(added(joint[i][j][k] for k in m)) for j in m] for i in m])
    bc = check.grid([[_text(added(joint[i][j][k] for i in m)) for k in m] for j in m])
    ac = check.grid([[_text(added(joint[i][j][k] for j in m)) for k in m] for i in m])
    return check.form((constant_of(of), 1), (ac, 1), (ab, -1), (bc, -1)), ">="


def _text(x: Cell) -> str:
    return f"n{x[1]:+d}" if x[0] else str(x[1])


def _expectation(check: Rows, of: Statement, about: Node) -> tuple[Form, str]:
    """Return the row that the average over random predictions with these class sizes is c_base."""
    a = check.sizes_of(of, about, "true")
    b = None if of.uniform else check.sizes_of(of, about, "predicted")
    ways: list[tuple[Grid, Fraction]] = []
    for x in _listed(check, a, b):
        try:
            grid = check.grid([[_text(c) for c in row] for row in x])
        except Refused:
            demand(of.uniform, "a matrix with these sizes is outside the domain or the sizes")
            continue
        known = [c for row in x for k, c in row if not k]
        demand(sum(known) < MOST_ITEMS, "too many items to look at")
        ways.append((grid, Fraction(1, prod(map(factorial, known)))))
    demand(ways, "there is no such matrix")
    growing = [c for x, _ in ways for row in x for k, c in row if k]
    top = max(growing, default=0)
    demand(top - min(growing, default=0) < MOST_ITEMS, "too many items to look at")
    weighted = [(x, _rising(check, x, top).times(w)) for x, w in ways]
    whole = total(check.ring, [w for _, w in weighted])
    form: Form = {x: w / whole for x, w in weighted}
    form[constant_of(of)] = check.ring.number(-1)
    return form, "="


def _rising(check: Rows, x: Grid, top: int) -> Value:
    """Return (n + top)! / (n + c)! for the growing cell n + c, where n + top is the greatest one of the average."""
    found = check.ring.number(1)
    for c in (c for row in x for k, c in row if k):
        for d in range(c + 1, top + 1):
            found = found * check.polynomial((1, d))
    return found


def _listed(check: Rows, a: tuple[Cell, ...], b: tuple[Cell, ...] | None) -> Iterator[Grid]:
    """Yield every matrix with these class sizes.

    Row i and column j with the growing sizes (the last ones, if none grows) are determined by the other cells, which
    are listed; the cell (i, j) grows if a_i does. All other sizes are numbers.
    """
    m = check.m
    if b is None:
        demand(not check.every, "an average over all predictions is about one n")
        demand(prod(comb(c + m - 1, m - 1) for _, c in a) <= MOST_TABLES, "too many predictions to look at")
        for rows in product(*(list(parts(c, m)) for _, c in a)):
            yield tuple(tuple((0, x) for x in row) for row in rows)
        return
    demand(added(iter(a)) == added(iter(b)), "true and predicted sizes add up to different numbers")
    for sizes in (a, b):
        demand(sum(k for k, _ in sizes) == int(check.every), "one true and one predicted class size grow with n")
    i, j = (next((i for i, (k, _) in enumerate(x) if k), m - 1) for x in (a, b))
    others, columns = [x for x in range(m) if x != i], [x for x in range(m) if x != j]
    demand(
        prod(min(a[p][1], b[q][1]) + 1 for p in others for q in columns) <= MOST_TABLES, "too many matrices to look at"
    )
    for inner in product(*(range(min(a[p][1], b[q][1]) + 1) for p in others for q in columns)):
        known = dict(zip(product(others, columns), inner, strict=True))
        right = {p: a[p][1] - sum(known[p, q] for q in columns) for p in others}
        below = {q: b[q][1] - sum(known[p, q] for p in others) for q in columns}
        corner = a[i][0], a[i][1] - sum(below.values())
        if min([*right.values(), *below.values()]) >= 0 and (corner[0] or corner[1] >= 0):
            whole: dict[Cell, Cell] = {k: (0, v) for k, v in known.items()}
            whole.update(((p, j), (0, v)) for p, v in right.items())
            whole.update(((i, q), (0, v)) for q, v in below.items())
            whole[i, j] = corner
            yield tuple(tuple(whole[p, q] for q in range(m)) for p in range(m))


def parts(n: int, m: int) -> Iterator[tuple[int, ...]]:
    """Yield the ways to write n as an ordered sum of m whole numbers from 0 on."""
    if m == 1:
        yield (n,)
        return
    for first in range(n + 1):
        yield from ((first, *rest) for rest in parts(n - first, m - 1))


def _independent(check: Rows, of: Statement, about: Node) -> tuple[Form, str]:
    """Return the row that M(a_i b_j / n) is c_base, where this matrix is whole for every n."""
    a, b = (check.sizes_of(of, about, x) for x in ("true", "predicted"))
    n = added(iter(a))
    x = check.grid([[_quotient(check, p, q, n) for q in b] for p in a])
    return check.form((x, 1), (constant_of(of), -1)), "="


def _quotient(check: Rows, p: Cell, q: Cell, n: Cell) -> str:
    """Return p·q/n as the text of a cell, after demanding that it is a whole number for every n."""
    found = check.polynomial(p) * check.polynomial(q) / check.polynomial(n)
    for k in (0, 1):
        rest = found - check.ring.variable(0).times(k)
        number = rest.number()
        if number is not None and number.denominator == 1:
            return _text((k, int(number)))
    raise Refused("a_i b_j / n is no whole number")


def _trivial(check: Rows, of: Statement, about: Node) -> tuple[Form, str]:
    """Return the row that a constant prediction, with all true classes present, scores its constant."""
    x = check.grid(about.get("matrix"))
    demand(check.each(lambda p: all(map(any, p)), x) == {True}, "a true class is absent")
    called = {tuple(j for j in range(check.m) if any(row[j] for row in at(x, n))) for n in check.points()}
    demand(len(called) == 1 and len(min(called)) == 1, "the prediction is not constant")
    return check.form((x, 1), (constant_of(of, check.m - 1 - min(called)[0]), -1)), "="


def _range(check: Rows, of: Statement, about: Node) -> tuple[Form, str]:
    """Return the row of an end of the range, which MON puts at the diagonal and zero-diagonal matrices.

    For all predictions can be corrected one after the other, in some order in which every matrix lies in the domain.
    Only for one item of each class is there no such order in the smaller domains: the first step leaves them.
    """
    demand("sebastiani_mon" in check.statements, "where the range ends is known with sebastiani_mon only")
    x = check.grid(about.get("matrix"))
    few = any(sum(map(sum, at(x, n))) < 3 for n in check.points())
    demand(check.domain == "all" or not few, "there is no way through the domain from one end to the other")
    ends = {(all_wrong(at(x, n)), all_right(at(x, n))) for n in check.points()}
    demand(len(ends) == 1 and any(min(ends)), "the matrix is at no end of the range")
    return check.form((x, 1), (constant_of(of, min(ends).index(True)), -1)), "="


def _indifferent(check: Rows, of: Statement, about: Node) -> tuple[Form, str]:
    """Return the row that two additional items of the same kind count the same."""
    x, one, two = (check.grid(about.get(k), sized=k != "matrix") for k in ("matrix", "one", "other"))
    moves = [[z.rises for z in of.moves(check.m) if set(z.changes) == _changes(x, y)] for y in (one, two)]
    demand(all(moves) and moves[0] == moves[1], "not two items of one kind")
    return check.form((one, 1), (two, -1)), "="


_KINDS: Mapping[str, Callable[[Rows, Statement, Node], tuple[Form, str]]] = {
    kinds.EXTREME: _extreme,
    kinds.INVARIANCE: _invariance,
    kinds.MOVES: _moves,
    kinds.DISTANCE: _distance,
    kinds.EXPECTATION: _expectation,
    kinds.INDEPENDENT: _independent,
    kinds.TRIVIAL: _trivial,
    kinds.RANGE: _range,
    kinds.INDIFFERENT: _indifferent,
}
