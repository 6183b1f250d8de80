"""The lines that make a result again."""

from __future__ import annotations

from typing import Any

from goodmeasure import __version__
from goodmeasure.catalogue.measure import Measure
from goodmeasure.evaluation.choices import classwise as usual_classwise
from goodmeasure.evaluation.result import Result
from goodmeasure.evaluation.source import Variable
from goodmeasure.report.document import Block, Code, Facts
from goodmeasure.report.methods import how
from goodmeasure.report.numbers import level_text


def reproduction(result: Result) -> list[Block]:
    """The lines that make the result again, and what it depends on."""
    settings = result.settings
    names = written(settings.measures)
    call = result.source.python(names, {**_options(result), **_classwise(result)})
    typed = all(isinstance(name, str) for name in names) and not _classwise(result) and settings.confidence is not None
    command = result.source.command(tuple(f.name for f in settings.measures), _options(result)) if typed else None
    blocks: list[Block] = [] if command is None else [Code(command, "sh")]
    blocks.append(Code(f"import goodmeasure as gm\nresult = {call}", "python"))
    facts = [
        ("version", f"goodmeasure {__version__}"),
        ("undefined", f"{settings.policy}: what is done where a measure is 0/0"),
    ]
    if settings.confidence is not None:
        facts.append(("intervals", f"{level_text(settings.confidence)} confidence: {how(result)}"))
    return [*blocks, Facts(tuple(facts))]


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


def written(measures: tuple[Measure, ...]) -> tuple[Any, ...]:
    """Measures by name; a user's own by that of the function, which nobody else knows."""
    return tuple(Variable(f.name) if f._is_users_own() else f.name for f in measures)


def _classwise(result: Result) -> dict[str, Any]:
    """The measures of each class, if they are not the usual ones."""
    mine = result.settings.classwise
    if list(mine) == usual_classwise(None, result.settings.measures):
        return {}
    return {"classwise": list(written(mine)) or False}
