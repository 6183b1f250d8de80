"""Statements about single matrices and equal values: extremes, invariances, definedness, class sensitivity."""

import random
from itertools import combinations, product

import pytest

import goodmeasure as gm
from goodmeasure.theory.kernel.claim import Claim, bits
from goodmeasure.theory.kernel.kinds.values import Definedness, Extremes, Indifference, Invariances
from goodmeasure.theory.statements.lookup import statement
from tests.theory.kernel.forging import case_refused, changed, check_case, claimed, proved, refused
from tests.theory.kernel.test_moves import DOMAINS, PERMUTATIONS, in_domain

SQUARES = [((a, b), (c, d)) for a, b, c, d in product(range(3), repeat=4)]
DIFFERENCE, EQUAL, UNDEFINED = {"by": "difference"}, {"by": "equal"}, {"by": "undefined"}


def claim_of(name, domain="regular", m=2, symmetric=False, measure="accuracy"):
    tree = gm.measure(measure).recorded.tree(m)
    return Claim(tree, statement(name), m=m, domain=domain, policy="resolve", symmetric=symmetric)


def supports(matrices, domain):
    return {bits(x for row in rows for x in row) for rows in matrices if in_domain(rows, domain)}


# Which cases there are


@pytest.mark.parametrize("domain", DOMAINS)
@pytest.mark.parametrize(
    ("kind", "name"),
    [
        (Extremes, "maximal_agreement"), (Extremes, "minimal_agreement"), (Invariances, "symmetry"),
        (Invariances, "scale_invariance"), (Invariances, "opitz_prevalence_invariant"), (Definedness, "sebastiani_sde"),
        (Definedness, "sebastiani_wde"), (Invariances, "class_symmetry"),
    ],
)  # fmt: skip
def test_every_support_of_the_domain_is_a_case(kind, name, domain):
    cases = list(kind(claim_of(name, domain)).cases())
    assert {x.about["support"] for x in cases} == supports(SQUARES, domain)
    assert len(cases) == len(supports(SQUARES, domain))
    draw = random.Random(2)
    matrices = [tuple(tuple(draw.choice((0, 0, 1)) for _ in range(3)) for _ in range(3)) for _ in range(300)]
    wanted = supports(matrices, domain)
    maps = 5 if name == "class_symmetry" else 1
    every = {(x.about["support"], x.about.get("map", 0)) for x in kind(claim_of(name, domain, 3)).cases()}
    assert wanted <= {x for x, _ in every}
    assert {k for _, k in every} == set(range(maps))
    some = {x.about["support"] for x in kind(claim_of(name, domain, 3, symmetric=True)).cases()}
    for x in {x for x, _ in every}:
        assert len({named(x, p) for p in PERMUTATIONS} & some) == 1


def named(support, p):
    """A support after the classes are renamed."""
    cells = {(p[i], p[j]): support[3 * i + j] for i, j in product(range(3), repeat=2)}
    return "".join(cells[i, j] for i, j in product(range(3), repeat=2))


@pytest.mark.parametrize("domain", DOMAINS)
def test_the_cases_of_class_indifference_are_pairs_of_items(domain):
    wanted = set()
    for rows in SQUARES:
        for cells in combinations(product(range(2), repeat=2), 2):
            after = [
                tuple(tuple(x + ((i, j) == cell) for j, x in enumerate(r)) for i, r in enumerate(rows))
                for cell in cells
            ]
            if len({i == j for i, j in cells}) == 1 and all(in_domain(x, domain) for x in after):
                wanted.add((bits(x for row in rows for x in row), cells))
    found = {
        (x.about["support"], tuple(map(tuple, x.about["cells"])))
        for x in Indifference(claim_of("opitz_class_indifferent", domain)).cases()
    }
    assert found == wanted


# Extremes


def test_extremes_are_one_constant_and_strict():
    data = proved("accuracy", "maximal_agreement")
    for constant in ("0", "2", "1/1 + 0*1 - 1", "c0_0", "1 - 1", ""):
        refused(changed(data, "constants", "c_max", to=constant), "c_max|value|other")
    refused(changed(data, "constants", to={}), "constants")
    refused(changed(data, "constants", to={"c_max": "1", "more": "1"}), "constants")
    refused({**data, "statement": "minimal_agreement", "constants": {"c_min": "1"}}, "0")
    proved("accuracy", "minimal_agreement")
    proved("error_rate", "maximal_agreement")


