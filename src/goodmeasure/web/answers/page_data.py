"""How measures are shown on the page, and what to copy to get the same numbers elsewhere."""

from __future__ import annotations

import json
import shlex
from collections.abc import Sequence

from goodmeasure.catalogue.display_names import display_name
from goodmeasure.catalogue.explanation import range_data
from goodmeasure.catalogue.measure import Measure
from goodmeasure.counts.matrix import ConfusionMatrix
from goodmeasure.typing import Label

PageData = dict[str, object]


def facts(measure: Measure, classes: int | None = None) -> PageData:
    """Return what every list of measures says about each of them."""
    ends = measure.range if classes is None else measure.range_for(classes)
    return {
        "measure": measure.name,
        "title": measure.title,
        "short": display_name(measure),
        "range": range_data(ends),
        "orientation": measure.orientation,
    }


def matrix_data(matrix: ConfusionMatrix) -> PageData:
    """Return a matrix as the page holds it."""
    return {"labels": [label_text(x) for x in matrix.labels], "counts": matrix.counts.tolist()}


def label_text(label: Label) -> str:
    """Return the name of a class as text; a missing label has one too."""
    return "missing" if label is None else str(label)


def matrix_python(matrix: ConfusionMatrix) -> str:
    """Return the line of Python that makes a matrix."""
    return f"cm = gm.ConfusionMatrix({matrix.counts.tolist()!r}, labels={[label_text(x) for x in matrix.labels]!r})"


def matrix_file(matrix: ConfusionMatrix) -> str:
    """Return the shell line that writes a matrix into a file."""
    text = json.dumps(matrix_data(matrix), ensure_ascii=False)
    return f"printf %s {shlex.quote(text)} > matrix.json"


def options(measures: Sequence[Measure]) -> str:
    """Return measures as options of a command."""
    return "".join(f" --measures {shlex.quote(x.name)}" for x in measures)
