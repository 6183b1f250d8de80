"""Plain files of delimited text, counted by the compiled scanner: most files of predictions are plain.

Plain means: no quotes, no empty lines, as many fields in every line as in the header, lines that all end alike, and no
compression. Anything else is left to DuckDB, which knows all the rules and says what is wrong with a file.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from goodmeasure.counts.files.file_formats import Source
from goodmeasure.counts.kernel import tally
from goodmeasure.counts.tables.columns import Wanted
from goodmeasure.counts.tables.engines import MOST_PATTERNS, rows_of_counts
from goodmeasure.counts.tables.foreign import Coded
from goodmeasure.counts.tables.rows import Rows
from goodmeasure.typing import Array

BLOCK = 1 << 22  # bytes read at a time
MOST_LABELS = 1 << 20  # different labels of a column: more are left to an engine that can use the disk
MOST_THREADS = 8
_SLACK = 16  # bytes that the scanner may read beyond the text
_DENSE = 1 << 16  # cells of a table that is cheaper than sorting
_MANY = 1 << 22  # counts put aside before they are added up
_MODERATE = 1 << 26  # bytes of text whose patterns may be sorted for a comparison that follows


class NotPlainError(Exception):
    """The text is not plain: another reader has to be asked."""


class ManyPatternsError(NotPlainError):
    """The labels of all systems together have too many patterns to be counted here."""


class PlainText:
    """Files of plain text as a frame that can be counted, with another frame for all that is not plain."""

    def __init__(self, sources: Sequence[Source], otherwise: Callable[[], Any], threads: int | None = None) -> None:
        self.sources, self.otherwise = sources, otherwise
        self.threads = min(threads or tally.cores(), MOST_THREADS)

    def scans(self, wanted: Wanted) -> bool:
        """Whether the scanner counts such columns; weights, groups and slices are left to `otherwise`."""
        return wanted.weight is None and wanted.group is None and not wanted.by

    def counted(self, wanted: Wanted) -> dict[str, Rows] | None:
        """The distinct rows of each system with their numbers; None: ask `otherwise`."""
        return self._scanned(wanted, jointly=False) if self.scans(wanted) else None

    def counted_jointly(self, wanted: Wanted, *, only_if_cheap: bool = False) -> dict[str, Rows] | None:
        """The distinct rows of all systems together with their numbers; None: ask `otherwise`.

        With `only_if_cheap`, too many patterns are an error, and long texts are counted so only while their patterns
        fit a small table: beyond it, patterns are sorted, which takes longer than to count the systems one by one.
        """
        if not self.scans(wanted):
            return None
        try:
            return self._scanned(wanted, jointly=True, dense_only=only_if_cheap and not self._is_moderate())
        except ManyPatternsError:
            if only_if_cheap:
                raise
            return None

    def _is_moderate(self) -> bool:
        return sum(source.path.stat().st_size for source in self.sources) <= _MODERATE

    def _scanned(self, wanted: Wanted, jointly: bool, dense_only: bool = False) -> dict[str, Rows] | None:
        names = list(wanted.columns)
        systems = [names.index(x) for x in wanted.systems]
        sets = [tuple(range(len(names)))] if jointly else [(0, k) for k in systems]
        try:
            found = _Patterns(names, sets, MOST_PATTERNS if jointly else None, dense_only)
            with ThreadPoolExecutor(self.threads) as pool:
                _scan_all(pool, self.sources, names, found, self.threads)
        except ManyPatternsError:
            raise
        except (NotPlainError, OSError):
            return None
        if not found.rows:
            return None
        rows = {}
        for k, name in zip(systems, wanted.systems, strict=True):
            columns, number = found.of(sets[0] if jointly else (0, k))
            rows[name] = rows_of_counts(
                {"t": columns[0], "p": columns[k if jointly else -1]}, number, None, name, wanted
            )
        return rows


def is_plain(source: Source) -> bool:
    """Whether a file may be plain; its text is not yet looked at."""
    return (
        tally.scanner is not None
        and source.family == "csv"
        and source.compression == "none"
        and len(source.names) >= 2
        and len(source.delimiter) == 1
        and source.delimiter.isascii()
    )


class _Patterns:
    """Patterns of labels with how often they occur, gathered from scanners that each have their own codes."""

    def __init__(
        self, names: Sequence[str], sets: Sequence[tuple[int, ...]], most: int | None, dense_only: bool
    ) -> None:
        self.sets, self.most, self.dense_only = sets, most, dense_only
        self.labels: list[dict[str, int]] = [{} for _ in names]
        self.parts: dict[tuple[int, ...], list[tuple[Array, Array]]] = {x: [] for x in sets}
        self.rows = 0

    def take(self, codes: dict[tuple[int, ...], tuple[Array, Array]], labels: list[list[bytes]], rows: int) -> None:
        """What one scanner found: its codes become ours."""
        places = [np.array([-1] + [self._place(k, x) for x in found]) for k, found in enumerate(labels)]
        for chosen, (patterns, number) in codes.items():
            moved = np.stack([places[k][patterns[:, i] + 1] for i, k in enumerate(chosen)], axis=1)
            self.parts[chosen].append((moved, number))
        self.rows += rows

    def _place(self, column: int, label: bytes) -> int:
        known = self.labels[column]
        try:
            return known.setdefault(label.decode("utf-8"), len(known))
        except UnicodeDecodeError:
            raise NotPlainError from None

    def of(self, chosen: tuple[int, ...]) -> tuple[list[Coded], Array]:
        """The labels of each column of the patterns, and how often each pattern occurs."""
        patterns, number = _added([x for x, _ in self.parts[chosen]], [x for _, x in self.parts[chosen]])
        columns = [Coded(patterns[:, i], list(self.labels[k])) for i, k in enumerate(chosen)]
        return columns, number


def _added(patterns: list[Array], numbers: list[Array]) -> tuple[Array, Array]:
    """Equal patterns become one, with the sum of their numbers."""
    found, inverse = np.unique(np.concatenate(patterns), axis=0, return_inverse=True)
    number = np.zeros(len(found), np.int64)
    np.add.at(number, inverse.reshape(-1), np.concatenate(numbers))
    return found, number


def _scan_all(pool: Any, sources: Sequence[Source], names: list[str], found: _Patterns, threads: int) -> None:
    stop: list[bool] = []
    tasks = []
    try:
        for source in sources:
            returns, pieces = _pieces(source, threads)
            tasks += [pool.submit(_scan, source, names, returns, (start, end), found, stop) for start, end in pieces]
        for task in tasks:
            found.take(*task.result())
    finally:
        stop.append(True)  # whatever happened, nobody goes on alone


def _pieces(source: Source, threads: int) -> tuple[bool, list[tuple[int, int]]]:
    """Whether lines end with a carriage return, and the parts of a file for each thread, cut at ends of lines."""
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
    source: Source,
    names: list[str],
    returns: bool,
    piece: tuple[int, int],
    wanted: _Patterns,
    stop: list[bool],
) -> tuple[dict[tuple[int, ...], tuple[Array, Array]], list[list[bytes]], int]:
    """The patterns of a part of a file, in the codes of one scanner."""
    scanner = tally.scanner
    columns = [source.names.index(x) for x in names]
    state = scanner.open(len(source.names), columns, ord(source.delimiter), returns, MOST_LABELS)
    codes = np.empty((len(columns), BLOCK // len(source.names) + 1), np.int32)
    tallies = {x: _Tally(wanted.most, wanted.dense_only) for x in wanted.sets}
    rows = 0
    for text, size in _blocks(source.path, *piece, returns):
        if stop:
            raise NotPlainError
        answer = scanner.scan(state, text, size, codes)
        if answer is None or answer[1] != size:
            raise NotPlainError
        rows += answer[0]
        for chosen, tally_of in tallies.items():
            tally_of.add([codes[k, : answer[0]] for k in chosen])
    labels = [scanner.labels(state, k) for k in range(len(columns))]
    return {x: found.result() for x, found in tallies.items()}, labels, rows


def _blocks(path: Path, start: int, end: int, returns: bool) -> Iterator[tuple[bytearray, int]]:
    """Whole lines, a block at a time, in a buffer that is used again; the last line gets its end if it has none."""
    buffer, kept = bytearray(BLOCK + _SLACK), 0
    ending = b"\r\n" if returns else b"\n"
    with Path(path).open("rb", buffering=0) as stream:
        stream.seek(start)
        left = end - start
        while left:
            read = stream.readinto(memoryview(buffer)[kept : min(BLOCK - len(ending), kept + left)])
            if not read:
                raise NotPlainError  # the file became shorter
            left -= read
            filled = kept + read
            if not left and buffer[filled - 1] != ord("\n"):
                buffer[filled : filled + len(ending)] = ending
                filled += len(ending)
            size = buffer.rfind(b"\n", 0, filled) + 1
            if not size:
                if filled >= BLOCK - len(ending):
                    raise NotPlainError  # a line that is longer than a block
                kept = filled
                continue
            yield buffer, size
            kept = filled - size
            buffer[:kept] = buffer[size:filled]
            buffer[kept : kept + _SLACK] = bytes(_SLACK)


class _Tally:
    """How often each pattern of codes occurs, block by block."""

    def __init__(self, most: int | None, dense_only: bool) -> None:
        self.most, self.dense_only = most, dense_only
        self.patterns: list[Array] = []
        self.numbers: list[Array] = []
        self.waiting = 0

    def add(self, columns: list[Array]) -> None:
        """Count the patterns of a block."""
        sides = [int(x.max(initial=-1)) + 2 for x in columns]
        cells = math.prod(sides)
        dense = cells < _DENSE
        if cells >= 1 << 62 or (self.dense_only and not dense):
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
        if self.most is not None and len(self.numbers) == 1 and len(self.numbers[0]) > self.most:
            raise ManyPatternsError  # as many patterns as items, nearly

    def result(self) -> tuple[Array, Array]:
        """The patterns and how often each occurs."""
        if len(self.numbers) != 1:
            found, number = _added(self.patterns, self.numbers)
            self.patterns, self.numbers, self.waiting = [found], [number], len(number)
        return self.patterns[0], self.numbers[0]
