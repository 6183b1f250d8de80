"""Notice whether a call changes something that outlives it, as far as Python shows what a function can reach.

For every number of classes, the term of a sum is called once, and what it returns stands for all classes. This is right
for a function that only returns its value. One that counts its calls, collects what it has seen, or moves an iterator
on, tells by this how many classes there are, or whether it was called at all. So what a function can reach is written
down before a call and compared afterwards: the variables around it, its default values and attributes, the global names
in its code, and all that these contain.

What is not seen: state that Python does not show (inside of objects written in C, in files, or a clock). What is
reached but may change by being looked at, such as an iterator, is refused at once.
"""

from __future__ import annotations

import random
from array import array
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from functools import partial
from types import CellType, CodeType, FunctionType, MethodType, ModuleType

import numpy as np

from goodmeasure.language.view import View

MOST_OBJECTS = 20_000  # that a function may reach
_PLAIN = (int, float, complex, str, bytes, bool, Fraction, type(None), type(Ellipsis))
_BAGS = (list, tuple, set, frozenset, deque)


class TooMuch(Exception):  # noqa: N818 - a signal: nothing is known
    """A function reaches too many objects, or one whose state is not shown."""


class ReachedObjects:
    """What a function can reach before a call."""

    def __init__(self, function: object) -> None:
        self._seen: list[tuple[object, object]] = []  # objects, with what they looked like
        known, todo = set[int](), [function]
        while todo:
            x = todo.pop()
            if id(x) in known or is_a(x, _PLAIN):
                continue
            known.add(id(x))
            if len(known) > MOST_OBJECTS or hasattr(type(x), "__next__"):
                raise TooMuch
            inside = list(_inside(x))
            self._seen.append((x, _look(inside)))
            todo += [y for _, y in inside]

    def is_the_same(self) -> bool:
        """Return whether all that could be reached looks as before."""
        return all(_look(_inside(x)) == before for x, before in self._seen)


def is_a(x: object, kinds: tuple[type, ...]) -> bool:
    """Return whether an object is of one of some kinds, without asking the object, which may answer by a mark."""
    return issubclass(type(x), kinds)


def _look(inside: Iterator[tuple[object, object]] | list[tuple[object, object]]) -> list[object]:
    """Return what tells the contents of an object from others: plain values, and which objects the others are."""
    return [(name, repr(y) if is_a(y, _PLAIN) else id(y)) for name, y in inside]


def _inside(x: object) -> Iterator[tuple[object, object]]:
    """Yield what an object contains, with names; nothing for modules, and for views and values of the verifier."""
    if is_a(x, (FunctionType,)):
        yield from _of_function(x)  # type: ignore[arg-type]
    elif is_a(x, (MethodType,)):
        yield from (("function", x.__func__), ("object", x.__self__))  # type: ignore[attr-defined]
    elif is_a(x, (partial,)):
        yield from (("function", x.func), ("arguments", x.args), ("keywords", x.keywords))  # type: ignore[attr-defined]
        yield from _entries(vars(x))
    elif is_a(x, _BAGS):
        yield from enumerate(x)  # type: ignore[arg-type]
        yield from _attributes(x)
    elif is_a(x, (dict,)):
        yield from _entries(x)  # type: ignore[arg-type]
        yield from _attributes(x)
    elif is_a(x, (CellType,)):
        try:
            yield "contents", x.cell_contents  # type: ignore[attr-defined]
        except ValueError:  # it is empty
            return
    elif is_a(x, (View,)):
        own: frozenset[str] = getattr(type(x), "OWN", frozenset())  # what a definition adds to a view is looked at
        yield from ((k, y) for k, y in vars(x).items() if k not in own)
    elif is_a(x, (np.ndarray, bytearray, array)):
        yield "bytes", bytes(x)  # type: ignore[call-overload]
    elif is_a(x, (random.Random,)):
        yield "state", repr(x.getstate())  # type: ignore[attr-defined]
    elif is_a(x, (type,)):
        if not _is_ours(x) and x.__module__ != "builtins":
            yield from ((k, y) for k, y in vars(x).items() if not k.startswith("__"))
    elif not is_a(x, (ModuleType, CodeType)):
        yield from _attributes(x)


def _of_function(f: FunctionType) -> Iterator[tuple[object, object]]:
    yield from (("variable", cell) for cell in f.__closure__ or ())
    yield from (("default", x) for x in (f.__defaults__, f.__kwdefaults__))
    yield from _entries(vars(f))
    if not _is_ours(f):
        yield from ((name, f.__globals__[name]) for name in sorted(names_in(f.__code__)) if name in f.__globals__)


def names_in(code: CodeType) -> set[str]:
    """Return the global names and attributes that code mentions, functions inside it included."""
    inner = [names_in(x) for x in code.co_consts if isinstance(x, CodeType)]
    return set(code.co_names).union(*inner)


def _entries(x: Mapping[str, object] | Mapping[object, object]) -> Iterator[tuple[object, object]]:
    for key, value in list(x.items()):
        yield "key", key
        yield "value", value


def _attributes(x: object) -> Iterator[tuple[object, object]]:
    """Yield the attributes of an object, by the real type of the object."""
    if _is_ours(type(x)) and not hasattr(type(x), "function"):  # of a measure, what it computes with
        return
    try:
        yield from _entries(object.__getattribute__(x, "__dict__"))
    except AttributeError:
        pass
    for kind in type(x).__mro__:
        slots = vars(kind).get("__slots__", ())
        for name in (slots,) if isinstance(slots, str) else slots:
            try:
                yield name, object.__getattribute__(x, name)
            except AttributeError:
                continue


def _is_ours(x: object) -> bool:
    return str(getattr(x, "__module__", "") or "").startswith("goodmeasure.")


def leaves_no_trace(f: Callable[..., object], *arguments: object) -> tuple[object, bool]:
    """Return what a function returns, and whether all that it could reach is as before."""
    try:
        trace = ReachedObjects(f)
    except TooMuch:
        return f(*arguments), False
    return f(*arguments), trace.is_the_same()
