"""The papers' tables of properties, compared with the verdicts of the atlas."""

from __future__ import annotations

from functools import partial

from goodmeasure.papers.paper_tables import PrintedCell, Recomputed, table
from goodmeasure.theory.atlas import printed_tables


def _compared(key: str) -> Recomputed:
    """Compare every printed cell with what is known, with a counterexample where they differ."""
    compared = printed_tables.compare(key)
    cells = [PrintedCell(x.row, x.column, x.printed, x.ours, x.agrees, "" if x.agrees else _why(x)) for x in compared]
    said = [f"{x.row}, {x.column}: {x.remark}." for x in compared if x.agrees and x.remark]
    depend = [x for x in compared if x.depends and x.agrees]
    if depend:
        said.insert(0, f"{len(depend)} of the cells that agree, marked {printed_tables.DEPENDS}, depend on the domain: "
                       "they hold where every class occurs in both labelings, and not on all matrices.")  # fmt: skip
    if key == "goesgens2021:table2":
        own = printed_tables.own_averages()
        cells += [PrintedCell(x.row, x.column, None, x.ours, True, _why(x) if x.depends else "") for x in own]
        said.append("Macro is the paper's average over all classes, macro(M, classes='all'); the last row is about the "
                    "default of gm.macro.")  # fmt: skip
    return Recomputed(cells, said)


def _why(cell: printed_tables.ComparedCell) -> str:
    """Return the evidence against a printed cell: remarks, and witnesses where there are some."""
    said = [cell.remark] if cell.remark else []
    for about, known in cell.evidence:
        witness = getattr(known, "witness", None)
        said.append(f"{about}: {known if witness is None else witness.says}")
    return "; ".join(said)


for _key, (_, _title) in printed_tables.TITLES.items():
    table(_key, _title)(partial(_compared, _key))
