"""Looking measures up: the grammar, aliases, popular names, suggestions."""

from __future__ import annotations

import math
import pickle
import warnings
from fractions import Fraction

import pytest

import goodmeasure as gm
from goodmeasure.catalogue.names import NameWarning

COSTS_OF_THREE = "(costs=[[0, 1, 4], [2, 0, 1], [5, 1, 0]])"


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("mcc", "mcc"),
        ("matthews", "mcc"),
        ("MCC", "mcc"),
        ("Cohen's kappa", "kappa"),
        ("Balanced accuracy", "balanced_accuracy"),
        ("balanced-accuracy", "balanced_accuracy"),
        ("F1-score", "f1"),
        ("weighted F1", "weighted(f1)"),
        ("macro-averaged recall", "macro(recall)"),
        ("calibrated(macro(f1))", "calibrated(macro(f1))"),
        ("calibrated( macro( dice ) )", "calibrated(macro(f1))"),
        ("fbeta(beta=2)", "fbeta(beta=2)"),
        ("fbeta(2.0)", "fbeta(beta=2)"),
        ("generalized_mean(r=-inf)", "generalized_mean(r=-inf)"),
        ("gm(1)", "generalized_mean(r=1)"),
        ("k_ordinal('squared')", "k_ordinal(error='squared')"),
        ("k_ordinal('absolute', steps=[1, 2])", "k_ordinal(error='absolute', steps=[1, 2])"),
        ("k_cost([[0, 1], [5, 0]])", "k_cost(costs=[[0, 1], [5, 0]])"),
        ("tversky(1/3, beta=2/3)", "tversky(alpha=1/3, beta=2/3)"),
        ("macro(recall, p=0)", "macro(recall, p=0)"),
        ("macro(fbeta(0.5), -inf)", "macro(fbeta(beta=0.5), p=-inf)"),
        ("weighted_kappa('linear')", "weighted_kappa(weights='linear')"),
        ("normalized_mutual_information()", "normalized_mutual_information()"),
    ],
)
def test_a_name_is_understood_and_its_canonical_form_parses_back(text, name):
    found = gm.measure(text)
    assert found.name == name
    assert gm.measure(found.name) == found
    assert hash(gm.measure(found.name)) == hash(found)


@pytest.mark.parametrize("text", ["macro f1", "Macro-F1", "macro_f1", "macro averaged F1 score"])
def test_macro_f1_finds_one_and_mentions_the_other(text):
    with pytest.warns(NameWarning, match="macro_f1_of_means carries the same name in some papers"):
        assert gm.measure(text).name == "macro(f1)"


def test_the_canonical_name_of_macro_f1_is_not_ambiguous():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert gm.measure("macro(f1)") == gm.macro(gm.f1)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("mathews", "did you mean 'mcc'"),
        ("jacard", "did you mean 'jaccard'"),
        ("mmc", "did you mean 'mcc'"),
        ("macro(jacard)", "did you mean 'jaccard'"),
        ("fbeta", r"needs its parameters: for example 'fbeta\(beta=2\)'"),
        ("macro(fbeta)", r"needs its parameters: for example 'fbeta\(beta=2\)'"),
        ("macro()", "needs a measure"),
        ("mcc(3)", "takes no parameters"),
        ("fbeta(gamma=2)", "fbeta has no parameter 'gamma': it has beta, as in"),
        ("fbeta()", "fbeta needs its parameter beta: for example"),
        ("fbeta(2, beta=3)", "fbeta was given beta twice"),
        ("fbeta(1, 2, 3)", "fbeta takes 1 parameter without a name"),
        ("area(f1)", "area needs its parameter over: for example"),
        ("macro(f1, q=2)", "macro has no parameter 'q'"),
        ("macro(f1", "'\\(' was never closed; write it"),
        ("fbeta(2, gamma=2)", "gamma"),
        ("fbeta(beta=-1)", "beta is -1: expected at least 0"),
        ("fbeta(beta='x')", "beta is 'x': expected a number"),
        ("fbeta(beta=open)", "not a plain value"),
        ("__import__('os')", "not a measure with parameters"),
        ("f1.name", "not the name of a measure"),
        ("1 + 1", "not the name of a measure"),
        ("", "name of a measure is empty"),
        ("zzzzzz", r"see gm\.measures\(\)"),
        ("macro(" * 400 + "f1" + ")" * 400, "not well formed"),
        ("macro(f1", "not well formed"),
    ],
)
def test_what_is_no_name_is_refused_with_a_hint(text, message):
    with pytest.raises(ValueError, match=message):
        gm.measure(text)


