"""Random predictions and independent labelings, for one number of classes.

Class sizes are given by which classes occur in the true and in the predicted labels. The cells of a *block* are those
of classes that occur; a random prediction with these sizes gives a matrix with some support inside the block.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product
from typing import TypeVar

from goodmeasure.theory.kernel.calculus import at, derivative
from goodmeasure.theory.kernel.claim import Branch, Case, Claim, Kind, Support, bits
from goodmeasure.theory.kernel.facts import Node
from goodmeasure.theory.kernel.kinds.blocks import (
    Classes,
    block,
    classes_of,
    demand_fixed,
    formula_on,
    inside,
    within,
    without_cells,
)
from goodmeasure.theory.kernel.kinds.values import equal, undefined
from goodmeasure.theory.kernel.meaning import Outcome
from goodmeasure.theory.kernel.refusal import Refused, demand
from goodmeasure.theory.kernel.texts import parsed
from goodmeasure.theory.kernel.values import Value, total

BOTH: Classes = (True, True)
_Cell = TypeVar("_Cell")


def guess(branch: Branch, true: Classes, predicted: Classes) -> list[Value]:
    """Return the cells x_i·y_j of a block: every matrix a_i b_j / n has this form, with x_i = a_i / n and y_j = b_j.

    That their sum is Σx·Σy is remembered, as it is a divisor or the argument of a logarithm in most measures.
    """
    ring, m, none = branch.ring, len(true), branch.ring.number(0)
    x, y = (
        [branch.variable(first + i) if present else none for i, present in enumerate(classes)]
        for first, classes in ((m * m, true), (m * m + m, predicted))
    )
    ring.remember(total(ring, x) * total(ring, y))
    return [p * q for p in x for q in y]


class Independent(Kind):
    """The value on all matrices x_i·y_j with positive x and y is one constant."""

    ways = ("equal", "undefined")

    def __init__(self, claim: Claim) -> None:
        demand(not claim.statement.across_m, "one number of classes shows nothing about the others")
        super().__init__(claim)
        self.base = claim.number((1,) * claim.m**2)
        self.some = False

    def cases(self) -> Iterator[Case]:
        """Yield the sets of classes that can occur."""
        for true, predicted in classes_of(self.claim):
            about = {"true": bits(true), "predicted": bits(predicted)}
            yield Case(about, lambda branch, node, x=true, y=predicted: self._check(branch, node, x, y))  # type: ignore[misc]

    def _check(self, branch: Branch, node: Node, true: Classes, predicted: Classes) -> None:
        value = self.claim.value(guess(branch, true, predicted))
        if not undefined(node, Independent.ways, value):
            self.must_be_base(value)

    def must_be_base(self, value: Outcome) -> None:
        """Demand that a value is the constant."""
        if value is None or self.base is None:
            raise Refused("the measure is undefined on a guess, or on the matrix of ones")
        equal(value, self.base)
        self.some = True

    def finish(self) -> None:
        """Demand that the statement speaks of something."""
        demand(self.some, "there is nothing that the statement speaks of")

    def constants(self) -> dict[str, Outcome]:
        """Return the constant."""
        return {self.claim.statement.constants[0]: self.claim.own(self.base)}


class Expectation(Independent):
    """The average over random predictions is one constant, for a measure that is affine in the cells.

    Fix class sizes a and b. A random prediction gives a matrix C with these margins and mean c̄_ij = a_i b_j / n. If M
    is affine on the matrices with these margins, then E[M(C)] = M(C̄), which must be the same constant for all class
    sizes. That M is affine is shown in two steps. On the whole block, M is one formula f in positive reals, and its
    second derivatives vanish along the directions that keep the margins. On every smaller support that a prediction can
    have, the definition must give f with the missing cells set to 0; so f is M on all these matrices.

    The case may be split by the signs of polynomials that depend on the margins alone, since all of this is about the
    matrices with the same margins. On a smaller support nothing else is known than these signs, with the missing cells
    set to 0; where they cannot be, there are no matrices.

    Where M has no value on some smaller support, class sizes that admit this support are left out by the statement, and
    for all others f is still M everywhere. Some class sizes of few items must remain.
    """

    ways = ("affine", "undefined")

    def _check(self, branch: Branch, node: Node, true: Classes, predicted: Classes) -> None:
        claim, whole = self.claim, block(true, predicted)
        supports = list(within(whole, true, predicted))
        directions = list(_directions(true, predicted))
        demand_fixed(branch, directions)
        if node.get("by") == "undefined":
            demand(all(claim.on(x) is None for x in supports), "the measure is defined on a support")
            return
        demand(node.get("by") == "affine", "no way to show an average")
        value = claim.on(whole)
        if value is None:
            raise Refused("the measure is undefined where all cells are positive")
        for k, first in enumerate(directions):
            slope = derivative(value, first)
            for second in directions[k:]:
                demand(derivative(slope, second).is_zero(), "the measure is not affine in the cells")
        self.must_be_base(at(value, dict(enumerate(guess(branch, true, predicted)))))
        for support in supports if branch.supposed else inside(claim, whole, supports):
            with without_cells(branch, whole, support) as gone:
                if gone is not None:
                    formula_on(claim, value, whole, support, partly=True)

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


class Flatness(Independent):
    """The value is constant, and derivatives by p_AB vanish, where two labelings are independent; for two classes.

    A derivative by p_AB is one along a direction that keeps the margins. So the case may be split by signs of
    polynomials that depend on the margins alone.
    """

    ways = ("equal", "flat")

    def cases(self) -> Iterator[Case]:
        """Yield the orders of the derivatives that vanish; order 0 is the value itself."""
        yield Case({"order": 0}, lambda branch, node: super(Flatness, self)._check(branch, node, BOTH, BOTH))
        order = self.claim.statement.order or 1
        for k in ("every",) if order == math.inf else range(2, int(order) + 1):
            yield Case({"order": k}, lambda branch, node, k=k: self._flat(branch, node, k))  # type: ignore[misc]

    def _flat(self, branch: Branch, node: Node, k: int | str) -> None:
        demand(node.get("by") == "flat", "no way to show a derivative")
        value, (direction,) = self.claim.on((1, 1, 1, 1)), _directions(BOTH, BOTH)
        demand_fixed(branch, [direction])
        if value is None:
            raise Refused("the measure is undefined")
        for _ in range(2 if isinstance(k, str) else k):
            value = derivative(value, direction)
        if not isinstance(k, str):
            value = at(value, dict(enumerate(guess(branch, BOTH, BOTH))))
        # For all orders, the second derivative is 0 on all positive matrices: M is affine in p_AB.
        demand(value.is_zero(), "a derivative does not vanish")


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
        if undefined(node, self.ways, *values):
            demand(all(x is None for x in values), "some, but not all, rotated predictions have a value")
            return
        demand(self.base is not None, "no average is known")
        assert self.base is not None
        equal(total(claim.ring, [x for x in values if x is not None]), self.base)

    def finish(self) -> None:
        """Demand that the statement speaks of something."""
        demand(self.base is not None, "no average in the domain has a value")

    def constants(self) -> dict[str, Outcome]:
        """Return the average."""
        mean = None if self.base is None else self.base.times(Fraction(1, self.claim.m))
        return {self.claim.statement.constants[0]: self.claim.own(mean)}


class Mixture(Kind):
    """Guessing each label with equal chances scores one constant, as random predictions with given sizes do.

    The constant baseline of goesgens2021, Definition 8, is a part. For class sizes a and b that it speaks of, the
    average over predictions is the constant, hence also the mixture over b. It does not speak of constant predictions,
    whose value must be the constant, and of sizes for which only some predictions have a value: for all classes that
    occur, the measure must have a value on all supports or on none.
    """

    ways = ("defined", "undefined")

    def __init__(self, claim: Claim) -> None:
        super().__init__(claim)
        self.some, self.stated = False, claim.constants.get(claim.statement.constants[0])

    def parts(self) -> dict[str, Node]:
        """Return the constant baseline, with the same constant."""
        name = "constant_baseline"
        return {name: {"statement": name, "constants": {"c_base": self.stated}}}

    def cases(self) -> Iterator[Case]:
        """Yield the sets of classes that can occur."""
        for true, predicted in classes_of(self.claim):
            about = {"true": bits(true), "predicted": bits(predicted)}
            yield Case(about, lambda branch, node, x=true, y=predicted: self._check(branch, node, x, y))  # type: ignore[misc]

    def _check(self, branch: Branch, node: Node, true: Classes, predicted: Classes) -> None:
        branch.must_be_whole()
        demand(node.get("by") in self.ways, "no way to show where there are values", "by")
        has = node.get("by") == "defined"
        self.some = self.some or has
        for support in within(block(true, predicted), true, predicted):
            with self.one_case():  # the roots in one value are of no use for the next
                value = self.claim.on(support)
                demand((value is not None) == has, "only some predictions for some classes have a value")
                if value is not None and sum(predicted) == 1:
                    equal(value, parsed(self.ring, self.stated).times(self.claim.turn))

    def finish(self) -> None:
        """Demand that the statement speaks of something."""
        demand(self.some, "no average in the domain has a value")

    def constants(self) -> dict[str, Outcome]:
        """Return the constant."""
        return {self.claim.statement.constants[0]: parsed(self.ring, self.stated)}


def rotated(cells: Sequence[_Cell], m: int, k: int) -> tuple[_Cell, ...]:
    """Return the cells with each column moved k places to the right, the last ones to the front."""
    return tuple(cells[i * m + (j - k) % m] for i in range(m) for j in range(m))
