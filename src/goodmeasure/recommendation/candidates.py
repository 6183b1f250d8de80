"""The measures that a recommendation chooses from, and what is known about their properties."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from itertools import combinations
from typing import SupportsFloat

import numpy as np

from goodmeasure.catalogue.measure import Measure, as_measure
from goodmeasure.counts.enumeration import matrices
from goodmeasure.exceptions import InputError
from goodmeasure.recommendation.needs import Need, domain_for
from goodmeasure.theory.atlas.atlas import AtlasCell, opened, stored
from goodmeasure.theory.statements.domain import domain_of
from goodmeasure.theory.statements.verdict import HELD, PROVED, REFUTED, Verdict
from goodmeasure.typing import Array, ArrayLike

DECIDED_FOR = 3  # classes: more are judged by what is known for three

# Families that use the order of the classes, or the costs of errors. A test compares them with the atlas: for three
# classes, exactly these change when classes are renamed.
USE_ORDER = ("weighted_kappa", "k_ordinal")
USE_COSTS = ("k_cost", "weighted_kappa")

# Measures that the catalogue has for those who come from other libraries. No paper here argues for them, some correct
# others by factors of their own, and some describe only the class sizes: they are never recommended.
NOT_OFFERED = frozenset(
    [
        "bennett_s",
        "bangdiwala_b",
        "krippendorff_alpha",
        "modified_confusion_entropy",
        "chance_agreement",
        "chance_agreement_unbiased",
        "no_information_rate",
        "information_score",
        "discriminant_power",
        "phi_squared",
        "chi_squared",
        "cramers_v",
        "tschuprows_t",
        "pearson_contingency",
        "lambda_true",
        "lambda_predicted",
        "average_cost",
        "macro_absolute_error",
        "class_balance_accuracy",
        "adjusted_f_score",
        "adjusted_geometric_mean",
        "index_of_balanced_accuracy",
        "optimized_precision",
        "distance_index",
        "similarity_index",
        "net_benefit",
        "homogeneity",
        "completeness",
        "entropy_true",
        "entropy_predicted",
        "entropy_joint",
        "entropy_conditional",
        "class_size_cross_entropy",
        "class_size_divergence",
        "braun_blanquet",
        "overlap_coefficient",
        "automatic_manual",
        "bray_curtis",
        "random_accuracy",
        "random_accuracy_unbiased",
    ]
)

LIVE_SECONDS = 1.0  # for each property of a measure that is not in the atlas


_DECIDED: dict[tuple[Measure, int, str], Verdict] = {}
_MOST_DECIDED = 512


def _decided(measure: Measure, classes: int, prop: str) -> Verdict:
    """Return the verdict on a property of a measure that is not in the atlas, such as one with a table of costs.

    It takes seconds to decide them all, so what is decided is kept: people change one answer of a task and ask again.
    A property that is only held may be decided when there is more time, and a user may define a name anew.
    """
    key = measure, classes, prop
    if key in _DECIDED:
        return _DECIDED[key]
    from goodmeasure.theory.check import check  # it loads all that proves and refutes, which is seldom needed

    found = check(measure, classes, domain_for(prop), properties=[prop], seconds=LIVE_SECONDS)[prop]
    if found.status != HELD and not measure.is_users_own():
        if len(_DECIDED) >= _MOST_DECIDED:
            _DECIDED.clear()
        _DECIDED[key] = found
    return found


class Candidates:
    """The verdicts on measures for a number of classes, from the atlas or decided now.

    Each property is judged on the domain that it covers (`domain_for`). ``stand_ins`` are the measures that are
    judged in place of others, by name: a table of costs for more classes than are decided is judged by three of them.
    """

    def __init__(self, classes: int, stand_ins: Mapping[str, Measure] | None = None) -> None:
        self.classes = min(classes, DECIDED_FOR)
        self.stand_ins = stand_ins or {}
        self._statuses: dict[tuple[str, str], str] = {}
        self._live: dict[tuple[str, str], Verdict] = {}
        self._met: dict[tuple[str, str, bool], bool] = {}

    def of_the_atlas(self) -> list[Measure]:
        """Return the measures of the atlas that have an orientation."""
        return list(_oriented(self.classes))

    def _stored(self, measure: Measure, prop: str, domain: str) -> AtlasCell | None:
        name = self.stand_ins.get(measure.name, measure).name
        return _cells(self.classes, domain).get(name, {}).get(prop)

    def status(self, measure: Measure, prop: str) -> str:
        """Return the status of one property of a measure: proved, refuted, held or vacuous."""
        key = measure.name, prop
        if key not in self._statuses:
            cell = self._stored(measure, prop, domain_for(prop))
            self._statuses[key] = str(cell["status"]) if cell is not None else self.verdict(measure, prop).status
        return self._statuses[key]

    def verdict(self, measure: Measure, prop: str) -> Verdict:
        """Return the verdict on one property of a measure, with its witness."""
        cell = self._stored(measure, prop, domain_for(prop))
        if cell is not None:
            return opened(cell)
        key = measure.name, prop
        if key not in self._live:
            self._live[key] = _decided(self.stand_ins.get(measure.name, measure), self.classes, prop)
        return self._live[key]

    def has(self, measure: Measure, prop: str) -> bool:
        """Return whether a measure has a property, as far as is known.

        Where a property covers no matrix, or a search examined nothing, there is nothing that the measure has.
        """
        status = self.status(measure, prop)
        return status == PROVED or (status == HELD and bool(self._reach(measure, prop)))

    def _reach(self, measure: Measure, prop: str) -> int | None:
        """Return up to which number of items a property that was neither proved nor refuted was examined."""
        cell = self._stored(measure, prop, domain_for(prop))
        return self.verdict(measure, prop).n if cell is None else cell["n"]

    def meets(self, measure: Measure, need: Need) -> bool:
        """Return whether a measure meets a need; that it lacks a property has to be known."""
        key = measure.name, need.statement, need.holds
        if key not in self._met:
            refuted = self.status(measure, need.statement) == REFUTED
            self._met[key] = self.has(measure, need.statement) if need.holds else refuted
        return self._met[key]

    def refuted_where_absent(self, measure: Measure, prop: str) -> Verdict | None:
        """Return the verdict where a class may be absent, if the atlas has it and it is a refutation; else None."""
        cell = self._stored(measure, prop, "all")
        return None if cell is None or cell["status"] != REFUTED else opened(cell)


@cache
def _cells(classes: int, domain: str) -> dict[str, dict[str, AtlasCell]]:
    """Return the stored verdicts by measure and property."""
    return stored().filter(classes=classes, domain=domain).by_measure()


@cache
def _oriented(classes: int) -> tuple[Measure, ...]:
    """Return the measures of the atlas that have an orientation and may be recommended.

    Averages over all classes are left out: where every class occurs, they are those over the classes that do, and
    elsewhere many of them have no value.
    """
    found = [as_measure(name) for name in _cells(classes, "regular")]
    return tuple(
        x
        for x in found
        if x.orientation in ("higher", "lower") and family(x) not in NOT_OFFERED and "classes" not in x.parameters
    )


def family(measure: Measure) -> str:
    """Return the name of a measure without its parameters."""
    return measure.stem


def with_costs(costs: ArrayLike) -> list[Measure]:
    """Return the measures that use a user's costs; with two classes, only the ratio of the two costs matters."""
    table = [[_plain(x) for x in row] for row in costs]
    if len(table) == 2:
        miss, alarm = (Fraction(str(x)) for x in (table[1][0], table[0][1]))
        weights = {"alpha": _short(miss / min(miss, alarm)), "beta": _short(alarm / min(miss, alarm))}
        return [_of("matching_tversky", weights), _of("tversky", weights)]
    return [_of("k_cost", {"costs": table}), _of("weighted_kappa", {"weights": table})]


