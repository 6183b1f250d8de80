"""Check certificates about every number m ≥ 2 of classes.

The definition is read on a view in which a class is a few letters: its cell c, its true size a, its predicted size b,
and n; m is the letter k plus 1. It must run without asking anything about a class index, so it treats all classes
alike. A sum over classes stays closed: it is an atom that remembers what one class adds. There are four kinds of
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
  Terms that depend on no class are shared out among the classes by weights that add up to 1 (1/m, a/n or b/n; the
  certificate says which). Then what one class adds is examined in each case of which of c, a − c, b − c and the rest
  are 0: it must never be negative, must be 0 for a class without errors, and positive for every class with misses (or
  for every class with false alarms). A matrix that is not diagonal has a class of either kind, so its gap is positive.
  For minimal agreement it must be positive for the classes with right predictions and 0 for all others.
* *Baselines*, where every class occurs: the value on c_ij = a_i b_j / n is a function of m alone. For averages over
  random predictions the value must also be affine in the cells for given class sizes, so that its mean is its value on
  the mean matrix; `_affine` shows this from the form of the expanded sums.

The reading itself is that of `theory/algebra`, which the prover uses too; it is compared with the exact value on one
matrix of three classes.
"""

from __future__ import annotations

import math
import random
import re
from fractions import Fraction
from itertools import permutations, product
from typing import TYPE_CHECKING, Any

from goodmeasure.language.policy import policy_of
from goodmeasure.theory.algebra.class_sums import expanded, function_of_m
from goodmeasure.theory.algebra.every_m import Class, EveryOrthant, EveryView, cell_letters
from goodmeasure.theory.algebra.orthant import RATIONAL, Outside, Sum
from goodmeasure.theory.algebra.parametricity import tells_no_classes_apart
from goodmeasure.theory.algebra.quantities import (
    Quantity,
    constant,
    letters_of_atom,
    letters_of_sum,
    of_polynomial,
)
from goodmeasure.theory.algebra.support_patterns import read
from goodmeasure.theory.statements import statement as kinds
from goodmeasure.theory.statements.goesgens import class_permutations
from goodmeasure.theory.verify.every_m_signs import CertificateError, check_positive, demand

if TYPE_CHECKING:
    from goodmeasure.theory.verify.verify import Check

FUNCTIONS: dict[str, Any] = {
    "arccos": lambda y: math.acos(max(-1.0, min(1.0, y))),
    "sqrt": lambda y: math.sqrt(max(0.0, y)),
    "log": math.log,
}
_CELLS = [f"z{i}_{j}" for i in range(3) for j in range(3)]
Letters = dict[str, Fraction]


