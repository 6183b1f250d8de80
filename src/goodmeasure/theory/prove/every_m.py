"""Prove statements for every number of classes: two classes at a time, by class sums, or class by class.

All proofs here read the definition with `algebra/every_m_readings.py`: a class is represented by a few letters, and a
sum over classes is one symbol, which is not written out. There is no induction over m. Each proof holds for an
arbitrary m ≥ 2, whose value enters as the letter m = k + 1.

**Moves** (`prove_moves`). The definition cannot tell classes apart (`language/parametricity.py`), so a move that
touches two classes may be taken to touch classes 0 and 1. Add up all other classes: the nine sums of cells z_ij, where
i and j are 0, 1 or "rest", determine n and the cell and sizes of both touched classes, before and after. What the other
classes add to a sum over classes is one atom, the same before and after or else nothing is proved. So the difference of
the two values is a quantity in the z_ij and k, and it must be positive for each of the 2⁹ supports of the z_ij that the
statement may speak of. `demanded` leaves open what the other classes are like, and therefore asks for some cases that
never occur. This is safe: more is shown than needed. With m = 2 there are no other classes and the z with index "rest"
are 0; these supports are among the cases.

**Symmetry and scale invariance.** The difference of both values, with its sums over classes taken apart
(`algebra/class_sums.py`), has no terms left.

**Baselines** (`prove_independent`, `prove_expectation`; all classes present). With c_ij = a_i·b_j/n the value, taken
apart, must contain no letter but k. For averages, numerator and denominator are taken apart; the denominator contains
no cell, and each term of the numerator contains at most one closed sum with cells, which is linear in them. So for
given class sizes the value is affine in the cells, and its mean is the value of the mean matrix, as in `baselines.py`.
All matrices with these sizes lie in the domain "regular" together. Where the statement is about one constant for all m,
the value must not contain k either; a sum over classes that is left counts as containing it.

**Extremes** (`prove_extreme`). The gap between the constant and the value is brought over a positive denominator, and
its numerator taken apart. If it is a sum over classes plus terms p that depend on no class, these are shared out: each
class gets p/m, or p·a_i/n, or p·b_i/n, which add up to p. Let g_i be what class i adds then. For the greatest value it
is shown, in all ways in which some of a class's hits c, misses u, false alarms v and rest w are 0, that g_i ≥ 0; that
g_i = 0 if u = v = 0; and that g_i > 0 whenever u > 0, or else whenever v > 0. If all predictions are right, every g_i
vanishes. If one is wrong, some class has a miss and some class has a false alarm, so the gap is positive. For the least
value, g_i > 0 exactly if c > 0. The constant itself is guessed from two and three classes; the proof shows that it is
right for all m.

**Distances** (`prove_distance`). If c_max − M = κ·(n − Σ_i c_ii) with a positive κ that depends on n and m alone, then
c_max − M is κ times the number of items on which two labelings differ. That number is a metric: an item on which A and
C differ is one on which A and B differ, or B and C.

**Decomposability** (`prove_mean_of_scores`). If m·M = Σ_i g(c_ii, a_i, b_i), where g contains neither n nor m, then M
is the arithmetic mean of scores of a class's row and column, of which c_ii, a_i and b_i are functions.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import TYPE_CHECKING, NamedTuple

from goodmeasure.language.policy import Policy
from goodmeasure.theory.algebra.class_sums import expanded, function_of_m
from goodmeasure.theory.algebra.every_m_readings import Class, EveryOrthant, EveryView, cell_letters
from goodmeasure.theory.algebra.orthant import RATIONAL, Outside, Poly, ProductKey, SumOfProducts
from goodmeasure.theory.algebra.quantities import (
    Quantity,
    constant,
    letters_of_atom,
    of_polynomial,
    put,
)
from goodmeasure.theory.algebra.support_patterns import exponent_of, value_of
from goodmeasure.theory.prove.signs import NoProof, positive, zero
from goodmeasure.theory.prove.support_cases import Support, known_of
from goodmeasure.theory.statements.certificate import CertificateNode
from goodmeasure.theory.statements.domain import Domain
from goodmeasure.theory.statements.statement import (
    DIAGONAL,
    NON_UNARY_BEFORE,
    NOT_BOTH_DIAGONAL,
    NOT_BOTH_ZERO_DIAGONAL,
    Move,
    Statement,
)

if TYPE_CHECKING:
    from goodmeasure.catalogue.measure import Measure


CELLS = tuple(f"z{i}_{j}" for i in range(3) for j in range(3))  # classes 0, 1, and all others together
SHARES = ("m", "true", "predicted")


class Every:
    """A measure, a policy and a domain, to be read for every number of classes."""

    def __init__(self, measure: Measure, policy: Policy, domain: Domain) -> None:
        self.measure, self.policy, self.domain = measure, policy, domain
        self.sign = -1 if measure.orientation == "lower" else 1
        tree = measure.recorded.general()
        if tree is None:
            raise NoProof("the definition writes classes out")
        self.tree = tree
        self.cells = EveryOrthant(CELLS, present=domain.name == "regular", named=True)
        self._moved: dict[object, Quantity] = {}
        self._steps: dict[object, CertificateNode] = {}

    def of(self, view: EveryView) -> Quantity:
        """Return the value on a view, turned so that higher is better."""
        return self.own(view) * self.sign

    def own(self, view: EveryView) -> Quantity:
        """Return the value on a view in the measure's own sign."""
        value = value_of(self.tree, view, exponent_of(self.measure))
        if not isinstance(value, Quantity):
            raise NoProof("undefined")
        return value

    def general(self, *, independent: bool = False, extra: tuple[str, ...] = ()) -> EveryView:
        """Return a view in which all classes stay inside closed sums."""
        ring = EveryOrthant(extra, present=self.domain.name == "regular", independent=independent)
        return EveryView(self.policy, ring, of_polynomial(ring, ring.variables["n"]))

    # Moves

    def step(self, support: Support, move: Move, *, strict: bool) -> CertificateNode:
        """Return a node that shows that the measure rises (or falls) with a move; several statements ask for it."""
        key = support, move, strict
        if key not in self._steps:
            low, high = (self._beside(support, move, side) for side in (-1, 1))
            if not move.rises:
                low, high = high, low
            self._steps[key] = positive(high - low, strict=strict)
        return self._steps[key]

    def _beside(self, support: Support, move: Move, side: int) -> Quantity:
        """Return the value before (side −1) or after (side 1) a move; other moves lead to the same cells."""
        cells = [self.cells.variables[name] * there for name, there in zip(CELLS, support, strict=True)]
        for i, j, delta in move.changes:
            if delta * side > 0:
                cells[3 * i + j] = cells[3 * i + j] + abs(delta)
        return self._on_cells(cells, keeps_n=sum(delta for _, _, delta in move.changes) == 0)

    def _on_cells(self, cells: list[Poly], *, keeps_n: bool) -> Quantity:
        """Return the value on nine sums of cells: read, or from the formula of their support, as `Reader` does."""
        key = keeps_n, *map(self.cells.number, cells)
        if key not in self._moved:
            found = self._of_formula(cells, keeps_n=keeps_n)
            self._moved[key] = self._read(cells, keeps_n=keeps_n) if found is None else found
        return self._moved[key]

    def _of_formula(self, cells: list[Poly], *, keeps_n: bool) -> Quantity | None:
        plain = [self.cells.variables[name] * int(not p.is_zero()) for name, p in zip(CELLS, cells, strict=True)]
        if cells == plain:
            return None
        try:
            value = self._on_cells(plain, keeps_n=keeps_n)
        except (NoProof, Outside):
            return None
        return put(value, {k: p for k, p in enumerate(cells) if p != plain[k]})

    def _read(self, cells: list[Poly], *, keeps_n: bool) -> Quantity:
        view = _aggregated(self, cells)
        view.keeps_n = keeps_n
        return self.of(view)


