"""A confusion matrix under another class distribution: the recalls stay the same, the class sizes change."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from goodmeasure.counts.matrix import ConfusionMatrix
from goodmeasure.exceptions import InputError, InputTypeError
from goodmeasure.typing import Array, ArrayLike, Label

_ROUNDS = 2000
_ROUNDS_OF_ONE = 100_000  # for a single matrix, more rounds are affordable
_EXACT = 1e-12
_OFF = 1e-9  # tolerance for the rounding of shares


def as_shares(shares: object, labels: Sequence[Label], argument: str) -> Array:
    """Return class shares in the order of the labels.

    They may come as a dict, one number for each class, "uniform", or, for two classes, the share of the positive one.
    """
    listed = _one_for_each_class(shares, labels, argument)
    try:
        found = np.array([float(x) for x in listed])
    except (TypeError, ValueError):
        raise InputTypeError(
            "{argument} is {got!r}", argument=argument, got=listed, expected="a share for each class"
        ) from None
    _check_shares(found, len(labels), argument)
    found /= found.sum()  # the given shares may be rounded
    return found


def _one_for_each_class(shares: object, labels: Sequence[Label], argument: str) -> ArrayLike:
    """Return shares of any form as one for each class; whether these are numbers is not checked yet."""
    if isinstance(shares, str):
        if shares != "uniform":
            raise InputError("{argument} is {got!r}", argument=argument, got=shares, expected="shares, or 'uniform'")
        return np.full(len(labels), 1 / len(labels))
    if isinstance(shares, Mapping):
        return _by_label(shares, labels, argument)
    if isinstance(shares, (int, float, np.number)) and not isinstance(shares, bool):
        return _of_two_classes(shares, len(labels), argument)
    return shares


def _by_label(shares: Mapping[Label, object], labels: Sequence[Label], argument: str) -> list[object]:
    """Return the shares of a dict in the order of the labels, each of which must be there."""
    unknown = [x for x in shares if x not in labels]
    absent = [x for x in labels if x not in shares]
    if unknown or absent:
        said = f"{unknown[0]!r} is no class" if unknown else f"class {absent[0]!r} is missing"
        raise InputError(
            "{argument}: {said}; the classes are {known}",
            argument=argument,
            said=said,
            known=", ".join(map(repr, labels)),
        )
    return [shares[x] for x in labels]


def _of_two_classes(share: float | np.number, m: int, argument: str) -> list[object]:
    """Return the shares of two classes from that of the positive one."""
    if m != 2:
        raise InputError(
            "{argument} is {got}, one number for {m} classes",
            argument=argument,
            got=share,
            m=m,
            advice="give the share of each class",
        )
    if not 0 <= share <= 1:
        raise InputError("{argument} is {got}", argument=argument, got=share, advice="a share lies between 0 and 1")
    return [1 - share, share]


def _check_shares(shares: Array, m: int, argument: str) -> None:
    """Refuse shares that do not match the classes, are negative or infinite, or do not add up to 1."""
    if len(shares) != m:
        raise InputError(
            "{argument} has {size} shares, the matrix has {m} classes",
            argument=argument,
            size=len(shares),
            m=m,
            advice="they must match",
        )
    if not np.isfinite(shares).all() or (shares < 0).any():
        wrong = shares[~np.isfinite(shares) | (shares < 0)][0]
        raise InputError(
            "{argument} has the share {wrong}", argument=argument, wrong=wrong, advice="shares lie between 0 and 1"
        )
    if abs(shares.sum() - 1) > _OFF:
        raise InputError(
            "{argument} adds up to {known:.6g}",
            argument=argument,
            known=shares.sum(),
            advice="shares of all classes add up to 1",
        )


def check_known(cm: ConfusionMatrix, prevalence: Array, argument: str = "prevalence") -> None:
    """Refuse a share for a class without true items: nothing is known about its recall."""
    for label, size, share in zip(cm.labels, cm.a, prevalence, strict=True):
        if size == 0 and share > 0:
            raise InputError(
                "{argument} gives class {label!r} a share of {share:.4g}, and the matrix has no true items of it",
                argument=argument,
                label=label,
                share=share,
                advice="nothing is known about what would become of them",
            )


def reweighted(rows: Array, prevalence: Array) -> Array:
    """Return the cells (…, m, m), as shares of all items, where the true classes have these shares.

    The rates c_ij/a_i stay the same (opitz2024, equation 5).
    """
    sizes = rows.sum(axis=-1, keepdims=True)
    rates = np.divide(rows, sizes, out=np.zeros_like(rows), where=sizes > 0)
    found: Array = rates * prevalence[..., None]
    return found


def with_predicted(cells: Array, predicted: Array, labels: Sequence[Label]) -> Array:
    """Return the cells (…, m, m) whose predicted classes have these shares as well (opitz2024, §6.3).

    With three or more classes, the diagonal and the true class shares stay as they are, so that
    precision_i = recall_i · p_i/q_i. The errors are spread so that the columns add up, as close to the known errors as
    possible: iterative proportional fitting finds the table with the given margins that is nearest to a given one in
    Kullback-Leibler divergence (Csiszár 1975). With two classes, no table keeps both recalls and has these shares:
    this is the nearest one, and `two_classes.py` has the values of measures.
    """
    hits = np.einsum("...ii->...i", cells)
    _check_room(predicted - hits, hits, predicted, labels)
    if cells.shape[-1] == 2:
        return nearest(cells, predicted)
    return _fitted(cells, cells.sum(axis=-1) - hits, predicted - hits)


def nearest(cells: Array, predicted: Array) -> Array:
    """Return the tables (…, 2, 2) with these row sums and predicted shares that are nearest to given ones.

    Proportional fitting keeps the odds ratio θ, so the last cell x solves x(1 − p − q + x) = θ(p − x)(q − x).
    """
    p, q = cells[..., 1, :].sum(axis=-1), predicted[1]
    with np.errstate(divide="ignore", invalid="ignore"):
        odds = cells[..., 0, 0] * cells[..., 1, 1] / (cells[..., 0, 1] * cells[..., 1, 0])
        k = np.minimum(odds, 1e12) - 1  # infinite where no error of a kind was seen
        s = 1 + (p + q) * k
        root = np.sqrt(np.maximum(s**2 - 4 * (k + 1) * k * p * q, 0.0))
        x = np.where(np.abs(k) < _EXACT, p * q, 2 * (k + 1) * p * q / (s + root))
    x = np.clip(np.where(np.isnan(x), p * q, x), np.maximum(0.0, p + q - 1), np.minimum(p, q))
    return np.stack([np.stack([1 - p - q + x, q - x], -1), np.stack([p - x, x], -1)], -2)


def _check_room(room: Array, known: Array, predicted: Array, labels: Sequence[Label]) -> None:
    """Refuse predicted shares that are smaller than the right predictions of a class.

    Only a single matrix is checked: drawn matrices that do not fit are left out later.
    """
    if room.ndim > 1 or not (room < -_OFF).any():
        return
    i = int(np.argmin(room))
    raise InputError(
        "{predicted} gives class {label!r} a share of {share:.4g}, but its recall and its prevalence make {known:.4g} "
        "right predictions of it",
        label=labels[i],
        share=predicted[i],
        known=known[i],
        advice="the recalls do not carry over to such data",
    )


def _fitted(cells: Array, missed: Array, false: Array) -> Array:
    """Return errors with these row and column sums, in proportions close to the known ones; NaN if impossible."""
    m = cells.shape[-1]
    off = ~np.eye(m, dtype=bool)
    false = np.maximum(false, 0.0)
    start = np.where(off, cells, 0.0)
    total = missed.sum(axis=-1)[..., None, None]
    spread = np.where(off, missed[..., :, None] * false[..., None, :], 0.0)
    # A little of every error is added, so that a column without known errors can be filled.
    errors = start + 1e-6 * np.divide(spread, total, out=np.zeros_like(spread), where=total > 0)
    # The errors in row i and in column i share no cell, so together they cannot exceed all errors. Draws that
    # violate this have no solution, and must not keep the others iterating.
    possible = ~(missed + false > missed.sum(axis=-1, keepdims=True) + _OFF).any(axis=-1)
    for _ in range(_ROUNDS if cells.ndim > 2 else _ROUNDS_OF_ONE):
        sums = errors.sum(axis=-1)
        errors = errors * np.divide(missed, sums, out=np.zeros_like(sums), where=sums > 0)[..., :, None]
        sums = errors.sum(axis=-2)
        errors = errors * np.divide(false, sums, out=np.zeros_like(sums), where=sums > 0)[..., None, :]
        if float(np.abs(errors.sum(axis=-1) - missed)[possible].max(initial=0.0)) < _EXACT:
            break
    errors = np.where((np.abs(errors.sum(axis=-1) - missed) > 1e-6).any(axis=-1)[..., None, None], np.nan, errors)
    return np.where(off, errors, cells)
