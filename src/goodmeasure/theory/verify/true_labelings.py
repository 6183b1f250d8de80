"""Check certificates about test sets: fixed ranges, constant predictions and smoothness.

A test set fixes the true class sizes. What its predictions can look like depends on which classes occur. A *pure*
support has at most one positive cell in each row; every choice of positive class sizes has exactly one matrix with a
given pure support, so a value that is constant on such a support is reached on every test set with these classes.
"""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

from goodmeasure.theory.verify.arithmetic import UNDEFINED, UP, Outcome, Refused
from goodmeasure.theory.verify.atoms import Logarithm, MeanAtom, Root, at
from goodmeasure.theory.verify.baselines import ClassSubset, block, cases_of, check_formula, text_of, within
from goodmeasure.theory.verify.signs import check_zero, demand
from goodmeasure.theory.verify.stated_values import are_stated, is_stated
from goodmeasure.theory.verify.values import beyond

if TYPE_CHECKING:
    from goodmeasure.theory.verify.arithmetic import Atom, FunctionValue, Poly
    from goodmeasure.theory.verify.formula_readings import Reading
    from goodmeasure.theory.verify.verify import Check

ClassPattern = tuple[bool, ...]


def supports_of(check: Check) -> list[str]:
    """Return the supports whose matrices lie in the domain."""
    return ["".join(map(str, x)) for x in product((0, 1), repeat=check.m**2) if check.admits(x)]


def rows_of(support: str, m: int) -> list[list[int]]:
    """Return the matrix with one item in each cell of a support."""
    return [[int(x) for x in support[i * m : (i + 1) * m]] for i in range(m)]


def _true_classes(support: str, m: int) -> ClassPattern:
    return tuple("1" in support[i * m : (i + 1) * m] for i in range(m))


def ones_on(reading: Reading, support: str) -> list[Poly]:
    """Return the cells of a support in which every positive cell is 1, as constant polynomials."""
    return [p * 0 + int(x) for p, x in zip(reading.cells(support, []), support, strict=True)]


def bounded(check: Check) -> None:
    """Check that two constants bound the measure on every support, and are reached on every test set that has values.

    Each bound is the value on a pure support in the domain, in which no variable occurs. It is reached if for all true
    classes with values some pure support has it as its value, identically in the class sizes. Where supports are listed
    up to renaming the classes, test sets with as many classes are the same up to names, and so are their predictions.
    """
    m, reading = check.m, check.reading()
    supports = supports_of(check)
    names = ("alpha", "beta")
    groups = check.grouped(
        {(x, k) for x in supports for k in (0, 1)}, lambda case: (case["support"], names.index(case["bound"]))
    )
    low, high = names[:: reading.turn]
    for name, sense in ((low, -1), (high, 1)):
        bound = _bound(check, reading, supports, name)
        met: dict[object, bool] = {}
        for (_, k), cases in groups.items():
            if names[k] != name:
                continue
            support = cases[0]["support"]
            true = _true_classes(support, m)
            test = sum(true) if check.certificate.symmetric else true
            for case in check.each(cases):
                value = reading.value(reading.cells(support, case["proof"].get("splits", [])))
                if not check.skipped(case["proof"], value):
                    beyond(case["proof"], value, bound, sense, strict=False)
                    met.setdefault(test, False)
            if _is_pure(support, m) and _is_constantly(reading, support, bound):
                met[test] = True
        demand(bool(met), "no test set has a value")
        demand(all(met.values()), "a bound is not shown to be reached on every test set")


def _is_pure(support: str, m: int) -> bool:
    return all(support[i * m : (i + 1) * m].count("1") < 2 for i in range(m))


def _bound(check: Check, reading: Reading, supports: list[str], name: str) -> Outcome:
    """Return the constant of a certificate as a value, read on a pure support on which the measure has it."""
    said = check.certificate.constants[name]
    for support in supports:
        if not _is_pure(support, check.m):
            continue
        exact = check.measure.exact(rows_of(support, check.m), undefined=check.undefined)
        if is_stated(said, exact):
            return reading.value(ones_on(reading, support))
    demand(False, "no prediction is seen to score {name} = {got}", field="constants", got=said, name=name)
    return None  # type: ignore[return-value] # it has been refused


def _is_constantly(reading: Reading, support: str, bound: object) -> bool:
    """Return whether the measure has a value on a whole support, and it is the bound."""
    value = reading.value(reading.cells(support, []))
    return value is not UNDEFINED and _vanishes(value - bound)


def _vanishes(difference: FunctionValue) -> bool:
    try:
        check_zero({"by": "zero"}, difference)
    except ValueError:
        return False
    return True


def trivial(check: Check) -> None:
    """Check that each constant prediction scores one constant wherever every class occurs and it has a value."""
    m, reading, known = check.m, check.reading(), {}
    expected = {}
    for name, j in check.statement.constant_predictions(m):
        support = "".join(str(int(k == j)) for _ in range(m) for k in range(m))
        if check.admits([int(x) for x in support]):
            expected[support] = name
    found = {case["support"]: case["proof"] for case in check.certificate.cases}
    demand(len(found) == len(check.certificate.cases), "a case is given twice")
    demand(set(found) == set(expected), "the cases are not the constant predictions in the domain")
    for support, name in expected.items():
        value = reading.value(reading.cells(support, []))
        has = value is not UNDEFINED
        demand(found[support]["by"] == ("constant" if has else "undefined"), "the certificate says otherwise")
        if has:
            check_zero({"by": "zero"}, value - reading.value(ones_on(reading, support)))
            known[name] = check.measure.exact(rows_of(support, m), undefined=check.undefined)
    demand(bool(known), "no constant prediction has a value")
    demand(
        are_stated(check.certificate.constants, known),
        "the constants are {got}",
        field="constants",
        got=dict(check.certificate.constants),
        expected="{known}",
        known=known,
    )


def smooth(check: Check) -> None:
    """Check that the measure is continuously differentiable in the cells of each row, on every test set.

    For given true class sizes the cells of each row run through a simplex (for two classes, TP and TN through a
    rectangle); a smaller domain leaves out some of the faces. Inside, the measure must be one formula, a quotient
    of polynomials, square roots, means of two values and logarithms of quotients of polynomials. On every face in
    the domain (some cells 0) the definition must give the same formula, the denominator must not vanish there, and
    everything under a root, in a mean or in a logarithm must stay positive. A mean is a continuously differentiable
    function of two positive numbers (power means are analytic; `language/means_of_two.py` has the others). So the
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
        whole = block(a, (1,) * m)
        value = reading.value(reading.cells(whole, []))
        demand(value is not UNDEFINED, "the measure is undefined on {support}", support=whole)
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
