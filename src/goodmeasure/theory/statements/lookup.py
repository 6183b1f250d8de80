"""Look statements up by their name or short name, and list them."""

from __future__ import annotations

from goodmeasure.catalogue.names import look_alikes
from goodmeasure.exceptions import InputError, InputTypeError, UnknownName
from goodmeasure.theory.statements import sebastiani
from goodmeasure.theory.statements.listing import NINE as NINE
from goodmeasure.theory.statements.listing import STATEMENTS as STATEMENTS
from goodmeasure.theory.statements.listing import USUAL_ORDERS, baseline, named
from goodmeasure.theory.statements.statement import Statement


def statement(name: object, argument: str = "property") -> Statement:
    """Return the statement with a name or short name; an error says which argument it is about.

    >>> statement("Mon").where
    'Definition 6'
    >>> statement("approximate-constant-baseline(order=2)").order
    2
    >>> statement("approximate_constant_baseline(order=inf)").title
    'approximate constant baseline of infinite order'
    """
    if isinstance(name, Statement):
        return name
    if not isinstance(name, str):
        raise InputTypeError(
            "a property is named by a string such as 'monotone' or 'Mon', not {got!r}", argument=argument, got=name
        )
    text = name.strip()
    for found in STATEMENTS.values():
        if found.short == text:
            return found
    plain = text.replace("-", "_").replace(" ", "_").lower()
    exact = named(plain)
    if exact is not None:
        return exact
    near = [x for x in STATEMENTS.values() if not x.hidden and x.short.lower() == text.lower()]
    if len(near) == 1:
        return near[0]
    if near:
        raise InputError(
            "{got!r} may mean {candidates}",
            argument=argument,
            got=name,
            candidates=" or ".join(f"{x.short!r} ({x.name})" for x in near),
            advice="say which",
        )
    raise _unknown(name, plain, argument)


def _unknown(name: str, text: str, argument: str) -> UnknownName:
    """Return the error for an unknown name, with names that look alike."""
    known = {x.name: x.name for x in STATEMENTS.values() if not x.hidden}
    known |= {x.short.lower(): x.name for x in STATEMENTS.values() if not x.hidden}
    near = look_alikes(text, known)
    return UnknownName(
        "{name!r} is not the name of a property",
        argument=argument,
        name=name,
        suggestions=near,
        listed=" or ".join(map(repr, near)) if near else ", ".join(dict.fromkeys(known.values())),
        advice="did you mean {listed}?" if near else "use one of {listed}",
    )


def statements(classes: int | str = 2) -> list[Statement]:
    """Return all statements about so many classes, in the order of the papers.

    Sebastiani's axioms are not listed for every number of classes at once, since most of them are proved for one number
    of classes at a time.

    >>> [x.short for x in statements(3)][:9]
    ['Max', 'Min', 'CSym', 'Sym', 'Dist', 'Mon', 'SMon', 'CB', 'ACB']
    """
    known = [x for x in STATEMENTS.values() if not x.hidden]
    known[9:9] = [baseline(order) for order in USUAL_ORDERS]
    return [x for x in known if x.fits(classes) and not (classes == "every" and x in sebastiani.STATEMENTS)]
