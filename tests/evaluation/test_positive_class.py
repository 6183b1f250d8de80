"""The positive class of text is never chosen by the alphabet: the rarer one is taken and said, or the user is asked."""

import json
import pickle
from datetime import date

import numpy as np
import pandas as pd
import pytest

import goodmeasure as gm
from goodmeasure.web.answers.compare_systems import NamedColumns, compared, look
from tests.cli.command import call

PAIRS = [  # what a detector looks for, and the rest
    ("fraud", "legit"), ("churn", "stay"), ("defect", "ok"), ("bad", "good"), ("default", "paid"), ("sick", "well"),
    ("anomaly", "normal"), ("spam", "ham"), ("yes", "no"), ("true", "false"), ("positive", "negative"),
    ("malignant", "benign"), ("toxic", "clean"), ("1", "0"),
]  # fmt: skip
RNG = np.random.default_rng(4)
N = 200
HIT = np.arange(N) % 8 == 0
SCORE = np.clip(0.25 + 0.4 * HIT + RNG.normal(size=N) / 6, 0, 1).round(3)
SITE = np.where(np.arange(N) % 8 < 4, "x", "y")  # all hits are in x


def named(hits, pair):
    return np.where(hits, *pair)


def line(label):
    return f"positive class: {label!r}, the rarer one; change it with positive="


@pytest.mark.parametrize("pair", PAIRS)
def test_whole_data_take_the_rarer_class_and_say_so_first(pair):
    rare, common = pair
    true, one, two = (named(x, pair) for x in (HIT, SCORE > 0.5, SCORE > 0.4))
    result = gm.evaluate(true, one, by={"site": SITE}, measures=["recall", "f1", "mcc"])
    assert result.value("recall") == gm.recall(HIT, SCORE > 0.5)
    assert {result.matrix(slice=x).labels for x in (None, "x", "y")} == {(common, rare)}
    compared_ = gm.compare(true, {"A": one, "B": two}, measures=["f1"])
    assert compared_.labels == (common, rare)
    swept = gm.sweep(true, SCORE, measures=["f1"])
    scored = gm.evaluate(true, y_score=SCORE, measures=["f1", "average_precision"])
    assert swept.positive == rare
    assert scored.value("average_precision") == gm.average_precision(HIT, SCORE)
    for found in (result, compared_, swept, scored):
        assert str(found).splitlines()[0] == line(rare)
        assert found.to_markdown().splitlines()[2].replace("\\", "").startswith(line(rare))
        data = json.loads(found.to_json())
        data = data.get("data", data)
        assert (data["positive"], data["positive_chosen"]) == (rare, "rarer")
    assert gm.evaluate(true, one, positive=common).value("f1") == gm.f1(~HIT, SCORE <= 0.5)


@pytest.mark.parametrize("pair", PAIRS)
def test_a_single_measure_that_needs_it_asks_for_the_positive_class(pair):
    rare, common = pair
    true, said = named(HIT, pair), named(SCORE > 0.5, pair)
    cm = gm.confusion(true, said)
    for call_ in (lambda: gm.f1(true, said), lambda: gm.recall.exact(cm), lambda: gm.roc_auc(true, SCORE)):
        with pytest.raises(gm.InputError, match=f"positive='{min(pair)}' or positive='{max(pair)}'"):
            call_()
    assert cm.positive is None
    assert cm.vs_rest(rare).positive == rare
    expected = gm.f1(HIT, SCORE > 0.5)
    assert gm.f1(true, said, positive=rare) == gm.f1(cm, positive=rare) == gm.f1(cm.vs_rest(rare)) == expected
    assert gm.f1(true, said, labels=[common, rare]) == gm.f1(cm, pos_label=rare) == expected
    assert gm.roc_auc(true, SCORE, positive=rare) == gm.roc_auc(HIT, SCORE)
    for f in (gm.mcc, gm.accuracy, gm.kappa, gm.macro(gm.f1), gm.weighted_kappa("linear")):
        assert f(true, said) == f(cm) == pytest.approx(f(HIT, SCORE > 0.5))


def test_scores_that_rank_the_rarer_class_below_are_refused_with_both_readings():
    true = named(HIT, ("fraud", "legit"))
    for call_ in (
        lambda: gm.evaluate(true, y_score=1 - SCORE),
        lambda: gm.sweep(true, 1 - SCORE),
        lambda: gm.compare(true, y_score={"A": 1 - SCORE, "B": (1 - SCORE) ** 2}),
        lambda: gm.evaluate(pd.DataFrame({"t": true, "s": 1 - SCORE}), y_true="t", y_score="s"),
    ):
        with pytest.raises(gm.InputError, match="positive='legit' if higher scores mean 'legit'") as error:
            call_()
        assert "positive='fraud'" in str(error.value)
        assert "predict_proba" in str(error.value)
    turned = gm.evaluate(true, y_score=1 - SCORE, positive="legit")
    assert turned.value("roc_auc") == pytest.approx(gm.roc_auc(HIT, SCORE))
    both = gm.evaluate(true, y_score=np.stack([SCORE, 1 - SCORE], axis=1))  # a column for each class
    assert both.value("average_precision") == gm.average_precision(HIT, SCORE)
    one_bad = gm.compare(true, y_score={"A": SCORE, "B": 1 - SCORE})  # the reading fits at least one of them
    assert one_bad.source.positive == "fraud"


