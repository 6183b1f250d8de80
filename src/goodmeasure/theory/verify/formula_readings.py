"""Read a measure as a formula in polynomial cells, and compare the formula with the measure's exact value on numbers.

`Reading.value` reads the recorded tree on cells that are polynomials in positive variables (`views.py`).

Every formula is then compared with the measure itself at a point with whole coordinates. The formula must have the
exact value of the matrix there: the same fraction if both are rational; otherwise balls of about fifty digits around
the two must overlap. This is a second guard against mistakes in the arithmetic. Coordinates are in turn small (1 … 12),
large (up to several millions) and mixed, so that thresholds on counts are met from both sides. The points are drawn
anew in each process; a certificate that fails at one of them is refused.
"""

from __future__ import annotations

import random
import re
import threading
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, cast

from goodmeasure.catalogue import running
from goodmeasure.exceptions import CertificateError
from goodmeasure.language.exact import reals
from goodmeasure.language.policy import LeaveOut, Policy, Undecided, Undefined, policy_of
from goodmeasure.language.read import read
from goodmeasure.language.record import CannotRecord
from goodmeasure.language.tree import Tree
from goodmeasure.packages import flint
from goodmeasure.theory.verify import atoms, views
from goodmeasure.theory.verify.arithmetic import (
    UNDEFINED,
    FunctionValue,
    Ground,
    Outcome,
    PointData,
    Poly,
    Refused,
)
from goodmeasure.theory.verify.signs import demand
from goodmeasure.typing import ReadJson

if TYPE_CHECKING:
    from goodmeasure.catalogue.measure import Measure

_SPLIT = re.compile(r"([a-z]\w*)([<=>])([a-z]\w*|1)")
_BITS, _MORE_BITS = 192, 1024
_TRIES = 6
# The coordinates of points: small, large, and of mixed size.
_SIZES: tuple[Sequence[int], ...] = (
    range(1, 13),
    range(10**5, 7 * 10**6 + 1),
    tuple(k * 10**e + d for e in range(7) for k in range(1, 10) for d in range(10)),
)
_KEPT = 3  # the number of measures whose readings are kept


