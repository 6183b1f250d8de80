"""Names of measures that people look for and the catalogue lacks, each with a sentence that says what there is."""

from __future__ import annotations

import re

from goodmeasure.catalogue.popular_names import humps_apart

_ORDERED = "for ordered classes there are \"weighted_kappa('quadratic')\", 'macro_absolute_error' and k_ordinal"
_REGRESSION = f"is a measure of regression, and goodmeasure measures classification; {_ORDERED}"
_CORRELATIONS = f"is a correlation of numbers, which goodmeasure does not have; {_ORDERED}"
_RANKINGS = "measures ranked lists, as retrieval has them, which goodmeasure does not do; it measures classes"
_TEXTS = "compares texts word by word, which goodmeasure does not do; it measures classes"
_IMAGES = "compares images, which goodmeasure does not do; it measures classes"
_SPANS = "is a measure of spans, and spans are not evaluated yet"
_CLUSTERS = "needs the distances between items; clusterings are compared by gm.pair_confusion(labels_a, labels_b)"
_PAIRS = (
    "compares clusterings: gm.kappa(gm.pair_confusion(a, b)) is the adjusted Rand index, gm.accuracy(…) the Rand index"
)
_PAIRS_FM = "compares clusterings: gm.ochiai(gm.pair_confusion(a, b)) is the Fowlkes-Mallows index"
_AMI = (
    "subtracts a chance term over all tables with the same class sizes, which the catalogue does not have; "
    "without it there is \"normalized_mutual_information(average='arithmetic')\""
)
_DETECTION = "needs boxes or masks, and goodmeasure measures the labels of items"
_LINES = (
    "is an area under straight lines between the points of the curve, which is too high; "
    "'average_precision' is the area without such lines"
)
_SETS = "is the share of items all of whose labels are right: gm.multilabel(y_true, y_pred).exact_match"
_SAMPLES = "is a mean over items that may have several labels: gm.multilabel(y_true, y_pred).average(…, 'samples')"
_MISSING = "is a measure of scores that the catalogue does not have yet"
_LACKING = "is a measure that the catalogue does not have"
_WHOLE = "is several numbers at once, not one measure: gm.evaluate has them all"
_CURVES = "is a curve, not one number: gm.sweep(y_true, y_score) has every measure at every threshold"
_ROC = f"{_CURVES}; the area under it is 'roc_auc'"
_PR = f"{_CURVES}; the area under it is 'average_precision'"
_COUNTS = "is a count: gm.confusion(y_true, y_pred) has the counts, and cm.vs_rest(label) those of one class"
_GROUPS = "compares groups: gm.evaluate(..., by=column) gives every measure in each group"
_TESTS = "is not a measure: gm.evaluate gives confidence intervals, and gm.compare tests differences"
_MODELS = "judges a fitted model and not its predictions, which are what goodmeasure measures"
_RATERS = "is for several raters, which goodmeasure does not have yet; for two raters there is 'scott_pi'"
_ALARMS = "may mean two measures: the false alarm rate is 'fallout', and the false alarm ratio 'false_discovery_rate'"
_MEAN_OR_NOT = (
    "is a mean over classes by default in torchmetrics, which is 'macro(recall)'; its micro average is 'accuracy'"
)
_WHICH_WAY = (
    "depends on which labels are given the others: 'homogeneity' is the share of the entropy of the true labels that "
    "the predicted ones explain, and 'completeness' the share the other way round"
)

