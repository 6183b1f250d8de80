"""The statement for a paper says what opitz2024 §8 asks for."""

from __future__ import annotations

import re
import shutil
import subprocess

import numpy as np
import pytest

import goodmeasure as gm
from goodmeasure.report.content.notation import definitions, parameters

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
    with pytest.raises(ValueError, match="format is 'word': use 'text', 'markdown' or 'latex'"):
        gm.evaluate(CM).statement("word")


def test_several_systems_stand_side_by_side():
    text = gm.evaluate({"A": CM, "B": CM.T}, measures=["accuracy"]).statement()
    assert "for each of 2 systems (A, B)" in text
    assert "A 0.909" in text


def symbols_in(formula):
    """Return the letters that stand for something in a formula: commands, indices and words are taken away."""
    text = re.sub(r"\\text\{[^}]*\}|\\begin\{cases\}|\\end\{cases\}", " ", formula)
    cells = set(re.findall(r"\\mathrm\{(TP|FN|FP|TN)\}", text))
    text = re.sub(r"\\mathrm\{..\}", " ", text)
    commands = set(re.findall(r"\\(log|vee)\b", text))
    text = re.sub(r"\\[A-Za-z]+", " ", text)
    text = re.sub(r"_\{[^}]*\}|\^\{\(i\)\}", " ", text)
    return cells | commands | set(re.findall(r"[A-Za-z]", text)) - {"i", "j"}


def defined_in(text):
    """Return the symbols that clauses define."""
    letters = re.findall(r"\$([A-Za-z])(?:_| = |\$)", text)
    return {*letters, *re.findall(r"mathrm\{(..)\}", text), *re.findall(r"\$\\(log|vee)\$", text)}


@pytest.mark.parametrize("classes", [2, 3])
def test_every_symbol_of_every_measure_is_defined(classes):
    for f in gm.measures(classes=classes):
        clauses = [*definitions([f.formula], classes, "b", weighted=False), parameters(f)]
        known = defined_in(" ".join(f"${x.text}$" if x.is_math else x.text for clause in clauses for x in clause))
        own = set(re.findall(r"\\quad ([a-z])'*_", f.formula))  # the formula defines these itself
        assert symbols_in(f.formula) - own <= known, (f.name, symbols_in(f.formula) - own - known)


def test_only_what_is_used_is_defined():
    text = gm.evaluate(CM, measures=["f1"]).statement()
    assert "$a_i" not in text
    assert "with spam\\_1 as the positive class" in text
    plain = gm.evaluate(CM, measures=["accuracy"]).statement()
    assert "positive class" not in plain
    assert "$n$ is the number of items" in plain


def test_derived_counts_are_explained():
    text = gm.evaluate([[5, 1, 0], [1, 4, 2], [0, 1, 6]], measures=["calibrated(kappa)", "macro(mcc)"]).statement()
    assert "a prime marks counts after calibration" in text
    assert "the superscript $(i)$ marks the counts of class $i$ against the rest" in text
    assert "$m = 3$ is the number of classes" in text


def test_costs_and_distances_are_given():
    costs, counts = [[0, 1, 4], [2, 0, 1], [5, 1, 0]], [[5, 1, 0], [1, 4, 2], [0, 1, 6]]
    measures = [gm.k_cost(costs), gm.weighted_kappa(costs), "k_ordinal('squared')", gm.k_ordinal("absolute", [1, 2])]
    text = gm.evaluate(counts, measures=measures).statement()
    rows = "is the cost of predicting class $j$ for class $i$, in rows (0, 1, 4), (2, 0, 1), (5, 1, 0)"
    assert f"where $E_{{ij}}$ {rows}" in text
    assert f"where $w_{{ij}}$ {rows}" in text
    assert "where $E_{ij} = |i - j|^2$" in text
    assert "neighbouring classes are 1, 2 apart" in text


def test_weights_are_not_called_numbers_of_items():
    text = gm.evaluate([0, 1, 1, 0], [0, 1, 0, 0], sample_weight=[1, 2.5, 1, 3], measures=["mcc"]).statement()
    assert "$n$ is the total weight of the items" in text


