"""Compare the atlas with brute force: `disagreements` says where a stored verdict and `brute_force` differ."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from typing import Any, NamedTuple

import goodmeasure as gm
from goodmeasure.theory.atlas.atlas import home
from tests.theory.brute_force import BARE, PROPERTIES, Found, Values, decomposable

Region = tuple[int, str]  # the number of classes, and the domain
Cell = dict[str, Any]

REACH = {2: 6, 3: 4}  # the greatest number of items, by the number of classes
OTHER_REACH = {
    ("distance", 2): 5, ("distance", 3): 3, ("sebastiani_con", 2): 3, ("sebastiani_con", 3): 3,
    ("opitz_class_decomposable", 2): 7, ("opitz_chance_corrected", 2): 4,
    ("opitz_chance_corrected", 3): 4,
}  # fmt: skip
# How many items fewer are enough for a look at the whole atlas that takes seconds, by region.
FEWER = {(2, "all"): 3, (2, "regular"): 3, (3, "all"): 2, (3, "regular"): 1}
# The search covers only some cases of these statements, so the n of their counterexamples need not be the least one.
SAMPLED = ("sebastiani_con", "opitz_chance_corrected")


class Task(NamedTuple):
    """All stored verdicts on one measure in one region."""

    measure: str
    region: Region
    cells: tuple[Cell, ...]


def tasks() -> list[Task]:
    """Return what the atlas holds, by measure and region."""
    groups: dict[tuple[str, Region], list[Cell]] = {}
    for cell in gm.atlas().cells:
        groups.setdefault((cell["measure"], (cell["classes"], cell["domain"])), []).append(cell)
    return [Task(*key, tuple(cells)) for key, cells in groups.items()]


def sample(found: Iterable[Task], parts: int) -> list[Task]:
    """Return one of so many parts of the tasks; another atlas chooses another part."""
    atlas = hashlib.sha256(home().read_bytes()).hexdigest()
    return [
        x for x in found if int(hashlib.sha256(f"{atlas} {x.measure} {x.region}".encode()).hexdigest(), 16) % parts == 0
    ]


def disagreements(task: Task, fewer: int = 0) -> Iterator[str]:
    """Yield in words each stored verdict that brute force contradicts; a statement unknown there is not looked at.

    With ``fewer``, the search stops that many items earlier.
    """
    measure, (m, domain) = gm.measure(task.measure), task.region
    values = {policy: Values(measure, m, domain, policy) for policy in ("resolve", "nan")}
    for cell in task.cells:
        name = cell["property"]
        if name in PROPERTIES and not (fewer and _needs_more(cell)):
            most = OTHER_REACH.get((name, m), REACH[m] + (domain == "regular")) - fewer
            found = _search(cell)(values["nan" if name in BARE else "resolve"], most)
            wrong = contradiction(name, cell["status"], cell["n"], found, most)
            if wrong:
                yield f"{task.measure}, {m} classes, {domain}, {name}: {wrong}"


def _needs_more(cell: Cell) -> bool:
    """Return whether a quick look cannot say anything, or not quickly: an example may be large, and so is a grid."""
    name = cell["property"]
    if name == "opitz_class_sensitive":
        return bool(cell["status"] == "proved")
    return bool(name == "opitz_chance_corrected" and cell["classes"] > 2)


def _search(cell: Cell) -> Callable[[Values, int], Found]:
    """Return the search that belongs to a verdict; a proof of decomposability says with which exponent."""
    if cell["property"] == "opitz_class_decomposable" and cell["status"] == "proved":
        return decomposable((float(Fraction(cell["constants"]["p"])),))
    return PROPERTIES[cell["property"]]


def contradiction(name: str, status: str, n: int | None, found: Found, most: int) -> str | None:
    """Return in words how a verdict and what brute force found up to ``most`` items contradict each other, or None.

    Where no case has a value (``found.seen`` is 0), a refuted verdict speaks of limits or of averages over a part of
    the predictions, which the definitions do not name; it is not compared.
    """
    if name == "opitz_class_sensitive":  # it says that an example exists, which n is of
        said = {"proved": found.n is not None, "refuted": found.n is None}.get(status, True)
        return None if said else f"{status}, and the least example is {found.n}"
    if name == "opitz_class_decomposable" and status == "refuted":  # n is of a matrix to which two items are added
        missed = found.n is None and n is not None and n + 2 <= most
        return f"refuted at {n}, and up to {most} items there are scores of the classes" if missed else None
    if status == "vacuous":
        return f"vacuous, and {found.seen} cases were seen" if found.seen else None
    if status == "proved":
        return f"proved, and there is a counterexample with {found.n} items" if found.n else None
    if status == "held":
        fails = found.n is not None and name not in SAMPLED and n is not None and found.n <= n
        return f"no counterexample up to {n}, and there is one with {found.n} items" if fails else None
    if status != "refuted" or not found.seen or name in SAMPLED or n is None:
        return None
    expected = n if n <= most else None
    return None if found.n == expected else f"refuted at {n}, and the least counterexample has {found.n} items"
