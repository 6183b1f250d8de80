"""Random trees have one value: on one matrix, in a batch, exactly, and in the kernel's reading."""

import math
import random
from fractions import Fraction

import numpy as np
import pytest

import goodmeasure as gm
from goodmeasure.catalogue.measure import as_measure
from goodmeasure.exceptions import InputError
from goodmeasure.language.compile.exact_numbers import exact_value_on
from goodmeasure.language.exact.reals import UNDEFINED
from goodmeasure.language.policy import policy_of
from goodmeasure.theory.kernel.meaning import Meaning
from goodmeasure.theory.kernel.refusal import Refused
from goodmeasure.theory.kernel.values import Ring
from tests.theory.kernel.random_trees import Drawing

SEEDS = range(0, 400, 40)


def trees(first):
    """Some random trees, each with matrices of a number of classes that it is about."""
    for seed in range(first, first + 40):
        tree, draw = Drawing(seed).tree(), random.Random(seed)
        if "skip" in str(tree):  # a class that is left out where there is no sum is refused or undefined
            continue
        m = tree.classes or draw.choice((2, 3))
        drawn = [[[draw.choice((0, 0, 1, 1, 2, 3)) for _ in range(m)] for _ in range(m)] for _ in range(6)]
        yield tree, [rows for rows in drawn if any(map(any, rows))]


def exactly(tree, rows, policy="resolve"):
    """The exact value; a table for another number of classes has none."""
    try:
        return exact_value_on(tree, rows, policy_of(policy))
    except InputError:
        return None


@pytest.mark.parametrize("first", SEEDS)
def test_one_matrix_and_a_batch_have_the_exact_value(first):
    for tree, matrices in trees(first):
        measure = gm.Measure.from_tree(tree)
        exact = [exactly(tree, rows) for rows in matrices]
        if None in exact or not matrices:
            continue
        wanted = [math.nan if x is UNDEFINED else float(x) for x in exact]
        one = [measure(rows) for rows in matrices]
        np.testing.assert_allclose(one, wanted, rtol=1e-9, atol=1e-9, err_msg=str(tree))
        np.testing.assert_allclose(measure(np.array(matrices)), wanted, rtol=1e-9, atol=1e-9, err_msg=str(tree))


@pytest.mark.parametrize("policy", ["resolve", "nan"])
def test_the_kernel_reads_the_exact_value(policy):
    compared = 0
    for tree, matrices in trees(0):
        for rows in matrices:
            exact, ring = exactly(tree, rows, policy), Ring(["x"])
            cells = [[ring.number(x) for x in row] for row in rows]
            try:
                found = Meaning(ring, cells, policy, "").value(tree)
            except Refused:  # the sign of a root or a logarithm needs a fact
                continue
            if exact is not None:
                assert (found is None) == (exact is UNDEFINED), (tree, rows)
                if found is not None and found.is_number() and exact.is_rational:
                    compared += 1
                    assert Fraction(found.text()) == Fraction(str(exact)), (tree, rows)
    assert compared > 50


def test_a_power_of_a_power_multiplies_exponents():
    measure = as_measure(lambda c: (c.tp**2) ** 3)
    counts = [[1, 0], [1, 2]]
    assert measure(counts) == measure(np.array([counts, counts]))[1] == measure.exact(counts) == 64


def test_a_rule_for_0_acts_whatever_stands_above_it():
    measure = as_measure(lambda c: c.ratio(c.ratio(c.tp, c.fp), c.fp, otherwise=1))
    ring = Ring(["x"])
    cells = [[ring.number(x) for x in row] for row in ([1, 0], [1, 1])]
    assert Meaning(ring, cells, "resolve", "").value(measure.tree).number() == measure.exact([[1, 0], [1, 1]]) == 1


def test_a_matrix_that_varies_with_a_class_is_read_at_one_place_in_batches():
    measure = as_measure(lambda c: c.greatest(lambda k: c.map(lambda i, j: c[k, i])[0, 0]))
    counts = np.random.default_rng(0).integers(0, 9, (4, 12, 12))
    assert measure(counts).tolist() == [measure(x) for x in counts.tolist()] == counts[:, :, 0].max(1).tolist()
