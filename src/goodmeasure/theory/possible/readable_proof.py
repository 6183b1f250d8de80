"""Print a proof of impossibility for people: the rows, their multipliers, and what they add up to."""

from __future__ import annotations

from collections.abc import Mapping

from goodmeasure.theory.kernel.kinds.impossible import Rows
from goodmeasure.theory.kernel.texts import parsed
from goodmeasure.theory.kernel.values import Value
from goodmeasure.theory.statements.lookup import statement as statement_of
from goodmeasure.typing import ReadJson

_SIGNS = {"=": "=", ">": ">", ">=": "≥"}


def proof_text(certificate: Mapping[str, ReadJson]) -> str:
    """Return the proof in a certificate as text, one row to a line; rows are rebuilt from their statements."""
    check = Rows(certificate)
    lines = []
    for row in certificate["rows"]:
        form, relation = check.rebuilt(row)
        weight = quotient_text(parsed(check.ring, row["multiplier"]))
        times = f"({weight})" if " " in weight or weight.startswith("−") else weight
        lines.append((times, _row_text(form, relation), _source(row)))
    width = [max(len(x[k]) for x in lines) for k in range(2)]
    body = [f"  {a:>{width[0]}} ×  {b:<{width[1]}}   {c}" for a, b, c in lines]
    return "\n".join([*body, "  Times their multipliers the rows add up to 0 > 0: every value of M cancels."])


def _row_text(form: Mapping[object, Value], relation: str) -> str:
    """Return a row as an equation or inequality without negative coefficients."""
    sides: tuple[list[str], list[str]] = ([], [])
    for x, coefficient in form.items():
        if coefficient.is_zero():
            continue
        negative = coefficient.coefficient < 0
        weight = quotient_text(-coefficient if negative else coefficient)
        inside = f"({weight})" if " " in weight and "/" not in weight else weight
        sides[negative].append(_name(x) if weight == "1" else f"{inside}·{_name(x)}")
    left, right = (" + ".join(side) or "0" for side in sides)
    return f"{left} {_SIGNS[relation]} {right}"


def quotient_text(x: Value) -> str:
    """Return a quotient of polynomials as text, each multiplied out."""
    ring, k = x.ring, x.coefficient
    over = ring.expanded({f: e for f, e in x.powers.items() if e > 0}).times(k.numerator)
    under = ring.expanded({f: -e for f, e in x.powers.items() if e < 0}).times(k.denominator)
    above, below = (ring.text(p).replace("*", "").replace("-", "−") for p in (over, under))
    if below == "1":
        return above
    above, below = (f"({y})" if " " in y else y for y in (above, below))
    return f"{above}/{below}"


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
