"""The page on the papers' errors: every error is there, and its evidence can be replayed."""

from __future__ import annotations

import re
import sys
from fractions import Fraction
from itertools import permutations
from pathlib import Path

import pytest

import goodmeasure as gm
from goodmeasure.catalogue.literature import ERRATA, SAYINGS
from goodmeasure.papers.paper_tables import tables
from tests.replay import replayed

DOCS = Path(__file__).resolve().parents[2] / "docs"
sys.path.insert(0, str(DOCS))
try:
    import errata_lists
finally:
    sys.path.pop(0)

PAGE = (DOCS / "errata.md").read_text(encoding="utf-8")
NAMES = {"gm": gm, "F": Fraction, "permutations": permutations}
LINES = {**errata_lists.EVIDENCE, **{x[0]: x[3] for x in errata_lists.ERRORS}}
PYTHON = {key: x for key, x in LINES.items() if not x.startswith("goodmeasure ")}
COMMANDS = {key: x for key, x in LINES.items() if x.startswith("goodmeasure ")}


@pytest.mark.parametrize("key", PYTHON, ids=str)
def test_a_line_of_evidence_is_true(key):
    assert bool(replayed(PYTHON[key], **NAMES)) is True


@pytest.mark.parametrize("key", COMMANDS, ids=str)
def test_a_command_of_evidence_names_a_table_and_its_data(key):
    """What the commands show is tested with the authors' data, table by table."""
    name = COMMANDS[key].split()[2]
    assert ("--data DIR" in COMMANDS[key]) is (tables()[name].needs is not None)


def test_every_error_by_measure_has_evidence_and_no_evidence_is_left_over():
    wrong = {(source, where, names[0]) for source, where, names, _, erratum in SAYINGS if erratum}
    assert set(errata_lists.EVIDENCE) == wrong


def test_the_page_shows_every_error_with_its_evidence():
    for where, says, but, evidence in errata_lists.ERRORS:
        assert f"- **{where}**: {says}. But: {but}. Replay: `{evidence}`" in PAGE
    for evidence in errata_lists.EVIDENCE.values():
        assert f"`{evidence}`" in PAGE
    listed = PAGE.partition("## Other errors")[2].partition("## Not errors")[0]
    assert listed.count("\n- ") == listed.count("Replay:") == len(LINES)


def test_every_replay_on_the_page_does_what_it_says():
    """Counterexamples give False, proofs are accepted."""
    tables_of_properties = PAGE.partition("## Other errors")[0]
    found = re.findall(r"Replay: `(.*?)` is `(True|False)`", tables_of_properties)
    assert len(found) == tables_of_properties.count("Replay:") > 20
    for line, value in found:
        assert str(bool(replayed(line, **NAMES))) == value, line


def test_remarks_that_show_numbers_can_be_replayed():
    lines = re.findall(r"Replay: `(.*?)` is `True`", PAGE.partition("## Remarks")[2])
    assert len(lines) == 3
    assert all(replayed(line, **NAMES) for line in lines)


@pytest.mark.parametrize(
    "words",
    [
        "Theorem 2", "Theorem 3", "§1", "b6_ns", "ties as consistent", "not IMB", "Definition 12", "D.4", "11.9%",
        "rank 5", "rounded to three decimals", "singular covariance", "robustness to chance (CHA)", "E.1",
        "n(m − 4) + 4r",
        "4.95", "0.61257", "0.0198", "17/54", "peaks at 0.6", "(r − z) is to be multiplied by D_K", "2D²(r − z)",
        "square of F-beta's beta", "Tversky's index is another one", "significance level",
    ],
)  # fmt: skip
def test_the_list_of_errors_is_complete(words):
    assert words in PAGE


def test_errors_of_the_tables_are_cells_that_differ():
    """BA, SBA, F1, J, CE and weighted averages in Table 2, kappa in Table 5, K with costs in the axioms."""
    for _, name in ERRATA:
        assert name.partition("(")[0] in PAGE or name in PAGE
    for row in ("F1(binary), Mon", "BA, SMon", "SBA, SMon", "CE, Max", "Weighted, Mon", "Kappa, PI", "Kappa, PIII"):
        assert f"**{row}**" in PAGE
    assert PAGE.count("(§6.2), CHA**") == 3
