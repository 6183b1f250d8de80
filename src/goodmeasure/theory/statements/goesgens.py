"""The statements of Gösgens et al. (goesgens2021): Table 2, scale invariance, and baselines of higher order."""

from __future__ import annotations

from functools import cache
from itertools import permutations, product

from goodmeasure.paper_names import GOESGENS, PROPERTIES
from goodmeasure.theory.statements.statement import (
    DIAGONAL,
    DISTANCE,
    EXPECTATION,
    EXTREME,
    FLATNESS,
    INDEPENDENT,
    INVARIANCE,
    MOVES,
    NON_UNARY_BEFORE,
    NOT_BOTH_DIAGONAL,
    NOT_BOTH_ZERO_DIAGONAL,
    ZERO_DIAGONAL,
    Cell,
    Move,
    Statement,
    ordered_name,
)

Maps = tuple[tuple[tuple[Cell, ...], ...], ...]


@cache
def resolve_a_disagreement(m: int) -> tuple[Move, ...]:
    """Return the moves of Definition 6: an item moves from cell (a, b) to (a, a) or to (b, b)."""
    return tuple(Move(((a, b, -1), (d, d, 1))) for a, b in permutations(range(m), 2) for d in (a, b))


@cache
def more_right_or_fewer_wrong(m: int) -> tuple[Move, ...]:
    """Return the moves of Definition 7: a cell on the diagonal gains an item, or another cell loses one."""
    return tuple(Move(((i, j, 1 if i == j else -1),)) for i, j in product(range(m), repeat=2))


@cache
def transposition(m: int) -> Maps:
    """Return the map that exchanges true and predicted labels."""
    return (tuple(tuple((j, i) for j in range(m)) for i in range(m)),)


@cache
def class_permutations(m: int) -> Maps:
    """Return the maps that rename classes: every permutation except the identity."""
    return tuple(tuple(tuple((p[i], p[j]) for j in range(m)) for i in range(m)) for p in permutations(range(m)))[1:]


_INDEPENDENT = r"\bar c_{ij} = \frac{a_i b_j}{n}"
_BASE = r"\exists c_{\mathrm{base}}(m)\;\forall a\;\forall b,\ b_j \neq n:\quad"

