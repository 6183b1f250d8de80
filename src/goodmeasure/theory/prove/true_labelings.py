"""Prove statements about test sets, for any number of classes: fixed ranges, constant predictions, smoothness.

A test set fixes the true class sizes a; a prediction then spreads the a_i items of each class over the columns. Which
classes occur (the *true classes* of a test set) decides which supports its predictions can have. Test sets on which the
measure has no value for any prediction in the domain are outside the statement, and so are skipped.

**Ranges** (`prove_range`; sebastiani2015, Axiom 5). Two constants bound the measure on every support of the domain.
Each is reached on every test set: a *pure* support has exactly one positive cell in the row of each class that occurs,
and for every choice of positive class sizes there is exactly one matrix with that support and these sizes, the one with
cells a_i. So if for all true classes with values some pure support in the domain has the bound as its value,
identically in the sizes, every test set has a prediction that reaches it. The perfect classifier and the constant
predictions are examples. No other constant can be the bound than the extreme one among the constant values on pure
supports.

**Constant predictions** (`prove_trivial`; Axiom 7). If every class occurs and all items are called class j, the matrix
has the support "column j". The value there, a formula in the class sizes, must not contain a variable. Where it has no
value, nothing is demanded of that prediction and there is no constant for it.

**Smoothness** (`prove_smooth`; Axiom 2). For given true class sizes the cells of each row run through a simplex, and
all of them through a product of simplices (for two classes a rectangle in TP and TN). Its faces are matrices of smaller
support, and a smaller domain leaves some of the faces out. If one formula in polynomials, roots, means of two values
and logarithms holds on all faces in the domain, no denominator vanishes on them, and neither does what stands under a
root, in a mean or in a logarithm (of a quotient of polynomials), then the formula is continuously differentiable in a
neighbourhood of each of these matrices, so the measure is, with one-sided derivatives at the boundary. (√x at x = 0
would not be.) Power means and the means of `language/means_of_two.py` are continuously differentiable functions of two
positive numbers: the slope of an integral mean is f′(M)⁻¹ times the average of t·f′(tu + (1 − t)v), which depends
continuously on u and v, and all others are analytic. A face without values is a gap that the formula fills, if it is
smooth there too. Any other function may occur in the formula if it depends on the true class sizes alone, as the
entropy of these does: on one test set it is a number.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from goodmeasure.language.exact.reals import UNDEFINED
from goodmeasure.theory.algebra.quantities import Quantity, of, of_atom, of_polynomial
from goodmeasure.theory.algebra.slopes import at, derivative
from goodmeasure.theory.prove.baselines import ClassSubset, block, same_formula
from goodmeasure.theory.prove.signs import NoProof
from goodmeasure.theory.prove.support_cases import Reader, Split, Support, rows, settle
from goodmeasure.theory.prove.values import beyond, in_domain, named_once, text, varies
from goodmeasure.theory.statements.certificate import CertificateNode
from goodmeasure.theory.statements.domain import Domain
from goodmeasure.theory.statements.statement import Statement


def true_classes(support: Support, m: int) -> ClassSubset:
    """Return which classes occur in the true labels."""
    return tuple(int(any(row)) for row in rows(support, m))


def is_pure(support: Support, m: int) -> bool:
    """Return whether all items of each true class are given one label."""
    return all(sum(support[i * m : (i + 1) * m]) < 2 for i in range(m))


def prove_range(
    reader: Reader, domain: Domain, *, symmetric: bool = False
) -> tuple[list[CertificateNode], dict[str, Support]]:
    """Return nodes that show that two bounds hold on every support and are reached on every test set.

    If all classes are treated alike, test sets with the same number of classes are the same up to renaming: a bound
    that is reached on one of them is reached on all, by the renamed prediction.
    """
    found = list(named_once(reader, domain, symmetric=symmetric))
    nodes: list[CertificateNode] = []
    places: dict[str, Support] = {}
    low, high = ("alpha", "beta")[:: reader.sign]  # the least and the greatest value in the measure's own sign
    for name, sense in ((low, -1), (high, 1)):
        bound, places[name] = _extreme_of_pure(reader, found, sense)
        met: dict[ClassSubset, bool] = {}  # for all true classes with values, whether the bound is reached
        for support in found:

            def prove(splits: tuple[Split, ...], support: Support = support, sense: int = sense) -> CertificateNode:
                value = reader.value(reader.cells(support, splits))
                if not isinstance(value, Quantity):
                    return {"by": "undefined"}
                reached = not (value - bound).num  # noqa: B023
                return {"by": "zero"} if reached else beyond(value, bound, sense, strict=False)  # noqa: B023

            proofs = settle(reader, prove)
            nodes += [{"bound": name, "support": text(support), "proof": node} for node in proofs]
            if any(x["by"] != "undefined" for x in proofs):
                reached = is_pure(support, reader.m) and all(x["by"] == "zero" for x in proofs)
                test = true_classes(support, reader.m)
                test = tuple(sorted(test)) if symmetric else test
                met[test] = met.get(test, False) or reached
        if not all(met.values()):
            raise NoProof("no prediction that reaches the bound is seen")
    return nodes, places


def _extreme_of_pure(reader: Reader, found: list[Support], sense: int) -> tuple[Quantity, Support]:
    """Return the least or greatest constant value on a pure support, and that support."""
    m, best = reader.m, None
    for support in found:
        if not is_pure(support, m):
            continue
        value = reader.value(reader.cells(support))
        if not isinstance(value, Quantity) or varies(value):
            continue
        exact = reader.measure.exact([list(support[i * m : (i + 1) * m]) for i in range(m)], undefined=reader.policy)
        rank = float(exact) * reader.sign * sense
        if best is None or rank > best[0]:
            best = rank, value, support
    if best is None:
        raise NoProof("no prediction has a constant value")
    return best[1], best[2]


def column(j: int, m: int) -> Support:
    """Return the support of the matrices in which every class occurs and all items are called class j."""
    return tuple(int(k == j) for _ in range(m) for k in range(m))


def prove_trivial(
    reader: Reader, statement: Statement, domain: Domain
) -> tuple[list[CertificateNode], dict[str, Support]]:
    """Return nodes that show that each constant prediction scores one constant wherever it has a value."""
    m, nodes = reader.m, list[CertificateNode]()
    places: dict[str, Support] = {}
    for name, j in statement.constant_predictions(m):
        support = column(j, m)
        if not domain.holds_pattern(rows(support, m)):
            continue
        value = reader.value(reader.cells(support))
        if isinstance(value, Quantity):
            if varies(value):
                raise NoProof(f"not one constant on {text(support)}")
            places[name] = support
        nodes.append(
            {"support": text(support), "proof": {"by": "undefined" if not isinstance(value, Quantity) else "constant"}}
        )
    if not places:
        raise NoProof("no constant prediction in the domain has a value")
    return nodes, places


def prove_smooth(reader: Reader, domain: Domain) -> list[CertificateNode]:
    """Return a node for all true classes: one formula, without zeros below or under roots, holds in the domain."""
    nodes: list[CertificateNode] = []
    for a, supports in test_sets(reader, domain):
        if all(reader.value(reader.cells(x)) is UNDEFINED for x in supports):
            nodes.append({"true": text(a), "proof": {"by": "undefined"}})
            continue
        _smooth_on(reader, a, supports)
        nodes.append({"true": text(a), "proof": {"by": "one formula"}})
    if all(x["proof"]["by"] == "undefined" for x in nodes):
        raise NoProof("no test set in the domain has a value")
    return nodes


def test_sets(reader: Reader, domain: Domain) -> Iterator[tuple[ClassSubset, list[Support]]]:
    """Yield which classes occur in a test set, with the supports in the domain that its predictions can have."""
    m = reader.m
    for a in product((0, 1), repeat=m):
        found = [x for x in in_domain(reader, domain) if true_classes(x, m) == a]
        if found:
            yield a, found


def _smooth_on(reader: Reader, a: ClassSubset, supports: list[Support]) -> None:
    """Check that one smooth formula holds on the test sets with these true classes."""
    m = reader.m
    whole = block(a, (1,) * m)
    value = reader.value(reader.cells(whole))
    if not isinstance(value, Quantity):
        raise NoProof(f"undefined on {text(whole)}")
    ring, none = reader.orthant, reader.orthant.constant(0)
    keys = {key for part in (value.num, value.den) for key in part}
    names = {name for key in keys for name in key[1:]}
    same_formula(reader, value, whole, iter(supports), gaps=True)
    inner = [of_polynomial(ring, ring.roots[name]) for name in {key[0] for key in keys}]
    for name in names:
        inner += _must_be_positive(reader, name, a)
    for support in supports:
        rim = {k: none for k in range(m * m) if whole[k] and not support[k]}
        there = [at(x, rim) for x in inner]
        if any(x is None or x.sign() != 1 for x in there):
            raise NoProof("the argument of a root, a mean or a logarithm vanishes at the boundary")


def _must_be_positive(reader: Reader, name: str, a: ClassSubset) -> list[Quantity]:
    """Return what must stay positive for an atom to be smooth; `NoProof` where nothing is known of its smoothness."""
    ring = reader.orthant
    atom = ring.atoms[name]
    if atom.kind == "mean":
        return [of(ring, p) for p in atom.about[1:]]
    if atom.kind == "log" and atom.argument(0, Quantity).as_polynomials() is not None:
        return [atom.argument(0, Quantity)]
    if not _is_fixed(reader, name, a):
        raise NoProof("not a quotient of polynomials, roots, means and logarithms")
    return []


def _is_fixed(reader: Reader, name: str, a: ClassSubset) -> bool:
    """Return whether an atom is the same for all predictions: its slopes vanish where items move within a row."""
    m = reader.m
    moves = [{i * m: 1, i * m + j: -1} for i in range(m) if a[i] for j in range(1, m)]
    return not any(derivative(of_atom(reader.orthant, ("1", name)), x).num for x in moves)
