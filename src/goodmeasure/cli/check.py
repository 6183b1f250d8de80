"""`goodmeasure check NAME` and `goodmeasure check file.py:function`: decide the properties of a measure."""

from __future__ import annotations

import click

from goodmeasure.catalogue.names import measure as measure_of
from goodmeasure.cli import user_files
from goodmeasure.cli.options import declared, with_options
from goodmeasure.cli.printing import print_json, print_table
from goodmeasure.exceptions import InputError
from goodmeasure.language.policy import Undefined
from goodmeasure.options import UndefinedOptions
from goodmeasure.theory.statements.lookup import statement
from goodmeasure.theory.statements.verdict import (
    HELD,
    LEGEND,
    REFUTED,
    SIGNS,
    VACUOUS,
    Report,
    Verdict,
    classes_text,
)


@click.command()
@click.argument("name")
@click.option(
    "--classes", help='Number of classes: 2, 3, … or "every" (default: 2, or the smallest number that NAME takes).'
)
@click.option(
    "--domain",
    default="all",
    show_default=True,
    help="Matrices that the properties are about: all, non-unary or regular.",
)
@with_options(*declared(UndefinedOptions))
@click.option("--property", "-p", "properties", multiple=True, help="Property to decide; repeatable.")
@click.option(
    "--require", multiple=True, help="Property that must not be refuted (exit status 1 otherwise); repeatable."
)
@click.option("--proved", is_flag=True, help="With --require: a proof of each property is needed.")
@click.option("--n", type=click.IntRange(min=1), help="Largest number of items to search where no proof is found.")
@click.option(
    "--seconds",
    type=float,
    help="Time limit for each property, search and proofs together. By default, 30 for a search and 120 for a proof.",
)
@click.option("--call-seconds", default=10.0, show_default=True, help="Time limit of one call of your function.")
@click.option("--witnesses/--no-witnesses", default=True, help="Whether counterexamples are shown below the table.")
@click.option("--proof", "proofs", is_flag=True, help="Print the proof of each property that is proved.")
@click.option("--json", "as_json", is_flag=True, help="Output as JSON, with witnesses and certificates.")
@click.pass_context
def check(
    ctx: click.Context,
    name: str,
    classes: str | None,
    domain: str,
    undefined: Undefined,
    properties: tuple[str, ...],
    require: tuple[str, ...],
    proved: bool,
    n: int | None,
    seconds: float | None,
    call_seconds: float,
    witnesses: bool,
    proofs: bool,
    as_json: bool,
) -> None:
    """Decide which properties the measure NAME has.

    Each property is proved, refuted with the smallest counterexample, or holds up to some n without a proof; it is
    vacuous if it says nothing about any matrix of the domain. NAME is a measure of the catalogue or a function in a
    file: my_file.py:my_measure. Exit status: 0 if all required properties hold, 1 if a required property is
    refuted or does not apply, 2 for bad input.
    """
    demands = [statement(x) for x in require]
    named = [*(statement(x) for x in properties), *demands]
    chosen = list(dict.fromkeys(x.name for x in named)) or None
    source = None
    found: object
    if user_files.is_file(name):
        status = user_files.watched(call_seconds)
        if status is not None:
            ctx.exit(status)
        with user_files.aside():
            found = user_files.load(name, call_seconds)
        source = user_files.typed(name, found)
    elif name.endswith((".py", ".py:")):
        path = name.rstrip(":")
        raise InputError("{path} is a file", path=path, advice="say which function, as in {path}:my_measure")
    else:
        from goodmeasure.theory.families import family_of

        found = family_of(name) or measure_of(name)
    with user_files.aside():
        from goodmeasure.theory.check import check as decide

        report = decide(
            found,
            int(classes) if classes is not None and classes.isdigit() else classes,
            domain,
            undefined,
            chosen,
            n=n,
            seconds=seconds,
            call_seconds=call_seconds,
            source=source,
        )
    if as_json:
        print_json(report.to_dict())
    else:
        _print(report, witnesses)
        for verdict in report.values() if proofs else ():
            if verdict.proof is not None:
                click.echo(f"\n{verdict.proof}")
    fails = (REFUTED, *([HELD, VACUOUS] if proved else []))
    failed = [x.name for x in demands if report[x.name].status in fails]
    if failed:
        click.echo(f"required but {'not proved' if proved else 'refuted'}: {', '.join(failed)}", err=True)
        ctx.exit(1)


def _print(report: Report, witnesses: bool) -> None:
    first = next(iter(report.values()))
    head = f"{first.measure}, {classes_text(first.classes)}, domain {first.domain}, undefined={first.undefined}"
    click.echo(f"{head}\n")
    print_table(["", "property", "what is known", "by", "s"], report.rows(), right=(4,))
    met = {x.status for x in report.values()}
    shown = [status for status in LEGEND if status != VACUOUS or status in met]
    click.echo("   ".join(f"{SIGNS[status]} {LEGEND[status]}" for status in shown))
    refuted = [x for x in report.values() if x.status == REFUTED and x.witness is not None]
    if witnesses and refuted:
        click.echo("\nCounterexamples to replay in Python (each line should be True, and is False):")
        for verdict in refuted:
            click.echo(f"\n{verdict}\n{_indented(verdict)}")


def _indented(verdict: Verdict) -> str:
    return "\n".join(f"  {line}" for line in str(verdict.witness).splitlines())