def test_orders_that_mean_something_decide():
    said = named(SCORE > 0.5, ("b", "a"))
    true = named(HIT, ("b", "a"))
    ordered = pd.CategoricalDtype(["b", "a"], ordered=True)
    assert gm.confusion(pd.Series(true, dtype=ordered), pd.Series(said, dtype=ordered)).positive == "a"
    assert gm.confusion(pd.Categorical(true), pd.Categorical(said)).positive is None
    assert gm.confusion(true, said, labels=["b", "a"]).positive == "a"
    assert gm.ConfusionMatrix([[1, 2], [3, 4]], labels=["b", "a"]).positive == "a"
    assert gm.evaluate(true, said, labels=["b", "a"]).matrix().labels == ("b", "a")
    assert gm.evaluate(gm.ConfusionMatrix([[1, 2], [3, 40]], labels=["b", "a"])).matrix().labels == ("b", "a")
    for low, high in ((0, 1), (False, True), (1.5, 2.5), (date(2026, 1, 1), date(2026, 1, 2))):
        cm = gm.confusion([low, high, high], [low, high, low])
        assert cm.positive == high
        assert gm.evaluate([low, high, high], [low, high, low]).matrix().labels == (low, high)  # though it is common
    assert gm.confusion([b"x", b"y"], [b"x", b"x"]).positive is None
    assert gm.confusion([(1, 2), (1, 3)], [(1, 2), (1, 2)]).positive is None
    assert gm.evaluate(["a", "b"], ["a", "a"]).matrix().labels == ("a", "b")  # a tie: the last
    weights = [100, 1, 1]
    assert gm.evaluate(["a", "b", "b"], ["a", "b", "a"], sample_weight=weights).matrix().labels == (
        "b",
        "a",
    )  # by items


def test_a_matrix_remembers_that_nothing_was_said(tmp_path):
    cm = gm.confusion(["ham", "spam", "ham"], ["ham", "spam", "spam"])
    read = gm.ConfusionMatrix
    for same in (
        cm + cm, cm - cm, cm.T, cm.calibrated(), cm.decayed(0.5), read(cm), read.from_json(cm.to_json()),
        read.from_bytes(cm.to_bytes()), read.from_arrow(cm.to_arrow()), pickle.loads(pickle.dumps(cm)),
    ):  # fmt: skip
        assert same.positive is None
        assert same.m == 2
    known = gm.ConfusionMatrix([[1, 0], [0, 1]], labels=["spam", "ham"])
    assert (known + cm).positive == (cm + known).positive == "ham"  # what one of them says
    assert (known + known.aligned(["ham", "spam"])).positive is None  # unless the other says something else
    known.update(["spam"], ["ham"])
    assert known.positive == "ham"
    stream = gm.ConfusionMatrix.empty()
    stream.update(["ham"], ["ham"])
    stream.update(["spam"], ["ham"])
    assert stream.positive is None
    old = json.loads(cm.to_json())
    del old["order"]["stated"]
    assert read.from_json(old).positive == "spam"  # as it was when it was written
    window = gm.SlidingWindow(2, labels=["spam", "ham"])
    window.update(["ham", "spam"], ["ham", "ham"])
    assert window.matrix.positive == "ham"


def test_own_functions_count_as_asymmetric_unless_they_are_not():
    cm = gm.confusion(["ham", "spam", "ham"], ["ham", "spam", "spam"])

    def found(c):
        return c.ratio(c.tp, c.tp + c.fn)

    def right(c):
        return c.ratio(c.sum(lambda i: c[i, i]), c.n)

    @gm.define("sure_of_it", class_symmetric=True)
    def sure(c):
        return c.ratio(c.tp + c.tn, c.n)

    gm.measure("sure_of_it").forget()
    assert sure(cm) == pytest.approx(2 / 3)
    assert gm.evaluate(cm, measures=[found]).value("found") == 1
    with pytest.raises(gm.InputError, match="calibrated"):
        gm.calibrated(found)(cm)
    assert gm.calibrated(right)(cm) == gm.calibrated(gm.accuracy)(cm)
    assert gm.macro(found)(cm) == gm.macro(gm.recall)(cm)


