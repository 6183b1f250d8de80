"""How many items were measured."""

from __future__ import annotations

from goodmeasure.evaluation.result import Result
from goodmeasure.evaluation.scoring import SystemScores
from goodmeasure.report.numbers import count_text, many


def wholes(result: Result) -> list[SystemScores]:
    """Return each system's part on all items, without slices."""
    return [part for part in result.parts if part.slice is None]


def items_of(part: SystemScores) -> float:
    """Return how many items there are; the sum of counts where only a matrix of fractions is known."""
    known = part.sample.item_count
    return float(part.matrix.n) if known is None else known


def item_numbers(result: Result) -> str:
    """Return how many items were measured, as a number; the fewest and the most where systems differ."""
    low, high = _fewest_and_most(result)
    return count_text(low) if low == high else f"{count_text(low)} to {count_text(high)}"


def is_one_item(result: Result) -> bool:
    """Return whether each system was measured on a single item."""
    return _fewest_and_most(result) == (1, 1)


def items_text(result: Result) -> str:
    """Return how many items were measured; the fewest and the most where systems differ."""
    low, high = _fewest_and_most(result)
    said = many(low, "item") if low == high else f"{count_text(low)} to {many(high, 'item')}"
    return said if result.part().sample.judged is None else f"{said} with a human label{more_judged(result)}"


def more_judged(result: Result) -> str:
    """Return how many more items only a judge has labelled, as the end of a phrase."""
    data = result.part().sample.judged
    if data is None:
        return ""
    more = float((data.weight**2 / data.squares)[~data.labelled].sum())
    return f" and {count_text(round(more))} more judged"


def _fewest_and_most(result: Result) -> tuple[float, float]:
    sizes = [items_of(part) for part in wholes(result)]
    return min(sizes), max(sizes)


def is_weighted(part: SystemScores) -> bool:
    """Return whether the counts are sums of weights."""
    return part.sample.items is not None
