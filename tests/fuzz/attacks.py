"""Counterexamples among large matrices: every property tried at random cells of all sizes, and at the rim of supports.

What few items show is in `tests/theory/brute_force.py`. Here cells are 0, 1, small, huge, equal to each other, one off,
a multiple of another, or near a number that stands in the definition. Everything is compared exactly.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from itertools import permutations, product
from random import Random
from typing import Any

from goodmeasure.language.exact.number_parsing import read_exact
from goodmeasure.language.policy import Undecided
from tests.theory import brute_force as plain
from tests.theory.brute_force import Cells

_FEW = {2: 5, 3: 3}  # items up to which all matrices are tried, by the number of classes
_ENOUGH = 40  # items up to which averages over all predictions are computed, for two classes


def seen(measure: Any, rows: Any, undefined: Any) -> Any:
    """Return what a user sees who calls a function with one matrix: exactly, if the exact value is the same."""
    whole = [[x if isinstance(x, int) else int(x) if x.denominator == 1 else float(x) for x in row] for row in rows]
    number = float(measure(whole, undefined=undefined))
    try:
        exact = measure.exact(rows, undefined=undefined)
        return exact if abs(float(exact) - number) <= 1e-9 * max(1.0, abs(number)) else number
    except Exception:  # noqa: BLE001 - a function that floats can run need not run on exact numbers
        return number


class Seen(plain.Values):
    """The values of a function as a user sees them who calls it with one matrix of integers at a time."""

    def prepare(self, listed: list[Cells]) -> None:
        m = self.m
        for c in listed:
            if c not in self._floats:
                value = seen(self.measure, [c[i * m : (i + 1) * m] for i in range(m)], self.undefined)
                self._floats[c], self._exact[c] = float(value), self.turn * value

    def exact(self, c: Cells) -> Any:
        self.prepare([c])
        return self._exact[c]


class Exactly(plain.Values):
    """Values that are never rounded."""

    def prepare(self, listed: list[Cells]) -> None:
        for c in listed:
            if c not in self._floats:
                self._floats[c] = self.turn * float(self.exact(c))

    def order(self, x: Cells, y: Cells) -> int:
        return plain._sign(self.exact(x) - self.exact(y))

    def differ(self, x: Cells, y: Cells) -> bool:
        return self.order(x, y) != 0


class Target:
    """A measure with a number of classes, a domain and a policy, and random matrices on which it is attacked."""

    def __init__(
        self, measure: Any, m: int, domain: str, undefined: Any, rng: Random, numbers: list[int], *, hostile: bool
    ) -> None:
        self.hostile = hostile
        self.measure, self.m, self.domain, self.undefined, self.rng = measure, m, domain, undefined, rng
        self.numbers = [k + d for k in numbers for d in (-1, 0, 1)]
        self.constants: dict[str, str] = {}  # those that the claim states
        self._first: dict[Any, Cells | None] = {}
        self.turn = -1 if measure.orientation == "lower" else 1

    def value(self, c: Cells) -> Any:
        """Return the exact value, turned so that higher is better; None where there is none."""
        rows = [list(c[i * self.m : (i + 1) * self.m]) for i in range(self.m)]
        if self.hostile:
            number = seen(self.measure, rows, self.undefined)
            return self.turn * number if math.isfinite(float(number)) else None
        found = self.measure.exact(rows, undefined=self.undefined)
        return None if math.isnan(float(found)) else self.turn * found

    def order(self, x: Cells, y: Cells) -> int | None:
        """Return the sign of M(x) − M(y); None where one has no value or nothing decides it."""
        one, two = self.value(x), self.value(y)
        if one is None or two is None:
            return None
        rounded = isinstance(one, float) or isinstance(two, float)
        if rounded and abs(float(one) - float(two)) < 1e-7 * max(1.0, abs(float(one))):
            return None
        try:
            return int((one > two) - (one < two))
        except Undecided:
            return None

    def cell(self, others: list[int]) -> int:
        kind = self.rng.randrange(9)
        if kind < 2:
            return 0
        if kind == 2:
            return 1
        if kind == 3 and self.numbers:
            return max(0, self.rng.choice(self.numbers))
        if kind == 4 and others:
            return max(0, self.rng.choice(others) + self.rng.choice((-1, 0, 0, 1)))
        if kind == 5 and others:
            return self.rng.choice(others) * self.rng.choice((2, 3, *self.numbers[:3], 30))
        return self.rng.randint(0, self.rng.choice((3, 12, 100, 10**4, 10**9)))

    def cells(self, size: int) -> list[int]:
        found: list[int] = []
        for _ in range(size):
            found.append(self.cell(found))
        self.rng.shuffle(found)
        return found

    def matrix(self) -> Cells:
        """Return a random matrix of the domain; often its number of items is near a number of the definition."""
        for _ in range(50):
            c = self.cells(self.m**2)
            if self.numbers and self.rng.random() < 0.3:
                k = self.rng.randrange(len(c))
                c[k] = max(0, self.rng.choice(self.numbers) - (sum(c) - c[k]))
            if self.rng.random() < 0.15:
                c = [x if plain_diagonal(k, self.m) else 0 for k, x in enumerate(c)]
            elif self.rng.random() < 0.15:
                c = [0 if plain_diagonal(k, self.m) else x for k, x in enumerate(c)]
            if plain.in_domain(tuple(c), self.m, self.domain):
                return tuple(c)
        return (1,) * self.m**2

    def first(self, special: Callable[[Cells, int], bool]) -> Cells | None:
        """Return the first matrix of up to three items that is special, lies in the domain and has a value."""
        if special not in self._first:
            small = [c for n in (1, 2, 3) for c in plain.all_matrices(n, self.m) if special(c, self.m)]
            self._first[special] = next((c for c in small if self.inside(c) and self.value(c) is not None), None)
        return self._first[special]

    def inside(self, c: Cells) -> bool:
        return plain.in_domain(c, self.m, self.domain)


def plain_diagonal(k: int, m: int) -> bool:
    return k // m == k % m


Attack = Callable[[Target], Any]  # returns a counterexample, or None


def _extreme(special: Callable[[Cells, int], bool], sense: int) -> Attack:
    def attack(t: Target) -> Any:
        best, c = t.first(special), t.matrix()
        if best is None:
            return None
        order = t.order(c, best)
        if order is None:
            return None
        fails = order != 0 if special(c, t.m) else order * sense >= 0
        return (c, best) if fails else None

    return attack


def _same(image: Callable[[Target, Cells], Cells]) -> Attack:
    def attack(t: Target) -> Any:
        c = t.matrix()
        other = image(t, c)
        return (c, other) if t.inside(other) and t.order(c, other) not in (0, None) else None

    return attack


def _renamed(t: Target, c: Cells) -> Cells:
    p = t.rng.choice(list(permutations(range(t.m))))
    return tuple(c[p[i] * t.m + p[j]] for i, j in product(range(t.m), repeat=2))


def _turned(t: Target, c: Cells) -> Cells:
    return tuple(c[j * t.m + i] for i, j in product(range(t.m), repeat=2))


def _scaled(t: Target, c: Cells) -> Cells:
    factor = t.rng.choice((2, 3, 10, 10**6, Fraction(1, 3)))
    return tuple(x * factor for x in c)


def _rows_scaled(t: Target, c: Cells) -> Cells:
    factors = [t.rng.choice((1, 2, 7, 10**6, Fraction(1, 3))) for _ in range(t.m)]
    return tuple(x * factors[k // t.m] for k, x in enumerate(c))


def _moves(name: str) -> Attack:
    def attack(t: Target) -> Any:
        m, c = t.m, t.matrix()
        i, j = t.rng.sample(range(m), 2)
        strict, sense = True, 1
        if name == "monotone":
            d = t.rng.choice((i, j))
            changes = {i * m + j: -1, d * m + d: 1}
        elif name == "sebastiani_mon":
            changes = {i * m + j: -1, i * m + i: 1}
        elif name == "strongly_monotone":
            changes = t.rng.choice(({i * m + i: 1}, {i * m + j: -1}))
        else:
            strict, sense = False, t.rng.choice((1, -1))
            changes = {i * m + (i if sense > 0 else j): 1}
        after = tuple(x + changes.get(k, 0) for k, x in enumerate(c))
        if name in ("monotone", "strongly_monotone") and not plain._not_unary(c, m):
            return None
        if name == "strongly_monotone" and any(f(c, m) and f(after, m) for f in (plain.diagonal, plain.hollow)):
            return None
        order = t.order(after, c) if t.inside(after) else None
        return None if order is None or order * sense > 0 or (order == 0 and not strict) else (c, after)

    return attack


def _distance(t: Target) -> Any:
    for part in ("symmetry", "maximal_agreement"):
        if found := ATTACKS[part](t):
            return part, found
    m = t.m
    counts = t.cells(m**3)
    sides = []
    for x, y in ((0, 1), (1, 2), (0, 2)):
        cells = [0] * (m * m)
        for labels, k in zip(product(range(m), repeat=3), counts, strict=True):
            cells[labels[x] * m + labels[y]] += k
        sides.append(tuple(cells))
    best = tuple(int(plain_diagonal(k, m)) for k in range(m * m))
    if not all(t.inside(x) for x in (*sides, best)):
        return None
    values = [t.value(x) for x in (*sides, best)]
    if any(x is None for x in values):
        return None
    try:
        return sides if values[3] + values[2] - values[0] - values[1] < 0 else None
    except Undecided:
        return None


def _sizes(t: Target, *, constant: bool) -> Cells:
    while True:
        found = tuple(t.cells(t.m))
        if any(found) and (constant or not plain.constant(found)):
            return found


def _independent(constant_truth: bool, constant_guess: bool) -> Attack:
    def attack(t: Target) -> Any:
        found = []
        for _ in range(6):
            a, b = _sizes(t, constant=constant_truth), _sizes(t, constant=constant_guess)
            c = tuple(Fraction(x * y, sum(b)) for x in a for y in b)
            if t.inside(c) and t.value(c) is not None:
                found.append(c)
        return next(((found[0], c) for c in found[1:] if t.order(found[0], c) not in (0, None)), None)

    return attack


def _mean(t: Target, weights: dict[Cells, int]) -> Any:
    total: Any = 0
    for c, k in weights.items():
        value = t.value(c)
        if value is None:
            return None
        total = total + value * k
    return total / sum(weights.values())


def _baseline(t: Target) -> Any:
    if t.m != 2:
        return None
    means = []
    for _ in range(2):
        n = t.rng.randint(2, _ENOUGH)
        a, b = t.rng.randint(0, n), t.rng.randint(1, n - 1)
        weights = {
            (n - a - b + k, b - k, a - k, k): math.comb(a, k) * math.comb(n - a, b - k)
            for k in range(max(0, a + b - n), min(a, b) + 1)
        }
        if all(t.inside(c) for c in weights):
            means.append(((n, a, b), _mean(t, weights)))
    return _differ(means)


def _guessing(t: Target) -> Any:
    if t.m != 2:
        return None
    means = []
    for _ in range(2):
        n = t.rng.randint(2, 16)
        a = t.rng.randint(0, n)
        weights = {
            (n - a - k, k, a - j, j): math.comb(a, j) * math.comb(n - a, k)
            for j in range(a + 1)
            for k in range(n - a + 1)
        }
        weights = {c: w for c, w in weights.items() if t.inside(c)}
        if weights:
            means.append(((n, a), _mean(t, weights)))
    return _differ(means)


def _differ(means: list[Any]) -> Any:
    known = [x for x in means if x[1] is not None]
    try:
        return means if len(known) == 2 and known[0][1] != known[1][1] else None
    except Undecided:
        return None


def _range(t: Target) -> Any:
    if t.m != 2:
        return None
    ends = []
    for _ in range(2):
        n = t.rng.randint(1, 14)
        a = t.rng.randint(0, n)
        listed = [(n - a - k, k, a - j, j) for j in range(a + 1) for k in range(n - a + 1)]
        values = [t.value(c) for c in listed if t.inside(c)]
        known = [x for x in values if x is not None]
        if known:
            try:
                ends.append(((n, a), min(known), max(known)))
            except Undecided:
                return None
    try:
        return ends if len(ends) == 2 and (ends[0][1] != ends[1][1] or ends[0][2] != ends[1][2]) else None
    except Undecided:
        return None


def _constant_predictions(t: Target) -> Any:
    j, found = t.rng.randrange(t.m), []
    for _ in range(2):
        a = [max(1, x) for x in t.cells(t.m)]
        c = tuple(a[i] if k == j else 0 for i in range(t.m) for k in range(t.m))
        if t.inside(c):
            found.append(c)
    return tuple(found) if len(found) == 2 and t.order(*found) not in (0, None) else None


def _defined(t: Target) -> Any:
    c = t.matrix()
    return c if t.value(c) is None else None


def _defined_together(t: Target) -> Any:
    c = t.matrix()
    moved = list(c)
    i = t.rng.randrange(t.m)
    row = c[i * t.m : (i + 1) * t.m]
    j = t.rng.randrange(t.m)
    for k in range(t.m):
        moved[i * t.m + k] = sum(row) if k == j else 0
    other = tuple(moved)
    return (c, other) if t.inside(other) and (t.value(c) is None) != (t.value(other) is None) else None


def _indifferent(t: Target) -> Any:
    c, m = t.matrix(), t.m
    right = t.rng.random() < 0.5
    places = [k for k in range(m * m) if plain_diagonal(k, m) == right]
    x, y = t.rng.sample(places, 2)
    ends = [tuple(v + (k == place) for k, v in enumerate(c)) for place in (x, y)]
    return tuple(ends) if all(map(t.inside, ends)) and t.order(*ends) not in (0, None) else None


def _rough(t: Target) -> Any:
    c = t.matrix()
    if sum(c) > 10**4 or t.value(c) is None:
        return None
    values = plain.Values(t.measure, t.m, t.domain, t.undefined)
    return c if plain._rough(values, c) else None


def _not_a_sum(t: Target) -> Any:
    """Return a square on which M^p is not a sum of functions of one row and column each; p is stated."""
    c, m, p = t.matrix(), t.m, int(t.constants["p"])
    i, j, *others = t.rng.sample(range(m), min(m, 3))
    one = i * m + i
    two = t.rng.choice([j * m + j, *(j * m + k for k in others), *(k * m + j for k in others)])
    square = [tuple(x + (q in chosen) for q, x in enumerate(c)) for chosen in ((), (one,), (two,), (one, two))]
    values = [t.value(x) if t.inside(x) else None for x in square]
    if any(x is None or (p != 1 and x * t.turn <= 0) for x in values):
        return None
    a, b, d, e = (x * t.turn for x in values)
    try:
        return square if (a * e != b * d if p == 0 else a**p + e**p != b**p + d**p) else None
    except Undecided:
        return None


def _better_guess(t: Target) -> Any:
    """Return a guess that scores more than the stated best one."""
    a, b = _sizes(t, constant=True), _sizes(t, constant=True)
    c = tuple(Fraction(x * y, sum(b)) for x in a for y in b)
    value = t.value(c) if t.inside(c) else None
    omega = float(read_exact(t.constants["omega"])) * t.turn
    return None if value is None or float(value) <= omega + 1e-9 * max(1.0, abs(omega)) else c


ATTACKS: dict[str, Attack] = {
    "maximal_agreement": _extreme(plain.diagonal, 1),
    "minimal_agreement": _extreme(plain.hollow, -1),
    "class_symmetry": _same(_renamed),
    "sebastiani_sym": _same(_renamed),
    "symmetry": _same(_turned),
    "scale_invariance": _same(_scaled),
    "opitz_prevalence_invariant": _same(_rows_scaled),
    **{x: _moves(x) for x in ("monotone", "strongly_monotone", "sebastiani_mon", "opitz_monotone")},
    "distance": _distance,
    "approximate_constant_baseline": _independent(True, False),
    "approximate_constant_baseline(order=1)": _independent(False, False),
    "approximate_constant_baseline(order=2)": _independent(False, False),
    "approximate_constant_baseline(order=3)": _independent(False, False),
    "opitz_chance_corrected_strictly": _independent(True, True),
    "constant_baseline": _baseline,
    "sebastiani_cha": _guessing,
    "sebastiani_fix": _range,
    "sebastiani_imb": _constant_predictions,
    "sebastiani_sde": _defined,
    "sebastiani_wde": _defined_together,
    "sebastiani_con": _rough,
    "opitz_class_indifferent": _indifferent,
    "opitz_class_decomposable": _not_a_sum,
    "opitz_chance_corrected": _better_guess,
}


def instance(measure: Any, name: str, m: int, domain: str, undefined: Any) -> str | None:
    """Return in words that a statement speaks of something with few items; None where it does not."""
    values = plain.Values(measure, m, domain, "nan" if name in plain.BARE else undefined)
    found = plain.PROPERTIES[name](values, _FEW.get(m, 0)) if name in plain.PROPERTIES else plain.Found(None, 0)
    return f"{found.seen} cases with few items" if found.seen else None


def counterexample(
    measure: Any,
    name: str,
    m: int,
    domain: str,
    undefined: Any,
    rng: Random,
    numbers: list[int],
    tries: int,
    *,
    hostile: bool = False,
    constants: dict[str, str] | None = None,
) -> Any:
    """Return a counterexample: one with few items, or one at random large cells; None if none is found.

    ``hostile``: the function may do other things with exact numbers than with integers, which are what its user sees.
    """
    policy = "nan" if name in plain.BARE else undefined
    if name in plain.PROPERTIES:
        values = (plain.Values if not hostile else Seen)(measure, m, domain, policy)
        found = plain.PROPERTIES[name](values, _FEW.get(m, 0))
        if found.n is not None and found.seen and not hostile:  # floats may have misled, where values cancel
            found = plain.PROPERTIES[name](Exactly(measure, m, domain, policy), found.n)
        if found.n is not None and found.seen:
            return f"one with {found.n} items"
    target = Target(measure, m, domain, policy, rng, numbers, hostile=hostile)
    target.constants = constants or {}
    attack = ATTACKS.get(name)
    for _ in range(tries if attack else 0):
        if shown := attack(target):  # type: ignore[misc]
            return shown
    return None
