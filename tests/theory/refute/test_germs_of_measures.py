"""Series along a ray begin with the values of the measure, whatever is undefined there."""

import pytest

import goodmeasure as gm
from goodmeasure.language.policy import NAN, RESOLVE, Policy, Undecided
from goodmeasure.language.record import record, recorded
from goodmeasure.theory.refute.germs import along

TWO = [((5, 2), (1, 7)), ((3, 0), (0, 4)), ((4, 0), (5, 0)), ((0, 0), (2, 3))]
THREE = [((5, 2, 1), (0, 3, 4), (6, 1, 2)), ((5, 0, 1), (0, 0, 0), (0, 0, 4))]
POLICIES = [RESOLVE, NAN, Policy("number", 0.25)]


@pytest.mark.parametrize("policy", POLICIES, ids=lambda x: x.name)
@pytest.mark.parametrize("measure", gm.measures(), ids=lambda x: x.name)
def test_a_tree_is_read_as_it_is_computed(measure, policy):
    for rows in TWO + (THREE if measure.classes is None else []):
        try:
            tree = measure.recorded.tree(len(rows))
            germ = along(tree, rows, [[0] * len(rows)] * len(rows), policy)
        except (Undecided, gm.InputError):  # a series that is not known, or a table for other classes
            continue
        known = measure(rows, undefined=policy)
        assert (germ is None and known != known) or float(germ.coefficient(0)) == pytest.approx(known, abs=1e-9)


def test_a_sum_that_leaves_a_class_out_waits_for_the_class():
    """The inner mean has no value, and its rule leaves out each class of the outer one."""

    def skipping(c):
        none = c.n - c.n
        return c.mean(lambda i: c.ratio(c.sum(lambda j: c[j, j]), none, otherwise=c.skip), undefined=1)

    tree = record(skipping, None)
    assert along(tree, TWO[0], ((0, 0), (0, 0)), RESOLVE) is None
    assert gm.measure(skipping)(TWO[0]) != gm.measure(skipping)(TWO[0])


def test_terms_that_are_written_out_are_read_one_by_one():
    def read(tree, rows):
        return along(tree, rows, [[0] * 3] * 3, RESOLVE)

    tree = recorded(lambda c: c.sum(lambda i: 2 * c[i, i] if i == 0 else c[i, i], over=lambda i: c.a[i] > 0), 3)
    assert read(tree, THREE[0]) == 15
    assert read(tree, THREE[1]) == 14
    pairs = recorded(lambda c: c.sum_off(lambda i, j: c[i, j] if i == 0 else 0 * c[i, j]), 3)
    assert read(pairs, THREE[0]) == 3


def test_a_class_that_is_left_out_of_no_sum_is_no_value():
    tree = record(lambda c: c.ratio(c.n, c.n - c.n, otherwise=c.skip), None)
    assert along(tree, ((1, 2), (3, 4)), ((0, 0), (0, 0)), RESOLVE) is None


@pytest.mark.parametrize("rows", [((0, 0), (0, 1)), ((2, 0, 1), (0, 0, 0), (1, 0, 4))])
def test_a_number_for_undefined_values_stands_for_a_whole_mapped_matrix(rows):
    measure = gm.measure("macro(calibrated(precision))")
    assert float(measure.exact(rows, undefined=0.25)) == pytest.approx(measure(rows, undefined=0.25))
