"""Witnesses made by hand that refute nothing: each is refused by a demand of the replay."""

from __future__ import annotations

from fractions import Fraction

import pytest

import goodmeasure as gm
from goodmeasure.language.exact.reals import UNDEFINED

ONES, DIAGONAL, WRONG = [[1, 1], [1, 1]], [[1, 0], [0, 1]], [[0, 1], [1, 0]]
THREE = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]


def verdict(measure, name, status, **more):
    return {
        "property": name, "measure": measure, "status": status, "n": None, "constants": None, "domain": "all",
        "classes": 2, "undefined": "resolve", "method": "", "seconds": 0.0, "remark": "", "witness": None,
        "certificate": None, **more,
    }  # fmt: skip


def exhibit(of, rows, role="", value=""):
    found = gm.measure(of).exact(rows)
    return {"role": role, "value": value or str(found), "number": None, "matrix": rows}


def witness_of(of, name, *rows, n=None, measure_said="", **more):
    shown = [exhibit(of, x) for x in rows]
    items = max(sum(map(sum, x)) for x in rows) if n is None else n
    data = {"exhibits": shown, "says": "", "replay": "", **({"labelings": more.pop("labelings")} if "labelings" in more else {})}  # fmt: skip # noqa: E501
    return verdict(measure_said or of, name, "refuted", n=items, witness=data, **more)


def averages_of(of, name, *averages, n=2, values=None, **more):
    shown = []
    for k, x in enumerate(averages):
        parts = [] if values else [gm.measure(of).exact(rows) for _, rows in x]
        total = "0" if values or UNDEFINED in parts else str(_total(of, x))
        shown.append({"role": "", "value": values[k] if values else total, "number": None, "average": x})
    return verdict(of, name, "refuted", n=n, witness={"exhibits": shown, "says": "", "replay": ""}, **more)


def _total(of, average):
    return sum((gm.measure(of).exact(rows) * Fraction(w) for w, rows in average), Fraction(0))


def forge_a_number_of_classes_as_text():
    return witness_of("f1", "monotone", WRONG, [[1, 0], [1, 0]], n=2, classes="2")


def forge_a_witness_of_other_classes():
    return witness_of("accuracy", "approximate_constant_baseline(order=1)", THREE, THREE, classes=3)


def forge_a_witness_of_a_limit():
    return witness_of("f1", "opitz_chance_corrected", ONES)


def forge_an_average_over_a_part():
    """The logarithm of lift has no value without hits; class sizes for which all predictions have hits count alone."""
    part, whole = [["1", [[2, 0], [0, 1]]]], [["1/3", [[1, 0], [0, 2]]], ["2/3", [[0, 1], [1, 1]]]]
    return averages_of("information_score", "constant_baseline", part, whole, n=3)


def forge_a_rough_place_that_is_none():
    return witness_of("accuracy", "sebastiani_con", ONES, n=4)


def forge_a_rough_place_without_a_matrix():
    return witness_of("f1", "sebastiani_con", n=2)


def forge_a_witness_that_shows_nothing():
    return witness_of("accuracy", "symmetry", [[0, 1], [2, 0]], [[0, 2], [1, 0]])


def forge_a_ray_that_is_none():
    return witness_of("accuracy", "maximal_agreement", [[2, 1], [1, 1]], [[1, 1], [1, 1]], n=5)


def forge_a_ray_of_roots():
    return witness_of("mcc", "maximal_agreement", ONES, [[2, 2], [1, 1]], n=4)


LABELINGS = ["A = 011", "B = 001", "C = 101"]
TRIANGLE = ([[1, 0], [1, 1]], [[1, 1], [0, 1]], [[0, 1], [1, 1]], DIAGONAL)


def forge_labelings_that_differ_in_length():
    return witness_of("mcc", "distance", *TRIANGLE, n=3, labelings=["A = 011", "B = 001", "C = 1011"])


def forge_matrices_of_other_labelings():
    return witness_of("mcc", "distance", *TRIANGLE, n=3, labelings=["A = 011", "B = 011", "C = 101"])


def forge_equal_labelings_that_differ():
    return witness_of("mcc", "distance", *TRIANGLE[:3], [[2, 1], [0, 2]], n=3, labelings=LABELINGS)


def forge_one_average():
    return averages_of("accuracy", "constant_baseline", [["1", WRONG]])


HALVES = [["1/2", DIAGONAL], ["1/2", WRONG]]
SOME = [["2/3", [[1, 1], [1, 0]]], ["1/3", [[2, 0], [0, 1]]]]


