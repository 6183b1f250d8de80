"""What other libraries call their classification measures, and what they are called here, or why there is none.

`crosswalk("pycm")` lists every statistic of PyCM. The lists of PyCM, scikit-learn and imbalanced-learn are compared
with the installed packages by a test, and so are the values.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from goodmeasure.catalogue.names import measure as find
from goodmeasure.exceptions import InputError


@dataclass(frozen=True, slots=True)
class Counterpart:
    """A measure of another library: its name there, its name here (None if there is none), and a note.

    `kind` says what the peer computes it for: "class" (each class against the rest), "overall", or "function".
    """

    name: str
    measure: str | None
    note: str = ""
    kind: str = "function"


_LACKING = "a measure of scores that the catalogue does not have yet"
_CURVE = "a curve: gm.sweep(y_true, y_score) has every measure at every threshold"
_COUNT = "a count: gm.confusion(...) has the counts, and cm.vs_rest(label) those of one class"
_WORDS = "a verdict in words on the value of another statistic"
_PAIRS = "on pairs of items: gm.pair_confusion(y_true, y_pred)"
_BITS = "in bits there; ours is in nats, which is log 2 times as much"
_TESTS = "not a measure: gm.evaluate gives confidence intervals, gm.compare tests differences"
_GROUPS = "compares groups: gm.evaluate(..., by=column) gives every measure in each group"
_MULTILABEL = "of several labels for each item: gm.multilabel"
_SETTING = "macro(M), micro(M) and weighted(M) are the averages there; the default depends on the class that is used"
_OTHER = "not a measure of classification"
_TOOL = "not a measure but a tool"


def _none(why: str, *names: str) -> dict[str, tuple[None, str]]:
    """Return names that have no measure here, all for the same reason."""
    return dict.fromkeys(names, (None, why))


_PYCM_CLASS: dict[str, str | tuple[str | None, str]] = {
    "TPR": "recall",
    "TNR": "specificity",
    "PPV": "precision",
    "NPV": "negative_predictive_value",
    "FNR": "miss_rate",
    "FPR": "fallout",
    "FDR": "false_discovery_rate",
    "FOR": "false_omission_rate",
    "ACC": "accuracy",
    "ERR": "zero_one_loss",
    "F1": "f1",
    "F0.5": "fbeta(beta=0.5)",
    "F2": "fbeta(beta=2)",
    "MCC": "mcc",
    "BM": ("somers_d_predicted", "k is the same where both classes occur, and is defined where one does not"),
    "Y": ("somers_d_predicted", "k is the same where both classes occur, and is defined where one does not"),
    "GI": ("somers_d_predicted", "twice balanced accuracy minus 1, which is recall + specificity − 1"),
    "MK": "markedness",
    "PLR": "positive_likelihood_ratio",
    "NLR": "negative_likelihood_ratio",
    "DOR": ("diagnostic_odds_ratio", "'None' there where one of the likelihood ratios is x/0"),
    "PRE": "prevalence",
    "PR": "prevalence",
    "TOPR": "predicted_prevalence",
    "G": "ochiai",
    "OOC": "ochiai",
    "RACC": "random_accuracy",
    "RACCU": "random_accuracy_unbiased",
    "J": "jaccard",
    "IS": "information_score",
    "AUC": ("balanced_accuracy", "of one threshold: the mean of recall and specificity"),
    "AUPR": ("kulczynski_2", "of one threshold: the mean of precision and recall"),
    "dInd": "distance_index",
    "sInd": "similarity_index",
    "DP": ("discriminant_power", "common logarithms there, so ours is log 10 = 2.303 times as large"),
    "LS": "lift",
    "AM": "automatic_manual",
    "BCD": "bray_curtis",
    "OP": "optimized_precision",
    "IBA": ("index_of_balanced_accuracy(alpha=1)", "IBA_alpha(alpha) there for other weights"),
    "GM": "g_mean",
    "Q": ("yule_q", "'None' there where the odds ratio is x/0"),
    "AGM": "adjusted_geometric_mean",
    "AGF": "adjusted_f_score",
    "OC": "overlap_coefficient",
    "BB": "braun_blanquet",
    "ICSI": "mcconnaughey",
    "HD": (None, "a count of errors: n times zero_one_loss of cm.vs_rest(label)"),
    "CEN": (None, "the part of one class in confusion_entropy, which needs the whole matrix"),
    "MCEN": (None, "the part of one class in modified_confusion_entropy, which needs the whole matrix"),
    **_none(_COUNT, "TP", "TN", "FP", "FN", "POP", "P", "N", "TOP", "TON"),
    **_none(_WORDS, "PLRI", "NLRI", "DPI", "AUCI", "MCCI", "QI"),
}

_PYCM_OVERALL: dict[str, str | tuple[str | None, str]] = {
    "Overall ACC": "accuracy",
    "Overall RACC": "chance_agreement",
    "Overall RACCU": "chance_agreement_unbiased",
    "Kappa": "kappa",
    "Kappa Unbiased": "scott_pi",
    "Scott PI": "scott_pi",
    "Kappa No Prevalence": "hamann",
    "Gwet AC1": "gwet_ac1",
    "Bennett S": "bennett_s",
    "Krippendorff Alpha": "krippendorff_alpha",
    "Bangdiwala B": "bangdiwala_b",
    "Chi-Squared": ("chi_squared", "'None' there if a class is never true or never predicted"),
    "Phi-Squared": ("phi_squared", "'None' there if a class is never true or never predicted"),
    "Cramer V": ("cramers_v", "'None' there if a class is never true or never predicted"),
    "Pearson C": ("pearson_contingency", "'None' there if a class is never true or never predicted"),
    "Response Entropy": ("entropy_predicted", _BITS),
    "Reference Entropy": ("entropy_true", _BITS),
    "Cross Entropy": (
        "class_size_cross_entropy",
        f"{_BITS}; there, classes that are never predicted are left out, though their term is infinite",
    ),
    "Joint Entropy": ("entropy_joint", _BITS),
    "Conditional Entropy": ("entropy_conditional", _BITS),
    "Mutual Information": ("mutual_information", _BITS),
    "KL Divergence": ("class_size_divergence", _BITS),
    "Lambda A": "lambda_true",
    "Lambda B": "lambda_predicted",
    "Overall J": (
        "macro(jaccard, classes='all')",
        "the second of two numbers there; the first one is the sum over classes",
    ),
    "Hamming Loss": "hamming_loss",
    "Zero-one Loss": ("zero_one_loss", "a number of items there: n times ours"),
    "NIR": "no_information_rate",
    "Overall CEN": "confusion_entropy",
    "Overall MCEN": "modified_confusion_entropy",
    "Overall MCC": "mcc",
    "RR": (None, "n/m, the number of items for each class, whatever the predictions are"),
    "CBA": "class_balance_accuracy",
    "AUNU": ("macro(balanced_accuracy, classes='all')", "of one threshold"),
    "AUNP": ("weighted(balanced_accuracy)", "of one threshold"),
    "RCI": ("homogeneity", "'None' there if only one true class occurs"),
    "CSI": (
        "macro(mcconnaughey, classes='all')",
        "not the critical success index of weather science, which is jaccard",
    ),
    "ARI": ("kappa", f"the adjusted Rand index is kappa {_PAIRS}"),
    "TPR Micro": "micro(recall)",
    "TPR Macro": "macro(recall, classes='all')",
    "TNR Micro": "micro(specificity)",
    "TNR Macro": "macro(specificity, classes='all')",
    "PPV Micro": "micro(precision)",
    "PPV Macro": "macro(precision, classes='all')",
    "NPV Micro": "micro(negative_predictive_value)",
    "NPV Macro": "macro(negative_predictive_value, classes='all')",
    "FPR Micro": "micro(fallout)",
    "FPR Macro": "macro(fallout, classes='all')",
    "FNR Micro": "micro(miss_rate)",
    "FNR Macro": "macro(miss_rate, classes='all')",
    "F1 Micro": "micro(f1)",
    "F1 Macro": "macro(f1, classes='all')",
    "ACC Macro": "macro(accuracy, classes='all')",
    "P-Value": (None, f"of a test that accuracy exceeds the no-information rate: {_TESTS}"),
    "Chi-Squared DF": (None, "(m − 1)², the degrees of freedom of the chi-squared test"),
    **_none(_TESTS, "Kappa Standard Error", "Kappa 95% CI", "Standard Error", "95% CI"),
    **{
        f"SOA{k}({name})": (None, _WORDS)
        for k, name in enumerate(
            (
                "Landis & Koch",
                "Fleiss",
                "Altman",
                "Cicchetti",
                "Cramer",
                "Matthews",
                "Lambda A",
                "Lambda B",
                "Krippendorff Alpha",
                "Pearson C",
            ),
            start=1,
        )
    },
}

# Functions of a PyCM matrix that need an argument, or are computed on demand.
_PYCM_METHODS: dict[str, str | tuple[str | None, str]] = {
    "F_beta": ("fbeta(beta=2)", "with any beta"),
    "TI": ("tversky(alpha=0.3, beta=0.7)", "with any alpha and beta"),
    "IBA_alpha": ("index_of_balanced_accuracy(alpha=0.1)", "with any alpha from 0 to 1"),
    "NB": ("net_benefit(weight=1)", "with any weight"),
    "weighted_kappa": ("weighted_kappa(weights='linear')", "with any table of weights"),
    "weighted_alpha": (
        None,
        "its chance term squares (P_i + TOP_j)/2n, which is not the expected disagreement of alpha",
    ),
    "aickin_alpha": (None, "the limit of an iteration, which has no formula"),
    "sensitivity_index": (
        None,
        "from the normal quantiles of recall and fallout; d_prime here is computed from scores",
    ),
    "brier_score": "brier",
    "log_loss": "log_loss",
    "distance": (
        None,
        "63 distances of two binary labelings; gm.measures(search=...) finds those that are measures here",
    ),
}

_SKLEARN: dict[str, str | tuple[str | None, str]] = {
    "accuracy_score": "accuracy",
    "balanced_accuracy_score": ("balanced_accuracy", "a class that is never true is left out there"),
    "cohen_kappa_score": ("kappa", "with weights: weighted_kappa(weights='linear') or 'quadratic'"),
    "matthews_corrcoef": ("mcc", "0 there at 0/0"),
    "f1_score": ("f1", _SETTING),
    "fbeta_score": ("fbeta(beta=2)", f"with any beta; {_SETTING}"),
    "jaccard_score": ("jaccard", _SETTING),
    "precision_score": ("precision", _SETTING),
    "recall_score": ("recall", _SETTING),
    "hamming_loss": "hamming_loss",
    "zero_one_loss": "zero_one_loss",
    "class_likelihood_ratios": ("positive_likelihood_ratio", "and negative_likelihood_ratio"),
    "fowlkes_mallows_score": ("ochiai", _PAIRS),
    "rand_score": ("accuracy", _PAIRS),
    "adjusted_rand_score": ("kappa", _PAIRS),
    "mutual_info_score": "mutual_information",
    "normalized_mutual_info_score": "normalized_mutual_information(average='arithmetic')",
    "v_measure_score": "normalized_mutual_information(average='arithmetic')",
    "homogeneity_score": "homogeneity",
    "completeness_score": "completeness",
    "homogeneity_completeness_v_measure": ("homogeneity", "and completeness, and the mean of both"),
    "adjusted_mutual_info_score": (None, "its chance term is a sum over all tables with the same class sizes"),
    "roc_auc_score": ("roc_auc", "with more classes macro(roc_auc) and weighted(roc_auc), or hand_till for pairs"),
    "average_precision_score": ("average_precision", "macro(average_precision) with more classes"),
    "brier_score_loss": "brier",
    "d2_brier_score": "brier_skill",
    "d2_log_loss_score": "log_loss_skill",
    "log_loss": "log_loss",
    "top_k_accuracy_score": "top_k_accuracy",
    "precision_recall_fscore_support": (None, "several measures at once: gm.evaluate, or goodmeasure.sklearn"),
    "classification_report": (None, "several measures at once: gm.evaluate, or goodmeasure.sklearn"),
    "confusion_matrix": (None, "gm.confusion"),
    "multilabel_confusion_matrix": (None, "gm.confusion(...).vs_rest(label), or gm.multilabel"),
    "pair_confusion_matrix": (None, "gm.pair_confusion"),
    **_none(
        _CURVE,
        "confusion_matrix_at_thresholds",
        "det_curve",
        "metric_at_thresholds",
        "precision_recall_curve",
        "roc_curve",
    ),
    "auc": (None, "the area under points that are given; gm.area(measure, over=measure) has it for any two measures"),
    "hinge_loss": (None, _LACKING),
    **_none(
        f"of rankings, {_MULTILABEL}",
        "coverage_error",
        "dcg_score",
        "label_ranking_average_precision_score",
        "label_ranking_loss",
        "ndcg_score",
    ),
    **_none(
        _OTHER,
        "calinski_harabasz_score",
        "consensus_score",
        "d2_absolute_error_score",
        "d2_pinball_score",
        "d2_tweedie_score",
        "davies_bouldin_score",
        "explained_variance_score",
        "max_error",
        "mean_absolute_error",
        "mean_absolute_percentage_error",
        "mean_gamma_deviance",
        "mean_pinball_loss",
        "mean_poisson_deviance",
        "mean_squared_error",
        "mean_squared_log_error",
        "mean_tweedie_deviance",
        "median_absolute_error",
        "r2_score",
        "root_mean_squared_error",
        "root_mean_squared_log_error",
        "silhouette_samples",
        "silhouette_score",
    ),
    **_none(
        _TOOL,
        "ConfusionMatrixDisplay",
        "DetCurveDisplay",
        "DistanceMetric",
        "PrecisionRecallDisplay",
        "PredictionErrorDisplay",
        "RocCurveDisplay",
        "check_scoring",
        "cluster",
        "euclidean_distances",
        "get_scorer",
        "get_scorer_names",
        "make_scorer",
        "nan_euclidean_distances",
        "pairwise_distances",
        "pairwise_distances_argmin",
        "pairwise_distances_argmin_min",
        "pairwise_distances_chunked",
        "pairwise_kernels",
    ),
}

_IMBLEARN: dict[str, str | tuple[str | None, str]] = {
    "sensitivity_score": ("recall", _SETTING),
    "specificity_score": ("specificity", _SETTING),
    "geometric_mean_score": ("g_mean", "with average='multiclass', or 'binary' for two classes"),
    "make_index_balanced_accuracy": (
        "index_of_balanced_accuracy(alpha=0.1)",
        "of geometric_mean_score, squared; other measures can be weighted there, too",
    ),
    "macro_averaged_mean_absolute_error": ("macro_absolute_error", "classes are numbers there, and neighbours 1 apart"),
    "sensitivity_specificity_support": ("recall", "and specificity, and the number of items"),
    "classification_report_imbalanced": (None, "several measures at once: gm.evaluate"),
}

_TORCHMETRICS: dict[str, str | tuple[str | None, str]] = {
    "Accuracy": ("accuracy", f"average='macro' is macro(recall); {_SETTING}"),
    "CohenKappa": ("kappa", "with weights: weighted_kappa(weights='linear') or 'quadratic'"),
    "MatthewsCorrCoef": ("mcc", "other values at 0/0"),
    "F1Score": ("f1", _SETTING),
    "FBetaScore": ("fbeta(beta=2)", f"with any beta; {_SETTING}"),
    "Dice": ("f1", "the older name of F1 there"),
    "JaccardIndex": ("jaccard", _SETTING),
    "Precision": ("precision", _SETTING),
    "Recall": ("recall", _SETTING),
    "Specificity": ("specificity", _SETTING),
    "NegativePredictiveValue": ("negative_predictive_value", _SETTING),
    "HammingDistance": ("hamming_loss", _SETTING),
    "CramersV": ("cramers_v", "with bias_correction=False; the correction for small n is the default there"),
    "TschuprowsT": ("tschuprows_t", "with bias_correction=False; the correction for small n is the default there"),
    "PearsonsContingencyCoefficient": "pearson_contingency",
    "TheilsU": ("completeness", "as TheilsU(preds, target); with exchanged arguments homogeneity; 0 there at 0/0"),
    "FleissKappa": ("scott_pi", "of two raters"),
    "MutualInfoScore": "mutual_information",
    "NormalizedMutualInfoScore": "normalized_mutual_information(average='arithmetic')",
    "VMeasureScore": "normalized_mutual_information(average='arithmetic')",
    "HomogeneityScore": "homogeneity",
    "CompletenessScore": "completeness",
    "RandScore": ("accuracy", _PAIRS),
    "AdjustedRandScore": ("kappa", _PAIRS),
    "FowlkesMallowsIndex": ("ochiai", _PAIRS),
    "AdjustedMutualInfoScore": (None, "its chance term is a sum over all tables with the same class sizes"),
    "AUROC": ("roc_auc", "macro(roc_auc) and weighted(roc_auc) with more classes"),
    "AveragePrecision": ("average_precision", "macro(average_precision) with more classes"),
    "CalibrationError": ("calibration_error", "of equally wide bins"),
    "EER": "equal_error_rate",
    "PrecisionAtFixedRecall": "precision_at_recall",
    "RecallAtFixedPrecision": "recall_at_precision",
    "SensitivityAtSpecificity": "recall_at_specificity",
    "SpecificityAtSensitivity": "specificity_at_recall",
    "ConfusionMatrix": (None, "gm.confusion"),
    "StatScores": (None, _COUNT),
    "ExactMatch": (None, f"one minus the zero-one loss of whole label sets, {_MULTILABEL}"),
    "BinaryFairness": (None, _GROUPS),
    "BinaryGroupStatRates": (None, _GROUPS),
    **_none(_CURVE, "PrecisionRecallCurve", "ROC"),
    **_none(_LACKING, "HingeLoss", "LogAUC"),
    **_none(
        f"of rankings, {_MULTILABEL}",
        "MultilabelCoverageError",
        "MultilabelRankingAveragePrecision",
        "MultilabelRankingLoss",
    ),
}

_YARDSTICK: dict[str, str | tuple[str | None, str]] = {
    "accuracy": "accuracy",
    "bal_accuracy": (
        "balanced_accuracy",
        "with more than two classes macro(balanced_accuracy) there, which is another",
    ),
    "detection_prevalence": "predicted_prevalence",
    "f_meas": ("f1", f"fbeta(beta=...) for other weights; {_SETTING}"),
    "fall_out": "fallout",
    "j_index": ("k", "with more than two classes the macro average of recall + specificity − 1 there"),
    "kap": ("kappa", "with weighting: weighted_kappa(weights='linear') or 'quadratic'"),
    "mcc": "mcc",
    "miss_rate": "miss_rate",
    "npv": ("negative_predictive_value", "computed from the prevalence that is given, if one is"),
    "ppv": ("precision", "computed from the prevalence that is given, if one is"),
    "precision": ("precision", _SETTING),
    "recall": ("recall", _SETTING),
    "sens": ("recall", _SETTING),
    "sensitivity": ("recall", _SETTING),
    "spec": ("specificity", _SETTING),
    "specificity": ("specificity", _SETTING),
    "classification_cost": (
        "average_cost(costs=((0, 1), (1, 0)))",
        "with any costs; of predicted labels here, and of probabilities there",
    ),
    "average_precision": "average_precision",
    "brier_class": ("brier", "with more than two classes half of ours"),
    "gain_capture": ("gini", "of two classes"),
    "mn_log_loss": "log_loss",
    "pr_auc": (
        None,
        "the area under straight lines between points, which is too high; average_precision has no such lines",
    ),
    "roc_auc": ("roc_auc", "hand_till with more classes"),
    "roc_aunp": "weighted(roc_auc)",
    "roc_aunu": "macro(roc_auc)",
    "conf_mat": (None, "gm.confusion"),
    "demographic_parity": (None, f"the range of predicted_prevalence over groups; {_GROUPS}"),
    "equal_opportunity": (None, f"the range of recall over groups; {_GROUPS}"),
    "equalized_odds": (None, f"the ranges of recall and fallout over groups; {_GROUPS}"),
    **_none(_CURVE, "gain_curve", "lift_curve", "pr_curve", "roc_curve"),
    "ranked_prob_score": (None, _LACKING),
}

_MLR3: dict[str, str | tuple[str | None, str]] = {
    "acc": "accuracy",
    "auc": "roc_auc",
    "bacc": "balanced_accuracy",
    "bbrier": "brier",
    "ce": ("zero_one_loss", "gm.measure('ce') is the confusion entropy"),
    "costs": ("average_cost(costs=((0, 1), (1, 0)))", "with any costs"),
    "dor": "diagnostic_odds_ratio",
    "fbeta": ("fbeta(beta=1)", "with any beta; 1 by default there"),
    "fdr": "false_discovery_rate",
    "fnr": "miss_rate",
    "fomr": "false_omission_rate",
    "fpr": "fallout",
    "gmean": "g_mean",
    "gpr": "ochiai",
    "logloss": "log_loss",
    "mauc_au1u": "hand_till",
    "mauc_aunp": "weighted(roc_auc)",
    "mauc_aunu": "macro(roc_auc)",
    "mbrier": "brier",
    "mcc": "mcc",
    "npv": "negative_predictive_value",
    "ppv": "precision",
    "precision": "precision",
    "recall": "recall",
    "sensitivity": "recall",
    "specificity": "specificity",
    "tnr": "specificity",
    "tpr": "recall",
    **_none(_COUNT, "fn", "fp", "tn", "tp"),
    **_none(_LACKING, "mauc_au1p", "mauc_mu"),
    "prauc": (
        None,
        "the area under straight lines between points, which is too high; average_precision has no such lines",
    ),
}

_CARET: dict[str, str | tuple[str | None, str]] = {
    "Accuracy": "accuracy",
    "Kappa": "kappa",
    "AccuracyNull": "no_information_rate",
    "Sensitivity": "recall",
    "Sens": "recall",
    "Specificity": "specificity",
    "Spec": "specificity",
    "Pos_Pred_Value": ("precision", "computed from the prevalence that is given, if one is"),
    "Neg_Pred_Value": ("negative_predictive_value", "computed from the prevalence that is given, if one is"),
    "Precision": "precision",
    "Recall": "recall",
    "F1": "f1",
    "F": "f1",
    "Prevalence": "prevalence",
    "Detection_Rate": "russell_rao",
    "Detection_Prevalence": "predicted_prevalence",
    "Balanced_Accuracy": "balanced_accuracy",
    "ROC": "roc_auc",
    "AUC": ("roc_auc", "in prSummary the area under the precision-recall curve, which is average_precision"),
    "logLoss": "log_loss",
    "Mean_F1": "macro(f1, classes='all')",
    "Mean_Sensitivity": "macro(recall, classes='all')",
    "Mean_Specificity": "macro(specificity, classes='all')",
    "Mean_Pos_Pred_Value": "macro(precision, classes='all')",
    "Mean_Neg_Pred_Value": "macro(negative_predictive_value, classes='all')",
    "Mean_Precision": "macro(precision, classes='all')",
    "Mean_Recall": "macro(recall, classes='all')",
    "Mean_Balanced_Accuracy": "macro(balanced_accuracy, classes='all')",
    "Mean_Detection_Rate": (None, "accuracy divided by the number of classes"),
    "prAUC": (None, "the mean over classes of the area under straight lines; macro(average_precision) has no lines"),
    **_none(_TESTS, "AccuracyLower", "AccuracyPValue", "AccuracyUpper", "McnemarPValue"),
    **_none(_OTHER, "MAE", "RMSE", "Rsquared"),
}

_TABLES = {
    "pycm": {"class": _PYCM_CLASS, "overall": _PYCM_OVERALL, "function": _PYCM_METHODS},
    "scikit-learn": {"function": _SKLEARN},
    "imbalanced-learn": {"function": _IMBLEARN},
    "torchmetrics": {"function": _TORCHMETRICS},
    "yardstick": {"function": _YARDSTICK},
    "mlr3": {"function": _MLR3},
    "caret": {"function": _CARET},
}
PEERS = tuple(_TABLES)


def crosswalk(peer: str) -> list[Counterpart]:
    """Return what another library calls its measures, and what they are called here, or why there is none.

    >>> next(x for x in crosswalk("pycm") if x.name == "CSI")
    ... # doctest: +NORMALIZE_WHITESPACE
    Counterpart(name='CSI', measure='macro(mcconnaughey)',
        note='not the critical success index of weather science, which is jaccard', kind='overall')
    """
    if not isinstance(peer, str) or peer not in _TABLES:
        raise InputError("{peer} is {got!r}", got=peer, known=", ".join(PEERS), advice="use one of {known}")
    found = []
    for kind, rows in _TABLES[peer].items():
        for name, row in rows.items():
            ours, note = (row, "") if isinstance(row, str) else row
            found.append(Counterpart(name, None if ours is None else find(ours).name, note, kind))
    return found


class Elsewhere(NamedTuple):
    """What a name leads to in the crosswalk, and whether the measure there may have another value."""

    peer: str
    measure: str | None
    note: str

    @property
    def of_pairs(self) -> bool:
        """Return whether the measure is taken on pairs of items, so that labels alone do not lead to it."""
        return self.note.endswith(_PAIRS)

    @property
    def takes_any(self) -> bool:
        """Return whether the measure has parameters that the name leaves open."""
        return self.note.startswith("with any")

    @property
    def differs(self) -> bool:
        """Return whether the note says more than that averages and parameters are set elsewhere."""
        return bool(self.note) and not self.note.endswith(_SETTING)


def counterpart(text: str) -> Elsewhere | None:
    """Return the row of another library for a name: spelled as there, or with other blanks and cases if it is long.

    >>> counterpart("rand_score").of_pairs, counterpart("FleissKappa").measure
    (True, 'scott_pi')
    """
    plain = text.strip().replace(" ", "_")
    for exactly in (True, False):
        for peer, tables in _TABLES.items():
            for rows in tables.values():
                for name, row in rows.items():
                    known = name.replace(" ", "_")
                    same = known == plain if exactly else len(plain) > _CODE and known.lower() == plain.lower()
                    if same:
                        ours, note = (row, "") if isinstance(row, str) else row
                        return Elsewhere(peer, ours, note)
    return None


_CODE = 3  # letters: names as short as that are codes, which differ in case only from those of other measures