_ABSENT = {
    _REGRESSION: "mae mse rmse rmsle msle mape smape medae mpe msd msle r2 rsq rsq_trad rsquared mean_absolute_error "
    "mean_squared_error root_mean_squared_error mean_squared_log_error root_mean_squared_log_error rpd rpiq iic "
    "mean_absolute_percentage_error median_absolute_error r2_score explained_variance explained_variance_score "
    "max_error huber_loss mase poisson_log_loss mean_poisson_deviance mean_gamma_deviance mean_tweedie_deviance "
    "mean_pinball_loss pinball_loss d2_absolute_error_score d2_pinball_score d2_tweedie_score sse medse rae rse",
    _CORRELATIONS: "ccc concordance_correlation pearson pearson_r pearsonr pearson_corr_coef spearman spearmanr "
    "spearman_rho spearman_corr_coef srho rho kendall kendall_tau kendalltau ktau tau icc kendall_rank_corr_coef "
    "intraclass_correlation",
    _RANKINGS: "dcg dcg_score ndcg ndcg_score mrr mean_reciprocal_rank map mean_average_precision lrap err_at_k "
    "label_ranking_average_precision label_ranking_average_precision_score label_ranking_loss coverage_error "
    "r_precision retrieval_map retrieval_mrr retrieval_normalized_dcg retrieval_precision retrieval_recall "
    "retrieval_hit_rate retrieval_fall_out",
    _TEXTS: "bleu rouge rouge_l meteor bertscore wer cer ter chrf perplexity edit_distance levenshtein",
    _IMAGES: "fid psnr ssim lpips inception_score",
    _SPANS: "seqeval entity_f1 span_f1 ner_f1 chunk_f1 muc_f1 tiger",
    _CLUSTERS: "silhouette silhouette_score davies_bouldin davies_bouldin_score calinski_harabasz "
    "calinski_harabasz_score",
    _PAIRS: "rand rand_index rand_score ari adjusted_rand adjusted_rand_index adjusted_rand_score",
    _PAIRS_FM: "fmi fm_index fowlkes_mallows_score fowlkes_mallows_index",
    _AMI: "ami adjusted_mutual_info adjusted_mutual_info_score adjusted_mutual_information",
    _DETECTION: "map50 map_50 coco_map panoptic_quality polygon_io_u hausdorff hausdorff_distance",
    _LINES: "prauc pr_auc prc_auc aucpr auc_pr auc_prc pr_curve_auc",
    _SETS: "exact_match em subset_accuracy exact_match_ratio",
    _SAMPLES: "f1_samples precision_samples recall_samples jaccard_samples",
    _MISSING: "hinge hinge_loss rps crps ranked_prob_score ranked_probability_score log_auc logauc aurc focal_loss "
    "mce ace maximum_calibration_error adaptive_calibration_error mauc_mu mauc_au1p roc_auc_ovo_weighted det_auc "
    "spherical_score",
    _LACKING: "relative_risk risk_ratio risk_difference number_needed_to_treat nnt kappa_max weighted_alpha "
    "aickin_alpha generalized_dice_score",
    _WHOLE: "classification_report precision_recall_fscore_support prf confusion_matrix confusion",
    _ROC: "roc roc_curve",
    _PR: "precision_recall_curve pr_curve prc",
    _CURVES: "det_curve det gain_curve lift_curve calibration_curve",
    _COUNTS: "tp tn fp fn p n pop top ton true_positives true_negatives false_positives false_negatives stat_scores",
    _GROUPS: "demographic_parity equalized_odds equal_opportunity disparate_impact statistical_parity group_fairness "
    "binary_fairness demographic_parity_difference demographic_parity_ratio equalized_odds_difference "
    "equal_opportunity_difference",
    _TESTS: "p_value pvalue mcnemar mcnemar_test mcnemar_pvalue mcnemar_p_value accuracy_pvalue accuracy_p_value "
    "accuracy_lower accuracy_upper standard_error confidence_interval",
    _MODELS: "aic bic deviance likelihood_ratio_test",
    _RATERS: "fleiss fleiss_kappa",
    _ALARMS: "far false_alarm",
    _MEAN_OR_NOT: "multiclass_accuracy",
    _WHICH_WAY: "theils_u theil_u uncertainty_coefficient",
}
_REASONS = {name: why for why, names in _ABSENT.items() for name in names.split()}
_INSTEAD = {
    _LINES: ["average_precision"], _ROC: ["roc_auc"], _PR: ["average_precision"], _RATERS: ["scott_pi"],
    _ALARMS: ["fallout", "false_discovery_rate"], _MEAN_OR_NOT: ["macro(recall)", "accuracy"],
    _WHICH_WAY: ["homogeneity", "completeness"], _AMI: ["normalized_mutual_information(average='arithmetic')"],
}  # fmt: skip
_AT_K = re.compile(r"(?:p|r|precision|recall|hits?|hit_rate|ndcg|map|mrr|success)_?at_(?:k|\d+)")
_MULTILABEL = "is for items that may have several labels: gm.multilabel(y_true, y_pred) has the measures of those"


def why_absent(text: str) -> tuple[str, list[str]] | None:
    """Return the sentence about a measure that the catalogue lacks, and the names to use instead; None if unknown.

    >>> why_absent("MRR")
    ("'MRR' measures ranked lists, as retrieval has them, which goodmeasure does not do; it measures classes", [])
    """
    for spelled in (text, humps_apart(text)):
        name = "_".join(re.sub(r"[\s_-]+", " ", spelled.lower().replace("@", " at ")).split())
        name = re.sub(r"^(?:classif|regr)\.|^(?:neg|binary)_", "", name)
        why = _REASONS.get(name)
        if why is None and _AT_K.fullmatch(name):
            why = _RANKINGS
        if why is None and name.startswith("multilabel_"):
            why = _MULTILABEL
        if why is not None:
            return f"{text!r} {why}", _INSTEAD.get(why, [])
    return None


def turned(text: str) -> str | None:
    """Return the measure that scikit-learn's scorer `neg_…` turns the sign of, by its name there; None for others.

    >>> turned("neg_log_loss")
    'log_loss'
    """
    name = text.lower().replace("-", "_")
    return name.removeprefix("neg_") if name.startswith("neg_") else None
