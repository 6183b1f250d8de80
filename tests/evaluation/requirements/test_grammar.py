"""A requirement is read as its writer meant it, and refused with an example where it is no requirement."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

import goodmeasure as gm
from goodmeasure.evaluation.requirements.grammar import Requirement, read


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("mcc>=.8", Requirement("mcc", ">=", 0.8)),
        ("mcc ≥ 80%", Requirement("mcc", ">=", 0.8)),
        ("log loss =< 0.3", Requirement("log loss", "<=", 0.3)),
        ("mcc >= -1e-3", Requirement("mcc", ">=", -0.001)),
        ("recall[spam] = 1", Requirement("recall", "==", 1.0, either="spam")),
        ("recall[>50K] >= 0.8", Requirement("recall", ">=", 0.8, either=">50K")),
        ("recall[a, b] > 0", Requirement("recall", ">", 0.0, label="a", slice="b")),
        ("recall['a, b'] > 0", Requirement("recall", ">", 0.0, either="a, b")),
        ("recall[slice=b, class=a] > 0", Requirement("recall", ">", 0.0, label="a", slice="b")),
        ("mcc[, b] > 0", Requirement("mcc", ">", 0.0, slice="b")),
        ("recall[don't know] > 0", Requirement("recall", ">", 0.0, either="don't know")),
        ("run: 1: mcc < 1", Requirement("mcc", "<", 1.0, system="run: 1")),
        ("Cohen's kappa >= 0.7", Requirement("Cohen's kappa", ">=", 0.7)),
        ("at(precision, 'recall >= 0.9') > 0.5", Requirement("at(precision, 'recall >= 0.9')", ">", 0.5)),
        ("A: weighted_kappa('linear')[x] > 0", Requirement("weighted_kappa('linear')", ">", 0.0, "A", either="x")),
    ],
)
def test_a_requirement_is_read(text, found):
    assert read(text) == found


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("mcc 0.8", "no sign such as >="),
        ("", "no sign"),
        ("0.7 <= mcc <= 0.9", "several signs"),
        ("mcc >= much", "ends in 'much': expected a number"),
        ("mcc >= nan", "expected a number"),
        ("mcc >= inf", "expected a number"),
        (">= 0.8", "names no measure"),
        ("[spam] >= 0.8", "names no measure"),
        ("mcc[] >= 0.8", "are empty"),
        ("mcc[a][b] >= 0.8", "do not match"),
        ("mcc[a, b, c] >= 0.8", "too much in brackets"),
        ("mcc[class=a, class=b] >= 0.8", "too much in brackets"),
    ],
)
def test_what_is_no_requirement_is_refused(text, words):
    with pytest.raises(gm.InputError, match=words):
        read(text)


def test_a_requirement_is_a_text():
    with pytest.raises(gm.InputTypeError, match=r"such as 'mcc >= 0.8'"):
        read(0.8)


@given(st.text(max_size=40))
def test_any_text_is_read_or_refused(text):
    try:
        found = read(text)
    except gm.InputError as error:
        found, refused = None, error
    assert refused.expected or refused.advice if found is None else read(str(found)) == found


@given(
    st.sampled_from(["mcc", "macro(f1)", "fbeta(beta=2)"]), st.sampled_from([">=", ">", "<=", "<", "=="]),
    st.decimals(-100, 100, places=4), st.sampled_from([None, "A", "run 1"]), st.sampled_from([None, "spam", "*"]),
    st.sampled_from([None, "x", "site=x"]),
)  # fmt: skip
def test_what_is_written_is_read_back(measure, sign, bound, system, label, where):
    asked = Requirement(measure, sign, float(bound), system, label, where)
    if label is not None and where is None:  # a single name may be that of a class or of a slice
        asked = Requirement(measure, sign, float(bound), system, either=label)
    assert read(str(asked)) == asked


@pytest.mark.parametrize("sign", [">=", ">", "<=", "<", "=="])
def test_rounding_decides_nothing_and_undefined_meets_nothing(sign):
    asked = Requirement("mcc", sign, 0.3)
    assert asked.holds(0.1 + 0.2) == (sign in (">=", "<=", "=="))
    assert asked.holds(0.4) == (sign in (">=", ">"))
    assert asked.holds(0.2) == (sign in ("<=", "<"))
    assert not asked.holds(math.nan)
    assert asked.holds(math.inf) == (sign in (">=", ">"))
