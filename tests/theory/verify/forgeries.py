"""Forged certificates, verdicts and results, made by hand: each is refused by one of the verifier's demands.

Most forgeries are honest certificates with a few fields changed; these are in `forgeries.json`. Those in this file need
functions of their own, of which the claim is false (or not shown), or claims that no honest certificate is near to. A
function whose name begins with ``forge_`` returns what is handed to `gm.verify`, or that and the measure.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product
from typing import Any

import goodmeasure as gm
from goodmeasure.language.exact.reals import UNDEFINED, Exact
from goodmeasure.language.view import ClassTable
from goodmeasure.theory.prove.proof import prove
from goodmeasure.theory.statements.certificate import FORMAT, definition_of
from goodmeasure.theory.statements.domain import domain_of
from goodmeasure.theory.statements.lookup import statement as statement_of
from goodmeasure.theory.statements.statement import Move
from goodmeasure.theory.verify import formula_readings, impossibility, moves, preservation, verify
from goodmeasure.theory.verify.arithmetic import UP, FunctionValue

ONES = [[1, 1], [1, 1]]
Forged = Any


def measure_in(of: Any) -> dict[str, str]:
    measure = gm.measure(of)
    return {"name": measure.name, "definition": definition_of(measure)}


def certificate(of: Any, statement: str, cases: Any = (), domain: str = "all", **more: Any) -> Forged:
    """Return a certificate about a measure of the catalogue, or about a function and with it."""
    data = {
        "format": FORMAT,
        "statement": statement,
        "measure": measure_in(of),
        "classes": 2,
        "domain": domain,
        "undefined": "resolve",
        "method": "forged",
        "constants": {},
        "symmetric": False,
        "cases": list(cases),
        **more,
    }
    return data if isinstance(of, str) else (data, of)


def plain(x: Any) -> Any:
    return json.loads(json.dumps(x.to_json() if hasattr(x, "to_json") else x))


def honest(of: Any, statement: str, classes: Any = 2, domain: str = "all", **more: Any) -> Any:
    return {**plain(prove(of, statement, classes=classes, domain=domain)), **more}


def supports(domain: str = "all", m: int = 2) -> list[str]:
    """Return the supports of a domain."""
    found = []
    for bits in product((0, 1), repeat=m * m):
        rows = tuple(tuple(bool(x) for x in bits[i * m : (i + 1) * m]) for i in range(m))
        if any(bits) and domain_of(domain).holds_pattern(rows):
            found.append("".join(map(str, bits)))
    return found


def on_supports(by: Any, domain: str = "all", first: str = "", **more: Any) -> list[Any]:
    """Return a case for each support; the support ``first`` comes first."""
    listed = sorted(supports(domain), key=lambda x: x != first)
    return [{"support": x, "proof": {"by": by(x) if callable(by) else by}, **more} for x in listed]


def sizes(by: str, true: tuple[str, ...], predicted: tuple[str, ...]) -> list[Any]:
    return [{"true": a, "predicted": b, "proof": {"by": by}} for a in true for b in predicted]


# Functions of which something false can be claimed


def nothing(c):
    return c.ratio(0, 0 * c.n)


def nothing_for_every(c):
    return c.ratio(c.sum(lambda i: c[i, i]), 0 * c.n)


def zero(c):
    return c.ratio(0, c.n)


def one_true_class(c):
    return c.where(c.a[0] * c.a[1] > 0, 0, 1)


def only_full(c):
    return c.ratio(0, c.tp * c.tn * c.fp * c.fn)


def squared_covariance(c):
    return c.ratio((c.tp * c.tn - c.fp * c.fn) ** 2, c.n**4)


def some_hit(c):
    return c.where(c.tp > 0, 1, 0)


def root_of_hits(c):
    return c.sqrt(c.ratio(c.tp, c.n))


def angle_of_hits(c):
    return c.arccos(c.ratio(c.tp, 2 * c.n))


def with_gap(c):
    return c.where(c.tp * c.tn * c.fp * c.fn > 0, c.ratio(0, 0 * c.n), c.ratio(0, c.n))


def gap_in_accuracy(c):
    return c.where(c.tp * c.tn * c.fp * c.fn > 0, c.ratio(0, 0 * c.n), c.ratio(c.tp + c.tn, c.n))


def scaled_accuracy(c):
    return c.sqrt(2) * c.ratio(c.tp + c.tn, c.n)


def accuracy_minus_two(c):
    return c.ratio(c.tp + c.tn, c.n) - 2


def accuracy_minus_one(c):
    return c.ratio(c.tp + c.tn, c.n) - 1


def lifts(c):
    return c.sum(lambda i: c.ratio(c.n * c[i, i], c.a[i] * c.b[i]))


def misses(c):
    return c.mean(lambda i: c.ratio(c[i, i], c.a[i]))


def root_of_sum(c):
    """1 where labelings are independent, and less on average: E[√X] < √E[X]."""
    return c.sqrt(c.ratio(2 * c.n**2 + c.sum(lambda i: c.n * c[i, i] - c.a[i] * c.b[i]), 2 * c.n**2))


def below_the_line(c):
    return c.sum(lambda i: c.ratio(c.n * c[i, i] - c.a[i] * c.b[i], (c[i, i] + c.a[i]) * c.n))


def not_linear(c):
    return c.ratio(c.sum(lambda i: (c.n * c[i, i] - c.a[i] * c.b[i]) ** 2), c.n**4)


def not_affine(c):
    return c.ratio(c.sum(lambda i: c.n * c[i, i] - c.a[i] * c.b[i]) ** 2, c.n**4)


def squared_accuracy(c):
    return c.ratio(c.sum(lambda i: c[i, i]) ** 2, c.n**2)


def some_errors_are_good(c):
    return c.ratio(c.sum(lambda i: (c.b[i] - c[i, i]) ** 2 - (c.a[i] - c[i, i]) ** 2), c.n**2)


def only_both_kinds_of_errors(c):
    return -c.ratio(c.sum(lambda i: (c.a[i] - c[i, i]) * (c.b[i] - c[i, i])), c.n**2)


def classes_of_one_size(c):
    """It is 0 if all classes have the same number of hits and there are no errors."""
    m = c.sum(lambda i: 1)
    return -c.sum(lambda i: (c.a[i] - c[i, i]) ** 3 + (c.n - m * c[i, i]) ** 2)


def hits_times_misses(c):
    return c.ratio(c.sum(lambda i: c[i, i] * (c.a[i] - c[i, i])), c.n**2)


def supposed(c):
    return c.ratio(c.sum(lambda i: c[i, i]), c.n) + 0 * c.sum(lambda i: c.sqrt(c.n - 3 * c[i, i]))


# Baselines


def forge_no_value_where_independent() -> Forged:
    return certificate(
        nothing, "approximate_constant_baseline", sizes("undefined", ("11",), ("11",)), "regular",
        constants={"c_base": "0"},
    )  # fmt: skip


def forge_another_average_for_one_true_class() -> Forged:
    return certificate(
        one_true_class, "constant_baseline", sizes("affine", ("01", "10", "11"), ("11",)), constants={"c_base": "0"}
    )


def forge_averages_without_whole_sizes() -> Forged:
    return certificate(
        only_full, "constant_baseline", sizes("affine", ("11",), ("11",)), "regular", undefined="nan",
        constants={"c_base": "0"},
    )  # fmt: skip


def forge_an_average_that_is_not_affine() -> Forged:
    return certificate(
        squared_covariance, "constant_baseline", sizes("affine", ("11",), ("11",)), "regular",
        constants={"c_base": "0"},
    )  # fmt: skip


def forge_an_undefined_case_of_an_average() -> Forged:
    data = honest("sba", "constant_baseline")
    data["cases"][0]["proof"]["by"] = "undefined"
    return data


def forge_an_average_that_is_said_to_be_0() -> Forged:
    data = honest("sba", "constant_baseline")
    data["cases"][0]["proof"]["by"] = "zero"
    return data


def forge_smooth_precision() -> Forged:
    return certificate("precision", "sebastiani_con", [{"true": x, "proof": {"by": "one formula"}} for x in ("01", "10", "11")])  # fmt: skip # noqa: E501


def forge_a_smooth_jump() -> Forged:
    return certificate(some_hit, "sebastiani_con", [{"true": x, "proof": {"by": "one formula"}} for x in ("01", "10", "11")])  # fmt: skip # noqa: E501


def forge_a_smooth_root() -> Forged:
    return certificate(root_of_hits, "sebastiani_con", [{"true": x, "proof": {"by": "one formula"}} for x in ("01", "10", "11")])  # fmt: skip # noqa: E501


def forge_a_smooth_angle() -> Forged:
    return certificate(angle_of_hits, "sebastiani_con", [{"true": "11", "proof": {"by": "one formula"}}], "regular")


def forge_a_test_set_without_values() -> Forged:
    data = honest("recall", "sebastiani_con")
    next(x for x in data["cases"] if x["true"] == "11")["proof"]["by"] = "undefined"
    return data


def forge_flat_and_undefined() -> Forged:
    return certificate(
        nothing, "approximate_constant_baseline(order=1)", [{"order": 0, "proof": {"by": "zero"}}],
        constants={"c_base": "0"},
    )  # fmt: skip


def forge_flat_to_every_order() -> Forged:
    cases = [{"order": x, "proof": {"by": "zero"}} for x in (0, "every")]
    return certificate(squared_covariance, "approximate_constant_baseline(order=inf)", cases, constants={"c_base": "0"})


def forge_defined_recall() -> Forged:
    return certificate("recall", "sebastiani_sde", on_supports(_has_recall), undefined="nan")


def _has_recall(support: str) -> str:
    return "defined" if "1" in support[2:] else "undefined"


# Guesses


def chance(of: Any, bounds: list[Any], named: list[Any], better: Any, domain: str, omega: str, **more: Any) -> Forged:
    cases = [*bounds, *named, {"better": better, "proof": {"by": "example"}}]
    return certificate(of, "opitz_chance_corrected", cases, domain, constants={"omega": omega}, **more)


NEAR = {"true": "11", "nearly always": 0, "factor": 1, "proof": {"by": "zero"}}


def forge_totals_of_some_classes() -> Forged:
    data = honest("yule_q", "opitz_chance_corrected")
    data["cases"][0]["proof"] = {"by": "same total", "order": "==", "proof": {"by": "zero"}}
    return data


def covariance(c):
    return c.ratio(c.tp * c.tn - c.fp * c.fn, c.n**2)


def guessed_covariance(*named: Any) -> Forged:
    bounds = sizes("zero", ("01", "10", "11"), ("01", "10", "11"))
    best = [{"true": x, "best": "true", "proof": {"by": "zero"}} for x in ("01", "10", "11")]
    return chance(covariance, bounds, [*best[:2], *named], [[1, 0], [0, 1]], "all", "0")


def forge_a_missing_best_guess() -> Forged:
    return guessed_covariance()


def forge_a_near_guess_of_some_classes() -> Forged:
    data, of = guessed_covariance({**NEAR, "true": "11"})
    data["cases"][10] = {**NEAR, "true": "10"}
    return data, of


def forge_a_better_matrix_outside() -> Forged:
    data = honest("macro(f1)", "opitz_chance_corrected", domain="regular")
    data["cases"][-1]["better"] = [[0, 0], [0, 2]]
    return data


def forge_a_better_matrix_that_is_none() -> Forged:
    data = honest("macro(f1)", "opitz_chance_corrected", domain="regular")
    data["cases"][-1]["better"] = ONES
    return data


def forge_totals_without_values() -> Forged:
    bounds = [{"true": "11", "predicted": "11", "proof": {"by": "same total", "order": "==", "proof": {"by": "zero"}}}]
    return chance(nothing, bounds, [NEAR], [[1, 0], [0, 1]], "regular", "0")


def forge_an_order_shown_otherwise() -> Forged:
    data = honest("macro(f1)", "opitz_chance_corrected", classes=3, domain="regular")
    data["cases"][0]["proof"]["by"] = "coefficients"
    return data


def forge_four_classes_that_differ() -> Forged:
    orders = ["".join(x) for x in product("<=>", repeat=4) if set(x) == {"="} or {"<", ">"} <= set(x)]
    orders.sort(key=lambda x: x != "<<>>")
    bounds = [
        {"true": "1111", "predicted": "1111", "proof": {"by": "same total", "order": x, "proof": {"by": "zero"}}}
        for x in orders
    ]
    named = [{"true": "1111", "best": "true", "proof": {"by": "zero"}}]
    better = [[int(i == j) for j in range(4)] for i in range(4)]
    return chance(zero, bounds, named, better, "regular", "0", classes=4)


def forge_a_number_that_varies() -> Forged:
    data = honest("macro(f1)", "opitz_chance_corrected", domain="regular")
    data["cases"][0]["proof"]["by"] = "number"
    return data


def forge_a_guess_outside() -> Forged:
    data = honest("macro(f1)", "opitz_chance_corrected", domain="regular")
    data["cases"][1]["best"] = "class 0"
    return data


def forge_a_guess_without_value() -> Forged:
    data = honest("yule_q", "opitz_chance_corrected")
    data["cases"][9]["best"] = "class 0"
    return data


def uncorrected(of: Any, *cases: Any, domain: str = "all") -> Forged:
    return certificate(of, "opitz_chance_uncorrected", cases, domain)


GROWS = {"nearly always": 0, "unbounded": 2, "proof": {"by": "logarithms"}}


def falls_without_end(c):
    return c.log(c.ratio(c.b[0], c.n)) + c.log(c.ratio(c.b[1], c.n))


def forge_more_about_unbounded_guesses() -> Forged:
    return uncorrected("class_size_cross_entropy", GROWS, GROWS, domain="regular")


def forge_unbounded_guesses_without_value() -> Forged:
    return uncorrected(nothing, GROWS, domain="regular")


def forge_a_rate_below_zero() -> Forged:
    """Guesses of nearly always one class fall below every number, at the rate −1."""
    return uncorrected(falls_without_end, {**GROWS, "unbounded": -1}, domain="regular")


def forge_a_path_that_leads_nowhere() -> Forged:
    data = _uncorrected_recall()
    data["cases"][0]["path"] = "1"
    return data


def forge_a_reached_guess_without_value() -> Forged:
    return uncorrected(nothing, {"guess": {"true": [1, 1], "predicted": [1, 1]}})


def forge_sizes_without_guesses() -> Forged:
    """Recall has no value where no item is positive, and that bounds nothing."""
    none = [{"predicted": x, "proof": {"by": "undefined"}} for x in ("01", "10", "11")]
    return uncorrected(
        "recall", {"guess": {"true": [1, 1], "predicted": [0, 1]}}, {"true sizes": [1, 0], "bound": "0"}, *none
    )


def forge_shares_said_to_be_undefined() -> Forged:
    guess, about = {"guess": {"true": [1, 2], "predicted": [1, 2]}}, {"true sizes": [1, 1], "bound": "19/36"}
    none = {"predicted": "11", "proof": {"by": "undefined"}}
    return uncorrected("accuracy", guess, {**about, "shares": True}, none, domain="regular")


def forge_guesses_without_value() -> Forged:
    return uncorrected(nothing, {"nearly always": 0, "bound": "1", "factor": 1, "proof": {"by": "zero"}})


def forge_a_skipped_support_of_the_best() -> Forged:
    return _uncorrected_recall()


def _uncorrected_recall() -> Any:
    by = lambda x: "undefined" if x == "0110" else "zero" if x in ("1001", "1101") else "coefficients"  # noqa: E731
    near = {"nearly always": 1, "bound": "1", "factor": 1, "proof": {"by": "coefficients"}}
    return uncorrected("recall", near, *on_supports(by, "regular"), domain="regular")


# Decomposition


def forge_a_zero_score_beside_a_gap() -> Forged:
    cases = on_supports(lambda x: "undefined" if x == "1111" else "zero score", first="0111")
    for case in cases:
        case["proof"]["class"] = 1
    return certificate(with_gap, "opitz_class_decomposable", cases, constants={"p": "0"})


def forge_a_sum_beside_a_gap() -> Forged:
    cases = on_supports(lambda x: "undefined" if x == "1111" else "zero", first="0111")
    return certificate(with_gap, "opitz_class_decomposable", cases, constants={"p": "1"})


def forge_values_that_are_not_said_to_be_positive() -> Forged:
    data = honest("diagnostic_odds_ratio", "opitz_class_decomposable", domain="regular")
    next(x for x in data["cases"] if x["support"] == "1111")["proof"]["by"] = "zero"
    return data


def forge_a_split_support_of_squares() -> Forged:
    data = honest("distance_index", "opitz_class_decomposable")
    whole = data["cases"].pop(next(k for k, x in enumerate(data["cases"]) if x["support"] == "1111"))
    branches = [{**whole["proof"], "splits": [f"c0_0{order}c1_1"]} for order in "<=>"]
    data["cases"] += [{**whole, "proof": x} for x in branches]
    return data


def nothing_without_hits(c):
    return c.where(c.tp + c.tn == 0, c.ratio(0, 0 * c.n), c.ratio(0, c.n))


def forge_right_predictions_that_are_no_pairs() -> Forged:
    cases = on_supports(lambda x: "undefined" if x[0] == x[3] == "0" else "powers")
    for case in cases:
        case["proof"]["values"] = [{"by": "zero"}]
    return certificate(nothing_without_hits, "opitz_class_decomposable", cases, constants={"p": "2"})


def forge_squares_that_are_not_said_to_be_of_positive_values() -> Forged:
    data = honest("distance_index", "opitz_class_decomposable", domain="regular")
    next(x for x in data["cases"] if x["support"] == "1111")["proof"]["by"] = "zero"
    return data


# Distances


def metric(of: Any, proof: Any, c_max: str, m: int = 2, joints: tuple[str, ...] = ()) -> Forged:
    parts = [plain(prove(of, x, classes=m, domain="regular")) for x in ("symmetry", "maximal_agreement")]
    cases = [{"joint": x, "proof": proof} for x in joints or ("1" * m**3,)]
    return certificate(of, "distance", cases, "regular", classes=m, parts=parts, constants={"c_max": c_max})


def forge_a_metric_with_a_gap() -> Forged:
    return metric(gap_in_accuracy, {"by": "coefficients"}, "1")


def forge_a_metric_with_an_irrational_best_value() -> Forged:
    return metric(scaled_accuracy, {"by": "coefficients"}, str(gm.measure(scaled_accuracy).exact([[1, 0], [0, 1]])))


GRAM = {"by": "gram", "map": "chord", "proof": {"by": "coefficients"}, "bounds": [{"by": "coefficients"}] * 3}


def forge_a_chord_that_is_not_0() -> Forged:
    return metric(accuracy_minus_two, GRAM, "-1")


def forge_a_chord_of_pairs_that_is_not_0() -> Forged:
    return metric(accuracy_minus_two, {**GRAM, "by": "gram of pairs", "bound": {"by": "coefficients"}}, "-1")


def forge_a_correlation_without_roots() -> Forged:
    return metric(accuracy_minus_one, {**GRAM, "by": "gram of pairs", "bound": {"by": "factors"}}, "0")


# Chords and angles of x = N/√(V·W), where V belongs to the true labels, and W to the predicted ones


def chord(c, x):
    return -c.sqrt(2 * (1 - x))


def weighted_cosine(c, wrong=0):
    weights = (c.a[0] + 2 * c.a[1] + wrong) * (c.b[0] + 2 * c.b[1] + wrong)
    return c.ratio(c[0, 0] + 2 * c[1, 1], c.sqrt(weights))


def chord_of_weights(c):
    return chord(c, weighted_cosine(c))


def chord_that_doubles(c):
    """At zero cells it is twice as long, so that its triangle inequality is false."""
    return c.where(c[0, 0] * c[0, 1] * c[1, 0] * c[1, 1] > 0, chord_of_weights(c), 2 * chord_of_weights(c))


def chord_with_accuracy(c):
    return chord(c, weighted_cosine(c) * c.ratio(c[0, 0] + c[1, 1], c.n))


def chord_with_errors(c):
    return chord(c, weighted_cosine(c, wrong=c[0, 1] + c[1, 0]))


def chord_of_squares(c):
    def square(x, y):
        return x * x + x * y + 2 * y * y

    above = square(c[0, 0], c[1, 1]) - 3 * c[0, 1] * c[1, 0]
    return chord(c, c.ratio(above, c.sqrt(square(*c.a) * square(*c.b))))


def angle_from_below(c):
    return c.arccos(-weighted_cosine(c))


def accuracy_that_falls(c):
    """Where an error is missing each error counts twice, so that the triangle inequality is false."""
    right = c.ratio(c[0, 0] + c[1, 1] + c[2, 2], c.n)
    return c.where(c[0, 1] * c[1, 0] > 0, right, 2 * right - 1)


def pairs(terms: int, **more: Any) -> Any:
    return {"by": "gram of pairs", "map": "chord", "bound": {"by": "coefficients"}, "terms": terms, **more}


def shapes(joint: str) -> set[str]:
    """Return the supports of the confusion matrices of three labelings, two classes each."""
    there = [labels for labels, x in zip(product((0, 1), repeat=3), joint, strict=True) if x == "1"]
    cells = list(product((0, 1), repeat=2))
    return {
        "".join(str(int(any((x[i], x[j]) == cell for x in there))) for cell in cells)
        for i, j in ((0, 1), (1, 2), (0, 2))
    }


def forge_pairs_on_a_small_support() -> Forged:
    every = ["".join(x) for x in product("01", repeat=8)]
    odd = [x for x in every if shapes(x) <= set(supports("regular")) and shapes(x) - {"1111", "1001"}]
    return metric(chord_that_doubles, pairs(68), "0", joints=("1" * 8, *odd))


def forge_another_number_of_terms() -> Forged:
    return metric(chord_of_weights, pairs(67), "0")


def forge_a_correlation_below_another_line() -> Forged:
    return metric(chord_with_accuracy, pairs(68), "0")


def forge_roots_that_know_the_errors() -> Forged:
    return metric(chord_with_errors, pairs(68), "0")


def forge_a_gram_determinant_with_a_negative_coefficient() -> Forged:
    return metric(chord_of_squares, pairs(1478), "0")


def forge_an_angle_that_is_a_merit() -> Forged:
    return metric(angle_from_below, pairs(68, map="arccos"), "pi")


def forge_a_metric_of_three_classes_with_odd_supports() -> Forged:
    return metric(accuracy_that_falls, {"by": "coefficients"}, "1", m=3)


def forge_no_chord() -> Forged:
    data = honest("correlation_chord", "distance", domain="regular")
    data["cases"][0]["proof"]["map"] = "square"
    return data


# Every number of classes


def every(of: Any, statement: str, *by: str, domain: str = "regular", share: str = "", **more: Any) -> Forged:
    cases = [{"proof": {"by": x}, **({"share": share} if share else {})} for x in by]
    return certificate(of, statement, cases, domain, classes="every", **more)


def forge_a_symmetry_without_values() -> Forged:
    return every(nothing_for_every, "symmetry", "zero")


def forge_a_move_that_is_not_asked_for() -> Forged:
    data = honest("accuracy", "monotone", "every", "regular")
    data["cases"].append({**data["cases"][0], "support": "000000000"})
    return data


def forge_moves_without_values() -> Forged:
    data = honest("accuracy", "monotone", "every", "regular", measure=measure_in(nothing_for_every))
    return data, nothing_for_every


def forge_moves_of_what_is_supposed() -> Forged:
    return honest("accuracy", "monotone", "every", "regular", measure=measure_in(supposed)), supposed


def forge_a_symmetric_mean_of_recalls() -> Forged:
    return every(misses, "symmetry", "zero")


def zero_by_chance(c):
    return c.ratio(c.sum(lambda i: c.n * c[i, i] - c.a[i] * c.b[i]), c.n**2)


def forge_an_irrational_baseline() -> Forged:
    return every(zero_by_chance, "constant_baseline", "affine", "constant", constants={"c_base": "√2"})


def forge_the_constant_of_what_varies() -> Forged:
    return every(misses, "approximate_constant_baseline", "constant", constants={"c_base": "√2"})


def forge_one_constant_for_every_number_of_classes() -> Forged:
    return every(lifts, "opitz_chance_corrected_completely", "constant", constants={"Omega": "m"})


def forge_an_average_of_a_root() -> Forged:
    return every(root_of_sum, "constant_baseline", "affine", "constant", constants={"c_base": "1"})


def forge_an_average_with_cells_below() -> Forged:
    return every(below_the_line, "constant_baseline", "affine", "constant", constants={"c_base": "0"})


def forge_an_average_of_squares() -> Forged:
    return every(not_linear, "constant_baseline", "affine", "constant", constants={"c_base": "0"})


def forge_an_average_of_a_squared_sum() -> Forged:
    return every(not_affine, "constant_baseline", "affine", "constant", constants={"c_base": "0"})


def forge_a_gap_that_is_no_sum() -> Forged:
    return every(squared_accuracy, "maximal_agreement", "classes", share="m", constants={"c_max": "1"})


def forge_errors_that_are_good() -> Forged:
    return every(some_errors_are_good, "maximal_agreement", "classes", share="m", constants={"c_max": "0"})


def forge_errors_that_do_not_matter() -> Forged:
    return every(only_both_kinds_of_errors, "maximal_agreement", "classes", share="m", constants={"c_max": "0"})


def forge_right_classes_that_matter() -> Forged:
    return every(classes_of_one_size, "maximal_agreement", "classes", share="m", constants={"c_max": "0"})


def forge_hits_that_do_not_matter() -> Forged:
    return every(hits_times_misses, "minimal_agreement", "classes", share="m", constants={"c_min": "0"})


# Distances and means of scores, for every number of classes


def squared_misses(c):
    return -c.ratio(c.sum(lambda i: (c.a[i] - c[i, i]) ** 2), c.n**2)


def squared_errors(c):
    return 1 - c.ratio(c.n - c.sum(lambda i: c[i, i]), c.n) ** 2


def errors_are_good(c):
    return 1 + c.ratio(c.n - c.sum(lambda i: c[i, i]), c.n)


def items_are_errors(c):
    return 1 - c.ratio(2 * c.n - c.m - c.sum(lambda i: c[i, i]), c.n)


def counted(of: Any, c_max: str) -> Forged:
    return every(of, "distance", "errors", constants={"c_max": c_max})


def forge_another_best_value_of_a_distance() -> Forged:
    return counted("accuracy", "2")


def forge_a_distance_of_squared_misses() -> Forged:
    return counted(squared_misses, "0")


def forge_a_distance_of_squared_errors() -> Forged:
    return counted(squared_errors, "1")


def forge_a_distance_with_good_errors() -> Forged:
    return counted(errors_are_good, "1")


def forge_a_distance_that_counts_items_too() -> Forged:
    return counted(items_are_errors, "1")


def sum_below(c):
    return c.ratio(1, 1 + c.sum(lambda i: c[i, i]))


def scores(of: Any, p: str = "1") -> Forged:
    return every(of, "opitz_class_decomposable", "classes", constants={"p": p})


def forge_another_exponent() -> Forged:
    return scores("macro(recall)", "-1")


def forge_a_mean_with_a_sum_below() -> Forged:
    return scores(sum_below)


def forge_a_mean_that_is_no_sum() -> Forged:
    return scores(squared_accuracy)


def forge_a_mean_of_scores_that_know_n() -> Forged:
    return scores("accuracy")


def forge_another_exponent_of_an_instance() -> Forged:
    return honest("macro(recall)", "opitz_class_decomposable", 3, "regular", constants={"p": "-1"})


# What excludes each other


def impossible(statements: list[str], rows: list[Any], sizes: Any, classes: int = 2, **more: Any) -> Forged:
    return {
        "format": FORMAT, "kind": "impossible", "statements": statements, "measure": None, "classes": classes,
        "domain": "all", "sizes": sizes, "rows": rows, **more,
    }  # fmt: skip


def row(statement: str, relation: str = "=", multiplier: str = "1", **about: Any) -> Any:
    return {"statement": statement, "about": about, "relation": relation, "multiplier": multiplier}


DIAGONAL, WRONG = [[1, 0], [0, 1]], [[0, 1], [1, 0]]


def forge_mixed_sizes() -> Forged:
    return impossible(["symmetry"], [], ["n", 3], least=2)


def forge_a_range_of_three_classes() -> Forged:
    return impossible(["sebastiani_fix"], [], [2], classes=3)


def forge_a_negative_multiplier() -> Forged:
    rows = [row("maximal_agreement", ">", "-1", matrix=ONES), row("maximal_agreement", ">", matrix=ONES)]
    return impossible(["maximal_agreement"], rows, [4])


def forge_a_multiplier_that_is_no_number() -> Forged:
    return impossible(["maximal_agreement"], [row("maximal_agreement", ">", "1n1", matrix=ONES)], [4])


def forge_a_matrix_that_becomes_extreme() -> Forged:
    """[[n − 2, 0], [0, 2]] is never hollow but for n = 2, where nothing is right in the first class."""
    rows = [row("minimal_agreement", matrix=[["n-1", 1], [0, 0]])]
    return impossible(["minimal_agreement"], rows, ["n"], least=1)


def forge_no_image() -> Forged:
    rows = [
        row("symmetry", matrix=DIAGONAL, image=WRONG),
        row("maximal_agreement", ">", matrix=WRONG),
        row("maximal_agreement", "=", "-1", matrix=DIAGONAL),
    ]
    return impossible(["symmetry", "maximal_agreement"], rows, [2])


def forge_a_move_with_a_constant_labeling() -> Forged:
    rows = [row("monotone", ">", matrix=[[0, 2], [0, 0]], after=[[1, 1], [0, 0]])]
    return impossible(["monotone"], rows, [2])


def forge_another_part_of_a_distance() -> Forged:
    return impossible(["distance"], [row("distance", part="monotone", matrix=ONES, after=ONES)], [4])


def forge_labelings_with_negative_counts() -> Forged:
    joint = [[[-1, 1], [1, 0]], [[1, 0], [0, 0]]]
    return impossible(["distance"], [row("distance", ">=", labelings=joint)], [2])


def forge_averages_that_are_lifted() -> Forged:
    return impossible(["sebastiani_cha"], [row("sebastiani_cha", true=["n-1", 1])], ["n"], least=2)


def forge_an_average_of_nothing() -> Forged:
    return impossible(["sebastiani_cha"], [row("sebastiani_cha", true=[1, 1])], [3])


def forge_an_absent_class() -> Forged:
    return impossible(["sebastiani_imb"], [row("sebastiani_imb", matrix=[[0, 0], [0, 2]])], [2])


def forge_a_prediction_that_is_not_constant() -> Forged:
    return impossible(["sebastiani_imb"], [row("sebastiani_imb", matrix=DIAGONAL)], [2])


def forge_a_range_without_its_ends() -> Forged:
    return impossible(["sebastiani_fix"], [row("sebastiani_fix", matrix=DIAGONAL)], [2])


def forge_no_end_of_a_range() -> Forged:
    return impossible(["sebastiani_fix", "sebastiani_mon"], [row("sebastiani_fix", matrix=ONES)], [4])


def forge_items_of_two_kinds() -> Forged:
    name = "opitz_class_indifferent"
    rows = [row(name, matrix=DIAGONAL, one=[[2, 0], [0, 1]], other=[[1, 1], [0, 1]])]
    return impossible([name], rows, [3])


# Results about all measures


def possible_table(statements: list[str], values: Any, n: int = 1, **more: Any) -> Forged:
    cells = [x for x in product(range(n + 1), repeat=4) if sum(x) == n]
    table = [[[list(x[:2]), list(x[2:])], values(x) if callable(values) else values] for x in cells]
    return {
        "format": FORMAT, "kind": "possible", "statements": statements, "measure": None, "classes": 2, "domain": "all",
        "sizes": [n], "table": table, **more,
    }  # fmt: skip


def result(data: Any, **more: Any) -> Forged:
    return {
        "status": data["kind"], "properties": data["statements"], "classes": data["classes"], "domain": data["domain"],
        "sizes": data["sizes"], "certificate": data, **more,
    }  # fmt: skip


def forge_another_status() -> Forged:
    return {**result(possible_table(["symmetry"], "0")), "status": "impossible"}


def forge_a_result_that_says_more() -> Forged:
    return result(possible_table(["symmetry"], "0"), remark="for every n")


def forge_a_contradiction_of_more_items() -> Forged:
    data = plain(gm.possible("monotone", "distance", "constant_baseline"))
    return {**data, "n": data["n"] + 1, "for_every_n": None}


def forge_a_statement_of_other_classes() -> Forged:
    name = "approximate_constant_baseline(order=1)"
    cells = [[[int((i, j) == x) for j in range(3)] for i in range(3)] for x in product(range(3), repeat=2)]
    return {**possible_table([name], "0"), "classes": 3, "table": [[x, "0"] for x in cells]}


def forge_a_known_measure_without_values() -> Forged:
    return result(possible_table(["symmetry"], "0"), known="yule_q")


def forge_what_no_table_shows() -> Forged:
    return possible_table(["opitz_class_decomposable"], "0")


def forge_a_table_of_too_many_matrices() -> Forged:
    return {**possible_table(["symmetry"], "0"), "sizes": [400]}


def forge_too_many_labelings() -> Forged:
    """The matrices of 24 items are few, and the joint counts of three labelings are not."""
    return possible_table(["distance"], lambda x: str(x[0] + x[3]), n=24)


def forge_too_many_predictions_in_a_row() -> Forged:
    return impossible(["sebastiani_cha"], [row("sebastiani_cha", true=[400, 400])], [800])


def forge_too_many_matrices_in_a_row() -> Forged:
    about = {"true": [60, 60, 60], "predicted": [60, 60, 60]}
    return impossible(["constant_baseline"], [row("constant_baseline", **about)], [180], classes=3)


def forge_too_many_guesses_of_an_average() -> Forged:
    return lost("macro", "constant_baseline", {"sizes": [[[3, 3, 3], [3, 3, 3]]] * 2}, "kappa")


# Averages


def average(of: str, statement: str, averaging: str = "macro", domain: str = "regular", **more: Any) -> Forged:
    part = honest(of, statement, domain=domain)
    data = certificate(
        f"{averaging}({of})", statement, [{"averaging": averaging, "proof": {"by": "averaging"}}], domain, classes=3,
        parts=[part], constants=part["constants"],
    )  # fmt: skip
    return {**data, **more}


def forge_averaging_of_labelings_that_are_not_constant() -> Forged:
    return average("accuracy", "symmetry", domain="non-unary")


def forge_a_property_that_averages_lose() -> Forged:
    return average("accuracy", "minimal_agreement")


def forge_the_average_of_another_measure() -> Forged:
    return average("accuracy", "symmetry", measure=measure_in("macro(jaccard)"))


def forge_an_average_of_ones_own() -> Forged:
    def function(c):
        return c.ratio(c.tp + c.tn, c.n)

    own = gm.measure(function)
    own.name = "macro(accuracy)"
    data = average("accuracy", "symmetry")
    data["measure"] = {"name": own.name, "definition": definition_of(own)}
    return data, own


def root_of_accuracy(c):
    return c.sqrt(c.ratio(c.tp + c.tn, c.n))


def forge_an_average_that_is_turned() -> Forged:
    """Lower values are said to be better of the average, but not of the measure that is averaged."""
    own = gm.macro(gm.measure(root_of_accuracy))
    data = plain(prove(own, "maximal_agreement", classes=3, domain="regular"))
    own.orientation = "lower"
    return data, own


def forge_an_average_of_three_classes() -> Forged:
    data = average("accuracy", "class_symmetry")
    data["parts"] = [honest("accuracy", "class_symmetry", 3, "regular")]
    return data


def forge_an_average_of_gaps() -> Forged:
    return average("diagnostic_odds_ratio", "symmetry")


def lost(averaging: str, statement: str, example: Any, measure: str = "accuracy", domain: str = "all") -> Forged:
    return {
        "format": FORMAT, "kind": "lost", "averaging": averaging, "statement": statement, "domain": domain,
        "classes": 3, "measure": measure, "has": honest(measure, statement), "example": example,
    }  # fmt: skip


THREE = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]


def forge_labelings_for_a_symmetry() -> Forged:
    return lost("macro", "symmetry", {"labelings": [[0, 1, 2]] * 3})


def forge_a_loss_without_values() -> Forged:
    return lost("macro", "symmetry", {"matrices": [THREE, THREE]}, "diagnostic_odds_ratio")


def forge_sizes_for_a_symmetry() -> Forged:
    return lost("macro", "symmetry", {"sizes": [[[1, 1, 1], [1, 1, 1]]] * 2})


def forge_labelings_of_different_lengths() -> Forged:
    return lost("macro", "distance", {"labelings": [[0, 1, 2], [0, 1, 2], [0, 1]]})


def forge_a_triangle_that_holds() -> Forged:
    return lost("macro", "distance", {"labelings": [[0, 1, 2]] * 3})


def forge_a_least_value_without_hollow_matrices() -> Forged:
    return lost("macro", "minimal_agreement", {"matrices": [THREE, THREE]})


def forge_a_move_from_a_constant_labeling() -> Forged:
    before, after = [[0, 2, 0], [0, 0, 0], [0, 0, 0]], [[1, 1, 0], [0, 0, 0], [0, 0, 0]]
    return lost("macro", "monotone", {"matrices": [before, after]})


def forge_a_move_that_is_excluded() -> Forged:
    before, after = [[1, 0, 0], [0, 1, 0], [0, 0, 0]], [[2, 0, 0], [0, 1, 0], [0, 0, 0]]
    return lost("macro", "strongly_monotone", {"matrices": [before, after]})


def forge_an_average_that_rises() -> Forged:
    before, after = [[1, 1, 0], [0, 1, 0], [0, 0, 1]], [[2, 0, 0], [0, 1, 0], [0, 0, 1]]
    return lost("macro", "monotone", {"matrices": [before, after]})


def forge_the_loss_of_class_symmetry() -> Forged:
    return lost("macro", "class_symmetry", {"matrices": [THREE, THREE]})


def forge_a_symmetric_pair() -> Forged:
    return lost("weighted", "symmetry", {"matrices": [THREE, THREE]})


# Random guesses


def one_sided(c):
    return c.ratio(c.b[1], 2 * c.b[1])


def forge_rotations_of_which_some_have_values() -> Forged:
    cases = [{"support": x, "proof": {"by": "undefined"}} for x in _orbits()]
    return certificate(one_sided, "sebastiani_cha", cases, constants={"gamma": "1/2"})


def _orbits() -> list[str]:
    turned = lambda x: x[1] + x[0] + x[3] + x[2]  # noqa: E731
    return sorted({min(x, turned(x)) for x in supports()})


def forge_rotations_without_values() -> Forged:
    cases = [{"support": x, "proof": {"by": "undefined"}} for x in _orbits()]
    return certificate(nothing, "sebastiani_cha", cases, constants={"gamma": "1/2"})


def by_sizes(**more: Any) -> Forged:
    return {**honest("kappa", "sebastiani_cha", domain="regular"), **more}


def forge_another_guessed_constant() -> Forged:
    return by_sizes(constants={"gamma": "1"})


def forge_classes_that_cannot_occur() -> Forged:
    data = by_sizes()
    return {**data, "cases": data["cases"] * 2}


def forge_guesses_said_to_be_undefined() -> Forged:
    data = by_sizes()
    data["cases"][0]["proof"]["by"] = "undefined"
    return data


def forge_undefined_guesses_said_to_be_defined() -> Forged:
    data = honest("lift", "sebastiani_cha")
    next(x for x in data["cases"] if x["proof"]["by"] == "undefined")["proof"]["by"] = "defined"
    return data


def baseline_part(of: Any, domain: str, base: str, by: str = "affine", **more: Any) -> Any:
    known = {"all": ("01", "10", "11"), "regular": ("11",)}[domain]
    found = certificate(of, "constant_baseline", sizes(by, known, ("11",)), domain, constants={"c_base": base}, **more)
    return found if isinstance(of, str) else found[0]


def partly_zero(c):
    return c.ratio(0, c.tp + c.tn)


def forge_predictions_of_which_some_have_values() -> Forged:
    part = baseline_part(partly_zero, "regular", "0", undefined="nan")
    return certificate(
        partly_zero, "sebastiani_cha", sizes("defined", ("11",), ("11",)), "regular", undefined="nan",
        constants={"gamma": "0"}, parts=[part],
    )  # fmt: skip


def one_if_constant(c):
    return c.where(c.b[0] * c.b[1] > 0, 0, 1)


def forge_a_constant_prediction_with_another_score() -> Forged:
    cases = [*sizes("defined", ("01", "10", "11"), ("11",)), *sizes("zero", ("01", "10", "11"), ("01", "10"))]
    return certificate(
        one_if_constant, "sebastiani_cha", cases, constants={"gamma": "0"},
        parts=[baseline_part(one_if_constant, "all", "0")],
    )  # fmt: skip


# Readings


def only_small_counts(c):
    return c.ratio(c.tp + c.tn, c.n) if c.n < 1000 else 0


def forge_an_opaque_definition() -> Forged:
    return honest("accuracy", "monotone", measure=measure_in(only_small_counts)), only_small_counts


def rounds_and_catches(c):
    try:
        int(c.tp)
    except Exception:  # noqa: BLE001
        pass
    return c.ratio(c.tp + c.tn, c.n)


def forge_a_definition_that_catches_the_refusal() -> Forged:
    return honest("accuracy", "monotone", measure=measure_in(rounds_and_catches)), rounds_and_catches


def counts_classes(c):
    calls = []
    c.sum(lambda i: (calls.append(None), c.a[i])[1])
    return c.constant(int(len(calls) > 0 and c.n == 123_456))


def forge_guesses_that_count_classes() -> Forged:
    case = {"true": "positive", "predicted": "positive", "proof": {"by": "constant"}}
    return certificate(
        counts_classes, "opitz_chance_corrected_strictly", [case], "regular", classes="every", constants={"omega": "0"}
    )


# Verdicts and what else is said


def verdict(measure: str, name: str, status: str, **more: Any) -> Any:
    return {
        "property": name, "measure": measure, "status": status, "n": None, "constants": None, "domain": "all",
        "classes": 2, "undefined": "resolve", "method": "", "seconds": 0.0, "remark": "", "witness": None,
        "certificate": None, **more,
    }  # fmt: skip


def vacuous_imbalance(**more: Any) -> Any:
    part = certificate("accuracy", "sebastiani_imb", domain="regular", vacuous=True)
    return verdict("accuracy", "sebastiani_imb", "vacuous", domain="regular", certificate=part, **more)


def forge_another_number_of_classes() -> Forged:
    data = vacuous_imbalance()
    return {**data, "certificate": {**data["certificate"], "classes": "every"}}


def forge_constants_of_nothing() -> Forged:
    return vacuous_imbalance(constants={"k_1": "0"})


def forge_constants_by_other_names() -> Forged:
    """Distance implies maximal agreement with the same constant, which the verdict calls by another name."""
    data = honest("accuracy", "distance")
    return verdict("accuracy", "maximal_agreement", "proved", constants={"c_min": "1"}, certificate=data)


def example(before: Any, one: Any, two: Any, of: Any = "f1", **more: Any) -> Forged:
    cases = [{"before": before, "one": one, "two": two}]
    return certificate(of, "opitz_class_sensitive", cases, **more)


def forge_an_item_of_each_kind() -> Forged:
    return example(ONES, [[2, 1], [1, 1]], [[1, 2], [1, 1]])


def forge_an_example_without_value() -> Forged:
    return example([[1, 0], [0, 0]], [[2, 0], [0, 0]], [[1, 0], [0, 1]], "yule_q")


def forge_an_example_that_is_none() -> Forged:
    return example(ONES, [[2, 1], [1, 1]], [[1, 1], [1, 2]], "accuracy")


def forge_a_verdict_about_another_measure() -> Forged:
    return witness_of("f1", "monotone", [[0, 1], [1, 0]], [[1, 0], [1, 0]], n=2), "accuracy"


def forge_exponents_without_parts() -> Forged:
    data = certificate("accuracy", "symmetry")
    return {**data, "measure": {"name": "generalized_mean(r)", "definition": ""}}


def forge_exponents_about_something_else() -> Forged:
    family = gm.generalized_mean
    data = plain(prove(family, "symmetry", domain="regular"))
    data["parts"][1]["domain"] = "all"
    return data


def forge_a_statement_that_nothing_proves() -> Forged:
    return certificate("accuracy", "opitz_chance_corrected_completely")


# Slopes


def forge_a_split_slope() -> Forged:
    data = honest("correlation_chord", "sebastiani_mon", domain="regular")
    case = next(x for x in data["cases"] if x["proof"]["by"] == "slope")
    data["cases"].remove(case)
    for split in ("c0_0=1", "c0_0>1"):
        data["cases"].append({**case, "proof": {**case["proof"], "splits": [split]}})
    return data


def forge_an_unknown_map() -> Forged:
    data = honest("correlation_chord", "sebastiani_mon", domain="regular")
    next(x for x in data["cases"] if x["proof"]["by"] == "slope")["proof"]["map"] = "cube"
    return data


def jumps(c):
    """Accuracy, with a bonus where some cell is 0: the limit at the end of a move is another value."""
    return c.ratio(c.tp + c.tn, c.n) + c.where(c.tp * c.tn * c.fp * c.fn > 0, 0, 1)


def forge_a_slope_that_jumps() -> Forged:
    return _slopes(jumps)


def _slopes(of: Any) -> Forged:
    data = honest("accuracy", "sebastiani_mon", domain="regular", measure=measure_in(of))
    for case in data["cases"]:
        case["proof"] = {"by": "slope", "proof": {"by": "coefficients"}, "splits": []}
    return data, of


def forge_a_slope_over_a_gap() -> Forged:
    """Where all cells are positive there is no value, and the way between two values leads there."""
    data, of = _slopes(gap_in_accuracy)
    for case in data["cases"]:
        ends = [list(case["support"]), list(case["support"])]
        for i, j, d in case["move"]:
            ends[d > 0][2 * i + j] = "1"
        if ["1"] * 4 in ends:
            case["proof"] = {"by": "undefined"}
    return data, of


def odds(c):
    return c.ratio(c.tn, c.fp, otherwise=c.n)


def forge_a_slope_to_a_pole() -> Forged:
    data, of = _slopes(odds)
    data["cases"].sort(key=lambda x: (x["support"] != "0011", x["move"] != [[0, 1, -1], [0, 0, 1]]))
    return data, of


def mixed_sign(c):
    return c.ratio(c.tp + c.tn - c.fp - c.fn, c.n)


def forge_a_square_of_open_sign() -> Forged:
    data, of = _slopes(mixed_sign)
    for case in data["cases"]:
        case["proof"]["map"] = "square"
    return data, of


def forge_symmetries_that_do_not_chain() -> Forged:
    cases = [{"support": x, "map": k, "proof": {"by": "undefined"}} for x in supports("all", 3) for k in (0, 1)]
    return certificate(nothing_of_three, "class_symmetry", cases, classes=3)


def nothing_of_three(c):
    return c.ratio(c[0, 0], 0 * c.n)


def forge_no_value_to_take_a_constant_from() -> Forged:
    return certificate(nothing, "maximal_agreement", on_supports("undefined"), constants={"c_max": "0"})


def forge_a_range_without_values() -> Forged:
    cases = [{**x, "bound": y} for x in on_supports("undefined") for y in ("alpha", "beta")]
    return certificate(nothing, "sebastiani_fix", cases, constants={"alpha": "0", "beta": "0"})


def forge_a_range_that_is_not_reached() -> Forged:
    """On test sets with both classes, the value is always 0, so the greatest one is not 1."""
    cases = []
    for support in supports():
        high = "1" not in support[:2] or "1" not in support[2:]
        for bound, touched in (("alpha", not high), ("beta", high)):
            cases.append({"support": support, "bound": bound, "proof": {"by": "zero" if touched else "coefficients"}})
    return certificate(one_true_class, "sebastiani_fix", cases, constants={"alpha": "0", "beta": "1"})


# What says nothing


def vacuous(of: Any, statement: str, cases: Any, domain: str = "all", **more: Any) -> Forged:
    return certificate(of, statement, cases, domain, vacuous=True, **more)


def forge_a_vacuous_case_with_values() -> Forged:
    return vacuous("accuracy", "maximal_agreement", on_supports("undefined"))


def forge_a_vacuous_case_of_another_kind() -> Forged:
    return vacuous(nothing, "maximal_agreement", on_supports("zero"))


def forge_split_sizes() -> Forged:
    cases = [
        {"true": "11", "predicted": "11", "proof": {"by": "undefined", "splits": [x]}} for x in ("c0_0=1", "c0_0>1")
    ]
    return vacuous(nothing, "approximate_constant_baseline", cases, "regular")


# Witnesses


def exhibit(of: Any, rows: Any, role: str = "", value: str = "") -> Any:
    found = gm.measure(of).exact(rows)
    return {"role": role, "value": value or str(found), "number": None, "matrix": rows}


def witness_of(of: str, name: str, *rows: Any, n: Any = None, measure_said: str = "", **more: Any) -> Forged:
    shown = [exhibit(of, x) for x in rows]
    items = max(sum(map(sum, x)) for x in rows) if n is None else n
    data = {"exhibits": shown, "says": "", "replay": "", **({"labelings": more.pop("labelings")} if "labelings" in more else {})}  # fmt: skip # noqa: E501
    return verdict(measure_said or of, name, "refuted", n=items, witness=data, **more)


def averages_of(of: str, name: str, *averages: Any, n: int = 2, values: Any = None, **more: Any) -> Forged:
    shown = []
    for k, x in enumerate(averages):
        parts = [] if values else [gm.measure(of).exact(rows) for _, rows in x]
        total = "0" if values or UNDEFINED in parts else str(_total(of, x))
        shown.append({"role": "", "value": values[k] if values else total, "number": None, "average": x})
    return verdict(of, name, "refuted", n=n, witness={"exhibits": shown, "says": "", "replay": ""}, **more)


def _total(of: str, average: Any) -> Any:
    return sum((gm.measure(of).exact(rows) * Fraction(w) for w, rows in average), Fraction(0))


def forge_a_number_of_classes_as_text() -> Forged:
    return witness_of("f1", "monotone", WRONG, [[1, 0], [1, 0]], n=2, classes="2")


def forge_a_witness_of_other_classes() -> Forged:
    return witness_of("accuracy", "approximate_constant_baseline(order=1)", THREE, THREE, classes=3)


def forge_a_witness_of_a_limit() -> Forged:
    return witness_of("f1", "opitz_chance_corrected", ONES)


def forge_an_average_over_a_part() -> Forged:
    """The logarithm of lift has no value without hits; class sizes for which all predictions have hits count alone."""
    part, whole = [["1", [[2, 0], [0, 1]]]], [["1/3", [[1, 0], [0, 2]]], ["2/3", [[0, 1], [1, 1]]]]
    return averages_of("information_score", "constant_baseline", part, whole, n=3)


def forge_a_rough_place_that_is_none() -> Forged:
    return witness_of("accuracy", "sebastiani_con", ONES, n=4)


def forge_a_rough_place_without_a_matrix() -> Forged:
    return witness_of("f1", "sebastiani_con", n=2)


def forge_a_witness_that_shows_nothing() -> Forged:
    return witness_of("accuracy", "symmetry", [[0, 1], [2, 0]], [[0, 2], [1, 0]])


def forge_a_ray_that_is_none() -> Forged:
    return witness_of("accuracy", "maximal_agreement", [[2, 1], [1, 1]], [[1, 1], [1, 1]], n=5)


def forge_a_ray_of_roots() -> Forged:
    return witness_of("mcc", "maximal_agreement", ONES, [[2, 2], [1, 1]], n=4)


LABELINGS = ["A = 011", "B = 001", "C = 101"]
TRIANGLE = ([[1, 0], [1, 1]], [[1, 1], [0, 1]], [[0, 1], [1, 1]], DIAGONAL)


def forge_labelings_that_differ_in_length() -> Forged:
    return witness_of("mcc", "distance", *TRIANGLE, n=3, labelings=["A = 011", "B = 001", "C = 1011"])


def forge_matrices_of_other_labelings() -> Forged:
    return witness_of("mcc", "distance", *TRIANGLE, n=3, labelings=["A = 011", "B = 011", "C = 101"])


def forge_equal_labelings_that_differ() -> Forged:
    return witness_of("mcc", "distance", *TRIANGLE[:3], [[2, 1], [0, 2]], n=3, labelings=LABELINGS)


def forge_one_average() -> Forged:
    return averages_of("accuracy", "constant_baseline", [["1", WRONG]])


HALVES = [["1/2", DIAGONAL], ["1/2", WRONG]]
SOME = [["2/3", [[1, 1], [1, 0]]], ["1/3", [[2, 0], [0, 1]]]]


def forge_an_average_of_other_predictions() -> Forged:
    return averages_of("accuracy", "constant_baseline", [["1", DIAGONAL]], HALVES)


def forge_another_average_value() -> Forged:
    return averages_of("accuracy", "constant_baseline", HALVES, SOME, n=3, values=["1/2", "1/3"])


def forge_averages_over_a_part() -> Forged:
    one = [["1/2", DIAGONAL], ["1/2", [[0, 1], [0, 1]]]]
    two = [["1/2", [[2, 0], [0, 1]]], ["1/2", [[1, 1], [0, 1]]]]
    return averages_of("precision", "sebastiani_cha", one, two, n=3)


def forge_predictions_in_fractions() -> Forged:
    half = [["1", [["1/2", "1/2"], ["1/2", "1/2"]]]]
    return averages_of("accuracy", "constant_baseline", half, HALVES, values=["1/2", "1/2"])


def forge_constant_predictions_in_an_average() -> Forged:
    return averages_of("accuracy", "constant_baseline", [["1", [[1, 0], [1, 0]]]], HALVES)


def forge_too_many_predictions() -> Forged:
    large = [["1", [[300, 1], [1, 300]]]]
    return averages_of("accuracy", "constant_baseline", large, large, n=602)


def forge_labelings_that_depend() -> Forged:
    return witness_of("accuracy", "approximate_constant_baseline", DIAGONAL, WRONG)


def forge_a_constant_labeling() -> Forged:
    return witness_of("accuracy", "approximate_constant_baseline", [[0, 2], [0, 0]], [[1, 0], [1, 0]])


def forge_a_derivative_at_the_rim() -> Forged:
    return witness_of("accuracy", "approximate_constant_baseline(order=2)", [[1, 1], [0, 0]])


def forge_test_sets_that_differ() -> Forged:
    return witness_of("recall", "sebastiani_wde", DIAGONAL, [[2, 0], [0, 0]], undefined="nan")


def forge_a_range_in_fractions() -> Forged:
    data = witness_of("accuracy", "sebastiani_fix", ONES, ONES, n=4)
    data["witness"]["exhibits"][0]["matrix"] = [["1/2", "1/2"], ["1/2", "1/2"]]
    return data


def forge_a_value_that_is_no_end() -> Forged:
    return witness_of("accuracy", "sebastiani_fix", ONES, [[1, 1], [1, 2]])


def forge_predictions_that_are_not_constant() -> Forged:
    return witness_of("accuracy", "sebastiani_imb", ONES, [[1, 1], [1, 2]])


def forge_a_test_set_of_one_class() -> Forged:
    return witness_of("accuracy", "sebastiani_imb", [[0, 1], [0, 1]], [[0, 0], [0, 2]])


def forge_half_a_square() -> Forged:
    return witness_of("accuracy", "opitz_class_decomposable", ONES, ONES)


def square(start: Any, one: tuple[int, int], two: tuple[int, int]) -> list[Any]:
    return [
        [[x + cells.count((i, j)) for j, x in enumerate(row)] for i, row in enumerate(start)]
        for cells in ((), (one,), (two,), (one, two))
    ]


def forge_a_square_with_a_value_0() -> Forged:
    return witness_of("accuracy", "opitz_class_decomposable", *square(WRONG, (0, 0), (1, 1)), n=2)


def forge_no_square() -> Forged:
    return witness_of("accuracy", "opitz_class_decomposable", ONES, ONES, ONES, ONES)


def forge_a_square_of_one_class() -> Forged:
    return witness_of("accuracy", "opitz_class_decomposable", *square(ONES, (0, 0), (0, 1)), n=4)


def forge_a_square_that_is_not_nested() -> Forged:
    return witness_of("recall", "opitz_class_decomposable", *square(ONES, (0, 0), (1, 1)), n=4)


def forge_permutations_of_what_is_supposed() -> Forged:
    cases = [
        {"support": x, "map": k, "supposed": True, "proof": {"by": "zero"}}
        for k in (0, 1)
        for x in supports("regular", 3)
    ]
    return certificate(zero, "class_symmetry", cases, "regular", classes=3)


# Readings that differ from what is computed, by a fault in one of the two


def forge_a_formula_with_other_values() -> Forged:
    seven = lambda *_: Exact.of(7)  # noqa: E731
    return Planted(honest("accuracy", "monotone"), faults=((formula_readings.running, "on_exact", seven),))


def forge_a_formula_of_what_is_undefined() -> Forged:
    nothing = lambda *_: UNDEFINED  # noqa: E731
    return Planted(honest("accuracy", "monotone"), faults=((formula_readings.running, "on_exact", nothing),))


def forge_a_whole_number_below_1() -> Forged:
    data = honest("accuracy", "sebastiani_sde")
    case = data["cases"].pop()
    for split in ("c0_0=1", "c0_0>1", "c0_0<1"):
        data["cases"].append({**case, "proof": {**case["proof"], "splits": [split]}})
    return data


def angle_by_support(c):
    covariance, sizes = c.tp * c.tn - c.fp * c.fn, c.a[0] * c.a[1] * c.b[0] * c.b[1]
    return -c.arccos(c.ratio(covariance, c.sqrt(sizes))) * c.where(c.tp > 0, 1, 2)


def inner(of: Any, domain: str = "regular") -> Forged:
    by = {"by": "inner", "map": "arccos", "proof": {"by": "square"}}
    cases = [{"support": x, "proof": {"by": "zero"} if x == "1001" else by} for x in supports(domain)]
    return certificate(of, "maximal_agreement", cases, domain, constants={"c_max": "0"})


def forge_angles_of_different_scales() -> Forged:
    return inner(angle_by_support)


def forge_what_is_no_angle() -> Forged:
    return inner(accuracy_minus_one)


# Guesses, for every number of classes


def guesses(of: str, constant: str = "0", statement: str = "opitz_chance_corrected_completely", **more: Any) -> Forged:
    cases = more.pop("cases", [{"true": "positive", "predicted": "positive", "proof": {"by": "constant"}}])
    name = "Omega" if statement.endswith("completely") else "omega"
    data = certificate(of, statement, cases, "regular", classes="every", constants={name: constant})
    return {**data, **more} if isinstance(of, str) else ({**data[0], **more}, of)


NMI = "normalized_mutual_information()"


def kinds_of_guesses(*kinds: tuple[str, str, str]) -> list[Any]:
    return [{"true": a, "predicted": b, "proof": {"by": by}} for a, b, by in kinds]


def forge_a_value_where_a_class_is_missing() -> Forged:
    cases = kinds_of_guesses(("positive", "any", "constant"), ("missing", "any", "undefined"))
    return guesses(zero, domain="all", cases=cases)


def never_has_a_value(c):
    return c.ratio(0, 0 * c.sum(lambda i: 1, over=lambda i: c.a[i] > 0))


def forge_guesses_that_never_have_a_value() -> Forged:
    return guesses(never_has_a_value, domain="all", cases=kinds_of_guesses(("any", "any", "constant")))


def weighted(entry: Any) -> Any:
    """Return a certificate about a sum of weights."""

    def of(c):
        w = c.table(ClassTable(entry))
        return 0 * c.sum_off(lambda i, j: w[i, j] * c[i, j])

    return guesses(of)


def forge_a_weight_of_right_predictions() -> Forged:
    return weighted(lambda i, j: (i - j) ** 2 + (i + j))


def forge_a_weight_below_0() -> Forged:
    return weighted(lambda i, j: i - j)


def forge_guesses_that_are_not_exhausted() -> Forged:
    return guesses("mutual_information", domain="all")


def forge_guesses_that_score_otherwise() -> Forged:
    return guesses(NMI, "1")


def forge_guesses_with_an_irrational_constant() -> Forged:
    return guesses(NMI, "√2")


def forge_guesses_without_a_value() -> Forged:
    return guesses(nothing_for_every)


def forge_guesses_that_score_the_number_of_classes() -> Forged:
    return guesses(lifts, "m")


# Faults that are planted in the verifier itself: a second look notices them


@dataclass
class Planted:
    """A forgery with faults: what stands in the place of some names of modules or classes, and the time for a check."""

    data: Any
    measure: Any = None
    faults: tuple[tuple[Any, str, Any], ...] = ()
    seconds: float = 8.0


def kept(averaging: str, statement: str, *faults: Any) -> Planted:
    return Planted(gm.preserves(averaging, statement).certificate, faults=faults)


_against = preservation._against_the_rest


def _wrong(change: Any) -> Any:
    """Return the fault that one class against the rest has other binary matrices."""
    return preservation, "_against_the_rest", lambda i, place=preservation._cell: change(i, *_against(i, place))


def _added(*forms: Any) -> Any:
    return tuple(map(sum, zip(*forms, strict=True)))


LAST = (0,) * 8 + (1,)
NONE = (0,) * 9


def forge_hits_that_are_alarms() -> Forged:
    return kept("macro", "maximal_agreement", _wrong(lambda i, tn, fp, fn, tp: (tn, _added(fp, tp), fn, tp)))


def forge_errors_of_other_classes() -> Forged:
    return kept("macro", "maximal_agreement", _wrong(lambda i, tn, fp, fn, tp: (tn, _added(fp, LAST), fn, tp)))


def forge_errors_that_are_no_misses() -> Forged:
    return kept("macro", "maximal_agreement", _wrong(lambda i, tn, fp, fn, tp: (tn, fp, NONE, tp)))


def forge_transposed_matrices_that_differ() -> Forged:
    return kept("macro", "symmetry", _wrong(lambda i, tn, fp, fn, tp: (tn, fp, fp, tp)))


def forge_renamed_matrices_that_differ() -> Forged:
    return kept("macro", "class_symmetry", _wrong(lambda i, tn, fp, fn, tp: (tn, fp, fn, _added(tp, (i,) * 9))))


def kappa_of_three(c: gm.View) -> Any:
    chance = c.sum(lambda i: c.a[i] * c.b[i])
    return (c.n * c.sum(lambda i: c[i, i]) - chance) / (c.n * c.n - chance)


def apart_on_one_support(c: gm.View) -> Any:
    empty = c.sum(lambda i: c.sum(lambda j: c.where(c[i, j] == 0, 1, 0)))
    return kappa_of_three(c) + c.where((empty == 1) & (c[2, 1] == 0), 1, 0)


def forge_a_class_apart_on_a_support_that_is_left_out() -> Forged:
    data = honest(kappa_of_three, "constant_baseline", 3, "regular", measure=measure_in(apart_on_one_support))
    return Planted(data, apart_on_one_support, ((verify, "tells_no_classes_apart", lambda *_: True),))


def forge_no_resolved_disagreement() -> Forged:
    return kept("macro", "monotone", _wrong(lambda i, tn, fp, fn, tp: (NONE,) * 4))


def forge_the_same_disagreement_twice() -> Forged:
    return kept("macro", "monotone", _wrong(lambda i, *_: _against(0)))


def forge_items_that_count_twice() -> Forged:
    data = gm.preserves("macro", "distance").certificate
    faults = _wrong(lambda i, tn, fp, fn, tp: (_added(tn, LAST), fp, fn, tp))
    return Planted(data, faults=(faults,))


def _facts(statement: str, *facts: str) -> Any:
    known = {**preservation.FACTS, ("weighted", statement): (facts, ("regular",))}
    return preservation, "FACTS", known


def forge_a_weighted_symmetry() -> Forged:
    data = {**gm.preserves("macro", "symmetry").certificate, "averaging": "weighted"}
    return Planted(data, faults=(_facts("symmetry", "transposed"),))


def forge_a_weighted_distance() -> Forged:
    data = {**gm.preserves("macro", "distance").certificate, "averaging": "weighted", "facts": [{"fact": "triangle"}]}
    return Planted(data, faults=(_facts("distance", "triangle"),))


def _orders(turned: bool) -> Any:
    def some(x: Any) -> Any:
        return [tuple(x)[::-1] if turned and max(x) < 2 else tuple(x)]

    return preservation, "permutations", some


def forge_hits_with_another_distribution() -> Forged:
    return kept("macro", "constant_baseline", _orders(turned=True))


def forge_hits_with_another_mean() -> Forged:
    return kept("macro", "constant_baseline", _orders(turned=False))


def forge_an_average_of_which_nothing_is_known() -> Forged:
    from goodmeasure.theory.atlas.preservation import Preservation

    return Preservation("macro", "symmetry", "held", None, "every", "regular")


def forge_a_comparison_that_cannot_be_made() -> Forged:
    return Planted(honest("accuracy", "sebastiani_sde"), faults=((formula_readings, "agrees", lambda *_, **__: False),))


def errors(c):
    return c.ratio(c.fp + c.fn, c.n)


def forge_wrong_signs() -> Forged:
    data = honest("accuracy", "monotone", measure=measure_in(errors))
    return Planted(data, errors, ((FunctionValue, "signs", lambda self, whole=False: UP),))


def forge_a_wrong_derivative() -> Forged:
    data, of = _slopes(accuracy_again)
    return Planted(data, of, ((moves, "derivative", lambda value, _: value),))


def accuracy_again(c):
    return c.ratio(c.tp + c.tn, c.n)


def _another(name: str, **changes: Any) -> Any:
    """Return the fault that a statement says something else."""
    found = replace(statement_of(name), **changes)
    return lambda asked: found if asked in (name, found) else statement_of(asked)


def forge_a_move_of_three_classes() -> Forged:
    data = honest("accuracy", "monotone", "every", "regular")
    moves = lambda m: (Move(((0, 1, -1), (2, 2, 1))),)  # noqa: E731
    return Planted(data, faults=((verify, "statement_of", _another("monotone", moves=moves)),))


def forge_a_move_of_other_classes_only() -> Forged:
    data = honest("accuracy", "monotone", "every", "regular")
    moves = lambda m: (Move(((1, 2, -1), (1, 1, 1))),)  # noqa: E731
    return Planted(data, faults=((verify, "statement_of", _another("monotone", moves=moves)),))


def forge_a_statement_of_an_unknown_kind() -> Forged:
    data = certificate("accuracy", "symmetry", on_supports("zero"))
    return Planted(data, faults=((verify, "statement_of", _another("symmetry", kind="unknown")),))


def constant_truth(name: str) -> Forged:
    data = impossible([name], [row(name, true=[0, 2], predicted=[1, 1])], [2])
    return Planted(data, faults=((impossibility, "statement_of", _another(name, unary_truth=False)),))


def forge_an_average_of_a_constant_truth() -> Forged:
    return constant_truth("constant_baseline")


def forge_a_constant_truth() -> Forged:
    return constant_truth("approximate_constant_baseline")


def forge_supports_without_time() -> Forged:
    return Planted(honest("accuracy", "symmetry"), seconds=0.0)


def forge_moves_without_time() -> Forged:
    return Planted(honest("accuracy", "monotone", "every", "regular"), seconds=0.0)


def forgeries() -> dict[str, Any]:
    """Return the forgeries of this file by name."""
    return {name.removeprefix("forge_"): f for name, f in globals().items() if name.startswith("forge_")}
