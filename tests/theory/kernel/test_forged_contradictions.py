"""Claims about all measures that were forged by hand: each is refused by a demand of the kernel, or around it."""

from __future__ import annotations

import json
from itertools import product

import pytest

import goodmeasure as gm
from goodmeasure.theory.kernel import FORMAT
from tests.theory.proving import prove

ONES = [[1, 1], [1, 1]]


def plain(x):
    return json.loads(json.dumps(x.to_dict() if hasattr(x, "to_dict") else x))


# What excludes each other


def impossible(statements, rows, sizes, classes=2, **more):
    return {
        "format": FORMAT, "kind": "impossible", "statements": statements, "measure": None, "classes": classes,
        "domain": "all", "sizes": sizes, "rows": rows, **more,
    }  # fmt: skip


def row(statement, relation="=", multiplier="1", **about):
    return {"statement": statement, "about": about, "relation": relation, "multiplier": multiplier}


DIAGONAL, WRONG = [[1, 0], [0, 1]], [[0, 1], [1, 0]]


def forge_mixed_sizes():
    return impossible(["symmetry"], [], ["n", 3], least=2)


def forge_a_range_of_three_classes():
    return impossible(["sebastiani_fix"], [], [2], classes=3)


def forge_a_negative_multiplier():
    rows = [row("maximal_agreement", ">", "-1", matrix=ONES), row("maximal_agreement", ">", matrix=ONES)]
    return impossible(["maximal_agreement"], rows, [4])


def forge_a_multiplier_that_is_no_number():
    return impossible(["maximal_agreement"], [row("maximal_agreement", ">", "1n1", matrix=ONES)], [4])


def forge_a_matrix_that_becomes_extreme():
    """[[n − 2, 0], [0, 2]] is never hollow but for n = 2, where nothing is right in the first class."""
    rows = [row("minimal_agreement", matrix=[["n-1", 1], [0, 0]])]
    return impossible(["minimal_agreement"], rows, ["n"], least=1)


def forge_no_image():
    rows = [
        row("symmetry", matrix=DIAGONAL, image=WRONG),
        row("maximal_agreement", ">", matrix=WRONG),
        row("maximal_agreement", "=", "-1", matrix=DIAGONAL),
    ]
    return impossible(["symmetry", "maximal_agreement"], rows, [2])


def forge_a_move_with_a_constant_labeling():
    rows = [row("monotone", ">", matrix=[[0, 2], [0, 0]], after=[[1, 1], [0, 0]])]
    return impossible(["monotone"], rows, [2])


def forge_another_part_of_a_distance():
    return impossible(["distance"], [row("distance", part="monotone", matrix=ONES, after=ONES)], [4])


def forge_labelings_with_negative_counts():
    joint = [[[-1, 1], [1, 0]], [[1, 0], [0, 0]]]
    return impossible(["distance"], [row("distance", ">=", labelings=joint)], [2])


def forge_averages_that_are_lifted():
    return impossible(["sebastiani_cha"], [row("sebastiani_cha", true=["n-1", 1])], ["n"], least=2)


def forge_an_average_of_nothing():
    return impossible(["sebastiani_cha"], [row("sebastiani_cha", true=[1, 1])], [3])


def forge_an_absent_class():
    return impossible(["sebastiani_imb"], [row("sebastiani_imb", matrix=[[0, 0], [0, 2]])], [2])


def forge_a_prediction_that_is_not_constant():
    return impossible(["sebastiani_imb"], [row("sebastiani_imb", matrix=DIAGONAL)], [2])


def forge_a_range_without_its_ends():
    return impossible(["sebastiani_fix"], [row("sebastiani_fix", matrix=DIAGONAL)], [2])


def forge_no_end_of_a_range():
    return impossible(["sebastiani_fix", "sebastiani_mon"], [row("sebastiani_fix", matrix=ONES)], [4])


def forge_items_of_two_kinds():
    name = "opitz_class_indifferent"
    rows = [row(name, matrix=DIAGONAL, one=[[2, 0], [0, 1]], other=[[1, 1], [0, 1]])]
    return impossible([name], rows, [3])


# Results about all measures


