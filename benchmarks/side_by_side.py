"""`make bench-against REVISION=...`: the same work by this version and by an earlier one, which take turns.

Each version runs in a process of its own, and each piece of work is Python code that both understand. The processes
are asked in turn, so that a busy moment of the machine hits both, and the least process time of each counts.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from benchmarks.earlier import ROOT, checked_out, environment
from benchmarks.timing import unit

SLOWER = 1.1  # ratios between 1 / SLOWER and SLOWER are noise on most machines

LABELS = """
rng = np.random.default_rng(0)
def labels(n, m, right=0.8):
    true = rng.integers(0, m, n)
    return true, np.where(rng.random(n) < right, true, rng.integers(0, m, n))
"""

# Name: (what is prepared, what is timed)
WORK: dict[str, tuple[str, str]] = {
    "gm.confusion, lists of 100 labels": ("y, p = (x.tolist() for x in labels(100, 3))", "gm.confusion(y, p)"),
    "gm.confusion, 10,000 strings": (
        "y, p = (np.array(['ham', 'spam', 'other'])[x] for x in labels(10_000, 3))",
        "gm.confusion(y, p)",
    ),
    "gm.confusion, a million labels, 2 classes": ("y, p = labels(1_000_000, 2)", "gm.confusion(y, p)"),
    "gm.confusion, a million labels, 10 classes": ("y, p = labels(1_000_000, 10)", "gm.confusion(y, p)"),
    "gm.confusion, a million labels, 1000 classes": ("y, p = labels(1_000_000, 1000)", "gm.confusion(y, p)"),
    "gm.confusion, a column of pandas": (
        "import pandas as pd; y, p = (pd.Series(x).astype(str) for x in labels(100_000, 3))",
        "gm.confusion(y, p)",
    ),
    "gm.mcc, lists of 100 labels": ("y, p = (x.tolist() for x in labels(100, 3))", "gm.mcc(y, p)"),
    "gm.mcc, a matrix": ("cm = gm.ConfusionMatrix([[50, 3], [4, 20]])", "gm.mcc(cm)"),
    "gm.f1, a matrix": ("cm = gm.ConfusionMatrix([[50, 3], [4, 20]])", "gm.f1(cm)"),
    "gm.macro(gm.f1), a matrix": ("cm = gm.ConfusionMatrix([[50, 3], [4, 20]]); f = gm.macro(gm.f1)", "f(cm)"),
    "gm.mcc, an array": ("cm = np.array([[50, 3], [4, 20]])", "gm.mcc(cm)"),
    "gm.mcc.exact": ("cm = gm.ConfusionMatrix([[50, 3, 1], [4, 20, 2], [1, 1, 7]])", "gm.mcc.exact(cm)"),
    "gm.mcc, 100,000 matrices of 2 classes": ("x = rng.integers(0, 50, (100_000, 2, 2))", "gm.mcc(x)"),
    "gm.macro(gm.f1), 100,000 matrices of 2 classes": (
        "x, f = rng.integers(0, 50, (100_000, 2, 2)), gm.macro(gm.f1)",
        "f(x)",
    ),
    "ten measures, 10,000 matrices of 10 classes": (
        "x = rng.integers(0, 50, (10_000, 10, 10)); names = 'accuracy', 'balanced_accuracy', 'sba', 'kappa', 'mcc',"
        "'macro(f1)', 'macro(jaccard)', 'weighted(f1)', 'macro(precision)', 'k'; fs = [gm.measure(x) for x in names]",
        "[f(x) for f in fs]",
    ),
    "gm.evaluate, 10,000 items, 2 classes": ("y, p = labels(10_000, 2)", "gm.evaluate(y, p).table"),
    "gm.evaluate, 10,000 items, 10 classes": ("y, p = labels(10_000, 10)", "gm.evaluate(y, p).table"),
    "gm.evaluate, three systems by slice": (
        "import pandas as pd; y, p = labels(10_000, 3)\n"
        "frame = pd.DataFrame(dict(y=y, a=p, b=labels(10_000, 3)[1], c=y, where=rng.choice(list('abc'), 10_000)))",
        "gm.evaluate(frame, y_true='y', y_pred=['a', 'b', 'c'], by='where').table",
    ),
    "gm.compare, three systems, 1,000 items, 2 classes": (
        "y, p = labels(1000, 2); s = {'a': p, 'b': np.where(rng.random(1000) < .7, y, 1 - y), 'c': 1 - y}",
        "gm.compare(y, s)",
    ),
    "gm.compare, three systems, 100,000 items, 10 classes": (
        "y, p = labels(100_000, 10); s = {'a': p, 'b': np.where(rng.random(100_000) < .7, y, 0), 'c': (y + 1) % 10}",
        "gm.compare(y, s)",
    ),
    "gm.sweep, a million scores": (
        "y = rng.integers(0, 2, 1_000_000); s = np.clip(y * .3 + rng.random(1_000_000) * .7, 0, 1)",
        "gm.sweep(y, s).best('mcc')",
    ),
    "gm.disagreement, 20 matrices": (
        "x = [gm.ConfusionMatrix(rng.integers(0, 50, (3, 3))) for _ in range(20)]",
        "gm.disagreement(['accuracy', 'mcc', 'kappa', 'macro(f1)'], x).rates",
    ),
    "gm.distinguish, n = 8": ("", "gm.distinguish(['accuracy', 'mcc', 'kappa', 'f1', 'jaccard', 'sba'], 8).groups"),
    "gm.check, accuracy, two classes": ("", "gm.check(gm.accuracy)"),
    "gm.check, mcc, two classes": ("", "gm.check(gm.mcc)"),
    "gm.recommend": ("", "gm.recommend(classes=3, needs=['monotone'])"),
    "Result.to_html, the second of a process": (
        "y, p = labels(2000, 5)\nfrom dataclasses import replace\nr = gm.evaluate(y, p); r.to_html()",
        "replace(r).to_html()",
    ),
}

# Commands run in a process of their own each time, with all that they import.
COMMANDS: dict[str, list[str]] = {
    "goodmeasure demo": ["-m", "goodmeasure.cli", "demo"],
    "goodmeasure evaluate, one system": ["-m", "goodmeasure.cli", "evaluate", "FILE", "--true", "y", "--pred", "a"],
    "goodmeasure evaluate, three systems": [
        *("-m", "goodmeasure.cli", "evaluate", "FILE", "--true", "y"),
        *("--pred", "a", "--pred", "b", "--pred", "c"),
    ],
    "import goodmeasure": ["-c", "import goodmeasure"],
}

WORKER = f"""
import json, sys, time, warnings
warnings.simplefilter("ignore")
import numpy as np
import goodmeasure as gm
{LABELS}
out, sys.stdout = sys.stdout, sys.stderr
for line in sys.stdin:
    before, work, seconds = json.loads(line)
    try:
        if before is not None:
            names = dict(globals(), rng=np.random.default_rng(0))
            exec(LABELS, names)
            exec(before, names)
        code = compile(work, "<work>", "exec")
        best, spent = float("inf"), 0.0
        while spent < seconds:
            # quick work is repeated within one reading of the clock
            times = 1 if best > 5e-3 else min(1000, int(5e-3 / best) + 1)
            start = time.process_time()
            for _ in range(times):
                exec(code, names)
            took = time.process_time() - start
            best, spent = min(best, took / times), spent + max(took, seconds / 50)
        answer = best
    except Exception as error:
        answer = f"{{type(error).__name__}}: {{error}}"
    print(json.dumps(answer), file=out, flush=True)
