"""Statements are data: names, moves, maps and side conditions say what the papers define."""

from __future__ import annotations

import pytest

from goodmeasure.catalogue.references import bibliography
from goodmeasure.paper_names import AXIOMS, PROPERTIES
from goodmeasure.theory.statements import statement as kinds
from goodmeasure.theory.statements.lookup import NINE, STATEMENTS, statement, statements

CONTRACT = {
    *("maximal_agreement", "minimal_agreement", "class_symmetry", "symmetry", "distance", "monotone"),
    *("strongly_monotone", "constant_baseline", "approximate_constant_baseline", "scale_invariance"),
    *("sebastiani_mon", "sebastiani_con", "sebastiani_sde", "sebastiani_wde"),
    *("sebastiani_fix", "sebastiani_cha", "sebastiani_imb", "sebastiani_sym"),
    *("opitz_monotone", "opitz_class_sensitive", "opitz_class_decomposable", "opitz_prevalence_invariant"),
    *("opitz_chance_corrected", "opitz_chance_corrected_strictly", "opitz_chance_corrected_completely"),
}


def test_every_name_of_the_contract_is_there():
    assert {x for x, s in STATEMENTS.items() if not s.hidden} == CONTRACT
    assert [statement(short).name for short in PROPERTIES] == list(NINE)
    assert [statement(short).name for short in AXIOMS] == [f"sebastiani_{x.lower()}" for x in AXIOMS]


@pytest.mark.parametrize("found", statements(2), ids=lambda x: x.name)
def test_a_statement_says_what_it_is(found):
    assert found.sentence.endswith(".")
    assert r"\quad" in found.latex
    assert found.latex.count("{") == found.latex.count("}")
    assert found.cite in bibliography()
    assert found.where
    assert statement(found.name).name == found.name
    assert statement(found.short).name == found.name


def test_names_may_be_written_in_several_ways():
    assert statement("strongly-monotone") is statement("SMon") is statement("Strongly Monotone")
    assert statement("ACB(2)").name == "approximate_constant_baseline(order=2)"
    assert statement("approximate-constant-baseline(order=3)").order == 3
    assert statement(statement("Max")) is statement("maximal_agreement")


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("monoton", "did you mean 'monotone'"),
        ("mon", "may mean 'Mon' (monotone) or 'MON' (sebastiani_mon)"),
        ("xyz", "use one of maximal_agreement"),
        ("ACB(0)", "expected 1 … 12"),
    ],
)
def test_unknown_names_say_what_was_meant(name, said):
    with pytest.raises(ValueError, match=r"property|may mean|expected") as error:
        statement(name)
    assert said in str(error.value)
    with pytest.raises(TypeError, match="named by a string"):
        statement(3)


def test_statements_about_two_classes_are_left_out_for_three():
    assert not any(x.name.startswith("sebastiani") for x in statements("every"))
    assert sum(x.name.startswith("sebastiani") for x in statements(3)) == 8
    assert [x.name for x in statements(3)[:9]] == list(NINE)
    assert [x.order for x in statements(2) if x.order] == [2, 3]


@pytest.mark.parametrize("m", [2, 3, 4])
def test_moves_are_those_of_the_definitions(m):
    """Counted, and applied to a matrix of ones: what each definition changes in n, in the diagonal and off it."""
    ones = tuple((1,) * m for _ in range(m))

    def change(move):
        after = move.apply(ones)
        right = sum(after[i][i] for i in range(m)) - m
        return sum(map(sum, after)) - m * m, right, move.rises

    moves = {name: statement(name).moves(m) for name in ("Mon", "SMon", "MON", "PI")}
    assert {name: len(set(x)) for name, x in moves.items()} == {
        "Mon": 2 * m * (m - 1),
        "SMon": m * m,
        "MON": m * (m - 1),
        "PI": m * m,
    }
    assert {change(x) for x in moves["Mon"]} == {(0, 1, True)}
    assert {change(x) for x in moves["MON"]} == {(0, 1, True)}
    assert {change(x) for x in moves["SMon"]} == {(1, 1, True), (-1, 0, True)}
    assert {change(x) for x in moves["PI"]} == {(1, 1, True), (1, 0, False)}
    for move in moves["MON"]:
        assert [sum(row) for row in move.apply(ones)] == [m] * m, "the true class sizes stay"


def test_a_move_needs_an_item():
    move = statement("Mon").moves(2)[0]
    assert move.apply(((1, 0), (0, 1))) is None
    assert move.apply(((0, 1), (0, 1))) == ((1, 0), (0, 1))


def test_maps_are_transposition_and_permutations():
    (transposed,) = statement("Sym").maps(3)
    assert transposed == tuple(tuple((j, i) for j in range(3)) for i in range(3))
    assert [len(statement("CSym").maps(m)) for m in (2, 3, 4)] == [1, 5, 23]
    for image in statement("CSym").maps(3):
        assert sorted(cell for row in image for cell in row) == [(i, j) for i in range(3) for j in range(3)]
        assert all(image[i][i][0] == image[i][i][1] for i in range(3)), "the diagonal stays the diagonal"


def test_side_conditions_are_those_of_definitions_6_and_7():
    assert statement("Mon").before == statement("SMon").before == (kinds.NON_UNARY_BEFORE,)
    assert set(statement("SMon").pair) == {kinds.NOT_BOTH_DIAGONAL, kinds.NOT_BOTH_ZERO_DIAGONAL}
    assert not statement("MON").before
    assert not statement("CB").unary_predictions
    assert statement("CB").unary_truth
    assert statement("SDE").policy == statement("WDE").policy == "nan"
