"""Search for the facts that settle the sign of a polynomial, as `kernel/facts.py` takes them.

Nothing here is trusted: a fact is learnt by the kernel's own rules, and what they refuse is not used. Which signs are
worth a try is seen at a few points first (`samples.py`).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import combinations
from math import gcd, inf

from goodmeasure.packages import flint
from goodmeasure.theory.kernel.facts import learn
from goodmeasure.theory.kernel.functions import Angle, Exponential, Extreme, Logarithm
from goodmeasure.theory.kernel.means import Mean
from goodmeasure.theory.kernel.polynomials import BITS, ONE, Polynomial, constant, exponents, variable
from goodmeasure.theory.kernel.refusal import Refused, Unsettled
from goodmeasure.theory.kernel.signs import NEGATIVE, NOT_NEGATIVE, NOT_POSITIVE, POSITIVE, single
from goodmeasure.theory.kernel.values import Ring, Root, Value
from goodmeasure.theory.search.samples import signs_seen

Fact = dict[str, object]
Way = Callable[[Ring, Polynomial], Iterator[Fact]]
_DEEPEST = 5
_SECONDS = 2.0  # of processor time for one question
_MOST_TERMS = 3000
_MOST_DIRECTIONS = 12  # products that are tried in such a sum
_MOST_PARTS = 300  # of a sum of logarithms
_POLYA = 3
_FEW_TERMS = 5  # of a polynomial that is no sum of squares of this kind
_TURNED = {">": "<", ">=": "<="}


class FactSearch:
    """The search for facts of one claim; what failed is not tried again while nothing more is known."""

    def __init__(self, ring: Ring) -> None:
        self.ring = ring
        self.deadline = self.until = inf  # in processor time: of the case, and of the question that is asked
        self.failed: set[object] = set()
        self.asked: list[Polynomial] = []  # the questions that are being settled
        self.open: dict[Polynomial, None] = {}  # polynomials without atoms whose sign was not shown, the last ones last

    def settle(self, f: Polynomial, depth: int = _DEEPEST) -> list[Fact] | None:
        """Return facts that say more about the sign of a polynomial, and learn them; None where none are found."""
        ring = self.ring
        if not self.asked:
            self.until = min(self.deadline, time.process_time() + _SECONDS)
        while f in ring.factored:  # then a factor is in question
            f = next((g for g, _ in ring.factored[f] if single(ring.signs(g)) is None), ONE)
        if len(f) > _MOST_TERMS or f in self.asked or -f in self.asked or time.process_time() > self.until:
            return None
        asked = f, depth, bool(ring.whole), frozenset(ring.facts.items()), *self.asked
        if asked in self.failed:
            return None
        self.asked.append(f)
        try:
            found = self._factored(f) or self._signed(f, depth)
        finally:
            self.asked.pop()
        if found is None:
            self.failed.add(asked)
            if all(k < ring.size for k in f.variables()):
                self.open[f] = None
        return found

    def _signed(self, f: Polynomial, depth: int) -> list[Fact] | None:
        """Return facts that show a sign, and learn them."""
        for way, word in _attempts(signs_seen(self.ring, f), self.ring.signs(f)):
            with suppress(Refused):  # what a way writes down may be too large
                for fact in way(self.ring, f if word in _TURNED else -f):
                    found = self.learnt({"of": self.ring.text(f), "sign": word, **fact}, depth)
                    if found is not None:
                        return found
        return None

    def _factored(self, f: Polynomial) -> list[Fact] | None:
        """Take a polynomial apart."""
        ring = self.ring
        if len(f) < 2:
            return None
        factors = factored(ring, f)
        if len(factors) == 1 and factors[0][1] == 1:
            return None
        return self.learnt({"of": ring.text(f), "product": [[ring.text(g), e] for g, e in factors]}, 0)

    def learnt(self, fact: Fact, depth: int) -> list[Fact] | None:
        """Learn a fact, after others on which it turns out to rest; None if it does not hold or is not shown.

        Then nothing is known that was not known before.
        """
        ring, before = self.ring, list[Fact]()
        known = dict(ring.facts), dict(ring.factored)
        for _ in range(12):
            try:
                learn(ring, [fact])
            except Unsettled as open_question:
                more = self.settle(open_question.question, depth - 1) if depth else None
                if more is None:
                    break
                before += more
            except Refused:
                break
            else:
                return [*before, fact]
        ring.facts, ring.factored = known
        return None


def _attempts(seen: int | None, known: int) -> Iterator[tuple[Way, str]]:
    """Yield ways to show more than is known: a polynomial, or with < and <= its negative, is > 0 or >= 0."""
    words = [
        word
        for word, good in ((">", POSITIVE), ("<", NEGATIVE), (">=", NOT_NEGATIVE), ("<=", NOT_POSITIVE))
        if known & ~good and (seen is None or (seen and not seen & ~good))
    ]
    for way in _WAYS:
        for word in words:
            yield way, word


# Each way yields what a fact about f > 0 or f ≥ 0 says beside the polynomial and the sign.


def _between(ring: Ring, f: Polynomial) -> Iterator[Fact]:
    """Put the ends of a mean, or all that an extreme may be, in its place."""
    for k in sorted(f.variables(), reverse=True):
        atom = ring.atom(k)
        if isinstance(atom, (Mean, Extreme)) and max(f.by_degree(k)) == 1:
            about: Fact = {"by": "between", "mean": atom.label}
            helps = POSITIVE if isinstance(atom, Extreme) and atom.name == "max" else NEGATIVE
            if isinstance(atom, Extreme) and ring.signs_of(f.by_degree(k)[1]) == helps:
                yield from ({**about, "part": i} for i in range(len(atom.parts)))
            else:
                yield about


def _shift(ring: Ring, f: Polynomial) -> Iterator[Fact]:
    """Write whole variables as 1 plus the rest; the kernel does the same."""
    if ring.whole & f.variables():
        yield {"by": "shift"}


def _powers(ring: Ring, f: Polynomial) -> Iterator[Fact]:
    """Compare a part with one root with the rest of the sum, or all positive terms with all negative ones."""
    roots = [k for k in f.variables() if isinstance(ring.atom(k), Root)]
    parts = []
    if roots:
        parts.append((Polynomial({e: c for e, c in f.terms.items() if c > 0}, f.degree), 2))
    for k in sorted(roots, reverse=True):
        atom = ring.atom(k)
        assert isinstance(atom, Root)
        with_root = Polynomial({e: c for e, c in f.terms.items() if e >> k * BITS & ((1 << BITS) - 1)}, f.degree)
        parts += [(with_root, atom.degree), (f - with_root, atom.degree)]
    tried = set()
    for up, degree in parts:
        if up and up != f and (up, degree) not in tried:
            tried.add((up, degree))
            seen = signs_seen(ring, up)
            if seen is None or not seen & NEGATIVE:
                yield {"by": "powers", "up": ring.text(up), "degree": degree}


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
        if ring.signs_of(a) != POSITIVE:
            continue
        square, gap = a.times(2) * variable(k) + b, a.times(4) * c - b * b
        seen = signs_seen(ring, gap)
        if seen is not None and seen & NEGATIVE:
            continue
        terms: list[list[object]] = [[1, [ring.text(square), 2]]]
        if gap:
            terms.append([1, ring.text(gap)])
        yield {"by": "products", "times": [ring.text(a.times(4))], "terms": terms}


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
        if ring.by_coefficients(p) == POSITIVE:
            yield {"by": "products", "times": [[ring.text(total), e]], "terms": [[1, ring.text(p)]]}
            return


def _supposed(ring: Ring, f: Polynomial) -> Iterator[Fact]:
    """Take a multiple of what is known not to be negative away, so that nothing negative is left."""
    for g, known in ring.facts.items():
        if known in (POSITIVE, NOT_NEGATIVE, NEGATIVE, NOT_POSITIVE) and len(f) < 400:
            over = g if not known & NEGATIVE else -g
            times = _multiple(f, over)
            if times:
                rest = f - times * over
                terms: list[list[object]] = [[1, ring.text(times), ring.text(over)]]
                yield {"by": "products", "terms": [*terms, [1, ring.text(rest)]] if rest else terms}


def _multiple(f: Polynomial, g: Polynomial) -> Polynomial | None:
    """Return a polynomial B with positive coefficients for which f − B·g has no negative ones, if one is soon found.

    Each negative term of f is cancelled by a negative term of g, where the positive terms of f can pay for it.
    """
    left, times = dict(f.terms), dict[int, int]()
    down = [(e, c) for e, c in g.terms.items() if c < 0]
    for _ in range(300):
        negative = min((e for e, c in left.items() if c < 0), default=None)
        if negative is None:
            return Polynomial(times, f.degree)
        for e, c in down:
            if not _divides(e, negative):
                continue
            quotient, k = negative - e, -(left[negative] // -c)
            if all(left.get(quotient + x, 0) >= k * y for x, y in g.terms.items() if y > 0):
                for x, y in g.terms.items():
                    left[quotient + x] = left.get(quotient + x, 0) - k * y
                times[quotient] = times.get(quotient, 0) + k
                break
        else:
            return None
    return None


def _divides(e: int, f: int) -> bool:
    powers = dict(exponents(f))
    return all(powers.get(k, 0) >= x for k, x in exponents(e))


def _monotone(ring: Ring, f: Polynomial) -> Iterator[Fact]:
    """Compare two logarithms, arc cosines or exponentials that occur with opposite signs."""
    atoms = [x for x in map(ring.atom, sorted(f.variables())) if type(x) in _MAPS]
    for x in atoms:
        assert x is not None
        weight = f.by_degree(x.place).get(1)
        if weight is None:
            continue
        about: Fact = {"by": "monotone", "map": _MAPS[type(x)], "times": ring.text(weight), "above": x.parts[0].text()}
        for y in atoms:
            assert y is not None
            if x is not y and type(x) is type(y) and f.by_degree(y.place).get(1) == -weight:
                yield {**about, "below": y.parts[0].text()}
        if isinstance(x, Angle):
            yield from ({**about, "below": y} for y in ("1", "-1", "0", "1/2", "-1/2"))


_MAPS = {Angle: "acos", Exponential: "exp", Logarithm: "log"}


# Sums of logarithms


def _sum_of_logarithms(ring: Ring, f: Polynomial) -> tuple[dict[int, Logarithm], dict[int, dict[int, int]]] | None:
    """Return the logarithms of a sum, and for each monomial of their coefficients what it multiplies.

    None if the sum has other atoms, or products of logarithms.
    """
    atoms = {k: x for k in f.variables() if isinstance(x := ring.atom(k), Logarithm)}
    if not atoms or any(k >= ring.size and k not in atoms for k in f.variables()):
        return None
    found: dict[int, dict[int, int]] = {}
    for e, c in f.terms.items():
        mine = [(k, x) for k, x in exponents(e) if k in atoms]
        if len(mine) > 1 or any(x > 1 for _, x in mine):
            return None
        for k, _ in mine:
            found.setdefault(e - (1 << k * BITS), {})[k] = c
    return atoms, found


def _product(ring: Ring, atoms: dict[int, Logarithm], powers: dict[int, int]) -> Value:
    found = ring.number(1)
    for k, e in powers.items():
        found = found * ring.of(atoms[k].of) ** e
    return found


def _logarithm(ring: Ring, f: Polynomial) -> Iterator[Fact]:
    """Write a sum of logarithms with whole coefficients as the logarithm of a product."""
    known = _sum_of_logarithms(ring, f)
    if known is None or len(known[1]) != 1:
        return
    atoms, ((monomial, powers),) = known[0], known[1].items()
    if len(powers) == len(f) and sum(map(abs, powers.values())) <= 24:
        weight = ring.text(Polynomial({monomial: 1}, f.degree))
        yield {"by": "logarithm", "times": weight, "inner": _product(ring, atoms, powers).text()}


def _tangents(ring: Ring, f: Polynomial) -> Iterator[Fact]:
    """Replace each logarithm by a tangent: for each monomial of the coefficients, or for each logarithm."""
    known = _sum_of_logarithms(ring, f)
    if known is None:
        return
    atoms, by_monomial = known
    grouped: dict[tuple[tuple[int, int], ...], dict[int, int]] = {}
    for monomial, powers in by_monomial.items():
        d = gcd(*powers.values())
        grouped.setdefault(tuple(sorted((k, e // d) for k, e in powers.items())), {})[monomial] = d
    rows: list[Fact] = []
    for product, weights in grouped.items():
        inner = _product(ring, atoms, dict(product))
        rows.append({"times": ring.text(Polynomial(weights, f.degree)), "inner": inner.text()})
    if len(rows) <= _MOST_PARTS and all(len(str(x["inner"])) < 10_000 for x in rows):
        yield {"by": "tangents", "terms": rows}
    directions = [(None, ()), *((k, product) for product in grouped for k, _ in product)]
    for first, product in directions[:_MOST_DIRECTIONS]:
        found = _one_direction(ring, f, atoms, first, dict(product))
        if found is not None:
            yield {"by": "tangents", "terms": found}


def _one_direction(
    ring: Ring, f: Polynomial, atoms: dict[int, Logarithm], first: int | None, product: dict[int, int]
) -> list[Fact] | None:
    """Return one logarithm of a product, so often that a first logarithm is used up, and what is left of each other."""
    weights = {k: f.by_degree(k)[1] for k in atoms}
    rows: list[tuple[Polynomial, Value]] = []
    if first is not None:
        main, e = weights[first], product[first]
        if any(c % e for c in main.terms.values()):
            return None
        main = Polynomial({x: c // e for x, c in main.terms.items()}, main.degree)
        rows.append((main, _product(ring, atoms, product)))
        weights = {k: w - main.times(product.get(k, 0)) for k, w in weights.items()}
    rows += [(w, ring.of(atoms[k].of)) for k, w in weights.items() if w]
    found: list[Fact] = []
    for weight, inner in rows:
        sign = single(ring.signs_of(weight))
        if not sign:
            return None
        inner = inner if sign > 0 else inner.inverse()
        found.append({"times": ring.text(weight.times(sign)), "inner": inner.text()})
    return found


# Sums of squares that measures are known for

Product = list[tuple[Polynomial, int]]


def _squares(ring: Ring, f: Polynomial) -> Iterator[Fact]:
    """Write a polynomial, times a positive one, as a sum of squares that is known for measures of its kind."""
    names = {ring.names[k] for k in f.variables() if k < ring.size}
    if len(f) < _FEW_TERMS or any(k >= ring.size for k in f.variables()):
        return
    for known in (_of_cells, _of_recalls) if all(x[0] == "c" for x in names) else (_of_guesses,):
        products = known(ring, names)
        total = Polynomial({}, 0)
        for factors in products:
            product = ONE
            for g, e in factors:
                product = product * g**e
            total = total + product
        over = divided(total, f)
        if over is not None and ring.by_coefficients(over) == POSITIVE:
            terms = [[1, *([ring.text(g), e] for g, e in factors)] for factors in products]
            yield {"by": "products", "times": [ring.text(over)], "terms": terms}
            return


def _cells(ring: Ring, names: set[str]) -> list[list[Polynomial]]:
    """Return the matrix of the cells that occur, and 0 elsewhere."""
    none, size = Polynomial({}, 0), range(1 + max((int(y) for x in names for y in x[1:].split("_")), default=0))
    return [[variable(ring.names.index(x)) if (x := f"c{i}_{j}") in names else none for j in size] for i in size]


def _of_recalls(ring: Ring, names: set[str]) -> list[Product]:
    """Return a multiple of 1 − accuracy·mutability, where mutability is k·(1 − Σ r²/(Σ r)²)/(k − 1) for k recalls r.

    With T_i = c_ii·∏a over the other rows, n·(k − 1)·(ΣT)² − (Σ c_ii)·k·((ΣT)² − ΣT²) is, over pairs of rows, the sum
    of n·(T_i − T_j)² and 2k·(n − Σ c_ii)·T_i·T_j.
    """
    none, cells = Polynomial({}, 0), _cells(ring, names)
    rows = [k for k, row in enumerate(cells) if any(row)]
    if not 1 < len(rows) < 5:
        return []
    sizes = {k: sum(cells[k], none) for k in rows}
    n, right = sum(sizes.values(), none), sum((cells[k][k] for k in rows), none)
    parts = {}
    for k in rows:
        parts[k] = cells[k][k]
        for other in rows:
            parts[k] = parts[k] * sizes[other] if other != k else parts[k]
    found = list[Product]()
    for i, j in combinations(rows, 2):
        found.append([(n, 1), (parts[i] - parts[j], 2)])
        if n != right and parts[i] and parts[j]:
            found.append([(constant(2 * len(rows)), 1), (n - right, 1), (parts[i], 1), (parts[j], 1)])
    return [x for x in found if all(g for g, _ in x)]


def _of_cells(ring: Ring, names: set[str]) -> list[Product]:
    """Return n²·(Σ c²/(a·b) − 1)·∏a·∏b: for each column the squares of c_i·a_k − c_k·a_i, over the other sizes.

    For a column with sum b and entries c_i, n·Σ c_i²/a_i − b² = Σ (c_i·a_k − c_k·a_i)²/(a_i·a_k) over pairs of rows.
    """
    none, cells = Polynomial({}, 0), _cells(ring, names)
    size = range(len(cells))
    a, b = ([sum(row, none) for row in rows] for rows in (cells, zip(*cells, strict=True)))
    found = []
    for j in size:
        for i, k in combinations(size, 2):
            root = cells[i][j] * a[k] - cells[k][j] * a[i]
            if root and b[j]:
                others = [*(y for x, y in enumerate(a) if x not in (i, k)), *(y for x, y in enumerate(b) if x != j)]
                found.append([(root, 2), *((y, 1) for y in others if y)])
    return found


def _of_guesses(ring: Ring, names: set[str]) -> list[Product]:
    """Return X·Y·(1 − Σ H)·∏(p + q), where H = 2pq/(p + q) is the harmonic mean of shares p = x/X and q = y/Y.

    It falls short of the arithmetic mean by (p − q)²/(2(p + q)), and the arithmetic means add up to 1.
    """
    none = Polynomial({}, 0)
    sides = [[variable(ring.names.index(f"{s}{k}")) for k in range(10) if f"{s}{k}" in names] for s in "xy"]
    if not sides[0] or len(sides[0]) != len(sides[1]):
        return []
    x, y = sides
    shares = [(p * sum(y, none), q * sum(x, none)) for p, q in zip(x, y, strict=True)]
    sums = [p + q for p, q in shares]
    return [[(p - q, 2), *((s, 1) for i, s in enumerate(sums) if i != k)] for k, (p, q) in enumerate(shares)]


_WAYS: tuple[Way, ...] = (
    _between, _logarithm, _monotone, _supposed, _shift, _powers, _quadratic, _tangents, _multiply, _squares,
)  # fmt: skip


# Polynomials of FLINT


def factored(ring: Ring, f: Polynomial) -> list[tuple[Polynomial, int]]:
    """Return the irreducible factors of a polynomial in lowest terms, the signs among them."""
    used = sorted(f.variables())
    content, factors = _to_flint(f, used).factor()
    assert abs(int(content)) == 1
    found = [(_from_flint(g, used, f.degree), int(e)) for g, e in factors]
    return [(p.times(ring.leading_sign(p)), e) for p, e in found]


def divided(f: Polynomial, g: Polynomial) -> Polynomial | None:
    """Return f/g; None where that is no polynomial with whole coefficients, or 0."""
    used = sorted(f.variables())
    if not f or not g.variables() <= set(used):
        return None
    quotient, rest = divmod(_to_flint(f, used), _to_flint(g, used))
    return None if rest else _from_flint(quotient, used, f.degree)


def _to_flint(f: Polynomial, used: list[int]) -> flint.fmpz_mpoly:
    context = flint.fmpz_mpoly_ctx.get([f"x{k}" for k in used], "lex")
    terms = {}
    for e, c in f.terms.items():
        powers = dict(exponents(e))
        terms[tuple(powers.get(k, 0) for k in used)] = c
    return context.from_dict(terms)


def _from_flint(f: flint.fmpz_mpoly, used: list[int], degree: int) -> Polynomial:
    terms = zip(f.monoms(), f.coeffs(), strict=True)
    powers = {sum(int(x) << n * BITS for n, x in zip(used, e, strict=True)): int(c) for e, c in terms}
    return Polynomial(powers, degree)
