"""Options that several commands share, and how their values are read."""

from __future__ import annotations

import glob
import os
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Protocol, TypeVar

import click

from goodmeasure.counts.readers.files.locations import located
from goodmeasure.exceptions import GoodmeasureError, InputError, Naming
from goodmeasure.keywords import Option, options_of

_Command = TypeVar("_Command", bound=Callable[..., object])


class AddsOption(Protocol):
    """A decorator that adds an option to a command."""

    def __call__(self, command: _Command, /) -> _Command: ...


def declared(*kinds: type, only: Sequence[str] = (), **helps: str) -> tuple[AddsOption, ...]:
    """Return the options that typed dictionaries of `goodmeasure.options` declare, some with a help of the command.

    The command gets them as keyword arguments, ready for the function that takes the same options.
    """
    options = [x for x in options_of(*kinds).values() if not x.hidden and (not only or x.name in only)]
    return tuple(_on_command_line(replace(x, help=helps.get(x.name, x.help))) for x in options)


def _on_command_line(option: Option) -> AddsOption:
    def value(_context: click.Context, _parameter: click.Parameter, typed: object) -> object:
        return option.checked(typed if option.typed is None else option.typed(option.name, typed))

    if option.kind is bool:
        return click.option(
            option.on_command_line, option.name, is_flag=True, default=option.default,
            flag_value=not option.default, help=option.command_help,
        )  # fmt: skip
    default = None if option.many else option.default
    return click.option(
        option.on_command_line, option.name, type=click.Choice(option.choices) if option.choices else option.kind,
        multiple=option.many, default=default, show_default=default is not None, metavar=option.metavar,
        help=option.command_help, callback=value,
    )  # fmt: skip


TITLE = click.option("--title", metavar="TEXT", help="Title of the report; by default, it is made from the data.")


class _ReportOption(click.Option):
    """An option for files of reports, whose help lists their formats; these are loaded only when it is shown."""

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        from goodmeasure.report.formats import endings

        self.help = f"Report to write: {endings()}; repeatable."
        return super().get_help_record(ctx)


NO_REPORT = click.option("--no-report", is_flag=True, help="No report, unless --out names one.")
FULL = click.option("--full", is_flag=True, help="Everything on the screen, not only the short form.")
OUT = click.option("--out", cls=_ReportOption, multiple=True, metavar="FILE")


def with_options(*options: AddsOption) -> Callable[[_Command], _Command]:
    """Return a decorator that adds options in the order in which the help shows them."""

    def decorate(command: _Command) -> _Command:
        for option in reversed(options):
            command = option(command)
        return command

    return decorate


def naming_of(command: click.Command) -> Naming:
    """Return how a command names the arguments of the functions behind it.

    >>> naming_of(click.Command("sweep", params=[click.Option(["--score", "y_score"])]))("y_score")
    '--score'
    """
    known: dict[str, str] = {}
    for parameter in command.params:
        option = next((x for x in parameter.opts if x.startswith("--")), None)
        # click puts an argument that may be left out into brackets, with dots if it may be repeated: [FILE]...
        shown = option or parameter.human_readable_name.strip("[].…")
        known |= {str(parameter.name): shown, shown.removeprefix("--").replace("-", "_"): shown}
    if "files" in known:  # the data of a function are files, and a matrix where the command takes one
        known.setdefault("data", f"{known['files']} or --matrix" if "matrix" in known else known["files"])
    return known.get


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
