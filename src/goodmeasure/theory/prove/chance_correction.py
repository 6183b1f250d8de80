"""Prove chance correction (opitz2024, Property V), and that a measure lacks it: bounds for all guesses at once.

**Guesses.** A classifier that guesses has the expected matrix a_i·b_j/n, with true sizes a and predicted sizes b. With
real sizes these are exactly the matrices x_i·y_j with x_i, y_j ≥ 0 (see `baselines.py`): x says which true sizes, up to
a factor, and y which guess. For each set of classes that occur in the truth (A) and in the predictions (B), the value
is one formula in positive real variables. At least one class is predicted: a matrix without items is no guess.

**The statement.** There is an ω such that for all true sizes of the domain the least upper bound of the values of all
guesses in the domain is ω, and ω is less than the value of some matrix of the domain. True sizes for which no guess has
a value are left out.

**Proof.** 1. For all sets A and B of the domain ω − M(x_i·y_j) ≥ 0 for all positive real x and y. 2. For each A some
guess reaches ω whatever the true sizes are: the guess with the true sizes (y = x), the even one (y = 1 for all classes,
or for all classes that occur), always the same class, or some other fixed shares, such as y = (1, 2). Or guesses come
near ω: nearly always the same class j (y_j = s, and y_k = 1 for all other classes), with ω − M ≤ K/s for a number K,
all real s > 0 and all true sizes. 3. A matrix of the domain scores more than ω. From 1 and 2 the least upper bound is ω
for all true sizes.

A difference may be split by the order of two variables, as in `support_cases.py`. For positive reals too, x > y means
x = y + z with a positive z. The split "x = 1 or x > 1", which is for whole numbers, is not used here.

*Same totals.* Where such splits do not help, and all classes occur in both labelings, the sizes themselves are compared
class by class. It is shown first that M(s·C) = M(C) on all x_i·y_j, so y may be scaled to have the same total as x.
Then either y = x; or for some classes x_i > y_i, for some x_i < y_i, and the excesses of both kinds add up to the same
number. If only one class k has x_k > y_k, write y_i = x_i + f_i for the classes of the other kind, y_i = x_i for
classes without a difference, and x_k = y_k + Σf, with positive real variables; and conversely if only one class has
x_k < y_k. For up to three classes one of the two kinds is always a single class, so these cases are exhaustive.

**Refutation.** Either of these shows that no ω exists.

* *apart*: a guess reaches the value v for some true sizes, and for other true sizes a_i some guess has a value and
  every guess scores at most r < v: r − M(a_i·y_j) ≥ 0 for all sets B and all positive real y. So the least upper bounds
  differ. (For a measure that depends on the scale of the counts, more is shown than needed: a_i·y_j runs through all
  multiples of the guesses. Where that is too much, the cells are a_i·y_j/Σy, which are the guesses for these true sizes
  themselves.)
* *perfect*: for some true sizes, guesses come arbitrarily close to a value v, so ω ≥ v; and no matrix of the domain
  scores more than v, so none scores more than ω, although the statement demands one. (The second bound may use that
  counts are whole numbers, although guesses are real: only ω ≥ v is concluded from the guesses.) That guesses come
  close to v is shown by a guess with the value v, or by y_j = s for one class and y_k = 1 for all others: v − M ≤ K/s
  for a number K and all real s > 0. Where M comes near v more slowly (an entropy does, like log s/s), y_j = (s + m)² −
  (m − 1), so that Σy = (s + m)²; or y_j = s + 1, where the order of y_j and 1 matters (``path``).
* *unbounded*: where all classes are equally frequent, guesses of class j with y_j = s score at least log(s)/k, for a
  whole number k and all real s > 0. That is more than any number, so no ω is a bound for these true sizes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from itertools import product
from typing import TypeVar

from goodmeasure.language.exact.reals import UNDEFINED, Exact
from goodmeasure.theory.algebra.orthant import Outside, Poly
from goodmeasure.theory.algebra.quantities import Outcome, Quantity, constant, log, of_polynomial
from goodmeasure.theory.algebra.support_patterns import value_on
from goodmeasure.theory.prove.signs import NoProof, positive, zero
from goodmeasure.theory.prove.support_cases import Reader, Split, Support, settle
from goodmeasure.theory.prove.values import in_domain, text
from goodmeasure.theory.statements.certificate import CertificateNode
from goodmeasure.theory.statements.domain import Domain

ClassSubset = tuple[int, ...]
_DEPTH = 6  # how many orders of two sizes are split on, one after another
PATHS = ("s", "s + 1", "square")  # how often one class is guessed where each other class is guessed once
_RATES = (1, 2, 3, 4, 6)  # the numbers k that are tried for guesses that score log(s)/k
_FACTORS = (1, 2, 4, 10, 100)  # the factors K of the bound K/s on the distance from the limit that are tried


_Size = TypeVar("_Size", int, Poly)  # the size of a class: a number, or a polynomial


def class_sets(domain: Domain, m: int) -> Iterator[tuple[ClassSubset, ClassSubset]]:
    """Yield which classes occur in the truth and in the predictions; at least one is predicted."""
    for a, b in product(product((0, 1), repeat=m), repeat=2):
        block = tuple(tuple(bool(x and y) for y in b) for x in a)
        if any(a) and any(b) and domain.holds_pattern(block):
            yield a, b


GuessRule = str | tuple[int, ...]  # how the classes are guessed: by name, or with given shares


def guesses(m: int) -> list[GuessRule]:
    """Return the guesses that are tried as the best one."""
    uneven = [(1, 2), (2, 1), (1, 3), (3, 1)] if m == 2 else []
    return ["true", "even", "even among true", *(f"class {j}" for j in range(m)), *uneven]


def predicted_by(guess: GuessRule, x: Sequence[_Size], one: _Size) -> list[_Size]:
    """Return the shares y_j of a guess, for true sizes x (0 for a class that does not occur)."""
    if isinstance(guess, tuple):
        return [one * share for share in guess]
    if guess == "true":
        return list(x)
    if guess == "even":
        return [one for _ in x]
    if guess == "even among true":
        return [one if size != 0 else 0 * one for size in x]
    return [one if guess == f"class {j}" else 0 * one for j in range(len(x))]


def sizes(
    reader: Reader, a: ClassSubset, b: ClassSubset, splits: tuple[Split, ...] = ()
) -> tuple[list[Poly], list[Poly]]:
    """Return the true sizes x_i and the predicted shares y_j as variables: the first 2m of the m² cells.

    Here the names of cells only serve as names of variables, because cases are split on these variables.
    """
    m = reader.m
    found = reader.cells((*a, *b, *(0,) * (m * m - 2 * m)), splits)
    return found[:m], found[m : 2 * m]


def whole_numbers_only(splits: tuple[Split, ...]) -> bool:
    """Return whether a split asks if a variable is 1, which says nothing about real numbers."""
    return any(second == "1" for _, _, second in splits)


def same_totals(m: int) -> Iterator[str]:
    """Yield in which classes x is greater than y, less or equal, for x and y with the same total: such as ">=<"."""
    for order in product("<=>", repeat=m):
        if set(order) == {"="} or {"<", ">"} <= set(order):
            yield "".join(order)


def with_same_total(order: str, w: list[Poly], f: list[Poly]) -> tuple[list[Poly], list[Poly]]:
    """Return x and y with the same total and the given order in each class, from the lesser sizes w and gaps f."""
    few = next((kind for kind in "<>" if order.count(kind) == 1), "")
    if not few and set(order) != {"="}:
        raise NoProof("several classes differ in either way")
    one = order.find(few) if few else -1
    gaps = [0 * p if x == "=" else p for x, p in zip(order, f, strict=True)]
    if few:
        gaps[one] = sum((p for k, p in enumerate(gaps) if k != one), 0 * f[0])
    x = [p + g if kind == ">" else p for kind, p, g in zip(order, w, gaps, strict=True)]
    y = [p + g if kind == "<" else p for kind, p, g in zip(order, w, gaps, strict=True)]
    return x, y


def bounded_by_totals(reader: Reader, bound: Quantity) -> list[CertificateNode]:
    """Return nodes that show a bound for all guesses in which every class occurs, sizes compared class by class."""
    m = reader.m
    w, f = sizes(reader, (1,) * m, (1,) * m)
    cells = _outer(w, f)
    value, scaled = (reader.value([p * factor for p in cells]) for factor in (reader.orthant.one, reader.gens[-1]))
    if not isinstance(value, Quantity) or not isinstance(scaled, Quantity):
        raise NoProof("a guess has no value")
    zero(value - scaled)
    nodes = []
    for order in same_totals(m):
        there = reader.value(_outer(*with_same_total(order, w, f)))
        if not isinstance(there, Quantity):
            raise NoProof("a guess has no value")
        nodes.append({"by": "same total", "order": order, "proof": positive(bound - there, strict=False, whole=False)})
    return nodes


def bounded(
    reader: Reader, bound: Quantity, value_of: Callable[[tuple[Split, ...]], Outcome], *, numbers: bool = True
) -> list[CertificateNode]:
    """Return nodes that show that values in positive real variables, which may be split, are at most a bound.

    A value without variables on the whole set of guesses is the same number everywhere, so its node is "number", and
    the caller compares the exact value on one matrix (`_numbers_stay_below`). In a branch of a split the value may be
    another number than on that matrix, so there the sign of the difference is shown as everywhere else, and likewise
    if ``numbers`` is False.
    """

    def prove(splits: tuple[Split, ...]) -> CertificateNode:
        if whole_numbers_only(splits):
            raise NoProof("sizes are real numbers")
        value = value_of(splits)
        if not isinstance(value, Quantity):
            return {"by": "undefined"}
        if (
            numbers and not value.letters and not splits
        ):  # the value is the same number on the whole case, so one matrix decides
            return {"by": "number"}
        return positive(bound - value, strict=False, whole=False)

    return settle(reader, prove, _DEPTH)


# Chance correction


def prove_chance_bound(
    reader: Reader, domain: Domain, exact: Callable[[object], Exact]
) -> tuple[list[CertificateNode], Exact]:
    """Return nodes, and the number ω in the measure's own sign; ``exact`` gives values."""
    m = reader.m
    sets = list(class_sets(domain, m))
    omega, number = _best_constant(reader, domain, exact)
    nodes: list[CertificateNode] = []
    defined: dict[ClassSubset, bool] = {}
    for a, b in sets:
        try:
            found = bounded(reader, omega, partial(_guessed, reader, a, b))
        except NoProof:
            if not all((*a, *b)):
                raise
            found = bounded_by_totals(reader, omega)
        _numbers_stay_below(found, [[x * y for y in b] for x in a], exact, number, reader.sign)
        nodes += [{"true": text(a), "predicted": text(b), "proof": node} for node in found]
        defined[a] = defined.get(a, False) or any(node["by"] != "undefined" for node in found)
    for a, has_value in defined.items():
        if has_value:
            nodes.append({"true": text(a), **_reached(reader, domain, a, omega)})
    nodes.append({"better": _better(reader, domain, exact, number), "proof": {"by": "example"}})
    return nodes, number


