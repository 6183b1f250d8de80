"""A formula of one's own: its value, how it is printed, and which properties it has."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable

from goodmeasure.catalogue.explanation import number
from goodmeasure.catalogue.measure import Measure
from goodmeasure.catalogue.register import entry_of
from goodmeasure.counts.matrix import ConfusionMatrix
from goodmeasure.language.typed.formula import TypedFormula
from goodmeasure.theory.check import check
from goodmeasure.theory.statements.verdict import Verdict
from goodmeasure.web.answers.measure_pages import formula_data, symbols, verdict_data
from goodmeasure.web.answers.page_data import PageData
from goodmeasure.web.answers.what_if import EXACT_CLASSES

SEARCH_SECONDS, PROOF_SECONDS = 4.0, 4.0  # for each property


def own_measure(text: str) -> Measure:
    """Return the measure that a formula describes; measures of the catalogue may be used in it by name."""
    return _measure(TypedFormula(text, _named))


def _measure(formula: TypedFormula) -> Measure:
    return Measure.from_tree(formula.tree, formula.name, title="Own formula")


def _named(name: str) -> Measure | None:
    found = entry_of(name)
    return found if isinstance(found, Measure) else None


def about_formula(text: str, matrix: ConfusionMatrix | None) -> PageData:
    """Return the formula as it is printed, and its value on a matrix."""
    typed = TypedFormula(text, _named)
    f = _measure(typed)
    printed = f.formula
    infinity = "from math import inf\n\n" if "inf" in re.findall(r"\w+", typed.python) else ""
    return {
        "name": f.name,
        "classes": f.classes,
        "formula": formula_data(printed),
        "where": symbols(printed),
        "python": f"{infinity}import goodmeasure as gm\n\n\n{typed.python}\n\n\ngm.check({f.name})",
        "command": f"goodmeasure check own.py:{shlex.quote(f.name)}",
        **({} if matrix is None else _on(f, matrix)),
    }


def _on(f: Measure, matrix: ConfusionMatrix) -> PageData:
    """Return the value on a matrix, exactly where that takes little time, and step by step."""
    if f.classes == 2 and matrix.m != 2:
        few = f"The formula uses the cells of two classes, and the matrix has {matrix.m}."
        return {"value": None, "exact": None, "reason": few, "worked": None}
    told = f.explain(matrix)
    small = matrix.m <= EXACT_CLASSES
    return {
        "value": told.value,
        "exact": str(f.exact(matrix)) if small and told.value == told.value else None,
        "reason": "; ".join(told.notes) or None,
        "worked": told.worked,
        "shown": number(told.value),
    }


def check_measure(
    f: Measure, classes: int, domain: str, properties: list[str] | None, emit: Callable[[PageData], None]
) -> None:
    """Decide the properties of a measure one after another, and hand each verdict over as soon as it is known."""

    def told(verdict: Verdict) -> None:
        emit(verdict_data(verdict))

    check(
        f, classes, domain, properties=properties, watch=told, source="own", seconds=SEARCH_SECONDS,
        proof_seconds=PROOF_SECONDS, call_seconds=2.0,
    )  # fmt: skip