class Reading:
    """A measure of m classes on cells that are polynomials in positive variables, turned so that higher is better.

    The variables are the cells, and 2m more, x_i and y_j, for independent labelings and for factors of the cells.
    """

    def __init__(self, measure: Measure, m: int, undefined: Undefined, *, deadline: float = float("inf")) -> None:
        self.measure, self.m, self.policy = measure, m, policy_of(undefined)
        self.cell_names = [f"c{i}_{j}" for i in range(m) for j in range(m)]
        self.ring = Ground((*self.cell_names, *(f"{x}{i}" for x in "xy" for i in range(m))), deadline)
        self.gens = self.ring.gens
        self.turn = -1 if measure.orientation == "lower" else 1
        self.points = SamplePoints()
        self._formulas: dict[str, Outcome | None] = {}

    @property
    def sizes(self) -> tuple[list[Poly], list[Poly]]:
        """Return the variables x_i and y_j."""
        start, m = self.m**2, self.m
        return list(self.gens[start : start + m]), list(self.gens[start + m :])

    def value(self, cells: list[Poly], ring: Ground | None = None, *, supposing: bool = False) -> Outcome:
        """Return the value on these cells, or `UNDEFINED`, after comparing it with the exact value at a point.

        ``supposing``: the value is that of the measure wherever the measure has one, which it need not have everywhere.
        """
        ring = ring or self.ring
        key = (supposing, *map(ring.number, cells))
        if key not in ring.readings:
            value = None if supposing or ring is not self.ring else self._of_formula(cells)
            if value is None:
                value = self._value(cells, ring, views.SupposingView if supposing else views.FunctionView)
            ring.readings[key] = value
        return ring.readings[key]

    def _of_formula(self, cells: list[Poly]) -> Outcome | None:
        """Return the value on these cells from the formula of their support; None where there is no such formula.

        The formula holds for all positive cells, so it holds with positive polynomials in their place: those without a
        negative coefficient. Like one that is read, the value is compared with the exact value at a point.
        """
        ring, support = self.ring, "".join("01"[not p.is_zero()] for p in cells)
        plain = self.cells(support, [])
        if cells == plain or any(p.total_degree() > 1 or any(c < 0 for c in p.coeffs()) for p in cells):
            return None
        if support not in self._formulas:
            try:
                self._formulas[support] = self.value(plain)
            except CertificateError:  # the definition cannot be read there; on these cells perhaps it can
                self._formulas[support] = None
        value = self._formulas[support]
        if value is not None and value is not UNDEFINED:
            value = atoms.moved(value, {self.cell_names[k]: p for k, p in enumerate(cells) if p != plain[k]})
        if value is not None:
            ring.hurry()
            ring.supposed = False
            self._compare(value if value is UNDEFINED else value * self.turn, cells, ring)
        return value

    def _value(self, cells: list[Poly], ring: Ground, view: type[views.FunctionView]) -> Outcome:
        ring.hurry()
        m = self.m
        rows = [[ring.value(cells[i * m + j]) for j in range(m)] for i in range(m)]
        value = read_soundly(self.measure, view(rows, self.policy, ring))
        self._compare(value, cells, ring)
        return value if value is UNDEFINED else value * self.turn

    def _compare(self, value: Outcome, cells: list[Poly], ring: Ground) -> None:
        """Demand that a formula has the measure's exact value at a point, or is undefined where the measure is."""
        for _ in range(_TRIES):
            point = self.points.next(ring.names)
            at = tuple(point.values())
            numbers = [int(p(*at)) for p in cells]
            matrix = [numbers[i * self.m : (i + 1) * self.m] for i in range(self.m)]
            if agrees(self.measure, value, matrix, self.policy, point, supposed=ring.supposed):
                return
        raise CertificateError("the measure could not be compared with what was read")

    def of(self, p: Poly) -> FunctionValue:
        """Return a polynomial in the variables as a value."""
        return self.ring.value(p)

    @property
    def undefined(self) -> object:
        """Return the policy for undefined values as `Measure.exact` takes it."""
        return self.policy.number if self.policy.name == "number" else self.policy.name

    def cells(self, support: str, splits: list[str]) -> list[Poly]:
        """Return the cells of a support, in the variables that remain after some splits.

        Cells are positive whole numbers. "x>y" writes x as x + y, where the new x is the difference of the two, again a
        positive whole number; "x<y" does the same for y; "x=y" writes x as y; "x>1" writes x as x + 1, and "x=1" as
        1. So after every split all variables are positive whole numbers again, and splits can follow one another.
        """
        demand(
            len(support) == self.m**2 and set(support) <= {"0", "1"},
            "{got!r} is no support",
            field="support",
            got=support,
        )
        none, index = self.ring.constant(0), {name: k for k, name in enumerate(self.ring.names)}
        cells = [g if s == "1" else none for g, s in zip(self.gens, support, strict=False)]
        for split in splits:
            first, order, second = parsed(split)
            place = list(self.gens)
            x = index[first]
            if second == "1":
                place[x] = self.gens[x] + 1 if order == ">" else self.ring.constant(1)
            elif order == ">":
                place[x] = self.gens[x] + self.gens[index[second]]
            elif order == "<":
                place[index[second]] = self.gens[x] + self.gens[index[second]]
            else:
                place[x] = self.gens[index[second]]
            cells = [p.compose(*place) for p in cells]
        return cells


class _Shared(threading.local):
    """What was read of the measures of the catalogue that were read last, by what it was read for."""

    def __init__(self) -> None:
        self.latest: list[tuple[Measure, dict[object, object]]] = []
        self.again = False  # whether what was read for one certificate was used for another one


_shared = _Shared()


def known_of(measure: Measure) -> dict[object, object]:
    """Return what is known of a measure, by what it was read for, so that it is not read again.

    Many certificates are about the same measure, or about an average and the measure in it, and a definition of the
    catalogue keeps nothing between two calls; so what was read on the same cells for another certificate is used again.
    Of a user's function nothing is known: it is read anew each time.
    """
    if measure.is_users_own():
        return {}
    new: tuple[Measure, dict[object, object]] = measure, {}
    found = next((x for x in _shared.latest if x[0] is measure), new)
    _shared.latest = [found, *(x for x in _shared.latest if x[0] is not measure)][:_KEPT]
    return found[1]


def reading_of(measure: Measure, m: int, undefined: Undefined, deadline: float) -> Reading:
    """Return the reading of a measure, which may know what was read for other certificates (`known_of`)."""
    known, key = known_of(measure), ("cells", m, str(policy_of(undefined)))
    if key not in known:
        known[key] = Reading(measure, m, undefined)
    found = cast(Reading, known[key])
    used(found.ring, deadline)
    return found


def used(ring: Ground, deadline: float) -> None:
    """Set the time limit of a ground, and note if something was read on it for another certificate."""
    _shared.again = _shared.again or bool(ring.readings)
    ring.deadline = deadline


def forget() -> bool:
    """Forget what was read, and return whether any of it was used for more than one certificate."""
    before, _shared.latest, _shared.again = _shared.again, [], False
    return before


def remembered() -> list[str]:
    """Return the names of the measures of which something is remembered."""
    return [measure.name for measure, _ in _shared.latest]


