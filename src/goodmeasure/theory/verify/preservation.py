"""Check what `gm.preserves` says: that averaging keeps a property of every binary measure, or loses that of one.

Let B_i be the matrix of class i against the rest, [[tn, fp], [fn, tp]] with tp = c_ii, fn = a_i − c_ii,
fp = b_i − c_ii and tn = n − a_i − b_i + c_ii. Macro averaging is the mean of M(B_i) over the classes that occur in one
of the labelings, or over all m classes, weighted averaging is Σ (a_i/n)·M(B_i), and micro averaging is M of ΣB_i. M
stands for every binary measure that has a value on all matrices and has the property on all of them.

**Kept.** The statement is about every m and every M, so it is shown once, with two classes p and q and all others
added up: nine sums of cells z_ij ≥ 0, in which the entries of B_p, B_q and of ΣB_i are linear forms. Each property has
its list of facts about these forms, and each fact is computed anew here:

* ``diagonal`` (maximal agreement). fn and fp contain no cell of the diagonal, so B_i is diagonal if C is. Every cell
  off the diagonal, (p, q), occurs in fn of B_p with a positive coefficient, and class p has positive weight then, since
  a_p ≥ c_pq > 0. So the average is c_max where C is diagonal; elsewhere all terms are at most c_max and one of positive
  weight is less. For micro averaging ΣB_i is diagonal exactly if C is.
* ``transposed`` (symmetry). B_i of the transposed matrix is B_i transposed, and its weight is the same.
* ``renamed`` (class symmetry). Renaming the classes permutes the B_i with their weights.
* ``resolved`` (monotonicity). If an item of cell (p, q) becomes right, n stays, B_p and B_q change by one resolved
  disagreement each, and no other B_i changes. B_p and B_q have no class with all items if every class occurs in both
  labelings, so M rises on both. In ΣB_i two disagreements are resolved, one after the other; its true sizes are (m−1)·n
  and n, its predicted sizes are these before the first step and differ by one from them before the second, and neither
  is 0, since n ≥ 2 where no labeling is constant.
* ``triangle`` (distance, besides the facts of symmetry and maximal agreement). Each labeling of m classes gives a
  binary one for each class, and B_i is the matrix of two of these, so the triangle inequality of M holds for each i;
  with all classes present, or with a mean over all classes, the weights are 1/m for all pairs of labelings, and the
  inequalities add up. For micro
  averaging the binary labelings of all classes are written one after another, and ΣB_i is the matrix of two of these.
* ``guessed`` (constant baselines). The prediction "class i or not" of a random labeling with sizes b is a random binary
  labeling with sizes (n − b_i, b_i), and with all classes present it is not constant. So each E[M(B_i)] is c_base, and
  the weights, which depend on the true sizes only, add up to 1. If c_ij = a_i·b_j/n, each B_i has this form too.

**Lost.** A measure is named, with a certificate that it has the property for two classes on all matrices. Its average
is computed here on the matrices that are shown, and must violate the property.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import permutations, product
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from goodmeasure.catalogue.measure import Measure, as_measure
from goodmeasure.language.exact import reals
from goodmeasure.language.exact.reals import Exact
from goodmeasure.theory.statements import statement as kinds
from goodmeasure.theory.statements.averages import AVERAGING, FACTS, OVER_ALL, averaged_name
from goodmeasure.theory.statements.domain import domain_of
from goodmeasure.theory.statements.lookup import statement as statement_of
from goodmeasure.theory.verify.arithmetic import UNDEFINED
from goodmeasure.theory.verify.certificate_input import measure_of
from goodmeasure.theory.verify.signs import demand
from goodmeasure.theory.verify.value_table import CountRows
from goodmeasure.typing import ReadJson

if TYPE_CHECKING:
    from goodmeasure.theory.statements.domain import Domain
    from goodmeasure.theory.statements.statement import Statement
    from goodmeasure.theory.verify.verify import Check

_MOST_ITEMS = 8  # of an average over all predictions

ExactNumber: TypeAlias = Fraction | Exact
CellForm = tuple[int, ...]  # a linear form in the nine sums z_ij, row by row
BinaryForms = tuple[CellForm, CellForm, CellForm, CellForm]  # tn, fp, fn, tp


def check_preserved(data: Mapping[str, ReadJson]) -> None:
    """Check a certificate that averaging keeps a property of every binary measure."""
    averaging, name = data["averaging"], statement_of(data["statement"]).name
    demand(data["classes"] == "every" and data.get("measure") is None, "it is about every measure and every m")
    demand(
        (averaging, name) in FACTS,
        "{got} averaging is not shown to keep {name}",
        field="averaging",
        got=averaging,
        name=name,
    )
    facts, domains = FACTS[averaging, name]
    demand(
        data["domain"] in domains,
        "{averaging} averaging is not shown to keep {name} on {got!r}",
        field="domain",
        got=data["domain"],
        averaging=averaging,
        name=name,
    )
    demand(
        [x["fact"] for x in data["facts"]] == list(facts),
        "what has to be shown is {facts}",
        field="facts",
        got=data["facts"],
        facts=", ".join(facts),
    )
    for fact in data["facts"]:
        known = _SHOWN[fact["fact"]](averaging)
        demand(
            {**known, "fact": fact["fact"]} == dict(fact),
            "the fact {name!r} is another one",
            field="facts",
            got=fact,
            name=fact["fact"],
        )


def check_average(check: Check) -> None:
    """Check that the average of a binary measure has a property that the measure has and averaging preserves.

    The average must be the one that its name says, of a measure of the catalogue or of the user's function that was
    averaged. If every class occurs in both labelings, so do both classes of each binary matrix (and of their sum): the
    measure needs a value, and the property, on regular matrices only. On the domain "all" it needs both everywhere;
    "non-unary" is left out, since a class against the rest may be constant where the labelings are not.
    """
    certificate = check.certificate
    demand(len(certificate.cases) == 1 and len(certificate.parts) == 1, "an average rests on one binary measure")
    (case,), (part,) = certificate.cases, certificate.parts
    averaging, name = case["averaging"], check.statement.name
    demand(case["proof"] == {"by": "averaging"} and check.domain.name != "non-unary", "not shown by averaging")
    demand(
        (averaging, name) in FACTS and check.domain.name in FACTS[averaging, name][1],
        "{name} may be lost",
        field="averaging",
        got=averaging,
        name=name,
    )
    demand(certificate.measure == averaged_name(averaging, part.measure), "the average of another measure")
    averaged = _averaged(check.measure, averaging, part.measure)
    same = ("statement", "domain", "undefined", "constants")
    demand(all(getattr(part, x) == getattr(certificate, x) for x in same), "the binary measure has something else")
    demand(part.classes == 2 and not part.vacuous, "the proof is not about two classes")
    for fact in FACTS[averaging, name][0]:
        _SHOWN[fact](averaging)
    inner = type(check)(part, measure_of(part, averaged), check.deadline)
    inner.run()
    reading = inner.reading()
    for support in product((0, 1), repeat=4):
        if inner.admits(support):
            value = reading.value(reading.cells("".join(map(str, support)), []))
            demand(value is not UNDEFINED, "the binary measure has no value on some matrices")


def _averaged(measure: Measure, averaging: str, name: str) -> Measure:
    """Return the measure that another one averages; a user's average must be exactly what the library would build.

    What averages over classes is known of the library's own code only. So the measure must be what the library makes of
    the inner one: the same code, with the same things in it.
    """
    if not measure.is_users_own():
        return as_measure(name)
    inner = measure.parameters.get("measure")
    demand(isinstance(inner, Measure), "a function of one's own may be another average")
    assert isinstance(inner, Measure)
    made = AVERAGING[averaging](inner)
    demand(_code(measure) == _code(made), "the average is not what the library makes of the binary measure")
    return inner


def _code(measure: Measure) -> tuple[object, ...]:
    """Return what a measure is: its kind, whether higher is better, its code and what that refers to."""
    function = measure.function
    held = [x.cell_contents for x in getattr(function, "__closure__", None) or ()]
    known = [x if isinstance(x, (int, Fraction)) else id(x) for x in held]
    return type(measure), measure.orientation, getattr(function, "__code__", None), known


# Linear forms in nine sums of cells: classes p and q, and all others together


def _cell(i: int, j: int) -> CellForm:
    return tuple(int(k == 3 * i + j) for k in range(9))


def _plus(*forms: CellForm) -> CellForm:
    return tuple(map(sum, zip(*forms, strict=True)))


def _minus(x: CellForm, y: CellForm) -> CellForm:
    return tuple(p - q for p, q in zip(x, y, strict=True))


def _times(form: CellForm, values: CellForm) -> int:
    return sum(x * y for x, y in zip(form, values, strict=True))


_ALL: CellForm = (1,) * 9


def _against_the_rest(i: int, place: Callable[[int, int], CellForm] = _cell) -> BinaryForms:
    """Return the binary matrix of class p (0) or q (1) as linear forms."""
    hit = place(i, i)
    true, predicted = _plus(*(place(i, j) for j in range(3))), _plus(*(place(j, i) for j in range(3)))
    miss, alarm = _minus(true, hit), _minus(predicted, hit)
    return _minus(_minus(_minus(_ALL, true), predicted), tuple(-x for x in hit)), alarm, miss, hit


def _transposed(x: BinaryForms) -> BinaryForms:
    return x[0], x[2], x[1], x[3]


def _diagonal(averaging: str) -> dict[str, object]:
    """Demand that off-diagonal cells, and no others, make the binary matrices differ from diagonal ones."""
    for i in (0, 1):
        _, alarm, miss, _ = _against_the_rest(i)
        for cells in (alarm, miss):
            demand(all(x >= 0 for x in cells) and cells[0] == cells[4] == 0, "a right prediction makes an error")
            demand(cells[8] == 0, "the other classes make an error of this one")
        demand(all(miss[3 * i + j] > 0 for j in range(3) if j != i), "an error is no miss of its class")
    return {}


def _turned(averaging: str) -> dict[str, object]:
    """Demand that the binary matrices of the transposed matrix are the transposed ones, and weights are the same."""
    demand(averaging != "weighted", "the weights are true class sizes")
    for i in (0, 1):
        there = _against_the_rest(i, lambda p, q: _cell(q, p))
        demand(there == _transposed(_against_the_rest(i)), "a transposed matrix has other binary matrices")
    return {}


def _renamed(averaging: str) -> dict[str, object]:
    """Demand that exchanging two classes exchanges their binary matrices."""
    swap = {0: 1, 1: 0, 2: 2}
    for i in (0, 1):
        there = _against_the_rest(i, lambda p, q: _cell(swap[p], swap[q]))
        demand(there == _against_the_rest(swap[i]), "renaming changes the binary matrices")
    return {}


def _resolved(averaging: str) -> dict[str, object]:
    """Return how the binary matrices change if an item of cell (p, q) moves to (p, p) or to (q, q)."""
    found = []
    for right in (0, 1):
        step = _minus(_cell(right, right), _cell(0, 1))
        changes = [[_times(form, step) for form in _against_the_rest(i)] for i in (0, 1)]
        for change in changes:  # one item leaves fp for tn or tp, or fn for tn or tp
            demand(sorted(change) == [-1, 0, 0, 1] and (change[0] == 1 or change[3] == 1), "no resolved disagreement")
        total = [x + y for x, y in zip(*changes, strict=True)]
        demand(total == [1, -1, -1, 1], "in all, a false positive and a false negative are resolved")
        found.append(total if averaging == "micro" else changes)
    return {"changes": found}


def _triangle(averaging: str) -> dict[str, object]:
    """Demand that binary matrices add up like counts of pairs of labels: their total is n for each class."""
    demand(averaging != "weighted", "the weights are true class sizes")
    for i in (0, 1):
        demand(_plus(*_against_the_rest(i)) == _ALL, "a binary matrix does not count every item once")
    return {}


def _guessed(averaging: str) -> dict[str, object]:
    """Demand that "class i or not" of a random labeling is a random binary labeling, on small numbers, exactly."""
    for a, b in product(((1, 1, 1), (2, 1, 1), (1, 2, 2)), repeat=2):
        if sum(a) == sum(b):
            _check_guess(a, b)
    return {}


def _check_guess(a: tuple[int, ...], b: tuple[int, ...]) -> None:
    """Demand that the hits of each class are distributed as for binary labelings, and have the mean a_i·b_i/n."""
    truth, n = [i for i, size in enumerate(a) for _ in range(size)], sum(a)
    drawn = set(permutations([j for j, size in enumerate(b) for _ in range(size)]))
    for i in range(len(a)):
        hits = [sum(x == y == i for x, y in zip(truth, guess, strict=True)) for guess in drawn]
        binary = set(permutations([int(k < b[i]) for k in range(n)]))
        plain = [sum(x == i and y for x, y in zip(truth, guess, strict=True)) for guess in binary]
        for k in range(n + 1):
            demand(hits.count(k) * len(plain) == plain.count(k) * len(hits), "the hits are distributed in another way")
        demand(sum(hits) * n == a[i] * b[i] * len(hits), "the mean number of hits is another one")


_SHOWN: dict[str, Callable[[str], dict[str, object]]] = {
    "diagonal": _diagonal,
    "transposed": _turned,
    "renamed": _renamed,
    "resolved": _resolved,
    "triangle": _triangle,
    "guessed": _guessed,
}


# A property that one measure loses


def check_lost(
    data: Mapping[str, ReadJson], measure: Measure, has_it: Callable[[Mapping[str, ReadJson], Measure], object]
) -> None:
    """Check that a measure has a property, and that its average violates it on what is shown."""
    of, domain = statement_of(data["statement"]), domain_of(data["domain"])
    proof = data["has"]
    wanted = (of.name, 2, "all")
    demand((proof["statement"], proof["classes"], proof["domain"]) == wanted, "the measure may lack the property")
    has_it(proof, measure)
    average = _Average(data["averaging"], measure, domain)
    example = data["example"]
    if "labelings" in example:
        demand(of.kind == kinds.DISTANCE, "labelings show the triangle inequality")
        _check_triangle(average, example["labelings"])
    elif "sizes" in example:
        values = [average.guess(of, *(tuple(y) for y in x)) for x in example["sizes"]]
        demand(len(values) == 2 and bool(values[0] != values[1]), "both guesses score the same")
    else:
        matrices = [tuple(tuple(row) for row in x) for x in example["matrices"]]
        _check_pair(of, average, *matrices)


class _Average:
    """An average of a binary measure over the classes, on numbers."""

    def __init__(self, averaging: str, measure: Measure, domain: Domain) -> None:
        demand(averaging in AVERAGING, "no averaging {got!r}", field="averaging", got=averaging)
        self.averaging, self.measure, self.domain = averaging, measure, domain
        self.turn = -1 if measure.orientation == "lower" else 1

    def __call__(self, rows: Sequence[Sequence[int | Fraction]]) -> ExactNumber:
        demand(len(rows) == 3 and all(len(row) == 3 for row in rows), "the matrices have three classes")
        demand(all(x >= 0 for row in rows for x in row), "counts are not negative")
        demand(bool(self.domain.holds(np.array(rows, dtype=object))), "a matrix is outside the domain")
        a, b, n = [sum(x) for x in rows], [sum(x) for x in zip(*rows, strict=True)], sum(map(sum, rows))
        ones = [[[n - a[i] - b[i] + rows[i][i], b[i] - rows[i][i]], [a[i] - rows[i][i], rows[i][i]]] for i in range(3)]
        if self.averaging == "micro":
            return self._exact([[sum(x[p][q] for x in ones) for q in (0, 1)] for p in (0, 1)])
        there = [i for i in range(3) if self.averaging == OVER_ALL or a[i] or (b[i] and self.averaging == "macro")]
        weights = [Fraction(a[i]) / n if self.averaging == "weighted" else Fraction(1, len(there)) for i in there]
        return sum((w * self._exact(ones[i]) for w, i in zip(weights, there, strict=True)), Fraction(0))

    def _exact(self, rows: Sequence[Sequence[int | Fraction]]) -> ExactNumber:
        value: Exact = self.measure.exact(rows)
        demand(value is not reals.UNDEFINED, "the measure has no value on a matrix of one class against the rest")
        return value * self.turn

    def guess(self, of: Statement, a: tuple[int, ...], b: tuple[int, ...]) -> ExactNumber:
        """Return the average over random predictions, or the value where labelings are independent."""
        n = sum(a)
        demand(sum(b) == n > 0 and max(b) < n and min(*a, *b) >= 0, "no sizes that the statement speaks of")
        if of.kind == kinds.INDEPENDENT:
            return self([[Fraction(x * y, n) for y in b] for x in a])
        demand(of.kind == kinds.EXPECTATION, "sizes show baselines")
        demand(n <= _MOST_ITEMS, "too many predictions to look at")
        truth = [i for i, size in enumerate(a) for _ in range(size)]
        drawn = set(permutations([j for j, size in enumerate(b) for _ in range(size)]))
        return sum((self(_counts(truth, x)) for x in drawn), Fraction(0)) / len(drawn)


def _counts(truth: Iterable[int], prediction: Iterable[int]) -> list[list[int]]:
    rows = [[0] * 3 for _ in range(3)]
    for i, j in zip(truth, prediction, strict=True):
        rows[i][j] += 1
    return rows


def _check_triangle(average: _Average, labelings: ReadJson) -> None:
    """Demand that three labelings violate the triangle inequality of c_max − average."""
    a, b, c = labelings
    demand(len(a) == len(b) == len(c) <= 12, "the labelings have different lengths")
    best = average(_counts(a, a))
    ab, bc, ac = (best - average(_counts(x, y)) for x, y in ((a, b), (b, c), (a, c)))
    demand(bool(ac > ab + bc), "the triangle inequality holds")


def _check_pair(of: Statement, average: _Average, x: CountRows, y: CountRows) -> None:
    """Demand that two matrices violate a property: an extreme, a symmetry, or a move."""
    one, two = average(x), average(y)
    if of.kind == kinds.EXTREME:
        hollow = [all(rows[i][i] == 0 for i in range(3)) for rows in (x, y)]
        demand(of.at == kinds.ZERO_DIAGONAL and any(hollow), "a matrix without right predictions is needed")
        same_n = all(hollow) and bool(one != two)
        low, high = (two, one) if hollow[1] else (one, two)
        demand(same_n or (not all(hollow) and bool(high <= low)), "the least value is reached where it should be")
    elif of.kind == kinds.MOVES:
        change = {(i, j, y[i][j] - x[i][j]) for i in range(3) for j in range(3) if x[i][j] != y[i][j]}
        moves = [move for move in of.moves(3) if set(move.changes) == change]
        demand(len(moves) == 1 and moves[0].rises, "the matrices do not differ by a move")
        sizes = [sum(row) for row in x], [sum(row) for row in zip(*x, strict=True)]
        demand(max(map(max, sizes)) < sum(map(sum, x)), "a labeling is constant before the move")
        if of.pair:
            right = [sum(rows[i][i] for i in range(3)) for rows in (x, y)]
            demand(any(right) and any(r != sum(map(sum, z)) for r, z in zip(right, (x, y), strict=True)), "excluded")
        demand(bool(two <= one), "the average rises")
    else:
        demand(
            of.name in ("symmetry", "distance"),
            "no example shows that {statement} is lost",
            field="example",
            statement=of.name,
        )
        demand(tuple(zip(*x, strict=True)) == tuple(y) and bool(one != two), "the average is symmetric there")
