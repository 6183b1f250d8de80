"""Common mistakes of a first hour are answered by what was meant, never by a number or by another error."""

from __future__ import annotations

import inspect
import json

import numpy as np
import pandas
import pytest
from click.testing import CliRunner

import goodmeasure as gm
from goodmeasure.cli.main import main

RNG = np.random.default_rng(0)
TRUE = RNG.integers(0, 2, 100)
SHARE = RNG.random(100)
PROBABILITIES = np.c_[1 - SHARE, SHARE]
ONE_HOT = np.eye(2, dtype=int)[TRUE]
LOGITS = RNG.normal(size=(100, 3))
FRAME = pandas.DataFrame({"label": TRUE, "pred": TRUE})
DOORS = {
    "evaluate": gm.evaluate,
    "measure": gm.mcc,
    "confusion": gm.confusion,
    "compare": lambda y, p: gm.compare(y, {"A": p, "B": p}),
}


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize(
    ("given", "said"),
    [
        (PROBABILITIES, r"look like probabilities.*y_score=.*argmax"),
        (PROBABILITIES.tolist(), r"look like probabilities"),
        (pandas.DataFrame(PROBABILITIES), r"look like probabilities.*y_score="),
        (LOGITS, r"look like logits or other scores.*y_score=.*argmax"),
        (ONE_HOT, r"one-hot rows: \.argmax\(axis=1\)"),
        (SHARE, r"looks like scores or probabilities.*y_score="),
    ],
)
def test_scores_as_predicted_labels_are_recognised(door, given, said):
    with pytest.raises((gm.InputError, TypeError), match=said):
        DOORS[door](TRUE, given)


@pytest.mark.parametrize("labels", [TRUE, TRUE.tolist(), ["a", "b"] * 10, FRAME.label])
@pytest.mark.parametrize("door", [gm.evaluate, gm.compare])
def test_forgotten_predictions_are_asked_for(door, labels):
    with pytest.raises(TypeError, match=r"only one list of .* labels was given.*the true and the predicted"):
        door(labels)


@pytest.mark.parametrize("door", [gm.evaluate, gm.compare])
def test_one_column_that_is_named_asks_for_the_other(door):
    with pytest.raises(TypeError, match="y_true was given without y_pred: give the true and the predicted labels"):
        door(y_true=TRUE)
    with pytest.raises(TypeError, match="y_pred was given without y_true"):
        door(y_pred=TRUE)


def test_two_frames_of_one_hot_rows_are_recognised():
    frame = pandas.get_dummies(pandas.Series(["a", "b", "c"] * 5))
    with pytest.raises(TypeError, match="these look like one-hot rows"):
        gm.evaluate(frame, frame)


@pytest.mark.parametrize(
    ("keyword", "said"),
    [
        ({"average": "macro"}, r"gm\.macro\(gm\.roc_auc\)\(y_true, y_score\)"),
        ({"multi_class": "ovr"}, r"gm\.macro\(gm\.roc_auc\).*gm\.hand_till"),
        ({"zero_division": 0}, "undefined=0"),
        ({"max_fpr": 0.1}, "it takes labels="),
    ],
)
def test_a_measure_of_scores_answers_keywords_of_other_libraries(keyword, said):
    with pytest.raises(gm.InputTypeError, match=said):
        gm.roc_auc(TRUE, SHARE, **keyword)


@pytest.mark.parametrize("word", ["?", "-", "none", "n.a."])
def test_a_class_that_may_be_a_missing_label_is_the_first_warning_on_the_short_screen(tmp_path, word):
    path = tmp_path / "p.csv"
    path.write_text("truth,pred\n" + "cat,cat\ndog,dog\ncat,dog\ndog,dog\n" * 4 + f"{word},cat\n")
    warned = [x for x in gm.evaluate(path).to_text(width=200).splitlines() if x.startswith("Warning")]
    assert warned[0].startswith(f"Warning: '{word}' is counted as a class: if missing labels are meant, name the text")


def test_labels_that_are_identifiers_are_the_first_warning_on_the_short_screen():
    warned = [x for x in gm.evaluate(range(100), range(100)).to_text(width=200).splitlines() if "Warning" in x]
    assert "identifiers of items" in warned[0]


