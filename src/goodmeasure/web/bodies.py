"""Reading what a request sends: JSON of limited size, and files that are streamed to the disk."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from starlette.requests import ClientDisconnect, Request

from goodmeasure.exceptions import InputError
from goodmeasure.web import limits
from goodmeasure.web.fields import Data, as_object


class TooLarge(InputError):  # noqa: N818 - a name that says what happened
    """A request sends more than is taken."""


async def json_of(request: Request) -> Data:
    """Return the JSON object that a request sends."""
    parts: list[bytes] = []
    size = 0
    async for piece in request.stream():
        size += len(piece)
        if size > limits.JSON_BYTES:
            await _drained(request, size)
            raise _too_large(limits.JSON_BYTES)
        parts.append(piece)
    try:
        return as_object(json.loads(b"".join(parts), parse_constant=_no_number))
    except (ValueError, RecursionError) as error:
        if isinstance(error, InputError):
            raise
        why = "it is nested too deeply" if isinstance(error, RecursionError) else str(error)
        raise InputError("the request is no JSON: {why}", why=why) from None


def _no_number(name: str) -> Any:
    raise InputError("the request is no JSON: {name} is no number", name=name)


async def saved(request: Request, path: Path) -> int:
    """Write the body of a request into a file, piece by piece; return its size in bytes."""
    declared = request.headers.get("content-length", "")
    if declared.isdecimal() and len(declared) < 20 and int(declared) > limits.UPLOAD_BYTES:
        await _drained(request, 0)
        raise _too_large(limits.UPLOAD_BYTES)
    size = 0
    with path.open("wb") as file:
        async for piece in request.stream():
            size += len(piece)
            if size > limits.UPLOAD_BYTES:
                file.truncate(0)
                await _drained(request, size)
                raise _too_large(limits.UPLOAD_BYTES)
            file.write(piece)
    return size


async def _drained(request: Request, size: int) -> None:
    """Read the rest of a body and forget it: browsers read an answer only after they have sent everything."""
    try:
        async for piece in _rest(request):
            size += len(piece)
            if size > limits.DRAINED_BYTES:
                return
    except ClientDisconnect:
        pass


async def _rest(request: Request) -> Any:
    """Yield the pieces of a body that are still to come."""
    while True:
        message = await request.receive()
        if message["type"] == "http.disconnect":
            return
        yield message.get("body", b"")
        if not message.get("more_body", False):
            return


def _too_large(most: int) -> TooLarge:
    return TooLarge(
        "the request is larger than {most:,} million bytes", most=most // 10**6,
        advice="for larger files, use goodmeasure evaluate and goodmeasure compare on the command line",
    )  # fmt: skip
