"""The eight axioms of Sebastiani (sebastiani2015), for any number of classes; a test set is a true labeling.

The paper writes the axioms down for two classes (Section 3.1) and says in Sections 6.1 and 6.2 that K has them for more
classes and with costs too, without writing them down again. Where its words do not fit more than two classes as they
stand, this is how they are read here:

* MON, SDE, WDE and FIX stand as they are: they speak of test sets and classifiers only.
* CON: TP and TN are the cells that a classifier chooses on a given test set. With more classes these are all cells of
  the matrix, with the sum of each row kept.
* CHA: the random classifier gives each of the m labels with the same chance, so all m^n classifiers are equally likely.
* IMB: there is one trivial classifier for each class, with a constant of its own. AP > 0 and AN > 0 become "every class
  occurs". (With "at least two classes occur", K itself would fail: with three classes, calling all items by the name
  of one of the two classes that occur scores 1/4, with all three classes 0.)
* SYM: a class and its complement change places; with more classes, they are renamed in any way.
"""

from __future__ import annotations

from functools import cache

from goodmeasure.paper_names import AXIOMS, SEBASTIANI
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
    ),
    Statement(
        name="sebastiani_con",
        short="CON",
        title=AXIOMS["CON"],
        sentence="For each test set the measure is a continuously differentiable function of the cells of the matrix, "
        "whose rows have fixed sums; for two classes, of TP and TN.",
        latex=r"\forall a:\quad M \in C^1\Bigl(\Bigl\{C : c_{ij} \geq 0,\ \sum_j c_{ij} = a_i\Bigr\}\Bigr)",
        cite=SEBASTIANI,
        where="Axiom 2",
        kind=SMOOTH,
        quantifies="all true class sizes, and all real cells within them",
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
    ),
    Statement(
        name="sebastiani_cha",
        short="CHA",
        title=AXIOMS["CHA"],
        sentence="The classifier that guesses each label with equal chances scores one constant on average.",
        latex=r"\exists \gamma\;\forall a:\quad"
        r"m^{-n} \sum_{C: \text{ true sizes } a} \Bigl(\prod_i \frac{a_i!}{\prod_j c_{ij}!}\Bigr) M(C) = \gamma",
        cite=SEBASTIANI,
        where="Axiom 6",
        kind=EXPECTATION,
        uniform=True,
        quantifies="all test sets",
        constants=("gamma",),
    ),
    Statement(
        name="sebastiani_imb",
        short="IMB",
        title=AXIOMS["IMB"],
        sentence="Calling every item the same class scores one constant for each class, on all test sets with "
        "every class.",
        latex=r"\exists k_1, \ldots, k_m\;\forall a > 0\;\forall j:\quad"
        r"c_{ij} = a_i \text{ for all } i \implies M(C) = k_j",
        cite=SEBASTIANI,
        where="Axiom 7",
        kind=TRIVIAL,
        quantifies="all test sets in which every class occurs",
        constants=("k_1", "k_2"),
    ),
    Statement(
        name="sebastiani_sym",
        short="SYM",
        title=AXIOMS["SYM"],
        sentence="The classes may be renamed; for two, the class and its complement may change places.",
        latex=r"\forall C\;\forall \pi:\quad M(C) = M\bigl((c_{\pi(i)\pi(j)})_{ij}\bigr)",
        cite=SEBASTIANI,
        where="Axiom 8",
        kind=INVARIANCE,
        maps=class_permutations,
    ),
)
