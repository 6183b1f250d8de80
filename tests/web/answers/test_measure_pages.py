"""Measures: every one has a page with a formula, a meaning and the verdicts of the atlas."""

from __future__ import annotations

import pytest

import goodmeasure as gm
from goodmeasure.catalogue.names import all_measures
from goodmeasure.theory.atlas.atlas import opened, stored
from goodmeasure.theory.proofs.ideas import ideas_of, words_of
from goodmeasure.theory.statements.verdict import PROVED, VACUOUS
from goodmeasure.web.answers.measure_pages import KNOWN, file_name, proof_summary


def test_every_measure_has_a_file_of_its_own(client):
    listed = client.get("/api/measures.json").json()["measures"]
    assert sorted(x["name"] for x in listed) == sorted(f.name for f in all_measures())
    assert [x["name"] for x in listed if x["known"]] == list(KNOWN)
    assert len({x["file"] for x in listed}) == len(listed)


@pytest.mark.parametrize("f", all_measures()[::7], ids=lambda f: f.name)
def test_a_page_says_everything(client, f):
    found = client.get(f"/api/{file_name(f)}").json()
    assert found["name"] == f.name
    assert found["formula"]["latex"] == f.formula
    assert found["formula"]["mathml"].startswith("<math")
    assert found["meaning"].count(".") >= 2
    assert len(found["verdicts"]) == len(gm.atlas(f))


def test_a_refuted_property_shows_two_matrices_with_their_values(client):
    found = client.get("/api/measures/f1.json").json()["verdicts"]
    (verdict,) = (x for x in found if (x["property"], x["classes"], x["domain"]) == ("monotone", 2, "all"))
    assert verdict["status"] == "refuted"
    assert verdict["words"] == "No. The counterexample has 2 items."
    before, after = verdict["witness"]["exhibits"][:2]
    assert gm.f1(before["matrix"]) == before["number"]
    assert gm.f1(after["matrix"]) == after["number"]


def test_a_proved_property_has_a_summary_of_its_proof(client):
    found = client.get("/api/measures/mcc.json").json()["verdicts"]
    (verdict,) = (x for x in found if (x["property"], x["classes"], x["domain"]) == ("monotone", 2, "all"))
    assert verdict["words"] == "Yes, for every number of items."
    assert "checked by a small program" in verdict["proof"]["summary"][-1]


def test_rules_for_zero_divisions_are_shown_with_their_matrices(client):
    found = client.get("/api/measures/precision.json").json()["zero_division"]
    never = next(x for x in found if x["when"] == "Everything is called negative")
    assert never["then"] == "undefined"
    assert gm.precision(never["matrix"]) != gm.precision(never["matrix"])
    assert "never predicted" in never["why"]


def test_what_papers_say_comes_with_errata(client):
    found = client.get("/api/measures/sba.json").json()["papers"]
    assert any(x["erratum"] and "strongly monotone" in x["erratum"] for x in found)


def test_an_unknown_page_is_not_found(client):
    assert client.get("/api/measures/nothing.json").status_code == 404
    assert client.get("/api/../pyproject.toml").status_code == 404


def test_every_proof_in_the_atlas_is_explained_by_its_ideas():
    shown = [x for x in stored().cells if x["status"] in (PROVED, VACUOUS)]
    assert len(shown) > 5000
    for cell in shown:
        verdict = opened(cell)
        ideas = ideas_of(verdict.certificate.data)
        assert verdict.method == words_of(verdict.certificate.data)
        summary = proof_summary(verdict, is_certified=False)["summary"]
        assert ideas, cell
        assert all(x.endswith(".") and x in summary for idea in ideas for x in idea.sentences)


def test_a_proof_that_rests_on_one_for_every_number_of_classes_says_both():
    verdict = gm.atlas().verdict("accuracy", "maximal_agreement", classes=3)
    assert verdict.method == "holds for every number of classes: class by class"
    said = proof_summary(verdict, is_certified=True)["summary"]
    assert said[0] == "The property holds for every number of classes, and so for this one."
    assert "sum over the classes" in said[1]
