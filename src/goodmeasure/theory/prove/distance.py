"""Prove that a measure is a distance: the triangle inequality over the joint counts of three labelings.

**Setting.** A, B and C are labelings of the same n items, and t_ijk counts the items with label i in A, j in B and k in
C. The matrices of (A, B), (B, C) and (A, C) are sums of the t over the missing index. With d = c_max − M, the claim is
d(A, B) + d(B, C) − d(A, C) ≥ 0 (goesgens2021, Definition 5). Symmetry and maximal agreement, which make d symmetric and
0 for equal labelings only, have certificates of their own.

**Limits.** On the full support (all t_ijk > 0) the claim is shown for all positive *real* t. If the formula of the full
matrix holds on all supports of the domain, both sides are continuous up to the boundary, an inequality ≥ 0 carries over
to limits, and the claim holds wherever some t are 0. If another formula holds on some matrices (a rule for 0/0 acts,
say), the joint supports that lead to such a matrix are shown one by one. If the full support cannot be shown for real
numbers, all joint supports are shown one by one, for whole numbers. With more than two classes there are too many joint
supports for that, and the proof is given up.

**Angles and chords.** Let M = −s·arccos x (an angle, s > 0) or M = −√(2(1 − x)) (a chord), where x is a correlation of
the two labelings with x = 1 for equal ones. Let x_ab, x_bc, x_ac be the values of the three pairs. The matrix with 1 on
the diagonal and these off it is positive semidefinite if 1 − x² ≥ 0 for each of them and its determinant
1 + 2·x_ab·x_bc·x_ac − x_ab² − x_bc² − x_ac² is not negative. Then it is the Gram matrix of three unit vectors. The
angles between these are arccos x and the chords are √(2(1 − x)), and both obey the triangle inequality, on the sphere
and in space. The factor s is the same on all supports: the proof of maximal agreement compares the value on each
support with the best value as the same multiple of an arc cosine.

**Gram of pairs.** With three or more classes the determinant is too large to expand as it stands. If x = N/(h·√(V·W)),
where V depends on the first labeling alone and W on the second in the same way, the denominators of the three pairs
share three polynomials, one for each labeling, and the determinant becomes a polynomial over a positive one. Its
coefficients are looked at.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

from goodmeasure.theory.algebra.orthant import RATIONAL, Orthant, Outside, Poly, Unsettled
from goodmeasure.theory.algebra.quantities import Outcome, Quantity, constant, of_polynomial
from goodmeasure.theory.algebra.support_patterns import value_on
from goodmeasure.theory.prove.baselines import same_formula
from goodmeasure.theory.prove.signs import NoProof, angle, is_nested, positive, zero
from goodmeasure.theory.prove.support_cases import Reader, Support, is_diagonal, rows
from goodmeasure.theory.prove.values import in_domain, one_value, text
from goodmeasure.theory.statements.certificate import CertificateNode
from goodmeasure.theory.statements.domain import Domain

GRAM, GRAM_OF_PAIRS = "gram", "gram of pairs"  # how a case is proved: a Gram determinant, of matrices or of pairs
SIDES = ((0, 1), (1, 2), (0, 2))  # the labelings that AB, BC and AC compare


class Triples:
    """A measure read on the three matrices of pairs of three labelings of the same items."""

    def __init__(self, reader: Reader) -> None:
        self.reader, self.m = reader, reader.m
        self.places = list(product(range(self.m), repeat=3))
        self.orthant = Orthant(tuple("t" + "".join(map(str, x)) for x in self.places))
        self.gens = self.orthant.context.gens()

    def matrix(self, support: Support, side: tuple[int, int]) -> list[list[Poly]]:
        """Return the confusion matrix of two of the labelings, on a support of the joint counts."""
        m = self.m
        cells = [[self.orthant.constant(0) for _ in range(m)] for _ in range(m)]
        for g, present, labels in zip(self.gens, support, self.places, strict=True):
            if present:
                i, j = labels[side[0]], labels[side[1]]
                cells[i][j] = cells[i][j] + g
        return cells

    def pattern(self, support: Support, side: tuple[int, int]) -> Support:
        """Return the support of that matrix."""
        return tuple(int(not x.is_zero()) for row in self.matrix(support, side) for x in row)

    def value(self, support: Support, side: tuple[int, int]) -> Outcome:
        """Return the value on that matrix, turned so that higher is better."""
        rows_ = [[of_polynomial(self.orthant, p) for p in row] for row in self.matrix(support, side)]
        value = value_on(self.reader.measure, rows_, self.reader.policy, self.orthant, open_order=True)
        return value if not isinstance(value, Quantity) else value * self.reader.sign


def prove_triangle(reader: Reader, domain: Domain) -> list[CertificateNode]:
    """Return nodes that show the triangle inequality: one for the full support if that covers the domain, else more."""
    best, _ = one_value(reader, (x for x in in_domain(reader, domain) if is_diagonal(x, reader.m)))
    top = best.as_fraction()
    kind = map_of(_defined(reader.value(reader.cells((1,) * reader.m**2))))
    if kind:
        zero(cosine(best, kind) - 1)
    triples = Triples(reader)
    whole = (1,) * len(triples.places)
    if reader.m > 2 and _has_other_patterns(reader, domain):
        raise NoProof("several formulas on the domain, and too many joint supports")
    try:
        if kind and reader.m > 2:
            first = _gram_of_pairs(reader, triples, kind)
        else:
            first = _triangle(triples, whole, top, kind, whole=False)
    except NoProof:
        if reader.m > 2:
            raise
        return [_on(triples, x, top, kind) for x, _ in _joint(triples, domain)]
    nodes = [{"joint": text(whole), "proof": first}]
    odd = _other_patterns(reader, domain) if reader.m == 2 else ()
    if not odd:
        return nodes
    for support, patterns in _joint(triples, domain):
        if any(x in odd for x in patterns):
            nodes.append(_on(triples, support, top, kind))
    return nodes


def _joint(triples: Triples, domain: Domain) -> Iterator[tuple[Support, list[Support]]]:
    """Yield every support of the joint counts whose three matrices lie in the domain, with their supports."""
    for support in product((0, 1), repeat=len(triples.places)):
        patterns = [triples.pattern(support, side) for side in SIDES]
        if any(support) and all(domain.holds_pattern(rows(x, triples.m)) for x in patterns):
            yield support, patterns


def _on(triples: Triples, support: Support, top: Fraction | None, kind: str) -> CertificateNode:
    """Return the node of one joint support, where the counts are whole numbers."""
    return {"joint": text(support), "proof": _triangle(triples, support, top, kind)}


def _has_other_patterns(reader: Reader, domain: Domain) -> bool:
    """Return whether the formula of the full support does not hold on a support of the domain, or may not."""
    whole = (1,) * reader.m**2
    try:
        same_formula(reader, _defined(reader.value(reader.cells(whole))), whole, in_domain(reader, domain))
    except (NoProof, Outside):
        return True
    return False


def _other_patterns(reader: Reader, domain: Domain) -> set[Support]:
    """Return the supports of the domain on which the formula of the full support does not hold, or may not."""
    whole = (1,) * reader.m**2
    value = _defined(reader.value(reader.cells(whole)))
    odd = set()
    for support in in_domain(reader, domain):
        try:
            same_formula(reader, value, whole, iter([support]))
        except (NoProof, Outside):
            odd.add(support)
    return odd


def _triangle(
    triples: Triples, support: Support, top: Fraction | None, kind: str, *, whole: bool = True
) -> CertificateNode:
    """Return a node that shows d(A, B) + d(B, C) ≥ d(A, C) with d = top − M, for angles and chords by Gram."""
    values = [x for x in (triples.value(support, side) for side in SIDES) if isinstance(x, Quantity)]
    if len(values) < len(SIDES):
        return {"by": "undefined"}
    if kind:
        inner = [cosine(x, kind) for x in values]
        ab, bc, ac = inner
        gram = constant(triples.orthant, 1) + 2 * ab * bc * ac - ab * ab - bc * bc - ac * ac
        return {
            "by": GRAM,
            "map": kind,
            "proof": positive(gram, strict=False, whole=whole),
            "bounds": [positive(1 - x * x, strict=False, whole=whole) for x in inner],
        }
    if top is None:
        raise NoProof("the best value is not rational")
    ab, bc, ac = values
    try:
        return positive((ac - ab) + (top - bc), strict=False, whole=whole)
    except Unsettled as error:
        raise NoProof(str(error)) from None


def _gram_of_pairs(reader: Reader, triples: Triples, kind: str) -> CertificateNode:
    """Return a node that shows that the Gram determinant is not negative, for x = N/(h·√(V·W)).

    V depends on the first labeling alone and W on the second. For the three pairs, V and W take three values A, B and
    C, one for each labeling (this is checked), and the determinant times h³·A·B·C is
    h³·A·B·C + 2·N_ab·N_bc·N_ac − h·(C·N_ab² + A·N_bc² + B·N_ac²).
    """
    x = cosine(_defined(reader.value(reader.cells((1,) * reader.m**2))), kind)
    if len(x.num) != 1 or set(x.den) != {RATIONAL}:
        raise NoProof("the correlation is not a quotient by one root")
    ((key, top),) = x.num.items()
    under = reader.orthant.roots[key[0]]
    content, factors = under.factor()
    over = x.den[RATIONAL] // under
    if over * under != x.den[RATIONAL] or not over.is_constant() or content != 1 or [k for _, k in factors] != [1, 1]:
        raise NoProof("the correlation is not N/(h√(V·W))")
    h = int(over.leading_coefficient())
    whole = (1,) * len(triples.places)
    extra = [triples.orthant.constant(0)] * (len(reader.gens) - reader.m**2)
    place = {side: [p for row in triples.matrix(whole, side) for p in row] + extra for side in SIDES}
    spread = [{side: f.compose(*place[side], ctx=triples.orthant.context) for side in SIDES} for f, _ in factors]
    for v, w in (spread, spread[::-1]):
        if v[0, 1] == v[0, 2] and w[0, 1] == v[1, 2] and w[0, 2] == w[1, 2]:
            a, b, c = v[0, 1], v[1, 2], w[0, 2]
            ab, bc, ac = (top.compose(*place[side], ctx=triples.orthant.context) for side in SIDES)
            gram = h**3 * a * b * c + 2 * ab * bc * ac - h * (c * ab**2 + a * bc**2 + b * ac**2)
            if any(k < 0 for k in gram.coeffs()):
                raise NoProof("the Gram determinant has a negative coefficient")
            bound = positive(1 - x * x, strict=False, whole=False)
            return {"by": GRAM_OF_PAIRS, "map": kind, "terms": len(gram), "bound": bound}
    raise NoProof("the roots of the three pairs have nothing in common")


def _defined(value: Outcome) -> Quantity:
    if not isinstance(value, Quantity):
        raise NoProof("undefined")
    return value


def map_of(value: Quantity) -> str:
    """Return "arccos" for a value −s·arccos(x), "chord" for one with a single nested root, and "" otherwise."""
    found = angle(value)
    if found is not None and found[0] < 0:
        return "arccos"
    return "chord" if is_nested(value) and len(value.num) == 1 else ""


def cosine(value: Quantity, kind: str) -> Quantity:
    """Return the x of which a value is the angle or the chord."""
    if kind == "chord":
        return 1 - value * value / 2
    found = angle(value)
    if found is None:
        raise NoProof("not an angle everywhere")
    return found[2]
