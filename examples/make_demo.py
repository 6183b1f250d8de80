"""Make the predictions of `goodmeasure demo`: small classifiers that look for eights in scikit-learn's digits.

Run with scikit-learn installed: python examples/make_demo.py
"""

from __future__ import annotations

import csv
import warnings
from pathlib import Path

import numpy as np
from sklearn.datasets import load_digits
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold, cross_val_predict
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

TARGET = Path(__file__).parent.parent / "src" / "goodmeasure" / "cli" / "demo.csv"
CLASSIFIERS = {
    "linear": make_pipeline(StandardScaler(), LogisticRegression(C=0.01, max_iter=1000)),
    "tree": DecisionTreeClassifier(max_depth=6, random_state=0),
    "bayes": make_pipeline(StandardScaler(), GaussianNB(var_smoothing=0.01)),
    "majority": DummyClassifier(),
}


def main() -> None:
    features, digits = load_digits(return_X_y=True)
    label = np.where(digits == 8, "eight", "other")
    folds = StratifiedKFold(5, shuffle=True, random_state=0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = {name: cross_val_predict(model, features, label, cv=folds) for name, model in CLASSIFIERS.items()}
    with TARGET.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["label", *found])
        writer.writerows(zip(label, *found.values(), strict=True))


if __name__ == "__main__":
    main()
