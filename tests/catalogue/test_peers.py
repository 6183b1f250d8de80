"""The crosswalk of names: complete for the peers that are installed, and every name leads to a measure."""

from __future__ import annotations

import imblearn.metrics
import pycm
import pytest
import sklearn.metrics

import goodmeasure as gm
from goodmeasure.catalogue.peers import PEERS, crosswalk

ROWS = [(peer, row) for peer in PEERS for row in crosswalk(peer)]


def named(peer, kind="function"):
    return {x.name for x in crosswalk(peer) if x.kind == kind}


def test_every_statistic_of_pycm_is_listed():
    cm = pycm.ConfusionMatrix(matrix=[[5, 1, 2], [3, 4, 2], [1, 6, 3]])
    assert named("pycm", "class") == set(cm.class_stat)
    assert named("pycm", "overall") == set(cm.overall_stat)
    assert all(hasattr(cm, name) for name in named("pycm"))


def test_every_function_of_scikit_learn_is_listed():
    assert named("scikit-learn") >= set(sklearn.metrics.__all__)


def test_every_function_of_imbalanced_learn_is_listed():
    assert named("imbalanced-learn") == set(imblearn.metrics.__all__)


@pytest.mark.parametrize(("peer", "row"), ROWS, ids=lambda x: x if isinstance(x, str) else x.name)
def test_a_row_names_a_measure_or_says_why_there_is_none(peer, row):
    if row.measure is None:
        assert row.note
    else:
        assert gm.measure(row.measure).name == row.measure


def test_no_name_is_listed_twice():
    for peer in PEERS:
        names = [(x.name, x.kind) for x in crosswalk(peer)]
        assert len(names) == len(set(names))


def test_the_aliases_of_other_fields_are_found():
    for alias, name in {
        "youden": "k", "sorensen": "f1", "czekanowski": "f1", "gamma": "yule_q", "lr+": "positive_likelihood_ratio",
        "simple matching coefficient": "accuracy", "tss": "k", "hss": "kappa", "csi": "jaccard", "sens": "recall",
        "spec": "specificity", "kap": "kappa", "j_index": "k", "f_meas": "f1", "bal_accuracy": "balanced_accuracy",
    }.items():  # fmt: skip
        assert gm.measure(alias).name == name


def test_an_unknown_library_is_refused():
    with pytest.raises(gm.InputError, match="use one of pycm"):
        crosswalk("weka")
