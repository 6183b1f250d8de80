"""goesgens2021: the rain forecasts (Tables 4, 10 and 11, the matrices of E.1 and Figure 1)."""

from __future__ import annotations

import csv
from collections.abc import Iterable
from pathlib import Path

import numpy as np

from goodmeasure.catalogue.literature import tables as printed_tables
from goodmeasure.catalogue.measure import as_measure
from goodmeasure.comparison.disagreement import disagreement
from goodmeasure.evaluation.thresholds.sweep import sweep
from goodmeasure.exceptions import Given, InputError
from goodmeasure.papers.figures import Curves, PanelLine
from goodmeasure.papers.goesgens2021 import BINARY, rate_cells
from goodmeasure.papers.paper_tables import PrintedCell, Recomputed, in_folder, number, rounds_to, table
from goodmeasure.typing import Array

NEEDS = "meteo/*.tsv (current_thresh, f05_thresh, f15_thresh, thresh_0_6, thresh_0_7, thresh_0_9)"
# In the order of their thresholds, which follows from the numbers of predicted positives; the authors name three.
MODELS = ("f15_thresh", "thresh_0_6", "thresh_0_7", "current_thresh", "thresh_0_9", "f05_thresh")
HORIZONS = {"10min": 0, "2h": 11}
_RULE = "Differences of at most 1e-5 are ties, and a tie agrees with everything: the rule that the tables were made by."


def read(data: Path) -> dict[tuple[str, int], dict[str, Array]]:
    """Return the matrix of each model, by day and horizon."""
    found: dict[tuple[str, int], dict[str, Array]] = {}
    files = {x.stem: x for x in in_folder(data, "meteo", "*thresh*.tsv")}
    for model in MODELS:
        if model not in files:
            raise InputError(
                "{where} has no {model}.tsv", where=Given("data", str(data)), got=data, model=model, needs=NEEDS,
                advice="it needs {needs}",
            )  # fmt: skip
        with files[model].open(encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file, delimiter="\t"):
                cells = {k: [int(x) for x in row[k].split(",")] for k in ("tn", "fp", "fn", "tp")}
                for horizon, (tn, fp, fn, tp) in enumerate(zip(*cells.values(), strict=True)):
                    found.setdefault((row["utc_date"], horizon), {})[model] = np.array([[tn, fp], [fn, tp]])
    return found


def rates(data: Path, key: str, horizons: Iterable[int]) -> Recomputed:
    """Recompute a table of inconsistency rates over all days and some horizons.

    The cells follow the rule that the printed tables were made by; a note says how many differ under the paper's
    definition.
    """
    printed = printed_tables()[key]
    wanted = set(horizons)
    sets = [x for (_, horizon), x in read(data).items() if horizon in wanted]
    measures = [BINARY[x] for x in printed["names"]]
    found = disagreement(measures, sets, ties="consistent", tolerance=1e-5)
    cells = rate_cells(printed["names"], printed["matrix"], found.rates, BINARY, 1, lambda x, y: "")
    strict = disagreement(measures, sets)
    literal = rate_cells(printed["names"], printed["matrix"], strict.rates, BINARY, 1, lambda x, y: "")
    differ = [x for x in literal if not x.agrees]
    most = max((abs(float(x.printed or 0) - float(x.ours)) for x in differ), default=0.0)
    said = (
        f"By the definition of §5.1 with exact comparison {len(differ)} of {len(literal)} cells differ"
        + (f", by up to {most:.1f} points." if differ else ".")
    )  # fmt: skip
    return Recomputed(cells, [f"{found.pairs} pairs of models. {_RULE}", said])


@table("goesgens2021:table4", "inconsistency of binary measures for rain prediction, %", NEEDS)
def table_4(data: Path) -> Recomputed:
    """Recompute the inconsistency rates over all horizons."""
    return rates(data, "goesgens2021:table4", range(12))


