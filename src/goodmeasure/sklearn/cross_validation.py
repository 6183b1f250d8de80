"""The predictions behind the results of scikit-learn's `cross_validate`, so that they can be evaluated and compared."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from goodmeasure.exceptions import InputError, InputTypeError
from goodmeasure.typing import Array, ArrayLike


@dataclass(frozen=True, eq=False)
class CrossValidated:
    """What models predicted for items that they were not trained on: `gm.evaluate(**found.arguments())`.

    `y_pred` has the predictions of each model, `fold` the split that an item was tested in, and `item` the position of
    the item, which occurs several times where cross-validation was repeated.
    """

    y_true: Array
    y_pred: dict[str, Array]
    fold: Array
    item: Array

    def arguments(self) -> dict[str, ArrayLike]:
        """Return the arguments of `gm.evaluate` and `gm.compare`; items that were tested repeatedly are groups."""
        repeated = len(np.unique(self.item)) < len(self.item)
        return {"data": self.y_true, "y_pred": self.y_pred, **({"groups": self.item} if repeated else {})}


def cross_validated(results: object, X: object, y: object) -> CrossValidated:  # noqa: N803 - as scikit-learn calls it
    """Return the predictions of a result of `cross_validate`, or of a dict of them by model.

    They have to be made with ``return_estimator=True, return_indices=True``, since the scores of folds do not tell
    which items were predicted how.

    >>> from sklearn.datasets import load_iris
    >>> from sklearn.model_selection import cross_validate
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> tree = DecisionTreeClassifier(random_state=0)
    >>> results = cross_validate(tree, X, y, return_estimator=True, return_indices=True)
    >>> found = cross_validated(results, X, y)
    >>> len(found.y_true), sorted(set(found.fold.tolist()))
    (150, [0, 1, 2, 3, 4])
    """
    named = {"model": results} if is_cross_validation(results) else results
    if not isinstance(named, Mapping) or not named or not all(map(is_cross_validation, named.values())):
        raise InputTypeError(
            "{results} is {kind}", kind=type(results).__name__,
            expected="what scikit-learn's cross_validate returns, or a dict of such by model",
        )  # fmt: skip
    splits = {str(name): _splits(str(name), result) for name, result in named.items()}
    first = next(iter(splits.values()))
    for name, other in splits.items():
        if len(other) != len(first) or not all(map(np.array_equal, other, first)):
            raise InputError(
                "the model {name!r} was tested in other folds than {first!r}", name=name, first=next(iter(splits)),
                advice="use the same cv with a fixed random_state for all models",
            )  # fmt: skip
    item = np.concatenate(first)
    fold = np.repeat(np.arange(len(first)), [len(x) for x in first])
    tested = [_rows(X, x) for x in first]
    y_pred = {
        str(name): np.concatenate([model.predict(x) for model, x in zip(result["estimator"], tested, strict=True)])
        for name, result in named.items()
    }
    return CrossValidated(np.asarray(y)[item], y_pred, fold, item)


def is_cross_validation(result: object) -> bool:
    """Return whether an object looks like a result of `cross_validate`."""
    return isinstance(result, Mapping) and "fit_time" in result and "score_time" in result


def _splits(name: str, result: Mapping[str, ArrayLike]) -> list[Array]:
    """Return the positions that each fold was tested on."""
    if "estimator" not in result or "indices" not in result:
        raise InputError(
            "the result of {name!r} has no {lacking}", name=name,
            lacking="estimators" if "estimator" not in result else "indices",
            advice="call cross_validate with return_estimator=True and return_indices=True",
        )  # fmt: skip
    return [np.asarray(x) for x in result["indices"]["test"]]


def _rows(X: ArrayLike, where: Array) -> ArrayLike:  # noqa: N803
    """Return rows of a table of features, which may be a data frame, an array or a list."""
    if hasattr(X, "iloc"):
        return X.iloc[where]
    return X[where] if hasattr(X, "shape") else [X[k] for k in where.tolist()]