def judged_by_three(costs: ArrayLike) -> dict[str, Measure]:
    """Return, for a table of more than three classes, the measures with three of its classes, by whole name.

    These are the first three among which each class has an error that costs something, as K needs it.
    """
    if len(costs) <= DECIDED_FOR:
        return {}
    parts = ([[costs[i][j] for j in chosen] for i in chosen] for chosen in combinations(range(len(costs)), DECIDED_FOR))
    part = next((x for x in parts if all(any(cost > 0 for cost in row) for row in x)), None)
    if part is None:
        raise InputError(
            "{costs}: among any three classes, one has no error that costs anything, so no three can be judged",
            advice="use gm.k_cost(costs) itself, and gm.check to judge it",
        )
    return {whole.name: some for whole, some in zip(with_costs(costs), with_costs(part), strict=True)}


def _plain(cost: SupportsFloat) -> float | int:
    """Return a cost as a number that can stand in the name of a measure."""
    number = float(cost)
    return int(number) if number.is_integer() else number


def _short(number: Fraction) -> float | int:
    return int(number) if number.denominator == 1 else float(number)


def _of(name: str, parameters: Mapping[str, object]) -> Measure:
    inside = ", ".join(f"{k}={v!r}" for k, v in parameters.items())
    return as_measure(f"{name}({inside})")


def alike(measures: list[Measure], known: Candidates, wanted: list[Need]) -> list[list[Measure]]:
    """Return measures in groups whose members are linear functions of each other, and meet the same needs.

    They are compared on all small matrices of the domains that the needs cover. Where that is all matrices, the bare
    formulas are compared too, since SDE and WDE cover these.
    """
    everywhere = any(x.domain == "all" for x in wanted)
    groups: dict[tuple[bytes, ...], list[Measure]] = {}
    for of in measures:
        shapes = [_compared(known.stand_ins.get(of.name, of), known.classes, "regular")]
        if everywhere:
            judged = known.stand_ins.get(of.name, of)
            shapes += [_compared(judged, known.classes, "all", rule) for rule in ("resolve", "nan")]
        met = bytes(known.meets(of, x) for x in wanted)
        groups.setdefault((*shapes, met), []).append(of)
    return list(groups.values())


@cache
def _compared(of: Measure, classes: int, domain: str, undefined: str = "resolve") -> bytes:
    """Return the values of a measure on all small matrices of a domain, up to a linear function."""
    return _shape(np.asarray(of(_small(classes, domain), undefined=undefined), dtype=float))


@cache
def _small(classes: int, domain: str) -> Array:
    """Return all matrices of a domain with few items."""
    first = classes if domain == "regular" else 1
    cells = np.concatenate([matrices(n, classes) for n in range(first, classes + ENOUGH[classes])])
    return cells[domain_of(domain).holds(cells)]


ENOUGH = {2: 6, 3: 3}  # by number of classes: how many values of n are looked at


def _shape(values: Array) -> bytes:
    """Return the values up to a linear function: the first becomes 0, and the one farthest from it becomes 1."""
    finite = np.isfinite(values)
    if not finite.any():
        return bytes(finite)
    moved = values - values[finite][0]
    scale = moved[finite][np.argmax(np.round(np.abs(moved[finite]), 9))]
    shaped: Array = np.round(np.where(finite, moved / (scale or 1), 0), 9) + 0.0
    return bytes(finite) + bytes(shaped)