def test_a_measure_or_a_function_is_its_own_name():
    assert gm.measure(gm.mcc) is gm.mcc
    assert gm.measure(lambda c: c.ratio(c.tp, c.n))([[1, 1], [1, 1]]) == 0.25
    with pytest.raises(TypeError, match="not a measure"):
        gm.measure(3)


def test_the_catalogue_can_be_filtered():
    assert all(x.classes is None for x in gm.measures(classes=3))
    assert {x.name for x in gm.measures(classes=3)} - {x.name for x in gm.measures(classes=2)} == {
        f"k_cost{COSTS_OF_THREE}",
        f"average_cost{COSTS_OF_THREE}",
    }
    assert {x.orientation for x in gm.measures(orientation="lower")} == {"lower"}
    assert gm.mcc in gm.measures(search="matthews")
    assert gm.measures(family="rates")[0].name == "recall"
    for wrong in ({"classes": 0}, {"orientation": "up"}, {"family": "x"}):
        with pytest.raises(ValueError, match=next(iter(wrong))):
            gm.measures(**wrong)


def test_parameters_have_one_canonical_form():
    assert gm.fbeta(2) == gm.fbeta(2.0) == gm.fbeta(beta=Fraction(2))
    assert gm.generalized_mean(-math.inf).name == "generalized_mean(r=-inf)"
    assert gm.macro(gm.recall, p=1.0) == gm.macro(gm.recall)
    assert gm.fbeta(2) != gm.fbeta(3)
    assert gm.f1 != "f1"


@pytest.mark.parametrize("measure", [gm.mcc, gm.macro(gm.f1), gm.fbeta(0.5), gm.calibrated(gm.k), gm.fbeta])
def test_measures_can_be_pickled(measure):
    again = pickle.loads(pickle.dumps(measure))
    assert repr(again) == repr(measure)


def test_every_family_prints_a_general_formula():
    assert gm.fbeta.formula == (
        r"\frac{\left(1 + \beta^{2}\right) \mathrm{TP}}{\left(1 + \beta^{2}\right) \mathrm{TP} + \beta^{2} \mathrm{FN}"
        r" + \mathrm{FP}}"
    )
    assert "^{r}" in gm.generalized_mean.formula
    assert r"\alpha" in gm.tversky.formula
    assert "w_{ij}" in gm.k_cost.formula


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: gm.fbeta([[1, 2], [3, 4]]), "needs its parameters before the data"),
        (lambda: gm.fbeta(), "fbeta needs its parameter beta"),
        (lambda: gm.fbeta(math.nan), "beta is nan"),
        (lambda: gm.fbeta(True), "beta is True"),
        (lambda: gm.tversky(-1, 0), "alpha is -1"),
        (lambda: gm.e_measure(2), "expected at most 1"),
        (lambda: gm.k_cost([[0, 1], [1]]), "expected a square table"),
        (lambda: gm.k_cost([[0, -1], [1, 0]]), r"costs\[0\]\[1\] is -1"),
        (lambda: gm.k_ordinal("cubic"), "use 'absolute' or 'squared'"),
        (lambda: gm.k_ordinal("absolute", steps=[1])([[1, 0, 0]] * 3), "steps has 1 distances"),
        (lambda: gm.weighted_kappa("cubic"), "use 'linear', 'quadratic'"),
        (lambda: gm.weighted_kappa([[1, 1], [1, 0]]), "the diagonal must be 0"),
        (lambda: gm.macro(gm.f1, p=math.nan), "p is nan"),
        (lambda: gm.macro(3), "not a measure"),
        (lambda: gm.normalized_mutual_information("mean"), "use one of arithmetic"),
    ],
)
def test_wrong_parameters_are_refused(make, message):
    with pytest.raises((ValueError, TypeError), match=message):
        make()