def every_of(measure: Measure, policy: Policy, domain: Domain) -> Every:
    """Return a measure as it is read for every number of classes; what was read for other statements is kept."""
    known, key = known_of(measure), ("every", str(policy), domain.name)
    if key not in known:
        known[key] = Every(measure, policy, domain)
    found = known[key]
    assert isinstance(found, Every)
    return found


# Moves: only two classes change


def prove_moves(every: Every, statement: Statement) -> list[CertificateNode]:
    """Return a node for each support of the nine sums of cells: two touched classes and all others together."""
    nodes = []
    for move in two_class_moves(statement):
        for support in product((0, 1), repeat=9):
            before, after = _ends(support, move)
            if demanded(before, after, statement, every.domain):
                node = every.step(support, move, strict=statement.strict)
                nodes.append(
                    {"support": "".join(map(str, support)), "move": [list(x) for x in move.changes], "proof": node}
                )
    return nodes


def two_class_moves(statement: Statement) -> list[Move]:
    """Return the moves that touch class 0, or classes 0 and 1 in this order; all others are these renamed."""
    found = []
    for move in statement.moves(3):
        order = list(dict.fromkeys(x for i, j, _ in sorted(move.changes, key=lambda y: y[2]) for x in (i, j)))
        if order == list(range(len(order))):
            found.append(move)
        if len(order) > 2:
            raise NoProof("a move that touches three classes")
    return found


