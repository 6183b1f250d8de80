"""Calling the function that is judged: exactly, in floats, or as a black box that takes a matrix."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from goodmeasure.algebra.policy import Policy
from goodmeasure.catalogue import running
from goodmeasure.catalogue.measure import Measure
from goodmeasure.counts.matrix import ConfusionMatrix
from goodmeasure.properties.limits import TooSlow, time_limit
from goodmeasure.properties.witness import Rows, text_of

Array = np.ndarray[Any, Any]

EXACT, FLOATS, MATRIX = "exact", "floats", "matrix"  # what a function can do, from most to least
_AGREE = 1e-9


class Caller:
    """Calls a measure; what its function can do is found out on the first matrix.

    A function of ``c`` that keeps to the language is exact; one that leaves it (``math.sqrt``, NumPy) has floats only;
    one that does not take ``c`` at all is handed the matrix, as an array and else as a list of lists.
    """

    def __init__(self, measure: Measure, m: int, policy: Policy, source: str | None, seconds: float) -> None:
        self.measure, self.m, self.policy = measure, m, policy
        self.foreign = measure._is_users_own()
        self.seconds = seconds if self.foreign else None
        self.how = EXACT
        self.one_by_one = False
        self.hand_over: Callable[[Rows], Any] = np.array
        self.source = source or (f"gm.measure({measure.name})" if self.foreign else f"gm.measure({measure.name!r})")
        if self.foreign:
            self._find_out()

    # What the function can do

    def _find_out(self) -> None:
        """Find out what the function takes and returns, on matrices that keep every class and every cell busy."""
        samples = [_sample(self.m, k) for k in range(3)]
        try:
            for rows in samples:
                self._in_floats(rows)
        except TooSlow:
            raise
        except Exception as of_c:  # noqa: BLE001 - somebody else's function may raise anything
            self.how = MATRIX
            self._as_black_box(samples, of_c)
        if self.how == EXACT and not all(self._stays_exact(rows) for rows in samples):
            self.how = FLOATS
        self._must_repeat(samples)
        if self.how != MATRIX:
            self.one_by_one = not self._batch_agrees(samples)

    def _as_black_box(self, samples: list[Rows], of_c: Exception) -> None:
        for hand_over in (np.array, lambda rows: [list(row) for row in rows], ConfusionMatrix):
            self.hand_over = hand_over
            try:
                for rows in samples:
                    self._in_floats(rows)
            except TooSlow:
                raise
            except Exception:  # noqa: BLE001 - as above
                continue
            return
        if isinstance(of_c, (TypeError, ValueError)) and "the definition returned" in str(of_c):
            raise TypeError(f"{self.measure.name}: {of_c}") from None
        raise ValueError(
            f"{self.measure.name} raised {type(of_c).__name__}: {of_c} (on {text_of(samples[0])}): "
            "expected a function of c, or of a matrix, that returns a number"
        ) from None

    def _stays_exact(self, rows: Rows) -> bool:
        from goodmeasure.algebra.reals import Exact

        before = Exact.roundings
        try:
            running.on_exact(self.measure.of, rows, self.policy)
        except Exception:  # noqa: BLE001 - a function that floats can run need not run on exact numbers
            return False
        return Exact.roundings == before

    def _must_repeat(self, samples: list[Rows]) -> None:
        for rows in samples:
            first, second = self._in_floats(rows), self._in_floats(rows)
            if not _near(first, second):
                raise ValueError(
                    f"{self.measure.name} is not deterministic: {first!r}, then {second!r} on {text_of(rows)}"
                )

    def _batch_agrees(self, samples: list[Rows]) -> bool:
        try:
            together = self._vectorised(np.array(samples))
        except TooSlow:
            raise
        except Exception:  # noqa: BLE001 - a function that decides with `if` sees one matrix at a time
            return False
        return all(_near(float(x), self._in_floats(rows)) for x, rows in zip(together, samples, strict=True))

    # Values

    def batch(self, cells: Array) -> Array:
        """The values on a batch of matrices, in floats; NaN or infinite where there is none."""
        if self.how != MATRIX and not self.one_by_one:
            try:
                return self._vectorised(cells)
            except TooSlow:
                raise
            except Exception:
                if not self.foreign:
                    raise
                self.one_by_one = True  # which matrix it was, and whether it matters, shows one by one
        return np.array([self._guarded(tuple(map(tuple, x))) for x in cells.tolist()], dtype=float)

    def exact(self, rows: Rows) -> Any:
        """The exact value on one matrix, a float where there is no other, None where there is none."""
        if self.how == EXACT:
            value = self._exactly(rows)
            return None if math.isnan(_defined(value)) else value
        number = self._guarded(rows)
        return number if math.isfinite(number) else None

    def _exactly(self, rows: Rows) -> Any:
        from goodmeasure.algebra.reals import UNDEFINED

        try:
            with time_limit(self.seconds, lambda: self._about(rows)), _staying():
                return running.on_exact(self.measure.of, rows, self.policy)
        except (ZeroDivisionError, OverflowError):
            return UNDEFINED
        except Exception as error:
            self._complain(error, rows)
            raise

    def _guarded(self, rows: Rows) -> float:
        """One value in floats; a division by zero or a logarithm of nothing means that there is none."""
        try:
            return self._in_floats(rows)
        except ArithmeticError:
            return math.nan
        except Exception as error:
            if "math domain error" in str(error) or "nonnegative" in str(error):
                return math.nan
            self._complain(error, rows)
            raise

    def _complain(self, error: Exception, rows: Rows) -> None:
        if self.foreign and not isinstance(error, TooSlow):
            name = type(error).__name__
            raise ValueError(f"{self.measure.name} raised {name}: {error} (on {text_of(rows)})") from None

    def _in_floats(self, rows: Rows) -> float:
        with time_limit(self.seconds, lambda: self._about(rows)), _staying(), np.errstate(all="ignore"):
            if self.how == MATRIX:
                return running.as_float(self.measure.function(self.hand_over(_in_numbers(rows))))
            return running.on_rows(self.measure.of, [list(row) for row in _in_numbers(rows)], self.policy)

    def _vectorised(self, cells: Array) -> Array:
        with time_limit(self.seconds, lambda: f"{self.measure.name} on {len(cells)} matrices at once"), _staying():
            values = self.measure(cells if cells.dtype.kind == "f" else cells.astype(np.float64), undefined=self.policy)
        return np.broadcast_to(np.asarray(values, dtype=float), (len(cells),))

    def _about(self, rows: Rows) -> str:
        return f"{self.measure.name}({text_of(rows)})"

    # As text

    def typed(self, matrix: str) -> str:
        """The Python that gives the value on a matrix that is written like this."""
        policy = "" if self.policy.resolves else f", undefined={str(self.policy)!r}"
        if self.policy.name == "number":
            policy = f", undefined={self.policy}"
        if self.how == EXACT:
            return f"M.exact({matrix}{policy})"
        if self.how == FLOATS:
            return f"M({matrix}{policy})"
        wrapped = {np.array: f"np.array({matrix})", ConfusionMatrix: f"gm.ConfusionMatrix({matrix})"}
        return f"M.function({wrapped.get(self.hand_over, matrix)})"


def _defined(value: Any) -> float:
    """NaN where an exact value is undefined, and 0 elsewhere."""
    from goodmeasure.algebra.reals import UNDEFINED

    return math.nan if value is UNDEFINED else 0.0


@contextmanager
def _staying() -> Iterator[None]:
    """A function must not end the program."""
    try:
        yield
    except SystemExit as error:
        raise ValueError(f"the function called sys.exit({error.code})") from None


def _in_numbers(rows: Rows) -> Any:
    """Rows of whole numbers and floats."""
    return tuple(tuple(x if isinstance(x, int) else float(x) for x in row) for row in rows)


def _near(x: float, y: float) -> bool:
    return (x != x and y != y) or x == y or abs(x - y) <= _AGREE * max(1.0, abs(x), abs(y))


def _sample(m: int, k: int) -> Rows:
    """A matrix in which all cells are positive and differ."""
    return tuple(
        tuple(1 + (7 * i + 3 * j + 5 * i * j + 11 * k) % 13 + (9 if i == j else 0) for j in range(m)) for i in range(m)
    )
