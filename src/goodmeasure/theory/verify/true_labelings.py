"""Check certificates about test sets, for any number of classes: fixed ranges and constant predictions.

A test set fixes the true class sizes. What its predictions can look like depends on which classes occur. A *pure*
support has at most one positive cell in each row; every choice of positive class sizes has exactly one matrix with a
given pure support, so a value that is constant on such a support is reached on every test set with these classes.
"""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

from goodmeasure.theory.verify.arithmetic import UNDEFINED, Outcome
from goodmeasure.theory.verify.signs import check_zero, demand

if TYPE_CHECKING:
    from goodmeasure.theory.verify.arithmetic import FunctionValue, Poly
    from goodmeasure.theory.verify.readings import Reading
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
            for case in cases:
                value = reading.value(reading.cells(support, case["proof"].get("splits", [])))
                if not check._skipped(case["proof"], value):
                    check.beyond(case["proof"], value, bound, sense, strict=False)
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
        if exact is not UNDEFINED and str(exact) == said:
            return reading.value(ones_on(reading, support))
    demand(False, f"no prediction is seen to score {name} = {said}")
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
            known[name] = str(check.measure.exact(rows_of(support, m), undefined=check.undefined))
    demand(bool(known), "no constant prediction has a value")
    demand(dict(check.certificate.constants) == known, f"the constants are {known}")
