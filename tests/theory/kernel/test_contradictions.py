"""Proofs that are about all measures: rows that no statement demands, tables, and what averaging loses."""

import pytest

from goodmeasure.language import tree as t
from goodmeasure.theory.kernel import FORMAT, check
from goodmeasure.theory.kernel.kinds.impossible import Rows
from goodmeasure.theory.kernel.texts import parsed

from .forging import of_tree, refused


def impossible(statements, rows, sizes, domain="all", **more):
    return {
        "format": FORMAT,
        "kind": "impossible",
        "statements": statements,
        "classes": 2,
        "domain": domain,
        "measure": None,
        "sizes": sizes,
        "rows": rows,
        **more,
    }


def possible(statements, table, sizes, domain="all", **more):
    return {
        "format": FORMAT,
        "kind": "possible",
        "statements": statements,
        "classes": 2,
        "domain": domain,
        "measure": None,
        "sizes": sizes,
        "table": table,
        **more,
    }


def row(statement, relation, multiplier, **about):
    return {"statement": statement, "about": about, "relation": relation, "multiplier": multiplier}


def test_multipliers_have_a_value_for_every_n():
    """With n + 1 items from n = 0 on, 1/n is no number for the first n."""
    same = {"matrix": [["n", 0], [0, 1]], "image": [["n", 0], [0, 1]]}
    maximum = {"matrix": [["n", 0], [0, 1]]}
    for weight, why in (("1/n", "no polynomial"), ("sqrt(n)", "no polynomial"), ("log(n)", "no row is strict")):
        rows = [row("symmetry", "=", weight, **same), row("maximal_agreement", "=", "0", **maximum)]
        refused(impossible(["symmetry", "maximal_agreement"], rows, ["n+1"], least=0), why)


def test_the_ends_of_the_range_of_two_items():
    """On regular matrices of one item of each class no move of MON leads from the one end to the other."""
    statements = ["sebastiani_mon", "sebastiani_fix"]
    for rows, items in (([[1, 0], [0, 1]], 2), ([[0, 1], [1, 0]], 2), ([[2, 0], [0, 1]], 3)):
        for domain in ("all", "regular", "non-unary"):
            data = impossible(statements, [row("sebastiani_fix", "=", "1", matrix=rows)], [items], domain)
            through = items > 2 or domain == "all"
            refused(data, "no row is strict" if through else "no way through the domain")


def test_averages_of_many_items_are_not_worked_out():
    many = 10**11
    sizes = {"true": [many - 1, 1], "predicted": [1, many - 1]}
    refused(impossible(["constant_baseline"], [row("constant_baseline", "=", "1", **sizes)], [many]), "too many")
    sizes = {"true": ["n", 10**11], "predicted": ["n", 10**11]}
    data = impossible(["constant_baseline"], [row("constant_baseline", "=", "1", **sizes)], ["n+100000000000"], least=1)
    refused(data, "too many")


def test_a_table_has_sizes_and_fractions():
    refused(possible(["monotone"], [], []), "size")
    ones = [[[[int(k == p) for p in pair] for pair in ((0, 1), (2, 3))], "1"] for k in range(4)]
    check(possible(["symmetry"], ones, [1]))
    for value in ("1e99999999", "1.5", "1/0", "", "one", 1, True, None, float("nan"), "٣"):
        refused(possible(["symmetry"], [[ones[0][0], value], *ones[1:]], [1]), "no fraction")


def test_a_property_that_says_nothing_is_not_lost():
    has = of_tree(t.Missing(), "monotone", by="vacuous")
    data = {
        "format": FORMAT,
        "kind": "lost",
        "averaging": "macro",
        "statement": "monotone",
        "classes": 3,
        "domain": "all",
        "measure": "forged",
        "has": has,
        "example": {"matrices": [[[1, 0, 0], [0, 1, 0], [0, 0, 1]]] * 2},
    }
    refused(data, "other proof")


@pytest.mark.parametrize("weight", ["0", "-1", "n", "n - 1", "2*n^2 - n", "-1/2"])
def test_multipliers_of_inequalities_are_positive(weight):
    rows = Rows(impossible(["monotone"], [], ["n+2"], least=0))
    assert not rows.is_positive(parsed(rows.ring, weight))
