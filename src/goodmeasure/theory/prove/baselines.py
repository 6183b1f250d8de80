"""Proofs about random predictions: averages of affine measures, and values where labelings are independent."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

from goodmeasure.language.exact.reals import UNDEFINED
from goodmeasure.theory.algebra.orthant import Poly
from goodmeasure.theory.algebra.slopes import at, derivative
from goodmeasure.theory.prove.cases import Reader, Support, rows
from goodmeasure.theory.prove.signs import NoProof, zero
from goodmeasure.theory.prove.values import _varies, text
from goodmeasure.theory.statements.certificate import Node
from goodmeasure.theory.statements.domain import Domain
from goodmeasure.theory.statements.statement import Statement

Classes = tuple[int, ...]  # 1 for each class that occurs


def margins(statement: Statement, domain: Domain, m: int) -> Iterator[tuple[Classes, Classes]]:
    """Which classes occur in the truth and in the predictions, in all ways that the statement admits."""
    for a, b in product(product((0, 1), repeat=m), repeat=2):
        if not any(a) or not any(b):
            continue
        if (sum(a) == 1 and not statement.unary_truth) or (sum(b) == 1 and not statement.unary_predictions):
            continue
        if domain.holds_pattern(rows(block(a, b), m)):
            yield a, b


def block(a: Classes, b: Classes) -> Support:
    """The support with every cell in which both classes occur."""
    return tuple(int(x and y) for x in a for y in b)


def filled(a: Classes, b: Classes) -> Iterator[Support]:
    """Every support in which exactly these classes occur."""
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


def independent_cells(reader: Reader, a: Classes, b: Classes) -> list[Poly]:
    """The cells x_i·y_j: every matrix a_i·b_j/n is one of these, and each of these is such a matrix."""
    m = reader.m
    x, y = reader.gens[m * m : m * m + m], reader.gens[m * m + m : m * m + 2 * m]
    none = reader.orthant.constant(0)
    return [x[i] * y[j] if a[i] and b[j] else none for i in range(m) for j in range(m)]


def independent_names(m: int) -> tuple[str, ...]:
    return tuple(f"x{i}" for i in range(m)) + tuple(f"y{j}" for j in range(m))


def prove_independent(reader: Reader, statement: Statement, domain: Domain) -> tuple[list[Node], Any]:
    """A node for each set of classes that occur: the value of independent labelings is one constant."""
    nodes, base = [], None
    for a, b in margins(statement, domain, reader.m):
        value = reader.value(independent_cells(reader, a, b))
        if value is UNDEFINED:
            nodes.append({"true": text(a), "predicted": text(b), "proof": {"by": "undefined"}})
            continue
        if base is None:
            base = value
            if _varies(value):
                raise NoProof("not constant where labelings are independent")
        nodes.append({"true": text(a), "predicted": text(b), "proof": zero(value - base)})
    if base is None:
        raise NoProof("no independent labelings in the domain")
    return nodes, base


def prove_expectation(reader: Reader, statement: Statement, domain: Domain) -> tuple[list[Node], Any]:
    """A node for each set of classes that occur: affine in the cells, so the mean is the value of the mean matrix."""
    nodes, base = [], None
    if statement.uniform:
        return _uniform(reader, domain)
    for a, b in margins(statement, domain, reader.m):
        if all(reader.value(reader.cells(x)) is UNDEFINED for x in filled(a, b)):
            nodes.append({"true": text(a), "predicted": text(b), "proof": {"by": "undefined"}})
            continue
        _affine(reader, block(a, b), margin_directions(a, b), filled(a, b), partly=True)
        value = reader.value(independent_cells(reader, a, b))
        if value is UNDEFINED:
            raise NoProof("undefined where labelings are independent")
        if base is None:
            base = value
            if _varies(value):
                raise NoProof("not constant where labelings are independent")
        zero(value - base)
        nodes.append({"true": text(a), "predicted": text(b), "proof": {"by": "affine"}})
    if base is None:
        raise NoProof("no average in the domain has a value")
    return nodes, base


def _uniform(reader: Reader, domain: Domain) -> tuple[list[Node], Any]:
    """Every labeling equally likely: the mean matrix has c_ij = a_i/m."""
    m = reader.m
    if domain.name != "all":
        raise NoProof("the mean runs over matrices outside the domain")
    nodes, base = [], None
    for a in product((0, 1), repeat=m):
        if not any(a):
            continue
        whole = block(a, (1,) * m)
        supports = (x for b in product((0, 1), repeat=m) if any(b) for x in filled(a, b))
        directions = [{i * m: -1, i * m + j: 1} for i in range(m) if a[i] for j in range(1, m)]
        _affine(reader, whole, directions, supports)
        x = reader.gens[m * m : m * m + m]
        none = reader.orthant.constant(0)
        value = reader.value([x[i] if a[i] else none for i in range(m) for _ in range(m)])
        if value is UNDEFINED:
            raise NoProof("undefined on the mean matrix")
        if base is None:
            base = value
            if _varies(value):
                raise NoProof("not constant on the mean matrix")
        zero(value - base)
        nodes.append({"true": text(a), "predicted": "*" * m, "proof": {"by": "affine"}})
    return nodes, base


def margin_directions(a: Classes, b: Classes) -> list[dict[int, int]]:
    """Changes that leave all class sizes as they are, and span all such changes."""
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
    """The measure is one function of the cells on all these supports, and affine along the directions.

    ``partly``: where it is undefined on some of them, averages that meet those are undefined, and nothing is asked.
    """
    value = reader.value(reader.cells(whole))
    if value is UNDEFINED:
        raise NoProof(f"undefined on {text(whole)}")
    for k, first in enumerate(directions):
        slope = derivative(value, first)
        for second in directions[k:]:
            zero(derivative(slope, second))
    same_formula(reader, value, whole, supports, partly=partly)


def same_formula(
    reader: Reader, value: Any, whole: Support, supports: Iterator[Support], *, partly: bool = False
) -> None:
    """The formula of the whole pattern holds on all these supports, too."""
    none = reader.orthant.constant(0)
    for support in supports:
        if support == whole:
            continue
        seen = reader.value(reader.cells(support))
        if seen is UNDEFINED and partly:
            continue
        there = at(value, {k: none for k, x in enumerate(whole) if x and not support[k]})
        if there is None or seen is UNDEFINED:
            raise NoProof(f"another rule acts on {text(support)}")
        zero(there - seen)


def prove_flatness(reader: Reader, statement: Statement) -> tuple[list[Node], Any]:
    """The value and the derivatives of orders 2 … k by p_AB, where two labelings are independent."""
    whole = (1, 1, 1, 1)
    value = reader.value(reader.cells(whole))
    cells = independent_cells(reader, (1, 1), (1, 1))
    base = reader.value(cells)
    if value is UNDEFINED or base is UNDEFINED or _varies(base):
        raise NoProof("not constant where labelings are independent")
    place = dict(enumerate(cells))
    nodes: list[Node] = [{"order": 0, "proof": {"by": "zero"}}]
    slope = value
    for order in range(1, (statement.order or 1) + 1):
        if order == 1 and statement.order == 1:
            break
        slope = derivative(slope, {0: 1, 1: -1, 2: -1, 3: 1})
        if order > 1:
            there = at(slope, place)
            if there is None:
                raise NoProof("the derivative has no value where labelings are independent")
            nodes.append({"order": order, "proof": zero(there)})
    return nodes, base


def prove_smooth(reader: Reader, domain: Domain) -> list[Node]:
    """On each test set one formula without zeros in denominators or under roots holds up to the rim."""
    if domain.name != "all":
        raise NoProof("the rim of the test sets lies outside the domain")
    nodes = []
    for a in ((1, 1), (0, 1), (1, 0)):
        whole = block(a, (1, 1))
        value = reader.value(reader.cells(whole))
        if value is UNDEFINED:
            raise NoProof(f"undefined on {text(whole)}")
        ring, none = reader.orthant, reader.orthant.constant(0)
        if any(key[1:] for part in (value.num, value.den) for key in part):
            raise NoProof("not a quotient of polynomials and roots")
        supports = [x for b in ((1, 1), (0, 1), (1, 0)) for x in filled(a, b)]
        same_formula(reader, value, whole, iter(supports))
        for support in supports:
            rim = [none if k < 4 and whole[k] and not support[k] else g for k, g in enumerate(reader.gens)]
            for key in {key for part in (value.num, value.den) for key in part}:
                if ring.sign(ring.roots[key[0]].compose(*rim)) != 1:
                    raise NoProof("a root vanishes at the rim")
        nodes.append({"true": text(a), "proof": {"by": "one formula"}})
    return nodes
