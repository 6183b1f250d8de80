"""The measures as a module of JavaScript, printed from their declarations, and what intervals need to know of them."""

from __future__ import annotations

import json
from collections.abc import Iterator

from goodmeasure.catalogue.explanation import range_data
from goodmeasure.catalogue.measure import Measure
from goodmeasure.catalogue.names import all_measures
from goodmeasure.evaluation.intervals.proportions import shares_of
from goodmeasure.exceptions import InputError
from goodmeasure.language.compile.javascript import javascript
from goodmeasure.language.tree import Tabled, below

_HEAD = """// Generated from the trees of the measures; see goodmeasure/language/compile/javascript.py.

import {
  abs, arccos, arcsin, broken, elsewhere, exp, greatest, least, log, log1p, mean, nan, others, pi, power,
  rests, sqrt, sum, turned,
} from "./numbers.js";

"""
_MOST_CLASSES = 12  # formulas that differ by the number of classes are written out up to so many


def measures_script() -> bytes:
    """Return the module that defines the measures."""
    lines = [f"  {json.dumps(f.name)}: {definition(f)}," for f in all_measures()]
    return "\n".join([f"{_HEAD}export const definitions = {{", *lines, "};\n"]).encode()


def definition(measure: Measure) -> str:
    """Return the declaration of a measure in JavaScript, with its formula by the number of classes."""
    by_classes = ", ".join(f"{m}: {text}" for m, text in _formulas(measure))
    ends = json.dumps(range_data(measure.range) or [None, None])
    return f"{{range: {ends}, of: {{{by_classes}}}}}"


def _formulas(measure: Measure) -> Iterator[tuple[str, str]]:
    """Yield the formulas of a measure in JavaScript, each with its number of classes, or "any"."""
    if measure.classes == 2:
        yield "2", javascript(measure.tree, 2)
        return
    general = measure.recorded.general()
    sizes = set() if general is None else {len(x.rows) for x in below(general) if isinstance(x, Tabled)}
    if general is not None and not sizes:
        yield "any", javascript(general, None)
        return
    for m in sorted(sizes) or range(2, _MOST_CLASSES + 1):
        try:
            yield str(m), javascript(measure.recorded.tree(m), None)
        except InputError:  # its costs are given for another number of classes
            continue


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
