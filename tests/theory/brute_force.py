"""Every property written plainly from the papers' definitions, and the least number of items at which it fails.

Nothing here comes from `goodmeasure.theory`: matrices, labelings, domains and statements are written down once more, in
the simplest way, and of a measure only its values are asked for. So an error in the definition of a statement, in the
search for counterexamples or in a proof shows as a difference between this file and a verdict.

A property is a function of `Values` and of the greatest number of items to look at. It returns `Found`: the least
number of items with a counterexample (None where there is none), and how many cases the statement spoke of.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache, lru_cache
from itertools import combinations, permutations, product
from typing import Any, NamedTuple

import numpy as np

from goodmeasure.language.exact.reals import UNDEFINED
from goodmeasure.language.policy import Undecided

Cells = tuple[Any, ...]  # the cells of a matrix, row after row
_NEAR = 1e-7  # floats that differ by less are compared exactly: a root makes 1e-8 of a rounding error
_SAME = 1e-11  # where a statement says that values are equal, floats this near are; some are compared exactly
_STEP = Fraction(1, 10**4)  # of a difference quotient
_GRID = 0.02  # how far the best guess on a grid may be from the best guess of all


class Found(NamedTuple):
    """The least number of items of a counterexample, and the number of cases that were looked at."""

    n: int | None
    seen: int


# Matrices, labelings and domains


@cache
def all_matrices(n: int, m: int) -> tuple[Cells, ...]:
    """Return every matrix of n items in m classes."""

    def parts(total: int, places: int) -> Iterator[Cells]:
        if places == 1:
            yield (total,)
            return
        for first in range(total + 1):
            for rest in parts(total - first, places - 1):
                yield (first, *rest)

    return tuple(parts(n, m * m))


@cache
def sizes_of(n: int, m: int) -> tuple[tuple[int, ...], ...]:
    """Return every way to distribute n items to m classes."""
    return tuple(x for x in product(range(n + 1), repeat=m) if sum(x) == n)


def true_sizes(c: Cells, m: int) -> Cells:
    return tuple(sum(c[i * m : (i + 1) * m]) for i in range(m))


def predicted_sizes(c: Cells, m: int) -> Cells:
    return tuple(sum(c[j::m]) for j in range(m))


@lru_cache(maxsize=1 << 18)
def in_domain(c: Cells, m: int, domain: str) -> bool:
    """Return whether a matrix belongs to a domain."""
    if not any(c) or any(x < 0 for x in c):
        return False
    a, b = true_sizes(c, m), predicted_sizes(c, m)
    if domain == "regular":
        return all(a) and all(b)
    if domain == "non-unary":
        return not constant(a) and not constant(b)
    return True


def constant(sizes: Cells) -> bool:
    """Return whether all items are in one class."""
    return sum(x > 0 for x in sizes) == 1


def diagonal(c: Cells, m: int) -> bool:
    return all(c[i * m + j] == 0 for i, j in product(range(m), repeat=2) if i != j)


def hollow(c: Cells, m: int) -> bool:
    return all(c[i * m + i] == 0 for i in range(m))


def independent(a: Cells, b: Cells) -> Cells:
    """Return the matrix that random predictions have on average."""
    n = sum(a)
    return tuple(Fraction(x * y, n) if x * y % n else x * y // n for x in a for y in b)


@cache
def all_independent(n: int, m: int, domain: str) -> tuple[tuple[Cells, Cells, Cells], ...]:
    """Return all choices of true and predicted sizes of n items, each with its matrix a_i b_j / n in the domain."""
    found = ((a, b, independent(a, b)) for a, b in product(sizes_of(n, m), repeat=2))
    return tuple((a, b, c) for a, b, c in found if in_domain(c, m, domain))


@cache
def random_predictions(a: tuple[int, ...]) -> dict[tuple[int, ...], Counter[Cells]]:
    """Return for each choice of predicted sizes how often each matrix occurs among all labelings of these sizes."""
    m, truth = len(a), [i for i, size in enumerate(a) for _ in range(size)]
    found: dict[tuple[int, ...], Counter[Cells]] = {}
    for labels in product(range(m), repeat=len(truth)):
        pairs = Counter(zip(truth, labels, strict=True))
        cells = tuple(pairs[i, j] for i, j in product(range(m), repeat=2))
        found.setdefault(tuple(labels.count(j) for j in range(m)), Counter())[cells] += 1
    return found


@cache
def joint_counts(n: int, m: int) -> tuple[tuple[Cells, Cells, Cells], ...]:
    """Return the matrices (A, B), (B, C) and (A, C) of all triples of labelings of n items."""
    triples = list(product(range(m), repeat=3))
    found = set()

    def extend(left: int, start: int, chosen: tuple[int, ...]) -> None:
        if left == 0:
            sides = []
            for x, y in ((0, 1), (1, 2), (0, 2)):
                pairs = Counter((triples[k][x], triples[k][y]) for k in chosen)
                sides.append(tuple(pairs[i, j] for i, j in product(range(m), repeat=2)))
            found.add(tuple(sides))
            return
        for k in range(start, len(triples)):
            extend(left - 1, k, (*chosen, k))

    extend(n, 0, ())
    return tuple(found)  # type: ignore[arg-type]


# Values


class Values:
    """The values of one measure on matrices of m classes in a domain, turned so that higher is better."""

    def __init__(self, measure: Any, m: int, domain: str, undefined: Any = "resolve") -> None:
        self.measure, self.m, self.domain, self.undefined = measure, m, domain, undefined
        self.turn = -1 if measure.orientation == "lower" else 1
        self._floats: dict[Cells, float] = {}
        self._exact: dict[Cells, Any] = {}
        self._valued: dict[Cells, bool] = {}
        self._others: dict[int, Values] = {m: self}
        self._listed: dict[int, list[Cells]] = {}
        self._spots = np.random.default_rng(5)

    def of(self, m: int) -> Values:
        """Return the values of the same measure on matrices of m classes."""
        if m not in self._others:
            self._others[m] = Values(self.measure, m, self.domain, self.undefined)
        return self._others[m]

    def matrices(self, n: int) -> list[Cells]:
        """Return the matrices of n items in the domain that have a value."""
        return [c for c in self.inside(n) if self.has(c)]

    def inside(self, n: int) -> list[Cells]:
        """Return the matrices of n items in the domain."""
        if n not in self._listed:
            self._listed[n] = [c for c in all_matrices(n, self.m) if in_domain(c, self.m, self.domain)]
            self.prepare(self._listed[n])
        return self._listed[n]

    def prepare(self, listed: list[Cells]) -> None:
        """Compute the floats of some matrices at once."""
        new = [c for c in listed if c not in self._floats]
        if new:
            batch = np.array([[float(x) for x in c] for c in new]).reshape(-1, self.m, self.m)
            values = np.broadcast_to(self.measure(batch, undefined=self.undefined), (len(new),))
            self._floats.update(zip(new, map(float, values), strict=True))

    def near(self, c: Cells) -> float:
        """Return the value as a float; NaN or infinite where there is none."""
        if c not in self._floats:
            self.prepare([c])
        return self.turn * self._floats[c]

    def has(self, c: Cells) -> bool:
        """Return whether there is a value; floats of fractions may miss a 0/0, so these are computed exactly too."""
        if c not in self._valued:
            is_whole = all(x == int(x) for x in c)
            self._valued[c] = math.isfinite(self.near(c)) and (is_whole or self._has_exactly(c))
        return self._valued[c]

    def _has_exactly(self, c: Cells) -> bool:
        try:
            return self._exactly(c) is not UNDEFINED
        except (TypeError, ValueError, ArithmeticError):  # a function that has floats only
            return True

    def exact(self, c: Cells) -> Any:
        return self.turn * self._exactly(c)

    def _exactly(self, c: Cells) -> Any:
        """Return the exact value as the measure has it, whichever direction is better."""
        if c not in self._exact:
            rows = [list(c[i * self.m : (i + 1) * self.m]) for i in range(self.m)]
            self._exact[c] = self.measure.exact(rows, undefined=self.undefined)
        return self._exact[c]

    def order(self, x: Cells, y: Cells) -> int:
        """Return the sign of M(x) − M(y): in floats where they are far apart, exactly elsewhere."""
        gap = self.near(x) - self.near(y)
        if abs(gap) > _NEAR * max(1.0, abs(self.near(x))):
            return 1 if gap > 0 else -1
        return _sign(self.exact(x) - self.exact(y))

    def differ(self, x: Cells, y: Cells) -> bool:
        """Return whether two values differ; of values that are equal as floats, some are compared exactly."""
        gap = abs(self.near(x) - self.near(y))
        if gap > _NEAR * max(1.0, abs(self.near(x))):
            return True
        if gap > _SAME * max(1.0, abs(self.near(x))) or self._spots.random() < 0.01:
            return _sign(self.exact(x) - self.exact(y)) != 0
        return False

    def means_differ(self, one: dict[Cells, Fraction], two: dict[Cells, Fraction]) -> bool:
        """Return whether two weighted means of values differ."""
        gap = abs(sum(float(w) * self.near(c) for c, w in one.items())
                  - sum(float(w) * self.near(c) for c, w in two.items()))  # fmt: skip
        size = max(1.0, *(abs(self.near(c)) for c in (*one, *two)))
        if gap > _NEAR * size:
            return True
        if gap > _SAME * size or self._spots.random() < 0.01:
            exact = sum(w * self.exact(c) for c, w in one.items()) - sum(w * self.exact(c) for c, w in two.items())
            return _sign(exact) != 0
        return False


def _sign(x: Any) -> int:
    """Return the sign of an exact number; what is 0 to thousands of digits, and beyond all theorems, counts as 0."""
    try:
        return (x > 0) - (x < 0)
    except Undecided:
        return 0


# Gösgens et al.


def maximal_agreement(v: Values, most: int) -> Found:
    """Definition 1: M(C) ≤ c_max, with equality exactly for diagonal matrices."""
    return _extreme(v, most, diagonal, 1)


def minimal_agreement(v: Values, most: int) -> Found:
    """Definition 2: M(C) ≥ c_min, with equality exactly for matrices with a zero diagonal."""
    return _extreme(v, most, hollow, -1)


def _extreme(v: Values, most: int, special: Callable[[Cells, int], bool], sense: int) -> Found:
    best: Cells | None = None
    others: list[Cells] = []
    seen = 0
    for n in range(1, most + 1):
        for c in v.matrices(n):
            if not special(c, v.m):
                others.append(c)
            elif best is None:
                best, seen = c, seen + 1
            else:
                seen += 1
                if v.differ(best, c):
                    return Found(n, seen)
        if best is not None:
            if any(v.order(c, best) * sense >= 0 for c in others):
                return Found(n, seen)
            others = []
    return Found(None, seen)


def class_symmetry(v: Values, most: int) -> Found:
    """Definition 4: renaming the classes changes nothing."""
    m = v.m
    renamings = [[(p[i] * m + p[j]) for i, j in product(range(m), repeat=2)] for p in permutations(range(m))]
    return _same(v, most, lambda c: [tuple(c[k] for k in places) for places in renamings])


def symmetry(v: Values, most: int) -> Found:
    """Definition 3: true and predicted labels may change places."""
    return _same(v, most, lambda c: [tuple(c[j * v.m + i] for i, j in product(range(v.m), repeat=2))])


def scale_invariance(v: Values, most: int) -> Found:
    """Definition 11: multiplying all counts by the same number changes nothing."""
    return _same(v, most, lambda c: [tuple(x * k for x in c) for k in (2, 3)])


def opitz_prevalence_invariant(v: Values, most: int) -> Found:
    """Property IV: multiplying the counts of each true class by a number of its own changes nothing."""
    m = v.m
    factors = list(product((1, 2), repeat=m))[1:]
    return _same(v, most, lambda c: [tuple(x * f[k // m] for k, x in enumerate(c)) for f in factors])


def _same(v: Values, most: int, images: Callable[[Cells], list[Cells]]) -> Found:
    seen = 0
    for n in range(1, most + 1):
        pairs = [(c, image) for c in v.matrices(n) for image in images(c) if image != c]
        v.prepare([image for _, image in pairs])
        for c, image in pairs:
            if v.has(image):
                seen += 1
                if v.differ(c, image):
                    return Found(n, seen)
    return Found(None, seen)


def distance(v: Values, most: int) -> Found:
    """Definition 5: c_max − M is a metric: symmetric, 0 exactly for equal labelings, with the triangle inequality."""
    before = min((x.n for x in (symmetry(v, most), maximal_agreement(v, most)) if x.n is not None), default=None)
    seen, best = 0, None
    for n in range(1, most + 1):
        if before is not None and n >= before:
            return Found(before, seen)
        best = best or next((c for c in v.matrices(n) if diagonal(c, v.m)), None)
        if best is None:
            continue
        listed = set(v.matrices(n))
        for ab, bc, ac in joint_counts(n, v.m):
            if ab not in listed or bc not in listed or ac not in listed:
                continue
            seen += 1
            slack = v.near(best) + v.near(ac) - v.near(ab) - v.near(bc)
            if slack < _NEAR and (slack < -_NEAR or _sign(v.exact(best) + v.exact(ac) - v.exact(ab) - v.exact(bc)) < 0):
                return Found(n, seen)
    return Found(before, seen)


def monotone(v: Values, most: int) -> Found:
    """Definition 6: an item moves from (a, b) to (a, a) or (b, b), and no row or column sum of C is n."""
    m = v.m
    moves = [({a * m + b: -1, d * m + d: 1}, 1) for a, b in permutations(range(m), 2) for d in (a, b)]
    return _moves(v, most, moves, before=_not_unary)


def strongly_monotone(v: Values, most: int) -> Found:
    """Definition 7: one more item on the diagonal, or one fewer off it, unless both matrices are extreme."""
    m = v.m
    moves = [({i * m + j: 1 if i == j else -1}, 1) for i, j in product(range(m), repeat=2)]

    def asked(x: Cells, y: Cells) -> bool:
        return not (diagonal(x, m) and diagonal(y, m)) and not (hollow(x, m) and hollow(y, m))

    return _moves(v, most, moves, before=_not_unary, both=asked)


def _not_unary(c: Cells, m: int) -> bool:
    return not constant(true_sizes(c, m)) and not constant(predicted_sizes(c, m))


def _moves(
    v: Values,
    most: int,
    moves: list[tuple[dict[int, int], int]],
    *,
    strict: bool = True,
    before: Callable[[Cells, int], bool] = lambda c, m: True,
    both: Callable[[Cells, Cells], bool] = lambda x, y: True,
) -> Found:
    """Return the least matrix before a move after which the measure does not rise (or fall, where the sense is −1)."""
    seen = 0
    for n in range(1, most + 1):
        v.inside(n + 1), v.inside(n - 1)
        for c in v.matrices(n):
            if not before(c, v.m):
                continue
            for changes, sense in moves:
                after = tuple(x + changes.get(k, 0) for k, x in enumerate(c))
                if not in_domain(after, v.m, v.domain) or not v.has(after) or not both(c, after):
                    continue
                seen += 1
                gain = v.order(after, c) * sense
                if gain < 0 or (gain == 0 and strict):
                    return Found(n, seen)
    return Found(None, seen)


def constant_baseline(v: Values, most: int) -> Found:
    """Definition 8: the mean over all labelings with sizes b is one constant for all a and b, where no b_j is n."""

    def means(n: int) -> Iterator[dict[Cells, Fraction]]:
        for a in sizes_of(n, v.m):
            for b, matrices in random_predictions(a).items():
                if not constant(b) and in_domain(independent(a, b), v.m, v.domain):
                    yield _shares(matrices)

    return _mean(v, most, means)


def sebastiani_cha(v: Values, most: int) -> Found:
    """Axiom 6: the mean over all labelings (of those in the domain) is one constant for all test sets."""

    def means(n: int) -> Iterator[dict[Cells, Fraction]]:
        for a in sizes_of(n, v.m):
            matrices = Counter[Cells]()
            for found in random_predictions(a).values():
                matrices += Counter({c: k for c, k in found.items() if in_domain(c, v.m, v.domain)})
            if matrices:
                yield _shares(matrices)

    return _mean(v, most, means)


def _shares(matrices: Counter[Cells]) -> dict[Cells, Fraction]:
    total = sum(matrices.values())
    return {c: Fraction(k, total) for c, k in matrices.items()}


def _mean(v: Values, most: int, means: Callable[[int], Iterator[dict[Cells, Fraction]]]) -> Found:
    """Return where two means differ; class sizes for which some prediction has no value are left out."""
    seen, first = 0, None
    for n in range(1, most + 1):
        v.inside(n)
        for mean in means(n):
            if not all(v.has(c) for c in mean):
                continue
            seen += 1
            if first is None:
                first = mean
            elif v.means_differ(first, mean):
                return Found(n, seen)
    return Found(None, seen) if seen else _mean_of_defined(v, most, means)


def _mean_of_defined(v: Values, most: int, means: Callable[[int], Iterator[dict[Cells, Fraction]]]) -> Found:
    """Return where two means over the predictions with a value differ, if no class sizes have values throughout."""
    first = None
    for n in range(1, most + 1):
        for mean in means(n):
            known = {c: w for c, w in mean.items() if v.has(c)}
            total = sum(known.values())
            if known:
                known = {c: w / total for c, w in known.items()}
                if first is not None and v.means_differ(first, known):
                    return Found(n, 0)
                first = first or known
    return Found(None, 0)


def approximate_constant_baseline(v: Values, most: int) -> Found:
    """Definition 9: M(a_i b_j / n) is one constant for all a and b, where no b_j is n."""
    return _one_constant([(v, lambda a, b: not constant(b))], most)


def opitz_chance_corrected_strictly(v: Values, most: int) -> Found:
    """Property V: M(a_i b_j / n) is one constant for all a and b."""
    return _one_constant([(v, lambda a, b: True)], most)


def opitz_chance_corrected_completely(v: Values, most: int) -> Found:
    """Property V: M(a_i b_j / n) is one constant for all a, all b and all numbers of classes."""
    every = [v.of(m) for m in (2, 3) if takes(v.measure, m)]
    return _one_constant([(x, lambda a, b: True) for x in every], most)


def takes(measure: Any, m: int) -> bool:
    """Return whether a measure can be computed for m classes."""
    try:
        measure([[1] * m] * m)
    except ValueError:
        return False
    return True


def _one_constant(parts: list[tuple[Values, Callable[[Cells, Cells], bool]]], most: int) -> Found:
    seen = 0
    first: tuple[Values, Cells] | None = None
    for n in range(1, most + 1):
        for v, asked in parts:
            for c in _independent(v, n, asked):
                seen += 1
                if first is None:
                    first = v, c
                elif first[0] is v:
                    if v.differ(first[1], c):
                        return Found(n, seen)
                elif _sign(v.exact(c) - first[0].exact(first[1])) != 0:
                    return Found(n, seen)
    return Found(None, seen)


def _independent(v: Values, n: int, asked: Callable[[Cells, Cells], bool]) -> list[Cells]:
    """Return the matrices a_i b_j / n in the domain that have a value."""
    listed = [c for a, b, c in all_independent(n, v.m, v.domain) if asked(a, b)]
    v.prepare(listed)
    return [c for c in listed if v.has(c)]


def higher_baseline(order: int) -> Callable[[Values, int], Found]:
    """Definition 13: one constant where labelings are independent, and derivatives 2 … order by p_AB vanish there."""

    def found(v: Values, most: int) -> Found:
        def asked(a: Cells, b: Cells) -> bool:
            return not constant(a) and not constant(b)

        flat = _one_constant([(v, asked)], most)
        for n in range(1, (flat.n or most + 1)):
            if any(_bent(v, c, n, order) for c in _independent(v, n, asked)):
                return Found(n, flat.seen)
        return flat

    return found


def _bent(v: Values, c: Cells, n: int, order: int) -> bool:
    """Return whether a derivative of order 2 … order by p_AB is not 0, by difference quotients with a tiny step."""
    along = (1, -1, -1, 1)
    for k in range(2, order + 1):
        difference: Any = 0
        for t in range(k + 1):
            point = tuple(x + (t - Fraction(k, 2)) * _STEP * d for x, d in zip(c, along, strict=True))
            value = v.exact(point)
            if math.isnan(float(value)):
                return False
            difference = difference + (-1) ** t * math.comb(k, t) * value
        if abs(float(difference / _STEP**k)) > 1e-5:
            return True
    return False


# Sebastiani


def sebastiani_mon(v: Values, most: int) -> Found:
    """Axiom 1: correcting one prediction raises the measure."""
    m = v.m
    return _moves(v, most, [({i * m + j: -1, i * m + i: 1}, 1) for i, j in permutations(range(m), 2)])


Direction = tuple[int, ...]  # how much each cell changes


@cache
def directions(m: int) -> tuple[Direction, ...]:
    """Return changes of predictions: one, or two at once (of all pairs for two classes, of some for more)."""
    single = []
    for i, j, k in product(range(m), repeat=3):
        if j != k:
            single.append(tuple(int(x == i * m + k) - int(x == i * m + j) for x in range(m * m)))
    double = [_plus(x, y) for x, y in combinations(single, 2) if any(_plus(x, y))]
    chosen = np.random.default_rng(3).permutation(len(double))[: 4 * m * m]
    return tuple(dict.fromkeys([*single, *(double[k] for k in chosen)]))


def _plus(x: Cells, y: Cells) -> Cells:
    return tuple(a + b for a, b in zip(x, y, strict=True))


def sebastiani_con(v: Values, most: int) -> Found:
    """Axiom 2: on each test set, M is a continuously differentiable function of the cells, by difference quotients.

    For more than two classes some matrices of each size are looked at.
    """
    seen = 0
    for n in range(1, most + 1):
        listed = v.matrices(n)
        for c in listed if v.m == 2 else listed[:: max(1, len(listed) // 6)]:
            seen += 1
            if _rough(v, c):
                return Found(n, seen)
    return Found(None, seen)


def _rough(v: Values, c: Cells) -> bool:
    """Return whether M jumps at a matrix, is infinitely steep there, or has slopes that no linear function has."""
    slopes: dict[Direction, float] = {}
    for along in directions(v.m):
        if any(x == 0 and d < 0 for x, d in zip(c, along, strict=True)):
            continue
        gains = []
        for t in (Fraction(1, 10**9), Fraction(1, 10**18)):
            value = v.exact(tuple(x + t * d for x, d in zip(c, along, strict=True)))
            gains.append((float(value - v.exact(c)), float(t)))
        if any(math.isnan(gain) for gain, _ in gains):
            continue
        near, far = (gain / t for gain, t in gains)
        if abs(gains[1][0]) > 1e-6 or abs(near - far) > 1e-3 * max(1.0, abs(near)):
            return True
        slopes[along] = far
    for x, y in product(slopes, repeat=2):
        both = _plus(x, y)
        expected = slopes.get(both) if any(both) else 0.0
        if expected is not None and abs(slopes[x] + slopes[y] - expected) > 1e-3 * max(1.0, abs(slopes[x])):
            return True
    return False


def sebastiani_sde(v: Values, most: int) -> Found:
    """Axiom 3: the bare formula has a value everywhere."""
    seen = 0
    for n in range(1, most + 1):
        for c in v.inside(n):
            seen += 1
            if not v.has(c):
                return Found(n, seen)
    return Found(None, seen)


def sebastiani_wde(v: Values, most: int) -> Found:
    """Axiom 4: for each test set the bare formula has a value for all predictions or for none."""
    seen = 0
    for n in range(1, most + 1):
        known: dict[Cells, bool] = {}
        for c in v.inside(n):
            seen += 1
            if known.setdefault(true_sizes(c, v.m), v.has(c)) != v.has(c):
                return Found(n, seen)
    return Found(None, seen)


def sebastiani_fix(v: Values, most: int) -> Found:
    """Axiom 5: the least and the greatest value over all predictions are the same for every test set."""
    seen = 0
    ends: tuple[Cells, Cells] | None = None
    for n in range(1, most + 1):
        tests: dict[Cells, list[Cells]] = {}
        for c in v.matrices(n):
            tests.setdefault(true_sizes(c, v.m), []).append(c)
        for group in tests.values():
            seen += 1
            here = _best(v, group, -1), _best(v, group, 1)
            ends = ends or here
            if any(v.differ(x, y) for x, y in zip(ends, here, strict=True)):
                return Found(n, seen)
    return Found(None, seen)


def _best(v: Values, group: list[Cells], sense: int) -> Cells:
    best = group[0]
    for c in group[1:]:
        if v.order(c, best) * sense > 0:
            best = c
    return best


def sebastiani_imb(v: Values, most: int) -> Found:
    """Axiom 7: each constant prediction scores one constant on all test sets in which every class occurs."""
    seen = 0
    first: dict[int, Cells] = {}
    for n in range(1, most + 1):
        for c in v.matrices(n):
            b = predicted_sizes(c, v.m)
            if all(true_sizes(c, v.m)) and constant(b):
                seen += 1
                if v.differ(first.setdefault(b.index(n), c), c):
                    return Found(n, seen)
    return Found(None, seen)


# Opitz


def opitz_monotone(v: Values, most: int) -> Found:
    """Property I: one more right prediction never lowers the measure, one more wrong prediction never raises it."""
    moves = [({i * v.m + j: 1}, 1 if i == j else -1) for i, j in product(range(v.m), repeat=2)]
    return _moves(v, most, moves, strict=False)


def opitz_class_sensitive(v: Values, most: int) -> Found:
    """Property II: somewhere two right, or two wrong, predictions count differently; n is that of an example."""
    m, seen = v.m, 0
    for n in range(1, most + 1):
        v.inside(n + 1)
        for c in v.matrices(n):
            for right in (True, False):
                places = [i * m + j for i, j in product(range(m), repeat=2) if (i == j) == right]
                ends = [tuple(x + (k == place) for k, x in enumerate(c)) for place in places]
                ends = [x for x in ends if in_domain(x, m, v.domain) and v.has(x)]
                seen += len(ends) > 1
                if any(v.differ(ends[0], x) for x in ends[1:]):
                    return Found(n, seen)
    return Found(None, seen)


@cache
def guesses(m: int) -> list[tuple[Fraction, ...]]:
    """Return shares of the predicted classes on a grid, with some that are nearly constant."""
    steps = 24 if m == 2 else 8
    shares = [Fraction(k, steps) for k in range(steps + 1)] + [Fraction(k, 10**4) for k in (1, 9_998, 9_999)]
    return [x for x in product(shares, repeat=m) if sum(x) == 1]


def opitz_chance_corrected(v: Values, most: int) -> Found:
    """Property V: the greatest value that a guess can get is the same for all true class sizes.

    The guesses are those on a fine grid, and the one that predicts each class as often as it occurs.
    """
    seen, low, high = 0, math.inf, -math.inf
    for n in range(1, most + 1):
        for a in sizes_of(n, v.m):
            own = tuple(Fraction(x, n) for x in a)
            listed = [tuple(x * y for x in a for y in guess) for guess in (*guesses(v.m), own)]
            listed = [c for c in listed if in_domain(c, v.m, v.domain)]
            v.prepare(listed)
            values = [v.near(c) for c in listed if v.has(c)]
            if values:
                seen += 1
                low, high = min(low, max(values)), max(high, max(values))
        if high - low > _GRID:
            return Found(n, seen)
    return Found(None, seen)


EXPONENTS = (1.0, -1.0, 0.0, 2.0, 0.5, -0.5, 3.0, -2.0)


def opitz_class_decomposable(v: Values, most: int) -> Found:
    """Property III, for some exponents: M^p (log M for p = 0) is a sum of a score of each class's row and column."""
    return decomposable(EXPONENTS)(v, most)