STATEMENTS = (
    Statement(
        name="maximal_agreement",
        short="Max",
        title=PROPERTIES["Max"],
        sentence="The best value is one constant, reached exactly where all predictions are right.",
        latex=r"\exists c_{\max}\;\forall C:\quad M(C) \le c_{\max}, \text{ with equality iff } C \text{ is diagonal}",
        cite=GOESGENS,
        where="Definition 1",
        kind=EXTREME,
        at=DIAGONAL,
        constants=("c_max",),
    ),
    Statement(
        name="minimal_agreement",
        short="Min",
        title=PROPERTIES["Min"],
        sentence="The worst value is one constant, reached exactly where all predictions are wrong.",
        latex=r"\exists c_{\min}\;\forall C:\quad M(C) \ge c_{\min}, \text{ with equality iff } c_{ii} = 0\ \forall i",
        cite=GOESGENS,
        where="Definition 2",
        kind=EXTREME,
        at=ZERO_DIAGONAL,
        constants=("c_min",),
    ),
    Statement(
        name="class_symmetry",
        short="CSym",
        title=PROPERTIES["CSym"],
        sentence="Renaming the classes changes nothing.",
        latex=r"\forall C\;\forall \pi:\quad M(C) = M(\tilde C),\ \tilde c_{ij} = c_{\pi(i)\pi(j)}",
        cite=GOESGENS,
        where="Definition 4",
        kind=INVARIANCE,
        maps=class_permutations,
        quantifies="all confusion matrices and all permutations of the classes",
    ),
    Statement(
        name="symmetry",
        short="Sym",
        title=PROPERTIES["Sym"],
        sentence="Exchanging true and predicted labels changes nothing.",
        latex=r"\forall C:\quad M(C) = M(C^\top)",
        cite=GOESGENS,
        where="Definition 3",
        kind=INVARIANCE,
        maps=transposition,
    ),
    Statement(
        name="distance",
        short="Dist",
        title=PROPERTIES["Dist"],
        sentence="A linear function of the measure is a metric distance between labelings.",
        latex=r"M \text{ has symmetry and maximal agreement, and } d = c_{\max} - M:\quad"
        r"\forall A, B, C:\ d(A, C) \le d(A, B) + d(B, C)",
        cite=GOESGENS,
        where="Definition 5",
        kind=DISTANCE,
        quantifies="all triples of labelings of the same items",
        strict=False,
        constants=("c_max",),
    ),
    Statement(
        name="monotone",
        short="Mon",
        title=PROPERTIES["Mon"],
        sentence="Resolving one disagreement raises the measure.",
        latex=r"\forall C,\ a_i, b_i \neq n\;\forall a \neq b,\ c_{ab} > 0\;\forall d \in \{a, b\}:\quad"
        r"M(C) < M(C - e_{ab} + e_{dd})",
        cite=GOESGENS,
        where="Definition 6",
        kind=MOVES,
        moves=resolve_a_disagreement,
        before=(NON_UNARY_BEFORE,),
        quantifies="all confusion matrices of which no row or column sum is n",
    ),
    Statement(
        name="strongly_monotone",
        short="SMon",
        title=PROPERTIES["SMon"],
        sentence="One more right prediction, or one wrong prediction fewer, raises the measure.",
        latex=r"\forall C,\ a_i, b_i \neq n:\quad M(C) < M(C + e_{ii}),\ M(C) < M(C - e_{ij})\ (i \neq j,\ c_{ij} > 0),"
        r"\text{ unless both matrices are diagonal, or both have a zero diagonal}",
        cite=GOESGENS,
        where="Definition 7",
        kind=MOVES,
        moves=more_right_or_fewer_wrong,
        before=(NON_UNARY_BEFORE,),
        pair=(NOT_BOTH_DIAGONAL, NOT_BOTH_ZERO_DIAGONAL),
        quantifies="all confusion matrices of which no row or column sum is n",
    ),
    Statement(
        name="constant_baseline",
        short="CB",
        title=PROPERTIES["CB"],
        sentence="Random predictions with given class sizes score one constant on average, whatever the sizes.",
        latex=_BASE + r"\mathbb{E}_{B \sim U(b)}[M(A, B)] = c_{\mathrm{base}}(m)",
        cite=GOESGENS,
        where="Definition 8",
        kind=EXPECTATION,
        unary_predictions=False,
        quantifies="all true labelings and all predicted class sizes of which none is n",
        constants=("c_base",),
    ),
    Statement(
        name="approximate_constant_baseline",
        short="ACB",
        title=PROPERTIES["ACB"],
        sentence="The matrix that random predictions have on average scores one constant, whatever the class sizes.",
        latex=_BASE + r"M(\bar C) = c_{\mathrm{base}}(m),\ " + _INDEPENDENT,
        cite=GOESGENS,
        where="Definition 9",
        kind=INDEPENDENT,
        unary_predictions=False,
        quantifies="all true class sizes and all predicted class sizes of which none is n",
        constants=("c_base",),
    ),
    Statement(
        name="scale_invariance",
        short="Scale",
        title="scale invariance",
        sentence="Multiplying all counts by the same number changes nothing.",
        latex=r"\forall C\;\forall \alpha > 0:\quad M(\alpha C) = M(C)",
        cite=GOESGENS,
        where="Definition 11",
        kind=INVARIANCE,
        scales="matrix",
        quantifies="all confusion matrices and all positive factors",
    ),
)

HIGHER_BASELINE = Statement(
    name=ordered_name(1),
    short="ACB1",
    title="approximate constant baseline of order 1",
    sentence="Seen as a function of p_AB, the measure is one constant where labelings are independent, and its "
    "derivatives of orders 2 to k vanish there.",
    latex=r"\exists c_{\mathrm{base}}\;\forall p_A, p_B \in (0, 1):\quad M(p_A p_B, p_A, p_B) = c_{\mathrm{base}},\ "
    r"\frac{\partial^\ell M}{\partial p_{AB}^\ell}(p_A p_B, p_A, p_B) = 0\ (\ell = 2, \dots, k)",
    cite=GOESGENS,
    where="Definition 13",
    kind=FLATNESS,
    unary_predictions=False,
    unary_truth=False,
    quantifies="all true and predicted shares of the positive class strictly between 0 and 1",
    order=1,
    constants=("c_base",),
    classes=2,
)