def test_drift_keeps_the_positive_class_of_the_earlier_period():
    true, said = named(HIT, ("fraud", "legit")), named(SCORE > 0.5, ("fraud", "legit"))
    later = true[HIT], said[HIT]  # nothing but fraud: there, it is not the rarer one
    for before in (gm.evaluate(true, said), (true, said), gm.confusion(true, said)):
        for after in (later, gm.evaluate(true[:9], said[:9]), gm.confusion(true[::-1], said[::-1])):
            assert gm.drift(before, after, measures=["recall"]).change("recall").before == gm.recall(HIT, SCORE > 0.5)


def test_more_classes_are_as_before():
    true, said = ["a", "b", "c", "c"], ["a", "b", "b", "c"]
    result = gm.evaluate(true, said)
    assert result.matrix().labels == ("a", "b", "c")
    assert "positive class" not in str(result)
    assert gm.macro(gm.f1)(true, said) == pytest.approx((1 + 2 / 3 + 2 / 3) / 3)
    assert json.loads(result.to_json())["data"]["positive"] is None


@pytest.mark.parametrize("pair", [("fraud", "legit"), ("spam", "ham")])
def test_the_command_line_and_the_page_take_the_same_class(tmp_path, monkeypatch, pair):
    monkeypatch.chdir(tmp_path)
    rare, common = pair
    columns = {"label": HIT, "A": SCORE > 0.5, "B": SCORE > 0.4}
    frame = pd.DataFrame({name: named(x, pair) for name, x in columns.items()} | {"score": SCORE})
    frame.to_csv("p.csv", index=False)
    systems = ("--true", "label", "--pred", "A", "--pred", "B", "--measures", "recall,mcc")
    said = f"positive class: {rare!r}, the rarer one; change it with positive= or --positive"
    for command in (
        ("evaluate", "p.csv", *systems, "--no-report"), ("compare", "p.csv", *systems),
        ("evaluate", "p.csv", *systems, "--score", "score", "--no-report"),
        ("sweep", "p.csv", "--true", "label", "--score", "score", "--measures", "recall"),
        ("evaluate", "p.csv", "--true", "label", "--score", "score", "--no-report"),
    ):  # fmt: skip
        done = call(*command)
        assert done.exit_code == 0, done.output
        assert done.output.splitlines()[0] == said
    data = json.loads(call("evaluate", "p.csv", *systems, "--json").out)
    assert (data["data"]["positive"], data["data"]["positive_chosen"]) == (rare, "rarer")
    assert f"--positive {rare}" in gm.evaluate("p.csv", y_true="label", y_pred="A").to_markdown()
    frame.head(90).to_csv("old.csv", index=False)
    drifted = json.loads(call("drift", "old.csv", "p.csv", "--true", "label", "--pred", "A", "--json").out)
    assert next(x for x in drifted["changes"] if x["measure"] == "recall")["after"] == gm.recall(HIT, SCORE > 0.5)
    found = look(tmp_path / "p.csv", NamedColumns("label", ("A", "B"), ("score",)))
    assert {tuple(x["labels"]) for x in found["matrices"].values()} == {(common, rare)}
    assert found["notes"][0] == f"Positive class: {rare!r}, the rarer one; change it with the choice above."
    answer = compared(tmp_path / "p.csv", NamedColumns("label", ("A", "B")), ["recall"])
    assert answer["labels"] == [common, rare]
    reversed_ = call("sweep", "p.csv", "--true", "label", "--score", "score", "--positive", common)
    assert reversed_.exit_code == 0
    frame.assign(score=1 - SCORE).to_csv("p.csv", index=False)
    refused = call("evaluate", "p.csv", "--true", "label", "--score", "score", "--no-report")
    assert refused.exit_code != 0
    assert f"--positive {common}" in refused.err


def test_functions_of_matrices_ask_too():
    cm = gm.confusion(["ham", "spam", "ham"], ["ham", "spam", "spam"])
    for ask in (
        lambda x: gm.baselines(x, measures=["f1"])["perfect"],
        lambda x: gm.disagreement(["f1", "mcc"], [x, x]).rates["f1"]["mcc"],
    ):
        with pytest.raises(gm.InputError, match=r"cm\.vs_rest\('spam'\)"):
            ask(cm)
        ask(cm.vs_rest("ham"))
    assert gm.sweep(matrices={0.5: cm}).positive == "spam"


