"""`gm.atlas`: the stored verdicts on every measure of the catalogue and every statement, with certificates.

The verdicts are those of `gm.check` when the atlas was built, which verified every certificate. They are not verified
again when they are loaded; `gm.verify` does that.
"""

from __future__ import annotations

import json
import lzma
from collections.abc import Iterable, Iterator
from functools import cache, cached_property
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from goodmeasure.catalogue.measure import MeasureLike
from goodmeasure.catalogue.names import named
from goodmeasure.documents import JsonDocument, made_of
from goodmeasure.exceptions import InputError, InputTypeError, UnknownKey, UnknownName
from goodmeasure.notebooks import ShownInNotebooks
from goodmeasure.theory.statements.domain import DomainLike, domain_of
from goodmeasure.theory.statements.lookup import statement
from goodmeasure.theory.statements.verdict import SIGNS, Verdict
from goodmeasure.theory.statements.witness import current_form
from goodmeasure.typing import ReadJson

if TYPE_CHECKING:
    from goodmeasure.theory.atlas.preservation import Preservation

FORMAT = "goodmeasure atlas 3"
FILE = "atlas.json.xz"
AtlasCell = dict[str, ReadJson]
_OF_TEXTS = {"id": lzma.FILTER_LZMA2, "preset": 9 | lzma.PRESET_EXTREME, "lc": 4, "pb": 0}  # a third less than usual


class StoredAtlas(NamedTuple):
    """What a document holds of an atlas: its verdicts, and whether averages preserve each property."""

    verdicts: list[AtlasCell]
    averages: list[AtlasCell]


class Atlas(ShownInNotebooks, JsonDocument):
    """The verdicts on measures × properties; iterating yields them one by one.

    >>> import goodmeasure as gm
    >>> gm.atlas()["mcc", "monotone"].status
    'proved'
    """

    kind = "atlas"

    def __init__(self, cells: list[AtlasCell], averages: tuple[AtlasCell, ...] = ()) -> None:
        self._cells = cells  # witnesses and certificates are read when they are asked for
        self._averages = averages

    @cached_property
    def averages(self) -> tuple[Preservation, ...]:
        """Return whether each kind of averaging preserves each property."""
        from goodmeasure.theory.atlas.preservation import Preservation  # this import loads the search for witnesses

        return tuple(made_of(Preservation, x) for x in self._averages)

    def __len__(self) -> int:
        return len(self._cells)

    def __iter__(self) -> Iterator[Verdict]:
        return map(opened, self._cells)

    def __getitem__(self, names: tuple[str, str]) -> Verdict:
        if not isinstance(names, tuple) or len(names) != 2:
            raise InputTypeError("the atlas is asked for {got!r}", got=names, expected='atlas["mcc", "monotone"]')
        try:
            return self.verdict(*names)
        except UnknownName as error:
            raise UnknownKey.of(error) from None

    def verdict(self, measure: MeasureLike, prop: str, *, classes: int = 2, domain: DomainLike = "all") -> Verdict:
        """Return the verdict on one measure and one property."""
        found = self.filter(measure=measure, property=prop, classes=classes, domain=domain)._cells
        if not found:
            raise UnknownKey(
                "the atlas holds no verdict on {measure} and {name} for {classes} classes on the domain {domain!r}",
                name=prop,
                measure=measure,
                classes=classes,
                domain=domain,
                advice="gm.check decides it",
            )
        return opened(found[0])

    def filter(
        self,
        *,
        measure: MeasureLike | None = None,
        property: str | None = None,
        classes: int | None = None,
        domain: DomainLike | None = None,
        status: str | None = None,
    ) -> Atlas:
        """Return the part of the atlas with this measure, property, number of classes, domain or status."""
        if status is not None and (not isinstance(status, str) or status not in SIGNS):
            raise InputError("{status} is {got!r}", got=status, known=", ".join(SIGNS), advice="use {known}")
        wanted = {
            "measure": None if measure is None else named(measure, argument="measure").name,
            "property": None if property is None else statement(property).name,
            "classes": classes,
            "domain": None if domain is None else domain_of(domain).name,
            "status": status,
        }
        cells = self._cells
        for key, value in wanted.items():
            if value is not None:
                cells = [x for x in cells if x[key] == value]
        return Atlas(cells, self._averages)

    @property
    def measures(self) -> list[str]:
        """Return the names of the measures, in the order of the catalogue."""
        return list(dict.fromkeys(cell["measure"] for cell in self._cells))

    @property
    def counts(self) -> dict[str, int]:
        """Return the number of verdicts of each status."""
        return {status: sum(cell["status"] == status for cell in self._cells) for status in SIGNS}

    def signs(self) -> list[tuple[str, int, str, dict[str, str]]]:
        """Return the signs of the verdicts by property, for each measure, number of classes and domain."""
        rows: dict[tuple[str, int, str], dict[str, str]] = {}
        for cell in self._cells:
            n = "" if cell["status"] == "proved" or cell["n"] is None else str(cell["n"])
            key = cell["measure"], cell["classes"], cell["domain"]
            rows.setdefault(key, {})[cell["property"]] = SIGNS[cell["status"]] + n
        return [(*key, signs) for key, signs in rows.items()]

    def table(self) -> tuple[list[str], list[list[str]]]:
        """Return the columns and rows of a table to print: ✓ proved, ✗ refuted with n, ? held up to n, ∅ vacuous."""
        rows = self.signs()
        names = list(dict.fromkeys(name for row in rows for name in row[3]))
        columns = ["measure", "m", "domain", *(statement(x).short for x in names)]
        return columns, [[a, str(m), domain, *(signs.get(x, "") for x in names)] for a, m, domain, signs in rows]

    @property
    def cells(self) -> list[AtlasCell]:
        """Return the verdicts as they are stored; `opened` turns one into a `Verdict`."""
        return self._cells

    def by_measure(self) -> dict[str, dict[str, AtlasCell]]:
        """Return the stored verdicts by measure and property, of an atlas with one number of classes and one domain."""
        found: dict[str, dict[str, AtlasCell]] = {}
        for cell in self._cells:
            found.setdefault(cell["measure"], {})[cell["property"]] = cell
        return found

    def whole_cells(self) -> list[AtlasCell]:
        """Return all verdicts as plain data, with their witnesses and certificates."""
        return [_whole(x) for x in self._cells]

    def _stored(self) -> StoredAtlas:
        """Return what a document holds."""
        return StoredAtlas(self.whole_cells(), list(self._averages))

    @classmethod
    def _restored(cls, kept: StoredAtlas) -> Atlas:
        """Return the atlas that a document holds."""
        for cell in kept.verdicts:
            made_of(Verdict, cell)  # refuses what cannot be read
        return cls(kept.verdicts, tuple(kept.averages))

    def __repr__(self) -> str:
        columns, rows = self.table()
        width = [max(len(row[k]) for row in [columns, *rows]) for k in range(len(columns))]
        lines = ["  ".join(x.ljust(w) for x, w in zip(row, width, strict=True)).rstrip() for row in [columns, *rows]]
        return "\n".join(lines)


