"""Two numbers with enough digits to see that they differ."""

from __future__ import annotations


def told_apart(x: float, y: float) -> tuple[str, str]:
    """Return two numbers with three digits, or with as many as it takes to see which is larger.

    >>> told_apart(0.9, 0.5), told_apart(0.989, 0.98894), told_apart(0.5, 0.5)
    (('0.9', '0.5'), ('0.9890', '0.9889'), ('0.5', '0.5'))
    """
    digits = next((k for k in range(3, 17) if f"{x:.{k}g}" != f"{y:.{k}g}"), 3)
    form = f".{digits}g" if digits == 3 else f"#.{digits}g"  # with more digits, both have as many
    return format(x, form), format(y, form)
