"""Check certificates about every number m ≥ 2 of classes.

The definition is read on a view in which a class is a few letters: its cell c, its true size a, its predicted size b,
and n; m is the letter k plus 1. It must run without asking anything about a class index, so it treats all classes
alike. A sum over classes stays closed: it is an atom that remembers what one class adds. There are these kinds of
argument.

* *Moves.* A move touches at most two classes; by symmetry they are classes 0 and 1. All other classes together are a
  third one, so a matrix becomes nine sums of cells, each 0 or positive. The two classes are written out in every sum.
  What the others add is one atom, made from what one class adds in each case of which of its letters are 0. A move does
  not change the letters of the other classes, so the atom is the same before and after, and cancels from the
  difference. If it does not cancel, the difference contains an atom of unknown sign and no rule applies. Where the move
  changes n, what a class adds must not depend on n (then n appears in the atom, which differs).
* *Symmetry and scale invariance.* Both values are expanded: Σ 1 = m, Σ a = Σ b = n, and whatever does not depend on the
  class is taken out of a sum. The difference must vanish as a formula.
* *Extremes.* The gap between the constant and the value, times a positive denominator, must be a sum over classes.
  Terms that depend on no class are shared out among the classes by weights that add up to 1 (1/m, a/n, b/n, or the mean
  of the last two; the certificate says which). Then what one class adds is examined in each case of which of c, a − c,
  b − c and the rest are 0: it must never be negative, must be 0 for a class without errors, and positive for every
  class with misses (or for every class with false alarms). A matrix that is not diagonal has a class of either kind, so
  its gap is positive. For minimal agreement it must be positive for the classes with right predictions and 0 for all
  others.
* *Distances.* c_max − M must be κ·(n − Σ c_ii) as a formula, with a positive κ that depends on n and m alone. So the
  gap counts the items on which two labelings differ, which is 0 for equal labelings only, symmetric, and obeys the
  triangle inequality, since an item on which A and C differ is one on which A and B differ or B and C do.
* *Decomposability.* m·M must be a sum over classes of a term in c, a and b alone, which are functions of the class's
  row and column. So M is the arithmetic mean of such scores (p = 1).
* *Baselines*, where every class occurs: the value on c_ij = a_i b_j / n is a function of m alone, and minus the stated
  one it is 0 as a formula. For averages over random predictions the value must also be affine in the cells for given
  class sizes, so that its mean is its value on the mean matrix; `_affine` shows this from the form of the closed sums.

How sums over classes are read is argued in `every_m_readings.py`. Every value that is read is compared with exact
values of matrices with two to five classes and small, large and mixed counts.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import permutations, product
from typing import TYPE_CHECKING, cast

from goodmeasure.language.policy import policy_of
from goodmeasure.theory.statements import statement as kinds
from goodmeasure.theory.statements.certificate import CertificateNode
from goodmeasure.theory.statements.goesgens import class_permutations
from goodmeasure.theory.statements.statement import Move
from goodmeasure.theory.verify.arithmetic import NOT_DOWN, UNDEFINED, UP, ZERO, FunctionValue, Ground, Poly
from goodmeasure.theory.verify.atoms import moved, with_right_angles
from goodmeasure.theory.verify.certificate_input import function_of_m
from goodmeasure.theory.verify.every_m_readings import (
    SHARES,
    ClassGround,
    ClassView,
    OneClass,
    SumOver,
    close,
    letters_from,
    ways,
)
from goodmeasure.theory.verify.formula_readings import agrees, known_of, read_soundly, used
from goodmeasure.theory.verify.guesses import check_guesses
from goodmeasure.theory.verify.renaming import looks_at_no_class, tells_no_classes_apart
from goodmeasure.theory.verify.signs import CertificateError, check_positive, demand
from goodmeasure.theory.verify.stated_values import fraction_of, is_stated

if TYPE_CHECKING:
    from goodmeasure.theory.verify.verify import Check

_CELLS = [f"z{i}_{j}" for i in range(3) for j in range(3)]
_SIZES = (2, 3, 3, 4, 5)  # numbers of classes of the matrices that a reading is compared on


class EveryCheck:
    """The check of one certificate about every number of classes."""

    def __init__(self, check: Check) -> None:
        self.check, self.statement, self.measure = check, check.statement, check.measure
        self.policy = policy_of(check.undefined)
        self.present = check.domain.name == "regular"
        self.turn = -1 if self.measure.orientation == "lower" else 1
        self._random = random.Random()

    def run(self) -> None:
        """Check the certificate, by the kind of its statement."""
        s = self.statement
        if s.kind == kinds.INDEPENDENT and any("true" in x for x in self.check.certificate.cases):
            # A table of weights tells classes apart, and the guesses of all classes are read with it.
            demand(
                looks_at_no_class(self.measure),
                "{measure} may look at classes or count them",
                measure=self.measure.name,
            )
            check_guesses(self.check)
            return
        demand(
            tells_no_classes_apart(self.measure),
            "{measure} may treat classes differently",
            measure=self.measure.name,
        )
        if s.maps is class_permutations:
            self._cases_are()
        elif s.kind == kinds.MOVES:
            self.moves()
        elif s.kind == kinds.INVARIANCE and (s.scales == "matrix" or s.name == "symmetry"):
            self.invariance()
        elif s.kind == kinds.EXTREME:
            self.extreme()
        elif s.kind == kinds.DISTANCE:
            self.distance()
        elif s.kind == kinds.DECOMPOSABLE:
            self.mean_of_scores()
        elif s.kind in (kinds.EXPECTATION, kinds.INDEPENDENT) and not s.uniform:
            self.baseline()
        else:
            raise CertificateError("no certificate proves {statement} for every number of classes", statement=s.name)

    def _cases_are(self, *wanted: str) -> None:
        """Demand that the certificate has exactly these cases, by the way each is proved."""
        found = [case.get("proof", {}).get("by") for case in self.check.certificate.cases]
        demand(
            found == list(wanted),
            "the cases are {got}",
            field="cases",
            got=found,
            expected="{wanted}",
            wanted=list(wanted),
        )

    # Reading

    def _count(self, largest: int) -> int:
        least = 1 if self.present else 0
        return self._random.choice((least, self._random.randint(1, 9), self._random.randint(1, largest)))

    def _matrix(self, m: int, *, independent: bool) -> list[list[int]]:
        """Return a matrix of small, large or mixed counts; its cells are x_i·y_j if ``independent``."""
        largest = self._random.choice((9, 10**3, 10**6))
        if independent:
            x, y = ([self._random.randint(1, largest) for _ in range(m)] for _ in range(2))
            return [[p * q for q in y] for p in x]
        rows = [[self._count(largest) for _ in range(m)] for _ in range(m)]
        rows[0][0] += 1
        return rows

    def value(
        self, view: ClassView, image: Callable[[list[list[int]], int], Sequence[Sequence[object]]] | None = None
    ) -> FunctionValue:
        """Return the value on a view without named classes, after comparing it with exact values.

        ``image``: what the view is of, if not of the matrix itself.
        """
        value = read_soundly(self.measure, view)
        if value is UNDEFINED:
            raise CertificateError("the measure is undefined")
        ground = cast(ClassGround, view.ground)
        for m in _SIZES:
            rows = self._matrix(m, independent=ground.independent)
            if not self.check.domain.holds_pattern(tuple(tuple(x > 0 for x in row) for row in rows)):
                continue
            factor = self._random.randint(2, 9)
            point = {**dict.fromkeys(ground.names, 1), "n": sum(map(sum, rows)), "k": m - 1, "s": factor}
            seen = rows if image is None else image(rows, factor)
            self._compare(value, seen, {**point, "rows": rows}, supposed=ground.supposed)
        return value * self.turn

    def _compare(
        self, value: FunctionValue, rows: Sequence[Sequence[object]], point: Mapping[str, object], *, supposed: bool
    ) -> None:
        """Demand that a value is the measure's exact value on a matrix; a value that was supposed may have none."""
        try:
            agrees(self.measure, value, rows, self.policy, point)
        except CertificateError:
            if not supposed or self.measure.exact(rows, undefined=self.check.undefined) is not UNDEFINED:
                raise

    def general(self, extra: tuple[str, ...] = (), *, independent: bool = False) -> ClassView:
        """Return a view without named classes."""
        ground = ClassGround(extra, present=self.present, independent=independent, deadline=self.check.deadline)
        return ClassView(self.policy, ground, ground.value(ground.variables["n"]))

    # Moves

    def moves(self) -> None:
        """Check that the measure rises (or falls) with every move, for two named classes and all others together."""
        s = self.statement
        moves = {}
        for move in s.moves(3):
            touched = list(dict.fromkeys(c for i, j, _ in sorted(move.changes, key=lambda x: x[2]) for c in (i, j)))
            demand(len(touched) < 3, "a move touches three classes")
            if touched == list(range(len(touched))):
                moves[tuple(move.changes)] = move
        for move in s.moves(3):
            demand(any(_renames(move, x) for x in moves.values()), "a move is not a renaming of a listed one")
        expected = {
            ("".join(map(str, support)), changes)
            for changes, move in moves.items()
            for support in product((0, 1), repeat=9)
            if self._demanded(*self._ends(support, move))
        }
        found = {(x["support"], tuple(map(tuple, x["move"]))): x["proof"] for x in self.check.certificate.cases}
        missing = expected - set(found)
        demand(not missing, "the case {case} is missing", field="cases", case=min(missing, default=()))
        demand(set(found) == expected, "there are cases that the statement does not ask for")
        ring = self._named_ground()
        for (support, changes), node in found.items():
            self._move(ring, support, moves[changes], node)

    def _named_ground(self) -> ClassGround:
        """Return the ground for moves, with what was read on it; other moves and statements lead to the same cells."""
        known, key = known_of(self.measure), ("moves", str(self.policy), self.present)
        if key not in known:
            known[key] = ClassGround(tuple(_CELLS), present=self.present, named=True)
        ring = cast(ClassGround, known[key])
        used(ring, self.check.deadline)
        return ring

    def _ends(self, support: Iterable[int], move: Move) -> tuple[list[int], list[int]]:
        ends = list(support), list(support)
        for i, j, delta in move.changes:
            ends[delta > 0][3 * i + j] = 1
        return ends

    def _demanded(self, before: list[int], after: list[int]) -> bool:
        """Return whether the statement may make a demand in a case.

        The third class stands for all others, so the support of the sums does not decide everything: it may or may not
        be one class. A case is left out only if every matrix with these sums is outside the statement.
        """
        s, domain = self.statement, self.check.domain.name
        for end in (before, after):
            sums = [any(end[3 * i : 3 * i + 3]) for i in range(3)], [any(end[j::3]) for j in range(3)]
            if not any(end) or (domain == "regular" and not all(x[0] and x[1] for x in sums)):
                return False
            unary = any(x.count(True) == 1 and not x[2] for x in sums)
            if unary and (domain == "non-unary" or (end is before and kinds.NON_UNARY_BEFORE in s.before)):
                return False
        diagonal = not any(end[k] for end in (before, after) for k in (1, 2, 3, 5, 6, 7, 8))
        hollow = not any(end[k] for end in (before, after) for k in (0, 4, 8))
        return not (
            (diagonal and kinds.NOT_BOTH_DIAGONAL in s.pair) or (hollow and kinds.NOT_BOTH_ZERO_DIAGONAL in s.pair)
        )

    def _move(self, ring: ClassGround, support: str, move: Move, node: CertificateNode) -> None:
        """Check one case of a move: form both values and demand the sign of their difference."""
        ring.hurry()
        keeps = sum(delta for _, _, delta in move.changes) == 0
        values: list[FunctionValue] = []
        for side in (-1, 1):
            cells = [ring.variables[name] * int(there) for name, there in zip(_CELLS, support, strict=True)]
            for i, j, delta in move.changes:
                if delta * side > 0:
                    cells[3 * i + j] = cells[3 * i + j] + abs(delta)
            values.append(self._on_cells(ring, cells, keeps_n=keeps))
        low, high = values if move.rises else values[::-1]
        check_positive(node, high - low, strict=self.statement.strict, whole=True)

    def _on_cells(self, ring: ClassGround, cells: list[Poly], *, keeps_n: bool) -> FunctionValue:
        """Return the value with two named classes, after comparing it on a matrix whose third class is the rest.

        The formula that is read for a support holds for all positive sums of cells, so it holds with positive
        polynomials in their place. If what is put in may change an atom, the definition is read on these cells.
        """
        key = keeps_n, *map(ring.number, cells)
        if key not in ring.readings:
            value = self._of_formula(ring, cells, keeps_n=keeps_n)
            if value is None:
                value = self._read(ring, cells, keeps_n=keeps_n)
            self._compare_named(value * self.turn, cells, ring)
            ring.readings[key] = value
        return ring.readings[key]

    def _of_formula(self, ring: ClassGround, cells: list[Poly], *, keeps_n: bool) -> FunctionValue | None:
        """Return the value from the formula of the support of these cells; None where that is not to be had."""
        plain = [ring.variables[name] * int(not p.is_zero()) for name, p in zip(_CELLS, cells, strict=True)]
        if cells == plain:
            return None
        try:
            value = self._on_cells(ring, plain, keeps_n=keeps_n)
        except CertificateError:  # the definition cannot be read on the whole support
            return None
        return moved(value, {name: p for name, p, x in zip(_CELLS, cells, plain, strict=True) if p != x})

    def _read(self, ring: ClassGround, cells: list[Poly], *, keeps_n: bool) -> FunctionValue:
        """Return the value that is read with two named classes, turned so that higher is better."""
        none = ring.constant(0)
        sizes = ((cells[4 * i], sum(cells[3 * i : 3 * i + 3], none), sum(cells[i::3], none)) for i in (0, 1))
        two = (OneClass(*(ring.value(p) for p in of_class)) for of_class in sizes)
        view = ClassView(self.policy, ring, ring.value(sum(cells, none)), tuple(two))
        view.keeps_n = keeps_n
        value = read_soundly(self.measure, view)
        if value is UNDEFINED:
            raise CertificateError("the measure is undefined")
        demand(not ring.supposed, "it is not seen that the measure is defined")
        return value * self.turn

    def _compare_named(self, value: FunctionValue, cells: list[Poly], ring: ClassGround) -> None:
        """Demand that a value with two named classes is the exact value of a matrix whose third class is the rest."""
        names = ring.names
        largest = self._random.choice((9, 10**6))
        point = {**dict(zip(names, self._random.choices(range(1, largest + 1), k=len(names)), strict=True)), "k": 2}
        at = tuple(point[name] for name in names)
        numbers = [int(p(*at)) for p in cells]
        rows = [numbers[3 * i : 3 * i + 3] for i in range(3)]
        if not self.present or (any(rows[2]) and any(row[2] for row in rows)):
            agrees(self.measure, value, rows, self.policy, {**point, "rows": rows})

    # Sums over classes taken apart

    def invariance(self) -> None:
        """Check symmetry or scale invariance: the two values have the same normal form."""
        self._cases_are("zero")
        scales = bool(self.statement.scales)
        view = self.general(("s",) if scales else ())
        ground = cast(ClassGround, view.ground)
        if scales:
            s = ground.variables["s"]
            other = ClassView(self.policy, ground, ground.value(ground.variables["n"] * s))
            other.scale = ground.value(s)
            image = lambda rows, factor: [[x * factor for x in row] for row in rows]  # noqa: E731
        else:
            other, image = view.T, lambda rows, factor: [list(x) for x in zip(*rows, strict=True)]
        value, changed = self.value(view), self.value(other, image)
        demand((value - changed).is_zero, "the two values are not the same")

    def baseline(self) -> None:
        """Check that random predictions score a constant that may depend on m, where every class occurs.

        The value on c_ij = a_i b_j / n minus the stated function of m must be 0 as a formula. A constant that is not
        written with m must be a value without letters, whose number is compared.
        """
        demand(self.present, "only where every class occurs")
        certificate, s = self.check.certificate, self.statement
        if s.kind == kinds.EXPECTATION:
            self._affine()
        self._cases_are(*(["affine", "constant"] if s.kind == kinds.EXPECTATION else ["constant"]))
        view = self.general(independent=True)
        value = with_right_angles(self.value(view) * self.turn)
        base = certificate.constants[s.constants[0]]
        known = function_of_m(view.ground, base)
        if known is None:
            demand(not value.letters, "the value is not constant where labelings are independent")
            exact = self.measure.exact([[1, 1], [1, 1]], undefined=self.check.undefined)
            demand(
                is_stated(base, exact), "the constant is {known}, not {got}", field="constants", got=base, known=exact
            )
        else:
            demand(
                (value - known).is_zero,
                "the value is not {got} where labelings are independent",
                field="constants",
                got=base,
            )
            demand(not s.across_m or not known.letters, "the constant depends on the number of classes")

    def _affine(self) -> None:
        """Demand that the value is affine in the cells for given class sizes.

        Cells may occur only in the numerator, in at most one closed sum of each term, and what that sum adds for a
        class (or a pair of classes) must be linear in the cells over a denominator free of them. The cells of a closed
        sum are bound, so its letters do not name them: what stands inside of atoms is looked at too (`_cells_in`).
        """
        value = self.value(self.general())
        ground = cast(ClassGround, value.ground)
        cells = frozenset(x for x in letters_from(0) if x[0] in "ce")
        demand(not cells & value.plain_letters, "a cell stands outside of a sum")
        with_cells = []
        for j, k in enumerate(value.atoms):
            atom = ground.atoms[k]
            body = atom.body if isinstance(atom, SumOver) else None
            if not any(_cells_in(x, cells) for x in atom.inside()):
                continue
            if body is None or body.atoms:
                raise CertificateError("a cell stands inside of something that is no simple sum")
            demand(not cells & ground.mentioned(body.den, ()), "a cell occurs in the denominator of a term")
            places = [i for i, name in enumerate(ground.names) if name in cells]
            linear = all(sum(int(x[i]) for i in places) <= 1 for x in body.num.monoms())
            demand(linear and not value.den.degrees()[j], "the value is not linear in the cells")
            with_cells.append(j)
        for monomial in value.num.monoms():
            demand(sum(int(monomial[j]) for j in with_cells) < 2, "the value is not affine in the cells")

    # Extremes, class by class

    def extreme(self) -> None:
        """Check maximal or minimal agreement, by what each class adds to the gap between value and constant."""
        certificate, s = self.check.certificate, self.statement
        base = certificate.constants[s.constants[0]]
        value = self.value(self.general())
        ground = cast(ClassGround, value.ground)
        for m in _SIZES:
            rows = [[int((i == j) == (s.at == kinds.DIAGONAL)) for j in range(m)] for i in range(m)]
            demand(
                is_stated(base, self.measure.exact(rows, undefined=self.check.undefined)),
                "the constant is not {got}",
                field="constants",
                got=base,
            )
        gap = (ground.rational(fraction_of(base) * self.turn) - value) * (1 if s.at == kinds.DIAGONAL else -1)
        self._cases_are("classes")
        share = certificate.cases[0].get("share")
        demand(share in SHARES, "{got!r} is no way to share something out among the classes", field="share", got=share)
        body = ground.per_class(gap.num, gap.atoms, cast(str, share))
        demand(body is not None, "the gap is no sum over classes")
        self._signs(_class_signs(ground, cast(FunctionValue, body)))

    # Distances and means of scores

    def distance(self) -> None:
        """Check that the gap to the best value is a positive multiple of the number of errors."""
        base = self.check.certificate.constants[self.statement.constants[0]]
        value = self.value(self.general())
        ground = cast(ClassGround, value.ground)
        for m in _SIZES:
            rows = [[int(i == j) for j in range(m)] for i in range(m)]
            demand(
                is_stated(base, self.measure.exact(rows, undefined=self.check.undefined)),
                "the constant is not {got}",
                field="constants",
                got=base,
            )
        self._cases_are("errors")
        gap = ground.rational(fraction_of(base) * self.turn) - value
        hits = close(ground.value(ground.variables["c0"]), 0)
        demand(hits.atoms[0] in gap.atoms and len(gap.atoms) == 1, "the gap does not depend on the hits alone")
        slope = gap.num.derivative(0)
        demand(not slope.degrees()[0] and not gap.den.degrees()[0], "the gap is not linear in the number of hits")
        factor = ground.value(ground.lifted(-slope, ())) / ground.value(ground.lifted(gap.den, ()))
        demand(factor.letters <= {"n", "k"} and factor.signs() == UP, "the factor of the errors is not positive")
        errors = ground.value(ground.variables["n"]) - hits
        demand((gap - factor * errors).is_zero, "the gap is no multiple of the number of errors")

    def mean_of_scores(self) -> None:
        """Check that the value is the mean over classes of one function of their cell and sizes."""
        value = self.value(self.general()) * self.turn
        ground = cast(ClassGround, value.ground)
        self._cases_are("classes")
        demand(dict(self.check.certificate.constants) == {self.statement.constants[0]: "1"}, "the exponent is 1")
        demand(not any(value.den.degrees()[: len(value.atoms)]), "a sum over classes occurs in the denominator")
        body = ground.per_class(value.num, value.atoms, "m")
        demand(body is not None, "the value is no sum over classes")
        m = ground.value(ground.variables["k"] + 1)
        score = cast(FunctionValue, body) * m / ground.value(ground.lifted(value.den, ()))
        demand(score.letters <= {"a0", "b0", "c0"}, "what a class adds depends on more than its row and column")

    def _signs(self, signs: dict[tuple[int, ...], frozenset[int]]) -> None:
        """Demand the signs that make the gap 0 on extreme matrices and positive on all others."""
        demand(all(x <= NOT_DOWN for x in signs.values()), "what a class adds may be negative")
        strict = {case for case, x in signs.items() if x == UP}
        none = {case for case, x in signs.items() if x == ZERO}
        if self.statement.at == kinds.DIAGONAL:
            demand(all(x in none for x in signs if not x[1] and not x[2]), "a class without errors adds something")
            by_misses = all(case in strict for case in signs if case[1])
            by_alarms = all(case in strict for case in signs if case[2])
            demand(by_misses or by_alarms, "an error may add nothing")
        else:
            demand(all(x in (strict if x[0] else none) for x in signs), "hits may add 0, or a class without hits more")


def _cells_in(value: FunctionValue, cells: frozenset[str]) -> bool:
    """Return whether a cell occurs in a value, also inside its atoms, and bound by a closed sum there."""
    inside = (x for k in value.atoms for x in value.ground.atoms[k].inside())
    return bool(cells & value.plain_letters) or any(_cells_in(x, cells) for x in inside)


def _renames(move: Move, other: Move) -> bool:
    return any(
        move.rises == other.rises and sorted((p[i], p[j], d) for i, j, d in other.changes) == sorted(move.changes)
        for p in permutations(range(3))
    )


def _class_signs(ground: ClassGround, body: FunctionValue) -> dict[tuple[int, ...], frozenset[int]]:
    """Return the signs of what a class adds in each case of which of c, a − c, b − c and the rest are 0."""
    g, signs = ground.variables, dict[tuple[int, ...], frozenset[int]]()
    for case in ways(ground.present):
        c, u, v, w = (g[name] * there for name, there in zip(("c0", "u", "v", "w"), case, strict=True))
        images = {"c0": c, "a0": c + u, "b0": c + v, "n": c + u + v + w}
        there = body.num.compose(*(images.get(name, x) for name, x in g.items()))
        signs[case] = Ground.signs(ground, there, ())
    return signs
