"""The server as an ASGI application: which address answers what."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp

from goodmeasure.exceptions import InputError
from goodmeasure.web.bodies import TooLarge, json_of
from goodmeasure.web.guard import Guard, names_of
from goodmeasure.web.replies import JsonReply, error_reply
from goodmeasure.web.routes import ANSWERS, Answer, is_quick
from goodmeasure.web.stored import OUTSIDE_API, config, stored

STATIC = Path(str(files("goodmeasure.web").joinpath("static")))
_REFUSED = (ValueError, TypeError, ArithmeticError, KeyError, OSError)
Handler = Callable[[Request], Awaitable[Response]]


@dataclass(frozen=True)
class Options:
    """How the server was started."""

    token: str
    host: str = "127.0.0.1"
    file: Path | None = None


def application(options: Options) -> ASGIApp:
    """Return the application that answers the page's requests."""

    async def told(_: Request) -> Response:
        return JsonReply(config(static=False, file=None if options.file is None else options.file.name))

    routes = [
        Route("/api/config.json", told),
        *(Route(f"/api/{name}", _answering(name, answer), methods=["POST"]) for name, answer in ANSWERS.items()),
        Route("/api/{path:path}", _stored),
        *(Route(f"/{name}", _stored) for name in OUTSIDE_API),
        Mount("/", StaticFiles(directory=STATIC, html=True)),
    ]
    app = Starlette(routes=routes, exception_handlers={HTTPException: _http_error})
    hosts, any_address = names_of(options.host)
    return Guard(app, hosts, any_address=any_address)


async def _stored(request: Request) -> Response:
    """Answer with data that the page loads once."""
    name = request.url.path.removeprefix("/")
    found = await run_in_threadpool(stored, name)
    if found is None:
        raise HTTPException(404)
    return Response(found.content, media_type=found.media_type, headers={"cache-control": "no-cache"})


def _answering(name: str, answer: Answer) -> Handler:
    """Return the handler of a question in JSON."""

    async def handler(request: Request) -> Response:
        async def reply() -> Response:
            data = await json_of(request)
            found = answer(data) if is_quick(name, data) else await run_in_threadpool(answer, data)
            return JsonReply(found, headers={"cache-control": "no-store"})

        return await guarded(reply)

    return handler


async def guarded(reply: Callable[[], Awaitable[Response]]) -> Response:
    """Return an answer, or what was wrong with the request."""
    try:
        return await reply()
    except TooLarge as error:
        return error_reply(error, 413)
    except ClientDisconnect:
        return Response(status_code=499)  # nobody is there to read it
    except _REFUSED as error:
        return error_reply(error)
    except Exception as error:  # noqa: BLE001 - whatever happens in one request, the page goes on working
        return bug(error)


def bug(error: Exception) -> Response:
    """Return the answer to a request that failed by an error of this program."""
    traceback.print_exception(error, file=sys.stderr)
    said: Any = InputError("this did not work, which is a bug of goodmeasure", advice="please report it")
    return error_reply(said, 500)


async def _http_error(_: Request, error: Exception) -> Response:
    status = error.status_code if isinstance(error, HTTPException) else 500
    said = {
        404: InputError("there is nothing at this address"),
        405: InputError("this address is not asked in this way"),
    }
    return error_reply(said.get(status, InputError("the request was refused")), status)
