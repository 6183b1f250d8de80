"""Checking certificates for every number of classes."""

from __future__ import annotations

import math
import random
import re
from fractions import Fraction
from itertools import permutations, product
from typing import TYPE_CHECKING, Any

from goodmeasure.language.policy import policy_of
from goodmeasure.theory.algebra.class_sums import expanded
from goodmeasure.theory.algebra.every_m import Class, EveryOrthant, EveryView, cell_letters, letters_from
from goodmeasure.theory.algebra.orthant import RATIONAL, Outside, Sum
from goodmeasure.theory.algebra.parametricity import tells_no_classes_apart
from goodmeasure.theory.algebra.quantities import (
    Quantity,
    constant,
    letters_of_atom,
    letters_of_sum,
    of_polynomial,
    quantity,
)
from goodmeasure.theory.statements import statement as kinds
from goodmeasure.theory.verify.readings import FUNCTIONS
from goodmeasure.theory.verify.signs import CertificateError, check_positive, demand

if TYPE_CHECKING:
    from goodmeasure.theory.verify.verify import Check

_CELLS = [f"z{i}_{j}" for i in range(3) for j in range(3)]
Letters = dict[str, Fraction]


class EveryCheck:
    """A certificate that speaks of every number of classes, being checked."""

    def __init__(self, check: Check) -> None:
        self.check, self.statement, self.measure = check, check.statement, check.measure
        self.present = check.domain.name == "regular"
        self.turn = -1 if self.measure.orientation == "lower" else 1
        self._random = random.Random(11)

    def run(self) -> None:
        s = self.statement
        demand(tells_no_classes_apart(self.measure.of), f"{self.measure.name} may treat classes differently")
        self._renaming_changes_nothing()
        try:
            if s.name == "class_symmetry":
                self._cases_are()
                return
            if s.kind == kinds.MOVES:
                self.moves()
            elif s.kind == kinds.INVARIANCE and (s.scales == "matrix" or s.name == "symmetry"):
                self.invariance()
            elif s.kind == kinds.EXTREME:
                self.extreme()
            elif s.kind in (kinds.EXPECTATION, kinds.INDEPENDENT) and not s.uniform:
                self.baseline()
            else:
                raise CertificateError(f"no certificate proves {s.name} for every number of classes")
        except Outside as error:
            raise CertificateError(f"the definition cannot be read for every number of classes: {error}") from None

    def _cases_are(self, *wanted: str) -> None:
        found = [case.get("proof", {}).get("by") for case in self.check.certificate.cases]
        demand(found == list(wanted), f"the cases are {found}: expected {list(wanted)}")

    def _matrix(self, m: int) -> list[list[int]]:
        return [[self._random.randint(1, 9) for _ in range(m)] for _ in range(m)]

    def _renaming_changes_nothing(self) -> None:
        rows = self._matrix(3)
        values = {
            self.measure.exact([[rows[p[i]][p[j]] for j in range(3)] for i in range(3)], undefined="nan")
            for p in permutations(range(3))
        }
        demand(len(values) == 1, f"{self.measure.name} treats classes differently")

    def value(self, view: EveryView, rows: list[list[Fraction]], letters: Letters) -> Any:
        """The value on a view, compared with the exact value on a matrix that the letters describe."""
        value = quantity(view.orthant, self.measure.of(view))
        demand(isinstance(value, Quantity), "the measure is undefined")
        seen = _number(value, rows, letters)
        known = float(self.measure.exact(rows, undefined=self.check.undefined))
        demand(abs(seen - known) <= 1e-7 * max(1.0, abs(known)), f"on {rows} the measure is {known}, read as {seen}")
        return value * self.turn

    def general(self, extra: tuple[str, ...] = (), *, independent: bool = False) -> tuple[EveryView, Any, Letters]:
        ring = EveryOrthant(extra, present=self.present, independent=independent)
        view = EveryView(policy_of(self.check.undefined), ring, of_polynomial(ring, ring.variables["n"]))
        x, y = self._matrix(3)[:2]
        rows = [[Fraction(p * q) for q in y] for p in x] if independent else _fractions(self._matrix(3))
        return view, rows, {"n": Fraction(sum(map(sum, rows))), "k": Fraction(2)}

    # Moves

    def moves(self) -> None:
        s = self.statement
        moves = {}
        for move in s.moves(3):
            touched = list(dict.fromkeys(c for i, j, _ in sorted(move.changes, key=lambda x: x[2]) for c in (i, j)))
            demand(len(touched) < 3, "a move touches three classes")
            if touched == list(range(len(touched))):
                moves[tuple(move.changes)] = move
        for move in s.moves(3):
            demand(any(_renames(move, x) for x in moves.values()), "a move is no other one renamed")
        expected = {
            ("".join(map(str, support)), changes)
            for changes, move in moves.items()
            for support in product((0, 1), repeat=9)
            if self._demanded(*self._ends(support, move))
        }
        found = {(x["support"], tuple(map(tuple, x["move"]))): x["proof"] for x in self.check.certificate.cases}
        missing = expected - set(found)
        demand(not missing, f"the case {min(missing, default=())} is missing")
        demand(set(found) == expected, "there are cases that the statement does not ask for")
        ring = EveryOrthant(tuple(_CELLS), present=self.present, named=True)
        for (support, changes), node in found.items():
            self._move(ring, support, moves[changes], node)

    def _ends(self, support: Any, move: Any) -> tuple[list[int], list[int]]:
        ends = list(support), list(support)
        for i, j, delta in move.changes:
            ends[delta > 0][3 * i + j] = 1
        return ends

    def _demanded(self, before: list[int], after: list[int]) -> bool:
        """Whether the statement may ask for something here; matrices that it spares for certain are left out."""
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

    def _move(self, ring: EveryOrthant, support: str, move: Any, node: Any) -> None:
        keeps = sum(delta for _, _, delta in move.changes) == 0
        values = []
        for side in (-1, 1):
            cells = [ring.variables[name] * int(there) for name, there in zip(_CELLS, support, strict=True)]
            for i, j, delta in move.changes:
                if delta * side > 0:
                    cells[3 * i + j] = cells[3 * i + j] + abs(delta)
            two = [
                Class(
                    *(of_polynomial(ring, p) for p in (cells[4 * i], sum(cells[3 * i : 3 * i + 3]), sum(cells[i::3])))
                )
                for i in (0, 1)
            ]
            view = EveryView(policy_of(self.check.undefined), ring, of_polynomial(ring, sum(cells)), tuple(two))
            view.keeps_n = keeps
            values.append(self._read(view, cells))
        low, high = values if move.rises else values[::-1]
        check_positive(node, high - low, strict=self.statement.strict, whole=True)

    def _read(self, view: EveryView, cells: list[Any]) -> Any:
        """The value with two named classes, compared on three classes, of which the third is all others."""
        names = list(view.orthant.variables)
        letters = {name: Fraction(self._random.randint(1, 9)) for name in names}
        letters["k"] = Fraction(2)
        numbers = [_polynomial(p, letters, names) for p in cells]
        rows = [numbers[3 * i : 3 * i + 3] for i in range(3)]
        if self.present and not (any(rows[2]) and any(row[2] for row in rows)):
            value = quantity(view.orthant, self.measure.of(view))  # with two classes only: nothing to compare with
            demand(isinstance(value, Quantity), "the measure is undefined")
            return value * self.turn
        return self.value(view, rows, letters)

    # Sums over classes taken apart

    def invariance(self) -> None:
        self._cases_are("zero")
        view, rows, letters = self.general(("s",) if self.statement.scales else ())
        ring: Any = view.orthant
        if self.statement.scales:
            letters["s"] = Fraction(1)
            g = ring.variables
            other = EveryView(view.policy, ring, of_polynomial(ring, g["n"] * g["s"]))
            other.scale = of_polynomial(ring, g["s"])
            image = rows
        else:
            other, image = view.T, [list(x) for x in zip(*rows, strict=True)]
        value = self.value(view, rows, letters)
        changed = quantity(ring, self.measure.of(other)) * self.turn
        seen = _number(changed * self.turn, rows, letters)
        known = float(self.measure.exact(image, undefined=self.check.undefined))
        demand(abs(seen - known) <= 1e-7 * max(1.0, abs(known)), "the image was read wrongly")
        difference = (value - changed).num
        demand(not difference or not expanded(ring, difference), "the two values are not the same")

    def baseline(self) -> None:
        demand(self.present, "only where every class occurs")
        certificate, s = self.check.certificate, self.statement
        if s.kind == kinds.EXPECTATION:
            self._affine()
        wanted = ["affine", "constant"] if s.kind == kinds.EXPECTATION else ["constant"]
        self._cases_are(*wanted)
        view, rows, letters = self.general(independent=True)
        value = self.value(view, rows, letters) * self.turn
        base = certificate.constants[s.constants[0]]
        named = certificate.cases[-1]["proof"].get("of")
        demand(named in (base, "constant"), f"the constant is {base}, and the case names {named}")
        for m in (2, 3, 4):
            known = str(self.measure.exact([[1] * m] * m, undefined=self.check.undefined))
            demand(str(_in_m(base, m)) == known, f"with {m} classes the constant is {known}, not {_in_m(base, m)}")
        demand(not s.across_m or "m" not in base, "the constant depends on the number of classes")
        self._constant(view, value)

    def _constant(self, view: EveryView, value: Quantity) -> None:
        """The value depends on the number of classes alone."""
        ring: Any = view.orthant
        sizes = {"n", *letters_from(0)}
        if not value.num or not value.letters & sizes:
            return
        above, below = expanded(ring, value.num), expanded(ring, value.den)
        key = next(iter(below))
        p, q = above.get(key, ring.constant(0)), below[key]
        same = ring.plus({k: x * q for k, x in above.items()}, {k: -x * p for k, x in below.items()})
        ratio = Quantity(ring, {RATIONAL: p} if p != 0 else {}, {RATIONAL: q})
        demand(not same and not ratio.letters & sizes, "the value is not constant where labelings are independent")

    def _affine(self) -> None:
        """For given class sizes the value is affine in the cells: they stand above the line, in linear sums, once."""
        view, rows, letters = self.general()
        value = self.value(view, rows, letters)
        ring: Any = view.orthant
        cells = cell_letters()
        above, below = expanded(ring, value.num) if value.num else {}, expanded(ring, value.den)
        demand(not cells & letters_of_sum(ring, below), "cells stand below the line")
        for key, p in above.items():
            with_cells = [name for name in key[1:] if cells & letters_of_atom(ring, name)]
            plain = ring.letters(p) | ring.letters(ring.roots[key[0]])
            demand(len(with_cells) < 2 and not cells & plain, "the value is not affine in the cells")
            for name in with_cells:
                demand(ring.atoms[name].kind in ("sum", "pairs"), f"{name} is not linear")
                body = ring.atoms[name].about[1]
                both = body.as_polynomials()
                demand(both is not None and not cells & ring.letters(both[1]), f"{name} is not linear in the cells")
                assert both is not None
                places = [k for k, letter in enumerate(ring.variables) if letter in cells]
                degrees = [sum(int(x[k]) for k in places) for x in both[0].monoms()]
                demand(max(degrees) <= 1, f"{name} is not linear in the cells")

    # Extremes, class by class

    def extreme(self) -> None:
        certificate, s = self.check.certificate, self.statement
        base = certificate.constants[s.constants[0]]
        for m in (2, 3, 4):
            rows = [[int((i == j) == (s.at == kinds.DIAGONAL)) for j in range(m)] for i in range(m)]
            demand(str(self.measure.exact(rows, undefined=self.check.undefined)) == base, f"the constant is not {base}")
        view, matrix, letters = self.general()
        value = self.value(view, matrix, letters)
        ring: Any = view.orthant
        gap = (constant(ring, Fraction(base) * self.turn) - value) * (1 if s.at == kinds.DIAGONAL else -1)
        demand(ring.sign_of_sum(gap.den) == 1, "the denominator is not positive")
        self._cases_are("classes")
        body = _of_one_class(ring, expanded(ring, gap.num), certificate.cases[0]["share"])
        both = body.as_polynomials()
        demand(both is not None and ring.sign(both[1]) == 1, "what a class adds has no positive denominator")
        assert both is not None
        self._signs(_class_signs(ring, both[0]))

    def _signs(self, signs: dict[tuple[int, ...], set[int]]) -> None:
        demand(all(x <= {0} or x == {1} for x in signs.values()), "what a class adds may be negative")
        strict = {case for case, x in signs.items() if x == {1}}
        if self.statement.at == kinds.DIAGONAL:
            demand(not any(not u and not v for _, u, v, _ in strict), "a class that is all right adds something")
            by_misses = all(case in strict for case in signs if case[1])
            by_alarms = all(case in strict for case in signs if case[2])
            demand(by_misses or by_alarms, "an error may add nothing")
        else:
            demand(strict == {case for case in signs if case[0]}, "a hit may add nothing, or a miss something")