def test_define_gives_a_place_in_the_catalogue_and_forget_takes_it_back():
    def mine(c):
        return c.ratio(c.tp, c.n)

    measure = gm.define("mine", title="Mine", range=(0, 1), aliases=("my_own",), classes=2)(mine)
    try:
        assert gm.measure("my_own") is measure
        assert gm.mine is measure
        assert measure in gm.measures(search="mine")
        again = gm.define("mine", classes=2)(mine)
        assert gm.mine is again, "running a cell twice defines the measure anew"
        with pytest.raises(ValueError, match="the name of another measure"):
            gm.define("mine")(lambda c: c.n)
    finally:
        gm.measure("mine").forget()
    with pytest.raises(AttributeError):
        gm.mine  # noqa: B018
    with pytest.raises(KeyError, match="not in the catalogue"):
        again.forget()


@pytest.mark.parametrize(
    ("facts", "message"),
    [
        ({"name": "two words"}, "identifier"),
        ({"name": "matthews"}, "is an alias of 'mcc'"),
        ({"name": "fresh", "aliases": ("dice",)}, "already means 'f1'"),
        ({"name": "fresh", "orientation": "up"}, "orientation"),
        ({"name": "fresh", "classes": 3}, "classes"),
        ({"name": "fresh", "range": (1, 0)}, "range"),
    ],
)
def test_wrong_facts_are_refused(facts, message):
    with pytest.raises(ValueError, match=message):
        gm.define(**facts)(lambda c: c.n)
    assert "fresh" not in {x.name for x in gm.measures()}


@pytest.mark.parametrize(
    ("alias", "name"),
    [
        ("youden", "k"),
        ("j_index", "k"),
        ("tss", "k"),
        ("hss", "kappa"),
        ("kap", "kappa"),
        ("csi", "jaccard"),
        ("sorensen", "f1"),
        ("czekanowski", "f1"),
        ("f_meas", "f1"),
        ("gamma", "yule_q"),
        ("lr+", "positive_likelihood_ratio"),
        ("LR−", "negative_likelihood_ratio"),
        ("simple matching coefficient", "accuracy"),
        ("sens", "recall"),
        ("spec", "specificity"),
        ("bal_accuracy", "balanced_accuracy"),
        ("cd'", "correlation_chord"),
        ("CD′", "correlation_chord"),
        ("CD’", "correlation_chord"),
        ("CD", "correlation_distance"),
        ("Cohen’s kappa", "kappa"),
        ("Scott's pi", "scott_pi"),
        ("macro-average recall", "macro(recall)"),
        ("f1_weighted", "weighted(f1)"),
    ],
)
def test_an_alias_of_another_field_or_package_is_known(alias, name):
    assert gm.measure(alias).name == name


def test_the_aliases_of_forecasting_are_the_same_quantities():
    """Hits 28, misses 23, false alarms 72, correct rejections 2680: Finley's tornado forecasts (1884)."""
    finley = [[2680, 72], [23, 28]]
    assert gm.measure("csi")(finley) == pytest.approx(28 / (28 + 23 + 72))
    assert gm.measure("tss")(finley) == pytest.approx(28 / 51 - 72 / 2752)
    odds = 28 * 2680 / (23 * 72)
    assert gm.measure("gamma")(finley) == pytest.approx((odds - 1) / (odds + 1))
    by_chance = (100 * 51 + 2703 * 2752) / 2803
    assert gm.measure("hss")(finley) == pytest.approx((2708 - by_chance) / (2803 - by_chance))


@pytest.mark.parametrize(
    "text",
    [
        "average_recall",
        "average accuracy",
        "bias_score",
        "the accuracy",
        "lam%",
        "f1%",
        "-mcc",
        "mcc-",
        "1-mcc",
        "kappa!",
    ],
)
def test_no_word_or_sign_of_a_name_is_left_out(text):
    with pytest.raises(ValueError, match="is not the name of a measure"):
        gm.measure(text)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("auc", "roc_auc"),
        ("AUC", "roc_auc"),
        ("AUROC", "roc_auc"),
        ("ROC AUC", "roc_auc"),
        ("AveragePrecision", "average_precision"),
        ("macro average precision", "macro(average_precision)"),
        ("macro(roc_auc)", "macro(roc_auc)"),
        ("mn_log_loss", "log_loss"),
        ("brier_class", "brier"),
        ("top_k_accuracy", "top_k_accuracy"),
        ("ece", "calibration_error"),
        ("calibration_error(bins=15)", "calibration_error"),
        ("calibration_error(bins=10)", "calibration_error(bins=10)"),
        ("area(recall, over=fpr)", "area(recall, over=fallout)"),
        ("area(precision, recall, between='step')", "area(precision, over=recall, between='step')"),
        ("at(precision, 'recall ≥ 0.9')", "at(precision, 'recall >= 0.9')"),
        ("best(f1)", "best(f1)"),
    ],
)
def test_measures_of_scores_are_found_by_name(text, name):
    found = gm.measure(text)
    assert (found.name, found.takes) == (name, "scores")
    assert gm.measure(found.name) == found
    assert pickle.loads(pickle.dumps(found)) == found