"""


class Version:
    """A process that imports one version, and does what it is asked to do."""

    def __init__(self, tree: Path) -> None:
        self.tree = tree
        code = f"LABELS = {LABELS!r}\n{WORKER}"
        self.process = subprocess.Popen(
            [sys.executable, "-c", code], env=environment(tree), stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, text=True,
        )  # fmt: skip

    def seconds(self, before: str | None, work: str, turn: float) -> float | str:
        """Return the least process time of some runs, or what went wrong; `before` is prepared first, if given."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(json.dumps([before, work, turn]) + "\n")
        self.process.stdin.flush()
        answer: float | str = json.loads(self.process.stdout.readline())
        return answer

    def close(self) -> None:
        """End the process."""
        self.process.communicate()


@contextmanager
def versions(revision: str) -> Iterator[dict[str, Version]]:
    """Give this version and the earlier one, each in a process, while the block runs."""
    with ExitStack() as stack:
        tree = stack.enter_context(checked_out(revision))
        if tree is None:
            sys.exit(f"the revision {revision!r} is not in the history of this checkout")
        found = {"now": Version(ROOT), "earlier": Version(tree)}
        for version in found.values():
            stack.callback(version.close)
        yield found


def timed(both: dict[str, Version], before: str, work: str, rounds: int, turn: float) -> dict[str, float | str]:
    """Return the least time of each version over all rounds, in which they take turns."""
    best: dict[str, Any] = dict.fromkeys(both, float("inf"))
    for k in range(rounds):
        for name, version in both.items():
            took = version.seconds(before if k == 0 else None, work, turn)
            best[name] = took if isinstance(took, str) or isinstance(best[name], str) else min(best[name], took)
    return best


