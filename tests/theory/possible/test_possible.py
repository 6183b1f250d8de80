"""Which properties exclude each other: the results of the papers and beyond, each with its proof or its table."""

from __future__ import annotations

import itertools
import json
import sys

import numpy as np
import pytest

import goodmeasure as gm
from goodmeasure.theory.possible.answer import Impossible, Possible
from goodmeasure.theory.statements.lookup import NINE

THEOREM_1 = ("monotone", "distance", "constant_baseline")


def test_theorem_1_comes_out_at_n_3_with_few_rows_and_for_every_n():
    found = gm.possible(*THEOREM_1)
    assert isinstance(found, Impossible)
    assert not found
    assert found.n == 3
    assert len(found.rows) <= 8
    assert found.for_every_n is not None
    assert found.for_every_n["least"] == 3
    assert found.for_every_n["sizes"] == ["n"]
    assert gm.verify(found)
    assert gm.verify(found.for_every_n)


def test_properties_may_come_as_a_list():
    assert gm.possible(["monotone", "distance"], n=3).properties == gm.possible("monotone", "distance", n=3).properties


def test_the_multipliers_for_every_n_are_those_that_are_known():
    rows = gm.possible(*THEOREM_1).for_every_n["rows"]
    weights = sorted(row["multiplier"] for row in rows)
    assert weights == sorted(["n-2", "n-2", "2", "-2", "n", "n", "-2*n"])


@pytest.mark.parametrize("n", [1, 2])
def test_theorem_1_needs_three_items(n):
    assert isinstance(gm.possible(*THEOREM_1, n=n), Possible)


def test_strong_monotonicity_excludes_from_n_4_on_with_two_sizes_jointly():
    names = ("strongly_monotone", "distance", "constant_baseline")
    found = gm.possible(*names)
    assert (found.n, found.sizes) == (4, (3, 4))
    assert len(found.rows) <= 8
    assert gm.possible(*names, n=3)
    assert found.for_every_n["sizes"] == ["n", "n+1"]


def test_minimal_agreement_excludes_because_of_three_items_only():
    names = ("minimal_agreement", "distance", "constant_baseline")
    found = gm.possible(*names)
    assert (found.n, found.sizes, len(found.rows)) == (3, (3,), 8)
    assert found.for_every_n is None
    for sizes in ([4], [5], [6], [4, 5, 6]):
        table = gm.possible(*names, "symmetry", "class_symmetry", sizes=sizes)
        assert isinstance(table, Possible)
        assert gm.verify(table)


@pytest.mark.parametrize(
    ("names", "classes", "domain", "n"),
    [
        (("Min", "CB"), 3, "all", 2),
        (("Max", "Min", "CB"), 3, "non-unary", 2),
        (("Min", "CB"), 4, "non-unary", 2),
    ],
)
def test_more_classes_exclude_minimal_agreement_where_classes_may_be_absent(names, classes, domain, n):
    found = gm.possible(*names, classes=classes, domain=domain)
    assert isinstance(found, Impossible)
    assert found.n == n
    assert gm.verify(found)
    assert found.for_every_n["least"] <= n + 1
    assert gm.verify(found.for_every_n)


def test_three_classes_without_constant_labelings_leave_minimal_agreement_and_a_baseline():
    assert gm.possible("Min", "CB", n=3, classes=3, domain="non-unary")


def test_with_all_three_classes_present_all_nine_are_possible():
    found = gm.possible(*NINE, n=4, classes=3, domain="regular")
    assert isinstance(found, Possible)
    assert gm.verify(found)


@pytest.mark.parametrize(
    ("names", "n", "rows"),
    [
        (("strongly_monotone", "opitz_prevalence_invariant"), 4, 2),
        (("symmetry", "monotone", "opitz_prevalence_invariant"), 5, 8),
        (("sebastiani_mon", "constant_baseline"), 3, 3),
        (("symmetry", "sebastiani_mon", "sebastiani_imb"), 3, 5),
    ],
)
def test_properties_of_different_papers_exclude_each_other(names, n, rows):
    found = gm.possible(*names)
    assert isinstance(found, Impossible)
    assert found.n == n
    assert len(found.rows) <= rows
    assert set(found.used) == set(names)
    assert gm.verify(found)
    for k in range(len(names)):
        assert gm.possible(*names[:k], *names[k + 1 :], n=n), "each of them is needed"


def test_sebastianis_mon_and_a_baseline_exclude_by_constant_truth_only():
    assert gm.possible("MON", "CB", n=5, domain="non-unary")


def test_all_but_distance_has_a_table_at_n_10():
    found = gm.possible(*(x for x in NINE if x != "distance"), n=10)
    assert isinstance(found, Possible)
    assert len(found.table) == 1000
    assert gm.verify(found)


@pytest.mark.parametrize("where", [{"n": 10}, {"sizes": [10]}])
def test_theorem_1_at_n_10(where):
    found = gm.possible(*THEOREM_1, **where)
    assert isinstance(found, Impossible)
    assert gm.verify(found)


