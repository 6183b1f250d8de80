"""Check proofs that properties exclude each other: rebuild each row from its statement, and add the rows up to 0 > 0.

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
  constant one (sufficient, not necessary);
* a side condition depends only on which cells are 0. A growing cell is ≥ 0 at n = least, so it is positive from
  least + 1 on, and no zero appears or disappears after that. So conditions are examined at least and least + 1.

*Averages for every n.* A random prediction with true sizes a and predicted sizes b gives C with probability
proportional to 1 / ∏ c_ij!. If the class sizes a_i and b_j grow, so does the one cell (i, j), and the others are
bounded by sizes that do not; so there are finitely many matrices. Multiplied by (n + top)!, with n + top the greatest
growing cell among them, 1 / (n + c)! becomes the polynomial (n + c + 1)⋯(n + top). Exactly one of the a_i and one
of the b_j must grow (`_tables`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from itertools import product
from math import comb, factorial, prod
from typing import TYPE_CHECKING

from goodmeasure.theory.statements import statement as kinds
from goodmeasure.theory.statements.domain import domain_of
from goodmeasure.theory.statements.lookup import statement as statement_of
from goodmeasure.theory.statements.statement import Cell, Statement
from goodmeasure.theory.statements.witness import MatrixRows
from goodmeasure.theory.verify.signs import CertificateError, demand
from goodmeasure.typing import ReadJson

if TYPE_CHECKING:
    import flint

CellGrid = tuple[tuple[Cell, ...], ...]
PolynomialRatio = tuple["flint.fmpq_poly", "flint.fmpq_poly"]  # a quotient of two polynomials in n: above, below
WeightedForm = dict[object, PolynomialRatio]  # by unknown: a matrix, or a constant of a statement
_MOST_TABLES = 50_000  # matrices in one average
_CELL = re.compile(r"(n)?\s*([+-]?\s*\d+)?")
_TERM = re.compile(r"(?P<sign>[+-]?)(?=[\dn])(?P<number>\d+(?:/[1-9]\d*)?)?\*?(?P<n>n(?:\^(?P<power>\d{1,2}))?)?")


def check_impossible(data: Mapping[str, object]) -> None:
    """Demand that each row follows from a statement, and that the rows times their multipliers add up to 0 > 0."""
    RowCheck(data).run()


class RowCheck:
    """The check of one proof of impossibility."""

    def __init__(self, data: Mapping[str, ReadJson]) -> None:
        self.rows = data["rows"]
        self.statements = {x: statement_of(x) for x in data["statements"]}
        self.m, self.domain = int(data["classes"]), domain_of(data["domain"])
        self.sizes = {cell(x) for x in data["sizes"]}
        self.every = any(k for k, _ in self.sizes)
        self.least = int(data["least"]) if self.every else 0
        demand(not self.every or all(k for k, _ in self.sizes), "sizes mixes numbers with n")
        for of in self.statements.values():
            known = of.fits(self.m) and (self.m == 2 or of.kind not in (kinds.RANGE, kinds.TRIVIAL))
            demand(known, "{statement} does not speak of {got} classes", field="classes", got=self.m, statement=of.name)

    def run(self) -> None:
        """Rebuild every row, and demand that the rows times their multipliers add up to 0 > 0."""
        total: WeightedForm = {}
        strict = False
        for k, row in enumerate(self.rows, 1):
            try:
                form, relation = self.rebuilt(row)
                weight = polynomial(row["multiplier"])
            except CertificateError as error:
                raise CertificateError(
                    "row {k}: {why}", field="rows", case=row, got=error.got, k=k, why=error
                ) from None
            except (KeyError, TypeError, ValueError, IndexError, AttributeError) as error:
                raise CertificateError(
                    "row {k} cannot be read: {why}", field="rows", case=row, k=k, why=error
                ) from None
            demand(
                relation == row["relation"],
                "row {k} says {got!r}, the statement says {relation!r}",
                field="rows",
                case=row,
                got=row["relation"],
                k=k,
                relation=relation,
            )
            if relation != "=":
                demand(
                    self.is_positive(weight),
                    "row {k} is an inequality and its multiplier is not positive",
                    field="rows",
                    case=row,
                    got=row["multiplier"],
                    k=k,
                )
            strict |= relation == ">"
            for x, (over, under) in form.items():
                total[x] = plus(total.get(x, (polynomial(0), polynomial(1))), (weight * over, under))
        demand(strict, "no row is strict, so nothing contradicts")
        left = [x for x, (over, _) in total.items() if not over.is_zero()]
        demand(
            not left,
            "the rows do not add up to 0: {n} values are left, such as {some}",
            field="rows",
            n=len(left),
            some=left[:1],
        )

    def is_positive(self, weight: flint.fmpq_poly) -> bool:
        """Return whether the coefficients in n − least show that a polynomial is positive for every n ≥ least."""
        shifted = weight(polynomial(f"n+{self.least}"))
        signs = [int(shifted[k].p) for k in range(shifted.degree() + 1)]
        return bool(signs) and min(signs) >= 0 and signs[0] > 0

    # What rows are about

    def grid(self, rows: ReadJson, *, sized: bool = True) -> CellGrid:
        """Return a matrix as pairs (k, c); demand that it has one of the sizes and lies in the domain for every n.

        ``sized``: False for a matrix whose value does not occur in the row.
        """
        found = tuple(tuple(cell(x) for x in row) for row in rows)
        demand(len(found) == self.m and all(len(row) == self.m for row in found), "a matrix has another shape")
        growing = sum(k for row in found for k, _ in row)
        demand(growing == int(self.every), "exactly one cell grows with n" if self.every else "a cell speaks of n")
        fits = not sized or added(x for row in found for x in row) in self.sizes
        demand(fits, "{got} has another number of items", got=rows)
        for n in self.points():
            numbers = at(found, n)
            demand(all(x >= 0 for row in numbers for x in row), "{got} has a negative cell", got=rows)
            demand(
                self.domain.holds_pattern(_support(numbers)),
                "{got} is not in the domain {domain}",
                got=rows,
                domain=self.domain,
            )
        return found

    def points(self) -> tuple[int, ...]:
        """Return the n at which to examine which cells are 0: nothing changes beyond the second one."""
        return (self.least, self.least + 1) if self.every else (0,)

    def always(self, condition: Callable[..., bool], *grids: CellGrid) -> bool:
        """Return whether a condition on which cells are 0 holds for every n."""
        return all(condition(*(at(x, n) for x in grids)) for n in self.points())

    def rebuilt(self, row: Mapping[str, ReadJson]) -> tuple[WeightedForm, str]:
        """Return the linear form of a row and its relation to 0, as the statement demands them."""
        name = row["statement"]
        demand(name in self.statements, "{got} is not among the statements", field="statement", got=name)
        return _KINDS[self.statements[name].kind](self, self.statements[name], row["about"])

    def constant(self, of: Statement, which: int = 0) -> tuple[str, str]:
        """Return the unknown that stands for a constant of a statement."""
        return of.name, of.constants[which]


def cell(x: object) -> Cell:
    """Return a cell such as 3 or "n-3" as the pair (k, c) that stands for k·n + c."""
    if isinstance(x, int) and not isinstance(x, bool):
        return 0, x
    found = _CELL.fullmatch(str(x).strip())
    demand(bool(found) and bool(str(x).strip()), "{got!r} is not a cell", got=x)
    assert found is not None
    return int(bool(found[1])), int((found[2] or "0").replace(" ", ""))


def added(cells: Iterator[Cell]) -> Cell:
    """Return the sum of some cells."""
    listed = list(cells)
    return sum(k for k, _ in listed), sum(c for _, c in listed)


def at(grid: CellGrid, n: int) -> tuple[tuple[int, ...], ...]:
    """Return a matrix for one n."""
    return tuple(tuple(k * n + c for k, c in row) for row in grid)


def _support(numbers: MatrixRows) -> tuple[tuple[bool, ...], ...]:
    return tuple(tuple(x > 0 for x in row) for row in numbers)


def polynomial(x: object) -> flint.fmpq_poly:
    """Return a polynomial in n, given as a number, a pair (k, c), or text such as "n^2 - 3*n + 1/2"."""
    from goodmeasure.packages import flint

    fmpq, fmpq_poly = flint.fmpq, flint.fmpq_poly

    if isinstance(x, tuple):
        return fmpq_poly([x[1], x[0]])
    text = str(x).replace(" ", "").replace("−", "-")
    total, place = fmpq_poly([0]), 0
    while place < len(text):
        term = _TERM.match(text, place)
        if term is None or (place and not term["sign"]):
            break
        place = term.end()
        value = Fraction(term["number"] or 1) * (-1 if term["sign"] == "-" else 1)
        degree = int(term["power"] or 1) if term["n"] else 0
        total += fmpq_poly([0] * degree + [fmpq(value.numerator, value.denominator)])
    demand(place == len(text) > 0, "{got!r} is no polynomial in n", field="multiplier", got=x)
    return total


def plus(x: PolynomialRatio, y: PolynomialRatio) -> PolynomialRatio:
    """Return the sum of two quotients of polynomials."""
    return (x[0] + y[0], x[1]) if x[1] == y[1] else (x[0] * y[1] + y[0] * x[1], x[1] * y[1])


def form_of(*terms: tuple[object, int]) -> WeightedForm:
    """Return the linear form with these unknowns and whole coefficients."""
    total: WeightedForm = {}
    for x, w in terms:
        total[x] = plus(total.get(x, (polynomial(0), polynomial(1))), (polynomial(w), polynomial(1)))
    return total


# For each kind of statement: the row that it demands about something, or an error if it demands none


def _extreme(check: RowCheck, of: Statement, about: Mapping[str, object]) -> tuple[WeightedForm, str]:
    """Return the row of an extreme: c_max − M(C), which is 0 if C is diagonal and else positive; or M(C) − c_min."""
    x = check.grid(about["matrix"])
    right = {all_right(at(x, n)) if of.at == kinds.DIAGONAL else all_wrong(at(x, n)) for n in check.points()}
    demand(len(right) == 1, "the matrix is extreme for some n only")
    sign = 1 if of.at == kinds.DIAGONAL else -1
    return form_of((check.constant(of), sign), (x, -sign)), "=" if right == {True} else ">"


def all_right(x: MatrixRows) -> bool:
    """Return whether a matrix is diagonal."""
    return all(c == 0 for i, row in enumerate(x) for j, c in enumerate(row) if i != j)


def all_wrong(x: MatrixRows) -> bool:
    """Return whether a matrix has a zero diagonal."""
    return all(row[i] == 0 for i, row in enumerate(x))


def _invariance(check: RowCheck, of: Statement, about: Mapping[str, object]) -> tuple[WeightedForm, str]:
    """Return the row M(C) − M(image) = 0."""
    x, y = check.grid(about["matrix"]), check.grid(about["image"])
    images = [tuple(tuple(x[p][q] for p, q in row) for row in image) for image in of.maps(check.m)]
    demand(y in images or (bool(of.scales) and not check.every and scaled(of, at(x, 0), at(y, 0))), "no image of it")
    return form_of((x, 1), (y, -1)), "="


def scaled(of: Statement, x: MatrixRows, y: MatrixRows) -> bool:
    """Return whether two matrices differ by one positive factor, or by one for each row."""
    groups = [(sum(x, ()), sum(y, ()))] if of.scales == "matrix" else list(zip(x, y, strict=True))
    return all(_proportional(p, q) for p, q in groups)


def _proportional(p: tuple[int | Fraction, ...], q: tuple[int | Fraction, ...]) -> bool:
    return bool(any(p)) == bool(any(q)) and all(a * sum(q) == b * sum(p) for a, b in zip(p, q, strict=True))


def _moves(check: RowCheck, of: Statement, about: Mapping[str, object]) -> tuple[WeightedForm, str]:
    """Return the row of a move: the value after it minus the value before it, with the sign of the statement."""
    x, y = check.grid(about["matrix"]), check.grid(about["after"])
    changes = {(i, j, b[1] - a[1]) for i, j, a, b in _paired(x, y) if a != b}
    demand(all(a[0] == b[0] for _, _, a, b in _paired(x, y)), "no single move")
    rises = [move.rises for move in of.moves(check.m) if set(move.changes) == changes]
    demand(bool(rises), "no move of the statement leads from the one matrix to the other")
    demand(check.always(lambda p, q: admits(of, p, q), x, y), "the statement does not speak of this matrix")
    sign = 1 if rises[0] else -1
    return form_of((y, sign), (x, -sign)), ">" if of.strict else ">="


def _paired(x: CellGrid, y: CellGrid) -> list[tuple[int, int, Cell, Cell]]:
    return [(i, j, x[i][j], y[i][j]) for i in range(len(x)) for j in range(len(x))]


def admits(of: Statement, x: MatrixRows, y: MatrixRows) -> bool:
    """Return whether the side conditions of a statement about moves hold for a move from x to y."""
    n = sum(map(sum, x))
    constant = any(sum(row) == n for row in x) or any(sum(column) == n for column in zip(*x, strict=True))
    return not (
        (kinds.NON_UNARY_BEFORE in of.before and constant)
        or (kinds.NOT_BOTH_DIAGONAL in of.pair and all_right(x) and all_right(y))
        or (kinds.NOT_BOTH_ZERO_DIAGONAL in of.pair and all_wrong(x) and all_wrong(y))
    )


def _distance(check: RowCheck, of: Statement, about: Mapping[str, ReadJson]) -> tuple[WeightedForm, str]:
    """Return the row of a part of the distance, or c_max + M(A, C) − M(A, B) − M(B, C) ≥ 0 from the joint counts."""
    if "part" in about:
        demand(
            about["part"] in ("symmetry", "maximal_agreement"),
            "{got} is no part of a distance",
            field="part",
            got=about["part"],
        )
        part = statement_of(about["part"])
        form, relation = _KINDS[part.kind](check, part, about)
        return {check.constant(of) if x == (part.name, "c_max") else x: w for x, w in form.items()}, relation
    joint, m = about["labelings"], range(check.m)
    ab = check.grid([[_text(added(cell(joint[i][j][k]) for k in m)) for j in m] for i in m])
    bc = check.grid([[_text(added(cell(joint[i][j][k]) for i in m)) for k in m] for j in m])
    ac = check.grid([[_text(added(cell(joint[i][j][k]) for j in m)) for k in m] for i in m])
    for n in check.points():
        demand(all(k * n + c >= 0 for x in joint for y in x for k, c in map(cell, y)), "labelings with negative counts")
    return form_of((check.constant(of), 1), (ac, 1), (ab, -1), (bc, -1)), ">="


def _text(x: Cell) -> str:
    return f"n{x[1]:+d}" if x[0] else str(x[1])


def _expectation(check: RowCheck, of: Statement, about: Mapping[str, ReadJson]) -> tuple[WeightedForm, str]:
    """Return the row that the average over random predictions with these class sizes is c_base."""
    a = tuple(map(cell, about["true"]))
    b = None if of.uniform else tuple(map(cell, about["predicted"]))
    demand(of.unary_predictions or b is None or not constant_sizes(check, b), "the predictions are constant")
    demand(of.unary_truth or not constant_sizes(check, a), "the truth is constant")
    ways: list[tuple[CellGrid, flint.fmpq_poly]] = []
    for x in _tables(check, a, b):
        try:
            ways.append((check.grid([[_text(c) for c in row] for row in x]), _ways(x)))
        except CertificateError:
            demand(
                of.uniform,
                "a matrix with true sizes {got} is outside the domain or the sizes",
                field="true",
                got=about["true"],
            )
    demand(bool(ways), "there is no such matrix")
    top = max((c for x, _ in ways for row in x for k, c in row if k), default=0)
    weighted = [(x, w * _rising(x, top)) for x, w in ways]
    total = sum((w for _, w in weighted), polynomial(0))
    form: WeightedForm = {x: (w, total) for x, w in weighted}
    form[check.constant(of)] = (polynomial(-1), polynomial(1))
    return form, "="


def constant_sizes(check: RowCheck, sizes: tuple[Cell, ...]) -> bool:
    """Return whether all items are in one class for some n ≥ least."""
    return any(max(k * n + c for k, c in sizes) == sum(k * n + c for k, c in sizes) for n in check.points())


def _tables(check: RowCheck, a: tuple[Cell, ...], b: tuple[Cell, ...] | None) -> Iterator[CellGrid]:
    """Yield every matrix with these class sizes.

    Row i and column j with the growing sizes (the last ones, if none grows) are determined by the other cells, which
    are listed; the cell (i, j) grows if a_i does. All other sizes are numbers.
    """
    m = check.m
    if b is None:
        demand(not check.every, "an average over all predictions is not lifted")
        demand(prod(comb(max(c, 0) + m - 1, m - 1) for _, c in a) <= _MOST_TABLES, "too many predictions to look at")
        for rows in product(*(list(_parts(c, m)) for _, c in a)):
            yield tuple(tuple((0, x) for x in row) for row in rows)
        return
    demand(added(iter(a)) == added(iter(b)), "true and predicted sizes add up to different numbers")
    for sizes in (a, b):
        demand(sum(k for k, _ in sizes) == int(check.every), "one true and one predicted class size grow with n")
    grows = [next((i for i, (k, _) in enumerate(x) if k), None) for x in (a, b)]
    i, j = (m - 1, m - 1) if grows[0] is None or grows[1] is None else (grows[0], grows[1])
    others, columns = [x for x in range(m) if x != i], [x for x in range(m) if x != j]
    listed = prod(max(min(a[p][1], b[q][1]), 0) + 1 for p in others for q in columns)
    demand(listed <= _MOST_TABLES, "too many matrices to look at")
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


def _parts(n: int, m: int) -> Iterator[tuple[int, ...]]:
    """Yield the ways to write n as an ordered sum of m whole numbers from 0 on."""
    if m == 1:
        yield (n,)
        return
    for first in range(n + 1):
        yield from ((first, *rest) for rest in _parts(n - first, m - 1))


def _ways(x: CellGrid) -> flint.fmpq_poly:
    """Return 1 / ∏ c! over the cells that do not grow."""
    return polynomial(Fraction(1, prod(factorial(c) for row in x for k, c in row if not k)))


def _rising(x: CellGrid, top: int) -> flint.fmpq_poly:
    """Return (n + top)! / (n + c)! for the growing cell n + c, where n + top is the greatest one of the average."""
    found = polynomial(1)
    for _, c in (y for row in x for y in row if y[0]):
        for d in range(c + 1, top + 1):
            found *= polynomial((1, d))
    return found


def _independent(check: RowCheck, of: Statement, about: Mapping[str, ReadJson]) -> tuple[WeightedForm, str]:
    """Return the row that M(a_i b_j / n) is c_base, where this matrix is whole for every n."""
    a, b = (tuple(map(cell, about[x])) for x in ("true", "predicted"))
    demand(of.unary_predictions or not constant_sizes(check, b), "the predictions are constant")
    demand(of.unary_truth or not constant_sizes(check, a), "the truth is constant")
    n = polynomial(added(iter(a)))
    x = check.grid([[_quotient(polynomial(p) * polynomial(q), n) for q in b] for p in a])
    return form_of((x, 1), (check.constant(of), -1)), "="


def _quotient(x: flint.fmpq_poly, n: flint.fmpq_poly) -> str:
    """Return x / n as the text of a cell, after demanding that it is a whole number for every n."""
    over = x // n
    whole = x == over * n and over.degree() <= 1 and all(int(over[k].q) == 1 for k in (0, 1))
    demand(whole and int(over[1].p) in (0, 1), "a_i b_j / n is no whole number")
    return _text((int(over[1].p), int(over[0].p)))


def _trivial(check: RowCheck, of: Statement, about: Mapping[str, object]) -> tuple[WeightedForm, str]:
    """Return the row that a constant prediction, with all true classes present, scores its constant."""
    x = check.grid(about["matrix"])
    demand(check.always(lambda p: all(map(any, p)), x), "a true class is absent")
    called = {tuple(j for j in range(check.m) if any(row[j] for row in at(x, n))) for n in check.points()}
    demand(len(called) == 1 and len(min(called)) == 1, "the prediction is not constant")
    return form_of((x, 1), (check.constant(of, check.m - 1 - min(called)[0]), -1)), "="


def _range(check: RowCheck, of: Statement, about: Mapping[str, object]) -> tuple[WeightedForm, str]:
    """Return the row of an end of the range, which MON puts at the diagonal and zero-diagonal matrices."""
    demand("sebastiani_mon" in check.statements, "where the range ends are is known with sebastiani_mon only")
    x = check.grid(about["matrix"])
    ends = {(all_wrong(at(x, n)), all_right(at(x, n))) for n in check.points()}
    demand(len(ends) == 1 and any(min(ends)), "the matrix is at no end of the range")
    return form_of((x, 1), (check.constant(of, min(ends).index(True)), -1)), "="


def _indifferent(check: RowCheck, of: Statement, about: Mapping[str, object]) -> tuple[WeightedForm, str]:
    """Return the row that two additional items of the same kind count the same."""
    x, one, two = (check.grid(about[k], sized=k != "matrix") for k in ("matrix", "one", "other"))
    moves = []
    for y in (one, two):
        changes = {(i, j, b[1] - a[1]) for i, j, a, b in _paired(x, y) if a != b}
        moves.append([move.rises for move in of.moves(check.m) if set(move.changes) == changes])
    demand(all(moves) and moves[0] == moves[1], "not two items of one kind")
    return form_of((one, 1), (two, -1)), "="


_KINDS: dict[str, Callable[[RowCheck, Statement, Mapping[str, ReadJson]], tuple[WeightedForm, str]]] = {
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
