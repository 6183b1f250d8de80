"""DuckDB's errors in one line of our words: which file, where, what is wrong, and what to do.

DuckDB reports only text, so its messages are matched here by patterns; everything else in the package handles the
exceptions that are made from them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from goodmeasure.counts.files.compression import opened
from goodmeasure.counts.files.file_formats import Source, first_bad_json

TOO_LONG = "{} is longer than 2 MB: is a quote not closed, or the file no table?"
_ALL = re.DOTALL
_CSV: tuple[tuple[str, Callable[[re.Match[str]], str]], ...] = (
    (
        r"Expected Number of Columns: (\d+) Found: (\d+)",
        lambda m: (
            f"has {m[2]} field{'s' * (m[2] != '1')} where the header has {m[1]}: "
            "quote a field that holds the delimiter, or mend it"
        ),
    ),
    (
        r"unterminated quote",
        lambda m: (
            'has a quote " that is not closed: close it, or double a quote within a field '
            "(or the field in quotes is longer than 2 MB)"
        ),
    ),
    (
        r"Invalid unicode|not utf-8",
        lambda m: "is not UTF-8 text: convert the file, for example with iconv -f LATIN1 -t UTF-8",
    ),
    (r"Maximum line size", lambda m: TOO_LONG.removeprefix("{} ")),
)


def one_line(
    error: Exception, sources: Sequence[Source], numbers: dict[str, str], limit: str | None, role: str = "weight column"
) -> Exception:
    """Return DuckDB's error as an exception with a message of one line.

    `numbers` maps the names of number columns in the query to the user's names, and `role` is what the message calls
    such a column.
    """
    import duckdb

    message = str(error)
    if isinstance(error, duckdb.InterruptException):
        return KeyboardInterrupt()  # type: ignore[return-value]
    if isinstance(error, duckdb.OutOfMemoryException):
        return OSError(_memory(limit))
    source = _which(message, sources)
    where = source.shown if source else "a file"
    if "JSON" in message and source is not None:
        return _json(message, source, numbers, role)
    line = re.search(r"Error on Line: (\d+)", message)
    place = f"line {int(line[1]) + (source.skipped if source else 0)} of {where}" if line else where
    number = re.search(r'Error when converting column "(.*?)"\. Could not convert string "(.*?)" to', message, _ALL)
    if number:
        name = numbers.get(number[1], number[1])
        return ValueError(f"{role} {name!r} has {number[2]!r} in {place}: expected a number")
    for pattern, phrase in _CSV:
        found = re.search(pattern, message)
        if found:
            return ValueError(f"{place} {phrase(found)}")
    if "invalid state" in message:
        return ValueError(f"{where} has line ends of different kinds, or a stray quote: convert it, as dos2unix does")
    if "arquet" in message or "magic bytes" in message or "Footer" in message:
        return ValueError(f"{where} is a damaged or cut off Parquet file ({_first(message)}): get or write it again")
    said = f"{where} could not be read: {_first(message)}"
    return OSError(said) if isinstance(error, duckdb.IOException) else ValueError(said)


def _memory(limit: str | None) -> str:
    """Return the message about a lack of memory."""
    allowed = f"the memory limit of {limit}" if limit else "the memory that there is"
    return f"counting needs more than {allowed}: allow more, or use fewer threads, slices or groups"


def _which(message: str, sources: Sequence[Source]) -> Source | None:
    """Return the file that an error is about, if it can be told."""
    for source in sources:
        if f"file = {source.path}\n" in message or f'"{source.path}"' in message or f"'{source.path}'" in message:
            return source
    return sources[0] if len(sources) == 1 else next((x for x in sources if str(x.path) in message), None)


def _json(message: str, source: Source, numbers: dict[str, str], role: str) -> Exception:
    """Return the exception for an error in a JSON file."""
    value = re.search(r"(?:Could not convert string|cast value)[^'\"]*['\"](.*?)['\"]", message)
    line = re.search(r"in line (\d+)", message)
    place = f"line {line[1]} of {source.shown}" if line else source.shown
    if "transform error" in message and value and numbers:
        names = " or ".join(map(repr, numbers.values()))
        return ValueError(f"{role} {names} has {value[1]!r} in {place}: expected a number")
    duplicate = re.search(r'has duplicate key "(.*?)"', message)
    if duplicate:
        return ValueError(f"{place} has the key {duplicate[1]!r} twice: name every column once")
    number = None
    if source.format == "json" and source.compression in ("none", "gzip"):
        with opened(source.path, source.compression) as stream:
            number = first_bad_json(iter(stream))
    place = f"line {number} of {source.shown}" if number else source.shown
    return ValueError(f'{place} is no JSON object: expected one such as {{"true": "ham", "pred": "spam"}} on each line')


def _first(message: str) -> str:
    """Return the first line of a message, without the words that say which kind of error it is."""
    first = re.sub(r"^[A-Z][A-Za-z ]* Error: ", "", message.strip().splitlines()[0])
    return re.sub(r" (?:in|of) file ['\"].*['\"]$", "", first)
