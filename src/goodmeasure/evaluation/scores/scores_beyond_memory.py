"""Scores of files and lazy engines that are too large for memory: read in batches, and counted as they come.

Values are exact as long as distinct scores are few, and otherwise come from a sketch (`counts/scores/score_sketch.py`).
How the scores of several systems vary together is not in these counts, so comparisons also keep a random sample of
items. Groups of items, and columns of scores for each class, need all items at once: they are read into memory, however
many.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import cast

import numpy as np

from goodmeasure.catalogue.names import measure
from goodmeasure.catalogue.scores.measure import ScoreFamily, ScoreMeasure
from goodmeasure.counts.arguments import as_item_counts
from goodmeasure.counts.counting import count_columns
from goodmeasure.counts.labels import as_column
from goodmeasure.counts.matrix import ConfusionMatrix
from goodmeasure.counts.readers.columns import refuse_weights
from goodmeasure.counts.readers.datasets_tables import is_dataset
from goodmeasure.counts.readers.files.memory_budget import SCORED, as_bytes
from goodmeasure.counts.readers.reader import LazyTableReader, lazy_reader_of, reader_of
from goodmeasure.counts.sample import Counted, Sample, Slice
from goodmeasure.counts.scores.score_input import Truth, truth_of
from goodmeasure.counts.scores.score_sketch import share_of_most
from goodmeasure.counts.scores.scored import Scored
from goodmeasure.counts.text_labels import (
    LabelReading,
    TextRule,
    reading_of,
    refuse_ambiguous,
    refuse_spellings,
    spellings_note,
)
from goodmeasure.evaluation.chosen_measures import SETS, as_asked
from goodmeasure.evaluation.column_names import guess_scores, typed
from goodmeasure.evaluation.positive_class import PositiveClass, check_scores, choosing, of_samples
from goodmeasure.evaluation.provenance import FILES, FRAME, Provenance
from goodmeasure.evaluation.reading import Asked, are_paths, is_frame, names_of, opened_files
from goodmeasure.evaluation.runs import are_runs
from goodmeasure.evaluation.scores.reading_scores import systems_of
from goodmeasure.evaluation.scores.streamed_scores import ScoreStream
from goodmeasure.evaluation.warnings.reversed_scores import area
from goodmeasure.exceptions import Argument, InputError
from goodmeasure.typing import Array, Frame, Label

LARGE = 10_000_000  # rows: more are read in batches
SAMPLED = 1_000_000  # items of which the scores of several systems are kept together
_FEWEST = 10_000
_LEAST = 4  # bytes of a row in a text file
_TEXT = (".csv", ".tsv", ".txt", ".json", ".jsonl", ".ndjson")


@dataclass(frozen=True)
class LazyColumns:
    """Columns of a lazy frame or of open files, and the role of each."""

    reader: LazyTableReader
    true: str
    systems: dict[str, str]  # the column of scores of each system
    by: tuple[str, ...]
    weight: str | None
    count: str | None  # the column with the number of items in each row
    untyped: TextRule | None  # what labels of text may stand for
    source: Provenance
    check_rows: Callable[[int], None] = lambda rows: None  # refuses files of which not all rows were read

    @property
    def names(self) -> list[str]:
        """Return the names of all columns."""
        return [self.true, *self.by, *self.systems.values(), *self.numbers]

    @property
    def numbers(self) -> list[str]:
        """Return the columns of numbers beside the scores."""
        return [x for x in (self.weight, self.count) if x is not None]


class PairedSample:
    """A random sample of items with the scores of all systems, drawn while they come.

    Every item gets a random number, and those with the smallest are kept: so all samples of one size are equally
    likely, however the items are ordered.
    """

    def __init__(self, most: int, seed: int) -> None:
        self.most, self.seen = most, 0
        self._random = np.random.default_rng(np.random.SeedSequence([seed, 11]))
        self._numbers = np.empty(0)
        self._rows: Array | None = None

    def add(self, hit: Array, scores: Sequence[Array], weights: Array | None) -> None:
        """Take more items into account."""
        numbers = self._random.random(len(hit))
        self.seen += len(hit)
        rows = np.column_stack([hit, np.ones(len(hit)) if weights is None else weights, *scores])
        if len(self._numbers) == self.most:
            near = numbers < self._numbers.max()
            numbers, rows = numbers[near], rows[near]
        self._numbers = np.concatenate([self._numbers, numbers])
        self._rows = rows if self._rows is None else np.concatenate([self._rows, rows])
        if len(self._numbers) > self.most:
            kept = np.argpartition(self._numbers, self.most - 1)[: self.most]
            self._numbers, self._rows = self._numbers[kept], self._rows[kept]

    def scored(self, systems: Sequence[str], labels: tuple[Label, Label], *, weighted: bool) -> dict[str, Scored]:
        """Return the sampled items with the scores of each system."""
        assert self._rows is not None
        hit, weights = self._rows[:, 0] > 0, self._rows[:, 1] if weighted else None
        return {
            name: Scored(hit, self._rows[:, 2 + k], labels, weights, argument=Argument("y_score", name))
            for k, name in enumerate(systems)
        }


@dataclass
class LargeScores:
    """The scored items of each system and slice, and their labels at a threshold, counted."""

    table: LazyColumns
    truth: Truth
    slices: tuple[Slice, ...]
    rows: int
    streams: dict[tuple[str, Slice | None], ScoreStream]
    dropped: dict[str, int] = field(default_factory=dict)
    sample: PairedSample | None = None

    def paired(self) -> tuple[dict[str, Scored], dict[str, Scored], float]:
        """Return the scored items of each system, those of the sample, and the share of the items that it holds."""
        assert self.sample is not None
        labels = (self.truth.negative, self.truth.positive)
        found = self.sample.scored(tuple(self.table.systems), labels, weighted=self.table.weight is not None)
        kept = len(next(iter(found.values())))
        return {system: x for (system, _), x in self.scored().items()}, found, kept / self.sample.seen

    def scored(self) -> dict[tuple[str, Slice | None], Scored]:
        """Return the scored items of each system and slice that has any."""
        labels = (self.truth.negative, self.truth.positive)
        return {
            (system, where): stream.scored(labels, Argument("y_score", system))
            for (system, where), stream in self.streams.items()
            if len(stream.buckets.low)
        }

    def counted(self, data: Mapping[tuple[str, Slice | None], Scored], at: float | None) -> Counted:
        """Return the counts of the labels that a threshold makes of the scores; without one, of the true labels."""
        samples = {key: _sample(x, at) for key, x in data.items()}
        labels = next(iter(data.values())).labels
        systems = tuple(self.table.systems)
        return Counted(samples, systems, self.slices, labels, self.rows, {}, self.dropped)


def read_paired(asked: Asked, y_score: object, measures: object, seed: int) -> LargeScores | None:
    """Return the scores of several systems, and a random sample of items, of data that are too large for memory.

    None if they are not too large, or must be read at once, as for slices and for rows that stand for several items.
    """
    if asked.by is not None or asked.count is not None:
        return None
    budget = None if asked.memory_limit is None else as_bytes(asked.memory_limit)
    most = SAMPLED if budget is None else max(_FEWEST, min(SAMPLED, budget // SCORED))
    return read_large(asked, y_score, None, measures, PairedSample(most, seed))


def read_large(
    asked: Asked, y_score: object, threshold: object, measures: object, sample: PairedSample | None = None
) -> LargeScores | None:
    """Return the scores of data that are too large for memory; None if they are not, or must be read at once.

    With a `sample`, all systems are measured on the items that each of them has a score for.
    """
    if asked.groups is not None or asked.labels is not None or are_runs(asked):
        return None
    if asked.missing not in ("error", "drop"):
        return None
    with _opened(asked, y_score) as table:
        if table is None or not _has_numbers(table) or not table.reader.can_batch():
            return None
        found = table.reader.row_counts([table.true, *table.by])
        table.check_rows(sum(found.values()))
        rows, budget = sum(found.values()), None if asked.memory_limit is None else as_bytes(asked.memory_limit)
        items = rows if table.count is None else max(rows, table.reader.total(table.count))
        if items <= (LARGE if budget is None else budget // SCORED):
            return None
        return _BatchReader(table, found, asked, threshold, measures, sample).read(rows)


@contextmanager
def _opened(asked: Asked, y_score: object) -> Iterator[LazyColumns | None]:
    """Open what may be large; None for data that are in memory, or small, or that have a column for each class."""
    from_files = are_paths(asked.data, asked.y_true, y_score if isinstance(y_score, str) else None)
    from_frame = not from_files and asked.y_true is not None and is_frame(asked.data) and _is_lazy(asked.data)
    if not from_files and not from_frame:
        yield None
        return
    spec, by = systems_of(y_score), names_of(asked.by, "by")
    if any(len(columns) != 1 for columns in spec.values()) or (
        from_files and asked.count is None and _are_small(asked.data)
    ):
        yield None
    elif from_files:
        scores = tuple(columns[0] for columns in spec.values())
        with opened_files(replace(asked, y_pred=scores)) as files:
            header = [x for x in files.header if x not in (asked.sample_weight, asked.count, *by)]
            true, scores = guess_scores(header, asked.y_true, scores)
            spec = spec or {name: (name,) for name in scores}
            numbers = [*scores, *(x for x in (asked.sample_weight, asked.count) if x is not None)]
            source = Provenance(
                FILES, files.paths, true, weight=asked.sample_weight, by=by, missing=asked.missing,
                scores=typed(spec), pool=files.pool, parts=files.parts, systems=tuple(spec), count=asked.count,
                guessed=asked.y_true is None or y_score is None, na_values=asked.na_values,
            )  # fmt: skip
            systems = {name: columns[0] for name, columns in spec.items()}
            reader = reader_of(files.frame([true, *by], numbers))
            if not reader.is_lazy:
                yield None
                return
            lazy = cast(LazyTableReader, reader)
            table = LazyColumns(lazy, true, systems, by, asked.sample_weight, asked.count, files.untyped, source)
            yield replace(table, check_rows=lambda rows: files.check_rows(rows, numbers))
    else:
        source = replace(asked.described(FRAME, asked.y_true, tuple(spec), by, False), scores=typed(spec))
        systems = {name: columns[0] for name, columns in spec.items()}
        yield LazyColumns(
            lazy_reader_of(asked.data), asked.y_true, systems, by, asked.sample_weight, asked.count, None, source
        )


def _is_lazy(frame: object) -> bool:
    return not is_dataset(frame) and reader_of(frame).is_lazy


def _are_small(data: object) -> bool:
    """Return whether files are too small to have very many rows, or are open already."""
    paths = [data] if isinstance(data, (str, os.PathLike)) else data
    if not isinstance(paths, (list, tuple)):
        return True
    named = [Path(x) for x in paths]
    if not all(x.is_file() and x.suffix.lower() in _TEXT for x in named):
        return False
    return sum(x.stat().st_size for x in named) < LARGE * _LEAST


def _has_numbers(table: LazyColumns) -> bool:
    """Return whether scores and weights are columns of numbers; others are read at once, which says what is wrong."""
    numbers = [*table.systems.values(), *table.numbers]
    return table.reader.are_numbers(numbers) and table.true in table.reader.columns


class _BatchReader:
    """Reads a table in batches."""

    def __init__(
        self, table: LazyColumns, found: dict[tuple[Label, ...], int], asked: Asked, threshold: object,
        measures: object, sample: PairedSample | None,
    ) -> None:  # fmt: skip
        self.sample = sample
        self.table, self.asked, self.threshold, self.measures = table, asked, threshold, measures
        raw = [list(dict.fromkeys(values)) for values in zip(*found, strict=True)]
        self.labels, self.reading = self._canonical(table.true, raw[0], table.untyped)
        as_written = None if table.untyped is None else TextRule()
        self.values = [
            self._canonical(name, values, as_written)[0] for name, values in zip(table.by, raw[1:], strict=True)
        ]
        self.absent = [] if self.reading is None else list(self.reading.absent)
        if self.reading is not None:
            times = Counter[Label]()
            for (label, *_), number in found.items():
                times[label] += number
            refuse_ambiguous(self.reading, times)
            self.reading = replace(self.reading, absent={x: times[x] for x in self.absent})
            if self.absent and asked.missing == "error":
                refuse_spellings(table.true, self.reading.absent, times.total(), of_scores=True)
        positive = asked.positive
        if positive is not None:
            positive = next((x for x in self.labels.values() if str(x) == str(positive)), positive)
        self.rarer = self._rarer() if positive is None else None
        self.positive = positive = positive if self.rarer is None else self.rarer.label
        known = [x for x in dict.fromkeys(self.labels.values()) if x is not None]
        self.truth = truth_of(known, positive, "drop")
        self.hits = [label for label, x in self.labels.items() if x is not None and x == self.truth.positive]
        self.slices = tuple(self._slices([key[1:] for key in found]))

    def _rarer(self) -> PositiveClass | None:
        """Return the rarer class of the true labels, where it has to be chosen as the positive one."""
        numbers = self.table.reader.row_counts([self.table.true], self.table.count)
        rows = [(self.labels.get(raw), number) for (raw,), number in numbers.items()]
        known = [(label, number) for label, number in rows if label is not None]
        if not known:
            return None
        labels = as_column([label for label, _ in known], Argument("y_true"))
        counts = np.array([number for _, number in known], np.int64)
        return of_samples([Sample(count_columns(labels, labels, weights=counts, whole=True))])

    def _canonical(
        self, name: str, raw: Sequence[object], rule: TextRule | None
    ) -> tuple[dict[Label, object], LabelReading | None]:
        """Return what each raw value of a column stands for, and how text was read."""
        present = [x for x in raw if x is not None and x == x]
        meant, reading = self.table.reader.meant(name, present), None
        if rule is not None:
            reading = reading_of(dict.fromkeys(meant), rule)
            meant = [reading.item(x) for x in meant]
        return dict(zip(present, meant, strict=True)) | {None: None}, reading

    def _slices(self, found: Sequence[tuple[object, ...]]) -> Iterator[Slice]:
        """Yield the slices: of each column, then of all columns together."""
        by = self.table.by
        keys = [tuple(self.values[k].get(x) for k, x in enumerate(key)) for key in found]
        groups = [[k] for k in range(len(by))] + ([list(range(len(by)))] if len(by) > 1 else [])
        for places in groups:
            seen = dict.fromkeys(tuple(key[k] for k in places) for key in keys)
            for values in sorted(seen, key=lambda key: [(x is None, _order(x)) for x in key]):
                yield Slice(zip((by[k] for k in places), values, strict=True))

    def read(self, rows: int) -> LargeScores:
        """Read all batches, and return the counts."""
        table = self.table
        most = share_of_most(len(table.systems) * (1 + len(self.slices)))
        chosen, at = _score_measures(self.measures), self.threshold
        at = float(at) if isinstance(at, (int, float)) and not isinstance(at, bool) else None
        keys: list[tuple[str, Slice | None]] = [(system, None) for system in table.systems]
        keys += [(system, where) for system in table.systems for where in self.slices]
        streams = {key: ScoreStream(chosen, at, most, weighted=table.weight is not None) for key in keys}
        dropped = dict.fromkeys(table.systems, 0)
        if table.count is not None:
            rows = 0
        for batch in table.reader.batches(list(dict.fromkeys(table.names))):
            rows += self._add(batch, streams, dropped)
        if not any(len(x.buckets.low) for x in streams.values()):
            raise InputError("{y_true} has no items", advice="a measure needs at least one")
        reading = None if self.reading is None else str(self.reading)
        notes = (*table.source.notes, *([spellings_note(self.reading.absent)] if self.reading and self.absent else []))
        source = choosing(replace(table.source, reading=reading, positive=self.positive, notes=notes), self.rarer)
        table = replace(table, source=source)
        found = LargeScores(table, self.truth, self.slices, rows, streams, dropped, self.sample)
        if self.rarer is not None:
            whole = [x for (_, where), x in found.scored().items() if where is None]
            check_scores({x.argument: area(x.ranking.counts) for x in whole}, *whole[0].labels)
        return found

    def _add(
        self, batch: Frame, streams: Mapping[tuple[str, Slice | None], ScoreStream], dropped: dict[str, int]
    ) -> int:
        """Count the rows of a batch in the streams of each system and slice; return their items, if a column counts."""
        table, true = self.table, batch[self.table.true]
        if table.count is not None and not _floats(batch[table.count]).any():
            return 0
        hit = np.asarray(true.is_in(self.hits).fill_null(False).to_numpy(), bool)
        labelled = ~np.asarray(true.is_null().to_numpy(), bool)
        if self.absent:
            labelled &= ~np.asarray(true.is_in(self.absent).fill_null(False).to_numpy(), bool)
        if true.dtype.is_float():
            labelled &= ~np.isnan(_floats(true))
        weights = None if table.weight is None else _weights(batch[table.weight])
        times = None if table.count is None else as_item_counts(_floats(batch[table.count]), len(batch))
        masks = {where: self._mask(batch, where) for where in self.slices}
        scores = {system: _floats(batch[column]) for system, column in table.systems.items()}
        known: dict[str, Array] = {system: labelled & ~np.isnan(x) for system, x in scores.items()}
        if self.sample is not None:  # systems are compared on the same items
            everywhere: Array = np.all(list(known.values()), axis=0)
            known = dict.fromkeys(known, everywhere)
        used = labelled
        for system, there in known.items():
            absent = int((~there).sum() if times is None else times[~there].sum())
            if absent and self.asked.missing != "drop":
                raise InputError(
                    "{name} or the true label is missing for {number:,} items or more", number=absent,
                    name=Argument("y_score", system), advice="{missing:=drop} leaves such items out",
                )  # fmt: skip
            dropped[system] += absent
            used = there if weights is None else there & (weights > 0)
            used = used if times is None else used & (times > 0)
            for where, stream in ((x, streams[system, x]) for x in (None, *self.slices)):
                mask = used if where is None else used & masks[where]
                stream.add(scores[system][mask], hit[mask], *(None if x is None else x[mask] for x in (weights, times)))
        if self.sample is not None:
            beside = None if weights is None else weights[used]
            self.sample.add(hit[used], [x[used] for x in scores.values()], beside)
        return 0 if times is None else int(times.sum())

    def _mask(self, batch: Frame, where: Slice) -> Array:
        """Return which rows belong to a slice."""
        found = np.ones(len(batch), bool)
        for name, value in where:
            column, known = batch[name], self.values[self.table.by.index(name)]
            raw = [x for x, meant in known.items() if x is not None and meant == value]
            here = column.is_null() if value is None else column.is_in(raw).fill_null(False)
            found &= np.asarray(here.to_numpy(), bool)
        return found


def _order(value: Label) -> tuple[int, float, str]:
    """Return what a slice is sorted by: numbers by size, before text."""
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return 0, value, ""
    return 1, 0, str(value)


def _floats(series: Frame) -> Array:
    """Return a column of numbers as floats, with NaN where one is missing."""
    from goodmeasure.packages import nw

    return np.asarray(series.cast(nw.Float64).to_numpy(), np.float64)


def _weights(series: Frame) -> Array:
    weights = _floats(series)
    bad = ~((weights >= 0) & np.isfinite(weights))
    if bad.any():
        refuse_weights(series.name, int(bad.sum()), len(weights), float(weights[bad][0]))
    return weights


def _score_measures(measures: object) -> list[ScoreMeasure]:
    """Return the measures of scores among those that were asked for; the usual ones where none was named."""
    named = [
        measure("calibration_error") if isinstance(x, str) and x in SETS
        else measure(x) if isinstance(x, (str, ScoreMeasure, ScoreFamily)) else x
        for x in (["recommended"] if measures is None else as_asked(measures))
    ]  # fmt: skip
    return [x for x in named if isinstance(x, ScoreMeasure)]


def _sample(data: Scored, at: float | None) -> Sample:
    """Return the counts of the labels that a threshold makes of scored items; without one, of the true labels."""
    assert data.merged is not None
    keys = 2 * data.true.astype(np.int64) + (data.true if at is None else data.scores >= at)
    weight, items, squares = (
        np.bincount(keys, x, 4).reshape(2, 2) for x in (data.weights, data.merged.items, data.merged.squares)
    )
    if not data.merged.weighted:
        return Sample(ConfusionMatrix(weight.astype(np.int64), data.labels))
    return Sample.weighted(ConfusionMatrix(weight, data.labels), items.astype(np.int64), squares)
