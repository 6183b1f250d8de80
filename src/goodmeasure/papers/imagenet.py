"""goesgens2021: image classification (Tables 5 and 12)."""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Decimal
from pathlib import Path

import numpy as np

from goodmeasure.catalogue.literature import tables as printed_tables
from goodmeasure.catalogue.names import measure
from goodmeasure.counts.matrix import ConfusionMatrix
from goodmeasure.exceptions import Given, InputError
from goodmeasure.papers.goesgens2021 import MULTICLASS
from goodmeasure.papers.paper_tables import MissingData, PrintedCell, Recomputed, in_folder, table
from goodmeasure.typing import ReadJson

NEEDS = "imagenet/MODEL.apex.json, one for each model: lines of true class, predicted class and count, tab-separated"
SUFFIX = ".apex.json"
_FIFTH = "tf_efficientnet_b6_ns"  # §5.2 calls it EfficientNet-B7
_ROWS = {"Efficientnet": _FIFTH, "Swin": "swin_base_patch4_window12_384"}


def read(path: Path) -> ConfusionMatrix:
    """Return the matrix of one model; its classes are those that occur."""
    cells = []
    for k, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if line.strip():
            try:
                true, predicted, count = (int(x) for x in line.split("\t"))
            except ValueError:
                raise InputError(
                    "{path}, line {k} is {line!r}",
                    path=path,
                    k=k,
                    line=line,
                    expected="true class, predicted class, count",
                ) from None
            cells.append((true, predicted, count))
    if not cells:
        raise InputError("{path} is empty", path=path, expected="lines of true class, predicted class and count")
    classes = sorted({x for true, predicted, _ in cells for x in (true, predicted)})
    place = {label: i for i, label in enumerate(classes)}
    counts = np.zeros((len(classes), len(classes)), np.int64)
    for true, predicted, count in cells:
        counts[place[true], place[predicted]] += count
    return ConfusionMatrix(counts, classes)


def values(cm: ConfusionMatrix, columns: list[str]) -> dict[str, float]:
    """Return the columns of the tables, in percent."""
    found = {x: 100 * float(measure(MULTICLASS[x])(cm)) for x in columns}
    if "1-CE" in found:
        found["1-CE"] = 100 - found["1-CE"]
    return found


def _cells(row: str, printed: list[str], columns: list[str], ours: dict[str, float]) -> list[PrintedCell]:
    cells = []
    for column, shown in zip(columns, printed, strict=True):
        decimals = len(shown.partition(".")[2])
        text = f"{ours[column]:.{decimals}f}"
        agrees = text == shown
        cells.append(
            PrintedCell(row, column, shown, text, agrees, "" if agrees else rounded_twice(ours[column], shown))
        )
    return cells


def rounded_twice(value: float, shown: str) -> str:
    """Return the explanation if a printed number was rounded with one decimal more before; empty text otherwise.

    >>> rounded_twice(86.60466, "86.61")
    '86.60466 was rounded twice: to 86.605, and that to 86.61'
    """
    last = Decimal(1).scaleb(-len(shown.partition(".")[2]))
    once = Decimal(repr(value)).quantize(last / 10, ROUND_HALF_UP)
    if str(once.quantize(last, ROUND_HALF_UP)) != shown:
        return ""
    return f"{value:.5f} was rounded twice: to {once}, and that to {shown}"


def _reproduced(data: Path, rows: dict[str, tuple[str, list[str]]], columns: list[str]) -> Recomputed:
    files = {x.name.removesuffix(SUFFIX): x for x in in_folder(data, "imagenet", f"*{SUFFIX}")}
    cells: list[PrintedCell] = []
    notes = ["F1, J, GM1 and CCmacro are macro averages."]
    for row, (model, printed) in rows.items():
        if model in files:
            cells += _cells(row, printed, columns, values(read(files[model]), columns))
    absent = [model for model, _ in rows.values() if model not in files]
    if not cells:
        raise MissingData(
            "{where} has none of the models {absent}", where=Given("data", str(data)), got=data,
            absent=", ".join(absent), suffix=SUFFIX, advice="the files are MODEL{suffix}",
        )  # fmt: skip
    if absent:
        notes.append(f"Not in the folder, so not compared: {', '.join(absent)}.")
    return Recomputed(cells, notes)


@table("goesgens2021:table5", "ImageNet, the fifth and sixth model, %", NEEDS)
def table_5(data: Path) -> Recomputed:
    """Recompute the values of two models."""
    printed: dict[str, ReadJson] = printed_tables()["goesgens2021:table5"]
    rows = {row: (model, list(map(str, printed[row]))) for row, model in _ROWS.items()}
    found = _reproduced(data, rows, printed["columns"])
    found.notes.append(f"§5.2 calls the fifth model EfficientNet-B7: it is {_FIFTH}.")
    return found


@table("goesgens2021-appendix:table12", "ImageNet, ten models, ×100", NEEDS)
def table_12(data: Path) -> Recomputed:
    """Recompute the values of ten models."""
    printed: dict[str, ReadJson] = printed_tables()["goesgens2021-appendix:table12"]
    rows = {model: (model, list(map(str, row))) for model, row in zip(printed["models"], printed["rows"], strict=True)}
    return _reproduced(data, rows, printed["columns"])
