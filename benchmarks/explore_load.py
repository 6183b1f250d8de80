"""`python -m benchmarks.explore_load`: many people move sliders at once, and memory after many requests.

The page computes what a moving slider shows, so that it asks nothing meanwhile. It asks when the slider has come to
rest and its matrix is used: for the scorecard of the new matrix, what trivial classifiers would score, and what must
change for a measure to reach a target. Each client does so again and again, with a pause in which its slider moves.
Prints how many requests were answered, errors, and the quantiles of the waiting time.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import re
import subprocess
import sys
import time
from pathlib import Path

PAUSE = 1.0  # seconds for which a slider is moved, before its matrix is used
SCORECARD, TRIVIAL, TARGET = "evaluate", "baselines", "reach"
KINDS = (SCORECARD, TRIVIAL, TARGET)


def body(kind: str, draw: random.Random) -> dict:
    """Return what a page asks about the matrix at which a slider has come to rest."""
    matrix = {"labels": ["ham", "spam"], "counts": [[draw.randint(1, 500) for _ in range(2)] for _ in range(2)]}
    return {"matrix": matrix, **({"measure": "mcc", "target": 0.9} if kind == TARGET else {})}


async def asked(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, kind: str, data: dict) -> int:
    """Send one request on an open connection and return the status of its answer."""
    content = json.dumps(data).encode()
    head = f"POST /api/{kind} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
    writer.write(f"{head}Content-Length: {len(content)}\r\n\r\n".encode() + content)
    await writer.drain()
    answer = await reader.readuntil(b"\r\n\r\n")
    status = int(answer[9:12])
    length = next(int(x.split(b":")[1]) for x in answer.split(b"\r\n") if x.lower().startswith(b"content-length"))
    await reader.readexactly(length)
    return status


class Crowd:
    """Clients that move sliders, and what they met."""

    def __init__(self, port: int, seconds: float, pause: float) -> None:
        self.port, self.pause, self.until = port, pause, time.monotonic() + seconds
        self.waits: list[float] = []
        self.statuses: list[int] = []

    async def run(self, clients: int) -> None:
        await asyncio.gather(*(self._client(k) for k in range(clients)))

    async def _client(self, seed: int) -> None:
        draw = random.Random(seed)
        await asyncio.sleep(draw.random() * self.pause)
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        while time.monotonic() < self.until:
            for kind in KINDS:
                start = time.perf_counter()
                self.statuses.append(await asked(reader, writer, kind, body(kind, draw)))
                self.waits.append(time.perf_counter() - start)
            await asyncio.sleep(self.pause)
        writer.close()

    def told(self) -> str:
        """Return what the clients met, in words."""
        waits = sorted(self.waits)
        quantiles = ", ".join(f"{q:.0%} {1000 * waits[int(q * (len(waits) - 1))]:.0f} ms" for q in (0.5, 0.95, 0.99, 1))
        return f"{len(waits):,} answers, {sum(x != 200 for x in self.statuses)} errors; {quantiles}"


async def one_after_another(port: int, requests: int) -> None:
    """Send so many requests, each after the answer to the one before."""
    draw = random.Random(0)
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    for k in range(requests):
        kind = KINDS[k % len(KINDS)]
        assert await asked(reader, writer, kind, body(kind, draw)) == 200
    writer.close()


def memory(pid: int) -> float:
    """Return the resident memory of a process in MB."""
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * 4096 / 1e6


def processor_seconds(pid: int) -> float:
    """Return how long a process has used a processor."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def started() -> tuple[subprocess.Popen[str], int]:
    """Return the server and its port, once it answers."""
    command = [sys.executable, "-m", "goodmeasure.cli", "explore", "--no-browser", "--port", "0"]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert server.stdout is not None
    while not (found := re.search(r"127\.0\.0\.1:(\d+)/", server.stdout.readline())):
        assert server.poll() is None
    return server, int(found[1])


def main() -> None:
    """Run the crowd, then the long row of requests, and print what came out."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--clients", type=int, default=200)
    options.add_argument("--seconds", type=float, default=30.0)
    options.add_argument("--requests", type=int, default=10_000)
    options.add_argument("--pause", type=float, default=PAUSE)
    given = options.parse_args()
    server, port = started()
    try:
        asyncio.run(one_after_another(port, 200))
        before = processor_seconds(server.pid)
        crowd = Crowd(port, given.seconds, given.pause)
        asyncio.run(crowd.run(given.clients))
        each = (processor_seconds(server.pid) - before) / max(1, len(crowd.waits))
        print(f"{given.clients} clients, {given.seconds:g} s: {crowd.told()}", flush=True)
        print(f"processor time of the server: {1000 * each:.2f} ms for each answer", flush=True)
        sizes, before, start = [memory(server.pid)], processor_seconds(server.pid), time.perf_counter()
        for _ in range(10):
            asyncio.run(one_after_another(port, given.requests // 10))
            sizes.append(memory(server.pid))
        wait, each = time.perf_counter() - start, processor_seconds(server.pid) - before
        print(f"{given.requests:,} requests one after another: {1000 * wait / given.requests:.1f} ms each, "
              f"{1000 * each / given.requests:.1f} ms of processor time")  # fmt: skip
        print(f"memory meanwhile: {', '.join(f'{x:.1f}' for x in sizes)} MB")
    finally:
        server.terminate()
        server.wait()


if __name__ == "__main__":
    main()
