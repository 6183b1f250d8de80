"""Counterexamples in words: what a measure does that it should not do in a task, with the smallest example."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import combinations

import numpy as np

from goodmeasure.catalogue.display_names import inside, short_name
from goodmeasure.catalogue.measure import Measure
from goodmeasure.catalogue.scores.measure import ScoreMeasure
from goodmeasure.counts.enumeration import matrices
from goodmeasure.theory.statements.lookup import statement
from goodmeasure.theory.statements.statement import (
    CHANCE_BOUND,
    DISTANCE,
    EXPECTATION,
    EXTREME,
    INDEPENDENT,
    INVARIANCE,
    MOVES,
    TRIVIAL,
)
from goodmeasure.theory.statements.verdict import Verdict
from goodmeasure.theory.statements.witness import MatrixRows, Witness
from goodmeasure.typing import Array, ArrayLike

BareCounts = list[list[float]]
_ABOUT_GUESSING = (EXPECTATION, INDEPENDENT, TRIVIAL, CHANCE_BOUND)


def opening(of: Measure | ScoreMeasure) -> str:
    """Return a measure as the subject that opens a sentence.

    >>> import goodmeasure as gm
    >>> [opening(x) for x in (gm.f1, gm.accuracy, gm.mcc)]
    ['F1', 'Accuracy', 'MCC']
    """
    text = short_name(of)
    text = text.removeprefix("the ").removesuffix(" score") if text.endswith(" score") else text
    return f"{text[:1].upper()}{text[1:]}"


def rounded(*numbers: float) -> list[str]:
    """Return numbers with two digits after the point, or as many as it takes to tell different ones apart.

    >>> rounded(0, 2 / 3), rounded(0.501, 0.502)
    (['0', '0.67'], ['0.501', '0.502'])
    """
    different = len({round(x, 9) for x in numbers})
    for digits in range(2, 9):
        texts = [f"{x + 0.0:.{digits}f}".rstrip("0").rstrip(".") for x in numbers]
        if len({*texts}) >= different:
            break
    return ["0" if x == "-0" else x for x in texts]


def changes(of: Measure | ScoreMeasure, before: float, after: float, when: str) -> str:
    """Return how a measure changes, as a sentence: F1 rises from 0 to 0.67 when …"""
    first, second = rounded(before, after)
    if first == second:
        return f"{opening(of)} stays {first} when {when}."
    return f"{opening(of)} {'rises' if after > before else 'falls'} from {first} to {second} when {when}."


def counterexample(of: Measure, name: str, verdict: Verdict) -> str:
    """Return, in words, an example that shows that a measure lacks a property; empty where none is known."""
    m = verdict.classes if isinstance(verdict.classes, int) else 3
    if name == "opitz_class_sensitive":
        return gives_a_class_up(of, m)
    if name == "opitz_prevalence_invariant" and verdict.classes == 2:
        return at_prevalence(of, 0.01)
    of_statement, witness = statement(name), verdict.witness
    vivid = says_yes_to_everything(of, m) if of_statement.kind in _ABOUT_GUESSING else ""
    if witness is None:
        return vivid
    told = _WORDS.get(of_statement.kind)
    smallest = told(of, witness) if told else f"Smallest example: {witness.says}."
    return f"{vivid} Smallest example: {inside(smallest)}" if vivid else smallest


def _rows(rows: MatrixRows) -> str:
    return str([[int(x) if Fraction(x).denominator == 1 else float(x) for x in row] for row in rows])


def _moved(of: Measure, witness: Witness) -> str:
    """Return the words for a matrix before and after a change."""
    first, second = witness.exhibits[:2]
    change = np.array(second.matrix, dtype=float) - np.array(first.matrix, dtype=float)
    diagonal, rest = round(np.trace(change)), round(change.sum() - np.trace(change))
    what = {
        (1, -1): "a wrong prediction is corrected",
        (1, 0): "one more item is predicted right",
        (0, -1): "one wrong prediction is taken away",
        (0, 1): "one more item is predicted wrong",
    }.get((diagonal, rest), "the predictions change")
    where = f"{_rows(first.matrix)} → {_rows(second.matrix)}"
    return f"{changes(of, first.number, second.number, what)} {where}"


def _extreme(of: Measure, witness: Witness) -> str:
    """Return the words for a best or worst value that is no single one, or is reached elsewhere."""
    first, second = witness.exhibits[:2]
    x, y = rounded(first.number, second.number)
    right = int(sum(first.matrix[i][i] for i in range(len(first.matrix))))
    if first.role == second.role:
        alike = "all predictions are " + ("right" if first.role == "diagonal" else "wrong")
        name = inside(opening(of))
        return f"Where {alike}, {name} is {x} for {_rows(first.matrix)}, and {y} for {_rows(second.matrix)}."
    best = first.role == "not diagonal"
    n = int(sum(map(sum, first.matrix)))
    what = f"{n - right} of {n} predictions {'is' if n - right == 1 else 'are'} wrong" if best else (
        f"{right} of {n} predictions {'is' if right == 1 else 'are'} right")  # fmt: skip
    return f"{opening(of)} also gets its {'best' if best else 'worst'} value, {x}, where {what}: {_rows(first.matrix)}."


def _image(of: Measure, witness: Witness) -> str:
    """Return the words for a matrix and another one that should have the same value."""
    first, second = (np.array(x.matrix, dtype=float) for x in witness.exhibits[:2])
    if first.sum() != second.sum():
        same = np.allclose(second / second.sum(), first / first.sum())
        what = "every count is multiplied" if same else "one true class gets more frequent, and is recognised as before"
    elif np.array_equal(first.T, second):
        what = "true and predicted labels change places"
    else:
        what = "the classes are renamed"
    told = changes(of, witness.exhibits[0].number, witness.exhibits[1].number, what)
    return f"{told} {_rows(witness.exhibits[0].matrix)} → {_rows(witness.exhibits[1].matrix)}"


def _guessing(_of: Measure, witness: Witness) -> str:
    """Return the words for what guessing scores with two choices of class sizes."""
    first, second = witness.exhibits[:2]
    x, y = rounded(first.number, second.number)
    sizes = [re.findall(r"\([\d, ]+\)", z.role) for z in (first, second)]
    if first.matrix:
        said = [f"on {_rows(z.matrix)}" for z in (first, second)]
    else:
        said = [f"for true class sizes {' and predicted ones '.join(z)}" for z in sizes]
    return f"Guessing gets {x} on average {said[0]}, and {y} {said[1]}."


def _triangle(_of: Measure, witness: Witness) -> str:
    return f"A detour can be shorter than the direct way: {witness.says}."


_WORDS: dict[str, Callable[[Measure, Witness], str]] = {
    MOVES: _moved, EXTREME: _extreme, INVARIANCE: _image, EXPECTATION: _guessing, INDEPENDENT: _guessing,
    TRIVIAL: _guessing, DISTANCE: _triangle,
}  # fmt: skip


def says_yes_to_everything(of: Measure, classes: int) -> str:
    """Return what a classifier gets that always gives the same answer, where it depends on the answer."""
    for sizes in ((1, 1), (9, 1)) if classes == 2 else ((8, *[1] * (classes - 1)),):
        first, last = (_value(of, _constant(sizes, k)) for k in (0, len(sizes) - 1))
        if first == first and last == last and abs(first - last) > 1e-9:
            break
    else:
        return ""
    if classes > 2:
        x, y = rounded(first, last)
        return (f"{opening(of)} is {x} when a classifier puts everything into a class with {sizes[0]} of "
                f"{sum(sizes)} items, and {y} when it puts everything into a class with one.")  # fmt: skip
    where = "one item of each class" if sizes == (1, 1) else "nine items are negative and one is positive"
    if first < last:
        return changes(of, first, last, f"a classifier says yes to everything instead of no ({where})")
    return changes(of, last, first, f"a classifier says no to everything instead of yes ({where})")


def gives_a_class_up(of: Measure, classes: int) -> str:
    """Return what a classifier gets that never predicts a rare class."""
    sizes = (9, 1) if classes == 2 else (8, *[1] * (classes - 1))
    (value,) = rounded(_value(of, _constant(sizes, 0)))
    largest = f"a class with {sizes[0]} of {sum(sizes)} items"
    return f"{opening(of)} is {value} when a classifier puts everything into {largest}."


def counts_what_was_left_out(of: Measure) -> str:
    """Return how a measure changes with the number of items that were rightly left out; empty where it does not."""
    few, many = (_value(of, [[tn, 1], [1, 2]]) for tn in (1, 96))
    if few != few or many != many or abs(few - many) < 1e-9:
        return ""
    return changes(of, few, many, "95 more items are rightly left out, and all else stays")


def at_prevalence(of: Measure, prevalence: float) -> str:
    """Return what a good test gets where half of the people are sick, and where a given share of them is."""
    half, there = (_value(of, [[0.8 * (1 - p), 0.2 * (1 - p)], [0.1 * p, 0.9 * p]]) for p in (0.5, prevalence))
    when = (f"{100 * prevalence:.3g}% of the items are positive instead of 50%, although 90% of the positive and 80% "
            "of the negative ones are still recognised")  # fmt: skip
    return changes(of, half, there, when)


def prefers_the_dearer(of: Measure, costs: Array) -> str:
    """Return the smallest two classifiers on the same items of which a measure prefers the one that costs more."""
    m, turn = len(costs), -1 if of.orientation == "lower" else 1
    for n in range(2, 9 if m == 2 else 5):
        cells = matrices(n, m)
        values = turn * np.asarray(of(cells, undefined="resolve"), dtype=float)
        paid, sizes = (cells * costs).sum(axis=(1, 2)), cells.sum(axis=2)
        better = (values[:, None] > values[None] + 1e-9) & (paid[:, None] > paid[None] + 1e-9)
        better &= (sizes[:, None] == sizes[None]).all(axis=2)
        if better.any():
            i, j = np.unravel_index(np.argmax(np.where(better, paid[:, None] - paid[None], -1)), better.shape)
            x, y = rounded(turn * float(values[i]), turn * float(values[j]))
            return (f"Of two classifiers on the same {n} items, {inside(opening(of))} prefers the one that costs "
                    f"{paid[i]:g} ({cells[i].tolist()}: {x}) to the one that costs {paid[j]:g} "
                    f"({cells[j].tolist()}: {y}).")  # fmt: skip
    return ""


def moves_with_the_threshold(of: Measure) -> str:
    """Return how a measure of labels changes with the threshold, although the scores are perfect."""
    m = 2 if of.classes == 2 else of.classes or 2
    perfect: BareCounts = [[float(i == j) for j in range(m)] for i in range(m)]
    return changes(of, _value(of, perfect), _value(of, _constant([1] * m, m - 1)),
                   "the threshold is too low, although the scores rank all items perfectly")  # fmt: skip


def prefers_the_worse_ranking(of: ScoreMeasure, best: Callable[[int], ScoreMeasure], what: str) -> str:
    """Return the smallest two rankings of which a measure does not prefer the better one."""
    for n in range(3, 8):
        lead = best(n)
        for positives in range(1, n):
            found = [(lead(y, s), of(y, s), y) for y, s in _rankings(n, positives)]
            for x, y in combinations(found, 2):
                high, low = (x, y) if x[0] > y[0] else (y, x)
                if high[0] > low[0] + 1e-9 and high[1] < low[1] - 1e-9:
                    told = [" ".join("+" if z else "−" for z in r[2]) for r in (low, high)]
                    a, b = rounded(low[1], high[1])
                    return (f"{opening(of)} prefers the ranking {told[0]} ({a}) to {told[1]} ({b}), best score first; "
                            f"{what}.")  # fmt: skip
    return ""


def _rankings(n: int, positives: int) -> Iterator[tuple[Array, Array]]:
    scores = np.linspace(1, 0.1, n)
    for chosen in combinations(range(n), positives):
        labels = np.zeros(n, dtype=int)
        labels[list(chosen)] = 1
        yield labels, scores


def ignores_calibration(of: ScoreMeasure) -> str:
    """Return that a measure does not notice when all probabilities are wrong by a factor; empty where it does."""
    labels, right = np.array([0, 1, 0, 1]), np.array([0.2, 0.4, 0.6, 0.8])
    x, y = float(of(labels, right)), float(of(labels, right / 10))
    return changes(of, x, y, "all probabilities are divided by ten") if abs(x - y) < 1e-9 else ""


def _constant(sizes: ArrayLike, k: int) -> BareCounts:
    """Return the matrix of a classifier that puts everything into class k."""
    return [[float(size) if j == k else 0.0 for j in range(len(sizes))] for size in sizes]


def _value(of: Measure, rows: BareCounts) -> float:
    return float(of(rows, undefined="resolve"))
