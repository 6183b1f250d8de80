"""Nearly every question about measures as people write them is decided, and brute force agrees with every answer.

The brute force below comes from the papers' definitions and shares nothing with the library but the values of the
measure, which it computes with Python's own numbers.
"""

from __future__ import annotations

import itertools
import math
from fractions import Fraction
from typing import Any

import pytest

import goodmeasure as gm
from tests.theory.user_measures import MEASURES

PROPERTIES = ("Max", "Min", "CSym", "Sym", "Dist", "Mon", "SMon", "CB", "ACB")
NEAR = 1e-9
N = 6


class Numbers:
    """The words of ``c`` that the measures use, on one matrix of plain numbers; None stands for undefined."""

    def __init__(self, tp: Any, fn: Any, fp: Any, tn: Any) -> None:
        self.tp, self.fn, self.fp, self.tn = map(Fraction, (tp, fn, fp, tn))
        self.n = self.tp + self.fn + self.fp + self.tn

    def ratio(self, x, y, otherwise=None):
        if y == 0:
            return otherwise
        return Fraction(x) / y if isinstance(x, int) else x / y

    min = staticmethod(min)
    max = staticmethod(max)
    log = staticmethod(math.log)
    sqrt = staticmethod(math.sqrt)

    def power(self, x, r):
        return float(x) ** r

    def power_mean(self, values, p):
        return (sum(float(x) ** p for x in values) / len(values)) ** (1 / p)

    def xlogy(self, x, y):
        return 0 if x == 0 else float(x) * math.log(y)

    def where(self, condition, x, y):
        return x if condition else y


def value(name: str, cells: tuple[Any, ...]) -> float:
    return float(MEASURES[name](Numbers(*cells)))


def in_domain(cells: tuple[Any, ...], domain: str) -> bool:
    tp, fn, fp, tn = cells
    return sum(cells) > 0 and (domain == "all" or min(tp + fn, fp + tn, tp + fp, fn + tn) > 0)


def matrices(n: int, domain: str):
    for cells in itertools.product(range(n + 1), repeat=4):
        if sum(cells) == n and in_domain(cells, domain):
            yield cells


def diagonal(cells):
    return cells[1] == cells[2] == 0


def hollow(cells):
    return cells[0] == cells[3] == 0


def unary(cells):
    tp, fn, fp, tn = cells
    return min(tp + fn, fp + tn, tp + fp, fn + tn) == 0


def extreme(name, domain, special, turn):
    best = {value(name, x) for n in range(1, N + 1) for x in matrices(n, domain) if special(x)}
    if max(best) - min(best) > NEAR:
        return False
    top = max(best) * turn
    return all(
        value(name, x) * turn < top - NEAR for n in range(1, N + 1) for x in matrices(n, domain) if not special(x)
    )


def same(name, domain, image):
    return all(abs(value(name, x) - value(name, image(x))) < NEAR for n in range(1, N + 1) for x in matrices(n, domain))


def rises(name, domain, moves, skip, before=lambda x: True):
    for n in range(1, N + 1):
        for x in matrices(n, domain):
            for move, up in moves:
                y = tuple(a + b for a, b in zip(x, move, strict=True))
                if min(y) < 0 or not in_domain(y, domain) or skip(x, y) or not before(x):
                    continue
                if not (value(name, y) - value(name, x)) * up > NEAR:
                    return False
    return True


def distance(name, domain):
    if not (extreme(name, domain, diagonal, 1) and same(name, domain, lambda x: (x[0], x[2], x[1], x[3]))):
        return False
    top = next(value(name, x) for n in (2, 3) for x in matrices(n, domain) if diagonal(x))
    for n in range(1, 5):
        labelings = list(itertools.product((0, 1), repeat=n))
        table = {}
        for a, b in itertools.product(labelings, repeat=2):
            pairs = list(zip(a, b, strict=True))
            cells = tuple(pairs.count(p) for p in ((1, 1), (1, 0), (0, 1), (0, 0)))
            if in_domain(cells, domain):
                table[a, b] = top - value(name, cells)
        for a, b, c in itertools.product(labelings, repeat=3):
            if {(a, b), (b, c), (a, c)} <= table.keys() and table[a, b] + table[b, c] < table[a, c] - NEAR:
                return False
    return True