def test_a_table_is_a_measure():
    found = gm.possible("Max", "Mon", "CB", n=4)
    rows = [[1, 0], [1, 2]]
    exact = found.table[(1, 0), (1, 2)]
    assert found(rows) == float(exact)
    assert found.measure.exact(rows) == exact
    assert found([0, 1, 1, 1], [0, 0, 1, 1]) == float(exact)
    assert found(np.array([rows, rows])).tolist() == [float(exact)] * 2
    assert np.isnan(found([[5, 5], [5, 5]])), "undefined on other sizes"
    report = gm.check(found.measure, properties=["Max", "Mon", "CB"], n=4)
    assert set(report.statuses.values()) == {"held"}
    assert gm.evaluate([0, 1, 1, 1], [0, 0, 1, 1], measures=[found.measure]).table


def test_the_tables_agree_with_the_checker_of_measures():
    """A set is possible up to n exactly if its table passes gm.check, which has its own code for the statements."""
    for names in itertools.combinations(("Max", "Min", "Sym", "Mon", "SMon", "CB"), 3):
        found = gm.possible(*names, n=3)
        assert isinstance(found, Possible)
        statuses = gm.check(found.measure, properties=list(names), n=3).statuses
        assert set(statuses.values()) == {"held"}, (names, statuses)


def test_known_measures_never_contradict_the_program():
    """What a measure is proved to have is possible, at every n that is tried."""
    for name in ("mcc", "accuracy", "jaccard", "kappa"):
        has = [x for x, v in gm.check(name, properties=list(NINE)).items() if v.status == "proved"]
        assert gm.possible(*has, n=4), (name, has)


def test_more_properties_than_needed_are_named_as_such():
    found = gm.possible(*NINE)
    assert set(found.used) == set(THEOREM_1)
    assert found.properties == NINE


def test_the_proof_is_printed_with_rows_multipliers_and_sum():
    text = str(gm.possible(*THEOREM_1))
    assert "exclude each other from n = 3 on" in text
    assert "2 ×  c_max + M[0 1|1 1] ≥ M[1 0|1 1] + M[1 1|0 1]   distance: triangle inequality" in text
    assert "(n − 2) ×  M[n−2 1|1 0] > M[n−3 1|2 0]" in text
    assert "for every n ≥ 3" in text


def test_both_are_plain_data():
    for found in (gm.possible(*THEOREM_1), gm.possible("monotone", n=2)):
        data = json.loads(json.dumps(found.to_dict()))
        assert data["status"] == found.status
        assert gm.verify(data)
        assert gm.verify(json.dumps(data["certificate"]))


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: gm.possible("monoton"), "did you mean 'monotone'"),
        (lambda: gm.possible(), "no property"),
        (lambda: gm.possible("monotone", n=3, sizes=[3]), "give one of them"),
        (lambda: gm.possible("monotone", n=0), "n is 0"),
        (lambda: gm.possible("monotone", n=2.5), "n is 2.5"),
        (lambda: gm.possible("monotone", sizes=3), "sizes is 3"),
        (lambda: gm.possible("monotone", sizes=[]), "sizes is empty"),
        (lambda: gm.possible("monotone", classes=7), "classes is 7"),
        (lambda: gm.possible("monotone", domain="some"), "domain is 'some'"),
        (lambda: gm.possible("sebastiani_imb", classes=3), "two classes"),
        (lambda: gm.possible("opitz_class_decomposable"), "not a linear demand"),
        (lambda: gm.possible("FIX"), "sebastiani_mon"),
        (lambda: gm.possible("distance", n=60), "rows"),
    ],
)
def test_bad_questions_say_what_is_wrong(call, says):
    with pytest.raises(ValueError, match=says):
        call()


def test_a_missing_solver_says_how_to_get_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "scipy.optimize", None)
    with pytest.raises(ImportError, match=r"pip install 'goodmeasure\[prove\]'"):
        gm.possible("monotone", n=2)


def test_the_range_of_sebastiani_goes_with_mon():
    found = gm.possible("MON", "FIX", "CHA", "IMB", "SYM", "CON", "SDE", n=4)
    assert isinstance(found, Possible)
    assert gm.verify(found)


def test_an_answer_for_some_sizes_says_so_first():
    """{Min, Dist, CB} is impossible because of three items alone, and possible with four."""
    text = str(gm.possible("Min", "Dist", "CB", sizes=[4]))
    assert text.startswith("possible on the matrices of 4 items: ")
    assert "This says nothing about other sizes." in text
    text = str(gm.possible("Min", "Dist", "CB"))
    assert "other sizes than 3 alone they may be possible" in text


def test_a_question_that_is_too_large_is_refused_in_one_line():
    with pytest.raises(gm.InputError, match=r"monotone on 1 … 1000 items") as error:
        gm.possible("monotone", n=1000)
    assert len(str(error.value)) < 200


def test_properties_may_be_given_in_lists_and_tuples():
    names = ("monotone", "distance", "constant_baseline")
    expected = gm.possible(*names).properties
    assert expected == names
    assert gm.possible(list(names)).properties == names
    assert gm.possible(names[:1], list(names[1:])).properties == names


@pytest.mark.parametrize("kind", [set, frozenset])
def test_the_properties_of_a_set_have_one_order(kind):
    """Python orders the strings of a set anew in each process."""
    names = ["symmetry", "monotone", "distance", "class_symmetry", "scale_invariance", "maximal_agreement"]
    assert gm.possible(kind(names), n=1).properties == tuple(sorted(names))
