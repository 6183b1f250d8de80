"""Counting plain files of delimited text with the compiled scanner, since most files of predictions are plain.

Plain means: no quotes, no empty lines, as many fields in every line as in the header, the same line ending throughout,
and no compression. Anything else is left to DuckDB, which knows all the rules and says what is wrong with a file.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import numpy as np

from goodmeasure.counts.kernel import tally
from goodmeasure.counts.label_rows import LabelRows
from goodmeasure.counts.readers.columns import WantedColumns
from goodmeasure.counts.readers.engines import MOST_PATTERNS, rows_of_counts
from goodmeasure.counts.readers.files.file_formats import LabelFile
from goodmeasure.counts.readers.foreign import Coded
from goodmeasure.counts.readers.reader import reader_of
from goodmeasure.typing import Array, Frame

BLOCK = 1 << 22  # bytes read at a time
MOST_LABELS = 1 << 20  # a column with more different labels is left to an engine that can use the disk
MOST_THREADS = 8
_SLACK = 16  # bytes that the scanner may read beyond the text
_DENSE = 1 << 16  # up to this many cells, a table is cheaper than sorting
_MANY = 1 << 22  # how many counts may wait before they are added up
_HELD = 4  # how often a label is in memory: in the scanner, as bytes, as text, and in what is counted
_BEGINNING = 1 << 16  # bytes of a file that tell how long its lines are


class NotPlainError(Exception):
    """The text is not plain, so another reader has to be asked."""


class ManyPatternsError(Exception):
    """The labels of all systems form too many patterns to be counted jointly here."""


class _Limits(NamedTuple):
    """What one scanner may hold before it gives up."""

    text: float  # bytes of labels
    patterns: float = math.inf
    only_dense: bool = False  # patterns are counted in a table and never sorted


class PlainText:
    """Files of plain text as a frame that can be counted, with another frame in case the text is not plain."""

    def __init__(
        self, sources: Sequence[LabelFile], otherwise: Callable[[], Frame], threads: int | None = None,
        memory: int | None = None,
    ) -> None:  # fmt: skip
        """Set up counting; `memory` is the number of bytes that everything together may take."""
        self.sources, self.otherwise = sources, otherwise
        self.threads = min(threads or tally.cores(), MOST_THREADS)
        self.text = math.inf if memory is None else memory / (_HELD * self.threads)

    def joint_rows(self, wanted: WantedColumns, most_labels: float = math.inf) -> LabelRows | None:
        """Return the distinct rows of all systems jointly, with how often each occurs.

        None if the systems have more than about `most_labels` labels, and too many patterns for a table: such patterns
        are sorted, which takes longer than counting system by system.
        """
        only_dense = sum(map(_rows_about, self.sources)) * len(wanted.systems) > most_labels
        limits = _Limits(self.text, MOST_PATTERNS, only_dense)
        try:
            found = self._scanned(wanted, limits, [wanted.systems])
        except ManyPatternsError:
            if only_dense:
                return None
            found = []
        return found[0] if found else reader_of(self.otherwise()).joint_rows(wanted, most_labels)

    def rows_by_system(self, wanted: WantedColumns) -> list[LabelRows]:
        """Return the distinct rows of each system, with how often each occurs."""
        found = self._scanned(wanted, _Limits(self.text), [(name,) for name in wanted.systems])
        return found or reader_of(self.otherwise()).rows_by_system(wanted)

    def _scanned(self, wanted: WantedColumns, limits: _Limits, parts: Sequence[tuple[str, ...]]) -> list[LabelRows]:
        """Return the distinct rows of some systems together; none if another reader has to be asked."""
        if wanted.weight is not None or wanted.group is not None or wanted.by:
            return []
        names = list(wanted.columns)
        sets = {part: (0, *map(names.index, part)) for part in parts}
        try:
            found = _Patterns(names, list(dict.fromkeys(sets.values())))
            with ThreadPoolExecutor(self.threads) as pool:
                _scan_all(pool, self.sources, names, found, self.threads, limits)
        except (NotPlainError, OSError):
            return []
        if not found.rows:
            return []
        rows = []
        for part, chosen in sets.items():
            (true, *said), number = found.of(chosen)
            aliases = {f"p{k}": name for k, name in enumerate(part)}
            rows.append(
                rows_of_counts({"t": true, **dict(zip(aliases, said, strict=True))}, number, None, aliases, wanted)
            )
        return rows


def is_plain(source: LabelFile) -> bool:
    """Return whether a file may be plain, without looking at its text yet."""
    return (
        tally.scanner is not None
        and source.family == "csv"
        and source.compression == "none"
        and len(source.names) >= 2
        and len(source.delimiter) == 1
        and source.delimiter.isascii()
    )


def _rows_about(source: LabelFile) -> float:
    """Return about how many rows a file has, judging from the length of its first lines."""
    with source.path.open("rb") as stream:
        beginning = stream.read(_BEGINNING)
    return source.path.stat().st_size * beginning.count(b"\n") / max(1, len(beginning))


class _Patterns:
    """Patterns of labels with how often they occur, gathered from scanners that each have their own codes."""

    def __init__(self, names: Sequence[str], sets: Sequence[tuple[int, ...]]) -> None:
        self.sets = sets
        self.labels: list[dict[str, int]] = [{} for _ in names]
        self.parts: dict[tuple[int, ...], list[tuple[Array, Array]]] = {x: [] for x in sets}
        self.rows = 0

    def take(self, codes: dict[tuple[int, ...], tuple[Array, Array]], labels: list[list[bytes]], rows: int) -> None:
        """Add what one scanner found, with its label codes mapped to the shared codes."""
        places = [np.array([-1] + [self._place(k, x) for x in found]) for k, found in enumerate(labels)]
        for chosen, (patterns, number) in codes.items():
            moved = np.stack([places[k][patterns[:, i] + 1] for i, k in enumerate(chosen)], axis=1)
            self.parts[chosen].append((moved, number))
        self.rows += rows

    def _place(self, column: int, label: bytes) -> int:
        """Return the shared code of a label."""
        known = self.labels[column]
        try:
            return known.setdefault(label.decode("utf-8"), len(known))
        except UnicodeDecodeError:
            raise NotPlainError from None

    def of(self, chosen: tuple[int, ...]) -> tuple[list[Coded], Array]:
        """Return the labels of each column of the patterns, and how often each pattern occurs."""
        patterns, number = _added([x for x, _ in self.parts[chosen]], [x for _, x in self.parts[chosen]])
        columns = [Coded(patterns[:, i], list(self.labels[k])) for i, k in enumerate(chosen)]
        return columns, number


def _added(patterns: list[Array], numbers: list[Array]) -> tuple[Array, Array]:
    """Return the different patterns, each with the sum of its numbers."""
    found, inverse = np.unique(np.concatenate(patterns), axis=0, return_inverse=True)
    number = np.zeros(len(found), np.int64)
    np.add.at(number, inverse.reshape(-1), np.concatenate(numbers))
    return found, number


def _scan_all(
    pool: ThreadPoolExecutor,
    sources: Sequence[LabelFile],
    names: list[str],
    found: _Patterns,
    threads: int,
    limits: _Limits,
) -> None:
    """Scan all files with several threads, and gather what they find."""
    stop: list[bool] = []
    tasks = []
    try:
        for source in sources:
            returns, pieces = _pieces(source, threads)
            tasks += [pool.submit(_scan, source, names, returns, piece, found.sets, limits, stop) for piece in pieces]
        for task in tasks:
            found.take(*task.result())
    finally:
        stop.append(True)  # after an error the other threads stop too


def _pieces(source: LabelFile, threads: int) -> tuple[bool, list[tuple[int, int]]]:
    """Return whether lines end with a carriage return, and a file's parts for the threads, cut at line ends."""
    size = os.stat(source.path).st_size
    with Path(source.path).open("rb") as stream:
        stream.seek(3 if source.has_bom else 0)
        header = stream.readline(BLOCK)
        fields = header.rstrip(b"\r\n").split(source.delimiter.encode())
        if not header.endswith(b"\n") or b'"' in header or b"\r" in header[:-2] or len(fields) != len(source.names):
            raise NotPlainError
        cuts = [stream.tell()]
        wished = max(1, min(threads, (size - cuts[0]) // BLOCK))
        for k in range(1, wished):
            stream.seek(max(cuts[0], cuts[0] + (size - cuts[0]) * k // wished))
            stream.readline()
            cuts.append(min(stream.tell(), size))
    cuts.append(size)
    return header.endswith(b"\r\n"), [(x, y) for x, y in pairwise(cuts) if x < y]


def _scan(
    source: LabelFile,
    names: list[str],
    returns: bool,
    piece: tuple[int, int],
    sets: Sequence[tuple[int, ...]],
    limits: _Limits,
    stop: list[bool],
) -> tuple[dict[tuple[int, ...], tuple[Array, Array]], list[list[bytes]], int]:
    """Return the patterns of a part of a file, in the codes of one scanner."""
    scanner = tally.scanner
    assert scanner is not None
    columns = [source.names.index(x) for x in names]
    state = scanner.open(len(source.names), columns, ord(source.delimiter), returns, MOST_LABELS)
    codes = np.empty((len(columns), BLOCK // len(source.names) + 1), np.int32)
    tallies = {x: _Tally(limits) for x in sets}
    rows, known, kept = 0, np.zeros(len(columns), np.int64), 0.0
    for text, size in _blocks(source.path, *piece, returns):
        if stop:
            raise NotPlainError
        answer = scanner.scan(state, text, size, codes)
        if answer is None or answer[1] != size:
            raise NotPlainError
        rows += answer[0]
        now = np.maximum(known, codes[:, : answer[0]].max(axis=1, initial=-1) + 1)
        kept += float((now - known).sum()) * size / max(1, answer[0])  # a label is no longer than a line, on average
        known = now
        if kept > limits.text:
            raise NotPlainError  # an engine can use the disk
        for chosen, tally_of in tallies.items():
            tally_of.add([codes[k, : answer[0]] for k in chosen])
    labels = [scanner.labels(state, k) for k in range(len(columns))]
    return {x: found.result() for x, found in tallies.items()}, labels, rows


def _blocks(path: Path, start: int, end: int, returns: bool) -> Iterator[tuple[bytearray, int]]:
    """Yield whole lines, one block at a time, in a buffer that is reused; a last line without an end gets one."""
    buffer, kept = bytearray(BLOCK + _SLACK), 0
    ending = b"\r\n" if returns else b"\n"
    with Path(path).open("rb", buffering=0) as stream:
        stream.seek(start)
        left = end - start
        while left:
            read = stream.readinto(memoryview(buffer)[kept : min(BLOCK - len(ending), kept + left)])
            if not read:
                raise NotPlainError  # the file has become shorter meanwhile
            left -= read
            filled = kept + read
            if not left and buffer[filled - 1] != ord("\n"):
                buffer[filled : filled + len(ending)] = ending
                filled += len(ending)
            size = buffer.rfind(b"\n", 0, filled) + 1
            if not size:
                if filled >= BLOCK - len(ending):
                    raise NotPlainError  # a line is longer than a block
                kept = filled
                continue
            yield buffer, size
            kept = filled - size
            buffer[:kept] = buffer[size:filled]
            buffer[kept : kept + _SLACK] = bytes(_SLACK)


class _Tally:
    """How often each pattern of codes occurs, added up block by block."""

    def __init__(self, limits: _Limits) -> None:
        self.limits = limits
        self.patterns: list[Array] = []
        self.numbers: list[Array] = []
        self.waiting = 0

    def add(self, columns: list[Array]) -> None:
        """Count the patterns of a block."""
        sides = [int(x.max(initial=-1)) + 2 for x in columns]
        cells = math.prod(sides)
        dense = cells < _DENSE
        if cells >= 1 << 62 or (self.limits.only_dense and not dense):
            raise ManyPatternsError
        key = columns[0] + (1 if dense else np.int64(1))
        for side, column in zip(sides[1:], columns[1:], strict=True):
            key = key * side + (column + 1)
        if dense:
            table = np.bincount(key)
            keys = np.flatnonzero(table)
            number = table[keys]
        else:
            keys, number = np.unique(key, return_counts=True)
        parts = []
        for side in reversed(sides):
            keys, code = np.divmod(keys, side)
            parts.append(code - 1)
        self.patterns.append(np.stack(parts[::-1], axis=1))
        self.numbers.append(number)
        self.waiting += len(number)
        if self.waiting > _MANY:
            self.result()
        if len(self.numbers) == 1 and len(self.numbers[0]) > self.limits.patterns:
            raise ManyPatternsError  # nearly every item has its own pattern, so counting patterns does not help

    def result(self) -> tuple[Array, Array]:
        """Return the patterns and how often each occurs."""
        if len(self.numbers) != 1:
            found, number = _added(self.patterns, self.numbers)
            self.patterns, self.numbers, self.waiting = [found], [number], len(number)
        return self.patterns[0], self.numbers[0]
