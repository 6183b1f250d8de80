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

from goodmeasure.catalogue.names import all_measures, measures
from goodmeasure.documents import made_of, plain_of
from goodmeasure.exceptions import CertificateError, UnverifiedProof
from goodmeasure.theory.atlas.atlas import Atlas, AtlasCell, atlas, home, pack
from goodmeasure.theory.atlas.preservation import AVERAGING, Preservation, preserves
from goodmeasure.theory.statements.lookup import NINE, statements
from goodmeasure.theory.statements.verdict import REFUTED, Verdict
from goodmeasure.theory.verification import verify

SEARCH_SECONDS = 12.0  # of processor time: the limit of a search, for each measure and statement
PROOF_SECONDS = 30.0  # processor time for one attempt at a proof; the longest that succeed take half of it
_ROOMS = ("language", "counts", "catalogue", "theory")


@dataclass(frozen=True)
class AtlasTask:
    """One measure with a number of classes and a domain; a task decides all its statements."""

    measure: str
    classes: int
    domain: str


def tasks() -> list[AtlasTask]:
    """Return what the atlas covers: two and three classes, on the domains "all" and "regular"."""
    return [AtlasTask(x.name, m, domain) for m in (2, 3) for domain in ("all", "regular") for x in measures(classes=m)]


def statements_of(task: AtlasTask) -> list[str]:
    """Return the names of the statements that are decided for a task."""
    return [x.name for x in statements(task.classes)]


def solve(task: AtlasTask, proofs: bool = False) -> list[AtlasCell]:
    """Return the verdicts of one task, as plain data; a proof that cannot be verified ends the build.

    With ``proofs``, counterexamples of the present atlas are taken over if they stand.
    """
    from goodmeasure.theory.check import check

    names = statements_of(task)
    found = _standing(task) if proofs else {}
    with warnings.catch_warnings():
        warnings.simplefilter("error", UnverifiedProof)
        report = check(
            task.measure,
            task.classes,
            task.domain,
            properties=[x for x in names if x not in found],
            seconds=SEARCH_SECONDS,
            proof_seconds=PROOF_SECONDS,
        )
    found |= {x.statement: plain_of(x) for x in report.values()}
    return [found[x] for x in names]


def _standing(task: AtlasTask) -> dict[str, AtlasCell]:
    """Return the verdicts of the present atlas on a task that rest on a counterexample alone, which is replayed."""
    part = atlas(task.measure, classes=task.classes, domain=task.domain, status=REFUTED)
    cells = zip(part.whole_cells(), part.cells, strict=True)
    return {str(x["property"]): x for x, stored in cells if stored["certificate"] is None and _stands(x)}


def _stands(cell: AtlasCell) -> bool:
    try:
        return verify(made_of(Verdict, cell))
    except CertificateError:
        return False


def build(
    output: Path,
    *,
    processes: int = 2,
    said: Callable[[int, int, AtlasTask | None], None] | None = None,
    only: Callable[[AtlasTask], bool] | None = None,
    keep: Atlas | None = None,
    proofs: bool = False,
) -> float:
    """Build the atlas, write it to a file, and return the seconds that it took; an interrupted run is resumed.

    `only` selects the tasks; the verdicts of all other tasks are taken from the atlas `keep`, if one is given. With
    `proofs`, counterexamples of the present atlas are taken over if they stand. Finished tasks are written to `output`
    + ".partial", one per line, after a digest of the source code. A partial file with another digest is discarded,
    since its verdicts may be out of date.
    """
    start = time.monotonic()
    wanted = [x for x in tasks() if only is None or only(x)]
    partial = output.with_name(output.name + ".partial")
    done = _resumed(partial)
    todo = [x for x in wanted if x not in done]
    with partial.open("a", encoding="utf-8") as log:
        for k, (task, cells) in enumerate(_solved(todo, processes, proofs)):
            done[task] = cells
            log.write(json.dumps([task.measure, task.classes, task.domain, cells], ensure_ascii=False) + "\n")
            log.flush()
            if said is not None:
                said(len(wanted) - len(todo) + k + 1, len(wanted), task)
    found = {**({} if keep is None else _kept(keep)), **{task: done[task] for task in wanted}}
    cells = [cell for task in _ordered([x for x in tasks() if x in found]) for cell in found[task]]
    whole = only is None or keep is not None
    about = {"digest": digest(), "averages": [plain_of(x) for x in _averages()] if whole else []}
    output.write_bytes(pack(cells, about))
    partial.unlink()
    return time.monotonic() - start


