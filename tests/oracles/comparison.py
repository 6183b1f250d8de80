"""Rows that map a peer's call to a measure, how the two numbers are compared, and known disagreements as data."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

import pytest

import goodmeasure as gm
from tests.oracles.examples import Example

TOLERANCE = 1e-12
Condition = Callable[[Example], bool]


@dataclass(frozen=True, eq=False)
class Row:
    """One line of a table: the peer's function with its arguments, our measure, and where both define one number."""

    peer: str
    ours: str
    arguments: dict[str, Any] = field(default_factory=dict)
    undefined: Any = "resolve"
    where: tuple[Condition, ...] = ()

    def examples_of(self, examples: Iterable[Example]) -> list[Example]:
        """The examples that meet all conditions of the row."""
        return [x for x in examples if all(condition(x) for condition in self.where)]

    def measured(self, *data: Any, **options: Any) -> float:
        return gm.measure(self.ours)(*data, undefined=self.undefined, **options)

    def __repr__(self) -> str:
        arguments = ", ".join(f"{name}={value!r}" for name, value in self.arguments.items())
        policy = "" if self.undefined == "resolve" else f"@{self.undefined}"
        return f"{self.peer}({arguments})={self.ours}{policy}"


@dataclass(frozen=True)
class Disagreement:
    """A row and an example on which the peer gives another number than we do, and why."""

    row: Row
    example: Example
    theirs: Any
    ours: Any
    why: str

    def __repr__(self) -> str:
        return f"{self.row}-{self.example}"


def every_row(table: Iterable[Row]) -> Any:
    """A test for each row of a table; it goes through the examples itself, as thousands of tests take their time."""
    return pytest.mark.parametrize("row", list(table), ids=repr)


def close(expected: Any, tolerance: float = TOLERANCE) -> Any:
    return pytest.approx(expected, rel=tolerance, abs=tolerance, nan_ok=True)


def quietly(call: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """A peer's answer without its warnings: the answer is what is compared."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return call(*args, **kwargs)


def outcome(call: Callable[..., Any], *args: Any) -> Any:
    """The value of a call, or the type of the error that it raises."""
    try:
        return quietly(call, *args)
    except ValueError as error:
        return type(error)


def same(x: Any, y: Any) -> bool:
    """Whether two outcomes are the same text or error, both NaN, or close numbers."""
    if isinstance(x, type) and isinstance(y, type):
        return issubclass(x, y)  # an error may be of a kind of its own
    if any(isinstance(z, (str, type)) for z in (x, y)):
        return type(x) is type(y) and bool(x == y)
    return bool(x == close(y))


def check(known: Disagreement, theirs: Callable[..., Any], ours: Callable[..., Any]) -> None:
    """Both sides give what is written down, and the two differ; otherwise the entry is stale."""
    peer, measured = outcome(theirs, known.row, known.example), outcome(ours, known.row, known.example)
    assert same(peer, known.theirs), f"{known.row.peer} gives {peer} by now, not {known.theirs} ({known.why})"
    assert same(measured, known.ours), f"{known.row.ours} gives {measured} by now, not {known.ours} ({known.why})"
    assert not same(known.theirs, known.ours), f"they agree by now ({known.why})"
