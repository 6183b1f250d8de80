"""Whether an answer of `gm.possible` says no more than its certificate shows."""

from __future__ import annotations

from goodmeasure.catalogue.measure import as_measure
from goodmeasure.exceptions import CertificateError
from goodmeasure.language.exact.reals import UNDEFINED
from goodmeasure.theory.kernel import check
from goodmeasure.theory.kernel.kinds.possible import Table
from goodmeasure.typing import JsonObject

_STATED = {"schema", "goodmeasure", "status", "properties", "classes", "domain", "n", "sizes", "certificate", "seconds"}


def must_fit(said: JsonObject, data: JsonObject) -> None:
    """Demand that an answer states nothing about n, sizes and properties beyond its certificate.

    A contradiction on the matrices of 1 … n items that is not one on fewer sizes needs matrices of n items. That n is
    the least one is not shown by the certificate.
    """
    general = said.get("for_every_n")
    for part in (data, general):
        if part is not None:
            _about_the_same(said, part)
    if general is not None:
        check(general)
    impossible = data["kind"] == "impossible"
    extra = set(said) - _STATED - ({"used", "for_every_n"} if impossible else {"known", "searched"})
    _must_be(
        not extra, "an answer of this kind does not state {extra}", got=sorted(extra), extra=", ".join(sorted(extra))
    )
    n, sizes = said.get("n"), list(said.get("sizes", ()))
    _must_be(sizes == list(data["sizes"]), "the sizes are {sizes}", field="sizes", got=sizes, sizes=data["sizes"])
    if impossible:
        most = max(sizes)
        _must_be(n is None or n == most, "the contradiction is about up to {most} items", field="n", got=n, most=most)
        named = {row["statement"] for row in data["rows"]}
        named |= {"sebastiani_mon"} if "sebastiani_fix" in named else set()
        used = [x for x in said["properties"] if x in named]
        _must_be(
            said.get("used", used) == used, "the properties that the proof uses are {used}",
            field="used", got=said.get("used"), used=", ".join(used),
        )  # fmt: skip
    else:
        whole = n is None or sizes == list(range(1, n + 1))
        _must_be(whole, "the table is about the sizes {sizes}", field="n", got=n, sizes=sizes)
        if said.get("known") is not None:
            _check_known(data, said["known"])


def _about_the_same(said: JsonObject, data: JsonObject) -> None:
    """Demand that an answer and its certificate agree; a contradiction may use fewer properties than were asked for."""
    _must_be(
        said["status"] == data["kind"], "the answer is {got!r}, its certificate says {kind!r}",
        field="status", got=said["status"], kind=data["kind"],
    )  # fmt: skip
    for fact in ("classes", "domain"):
        _must_be(
            said[fact] == data[fact], "the answer is about {field} {got}, its certificate about {theirs}",
            field=fact, got=said[fact], theirs=data[fact],
        )  # fmt: skip
    mine, theirs = set(said["properties"]), set(data["statements"])
    _must_be(
        theirs <= mine if data["kind"] == "impossible" else theirs == mine,
        "the answer is about {mine}, its certificate about {theirs}",
        field="properties", got=sorted(mine), mine=", ".join(sorted(mine)), theirs=", ".join(sorted(theirs)),
    )  # fmt: skip


def _check_known(data: JsonObject, name: str) -> None:
    """Demand that a measure of the catalogue has the properties of a table on all matrices of its sizes.

    Values are exact. This does not show that the measure has the properties for every n, but it usually exposes a
    measure that lacks one of them.
    """
    measure = as_measure(name)
    turn = -1 if measure.orientation == "lower" else 1
    table = Table(data)
    for rows in table.value:
        value = measure.exact(rows)
        _must_be(value is not UNDEFINED, "{name} has no value on {matrix}", field="known", name=name, matrix=rows)
        table.value[rows] = value * turn
    table.run(data["statements"])


def _must_be(condition: object, problem: str, **fields: object) -> None:
    if not condition:
        raise CertificateError(problem, **fields)
