"""Blocks: the cells of the classes that occur in the true and in the predicted labels, and supports inside them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import permutations, product

from goodmeasure.theory.kernel.calculus import at, derivative
from goodmeasure.theory.kernel.claim import Branch, Claim, Support, renamed, supposing
from goodmeasure.theory.kernel.refusal import Refused, demand
from goodmeasure.theory.kernel.symmetry import treats_classes_alike
from goodmeasure.theory.kernel.values import Value

Classes = tuple[bool, ...]


def block(true: Sequence[object], predicted: Sequence[object]) -> Support:
    """Return the support of the cells of the classes that occur."""
    return tuple(int(bool(x) and bool(y)) for x in true for y in predicted)


def classes_of(claim: Claim) -> Iterator[tuple[Classes, Classes]]:
    """Yield which classes occur in the true and in the predicted labels, as the statement and the domain admit."""
    s, m = claim.statement, claim.m
    for true, predicted in product(product((False, True), repeat=m), repeat=2):
        few = sum(true) < (1 if s.unary_truth else 2) or sum(predicted) < (1 if s.unary_predictions else 2)
        if not few and any(predicted) and claim.admits_classes(true, predicted):
            yield true, predicted


def within(whole: Support, true: Classes, predicted: Classes) -> Iterator[Support]:
    """Yield the supports inside a block in which exactly these classes occur."""
    m = len(true)
    for x in product(*((0, 1) if k else (0,) for k in whole)):
        rows = tuple(any(x[i * m : (i + 1) * m]) for i in range(m))
        if rows == true and tuple(any(x[j::m]) for j in range(m)) == predicted:
            yield x


def inside(claim: Claim, whole: Support, supports: Sequence[Support]) -> Iterator[Support]:
    """Yield supports inside a block; of those that renaming the classes makes equal, one, if all are treated alike.

    Let p rename the classes so that the block stays the same, let f be the formula on the block, and let M treat all
    classes alike. Then M(pC) = M(C) for every matrix C. So f(pC) = f(C) for all positive cells of the block, and where
    some of them vanish too, as far as f has a limit there. If f with the missing cells set to 0 is M on a support S, it
    is M on pS: M(pC) = M(C) = f(C) = f(pC) for every C on S. And M has values on both or on neither.
    """
    m = claim.m
    if not treats_classes_alike(claim.tree, m):
        yield from supports
        return
    kept = [p for p in permutations(range(m)) if renamed(whole, p, m) == whole]
    seen: set[Support] = set()
    for x in supports:
        if x not in seen:
            seen.update(renamed(x, p, m) for p in kept)
            yield x


def demand_fixed(branch: Branch, directions: Sequence[Mapping[int, int]]) -> None:
    """Demand that a case is split by nothing else than signs that are the same along some directions."""
    other = any(derivative(x, direction).coefficient for x, _ in branch.supposed for direction in directions)
    demand(not branch.place and not other, "a case is split by more than the class sizes")


@contextmanager
def without_cells(branch: Branch, whole: Support, support: Support) -> Iterator[Mapping[int, Value] | None]:
    """Know what a branch supposes with some cells of the block set to 0; yield what stands for these cells.

    None if no matrix has the signs that are supposed and these cells only.
    """
    ring = branch.ring
    gone = {k: ring.number(0) for k, x in enumerate(whole) if x and not support[k]}
    with supposing(ring):
        smaller = Branch(ring, {}, [(at(x, gone), known) for x, known in branch.supposed])
        if branch.supposed:
            smaller.suppose()
        yield None if smaller.empty else gone


def formula_on(
    claim: Claim, value: Value, whole: Support, support: Support, *, partly: bool = False, gaps: bool = False
) -> None:
    """Demand that the formula of a block holds on a support inside it.

    If ``partly``, the measure may be undefined there; with ``gaps`` too, but the formula must still have a value.
    """
    if support == whole:
        return
    seen = claim.on(support)
    if seen is None and partly:
        return
    gone = {k: claim.ring.number(0) for k, x in enumerate(whole) if x and not support[k]}
    there = at(value, gone)
    if seen is None:
        demand(gaps, "the measure is undefined on a support")
        return
    if not (there - seen).is_zero():
        raise Refused("another formula holds on a support")
