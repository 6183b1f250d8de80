"""Checks of what users pass in, with the errors that explain what is wrong."""

from __future__ import annotations

import math
import reprlib
from collections.abc import Iterable, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from goodmeasure.counts.scores_as_labels import advice_for_rows
from goodmeasure.exceptions import Argument, Either, InputError, InputTypeError, Phrase
from goodmeasure.typing import AnyArray, Array, ArrayLike, Label

if TYPE_CHECKING:
    from goodmeasure.counts.labels import Column


def kind_of_values(dtype: object) -> str:
    """Return how people call the values of an array: those of text have a type for each length.

    >>> kind_of_values(np.dtype("<U3")), kind_of_values(np.dtype(object)), kind_of_values(np.dtype("datetime64[s]"))
    ('text', 'mixed', 'datetime64[s]')
    """
    kinds = {"U": "text", "S": "text", "T": "text", "O": "mixed", "b": "true/false"}
    return kinds.get(getattr(dtype, "kind", ""), str(dtype))


def as_counts(counts: object, *, copy: bool = True) -> Array:
    """Return counts as an array of shape (…, m, m) of integers, floats, or exact numbers as objects."""
    if isinstance(counts, (str, bytes)) or counts is None:
        raise InputTypeError("{counts} is {got!r}", got=counts, expected="a square matrix such as [[50, 3], [4, 20]]")
    try:
        array = np.array(counts, copy=True if copy else None)
    except ValueError as error:
        raise InputError("the rows of {counts} differ in length", advice="a confusion matrix is square") from error
    if array.dtype == bool:
        array = array.astype(np.int64)
    if array.dtype.kind not in "iufO":
        raise InputTypeError("{counts} holds {what} values", what=kind_of_values(array.dtype), expected="numbers")
    if array.ndim == 1 and len(array):
        raise InputError(
            "{counts} has shape {shape}",
            shape=array.shape,
            advice="a confusion matrix is square, with one row and one column per class; "
            "for labels, give the true and the predicted ones",
        )
    if array.ndim < 2 or array.shape[-1] != array.shape[-2]:
        raise InputError(
            "{counts} has shape {shape}",
            shape=array.shape,
            advice="a confusion matrix is square, with one row and one column per class",
        )
    if array.shape[-1] == 0:
        raise InputError("{counts} has no classes", advice="a confusion matrix needs at least one row and one column")
    if array.dtype.kind == "O":
        array = _exact_counts(array)
    _check_counts(array)
    return array


def _exact_counts(array: Array) -> Array:
    """Return objects that are integers beyond 64 bits, fractions or floats unchanged; refuse everything else."""
    flat = array.ravel()
    for position, value in enumerate(flat):
        if isinstance(value, (float, np.floating)):
            if math.isfinite(value):
                flat[position] = float(value)
        elif isinstance(value, (int, np.integer)) and not isinstance(value, bool):
            flat[position] = int(value)
        elif isinstance(value, Fraction):
            flat[position] = value.numerator if value.denominator == 1 else value
        else:
            where = [int(k) for k in np.unravel_index(position, array.shape)]
            raise InputTypeError("{counts}{where} is {got!r}", where=where, got=value, expected="a number")
    return flat.reshape(array.shape)


def _check_counts(array: Array) -> None:
    """Refuse negative and infinite counts and NaN."""
    kind = array.dtype.kind
    if kind == "u" or (kind in "if" and array.size and array.min() >= 0 and (kind == "i" or array.max() < math.inf)):
        return  # the usual case costs a pass, or two for floats; a NaN fails the first comparison
    bad = array < 0
    if array.dtype.kind == "f":
        bad = bad | ~np.isfinite(array)
    elif array.dtype.kind == "O":
        bad = bad | np.array([isinstance(x, float) and not math.isfinite(x) for x in array.ravel()]).reshape(
            array.shape
        )
    if bad.any():
        where = np.argwhere(bad)[0]
        value = array[tuple(where)]
        raise InputError(
            "{counts}{where} is {got}",
            where=[int(k) for k in where],
            got=value,
            advice="counts must be finite and not negative",
        )


