"""Check that each demand of the verifier is needed: some forged certificate is refused by it and by nothing before it.

`forgeries.json` has one entry for each demand. It names a forgery of `forgeries.py`, or an honest certificate and the
fields that are changed in it. ``then`` says what becomes of the forgery if the demand is deleted: it is accepted; or
another demand, which it names, refuses it too; or it is unreadable, so that the demand is there for a clear message; or
the check would go on for hours, which is not tried.

A new demand needs an entry: `python -m tests.theory.verify.every_demand` looks for one, by changing honest certificates
at random, and writes what it finds into the table (`make fuzz ONLY=demands` does the same).
"""

from __future__ import annotations

import json
import sys
import time
from contextlib import ExitStack
from functools import cache
from pathlib import Path
from random import Random
from typing import Any
from unittest.mock import patch

import goodmeasure as gm
from goodmeasure.theory.statements.certificate import definition_of
from tests.fuzz.certificates import damaged
from tests.theory.verify import forgeries
from tests.theory.verify.demands import DELETED, Demand, demands, edited, outcome, without

TOO_LONG = "takes too long"
TABLE = Path(__file__).with_name("forgeries.json")

# Demands that no forgery reaches, because something before them refuses it, or because they are about what the verifier
# itself computes. They stay as a second guard.
DEFENCE = {
    "baselines.expectation: the measure is undefined on a mean matrix": "it has a value on the whole block, which has "
    "the support of the mean matrix",
    "chance_correction._check_same_totals: a guess has no value (2)": "it has a value on all guesses of these "
    "classes by then",
    "chance_correction._check_approached: the guesses are outside the domain": "every domain holds the matrices "
    "without zeros",
    "chance_correction._check_unbounded: the guesses are outside the domain": "every domain holds the matrices "
    "without zeros",
    "chance_correction._as_formula: the value of the guess cannot be compared": "its exact value was worked out before",
    "every_m.EveryCheck._affine: a cell stands outside of a sum": "the language shows cells inside of sums only",
    "formula_readings._tree_on: the definition of … writes classes out": "it is not shown to treat classes alike",
    "random_guesses._by_sizes: no average in the domain has a value": "the part about baselines needs one",
    "true_labelings.bounded: no test set has a value": "the bound is the value of a prediction",
    "value_table._invariance: two matrices of one shape differ by more than factors": "they are grouped by shape",
    "value_table._distance: no labeling is compared with itself": "every domain with matrices of n items has diagonal "
    "ones",
    "verify.Check.grouped: the check was given up: its time is over": "listing the supports looks at the clock first",
    "values._matrix: there is no matrix to take the constant from": "the constant was read on one before",
    "witnesses._grows: the measure is undefined on the ray": "the matrix far out has its support, and a value that is "
    "shown",
    "witnesses._is_bent: the measure is undefined where all cells are positive": "its value on such a matrix is shown",
}


@cache
def table() -> dict[str, Any]:
    """Return the table of forgeries: honest certificates, and an entry for each demand."""
    return dict(json.loads(TABLE.read_text(encoding="utf-8")))


def known() -> dict[str, Demand]:
    """Return all demands by their keys."""
    return {x.key: x for x in demands()}


def forged(entry: Any) -> forgeries.Planted:
    """Return the forgery of an entry."""
    if "name" in entry:
        found = _made(entry["name"])
        if isinstance(found, forgeries.Planted):
            return found
        return forgeries.Planted(*found) if isinstance(found, tuple) else forgeries.Planted(found)
    return forgeries.Planted(_defined(edited(table()["bases"][entry["base"]], entry["edits"])))


@cache
def _made(name: str) -> Any:
    return forgeries.forgeries()[name]()