@pytest.mark.parametrize("text", ["roc_dist", "my_auc"])
def test_a_measure_of_scores_that_is_not_in_the_catalogue_is_refused_as_such(text):
    with pytest.raises(ValueError, match=r"sounds like a measure of scores.*gm.measures\(takes='scores'\) lists them"):
        gm.measure(text)


@pytest.mark.parametrize(
    "use",
    [
        lambda: gm.check("auc"),
        lambda: gm.sweep([0, 1], [0, 1], measures="auc"),
        lambda: gm.evaluate([0, 1], [0, 1], measures=gm.roc_auc),
    ],
)
def test_a_measure_of_scores_is_refused_where_there_are_labels_only(use):
    with pytest.raises(TypeError, match=r"roc_auc is a measure of scores, and predicted labels have none"):
        use()


@pytest.mark.parametrize("text", ["macro accuracy", "accuracy_macro", "weighted accuracy", "micro kappa"])
def test_an_average_that_has_two_meanings_is_refused(text):
    """Peers call the average recall the macro accuracy; ours averages the accuracies of one-vs-rest matrices."""
    with pytest.raises(ValueError, match="may mean several measures"):
        gm.measure(text)


# Names of peers, and what they measure; a name that is not listed here must be refused.
PEERS = {
    "yardstick": "accuracy bal_accuracy detection_prevalence f_meas fall_out j_index kap mcc miss_rate npv ppv "
    "precision recall sens sensitivity spec specificity average_precision brier_class classification_cost gain_capture "
    "mn_log_loss pr_auc roc_auc roc_aunp roc_aunu huber_loss mae mape mase mpe msd rmse rpd rpiq rsq smape ccc",
    "torchmetrics": "Accuracy AUROC AveragePrecision CalibrationError CohenKappa CoverageError Dice EER ExactMatch "
    "F1Score FBetaScore HammingDistance HingeLoss JaccardIndex LabelRankingLoss LogAUC MatthewsCorrCoef ROC StatScores "
    "NegativePredictiveValue Precision Recall RecallAtFixedPrecision SensitivityAtSpecificity Specificity",
    "PyCM": "TPR TNR PPV NPV FNR FPR FDR FOR ACC F1 F2 MCC BM MK PLR NLR DOR G RACC ERR J IS CEN MCEN AUC sInd dInd DP "
    "Y GI LS AM BCD OP IBA GM Q AGM OC BB TS HD NB AUPR Kappa SOA1 PABAK RR CBA RCI TPR_Macro PPV_Micro Overall_ACC "
    "NIR Lambda_A Cramers_V Phi-Squared Joint_Entropy Mutual_Information Scott_PI Gwet_AC1 Bennett_S Zero_one_loss",
}
SAME = {
    "f2": "fbeta(beta=2)",
    "ts": "jaccard",
    "accuracy": "accuracy",
    "bal_accuracy": "balanced_accuracy",
    "f_meas": "f1",
    "j_index": "k",
    "kap": "kappa",
    "mcc": "mcc",
    "miss_rate": "miss_rate",
    "npv": "negative_predictive_value",
    "ppv": "precision",
    "precision": "precision",
    "recall": "recall",
    "sens": "recall",
    "sensitivity": "recall",
    "spec": "specificity",
    "specificity": "specificity",
    "dice": "f1",
    "tpr": "recall",
    "tnr": "specificity",
    "fnr": "miss_rate",
    "fpr": "fallout",
    "fdr": "false_discovery_rate",
    "for": "false_omission_rate",
    "acc": "accuracy",
    "f1": "f1",
    "plr": "positive_likelihood_ratio",
    "nlr": "negative_likelihood_ratio",
    "dor": "diagnostic_odds_ratio",
    "cen": "confusion_entropy",
    "kappa": "kappa",
    "tpr_macro": "macro(recall)",
    "ppv_micro": "micro(precision)",
    "mutual_information": "mutual_information",
    "scott_pi": "scott_pi",
    "gwet_ac1": "gwet_ac1",
    "zero_one_loss": "zero_one_loss",
    "fall_out": "fallout",
    "average_precision": "average_precision",
    "averageprecision": "average_precision",
    "brier_class": "brier",
    "gain_capture": "gini",
    "mn_log_loss": "log_loss",
    "roc_auc": "roc_auc",
    "auroc": "roc_auc",
    "auc": "roc_auc",
    "calibrationerror": "calibration_error",
    "eer": "equal_error_rate",
    "recallatfixedprecision": "recall_at_precision",
    "sensitivityatspecificity": "recall_at_specificity",
    "racc": "random_accuracy",
    "mcen": "modified_confusion_entropy",
    "sind": "similarity_index",
    "dind": "distance_index",
    "am": "automatic_manual",
    "bcd": "bray_curtis",
    "agm": "adjusted_geometric_mean",
    "oc": "overlap_coefficient",
    "bb": "braun_blanquet",
    "cba": "class_balance_accuracy",
    "rci": "homogeneity",
    "nir": "no_information_rate",
    "lambda_a": "lambda_true",
    "cramers_v": "cramers_v",
    "phi-squared": "phi_squared",
    "joint_entropy": "entropy_joint",
    "bennett_s": "bennett_s",
    "detection_prevalence": "predicted_prevalence",
    "roc_aunp": "weighted(roc_auc)",
    "roc_aunu": "macro(roc_auc)",
    "cohenkappa": "kappa",
    "f1score": "f1",
    "hammingdistance": "hamming_loss",
    "jaccardindex": "jaccard",
    "matthewscorrcoef": "mcc",
    "negativepredictivevalue": "negative_predictive_value",
    "bm": "k",
    "mk": "markedness",
    "g": "ochiai",
    "err": "zero_one_loss",
    "j": "jaccard",
    "is": "information_score",
    "dp": "discriminant_power",
    "y": "somers_d_predicted",
    "gi": "somers_d_predicted",
    "ls": "lift",
    "op": "optimized_precision",
    "q": "yule_q",
    "aupr": "average_precision",
    "pabak": "bennett_s",
    "overall_acc": "accuracy",
}


