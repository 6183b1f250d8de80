"""The signs that proofs rest on, as questions for a solver."""

from __future__ import annotations

import shutil
import subprocess

import pytest

import goodmeasure as gm
from goodmeasure.theory.proofs.smt import export, questions
from tests.needs import Missing
from tests.theory.proving import prove


@pytest.fixture
def z3():
    """What z3 answers to some questions."""
    path = shutil.which("z3")
    if path is None:
        raise Missing("z3", "pip install z3-solver has it")

    def answers(text):
        return subprocess.run(
            [path, "-in", "-T:60"], input=text, capture_output=True, text=True, check=True
        ).stdout.split()

    return answers


def test_a_question_is_whole_and_asks_for_the_opposite():
    first = next(questions(prove(gm.mcc, "monotone").data))
    assert first.splitlines()[0] == "(set-logic QF_NRA)"
    assert first.splitlines()[-3:-1][0].startswith("(assert (not (")
    assert first.count("(") == first.count(")")
    assert "(* root0 root0)" in first


def test_proofs_without_cases_or_facts_ask_nothing():
    assert list(questions(prove(gm.accuracy, "monotone").data)) == []


def test_the_export_writes_and_counts_questions(tmp_path):
    verdict = gm.check(gm.mcc, properties=["monotone"])["monotone"]
    assert export([verdict], tmp_path) == len(list(questions(verdict.certificate.data)))
    (path,) = tmp_path.glob("*.smt2")
    assert path.name == "mcc_monotone_2_all.smt2"


def test_z3_agrees_with_every_sign(z3):
    asked = list(questions(prove(gm.mcc, "monotone").data))
    assert len(asked) > 20
    assert z3("".join(asked)) == ["unsat"] * len(asked)


def test_z3_answers_a_wrong_sign_with_a_place(z3):
    first = next(questions(prove(gm.mcc, "monotone").data))
    assert z3(first.replace("(not (<", "(not (>").replace("(not (<=", "(not (>=")) == ["sat"]
