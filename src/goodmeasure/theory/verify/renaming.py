"""Decide anew for each certificate whether a measure treats all classes alike.

The form of its tree shows it (`language/class_symmetry.py` has the argument). As a guard against mistakes there, the
exact values of matrices with renamed classes are compared as well, also of matrices with many zeros.
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from goodmeasure.catalogue import running
from goodmeasure.language.class_symmetry import treats_classes_alike
from goodmeasure.language.policy import NAN, Policy, Undecided
from goodmeasure.language.record import CannotRecord

if TYPE_CHECKING:
    from goodmeasure.catalogue.measure import Measure
    from goodmeasure.language.tree import Tree

# The matrices whose classes are renamed: their classes, greatest count, and share of cells that are not 0.
_COMPARED = (
    (2, 40, 0.9), (3, 12, 0.9), (4, 9, 0.9), (3, 10**6, 1.0), (2, 9, 0.5),
    *[(3, 9, share) for share in (0.5, 0.6, 0.7, 0.8, 0.85, 0.9) for _ in range(2)],
)  # fmt: skip


def tells_no_classes_apart(measure: Measure) -> bool:
    """Return whether a measure treats all classes alike.

    >>> import goodmeasure as gm
    >>> tells_no_classes_apart(gm.accuracy), tells_no_classes_apart(gm.f1)
    (True, False)
    """
    return treats_classes_alike(_general(measure)) and _renaming_changes_nothing(measure)


def looks_at_no_class(measure: Measure) -> bool:
    """Return whether a measure names no class, except in tables of constants, of which nothing is known here.

    >>> import goodmeasure as gm
    >>> looks_at_no_class(gm.weighted_kappa("linear")), looks_at_no_class(gm.f1)
    (True, False)
    """
    return treats_classes_alike(_general(measure), tables=True)


def _general(measure: Measure) -> Tree | None:
    try:
        return measure.recorded.general()
    except CannotRecord:
        return None


def _renaming_changes_nothing(measure: Measure) -> bool:
    """Return whether matrices of two to four classes have the same value under other names of their classes."""
    numbers = random.Random()
    for m, top, share in _COMPARED:
        rows = [[numbers.randint(1, top) if numbers.random() < share else 0 for _ in range(m)] for _ in range(m)]
        names = list(range(m))
        numbers.shuffle(names)
        renamed = [[rows[i][j] for j in names] for i in names]
        if not have_one_value(measure, rows, renamed, NAN):
            return False
    return True


def have_one_value(measure: Measure, rows: list[list[int]], other: list[list[int]], policy: Policy) -> bool:
    """Return whether two matrices have the same exact value, or whether that cannot be decided."""
    try:
        one, two = (running.on_exact(measure.recorded, x, policy) for x in (rows, other))
        return one is two or bool(one == two)  # both may be undefined, which equals nothing
    except (Undecided, ZeroDivisionError):
        return True
