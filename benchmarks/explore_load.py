"""`python -m benchmarks.explore_load`: many people move sliders at once, and memory after many requests.

Each client sends a request, waits for the answer, and moves on after a short pause, as a page does that asks again
while a slider is dragged. Prints how many requests were answered, errors, and the quantiles of the waiting time.
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

PAUSE = 0.1  # seconds between an answer and the next question of a client
MIXED = (*("prevalence", "move", "values") * 3, "evaluate")  # the scorecard is asked for when a slider comes to rest


def body(kind: str, draw: random.Random) -> dict:
    """Return what a page asks while somebody drags a slider."""
    counts = [[draw.randint(1, 500) for _ in range(2)] for _ in range(2)]
    matrix = {"labels": ["ham", "spam"], "counts": counts}
    if kind == "prevalence":
        return {"matrix": matrix, "points": 51}
    if kind == "move":
        return {"matrix": matrix, "from": [1, 0], "to": [1, 1]}
    if kind == "values":
        return {"matrices": [counts], "measures": ["mcc", "f1", "accuracy", "kappa"]}
    return {"matrix": matrix}


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


async def client(port: int, until: float, seed: int, waits: list[float], statuses: list[int], pause: float) -> None:
    """Move sliders until the time is over."""
    draw = random.Random(seed)
    await asyncio.sleep(draw.random() * pause)
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    while time.monotonic() < until:
        kind = draw.choice(MIXED)
        start = time.perf_counter()
        statuses.append(await asked(reader, writer, kind, body(kind, draw)))
        waits.append(time.perf_counter() - start)
        await asyncio.sleep(pause)
    writer.close()


async def crowd(port: int, clients: int, seconds: float, pause: float) -> tuple[list[float], list[int]]:
    """Return the waiting times and statuses of all requests of a crowd of clients."""
    waits: list[float] = []
    statuses: list[int] = []
    until = time.monotonic() + seconds
    await asyncio.gather(*(client(port, until, k, waits, statuses, pause) for k in range(clients)))
    return waits, statuses


async def many(port: int, requests: int) -> None:
    """Send so many requests one after another."""
    draw = random.Random(0)
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    for _ in range(requests):
        kind = draw.choice(MIXED)
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
        asyncio.run(many(port, 200))
        before = processor_seconds(server.pid)
        waits, statuses = asyncio.run(crowd(port, given.clients, given.seconds, given.pause))
        each = (processor_seconds(server.pid) - before) / max(1, len(waits))
        waits.sort()
        quantiles = ", ".join(f"{q:.0%} {1000 * waits[int(q * (len(waits) - 1))]:.0f} ms" for q in (0.5, 0.95, 0.99, 1))
        wrong = sum(x != 200 for x in statuses)
        print(f"{given.clients} clients, {given.seconds:g} s: {len(waits):,} answers, {wrong} errors; {quantiles}")
        print(f"processor time of the server: {1000 * each:.2f} ms for each answer")
        sizes = [memory(server.pid)]
        for _ in range(10):
            asyncio.run(many(port, given.requests // 10))
            sizes.append(memory(server.pid))
        print(f"memory over {given.requests:,} requests: {', '.join(f'{x:.1f}' for x in sizes)} MB")
    finally:
        server.terminate()
        server.wait()


if __name__ == "__main__":
    main()
