"""Scikit-learn's classification metrics with the same names, arguments and results, from one count or one sort.

>>> from goodmeasure.sklearn import f1_score
>>> f1_score([0, 1, 1], [0, 1, 0])
0.6666666666666666
"""

from goodmeasure.sklearn.agreement import (
    accuracy_score,
    balanced_accuracy_score,
    cohen_kappa_score,
    hamming_loss,
    matthews_corrcoef,
    zero_one_loss,
)
from goodmeasure.sklearn.areas import average_precision_score, roc_auc_score
from goodmeasure.sklearn.cross_validation import cross_validated
from goodmeasure.sklearn.curves import (
    auc,
    confusion_matrix_at_thresholds,
    det_curve,
    precision_recall_curve,
    roc_curve,
)
from goodmeasure.sklearn.label_ranking import (
    coverage_error,
    label_ranking_average_precision_score,
    label_ranking_loss,
    top_k_accuracy_score,
)
from goodmeasure.sklearn.likelihood import class_likelihood_ratios
from goodmeasure.sklearn.matrices import confusion_matrix, multilabel_confusion_matrix
from goodmeasure.sklearn.probabilities import (
    brier_score_loss,
    d2_brier_score,
    d2_log_loss_score,
    hinge_loss,
    log_loss,
)
from goodmeasure.sklearn.rates import (
    f1_score,
    fbeta_score,
    jaccard_score,
    precision_recall_fscore_support,
    precision_score,
    recall_score,
)
from goodmeasure.sklearn.report import classification_report
from goodmeasure.sklearn.scorers import get_scorer, scorer

__all__ = [
    "accuracy_score",
    "auc",
    "average_precision_score",
    "balanced_accuracy_score",
    "brier_score_loss",
    "class_likelihood_ratios",
    "classification_report",
    "cohen_kappa_score",
    "confusion_matrix",
    "confusion_matrix_at_thresholds",
    "coverage_error",
    "cross_validated",
    "d2_brier_score",
    "d2_log_loss_score",
    "det_curve",
    "f1_score",
    "fbeta_score",
    "get_scorer",
    "hamming_loss",
    "hinge_loss",
    "jaccard_score",
    "label_ranking_average_precision_score",
    "label_ranking_loss",
    "log_loss",
    "matthews_corrcoef",
    "multilabel_confusion_matrix",
    "precision_recall_curve",
    "precision_recall_fscore_support",
    "precision_score",
    "recall_score",
    "roc_auc_score",
    "roc_curve",
    "scorer",
    "top_k_accuracy_score",
    "zero_one_loss",
]