def _numbers_stay_below(
    nodes: list[CertificateNode], rows: object, exact: Callable[[object], Exact], bound: object, sign: int
) -> None:
    """Demand that a value without variables, read on one matrix, is at most a bound; both in the measure's own sign."""
    if any(node["by"] == "number" for node in nodes) and (exact(rows) - bound) * sign > 0:
        raise NoProof("a guess scores more")


def _outer(x: list[Poly], y: list[Poly]) -> list[Poly]:
    """Return the cells x_i·y_j, row after row."""
    return [p * q for p in x for q in y]


def _guessed(reader: Reader, a: ClassSubset, b: ClassSubset, splits: tuple[Split, ...]) -> Outcome:
    """Return the value of all guesses with given true and predicted classes."""
    return reader.value(_outer(*sizes(reader, a, b, splits)))


def _best_constant(reader: Reader, domain: Domain, exact: Callable[[object], Exact]) -> tuple[Quantity, Exact]:
    """Return the greatest constant that a guess scores or comes near for all true sizes: as a formula, and exactly."""
    m = reader.m
    found: list[tuple[Quantity, Exact]] = []
    for a in product((0, 1), repeat=m):
        if not any(a):
            continue
        for guess in guesses(m):
            value = _of_guess(reader, domain, a, guess)
            if not isinstance(value, Quantity) or value.letters:
                continue
            number = exact([[int(x * y) for y in predicted_by(guess, a, 1)] for x in a])
            if number is not UNDEFINED:
                found.append((value, number))
    for j in range(m):
        limit = limit_of_class(reader, domain, j)
        if limit is not None:
            found.append((constant(reader.orthant, limit), Exact.of(limit * reader.sign)))
    if not found:
        raise NoProof("no guess scores one constant whatever the true sizes are")
    best = found[0]
    for x in found[1:]:
        best = x if (x[1] - best[1]) * reader.sign > 0 else best
    return best