def test_a_dollar_sign_in_a_label_is_no_mathematics():
    text = gm.evaluate(["a", "b$", "b$"], ["a", "b$", "a"], measures=["f1"], positive="b$").statement("latex")
    assert r"with b\$ as the positive class" in text


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="pdfLaTeX IS NOT INSTALLED: NO STATEMENT WAS COMPILED")
def test_the_statement_compiles_under_pdflatex(tmp_path):
    costs, counts = [[0, 1, 4], [2, 0, 1], [5, 1, 0]], [[5, 1, 0], [1, 4, 2], [0, 1, 6]]
    measures = ["mcc", "macro(f1)", "calibrated(kappa)", "macro(mcc)", gm.k_cost(costs), "confusion_entropy"]
    three = gm.evaluate(gm.ConfusionMatrix(counts, labels=["a_b", "50 %", "é$"]), measures=measures)
    two = gm.evaluate({"A & B": CM, "C_1": CM.T}, measures=["mcc", "f1", "sba"])
    body = "\n\n".join(x.statement("latex") for x in (three, two))
    packages = "\\usepackage[T1]{fontenc}\\usepackage[utf8]{inputenc}\\usepackage{textcomp}\\usepackage{amsmath}"
    source = f"\\documentclass{{article}}{packages}\n\\begin{{document}}\n{body}\n\\end{{document}}\n"
    (tmp_path / "s.tex").write_text(source, encoding="utf-8")
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "s.tex"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, check=False, text=True, errors="replace")
    assert done.returncode == 0, done.stdout[-2000:]
    assert (tmp_path / "goodmeasure.bib").exists()


def rivals(systems=2):
    rng = np.random.default_rng(0)
    true = rng.integers(0, 2, 500)
    names = ("A", "B_1", "C", "D", "E")[:systems]
    return true, {x: np.where(rng.random(500) < 0.95 - 0.1 * k, true, 1 - true) for k, x in enumerate(names)}


@pytest.mark.parametrize("systems", [2, 3, 5])
@pytest.mark.parametrize("format", ["text", "markdown", "latex"])
def test_a_paper_gets_two_to_four_sentences_with_the_test_the_interval_and_n(systems, format):
    true, predicted = rivals(systems)
    found, result = gm.compare(true, predicted), gm.evaluate(true, predicted)
    row = found.difference("A", "B_1", "mcc")
    for text in (found.statement(format), result.statement(format)):
        first, definitions, *_ = text.split("\n\n")
        assert 2 <= len(re.findall(r"\.(?= |$)", first)) <= 4
        assert f"difference {row['difference']:.3f}" in first
        assert f"{row['low']:.3f}" in first
        assert "p = 0.00" in first or "p < 0.0001" in first or "p \\textless" in first
        assert "permutation test" in first
        assert "n = 500" in first
        assert ("Holm's correction" in first) == (systems > 2)
        assert definitions.startswith("Definitions:")
    assert ("B\\_1" in found.statement(format)) == (format != "text")


def test_a_statement_names_few_measures_and_none_twice():
    text = gm.evaluate(*rivals(1)[:1], rivals(1)[1]["A"]).statement("text")
    assert "Matthews correlation coefficient" in text
    assert "Sebastiani" not in text
    assert len(text.split()) < 330
    lower = gm.compare(*rivals(), measures=["zero_one_loss"]).statement("text")
    assert "was significantly below that of B_1" in lower


def first(found):
    return found.statement("text").split("\n\n")[0]


def test_a_statement_about_identical_predictions_names_no_test():
    true, predicted = rivals(1)
    said = first(gm.compare(true, {"A": predicted["A"], "B": predicted["A"]}))
    assert said.endswith("was also that of B, which made the same predictions.")
    assert "p-values" not in said


def test_a_statement_says_how_many_groups_there_are_and_over_what_p_values_are_corrected():
    true, predicted = rivals(2)
    said = first(gm.compare(true, predicted, groups=np.arange(500) // 10, correct="all"))
    assert said.endswith("on the same n = 500 items in 50 groups, with Holm's correction over the measures.")


def test_a_statement_leaves_undefined_values_out_and_says_the_level_once():
    said = first(gm.evaluate([0, 0, 1], [0, 0, 0], measures=["precision", "f1", "recall"]))
    assert "undefined" not in said
    assert said.count("95% confidence interval") == 1
    one = first(gm.compare(*rivals(1)))
    assert "A reached MCC" in one
    assert "1 systems" not in one


def test_a_statement_on_scores_defines_the_symbols_and_names_the_positive_class():
    true = np.array(["fraud", "legit"])[np.arange(60) % 3 % 2]
    score = np.where(true == "fraud", 0.6, 0.4) + np.random.default_rng(0).normal(size=60) / 10
    positive = str(gm.evaluate(true, y_score=score, labels=["legit", "fraud"]).statement("text"))
    assert "with fraud as the positive class" in positive
    assert "p_x(i) is the probability that a system gives class i for item x" in positive
    three = np.arange(60) % 3
    text = gm.evaluate(three, y_score=np.random.default_rng(0).dirichlet(np.ones(3), 60)).statement("text")
    assert "positive class" not in text