def _ends(support: Support, move: Move) -> tuple[list[int], list[int]]:
    """Return the supports of the nine sums before and after a move."""
    before, after = list(support), list(support)
    for i, j, delta in move.changes:
        (before if delta < 0 else after)[i * 3 + j] = 1
    return before, after


def demanded(before: list[int], after: list[int], statement: Statement, domain: Domain) -> bool:
    """Return whether the statement may speak of this move; what the other classes are like is left open."""
    for end in (before, after):
        true, predicted = [any(end[3 * i : 3 * i + 3]) for i in range(3)], [any(end[j::3]) for j in range(3)]
        if domain.name == "regular" and not (all(true[:2]) and all(predicted[:2])):
            return False
        asked = domain.name == "non-unary" or (end is before and NON_UNARY_BEFORE in statement.before)
        if asked and any(sum(x) == 1 and (x[0] or x[1]) for x in (true, predicted)):
            return False
        if not any(end):
            return False
    off, on = (1, 2, 3, 5, 6, 7, 8), (0, 4, 8)  # sum 8, of the other classes, may lie on or off the diagonal
    if NOT_BOTH_DIAGONAL in statement.pair and not any(end[k] for end in (before, after) for k in off):
        return False
    return not (NOT_BOTH_ZERO_DIAGONAL in statement.pair and not any(end[k] for end in (before, after) for k in on))


def _aggregated(every: Every, cells: list[Poly]) -> EveryView:
    """Return the view of nine sums of cells, with the two touched classes named."""
    ring = every.cells
    none = ring.constant(0)
    named = tuple(
        Class(
            *(
                of_polynomial(ring, x)
                for x in (cells[4 * i], sum(cells[3 * i : 3 * i + 3], none), sum(cells[i::3], none))
            )
        )
        for i in (0, 1)
    )
    return EveryView(every.policy, ring, of_polynomial(ring, sum(cells, none)), named)


# Sums over classes taken apart


def prove_symmetry(every: Every) -> list[CertificateNode]:
    """Return a node that shows that a matrix and its transpose have the same combination of class sums."""
    view = every.general()
    return [{"proof": _vanishes(view, every.of(view) - every.of(view.T))}]


def prove_scale(every: Every) -> list[CertificateNode]:
    """Return a node that shows that nothing changes when all counts are multiplied by the letter s."""
    view = every.general(extra=("s",))
    ring = view.orthant
    factor = of_polynomial(ring, ring.variables["s"])
    scaled = EveryView(every.policy, ring, of_polynomial(ring, ring.variables["n"] * ring.variables["s"]))
    scaled.scale = factor
    return [{"proof": _vanishes(view, every.of(view) - every.of(scaled))}]


def _vanishes(view: EveryView, difference: Quantity) -> CertificateNode:
    """Return a node that shows that a difference, taken apart, has no terms left."""
    ring = view.orthant
    left = expanded(ring, difference.num) if difference.num else {}
    return zero(Quantity(ring, left, {RATIONAL: ring.constant(1)}))


def prove_independent(every: Every) -> tuple[list[CertificateNode], Base]:
    """Return a node and the constant that independent labelings score, as text in m."""
    view = every.general(independent=True)
    base = constant_of(view, every.own(view))
    return [{"proof": {"by": "constant"}}], base


