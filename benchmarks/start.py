"""W8: from nothing to the first number, in a fresh interpreter."""

from __future__ import annotations

from benchmarks.timing import Row, cold

LABELS = "y = [0, 1, 1, 0, 1] * 20; p = [0, 1, 0, 0, 1] * 20"
OURS = f"""
import goodmeasure as gm
{LABELS}
cm = gm.confusion(y, p)
[gm.measure(x)(cm) for x in ("accuracy", "balanced_accuracy", "kappa", "mcc", "macro(f1)", "macro(jaccard)")]
"""
THEIRS = f"""
from sklearn import metrics as m
{LABELS}
m.accuracy_score(y, p), m.balanced_accuracy_score(y, p), m.cohen_kappa_score(y, p), m.matthews_corrcoef(y, p)
m.f1_score(y, p, average="macro"), m.jaccard_score(y, p, average="macro")
"""


def rows() -> list[Row]:
    imports = cold(
        {
            "import goodmeasure": "import goodmeasure",
            "import goodmeasure and NumPy": "import numpy, goodmeasure",
            "import numpy": "import numpy",
            "import sklearn.metrics": "import sklearn.metrics",
            "import pycm": "import pycm",
        }
    )
    first = cold({"goodmeasure": OURS, "scikit-learn": THEIRS})
    return [
        Row("W8 import", "import in a fresh interpreter (wall time)", imports, at_most={"import numpy": 1.2}),
        Row("W8 first", "six measures in a fresh interpreter (wall time)", first, at_least={"scikit-learn": 8}),
    ]
