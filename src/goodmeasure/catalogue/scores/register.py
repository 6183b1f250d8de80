"""How a measure of scores gets a name, its facts and a place in the catalogue."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Unpack

from goodmeasure.catalogue.register import enter
from goodmeasure.catalogue.scores.definition import ScoreDefinition
from goodmeasure.catalogue.scores.measure import ScoreFamily, ScoreMeasure

if TYPE_CHECKING:
    from goodmeasure.catalogue.facts import ScoreFacts, ScoreFamilyFacts


def define_score(name: str, definition: ScoreDefinition | ScoreMeasure, **facts: Unpack[ScoreFacts]) -> ScoreMeasure:
    """Give a definition a name, facts and a place in the catalogue.

    A measure of scores that `area`, `at` or `best` made of other measures is a definition too.
    """
    inner = definition.definition if isinstance(definition, ScoreMeasure) else definition
    measure = ScoreMeasure(inner, name, **facts)
    enter(name, measure, (__name__, name))
    return measure


def define_score_family(
    name: str, *, usual: tuple[dict[str, object], ...], **facts: Unpack[ScoreFamilyFacts]
) -> Callable[[Callable[..., ScoreDefinition | ScoreMeasure]], ScoreFamily]:
    """Give a function from parameters to definitions a name, facts, and the parameters that people usually choose."""

    def register(build: Callable[..., ScoreDefinition | ScoreMeasure]) -> ScoreFamily:
        family = ScoreFamily(build, name, usual, facts)
        enter(name, family, (build.__module__, build.__qualname__))
        return family

    return register
