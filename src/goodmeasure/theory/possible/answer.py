"""The two answers of `gm.possible`: impossible together, with a proof; or possible, with a table of values."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from goodmeasure.catalogue.display_names import names_text
from goodmeasure.catalogue.measure import Measure
from goodmeasure.documents import JsonDocument
from goodmeasure.language.value import Value
from goodmeasure.language.view import View
from goodmeasure.theory.possible.demands import Matrix
from goodmeasure.theory.possible.readable_proof import proof_text
from goodmeasure.theory.statements.lookup import statement as statement_of
from goodmeasure.theory.statements.verdict import classes_text
from goodmeasure.typing import AnyArray, ReadJson

if TYPE_CHECKING:
    from typing import Unpack

    from goodmeasure.catalogue.facts import DataOptions

POSSIBLE, IMPOSSIBLE = "possible", "impossible"
AnswerData = Mapping[str, ReadJson]


@dataclass(frozen=True)
class Impossible(JsonDocument):
    """Properties that no measure has together; the object is falsy and prints as a proof.

    ``n``: the least n for which the properties exclude each other on all matrices of 1 … n items; None if certain sizes
    were asked for. ``sizes``: the numbers of items of the matrices in the proof. ``used``: the properties that the
    proof needs. ``certificate``: the proof as plain data. ``for_every_n``: the proof for every n from some n on, if one
    was found. ``gm.verify`` checks both proofs.
    """

    kind = IMPOSSIBLE
    derived = ("status", "used", "sizes")
    properties: tuple[str, ...]
    classes: int
    domain: str
    n: int | None
    certificate: AnswerData = field(repr=False)
    for_every_n: AnswerData | None = field(default=None, repr=False)
    seconds: float = 0.0
    status = IMPOSSIBLE

    @property
    def dimension(self) -> dict[int, int]:
        """Return nothing: there is no measure whose values could be chosen."""
        return {}

    @property
    def sizes(self) -> tuple[int, ...]:
        """Return the numbers of items of the matrices in the proof."""
        return tuple(self.certificate["sizes"])

    @property
    def used(self) -> tuple[str, ...]:
        """Return the properties that the proof needs, of those that were asked for."""
        named = {row["statement"] for row in self.certificate["rows"]}
        if "sebastiani_fix" in named:  # FIX says where the range ends only together with MON
            named.add("sebastiani_mon")
        return tuple(x for x in self.properties if x in named)

    @property
    def rows(self) -> list[AnswerData]:
        """Return the rows of the proof, each with its multiplier."""
        return list(self.certificate["rows"])

    def __bool__(self) -> bool:
        return False

    def __str__(self) -> str:
        return "\n".join(self._lines())

    def __repr__(self) -> str:
        return str(self)

    def _lines(self) -> list[str]:
        sizes = ", ".join(map(str, self.sizes))
        where = f"{classes_text(self.classes)}, domain {self.domain!r}"
        lines = [f"impossible: no measure has {_listed(self.used)} together ({where})."]
        if self.n is not None and self.n > 1:
            lines.append(f"They are possible up to n = {self.n - 1}, and exclude each other from n = {self.n} on.")
        lines += [f"Suppose that M had them on the matrices of {sizes} items. Then", proof_text(self.certificate)]
        if self.for_every_n is not None:
            sizes = " and ".join(str(x).replace("-", "−") for x in self.for_every_n["sizes"])
            lines += [
                f"So for every n ≥ {self.for_every_n['least']}, on matrices of {sizes} items alone:",
                proof_text(self.for_every_n),
            ]
        elif self.n is not None:
            lines.append(f"On matrices of other sizes than {sizes} alone they may be possible: ask with sizes.")
        return lines


class StoredPossible(NamedTuple):
    """What a document holds of an answer that properties are possible together."""

    status: str
    properties: list[str]
    classes: int
    domain: str
    n: int | None
    sizes: list[int]
    known: str | None
    searched: bool
    certificate: AnswerData
    seconds: float


@dataclass(frozen=True)
class Possible(JsonDocument):
    """Properties that some measure has together, on all matrices of some sizes; the object is truthy.

    ``table``: an exact value for each of these matrices, with which all properties hold. ``measure``: the table as a
    measure, undefined elsewhere. ``known``: the name of a measure that is proved to have the properties for every n, if
    the stored map names one. Without it, nothing is said about other sizes.
    """

    kind = POSSIBLE
    properties: tuple[str, ...]
    classes: int
    domain: str
    sizes: tuple[int, ...]
    n: int | None
    table: Mapping[Matrix, Fraction] = field(repr=False)
    known: str | None = None
    searched: bool = False
    seconds: float = 0.0
    status = POSSIBLE

    def _stored(self) -> StoredPossible:
        """Return what a document holds."""
        about = (list(self.properties), self.classes, self.domain, self.n, list(self.sizes), self.known, self.searched)
        return StoredPossible(self.status, *about, self.certificate, self.seconds)

    @classmethod
    def _restored(cls, kept: StoredPossible) -> Possible:
        """Return the answer that a document holds."""
        table = {tuple(map(tuple, x)): Fraction(value) for x, value in kept.certificate["table"]}
        about = (tuple(kept.properties), kept.classes, kept.domain, tuple(kept.sizes), kept.n)
        return cls(*about, table, kept.known, kept.searched, kept.seconds)

    @cached_property
    def certificate(self) -> AnswerData:
        """Return the table and the properties that it has, as plain data."""
        return table_certificate(self.properties, self.sizes, self.classes, self.domain, self.table)

    @cached_property
    def dimension(self) -> dict[int, int]:
        """Return how many values can be chosen freely on all matrices of up to n items, for each n that was asked for.

        Measures with the properties form a cone of this dimension. Adding a number and multiplying by a positive one
        keeps most properties; so 2 means that they force one measure up to rescaling.
        """
        from goodmeasure.theory.possible.possible import PossibilityQuestion
        from goodmeasure.theory.possible.witness_table import dimension

        asked, found = PossibilityQuestion(self.properties, self.classes, self.domain), {}
        for k, n in enumerate(self.sizes, 1):
            program = asked.program(self.sizes[:k])
            found[n] = dimension(program.rows, program.unknowns)
        return found

    @cached_property
    def measure(self) -> Measure:
        """Return the table as a measure, which is undefined on matrices of other sizes."""
        table, m = self.table, self.classes

        def values_of_a_table(c: View) -> Value:
            if c.m != m:
                return c.undefined()
            cells = tuple(tuple(_whole(c[i, j]) for j in range(m)) for i in range(m))
            value = table.get(cells)  # type: ignore[arg-type] # no table has a cell that is None
            return c.undefined() if value is None else c.constant(value)

        return Measure(values_of_a_table, "values_of_a_table", title="a table of values", key=values_of_a_table)

    def __call__(self, *data: object, **options: Unpack[DataOptions]) -> AnyArray:
        """Return the value of the table on a matrix, or on true and predicted labels."""
        return self.measure(*data, **options)

    def __bool__(self) -> bool:
        return True

    def __str__(self) -> str:
        where = f"{classes_text(self.classes)}, domain {self.domain!r}"
        sizes = f"1 … {self.n}" if self.n is not None and self.n > 1 else ", ".join(map(str, self.sizes))
        scope = "" if self.known is not None else f" on the matrices of {sizes} items"
        lines = [f"possible{scope}: a measure can have {_listed(self.properties)} together ({where})."]
        if self.known is not None:
            lines.append(f"{self.known} has them, for every n.")
        elif self.searched:
            lines.append(f"No contradiction was found up to n = {self.n}; for greater n nothing is known.")
        else:
            lines.append("This says nothing about other sizes.")
        lines.append(
            f"A table of {len(self.table)} exact values on the matrices of {sizes} items has them: .table, .measure."
        )
        return "\n".join(lines)

    def __repr__(self) -> str:
        return str(self)


def table_certificate(
    properties: tuple[str, ...], sizes: tuple[int, ...], classes: int, domain: str, table: Mapping[Matrix, Fraction]
) -> dict[str, ReadJson]:
    """Return the certificate that properties are possible together, from a table of values."""
    from goodmeasure.theory.statements.certificate import FORMAT

    return {
        "format": FORMAT,
        "kind": POSSIBLE,
        "statements": list(properties),
        "measure": None,
        "classes": classes,
        "domain": domain,
        "sizes": list(sizes),
        "table": [[[list(row) for row in x], str(v)] for x, v in table.items()],
    }


def rows_certificate(
    properties: tuple[str, ...], sizes: Iterable[int | str], classes: int, domain: str, rows: list[dict[str, object]]
) -> dict[str, ReadJson]:
    """Return the certificate that properties exclude each other, from rows with multipliers."""
    from goodmeasure.theory.statements.certificate import FORMAT

    return {
        "format": FORMAT,
        "kind": IMPOSSIBLE,
        "statements": list(properties),
        "measure": None,
        "classes": classes,
        "domain": domain,
        "sizes": list(sizes),
        "rows": rows,
    }


def plain(about: object) -> ReadJson:
    """Return the subject of a row in the form that JSON has: lists instead of tuples."""
    return json.loads(json.dumps(about))


def _whole(x: Value) -> int | None:
    """Return a count as an integer; None if it is not whole, since no table has a value there."""
    number = int(x)  # type: ignore[call-overload] # values without a number refuse
    return number if number == x else None


def _listed(names: tuple[str, ...]) -> str:
    return names_text([statement_of(x).name for x in names])
