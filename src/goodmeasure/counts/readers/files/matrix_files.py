"""Reading a confusion matrix as people write it: on the command line, or in a file of text, JSON or NumPy's format."""

from __future__ import annotations

import csv
import io
import json
import tempfile
from collections import Counter
from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path
from tokenize import TokenError

import numpy as np

from goodmeasure.counts.matrix import ConfusionMatrix
from goodmeasure.counts.readers.files.compression import (
    compression_of,
    copied,
    everything,
    said_of_file,
    standard_input,
)
from goodmeasure.counts.readers.files.file_formats import is_number
from goodmeasure.counts.text_labels import reading_of
from goodmeasure.exceptions import DirectoryError, InputError, InputTypeError
from goodmeasure.typing import Array, Label

_SHOWN = 200  # how many characters of a text that is not a matrix an error shows
_PRINTED = "true \\ predicted"  # how a printed matrix begins


def read_matrix(text: str, labels: Sequence[Label] | None = None, name: str = "the matrix") -> ConfusionMatrix:
    """Return a matrix as people type it: rows separated by ; or line breaks, numbers by spaces or commas, or JSON.

    >>> read_matrix("50 3; 4 20").counts.tolist()
    [[50, 3], [4, 20]]
    """
    try:
        if text.lstrip().startswith(("[", "{")):
            rows, labels = _from_json(text, labels)
        else:
            lines = [line for line in text.replace("\n", ";").split(";") if line.strip()]
            rows = [[_number(x) for x in line.replace(",", " ").split()] for line in lines]
    except ValueError as error:
        shown = text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"
        raise InputError(
            "{name} {shown!r} is not a matrix",
            name=name,
            shown=shown,
            error=error,
            advice='write "50 3; 4 20" ({error})',
        ) from None
    if not rows:
        raise InputError("{name} is empty", name=name, advice='write "50 3; 4 20"')
    return ConfusionMatrix(rows, labels)


def read_matrix_file(path: str | Path, labels: Sequence[Label] | None = None) -> ConfusionMatrix:
    """Return a matrix from a file, in which rows are true classes and columns are predicted classes.

    The file may be CSV, TSV or numbers separated by spaces, with or without a row and a column of labels; JSON, either
    the rows or ``{"labels": […], "counts": [[…]]}``; or a NumPy array (.npy). `labels` names the classes instead. ``-``
    stands for standard input.

    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "matrix.csv")
    ...     _ = path.write_text("true,ham,spam\\nham,50,3\\nspam,4,20\\n")
    ...     read_matrix_file(path)
    true \\ predicted  ham  spam
    ham                50     3
    spam                4    20
    """
    shown = "standard input" if str(path) == "-" else str(path)
    if Path(path).is_dir():
        raise DirectoryError("{got} is a directory", got=path, advice="name a file with a matrix")
    with said_of_file(shown, Path(tempfile.gettempdir())):
        content = _content(path)
    try:
        return matrix_from_bytes(content, labels)
    except (ValueError, TypeError) as error:
        refusal = InputTypeError if isinstance(error, TypeError) else InputError
        raise refusal("{path} holds no confusion matrix: {error}", path=shown, error=error) from None


def _content(path: str | Path) -> bytes:
    """Return the uncompressed contents of a file; a pipe is copied first, since it can be read only once."""
    if str(path) != "-" and Path(path).is_file():
        return _unpacked(Path(path))
    with tempfile.TemporaryDirectory(prefix="goodmeasure-") as folder:
        copy = Path(folder, "matrix")
        with nullcontext(standard_input()) if str(path) == "-" else Path(path).open("rb") as stream:
            copied(stream, copy)
        return _unpacked(copy)


def _unpacked(path: Path) -> bytes:
    with path.open("rb") as stream:
        compression = compression_of(stream.read(8))
    return everything(path, compression)


def matrix_from_bytes(content: bytes, labels: Sequence[Label] | None) -> ConfusionMatrix:
    """Return the matrix in the contents of a file."""
    if content.startswith(b"\x93NUMPY"):
        return ConfusionMatrix(_from_numpy(content), labels)
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise InputError("it is not text in UTF-8") from None
    if not text.strip():
        raise InputError("it is empty")
    if "\0" in text:
        raise InputError("it is binary data")
    if text.lstrip().startswith(("[", "{")):
        return ConfusionMatrix(*_from_json(text, labels))
    found, rows = _from_fields(_fields(text))
    return ConfusionMatrix(rows, found if labels is None else labels)


