"""Processes for long work: each task has a time limit, and a process that is late is ended."""

from __future__ import annotations

import asyncio
import json
import os
import sys
import time
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager, suppress
from tempfile import TemporaryDirectory

from goodmeasure.exceptions import InputError
from goodmeasure.web import limits

TaskData = dict[str, object]
_LONGEST_LINE = 64_000_000
_START_SECONDS = 120.0  # on a machine that is very busy
_TASKS = 200  # after so many a process is replaced, so that its memory cannot grow for ever


class TooLate(InputError):  # noqa: N818 - a name that says what happened
    """A task took longer than it may."""


class Busy(InputError):  # noqa: N818 - a name that says what happened
    """Too many tasks wait already."""


class Worker:
    """One process, which does one task after another."""

    def __init__(self, process: asyncio.subprocess.Process, folder: TemporaryDirectory[str]) -> None:
        self.process = process
        self.folder = folder  # for its temporary files, which it cannot remove when it is ended
        self.tasks = 0
        self.is_at_work = False
        self._ending: asyncio.Task[None] | None = None

    @classmethod
    async def started(cls) -> Worker:
        """Return a new process as soon as it is ready, so that no task loses time to its imports."""
        pipe = asyncio.subprocess.PIPE
        folder = TemporaryDirectory(prefix="goodmeasure-worker-", ignore_cleanup_errors=True)
        place = {"TMPDIR": folder.name, "TEMP": folder.name, "TMP": folder.name}
        try:
            # -P: a module in the current folder, such as resource.py, must not replace an installed one
            process = await asyncio.create_subprocess_exec(
                sys.executable, "-P", "-m", "goodmeasure.web.worker", stdin=pipe, stdout=pipe, limit=_LONGEST_LINE,
                env={**os.environ, **place},
            )  # fmt: skip
        except BaseException:
            folder.cleanup()
            raise
        worker = cls(process, folder)
        assert process.stdout is not None
        try:
            await asyncio.wait_for(process.stdout.readline(), _START_SECONDS)
        except BaseException:
            await worker.end()
            raise
        return worker

    async def replies(self, task: str, data: TaskData, seconds: float) -> AsyncIterator[TaskData]:
        """Yield what a task finds; the last reply has ``done``."""
        self.tasks, self.is_at_work = self.tasks + 1, True
        sent = self.process.stdin
        assert sent is not None
        sent.write(json.dumps({"task": task, "data": data}).encode() + b"\n")
        await sent.drain()
        async for reply in self.rest(seconds):
            yield reply

    async def rest(self, seconds: float) -> AsyncIterator[TaskData]:
        """Yield what the task at hand still finds."""
        found, until = self.process.stdout, time.monotonic() + seconds
        assert found is not None
        while self.is_at_work:
            line = await asyncio.wait_for(found.readline(), max(0.0, until - time.monotonic()))
            if not line:
                raise InputError(
                    "this took more than the page may use, and was stopped", advice="use the command line instead"
                )
            reply: TaskData = json.loads(line)
            self.is_at_work = not reply.get("done")
            yield reply

    async def end(self) -> None:
        """End the process, whatever it does; whoever asked may be gone, which must not stop this halfway."""
        if self._ending is None:
            self._ending = asyncio.create_task(self._ended())
        await asyncio.shield(self._ending)

    async def _ended(self) -> None:
        with suppress(ProcessLookupError):
            self.process.kill()
        await self.process.wait()
        # The process may have ended before the end of its output was seen: without this its pipes outlive
        # the event loop, which asyncio then complains about on the terminal.
        self.process._transport.close()  # type: ignore[attr-defined]  # it has no public name
        await asyncio.sleep(0)
        self.folder.cleanup()


