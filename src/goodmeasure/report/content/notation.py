"""What the symbols in formulas mean, so that a text can define every symbol that it uses."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from goodmeasure.catalogue.measure import Measure
from goodmeasure.language.record import CannotRecord
from goodmeasure.typing import ArrayLike

if TYPE_CHECKING:
    from goodmeasure.catalogue.scores.measure import ScoreMeasure


class ClausePiece(NamedTuple):
    """A part of a clause: words, or mathematics in LaTeX."""

    text: str
    is_math: bool = False


Clause = tuple[ClausePiece, ...]


@dataclass(frozen=True)
class Symbol:
    """A symbol: how it is recognised in a formula, and its definition."""

    pattern: str
    words: Clause

    def occurs_in(self, formula: str) -> bool:
        """Return whether a formula uses the symbol."""
        return re.search(self.pattern, formula) is not None


_MARKS = r"(?:'|\^\{\(i\)\})*"  # counts of derived matrices are marked: calibrated, or one class against the rest
_CELLS = r"\\mathrm\{(?:TP|FN|FP|TN)\}"
_LETTER = r"(?<![A-Za-z\\]){}(?![A-Za-z])"


def formula_of(f: Measure | ScoreMeasure) -> str | None:
    """Return the formula of a measure; None for a user's function that has none, such as one with an `if`."""
    try:
        return f.formula
    except CannotRecord:
        return None


def definitions(formulas: Iterable[str], classes: int | None, positive: str, *, weighted: bool) -> list[Clause]:
    """Return the definitions of all symbols that formulas use, each as a clause.

    `classes` is the number of classes, or None where it is open, and `positive` names the positive class. `weighted`
    says whether items have weights.
    """
    texts = list(formulas)
    return [x.words for x in _symbols(classes, positive, weighted) if any(x.occurs_in(text) for text in texts)]


def _clause(*pieces: str) -> Clause:
    """Return a clause of words and mathematics, which take turns."""
    return tuple(ClausePiece(x, is_math=k % 2 == 1) for k, x in enumerate(pieces) if x)


def _symbols(classes: int | None, positive: str, weighted: bool) -> list[Symbol]:
    number, size = ("total weight of the items", "weights") if weighted else ("number of items", "numbers")
    four = f"{size} of true positives, false negatives, false positives and true negatives"
    return [
        Symbol(rf"c{_MARKS}_\{{|a{_MARKS}_\{{|b{_MARKS}_\{{",
               _clause("", "c_{ij}", f" is the {number} of true class ", "i", " that were predicted as class ", "j")),
        Symbol(rf"a{_MARKS}_\{{", _clause("", r"a_i = \sum_j c_{ij}", f" is the {number} of true class ", "i")),
        Symbol(rf"b{_MARKS}_\{{",
               _clause("", r"b_i = \sum_j c_{ji}", f" is the {number} that were predicted as class ", "i")),
        Symbol(_LETTER.format("n"), _clause("", "n", f" is the {number}")),
        Symbol(_LETTER.format("m"),
               _clause("", "m" if classes is None else f"m = {classes}", " is the number of classes")),
        Symbol(rf"{_CELLS}(?!'*_\{{)",
               _clause("", r"\mathrm{TP}", ", ", r"\mathrm{FN}", ", ", r"\mathrm{FP}", " and ", r"\mathrm{TN}",
                       f" are the {four}, with {positive} as the positive class")),
        Symbol(rf"{_CELLS}'*_\{{i",
               _clause("", r"\mathrm{TP}_i", ", ", r"\mathrm{FN}_i", ", ", r"\mathrm{FP}_i", " and ",
                       r"\mathrm{TN}_i", f" are the {four} of class ", "i", " against the rest")),
        Symbol(rf"{_CELLS}'*_\{{ij",
               _clause("a second index ", "j", " stands for the two classes of such a matrix, ", "i", " and the rest")),
        Symbol(r"\^\{\(i\)\}", _clause("the superscript ", "(i)", " marks the counts of class ", "i",
                                       " against the rest")),
        Symbol(r"'", _clause("a prime marks counts after calibration to equal class sizes, and sums of such counts")),
        Symbol(r"p_\{x\}\(",
               _clause("", "p_x(i)", " is the probability that a system gives class ", "i", " for item ", "x",
                       ", whose true class is ", "y_x")),
        Symbol(r"\\log", _clause("", r"\log", " is the natural logarithm")),
        Symbol(r"\\vee", _clause("", r"\vee", " means “or”")),
    ]  # fmt: skip


def parameters(measure: Measure | ScoreMeasure) -> Clause:
    """Return a clause that defines the costs or weights of a measure that its formula leaves open; empty otherwise.

    >>> import goodmeasure as gm
    >>> [piece.text for piece in parameters(gm.k_ordinal("absolute"))]
    ['where ', 'E_{ij} = |i - j|']
    """
    family, chosen = measure.made_by, measure.parameters
    if family == "k_cost":
        return _costs("E_{ij}", chosen["costs"])
    if family == "weighted_kappa" and not isinstance(chosen["weights"], str):
        return _costs("w_{ij}", chosen["weights"])
    if family == "k_ordinal":
        power = "" if chosen["error"] == "absolute" else "^2"
        steps = chosen.get("steps")
        if not isinstance(steps, tuple):
            return _clause("where ", f"E_{{ij}} = |i - j|{power}")
        apart = ", ".join(map(str, steps))
        return _clause(
            "where ", f"E_{{ij}} = d_{{ij}}{power}", " and ", "d_{ij}", " is the distance of classes ", "i", " and ",
            "j", f"; neighbouring classes are {apart} apart",
        )  # fmt: skip
    return ()


def _costs(symbol: str, table: ArrayLike) -> Clause:
    return _clause("where ", symbol, " is the cost of predicting class ", "j", " for class ", "i", f", {_rows(table)}")


def _rows(table: ArrayLike) -> str:
    """Return a table in words, row by row."""
    return "in rows " + ", ".join(f"({', '.join(map(str, row))})" for row in table)
