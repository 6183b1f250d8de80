"""The cases of a proof: support patterns, and finer splits by the order of two cells.

**Support patterns.** A statement about all matrices of m classes is shown on each of the 2^(m²) − 1 supports that lie
in the domain (membership in a domain depends on the support alone). On one support the cells are positive variables and
the measure is one formula; `algebra/support_patterns.py` has the argument. If the definition cannot tell classes apart,
then M(πC) = M(C) for every permutation π of the classes. A case is plain data (a support, with a move or a pair of
cells), and renaming its classes gives the data of another case with the same values. So what is shown for one case
holds for every case that is a renaming of it, and one of each set of renamed cases is enough (`representatives`).

**Splits.** Where a comparison, or the sign of a polynomial, is not settled on a support, the case is split by the order
of two variables x and y. For x > y put x = y + z with a new variable z; for x < y the same with the roles exchanged;
for x = y replace x. The three cases are exhaustive, and in each the remaining variables are again positive and
independent of each other. If counts are whole numbers, so is z, and all variables are at least 1. For a whole number x
there is also the split x = 1 or x = 1 + z. Each split is recorded, as "c0_0>c1_1", and a case counts as proved only if
all of its branches are. At most four splits follow one another. Only cells are split, never the factors of a scaling or
the sizes of independent labelings, since these need not be whole numbers.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Hashable, Iterator
from functools import lru_cache
from itertools import permutations, product
from typing import TYPE_CHECKING, TypeVar

from goodmeasure.language.policy import Policy
from goodmeasure.theory.algebra.orthant import Orthant, Outside, Poly, Unsettled
from goodmeasure.theory.algebra.quantities import Outcome, Quantity, of_polynomial, put
from goodmeasure.theory.algebra.support_patterns import value_on
from goodmeasure.theory.prove.signs import NoProof, pairs
from goodmeasure.theory.statements.certificate import CertificateNode

if TYPE_CHECKING:
    from goodmeasure.catalogue.measure import Measure


_Case = TypeVar("_Case")
Support = tuple[int, ...]  # 1 where a cell may be positive, row after row
Split = tuple[str, str, str]  # two variables and their order: "<", "=" or ">"

MOST_CLASSES = 4  # four classes have 65,536 supports, about 3,000 up to renaming; five have 33 million
_KEPT = 3  # the number of measures whose readings are kept
_DEPTH = 4  # how many orders of two cells are split on, one after another


class Reader:
    """A measure read on matrices of m classes whose cells are polynomials.

    If lower values are better, the sign of the measure is reversed, so that higher is better in every proof. Besides
    the cells there are 2m more variables, x_i and y_j, for independent labelings and for factors of the cells.
    """

    def __init__(
        self,
        measure: Measure,
        m: int,
        policy: Policy,
        *,
        deadline: float = float("inf"),
        open_order: bool = True,
        supposing: bool = False,
    ) -> None:
        self.measure, self.m, self.policy, self.deadline = measure, m, policy, deadline
        self.open_order, self.supposing = open_order, supposing
        self.names = tuple(f"c{i}_{j}" for i in range(m) for j in range(m))
        self.orthant = Orthant((*self.names, *(f"{x}{i}" for x in "xy" for i in range(m))))
        self.gens = self.orthant.context.gens()
        self.sign = -1 if measure.orientation == "lower" else 1
        self._known: dict[tuple[int, ...], Outcome] = {}
        self._formulas: dict[Support, Outcome | None] = {}
        self._settled: dict[object, list[CertificateNode] | NoProof] = {}
        self.alike = False  # whether the definition is known to treat all classes alike

    def cells(self, support: Support, splits: tuple[Split, ...] = ()) -> list[Poly]:
        """Return the cells of a support pattern, row after row, in the variables that the splits leave."""
        none = self.orthant.constant(0)
        return split_cells(self.orthant, [g if s else none for g, s in zip(self.gens, support, strict=False)], splits)

    def value(self, cells: list[Poly]) -> Outcome:
        """Return the value on these cells, turned so that higher is better; `UNDEFINED` where there is none."""
        if time.process_time() > self.deadline:
            raise NoProof("the time for proofs is over")
        key = tuple(map(self.orthant.number, cells))
        if key not in self._known:
            found = self._of_formula(cells)
            self._known[key] = self._read(cells) if found is None else found
        return self._known[key]

    def _of_formula(self, cells: list[Poly]) -> Outcome | None:
        """Return the value from the formula of the support of these cells; None where there is no such formula.

        The formula f of the support holds for all positive cells. If the cells here are sums of variables and numbers
        with positive coefficients, they are positive, and f with these polynomials substituted is the value; its
        denominator stays positive. Substituting takes less time than reading the definition again. Other cells, such
        as a difference of variables, may vanish or be negative, where f need not hold: then, and where the definition
        cannot be read on the whole support, or its formula has roots or atoms of the cells, the definition itself is
        read.
        """
        support = tuple(int(not p.is_zero()) for p in cells)
        plain = self.cells(support)
        if cells == plain or any(p.total_degree() > 1 or any(x < 0 for x in p.coeffs()) for p in cells):
            return None
        if support not in self._formulas:
            try:
                self._formulas[support] = self.value(plain)
            except Outside:
                self._formulas[support] = None
        value = self._formulas[support]
        if not isinstance(value, Quantity):
            return value
        return put(value, {k: p for k, p in enumerate(cells) if support[k] and p != self.gens[k]})

    def settled(self, case: object, prove: Callable[[tuple[Split, ...]], CertificateNode]) -> list[CertificateNode]:
        """Return the nodes of a case (see `settle`); it is settled once, since several statements may need it."""
        if case not in self._settled:
            try:
                self._settled[case] = settle(self, prove)
            except NoProof as error:
                if time.process_time() > self.deadline:  # with more time there may be a proof
                    raise
                self._settled[case] = error
        found = self._settled[case]
        if isinstance(found, NoProof):
            raise found.with_traceback(None)
        return found

    def _read(self, cells: list[Poly]) -> Outcome:
        m = self.m
        rows = [[of_polynomial(self.orthant, cells[i * m + j]) for j in range(m)] for i in range(m)]
        value = value_on(
            self.measure, rows, self.policy, self.orthant, open_order=self.open_order, supposing=self.supposing
        )
        return value if not isinstance(value, Quantity) else value * self.sign

    def supports(self, *, empty: bool = False) -> Iterator[Support]:
        """Return all supports, with or without the empty one; `NoProof` where they are too many to go through."""
        if self.m > MOST_CLASSES:
            raise NoProof(f"{self.m} classes have 2^{self.m**2} patterns of empty cells, too many to go through")
        return (x for x in product((0, 1), repeat=self.m**2) if empty or any(x))


class _Shared(threading.local):
    """The readings of the latest measures; several are kept, since an average and its measure are read alternately."""

    def __init__(self) -> None:
        self.latest: list[tuple[Measure, dict[object, object]]] = []


_shared = _Shared()


def forget() -> None:
    """Forget what was read of all measures; for an expensive one this can take hundreds of megabytes."""
    _shared.latest = []


def remembered() -> list[str]:
    """Return the names of the measures of which something is remembered."""
    return [measure.name for measure, _ in _shared.latest]


def known_of(measure: Measure) -> dict[object, object]:
    """Return what is known of a measure, by the purpose of each reading; empty if other measures have displaced it."""
    new: tuple[Measure, dict[object, object]] = measure, {}
    found = next((x for x in _shared.latest if x[0] is measure), new)
    _shared.latest = [found, *(x for x in _shared.latest if x[0] is not measure)][:_KEPT]
    return found[1]


def reader_of(
    measure: Measure, m: int, policy: Policy, deadline: float, *, open_order: bool, supposing: bool = False
) -> Reader:
    """Return the reader of a measure; the proofs of several statements read the same supports, which is done once."""
    known, key = known_of(measure), ("reader", m, str(policy), open_order, supposing)
    if key not in known:
        known[key] = Reader(measure, m, policy, open_order=open_order, supposing=supposing)
    found = known[key]
    assert isinstance(found, Reader)
    found.deadline = deadline
    return found


def split_cells(orthant: Orthant, cells: list[Poly], splits: tuple[Split, ...]) -> list[Poly]:
    """Return the cells after splits: the larger of two variables becomes the smaller plus their difference."""
    gens, index = orthant.context.gens(), {name: k for k, name in enumerate(orthant.names)}
    for first, order, second in splits:
        place = list(gens)
        if second == "1":  # a positive whole number is 1, or 1 more than another one
            x = index[first]
            place[x] = gens[x] + 1 if order == ">" else orthant.constant(1)
            cells = [p.compose(*place) for p in cells]
            continue
        x, y = index[first], index[second]
        if order == ">":
            place[x] = gens[x] + gens[y]
        elif order == "<":
            place[y] = gens[x] + gens[y]
        else:
            place[x] = gens[y]
        cells = [p.compose(*place) for p in cells]
    return cells


def settle(
    reader: Reader, prove: Callable[[tuple[Split, ...]], CertificateNode], depth: int = _DEPTH
) -> list[CertificateNode]:
    """Return the nodes of one case, split by the order of cells as far as needed."""
    return [{"splits": ["".join(x) for x in splits], **node} for splits, node in _settle(reader, prove, (), depth)]


def _settle(
    reader: Reader, prove: Callable[[tuple[Split, ...]], CertificateNode], splits: tuple[Split, ...], depth: int
) -> list[tuple[tuple[Split, ...], CertificateNode]]:
    """Return (splits, node) for every branch; `NoProof` where some branch stays open after ``depth`` more splits."""
    blocking: Poly | None
    try:
        return [(splits, prove(splits))]
    except Unsettled as error:
        blocking, why = error.polynomial, NoProof(str(error), error.polynomial)
    except NoProof as error:
        blocking, why = error.polynomial, error
    except Outside as error:
        raise NoProof(str(error)) from None
    if depth == 0 or time.process_time() > reader.deadline:
        raise why
    for first, second in pairs(blocking, reader.names):  # cells only: factors and sizes need not be whole numbers
        try:
            return [
                found
                for order in ("=>" if second == "1" else "<=>")
                for found in _settle(reader, prove, (*splits, (first, order, second)), depth - 1)
            ]
        except NoProof as error:
            why = error
    raise why


def within(reader: Reader, whole: Support, supports: Iterator[Support]) -> Iterator[Support]:
    """Yield supports inside a block; those that renaming the classes makes equal once, if all are treated alike.

    Let p rename the classes so that the block stays the same, let f be the formula on the block, and let M treat all
    classes alike. Then M(pC) = M(C) for every matrix C, so f(pC) = f(C) on the block, and by continuity where cells of
    it vanish. So if f continues to M on a support S, it does on pS: M(pC) = M(C) = f(C) = f(pC) for all C on S.
    """
    if not reader.alike:
        return supports
    names = [p for p in permutations(range(reader.m)) if renamed(whole, p, reader.m) == whole]
    return representatives(supports, reader.m, lambda x, p: renamed(x, p, reader.m), names)


# What a support pattern tells


@lru_cache(maxsize=4096)
def rows(support: Support, m: int) -> tuple[tuple[bool, ...], ...]:
    """Return a support as the rows of a matrix."""
    return tuple(tuple(bool(x) for x in support[i * m : (i + 1) * m]) for i in range(m))


def is_diagonal(support: Support, m: int) -> bool:
    """Return whether all predictions are right."""
    return not any(support[i * m + j] for i in range(m) for j in range(m) if i != j)


def is_zero_diagonal(support: Support, m: int) -> bool:
    """Return whether all predictions are wrong."""
    return not any(support[i * m + i] for i in range(m))


def is_unary(support: Support, m: int) -> bool:
    """Return whether one row or one column holds all items."""
    true = sum(any(support[i * m : (i + 1) * m]) for i in range(m))
    predicted = sum(any(support[j::m]) for j in range(m))
    return true < 2 or predicted < 2


@lru_cache(maxsize=20_000)
def renamed(support: Support, p: tuple[int, ...], m: int) -> Support:
    """Return the support after class k is renamed p[k]."""
    out = [0] * (m * m)
    for i in range(m):
        for j in range(m):
            out[p[i] * m + p[j]] = support[i * m + j]
    return tuple(out)


def representatives(
    found: Iterator[_Case],
    m: int,
    rename: Callable[[_Case, tuple[int, ...]], Hashable],
    names: list[tuple[int, ...]] | None = None,
) -> Iterator[_Case]:
    """Yield one of each set of cases that are the same up to the names of the classes: all names, or those given."""
    seen: set[Hashable] = set()
    names = list(permutations(range(m))) if names is None else names
    for x in found:
        if rename(x, names[0]) not in seen:
            seen.update(rename(x, p) for p in names)
            yield x
