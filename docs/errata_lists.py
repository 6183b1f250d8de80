"""What the errata page says beside the tables: damage of text extraction, and remarks that papers leave unsaid."""

from __future__ import annotations

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
        "goesgens2021, Appendix D.1",
        "left open there: an exact constant baseline does not imply one of infinite order; the counterexample "
        "is discontinuous in p_A and p_B, which Definition 12 permits",
    ),
    (
        "sebastiani2015, §6",
        "K for m classes ranges over [−1/(m − 1), 1]",
    ),
    (
        "opitz2024, §5.2",
        "for three or more classes calibration destroys monotonicity (PI) of macro precision, macro F1 and "
        "macro F1′: [[0,0,1],[0,1,0],[1,1,0]] with one error more at (2, 0) lifts calibrated macro precision "
        "from 2/9 to 1/4",
    ),
    (
        "rh-dif2norm",
        "RH is not monotone with unequal groups: [[500,500],[1,1]] → [[500,500],[0,2]] takes it from 0.5 to 0.445",
    ),
)
