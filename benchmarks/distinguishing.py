"""W9: which measures no data set of n items tells apart."""

from __future__ import annotations

from itertools import product

import numpy as np

import goodmeasure as gm
from benchmarks.timing import Row, race
from goodmeasure.comparison.distinguish import distinguish

EIGHT = ("accuracy", "balanced_accuracy", "f1", "kappa", "confusion_entropy", "generalized_mean(r=1)", "mcc", "sba")
TEN = (*EIGHT, "jaccard", "correlation_distance")
SECONDS_AT_8 = 856.0  # the authors' enumeration of triplets, as it was timed on another machine
SAMPLED = 200


def triplets(n: int, most: int):
    """Some triplets of labelings, evenly spread, as an enumeration would visit them."""
    labelings = [np.array(x) for x in product([0, 1], repeat=n) if 0 < sum(x) < n]
    total = len(labelings) ** 3
    for k in np.linspace(0, total - 1, most).astype(int):
        first, rest = divmod(int(k), len(labelings) ** 2)
        second, third = divmod(rest, len(labelings))
        yield labelings[first], labelings[second], labelings[third]


def enumerate_triplets(n: int) -> None:
    """The definition, triplet by triplet, with values by our measures."""
    measures = [gm.measure(name) for name in EIGHT]
    for a, b, c in triplets(n, SAMPLED):
        for f in measures:
            np.sign(f(gm.confusion(a, b)) - f(gm.confusion(a, c)))


def rows() -> list[Row]:
    share = SAMPLED / (2**8 - 2) ** 3
    small = {
        "goodmeasure, n=8": lambda: distinguish(EIGHT, 8).groups,
        "triplet by triplet, n=8": lambda: enumerate_triplets(8),
    }
    seconds = race(small, repeats=3, share={"triplet by triplet, n=8": share})
    found = race({"goodmeasure, n=500, ten measures": lambda: distinguish(TEN, 500).groups}, repeats=2)
    return [
        Row(
            "W9 n=8",
            "groups of eight measures on 8 items",
            {**seconds, "the authors' enumeration (856 s on another machine)": SECONDS_AT_8},
            {"the authors' enumeration (856 s on another machine)": 100_000},
            note=f"Triplet by triplet was timed on {SAMPLED} of 16 million triplets.",
        ),
        Row(
            "W9 n=500",
            "groups of ten measures on 500 items, two pairs of which agree",
            {**found, "the aim": 10.0},
            at_most={"the aim": 1.0},
        ),
    ]
