"""Display names: what the field says, short, and never the same for two measures of one table."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

import goodmeasure as gm
from goodmeasure.catalogue.display_names import display_name, display_names


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("mcc", "MCC"), ("macro(f1)", "Macro F1"), ("kappa", "Cohen's kappa"), ("calibrated(macro(f1))",
        "Calibrated macro F1"), ("weighted_kappa('quadratic')", "Weighted kappa (quadratic)"), ("fbeta(0.5)",
        "F-beta (0.5)"), ("top_k_accuracy(k=5)", "Top-5 accuracy"), ("macro(recall, p=0)", "Geometric macro recall"),
    ],
)  # fmt: skip
def test_a_measure_is_called_what_people_call_it(name, shown):
    assert display_name(gm.measure(name)) == shown


def test_every_measure_of_the_catalogue_has_a_name_of_its_own():
    every = [*gm.measures(), *gm.measures(takes="scores")]
    shown = display_names(every)
    assert len(set(shown.values())) == len(every)


def test_measures_that_would_look_alike_keep_the_name_to_type():
    own = SimpleNamespace(name="mine", title="MCC")
    assert display_names([gm.mcc, own, gm.f1]) == {"mcc": "mcc", "mine": "mine", "f1": "F1"}