class Workers:
    """A pool of a few processes; a request that finds all of them busy waits."""

    def __init__(self, most: int = limits.WORKERS) -> None:
        self._free, self._most, self._is_closed = asyncio.Semaphore(most), most, False
        self._idle: list[Worker] = []
        self._alive: set[Worker] = set()
        self._starting: set[asyncio.Task[Worker]] = set()
        self._endings: set[asyncio.Task[None]] = set()
        self._waiting = 0
        self._is_warm = False

    def warm(self) -> None:
        """Start the first process, so that the first question need not wait for it."""
        if not self._is_warm:
            self._is_warm = True
            self._start().add_done_callback(self._keep)

    def _keep(self, started: asyncio.Task[Worker]) -> None:
        """Keep a process for the next question, or end it if enough processes are idle already."""
        if started.cancelled() or started.exception() is not None:
            return
        if len(self._idle) < self._most and not self._is_closed:
            self._idle.append(started.result())
        else:
            self._later(self._end(started.result()))

    def _later(self, work: Coroutine[object, object, None]) -> None:
        """Do something that nobody waits for but `close`."""
        task = asyncio.create_task(work)
        self._endings.add(task)
        task.add_done_callback(self._endings.discard)

    def _start(self) -> asyncio.Task[Worker]:
        """Start a process in a task of its own, which `close` knows of."""
        task = asyncio.create_task(self._started())
        self._starting.add(task)
        task.add_done_callback(self._starting.discard)
        return task

    async def _new(self) -> Worker:
        task = self._start()
        try:
            return await asyncio.shield(task)
        except asyncio.CancelledError:  # whoever asked is gone: the process serves the next question
            task.add_done_callback(self._keep)
            raise

    async def _started(self) -> Worker:
        worker = await Worker.started()
        self._alive.add(worker)
        return worker

    async def _end(self, worker: Worker) -> None:
        try:
            await worker.end()
        finally:  # the client may have disconnected: the process must end all the same
            if worker.process.returncode is not None:
                self._alive.discard(worker)

    async def replies(self, task: str, data: TaskData, seconds: float) -> AsyncIterator[TaskData]:
        """Yield what a task finds; raise `TooLate` where it takes longer than it may."""
        async with self._worker() as worker:
            try:
                async for reply in worker.replies(task, data, seconds):
                    yield reply
            except TimeoutError:
                raise TooLate(
                    "this takes longer than {seconds:g} seconds, and was stopped", seconds=seconds,
                    advice="use the command line, which has no such limit",
                ) from None  # fmt: skip

    @asynccontextmanager
    async def _worker(self) -> AsyncIterator[Worker]:
        """Lend a process for one task; a process that did not finish its task in time is ended."""
        if self._waiting >= limits.WAITING:
            raise Busy("too many long questions are being worked on", advice="try again in a moment")
        self._waiting += 1
        try:
            await self._free.acquire()
            worker = None
            try:
                if self._is_closed:
                    raise Busy("the page is being ended")
                worker = self._idle.pop() if self._idle else await self._new()
                yield worker
            finally:
                self._later(self._returned(worker))
        finally:
            self._waiting -= 1

    async def _returned(self, worker: Worker | None) -> None:
        """Take a process back for the next question; whoever asked may have left, and then it has a moment to finish.

        Questions that are asked while somebody types are left all the time, and most are answered soon.
        """
        try:
            if worker is None:
                return
            with suppress(TimeoutError, InputError):
                async for _ in worker.rest(limits.LEFT_SECONDS):
                    pass
            is_whole = not worker.is_at_work and worker.process.returncode is None and worker.tasks < _TASKS
            if is_whole and not self._is_closed:
                self._idle.append(worker)
            else:
                await self._end(worker)
        finally:
            self._free.release()

    async def close(self) -> None:
        """End all processes: those that wait, those at work and those that are being started."""
        self._is_closed = True
        for task in tuple(self._starting):
            task.cancel()
            with suppress(asyncio.CancelledError, Exception):
                await task
        self._idle.clear()
        await asyncio.gather(*(self._end(worker) for worker in tuple(self._alive)))
        await asyncio.gather(*self._endings)
