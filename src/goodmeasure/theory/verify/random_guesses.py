"""Check certificates that guessing each label with equal chances scores one constant on average (sebastiani2015, CHA).

A certificate with cases by ``support`` shows it by *rotations*: renaming the predicted labels cyclically is a bijection
of the predictions of a test set that keeps the domain, so the average over all predictions is the average of the mean
of M over the m rotations of the columns of C; this mean must be the same constant on every support of the domain. Where
one of the m matrices has no value, all m must have none. Then test sets that have an average are covered by the other
supports, and an average over only those predictions that have a value is the same constant too. Where values are added,
it is used that the angles with the cosines z and −z add up to π, and that arccos 0 is π/2.

A certificate with ``parts`` rests on the constant baseline of goesgens2021, Definition 8, on the same domain: for all
class sizes a and b the average over predictions with these sizes is the constant, hence also the mixture over b. Not
covered by Definition 8 are constant predictions, whose value must be the constant, and sizes for which only some
predictions have a value: for all classes that occur, the measure must have a value on all supports or on none.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeVar

from goodmeasure.language.exact.reals import Exact
from goodmeasure.theory.verify.arithmetic import UNDEFINED, FunctionValue
from goodmeasure.theory.verify.atoms import Angle, pi, put, with_right_angles
from goodmeasure.theory.verify.signs import check_zero, demand
from goodmeasure.theory.verify.stated_values import are_stated, is_stated, value_of
from goodmeasure.theory.verify.true_labelings import ones_on, rows_of, supports_of

if TYPE_CHECKING:
    from goodmeasure.theory.verify.verify import Check

BASELINE = "constant_baseline"
_Cell = TypeVar("_Cell")
_Number = TypeVar("_Number", FunctionValue, Exact)


def guessing(check: Check) -> None:
    """Check a certificate about random guesses."""
    if check.certificate.parts:
        _by_sizes(check)
    else:
        _rotations(check)


def _rotations(check: Check) -> None:
    m, reading = check.m, check.reading()
    expected = {(min(_orbit(x, m)),) for x in supports_of(check)}
    groups = check.grouped(expected, lambda x: (x["support"],))
    base = None
    for support in sorted(x for (x,) in expected):
        for case in check.each(groups[(support,)]):
            cells = reading.cells(support, case["proof"].get("splits", []))
            values = [reading.value(_rotated(cells, m, k)) for k in range(m)]
            if check.skipped(case["proof"], *values):
                demand(all(x is UNDEFINED for x in values), "some, but not all, rotated predictions have a value")
                continue
            if base is None:
                ones = [reading.value(_rotated(ones_on(reading, support), m, k)) for k in range(m)]
                base = support, _sum_of_angles(ones)
            check_zero(case["proof"], _sum_of_angles(values) - base[1])
    demand(base is not None, "no average in the domain has a value")
    assert base is not None
    exact = [check.measure.exact(rows_of(x, m), undefined=check.undefined) for x in _orbit(base[0], m)]
    known = {check.statement.constants[0]: _sum(exact) / m}
    demand(
        are_stated(check.certificate.constants, known),
        "the constants are {got}",
        field="constants",
        got=dict(check.certificate.constants),
        expected="{known}",
        known=known,
    )


def _rotated(cells: Sequence[_Cell], m: int, k: int) -> list[_Cell]:
    """Return the cells with each column moved k places to the right, the last ones to the front."""
    return [cells[i * m + (j - k) % m] for i in range(m) for j in range(m)]


def _orbit(support: str, m: int) -> list[str]:
    return ["".join(_rotated(support, m, k)) for k in range(m)]


def _sum(values: list[_Number]) -> _Number:
    return sum(values[1:], values[0])


def _sum_of_angles(values: list[FunctionValue]) -> FunctionValue:
    """Return a sum with π − arccos z in place of arccos(−z) wherever arccos z occurs too, and π/2 for arccos 0."""
    total = with_right_angles(_sum(values))
    ground, kept, images = total.ground, list[Angle](), dict[int, FunctionValue]()
    for k in total.atoms:
        atom = ground.atoms[k]
        if not isinstance(atom, Angle):
            continue
        supplement = next((x for x in kept if (x.inner + atom.inner).is_zero), None)
        if supplement is None:
            kept.append(atom)
        else:
            images[k] = pi(ground) - supplement.itself
    return put(total, total.num, images) / put(total, total.den, images) if images else total


def _by_sizes(check: Check) -> None:
    m, certificate, reading = check.m, check.certificate, check.reading()
    demand(len(certificate.parts) == 1, "the proof of the constant baseline is missing")
    (part,) = certificate.parts
    same = ("measure", "definition", "classes", "domain", "undefined")
    demand(
        part.statement == BASELINE and all(getattr(part, x) == getattr(certificate, x) for x in same),
        "the proof of the constant baseline is about something else",
    )
    check.again(part)
    ((gamma,), (base,)) = certificate.constants.values(), part.constants.values()
    demand(is_stated(gamma, value_of(base)), "the constant is {base}", field="constants", got=gamma, base=base)
    supports = supports_of(check)
    sizes = {(_occur(x, m, rows=True), _occur(x, m, rows=False)) for x in supports}
    found = {(case["true"], case["predicted"]): case["proof"] for case in certificate.cases}
    demand(len(found) == len(certificate.cases) and set(found) == sizes, "the cases are not the classes that can occur")
    for a, b in sizes:
        values = {}
        for support in supports:
            if (_occur(support, m, rows=True), _occur(support, m, rows=False)) == (a, b):
                values[support] = reading.value(reading.cells(support, []))
        none = [x is UNDEFINED for x in values.values()]
        if all(none):
            demand(found[a, b]["by"] == "undefined", "the certificate says otherwise")
            continue
        demand(not any(none), "only some predictions with the classes {predicted} have a value", predicted=b)
        if b.count("1") > 1:
            demand(found[a, b]["by"] == "defined", "the certificate says otherwise")
            continue
        ((support, value),) = values.items()  # a constant prediction has one support
        check_zero(found[a, b], value - reading.value(ones_on(reading, support)))
        exact = check.measure.exact(rows_of(support, m), undefined=check.undefined)
        demand(
            is_stated(gamma, exact),
            "the constant prediction {support} scores {known}",
            field="constants",
            got=gamma,
            support=support,
            known=exact,
        )
    demand(any(x["by"] != "undefined" for x in found.values()), "no average in the domain has a value")


def _occur(support: str, m: int, *, rows: bool) -> str:
    """Return which classes occur in the true labels (rows) or in the predictions, as text of zeros and ones."""
    lines = [support[i * m : (i + 1) * m] if rows else support[i::m] for i in range(m)]
    return "".join(str(int("1" in x)) for x in lines)
