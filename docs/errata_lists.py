"""What the errata page says beside the tables: errors with evidence, damage of text extraction, and remarks."""

from __future__ import annotations

# Lines of Python that are True, or commands that show it, for the errors that are listed by measure: by paper, place
# and the first measure concerned. Names in the lines: gm, F (Fraction) and permutations.
EVIDENCE = {
    ("goesgens2021", "§6", "sba"): (
        "gm.sba.exact([[2, 0, 0], [0, 1, 1], [0, 1, 1]]) == gm.sba.exact([[3, 0, 0], [0, 1, 1], [0, 1, 1]]) == F(2, 3)"
    ),
    ("goesgens2021", "Table 5", "sba"): "goodmeasure reproduce goesgens2021:table5 --data DIR",
    ("goesgens2021", "Table 6", "kappa"): "goodmeasure reproduce goesgens2021:table6 --data DIR",
    ("goesgens2021", "Appendix A", "accuracy"): (
        "[gm.atlas().verdict('accuracy', x).status for x in ('CHA', 'CB')] == ['proved', 'refuted']"
    ),
    ("goesgens2021", "Appendix B", "balanced_accuracy"): (
        "sum(gm.sba.exact([0, 0, 1], p, labels=range(3)) for p in permutations(range(3))) / 6 == F(17, 54)"
    ),
    ("goesgens2021", "Appendix C.6", "micro"): (
        "gm.micro(lambda c: c.tp + c.tn - c.fp - c.fn).exact([[1, 2, 0], [0, 3, 1], [2, 0, 4]]) == 13 * (3 - 4) + 4 * 8"
    ),
    ("goesgens2021", "Appendix C.6", "weighted"): (
        "M = gm.weighted(lambda c: c.tp + c.tn - c.fp - c.fn); "
        "M.exact([[0, 0, 1], [0, 1, 1], [1, 0, 0]]) == F(1, 2) and M.exact([[0, 0, 1], [0, 1, 0], [1, 0, 0]]) == "
        "F(1, 3)"
    ),
    ("goesgens2021", "Appendix D.2", "correlation_distance"): (
        "gm.mcc.exact([[1, 1], [1, 1]]) == 0 and gm.correlation_distance.exact([[1, 1], [1, 1]]) == F(1, 2)"
    ),
    ("goesgens2021", "Appendix E.1", "balanced_accuracy"): (
        "M = gm.balanced_accuracy; M.exact([[9376, 91], [29, 504]]) - M.exact([[9355, 112], [22, 511]]) "
        "== (F(21, 9467) + F(-7, 533)) / 2"
    ),
    ("goesgens2021", "Appendix E.1", "sba"): (
        "M = gm.sba; M.exact([[9376, 91], [29, 504]]) - M.exact([[9355, 112], [22, 511]]) "
        "== (F(21, 9467) + F(-7, 533) + F(9376, 9405) - F(9355, 9377) + F(504, 595) - F(511, 623)) / 4"
    ),
    ("goesgens2021", "Table 14", "macro(mcc)"): "goodmeasure reproduce goesgens2021-appendix:table14 --data DIR",
    ("sebastiani2015", "Table 2", "mcc"): (
        "round(50 * 50 / (51 * 50 * (50 + 50) * (0 + 1)) ** 0.5, 2) == 4.95 and gm.mcc.exact([[50, 0], [1, 50]]) < 1"
    ),
    ("sebastiani2015", "Equation 3", "f1"): (
        "g = gm.f1.gradient([[5, 2], [3, 7]], exact=True); g[0, 0] - g[0, 1] == F(2 * 7, (2 * 7 + 3 + 2) ** 2)"
    ),
    ("sebastiani2015", "Property 4.3", "f1"): (
        "from math import comb; F1 = [gm.f1.exact([[0, 0], [100 - k, k]]) for k in range(101)]; "
        "round(float(sum(comb(100, k) * x for k, x in enumerate(F1)) / 2**100), 5) == 0.66518 and "
        "round(float(sum(F1) / 101), 5) == 0.61257"
    ),
    ("sebastiani2015", "Property 4.4", "f1"): "gm.f1.exact([[0, 99], [0, 1]]) == F(2, 101)",
    ("sebastiani2015", "Equation 4", "average_set_precision"): (
        "g = gm.average_set_precision.gradient([[5, 2], [3, 7]], exact=True); "
        "g[1, 1] - g[1, 0] == F(7 * (2 * 9 - 7), 10 * 9**2) and g[0, 0] - g[0, 1] == F(7**2, 10 * 9**2)"
    ),
    ("opitz2024", "§4.7", "mcc"): (
        "p, b = (F(6, 10), F(4, 10)), (F(9, 10), F(1, 10)); p[0] * b[0] + p[1] * b[1] > p[0] ** 2 + p[1] ** 2"
    ),
    ("opitz2024", "Appendix D.1", "macro(f1)"): (
        "g = gm.macro(gm.f1).gradient([[5, 2, 1], [0, 3, 3], [1, 1, 7]], exact=True); "
        "g[0, 0] == F(2, 3 * (8 + 6)) - F(4 * 5, 3 * (8 + 6) ** 2)"
    ),
    ("opitz2024", "Appendix E.1", "macro_f1_of_means"): (
        "C = [[5, 2, 1], [0, 3, 3], [1, 1, 7]]; R, P = (gm.macro(x).exact(C) for x in (gm.recall, gm.precision)); "
        "r, p, f = (x.gradient(C, exact=True)[0, 1] for x in (gm.macro(gm.recall), gm.macro(gm.precision), "
        "gm.macro_f1_of_means)); f == 2 * (P**2 * r + R**2 * p) / (R + P) ** 2"
    ),
    ("opitz2024", "Equation 20", "kappa"): (
        "C = [[5, 2, 1], [0, 3, 3], [1, 1, 7]]; s, r, pb = 23, 15, 8 * 6 + 6 * 6 + 9 * 11; N, D = s * r - pb, "
        "s**2 - pb; "
        "z = 6 + 6; gm.kappa.gradient(C, exact=True)[0, 1] == F((r - z) * D - (2 * s - z) * N, D**2)"
    ),
    ("opitz2024", "Appendix G.1", "mcc"): (
        "C = [[5, 2, 1], [0, 3, 3], [1, 1, 7]]; s, r, pb = 23, 15, 8 * 6 + 6 * 6 + 9 * 11; "
        "u, v = s**2 - (8**2 + 6**2 + 9**2), s**2 - (6**2 + 6**2 + 11**2); N, D2, z = s * r - pb, u * v, 6 + 6; "
        "abs(gm.mcc.gradient(C)[0, 1] - (2 * D2 * (r - z) - N * ((2 * s - 2 * 8) * v + (2 * s - 2 * 6) * u)) "
        "/ (2 * D2**1.5)) < 1e-12"
    ),
    ("rh-dif2norm", "Table 3.1", "rh"): (
        "A, B = [[3, 0, 0], [0, 3, 0], [3, 0, 0]], [[3, 0, 0], [0, 1, 2], [2, 0, 1]]; "
        "gm.rh.exact(A) > gm.rh.exact(B) and gm.dif2norm.exact(A) < gm.dif2norm.exact(B)"
    ),
    ("rh-dif2norm", "Table 3.1", "dif2"): (
        "C = [[1, 2, 0], [0, 0, 3], [3, 0, 0]]; gm.dif2.exact(C) == 22 and gm.dif2norm.exact(C) == F(5, 27)"
    ),
    ("rh-dif2norm", "Table 2.2", "prevalence"): (
        "C = [[5, 2], [3, 7]]; gm.prevalence.exact(C) == F(3 + 7, 17) and gm.predicted_prevalence.exact(C) == "
        "F(2 + 7, 17)"
    ),
    ("rh-dif2norm", "Equation 2.22", "matching_tversky"): (
        "C = [[5, 2], [3, 7]]; gm.matching_tversky(alpha=2, beta=1).exact(C) == F(12, 12 + 2 * 3 + 2) "
        "and gm.tversky(alpha=2, beta=1).exact(C) == F(7, 7 + 2 * 3 + 2)"
    ),
    ("rh-dif2norm", "Equation 2.3", "f_alpha"): (
        "C = [[5, 2], [3, 7]]; gm.f_alpha(alpha=4).exact(C) == gm.fbeta(beta=2).exact(C)"
    ),
    ("rh-dif2norm", "§2", "yule_q"): (
        "C = [[90, 0], [30, 60]]; gm.yule_q.exact(C) == gm.yule_y.exact(C) == 1 and gm.mcc.exact(C) ** 2 == F(1, 2)"
    ),
}

