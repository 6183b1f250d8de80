"""What a call comes to: its result, its warnings and its error, in a form that can be compared."""

import math
import warnings

import numpy as np
import pytest
import sklearn

SAME_VERSION = tuple(map(int, sklearn.__version__.split(".")[:2])) >= (1, 9)
"""Errors and warnings are those of scikit-learn 1.9; results are those of every version from 1.5 on."""

TOLERANCE = 1e-12


def outcome(function, *args, **kwargs):
    """The result (or None), the warnings, and the error (or None)."""
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        try:
            result, error = function(*args, **kwargs), None
        except Exception as raised:  # noqa: BLE001 - whatever they raise, we must raise too
            result, error = None, raised
    # NumPy's warnings about 0/0 come from inside formulas, which differ
    messages = [(x.category, str(x.message)) for x in told if not issubclass(x.category, RuntimeWarning)]
    return result, messages, error


def assert_same(ours, theirs, *args, **kwargs):
    """Both functions come to the same."""
    expected, expected_told, expected_error = outcome(theirs, *args, **kwargs)
    found, told, error = outcome(ours, *args, **kwargs)
    if not SAME_VERSION:
        if error is None and expected_error is None:
            assert_close(found, expected, _tolerance(kwargs))
        return
    assert type(error) is type(expected_error)
    if error is None:
        assert told == expected_told
        assert_close(found, expected, _tolerance(kwargs))
    elif "not supported between instances" not in str(expected_error):  # an accident of sorting, told better here
        assert _essence(error) == _essence(expected_error)


def _essence(error):
    """A message without its list of accepted values, whose order changes there from process to process."""
    return str(error).partition(" must be ")[0]


def _tolerance(arguments):
    """Weights of 32 bits are added there in 32 bits in places."""
    return 1e-6 if getattr(arguments.get("sample_weight"), "dtype", None) == np.float32 else TOLERANCE


def assert_close(found, expected, tolerance=TOLERANCE):
    """Equal numbers, whatever they are in."""
    if isinstance(expected, dict):
        assert list(found) == list(expected)
        for key in expected:
            assert_close(found[key], expected[key], tolerance)
    elif isinstance(expected, tuple):
        assert len(found) == len(expected)
        for one, other in zip(found, expected, strict=True):
            assert_close(one, other, tolerance)
    elif isinstance(expected, np.ndarray):
        assert found.shape == expected.shape
        assert found.dtype.kind == expected.dtype.kind
        if expected.dtype.kind in "biuf":
            np.testing.assert_allclose(found, expected, rtol=tolerance, atol=tolerance)
        else:
            assert found == pytest.approx(expected, rel=tolerance, abs=tolerance, nan_ok=True)
    elif isinstance(expected, (float, int, np.floating)):
        assert isinstance(found, float) or type(found) is type(expected)
        assert math.isclose(found, expected, rel_tol=tolerance, abs_tol=tolerance) or found != found != expected
    elif isinstance(expected, str):
        assert_same_text(found, expected, tolerance)
    else:
        assert found == expected


def assert_same_text(found, expected, tolerance):
    """Equal to the letter, but for the last digits of the sums of weights, which depend on the order of adding."""
    if found == expected:
        return
    for one, other in zip(found.split(), expected.split(), strict=True):
        assert one == other or math.isclose(float(one), float(other), rel_tol=tolerance)
