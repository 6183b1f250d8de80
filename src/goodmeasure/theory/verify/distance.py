"""Check certificates of distances: symmetry, maximal agreement and the triangle inequality.

The cells are the m³ joint counts of three labelings A, B, C; the three confusion matrices are sums of these. With
d = c_max − M the triangle inequality is c_max + M(A, C) − M(A, B) − M(B, C) ≥ 0. A certificate proves it in one of two
ways.

1. *Support by support* (two classes only): for every support of the joint cells whose three matrices are in the domain.
   Counts are then whole numbers.
2. *By limits*: on the full support, for all positive real numbers (so not with ``shift``), where M is one formula f in
   positive cells. Take joint counts with some zeros, replace the zeros by ε and let ε → 0: the inequality carries over
   if M on each of the three matrices is the limit of f, which `check_formula` shows on every support of the domain by
   setting the missing cells to 0. Supports where another formula holds ("odd") need proofs of their own, so they are
   accepted only for two classes, where every joint support with an odd matrix must be listed.

Angles and chords. If d is a positive multiple of an angle, d = s·arccos x, and 1 + 2xyz − x² − y² − z² ≥ 0 (the Gram
determinant) for the three cosines with |x|, |y|, |z| ≤ 1, then the angles α, β, γ obey the triangle inequality: the
determinant is 4·sin((α+β+γ)/2)·sin((β+γ−α)/2)·sin((α+γ−β)/2)·sin((α+β−γ)/2), and for γ > α + β the last factor is
negative and the others are positive. If d is the chord √(2(1 − x)) = f(α) with f(α) = 2·sin(α/2), the same holds. On
[0, π] the function f is concave and increasing, and f(0) = 0. So if α + β ≤ π, then f(γ) ≤ f(α + β) ≤ f(α) + f(β). If
α + β > π, then β > π − α ≥ 0, and f(α) + f(β) ≥ f(α) + f(π − α) = 2·(sin(α/2) + cos(α/2)) ≥ 2 ≥ f(γ), because
sin t + cos t ≥ 1 for t from 0 to π/2.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product
from typing import TYPE_CHECKING

from goodmeasure.theory.statements import statement as kinds
from goodmeasure.theory.statements.certificate import CertificateNode
from goodmeasure.theory.verify.arithmetic import DOWN, NOT_UP, UNDEFINED, Ground, Outcome, Poly, Refused
from goodmeasure.theory.verify.atoms import Root
from goodmeasure.theory.verify.baselines import cases_of, check_formula, text_of, within
from goodmeasure.theory.verify.signs import CertificateError, as_angle, check_positive, demand
from goodmeasure.theory.verify.values import constant, is_extreme

if TYPE_CHECKING:
    from goodmeasure.theory.verify.verify import Check

_SIDES = ((0, 1), (1, 2), (0, 2))  # the labelings that AB, BC and AC compare


def distance(check: Check) -> None:
    """Check that symmetry and maximal agreement are proved, and the triangle inequality for three labelings."""
    parts = {x.statement: x for x in check.certificate.parts}
    for name in ("symmetry", "maximal_agreement"):
        demand(name in parts, "the proof of {name} is missing", field="parts", name=name)
        part = parts[name]
        same = ("measure", "definition", "classes", "domain", "undefined")
        demand(
            all(getattr(part, x) == getattr(check.certificate, x) for x in same),
            "{name} is about something else",
            field="parts",
            name=name,
        )
        check.again(part)
    check.constants_are({"c_max": [[int(i == j) for j in range(check.m)] for i in range(check.m)]})
    TriangleCheck(check).run()


class TriangleCheck:
    """The check of the triangle inequality of d = c_max − M over the joint cells of three labelings."""

    def __init__(self, check: Check) -> None:
        self.check, self.m = check, check.m
        self.pair = check.reading()
        self.places = list(product(range(self.m), repeat=3))
        self.ring = Ground(("t" + text_of(x) for x in self.places), check.deadline)

    def run(self) -> None:
        """Check every case of the triangle inequality that the certificate must have."""
        check, m = self.check, self.m
        diagonal = {
            (text_of(x),)
            for x in product((0, 1), repeat=m * m)
            if check.admits(x) and is_extreme(text_of(x), kinds.DIAGONAL, m)
        }
        top = constant(self.pair, diagonal)
        full, joint_supports = "1" * m**3, self._joint() if m == 2 else {}
        # If every support has a proof of its own, no limit is taken, and counts may be taken as whole numbers.
        limit = {x.get("joint") for x in check.certificate.cases} != set(joint_supports)
        expected = {(x,) for x in joint_supports}
        if limit:
            odd = self._odd()
            demand(m == 2 or not odd, "there are too many joint supports")
            expected = {(full,)} | {(x,) for x, shapes in joint_supports.items() if odd.intersection(shapes)}
        for (joint,), node in cases_of(check, expected, "joint").items():
            if node["by"] == "gram of pairs":
                demand(joint == full and limit, "the Gram determinant is for the full support")
                self._gram_of_pairs(node, top)
                continue
            values = [self.pair.value(self.cells([int(x) for x in joint], side), self.ring) for side in _SIDES]
            if not check.skipped(node, *values):
                self._triangle(node, values, top, whole=joint != full or not limit)

    def _joint(self) -> dict[str, list[str]]:
        """Return every support of the joint cells whose three matrices lie in the domain, with the three supports."""
        found = {}
        for support in product((0, 1), repeat=self.m**3):
            shapes = [text_of(int(not p.is_zero()) for p in self.cells(support, side)) for side in _SIDES]
            if all(self.check.admits([int(y) for y in x]) for x in shapes):
                found[text_of(support)] = shapes
        return found

    def _odd(self) -> set[str]:
        """Return supports of the domain on which the measure may differ from the limit of its full formula.

        For two classes these are all of them; for more, where none is accepted, one of those that are alike.
        """
        m, odd = self.m, set()
        value = self.pair.value(self.pair.cells("1" * m * m, []))
        demand(value is not UNDEFINED, "the measure is undefined where all cells are positive")
        supports = [text_of(x) for x in product((0, 1), repeat=m * m) if self.check.admits(x)]
        for support in within(self.check, "1" * m * m, supports):
            try:
                check_formula(self.pair, value, "1" * m * m, support)
            except (CertificateError, Refused):
                odd.add(support)
        return odd

    def cells(self, support: Iterable[int], side: tuple[int, int]) -> list[Poly]:
        """Return the confusion matrix of two of the three labelings as sums of joint cells."""
        cells = [self.ring.constant(0)] * (self.m**2)
        for g, present, labels in zip(self.ring.gens, support, self.places, strict=True):
            if present:
                k = labels[side[0]] * self.m + labels[side[1]]
                cells[k] = cells[k] + g
        return cells

    def _triangle(self, node: CertificateNode, values: list[Outcome], top: Outcome, *, whole: bool) -> None:
        """Check the triangle inequality in one case, directly or by the Gram determinant of three cosines."""
        if node["by"] != "gram":
            best = top.number
            demand(best is not None, "the best value is not rational")
            ab, bc, ac = values
            check_positive(node, (ac - ab) + (best - bc), strict=False, whole=whole)
            return
        demand((self._cosine(top, node["map"]) - 1).is_zero, "equal labelings are not at distance 0")
        ab, bc, ac = (self._cosine(x, node["map"]) for x in values)
        gram = 1 + 2 * ab * bc * ac - ab * ab - bc * bc - ac * ac
        check_positive(node["proof"], gram, strict=False, whole=whole)
        for bound, x in zip(node["bounds"], (ab, bc, ac), strict=True):
            check_positive(bound, 1 - x * x, strict=False, whole=whole)

    def _gram_of_pairs(self, node: CertificateNode, top: Outcome) -> None:
        """Check the Gram determinant of a correlation without forming quotients in the m³ joint cells.

        For two labelings X and Y the cosine must be N_XY/(h·√(V_X·V_Y)), where V_X depends on one labeling only. The
        latter is checked by comparing the factors under the root between the three pairs. Times the positive number
        h³·V_A·V_B·V_C, the Gram determinant is h³·V_A·V_B·V_C + 2·N_AB·N_BC·N_AC − h·(V_C·N_AB² + V_A·N_BC² +
        V_B·N_AC²), a polynomial in the joint cells, which must not have a negative coefficient.
        """
        demand((self._cosine(top, node["map"]) - 1).is_zero, "equal labelings are not at distance 0")
        x = self._cosine(self.pair.value(self.pair.cells("1" * self.m**2, [])), node["map"])
        check_positive(node["bound"], 1 - x * x, strict=False, whole=False)
        found = [self.pair.ring.atoms[k] for k in x.atoms]
        fits = len(found) == 2 and all(isinstance(y, Root) and y.degree == 2 and not y.inner.atoms for y in found)
        demand(fits, "the correlation is not N/(h√(V·W))")
        roots = [y.inner.num for y in found]  # type: ignore[attr-defined] # they are roots
        over = x / (found[0].itself * found[1].itself) * self.pair.ring.value(roots[0] * roots[1])  # type: ignore[attr-defined]
        demand(not over.atoms and over.den.is_constant(), "the correlation is not N/(h√(V·W))")
        top_n, h = over.num, int(over.den.leading_coefficient())
        none, context = self.ring.constant(0), self.ring.context
        pad = [none] * (len(self.pair.gens) - self.m**2)
        place = {side: self.cells([1] * self.m**3, side) + pad for side in _SIDES}
        ab, bc, ac = (top_n.compose(*place[side], ctx=context) for side in _SIDES)
        for v, w in (roots, roots[::-1]):
            a, b, c = (f.compose(*place[side], ctx=context) for f, side in ((v, (0, 1)), (v, (1, 2)), (w, (0, 2))))
            if all(
                f.compose(*place[side], ctx=context) == g
                for f, side, g in ((v, (0, 2), a), (w, (0, 1), b), (w, (1, 2), c))
            ):
                gram = h**3 * a * b * c + 2 * ab * bc * ac - h * (c * ab**2 + a * bc**2 + b * ac**2)
                demand(len(gram) == node["terms"], "the Gram determinant is another polynomial")
                demand(all(k > 0 for k in gram.coeffs()), "the Gram determinant has a negative coefficient")
                return
        raise CertificateError("the roots of the three pairs have nothing in common")

    def _cosine(self, value: Outcome, kind: str) -> Outcome:
        """Return the x for which c_max − M is a positive multiple of arccos x, or the chord √(2(1 − x)); c_max is 0."""
        if kind == "arccos":
            scale, inner = as_angle(value)
            demand(scale.signs() == DOWN, "the distance falls with the angle")
            return inner
        demand(kind == "chord" and value.signs() <= NOT_UP, "the distance is no chord")
        return 1 - value * value / 2
