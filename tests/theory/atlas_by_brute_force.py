"""Compare the atlas with brute force: `disagreements` says where a stored verdict and `brute_force` differ."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import goodmeasure as gm
from goodmeasure.theory.atlas.atlas import home
from tests.theory.brute_force import BARE, PROPERTIES, Found, Values

Region = tuple[int, str]  # the number of classes, and the domain
Cell = dict[str, Any]

REACH = {2: 6, 3: 4}  # the greatest number of items, by the number of classes
OTHER_REACH = {
    ("distance", 2): 5, ("distance", 3): 3, ("sebastiani_con", 2): 3, ("opitz_chance_corrected", 2): 4,
    ("opitz_chance_corrected", 3): 4,
}  # fmt: skip
FOR_TWO = ("sebastiani_con",)  # brute force knows smoothness for two classes
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


def disagreements(task: Task) -> Iterator[str]:
    """Yield in words each stored verdict that brute force contradicts; a statement unknown there is not looked at."""
    measure, (m, domain) = gm.measure(task.measure), task.region
    values = {policy: Values(measure, m, domain, policy) for policy in ("resolve", "nan")}
    for cell in task.cells:
        name = cell["property"]
        if name in PROPERTIES and (m == 2 or name not in FOR_TWO):
            most = OTHER_REACH.get((name, m), REACH[m] + (domain == "regular"))
            found = PROPERTIES[name](values["nan" if name in BARE else "resolve"], most)
            wrong = contradiction(name, cell["status"], cell["n"], found, most)
            if wrong:
                yield f"{task.measure}, {m} classes, {domain}, {name}: {wrong}"


def contradiction(name: str, status: str, n: int | None, found: Found, most: int) -> str | None:
    """Return in words how a verdict and what brute force found up to ``most`` items contradict each other, or None.

    Where no case has a value (``found.seen`` is 0), a refuted verdict speaks of limits or of averages over a part of
    the predictions, which the definitions do not name; it is not compared.
    """
    if name == "opitz_class_sensitive":  # it says that an example exists, which n is of
        said = {"proved": found.n is not None, "refuted": found.n is None}.get(status, True)
        return None if said else f"{status}, and the least example is {found.n}"
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
