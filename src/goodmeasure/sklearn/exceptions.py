"""Warnings and errors: scikit-learn's own classes if it is loaded, equivalent ones otherwise."""

from __future__ import annotations

import sys

from goodmeasure.exceptions import warn
from goodmeasure.typing import Namespace


class UndefinedMetricWarning(UserWarning):
    """A value is undefined and was replaced; used if scikit-learn is not loaded."""


class InvalidParameterError(ValueError, TypeError):
    """A parameter has a wrong type or value; used if scikit-learn is not loaded."""


def warn_undefined(message: str) -> None:
    """Warn that a value is undefined, with the class that filters for scikit-learn's warnings know."""
    warn(message, _theirs("sklearn.exceptions", UndefinedMetricWarning))


def invalid_parameter(message: str) -> Exception:
    """Return the error for a parameter of a wrong type or value."""
    error: Exception = _theirs("sklearn.utils._param_validation", InvalidParameterError)(message)
    return error


def _theirs(module: str, ours: type[object]) -> Namespace:
    """Return scikit-learn's class if it is loaded, otherwise ours."""
    return getattr(sys.modules.get(module), ours.__name__, ours)