def decomposable(exponents: tuple[float, ...]) -> Callable[[Values, int], Found]:
    """Return the search for the least n up to which no score of rows and columns gives M, with any of the exponents.

    A score is a table with one unknown for each class and each row with its column, so there is one linear equation
    for each matrix, and the question is whether all of them have a solution.
    """

    def found(v: Values, most: int) -> Found:
        listed: list[Cells] = []
        left = exponents
        for n in range(1, most + 1):
            listed += v.matrices(n)
            left = tuple(p for p in left if _is_mean(v, listed, p))
            if not left:
                return Found(n, len(listed))
        return Found(None, len(listed))

    return found


def _is_mean(v: Values, listed: list[Cells], p: float) -> bool:
    """Return whether tables of scores exist whose power mean is M on all listed matrices."""
    own = {c: v.turn * v.near(c) for c in listed}
    zeros = [c for c in listed if abs(own[c]) < _SAME]
    rest = [c for c in listed if p > 0 or abs(own[c]) >= _SAME]
    if p % 2 != 1 and any(own[c] < -_SAME for c in rest):
        return False  # scores are not negative unless p is odd
    if p <= 0:  # a mean is 0 if and only if a score is; that score occurs in no mean that is not 0
        used = {key for c in rest for key in _rows_and_columns(c, v.m)}
        if any(all(key in used for key in _rows_and_columns(c, v.m)) for c in zeros):
            return False
    return not rest or _solvable([(_rows_and_columns(c, v.m), _power(own[c], p)) for c in rest])


