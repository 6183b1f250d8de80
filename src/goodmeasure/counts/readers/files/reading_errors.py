"""DuckDB's errors in one line of our words: which file, where, what is wrong, and what to do.

DuckDB reports only text, so its messages are matched here by patterns; everything else in the package handles the
exceptions that are made from them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Self

from goodmeasure.counts.readers.files.compression import opened
from goodmeasure.counts.readers.files.file_formats import LabelFile, first_bad_json
from goodmeasure.counts.readers.files.text_records import TROUBLES, not_a_number, trouble
from goodmeasure.exceptions import InputError, InputOSError


@dataclass(frozen=True)
class Complaint:
    """What DuckDB complains of, as data.

    `kind` is a key of `TROUBLES`, "number", "json" or "parquet", and None for everything else.
    """

    kind: str | None
    first: str  # the first line of its message, without the words that say which kind it is
    line: int | None = None
    column: str = ""
    value: str | None = None
    duplicate: str | None = None


# The type of a DuckDB exception says whether memory, an interrupt or a file was the matter, and no more: which line,
# column and value, and what is wrong with them, is in its English text alone. That text is read in the next functions
# and nowhere else. A version of DuckDB with other words costs a vaguer message, until these patterns follow.
_NUMBER = re.compile(r'Error when converting column "(.*?)"\. Could not convert string "(.*?)" to', re.DOTALL)
_KINDS = {  # by the family of formats, as words of one may stand in a message about another
    "csv": (
        ("encoding", re.compile("Invalid unicode|not utf-8")),
        ("long line", re.compile("Maximum line size")),
    ),
    "parquet": (("parquet", re.compile("arquet|magic bytes|Footer")),),
}


def _complaint(message: str, first: str, family: str) -> Complaint:
    """Read DuckDB's message about a table of text or Parquet, of which `first` is the first line."""
    at = re.search(r"Error on Line: (\d+)", message)
    line = int(at[1]) if at else None
    if number := _NUMBER.search(message):
        return Complaint("number", first, line, number[1], number[2])
    kinds = _KINDS.get(family, ())
    return Complaint(next((kind for kind, words in kinds if words.search(message)), None), first, line)


def _json_complaint(message: str) -> Complaint | None:
    """Read DuckDB's message about a JSON file; None where it is about something else than JSON."""
    if "JSON" not in message:
        return None
    value = re.search(r"(?:Could not convert string|cast value)[^'\"]*['\"](.*?)['\"]", message)
    at = re.search(r"in line (\d+)", message)
    duplicate = re.search(r'has duplicate key "(.*?)"', message)
    kind = "number" if value and "transform error" in message else "json"
    return Complaint(
        kind, "", int(at[1]) if at else None, value=value[1] if value else None,
        duplicate=duplicate[1] if duplicate else None,
    )  # fmt: skip


class ClosedAfterReading:
    """Closes itself at the end of a with block, and says in one line what ended DuckDB's work: Ctrl-C, or memory."""

    _limit: str | None = None

    def close(self) -> None:
        """Release what was opened."""
        raise NotImplementedError

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
        if was_interrupted(error):
            raise KeyboardInterrupt from None
        if type(error).__name__ == "OutOfMemoryException":  # without importing DuckDB, which may not have been used
            raise out_of_memory(self._limit) from None


def was_interrupted(error: BaseException | None) -> bool:
    """Return whether DuckDB was stopped by Ctrl-C.

    DuckDB has an exception for that, but may also raise a plain RuntimeError.
    """
    return isinstance(error, RuntimeError) and str(error) == "Query interrupted"


def one_line(
    error: Exception,
    sources: Sequence[LabelFile],
    numbers: dict[str, str],
    limit: str | None,
    role: str = "weight column",
) -> Exception:
    """Return DuckDB's error as an exception with a message of one line.

    `numbers` maps the names of number columns in the query to the user's names, and `role` is what the message calls
    such a column.
    """
    from goodmeasure.packages import duckdb

    message = str(error)
    if isinstance(error, duckdb.InterruptException):
        return KeyboardInterrupt()  # type: ignore[return-value]
    if isinstance(error, duckdb.OutOfMemoryException):
        return out_of_memory(limit)
    source, family = _which(message, sources), sources[0].family if sources else ""
    words = _without_paths(message, sources)
    of_json = _json_complaint(words) if family == "json" else None
    if of_json is not None and source is not None:
        return _json(of_json, source, numbers, role)
    where, about = source.shown if source else "a file", _complaint(words, _first(message), family)
    place = where if about.line is None else f"line {about.line + (source.skipped if source else 0)} of {where}"
    if about.kind == "number":
        return not_a_number(role, repr(numbers.get(about.column, about.column)), about.value, place)
    if about.kind in TROUBLES:
        return trouble(about.kind, place)
    if about.kind == "parquet":
        return InputError(
            "{where} is a damaged or cut off Parquet file ({first})", where=where, first=about.first,
            advice="get or write it again",
        )  # fmt: skip
    refusal = InputOSError if isinstance(error, duckdb.IOException) else InputError
    return refusal("{where} could not be read: {first}", where=where, first=about.first)


def out_of_memory(limit: str | None) -> InputOSError:
    """Return the error about a lack of memory."""
    advice = "allow more, or use fewer threads, slices or groups"
    if limit is None:
        return InputOSError("counting needs more than the memory that there is", advice=advice)
    return InputOSError(
        "counting needs more than the memory limit of {got}", argument="memory_limit", got=limit, advice=advice
    )


def is_about(error: Exception, sources: Sequence[LabelFile]) -> bool:
    """Return whether DuckDB's error names one of these files."""
    message = str(error)
    return any(str(source.path) in message for source in sources)


def _which(message: str, sources: Sequence[LabelFile]) -> LabelFile | None:
    """Return the file that an error is about, if it says which."""
    for source in sources:
        if f"file = {source.path}\n" in message or f'"{source.path}"' in message or f"'{source.path}'" in message:
            return source
    return sources[0] if len(sources) == 1 else next((x for x in sources if str(x.path) in message), None)


def _without_paths(message: str, sources: Sequence[LabelFile]) -> str:
    """Return a message without the names of files: a folder may be called as a format is."""
    for source in sources:
        message = message.replace(str(source.path), "")
    return message


def _json(about: Complaint, source: LabelFile, numbers: dict[str, str], role: str) -> Exception:
    """Return the exception for an error in a JSON file."""
    place = source.shown if about.line is None else f"line {about.line} of {source.shown}"
    if about.kind == "number" and numbers:
        return not_a_number(role, " or ".join(map(repr, numbers.values())), about.value, place)
    if about.duplicate is not None:
        return InputError(
            "{place} has the key {got!r} twice", place=place, got=about.duplicate, advice="name every column once"
        )
    number = None
    if source.format == "json" and source.compression in ("none", "gzip"):
        with opened(source.path, source.compression) as stream:
            number = first_bad_json(iter(stream))
    place = f"line {number} of {source.shown}" if number else source.shown
    return InputError(
        "{place} is not a JSON object", place=place, example='{"true": "ham", "pred": "spam"}',
        expected="one such as {example} on each line",
    )  # fmt: skip


def _first(message: str) -> str:
    """Return the first line of a message, without the words that say which kind of error it is."""
    first = re.sub(r"^[A-Z][A-Za-z ]* Error: ", "", message.strip().splitlines()[0])
    return re.sub(r" (?:in|of) file ['\"].*['\"]$", "", first)