class EveryCheck:
    """The check of one certificate about every number of classes."""

    def __init__(self, check: Check) -> None:
        self.check, self.statement, self.measure = check, check.statement, check.measure
        self.present = check.domain.name == "regular"
        self.turn = -1 if self.measure.orientation == "lower" else 1
        self._random = random.Random(11)

    def run(self) -> None:
        """Check the certificate, by the kind of its statement."""
        s = self.statement
        demand(tells_no_classes_apart(self.measure.of), f"{self.measure.name} may treat classes differently")
        self._renaming_changes_nothing()
        try:
            if s.maps is class_permutations:
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
        """Demand that the certificate has exactly these cases, by the way each is proved."""
        found = [case.get("proof", {}).get("by") for case in self.check.certificate.cases]
        demand(found == list(wanted), f"the cases are {found}: expected {list(wanted)}")

    def _matrix(self, m: int) -> list[list[int]]:
        largest = self._random.choice((9, 10**3, 10**6))
        return [[self._random.randint(1, largest) for _ in range(m)] for _ in range(m)]

    def _renaming_changes_nothing(self) -> None:
        """Demand that one matrix of three classes has the same value under all names of its classes: a spot check."""
        rows = self._matrix(3)
        values = {
            self.measure.exact([[rows[p[i]][p[j]] for j in range(3)] for i in range(3)], undefined="nan")
            for p in permutations(range(3))
        }
        demand(len(values) == 1, f"{self.measure.name} treats classes differently")

    def value(self, view: EveryView, rows: list[list[Fraction]], letters: Letters) -> Any:
        """Return the value on a view, after comparing it with the exact value on a matrix that the letters describe."""
        value = read(self.measure.of, view)
        demand(isinstance(value, Quantity), "the measure is undefined")
        seen = _number(value, rows, letters)
        known = float(self.measure.exact(rows, undefined=self.check.undefined))
        demand(abs(seen - known) <= 1e-7 * max(1.0, abs(known)), f"on {rows} the measure is {known}, read as {seen}")
        return value * self.turn

    def general(self, extra: tuple[str, ...] = (), *, independent: bool = False) -> tuple[EveryView, Any, Letters]:
        """Return a view without named classes, and a matrix of three classes with its letters to compare it on."""
        ring = EveryOrthant(extra, present=self.present, independent=independent)
        view = EveryView(policy_of(self.check.undefined), ring, of_polynomial(ring, ring.variables["n"]))
        x, y = self._matrix(3)[:2]
        rows = [[Fraction(p * q) for q in y] for p in x] if independent else _fractions(self._matrix(3))
        return view, rows, {"n": Fraction(sum(map(sum, rows))), "k": Fraction(2)}

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

    def _move(self, ring: EveryOrthant, support: str, move: Any, node: Any) -> None:
        """Check one case of a move: form both values and demand the sign of their difference."""
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
        """Return the value with two named classes, after comparing it on a matrix whose third class is the rest."""
        names = list(view.orthant.variables)
        letters = {name: Fraction(self._random.randint(1, 9)) for name in names}
        letters["k"] = Fraction(2)
        numbers = [_polynomial(p, letters, names) for p in cells]
        rows = [numbers[3 * i : 3 * i + 3] for i in range(3)]
        if self.present and not (any(rows[2]) and any(row[2] for row in rows)):
            value = read(self.measure.of, view)  # no third class: nothing to compare with
            demand(isinstance(value, Quantity), "the measure is undefined")
            return value * self.turn
        return self.value(view, rows, letters)

    # Expanded sums over classes

    def invariance(self) -> None:
        """Check symmetry or scale invariance: the two values are the same after their sums are expanded."""
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
        changed = read(self.measure.of, other)
        demand(isinstance(changed, Quantity), "the measure is undefined")
        changed = changed * self.turn
        seen = _number(changed * self.turn, rows, letters)
        known = float(self.measure.exact(image, undefined=self.check.undefined))
        demand(abs(seen - known) <= 1e-7 * max(1.0, abs(known)), "the image was read wrongly")
        difference = (value - changed).num
        demand(not difference or not expanded(ring, difference), "the two values are not the same")

    def baseline(self) -> None:
        """Check that random predictions score a constant that may depend on m, where every class occurs."""
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
        self._constant(view, value, base)

    def _constant(self, view: EveryView, value: Quantity, base: str) -> None:
        """Demand that a value is the stated function of m, for every m; a number if the statement is across m.

        The value, its sums expanded, is p/q with polynomials in m. Two such quotients are equal if they agree at more
        places than the sum of their degrees; the degree of the stated one is at most the length of its text.
        """
        if value.num and not value.letters and value.as_polynomials() is None:
            return  # a number with roots or angles: its exact value was compared
        both = function_of_m(view.orthant, value)  # type: ignore[arg-type]
        demand(both is not None, "the value is not constant where labelings are independent")
        assert both is not None
        places = 2 * len(base) + sum(int(x.total_degree()) for x in both) + 2
        demand(places < 2000, "the constant is too long")
        names, found = list(view.orthant.variables), set()
        for m in range(2, 2 + places):
            top, bottom = (_polynomial(x, {"k": Fraction(m - 1)}, names) for x in both)
            found.add(top / bottom)
            demand(_in_m(base, m) == top / bottom, f"with {m} classes the constant is {top / bottom}, not {base}")
        demand(not self.statement.across_m or len(found) == 1, "the constant depends on the number of classes")

    def _affine(self) -> None:
        """Demand that the value is affine in the cells for given class sizes.

        After expanding, cells may occur only in the numerator, in at most one closed sum of each term, and what that
        sum adds for a class (or a pair of classes) must be linear in the cells over a denominator free of them.
        """
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
        """Check maximal or minimal agreement, by what each class adds to the gap between value and constant."""
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
        """Demand the signs that make the gap 0 on extreme matrices and positive on all others."""
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
    """Return what one class adds to a linear combination of sums over classes."""
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
    """Return the signs of the coefficients in each case of which of c, a − c, b − c and the rest are 0."""
    g, signs = ring.variables, {}
    for case in product((0, 1), repeat=4):
        c, u, v, w = (g[name] * there for name, there in zip(("c0", "u", "v", "w"), case, strict=True))
        if not any(case) or (ring.present and 0 in (c + u, c + v, v + w, u + w)):
            continue
        images = {"c0": c, "a0": c + u, "b0": c + v, "n": c + u + v + w}
        there = p.compose(*(images.get(name, x) for name, x in g.items()))
        signs[case] = {1 if k > 0 else -1 for k in there.coeffs()}
    return signs


# Values at numbers


def _fractions(rows: list[list[int]]) -> list[list[Fraction]]:
    return [[Fraction(x) for x in row] for row in rows]


def _in_m(text: str, m: int) -> Any:
    """Return a constant such as 1/m or (m - 2)/(m + 1) for one m; text with roots is returned unchanged."""
    if not re.fullmatch(r"[\d\sm+*/()^-]+", text):
        return text
    parts = [_evaluated(part, m) for part in re.split(r"(?<=\))/(?=\()", text)]
    return parts[0] / parts[1] if len(parts) == 2 else parts[0]


def _evaluated(text: str, m: int) -> Fraction:
    """Return a sum of products and quotients of integers and powers of m, for one m."""
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
    """Return the value of an atom on a matrix, as a float; sums over classes are added up."""
    true, predicted = [sum(row) for row in rows], [sum(x) for x in zip(*rows, strict=True)]
    classes = range(len(rows))
    if atom.kind == "pi":
        return math.pi
    if atom.kind == "others":  # the third class, with its letters; which of them are 0 picks the case
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
