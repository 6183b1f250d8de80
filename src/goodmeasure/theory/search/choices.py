"""What a certificate chooses: constants that are stated before the cases, examples, and how a case may be shown."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product

from goodmeasure.theory.kernel.claim import Case, Claim, Kind
from goodmeasure.theory.kernel.functions import pi
from goodmeasure.theory.kernel.kinds.decomposition import Decomposition
from goodmeasure.theory.kernel.kinds.labelings import BOUNDS, is_pure
from goodmeasure.theory.kernel.kinds.values import best
from goodmeasure.theory.kernel.meaning import Outcome
from goodmeasure.theory.kernel.values import Value
from goodmeasure.theory.search.samples import Point, points
from goodmeasure.theory.statements import statement as kinds

Choice = Mapping[str, object]
Node = dict[str, object]


def choices(claim: Claim, by: str) -> Iterator[Choice]:
    """Yield the constants and examples that a proof may state at its beginning; most need none."""
    s = claim.statement
    if s.kind == kinds.DECOMPOSABLE:
        for p in ("1", "0", "-1", "2") if claim.m == 2 else ("1", "0", "-1"):
            yield {"constants": {"p": p}}
    elif s.kind == kinds.RANGE:
        yield from _bounds(claim)
    elif by == "class sizes":
        yield from _stated(claim, claim.number((1,) * claim.m**2))
    elif s.kind == kinds.DISTANCE:
        for choice in _stated(claim, best(claim, at_diagonal=True)):
            yield from _correlations(claim, choice) if by == "correlation" else (choice,)
    else:
        yield {}


def _stated(claim: Claim, *values: Outcome) -> Iterator[Choice]:
    """Yield values as the constants of the statement."""
    if all(x is not None for x in values):
        known = [x.times(claim.turn).text() for x in values if x is not None]
        yield {"constants": dict(zip(claim.statement.constants, known, strict=True))}


def _correlations(claim: Claim, choice: Choice) -> Iterator[Choice]:
    """Yield angles and chords: where labelings are independent, their correlation is 0."""
    top, value, turn = best(claim, at_diagonal=True), claim.number((1,) * claim.m**2), pi(claim.ring)
    if top is not None and value is not None:
        distance = top - value
        for name, scale in (("angle", distance.times(2) / turn), ("chord", distance)):
            yield {**choice, "about": {"map": name, "scale": scale.text()}}


def _bounds(claim: Claim) -> Iterator[Choice]:
    """Yield the least and the greatest value on pure matrices of ones, in the measure's own sign."""
    values: list[Value] = []
    for x in product((0, 1), repeat=claim.m**2):
        if is_pure(x, claim.m) and claim.admits(x):
            value = claim.own(claim.number(x))
            if value is not None:
                values.append(value)
    if values:
        point = Point(claim.ring, points(claim.ring)[0])
        bounds = [choose(values, key=point.value).text() for choose in (min, max)]
        yield {"constants": dict(zip(BOUNDS, bounds, strict=True))}


def tries(kind: Kind, case: Case) -> Iterator[Node]:
    """Yield what the node of a case may say, without facts and splits."""
    for way in sorted(kind.ways, key=lambda way: way == "undefined"):
        if isinstance(kind, Decomposition) and way == "zero score":
            for i in range(kind.claim.m):
                yield {"by": way, "class": i}
        else:
            yield {"by": way}
