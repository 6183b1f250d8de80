"""The five properties of Opitz (opitz2024), with chance correction in three strengths."""

from __future__ import annotations

from functools import cache
from itertools import product

from goodmeasure.paper_names import OPITZ
from goodmeasure.theory.statements.statement import (
    CHANCE_BOUND,
    DECOMPOSABLE,
    INDEPENDENT,
    INDIFFERENT,
    INVARIANCE,
    MOVES,
    SENSITIVE,
    UNCORRECTED,
    Move,
    Statement,
)


@cache
def one_more_item(m: int) -> tuple[Move, ...]:
    """Return the moves of Property I: one more item, with a right prediction (M rises) or a wrong one (M falls)."""
    return tuple(Move(((i, j, 1),), rises=i == j) for i, j in product(range(m), repeat=2))


_INDEPENDENT = r"\bar c_{ij} = \frac{a_i b_j}{n}"

STATEMENTS = (
    Statement(
        name="opitz_monotone",
        short="PI",
        title="monotonicity",
        sentence="One more right prediction never lowers the measure, one more wrong prediction never raises it.",
        latex=r"\forall C:\quad M(C + e_{ii}) \ge M(C),\ M(C + e_{ij}) \le M(C)\ (i \neq j)",
        cite=OPITZ,
        where="Property I, footnote 3",
        kind=MOVES,
        moves=one_more_item,
        strict=False,
    ),
    Statement(
        name="opitz_class_sensitive",
        short="PII",
        title="class sensitivity",
        sentence="Somewhere it matters to which classes a right prediction, or a wrong one, belongs.",
        latex=r"\exists C, (i, j), (k, l) \text{ both on or both off the diagonal}:\quad"
        r"M(C + e_{ij}) \neq M(C + e_{kl})",
        cite=OPITZ,
        where="Property II, footnote 4",
        kind=SENSITIVE,
        moves=one_more_item,
        quantifies="some confusion matrix",
        negation="opitz_class_indifferent",
    ),
    Statement(
        name="opitz_class_decomposable",
        short="PIII",
        title="class decomposability",
        sentence="The measure is an unweighted power mean over classes of a score of each class's row and column.",
        latex=r"\exists p, g\;\forall C:\quad"
        r"M(C) = \Bigl(\tfrac1m \sum_i g(c_{i\cdot}, c_{\cdot i}, i)^p\Bigr)^{1/p}",
        cite=OPITZ,
        where="Property III",
        kind=DECOMPOSABLE,
        constants=("p",),
    ),
    Statement(
        name="opitz_prevalence_invariant",
        short="PIV",
        title="prevalence invariance",
        sentence="Multiplying the counts of a true class by any number changes nothing.",
        latex=r"\forall C\;\forall \lambda_i > 0:\quad M(C) = M(\tilde C),\ \tilde c_{ij} = \lambda_i c_{ij}",
        cite=OPITZ,
        where="Property IV",
        kind=INVARIANCE,
        scales="rows",
        quantifies="all confusion matrices and all positive factors of the true classes",
    ),
    Statement(
        name="opitz_chance_corrected",
        short="PV",
        title="chance correction",
        sentence="The best value that a classifier can get by guessing is the same for all true class sizes, and less "
        "than the best value of all.",
        latex=r"\exists \omega(m)\;\forall a:\quad \sup_b M(\bar C) = \omega(m) < \sup_C M(C),\ " + _INDEPENDENT,
        cite=OPITZ,
        where="Property V",
        kind=CHANCE_BOUND,
        quantifies="all true class sizes and all independent predictions",
        constants=("omega",),
        negation="opitz_chance_uncorrected",
    ),
    Statement(
        name="opitz_chance_corrected_strictly",
        short="PV strict",
        title="strict chance correction",
        sentence="Every classifier that guesses scores one constant, whatever the class sizes.",
        latex=r"\exists \omega(m)\;\forall a, b:\quad M(\bar C) = \omega(m),\ " + _INDEPENDENT,
        cite=OPITZ,
        where="Property V",
        kind=INDEPENDENT,
        quantifies="all true class sizes and all independent predictions",
        constants=("omega",),
    ),
    Statement(
        name="opitz_chance_corrected_completely",
        short="PV complete",
        title="complete chance correction",
        sentence="Every classifier that guesses scores one constant, whatever the class sizes and the number of "
        "classes.",
        latex=r"\exists \Omega\;\forall m\;\forall a, b:\quad M(\bar C) = \Omega,\ " + _INDEPENDENT,
        cite=OPITZ,
        where="Property V",
        kind=INDEPENDENT,
        quantifies="all numbers of classes, all true class sizes and all independent predictions",
        across_m=True,
        constants=("Omega",),
    ),
)

CLASS_INDIFFERENT = Statement(
    name="opitz_class_indifferent",
    short="not PII",
    title="class indifference",
    sentence="All right predictions count the same, and so do all wrong ones.",
    latex=r"\forall C, (i, j), (k, l) \text{ both on or both off the diagonal}:\quad M(C + e_{ij}) = M(C + e_{kl})",
    cite=OPITZ,
    where="Property II, negated",
    kind=INDIFFERENT,
    moves=one_more_item,
    negation="opitz_class_sensitive",
    hidden=True,
)

CHANCE_UNCORRECTED = Statement(
    name="opitz_chance_uncorrected",
    short="not PV",
    title="no chance correction",
    sentence="The best guess scores differently for different true class sizes, or as well as anything can.",
    latex=r"\nexists \omega(m)\;\forall a:\quad \sup_b M(\bar C) = \omega(m) < \sup_C M(C),\ " + _INDEPENDENT,
    cite=OPITZ,
    where="Property V, negated",
    kind=UNCORRECTED,
    quantifies="some true class sizes and all independent predictions",
    negation="opitz_chance_corrected",
    hidden=True,
)
