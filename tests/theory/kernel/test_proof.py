"""What a certificate says beside its cases, and proofs about the form of a tree."""

import pytest

import goodmeasure as gm
from goodmeasure.language import tree as t
from goodmeasure.theory.kernel import check

from .forging import cell, changed, number, of_tree, over, proved, refused

FIRST = t.ClassVariable(1)
HITS = over(1, cell(FIRST, FIRST))


def test_every_kind_that_is_named_is_known():
    true = proved("accuracy", "symmetry")
    for kind in ("impossible ", "Impossible", "", ["impossible"], None, "proof"):
        refused({**true, "kind": kind, "statements": ["monotone", "symmetry"]}, "kind")


@pytest.mark.parametrize("by", ["classes alike", "mirrored", "scale free"])
def test_constants_that_nothing_shows(by):
    name = {"classes alike": "class_symmetry", "mirrored": "symmetry", "scale free": "scale_invariance"}[by]
    data = of_tree(t.Ratio(HITS, t.TotalOf(t.Counts(None)), number(1)), name, by=by)
    check(data)
    refused({**data, "constants": {"c_max": "1"}}, "constants")


@pytest.mark.parametrize("policy", ["banana", "None", "1e99999999", "1/0", "inf", "NAN", "resolve ", "٣", 7 * "9" * 99])
def test_policies_are_resolve_nan_or_a_number(policy):
    refused(of_tree(HITS, "class_symmetry", by="classes alike", undefined=policy), "policy")


def test_what_says_nothing_has_no_constants():
    data = of_tree(t.Missing(), "maximal_agreement", by="vacuous", domain="regular", undefined="nan")
    data["cases"] = [
        {"support": f"{k:04b}", "proof": {"by": "undefined"}}
        for k in range(16)
        if k & 12 and k & 3 and k & 10 and k & 5
    ]
    check(data)
    refused({**data, "constants": {"c_max": "0"}}, "constants")
    refused(changed(data, "cases", to=data["cases"][1:]), "missing")
    refused({**data, "statement": "sebastiani_sde"}, "says nothing")


def test_a_distance_says_nothing_only_where_there_is_no_value():
    """All triples of labelings have a diagonal matrix, and the two matrices that have values are not symmetric."""
    c = [[cell(t.Nth(i), t.Nth(j), t.Counts(2)) for j in (0, 1)] for i in (0, 1)]

    def only(x, y):
        return t.Test("and", (t.Test("eq", (x, t.TotalOf(t.Counts(2)))), t.Test("lt", (number(0), y))))

    tree = t.Where(only(c[0][1], c[0][1]), number(1), t.Where(only(c[1][0], c[1][0]), number(2), t.Missing()))
    data = of_tree(tree, "distance", by="vacuous", undefined="nan")
    joint = [{"joint": f"{k:08b}", "proof": {"by": "undefined"}} for k in range(1, 256)]
    refused({**data, "cases": joint}, "missing")
    supports = [{"support": f"{k:04b}", "proof": {"by": "undefined"}} for k in range(1, 16)]
    refused({**data, "cases": supports}, "defined")


def test_classes_that_have_many_names():
    refused(of_tree(HITS, "opitz_class_indifferent", m=20, symmetric=True, cases=[]), "too many names")


def test_conditions_that_occur_often_are_read_once():
    test = t.Test("lt", (HITS, t.TotalOf(t.Counts(None))))
    for _ in range(60):
        test = t.Test("and", (test, test))
    check(of_tree(t.Where(test, number(1), number(2)), "scale_invariance", by="scale free"))


def test_a_family_is_read_by_its_own_formula():
    data = proved("accuracy", "monotone")
    data["measure"] |= {"name": "f1", "family": "generalized_mean"}
    with pytest.raises(gm.CertificateError, match="family"):
        gm.verify(data)
    data["measure"] |= {"family": "unknown"}
    with pytest.raises(gm.CertificateError, match="family"):
        gm.verify(data)
