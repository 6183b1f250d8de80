"""`python -m tests.fuzz [--seconds 60] [--files N] [--seed 0]`: evaluate damaged files of every format for a while.

Every file gives a result, or an error in one line. A traceback, a warning or a crash is a finding: the file is kept.
The files are read in another process, so that a crash is seen and not suffered.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from random import Random

from tests.fuzz.damage import damaged, seeds

_BATCH = 100  # files that one process reads


def fuzzed(seconds: float, files: int | None, seed: int, kept: Path) -> tuple[int, list[str]]:
    """How many files were read, and what was found, in words."""
    end, number, findings = time.monotonic() + seconds, 0, list[str]()
    while time.monotonic() < end and (files is None or number < files):
        size = _BATCH if files is None else min(_BATCH, files - number)
        with tempfile.TemporaryDirectory() as folder:
            batch = _batch(Path(folder), size, seed, number)
            findings += _read(batch, kept)
        number += size
    return number, findings


def _batch(folder: Path, size: int, seed: int, first: int) -> list[Path]:
    """Damaged files, each made from the seed and its number alone."""
    paths = []
    for k in range(first, first + size):
        rng = Random(f"{seed} {k}")
        whole = seeds(rng)
        name = sorted(whole)[k % len(whole)]
        paths.append(folder / f"{seed}-{k} {name}")
        paths[-1].write_bytes(damaged(whole[name], rng))
    return paths


def _read(batch: list[Path], kept: Path) -> list[str]:
    """What is wrong with how a batch was read; the process that reads names each file before it reads it."""
    left, findings = batch, list[str]()
    while left:
        command = [sys.executable, "-W", "error", "-m", "tests.fuzz.reading", *map(str, left)]
        run = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False, timeout=600)
        lines = run.stdout.splitlines()
        findings += [_keep(Path(x.split("\t")[1]), x.split("\t")[2], kept) for x in lines if x.startswith("wrong\t")]
        if run.returncode == 0:
            return findings
        begun = [x.removeprefix("begun\t") for x in lines if x.startswith("begun\t")]
        if not begun:
            return [*findings, f"the reading process ended with status {run.returncode}: {run.stderr[-500:]}"]
        findings.append(_keep(Path(begun[-1]), f"crash, status {run.returncode}: {run.stderr[-300:]}", kept))
        left = left[len(begun) :]
    return findings


def _keep(path: Path, what: str, kept: Path) -> str:
    kept.mkdir(parents=True, exist_ok=True)
    copy = kept / path.name
    copy.write_bytes(path.read_bytes())
    return f"{copy}: {what}"


def main() -> None:
    """Fuzz, and say what was found."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--seconds", type=float, default=60, help="How long to go on (60).")
    parser.add_argument("--files", type=int, help="How many files at most.")
    parser.add_argument("--seed", type=int, default=0, help="Random seed (0).")
    parser.add_argument(
        "--keep", type=Path, default=Path("fuzz-findings"), help="Folder for files that break something."
    )
    asked = parser.parse_args()
    number, findings = fuzzed(asked.seconds, asked.files, asked.seed, asked.keep)
    for finding in findings:
        print(finding)
    print(f"{number:,} damaged files were read, and {len(findings)} were not handled.")
    sys.exit(bool(findings))


if __name__ == "__main__":
    main()
