"""Display names: what the field says, short, and never the same for two measures of one table."""

from __future__ import annotations

import re
from types import SimpleNamespace

import pytest

import goodmeasure as gm
from goodmeasure.catalogue.display_names import display_name, display_names, inside, sentence_name, short_name


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


PEOPLE = (
    "Bangdiwala's", "Bennett's", "Braun", "Bray", "Brier", "Cohen's", "Cramér's", "Gilbert", "Gini", "Goodman",
    "Gwet's", "Hamann's", "Hamming", "Hand", "Heronian", "Jaccard", "Kolmogorov", "Krippendorff's", "Kulczynski's",
    "Lehmer", "Matthews", "McConnaughey's", "Neuman", "Ochiai", "Pearson's", "Rogers", "Russell", "Scott's",
    "Sebastiani's", "Seiffert", "Sokal", "Somers'", "Stolarsky", "Tschuprow's", "Tversky", "Yule's",
)  # fmt: skip
SYMBOLS = ("Dif2", "Dif2Norm", "F", "F1", "H", "P4", "RH", "ROC", "d")
BOOKMAKER = "Bookmaker's"  # who wins by the measure: no name, but a possessive all the same


def test_names_of_people_and_symbols_keep_their_capital_letter_inside_a_sentence():
    """Whoever adds a title that starts with the name of a person adds the name to both lists."""
    kept, small = set(), set()
    for f in gm.measures(takes="any"):
        first = re.split(r"[^\w']", f.title)[0]
        (kept if inside(f.title) == f.title else small).add(first)
    assert kept == {*PEOPLE, *SYMBOLS, BOOKMAKER}
    assert small.isdisjoint(kept)
    assert inside("A measure of mine") == "a measure of mine"


def test_titles_inside_longer_titles_keep_the_names_of_people():
    assert gm.macro(gm.gini).title == "Macro-averaged Gini coefficient"
    assert gm.calibrated(gm.lambda_true).title == "Calibrated Goodman and Kruskal's lambda of the truth"
    assert gm.measure("f1").at_best_threshold().title == "Best F1 score"
    assert sentence_name(gm.hamming_loss) == "Hamming loss"
    assert short_name(gm.rogers_tanimoto) == "Rogers and Tanimoto's coefficient"


def test_a_function_without_a_title_keeps_its_name():
    class Score:
        def __call__(self, c):
            return c.ratio(c.tp, c.n)

    assert gm.macro(Score()).title == "Macro-averaged Score"


def test_parameters_are_shown_as_they_were_chosen():
    shown = {"k_ordinal('squared')": "Ordinal K (error=squared)", "net_benefit()": "Net benefit",
             "weighted_kappa([[0, 1], [2, 0]])": "Weighted kappa ([[0, 1], [2, 0]])",
             "fbeta(1/3)": "F-beta (1/3)", "generalized_mean(inf)": "Generalized means measure (inf)",
             "k_cost([[0, 1, 4], [2, 0, 1], [5, 1, 0]])": "Cost-sensitive K (with parameters)"}  # fmt: skip
    assert {name: display_name(gm.measure(name)) for name in shown} == shown
