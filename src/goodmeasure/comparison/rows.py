"""The rows of a comparison's tables; each kind lists its columns in order, and is a plain dict."""

from __future__ import annotations

from typing import TypedDict

from goodmeasure.typing import Label


class ScoreRow(TypedDict):
    """The value of one system under one measure; it has no rank where the measure has no better and worse."""

    slice: Label
    system: str
    measure: str
    value: float
    low: float
    high: float
    rank: int | None
    rank_low: int | None
    rank_high: int | None
    best_probability: float
    reason: str | None


# The columns of a row stand in the order of its bases.


class _Sliced(TypedDict):
    slice: Label


class _OfAverage(TypedDict):
    average: str | None


class _Paired(TypedDict):
    measure: str
    a: str
    b: str
    difference: float
    low: float
    high: float
    p: float
    p_corrected: float
    p_family: float
    family: str | None
    level: float
    method: str


class _Claims(TypedDict):
    interval: str
    p_a_noninferior: float | None
    p_b_noninferior: float | None
    p_equivalent: float | None


class _Reasoned(TypedDict):
    reason: str | None


class DifferenceRow(_Sliced, _Paired, _Claims, _Reasoned):
    """The difference of two systems under one measure; without a margin there are no p-values of claims about it."""


class AverageDifferenceRow(_OfAverage, _Paired, _Reasoned):
    """The difference of two multilabel systems in one average."""


class EnsembleRow(TypedDict):
    """The mean of several measures of one system."""

    slice: Label
    system: str
    score: float
    low: float
    high: float
    rank: int | None
    mean_rank: float
    best_probability: float


class AgreementRow(TypedDict):
    """How far two measures agree on the order of the systems."""

    slice: Label
    measure: str
    other: str
    kendall: float
    spearman: float


class AverageRow(TypedDict):
    """One average of one multilabel system; the exact match has no kind of average."""

    system: str
    average: str | None
    measure: str
    value: float
    low: float
    high: float
    standard_error: float
    method: str
    reason: str | None


COLUMNS = {
    "differences": tuple(DifferenceRow.__annotations__),
    "scores": tuple(ScoreRow.__annotations__),
    "ensemble": tuple(EnsembleRow.__annotations__),
    "agreement": tuple(AgreementRow.__annotations__),
}
AVERAGE_COLUMNS = {
    "differences": tuple(AverageDifferenceRow.__annotations__),
    "scores": tuple(AverageRow.__annotations__),
}