def averages(name, domain):
    """Whether random predictions of given sizes, not all of one class, score one constant on average."""
    found = set()
    for n in range(2, N + 1):
        for a, b in itertools.product(range(n + 1), range(1, n)):
            if domain == "regular" and a in (0, n):
                continue
            total, ways = 0.0, 0
            for tp in range(max(0, a + b - n), min(a, b) + 1):
                weight = math.comb(a, tp) * math.comb(n - a, b - tp)
                total += weight * value(name, (tp, a - tp, b - tp, n - a - b + tp))
                ways += weight
            found.add(total / ways)
    return max(found) - min(found) < NEAR


def independent(name, domain):
    """Whether c_ij = a_i·b_j/n scores one constant."""
    found = set()
    for n in range(2, N + 1):
        for a, b in itertools.product(range(n + 1), range(1, n)):
            if domain == "regular" and a in (0, n):
                continue
            cells = (a * b, a * (n - b), (n - a) * b, (n - a) * (n - b))
            found.add(value(name, tuple(Fraction(x, n) for x in cells)))
    return max(found) - min(found) < NEAR


def both(special):
    return lambda x, y: special(x) and special(y)


# An error becomes right; for strong monotonicity, one item more that is right (or wrong).
MOVES = [(tuple(d), 1) for d in ((1, -1, 0, 0), (1, 0, -1, 0), (0, -1, 0, 1), (0, 0, -1, 1))]
ADDED = [((1, 0, 0, 0), 1), ((0, 0, 0, 1), 1), ((0, 1, 0, 0), -1), ((0, 0, 1, 0), -1)]

BRUTE = {
    "Max": lambda name, domain: extreme(name, domain, diagonal, 1),
    "Min": lambda name, domain: extreme(name, domain, hollow, -1),
    "CSym": lambda name, domain: same(name, domain, lambda x: x[::-1]),
    "Sym": lambda name, domain: same(name, domain, lambda x: (x[0], x[2], x[1], x[3])),
    "Dist": distance,
    "Mon": lambda name, domain: rises(name, domain, MOVES, lambda x, y: False, lambda x: not unary(x)),
    "SMon": lambda name, domain: rises(
        name, domain, ADDED, lambda x, y: both(diagonal)(x, y) or both(hollow)(x, y), lambda x: not unary(x)
    ),
    "CB": averages,
    "ACB": independent,
}


def decided(names) -> tuple[int, int]:
    """Compare every verdict with brute force; return how many questions there are, and how many stay open."""
    asked = undecided = 0
    for name, domain in itertools.product(names, ("all", "regular")):
        report = gm.check(MEASURES[name], domain=domain, properties=PROPERTIES, seconds=3)
        for short in PROPERTIES:
            verdict = report[short]
            asked += 1
            if verdict.status == "held":
                undecided += 1
            elif verdict.status == "proved":
                assert BRUTE[short](name, domain), f"{name} {domain} {short} is proved, but false"
                assert gm.verify(verdict)
            elif verdict.n <= (4 if short == "Dist" else N - 1):
                assert not BRUTE[short](name, domain), f"{name} {domain} {short} is refuted, but holds for n ≤ {N}"
    return asked, undecided


SAMPLE = [
    "size_of_mcc",
    pytest.param("hinge_of_accuracy", marks=pytest.mark.deep),
    "worst_of_three",
    "recall_at_precision",
    "bits_right",
    "cost_of_the_worse_error",
]


@pytest.mark.parametrize("name", SAMPLE)
def test_questions_about_a_user_measure_are_decided_rightly(name):
    asked, undecided = decided([name])
    assert asked == 18
    assert undecided == 0


def test_the_corpus_is_large_enough():
    assert len(MEASURES) >= 60


def main() -> None:
    """Decide the whole corpus, as `make fuzz` does."""
    asked, undecided = decided(MEASURES)
    print(
        f"{asked} questions about {len(MEASURES)} measures, {undecided} undecided; brute force agrees with all others"
    )
    assert undecided <= asked / 50


if __name__ == "__main__":
    main()
