"""S1: calls on a thousand labels, and one item at a time, where what surrounds the counting takes longest."""

from __future__ import annotations

import numpy as np

import goodmeasure as gm
import goodmeasure.sklearn as ours
from benchmarks.timing import Row, calls, race

ITEMS, TIMES = 1000, 50


def rows() -> list[Row]:
    from sklearn import metrics as theirs

    rng = np.random.default_rng(0)
    true = rng.integers(0, 10, ITEMS)
    given = true, np.where(rng.random(ITEMS) < 0.7, true, rng.integers(0, 10, ITEMS))
    assert ours.classification_report(*given) == theirs.classification_report(*given)
    cm, macro_f1 = gm.ConfusionMatrix([[50, 3], [4, 20]]), gm.macro(gm.f1)
    binary = [x % 2 for x in given]
    return [
        _row("S1 macro F1", "macro F1 of 1,000 labels of 10 classes", {
            "goodmeasure.sklearn f1_score": lambda: ours.f1_score(*given, average="macro"),
            "gm.macro(gm.f1)": lambda: macro_f1(*given),
            "scikit-learn f1_score": lambda: theirs.f1_score(*given, average="macro"),
        }, {"scikit-learn f1_score": 16.0}),
        _row("S1 report", "classification_report of 1,000 labels of 10 classes", {
            "goodmeasure.sklearn classification_report": lambda: ours.classification_report(*given),
            "scikit-learn classification_report": lambda: theirs.classification_report(*given),
        }, {"scikit-learn classification_report": 16.0}),
        _row("S1 evaluate", "a whole evaluation of 1,000 labels of two classes, with intervals", {
            "goodmeasure evaluate": lambda: gm.evaluate(*binary),
            "scikit-learn classification_report": lambda: theirs.classification_report(*binary),
        }, {}),
        _row("S1 update", "one item into a matrix of two classes", {
            "goodmeasure update": lambda: cm.update([1], [0]),
            "goodmeasure mcc afterwards": lambda: (cm.update([1], [0]), gm.mcc(cm)),
        }, {}),
    ]  # fmt: skip


def _row(key: str, work: str, contenders: dict, aims: dict[str, float]) -> Row:
    seconds = race({name: calls(f, TIMES) for name, f in contenders.items()}, 3, dict.fromkeys(contenders, TIMES))
    return Row(key, work, seconds, at_least=aims)
