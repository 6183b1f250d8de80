"""Show that no guess reaches a value, for given true class sizes.

A classifier that guesses has the expected matrix a_i·b_j/n, with true sizes a and predicted sizes b. For true sizes
proportional to given whole numbers a_i, each such matrix has the cells a_i·y_j with real y_j ≥ 0, and every choice of
the y_j is such a matrix. For each set of predicted classes (which y_j are positive), the value minus the bound is a
quantity in positive real variables. If it is negative for every set that the domain admits, no guess reaches the bound.
The domain "all" admits the set without any predicted class as well, so the empty matrix is asked for its value too.

This settles one half of Opitz' chance correction (opitz2024, Property V): if some guess on other class sizes does reach
the value, the best guess depends on the class sizes.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import lcm
from typing import Any

import numpy as np

from goodmeasure.language.exact.reals import UNDEFINED
from goodmeasure.theory.algebra.orthant import Outside, Unsettled
from goodmeasure.theory.prove.baselines import independent_names
from goodmeasure.theory.prove.cases import Reader
from goodmeasure.theory.prove.signs import NoProof, positive
from goodmeasure.theory.subject.values import Subject


def stays_below(subject: Subject, share: tuple[Fraction, ...], value: Any) -> bool:
    """Return whether every guess scores less than ``value`` on test sets with these shares of the true classes.

    False means that nothing was shown.
    """
    if not value.is_rational:
        return False
    m, bound = subject.m, value.as_fraction()
    whole = lcm(*(x.denominator for x in share))
    a = [int(x * whole) for x in share]
    reader = Reader(subject.measure, m, subject.policy, extra=independent_names(m))
    y = reader.gens[-m:]
    for support in product((0, 1), repeat=m):
        if not subject.domain.admits(np.array(a), np.array(support)):
            continue
        none = reader.orthant.constant(0)
        cells = [y[j] * a[i] if support[j] else none for i in range(m) for j in range(m)]
        try:
            found = reader.value(cells)
            if found is not UNDEFINED:
                positive(found * -bound.denominator + bound.numerator, whole=False)
        except (NoProof, Outside, Unsettled):
            return False
    return True