def limit_of_class(reader: Reader, domain: Domain, j: int, path: str = PATHS[0]) -> Fraction | None:
    """Return the limit of guesses that are nearly always class j, where all classes are equally frequent, or None."""
    m = reader.m
    if not domain.holds_pattern(((True,) * m,) * m):
        return None
    value = reader.value(_nearly(reader, [reader.orthant.one] * m, j, path))
    return None if not isinstance(value, Quantity) else _limit(value)


def _nearly(reader: Reader, x: list[Poly], j: int, path: str = PATHS[0]) -> list[Poly]:
    """Return the cells x_i·y_k with a growing y_j for one class, and y_k = 1 for all others."""
    s, m = growing(reader), reader.m
    often = {"s": s, "s + 1": s + 1, "square": (s + m) ** 2 - (m - 1)}[path]
    return _outer(x, [often if k == j else reader.orthant.one for k in range(m)])


def growing(reader: Reader) -> Poly:
    """Return the variable s that says how much more often one class is guessed than each other one."""
    return sizes(reader, (0,) * reader.m, (1,) * reader.m)[1][0]


def _of_guess(reader: Reader, domain: Domain, a: ClassSubset, guess: GuessRule) -> Outcome | None:
    """Return the value of a guess for true classes a, as a formula; None where the domain excludes it."""
    x, _ = sizes(reader, a, (0,) * reader.m)
    y = predicted_by(guess, x, reader.orthant.constant(1))
    b = tuple(int(not p.is_zero()) for p in y)
    return reader.value(_outer(x, y)) if (a, b) in set(class_sets(domain, reader.m)) else None


