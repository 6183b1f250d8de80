"""The measures as a module of JavaScript, printed from their declarations."""

from __future__ import annotations

import json

from goodmeasure.catalogue.explanation import range_data
from goodmeasure.catalogue.measure import Measure
from goodmeasure.catalogue.names import all_measures
from goodmeasure.language.printing.javascript import javascript

_HEAD = "// Generated from the declarations of the measures; see goodmeasure/language/printing/javascript.py.\n"


def measures_script() -> bytes:
    """Return the module that defines the measures."""
    lines = [f"  {json.dumps(f.name)}: {text}," for f in all_measures() if (text := definition(f)) is not None]
    return "\n".join([f"{_HEAD}export const definitions = {{", *lines, "};\n"]).encode()


def definition(measure: Measure) -> str | None:
    """Return the declaration of a measure in JavaScript; None where its definition cannot be printed."""
    try:
        of = javascript(measure.of, measure.classes)
    except TypeError:  # it asks what only a number can answer
        return None
    ends = json.dumps(range_data(measure.range) or [None, None])
    return f"{{classes: {json.dumps(measure.classes)}, range: {ends}, of: {of}}}"
