"""What averaging over classes preserves, as data: properties of every binary measure that its average has too.

Let B_i be the matrix of class i against the rest, [[tn, fp], [fn, tp]] with tp = c_ii, fn = a_i − c_ii,
fp = b_i − c_ii and tn = n − a_i − b_i + c_ii. Macro averaging is the mean of M(B_i) over the classes that occur in one
of the labelings, or over all m classes, weighted averaging is Σ (a_i/n)·M(B_i), and micro averaging is M of ΣB_i. M
stands for every binary measure that has a value on all matrices (on the domain "regular": on all regular ones) and has
the property on them. If every class occurs in both labelings, so do both classes of each B_i, and of ΣB_i.

* *Maximal agreement.* fn and fp contain no cell of the diagonal, so B_i is diagonal if C is. Every cell off the
  diagonal, (p, q), occurs in fn of B_p, so B_p is not diagonal, and class p has positive weight, since a_p ≥ c_pq > 0.
  So the average is c_max where C is diagonal; elsewhere all terms are at most c_max and one of positive weight is less.
  For micro averaging ΣB_i is diagonal exactly if C is.
* *Symmetry.* B_i of the transposed matrix is B_i transposed. Macro averaging weighs its classes equally, and
  the same classes occur. (Weighted averaging takes true class sizes, and loses it.)
* *Class symmetry.* Renaming the classes permutes the B_i with their weights.
* *Monotonicity.* If an item of cell (p, q) becomes right, n stays, B_p and B_q change by one resolved disagreement each
  (a false positive, or a false negative, becomes right), and no other B_i changes. Where every class occurs in both
  labelings, no B_i has a class with all items, so M rises on both. In ΣB_i a false positive and a false negative are
  resolved, one after the other; its true sizes are (m − 1)·n and n, its predicted sizes are these before the first step
  and differ by one from them before the second, and neither is 0, since n ≥ 2 where no labeling is constant.
* *Distance.* Each labeling of m classes gives a binary one for each class, and B_i is the matrix of two of these, so
  the triangle inequality of M holds for each i; with all classes present, or with a mean over all classes, the weights
  are 1/m for all pairs of labelings, and the inequalities add up. For micro averaging the binary labelings of all
  classes are written one after another, and ΣB_i is the matrix of two of these. Symmetry and maximal agreement are
  shown above.
* *Constant baselines.* The prediction "class i or not" of a random labeling with sizes b is a random binary labeling
  with sizes (n − b_i, b_i), and with all classes present it is not constant. So each E[M(B_i)] is c_base, and the
  weights, which depend on the true sizes only, add up to 1. If c_ij = a_i·b_j/n, each B_i has this form too.
"""

from __future__ import annotations

OVER_ALL = "macro(classes='all')"  # the macro averaging of papers: (1/m) Σ over all classes, whether they occur or not
AVERAGES = ("micro", "macro", OVER_ALL, "weighted")
_EQUAL = ("micro", "macro", OVER_ALL)  # no class weighs more than another
_EVERYWHERE = ("all", "non-unary", "regular")

# The domains on which an averaging keeps a property
KEPT: dict[tuple[str, str], tuple[str, ...]] = {
    **{(x, y): _EVERYWHERE for x in AVERAGES for y in ("maximal_agreement", "class_symmetry")},
    **{(x, "symmetry"): _EVERYWHERE for x in _EQUAL},
    **{(x, "distance"): _EVERYWHERE for x in ("micro", OVER_ALL)},
    ("macro", "distance"): ("regular",),
    ("micro", "monotone"): _EVERYWHERE,
    **{(x, "monotone"): ("regular",) for x in ("macro", OVER_ALL)},
    **{
        (x, y): ("regular",)
        for x in ("macro", OVER_ALL, "weighted")
        for y in ("constant_baseline", "approximate_constant_baseline")
    },
}
