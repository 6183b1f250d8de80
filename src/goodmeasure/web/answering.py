"""How a handler answers: what a task found, line by line or at once, and what was wrong with a request."""

from __future__ import annotations

import asyncio
import sys
import traceback
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Mapping
from typing import TypeVar

from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response, StreamingResponse

from goodmeasure.exceptions import InputError
from goodmeasure.typing import ReadJson
from goodmeasure.web.bodies import BodyTooLarge
from goodmeasure.web.replies import JsonReply, error_reply, json_bytes
from goodmeasure.web.workers import Busy

_REFUSED = (ValueError, TypeError, ArithmeticError, KeyError, OSError, ImportError)
_Found = TypeVar("_Found")


async def unless_left(request: Request, work: Coroutine[object, object, _Found]) -> _Found:
    """Return what some work finds; stop it as soon as whoever asked has left."""
    working, leaving = asyncio.create_task(work), asyncio.create_task(_left(request))
    try:
        await asyncio.wait((working, leaving), return_when=asyncio.FIRST_COMPLETED)
        if working.done():
            return working.result()
        raise ClientDisconnect
    finally:
        working.cancel()
        leaving.cancel()
        await asyncio.gather(working, leaving, return_exceptions=True)


async def _left(request: Request) -> None:
    """Wait until whoever sent a request has left."""
    while (await request.receive())["type"] != "http.disconnect":
        pass


async def only(found: AsyncIterator[dict[str, object]]) -> dict[str, object]:
    """Return the combined replies of a task; raise `TaskRefused` if it ended with an error."""
    whole: dict[str, object] = {}
    async for reply in found:
        whole |= reply
    if "error" in whole:
        raise TaskRefused(whole)
    return {name: x for name, x in whole.items() if name != "done"}


async def streamed(found: AsyncIterator[dict[str, object]]) -> Response:
    """Return a response that streams one finding per line; raise `TaskRefused` if the first one is an error."""
    first = await anext(found)
    if "error" in first:
        async for _ in found:
            pass  # a process that has come to the end of its task can be used again
        raise TaskRefused(first)

    async def lines() -> AsyncIterator[bytes]:
        yield json_bytes(first) + b"\n"
        try:
            async for reply in found:
                yield json_bytes(reply) + b"\n"
        except InputError as error:
            yield json_bytes({"done": True, "stopped": str(error)}) + b"\n"

    return StreamingResponse(lines(), media_type="application/x-ndjson", headers={"cache-control": "no-store"})


class TaskRefused(Exception):  # noqa: N818 - what a worker said, on its way to the answer
    """A worker refused a task; ``reply`` is its answer."""

    def __init__(self, reply: Mapping[str, ReadJson]) -> None:
        super().__init__(reply["error"]["message"])
        self.reply = {"error": reply["error"]}


async def guarded(reply: Callable[[], Awaitable[Response]], mistake: int = 400) -> Response:
    """Return an answer, or what was wrong with the request, with the status of a mistake.

    Browsers note every status from 400 on in their console, also of mistakes that somebody makes while typing.
    """
    try:
        return await reply()
    except BodyTooLarge as error:
        return error_reply(error, 413)
    except Busy as error:
        return error_reply(error, 503)
    except TaskRefused as error:
        return JsonReply(error.reply, mistake)
    except ClientDisconnect:
        return Response(status_code=499)  # nobody is there to read it
    except _REFUSED as error:
        return error_reply(error, mistake)
    except Exception as error:  # noqa: BLE001 - whatever happens in one request, the page goes on working
        return bug(error)


def bug(error: Exception) -> Response:
    """Return the answer to a request that failed by an error of this program."""
    traceback.print_exception(error, file=sys.stderr)
    said: InputError = InputError("this did not work, which is a bug of goodmeasure", advice="please report it")
    return error_reply(said, 500)
