"""Check certificates about single matrices and equal values: extremes, invariances, definedness, class sensitivity."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import combinations, product
from typing import TYPE_CHECKING

import numpy as np

from goodmeasure.theory.statements import statement as kinds
from goodmeasure.theory.statements.goesgens import class_permutations
from goodmeasure.theory.statements.statement import CellMap
from goodmeasure.theory.verify.arithmetic import UNDEFINED, Outcome
from goodmeasure.theory.verify.signs import CertificateError, check_positive, check_zero, demand, unmapped

if TYPE_CHECKING:
    from goodmeasure.theory.statements.certificate import CertificateNode
    from goodmeasure.theory.verify.arithmetic import Poly
    from goodmeasure.theory.verify.formula_readings import Reading
    from goodmeasure.theory.verify.verify import Check


def extreme(check: Check) -> None:
    """Check that extreme supports have one value, and all other supports only values strictly on one side of it."""
    s, m, reading = check.statement, check.m, check.reading()
    supports = {("".join(map(str, x)),) for x in product((0, 1), repeat=m * m) if check.admits(x)}
    sense = 1 if s.at == kinds.DIAGONAL else -1
    special = {x for x in supports if is_extreme(x[0], s.at, m)}
    best = constant(reading, special)
    check.constants_are({s.constants[0]: _matrix(check, special)})
    for (support,), cases in check.grouped(supports, lambda x: (x["support"],)).items():
        for case in check.each(cases):
            value = reading.value(reading.cells(case["support"], case["proof"].get("splits", [])))
            if check.skipped(case["proof"], value):
                continue
            if is_extreme(support, s.at, m):
                check_zero(case["proof"], value - best)
            else:
                beyond(case["proof"], value, best, sense, strict=True)


def is_extreme(support: str, at: str, m: int) -> bool:
    """Return whether the matrices with a support are diagonal (or have a zero diagonal)."""
    on = {support[k * (m + 1)] for k in range(m)}
    off = {x for k, x in enumerate(support) if k % (m + 1)}
    return off == {"0"} if at == kinds.DIAGONAL else on == {"0"}


def constant(reading: Reading, supports: set[tuple[str]]) -> Outcome:
    """Return the value on the first of these supports that has one, after demanding that it is a constant."""
    for (support,) in sorted(supports):
        value = reading.value(reading.cells(support, []))
        if value is not UNDEFINED:
            demand(not value.letters, "the value on {support} is not one constant", support=support)
            return value
    raise CertificateError("there is no matrix to take the constant from")


def _matrix(check: Check, supports: set[tuple[str]]) -> list[list[int]]:
    """Return the first matrix of zeros and ones with one of these supports on which the measure has a value."""
    for (support,) in sorted(supports):
        rows = [[int(x) for x in support[i * check.m : (i + 1) * check.m]] for i in range(check.m)]
        if check.measure.exact(rows, undefined=check.undefined) is not UNDEFINED:
            return rows
    raise CertificateError("there is no matrix to take the constant from")


def beyond(node: CertificateNode, value: Outcome, bound: Outcome, sense: int, *, strict: bool) -> None:
    """Check that a value is below a bound (sense 1) or above it (sense −1)."""
    low, high = (value, bound) if sense > 0 else (bound, value)
    if node["by"] == "inner":
        check_positive(node["proof"], unmapped(low, high, node["map"]), strict=strict, whole=True)
    else:
        check_positive(node, high - low, strict=strict, whole=True)


def invariance(check: Check) -> None:
    """Check that a matrix and its image have the same value, on every support.

    Class symmetry can also follow from the definition alone: if it runs on class indices that nothing can be asked
    about, it treats all classes alike; such a certificate has no cases. Otherwise only exchanges of neighbouring
    classes are checked. Every permutation is a product of these, and equalities chain as long as every matrix in
    between has a value; so an undefined case is accepted only where the statement has a single map, which needs no
    chain. For the same reason a case may suppose that roots are defined (``supposed``) only there: what is compared
    then are the values of a matrix and its image if both have one, which is all that the statement is about.
    """
    if check.statement.maps is class_permutations and not check.certificate.cases:
        demand(check.alike, "{measure} may treat classes differently", measure=check.measure.name)
        return
    m, s = check.m, check.statement
    reading = check.reading()
    images = _images(check, reading)
    expected = {
        ("".join(map(str, x)), k) for k in range(len(images)) for x in product((0, 1), repeat=m * m) if check.admits(x)
    }
    for cases in check.grouped(expected, lambda x: (x["support"], x["map"])).values():
        for case in check.each(cases):
            cells = reading.cells(case["support"], case["proof"].get("splits", []))
            supposed = case.get("supposed", False)
            demand(not supposed or len(s.maps(m)) < 2, "equalities do not chain over what is supposed")
            image = images[case["map"]](cells)
            value, other = (reading.value(x, supposing=supposed) for x in (cells, image))
            if not check.skipped(case["proof"], value, other):
                check_zero(case["proof"], value - other)
            else:
                demand(len(s.maps(m)) < 2, "equalities do not chain over a matrix without a value")


def _images(check: Check, reading: Reading) -> list[Callable[[list[Poly]], list[Poly]]]:
    """Return functions of the cells that generate the maps of the statement."""
    m, s = check.m, check.statement
    if s.scales:
        factor, _ = reading.sizes
        return [lambda cells: [p * factor[k // m if s.scales == "rows" else 0] for k, p in enumerate(cells)]]
    maps = s.maps(m)
    if len(maps) > 1:  # exchanges of neighbours generate all permutations
        near = [[{k: k + 1, k + 1: k}.get(i, i) for i in range(m)] for k in range(m - 1)]
        maps = tuple(tuple(tuple((p[i], p[j]) for j in range(m)) for i in range(m)) for p in near)
    return [partial(_placed, m, table) for table in maps]


def _placed(m: int, table: CellMap, cells: list[Poly]) -> list[Poly]:
    """Return the cells of the image of a matrix, each of which a table takes from a place."""
    return [cells[table[i][j][0] * m + table[i][j][1]] for i in range(m) for j in range(m)]


def defined(check: Check) -> None:
    """Check that the measure has a value on every support, or for each test set on all of its supports or on none.

    Where supports are listed up to renaming the classes, test sets with as many classes are the same up to names.
    """
    together = check.statement.kind == kinds.DEFINED_TOGETHER
    m, reading, known = check.m, check.reading(), dict[object, bool]()
    expected = {("".join(map(str, x)),) for x in product((0, 1), repeat=m * m) if check.admits(x)}
    for (support,), cases in check.grouped(expected, lambda x: (x["support"],)).items():
        rows = ["1" in support[i * m : (i + 1) * m] for i in range(m)]
        test = None if not together else sum(rows) if check.certificate.symmetric else tuple(rows)
        for case in check.each(cases):
            value = reading.value(reading.cells(case["support"], case["proof"].get("splits", [])))
            has = value is not UNDEFINED
            demand(case["proof"]["by"] == ("defined" if has else "undefined"), "the certificate says otherwise")
            demand(known.setdefault(test, has if together else True) == has, "undefined on {support}", support=support)


def indifferent(check: Check) -> None:
    """Check that one more item counts the same in all cells on the diagonal, and the same in all cells off it."""
    m, reading = check.m, check.reading()
    on = [(i, i) for i in range(m)]
    off = [(i, j) for i, j in product(range(m), repeat=2) if i != j]
    expected = set()
    for two in [*combinations(on, 2), *combinations(off, 2)]:
        for support in product((0, 1), repeat=m * m):
            ends = [[1 if k == i * m + j else x for k, x in enumerate(support)] for i, j in two]
            if all(check.admits(x) for x in ends):
                expected.add(("".join(map(str, support)), two))
    key = lambda x: (x["support"], tuple(sorted(tuple(y) for y in x["cells"])))  # noqa: E731
    for cases in check.grouped(expected, key).values():
        for case in check.each(cases):
            values = []
            for i, j in case["cells"]:
                cells = reading.cells(case["support"], case["proof"].get("splits", []))
                cells[i * m + j] = cells[i * m + j] + 1
                values.append(reading.value(cells))
            if not check.skipped(case["proof"], *values):
                check_zero(case["proof"], values[0] - values[1])


def example(check: Check) -> None:
    """Check the example of class sensitivity: two additional items, both right or both wrong, that count differently.

    The statement says that such a pair exists, so three matrices with their exact values prove it.
    """
    demand(len(check.certificate.cases) == 1, "an example is one case")
    (case,) = check.certificate.cases
    try:
        before, one, two = (np.array(case[x], dtype=np.int64) for x in ("before", "one", "two"))
    except (KeyError, TypeError, ValueError):
        raise CertificateError("the example lacks its matrices") from None
    shape = (check.m, check.m)
    for x in (before, one, two):
        demand(x.shape == shape and bool((x >= 0).all()), "the example is not about matrices of this many classes")
        demand(bool(check.domain.holds(x)), "a matrix of the example is outside the domain")
    right = []
    for x in (one, two):
        added = np.argwhere(x != before)
        demand(len(added) == 1 and bool((x - before).sum() == 1), "the example adds one item")
        right.append(bool(added[0][0] == added[0][1]))
    demand(right[0] == right[1], "one item is right and the other wrong")
    values = [check.measure.exact(x.tolist(), undefined=check.undefined) for x in (before, one, two)]
    demand(all(x is not UNDEFINED for x in values), "a value of the example is undefined")
    demand(bool(values[1] != values[2]), "both items count the same in the example")
