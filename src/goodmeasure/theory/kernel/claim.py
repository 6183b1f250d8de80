"""What a certificate claims, and the check of its cases.

A certificate is untrusted data. What gives the claim its meaning is worked out here: the kernel lists the cases that
the statement makes on the domain, reads the tree on each, and demands for each that the certificate shows what the
statement asks. It searches for nothing: where a sign does not show in coefficients, the certificate states facts
(`facts.py`) or splits the case.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from fractions import Fraction
from itertools import permutations
from typing import ClassVar, TypeVar

from goodmeasure.language.tree import Tree
from goodmeasure.theory.kernel import signs
from goodmeasure.theory.kernel.calculus import at
from goodmeasure.theory.kernel.facts import Node, entries, know, learn
from goodmeasure.theory.kernel.meaning import LeftOut, Meaning, Outcome
from goodmeasure.theory.kernel.polynomials import constant, variable
from goodmeasure.theory.kernel.refusal import Refused, demand
from goodmeasure.theory.kernel.signs import WORDS
from goodmeasure.theory.kernel.texts import parsed, polynomial
from goodmeasure.theory.kernel.values import Ring, Value
from goodmeasure.theory.statements.domain import DOMAINS
from goodmeasure.theory.statements.listing import named
from goodmeasure.theory.statements.statement import Statement

Support = tuple[int, ...]  # 1 where a cell is positive, row after row
_Item = TypeVar("_Item")
MOST_CLASSES = 4  # with cases by supports: five classes have 33 million
DEEPEST = 8  # splits within splits
ON_REALS = ("slope", "one formula", "affine", "flat")  # ways to show a case in which cells are any positive numbers


@dataclass(frozen=True)
class Case:
    """One case of a statement: what it is about, as JSON, and what checks a branch of it, given its node."""

    about: Mapping[str, object]
    check: Callable[[Branch, Node], None]

    @property
    def key(self) -> str:
        """What names the case in a certificate."""
        return str(sorted(self.about.items()))


class Claim:
    """A statement about a measure with a number of classes on a domain: what cases have in common."""

    def __init__(
        self,
        tree: Tree,
        statement: Statement,
        *,
        m: int,
        domain: str,
        policy: str,
        lower: bool = False,
        symmetric: bool = False,
        constants: Node | None = None,
        about: Node | None = None,
        exponents: str = "",
    ) -> None:
        self.tree, self.statement, self.m, self.domain, self.policy = tree, statement, m, domain, policy
        self.turn, self.symmetric = -1 if lower else 1, symmetric
        self.constants = dict(constants or {})
        self.about = dict(about or {})  # what a certificate chooses: examples, and what it compares with
        self.exponents = exponents  # of which the tree leaves one open, for a family of measures
        cells = [f"c{i}_{j}" for i in range(m) for j in range(m)]
        self.ring = Ring([*cells, *(f"{x}{i}" for x in "xy" for i in range(m)), "s"], whole=cells, kept="s")
        if not m:  # it is about every number of classes, and constants are functions of it
            self.ring = Ring(["m"], whole=["m"])
            know(self.ring, variable(0) - constant(1), signs.POSITIVE)
        self._known: dict[object, Outcome] = {}  # values that hold in every case
        self._here: dict[object, Outcome] = {}  # values with atoms, until the case is settled

    # What the domain admits

    def admits(self, support: Sequence[int]) -> bool:
        """Return whether the matrices with a support lie in the domain; only which classes occur matters."""
        m = self.m
        rows = [any(support[i * m : (i + 1) * m]) for i in range(m)]
        columns = [any(support[j::m]) for j in range(m)]
        return self.admits_classes(rows, columns)

    def admits_classes(self, true: Sequence[object], predicted: Sequence[object]) -> bool:
        """Return whether matrices lie in the domain in whose labelings just these classes occur."""
        return domain_admits(self.domain, true, predicted)

    def supports(self) -> Iterator[Support]:
        """Yield the supports of the domain; up to the names of the classes, where cases are listed so."""
        return self.distinct(self.every_support(), renamed)

    def every_support(self, *, empty: bool = False) -> Iterator[Support]:
        """Yield all supports of the domain, or with ``empty`` all supports there are."""
        demand(self.m <= MOST_CLASSES, f"{self.m} classes have too many patterns of empty cells")
        every = (tuple(k >> p & 1 for p in reversed(range(self.m**2))) for k in range(2 ** (self.m**2)))
        return every if empty else (x for x in every if self.admits(x))

    def distinct(
        self, items: Iterable[_Item], rename: Callable[[_Item, tuple[int, ...], int], Hashable]
    ) -> Iterator[_Item]:
        """Yield the first of each set of items that are the same up to the names of the classes, if all are alike.

        If the tree treats all classes alike, M(πC) = M(C) for every renaming π, so what is shown of one matrix holds
        for its renamings; and the statements list with a case all its renamings.
        """
        if not self.symmetric:
            yield from items
            return
        demand(self.m <= MOST_CLASSES, f"{self.m} classes have too many names")
        seen: set[Hashable] = set()
        names = list(permutations(range(self.m)))
        for x in items:
            if rename(x, names[0], self.m) not in seen:
                seen.update(rename(x, p, self.m) for p in names)
                yield x

    # Values

    def value(self, cells: Sequence[Value], *, ring: Ring | None = None) -> Outcome:
        """Return the value on a matrix of values, turned so that higher is better; None where it is undefined."""
        of = ring or self.ring
        key = (of, of.leaves_open, tuple(x.key for x in cells))
        for known in (self._known, self._here):
            if key in known:
                return known[key]
        before, m = of.consulted, self.m
        try:
            rows = [cells[i * m : (i + 1) * m] for i in range(m)]
            found = Meaning(of, rows, self.policy, self.exponents).value(self.tree)
        except LeftOut:
            raise Refused("a class is left out where no sum is around it") from None
        found = found if found is None else found.times(self.turn)
        if of.consulted == before:  # it rests on no fact, so it is the same in every case
            passing = any(x is not None and x.atoms() for x in (found, *cells))
            (self._here if passing else self._known)[key] = found
        return found

    @contextmanager
    def one_case(self, ring: Ring) -> Iterator[None]:
        """Forget the atoms of a case after it, so that no case depends on those before it."""
        count = len(ring.atoms)
        try:
            yield
        finally:
            ring.forget(count)
            self._here.clear()

    def on(self, support: Sequence[int]) -> Outcome:
        """Return the value on a whole support, without splits."""
        return self.value(Branch(self.ring).cells(support))

    def number(self, rows: Sequence[int]) -> Outcome:
        """Return the value on one matrix of whole numbers, row after row."""
        return self.value([self.ring.number(x) for x in rows])

    def own(self, value: Outcome) -> Outcome:
        """Return a value in the measure's own sign, in which constants are stated."""
        return None if value is None else value.times(self.turn)

    def constant_is(self, name: str, value: Outcome) -> None:
        """Demand that a constant is stated as it is."""
        depends = not self.m and not self.statement.across_m
        if value is None or not (depends or value.is_number()):
            raise Refused("it is not one number", name)
        demand((parsed(self.ring, self.constants.get(name)) - value).is_zero(), f"it is {value.text()[:200]}", name)


