"""Call the function that is judged: with exact numbers, with floats, or as a black box that takes a matrix.

A measure that is recorded as a tree is exact. A function of a user that cannot be recorded is tried on three sample
matrices first, and is then assumed to behave alike on all others; a function that behaves differently on other matrices
is noticed only where it raises an error.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import numpy as np

from goodmeasure.catalogue import running
from goodmeasure.catalogue.family import literal
from goodmeasure.catalogue.measure import Measure
from goodmeasure.counts.matrix import ConfusionMatrix
from goodmeasure.exceptions import GoodmeasureError, InputError, InputTypeError, Phrase
from goodmeasure.language.policy import Policy
from goodmeasure.language.record import CannotRecord, NotANumber, RecordingView
from goodmeasure.language.view import View
from goodmeasure.theory.statements.witness import CellNumber, MatrixRows, text_of
from goodmeasure.theory.subject.time_limits import TooSlow, time_limit
from goodmeasure.typing import AnyArray, Array, ArrayLike

if TYPE_CHECKING:
    from goodmeasure.language.exact.reals import Exact

EXACT, FLOATS, MATRIX = "exact", "floats", "matrix"  # what a function can do, from most to least
_AGREE = 1e-9  # relative to their size, floats this near to each other count as the same value
_OUTSIDE_DOMAIN = ("math domain error", "nonnegative", "expected a positive input", "expected a number in range")
NAMELESS = "my_function"  # the name of a lambda in a line of Python


class DoesNotTake(InputError):  # noqa: N818 - what is wrong is the number of classes, or the function
    """A function returned no number for matrices of so many classes; ``reason`` says what it did instead."""

    def __init__(self, name: str, did: Phrase, matrix: str, reason: Phrase) -> None:
        super().__init__(
            "{name} {did} (on {matrix})",
            name=name,
            did=did,
            matrix=matrix,
            expected="a function of c, or of a matrix, that returns a number",
        )
        self.reason = reason


class Caller:
    """Calls the function of a measure in the best way that it supports, which sample matrices show.

    A function of ``c`` that is recorded gives exact values; one that leaves the language (``math.sqrt``, NumPy) gives
    floats only; one that does not take ``c`` is given the matrix as an array, a list of lists or a ConfusionMatrix,
    whichever works first.
    """

    def __init__(self, measure: Measure, m: int, policy: Policy, source: str | None, seconds: float) -> None:
        self.measure, self.m, self.policy = measure, m, policy
        self.foreign = measure.is_users_own()
        self.seconds = seconds if self.foreign else None
        self.how = EXACT
        self.one_by_one = False
        self.hand_over: Callable[[ArrayLike], AnyArray] = np.array
        self.source = source or _typed_name(measure)
        if self.foreign:
            self._find_out()

    # What the function can do

    @property
    def samples(self) -> list[MatrixRows]:
        """Return three matrices in which every cell is positive."""
        return [_sample(self.m, k) for k in range(3)]

    def has_value(self, rows: MatrixRows) -> bool:
        """Return whether the function has a finite value on a matrix."""
        return math.isfinite(self._guarded(rows))

    def _find_out(self) -> None:
        """Find out what the function takes and returns, on matrices in which every cell is positive."""
        samples = self.samples
        failed = self._fails(samples)
        if failed is not None:
            self._find_matrix(samples, failed)
        elif self.measure.recorded.is_opaque(self.m) or not all(self._has_exact_value(rows) for rows in samples):
            self.how, self.one_by_one = FLOATS, True
        if self.how != EXACT:
            self._must_repeat(samples)
        self._must_not_change(samples[0])

    def _fails(self, samples: list[MatrixRows]) -> Exception | None:
        """Return the error that the function raises on the samples; None where it returns numbers."""
        try:
            for rows in samples:
                self._in_floats(rows)
        except TooSlow:
            raise
        except Exception as error:  # noqa: BLE001 - somebody else's function may raise anything
            return error
        return None

    def _find_matrix(self, samples: list[MatrixRows], of_c: Exception) -> None:
        """Find the form of matrix that the function takes; ``of_c`` is the error that it raised on c."""
        self.how, of_array = MATRIX, None
        for hand_over in (np.array, _lists, ConfusionMatrix):
            self.hand_over = hand_over
            failed = self._fails(samples)
            if failed is None:
                return
            of_array = of_array or failed
        name, on = self.measure.name, text_of(samples[0])
        if isinstance(of_c, NotANumber) and isinstance(of_array, NotANumber):
            returned = getattr(of_c.value, "__self__", of_c.value)  # a method of c that nobody called, or c itself
            raise InputTypeError(
                "{name}: {hint} (on {on})", name=name, hint=of_array if isinstance(returned, View) else of_c, on=on
            ) from None
        raise DoesNotTake(name, _told(of_c, of_array), on, _told(of_c, of_array, brief=True)) from None

    def _has_exact_value(self, rows: MatrixRows) -> bool:
        """Return whether the function has an exact value: it does not need floats, as ``math.sqrt`` does."""
        try:
            running.on_exact(self.measure.recorded, rows, self.policy)
        except Exception:  # noqa: BLE001 - a function that floats can run need not run on exact numbers
            return False
        return True

    def _must_not_change(self, rows: MatrixRows) -> None:
        """Refuse a function that writes into the matrix that it is given; later calls would see other counts."""
        if self.how != MATRIX:
            return  # it is given no counts
        handed = self.hand_over(_in_numbers(rows))
        cells = handed.counts if isinstance(handed, ConfusionMatrix) else handed
        with time_limit(self.seconds, lambda: self._about(rows)), _staying(), np.errstate(all="ignore"):
            self.measure.function(handed)
        after = np.asarray(cells).tolist()
        if after != [list(row) for row in rows]:
            raise InputError(
                "{name} changes the matrix that it is given",
                name=self.measure.name,
                matrix=text_of(rows),
                after=after,
                advice="{matrix} became {after}; work on a copy",
            )

    def _must_repeat(self, samples: list[MatrixRows]) -> None:
        """Refuse a function that returns different values for the same matrix."""
        for rows in samples:
            first, second = self._in_floats(rows), self._in_floats(rows)
            if not _near(first, second):
                raise InputError(
                    "{name} is not deterministic",
                    name=self.measure.name,
                    first=first,
                    second=second,
                    matrix=text_of(rows),
                    advice="{first!r}, then {second!r} on {matrix}",
                )

    # Values

    def batch(self, cells: Array) -> Array:
        """Return the values on a batch of matrices, in floats; NaN or infinite where there is none."""
        if self.how != MATRIX and not self.one_by_one:
            try:
                return self._vectorised(cells)
            except TooSlow:
                raise
            except Exception:
                if not self.foreign:
                    raise
                self.one_by_one = True  # calls with one matrix each will show which matrix it was
        return np.array([self._guarded(tuple(map(tuple, x))) for x in cells.tolist()], dtype=float)

    def exact(self, rows: MatrixRows) -> Exact | float | None:
        """Return the exact value on one matrix, a float if the function has floats only, None if it has no value."""
        if self.how == EXACT:
            try:
                value = self._exactly(rows)
                return None if math.isnan(_defined(value)) else value
            except CannotRecord:  # it needs floats after all, in a branch that no sample came to
                self.how = FLOATS
        number = self._guarded(rows)
        return number if math.isfinite(number) else None

    def _exactly(self, rows: MatrixRows) -> Exact:
        """Return the exact value on one matrix; a division by zero means that there is none."""
        from goodmeasure.language.exact.reals import UNDEFINED

        try:
            with time_limit(self.seconds, lambda: self._about(rows)), _staying():
                return running.on_exact(self.measure.recorded, rows, self.policy)
        except (ZeroDivisionError, OverflowError):
            return UNDEFINED
        except CannotRecord:
            raise
        except Exception as error:
            self._complain(error, rows)
            raise

    def _guarded(self, rows: MatrixRows) -> float:
        """Return one value in floats; NaN after a division by zero or a logarithm of 0."""
        try:
            return self._in_floats(rows)
        except ArithmeticError:
            return math.nan
        except Exception as error:
            if _is_outside_domain(error):
                return math.nan
            self._complain(error, rows)
            raise

    def _complain(self, error: Exception, rows: MatrixRows) -> None:
        """Raise an error that names the matrix, if the function is a user's own and did not run out of time."""
        if self.foreign and not isinstance(error, TooSlow):
            raise InputError(
                "{name} {did} (on {matrix})",
                name=self.measure.name,
                did=_did(error),
                matrix=text_of(rows),
                advice="where the measure has no value, return float('nan')",
            ) from None

    def _in_floats(self, rows: ArrayLike) -> float:
        """Return one value in floats, within the time limit."""
        with time_limit(self.seconds, lambda: self._about(rows)), _staying(), np.errstate(all="ignore"):
            if self.how == MATRIX:
                return running.as_float(self.measure.function(self.hand_over(_in_numbers(rows))))
            return running.on_rows(self.measure.recorded, [list(row) for row in _in_numbers(rows)], self.policy)

    def _vectorised(self, cells: Array) -> Array:
        """Return the values on a batch from one call."""
        with time_limit(self.seconds, lambda: f"{self.measure.name} on {len(cells)} matrices at once"), _staying():
            values = self.measure(cells if cells.dtype.kind == "f" else cells.astype(np.float64), undefined=self.policy)
        return np.broadcast_to(np.asarray(values, dtype=float), (len(cells),))

    def _about(self, rows: MatrixRows) -> str:
        """Return the call as text, for messages."""
        return f"{self.measure.name}({text_of(rows)})"

    # As text

    def typed_on(self, rows: MatrixRows) -> str:
        """Return the Python expression for the value on a matrix; a black box was called with floats."""
        return self.typed(text_of(rows, exact=self.how != MATRIX))

    def typed(self, matrix: str) -> str:
        """Return the Python expression for the value on a matrix, given the text of the matrix."""
        policy = "" if self.policy.resolves else f", undefined={str(self.policy)!r}"
        if self.policy.name == "number":
            policy = f", undefined={self.policy}"
        if self.how == EXACT:
            return f"M.exact({matrix}{policy})"
        if self.how == FLOATS:
            return f"M({matrix}{policy})"
        wrapped = {np.array: f"np.array({matrix})", ConfusionMatrix: f"gm.ConfusionMatrix({matrix})"}
        return f"M.function({wrapped.get(self.hand_over, matrix)})"


