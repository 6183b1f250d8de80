"""Compare measures: the atlas, the matrices on which two measures disagree most, and which properties go together."""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations

import numpy as np

from goodmeasure.catalogue.display_names import display_name
from goodmeasure.catalogue.measure import LOWER, Measure
from goodmeasure.catalogue.names import fits
from goodmeasure.exceptions import InputError
from goodmeasure.theory.atlas.atlas import stored as stored_atlas
from goodmeasure.theory.possible.map import Region, every_n_text
from goodmeasure.theory.possible.map import stored as stored_map
from goodmeasure.theory.possible.readable_proof import proof_text
from goodmeasure.theory.possible.theorems import stored as stored_theorems
from goodmeasure.theory.statements.domain import DOMAINS
from goodmeasure.theory.statements.verdict import LEGEND, SIGNS
from goodmeasure.typing import Array
from goodmeasure.web.answers.page_data import PageData

FEWEST, MOST = 3, 24  # items of the data sets on which two measures are compared
_SHOWN = 5
_TIE = 1e-12


def atlas_table() -> PageData:
    """Return the signs of all verdicts as a compact table."""
    rows = stored_atlas().signs()
    properties = list(dict.fromkeys(name for row in rows for name in row[3]))
    return {
        "properties": properties,
        "rows": [
            {"measure": name, "classes": m, "domain": domain, "signs": [signs.get(x, "") for x in properties]}
            for name, m, domain, signs in rows
        ],
        "legend": {SIGNS[status]: text for status, text in LEGEND.items()},
        "domains": {x.name: x.sentence for x in DOMAINS.values()},
    }


def possibility_map() -> PageData:
    """Return the smallest impossible and the largest possible sets of properties, with their proofs as text."""
    theorems = [
        {"title": x.theorem.title, "says": f"{x.theorem.says} It holds {x.scope}.", "proof": x.theorem.proof,
         "rows": proof_text(x.certificate)} for x in stored_theorems()
    ]  # fmt: skip
    return {"regions": [_region(k, x) for k, x in enumerate(stored_map().regions)], "theorems": theorems}


def _region(number: int, region: Region) -> PageData:
    impossible = [
        {
            "properties": list(x["properties"]),
            "n": x["n"],
            "every_n": every_n_text(x),
            "proof": proof_text(x["certificate"]),
            "proof_every_n": None if x["for_every_n"] is None else proof_text(x["for_every_n"]),
        }
        for x in region.impossible
    ]
    possible = [{"properties": list(x["properties"]), "measure": x["measure"]} for x in region.possible]
    return {
        "id": number, "title": region.title, "classes": region.classes, "domain": region.domain, "n": region.n,
        "properties": list(region.properties), "impossible": impossible, "possible": possible,
    }  # fmt: skip


# Two measures side by side


@lru_cache(maxsize=8)
def _tables(n: int) -> list[Array]:
    """Return all matrices of two classes with n items, one batch for each number of positive items."""
    found = []
    for positives in range(1, n):
        fp, tp = (x.ravel() for x in np.meshgrid(np.arange(n - positives + 1), np.arange(positives + 1)))
        cells = np.stack([n - positives - fp, fp, positives - tp, tp], axis=-1)
        found.append(cells.reshape(-1, 2, 2))
    return found


def disagreement(first: Measure, second: Measure, n: int) -> PageData:
    """Return the data sets of n items on which two measures disagree most.

    Two predictions for the same true labels disagree as much as the smaller of the two differences, each compared with
    the spread of its measure over all matrices of n items.
    """
    for f in (first, second):
        if not fits(f, 2):
            raise InputError("{name} is not for two classes", name=f.name, advice="choose another measure")
    if first == second:
        raise InputError("{argument} is the same measure", argument="second", advice="choose another one")
    values = [[_oriented(f, batch) for batch in _tables(n)] for f in (first, second)]
    spreads = [_spread(x) for x in values]
    pairs = _opposed(values, spreads, n)
    shown = [_pair(first, second, *x) for x in pairs]
    names = display_name(first), display_name(second)
    return {
        "first": first.name,
        "second": second.name,
        "n": n,
        "agree": not pairs,
        "said": _verdict(names, n, bool(pairs), spreads),
        "pairs": shown,
        "single": _single(first, second, values, n),
    }


def _oriented(f: Measure, batch: Array) -> Array:
    """Return the values of a measure, turned so that higher is better; infinite values have no place here."""
    found = np.asarray(f(batch), dtype=float) * (-1 if f.orientation == LOWER else 1)
    return np.where(np.isfinite(found), found, np.nan)


