"""What averaging keeps of every binary measure, and what it loses of one.

*Kept*: `statements/averages.py` lists the properties, with the argument for each.

*Lost*: a certificate that a binary measure has the property for two classes on all matrices, and an example on three
classes, on which its average is worked out here and violates the property.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import permutations, product

from goodmeasure.theory.kernel import signs
from goodmeasure.theory.kernel.claim import Claim, domain_admits, statement_of
from goodmeasure.theory.kernel.facts import Node, entries, listed
from goodmeasure.theory.kernel.kinds.impossible import admits, all_wrong
from goodmeasure.theory.kernel.proof import check as check_proof
from goodmeasure.theory.kernel.proof import claim_of
from goodmeasure.theory.kernel.refusal import Refused, demand
from goodmeasure.theory.kernel.values import Value, total
from goodmeasure.theory.statements import statement as kinds
from goodmeasure.theory.statements.averages import AVERAGES, KEPT, OVER_ALL
from goodmeasure.theory.statements.statement import Statement

Rows = Sequence[Sequence[int | Fraction]]
MOST_ITEMS = 8  # of an average over all predictions


def check(data: Node) -> None:
    """Check a certificate that averaging keeps a property of every binary measure, or loses that of one."""
    averaging, of = str(data.get("averaging")), statement_of(data.get("statement"))
    demand(averaging in AVERAGES, "no averaging that is known", "averaging")
    if data["kind"] == "preserved":
        demand(data.get("classes") == "every" and data.get("measure") is None, "it is about every measure and every m")
        kept = KEPT.get((averaging, of.name), ())
        demand(data.get("domain") in kept, f"{averaging} averaging is not shown to keep {of.name}", "domain")
        return
    proof = entries(data.get("has"))
    demand(
        (proof.get("statement"), proof.get("classes"), proof.get("domain")) == (of.name, 2, "all"), "other proof", "has"
    )
    demand(proof.get("undefined") == "resolve" and proof.get("by") != "vacuous", "other proof", "has")
    check_proof(proof)
    average = Average(averaging, claim_of(proof), str(data.get("domain")))
    example = entries(data.get("example"))
    if "labelings" in example:
        demand(of.kind == kinds.DISTANCE, "labelings show the triangle inequality", "example")
        _triangle(average, [_numbers(x) for x in listed(example["labelings"], "labelings")])
    elif "sizes" in example:
        one, two = (average.guess(of, *map(_numbers, listed(x, "sizes"))) for x in listed(example["sizes"], "sizes"))
        (one - two).must_be(signs.NOT_ZERO)
    else:
        matrices = [[_numbers(row) for row in listed(x, "matrices")] for x in listed(example["matrices"], "matrices")]
        demand(len(matrices) == 2, "an example is two matrices", "example")
        _pair(of, average, *matrices)


def _numbers(x: object) -> tuple[int, ...]:
    found = listed(x, "example")
    demand(all(type(y) is int and 0 <= y < 1000 for y in found), "a count is no small whole number", "example")
    return tuple(int(str(y)) for y in found)


class Average:
    """An average of a binary measure over three classes, on numbers, turned so that higher is better."""

    def __init__(self, averaging: str, claim: Claim, domain: str) -> None:
        self.averaging, self.claim, self.domain = averaging, claim, domain

    def __call__(self, rows: Rows) -> Value:
        demand(len(rows) == 3 and all(len(row) == 3 for row in rows), "the matrices have three classes", "example")
        columns = list(zip(*rows, strict=True))
        demand(domain_admits(self.domain, [any(x) for x in rows], [any(x) for x in columns]), "a matrix is outside")
        a, b, n = [sum(x) for x in rows], [sum(x) for x in columns], sum(map(sum, rows))
        ones = [[n - a[i] - b[i] + rows[i][i], b[i] - rows[i][i], a[i] - rows[i][i], rows[i][i]] for i in range(3)]
        if self.averaging == "micro":
            return self._value([sum(x) for x in zip(*ones, strict=True)])
        weighted = self.averaging == "weighted"
        there = [i for i in range(3) if self.averaging == OVER_ALL or a[i] or (b[i] and not weighted)]
        weights = [Fraction(a[i]) / n if weighted else Fraction(1, len(there)) for i in there]
        return total(self.claim.ring, [self._value(ones[i]).times(w) for w, i in zip(weights, there, strict=True)])

    def _value(self, cells: Sequence[int | Fraction]) -> Value:
        found = self.claim.value([self.claim.ring.number(x) for x in cells])
        if found is None:
            raise Refused("the measure has no value on a matrix of one class against the rest", "example")
        return found

    def guess(self, of: Statement, a: tuple[int, ...], b: tuple[int, ...]) -> Value:
        """Return the average over random predictions, or the value where labelings are independent."""
        n = sum(a)
        demand(sum(b) == n > 0 and max(b) < n and len(a) == len(b) == 3, "no sizes that are spoken of", "example")
        demand(of.unary_truth or max(a) < n, "no sizes that are spoken of", "example")
        if of.kind == kinds.INDEPENDENT:
            return self([[Fraction(x * y, n) for y in b] for x in a])
        demand(of.kind == kinds.EXPECTATION and not of.uniform, "sizes show baselines", "example")
        demand(n <= MOST_ITEMS, "too many predictions to look at", "example")
        truth = [i for i, size in enumerate(a) for _ in range(size)]
        drawn = set(permutations([j for j, size in enumerate(b) for _ in range(size)]))
        return total(self.claim.ring, [self(counted(truth, x)) for x in drawn]).times(Fraction(1, len(drawn)))


def counted(one: Sequence[int], two: Sequence[int]) -> list[list[int]]:
    """Return the confusion matrix of two labelings with three classes."""
    rows = [[0] * 3 for _ in range(3)]
    for i, j in zip(one, two, strict=True):
        rows[i][j] += 1
    return rows


def _triangle(average: Average, labelings: Sequence[tuple[int, ...]]) -> None:
    """Demand that three labelings violate the triangle inequality of c_max − average."""
    a, b, c = labelings
    demand(len(a) == len(b) == len(c) <= 12, "the labelings have different lengths", "example")
    best = average(counted(a, a))
    ab, bc, ac = (best - average(counted(x, y)) for x, y in ((a, b), (b, c), (a, c)))
    (ac - ab - bc).must_be(signs.POSITIVE)


def _pair(of: Statement, average: Average, x: Rows, y: Rows) -> None:
    """Demand that two matrices violate a property: the least value, symmetry, or a move."""
    one, two = average(x), average(y)
    if of.kind == kinds.EXTREME and of.at == kinds.ZERO_DIAGONAL:
        demand(all_wrong(x) or all_wrong(y), "a matrix without right predictions is needed", "example")
        if all_wrong(x) and all_wrong(y):
            (one - two).must_be(signs.NOT_ZERO)
        else:
            least, other = (one, two) if all_wrong(x) else (two, one)
            (other - least).must_be(signs.NOT_POSITIVE)
    elif of.kind == kinds.MOVES:
        changes = {(i, j, y[i][j] - x[i][j]) for i, j in product(range(3), repeat=2) if x[i][j] != y[i][j]}
        moves = [move for move in of.moves(3) if set(move.changes) == changes]
        demand(len(moves) == 1 and admits(of, x, y), "the statement does not speak of this move", "example")
        (two - one if moves[0].rises else one - two).must_be(signs.NOT_POSITIVE if of.strict else signs.NEGATIVE)
    else:
        demand(of.name in ("symmetry", "distance"), f"no example shows that {of.name} is lost", "example")
        demand(
            [list(row) for row in zip(*x, strict=True)] == [list(row) for row in y], "no transposed matrix", "example"
        )
        (one - two).must_be(signs.NOT_ZERO)
