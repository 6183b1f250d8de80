"""Prove statements about single matrices and about equal values: extremes, invariances, definedness.

All of them are shown on every support of the domain (`support_cases.py`), where the measure is one formula in positive
variables.

*Extremes.* The constant c_max is read on one diagonal support, where the formula must not contain a variable. On every
diagonal support the value minus this constant is identically 0, and on every other support c_max − M is positive.
Minimal agreement is the same with a zero diagonal.

*Invariances.* M(C) and M(image of C) are equal as formulas on every support. A permutation of the classes is a product
of transpositions of neighbours, so these are shown, and the equality for any permutation is a chain
M(C) = M(C₁) = M(C₂) = … of them. A chain must not pass through a matrix without a value, so `prove_invariance` gives up
where there is one, on any branch of any support.

*Definedness.* Whether the measure has a value is the same on a whole support (or on each branch of a split). For
"defined together", it must be the same on all supports with the same true classes, which are the predictions for the
test sets with these classes.

*Class indifference.* For every two cells on the diagonal (and every two off it), one more item in the one or in the
other gives the same value; the common part of the two matrices runs through all supports, the empty one included.

Where the measure has no value on a support, the statement says nothing there, and the node says so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations, product

from goodmeasure.theory.algebra.orthant import Poly
from goodmeasure.theory.algebra.quantities import Quantity
from goodmeasure.theory.prove.signs import NoProof, peeled, positive, zero
from goodmeasure.theory.prove.support_cases import (
    Reader,
    Split,
    Support,
    is_diagonal,
    is_zero_diagonal,
    renamed,
    representatives,
    rows,
    settle,
)
from goodmeasure.theory.statements.certificate import CertificateNode
from goodmeasure.theory.statements.domain import Domain
from goodmeasure.theory.statements.statement import DIAGONAL, Cell, CellMap, Statement


def in_domain(reader: Reader, domain: Domain) -> Iterator[Support]:
    """Return the supports whose matrices lie in the domain."""
    return (x for x in reader.supports() if domain.holds_pattern(rows(x, reader.m)))


def named_once(reader: Reader, domain: Domain, *, symmetric: bool) -> Iterator[Support]:
    """Return the supports in the domain; if all classes are treated alike, one of each set of renamed supports."""
    found = in_domain(reader, domain)
    m = reader.m
    return representatives(found, m, lambda x, p: renamed(x, p, m)) if symmetric else found


def text(support: Support) -> str:
    """Return a support as text, such as "1101"."""
    return "".join(map(str, support))


def one_value(reader: Reader, supports: Iterator[Support]) -> tuple[Quantity, Support]:
    """Return the constant value on the first of these supports that has a value, and that support."""
    for support in supports:
        value = reader.value(reader.cells(support))
        if isinstance(value, Quantity):
            if varies(value):
                raise NoProof(f"not one constant on {text(support)}")
            return value, support
    raise NoProof("there is no matrix to take the constant from")


def varies(value: Quantity) -> bool:
    """Return whether a value mentions a variable; roots and atoms of constants are constants."""
    return bool(value.letters)


def prove_extreme(
    reader: Reader, statement: Statement, domain: Domain, *, symmetric: bool
) -> tuple[list[CertificateNode], dict[str, Support]]:
    """Return a node for each support, and the support on which the constant was read."""
    m, sense = reader.m, 1 if statement.at == DIAGONAL else -1
    special = is_diagonal if statement.at == DIAGONAL else is_zero_diagonal
    best, where = one_value(reader, (x for x in in_domain(reader, domain) if special(x, m)))
    nodes = []
    supports = in_domain(reader, domain)
    if symmetric:
        supports = representatives(supports, m, lambda x, p: renamed(x, p, m))
    for support in supports:

        def prove(splits: tuple[Split, ...], support: Support = support) -> CertificateNode:
            value = reader.value(reader.cells(support, splits))
            if not isinstance(value, Quantity):
                return {"by": "undefined"}
            return zero(value - best) if special(support, m) else beyond(value, best, sense)

        nodes += [{"support": text(support), "proof": node} for node in settle(reader, prove)]
    return nodes, {statement.constants[0]: where}


def beyond(value: Quantity, bound: Quantity, sense: int, *, strict: bool = True) -> CertificateNode:
    """Return a node that shows that (bound − value)·sense is positive."""
    low, high = (value, bound) if sense > 0 else (bound, value)
    inner = peeled(low, high)
    if inner is None:
        return positive(high - low, strict=strict)
    direction, low, high, kind = inner
    return {"by": "inner", "map": kind, "proof": positive((high - low) * direction, strict=strict)}


Image = Callable[[list[Poly]], list[Poly]]  # the cells of the image of a matrix, from its cells
CellPair = tuple[Cell, Cell]


def prove_invariance(reader: Reader, statement: Statement, domain: Domain, *, symmetric: bool) -> list[CertificateNode]:
    """Return a node for each map and support: the value there and the value on the image are equal."""
    m, nodes = reader.m, list[CertificateNode]()
    if reader.supposing and len(statement.maps(m)) > 1:
        raise NoProof("equalities do not chain over a matrix that may have no value")
    for number, image in enumerate(images(reader, statement)):
        supports = in_domain(reader, domain)
        if symmetric:
            supports = representatives(supports, m, lambda x, p: renamed(x, p, m))
        for support in supports:

            def prove(splits: tuple[Split, ...], support: Support = support, image: Image = image) -> CertificateNode:
                cells = reader.cells(support, splits)
                value, other = reader.value(cells), reader.value(image(cells))
                if not isinstance(value, Quantity) or not isinstance(other, Quantity):
                    return {"by": "undefined"}
                return zero(value - other)

            found = settle(reader, prove)
            about = {"map": number, "support": text(support), **({"supposed": True} if reader.supposing else {})}
            nodes += [{**about, "proof": node} for node in found]
            if len(statement.maps(m)) > 1 and any(node["by"] == "undefined" for node in found):
                raise NoProof("equalities do not chain over a matrix without a value")
    return nodes


def images(reader: Reader, statement: Statement) -> list[Image]:
    """Return the maps of cells of an invariance; instead of all permutations, those that swap two neighbours."""
    m = reader.m
    if statement.scales:
        factors = reader.gens[m * m :]
        by = [factors[0] if statement.scales == "matrix" else factors[i] for i in range(m) for _ in range(m)]
        return [lambda cells: [p * f for p, f in zip(cells, by, strict=True)]]
    maps = statement.maps(m)
    if len(maps) > 1:
        swaps = [tuple({k: k + 1, k + 1: k}.get(i, i) for i in range(m)) for k in range(m - 1)]
        maps = tuple(tuple(tuple((p[i], p[j]) for j in range(m)) for i in range(m)) for p in swaps)
    return [_moved(table, m) for table in maps]


def _moved(table: CellMap, m: int) -> Image:
    """Return a function that puts cell table[i][j] in place of cell (i, j)."""
    return lambda cells: [cells[table[i][j][0] * m + table[i][j][1]] for i in range(m) for j in range(m)]


def prove_defined(reader: Reader, domain: Domain, *, together: bool, symmetric: bool = False) -> list[CertificateNode]:
    """Return a node for each support that says whether the measure has a value there."""
    nodes: list[CertificateNode] = []
    known: dict[tuple[bool, ...], str] = {}
    for support in named_once(reader, domain, symmetric=symmetric):

        def prove(splits: tuple[Split, ...], support: Support = support) -> CertificateNode:
            value = reader.value(reader.cells(support, splits))
            return {"by": "undefined" if not isinstance(value, Quantity) else "defined"}

        for node in settle(reader, prove):
            test = tuple(any(row) for row in rows(support, reader.m)) if together else ()
            if symmetric:  # test sets with as many classes are the same up to the names of the classes
                test = tuple(sorted(test))
            if known.setdefault(test, node["by"] if together else "defined") != node["by"]:
                raise NoProof(f"undefined on {text(support)}")
            nodes.append({"support": text(support), "proof": node})
    return nodes


def prove_indifferent(reader: Reader, domain: Domain, *, symmetric: bool) -> list[CertificateNode]:
    """Return a node for each pair of cells on (or off) the diagonal: one more item counts the same in both."""
    m, nodes = reader.m, list[CertificateNode]()
    found = _pairs_of_cells(reader, domain)
    if symmetric:
        found = representatives(found, m, lambda x, p: _pair_renamed(x, p, m))
    for support, two in found:

        def prove(splits: tuple[Split, ...], support: Support = support, two: CellPair = two) -> CertificateNode:
            values = []
            for i, j in two:
                cells = reader.cells(support, splits)
                cells[i * m + j] = cells[i * m + j] + 1
                values.append(reader.value(cells))
            first, second = values
            if not isinstance(first, Quantity) or not isinstance(second, Quantity):
                return {"by": "undefined"}
            return zero(first - second)

        what = {"cells": [list(x) for x in two], "support": text(support)}
        nodes += [{**what, "proof": x} for x in settle(reader, prove)]
    return nodes


def _pairs_of_cells(reader: Reader, domain: Domain) -> Iterator[tuple[Support, CellPair]]:
    """Yield (support, two cells) for all pairs of matrices in the domain that differ in where one item lies."""
    m = reader.m
    on, off = [(i, i) for i in range(m)], [(i, j) for i, j in product(range(m), repeat=2) if i != j]
    for two in (*combinations(on, 2), *combinations(off, 2)):
        for support in reader.supports(empty=True):
            ends = [tuple(1 if k == i * m + j else x for k, x in enumerate(support)) for i, j in two]
            if all(domain.holds_pattern(rows(x, m)) for x in ends):
                yield support, two


def _pair_renamed(case: tuple[Support, CellPair], p: tuple[int, ...], m: int) -> tuple[Support, tuple[Cell, ...]]:
    """Return the case after class k is renamed p[k]."""
    support, two = case
    return renamed(support, p, m), tuple(sorted((p[i], p[j]) for i, j in two))
