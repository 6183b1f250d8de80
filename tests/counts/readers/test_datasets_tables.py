"""Data sets of Hugging Face's datasets are tables, whose classes have names."""

from __future__ import annotations

import pytest

import goodmeasure as gm
from tests.needs import needs_library


@pytest.fixture(autouse=True)
def library():
    needs_library("datasets")


def dataset(columns):
    import datasets

    data = datasets.Dataset.from_dict(columns)
    names = datasets.ClassLabel(names=["neg", "pos"])
    return data.cast_column("label", names) if "label" in columns else data


def made(predictions, **columns):
    return dataset({"label": [0, 1, 1, 0], "prediction": predictions, **columns})


@pytest.mark.parametrize("predictions", [[0, 1, 0, 0], ["neg", "pos", "neg", "neg"]], ids=["positions", "names"])
def test_classes_have_their_names(predictions):
    found = gm.evaluate(made(predictions), y_true="label", y_pred="prediction", measures="accuracy")
    assert found.matrix().labels == ("neg", "pos")
    assert found.matrix().counts.tolist() == [[2, 0], [1, 1]]


def test_an_item_without_a_label_is_missing():
    data = dataset({"label": [0, -1], "prediction": [0, 1]})
    with pytest.raises(gm.InputError, match="'label' has no label in 1 of 2 rows"):
        gm.evaluate(data, y_true="label", y_pred="prediction")


def test_a_selection_is_what_is_measured():
    data = made([0, 1, 0, 0]).select([0, 1]).shuffle(seed=1)
    assert gm.evaluate(data, y_true="label", y_pred="prediction", measures="accuracy").matrix().n == 2


def test_runs_in_data_sets_are_joined_and_paths_lead_into_them():
    a = made([0, 1, 0, 0], info=[{"id": x} for x in "abcd"])
    b = made([0, 1, 1, 1], info=[{"id": x} for x in "abcd"]).select([3, 2, 1, 0])
    found = gm.compare({"A": a, "B": b}, id="info.id", y_true="label", y_pred="prediction", measures="accuracy")
    assert {x["system"]: x["value"] for x in found.scores} == {"A": 0.75, "B": 0.75}


def test_lists_of_labels_are_several_labels():
    data = dataset({"y": [["a"], ["a", "b"]], "p": [["a"], ["b"]]})
    assert gm.evaluate(data, y_true="y", y_pred="p", measures="f1").systems == ("a", "b")


def test_scores_are_read_with_the_names_of_classes():
    data = made([0, 1, 0, 0], score=[0.1, 0.9, 0.4, 0.3])
    found = gm.evaluate(data, y_true="label", y_score="score", measures="roc_auc", positive="pos")
    assert next(iter(found.table))["value"] == 1.0


def test_splits_and_streams_are_refused_with_what_to_do():
    import datasets

    data = made([0, 1, 0, 0])
    with pytest.raises(gm.InputTypeError, match=r"the data are a dict of splits \('test'\): give one of them"):
        gm.evaluate(datasets.DatasetDict(test=data), y_true="label", y_pred="prediction")
    with pytest.raises(gm.InputTypeError, match="the data are a stream"):
        # Nothing of a stream is read, and making a real one imports PyTorch
        gm.evaluate(datasets.IterableDataset.__new__(datasets.IterableDataset), y_true="label", y_pred="prediction")
    beyond = made([0, 1, 5, 0])
    with pytest.raises(gm.InputTypeError, match="column 'prediction' has the class 5, and there are 2 classes"):
        gm.evaluate(beyond, y_true="label", y_pred="prediction")
