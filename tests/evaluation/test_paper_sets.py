"""Sets of measures by paper: exactly what a paper defines or compares, for the number of classes of the data."""

from __future__ import annotations

import pytest

import goodmeasure as gm
from goodmeasure.catalogue.literature import AVERAGES, FAILED, MEASURES, TABLE_2, TABLE_5, measures_of
from goodmeasure.evaluation.chosen_measures import chosen
from goodmeasure.paper_names import PAPERS
from goodmeasure.papers.goesgens2021 import BINARY, MULTICLASS
from goodmeasure.papers.rh_dif2norm import MEASURES_2_9, MEASURES_3_1
from tests.cli.command import call


def names(of, classes):
    return [x.name for x in chosen(of, classes)]


@pytest.mark.parametrize("classes", [2, 3, 10])
@pytest.mark.parametrize("paper", PAPERS)
def test_a_set_fits_the_data_and_comes_by_canonical_names(paper, classes):
    found = names(paper, classes)
    assert found == measures_of(paper, classes)
    assert len(set(found)) == len(found)
    counts = [[3 + 5 * (i == j) + i for j in range(classes)] for i in range(classes)]
    for name in found:
        assert gm.measure(name)(counts) is not None


def test_all_coefficients_of_rh_dif2norm_are_in_its_set():
    """The 18 of Table 2.9 for two groups, and those of Table 3.1 for three."""
    assert {gm.measure(x).name for x in MEASURES_2_9.values()} <= set(names("rh-dif2norm", 2))
    assert {*MEASURES_3_1.values(), "kappa", "hamann"} == set(names("rh-dif2norm", 3))


def test_both_tables_of_sebastiani2015_and_k_are_in_its_set():
    """Eight simple measures, six combined ones, and K."""
    two = names("sebastiani2015", 2)
    assert len(two) == 8 + 6 + 1
    assert {x for x in FAILED if not x.startswith("k_")} <= set(two)
    assert names("sebastiani2015", 4)[0] == "k"


def test_the_measures_of_goesgens2021_are_those_of_its_tables():
    two = set(names("goesgens2021", 2))
    assert two == {gm.measure(x).name for x in BINARY.values()} | {"correlation_chord"}
    more = set(names("goesgens2021", 3))
    assert {gm.measure(x).name for x in MULTICLASS.values()} <= more
    assert "macro(generalized_mean(r=1))" in more
    assert {x for x in TABLE_2.values() if x not in (*AVERAGES, "f1", "jaccard", "generalized_mean")} <= more


def test_the_measures_of_opitz2024_are_the_rows_of_its_table_and_their_calibrated_versions():
    rows = {x for names in TABLE_5.values() for x in names}
    found = set(names("opitz2024", 3))
    assert {x for x in found if not x.startswith("calibrated")} == rows
    assert {x.removeprefix("calibrated(").removesuffix(")") for x in found - rows} < {
        *rows,
        "macro(f1",
        "macro(precision",
    }


@pytest.mark.parametrize("classes", [2, 3])
def test_papers_is_the_union_without_an_invented_parameter(classes):
    found = names("papers", classes)
    assert set(found) == {x for paper in PAPERS for x in names(paper, classes)}
    assert not [x for x in found if x.startswith(("k_cost", "matching_tversky", "weighted_kappa", "tversky", "fbeta"))]


def test_every_paper_has_a_set_for_two_and_for_more_classes():
    assert set(MEASURES) == set(PAPERS)
    assert {kind for sets in MEASURES.values() for kind in sets} == {"two", "more"}


def test_a_set_can_be_named_on_the_command_line(tmp_path):
    path = tmp_path / "p.csv"
    path.write_text("y_true,y_pred\n" + "a,a\nb,b\nc,a\nc,c\nb,b\na,a\n" * 4, encoding="utf-8")
    done = call("evaluate", path, "--measures", "rh-dif2norm", "--json")
    assert done.exit_code == 0, done.output
    assert "dif2norm" in done.stdout
    wrong = call("evaluate", path, "--measures", "goesgens2020")
    assert wrong.exit_code == 2