def _renames(move: Any, other: Any) -> bool:
    return any(
        move.rises == other.rises and sorted((p[i], p[j], d) for i, j, d in other.changes) == sorted(move.changes)
        for p in permutations(range(3))
    )


def _of_one_class(ring: Any, apart: Sum, share: str) -> Quantity:
    """What one class adds to a combination of sums over classes."""
    g = ring.variables
    shares = {"m": (ring.one, g["k"] + 1), "true": (g["a0"], g["n"]), "predicted": (g["b0"], g["n"])}
    demand(share in shares, f"{share!r} is no way to share something out among the classes")
    total: Any = constant(ring, 0)
    for key, p in apart.items():
        if key == RATIONAL:
            body: Any = Quantity(ring, {RATIONAL: shares[share][0]}, {RATIONAL: shares[share][1]})
        else:
            atom = ring.atoms.get(key[-1])
            demand(
                len(key) == 2 and key[0] == "1" and atom.kind == "sum" and atom.about[0] == 0, "not a sum over classes"
            )
            body = atom.about[1]
        total = total + of_polynomial(ring, p) * body
    return total  # type: ignore[no-any-return]


def _class_signs(ring: Any, p: Any) -> dict[tuple[int, ...], set[int]]:
    """The signs of the coefficients in each case of which of c, a − c, b − c and the rest are 0."""
    g, signs = ring.variables, {}
    for case in product((0, 1), repeat=4):
        c, u, v, w = (g[name] * there for name, there in zip(("c0", "u", "v", "w"), case, strict=True))
        if not any(case) or (ring.present and 0 in (c + u, c + v, v + w, u + w)):
            continue
        images = {"c0": c, "a0": c + u, "b0": c + v, "n": c + u + v + w}
        there = p.compose(*(images.get(name, x) for name, x in g.items()))
        signs[case] = {1 if k > 0 else -1 for k in there.coeffs()}
    return signs


