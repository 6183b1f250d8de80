"""`goodmeasure explain NAME`: explain one measure, and its value on a matrix."""

from __future__ import annotations

import click

from goodmeasure.catalogue.explanation import Explanation, number, range_text
from goodmeasure.catalogue.family import Family
from goodmeasure.catalogue.literature import remarks
from goodmeasure.catalogue.measure import Measure
from goodmeasure.catalogue.names import SHARED_NAMES, measure
from goodmeasure.catalogue.register import entry_of
from goodmeasure.catalogue.scores.explanation import class_words
from goodmeasure.catalogue.scores.measure import ScoreFamily, ScoreMeasure
from goodmeasure.cli.measures import range_signs, row
from goodmeasure.cli.options import declared, with_options
from goodmeasure.cli.printing import print_facts, print_json
from goodmeasure.counts.matrix import ConfusionMatrix
from goodmeasure.counts.readers.files.matrix_files import read_matrix
from goodmeasure.exceptions import InputError
from goodmeasure.language.policy import Undefined
from goodmeasure.language.print.unicode_formulas import plain_text
from goodmeasure.options import LabelOptions, UndefinedOptions


@click.command()
@click.argument("name")
@click.option("--matrix", "counts", help='Counts, rows true and columns predicted: "50 3; 4 20" or [[50, 3], [4, 20]].')
@with_options(*declared(LabelOptions, UndefinedOptions))
@click.option("--json", "as_json", is_flag=True, help="Output as JSON.")
def explain(
    name: str, counts: str | None, labels: list[str] | None, undefined: Undefined, as_json: bool
) -> None:  # fmt: skip
    """Explain the measure NAME, and its value on a matrix.

    Shows the formula, the meaning, the range, the source and what the papers say.
    """
    entry = entry_of(name)
    if isinstance(entry, ScoreFamily):
        entry = entry()
    if isinstance(entry, Family):
        if counts is not None:
            raise InputError(
                "{name} needs its parameters",
                name=name,
                example=entry.example,
                advice="for example goodmeasure explain {example!r}",
            )
        _explain_family(entry, as_json)
        return
    found = measure(name)
    if isinstance(found, ScoreMeasure):
        _explain_scores(found, counts, as_json)
        return
    told = None if counts is None else found.explain(_matrix(counts, labels), undefined=undefined)
    if as_json:
        said = [{"source": x.source, "where": x.where, "text": x.text, "erratum": x.erratum} for x in remarks(found)]
        print_json({**row(found), "remarks": said, "value": None if told is None else told.to_dict()})
        return
    print_facts([*_facts(found), *_papers(found)])
    if told is not None:
        click.echo()
        print_facts(_value(told))


def _explain_scores(found: ScoreMeasure, text: str | None, as_json: bool) -> None:
    """Print what there is to know about a measure of scores."""
    if text is not None:
        raise InputError(
            "{name} is a measure of scores",
            name=found.name,
            advice="a confusion matrix holds none, so leave --matrix out",
        )
    if as_json:
        print_json({**row(found), "parameters": {k: str(v) for k, v in found.parameters.items()}})
        return
    facts = _definition(found, class_words(found))
    entry = entry_of(found.stem)
    aliases = found.aliases if entry is None else entry.aliases
    facts += [("also", ", ".join(aliases))] if aliases else []
    if isinstance(entry, ScoreFamily):
        facts.append(("for example", ", ".join(entry(**chosen).name for chosen in entry.usual)))
        facts.append(("parameters", repr(entry)))
    print_facts([*facts, *([("source", found.citation)] if found.cite else [])])


def _matrix(text: str, labels: list[str] | None) -> ConfusionMatrix:
    return read_matrix(text, labels, "--matrix")


def _definition(found: Measure | ScoreMeasure, classes: str) -> list[tuple[str, str]]:
    """Return what every measure has: name, meaning, formula, range, and the number of classes."""
    return [
        ("measure", f"{found.name}: {found.title}"),
        ("meaning", found.about or "no description"),
        ("formula", plain_text(found.formula)),
        ("LaTeX", found.formula),
        ("range", range_text(found)),
        ("classes", classes),
    ]


def _facts(found: Measure) -> list[tuple[str, str]]:
    facts = _definition(found, "two; the positive class is the last" if found.classes == 2 else "any number")
    if found.aliases:
        facts.append(("also", ", ".join(found.aliases)))
    if found.name in SHARED_NAMES:
        other, why = SHARED_NAMES[found.name]
        facts.append(("warning", f"{other} {why}"))
    if found.cite:
        facts.append(("source", found.citation))
    return facts


def _papers(found: Measure) -> list[tuple[str, str]]:
    said = []
    for remark in remarks(found):
        said.append((remark.source, f"{remark.where}: {remark.text}" if remark.text else remark.where))
        if remark.erratum:
            said.append(("  but", remark.erratum))
    return said


def _value(told: Explanation) -> list[tuple[str, str]]:
    lines = [("value", number(told.value)), ("numbers", told.worked)]
    lines += [("rule", note) for note in told.notes] or [("rule", "no zero division occurred")]
    return [*lines, ("chance", str(told.chance)), ("signature", told.signature)]


def _explain_family(entry: Family, as_json: bool) -> None:
    parameters = ", ".join(entry.signature.parameters)
    if as_json:
        usual = [row(entry(**chosen)) for chosen in entry.usual]
        print_json({"name": entry.name, "title": entry.title, "parameters": list(entry.signature.parameters),
                    "formula": entry.formula, "usual": usual})  # fmt: skip
        return
    facts = [
        ("measure", f"{entry.name}({parameters}): {entry.title}"),
        ("meaning", str(entry.about)),
        ("formula", plain_text(entry.formula)),
        ("LaTeX", entry.formula),
        ("range", range_signs(entry)),
        ("classes", "two; the positive class is the last" if entry.classes == 2 else "any number"),
        ("for example", ", ".join(entry(**chosen).name for chosen in entry.usual)),
    ]
    if entry.aliases:
        facts.append(("also", ", ".join(entry.aliases)))
    print_facts([*facts, ("source", str(entry.citation))])
