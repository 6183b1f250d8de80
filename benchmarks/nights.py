"""How often a job that runs `drift` every night rings, and how soon it rings after a real drop, for docs/streams.md.

python -m benchmarks.nights [--simulations 200] writes the table of docs/streams.md.
"""

from __future__ import annotations

import argparse
import re
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import goodmeasure as gm

PAGE = Path(__file__).parent.parent / "docs" / "streams.md"
NIGHTS, CHANGED, LATER = 100, 20, 10
GROUP = 10  # items


class Stream(NamedTuple):
    """Results of nights: items each, prevalence, accuracy, and whether the label belongs to a group of items."""

    name: str
    items: int
    prevalence: float
    accuracy: float
    drop: float
    grouped: bool = False

    def night(self, rng: np.random.Generator, accuracy: float) -> Any:
        """Return the result of one night."""
        if self.grouped:
            true = np.repeat(rng.random(self.items // GROUP) < self.prevalence, GROUP)
        else:
            true = rng.random(self.items) < self.prevalence
        predicted = np.where(rng.random(self.items) < accuracy, true, ~true)
        if not self.grouped:
            return gm.confusion(true, predicted, labels=[False, True])
        groups = np.arange(self.items) // GROUP
        return gm.evaluate(true, predicted, groups=groups, measures="accuracy", classwise=False, confidence=None)


STREAMS = (
    Stream("500 items, 30% positive", 500, 0.3, 0.92, 0.06),
    Stream("200 items, 5% positive", 200, 0.05, 0.9, 0.1),
    Stream("40 groups of 10 items with one label", 400, 0.5, 0.9, 0.08, grouped=True),
)


def one(stream: Stream, seed: int, drop: float, nights: int) -> tuple[int | None, bool, bool]:
    """Return the night of the first alarm, and whether both intervals held the truth each night."""
    rng, history, first, held, single = np.random.default_rng([seed, 8]), [], None, True, True
    for night in range(nights):
        accuracy = stream.accuracy - (drop if night >= CHANGED else 0)
        latest = stream.night(rng, accuracy)
        if history:
            found = gm.drift(history, latest, sequential=True, measures="accuracy")
            first = night if found.drifted and first is None else first
            x, change = found.interval("accuracy"), found.change("accuracy")
            held &= x.low <= stream.accuracy <= x.high
            single &= change.low <= 0 <= change.high
            if drop and first is not None:
                break
        history.append(latest)
    return first, held, single


def main() -> None:
    """Simulate every stream, with and without a change, and write the table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--simulations", type=int, default=200)
    times = parser.parse_args().simulations
    lines = [
        "| each night | any alarm in 100 unchanged nights | accuracy within its interval on all of them "
        "| change 0 within its interval on all of them | drop of accuracy after 20 nights | found within 10 nights "
        "| median delay in nights |",
        "| --- | ---: | ---: | ---: | ---: | ---: | ---: |",
    ]
    for stream in STREAMS:
        quiet = [one(stream, k, 0.0, NIGHTS) for k in range(times)]
        rung = [one(stream, times + k, stream.drop, CHANGED + LATER)[0] for k in range(times)]
        late = [x - CHANGED for x in rung if x is not None and x >= CHANGED]
        shares = (np.mean([x[0] is not None for x in quiet]), *(np.mean([x[j] for x in quiet]) for j in (1, 2)))
        numbers = " | ".join(f"{x:.1%}" for x in shares)
        lines.append(
            f"| {stream.name} | {numbers} | {stream.accuracy:g} to {stream.accuracy - stream.drop:g} "
            f"| {len(late) / times:.1%} | {np.median(late) + 1:g} |"
        )  # fmt: skip
        print(lines[-1], flush=True)
    text = "\n".join(["<!-- nights -->", *lines, "", f"{times:,} simulated streams each.", "<!-- end -->"])
    page = PAGE.read_text(encoding="utf-8")
    PAGE.write_text(re.sub(r"<!-- nights -->.*?<!-- end -->", lambda _: text, page, flags=re.DOTALL), encoding="utf-8")


if __name__ == "__main__":
    main()
