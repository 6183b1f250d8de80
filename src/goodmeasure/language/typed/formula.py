"""A measure typed as text: the tree that is recorded from it, and the same definition in Python."""

from __future__ import annotations

from typing import cast

from goodmeasure.language.record import RecordingView, recorded
from goodmeasure.language.typed.evaluation import Evaluation, LookUp
from goodmeasure.language.typed.in_python import in_python
from goodmeasure.language.typed.syntax import Program


class TypedFormula:
    """A definition that was typed as text, in the language of ``c``: its name and its tree.

    >>> from goodmeasure import Measure
    >>> share = TypedFormula("tp / (tp + fn)")
    >>> share.tree
    ratio(c[1, 1], (c[1, 1] + c[1, 0]))
    >>> print(share.python)
    def own(c):
        return c.ratio(c.tp, c.tp + c.fn)
    """

    def __init__(self, text: str, named: LookUp = lambda name: None) -> None:
        program = Program(text)
        self.tree = recorded(lambda c: Evaluation(program, cast(RecordingView, c), named).result(), 2)
        self.name, self.python = program.name, in_python(program)
