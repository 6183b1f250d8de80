"""Build parts of a report only once, although the terminal, the page and other formats all show them."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec, TypeVar
from weakref import WeakKeyDictionary

_Result = TypeVar("_Result")
_Asked = ParamSpec("_Asked")
_Piece = TypeVar("_Piece")


def built_once(
    build: Callable[Concatenate[_Result, _Asked], _Piece],
) -> Callable[Concatenate[_Result, _Asked], _Piece]:
    """Return a function that builds a piece when a result is first asked for it, and keeps it as long as the result."""
    known: WeakKeyDictionary[_Result, dict[object, _Piece]] = WeakKeyDictionary()

    @wraps(build)
    def piece(result: _Result, /, *asked: _Asked.args, **named: _Asked.kwargs) -> _Piece:
        pieces, key = known.setdefault(result, {}), (asked, tuple(named.items()))
        if key not in pieces:
            pieces[key] = build(result, *asked, **named)
        return pieces[key]

    return piece
