"""The idea of a proof: a phrase that names it, and sentences that explain it, by what its certificate is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from goodmeasure.theory.kernel.proof import whole_part
from goodmeasure.theory.statements import statement as kinds
from goodmeasure.theory.statements.listing import named
from goodmeasure.typing import ReadJson


class Idea(NamedTuple):
    """An idea of which a proof is made: the words for it, and what it says."""

    words: str
    sentences: tuple[str, ...]


_CASES = "The cells that are 0 are chosen in every possible way."
_GUESSES = "Where predictions are independent of the truth, the cells are products of class sizes."

# Why a proof about more is a proof about this, by the field `by` of the certificate around it
AROUND = {
    "every exponent": Idea(
        "for every real exponent", ("There is a proof for all positive exponents, and one for all others.",)
    ),
    "all matrices": Idea(
        "holds on all matrices", ("The property holds on all matrices, and so on those of this domain.",)
    ),
    "every number of classes": Idea(
        "holds for every number of classes", ("The property holds for every number of classes, and so for this one.",)
    ),
}
# What shows it otherwise than case by case, by the same field
WAYS = {
    "classes alike": Idea(
        "the definition cannot tell classes apart",
        (
            "The definition cannot tell one class from another.",
            "So renaming the classes does not change the value.",
        ),
    ),
    "mirrored": Idea(
        "the definition is the same on the transpose",
        ("Exchanging true and predicted labels turns the definition into itself, but for the order of terms.",),
    ),
    "scale free": Idea(
        "a definition of degree 0",
        ("Multiplying all cells by a number cancels: the definition is homogeneous of degree 0.",),
    ),
    "class by class": Idea(
        "class by class",
        (
            "What the measure lacks to a constant, or the measure itself, is a sum over the classes.",
            "What is shown of one class against the rest, in every way in which it can be, adds up.",
        ),
    ),
    "guesses": Idea(
        "sums over the classes where labelings are independent",
        (_GUESSES, "The value is written with sums over all classes, and what the classes have in common cancels."),
    ),
    "errors": Idea(
        "the number of items labeled differently",
        (
            "The gap to the best value depends on the number of items that are labeled differently only.",
            "It rises with that number, which is a distance, and the gap of a sum is at most the sum of the gaps.",
        ),
    ),
    "correlation": Idea(
        "an angle or a chord of a correlation",
        ("The measure is an angle or a chord between two vectors, of which it knows the correlation.",),
    ),
    "class sizes": Idea(
        "constant for given class sizes",
        (
            "The average over predictions with given class sizes is a constant.",
            "So the average over all predictions is that constant.",
        ),
    ),
}
_BY_KIND = {
    kinds.EXTREME: Idea(
        "signs on every support pattern",
        (_CASES, "In each case the gap to the best (or worst) value is a formula whose sign is shown."),
    ),
    kinds.INVARIANCE: Idea("equal on every support pattern", (_CASES, "In each case both values are equal.")),
    kinds.MOVES: Idea(
        "signs on every support pattern",
        (_CASES, "In each case the difference of both values is a formula whose sign is shown."),
    ),
    kinds.DISTANCE: Idea(
        "triangle inequality over the joint cells",
        (
            "Three labelings split the items into joint cells.",
            "The triangle inequality is shown for all numbers of items in them.",
        ),
    ),
    kinds.EXPECTATION: Idea(
        "affine in the cells for given class sizes",
        (
            "For given class sizes the measure is a sum of cells with fixed weights.",
            "So its average over random predictions is its value on the average matrix.",
        ),
    ),
    kinds.INDEPENDENT: Idea(
        "constant where labelings are independent", (_GUESSES, "With these the formula reduces to a constant.")
    ),
    kinds.FLATNESS: Idea(
        "derivatives where labelings are independent",
        (_GUESSES, "With these the value is a constant, and the derivatives that the property is about are 0."),
    ),
    kinds.DEFINED: Idea("defined on every support pattern", (_CASES, "In each case the measure has a value.")),
    kinds.DEFINED_TOGETHER: Idea(
        "defined on every support pattern", (_CASES, "For each test set all of them have a value, or none.")
    ),
    kinds.RANGE: Idea(
        "bounds on every support pattern", (_CASES, "In each case the value is shown to lie between both bounds.")
    ),
    kinds.TRIVIAL: Idea(
        "constant on constant predictions", ("On each constant prediction the formula is a constant.",)
    ),
    kinds.SMOOTH: Idea(
        "one smooth formula on each test set",
        (
            "On each test set the measure is one formula, without breaks or kinks.",
            "Its denominators, roots and arguments of logarithms are shown not to vanish.",
        ),
    ),
    kinds.SENSITIVE: Idea("example", ("An example shows it.",)),
    kinds.INDIFFERENT: Idea(
        "equal on every support pattern", (_CASES, "In each case one more item counts the same in both cells.")
    ),
    kinds.DECOMPOSABLE: Idea(
        "anchored values of each class",
        (
            "The score of a class comes from matrices in which all cells outside its row and column are 1.",
            "The value of every matrix is shown to be a mean of such scores.",
        ),
    ),
    kinds.CHANCE_BOUND: Idea(
        "no guess is better than one that scores a constant",
        (
            "No guess scores more than a certain constant, whatever the class sizes are.",
            "On each test set some guess reaches this constant, or comes arbitrarily close to it.",
        ),
    ),
    kinds.UNCORRECTED: Idea(
        "a bound for all guesses", ("A bound on the scores of all guesses is shown, and it is not met.",)
    ),
}
_ROTATIONS = Idea(
    "predictions paired with their renamings",
    (
        "Each prediction is grouped with those that differ from it by a renaming of the predicted classes.",
        "The average over each group is the same constant, and so is the average over all predictions.",
    ),
)
_NO_CASE = Idea(
    "the domain holds no case of the statement", ("No matrix that the property speaks of lies in the domain.",)
)
_NO_VALUE = Idea(
    "no case of the statement has values", ("The measure has no value on the matrices that the property speaks of.",)
)


def ideas_of(data: Mapping[str, ReadJson]) -> tuple[Idea, ...]:
    """Return the ideas of which the proof in a certificate is made, from the outside in."""
    by, parts = data.get("by"), data.get("parts", {})
    if by in AROUND and parts:
        return AROUND[by], *ideas_of(whole_part(data, next(iter(parts))))
    if by == "vacuous":
        return (_NO_VALUE if data.get("cases") else _NO_CASE,)
    if by in WAYS:
        return (WAYS[by],)
    of = named(str(data["statement"]))
    assert of is not None
    return (_ROTATIONS if of.kind == kinds.EXPECTATION and of.uniform else _BY_KIND[of.kind],)


def words_of(data: Mapping[str, ReadJson]) -> str:
    """Return what the proof in a certificate is called."""
    return ": ".join(x.words for x in ideas_of(data))
