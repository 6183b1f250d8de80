"""Every value of the golden sample that the catalogue maps: floats to 1e-12, and equal where it is rational."""

from __future__ import annotations

import json
import math
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import goodmeasure as gm

SAMPLE = json.loads((Path(__file__).parent / "data" / "golden-sample.json").read_text())["matrices"]

NAMES = {
    "acc": "accuracy",
    "ba": "balanced_accuracy",
    "sba": "sba",
    "kappa": "kappa",
    "cc": "mcc",
    "cd": "correlation_distance",
    "cd_prime": "correlation_chord",
    "ce": "confusion_entropy",
    "k": "k",
    "k_ordinal_ae": "k_ordinal('absolute')",
    "k_ordinal_se": "k_ordinal('squared')",
    "macR": "macro(recall)",
    "macP": "macro(precision)",
    "macF1_prime": "macro_f1_of_means",
    "weightF1": "weighted(f1)",
    "gmacR": "macro(recall, p=0)",
    "hmacR": "macro(recall, p=-1)",
    "bookmaker_win": "bookmaker_win",
    "cal_acc": "calibrated(accuracy)",
    "cal_macP": "calibrated(macro(precision))",
    "cal_macF1": "calibrated(macro(f1))",
    "cal_macF1_prime": "calibrated(macro_f1_of_means)",
    "cal_weightF1": "calibrated(weighted(f1))",
    "cal_kappa": "calibrated(kappa)",
    "cal_cc": "calibrated(mcc)",
    "hamann_k": "hamann",
    "mutability": "mutability",
    "rh": "rh",
    "dif2": "dif2",
    "dif2norm": "dif2norm",
    "f_beta[0.5]": "fbeta(0.5)",
    "f_beta[1]": "fbeta(1)",
    "f_beta[2]": "fbeta(2)",
    "jaccard": "jaccard",
    "gm[m_inf]": "gm(r=-inf)",
    "gm[m2]": "gm(-2)",
    "gm[m1]": "gm(-1)",
    "gm[mhalf]": "gm(-0.5)",
    "gm[0]": "gm(0)",
    "gm[half]": "gm(0.5)",
    "gm[1]": "gm(1)",
    "gm[2]": "gm(2)",
    "gm[p_inf]": "gm(r=inf)",
    "tpr": "recall",
    "fnr": "miss_rate",
    "ppv": "precision",
    "fdr": "false_discovery_rate",
    "fpr": "fallout",
    "tnr": "specificity",
    "npv": "npv",
    "elusion_for": "elusion",
    "prevalence": "prevalence",
    "predicted_prevalence": "predicted_prevalence",
    "dor": "dor",
    "odds_ratio": "odds_ratio",
    "lam": "lam",
    "asp": "asp",
    "e_alpha[0.5]": "e_measure(0.5)",
    "f_alpha[0.7]": "f_alpha(0.7)",
    "kulczynski2": "kulczynski_2",
    "ochiai": "ochiai",
    "ss4": "ss4",
    "lr_plus": "lr_plus",
    "lr_minus": "lr_minus",
    "somers_d_sym": "somers_d",
    "somers_d_cr": "somers_d_predicted",
    "somers_d_rc": "somers_d_true",
    "yule_q": "yule_q",
    "yule_y": "yule_y",
    "hamann": "hamann",
    "ss5": "ss5",
    "ss1": "ss1",
    "rogers_tanimoto": "rogers_tanimoto",
    "russell_rao": "russell_rao",
    "ss2": "ss2",
    "tversky_004[0.3,0.7]": "matching_tversky(0.3, 0.7)",
    **{
        f"{key}_{mean}": f"{mean}({name})"
        for mean in ("micro", "macro", "weighted")
        for key, name in (
            ("f1", "f1"),
            ("jaccard", "jaccard"),
            ("cc", "mcc"),
            ("cd", "correlation_distance"),
            ("gm1", "gm(1)"),
        )
    },
}

