"""Gösgens et al. 2021: Tables 3 and 9 exactly, Tables 4, 6, 10, 11 and E.1 from the authors' data."""

from __future__ import annotations

import pytest

from goodmeasure.comparison.disagreement import disagreement
from goodmeasure.papers import goesgens2021, rain, sentiment
from tests.papers.printed import TABLES
from tests.papers.shared import DATA, needs


def differing(outcome):
    return {(x.row, x.column) for x in outcome.differing}


def test_table_3_comes_out_for_every_n():
    found = goesgens2021.table_3()
    assert len(found.cells) == 9
    assert differing(found) == set()


def test_table_9_comes_out_in_all_28_pairs():
    found = goesgens2021.table_9()
    assert len(found.cells) == 28
    assert differing(found) == set()


def test_another_labeling_for_the_one_with_eleven_entries_would_be_noticed(monkeypatch):
    monkeypatch.setattr(goesgens2021, "_ELEVEN", [1, 1, 1, 1, 1, 1, 1, 0, 1, 1])
    assert goesgens2021.table_9().differing


@needs("meteo")
@pytest.mark.parametrize("table", [rain.table_4, rain.table_10, rain.table_11], ids=["Table 4", "Table 10", "Table 11"])
def test_inconsistency_of_rain_forecasts_comes_out_in_every_cell_by_the_rule_of_the_tables(table):
    found = table(DATA)
    assert len(found.cells) == 28
    assert differing(found) == set()


@needs("meteo")
@pytest.mark.parametrize(
    ("key", "horizons", "cells", "most"),
    [
        ("goesgens2021:table4", range(12), 14, 0.27),
        ("goesgens2021-appendix:table10", [0], 0, 0.0),
        ("goesgens2021-appendix:table11", [11], 5, 0.59),
    ],
)
def test_the_definition_of_section_5_1_gives_other_numbers_in_some_cells(key, horizons, cells, most):
    """Erratum 7: how many cells of 28 differ, and by how many points at most."""
    names = TABLES[key]["names"]
    sets = [x for (_, horizon), x in rain.read(DATA).items() if horizon in horizons]
    found = disagreement([goesgens2021.BINARY[x] for x in names], sets).rates
    gaps = []
    for i, first in enumerate(names):
        for j, second in enumerate(names[:i]):
            ours = 100 * found[goesgens2021.BINARY[first]][goesgens2021.BINARY[second]]
            gap = abs(round(ours, 9) - float(TABLES[key]["matrix"][i][j]))
            gaps += [gap] if gap > 0.05 + 1e-9 else []
    assert len(gaps) == cells
    assert max(gaps, default=0.0) <= most + 0.01


@needs("meteo")
def test_the_matrices_of_e_1_are_counts_pooled_over_the_days():
    found = rain.matrices(DATA)
    assert len(found.cells) == 48
    assert differing(found) == set()


@needs("meteo")
def test_no_measure_of_figure_1_peaks_at_0_6_for_two_hours():
    """Erratum 13; for ten minutes most peak at 0.9, CE at the largest and BA at the smallest threshold."""
    ten, two, _ = rain.figure_1(DATA).notes
    assert "thresh_0_6" not in two
    assert ten.count("thresh_0_9") == 6
    assert "BA: f15_thresh" in ten
    assert "CE: f05_thresh" in ten


@needs("sst")
def test_table_6_comes_out_in_nine_columns_and_kappa_differs():
    """Erratum 6."""
    found = sentiment.table_6(DATA)
    assert len(found.cells) == 70
    assert differing(found) == {("Flair+BERT", "kappa"), ("FastText", "kappa")}


@needs("sst")
def test_kappa_of_the_three_systems_in_table_6_is_what_the_erratum_says():
    import goodmeasure as gm

    counts = sentiment.read(DATA)
    values = {name: round(gm.kappa(counts[name]), 4) for name in ("Flair+BERT", "Svm", "Fasttext")}
    assert values == {"Flair+BERT": 0.2435, "Svm": 0.2434, "Fasttext": 0.2413}
