"""Confusion matrices to begin with: the demo, famous ones from the papers, and degenerate ones."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

import numpy as np

from goodmeasure.counts.counting import confusion
from goodmeasure.counts.matrix import ConfusionMatrix
from goodmeasure.evaluation.thresholds.sweep import Sweep
from goodmeasure.evaluation.thresholds.sweep import sweep as gm_sweep
from goodmeasure.evaluation.trivial_classifiers import scorecard as usual
from goodmeasure.typing import Label
from goodmeasure.web.answers.page_data import PageData
from goodmeasure.web.answers.your_numbers import ScorecardQuestion, scorecard, trivial

THRESHOLDS = 200  # that are kept of a sweep


@dataclass(frozen=True)
class Example:
    """A matrix to begin with, and what to look at."""

    id: str
    title: str
    about: str
    labels: tuple[str, ...]
    counts: tuple[tuple[int, ...], ...]
    cite: str | None = None


_NO, _YES = "negative", "positive"
FROM_PAPERS = (
    Example(
        "imbalanced-majority",
        "A rare class and the majority vote",
        "99% of the items are negative and every item is called negative: accuracy is 0.99, and MCC is 0.",
        (_NO, _YES), ((990, 0), (10, 0)),
    ),
    Example(
        "equal-margins",
        "Equal margins of 90",
        "Both labelings split 180 items evenly, and 60 of the 90 positive items are found.",
        (_NO, _YES), ((60, 30), (30, 60)), "rh-dif2norm",
    ),
    Example(
        "unequal-margins",
        "Margins 90, 90 against 60, 120",
        "Every item that is called positive is positive: Yule's Q is 1, and MCC is 0.707.",
        (_NO, _YES), ((90, 0), (30, 60)), "rh-dif2norm",
    ),
    Example(
        "three-groups",
        "Three groups of three",
        "The first group is right, a third of the second, and none of the third: see how RH and Dif2Norm weigh this.",
        ("first", "second", "third"), ((3, 0, 0), (0, 1, 2), (3, 0, 0)), "rh-dif2norm",
    ),
    Example(
        "not-strictly-monotone",
        "An F1 score that cannot fall any further",
        "Without a true positive the F1 score is 0, however many errors there are, so it is not strictly monotone.",
        (_NO, _YES), ((1, 2), (1, 0)), "goesgens2021",
    ),
)  # fmt: skip
DEGENERATE = (
    Example(
        "one-class-only",
        "All items of one class",
        "Every item is positive and called positive: several measures are 0/0, and a rule decides.",
        (_NO, _YES), ((0, 0), (0, 25)),
    ),
    Example(
        "absent-class",
        "A class that is never predicted",
        "Nobody is ever called ‘lynx’, so its precision is 0/0.",
        ("cat", "dog", "lynx"), ((40, 5, 0), (6, 30, 0), (3, 4, 0)),
    ),
)  # fmt: skip


def demo() -> bytes:
    """Return the predictions of `goodmeasure demo`."""
    return files("goodmeasure.cli").joinpath("demo.csv").read_bytes()


@cache
def demo_matrices() -> dict[str, ConfusionMatrix]:
    """Return the matrices of the classifiers of `goodmeasure demo`."""
    rows = list(csv.DictReader(demo().decode().splitlines()))
    true = [row["label"] for row in rows]
    found = {name: confusion(true, [row[name] for row in rows]) for name in rows[0] if name != "label"}
    return {name: x.with_positive("eight") for name, x in found.items()}


def examples() -> list[PageData]:
    """Return the examples as data, each with its scorecard."""
    found = [
        _data(f"demo-{name}", f"Handwritten eights: {name}", _DEMO.get(name, _DEMO[""]), matrix, None)
        for name, matrix in demo_matrices().items()
    ]
    found.append(_with_scores())
    for x in (*FROM_PAPERS, *DEGENERATE):
        matrix = ConfusionMatrix([list(row) for row in x.counts], list(x.labels))
        found.append(_data(x.id, x.title, x.about, matrix, x.cite))
    return found


_DEMO = {
    "": "Which of 1,797 handwritten digits are eights? One of the classifiers of the demo.",
    "majority": "It never says ‘eight’, and is right about 90% of 1,797 handwritten digits.",
    "bayes": "It finds most of the eights among 1,797 handwritten digits, and calls many other digits eights as well.",
}


def _with_scores() -> PageData:
    """Return an example with scores, so that the threshold can be moved: 500 drawn items, of which a fifth is sick."""
    draw = np.random.default_rng(7)
    sick = np.arange(500) < 100
    strength = draw.normal(np.where(sick, 1.2, -1.2), 1.5)
    scores = 1 / (1 + np.exp(-strength))
    sweep = swept(gm_sweep(sick, scores), None, ["healthy", "sick"])
    matrix = ConfusionMatrix(confusion(sick, scores >= 0.5).counts, ["healthy", "sick"])
    about = "500 drawn items with probabilities, of which 100 are sick: move the threshold and see what it costs."
    return {**_data("scores", "A test with a threshold", about, matrix, None), "sweep": sweep}


def swept(sweep: Sweep, group: Label, labels: list[str]) -> PageData:
    """Return the counts at the thresholds of a sweep, of which at most a few hundred are kept."""
    matrices, thresholds = sweep.matrices(group), sweep.thresholds_of(group)
    kept = np.unique(np.round(np.linspace(0, len(matrices) - 1, min(THRESHOLDS, len(matrices)))).astype(int))
    return {"thresholds": thresholds[kept], "counts": matrices[kept].reshape(-1, 4), "labels": labels}


def _data(id: str, title: str, about: str, matrix: ConfusionMatrix, cite: str | None) -> PageData:
    from goodmeasure.catalogue.references import reference

    result = scorecard(ScorecardQuestion(matrix, tuple(usual(matrix.m))))
    return {
        "id": id, "title": title, "about": about, "cite": None if cite is None else reference(cite),
        "matrix": result["matrix"], "sweep": None, "result": result, "baselines": trivial(matrix, usual(matrix.m)),
    }  # fmt: skip