@pytest.mark.parametrize("name", [x for names in PEERS.values() for x in names.split()])
def test_a_name_of_a_peer_means_the_same_or_is_refused(name):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", NameWarning)
        try:
            found = gm.measure(name).name
        except ValueError:
            assert name.lower() not in SAME
            return
    assert found == SAME.get(name.lower())


@pytest.mark.parametrize(
    ("names", "found"),
    [
        ("BinaryAccuracy accuracy_score Overall_ACC classif.acc top-1 acc@1", "accuracy"),
        ("BinaryF1Score F1Score Dice DiceScore f_meas fscore F", "f1"),
        ("MulticlassF1Score Mean_F1 F1_Macro macroF1 f1_macro", "macro(f1)"),
        ("classif.auc BinaryAUROC aucroc cindex roc_auc_score", "roc_auc"),
        ("MulticlassAUROC roc_aunu mauc_aunu classif.mauc_aunu roc_auc_ovr", "macro(roc_auc)"),
        ("Mean_Recall Mean_Sensitivity mean_class_accuracy", "macro(recall)"),
        ("classif.ce error mmce ERR misclassification_rate", "zero_one_loss"),
        ("acc@5 top-5 top5", "top_k_accuracy(k=5)"),
        ("Pos_Pred_Value classif.ppv PPV", "precision"),
        ("MulticlassCohenKappa cohen_kappa_score kap Kappa", "kappa"),
        ("MeanIoU miou", "macro(jaccard)"),
        ("nmi v_measure_score NormalizedMutualInfoScore", "normalized_mutual_information()"),
    ],
)
def test_the_names_of_other_libraries_lead_to_the_measure(names, found):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", NameWarning)
        assert {gm.measure(x).name for x in names.split()} == {found}


