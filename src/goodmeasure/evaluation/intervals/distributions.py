"""Quantiles of the beta distribution and of Student's t, without SciPy, which is not needed to install goodmeasure.

The distribution function of Beta(a, b) is the regularised incomplete beta function I_x(a, b). It is summed as the
continued fraction of DLMF 8.17.22, which converges fast for x < (a + 1)/(a + b + 2); for larger x, the symmetry
I_x(a, b) = 1 − I_{1−x}(b, a) leads back to that case. Tests compare everything with SciPy.
"""

from __future__ import annotations

import math
from functools import lru_cache

_TERMS = 100_000  # some √(a + b) of them are enough
_ROUNDS = 200
_TINY = 1e-300


def beta_distribution(x: float, a: float, b: float) -> float:
    """Return the probability that a variable with distribution Beta(a, b) is at most x.

    >>> round(beta_distribution(0.25, 1, 2), 10)
    0.4375
    """
    if not 0 < x < 1:
        return float(x >= 1)
    turned = x > (a + 1) / (a + b + 2)
    if turned:
        x, a, b = 1 - x, b, a
    front = math.exp(_log_density(x, a, b) - math.log(a))
    found = min(1.0, front * _fraction(x, a, b))
    return 1 - found if turned else found


def _log_density(x: float, a: float, b: float) -> float:
    """Return the logarithm of x^a (1 − x)^b / B(a, b), the density on the scale of log-odds."""
    scale = math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b)
    return scale + a * math.log(x) + b * math.log1p(-x)


def _fraction(x: float, a: float, b: float) -> float:
    """Return the continued fraction of I_x(a, b) by the modified method of Lentz."""
    c, d = 1.0, 1 / (1 - (a + b) * x / (a + 1) or _TINY)
    found = d
    for k in range(1, _TERMS):
        even = k * (b - k) * x / ((a + 2 * k - 1) * (a + 2 * k))
        odd = -(a + k) * (a + b + k) * x / ((a + 2 * k) * (a + 2 * k + 1))
        d = 1 / (1 + even * d or _TINY)
        c = 1 + even / c or _TINY
        found *= c * d
        d = 1 / (1 + odd * d or _TINY)
        c = 1 + odd / c or _TINY
        found *= c * d
        if abs(c * d - 1) < 1e-15:
            break
    return found


@lru_cache(maxsize=1 << 16)
def beta_quantile(p: float, a: float, b: float) -> float:
    """Return the value that a variable with distribution Beta(a, b) is below with probability p.

    Newton's method on the scale of log-odds, where both tails are nearly straight; a step that leaves the interval in
    which the quantile is known to lie is replaced by halving that interval.

    >>> round(beta_quantile(0.4375, 1, 2), 10)
    0.25
    """
    p, a, b = float(p), float(a), float(b)  # NumPy's floats would warn where these overflow
    if p <= 0 or p >= 1:
        return float(p >= 1)
    low, high, at = -740.0, 740.0, math.log(a / b)
    for _ in range(_ROUNDS):
        gap = _gap(at, p, a, b)
        low, high = (at, high) if gap < 0 else (low, at)
        density = math.exp(min(700.0, _log_density_at(at, a, b)))
        step = at - gap / density if density > 1e-300 else math.inf
        step = step if low < step < high else (low + high) / 2
        if abs(step - at) <= 1e-13 * max(1.0, abs(at)):
            break
        at = step
    return _share(at)


def _share(odds: float) -> float:
    """Return the share x whose log-odds, log(x/(1 − x)), are given."""
    return 1 / (1 + math.exp(-odds)) if odds > 0 else math.exp(odds) / (1 + math.exp(odds))


def _gap(at: float, p: float, a: float, b: float) -> float:
    """Return the distribution function at some log-odds less p; from the upper tail where that is the smaller one."""
    if at > 0:
        return (1 - p) - beta_distribution(_share(-at), b, a)
    return beta_distribution(_share(at), a, b) - p


def _log_density_at(at: float, a: float, b: float) -> float:
    return _log_density(_share(-at), b, a) if at > 0 else _log_density(_share(at), a, b)


@lru_cache(maxsize=1 << 12)
def students_quantile(p: float, freedom: float) -> float:
    """Return the quantile of Student's t with these degrees of freedom, which need not be whole.

    If T has this distribution, T²/(ν + T²) has the distribution Beta(1/2, ν/2), and both tails of T are alike.

    >>> round(students_quantile(0.975, 1), 4), round(students_quantile(0.975, 30), 4)
    (12.7062, 2.0423)
    """
    if p == 0.5:
        return 0.0
    rest = beta_quantile(2 * min(p, 1 - p), freedom / 2, 0.5)  # of ν/(ν + T²)
    distance = math.sqrt(freedom * (1 - rest) / rest)
    return distance if p > 0.5 else -distance


def students_tails(t: float, freedom: float) -> float:
    """Return the probability that Student's t with these degrees of freedom is at least as far from 0 as t.

    >>> round(students_tails(2.0423, 30), 4)
    0.05
    """
    return beta_distribution(freedom / (freedom + t * t), freedom / 2, 0.5)
