"""The report of a comparison: charts, sentences and tables hold what was compared, in every format."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest
import vl_convert
from hypothesis import given, settings
from hypothesis import strategies as st

import goodmeasure as gm
from goodmeasure.catalogue.display_names import display_of, sentence_name
from goodmeasure.report.charts.differences import NEAR, REFERENCE, TOLD
from goodmeasure.report.content.comparison import comparison_contents
from goodmeasure.report.content.comparison_words import flip_lines, rank_lines, summary_lines
from goodmeasure.report.document import Chart, Grid
from goodmeasure.report.formats import latex_text, markdown
from tests.report.formats.test_formats import Page, in_one_size

TRUE = ["ham"] * 90 + ["spam"] * 30
SYSTEMS = {
    "careful": ["ham"] * 89 + ["spam"] + ["ham"] * 12 + ["spam"] * 18,
    "eager": ["ham"] * 70 + ["spam"] * 20 + ["ham"] * 2 + ["spam"] * 28,
    "lazy": ["ham"] * 120,
}
MEASURES = ["accuracy", "mcc", "recall", "zero_one_loss"]

SHOWN = {name: display_of(name) for name in MEASURES}


def compared(systems=None, **options):
    return gm.compare(TRUE, systems or SYSTEMS, measures=MEASURES, replicates=200, **options)


@pytest.fixture(scope="module")
def found():
    return compared()


@pytest.mark.parametrize("name", ["ranks", "differences", "agreement"])
def test_every_specification_is_valid_and_draws(found, name):
    spec = found.chart(name)
    json.dumps(spec, allow_nan=False)
    assert vl_convert.vegalite_to_svg(dict(spec)).startswith("<svg")
    assert "application/vnd.vegalite.v6+json" in spec._repr_mimebundle_()


def test_ranks_and_winners_are_those_of_the_comparison(found):
    rows = found.chart("ranks")["data"]["values"]
    assert {(x["measure"], x["system"]): x["rank"] for x in rows} == {
        (SHOWN[measure], system): rank for measure, row in found.ranks.items() for system, rank in row.items()
    }
    filled = {(x["measure"], x["system"]) for x in rows if x["filled"]}
    assert filled == {(SHOWN[measure], system) for measure, winners in found.winners.items() for system in winners}


def test_systems_that_share_a_rank_are_drawn_apart():
    tied = compared({"A": SYSTEMS["eager"], "B": SYSTEMS["eager"], "C": SYSTEMS["lazy"]})
    rows = [x for x in tied.chart("ranks")["data"]["values"] if x["measure"] == "MCC"]
    assert [x["rank"] for x in rows] == [1, 1, 3]
    assert len({x["drawn"] for x in rows}) == 3
    assert rows[0]["place"] == "1, shared with 1 other"


def test_the_forest_plot_shows_differences_from_the_best(found):
    rows = found.chart("differences")["data"]["values"]
    assert len(rows) == len(MEASURES) * len(SYSTEMS)
    names = {text: name for name, text in SHOWN.items()}
    for row in rows:
        measure = names[row["measure"]]
        if row["verdict"] == REFERENCE:
            assert found.ranks[measure][row["system"]] == 1
            continue
        given = found.difference(row["system"], row["reference"], measure)
        assert (row["difference"], row["low"], row["high"]) == (given["difference"], given["low"], given["high"])
        assert row["verdict"] == (NEAR if row["system"] in found.winners[measure] else TOLD)


def test_the_forest_plot_is_drawn_from_the_system_that_was_chosen():
    found = compared(pairs="lazy")
    rows = found.chart("differences")["data"]["values"]
    assert {x["reference"] for x in rows} == {"lazy"}
    assert "Differences from lazy" in found.chart("differences")["title"]


def test_agreement_is_kendalls(found):
    rows = {(x["one"], x["two"]): x["share"] for x in found.chart("agreement")["data"]["values"]}
    for row in found.agreement:
        if not math.isnan(row["kendall"]):
            one, other = SHOWN[row["measure"]], SHOWN[row["other"]]
            assert rows[one, other] == rows[other, one] == row["kendall"]


def test_of_two_systems_sentences_say_which_measures_prefer_which():
    """Kendall's τ of two systems is 1 or −1; a measure that gives both the same value has none."""
    same = [*SYSTEMS["careful"][:-1], "ham"]
    two = compared({"careful": SYSTEMS["careful"], "eager": SYSTEMS["eager"]})
    section = next(x for x in comparison_contents(two).sections if x.key == "agreement")
    said = section.blocks[0].lines
    assert "careful has the better value of accuracy, MCC and zero-one loss." in said
    assert "eager has the better value of recall." in said
    assert len(section.blocks) == 1
    assert len(rank_lines(two)) == 1
    tied = compared({"A": same, "B": [*same[:89], "ham", *same[90:]], "C": same})
    assert "Recall" not in {x["one"] for x in tied.chart("agreement")["data"]["values"]}


