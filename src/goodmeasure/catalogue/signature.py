"""The signature: a line that lets others reproduce a number."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from goodmeasure.counts.matrix import ConfusionMatrix
from goodmeasure.language.policy import Policy
from goodmeasure.typing import Amount

if TYPE_CHECKING:
    from goodmeasure.catalogue.measure import Measure

SEPARATOR = "|"


def signature(measure: Measure, cm: ConfusionMatrix | None, policy: Policy) -> str:
    """Return one line with the measure, classes, positive class, policy for 0/0, n and version."""
    from goodmeasure import __version__

    parts = [measure.name]
    if cm is not None:
        parts.append(f"classes={cm.m}")
        if cm.m == 2 and not measure.class_symmetric:
            parts.append(f"positive={quoted(cm.labels[-1])}")
    elif measure.classes == 2:
        parts += ["classes=2"] if measure.class_symmetric else ["classes=2", "positive=last"]
    parts.append(f"undefined={policy}")
    if cm is not None:
        parts.append(f"n={_count(cm.n)}" if not cm.batch else f"batch={'x'.join(map(str, cm.batch))}")
    parts.append(f"goodmeasure={__version__}")
    return SEPARATOR.join(parts)


def quoted(label: object) -> str:
    """Return a label that cannot break the line: unchanged if it is a plain word or number, otherwise quoted."""
    text = str(label)
    return (
        text
        if text.replace("_", "").replace("-", "").replace(".", "").isalnum() and text.isprintable()
        else repr(label)
    )


def _count(n: Amount) -> str:
    return repr(n) if isinstance(n, float) and not n.is_integer() else str(n if isinstance(n, Fraction) else int(n))
