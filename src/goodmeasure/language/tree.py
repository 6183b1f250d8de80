"""A definition as data: the expression tree of a formula over a confusion matrix.

Equal nodes are one object, so common parts are shared without looking for them, comparing is ``is``, and a dictionary
keyed by nodes costs nothing. Class variables are numbered by height: a sum binds the number one above all numbers that
are bound inside it. Two formulas that differ only in the letters of their classes are therefore one object, and putting
a class in the place of a variable can never capture another one.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from hashlib import blake2b
from threading import Lock
from typing import TYPE_CHECKING, ClassVar, TypeAlias, cast, dataclass_transform
from weakref import WeakValueDictionary

if TYPE_CHECKING:
    from goodmeasure.exceptions import InputError

VERSION = 1  # of the JSON form
_RATIONAL = re.compile(r"-?\d+(/0*[1-9]\d*)?", re.ASCII)
_LARGEST = 200_000  # nodes, and characters of a number, that are read from JSON

MeanPower: TypeAlias = "Fraction | float"  # a rational number, or an infinite float


@dataclass_transform(frozen_default=True)
class _Interned(type):
    """The metaclass of nodes: asked twice for the same node, it returns the same object."""

    FIELDS: tuple[str, ...]

    def __init__(cls, name: str, bases: tuple[type, ...], space: dict[str, object]) -> None:
        super().__init__(name, bases, space)
        declared = cast("dict[str, str]", space.get("__annotations__", {}))
        cls.FIELDS = tuple(declared) if bases else ()
        cls.__match_args__ = cls.FIELDS  # type: ignore[misc] # what `match` reads
        if bases:
            cls.SORTS = {x: str(declared[x]) for x in cls.FIELDS}
            KINDS[name] = cls  # type: ignore[assignment]

    SORTS: dict[str, str]
    __match_args__: tuple[str, ...]

    if not TYPE_CHECKING:

        def __call__(cls, *args):
            key = (cls, *args)
            node = _MADE.get(key)
            if node is None:
                with _LOCK:
                    node = _MADE.get(key)
                    if node is None:
                        node = cls.__new__(cls)
                        node._fill(args)
                        _MADE[key] = node
            return node


KINDS: dict[str, type[Tree]] = {}
_MADE: WeakValueDictionary[object, object] = WeakValueDictionary()
_LOCK = Lock()


class Tree(metaclass=_Interned):
    """A part of a formula. Nodes are made once and never change; what is computed from them is kept with them."""

    SORT: ClassVar[str] = "ValueTree"  # what a node stands for: a Value, a Condition, a Matrix or a Class
    BINDS: ClassVar[tuple[str, ...]] = ()  # the fields that hold the numbers of class variables bound in this node
    free: ClassVar[frozenset[int]]  # the class variables that are free in it
    height: ClassVar[int]  # the largest number that is bound inside
    order: ClassVar[bytes]  # compares nodes in a way that does not depend on the order in which they were made
    memo: ClassVar[dict[object, object]]  # what has been computed from the node

    def _fill(self, args: tuple[object, ...]) -> None:
        space = self.__dict__
        space.update(zip(type(self).FIELDS, args, strict=True))
        parts = list(_nodes(args))
        bound = [space[x] for x in self.BINDS]
        free = (
            frozenset((space["number"],))
            if type(self) is ClassVariable
            else frozenset().union(*(x.free for x in parts))
        )
        space["free"] = free.difference(bound)
        space["height"] = max((*bound, *(x.height for x in parts)), default=0)
        space["order"] = blake2b(repr((type(self).__name__, _ordered(args))).encode(), digest_size=12).digest()
        space["memo"] = {}

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a tree does not change: {name} cannot be set")

    def __reduce__(self) -> tuple[object, ...]:
        return from_json, (self.to_json(),)

    def __deepcopy__(self, known: object) -> Tree:
        return self

    @property
    def parts(self) -> list[Tree]:
        """The nodes directly below this one."""
        return list(_nodes([self.__dict__[x] for x in type(self).FIELDS]))

    @property
    def classes(self) -> int | None:
        """The number of classes that the formula is for; None if it is for any number.

        >>> import goodmeasure as gm
        >>> gm.f1.tree.classes, gm.mcc.tree.classes
        (2, None)
        """
        if "classes" not in self.memo:
            self.memo["classes"] = next((x.m for x in below(self) if isinstance(x, Counts)), None)
        return cast("int | None", self.memo["classes"])

    def with_parts(self, change: Callable[[Tree], Tree]) -> Tree:
        """Return the node whose direct parts are changed by a function."""

        def changed(item: object) -> object:
            if isinstance(item, Tree):
                return change(item)
            return tuple(map(changed, item)) if isinstance(item, tuple) else item

        made: Tree = type(self)(*(changed(self.__dict__[x]) for x in type(self).FIELDS))
        return made

    def with_classes(self, new: dict[int, Tree]) -> Tree:
        """Return the node with classes in the place of free class variables."""
        known: dict[Tree, Tree] = {}

        def change(x: Tree) -> Tree:
            if x.free.isdisjoint(new):
                return x
            if isinstance(x, ClassVariable):
                return new[x.number]
            if x not in known:
                known[x] = x.with_parts(change)
            return known[x]

        return change(self)

    def to_json(self) -> str:
        """Return the tree as JSON: a list of nodes, each after its parts, which are named by their place in the list.

        >>> import goodmeasure as gm
        >>> from goodmeasure.language.tree import from_json
        >>> from_json(gm.mcc.tree.to_json()) is gm.mcc.tree
        True
        """
        return json.dumps({"tree": VERSION, "nodes": to_rows(self)}, separators=(",", ":"))

    def __repr__(self) -> str:
        from goodmeasure.language.print.plain import plain

        return plain(self)


def _nodes(items: Sequence[object]) -> Iterator[Tree]:
    for item in items:
        if isinstance(item, Tree):
            yield item
        elif isinstance(item, tuple):
            yield from _nodes(item)


def _ordered(item: object) -> object:
    if isinstance(item, Tree):
        return item.order
    return tuple(map(_ordered, item)) if isinstance(item, tuple) else str(item)


# What a field holds, as it is read from JSON; the names are those of the annotations below
ValueTree: TypeAlias = Tree
ConditionTree: TypeAlias = Tree
MatrixTree: TypeAlias = Tree
ClassTree: TypeAlias = Tree
SquareTable: TypeAlias = "tuple[tuple[Fraction, ...], ...]"


# Classes


class ClassVariable(Tree):
    """A class variable, which a sum around it binds."""

    SORT = "ClassTree"
    number: int


class Nth(Tree):
    """A class by its position."""

    SORT = "ClassTree"
    number: int


# Matrices


class Counts(Tree):
    """The confusion matrix itself: of m classes, or of any number."""

    SORT = "MatrixTree"
    m: int | None


class Transposed(Tree):
    """The matrix with true and predicted labels exchanged."""

    SORT = "MatrixTree"
    of: MatrixTree


class Rest(Tree):
    """Two classes: class i, as the positive one, against all others."""

    SORT = "MatrixTree"
    of: MatrixTree
    i: ClassTree


class Two(Tree):
    """Two classes with these cells."""

    SORT = "MatrixTree"
    tp: ValueTree
    fn: ValueTree
    fp: ValueTree
    tn: ValueTree


class Mapped(Tree):
    """A matrix that is computed cell by cell."""

    SORT = "MatrixTree"
    BINDS = ("i", "j")
    of: MatrixTree
    i: int
    j: int
    cell: ValueTree


# Numbers


class Numeral(Tree):
    value: Fraction


class OpenParameter(Tree):
    """A parameter of a family of measures that is left open; such a tree is only printed."""

    name: str


class CountOfClasses(Tree):
    """The number of classes."""

    of: MatrixTree


class Position(Tree):
    """The position of a class as a number, for ordered classes."""

    i: ClassTree


class CellOf(Tree):
    of: MatrixTree
    i: ClassTree
    j: ClassTree


class SizeOf(Tree):
    """The number of items whose true (side "a") or predicted class (side "b") is i."""

    of: MatrixTree
    side: str
    i: ClassTree


class TotalOf(Tree):
    of: MatrixTree


class Excess(Tree):
    """n·c_ij − a_i·b_j: how far a cell exceeds what the class sizes give by chance."""

    of: MatrixTree
    i: ClassTree
    j: ClassTree


class Tabled(Tree):
    """Constants by two classes; how many rows there are fixes the number of classes."""

    rows: SquareTable
    i: ClassTree
    j: ClassTree
    legend: str | None


class Operation(Tree):
    """A function of values; `OPERATIONS` lists them."""

    name: str
    args: tuple[ValueTree, ...]


class ToPower(Tree):
    x: ValueTree
    r: Fraction


class PowerMean(Tree):
    """The power mean of some values."""

    values: tuple[ValueTree, ...]
    p: MeanPower


class OpenPower(Tree):
    """The exponent of a power mean, where a family of measures leaves it open; such a tree is read by proofs only."""

    SORT = "PowerTree"


class OverMean(Tree):
    """x divided by a named mean of u and v."""

    x: ValueTree
    u: ValueTree
    v: ValueTree
    mean: str
    p: int | None


class XLogY(Tree):
    """x·log y, which is 0 at x = 0; `above` is y − 1 without cancellation."""

    x: ValueTree
    y: ValueTree
    above: ValueTree | None


class Ratio(Tree):
    """x/y, and the rule for y = 0 (None: undefined)."""

    x: ValueTree
    y: ValueTree
    rule: ValueTree | None


class Where(Tree):
    test: ConditionTree
    x: ValueTree
    y: ValueTree


class Over(Tree):
    """A sum, product, least, greatest or power mean of a term over the classes for which a condition holds."""

    BINDS = ("i",)
    op: str
    of: MatrixTree
    i: int
    term: ValueTree
    test: ConditionTree | None
    p: MeanPower
    rule: ValueTree | None
    weight: ValueTree | None


class Listed(Tree):
    """The same, over classes whose terms are written out, since they differ in form."""

    op: str
    terms: tuple[ValueTree, ...]
    tests: tuple[ConditionTree, ...]
    p: MeanPower
    rules: tuple[ValueTree, ...]
    weights: tuple[ValueTree, ...]


class OverPairs(Tree):
    """The sum over all pairs of different classes for which a condition holds."""

    BINDS = ("i", "j")
    of: MatrixTree
    i: int
    j: int
    term: ValueTree
    test: ConditionTree | None


class Whole(Tree):
    """The value of a measure on a mapped matrix; undefined if a cell of that matrix is."""

    of: MatrixTree
    value: ValueTree


class Missing(Tree):
    pass


class Skipped(Tree):
    """Leaves the class out of the innermost sum or mean."""


# Conditions


class Test(Tree):
    """eq, lt, le of two values; and, or, not of conditions; true, false; resolves: whether the rules for 0/0 act."""

    SORT = "ConditionTree"
    name: str
    args: tuple[Tree, ...]


# Functions of values, and how many they take (None: one or more)
OPERATIONS: dict[str, int | None] = {
    **dict.fromkeys(("add", "sub", "mul"), 2),
    **dict.fromkeys(("neg", "abs", "sqrt", "log", "log1p", "exp", "arccos", "arcsin"), 1),
    **dict.fromkeys(("min", "max"), None),
    **dict.fromkeys(("pi", "inf"), 0),
}
COMPARISONS = ("eq", "lt", "le")
CONNECTIVES = {"and": 2, "or": 2, "not": 1, "true": 0, "false": 0, "resolves": 0}
OVERS = ("sum", "product", "least", "greatest", "mean")

TRUE, FALSE = Test("true", ()), Test("false", ())
RESOLVES = Test("resolves", ())
ZERO, ONE = Numeral(Fraction(0)), Numeral(Fraction(1))


def number(x: int | Fraction) -> Numeral:
    return Numeral(Fraction(x))


def below(*roots: Tree) -> list[Tree]:
    """Return every node below some roots once, each after its parts, the roots included."""
    found: dict[Tree, None] = {}
    stack = [(root, False) for root in reversed(roots)]
    while stack:
        x, done = stack.pop()
        if done:
            found[x] = None
        elif x not in found:
            stack.append((x, True))
            stack.extend((y, False) for y in reversed(x.parts) if y not in found)
    return list(found)


def is_occurrence(test: Tree) -> bool:
    """Return whether a condition is ``c.occurs(i)``: class i has true or predicted items."""
    match test:
        case Test(
            name="lt",
            args=(
                Numeral(value=0),
                Operation(name="add", args=(SizeOf(of=of, side="a", i=i), SizeOf(of=same, side="b", i=k))),
            ),
        ):
            return of is same and i is k
    return False


def leaves_out_absent(root: Tree) -> bool:
    """Return whether a mean in a tree is over the classes that occur."""
    means = [x for x in below(root) if isinstance(x, Over | Listed) and x.op == "mean"]
    return any(map(is_occurrence, (y for x in means for y in (x.tests if isinstance(x, Listed) else (x.test,)) if y)))


def known_of(x: Tree, what: str, find: Callable[[Tree], bool]) -> bool:
    """Return a fact about a node, which is found once, for its parts first, so that nothing is nested deeply."""
    if what not in x.memo:
        for y in below(x):
            if what not in y.memo:
                y.memo[what] = find(y)
    return x.memo[what] is True


# JSON


def to_rows(root: Tree) -> list[list[object]]:
    """Return the nodes of a tree as lists of a kind and its fields, each after its parts; the root comes last."""
    order = below(root)
    place = {x: k for k, x in enumerate(order)}

    def coded(item: object) -> object:
        if isinstance(item, Tree):
            return place[item]
        if isinstance(item, tuple):
            return [coded(x) for x in item]
        return str(item) if isinstance(item, (Fraction, float)) else item

    return [[type(x).__name__, *(coded(x.__dict__[f]) for f in type(x).FIELDS)] for x in order]


def from_json(text: str) -> Tree:
    """Return the tree that JSON describes, after checking that it is one."""
    try:
        data = json.loads(text)
    except ValueError:
        raise _not_a_tree("it is not JSON") from None
    return from_data(data)


def from_data(data: object) -> Tree:
    """Return the tree that parsed JSON describes."""
    if not isinstance(data, dict) or data.keys() != {"tree", "nodes"} or not isinstance(data["nodes"], list):
        raise _not_a_tree("it has no list of nodes")
    if data["tree"] != VERSION:
        raise _not_a_tree(f"its version is {data['tree']!r}, and this one reads version {VERSION}")
    return from_rows(data["nodes"])


def from_rows(rows: list[object]) -> Tree:
    """Return the last of some nodes that are written as lists."""
    if not 0 < len(rows) <= _LARGEST:
        raise _not_a_tree(f"it has {len(rows)} nodes")
    made: list[Tree] = []
    for row in rows:
        if not isinstance(row, list) or not row or not isinstance(row[0], str) or row[0] not in KINDS:
            raise _not_a_tree(f"{str(row)[:60]} is not a node")
        kind = KINDS[row[0]]
        if len(row) != 1 + len(kind.FIELDS):
            raise _not_a_tree(f"{row[0]} has {len(kind.FIELDS)} fields")
        node = kind(*(_read(x, kind.SORTS[f], made) for f, x in zip(kind.FIELDS, row[1:], strict=True)))
        _check(node)
        made.append(node)
    root = made[-1]
    if root.SORT != "ValueTree" or root.free or len({x.m for x in below(root) if isinstance(x, Counts)}) > 1:
        raise _not_a_tree("its last node is not the value of a formula")
    return root


def _read(item: object, sort: str, made: list[Tree]) -> object:
    """Return the content of a field that has this annotation."""
    if sort.endswith(" | None"):
        return None if item is None else _read(item, sort.removesuffix(" | None"), made)
    if sort == "SquareTable":
        if not isinstance(item, list) or not all(isinstance(row, list) and len(row) == len(item) for row in item):
            raise _not_a_tree("a table is not square")
        return tuple(tuple(_fraction(x) for x in row) for row in item)
    if sort.startswith("tuple["):
        if not isinstance(item, list):
            raise _not_a_tree(f"{str(item)[:60]} is not a list")
        return tuple(_read(x, sort[6:].removesuffix(", ...]"), made) for x in item)
    if sort in ("int", "str"):
        if type(item).__name__ != sort:
            raise _not_a_tree(f"{str(item)[:60]} is not {sort}")
        return item
    if sort == "MeanPower" and type(item) is int:  # an exponent that is left open
        return _read(item, "PowerTree", made)
    if sort in ("Fraction", "MeanPower"):
        return float(str(item)) if sort == "MeanPower" and item in ("inf", "-inf") else _fraction(item)
    if type(item) is not int or not 0 <= item < len(made) or sort not in ("Tree", made[item].SORT):
        raise _not_a_tree(f"{str(item)[:60]} is not the place of a {sort.removesuffix('Tree').lower()} before it")
    return made[item]


def _fraction(item: object) -> Fraction:
    if isinstance(item, str) and len(item) <= _LARGEST // 100 and _RATIONAL.fullmatch(item):
        return Fraction(item)
    raise _not_a_tree(f"{str(item)[:60]} is not a whole number or a quotient of two")


def _check(x: Tree) -> None:
    """Refuse a node whose fields do not belong together."""
    match x:
        case Operation(name=name, args=args):
            wanted = OPERATIONS.get(name, -1)
            good = bool(args) if wanted is None else len(args) == wanted
        case Test(name=name, args=args):
            sort = "ValueTree" if name in COMPARISONS else "ConditionTree"
            good = all(sort == y.SORT for y in args) and len(args) == (
                2 if sort == "ValueTree" else CONNECTIVES.get(name)
            )
        case Over(op=op) | Listed(op=op):
            good = op in OVERS
            if isinstance(x, Listed):
                sizes = {len(y) for y in (x.tests, x.rules, x.weights) if y}
                good = good and bool(x.terms) and sizes <= {len(x.terms)}
        case SizeOf(side=side):
            good = side in ("a", "b")
        case OpenParameter():
            good = False
        case ClassVariable(number=k):
            good = k > 0
        case Nth(number=k):
            good = k >= 0
        case Counts(m=m):
            good = m is None or m > 0
        case OverMean(mean=mean, p=p):
            from goodmeasure.language import means_of_two

            means_of_two.label(mean, p)
            good = True
        case _:
            good = True
    below_it = max((y.height for y in x.parts), default=0)
    bound = [x.__dict__[f] for f in x.BINDS]
    if not good or bound != list(range(below_it + 1, below_it + 1 + len(bound))):
        raise _not_a_tree(f"{type(x).__name__} has fields that do not belong together")


def _not_a_tree(why: str) -> InputError:
    from goodmeasure.exceptions import InputError

    return InputError("{tree} cannot be read as a formula: {why}", why=why, advice="give what tree.to_json() returned")
