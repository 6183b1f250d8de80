"""What each parameter accepts, and the error for anything else."""

from __future__ import annotations

import functools
import inspect
import math
import sys
from collections.abc import Callable
from numbers import Integral, Real
from typing import NamedTuple, ParamSpec, TypeVar

import numpy as np

from goodmeasure.sklearn.exceptions import invalid_parameter

P = ParamSpec("P")
R = TypeVar("R")


class ParameterRule(NamedTuple):
    """A kind of value that a parameter accepts, with the words for it."""

    accepts: Callable[[object], bool]
    words: str


def is_sparse(x: object) -> bool:
    """Return whether x is a SciPy sparse matrix; nothing is if SciPy is not loaded."""
    scipy_sparse = sys.modules.get("scipy.sparse")
    return scipy_sparse is not None and bool(scipy_sparse.issparse(x))


def _is_array_like(x: object) -> bool:
    if type(x) in (np.ndarray, list):
        return True
    if is_sparse(x) or np.isscalar(x):
        return False
    return hasattr(x, "__len__") or hasattr(x, "shape") or hasattr(x, "__array__")


def _is_nan(x: object) -> bool:
    return isinstance(x, Real) and not isinstance(x, Integral) and math.isnan(x)


def instance_of(kind: type, name: str) -> ParameterRule:
    """Return the rule that accepts values of one type."""
    return ParameterRule(lambda x: isinstance(x, kind), f"an instance of {name!r}")


def one_of(*options: str) -> ParameterRule:
    """Return the rule that accepts certain strings."""
    listed = ", ".join(map(repr, options))
    return ParameterRule(lambda x: isinstance(x, str) and x in options, f"a str among {{{listed}}}")


def number_among(*options: float) -> ParameterRule:
    """Return the rule that accepts certain numbers."""
    listed = ", ".join(map(repr, options))
    return ParameterRule(lambda x: isinstance(x, Real) and x in options, f"a float among {{{listed}}}")


def number_from(low: float, high: float = math.inf) -> ParameterRule:
    """Return the rule that accepts numbers in a closed interval."""
    return ParameterRule(
        lambda x: isinstance(x, Real) and low <= float(x) <= high, f"a float in the range [{low}, {high}]"
    )


def number_above(low: float, high: float) -> ParameterRule:
    """Return the rule that accepts numbers in an interval without its lower end."""
    return ParameterRule(
        lambda x: isinstance(x, Real) and low < float(x) <= high, f"a float in the range ({low}, {high}]"
    )


def whole_from(low: int) -> ParameterRule:
    """Return the rule that accepts whole numbers from a bound on."""
    return ParameterRule(lambda x: isinstance(x, Integral) and int(x) >= low, f"an int in the range [{low}, inf)")


ARRAY = ParameterRule(_is_array_like, "an array-like")
SPARSE = ParameterRule(is_sparse, "a sparse array or matrix")
NONE = ParameterRule(lambda x: x is None, "None")
NAN = ParameterRule(_is_nan, "numpy.nan")
BOOLEAN = ParameterRule(
    lambda x: isinstance(x, (bool, np.bool_)), "an instance of 'bool' or an instance of 'numpy.bool'"
)
NATURAL = whole_from(0)

TARGET = (ARRAY, SPARSE)
OPTIONAL_ARRAY = (ARRAY, NONE)
POSITIVE_LABEL = (instance_of(Real, "float"), instance_of(str, "str"), BOOLEAN)
POSITIVE = (*POSITIVE_LABEL, NONE)
AVERAGE = (one_of("micro", "macro", "samples", "weighted", "binary"), NONE)
ZERO_DIVISION = (number_among(0.0, 1.0), NAN, one_of("warn"))


def validated(**rules: tuple[ParameterRule, ...]) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Return a decorator that checks the parameters of a function before it runs."""

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        parameters = inspect.signature(function).parameters.values()
        positional = [x.name for x in parameters if x.kind is not x.KEYWORD_ONLY]

        @functools.wraps(function)
        def checked(*args: P.args, **kwargs: P.kwargs) -> R:
            given = (*zip(positional, args, strict=False), *kwargs.items())  # Python refuses too many, and unknown ones
            for name, value in given:
                accepted = rules.get(name)
                if accepted is not None and not any(rule.accepts(value) for rule in accepted):
                    raise _refusal(function.__name__, name, value, accepted)
            return function(*args, **kwargs)

        return checked

    return decorate


def _refusal(function: str, name: str, value: object, rules: tuple[ParameterRule, ...]) -> Exception:
    """Return scikit-learn's error about a parameter."""
    words = [rule.words for rule in rules]
    accepted = words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"
    return invalid_parameter(f"The {name!r} parameter of {function} must be {accepted}. Got {value!r} instead.")
