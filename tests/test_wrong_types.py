"""Every public function and method answers a value of a wrong type with an error of ours, not with one of Python's."""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Callable, Iterator, Mapping
from functools import cache

import pytest

import goodmeasure as gm
from goodmeasure import options
from goodmeasure.catalogue.facts import DataOptions
from goodmeasure.keywords import options_of

WRONG = (None, 3, "x", [], object())
TRUE, PRED, SCORE = [0, 1, 1, 0, 1, 0], [0, 1, 0, 0, 1, 1], [0.1, 0.8, 0.4, 0.3, 0.9, 0.6]
MATRIX = [[5, 1], [2, 4]]
QUICK = {"confidence": None}

# What is called, with arguments that it takes; each argument is replaced by wrong ones in turn.
FUNCTIONS: dict[str, dict[str, object]] = {
    "ConfusionMatrix": {"counts": MATRIX},
    "SlidingWindow": {"pieces": 3},
    "confusion": {"y_true": TRUE, "y_pred": PRED},
    "pair_confusion": {"labels_a": TRUE, "labels_b": PRED},
    "forget": {"name": "nothing_of_this_name"},
    "calibrated": {"measure": "f1"},
    "macro": {"measure": "f1"},
    "micro": {"measure": "f1"},
    "weighted": {"measure": "f1"},
    "area": {"y": "recall", "over": "fallout"},
    "at": {"measure": "precision", "condition": "recall >= 0.5"},
    "best": {"measure": "f1"},
    "fbeta": {"beta": 2},
    "k_cost": {"costs": [[0, 1], [1, 0]]},
    "measure": {"name": "f1"},
    "measures": {},
    "crosswalk": {"peer": "sklearn"},
    "check": {"measure": "accuracy", "properties": ["symmetry"], "classes": 2, "n": 2},
    "verify": {"proof": {}},
    "atlas": {},
    "preserves": {"averaging": "macro", "property": "monotone"},
    "normaliser": {"mean": "arithmetic"},
    "recommend": {},
    "baselines": {"cm": MATRIX, "measures": ["mcc"]},
    "evaluate": {"data": TRUE, "y_pred": PRED, "measures": ["mcc"], **QUICK},
    "multilabel": {"y_true": [[0, 1], [1, 1]], "y_pred": [[0, 1], [1, 0]]},
    "compare": {"data": TRUE, "y_pred": {"A": PRED, "B": TRUE}, "measures": ["accuracy"], "replicates": 2},
    "project": {"cm": MATRIX, "measures": ["mcc"], **QUICK},
    "reliability": {"y_true": TRUE, "y_score": SCORE, "bins": 2},
    "sweep": {"data": TRUE, "y_score": SCORE, "measures": ["f1"]},
    "disagreement": {"measures": ["f1", "mcc"], "matrices": [MATRIX, [[4, 2], [2, 4]]]},
    "distinguish": {"measures": ["f1", "mcc"], "n": 3},
    "drift": {"before": MATRIX, "after": [[4, 2], [2, 4]], "measures": ["mcc"], "replicates": 2},
    "plan": {"data": MATRIX, "measure": "accuracy", "items": 50, "simulations": 2},
    "mcc": {},
    "roc_auc": {},
}
# Arguments of methods, by their names
USUAL: dict[str, object] = {
    "measure": "f1", "label": 1, "labels": [0, 1], "system": None, "slice": None, "factor": 0.5, "path": "report.json",
    "threshold": 0.5, "prevalence": 0.5, "name": "f1", "prop": "monotone", "a": "A", "b": "B", "classes": 2,
    "y_true": TRUE, "y_pred": PRED, "y_score": SCORE, "x": "f1", "over": "recall", "cost": None,
}  # fmt: skip
NOT_CALLED = {
    "check": {"source", "watch"},  # what is not looked at, and a function of the user's
    "evaluate": {"progress"},  # a function of the user's
    "compare": {"progress"},
    "recommend": {"ordered", "one_class", "equal_standing", "across", "chance", "distance"},  # true or false
}


# Methods that only other rooms call, or that Python's protocols define; and a function of the user's
INNER = {
    "required_scores", "samples", "of", "check", "within_range", "cells_at", "values_at", "all_rows", "index",
    "prepared", "against", "signature", "ball",
}  # fmt: skip
SKIPPED = {"save": {"more"}}


