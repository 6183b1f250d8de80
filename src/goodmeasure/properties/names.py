"""Looking statements up by name, short name, or number of an axiom; and the list of them."""

from __future__ import annotations

import re
from typing import Any

from goodmeasure.catalogue.names import look_alikes
from goodmeasure.properties import goesgens, opitz, sebastiani
from goodmeasure.properties.statements import Statement, of_order

STATEMENTS: dict[str, Statement] = {
    x.name: x for x in (*goesgens.STATEMENTS, *sebastiani.STATEMENTS, *opitz.STATEMENTS, opitz.CLASS_INDIFFERENT)
}
NINE = tuple(x.name for x in goesgens.STATEMENTS[:9])
USUAL_ORDERS = (2, 3)
_ORDERED = re.compile(r"(?:approximate_constant_baseline|acb)\((?:order=)?(\d+)\)|acb(\d+)", re.IGNORECASE)


def statement(name: Any) -> Statement:
    """Look a statement up by its name or short name.

    >>> statement("Mon").where
    'Definition 6'
    >>> statement("approximate-constant-baseline(order=2)").order
    2
    """
    if isinstance(name, Statement):
        return name
    if not isinstance(name, str):
        raise TypeError(f"a property is named by a string such as 'monotone' or 'Mon', not {name!r}")
    text = name.strip()
    for found in STATEMENTS.values():
        if found.short == text:
            return found
    plain = text.replace("-", "_").replace(" ", "_").lower()
    if plain in STATEMENTS:
        return STATEMENTS[plain]
    ordered = _ORDERED.fullmatch(plain)
    if ordered:
        return _baseline(int(ordered[1] or ordered[2]))
    near = [x for x in STATEMENTS.values() if not x.hidden and x.short.lower() == text.lower()]
    if len(near) == 1:
        return near[0]
    if near:
        raise ValueError(f"{name!r} may mean {' or '.join(f'{x.short!r} ({x.name})' for x in near)}: say which")
    raise ValueError(f"{name!r} is not the name of a property{_suggestion(plain)}")


def _baseline(order: int) -> Statement:
    if not 1 <= order <= 12:
        raise ValueError(f"order is {order}: expected 1 … 12")
    return of_order(goesgens.HIGHER_BASELINE, order)


def _suggestion(text: str) -> str:
    known = {x.name: x.name for x in STATEMENTS.values() if not x.hidden}
    known |= {x.short.lower(): x.name for x in STATEMENTS.values() if not x.hidden}
    near = look_alikes(text, known)
    return f": did you mean {' or '.join(map(repr, near))}?" if near else f": use one of {', '.join(known.values())}"


def statements(classes: int | str = 2) -> list[Statement]:
    """Every statement that speaks of that many classes, in the order of the papers.

    >>> [x.short for x in statements(3)][:9]
    ['Max', 'Min', 'CSym', 'Sym', 'Dist', 'Mon', 'SMon', 'CB', 'ACB']
    """
    known = [x for x in STATEMENTS.values() if not x.hidden]
    known[9:9] = [_baseline(order) for order in USUAL_ORDERS]
    return [x for x in known if x.fits(classes)]
