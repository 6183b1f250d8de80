"""Whether all systems were measured on the same items."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from goodmeasure.evaluation.scoring import Part

_NAMED = 4


def same_truth(parts: Sequence[Part]) -> bool:
    """Whether every system was measured on the same true classes."""
    seen = {
        tuple(sorted((repr(x), float(a)) for x, a in zip(p.matrix.labels, p.matrix.a, strict=True) if a > 0))
        for p in parts
    }
    return len(seen) == 1


def different_items(parts: Sequence[Part], dropped: Mapping[str, int]) -> list[str]:
    """The warning that systems were measured on different items, where they were; `dropped` counts those left out."""
    if len(parts) < 2 or not (len(set(dropped.values())) > 1 or (any(dropped.values()) and not same_truth(parts))):
        return []
    said = ", ".join(f"{part.system} on {part.sample.item_count:,}" for part in parts[:_NAMED])
    more = f" and {len(parts) - _NAMED} more" if len(parts) > _NAMED else ""
    return [
        f"The systems are measured on different items ({said}{more}), as items without a label are left out, so a "
        "difference between the systems may be one between the items."
    ]
