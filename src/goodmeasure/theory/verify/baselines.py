"""Check certificates about random predictions, smoothness and definedness.

Class sizes are given by which classes occur in the true and in the predicted labels. The cells of a *block* are those
of classes that occur; a random prediction with these sizes gives a matrix with some support inside the block.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterable, Iterator, Mapping, Set
from itertools import combinations, permutations, product
from typing import TYPE_CHECKING

from goodmeasure.language.policy import policy_of
from goodmeasure.theory.statements import statement as kinds
from goodmeasure.theory.verify.arithmetic import UNDEFINED, UP, Outcome, Poly, Refused
from goodmeasure.theory.verify.atoms import Logarithm, MeanAtom, Root, at, derivative
from goodmeasure.theory.verify.chance_correction import chance_bound, uncorrected
from goodmeasure.theory.verify.decomposition import decomposable
from goodmeasure.theory.verify.random_guesses import guessing
from goodmeasure.theory.verify.readings import Reading
from goodmeasure.theory.verify.renaming import have_one_value
from goodmeasure.theory.verify.signs import check_slope, check_zero, demand
from goodmeasure.theory.verify.true_labelings import bounded, trivial
from goodmeasure.theory.verify.verdicts import example
from goodmeasure.typing import ReadJson

if TYPE_CHECKING:
    from goodmeasure.theory.statements.certificate import CertificateNode
    from goodmeasure.theory.verify.arithmetic import Atom, FunctionValue
    from goodmeasure.theory.verify.verify import Check

ClassSubset = tuple[int, ...]


def text_of(bits: Iterable[int]) -> str:
    """Return zeros and ones as text."""
    return "".join(map(str, bits))


def _block(a: ClassSubset, b: ClassSubset) -> str:
    return text_of(int(x and y) for x in a for y in b)


def _classes(check: Check) -> Iterator[tuple[ClassSubset, ClassSubset]]:
    """Yield which classes occur in the true and in the predicted labels, as the statement and the domain admit."""
    s, m = check.statement, check.m
    for a, b in product(product((0, 1), repeat=m), repeat=2):
        few = sum(a) < (1 if s.unary_truth else 2) or sum(b) < (1 if s.unary_predictions else 2)
        if not few and check.admits([int(x) for x in _block(a, b)]):
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
    demand(not missing, f"the case {min(missing, default=())} is missing")
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
    if s.uniform:
        guessing(check, lambda part: type(check)(part, check.measure, check.deadline).run())
        return
    sets = list(_classes(check))
    found = cases_of(check, {(text_of(a), text_of(b)) for a, b in sets}, "true", "predicted")
    values = []
    for a, b in sets:
        node = found[text_of(a), text_of(b)]
        whole = _block(a, b)
        supports = list(_within(whole, a, b))
        if node["by"] == "undefined":
            for support in supports:
                value = reading.value(reading.cells(support, []))
                demand(value is UNDEFINED, f"the measure is defined on {support}")
            continue
        demand(node["by"] == "affine", f"{node['by']!r} proves nothing about averages")
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
    demand(value is not UNDEFINED, f"the measure is undefined on {whole}")
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
                demand(same, f"the measure treats classes differently on {image}")
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
    demand((seen is not UNDEFINED or gaps) and there is not None, f"another rule acts on {support}")
    demand(seen is UNDEFINED or (there - seen).is_zero, f"another formula holds on {support}")


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
        demand(k == 1 or (there is not None and there.is_zero), f"the derivative of order {k} does not vanish")
    check.constants_are({check.statement.constants[0]: [[1, 1], [1, 1]]})


def smooth(check: Check) -> None:
    """Check that the measure is continuously differentiable in the cells of each row, on every test set.

    For given true class sizes the cells of each row run through a simplex (for two classes, TP and TN through a
    rectangle); a smaller domain leaves out some of the faces. Inside, the measure must be one formula, a quotient
    of polynomials, square roots, means of two values and logarithms of quotients of polynomials. On every face in
    the domain (some cells 0) the definition must give the same formula, the denominator must not vanish there, and
    everything under a root, in a mean or in a logarithm must stay positive. A mean is a continuously differentiable
    function of two positive numbers (power means are analytic; `language/two_means.py` has the others). So the
    formula is continuously differentiable on a neighbourhood of each of these matrices, and it is the measure on
    all of them; where the measure has no value, the formula fills the gap. Other functions may occur in it if they
    depend on the true class sizes alone: on one test set they are numbers, also on its faces, where the formula
    must have a value. Test sets on which the measure has no value for any prediction in the domain are outside the
    statement.
    """
    m, reading = check.m, check.reading()
    tests: dict[ClassSubset, list[str]] = {}
    for bits in product((0, 1), repeat=m * m):
        if check.admits(bits):
            true = tuple(int(any(bits[i * m : (i + 1) * m])) for i in range(m))
            tests.setdefault(true, []).append(text_of(bits))
    found = cases_of(check, {(text_of(a),) for a in tests}, "true")
    demand(any(node["by"] == "one formula" for node in found.values()), "no test set is said to have one formula")
    for a, supports in tests.items():
        node = found[(text_of(a),)]
        if node["by"] == "undefined":
            none = all(reading.value(reading.cells(x, [])) is UNDEFINED for x in supports)
            demand(none, "a test set has values")
            continue
        demand(node["by"] == "one formula", "a test set is not said to have one formula")
        whole = _block(a, (1,) * m)
        value = reading.value(reading.cells(whole, []))
        demand(value is not UNDEFINED, f"the measure is undefined on {whole}")
        inner: list[FunctionValue] = []
        for atom in [reading.ring.atoms[k] for k in reading.ring.together(value.atoms)]:
            positive = _must_be_positive(atom)
            smooth_there = positive is not None or _is_fixed(reading, atom)
            demand(smooth_there, "the measure is no quotient of polynomials, roots, means and logarithms")
            inner += positive or []
        chosen = set(within(check, whole, supports))
        for support in supports:
            if support in chosen:
                check_formula(reading, value, whole, support, gaps=True)
            rim = {
                name: reading.ring.constant(0) for name, x in zip(reading.cell_names, support, strict=True) if x == "0"
            }
            for x in inner:
                under = at(x, rim)
                demand(
                    under is not None and under.signs() == UP,
                    "a root, a mean or a logarithm is of something that may vanish",
                )


def _must_be_positive(atom: object) -> list[FunctionValue] | None:
    """Return the values on which a root, a mean or a logarithm is smooth if they are positive; None for other atoms."""
    if isinstance(atom, Logarithm):
        return None if atom.inner.atoms else [atom.inner]
    return [atom.inner] if isinstance(atom, Root) else atom.ends() if isinstance(atom, MeanAtom) else None


def _is_fixed(reading: Reading, atom: Atom) -> bool:
    """Return whether a function is the same for all predictions: its slopes vanish where items move within a row."""
    m, names = reading.m, reading.cell_names
    moves = [{names[i * m]: 1, names[i * m + j]: -1} for i in range(m) for j in range(1, m)]
    try:
        return all(atom.derivative(x).is_zero for x in moves)
    except Refused:
        return False


def defined(check: Check) -> None:
    """Check that the measure has a value on every support, or for each test set on all of its supports or on none.

    Where supports are listed up to renaming the classes, test sets with as many classes are the same up to names.
    """
    together = check.statement.kind == kinds.DEFINED_TOGETHER
    m, reading, known = check.m, check.reading(), dict[object, bool]()
    expected = {(text_of(x),) for x in product((0, 1), repeat=m * m) if check.admits(x)}
    for (support,), cases in check.grouped(expected, lambda x: (x["support"],)).items():
        rows = ["1" in support[i * m : (i + 1) * m] for i in range(m)]
        test = None if not together else sum(rows) if check.certificate.symmetric else tuple(rows)
        for case in cases:
            value = reading.value(reading.cells(case["support"], case["proof"].get("splits", [])))
            has = value is not UNDEFINED
            demand(case["proof"]["by"] == ("defined" if has else "undefined"), "the certificate says otherwise")
            demand(known.setdefault(test, has if together else True) == has, f"undefined on {support}")


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
                expected.add((text_of(support), two))
    key = lambda x: (x["support"], tuple(sorted(tuple(y) for y in x["cells"])))  # noqa: E731
    for cases in check.grouped(expected, key).values():
        for case in cases:
            values = []
            for i, j in case["cells"]:
                cells = reading.cells(case["support"], case["proof"].get("splits", []))
                cells[i * m + j] = cells[i * m + j] + 1
                values.append(reading.value(cells))
            if not check._skipped(case["proof"], *values):
                check_zero(case["proof"], values[0] - values[1])


OTHERS = {
    kinds.INDEPENDENT: independent,
    kinds.EXPECTATION: expectation,
    kinds.FLATNESS: flatness,
    kinds.SMOOTH: smooth,
    kinds.DEFINED: defined,
    kinds.DEFINED_TOGETHER: defined,
    kinds.RANGE: bounded,
    kinds.TRIVIAL: trivial,
    kinds.INDIFFERENT: indifferent,
    kinds.SENSITIVE: example,
    kinds.CHANCE_BOUND: chance_bound,
    kinds.UNCORRECTED: uncorrected,
    kinds.DECOMPOSABLE: decomposable,
}
