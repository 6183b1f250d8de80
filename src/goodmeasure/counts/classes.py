"""Which classes a matrix has, in which order: the labels of both columns, checked to be of one kind."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from goodmeasure.counts.arguments import check_one_kind, check_unique, kind_of, unpacked
from goodmeasure.counts.kernel.tally import DistinctValues
from goodmeasure.counts.labels import Column, as_labels_of
from goodmeasure.counts.scores_as_labels import check_mixed
from goodmeasure.exceptions import Either, InputError
from goodmeasure.typing import Array, ArrayLike, Label, LabelsLike

Labels = tuple[Label, ...]
LARGER_IS_POSITIVE = {"number", "boolean", "datetime64", "timedelta64", "datetime", "date"}
"""The kinds of labels whose order says which of two classes is the positive one: the larger."""
_SORTABLE = {"text", "bytes", *LARGER_IS_POSITIVE}


class Order(NamedTuple):
    """The part of the class order that sorting the labels does not give: categories, appearance, or a fixed list.

    `stated` says whether the last of two classes is the positive one: numbers and ordered categories say so, and so
    does a user who lists the labels. Text in the order of the alphabet does not.
    """

    categories: Labels | None = None
    appeared: Labels | None = None  # only for labels that may have no order, such as tuples
    fixed: bool = False
    stated: bool = True

    def arranged(self, labels: Iterable[object]) -> Labels:
        """Return classes in their order, the class of missing labels last."""
        labels = dict.fromkeys(labels)
        if self.categories is None:
            return in_order([*(x for x in self.appeared or () if x in labels), *labels])
        rest = in_order(x for x in labels if x is not None and x not in self.categories)
        ranked = tuple(x for x in merged(self.categories, rest) if x in labels)
        return (*ranked, None) if None in labels else ranked

    def joined(self, other: Order) -> Order:
        """Return the order of a matrix to which another piece of data is added."""
        listed = [x for x in (self.categories, other.categories) if x is not None]
        seen = [x for x in (self.appeared, other.appeared) if x is not None]
        return Order(
            merged(*listed) if listed else None,
            tuple(dict.fromkeys(x for labels in seen for x in labels)) if seen else None,
            self.fixed,
            self.stated and other.stated,
        )


def _are_different(places: Array) -> bool:
    return len(set(places.tolist())) == len(places)


_STATED, _UNSTATED = Order(), Order(stated=False)
_SIMPLE = {int, bool, str}  # types of labels that are never missing, and have an order


class Classes(NamedTuple):
    """The classes of a matrix, and the place among them of each value that was found in the two columns."""

    labels: Labels
    rows: Array
    columns: Array
    order: Order
    in_place: bool = False  # both columns have these values, in this order

    def dense(self, table: Array) -> Array:
        """Return the counts of pairs of values as a matrix with a row and a column for each class."""
        if self.in_place:
            return table
        counts = np.zeros((len(self.labels), len(self.labels)), table.dtype)
        if _are_different(self.rows) and _are_different(self.columns):
            counts[self.rows[:, None], self.columns] = table
        else:  # several values stand for one label, such as None and NaN
            np.add.at(counts, (self.rows[:, None], self.columns), table)
        return counts


def settle(
    true: Column, pred: Column, rows: DistinctValues, columns: DistinctValues, labels: LabelsLike | None, missing: str
) -> Classes:
    """Return the classes that the labels of two columns make up."""
    if labels is None and true.is_of_integers and pred.is_of_integers:
        first, second = np.asarray(rows.values), np.asarray(columns.values)
        if first.dtype == second.dtype:
            return _from_integers(first, second)
    types = {*true.types(rows), *pred.types(columns)}
    if labels is None and len(types) == 1 and (only := types.pop()) in _SIMPLE:
        found = [x.values if isinstance(x.values, list) else x.values.tolist() for x in (rows, columns)]
        return _placed(tuple(sorted({*found[0], *found[1]})), found, _UNSTATED if only is str else _STATED)
    found = [true.to_labels(rows.values), pred.to_labels(columns.values)]
    if missing != "class":
        _refuse_missing(true, found[0])
        _refuse_missing(pred, found[1])
    named = [x for x in dict.fromkeys((*found[0], *found[1])) if x is not None]
    examples = [*_examples(true, rows, found[0]), *_examples(pred, columns, found[1])]
    try:
        kind = check_one_kind(examples, true.name, pred.name)
    except TypeError:
        each = _examples(true, rows, found[0]), _examples(pred, columns, found[1])
        if not _are_truth_values(named) or any(len(set(map(kind_of, x))) > 1 for x in each):
            check_mixed((true.name, found[0]), (pred.name, found[1]))
            raise
        kind = "boolean"
    absent = missing == "class" and any(None in present for present in found)
    if labels is None:
        order = _order(true, pred, found, (rows, columns), kind)
        known = order.arranged([*named, *_unused(true, pred), *([None] if absent else [])])
    else:
        order = Order(fixed=True)
        known = _given(labels, named, missing, absent)
    return _placed(known, found, order)


def _placed(known: Labels, found: Sequence[list[Label]], order: Order) -> Classes:
    """Return classes with the place of each label that was found in the two columns."""
    position = dict(zip(known, range(len(known)), strict=True))
    rows, columns = (np.array(list(map(position.__getitem__, present)), np.int64) for present in found)
    return Classes(known, rows, columns, order, in_place=found[0] == found[1] == list(known))


def _are_truth_values(labels: Sequence[object]) -> bool:
    """Return whether labels are True and False in one column and 1 and 0 in another, which are equal in Python."""
    return all(isinstance(x, (bool, int, float, np.number, np.bool_)) and x in (0, 1) for x in labels)


def _from_integers(rows: Array, columns: Array) -> Classes:
    """Return the classes of integers of one type, which need no dictionary."""
    if rows is columns or (np.array_equal(rows, columns) and bool((rows[1:] > rows[:-1]).all())):
        places = np.arange(len(rows))
        return Classes(tuple(rows.tolist()), places, places, _STATED, in_place=True)
    known = np.unique(np.concatenate([rows, columns]))
    return Classes(tuple(known.tolist()), np.searchsorted(known, rows), np.searchsorted(known, columns), _STATED)


def _refuse_missing(column: Column, present: Sequence[object]) -> None:
    if None in present:
        where = int(np.flatnonzero(~column.present())[0])
        what = column.data[where] if column.to_labels is as_labels_of else None
        raise InputError(
            "{name}[{where}] is {what!r}",
            name=column.name,
            where=where,
            what=what,
            advice="leave out the items without a label with {missing:=drop}, "
            "or give them a class of their own with {missing:=class}",
        )


def _examples(column: Column, found: DistinctValues, present: Sequence[object]) -> Sequence[object]:
    """Return labels that show every kind in a column: one is enough for a typed array, not for objects."""
    if isinstance(found.values, np.ndarray) and column.to_labels is as_labels_of:
        return [x for x in present if x is not None][:1]
    return found.examples or present


def _given(labels: ArrayLike, named: Sequence[object], missing: str, absent: bool) -> Labels:
    """Return the labels that the user named; refuse them if a label that occurs is not among them."""
    known = tuple(unpacked(x) for x in labels)
    rest = known[:-1] if missing == "class" and known and known[-1] is None else known
    check_unique(rest)
    check_one_kind([*named[:1], *rest])
    position = set(rest)
    for label in named:
        if label not in position:
            raise InputError(
                "the label {label!r} occurs in the data but not in {known}",
                argument="labels",
                label=label,
                known=Either(f"labels={list(known)!r}", "{labels}"),
                advice="add it, or drop its items",
            )
    return (*rest, None) if absent or len(rest) < len(known) else known


def _unused(true: Column, pred: Column) -> Labels:
    """Return the categories that both columns list; they are classes even if they do not occur."""
    if true.categories is None or pred.categories is None or set(true.categories) != set(pred.categories):
        return ()
    return tuple(x for x in true.categories if x is not None)


def _order(
    true: Column,
    pred: Column,
    found: Sequence[Sequence[object]],
    what: tuple[DistinctValues, DistinctValues],
    kind: str | None,
) -> Order:
    """Return what the columns say about the order of their classes."""
    listed = [tuple(x for x in c.categories if x is not None) for c in (true, pred) if c.categories is not None]
    appeared = None if kind in _SORTABLE or kind is None else _appeared(found, what)
    ranked = any(c.ranked for c in (true, pred) if c.categories is not None)
    stated = ranked or kind in LARGER_IS_POSITIVE or kind is None
    return Order(merged(*listed) if listed else None, appeared, stated=stated)


def _appeared(found: Sequence[Sequence[object]], what: Sequence[DistinctValues]) -> Labels:
    """Return labels by the item in which they first appear, the true label before the predicted one."""
    first = [
        (position, side, label)
        for side, (labels, where) in enumerate(zip(found, what, strict=True))
        for position, label in zip(where.positions or range(len(labels)), labels, strict=True)
        if label is not None
    ]
    first.sort(key=lambda entry: entry[:2])
    return tuple(dict.fromkeys(label for _, _, label in first))


def merged(first: Sequence[object], *others: Sequence[object]) -> Labels:
    """Return several orders as one: a sorted list if all are sorted, otherwise new labels come last."""
    joined = tuple(dict.fromkeys([*first, *(x for labels in others for x in labels)]))
    in_sequence = all(tuple(labels) == in_order(labels) for labels in (first, *others))
    return in_order(joined) if in_sequence else joined


def in_order(labels: Iterable[object]) -> Labels:
    """Return the different labels, sorted if they can be, otherwise in order of appearance; None comes last."""
    different = dict.fromkeys(labels)
    named = [x for x in different if x is not None]
    try:
        named.sort()
    except TypeError:
        pass  # labels without an order stay in order of appearance
    return (*named, None) if None in different else tuple(named)


def rarer(sizes: Mapping[Label, float]) -> Label:
    """Return the class with the fewest items, of several the last; the class of missing labels is never the one.

    >>> rarer({"fraud": 59, "legit": 941}), rarer({"no": 5, "yes": 5})
    ('fraud', 'yes')
    """
    return min(reversed(in_order(x for x in sizes if x is not None)), key=lambda x: sizes[x])
