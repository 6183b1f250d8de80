"""Read what is handed to `gm.verify`: a certificate in one of its forms, its measure, and constants such as 1/m."""

from __future__ import annotations

import ast
import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING

from goodmeasure.catalogue.family import Family
from goodmeasure.catalogue.measure import Measure, as_measure
from goodmeasure.catalogue.names import fits, named
from goodmeasure.catalogue.register import entries, entry_of
from goodmeasure.exceptions import InputTypeError
from goodmeasure.language.exact.reals import Exact
from goodmeasure.language.record import LeftOpen
from goodmeasure.theory.statements.certificate import Certificate, definition_of, without_types
from goodmeasure.theory.subject.time_limits import TooSlow
from goodmeasure.theory.verify.arithmetic import FunctionValue, Ground, Refused
from goodmeasure.theory.verify.atoms import OpenExponent
from goodmeasure.theory.verify.signs import CertificateError, demand
from goodmeasure.typing import ReadJson

if TYPE_CHECKING:
    from goodmeasure.language.policy import Undefined

EVERY_EXPONENT = "r"
SIDES = {"r > 0": True, "r <= 0": False}  # a family with an exponent is read for either sign of it


class OpenMeasure(Measure):
    """A family with an exponent r as one measure, of which only the sign of r is known.

    `generalized_mean(r)` divides by a power mean of two values. A check uses only what holds for every r of one sign
    (see `atoms.MeanAtom` and `atoms.share`), so it is about all of them; r = ±∞ is not covered. Branches for special
    exponents are taken to be shortcuts that agree with the general formula. ``sample`` is the measure with one exponent
    of that sign, for comparisons with numbers.
    """

    def __init__(self, family: Family, side: str) -> None:
        self.exponent = OpenExponent(SIDES[side])
        self.sample = family(r=float(self.exponent.sample))
        super().__init__(
            family.build(r=LeftOpen(self.exponent.sample)),
            f"{family.name}({side})",
            orientation=self.sample.orientation,
            classes=self.sample.classes,
            family=self.sample.family,
        )

    def exact(self, *data: object, undefined: Undefined = "resolve", **options: object) -> Exact:
        """Return the exact value for the sample exponent."""
        value: Exact = self.sample.exact(*data, undefined=undefined, **options)
        return value


def exponents_of(certificate: Certificate) -> tuple[Family, str] | None:
    """Return the family and the exponents that a certificate is about; None for a certificate about one measure.

    Certificates of earlier versions have these only in the name of the measure, such as 'generalized_mean(r > 0)'. It
    is looked up among the names that the families of the catalogue have with their exponents left open.
    """
    name, exponents = certificate.family, certificate.exponents
    if not exponents:
        families = [x for x in entries() if isinstance(x, Family) and list(x.signature.parameters) == ["r"]]
        named = {f"{x.name}({which})": (x.name, which) for x in families for which in (EVERY_EXPONENT, *SIDES)}
        name, exponents = named.get(certificate.measure, ("", ""))
    family = entry_of(name)
    return (family, exponents) if isinstance(family, Family) and exponents in (EVERY_EXPONENT, *SIDES) else None


@contextmanager
def readable(proof: object) -> Iterator[None]:
    """Turn every error while a certificate is read into a `CertificateError`: what cannot be read proves nothing."""
    if not isinstance(proof, (str, Mapping)) and not hasattr(proof, "certificate") and not hasattr(proof, "cases"):
        raise InputTypeError("{got!r} is not a verdict, a certificate, or its JSON", argument="proof", got=proof)
    try:
        yield
    except (CertificateError, TooSlow):
        raise
    except (LookupError, TypeError, ValueError, AttributeError, ArithmeticError, Refused, RecursionError) as error:
        raise CertificateError(
            "the certificate cannot be read: {kind}: {why}", kind=type(error).__name__, why=error
        ) from None


