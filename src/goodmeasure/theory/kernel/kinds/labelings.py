"""Test sets: fixed ranges, constant predictions and smoothness.

A test set fixes the true class sizes. What its predictions can look like depends on which classes occur. A *pure*
support has at most one positive cell in each row; every choice of positive class sizes has exactly one matrix with a
given pure support, so a value that is constant on such a support is reached on every test set with these classes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

from goodmeasure.theory.kernel import signs
from goodmeasure.theory.kernel.calculus import at, derivative
from goodmeasure.theory.kernel.claim import Branch, Case, Claim, Kind, Support, bits
from goodmeasure.theory.kernel.facts import Node
from goodmeasure.theory.kernel.functions import Logarithm
from goodmeasure.theory.kernel.kinds.blocks import block, demand_fixed, formula_on, inside, without_cells
from goodmeasure.theory.kernel.kinds.values import equal, undefined
from goodmeasure.theory.kernel.meaning import Outcome
from goodmeasure.theory.kernel.means import Mean
from goodmeasure.theory.kernel.refusal import Refused, demand
from goodmeasure.theory.kernel.texts import parsed
from goodmeasure.theory.kernel.values import Atom, Root, Value

BOUNDS = ("alpha", "beta")


class Ranges(Kind):
    """Two constants bound the measure on every support, and are reached on every test set that has values.

    A bound is reached if for all true classes with values some pure support has it as its value, identically in the
    class sizes. Where supports are listed up to the names of the classes, test sets with as many classes are the same
    up to names, and so are their predictions.
    """

    ways = ("undefined", "difference")

    def __init__(self, claim: Claim) -> None:
        super().__init__(claim)
        self.bounds = [parsed(claim.ring, claim.constants.get(x)).times(claim.turn) for x in BOUNDS]
        demand(all(x.is_number() for x in self.bounds), "a bound is not one number")
        # By test set and bound, the supports with values, and whether they reach the bound in each branch.
        self.met: dict[tuple[object, int], dict[Support, bool]] = {}
        self.gone: set[Support] = set()  # supports with a branch without a value

    def cases(self) -> Iterator[Case]:
        """Yield every support of the domain with each bound."""
        for support in self.claim.supports():
            for k, name in enumerate(BOUNDS):
                about = {"support": bits(support), "bound": name}
                yield Case(about, lambda branch, node, x=support, k=k: self._check(branch, node, x, k))  # type: ignore[misc]

    def _check(self, branch: Branch, node: Node, support: Support, k: int) -> None:
        claim, bound = self.claim, self.bounds[k]
        value, rows = claim.value(branch.cells(support)), occurring(support, claim.m)
        if undefined(node, self.ways, value):
            self.gone.add(support)
            return
        assert value is not None
        least = (k == 0) == (claim.turn > 0)
        (value - bound if least else bound - value).must_be(signs.NOT_NEGATIVE)
        reached = self.met.setdefault((sum(rows) if claim.symmetric else rows, k), {})
        reached[support] = reached.get(support, is_pure(support, claim.m)) and (value - bound).is_zero()

    def finish(self) -> None:
        """Demand that each bound is reached wherever there are values."""
        demand(bool(self.met), "no test set has a value")
        for supports in self.met.values():
            some = any(reached and x not in self.gone for x, reached in supports.items())
            demand(some, "a bound is not shown to be reached on every test set")

    def constants(self) -> dict[str, Outcome]:
        """Return the bounds."""
        return {name: self.claim.own(x) for name, x in zip(BOUNDS, self.bounds, strict=True)}


def occurring(support: Sequence[int], m: int) -> tuple[bool, ...]:
    """Return which true classes occur."""
    return tuple(any(support[i * m : (i + 1) * m]) for i in range(m))


def is_pure(support: Sequence[int], m: int) -> bool:
    """Return whether at most one cell of each row is positive."""
    return all(sum(support[i * m : (i + 1) * m]) < 2 for i in range(m))


class ConstantPredictions(Kind):
    """Each constant prediction scores one constant wherever every class occurs and it has a value."""

    ways = ("equal", "undefined")

    def __init__(self, claim: Claim) -> None:
        super().__init__(claim)
        self.found: dict[str, Support] = {}

    def cases(self) -> Iterator[Case]:
        """Yield the supports of the constant predictions, with the names of their constants."""
        m = self.claim.m
        for name, j in self.claim.statement.constant_predictions(m):
            support = tuple(int(k % m == j) for k in range(m * m))
            if self.claim.admits(support):
                about = {"support": bits(support)}
                yield Case(about, lambda branch, node, x=support, name=name: self._check(branch, node, x, name))  # type: ignore[misc]

    def _check(self, branch: Branch, node: Node, support: Support, name: str) -> None:
        value = self.claim.value(branch.cells(support))
        if undefined(node, self.ways, value):
            return
        one = self.claim.number(support)
        assert value is not None
        if one is None:
            raise Refused("the value on a matrix of ones is undefined")
        equal(value, one)
        self.found[name] = support

    def finish(self) -> None:
        """Demand that there is a constant prediction."""
        demand(bool(self.found), "no constant prediction has a value")

    def constants(self) -> dict[str, Outcome]:
        """Return the constants of the predictions that have a value."""
        return {name: self.claim.own(self.claim.number(support)) for name, support in self.found.items()}


class Smoothness(Kind):
    """The measure is continuously differentiable in the cells of each row, on every test set.

    For given true class sizes the cells of each row run through a simplex (for two classes, TP and TN through a
    rectangle); a smaller domain leaves out some of the faces. Inside, the measure must be one formula, a quotient of
    polynomials, roots, logarithms and means. On every face in the domain (some cells 0) the definition must give the
    same formula, the denominator must not vanish there, and everything under a root or in a logarithm or mean must stay
    positive. So the formula is continuously differentiable on a neighbourhood of each of these matrices, and it is the
    measure on all of them; where the measure has no value, the formula fills the gap. Other functions may occur in it
    if they depend on the true class sizes alone: on one test set they are numbers, also on its faces, where the formula
    must have a value. Test sets on which no prediction in the domain has a value are outside the statement. The case
    may be split by signs of polynomials in the true class sizes, since all of this is about one test set.
    """

    ways = ("one formula", "undefined")

    def __init__(self, claim: Claim) -> None:
        super().__init__(claim)
        self.some, m = False, claim.m
        self.moves = [{i * m: 1, i * m + j: -1} for i, j in product(range(m), range(1, m))]  # within a row

    def cases(self) -> Iterator[Case]:
        """Yield the sets of true classes that can occur."""
        tests: dict[tuple[bool, ...], list[Support]] = {}
        for support in self.claim.every_support():
            tests.setdefault(occurring(support, self.claim.m), []).append(support)
        for true, supports in tests.items():
            if self.claim.symmetric and list(true) != sorted(true, reverse=True):
                continue
            yield Case({"true": bits(true)}, lambda branch, node, x=true, y=supports: self._check(branch, node, x, y))  # type: ignore[misc]

    def _check(self, branch: Branch, node: Node, true: tuple[bool, ...], supports: list[Support]) -> None:
        claim, m = self.claim, self.claim.m
        demand_fixed(branch, self.moves)
        if node.get("by") == "undefined":
            demand(all(claim.on(x) is None for x in supports), "a test set has values")
            return
        demand(node.get("by") == "one formula", "no way to show that a measure is smooth")
        whole = block(true, (True,) * m)
        value = claim.on(whole)
        if value is None:
            raise Refused("the measure is undefined where all cells are positive")
        must_stay = self._positive_inside(value)
        chosen = set(supports if branch.supposed else inside(claim, whole, supports))
        for support in supports:
            with without_cells(branch, whole, support) as gone:
                if gone is None:
                    continue
                if support in chosen:
                    formula_on(claim, value, whole, support, gaps=True)
                for x in must_stay:
                    at(x, gone).must_be(signs.POSITIVE)
        self.some = True

    def _positive_inside(self, value: Value) -> list[Value]:
        """Return what must stay positive: what stands under roots, fractional powers and in logarithms."""
        found: list[Value] = []
        stack = [value]
        while stack:
            x = stack.pop()
            found += [x.ring.of(f) for f, e in x.powers.items() if e.denominator != 1 and f.number is None]
            for atom in filter(None, map(x.ring.atom, sorted(x.atoms()))):
                if self._is_fixed(atom):
                    continue
                smooth = isinstance(atom, (Root, Logarithm, Mean))
                demand(smooth, "the measure is no quotient of polynomials, roots, logarithms and means")
                found += atom.parts
                stack += atom.parts
        return found

    def _is_fixed(self, atom: Atom) -> bool:
        """Return whether a function is the same for all predictions: no slope where items move within a row."""
        try:
            return all(derivative(atom.value, x).is_zero() for x in self.moves)
        except Refused:
            return False

    def finish(self) -> None:
        """Demand that some test set has a formula."""
        demand(self.some, "no test set is said to have one formula")
