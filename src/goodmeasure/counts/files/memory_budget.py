"""How much memory labels take, compared with the limit: DuckDB can use the disk, but labels end up in memory."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from goodmeasure.exceptions import InputError

TIMES = 3  # how often the text of labels is in memory: in DuckDB, in transfer, and here
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


def check_labels_fit(relation: Any, systems: Sequence[str], shared: Sequence[str], limit: str) -> None:
    """Refuse labels that would take more memory than the limit while they are counted.

    For each system DuckDB estimates how many different rows there are and how long their text is, in one pass that
    needs hardly any memory. `shared` are the columns that the rows of every system have: true labels, slices, groups.
    """
    allowed = as_bytes(limit)
    if allowed is None:
        return
    places = {name: f"#{k}" for k, name in enumerate(relation.columns, 1)}
    types = dict(zip(relation.columns, relation.types, strict=True))
    asked = []
    for name in systems:
        keys = [*shared, name]
        lengths = [f"coalesce(strlen({places[x]}), 0)" for x in keys if types[x].id == "varchar"]
        asked.append(f"approx_count_distinct(hash({', '.join(places[x] for x in keys)}))")
        asked.append(f"avg({' + '.join(['0', *lengths])})")
    found = relation.aggregate(", ".join(asked)).fetchall()[0]
    text = sum(rows * (length or 0) for rows, length in zip(found[::2], found[1::2], strict=True))
    if TIMES * text > allowed:
        raise InputError(
            "{memory_limit} is {got!r}, and counting different labels of {text:,.0f} MB takes about {needed:,.0f} MB",
            got=limit,
            text=text / 1e6,
            needed=TIMES * text / 1e6,
            advice="allow more, or count columns with fewer or shorter labels",
        )
