"""Names of measures that people look for and the catalogue lacks, each with a sentence that says what there is."""

from __future__ import annotations

_REGRESSION = (
    "is a measure of regression, and goodmeasure measures classification; for ordered classes there are "
    "'weighted_kappa(weights='quadratic')', 'macro_absolute_error' and k_ordinal"
)
_RANKINGS = "measures ranked lists with graded relevance, which goodmeasure does not have"
_TEXTS = "compares texts word by word, which goodmeasure does not do; it measures classes"
_SPANS = "is a measure of spans, and spans are not evaluated yet"
_CLUSTERS = "needs the distances between items; clusterings are compared by gm.pair_confusion(labels_a, labels_b)"
_DETECTION = "needs boxes or masks, and goodmeasure measures the labels of items"
_LINES = (
    "is an area under straight lines between the points of the curve, which is too high; "
    "'average_precision' is the area without such lines"
)
_SETS = "is the share of items all of whose labels are right: gm.multilabel(y_true, y_pred).exact_match"
_MISSING = "is a measure of scores that the catalogue does not have yet"
_WHOLE = "is several numbers at once, not one measure: gm.evaluate has them all"

_ABSENT = {
    _REGRESSION: "mae mse rmse rmsle mape smape medae msle r2 rsq mean_absolute_error mean_squared_error "
    "root_mean_squared_error mean_absolute_percentage_error median_absolute_error r2_score explained_variance "
    "neg_mean_absolute_error neg_mean_squared_error max_error huber_loss mase ccc",
    _RANKINGS: "dcg mrr mean_reciprocal_rank map map_at_k mean_average_precision hit_rate hits_at_k lrap "
    "precision_at_k recall_at_k label_ranking_average_precision label_ranking_loss coverage_error",
    _TEXTS: "bleu rouge rouge_l meteor bertscore wer cer ter chrf perplexity edit_distance levenshtein",
    _SPANS: "seqeval entity_f1 span_f1 ner_f1 chunk_f1 muc_f1 tiger",
    _CLUSTERS: "silhouette silhouette_score davies_bouldin calinski_harabasz",
    _DETECTION: "map50 map_50 coco_map panoptic_quality hausdorff hausdorff_distance",
    _LINES: "prauc pr_auc prc_auc aucpr auc_pr auc_prc pr_curve_auc",
    _SETS: "exact_match em subset_accuracy exact_match_ratio",
    _MISSING: "hinge hinge_loss rps crps ranked_prob_score ranked_probability_score log_auc logauc aurc focal_loss",
    _WHOLE: "classification_report precision_recall_fscore_support prf confusion_matrix",
}
_SENTENCES = {name: f"{name!r} {why}" for why, names in _ABSENT.items() for name in names.split()}
_INSTEAD = {_LINES: ["average_precision"]}


def why_absent(text: str) -> tuple[str, list[str]] | None:
    """Return the sentence about a measure that the catalogue lacks, and the names to use instead; None if unknown.

    >>> why_absent("MRR")
    ("'mrr' measures ranked lists with graded relevance, which goodmeasure does not have", [])
    """
    name = "_".join(text.lower().replace("-", " ").replace("@", " at ").split())
    found = _SENTENCES.get(name)
    if found is None:
        return None
    return found, next((x for why, x in _INSTEAD.items() if found.endswith(why)), [])
