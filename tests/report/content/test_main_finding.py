"""The verdict says what the numbers and the corrected tests say, and no more; titles and headlines go with it."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import goodmeasure as gm
from goodmeasure.report.content.evaluation import contents
from goodmeasure.report.content.first_screen import headlines
from goodmeasure.report.content.main_finding import best_part, comparison_verdict, verdict
from tests.cli.command import call

MEASURES = ["accuracy", "mcc", "recall", "precision"]


def items(number=400, share=0.3, seed=0):
    rng = np.random.default_rng(seed)
    true = rng.random(number) < share
    return true, lambda right: np.where(rng.random(number) < right, true, ~true)


def compared(systems, true, **options):
    return gm.compare(true, systems, measures=MEASURES, method="normal", replicates=50, ensemble=False, **options)


def test_one_system_is_judged_against_guessing_and_the_majority():
    true, drawn = items()
    said = verdict(gm.evaluate(true, drawn(0.9), measures=MEASURES))
    assert said.startswith("The classifier is significantly better than random guessing (MCC 0.")
    assert "and more accurate than always predicting 'False' (" in said


def test_a_useless_system_is_called_so():
    true, _ = items()
    rng = np.random.default_rng(1)
    said = verdict(gm.evaluate(true, {"coin": rng.random(400) < 0.5}, measures=MEASURES))
    assert said.startswith("coin is not significantly better than random guessing: its MCC is ")


def test_a_rare_class_shows_what_accuracy_hides():
    """With 1% of positives, of which 13% are found, accuracy is hardly that of always saying no."""
    true = [0] * 2970 + [1] * 30
    said = verdict(gm.evaluate(true, [1] * 3 + [0] * 2967 + [1] * 4 + [0] * 26, measures=MEASURES))
    assert "but not significantly more accurate than always predicting '0' (99.03% against 99.00%)" in said
    assert "it finds 13.3% of '1', its weakest class" in said


def test_the_winner_is_named_with_the_number_of_measures():
    true, drawn = items(900)
    found = compared({"good": drawn(0.95), "poor": drawn(0.7), "worse": drawn(0.6)}, true)
    said = comparison_verdict(found)
    assert said.startswith("good is significantly better than the other two systems on MCC (0.")
    assert said.endswith("and on all three other measures.")


def test_the_price_of_recall_is_named():
    rng = np.random.default_rng(2)
    true = rng.random(2000) < 0.2
    careful = np.where(true, rng.random(2000) < 0.7, rng.random(2000) < 0.01)
    eager = np.where(true, rng.random(2000) < 0.98, rng.random(2000) < 0.3)
    said = comparison_verdict(compared({"careful": careful, "eager": eager}, true))
    assert said.startswith("careful is significantly better than eager on MCC")
    assert "; eager finds more of 'True' (recall 0." in said
    assert "at the price of precision (0." in said


def test_no_difference_is_called_none():
    true, drawn = items(150)
    systems = {"A": drawn(0.85), "B": drawn(0.85)}
    result = gm.evaluate(true, systems, measures=MEASURES, replicates=50)
    assert verdict(result).startswith("There is no significant difference between ")


def test_differences_that_were_not_tested_are_said_to_be_untested():
    true, drawn = items()
    said = verdict(gm.evaluate(true, {"A": drawn(0.9), "B": drawn(0.6)}, measures=MEASURES, tests=False))
    assert said.startswith("A has the best MCC (0.")
    assert said.endswith("whether the difference is significant was not tested.")


@given(st.integers(0, 2**31), st.integers(2, 5), st.sampled_from([0.55, 0.7, 0.85, 0.9]))
@settings(max_examples=12)
def test_better_is_said_only_where_every_corrected_test_says_so(seed, systems, worst):
    true, drawn = items(150, seed=seed)
    found = compared({f"S{k}": drawn(right) for k, right in enumerate(np.linspace(0.92, worst, systems))}, true)
    said = comparison_verdict(found)
    who, better, _ = said.partition(" is significantly better than ")
    if better and who in found.systems:
        rows = [x for x in found.differences if x["measure"] == "mcc" and who in (x["a"], x["b"])]
        assert len(rows) == systems - 1
        assert all(x["p_corrected"] < 0.05 for x in rows)
    else:
        assert len(found.winners["mcc"]) > 1


def test_headlines_are_numbers_of_the_best_system():
    true, drawn = items()
    result = gm.evaluate(true, {"A": drawn(0.6), "B": drawn(0.9)}, measures=MEASURES)
    numbers = headlines(result)
    assert best_part(result).system == "B"
    assert numbers.caption.startswith("B, the best on MCC")
    assert [x.name for x in numbers.items] == ["MCC", "Recall of 'True'", "Precision of 'True'", "Accuracy"]
    assert [x.cell.value for x in numbers.items] == [
        result.value(x, "B") for x in ("mcc", "recall", "precision", "accuracy")
    ]
    assert numbers.items[3].baseline == pytest.approx(1 - true.mean())
    assert numbers.items[0].chance == pytest.approx(0, abs=1e-9)


def test_only_measures_of_the_positive_class_are_said_to_be_of_it():
    def recall(c):  # a user's own function with the name of a measure
        return c.sum(lambda i: c[i, i]) / c.n

    true, predicted = ["a", "b", "b", "a"] * 5, ["a", "b", "a", "a"] * 5
    result = gm.evaluate(true, predicted, measures=["mcc", recall, "specificity", "f1"])
    assert [x.name for x in headlines(result).items] == ["MCC", "recall", "F1 of 'b'", "Specificity of 'b'"]
    three = gm.evaluate([*true, "c", "c"], [*predicted, "c", "a"], measures=["mcc"], classwise=[recall])
    assert [x.name for x in headlines(three).items] == ["MCC"]


@pytest.mark.parametrize("measures", [["hamann"], ["zero_one_loss"], ["predicted_prevalence"], ["macro(f1)", "rh"]])
def test_any_choice_of_measures_has_a_verdict(measures):
    true, drawn = items()
    for systems in ({"A": drawn(0.8)}, {"A": drawn(0.8), "B": drawn(0.7)}):
        result = gm.evaluate(true, systems, measures=measures)
        assert verdict(result).endswith(".")
        assert contents(result).sections[0].key == "summary"


@pytest.mark.parametrize("pair", [(["a"], ["a"]), (["a", "b"], ["a", "a"]), (["a", "b", "c"], ["b", "c", "a"])])
def test_tiny_data_have_a_verdict_and_a_page(pair):
    result = gm.evaluate(*pair)
    assert verdict(result).endswith(".")
    assert verdict(result) in result.to_markdown().replace("\\", "")


def test_a_title_can_be_given(tmp_path, monkeypatch):
    result = gm.evaluate([0, 1, 1], {"A": [0, 1, 0]}, measures=["mcc"])
    assert contents(result).title == "Evaluation of A"
    assert "<h1>Release &lt;2&gt;</h1>" in result.to_html(title="Release <2>")
    assert result.to_markdown(title="Release 2").startswith("# Release 2\n")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "p.csv").write_text("label,pred\na,a\nb,a\nb,b\n")
    assert call("evaluate", "p.csv", "--title", "Release 3").exit_code == 0
    assert "<h1>Release 3</h1>" in (tmp_path / "p.report.html").read_text(encoding="utf-8")
    assert call("evaluate", "p.csv", "--out", "r.html").exit_code == 0
    assert "<h1>Evaluation of p.csv</h1>" in (tmp_path / "r.html").read_text(encoding="utf-8")


def test_the_date_can_be_fixed(monkeypatch):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "0")
    assert "1 January 1970" in gm.evaluate([0, 1], [0, 1], measures=["mcc"]).to_markdown()


def ranked(share=0.012, better=3.0, worse=1.5, seed=1, items=5000):
    """Scores of two systems for rare positives: both stay below 0.5, and one ranks clearly better."""
    rng = np.random.default_rng(seed)
    hit = rng.random(items) < share
    noise = rng.normal(size=(2, items))
    return hit.astype(int), {
        "logreg": 1 / (1 + np.exp(5 - worse * hit - noise[0])), "forest": 1 / (1 + np.exp(5 - better * hit - noise[1])),
    }  # fmt: skip


def test_with_scores_the_verdict_speaks_of_ranking_probabilities_and_the_threshold():
    true, scores = ranked()
    result = gm.evaluate(true, y_score=scores)
    said = verdict(result)
    row = result.comparison.difference("forest", "logreg", "average_precision")
    assert row["p_corrected"] < 0.05
    assert said.startswith("forest ranks significantly better: average precision 0.")
    assert f"Brier score {result.value('brier', 'forest'):.3f} against {result.value('brier', 'logreg'):.3f}" in said
    best = result.swept.best("mcc", "forest")
    assert f"0.5 is a poor threshold: at {best.threshold:.3g}, MCC of forest is {best.value:.3f}" in said
    assert f"{best.honest:.3f} is expected on new items." in said
    assert best_part(result).system == "forest"
    for text in (said, result.to_text(full=True), result.to_markdown()):
        assert "the same value of every measure" not in text
    scores_section = next(x for x in contents(result).sections if x.key == "scores")
    assert scores_section.opened
    assert comparison_verdict(gm.compare(true, y_score=scores)) == said.partition(" At the threshold")[0]


def test_values_in_the_verdict_on_scores_are_those_of_the_systems_named_beside_them():
    """One system is ahead on ROC AUC and named first, and the other is ahead on MCC."""
    true, scores = ranked(items=100, share=0.4, worse=4.5, better=4.5)
    result = gm.evaluate(true, y_score=scores)
    said = verdict(result)
    assert said.startswith("There is no significant difference between forest and logreg in ROC AUC")
    for measure, name in (("brier", "Brier score"), ("mcc", "MCC")):
        values = ", ".join(f"{x} {result.value(measure, x):.3f}" for x in scores)
        assert f"no significant difference in {name} ({values})" in said


def test_untested_scores_that_differ_are_never_called_the_same():
    true, scores = ranked()
    text = gm.evaluate(true, y_score=scores, tests=False).to_text(full=True)
    assert "The measures disagree" in text
    assert "the same value of every measure" not in text


def test_measures_of_ranking_that_disagree_are_both_named():
    rng = np.random.default_rng(1)
    true = (rng.random(5000) < 0.012).astype(int)
    wide = 1 / (1 + np.exp(5 - 1.7 * true - rng.normal(size=5000)))
    sharp = 1 / (1 + np.exp(5 - 3.2 * true * (rng.random(5000) < 0.5) - 0.5 * rng.normal(size=5000)))
    said = verdict(gm.evaluate(true, y_score={"wide": wide, "sharp": sharp}))
    assert said.startswith("The measures of ranking disagree: sharp is significantly better on average precision (0.")
    assert "and wide is significantly better on ROC AUC (0." in said


def test_one_system_with_scores_is_judged_by_its_ranking_and_its_labels():
    true, scores = ranked()
    said = verdict(gm.evaluate(true, y_score=scores["forest"]))
    assert said.startswith("The classifier ranks significantly better than random guessing (average precision 0.")
    assert "At the threshold 0.5, " in said
    assert "0.5 is a poor threshold: at 0." in said
    good = verdict(gm.evaluate(true, y_score=np.where(true == 1, 0.9, 0.1)))
    assert "poor threshold" not in good


def test_what_is_significant_is_decided_in_one_place(monkeypatch):
    """Where nothing may be called significant, no sentence does."""
    from goodmeasure.evaluation import significance

    true, scores = ranked()
    labels = {name: (x > 0.05).astype(int) for name, x in scores.items()}
    monkeypatch.setattr(significance, "is_significant", lambda claim: False)
    site = {"site": np.arange(5000) % 3}
    results = gm.evaluate(true, y_score=scores, by=site), gm.evaluate(true, labels), gm.evaluate(true, labels["forest"])
    for result in results:
        for text in (result.to_text(full=True), result.to_text(), result.to_markdown()):
            words = " ".join(text.split()).replace("no significant difference", "").replace("not significantly", "")
            assert "is significantly" not in words
            assert "ranks significantly" not in words
            assert "poor threshold" not in words
