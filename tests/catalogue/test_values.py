"""One hand-computed value for each measure, with the arithmetic shown."""

from __future__ import annotations

from fractions import Fraction as Q

import pytest

import goodmeasure as gm
from goodmeasure.language.exact.reals import Exact, arccos, exp, log, pi, power, sqrt

# TN = 50, FP = 3, FN = 4, TP = 20: AP = 24, AN = 53, PP = 23, PN = 54, n = 77, det = 20·50 − 3·4 = 988.
BINARY = [[50, 3], [4, 20]]
R0, R1, P0, P1 = Q(50, 53), Q(20, 24), Q(50, 54), Q(20, 23)  # recalls and precisions of both classes
F0, F1 = Q(2 * 50, 2 * 50 + 3 + 4), Q(2 * 20, 2 * 20 + 3 + 4)
MCC = 988 / sqrt(24 * 53 * 23 * 54)


def entropy(*sizes: int) -> Exact:
    return -sum((Q(s, 77) * log(Q(s, 77)) for s in sizes), Exact.of(0))


TRUE, PREDICTED, JOINT = entropy(53, 24), entropy(54, 23), entropy(50, 3, 4, 20)
MUTUAL = TRUE + PREDICTED - JOINT

VALUES = {
    "accuracy": Q(50 + 20, 77),
    "balanced_accuracy": (R0 + R1) / 2,
    "sba": (R0 + R1 + P0 + P1) / 4,
    "kappa": Q(77 * 70 - (53 * 54 + 24 * 23), 77**2 - (53 * 54 + 24 * 23)),
    "weighted_kappa(weights='linear')": Q(1976, 2515),  # two classes: the plain kappa
    "weighted_kappa(weights='quadratic')": Q(1976, 2515),
    "mcc": MCC,
    "correlation_distance": arccos(MCC) / pi(),
    "correlation_chord": sqrt(2 * (1 - MCC)),
    "confusion_entropy": (3 * (log(Q(107, 3)) + log(Q(47, 3))) + 4 * (log(Q(107, 4)) + log(Q(47, 4)))) / (154 * log(2)),
    "generalized_mean(r=1)": Q(988 * 2, 24 * 53 + 23 * 54),
    "generalized_mean(r=-1)": Q(988, 2) * (Q(1, 24 * 53) + Q(1, 23 * 54)),
    "generalized_mean(r=0)": MCC,
    "generalized_mean(r=2)": 988 / sqrt(Q((24 * 53) ** 2 + (23 * 54) ** 2, 2)),
    "generalized_mean(r=-inf)": Q(988, 23 * 54),
    "generalized_mean(r=inf)": Q(988, 24 * 53),
    "heronian_mean": 988 * 3 / (1272 + sqrt(1272 * 1242) + 1242),  # 24·53 = 1272, 23·54 = 1242
    "logarithmic_mean": Q(988, 30) * log(Q(1272, 1242)),
    "identric_mean": Q(988, 1242) * exp(1 - Q(1272, 30) * log(Q(1272, 1242))),
    "seiffert_mean": Q(2 * 988, 30) * (pi() / 2 - arccos(Q(30, 2514))),
    "neuman_sandor_mean": Q(2 * 988, 30) * log(Q(30, 2514) + sqrt(1 + Q(30, 2514) ** 2)),
    "stolarsky_mean(p=3)": 988 / sqrt(Q(1272**2 + 1272 * 1242 + 1242**2, 3)),
    "stolarsky_mean(p=4)": 988 / power(Q(1272**3 + 1272**2 * 1242 + 1272 * 1242**2 + 1242**3, 4), Q(1, 3)),
    "lehmer_mean(p=2)": Q(988 * (1272 + 1242), 1272**2 + 1242**2),
    "lehmer_mean(p=3)": Q(988 * (1272**2 + 1242**2), 1272**3 + 1242**3),
    "hamann": Q(70 - 7, 77),
    "sokal_sneath_1": Q(2 * 70, 2 * 70 + 7),
    "rogers_tanimoto": Q(70, 70 + 2 * 7),
    "sokal_sneath_5": 20 * 50 / sqrt(24 * 53 * 23 * 54),
    "matching_tversky(alpha=0.3, beta=0.7)": 70 / (70 + Q(3, 10) * 4 + Q(7, 10) * 3),
    "scott_pi": Q(4 * 77 * 70 - (107**2 + 47**2), 4 * 77**2 - (107**2 + 47**2)),
    "gwet_ac1": (Q(70, 77) - 2 * Q(107, 154) * Q(47, 154)) / (1 - 2 * Q(107, 154) * Q(47, 154)),
    "zero_one_loss": Q(7, 77),
    "hamming_loss": Q(7, 77),
    "balanced_error": 1 - (R0 + R1) / 2,
    "yule_q": Q(988, 1000 + 12),
    "yule_y": (sqrt(1000) - sqrt(12)) / (sqrt(1000) + sqrt(12)),
    "somers_d": Q(2 * 988, 24 * 53 + 23 * 54),
    "somers_d_predicted": Q(988, 24 * 53),
    "somers_d_true": Q(988, 23 * 54),
    "markedness": P1 + P0 - 1,
    "diagnostic_odds_ratio": Q(20 * 50, 3 * 4),
    "positive_likelihood_ratio": Q(20, 24) / Q(3, 53),
    "negative_likelihood_ratio": Q(4, 24) / Q(50, 53),
    "lam": sqrt(12) / (sqrt(12) + sqrt(1000)),
    "lift": Q(20 * 77, 24 * 23),
    "p4": Q(4 * 20 * 50, 4 * 20 * 50 + 70 * 7),
    "mcconnaughey": Q(20**2 - 3 * 4, 24 * 23),
    "gilbert_skill_score": (20 - Q(24 * 23, 77)) / (27 - Q(24 * 23, 77)),
    "f1": F1,
    "fbeta(beta=2)": Q(5 * 20, 5 * 20 + 4 * 4 + 3),
    "fbeta(beta=0.5)": Q(5, 4) * 20 / (Q(5, 4) * 20 + Q(1, 4) * 4 + 3),
    "f_alpha(alpha=0.7)": Q(17, 10) * 20 / (Q(17, 10) * 20 + Q(7, 10) * 4 + 3),
    "e_measure(alpha=0.5)": 1 - F1,
    "jaccard": Q(20, 20 + 4 + 3),
    "tversky(alpha=0.3, beta=0.7)": 20 / (20 + Q(3, 10) * 4 + Q(7, 10) * 3),
    "kulczynski_2": (R1 + P1) / 2,
    "ochiai": 20 / sqrt(24 * 23),
    "sokal_sneath_2": Q(20, 20 + 2 * 7),
    "russell_rao": Q(20, 77),
    "average_set_precision": Q(20**2, 24 * 23),
    "recall": R1,
    "specificity": R0,
    "precision": P1,
    "negative_predictive_value": P0,
    "fallout": Q(3, 53),
    "miss_rate": Q(4, 24),
    "false_discovery_rate": Q(3, 23),
    "false_omission_rate": Q(4, 54),
    "prevalence": Q(24, 77),
    "predicted_prevalence": Q(23, 77),
    "k": R0 + R1 - 1,
    "k_ordinal(error='absolute')": R0 + R1 - 1,  # two classes have one distance
    "k_ordinal(error='squared')": R0 + R1 - 1,
    "macro_f1_of_means": 2 * (R0 + R1) / 2 * (P0 + P1) / 2 / ((R0 + R1 + P0 + P1) / 2),
    "g_mean": sqrt(R0 * R1),
    "bookmaker_win": 77 * (R0 + R1 - 1),
    "mutability": 2 * 2 * (R0 / (R0 + R1)) * (R1 / (R0 + R1)),
    "rh": Q(70, 77) * 4 * R0 * R1 / (R0 + R1) ** 2,
    "dif2": Q(3**2 + 4**2),
    "dif2norm": Q(53**2 + 24**2 - 25, 53**2 + 24**2),
    "mutual_information": MUTUAL,
    "variation_of_information": TRUE + PREDICTED - 2 * MUTUAL,
    "normalized_mutual_information()": MUTUAL / ((TRUE + PREDICTED) / 2),
    "normalized_mutual_information(average='geometric')": MUTUAL / sqrt(TRUE * PREDICTED),
    "normalized_mutual_information(average='min')": MUTUAL / min(TRUE, PREDICTED),
    "normalized_mutual_information(average='max')": MUTUAL / max(TRUE, PREDICTED),
    "normalized_mutual_information(average='joint')": MUTUAL / JOINT,
    "macro(recall)": (R0 + R1) / 2,
    "macro(precision)": (P0 + P1) / 2,
    "macro(f1)": (F0 + F1) / 2,
    "macro(jaccard)": (Q(50, 57) + Q(20, 27)) / 2,
    "macro(mcc)": MCC,
    "macro(recall, classes='all')": (R0 + R1) / 2,
    "macro(precision, classes='all')": (P0 + P1) / 2,
    "macro(f1, classes='all')": (F0 + F1) / 2,
    "macro(jaccard, classes='all')": (Q(50, 57) + Q(20, 27)) / 2,
    "macro(mcc, classes='all')": MCC,
    "macro(recall, p=0)": sqrt(R0 * R1),
    "macro(recall, p=-1)": 2 / (1 / R0 + 1 / R1),
    "macro(recall, p=0, classes='all')": sqrt(R0 * R1),
    "macro(recall, p=-1, classes='all')": 2 / (1 / R0 + 1 / R1),
    "weighted(f1)": (53 * F0 + 24 * F1) / 77,
    "weighted(precision)": (53 * P0 + 24 * P1) / 77,
    "micro(f1)": Q(70, 77),
    "micro(jaccard)": Q(70, 70 + 2 * 7),
    "bennett_s": Q(2 * 70 - 77, 77),
    "bangdiwala_b": Q(50**2 + 20**2, 53 * 54 + 24 * 23),
    "krippendorff_alpha": 1 - Q(2 * 153 * 7, 2 * 107 * 47),  # n_0 = 107, n_1 = 47 of 154 labels
    "modified_confusion_entropy": (  # a_i + b_i − c_ii is 57 and 27
        3 * (log(Q(57, 3)) + log(Q(27, 3))) + 4 * (log(Q(57, 4)) + log(Q(27, 4)))
    ) / (154 * log(2)),
    "chance_agreement": Q(53 * 54 + 24 * 23, 77**2),
    "chance_agreement_unbiased": Q(107**2 + 47**2, 154**2),
    "no_information_rate": Q(53, 77),
    "information_score": log(Q(20 * 77, 24 * 23)) / log(2),
    "discriminant_power": sqrt(3) * log(Q(20 * 50, 3 * 4)) / pi(),
    "phi_squared": MCC**2,
    "chi_squared": 77 * MCC**2,
    "cramers_v": MCC,
    "tschuprows_t": MCC,
    "pearson_contingency": sqrt(MCC**2 / (1 + MCC**2)),
    "lambda_true": Q(50 + 20 - 53, 77 - 53),
    "lambda_predicted": Q(50 + 20 - 54, 77 - 54),
    "homogeneity": MUTUAL / TRUE,
    "completeness": MUTUAL / PREDICTED,
    "entropy_true": TRUE,
    "entropy_predicted": PREDICTED,
    "entropy_joint": JOINT,
    "entropy_conditional": JOINT - TRUE,
    "class_size_cross_entropy": -(Q(53, 77) * log(Q(54, 77)) + Q(24, 77) * log(Q(23, 77))),
    "class_size_divergence": Q(53, 77) * log(Q(53, 54)) + Q(24, 77) * log(Q(24, 23)),
    "braun_blanquet": Q(20, 24),
    "overlap_coefficient": Q(20, 23),
    "automatic_manual": Q(3 - 4),
    "bray_curtis": Q(1, 154),
    "random_accuracy": Q(24 * 23, 77**2),
    "random_accuracy_unbiased": Q(47, 154) ** 2,
    "adjusted_f_score": sqrt(Q(5 * 20, 5 * 20 + 4 * 4 + 3) * Q(5 * 50, 5 * 50 + 4 * 4 + 3)),
    "adjusted_geometric_mean": (sqrt(R0 * R1) + R0 * Q(53, 77)) / (1 + Q(53, 77)),
    "index_of_balanced_accuracy()": (1 + R1 - R0) * R0 * R1,
    "index_of_balanced_accuracy(alpha=0.1)": (1 + (R1 - R0) / 10) * R0 * R1,
    "optimized_precision": Q(70, 77) - (R0 - R1) / (R0 + R1),
    "distance_index": sqrt((1 - R0) ** 2 + (1 - R1) ** 2),
    "similarity_index": 1 - sqrt(((1 - R0) ** 2 + (1 - R1) ** 2) / 2),
    "net_benefit()": Q(20 - 3, 77),
    "macro_absolute_error": (Q(3, 53) + Q(4, 24)) / 2,
    "class_balance_accuracy": (Q(50, 54) + Q(20, 24)) / 2,
    "calibrated(accuracy)": (R0 + R1) / 2,
    "calibrated(kappa)": R0 + R1 - 1,
    "calibrated(mcc)": (R0 * R1 - (1 - R0) * (1 - R1)) / sqrt((R1 + 1 - R0) * (R0 + 1 - R1)),
    "calibrated(macro(precision))": (R0 / (R0 + 1 - R1) + R1 / (R1 + 1 - R0)) / 2,
    "calibrated(macro(f1))": (2 * R0 / (1 + R0 + 1 - R1) + 2 * R1 / (1 + R1 + 1 - R0)) / 2,
    "calibrated(macro_f1_of_means)": 2 / (2 / (R0 + R1) + 2 / (R0 / (R0 + 1 - R1) + R1 / (R1 + 1 - R0))),
    "calibrated(weighted(f1))": (2 * R0 / (1 + R0 + 1 - R1) + 2 * R1 / (1 + R1 + 1 - R0)) / 2,
}  # fmt: skip