# Numbers put in for the letters


def _fractions(rows: list[list[int]]) -> list[list[Fraction]]:
    return [[Fraction(x) for x in row] for row in rows]


def _in_m(text: str, m: int) -> Any:
    """A constant that may depend on m, such as 1/m or (m - 2)/(m + 1), for one m; roots stay as they are."""
    if not re.fullmatch(r"[\d\sm+*/()^-]+", text):
        return text
    parts = [_evaluated(part, m) for part in re.split(r"(?<=\))/(?=\()", text)]
    return parts[0] / parts[1] if len(parts) == 2 else parts[0]


def _evaluated(text: str, m: int) -> Fraction:
    total, text = Fraction(0), text.strip("()").replace(" ", "").replace("-", "+-")
    for term in filter(None, text.split("+")):
        value = Fraction(-1 if term.startswith("-") else 1)
        for k, factor in enumerate(term.lstrip("-").split("/")):
            for x in factor.split("*"):
                base, _, power = x.partition("^")
                number = Fraction(m if base == "m" else int(base)) ** int(power or 1)
                value = value * number if k == 0 else value / number
        total += value
    return total


def _polynomial(p: Any, letters: Letters, names: list[str]) -> Fraction:
    values = [letters.get(name, Fraction(0)) for name in names]
    if all(x.denominator == 1 for x in values):
        return Fraction(int(p(*(x.numerator for x in values))))
    total = Fraction(0)
    for monomial, c in zip(p.monoms(), p.coeffs(), strict=True):
        factors = (letters[name] ** int(e) for name, e in zip(names, monomial, strict=True) if e)
        total += int(c) * math.prod(factors, start=Fraction(1))
    return total


