"""Certificates: proofs of statements as plain data that another program can check."""

from __future__ import annotations

import ast
import inspect
import json
import textwrap
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from goodmeasure.exceptions import InputError
from goodmeasure.theory.statements.proof_steps import ProofSteps, steps_of
from goodmeasure.typing import ReadJson

if TYPE_CHECKING:
    from goodmeasure.catalogue.measure import Measure


FORMAT = "goodmeasure certificate 1"

CertificateNode = dict[str, ReadJson]  # a case of a proof


@dataclass(frozen=True)
class Certificate:
    """A proof that a measure has a property, case by case; ``gm.verify`` checks it.

    ``cases``: each says what it is about (support, move, map, …) and has a ``proof``. ``constants``: the constants that
    the statement claims to exist, as exact text in the measure's own sign. ``symmetric``: cases are listed up to
    renaming the classes. ``parts``: certificates that this one rests on. ``vacuous``: the proof shows that the
    statement speaks of nothing, because each of its cases has a matrix without a value. ``steps``: the steps of which
    the proof is made, from the outside in; ``method`` is what they are called. ``family`` and ``exponents``: if it is
    about many measures at once, their family, and for which of its exponents r: "r" (every real number), "r > 0" or
    "r <= 0". See docs/certificates.md.
    """

    statement: str
    measure: str
    definition: str
    classes: int | str
    domain: str
    undefined: str
    method: str
    cases: tuple[CertificateNode, ...]
    constants: Mapping[str, str] = field(default_factory=dict)
    symmetric: bool = False
    parts: tuple[Certificate, ...] = ()
    vacuous: bool = False
    steps: ProofSteps = field(default=(), compare=False)  # the method says the same
    family: str = ""
    exponents: str = ""

    def to_json(self) -> dict[str, object]:
        """Return the certificate as plain data."""
        about = {"family": self.family, "exponents": self.exponents} if self.exponents else {}
        data: dict[str, object] = {
            "format": FORMAT,
            "statement": self.statement,
            "measure": {"name": self.measure, "definition": self.definition, **about},
            "classes": self.classes,
            "domain": self.domain,
            "undefined": self.undefined,
            "method": self.method,
            "constants": dict(self.constants),
            "symmetric": self.symmetric,
            "cases": list(self.cases),
        }
        if self.vacuous:
            data["vacuous"] = True
        return {**data, "parts": [x.to_json() for x in self.parts]} if self.parts else data

    @classmethod
    def from_json(cls, data: Mapping[str, ReadJson] | str) -> Certificate:
        """Return the certificate that plain data, or its JSON text, describes."""
        if isinstance(data, str):
            return cls.from_json(dict(json.loads(data)))
        if data.get("format") != FORMAT:
            raise InputError("format is {format!r}", format=data.get("format"), known=FORMAT, expected="{known!r}")
        missing = [x for x in ("statement", "measure", "classes", "domain", "undefined", "cases") if x not in data]
        if missing:
            raise InputError("the certificate lacks {missing}", missing=", ".join(missing))
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
            vacuous=data.get("vacuous", False) is True,
            steps=steps_of(data.get("method", "")),
            family=data["measure"].get("family", ""),
            exponents=data["measure"].get("exponents", ""),
        )

    def __repr__(self) -> str:
        return f"Certificate({self.statement!r}, {self.measure!r}, {len(self.cases)} cases, {self.method!r})"


def without_types(source: str) -> str:
    """Return the source text of a function without the types of its arguments and results, which compute nothing.

    Everything else stays as it is written, so that only the same definition has the same text.
    """
    try:
        functions = [x for x in ast.walk(ast.parse(source)) if isinstance(x, ast.FunctionDef)]
    except SyntaxError:  # a lambda in the middle of a call, or a formula
        return source
    lines = [x.encode() for x in source.splitlines()]  # Python counts columns in bytes
    starts = [sum(len(x) + 1 for x in lines[:k]) for k in range(len(lines))]
    text, spans = b"\n".join(lines), []
    for function in functions:
        named = function.args
        for argument in (*named.posonlyargs, *named.args, *named.kwonlyargs, named.vararg, named.kwarg):
            if argument is not None and argument.annotation is not None:
                begin = starts[argument.lineno - 1] + argument.col_offset + len(argument.arg.encode())
                spans.append((begin, _end(argument.annotation, starts)))
        if function.returns is not None:
            arrow = text.rindex(b"->", 0, starts[function.returns.lineno - 1] + function.returns.col_offset)
            spans.append((len(text[:arrow].rstrip()), _end(function.returns, starts)))
    for begin, end in sorted(spans, reverse=True):
        text = text[:begin] + text[end:]
    return text.decode()


def _end(node: ast.expr, starts: list[int]) -> int:
    """Return where an expression ends in the text."""
    assert node.end_lineno is not None
    assert node.end_col_offset is not None
    return starts[node.end_lineno - 1] + node.end_col_offset


def definition_of(measure: Measure) -> str:
    """Return the source text of a measure's definition; its formula, or "", where there is no source text.

    The declaration above it (title, aliases, citation) is left out, since a new alias does not change the measure.
    """
    try:
        lines = textwrap.dedent(inspect.getsource(measure.function)).strip().splitlines()
        start = next((k for k, line in enumerate(lines) if line.startswith("def ")), 0)
        return without_types("\n".join(lines[start:]))
    except (OSError, TypeError):
        pass
    try:
        return str(measure.formula)
    except (TypeError, ValueError, ArithmeticError):
        return ""
