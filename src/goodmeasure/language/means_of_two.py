"""Means of two positive numbers that need a logarithm, an arc sine or a root: formulas, and why they are means.

Each mean M(u, v) below is, for all u, v > 0,

1. symmetric, homogeneous of degree 1 (M(tu, tv) = t·M(u, v)), and M(u, u) = u;
2. differentiable, also where u = v;
3. strictly increasing in u and in v, with positive slopes.

From 1 and 3: where u < v, u = M(u, u) < M(u, v) < M(v, v) = v, so M lies strictly between u and v. These are all facts
that proofs use (`theory/kernel/means.py`). Why they hold:

* *Integral means.* Let f be continuously differentiable with f′ > 0 or f′ < 0 throughout, and let f(M) be the average
  of f(tu + (1 − t)v) over t in (0, 1). Exchanging u and v exchanges t and 1 − t, so M is symmetric. Differentiating
  under the integral sign, f′(M)·∂M/∂u is the average of t·f′(tu + (1 − t)v), which has the sign of f′; so the slope
  exists and is positive. At u = v the average is of f(u) alone, so M(u, u) = u. M is homogeneous if f is a power or a
  logarithm, since a factor s becomes a factor of f, or a summand. *Logarithmic*: f(x) = 1/x, because the average of
  1/(tu + (1 − t)v) is (log v − log u)/(v − u). *Identric*: f = log, because ∫ log = x·log x − x. *Stolarsky* with a
  whole number p ≥ 2: f(x) = x^(p−1), whose average is (v^p − u^p)/(p(v − u)) = Σ u^k·v^(p−1−k)/p.
* *Means (v − u)/2g(z)* with z = (v − u)/(v + u), where g is odd, differentiable, g(0) = 0, g′(0) = 1 and g(z) > 0 for
  z > 0: symmetric because numerator and denominator both change their sign; homogeneous because z has degree 0; and
  since v − u = z(u + v), M = ((u + v)/2)·h(z) with h(z) = z/g(z), h(0) = 1. Both g are analytic, so h is (the zero
  cancels), and M is differentiable at u = v as well. With (u + v)/2 = s, ∂z/∂v = (1 − z)/2s and ∂z/∂u = −(1 + z)/2s,
  so 2·∂M/∂v = h + (1 − z)·h′ and 2·∂M/∂u = h − (1 + z)·h′; the second is the first at −z, because h is even. So both
  are positive if g²·(h + (1 − z)h′) = g − z(1 − z)·g′ is positive for 0 < |z| < 1 (at z = 0 both slopes are 1/2); for
  z = −y < 0 this says g(y) < y(1 + y)·g′(y). *Seiffert*: g = arcsin, g′ = 1/√(1 − z²). For z > 0:
  z(1 − z)/√(1 − z²) = z·√((1 − z)/(1 + z)) < z ≤ arcsin z. For z = −y < 0: arcsin y ≤ y/√(1 − y²) < y(1 + y)/√(1 − y²)
  (for the first, put y = sin φ: φ ≤ tan φ). *Neuman–Sándor*: g = arcsinh, g′ = 1/√(1 + z²). For z > 0:
  z(1 − z)/√(1 + z²) < z/√(1 + z²) ≤ arcsinh z (both sides are 0 at 0, and the right one has the larger slope
  (1 + z²)^(−1/2) ≥ (1 + z²)^(−3/2)). For z = −y < 0: arcsinh y ≤ y < y(1 + y)/√(1 + y²), as (1 + y)² > 1 + y².
* *Heronian*: (u + √(uv) + v)/3 is a sum of increasing terms.

The formulas divide by v − u, so equal numbers are a case of their own, in which every mean is that number.
"""

from __future__ import annotations

from fractions import Fraction
from functools import reduce
from operator import add
from typing import TYPE_CHECKING, Protocol

from goodmeasure.exceptions import InputError

if TYPE_CHECKING:
    from goodmeasure.language.view import K, V, View


class _Reciprocal(Protocol):
    def __call__(self, c: View[V, K], u: V, v: V, /) -> V: ...


def _logarithmic(c: View[V, K], u: V, v: V) -> V:
    return c.ratio(c.log1p(c.ratio(v - u, u)), v - u)


def _identric(c: View[V, K], u: V, v: V) -> V:
    growth = c.ratio(v, v - u) * c.log1p(c.ratio(v - u, u))
    return c.ratio(c.exp(1 - growth), u)


def _seiffert(c: View[V, K], u: V, v: V) -> V:
    return c.ratio(2 * c.arcsin(c.ratio(v - u, v + u)), v - u)


def _neuman_sandor(c: View[V, K], u: V, v: V) -> V:
    z = c.ratio(v - u, v + u)
    return c.ratio(2 * c.log1p(z + c.ratio(z * z, 1 + c.sqrt(1 + z * z))), v - u)


# The reciprocal 1/M(u, v) for 0 < u < v.
_RECIPROCALS: dict[str, _Reciprocal] = {
    "logarithmic": _logarithmic,
    "identric": _identric,
    "seiffert": _seiffert,
    "neuman_sandor": _neuman_sandor,
}
KNOWN = (*_RECIPROCALS, "heronian", "stolarsky")


def over_mean(c: View[V, K], x: V | float, u: V | float, v: V | float, mean: str, p: int | None) -> V:
    """Return x/M(u, v) for two positive values, in the words of the language of ``c``."""
    if mean == "heronian":
        return c.ratio(x, c.ratio(u + c.sqrt(u * v) + v, 3))
    if mean == "stolarsky":
        assert p is not None
        powers = reduce(add, (u**k * v ** (p - 1 - k) for k in range(1, p)), v ** (p - 1))
        return c.ratio(x, c.power(c.ratio(powers, p), Fraction(1, p - 1)))
    reciprocal = _RECIPROCALS[mean]
    return c.where(u == v, lambda: c.ratio(x, u), lambda: x * reciprocal(c, c.min(u, v), c.max(u, v)))


def label(mean: str, p: int | None = None) -> str:
    """Return the name of a mean as proofs write it, after refusing names and parameters that are not known.

    >>> label("stolarsky", 3)
    'stolarsky 3'
    """
    if mean not in KNOWN:
        raise InputError(
            "{mean!r} is not the name of a mean of two numbers",
            mean=mean,
            known=", ".join(KNOWN),
            expected="one of {known}",
        )
    if (p is not None) != (mean == "stolarsky") or (p is not None and (not isinstance(p, int) or p < 2)):
        raise InputError(
            "the stolarsky mean takes a whole number p of at least 2, and no other mean takes one", argument="p", got=p
        )
    return mean if p is None else f"{mean} {p}"
