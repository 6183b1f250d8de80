"""A measure typed as text: a function of ``c`` that is compiled from it."""

from __future__ import annotations

from goodmeasure.language.typed.meaning import Compiler, LookUp
from goodmeasure.language.typed.parsing import parsed
from goodmeasure.language.typed.tree import written
from goodmeasure.language.value import Value
from goodmeasure.language.view import View


class TypedFormula:
    """A function of ``c`` that was typed as text, in the language of ``c``.

    >>> from goodmeasure.catalogue.measure import as_measure
    >>> share = TypedFormula("tp / (tp + fn)")
    >>> share.classes, as_measure(share)([[50, 3], [4, 20]])
    (2, 0.8333333333333334)
    >>> print(share.python)
    def own(c):
        return c.ratio(c.tp, c.tp + c.fn)
    """

    def __init__(self, text: str, named: LookUp | None = None) -> None:
        self.text = text
        self._program = parsed(text)
        compiler = Compiler(named)
        self._function = compiler.function(self._program)
        self.classes = 2 if compiler.two_classes else None
        self.__name__ = self._program.name

    def __call__(self, c: View) -> Value | float:
        return self._function(c)

    @property
    def python(self) -> str:
        """The same function in Python."""
        from goodmeasure.language.typed.in_python import spelled_out

        program = spelled_out(self._program)
        lines = [f"{name} = {written(value)}" for name, value in program.assigned]
        return "\n    ".join([f"def {program.name}(c):", *lines, f"return {written(program.value)}"])