def certificate_of(proof: object) -> tuple[Certificate, Mapping[str, ReadJson] | None]:
    """Return the certificate of a verdict, of plain data or of JSON text, and what the verdict says, if it is one."""
    if isinstance(proof, Certificate):
        return proof, None
    try:
        data = json.loads(proof) if isinstance(proof, str) else proof
        said = data if isinstance(data, Mapping) else vars(data)
        if "certificate" not in said:
            return Certificate.from_json(said), None
        carried = said["certificate"]
        demand(
            carried is not None,
            "the verdict is {got!r} and has no certificate",
            field="certificate",
            got=said.get("status"),
            advice="its witness can be replayed, see .witness" if said.get("status") == "refuted" else "",
        )
        return carried if isinstance(carried, Certificate) else Certificate.from_json(carried), said
    except CertificateError:
        raise
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise CertificateError("this is no certificate: {why}", why=error) from None


def refuted_by_matrices(proof: object) -> Mapping[str, ReadJson] | None:
    """Return the data of a refuted verdict that has a witness and no certificate; None for anything else."""
    try:
        data = json.loads(proof) if isinstance(proof, str) else proof
    except ValueError:
        return None  # the error is raised where certificates are read
    said = data if isinstance(data, Mapping) else vars(data) if hasattr(data, "witness") else {}
    refuted = said.get("status") == "refuted" and said.get("certificate") is None
    return said if refuted and said.get("witness") is not None else None


def takes_only(measure: Measure, classes: object) -> bool:
    """Return whether a measure takes matrices of one number of classes only; a user's function is tried on others."""
    others = [m for m in (2, 3, 4, 5) if m != classes]
    if not measure.is_users_own():
        return not any(fits(measure, m) for m in others)
    for m in others:
        try:
            measure.exact([[i + j + 1 for j in range(m)] for i in range(m)])
        except Exception:  # noqa: BLE001 - a user's function may raise anything for a matrix that it does not take
            continue
        return False
    return True


def measure_of(certificate: Certificate, measure: object) -> Measure:
    """Return the measure that a certificate is about, after demanding that its name and definition are the same."""
    hint = "" if measure is not None else "a measure of your own is given as gm.verify(…, measure=…)"
    about = exponents_of(certificate) if measure is None else None
    if about is not None and about[1] in SIDES:
        measure = OpenMeasure(*about)
    if measure is None:
        try:
            measure = named(certificate.measure, argument="measure", warns=False)
        except ValueError as error:
            raise CertificateError("{why}", field="measure", got=certificate.measure, why=error, advice=hint) from None
    known = as_measure(measure)
    demand(
        known.name == certificate.measure,
        "the certificate is about {got}, not {known}",
        field="measure",
        got=certificate.measure,
        known=known.name,
        advice=hint,
    )
    demand(
        definition_of(known) == without_types(certificate.definition),
        "the definition of {known} is not the one that the certificate is about",
        field="measure",
        got=certificate.definition,
        known=known.name,
        advice=hint,
    )
    return known


def function_of_m(ground: Ground, text: str) -> FunctionValue | None:
    """Return text such as (m - 2)/(m + 1) as a value; None for text that is no quotient of polynomials in m."""
    try:
        return _parsed(ground, ast.parse(text.replace("^", "**"), mode="eval").body)
    except (SyntaxError, TypeError, ValueError):
        return None


def _parsed(ground: Ground, node: ast.AST) -> FunctionValue:
    if isinstance(node, ast.Constant) and type(node.value) is int:
        return ground.rational(node.value)
    if isinstance(node, ast.Name) and node.id == "m":
        return ground.value(ground.variables["k"] + 1)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return -_parsed(ground, node.operand)
    if isinstance(node, ast.BinOp) and type(node.op) in _OPERATIONS:
        return _OPERATIONS[type(node.op)](_parsed(ground, node.left), _parsed(ground, node.right))
    raise ValueError("no quotient of polynomials in m")


_OPERATIONS: dict[type[ast.operator], Callable[[FunctionValue, FunctionValue], FunctionValue]] = {
    ast.Add: lambda x, y: x + y,
    ast.Sub: lambda x, y: x - y,
    ast.Mult: lambda x, y: x * y,
    ast.Div: lambda x, y: x / y,
    ast.Pow: lambda x, y: x ** int(y.number),  # type: ignore[arg-type] # without a number it raises
}