def _reached(reader: Reader, domain: Domain, a: ClassSubset, omega: Quantity) -> CertificateNode:
    """Return a guess that scores ω for all true sizes with these classes, or comes near it, with the proof."""
    for guess in guesses(reader.m):
        value = _of_guess(reader, domain, a, guess)
        if isinstance(value, Quantity):
            try:
                return {"best": guess if isinstance(guess, str) else list(guess), "proof": zero(value - omega)}
            except NoProof:
                continue
    for j in range(reader.m if all(a) and domain.holds_pattern(((True,) * reader.m,) * reader.m) else 0):
        try:
            return {"nearly always": j, **approached(reader, sizes(reader, a, (0,) * reader.m)[0], j, omega)}
        except NoProof:
            continue
    raise NoProof("no guess reaches the bound or comes near it")


def approached(reader: Reader, x: list[Poly], j: int, bound: Quantity, path: str = PATHS[0]) -> CertificateNode:
    """Return a node with a factor K that shows: guesses that nearly always name class j are within K/s of a bound."""
    value = reader.value(_nearly(reader, x, j, path))
    if not isinstance(value, Quantity):
        raise NoProof("a guess has no value")
    s = of_polynomial(reader.orthant, growing(reader))
    for factor in _FACTORS:
        try:
            node = positive(constant(reader.orthant, factor) - (bound - value) * s, strict=False, whole=False)
        except NoProof:
            continue
        return {"factor": factor, "proof": node}
    raise NoProof("guesses do not come near the bound as fast as 1/s")


