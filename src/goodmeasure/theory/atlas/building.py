"""Build the atlas: decide every statement for every measure, on several processes; an interrupted run can resume."""

from __future__ import annotations

import hashlib
import json
import math
import time
import warnings
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path

from goodmeasure.catalogue.literature import AVERAGES
from goodmeasure.catalogue.names import all_measures, measures
from goodmeasure.exceptions import UnverifiedProof
from goodmeasure.theory.atlas.atlas import Atlas, Cell, atlas, home, pack
from goodmeasure.theory.atlas.preservation import Preservation, preserves
from goodmeasure.theory.prove import cases
from goodmeasure.theory.statements.lookup import NINE, statements
from goodmeasure.theory.verify import readings

SEARCH_SECONDS = 12.0  # of processor time: the limit of a search, for each measure and statement
PROOF_SECONDS = 30.0  # the limit of one attempt at a proof, in processor time; the dearest that succeed take half of it
_ROOMS = ("language", "counts", "catalogue", "theory")


@dataclass(frozen=True)
class Task:
    """One measure with a number of classes and a domain; a task decides all its statements."""

    measure: str
    classes: int
    domain: str


def tasks() -> list[Task]:
    """Return what the atlas covers: two and three classes, on the domains "all" and "regular"."""
    return [Task(x.name, m, domain) for m in (2, 3) for domain in ("all", "regular") for x in measures(classes=m)]


def statements_of(task: Task) -> list[str]:
    """Return the names of the statements that are decided for a task."""
    return [x.name for x in statements(task.classes)]


def solve(task: Task) -> list[Cell]:
    """Return the verdicts of one task, as plain data; a proof that cannot be verified ends the build."""
    from goodmeasure.theory.check import check

    with warnings.catch_warnings():
        warnings.simplefilter("error", UnverifiedProof)
        report = check(
            task.measure,
            task.classes,
            task.domain,
            properties=statements_of(task),
            seconds=SEARCH_SECONDS,
            proof_seconds=PROOF_SECONDS,
        )
    return [x.to_json() for x in report.values()]


def build(
    output: Path,
    *,
    processes: int = 2,
    said: Callable[[int, int, Task | None], None] | None = None,
    only: Callable[[Task], bool] | None = None,
    keep: Atlas | None = None,
) -> float:
    """Build the atlas, write it to a file, and return the seconds that it took; an interrupted run is resumed.

    `only` selects the tasks; the verdicts of all other tasks are taken from the atlas `keep`, if one is given. Finished
    tasks are written to `output` + ".partial", one per line, after a digest of the source code. A partial file with
    another digest is discarded, since its verdicts may be out of date.
    """
    start = time.monotonic()
    wanted = [x for x in tasks() if only is None or only(x)]
    partial = output.with_name(output.name + ".partial")
    done = _resumed(partial)
    todo = [x for x in wanted if x not in done]
    with partial.open("a", encoding="utf-8") as log:
        for k, (task, cells) in enumerate(_solved(todo, processes)):
            done[task] = cells
            log.write(json.dumps([task.measure, task.classes, task.domain, cells], ensure_ascii=False) + "\n")
            log.flush()
            if said is not None:
                said(len(wanted) - len(todo) + k + 1, len(wanted), task)
    found = {**({} if keep is None else _kept(keep)), **{task: done[task] for task in wanted}}
    cells = [cell for task in _ordered([x for x in tasks() if x in found]) for cell in found[task]]
    whole = only is None or keep is not None
    about = {"digest": digest(), "averages": [x.to_json() for x in _averages()] if whole else []}
    output.write_bytes(pack(cells, about))
    partial.unlink()
    return time.monotonic() - start


def _kept(keep: Atlas) -> dict[Task, list[Cell]]:
    """Return the verdicts of an atlas by task."""
    found: dict[Task, list[Cell]] = {}
    for cell in keep.to_json():
        found.setdefault(Task(cell["measure"], cell["classes"], cell["domain"]), []).append(cell)
    return found


def _averages() -> list[Preservation]:
    """Return whether averaging preserves each of the nine properties, on the domains "regular" and "all"."""
    return [
        preserves(averaging, name, domain=domain)
        for domain in ("regular", "all")
        for averaging in AVERAGES
        for name in NINE
    ]


def _ordered(wanted: list[Task]) -> list[Task]:
    """Return tasks in the order of the catalogue, so that similar certificates lie together and compress well."""
    place = {x.name: k for k, x in enumerate(all_measures())}
    return sorted(wanted, key=lambda x: (x.classes, place[x.measure], x.domain))


def _solved(todo: list[Task], processes: int) -> Iterator[tuple[Task, list[Cell]]]:
    """Yield tasks with their verdicts, as they finish; those that took longest last time start first."""
    groups = _groups(todo)
    if processes <= 1:
        for group in groups:
            yield from ((x, solve(x)) for x in group)
            _forget()
        return
    with ProcessPoolExecutor(processes) as pool:
        waiting = {pool.submit(_solve_all, x): x for x in groups}
        try:
            for future in as_completed(waiting):
                yield from zip(waiting[future], future.result(), strict=True)
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def _solve_all(group: list[Task]) -> list[list[Cell]]:
    found = [solve(x) for x in group]
    _forget()
    return found


def _forget() -> None:
    """Forget what was read of a measure: other measures have no use for it, and it can take hundreds of megabytes."""
    cases.forget()
    readings.forget()


def _groups(todo: list[Task]) -> list[list[Task]]:
    """Return tasks by measure and number of classes: what is read of a measure for one domain serves the other too."""
    before, found = _durations(), dict[tuple[str, int], list[Task]]()
    for task in todo:
        found.setdefault((task.measure, task.classes), []).append(task)
    seconds = {key: sum(before.get(x, math.inf) for x in group) for key, group in found.items()}
    return [found[key] for key in sorted(found, key=lambda key: (-seconds[key], -key[1]))]


def _durations() -> dict[Task, float]:
    """Return how many seconds each task took when the present atlas was built, if there is one."""
    found: dict[Task, float] = {}
    if not home().exists():
        return found
    for cell in atlas().cells:
        task = Task(cell["measure"], cell["classes"], cell["domain"])
        found[task] = found.get(task, 0.0) + cell["seconds"]
    return found


def _resumed(partial: Path) -> dict[Task, list[Cell]]:
    """Return the finished tasks of an interrupted run, if it had the same source code."""
    head = json.dumps({"digest": digest()})
    if partial.exists():
        lines = partial.read_text(encoding="utf-8").splitlines()
        if lines and lines[0] == head:
            return dict(_read(lines[1:]))
    partial.write_text(head + "\n", encoding="utf-8")
    return {}


def _read(lines: list[str]) -> Iterator[tuple[Task, list[Cell]]]:
    for line in lines:
        try:
            measure, classes, domain, cells = json.loads(line)
        except ValueError:  # the last line, cut off when the run was interrupted
            continue
        yield Task(measure, classes, domain), cells


def digest() -> str:
    """Return a digest of the source code that verdicts depend on."""
    root = Path(__file__).parents[2]
    found = hashlib.sha256()
    for room in _ROOMS:
        for path in sorted((root / room).rglob("*.py")):
            found.update(path.read_bytes())
    return found.hexdigest()
