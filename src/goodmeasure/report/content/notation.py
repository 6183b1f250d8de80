"""What the symbols in formulas mean, so that a text can define every symbol that it uses."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from goodmeasure.catalogue.measure import Measure
from goodmeasure.typing import ArrayLike

if TYPE_CHECKING:
    from goodmeasure.catalogue.scores.measure import ScoreMeasure


@dataclass(frozen=True)
class Symbol:
    """A symbol: how it is recognised in a formula, and a definition in words, with mathematics between $ signs."""

    pattern: str
    words: str

    def occurs_in(self, formula: str) -> bool:
        """Return whether a formula uses the symbol."""
        return re.search(self.pattern, formula) is not None


_MARKS = r"(?:'|\^\{\(i\)\})*"  # counts of derived matrices are marked: calibrated, or one class against the rest
_CELLS = r"\\mathrm\{(?:TP|FN|FP|TN)\}"
_LETTER = r"(?<![A-Za-z\\]){}(?![A-Za-z])"
POSITIVE = "{positive}"  # stands for the name of the positive class, which may hold any character


def definitions(formulas: Iterable[str], classes: int, weighted: bool) -> list[str]:
    """Return the definitions of all symbols that formulas use, each as a clause with mathematics between $ signs.

    ``weighted`` says whether items have weights; ``POSITIVE`` stands for the name of the positive class.
    """
    texts = list(formulas)
    return [x.words for x in _symbols(classes, weighted) if any(x.occurs_in(text) for text in texts)]


def _symbols(classes: int, weighted: bool) -> list[Symbol]:
    number, size = ("total weight of the items", "weights") if weighted else ("number of items", "numbers")
    return [
        Symbol(rf"c{_MARKS}_\{{|a{_MARKS}_\{{|b{_MARKS}_\{{",
               f"$c_{{ij}}$ is the {number} of true class $i$ that were predicted as class $j$"),
        Symbol(rf"a{_MARKS}_\{{", rf"$a_i = \sum_j c_{{ij}}$ is the {number} of true class $i$"),
        Symbol(rf"b{_MARKS}_\{{", rf"$b_i = \sum_j c_{{ji}}$ is the {number} that were predicted as class $i$"),
        Symbol(_LETTER.format("n"), f"$n$ is the {number}"),
        Symbol(_LETTER.format("m"), f"$m = {classes}$ is the number of classes"),
        Symbol(rf"{_CELLS}(?!'*_\{{)",
               r"$\mathrm{TP}$, $\mathrm{FN}$, $\mathrm{FP}$ and $\mathrm{TN}$ are the "
               f"{size} of true positives, false negatives, false positives and true negatives, with {POSITIVE} as the "
               "positive class"),
        Symbol(rf"{_CELLS}'*_\{{i",
               r"$\mathrm{TP}_i$, $\mathrm{FN}_i$, $\mathrm{FP}_i$ and $\mathrm{TN}_i$ are the "
               f"{size} of true positives, false negatives, false positives and true negatives of class $i$ against "
               "the rest"),
        Symbol(rf"{_CELLS}'*_\{{ij",
               "a second index $j$ stands for the two classes of such a matrix, $i$ and the rest"),
        Symbol(r"\^\{\(i\)\}", "the superscript $(i)$ marks the counts of class $i$ against the rest"),
        Symbol(r"'", "a prime marks counts after calibration to equal class sizes, and sums of such counts"),
        Symbol(r"\\log", r"$\log$ is the natural logarithm"),
        Symbol(r"\\vee", r"$\vee$ means “or”"),
    ]  # fmt: skip


def parameters(measure: Measure | ScoreMeasure) -> str:
    """Return a clause that defines the costs or weights of a measure that its formula leaves open; empty otherwise.

    >>> import goodmeasure as gm
    >>> parameters(gm.k_ordinal("absolute"))
    'where $E_{ij} = |i - j|$'
    """
    family, chosen = measure.made_by, measure.parameters
    if family == "k_cost":
        return f"where $E_{{ij}}$ is the cost of predicting class $j$ for class $i$, {_rows(chosen['costs'])}"
    if family == "weighted_kappa" and not isinstance(chosen["weights"], str):
        return f"where $w_{{ij}}$ is the cost of predicting class $j$ for class $i$, {_rows(chosen['weights'])}"
    if family == "k_ordinal":
        power = "" if chosen["error"] == "absolute" else "^2"
        steps = chosen.get("steps")
        if not isinstance(steps, tuple):
            return f"where $E_{{ij}} = |i - j|{power}$"
        apart = ", ".join(map(str, steps))
        return (
            f"where $E_{{ij}} = d_{{ij}}{power}$ and $d_{{ij}}$ is the distance of classes $i$ and $j$; neighbouring "
            f"classes are {apart} apart"
        )
    return ""


def _rows(table: ArrayLike) -> str:
    """Return a table in words, row by row."""
    return "in rows " + ", ".join(f"({', '.join(map(str, row))})" for row in table)