def _better(reader: Reader, domain: Domain, exact: Callable[[object], Exact], omega: object) -> list[list[int]]:
    """Return a matrix of small numbers in the domain that scores more than ω; diagonal ones are tried first."""
    m = reader.m
    supports = sorted(in_domain(reader, domain), key=lambda s: sum(s) - 2 * sum(s[k * (m + 1)] for k in range(m)))
    for support in supports[:200]:
        rows = [[x * (2 if i == j else 1) for j, x in enumerate(support[i * m : (i + 1) * m])] for i in range(m)]
        value = exact(rows)
        if value is not UNDEFINED and (value - omega) * reader.sign > 0:
            return rows
    raise NoProof("no matrix scores more than the best guess")


# Proofs that a measure is not chance corrected


@dataclass(frozen=True)
class Guess:
    """A guess with its value (turned so that higher is better): true sizes, predicted sizes, and the matrix."""

    true: tuple[int, ...]
    predicted: tuple[int, ...]
    value: Exact | float


def prove_apart(
    reader: Reader,
    domain: Domain,
    exact: Callable[[object], Exact],
    high: Guess,
    true: tuple[int, ...],
    bound: Fraction,
) -> list[CertificateNode]:
    """Return nodes that show that all guesses for some true sizes score at most a number that another guess exceeds."""
    if not high.value > bound:
        raise NoProof("the guess does not score more than the bound")
    about: CertificateNode = {"true sizes": list(true), "bound": str(bound * reader.sign)}
    try:
        return [_reaching(high), about, *_stay_below(reader, domain, exact, true, bound, shares=False)]
    except NoProof:
        if reader.measure.scale_invariant:
            raise
    found = _stay_below(reader, domain, exact, true, bound, shares=True)
    return [_reaching(high), {**about, "shares": True}, *found]


def _stay_below(
    reader: Reader,
    domain: Domain,
    exact: Callable[[object], Exact],
    true: tuple[int, ...],
    bound: Fraction,
    *,
    shares: bool,
) -> list[CertificateNode]:
    """Return nodes that show that all guesses for some true sizes score at most a bound; ``shares``: Σy is 1."""
    limit = constant(reader.orthant, bound)
    a = tuple(int(x > 0) for x in true)
    nodes, seen = list[CertificateNode](), False
    for b in [b for other, b in class_sets(domain, reader.m) if other == a]:
        found = bounded(reader, limit, partial(_with_true, reader, true, b, shares), numbers=not shares)
        _numbers_stay_below(found, [[x * y for y in b] for x in true], exact, bound * reader.sign, reader.sign)
        nodes += [{"predicted": text(b), "proof": node} for node in found]
        seen = seen or any(node["by"] != "undefined" for node in found)
    if not seen:
        raise NoProof("no guess has a value for these true sizes")
    return nodes


def _with_true(
    reader: Reader, true: tuple[int, ...], b: ClassSubset, shares: bool, splits: tuple[Split, ...]
) -> Outcome:
    """Return the value on the cells a_i·y_j, or on a_i·y_j/Σy if the y are shares."""
    y = sizes(reader, (1,) * reader.m, b, splits)[1]
    if not shares:
        return reader.value([q * size for size in true for q in y])
    ring = reader.orthant
    total = of_polynomial(ring, sum(y[1:], y[0]))
    rows = [[of_polynomial(ring, q * size) / total for q in y] for size in true]
    value = value_on(reader.measure, rows, reader.policy, ring, open_order=reader.open_order)
    return value if not isinstance(value, Quantity) else value * reader.sign


