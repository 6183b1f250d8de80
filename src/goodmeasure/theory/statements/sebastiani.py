"""The eight axioms of Sebastiani (sebastiani2015), for two classes; a test set is a true labeling."""

from __future__ import annotations

from functools import cache

from goodmeasure.catalogue.literature import AXIOMS, SEBASTIANI
from goodmeasure.theory.statements.goesgens import class_permutations
from goodmeasure.theory.statements.statement import (
    DEFINED,
    DEFINED_TOGETHER,
    EXPECTATION,
    INVARIANCE,
    MOVES,
    RANGE,
    SMOOTH,
    TRIVIAL,
    Move,
    Statement,
)


@cache
def correct_one_prediction(m: int) -> tuple[Move, ...]:
    """Return the moves of Axiom 1: a wrong prediction (i, j) becomes right; the true class sizes do not change."""
    return tuple(Move(((i, j, -1), (i, i, 1))) for i in range(m) for j in range(m) if i != j)


STATEMENTS = (
    Statement(
        name="sebastiani_mon",
        short="MON",
        title=AXIOMS["MON"],
        sentence="Correcting one prediction raises the measure, whatever the test set.",
        latex=r"\forall C,\ c_{ij} > 0,\ i \neq j:\quad M(C) < M(C - e_{ij} + e_{ii})",
        cite=SEBASTIANI,
        where="Axiom 1",
        kind=MOVES,
        moves=correct_one_prediction,
        classes=2,
    ),
    Statement(
        name="sebastiani_con",
        short="CON",
        title=AXIOMS["CON"],
        sentence="For each test set the measure is a continuously differentiable function of TP and TN.",
        latex=r"\forall AP, AN:\quad M(TP, TN) \in C^1([0, AP] \times [0, AN])",
        cite=SEBASTIANI,
        where="Axiom 2",
        kind=SMOOTH,
        quantifies="all true class sizes, and all real TP and TN within them",
        classes=2,
    ),
    Statement(
        name="sebastiani_sde",
        short="SDE",
        title=AXIOMS["SDE"],
        sentence="The bare formula is defined for every test set and every classifier.",
        latex=r"\forall C:\quad M(C) \text{ is defined}",
        cite=SEBASTIANI,
        where="Axiom 3",
        kind=DEFINED,
        classes=2,
        policy="nan",
    ),
    Statement(
        name="sebastiani_wde",
        short="WDE",
        title=AXIOMS["WDE"],
        sentence="For each test set the bare formula is defined for all classifiers or for none.",
        latex=r"\forall C, C' \text{ with } a = a':\quad M(C) \text{ is defined} \iff M(C') \text{ is defined}",
        cite=SEBASTIANI,
        where="Axiom 4",
        kind=DEFINED_TOGETHER,
        quantifies="all test sets and pairs of classifiers",
        classes=2,
        policy="nan",
    ),
    Statement(
        name="sebastiani_fix",
        short="FIX",
        title=AXIOMS["FIX"],
        sentence="The least and the greatest value are the same for every test set.",
        latex=r"\exists \alpha, \beta\;\forall a:\quad"
        r"\min_{C: \text{ true sizes } a} M(C) = \alpha,\ \max_{C: \text{ true sizes } a} M(C) = \beta",
        cite=SEBASTIANI,
        where="Axiom 5",
        kind=RANGE,
        quantifies="all test sets",
        constants=("alpha", "beta"),
        classes=2,
    ),
    Statement(
        name="sebastiani_cha",
        short="CHA",
        title=AXIOMS["CHA"],
        sentence="The classifier that guesses each label with equal chances scores one constant on average.",
        latex=r"\exists \gamma\;\forall a:\quad"
        r"2^{-n} \sum_{TP, TN} \binom{AP}{TP}\binom{AN}{TN} M(TP, TN) = \gamma",
        cite=SEBASTIANI,
        where="Axiom 6",
        kind=EXPECTATION,
        uniform=True,
        quantifies="all test sets",
        constants=("gamma",),
        classes=2,
    ),
    Statement(
        name="sebastiani_imb",
        short="IMB",
        title=AXIOMS["IMB"],
        sentence="Predicting all positive scores one constant, predicting all negative another, whatever the test set.",
        latex=r"\exists k_1, k_2\;\forall AP, AN > 0:\quad"
        r"M(TP = AP,\ FP = AN) = k_1,\ M(FN = AP,\ TN = AN) = k_2",
        cite=SEBASTIANI,
        where="Axiom 7",
        kind=TRIVIAL,
        quantifies="all test sets in which both classes occur",
        constants=("k_1", "k_2"),
        classes=2,
    ),
    Statement(
        name="sebastiani_sym",
        short="SYM",
        title=AXIOMS["SYM"],
        sentence="The class and its complement may change places.",
        latex=r"\forall C:\quad M(TP, FN, FP, TN) = M(TN, FP, FN, TP)",
        cite=SEBASTIANI,
        where="Axiom 8",
        kind=INVARIANCE,
        maps=class_permutations,
        classes=2,
    ),
)