def possible_table(statements, values, n=1, **more):
    cells = [x for x in product(range(n + 1), repeat=4) if sum(x) == n]
    table = [[[list(x[:2]), list(x[2:])], values(x) if callable(values) else values] for x in cells]
    return {
        "format": FORMAT, "kind": "possible", "statements": statements, "measure": None, "classes": 2, "domain": "all",
        "sizes": [n], "table": table, **more,
    }  # fmt: skip


def result(data, **more):
    return {
        "status": data["kind"], "properties": data["statements"], "classes": data["classes"], "domain": data["domain"],
        "sizes": data["sizes"], "certificate": data, **more,
    }  # fmt: skip


def forge_another_status():
    return {**result(possible_table(["symmetry"], "0")), "status": "impossible"}


def forge_a_result_that_says_more():
    return result(possible_table(["symmetry"], "0"), remark="for every n")


def forge_a_contradiction_of_more_items():
    data = plain(gm.possible("monotone", "distance", "constant_baseline"))
    return {**data, "n": data["n"] + 1, "for_every_n": None}


def forge_a_statement_of_other_classes():
    name = "approximate_constant_baseline(order=1)"
    cells = [[[int((i, j) == x) for j in range(3)] for i in range(3)] for x in product(range(3), repeat=2)]
    return {**possible_table([name], "0"), "classes": 3, "table": [[x, "0"] for x in cells]}


def forge_a_known_measure_without_values():
    return result(possible_table(["symmetry"], "0"), known="yule_q")


def forge_what_no_table_shows():
    return possible_table(["opitz_class_decomposable"], "0")


def forge_a_table_of_too_many_matrices():
    return {**possible_table(["symmetry"], "0"), "sizes": [400]}


def forge_too_many_labelings():
    """The matrices of 24 items are few, and the joint counts of three labelings are not."""
    return possible_table(["distance"], lambda x: str(x[0] + x[3]), n=24)


def forge_too_many_predictions_in_a_row():
    return impossible(["sebastiani_cha"], [row("sebastiani_cha", true=[400, 400])], [800])


def forge_too_many_matrices_in_a_row():
    about = {"true": [60, 60, 60], "predicted": [60, 60, 60]}
    return impossible(["constant_baseline"], [row("constant_baseline", **about)], [180], classes=3)


def forge_too_many_guesses_of_an_average():
    return lost("macro", "constant_baseline", {"sizes": [[[3, 3, 3], [3, 3, 3]]] * 2}, "kappa")


def lost(averaging, statement, example, measure="accuracy", domain="all"):
    return {
        "format": FORMAT, "kind": "lost", "averaging": averaging, "statement": statement, "domain": domain,
        "classes": 3, "measure": measure, "has": plain(prove(measure, statement)), "example": example,
    }  # fmt: skip


THREE = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]


def forge_labelings_for_a_symmetry():
    return lost("macro", "symmetry", {"labelings": [[0, 1, 2]] * 3})


def forge_a_loss_without_values():
    return lost("macro", "symmetry", {"matrices": [THREE, THREE]}, "diagnostic_odds_ratio")


def forge_sizes_for_a_symmetry():
    return lost("macro", "symmetry", {"sizes": [[[1, 1, 1], [1, 1, 1]]] * 2})


def forge_labelings_of_different_lengths():
    return lost("macro", "distance", {"labelings": [[0, 1, 2], [0, 1, 2], [0, 1]]})


def forge_a_triangle_that_holds():
    return lost("macro", "distance", {"labelings": [[0, 1, 2]] * 3})


def forge_a_least_value_without_hollow_matrices():
    return lost("macro", "minimal_agreement", {"matrices": [THREE, THREE]})


def forge_a_move_from_a_constant_labeling():
    before, after = [[0, 2, 0], [0, 0, 0], [0, 0, 0]], [[1, 1, 0], [0, 0, 0], [0, 0, 0]]
    return lost("macro", "monotone", {"matrices": [before, after]})


def forge_a_move_that_is_excluded():
    before, after = [[1, 0, 0], [0, 1, 0], [0, 0, 0]], [[2, 0, 0], [0, 1, 0], [0, 0, 0]]
    return lost("macro", "strongly_monotone", {"matrices": [before, after]})


def forge_an_average_that_rises():
    before, after = [[1, 1, 0], [0, 1, 0], [0, 0, 1]], [[2, 0, 0], [0, 1, 0], [0, 0, 1]]
    return lost("macro", "monotone", {"matrices": [before, after]})


