"""Moves: which cases there are, and what shows one."""

import random
from itertools import product

import pytest

import goodmeasure as gm
from goodmeasure.language import tree as t
from goodmeasure.theory.kernel.claim import Claim, bits
from goodmeasure.theory.kernel.kinds.moves import Moves
from goodmeasure.theory.kernel.refusal import Refused
from goodmeasure.theory.statements.lookup import statement
from tests.theory.kernel.forging import (
    case_refused,
    cell,
    changed,
    check_case,
    claimed,
    number,
    of_tree,
    op,
    proved,
    refused,
)

MOVES = ("monotone", "strongly_monotone", "sebastiani_mon", "opitz_monotone")
DOMAINS = ("all", "non-unary", "regular")


def claim_of(name, domain, m, symmetric=False, measure="accuracy"):
    tree = gm.measure(measure).recorded.tree(m)
    return Claim(tree, statement(name), m=m, domain=domain, policy="resolve", symmetric=symmetric)


def listed(claim):
    """The cases of a claim."""
    return {(x.about["support"], tuple(map(tuple, x.about["move"]))) for x in Moves(claim).cases()}


def in_domain(rows, domain):
    n, m = sum(map(sum, rows)), len(rows)
    sizes = [sum(x) for x in rows], [sum(row[j] for row in rows) for j in range(m)]
    if not n or domain == "all":
        return n > 0
    return all(x > 0 for y in sizes for x in y) if domain == "regular" else all(x < n for y in sizes for x in y)


def instances(name, domain, matrices):
    """What a statement says about pairs of matrices, as cases: the support of the common part, and the move."""
    for rows in matrices:
        n, m = sum(map(sum, rows)), len(rows)
        for move in statement(name).moves(m):
            after = move.apply(rows)
            if after is None or not in_domain(rows, domain) or not in_domain(after, domain):
                continue
            pair = rows, after
            if name in ("monotone", "strongly_monotone") and (
                any(sum(row) == n for row in rows) or any(sum(row[j] for row in rows) == n for j in range(m))
            ):
                continue
            off = [sum(x[i][j] for i, j in product(range(m), repeat=2) if i != j) for x in pair]
            on = [sum(x[i][i] for i in range(m)) for x in pair]
            if name == "strongly_monotone" and (off == [0, 0] or on == [0, 0]):
                continue
            common = [min(x, y) for one, two in zip(*pair, strict=True) for x, y in zip(one, two, strict=True)]
            yield bits(common), tuple(move.changes)


@pytest.mark.parametrize("domain", DOMAINS)
@pytest.mark.parametrize("name", MOVES)
def test_the_cases_are_what_the_statement_says(name, domain):
    """All matrices with up to two items in each cell have every support of a common part, and of both ends."""
    matrices = [((a, b), (c, d)) for a, b, c, d in product(range(3), repeat=4)]
    assert listed(claim_of(name, domain, 2)) == set(instances(name, domain, matrices))


@pytest.mark.parametrize("domain", DOMAINS)
@pytest.mark.parametrize("name", MOVES)
def test_the_cases_of_three_classes_are_there(name, domain):
    draw = random.Random(9)
    matrices = [tuple(tuple(draw.choice((0, 0, 1, 2)) for _ in range(3)) for _ in range(3)) for _ in range(400)]
    wanted, every = set(instances(name, domain, matrices)), listed(claim_of(name, domain, 3))
    assert len(wanted) > 300
    assert wanted <= every
    some = {(x, tuple(sorted(move))) for x, move in listed(claim_of(name, domain, 3, symmetric=True))}
    assert len(some) < len(every) / 4
    for support, move in wanted:
        assert any(named(support, move, p) in some for p in PERMUTATIONS)
    for support, move in some:  # of the cases that are the same up to names, there is one
        same = {named(support, move, p) for p in PERMUTATIONS}
        assert same & some == {(support, move)}


PERMUTATIONS = [p for p in product(range(3), repeat=3) if len(set(p)) == 3]


def named(support, move, p):
    """A case after the classes are renamed."""
    cells = {(p[i], p[j]): support[3 * i + j] for i, j in product(range(3), repeat=2)}
    return "".join(cells[i, j] for i, j in product(range(3), repeat=2)), tuple(
        sorted((p[i], p[j], d) for i, j, d in move)
    )


