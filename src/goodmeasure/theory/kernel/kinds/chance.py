"""Chance correction (opitz2024, Property V): what guesses can score, for one number of classes.

A guess for true sizes x has the cells x_i·y_j/Σy, where the shares y_j ≥ 0 of the predicted classes are not all 0; all
sizes are real numbers. So for true sizes of the domain the guesses in the domain have a least upper bound of their
values. The statement says that it is the same number ω for all true sizes for which some guess has a value, and that a
matrix of the domain scores more than ω.

That guesses reach a value v or come near it is shown by shares that may depend on a positive number s, and a number K
that does not: M ≥ v − K/s for all s > 0, and K/s falls below every number. K = 0 shows that the guess reaches v.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from goodmeasure.theory.kernel import signs
from goodmeasure.theory.kernel.calculus import at
from goodmeasure.theory.kernel.claim import Branch, Case, Claim, Kind, Support, bits, difference
from goodmeasure.theory.kernel.facts import Node, listed
from goodmeasure.theory.kernel.functions import log
from goodmeasure.theory.kernel.kinds.baselines import guess
from goodmeasure.theory.kernel.kinds.blocks import Classes, classes_of
from goodmeasure.theory.kernel.kinds.values import matrix, undefined
from goodmeasure.theory.kernel.meaning import Outcome
from goodmeasure.theory.kernel.refusal import Refused, demand
from goodmeasure.theory.kernel.texts import parsed
from goodmeasure.theory.kernel.values import Value, total


class Guesses(Kind):
    """What the checks of bounds for guesses have in common."""

    ways = ("undefined", "bound")

    def __init__(self, claim: Claim) -> None:
        super().__init__(claim)
        self.s = self.ring.variable(self.ring.names.index("s"))

    def below(self, node: Node, value: Outcome, bound: Value) -> bool:
        """Demand that a value is at most a bound; return whether there is a value."""
        if undefined(node, self.ways, value):
            return False
        assert value is not None
        difference(bound, value, strict=False)
        return True

    def guessed(self, true: Sequence[Value], shares: Sequence[Value]) -> Outcome:
        """Return the value of a guess."""
        whole = total(self.ring, shares)
        self.ring.remember(total(self.ring, true) * whole)
        return self.claim.value([x * y / whole for x in true for y in shares])

    def near(self, said: Node, true: Sequence[Value], bound: Value, branch: Branch) -> None:
        """Demand that guesses with shares that are stated, each 0 or positive, reach a bound or come near it.

        The case may be split, but not by s: what else is given in a branch stays the same as s grows.
        """
        within = at(parsed(self.ring, said.get("within", "0")), branch.place)
        fixed = [within, *true, *branch.place.values(), *(x for x, _ in branch.supposed)]
        demand(not any(x.variables() & self.s.variables() for x in fixed), "the distance depends on s")
        difference(self.stated(said, true, branch) + within / self.s, bound, strict=False)

    def stated(self, said: Node, true: Sequence[Value], branch: Branch) -> Value:
        """Return the value of the guess whose shares are stated, in what variables stand for before splits."""
        shares = [at(parsed(self.ring, text), branch.place) for text in listed(said.get("shares"), "shares")]
        demand(len(shares) == len(true) and any(y.coefficient for y in shares), "a guess has a share for each class")
        for y in shares:
            if y.coefficient:
                y.must_be(signs.POSITIVE)
        present = [[bool(x.coefficient) for x in z] for z in (true, shares)]
        demand(self.claim.admits_classes(*present), "the guess is outside the domain")
        value = self.guessed(true, shares)
        if value is None:
            raise Refused("the guess has no value")
        return value


class Bound(Guesses):
    """The best guess scores one constant ω for all true sizes, and some matrix scores more.

    For all classes that the domain admits, ω − M ≥ 0 on all x_i·y_j. For all true classes with a guess that has a
    value, guesses reach ω or come near it, whatever the true sizes are. So ω is the least upper bound for all of them.
    """

    def __init__(self, claim: Claim) -> None:
        super().__init__(claim)
        self.omega = parsed(self.ring, claim.constants.get(claim.statement.constants[0]))
        demand(self.omega.is_number(), "the bound is not one number")
        self.bound = self.omega.times(claim.turn)
        self.valued: set[Classes] = set()

    def cases(self) -> Iterator[Case]:
        """Yield the classes that can occur, the true classes for which guesses have values, and a better matrix."""
        for true, predicted in classes_of(self.claim):
            about = {"true": bits(true), "predicted": bits(predicted)}
            yield Case(about, lambda branch, node, x=true, y=predicted: self._below(branch, node, x, y))  # type: ignore[misc]
        for true in sorted(self.valued):
            yield Case({"true": bits(true)}, lambda branch, node, x=true: self._near(branch, node, x))  # type: ignore[misc]
        if self.valued:
            yield Case({}, lambda branch, node: self._better(node))

    def _below(self, branch: Branch, node: Node, true: Classes, predicted: Classes) -> None:
        if self.below(node, self.claim.value(guess(branch, true, predicted)), self.bound):
            self.valued.add(true)

    def _near(self, branch: Branch, node: Node, true: Classes) -> None:
        demand(node.get("by") == "guess", "no way to show that a bound is reached")
        first = self.claim.m**2
        self.near(node, [branch.variable(first + i).times(x) for i, x in enumerate(true)], self.bound, branch)

    def _better(self, node: Node) -> None:
        demand(node.get("by") == "example", "no way to show that a matrix scores more")
        value = self.claim.number(matrix(self.claim, node.get("matrix")))
        if value is None:
            raise Refused("the matrix has no value")
        difference(value, self.bound, strict=True)

    def finish(self) -> None:
        """Demand that some guess has a value."""
        demand(self.valued, "no guess has a value")

    def constants(self) -> dict[str, Outcome]:
        """Return the bound."""
        return {self.claim.statement.constants[0]: self.omega}


class Uncorrected(Guesses):
    """No ω exists. The certificate chooses true sizes, a guess for them, and a number in the measure's own sign."""

    def __init__(self, claim: Claim) -> None:
        super().__init__(claim)
        self.true, self.bound = self.sizes("true"), self.number("bound")

    def number(self, name: str) -> Value:
        """Return a number that the certificate chooses, turned as values are."""
        found = parsed(self.ring, self.claim.about.get(name, "0"))
        demand(found.is_number(), "it is not one number", name)
        return found.times(self.claim.turn)

    def sizes(self, name: str) -> list[Value]:
        """Return true sizes that the certificate chooses."""
        found = [x for x in listed(self.claim.about.get(name), name) if type(x) is int and 0 <= x < 10**9]
        demand(len(found) == self.claim.m and any(found), "sizes are m whole numbers", name)
        return [self.ring.number(x) for x in found]

    def the_guess(self) -> Case:
        """Return the case of the guess."""
        return Case({}, self._guess)

    def _guess(self, branch: Branch, node: Node) -> None:
        branch.must_be_whole()
        demand(node.get("by") == "guess", "no way to show what a guess scores")
        self.shown(branch)

    def shown(self, branch: Branch) -> None:
        """Demand what the certificate says of the guess."""
        self.near(self.claim.about, self.true, self.bound, branch)


