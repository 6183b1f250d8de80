"""Processes for long work are ended and waited for, however the questions end."""

import asyncio
import gc
import warnings

import pytest

from goodmeasure.web.workers import Busy, Workers

_LONG = {"measure": "macro(mcc)", "classes": 3, "domain": "all", "properties": None}


async def _asked(workers):
    async for _ in workers.replies("check", _LONG, 60):
        pass


async def _cancelled(task, times):
    """Cancel a task as often as told: the client goes, and then the server stops waiting for it."""
    for _ in range(times):
        task.cancel()
        await asyncio.sleep(0)


@pytest.mark.parametrize("times", [1, 2, 3])
@pytest.mark.parametrize("seconds", [0.0, 0.02, None], ids=["not yet begun", "starting", "at work"])
def test_no_process_outlives_the_event_loop(seconds, times):
    alive = []

    async def asked_and_left():
        workers = Workers()
        task = asyncio.create_task(_asked(workers))
        await asyncio.sleep(seconds or 0)
        while seconds is None and not workers._alive:
            await asyncio.sleep(0.02)
        alive.extend(workers._alive)
        assert not task.done()
        await _cancelled(task, times)
        await workers.close()
        assert not workers._alive
        assert not workers._starting
        await asyncio.gather(task, return_exceptions=True)

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        asyncio.run(asked_and_left())
        gc.collect()
    assert all(worker.process.returncode is not None for worker in alive)
    assert bool(alive) == (seconds is None)


def test_a_process_whose_asker_left_serves_the_next_question():
    async def asked_twice():
        workers = Workers()
        task = asyncio.create_task(_asked(workers))
        await asyncio.sleep(0.02)
        await _cancelled(task, 1)
        while workers._starting:
            await asyncio.sleep(0.05)
        kept = set(workers._alive)
        async for _ in workers.replies("formula", {"text": "tp / n"}, 60):
            break
        assert kept
        assert workers._alive <= kept
        await workers.close()

    asyncio.run(asked_twice())


def test_no_more_processes_wait_than_may_work():
    async def many_left():
        workers = Workers(2)
        for _ in range(6):
            task = asyncio.create_task(_asked(workers))
            await asyncio.sleep(0.01)
            await _cancelled(task, 1)
        while workers._starting or workers._endings:
            await asyncio.sleep(0.05)
        assert 1 <= len(workers._idle) <= 2
        assert set(workers._idle) == workers._alive
        await workers.close()
        with pytest.raises(Busy):
            await _asked(workers)

    asyncio.run(many_left())