Q = Fraction
# Averages were defined anew after the sample was made: classes in neither labeling are left out under every policy, and
# a class that is never predicted has precision 0. The values that this supersedes, computed by hand. (Where a class is
# absent, the sample's macro averages are those over all classes, which `measured` asks for.)
SUPERSEDED: dict[str, dict[str, Any]] = {
    "b10_predict_all_negative": {  # [[95, 0], [5, 0]]: class 1 is never predicted
        "macP@skip": Q(95, 100) / 2,  # (95/100 + 0)/2 = 19/40
        "macF1_prime@skip": Q(19, 39),  # R = (1 + 0)/2 = 1/2; 2 · 1/2 · 19/40/(1/2 + 19/40) = (19/40)/(39/40)
    },
    "m09_class_never_predicted": {  # [[10, 5, 0], [3, 12, 0], [4, 6, 0]]
        "macP@skip": (Q(10, 17) + Q(12, 23)) / 3,  # the third term is 0
        "macF1_prime@skip": Q(2387, 5667),  # R = 22/45, P = 434/1173: 2RP/(R + P)
    },
    "b14_all_TN": dict.fromkeys(
        ("macF1_prime@raw", "macF1_prime@zero"), Q(1)
    ),  # [[10, 0], [0, 0]]: the mean of one class
    "m11_class_absent_everywhere": {  # [[10, 5, 0], [3, 12, 0], [0, 0, 0]]: R = 11/15 and P = 163/221 over two classes
        **dict.fromkeys(("macF1_prime@raw", "macF1_prime@zero"), Q(1793, 2438)),  # 2RP/(R + P)
    },
    "m21_001_example6.1": {  # a = (0, 0, 3, 1, 0), b = (1, 1, 2, 0, 0), one hit, of class 2; class 4 is left out
        "macF1_prime@zero": Q(1, 10),  # R = (0 + 0 + 1/3 + 0)/4 = 1/12, P = 1/8: 2RP/(R + P) = (1/48)/(5/24)
        "macP@skip": Q(1, 8),  # 0/1, 0/1, 1/2, and 0 for class 3, which is never predicted: over 4
        "macF1_prime@skip": Q(1, 7),  # R = (1/3 + 0)/2 = 1/6: 2 · 1/6 · 1/8/(1/6 + 1/8)
    },
}

SKIP_IS_RESOLVE = {"macR", "macP", "macF1_prime", "gmacR", "hmacR", "mutability", "rh"}
# These plain names are bare formulas in the sample: null at 0/0, where MEASURES has a rule ("resolve") for them.
BARE = {"asp", "f_alpha[0.7]", "kulczynski2", "ochiai", "ss4", "ss2"}
INFORMATIVE = {"alg", "present"}
PER_CLASS = {"recall": "recall", "precision": "precision", "f1_per_class": "f1"}


def policy_of(key: str) -> str | float | None:
    """Under which policy a key of the sample was computed; None where it is informative only."""
    name, _, convention = key.partition("@")
    if convention == "":
        return "nan" if name.startswith("cal_") or name in BARE else "resolve"
    if convention == "skip":
        return "resolve" if name in SKIP_IS_RESOLVE else None
    return {"appB": "resolve", "raw": "nan", "zero": 0.0}.get(convention)


def superseded(matrix: str, key: str, value: Any) -> Any:
    """The value by today's definition, in the form of the sample."""
    new = SUPERSEDED.get(matrix, {}).get(key)
    if new is None:
        return value
    return {"v": float(new), **({"exact": str(new)} if isinstance(new, Fraction) else {})}


def test_every_superseded_value_is_another_than_that_of_the_sample():
    sample = {entry["id"]: entry["values"] for entry in SAMPLE}
    for matrix, values in SUPERSEDED.items():
        for key, value in values.items():
            then = sample[matrix][key]
            assert then is None or not close(float(value), then["v"], key), (matrix, key)


def values_of(entry):
    """The values of a matrix that the catalogue maps, by today's definitions."""
    for key, value in entry["values"].items():
        if key.partition("@")[0] in NAMES and policy_of(key) is not None:
            yield key, superseded(entry["id"], key, value)