def _typed_name(measure: Measure) -> str:
    """Return the Python expression for a measure, where its function is known by its own name."""
    if not measure.is_users_own():
        return f"gm.measure({measure.name!r})"
    if isinstance(measure.inner, Measure):  # macro(my_function, p=0)
        options = "".join(f", {k}={literal(v)}" for k, v in measure.parameters.items() if v is not measure.inner)
        return f"gm.{measure.combinator}({_typed_name(measure.inner)}{options})"
    if not callable(measure._key):  # it was given a place in the catalogue
        return f"gm.measure({measure.name!r})"
    known = getattr(measure.function, "__name__", "")
    return f"gm.measure({known if known.isidentifier() else NAMELESS})"


def _told(of_c: Exception, of_array: Exception | None, *, brief: bool = False) -> Phrase:
    """Return what a function did with c and with an array; only one of them if the other is not informative."""
    with_c, with_array = _did(of_c, brief=brief), _did(of_array, brief=brief)
    if _is_about(of_array, np.ndarray, "'numpy.ndarray' object") or with_c.text() == with_array.text():
        return with_c
    if _is_about(of_c, View, "View' object"):
        return with_array
    both = {"with_c": with_c, "with_array": with_array}
    return Phrase("{with_c} on c, and {with_array} on an array of the counts", both)


