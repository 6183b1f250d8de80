"""How many items were measured, and whether they are the same for every system."""

from __future__ import annotations

from typing import Any

from goodmeasure.evaluation.result import Result
from goodmeasure.evaluation.scoring import Part
from goodmeasure.report.numbers import count_text, many


def wholes(result: Result) -> list[Part]:
    """The systems on all items."""
    return [part for part in result.parts if part.slice is None]


def items_of(part: Part) -> Any:
    """How many items there are; their sum where a matrix of fractions is all that is known."""
    known = part.sample.item_count
    return part.matrix.n if known is None else known


def items_text(result: Result) -> str:
    """How many items were measured; the fewest and the most where systems differ."""
    sizes = [items_of(part) for part in wholes(result)]
    low, high = min(sizes), max(sizes)
    return many(low, "item") if low == high else f"{count_text(low)} to {many(high, 'item')}"


def is_weighted(part: Part) -> bool:
    """Whether counts are sums of weights."""
    return part.sample.items is not None


def same_truth(result: Result) -> bool:
    """Whether every system was measured on the same true classes."""
    parts = wholes(result)
    seen = {
        tuple(sorted((repr(x), float(a)) for x, a in zip(p.matrix.labels, p.matrix.a, strict=True) if a > 0))
        for p in parts
    }
    return len(seen) == 1


def different_items(result: Result) -> list[str]:
    """The warning that systems were measured on different items, where they were."""
    parts, dropped = wholes(result), result.counted.dropped
    if len(parts) < 2 or not (len(set(dropped.values())) > 1 or (any(dropped.values()) and not same_truth(result))):
        return []
    said = ", ".join(f"{part.system} on {count_text(items_of(part))}" for part in parts[:4])
    more = f" and {len(parts) - 4} more" if len(parts) > 4 else ""
    return [
        f"the systems are measured on different items ({said}{more}), as those without a label are left out: "
        "a difference between them may be one between items"
    ]
