"""goesgens2021: sentiment analysis on SST-5 (Table 6)."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import numpy as np

from goodmeasure.catalogue.literature import tables as printed_tables
from goodmeasure.catalogue.measure import as_measure
from goodmeasure.comparison.which_is_better import direction
from goodmeasure.papers.goesgens2021 import MULTICLASS
from goodmeasure.papers.paper_tables import PrintedCell, Recomputed, in_folder, table
from goodmeasure.typing import Array

_HALF = 0.005  # half of the last decimal of the published shares
_WHY = "probably BERT, SVM, FastText (0.2435, 0.2434, 0.2413): the shares have two decimals, which cannot decide"


def read(data: Path) -> dict[str, Array]:
    """Return the counts of each system: shares of two decimals times class sizes, rounded as in the authors' code."""
    (path,) = in_folder(data, "sst", "real_sent.tsv")[:1]
    head, *blocks = path.read_text(encoding="utf-8").split("*Normalized Confusion Matrix: ")
    sizes = [int(x) for x in head.split()]
    found = {}
    for block in blocks:
        name, *lines = block.strip().splitlines()
        shares = np.array([[float(x) for x in line.split()] for line in lines])
        # rows run from the highest class down, columns from the lowest up
        found[name.strip()] = np.rint(shares[::-1] * np.array(sizes)[:, None]).astype(np.int64)
    return found


@table("goesgens2021:table6", "ranks of seven systems on SST-5", "sst/real_sent.tsv")
def table_6(data: Path) -> Recomputed:
    """Recompute the rank of each system by each measure."""
    printed = printed_tables()["goesgens2021:table6"]
    counts = {_plain(name): x for name, x in read(data).items()}
    systems = [x for x in printed if x not in ("desc", "columns")]
    cells = []
    for k, column in enumerate(printed["columns"]):
        f = as_measure(MULTICLASS[column])
        values = {x: direction(f) * float(f(counts[_plain(x)])) for x in systems}
        order = sorted(systems, key=lambda x, v=values: -v[x])  # type: ignore[misc]
        ranks = {x: int(printed[x][k]) for x in systems}
        why = _WHY if column == "kappa" and _undecided(order, ranks, counts) else ""
        for system in systems:
            ours, shown = order.index(system) + 1, ranks[system]
            cells.append(
                PrintedCell(system, column, str(shown), str(ours), ours == shown, "" if ours == shown else why)
            )
    return Recomputed(
        cells, ["F1, J and GM1 are macro averages; counts are the published shares times the class sizes, rounded."]
    )


def _undecided(order: list[str], printed: dict[str, int], counts: dict[str, Array]) -> bool:
    """Return whether the published shares leave open the order of all systems that are printed in another order."""
    swapped = [
        (x, y) for x, y in combinations(order, 2)
        if printed[x] > printed[y]
    ]  # fmt: skip
    ends = {x: kappa_ends(counts[_plain(x)]) for pair in swapped for x in pair}
    return bool(swapped) and all(ends[x][0] <= ends[y][1] for x, y in swapped)


def kappa_ends(counts: Array) -> tuple[float, float]:
    """Return a low and a high kappa that the published shares allow: each may be off by half a hundredth.

    Half a hundredth of each class moves from the diagonal to the most frequent error, or back.
    """
    shares = counts / counts.sum(axis=1, keepdims=True)
    errors = np.where(np.eye(len(shares), dtype=bool), -1.0, shares).argmax(axis=1)
    found = []
    for step in (-_HALF, _HALF):
        moved = shares.copy()
        moved[np.arange(len(shares)), np.arange(len(shares))] += step
        moved[np.arange(len(shares)), errors] -= step
        found.append(float(as_measure("kappa")(np.clip(moved, 0, None) * counts.sum(axis=1, keepdims=True))))
    return found[0], found[1]


def _plain(name: str) -> str:
    return name.lower().replace(" ", "")
