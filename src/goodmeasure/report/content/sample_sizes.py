"""How many items were measured."""

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