def _number(x: Quantity, rows: list[list[Fraction]], letters: Letters) -> float:
    return _sum(x.orthant, x.num, rows, letters) / _sum(x.orthant, x.den, rows, letters)


def _sum(ring: Any, x: Sum, rows: list[list[Fraction]], letters: Letters) -> float:
    names, total = list(ring.variables), 0.0
    for key, p in x.items():
        term = float(_polynomial(p, letters, names)) * math.sqrt(_polynomial(ring.roots[key[0]], letters, names))
        for name in key[1:]:
            term *= _atom(ring, ring.atoms[name], rows, letters)
        total += term
    return total


def _atom(ring: Any, atom: Any, rows: list[list[Fraction]], letters: Letters) -> float:
    true, predicted = [sum(row) for row in rows], [sum(x) for x in zip(*rows, strict=True)]
    classes = range(len(rows))
    if atom.kind == "pi":
        return math.pi
    if atom.kind == "others":  # the third class, in the case that its letters are in
        d, told = atom.about[0], dict(zip(atom.about[1::2], atom.about[2::2], strict=True))
        h, miss, alarm = rows[2][2], true[2] - rows[2][2], predicted[2] - rows[2][2]
        rest = sum(true) - h - miss - alarm
        case = "".join(str(int(x > 0)) for x in (h, miss, alarm, rest))
        return _number(told[case], rows, {**letters, f"h{d}": h, f"p{d}": miss, f"q{d}": alarm, f"w{d}": rest})
    if atom.kind in ("sum", "pairs"):
        d, body = atom.about
        total = 0.0
        for i, j in product(classes, repeat=2):
            if (i == j) == (atom.kind == "sum"):
                local = {f"c{d}": rows[i][i], f"e{d}": rows[i][j], f"a{d}": true[i], f"b{d}": predicted[i]}
                local |= {f"a{d + 1}": true[j], f"b{d + 1}": predicted[j]} if i != j else {}
                total += _number(body, rows, {**letters, **local})
        return total
    inner = _number(atom.about[-1], rows, letters)
    return float(FUNCTIONS[atom.kind](inner)) if atom.kind != "power" else float(inner ** float(atom.about[0]))
