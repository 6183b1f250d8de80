"""Certificates of the new format for tests: true ones from the search, and forged ones written by hand."""

from __future__ import annotations

import copy
import json
from fractions import Fraction

import pytest

import goodmeasure as gm
from goodmeasure.language import tree as t
from goodmeasure.theory.kernel import FORMAT, check
from goodmeasure.theory.kernel.claim import Branch, check_node
from goodmeasure.theory.kernel.meaning import Meaning
from goodmeasure.theory.kernel.proof import claim_of, kind_of
from goodmeasure.theory.kernel.refusal import Refused
from goodmeasure.theory.kernel.values import Ring
from goodmeasure.theory.search.prove import prove, tree_data
from goodmeasure.theory.statements.lookup import statement


def proved(measure, name, m=2, domain="regular", undefined="resolve", seconds=20):
    """Return a certificate that the search finds, after checking it as JSON."""
    found = prove(gm.measure(measure), statement(name), m, domain, undefined, seconds)
    assert found is not None, (measure, name)
    data = json.loads(json.dumps(found))
    check(data)
    return data


def claimed(measure, name, cases=(), m=2, domain="regular", undefined="resolve", **more):
    """Return a certificate written by hand; ``more`` are its other fields."""
    of = gm.measure(measure)
    return {
        "format": FORMAT,
        "statement": name,
        "measure": {"name": of.name, "orientation": of.orientation, "tree": tree_data(of.recorded.tree(m))},
        "classes": m,
        "domain": domain,
        "undefined": undefined,
        "constants": {},
        "symmetric": False,
        "cases": [{**about, "proof": proof} for about, proof in cases],
        **more,
    }


def of_tree(tree, name, m=2, domain="all", **more):
    """Return a certificate about a tree that is written by hand."""
    return {
        "format": FORMAT,
        "statement": name,
        "measure": {"name": "forged", "orientation": "higher", "tree": tree_data(tree)},
        "classes": m,
        "domain": domain,
        "undefined": "resolve",
        "constants": {},
        **more,
    }


def on_matrix(tree, rows, policy="resolve"):
    """Return the value of a tree on a matrix of numbers; None where it has none."""
    ring = Ring("x")
    return Meaning(ring, [[ring.number(x) for x in row] for row in rows], policy).value(tree)


def number(x):
    return t.Numeral(Fraction(x))


def op(name, *args):
    return t.Operation(name, args)


def over(i, term, op="sum", of=None, test=None):
    return t.Over(op, of or t.Counts(None), i, term, test, Fraction(1), None, None)


def cell(i, j, of=None):
    return t.CellOf(of or t.Counts(None), i, j)


def changed(data, *path, to):
    """Return a copy of a certificate with another value at a path; ``to=None`` takes the entry away."""
    copied = copy.deepcopy(data)
    *before, last = path
    inner = copied
    for key in before:
        inner = inner[key]
    if to is None:
        del inner[last]
    else:
        inner[last] = to
    return copied


def refused(data, why):
    """Demand that a certificate is refused for a reason."""
    with pytest.raises(Refused, match=why):
        check(json.loads(json.dumps(data)))


def check_case(data, about, proof):
    """Check one case of a certificate, whatever its other cases are; return the kind that checked it."""
    kind = kind_of(claim_of(data), data.get("by", "cases"))
    (case,) = (x for x in kind.cases() if x.about == about)
    check_node(case, Branch(kind.ring), json.loads(json.dumps(proof)))
    return kind


def case_refused(data, about, proof, why):
    """Demand that a proof of one case is refused for a reason."""
    with pytest.raises(Refused, match=why):
        check_case(data, about, proof)