def command_times(both: dict[str, Version], command: list[str], rounds: int, folder: Path) -> dict[str, float | str]:
    """Return the least process time of a command by each version, with its imports."""
    best: dict[str, Any] = dict.fromkeys(both, float("inf"))
    timing = "import os, subprocess, sys; r = subprocess.run(sys.argv[1:], capture_output=True); t = os.times();"
    timing += "print(r.returncode, t.children_user + t.children_system)"
    words = [str(folder / "p.csv") if word == "FILE" else word for word in command]
    for _ in range(rounds):
        for name, version in both.items():
            asked = [sys.executable, "-c", timing, sys.executable, *words]
            done = subprocess.run(
                asked, env=environment(version.tree), cwd=folder, capture_output=True, text=True, check=True
            )
            status, seconds = done.stdout.split()
            best[name] = min(best[name], float(seconds)) if status == "0" else f"exit status {status}"
    return best


def line(name: str, found: dict[str, float | str]) -> str:
    """Return a row of the table: what each version took, and their ratio."""
    now, earlier = found["now"], found["earlier"]
    if isinstance(now, str) or isinstance(earlier, str):
        shown = [x if isinstance(x, str) else unit(x) for x in (now, earlier)]
        return f"| {name} | {shown[0]} | {shown[1]} | |"
    ratio = now / earlier
    said = "slower" if ratio > SLOWER else "faster" if ratio < 1 / SLOWER else ""
    return f"| {name} | {unit(now)} | {unit(earlier)} | {ratio:.2f} {said}".rstrip() + " |"


def write_file(path: Path, rows: int) -> None:
    """Write predictions of three systems for `goodmeasure evaluate`."""
    import numpy as np

    rng = np.random.default_rng(0)
    y = rng.integers(0, 3, rows)
    systems = [np.where(rng.random(rows) < right, y, rng.integers(0, 3, rows)) for right in (0.8, 0.7, 0.6)]
    np.savetxt(path, np.stack([y, *systems], axis=1), fmt="%d", delimiter=",", header="y,a,b,c", comments="")


def main() -> None:
    import tempfile

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("revision", help="The earlier version, as git names it.")
    parser.add_argument("--only", default="", help="Only work whose name contains this text.")
    parser.add_argument("--rounds", type=int, default=5, help="How often each version has its turn.")
    parser.add_argument("--turn", type=float, default=0.4, help="Seconds of a turn.")
    parser.add_argument("--rows", type=int, default=1_000_000, help="Rows of the file that is evaluated.")
    options = parser.parse_args()
    print(f"| work | now | {options.revision} | now / {options.revision} |\n|---|---:|---:|---:|", flush=True)
    with versions(options.revision) as both, tempfile.TemporaryDirectory() as folder:
        for name, (before, work) in WORK.items():
            if options.only in name:
                print(line(name, timed(both, before, work, options.rounds, options.turn)), flush=True)
        write_file(Path(folder, "p.csv"), options.rows)
        for name, command in COMMANDS.items():
            if options.only in name:
                print(line(name, command_times(both, command, options.rounds, Path(folder))), flush=True)


if __name__ == "__main__":
    main()
