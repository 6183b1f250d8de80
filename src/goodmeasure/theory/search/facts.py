"""Search for the facts that settle the sign of a polynomial, as `kernel/facts.py` takes them.

Nothing here is trusted: a fact is learnt by the kernel's own rules, and what they refuse is not used.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from goodmeasure.packages import flint
from goodmeasure.theory.kernel.claim import supposing
from goodmeasure.theory.kernel.facts import learn
from goodmeasure.theory.kernel.means import Mean
from goodmeasure.theory.kernel.polynomials import BITS, Polynomial, exponents, variable
from goodmeasure.theory.kernel.refusal import Refused, Unsettled
from goodmeasure.theory.kernel.signs import NEGATIVE, NOT_NEGATIVE, NOT_POSITIVE, POSITIVE, single
from goodmeasure.theory.kernel.values import Ring, Root

Fact = dict[str, object]
_DEEPEST = 4
_MOST_TERMS = 3000
_POLYA = 3


def settle(ring: Ring, f: Polynomial, depth: int = _DEEPEST) -> list[Fact] | None:
    """Return facts that say more about the sign of a polynomial, and learn them; None where none are found."""
    if len(f) > _MOST_TERMS:
        return None
    for way in _WAYS:
        for fact in way(ring, f):
            found = learnt(ring, fact, depth)
            if found is not None:
                return found
    return None


def learnt(ring: Ring, fact: Fact, depth: int) -> list[Fact] | None:
    """Learn a fact, after others on which it turns out to rest; None if it does not hold or is not shown."""
    before: list[Fact] = []
    for _ in range(6):
        try:
            with supposing(ring):
                learn(ring, [fact])
        except Unsettled as open_question:
            if not depth:
                return None
            more = settle(ring, open_question.question, depth - 1)
            if more is None:
                return None
            before += more
        except Refused:
            return None
        else:
            learn(ring, [fact])
            return [*before, fact]
    return None


def _factors(ring: Ring, f: Polynomial) -> Iterator[Fact]:
    """Take a polynomial apart."""
    if f in ring.factored or len(f) < 2:
        return
    factors = factored(ring, f)
    if len(factors) > 1 or factors[0][1] > 1:
        yield {"of": ring.text(f), "product": [[ring.text(g), e] for g, e in factors]}


def _shift(ring: Ring, f: Polynomial) -> Iterator[Fact]:
    if not ring.whole & f.variables():
        return
    for word in (">", "<", ">=", "<="):
        yield {"of": ring.text(f), "sign": word, "by": "shift"}


def _powers(ring: Ring, f: Polynomial) -> Iterator[Fact]:
    """Compare a part with one root with the rest of the sum, or all positive terms with all negative ones."""
    roots = [k for k in f.variables() if isinstance(ring.atom(k), Root)]
    if not roots:
        return
    parts = []
    for k in sorted(roots, reverse=True):
        atom = ring.atom(k)
        assert isinstance(atom, Root)
        with_root = Polynomial({e: c for e, c in f.terms.items() if e >> k * BITS & ((1 << BITS) - 1)}, f.degree)
        if with_root != f:
            parts.append((with_root, atom.degree))
    up = Polynomial({e: c for e, c in f.terms.items() if c > 0}, f.degree)
    if up and up != f:
        parts.append((up, 2))
    for part, degree in parts:
        for word in (">", "<", ">=", "<="):
            turned = f if ">" in word else -f
            one = part if ">" in word else -part
            for side in (one, turned - one):
                if ring.of(side).signs() in (POSITIVE, NOT_NEGATIVE) or single(ring.of(side).signs()) is None:
                    yield {"of": ring.text(f), "sign": word, "by": "powers", "up": ring.text(side), "degree": degree}


def _between(ring: Ring, f: Polynomial) -> Iterator[Fact]:
    """Put the ends of a mean in its place."""
    for k in sorted(f.variables(), reverse=True):
        atom = ring.atom(k)
        if isinstance(atom, Mean) and max(f.by_degree(k)) == 1:
            for word in (">", "<", ">=", "<="):
                yield {"of": ring.text(f), "sign": word, "by": "between", "mean": atom.label}


def _quadratic(ring: Ring, f: Polynomial) -> Iterator[Fact]:
    """Complete a square: 4a·(at² + bt + c) = (2at + b)² + 4ac − b²."""
    if len(f) > 200:
        return
    for k in sorted(f.variables()):
        parts = f.by_degree(k)
        if max(parts) != 2:
            continue
        none = Polynomial({}, 0)
        a, b, c = (parts.get(x, none) for x in (2, 1, 0))
        sign = single(ring.signs_of(a))
        if sign is None:
            continue
        square, gap = a.times(2) * variable(k) + b, a.times(4) * c - b * b
        terms: list[list[object]] = [[1, [ring.text(square), 2]]]
        if gap:
            terms.append([1, ring.text(gap)])
        about = {"of": ring.text(f), "by": "products", "times": [ring.text(a.times(4 * sign))]}
        for word in (">", ">=") if sign > 0 else ("<", "<="):
            yield {**about, "sign": word, "terms": terms}


def _multiply(ring: Ring, f: Polynomial) -> Iterator[Fact]:
    """Multiply by a power of the sum of the variables, which may leave positive coefficients only (Pólya)."""
    used = sorted(f.variables())
    if len(used) < 2 or any(k >= ring.size for k in used):
        return
    total, p = Polynomial({1 << k * BITS: 1 for k in used}, 1), f
    for e in range(1, _POLYA + 1):
        if len(p) > 2000:
            return
        p = p * total
        sign = single(ring.by_coefficients(p))
        if sign:
            yield {
                "of": ring.text(f), "sign": ">" if sign > 0 else "<", "by": "products",
                "times": [[ring.text(total), e]], "terms": [[1, ring.text(p if sign > 0 else -p)]],
            }  # fmt: skip
            return


_WAYS: tuple[Callable[[Ring, Polynomial], Iterator[Fact]], ...] = (
    _factors,
    _between,
    _shift,
    _powers,
    _quadratic,
    _multiply,
)


# Polynomials of FLINT


def factored(ring: Ring, f: Polynomial) -> list[tuple[Polynomial, int]]:
    """Return the irreducible factors of a polynomial in lowest terms, the signs among them."""
    used = sorted(f.variables())
    context = flint.fmpz_mpoly_ctx.get([f"x{k}" for k in used], "lex")
    terms = {}
    for e, c in f.terms.items():
        powers = dict(exponents(e))
        terms[tuple(powers.get(k, 0) for k in used)] = c
    content, factors = context.from_dict(terms).factor()
    found = []
    for g, e in factors:
        packed = {}
        for monomial, k in zip(g.monoms(), g.coeffs(), strict=True):
            packed[sum(int(x) << v * BITS for v, x in zip(used, monomial, strict=True))] = int(k)
        p = Polynomial(packed, f.degree)
        found.append((p.times(ring.leading_sign(p)), int(e)))
    assert abs(int(content)) == 1
    return found


__all__ = ["NEGATIVE", "NOT_POSITIVE", "factored", "learnt", "settle"]
