"""Implications between statements, as data.

An implication says that every measure with the premises has the conclusion, on the same domain and with the same number
of classes. Its ``why`` is the argument in one line. Most of them chain values of neighbouring matrices (strong
monotonicity implies monotonicity because a resolved disagreement is one right prediction more and then one wrong
prediction fewer). A chain breaks at a matrix without a value, so these carry ``defined=True``.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from goodmeasure.theory.statements.domain import DOMAINS

EVERYWHERE = tuple(DOMAINS)


@dataclass(frozen=True)
class Implication:
    """Every measure that has all the premises has the conclusion, on the same domain and number of classes.

    ``defined``: only for measures that have a value on every matrix of the domain. ``scale_invariant`` and
    ``continuous``: only for measures with these properties. Continuity is not decided here, so `applies` never admits
    an implication that needs it.
    """

    premises: tuple[str, ...]
    conclusion: str
    why: str
    domains: tuple[str, ...] = EVERYWHERE
    classes: int | None = None
    defined: bool = False
    scale_invariant: bool = False
    continuous: bool = False

    def applies(self, domain: str, classes: int | str) -> bool:
        """Return whether it may be used on a domain, with so many classes, for measures that are defined there."""
        return domain in self.domains and self.classes in (None, classes) and not self.continuous


IMPLICATIONS = (
    Implication(("distance",), "symmetry", "a metric is symmetric"),
    Implication(("distance",), "maximal_agreement", "a metric is 0 only between equal labelings"),
    Implication(
        ("strongly_monotone",),
        "monotone",
        "resolving a disagreement is adding a right prediction and then removing a wrong one",
        defined=True,
    ),
    Implication(
        ("constant_baseline",),
        "approximate_constant_baseline",
        "Lemma 4 of the appendix of goesgens2021",
        scale_invariant=True,
        continuous=True,
    ),
    Implication(
        ("approximate_constant_baseline",),
        "approximate_constant_baseline(order=1)",
        "order 1 asks for the constant only where neither labeling is constant",
        classes=2,
    ),
    Implication(
        ("approximate_constant_baseline(order=3)",),
        "approximate_constant_baseline(order=2)",
        "fewer derivatives have to vanish",
        classes=2,
    ),
    Implication(
        ("approximate_constant_baseline(order=2)",),
        "approximate_constant_baseline(order=1)",
        "fewer derivatives have to vanish",
        classes=2,
    ),
    Implication(("sebastiani_sde",), "sebastiani_wde", "what is always defined is defined together"),
    Implication(("class_symmetry",), "sebastiani_sym", "they say the same"),
    Implication(("sebastiani_sym",), "class_symmetry", "they say the same"),
    Implication(
        ("sebastiani_mon", "symmetry"),
        "monotone",
        "resolving a disagreement corrects a prediction, here or in the transposed matrix",
        classes=2,
        defined=True,
    ),
    Implication(
        ("maximal_agreement", "minimal_agreement"),
        "sebastiani_fix",
        "every test set has a perfect classifier and one that is always wrong",
        classes=2,
        defined=True,
    ),
    Implication(
        ("strongly_monotone", "maximal_agreement", "minimal_agreement"),
        "opitz_monotone",
        "where strong monotonicity says nothing, both matrices are diagonal or have a zero diagonal",
        domains=("regular", "non-unary"),
        defined=True,
    ),
    Implication(("opitz_prevalence_invariant",), "scale_invariance", "all classes may be scaled alike"),
    Implication(
        ("opitz_chance_corrected_completely",),
        "opitz_chance_corrected_strictly",
        "one constant for all numbers of classes is one for each",
    ),
    Implication(
        ("opitz_chance_corrected_strictly", "maximal_agreement"),
        "opitz_chance_corrected",
        "if all guesses score the same, so do the best ones; a perfect prediction scores more",
        defined=True,
    ),
    Implication(
        ("opitz_chance_corrected_strictly",),
        "approximate_constant_baseline",
        "all class sizes include those that are admitted there",
    ),
)


def consequences(known: Iterable[str], domain: str, classes: int | str, *, defined: bool) -> dict[str, Implication]:
    """Return what follows from statements that are known to hold, each with the implication that gave it."""
    true, found = set(known), dict[str, Implication]()
    while True:
        new = [
            x
            for x in IMPLICATIONS
            if x.conclusion not in true and true.issuperset(x.premises) and x.applies(domain, classes)
            if defined or not x.defined
        ]
        if not new:
            return found
        found[new[0].conclusion] = new[0]
        true.add(new[0].conclusion)