def test_many_differences_are_a_table_that_is_no_wider_than_it_must_be():
    systems = {f"s{k}": ["spam"] * k + TRUE[k:] for k in range(60)}
    found = compared(systems)
    section = next(x for x in comparison_contents(found).sections if x.key == "differences")
    grid = next(x for x in section.blocks if isinstance(x, Grid))
    assert grid.columns == ("system", *(SHOWN[x] for x in found.measures))
    assert [x.text for x in grid.rows[0][1:]] == ["best", "best", "best", "best"]
    row = found.difference("s7", "s0", "mcc")
    assert next(x for x in grid.rows if x[0].text == "s7")[2].value == row["difference"]


def test_sentences_tell_ranks_winners_and_what_turns_an_order_around(found):
    assert rank_lines(found)[0].startswith("careful has rank 1 under 3 of 4 measures, all but recall")
    assert any("recall" in line and "eager" in line for line in summary_lines(found))
    lines = flip_lines(found)
    assert lines[0].startswith("The measures disagree about which system is better in 1 of 3 pairs.")
    why = "recall prefers eager (0.933 against 0.6): from careful to eager, 10 items of class spam become right"
    assert any(why in line for line in lines)
    assert any(line.endswith("significant.") for line in lines[1:])


def test_systems_in_one_order_are_said_to_be():
    same = compared({"A": TRUE, "B": SYSTEMS["careful"]})
    assert rank_lines(same) == ["All 4 measures put the systems in the same order: A, B."]
    assert flip_lines(same) == ["The measures never disagree about which of two systems is better."]


def test_two_measures_are_both():
    two = gm.compare(TRUE, {"A": TRUE, "B": SYSTEMS["careful"]}, measures=["accuracy", "mcc"], replicates=50)
    assert rank_lines(two) == ["Both measures put the systems in the same order: A, B."]


def test_systems_that_share_the_first_place_are_all_said_to_be_best():
    two = {"A": SYSTEMS["careful"], "B": SYSTEMS["careful"]}
    assert summary_lines(compared(two)) == ["All systems have the same value of accuracy, MCC, recall, zero-one loss."]
    said = "No measure distinguishes the systems: they share rank 1 under all 4 measures."
    assert rank_lines(compared(two)) == [said]
    three = compared({**two, "lazy": SYSTEMS["lazy"]})
    assert summary_lines(three) == [
        "A and B share the best value of accuracy, MCC, recall, zero-one loss and are significantly better than every "
        "other system (at the 5% level)."
    ]
    assert rank_lines(three) == ["All 4 measures put the systems in the same order: A = B, lazy."]
    four = compared({**two, "eager": SYSTEMS["eager"], "lazy": SYSTEMS["lazy"]})
    assert summary_lines(four) == [
        "A and B share the best value of accuracy, MCC, zero-one loss; eager is not significantly worse "
        "(at the 5% level).",
        "eager is significantly better than every other system in recall (at the 5% level).",
    ]
    assert rank_lines(four)[0] == "A and B share rank 1 under 3 of 4 measures, all but recall."
    assert rank_lines(four)[1].startswith("The rank of eager moves most: 1 under recall,")


def test_where_measures_have_different_best_systems_each_is_said_on_its_own():
    """X and Y cannot be told apart, and lazy can: nobody else is near the best."""
    x = ["ham"] * 89 + ["spam"] * 1 + ["ham"] * 9 + ["spam"] * 21
    y = ["ham"] * 86 + ["spam"] * 4 + ["ham"] * 7 + ["spam"] * 23
    lines = summary_lines(compared({"X": x, "Y": y, "lazy": SYSTEMS["lazy"]}))
    assert lines == [
        "X has the best value of accuracy, MCC, zero-one loss; Y is not significantly worse (at the 5% level).",
        "Y has the best value of recall; X is not significantly worse (at the 5% level).",
    ]


def test_ranks_without_winners_or_without_losers_have_no_empty_layer():
    """A layer without marks has no name for those who cannot see it."""
    same = compared({"A": TRUE, "B": TRUE})
    tests = [x["transform"][0]["filter"] for x in same.chart("ranks")["layer"] if "transform" in x]
    assert tests == ["datum.filled"]


