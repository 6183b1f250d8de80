"""Check results of `gm.possible`, and tell their certificates from those about one measure.

A result and its certificate must agree about everything that the result states. A known measure is named as one that
has the properties for every n; here it is examined, in exact arithmetic, on all matrices of the sizes of the table.
"""

from __future__ import annotations

import json
from collections.abc import Mapping

from goodmeasure.theory.statements.certificate import FORMAT
from goodmeasure.theory.verify.signs import demand
from goodmeasure.theory.verify.value_table import check_known
from goodmeasure.typing import ReadJson

_KINDS = ("impossible", "possible")
_STATED = {"status", "properties", "classes", "domain", "n", "sizes", "certificate", "seconds"}


def checked_for_all_measures(proof: object) -> bool:
    """Check a result or a certificate about all measures, and return True; return False if it is not about them."""
    said = _plain(proof)
    if said is None:
        return False
    if said.get("kind") in ("preserved", "lost"):
        _check_average(said)
        return True
    if said.get("kind") in _KINDS:
        _check(said)
        return True
    carried = said.get("certificate")
    if not isinstance(carried, Mapping) or carried.get("kind") not in _KINDS:
        return False
    _states(said, carried)
    for data in (carried, said.get("for_every_n")):
        if data is not None:
            _belongs(said, data)
            _check(data)
    return True


def _check_average(data: Mapping[str, ReadJson]) -> None:
    """Check a certificate about averages of binary measures."""
    from goodmeasure.theory.statements.averages import losing_measure
    from goodmeasure.theory.verify.preservation import check_lost, check_preserved
    from goodmeasure.theory.verify.verify import verify

    demand(
        data.get("format") == FORMAT,
        "format is {got!r}",
        field="format",
        got=data.get("format"),
        expected="{known!r}",
        known=FORMAT,
    )
    if data["kind"] == "preserved":
        check_preserved(data)
    else:
        check_lost(data, losing_measure(data["measure"]), verify)


def _check(data: Mapping[str, object]) -> None:
    """Check one certificate about all measures."""
    from goodmeasure.theory.verify.impossibility import check_impossible
    from goodmeasure.theory.verify.value_table import check_possible

    demand(
        data.get("format") == FORMAT,
        "format is {got!r}",
        field="format",
        got=data.get("format"),
        expected="{known!r}",
        known=FORMAT,
    )
    wanted = ("statements", "classes", "domain", "sizes", "rows" if data["kind"] == "impossible" else "table")
    missing = [x for x in wanted if x not in data]
    demand(not missing, "the certificate lacks {missing}", missing=", ".join(missing))
    demand(data.get("measure") is None, "the certificate is about all measures, and names one")
    demand(bool(data["statements"]), "the certificate names no statement")
    for field in ("classes", "least"):
        number = data.get(field, 2)
        demand(
            isinstance(number, int) and not isinstance(number, bool),
            "{field} is {got!r}: no whole number",
            field=field,
            got=number,
        )
    (check_impossible if data["kind"] == "impossible" else check_possible)(data)


def _belongs(said: Mapping[str, ReadJson], data: Mapping[str, ReadJson]) -> None:
    """Demand that a result and its certificate agree; a contradiction may use fewer properties than were asked for."""
    demand(
        said["status"] == data["kind"],
        "the result is {got!r}, its certificate says {kind!r}",
        field="status",
        got=said["status"],
        kind=data["kind"],
    )
    for fact in ("classes", "domain"):
        demand(
            said[fact] == data[fact],
            "the result is about {field} {got}, its certificate about {theirs}",
            field=fact,
            got=said[fact],
            theirs=data[fact],
        )
    mine, theirs = set(said["properties"]), set(data["statements"])
    fits = theirs <= mine if data["kind"] == "impossible" else theirs == mine
    demand(
        fits,
        "the result is about {mine}, its certificate about {theirs}",
        field="properties",
        got=sorted(mine),
        mine=", ".join(sorted(mine)),
        theirs=", ".join(sorted(theirs)),
    )


def _states(said: Mapping[str, ReadJson], data: Mapping[str, ReadJson]) -> None:
    """Demand that a result says no more about n, sizes and properties than its certificate shows.

    A contradiction on the matrices of 1 … n items that is not one on fewer sizes needs matrices of n items. That n is
    the least one is not shown by the certificate.
    """
    impossible = data["kind"] == "impossible"
    extra = set(said) - _STATED - ({"used", "for_every_n"} if impossible else {"known"})
    demand(not extra, "a result of this kind does not state {extra}", got=sorted(extra), extra=", ".join(sorted(extra)))
    n, sizes = said.get("n"), list(said.get("sizes", ()))
    demand(sizes == list(data["sizes"]), "the sizes are {sizes}", field="sizes", got=sizes, sizes=data["sizes"])
    if impossible:
        demand(
            n is None or n == max(sizes),
            "the contradiction is about up to {most} items",
            field="n",
            got=n,
            most=max(sizes),
        )
        named = {row["statement"] for row in data["rows"]}
        named |= {"sebastiani_mon"} if "sebastiani_fix" in named else set()
        used = [x for x in said["properties"] if x in named]
        demand(
            said.get("used", used) == used,
            "the properties that the proof uses are {used}",
            field="used",
            got=said.get("used"),
            used=", ".join(used),
        )
    else:
        demand(
            n is None or sizes == list(range(1, n + 1)),
            "the table is about the sizes {sizes}",
            field="n",
            got=n,
            sizes=sizes,
        )
        if said.get("known") is not None:
            check_known(data, said["known"])


def _plain(proof: ReadJson) -> Mapping[str, ReadJson] | None:
    """Return a result, its JSON text or a certificate as plain data; None for anything else."""
    if isinstance(proof, str):
        try:
            proof = json.loads(proof)
        except ValueError:
            return None  # the error is raised where certificates about one measure are read
    if not isinstance(proof, Mapping) and getattr(proof, "status", None) in _KINDS:
        proof = proof.to_json()
    if not isinstance(proof, Mapping) and hasattr(proof, "averaging"):
        demand(
            bool(proof.certificate), "whether averaging keeps the property is {got!r}", field="status", got=proof.status
        )
        proof.must_fit()
        proof = proof.certificate
    return proof if isinstance(proof, Mapping) else None