@pytest.mark.parametrize(
    ("definition", "support", "name", "why"),
    [
        (lambda c: c.tp + c.tn - c.fp, "1001", "maximal_agreement", "should be 0"),  # not constant where all is right
        (lambda c: -c.fp, "1101", "maximal_agreement", None),
        (lambda c: -c.fp, "1011", "maximal_agreement", "wrong sign"),  # best, although not all is right
        (lambda c: c.fp, "1101", "maximal_agreement", "wrong sign"),
        (lambda c: c.tp, "0110", "minimal_agreement", None),
        (lambda c: c.tp, "1110", "minimal_agreement", "wrong sign"),
        (lambda c: c.tp + c.fp, "0110", "minimal_agreement", "should be 0"),
    ],
)
def test_extremes_are_reached_exactly_where_they_should_be(definition, support, name, why):
    data = claimed(definition, name)
    if why is None:
        check_case(data, {"support": support}, DIFFERENCE)
    else:
        case_refused(data, {"support": support}, DIFFERENCE, why)


def test_extremes_say_nothing_where_there_is_no_value():
    bare = claimed("precision", "maximal_agreement", domain="all", undefined="nan")
    check_case(bare, {"support": "1000"}, UNDEFINED)
    case_refused(bare, {"support": "1000"}, DIFFERENCE, "undefined")
    case_refused(bare, {"support": "0001"}, UNDEFINED, "a value is defined")
    gone = claimed(lambda c: c.ratio(c.tp, c.fp * c.fn), "maximal_agreement", undefined="nan")
    case_refused(gone, {"support": "1111"}, DIFFERENCE, "no matrix to take")


# Invariances


def test_symmetry_exchanges_true_and_predicted_labels():
    proved("accuracy", "symmetry")
    good = claimed("accuracy", "symmetry")
    check_case(good, {"support": "1111", "map": 0}, EQUAL)
    case_refused(claimed("recall", "symmetry"), {"support": "1111", "map": 0}, EQUAL, "should be 0")
    case_refused(claimed("recall", "symmetry"), {"support": "1111", "map": 0}, UNDEFINED, "defined")
    bare = claimed("recall", "symmetry", domain="all", undefined="nan")
    check_case(bare, {"support": "1100", "map": 0}, UNDEFINED)  # recall is 0/0 there, and precision in the image
    check_case(bare, {"support": "1010", "map": 0}, UNDEFINED)  # it has a value there, and none in the image
    case_refused(bare, {"support": "1010", "map": 0}, EQUAL, "undefined")


def test_scalings_are_by_any_factor():
    proved("accuracy", "scale_invariance")
    check_case(claimed("accuracy", "scale_invariance"), {"support": "1111", "map": 0}, EQUAL)
    for definition in (lambda c: c.n, lambda c: c.tp / (c.n + 1), lambda c: c.where(c.n > 3, c.tp / c.n, c.tp / c.n)):
        with pytest.raises(Exception, match=r"0|sign"):
            check_case(claimed(definition, "scale_invariance"), {"support": "1111", "map": 0}, EQUAL)
    check_case(claimed("recall", "opitz_prevalence_invariant"), {"support": "1111", "map": 0}, EQUAL)
    case_refused(claimed("accuracy", "opitz_prevalence_invariant"), {"support": "1111", "map": 0}, EQUAL, "should be 0")
    case_refused(
        claimed("precision", "opitz_prevalence_invariant"), {"support": "1111", "map": 0}, EQUAL, "should be 0"
    )


def test_class_symmetry_is_equality_under_all_renamings():
    """Definitions that write classes out are alike if every renaming keeps the value."""
    data = proved(lambda c: (c.tp + c.tn) / c.n, "class_symmetry")
    assert data["cases"]
    refused({**data, "cases": data["cases"][1:]}, "missing")
    case_refused(claimed("recall", "class_symmetry"), {"support": "1111", "map": 0}, EQUAL, "should be 0")
    cost = claimed("average_cost(costs=[[0, 1, 4], [2, 0, 1], [5, 1, 0]])", "class_symmetry", m=3)
    for k in range(5):
        case_refused(cost, {"support": "1" * 9, "map": k}, EQUAL, "should be 0")


# Definedness


def test_definedness_is_asked_on_every_support():
    data = proved("accuracy", "sebastiani_sde", domain="all")
    assert {x["proof"]["by"] for x in data["cases"]} == {"defined"}
    bare = claimed("precision", "sebastiani_sde", domain="all", undefined="nan")
    check_case(bare, {"support": "0011"}, {"by": "defined"})
    case_refused(bare, {"support": "1010"}, {"by": "defined"}, "undefined")
    case_refused(bare, {"support": "1010"}, UNDEFINED, "the measure is undefined")
    case_refused(bare, {"support": "0011"}, UNDEFINED, "a value is")
    refused({**data, "undefined": "resolve"}, "another policy")


