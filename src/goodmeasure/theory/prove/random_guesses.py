"""Prove that guessing each label with equal chances scores one constant on average (sebastiani2015, Axiom 6).

For a test set with n items of m classes, all m^n predictions are equally likely. On a smaller domain those outside it
are left out, and the others stay equally likely. A test set for which some prediction in the domain has no value has no
average, and the statement leaves it out; if this leaves no test set at all, the average is taken over the predictions
that do have a value.

**Rotations** (`rotations`). Renaming the predicted labels cyclically, class j to class j + 1, is a bijection of the
predictions of a test set. It keeps the domain, since a domain depends only on how many classes occur in the truth and
in the predictions, or on whether all do. So the average of M(C) over all predictions is the average of

    (M(C) + M(C·P) + … + M(C·P^(m−1))) / m,

where P rotates the columns. If this mean of m values is the same constant γ on every support of the domain, the average
is γ for every test set. For two classes P exchanges the columns: every prediction is paired with its complement. Where
one of the m matrices has no value, all m must have none. Then test sets without such matrices are unaffected, all
others have no average; and the predictions that do have a value are a union of whole orbits, so that an average over
these alone is γ as well. A measure that is affine in the cells is a special case: the mean of C·P^k over k is the
matrix a_i/m, whatever C is. Angles that are the supplements of each other are recognised: the arc cosine maps x and −x
to angles that add up to π, in particular 0 to π/2.

**Given sizes** (`by_sizes`). Draw the predicted class sizes b first, then a prediction with these sizes. If for all
true and predicted class sizes the average over the predictions with these sizes is γ, so is the mixture over b. That
is Gösgens' constant baseline (goesgens2021, Definition 8), except that Definition 8 leaves out constant predictions and
sizes for which some prediction has no value. So, besides a proof of it on the same domain, the value of each constant
prediction in the domain must be γ or undefined; and for all classes that occur in the truth and in the predictions, the
measure must have a value on all supports or on none. Then all predictions with given sizes have a value, or none has.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import TYPE_CHECKING, TypeVar

from goodmeasure.language.exact.reals import UNDEFINED, Exact
from goodmeasure.language.policy import Undefined
from goodmeasure.theory.algebra.quantities import Outcome, Quantity, constant, of_atom
from goodmeasure.theory.prove.baselines import ClassSubset, filled
from goodmeasure.theory.prove.signs import NoProof, zero
from goodmeasure.theory.prove.support_cases import Reader, Split, Support, rows, settle
from goodmeasure.theory.prove.values import in_domain, text, varies
from goodmeasure.theory.statements.certificate import CertificateNode
from goodmeasure.theory.statements.domain import Domain

if TYPE_CHECKING:
    from goodmeasure.catalogue.measure import Measure


_Cell = TypeVar("_Cell")


def rotated(cells: Sequence[_Cell], m: int, k: int) -> list[_Cell]:
    """Return the cells with each column moved k places to the right, the last ones to the front."""
    return [cells[i * m + (j - k) % m] for i in range(m) for j in range(m)]


def orbit_of(support: Support, m: int) -> list[Support]:
    """Return the supports that rotations of the columns make of a support."""
    return [tuple(rotated(support, m, k)) for k in range(m)]


def rotations(reader: Reader, domain: Domain) -> tuple[list[CertificateNode], Support]:
    """Return a node for each support up to rotation, and a support on which the constant can be read."""
    m, nodes, base, where = reader.m, list[CertificateNode](), None, None
    for support in in_domain(reader, domain):
        if support != min(orbit_of(support, m)):
            continue

        def total(splits: tuple[Split, ...], support: Support = support) -> Outcome:
            cells = reader.cells(support, splits)
            values = [reader.value(rotated(cells, m, k)) for k in range(m)]
            known = [x for x in values if isinstance(x, Quantity)]
            if not known:
                return UNDEFINED
            if len(known) < m:
                raise NoProof("only some of the rotated predictions have a value")
            return with_supplements(sum(known[1:], known[0]))

        if base is None:
            whole = total(())
            if isinstance(whole, Quantity) and varies(whole):
                raise NoProof("predictions and their rotations do not score one constant on average")
            base, where = (None, None) if not isinstance(whole, Quantity) else (whole, support)

        def prove(splits: tuple[Split, ...]) -> CertificateNode:
            whole = total(splits)
            if not isinstance(whole, Quantity):
                return {"by": "undefined"}
            if base is None:  # noqa: B023
                raise NoProof("the average has a value in some cases of a support only")
            return zero(whole - base)  # noqa: B023

        nodes += [{"support": text(support), "proof": node} for node in settle(reader, prove)]
    if where is None:
        raise NoProof("no average in the domain has a value")
    return nodes, where


def with_supplements(x: Quantity) -> Quantity:
    """Return the same value with π − arccos z in place of arccos(−z), if arccos z occurs too, and π/2 for arccos 0."""
    ring = x.orthant
    angles = [name for name in {name for key in x.num for name in key[1:]} if ring.atoms[name].kind == "arccos"]
    pi = of_atom(ring, ring.atom("pi", positive=True))
    kept: list[str] = []
    for name in sorted(angles):
        inner = ring.atoms[name].argument(0, Quantity)
        partner = next((y for y in kept if not (ring.atoms[y].argument(0, Quantity) + inner).num), None)
        if not inner.num:
            x = _replaced(x, name, pi / 2)
        elif partner is not None:
            x = _replaced(x, name, pi - of_atom(ring, ("1", partner)))
        else:
            kept.append(name)
    return x


def _replaced(x: Quantity, name: str, image: Quantity) -> Quantity:
    """Return a value whose numerator has something else in the place of an atom."""
    ring, total = x.orthant, constant(x.orthant, 0)
    for key, p in x.num.items():
        term = Quantity(ring, {tuple(y for y in key if y != name): p}, x.den)
        total = total + term * image ** key.count(name)
    return total


def mean_of_rotations(measure: Measure, support: Support, m: int, undefined: Undefined) -> Exact:
    """Return the exact mean value over the rotations of the matrix with one item in each cell of a support."""
    matrices = [[list(x[i * m : (i + 1) * m]) for i in range(m)] for x in orbit_of(support, m)]
    values: list[Exact] = [measure.exact(x, undefined=undefined) for x in matrices]
    return sum(values[1:], values[0]) / m


def by_sizes(reader: Reader, domain: Domain, baseline: Exact) -> list[CertificateNode]:
    """Return a node for each choice of classes that occur in the truth and in the predictions.

    ``baseline`` is the exact constant of the baseline, in the measure's own sign.
    """
    m, nodes = reader.m, list[CertificateNode]()
    for a, b in product(product((0, 1), repeat=m), repeat=2):
        supports = [x for x in filled(a, b) if domain.holds_pattern(rows(x, m))]
        if supports:
            nodes.append({"true": text(a), "predicted": text(b), "proof": _of_sizes(reader, b, supports, baseline)})
    if all(x["proof"]["by"] == "undefined" for x in nodes):
        raise NoProof("no average in the domain has a value")
    return nodes


def _of_sizes(reader: Reader, b: ClassSubset, supports: list[Support], baseline: Exact) -> CertificateNode:
    """Return the node for the predictions in which these classes occur."""
    values = [x for x in (reader.value(reader.cells(x)) for x in supports) if isinstance(x, Quantity)]
    if not values:
        return {"by": "undefined"}
    if len(values) < len(supports):
        raise NoProof("only some predictions of the same sizes have a value")
    if sum(b) > 1:
        return {"by": "defined"}
    if not baseline.is_rational:
        raise NoProof("a constant that is not rational")
    return zero(
        values[0] - baseline.as_fraction() * reader.sign
    )  # a constant prediction has one matrix for given sizes
