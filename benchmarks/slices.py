"""W12: slices evaluated and shown, against an earlier version in a process of its own."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks.earlier import ROOT, checked_out, environment
from benchmarks.timing import Row

BEFORE = "a20db8f"  # before slices were compared as one batch
REPEATS = 2
HEAD = """
import os, sys, time
import numpy as np
import goodmeasure as gm
rng = np.random.default_rng(0)
def labels(n, m, systems=1):
    true = rng.integers(0, m, n)
    return true, {f"S{k}": np.where(rng.random(n) < 0.8, true, rng.integers(0, m, n)) for k in range(systems)}
def first():  # what is imported on the way
    true, said = labels(60, 3)
    result = gm.evaluate(true, said["S0"], by={"site": rng.integers(0, 3, 60)})
    str(result), result.to_html()
first()
"""
TIMED = """
start = time.process_time()
shown(gm.evaluate(true, said, **more))
print(time.process_time() - start)
"""
PATIENTS = """
n = 1797
true, said = labels(n, 10)
more = {"by": {"region": rng.integers(0, 3, n), "age": rng.integers(0, 3, n)}, "groups": rng.integers(0, 300, n),
        "sample_weight": rng.uniform(0.5, 2, n)}
shown = str
"""
SYSTEMS = """
true, said = labels(1000, 20, 4)
more = {"by": {"site": rng.integers(0, 10, 1000)}}
shown = str
"""
CLASSES = """
true, said = labels(450, 50, 5)
more = {"by": {"site": rng.integers(0, 30, 450)}, "measures": ["accuracy", "mcc"]}
shown = lambda result: result.to_html()
"""
SITES = """
true, said = labels(50_000, 3)
sites = rng.integers(0, 1000, 50_000)
np.savetxt("sites.csv", np.stack([true, said["S0"], sites], 1), "%d", ",", header="label,pred,site", comments="")
import subprocess
before = os.times()
subprocess.run([sys.executable, "-m", "goodmeasure.cli", "evaluate", "sites.csv", "--by", "site", "--no-report"],
               check=True, stdout=subprocess.DEVNULL)
after = os.times()
print(after.children_user + after.children_system - before.children_user - before.children_system)
"""
# What is done, how, and how many times as long the earlier version should take
WORK = {
    "patients": ("1,797 items, 10 classes, 15 slices, with groups and weights, printed", PATIENTS + TIMED, 5),
    "systems": ("1,000 items, 20 classes, 10 slices, 4 systems, printed", SYSTEMS + TIMED, 3),
    "classes": ("450 items, 50 classes, 30 slices, 5 systems, 2 measures, as HTML", CLASSES + TIMED, 15),
    "sites": ("50,000 items, 3 classes, 1,000 slices, through the command line with its imports", SITES, 8),
}


def rows() -> list[Row]:
    with checked_out(BEFORE) as before, tempfile.TemporaryDirectory() as folder:
        trees = {"goodmeasure": ROOT, **({} if before is None else {f"goodmeasure at {BEFORE}": before})}
        return [_row(name, trees, Path(folder)) for name in WORK]


def _row(name: str, trees: dict[str, Path], folder: Path) -> Row:
    """Return the least process time of each version, which take turns."""
    work, code, aim = WORK[name]
    best = dict.fromkeys(trees, float("inf"))
    for _ in range(REPEATS):
        for version, tree in trees.items():
            command = [sys.executable, "-c", HEAD + code]
            done = subprocess.run(
                command, env=environment(tree), cwd=folder, capture_output=True, text=True, check=True
            )
            best[version] = min(best[version], float(done.stdout))
    return Row(f"W12 {name}", work, best, at_least=dict.fromkeys(list(trees)[1:], aim))
