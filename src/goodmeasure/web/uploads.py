"""Files that the page asks about: the one that goodmeasure explore was given, and those that the page sends.

A file that the page sends is streamed to a temporary folder, read as data by a process of its own, and removed.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from goodmeasure.exceptions import InputError
from goodmeasure.report.formats import offered
from goodmeasure.web import limits
from goodmeasure.web.answering import guarded, only, unless_left
from goodmeasure.web.bodies import saved
from goodmeasure.web.forms import offered_options
from goodmeasure.web.guard import is_token
from goodmeasure.web.replies import JsonReply, error_reply
from goodmeasure.web.workers import Workers

UploadData = dict[str, object]
_LONGEST_NAME = 80


@dataclass(frozen=True)
class NamedFile:
    """A file by the name that its owner knows, and the folder in which it has this name."""

    folder: Path
    name: str

    @classmethod
    def given(cls, file: Path) -> NamedFile:
        """Return the file of the command line, by its path as it was typed."""
        here = Path.cwd()
        name = str(file)
        return cls(here, str(here / name) if name == "-" else name)  # "-" alone would be the standard input

    @property
    def path(self) -> Path:
        return self.folder / self.name


# It may write into the folder, the last of the arguments.
_Answer = Callable[[Workers, NamedFile, Request, Path], Coroutine[object, object, Response]]


def upload_routes(token: str, file: Path | None, workers: Workers) -> list[Route]:
    """Return the routes about a file, whose address has to hold the token; with ``given``, about the given `file`."""
    given = None if file is None else NamedFile.given(file)

    def taking(answer: _Answer) -> Callable[[Request], Awaitable[Response]]:
        async def handler(request: Request) -> Response:
            if not is_token(request.path_params["token"], token):
                said = InputError(
                    "the token in the address is missing or old",
                    advice="open the address that goodmeasure explore printed when it was started",
                )
                return error_reply(said, 403)
            return await guarded(lambda: _with_file(workers, given, request, answer))

        return handler

    ways = {"upload": _looked, "compare": _compared, "report": _reported}
    return [Route(f"/api/{name}/{{token}}", taking(answer), methods=["POST"]) for name, answer in ways.items()]


async def _with_file(workers: Workers, given: NamedFile | None, request: Request, answer: _Answer) -> Response:
    """Return the answer about a file; what was sent or written is removed afterwards, whatever happens."""
    folder = TemporaryDirectory(prefix="goodmeasure-explore-", ignore_cleanup_errors=True)
    try:
        if "given" in request.query_params:
            if given is None:
                raise InputError("the page was opened without a file", advice="choose one here")
            return await unless_left(request, answer(workers, given, request, Path(folder.name)))
        sent = NamedFile(Path(folder.name), safe_name(request.query_params.get("name", "")))
        if not await saved(request, sent.path):
            raise InputError("the file is empty", advice="choose another one")
        return await unless_left(request, answer(workers, sent, request, sent.folder))
    finally:
        await run_in_threadpool(folder.cleanup)


def safe_name(name: str) -> str:
    """Return the name of an uploaded file, without anything that could lead to another place.

    >>> safe_name("../../etc/passwd"), safe_name("*?.csv"), safe_name("")
    ('passwd', 'csv', 'upload')
    """
    plain = re.sub(r"[^\w. -]+", "", re.split(r"[/\\]", name)[-1]).strip(" .-")
    return plain[-_LONGEST_NAME:] or "upload"


async def _looked(workers: Workers, file: NamedFile, request: Request, _folder: Path) -> Response:
    """Answer with what a file holds."""
    return JsonReply(await only(workers.replies("look", _asked(file, request), limits.UPLOAD_SECONDS)))


async def _compared(workers: Workers, file: NamedFile, request: Request, _folder: Path) -> Response:
    """Answer with the comparison of the systems in a file."""
    return JsonReply(await only(workers.replies("compare", _asked(file, request), limits.UPLOAD_SECONDS)))


async def _reported(workers: Workers, file: NamedFile, request: Request, folder: Path) -> Response:
    """Answer with the report on a file, to be saved."""
    ending = request.query_params.get("format", "html")
    known = offered()
    if ending not in known:
        raise InputError("{format} is {got!r}", got=ending, known=", ".join(known), advice="use one of {known}")
    target = folder / f"report.{ending}"
    if target == file.path:
        target = folder / f"the report.{ending}"
    task = {**_asked(file, request), "format": ending, "target": str(target)}
    await only(workers.replies("report", task, limits.UPLOAD_SECONDS))
    content = await run_in_threadpool(target.read_bytes)
    shown = f'attachment; filename="goodmeasure-report.{ending}"'
    return Response(content, media_type=known[ending].media_type, headers={"content-disposition": shown})


def _asked(file: NamedFile, request: Request) -> UploadData:
    """Return what the address asks about a file."""
    query = request.query_params
    return {
        "folder": str(file.folder),
        "name": file.name,
        "true": query.get("true"),
        "pred": query.getlist("pred"),
        "score": query.getlist("score"),
        "table": query.get("table"),
        "positive": query.get("positive"),
        "measures": query.getlist("measures") or None,
        "options": {name: query[name] for name in offered_options("compare") if name in query},
    }
