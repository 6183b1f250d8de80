"""Many clients at once are all answered; how fast is measured by `python -m benchmarks.explore_load`."""

from __future__ import annotations

import asyncio
import random
import socket

from benchmarks.explore_load import KINDS, asked, body
from goodmeasure.web.server import listening
from goodmeasure.web.together import Together
from tests.web.page.explorer import served


async def one(port, seed):
    draw = random.Random(seed)
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    found = [await asked(reader, writer, kind, body(kind, draw)) for kind in draw.sample(KINDS, 3)]
    writer.close()
    await writer.wait_closed()
    return found


async def crowd(port):
    return await asyncio.gather(*(one(port, k) for k in range(60)))


def test_sixty_clients_at_once_are_all_answered():
    with served() as address:
        found = asyncio.run(crowd(int(address.split(":")[2].strip("/"))))
    assert found == [[200, 200, 200]] * 60


def test_answers_are_sent_at_once():
    """asyncio turns off the delay of small packets only for sockets that name their protocol."""
    with listening("127.0.0.1", 0) as found:
        assert found.proto == socket.IPPROTO_TCP


def doubled(questions):
    """Twice each question, if there is no 3 among them; how many came together is noted."""
    doubled.sizes.append(len(questions))
    if 3 in questions:
        raise ZeroDivisionError
    return [2 * x for x in questions]


async def answered(questions):
    together = Together(doubled)
    return await asyncio.gather(*(together.answer(x) for x in questions), return_exceptions=True)


def test_questions_that_wait_are_answered_together():
    doubled.sizes = []
    assert asyncio.run(answered(range(4, 124))) == [2 * x for x in range(4, 124)]
    assert doubled.sizes == [50, 50, 20]


def test_a_question_that_fails_does_not_concern_those_that_came_with_it():
    doubled.sizes = []
    found = asyncio.run(answered(range(6)))
    assert [x for x in found if not isinstance(x, Exception)] == [0, 2, 4, 8, 10]
    assert isinstance(found[3], ZeroDivisionError)


async def one_has_gone():
    together = Together(doubled)
    waiting = [asyncio.ensure_future(together.answer(x)) for x in (1, 2)]
    await asyncio.sleep(0)
    waiting[0].cancel()
    return await waiting[1]


def test_whoever_goes_is_not_waited_for():
    doubled.sizes = []
    assert asyncio.run(one_has_gone()) == 4
    assert doubled.sizes == [1]
