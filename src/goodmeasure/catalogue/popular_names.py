"""Names that papers, other libraries and competitions use for measures, and how such names are put together."""

from __future__ import annotations

import re
from typing import NamedTuple

# Names that the papers use for some measures, and those that people know from elsewhere.
POPULAR = {
    "macr": "macro(recall)",
    "macp": "macro(precision)",
    "macf1": "macro(f1)",
    "macf1'": "macro_f1_of_means",
    "gmacr": "macro(recall, p=0)",
    "hmacr": "macro(recall, p=-1)",
    "weightf1": "weighted(f1)",
    "lr+": "positive_likelihood_ratio",
    "lr-": "negative_likelihood_ratio",
    "lr−": "negative_likelihood_ratio",
    # names that people know from other libraries and from competitions
    **dict.fromkeys(
        ("qwk", "quadratic_weighted_kappa", "quadratic_kappa", "kappa_quadratic", "cohen_kappa_quadratic"),
        "weighted_kappa(weights='quadratic')",
    ),
    **dict.fromkeys(
        ("lwk", "linear_weighted_kappa", "linear_kappa", "kappa_linear", "cohen_kappa_linear"),
        "weighted_kappa(weights='linear')",
    ),
    **dict.fromkeys(("bacc", "balanced_acc", "bal_acc", "balancedaccuracy", "bac", "uar"), "balanced_accuracy"),
    **dict.fromkeys(("miou", "mean_iou", "mean_jaccard", "jaccard_macro", "macro_iou"), "macro(jaccard)"),
    **dict.fromkeys(("mean_dice", "macro_dice", "mf1", "mean_f1", "macro_f1_score"), "macro(f1)"),
    **dict.fromkeys(("wf1", "weighted_f1_score"), "weighted(f1)"),
    **dict.fromkeys(("hamming", "hamming_distance"), "hamming_loss"),
    **dict.fromkeys(("f2", "f2_score", "f2_measure"), "fbeta(beta=2)"),
    **dict.fromkeys(("f0.5", "f05", "f0.5_score", "f05_score"), "fbeta(beta=0.5)"),
    "ts": "jaccard",
    "threat": "jaccard",
    "ets": "gilbert_skill_score",
    "top1": "accuracy",
    "top_1_accuracy": "accuracy",
    "top1_accuracy": "accuracy",
    **{f"top{k}": f"top_k_accuracy(k={k})" for k in (2, 3, 5, 10)},
    **{f"top{k}_accuracy": f"top_k_accuracy(k={k})" for k in (2, 3, 5, 10)},
    **{f"top_{k}_accuracy": f"top_k_accuracy(k={k})" for k in (2, 3, 5, 10)},
    "misclassification_rate": "zero_one_loss",
    "classification_error": "zero_one_loss",
    "classerror": "zero_one_loss",
    "auc_macro": "macro(roc_auc)",
    "roc_auc_macro": "macro(roc_auc)",
    "roc_auc_ovr": "macro(roc_auc)",
    "roc_auc_ovr_weighted": "weighted(roc_auc)",
    "roc_auc_ovo": "hand_till",
    "ks_statistic": "ks",
    "mlogloss": "log_loss",
    "binary_crossentropy": "log_loss",
    "categorical_crossentropy": "log_loss",
    "cross_entropy_loss": "log_loss",
    "expected_calibration_error": "calibration_error",
    "aupr": "average_precision",
    **dict.fromkeys(("aucroc", "cindex", "area_under_curve"), "roc_auc"),
    **dict.fromkeys(("fscore", "f", "dice_score", "dice_coefficient"), "f1"),
    **dict.fromkeys(("macrof1", "meanf1"), "macro(f1)"),
    "microf1": "micro(f1)",
    "weightedf1": "weighted(f1)",
    **dict.fromkeys(
        ("mean_class_accuracy", "mean_per_class_accuracy", "per_class_accuracy", "class_accuracy", "mca"),
        "macro(recall)",
    ),
    "unweighted_average_recall": "balanced_accuracy",
    **dict.fromkeys(("error", "err", "misclassification", "mcr", "misclassification_error", "mmce"), "zero_one_loss"),
    **dict.fromkeys(("acc@1", "top_1"), "accuracy"),
    **{f"acc@{k}": f"top_k_accuracy(k={k})" for k in (2, 3, 5, 10)},
    **{f"top_{k}": f"top_k_accuracy(k={k})" for k in (2, 3, 5, 10)},
    **dict.fromkeys(("xent", "crossentropy", "ce_loss", "bce", "cross_entropy_error"), "log_loss"),
    **dict.fromkeys(("bbrier", "mbrier"), "brier"),
    **dict.fromkeys(("bm", "youden_index", "youdens_index"), "k"),
    "mk": "markedness",
    "pod": "recall",
    "sensitivity_score": "recall",
    "specificity_score": "specificity",
    "pos_pred_value": "precision",
    "neg_pred_value": "negative_predictive_value",
    "fomr": "false_omission_rate",
    "detection_prevalence": "predicted_prevalence",
    "detection_rate": "russell_rao",
    "accuracy_null": "no_information_rate",
    "p4_metric": "p4",
    "phi_coefficient": "mcc",
    "pabak": "bennett_s",
    "classif.ce": "zero_one_loss",
    "gwet": "gwet_ac1",
    "krippendorff": "krippendorff_alpha",
    "iou_score": "jaccard",
    "jaccard_index": "jaccard",
    "mean_io_u": "macro(jaccard)",
    **dict.fromkeys(
        ("normalized_mutual_info", "normalized_mutual_info_score", "v_measure_score"),
        "normalized_mutual_information(average='arithmetic')",
    ),
    "nmi": "normalized_mutual_information(average='arithmetic')",
    "v_measure": "normalized_mutual_information(average='arithmetic')",
}

