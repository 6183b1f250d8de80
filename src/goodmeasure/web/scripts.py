"""The measures as a module of JavaScript, printed from their declarations, and what intervals need to know of them."""

from __future__ import annotations

import json

from goodmeasure.catalogue.explanation import range_data
from goodmeasure.catalogue.measure import Measure
from goodmeasure.catalogue.names import all_measures
from goodmeasure.evaluation.intervals.proportions import shares_of
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


def proportions() -> dict[str, object]:
    """Return which measures follow from one proportion of items, and from which cells, for two classes and for more.

    For more classes these are the cells of two of them: every cell is like one on the diagonal, or like one off it.
    """
    found = {
        f.name: {"two": _shares(f, 2), "more": None if f.classes == 2 else _shares(f, _MORE)} for f in all_measures()
    }
    return {name: x for name, x in found.items() if x["two"] or x["more"]}


_MORE = 9  # classes: a measure that follows from a proportion of all items does so for any number of them


def _shares(f: Measure, m: int) -> dict[str, object] | None:
    shares = shares_of(f, m)
    if shares is None:
        return None
    hits, among = (x[: 2 if m == 2 else 1, :2].tolist() for x in (shares.hits, shares.among))
    return {"hits": hits, "among": among, "ends": shares.ends}
