"""Data sets of Hugging Face's `datasets`, read as Arrow tables in which the classes have their names."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from goodmeasure.exceptions import InputTypeError
from goodmeasure.typing import Frame


def is_dataset(data: object) -> bool:
    """Return whether the data come from `datasets`, without importing it."""
    library = sys.modules.get("datasets")
    return library is not None and isinstance(
        data, (library.Dataset, library.DatasetDict, library.IterableDataset, library.IterableDatasetDict)
    )


def column_names(data: Frame) -> list[str]:
    """Return the names of the columns of a data set; refuse several splits, and streams."""
    library = sys.modules["datasets"]
    if isinstance(data, (library.DatasetDict, library.IterableDatasetDict)):
        raise InputTypeError(
            "the data are a dict of splits ({splits})", argument="data", splits=", ".join(map(repr, data)),
            advice="give one of them, such as data[{first!r}]", first=next(iter(data), "test"),
        )  # fmt: skip
    if isinstance(data, library.IterableDataset):
        raise InputTypeError(
            "the data are a stream, which can be read only once",
            argument="data",
            advice="load the data set without streaming=True, or make one with Dataset.from_generator",
        )
    return list(data.column_names)


def as_table(data: Frame, columns: Sequence[str], true: str, systems: Sequence[str]) -> Frame:
    """Return columns of a data set as an Arrow table.

    A column of class labels holds positions; here it holds names. Predictions that are positions too, as an arg max
    gives them, get the names of the true labels.
    """
    known = column_names(data)
    wanted = [x for x in known if any(name == x or name.startswith((f"{x}.", f"{x}[")) for name in columns)]
    table = data.select_columns(wanted).with_format("arrow")[:]
    names = {x: _class_names(data.features[x]) for x in wanted}
    for name in systems:
        if names.get(true) is not None and name in names and names[name] is None and _is_integer(table[name]):
            names[name] = names[true]
    for name, classes in names.items():
        if classes is not None:
            table = table.set_column(table.column_names.index(name), name, _named(table[name], classes, name))
    return table


def _class_names(feature: Frame) -> list[str] | None:
    return list(feature.names) if type(feature).__name__ == "ClassLabel" and feature.names else None


def _is_integer(column: Frame) -> bool:
    return str(column.type).startswith(("int", "uint"))


def _named(column: Frame, classes: Sequence[str], name: str) -> Frame:
    """Return positions as the names of classes, in their order; −1 marks an item without a label."""
    import pyarrow

    positions = [None if x is None or x == -1 else x for x in column.to_pylist()]
    beyond = next((x for x in positions if x is not None and not 0 <= x < len(classes)), None)
    if beyond is not None:
        raise InputTypeError(
            "column {name!r} has the class {beyond}, and there are {number} classes", name=name, beyond=beyond,
            number=len(classes), expected="positions from 0 on",
        )  # fmt: skip
    indices = pyarrow.array(positions, pyarrow.int32())
    return pyarrow.DictionaryArray.from_arrays(indices, pyarrow.array(list(classes)), ordered=True)