# Means over the classes that occur, by hand, where the sample has the mean over all classes
OVER_PRESENT = {
    "m11_class_absent_everywhere": {
        "macro(f1)": (Q(20, 28) + Q(24, 32)) / 2,
        "macro(jaccard)": (Q(10, 18) + Q(12, 20)) / 2,
        "macro(mcc)": 7 / math.sqrt(221),  # both classes: (10·12 − 5·3)/√(15·15·13·17) = 105/(15 √221)
        "macro(correlation_distance)": math.acos(7 / math.sqrt(221)) / math.pi,
        "macro(gm(1))": Q(105, 223),  # both classes: 105/((15·15 + 13·17)/2)
    },
    "m21_001_example6.1": {
        "macro(f1)": Q(2, 5) / 4,  # class 2: 2/(3 + 2); the three others: 0
        "macro(jaccard)": Q(1, 4) / 4,  # class 2: 1/(1 + 2 + 1)
        "macro(mcc)": -1 / math.sqrt(3) / 4,  # class 2: (1·0 − 2·1)/√(3·1·2·2); one constant labeling: 0
        "macro(correlation_distance)": (3 * 0.5 + math.acos(-1 / math.sqrt(3)) / math.pi) / 4,
        "macro(gm(1))": Q(-1, 7),  # class 2: −2/((3·1 + 2·2)/2) = −4/7, over 4
    },
}


def measured(entry, key):
    """The measure of a key: macro averages of the sample are over all classes, also over those that are absent."""
    name, _, convention = key.partition("@")
    found, rows = gm.measure(NAMES[name]), entry["matrix"]
    absent = any(sum(row) + sum(column) == 0 for row, column in zip(rows, zip(*rows, strict=True), strict=True))
    if found.combinator == "macro" and absent and convention != "skip":
        return gm.macro(found.inner, found.parameters.get("p", 1), classes="all")
    return found


@pytest.mark.parametrize("entry", [x for x in SAMPLE if x["id"] in OVER_PRESENT], ids=lambda e: e["id"])
def test_macro_averages_over_the_classes_that_occur(entry):
    for name, value in OVER_PRESENT[entry["id"]].items():
        measure, counts = gm.measure(name), exact_counts(entry)
        assert close(measure(entry["matrix"]), float(value), name)
        assert close(float(measure.exact(counts)), float(value), name)
        over_all = gm.macro(measure.inner, classes="all")
        assert not close(over_all(entry["matrix"]), float(value), name), "the sample has another value"


def exact_counts(entry):
    return [[Fraction(x) for x in row] for row in entry["matrix_exact"]]


def close(value: float, expected: float, name: str) -> bool:
    if math.isnan(expected):
        return math.isnan(value)
    tolerance = 1e-9 if name.startswith("c") and "cd" in name else 1e-12
    return abs(value - expected) <= tolerance * max(1.0, abs(expected))


@pytest.mark.parametrize("entry", SAMPLE, ids=lambda e: e["id"])
def test_values_in_every_algebra(entry):
    matrix, counts = entry["matrix"], exact_counts(entry)
    batch = np.array([matrix] * 3)
    for key, value in values_of(entry):
        name = key.partition("@")[0]
        measure, undefined = measured(entry, key), policy_of(key)
        expected = math.nan if value is None else value["v"]
        assert close(measure(matrix, undefined=undefined), expected, name), f"{key}: one matrix, plain numbers"
        assert all(close(x, expected, name) for x in measure(batch, undefined=undefined)), f"{key}: a batch"
        scaled = measure(batch * 1.0, undefined=undefined) if measure.scale_invariant else [expected]
        assert all(close(x, expected, name) for x in scaled), f"{key}: a batch of floats"
        exact = measure.exact(counts, undefined=undefined)
        assert close(float(exact), expected, name), f"{key}: exact, as a float"
        if value is not None and "exact" in value:
            assert exact == Fraction(value["exact"]), key


@pytest.mark.parametrize("entry", SAMPLE, ids=lambda e: e["id"])
def test_values_of_single_classes(entry):
    cm = gm.ConfusionMatrix(exact_counts(entry))
    for key, name in PER_CLASS.items():
        for label, value in enumerate(entry["values"][key]):
            exact = gm.measure(name).exact(cm.vs_rest(label), undefined="nan")
            assert math.isnan(float(exact)) if value is None else exact == Fraction(value["exact"])


def test_the_sample_is_used_in_full():
    """Every key is mapped, is one of the informative ones, or is checked per class."""
    keys = {key for entry in SAMPLE for key in entry["values"]}
    left = {key for key in keys if key.partition("@")[0] not in NAMES and key not in PER_CLASS}
    assert left == {"macF1@raw", "macF1@skip", "macF1@zero"}, "macF1 is f1_macro again; @skip of it is informative only"
    unread = {key for key in keys if key.partition("@")[0] in NAMES and policy_of(key) is None}
    assert {key.partition("@")[2] for key in unread} <= {"alg", "present", "skip"}