@cache
def objects() -> Mapping[str, object]:
    """Return a result of each kind whose methods users call."""
    result = gm.evaluate(TRUE, PRED, measures=["mcc", "f1"], by={"site": list("aabbab")}, **QUICK)
    return {
        "matrix": gm.ConfusionMatrix(MATRIX),
        "result": result,
        "part": result.part(),
        "table": result.table,
        "sweep": gm.sweep(TRUE, SCORE, measures=["f1"]),
        "comparison": gm.compare(TRUE, {"A": PRED, "B": TRUE}, measures=["accuracy"], replicates=2),
        "disagreement": gm.disagreement(["f1", "mcc"], [MATRIX, [[4, 2], [2, 4]]]),
        "projection": gm.project(MATRIX, prevalence=0.5, measures=["mcc"], **QUICK),
        "atlas": gm.atlas("f1"),
        "report": gm.check("accuracy", properties=["symmetry"], n=2),
        "measure": gm.f1,
        "score measure": gm.roc_auc,
        "recommendation": gm.recommend(),
        "exact": gm.mcc.exact(MATRIX),
    }


def keywords(f: Callable[..., object]) -> dict[str, inspect.Parameter]:
    """Return the options that a function takes beside those of its signature."""
    rest = inspect.signature(f).parameters.get("options")
    named = "" if rest is None else str(rest.annotation)[len("Unpack[") : -1]
    if named == "DataOptions":  # of measures
        return {x: inspect.Parameter(x, inspect.Parameter.KEYWORD_ONLY) for x in DataOptions.__annotations__}
    kind = getattr(options, named) if named else None
    return {x: inspect.Parameter(x, inspect.Parameter.KEYWORD_ONLY) for x in (options_of(kind) if kind else ())}


def calls(f: Callable[..., object], given: Mapping[str, object], skipped: set[str]) -> Iterator[tuple[str, object]]:
    """Yield what is raised that is no error of ours, for each argument and each wrong value of it."""
    parameters = {**inspect.signature(f).parameters, **keywords(f)}
    for name, parameter in parameters.items():
        if parameter.kind is parameter.VAR_KEYWORD or name in skipped or name.startswith("_"):
            continue
        for wrong in WRONG:
            chosen = {**given, name: wrong}
            first = [chosen.pop(x) for x, p in parameters.items() if p.kind is p.POSITIONAL_ONLY and x in chosen]
            more = [chosen.pop(name)] if parameter.kind is parameter.VAR_POSITIONAL else []
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    f(*first, *more, **chosen)
            except gm.GoodmeasureError:
                continue
            except Exception as error:  # noqa: BLE001 - what the test is about
                yield name, f"{wrong!r}: {type(error).__name__}: {error}"


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_function_refuses_wrong_types_in_our_words(name):
    assert list(calls(getattr(gm, name), FUNCTIONS[name], NOT_CALLED.get(name, set()))) == []


@pytest.mark.parametrize("name", ["mcc", "roc_auc"])
def test_a_measure_refuses_data_of_wrong_types_in_our_words(name):
    found = []
    for wrong in WRONG:
        for data in ((wrong,), (TRUE, wrong), (wrong, PRED)):
            try:
                getattr(gm, name)(*data)
            except gm.GoodmeasureError:
                continue
            except Exception as error:  # noqa: BLE001 - what the test is about
                found.append((data, repr(error)))
    assert found == []


KINDS = (
    "matrix", "result", "part", "table", "sweep", "comparison", "disagreement", "projection", "atlas", "report",
    "measure", "score measure", "recommendation", "exact",
)  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
def test_a_method_refuses_wrong_types_in_our_words(kind, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    owner, found = objects()[kind], []
    for name in dir(type(owner)):
        if name.startswith("_") or name in INNER or not callable(getattr(type(owner), name)):
            continue
        method = getattr(owner, name)
        try:
            parameters = inspect.signature(method).parameters
        except (TypeError, ValueError):
            continue
        plain = [(x, p) for x, p in parameters.items() if p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)]
        needed = [x for x, p in plain if p.default is p.empty]
        found += [(name, *x) for x in calls(method, {x: USUAL.get(x) for x in needed}, SKIPPED.get(name, set()))]
    assert found == []