def forge_the_loss_of_class_symmetry():
    return lost("macro", "class_symmetry", {"matrices": [THREE, THREE]})


def forge_a_symmetric_pair():
    return lost("weighted", "symmetry", {"matrices": [THREE, THREE]})


def forge_an_average_of_which_nothing_is_known():
    from goodmeasure.theory.atlas.preservation import Preservation

    return Preservation("macro", "symmetry", "held", None, "every", "regular")


def edited(data, *edits):
    """Return a copy with other entries at some paths."""
    data = plain(data)
    for *path, last, value in edits:
        inner = data
        for key in path:
            inner = inner[key]
        if value is None:
            del inner[last]
        elif value == "again":
            inner.insert(last, inner[last])
        else:
            inner[last] = value
    return data


def monotone_and_baseline(**options):
    names = ("sebastiani_mon", "sebastiani_fix", "sebastiani_imb", "constant_baseline")
    return gm.possible(*names, **options)


EDITS = {
    "one class": ("classes", 1), "the size is text": ("sizes", 0, "1"), "no sizes": ("sizes", []),
    "a smaller domain": ("domain", "regular"), "a statement is missing": ("statements", 0, None),
    "no rows": ("rows", []),
    "a weaker relation": ("rows", 0, "relation", ">="), "a row is missing": ("rows", 1, None),
    "a constant prediction": ("rows", 1, "about", "predicted", 1, 0),
    "other sums of sizes": ("rows", 2, "about", "predicted", 1, 2),
    "another format": ("format", "3"), "a measure": ("measure", "zero_one_loss"), "no domain": ("domain", None),
    "no statements": ("statements", []), "classes as text": ("classes", "2"),
}  # fmt: skip


@pytest.mark.parametrize("what", EDITS)
def test_an_edited_contradiction_is_refused(what):
    data = plain(monotone_and_baseline(n=3).certificate)
    assert gm.verify(data)
    with pytest.raises(gm.CertificateError):
        gm.verify(edited(data, EDITS[what]))


@pytest.mark.parametrize(
    "edit",
    [("sizes", []), ("least", 0), ("rows", 0, "about", "matrix", 0, 0, "1/2"),
     ("rows", 0, "about", "after", 0, 1, 2)],
    ids=str,
)  # fmt: skip
def test_an_edited_contradiction_for_every_n_is_refused(edit):
    data = plain(gm.possible("sebastiani_mon", "constant_baseline").for_every_n)
    assert gm.verify(data)
    with pytest.raises(gm.CertificateError):
        gm.verify(edited(data, edit))


@pytest.mark.parametrize(
    "edit",
    [("table", []), ("table", 13, 1, "-1"), ("table", 3, "again"), ("table", 7, 0, 0, 1, 0), ("statements", []),
     ("classes", "2"), ("domain", None), ("measure", "zero_one_loss"), ("format", "0")],
    ids=str,
)  # fmt: skip
def test_an_edited_table_is_refused(edit):
    data = plain(gm.possible("sebastiani_imb", "sebastiani_mon", n=2).certificate)
    assert gm.verify(data)
    with pytest.raises(gm.CertificateError):
        gm.verify(edited(data, edit))


@pytest.mark.parametrize(
    "edit",
    [("domain", "non-unary"), ("properties", ["symmetry"]), ("n", 0), ("sizes", [3, 3]),
     ("properties", 0, "again"), ("certificate", None)],
    ids=str,
)  # fmt: skip
def test_an_edited_answer_is_refused(edit):
    for answer in (gm.possible("distance", "monotone", n=3), gm.possible("monotone", "distance", "constant_baseline")):
        data = plain(answer)
        assert gm.verify(data)
        if edit[0] == "properties" and edit[-1] == "again":
            continue  # a set that names a property twice says the same
        with pytest.raises(gm.CertificateError):
            gm.verify(edited(data, edit))


FORGERIES = {name.removeprefix("forge_"): f for name, f in list(globals().items()) if name.startswith("forge_")}


@pytest.mark.parametrize("name", FORGERIES)
def test_a_forged_claim_about_all_measures_is_refused(name):
    with pytest.raises(gm.CertificateError):
        gm.verify(FORGERIES[name](), seconds=8)