def test_a_tie_is_called_a_tie():
    true, said = ["no", "yes", "no", "yes"], ["no", "yes", "yes", "yes"]
    first = "positive class: 'yes', the last of two equally frequent ones; change it with positive="
    frame = pd.DataFrame({"label": true, "score": [0.1, 0.9, 0.4, 0.8]})
    for found in (
        gm.evaluate(true, said), gm.compare(true, {"A": said, "B": true}), gm.sweep(true, frame["score"]),
        gm.evaluate(frame, y_true="label", y_score="score"), gm.evaluate(gm.confusion(true, said)),
    ):  # fmt: skip
        assert " ".join(str(found).split()).startswith(first)  # on a narrow terminal it takes two lines
        data = json.loads(found.to_json())
        data = data.get("data", data)
        assert (data["positive"], data["positive_chosen"]) == ("yes", "tied")


def test_the_heading_names_a_positive_class_that_the_first_line_does_not():
    true, said = named(HIT, ("fraud", "legit")), named(SCORE > 0.5, ("fraud", "legit"))
    window = gm.SlidingWindow(2)
    window.update(true, said)
    for found, shown in (
        (gm.evaluate(true, said, positive="legit"), "legit"), (gm.evaluate(HIT, SCORE > 0.5), "True"),
        (gm.evaluate(HIT.astype(int), y_score=np.log(SCORE + 1)), "1"), (gm.evaluate(window.matrix), "fraud"),
        (gm.compare(true, {"A": said, "B": true}, labels=["fraud", "legit"]), "legit"),
    ):  # fmt: skip
        for text in (found.to_text(), found.to_text(full=True), found.to_markdown()):
            assert f"positive class {shown!r}" in "\n".join(text.splitlines()[:3])
    assert "positive class" not in gm.evaluate(list("abc"), list("abb")).to_text()


def test_drift_says_which_class_is_positive():
    before, after = (
        (named(HIT, ("fraud", "legit")), named(SCORE > 0.5, ("fraud", "legit"))),
        (["fraud"] * 9, ["legit"] * 9),
    )
    found = gm.drift(before, after, measures=["f1"])
    assert str(found).startswith("positive class: 'fraud', the rarer one; change it with --positive, or positive= of ")
    data = json.loads(found.to_json())
    assert (data["positive"], data["positive_chosen"]) == ("fraud", "rarer")
    found = gm.drift(gm.evaluate(*before, positive="legit"), after, measures=["f1"])
    assert str(found).splitlines()[0] == "200 items before, 9 after; positive class 'legit'."
    assert json.loads(found.to_json())["positive_chosen"] == "given"
    assert json.loads(gm.drift(([0, 1, 2], [0, 1, 1]), ([0, 1, 2], [0, 1, 1])).to_json())["positive"] is None


def test_a_list_of_matrices_is_asked_about_like_one():
    one = gm.confusion(named(HIT, ("fraud", "legit")), named(SCORE > 0.5, ("fraud", "legit")))
    with pytest.raises(gm.InputError, match="give positive='fraud' or positive='legit'"):
        gm.f1([one, one])
    assert gm.f1([one, one], positive="fraud").tolist() == [gm.f1(HIT, SCORE > 0.5)] * 2
    other = gm.ConfusionMatrix([[1, 2], [3, 4]], labels=["fraud", "legit"])
    turned = gm.ConfusionMatrix([[4, 3], [2, 1]], labels=["legit", "fraud"])
    assert gm.f1([other, turned]).tolist() == [gm.f1(other)] * 2
    assert gm.mcc([one, other]).tolist() == [gm.mcc(one), gm.mcc(other)]


def test_a_matrix_that_names_its_positive_class_decides_for_those_that_do_not():
    true, said = named(HIT, ("fraud", "legit")), named(SCORE > 0.5, ("fraud", "legit"))
    known = gm.confusion(true, said, labels=["fraud", "legit"])
    for matrices in ({"A": gm.confusion(true, said), "B": known}, {"B": known, "A": gm.confusion(true, said)}):
        result = gm.evaluate(matrices, measures=["f1"])
        assert result.value("f1", "A") == result.value("f1", "B") == gm.f1(~HIT, SCORE <= 0.5)


def test_a_projection_is_about_the_rarer_class_and_says_so():
    true, said = named(HIT, ("fraud", "legit")), named(SCORE > 0.5, ("fraud", "legit"))
    known = gm.project(gm.confusion(true, said, labels=["legit", "fraud"]), prevalence=0.3)
    for given in ((true, said), gm.confusion(true, said)):
        found = gm.project(given, prevalence=0.3)
        assert found.value("f1") == known.value("f1")
        assert str(found) == "\n".join([f"{line('fraud')} of evaluate", str(known)])
    both = gm.project({"A": gm.confusion(true, said), "B": gm.confusion(true, true)}, prevalence=0.3)
    assert both["A"].value("f1") == known.value("f1")
    assert gm.project(gm.evaluate(true, said, positive="legit"), prevalence=0.7).value("recall") == gm.recall(
        true, said, positive="legit"
    )
