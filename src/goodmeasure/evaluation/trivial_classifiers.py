"""What trivial classifiers (perfect, constant, random) would score on the same true labels."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import cast

import numpy as np

from goodmeasure.catalogue import running
from goodmeasure.catalogue.chance import (
    are_affine_along,
    chance_levels_of_many,
    draws_of,
    log_choose,
    means_of_draws,
    random_lines,
)
from goodmeasure.catalogue.measure import Measure, MeasureLike, as_measure
from goodmeasure.counts.arguments import listed
from goodmeasure.counts.counting import confusion, labels_or_counts
from goodmeasure.counts.matrix import ConfusionMatrix
from goodmeasure.counts.sparse_counts import SparseCounts
from goodmeasure.exceptions import InputError, UnknownKey
from goodmeasure.language.policy import RESOLVE, Policy, Undefined, policy_of
from goodmeasure.typing import Array, ArrayLike, MatrixLike

SCORECARD = (
    "accuracy",
    "balanced_accuracy",
    "sba",
    "kappa",
    "mcc",
    "macro(f1)",
    "macro(precision)",
    "macro(recall)",
    "k",
)
_BINARY = ("f1", "precision", "recall", "specificity")
_TABLES = 100_000  # tables of two classes: up to this many, the expected value is added up exactly
_HELD = 4_000_000  # cells of drawn tables that are held in memory together
_SEED = 0


def scorecard(m: int) -> list[Measure]:
    """Return the measures that are shown by default, for m classes."""
    return [as_measure(name) for name in (*SCORECARD, *(_BINARY if m == 2 else ()))]


class Baselines(Mapping[str, dict[str, float]]):
    """Values by classifier and measure: ``gm.baselines(cm)["acceptor"]["f1"]``."""

    def __init__(self, rows: dict[str, dict[str, float]], about: dict[str, str]) -> None:
        self._rows = rows
        self.about = about

    def __getitem__(self, classifier: str) -> dict[str, float]:
        if classifier not in self._rows:
            raise UnknownKey(
                "{name!r} is not one of the classifiers", name=classifier, known=", ".join(self._rows),
                advice="they are {known}",
            )  # fmt: skip
        return self._rows[classifier]

    def value(self, measure: MeasureLike, system: str = "random") -> float:
        """Return what one of the classifiers, named as a system, would score under a measure."""
        return self[system][as_measure(measure).name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._rows)

    def __len__(self) -> int:
        return len(self._rows)

    def __repr__(self) -> str:
        names = list(next(iter(self._rows.values())))
        first = max(map(len, self._rows))
        widths = [max(len(name), 7) for name in names]
        lines = ["  ".join([" " * first, *(name.rjust(w) for name, w in zip(names, widths, strict=True))])]
        for row, values in self._rows.items():
            drawn = row in ("random", "chance")  # rounded to the digits that draws support, which zeros would hide
            cells = ("-" if v != v else _short(v) if drawn else f"{v:.4f}" for v in values.values())
            lines.append("  ".join([row.ljust(first), *(x.rjust(w) for x, w in zip(cells, widths, strict=True))]))
        return "\n".join(lines)


def _short(value: float) -> str:
    return f"{value:.4f}".rstrip("0").rstrip(".")


def baselines(
    cm: MatrixLike, y_pred: ArrayLike = None, *, measures: Iterable[MeasureLike] | None = None,
    undefined: Undefined = "resolve",
) -> Baselines:  # fmt: skip
    """Return what the perfect, worst, random and constant classifiers would score on the same true labels.

    With two classes, the constant classifiers are also called acceptor (always positive) and rejector (always
    negative). "worst" predicts the next class for every item, so every prediction is wrong. "random" is the expected
    value of guessing each class with the same probability; "chance" is that of random predictions with the predicted
    class sizes of `cm`.

    The first argument is a confusion matrix, or the first two are the true and the predicted labels.

    >>> baselines([[90, 0], [8, 2]], measures=["accuracy", "f1"])["rejector"]
    {'accuracy': 0.9, 'f1': 0.0}
    """
    given, older = labels_or_counts(cm, y_pred, "baselines", "measures")
    measures = measures if older is None else cast("Iterable[MeasureLike]", older)
    labels = y_pred is not None and older is None
    matrix = confusion(cm, y_pred) if labels else running.as_matrix(given, "cm")
    if matrix.batch:
        raise InputError(
            "baselines takes one matrix, but got a batch of shape {batch}",
            batch=matrix.batch,
            advice="pick one of them",
        )
    if matrix.is_sparse:
        raise InputError(
            "baselines writes whole matrices, and {m:,} classes are too many for that", m=matrix.m, got=matrix,
            advice="merge classes",
        )  # fmt: skip
    chosen = (
        [as_measure(x, "measures") for x in listed(measures, "measures", "names such as ['mcc']")]
        if measures is not None
        else scorecard(matrix.m)
    )
    for f in chosen:
        f._must_know_positive(matrix)
    return baselines_of_many([matrix], chosen, policy_of(undefined))[0]


def baselines_of_many(
    matrices: Sequence[ConfusionMatrix], measures: Sequence[Measure], policy: Policy = RESOLVE
) -> list[Baselines]:
    """Return the baselines of several matrices with equally many classes, with one call of each measure for all."""
    step = max(1, _HELD // (draws_of(matrices[0].m) * matrices[0].m ** 2))
    return [
        found
        for start in range(0, len(matrices), step)
        for found in _baselines(matrices[start : start + step], measures, policy)
    ]


def _baselines(matrices: Sequence[ConfusionMatrix], measures: Sequence[Measure], policy: Policy) -> Iterator[Baselines]:
    tables = [_classifiers(matrix) for matrix in matrices]
    every = ConfusionMatrix(np.stack([np.stack(list(by_name.values())) for by_name, _ in tables]))
    values = {f.name: np.asarray(f(every, undefined=policy), dtype=float).tolist() for f in measures}
    guesses = _Guesses([_Guess(matrix) for matrix in matrices], policy)
    guessed = {f.name: guesses.expected_values(f) for f in measures}
    levels = chance_levels_of_many(measures, np.stack([x.counts for x in matrices]), policy)
    for k, (by_name, about) in enumerate(tables):
        rows = {name: {f: values[f][k][i] for f in values} for i, name in enumerate(by_name)}
        rows["random"] = {f: guessed[f][k] for f in values}
        rows["chance"] = {f.name: level.value for f, level in zip(measures, levels[k], strict=True)}
        yield Baselines(rows, {**about, **_ABOUT})


_ABOUT = {
    "random": "guesses each class with the same probability (expected value, by seeded draws if there are many)",
    "chance": "random predictions with the predicted class sizes of this matrix (expected value)",
}


def _classifiers(matrix: ConfusionMatrix) -> tuple[dict[str, Array], dict[str, str]]:
    sizes, m = matrix.a, matrix.m
    perfect = np.zeros((m, m), dtype=sizes.dtype)
    perfect[np.arange(m), np.arange(m)] = sizes
    tables, about = {"perfect": perfect}, {"perfect": "predicts every item correctly"}
    if m > 1:
        tables["worst"], about["worst"] = np.roll(perfect, 1, axis=1), "predicts the next class, so every item wrongly"
    if m == 2:
        tables["acceptor"], about["acceptor"] = _constant(sizes, 1), f"always says {matrix.labels[1]!r}"
        tables["rejector"], about["rejector"] = _constant(sizes, 0), f"always says {matrix.labels[0]!r}"
    for i, label in enumerate(matrix.labels):
        name = f"always {label!r}"
        tables[name], about[name] = _constant(sizes, i), f"always says {label!r}"
    return tables, about


def always(matrix: ConfusionMatrix, i: int) -> ConfusionMatrix:
    """Return the matrix of the classifier that always predicts the i-th class."""
    if not matrix.is_sparse:
        return ConfusionMatrix(_constant(matrix.a, i), matrix.labels)
    m = matrix.m
    sparse = SparseCounts.from_cells(matrix.labels, np.arange(m), np.full(m, i), matrix.a)
    return ConfusionMatrix._counted(None, matrix.labels, matrix._order, sparse)


def _constant(sizes: Array, i: int) -> Array:
    table = np.zeros((len(sizes), len(sizes)), dtype=sizes.dtype)
    table[:, i] = sizes
    return table


class _Guess:
    """Predictions in which every class is guessed with the same probability, for the class sizes of one matrix."""

    def __init__(self, matrix: ConfusionMatrix) -> None:
        self.sizes, self.m = matrix.a, matrix.m
        self.is_whole = all(float(x).is_integer() for x in self.sizes)
        self.mean = np.outer(self.sizes.astype(float), np.full(self.m, 1 / self.m))

    def has_few_tables(self) -> bool:
        """Return whether all tables can be added up."""
        return self.m == 2 and (int(self.sizes[0]) + 1) * (int(self.sizes[1]) + 1) <= _TABLES

    @cached_property
    def tables(self) -> tuple[ConfusionMatrix, Array]:
        """All tables of two classes and their weights: FP and TP are independent binomial variables."""
        negatives, positives = int(self.sizes[0]), int(self.sizes[1])
        fp, tp = (x.ravel() for x in np.meshgrid(np.arange(negatives + 1), np.arange(positives + 1)))
        tables = np.stack([negatives - fp, fp, positives - tp, tp], axis=-1).reshape(-1, 2, 2)
        logs = log_choose(negatives, np.arange(negatives + 1))[fp] + log_choose(positives, np.arange(positives + 1))[tp]
        return ConfusionMatrix(tables), np.exp(logs - (negatives + positives) * np.log(2))

    @cached_property
    def drawn(self) -> Array:
        """Tables drawn at random with a fixed seed."""
        rng, shares = np.random.default_rng(_SEED), np.full(self.m, 1 / self.m)
        return np.stack([rng.multinomial(int(x), shares, size=draws_of(self.m)) for x in self.sizes], axis=1)

    @cached_property
    def means_of_drawn(self) -> Array:
        """The mean tables for the predicted class sizes of the drawn ones."""
        predicted = self.drawn.sum(axis=1) / float(self.sizes.sum())
        found: Array = self.sizes.astype(float)[:, None] * predicted[:, None, :]
        return found


class _Guesses:
    """The guesses for several matrices, made once for all measures; each measure is called on all of them at once."""

    def __init__(self, guesses: Sequence[_Guess], policy: Policy) -> None:
        self.guesses, self.policy = guesses, policy
        self.mean = ConfusionMatrix(np.stack([x.mean for x in guesses]))
        self._kept: dict[object, ConfusionMatrix] = {}  # of lines and of draws
        self._lines_kept: dict[tuple[bool, int], Array | None] = {}

    def expected_values(self, f: Measure) -> list[float]:
        """Return the expected value of a measure for each matrix.

        It is exact where the measure is affine in the cells (then it is the value on the expected matrix) or where all
        tables of two classes can be added up. Otherwise it is a mean over random draws with a fixed seed, rounded to
        the digits that these support; fractional counts cannot be drawn, so for them it is the value on the expected
        matrix.
        """
        found: list[float] = np.asarray(f(self.mean, undefined=self.policy), dtype=float).tolist()
        whole = [k for k, x in enumerate(self.guesses) if x.is_whole]
        bent = self._bent(f, whole, fixed_predicted=False)
        for k in bent:
            if self.guesses[k].has_few_tables():
                tables, weights = self.guesses[k].tables
                found[k] = float((f(tables, undefined=self.policy) * weights).sum() / weights.sum())
        many = [k for k in bent if not self.guesses[k].has_few_tables()]
        # Given the predicted class sizes, the mean of a measure that is affine then is its value on the mean table.
        always_bent = self._bent(f, many, fixed_predicted=True)
        self._draw(f, "drawn", always_bent, found)
        self._draw(f, "means_of_drawn", [k for k in many if k not in always_bent], found)
        return found

    def _bent(self, f: Measure, places: list[int], *, fixed_predicted: bool) -> list[int]:
        """Return the positions of the matrices for which a measure is not affine."""
        made = {k: lines for k in places if (lines := self._lines(k, fixed_predicted)) is not None}
        straight = list(made)
        if straight:
            key = fixed_predicted, *straight
            if key not in self._kept:
                self._kept[key] = ConfusionMatrix(np.stack([made[k] for k in straight]))
            is_straight = are_affine_along(f, self._kept[key], self.policy)
            straight = [k for k, known in zip(straight, is_straight.tolist(), strict=True) if known]
        return [k for k in places if k not in straight]

    def _lines(self, k: int, fixed_predicted: bool) -> Array | None:
        key = fixed_predicted, k
        if key not in self._lines_kept:
            self._lines_kept[key] = random_lines(self.guesses[k].mean, fixed_predicted=fixed_predicted)
        return self._lines_kept[key]

    def _draw(self, f: Measure, which: str, places: list[int], found: list[float]) -> None:
        """Write the means of a measure over drawn tables into `found`."""
        if not places:
            return
        key = which, *places
        if key not in self._kept:
            self._kept[key] = ConfusionMatrix(np.stack([getattr(self.guesses[k], which) for k in places]))
        drawn = np.asarray(f(self._kept[key], undefined=self.policy), dtype=float)
        for k, mean in zip(places, means_of_draws(drawn), strict=True):
            found[k] = mean
