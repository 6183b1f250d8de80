"""How often whole reports claim a difference that is none, and how often they find one that is there.

python -m benchmarks.claims [--simulations 200] writes the table of docs/report.md.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import goodmeasure as gm

PAGE = Path(__file__).parent.parent / "docs" / "report.md"
_NOT = re.compile(
    r"no significant|not significant|No system|Neither|[Ww]hether|random guessing|; ≠ significantly|; ~|^\W*0 of|"
    r"no single slice|marks: no"
)


def claims_of(text: str) -> list[str]:
    """Return what a page says to be significant: sentences without a negation, and signs in tables."""
    said = [x for x in re.split(r"(?<=[.;:])\s|, but |\n", text) if "significant" in x and not _NOT.search(x)]
    return said + re.findall(r"\d[^|\n]{0,3}≠", text)


Data = tuple[Any, Any, dict[str, Any]]


def systems(rng: np.random.Generator, items: int, prevalence: float, right: list[float], classes: int = 2) -> Data:
    """Return true labels and those of systems that are right with these probabilities, often together."""
    true = (rng.random(items) < prevalence).astype(int) if classes == 2 else rng.integers(0, classes, items)
    common, predicted = rng.random(items), {}
    for k, share in enumerate(right):
        drawn = np.where(rng.random(items) < 0.5, common, rng.random(items))
        predicted["ABCDE"[k]] = np.where(drawn < share, true, (true + rng.integers(1, classes, items)) % classes)
    return true, predicted, {}


def sliced(
    rng: np.random.Generator, items: int, columns: int, values: int, gap: float = 0.0, several: bool = False
) -> Data:
    """Return predictions with columns of slices, of which one value of the first is worse by a gap."""
    true = (rng.random(items) < 0.3).astype(int)
    by = {f"c{k}": rng.integers(0, values, items) for k in range(columns)}
    share = np.where(by["c0"] == 0, 0.85 - gap, 0.85)
    drawn = {x: np.where(rng.random(items) < share, true, 1 - true) for x in ("AB" if several else "A")}
    return true, drawn if several else drawn["A"], {"by": by}


KINDS: dict[str, tuple[bool, Callable[[np.random.Generator], Data], Callable[[np.random.Generator], Data]]] = {
    "compare, 2 systems, 300 items": (
        True, lambda r: systems(r, 300, 0.3, [0.85, 0.85]), lambda r: systems(r, 300, 0.3, [0.90, 0.83]),
    ),
    "compare, 5 systems, 300 items of 4 classes": (
        True, lambda r: systems(r, 300, 0.3, [0.85] * 5, 4), lambda r: systems(r, 300, 0.3, [0.91] + [0.83] * 4, 4),
    ),
    "evaluate, 2 systems, 300 items": (
        False, lambda r: systems(r, 300, 0.3, [0.85, 0.85]), lambda r: systems(r, 300, 0.3, [0.90, 0.83]),
    ),
    "evaluate, 5 slices of 1,500 items": (
        False, lambda r: sliced(r, 1500, 1, 5), lambda r: sliced(r, 1500, 1, 5, 0.10),
    ),
    "evaluate, 3 columns of 4 slices, 600 items": (
        False, lambda r: sliced(r, 600, 3, 4), lambda r: sliced(r, 600, 3, 4, 0.18),
    ),
    "evaluate, 2 systems and 4 slices, 800 items": (
        False, lambda r: sliced(r, 800, 1, 4, several=True), lambda r: sliced(r, 800, 1, 4, 0.15, several=True),
    ),
}  # fmt: skip


def page(of_compare: bool, data: Data, family: str | None, seed: int) -> str:
    """Return everything that the report says."""
    true, predicted, more = data
    what = gm.compare if of_compare else gm.evaluate
    found = what(true, predicted, replicates=499, seed=seed, family=family, **more)
    return str(found.to_markdown())


def shares(name: str, times: int) -> list[float]:
    """Return how many pages claim something: without and with a budget, where nothing differs and where something."""
    of_compare, null, real = KINDS[name]
    found = []
    for made in (null, real):
        for family in (None, "page"):
            pages = (page(of_compare, made(np.random.default_rng([k, 3])), family, k) for k in range(times))
            found.append(float(np.mean([bool(claims_of(x)) for x in pages])))
    return found


def main() -> None:
    """Simulate every kind of page and write the table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--simulations", type=int, default=200)
    times = parser.parse_args().simulations
    lines = [
        "| page | nothing differs, `family=None` | with the budget | something differs, `family=None` "
        "| with the budget |",
        "| --- | ---: | ---: | ---: | ---: |",
    ]
    for name in KINDS:
        lines.append(f"| {name} | {' | '.join(f'{x:.1%}' for x in shares(name, times))} |")
        print(lines[-1], flush=True)
    text = "\n".join(["<!-- claims -->", *lines, "", f"{times:,} simulated pages each.", "<!-- end -->"])
    page = PAGE.read_text(encoding="utf-8")
    PAGE.write_text(re.sub(r"<!-- claims -->.*?<!-- end -->", lambda _: text, page, flags=re.DOTALL), encoding="utf-8")


if __name__ == "__main__":
    main()