# Three classes: a = (6, 8, 4), b = (8, 5, 5), hits 5, 4, 3, n = 18.
THREE = [[5, 1, 0], [2, 4, 2], [1, 0, 3]]
RECALLS, PRECISIONS = (Q(5, 6), Q(4, 8), Q(3, 4)), (Q(5, 8), Q(4, 5), Q(3, 5))
MEAN_R, MEAN_P = sum(RECALLS) / 3, sum(PRECISIONS) / 3
VALUES_OF_THREE = {
    "k": (3 * MEAN_R - 1) / 2,
    "mcc": (18 * 12 - (6 * 8 + 8 * 5 + 4 * 5)) / sqrt((18**2 - 116) * (18**2 - 114)),
    "kappa": Q(18 * 12 - 108, 18**2 - 108),
    "weighted_kappa(weights='linear')": 1
    - Q(18 * (1 + 2 + 2 + 2 * 1), 6 * 5 + 2 * 6 * 5 + 8 * 8 + 8 * 5 + 2 * 4 * 8 + 4 * 5),
    "macro_f1_of_means": 2 * MEAN_R * MEAN_P / (MEAN_R + MEAN_P),
    "macro(recall, p=0)": power(Exact.of(Q(5, 6) * Q(4, 8) * Q(3, 4)), Q(1, 3)),
    "bookmaker_win": 18 * (sum(RECALLS) - 1),
    "k_cost(costs=[[0, 1, 4], [2, 0, 1], [5, 1, 0]])": (  # an item counts 1 − cost/dearest of its class
        3 * (Q(5 + 1 * Q(3, 4), 6) + Q(4 + 2 * Q(0) + 2 * Q(1, 2), 8) + Q(3, 4)) / 3 - 1
    ) / 2,
    "average_cost(costs=[[0, 1, 4], [2, 0, 1], [5, 1, 0]])": Q(1 * 1 + 2 * 2 + 2 * 1 + 1 * 5, 18),
    "macro_absolute_error": (Q(1, 6) + Q(2 + 2, 8) + Q(2, 4)) / 3,
    "class_balance_accuracy": (Q(5, 8) + Q(4, 8) + Q(3, 5)) / 3,
    "bennett_s": (3 * Q(12, 18) - 1) / 2,
    "phi_squared": Q(25, 6 * 8) + Q(1, 6 * 5) + Q(4, 8 * 8) + Q(16, 8 * 5) + Q(4, 8 * 5) + Q(1, 4 * 8) + Q(9, 20) - 1,
    "lambda_true": Q(5 + 4 + 3 - 8, 18 - 8),
    "k_ordinal(error='absolute')": (3 * (Q(5 + Q(1, 2), 6) + Q(4, 8) + Q(3, 4)) / 3 - 1) / 2,
    "dif2": Q(1 + 16 + 1),
    "hamann": Q(12 - 6, 18),
}  # fmt: skip


@pytest.mark.parametrize(("name", "value"), VALUES.items())
def test_two_classes_by_hand(name, value):
    measure = gm.measure(name)
    assert measure.exact(BINARY) == value
    assert measure(BINARY) == pytest.approx(float(value), rel=1e-12, abs=1e-12)


@pytest.mark.parametrize(("name", "value"), VALUES_OF_THREE.items())
def test_three_classes_by_hand(name, value):
    assert gm.measure(name).exact(THREE) == value


def test_no_measure_is_forgotten():
    assert {x.name for x in gm.measures()} <= {*VALUES, *VALUES_OF_THREE}
