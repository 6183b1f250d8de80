"""goesgens2021, appendix E.2: the Yeast data and the eighteen classifiers, with the settings of the authors' script."""

from __future__ import annotations

import random
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np

from goodmeasure.counts.readers.files.file_formats import is_number
from goodmeasure.exceptions import InputError, MissingPackageError
from goodmeasure.papers.paper_tables import in_folder
from goodmeasure.typing import Array, Namespace

SEED = 42
QDA = "QuadraticDiscriminantAnalysis"


@dataclass(frozen=True)
class Trained:
    """The labels of the test fold and what each classifier predicts, as numbers of ``classes``, which are in order."""

    classes: tuple[str, ...]
    true: Array
    predicted: dict[str, Array]
    failed: tuple[str, ...]


def read(data: Path) -> tuple[Array, Array]:
    """Return features and classes; the class is the column that does not hold numbers."""
    (path,) = in_folder(data, "multiclass", "yeast.tsv")[:1]
    rows = [line.split("\t") for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
    if len({len(row) for row in rows}) != 1 or len(rows) < 3:
        raise InputError("{path}", path=path, expected="lines of a class and its features, equally many in each")
    if not any(is_number(x) for x in rows[0]):  # a header, or the kinds of the columns
        rows = rows[1:]
    named = [k for k in range(len(rows[0])) if not all(is_number(row[k]) for row in rows)]
    if len(named) != 1:
        raise InputError(
            "{path}",
            path=path,
            count=len(named),
            expected="one column of class names among numbers, and {count} are no numbers",
        )
    features = [[float(x) for k, x in enumerate(row) if k != named[0]] for row in rows]
    return np.array(features), np.array([row[named[0]].strip() for row in rows])


def classifiers() -> dict[str, Callable[[], Namespace]]:
    """Return the eighteen classifiers in the order in which they draw random numbers."""
    try:
        from sklearn import (
            discriminant_analysis,
            ensemble,
            linear_model,
            naive_bayes,
            neighbors,
            neural_network,
            svm,
            tree,
        )
        from sklearn import semi_supervised as semi
    except ImportError:
        raise MissingPackageError("the Yeast tables train classifiers", advice="pip install scikit-learn") from None
    return {
        "DecisionTree": lambda: tree.DecisionTreeClassifier(max_depth=5),
        "ExtraTree": lambda: tree.ExtraTreeClassifier(max_depth=5),
        "ExtraTreesEnsemble": lambda: ensemble.ExtraTreesClassifier(max_depth=5),
        "NearestNeighbors": lambda: neighbors.KNeighborsClassifier(3),
        "RadiusNeighbors": lambda: neighbors.RadiusNeighborsClassifier(radius=10),
        "RandomForest": lambda: ensemble.RandomForestClassifier(max_depth=5, n_estimators=10, max_features=1),
        "BernoulliNB": naive_bayes.BernoulliNB,
        "GaussianNB": naive_bayes.GaussianNB,
        "LabelSpreading": semi.LabelSpreading,
        QDA: discriminant_analysis.QuadraticDiscriminantAnalysis,
        "LinearDiscriminantAnalysis": discriminant_analysis.LinearDiscriminantAnalysis,
        "NearestCentroid": neighbors.NearestCentroid,
        "MLPClassifier": lambda: neural_network.MLPClassifier(alpha=1, max_iter=1000),
        "LogisticRegression": linear_model.LogisticRegression,  # multinomial, which is the default today
        "LogisticRegressionCV": linear_model.LogisticRegressionCV,
        "RidgeClassifier": linear_model.RidgeClassifier,
        "RidgeClassifierCV": linear_model.RidgeClassifierCV,
        "LinearSVC": lambda: svm.LinearSVC(multi_class="crammer_singer"),
    }


@lru_cache(2)
def trained(data: Path) -> Trained:
    """Return what the classifiers predict for a quarter of the items; features are standardised over all items."""
    known = classifiers()
    from sklearn.model_selection import train_test_split
    from sklearn.preprocessing import StandardScaler
    from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

    features, names = read(data)
    classes, labels = np.unique(names, return_inverse=True)
    scaled = StandardScaler().fit_transform(features)
    x, x_test, y, y_test = train_test_split(scaled, labels, test_size=0.25, random_state=SEED)
    predicted, failed = {}, []
    # one thread: the matrices are small, and threads that wait for each other take longer on a busy machine
    with _seeded(), threadpool_limits(1), warnings.catch_warnings():
        # rare classes make features collinear, folds incomplete and iterations too few
        warnings.simplefilter("ignore")
        for name, make in known.items():
            try:
                predicted[name] = make().fit(x, y).predict(x_test)
            except (ValueError, np.linalg.LinAlgError) as error:
                if name == QDA:
                    predicted[name] = quadratic_discriminant(x, y, x_test)
                else:
                    failed.append(f"{name} ({str(error).splitlines()[0][:80]})")
    if len(predicted) < 2:
        raise InputError(
            "only {count} of 18 classifiers could be trained on {data}: {failures}",
            count=len(predicted),
            data=data,
            failures="; ".join(failed),
        )
    return Trained(tuple(map(str, classes)), y_test, predicted, tuple(failed))


@contextmanager
def _seeded() -> Iterator[None]:
    """Seed Python's and NumPy's global generators, as the authors did, and leave them afterwards as they were."""
    python, numpy = random.getstate(), np.random.get_state()
    random.seed(SEED)
    np.random.seed(SEED)
    try:
        yield
    finally:
        random.setstate(python)
        np.random.set_state(numpy)


def quadratic_discriminant(x: Array, y: Array, x_test: Array) -> Array:
    """Return the predictions of a quadratic discriminant analysis by singular values, without regularisation.

    Newer versions of scikit-learn refuse a class with fewer items than features, as Yeast has. Older ones divided by
    singular values that would be 0 but for rounding, so their predictions depend on how a machine rounds.
    """
    scores = []
    for label in np.unique(y):
        own = x[y == label]
        centre = own.mean(axis=0)
        _, singular, directions = np.linalg.svd(own - centre, full_matrices=False)
        variances = singular**2 / max(len(own) - 1, 1)
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            along = (x_test - centre) @ directions.T / np.sqrt(variances)
            fit = -0.5 * ((along**2).sum(axis=1) + np.log(variances).sum())
        scores.append(np.nan_to_num(fit, nan=-np.inf) + np.log(len(own) / len(y)))
    found: Array = np.unique(y)[np.argmax(np.array(scores), axis=0)]
    return found
