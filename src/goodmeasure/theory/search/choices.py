"""What a certificate chooses: constants that are stated before the cases, examples, and how a case may be shown."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import cache
from itertools import product
from math import inf

from goodmeasure.language.tree import Listed, Operation, Over, PowerMean, Tree, below
from goodmeasure.theory.kernel.calculus import at
from goodmeasure.theory.kernel.claim import ON_REALS, Branch, Case, Claim, Kind, supposing
from goodmeasure.theory.kernel.facts import listed
from goodmeasure.theory.kernel.functions import pi
from goodmeasure.theory.kernel.kinds.chance import Bound, Guesses, Uncorrected
from goodmeasure.theory.kernel.kinds.decomposition import Decomposition
from goodmeasure.theory.kernel.kinds.labelings import BOUNDS, is_pure
from goodmeasure.theory.kernel.kinds.sums import SHARES
from goodmeasure.theory.kernel.kinds.values import best
from goodmeasure.theory.kernel.meaning import Outcome
from goodmeasure.theory.kernel.proof import kind_of
from goodmeasure.theory.kernel.refusal import Refused, Unsettled
from goodmeasure.theory.kernel.texts import parsed
from goodmeasure.theory.kernel.values import Value
from goodmeasure.theory.search.facts import FactSearch
from goodmeasure.theory.search.samples import SamplePoint, points
from goodmeasure.theory.statements import statement as kinds

WITHIN = ("1", "2", "4", "10", "100")  # the numbers K that are tried for guesses that come near a bound
_MOST_ANSWERS = 8  # to questions about signs
Choice = Mapping[str, object]
Node = dict[str, object]


def choices(claim: Claim, by: str) -> Iterator[Choice]:
    """Yield the constants and examples that a proof may state at its beginning; most need none."""
    s = claim.statement
    if not claim.m:
        yield from _for_every_number(claim, by)
    elif s.kind == kinds.DECOMPOSABLE:
        for p in ("1", "0", "-1", "2") if claim.m == 2 else ("1", "0", "-1"):
            yield {"constants": {"p": p}}
    elif s.kind == kinds.RANGE:
        yield from _bounds(claim)
    elif by == "class sizes":
        yield from _stated(claim, claim.number((1,) * claim.m**2))
    elif s.kind == kinds.CHANCE_BOUND:
        yield from _best_guess(claim)
    elif by in ("apart", "perfect"):
        yield from _uncorrected(claim, by)
    elif by == "unbounded":
        yield from ({"about": {**claim.about, "rate": rate}} for rate in ("1", "1/2", "1/4", "1/6"))
    elif s.kind == kinds.DISTANCE:
        for choice in _stated(claim, best(claim, at_diagonal=True)):
            yield from _correlations(claim, choice) if by == "correlation" else (choice,)
    else:
        yield {}


def _for_every_number(claim: Claim, by: str) -> Iterator[Choice]:
    """Yield ways to share out among the classes what depends on none, as the reading of a tree asks for them."""
    shares = ("m",) if claim.statement.kind == kinds.DECOMPOSABLE else SHARES if by == "class by class" else SHARES[:1]
    for share in shares:
        answers = _answers(claim, by, share, [])
        if answers is not None:
            yield {"about": {"share": share, "answers": answers}}


def _answers(claim: Claim, by: str, share: str, answers: list[str]) -> list[str] | None:
    """Return the answers that let a tree be read, beginning with some; None where there are none."""
    question = _question(claim, by, share, answers)
    if question is None:
        return answers
    if isinstance(question, Refused) or len(answers) > _MOST_ANSWERS:
        return None
    for answer in SHARES:
        longer = [*answers, answer]
        if _question(claim, by, share, longer) != question:
            found = _answers(claim, by, share, longer)
            if found is not None:
                return found
    return None


def _question(claim: Claim, by: str, share: str, answers: list[str]) -> object:
    """Return what is still open after some answers: a polynomial, or a refusal; None if nothing is."""
    claim.about = {"share": share, "answers": answers}
    try:
        kind_of(claim, by)
    except Unsettled as open_question:
        return open_question.question
    except Refused as refusal:
        return refusal
    return None


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


def _best_guess(claim: Claim) -> Iterator[Choice]:
    """Yield the greatest constant that a guess scores, or comes near, whatever the true sizes are.

    It is seen at two true sizes for each set of true classes.
    """
    (name,), ring, m = claim.statement.constants, claim.ring, claim.m
    claim.constants[name] = "0"
    kind, point, found = Bound(claim), SamplePoint(ring, points(ring)[0]), dict[str, Value]()
    for true in product((0, 1), repeat=m):
        tests = [[ring.number(x * (n + k * k)) for k, x in enumerate(true)] for n in (1, 2)]
        for shares in shares_tried("".join(map(str, true))):
            if not claim.admits_classes(true, [x != "0" for x in shares]):
                continue
            seen = [_scored(kind, shares, x) for x in tests]
            if seen[0] and seen[0].keys() == seen[1].keys():
                found |= seen[0]
    for value in sorted(found.values(), key=point.value)[-1:]:
        yield {"constants": {name: value.times(claim.turn).text()}}


def _uncorrected(claim: Claim, by: str) -> Iterator[Choice]:
    """Yield what a guess that is given reaches or comes near, and what no guess for other true sizes exceeds.

    Guesses that are nearly always one class come near what it scores to name this class always.
    """
    about, shares = claim.about, [str(x) for x in listed(claim.about.get("shares"), "shares")]
    kind, always = Guesses(claim), [str(int("s" in x)) for x in shares]
    true, other = ([claim.ring.number(int(str(x))) for x in listed(about.get(k, []), k)] for k in ("true", "other"))
    scored = {**_scored(kind, shares, true), **_scored(kind, always, true)}
    others = _scored(kind, always, other) if other else {}
    bounds, least = ([x.times(claim.turn).text() for x in y.values()] for y in (scored, others))
    stated = ["0"] if by == "perfect" else [str(about["most"])] if "most" in about else least
    for bound, most, within in product(bounds, stated, WITHIN if "1" in always else ("0",)):
        yield {"about": {**about, "bound": bound, "most": most, "within": within}}


def _scored(kind: Guesses, shares: list[str], sizes: list[Value]) -> dict[str, Value]:
    """Return what a guess scores for true sizes, or comes near, by its text; nothing where that is not seen.

    Whether the guess lies in the domain is not asked.
    """
    ring, search = kind.ring, FactSearch(kind.ring)
    branch = Branch(ring, {kind.claim.m**2 + i: x for i, x in enumerate(sizes)})
    with supposing(ring):
        for _ in range(20):
            try:
                value = kind.guessed(sizes, [at(parsed(ring, text), branch.place) for text in shares])
            except Unsettled as refusal:
                if search.settle(refusal.question) is None:
                    break
            except Refused:
                break
            else:
                found = [] if value is None else [value] if value.is_number() else limits(value, kind.s)
                return {x.text(): x for x in found}
    return {}


def limits(value: Value, s: Value) -> list[Value]:
    """Return the limit of a value that depends on s alone as s grows, if it is seen."""
    ring, (k,) = value.ring, s.variables()
    if value.variables() != {k} or value.atoms():
        return []
    growth, found = Fraction(0), ring.number(value.coefficient)
    for f, e in value.powers.items():
        parts = f.by_degree(k)
        growth += max(parts) * Fraction(e)
        found = found * ring.of(parts[max(parts)]).power(Fraction(e))
    return [found] if growth == 0 else [ring.number(0)] if growth < 0 else []


def shares_tried(true: str) -> Iterator[list[str]]:
    """Yield the shares of guesses that are tried: like the true sizes, even, uneven, one class, and nearly one."""
    m = len(true)
    yield [f"x{i}" if x == "1" else "0" for i, x in enumerate(true)]
    yield ["1"] * m
    yield list(true)
    for often, seldom in (("1", "0"), ("s", "1"), *([("2", "1"), ("3", "1")] if m == 2 else [])):
        yield from ([often if k == j else seldom for k in range(m)] for j in range(m))


def _guesses_near(true: str) -> Iterator[Node]:
    """Yield guesses that may reach a bound, or come near it."""
    for shares in shares_tried(true):
        for within in WITHIN if "s" in shares else ("0",):
            yield {"by": "guess", "shares": shares, "within": within}


def _matrices(claim: Claim) -> Iterator[list[list[int]]]:
    """Yield matrices of small numbers, those with many right predictions first."""
    m = claim.m
    supports = sorted(claim.every_support(), key=lambda x: sum(x) - 2 * sum(x[:: m + 1]))
    for x in supports[:200]:
        yield [[x[i * m + j] * (2 if i == j else 1) for j in range(m)] for i in range(m)]


@cache
def has_extremes(tree: Tree) -> bool:
    """Return whether a tree takes the greatest or the least of some values."""
    return any(
        (isinstance(x, Operation) and x.name in ("min", "max"))
        or (isinstance(x, (Over, Listed)) and x.op in ("least", "greatest"))
        or (isinstance(x, (Over, Listed, PowerMean)) and x.p in (inf, -inf))
        for x in below(tree)
    )


def _bounds(claim: Claim) -> Iterator[Choice]:
    """Yield the least and the greatest value on pure matrices of ones, in the measure's own sign."""
    values: list[Value] = []
    for x in product((0, 1), repeat=claim.m**2):
        if is_pure(x, claim.m) and claim.admits(x):
            value = claim.own(claim.number(x))
            if value is not None:
                values.append(value)
    if values:
        point = SamplePoint(claim.ring, points(claim.ring)[0])
        bounds = [choose(values, key=point.value).text() for choose in (min, max)]
        yield {"constants": dict(zip(BOUNDS, bounds, strict=True))}


def tries(kind: Kind, case: Case, branch: Branch) -> Iterator[Node]:
    """Yield what the node of a branch may say, without facts and splits."""
    ways = sorted(kind.ways, key=lambda way: way == "undefined")
    if not branch.divided and has_extremes(kind.claim.tree):
        for way in ways:
            if way not in ON_REALS:
                yield {"by": way, "extremes": "open"}
    for way in ways:
        if isinstance(kind, Decomposition) and way == "zero score":
            for i in range(kind.claim.m):
                yield {"by": way, "class": i}
        else:
            yield {"by": way}
    if isinstance(kind, Uncorrected) and not case.about:
        yield {"by": "guess"}
    elif isinstance(kind, Bound) and not case.about:
        for rows in _matrices(kind.claim):
            yield {"by": "example", "matrix": rows}
    elif isinstance(kind, Bound) and "predicted" not in case.about:
        yield from _guesses_near(str(case.about["true"]))
