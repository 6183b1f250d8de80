"""`python -m tests.fuzz [--only files|proofs|atlas] [--seconds 60] [--seed 0]`: attack the package for a while.

**Files**: damaged files of every format are evaluated. Every file gives a result, or an error in one line. A traceback,
a warning or a crash is a finding: the file is kept. The files are read in another process, so that a crash is seen and
not suffered. **Proofs**: what is proved about random definitions is attacked by counterexamples, and certificates are
damaged (`proofs.py`). **Atlas**: every stored verdict is compared with brute force, however long that takes.
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
from tests.fuzz.proofs import fuzzed_proofs
from tests.theory.atlas_by_brute_force import disagreements, tasks
from tests.theory.brute_force import PROPERTIES

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


def _files(asked: argparse.Namespace) -> bool:
    number, findings = fuzzed(asked.seconds, asked.files, asked.seed, asked.keep)
    for finding in findings:
        print(finding)
    print(f"{number:,} damaged files were read, and {len(findings)} were not handled.")
    return bool(findings)


def _proofs(asked: argparse.Namespace) -> bool:
    tally = fuzzed_proofs(asked.seconds, asked.definitions, asked.seed)
    for finding in tally.findings:
        print(finding, end="\n\n")
    print(tally.says())
    return bool(tally.findings)


def _atlas(asked: argparse.Namespace) -> bool:
    found, wrong = tasks(), list[str]()
    for task in found:
        wrong += disagreements(task)
    print(*wrong, sep="\n", end="\n" if wrong else "")
    cells = sum(cell["property"] in PROPERTIES for task in found for cell in task.cells)
    print(f"{cells:,} verdicts of the atlas were compared with brute force, and {len(wrong)} disagree.")
    return bool(wrong)


PARTS = {"files": _files, "proofs": _proofs, "atlas": _atlas}


def main() -> None:
    """Fuzz, and say what was found."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--only", choices=PARTS, help="Part to run (all).")
    parser.add_argument("--seconds", type=float, default=60, help="How long to go on with files, and with proofs (60).")
    parser.add_argument("--files", type=int, help="How many files at most.")
    parser.add_argument("--definitions", type=int, help="How many definitions at most.")
    parser.add_argument("--seed", type=int, default=0, help="Random seed (0).")
    parser.add_argument(
        "--keep", type=Path, default=Path("fuzz-findings"), help="Folder for files that break something."
    )
    asked = parser.parse_args()
    found = [part(asked) for name, part in PARTS.items() if asked.only in (None, name)]
    sys.exit(any(found))


if __name__ == "__main__":
    main()