def statement_of(name: object) -> Statement:
    """Return the statement with a name."""
    try:
        found = named(name) if isinstance(name, str) else None
    except ValueError:  # an order that is none
        found = None
    if found is None:
        raise Refused(f"{str(name)[:60]!r} is no statement that is known", "statement")
    return found


def domain_admits(domain: str, true: Sequence[object], predicted: Sequence[object]) -> bool:
    """Return whether matrices lie in a domain in whose labelings just these classes occur."""
    demand(domain in DOMAINS, "the domain is none that is known", "domain")
    return DOMAINS[domain].admits_classes(true, predicted)


class Kind:
    """What checks the statements of one kind; `ways`: what ``by`` of a case may say, as a prover may try them."""

    ways: ClassVar[tuple[str, ...]] = ()

    def __init__(self, claim: Claim) -> None:
        self.claim, self.ring = claim, claim.ring  # the ring of the values in the cases

    def parts(self) -> Mapping[str, Node]:
        """Return what the cases rest on: parts by their names, with what each is about."""
        return {}

    def one_case(self) -> AbstractContextManager[None]:
        """Forget the atoms of a case after it."""
        return self.claim.one_case(self.ring)

    def cases(self) -> Iterator[Case]:
        """Yield every case that the statement makes on the domain."""
        raise NotImplementedError

    def finish(self) -> None:
        """Demand, after all cases, what they show together."""

    def constants(self) -> Mapping[str, Outcome]:
        """Return, after all cases, the constants that they show, in the measure's own sign."""
        return {}