def small_rows(counts: ArrayLike, largest: int) -> tuple[list[list[float]], bool] | None:
    """Return the rows of one small matrix of plain numbers, checked without NumPy, and whether all are integers.

    None if it is anything else: the slower check then says what is wrong.
    """
    m = len(counts)
    if not 0 < m <= largest:
        return None
    rows, are_integers = [], True
    for row in counts:
        if type(row) not in (list, tuple) or len(row) != m:
            return None
        for x in row:
            if type(x) is not int:
                if type(x) is not float or not x < math.inf:
                    return None
                are_integers = False
            if x < 0:
                return None
        rows.append(list(row))
    return rows, are_integers


def listed(given: object, argument: str, expected: str = "a list of labels") -> list[object]:
    """Return what a user lists, one by one; refuse a single text, and what cannot be listed."""
    if isinstance(given, (str, bytes)) or not isinstance(given, Iterable):
        raise InputTypeError("{argument} is {got!r}", argument=argument, got=given, expected=expected)
    return list(given)


def check_whole(number: object, argument: str, least: int) -> None:
    """Refuse what is not a whole number of at least so much."""
    if isinstance(number, bool) or not isinstance(number, (int, np.integer)) or number < least:
        raise InputError(
            "{argument} is {got!r}", argument=argument, got=number, least=least,
            expected="a whole number of at least {least}",
        )  # fmt: skip


def as_labels(labels: ArrayLike, m: int) -> tuple[object, ...]:
    """Return one label for each of m classes, all different."""
    if labels is None:
        return tuple(range(m))
    if isinstance(labels, (str, bytes)):
        raise InputTypeError("{labels} is the string {got!r}", got=labels, m=m, expected="a list of {m} labels")
    known = tuple(unpacked(x) for x in listed(labels, "labels"))
    if len(known) != m:
        raise InputError(
            "{labels} has {size} entries, {counts} has {m} classes", size=len(known), m=m, advice="they must match"
        )
    check_unique(known[:-1] if known and known[-1] is None else known)  # a last class None holds missing labels
    return known


def check_unique(labels: Sequence[object]) -> None:
    """Refuse labels that are not hashable, missing or equal; 1, True and 1.0 are equal in Python."""
    seen: dict[Label, object] = {}
    for label in labels:
        try:
            before = seen.get(label, seen)
        except TypeError as error:
            raise InputTypeError(
                "the label {label!r} is not hashable", label=label, advice="use values such as strings or numbers"
            ) from error
        if before is not seen:
            same = type(before) is type(label)
            twin = f"{label!r} occurs twice" if same else f"{before!r} and {label!r} are equal in Python"
            raise InputError("{labels} must be different, and {twin}", got=label, twin=twin)
        seen[label] = label
        if is_missing(label):
            raise InputError("{labels} contains {label!r}", label=label, advice="a class needs a name")


def check_positive(positive: object, labels: Sequence[object]) -> None:
    """Refuse a positive class that is not one of the classes."""
    if positive not in labels:
        known = ", ".join(map(repr, labels[:20])) + (", …" if len(labels) > 20 else "")
        raise InputError(
            "{positive} is {got!r}, which is not a class", got=positive, known=known, advice="the classes are {known}"
        )


def positive_typed(label: object) -> Either:
    """Return what to type for a class to be the positive one."""
    return Either(f"positive={label!r}", "{positive} " + str(label).replace("{", "{{").replace("}", "}}"))


def unknown_positive(name: str | Phrase, labels: Sequence[object], *, orderable: bool = True) -> InputError:
    """Return the error about two classes of which nothing says which is the positive one; `name` depends on it.

    `orderable` says that the order of `labels` can be given as well.
    """
    first, last = labels
    order = (
        Phrase("; {labels:=} with both, the positive one last, says it too")
        if orderable
        else (Either(f", or use cm.vs_rest({last!r})", ""))
    )
    return InputError(
        "{name} depends on which class is positive, and nothing says whether that is {first!r} or {last!r}",
        argument="positive", got=labels, name=name, first=first, last=last, order=order,
        one=positive_typed(first), other=positive_typed(last), advice="give {one} or {other}{order}",
    )  # fmt: skip


