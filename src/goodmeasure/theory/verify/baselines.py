"""Check certificates about random predictions and independent labelings.

Class sizes are given by which classes occur in the true and in the predicted labels. The cells of a *block* are those
of classes that occur; a random prediction with these sizes gives a matrix with some support inside the block.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterable, Iterator, Mapping, Set
from itertools import permutations, product
from typing import TYPE_CHECKING

from goodmeasure.language.policy import policy_of
from goodmeasure.theory.verify.arithmetic import UNDEFINED, Outcome, Poly
from goodmeasure.theory.verify.atoms import at, derivative
from goodmeasure.theory.verify.formula_readings import Reading
from goodmeasure.theory.verify.renaming import have_one_value
from goodmeasure.theory.verify.signs import check_slope, check_zero, demand
from goodmeasure.typing import ReadJson

if TYPE_CHECKING:
    from goodmeasure.theory.statements.certificate import CertificateNode
    from goodmeasure.theory.verify.verify import Check

ClassSubset = tuple[int, ...]


def text_of(bits: Iterable[int]) -> str:
    """Return zeros and ones as text."""
    return "".join(map(str, bits))


def block(a: ClassSubset, b: ClassSubset) -> str:
    """Return the support of the cells of the classes that occur in the true and in the predicted labels."""
    return text_of(int(x and y) for x in a for y in b)


def _classes(check: Check) -> Iterator[tuple[ClassSubset, ClassSubset]]:
    """Yield which classes occur in the true and in the predicted labels, as the statement and the domain admit."""
    s, m = check.statement, check.m
    for a, b in product(product((0, 1), repeat=m), repeat=2):
        few = sum(a) < (1 if s.unary_truth else 2) or sum(b) < (1 if s.unary_predictions else 2)
        if not few and check.admits([int(x) for x in block(a, b)]):
            yield a, b


def _within(whole: str, a: ClassSubset, b: ClassSubset | None) -> Iterator[str]:
    """Yield the supports inside a block in which exactly these classes occur (any predicted ones if b is None)."""
    m = len(a)
    for bits in product(*((0, 1) if x == "1" else (0,) for x in whole)):
        true = tuple(int(any(bits[i * m : (i + 1) * m])) for i in range(m))
        predicted = tuple(int(any(bits[j::m])) for j in range(m))
        if true == a and b in (None, predicted):
            yield text_of(bits)


def cases_of(
    check: Check, expected: Set[tuple[ReadJson, ...]], *fields: str
) -> dict[tuple[ReadJson, ...], CertificateNode]:
    """Return the proofs of the certificate by some fields, after demanding exactly the expected cases."""
    found = {tuple(case.get(x) for x in fields): case["proof"] for case in check.certificate.cases}
    demand(len(found) == len(check.certificate.cases), "a case is given twice")
    missing = expected - set(found)
    demand(not missing, "the case {case} is missing", field="cases", case=min(missing, default=()))
    demand(set(found) == expected, "there are cases that the statement does not ask for")
    return found


def _product_cells(reading: Reading, a: ClassSubset, b: ClassSubset) -> list[Poly]:
    """Return the cells x_i·y_j of a block: every matrix a_i b_j / n has this form, with x_i = a_i / n and y_j = b_j."""
    m, none = reading.m, reading.ring.constant(0)
    x, y = reading.sizes
    return [x[i] * y[j] if a[i] and b[j] else none for i in range(m) for j in range(m)]


def _same_constant(values: list[Outcome]) -> None:
    """Demand that there are values, that the first is constant, and that the others equal it."""
    demand(bool(values), "there is nothing that the statement speaks of")
    demand(not values[0].letters, "the value is not constant")
    demand(all((x - values[0]).is_zero for x in values), "the value is not the same everywhere")


def independent(check: Check) -> None:
    """Check that the value on all matrices x_i·y_j with positive x and y is one constant."""
    demand(not check.statement.across_m, "one number of classes shows nothing about the others")
    reading = check.reading()
    sets = list(_classes(check))
    found = cases_of(check, {(text_of(a), text_of(b)) for a, b in sets}, "true", "predicted")
    values = []
    for a, b in sets:
        value = reading.value(_product_cells(reading, a, b))
        node = found[text_of(a), text_of(b)]
        demand((value is UNDEFINED) == (node["by"] == "undefined"), "undefined elsewhere than the certificate says")
        if value is not UNDEFINED:
            values.append(value)
            check_zero(node, value - values[0])
    _same_constant(values)
    check.constants_are({check.statement.constants[0]: [[1] * check.m] * check.m})


def expectation(check: Check) -> None:
    """Check that the average over random predictions is one constant, for a measure that is affine in the cells.

    Fix class sizes a and b. A random prediction gives a matrix C with these margins and mean c̄_ij = a_i b_j / n. If M
    is affine on the matrices with these margins, then E[M(C)] = M(C̄), which must be the same constant for all class
    sizes. That M is affine is shown in two steps. On the whole block, M is one formula f in positive reals, and its
    second derivatives vanish along the directions that keep the margins. On every smaller support that a prediction can
    have, the definition must give f with the missing cells set to 0; so f is M on all these matrices.

    Where M has no value on some smaller support, class sizes that admit this support are left out by the statement, and
    for all others f is still M everywhere. Some class sizes of few items must remain. Where all labelings are equally
    likely, see `random_guesses.py`.
    """
    m, s = check.m, check.statement
    reading = check.reading()
    sets = list(_classes(check))
    found = cases_of(check, {(text_of(a), text_of(b)) for a, b in sets}, "true", "predicted")
    values = []
    for a, b in sets:
        node = found[text_of(a), text_of(b)]
        whole = block(a, b)
        supports = list(_within(whole, a, b))
        if node["by"] == "undefined":
            for support in supports:
                value = reading.value(reading.cells(support, []))
                demand(value is UNDEFINED, "the measure is defined on {support}", support=support)
            continue
        demand(node["by"] == "affine", "{got!r} proves nothing about averages", field="proof", got=node["by"])
        _check_affine(reading, whole, within(check, whole, supports), _directions(a, b), partly=True)
        values.append(reading.value(_product_cells(reading, a, b)))
        demand(values[-1] is not UNDEFINED, "the measure is undefined on a mean matrix")
    _same_constant(values)
    demand(_some_average(check, sets), "no class sizes of few items have a value for each of their predictions")
    check.constants_are({s.constants[0]: [[1] * m] * m})


def _some_average(check: Check, sets: list[tuple[ClassSubset, ClassSubset]]) -> bool:
    """Return whether some class sizes of few items have a value for each of their predictions."""
    few = max(4, check.m)
    for n, sizes in ((n, [x for x in product(range(n + 1), repeat=check.m) if sum(x) == n]) for n in range(1, few + 1)):
        for a, b in product(sizes, repeat=2):
            if (tuple(int(x > 0) for x in a), tuple(int(x > 0) for x in b)) not in sets:
                continue
            cells = product(*(range(min(x, y) + 1) for x in a for y in b))
            rows = ([list(x[i * check.m : (i + 1) * check.m]) for i in range(check.m)] for x in cells if sum(x) == n)
            fitting = (x for x in rows if tuple(map(sum, x)) == a and tuple(map(sum, zip(*x, strict=True))) == b)
            if all(check.measure.exact(x, undefined=check.undefined) is not UNDEFINED for x in fitting):
                return True
    return False


def _directions(a: ClassSubset, b: ClassSubset) -> list[dict[int, int]]:
    """Return directions that span the changes which keep the true and the predicted class sizes."""
    m = len(a)
    true = [i for i in range(m) if a[i]]
    first, *others = [j for j in range(m) if b[j]]
    top = true[0]
    return [{top * m + first: 1, top * m + j: -1, i * m + first: -1, i * m + j: 1} for i in true[1:] for j in others]


def _check_affine(
    reading: Reading, whole: str, supports: list[str], numbered: Iterable[Mapping[int, int]], *, partly: bool
) -> None:
    """Demand that the formula of a block is affine along the directions, and holds on the smaller supports."""
    directions = [{reading.cell_names[k]: step for k, step in x.items()} for x in numbered]
    value = reading.value(reading.cells(whole, []))
    demand(value is not UNDEFINED, "the measure is undefined on {support}", support=whole)
    for k, first in enumerate(directions):
        slope = derivative(value, first)
        check_slope(value, slope, first)
        for second in directions[k:]:
            demand(derivative(slope, second).is_zero, "the measure is not affine in the cells")
    for support in supports:
        check_formula(reading, value, whole, support, partly=partly)


def within(check: Check, whole: str, supports: list[str]) -> list[str]:
    """Return supports inside a block; of those that renaming the classes makes equal, one, if all are treated alike.

    Let p rename the classes so that the block stays the same, let f be the formula on the block, and let M treat all
    classes alike. Then M(pC) = M(C) for every matrix C. So f(pC) = f(C) for all positive cells of the block, and where
    some of them vanish too, as far as f has a limit there. If f with the missing cells set to 0 is M on a support S, it
    is M on pS: M(pC) = M(C) = f(C) = f(pC) for every C on S. And M has values on both or on neither.

    As a second guard, M must have the same value on a matrix of each support that is left out and on its image.
    """
    m = check.m
    if m < 3 or not check.alike:
        return supports
    kept = [[p[i] * m + p[j] for i in range(m) for j in range(m)] for p in permutations(range(m))]
    kept = [places for places in kept if all(whole[k] == whole[q] for k, q in enumerate(places))]
    policy, seen, found = policy_of(check.undefined), set[str](), list[str]()
    for support in supports:
        if support in seen:
            continue
        found.append(support)
        numbers = [random.randint(1, 9) * int(x) for x in support]
        for places in kept:
            image = "".join(support[q] for q in places)
            if image not in seen and image != support:
                same = have_one_value(check.measure, _rows(numbers, m), _rows([numbers[q] for q in places], m), policy)
                demand(same, "the measure treats classes differently on {support}", support=image)
            seen.add(image)
    return found


def _rows(numbers: list[int], m: int) -> list[list[int]]:
    return [numbers[k : k + m] for k in range(0, m * m, m)]


def check_formula(
    reading: Reading, value: Outcome, whole: str, support: str, *, partly: bool = False, gaps: bool = False
) -> None:
    """Demand that the formula of a block holds on a support inside it.

    If ``partly``, the measure may be undefined there; with ``gaps`` too, but the formula must still have a value.
    """
    if support == whole:
        return
    none = reading.ring.constant(0)
    seen = reading.value(reading.cells(support, []))
    if seen is UNDEFINED and partly:
        return
    gone = {reading.cell_names[k]: none for k in range(len(whole)) if whole[k] == "1" and support[k] == "0"}
    there = at(value, gone)
    demand((seen is not UNDEFINED or gaps) and there is not None, "another rule acts on {support}", support=support)
    demand(seen is UNDEFINED or (there - seen).is_zero, "another formula holds on {support}", support=support)


def flatness(check: Check) -> None:
    """Check that the value is constant, and derivatives by p_AB vanish, where two labelings are independent."""
    infinite = check.statement.order == math.inf
    order = 2 if infinite else int(check.statement.order or 1)
    reading = check.reading()
    wanted = {(0,), ("every",)} if infinite else {(k,) for k in (0, *range(2, order + 1))}
    found = cases_of(check, wanted, "order")
    demand(all(node["by"] == "zero" for node in found.values()), "a derivative is not said to be 0")
    cells = _product_cells(reading, (1, 1), (1, 1))
    value, base = reading.value(reading.cells("1111", [])), reading.value(cells)
    demand(value is not UNDEFINED and base is not UNDEFINED, "the measure is undefined")
    _same_constant([base])
    direction = dict(zip(reading.cell_names, (1, -1, -1, 1), strict=True))
    for k in range(1, order + 1) if order > 1 else ():  # order 1 asks for no derivative
        slope = derivative(value, direction)
        check_slope(value, slope, direction)
        value = slope
        if infinite and k > 1:  # 0 on all positive matrices: M is affine in p_AB, and no later derivative is left
            demand(value.is_zero, "the measure is not affine in p_AB")
            continue
        there = at(value, dict(zip(reading.cell_names, cells, strict=True))) if k > 1 else None
        demand(k == 1 or (there is not None and there.is_zero), "the derivative of order {k} does not vanish", k=k)
    check.constants_are({check.statement.constants[0]: [[1, 1], [1, 1]]})
