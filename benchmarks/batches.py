"""W5: ten measures on a batch of matrices, and one small matrix."""

from __future__ import annotations

import numpy as np

import goodmeasure as gm
from benchmarks.timing import Row, calls, race

TWO = ("accuracy", "balanced_accuracy", "sba", "kappa", "mcc", "f1", "jaccard", "macro(f1)", "recall", "precision")
TEN = (
    *("accuracy", "balanced_accuracy", "sba", "kappa", "mcc"),
    *("macro(f1)", "macro(jaccard)", "weighted(f1)", "macro(precision)", "k"),
)


LOOP = "For ten classes, the formulas by hand on the whole batch are themselves only some 40 × the loop."
OF_PYCM = ("Overall_ACC", "TPR_Macro", "PPV_Macro", "Kappa", "Overall_MCC", "F1_Macro", "J", "TPR", "PPV", "F1")


def by_hand_two(counts):
    """The ten measures for two classes as a careful person writes them: shared sums, no checks, no rules."""
    tn, fp, fn, tp = (counts[:, i, j].astype(float) for i in (0, 1) for j in (0, 1))
    ap, an, pp, pn = tp + fn, tn + fp, tp + fp, tn + fn
    n, det, wrong = ap + an, tp * tn - fp * fn, fn + fp
    recall, specificity, precision, npv = tp / ap, tn / an, tp / pp, tn / pn
    f1 = 2 * tp / (2 * tp + wrong)
    return (
        (tp + tn) / n,
        (recall + specificity) / 2,
        (recall + specificity + precision + npv) / 4,
        2 * det / (ap * pn + an * pp),
        det / np.sqrt(ap * an * pp * pn),
        f1,
        tp / (tp + wrong),
        (f1 + 2 * tn / (2 * tn + wrong)) / 2,
        recall,
        precision,
    )


def by_hand_many(counts):
    """The ten measures for any number of classes, by hand."""
    counts = counts.astype(float)
    m = counts.shape[-1]
    hit, a, b = np.einsum("bii->bi", counts), counts.sum(2), counts.sum(1)
    n, r, chance = a.sum(1), hit.sum(1), (a * b).sum(1)
    recall, precision, f1, jaccard = hit / a, hit / b, 2 * hit / (a + b), hit / (a + b - hit)
    mean_recall, mean_precision = recall.mean(1), precision.mean(1)
    return (
        r / n,
        mean_recall,
        (mean_recall + mean_precision) / 2,
        (n * r - chance) / (n * n - chance),
        (n * r - chance) / np.sqrt((n * n - (a * a).sum(1)) * (n * n - (b * b).sum(1))),
        f1.mean(1),
        jaccard.mean(1),
        (f1 * a).sum(1) / n,
        mean_precision,
        (m * mean_recall - 1) / (m - 1),
    )


def with_pycm(counts):
    """The same numbers from PyCM, matrix by matrix."""
    from pycm import ConfusionMatrix

    m = counts.shape[-1]
    for matrix in counts:
        rows = {str(i): {str(j): int(matrix[i, j]) for j in range(m)} for i in range(m)}
        cm = ConfusionMatrix(matrix=rows)
        for name in OF_PYCM:
            getattr(cm, name)


def with_sklearn(counts):
    """The same numbers from scikit-learn, which starts from labels: one item for each cell, weighted."""
    from sklearn import metrics

    m = counts.shape[-1]
    true, predicted = np.repeat(np.arange(m), m), np.tile(np.arange(m), m)
    for matrix in counts:
        w = matrix.ravel()
        metrics.accuracy_score(true, predicted, sample_weight=w)
        metrics.balanced_accuracy_score(true, predicted, sample_weight=w)
        metrics.cohen_kappa_score(true, predicted, sample_weight=w)
        metrics.matthews_corrcoef(true, predicted, sample_weight=w)
        for average in ("macro", "weighted"):
            metrics.precision_recall_fscore_support(true, predicted, sample_weight=w, average=average)
        metrics.jaccard_score(true, predicted, sample_weight=w, average="macro")


def rows() -> list[Row]:
    rng = np.random.default_rng(0)
    two, ten = rng.integers(1, 1000, (100_000, 2, 2)), rng.integers(1, 1000, (10_000, 10, 10))
    return [_batch("W5 2x2", two, by_hand_two, TWO), _batch("W5 10x10", ten, by_hand_many, TEN), _one_matrix()]


def _batch(key, counts, by_hand, names) -> Row:
    chosen = [gm.measure(name) for name in names]
    for value, expected in zip([f(counts) for f in chosen], by_hand(counts), strict=True):
        np.testing.assert_allclose(value, expected, rtol=1e-9)
    few, some, total = counts[:20], counts[:1000], len(counts)
    contenders = {
        "goodmeasure, one ConfusionMatrix": lambda: _together(counts, chosen),
        "goodmeasure, ten calls on the array": lambda: [f(counts) for f in chosen],
        "NumPy by hand, shared sums, no checks": lambda: by_hand(counts),
        "NumPy by hand, in a loop": lambda: [by_hand(x[None]) for x in some],
        "PyCM": lambda: with_pycm(few),
        "scikit-learn": lambda: with_sklearn(few),
    }
    share = {"NumPy by hand, in a loop": 1000 / total, "PyCM": 20 / total, "scikit-learn": 20 / total}
    work = f"ten measures on {total:,} matrices of {counts.shape[-1]} classes"
    at_most = {"NumPy by hand, shared sums, no checks": 3}
    at_least = {"PyCM": 500, "NumPy by hand, in a loop": 50}
    note = LOOP if counts.shape[-1] > 2 else ""
    return Row(key, work, race(contenders, repeats=3, share=share), at_least=at_least, at_most=at_most, note=note)


def _together(counts, chosen):
    cm = gm.ConfusionMatrix(counts)
    return [f(cm) for f in chosen]


def _one_matrix() -> Row:
    """One 2×2 matrix, one measure: the time of a call."""
    cm = gm.ConfusionMatrix([[50, 3], [4, 20]])
    array, macro_f1, number = cm.counts.copy(), gm.macro(gm.f1), 2000
    work = {
        "goodmeasure mcc(cm)": lambda: gm.mcc(cm),
        "goodmeasure f1(cm)": lambda: gm.f1(cm),
        "goodmeasure macro(f1)(cm)": lambda: macro_f1(cm),
        "goodmeasure mcc(array)": lambda: gm.mcc(array),
        "mcc by hand on the array": lambda: by_hand_two(array[None])[4],
    }
    seconds = race({name: calls(f, number) for name, f in work.items()}, share=dict.fromkeys(work, number))
    return Row("one matrix", "one measure of one 2×2 matrix", seconds, note="The aim is about 10 µs.")
