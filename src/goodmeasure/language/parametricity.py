"""Show that a definition treats all classes alike, because it has no means to tell them apart.

**Claim.** If a definition runs to its end with class indices that can be used as indices and for nothing else, then its
value does not change when the classes are renamed, for every number of classes.

**Why.** This is a free theorem in the sense of Reynolds (1983) and Wadler (1989). Let π be a permutation of the classes
and C′ the renamed matrix, c′_{π(i)π(j)} = c_ij. Run the definition on C and on C′ side by side and relate index i of
the first run to π(i) of the second. Every operation of the language keeps the two runs related: c[i, j], c.a[i] and
c.b[i] give equal numbers for related indices; a sum, product, mean, least or greatest value over all classes combines
the same terms in another order; and c.n and c.m are equal. The other words do so as well. ``c.vs_rest(i)`` is the
matrix of four numbers of class i, which are equal for related indices, and ``c.two`` one of four numbers that are equal
in both runs; the two classes of such a matrix have names of their own, which π does not touch. ``c.map`` gives two
matrices that π relates, since related pairs of indices get equal cells, and ``c.T`` turns both of two related matrices.
``c.sum_off`` adds the same terms in another order, since π maps pairs of different classes to such pairs.
``c.excess(i)`` and ``c.occurs(i)`` are functions of the cell and the sizes of class i and of n. ``c.kept`` returns what
the function that it is given returns.

`Opaque` refuses everything else that could be done with an index: comparing, hashing, printing, converting or computing
with it. Tables of constants by class and classes named by number are refused as well, since they single out a class
(where only two classes are meant, a table that is the same after they are exchanged gives equal numbers for related
indices, and is accepted).
Nor can the two runs part at a branch: the counts are symbols without a truth value, so no `if` of the program can
depend on them, and `c.where` evaluates both of its branches. The rules for 0/0 (``otherwise`` of a ratio, ``undefined``
of a mean), which act on some matrices and not on others, are run too, although a printed formula does not show them; so
a rule that singles out a class, such as ``otherwise=lambda: c[0, 0]``, is refused. Hence one run on symbols stands for
the runs on all matrices, and the two results are equal.

**What is not covered.** This is sufficient and not necessary: a definition that treats all classes alike may still name
a class, and is then not recognised. Whether rules and terms are the same at each of their calls is not examined here;
the verifier decides anew, calls each of them several times, and notices what they change (`verify/renaming.py`).

**What is assumed.** The definition does not look behind the language, for instance by comparing ``id(i)`` or counting
how often a term is called, nor does it carry an index or a term out of the function that it was passed to (the verifier
checks this). If it catches the error by which `Opaque` refuses, this is noticed (`interruptions.py`).
`is_class_symmetric` in `prove/proof.py` also compares small and large matrices, and matrices with an empty class, with
their classes renamed, which catches accidents and does not replace the assumption.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NoReturn

from goodmeasure.language.interruptions import FAULTS, Symbolic, reading, spoil
from goodmeasure.language.printing.expressions import Sym, symbol
from goodmeasure.language.printing.formulas import Bound, Page, SymbolIndex, SymbolView
from goodmeasure.language.value import Condition
from goodmeasure.language.view import (
    Branch,
    Chosen,
    ConstantTable,
    Number,
    Readable,
    RowsOfTable,
    Rule,
    Sizes,
    Term,
    View,
    entries,
)


class Opaque(Symbolic, Bound):
    """A class index that can only be used as an index: comparing or computing with it raises an error."""

    __slots__ = ()

    def _refuse(self, *_: object) -> NoReturn:
        spoil("the definition looks into a class index")
        raise TypeError("the definition looks into a class index")

    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = _refuse
    __hash__ = __int__ = __index__ = __float__ = __bool__ = __len__ = __str__ = __repr__ = _refuse
    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __mod__ = __floordiv__ = __neg__ = _refuse


class _OpaquePage(Page):
    """A page on which every bound index is opaque; `of_two` says that only two classes are meant."""

    def __init__(self, *, of_two: bool = False) -> None:
        super().__init__()
        self.of_two = of_two

    def open(self) -> Bound:
        return Opaque(super().open().name)


class ParametricView(SymbolView):
    """A matrix of symbols whose class indices are opaque; tables of constants by class are refused.

    What a printed formula leaves out is run as well: the rules for 0/0, and what is said about classes that do not
    occur. Nothing is done with the text of the formula, so a matrix of four given numbers may have cells of any name.
    """

    def two(self, tp: Sym, fn: Sym, fp: Sym, tn: Sym) -> SymbolView:  # type: ignore[override]
        for x in (tp, fn, fp, tn):
            symbol(x)
        return type(self)(self.page, self.mark, f"{self.of_class}2")

    def occurs(self, i: SymbolIndex) -> Condition:  # type: ignore[override]
        return self.a[i] + self.b[i] > 0

    def ratio(self, x: Sym | float, y: Sym | float, otherwise: Branch[Sym] | None = None) -> Sym:
        if callable(otherwise):
            otherwise()
        return super().ratio(x, y)

    def mean(
        self,
        term: Term[SymbolIndex, Sym],
        p: Sym | Number = 1,
        over: Chosen[SymbolIndex] | None = None,
        undefined: Rule[Sym, SymbolIndex] | None = None,
        weights: Sizes[Sym, SymbolIndex] | None = None,
    ) -> Sym:
        i = self.page.open()
        try:
            for rule in (over, undefined):
                if callable(rule):
                    rule(i)
        finally:
            self.page.close()
        return super().mean(term, p, over, None, weights)

    def xlogy(
        self, x: Sym | float, y: Sym | float | Callable[[], Sym | float], above: Callable[[], Sym | float] | None = None
    ) -> Sym:
        if above is not None:
            above()
        return super().xlogy(x, y)

    def vs_rest(self, i: SymbolIndex) -> View[Sym, SymbolIndex]:
        if not isinstance(i, Bound):
            spoil("the definition names a class by number")
            raise TypeError("a definition for any number of classes names a class by number")
        return super().vs_rest(i)

    def table(self, rows: RowsOfTable, legend: str | None = None) -> ConstantTable[Sym, SymbolIndex]:
        if isinstance(self.page, _OpaquePage) and self.page.of_two:
            (a, b), (c, d) = entries(rows, 2)
            if a == d and b == c:
                return super().table(rows, legend)
        spoil("a table of constants tells classes apart")
        raise TypeError("a table of constants tells classes apart")


def tells_no_classes_apart(definition: Readable, *, of_two: bool = False) -> bool:
    """Return whether a definition treats all classes alike, because it runs without looking at class indices.

    With `of_two`, only matrices of two classes are meant.

    >>> tells_no_classes_apart(lambda c: c.ratio(c.sum(lambda i: c[i, i]), c.n))
    True
    >>> tells_no_classes_apart(lambda c: c.ratio(c[0, 0], c.n))
    False
    >>> tells_no_classes_apart(lambda c: c.ratio(c.sum(lambda i: c[i, i]), c.n, otherwise=lambda: c[0, 0]))
    False
    """
    with reading() as seen:
        try:
            definition(ParametricView(_OpaquePage(of_two=of_two)))
        except FAULTS:
            return False
    return seen.spoilt is None
