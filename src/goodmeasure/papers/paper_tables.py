"""The registry of the papers' tables: what is printed, what we compute, and why they differ where they do."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from difflib import get_close_matches
from fractions import Fraction
from importlib import import_module
from pathlib import Path
from typing import SupportsFloat

from goodmeasure.exceptions import Given, InputError
from goodmeasure.language.exact.reals import Exact
from goodmeasure.papers.figures import Figure

MODULES = ("goesgens2021", "goesgens2021_appendix_c", "rain", "sentiment", "imagenet", "yeast", "opitz2024",
           "rh_dif2norm", "sebastiani2015", "definitions", "property_tables")  # fmt: skip


class MissingData(InputError):  # noqa: N818 - what is missing, not what went wrong
    """The data folder lacks files that a table needs."""


@dataclass(frozen=True)
class PrintedCell:
    """One printed cell and the recomputed one; `why` explains a difference, if the reason is known."""

    row: str
    column: str
    printed: str | None  # None: the paper prints no number here (a figure)
    ours: str
    agrees: bool
    why: str = ""

    @property
    def text(self) -> str:
        """Return the printed and the recomputed value; ours alone where the paper prints none."""
        if self.printed is None:
            return self.ours
        return f"{self.printed} | {self.ours}{'' if self.agrees else ' ←'}"

    def to_dict(self) -> dict[str, object]:
        """Return the cell as plain data."""
        return vars(self)


@dataclass
class Recomputed:
    """A recomputed table or figure: its cells, notes on all of them, and the figure as data, if it is one."""

    cells: list[PrintedCell]
    notes: list[str] = field(default_factory=list)
    figure: Figure | None = None

    @property
    def differing(self) -> list[PrintedCell]:
        """Return the cells that differ from what is printed."""
        return [x for x in self.cells if not x.agrees]


@dataclass(frozen=True)
class PaperTable:
    """A table of a paper: its key, such as goesgens2021:table3, its title, and the function that recomputes it."""

    key: str
    title: str
    compute: Callable[..., Recomputed]
    needs: str | None = None  # the files that the data folder must have

    def reproduced(self, data: Path | None) -> Recomputed:
        """Return the recomputed table; raise if it needs data that are not there."""
        if self.needs is None:
            return self.compute()
        if data is None:
            raise MissingData(
                "{key} needs the authors' data", key=self.key, needs=self.needs, argument="data",
                advice="name a folder with {data:=DIR} that has {needs}",
            )  # fmt: skip
        return self.compute(data)


_TABLES: dict[str, PaperTable] = {}


def table(
    key: str, title: str, needs: str | None = None
) -> Callable[[Callable[..., Recomputed]], Callable[..., Recomputed]]:
    """Register a function that recomputes a table; with `needs`, it is called with the data folder."""

    def registered(compute: Callable[..., Recomputed]) -> Callable[..., Recomputed]:
        _TABLES[key] = PaperTable(key, title, compute, needs)
        return compute

    return registered


def tables() -> dict[str, PaperTable]:
    """Return all tables by key."""
    for name in MODULES:
        import_module(f"goodmeasure.papers.{name}")
    return _TABLES


def wanted(name: str) -> list[PaperTable]:
    """Return one table by its key, with or without the name of the paper, or all tables of a paper."""
    known = tables()
    if name in known:
        return [known[name]]
    found = [x for key, x in known.items() if key.partition(":")[0] == name]
    alike = [key for key in known if key.partition(":")[2] == name]
    if len(alike) == 1:
        return [known[alike[0]]]
    if not found:
        near = alike or get_close_matches(name, known, n=3)
        meant = f" (did you mean {' or '.join(near)}?)" if near else ""
        raise InputError(
            "there is no table or figure {name!r}{meant}",
            name=name,
            meant=meant,
            advice="goodmeasure reproduce lists them",
        )
    return found


def in_folder(data: Path, folder: str, pattern: str) -> list[Path]:
    """Return the files that match in a named folder of the data, or in the data folder itself."""
    for place in (data / folder, data):
        found = sorted(place.glob(pattern))
        if found:
            return found
    raise MissingData(
        "{where} has no {pattern}, neither there nor in {folder}/", where=Given("data", str(data)), got=data,
        pattern=pattern, folder=folder,
    )  # fmt: skip


def rounds_to(value: float | Fraction | Exact, printed: float | str, decimals: int) -> bool:
    """Return whether a value rounds to the printed one with this many decimals; a half may go either way."""
    half = Fraction(1, 2 * 10**decimals)
    if isinstance(value, float):
        if math.isnan(value):
            return False
        return abs(value - float(printed)) <= float(half) * (1 + 1e-9)
    shown = Fraction(str(printed))
    return bool(shown - half <= value <= shown + half)


def number(value: SupportsFloat, decimals: int) -> str:
    """Return a value as text with this many decimals."""
    return "undefined" if math.isnan(float(value)) else f"{float(value):.{decimals}f}"
