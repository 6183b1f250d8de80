"""The papers' tables of properties, from the atlas, where the package has one."""

from __future__ import annotations

from functools import partial
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from goodmeasure.papers.registry import Cell, Outcome, table


def _compared(key: str) -> Outcome:
    """Every printed cell beside what is known, with a counterexample where they differ."""
    cells = [
        Cell(x.row, x.column, x.printed, x.ours, x.agrees, "" if x.agrees else _why(x))
        for x in _papers().compare(key)
    ]  # fmt: skip
    return Outcome(cells)


def _why(cell: Any) -> str:
    said = [cell.remark] if cell.remark else []
    for about, known in cell.evidence:
        witness = getattr(known, "witness", None)
        said.append(f"{about}: {known if witness is None else witness.says}")
    return "; ".join(said)


def _papers() -> Any:
    return import_module("goodmeasure.theory.atlas.printed_tables")


if find_spec("goodmeasure.theory") is not None and find_spec("goodmeasure.theory.atlas.printed_tables") is not None:
    for _key, (_, _title) in _papers().TITLES.items():
        table(_key, _title)(partial(_compared, _key))
