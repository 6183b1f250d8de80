"""Questions that make a symbolic reading of a definition invalid, even if the definition went on and returned a value.

A definition can be read with other things than numbers: with symbols in a proof, with series along a ray. It is a
Python program, so it may ask what only numbers can answer: is n > 60, what is the type of n, what is its text? A symbol
refuses such a question by raising an error. But a program can catch every error and go on in a branch that no number
would take; and some questions are answered before anything can be raised. So a refusal does two things: it raises an
error, and it `spoil`s the reading in progress. Code that reads a definition does so inside `reading`, and checks
``spoilt`` afterwards.

Code of this package that asks a symbol a question, and can handle a refusal, saves the `state` before and restores it
with `unspoil`.

**What cannot be noticed.** ``type(x)``, ``x is y``, ``id(x)``, attributes that symbols happen to have, frames of the
interpreter, and any state outside of the definition distinguish symbols from numbers without leaving a trace here. So
whoever relies on a reading must also compare it with numbers.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import TYPE_CHECKING, Never, Self


class DefinitionReading:
    """One reading of a definition; ``spoilt`` says what makes its result worthless, if something does.

    ``supposed``: a value was read on the supposition that it is defined, so nothing may depend on whether it is.
    """

    __slots__ = ("spoilt", "supposed")

    def __init__(self) -> None:
        self.spoilt: str | None = None
        self.supposed = False


_now: DefinitionReading | None = None

FAULTS = (TypeError, ValueError, AttributeError, LookupError, ArithmeticError, NameError, AssertionError, RuntimeError)
"""What a definition may raise when it meets symbols in place of numbers."""


@contextmanager
def reading() -> Iterator[DefinitionReading]:
    """Open a reading; what is refused until it ends spoils it."""
    global _now
    before, _now = _now, DefinitionReading()
    try:
        yield _now
    finally:
        _now = before


def spoil(why: str) -> None:
    """Note that the definition asked something to which there is no answer."""
    if _now is not None and _now.spoilt is None:
        _now.spoilt = why


def state() -> str | None:
    """Return what has spoilt the reading so far, to be put back with `unspoil`."""
    return None if _now is None else _now.spoilt


def unspoil(before: str | None) -> None:
    """Put back an earlier state, because the refusal since then was expected."""
    if _now is not None:
        _now.spoilt = before


def suppose() -> None:
    """Note that a value was read on the supposition that it is defined."""
    if _now is not None:
        _now.supposed = True


def supposes() -> bool:
    """Return whether something was supposed to be defined in this reading."""
    return _now is not None and _now.supposed


def asked_by_definition() -> bool:
    """Return whether the question that is being answered comes from a definition that is read, and not from elsewhere.

    It looks for the module that asks. This package and the module of exact fractions ask for types in order to compute,
    whatever the answer is; ``abc`` asks on behalf of its caller.
    """
    if _now is None:
        return False
    frame: FrameType | None = sys._getframe(2)
    while frame is not None and frame.f_globals.get("__name__") in ("abc", "_py_abc"):
        frame = frame.f_back
    name = "" if frame is None else str(frame.f_globals.get("__name__", ""))
    return not (name.startswith("goodmeasure.") or name == "fractions")


class Symbolic:
    """What stands for a number in a reading; questions that only a number can answer spoil the reading.

    A class that defines ``__eq__`` has to say ``__hash__ = Symbolic.__hash__``, or Python takes the hash away.
    """

    __slots__ = ()

    def _refusal(self, why: str) -> Exception:
        """Return the error by which a question is refused."""
        return TypeError(why)

    def _refuse(self, *_: object) -> Never:
        why = "the definition asks a symbol what only a number can answer"
        spoil(why)
        raise self._refusal(why)

    __float__ = __int__ = __index__ = __complex__ = __round__ = __trunc__ = __floor__ = __ceil__ = _refuse
    __floordiv__ = __rfloordiv__ = __mod__ = __rmod__ = __divmod__ = __rdivmod__ = _refuse

    def __hash__(self) -> int:
        return self._refuse()

    def __repr__(self) -> str:
        if asked_by_definition():
            spoil("the definition asks for the text of a symbol")
        return object.__repr__(self)

    @property  # type: ignore[misc]
    def __class__(self) -> type[Self]:
        """Return the type; ``isinstance`` asks for it if the real type of the object does not answer the question."""
        if asked_by_definition():
            spoil("the definition asks for the type of a symbol")
        return type(self)

    if not TYPE_CHECKING:  # otherwise type checkers would accept every attribute

        def __getattr__(self, name: str) -> Never:
            if asked_by_definition():
                spoil(f"the definition asks a symbol for {name}")
            raise AttributeError(f"a symbol has no {name}")