def test_cases_are_neither_left_out_nor_added():
    data = proved("accuracy", "monotone")
    about = [{k: v for k, v in x.items() if k != "proof"} for x in data["cases"]]
    assert len(about) == len(listed(claim_of("monotone", "regular", 2)))
    refused({**data, "cases": data["cases"][1:]}, "is missing")
    refused({**data, "cases": [*data["cases"], data["cases"][0]]}, "given twice")
    extra = {"support": "0000", "move": [[0, 1, -1], [0, 0, 1]], "proof": {"by": "difference"}}
    refused({**data, "cases": [*data["cases"], extra]}, "does not ask for")
    refused(changed(data, "cases", 0, "support", to="0001"), "is missing")
    refused({**data, "domain": "all"}, "is missing")
    refused({**data, "statement": "strongly_monotone"}, "is missing")


TO_RIGHT = {"support": "1111", "move": [[0, 1, -1], [0, 0, 1]]}
MORE_WRONG = {"support": "1111", "move": [[0, 1, 1]]}
DIFFERENCE = {"by": "difference"}


def turned(measure, name, orientation):
    """A claim about a measure that is said to be better in another direction."""
    return changed(claimed(measure, name), "measure", "orientation", to=orientation)


def test_a_difference_has_the_right_sign():
    good = claimed("accuracy", "monotone")
    check_case(good, TO_RIGHT, DIFFERENCE)
    check_case(claimed("error_rate", "monotone"), TO_RIGHT, DIFFERENCE)
    case_refused(turned("error_rate", "monotone", "higher"), TO_RIGHT, DIFFERENCE, "wrong sign")
    case_refused(turned("accuracy", "monotone", "lower"), TO_RIGHT, DIFFERENCE, "wrong sign")
    case_refused(turned("error_rate", "monotone", "neither"), TO_RIGHT, DIFFERENCE, "wrong sign")


def test_falling_moves_fall():
    """One more wrong prediction lowers the accuracy."""
    check_case(claimed("accuracy", "opitz_monotone"), MORE_WRONG, DIFFERENCE)
    case_refused(turned("error_rate", "opitz_monotone", "higher"), MORE_WRONG, DIFFERENCE, "wrong sign")


def test_strict_statements_ask_for_more():
    flat = claimed(lambda c: c.n, "sebastiani_mon")
    case_refused(flat, {"support": "1111", "move": [[0, 1, -1], [0, 0, 1]]}, DIFFERENCE, "wrong sign")
    constant = claimed(lambda c: c.n / c.n, "opitz_monotone")
    check_case(constant, MORE_WRONG, DIFFERENCE)


def test_both_values_are_there_or_one_is_missing():
    bare = claimed("precision", "opitz_monotone", domain="all", undefined="nan")
    about = {"support": "1000", "move": [[0, 0, 1]]}
    check_case(bare, about, {"by": "undefined"})
    case_refused(bare, about, DIFFERENCE, "undefined")
    case_refused(bare, {"support": "1111", "move": [[0, 0, 1]]}, {"by": "undefined"}, "both values are defined")
    only_after = {"support": "1000", "move": [[1, 1, 1]]}  # the first matrix has no positive prediction
    check_case(bare, only_after, {"by": "undefined"})
    case_refused(bare, only_after, DIFFERENCE, "undefined")


@pytest.mark.parametrize("by", [None, "equal", "defined", "", 3, "zero"])
def test_a_case_says_how_it_is_shown(by):
    case_refused(claimed("accuracy", "monotone"), TO_RIGHT, {"by": by}, "no way")


# Slopes

SLOPE = {"by": "slope"}


def test_slopes_show_moves():
    data = proved("logarithmic_mean", "monotone")
    assert any(x["proof"].get("by") == "slope" for x in data["cases"])
    case_refused(turned("error_rate", "monotone", "higher"), TO_RIGHT, SLOPE, "wrong sign")
    check_case(claimed("accuracy", "opitz_monotone"), MORE_WRONG, SLOPE)
    case_refused(claimed("accuracy", "opitz_monotone"), TO_RIGHT | {"support": "1111", "move": [[0, 0, 1]]},
                 {"by": "slope", "facts": [{"of": "x", "sign": ">", "by": "shift"}]}, "no name")  # fmt: skip
    case_refused(claimed(lambda c: c.n / c.n, "opitz_monotone"), MORE_WRONG, SLOPE, "wrong sign")


