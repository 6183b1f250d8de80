"""`goodmeasure recommend`: recommend measures for a task, with reasons."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Unpack

import click

from goodmeasure.cli.printing import print_facts, print_json, print_table
from goodmeasure.exceptions import InputError

if TYPE_CHECKING:
    from goodmeasure.recommendation.needs import Need, TaskAnswers
    from goodmeasure.recommendation.recommendation import Advice, Recommendation

_SHOWN = 3


@click.command()
@click.option("--classes", type=click.IntRange(min=2), default=2, show_default=True, help="Number of classes.")
@click.option("--ordered", is_flag=True, help="Ordered classes: some errors are worse than others.")
@click.option("--costs", metavar="TABLE", help='Costs of errors, costs[true][predicted], as "0,1;5,0".')
@click.option("--one-class", is_flag=True, help="Only one class matters (spam, disease).")
@click.option("--equal-standing", is_flag=True, help="Equal standing of both labelings (two annotators).")
@click.option(
    "--deployment",
    type=click.Choice(["same", "other", "unknown"]),
    help="Class distribution in use: the same as in this data, another, or unknown.",
)
@click.option("--across", is_flag=True, help="Scores that can be compared across data sets.")
@click.option("--chance", is_flag=True, help="Scores that can be compared to chance.")
@click.option("--distance", is_flag=True, help="A measure that is a distance.")
@click.option("--rare", type=click.IntRange(min=0), default=0, show_default=True, help="Number of rare classes.")
@click.option(
    "--need", "needs", multiple=True, metavar="PROPERTY", help="Property that the measure must have; repeatable."
)
@click.option("--avoid", "avoids", multiple=True, metavar="NAME", help="Property or measure to avoid; repeatable.")
@click.option(
    "--top", type=click.IntRange(min=1), default=_SHOWN, show_default=True, help="Number of measures to explain."
)
@click.option("--questions", is_flag=True, help="List of the questions, and what each answer requires of a measure.")
@click.option("--json", "as_json", is_flag=True, help="Output as JSON.")
def recommend(
    top: int, questions: bool, as_json: bool, costs: str | None, needs: tuple[str, ...], avoids: tuple[str, ...],
    **answers: Unpack[TaskAnswers],
) -> None:  # fmt: skip
    """Recommend measures for a task. Describe your task with the options below.

    Shows why each measure fits, what it violates (with a witness), what random guessing scores, and what else to
    report. Exit status: 0 if some measure suits the task, 1 if none does (with a proof if that is impossible), 2 for
    bad input.
    """
    if questions:
        _show_questions(as_json)
        return
    from goodmeasure.recommendation.recommend import recommend as find

    found = find(needs=needs, avoids=avoids, costs=None if costs is None else _costs(costs), **answers)
    if as_json:
        print_json(found.to_dict())
    else:
        _show(found, top)
    click.get_current_context().exit(0 if found.measures else 1)


def _costs(text: str) -> list[list[float | int]]:
    """Return the value of --costs as rows of numbers."""
    try:
        return [[_number(x) for x in row.split(",")] for row in text.split(";")]
    except ValueError:
        raise InputError(
            "{costs} is {got!r}",
            got=text,
            expected='your table costs[true][predicted], a row for each true class, such as "0,1;5,0"',
        ) from None


def _number(text: str) -> float | int:
    number = float(text)
    return int(number) if number.is_integer() else number


def _show(found: Recommendation, top: int) -> None:
    click.echo("\n".join(found.head()) + "\n")
    required = found.required
    columns = ["measure", "suits", *(x.short for x in required), "lacks"]
    print_table(columns, [_row(x, required) for x in found.ranked[: max(8, top)]])
    click.echo("✓ proved   ? no counterexample, and no proof   ✗ refuted, with n items   ∅ says nothing here\n")
    for advice in found.ranked[:top]:
        click.echo(f"{advice.name}: {advice.measure.title}")
        print_facts([(f"  {name}", text) for name, text in advice.facts()])
        click.echo("")
    rest = len(found.ranked) - max(8, top)
    if rest > 0:
        click.echo(f"{rest} more measures were considered: --json lists all of them, --top shows more.")


def _row(advice: Advice, required: Sequence[Need]) -> list[str]:
    signs = {x.need.statement: x.sign for x in (*advice.why, *advice.violates)}
    lacks = [x.need.short for x in advice.violates if not x.need.required]
    return [
        advice.name,
        "yes" if advice.suits else "no",
        *(signs.get(x.statement, "") for x in required),
        ", ".join(lacks),
    ]


def _show_questions(as_json: bool) -> None:
    from goodmeasure.recommendation.needs import QUESTIONS

    if as_json:
        asked = [
            {
                "name": q.name,
                "question": q.text,
                "answers": q.answers,
                "asks": {str(answer): [x.to_dict() for x in needs] for answer, needs in q.needs.items()},
            }
            for q in QUESTIONS
        ]
        print_json(asked)
        return
    rows = []
    for q in QUESTIONS:
        asks = "; ".join(
            f"{'yes' if answer is True else answer}: "
            + ", ".join(x.name + ("" if x.required else " (desirable)") for x in needs)
            for answer, needs in q.needs.items()
        )
        rows.append(
            [f"--{q.name.replace('_', '-')}", q.text, q.answers, asks or "determines which measures are considered"]
        )
    print_table(["flag", "question", "answers", "requires of a measure"], rows)