def test_a_measure_of_one_list_asks_for_the_other():
    with pytest.raises(gm.InputError, match="give the true and the predicted ones"):
        gm.mcc(TRUE)


@pytest.mark.parametrize(
    ("keyword", "said"),
    [
        ({"pos_label": 1}, "positive=1"),
        ({"average": "macro"}, r"measures=\['macro\(f1\)'"),
        ({"zero_division": 0}, "undefined=0"),
        ({"y_prob": SHARE}, "y_score="),
        ({"random_state": 1}, "seed="),
        ({"confidance": 0.9}, "did you mean confidence="),
        ({"metric": "f1"}, "measures="),
        ({"num_classes": 2}, "labels= names those that may not occur"),
        ({"class_names": ["a", "b"]}, "labels= gives their order"),
        ({"event_level": "second"}, "positive="),
        ({"task": "binary"}, "seen from the labels"),
        ({"multi_class": "ovr"}, r"macro\(roc_auc\)"),
        ({"beta": 2}, r"fbeta\(2\)"),
        ({"ci": 0.9}, "confidence="),
        ({"n_bootstrap": 100}, "replicates="),
        ({"nothing": 0}, "lists its arguments"),
    ],
)
@pytest.mark.parametrize("door", [gm.evaluate, gm.compare])
def test_keywords_of_other_libraries_are_answered(door, keyword, said):
    with pytest.raises(TypeError, match=said):
        door(TRUE, {"A": TRUE, "B": 1 - TRUE}, **keyword)


def test_columns_without_names_are_shown_with_theirs():
    with pytest.raises(TypeError, match=r"evaluate\(data, y_true='label', y_pred='pred'\)"):
        gm.evaluate(FRAME, "label", "pred")
    assert "sample_weight" in inspect.signature(gm.evaluate).parameters


def test_true_and_false_are_1_and_0():
    assert gm.confusion(TRUE.astype(bool), TRUE).labels == (False, True)
    assert gm.confusion(TRUE, TRUE.astype(bool)).labels == (0, 1)
    assert gm.accuracy([True, False], [1.0, 0.0]) == 1
    assert gm.evaluate(TRUE.astype(bool), TRUE, measures=["f1"]).value("f1") == 1
    with pytest.raises(TypeError, match="different kinds"):
        gm.confusion([True, False], [1, 2])


@pytest.mark.parametrize(
    ("result", "said"),
    [
        (lambda: gm.evaluate(TRUE, y_score=RNG.integers(0, 2, 100)), "seem to be predicted labels"),
        (lambda: gm.evaluate([[0.9, 0.1], [0.25, 0.75]]), "rows add up to 1, so these seem to be shares"),
        (lambda: gm.evaluate([[62.5, 37.5], [12.5, 87.5]]), "rows add up to 100"),
        (lambda: gm.evaluate(np.arange(100), TRUE), "identifiers of items"),
    ],
)
def test_what_may_be_meant_but_rarely_is_has_a_warning(result, said):
    assert any(said in x.text for x in result().warnings)


def test_ordinary_data_has_none_of_these_warnings():
    texts = " ".join(
        x.text
        for r in (gm.evaluate(TRUE, y_score=SHARE), gm.evaluate(TRUE, 1 - TRUE), gm.evaluate([[5, 1], [2, 8]]))
        for x in r.warnings
    )
    assert not any(x in texts for x in ("seem to be", "identifiers", "add up"))


TAGS = [["B-PER", "O", "O", "O", "B-LOC"]] * 30, [["O", "B-LOC", "O", "B-PER", "O"]] * 30


@pytest.mark.parametrize(
    "use",
    [
        lambda: gm.multilabel(*TAGS),
        lambda: gm.multilabel([["B-PER", "O"]] * 3, [["O", "B-PER"]] * 3),
        lambda: gm.evaluate(*TAGS),
        lambda: gm.confusion(*TAGS),
        lambda: gm.mcc(*TAGS),
        lambda: gm.compare(TAGS[0], {"A": TAGS[1], "B": TAGS[0]}),
        lambda: gm.evaluate(pandas.DataFrame({"t": TAGS[0], "p": TAGS[1]}), y_true="t", y_pred="p"),
        lambda: gm.compare(pandas.DataFrame({"t": TAGS[0], "p": TAGS[1], "q": TAGS[0]}), y_true="t", y_pred=["p", "q"]),
    ],
)
def test_tag_sequences_are_not_sets_of_labels(use):
    with pytest.raises(
        (gm.InputError, TypeError), match=r"tag sequences \(B-, I-, O\), whose spans are not evaluated yet"
    ):
        use()


