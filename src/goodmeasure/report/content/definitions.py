"""The definitions of the measures in a report."""

from __future__ import annotations

from collections.abc import Iterable

from goodmeasure.catalogue.explanation import range_text
from goodmeasure.catalogue.measure import Measure
from goodmeasure.catalogue.scores.explanation import signature as score_signature
from goodmeasure.catalogue.scores.measure import ScoreMeasure
from goodmeasure.catalogue.signature import signature
from goodmeasure.counts.matrix import ConfusionMatrix
from goodmeasure.counts.scores.scored import Scored
from goodmeasure.evaluation.result import Result
from goodmeasure.language.policy import Policy
from goodmeasure.language.print.unicode_formulas import plain_text
from goodmeasure.report.content.notation import formula_of
from goodmeasure.report.document import DefinitionEntry, Definitions

SOURCES = "Definitions, formulas and sources."


def definitions(result: Result) -> Definitions:
    """Return the definition of every measure that was used."""
    used = dict.fromkeys([*result.settings.measures, *result.settings.classwise])
    found = definitions_of(used, result.part().matrix, result.settings.policy)
    if result.scored is None:
        return found
    data = result.scored.data[result.systems[0], None]
    of_scores = (_of_scores(f, data, result.settings.policy) for f in result.scored.measures)
    return Definitions((*found.items, *of_scores))


def _of_scores(f: ScoreMeasure, data: Scored | None, policy: Policy) -> DefinitionEntry:
    line = score_signature(f, data, policy)
    text = plain_text(f.formula)
    return DefinitionEntry(f.name, f.title, f.about, f.formula, text, range_text(f), f.citation, f.cite, line)


def definitions_of(
    measures: Iterable[Measure | ScoreMeasure], matrix: ConfusionMatrix | None, policy: Policy
) -> Definitions:
    """Return the definitions of measures, with their signatures for matrices like this one, if there is one."""
    return Definitions(
        tuple(
            _of_scores(f, None, policy) if isinstance(f, ScoreMeasure) else _definition(f, matrix, policy)
            for f in measures
        )
    )


def _definition(f: Measure, matrix: ConfusionMatrix | None, policy: Policy) -> DefinitionEntry:
    latex = formula_of(f) or ""
    shown = f.classes != 2 or matrix is None or matrix.m == 2
    return DefinitionEntry(
        f.name,
        f.title,
        f.about,
        latex,
        plain_text(latex) if latex else "no printed formula",
        range_text(f),
        f.citation,
        f.cite,
        signature(f, matrix if shown else None, policy),
    )
