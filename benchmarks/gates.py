"""How often the gates of docs/ci.md stop a change that is harmless, and one that is not.

python -m benchmarks.gates [--simulations 1000] writes the table of docs/ci.md.
"""

from __future__ import annotations

import argparse
import math
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from goodmeasure.catalogue.names import measure
from goodmeasure.comparison.compare import compare_counts
from goodmeasure.comparison.comparison import Comparison
from goodmeasure.comparison.planning.assumptions import Population, of_matrices, with_difference
from goodmeasure.counts.matrix import ConfusionMatrix
from goodmeasure.evaluation.evaluate import evaluate
from goodmeasure.evaluation.provenance import ARRAYS, Provenance
from goodmeasure.evaluation.requirements.gate import Gate
from goodmeasure.keywords import complete
from goodmeasure.language.policy import RESOLVE
from goodmeasure.options import CompareOptions

PAGE = Path(__file__).parent.parent / "docs" / "ci.md"
MEASURE = "mcc"
REPLICATES = 399
BOUND, MARGIN = 0.7, 0.05
CASES = (2, 300), (2, 1000), (2, 3000), (5, 1000)  # numbers of classes and of items


def population(classes: int, loss: float) -> Population:
    """Two systems that disagree on a tenth of the items, of which the new one is worse by a loss of MCC."""
    shares = np.array([0.8, 0.2]) if classes == 2 else np.full(classes, 1 / classes)
    right = 0.9
    cells = np.full((classes, classes), (1 - right) / (classes - 1))
    np.fill_diagonal(cells, right)
    matrix = ConfusionMatrix(shares[:, None] * cells)
    alike = of_matrices({"new": matrix, "old": matrix}, None, 0.1)
    return with_difference(measure(MEASURE), alike, -loss, RESOLVE) if loss else alike


def compared(people: Population, number: Any, margin: float | None, seed: int) -> Comparison:
    """Return what `compare` says about one random data set."""
    joint = people.joint(number)
    how = {"measures": [MEASURE], "ensemble": False, "pairs": "old", "replicates": REPLICATES, "seed": seed,
           "margin": margin}  # fmt: skip
    return compare_counts(joint, Provenance(ARRAYS), complete(CompareOptions, how))


def gates(people: Population, items: int, simulations: int, margin: float | None, seed: int) -> list[Gate]:
    """Return the outcome of the gate on random data sets."""
    drawn = people.drawn(items, simulations, seed)
    return [compared(people, number, margin, k).checked(baseline="old") for k, number in enumerate(drawn)]


def stated(found: Sequence[Gate], read: Callable[[str], float]) -> float:
    """Return the mean of what the gates say about themselves."""
    numbers = [read(gate[0].strength) for gate in found if gate[0].strength]
    return float(np.mean(numbers)) if numbers else math.nan


def loss_of(text: str) -> float:
    """Return the loss that a gate says it would find."""
    return float(re.findall(r"loss of ([\d.]+)", text)[0])


def share_of(text: str) -> float:
    """Return the probability that a gate says an equally good system has."""
    return float(re.findall(r"(\d+)%", text)[0]) / 100


def passed(found: Sequence[Gate]) -> float:
    return sum(gate.met for gate in found) / len(found)


def against_baseline(simulations: int) -> list[str]:
    """Return the table of gates that compare with a baseline."""
    lines = [
        "| classes | items | gate | true loss of MCC | says of itself | passes |",
        "| ---: | ---: | --- | ---: | --- | ---: |",
    ]
    for classes, items in CASES:
        alike = gates(population(classes, 0), items, simulations, None, 1)
        loss = stated(alike, loss_of)
        worse = gates(population(classes, loss), items, simulations, None, 2)
        row = f"| {classes} | {items:,} | significance |"
        lines.append(f"{row} 0 | | {passed(alike):.1%} |")
        lines.append(f"{row} {loss:.3f} | found with 80% probability | {passed(worse):.1%} |")
        same = gates(population(classes, 0), items, simulations, MARGIN, 3)
        bad = gates(population(classes, MARGIN), items, simulations, MARGIN, 4)
        row = f"| {classes} | {items:,} | margin {MARGIN:g} |"
        lines.append(f"{row} 0 | passes with {stated(same, share_of):.0%} probability | {passed(same):.1%} |")
        lines.append(f"{row} {MARGIN:.3f} | passes with at most 5% probability | {passed(bad):.1%} |")
        print("\n".join(lines[-4:]), flush=True)
    return lines


def against_bound(simulations: int) -> list[str]:
    """Return the table of gates that compare with a number."""
    lines = ["| items | gate | true MCC | passes |", "| ---: | --- | ---: | ---: |"]
    for items in (300, 1000, 3000):
        for confident in (False, True):
            for true in (BOUND - 0.05, BOUND, BOUND + 0.05):
                matrix = np.array([[0.5 + true / 2, 0.5 - true / 2], [0.5 - true / 2, 0.5 + true / 2]]) / 2
                drawn = np.random.default_rng(items).multinomial(items, matrix.ravel(), size=simulations)
                hits = sum(_meets(number.reshape(2, 2), confident) for number in drawn)
                name = f"mcc >= {BOUND:g}{' --confident' if confident else ''}"
                lines.append(f"| {items:,} | `{name}` | {true:.2f} | {hits / simulations:.1%} |")
        print("\n".join(lines[-6:]), flush=True)
    return lines


def _meets(counts: Any, confident: bool) -> bool:
    result = evaluate(ConfusionMatrix(counts), measures=[MEASURE], classwise=False)
    return result.checked(f"{MEASURE} >= {BOUND}", confident=confident).met


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--simulations", type=int, default=1000)
    simulations = parser.parse_args().simulations
    bound, baseline = against_bound(simulations), against_baseline(simulations)
    said = f"{simulations:,} simulated data sets each; the systems disagree on 10% of the items."
    text = "\n".join(["<!-- gates -->", *bound, "", *baseline, "", said, "<!-- end -->"])
    page = PAGE.read_text(encoding="utf-8")
    PAGE.write_text(re.sub(r"<!-- gates -->.*?<!-- end -->", lambda _: text, page, flags=re.DOTALL), encoding="utf-8")


if __name__ == "__main__":
    main()
