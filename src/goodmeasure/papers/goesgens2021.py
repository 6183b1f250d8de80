"""goesgens2021: which measures small data sets cannot tell apart (Tables 3 and 9)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations

from goodmeasure.catalogue.literature import tables as printed_tables
from goodmeasure.catalogue.measure import as_measure
from goodmeasure.comparison.distinguish import distinguish
from goodmeasure.comparison.which_is_better import direction
from goodmeasure.counts.counting import confusion
from goodmeasure.papers.paper_tables import PrintedCell, Recomputed, table
from goodmeasure.typing import ArrayLike

BINARY = {
    "Acc": "accuracy", "BA": "balanced_accuracy", "F1": "f1", "J": "jaccard", "kappa": "kappa",
    "CE": "confusion_entropy", "GM1": "generalized_mean(r=1)", "CC": "mcc", "SBA": "sba", "CD": "correlation_distance",
}  # fmt: skip
MULTICLASS = {**BINARY, "F1": "macro(f1)", "J": "macro(jaccard)", "GM1": "macro(generalized_mean(r=1))",
              "CCmacro": "macro(mcc)", "Acc/BA": "accuracy", "1-CE": "confusion_entropy"}  # fmt: skip

# Table 9 prints one labeling of ten items three times with eleven entries; only with this one do all 28 cells hold.
_ELEVEN = [1, 1, 1, 1, 1, 1, 1, 1, 0, 1]


@table("goesgens2021:table3", "measures that no data set of n items tells apart")
def table_3() -> Recomputed:
    """Compare the printed groups of indistinguishable measures with those over all data sets of n items."""
    names = {name: short for short, name in BINARY.items()}
    cells = []
    chosen = [as_measure(BINARY[x]) for x in ("Acc", "BA", "F1", "kappa", "CE", "GM1", "CC", "SBA")]
    ties = checked = 0
    for n, group in printed_tables()["goesgens2021:table3"]["rows"].items():
        result = distinguish(chosen, int(n))
        found = [[names[x] for x in y] for y in result.indistinguishable]
        ties, checked = ties + result.ties, checked + result.ties_checked
        cells.append(PrintedCell(f"n = {n}", "indistinguishable", _listed([group] if group else []), _listed(found),
                          [set(x) for x in found] == ([set(group)] if group else [])))  # fmt: skip
    return Recomputed(cells, [f"{checked} of {ties} ties were compared exactly."])


def _listed(groups: Sequence[Sequence[str]]) -> str:
    return "; ".join(", ".join(x) for x in groups) or "none"


@table("goesgens2021-appendix:table9", "six triplets of labelings that tell all pairs of measures apart")
def table_9() -> Recomputed:
    """Compare, for each pair of measures, the printed triplet with all that the pair orders in opposite ways."""
    printed = printed_tables()["goesgens2021-appendix:table9"]
    names = printed["names"]
    triplets = {int(k): [_ten(x) for x in found] for k, found in printed["triplets_printed"].items()}
    signs = {name: {k: _sign(BINARY[name], *x) for k, x in triplets.items()} for name in names}
    cells = []
    for (i, first), (j, second) in combinations(enumerate(names), 2):
        opposed = [k for k in triplets if signs[first][k] * signs[second][k] < 0]
        wanted = int(printed["matrix"][i][j])
        cells.append(PrintedCell(first, second, str(wanted), ", ".join(map(str, opposed)) or "none", wanted in opposed))
    return Recomputed(cells, [
        "Ours are all triplets that the two measures order in opposite ways, by exact values.",
        f"One labeling is printed with eleven entries; {tuple(_ELEVEN)} is the only one of ten for which all 28 hold.",
    ])  # fmt: skip


def _ten(labeling: list[int]) -> list[int]:
    return labeling if len(labeling) == 10 else _ELEVEN


def _sign(name: str, true: list[int], first: list[int], second: list[int]) -> int:
    f = as_measure(name)
    x, y = (f.exact(confusion(true, guess, labels=[0, 1])) for guess in (first, second))
    return direction(f) * (int(y > x) - int(y < x))


def rate_cells(
    names: list[str],
    matrix: ArrayLike,
    rates: ArrayLike,
    measures: dict[str, str],
    decimals: int,
    why: Callable[..., str],
) -> list[PrintedCell]:
    """Return the cells above the diagonal of a table of inconsistency rates in percent."""
    from goodmeasure.papers.paper_tables import number, rounds_to

    cells = []
    for (i, first), (j, second) in combinations(enumerate(names), 2):
        ours = 100 * rates[measures[first]][measures[second]]
        printed = matrix[i][j]
        agrees = rounds_to(ours, printed, decimals)
        cells.append(PrintedCell(first, second, f"{float(printed):.{decimals}f}", number(ours, decimals), agrees,
                          "" if agrees else why(first, second)))  # fmt: skip
    return cells
