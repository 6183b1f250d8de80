"""Damaged certificates: fields, numbers, cases and names changed at random, anywhere in the data."""

from __future__ import annotations

import copy
from random import Random
from typing import Any

from goodmeasure.theory.statements.lookup import STATEMENTS

_VALUES: tuple[Any, ...] = (
    None, True, False, 0, 1, -1, 2, 3, 5, 10**9, -(10**30), 1.5, float("inf"), "", "0", "1", "42", "every", "all",
    "regular", "resolve", "nan", "zero", "undefined", "coefficients", "affine", "constant", "slope", "factors", [], {},
    [[]], "x" * 400, "m", "(m)/(m)", "9^9^9", "10**10**10", "1/0", "1e999999999", "sqrt(-1)", [[0, 0, 1]], "1111",
    "c0_0^1000000000",
)  # fmt: skip


def places(data: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Return the paths to everything inside plain data."""
    found = [path] if path else []
    for key, value in data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ():
        found += places(value, (*path, key))
    return found


def damaged(data: Any, rng: Random) -> Any:
    """Return plain data with one or a few changes."""
    data = copy.deepcopy(data)
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        known = places(data)
        if known:
            _damage(data, _place(known, rng), rng)
    return data


def _place(known: list[tuple[Any, ...]], rng: Random) -> tuple[Any, ...]:
    """Return a place; the few fields at the top, which say what is claimed, as often as the many inside."""
    top = [x for x in known if len(x) == 1]
    return rng.choice(top if rng.random() < 0.4 else known)


def _damage(data: Any, path: tuple[Any, ...], rng: Random) -> None:
    holder = data
    for key in path[:-1]:
        holder = holder[key]
    key, old = path[-1], holder[path[-1]]
    kind = rng.randrange(9)
    if kind == 0:
        del holder[key]
    elif kind == 1 and isinstance(holder, list):
        holder.insert(rng.randrange(len(holder) + 1), copy.deepcopy(old))
    elif kind == 2 and isinstance(holder, list) and len(holder) > 1:
        other = rng.randrange(len(holder))
        holder[key], holder[other] = holder[other], holder[key]
    elif kind == 3 and isinstance(old, dict) and isinstance(holder, list):
        other = rng.choice(holder)
        if isinstance(other, dict):
            holder[key] = {**old, **{k: copy.deepcopy(v) for k, v in other.items() if rng.random() < 0.5}}
    elif kind == 4 and key == "statement":
        holder[key] = rng.choice(sorted(STATEMENTS))
    elif kind == 5 and isinstance(old, int):
        holder[key] = old + rng.choice((-1, 1, 10**6))
    elif kind == 6 and isinstance(old, str) and old:
        at = rng.randrange(len(old))
        holder[key] = old[:at] + rng.choice("0123456789+-*^mn<>=, ()") + old[at + 1 :]
    elif kind == 7 and isinstance(old, list):
        rng.shuffle(old)
    else:
        holder[key] = copy.deepcopy(rng.choice(_VALUES))
