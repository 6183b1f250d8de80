"""Print a proof of impossibility for people: the rows, their multipliers, and what they add up to."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import TYPE_CHECKING

from goodmeasure.theory.statements.lookup import statement as statement_of
from goodmeasure.theory.verify.impossibility import RowCheck, polynomial
from goodmeasure.typing import ReadJson

if TYPE_CHECKING:
    from flint import fmpq, fmpq_poly

_SIGNS = {"=": "=", ">": ">", ">=": "≥"}


def proof_text(certificate: Mapping[str, ReadJson]) -> str:
    """Return the proof in a certificate as text, one row to a line; rows are rebuilt from their statements."""
    check = RowCheck(certificate)
    lines = []
    for row in certificate["rows"]:
        form, relation = check.rebuilt(row)
        lines.append((_times(row["multiplier"]), _row_text(form, relation), _source(row)))
    width = [max(len(x[k]) for x in lines) for k in range(2)]
    body = [f"  {a:>{width[0]}} ×  {b:<{width[1]}}   {c}" for a, b, c in lines]
    return "\n".join([*body, "  Times their multipliers the rows add up to 0 > 0: every value of M cancels."])


def _times(multiplier: object) -> str:
    text = _polynomial_text(polynomial(multiplier))
    return f"({text})" if " " in text or text.startswith("−") else text


def _row_text(form: Mapping[object, tuple[fmpq_poly, fmpq_poly]], relation: str) -> str:
    """Return a row as an equation or inequality without negative coefficients."""
    sides: tuple[list[str], list[str]] = ([], [])
    for x, (over, under) in form.items():
        if over.is_zero():
            continue
        top, bottom = _reduced(over, under)
        negative = _leading(top) < 0
        weight = _quotient_text(-top if negative else top, bottom)
        sides[negative].append(_name(x) if weight == "1" else f"{weight}·{_name(x)}")
    left, right = (" + ".join(side) or "0" for side in sides)
    return f"{left} {_SIGNS[relation]} {right}"


def _reduced(over: fmpq_poly, under: fmpq_poly) -> tuple[fmpq_poly, fmpq_poly]:
    """Return a quotient of polynomials in lowest terms, with integer coefficients."""
    common = over.gcd(under)
    top, bottom = over // common, under // common
    top_scale, bottom_scale = int(top.denom()), int(bottom.denom())
    top, bottom = top * top_scale * bottom_scale, bottom * bottom_scale * top_scale
    factor = _content(top, bottom) * (-1 if _leading(bottom) < 0 else 1)
    return top / factor, bottom / factor


def _content(*polynomials: fmpq_poly) -> int:
    from math import gcd

    return gcd(*(int(x[k].p) for x in polynomials for k in range(x.degree() + 1))) or 1


def _leading(x: fmpq_poly) -> fmpq:
    return x[x.degree()]


def _quotient_text(top: fmpq_poly, bottom: fmpq_poly) -> str:
    over, under = _polynomial_text(top), _polynomial_text(bottom)
    if under == "1":
        return f"({over})" if " " in over else over
    over, under = (f"({x})" if " " in x else x for x in (over, under))
    return f"{over}/{under}"


def _polynomial_text(x: fmpq_poly) -> str:
    """Return a polynomial in n as text, the highest power first."""
    terms = []
    for k in range(x.degree(), -1, -1):
        value = Fraction(int(x[k].p), int(x[k].q))
        if value:
            letter = "" if k == 0 else "n" if k == 1 else f"n^{k}"
            number = "" if abs(value) == 1 and letter else str(abs(value))
            terms.append(("−" if value < 0 else "+", number + letter))
    if not terms:
        return "0"
    first = ("−" if terms[0][0] == "−" else "") + terms[0][1]
    return " ".join([first, *(f"{sign} {text}" for sign, text in terms[1:])])


def _name(x: ReadJson) -> str:
    if isinstance(x[0], str):
        return f"{x[1]}"
    return f"M[{'|'.join(' '.join(_cell(c) for c in row) for row in x)}]"


def _cell(x: tuple[int, int]) -> str:
    if not x[0]:
        return str(x[1])
    return "n" if x[1] == 0 else f"n{'+' if x[1] > 0 else '−'}{abs(x[1])}"


def _source(row: Mapping[str, ReadJson]) -> str:
    about, of = row["about"], statement_of(row["statement"])
    if "labelings" in about:
        return f"{of.name}: triangle inequality"
    if "part" in about:
        return f"{of.name}: {about['part'].replace('_', ' ')}"
    return of.name
