"""Random changes of true certificates: what is accepted still claims the same, or something else that is true.

``python -m tests.theory.kernel.random_changes --count 20000`` changes many, and prints what is accepted wrongly.
"""

from __future__ import annotations

import argparse
import copy
import json
import random
import sys
from collections.abc import Iterator
from typing import Any

import goodmeasure as gm
from goodmeasure.language import tree as t
from goodmeasure.theory.kernel import Refused, check
from goodmeasure.theory.kernel.texts import parsed
from goodmeasure.theory.kernel.values import Ring
from goodmeasure.theory.search.prove import prove
from goodmeasure.theory.statements.lookup import statement, statements

from .random_trees import Unclear, violation

FEW = (
    ("accuracy", "monotone", 2, "all"), ("f1", "symmetry", 2, "all"), ("f1", "maximal_agreement", 2, "regular"),
    ("mcc", "constant_baseline", 2, "regular"), ("accuracy", "distance", 2, "all"),
    ("balanced_accuracy", "sebastiani_mon", 2, "regular"), ("accuracy", "monotone", "every", "all"),
    ("kappa", "sebastiani_fix", 2, "all"), ("recall", "sebastiani_con", 2, "regular"),
    ("accuracy", "opitz_class_decomposable", "every", "all"), ("mcc", "sebastiani_imb", 2, "all"),
    ("kappa", "class_symmetry", 3, "all"), ("f1", "opitz_monotone", 2, "regular"),
)  # fmt: skip
_WORDS = ("all", "regular", "non-unary", "resolve", "nan", "0", "1", "-1", "1/2", ">", ">=", "<", "<=", "=", "every",
          "higher", "lower", "cases", "vacuous", "all matrices", "undefined", "difference", "equal", "slope", "shift",
          "products", "defined", "add", "sub", "Ratio", "CellOf", "a", "b", "c_max", "m", "c0_0", "2")  # fmt: skip


def certificates(chosen: Any) -> Iterator[dict[str, Any]]:
    """Yield true certificates, as JSON holds them."""
    for name, of, classes, domain in chosen:
        found = prove(gm.measure(name), statement(of), classes, domain, seconds=20)
        if found is not None:
            yield json.loads(json.dumps(found))


def changed(data: dict[str, Any], others: list[dict[str, Any]], draw: random.Random) -> dict[str, Any]:
    """Return a certificate with one or two changes somewhere in it."""
    data = copy.deepcopy(data)
    for _ in range(draw.choice((1, 1, 1, 2))):
        places = list(_places(data))
        top = [x for x in places if len(x[2]) < 3]
        inside, key, path = draw.choice(top if draw.random() < 0.4 else places)
        old = inside[key]
        match draw.randrange(6):
            case 0 if len(inside) > 1:
                del inside[key]
            case 1 if isinstance(inside, list):
                inside.insert(key, copy.deepcopy(old))
            case 2 if isinstance(inside, list) and len(inside) > 1:
                k = draw.randrange(len(inside))
                inside[key], inside[k] = inside[k], inside[key]
            case 3:
                other = draw.choice(others)
                for step in path[:-1]:
                    other = other[step] if _has(other, step) else None
                if _has(other, path[-1]):
                    inside[key] = copy.deepcopy(other[path[-1]])
            case _:
                inside[key] = _varied(old, draw)
    return data


def _has(x: Any, key: Any) -> bool:
    return key in x if isinstance(x, dict) else isinstance(x, list) and type(key) is int and key < len(x)


def _places(x: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, Any, tuple[Any, ...]]]:
    items = x.items() if isinstance(x, dict) else enumerate(x) if isinstance(x, list) else ()
    for key, value in items:
        yield x, key, (*path, key)
        yield from _places(value, (*path, key))


def _varied(x: Any, draw: random.Random) -> Any:
    """Return something like a value."""
    if isinstance(x, bool) or x is None:
        return draw.choice((True, False, None, 0, 1))
    if isinstance(x, (int, float)):
        return draw.choice((x + 1, x - 1, -x, 0, 1, 2, 3, float(x), str(x), True))
    if isinstance(x, str) and x and draw.random() < 0.5:
        k = draw.randrange(len(x))
        return x[:k] + draw.choice("0123456789+-*()^cxym ") + x[k + draw.randrange(2) :]
    return draw.choice((*_WORDS, *statement_names()))


def statement_names() -> list[str]:
    return [x.name for x in statements(2)]


def claim(data: dict[str, Any]) -> Any:
    """Return what a certificate claims, in one form for equal claims."""
    measure, ring = data["measure"], Ring(["m"])
    constants = {k: parsed(ring, x).key for k, x in sorted(data.get("constants", {}).items())}
    return (
        data["statement"], t.from_data(measure["tree"]), measure["orientation"] == "lower",
        measure.get("exponents", ""), str(data["classes"]), data["domain"], data["undefined"], str(constants),
    )  # fmt: skip


def is_true(data: dict[str, Any], most: dict[int, int]) -> bool | None:
    """Return whether brute force finds no counterexample to another claim; None where it cannot say."""
    tree, name = t.from_data(data["measure"]["tree"]), data["statement"]
    if data["measure"]["orientation"] == "lower":
        tree = t.Operation("neg", (tree,))
    try:
        for m in (2, 3) if data["classes"] == "every" else (data["classes"],):
            if violation(name, tree, m, data["domain"], str(data["undefined"]), most.get(m, 2)) is not None:
                return False
    except (Unclear, AttributeError, LookupError, ArithmeticError):
        return None
    return True


def wrongly_accepted(count: int, seed: int, chosen: Any, most: dict[int, int]) -> tuple[list[str], int, int]:
    """Return which changed certificates are accepted although they claim what is false, and how many are accepted."""
    draw, true = random.Random(seed), list(certificates(chosen))
    bad, accepted, others = list[str](), 0, 0
    for k in range(count):
        data = changed(draw.choice(true), true, draw)
        try:
            data = json.loads(json.dumps(data))
            check(data)
        except Refused:
            continue
        accepted += 1
        if any(claim(data) == claim(x) for x in true):
            continue
        others += 1
        if is_true(data, most) is False:
            bad.append(f"change {k}: {json.dumps(data)[:3000]}")
    return bad, accepted, others


def main(words: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.theory.kernel.random_changes")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--count", type=int, default=20_000)
    said = parser.parse_args(words)
    bad, accepted, others = wrongly_accepted(said.count, said.seed, FEW, {2: 6, 3: 3})
    print("\n".join(bad))
    print(f"{said.count} changes, {accepted} accepted, {others} of them with another claim, {len(bad)} wrongly")
    return bool(bad)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