def test_every_chart_has_words_and_a_table_beside_it(found):
    for section in comparison_contents(found).sections:
        charts = [x for x in section.blocks if isinstance(x, Chart)]
        if charts:
            assert any(isinstance(x, Grid) for x in section.blocks)
        assert all(x.alt and x.title for x in charts)
    keys = [x.key for section in comparison_contents(found).sections for x in section.blocks if isinstance(x, Chart)]
    assert keys == ["ranks-of-systems", "paired-differences", "agreement-of-measures"]


@pytest.mark.parametrize("format", ["html", "markdown", "latex"])
def test_formats_show_the_same_numbers(found, format):
    text = in_one_size(getattr(found, f"to_{format}")())
    for section in comparison_contents(found).sections:
        for grid in (x for x in section.blocks if isinstance(x, Grid)):
            for cell in (x for row in grid.rows for x in row if x.value is not None):
                shown = cell.words.removesuffix(" *").replace("<", "").strip()
                written = {"html": shown, "markdown": markdown.escaped(shown), "latex": latex_text.escaped(shown)}
                assert written[format] in text


def test_the_ending_chooses_the_format(found, tmp_path):
    for name in ("c.html", "c.md", "c.tex", "c.json", "c.csv"):
        found.save(tmp_path / name)
        assert (tmp_path / name).stat().st_size > 300
    with pytest.raises(ValueError, match=r"ends in '.pdf'"):
        found.save(tmp_path / "c.pdf")


def test_names_of_systems_stay_text():
    hostile = {
        "<script>alert(1)</script>": SYSTEMS["careful"], '"><img src=x onerror=alert(1)>': SYSTEMS["eager"],
        "x" * 10_000: SYSTEMS["lazy"], "שלום\nمرحبا 😀": TRUE,
    }  # fmt: skip
    page = Page(compared(hostile).to_html())
    assert "img" not in page.tags
    assert page.tags.count("script") == page.tags.count("figure") + 2
    assert not any(name.startswith("on") for name in page.attributes)


def test_notebooks_show_tables_without_scripts(found):
    shown = found._repr_html_()
    assert "<script" not in shown
    assert f"{found.score('careful', 'mcc')['value']:.3f}" in shown


def test_charts_that_cannot_be_drawn_say_why(found):
    with pytest.raises(ValueError, match="'pie' is not a chart: use 'ranks', 'differences', 'agreement'"):
        found.chart("pie")
    alone = compared({"A": SYSTEMS["careful"]})
    for name in ("ranks", "differences", "agreement"):
        with pytest.raises(ValueError, match="it needs several systems"):
            alone.chart(name)
    assert "nothing to compare" in alone.to_html()


def test_a_measure_that_is_undefined_everywhere_is_left_out_of_charts():
    found = gm.compare(
        ["a"] * 5, {"A": ["a"] * 5, "B": ["a"] * 5}, measures=["accuracy", "precision"], labels=["a", "b"]
    )
    assert "undefined" in found.to_html()


def test_figures_hold_the_values(found):
    pytest.importorskip("matplotlib")
    assert len([x for x in found.plot.ranks().lines if len(x.get_xdata()) == len(MEASURES)]) >= 3
    axes = found.plot.differences("mcc")
    assert [x.get_text() for x in axes.get_yticklabels()] == ["eager", "lazy"]
    assert "difference from careful" in axes.get_xlabel()


@given(st.integers(0, 2**31), st.integers(2, 5), st.sampled_from([0.6, 0.75, 0.9]))
@settings(max_examples=15)
def test_significantly_better_is_said_only_where_every_corrected_test_says_so(seed, systems, worst):
    rng = np.random.default_rng(seed)
    true = rng.integers(0, 2, 150)
    rights = np.linspace(0.95, worst, systems)
    said = {f"S{k}": np.where(rng.random(150) < right, true, 1 - true) for k, right in enumerate(rights)}
    found = gm.compare(true, said, measures=["accuracy", "mcc", "recall"], method="normal", replicates=50)
    for line in summary_lines(found):
        if "significantly better" not in line:
            continue
        best = line.split(" is ")[0] if " is " in line else None
        for measure in found.measures:
            if best is not None and f" {sentence_name(gm.measure(measure))}" in line:
                rows = [x for x in found.differences if x["measure"] == measure and best in (x["a"], x["b"])]
                assert len(rows) == systems - 1
                assert all(x["p_corrected"] < 0.05 for x in rows)


def test_a_system_without_a_value_is_not_said_to_be_worse():
    true = [0] * 30 + [1] * 30
    systems = {"A": true, "B": [1 - x for x in true], "C": [0] * 60}
    found = gm.compare(true, systems, measures=["precision"], undefined="nan")
    assert summary_lines(found) == [
        "A is significantly better than every other system that has a value in precision (at the 5% level)."
    ]
