"""The command `goodmeasure` and its subcommands."""

from __future__ import annotations

import sys
import warnings
from difflib import get_close_matches
from importlib import import_module

import click

from goodmeasure import __version__
from goodmeasure.catalogue.names import NameWarning
from goodmeasure.cli.options import said

# By task; each command is a module of this room, which has a command of the same name, with an example of its use.
TASKS = {
    "Evaluate predictions": {
        "evaluate": "predictions.csv",
        "compare": "predictions.csv --pred pred_a --pred pred_b",
        "sweep": "scores.csv --true label --score probability",
        "drift": "may.csv june.csv",
        "plan": '--matrix "50 3; 4 20" --width 0.1',
        "judge": "labels.csv --true human --judge judge",
        "raters": "ratings.csv",
        "preferences": "preferences.csv",
        "demo": "",
    },
    "Understand and choose measures": {
        "recommend": "--classes 3 --rare 1",
        "explain": 'mcc --matrix "50 3; 4 20"',
        "measures": "--family overlap",
        "explore": "predictions.csv",
    },
    "Judge measures": {
        "check": "mcc",
        "atlas": "f1",
        "possible": "monotone distance constant-baseline",
        "reproduce": "opitz2024:table4",
    },
}
_INDENT = 13  # the longest name, and two spaces
COMMANDS = tuple(command for task in TASKS.values() for command in task)


class _Commands(click.Group):
    """A group whose commands are loaded when they run, and report bad input in one line, with exit status 2."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands by task, each with an example."""
        for task, examples in TASKS.items():
            with formatter.section(task):
                for name, arguments in examples.items():
                    command = self.get_command(ctx, name)
                    assert command is not None
                    formatter.write(f"  {name:<{_INDENT}}{command.get_short_help_str(limit=66)}\n")
                    if arguments:
                        formatter.write(f"  {' ' * _INDENT}goodmeasure {name} {arguments}\n")

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        found: click.Command = getattr(import_module(f"goodmeasure.cli.{cmd_name}"), cmd_name)
        arguments = next(examples[cmd_name] for examples in TASKS.values() if cmd_name in examples)
        if arguments:
            found.epilog = f"\b\nExample:\n  goodmeasure {cmd_name} {arguments}"
        return found

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as error:
            near = get_close_matches(args[0], COMMANDS, n=1)
            if near and not getattr(error, "possibilities", None):  # click 8.4 and later may name some itself
                raise click.UsageError(f"{error.message} Did you mean {near[0]!r}?", error.ctx) from None
            raise

    def invoke(self, ctx: click.Context) -> object:
        with warnings.catch_warnings():
            warnings.showwarning = _say
            warnings.simplefilter("always", NameWarning)
            try:
                return super().invoke(ctx)
            except BrokenPipeError:
                raise  # the reader of a pipe is gone: click ends quietly
            except (ValueError, TypeError, ArithmeticError, OSError, ImportError) as error:
                command = self.get_command(ctx, ctx.invoked_subcommand or "")
                click.echo(f"error: {_said(error, command)}", err=True)
                ctx.exit(2)


def _said(error: Exception, command: click.Command | None) -> str:
    """Return what went wrong, in terms of the command's options.

    An error of the operating system that names no file means that the output could not be written.
    """
    if isinstance(error, OSError) and error.strerror and error.filename is None:
        return f"the output cannot be written: {error.strerror.lower()}"
    return str(error) if command is None else said(error, command)


def _say(message: Warning | str, category: type[Warning], *_: object, **__: object) -> None:  # noqa: ARG001
    click.echo(f"note: {message}", err=True)


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, package_name="goodmeasure")
@click.pass_context
def main(context: click.Context) -> None:
    """Evaluate the predictions of classifiers: values with confidence intervals, comparisons, and a report.

    Begin with your predictions, one row for each item:

      goodmeasure evaluate predictions.csv

    This prints a scorecard and writes predictions.report.html. For the options of a command, type
    goodmeasure COMMAND --help.
    """
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):  # formulas need Σ and √ wherever the output goes
            stream.reconfigure(encoding="utf-8", errors="replace")
    if context.invoked_subcommand in TASKS["Evaluate predictions"]:
        from goodmeasure.settings import read_settings

        settings = read_settings()
        context.default_map = {str(context.invoked_subcommand): settings.typed()}
        if settings.file:
            click.echo(f"note: the settings in {settings.file} hold where an option is not given", err=True)