class SamplePoints:
    """Points with whole coordinates: in turn small, large, and of mixed size."""

    def __init__(self) -> None:
        self._random = random.Random()
        self._turn = self._random.randrange(3)

    def next(self, names: Iterable[str]) -> dict[str, int]:
        """Return the next point."""
        self._turn += 1
        wanted = tuple(names)
        return dict(zip(wanted, self._random.choices(_SIZES[self._turn % 3], k=len(wanted)), strict=True))


def read_soundly(measure: Measure, view: views.FunctionView) -> Outcome:
    """Return the value of a measure on a view; `CertificateError` where the reading is refused."""
    ring = view.ground
    ring.supposed = False
    try:
        tree = _tree_on(measure, view.m)
        try:
            return ring.read(read(tree, view, getattr(measure, "exponent", None)))
        except LeaveOut:
            return ring.read(view.undefined())
    except (Refused, CannotRecord, TypeError, ValueError, ArithmeticError) as error:
        raise CertificateError(
            "the definition of {measure} cannot be read: {why}", measure=measure.name, why=error
        ) from None


def _tree_on(measure: Measure, m: object) -> Tree:
    """Return the recorded tree for a number of classes, or the one for any number of them."""
    tree = measure.recorded.tree(int(m)) if isinstance(m, int) else measure.recorded.general()
    demand(tree is not None, "the definition of {measure} writes classes out", measure=measure.name)
    assert tree is not None
    return tree


def agrees(
    measure: Measure,
    value: Outcome,
    matrix: Sequence[Sequence[object]],
    policy: Policy,
    point: Mapping[str, ReadJson],
    *,
    supposed: bool = False,
) -> bool:
    """Demand that a formula is the measure's exact value on a matrix; False where the exact value is out of reach.

    ``supposed``: the formula holds where the measure has a value, and says nothing elsewhere.
    """
    try:
        exact = running.on_exact(getattr(measure, "sample", measure).recorded, matrix, policy)
        if supposed and exact is reals.UNDEFINED:
            return False
        if value is UNDEFINED or exact is reals.UNDEFINED:
            demand(value is exact, "the measure is not what was read on {matrix}", matrix=matrix)  # type: ignore[comparison-overlap]
            return True
        if exact.is_rational and _is_number(value, point, exact.as_fraction()):
            return True
        for bits in (_BITS, _MORE_BITS):
            known, seen = exact.ball(bits), ball_at(value, point, bits)
            if (known - seen).abs_upper() <= abs(known).max(1) * flint.arb(10) ** -20:
                return True
            demand(
                known.overlaps(seen),
                "on {matrix} the measure is {known}, read as {seen}",
                matrix=matrix,
                known=known.str(12),
                seen=seen.str(12),
            )
    except Undecided:
        pass
    return False


def _is_number(value: FunctionValue, point: PointData, number: Fraction) -> bool:
    """Return whether a value without atoms is a rational number at a point; False also where this is not visible."""
    found = atoms.number_at(value, point)
    return found is not None and bool(found == flint.fmpq(number.numerator, number.denominator))


def ball_at(value: FunctionValue, point: PointData, bits: int = _BITS) -> flint.arb:
    """Return a ball that contains a value at a point, computed with so many bits."""
    before, flint.ctx.prec = flint.ctx.prec, bits
    try:
        return atoms.ball(value, point)
    finally:
        flint.ctx.prec = before


def parsed(split: str) -> tuple[str, str, str]:
    """Return the two sides and the sign of a split such as "c0_0>c1_1"."""
    found = _SPLIT.fullmatch(split)
    demand(found is not None, "{got!r} is no split", field="splits", got=split)
    assert found is not None
    return found[1], found[2], found[3]


def check_splits(splits: list[list[str]], names: set[str]) -> None:
    """Demand that the splits of one case leave nothing out.

    They form a tree: all begin with the same two variables (or a variable and 1), every order of the two occurs, and
    the rest of the splits under each order is complete by the same rule. A variable is <, = or > another one, and a
    positive whole number is = 1 or > 1, so by induction the leaves cover every choice of the variables.
    """
    if splits == [[]]:
        return
    demand(all(splits), "a case is split and also taken whole")
    forks = {(parsed(x[0])[0], parsed(x[0])[2]) for x in splits}
    demand(len(forks) == 1, "the cases split on different variables: {got}", field="splits", got=sorted(forks))
    ((first, second),) = forks
    demand(
        first in names and (second in names or second == "1") and first != second,
        "no cells {first}, {second}",
        field="splits",
        got=(first, second),
        first=first,
        second=second,
    )
    for order in "=>" if second == "1" else "<=>":
        rest = [x[1:] for x in splits if parsed(x[0])[1] == order]
        demand(
            bool(rest),
            "the case {first}{order}{second} is missing",
            field="splits",
            first=first,
            order=order,
            second=second,
        )
        check_splits(rest, names)
    if second == "1":
        demand(all(parsed(x[0])[1] != "<" for x in splits), "no whole number is below 1")
