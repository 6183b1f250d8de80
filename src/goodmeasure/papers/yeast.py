"""goesgens2021: eighteen classifiers on the Yeast data (Tables 13 and 14)."""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations
from pathlib import Path

from goodmeasure.catalogue.literature import tables as printed_tables
from goodmeasure.comparison.disagreement import disagreement
from goodmeasure.counts.counting import confusion
from goodmeasure.papers.goesgens2021 import BINARY, MULTICLASS
from goodmeasure.papers.paper_tables import PrintedCell, Recomputed, number, rounds_to, table
from goodmeasure.papers.yeast_as_published import AVERAGES, TIE, Pairs, placing, scores
from goodmeasure.papers.yeast_classifiers import QDA, trained
from goodmeasure.typing import Array

NEEDS = "multiclass/yeast.tsv: the class and eight features in each line, tab-separated"
_WHY = (
    "the quadratic discriminant analysis: class ERL has 5 items and 8 features, so its covariance is singular and the "
    "predictions depend on rounding and on the version of scikit-learn; with the other 17 classifiers alone, and one "
    "placing of this one by the measures, every printed cell comes out"
)
_LABELS = (
    "The authors' helper leaves out the last class for every classifier that never predicts ERL, the class that is "
    "absent from the test fold; their averages of CC and CD are NaN if a class is never predicted, and such pairs are "
    "skipped but counted."
)
CORRECTED = ", all labels"
WantedPairs = dict[tuple[str, str], str | None]  # pairs of measures and the printed number; None where it is damaged


@lru_cache(2)
def _pairs(data: Path) -> Pairs:
    of = trained(data)
    return Pairs({name: scores(of.true, x, len(of.classes)) for name, x in of.predicted.items()})


@lru_cache(2)
def _matrices(data: Path) -> dict[str, Array]:
    """Return the matrices of the classifiers with all labels that occur in the test fold or in a prediction."""
    of = trained(data)
    known = sorted(set(of.true.tolist()).union(*(x.tolist() for x in of.predicted.values())))
    return {name: confusion(of.true, x, labels=known).counts for name, x in of.predicted.items()}


def _compared(data: Path, printed: WantedPairs, measures: dict[str, str], decimals: int) -> Recomputed:
    """Compare the printed rates with those of the authors' scoring, and show what correct labels would give."""
    pairs, of = _pairs(data), trained(data)
    most = len(pairs.pairs)
    rates = {pair: 100 * pairs.opposed(*pair) / most for pair in printed}
    explained = _explained(pairs, printed)
    cells = []
    for (one, two), shown in printed.items():
        ours = rates[one, two]
        agrees = shown is None or rounds_to(ours, shown, decimals)
        cells.append(
            PrintedCell(one, two, shown, number(ours, decimals), agrees, "" if agrees or not explained else _WHY)
        )
    right = disagreement(list(dict.fromkeys(measures.values())), _matrices(data), ties="consistent", tolerance=TIE)
    corrected = {(x, y): 100 * right.rates[measures[x]][measures[y]] for x, y in printed}
    cells += [PrintedCell(one + CORRECTED, two, None, number(x, decimals), True) for (one, two), x in corrected.items()]
    known = [(float(x), rates[pair], corrected[pair]) for pair, x in printed.items() if x is not None]
    notes = [
        f"{len(pairs.names)} classifiers, {most} pairs; a quarter of the items tested, seed 42.",
        _LABELS,
        f"The mean difference from the printed rates is {_mean_gap([(x, y) for x, y, _ in known]):.2f} points. Rows "
        "with all labels count every class, and resolve every 0/0 by the rule of its measure; their mean difference is "
        f"{_mean_gap([(x, z) for x, _, z in known]):.2f} points.",
    ]
    return Recomputed(cells, [*notes, *([f"Not trained: {'; '.join(of.failed)}."] if of.failed else [])])


def _mean_gap(pairs: list[tuple[float, float]]) -> float:
    return sum(abs(x - y) for x, y in pairs) / len(pairs)


def _explained(pairs: Pairs, printed: WantedPairs) -> bool:
    """Return whether all printed rates come out with the other classifiers, if the measures place QDA in some way."""
    most = len(pairs.pairs)
    wanted = {
        pair: round(float(shown) * most / 100) - pairs.opposed(*pair, without=QDA)
        for pair, shown in printed.items()
        if shown is not None
    }
    return QDA in pairs.names and placing(pairs, QDA, wanted) is not None


@table("goesgens2021-appendix:table13", "inconsistency of multiclass measures on Yeast, %", NEEDS)
def table_13(data: Path) -> Recomputed:
    """Recompute the inconsistency rates of nine measures on the pairs of classifiers."""
    printed = printed_tables()["goesgens2021-appendix:table13"]
    names = printed["names"]
    wanted = {
        (one, two): f"{float(printed['matrix'][i][j]):.1f}"
        for (i, one), (j, two) in combinations(enumerate(names), 2)
    }  # fmt: skip
    return _compared(data, dict(wanted), {x: MULTICLASS[x] for x in names}, 1)


@table("goesgens2021-appendix:table14", "inconsistency of averagings on Yeast, %", NEEDS)
def table_14(data: Path) -> Recomputed:
    """Recompute the inconsistency rates of micro, macro and weighted averages of each measure."""
    printed = printed_tables()["goesgens2021-appendix:table14"]
    wanted: WantedPairs = {}
    measures = dict[str, str]()
    for short in ("F1", "J", "CC", "CD", "GM1"):
        for pair, shown in printed[short].items():
            one, two = (f"{short} {way}" for way in pair.split("-"))
            wanted[one, two] = None if isinstance(shown, str) else f"{shown:.2f}"
        measures |= {f"{short} {way}": average.format(BINARY[short]) for way, average in AVERAGES.items()}
    measures |= {f"{x} def": BINARY[x] for x in ("CC", "CD")}
    found = _compared(data, wanted, measures, 2)
    found.notes.append("Two printed cells of F1 are damaged in our text of the paper.")
    return found
