"""The options --require, --confident and --baseline, and the exit of a command whose requirements are not met."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar, cast

import click

from goodmeasure.cli.options import AddsOption
from goodmeasure.cli.printing import print_document
from goodmeasure.cli.runs import columns_of
from goodmeasure.comparison.comparison import Comparison
from goodmeasure.counts.readers.files.locations import is_there
from goodmeasure.evaluation.requirements.gate import Gate
from goodmeasure.evaluation.requirements.grammar import read
from goodmeasure.evaluation.requirements.required import Required
from goodmeasure.exceptions import InputError
from goodmeasure.typing import Frame

if TYPE_CHECKING:
    from goodmeasure.options import CompareCommandOptions

_Result = TypeVar("_Result", bound=Required)

REQUIRE: tuple[AddsOption, ...] = (
    click.option(
        "--require", "requirements", multiple=True, metavar="TEXT",
        help='Requirement, such as "mcc >= 0.8" or "recall[spam] >= 0.9": status 1 where it is not met; repeatable.',
    ),
    click.option("--confident", is_flag=True, help="Requirements hold for the whole confidence interval."),
)  # fmt: skip
BASELINE = click.option(
    "--baseline", metavar="FILE",
    help="Earlier predictions on the same items, or one of the systems: status 1 if a system is significantly worse.",
)  # fmt: skip


def check_requirements(required: Sequence[str], confident: bool, baseline: str | None, out: Sequence[str]) -> None:
    """Refuse requirements that cannot be read, and options that go only with requirements, before the work."""
    for text in required:
        read(text)
    if confident and not required:
        raise InputError("--confident needs --require", argument="confident", advice='as in --require "mcc >= 0.8"')
    if any(x.lower().endswith(".xml") for x in out) and not required and baseline is None:
        raise InputError(
            "a JUnit file (.xml) lists requirements", argument="requirements", advice="give --require or --baseline"
        )


def gated(result: _Result, required: Sequence[str], confident: bool, against: Gate | None = None) -> _Result:
    """Return the result together with the outcomes of its requirements, if there are any."""
    if not required:
        return result if against is None else result.with_gate(against)
    gate = Required.checked(result, *required, confident=confident)
    return result.with_gate(gate if against is None else gate.joined(against))


def end(gate: Gate | None, *, quiet: bool) -> None:
    """Print the outcome of each requirement, and exit with status 1 if one of them is not met.

    What is not met goes to standard error, a line for each, so that it is seen beside JSON and in logs.
    """
    if gate is None:
        return
    from goodmeasure.report.content.requirements import verdict
    from goodmeasure.report.document import Document, Section, Sentences

    if not quiet:
        said = [f"met: {x.line}{f'; {x.strength}' if x.strength else ''}" for x in gate if x.met]
        lines = Sentences((verdict(gate), *said, *gate.notes))
        print_document(Document("", (Section("requirements", "", (lines,)),)))
    for x in gate.unmet:
        click.echo(f"not met: {x.line}{f'; {x.strength}' if x.strength else ''}", err=True)
    if gate.unmet:
        click.get_current_context().exit(1)


def baseline_gate(files: Sequence[str], baseline: str, systems: Sequence[str], options: CompareCommandOptions) -> Gate:
    """Return whether the systems in files are no worse than a baseline: another file, or one of these systems."""
    from goodmeasure.comparison.baseline_files import compare_with_file
    from goodmeasure.comparison.compare import compare

    refuse_standard_input(*files, baseline)
    options = _usual(options)
    if baseline not in systems:
        check_baseline(baseline, systems)
        found = compare_with_file(files, baseline, options)
        return found.checked(baseline=found.settings.pairs)
    others = options["y_score"] or options["y_correct"]
    options["pairs"], options["y_pred"] = baseline, None if others else list(systems)
    return compare([Path(x) for x in files], **options).checked(baseline=baseline)


def _usual(options: CompareCommandOptions) -> CompareCommandOptions:
    """Return the options with the usual measure where none is named, and without the mean of several."""
    from goodmeasure.comparison.baseline_files import usual_measures

    measures = options["measures"] or usual_measures(
        of_scores=bool(options["y_score"]), of_outcomes=options["y_correct"] is not None
    )
    return {**options, "measures": measures, "ensemble": False}


def baseline_run(
    runs: dict[str, Frame], baseline: str, options: CompareCommandOptions, *, multilabel: bool = False
) -> Gate:
    """Return whether runs are no worse than a baseline, which is one of them or in another file, joined by an id."""
    from goodmeasure.comparison.compare import compare

    runs, name = with_baseline_run(runs, baseline)
    refuse_standard_input(*(path for paths in runs.values() for path in paths))
    given = options.copy() if multilabel else _usual(options)
    given["y_pred"], given["pairs"] = columns_of(options["y_pred"], runs), "auto" if multilabel else name
    given["y_correct"] = columns_of(options["y_correct"], runs)
    given["pool"], given["count"] = False, None  # every run is a data set of its own
    return baseline_outcomes(compare(runs, **given), name, options)


def with_baseline_run(runs: dict[str, Frame], baseline: str) -> tuple[dict[str, Frame], str]:
    """Return the runs with the baseline among them, which may be in a file, and its name."""
    from goodmeasure.comparison.baseline_files import BASELINE as NAME

    if baseline in runs:
        return runs, baseline
    check_baseline(baseline, list(runs))
    name = NAME if NAME not in runs else f"{NAME} file"
    return {**runs, name: [baseline]}, name


def is_baseline_file(baseline: str, files: Sequence[str], systems: Sequence[str]) -> bool:
    """Return whether a baseline is a file, and not a system whose column has the same name."""
    from goodmeasure.counts.readers.files.label_files import header

    if baseline in systems or not is_there(baseline):
        return False
    return "-" in files or baseline not in header(files[0])


def refuse_standard_input(*files: object) -> None:
    """Refuse standard input where files are read more than once."""
    if "-" in files:
        raise InputError(
            "--baseline reads the files again", argument="baseline", advice="they cannot come from standard input"
        )


def baseline_outcomes(found: Comparison, baseline: str, options: CompareCommandOptions) -> Gate:
    """Return whether no system of a comparison is worse than the baseline, by measures or else by the usual one."""
    from goodmeasure.comparison.baseline_files import usual_measures

    measures = cast("list[str] | None", options["measures"])  # as they were typed
    if found.of_averages:
        return found.checked(
            baseline=baseline, measures=None if measures is None else [f"macro({x})" for x in measures]
        )
    usual = usual_measures(of_scores=found.source.of_scores, of_outcomes=found.source.of_outcomes)
    named = None if measures is not None or not set(usual) <= set(found.measures) else usual
    return found.checked(baseline=baseline, measures=named)


def check_baseline(baseline: str, systems: Sequence[str]) -> None:
    """Refuse a baseline that is neither a file nor a system."""
    if not is_there(baseline):
        raise InputError(
            "--baseline {got!r} is neither a file nor a system", got=baseline, known=", ".join(map(repr, systems)),
            advice="the systems are {known}",
        )  # fmt: skip
