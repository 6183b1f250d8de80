"""Options that several commands share, and how their values are read."""

from __future__ import annotations

import glob
import os
from collections.abc import Callable, Mapping, Sequence
from typing import Protocol, TypedDict, TypeVar

import click

from goodmeasure.counts.readers.files.locations import located
from goodmeasure.exceptions import GoodmeasureError, InputError, Naming
from goodmeasure.language.policy import policy_of
from goodmeasure.options import OPTIONS, Option

_Command = TypeVar("_Command", bound=Callable[..., object])


class AddsOption(Protocol):
    """A decorator that adds an option to a command."""

    def __call__(self, command: _Command, /) -> _Command: ...


def declared(command: str) -> tuple[AddsOption, ...]:
    """Return the options of a command that `goodmeasure.options` declares."""
    return tuple(_on_command_line(x) for x in OPTIONS.values() if command in x.commands)


def _on_command_line(option: Option) -> AddsOption:
    if option.metavar is None:
        turned = not option.default  # a switch turns the default round
        return click.option(
            option.typed, option.name, is_flag=True, default=option.default, flag_value=turned, help=option.help
        )
    return click.option(option.typed, option.name, multiple=option.many, metavar=option.metavar, help=option.help)


COLUMNS: tuple[AddsOption, ...] = (
    click.option("--true", "true", metavar="COLUMN", help="Column of the true labels."),
    click.option(
        "--pred", "systems", multiple=True, metavar="COLUMN",
        help="Column of predicted labels of one system; repeatable.",
    ),
    click.option(
        "--id", metavar="COLUMN", help="Column that says which item a row is about, to join runs: A=FILE B=FILE."
    ),
    click.option(
        "--format", metavar="FORMAT",
        help="Kind of log, which is recognised by default: lm-eval, lm-eval:FILTER, inspect, inspect:SCORER, or table.",
    ),
    click.option("--weight", metavar="COLUMN", help="Column of the item weights."),
    click.option("--count", metavar="COLUMN", help="Column that says how many items a row stands for."),
    click.option(
        "--by", multiple=True, metavar="COLUMN",
        help="Column whose values are slices to measure separately; repeatable.",
    ),
    click.option(
        "--group", metavar="COLUMN", help="Column that says which items belong together (patients, documents)."
    ),
    click.option("--labels", help="Classes in order, separated by commas."),
    click.option(
        "--positive", metavar="LABEL",
        help="Positive class. With more than two classes: this class against the rest.",
    ),
    click.option(
        "--missing",
        type=click.Choice(["error", "drop", "class"]),
        default="error",
        show_default=True,
        help="Treatment of items without a label: refuse, leave out, or count as a class.",
    ),
)  # fmt: skip


class TypedColumns(TypedDict):
    """What the options of COLUMNS, and POOL, say about files, by the arguments of `evaluate` and `compare`."""

    y_true: str | None
    y_pred: Mapping[str, str] | tuple[str, ...] | None
    id: str | None
    format: str | None
    sample_weight: str | None
    count: str | None
    by: tuple[str, ...] | None
    groups: str | None
    labels: list[str] | None
    positive: str | None
    missing: str
    pool: bool
    table: str | None
    na_values: tuple[str, ...] | None


MEASURES = click.option(
    "--measures",
    multiple=True,
    help="Names of measures, or of a set: recommended, papers, goesgens2021, sebastiani2015, opitz2024, rh-dif2norm, "
    "all; repeatable, or with commas.",
)

DRAWS: tuple[AddsOption, ...] = (
    click.option(
        "--confidence",
        type=click.FloatRange(0, 1, min_open=True, max_open=True),
        default=0.95,
        show_default=True,
        help="Confidence level of the intervals.",
    ),
    click.option(
        "--replicates",
        type=click.IntRange(min=2),
        default=2000,
        show_default=True,
        help="Number of resamples, for methods that resample the items.",
    ),
    click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Random seed."),
    click.option(
        "--undefined",
        default="resolve",
        show_default=True,
        help="Treatment of zero division: resolve, nan, raise, or a number.",
    ),
)

