"""The tables of a comparison: scores with ranks, differences, the ensemble, and the agreement of measures."""

from __future__ import annotations

import math

from goodmeasure.catalogue.display_names import display_names
from goodmeasure.comparison.comparison import Comparison
from goodmeasure.comparison.rows import DifferenceRow
from goodmeasure.evaluation import significance
from goodmeasure.evaluation.number_words import p_text
from goodmeasure.evaluation.significance import Claim
from goodmeasure.report.charts.systems import ranking_names
from goodmeasure.report.content.marks import legend, sign_of
from goodmeasure.report.content.significance import winners_of
from goodmeasure.report.document import Grid, TableCell, interval_cell
from goodmeasure.report.numbers import level_text, share_text, value_text

MOST_SHOWN = 200  # differences in a report; JSON and CSV have all


def scores_grid(found: Comparison) -> Grid:
    """Return every system's value and rank under every measure.

    The best value is marked, and so are those that do not differ from it significantly.
    """
    by_place, shown = {(row["system"], row["measure"]): row for row in found.scores}, names_of(found)
    rows = []
    for system in in_order(found):
        cells = [TableCell(system)]
        for measure in found.measures:
            row = by_place[system, measure]
            ranked = len({x for x in found.ranks[measure].values() if x is not None}) > 1
            near = ranked and system in winners_of(found, measure)
            sign = sign_of(best=ranked and row["rank"] == 1, near=near)
            text = value_text(row["value"])
            cells.append(TableCell(text, row["value"], row["low"], row["high"], row["reason"], row["rank"], sign))
        rows.append(tuple(cells))
    level = level_text(found.settings.confidence)
    caption = f"Value (interval at {level} confidence) [rank]{legend(rows)}"
    columns = ("system", *(shown[x] for x in found.measures))
    return Grid(caption, columns, tuple(rows), tuple(range(1, len(columns))), sortable=True)


def names_of(found: Comparison) -> dict[str, str]:
    """Return the display names of the measures of a comparison."""
    return display_names(found.settings.measures)


def in_order(found: Comparison) -> list[str]:
    """Return the systems sorted by their ensemble score or, without one, by the first measure."""
    if found.ensemble:
        ranks = {row["system"]: row["rank"] for row in found.ensemble}
    else:
        ranks = next(iter(found.ranks.values()), {})
    return sorted(found.systems, key=lambda x: ranks.get(x) or math.inf)


def winners_grids(found: Comparison) -> list[Grid]:
    """Return how likely each system is the best, by measure."""
    if len(found.systems) < 2 or not found.best_probability:
        return []
    measures, names = list(found.best_probability), names_of(found)
    shown = [x for x in in_order(found) if any(found.best_probability[f][x] >= 0.0005 for f in measures)]
    rows = tuple(
        (
            TableCell(system),
            *(
                TableCell(share_text(found.best_probability[f][system]), found.best_probability[f][system])
                for f in measures
            ),
        )
        for system in shown
    )
    return [Grid("Probability of being the best", ("system", *(names[x] for x in measures)), rows,
                 tuple(range(1, len(measures) + 1)), sortable=True)]  # fmt: skip


def differences_grid(found: Comparison, most: int = MOST_SHOWN) -> Grid:
    """Return the paired differences with confidence intervals and p-values."""
    shown = names_of(found)
    rows = tuple(
        (
            TableCell(shown[row["measure"]]),
            TableCell(f"{row['a']} − {row['b']}"),
            TableCell(value_text(row["difference"]), row["difference"], note=row["reason"]),
            interval_cell(row["low"], row["high"]),
            TableCell(p_text(row["p"]), row["p"]),
            TableCell(p_text(row["p_family"]), row["p_family"]),
            TableCell(row["method"]),
        )
        for row in found.differences[:most]
    )
    rest = len(found.differences) - most
    more = f" (the first {most} of {len(found.differences):,}; all are in the JSON and CSV)" if rest > 0 else ""
    columns = ("measure", "systems", "difference", "interval", "p", "p, Holm", "test")
    return Grid(f"Paired differences{more}", columns, rows, (2, 3, 4, 5), sortable=True)


def margin_grids(found: Comparison, most: int = MOST_SHOWN) -> list[Grid]:
    """Return the tests of non-inferiority and equivalence, if there is a margin."""
    margin = found.settings.margin
    if margin is None or not found.differences:
        return []
    shown = names_of(found)
    rows = tuple(
        (
            TableCell(shown[row["measure"]]),
            TableCell(f"{row['a']} − {row['b']}"),
            TableCell(value_text(row["difference"]), row["difference"]),
            *(TableCell(p_text(p), p) for p in _claims(row)),
            TableCell(_within_margin(row, 1 - found.settings.confidence)),
        )
        for row in found.differences[:most]
    )
    columns = ("measure", "systems", "difference", "p, first", "p, second", "p, equivalent", "shown")
    caption = (
        f"Non-inferiority (p-values that the first, or the second, system is worse by less than {value_text(margin)}) "
        "and equivalence (both)"
    )
    return [Grid(caption, columns, rows, (2, 3, 4, 5), sortable=True)]


def _claims(row: DifferenceRow) -> list[float]:
    """Return the p-values that the first is non-inferior, that the second is, and that both are; NaN for no test."""
    found = row["p_a_noninferior"], row["p_b_noninferior"], row["p_equivalent"]
    return [math.nan if p is None else p for p in found]


def _within_margin(row: DifferenceRow, level: float) -> str:
    """Return what the tests show at this level: that the systems are equivalent, or one non-inferior."""
    first, second, both = _claims(row)
    shown = [significance.is_significant(Claim(1 - level, p)) for p in (first, second, both)]
    if shown[2]:
        return "equivalent"
    if shown[0]:
        return f"{row['a']} is non-inferior to {row['b']}"
    return f"{row['b']} is non-inferior to {row['a']}" if shown[1] else "–"


def ensemble_grid(found: Comparison) -> Grid:
    """Return the ensemble score of every system."""
    assert found.settings.ensemble is not None
    by_system = {row["system"]: row for row in found.ensemble}
    rows = tuple(
        (
            TableCell(system),
            TableCell(value_text(row["score"]), row["score"]),
            interval_cell(row["low"], row["high"]),
            TableCell("–" if row["rank"] is None else str(row["rank"]), row["rank"]),
            TableCell(value_text(row["mean_rank"]), row["mean_rank"]),
            TableCell(share_text(row["best_probability"]), row["best_probability"]),
        )
        for system in in_order(found)
        for row in [by_system[system]]
    )
    shown = names_of(found)
    together = ", ".join(shown.get(x, x) for x in found.settings.ensemble.names)
    caption = f"The mean of {together}, each from 0 (its worst value) to 1 (its best)"
    return Grid(caption, ("system", "score", "interval", "rank", "mean rank", "best"), rows, (1, 2, 3, 4, 5))


def agreement_grid(found: Comparison) -> Grid:
    """Return Kendall's τ between the rankings by each two measures that rank the systems."""
    shown, names = names_of(found), ranking_names(found)
    known = {(row["measure"], row["other"]): row["kendall"] for row in found.agreement}
    known |= {(other, one): x for (one, other), x in known.items()}
    texts = {(one, other): "–" if math.isnan(x) else value_text(x) for (one, other), x in known.items()}
    rows = tuple((TableCell(shown[one]), *(TableCell(texts.get((one, x), "")) for x in names)) for one in names)
    caption = "Kendall's τ of the orders of the systems that two measures give"
    return Grid(caption, ("measure", *(shown[x] for x in names)), rows, tuple(range(1, len(names) + 1)))