def forge_an_average_of_other_predictions():
    return averages_of("accuracy", "constant_baseline", [["1", DIAGONAL]], HALVES)


def forge_another_average_value():
    return averages_of("accuracy", "constant_baseline", HALVES, SOME, n=3, values=["1/2", "1/3"])


def forge_averages_over_a_part():
    one = [["1/2", DIAGONAL], ["1/2", [[0, 1], [0, 1]]]]
    two = [["1/2", [[2, 0], [0, 1]]], ["1/2", [[1, 1], [0, 1]]]]
    return averages_of("precision", "sebastiani_cha", one, two, n=3)


def forge_predictions_in_fractions():
    half = [["1", [["1/2", "1/2"], ["1/2", "1/2"]]]]
    return averages_of("accuracy", "constant_baseline", half, HALVES, values=["1/2", "1/2"])


def forge_constant_predictions_in_an_average():
    return averages_of("accuracy", "constant_baseline", [["1", [[1, 0], [1, 0]]]], HALVES)


def forge_too_many_predictions():
    large = [["1", [[300, 1], [1, 300]]]]
    return averages_of("accuracy", "constant_baseline", large, large, n=602)


def forge_labelings_that_depend():
    return witness_of("accuracy", "approximate_constant_baseline", DIAGONAL, WRONG)


def forge_a_constant_labeling():
    return witness_of("accuracy", "approximate_constant_baseline", [[0, 2], [0, 0]], [[1, 0], [1, 0]])


def forge_a_derivative_at_the_rim():
    return witness_of("accuracy", "approximate_constant_baseline(order=2)", [[1, 1], [0, 0]])


def forge_test_sets_that_differ():
    return witness_of("recall", "sebastiani_wde", DIAGONAL, [[2, 0], [0, 0]], undefined="nan")


def forge_a_range_in_fractions():
    data = witness_of("accuracy", "sebastiani_fix", ONES, ONES, n=4)
    data["witness"]["exhibits"][0]["matrix"] = [["1/2", "1/2"], ["1/2", "1/2"]]
    return data


def forge_a_value_that_is_no_end():
    return witness_of("accuracy", "sebastiani_fix", ONES, [[1, 1], [1, 2]])


def forge_predictions_that_are_not_constant():
    return witness_of("accuracy", "sebastiani_imb", ONES, [[1, 1], [1, 2]])


def forge_a_test_set_of_one_class():
    return witness_of("accuracy", "sebastiani_imb", [[0, 1], [0, 1]], [[0, 0], [0, 2]])


def forge_half_a_square():
    return witness_of("accuracy", "opitz_class_decomposable", ONES, ONES)


def square(start, one, two):
    return [
        [[x + cells.count((i, j)) for j, x in enumerate(row)] for i, row in enumerate(start)]
        for cells in ((), (one,), (two,), (one, two))
    ]


def forge_a_square_with_a_value_0():
    return witness_of("accuracy", "opitz_class_decomposable", *square(WRONG, (0, 0), (1, 1)), n=2)


def forge_no_square():
    return witness_of("accuracy", "opitz_class_decomposable", ONES, ONES, ONES, ONES)


def forge_a_square_of_one_class():
    return witness_of("accuracy", "opitz_class_decomposable", *square(ONES, (0, 0), (0, 1)), n=4)


def forge_a_square_that_is_not_nested():
    return witness_of("recall", "opitz_class_decomposable", *square(ONES, (0, 0), (1, 1)), n=4)


def forge_a_verdict_about_another_measure():
    return witness_of("f1", "monotone", [[0, 1], [1, 0]], [[1, 0], [1, 0]], n=2), "accuracy"


FORGERIES = {name.removeprefix("forge_"): f for name, f in list(globals().items()) if name.startswith("forge_")}


@pytest.mark.parametrize("name", FORGERIES)
def test_a_forged_witness_is_refused(name):
    made = FORGERIES[name]()
    data, measure = made if isinstance(made, tuple) else (made, None)
    with pytest.raises(gm.CertificateError):
        gm.verify(data, measure=measure)


def test_honest_witnesses_are_accepted():
    """What is changed in the forgeries is what they are refused for."""
    for honest in (
        witness_of("f1", "monotone", [[0, 1], [1, 0]], [[1, 0], [1, 0]], n=2),
        witness_of("mcc", "distance", *TRIANGLE, n=3, labelings=LABELINGS),
        averages_of("accuracy", "constant_baseline", HALVES, SOME, n=3),
    ):
        assert gm.verify(honest)