# Aliases that mean something else to others, and what to say about it where they are used.
TWO_MEANINGS = {
    "ce": "is also short for cross-entropy ('log_loss') and for the classification error ('zero_one_loss')",
    "support": "is also the number of items of a class, which gm.confusion(y_true, y_pred).a holds",
    "bias": "in forecasting is the ratio of predicted_prevalence and prevalence",
    "hit_rate": "in retrieval is the share of queries with a hit, which the catalogue does not have",
}


class PlainWords(NamedTuple):
    """The words of a name, without what other libraries put around the name of a measure."""

    name: str  # as it is written there, in one word
    words: list[str]
    over_classes: bool = False  # whether each class is measured against the rest, and the mean is meant


_PREFIXES = re.compile(r"(?:classif|regr|sklearn\.metrics|torchmetrics(?:\.classification)?|metrics)\.")
_HUMPS = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


def plain_words(text: str) -> PlainWords:
    """Return the words of a name as another library writes it: CamelCase, the kind of task, the kind of mean.

    >>> plain_words("BinaryF1Score").words, plain_words("classif.auc").words, plain_words("Mean_Recall").words
    (['f1', 'score'], ['auc'], ['macro', 'recall'])
    >>> plain_words("MulticlassRecall")
    PlainWords(name='Recall', words=['recall'], over_classes=True)
    """
    bare = _PREFIXES.sub("", text.strip())
    words = re.split(r"[\s_-]+", humps_apart(bare).lower())
    over_classes = len(words) > 1 and words[0] == "multiclass"
    if len(words) > 1 and words[0] in ("multiclass", "binary", "mean"):
        words = [*["macro"] * (words[0] == "mean"), *words[1:]]
    if len(words) > 1 and words[-1] in ("binary", "metric"):
        words = words[:-1]
    return PlainWords(re.sub("^(Binary|Multiclass)(?=[A-Z])", "", bare), words, over_classes)


def humps_apart(text: str) -> str:
    """Return a name in CamelCase as words.

    >>> humps_apart("MulticlassF1Score"), humps_apart("KLDivergence")
    ('Multiclass F1 Score', 'KL Divergence')
    """
    return _HUMPS.sub(" ", text)