def _from_numpy(content: bytes) -> Array:
    """Return an array in NumPy's format; damage shows as many kinds of errors (an absurd shape, a cut header)."""
    try:
        return np.asarray(np.load(io.BytesIO(content), allow_pickle=False))
    except (ValueError, TypeError, KeyError, EOFError, SyntaxError, MemoryError, OverflowError, TokenError) as error:
        lines = str(error).splitlines()
        raise InputError(
            "its NumPy array cannot be read ({first_line})", first_line=lines[0] if lines else type(error).__name__,
            advice="write it again with numpy.save",
        ) from None  # fmt: skip


def _from_json(text: str, labels: Sequence[Label] | None) -> tuple[object, Sequence[object] | None]:
    """Return the rows and the labels that a JSON text holds."""
    try:
        data = json.loads(text)
    except ValueError as error:
        raise InputError("its JSON cannot be read ({error})", error=error) from None
    except RecursionError:
        raise InputError("its JSON is nested too deeply") from None
    if isinstance(data, dict):
        if "counts" not in data:
            raise InputError(
                "its JSON has no 'counts', only {keys}", keys=", ".join(map(repr, data)) or "nothing", got=data,
                example='{"labels": ["ham", "spam"], "counts": [[50, 3], [4, 20]]}', advice="write it as {example}",
            )  # fmt: skip
        labels, data = data.get("labels") if labels is None else labels, data["counts"]
    return data, labels


def _fields(text: str) -> list[list[str]]:
    """Return the fields of each line, split at the delimiter that splits the lines most evenly, else at spaces."""
    lines = [line for line in text.splitlines() if line.strip()]
    found = [
        list(csv.reader(lines, delimiter=delimiter, skipinitialspace=True))
        for delimiter in (",", "\t", ";", "|")
        if all(delimiter in line for line in lines[1:] or lines)
    ]
    rows = min(found, key=lambda rows: len({len(row) for row in rows[1:]})) if found else [x.split() for x in lines]
    if not found and all(len(row) == 1 for row in rows) and any(x in line for line in lines for x in ",\t;|"):
        raise InputError("its rows have different numbers of fields", advice="they must have the same number")
    if not found and lines[0].startswith(_PRINTED):
        rows[0] = [_PRINTED, *lines[0].removeprefix(_PRINTED).split()]
    return [[x.strip() for x in row] for row in rows]


def _from_fields(rows: list[list[str]]) -> tuple[list[Label] | None, list[list[float]]]:
    """Return labels, if the table has them, and counts; the shape tells whether there is a row or column of labels."""
    below = {len(row) for row in rows[1:]} or {len(rows[0])}
    if len(below) > 1:
        raise InputError(
            "its rows have between {min} and {max} fields",
            min=min(below),
            max=max(below),
            advice="they must have the same number",
        )
    width = below.pop()
    if len(rows[0]) == width - 1 == len(rows) - 1:
        rows = [["", *rows[0]], *rows[1:]]  # a header without a field above the labels
    across = down = None
    if (len(rows) == width + 1 and _are_names(rows[0])) or (len(rows) == width and not is_number(rows[0][0])):
        across, rows = rows[0], rows[1:]
    if width == len(rows) + 1 and (across is not None or _are_names([row[0] for row in rows])):
        down, rows = [row[0] for row in rows], [row[1:] for row in rows]
        across = None if across is None else across[1:]
    counts = [[_count(x, i, j) for j, x in enumerate(row)] for i, row in enumerate(rows, 1)]
    if across is None and down is None:
        return None, counts
    reading = reading_of([*(across or ()), *(down or ())])  # decided together, as in a file of predictions
    wide, long = ([reading.label(x) for x in names or ()] for names in (across, down))
    if across is None or down is None or wide == long:
        return long or wide, counts
    if Counter(wide) != Counter(long):
        raise InputError(
            "its rows are named {rows} and its columns {columns}",
            rows=", ".join(down),
            columns=", ".join(across),
            advice="they must be one set",
        )
    return long, [[row[wide.index(name)] for name in long] for row in counts]


def _are_names(fields: list[str]) -> bool:
    """Return whether fields are labels rather than counts: text, or two or more numbers counting from 0 or 1."""
    numbers = [[str(k + start) for k in range(len(fields))] for start in (0, 1)]
    return (len(fields) > 1 and fields in numbers) or not all(map(is_number, fields))


def _count(text: str, row: int, column: int) -> float:
    try:
        return _number(text)
    except ValueError:
        raise InputError(
            "{got!r} in row {row}, column {column} of the counts is not a number",
            got=text,
            row=row,
            column=column + 1,
        ) from None


def _number(text: str) -> int | float:
    """Return a text as an integer or a float."""
    if not is_number(text):
        raise InputError("{got!r} is not a number", got=text)
    try:
        return int(text)
    except ValueError:
        return float(text)
