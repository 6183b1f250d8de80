"""The lines that make a result again."""

from __future__ import annotations

from typing import Any

from goodmeasure.evaluation.chosen_measures import classwise as usual_classwise
from goodmeasure.evaluation.provenance import written
from goodmeasure.evaluation.result import Result
from goodmeasure.report.content.comparison import comparison_options
from goodmeasure.report.content.interval_methods import how
from goodmeasure.report.content.reproduce_section import reproduce_section
from goodmeasure.report.document import Section
from goodmeasure.report.numbers import level_text


def reproduction(result: Result) -> Section:
    """The lines that make the result again, and what it depends on."""
    settings = result.settings
    names = written(settings.measures)
    call = result.source.python(names, {**_options(result), **_classwise(result)})
    typed = all(isinstance(name, str) for name in names) and not _classwise(result) and settings.confidence is not None
    command = result.source.command(tuple(f.name for f in settings.measures), _options(result)) if typed else None
    facts = [("undefined", f"{settings.policy}: what is done where a measure is 0/0")]
    if settings.confidence is not None:
        facts.append(("intervals", f"{level_text(settings.confidence)} confidence: {how(result)}"))
    return reproduce_section(command, [f"result = {call}", *_beside(result, names)], *facts)


def _beside(result: Result, names: tuple[Any, ...]) -> list[str]:
    """The lines that bring back what stands beside the result."""
    found, lines = result.compared, []
    if found is not None:
        call = found.source.python(names, {"ensemble": False, **comparison_options(found)}, "compare")
        lines.append(f"result = result.beside(compared={call})")
    if result.swept is not None:
        lines.append(f"result = result.beside(swept={result.swept.source.python_of_sweep(names, {})})")
    return lines


def _options(result: Result) -> dict[str, Any]:
    """How values and intervals were found, as far as it is not the usual way."""
    settings = result.settings
    options: dict[str, Any] = {"confidence": settings.confidence, "seed": settings.seed}
    usual = type(settings)((), ())
    if settings.method != usual.method:
        options["method"] = settings.method
    if settings.replicates != usual.replicates:
        options["replicates"] = settings.replicates
    if settings.policy != usual.policy:
        options["undefined"] = settings.policy.number if settings.policy.name == "number" else settings.policy.name
    return options


def _classwise(result: Result) -> dict[str, Any]:
    """The measures of each class, if they are not the usual ones."""
    mine = result.settings.classwise
    if list(mine) == usual_classwise(None, result.settings.measures):
        return {}
    return {"classwise": list(written(mine)) or False}
