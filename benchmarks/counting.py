"""W1 and W2: from labels to a confusion matrix, for integers and for any other labels."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import goodmeasure as gm
from benchmarks.peers import torch_matrix
from benchmarks.timing import Row, race
from goodmeasure.counts.kernel import tally

N = 10_000_000
SOME = 1_000_000  # as many are compared with what scikit-learn counts
SMALL = "Most of our time goes into the table of a million cells, not into the labels."
POINTERS = "Each item costs a look into a cache of pointers."
CODE_POINTS = "Each item costs a hash of its 32 bytes."
CALLS = "The stable ABI gives no pointer to the items of a list, so each costs a call."
LOOK_UPS = "Every string is another object, so each costs a look-up in a dictionary."


def labels(n: int, m: int, dtype: Any) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    true = rng.integers(0, m, n)
    predicted = np.where(rng.random(n) < 0.7, true, rng.integers(0, m, n))
    return true.astype(dtype), predicted.astype(dtype)


def rows() -> list[Row]:
    found = [
        _integers("W1 int64", N, 10, np.int64, 75, 1.4),
        _integers("W1 int32", N, 10, np.int32, 60),
        _integers("W1 uint8", N, 10, np.uint8, 45),
        _integers("W1 bool", N, 2, np.bool_, 300),
        _integers("W1 m=1000", N, 1000, np.int64, 35),
        _integers("W1 n=1e4 m=1000", 10_000, 1000, np.int64, 1, note=SMALL),
        _integers("W1 n=1e8", 10 * N, 10, np.int64, 100, 1.3),
    ]
    found += [
        _worst("W1 worst int64", "labels, int64, unknown", lambda x: x, N, 35),
        _worst("W1 worst int32", "labels, int32, unknown", lambda x: x.astype(np.int32), N, 35),
        _worst("W2 worst list", "strings with one prefix, in lists", lambda x: _long_names(x).tolist(), SOME, 10),
        _worst("W2 worst unicode", "strings with one prefix, in NumPy arrays", _long_names, SOME, 10),
        _distinct(),
    ]
    return [*found, *_any_labels()]


def drawn(how: str, n: int) -> tuple[np.ndarray, np.ndarray]:
    """Return true and predicted labels of at most ten classes, as they are found in data."""
    rng = np.random.default_rng(1)
    kinds: dict[str, Callable[[], np.ndarray]] = {
        "uniform": lambda: rng.integers(0, 10, n),
        "skewed": lambda: (rng.random(n) ** 8 * 10).astype(np.int64),
        "sorted": lambda: np.sort(rng.integers(0, 10, n)),
        "one class only": lambda: np.full(n, 7),
        "1% positives": lambda: (rng.random(n) < 0.01).astype(np.int64),
        "alternating": lambda: np.arange(n) % 2,
    }
    true = kinds[how]()
    other = true if how == "one class only" else np.roll(true, 1)
    return true, np.where(rng.random(n) < 0.7, true, other)


HOW = "uniform", "skewed", "sorted", "one class only", "1% positives", "alternating"


def _worst(key: str, work: str, of: Callable[[np.ndarray], Any], n: int, times: float) -> Row:
    """Return the row of the distribution of labels on which we compare worst, with the ratios of all in its note."""
    found: dict[str, Row] = {}
    for how in HOW:
        columns = [of(x) for x in drawn(how, n)]
        few = [x[:SOME] for x in columns]
        np.testing.assert_array_equal(gm.confusion(*few).counts, _sklearn(*few))
        contenders = {
            "goodmeasure": lambda c=columns: gm.confusion(*c), "scikit-learn": lambda c=columns: _sklearn(*c)
        }  # fmt: skip
        seconds = race(contenders, repeats=2)
        found[how] = Row(key, f"{n:,} {work}, the worst of six distributions: {how}", seconds, {"scikit-learn": times})
    worst = min(found.values(), key=lambda row: row.ratio("scikit-learn"))
    ratios = ", ".join(f"{how} {row.ratio('scikit-learn'):.3g}" for how, row in found.items())
    worst.note = f"How many times as long scikit-learn takes, by distribution: {ratios}."
    return worst


def _distinct() -> Row:
    """Ten million labels, no two of which are equal."""
    rng = np.random.default_rng(0)
    true = rng.permutation(N)
    predicted = np.where(rng.random(N) < 0.7, true, np.roll(true, 1))
    contenders = {
        "goodmeasure, the matrix and macro F1": lambda: gm.macro(gm.f1)(true, predicted),
        "np.unique of both columns, numbered": lambda: [np.unique(x, return_inverse=True) for x in (true, predicted)],
    }
    seconds = race(contenders, repeats=1)
    aims = {"np.unique of both columns, numbered": 1.0}
    return Row("W1 distinct", f"{N:,} labels, all different, int64", seconds, at_least=aims)


def _long_names(x: np.ndarray) -> np.ndarray:
    return np.array([f"http://example.org/ontology/long/common/prefix#{k}" for k in range(10)])[x]


def _integers(key: str, n: int, m: int, dtype: Any, times: float, floor: float | None = None, note: str = "") -> Row:
    true, predicted = labels(n, m, dtype)
    contenders: dict[str, Callable[[], object]] = {
        "goodmeasure": lambda: gm.confusion(true, predicted),
        "goodmeasure without the extension": lambda: _without_extension(true, predicted),
        "np.bincount, m known": lambda: np.bincount(true.astype(np.int64) * m + predicted, minlength=m * m),
        "scikit-learn": lambda: _sklearn(true, predicted),
        **(torch_matrix(true, predicted, m) if n <= N else {}),
    }
    if tally.kernel is not None:
        contenders["reading both arrays"] = lambda: tally.kernel._read_only(true, predicted)
    expected = _sklearn(true[:SOME], predicted[:SOME])
    np.testing.assert_array_equal(gm.confusion(true[:SOME], predicted[:SOME]).counts, expected)
    seconds = race(contenders, repeats=2)
    work = f"{n:,} labels of {m} classes, {np.dtype(dtype)}, labels unknown"
    at_most = {} if floor is None else {"reading both arrays": floor}
    return Row(key, work, seconds, at_least={"scikit-learn": times}, at_most=at_most, note=note)


def _sklearn(true: Any, predicted: Any) -> Any:
    from sklearn.metrics import confusion_matrix

    return confusion_matrix(true, predicted)


def _without_extension(true: Any, predicted: Any) -> Any:
    before, tally.kernel = tally.kernel, None
    try:
        return gm.confusion(true, predicted)
    finally:
        tally.kernel = before


def _any_labels() -> list[Row]:
    import pandas as pd
    import polars as pl

    names = np.array([f"class {k}" for k in range(10)])
    true, predicted = labels(N, 10, np.int64)
    few_true, few_predicted = true[:SOME], predicted[:SOME]
    objects = [names.astype(object)[x] for x in (true, predicted)]
    texts = [names.astype("<U8")[x] for x in (true, predicted)]
    categories = [pd.Categorical.from_codes(x, names) for x in (few_true, few_predicted)]
    kind = pl.Enum(names.tolist())
    enums = [pl.Series(names[x].tolist()).cast(kind) for x in (few_true, few_predicted)]
    shared = [names.astype(object)[x].tolist() for x in (few_true, few_predicted)]
    distinct = [["".join(list(y)) for y in x] for x in shared]
    return [
        _pair("W2 object", "NumPy object arrays", objects, 1000, POINTERS),
        _pair("W2 <U8", "NumPy unicode arrays", texts, 70, CODE_POINTS),
        _pair("W2 Categorical", "pandas Categorical", categories, 2000),
        _pair("W2 Enum", "Polars Enum", enums, 2000),
        _pair("W2 list", "lists of shared strings", shared, 300, CALLS),
        _pair("W2 list, distinct", "lists of distinct string objects", distinct, 25, LOOK_UPS),
    ]


def _pair(key: str, work: str, columns: list[Any], times: float, note: str = "") -> Row:
    n = len(columns[0])
    few = [x[:SOME] for x in columns]
    np.testing.assert_array_equal(gm.confusion(*few).counts, _sklearn(*few))
    contenders = {"goodmeasure": lambda: gm.confusion(*columns), "scikit-learn": lambda: _sklearn(*columns)}
    seconds = race(contenders, repeats=2 if n <= SOME else 1)
    return Row(key, f"{n:,} items: {work}, 10 classes", seconds, at_least={"scikit-learn": times}, note=note)
