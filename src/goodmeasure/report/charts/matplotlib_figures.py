"""Matplotlib figures of results, comparisons and sweeps (needs the extra `plot`)."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from goodmeasure.catalogue.measure import among
from goodmeasure.comparison.comparison import Comparison
from goodmeasure.evaluation.chosen_measures import canonical
from goodmeasure.evaluation.prevalence.projection import Projection, project
from goodmeasure.evaluation.result import Result
from goodmeasure.evaluation.table import Row
from goodmeasure.evaluation.thresholds.sweep import Sweep
from goodmeasure.evaluation.thresholds.thinning import FEW
from goodmeasure.exceptions import InputError
from goodmeasure.report.charts.differences import paired
from goodmeasure.report.charts.matplotlib_axes import PLAIN, new_axes, shortened, with_legend
from goodmeasure.report.charts.score_curves import DrawnScores
from goodmeasure.report.charts.score_figures import ScorePlots
from goodmeasure.report.charts.systems import Standing, drawn_rank
from goodmeasure.report.charts.thresholds import beyond, drawn_at
from goodmeasure.report.content.comparison_tables import in_order
from goodmeasure.report.content.sample_sizes import wholes
from goodmeasure.report.content.score_charts import drawn_scores, swept_scores
from goodmeasure.report.numbers import count_text, group_text, label_text

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_LABELLED = 25


class Plots(ScorePlots):
    """The figures of a result, as `result.plot`: each method draws into `ax`, or into new axes, and returns them."""

    def __init__(self, result: Result) -> None:
        self._result = result

    def _drawn(self) -> DrawnScores:
        return DrawnScores({}) if self._result.scored is None else drawn_scores(self._result)

    def confusion(self, system: str | None = None, *, by: str = "counts", ax: Axes | None = None) -> Axes:
        """Draw the confusion matrix; `by` is "counts", "row" or "column"."""
        if by not in ("counts", "row", "column"):
            raise InputError("{argument} is {got!r}", argument="by", got=by, advice="use 'counts', 'row' or 'column'")
        matrix = self._result.matrix(system)
        counts = np.asarray(matrix.counts, float)
        total = {"counts": 1.0, "row": counts.sum(1, keepdims=True), "column": counts.sum(0, keepdims=True)}[by]
        values = np.divide(counts, np.where(np.asarray(total) > 0, total, 1.0))
        axes = new_axes(ax)
        axes.imshow(values, cmap="Blues", vmin=0, vmax=None if by == "counts" else 1)
        names = [shortened(label_text(x)) for x in matrix.labels]
        if matrix.m <= _LABELLED:
            axes.set_xticks(range(matrix.m), names, rotation=45, ha="right", **PLAIN)
            axes.set_yticks(range(matrix.m), names, **PLAIN)
            dark = (values.max() if by == "counts" else 1) * 0.65
            for i, j in np.ndindex(values.shape):
                text = count_text(counts[i, j]) if by == "counts" else f"{values[i, j]:.0%}"
                axes.text(j, i, text, ha="center", va="center", color="white" if values[i, j] > dark else "black")
        axes.set_xlabel("predicted")
        axes.set_ylabel("true")
        return axes

    def measures(self, system: str | None = None, *, ax: Axes | None = None) -> Axes:
        """Draw the values with their confidence intervals and chance levels."""
        rows = [row for row in self._result.part(system).rows if row.label is None and math.isfinite(row.value)]
        axes = _ranges(new_axes(ax, len(rows)), [row.measure for row in rows], rows, chance=True)
        axes.set_xlabel("value with confidence interval; ticks: random guessing")
        return axes

    def classes(self, measure: str = "recall", system: str | None = None, *, ax: Axes | None = None) -> Axes:
        """Draw one measure for every class against the rest, with confidence intervals."""
        part = self._result.part(system)
        rows = [row for row in part.rows if row.label is not None and row.measure == measure and row.value == row.value]
        if not rows:
            raise InputError(
                "there are no values of {measure!r} by class", measure=measure, advice="name it in classwise="
            )
        axes = _ranges(new_axes(ax, len(rows)), [label_text(row.label) for row in rows], rows, chance=False)
        axes.set_xlabel(measure, **PLAIN)
        return axes

    def ranks(self, *, ax: Axes | None = None) -> Axes:
        """Draw the rank of every system under every measure."""
        return _ranks(Standing.of_result(self._result), ax)

    def prevalence(self, measure: object = "mcc", *, ax: Axes | None = None) -> Axes:
        """Draw a measure against the share of the positive class; a point marks each system's measured value."""
        f, found = among(measure, self._result.settings.measures), {}
        for part in wholes(self._result):
            if part.matrix.m != 2:
                raise InputError(
                    "{system} has {m} classes",
                    system=part.system,
                    m=part.matrix.m,
                    advice="shares are followed for two",
                )
            here = float(part.matrix.a[-1]) / float(part.matrix.n)
            projected = project(part.matrix, prevalence=here, measures=[f], confidence=None)
            assert isinstance(projected, Projection)  # since one matrix was given
            found[part.system] = projected.curve(f), here, projected.value(f)
        axes, lines = new_axes(ax), {}
        for system, (curve, here, value) in found.items():
            (lines[system],) = axes.plot(curve.prevalence, curve.values)
            axes.plot(here, value, "o", color=lines[system].get_color())
        axes.set_xlabel(f"share of {label_text(self._result.part().matrix.labels[-1])}", **PLAIN)
        axes.set_ylabel(f.name, **PLAIN)
        return with_legend(axes, list(lines.values()), list(lines))