class Branch:
    """A part of a case: what stands for each variable after splits, and the signs that splits suppose."""

    def __init__(
        self, ring: Ring, place: Mapping[int, Value] | None = None, supposed: Sequence[tuple[Value, int]] = ()
    ) -> None:
        self.ring, self.place, self.supposed = ring, dict(place or {}), supposed

    @property
    def divided(self) -> bool:
        """Whether anything is split."""
        return bool(self.place or self.supposed)

    def must_be_whole(self) -> None:
        """Demand that nothing is split: what is shown takes limits or derivatives, which lead out of a branch."""
        demand(not self.divided, "a formula is for a whole case, which is not split")

    def suppose(self) -> None:
        """Know the signs that are supposed, as far as each is the sign of one polynomial, and nothing else.

        Facts may rest on what variables were before a split, which now stand for something else.
        """
        self.ring.facts = {}
        for x, known in self.supposed:
            if list(x.powers.values()) == [1]:
                know(self.ring, next(iter(x.powers)), known if x.coefficient > 0 else signs.TURNED[known])

    @property
    def empty(self) -> bool:
        """Whether no place has the signs that are supposed, so that nothing needs to be shown."""
        return any(not x.signs() & known for x, known in self.supposed)

    def variable(self, k: int) -> Value:
        """Return what stands for a variable."""
        return self.place.get(k) or self.ring.variable(k)

    def cells(self, support: Sequence[int]) -> list[Value]:
        """Return the cells of a support, row after row."""
        return [self.variable(k) if x else self.ring.number(0) for k, x in enumerate(support)]

    def ordered(self, first: str, second: str, order: str) -> Branch:
        """Return the branch where two variables are in an order: the larger is the smaller plus a positive variable.

        A whole variable may also be compared with 1. The new variable takes a name of the two, so these must both be
        whole numbers or neither.
        """
        ring = self.ring
        for name in (first, second):
            demand(name in ring.names or name == "1", f"{name!r} is no variable")
            demand(name not in ring.kept, f"no case is split by {name}")
        x, one = ring.names.index(first), ring.number(1)
        if second == "1":
            demand(x in ring.whole, "only a whole number is 1 or greater")
            image = {x: one if order == "=" else ring.variable(x) + one}
            demand(order != "<", "no whole number lies below 1")
        else:
            y = ring.names.index(second)
            demand(x != y, "a variable is compared with itself")
            demand((x in ring.whole) == (y in ring.whole), "a whole number is compared with another one only")
            one, other = ring.variable(x), ring.variable(y)
            image = {x: other} if order == "=" else {x: one + other} if order == ">" else {y: one + other}
        moved = {k: at(v, image) for k, v in self.place.items()}
        supposed = [(at(v, image), known) for v, known in self.supposed]
        return Branch(ring, {**{k: v for k, v in image.items() if k not in moved}, **moved}, supposed)


@contextmanager
def supposing(ring: Ring, node: Node | None = None) -> Iterator[None]:
    """Forget afterwards what is learnt inside.

    The way in which a node shows a case may exclude the use of whole numbers (`ON_REALS`); and it says whether the
    extremes of values may be left open.
    """
    facts, factored, whole, leaves_open = dict(ring.facts), dict(ring.factored), ring.whole, ring.leaves_open
    if node and node.get("by") in ON_REALS:
        ring.whole = set()
    if node and "by" in node:
        ring.leaves_open = node.get("extremes") == "open"
    try:
        yield
    finally:
        ring.facts, ring.factored, ring.whole, ring.leaves_open = facts, factored, whole, leaves_open


def check_node(case: Case, branch: Branch, node: object, depth: int = 0) -> None:
    """Check a case, or a branch of it, with its node of the certificate."""
    found, ring = entries(node), branch.ring
    demand(depth < DEEPEST, "splits are nested too deeply")
    with supposing(ring, found):
        learn(ring, found.get("facts", []))
        if "split" not in found:
            case.check(branch, found)
            return
        for order, part in branches(branch, entries(found["split"])):
            with supposing(ring):
                part.suppose()
                if part.empty:
                    continue
                try:
                    check_node(case, part, found.get(order), depth + 1)
                except Refused as refusal:
                    refusal.where.insert(0, f"{split_text(found['split'])} {order}")
                    raise


def split_text(split: object) -> str:
    """Return what a case is split on, for refusals."""
    return str(list(entries(split).values()))[:80]


def branches(branch: Branch, split: Node) -> Iterator[tuple[str, Branch]]:
    """Yield the branches of a split, which exhaust it: by the order of two variables, or by the sign of a polynomial.

    A sign may be split weakly, into ≥ 0 and ≤ 0.
    """
    ring = branch.ring
    if "variables" in split:
        names = split["variables"]
        demand(isinstance(names, list) and len(names) == 2, "an order is of two variables")
        first, second = map(str, names)  # type: ignore[call-overload] # a list of two
        for order in ("=", ">") if second == "1" else ("<", "=", ">"):
            yield order, branch.ordered(first, second, order)
        return
    x = Value(ring, Fraction(1), {polynomial(ring, split.get("polynomial")): 1})
    for order in (">=", "<=") if split.get("weakly") is True else (">", "=", "<"):
        yield order, Branch(ring, branch.place, (*branch.supposed, (x, WORDS[order])))


def renamed(support: Sequence[int], p: Sequence[int], m: int) -> Support:
    """Return a support after class k is renamed p[k]."""
    out = [0] * (m * m)
    for i in range(m):
        for j in range(m):
            out[p[i] * m + p[j]] = support[i * m + j]
    return tuple(out)


def bits(support: Iterable[object]) -> str:
    """Return zeros and ones as text."""
    return "".join("1" if x else "0" for x in support)


def difference(high: Value, low: Value, *, strict: bool) -> None:
    """Demand that one value exceeds another, or is at least as great."""
    gap = high - low
    high.ring.shown.append((">" if strict else ">=", gap))
    gap.must_be(signs.POSITIVE if strict else signs.NOT_NEGATIVE)
