"""Certificates: what proves a statement, as documented plain data that another program can check."""

from __future__ import annotations

import hashlib
import inspect
import json
import textwrap
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

FORMAT = "goodmeasure certificate 1"
_LONGEST = 300  # characters of a polynomial that is written out; a longer one is told by its digest

Node = dict[str, Any]


@dataclass(frozen=True)
class Certificate:
    """A proof that a measure has a property, case by case; ``gm.verify`` checks it.

    ``cases``: each is told by its ``kind`` and by what it is about (support, move, map, …) and has a ``proof``.
    ``constants``: what the statement says to exist, as exact text in the measure's own sign.
    ``symmetric``: cases are listed up to renaming the classes. See docs/certificates.md.
    """

    statement: str
    measure: str
    definition: str
    classes: int | str
    domain: str
    undefined: str
    method: str
    cases: tuple[Node, ...]
    constants: Mapping[str, str] = field(default_factory=dict)
    symmetric: bool = False
    parts: tuple[Certificate, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """As plain data."""
        data: dict[str, Any] = {
            "format": FORMAT,
            "statement": self.statement,
            "measure": {"name": self.measure, "definition": self.definition},
            "classes": self.classes,
            "domain": self.domain,
            "undefined": self.undefined,
            "method": self.method,
            "constants": dict(self.constants),
            "symmetric": self.symmetric,
            "cases": list(self.cases),
        }
        return {**data, "parts": [x.to_json() for x in self.parts]} if self.parts else data

    @classmethod
    def from_json(cls, data: Mapping[str, Any] | str) -> Certificate:
        """From plain data, or from its JSON text."""
        if isinstance(data, str):
            return cls.from_json(dict(json.loads(data)))
        if data.get("format") != FORMAT:
            raise ValueError(f"format is {data.get('format')!r}: expected {FORMAT!r}")
        missing = [x for x in ("statement", "measure", "classes", "domain", "undefined", "cases") if x not in data]
        if missing:
            raise ValueError(f"the certificate lacks {', '.join(missing)}")
        return cls(
            statement=data["statement"],
            measure=data["measure"]["name"],
            definition=data["measure"].get("definition", ""),
            classes=data["classes"],
            domain=data["domain"],
            undefined=data["undefined"],
            method=data.get("method", ""),
            cases=tuple(data["cases"]),
            constants=dict(data.get("constants", {})),
            symmetric=bool(data.get("symmetric", False)),
            parts=tuple(cls.from_json(x) for x in data.get("parts", ())),
        )

    def __repr__(self) -> str:
        return f"Certificate({self.statement!r}, {self.measure!r}, {len(self.cases)} cases, {self.method!r})"


def definition_of(measure: Any) -> str:
    """The text of a measure's definition; of a measure whose text cannot be had, its formula, or nothing.

    The declaration above it (title, aliases, citation) is left out: a new alias makes no other measure.
    """
    try:
        lines = textwrap.dedent(inspect.getsource(measure.function)).strip().splitlines()
        start = next((k for k, line in enumerate(lines) if line.startswith("def ")), 0)
        return "\n".join(lines[start:])
    except (OSError, TypeError):
        pass
    try:
        return str(measure.formula)
    except (TypeError, ValueError, ArithmeticError):
        return ""


def record(text: str) -> str:
    """A polynomial as it stands in a certificate: written out, or its digest where it is long."""
    if len(text) <= _LONGEST:
        return text
    return f"sha256:{hashlib.sha256(text.encode()).hexdigest()}"
