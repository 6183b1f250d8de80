"""A summary in GitHub's Markdown that fits a pull request: verdict, requirements, scorecard, and folded details."""

from __future__ import annotations

from collections.abc import Iterator

from goodmeasure.evaluation.requirements.gate import Gate, RequirementOutcome
from goodmeasure.report.content.requirements import verdict
from goodmeasure.report.document import Chart, Document, Grid, Section
from goodmeasure.report.formats.markdown import block_text, escaped, table

LONGEST = 60_000  # characters: GitHub refuses comments with more than 65,536
SHOWN = ("scorecard", "scores", "averages", "thresholds")  # sections whose first tables are not folded
FOLDED = ("summary", "differences", "slices", "classes", "matrix", "data", "reproduce")
_MOST_ROWS = 50  # rows of a table that is not folded
_MET, _NOT_MET = "✅ met", "❌ **not met**"


def pull_request(document: Document, gate: Gate) -> str:
    """Return the summary of a report whose result was held to requirements."""
    head = [f"## {'✅' if gate.met else '❌'} {escaped(verdict(gate))}", escaped(document.title), _requirements(gate)]
    head += [escaped(x) for x in gate.notes]
    room = LONGEST - len("\n\n".join(head))
    parts = list(head)
    left_out = []
    for title, text in _rest(document):
        if len(text) + 2 <= room:
            parts.append(text)
            room -= len(text) + 2
        else:
            left_out.append(title)
    if left_out:
        parts.append(f"Left out, as it is too long: {escaped(', '.join(left_out))}.")
    return "\n\n".join(x for x in parts if x) + "\n"


def _requirements(gate: Gate) -> str:
    ordered = sorted(gate.outcomes, key=lambda x: x.met)
    says = any(x.strength for x in ordered)
    columns = ["", "requirement", "found", *(["what a pass means"] if says else [])]
    lines = [f"| {' | '.join(columns)} |", f"|{' --- |' * len(columns)}"]
    lines += [f"| {' | '.join(_cells(x, says))} |" for x in ordered]
    return "\n".join(lines)


def _cells(x: RequirementOutcome, says: bool) -> list[str]:
    found = [_MET if x.met else _NOT_MET, _typed(x.requirement), escaped(x.found)]
    return [*found, *([escaped(x.strength) or "–"] if says else [])]


def _typed(text: str) -> str:
    """Return what one types as code, unless it holds a sign that would end the cell or the code."""
    return escaped(text) if set("|`\n") & set(text) or not text.isprintable() else f"`{text}`"


def _rest(document: Document) -> Iterator[tuple[str, str]]:
    """Yield what follows the requirements, with a title: first the scorecard, then folded sections."""
    in_sight = next((x for key in SHOWN for x in document.sections if x.key == key), None)
    if in_sight is not None:
        grids = [x for x in in_sight.blocks if isinstance(x, Grid)][:1]
        yield from ((in_sight.title, _cut(grid)) for grid in grids)
    folded = {x.key: x for x in document.sections if x is not in_sight}
    for key in FOLDED:
        if key in folded:
            yield folded[key].title, _details(folded[key])


def _cut(grid: Grid) -> str:
    rows = [[cell.words for cell in row] for row in grid.rows[:_MOST_ROWS]]
    more = len(grid.rows) - len(rows)
    text = f"**{escaped(grid.caption)}**\n\n{table(grid.columns, rows, grid.numbers)}"
    return text if more <= 0 else f"{text}\n\nand {more:,} more"


def _details(section: Section) -> str:
    """Return a section that is folded until somebody opens it; Markdown in it needs blank lines around."""
    blocks = [block_text(block) for block in section.blocks if not isinstance(block, Chart)]
    text = "\n\n".join(x for x in blocks if x)
    return f"<details>\n<summary>{escaped(section.title)}</summary>\n\n{text}\n\n</details>" if text else ""
