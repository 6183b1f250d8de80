"""Scikit-learn's own tests, loaded from its wheel with our functions in the place of theirs."""

import importlib.util
import inspect
import types
import warnings
from contextlib import ExitStack
from pathlib import Path
from unittest.mock import patch

import pytest
import scipy.sparse
import sklearn.metrics
from sklearn.metrics import _classification

import goodmeasure.sklearn as ours
from goodmeasure.sklearn.problems import SingleLabels, read_problem
from goodmeasure.sklearn.targets import read_targets

METRICS = sorted({*ours.__all__} - {"cross_validated", "get_scorer", "scorer"})
OF_SCORES = [
    name for name in METRICS if list(inspect.signature(getattr(ours, name)).parameters)[1] not in ("y_pred", "y2")
]
OF_LABELS = sorted({*METRICS} - {*OF_SCORES})


def check_targets(y_true, y_pred, sample_weight=None):
    """Our reading of targets in the shape of their private function, which some of their tests call."""
    targets, problem = read_targets(y_true, y_pred, sample_weight), read_problem(y_true, y_pred, sample_weight)
    if isinstance(problem, SingleLabels):
        return problem.kind, problem.labels, targets.y_true, targets.y_pred, targets.weights
    as_rows = [scipy.sparse.csr_array(x) for x in (problem.y_true, problem.y_pred)]
    return problem.kind, problem.labels, *as_rows, problem.weights


def loaded(name):
    """A test module of scikit-learn that imported our functions under their names."""
    spec = importlib.util.find_spec(name)
    module = types.ModuleType(f"ours_in_{name.rpartition('.')[2]}")
    module.__file__ = spec.origin
    with ExitStack() as stack:
        for function in METRICS:
            stack.enter_context(patch.object(sklearn.metrics, function, getattr(ours, function)))
        stack.enter_context(patch.object(_classification, "_check_targets", check_targets))
        stack.enter_context(warnings.catch_warnings())
        warnings.simplefilter("ignore", pytest.PytestUnknownMarkWarning)  # marks that only their plugins know
        exec(compile(Path(spec.origin).read_text("utf-8"), spec.origin, "exec"), vars(module))
    return module


def selection(module):
    """The tests of a module by name, for the parameters that are about our functions."""
    found = {name: f for name, f in vars(module).items() if name.startswith("test_") and callable(f)}
    return {name: f for name, f in found.items() if _narrow(f, module)}


def _narrow(test, module):
    """Keep only the parameters that are about our functions; whether any are left."""
    marks = [_narrowed(mark, module) for mark in getattr(test, "pytestmark", [])]
    test.pytestmark = marks
    return all(mark.name != "parametrize" or mark.args[1] for mark in marks)


def _narrowed(mark, module):
    if mark.name != "parametrize":
        return mark
    names, values = mark.args
    names = [name.strip() for name in names.split(",")] if isinstance(names, str) else list(names)
    place = next((k for k, name in enumerate(names) if name in ("name", "metric", "metric_name")), None)
    kept = list(values)
    if place is not None:
        kept = [x for x in kept if _is_ours(x if len(names) == 1 else getattr(x, "values", x)[place], module)]
    return pytest.mark.parametrize(mark.args[0], kept, **mark.kwargs).mark


def _is_ours(metric, module):
    """Whether a metric, by name or as a function, is one of ours under a name of scikit-learn."""
    if isinstance(metric, str):
        metric = getattr(module, "ALL_METRICS", {}).get(metric)
    function = getattr(metric, "func", metric)
    return getattr(function, "__module__", "").startswith("goodmeasure")