def _kept(keep: Atlas) -> dict[AtlasTask, list[AtlasCell]]:
    """Return the verdicts of an atlas by task."""
    found: dict[AtlasTask, list[AtlasCell]] = {}
    for cell in keep.whole_cells():
        found.setdefault(AtlasTask(cell["measure"], cell["classes"], cell["domain"]), []).append(cell)
    return found


def _averages() -> list[Preservation]:
    """Return whether averaging preserves each of the nine properties, on the domains "regular" and "all"."""
    return [
        preserves(averaging, name, domain=domain)
        for domain in ("regular", "all")
        for averaging in AVERAGING
        for name in NINE
    ]


def _ordered(wanted: list[AtlasTask]) -> list[AtlasTask]:
    """Return tasks in the order of the catalogue, so that similar certificates lie together and compress well."""
    place = {x.name: k for k, x in enumerate(all_measures())}
    return sorted(wanted, key=lambda x: (x.classes, place[x.measure], x.domain))


def _solved(todo: list[AtlasTask], processes: int, proofs: bool) -> Iterator[tuple[AtlasTask, list[AtlasCell]]]:
    """Yield tasks with their verdicts, as they finish; those that took longest last time start first."""
    groups = _groups(todo)
    if processes <= 1:
        for group in groups:
            yield from ((x, solve(x, proofs)) for x in group)
        return
    with ProcessPoolExecutor(processes) as pool:
        waiting = {pool.submit(_solve_all, x, proofs): x for x in groups}
        try:
            for future in as_completed(waiting):
                yield from zip(waiting[future], future.result(), strict=True)
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def _solve_all(group: list[AtlasTask], proofs: bool) -> list[list[AtlasCell]]:
    return [solve(x, proofs) for x in group]


def _groups(todo: list[AtlasTask]) -> list[list[AtlasTask]]:
    """Return tasks by measure and number of classes: what is read of a measure for one domain serves the other too."""
    before, found = _durations(), dict[tuple[str, int], list[AtlasTask]]()
    for task in todo:
        found.setdefault((task.measure, task.classes), []).append(task)
    seconds = {key: sum(before.get(x, math.inf) for x in group) for key, group in found.items()}
    return [found[key] for key in sorted(found, key=lambda key: (-seconds[key], -key[1]))]


def _durations() -> dict[AtlasTask, float]:
    """Return how many seconds each task took when the present atlas was built, if there is one."""
    found: dict[AtlasTask, float] = {}
    if not home().exists():
        return found
    for cell in atlas().cells:
        task = AtlasTask(cell["measure"], cell["classes"], cell["domain"])
        found[task] = found.get(task, 0.0) + cell["seconds"]
    return found


def _resumed(partial: Path) -> dict[AtlasTask, list[AtlasCell]]:
    """Return the finished tasks of an interrupted run, if it had the same source code."""
    head = json.dumps({"digest": digest()})
    if partial.exists():
        lines = partial.read_text(encoding="utf-8").splitlines()
        if lines and lines[0] == head:
            return dict(_read(lines[1:]))
    partial.write_text(head + "\n", encoding="utf-8")
    return {}


def _read(lines: list[str]) -> Iterator[tuple[AtlasTask, list[AtlasCell]]]:
    for line in lines:
        try:
            measure, classes, domain, cells = json.loads(line)
        except ValueError:  # the last line, cut off when the run was interrupted
            continue
        yield AtlasTask(measure, classes, domain), cells


def digest() -> str:
    """Return a digest of the source code that verdicts depend on."""
    root = Path(__file__).parents[2]
    found = hashlib.sha256()
    for room in _ROOMS:
        for path in sorted((root / room).rglob("*.py")):
            found.update(path.read_bytes())
    return found.hexdigest()
