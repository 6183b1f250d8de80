"""Recognising a file of labels by its contents: format, compression, delimiter and columns."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from goodmeasure.counts.readers.files.compression import PIECE, BrokenFileError, beginning, broken, compression_of
from goodmeasure.counts.text_labels import looks_missing
from goodmeasure.exceptions import InputError

DELIMITERS = (",", "\t", ";", "|")
_LOOKED_AT = 1000  # how many records show whether numbers have a decimal comma
_FRACTION = re.compile(r"\s*[+-]?[0-9]*[.,][0-9]+(?:[eE][+-]?[0-9]+)?\s*", re.ASCII)
_BOM = b"\xef\xbb\xbf"
_FOREIGN = {  # the first bytes of other files that people try, and what to do about them
    b"PK\x03\x04": ("a zip archive", "unpack it"),
    b"%PDF": ("a PDF", "a table is needed, such as CSV"),
    b"\x89HDF": ("an HDF5 file", "save the table as CSV or Parquet"),
    b"\x93NUMPY": ("a NumPy array", "a table with named columns is needed, such as CSV"),
    b"\x80\x04\x95": ("a Python pickle", "save the table as CSV or Parquet"),
    b"\x80\x05\x95": ("a Python pickle", "save the table as CSV or Parquet"),
    b"\x04\x22\x4d\x18": ("compressed with lz4", "unpack it, or compress it with gzip"),
}
# The first bytes of text in other encodings: a byte order mark, or letters of ASCII.
_ENCODINGS = {
    "UTF-32": re.compile(rb"\xff\xfe\0\0|\0\0\xfe\xff|[\t-~]\0\0\0|\0\0\0[\t-~]"),
    "UTF-16": re.compile(rb"\xff\xfe|\xfe\xff|(?:[\t-~]\0){2}|(?:\0[\t-~]){2}"),
}


@dataclass(frozen=True, slots=True)
class LabelFile:
    """A file and how it is read."""

    path: Path
    shown: str  # the name that the user knows
    format: str  # csv, json, json array, parquet, arrow, arrow stream, database
    compression: str = "none"
    names: tuple[str, ...] = ()  # the columns of a text file; () if the engine finds them
    delimiter: str = ","
    skipped: int = 0  # empty lines before the header, which are not in `path`
    start: int = 0  # bytes before the header
    has_bom: bool = False
    looks_headless: bool = False
    table: str = ""  # the expression of SQL for the rows of a database's table, or of several Parquet files
    commas: frozenset[str] = frozenset()  # columns that seem to be numbers with a decimal comma
    lacking: frozenset[str] = frozenset()  # columns of numbers in which a word such as NA stands for none
    broken_header: int = 0  # bytes of a header with line breaks in it; 0: it is one line
    header: bytes = b""  # a line that stands for such a header

    @property
    def is_typed(self) -> bool:
        """Whether DuckDB reads columns that have types."""
        return self.family in ("parquet", "database")

    def place(self, line: int) -> str:
        """Return how a message names a line."""
        return f"line {line} of {self.shown}"

    @property
    def family(self) -> str:
        """The format without its variant; files of one family can be read together."""
        return self.format.partition(" ")[0]


def recognised(path: Path, shown: str, wanted: Sequence[str] = ()) -> LabelFile:
    """Return how a file is to be read, judging by its first megabyte."""
    with path.open("rb") as stream:
        start = stream.read(8)
    if not start:
        raise InputError("{shown} is empty", shown=shown, advice="there is nothing to count")
    compression = compression_of(start)
    try:
        head = beginning(path, compression)
    except BrokenFileError as error:
        raise broken(shown, error) from None
    if not head:
        raise InputError("{shown} is empty", shown=shown, advice="there is nothing to count")
    binary = {b"PAR1": "parquet", b"ARROW1": "arrow", b"FEA1": "arrow", b"\xff\xff\xff\xff": "arrow stream"}
    for magic, kind in binary.items():
        if head.startswith(magic):
            return LabelFile(path, shown, kind, compression)
    for magic, (what, todo) in _FOREIGN.items():
        if head.startswith(magic):
            raise InputError("{shown} is {what}", shown=shown, what=what, advice=todo)
    for name, pattern in _ENCODINGS.items():
        if pattern.match(head):
            raise InputError(
                "{shown} is {name} text", shown=shown, name=name,
                advice="convert it, for example with iconv -f {name} -t UTF-8",
            )  # fmt: skip
    if b"\x00" in head:
        raise InputError("{shown} is not a table of text", shown=shown, advice="it holds binary data")
    return _text(path, shown, compression, head, wanted)


def _text(path: Path, shown: str, compression: str, head: bytes, wanted: Sequence[str]) -> LabelFile:
    """Return how a file of text is to be read."""
    has_bom = head.startswith(_BOM)
    text = head.removeprefix(_BOM).decode("utf-8", errors="replace")
    if not text.strip():
        raise InputError("{shown} is empty", shown=shown, advice="there is nothing to count")
    whole = len(head) < PIECE
    first = text.lstrip()[0]
    if first == "{" or (first == "[" and _is_json_array(text)):
        if _TURNED_JSON.match(text) and "\n{" not in text.strip():  # JSON lines of nested objects begin the same way
            raise InputError(
                "{shown} is one JSON object, as pandas' to_json() writes it by default", shown=shown,
                advice="write an object for each item, with to_json(path, orient='records', lines=True)",
            )  # fmt: skip
        kind = "json" if first == "{" else "json array"
        return LabelFile(path, shown, kind, compression, has_bom=has_bom, start=has_bom * len(_BOM))
    empty = len(text) - len(text.lstrip("\r\n"))
    skipped = len(text[:empty].splitlines())
    text = text[empty:]
    suffixes = [x.casefold() for x in Path(shown).suffixes]
    order = ("\t", *DELIMITERS) if ".tsv" in suffixes or ".tab" in suffixes else DELIMITERS
    delimiter = _delimiter(text, whole, dict.fromkeys(order), wanted)
    sample = list(_records(text, delimiter, whole, 20))
    if not sample:
        raise InputError(
            "the first line of {shown} cannot be split into columns",
            shown=shown,
            why="is longer than 1 MB" if not whole and "\n" not in text else "has a quote that does not fit",
            advice="it {why}, and should hold the names of the columns",
        )
    start, names = has_bom * len(_BOM) + empty, tuple(sample[0])
    commas, lacking = number_columns(list(_records(text, delimiter, whole, _LOOKED_AT)))
    found = LabelFile(
        path, shown, "csv", compression, names, delimiter, skipped, start, has_bom, _looks_headless(sample),
        commas=commas, lacking=lacking,
    )  # fmt: skip
    return _with_one_line(found, head[start:]) if any("\n" in x or "\r" in x for x in names) else found


def _with_one_line(source: LabelFile, head: bytes) -> LabelFile:
    """Return a file whose header has line breaks, with a line that stands for the header: DuckDB may not see it."""
    taken: list[str] = []

    def lines() -> Iterator[str]:
        for line in io.StringIO(head.decode("utf-8", errors="surrogateescape"), newline=""):
            taken.append(line)
            yield line

    next(csv.reader(lines(), delimiter=source.delimiter, strict=True))
    plain = source.delimiter.join(f"c{k}" for k in range(len(source.names)))
    end = taken[-1][len(taken[-1].rstrip("\r\n")) :]
    return replace(
        source, skipped=source.skipped + len(taken) - 1, header=(plain + end).encode(),
        broken_header=len("".join(taken).encode("utf-8", errors="surrogateescape")),
    )  # fmt: skip


def number_columns(sample: list[list[str]]) -> tuple[frozenset[str], frozenset[str]]:
    """Return the columns of numbers with a decimal comma, and those where words stand for missing numbers.

    >>> number_columns([["label", "score", "w"], ["a", "0,5", "1"], ["b", "NA", "2"]])
    (frozenset({'score'}), frozenset({'score'}))
    """
    fields = zip(*(x for x in sample[1:] if len(x) == len(sample[0])), strict=True)
    columns = dict(zip(sample[0], fields, strict=False))
    commas = frozenset(name for name, column in columns.items() if has_decimal_comma(column))
    return commas, frozenset(name for name, column in columns.items() if has_missing_numbers(column))


def has_missing_numbers(fields: Iterable[str]) -> bool:
    """Return whether all fields are numbers but those that spell out a missing one.

    >>> has_missing_numbers(["0.5", "NA", ""]), has_missing_numbers(["0.5", ""]), has_missing_numbers(["NA", "cat"])
    (True, False, False)
    """
    words = {x for x in fields if x and not is_number(x.replace(",", "."))}
    return bool(words) and all(map(looks_missing, words))


def has_decimal_comma(fields: Iterable[str]) -> bool:
    """Return whether the numbers with a fraction have a decimal comma; whole numbers and other text decide nothing.

    >>> has_decimal_comma(["0,5", "1", ""]), has_decimal_comma(["0,5", "0.5"]), has_decimal_comma(["1", "2"])
    (True, False, False)
    """
    found = {"," in x for x in fields if _FRACTION.fullmatch(x)}
    return found == {True}


_TURNED_JSON = re.compile(  # by column, by index, split, table: the orientations of pandas other than records
    r'\s*\{\s*(?:"(?:[^"\\]|\\.)*"\s*:\s*\{\s*"0"\s*:|"0"\s*:\s*\{|"columns"\s*:\s*\[|"schema"\s*:\s*\{\s*"fields")'
)


def _is_json_array(text: str) -> bool:
    """Return whether a text that begins with [ is a list of objects."""
    rest = text.lstrip()[1:].lstrip()
    return rest.startswith("{")


def _records(text: str, delimiter: str, whole: bool, most: int) -> Iterator[list[str]]:
    """Yield the first records of a text, without the last one if the text may have been cut off within it."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    before: list[str] | None = None
    try:
        for record in reader:
            if not record:
                continue
            if before is not None:
                yield before
                most -= 1
            if most <= 0:
                return
            before = record
    except csv.Error:  # a misplaced quote: DuckDB will say where
        whole = True
    if before is not None and whole:
        yield before


def _delimiter(text: str, whole: bool, candidates: dict[str, None], wanted: Sequence[str]) -> str:
    """Return the delimiter that splits the first records most evenly, into the columns that are asked for."""

    def merit(delimiter: str) -> tuple[float, ...]:
        records = list(_records(text, delimiter, whole, 50))
        if not records or len(records[0]) < 2:
            return (0, 0.0, 0)
        even = sum(len(x) == len(records[0]) for x in records) / len(records)
        return (sum(name in records[0] for name in wanted), even, len(records[0]))

    return max(candidates, key=merit)  # the first of several equally good ones


def _looks_headless(sample: list[list[str]]) -> bool:
    """Return whether the first record looks like data: all numbers, or values that recur below in every column."""
    if not sample:
        return False
    first, rest = sample[0], sample[1:]
    if all(is_number(x) for x in first):
        return True
    again = [any(len(row) > k and row[k] == name for row in rest) for k, name in enumerate(first)]
    return len(first) > 1 and all(again)


def is_number(text: str) -> bool:
    """Return whether a field of a text file holds a number, in ASCII digits without Python's underscores.

    >>> is_number("007"), is_number("1e3"), is_number("1_0"), is_number("١")
    (True, True, False, False)
    """
    try:
        float(text)
    except ValueError:
        return False
    return text.isascii() and "_" not in text


def first_bad_json(lines: Iterator[bytes]) -> int | None:
    """Return the number of the first line that is not a JSON object, since DuckDB's count of lines is not reliable."""

    def refuse(name: str) -> None:
        raise ValueError(name)

    for number, line in enumerate(lines, 1):
        if line.strip():
            try:
                if not isinstance(json.loads(line, parse_constant=refuse), dict):
                    return number
            except (ValueError, RecursionError):
                return number
    return None
