"""Multilabel data: a binary matrix for each label, and averages over labels or items."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, Unpack

import numpy as np

from goodmeasure.catalogue.measure import Measure, as_measure
from goodmeasure.counts.alignment import check_alignment
from goodmeasure.counts.arguments import as_weights, check_unique, listed
from goodmeasure.counts.classes import in_order
from goodmeasure.counts.matrix import ConfusionMatrix
from goodmeasure.counts.sample import GroupCounts, Sample
from goodmeasure.counts.scores.score_input import column_of
from goodmeasure.counts.scores_as_labels import TAG_SEQUENCES, are_tags
from goodmeasure.exceptions import Argument, Either, InputError, InputTypeError
from goodmeasure.keywords import check_options, takes_options
from goodmeasure.language.policy import Policy, Undefined, UndefinedMeasure, policy_of
from goodmeasure.notebooks import ShownInNotebooks
from goodmeasure.options import MultilabelOptions, SampleOptions
from goodmeasure.typing import AnyArray, Array, ArrayLike, Label

AVERAGES = MACRO, MICRO, WEIGHTED, SAMPLES = ("macro", "micro", "weighted", "samples")
ABSENT, PRESENT = False, True
_MOST_ADDED = 100_000_000  # decisions whose weights are all added up


class LabelMatrices(dict[Label, ConfusionMatrix]):
    """The matrix of each label; `evaluate` calls them labels, not systems, since they do not compete."""


@dataclass(frozen=True, eq=False)
class Decisions:
    """The decisions about every label of every item; only labels that an item has, or that are predicted, are listed.

    They are listed item by item: the number of the `item`, that of the `label`, and the `cell` of the label's matrix:
    1 (predicted only), 2 (true only) or 3 (both). `pattern` says which of the distinct matrices `by_item` an item has,
    `weight` what it weighs, and `group` to which group it belongs, numbered from 0; both are None where there are none.
    """

    items: int
    labels: int
    item: Array
    label: Array
    cell: Array
    pattern: Array
    weight: Array | None = None
    group: Array | None = None

    @cached_property
    def starts(self) -> Array:
        """Where the decisions of each item begin, and the end of them all."""
        return np.concatenate([[0], np.cumsum(np.bincount(self.item, minlength=self.items))])

    @cached_property
    def by_label(self) -> tuple[Array, Array]:
        """The places of the decisions label by label, and where those of each label begin."""
        ends = np.cumsum(np.bincount(self.label, minlength=self.labels))
        return np.argsort(self.label, kind="stable"), np.concatenate([[0], ends])

    @cached_property
    def true_places(self) -> Array:
        """The places (item · labels + label) of true labels, in order."""
        which = self.cell >= 2
        return self.item[which] * self.labels + self.label[which]

    def cells(self, mine: slice) -> Array:
        """Return the cell of every decision about a slice of the items (items, labels)."""
        first, last = mine.start, min(mine.stop, self.items)
        part = slice(self.starts[first], self.starts[last])
        cells = np.zeros((last - first, self.labels), np.int8)
        cells[self.item[part] - first, self.label[part]] = self.cell[part]
        return cells

    def sample(self, k: int, matrix: ConfusionMatrix) -> Sample:
        """Return the sample of the k-th label, whose counts are in `matrix`."""
        if self.weight is None and self.group is None:
            return Sample(matrix)
        order, starts = self.by_label
        here = order[starts[k] : starts[k + 1]]
        cell = np.zeros(self.items, np.int64)
        cell[self.item[here]] = self.cell[here]
        groups = None
        if self.group is not None:
            values = np.ones(self.items) if self.weight is None else self.weight
            groups = GroupCounts(int(self.group.max()) + 1, self.group, cell >> 1, cell & 1, values)
        if self.weight is None:
            return Sample(matrix, groups)
        items = np.bincount(cell, minlength=4).reshape(2, 2)
        squares = np.bincount(cell, self.weight**2, minlength=4).reshape(2, 2)
        return Sample.weighted(matrix, items, squares, groups)


@dataclass(frozen=True, eq=False)
class Multilabel(ShownInNotebooks):
    """The counts of every label on its own: an item has the label or not.

    `counts` has shape (labels, 2, 2), each [[TN, FP], [FN, TP]], and can be passed to anything that takes matrices.
    `by_item` holds the distinct matrices [[TN, FP], [FN, TP]] that single items have over their labels, and `items` the
    number (or weight) of the items with each. `decisions` are the items themselves, which intervals resample.
    """

    labels: tuple[Label, ...]
    counts: Array
    by_item: Array
    items: Array
    decisions: Decisions

    @property
    def matrices(self) -> LabelMatrices:
        """Return the matrix of each label; `evaluate` takes this dict and gives intervals for every label."""
        each = zip(self.labels, self.counts, strict=True)
        return LabelMatrices({label: ConfusionMatrix(counts, labels=(ABSENT, PRESENT)) for label, counts in each})

    def samples(self) -> dict[Label, Sample]:
        """Return the sample of each label, which knows the weights and groups of its items."""
        found = {}
        for k, (label, matrix) in enumerate(self.matrices.items()):
            found[label] = self.decisions.sample(k, matrix)
        return found

    @property
    def micro(self) -> ConfusionMatrix:
        """Return the matrix of all decisions about all labels together."""
        return ConfusionMatrix(self.counts.sum(axis=0), labels=(ABSENT, PRESENT))

    @property
    def exact_match(self) -> float:
        """Return the share of items all of whose labels are right.

        It is scikit-learn's accuracy_score of indicator matrices.
        """
        return float(self.items[self.exact_matches()].sum() / self.items.sum())

    def values(self, measure: object, *, undefined: Undefined = "resolve") -> dict[Label, float]:
        """Return the value of a measure for each label.

        >>> multilabel([[1, 0], [1, 1]], [[1, 0], [0, 1]], labels=["sun", "rain"]).values("recall")
        {'sun': 0.5, 'rain': 1.0}
        """
        found = np.asarray(_binary(measure)(self.counts, undefined=undefined), np.float64)
        return dict(zip(self.labels, found.tolist(), strict=True))

    def average(self, measure: object, average: str = "macro", *, undefined: Undefined = "resolve") -> float:
        """Return the average of a measure: "macro", "micro", "weighted" or "samples".

        "macro" is the mean over labels, "weighted" the mean over labels weighted by how many items have each, "micro"
        the value on all decisions together, and "samples" the mean over items, where the decisions are about the labels
        of one item.

        The rules are those of macro() and weighted(): a label that no item has and that is never predicted is left out.
        Under "resolve", where the measure is undefined, a label (or an item, in "samples") that is true but never
        predicted counts as the worst value, and all others are left out. `undefined=0.0` counts each undefined value as
        0, as scikit-learn does.

        >>> both = multilabel([[1, 0], [1, 1]], [[1, 0], [0, 1]])
        >>> both.average("f1", "micro"), round(both.average("f1", "samples"), 4)
        (0.8, 0.8333)
        """
        f, policy = _binary(measure), policy_of(undefined)
        if average not in AVERAGES:
            raise InputError(
                "{average} is {got!r}", got=average, known=", ".join(map(repr, AVERAGES)), advice="use {known}"
            )
        if average != SAMPLES:
            return float(label_averages(f, self.counts, policy, (average,))[average])
        values = item_values(f, self.by_item, policy)
        known = (self.items > 0) & ~(np.isnan(values) & policy.resolves)
        if not known.any():
            return float("nan")
        return float((values[known] * self.items[known]).sum() / self.items[known].sum())

    def interval(
        self,
        measure: object,
        average: str = MACRO,
        *,
        confidence: float = 0.95,
        undefined: Undefined = "resolve",
        seed: int = 0,
    ) -> tuple[float, float]:
        """Return the confidence interval of an average, by the jackknife over items or groups.

        `seed` matters only where very many items are put into groups at random.

        >>> both = multilabel([[1, 0], [1, 1], [0, 1], [1, 1]] * 10, [[1, 0], [0, 1], [0, 1], [1, 1]] * 10)
        >>> low, high = both.interval("f1", "micro")
        >>> round(both.average("f1", "micro"), 4), round(low, 4), round(high, 4)
        (0.9091, 0.8337, 0.9522)
        """
        from goodmeasure.evaluation.multilabel_averages import averages_of  # which uses this class

        check_options(SampleOptions, confidence=confidence, seed=seed)
        self.average(measure, average, undefined=undefined)
        rows = averages_of(self, [_binary(measure)], confidence, policy_of(undefined), seed)
        found = next(row for row in rows if row.average == average)
        return found.low, found.high

    def exact_matches(self) -> Array:
        """Return which of the matrices `by_item` are without errors."""
        found: Array = self.by_item[:, 0, 1] + self.by_item[:, 1, 0] == 0
        return found

    def __repr__(self) -> str:
        return f"Multilabel({len(self.labels)} labels, {self.items.sum():g} items)"


@takes_options
def multilabel(y_true: ArrayLike, y_pred: ArrayLike, **options: Unpack[MultilabelOptions]) -> Multilabel:
    """Count items that may have several labels: a binary matrix for each label.

    `y_true` and `y_pred` are indicator matrices (items, labels) of 0 and 1 (also data frames or sparse matrices), or
    lists (also columns of data frames) with the labels of each item. `labels` names the columns of indicator matrices,
    or lists the labels in order. `groups` says which items belong together (patients, documents); intervals and tests
    then treat a group as one.

    >>> found = multilabel([{"sun"}, {"sun", "wind"}, set()], [{"sun"}, {"wind"}, {"wind"}])
    >>> found.labels, found.counts.tolist()
    (('sun', 'wind'), [[[1, 0], [1, 1]], [[1, 1], [0, 1]]])
    """
    labels, sample_weight, groups = options["labels"], options["sample_weight"], options["groups"]
    y_true, y_pred = _plain(y_true), _plain(y_pred)
    in_lists = [_are_collections(y) for y in (y_true, y_pred)]
    if labels is not None:
        check_unique(labels := tuple(labels if isinstance(labels, str) else listed(labels, "labels")))
    true: Array | _Places
    pred: Array | _Places
    if all(in_lists):
        names, true, pred = _from_collections(y_true, y_pred, labels)
    elif any(in_lists) and not any(_is_table(y) for y, x in zip((y_true, y_pred), in_lists, strict=True) if x):
        one, other = ("y_true", "y_pred") if in_lists[0] else ("y_pred", "y_true")
        raise InputTypeError(
            "{argument} has the labels of each item, {other} is a matrix or something else",
            argument=one,
            other=Argument(other),
            advice="give both in the same form; what comes in sets is always labels",
        )
    else:
        true, pred = _indicators(y_true, "y_true"), _indicators(y_pred, "y_pred")
        names = _names(y_true, y_pred, labels, true.shape[1])
    if true.shape != pred.shape:
        raise InputError(
            "{y_true} has shape {shape}, {y_pred} {other}",
            shape=true.shape,
            other=pred.shape,
            expected="the same items and labels",
        )
    if not (true.shape[0] and true.shape[1]):
        raise InputError("{y_true} has shape {shape}", shape=true.shape, advice="there is nothing to count")
    check_alignment({"y_true": y_true, "y_pred": y_pred, "sample_weight": sample_weight, "groups": groups})
    weights = None if sample_weight is None else as_weights(sample_weight, true.shape[0])
    if weights is not None and not weights.sum() > 0:
        raise InputError(
            "every weight is 0",
            argument="sample_weight",
            advice="there is nothing to count, so give some items a weight",
        )
    item, label, cell = _decided(true, pred)
    by_item, items, pattern = _by_item(item, cell, true.shape, weights)
    group = None if groups is None else _numbered(groups, true.shape[0])
    decisions = Decisions(true.shape[0], true.shape[1], item, label, cell, pattern, weights, group)
    return Multilabel(names, _by_label(decisions), by_item, items, decisions)


class _Places(NamedTuple):
    """The places (item · labels + label) of an indicator matrix that are 1, in order."""

    at: Array
    shape: tuple[int, int]


def _decided(true: Array | _Places, pred: Array | _Places) -> tuple[Array, Array, Array]:
    """Return the item, the label and the cell of each decision about a label that is true or predicted."""
    labels = true.shape[1]
    if isinstance(true, np.ndarray) and isinstance(pred, np.ndarray):
        place = np.flatnonzero(true | pred)
        cell = 2 * true.reshape(-1)[place].view(np.int8) + pred.reshape(-1)[place].view(np.int8)
    else:
        first, second = (np.flatnonzero(x) if isinstance(x, np.ndarray) else x.at for x in (true, pred))
        both = np.sort(np.concatenate([first * 2 + 1, second * 2]), kind="stable")  # two runs, which are merged
        place, new = both >> 1, np.ones(len(both), bool)
        new[1:] = place[1:] != place[:-1]
        starts = np.flatnonzero(new)
        found = np.where(both & 1 == 1, 2, 1).astype(np.int8)
        cell = np.add.reduceat(found, starts) if len(starts) else found
        place = place[starts]
    item, label = np.divmod(place, labels)
    return item, label, cell.astype(np.int8)


def _numbered(groups: object, length: int) -> Array:
    """Return the group of each item as a number; items without a group are one each."""
    column = column_of(groups, length, "groups")
    known: dict[Label, int] = {}
    alone = ((None, k) for k in range(length))
    return np.fromiter(
        (known.setdefault(next(alone) if x is None else x, len(known)) for x in column), np.int64, length
    )


def label_averages(
    f: Measure, counts: Array, policy: Policy, averages: Sequence[str] = (MACRO, MICRO, WEIGHTED)
) -> dict[str, Array]:
    """Return the averages of a measure over labels, for counts of shape (…, labels, 2, 2)."""
    found: dict[str, Array] = {}
    if MICRO in averages:
        found[MICRO] = np.asarray(f(counts.sum(axis=-3), undefined=policy), np.float64)
    over_labels = [x for x in (MACRO, WEIGHTED) if x in averages]
    for average, (above, below) in label_terms(f, counts, policy, over_labels).items():
        found[average] = mean_of_labels(above.sum(axis=-1), below.sum(axis=-1), average, f, policy)
    return found


def mean_of_labels(above: Array, below: Array, average: str, f: Measure, policy: Policy) -> Array:
    """Return a mean over labels from the sums of their terms and of their weights."""
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = above / below
    empty = below == 0
    return np.where(empty, _without_labels(average, f.name, policy), mean) if empty.any() else mean


def label_terms(f: Measure, counts: Array, policy: Policy, averages: Sequence[str]) -> dict[str, tuple[Array, Array]]:
    """Return what each label adds to a mean over labels, and to its weights, for counts of shape (…, labels, 2, 2)."""
    if not averages:
        return {}
    found: dict[str, tuple[Array, Array]] = {}
    sizes = counts[..., 1, :].sum(axis=-1)
    occurs = sizes + counts[..., 0, 1] > 0
    values = np.asarray(f(counts, undefined=policy.quiet), np.float64)
    if policy.resolves:
        values = _ruled(values, counts, f.worst_value)
    for average in averages:
        weights = (occurs if average == MACRO else sizes).astype(np.float64)
        held = weights > 0  # a term of weight 0 is left out, whatever the policy says about undefined values
        if policy.resolves:
            held &= ~np.isnan(values)
        elif policy.name == "raise" and np.isnan(values[held]).any():
            f(counts[held & np.isnan(values)], undefined=policy)  # it raises, and says why
        with np.errstate(invalid="ignore"):
            found[average] = np.where(held, values * weights, 0.0), np.where(held, weights, 0.0)
    return found


def for_labels(measures: Sequence[Measure]) -> list[Measure]:
    """Return the measures to average over labels: those that are not averages over the two classes of a label."""
    return [f for f in measures if f.classes in (None, 2) and f.combinator not in ("macro", "micro", "weighted")]


def item_values(f: Measure, by_item: Array, policy: Policy) -> Array:
    """Return the value of a measure on the labels of single items, from their matrices; NaN where one is left out."""
    values = np.asarray(f(by_item, undefined=policy), np.float64)
    return _ruled(values, by_item, f.worst_value) if policy.resolves else values


def _ruled(values: Array, counts: Array, worst: float | None) -> Array:
    """Return the terms of a mean by the rules of averages; NaN where a term is left out.

    An item without labels that is given none is predicted correctly, so it keeps its value.
    """
    if worst is None:
        return values
    true, predicted = counts[..., 1, :].sum(axis=-1) > 0, counts[..., :, 1].sum(axis=-1) > 0
    return np.where(np.isnan(values) & true & ~predicted, worst, values)


def _without_labels(average: str, name: str, policy: Policy) -> float:
    """Return the mean over labels where there are none: none that occurs, or none that an item has."""
    if policy.name == "raise":
        reason = "no item has a label" + (", and none is predicted" if average == MACRO else "")
        raise UndefinedMeasure(
            "{average} {measure} is undefined: {reasons}", average=average, measure=name, reasons=[reason]
        )
    return float(policy.number) if policy.name == "number" else float("nan")


def _binary(measure: object) -> Measure:
    f = as_measure(measure)
    if f.classes not in (None, 2):
        raise InputError(
            "{name} is for {classes} classes",
            name=f.name,
            classes=f.classes,
            advice="a label is there or not, which are two",
        )
    return f


def _by_label(decisions: Decisions) -> Array:
    """Return the matrix of each label."""
    labels, key, weight = decisions.labels, decisions.label * 4 + decisions.cell, decisions.weight
    each = None if weight is None else weight[decisions.item]
    counts = np.bincount(key, each, 4 * labels).reshape(labels, 4)
    listed = np.bincount(decisions.label, minlength=labels)
    if weight is None:
        counts[:, 0] = decisions.items - listed
    else:
        counts[:, 0] = _left_over(decisions, weight, counts, listed)
    return counts.reshape(labels, 2, 2)


def _left_over(decisions: Decisions, weight: Array, counts: Array, listed: Array) -> Array:
    """Return the weight of the items that neither have a label nor are given it.

    What is left of a sum by subtracting loses digits, so the weights are added up where that does not take long.
    """
    items, labels = decisions.items, decisions.labels
    if items * labels > _MOST_ADDED:
        return np.where(listed < items, np.maximum(weight.sum() - counts.sum(axis=1), 0.0), 0.0)
    left = np.zeros(labels)
    step = max(1, (1 << 20) // labels)
    for start in range(0, items, step):
        left += weight[start : start + step] @ (decisions.cells(slice(start, start + step)) == 0)
    return left


def _by_item(item: Array, cell: Array, shape: tuple[int, int], weights: Array | None) -> tuple[Array, Array, Array]:
    """Return the distinct matrices that items have over their labels, the weight of each, and which one items have."""
    false, missed, hit = (np.bincount(item[cell == k], minlength=shape[0]) for k in (1, 2, 3))
    size = shape[1] + 1
    keys, where = np.unique((hit * size + missed) * size + false, return_inverse=True)
    rest, false = np.divmod(keys, size)
    hit, missed = np.divmod(rest, size)
    none = shape[1] - hit - missed - false
    items = np.bincount(where, weights)
    return np.stack([np.stack([none, false], -1), np.stack([missed, hit], -1)], -2), items, where


def _indicators(y: object, name: str) -> Array | _Places:
    """Return an indicator matrix as booleans, and a sparse one as the places of its ones."""
    if hasattr(y, "tocsr"):
        return _ones(y.tocsr(), name)
    if hasattr(y, "toarray"):
        y = y.toarray()
    if hasattr(y, "to_numpy"):
        y = y.to_numpy()
    if hasattr(y, "detach"):
        y = y.detach().cpu().numpy()
    try:
        array = np.asarray(y)
    except ValueError:
        array = np.empty(0, object)
    _check_table(array, name, type(y))
    _check_ones(array, name)
    return np.ascontiguousarray(array.astype(bool))


def _check_table(matrix: AnyArray, name: str, kind: type) -> None:
    """Refuse what is no table of numbers."""
    if matrix.ndim != 2 or matrix.dtype.kind not in "biuf":
        raise InputTypeError(
            "{argument} is {kind} of shape {shape}", argument=name, kind=kind.__name__, shape=matrix.shape,
            expected="a matrix (items, labels) of 0 and 1, or a list with the labels of each item",
        )  # fmt: skip


def _check_ones(values: Array, name: str) -> None:
    """Refuse values other than 0 and 1."""
    wrong = np.zeros(0, bool) if values.dtype == bool else (values != 0) & (values != 1)
    if wrong.any():
        raise InputError(
            "{argument} holds {known!r}",
            argument=name,
            known=values[wrong][0].item(),
            advice="an indicator matrix holds 0 and 1 only",
        )


def _ones(matrix: AnyArray, name: str) -> _Places:
    """Return the places of the ones of a sparse matrix by rows."""
    _check_table(matrix, name, type(matrix))
    if not matrix.has_canonical_format:
        matrix = matrix.copy()
        matrix.sum_duplicates()
    _check_ones(matrix.data, name)
    rows = np.repeat(np.arange(matrix.shape[0], dtype=np.int64), np.diff(matrix.indptr))
    at = rows * matrix.shape[1] + matrix.indices
    return _Places(at[matrix.data != 0], (int(matrix.shape[0]), int(matrix.shape[1])))


def _names(y_true: Sequence[str] | Array, y_pred: object, labels: ArrayLike, size: int) -> tuple[Label, ...]:
    columns = [tuple(y.columns) for y in (y_true, y_pred) if hasattr(y, "columns")]
    if len(columns) == 2 and columns[0] != columns[1] and labels is None:
        raise InputError(
            "{y_true} has columns {names}, {y_pred} {others}",
            names=list(columns[0]),
            others=list(columns[1]),
            advice="name and order them alike",
        )
    names = labels if labels is not None else columns[0] if columns else tuple(range(size))
    check_unique(names)
    if len(names) != size:
        raise InputError(
            "{labels} has {number} names, {y_true} has {size} columns",
            number=len(names),
            size=size,
            advice="name each column once",
        )
    return names


def _plain(y: object) -> Label:
    """Return a data frame column that holds the labels of each item as a list."""
    if isinstance(y, (list, tuple)) or getattr(y, "ndim", 1) != 1 or hasattr(y, "columns") or hasattr(y, "toarray"):
        return y
    found = y.tolist() if hasattr(y, "tolist") else y.to_list() if hasattr(y, "to_list") else y
    return [list(x) if isinstance(x, np.ndarray) else x for x in found] if isinstance(found, list) else y


def _are_collections(y: object) -> bool:
    """Return whether each item comes with a collection of its labels; equally long rows of 0 and 1 are a matrix."""
    if (
        not isinstance(y, Sequence)
        or isinstance(y, str)
        or not all(isinstance(x, (list, tuple, set, frozenset)) for x in y)
    ):
        return False
    return not _is_table(y) or not all(x in (0, 1) for labels in y for x in labels)


def _is_table(y: Sequence[ArrayLike]) -> bool:
    """Return whether a list of lists holds rows of numbers of one length."""
    if any(isinstance(x, (set, frozenset)) for x in y) or len({len(x) for x in y}) > 1:
        return False
    return all(isinstance(x, (bool, int, float, np.number)) for labels in y for x in labels)


def _refuse_sequences(
    y_true: Sequence[Collection[object]], y_pred: Sequence[Collection[object]], found: Collection[object]
) -> None:
    """Refuse lists in which a label occurs twice, and tags of sequences: both say that the order counts.

    Of a set of labels it does not: the entities of a text would be right wherever they are.
    """
    tags = are_tags(found)
    listed_alike = all(
        isinstance(x, (list, tuple)) and isinstance(y, (list, tuple)) and len(x) == len(y)
        for x, y in zip(y_true, y_pred, strict=False)
    )
    for argument, y in (("y_true", y_true), ("y_pred", y_pred)):
        for k, item in enumerate(y):
            twice = next((x for x in item if list(item).count(x) > 1), None) if len(set(item)) < len(item) else None
            if twice is not None or (tags and listed_alike):
                raise InputError(
                    "{argument}[{k}] has the label {label!r} twice, so it is not a set of labels"
                    if twice is not None
                    else "{argument}[{k}] is a sequence of tags ({label!r} …), not a set of labels",
                    argument=argument,
                    k=k,
                    label=twice if twice is not None else next(iter(item), "O"),
                    advice=TAG_SEQUENCES
                    if tags
                    else "name each label of an item once; sequences of labels (spans) are not evaluated yet, and "
                    "single elements are measured as one long list",
                )


def _from_collections(
    y_true: Sequence[Collection[object]], y_pred: Sequence[Collection[object]], labels: ArrayLike
) -> tuple[tuple[Label, ...], _Places, _Places]:
    found = dict.fromkeys(label for y in (y_true, y_pred) for item in y for label in item)
    _refuse_sequences(y_true, y_pred, found)
    names = in_order(found) if labels is None else tuple(labels)
    place = {label: k for k, label in enumerate(names)}
    for label in found:
        if label not in place:
            raise InputError(
                "the label {label!r} occurs in the data but not in {known}",
                argument="labels",
                label=label,
                known=Either(f"labels={list(names)!r}", "{labels}"),
                advice="add it",
            )
    both = []
    for y in (y_true, y_pred):
        places = [k * len(names) + place[label] for k, item in enumerate(y) for label in item]
        both.append(_Places(np.unique(np.array(places, np.int64)), (len(y), len(names))))
    return names, both[0], both[1]