_ARGUMENTS = {
    "y_true": "true", "y_pred": "pred", "y_score": "score", "sample_weight": "weight", "groups": "group",
    "counts": "matrix", "properties": "property", "needs": "need", "avoids": "avoid", "requirements": "require",
    "na_values": "na",
}  # fmt: skip
"""Arguments whose option has another name than in Python."""

POOL = click.option(
    "--pool", is_flag=True, help="Several FILEs are parts of one data set, even if they have equally many rows."
)
TITLE = click.option("--title", metavar="TEXT", help="Title of the report; by default, it is made from the data.")


class _ReportOption(click.Option):
    """An option for files of reports, whose help lists their formats; these are loaded only when it is shown."""

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        from goodmeasure.report.formats import endings

        self.help = f"Report to write: {endings()}; repeatable."
        return super().get_help_record(ctx)


OUT = click.option("--out", cls=_ReportOption, multiple=True, metavar="FILE")
MEMORY = click.option(
    "--memory-limit", metavar="SIZE", help="Largest amount of memory for reading files, such as 200MB."
)


def with_options(*options: AddsOption) -> Callable[[_Command], _Command]:
    """Return a decorator that adds options in the order in which the help shows them."""

    def decorate(command: _Command) -> _Command:
        for option in reversed(options):
            command = option(command)
        return command

    return decorate


def naming_of(command: click.Command) -> Naming:
    """Return how a command names the arguments of the functions behind it.

    >>> naming_of(click.Command("sweep", params=[click.Option(["--score"])]))("y_score")
    '--score'
    """
    known: dict[str, str] = {}
    for parameter in command.params:
        option = next((x for x in parameter.opts if x.startswith("--")), None)
        if option is None:
            # click puts an argument that may be left out into brackets, with dots if it may be repeated: [FILE]...
            known[parameter.name or ""] = parameter.human_readable_name.strip("[].…")
        else:
            known[option.removeprefix("--").replace("-", "_")] = option

    if "files" in known:  # the data of a function are files, and a matrix where the command takes one
        known.setdefault("data", f"{known['files']} or --matrix" if "matrix" in known else known["files"])

    def naming(argument: str) -> str | None:
        return known.get(argument, known.get(_ARGUMENTS.get(argument, "")))

    return naming


def said(error: Exception, command: click.Command | None = None) -> str:
    """Return what went wrong, with the options of a command (by default the running one) in place of arguments."""
    if not isinstance(error, GoodmeasureError):
        return str(error)
    return error.message(naming_of(command or click.get_current_context().command))


def refuse_overwriting(out: Sequence[str], inputs: Sequence[str]) -> None:
    """Refuse to write a report over a file that it is made from."""
    places = [x if x == "-" else located(x).path for x in inputs]
    read = [name for x in places for name in ([x] if os.path.exists(x) else glob.glob(x, recursive=True))]
    for path in out:
        for name in read:
            if os.path.exists(path) and os.path.samefile(path, name):
                raise InputError(
                    "--out {path} is the file that is read",
                    path=path,
                    advice="name another one, so that it is not lost",
                )


def split_names(names: tuple[str, ...], option: str = "--measures") -> list[str] | None:
    """Return the names of measures, split at commas that are not within parentheses.

    >>> split_names(("mcc,macro(recall, p=0)", "f1"))
    ['mcc', 'macro(recall, p=0)', 'f1']
    """
    found: list[str] = []
    for text in names:
        depth, start = 0, 0
        for k, sign in enumerate(text):
            depth += (sign in "([") - (sign in ")]")
            if sign == "," and depth == 0:
                found.append(text[start:k])
                start = k + 1
        found.append(text[start:])
    chosen = [name.strip() for name in found if name.strip()]
    if names and not chosen:
        raise InputError("{option} names no measure", option=option, advice="see goodmeasure measures, or leave it out")
    return chosen or None


def as_labels(text: str | None) -> list[str] | None:
    """Return the classes that were named."""
    if text is None:
        return None
    names = [x.strip() for x in text.split(",")]
    if "" in names:
        raise InputError(
            "--labels {text!r} has an empty name",
            text=text,
            advice="separate the classes by single commas, as in a,b,c",
        )
    return names


def as_policy(text: str) -> str | float:
    """Return a policy by name, or a number."""
    try:
        return float(text)
    except ValueError:
        policy_of(text)  # refuses an unknown name now, not after the work
        return text
