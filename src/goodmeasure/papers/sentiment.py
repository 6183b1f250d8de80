"""goesgens2021: sentiment analysis on SST-5 (Table 6)."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from goodmeasure.catalogue.literature import tables as printed_tables
from goodmeasure.catalogue.names import measure
from goodmeasure.comparison.which_is_better import direction
from goodmeasure.papers.goesgens2021 import MULTICLASS
from goodmeasure.papers.registry import Cell, Outcome, in_folder, table
from goodmeasure.typing import Array

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
def table_6(data: Path) -> Outcome:
    """Recompute the rank of each system by each measure."""
    printed = printed_tables()["goesgens2021:table6"]
    counts = {_plain(name): x for name, x in read(data).items()}
    systems = [x for x in printed if x not in ("desc", "columns")]
    cells = []
    for k, column in enumerate(printed["columns"]):
        f = measure(MULTICLASS[column])
        values = {x: direction(f) * float(f(counts[_plain(x)])) for x in systems}
        order = sorted(systems, key=lambda x, v=values: -v[x])  # type: ignore[misc]
        for system in systems:
            ours, shown = order.index(system) + 1, int(printed[system][k])
            why = _WHY if column == "kappa" and ours != shown else ""
            cells.append(Cell(system, column, str(shown), str(ours), ours == shown, why))
    return Outcome(
        cells, ["F1, J and GM1 are macro averages; counts are the published shares times the class sizes, rounded."]
    )


def _plain(name: str) -> str:
    return name.lower().replace(" ", "")