@table("goesgens2021-appendix:table10", "the same for the horizon of ten minutes, %", NEEDS)
def table_10(data: Path) -> Recomputed:
    """Recompute the inconsistency rates at the horizon of ten minutes."""
    return rates(data, "goesgens2021-appendix:table10", [HORIZONS["10min"]])


@table("goesgens2021-appendix:table11", "the same for the horizon of two hours, %", NEEDS)
def table_11(data: Path) -> Recomputed:
    """Recompute the inconsistency rates at the horizon of two hours."""
    return rates(data, "goesgens2021-appendix:table11", [HORIZONS["2h"]])


def pooled(data: Path, horizon: int) -> list[Array]:
    """Return the counts of each model, added over all days."""
    days = [x for (_, h), x in read(data).items() if h == horizon]
    return [sum((day[model] for day in days), np.zeros((2, 2), np.int64)) for model in MODELS]


@table("goesgens2021-appendix:E1_matrices", "confusion matrices for two horizons, %", NEEDS)
def matrices(data: Path) -> Recomputed:
    """Recompute the matrices from counts pooled over the days, in percent."""
    printed = printed_tables()["goesgens2021-appendix:E1_matrices"]
    cells = []
    for name, horizon in HORIZONS.items():
        for model, found, shown in zip(MODELS, pooled(data, horizon), printed[name], strict=True):
            shares = 100 * found / found.sum()
            cells += [
                PrintedCell(f"{name} {model}", f"c{i}{j}", f"{float(shown[i][j]):.2f}", number(shares[i, j], 2),
                     rounds_to(float(shares[i, j]), shown[i][j], 2))
                for i in (0, 1) for j in (0, 1)
            ]  # fmt: skip
    return Recomputed(cells, ["The matrices are counts pooled over the 12 days, not means of daily shares."])


def _days_at(data: Path, model: str) -> int:
    """Return on how many days the correlation coefficient of two hours is highest for a threshold."""
    days = [x for (_, horizon), x in read(data).items() if horizon == HORIZONS["2h"]]
    values = [{name: float(as_measure("mcc")(x[name])) for name in MODELS} for x in days]
    return sum(max(x, key=lambda name: x[name]) == model for x in values)


@table("goesgens2021-appendix:figure1", "measures by threshold, for two horizons, ×100", NEEDS)
def figure_1(data: Path) -> Recomputed:
    """Recompute the curves; thresholds are numbered, since only three of their values are published."""
    names = ("Acc", "BA", "F1", "kappa", "CE", "GM1", "CC", "SBA")
    swept = sweep(
        matrices={name: dict(enumerate(pooled(data, horizon), 1)) for name, horizon in HORIZONS.items()},
        measures=[BINARY[x] for x in names],
    )
    cells, notes, curves = [], [], []
    for horizon in HORIZONS:
        best = {short: MODELS[int(swept.best(BINARY[short], horizon).threshold) - 1] for short in names}
        for short in names:
            values = swept.curve(BINARY[short], group=horizon).values[::-1]
            cells += [PrintedCell(f"{horizon} {short}", model, None, number(100 * x, 2), True)
                      for model, x in zip(MODELS, values, strict=True)]  # fmt: skip
            curves.append(PanelLine(short, horizon, range(1, len(MODELS) + 1), [100 * float(x) for x in values]))
        notes.append(f"{horizon}: best threshold by " + ", ".join(f"{x}: {y}" for x, y in best.items()) + ".")
    notes.append(
        "E.1's text has many measures favour 0.6, 0.7 or 0.77 for two hours: on the data pooled over the days none "
        f"peaks at 0.6; CC does on {_days_at(data, 'thresh_0_6')} of the 12 days."
    )
    by_measure = sorted(curves, key=lambda x: names.index(x.panel))
    return Recomputed(cells, notes, Curves("threshold (1 lowest, 6 highest)", tuple(by_measure)))