def test_definedness_is_the_same_on_a_test_set():
    data = proved("recall", "sebastiani_wde", domain="all")
    assert {x["proof"]["by"] for x in data["cases"]} == {"defined", "undefined"}
    bare = claimed("precision", "sebastiani_wde", domain="all", undefined="nan")
    supports = [x.about["support"] for x in Definedness(claim_of("sebastiani_wde", "all")).cases()]
    about = [{"support": x, "proof": UNDEFINED if x[1] + x[3] == "00" else {"by": "defined"}} for x in supports]
    refused({**bare, "cases": about}, "only some predictions")


def test_symmetric_test_sets_are_the_same_up_to_names():
    """With three classes, a measure without a value on test sets of two classes is defined together."""
    data = claimed(lambda c: c.ratio(1, c.product(lambda i: c.a[i])), "sebastiani_wde", m=3,
                   domain="all", undefined="nan", symmetric=True)  # fmt: skip
    kind = Definedness(claim_of("sebastiani_wde", "all", 3, symmetric=True))
    cases = []
    for case in kind.cases():
        x = case.about["support"]
        cases.append(
            {"support": x, "proof": {"by": "defined"} if all("1" in x[k : k + 3] for k in (0, 3, 6)) else UNDEFINED}
        )
    from goodmeasure.theory.kernel import check

    check({**data, "cases": cases})
    wrong = claimed(lambda c: c.ratio(1, c.product(lambda i: c.b[i])), "sebastiani_wde", m=3, domain="all",
                    undefined="nan", symmetric=True)  # fmt: skip
    cases = []
    for case in kind.cases():
        x = case.about["support"]
        cases.append({"support": x, "proof": {"by": "defined"} if all("1" in x[k::3] for k in range(3)) else UNDEFINED})
    refused({**wrong, "cases": cases}, "only some predictions")


# Class sensitivity


BEFORE, ONE, TWO = [[1, 1], [1, 1]], [[2, 1], [1, 1]], [[1, 1], [1, 2]]


def example(measure="recall", **more):
    about = {"before": BEFORE, "one": ONE, "two": TWO, **more}
    return claimed(measure, "opitz_class_sensitive", [({}, {"by": "example"})], about=about)


def test_an_example_shows_class_sensitivity():
    from goodmeasure.theory.kernel import check

    check(example())
    refused(example("accuracy"), "wrong sign")
    right = {"one": [[2, 1], [1, 1]], "two": [[1, 2], [1, 1]]}
    refused(example(**right), "one item is right")
    for bad in (
        {"one": [[2, 1], [1, 2]]},  # two items more
        {"one": [[3, 1], [1, 1]]},
        {"one": BEFORE},
        {"one": [[0, 1], [1, 1]]},
        {"one": [[2, 1, 1], [1, 1, 1]]},
        {"one": [2, 1, 1, 1]},
        {"one": [[2, 1], [1, True]]},
        {"one": [[2, 1], [1, 1.0]]},
        {"before": [[1, 1], [1, -1]], "one": [[2, 1], [1, -1]], "two": [[1, 1], [1, 0]]},
        {"before": [[10**9, 1], [1, 1]]},
        {"before": None},
        {"before": [[0, 1], [0, 1]], "one": [[1, 1], [0, 1]], "two": [[0, 1], [0, 2]]},  # outside of the domain
    ):
        refused(example(**bad), "adds one item|counts|domain|no list")
    refused(example(lambda c: c.ratio(1, c.tp - c.tp)) | {"undefined": "nan"}, "undefined")
    refused(changed(example(), "cases", 0, "proof", to={"by": "difference"}), "no way")


# Class indifference


def test_indifference_is_equality_of_additional_items():
    proved("accuracy", "opitz_class_indifferent")
    about = {"support": "1111", "cells": [[0, 0], [1, 1]]}
    check_case(claimed("accuracy", "opitz_class_indifferent"), about, EQUAL)
    case_refused(claimed("recall", "opitz_class_indifferent"), about, EQUAL, "should be 0")
    case_refused(claimed("accuracy", "opitz_class_indifferent"), about, UNDEFINED, "defined")
    wrong = {"support": "1111", "cells": [[0, 1], [1, 0]]}
    case_refused(claimed(lambda c: c.fp / c.n, "opitz_class_indifferent"), wrong, EQUAL, "should be 0")


# Definitions that treat classes differently are listed in full


@pytest.mark.deep
def test_cases_up_to_names_are_for_measures_that_treat_classes_alike():
    data = proved("mcc", "maximal_agreement", m=3)
    assert data["symmetric"] is True
    cost = proved("average_cost(costs=[[0, 1, 4], [2, 0, 1], [5, 1, 0]])", "maximal_agreement", m=3)
    assert cost["symmetric"] is False
    refused({**cost, "symmetric": True}, "treated differently")
    refused({**data, "symmetric": False}, "is missing")
    refused({**data, "symmetric": 1}, "is missing")
