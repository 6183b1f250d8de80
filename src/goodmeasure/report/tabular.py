"""The table of a result as CSV and as data frames."""

from __future__ import annotations

import csv
import io
import math
from typing import Any

from goodmeasure.evaluation.result import Result
from goodmeasure.evaluation.table import COLUMNS
from goodmeasure.report.numbers import label_text

_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")


def to_csv(result: Result) -> str:
    """The table, one row for each value; what a spreadsheet would take for a formula is quoted."""
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    writer.writerows([_cell(row[name]) for name in COLUMNS] for row in result.table)
    return text.getvalue()


def _cell(x: Any) -> Any:
    if x is None:
        return ""
    if isinstance(x, float):
        return "" if math.isnan(x) else repr(x)
    if isinstance(x, (bool, int)):
        return x
    text = ", ".join(map(label_text, x)) if isinstance(x, tuple) else str(x)
    return f"'{text}" if text.startswith(_FORMULA) else text


def to_frame(result: Result, kind: str = "pandas") -> Any:
    """The table as a data frame of pandas, Polars or PyArrow."""
    columns = result.table.columns()
    for name in ("slice", "class"):  # a column of a frame has one type
        if len({type(x) for x in columns[name] if x is not None}) > 1 or any(
            isinstance(x, tuple) for x in columns[name]
        ):
            columns[name] = [None if x is None else _plain(x) for x in columns[name]]
    if kind == "pandas":
        return _installed("pandas").DataFrame(columns)
    if kind == "polars":
        return _installed("polars").DataFrame(columns, strict=False)
    if kind == "arrow":
        return _installed("pyarrow").table(columns)
    raise ValueError(f"kind is {kind!r}: use 'pandas', 'polars' or 'arrow'")


def _plain(x: Any) -> str:
    return ", ".join(map(label_text, x)) if isinstance(x, tuple) else label_text(x)


def _installed(name: str) -> Any:
    from importlib import import_module

    try:
        return import_module(name)
    except ImportError:
        raise ImportError(f"this kind of frame needs {name}: pip install {name}") from None
