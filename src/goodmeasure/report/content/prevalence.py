"""The section on how a result on two classes would change with class prevalence."""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np

from goodmeasure.catalogue.display_names import display_name, display_names, names_text, opening_names, sentence_name
from goodmeasure.catalogue.measure import LOWER, NEITHER, Measure
from goodmeasure.evaluation.prevalence.projection import PrevalenceCurve, Projections, project
from goodmeasure.evaluation.result import Result
from goodmeasure.evaluation.scoring import SystemScores
from goodmeasure.language.policy import NAN, Policy
from goodmeasure.report.charts.line_panels import Axis, Line, MarkedPoint, panels
from goodmeasure.report.content.sample_sizes import wholes
from goodmeasure.report.document import Block, Chart, Grid, Section, Sentences, TableCell
from goodmeasure.report.numbers import label_text, many, share_text, value_text

_SHARES = (0.01, 0.05, 0.1, 0.25, 0.5, 0.75, 0.9)
_STEADY = 1e-9  # a measure that varies less does not depend on prevalence
_POINTS, _FEWER_POINTS = 41, 21  # points of a line, and of each of many lines
_MANY_LINES = 60
_MOST_SYSTEMS = 10
_CROSSINGS = 3  # changes of the order of two systems that are shown


def prevalence_sections(result: Result) -> list[Section]:
    """Return the section, or nothing unless there are two classes that both occur."""
    parts = [part for part in wholes(result) if _is_projectable(part)][:_MOST_SYSTEMS]
    measures = [f for f in result.settings.measures if (f.range or (0, math.inf))[1] == 1 and f.orientation != NEITHER]
    if not parts or not measures:
        return []
    chosen = {part.system: part.matrix for part in parts}
    found = project(chosen, prevalence=_share(parts[0]), measures=measures, confidence=None,
                    undefined=_policy(result))  # fmt: skip
    assert isinstance(found, Projections)
    curves = {(x, f.name): found[x].curve(f, points=_POINTS) for f in measures for x in found}
    moving = [f for f in measures if any(_span(curves[x, f.name]) > _STEADY for x in found)]
    steady = [f for f in measures if f not in moving]
    lines = _lines(parts, found, moving, steady)
    blocks: list[Block] = [Sentences(tuple(lines))]
    if moving:
        blocks += [_chart(parts, found, moving, curves), _grid(found, moving)]
    gist = next((x for x in lines[1:] if "changes most" in x), lines[-1]) if moving else lines[-1]
    return [Section("prevalence", "If class prevalence changes", tuple(blocks), gist=gist)]


def prevalence_chart(result: Result) -> Chart | None:
    """Return the chart of the section without the rest, or None if there is no section."""
    blocks = [block for section in prevalence_sections(result) for block in section.blocks]
    return next((block for block in blocks if isinstance(block, Chart)), None)


def _is_projectable(part: SystemScores) -> bool:
    return part.matrix.m == 2 and not part.matrix.is_sparse and bool((np.asarray(part.matrix.a) > 0).all())


def _share(part: SystemScores) -> float:
    return float(part.matrix.a[-1]) / float(part.matrix.n)


def _policy(result: Result) -> Policy:
    policy = result.settings.policy
    return NAN if policy.name == "raise" else policy


def _span(curve: PrevalenceCurve) -> float:
    known = curve.values[np.isfinite(curve.values)]
    return float(known.max() - known.min()) if len(known) else 0.0


def _lines(parts: list[SystemScores], found: Projections, moving: list[Measure], steady: list[Measure]) -> list[str]:
    label = label_text(parts[0].matrix.labels[-1])
    lines = [
        f"In this data, {share_text(_share(parts[0]))} of the items are {label!r}. Most measures depend on this "
        "prevalence. This section shows which values to expect at other prevalences if each class keeps its recall."
    ]
    if steady:
        verb = "does" if len(steady) == 1 else "do"
        lines.append(f"{names_text(opening_names(steady))} {verb} not depend on prevalence.")
    if moving:
        ends = {(x, f): found[x].values_at(f, np.array([0.01, 0.5])).tolist() for x in found for f in moving}
        system, most = max(ends, key=lambda key: abs(np.nan_to_num(ends[key][1] - ends[key][0])))
        low, high = ends[system, most]
        whose = f" of {system}" if len(found) > 1 else ""
        ends_text = f"{value_text(low)} at a prevalence of 1%, {value_text(high)} at 50%"
        lines.append(f"{display_name(most)}{whose} changes most: {ends_text}.")
    return [*lines, *_crossings(found, moving)]


def _crossings(found: Projections, moving: list[Measure]) -> list[str]:
    """Return at which prevalences the order of two systems changes; only those shown are computed precisely."""
    seen = [change for f in moving for change in _changes(found, f)]
    said = []
    for f, one, two, near in seen[:_CROSSINGS]:
        share = min(found[one].crossing(found[two], f), key=lambda x: abs(x - near), default=near)
        at = share_text(round(share, 4))
        said.append(
            f"By {sentence_name(f)}, {one} is better than {two} below a prevalence of {at}, and worse above it."
        )
    rest = len(seen) - len(said)
    more = [f"The order of two systems changes at {many(rest, 'more prevalence')}."] if rest > 0 else []
    return [*said, *more]


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


def _chart(
    parts: list[SystemScores],
    found: Projections,
    moving: list[Measure],
    curves: dict[tuple[object, str], PrevalenceCurve],
) -> Chart:
    label, here = label_text(parts[0].matrix.labels[-1]), _share(parts[0])
    shown = display_names(moving)
    are_many = len(found) * len(moving) > _MANY_LINES
    lines = []
    for f in moving:
        for system in found:
            curve = found[system].curve(f, points=_FEWER_POINTS) if are_many else curves[system, f.name]
            lines.append(Line(shown[f.name], str(system), curve.prevalence.tolist(), curve.values.tolist()))
    marks = [
        MarkedPoint(shown[row.measure], part.system, _share(part), row.value, "observed")
        for part in parts
        for row in part.rows
        if row.label is None and row.measure in {f.name for f in moving}
    ]
    axis = Axis("prevalence of the positive class", ".0~%", (0.0, 1.0), here, (0.0, 0.5, 1.0))
    alt = f"{len(moving)} measures by the prevalence of the class {label[:80]!r}, one panel for each measure"
    title = f"Measures by the prevalence of {label[:80]!r}; the points and the dashed line show the observed prevalence"
    return Chart("along-the-share", title, alt, panels(lines, marks, axis))


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
