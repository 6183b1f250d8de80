"""Random predictions and independent labelings, for one number of classes.

Class sizes are given by which classes occur in the true and in the predicted labels. The cells of a *block* are those
of classes that occur; a random prediction with these sizes gives a matrix with some support inside the block.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import product
from typing import TypeVar

from goodmeasure.theory.kernel.calculus import at, derivative
from goodmeasure.theory.kernel.claim import Branch, Case, Claim, Kind, Support, bits
from goodmeasure.theory.kernel.facts import Node
from goodmeasure.theory.kernel.kinds.blocks import Classes, block, classes_of, formula_on, inside, within
from goodmeasure.theory.kernel.kinds.values import equal, undefined
from goodmeasure.theory.kernel.meaning import Outcome
from goodmeasure.theory.kernel.refusal import Refused, demand
from goodmeasure.theory.kernel.values import Value, total

_Cell = TypeVar("_Cell")


def guess(branch: Branch, true: Classes, predicted: Classes) -> list[Value]:
    """Return the cells x_i·y_j of a block: every matrix a_i b_j / n has this form, with x_i = a_i / n and y_j = b_j."""
    ring, m = branch.ring, len(true)
    first = m * m
    return [
        ring.variable(first + i) * ring.variable(first + m + j) if true[i] and predicted[j] else ring.number(0)
        for i in range(m)
        for j in range(m)
    ]


class Independent(Kind):
    """The value on all matrices x_i·y_j with positive x and y is one constant."""

    ways = ("equal", "undefined")

    def __init__(self, claim: Claim) -> None:
        demand(not claim.statement.across_m, "one number of classes shows nothing about the others")
        super().__init__(claim)
        self.name = claim.statement.constants[0]
        m = claim.m
        self.base = claim.value([claim.ring.number(1)] * (m * m))
        self.some = False

    def cases(self) -> Iterator[Case]:
        """Yield the sets of classes that can occur."""
        for true, predicted in classes_of(self.claim):
            about = {"true": bits(true), "predicted": bits(predicted)}
            yield Case(about, lambda branch, node, x=true, y=predicted: self._check(branch, node, x, y))  # type: ignore[misc]

    def _check(self, branch: Branch, node: Node, true: Classes, predicted: Classes) -> None:
        value = self.claim.value(guess(branch, true, predicted))
        if undefined(node, value):
            return
        assert value is not None
        if self.base is None:
            raise Refused("the value on a matrix of ones is undefined")
        equal(value, self.base)
        self.some = True

    def finish(self) -> None:
        """Demand that the constant is stated as it is."""
        demand(self.some, "there is nothing that the statement speaks of")
        self.claim.constant_is(self.name, self.base)


class Expectation(Independent):
    """The average over random predictions is one constant, for a measure that is affine in the cells.

    Fix class sizes a and b. A random prediction gives a matrix C with these margins and mean c̄_ij = a_i b_j / n. If M
    is affine on the matrices with these margins, then E[M(C)] = M(C̄), which must be the same constant for all class
    sizes. That M is affine is shown in two steps. On the whole block, M is one formula f in positive reals, and its
    second derivatives vanish along the directions that keep the margins. On every smaller support that a prediction can
    have, the definition must give f with the missing cells set to 0; so f is M on all these matrices.

    Where M has no value on some smaller support, class sizes that admit this support are left out by the statement, and
    for all others f is still M everywhere. Some class sizes of few items must remain. Where all labelings are equally
    likely, see `rotations.py`.
    """

    ways = ("affine", "undefined")

    def _check(self, branch: Branch, node: Node, true: Classes, predicted: Classes) -> None:
        claim = self.claim
        branch.must_be_whole()
        whole = block(true, predicted)
        supports = list(within(whole, true, predicted))
        if node.get("by") == "undefined":
            demand(all(claim.on(x) is None for x in supports), "the measure is defined on a support")
            return
        demand(node.get("by") == "affine", "no way to show an average")
        value = claim.on(whole)
        if value is None:
            raise Refused("the measure is undefined where all cells are positive")
        directions = list(_directions(true, predicted))
        for k, first in enumerate(directions):
            slope = derivative(value, first)
            for second in directions[k:]:
                demand(derivative(slope, second).is_zero(), "the measure is not affine in the cells")
        for support in inside(claim, whole, supports):
            formula_on(claim, value, whole, support, partly=True)
        mean = claim.value(guess(branch, true, predicted))
        if mean is None or self.base is None:
            raise Refused("the measure is undefined on a mean matrix")
        equal(mean, self.base)
        self.some = True

    def finish(self) -> None:
        """Demand that some class sizes of few items have a value for each of their predictions."""
        super().finish()
        demand(self._some_average(), "no class sizes of few items have a value for each of their predictions")

    def _some_average(self) -> bool:
        claim, m = self.claim, self.claim.m
        allowed = set(classes_of(claim))
        for n in range(1, max(4, m) + 1):
            sizes = [x for x in product(range(n + 1), repeat=m) if sum(x) == n]
            for a, b in product(sizes, repeat=2):
                if (tuple(x > 0 for x in a), tuple(x > 0 for x in b)) not in allowed:
                    continue
                if all(claim.number(x) is not None for x in tables(a, b)):
                    return True
        return False


def tables(a: tuple[int, ...], b: tuple[int, ...]) -> Iterator[Support]:
    """Yield the matrices with these class sizes, row after row."""
    if len(a) == 1:
        if sum(b) == a[0]:
            yield b
        return
    for row in product(*(range(min(a[0], x) + 1) for x in b)):
        if sum(row) == a[0]:
            for rest in tables(a[1:], tuple(x - y for x, y in zip(b, row, strict=True))):
                yield (*row, *rest)


def _directions(true: Classes, predicted: Classes) -> Iterator[dict[int, int]]:
    """Yield directions that span the changes which keep the true and the predicted class sizes."""
    m = len(true)
    top, *rows = [i for i in range(m) if true[i]]
    first, *others = [j for j in range(m) if predicted[j]]
    for i, j in product(rows, others):
        yield {top * m + first: 1, top * m + j: -1, i * m + first: -1, i * m + j: 1}


class Flatness(Kind):
    """The value is constant, and derivatives by p_AB vanish, where two labelings are independent; for two classes."""

    ways = ("flat",)

    def __init__(self, claim: Claim) -> None:
        super().__init__(claim)
        self.infinite = claim.statement.order == math.inf
        self.order = 2 if self.infinite else int(claim.statement.order or 1)
        branch = Branch(claim.ring)
        self.place = dict(enumerate(guess(branch, (True, True), (True, True))))
        self.base = claim.value(list(self.place.values()))

    def cases(self) -> Iterator[Case]:
        """Yield the orders of the derivatives that vanish; order 0 is the value itself."""
        for k in (0, *range(2, self.order + 1)):
            about: dict[str, object] = {"order": "every" if self.infinite and k else k}
            yield Case(about, lambda branch, node, k=k: self._check(branch, node, k))  # type: ignore[misc]

    def _check(self, branch: Branch, node: Node, k: int) -> None:
        claim = self.claim
        branch.must_be_whole()
        demand(node.get("by") == "flat", "no way to show a derivative")
        value = claim.on((1, 1, 1, 1))
        if value is None or self.base is None:
            raise Refused("the measure is undefined")
        demand(self.base.is_number(), "the value is not constant")
        direction = {0: 1, 1: -1, 2: -1, 3: 1}
        for _ in range(k):
            value = derivative(value, direction)
        if self.infinite and k:  # 0 on all positive matrices: M is affine in p_AB, and no later derivative is left
            demand(value.is_zero(), "the measure is not affine in p_AB")
        elif k:
            demand(at(value, self.place).is_zero(), "a derivative does not vanish")

    def finish(self) -> None:
        """Demand that the constant is stated as it is."""
        self.claim.constant_is(self.claim.statement.constants[0], self.base)


class Rotations(Kind):
    """Guessing each label with equal chances scores one constant on average (sebastiani2015, CHA).

    Renaming the predicted labels cyclically is a bijection of the predictions of a test set that keeps the domain, so
    the average over all predictions is the average of the mean of M over the m rotations of the columns of C; this mean
    must be the same constant on every support of the domain. Where one of the m matrices has no value, all m must have
    none. Then test sets that have an average are covered by the other supports, and an average over only those
    predictions that have a value is the same constant too.
    """

    ways = ("equal", "undefined")

    def __init__(self, claim: Claim) -> None:
        super().__init__(claim)
        self.base: Value | None = None
        m = claim.m
        for support in claim.every_support():
            values = [claim.number(rotated(support, m, k)) for k in range(m)]
            known = [x for x in values if x is not None]
            if len(known) == m:
                self.base = total(claim.ring, known)
                break

    def cases(self) -> Iterator[Case]:
        """Yield one support of each set of rotations."""
        m = self.claim.m
        for support in self.claim.every_support():
            if support == min(rotated(support, m, k) for k in range(m)):
                yield Case({"support": bits(support)}, lambda branch, node, x=support: self._check(branch, node, x))  # type: ignore[misc]

    def _check(self, branch: Branch, node: Node, support: Support) -> None:
        claim, m = self.claim, self.claim.m
        cells = branch.cells(support)
        values: list[Outcome] = [claim.value(rotated(cells, m, k)) for k in range(m)]
        if undefined(node, *values):
            demand(all(x is None for x in values), "some, but not all, rotated predictions have a value")
            return
        demand(self.base is not None, "no average is known")
        assert self.base is not None
        equal(total(claim.ring, [x for x in values if x is not None]), self.base)

    def finish(self) -> None:
        """Demand that the constant is stated as it is."""
        demand(self.base is not None, "no average in the domain has a value")
        assert self.base is not None
        self.claim.constant_is(self.claim.statement.constants[0], self.base / self.claim.ring.number(self.claim.m))


def rotated(cells: Sequence[_Cell], m: int, k: int) -> tuple[_Cell, ...]:
    """Return the cells with each column moved k places to the right, the last ones to the front."""
    return tuple(cells[i * m + (j - k) % m] for i in range(m) for j in range(m))
