"""Measures of scores that are made of a user's own function: they stay what they are when copied, and keep apart."""

from __future__ import annotations

import copy
import pickle

import pytest

import goodmeasure as gm

TRUE, SCORES = [0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]


def recall(c):
    """A function with the name of a measure of the catalogue, and another meaning."""
    return c.ratio(c.tn, c.n)


MADE = [gm.area(recall, over="fallout"), gm.measure(recall).at_best_threshold(), gm.at(recall, "precision >= 0.1")]


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, lambda x: pickle.loads(pickle.dumps(x))])
@pytest.mark.parametrize("made", MADE, ids=lambda x: x.made_by or x.name)
def test_a_copy_measures_what_the_original_does(made, copied):
    found = copied(made)
    assert found(TRUE, SCORES) == made(TRUE, SCORES)
    assert found == made
    assert found.title == made.title


def test_two_measures_of_scores_with_one_name_are_refused():
    both = [gm.area("recall", over="fallout"), gm.area(recall, over="fallout")]
    with pytest.raises(gm.InputError, match="two measures named"):
        gm.evaluate(TRUE * 9, y_score=SCORES * 9, measures=both)
