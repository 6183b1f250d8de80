"""goesgens2021, appendix C: the examples that show which properties measures and averages lack."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from goodmeasure.catalogue.definitions.averaging import macro, micro, weighted
from goodmeasure.catalogue.literature import tables as printed_tables
from goodmeasure.catalogue.measure import Measure, as_measure
from goodmeasure.counts.counting import confusion
from goodmeasure.language.value import Value
from goodmeasure.language.view import View
from goodmeasure.papers.paper_tables import PrintedCell, Recomputed, number, rounds_to, table

PrintedRows = Sequence[Sequence[int | Fraction]]
_MERGED = "our text of the paper merged two matrices"
_TEXT = "the first matrix is damaged in our text of the paper: its n is another one"
_MICRO = "micro of TP + TN − FP − FN is n(m − 4) + 4r with r right predictions, not n·m"


def _right_minus_wrong(c: View) -> Value:
    return c.tp + c.tn - c.fp - c.fn


def _anything_right(c: View) -> Value:
    return c.where(c.tp + c.tn > 0, 1, 0)


RIGHT_MINUS_WRONG = Measure(_right_minus_wrong, "right_minus_wrong", key=_right_minus_wrong)
ANYTHING_RIGHT = Measure(_anything_right, "anything_right", key=_anything_right)


@dataclass(frozen=True)
class Falls:
    """A matrix and a better one, for which a measure nevertheless falls."""

    where: str
    name: str
    before: PrintedRows
    after: PrintedRows

    def cell(self) -> PrintedCell:
        """Compare the two values."""
        x, y = (as_measure(self.name).exact(rows) for rows in (self.before, self.after))
        row = f"{self.where}, {self.name}: {_text(self.before)} → {_text(self.after)}"
        return PrintedCell(row, VALUE, "falls", f"{number(x, 4)} → {number(y, 4)}", bool(x > y))


VALUE = "value"
FALLS = (
    Falls("C.4", "kappa", ((1, 3), (1, 0)), ((1, 2), (1, 0))),
    Falls("C.4", "kappa", ((0, 1, 2), (0, 0, 0), (1, 0, 0)), ((1, 0, 2), (0, 0, 0), (1, 0, 0))),
    Falls("C.4", "mcc", ((1, 0, 0), (7, 0, 0), (0, 0, 1)), ((1, 0, 0), (6, 1, 0), (0, 0, 1))),
)


@table("goesgens2021-appendix:C_examples", "the examples against properties of measures and averages")
def examples() -> Recomputed:
    """Recompute every value that appendix C prints, and every inequality that it states, exactly."""
    printed = printed_tables()["goesgens2021-appendix:C_examples"]
    cells = [
        *(_value("C.1", "mcc", *printed[key]) for key in ("CC_C1", "CC_C2")),
        _value("C.1", "confusion_entropy", *printed["CE_1"]),
        _more_than_1(*printed["CE_2"]),
        _between((1, 0, 1), printed["CE_AC"], "from A to C"),
        _between((1, 1, 1), printed["CE_AB"], "from A to B"),
        *(x.cell() for x in FALLS),
        _chance(),
        _micro(),
        *(_average(macro(ANYTHING_RIGHT), "macro of 1{TP + TN > 0}", x, y) for x, y in MACRO),
        *(_average(weighted(RIGHT_MINUS_WRONG), "weighted TP + TN − FP − FN", x, y) for x, y in WEIGHTED),
    ]
    return Recomputed(cells, [
        f"C.4, CC of three classes: {_TEXT}; [[1,0,0],[6,1,0],[0,0,1]] is compared in its place.",
        f"C.6, macro averaging: {_MERGED}; those that have the printed values are compared.",
        "C.6, weighted averaging: the printed values are right, but both matrices have a zero diagonal, which "
        "Definition 7 excludes; [[0,0,1],[0,1,1],[1,0,0]] → [[0,0,1],[0,1,0],[1,0,0]], "
        f"{_both(weighted(RIGHT_MINUS_WRONG), WITHIN)}, shows the point.",
    ])  # fmt: skip


MACRO = (
    (((0, 1, 1), (1, 0, 1), (1, 1, 0)), Fraction(1)),
    (((0, 0, 1), (0, 0, 1), (1, 1, 0)), Fraction(2, 3)),
)
WEIGHTED = (
    (((0, 1, 1), (1, 0, 0), (1, 0, 0)), Fraction(-2)),
    (((0, 1, 1), (1, 0, 1), (1, 0, 0)), Fraction(-9, 5)),
)
WITHIN = (((0, 0, 1), (0, 1, 1), (1, 0, 0)), ((0, 0, 1), (0, 1, 0), (1, 0, 0)))


def _text(rows: PrintedRows) -> str:
    return "[" + " | ".join(" ".join(map(str, row)) for row in rows) + "]"


def _value(where: str, name: str, rows: PrintedRows, shown: object) -> PrintedCell:
    ours = as_measure(name).exact(rows)
    row = f"{where}, {name}: {_text(rows)}"
    return PrintedCell(row, VALUE, str(shown), number(ours, 4), bool(ours == Fraction(str(shown))))


def _more_than_1(rows: PrintedRows, shown: str) -> PrintedCell:
    ours = as_measure("confusion_entropy").exact(rows)
    return PrintedCell(f"C.1, confusion_entropy: {_text(rows)}", VALUE, shown, number(ours, 4), bool(ours > 1))


def _between(predicted: tuple[int, ...], shown: float, of: str) -> PrintedCell:
    """Compare the confusion entropy of A = (1, 1, 0) and another labeling of three items."""
    ours = as_measure("confusion_entropy").exact(confusion((1, 1, 0), predicted, labels=[0, 1]))
    return PrintedCell(f"C.3, confusion_entropy: {of}", VALUE, str(shown), number(ours, 4), rounds_to(ours, shown, 3))


def _chance() -> PrintedCell:
    """Compare the confusion entropy of the matrices a_i b_j / n for two choices of a."""
    matrices = [[[Fraction(x * y, 3) for y in (1, 2)] for x in a] for a in ((2, 1), (0, 3))]
    one, two = (as_measure("confusion_entropy").exact(x) for x in matrices)
    row = "C.5, confusion_entropy: chance with a = (2, 1) and (0, 3), b = (1, 2)"
    return PrintedCell(row, VALUE, "differ", f"{number(one, 3)} and {number(two, 3)}", bool(one != two))


def _micro() -> PrintedCell:
    """Compare micro of TP + TN − FP − FN with n·m, as printed."""
    rows = ((1, 2, 0), (0, 3, 1), (2, 0, 4))
    n, m, right = 13, 3, 8
    ours = micro(RIGHT_MINUS_WRONG).exact(rows)
    why = _MICRO if ours == n * (m - 4) + 4 * right else ""
    row = f"C.6, micro of TP + TN − FP − FN: {_text(rows)}"
    return PrintedCell(row, VALUE, f"n·m = {n * m}", str(ours), bool(ours == n * m), why)


def _average(of: Measure, words: str, rows: PrintedRows, shown: Fraction) -> PrintedCell:
    ours = of.exact(rows)
    return PrintedCell(f"C.6, {words}: {_text(rows)}", VALUE, str(shown), str(ours), bool(ours == shown))


def _both(of: Measure, pair: tuple[PrintedRows, PrintedRows]) -> str:
    return " → ".join(str(of.exact(rows)) for rows in pair)
