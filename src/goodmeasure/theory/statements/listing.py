"""All statements, by their names."""

from __future__ import annotations

import math
import re

from goodmeasure.theory.statements import goesgens, opitz, sebastiani
from goodmeasure.theory.statements.statement import Statement, of_order

STATEMENTS: dict[str, Statement] = {
    x.name: x
    for x in (
        *goesgens.STATEMENTS,
        *sebastiani.STATEMENTS,
        *opitz.STATEMENTS,
        opitz.CLASS_INDIFFERENT,
        opitz.CHANCE_UNCORRECTED,
    )
}
NINE = tuple(x.name for x in goesgens.STATEMENTS[:9])
USUAL_ORDERS = (2, 3)
ORDERED = re.compile(r"(?:approximate_constant_baseline|acb)\((?:order=)?(\d+|inf)\)|acb(\d+|inf)", re.IGNORECASE)


def named(name: str) -> Statement | None:
    """Return the statement that has a name; None if none has.

    >>> named("approximate_constant_baseline(order=2)").order
    2
    """
    ordered = ORDERED.fullmatch(name)
    if ordered:
        order = ordered[1] or ordered[2]
        return baseline(math.inf if order == "inf" else int(order))
    return STATEMENTS.get(name)


def baseline(order: float) -> Statement:
    """Return the approximate constant baseline of an order."""
    if order != math.inf and not 1 <= order <= 12:
        from goodmeasure.exceptions import InputError

        raise InputError("{order} is {got}", got=order, expected="1 … 12, or inf")
    return of_order(goesgens.HIGHER_BASELINE, order)