# Errors that are about no single measure: the place, what is printed, what is wrong with it, and the evidence.
ERRORS = (
    (
        "goesgens2021, §1",
        "distance and constant baseline exclude each other",
        "only together with monotonicity (Theorem 1): for every n, d(A, B) = 0 if A = B, 1/(1 − 1/C(n, a)) if A ≠ B "
        "have equally many positives a, and else 1, is a metric with an exact constant baseline. Proof: all distances "
        "of different labelings lie in [1, 2], so two of them are at least as long as a third. The mean of d over "
        "all B with b positives is 1 if b ≠ a; if b = a, one of the C(n, a) labelings is A, and the mean is "
        "(1 − 1/C(n, a))/(1 − 1/C(n, a)) = 1. The line shows n = 4",
        "bool(gm.possible('distance', 'constant_baseline', n=4))",
    ),
    (
        "goesgens2021, Theorem 2",
        "the normaliser of a measure with all properties but distance depends on p_A(1 − p_A) and p_B(1 − p_B) only",
        "the form is narrower than that of Theorem 3 in the appendix: a normaliser that is no function of the "
        "two meets "
        "all conditions",
        "from goodmeasure.theory.possible.named_means import beyond_means; "
        "from goodmeasure.theory.possible.normaliser import normaliser; normaliser('beyond_means').proved and "
        "beyond_means(F(1, 4), F(2, 5)) != beyond_means(F(3, 4), F(2, 5))",
    ),
    (
        "goesgens2021, Theorem 3 (appendix)",
        "its proof: strong monotonicity is satisfied when the last two conditions hold, which are closed intervals",
        "the theorem, by which the conditions are necessary, is right with closed intervals; this converse is not: "
        "1/max(p_A(1 − p_A), p_B(1 − p_B)) meets the conditions, and its measure is not strongly monotone. With "
        "intervals that are open off the diagonals the converse is true",
        "from goodmeasure.theory.possible.normaliser import normaliser; s = normaliser(mean=max); "
        "s.conditions[5].weak == 'held' and s.conditions[5].status == 'refuted' and "
        "s.measure.exact([[1, 0], [1, 1]]) == s.measure.exact([[2, 0], [1, 1]])",
    ),
    (
        "goesgens2021, Appendix A",
        "the constant baseline implies Sebastiani's robustness to imbalance (IMB)",
        "Definition 8 leaves constant predictions out, of which IMB speaks: macro precision has the constant "
        "baseline and "
        "not IMB",
        "[gm.atlas().verdict('macro(precision)', x).status for x in ('CB', 'IMB')] == ['proved', 'refuted']",
    ),
    (
        "goesgens2021, Definition 12 (appendix)",
        "p_AB ranges from 0 to min{p_A, p_B}",
        "from max{0, p_A + p_B − 1}: of three items of which two are positive in each labeling, one at least is "
        "in both",
        "min(k for k in range(3) if 3 - 2 - 2 + k >= 0) == 1",
    ),
    (
        "goesgens2021, Appendix D.4",
        "the weights of the average for false negatives, one of them with a factor 1/2 below the line",
        "without it: the weights must add up to 1, and where both shares are equal they would add up to 7/6",
        "F(1) / (1 + F(1, 2)) + F(1, 2) == F(7, 6)",
    ),
    (
        "goesgens2021, Tables 4 and 11",
        "rates of inconsistency by the definition of §5.1",
        "differences of at most 1e-5 were taken as ties, and ties as consistent: so all cells come out; by the "
        "definition, "
        "14 of 28 cells of Table 4 differ by up to 0.27 points, and 5 of 28 of Table 11 by up to 0.59",
        "goodmeasure reproduce goesgens2021:table4 --data DIR",
    ),
    (
        "goesgens2021, §5.2",
        "EfficientNet-B7 is the fifth model",
        "it is tf_efficientnet_b6_ns; the values of tf_efficientnet_b7_ns are others",
        "goodmeasure reproduce goesgens2021:table5 --data DIR",
    ),
    (
        "goesgens2021, Table 12 (appendix)",
        "four of its 90 numbers",
        "they were rounded to three decimals first, and then to two: 88.20464, 80.24491, 88.21479 and 86.06469 "
        "became "
        "88.21, 80.25, 88.22 and 86.07",
        "goodmeasure reproduce goesgens2021-appendix:table12 --data DIR",
    ),
    (
        "goesgens2021, Tables 13 and 14 (appendix)",
        "inconsistency on Yeast",
        "for a classifier that never predicts the class that is absent from the test fold, the last class was "
        "left out; "
        "NaN pairs were skipped but counted; and the quadratic discriminant analysis rests on a singular "
        "covariance. With "
        "all labels, the rates of confusion entropy fall from about 48% to about 35%",
        "goodmeasure reproduce goesgens2021-appendix:table13 --data DIR",
    ),
    (
        "goesgens2021, Appendix B",
        "the singularities of CC: n² = Σ a_i² with the sum over m = 1 … n",
        "the sum is over the classes, i = 1 … m",
        "C = gm.ConfusionMatrix([[0, 2], [0, 3]]); len(C.a) == 2 and C.n == 5 and C.n**2 == sum(x**2 for x in C.b)",
    ),
    (
        "goesgens2021, Appendix D.3",
        "substituting the least p_AB, “we get the following upper bound” (decreasingness in N10)",
        "it is the lower bound: the inequality below it says so, and the upper one comes from the greatest p_AB",
        "p, q = F(1, 4), F(2, 5); min(2 - 1 / p, 2 - 1 / (1 - q)) < 0 < max(1 + q * (1 - p) / (p * (1 - q)), 2)",
    ),
    (
        "sebastiani2015, §6.2",
        "all axioms hold for K with costs",
        "robustness to chance (CHA) does not: with five ordered classes and absolute error, guessing scores "
        "11/30 on average "
        "if all classes occur, and 1/4 if only the middle one does",
        "M = gm.k_ordinal('absolute'); M.exact([[F(1, 5)] * 5] * 5) == F(11, 30) and "
        "M.exact([[F(i == 2, 5)] * 5 for i in range(5)]) == F(1, 4)",
    ),
    (
        "sebastiani2015, §5.1(1), footnote 7",
        "one cannot increase recall without also increasing precision (one more TP, one FN less)",
        "where there is no false positive, precision is 1 and stays 1",
        "A, B = [[5, 0], [2, 3]], [[5, 0], [1, 4]]; gm.recall.exact(A) < gm.recall.exact(B) and "
        "gm.precision.exact(A) == gm.precision.exact(B) == 1",
    ),
    (
        "sebastiani2015, §6",
        "costs Δ ≥ 0 between different classes are allowed, and §6.2 states all axioms",
        "a cost of 0 between two classes violates MON: correcting such an error changes nothing; costs off the "
        "diagonal must be positive",
        "M = gm.k_cost([[0, 0, 1], [1, 0, 1], [1, 1, 0]]); "
        "M.exact([[0, 1, 0], [0, 1, 0], [0, 0, 1]]) == M.exact([[1, 0, 0], [0, 1, 0], [0, 0, 1]])",
    ),
    (
        "opitz2024, Equation 3",
        "∂M/∂m_ij ≥ 0 ⟺ i = j",
        "“⇐” is meant: where accuracy is 0, its derivative by an error is 0, and so is at least 0",
        "gm.accuracy.gradient([[0, 2], [3, 0]], exact=True)[0, 1] == 0 < gm.accuracy.gradient([[0, 2], [3, 0]], "
        "exact=True)[0, 0]",
    ),
    (
        "opitz2024, §7.1, citations",
        "almost double the amount of citations (555 against 271)",
        "more than double: 2.05 times as many",
        "round(555 / 271, 2) == 2.05",
    ),
    (
        "opitz2024, §7.2",
        "10.9% of 42 papers give a sensible argument",
        "11.9%: 5 of 42; 10.9% is 5 of 46, the later sample",
        "round(100 * 5 / 42, 1) == 11.9 and round(100 * 5 / 46, 1) == 10.9",
    ),
    (
        "opitz2024, §7.1",
        "system E is rank 6",
        "rank 5, by macro recall and in Table 6",
        "goodmeasure reproduce opitz2024:table6",
    ),
)