class Base(NamedTuple):
    """The value of independent labelings: as text in m, or None if it is an irrational number."""

    text: str | None
    depends_on_m: bool


def constant_of(view: EveryView, value: Quantity) -> Base:
    """Return the value as a function of m alone; `NoProof` where it is something else."""
    ring = view.orthant
    if value.num and value.as_polynomials() is None and not value.letters:
        return Base(None, depends_on_m=False)  # roots and angles of numbers
    both = function_of_m(ring, value)
    if both is None:
        raise NoProof("not constant where labelings are independent")
    place = list(ring.context.gens())
    place[ring.index["k"]] -= 1  # k = m − 1
    top, bottom = (x.compose(*place) for x in both)
    return Base(_in_m(top, bottom), depends_on_m="k" in ring.letters(top) | ring.letters(bottom))


def _in_m(top: Poly, bottom: Poly) -> str:
    """Return a quotient of polynomials in k, in which k stands for the number of classes, as text in m."""
    above, below = (str(x).replace("k", "m") for x in (top, bottom))
    if bottom.is_one():
        return above
    simple = all(len(x) < 2 and all(c > 0 for c in x.coeffs()) for x in (top, bottom))
    return f"{above}/{below}" if simple else f"({above})/({below})"


def prove_expectation(every: Every) -> tuple[list[CertificateNode], Base]:
    """Return nodes and the constant that random predictions score: affine in the cells for given class sizes."""
    view = every.general()
    value = every.of(view)
    ring = view.orthant
    cells = cell_letters()
    above, below = expanded(ring, value.num) if value.num else {}, expanded(ring, value.den)
    for key in below:
        if any(cells & letters for letters in _letters_of_names(ring, key).values()):
            raise NoProof("a cell occurs in the denominator")
    for key, p in above.items():
        atoms = [name for name, letters in _letters_of_names(ring, key).items() if cells & letters]
        if len(atoms) > 1 or cells & ring.letters(p) or any(not _linear(ring, name) for name in atoms):
            raise NoProof("not affine in the cells")
    nodes, base = prove_independent(every)
    return [{"proof": {"by": "affine"}}, *nodes], base


def _letters_of_names(ring: EveryOrthant, key: ProductKey) -> dict[str, frozenset[str]]:
    """Return, for the radicand and for each atom of a key, the letters that it mentions."""
    return {key[0]: ring.letters(ring.roots[key[0]]), **{name: letters_of_atom(ring, name) for name in key[1:]}}


def _linear(ring: EveryOrthant, name: str) -> bool:
    """Return whether a closed sum is linear in the cells of the matrix, with coefficients in class sizes."""
    atom = ring.atoms.get(name)
    if atom is None or atom.kind not in ("sum", "pairs"):
        return False
    body = atom.argument(1, Quantity)
    if set(body.num) != {RATIONAL} or set(body.den) != {RATIONAL} or cell_letters() & ring.letters(body.den[RATIONAL]):
        return False
    cells = [k for name, k in ring.index.items() if name in cell_letters()]
    return all(sum(int(monomial[k]) for k in cells) <= 1 for monomial in body.num[RATIONAL].monoms())


# Extremes, class by class


def prove_extreme(every: Every, statement: Statement, best: Fraction) -> list[CertificateNode]:
    """Return a node that shows, class by class, that the value does not pass the constant."""
    view = every.general()
    value = every.of(view)
    ring = view.orthant
    sense = 1 if statement.at == DIAGONAL else -1
    bound = constant(ring, best * every.sign)
    gap = (bound - value) * sense
    if ring.sign_of_sum(gap.den) <= 0:
        raise NoProof("the denominator is not shown to be positive")
    apart = expanded(ring, gap.num)
    for share in SHARES:
        try:
            body = class_body(ring, apart, share)
            if signs_fit(ring, body, statement.at):
                return [{"share": share, "proof": {"by": "classes"}}]
        except Outside:
            continue
    raise NoProof("no class by class bound")


