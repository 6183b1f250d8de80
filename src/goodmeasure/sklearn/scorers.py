"""Measures as scorers, which cross-validation, grid search and threshold tuning of scikit-learn call."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from goodmeasure.catalogue.measure import LOWER, NEITHER, Measure, as_measure, one_positive
from goodmeasure.catalogue.names import measure as named
from goodmeasure.catalogue.scores.measure import ScoreFamily, ScoreMeasure
from goodmeasure.exceptions import InputError, InputTypeError, MissingPackageError
from goodmeasure.language.policy import Undefined
from goodmeasure.sklearn.agreement import accuracy_score, balanced_accuracy_score, matthews_corrcoef
from goodmeasure.sklearn.areas import average_precision_score, roc_auc_score
from goodmeasure.sklearn.label_ranking import top_k_accuracy_score
from goodmeasure.sklearn.likelihood import class_likelihood_ratios
from goodmeasure.sklearn.probabilities import brier_score_loss, d2_brier_score, d2_log_loss_score, log_loss
from goodmeasure.sklearn.rates import f1_score, jaccard_score, precision_score, recall_score
from goodmeasure.typing import Scorer


class MeasureOfLabels:
    """A measure as a function of true and predicted labels, with the arguments that scikit-learn looks for."""

    def __init__(self, measure: Measure) -> None:
        self.measure = measure
        self.__name__ = measure.name  # what the scorer shows

    def __call__(
        self,
        y_true: object,
        y_pred: object,
        *,
        labels: object = None,
        pos_label: object = None,
        positive: object = None,
        sample_weight: object = None,
        undefined: Undefined = "resolve",
    ) -> float:
        """Return the value on labels."""
        positive = one_positive(positive, pos_label)
        value: float = self.measure(
            y_true, y_pred, labels=labels, positive=positive, sample_weight=sample_weight, undefined=undefined
        )
        return value

    def __repr__(self) -> str:
        return self.__name__


class MeasureOfScores:
    """A measure as a function of true labels and scores, with the arguments that scikit-learn looks for."""

    def __init__(self, measure: ScoreMeasure) -> None:
        self.measure = measure
        self.__name__ = measure.name  # what the scorer shows

    def __call__(
        self,
        y_true: object,
        y_score: object,
        *,
        labels: object = None,
        pos_label: object = None,
        sample_weight: object = None,
        undefined: Undefined = "resolve",
    ) -> float:
        """Return the value on scores."""
        return self.measure(
            y_true, y_score, labels=labels, pos_label=pos_label, sample_weight=sample_weight, undefined=undefined
        )

    def __repr__(self) -> str:
        return self.__name__


_PROBABILITIES = "predict_proba"
_ANY_SCORES = ("decision_function", "predict_proba")
# Over several classes, each class is ranked against the rest. Only probabilities can be compared across items, since
# the values of a decision function of all classes have no common zero.
_OF_CLASSES = ("predict_proba", "decision_function")


def scorer(measure: object, *, greater_is_better: bool | None = None, **arguments: object) -> Scorer:
    """Return a scorer for a measure, its name, or a function of c; measures for which lower is better are negated.

    Measures of scores take probabilities, or the values of the decision function where any scores will do and there are
    two classes.

    Further arguments are those of a measure: `labels` (name all classes if a fold may lack one), `positive` or
    `pos_label` (the positive class of a binary measure; where the labels are text it must be named) and `undefined`.

    >>> scorer("macro(f1)")
    make_scorer(macro(f1), response_method='predict')
    >>> scorer("zero_one_loss")
    make_scorer(zero_one_loss, greater_is_better=False, response_method='predict')
    """
    known = _known(measure)
    checked = _checked(arguments)
    if greater_is_better is None:
        if known.orientation == NEITHER:
            raise InputError(
                "neither higher nor lower values of {name} are better", name=known.name, argument="greater_is_better",
                advice="say greater_is_better=True or False",
            )  # fmt: skip
        greater_is_better = known.orientation != LOWER
    given = {"greater_is_better": greater_is_better, **checked}
    if isinstance(known, Measure):
        return _made(MeasureOfLabels(known), given)
    scores = _ANY_SCORES if known.classes == 2 else _OF_CLASSES
    method = _PROBABILITIES if known.definition.needs_probabilities else scores
    return _made(MeasureOfScores(known), given, method)


def _known(measure: object) -> Measure | ScoreMeasure:
    """Return the measure that is meant, of labels or of scores."""
    found = named(measure) if isinstance(measure, str) else measure
    found = found() if isinstance(found, ScoreFamily) else found
    return found if isinstance(found, ScoreMeasure) else as_measure(found)


_ARGUMENTS = ("labels", "positive", "pos_label", "undefined")


def _checked(arguments: dict[str, object]) -> dict[str, object]:
    """Return the arguments of a scorer, with the positive class under scikit-learn's name.

    Refuse wrong ones here, because inside cross-validation they would only give NaN in every fold.
    """
    for name in arguments:
        if name not in _ARGUMENTS:
            raise InputTypeError(
                "scorer() takes no {argument:=}", argument=name, got=arguments[name], known=", ".join(_ARGUMENTS),
                advice="it takes {known} and greater_is_better",
            )  # fmt: skip
    positive = one_positive(arguments.pop("positive", None), arguments.pop("pos_label", None))
    return arguments if positive is None else {**arguments, "pos_label": positive}


def get_scorer(scoring: object) -> Scorer:
    """Return a scorer by scikit-learn's name for it (with scikit-learn's rules), or by the name of a measure.

    >>> get_scorer("f1_macro")
    make_scorer(f1_score, response_method='predict', pos_label=None, average=macro)
    >>> get_scorer("mcc")
    make_scorer(mcc, response_method='predict')
    """
    if not isinstance(scoring, str):
        return scorer(scoring) if isinstance(scoring, (Measure, ScoreMeasure, ScoreFamily)) else scoring
    if scoring in _OF_LABELS:
        function, arguments = _OF_LABELS[scoring]
        return _made(function, arguments)
    if scoring in _OF_SCORES:
        function, method, arguments = _OF_SCORES[scoring]
        return _made(function, arguments, method)
    return scorer(scoring)


def _made(
    function: Callable[..., object], arguments: Mapping[str, object], method: str | tuple[str, ...] = "predict"
) -> Scorer:
    try:
        from sklearn.metrics import make_scorer
    except ImportError:
        raise MissingPackageError(
            "scorers are for scikit-learn, which is not installed", advice="pip install scikit-learn"
        ) from None
    return make_scorer(function, response_method=method, **arguments)


def positive_likelihood_ratio(y_true: object, y_pred: object) -> float:
    """Return the ratio for positive predictions; 1, its worst value, if it is undefined."""
    return class_likelihood_ratios(y_true, y_pred, replace_undefined_by=1.0)[0]


def negative_likelihood_ratio(y_true: object, y_pred: object) -> float:
    """Return the ratio for negative predictions; 1, its worst value, if it is undefined."""
    return class_likelihood_ratios(y_true, y_pred, replace_undefined_by=1.0)[1]


_AVERAGED = {"precision": precision_score, "recall": recall_score, "f1": f1_score, "jaccard": jaccard_score}
_OF_LABELS: dict[str, tuple[Callable[..., object], Mapping[str, object]]] = {
    "accuracy": (accuracy_score, {}),
    "balanced_accuracy": (balanced_accuracy_score, {}),
    "matthews_corrcoef": (matthews_corrcoef, {}),
    "positive_likelihood_ratio": (positive_likelihood_ratio, {}),
    "neg_negative_likelihood_ratio": (negative_likelihood_ratio, {"greater_is_better": False}),
    **{name: (function, {"average": "binary"}) for name, function in _AVERAGED.items()},
    **{
        f"{name}_{average}": (function, {"pos_label": None, "average": average})
        for name, function in _AVERAGED.items()
        for average in ("macro", "micro", "samples", "weighted")
    },
}
_OF_SCORES: dict[str, tuple[Callable[..., object], str | tuple[str, ...], Mapping[str, object]]] = {
    "average_precision": (average_precision_score, _ANY_SCORES, {}),
    "d2_brier_score": (d2_brier_score, _PROBABILITIES, {}),
    "d2_log_loss_score": (d2_log_loss_score, _PROBABILITIES, {}),
    "neg_brier_score": (brier_score_loss, _PROBABILITIES, {"greater_is_better": False}),
    "neg_log_loss": (log_loss, _PROBABILITIES, {"greater_is_better": False}),
    "roc_auc": (roc_auc_score, _ANY_SCORES, {}),
    "roc_auc_ovo": (roc_auc_score, _PROBABILITIES, {"multi_class": "ovo"}),
    "roc_auc_ovo_weighted": (roc_auc_score, _PROBABILITIES, {"multi_class": "ovo", "average": "weighted"}),
    "roc_auc_ovr": (roc_auc_score, _PROBABILITIES, {"multi_class": "ovr"}),
    "roc_auc_ovr_weighted": (roc_auc_score, _PROBABILITIES, {"multi_class": "ovr", "average": "weighted"}),
    "top_k_accuracy": (top_k_accuracy_score, _ANY_SCORES, {}),
}
