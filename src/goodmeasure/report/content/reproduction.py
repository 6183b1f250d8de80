"""The last section of every report: how to reproduce its numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from goodmeasure import __version__
from goodmeasure.comparison.comparison import Comparison
from goodmeasure.comparison.ensemble import ensemble_of
from goodmeasure.evaluation.chosen_measures import classwise as usual_classwise
from goodmeasure.evaluation.provenance import written
from goodmeasure.evaluation.result import Result
from goodmeasure.evaluation.thresholds.sweep import Sweep
from goodmeasure.language.policy import RESOLVE
from goodmeasure.report.content.interval_methods import how
from goodmeasure.report.content.main_finding import measures_of
from goodmeasure.report.document import Block, Code, Facts, Section
from goodmeasure.report.numbers import level_text

if TYPE_CHECKING:
    from goodmeasure.comparison.settings import ComparisonSettings
    from goodmeasure.evaluation.scoring import Settings

_RULES = {
    "resolve": "each measure follows its own rule for 0/0 (undefined='resolve')",
    "nan": "a measure that is 0/0 is undefined (undefined='nan')",
    "raise": "a measure that is 0/0 is an error (undefined='raise')",
}
_REPLACED = "each term that is 0/0 is replaced by {0} (undefined={0})"


def evaluation_reproduction(result: Result) -> Section:
    """Return the section for an evaluation: how to make the result again, and what it depends on."""
    settings = result.settings
    measures = measures_of(result) if result.source.of_outcomes else settings.measures
    names = written(measures)
    options, classwise = _changed(settings, type(settings)((), ())), _classwise(result)
    call = result.source.python(names, {**options, **classwise})
    typed = all(isinstance(name, str) for name in names) and not classwise and settings.confidence is not None
    command = result.source.command(tuple(f.name for f in measures), options) if typed else None
    facts = [("zero division", _RULES.get(settings.policy.name, _REPLACED).format(settings.policy))]
    if settings.confidence is not None:
        facts.append(("intervals", f"{level_text(settings.confidence)} confidence: {how(result)}"))
    return _section(command, [f"result = {call}", *_beside(result, names)], *facts)


def _beside(result: Result, names: tuple[object, ...]) -> list[str]:
    """Return the line that makes the sweep again, where it came beside predicted labels."""
    if result.swept is None or result.scored is not None:
        return []
    return [f"result = result.with_sweep({result.swept.source.python_of_sweep(names, {})})"]


def _classwise(result: Result) -> dict[str, object]:
    """Return the option for the measures of each class, if they are not the default ones."""
    mine = result.settings.classwise
    if result.source.of_outcomes:
        return {}
    if list(mine) == usual_classwise(None, result.settings.measures):
        return {}
    return {"classwise": list(written(mine)) or False}


def comparison_reproduction(found: Comparison) -> Section:
    """Return the section for a comparison, with a command where the data is in files."""
    together, options = _asked_ensemble(found), _comparison_options(found)
    said: dict[str, object] = {} if together is None else {"ensemble": ",".join(together)}
    names = written(found.settings.measures)
    typed = all(isinstance(x, str) for x in names)
    command = found.source.command(found.measures, {**options, **said}, "compare") if typed else None
    said = {} if together is None else {"ensemble": list(together)}
    call = found.source.python(names, {**options, **said}, "compare")
    return _section(command, [f"compared = {call}"])


def _comparison_options(found: Comparison) -> dict[str, object]:
    return _changed(found.settings, type(found.settings)(()))


def _asked_ensemble(found: Comparison) -> tuple[str, ...] | None:
    """Return the measures of the ensemble, or None if they are the default ones."""
    mine, usual = found.settings.ensemble, ensemble_of(None, found.settings.measures)
    if mine is None or (usual is not None and mine.names == usual.names):
        return None
    return mine.names


def sweep_reproduction(found: Sweep, confidence: float | None, seed: int) -> Section:
    """Return the section on how to reproduce the sweep, with a command where the scores are in files."""
    names = written(found.measures)
    typed = tuple(x for x in names if isinstance(x, str))
    can_be_typed = len(typed) == len(names) and found.policy == RESOLVE
    drawn = {} if confidence is None else {"confidence": confidence, "seed": seed}
    command = found.source.command(typed, drawn, "sweep") if can_be_typed else None
    call = found.source.python_of_sweep(names, {} if found.policy == RESOLVE else {"undefined": found.undefined})
    bests = [f"swept.bests(confidence={confidence!r}, seed={seed})"] if drawn else []
    return _section(command, [f"swept = {call}", *bests])


def _changed(settings: Settings | ComparisonSettings, usual: Settings | ComparisonSettings) -> dict[str, object]:
    """Return the confidence level, the seed, and the options that differ from the defaults."""
    options: dict[str, object] = {"confidence": settings.confidence, "seed": settings.seed}
    named = [x for x in ("pairs", "method", "replicates", "prior", "correct", "margin") if hasattr(settings, x)]
    options |= {x: getattr(settings, x) for x in named if getattr(settings, x) != getattr(usual, x)}
    if settings.policy != usual.policy:
        options["undefined"] = settings.policy.number if settings.policy.name == "number" else settings.policy.name
    return options


def _section(command: str | None, lines: list[str], *facts: tuple[str, str]) -> Section:
    """Return the section with the command (for data in files), the lines of Python, and what else numbers depend on."""
    blocks: list[Block] = [] if command is None else [Code(command, "sh")]
    blocks.append(Code("\n".join(["import goodmeasure as gm", *lines]), "python"))
    blocks.append(Facts((("version", f"goodmeasure {__version__}"), *facts)))
    return Section("reproduce", "How to reproduce these numbers", tuple(blocks))