def class_body(ring: EveryOrthant, apart: SumOfProducts, share: str) -> Quantity:
    """Return what one class adds to the gap; terms of no class are shared out evenly, by true or predicted size."""
    g = ring.variables
    total = constant(ring, 0)
    for key, p in apart.items():
        factor = of_polynomial(ring, p)
        if key == RATIONAL:
            size = {"m": (ring.one, g["k"] + 1), "true": (g["a0"], g["n"]), "predicted": (g["b0"], g["n"])}[share]
            body = Quantity(ring, {RATIONAL: size[0]}, {RATIONAL: size[1]})
        else:
            if len(key) != 2 or key[0] != "1" or ring.atoms[key[1]].kind != "sum" or ring.atoms[key[1]].about[0] != 0:
                raise NoProof("not a sum over classes")
            body = ring.atoms[key[1]].argument(1, Quantity)
        total = total + factor * body
    return total


def signs_fit(ring: EveryOrthant, body: Quantity, where: str) -> bool:
    """Return whether what a class adds has the signs that an extreme needs.

    At the diagonal: 0 for a class that is all right, never negative, and positive for every class with a miss (or for
    every class with a false alarm). At a zero diagonal: positive exactly for classes with a hit.
    """
    both = body.as_polynomials()
    if both is None or ring.sign(both[1]) != 1:
        return False
    seen = dict(class_cases(ring, both[0]))
    if any(sign is None or sign < 0 for sign in seen.values()):
        return False
    if where == DIAGONAL:
        if any(sign for (_, u, v, _w), sign in seen.items() if not u and not v):
            return False
        return all(sign for (_, u, _v, _w), sign in seen.items() if u) or all(
            sign for (_, _u, v, _w), sign in seen.items() if v
        )
    return all((sign > 0) == bool(c) for (c, _, _v, _w), sign in seen.items() if sign is not None)


def class_cases(ring: EveryOrthant, p: Poly) -> Iterator[tuple[tuple[int, ...], int | None]]:
    """Yield the sign of a polynomial in each way in which some of c, u = a − c, v = b − c and the rest w are 0."""
    g, index = ring.variables, ring.index
    gens = list(ring.context.gens())
    gens[index["a0"]], gens[index["b0"]] = g["c0"] + g["u"], g["c0"] + g["v"]
    gens[index["n"]] = g["c0"] + g["u"] + g["v"] + g["w"]
    whole = p.compose(*gens)
    for case in product((0, 1), repeat=4):
        c, u, v, w = case
        if not any(case) or (ring.present and not ((c or u) and (c or v) and (v or w) and (u or w))):
            continue
        place = list(ring.context.gens())
        for name, is_there in zip(("c0", "u", "v", "w"), case, strict=True):
            if not is_there:
                place[index[name]] = ring.constant(0)
        there = whole.compose(*place)
        up = {k > 0 for k in there.coeffs()}
        yield case, 0 if there.is_zero() else None if len(up) > 1 else 1 if up.pop() else -1


# Distances and means of scores


def prove_distance(every: Every, best: Fraction) -> list[CertificateNode]:
    """Return a node that shows that the gap to the best value counts the items on which the labelings differ."""
    view = every.general()
    ring = view.orthant
    gap = constant(ring, best * every.sign) - every.of(view)
    hits = view.sum(lambda i: view[i, i])
    assert isinstance(hits, Quantity)
    ((key, _),) = hits.num.items()
    if key not in gap.num or set(gap.den) != {RATIONAL}:
        raise NoProof("the gap does not depend on the number of hits alone")
    factor = Quantity(ring, {RATIONAL: -gap.num[key]}, gap.den)
    if factor.letters - {"n", "k"} or factor.sign() != 1:
        raise NoProof("the factor of the number of errors is not positive, or depends on classes")
    _vanishes(view, gap - factor * (view.n - hits))
    return [{"proof": {"by": "errors"}}]


def prove_mean_of_scores(every: Every) -> list[CertificateNode]:
    """Return a node that shows that the value is the mean over classes of one function of their cell and sizes."""
    view = every.general()
    value = every.own(view)
    ring = view.orthant
    if set(value.den) != {RATIONAL}:
        raise NoProof("not a sum over classes")
    m = of_polynomial(ring, ring.variables["k"] + 1)
    score = class_body(ring, value.num, "m") * m / of_polynomial(ring, value.den[RATIONAL])
    if score.letters - {"a0", "b0", "c0"}:
        raise NoProof("what a class adds depends on more than its row and column")
    return [{"proof": {"by": "classes"}}]
