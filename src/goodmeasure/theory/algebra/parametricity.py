"""Show that a definition treats all classes alike, because it has no means to tell them apart.

**Claim.** If a definition runs to its end with class indices that can be used as indices and for nothing else, then its
value does not change when the classes are renamed, for every number of classes.

**Why.** This is a free theorem in the sense of Reynolds (1983) and Wadler (1989). Let π be a permutation of the classes
and C′ the renamed matrix, c′_{π(i)π(j)} = c_ij. Run the definition on C and on C′ side by side and relate index i of
the first run to π(i) of the second. Every operation of the language keeps the two runs related: c[i, j], c.a[i] and
c.b[i] give equal numbers for related indices; a sum, product, mean, least or greatest value over all classes combines
the same terms in another order; and c.n and c.m are equal. `Opaque` refuses everything else that could be done with an
index: comparing, hashing, printing, converting or computing with it. Tables of constants by class and classes named by
number are refused as well, since they single out a class. Nor can the two runs part at a branch: the counts are symbols
without a truth value, so no `if` of the program can depend on them, and `c.where` evaluates both of its branches. So
one run on symbols stands for the runs on all matrices, and the two results are equal.

**What is not covered.** The rules for 0/0 (``otherwise`` of a ratio, ``undefined`` of a mean) are not run here, since a
printed formula does not show them. A rule that singles out a class, such as ``otherwise=lambda: c[0, 0]``, passes
unnoticed; the verifier, which runs every rule (`verify/renaming.py`), refuses what follows from it.

**What is assumed.** The definition does not look behind the language, for instance by comparing ``id(i)`` or counting
how often a term is called, nor does it carry an index or a term out of the function that it was passed to (the verifier
checks this). If it catches the error by which `Opaque` refuses, this is noticed (`interruptions.py`).
`is_class_symmetric` in `prove/proof.py` compares small and large matrices as well, which catches accidents and does not
replace the assumption.
"""

from __future__ import annotations

from typing import NoReturn

from goodmeasure.language.interruptions import Symbolic, reading, spoil
from goodmeasure.language.printing.expressions import Sym
from goodmeasure.language.printing.formulas import Bound, Page, SymbolIndex, SymbolView
from goodmeasure.language.view import ConstantTable, Readable, View
from goodmeasure.theory.algebra.support_patterns import FAULTS


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
    """A page on which every bound index is opaque."""

    def open(self) -> Bound:
        return Opaque(super().open().name)


class ParametricView(SymbolView):
    """A matrix of symbols whose class indices are opaque; tables of constants by class are refused."""

    def vs_rest(self, i: SymbolIndex) -> View[Sym, SymbolIndex]:
        if not isinstance(i, Bound):
            spoil("the definition names a class by number")
            raise TypeError("a definition for any number of classes names a class by number")
        return super().vs_rest(i)

    def table(self, rows: object, legend: str | None = None) -> ConstantTable[Sym, SymbolIndex]:
        spoil("a table of constants tells classes apart")
        raise TypeError("a table of constants tells classes apart")


def tells_no_classes_apart(definition: Readable) -> bool:
    """Return whether a definition treats all classes alike, because it runs without looking at class indices.

    >>> tells_no_classes_apart(lambda c: c.ratio(c.sum(lambda i: c[i, i]), c.n))
    True
    >>> tells_no_classes_apart(lambda c: c.ratio(c[0, 0], c.n))
    False
    """
    with reading() as seen:
        try:
            definition(ParametricView(_OpaquePage()))
        except FAULTS:
            return False
    return seen.spoilt is None
