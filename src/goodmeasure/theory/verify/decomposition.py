"""Check certificates of class decomposability (opitz2024, Property III).

The claim is that M is the power mean with exponent p of scores g_i, each a function of row i and column i. For a set T
of classes, P_T(C) is the matrix C with 1 in every cell that is not in the row or column of each class of T. With
F = M^p (log M for p = 0) the certificate shows that

    F(C) = Σ_{T ≠ ∅} (−1)^{|T|+1} F(P_T(C))

on every support of the domain. The term of T is a function of row i and column i for each i in T. So F is a sum of such
functions, which is the claim: g_i = m·f_i for p = 1, g_i = exp(m·f_i) for p = 0, g_i = 1/(m·f_i) for p = −1, where
constants with sum 0 may be added so that no f_i is 0.

For p = 0 and p = −1 the values must be positive or 0. Where M(C) > 0, every M(P_T(C)) must be positive too. Where
M(C) = 0, one class i must have M(P_i(C)) = 0: its score is 0 wherever its row and column are these, which makes the
mean 0, and by the first demand M is never positive there.

For p = 2 there must be two classes, and no value may be negative. Then M² = f_0 + f_1, where f_i depends on c_ii and on
the two errors c_01 and c_10. For given errors, let U_i be the set of the c_ii that occur in a matrix of the domain that
has a value. It is demanded that every pair from U_0 and U_1 has a value. No support is split, so it depends on the
support alone whether there is a value, and supports show it. So f_0(u) + f_1(v) ≥ 0 for all u in U_0 and v in U_1, and
with the finite number h = inf f_0 over U_0, both f_0 − h and f_1 + h are nowhere negative. Their roots, times √2, are
the scores.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations, product
from typing import TYPE_CHECKING

from goodmeasure.theory.verify.arithmetic import UNDEFINED, Outcome, Poly
from goodmeasure.theory.verify.signs import check_positive, check_zero, demand

if TYPE_CHECKING:
    from goodmeasure.theory.statements.certificate import CertificateNode
    from goodmeasure.theory.verify.formula_readings import Reading
    from goodmeasure.theory.verify.verify import Check

ZERO = {"by": "zero"}


def decomposable(check: Check) -> None:
    """Check that a power of the measure is a sum of functions of one row and column each."""
    m, reading = check.m, check.reading()
    name = check.certificate.constants["p"]
    demand(
        name in ("1", "0", "-1") or (name == "2" and m == 2),
        "the exponent {got!r} is not one that certificates know",
        field="constants",
        got=name,
    )
    supports = {("".join(map(str, x)),) for x in product((0, 1), repeat=m * m) if check.admits(x)}
    for cases in check.grouped(supports, lambda x: (x["support"],)).values():
        for case in check.each(cases):
            cells = reading.cells(case["support"], case["proof"].get("splits", []))
            _check_support(reading, case["proof"], cells, int(name))
    if name == "2":
        whole = not any(x["proof"].get("splits") for x in check.certificate.cases)
        demand(whole, "supports are split where their values are compared")
        _check_pairs({x["support"] for x in check.certificate.cases if x["proof"]["by"] != "undefined"})


def _check_pairs(supports: set[str]) -> None:
    """Demand that, for given errors, the supports with a value are all pairs of those of the two diagonal cells."""
    for errors in {x[1:3] for x in supports}:
        first, second = ({x[k] for x in supports if x[1:3] == errors} for k in (0, 3))
        wanted = {one + errors + two for one in first for two in second}
        demand(wanted <= supports, "for some errors not every pair of right predictions has a value")


def _check_support(reading: Reading, node: CertificateNode, cells: list[Poly], p: int) -> None:
    """Check one support, or one branch of it."""
    value = _own(reading, cells)
    demand((value is UNDEFINED) == (node["by"] == "undefined"), "undefined elsewhere than the certificate says")
    if value is UNDEFINED:
        return
    if node["by"] == "zero score":
        demand(p in (0, -1) and node["class"] in range(reading.m), "a score of 0 makes no mean 0 for this exponent")
        check_zero(ZERO, value)
        alone = _own(reading, _anchored(reading, cells, (node["class"],)))
        demand(alone is not UNDEFINED, "an anchored matrix has no value")
        check_zero(ZERO, alone)
        return
    terms = [
        (1 if size % 2 else -1, _own(reading, _anchored(reading, cells, kept)))
        for size in range(1, reading.m + 1)
        for kept in combinations(range(reading.m), size)
    ]
    demand(all(x is not UNDEFINED for _, x in terms), "an anchored matrix has no value")
    if p == 1:
        check_zero(node, value - _total((x if sign > 0 else x * -1) for sign, x in terms))
        return
    if p == 2:
        demand(node["by"] == "powers" and len(node["values"]) == 1, "the value is not shown to be 0 or more")
        check_positive(node["values"][0], value, strict=False, whole=True)
        check_zero(ZERO, value * value - _total((x * x if sign > 0 else x * x * -1) for sign, x in terms))
        return
    demand(node["by"] == "powers" and len(node["values"]) == len(terms) + 1, "the values are not shown to be positive")
    for shown, x in zip(node["values"], (value, *(x for _, x in terms)), strict=True):
        check_positive(shown, x, strict=True, whole=True)
    if p == -1:
        check_zero(ZERO, 1 / value - _total(sign / x for sign, x in terms))
    else:
        check_zero(ZERO, _product([value, *(x for s, x in terms if s < 0)]) - _product([x for s, x in terms if s > 0]))


def _own(reading: Reading, cells: list[Poly]) -> Outcome:
    """Return the value in the measure's own sign."""
    value = reading.value(cells)
    return value if value is UNDEFINED else value * reading.turn


def _anchored(reading: Reading, cells: list[Poly], kept: tuple[int, ...]) -> list[Poly]:
    """Return the cells with 1 wherever a cell is outside the row and the column of some of these classes."""
    m = reading.m
    return [p if all(k // m == i or k % m == i for i in kept) else p * 0 + 1 for k, p in enumerate(cells)]


def _total(values: Iterable[Outcome]) -> Outcome:
    first, *others = values
    for x in others:
        first = first + x
    return first


def _product(values: list[Outcome]) -> Outcome:
    first, *others = values
    for x in others:
        first = first * x
    return first