def atlas(
    measure: MeasureLike | None = None,
    property: str | None = None,
    *,
    classes: int | None = None,
    domain: DomainLike | None = None,
    status: str | None = None,
) -> Atlas:
    """Return the stored verdicts on measures × properties, or a part of them.

    >>> atlas("f1", "monotone", classes=2, domain="all")
    measure  m  domain  Mon
    f1       2  all     ✗2
    """
    return stored().filter(measure=measure, property=property, classes=classes, domain=domain, status=status)


@cache
def stored() -> Atlas:
    """Return the atlas that comes with the package."""
    return unpack(files("goodmeasure.theory.atlas").joinpath(FILE).read_bytes())


def opened(cell: AtlasCell) -> Verdict:
    """Return a stored cell as a verdict."""
    return made_of(Verdict, _whole(cell))


def _whole(cell: AtlasCell) -> AtlasCell:
    """Return a stored cell with its witness and its certificate as plain data."""
    witness, certificate = cell["witness"], cell["certificate"]
    return {
        **cell,
        "witness": current_form(json.loads(witness)) if isinstance(witness, str) else witness,
        "certificate": json.loads(certificate.text) if isinstance(certificate, StoredCertificate) else certificate,
    }


class _Texts:
    """The JSON texts of all certificates, which are decompressed when the first of them is read."""

    def __init__(self, compressed: bytes) -> None:
        self._compressed = compressed

    @cached_property
    def texts(self) -> list[str]:
        found: list[str] = json.loads(lzma.decompress(self._compressed))
        return found


class StoredCertificate(NamedTuple):
    """A certificate in the file of the atlas."""

    among: _Texts
    place: int

    @property
    def text(self) -> str:
        """Return the certificate as JSON."""
        return self.among.texts[self.place]


def pack(cells: Iterable[AtlasCell], about: dict[str, ReadJson]) -> bytes:
    """Return an atlas as the bytes of a compressed file.

    Certificates are most of the data, and few readers of verdicts need one. So the file is two compressed streams, one
    after the other: the verdicts, which give the place of their certificate in a list, and this list. Witnesses and
    certificates are stored as text inside the JSON, so that loading need not parse them.
    """
    kept: list[AtlasCell] = []
    texts: list[str] = []
    for cell in cells:
        witness, certificate, place = cell["witness"], cell["certificate"], None
        if certificate is not None:
            place = len(texts)
            texts.append(_text(certificate))
        kept.append({**cell, "witness": None if witness is None else _text(witness), "certificate": place})
    return _compressed({"format": FORMAT, **about, "cells": kept}) + _compressed(texts)


def _compressed(data: object) -> bytes:
    return lzma.compress(_text(data).encode("utf-8"), filters=[_OF_TEXTS])


def _text(data: object) -> str:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def unpack(data: bytes) -> Atlas:
    """Return the atlas in a compressed file."""
    stream = lzma.LZMADecompressor()
    found = json.loads(stream.decompress(data))
    if found.get("format") != FORMAT:
        raise InputError(
            "the atlas has format {format!r}", format=found.get("format"), known=FORMAT, expected="{known!r}"
        )
    among = _Texts(stream.unused_data)
    for cell in found["cells"]:
        if cell["certificate"] is not None:
            cell["certificate"] = StoredCertificate(among, cell["certificate"])
    return Atlas(found["cells"], tuple(found.get("averages", ())))


def home() -> Path:
    """Return the path of the atlas in the installed package."""
    return Path(str(files("goodmeasure.theory.atlas").joinpath(FILE)))