def _rows_and_columns(c: Cells, m: int) -> list[tuple[Any, ...]]:
    return [(i, *c[i * m : (i + 1) * m], *c[i::m]) for i in range(m)]


def _power(x: float, p: float) -> float:
    if p == 0:
        return math.log(x)
    return math.copysign(abs(x) ** p, x) if abs(x) > _SAME else 0.0


def _solvable(equations: list[tuple[list[tuple[Any, ...]], float]]) -> bool:
    """Return whether numbers for the unknowns exist such that each sum of unknowns is as given."""
    place = {key: k for k, key in enumerate(dict.fromkeys(key for keys, _ in equations for key in keys))}
    table = np.zeros((len(equations), len(place)))
    for row, (keys, _) in zip(table, equations, strict=True):
        row[[place[key] for key in keys]] = 1
    right = np.array([x for _, x in equations])
    right = right / max(1e-300, np.abs(right).max())
    solution = np.linalg.lstsq(table, right, rcond=None)[0]
    return bool(np.abs(table @ solution - right).max() < _NEAR)


PROPERTIES: dict[str, Callable[[Values, int], Found]] = {
    x.__name__: x
    for x in (
        maximal_agreement, minimal_agreement, class_symmetry, symmetry, distance, monotone, strongly_monotone,
        constant_baseline, approximate_constant_baseline, scale_invariance, sebastiani_mon, sebastiani_con,
        sebastiani_sde, sebastiani_wde, sebastiani_fix, sebastiani_cha, sebastiani_imb, opitz_monotone,
        opitz_class_sensitive, opitz_class_decomposable, opitz_prevalence_invariant, opitz_chance_corrected,
        opitz_chance_corrected_strictly, opitz_chance_corrected_completely,
    )
} | {
    "sebastiani_sym": class_symmetry,
    **{f"approximate_constant_baseline(order={k})": higher_baseline(k) for k in (1, 2, 3)},
}  # fmt: skip
BARE = ("sebastiani_sde", "sebastiani_wde")  # statements about the formula without rules for 0/0