@pytest.mark.parametrize(
    ("names", "said"),
    [
        ("mae rmse MeanSquaredError R2Score Rsquared regr.rmse neg_root_mean_squared_error", "measure of regression"),
        ("spearman kendall_tau PearsonCorrCoef ccc", "correlation of numbers"),
        ("ndcg ndcg_score precision@10 p@10 recall@k hits@1 RetrievalMAP mAP MRR", "ranked lists"),
        ("adjusted_rand_score rand_score ARI fowlkes_mallows_score fmi", "compares clusterings"),
        ("f1_samples precision_samples", r"several labels: gm\.multilabel"),
        ("MultilabelF1Score MultilabelAUROC", r"several labels: gm\.multilabel"),
        ("TP fn classif.tn StatScores", "is a count"),
        ("ROC roc_curve det_curve PrecisionRecallCurve", "is a curve"),
        ("demographic_parity equalized_odds disparate_impact", "compares groups"),
        ("neg_log_loss neg_brier_score neg_zero_one_loss", "with the sign turned: use"),
        ("fleiss_kappa FleissKappa", "several raters"),
        ("MulticlassAccuracy", r"'macro\(recall\)'; its micro average is 'accuracy'"),
        ("FAR theils_u", "may mean two measures|which labels are given"),
        ("fid aic psnr McnemarPValue", "compares images|fitted model|is not a measure"),
        ("NLRI AUCI", "of pycm is not in the catalogue"),
        ("TI classif.costs", "needs its parameters"),
    ],
)
def test_what_is_not_here_gets_a_sentence_and_never_the_nearest_spelling(names, said):
    for name in names.split():
        with pytest.raises(ValueError, match=said) as found:
            gm.measure(name)
        assert "did you mean" not in str(found.value)


@pytest.mark.parametrize("name", ["aic", "rouge2", "icc3", "kendal", "dunn", "gower"])
def test_a_word_that_is_no_misspelling_suggests_no_measure(name):
    with pytest.raises(gm.UnknownName) as found:
        gm.measure(name)
    assert not found.value.suggestions


@pytest.mark.parametrize("name", ["ce", "support", "bias", "hit_rate"])
def test_an_alias_with_another_meaning_elsewhere_says_so(name):
    with pytest.warns(NameWarning, match=f"'{name}'"):
        gm.measure(name)


def test_suggestions_do_not_rest_on_a_common_ending():
    with pytest.raises(ValueError, match="rand_score") as said:
        gm.measure("rand_score")
    assert "jaccard" not in str(said.value)


def test_a_measure_takes_scikit_learns_word_for_the_positive_class():
    y_true, y_pred = ["a", "b", "b"], ["a", "a", "b"]
    assert gm.recall(y_true, y_pred, pos_label="a") == gm.recall(y_true, y_pred, positive="a") == 1
    assert gm.recall.exact(y_true, y_pred, pos_label="b") == Fraction(1, 2)
    with pytest.raises(ValueError, match="positive is 'a' and pos_label is 'b'"):
        gm.recall(y_true, y_pred, positive="a", pos_label="b")


@pytest.mark.parametrize(
    "named", [lambda: gm.measure("macro f1"), lambda: gm.evaluate([0, 1], [0, 1], measures=["macro_f1"])]
)
def test_a_warning_about_a_name_points_at_the_line_that_gave_it(named):
    with pytest.warns(NameWarning) as found:
        named()
    assert {x.filename for x in found} == {__file__}


@pytest.mark.parametrize("text", ["macro(f1, p='x')", "calibrated(macro(f1, p='x'))"])
def test_an_error_inside_a_name_keeps_what_came_and_what_was_expected(text):
    with pytest.raises(gm.InputError) as caught:
        gm.measure(text)
    assert (caught.value.argument, caught.value.got, caught.value.expected) == ("p", "x", "a number")


@pytest.mark.parametrize(
    ("ask", "argument", "got"),
    [
        (lambda: gm.measure("nope"), "name", "nope"),
        (lambda: gm.measure("fbeta"), "name", "fbeta"),
        (lambda: gm.macro("nope"), "measure", "nope"),
        (lambda: gm.macro(3), "measure", 3),
        (lambda: gm.area("f1", over="nope"), "over", "nope"),
        (lambda: gm.area("f1", "roc_auc"), "over", "roc_auc"),
    ],
)
def test_an_error_about_a_measure_says_in_which_argument(ask, argument, got):
    with pytest.raises((gm.InputError, gm.InputTypeError)) as caught:
        ask()
    assert (caught.value.argument, caught.value.got) == (argument, got)
