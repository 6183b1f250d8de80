"""Show that a definition treats all classes alike, because it has no means to tell them apart.

**Claim.** If a definition runs to its end with class indices that can be used as indices and for nothing else, and with
counts of which nothing is known, its value does not change when the classes are renamed, for every number of classes.

**Why.** Let π rename the classes, and run the definition on C and on the renamed matrix side by side. Every word of the
language keeps the two runs related: c[i, j], c.a[i] and c.b[i] give equal numbers for indices that π relates; sums,
products, means, least and greatest values over classes combine the same terms in another order; c.n and c.m are equal.
The other words do so as well. ``c.vs_rest(i)`` is the matrix of four numbers of class i, which are equal for related
indices, and ``c.two`` one of four numbers that are equal in both runs; the two classes of such a matrix have names of
their own, which π does not touch. ``c.map`` gives two matrices that π relates, since related pairs of indices get equal
cells, and ``c.T`` turns both of two related matrices. ``c.sum_off`` adds the same terms in another order, since π maps
pairs of different classes to such pairs. ``c.excess(i)`` and ``c.occurs(i)`` are functions of the cell and the sizes of
class i and of n. ``c.kept`` returns what the function that it is given returns.

`Index` refuses everything else that could be done with an index, and `Blank` every question about a count, so no branch
of the program depends on which class it is at. Both sides of `c.where` and every rule for 0/0 are run. (This is a free
theorem in the sense of Reynolds and Wadler.) What is refused leaves a mark, so that catching the exception does not
help.

The argument holds for functions of classes that only return their value. A definition must not carry a class, or a
count of that class, out of the function that it was given to: the last one of a list, say, or one that an exception
brought out. So classes and counts know the call that they belong to (`CallScope`), and whoever uses them after it has
ended leaves a mark, as does every exception that ends it.

Nor may it count the calls of such a function: all that the function can reach must be the same after a call as before
(`traces.py`). The same is demanded of the functions that are branches of a choice, since not every matrix takes them.
Besides, each function of classes and the definition are called three times, and what is computed must be the same
formula (`_shape`), with the same numbers in it. A definition that changes after more calls is no function of the
matrix, and nothing here can tell: `tells_no_classes_apart` compares the exact values of matrices with renamed classes
as well, also of matrices with many zeros, which catches such accidents and proves nothing.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, NoReturn

from goodmeasure.catalogue import running
from goodmeasure.language.exact.reals import Exact
from goodmeasure.language.policy import NAN, Policy, Skip, Undecided, Undefined, policy_of
from goodmeasure.language.view import (
    Branch,
    Chosen,
    ChosenPairs,
    ConstantTable,
    Number,
    PairTerm,
    RowsOfTable,
    Rule,
    Sizes,
    Term,
    View,
)
from goodmeasure.theory.verify.arithmetic import Refused, asked_by_the_language
from goodmeasure.theory.verify.foreign_code import asks_for_types
from goodmeasure.theory.verify.traces import leaves_no_trace
from goodmeasure.theory.verify.views import WORDS

if TYPE_CHECKING:
    from goodmeasure.catalogue.measure import Measure


class CallScope:
    """A call of a function of classes; it is over when the call is."""

    __slots__ = ("is_over",)

    def __init__(self) -> None:
        self.is_over = False


RESOLVE = policy_of("resolve")
_CALLS = 3  # of each function, to see whether it counts them
Scopes = frozenset[CallScope]
NOWHERE: Scopes = frozenset()


class _Marked:
    """An object that answers almost no question; every question that it refuses leaves a mark on the view."""

    __slots__ = ("_scopes", "_shape", "_view")

    def __init__(self, view: BlankView, scopes: Scopes, shape: int) -> None:
        self._view = view
        self._scopes = scopes  # the calls that it belongs to
        self._shape = shape  # the number of the formula that it was computed by

    def _refuse(self, *_: object) -> NoReturn:
        self._view.marked = True
        raise Refused("the definition looks at a count or at a class")

    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = _refuse
    __hash__ = __int__ = __index__ = __float__ = __bool__ = __len__ = __str__ = __repr__ = _refuse
    __iter__ = __getitem__ = __contains__ = __round__ = __format__ = _refuse
    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __mod__ = __floordiv__ = __neg__ = _refuse
    __rmod__ = __rfloordiv__ = __divmod__ = __rdivmod__ = __rpow__ = __xor__ = __rxor__ = __lshift__ = _refuse
    __rshift__ = __complex__ = __trunc__ = __floor__ = __ceil__ = __copy__ = __deepcopy__ = __reduce__ = _refuse

    if not TYPE_CHECKING:  # type checkers take the operators from elsewhere, and would accept every attribute

        def __getattribute__(self, name: str) -> object:
            if not asked_by_the_language():
                object.__getattribute__(self, "_view").marked = True
            return object.__getattribute__(self, name)

    def __getattr__(self, name: str) -> NoReturn:
        self._refuse()

    @property  # type: ignore[misc]
    def __class__(self) -> type[_Marked]:
        """The class, which a definition asks for when it tests the type."""
        if not asked_by_the_language():
            self._view.marked = True
        return type(self)


class Index(_Marked):
    """A class: it can be used as an index and for nothing else."""

    __slots__ = ()


class Blank(_Marked):
    """A count, or a value computed from counts, about which nothing is known. Comparisons give blanks again."""

    __slots__ = ()
    __array_ufunc__ = None

    __hash__ = _Marked._refuse


class BlankSizes(_Marked):
    """The sizes of all classes: with numbers they are a list, so nothing else than a class may be looked up in them."""

    __slots__ = ("_size",)

    def __init__(self, view: BlankView, size: Callable[..., Blank]) -> None:
        super().__init__(view, NOWHERE, 0)
        self._size = size

    def __getitem__(self, i: Index | int) -> Blank:  # type: ignore[override]
        return self._size(i)


def _by(operator: str) -> Callable[..., Blank]:
    """Return the method of an operator; of its result only the formula is known."""

    def another(x: Blank, *others: object) -> Blank:
        return x._view._blank(operator, x, *others)

    return another


_ARITHMETIC = ("add", "radd", "sub", "rsub", "mul", "rmul", "truediv", "rtruediv", "pow", "neg", "pos", "abs")
_LOGIC = ("and", "rand", "or", "ror", "invert", "eq", "ne", "lt", "le", "gt", "ge")
for _operator in (*_ARITHMETIC, *_LOGIC):
    setattr(Blank, f"__{_operator}__", _by(_operator))


class BlankView(View[Blank, Index]):
    """The language of ``c`` where nothing is known of the counts, the classes and their number.

    ``tables``: whether a table of constants may be used; if so, what runs to its end need not treat classes alike.
    """

    OWN = frozenset({"policy", "marked", "tables", "_scopes", "_shapes", "_shape", "_two", "_of"})

    def __init__(
        self, two: bool = False, scopes: Scopes = NOWHERE, policy: Policy = RESOLVE, *, tables: bool = False
    ) -> None:
        self.policy, self.tables = policy, tables
        self.marked = False
        self._scopes = scopes  # the calls that this matrix belongs to
        self._shapes: dict[object, int] = {}  # formulas by number
        self._shape = 0  # the number of the formula of this matrix
        self._two = two  # whether this is a matrix of one class against the rest, whose cells have names

    def __getattribute__(self, name: str) -> object:
        """Return an attribute; a definition that asks for one which is no word of the language leaves a mark."""
        if name not in WORDS and not asked_by_the_language():
            self._refuse()
        return object.__getattribute__(self, name)

    def _compared(self, *_: object) -> NoReturn:
        self._refuse()

    __eq__ = __ne__ = __hash__ = _compared

    @property
    def m(self) -> Blank | int:  # type: ignore[override]
        return 2 if self._two else self._blank("m")

    def _of_two(self, i: int, j: int) -> Blank:
        return self._blank("cell", i, j) if self._two else self._refuse()

    def _blank(self, what: str, *known: object) -> Blank:
        return Blank(self, self._scopes_of(*known), self._numbered(what, *known))

    def _numbered(self, what: str, *known: object) -> int:
        """Return the number of a formula: what is done, and with which formulas and numbers.

        An object of a class of the user's is refused: the language would call its methods, and nobody counts how often.
        """
        if not all(type(x) in _TRACKED or type(x) in _PLAIN or type(x).__module__ == "numpy" for x in known):
            self._refuse()
        parts = tuple(
            object.__getattribute__(x, "_shape") if type(x) in _TRACKED else (type(x).__name__, _plain(x))
            for x in known
        )
        return self._shapes.setdefault((what, self._shape, parts), len(self._shapes) + 1)

    def _scopes_of(self, *known: object) -> Scopes:
        """Return the calls that a value computed from these belongs to; refuse if one of these calls has ended."""
        found = self._scopes.union(*(object.__getattribute__(x, "_scopes") for x in known if type(x) in _TRACKED))
        if any(scope.is_over for scope in found):
            self._refuse()
        return found

    def _refuse(self) -> NoReturn:
        self.marked = True
        raise Refused("the definition names a class")

    def _cell(self, *classes: object, what: str = "cell") -> Blank:
        if all(type(i) is Index for i in classes):
            return self._blank(what, *classes)
        if self._two and all(type(i) is int and i in (0, 1) for i in classes):
            return self._blank(what, *classes)
        return self._refuse()

    def __getitem__(self, ij: tuple[Index | int, Index | int]) -> Blank:
        return self._cell(*ij)

    @property
    def a(self) -> Sizes[Blank, Index]:
        return BlankSizes(self, partial(self._cell, what="a"))  # type: ignore[return-value]

    @property
    def b(self) -> Sizes[Blank, Index]:
        return BlankSizes(self, partial(self._cell, what="b"))  # type: ignore[return-value]

    @property
    def n(self) -> Blank:
        return self._blank("n")

    @property
    def T(self) -> View[Blank, Index]:  # noqa: N802
        return self

    def excess(self, i: object) -> Blank:
        return self._cell(i, what="excess")

    def vs_rest(self, i: object) -> View[Blank, Index]:
        return self._related("rest", self._cell(i), two=True)

    def two(self, tp: object, fn: object, fp: object, tn: object) -> View[Blank, Index]:
        return self._related("two", tp, fn, fp, tn, two=True)

    def _related(self, what: str, *known: object, two: bool) -> BlankView:
        return _Related(self, two, self._scopes_of(*known), self._numbered(what, *known))

    def map(self, cell: Callable[[Index, Index], Blank]) -> View[Blank, Index]:
        return self._related("map", self._within(cell, 2), self._within(lambda i: cell(i, i)), two=False)

    # Over classes

    def _within(self, f: Callable[..., object], classes: int = 1) -> Blank:
        """Return what stands for the values of a function over all classes; it no longer belongs to any of them."""
        found = [self._once(f, classes) for _ in range(_CALLS)]
        if len({object.__getattribute__(x, "_shape") for x in found}) > 1:
            self._refuse()  # it counts its calls, or keeps something between two of them
        return found[0]

    def _once(self, f: Callable[..., object], classes: int) -> Blank:
        scope = CallScope()
        within = self._scopes | {scope}
        try:
            found = self._untraced(
                f, *(Index(self, within, self._numbered("class", len(within), k)) for k in range(classes))
            )
            scopes = self._scopes_of(found)
        except BaseException:
            self.marked = True  # even if the definition continues: the exception may have told it which class this was
            raise
        finally:
            scope.is_over = True
        return Blank(self, scopes - {scope}, self._numbered("over classes", found))

    def _untraced(self, f: Callable[..., object], *arguments: object) -> object:
        """Return what a function returns, if it changes nothing that outlives the call."""
        found, same = leaves_no_trace(f, *arguments)
        return found if same else self._refuse()

    def _run(self, what: str, *functions: Callable[[Index], object] | None) -> Blank:
        return self._blank(what, *[None if f is None else self._within(f) for f in functions])

    def sum(self, term: Term[Index, Blank], over: Chosen[Index] | None = None) -> Blank:
        return self._run("sum", term, over)

    def product(self, term: Term[Index, Blank], over: Chosen[Index] | None = None) -> Blank:
        return self._run("product", term, over)

    def least(self, term: Term[Index, Blank], over: Chosen[Index] | None = None) -> Blank:
        return self._run("least", term, over)

    def greatest(self, term: Term[Index, Blank], over: Chosen[Index] | None = None) -> Blank:
        return self._run("greatest", term, over)

    def mean(
        self,
        term: Term[Index, Blank],
        p: Blank | Number = 1,
        over: Chosen[Index] | None = None,
        undefined: Rule[Blank, Index] | None = None,
        weights: Sizes[Blank, Index] | None = None,
    ) -> Blank:
        ruled = undefined if callable(undefined) else None
        weighed = None if weights is None else weights.__getitem__
        rule = None if callable(undefined) else undefined
        return self._blank("mean", self._run("terms", term, over, ruled, weighed), p, rule)

    def occurs(self, i: object) -> Blank:
        return self._cell(i, what="occurs")

    def sum_off(self, term: PairTerm[Index, Blank], over: ChosenPairs[Index] | None = None) -> Blank:
        return self._blank("sum off", *[None if f is None else self._within(f, 2) for f in (term, over)])

    # Arithmetic and choices: every function that is passed is run

    def _called(self, what: str, *values: object) -> Blank:
        return self._blank(what, *[self._untraced(x) if callable(x) else x for x in values])

    @property
    def pi(self) -> Blank:
        return self._blank("pi")

    def constant(self, number: Blank | Number) -> Blank:
        return self._blank("constant", number)

    def power(self, x: object, r: object) -> Blank:
        return self._blank("power", x, r)

    def power_mean(self, values: Sequence[object], p: object) -> Blank:
        if type(values) not in (list, tuple):
            self._refuse()
        return self._blank("power mean", *values, p)

    def sqrt(self, x: object) -> Blank:
        return self._blank("sqrt", x)

    def log(self, x: object) -> Blank:
        return self._blank("log", x)

    def arccos(self, x: object) -> Blank:
        return self._blank("arccos", x)

    def exp(self, x: object) -> Blank:
        return self._blank("exp", x)

    def min(self, *values: object) -> Blank:
        return self._blank("min", *values)

    def max(self, *values: object) -> Blank:
        return self._blank("max", *values)

    def xlogy(self, x: object, y: object, above: object = None) -> Blank:
        return self._called("xlogy", x, y, above)

    def table(self, rows: RowsOfTable, legend: str | None = None) -> ConstantTable[Blank, Index]:
        if not self.tables:
            self._refuse()
        return ConstantTable(lambda i, j: self._cell(i, j, what="table"))

    def where(self, condition: object, x: object, y: object) -> Blank:
        return self._called("where", condition, x, y)

    def ratio(self, x: object, y: object, otherwise: Branch[Blank] | None = None) -> Blank:
        return self._called("ratio", x, y, otherwise)

    def undefined(self) -> Blank:
        return self._blank("undefined")


_TRACKED = (Index, Blank)
_PLAIN = (int, bool, float, Fraction, str, type(None), Skip, Exact)


def _plain(x: object) -> str:
    """Return a number as text, and the name of the type for anything else."""
    return repr(x) if isinstance(x, (int, float, Fraction)) else ""


class _Related(BlankView):
    """A view that was derived from another one, on which it leaves its marks."""

    def __init__(self, of: BlankView, two: bool, scopes: Scopes, shape: int) -> None:
        self._of = of
        super().__init__(two, scopes, of.policy, tables=of.tables)
        self._shapes, self._shape = of._shapes, shape

    @property
    def marked(self) -> bool:
        return self._of.marked

    @marked.setter
    def marked(self, value: bool) -> None:
        if value:
            self._of.marked = True


# The matrices whose classes are renamed: their classes, greatest count, and share of cells that are not 0.
_COMPARED = (
    (2, 40, 0.9), (3, 12, 0.9), (4, 9, 0.9), (3, 10**6, 1.0), (2, 9, 0.5),
    *[(3, 9, share) for share in (0.5, 0.6, 0.7, 0.8, 0.85, 0.9) for _ in range(2)],
)  # fmt: skip


def tells_no_classes_apart(measure: Measure, undefined: Undefined = "resolve") -> bool:
    """Return whether a measure treats all classes alike, because its definition runs without looking at them.

    >>> import goodmeasure as gm
    >>> tells_no_classes_apart(gm.accuracy), tells_no_classes_apart(gm.f1)
    (True, False)
    """
    return _runs_blindly(measure, undefined, tables=False) and _renaming_changes_nothing(measure)


def looks_at_no_class(measure: Measure, undefined: Undefined = "resolve") -> bool:
    """Return whether a definition runs without looking at classes or counting them, but for tables of the catalogue.

    Of a table nothing is known here: an entry is what it is for the two classes, however often it is looked up.

    >>> import goodmeasure as gm
    >>> looks_at_no_class(gm.weighted_kappa), looks_at_no_class(gm.f1)
    (True, False)
    """
    return _runs_blindly(measure, undefined, tables=not measure.is_users_own())


def _runs_blindly(measure: Measure, undefined: Undefined, *, tables: bool) -> bool:
    view = BlankView(policy=policy_of(undefined), tables=tables)
    if measure.is_users_own() and asks_for_types(measure.function):
        return False
    try:
        found = [_value_on(view, measure) for _ in range(_CALLS)]
        view._scopes_of(*found)
        if len({view._numbered("value", x) for x in found}) > 1:
            return False
    except Exception:  # noqa: BLE001 - a definition may raise anything when it meets no numbers
        return False
    return not view.marked


def _value_on(view: BlankView, measure: Measure) -> object:
    value = measure.of(view)
    return value  # noqa: RET504 - returned directly, mypy would look for another type of views


def _renaming_changes_nothing(measure: Measure) -> bool:
    """Return whether matrices of two to four classes have the same value under other names of their classes."""
    numbers = random.Random()
    for m, top, share in _COMPARED:
        rows = [[numbers.randint(1, top) if numbers.random() < share else 0 for _ in range(m)] for _ in range(m)]
        names = list(range(m))
        numbers.shuffle(names)
        renamed = [[rows[i][j] for j in names] for i in names]
        if not have_one_value(measure, rows, renamed, NAN):
            return False
    return True


def have_one_value(measure: Measure, rows: list[list[int]], other: list[list[int]], policy: Policy) -> bool:
    """Return whether two matrices have the same exact value, or whether that cannot be decided."""
    try:
        one, two = (running.on_exact(measure.recorded, x, policy) for x in (rows, other))
        return one is two or bool(one == two)  # both may be undefined, which equals nothing
    except (Undecided, ZeroDivisionError):
        return True