def test_tag_sequences_in_files_are_refused(tmp_path):
    path = tmp_path / "ner.jsonl"
    rows = zip(*TAGS, strict=True)
    path.write_text("\n".join(json.dumps({"tags": t, "pred": p}) for t, p in rows), encoding="utf-8")
    with pytest.raises(gm.InputError, match="spans are not evaluated yet"):
        gm.evaluate(path, y_true="tags", y_pred="pred")
    ran = CliRunner().invoke(main, ["evaluate", str(path), "--true", "tags", "--pred", "pred", "--no-report"])
    assert ran.exit_code == 2
    assert "spans are not evaluated yet" in ran.output


def test_any_list_with_a_repeated_label_is_refused_and_sets_are_not():
    with pytest.raises(gm.InputError, match=r"y_pred\[1\] has the label 'sun' twice.*not evaluated yet"):
        gm.multilabel([["sun"], ["sun", "wind"]], [["sun"], ["sun", "sun"]])
    assert gm.multilabel([{"B-PER", "O"}], [{"O"}]).labels == ("B-PER", "O")
    assert gm.multilabel([["sun"], ["wind"]], [["sun"], ["wind"]]).exact_match == 1


NAMES = {
    "qwk": "weighted_kappa(weights='quadratic')", "quadratic weighted kappa": "weighted_kappa(weights='quadratic')",
    "QWK": "weighted_kappa(weights='quadratic')", "linear_kappa": "weighted_kappa(weights='linear')",
    "bacc": "balanced_accuracy", "balanced_acc": "balanced_accuracy", "mIoU": "macro(jaccard)", "iou": "jaccard",
    "mean_iou": "macro(jaccard)", "F2": "fbeta(beta=2)", "f0.5": "fbeta(beta=0.5)", "top5": "top_k_accuracy(k=5)",
    "top-5 accuracy": "top_k_accuracy(k=5)", "hamming": "hamming_loss", "acc": "accuracy", "f1_macro": "macro(f1)",
    "macro f1": "macro(f1)", "f1_micro": "micro(f1)", "f1_weighted": "weighted(f1)", "tpr": "recall",
    "ppv": "precision",
    "sensitivity": "recall", "dice": "f1", "matthews_corrcoef": "mcc", "cohen_kappa_score": "kappa", "auc": "roc_auc",
    "auroc": "roc_auc", "auprc": "average_precision", "ap": "average_precision", "ece": "calibration_error",
    "logloss": "log_loss", "cross_entropy": "log_loss", "brier_score_loss": "brier", "roc_auc_ovr": "macro(roc_auc)",
    "roc_auc_ovo": "hand_till", "error_rate": "zero_one_loss", "youden": "k", "gmean": "g_mean", "csi": "jaccard",
}  # fmt: skip
ABSENT = {
    "mae": "regression", "MSE": "regression", "rmse": "regression", "r2": "regression", "mape": "regression",
    "prauc": "'average_precision'", "pr_auc": "'average_precision'", "AUCPR": "'average_precision'",
    "map": "ranked lists", "mrr": "ranked lists", "MAP@K": "ranked lists", "bleu": "texts", "wer": "texts",
    "entity_f1": "spans are not evaluated yet", "silhouette": "pair_confusion", "exact_match": "exact_match",
    "hinge_loss": "does not have yet", "rps": "does not have yet", "classification_report": "gm.evaluate",
}  # fmt: skip


@pytest.mark.filterwarnings("ignore::goodmeasure.catalogue.names.NameWarning")
def test_names_that_people_type_are_found():
    assert {name: gm.measure(name).name for name in NAMES} == NAMES


def test_a_measure_that_is_not_here_gets_a_sentence_and_no_other_measure():
    for name, said in ABSENT.items():
        with pytest.raises(gm.UnknownName) as error:
            gm.measure(name)
        assert said in str(error.value)
        assert "did you mean" not in str(error.value)
