"""Whether a definition can tell classes apart: it runs with class indices that nothing can be asked about."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from goodmeasure.language.printing.formulas import Bound, Page, SymbolView
from goodmeasure.language.view import Table
from goodmeasure.theory.algebra.support_patterns import FAULTS


class Opaque(Bound):
    """A class index that may only be used as an index: comparing or counting with it is an error."""

    __slots__ = ()

    def _refuse(self, *_: Any) -> Any:
        raise TypeError("the definition looks into a class index")

    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = _refuse
    __hash__ = __int__ = __index__ = __float__ = __bool__ = __len__ = __str__ = __repr__ = _refuse
    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __mod__ = __floordiv__ = __neg__ = _refuse


class _OpaquePage(Page):
    def open(self) -> Bound:
        return Opaque(super().open().name)


class ParametricView(SymbolView):
    """Named cells whose classes are opaque; a table of constants by class tells classes apart, so it is refused."""

    def vs_rest(self, i: Any) -> Any:
        if not isinstance(i, Bound):
            raise TypeError("a definition for any number of classes names a class by number")
        return super().vs_rest(i)

    def table(self, rows: Any, legend: str | None = None) -> Table:
        raise TypeError("a table of constants tells classes apart")


def tells_no_classes_apart(definition: Callable[[Any], Any]) -> bool:
    """Whether a definition for any number of classes treats them all alike, because it cannot do otherwise.

    >>> tells_no_classes_apart(lambda c: c.ratio(c.sum(lambda i: c[i, i]), c.n))
    True
    >>> tells_no_classes_apart(lambda c: c.ratio(c[0, 0], c.n))
    False
    """
    try:
        definition(ParametricView(_OpaquePage()))
    except FAULTS:
        return False
    return True
