"""The methods of the confidence intervals, in words."""

from __future__ import annotations

from goodmeasure.evaluation.result import Result
from goodmeasure.report.numbers import level_text

_OF_SCORES = (
    "measures of scores: DeLong's variance for areas under the ROC curve, the influence of each item for other areas "
    "and for means, the bootstrap of items elsewhere"
)
_OF_OUTCOMES = (
    "Wilson's interval where every item is right or wrong; elsewhere, that of the mean of numbers between 0 and 1, "
    "with the number of items whose proportion would have the same variance, and one imagined item at each end"
)


def how(result: Result) -> str:
    """Return how the intervals of a result were found, in words."""
    if result.source.of_outcomes:
        return _OF_OUTCOMES
    of_scores = result.scored is not None and bool(result.scored.measures)
    if of_scores and not result.settings.measures:
        return _OF_SCORES
    return f"{_of_labels(result)}; {_OF_SCORES}" if of_scores else _of_labels(result)


def _of_labels(result: Result) -> str:
    """Return the interval methods that were used, with what is needed to reproduce them."""
    settings = result.settings
    drawn = f"{settings.replicates:,} replicates, seed {settings.seed}"
    words = {
        "wilson": "Wilson's interval for proportions",
        "smoothed": "normal intervals around a smoothed estimate, standard error by the jackknife",
        "smoothed delta": "normal intervals around a smoothed estimate, standard error by the delta method",
        "smoothed bootstrap": f"percentile bootstrap with a few imagined items, {drawn}",
        "delta": "the delta method",
        "percentile": f"percentile bootstrap, {drawn}",
        "exact": "the exact interval of Clopper and Pearson for proportions",
        "bayesian": f"credible intervals, Dirichlet prior {settings.prior!r}, {drawn}",
        "bca": f"bias-corrected and accelerated bootstrap, {drawn}",
    }
    used = dict.fromkeys(method for part in result.parts for method in part.methods.values() if method != "none")
    return "; ".join(words.get(method, method) for method in used) or f"no intervals, as {_why_none(result)}"


def _why_none(result: Result) -> str:
    """Return why no value has an interval: the first reason that a row of the table gives."""
    rows = [row for part in result.parts for row in part.rows if row.label is None]
    return next((row.no_interval for row in rows if row.no_interval is not None), "every value is undefined")


def confidence(result: Result) -> str:
    """Return the confidence level of the intervals, as the end of a caption."""
    level = result.settings.confidence
    return "" if level is None else f", with intervals at {level_text(level)} confidence"
