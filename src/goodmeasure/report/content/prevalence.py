"""The section on how a result on two classes would change with class prevalence."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import combinations

import numpy as np

from goodmeasure.catalogue.display_names import display_name, display_names, names_text, opening_names, sentence_name
from goodmeasure.catalogue.measure import LOWER, Measure
from goodmeasure.evaluation import significance
from goodmeasure.evaluation.intervals.proportions import proportion
from goodmeasure.evaluation.intervals.sampling_units import units_of
from goodmeasure.evaluation.p_values import two_sided
from goodmeasure.evaluation.prevalence.projection import Projections
from goodmeasure.evaluation.result import Result
from goodmeasure.evaluation.scoring import SystemScores
from goodmeasure.evaluation.significance import Claim
from goodmeasure.report.charts.prevalence import Projected, chart_of, projected, share_of
from goodmeasure.report.document import Block, Grid, Section, Sentences, TableCell
from goodmeasure.report.numbers import label_text, many, share_text, value_text

_SHARES = (0.01, 0.05, 0.1, 0.25, 0.5, 0.75, 0.9)
_CROSSINGS = 3  # changes of the order of two systems that are shown


def prevalence_sections(result: Result) -> list[Section]:
    """Return the section, or nothing unless there are two classes that both occur."""
    shown = projected(result)
    if shown is None:
        return []
    first, steady = _first_line(shown), _steady_lines(shown)
    most, crossings = _most_lines(shown), _crossings(shown)
    lines = [first, *steady, *most, *crossings]
    blocks: list[Block] = [Sentences(tuple(lines))]
    if shown.moving:
        blocks += [chart_of(shown), _grid(shown.found, shown.moving)]
    return [Section("prevalence", "If class prevalence changes", tuple(blocks), gist=most[0] if most else lines[-1])]


def _first_line(shown: Projected) -> str:
    label = label_text(shown.parts[0].matrix.labels[-1])
    return (
        f"In this data, {share_text(share_of(shown.parts[0]))} of the items are {label!r}. Most measures depend on "
        "this prevalence. This section shows which values to expect at other prevalences if each class keeps its "
        "recall."
    )


def _steady_lines(shown: Projected) -> list[str]:
    if not shown.steady:
        return []
    verb = "does" if len(shown.steady) == 1 else "do"
    return [f"{names_text(opening_names(shown.steady))} {verb} not depend on prevalence."]


def _most_lines(shown: Projected) -> list[str]:
    """Return which measure of which system changes most, if any does."""
    found, moving = shown.found, shown.moving
    if not moving:
        return []
    ends = {(x, f): found[x].values_at(f, np.array([0.01, 0.5])).tolist() for x in found for f in moving}
    system, most = max(ends, key=lambda key: abs(np.nan_to_num(ends[key][1] - ends[key][0])))
    low, high = ends[system, most]
    whose = f" of {system}" if len(found) > 1 else ""
    ends_text = f"{value_text(low)} at a prevalence of 1%, {value_text(high)} at 50%"
    return [f"{display_name(most)}{whose} changes most: {ends_text}."]


def _crossings(shown: Projected) -> list[str]:
    """Return at which prevalences the order of two systems changes; only those shown are computed precisely.

    That one system is better below, and the other one above, is only said where the recalls of both classes differ
    significantly, and in opposite directions. Both must, so that no correction for the two tests is needed.
    """
    found, moving = shown.found, shown.moving
    seen = [change for f in moving for change in _changes(found, f)]
    said = []
    for f, one, two, near in seen[:_CROSSINGS]:
        share = min(found[one].crossing(found[two], f), key=lambda x: abs(x - near), default=near)
        at = share_text(round(share, 4))
        if _recalls_differ(shown, one, two):
            said.append(
                f"By {sentence_name(f)}, {one} is better than {two} below a prevalence of {at}, and worse above it."
            )
        else:
            said.append(
                f"On these items, {one} and {two} have the same expected {sentence_name(f)} at a prevalence of {at}; "
                "their order on either side of it is not significant."
            )
    rest = len(seen) - len(said)
    more = [f"The order of two systems changes at {many(rest, 'more prevalence')}."] if rest > 0 else []
    return [*said, *more]


def _recalls_differ(shown: Projected, one: object, two: object) -> bool:
    """Return whether the recalls of both classes of two systems differ significantly."""
    parts = [next(x for x in shown.parts if x.system == name) for name in (one, two)]
    pairs = len(shown.found) * (len(shown.found) - 1) // 2
    return all(
        significance.is_significant(Claim(parts[0].settings.confidence, _p_of_recall(parts, k) * pairs))
        for k in range(2)
    )


def _p_of_recall(parts: Sequence[SystemScores], k: int) -> float:
    """Return the p-value of equal recalls of a class; items that both systems share can only make it smaller."""
    shares = []
    for x in parts:
        units = units_of(x.sample)
        shares.append(proportion((units.rows == k) & (units.cols == k), units.rows == k, units))
    first, second = shares
    if first is None or second is None:
        return 1.0
    middle = (first.share * first.items + second.share * second.items) / (first.items + second.items)
    error = math.sqrt(middle * (1 - middle) * (1 / first.items + 1 / second.items))
    return two_sided((first.share - second.share) / error) if error else 1.0


def _changes(found: Projections, f: Measure) -> list[tuple[Measure, object, object, float]]:
    """Return the pairs of systems whose order changes: the better one at low prevalence, the other, and where."""
    shares = np.linspace(0.005, 0.995, 100)
    sign = -1 if f.orientation == LOWER else 1
    values = {system: sign * found[system].values_at(f, shares) for system in found}
    changes = []
    for one, two in combinations(found, 2):
        gap = values[one] - values[two]
        known = np.flatnonzero(np.abs(np.nan_to_num(gap)) > 1e-9)
        for k in np.flatnonzero(np.diff(np.sign(gap[known]))):
            ahead = (one, two) if gap[known[k]] > 0 else (two, one)
            changes.append((f, *ahead, float(shares[known[k]] + shares[known[k + 1]]) / 2))
    return changes


def _grid(found: Projections, moving: list[Measure]) -> Grid:
    named, shown = len(found) > 1, display_names(moving)
    rows = []
    for f in moving:
        for system in found:
            values = found[system].values_at(f, np.array(_SHARES)).tolist()
            who = (TableCell(str(system)),) if named else ()
            rows.append((TableCell(shown[f.name]), *who, *(TableCell(value_text(x), x) for x in values)))
    columns = ("measure", *(("system",) if named else ()), *(share_text(x) for x in _SHARES))
    numbers = tuple(range(len(columns) - len(_SHARES), len(columns)))
    return Grid("Expected value at each prevalence of the positive class", columns, tuple(rows), numbers, folded=named)
