"""How often measures disagree about which of two systems is better, and why."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import overload

import numpy as np

from goodmeasure.catalogue.display_names import opening_names, sentence_names
from goodmeasure.catalogue.measure import Measure, MeasuresLike, among
from goodmeasure.comparison.drivers import Driver, drivers, sentence
from goodmeasure.comparison.matrix_sets import SystemSet, read_sets
from goodmeasure.comparison.system_ranks import cosines
from goodmeasure.comparison.which_is_better import ExactValues, close, direction, listed, name_of, values_of
from goodmeasure.evaluation.number_words import texts_that_differ
from goodmeasure.exceptions import InputError, UnknownKey, UnknownName
from goodmeasure.progress import shows_progress
from goodmeasure.typing import Array, Label, MatrixLike

TIES = STRICT, CONSISTENT = "strict", "consistent"


@shows_progress("comparing")
def disagreement(
    measures: MeasuresLike, matrices: MatrixLike, ties: str = STRICT, tolerance: float = 0
) -> Disagreement:
    """Count how often each pair of measures disagrees about which of two systems is better.

    `matrices` is a list of confusion matrices (or a dict of them by system), whose pairs are all compared, or a list of
    such lists (data sets), compared within each. With `ties="strict"`, measures agree on a pair if both prefer the same
    system or both see a tie (goesgens2021, §5.1); with "consistent", a tie agrees with everything. Differences up to
    `tolerance` are ties. `ties="consistent", tolerance=1e-5` reproduces the paper's printed tables.

    >>> found = disagreement(["accuracy", "balanced_accuracy"], [[[90, 0], [8, 2]], [[80, 10], [2, 8]]])
    >>> found.rates["accuracy"]["balanced_accuracy"]
    1.0
    >>> print(found.flips[0])  # doctest: +NORMALIZE_WHITESPACE
    Accuracy prefers system 0 (0.92 against 0.88) whereas balanced accuracy prefers system 1 (0.844 against 0.6): from
    system 0 to system 1, 6 items of class 1 become right (accuracy +0.06, balanced accuracy +0.3), 10 items of class 0
    become wrong (accuracy −0.1, balanced accuracy −0.0556).
    """
    if ties not in TIES:
        raise InputError(
            "{ties} is {got!r}", got=ties, advice="use 'strict' (a tie disagrees with a preference) or 'consistent'"
        )
    if isinstance(tolerance, bool) or not isinstance(tolerance, (int, float, np.number)) or not 0 <= tolerance < np.inf:
        raise InputError("{tolerance} is {got!r}", got=tolerance, expected="a number from 0 on, such as 1e-5")
    sets = read_sets(matrices)
    chosen = listed(measures, max(len(x.labels) for x in sets))
    for f in chosen:
        for one in sets:
            f._must_know_positive(one.example)
    exact = ExactValues()
    judged = [JudgedSystems.of(one, chosen, float(tolerance), exact) for one in sets]
    return Disagreement(tuple(chosen), judged, ties, float(tolerance))


@dataclass(frozen=True, eq=False)
class JudgedSystems:
    """The systems of one data set under all measures: values, and the sign of every comparison."""

    systems: SystemSet
    values: Array  # (measures, systems)
    first: Array
    second: Array
    signs: Array  # (measures, pairs): 1 if the second system is better, −1 if the first is, 2 if a value is undefined

    @classmethod
    def of(cls, systems: SystemSet, measures: Sequence[Measure], tolerance: float, exact: ExactValues) -> JudgedSystems:
        """Compare all pairs of systems under all measures."""
        values = values_of(measures, systems.batch)
        first, second = np.triu_indices(len(systems), 1)
        signs = np.empty((len(measures), len(first)), np.int8)
        for k, f in enumerate(measures):
            signs[k] = _signs(f, values[k], systems, first, second, tolerance, exact)
        return cls(systems, values, first, second, signs)


UNDEFINED = 2


def _signs(
    f: Measure, values: Array, systems: SystemSet, first: Array, second: Array, tolerance: float, exact: ExactValues
) -> Array:
    """Return which system of each pair is better; where floats are too close to tell, by exact values."""
    x, y = values[first], values[second]
    signs = direction(f) * ((y > x).astype(np.int8) - (y < x))
    same = systems.numbers[first] == systems.numbers[second]
    with np.errstate(invalid="ignore"):  # the difference of two infinite values is NaN
        signs[same | (np.abs(y - x) <= tolerance)] = 0
    signs[np.isnan(x) | np.isnan(y)] = UNDEFINED
    if tolerance == 0:
        for k in np.flatnonzero(close(x, y) & ~same & (signs != UNDEFINED)):
            signs[k] = exact.sign(f, systems.matrices[first[k]], systems.matrices[second[k]])
    decided: Array = signs
    return decided


class PairTable(Mapping[str, dict[str, float]]):
    """A number for each pair of measures: ``grid["f1"]["mcc"]``, by measure, name or alias."""

    def __init__(self, measures: Sequence[Measure], numbers: Array) -> None:
        self._rows = {f.name: _Row(zip((g.name for g in measures), row, strict=True))
                      for f, row in zip(measures, numbers.tolist(), strict=True)}  # fmt: skip

    def __getitem__(self, measure: object) -> dict[str, float]:
        return self._rows[measure if measure in self._rows else _known(measure, self._rows)]

    def __iter__(self) -> Iterator[str]:
        return iter(self._rows)

    def __len__(self) -> int:
        return len(self._rows)

    def __repr__(self) -> str:
        names = list(self._rows)
        width = max(map(len, [*names, "-0.000"]))
        head = " " * width + "  " + "  ".join(x.rjust(max(6, len(x))) for x in names)
        lines = [
            x.ljust(width) + "  " + "  ".join(f"{v:.3f}".rjust(max(6, len(y))) for y, v in self._rows[x].items())
            for x in names
        ]
        return "\n".join([head, *lines])


class _Row(dict[str, float]):
    def __missing__(self, measure: object) -> float:
        return self[_known(measure, self)]


def _known(measure: object, measures: Mapping[str, object]) -> str:
    """Return the name by which a measure is listed."""
    try:
        name = name_of(measure)
    except UnknownName as error:
        raise UnknownKey.of(error) from None
    if name not in measures:
        raise UnknownKey(
            "{name} is not one of the measures", name=name, known=", ".join(measures), advice="they are {known}"
        )
    return name


@dataclass(frozen=True, eq=False)
class Flip:
    """Two systems that two measures put in different order, and why."""

    measures: tuple[str, str]
    set: Label
    systems: tuple[Label, Label]
    values: tuple[tuple[float, float], tuple[float, float]]  # by measure, by system
    preferred: tuple[object, object]  # by measure; None for a tie
    matrices: tuple[Array, Array]
    labels: tuple[Label, ...]
    _of: tuple[Measure, Measure]

    @cached_property
    def drivers(self) -> list[Driver]:
        """Return the changes between the two matrices, and what each contributes to each measure."""
        return drivers(self._of, *self.matrices, self.labels)

    @property
    def why(self) -> str:
        """Return what drives the measures apart, in a sentence."""
        shown = sentence_names(self._of)
        undefined = {f.name: [math.isnan(float(f(x, undefined="nan"))) for x in self.matrices] for f in self._of}
        ruled = [shown[name] for name, x in undefined.items() if any(x)]
        return sentence(tuple(shown[f.name] for f in self._of), self.systems, self.drivers, ruled)

    def __str__(self) -> str:
        said = []
        names = opening_names(self._of) if self.set is None else list(sentence_names(self._of).values())
        for name, (x, y), best in zip(names, self.values, self.preferred, strict=True):
            shown = (y, x) if best is not None and best == self.systems[1] else (x, y)  # the preferred one first
            numbers = "({} against {})".format(*texts_that_differ(*shown))
            said.append(f"{name} sees a tie {numbers}" if best is None else f"{name} prefers {best} {numbers}")
        where = "" if self.set is None else f"On {self.set}, "
        return f"{where}{' whereas '.join(said)}: {self.why}"


@dataclass(frozen=True, eq=False)
class Disagreement:
    """How often measures disagree, the correlations of their rankings, and the pairs of systems that flip."""

    measures: tuple[Measure, ...]
    judged: list[JudgedSystems]
    ties: str
    tolerance: float

    @property
    def pairs(self) -> int:
        """Return the number of pairs of systems that were compared."""
        return sum(len(x.first) for x in self.judged)

    @cached_property
    def rates(self) -> PairTable:
        """Return the share of pairs of systems on which two measures disagree, in [0, 1].

        Pairs on which either measure is undefined are left out (`compared` counts the others).
        """
        with np.errstate(invalid="ignore"):
            return PairTable(self.measures, self._counted[0] / self._counted[1])

    @cached_property
    def compared(self) -> PairTable:
        """Return the number of pairs of systems on which both measures are defined."""
        return PairTable(self.measures, self._counted[1])

    @cached_property
    def _counted(self) -> tuple[Array, Array]:
        size = len(self.measures)
        against, known = np.zeros((size, size), np.int64), np.zeros((size, size), np.int64)
        for i in range(size):
            for j in range(size):
                for x in self.judged:
                    defined = (x.signs[i] != UNDEFINED) & (x.signs[j] != UNDEFINED)
                    known[i, j] += np.count_nonzero(defined)
                    against[i, j] += np.count_nonzero(self._against(x, i, j))
        return against, known

    def _against(self, x: JudgedSystems, i: int, j: int) -> Array:
        """Return on which pairs of systems the i-th and the j-th measure disagree."""
        a, b = x.signs[i], x.signs[j]
        found: Array = (a * b == -1) if self.ties == CONSISTENT else (a != b)
        found &= (a != UNDEFINED) & (b != UNDEFINED)
        return found

    @cached_property
    def discriminancy(self) -> PairTable:
        """Return the degree of discriminancy of one measure over another (Huang and Ling 2005).

        It is the number of pairs of systems that the first tells apart and the second does not, divided by the number
        of those that the second tells apart and the first does not: above 1, the first discriminates better. It is
        infinite if the second tells apart nothing that the first does not, and NaN if neither does.

        >>> systems = [[[4, 1], [1, 4]], [[5, 0], [2, 3]], [[3, 2], [0, 5]], [[3, 2], [1, 4]]]
        >>> found = disagreement(["mcc", "accuracy"], systems)
        >>> found.discriminancy["mcc"]["accuracy"]
        inf
        """
        size = len(self.measures)
        finer = np.zeros((size, size))
        for x in self.judged:
            told, tied = (x.signs != 0) & (x.signs != UNDEFINED), x.signs == 0
            finer += told.astype(float) @ tied.T.astype(float)
        with np.errstate(invalid="ignore", divide="ignore"):
            return PairTable(self.measures, finer / finer.T)

    @cached_property
    def flips(self) -> Flips:
        """Return the pairs of systems that measures put in different order, for every pair of measures."""
        found = []
        for i, j in combinations(range(len(self.measures)), 2):
            for x in self.judged:
                found += [(i, j, x, int(k)) for k in np.flatnonzero(self._against(x, i, j))]
        return Flips(self.measures, found)

    @cached_property
    def kendall(self) -> PairTable:
        """Return Kendall's τ-b of the rankings by two measures, averaged over data sets; NaN if all systems tie."""
        return self._correlations(lambda x: x.signs.astype(float))

    @cached_property
    def spearman(self) -> PairTable:
        """Return Spearman's ρ of the rankings by two measures, averaged over data sets; NaN if all systems tie."""
        return self._correlations(_centred_ranks)

    def _correlations(self, scores: Callable[[JudgedSystems], Array]) -> PairTable:
        size = len(self.measures)
        found = []
        for x in self.judged:
            undefined = np.isnan(x.values).any(axis=1)
            table = cosines(scores(x))
            table[undefined] = table[:, undefined] = np.nan
            found.append(table)
        stacked = np.array(found)
        known = ~np.isnan(stacked)
        with np.errstate(invalid="ignore"):
            mean = np.where(known, stacked, 0).sum(axis=0) / known.sum(axis=0)
        return PairTable(self.measures, mean.reshape(size, size))

    def __repr__(self) -> str:
        head = f"Disagreement over {self.pairs} pairs of systems (ties: {self.ties}, tolerance {self.tolerance:g})"
        return f"{head}\n{self.rates!r}"


