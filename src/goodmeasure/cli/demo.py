"""`goodmeasure demo`: the scorecard of a matrix, read against what trivial classifiers get."""

from __future__ import annotations

import click

from goodmeasure.catalogue.explanation import number
from goodmeasure.cli.measures import range_signs
from goodmeasure.cli.printing import print_json, print_table
from goodmeasure.counts.matrix import ConfusionMatrix
from goodmeasure.evaluation.baselines import baselines, scorecard

_MATRIX = ConfusionMatrix([[952, 8], [24, 16]], labels=["ham", "spam"])


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print the scorecard as JSON.")
def demo(as_json: bool) -> None:
    """Show the scorecard of a spam filter: 1000 messages, 40 of them spam, 24 of those missed."""
    chosen = scorecard(_MATRIX.m)
    trivial = baselines(_MATRIX, chosen)
    values = {x.name: x(_MATRIX) for x in chosen}
    if as_json:
        clean = {name: {k: None if v != v else v for k, v in row.items()} for name, row in trivial.items()}
        print_json({"matrix": _MATRIX.counts.tolist(), "labels": _MATRIX.labels, "values": values, "baselines": clean})
        return
    click.echo("A spam filter on 1000 messages (rows: what they are, columns: what it said)\n")
    click.echo(f"{_MATRIX}\n")
    chance, lazy = trivial["chance"], trivial["always 'ham'"]
    rows = [[x.name, *(number(y[x.name]) for y in (values, chance, lazy)), range_signs(x)] for x in chosen]
    print_table(["measure", "value", "chance", "always 'ham'", "range"], rows, right=(1, 2, 3))
    click.echo(
        f"\nAccuracy says {values['accuracy']:.1%}; a filter that never finds any spam gets {lazy['accuracy']:.1%}.\n"
        f"mcc ({values['mcc']:.3f}) and sba put such filters at chance level, whatever the class sizes.\n"
        "\nMore: goodmeasure measures\n      goodmeasure explain mcc --matrix '952 8; 24 16' --labels ham,spam"
    )
