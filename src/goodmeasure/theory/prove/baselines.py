"""Prove statements about random predictions: averages, independent labelings, higher orders.

**Independent labelings** (`prove_independent`; goesgens2021, Definition 9). The matrices c_ij = a_i·b_j/n with real
sizes are exactly the matrices x_i·y_j: take x = a and y = b/n, and conversely x_i·y_j has the sizes a_i = x_i·Σy and
b_j = y_j·Σx with n = Σx·Σy, so that a_i·b_j/n = x_i·y_j. For each choice of the classes that occur, the measure on
x_i·y_j is one formula in positive real variables. It must be the same constant for all choices that have a value.

**Averages** (`prove_expectation`; Definition 8). A random prediction is a random permutation of labels with sizes b.
Then the mean of c_ij is a_i·b_j/n, whatever the other moments are. If M is an affine function of the cells on all
matrices with sizes a and b, then E[M(C)] = M(E[C]), and it remains to prove the statement for independent labelings. M
is affine there if

1. the second derivatives of the formula of the full block (all cells in rows and columns that occur) vanish along
   all pairs of directions that keep the sizes; the directions in `margin_directions` span all such changes, and the
   positive matrices with given sizes form a convex set;
2. the same formula holds on every smaller support with the same rows and columns (`same_formula`), so that it covers
   all matrices with these sizes.

Supports on which the measure has no value are passed over: sizes for which such a matrix is possible have no average,
and the statement leaves them out. For sizes without such a matrix the argument is complete. If no sizes remained, the
statement would be about averages over the predictions that have a value (as the refuter reads it), and nothing is shown
about these here. So sizes of few items are looked for that have an average (`_some_average`).

The condition is sufficient. A measure that is not affine may still have a constant average; it is not proved here.

**Higher orders** (`prove_flatness`; Definition 13, two classes). For fixed class sizes a matrix has one free direction,
in which p_AB grows. The derivatives of orders 2 to k in this direction, at x_i·y_j, must be identically 0. For the
infinite order the second derivative must be 0 on all matrices with positive cells: then the measure is affine in p_AB
for given class sizes, so its Taylor series ends (Definition 12 holds) and all derivatives beyond the first are 0.
Conversely, a measure that is its Taylor series and has infinite order is affine in p_AB.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import product

from goodmeasure.counts.enumeration import compositions
from goodmeasure.language.exact.reals import UNDEFINED
from goodmeasure.theory.algebra.orthant import Poly
from goodmeasure.theory.algebra.quantities import Quantity
from goodmeasure.theory.algebra.slopes import at, derivative
from goodmeasure.theory.prove.signs import NoProof, zero
from goodmeasure.theory.prove.support_cases import Reader, Support, rows, within
from goodmeasure.theory.prove.values import text, varies
from goodmeasure.theory.statements.certificate import CertificateNode
from goodmeasure.theory.statements.domain import Domain
from goodmeasure.theory.statements.statement import Statement

FEW_ITEMS = 4  # class sizes of up to so many items are searched for one that has an average, as in the refuter
ClassSubset = tuple[int, ...]  # for each class, whether it occurs: 1 or 0


def margins(statement: Statement, domain: Domain, m: int) -> Iterator[tuple[ClassSubset, ClassSubset]]:
    """Yield which classes occur in the truth and in the predictions, in all ways that the statement admits."""
    for a, b in product(product((0, 1), repeat=m), repeat=2):
        if not any(a) or not any(b):
            continue
        if (sum(a) == 1 and not statement.unary_truth) or (sum(b) == 1 and not statement.unary_predictions):
            continue
        if domain.holds_pattern(rows(block(a, b), m)):
            yield a, b


def block(a: ClassSubset, b: ClassSubset) -> Support:
    """Return the full block: every cell whose row and column occur."""
    return tuple(int(x and y) for x in a for y in b)


def filled(a: ClassSubset, b: ClassSubset) -> Iterator[Support]:
    """Yield every support in which exactly these rows and columns occur."""
    m, whole = len(a), block(a, b)
    free = [k for k, x in enumerate(whole) if x]
    for chosen in product((0, 1), repeat=len(free)):
        support = [0] * (m * m)
        for k, x in zip(free, chosen, strict=True):
            support[k] = x
        if tuple(int(any(support[i * m : (i + 1) * m])) for i in range(m)) == a and (
            tuple(int(any(support[j::m])) for j in range(m)) == b
        ):
            yield tuple(support)


def independent_cells(reader: Reader, a: ClassSubset, b: ClassSubset) -> list[Poly]:
    """Return the cells x_i·y_j of independent labelings, row after row."""
    m = reader.m
    x, y = reader.gens[m * m : m * m + m], reader.gens[m * m + m : m * m + 2 * m]
    none = reader.orthant.constant(0)
    return [x[i] * y[j] if a[i] and b[j] else none for i in range(m) for j in range(m)]


def prove_independent(reader: Reader, statement: Statement, domain: Domain) -> tuple[list[CertificateNode], Quantity]:
    """Return a node for each choice of classes that occur, and the constant that independent labelings score."""
    nodes, base = [], None
    for a, b in margins(statement, domain, reader.m):
        value = reader.value(independent_cells(reader, a, b))
        if not isinstance(value, Quantity):
            nodes.append({"true": text(a), "predicted": text(b), "proof": {"by": "undefined"}})
            continue
        if base is None:
            base = value
            if varies(value):
                raise NoProof("not constant where labelings are independent")
        nodes.append({"true": text(a), "predicted": text(b), "proof": zero(value - base)})
    if base is None:
        raise NoProof("no independent labelings in the domain")
    return nodes, base


def prove_expectation(reader: Reader, statement: Statement, domain: Domain) -> tuple[list[CertificateNode], Quantity]:
    """Return a node for each choice of classes that occur, and the constant that random predictions score."""
    nodes, base = [], None
    for a, b in margins(statement, domain, reader.m):
        if all(reader.value(reader.cells(x)) is UNDEFINED for x in filled(a, b)):
            nodes.append({"true": text(a), "predicted": text(b), "proof": {"by": "undefined"}})
            continue
        _affine(reader, block(a, b), margin_directions(a, b), filled(a, b), partly=True)
        value = reader.value(independent_cells(reader, a, b))
        if not isinstance(value, Quantity):
            raise NoProof("undefined where labelings are independent")
        if base is None:
            base = value
            if varies(value):
                raise NoProof("not constant where labelings are independent")
        zero(value - base)
        nodes.append({"true": text(a), "predicted": text(b), "proof": {"by": "affine"}})
    if base is None or not _some_average(reader, statement, domain):
        raise NoProof("no average in the domain has a value")
    return nodes, base


def _some_average(reader: Reader, statement: Statement, domain: Domain) -> bool:
    """Return whether some class sizes of few items have a value for each of their predictions."""
    m = reader.m
    for n in range(1, max(FEW_ITEMS, m) + 1):
        for a, b in product(compositions(n, m).tolist(), repeat=2):
            present = tuple(int(x > 0) for x in a), tuple(int(x > 0) for x in b)
            if present not in margins(statement, domain, m):
                continue
            if all(reader.measure.exact(x, undefined=reader.policy) is not UNDEFINED for x in tables(a, b)):
                return True
    return False


def tables(a: list[int], b: list[int]) -> Iterator[list[list[int]]]:
    """Yield every matrix with these class sizes."""
    if not a:
        yield []
        return
    for row in product(*(range(min(a[0], x) + 1) for x in b)):
        if sum(row) == a[0]:
            left = [x - y for x, y in zip(b, row, strict=True)]
            yield from ([list(row), *rest] for rest in tables(a[1:], left))


def margin_directions(a: ClassSubset, b: ClassSubset) -> list[dict[int, int]]:
    """Return a basis of the changes of a full block that keep all class sizes."""
    m = len(a)
    true, predicted = [i for i in range(m) if a[i]], [j for j in range(m) if b[j]]
    return [
        {true[0] * m + predicted[0]: 1, true[0] * m + j: -1, i * m + predicted[0]: -1, i * m + j: 1}
        for i in true[1:]
        for j in predicted[1:]
    ]


def _affine(
    reader: Reader,
    whole: Support,
    directions: list[dict[int, int]],
    supports: Iterator[Support],
    *,
    partly: bool = False,
) -> None:
    """Check that the measure is one function of the cells on all these supports, and affine along the directions.

    ``partly``: supports on which the measure has no value are passed over.
    """
    value = reader.value(reader.cells(whole))
    if not isinstance(value, Quantity):
        raise NoProof(f"undefined on {text(whole)}")
    for k, first in enumerate(directions):
        slope = derivative(value, first)
        for second in directions[k:]:
            zero(derivative(slope, second))
    same_formula(reader, value, whole, supports, partly=partly)


def same_formula(
    reader: Reader,
    value: Quantity,
    whole: Support,
    supports: Iterator[Support],
    *,
    partly: bool = False,
    gaps: bool = False,
) -> None:
    """Check that the formula of the full block, continued to smaller supports, is the measure there.

    Where the measure has no value, supports are passed over if ``partly``; with ``gaps`` the formula must still have a
    value there, which fills the gap.
    """
    none = reader.orthant.constant(0)
    for support in within(reader, whole, supports):
        if support == whole:
            continue
        seen = reader.value(reader.cells(support))
        if not isinstance(seen, Quantity) and partly:
            continue
        there = at(value, {k: none for k, x in enumerate(whole) if x and not support[k]})
        if there is None or (not isinstance(seen, Quantity) and not gaps):
            raise NoProof(f"another rule acts on {text(support)}")
        if isinstance(seen, Quantity):
            zero(there - seen)


def prove_flatness(reader: Reader, statement: Statement) -> tuple[list[CertificateNode], Quantity]:
    """Return a node for the constant and for each derivative by p_AB of order 2 … k, and the constant."""
    whole = (1, 1, 1, 1)
    value = reader.value(reader.cells(whole))
    cells = independent_cells(reader, (1, 1), (1, 1))
    base = reader.value(cells)
    if not isinstance(value, Quantity) or not isinstance(base, Quantity) or varies(base):
        raise NoProof("not constant where labelings are independent")
    place = dict(enumerate(cells))
    nodes: list[CertificateNode] = [{"order": 0, "proof": {"by": "zero"}}]
    slope = value
    if statement.order == math.inf:
        along = {0: 1, 1: -1, 2: -1, 3: 1}
        return [*nodes, {"order": "every", "proof": zero(derivative(derivative(value, along), along))}], base
    for order in range(1, int(statement.order or 1) + 1):
        if order == 1 and statement.order == 1:
            break
        slope = derivative(slope, {0: 1, 1: -1, 2: -1, 3: 1})
        if order > 1:
            there = at(slope, place)
            if there is None:
                raise NoProof("the derivative has no value where labelings are independent")
            nodes.append({"order": order, "proof": zero(there)})
    return nodes, base
