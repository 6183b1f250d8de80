"""Programs in which matrices that must have one value share an unknown: the same answers, for more items."""

from __future__ import annotations

from fractions import Fraction

import pytest

import goodmeasure as gm
from goodmeasure.theory.kernel import Refused, check
from goodmeasure.theory.kernel.kinds import possible as tables
from goodmeasure.theory.possible import program
from goodmeasure.theory.possible.farkas import contradiction
from goodmeasure.theory.possible.orbits import Orbits
from goodmeasure.theory.possible.possible import PossibilityQuestion, certificate
from goodmeasure.theory.possible.program import LinearProgram
from goodmeasure.theory.statements.certificate import FORMAT

SETS = [
    ("Dist Mon CB", 2, "all", (3,)),
    ("Dist Mon CB CSym", 3, "all", (3,)),
    ("Max Sym CSym Dist Mon CB", 3, "regular", (4,)),
    ("Sym Mon PIV", 2, "all", (5,)),
    ("Min CB CSym", 3, "all", (2,)),
    ("Max Min CSym Sym", 3, "all", (1, 2)),
]


def programs(names, m, domain, sizes):
    question = PossibilityQuestion(names.split(), m, domain)
    return question, [kind(question.linear, sizes, m, question.domain) for kind in (LinearProgram, Orbits)]


@pytest.mark.parametrize("given", SETS, ids=lambda x: x[0])
def test_orbits_have_the_answers_of_the_plain_program(given):
    question, (plain, orbits) = programs(*given)
    assert len(orbits.rows) <= len(plain.rows)
    assert len(orbits.unknowns) < len(plain.unknowns)
    found = contradiction(orbits.rows)
    assert (found is None) == (contradiction(plain.rows) is None)
    if found is not None:
        check(certificate(orbits.in_full(found), question.names, question.m, question.domain))


def test_where_the_plain_program_is_too_large_orbits_answer(monkeypatch):
    wanted, options = ["Max", "Sym", "CSym", "Dist", "Mon", "CB"], {"classes": 3, "domain": "regular", "sizes": [4]}
    plain = gm.possible(wanted, **options)
    monkeypatch.setattr(LinearProgram, "most_rows", 100)
    found = gm.possible(wanted, **options)
    assert gm.verify(found)
    assert set(found.table) == set(plain.table)
    with pytest.raises(program.ProgramTooLarge):  # nothing makes matrices equal
        gm.possible("Mon", "CB", **options)


def test_a_triangle_between_renamed_labelings_is_looked_at_unless_the_table_is_the_same_for_them(monkeypatch):
    """Where renamed classes change no value, the kernel leaves triples out; this table has its fault there."""
    values = {
        "00|02": 0, "00|11": -2, "00|20": -2, "01|01": -2, "01|10": -3,
        "02|00": -2, "10|01": 0, "10|10": -1, "11|00": -1, "20|00": 0,
    }  # fmt: skip
    table = [[[[int(c) for c in row] for row in x.split("|")], str(Fraction(v))] for x, v in values.items()]
    forged = {
        "format": FORMAT, "kind": "possible", "statements": ["distance"], "measure": None,
        "classes": 2, "domain": "all", "sizes": [2], "table": table,
    }  # fmt: skip
    with pytest.raises(Refused, match="does not have distance"):
        check(forged)
    known = tables._invariance
    monkeypatch.setattr(tables, "_invariance", lambda x, of: () if of.name == "class_symmetry" else known(x, of))
    check(forged)
