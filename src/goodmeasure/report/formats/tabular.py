"""Tidy tables as CSV and as data frames."""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from goodmeasure.evaluation.result import Result
from goodmeasure.evaluation.table import COLUMNS
from goodmeasure.exceptions import InputError, MissingPackageError
from goodmeasure.report.formats.format import Format, register
from goodmeasure.report.numbers import label_text
from goodmeasure.typing import Frame, Namespace

register(Format("csv", (".csv",), lambda result: result.csv(), place=4, media_type="text/csv"))
_NUMBER = re.compile(r"[-+]?\d+(\.\d+)?([eE][-+]?\d+)?")  # a number is harmless, although it may begin with a sign
_FORMULA = ("=", "+", "-", "@")
_CONTROLS = ("\t", "\r", "\n")


def to_csv(result: Result) -> str:
    """Return the table as CSV, with a row for each value."""
    return rows_as_csv(COLUMNS, result.table)


def rows_as_csv(columns: Sequence[str], rows: Iterable[Mapping[str, object]]) -> str:
    """Return tidy rows as CSV; text that a spreadsheet would take for a formula begins with an apostrophe."""
    lines = [columns, *([_cell(row[name]) for name in columns] for row in rows)]
    return "".join(",".join(map(_quoted, line)) + "\n" for line in lines)


def _quoted(text: str) -> str:
    """Return a cell in quotes, except for plain words and numbers.

    Python's csv module leaves a carriage return without quotes where lines end in a newline, and other programs end
    lines at other characters; so everything that is not printable is quoted.
    """
    plain = text.isprintable() and text == text.strip() and "," not in text and '"' not in text
    return text if plain else '"' + text.replace('"', '""') + '"'


def _cell(x: object) -> str:
    if x is None:
        return ""
    if isinstance(x, float):
        return "" if math.isnan(x) else repr(x)
    text = ", ".join(map(label_text, x)) if isinstance(x, tuple) else str(x)
    return f"'{text}" if _is_formula(text) else text


def _is_formula(text: str) -> bool:
    """Return whether a spreadsheet may take a text for a formula, also after spaces and in wide letters.

    So may it a text that begins with an apostrophe before a formula, since it hides one: with a second apostrophe, no
    two texts are written in the same way.
    """
    if text.startswith("'"):
        return _is_formula(text[1:])
    begins = unicodedata.normalize("NFKC", text.lstrip())[:1]
    return text.startswith(_CONTROLS) or (begins in _FORMULA and begins != "" and not _NUMBER.fullmatch(text))


def to_frame(result: Result, kind: str = "pandas") -> Frame:
    """Return the table as a data frame of pandas, Polars or PyArrow."""
    return as_frame(result.table.columns(), kind)


def as_frame(columns: dict[str, list[object]], kind: str) -> Frame:
    """Return tidy columns as a data frame of pandas, Polars or PyArrow."""
    for name in {"slice", "class"} & set(columns):  # because a column of a data frame has one type
        if len({type(x) for x in columns[name] if x is not None}) > 1 or any(
            isinstance(x, tuple) for x in columns[name]
        ):
            columns[name] = [None if x is None else _plain(x) for x in columns[name]]
    if kind == "pandas":
        pandas = _installed("pandas")
        return pandas.DataFrame({name: _whole(pandas, values) for name, values in columns.items()})
    if kind == "polars":
        return _installed("polars").DataFrame(columns, strict=False)
    if kind == "arrow":
        return _installed("pyarrow").table(columns)
    raise InputError("{argument} is {got!r}", argument="kind", got=kind, advice="use 'pandas', 'polars' or 'arrow'")


def _whole(pandas: Namespace, values: list[object]) -> Frame:
    """Return a column for pandas; integers with missing values become Int64, where pandas would use floats."""
    if None in values and all(
        x is None or (isinstance(x, (int, np.integer)) and not isinstance(x, bool)) for x in values
    ):
        known = [int(x) for x in values if isinstance(x, (int, np.integer))]
        if known:
            fits = min(known) >= -(2**63) and max(known) < 2**63
            return pandas.array(values, dtype="Int64") if fits else pandas.Series(values, dtype="object")
    return values


def _plain(x: object) -> str:
    return ", ".join(map(label_text, x)) if isinstance(x, tuple) else label_text(x)


def _installed(name: str) -> Namespace:
    from importlib import import_module

    try:
        return import_module(name)
    except ImportError:
        raise MissingPackageError("this kind of frame needs {name}", name=name, advice="pip install {name}") from None