def _spread(values: list[Array]) -> float:
    every = np.concatenate(values)
    every = every[~np.isnan(every)]
    return float(every.max() - every.min()) if len(every) else 0.0


def _opposed(values: list[list[Array]], spreads: list[float], n: int) -> list[tuple[float, Array, Array]]:
    """Return the pairs of matrices that the measures order oppositely, the strongest first, no matrix twice."""
    found: list[tuple[float, Array, Array]] = []
    if min(spreads) <= 0:
        return found
    for k, batch in enumerate(_tables(n)):
        x, y = values[0][k] / spreads[0], values[1][k] / spreads[1]
        up, down = x[:, None] - x[None], y[None] - y[:, None]
        strength = np.fmin(up, down)  # positive where the first matrix is better by one measure and worse by the other
        strength = np.where(np.isnan(up) | np.isnan(down), 0.0, strength)
        for place in np.argsort(strength, axis=None)[::-1][:_SHOWN]:
            i, j = np.unravel_index(place, strength.shape)
            if strength[i, j] > _TIE:
                found.append((float(strength[i, j]), batch[i], batch[j]))
    found.sort(key=lambda x: -x[0])
    return _without_repetitions(found)[:_SHOWN]


def _without_repetitions(pairs: list[tuple[float, Array, Array]]) -> list[tuple[float, Array, Array]]:
    seen: set[bytes] = set()
    kept = []
    for strength, x, y in pairs:
        keys = {x.tobytes(), y.tobytes()}
        if not keys & seen:
            seen |= keys
            kept.append((strength, x, y))
    return kept


def _pair(first: Measure, second: Measure, strength: float, x: Array, y: Array) -> PageData:
    measures = (first, second)
    return {
        "first": {"matrix": x, "values": {f.name: float(f(x)) for f in measures}},
        "second": {"matrix": y, "values": {f.name: float(f(y)) for f in measures}},
        "text": f"{display_name(first)} prefers the first matrix, {display_name(second)} the second.",
        "size": strength,
    }


def _verdict(names: tuple[str, str], n: int, disagree: bool, spreads: list[float]) -> str:
    one, two = names
    if disagree:
        return f"{one} and {two} put some predictions of {n} items in opposite order."
    if min(spreads) <= 0:
        flat = one if spreads[0] <= 0 else two
        return f"{flat} has one value on all data sets of {n} items, so there is no order to disagree with."
    return f"{one} and {two} never put two predictions of {n} items in opposite order."


def _single(first: Measure, second: Measure, values: list[list[Array]], n: int) -> list[PageData]:
    """Return the matrices whose places among all matrices of n items differ most between the measures."""
    every = np.concatenate(_tables(n))
    x, y = (np.concatenate(v) for v in values)
    known = ~(np.isnan(x) | np.isnan(y))
    if not known.any():
        return []
    every, places = every[known], [_share_below(v[known]) for v in (x, y)]
    gap = places[0] - places[1]
    found = []
    for k in (int(np.argmax(gap)), int(np.argmin(gap))):
        ranks = {first.name: float(places[0][k]), second.name: float(places[1][k])}
        numbers = {f.name: float(f(every[k])) for f in (first, second)}
        if abs(gap[k]) > _TIE:
            found.append({"matrix": every[k], "values": numbers, "ranks": ranks})
    return found


def _share_below(values: Array) -> Array:
    """Return for each value the share of values that are worse, where ties count half."""
    rounded = np.round(values, 12)
    ordered = np.sort(rounded)
    low, high = (np.searchsorted(ordered, rounded, side) for side in ("left", "right"))
    found: Array = (low + high) / (2 * len(values))
    return found


def pairs_of(measures: list[Measure]) -> list[tuple[Measure, Measure]]:
    """Return all pairs of measures, each in the order of their names."""
    named = sorted({f.name: f for f in measures}.items())
    return [(x, y) for (_, x), (_, y) in combinations(named, 2)]


def possible_answer(properties: list[str], classes: int, domain: str) -> PageData:
    """Return whether a measure can have some properties together, with a readable proof or an example."""
    from goodmeasure.theory.possible.answer import Impossible
    from goodmeasure.theory.possible.possible import possible

    found = possible(*properties, classes=classes, domain=domain)
    if isinstance(found, Impossible):
        return {"status": found.status, "text": str(found), "measure": None, "n": found.n, "used": list(found.used)}
    known: object = found.known
    return {"status": found.status, "text": str(found), "measure": known, "n": found.n, "used": list(found.properties)}