class Apart(Uncorrected):
    """For some true sizes guesses reach a number or come near it, and for others every guess scores less.

    For the latter, some guess has a value, and ``most`` − M ≥ 0 on x_i·y_j/Σy for all classes that can be predicted.
    """

    def __init__(self, claim: Claim) -> None:
        super().__init__(claim)
        self.other, self.most = self.sizes("other"), self.number("most")
        self.occurring = tuple(bool(x.coefficient) for x in self.other)

    def cases(self) -> Iterator[Case]:
        """Yield the guess, and the classes that can be predicted for the other true sizes."""
        yield self.the_guess()
        for predicted in self._predicted():
            about = {"predicted": bits(predicted)}
            yield Case(about, lambda branch, node, y=predicted: self._below(branch, node, y))  # type: ignore[misc]

    def _predicted(self) -> list[Classes]:
        return [predicted for true, predicted in classes_of(self.claim) if true == self.occurring]

    def _below(self, branch: Branch, node: Node, predicted: Classes) -> None:
        first = self.claim.m * (self.claim.m + 1)
        shares = [branch.variable(first + j).times(y) for j, y in enumerate(predicted)]
        self.below(node, self.guessed(self.other, shares), self.most)

    def shown(self, branch: Branch) -> None:
        """Demand that guesses come near the greater number."""
        super().shown(branch)
        difference(self.bound, self.most, strict=True)

    def finish(self) -> None:
        """Demand that some guess has a value for the other true sizes."""
        equal = ([self.ring.number(int(y)) for y in x] for x in self._predicted())
        demand(any(self.guessed(self.other, y) is not None for y in equal), "no guess has a value for these true sizes")


class Perfect(Uncorrected):
    """Guesses reach a number or come near it, and no matrix of the domain scores more.

    So ω would be at least this number, and no matrix scores more than ω. (That counts are whole may be used for the
    bound on all matrices, although guesses are real: nothing is concluded from it about guesses.)
    """

    def cases(self) -> Iterator[Case]:
        """Yield the guess, and every support of the domain."""
        yield self.the_guess()
        for support in self.claim.supports():
            yield Case({"support": bits(support)}, lambda branch, node, x=support: self._below(branch, node, x))  # type: ignore[misc]

    def _below(self, branch: Branch, node: Node, support: Support) -> None:
        self.below(node, self.claim.value(branch.cells(support)), self.bound)


class Unbounded(Uncorrected):
    """Guesses score more than any number: M ≥ r·log s for all s > 0, with a positive number r."""

    def cases(self) -> Iterator[Case]:
        """Yield the guess."""
        yield self.the_guess()

    def shown(self, branch: Branch) -> None:
        """Demand that the guess grows."""
        rate = parsed(self.ring, self.claim.about.get("rate"))
        demand(rate.is_number() and rate.signs() == signs.POSITIVE, "the rate is no positive number", "about")
        difference(self.stated(self.claim.about, self.true, branch), rate * log(self.s), strict=False)
