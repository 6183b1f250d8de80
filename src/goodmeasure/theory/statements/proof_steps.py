"""The steps of which proofs are made, as keys, and the words in which certificates and verdicts name them.

A proof that rests on another one, such as one for every number of classes, has the steps of both, from the outside in.
In JSON the field ``method`` holds these words, and `steps_of` is the only place that reads them.
"""

from __future__ import annotations

from enum import Enum
from functools import cache
from itertools import combinations

from goodmeasure.typing import ReadJson


class ProofStep(Enum):
    """A step of a proof; its value is the words that name it."""

    # Why a proof about more is a proof about this, in the order in which they are put around a proof
    EVERY_EXPONENT = "for every real exponent"
    ON_ALL_MATRICES = "holds on all matrices"
    EVERY_NUMBER_OF_CLASSES = "holds for every number of classes"

    # For one number of classes
    SIGNS = "support patterns and positive coefficients"
    EQUAL_FUNCTIONS = "equal as rational functions on every support pattern"
    EQUAL_VALUES = "equal on every support pattern"
    EVERY_SUPPORT = "every support pattern"
    BOUNDS = "bounds on every support pattern"
    AFFINE = "affine in the cells for given class sizes"
    INDEPENDENT_CONSTANT = "constant where labelings are independent"
    DERIVATIVES = "derivatives where labelings are independent"
    RENAMED_PREDICTIONS = "predictions paired with their renamings"
    CONSTANT_FOR_SIZES = "constant for given class sizes"
    TRIANGLE = "triangle inequality over the joint cells"
    GRAM = "Gram determinant of three labelings"
    SMOOTH_FORMULA = "one smooth formula on each test set"
    CONSTANT_GUESS = "no guess is better than one that scores a constant"
    BOUND_FOR_GUESSES = "a bound for all guesses"
    ANCHORED_VALUES = "anchored values of each class"
    EXAMPLE = "example"

    # For every number of classes
    CLASSES_ALIKE = "the definition cannot tell classes apart"
    TWO_CLASSES_CHANGE = "two classes change, all others stay"
    EQUAL_CLASS_SUMS = "equal as combinations of sums over classes"
    CLASS_SUMS = "sums over classes taken apart"
    CLASS_BY_CLASS = "class by class"
    ERRORS = "the number of items labeled differently"
    MEAN_OF_SCORES = "the mean of a score of each class"
    INDEPENDENT_CELLS = "cells of independent labelings"
    AVERAGING = "averaging preserves what the binary measure has"

    # The statement says nothing
    NO_CASE = "the domain holds no case of the statement"
    NO_VALUE = "no case of the statement has values"


AROUND = (ProofStep.EVERY_EXPONENT, ProofStep.ON_ALL_MATRICES, ProofStep.EVERY_NUMBER_OF_CLASSES)
ProofSteps = tuple[ProofStep, ...]


def words_of(steps: ProofSteps) -> str:
    """Return the words for a proof that is made of these steps."""
    return ": ".join(x.value for x in steps)


def steps_of(words: ReadJson) -> ProofSteps:
    """Return the steps that the field ``method`` of a certificate or a verdict names; none for other words."""
    return _by_words().get(words, ()) if isinstance(words, str) else ()


@cache
def _by_words() -> dict[str, ProofSteps]:
    """Return every way in which the prover puts steps together, by its words."""
    outer = [x for k in range(len(AROUND) + 1) for x in combinations(AROUND, k)]
    made = [(*x, step) for x in outer for step in ProofStep if step not in AROUND]
    return {words_of(x): x for x in made}
