"""Ask the checkers in Coq for every theorem of the export, and list those that they do not decide.

`python coq/find_open.py --classes 2` tries all theorems about two classes again, or those of the measures that are
named, and writes their part of `coq_open.txt` anew. Each theorem may take `--limit` seconds by the clock.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from goodmeasure.theory.atlas.atlas import stored
from goodmeasure.theory.proofs.coq_export import (
    HEAD,
    OPEN,
    Exported,
    ExportedForEvery,
    exported,
    exported_for_every,
    open_theorems,
)

HERE = Path(__file__).resolve().parent


def undecided(measure: Exported | ExportedForEvery, limit: int) -> tuple[set[str], set[str], float]:
    """Return the keys of all theorems of a measure, of those that are not decided, and the seconds of CPU."""
    theorems = [*measure.examples(), *measure.theorems()]
    tries = [
        f"Goal {x.claim.says}.\n"
        f'time "it" (first [timeout {limit} (apply ({x.claim.proof}); vm_compute; reflexivity); idtac "{k} yes"'
        f' | idtac "{k} no"]). Abort.\n'
        for k, x in enumerate(theorems)
    ]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "Asked.v"
        path.write_text(HEAD + measure.definitions() + "".join(tries), encoding="utf-8")
        run = subprocess.run(
            ["coqc", "-Q", str(HERE), "Goodmeasure", str(path)], capture_output=True, text=True, check=False
        )
    if run.returncode:
        print(measure.name, run.stderr)
    found = {int(k) for k in re.findall(r"^(\d+) yes$", run.stdout, re.MULTILINE)}
    seconds = sum(map(float, re.findall(r"\(([\d.]+)u,", run.stdout)))
    return {x.key for x in theorems}, {x.key for k, x in enumerate(theorems) if k not in found}, seconds


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("measures", nargs="*", metavar="MEASURE")
    parser.add_argument("--classes", choices=["2", "3", "every"], required=True)
    parser.add_argument("--limit", type=int, default=20, metavar="SECONDS")
    parser.add_argument("--processes", type=int, default=2)
    options = parser.parse_args()
    atlas = stored()
    every = exported_for_every(atlas) if options.classes == "every" else exported(atlas, int(options.classes))
    tried = [x for x in every if not options.measures or x.measure.name in options.measures]
    with ThreadPoolExecutor(options.processes) as pool:
        for x, (asked, left, seconds) in zip(
            tried, pool.map(lambda x: undecided(x, options.limit), tried), strict=True
        ):
            known = (open_theorems() - asked) | left
            OPEN.write_text("".join(f"{key}\n" for key in sorted(known)), encoding="utf-8")
            print(
                f"{x.name}: {len(asked) - len(left)} of {len(asked)}, {seconds:.1f} s",
                *sorted(left),
                sep="\n  ",
                flush=True,
            )


if __name__ == "__main__":
    main()
