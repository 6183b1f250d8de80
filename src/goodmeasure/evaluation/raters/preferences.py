"""`preferences`: which of two systems people prefer, with ties, position bias and Bradley–Terry strengths.

A win rate counts a tie as half a win. Its interval is Wilson's, with the number of comparisons that would have this
variance if there were no ties; where annotators gave several, they are what varies.

Bradley and Terry (1952): the log odds that the left system is preferred are its strength, less that of the right one,
plus an advantage of the left position. A tie is half a win of each. Every system is taken to have tied once with an
average one, so that systems that always win have a finite strength. Intervals come from the sandwich variance, which is
also right if the model is not quite, or if annotators differ.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from os import PathLike
from statistics import NormalDist
from typing import ClassVar

import numpy as np

from goodmeasure.counts.readers.reader import column_values
from goodmeasure.evaluation.intervals.distributions import students_quantile
from goodmeasure.evaluation.intervals.proportions import Proportion, wilson
from goodmeasure.evaluation.judges.in_memory import listed
from goodmeasure.evaluation.p_values import two_sided
from goodmeasure.evaluation.raters.reading_ratings import of_files
from goodmeasure.evaluation.reading import is_frame
from goodmeasure.evaluation.writing import Written
from goodmeasure.exceptions import InputError, InputTypeError
from goodmeasure.options import check_level
from goodmeasure.typing import Array, ArrayLike, DataLike, Label

LEFT, RIGHT, TIE = "left", "right", "tie"
_TIES = ("tie", "draw", "equal", "both", "none")
_STEPS = 100


@dataclass(frozen=True)
class WinRate:
    """How often the first system is preferred to the second, a tie counting half, with its interval and a test."""

    first: str
    second: str
    value: float
    low: float
    high: float
    wins: int
    ties: int
    losses: int
    p: float  # of the hypothesis that both are preferred equally often


@dataclass(frozen=True)
class Strength:
    """The Bradley–Terry strength of a system, in log odds against an average one, with its interval and rank."""

    system: str
    value: float
    low: float
    high: float
    rank: int
    comparisons: int


@dataclass(frozen=True)
class BradleyTerry:
    """The strengths of all systems, the strongest first, and the advantage of the left position with its interval."""

    strengths: tuple[Strength, ...]
    position: float
    position_low: float
    position_high: float

    def strength(self, system: str) -> Strength:
        """Return the strength of one system."""
        found = next((x for x in self.strengths if x.system == system), None)
        if found is None:
            raise _unknown(system, [x.system for x in self.strengths])
        return found

    def probability(self, first: str, second: str) -> float:
        """Return the probability that the first system is preferred to the second, whatever their positions."""
        return 1 / (1 + math.exp(self.strength(second).value - self.strength(first).value))


@dataclass(frozen=True, eq=False, repr=False)
class Preferences(Written):
    """Comparisons of two systems: positions among `systems`, and 1, 0.5 or 0 for a win, tie or loss of the left."""

    kind: ClassVar[str] = "preferences"
    systems: tuple[str, ...]
    left: Array
    right: Array
    outcome: Array
    group: Array | None = None  # the annotator of each comparison, by number
    confidence: float = 0.95

    def win_rate(self, first: str, second: str) -> WinRate:
        """Return how often the first system is preferred to the second.

        >>> from goodmeasure.evaluation.raters.preferences import preferences
        >>> found = preferences(["A"] * 8, ["B"] * 8, ["A", "A", "A", "B", "tie", "A", "A", "tie"])
        >>> found.win_rate("A", "B").value
        0.75
        """
        i, j = (self._place(x) for x in (first, second))
        if i == j:
            raise InputError("{first} and {second} are the same system", argument="second", first=first, second=second,
                             advice="name two systems")  # fmt: skip
        ahead, behind = (self.left == i) & (self.right == j), (self.left == j) & (self.right == i)
        won = np.concatenate([self.outcome[ahead], 1 - self.outcome[behind]])
        if not len(won):
            raise InputError("{first!r} and {second!r} were never compared", argument="second", first=first,
                             second=second, advice="bradley_terry() compares them by others")  # fmt: skip
        group = None if self.group is None else np.concatenate([self.group[ahead], self.group[behind]])
        value, low, high, p = _share(won, group, self.confidence)
        wins, ties, losses = (int((won == x).sum()) for x in (1, 0.5, 0))
        return WinRate(first, second, value, low, high, wins, ties, losses, p)

    @cached_property
    def win_rates(self) -> tuple[WinRate, ...]:
        """Return the win rate of every pair of systems that were compared."""
        pairs = sorted({tuple(sorted(x)) for x in zip(self.left.tolist(), self.right.tolist(), strict=True)})
        return tuple(self.win_rate(self.systems[i], self.systems[j]) for i, j in pairs)

    @cached_property
    def position(self) -> WinRate:
        """Return how often what stands left is preferred: more or less than half is a bias, if sides were drawn."""
        value, low, high, p = _share(self.outcome, self.group, self.confidence)
        wins, ties, losses = (int((self.outcome == x).sum()) for x in (1, 0.5, 0))
        return WinRate(LEFT, RIGHT, value, low, high, wins, ties, losses, p)

    def bradley_terry(self) -> BradleyTerry:
        """Return the strength of every system, by all comparisons together."""
        return self._strengths

    @cached_property
    def _strengths(self) -> BradleyTerry:
        size = len(self.systems)
        design = np.zeros((len(self.outcome), size + 1))
        rows = np.arange(len(design))
        design[rows, self.left] += 1
        design[rows, self.right] -= 1
        design[:, size] = 1
        beta = np.zeros(size + 1)
        # The tie of every system with an average one: half a win and half a loss, which pull its strength to 0.
        for _ in range(_STEPS):
            chance = 1 / (1 + np.exp(-design @ beta))
            prior = 1 / (1 + np.exp(-beta[:size]))
            slope = design.T @ (self.outcome - chance)
            slope[:size] += 0.5 - prior
            curve = (design * (chance * (1 - chance))[:, None]).T @ design
            curve[np.arange(size), np.arange(size)] += prior * (1 - prior)
            step = np.linalg.solve(curve, slope)
            beta += np.clip(step, -2, 2)
            if np.abs(step).max() < 1e-10:
                break
        moved = design * (self.outcome - 1 / (1 + np.exp(-design @ beta)))[:, None]
        units = len(moved)
        if self.group is not None:
            groups = np.unique(self.group, return_inverse=True)[1].reshape(-1)
            units = int(groups.max()) + 1
            sums = np.zeros((units, size + 1))
            np.add.at(sums, groups, moved)
            moved = sums
        bread = np.linalg.inv(curve)
        covariance = bread @ (moved.T @ moved * (units / max(1, units - 1))) @ bread
        centred = np.eye(size + 1)
        centred[:size, :size] -= 1 / size
        # Where a system always wins, what is left of its comparisons is too little to vary: the model's own variance.
        both = (np.diag(centred @ x @ centred.T) for x in (covariance, bread))
        errors = np.sqrt(np.maximum(*both))
        values = centred @ beta
        reach = _reach(self.confidence, None if self.group is None else units)
        order = np.argsort(-values[:size], kind="stable")
        number = np.bincount(self.left, minlength=size) + np.bincount(self.right, minlength=size)
        strengths = tuple(
            Strength(self.systems[k], float(values[k]), float(values[k] - reach * errors[k]),
                     float(values[k] + reach * errors[k]), rank + 1, int(number[k]))
            for rank, k in enumerate(order.tolist())
        )  # fmt: skip
        ends = (float(values[size] + sign * reach * errors[size]) for sign in (-1, 1))
        return BradleyTerry(strengths, float(values[size]), *ends)

    def _place(self, system: str) -> int:
        if system not in self.systems:
            raise _unknown(system, self.systems)
        return self.systems.index(system)

    def lines(self) -> list[str]:
        """Return what was found, in sentences."""
        found = self.bradley_terry().strengths
        ties = float((self.outcome == 0.5).mean())
        said = [f"{len(self.outcome):,} comparisons of {len(self.systems)} systems, {ties:.0%} of them ties."]
        if len(self.systems) == 2:
            x = self.win_rate(found[0].system, found[1].system)
            clear = "significantly more" if x.p < 1 - self.confidence else "not significantly more"
            said.insert(0, f"{x.first} is preferred {clear} often than {x.second}: its win rate is {x.value:.1%} "
                           f"({x.low:.1%} to {x.high:.1%}, p = {x.p:.2g}).")  # fmt: skip
        else:
            said.insert(0, f"{_strength(found[0])} is the strongest, then {_strength(found[1])}.")
        bias = self.position
        if bias.p < 1 - self.confidence:
            said.append(f"Position bias: what stands left has a win rate of {bias.value:.1%} "
                        f"({bias.low:.1%} to {bias.high:.1%}).")  # fmt: skip
        return said

    def rows(self) -> list[list[str]]:
        """Return the table of win rates; its first row holds the names of the columns."""
        found = [["first", "second", "win_rate", "low", "high", "wins", "ties", "losses", "p"]]
        for x in self.win_rates:
            numbers = (f"{y:.6g}" for y in (x.value, x.low, x.high, x.wins, x.ties, x.losses, x.p))
            found.append([x.first, x.second, *numbers])
        return found


def _strength(x: Strength) -> str:
    return f"{x.system} ({x.value:+.2f}, {x.low:+.2f} to {x.high:+.2f})"


def _unknown(system: str, known: Sequence[str]) -> InputError:
    return InputError("there is no system {name!r}", argument="system", name=system,
                      known=", ".join(map(repr, known)), advice="the systems are {known}")  # fmt: skip


def _reach(confidence: float, units: int | None) -> float:
    share = 0.5 + confidence / 2
    return NormalDist().inv_cdf(share) if units is None else students_quantile(share, max(1.0, units - 1.0))


def _share(won: Array, group: Array | None, confidence: float) -> tuple[float, float, float, float]:
    """Return a share of wins with its interval, and the p-value that it is one half."""
    number, value = len(won), float(won.mean())
    apart, units = won - value, None
    squares = float((apart**2).sum())
    if group is not None:
        codes = np.unique(group, return_inverse=True)[1].reshape(-1)
        units = int(codes.max()) + 1
        squares = float((np.bincount(codes, apart) ** 2).sum()) * units / max(1, units - 1)
    variance = squares / number**2
    fewest = float(number if units is None else units)
    size = value * (1 - value) / variance if variance > 0 and 0 < value < 1 else fewest
    low, high = wilson(Proportion(value, size), _reach(confidence, units))
    # Where both are alike, wins less losses vary as their squares say: a sign test, with ties as 0.
    signs = 2 * won - 1
    spread = float((signs**2).sum()) if group is None else float((np.bincount(codes, signs) ** 2).sum())
    p = two_sided(float(signs.sum()) / math.sqrt(spread)) if spread > 0 else 1.0
    return value, low, high, p


def preferences(
    left: DataLike = None, right: ArrayLike = None, winner: ArrayLike = None, *, groups: ArrayLike = None,
    confidence: float = 0.95,
) -> Preferences:  # fmt: skip
    """Say which of two systems is preferred: win rates with ties, Bradley–Terry strengths, and position bias.

    `left` and `right` are the names of the systems whose answers stood left and right (first and second), and `winner`
    is the name of the one that was preferred, or "left", "right" or "tie" (None is a tie as well). `groups` says who
    judged. All four may be lists; or `left` is a data frame or the path of a file that has columns of these names.

    >>> found = preferences(["A", "B", "A", "B"] * 5, ["B", "A", "C", "C"] * 5, ["A", "A", "tie", "C"] * 5)
    >>> [x.system for x in found.bradley_terry().strengths]
    ['A', 'C', 'B']
    """
    check_level("confidence", confidence)
    named = {"left": left, "right": right, "winner": winner, "groups": groups}
    if is_frame(left) or (isinstance(left, (str, PathLike))):
        names = {key: x if isinstance(x, str) else key for key, x in {**named, "left": None}.items()}
        wanted = [names[x] for x in ("left", "right", "winner", *([] if groups is None else ["groups"]))]
        found = of_files(left, wanted) if not is_frame(left) else column_values(left, wanted, ())
        named = {key: found.get(name) for key, name in names.items()}
    columns = {key: listed(x, key) for key, x in named.items() if x is not None}
    for key in ("left", "right", "winner"):
        if key not in columns:
            raise InputTypeError("{argument} is missing", argument=key, advice="give left, right and winner")
    sizes = {key: len(x) for key, x in columns.items()}
    if len(set(sizes.values())) > 1:
        raise InputError("left, right and winner have different lengths", argument="winner",
                         said=", ".join(f"{k} {n:,}" for k, n in sizes.items()), advice="they have {said}")  # fmt: skip
    systems = tuple(sorted({str(x) for key in ("left", "right") for x in columns[key]}))
    place = {x: k for k, x in enumerate(systems)}
    one, two = (np.array([place[str(x)] for x in columns[key]], np.int64) for key in ("left", "right"))
    if not len(one) or (one == two).any():
        raise InputError("a system is compared with itself" if len(one) else "there are no comparisons",
                         argument="right", advice="each comparison needs two systems")  # fmt: skip
    outcome = np.array([_outcome(*x) for x in zip(*(columns[k] for k in ("left", "right", "winner")), strict=True)])
    group = None
    if "groups" in columns:
        group = np.unique(np.array([str(x) for x in columns["groups"]]), return_inverse=True)[1].reshape(-1)
    return Preferences(systems, one, two, outcome, group, confidence)


def _outcome(left: Label, right: Label, winner: Label) -> float:
    """Return 1 where the left system won, 0 where the right one did, and 0.5 for a tie."""
    said = None if winner is None else str(winner)
    if said in (str(left), str(right)):
        return float(said == str(left))
    if said is None or said.lower() in _TIES:
        return 0.5
    if said.lower() in (LEFT, RIGHT):
        return float(said.lower() == LEFT)
    raise InputError("the winner {said!r} is neither {left!r} nor {right!r}", argument="winner", said=said, left=left,
                     right=right, advice="give the name of one of them, 'left', 'right' or 'tie'")  # fmt: skip