def test_a_slope_needs_values_on_the_way_and_at_both_ends():
    """A value at an end, or in between, may be missing, or differ from the limit: then a slope shows nothing."""
    about = {"support": "1001", "move": [[0, 1, -1], [0, 0, 1]]}  # (1, 1 | 0, 1) goes to a diagonal matrix
    check_case(claimed(lambda c: c.tp + c.tn, "monotone"), about, SLOPE)
    for definition, why in (
        (lambda c: c.where(c.fp > 0, c.tp + c.tn, c.ratio(0, 0)), "undefined at an end"),
        (lambda c: c.where(c.fp > 0, c.tp + c.tn, 0), "jumps"),
        (lambda c: c.where(c.fp > 0, c.tp + c.tn, 1000000 + c.n), "jumps"),
        (lambda c: c.where(c.fp > 0, c.ratio(0, 0), c.tp + c.tn), "undefined on the way"),
        (lambda c: c.where(c.fp > 0, 0 * c.n, c.tp + c.tn), "wrong sign"),
    ):
        case_refused(claimed(definition, "monotone", undefined="nan"), about, SLOPE, why)


def test_a_slope_is_taken_where_both_cells_are_positive():
    """From (1, 1 | 1, 0) an item of class 1 becomes right: the way there has four positive cells."""
    about = {"support": "1100", "move": [[1, 0, -1], [1, 1, 1]]}
    check_case(claimed("accuracy", "sebastiani_mon"), about, SLOPE)
    jumps = claimed(lambda c: c.where(c.tp * c.fn > 0, c.tp + c.tn, c.n), "sebastiani_mon", domain="all")
    case_refused(jumps, about, SLOPE, "jumps")


def test_a_slope_does_not_follow_from_a_split():
    proof = {"split": {"variables": ["c0_0", "c1_1"]}, "<": SLOPE, "=": SLOPE, ">": SLOPE}
    case_refused(claimed("accuracy", "monotone"), TO_RIGHT, proof, "not split")
    proof = {"split": {"polynomial": "c1_1 - c0_0"}, "<": SLOPE, "=": SLOPE, ">": SLOPE}
    case_refused(claimed("accuracy", "monotone"), TO_RIGHT, proof, "not split")


def test_the_way_of_a_move_is_known():
    """Rising means rising: along a move that lowers, the direction is turned."""
    falls = claimed("accuracy", "opitz_monotone")
    check_case(falls, {"support": "1111", "move": [[0, 0, 1]]}, SLOPE)
    check_case(falls, {"support": "1111", "move": [[1, 0, 1]]}, SLOPE)
    case_refused(claimed(lambda c: c.fp + c.n, "opitz_monotone"), MORE_WRONG, SLOPE, "wrong sign")


@pytest.mark.parametrize("measure", ["accuracy", "mcc", "kappa", "jaccard", "logarithmic_mean"])
@pytest.mark.parametrize("name", ["monotone", "opitz_monotone", "strongly_monotone"])
def test_proofs_of_true_statements_are_found(measure, name):
    known = {x.measure: x.status for x in gm.atlas(classes=2) if x.statement == name and x.domain == "regular"}
    if known.get(measure) == "proved":
        proved(measure, name)


def test_products_that_do_not_vanish():
    """x·exp(y/x) tends to infinity as x falls to 0, where the measure is y."""
    counts = t.Counts(2)
    x, y = cell(t.Nth(0), t.Nth(1), counts), cell(t.Nth(0), t.Nth(0), counts)
    grown = op("add", op("mul", x, op("exp", t.Ratio(y, x, None))), y)
    tree = t.Where(t.Test("eq", (x, number(0))), y, grown)
    data = of_tree(tree, "sebastiani_mon")
    move = [[0, 1, -1], [0, 0, 1]]
    check_case(data, {"support": "0100", "move": move}, {"by": "slope"})  # x does not vanish
    for support in ("1000", "1011"):
        case_refused(data, {"support": support, "move": move}, {"by": "slope"}, "division by 0")


def test_products_with_logarithms_vanish():
    counts = t.Counts(2)
    x, y = cell(t.Nth(0), t.Nth(1), counts), cell(t.Nth(0), t.Nth(0), counts)
    tree = op("sub", y, t.XLogY(x, x, None))
    data = of_tree(tree, "sebastiani_mon")
    with pytest.raises(Refused, match="sign"):  # it falls where x is small; the values at the end are not the reason
        check_case(data, {"support": "1000", "move": [[0, 1, -1], [0, 0, 1]]}, {"by": "slope"})
