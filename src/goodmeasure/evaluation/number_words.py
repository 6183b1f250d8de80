"""Numbers as text: p-values, and two numbers with enough digits to show that they differ."""

from __future__ import annotations

import math

_SHOWN = 0.0001  # smaller p-values are not written out


def texts_that_differ(x: float, y: float) -> tuple[str, str]:
    """Return two numbers with three digits, or with as many as it takes to see which is larger.

    >>> texts_that_differ(0.9, 0.5), texts_that_differ(0.989, 0.98894), texts_that_differ(0.5, 0.5)
    (('0.9', '0.5'), ('0.9890', '0.9889'), ('0.5', '0.5'))
    """
    digits = next((k for k in range(3, 17) if f"{x:.{k}g}" != f"{y:.{k}g}"), 3)
    form = f".{digits}g" if digits == 3 else f"#.{digits}g"  # with more digits, trailing zeros are kept
    return format(x, form), format(y, form)


def p_text(p: float) -> str:
    """Return a p-value as text.

    >>> p_text(0.5), p_text(0.00321), p_text(1e-9), p_text(float("nan"))
    ('0.500', '0.0032', '< 0.0001', '–')
    """
    return "–" if math.isnan(p) else f"< {_SHOWN}" if p < _SHOWN else f"{p:.4f}" if p < 0.01 else f"{p:.3f}"


def p_is(p: float) -> str:
    """Return what follows the letter p in a sentence.

    >>> p_is(0.03), p_is(1e-9)
    ('= 0.030', '< 0.0001')
    """
    return p_text(p) if p < _SHOWN else f"= {p_text(p)}"
