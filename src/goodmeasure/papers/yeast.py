"""goesgens2021: eighteen classifiers on the Yeast data (Tables 13 and 14)."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from functools import lru_cache
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np

from goodmeasure.catalogue.literature import tables as printed_tables
from goodmeasure.comparison.disagreement import disagreement
from goodmeasure.counts.counting import confusion
from goodmeasure.counts.files.file_formats import is_number
from goodmeasure.papers.goesgens2021 import BINARY, MULTICLASS, rate_cells
from goodmeasure.papers.registry import Cell, Outcome, in_folder, number, rounds_to, table
from goodmeasure.typing import Array

NEEDS = "yeast.tsv: the class and eight features in each line, tab-separated"
_WHY = (
    "not reproducible exactly: the split and the versions are not published, and the authors' helper left the last "
    "class out where a class is absent from the test fold"
)
_NAN = (
    "the authors' macro mcc is NaN for 15 of 18 classifiers, and pairs with NaN stayed in the denominator; resolved, "
    "it disagrees with mcc on about 9 % of the pairs"
)
_AVERAGES = {"def": "{}", "mic": "micro({})", "mac": "macro({})", "wgt": "weighted({})"}


def read(data: Path) -> tuple[Array, Array]:
    """Return features and classes; the class is the column that does not hold numbers."""
    (path,) = in_folder(data, "yeast", "yeast.tsv")[:1]
    rows = [line.split("\t") for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
    if len({len(row) for row in rows}) != 1 or len(rows) < 3:
        raise ValueError(f"{path}: expected lines of a class and its features, equally many in each")
    if not any(is_number(x) for x in rows[0]):  # a header
        rows = rows[1:]
    named = [k for k in range(len(rows[0])) if not all(is_number(row[k]) for row in rows)]
    if len(named) != 1:
        raise ValueError(f"{path}: expected one column of class names among numbers, and {len(named)} are no numbers")
    features = [[float(x) for k, x in enumerate(row) if k != named[0]] for row in rows]
    return np.array(features), np.array([row[named[0]].strip() for row in rows])


def classifiers() -> dict[str, Callable[[], Any]]:
    """Return the eighteen classifiers of Appendix E.2, with scikit-learn's defaults."""
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
        raise ImportError("the Yeast tables train classifiers: pip install scikit-learn") from None
    return {
        "DecisionTree": lambda: tree.DecisionTreeClassifier(random_state=0),
        "ExtraTree": lambda: tree.ExtraTreeClassifier(random_state=0),
        "ExtraTreesEnsemble": lambda: ensemble.ExtraTreesClassifier(random_state=0),
        "NearestNeighbors": neighbors.KNeighborsClassifier,
        "RadiusNeighbors": lambda: neighbors.RadiusNeighborsClassifier(outlier_label="most_frequent"),
        "RandomForest": lambda: ensemble.RandomForestClassifier(random_state=0),
        "BernoulliNB": naive_bayes.BernoulliNB,
        "GaussianNB": naive_bayes.GaussianNB,
        "LabelSpreading": semi.LabelSpreading,
        "QuadraticDiscriminantAnalysis": discriminant_analysis.QuadraticDiscriminantAnalysis,
        "LinearDiscriminantAnalysis": discriminant_analysis.LinearDiscriminantAnalysis,
        "NearestCentroid": neighbors.NearestCentroid,
        "MLPClassifier": lambda: neural_network.MLPClassifier(random_state=0),
        "LogisticRegression": linear_model.LogisticRegression,
        "LogisticRegressionCV": linear_model.LogisticRegressionCV,
        "RidgeClassifier": linear_model.RidgeClassifier,
        "RidgeClassifierCV": linear_model.RidgeClassifierCV,
        "LinearSVC": lambda: svm.LinearSVC(random_state=0),
    }


@lru_cache(2)
def trained(data: Path) -> tuple[dict[str, Array], tuple[str, ...]]:
    """Return the matrices of the classifiers on a third of the items, and the classifiers that could not be trained."""
    from sklearn.model_selection import train_test_split

    features, classes = read(data)
    x, x_test, y, y_test = train_test_split(features, classes, test_size=0.33, random_state=42)
    predictions, failed = {}, []
    for name, make in classifiers().items():
        with warnings.catch_warnings():
            # rare classes make features collinear, folds incomplete and iterations too few
            warnings.simplefilter("ignore")
            try:
                predictions[name] = make().fit(x, y).predict(x_test)
            except (ValueError, np.linalg.LinAlgError) as error:
                failed.append(f"{name} ({str(error).splitlines()[0][:80]})")
    # A class that is neither in the test fold nor ever predicted is left out: it would raise the averages.
    known = sorted(set(y_test).union(*predictions.values()))
    matrices = {name: confusion(y_test, x, labels=known).counts for name, x in predictions.items()}
    if len(matrices) < 2:
        raise ValueError(f"only {len(matrices)} of 18 classifiers could be trained on {data}: {'; '.join(failed)}")
    return matrices, tuple(failed)


def _notes(matrices: dict[str, Array], failed: tuple[str, ...]) -> list[str]:
    notes = [
        f"{len(matrices)} classifiers, {len(matrices) * (len(matrices) - 1) // 2} pairs; a third of the items tested."
    ]
    return [*notes, *([f"Not trained: {'; '.join(failed)}."] if failed else [])]


@table("goesgens2021-appendix:table13", "inconsistency of multiclass measures on Yeast, %", NEEDS)
def table_13(data: Path) -> Outcome:
    """Recompute the inconsistency rates of nine measures on the pairs of classifiers."""
    printed = printed_tables()["goesgens2021-appendix:table13"]
    matrices, failed = trained(data)
    found = disagreement([MULTICLASS[x] for x in printed["names"]], matrices, ties="consistent", tolerance=1e-5)
    cells = rate_cells(printed["names"], printed["matrix"], found.rates, MULTICLASS, 1, lambda x, y: _WHY)
    return Outcome(cells, _notes(matrices, failed))


@table("goesgens2021-appendix:table14", "inconsistency of averagings on Yeast, %", NEEDS)
def table_14(data: Path) -> Outcome:
    """Recompute the inconsistency rates of micro, macro and weighted averages of each measure."""
    printed = printed_tables()["goesgens2021-appendix:table14"]
    matrices, failed = trained(data)
    cells = []
    for short in ("F1", "J", "CC", "CD", "GM1"):
        ways = [x for x in _AVERAGES if x != "def" or short in ("CC", "CD")]
        names = {way: _AVERAGES[way].format(BINARY[short]) for way in ways}
        found = disagreement(list(names.values()), matrices, ties="consistent", tolerance=1e-5)
        for first, second in combinations(ways, 2):
            shown = printed[short][f"{first}-{second}"]
            cells.append(_cell(f"{short} {first}", second, shown, 100 * found.rates[names[first]][names[second]]))
    return Outcome(cells, [*_notes(matrices, failed), "Two printed cells of F1 are damaged in our text of the paper."])


def _cell(row: str, column: str, shown: Any, ours: float) -> Cell:
    if isinstance(shown, str):
        return Cell(row, column, None, number(ours, 2), True)
    agrees = rounds_to(ours, shown, 2)
    why = "" if agrees else _NAN if row[:2] in ("CC", "CD") else _WHY
    return Cell(row, column, f"{shown:.2f}", number(ours, 2), agrees, why)
