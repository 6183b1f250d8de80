"""The bibliography: complete, without leftovers, and readable as sentences."""

from __future__ import annotations

import re

import pytest

import goodmeasure as gm
from goodmeasure.catalogue.references import bibliography, bibtex, reference

PAPERS = {"goesgens2021", "sebastiani2015", "opitz2024", "rh-dif2norm", "opitz2019"}
MEASURES = gm.measures(takes="any")
OF_OUTCOMES = gm.measures(takes="outcomes")
KEYS = sorted(bibliography())


@pytest.mark.parametrize("measure", MEASURES, ids=repr)
def test_every_measure_of_the_catalogue_cites_an_entry(measure):
    """A misspelt key would be printed as if it were a citation."""
    assert measure.cite in bibliography()
    assert measure.citation == reference(measure.cite)


def test_no_entry_is_unused_except_the_papers_own():
    """An entry that nothing cites is a leftover."""
    assert set(bibliography()) - {measure.cite for measure in (*MEASURES, *OF_OUTCOMES)} <= PAPERS


def test_the_five_papers_have_entries():
    """The remarks of `explain` name them, whether or not a measure cites them."""
    assert set(bibliography()) >= PAPERS


def test_every_entry_of_the_file_is_parsed_and_no_key_is_there_twice():
    """One entry that the parser skips, or that overwrites another, would be lost in silence."""
    from importlib.resources import files

    text = files("goodmeasure.catalogue").joinpath("references.bib").read_text(encoding="utf-8")
    written = re.findall(r"^@\w+\{([^,]+),", text, flags=re.MULTILINE)
    assert written == sorted(set(written)) == KEYS


@pytest.mark.parametrize("key", KEYS)
def test_every_line_of_an_entry_is_a_field_the_parser_reads(key):
    """A line in another form is dropped without a word."""
    lines = bibtex(key).splitlines()[1:-1]
    assert all(re.fullmatch(r"  \w+ = \{.+\},", line) for line in lines)
    assert len(lines) == len(bibliography()[key]) - 1


@pytest.mark.parametrize("key", KEYS)
def test_every_citation_reads_as_a_sentence(key):
    """Brackets are closed, nothing of BibTeX is left, and it ends with one full stop."""
    text = reference(key)
    assert text.count("(") == text.count(")")
    assert not set(text) & set("{}\\~`")
    assert not any(x in text for x in ("--", "''", "?."))
    assert re.search(r"[^.?!,]\.$", text)
    assert bibliography()[key]["year"] in text


@pytest.mark.parametrize("key", KEYS)
def test_every_entry_names_its_authors_except_the_paper_that_names_none(key):
    """The text of rh-dif2norm has no authors and no title, and none are invented."""
    assert ("author" in bibliography()[key]) == (key != "rh-dif2norm")


def test_one_citation_spelt_out():
    """Authors, year, title, journal, volume and number, pages."""
    assert gm.kappa.citation == (
        "Cohen, Jacob (1960). A coefficient of agreement for nominal scales. "
        "Educational and Psychological Measurement, 20 (1), 37–46."
    )
