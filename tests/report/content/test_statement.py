"""The statement for a paper says what opitz2024 §8 asks for."""

from __future__ import annotations

import pytest

import goodmeasure as gm

CM = gm.ConfusionMatrix([[50, 3], [4, 20]], labels=["ham", "spam_1"])


def test_it_names_data_measures_formulas_intervals_and_rules():
    text = gm.evaluate(CM, measures=["macro(f1)", "mcc"]).statement()
    assert "77 items of 2 classes (ham 68.8%, spam\\_1 31.2%)" in text
    assert gm.mcc.formula in text
    assert "0.786 (" in text
    assert "95% confidence" in text
    assert "Standard deviation over classes: f1 0.042" in text
    assert "0/0" in text
    assert "@article{gorodkin2004" in text
    assert "@article{opitz2024" in text


def test_it_is_latex_too():
    text = gm.evaluate(CM, measures=["mcc"]).statement("latex")
    assert r"spam\_1" in text
    assert r"\cite{gorodkin2004}" in text
    assert r"\begin{filecontents*}" in text


def test_undefined_cases_are_told():
    text = gm.evaluate([[5, 0], [5, 0]], measures=["mcc"]).statement()
    assert "only class 0 is ever predicted, so MCC is 0/0 and is reported as 0" in text


def test_another_format_is_refused():
    with pytest.raises(ValueError, match="format is 'word': use 'markdown' or 'latex'"):
        gm.evaluate(CM).statement("word")


def test_several_systems_stand_side_by_side():
    text = gm.evaluate({"A": CM, "B": CM.T}, measures=["accuracy"]).statement()
    assert "for each of 2 systems (A, B)" in text
    assert "A 0.909" in text
