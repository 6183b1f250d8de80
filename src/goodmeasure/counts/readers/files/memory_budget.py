"""How much memory labels take, compared with the limit: DuckDB can use the disk, but labels end up in memory."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from goodmeasure.exceptions import InputError
from goodmeasure.typing import Frame

if TYPE_CHECKING:
    from duckdb import DuckDBPyRelation

TIMES = 3  # how often the text of labels is in memory: in DuckDB, in transfer, and here
SAMPLED = 0.01  # the share of rows that is looked at first
SHORTFALL = 2  # DuckDB samples blocks of rows, so that a sample may have only half of the intended size
ENOUGH_SAMPLED = 10_000  # rows: a smaller sample says little, and a small file is read quickly
SCORED = 100  # bytes that an item with its scores takes where all are in memory
_UNITS = {"b": 0, "k": 1, "m": 2, "g": 3, "t": 4}


def as_bytes(limit: str) -> int | None:
    """Return a size such as "200MB" or "1.5 GiB" in bytes; None if it is not such a size.

    >>> as_bytes("200MB"), as_bytes("1.5 GiB"), as_bytes("80%")
    (200000000, 1610612736, None)
    """
    found = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*([bkmgt])(i?)(?:b|yte|ytes)?\s*", limit, re.IGNORECASE)
    if found is None:
        return None
    return int(float(found[1]) * (1024 if found[3] else 1000) ** _UNITS[found[2].lower()])


def check_labels_fit(relation: DuckDBPyRelation, systems: Sequence[str], shared: Sequence[str], limit: str) -> None:
    """Refuse labels that would take more memory than the limit while they are counted.

    `shared` are the columns that the rows of every system have: true labels, slices, groups. First a small sample of
    the rows is looked at: each different row gets into it with a probability of at least `SAMPLED`, so that the
    expected number of different rows in the sample is at least this share of all of them. Only where this bound
    exceeds the limit are all rows looked at, in one pass that needs hardly any memory.
    """
    allowed = as_bytes(limit)
    if allowed is None:
        return
    sampled: Frame = relation.query("labels", f"FROM labels USING SAMPLE {100 * SAMPLED} PERCENT (system)")
    rows, text = _different_text(sampled, systems, shared)
    if rows >= ENOUGH_SAMPLED and SHORTFALL * TIMES * text / SAMPLED <= allowed:
        return
    _, text = _different_text(relation, systems, shared)
    if TIMES * text > allowed:
        raise InputError(
            "{memory_limit} is {got!r}, and counting different labels of {text:,.0f} MB takes about {needed:,.0f} MB",
            got=limit,
            text=text / 1e6,
            needed=TIMES * text / 1e6,
            advice="allow more, or count columns with fewer or shorter labels",
        )


def check_scores_fit(items: int, limit: str) -> None:
    """Refuse scores that have to be in memory all at once and would take more of it than the limit."""
    allowed = as_bytes(limit)
    if allowed is not None and items * SCORED > allowed:
        raise InputError(
            "{memory_limit} is {got!r}, and {items:,} items take about {needed:,.0f} MB", got=limit, items=items,
            needed=items * SCORED / 1e6,
            advice="allow more, or use one column of scores for each system and measures of scores, which is done in "
            "batches; groups of items, slices of a comparison, and a column for each class need all items at once",
        )  # fmt: skip


def _different_text(relation: DuckDBPyRelation, systems: Sequence[str], shared: Sequence[str]) -> tuple[int, float]:
    """Return how many rows there are, and how long the text of all different rows of the systems is, by estimate."""
    places = {name: f"#{k}" for k, name in enumerate(relation.columns, 1)}
    types = dict(zip(relation.columns, relation.types, strict=True))
    asked = ["count(*)"]
    for name in systems:
        keys = [*shared, name]
        lengths = [f"coalesce(strlen({places[x]}), 0)" for x in keys if types[x].id == "varchar"]
        asked.append(f"approx_count_distinct(hash({', '.join(places[x] for x in keys)}))")
        asked.append(f"avg({' + '.join(['0', *lengths])})")
    rows, *found = relation.aggregate(", ".join(asked)).fetchall()[0]
    return rows, float(sum(each * (length or 0) for each, length in zip(found[::2], found[1::2], strict=True)))
