"""Names of classes that have none of their own: that of missing labels, and all classes but one."""

from __future__ import annotations

from collections.abc import Iterable

MISSING = "(missing)"  # the name of the class and of the slice of missing values


def missing_name(known: Iterable[object]) -> str:
    """Return a name for missing values that none of the known values has.

    >>> missing_name(["a", None]), missing_name(["(missing)", None])
    ('(missing)', '(missing value)')
    """
    taken, name, k = set(known), MISSING, 1
    while name in taken:
        name = "(missing value)" if k == 1 else f"(missing value {k})"
        k += 1
    return name


def rest_name(label: object, known: Iterable[object]) -> str:
    """Return a name for all known classes but one.

    >>> rest_name("spam", ["ham", "spam", "eggs"]), rest_name(None, ["ham", "eggs", None])
    ('not spam', 'not (missing)')
    """
    return f"not {missing_name(known) if label is None else label}"