class SweepPlots(ScorePlots):
    """The figures of a sweep, as `found.plot`: each method draws into `ax`, or into new axes, and returns them."""

    def __init__(self, found: Sweep) -> None:
        self._found = found

    def _drawn(self) -> DrawnScores:
        return swept_scores(self._found, 0.95, 0)

    def thresholds(self, measure: object = None, *, ax: Axes | None = None) -> Axes:
        """Draw a measure against the threshold, with a line and the best point for each system or group."""
        f = self._found.measures[0] if measure is None else among(measure, self._found.measures)
        found = {x: (self._found.curve(f, group=x, points=FEW), self._found.best(f, x, confidence=None))
                 for x in self._found.groups}  # fmt: skip
        axes, lines = new_axes(ax), {}
        for group, (curve, best) in found.items():
            steps = "steps-pre" if self._found.is_stepwise(group) else "default"
            x, y = curve.thresholds[::-1].astype(float), curve.values[::-1]
            if self._found.is_stepwise(group):  # above all scores nothing is predicted positive
                x = np.append(x, beyond(curve.thresholds))
                y = np.append(y, self._found.value_of_nothing(f, group))
            (line,) = axes.plot(x, y, drawstyle=steps)
            lines[group_text(group)] = line
            axes.plot(drawn_at(self._found, best), best.value, "o", color=line.get_color())
        axes.set_xlabel("threshold")
        axes.set_ylabel(f.name, **PLAIN)
        return axes if self._found.groups == (None,) else with_legend(axes, list(lines.values()), list(lines))


class ComparisonPlots:
    """The figures of a comparison, as `compared.plot`: each draws into `ax`, or into new axes, and returns them."""

    def __init__(self, found: Comparison) -> None:
        self._found = found

    def ranks(self, *, ax: Axes | None = None) -> Axes:
        """Draw the rank of every system under every measure; the marks of winners are filled."""
        return _ranks(Standing.of_comparison(self._found), ax)

    def differences(self, measure: object = None, *, ax: Axes | None = None) -> Axes:
        """Draw the difference of each system from the best (or from the baseline), with confidence intervals."""
        name = self._found.measures[0] if measure is None else canonical(measure, self._found.measures)
        rows = [x for x in paired(self._found, in_order(self._found)) if x.measure == name]
        if not rows:
            raise InputError("there are no differences under {name!r}", name=name, advice="it needs several systems")
        axes = new_axes(ax, len(rows))
        for k, x in enumerate(rows):
            colour = "tab:red" if x.told else "tab:blue"
            axes.plot([x.row["low"], x.row["high"]], [k, k], color=colour, alpha=0.5, linewidth=3)
            axes.plot(x.row["difference"], k, "o", color=colour)
        axes.axvline(0, color="gray", linestyle="--", linewidth=1)
        axes.set_yticks(range(len(rows)), [shortened(x.system) for x in rows], **PLAIN)
        axes.invert_yaxis()
        axes.set_xlabel(f"{name}: difference from {shortened(rows[0].reference)}", **PLAIN)
        return axes


def _ranks(given: Standing, ax: Axes | None) -> Axes:
    axes, lines = new_axes(ax), {}
    for system in given.systems:
        known = {k: drawn_rank(row, system) for k, row in enumerate(given.ranks.values()) if system in row}
        if known:
            (line,) = axes.plot(list(known), list(known.values()), marker="o")
            lines[system] = line
            won = [k for k, name in enumerate(given.ranks) if system in given.winners.get(name, ())]
            if given.winners:
                line.set_markerfacecolor("none")
                axes.plot(won, [known[k] for k in won], "o", color=line.get_color())
    axes.set_xticks(range(len(given.ranks)), [shortened(x) for x in given.ranks], rotation=40, ha="right", **PLAIN)
    axes.set_yticks(range(1, len(given.systems) + 1))
    axes.invert_yaxis()
    axes.set_ylabel("rank (1 is the best)")
    return with_legend(axes, list(lines.values()), list(lines))


def _ranges(axes: Axes, names: list[str], rows: list[Row], *, chance: bool) -> Axes:
    for k, row in enumerate(rows):
        if not math.isnan(row.low):
            axes.plot([row.low, row.high], [k, k], color="tab:blue", alpha=0.5, linewidth=3)
        axes.plot(row.value, k, "o", color="tab:blue")
        if chance and not math.isnan(row.chance):
            axes.plot(row.chance, k, "|", color="tab:orange", markersize=12, markeredgewidth=2)
    axes.set_yticks(range(len(names)), [shortened(x) for x in names], **PLAIN)
    axes.invert_yaxis()
    return axes
