"""Lift a contradiction from one number of items to every greater one.

A contradiction at n = 3 says nothing about n = 1000. But its rows usually keep their shape: add items to one cell of
each matrix, and the same statements demand the same kind of rows about the larger matrices. So one looks for rows whose
matrices contain one cell n + c, with multipliers that are polynomials in n:

1. *Patterns.* List all rows for a small number of items, with every place at which items can be added (`Pattern`). For
   a row about class sizes the added items enlarge one true and one predicted size; for three labelings, one triple of
   labels.
2. *Selection.* Add nine items to each and let the linear program choose rows that contradict each other there.
3. *Interpolation.* For 14 values of n, compute the exact multipliers of the chosen rows. They must be unique up to a
   factor, which is fixed by setting one strict row's multiplier to 1. Fit each multiplier by the simplest quotient of
   polynomials in n through all points, and clear denominators.
4. *Verification.* Check the rows with n as a letter (`kernel/kinds/impossible.py`), for the least n that passes.

Steps 1 to 3 are guesswork, and nothing rests on them: a wrong interpolation fails in step 4, whose argument covers
every n ≥ least. The lifted proof may need other rows than the given one, and may be about matrices of n and n + 1 items
together (`spread`). That no proof is found does not mean that the properties become possible for large n: proofs in
which more than one cell of a matrix grows are not tried, and scale invariance is not lifted, since multiples of a
matrix do not arise by adding to one cell.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product
from math import gcd, lcm
from typing import TYPE_CHECKING

import numpy as np

from goodmeasure.theory.kernel import Refused, check
from goodmeasure.theory.possible.answer import plain, rows_certificate
from goodmeasure.theory.possible.demands import POSITIVE, Matrix
from goodmeasure.theory.possible.farkas import NumericalTrouble, contradiction, null_space
from goodmeasure.theory.possible.program import LinearProgram, ProgramRow, ProgramTooLarge
from goodmeasure.theory.statements.domain import Domain
from goodmeasure.theory.statements.lookup import statement as statement_of
from goodmeasure.theory.statements.statement import CellMap, Statement
from goodmeasure.typing import ReadJson

if TYPE_CHECKING:
    from flint import fmpq_poly

    from goodmeasure.theory.possible.program import LinearForm

_FAR = 9  # the number of items added to the growing cell where rows are selected
_POINTS = 14  # how many values of n the multipliers are computed for, to fit them and to test the fit
_FREE = 2  # how many more items than the given proof the patterns may start with
_MOST_PATTERNS = 60_000
Weights = list[Fraction]
AddedItems = tuple[int, ...]  # the true class of the added items, their predicted class, and a third label


def lifted(statements: Iterable[str], sizes: Sequence[int], m: int, domain: Domain) -> dict[str, ReadJson] | None:
    """Return a proof that statements exclude each other for every n from some n on; None if none is found.

    The sizes n, n + 1, … of the proof spread as far as the given ones. First all rows grow at the same cell on the
    diagonal; if that gives no proof, each row may grow anywhere. Of several proofs, the one with the fewest rows is
    returned.
    """
    spread = max(sizes) - min(sizes)
    corners: list[list[AddedItems]] = [[(c, c, c)] for c in range(m)]
    anywhere: list[list[AddedItems]] = [list(product(range(m), repeat=3))]
    for ways in (corners, anywhere):
        for start in range(min(sizes), min(sizes) + _FREE + 1):
            found = [_Family(tuple(statements), start, spread, m, domain, places).proof() for places in ways]
            proofs = [x for x in found if x is not None]
            if proofs:
                return min(proofs, key=lambda x: len(x["rows"]))
    return None


class _Family:
    """The rows on matrices of `start` … `start + spread` items, each with one growing cell at one of the places."""

    def __init__(
        self, statements: tuple[str, ...], start: int, spread: int, m: int, domain: Domain, places: list[AddedItems]
    ) -> None:
        self.statements, self.m, self.domain, self.places = statements, m, domain, places
        self.start, self.spread = start, spread
        self.named = {x: statement_of(x) for x in statements}

    def _sizes(self, more: int) -> tuple[int, ...]:
        return tuple(range(self.start + more, self.start + self.spread + 1 + more))

    def _at(self, patterns: list[Pattern], more: int) -> list[ProgramRow | None]:
        """Return the rows with a number of added items; None where the statement no longer demands one."""
        inside = Corner(list(self.named.values()), self._sizes(more), self.m, self.domain)
        return [inside.row(self.named[x.statement], x.moved(more, self.m)) for x in patterns]

    def proof(self) -> dict[str, ReadJson] | None:
        """Return the verified proof for every n from this family of rows; None if there is none."""
        try:
            chosen = self._chosen()
        except (ProgramTooLarge, NumericalTrouble):
            return None
        fitted = None if chosen is None else self._fitted(chosen)
        return None if chosen is None or fitted is None else self._certificate(chosen, fitted)

    def _chosen(self) -> list[Pattern] | None:
        """Return a few patterns that contradict each other with many added items."""
        if any(x.scales for x in self.named.values()):
            return None  # multiples of a matrix do not arise by adding to one cell
        base = LinearProgram(list(self.named.values()), self._sizes(0), self.m, self.domain).rows
        patterns = [Pattern(row.statement, row.about, x) for row in base for x in self._places(row)]
        if len(patterns) > _MOST_PATTERNS:
            return None
        rows = self._at(patterns, _FAR)
        far = {id(row): x for row, x in zip(rows, patterns, strict=True) if row is not None}
        found = contradiction([row for row in rows if row is not None])
        return None if found is None else [far[id(row)] for _, row in found]

    def _places(self, row: ProgramRow) -> list[AddedItems]:
        """Return the places that make a difference for a row."""
        depth = 3 if "labelings" in row.about else 2 if "true" not in row.about or "predicted" in row.about else 1
        return list({x[:depth]: x for x in self.places}.values())

    def _fitted(self, chosen: list[Pattern]) -> list[list[int]] | None:
        """Return the multipliers as polynomials in n (integers, the constant first); None if no fit is found."""
        points, samples, first = [], [], 0
        for more in range(2, 2 + _POINTS):
            rows = self._at(chosen, more)
            kernel = null_space([row.form for row in rows if row is not None])
            if None in rows or len(kernel) != 1:
                return None
            first = next(k for k, row in enumerate(rows) if row is not None and row.relation == POSITIVE)
            if not kernel[0][first]:
                return None
            points.append(Fraction(self.start + more))
            samples.append([w / kernel[0][first] for w in kernel[0]])
        fractions = [_rational(points, [s[k] for s in samples]) for k in range(len(chosen))]
        return None if None in fractions else _cleared([x for x in fractions if x is not None], first)

    def _certificate(self, chosen: list[Pattern], multipliers: list[list[int]]) -> dict[str, ReadJson] | None:
        """Return the proof with the least n for which it passes verification; None if it never does."""
        relations = [row.relation for row in self._at(chosen, 2) if row is not None]
        sizes = [f"n{k:+d}" if k else "n" for k in range(self.spread + 1)]
        rows = [
            {
                "statement": x.statement,
                "about": plain(x.grown(self.start, self.m)),
                "relation": relation,
                "multiplier": polynomial_text(weight),
            }
            for x, relation, weight in zip(chosen, relations, multipliers, strict=True)
        ]
        used = {x.statement for x in chosen}
        names = tuple(x for x in self.statements if x in used)
        data = rows_certificate(names, sizes, self.m, self.domain.name, rows)
        for least in range(1, self.start + 4):
            found = {**data, "least": least}
            try:
                check(found)
            except Refused:
                continue
            return found
        return None


class Corner(LinearProgram):
    """A program that is asked for single rows, so that its matrices need not be listed."""

    def __init__(self, statements: list[Statement], sizes: tuple[int, ...], m: int, domain: Domain) -> None:
        self.statements, self.sizes, self.m, self.domain = statements, sizes, m, domain
        self._seen: dict[Matrix, bool] = {}

    def holds(self, *found: Matrix) -> bool:
        return all(self._holds(x) for x in found)

    def _holds(self, x: Matrix) -> bool:
        if x not in self._seen:
            inside = min(map(min, x)) >= 0 and sum(map(sum, x)) in self.sizes
            self._seen[x] = inside and bool(self.domain.holds(np.array(x)))
        return self._seen[x]


@dataclass(frozen=True)
class Pattern:
    """A row that grows with n: its statement, its subject at the start, and the place of the growing cell."""

    statement: str
    about: Mapping[str, ReadJson] = field(hash=False)
    place: AddedItems

    def moved(self, more: int, m: int) -> dict[str, ReadJson]:
        """Return the subject of the row with a number of added items."""
        return self._changed(lambda x: x + more, m)

    def grown(self, start: int, m: int) -> dict[str, ReadJson]:
        """Return the subject of the row with the growing cell written in n, where n = `start` is the original."""
        return self._changed(lambda x: f"n{x - start:+d}" if x != start else "n", m)

    def _changed(self, change: Callable[[int], object], m: int) -> dict[str, ReadJson]:
        about = {key: self._placed(key, value, change) for key, value in self.about.items()}
        if "image" in about:
            of = statement_of(self.about.get("part", self.statement))
            image = next(x for x in of.maps(m) if _image(x, self.about["matrix"]) == self.about["image"])
            about["image"] = _image(image, about["matrix"])
        return about

    def _placed(self, key: str, value: ReadJson, change: Callable[[int], object]) -> ReadJson:
        if key == "part":
            return value
        return _at_place(value, self.place[1:] if key == "predicted" else self.place, change)


def _image(image: CellMap, x: ReadJson) -> ReadJson:
    return tuple(tuple(x[p][q] for p, q in row) for row in image)


def _at_place(value: ReadJson, place: AddedItems, change: Callable[[int], object]) -> ReadJson:
    """Return a nested tuple with one entry changed."""
    if not isinstance(value, tuple):
        return change(value)
    return tuple(_at_place(x, place[1:], change) if k == place[0] else x for k, x in enumerate(value))


def _rational(points: Weights, values: Weights) -> tuple[Weights, Weights] | None:
    """Return numerator and denominator of the quotient of polynomials of least degree through all points, or None."""
    for degree in range((len(points) - 2) // 2):
        forms = [
            {**{("p", k): x**k for k in range(degree + 1)}, **{("q", k): -y * x**k for k in range(degree + 1)}}
            for x, y in zip(points, values, strict=True)
        ]
        found = _solution(forms, degree)
        if found is not None:
            return found
    return None


def _solution(forms: list[dict[tuple[str, int], Fraction]], degree: int) -> tuple[Weights, Weights] | None:
    """Return coefficients p and q, not all q 0, with which every form vanishes; None if there are none."""
    keys = [(letter, k) for letter in "pq" for k in range(degree + 1)]
    columns: list[LinearForm] = [{str(i): form[key] for i, form in enumerate(forms) if form[key]} for key in keys]
    for weights in null_space(columns):
        p, q = weights[: degree + 1], weights[degree + 1 :]
        if any(q):
            return p, q
    return None


def _cleared(fractions: list[tuple[Weights, Weights]], positive: int) -> list[list[int]]:
    """Return the fractions times a common denominator: integer polynomials without a common factor.

    Their sign is chosen so that the leading coefficient of the multiplier number `positive` is positive.
    """
    from goodmeasure.packages import flint

    def poly(weights: Weights) -> flint.fmpq_poly:
        return flint.fmpq_poly([flint.fmpq(w.numerator, w.denominator) for w in weights])

    tops, bottoms = [poly(p) for p, _ in fractions], [poly(q) for _, q in fractions]
    common = bottoms[0]
    for x in bottoms[1:]:
        common = common * (x // common.gcd(x))
    whole = [top * (common // bottom) for top, bottom in zip(tops, bottoms, strict=True)]
    shared = whole[0]
    for x in whole[1:]:
        shared = shared.gcd(x)
    weights = [_coefficients(x // shared) for x in whole]
    scale = lcm(*(w.denominator for row in weights for w in row))
    numbers = [[int(w * scale) for w in row] for row in weights]
    factor = gcd(*(w for row in numbers for w in row)) or 1
    leading = next(w for w in reversed(numbers[positive]) if w)
    return [[w // factor * (1 if leading > 0 else -1) for w in row] for row in numbers]


def _coefficients(x: fmpq_poly) -> Weights:
    return [Fraction(int(x[k].p), int(x[k].q)) for k in range(max(0, x.degree()) + 1)]


def polynomial_text(weights: list[int]) -> str:
    """Return a polynomial in n as a certificate writes it, such as "2*n^2-3*n+1"."""
    terms = []
    for k in range(len(weights) - 1, -1, -1):
        if weights[k]:
            letter = "" if k == 0 else "n" if k == 1 else f"n^{k}"
            number = f"{abs(weights[k])}" + ("*" if letter else "")
            number = "" if abs(weights[k]) == 1 and letter else number
            terms.append(("-" if weights[k] < 0 else "+") + number + letter)
    return "".join(terms).removeprefix("+") or "0"
