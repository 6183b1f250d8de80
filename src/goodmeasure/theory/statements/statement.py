"""What a statement about measures is, as data: kind, moves, side conditions, sentence and formula."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

# The kinds of statement. Each kind is refuted in one way and has its own ways to be proved.
EXTREME = "extreme"  # M takes its best (or worst) value exactly on the matrices `at`: diagonal, or zero diagonal
INVARIANCE = "invariance"  # M(C) = M(image of C) for each map of `maps`
MOVES = "moves"  # M rises (or falls) with each move of `moves`, strictly or not
DISTANCE = "distance"  # c_max − M is a metric on labelings
EXPECTATION = "expectation"  # E[M] over random predictions is one constant
INDEPENDENT = "independent"  # M is one constant on the matrices a_i b_j / n
FLATNESS = "flatness"  # as INDEPENDENT, and derivatives 2 … order by p_AB vanish there
DEFINED = "defined"  # M has a value on every matrix (SDE)
DEFINED_TOGETHER = "defined together"  # for each true labeling, M has a value for all predictions or for none (WDE)
RANGE = "range"  # for each true labeling, the least and the greatest value are the same two constants
TRIVIAL = "trivial"  # each constant prediction scores one constant
SMOOTH = "smooth"  # continuously differentiable in the cells, for given true class sizes
SENSITIVE = "sensitive"  # some two right (or two wrong) predictions count differently: an example proves it
INDIFFERENT = "indifferent"  # all right predictions count the same, and all wrong ones do: the negation of SENSITIVE
DECOMPOSABLE = "decomposable"  # M is a power mean over classes of scores of one row and column
CHANCE_BOUND = "chance bound"  # the greatest M over matrices a_i b_j / n is the same for all a, and not the best M
UNCORRECTED = "uncorrected"  # the negation of CHANCE_BOUND: two bounds differ, or guesses come near the best M

# Statements of these kinds say something of each matrix, or of each pair or triple of matrices or each test set, on its
# own, after constants are chosen once. So what holds on the domain "all" holds on every smaller domain, where fewer
# matrices are concerned, with the same constants: every instance there is an instance on "all". Not among them are
# statements that an example exists (SENSITIVE), since the example may lie outside; and statements about the least,
# greatest or average value over the predictions for a test set (RANGE, CHANCE_BOUND, EXPECTATION), since this value
# changes if predictions are taken away. TRIVIAL and INDEPENDENT would stay true as well, but a smaller domain may leave
# them no matrix with a value, if all of theirs are constant predictions, or guesses that leave a class out; then the
# constant that a certificate states would be the value of nothing. FLATNESS cannot lose its matrices: it is about two
# classes and labelings that are not constant, so all cells of its matrices are positive, and these lie in every domain.
UNIVERSAL = (
    EXTREME,
    INVARIANCE,
    MOVES,
    DISTANCE,
    FLATNESS,
    DEFINED,
    DEFINED_TOGETHER,
    SMOOTH,
    INDIFFERENT,
    DECOMPOSABLE,
)

# Side conditions, on the matrix before a move or on both matrices of a move.
NON_UNARY_BEFORE = "non_unary"  # no row or column sum of the matrix before is n
NOT_BOTH_DIAGONAL = "not_both_diagonal"
NOT_BOTH_ZERO_DIAGONAL = "not_both_zero_diagonal"

DIAGONAL, ZERO_DIAGONAL = "diagonal", "zero_diagonal"

Cell = tuple[int, int]
CellMap = tuple[tuple[Cell, ...], ...]  # the place from which each cell of an image is taken
CellChange = tuple[int, int, int]


@dataclass(frozen=True)
class Move:
    """A change of a matrix: (i, j, delta) for each cell that changes, and whether M must rise (or fall) with it."""

    changes: tuple[CellChange, ...]
    rises: bool = True

    def apply(self, rows: tuple[tuple[int, ...], ...]) -> tuple[tuple[int, ...], ...] | None:
        """Return the matrix after the move; None where a cell would become negative."""
        after = [list(row) for row in rows]
        for i, j, delta in self.changes:
            after[i][j] += delta
        return None if any(x < 0 for row in after for x in row) else tuple(map(tuple, after))


@dataclass(frozen=True)
class Statement:
    """A property that a measure may have.

    ``moves(m)``, for kinds MOVES, SENSITIVE and INDIFFERENT, lists the moves of m classes. ``maps(m)``, for kind
    INVARIANCE, lists the maps of the matrix: image[i][j] = C[p][q] for (p, q) = map[i][j]. Scalings have no such map;
    ``scales`` says what is scaled: "matrix" (by one factor) or "rows" (each row by its own factor).
    ``constants`` names the constants that the statement claims to exist. If lower values are better, the statement is
    about the measure with its sign reversed; the constants of a verdict are in the measure's own sign.
    """

    name: str
    short: str
    title: str
    sentence: str
    latex: str
    cite: str
    where: str
    kind: str
    quantifies: str = "all confusion matrices"
    moves: Callable[[int], tuple[Move, ...]] = lambda m: ()
    strict: bool = True
    before: tuple[str, ...] = ()
    pair: tuple[str, ...] = ()
    at: str = ""
    maps: Callable[[int], tuple[CellMap, ...]] = lambda m: ()
    scales: str = ""
    unary_predictions: bool = True  # whether constant predictions (b_j = n) are admitted, for kinds about baselines
    unary_truth: bool = True  # whether constant true labelings (a_i = n) are admitted
    uniform: bool = False  # the EXPECTATION is over all labelings, not over those with given predicted sizes
    across_m: bool = False  # the constant must be the same for every number of classes
    order: float | None = None  # of derivatives that vanish; infinite if all of them do
    constants: tuple[str, ...] = ()
    classes: int | None = None  # 2 if the statement is about two classes only
    policy: str | None = None  # how undefined terms are read, if the statement itself prescribes it
    negation: str | None = None  # the statement of which this one is the negation
    hidden: bool = False  # whether this is an auxiliary statement that no list shows

    def fits(self, classes: int | str) -> bool:
        """Return whether the statement is about so many classes."""
        return self.classes is None or self.classes == classes

    def constant_predictions(self, m: int) -> tuple[tuple[str, int], ...]:
        """Return, for kind TRIVIAL, the constant of each constant prediction, and the class that it names.

        For two classes k_1 belongs to the positive class, which comes last, as in the paper; for more, the classes are
        counted in their order.
        """
        if self.kind != TRIVIAL:
            return ()
        return tuple((f"k_{m - j if m == 2 else j + 1}", j) for j in (range(m) if m > 2 else (1, 0)))

    def __str__(self) -> str:
        return self.name

    def __repr__(self) -> str:
        return self.name


def ordered_name(order: float) -> str:
    """Return the name of the approximate constant baseline of a given order."""
    return f"approximate_constant_baseline(order={_order_text(order)})"


def _order_text(order: float) -> str:
    return "inf" if order == math.inf else str(order)


def of_order(statement: Statement, order: float) -> Statement:
    """Return the approximate constant baseline of a given order, from that of order 1; the order may be infinite."""
    return replace(
        statement,
        name=ordered_name(order),
        short=f"ACB{_order_text(order)}",
        title=f"approximate constant baseline of {'infinite order' if order == math.inf else f'order {order}'}",
        order=order,
    )