def unpacked(x: object) -> object:
    """Return the Python value of a NumPy scalar and the number of a decimal; anything else is returned unchanged."""
    if isinstance(x, Decimal):
        return _number(x)
    return x.item() if isinstance(x, np.generic) and not isinstance(x, (np.datetime64, np.timedelta64)) else x


def _number(label: Decimal) -> Decimal | float | None:
    """Return a decimal as the number that it denotes, so that 0.10 of one engine and 0.1 of another are one class.

    A decimal with more digits than a float has stays as it is, since two of them must not become one class.
    """
    if not label.is_finite():
        return None if label.is_nan() else label
    if label == label.to_integral_value():
        return int(label)
    near = float(label)
    return near if Decimal(repr(near)) == label else label


def is_missing(label: object) -> bool:
    """Return whether a label is None, NaN (also as a decimal), NaT or pandas' NA."""
    if label is None or type(label).__name__ in ("NAType", "NaTType"):
        return True
    return bool(isinstance(label, (float, np.floating, np.datetime64, np.timedelta64, Decimal)) and label != label)


def same_length(first: Column, *others: Column | None) -> int:
    """Return the common length of columns, ignoring those that are None; refuse different lengths."""
    length = len(first)
    for column in others:
        if column is not None and len(column) != length:
            raise InputError(
                "{name} has {size} labels, {first} has {length}",
                name=column.name,
                size=len(column),
                first=first.name,
                length=length,
                advice="they must be the same length",
            )
    return length


def as_weights(sample_weight: ArrayLike, length: int) -> Array:
    """Return weights as an array of finite, non-negative numbers, one for each item."""
    if hasattr(sample_weight, "detach"):  # a tensor, perhaps on an accelerator, or of a type that NumPy lacks
        sample_weight = sample_weight.detach().cpu()
        sample_weight = sample_weight.double() if sample_weight.is_floating_point() else sample_weight
    weights = np.asarray(sample_weight)
    if weights.dtype.kind not in "biuf" or weights.ndim != 1:
        raise _not_weights(weights.dtype, weights.shape)
    if len(weights) != length:
        raise _other_length(len(weights), length)
    bad = ~np.isfinite(weights) | (weights < 0) if weights.dtype.kind == "f" else weights < 0
    if bad.any():
        where = int(np.flatnonzero(bad)[0])
        raise _not_a_weight(where, weights[where])
    return np.require(weights, weights.dtype.newbyteorder("="), "A")  # a field of a structured array is unaligned


def as_item_counts(count: object, length: int) -> Array:
    """Return how many items each row stands for as an array of whole numbers that are not negative."""
    counts = np.asarray(count)
    if counts.dtype.kind not in "biuf" or counts.ndim != 1:
        raise InputTypeError(
            "{count} holds {what} values of shape {shape}",
            what=kind_of_values(counts.dtype),
            shape=counts.shape,
            expected="one whole number for each row",
        )
    if len(counts) != length:
        raise InputError(
            "{count} has {size} numbers, {y_true} has {length}",
            size=len(counts),
            length=length,
            advice="they must be the same length",
        )
    bad = ~(np.isfinite(counts) & (counts >= 0) & (counts == np.floor(counts)))
    if bad.any():
        where = int(np.flatnonzero(bad)[0])
        raise InputError(
            "{count} is {got} at position {where}",
            got=counts[where],
            where=where,
            expected="a whole number of items that is not negative",
            advice="numbers with fractions are weights ({sample_weight:=})",
        )
    if not 0 < counts.sum(dtype=np.float64) < 2**53:
        raise InputError(
            "{count} adds up to {total:g}",
            total=counts.sum(dtype=np.float64),
            expected="at least 1, and fewer than 2^53",
        )
    return counts.astype(np.int64)


def check_weights_on_device(weights: AnyArray, length: int) -> None:
    """Refuse weights that `as_weights` would refuse, in a tensor that stays on its accelerator."""
    if weights.ndim != 1 or weights.is_complex():
        raise _not_weights(weights.dtype, tuple(weights.shape))
    if len(weights) != length:
        raise _other_length(len(weights), length)
    bad = ~(weights >= 0) | weights.isinf()
    if bool(bad.any()):
        where = int(bad.nonzero()[0, 0])
        raise _not_a_weight(where, weights[where].item())


