"""How many values a set of properties leaves free: the dimension of the cone of measures that have them."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

import goodmeasure as gm
from goodmeasure.theory.possible import witness_table
from goodmeasure.theory.possible.farkas import NumericalTrouble
from goodmeasure.theory.possible.possible import PossibilityQuestion


def rank_by_hand(names, n):
    """Matrices of 1 … n items, minus the rank of what equalities say of their values; for sets without tight rows."""
    program = PossibilityQuestion(names, 2, "all").program(tuple(range(1, n + 1)))
    unknowns = program.unknowns
    place = {x: k for k, x in enumerate(unknowns)}
    rows = [x.form for x in program.rows if x.relation == "="]
    matrix = np.zeros((len(rows) + 1, len(unknowns)))
    for k, form in enumerate(rows):
        for x, weight in form.items():
            matrix[k, place[x]] = float(weight)
    _, singular, right = np.linalg.svd(matrix)
    kernel = right[(singular > 1e-9).sum() :]
    return np.linalg.matrix_rank(kernel[:, [k for k, x in enumerate(unknowns) if not isinstance(x, str)]], tol=1e-9)


@pytest.mark.parametrize(
    "names",
    [["Max"], ["Max", "Min"], ["CSym", "Sym"], ["CB"], ["Max", "CB", "Sym"], ["MON", "FIX", "CHA", "IMB"], ["PIV"]],
)
def test_it_is_the_rank_of_what_the_equalities_leave(names):
    found = gm.possible(*names, n=3)
    assert found.dimension == {n: rank_by_hand(names, n) for n in (1, 2, 3)}


def test_eight_properties_force_one_measure_up_to_rescaling_for_up_to_three_items():
    """All of Gösgens' properties but the distance: 2 stands for a factor and a number that is added."""
    names = ["Max", "Min", "CSym", "Sym", "Mon", "SMon", "CB", "ACB"]
    assert gm.possible(*names, "Scale", n=4).dimension == {1: 2, 2: 2, 3: 2, 4: 3}
    values = gm.possible(*names, "Scale", n=3).table
    for x, y in product(values, repeat=2):  # so the correlation coefficient is this measure
        assert (values[x] < values[y]) == (gm.mcc.exact(x) < gm.mcc.exact(y)), (x, y)


def test_weak_rows_that_hold_with_equality_count():
    """Property I says M[1 0|0 1] ≥ M[2 0|0 1] and the like; with the sign turned as well nothing is left free."""
    question = PossibilityQuestion(["opitz_monotone"], 2, "all")
    program = question.program((1, 2))
    weak = [x for x in program.rows if x.relation == ">="]
    turned = [type(x)(x.statement, x.about, {k: -w for k, w in x.form.items()}, ">=") for x in weak]
    free = witness_table.dimension(program.rows, program.unknowns)
    assert free == len(program.unknowns)
    assert witness_table.dimension([*weak, *turned], program.unknowns) < free


def test_an_equality_that_cannot_be_shown_is_an_error(monkeypatch):
    monkeypatch.setattr(witness_table, "contradiction", lambda rows: None)
    program = PossibilityQuestion(["opitz_monotone"], 2, "all").program((1, 2))
    weak = [x for x in program.rows if x.relation == ">="]
    turned = [type(x)(x.statement, x.about, {k: -w for k, w in x.form.items()}, ">=") for x in weak]
    with pytest.raises(NumericalTrouble):
        witness_table.dimension([*weak, *turned], program.unknowns)


def test_what_is_impossible_has_none():
    assert gm.possible("Dist", "Mon", "CB", n=3).dimension == {}
