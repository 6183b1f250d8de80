"""How the authors of goesgens2021 scored the classifiers on Yeast: what their helper makes of the labels, and of NaN.

The helper for confusion entropy, CC and SBA numbers the classes 0 … 9 and takes as many of them, from the first on, as
occur among true and predicted labels. No item of the test fold is of class 1 (ERL). So for a classifier that never
predicts it, nine classes are taken: ERL, which is empty, is one of them, and the last class (VAC) is left out, while n
still counts all items. Averages of GM1, CC and CD run over the true classes, and are NaN if one of these is never
predicted. F1, Jaccard, balanced accuracy and kappa are those of scikit-learn, over all labels that occur.

Two measures disagree on a pair of classifiers if they prefer different ones by more than 1e-5. A pair with a NaN never
counts, but stays in the denominator.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import combinations

import numpy as np

from goodmeasure.catalogue.names import measure
from goodmeasure.typing import Array

TIE = 1e-5
AVERAGES = {"mic": "micro({})", "mac": "macro({})", "wgt": "weighted({})"}


def scores(true: Array, predicted: Array, classes: int) -> dict[str, float]:
    """Return the values of one classifier by each measure of Tables 13 and 14, higher being better but for CD."""
    counts = np.zeros((classes, classes), np.int64)
    np.add.at(counts, (true, predicted), 1)
    seen = (counts.sum(axis=0) > 0) | (counts.sum(axis=1) > 0)
    whole = counts[np.ix_(seen, seen)]
    found = {
        "Acc": _value("accuracy", whole),
        "BA": _value("macro(recall)", whole),
        "kappa": _value("kappa", whole),
        **_leading_block(counts[: seen.sum(), : seen.sum()], len(true)),
    }
    for short, name in (("F1", "f1"), ("J", "jaccard")):
        found |= {f"{short} {way}": _value(average.format(name), whole) for way, average in AVERAGES.items()}
    for short, name in (("GM1", "generalized_mean(r=1)"), ("CC", "mcc"), ("CD", "correlation_distance")):
        found |= {f"{short} {way}": x for way, x in _averages(name, counts).items()}
    found |= {"F1": found["F1 mac"], "J": found["J mac"], "GM1": found["GM1 mac"], "CC def": found["CC"]}
    return found | {"CD def": math.acos(found["CC"]) / math.pi}


def _value(name: str, counts: Array) -> float:
    return float(measure(name)(counts))


def _leading_block(block: Array, n: int) -> dict[str, float]:
    """Return confusion entropy (turned), CC and SBA of the classes that the helper takes, with n of all items."""
    hits, a, b = np.diag(block), block.sum(axis=1), block.sum(axis=0)
    recalls = [float(h / x) if x else float(y / n) for h, x, y in zip(hits, a, b, strict=True)]
    precisions = [float(h / y) if y else float(x / n) for h, x, y in zip(hits, a, b, strict=True)]
    spread = math.sqrt(float((n * n - (a * a).sum()) * (n * n - (b * b).sum())))
    return {
        "CE": -_value("confusion_entropy", block) * float(block.sum()) / n,
        "CC": float(n * hits.sum() - (a * b).sum()) / spread if spread else math.nan,
        "SBA": (sum(recalls) + sum(precisions)) / 2 / len(block),
    }


def _averages(name: str, counts: Array) -> dict[str, float]:
    """Return the averages of a binary measure over the true classes; NaN if it is 0/0 for one of them."""
    n, a, b = counts.sum(), counts.sum(axis=1), counts.sum(axis=0)
    present = np.flatnonzero(a)
    tables = [_against_the_rest(int(counts[i, i]), int(a[i]), int(b[i]), int(n)) for i in present]
    values = np.array([float(measure(name)(x, undefined="nan")) for x in tables])
    return {
        "mic": float(measure(name)(sum(tables), undefined="nan")),
        "mac": float(values.mean()),
        "wgt": float(values @ a[present] / n),
    }


def _against_the_rest(hits: int, a: int, b: int, n: int) -> Array:
    return np.array([[n - a - b + hits, b - hits], [a - hits, hits]])


Scores = Mapping[str, Mapping[str, float]]  # by classifier and measure


class Pairs:
    """Which of two classifiers each measure prefers, for all pairs."""

    def __init__(self, scored: Scores) -> None:
        self.names = list(scored)
        self.pairs = list(combinations(range(len(self.names)), 2))
        self._values = {k: np.array([x[k] for x in scored.values()]) for k in next(iter(scored.values()))}

    def opposed(self, one: str, two: str, *, without: str | None = None) -> int:
        """Return on how many pairs two measures prefer different classifiers; one classifier may be left out."""
        kept = [k for k, name in enumerate(self.names) if name != without]
        signs = [_preferred(self._values[x][kept][:, None], self._values[x][kept]) for x in (one, two)]
        return int((signs[0] * signs[1] < 0).sum()) // 2

    def places(self, name: str, left_out: str) -> list[Array]:
        """Return all ways in which a measure can place one classifier among the others: +1 above each, 0 tied, −1."""
        others = self._values[name][[k for k, x in enumerate(self.names) if x != left_out]]
        known = np.unique(others[~np.isnan(others)])
        between = [known[0] - 1, *((known[1:] + known[:-1]) / 2), known[-1] + 1, *known]
        return [_preferred(np.array(x), others) for x in between]


def _preferred(x: Array, y: Array) -> Array:
    """Return the sign of x − y; 0 for a tie and where one is NaN."""
    gap = x - y
    found: Array = np.where(np.abs(gap) > TIE, np.sign(np.nan_to_num(gap)), 0)
    return found


def placing(pairs: Pairs, left_out: str, wanted: Mapping[tuple[str, str], int]) -> dict[str, Array] | None:
    """Return how the measures must place one classifier so that they oppose each other on so many of its pairs.

    ``wanted`` gives this number for pairs of measures. Places are tried measure by measure; None if no choice gives all
    the numbers.
    """
    names = list(dict.fromkeys(x for pair in wanted for x in pair))
    options = {x: pairs.places(x, left_out) for x in names}
    return _placed(names, options, wanted, {})


def _placed(
    names: Sequence[str],
    options: Mapping[str, list[Array]],
    wanted: Mapping[tuple[str, str], int],
    chosen: dict[str, Array],
) -> dict[str, Array] | None:
    if len(chosen) == len(names):
        return dict(chosen)
    name = names[len(chosen)]
    for place in options[name]:
        numbers = (
            (wanted.get((x, name), wanted.get((name, x))), int((place * y < 0).sum())) for x, y in chosen.items()
        )
        if all(number in (None, found) for number, found in numbers):
            rest = _placed(names, options, wanted, {**chosen, name: place})
            if rest is not None:
                return rest
    return None
