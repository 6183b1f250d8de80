"""Requirements in a report: the verdict, and a table of what was required and what was found."""

from __future__ import annotations

from dataclasses import replace

from goodmeasure.evaluation.requirements.gate import Gate, RequirementOutcome
from goodmeasure.report.document import FIRST, Block, Document, Finding, Grid, Section, Sentences, TableCell
from goodmeasure.report.numbers import many

KEY = "requirements"


def verdict(gate: Gate) -> str:
    """Return whether all requirements are met, in one sentence."""
    number, unmet = len(gate), len(gate.unmet)
    if not unmet:
        few = {1: "The requirement is met.", 2: "Both requirements are met."}
        return few.get(number, f"All {number} requirements are met.")
    if number == 1:
        return "The requirement is not met."
    return f"{unmet} of {many(number, 'requirement')} {'is' if unmet == 1 else 'are'} not met."


def requirements_grid(gate: Gate) -> Grid:
    """Return the table of requirements, first those that are not met."""
    ordered = sorted(gate.outcomes, key=lambda x: x.met)
    says = any(x.strength for x in ordered)
    columns = ("requirement", "result", "found", *(("what a pass means",) if says else ()))
    rows = tuple(_row(x, says) for x in ordered)
    return Grid("Requirements", columns, rows)


def _row(x: RequirementOutcome, says: bool) -> tuple[TableCell, ...]:
    mark = TableCell("met" if x.met else "not met")
    return (TableCell(x.requirement), mark, TableCell(x.found), *((TableCell(x.strength or "–"),) if says else ()))


def requirements_blocks(gate: Gate) -> tuple[Block, ...]:
    """Return the verdict and the table."""
    lines = (verdict(gate), *gate.notes)
    return (Sentences(lines), requirements_grid(gate))


def with_requirements(document: Document, gate: Gate | None) -> Document:
    """Return a report with its requirements first; where it has a first screen, that says whether they are met."""
    if gate is None:
        return document
    mine = Section(KEY, "Requirements", requirements_blocks(gate), opened=True)
    first, *rest = document.sections
    if not any(isinstance(block, Finding) for block in first.blocks) or first.key != FIRST:
        return replace(document, sections=(mine, *document.sections))
    said = Sentences((verdict(gate),), warning=bool(gate.unmet))
    return replace(document, sections=(replace(first, blocks=(said, *first.blocks)), mine, *rest))
