"""Which system has the best value of each measure, in sentences, where systems were not compared in pairs."""

from __future__ import annotations

import math

from goodmeasure.catalogue.display_names import names_text, sentence_names
from goodmeasure.catalogue.measure import LOWER, NEITHER
from goodmeasure.comparison.system_ranks import places
from goodmeasure.evaluation.result import Result
from goodmeasure.report.content.main_finding import measures_of
from goodmeasure.report.content.sample_sizes import wholes


def order_lines(result: Result) -> list[str]:
    """Return which system has the best value of each measure, if systems were not compared in pairs."""
    parts, shown = wholes(result), sentence_names(measures_of(result))
    if len(parts) < 2 or not result.competing:
        return []
    best: dict[tuple[str, ...], list[str]] = {}
    for f in measures_of(result):
        if f.orientation == NEITHER:
            continue
        values = {part.system: part.value(f.name) for part in parts}
        known = {name: x for name, x in values.items() if x is not None and not math.isnan(x)}
        if known:
            order = zip(known, places(list(known.values()), higher=f.orientation != LOWER), strict=True)
            best.setdefault(tuple(name for name, rank in order if rank == 1), []).append(shown[f.name])
    if not best:
        return []
    untested = f"Whether these differences are significant {result.pairing.why}."
    if len(best) == 1:
        (who, names) = next(iter(best.items()))
        what = "every measure" if len(names) > 1 else names[0]
        if len(who) == len(parts):
            return [f"All systems have the same value of {what}."]
        return [f"{_have(who)} the best value of {what}.", untested]
    ranked = sorted(best.items(), key=lambda x: -len(x[1]))
    said = [f"{_have(who)} the best value of {', '.join(names)}" for who, names in ranked]
    return [f"The measures disagree: {'; '.join(said)}.", untested]


def _have(who: tuple[str, ...]) -> str:
    return f"{names_text(who)} {'share' if len(who) > 1 else 'has'}"