def _did(error: Exception | None, *, brief: bool = False) -> Phrase:
    """Return in words what a function did instead of returning a number."""
    if isinstance(error, NotANumber):
        return Phrase("returned {shown}", {"shown": error.shown})
    said: object = error if isinstance(error, GoodmeasureError) else _without_views(str(error))
    if brief and isinstance(error, GoodmeasureError) and error.problem:
        said = error.problem
    return Phrase("raised {kind}: {said}", {"kind": type(error).__name__, "said": said})


def _without_views(message: str) -> str:
    """Return a message of Python with ``c`` in place of the views that a definition is run on.

    Their types ("'RecordingView' object is not callable") mean nothing to the author of a definition. This changes only
    what is shown.
    """
    kinds: tuple[type[object], ...] = (RecordingView, *_kinds_of(View))
    for kind in kinds:
        message = message.replace(f"'{kind.__name__}' object", "c").replace(f"'{kind.__name__}'", "c")
    return message


def _kinds_of(kind: type[object]) -> Iterator[type[object]]:
    """Yield a type and all types that are derived from it."""
    yield kind
    for derived in kind.__subclasses__():
        yield from _kinds_of(derived)


def _is_about(error: Exception | None, kind: type, named: str) -> bool:
    """Return whether an error says that an object of this type lacks an operation.

    An AttributeError carries the object. Other errors of Python ("'RecordingView' object is not callable") carry only a
    message, in which the type is called ``named``.
    """
    found = getattr(error, "obj", None)
    return isinstance(found, kind) if found is not None else named in str(error)


def _is_outside_domain(error: Exception) -> bool:
    """Whether a function of Python's math module was called where it has no value, such as the root of −1.

    It raises a plain ValueError, as many other functions do, so only the message identifies it, and the message has
    changed in Python 3.14.
    """
    return isinstance(error, ValueError) and any(x in str(error) for x in _OUTSIDE_DOMAIN)


def _lists(rows: MatrixRows) -> list[list[CellNumber]]:
    """Return a matrix as a list of lists."""
    return [list(row) for row in rows]


def _defined(value: object) -> float:
    """Return NaN where an exact value is undefined, and 0 elsewhere."""
    from goodmeasure.language.exact.reals import UNDEFINED

    return math.nan if value is UNDEFINED else 0.0


@contextmanager
def _staying() -> Iterator[None]:
    """Turn an attempt of the function to end the program into an error."""
    try:
        yield
    except SystemExit as error:
        raise InputError("the function called sys.exit({code})", code=error.code) from None


def _in_numbers(rows: MatrixRows) -> tuple[tuple[float, ...], ...]:
    """Return rows of integers and floats, with floats in place of fractions."""
    return tuple(tuple(x if isinstance(x, int) else float(x) for x in row) for row in rows)


def _near(x: float, y: float) -> bool:
    """Return whether two floats are the same value up to rounding; NaN equals NaN."""
    return (x != x and y != y) or x == y or abs(x - y) <= _AGREE * max(1.0, abs(x), abs(y))


def _sample(m: int, k: int) -> MatrixRows:
    """Return the sample matrix of number k: all cells are positive, and most of them differ."""
    return tuple(
        tuple(1 + (7 * i + 3 * j + 5 * i * j + 11 * k) % 13 + (9 if i == j else 0) for j in range(m)) for i in range(m)
    )
