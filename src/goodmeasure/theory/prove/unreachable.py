"""That no guess reaches a value, for given true class sizes: a polynomial in predicted sizes that stays positive."""

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
    """Whether M(a_i b_j) < value for all predicted sizes b > 0 that the domain admits, with these true shares a."""
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
