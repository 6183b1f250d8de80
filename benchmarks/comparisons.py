"""W11: comparing 100 systems on a million items, against an earlier version in a process of its own."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from benchmarks.earlier import ROOT, checked_out, environment
from benchmarks.timing import Row

BEFORE = "b96c881"  # before tests and intervals of differences were made to agree
CLASSES = (2, 10)
REPEATS = 3
CODE = """
import sys, time
import numpy as np
import goodmeasure as gm
rng, n, m = np.random.default_rng(0), 1_000_000, int(sys.argv[1])
true = rng.integers(0, m, n).astype(np.int8)
said = {f"S{k}": np.where(rng.random(n) < 0.7 + 0.002 * k, true, rng.integers(0, m, n)).astype(np.int8)
        for k in range(100)}
gm.compare(true[:200], {name: x[:200] for name, x in list(said.items())[:3]})  # what is imported on the way
start = time.process_time()
gm.compare(true, said)
print(time.process_time() - start)
"""


def rows() -> list[Row]:
    with checked_out(BEFORE) as before:
        trees = {"goodmeasure": ROOT, **({} if before is None else {f"goodmeasure at {BEFORE}": before})}
        return [_row(m, trees) for m in CLASSES]


def _row(m: int, trees: dict[str, Path]) -> Row:
    """Return the least process time of each version, which take turns."""
    best = dict.fromkeys(trees, float("inf"))
    for _ in range(REPEATS):
        for name, tree in trees.items():
            command = [sys.executable, "-c", CODE, str(m)]
            done = subprocess.run(command, env=environment(tree), capture_output=True, text=True, check=True)
            best[name] = min(best[name], float(done.stdout))
    work = f"compare 100 systems on 1,000,000 items of {m} classes, all recommended measures"
    return Row(f"W11 m={m}", work, best, at_least=dict.fromkeys(list(trees)[1:], 0.95))  # 1 but for noise
