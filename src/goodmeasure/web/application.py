"""The server as an ASGI application: which address answers what."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp

from goodmeasure.exceptions import InputError
from goodmeasure.web import limits
from goodmeasure.web.answering import guarded, only, streamed, unless_left
from goodmeasure.web.bodies import json_of
from goodmeasure.web.guard import Guard, is_token, names_of
from goodmeasure.web.replies import JsonReply, error_reply
from goodmeasure.web.routes import QUICK, WORK, LongWork, Quick
from goodmeasure.web.stored import OUTSIDE_API, config, stored
from goodmeasure.web.together import Together
from goodmeasure.web.uploads import upload_routes
from goodmeasure.web.workers import Workers

STATIC = Path(str(files("goodmeasure.web").joinpath("static")))
Handler = Callable[[Request], Awaitable[Response]]


@dataclass(frozen=True)
class ServerOptions:
    """How the server was started."""

    token: str
    host: str = "127.0.0.1"
    file: Path | None = None


def application(options: ServerOptions) -> ASGIApp:
    """Return the application that answers the page's requests."""

    workers, questions = Workers(), Workers()  # apart, so that long work never delays other questions

    async def told(request: Request) -> Response:
        for pool in (workers, questions):
            pool.warm()  # a page was opened, and its first long question should not wait for imports
        file = options.file if is_token(request.query_params.get("token", ""), options.token) else None
        told = config(static=False, file=None if file is None else file.name)
        return JsonReply(told, headers={"cache-control": "no-store"})

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        try:
            yield
        finally:
            await asyncio.gather(workers.close(), questions.close())

    routes = [
        Route("/api/config.json", told),
        *(
            Route(
                f"/api/{name}",
                _working(questions if task.seconds <= limits.QUESTION_SECONDS else workers, task),
                methods=["POST"],
            )
            for name, task in WORK.items()
        ),
        *(Route(f"/api/{name}", _quickly(questions, name, kind), methods=["POST"]) for name, kind in QUICK.items()),
        *upload_routes(options.token, options.file, workers),
        Route("/api/{path:path}", _stored),
        *(Route(f"/{name}", _stored) for name in OUTSIDE_API),
        Mount("/", StaticFiles(directory=STATIC, html=True)),
    ]
    app = Starlette(routes=routes, exception_handlers={HTTPException: _http_error}, lifespan=lifespan)
    hosts, any_address = names_of(options.host)
    return Guard(app, hosts, any_address=any_address)


async def _stored(request: Request) -> Response:
    """Answer with data that the page loads once."""
    name = request.url.path.removeprefix("/")
    found = await run_in_threadpool(stored, name)
    if found is None:
        raise HTTPException(404)
    return Response(found.content, media_type=found.media_type, headers={"cache-control": "no-cache"})


def _quickly(workers: Workers, name: str, kind: Quick) -> Handler:
    """Return the handler of a question that is asked while somebody types."""
    together = Together(kind.answers)

    async def handler(request: Request) -> Response:
        async def reply() -> Response:
            data = await json_of(request)
            question = kind.read(data)
            if question.work > kind.most:
                task: dict[str, object] = {"kind": name, "question": dict(data)}
                asked = only(workers.replies("matrix_question", task, limits.QUESTION_SECONDS))
                found = await unless_left(request, asked)
            else:
                found = await together.answer(question)
            return JsonReply(found, headers={"cache-control": "no-store"})

        return await guarded(reply)

    return handler


def _working(workers: Workers, task: LongWork) -> Handler:
    """Return the handler of a question that takes long: findings are sent as they come, or all at once."""

    async def handler(request: Request) -> Response:
        async def reply() -> Response:
            data = task.read(await json_of(request))
            found = workers.replies(task.name, data, task.seconds)
            if task.streams:
                return await unless_left(request, streamed(found))
            return JsonReply(await unless_left(request, only(found)), headers={"cache-control": "no-store"})

        return await guarded(reply, mistake=200 if task.typed else 400)

    return handler


async def _http_error(_: Request, error: Exception) -> Response:
    status = error.status_code if isinstance(error, HTTPException) else 500
    said = {
        404: InputError("there is nothing at this address"),
        405: InputError("this address does not accept this kind of request"),
    }
    return error_reply(said.get(status, InputError("the request was refused")), status)
