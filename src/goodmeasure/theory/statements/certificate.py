"""Certificates: proofs of statements as plain data, which the kernel checks (`theory/kernel/`)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import cast

from goodmeasure.exceptions import InputError
from goodmeasure.theory.kernel.entry import FORMAT as FORMAT
from goodmeasure.typing import ReadJson

CertificateNode = dict[str, ReadJson]  # a case of a proof
_WANTED = ("statement", "measure", "classes", "domain", "undefined")


@dataclass(frozen=True, repr=False)
class Certificate:
    """A proof that a measure has a property, case by case; ``gm.verify`` checks it.

    ``data`` is the certificate as JSON holds it; docs/certificates.md describes its fields.
    """

    data: Mapping[str, ReadJson]

    @property
    def statement(self) -> str:
        """The name of the property."""
        return str(self.data["statement"])

    @property
    def measure(self) -> str:
        """The name of the measure, or of the family."""
        return str(self.data["measure"]["name"])

    @property
    def classes(self) -> int | str:
        """The number of classes, or "every"."""
        return cast("int | str", self.data["classes"])

    @property
    def domain(self) -> str:
        """The name of the domain."""
        return str(self.data["domain"])

    @property
    def undefined(self) -> str:
        """The policy for undefined terms."""
        return str(self.data["undefined"])

    @property
    def constants(self) -> Mapping[str, str]:
        """The constants that the statement claims to exist, as exact text in the measure's own sign."""
        return cast("Mapping[str, str]", self.data.get("constants", {}))

    @property
    def cases(self) -> tuple[CertificateNode, ...]:
        """The cases, each with its proof."""
        return tuple(self.data.get("cases", ()))

    @property
    def vacuous(self) -> bool:
        """Whether it shows that the statement says nothing: each of its cases has a matrix without a value."""
        return self.data.get("by") == "vacuous"

    def to_dict(self) -> dict[str, ReadJson]:
        """Return the certificate as plain data."""
        return dict(self.data)

    def to_json(self) -> str:
        """Return the certificate as JSON."""
        return json.dumps(self.data, ensure_ascii=False, indent=1)

    def _stored(self) -> dict[str, ReadJson]:
        """Return what a document holds."""
        return self.to_dict()

    @classmethod
    def _restored(cls, data: Mapping[str, ReadJson]) -> Certificate:
        """Return the certificate that a document holds."""
        return cls.from_json(data)

    @classmethod
    def from_json(cls, data: Mapping[str, ReadJson] | str) -> Certificate:
        """Return the certificate that plain data, or its JSON text, describes."""
        if isinstance(data, str):
            return cls.from_json(dict(json.loads(data)))
        if data.get("format") != FORMAT:
            raise InputError("format is {format!r}", format=data.get("format"), known=FORMAT, expected="{known!r}")
        missing = [x for x in _WANTED if x not in data]
        if missing:
            raise InputError("the certificate lacks {missing}", missing=", ".join(missing))
        return cls(data)

    def __hash__(self) -> int:
        return hash(json.dumps(self.data, sort_keys=True))

    def __repr__(self) -> str:
        return f"Certificate({self.statement!r}, {self.measure!r}, {len(self.cases)} cases)"