def _defined(data: Any) -> Any:
    """Return plain data with the definitions that belong to the names of measures, where none is given."""
    if isinstance(data, list):
        return [_defined(x) for x in data]
    if not isinstance(data, dict):
        return data
    found = {k: _defined(v) for k, v in data.items()}
    of = found.get("measure")
    if isinstance(of, dict) and isinstance(of.get("name"), str) and "definition" not in of:
        found["measure"] = {**of, "definition": _definition(of["name"])}
    return found


@cache
def _definition(name: str) -> str:
    try:
        return definition_of(gm.measure(name))
    except ValueError:
        return ""


def fate(forgery: forgeries.Planted) -> str:
    """Return what becomes of a forgery: "accepted", the key of the demand that refuses it, or "unreadable"."""
    with ExitStack() as stack:
        for holder, name, fault in forgery.faults:
            stack.enter_context(patch.object(holder, name, fault))
        try:
            return outcome(lambda: gm.verify(forgery.data, measure=forgery.measure, seconds=forgery.seconds))
        except AssertionError:  # what a demand made sure of before it was deleted
            return "unreadable"


def fates(entry: Any) -> tuple[str, str]:
    """Return what becomes of a forgery with all demands, and without the one that refuses it."""
    forgery = forged(entry)
    first = fate(forgery)
    if first not in known():
        return first, first
    if entry.get("then") == TOO_LONG:
        return first, TOO_LONG
    with without(known()[first]):
        return first, fate(forgery)


# The search for new entries


def searched(seconds: float, seed: int) -> tuple[int, list[str]]:
    """Look for forgeries that demands without an entry refuse; return how many were tried, and the demands met."""
    rng, end, tried, found = Random(seed), time.monotonic() + seconds, 0, list[str]()
    data = table()
    while time.monotonic() < end:
        base = rng.choice(sorted(data["bases"]))
        tried += 1
        edits = _difference(data["bases"][base], damaged(data["bases"][base], rng))
        entry = {"base": base, "edits": edits}
        try:
            key, then = fates(entry)
        except (gm.CertificateError, LookupError, TypeError, ValueError):
            continue
        if key in known() and key not in data["demands"]:
            data["demands"][key] = {**entry, "then": then}
            found.append(key)
    return tried, found


def _difference(old: Any, new: Any, path: tuple[Any, ...] = ()) -> list[Any]:
    """Return the edits that turn one piece of plain data into another."""
    if isinstance(old, dict) and isinstance(new, dict):
        gone = [[[*path, k], DELETED] for k in old if k not in new]
        more = [[[*path, k], new[k]] for k in new if k not in old]
        return [*gone, *more, *(x for k in old if k in new for x in _difference(old[k], new[k], (*path, k)))]
    if isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        return [x for k in range(len(old)) for x in _difference(old[k], new[k], (*path, k))]
    return [] if old == new and type(old) is type(new) else [[list(path), new]]


def write() -> None:
    """Write the table, one entry in each line; certificates that no entry changes are left out."""
    data = table()
    used = {x["base"] for x in data["demands"].values() if "base" in x}
    lines = [f'"bases": {{\n{_lines({k: v for k, v in data["bases"].items() if k in used})}\n}}']
    lines.append(f'"demands": {{\n{_lines(data["demands"])}\n}}')
    TABLE.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


def _lines(data: dict[str, Any]) -> str:
    return ",\n".join(
        f"{json.dumps(k, ensure_ascii=False)}: {json.dumps(data[k], ensure_ascii=False)}" for k in sorted(data)
    )


def main(seconds: float = 60.0, seed: int = 0) -> int:
    """Search for a while, write what was found, and say it; return 1 if a demand has no forgery."""
    tried, found = searched(seconds, seed)
    missing = sorted(set(known()) - set(table()["demands"]) - set(DEFENCE))
    print(f"{tried:,} forgeries were tried; {len(found)} met demands that had none.")
    for key in missing:
        print(f"no forgery: {key}")
    if found:
        write()
    return int(bool(missing))


if __name__ == "__main__":
    sys.exit(main(*map(float, sys.argv[1:2])))
