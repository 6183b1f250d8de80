"""Reading what a request sends: JSON of limited size, and files that are streamed to the disk."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import NoReturn

from starlette.requests import Request

from goodmeasure.exceptions import InputError
from goodmeasure.web import limits
from goodmeasure.web.fields import RequestData, as_object


class BodyTooLarge(InputError):  # noqa: N818 - a name that says what happened
    """A request sends more than is taken."""


async def json_of(request: Request) -> RequestData:
    """Return the JSON object that a request sends."""
    parts = [piece async for piece in _within(request, limits.JSON_BYTES)]
    try:
        return as_object(json.loads(b"".join(parts), parse_constant=_no_number))
    except (ValueError, RecursionError) as error:
        if isinstance(error, InputError):
            raise
        why = "it is nested too deeply" if isinstance(error, RecursionError) else str(error)
        raise InputError("the request is not JSON: {why}", why=why) from None


def _no_number(name: str) -> NoReturn:
    raise InputError("the request is not JSON: {name} is not a number", name=name)


async def saved(request: Request, path: Path) -> int:
    """Write the body of a request into a file, piece by piece; return its size in bytes."""
    size = 0
    with path.open("wb") as file:
        async for piece in _within(request, limits.UPLOAD_BYTES):
            size += len(piece)
            file.write(piece)
    return size


async def _within(request: Request, most: int) -> AsyncIterator[bytes]:
    """Yield the pieces of a body, and refuse it where it is too large.

    The rest of a body that is too large is read and forgotten, since browsers read an answer only after they have sent
    everything.
    """
    declared = request.headers.get("content-length", "")
    is_too_large = declared.isdecimal() and int(declared[:20]) > most
    size = 0
    async for piece in request.stream():
        size += len(piece)
        is_too_large = is_too_large or size > most
        if not is_too_large:
            yield piece
        elif size > limits.DRAINED_BYTES:
            break
    if is_too_large:
        raise _too_large(most)


def _too_large(most: int) -> BodyTooLarge:
    return BodyTooLarge(
        "the request is larger than {most:,} million bytes", most=most // 10**6,
        advice="for larger files, use goodmeasure evaluate and goodmeasure compare on the command line",
    )  # fmt: skip
