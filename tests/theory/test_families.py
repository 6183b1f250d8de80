"""`gm.check` of a family: what every measure of it has."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from click.testing import CliRunner

import goodmeasure as gm
from goodmeasure.cli.main import main
from goodmeasure.theory.statements.verdict import Verdict
from tests.theory.proving import changed

PROVED = ["Max", "Min", "CSym", "Sym", "Mon", "SMon", "CB", "ACB"]


@pytest.fixture(scope="module")
def report():
    return gm.check(gm.generalized_mean, domain="regular")


def test_statement_1_holds_for_every_exponent(report):
    """Gösgens et al., Statement 1: GM_r has all their properties but that of a distance, for any real r."""
    assert {report[x].status for x in PROVED} == {"proved"}
    assert report["Max"].constants == {"c_max": "1"}
    assert report["CB"].measure == "generalized_mean(r)"
    assert "for every real r" in str(report)
    assert all(gm.verify(report[x]) for x in PROVED)


def test_what_one_measure_of_the_family_lacks_is_refuted_with_its_counterexample(report):
    found = report["Dist"]
    assert (found.status, found.measure, found.n) == ("refuted", "generalized_mean(r=1)", 3)
    assert "not every r" in found.remark
    assert gm.verify(found)


def test_an_example_of_one_measure_is_none_for_all(report):
    found = report["opitz_class_sensitive"]
    assert found.status == "held"
    assert "not for every r" in found.remark
    assert report["sebastiani_imb"].status == "vacuous"
    assert gm.verify(report["sebastiani_imb"])


def test_a_verdict_about_a_family_can_be_read_back(report):
    again = Verdict.from_json(json.loads(json.dumps(report["SMon"].to_dict())))
    assert gm.verify(again)
    with pytest.raises(gm.CertificateError):
        gm.verify(replace(again, measure="generalized_mean(r=2)"))
    with pytest.raises(gm.CertificateError):
        gm.verify(changed(report["SMon"].certificate, parts={}))


def test_on_the_command_line():
    command = ["check", "generalized_mean", "-p", "CB", "-p", "Dist", "--require", "CB"]
    found = CliRunner().invoke(main, command, env={"COLUMNS": "200"})
    assert found.exit_code == 0, found.output
    assert "generalized_mean(r)" in found.output
    assert "for every real r" in found.output


def test_a_family_without_an_exponent_needs_its_parameters():
    for name in (gm.fbeta, "fbeta"):
        with pytest.raises(gm.InputError, match="needs its parameters"):
            gm.check(name)
    with pytest.raises(gm.InputError, match="two classes"):
        gm.check(gm.generalized_mean, 3)