DAMAGE = (
    (
        "goesgens2021, Table 1",
        "the base of CE's logarithm is 2m − 2 (the authors' code agrees), and GM has the r-th root, as in "
        "Definition 10",
    ),
    (
        "goesgens2021, §3.2",
        "“class-symmetric … Jaccard and F1” is perhaps “class-asymmetric”",
    ),
    (
        "goesgens2021, Appendix C.3",
        "the numerator is the inner product of the centred labelings",
    ),
    (
        "goesgens2021, Appendix C.4",
        "the matrices for CC have different n in our text; [[1,0,0],[6,1,0],[0,0,1]] → "
        "[[1,0,0],[7,0,0],[0,0,1]] shows the point (0.4 < 0.4108)",
    ),
    (
        "goesgens2021, Appendix C.6",
        "the example for macro averaging merged two matrices: [[0,1,1],[1,0,1],[1,1,0]] gives 1, "
        "[[0,0,1],[0,0,1],[1,1,0]] gives 2/3",
    ),
    (
        "goesgens2021, Table 9",
        "the only non-constant labeling of ten items for which all 28 entries hold is (1,1,1,1,1,1,1,1,0,1)",
    ),
    (
        "sebastiani2015, Table 2",
        "LAM = x/(1 + x) with x = √(FP·FN/(TP·TN))",
    ),
    (
        "sebastiani2015, Table 1",
        "specificity is 1 − fallout, and “NPR” is the negative predictive value",
    ),
    (
        "opitz2024, §2",
        "m_ij counts items with prediction i and class j; footnote 8 is right",
    ),
    (
        "opitz2024, Appendix D.1",
        "the off-diagonal Z_j",
    ),
    (
        "rh-dif2norm, Equation 2.8",
        "it is the negative likelihood ratio",
    ),
)

