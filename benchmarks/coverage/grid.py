"""The published grid: which situations are simulated or enumerated, with how many data sets."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

from benchmarks.coverage import (
    batched_pairs,
    chosen_thresholds,
    enumerated,
    every_measure,
    many_systems,
    multilabel,
    paired,
    peers,
    planned,
    projected,
    scored,
    single,
    sliced,
    tests_of_pairs,
)
from benchmarks.coverage.populations import CLASSIFIERS, PAIRS

Situation = dict[str, Any]

KINDS = {
    "proportion": enumerated.proportion,
    "recall": enumerated.recall,
    "difference of accuracies": enumerated.difference,
    "margin of accuracies": enumerated.margin,
    "margins": batched_pairs.margins,
    "by class": single.by_class,
    "weighted": single.weighted,
    "difference": batched_pairs.plain,
    "projection": projected.projection,
    "ensemble": many_systems.ensemble,
    "threshold": chosen_thresholds.honest,
    "difference, by default": paired.plain,
    "difference, weighted": paired.weighted,
    "difference, grouped": paired.grouped,
    "grouped": single.grouped,
    "peers, difference": peers.paired,
    "methods": single.methods,
    "peers": peers.single,
    "random": single.at_random,
    "single": single.plain,
    "multilabel": multilabel.averages,
    "multilabel, tests": multilabel.tests,
    "slices": sliced.slices,
    "scores": scored.intervals,
    "scores, tests": scored.tests,
    "every measure": every_measure.labels,
    "every score": every_measure.scores,
    "bands": scored.bands,
    "width": planned.width,
    "power": planned.power,
    "tests": tests_of_pairs.rejections,
    "winners": tests_of_pairs.winners,
}
# Data sets of these kinds are measured one by one, so that a quick run has few of them, and `make coverage` more.
SLOW = ("ensemble", "threshold", "difference, by default", "difference, weighted", "difference, grouped", "grouped",
        "peers, difference", "methods", "peers", "random", "multilabel", "multilabel, tests", "every measure",
        "every score", "slices", "scores", "scores, tests", "bands", "power", "tests", "winners")  # fmt: skip
THINNED = ("difference, by default", "difference, weighted", "difference, grouped", "grouped", "peers, difference",
           "methods", "peers", "random")  # fmt: skip
PREVALENCES = (0.5, 0.1, 0.01)
SIZES = (20, 50, 200, 1000, 10_000)
DATASETS = {2: 4000, 5: 2000, 20: 1000, 50: 400}  # by the number of classes
WEIGHTS = ("few heavy", "log-normal")
GROUPS = (2, 3, 5, 10, 20, 50)


def situations(kind: str, times: int = 1) -> list[Situation]:
    """Return the situations of a kind of interval, each with its number of data sets and its random seed.

    Where data sets are measured one by one, a quick run (`times` = 1) has a third of the situations.
    """
    found = list(_LISTS[kind]())
    for k, one in enumerate(found):
        if "datasets" in one:
            one["datasets"] *= times if kind in SLOW else 1
            one["seed"] = k
    return found[::3] if kind in THINNED and times == 1 else found


def _proportion() -> Iterator[Situation]:
    for items in (20, 50, 100, 200, 1000):
        yield {"items": items}


def _recall() -> Iterator[Situation]:
    for items, prevalence, share in product((20, 50, 200), PREVALENCES, (0.5, 0.75, 0.9, 0.97, 0.99, 0.999)):
        yield {"items": items, "prevalence": prevalence, "share": share}


def _single() -> Iterator[Situation]:
    for classes, prevalence, items, classifier in product(DATASETS, PREVALENCES, SIZES, CLASSIFIERS):
        if classes == 50 and items > 1000:
            continue
        yield {"classes": classes, "prevalence": prevalence, "items": items, "classifier": classifier,
               "datasets": DATASETS[classes]}  # fmt: skip


def _methods() -> Iterator[Situation]:
    for classes, prevalence, items, classifier in product((2, 5), (0.1,), (20, 50, 200), ("good", "strong")):
        yield {"classes": classes, "prevalence": prevalence, "items": items, "classifier": classifier, "datasets": 50}


def _by_class() -> Iterator[Situation]:
    for classes, prevalence, items, classifier in product((3, 20), PREVALENCES, (50, 200, 1000), CLASSIFIERS):
        yield {"classes": classes, "prevalence": prevalence, "items": items, "classifier": classifier, "datasets": 2000}


def _random() -> Iterator[Situation]:
    for number in range(40):
        yield {"number": number, "datasets": 60}


def _weighted() -> Iterator[Situation]:
    for classes, prevalence, items, classifier, weights in product(
        (2, 5), (0.5, 0.1), (20, 50, 200, 1000), CLASSIFIERS, WEIGHTS
    ):
        yield {"classes": classes, "prevalence": prevalence, "items": items, "classifier": classifier,
               "weights": weights, "datasets": 1000}  # fmt: skip


def _every_measure() -> Iterator[Situation]:
    for design in every_measure.CELLS:
        yield {"design": design, "datasets": 400}
    for design in every_measure.GROUPS:
        yield {"design": design, "datasets": 50}


def _every_score() -> Iterator[Situation]:
    for design in ("plain", "weights", *every_measure.GROUPS):
        yield {"design": design, "datasets": 100}


def _grouped() -> Iterator[Situation]:
    for groups, uneven, classifier in product(GROUPS, (False, True), ("fair", "strong")):
        yield {"classes": 2, "prevalence": 0.3, "groups": groups, "uneven": uneven, "classifier": classifier,
               "datasets": 100}  # fmt: skip


def _difference_of_accuracies() -> Iterator[Situation]:
    shares = ((0.01, 0.005), (0.02, 0.0), (0.05, 0.02), (0.05, 0.05), (0.1, 0.05), (0.2, 0.1), (0.2, 0.2), (0.3, 0.1))
    for items, (first, second) in product((20, 50, 100, 200), shares):
        yield {"items": items, "first": first, "second": second}


def _margin_of_accuracies() -> Iterator[Situation]:
    for items, margin, share in product((50, 200, 1000), (0.02, 0.05, 0.1), (0.1, 0.2, 0.3, 0.5)):
        if share >= margin:
            yield {"items": items, "margin": margin, "disagreement": share}


def _margins() -> Iterator[Situation]:
    for (classes, prevalence), items, pair, margin in product(
        ((2, 0.5), (2, 0.1), (5, 0.1)), (200, 1000), ("alike", "alike and strong"), (0.05, 0.1)
    ):
        yield {"classes": classes, "prevalence": prevalence, "items": items, "pair": pair, "margin": margin,
               "datasets": 4000}  # fmt: skip


def _difference() -> Iterator[Situation]:
    for prevalence, items, pair in product(PREVALENCES, (20, 50, 200, 1000), PAIRS):
        yield {"classes": 2, "prevalence": prevalence, "items": items, "pair": pair, "datasets": 8000}
    for prevalence, items, pair in product((0.1, 0.01), (50, 200, 1000), PAIRS):
        yield {"classes": 5, "prevalence": prevalence, "items": items, "pair": pair, "datasets": 4000}
    for items, pair in product((200, 1000), ("alike", "excellent and strong")):
        yield {"classes": 20, "prevalence": 0.01, "items": items, "pair": pair, "datasets": 400}


def _difference_by_default() -> Iterator[Situation]:
    for classes, items, pair in product((2, 5), (20, 100, 500), ("alike", "excellent and strong")):
        yield {"classes": classes, "prevalence": 0.1, "items": items, "pair": pair, "datasets": 40}
    for pair in ("alike", "excellent and strong"):
        yield {"classes": 50, "prevalence": 0.1, "items": 200, "pair": pair, "datasets": 20}


def _difference_weighted() -> Iterator[Situation]:
    for items, pair, weights in product((20, 100), ("alike", "good and fair"), WEIGHTS):
        yield {"classes": 2, "prevalence": 0.3, "items": items, "pair": pair, "weights": weights, "datasets": 80}


def _difference_grouped() -> Iterator[Situation]:
    for groups, uneven, pair in product((3, 10, 50), (False, True), ("alike", "good and fair")):
        yield {"classes": 2, "prevalence": 0.3, "groups": groups, "uneven": uneven, "pair": pair, "datasets": 40}


def _ensemble() -> Iterator[Situation]:
    for items, (best, worst) in product((50, 200), ((0.95, 0.75), (0.99, 0.97))):
        yield {"systems": 3, "items": items, "best": best, "worst": worst, "datasets": 40}


def _projection() -> Iterator[Situation]:
    for prevalence, to, items, classifier in product(PREVALENCES, ("uniform", 0.01), (20, 60, 200, 1000), CLASSIFIERS):
        if prevalence * items >= 1 and prevalence != to:
            yield {"classes": 2, "prevalence": prevalence, "to": to, "items": items, "classifier": classifier,
                   "datasets": 1000}  # fmt: skip
    for classes, to, items, classifier in product((3, 5, 10), ("uniform", 0.01), (60, 200, 1000), CLASSIFIERS):
        yield {"classes": classes, "prevalence": 0.1, "to": to, "items": items, "classifier": classifier,
               "datasets": 1000}  # fmt: skip
    for to, items, classifier in product(("uniform", 0.01), (1000, 5000), CLASSIFIERS):
        yield {"classes": 50, "prevalence": 0.1, "to": to, "items": items, "classifier": classifier,
               "datasets": 200}  # fmt: skip


def _threshold() -> Iterator[Situation]:
    for items, prevalence in product((50, 200, 1000), (0.5, 0.1)):
        yield {"items": items, "prevalence": prevalence, "distance": 2, "datasets": 50}
    for groups in (10, 50):
        yield {"items": 0, "groups": groups, "prevalence": 0.3, "distance": 2, "datasets": 50}
    yield {"items": 200, "weights": "log-normal", "prevalence": 0.3, "distance": 2, "datasets": 30}


def _peers() -> Iterator[Situation]:
    for classes, (prevalence, items), classifier in product((2, 5), ((0.5, 20), (0.1, 100)), ("strong",)):
        yield {"classes": classes, "prevalence": prevalence, "items": items, "classifier": classifier, "datasets": 50}


def _peers_difference() -> Iterator[Situation]:
    for items, pair in product((20, 50, 200), ("excellent and strong",)):
        yield {"classes": 2, "prevalence": 0.5, "items": items, "pair": pair, "datasets": 60}


def _multilabel() -> Iterator[Situation]:
    for case in multilabel.CASES:
        yield {"case": case, "datasets": 60}


def _multilabel_tests() -> Iterator[Situation]:
    for case in multilabel.TESTED:
        yield {"case": case, "datasets": 30}


def _slices() -> Iterator[Situation]:
    for case in sliced.CASES:
        yield {"case": case, "datasets": 30}


def _scores() -> Iterator[Situation]:
    few = ((20, 0.5, 0.8), (50, 0.5, 0.8), (50, 0.1, 0.9), (50, 0.5, 0.97), (130, 0.25, 0.85))
    for items, prevalence, area in (
        *few,
        (400, 0.5, 0.8),
        (400, 0.05, 0.9),
        (1000, 0.01, 0.9),
        (1000, 0.01, 0.97),
        (1000, 0.1, 0.97),
    ):
        yield {"items": items, "prevalence": prevalence, "area": area, "datasets": 200}
    for weights, items in product(WEIGHTS, (50, 200)):
        yield {"items": items, "prevalence": 0.3, "area": 0.85, "weights": weights, "datasets": 200}
    for groups in (5, 10, 50):
        yield {"items": 0, "prevalence": 0.3, "area": 0.85, "groups": groups, "datasets": 200}
    for items, prevalence, area in ((50, 0.5, 0.97), (60, 0.5, 0.85), (130, 0.25, 0.85), (1000, 0.05, 0.85)):
        yield {"items": items, "prevalence": prevalence, "area": area, "resampled": True, "datasets": 50}


def _scores_tests() -> Iterator[Situation]:
    for items, prevalence in ((20, 0.5), (100, 0.3), (400, 0.05)):
        yield {"items": items, "prevalence": prevalence, "area": 0.8, "datasets": 60}


def _bands() -> Iterator[Situation]:
    for positive, negative, area in ((10, 10, 0.8), (5, 45, 0.9), (20, 20, 0.97), (30, 100, 0.85), (200, 200, 0.8)):
        yield {"positive": positive, "negative": negative, "area": area, "datasets": 30}


def _width() -> Iterator[Situation]:
    for case, measure, width in product(planned.CASES, planned.MEASURES, (0.1, 0.05)):
        yield {"case": case, "measure": measure, "width": width, "datasets": 300}


def _power() -> Iterator[Situation]:
    for case, measure, claim in product(planned.CASES, planned.MEASURES, ("difference", "margin")):
        size = 0.01 if measure == "accuracy" and "2%" in case.split() else 0.03
        yield {"case": case, "measure": measure, "claim": claim, "size": size, "datasets": 50}


def _tests() -> Iterator[Situation]:
    for case, items in (("alike, 2 classes", 50), ("alike, 2 classes", 300), ("alike, 3 classes", 150),
                        ("alike, 3 classes", 2000), ("mirrored, 2 classes", 400),
                        ("B is worse, 3 classes", 1000)):  # fmt: skip
        yield {"case": case, "items": items, "datasets": 100}


def _winners() -> Iterator[Situation]:
    for race, worse in tests_of_pairs.RACES.items():
        for items in (400, 1000) if any(worse) else (400,):
            yield {"race": race, "items": items, "datasets": 100}


_LISTS = {
    "proportion": _proportion,
    "recall": _recall,
    "single": _single,
    "methods": _methods,
    "by class": _by_class,
    "random": _random,
    "weighted": _weighted,
    "grouped": _grouped,
    "every measure": _every_measure,
    "every score": _every_score,
    "difference of accuracies": _difference_of_accuracies,
    "margin of accuracies": _margin_of_accuracies,
    "margins": _margins,
    "difference": _difference,
    "difference, by default": _difference_by_default,
    "difference, weighted": _difference_weighted,
    "difference, grouped": _difference_grouped,
    "ensemble": _ensemble,
    "projection": _projection,
    "threshold": _threshold,
    "peers": _peers,
    "peers, difference": _peers_difference,
    "multilabel": _multilabel,
    "multilabel, tests": _multilabel_tests,
    "slices": _slices,
    "scores": _scores,
    "scores, tests": _scores_tests,
    "bands": _bands,
    "width": _width,
    "power": _power,
    "tests": _tests,
    "winners": _winners,
}
