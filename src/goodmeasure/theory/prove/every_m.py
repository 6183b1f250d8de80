"""Proofs for every number of classes: two classes at a time, class by class, or by taking sums over classes apart."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any, NamedTuple

from goodmeasure.language.exact.reals import UNDEFINED
from goodmeasure.language.policy import Policy
from goodmeasure.theory.algebra.class_sums import expanded
from goodmeasure.theory.algebra.every_m import Class, EveryOrthant, EveryView, cell_letters, letters_from
from goodmeasure.theory.algebra.orthant import RATIONAL, Key, Outside, Sum
from goodmeasure.theory.algebra.quantities import Quantity, constant, letters_of_atom, of_polynomial, quantity
from goodmeasure.theory.algebra.support_patterns import FAULTS
from goodmeasure.theory.prove.cases import Support
from goodmeasure.theory.prove.signs import NoProof, positive, zero
from goodmeasure.theory.statements.certificate import Node
from goodmeasure.theory.statements.domain import Domain
from goodmeasure.theory.statements.statement import (
    DIAGONAL,
    NON_UNARY_BEFORE,
    NOT_BOTH_DIAGONAL,
    NOT_BOTH_ZERO_DIAGONAL,
    Move,
    Statement,
)

CELLS = tuple(f"z{i}_{j}" for i in range(3) for j in range(3))  # classes 0, 1, and all others together
SHARES = ("m", "true", "predicted")


class Every:
    """A measure read for every number of classes."""

    def __init__(self, measure: Any, policy: Policy, domain: Domain) -> None:
        self.measure, self.policy, self.domain = measure, policy, domain
        self.sign = -1 if measure.orientation == "lower" else 1

    def of(self, view: EveryView) -> Any:
        """The value, turned so that higher is better."""
        return self.own(view) * self.sign

    def own(self, view: EveryView) -> Any:
        try:
            value = quantity(view.orthant, self.measure.of(view))
        except Outside:
            raise
        except FAULTS as error:
            raise Outside(str(error)) from None
        if value is UNDEFINED:
            raise NoProof("undefined")
        return value

    def general(self, *, independent: bool = False, extra: tuple[str, ...] = ()) -> EveryView:
        """A view in which no class is named."""
        ring = EveryOrthant(extra, present=self.domain.name == "regular", independent=independent)
        return EveryView(self.policy, ring, of_polynomial(ring, ring.variables["n"]))


# Moves: only two classes change


def prove_moves(every: Every, statement: Statement) -> list[Node]:
    """A node for each support of the two classes that a move touches and all others together."""
    ring = EveryOrthant(CELLS, present=every.domain.name == "regular", named=True)
    nodes = []
    for move in two_class_moves(statement):
        for support in product((0, 1), repeat=9):
            before, after = _ends(support, move)
            if not demanded(before, after, statement, every.domain):
                continue
            low, high = (every.of(_aggregated(every, ring, support, move, side)) for side in (-1, 1))
            if not move.rises:
                low, high = high, low
            node = positive(high - low, strict=statement.strict)
            nodes.append(
                {"support": "".join(map(str, support)), "move": [list(x) for x in move.changes], "proof": node}
            )
    return nodes


def two_class_moves(statement: Statement) -> list[Move]:
    """The moves of three classes that touch the first two only, in this order; all others are the same renamed."""
    found = []
    for move in statement.moves(3):
        order = list(dict.fromkeys(x for i, j, _ in sorted(move.changes, key=lambda y: y[2]) for x in (i, j)))
        if order == list(range(len(order))):
            found.append(move)
        if len(order) > 2:
            raise NoProof("a move that touches three classes")
    return found


def _ends(support: Support, move: Move) -> tuple[list[int], list[int]]:
    before, after = list(support), list(support)
    for i, j, delta in move.changes:
        (before if delta < 0 else after)[i * 3 + j] = 1
    return before, after


def demanded(before: list[int], after: list[int], statement: Statement, domain: Domain) -> bool:
    """Whether the statement may ask for something here; what the other classes are like is left open."""
    for end in (before, after):
        true, predicted = [any(end[3 * i : 3 * i + 3]) for i in range(3)], [any(end[j::3]) for j in range(3)]
        if domain.name == "regular" and not (all(true[:2]) and all(predicted[:2])):
            return False
        asked = domain.name == "non-unary" or (end is before and NON_UNARY_BEFORE in statement.before)
        if asked and any(sum(x) == 1 and (x[0] or x[1]) for x in (true, predicted)):
            return False
        if not any(end):
            return False
    off, on = (1, 2, 3, 5, 6, 7, 8), (0, 4, 8)
    if NOT_BOTH_DIAGONAL in statement.pair and not any(end[k] for end in (before, after) for k in off):
        return False
    return not (NOT_BOTH_ZERO_DIAGONAL in statement.pair and not any(end[k] for end in (before, after) for k in on))


def _aggregated(every: Every, ring: EveryOrthant, support: Support, move: Move, side: int) -> EveryView:
    """The view before (−1) or after (1) a move: two classes by their cells, all others closed."""
    cells = [ring.variables[name] * there for name, there in zip(CELLS, support, strict=True)]
    for i, j, delta in move.changes:
        if delta * side > 0:
            cells[3 * i + j] = cells[3 * i + j] + abs(delta)
    named = tuple(
        Class(*(of_polynomial(ring, x) for x in (cells[4 * i], sum(cells[3 * i : 3 * i + 3]), sum(cells[i::3]))))
        for i in (0, 1)
    )
    view = EveryView(every.policy, ring, of_polynomial(ring, sum(cells)), named)
    view.keeps_n = sum(delta for _, _, delta in move.changes) == 0
    return view


# Sums over classes taken apart


def prove_symmetry(every: Every) -> list[Node]:
    """The value and that of the transposed matrix are the same combination of sums over classes."""
    view = every.general()
    return [{"proof": _vanishes(view, every.of(view) - every.of(view.T))}]


def prove_scale(every: Every) -> list[Node]:
    """Nothing changes when all letters are multiplied by one more."""
    view = every.general(extra=("s",))
    ring: Any = view.orthant
    factor = of_polynomial(ring, ring.variables["s"])
    scaled = EveryView(every.policy, ring, of_polynomial(ring, ring.variables["n"] * ring.variables["s"]))
    scaled.scale = factor
    return [{"proof": _vanishes(view, every.of(view) - every.of(scaled))}]


def _vanishes(view: EveryView, difference: Quantity) -> Node:
    ring: Any = view.orthant
    left = expanded(ring, difference.num) if difference.num else {}
    return zero(Quantity(ring, left, {RATIONAL: ring.constant(1)}))


def prove_independent(every: Every) -> tuple[list[Node], Base]:
    """Where labelings are independent, the value is a function of the number of classes alone."""
    view = every.general(independent=True)
    base = constant_of(view, every.own(view))
    return [{"proof": {"by": "constant", "of": base.text or "constant"}}], base


class Base(NamedTuple):
    """The value of independent labelings: as text in m, or None where only its exact arithmetic can write it."""

    text: str | None
    depends_on_m: bool


def constant_of(view: EveryView, value: Quantity) -> Base:
    """Return the value as a function of m alone; `NoProof` where it is something else."""
    ring: Any = view.orthant
    sizes = {"n", *letters_from(0)}
    if not value.num:
        return Base("0", depends_on_m=False)
    if value.as_polynomials() is None and not value.letters & {"k", *sizes}:
        return Base(None, depends_on_m=False)
    above, below = expanded(ring, value.num), expanded(ring, value.den)
    key, q = next(iter(below.items()))
    p = above.get(key, ring.constant(0))
    ratio = Quantity(ring, {RATIONAL: p} if p != 0 else {}, {RATIONAL: q})
    left = ring.plus(ring.scaled(above, q), ring.scaled(below, -p))
    both = ratio.as_polynomials()
    if left or both is None or ratio.letters & sizes:
        raise NoProof("not constant where labelings are independent")
    place = list(ring.context.gens())
    place[ring.index["k"]] -= 1  # k = m − 1
    top, bottom = (x.compose(*place) for x in both)
    return Base(_in_m(top, bottom), depends_on_m="k" in ring.letters(top) | ring.letters(bottom))


def _in_m(top: Any, bottom: Any) -> str:
    """Return a quotient of polynomials in k, in which k stands for the number of classes, as text in m."""
    above, below = (str(x).replace("k", "m") for x in (top, bottom))
    if bottom == 1:
        return above
    simple = all(len(x) < 2 and all(c > 0 for c in x.coeffs()) for x in (top, bottom))
    return f"{above}/{below}" if simple else f"({above})/({below})"


def prove_expectation(every: Every) -> tuple[list[Node], Base]:
    """Affine in the cells for given class sizes, and constant where labelings are independent."""
    view = every.general()
    value = every.of(view)
    ring: Any = view.orthant
    cells = cell_letters()
    above, below = expanded(ring, value.num) if value.num else {}, expanded(ring, value.den)
    for key in below:
        if any(cells & letters for letters in _letters_of_names(ring, key).values()):
            raise NoProof("the cells stand below the line")
    for key, p in above.items():
        atoms = [name for name, letters in _letters_of_names(ring, key).items() if cells & letters]
        if len(atoms) > 1 or cells & ring.letters(p) or any(not _linear(ring, name) for name in atoms):
            raise NoProof("not affine in the cells")
    nodes, base = prove_independent(every)
    return [{"proof": {"by": "affine"}}, *nodes], base


def _letters_of_names(ring: Any, key: Key) -> dict[str, frozenset[str]]:
    """Return the letters of each factor of a product: of its root, and of its atoms."""
    return {key[0]: ring.letters(ring.roots[key[0]]), **{name: letters_of_atom(ring, name) for name in key[1:]}}


def _linear(ring: Any, name: str) -> bool:
    """Whether a closed sum is linear in the cells of the matrix."""
    atom = ring.atoms.get(name)
    if atom is None or atom.kind not in ("sum", "pairs"):
        return False
    body = atom.about[1]
    if set(body.num) != {RATIONAL} or set(body.den) != {RATIONAL} or cell_letters() & ring.letters(body.den[RATIONAL]):
        return False
    cells = [k for name, k in ring.index.items() if name in cell_letters()]
    return all(sum(int(monomial[k]) for k in cells) <= 1 for monomial in body.num[RATIONAL].monoms())


# Extremes, class by class


def prove_extreme(every: Every, statement: Statement, best: Any) -> list[Node]:
    """c·denominator − numerator is a sum over classes of something with the right sign for each class alone."""
    view = every.general()
    value = every.of(view)
    ring: Any = view.orthant
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


def class_body(ring: Any, apart: Sum, share: str) -> Quantity:
    """What one class adds, if what depends on no class is shared out evenly, by true or by predicted size."""
    g = ring.variables
    total: Any = constant(ring, 0)
    for key, p in apart.items():
        factor: Any = of_polynomial(ring, p)
        if key == RATIONAL:
            size = {"m": (1, g["k"] + 1), "true": (g["a0"], g["n"]), "predicted": (g["b0"], g["n"])}[share]
            body: Any = Quantity(ring, {RATIONAL: size[0] + ring.constant(0)}, {RATIONAL: size[1]})
        else:
            if len(key) != 2 or key[0] != "1" or ring.atoms[key[1]].kind != "sum" or ring.atoms[key[1]].about[0] != 0:
                raise NoProof("not a sum over classes")
            body = ring.atoms[key[1]].about[1]
        total = total + factor * body
    return total  # type: ignore[no-any-return]


def signs_fit(ring: Any, body: Quantity, where: str) -> bool:
    """0 for a class that is all right (all wrong), positive for one with a miss or a false alarm (with a hit)."""
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


def class_cases(ring: Any, p: Any) -> Iterator[tuple[tuple[int, ...], int | None]]:
    """The sign of a polynomial in each case of which of c, u = a − c, v = b − c and the rest w are 0."""
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
        for name, there in zip(("c0", "u", "v", "w"), case, strict=True):
            if not there:
                place[index[name]] = ring.constant(0)
        there = whole.compose(*place)
        up = {k > 0 for k in there.coeffs()}
        yield case, 0 if there == 0 else None if len(up) > 1 else 1 if up.pop() else -1
