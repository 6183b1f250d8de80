"""Many clients at once are all answered; how fast is measured by `python -m benchmarks.explore_load`."""

from __future__ import annotations

import asyncio
import random

from benchmarks.explore_load import asked, body
from tests.web.page.explorer import served


async def one(port, seed):
    draw = random.Random(seed)
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    kinds = ["prevalence", "move", "values", "evaluate"]
    found = [await asked(reader, writer, kind, body(kind, draw)) for kind in draw.sample(kinds, 3)]
    writer.close()
    await writer.wait_closed()
    return found


async def crowd(port):
    return await asyncio.gather(*(one(port, k) for k in range(60)))


def test_sixty_clients_at_once_are_all_answered():
    with served() as address:
        found = asyncio.run(crowd(int(address.split(":")[2].strip("/"))))
    assert found == [[200, 200, 200]] * 60
