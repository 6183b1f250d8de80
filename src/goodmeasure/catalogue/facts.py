"""The facts of a measure: what its declaration says besides the definition. Only type checkers need this module."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias, TypedDict

from goodmeasure.language.policy import Undefined

Range: TypeAlias = tuple[float, float]


class ScoreFacts(TypedDict, total=False):
    """The facts of a measure of scores, which are the keyword arguments of `ScoreMeasure`."""

    title: str | None
    range: Range | None
    orientation: str
    aliases: tuple[str, ...]
    cite: str | None
    family: str
    about: str
    parameters: Mapping[str, object]
    made_by: str | None
    key: object


class MeasureFacts(ScoreFacts, total=False):
    """The facts of a measure of predicted labels, which are the keyword arguments of `Measure`."""

    range_by_classes: Callable[[int], Range] | None
    classes: int | None
    symmetric: bool
    class_symmetric: bool | None
    scale_invariant: bool


class ScoreFamilyFacts(TypedDict, total=False):
    """The facts of a family of measures of scores; one that depends on the parameters is a function of them."""

    title: str | Callable[..., str]
    range: Range | Callable[..., Range]
    orientation: str
    aliases: tuple[str, ...]
    cite: str
    family: str
    about: str


class FamilyFacts(ScoreFamilyFacts, total=False):
    """The facts of a family of measures of predicted labels."""

    range_by_classes: Callable[..., Callable[[int], Range]]
    classes: int
    symmetric: bool | Callable[..., bool]
    class_symmetric: bool | Callable[..., bool]


class DataOptions(TypedDict, total=False):
    """The options that describe the labels or counts that a measure is called on."""

    labels: object
    positive: object
    pos_label: object
    sample_weight: object
    undefined: Undefined
    missing: str
