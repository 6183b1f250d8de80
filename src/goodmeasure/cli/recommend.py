"""`goodmeasure recommend`: recommend measures for a task, with reasons."""

from __future__ import annotations

from typing import Unpack

import click

from goodmeasure.cli.options import declared, with_options
from goodmeasure.cli.printing import print_facts, print_json, print_table
from goodmeasure.options import RecommendCommandOptions


@click.command()
@with_options(*declared(RecommendCommandOptions))
@click.option("--why-not", multiple=True, metavar="MEASURE",
              help="Measure that somebody expects: what speaks against it, with an example; repeatable.")  # fmt: skip
@click.option("--top", type=click.IntRange(min=0), default=0, help="Number of measures to explain in full.")
@click.option("--questions", is_flag=True, help="List of the questions, and what each answer requires of a measure.")
@click.option("--json", "as_json", is_flag=True, help="Output as JSON.")
def recommend(
    why_not: tuple[str, ...], top: int, questions: bool, as_json: bool, **answers: Unpack[RecommendCommandOptions]
) -> None:
    """Recommend what to report for a task. Describe your task with the options below.

    Shows a measure, why it fits, the line of Python that computes it, what to show with it, and why not the measures
    that people expect. Exit status: 0 if some measure suits the task, 1 if none does (with a proof if that is
    impossible), 2 for bad input.
    """
    if questions:
        _show_questions(as_json)
        return
    from goodmeasure.recommendation.recommend import recommend as find

    found = find(**answers)
    if as_json:
        asked = {"why_not": {x: found.why_not(x) for x in why_not}} if why_not else {}
        print_json(found.to_dict() | asked)
    elif why_not:
        click.echo("\n".join(found.why_not(x) for x in why_not))
    else:
        click.echo("\n".join(found.head()))
        for advice in found.ranked[:top]:
            click.echo(f"\n{advice.name}: {advice.measure.title}")
            print_facts([(f"  {name}", text) for name, text in advice.facts()])
    click.get_current_context().exit(0 if found.measures else 1)


def _show_questions(as_json: bool) -> None:
    from goodmeasure.recommendation.needs import QUESTIONS

    if as_json:
        asked = [
            {
                "name": q.name,
                "question": q.text,
                "example": q.example,
                "answers": q.answers,
                "follows": q.follows,
                "asks": {str(answer): [x.to_dict() for x in needs] for answer, needs in q.needs.items()},
            }
            for q in QUESTIONS
        ]
        print_json(asked)
        return
    rows = []
    for q in QUESTIONS:
        asks = [f"{'' if answer is True else f'{answer}: '}{x.text}{'' if x.required else ' (desirable)'}"
                for answer, needs in q.needs.items() for x in needs]  # fmt: skip
        rows.append([q.option.on_command_line, q.text, q.answers, " ".join([q.follows, *asks]).strip()])
    print_table(["flag", "question", "answers", "what follows"], rows)