class Flips(Sequence[Flip]):
    """A sequence of flips, each made when it is looked at."""

    def __init__(self, measures: Sequence[Measure], found: list[tuple[int, int, JudgedSystems, int]]) -> None:
        self._measures, self._found = measures, found

    def __len__(self) -> int:
        return len(self._found)

    @overload
    def __getitem__(self, k: int) -> Flip: ...

    @overload
    def __getitem__(self, k: slice) -> Sequence[Flip]: ...

    def __getitem__(self, k: int | slice) -> Flip | Sequence[Flip]:
        if isinstance(k, slice):
            return Flips(self._measures, self._found[k])
        i, j, x, pair = self._found[k]
        names, at = x.systems.names, (int(x.first[pair]), int(x.second[pair]))
        systems = names[at[0]], names[at[1]]
        signs = [int(x.signs[m][pair]) for m in (i, j)]
        best = [None if sign == 0 else systems[sign > 0] for sign in signs]
        values = [(float(x.values[m][at[0]]), float(x.values[m][at[1]])) for m in (i, j)]
        f, g = self._measures[i], self._measures[j]
        return Flip(
            (f.name, g.name), x.systems.name, systems, (values[0], values[1]), (best[0], best[1]),
            (x.systems.matrices[at[0]], x.systems.matrices[at[1]]), x.systems.labels, (f, g),
        )  # fmt: skip

    def between(self, first: object, second: object) -> Flips:
        """Return the flips of one pair of measures."""
        wanted = {among(x, self._measures).name for x in (first, second)}
        kept = [x for x in self._found if {self._measures[x[0]].name, self._measures[x[1]].name} == wanted]
        return Flips(self._measures, kept)

    def __repr__(self) -> str:
        shown = [str(x) for x in self[:5]]
        return "\n".join([*shown, *([f"… and {len(self) - 5:,} more"] if len(self) > 5 else [])]) or "no flips"


def _centred_ranks(x: JudgedSystems) -> Array:
    """Return the ranks of the systems minus the mean rank, from the signs of all comparisons.

    This is half of a system's losses minus its wins; systems that tie share the mean of their ranks.
    """
    size = len(x.systems)
    ranks = np.zeros((len(x.signs), size))
    for k, signs in enumerate(x.signs):
        worse = np.where(signs == UNDEFINED, 0, signs) / 2
        ranks[k] = np.bincount(x.second, -worse, size) + np.bincount(x.first, worse, size)
    return ranks
