"""The result of an evaluation: its table, its matrices, its warnings, and how it is written down."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from goodmeasure.counts.matrix import ConfusionMatrix
from goodmeasure.counts.tables.counted import Counted
from goodmeasure.evaluation.chosen_measures import canonical
from goodmeasure.evaluation.provenance import SYSTEM, Source
from goodmeasure.evaluation.scoring import Part, Settings
from goodmeasure.evaluation.slices import SliceSpread, slice_spreads
from goodmeasure.evaluation.table import Table
from goodmeasure.evaluation.warnings.different_items import different_items
from goodmeasure.evaluation.warnings.general import cautions
from goodmeasure.evaluation.warnings.record import Caution, recorded
from goodmeasure.evaluation.writing import Written, writer_of
from goodmeasure.exceptions import InputError

if TYPE_CHECKING:
    from goodmeasure.evaluation.thresholds.sweep import Sweep


@dataclass(frozen=True, eq=False, repr=False)
class Result(Written):
    """One or several systems, measured."""

    counted: Counted
    parts: tuple[Part, ...]
    settings: Settings
    source: Source
    compared: Any = None  # the `Comparison` of the same systems, if there is one; its room may use this one only
    swept: Sweep | None = None  # the sweep of their scores, likewise

    @cached_property
    def table(self) -> Table:
        """Tidy rows: system, slice, class, measure, value, low, high, chance, reason."""
        return Table([row for part in self.parts for row in part.rows])

    @property
    def systems(self) -> tuple[str, ...]:
        """The names of the systems."""
        return self.counted.systems

    @property
    def rivals(self) -> bool:
        """Whether one of the systems can be the best: the labels of multilabel data are different tasks."""
        return self.source.unit == SYSTEM

    @property
    def slices(self) -> tuple[Any, ...]:
        """The slices as the table calls them, without that of all items."""
        return tuple(dict.fromkeys(part.slice for part in self.parts if part.slice is not None))

    def part(self, system: str | None = None, slice: Any = None) -> Part:
        """One system (the first, if none is named) on one slice (all items, if none is named)."""
        name = self.systems[0] if system is None else system
        for part in self.parts:
            if part.system == name and part.slice == slice:
                return part
        known = ", ".join(map(repr, self.systems))
        where = "" if slice is None else f" on slice {slice!r}"
        raise InputError(
            "there is no system {name!r}{where}", name=name, where=where, known=known, advice="the systems are {known}"
        )

    def matrix(self, system: str | None = None, slice: Any = None) -> ConfusionMatrix:
        """The confusion matrix of one system on one slice."""
        return self.part(system, slice).matrix

    def value(self, measure: Any, system: str | None = None, slice: Any = None) -> float:
        """The value of one measure of one system on one slice.

        >>> from goodmeasure.evaluation.evaluate import evaluate
        >>> evaluate([0, 1, 1], [0, 1, 0]).value("accuracy")
        0.6666666666666666
        """
        found = self.part(system, slice).value(canonical(measure, (f.name for f in self.settings.measures)))
        assert found is not None  # every part has every measure
        return found

    @cached_property
    def slice_spread(self) -> list[SliceSpread]:
        """For each system and measure how far its slices are apart: lowest, highest, gap and standard deviation.

        >>> from goodmeasure.evaluation.evaluate import evaluate
        >>> result = evaluate([0, 1, 1, 0], [0, 1, 0, 0], by={"site": ["x", "x", "y", "y"]}, measures="accuracy")
        >>> [(x.lowest_slice, x.lowest, x.highest_slice, x.highest, x.gap) for x in result.slice_spread]
        [('y', 0.5, 'x', 1.0, 0.5)]
        """
        return slice_spreads(self.parts, [f.name for f in self.settings.measures], self.counted.slices)

    @cached_property
    def warnings(self) -> list[Caution]:
        """What a reader must know: records of system, slice, class, measure and text, the gravest of each part first.

        >>> from goodmeasure.evaluation.evaluate import evaluate
        >>> for warning in evaluate([0] * 20 + [1] * 4, [0] * 20 + [1] * 4, measures="accuracy").warnings:
        ...     print(warning.class_, warning.text)
        1 Class 1 has 4 items, so its recall can only be 0, 1/4, 1/2, 3/4 or 1.
        """
        settings = self.settings
        uneven = different_items([part for part in self.parts if part.slice is None], self.counted.dropped)
        found = [recorded(line, None, None) for line in uneven]
        found += [x for part in self.parts for x in cautions(part, settings.measures, settings.policy)]
        return found if self.swept is None else [*self.swept.warnings, *found]

    def beside(self, *, compared: Any = None, swept: Sweep | None = None) -> Result:
        """The same result with what `compare` or `sweep` found on the same items shown in its report.

        >>> from goodmeasure.comparison.compare import compare
        >>> from goodmeasure.evaluation.evaluate import evaluate
        >>> data = [0, 1, 1, 0], {"A": [0, 1, 0, 0], "B": [0, 0, 0, 1]}
        >>> "Ranks and winners" in evaluate(*data).beside(compared=compare(*data)).to_markdown()
        True
        """
        return replace(self, compared=compared or self.compared, swept=swept or self.swept)

    def from_files(self, *files: str) -> Result:
        """The same result, said to come from these files."""
        found = self.compared
        named = None if found is None else replace(found, source=replace(found.source, files=files))
        return replace(self, source=replace(self.source, files=files), compared=named)

    def to_frame(self, kind: str = "pandas") -> Any:
        """The table as a data frame: "pandas", "polars" or "arrow"."""
        return writer_of(self).frame(kind)

    def statement(self, format: str = "markdown") -> str:
        """The paragraph for a paper that says what was measured and how: "markdown" or "latex"."""
        return writer_of(self).statement(format)

    def chart(self, name: str, system: str | None = None) -> dict[str, Any]:
        """One chart as a Vega-Lite specification.

        Its name is "measures", "classes" or "confusion" (of one system), "ranks", "agreement" or "prevalence".
        """
        return writer_of(self).chart(name, system)
