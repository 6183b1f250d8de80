"""Numbers, and lists of names, as readers want them."""

from __future__ import annotations

import math

from goodmeasure.typing import Amount

UNDEFINED = "undefined"
_NO_CHANCE = 1e-4
_SIGNIFICANT = 4


def value_text(x: float) -> str:
    """Return a measure's value in words: three decimals, or four significant digits if it is large.

    >>> value_text(0.89312), value_text(1234.56), value_text(float("nan")), value_text(-0.00001)
    ('0.893', '1235', 'undefined', '−0.00001')
    """
    if math.isnan(x):
        return UNDEFINED
    if math.isinf(x):
        return "∞" if x > 0 else "−∞"
    if x == 0 or 0.0005 <= abs(x) < 100:
        text = f"{x + 0.0:.3f}"  # adding 0.0 turns −0.0 into 0.0
    elif abs(x) >= 100:
        text = f"{x:.{_SIGNIFICANT}g}" if abs(x) < 1e6 else f"{x:.3e}"
    else:
        text = f"{x:.1g}" if abs(x) >= 1e-5 else f"{x:.0e}"
        text = f"{x:.5f}".rstrip("0") if "e" in text and abs(x) >= 1e-5 else text
    return text.replace("-", "−") if text.startswith("-") else text


def interval_text(low: float | None, high: float | None) -> str:
    """Return the two ends of an interval in words, or an empty text if there is no interval.

    >>> interval_text(0.25, 0.5), interval_text(float("nan"), 0.5), interval_text(None, None)
    ('0.250 to 0.500', '', '')
    """
    if low is None or high is None or math.isnan(low) or math.isnan(high):
        return ""
    return f"{value_text(low)} to {value_text(high)}"


def chance_text(level: float) -> str:
    """Return a chance level in words; one that is almost 0 is shown as 0.

    >>> chance_text(-9e-06), chance_text(0.0004), chance_text(float("nan"))
    ('0.000', '0.0004', '–')
    """
    return "–" if math.isnan(level) else value_text(0.0 if abs(level) < _NO_CHANCE else level)


def count_text(x: Amount) -> str:
    """Return a count of items, or a sum of weights, in words.

    >>> count_text(1234), count_text(0.12345), count_text(123456.7)
    ('1,234', '0.1235', '123,457')
    """
    number = float(x)
    if number.is_integer() and abs(number) < 1e18:
        return f"{int(x):,}"
    return f"{number:,.0f}" if 1e4 <= abs(number) < 1e18 else f"{number:,.4g}"


def share_text(share: float, *, column: bool = False) -> str:
    """Return a share in per cent; whole numbers have a decimal only in a `column` below others.

    >>> share_text(0.5), share_text(0.0004), share_text(0), share_text(0.99998), share_text(0.5, column=True)
    ('50%', '0.04%', '0%', '99.998%', '50.0%')
    """
    if math.isnan(share):
        return UNDEFINED
    per_cent = round(100 * share, 9)
    if per_cent == round(per_cent) and (not column or per_cent in (0, 100)):
        return f"{per_cent:.0f}%"
    digits = 1 if abs(per_cent) >= 0.95 else 2
    while digits < 9 and round(per_cent, digits) in (0, 100):  # as many as are needed to differ from 0% and 100%
        digits += 1
    return f"{per_cent:.{digits}f}%"


def level_text(confidence: float) -> str:
    """Return a confidence level in per cent, with all digits that were asked for.

    >>> level_text(0.95), level_text(0.9995)
    ('95%', '99.95%')
    """
    return f"{100 * confidence:.12g}%"


def many(number: Amount, one: str, more: str = "") -> str:
    """Return a number with its noun in the singular or plural.

    >>> many(1, "item"), many(2000, "class", "classes")
    ('1 item', '2,000 classes')
    """
    return f"{count_text(number)} {one if number == 1 else more or one + 's'}"


def label_text(label: object) -> str:
    """Return a class as a reader sees it.

    >>> label_text(None), label_text(""), label_text(3)
    ('(missing)', '(empty)', '3')
    """
    return "(missing)" if label is None else str(label) or "(empty)"


def group_text(group: object) -> str:
    """Return a system, or a group of items, as a reader sees it."""
    if group is None:
        return "all items"
    return ", ".join(map(label_text, group)) if isinstance(group, tuple) else label_text(group)
