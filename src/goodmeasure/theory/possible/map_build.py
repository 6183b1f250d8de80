"""Build the map of possibilities: find the minimal impossible and the maximal possible sets of properties."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from goodmeasure.documents import HEAD
from goodmeasure.exceptions import MissingFileError, file_error
from goodmeasure.theory.possible.answer import Impossible, Possible
from goodmeasure.theory.possible.baseline_metric import HAS, METRIC
from goodmeasure.theory.possible.farkas import contradiction
from goodmeasure.theory.possible.map import Map, MapData, Region, pack, shorts
from goodmeasure.theory.possible.possible import PossibilityQuestion
from goodmeasure.theory.possible.program import LinearProgram, ProgramRow
from goodmeasure.theory.statements.domain import domain_of
from goodmeasure.theory.statements.lookup import NINE
from goodmeasure.theory.statements.lookup import statement as statement_of

Said = Callable[[str], object]
# Properties of all three papers that are linear demands; SYM is left out, since it is class symmetry.
ACROSS = (
    *NINE,
    "scale_invariance",
    "sebastiani_mon",
    "sebastiani_cha",
    "sebastiani_imb",
    "opitz_monotone",
    "opitz_prevalence_invariant",
    "opitz_chance_corrected_strictly",
)
# Measures that may have the properties of a maximal set; the first that is proved to have them is named.
CANDIDATES = (
    "mcc", "correlation_distance", "accuracy", "generalized_mean(r=1)", "sba", "balanced_accuracy", "kappa", "k",
    "jaccard", "f1", "recall", "macro(recall)",
)  # fmt: skip


@dataclass(frozen=True)
class RegionPlan:
    """A region of the map that is to be built."""

    title: str
    classes: int
    domain: str
    n: int
    properties: tuple[str, ...]


PLANS = (
    RegionPlan("The nine properties, two classes, all matrices", 2, "all", 6, NINE),
    RegionPlan("The nine properties, two classes, both present in both labelings", 2, "regular", 6, NINE),
    RegionPlan("The nine properties, three classes, all matrices", 3, "all", 3, NINE),
    RegionPlan("The nine properties, three classes, no labeling constant", 3, "non-unary", 3, NINE),
    RegionPlan("The nine properties, three classes, all present in both labelings", 3, "regular", 5, NINE),
    RegionPlan("Across the papers, two classes, all matrices", 2, "all", 6, ACROSS),
)


def build(output: str | Path, *, plans: Iterable[RegionPlan] = PLANS, said: Said | None = None) -> Map:
    """Decide every subset of the properties of each region, write the map to a file, and return it."""
    path = Path(output)
    if not path.parent.is_dir():  # before minutes of work
        raise MissingFileError(
            "there is no folder {folder} for the file {got}", folder=path.parent, argument="output", got=str(output),
            advice="make it first",
        )  # fmt: skip
    found = Map(tuple(region(plan, said or (lambda text: None)) for plan in plans))
    part = path.with_name(f"{path.name}.part")  # an interrupted run leaves the map of before
    try:
        part.write_bytes(pack(found))
        part.replace(path)
    except OSError as error:
        part.unlink(missing_ok=True)
        raise file_error(error, "{got} cannot be written: {why}", got=str(output)) from None
    return found


def region(plan: RegionPlan, said: Said) -> Region:
    """Return one region, in which every subset is decided on 1 … n items."""
    start = time.perf_counter()
    minimal, maximal = Lattice(plan).decided()
    said(f"{plan.title}: {len(minimal)} minimal, {len(maximal)} maximal, {time.perf_counter() - start:.1f} s")
    measures = proved(plan)
    said(f"  measures: {time.perf_counter() - start:.1f} s")
    found = Region(
        plan.title,
        plan.classes,
        plan.domain,
        plan.n,
        plan.properties,
        tuple(sorted((_impossible(plan, x) for x in minimal), key=lambda x: (x["n"], len(x["properties"])))),
        tuple(_possible(plan, x, measures) for x in sorted(maximal, key=lambda x: -len(x))),
        measures,
    )
    said(f"  done: {time.perf_counter() - start:.1f} s")
    return found


class Lattice:
    """The subsets of the properties of a plan, each feasible or not on the matrices of 1 … n items."""

    def __init__(self, plan: RegionPlan) -> None:
        self.names = plan.properties
        sizes, domain = tuple(range(1, plan.n + 1)), domain_of(plan.domain)
        self.rows = [LinearProgram([statement_of(x)], sizes, plan.classes, domain).rows for x in self.names]

    def decided(self) -> tuple[list[tuple[str, ...]], list[tuple[str, ...]]]:
        """Return the minimal infeasible subsets and the maximal feasible ones.

        Subsets are visited from the largest to the smallest. One that lies in a feasible set or contains an infeasible
        one is decided already. Otherwise the solver decides: if it is feasible, it is maximal, since all larger sets
        are infeasible; if not, it is thinned out to a minimal infeasible set. Here "feasible" is what the solver says;
        each set of the map later gets a measure, a checked table or a checked contradiction of its own.
        """
        minimal: list[int] = []
        maximal: list[int] = []
        order = sorted(range(1, 1 << len(self.names)), key=lambda x: -x.bit_count())
        for subset in order:
            if any(subset | x == x for x in maximal) or any(subset & x == x for x in minimal):
                continue
            while not any(subset & x == x for x in minimal):
                used = self._contradicting(subset)
                if used is None:
                    maximal.append(subset)
                    break
                minimal.append(self._thinned(used))
        return [self._named(x) for x in minimal], [self._named(x) for x in maximal]

    def _contradicting(self, subset: int) -> int | None:
        """Return the properties of a subset that contradict each other; None if the subset is feasible."""
        rows: list[ProgramRow] = [row for k in self._members(subset) for row in self.rows[k]]
        found = contradiction(rows)
        if found is None:
            return None
        named = {row.statement for _, row in found}
        return sum(1 << k for k in self._members(subset) if self.names[k] in named)

    def _thinned(self, subset: int) -> int:
        """Return a minimal infeasible part of an infeasible subset."""
        for k in self._members(subset):
            if subset >> k & 1:
                left = self._contradicting(subset & ~(1 << k))
                if left is not None:
                    subset = left
        return subset

    def _members(self, subset: int) -> list[int]:
        return [k for k in range(len(self.names)) if subset >> k & 1]

    def _named(self, subset: int) -> tuple[str, ...]:
        return tuple(self.names[k] for k in self._members(subset))


def proved(plan: RegionPlan) -> dict[str, tuple[str, ...]]:
    """Return the properties of the plan that some measures are proved to have.

    They are those that `gm.check` calls proved, and for `metric_with_a_baseline` those that its docstring proves.
    """
    from goodmeasure.catalogue.names import measure
    from goodmeasure.theory.check import check

    found: dict[str, tuple[str, ...]] = {}
    for name in CANDIDATES:
        if measure(name).classes not in (None, plan.classes):
            continue
        report = check(name, plan.classes, plan.domain, properties=list(plan.properties), seconds=1.0)
        found[name] = tuple(x for x in plan.properties if report[x].status == "proved")
    if plan.classes == 2:
        found[METRIC.name] = tuple(x for x in plan.properties if x in HAS)
    return found


def _impossible(plan: RegionPlan, names: tuple[str, ...]) -> MapData:
    """Return an impossible set with its proof, and the larger sizes on which alone it is possible, if there are any."""
    asked = PossibilityQuestion(names, plan.classes, plan.domain)
    found = asked.up_to(plan.n, time.perf_counter())
    if not isinstance(found, Impossible):
        raise ArithmeticError(f"{shorts(names)} were infeasible, and are feasible now")
    data = {name: x for name, x in found.to_dict().items() if name not in HEAD} | {"seconds": None}
    if found.for_every_n is None and found.n is not None and found.n < plan.n:
        beyond = tuple(range(found.n + 1, plan.n + 1))
        if isinstance(asked.on(beyond, time.perf_counter()), Possible):
            data["possible_sizes"] = list(beyond)
    return data


def _possible(plan: RegionPlan, names: tuple[str, ...], measures: dict[str, tuple[str, ...]]) -> MapData:
    """Return a possible set with a measure that has it for every n, or with a checked table."""
    known = next((x for x, has in measures.items() if set(names) <= set(has)), None)
    data: MapData = {"properties": list(names), "measure": known, "certificate": None}
    if known is None:
        found = PossibilityQuestion(names, plan.classes, plan.domain).on(
            tuple(range(1, plan.n + 1)), time.perf_counter()
        )
        if not isinstance(found, Possible):
            raise ArithmeticError(f"{shorts(names)} were feasible, and are infeasible now")
        data["certificate"] = found.certificate
    return data