def _reaching(guess: Guess) -> CertificateNode:
    return {"guess": {"true": list(guess.true), "predicted": list(guess.predicted)}}


def prove_reached(
    reader: Reader, domain: Domain, exact: Callable[[object], Exact], best: Guess
) -> list[CertificateNode]:
    """Return nodes that show that a guess reaches a value that no matrix of the domain exceeds."""
    value = best.value
    if not isinstance(value, Exact):
        raise NoProof("the value of the guess is not exact")
    bound = constant(reader.orthant, value.as_fraction()) if value.is_rational else _of_numbers(reader, best)
    return [_reaching(best), *_never_exceeded(reader, domain, bound)]


def _of_numbers(reader: Reader, guess: Guess) -> Quantity:
    """Return the value of a guess, such as log 2, as a formula without variables."""
    ring, total = reader.orthant, sum(guess.predicted)
    rows = [[constant(ring, Fraction(x * y, total)) for y in guess.predicted] for x in guess.true]
    value = value_on(reader.measure, rows, reader.policy, ring, open_order=reader.open_order)
    if not isinstance(value, Quantity):
        raise NoProof("the guess has no value")
    return value * reader.sign


def prove_approached(
    reader: Reader, domain: Domain, exact: Callable[[object], Exact], j: int, path: str
) -> list[CertificateNode]:
    """Return nodes that show that guesses which nearly always name class j approach a value that no matrix exceeds."""
    limit = limit_of_class(reader, domain, j, path)
    if limit is None and path == PATHS[-1]:  # no rational function: 0 is what an entropy comes near
        limit = Fraction(0)
    if limit is None:
        raise NoProof("no limit is seen")
    near = approached(reader, [reader.orthant.one] * reader.m, j, constant(reader.orthant, limit), path)
    first = {"nearly always": j, "bound": str(limit * reader.sign), **near}
    if path != PATHS[0]:
        first["path"] = path
    return [first, *_never_exceeded(reader, domain, constant(reader.orthant, limit))]


def prove_unbounded(reader: Reader, domain: Domain, exact: Callable[[object], Exact], j: int) -> list[CertificateNode]:
    """Return a node that shows that guesses which nearly always name class j are unbounded."""
    m = reader.m
    if not domain.holds_pattern(((True,) * m,) * m):
        raise NoProof("the guesses are outside the domain")
    value = reader.value(_nearly(reader, [reader.orthant.one] * m, j))
    if not isinstance(value, Quantity):
        raise NoProof("a guess has no value")
    grown = log(of_polynomial(reader.orthant, growing(reader)))
    for rate in _RATES:
        try:
            node = positive(value * rate - grown, strict=False, whole=False)
        except (NoProof, Outside):
            continue
        return [{"nearly always": j, "unbounded": rate, "proof": node}]
    raise NoProof("guesses are not seen to score more than any number")


def _never_exceeded(reader: Reader, domain: Domain, limit: Quantity) -> list[CertificateNode]:
    """Return nodes that show that no matrix of the domain scores more than a bound."""
    nodes = list[CertificateNode]()
    for support in in_domain(reader, domain):

        def prove(splits: tuple[Split, ...], support: Support = support) -> CertificateNode:
            value = reader.value(reader.cells(support, splits))
            return {"by": "undefined"} if not isinstance(value, Quantity) else positive(limit - value, strict=False)

        nodes += [{"support": text(support), "proof": node} for node in settle(reader, prove)]
    return nodes


def _limit(value: Quantity) -> Fraction | None:
    """Return the limit of a rational function of one variable as that grows; None where it is not seen."""
    both = value.as_polynomials()
    if both is None:
        return None
    top, bottom = both
    degrees = [-1 if p.is_zero() else p.total_degree() for p in (top, bottom)]
    if degrees[0] > degrees[1]:
        return None
    if degrees[0] < degrees[1]:
        return Fraction(0)
    return Fraction(int(top.leading_coefficient()), int(bottom.leading_coefficient()))