def _not_weights(dtype: object, shape: tuple[int, ...]) -> InputTypeError:
    return InputTypeError(
        "{sample_weight} holds {what} values of shape {shape}",
        what=kind_of_values(dtype),
        shape=shape,
        expected="one number for each item",
    )


def _other_length(size: int, length: int) -> InputError:
    return InputError(
        "{sample_weight} has {size} weights, {y_true} has {length}",
        size=size,
        length=length,
        advice="they must be the same length",
    )


def _not_a_weight(where: int, got: object) -> InputError:
    return InputError(
        "{sample_weight}[{where}] is {got}", where=where, got=got, advice="weights must be finite and not negative"
    )


class ListLabels(InputTypeError):  # noqa: N818 - it says what came
    """Labels are lists: an item may have several."""


def unhashable(error: TypeError, *columns: ArrayLike) -> TypeError:
    """Return the error that shows the label which cannot be hashed; the one that came, if all of them can."""
    label = next((x for column in columns for x in column if not _is_hashable(x)), None)
    if label is None:
        return error
    kind = type(label).__name__
    return (InputTypeError if isinstance(label, dict) else ListLabels)(
        "a label is {label}, a {kind}",
        label=reprlib.repr(label),
        got=label,
        kind=kind,
        expected="one value such as a string or a number",
        advice="" if isinstance(label, dict) else advice_for_rows([label]),
    )


def _is_hashable(label: object) -> bool:
    try:
        hash(label)
    except TypeError:
        return False
    return True


def weights_too_large(name: str | Phrase) -> InputError:
    """Return the error about weights whose squares add up to more than a float can hold."""
    return InputError(
        "{name} is too large",
        name=name,
        advice="the squares of the weights add up to more than a float can hold, so use smaller ones",
    )


def squared(
    weights: Array,
    name: str | Phrase = Argument("sample_weight"),  # noqa: B008 - it never changes
) -> Array:
    """Return the squares of weights; refuse weights whose squares overflow or have no finite sum."""
    with np.errstate(over="ignore"):
        squares = weights * weights
        if not np.isfinite(squares.sum()):
            raise weights_too_large(name)
    return np.asarray(squares)


def kind_of(label: object) -> str:
    """Return the kind of a label: number, text, boolean, or the name of its type."""
    if isinstance(label, (bool, np.bool_)):
        return "boolean"
    if isinstance(label, (int, float, np.integer, np.floating, Fraction, Decimal)):
        return "number"
    if isinstance(label, (str, np.str_)):
        return "text"
    return type(label).__name__


def check_one_kind(labels: Iterable[object], *columns: str) -> str | None:
    """Return the kind that all labels share; refuse labels of different kinds.

    1, True and "1" are different kinds, so they are neither merged nor split silently. `columns` are the names of the
    columns that hold the labels; by default, the two arguments.
    """
    examples: dict[str, Label] = {}
    for label in labels:
        if not is_missing(label):
            examples.setdefault(kind_of(label), label)
    if len(examples) > 1:
        shown = " and ".join(f"{kind} ({example!r})" for kind, example in sorted(examples.items()))
        first, *second = dict.fromkeys(columns or (Argument("y_true"), Argument("y_pred")))
        raise InputTypeError(
            "labels are of different kinds, {shown}",
            shown=shown,
            both=Phrase(
                "{first} and {second}" if second else "{first}", {"first": first, "second": second[0] if second else ""}
            ),
            advice="convert {both} to one kind",
        )
    return next(iter(examples), None)


def check_square_binary(name: str, m: int) -> None:
    """Raise the error for a binary measure on another number of classes."""
    macro, micro, weighted = (Either(f"gm.{x}(gm.{name})", f"{x}({name})") for x in ("macro", "micro", "weighted"))
    raise InputError(
        "{name} is defined for two classes, and the matrix has {m}",
        argument="positive",
        got=m,
        name=name,
        m=m,
        macro=macro,
        micro=micro,
        weighted=weighted,
        one=Either(", or one class with cm.vs_rest(label)", ", or one class with {positive} LABEL"),
        advice="use {macro}, {micro} or {weighted}{one}",
    )
