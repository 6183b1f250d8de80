"""Functions that users write: what they may do, and what is said when they do something else."""

from __future__ import annotations

import itertools
import math
import time

import numpy as np
import pytest

import goodmeasure as gm
from tests.replay import replayed

FEW = ["Mon", "Sym", "Max", "CB"]


def test_a_function_of_c_is_proved_and_refuted_like_a_measure():
    def mine(c):
        return c.ratio(c.tp + c.tn, c.n)

    report = gm.check(mine, properties=FEW)
    assert list(report.statuses.values()) == ["proved", "proved", "proved", "refuted"]
    assert replayed(report["CB"].witness.replay, mine=mine) is False


def by_loops(rows):
    return sum(rows[i][i] for i in range(len(rows))) / sum(map(sum, rows))


def by_numpy(matrix):
    return float(np.trace(matrix) / matrix.sum())


def by_matrix(cm):
    return float(cm.counts[1, 1]) / float(cm.n)


def with_if(c):
    return c.ratio(c.tp, c.tp + c.fn) if c.tp > 1 else 0


def in_floats(c):
    return math.sqrt(c.tp * c.tn) / c.n


@pytest.mark.parametrize("function", [by_loops, by_numpy, by_matrix, in_floats])
def test_a_black_box_is_refuted_or_held_and_never_proved(function):
    report = gm.check(function, properties=FEW, n=8)
    assert "proved" not in report.statuses.values()
    assert "in floats" in report["CB"].method
    assert report["CB"].status == "refuted"


def test_a_function_that_decides_with_if_is_refuted_exactly():
    report = gm.check(with_if, properties=["Mon", "Sym"], n=8)
    assert report["Mon"].n == 2
    assert report["Sym"].status == "refuted"
    assert replayed(report["Sym"].witness.replay, with_if=with_if) is False


def test_rounding_noise_is_no_counterexample():
    def noisy(matrix):
        (tn, fp), (fn, tp) = matrix
        return float((tn / 3 + fp / 7) * 0.1 + (tp / 3 + fn / 7) * 0.1) / float(np.sum(matrix))

    assert gm.check(noisy, properties=["CSym"], n=8)["CSym"].status == "held"


def test_a_division_by_zero_means_undefined():
    def plain(matrix):
        (_, fp), (_, tp) = [[int(x) for x in row] for row in matrix]
        return tp / (tp + fp)

    verdict = gm.check(plain, properties=["Max"], n=5)["Max"]
    assert verdict.status == "refuted"
    assert all(x[0][1] + x[1][1] > 0 for x in verdict.witness.matrices), "undefined matrices are outside the domain"


def test_a_function_that_raises_is_named_with_the_matrix():
    def broken(c):
        raise KeyError("x")

    with pytest.raises(ValueError, match=r"broken raised KeyError: 'x' \(on \[\["):
        gm.check(broken)

    def breaks_in_a_corner(c):
        if c.fp == 0:
            raise RuntimeError("no false positives")
        return c.ratio(c.tp, c.n)

    with pytest.raises(ValueError, match=r"breaks_in_a_corner raised RuntimeError: no false positives \(on \[\[0, 0\]"):
        gm.check(breaks_in_a_corner, properties=["Mon"])


@pytest.mark.parametrize("value", ["good", None, [1, 2], 1j])
def test_a_function_that_returns_no_number_says_so(value):
    with pytest.raises((TypeError, ValueError), match=r"returned|number"):
        gm.check(lambda c: value)


def test_a_function_that_never_returns_is_stopped():
    def endless(c):
        while True:
            pass

    start = time.monotonic()
    with pytest.raises(ValueError, match=r"endless\(\[\[.* did not return within 0.3 s"):
        gm.check(endless, call_seconds=0.3)
    assert time.monotonic() - start < 20


def test_a_function_that_is_not_deterministic_is_refused():
    ticks = itertools.count()
    with pytest.raises(ValueError, match="not deterministic"):
        gm.check(lambda c: next(ticks) / 1000)
    times = itertools.count()

    def sometimes(c):
        return c.ratio(c.tp, c.n) + (next(times) % 7 if c.tp == 0 else 0)

    with pytest.raises(ValueError, match="sometimes is not deterministic"):
        gm.check(sometimes, properties=["Mon", "Sym", "Max"])


def test_a_function_that_ends_the_program_does_not():
    def leaves(c):
        raise SystemExit(3)

    with pytest.raises(ValueError, match=r"sys.exit\(3\)"):
        gm.check(leaves)


def test_a_function_may_break_on_letters_and_is_then_held():
    """What only numbers can be asked is an error to the prover, never to the user."""

    def odd(c):
        assert c.n < 10**6
        digits = str(c.tp).replace("/", "")
        if not digits.lstrip("-").isdigit():
            raise RuntimeError("not a number")
        return c.ratio(c.tp + c.tn, c.n)

    assert gm.check(odd, properties=["Mon"], n=7)["Mon"].status == "held"


def test_a_family_needs_its_parameters():
    with pytest.raises(ValueError, match="needs its parameters"):
        gm.check(gm.fbeta)
    with pytest.raises(TypeError, match="not a measure"):
        gm.check(3)
