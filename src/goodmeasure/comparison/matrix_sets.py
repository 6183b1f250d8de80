"""Read confusion matrices of several systems, on one or several data sets."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from goodmeasure.counts.matrix import ConfusionMatrix, in_one_order
from goodmeasure.exceptions import InputError, InputTypeError
from goodmeasure.typing import Array, ArrayLike, Label


@dataclass(frozen=True, eq=False)
class SystemSet:
    """The systems of one data set: a matrix for each, all with the same classes."""

    name: Label
    names: tuple[Label, ...]
    matrices: tuple[Array, ...]
    labels: tuple[Label, ...]
    example: ConfusionMatrix  # one of them, which knows the positive class if any does

    def __len__(self) -> int:
        return len(self.matrices)

    @cached_property
    def batch(self) -> Array:
        """Return the matrices as one array."""
        return np.stack(self.matrices)

    @cached_property
    def numbers(self) -> Array:
        """Return a number for each matrix, which equal matrices share."""
        known: dict[str, int] = {}
        return np.array([known.setdefault(repr(x.tolist()), len(known)) for x in self.matrices])


def read_sets(matrices: object) -> list[SystemSet]:
    """Return the data sets in what users hand in: matrices in a list or dict, or lists or dicts of those.

    >>> [len(x) for x in read_sets([[[1, 2], [3, 4]], [[2, 1], [3, 4]], [[0, 1], [1, 0]]])]
    [3]
    >>> [x.names for x in read_sets({"day 1": {"A": [[1, 2], [3, 4]], "B": [[2, 1], [3, 4]]}})]
    [('A', 'B')]
    """
    if _is_matrix(matrices) and not isinstance(matrices, Mapping):
        raise InputError("{matrices} is one confusion matrix", expected="one for each of several systems")
    names, items = _items(matrices, "matrices")
    if not items:
        raise InputError("{matrices} is empty", expected="a confusion matrix for each system")
    if all(_is_matrix(x) for x in items):
        return [_set(None, names if isinstance(matrices, Mapping) else _numbered(items), items)]
    found = []
    for name, item in zip(names, items, strict=True):
        if _is_matrix(item):
            raise InputError(
                "{matrices} mixes matrices and lists of matrices", advice="give all systems, or a list for each set"
            )
        inner_names, inner = _items(item, f"matrices[{name!r}]")
        label = name if isinstance(matrices, Mapping) else f"set {name}"
        found.append(_set(label, inner_names if isinstance(item, Mapping) else _numbered(inner), inner))
    return found


def _numbered(items: list[object]) -> list[object]:
    return [f"system {k}" for k in range(len(items))]


def _items(data: object, argument: str) -> tuple[list[object], list[object]]:
    if isinstance(data, Mapping):
        return list(data), list(data.values())
    if isinstance(data, ConfusionMatrix):
        data = data.counts
    if isinstance(data, (str, bytes)) or not hasattr(data, "__iter__"):
        raise InputTypeError(
            "{argument} is {got}",
            argument=argument,
            got=type(data).__name__,
            expected="confusion matrices, in a list or by system",
        )
    items = list(data)
    return list(range(len(items))), items


def _is_matrix(x: ArrayLike) -> bool:
    if isinstance(x, ConfusionMatrix):
        return not x.batch
    if isinstance(x, Mapping) or not hasattr(x, "__len__") or len(x) == 0:
        return False
    if isinstance(x, np.ndarray):
        return x.ndim == 2
    row = next(iter(x))
    if isinstance(row, ConfusionMatrix):  # a list of matrices: the systems of one data set
        return False
    return (
        hasattr(row, "__len__")
        and len(row) > 0
        and not isinstance(row, Mapping)
        and not (hasattr(row[0], "__len__") or isinstance(row[0], ConfusionMatrix))
    )


def _set(name: object, names: list[object], items: list[object]) -> SystemSet:
    where = "" if name is None else f" of {name}"
    if not items:
        raise InputError("{matrices} has no systems{where}", where=where, expected="a confusion matrix for each")
    found = [x if isinstance(x, ConfusionMatrix) else ConfusionMatrix(x) for x in items]
    if len({x.m for x in found}) > 1:
        sizes = ", ".join(str(x.m) for x in found[:6])
        raise InputError(
            "the matrices{where} have different numbers of classes ({sizes})",
            where=where,
            sizes=sizes,
            advice="systems must share them, so count all of them with the same {labels:=}",
        )
    found = in_one_order(found, names)
    labels = next((x.labels for x in found if x.labels != tuple(range(x.m))), found[0].labels)
    for label, x in zip(names, found, strict=True):
        if not x.n > 0:
            raise InputError(
                "the matrix of {label!r}{where} holds no items",
                label=label,
                where=where,
                advice="a measure needs at least one",
            )
    example = next((x for x in found if x.positive is not None), found[0])
    return SystemSet(name, tuple(names), tuple(x.counts for x in found), labels, example)