UNSAID = (
    (
        "goesgens2021, Appendix E.1",
        "“many measures favour a threshold of 0.6, 0.7 or 0.77 for two hours”: of the eight measures, none "
        "peaks at 0.6 on the data pooled over the days, nor in the mean over the days; the correlation coefficient "
        "does on 5 of the 12 days, more often than elsewhere (Replay: `goodmeasure reproduce "
        "goesgens2021-appendix:figure1 --data DIR`)",
    ),
    (
        "rh-dif2norm, conclusion",
        "the coefficient RH is called HR there",
    ),
    (
        "goesgens2021, Appendix D.1",
        "left open there: an exact constant baseline does not imply one of infinite order; the counterexample "
        "is discontinuous in p_A and p_B, which Definition 12 permits",
    ),
    (
        "sebastiani2015, §6",
        "K for m classes ranges over [−1/(m − 1), 1] (Replay: `gm.k.range_for(3) == (-1 / 2, 1)` is `True`)",
    ),
    (
        "opitz2024, §5.2",
        "for three or more classes calibration destroys monotonicity (PI) of macro precision, macro F1 and "
        "macro F1′: [[0,0,1],[0,1,0],[1,1,0]] with one error more at (2, 0) lifts calibrated macro precision "
        "from 2/9 to 1/4 (Replay: `[gm.calibrated(gm.macro(gm.precision)).exact([[0, 0, 1], [0, 1, 0], [k, 1, "
        "0]]) for k in "
        "(1, 2)] == [F(2, 9), F(1, 4)]` is `True`)",
    ),
    (
        "rh-dif2norm",
        "RH is not monotone with unequal groups: [[500,500],[1,1]] → [[500,500],[0,2]] takes it from 0.5 to "
        "0.445 (Replay: "
        "`gm.rh.exact([[500, 500], [1, 1]]) > gm.rh.exact([[500, 500], [0, 2]])` is `True`)",
    ),
)
