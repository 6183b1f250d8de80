"""Timing contenders fairly: interleaved in one process, the minimum of repeats, process time."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field

_TURN = 0.5  # seconds


@dataclass
class Row:
    """One piece of work and what each contender took for it, in seconds; the first contender is ours."""

    key: str
    work: str
    seconds: dict[str, float]
    at_least: dict[str, float] = field(default_factory=dict)  # how many times as long as ours a contender should take
    at_most: dict[str, float] = field(default_factory=dict)  # how many times as long as a contender ours may take
    note: str = ""

    @property
    def ours(self) -> float:
        return next(iter(self.seconds.values()))

    def aim(self, contender: str) -> str:
        """What was aimed at against a contender, and whether it is met."""
        if contender in self.at_least:
            wanted, found, sign = self.at_least[contender], self.ratio(contender), "≥"
            missed = wanted / found - 1
        elif contender in self.at_most:
            wanted, found, sign = self.at_most[contender], 1 / self.ratio(contender), "ours ≤"
            missed = found / wanted - 1
        else:
            return ""
        return f"{sign} {wanted:g} ×: {'met' if missed <= 0 else f'missed by {missed:.0%}'}"

    def ratio(self, contender: str) -> float:
        """How many times as long as ours a contender takes."""
        return self.seconds[contender] / self.ours


def unit(seconds: float) -> str:
    """Return a time in the unit that suits it."""
    for name, size in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= size:
            return f"{seconds / size:.3g} {name}"
    return f"{seconds * 1e9:.3g} ns"


def race(
    contenders: dict[str, Callable[[], object]], repeats: int = 5, share: dict[str, float] | None = None
) -> dict[str, float]:
    """The least process time of each contender, all of them in turn; ``share`` scales up work done on a part."""
    best = dict.fromkeys(contenders, float("inf"))
    for _ in range(repeats):
        for name, work in contenders.items():
            spent = 0.0
            while spent < _TURN:  # quick work is repeated within its turn, so that every minimum is a fair one
                start = time.process_time()
                work()
                took = time.process_time() - start
                best[name], spent = min(best[name], took), spent + max(took, _TURN / 50)
    return {name: seconds / (share or {}).get(name, 1.0) for name, seconds in best.items()}


def calls(work: Callable[[], object], number: int) -> Callable[[], object]:
    """The same small work many times, to be divided by ``number`` through ``share``."""

    def repeated() -> None:
        for _ in range(number):
            work()

    return repeated


def cold(statements: dict[str, str], repeats: int = 7) -> dict[str, float]:
    """The least wall time of fresh interpreters that run a statement, less that of one that does nothing."""
    best = dict.fromkeys(["pass", *statements], float("inf"))
    for _ in range(repeats):
        for name, code in {"pass": "pass", **statements}.items():
            start = time.perf_counter()
            subprocess.run([sys.executable, "-c", code], check=True)
            best[name] = min(best[name], time.perf_counter() - start)
    return {name: best[name] - best["pass"] for name in statements}
