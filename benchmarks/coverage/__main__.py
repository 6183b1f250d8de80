"""`make coverage`: simulate or enumerate the coverage of every kind of interval, and write the pages that show it.

A run that was stopped is taken up where it was. With kinds of intervals as arguments, only these are done again.
"""

from __future__ import annotations

import argparse
import os
import time
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from typing import Any

from benchmarks.coverage.grid import KINDS, situations
from benchmarks.coverage.results import PARTIAL, Row, finish, keep, key, load

# With few data sets, the lowest of many numbers is mostly noise: situations below DOUBTFUL are simulated again, with
# AGAIN times as many new data sets, and the new numbers count. (A quick run has too few to tell which these are.)
DOUBTFUL, AGAIN, SOME, MANY = 0.92, 5, 300, 1000
BESIDE_OTHERS = ("methods", "peers", "peers, difference")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.coverage", description=__doc__)
    parser.add_argument("kinds", nargs="*", metavar="KIND", help=f"only these: {', '.join(map(repr, KINDS))}")
    parser.add_argument("--page", action="store_true", help="only write the pages from the last results")
    parser.add_argument("--times", type=int, default=1, help="how many times as many data sets as usual")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    chosen = parser.parse_args()
    for kind in chosen.kinds:
        if kind not in KINDS:
            parser.error(f"{kind!r} is not a kind of interval: use {', '.join(map(repr, KINDS))}")
    if not chosen.page:
        finish(_all(chosen.kinds or list(KINDS), chosen.processes, chosen.times))
    from benchmarks.coverage.pages import write_pages

    write_pages()


def simulated(kind: str, situation: Row) -> Row:
    """Return what is found in one situation, and how many processor seconds it took."""
    start = time.process_time()
    found = KINDS[kind](**situation)
    if kind not in BESIDE_OTHERS and SOME <= situation.get("datasets", 0) < MANY and lowest(found) < DOUBTFUL:
        more = {"datasets": AGAIN * situation["datasets"], "seed": situation["seed"] + 1000}
        found = KINDS[kind](**{**situation, **more})
    return {"kind": kind, "situation": situation, "found": found, "seconds": round(time.process_time() - start, 2)}


def lowest(found: Row) -> float:
    """Return the lowest coverage of the interval that users get, over measures; 1 where there is no interval."""
    shown = next((found[x] for x in ("default", "honest") if x in found), found)
    return float(min(shown.get("coverage", {}).values(), default=1.0))


def _all(kinds: list[str], processes: int, times: int) -> list[Row]:
    wanted = {key(kind, x): (kind, x) for kind in kinds for x in situations(kind, times)}
    known = {key(row["kind"], row["situation"]): row for row in load(PARTIAL)}
    known = {name: row for name, row in known.items() if name in wanted}
    with ProcessPoolExecutor(processes) as pool:
        todo: list[Future[Any]] = [pool.submit(simulated, *one) for name, one in wanted.items() if name not in known]
        for done, job in enumerate(as_completed(todo), 1):
            row = job.result()
            keep(row)
            known[key(row["kind"], row["situation"])] = row
            if done % 20 == 0 or done == len(todo):
                print(f"{done} of {len(todo)} situations: {row['kind']}", flush=True)
    others = [row for row in load() if row["kind"] not in kinds]
    rows = [known[name] for name in wanted]
    order = list(KINDS)
    return sorted([*others, *rows], key=lambda row: order.index(row["kind"]))


if __name__ == "__main__":
    main()
