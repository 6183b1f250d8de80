"""Numbers by name, as experiment trackers take them.

MLflow accepts letters, digits, ``_``, ``-``, ``.``, ``/``, ``:`` and spaces, refuses names that are not plain paths
("a//b", "a/../b"), and stores at most 250 characters; its file store makes a file of each name, so that "a" cannot be
beside "a/b". Weights & Biases takes ``/`` for sections. Names of classes, slices and systems may hold anything, so
other characters become ``_``. Where two names would become the same, or one a folder of another, a few digits of the
hash of the original are added.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable
from hashlib import sha256
from typing import NamedTuple

from goodmeasure.exceptions import InputError, InputTypeError

LONGEST = 250  # characters: MLflow's limit
_OTHER = re.compile(r"[^A-Za-z0-9_.-]+")
_PREFIX = re.compile(r"[A-Za-z0-9_./ -]*")
_HASHED = 8


class Tracked(NamedTuple):
    """A number, and the parts of its name, which are joined by slashes; `end` follows the last part, as in mcc_low.

    A part may itself have parts, which are joined by dots, such as ("recall", "spam").
    """

    parts: tuple[object, ...]
    number: float
    end: str = ""


def with_interval(parts: tuple[object, ...], value: float, low: float, high: float) -> list[Tracked]:
    """Return a value and the two ends of its interval."""
    return [Tracked(parts, value), Tracked(parts, low, "_low"), Tracked(parts, high, "_high")]


def named_numbers(prefix: str, tracked: Iterable[Tracked]) -> dict[str, float]:
    """Return the finite numbers by their names.

    >>> named_numbers("", [Tracked((("recall", "a & b"),), 0.5), Tracked((("recall", "a + b"),), 0.25)])
    {'recall.a_b-4a1a146b': 0.5, 'recall.a_b-4ed59204': 0.25}
    """
    _check_prefix(prefix)
    listed = [x for x in tracked if math.isfinite(x.number)]
    plain = [f"{prefix}{'/'.join(_part(x) for x in one.parts)}{one.end}" for one in listed]
    often = Counter(plain)
    folders = {name[:k] for name in plain for k, sign in enumerate(name) if sign == "/"}
    found: dict[str, float] = {}
    for name, one in zip(plain, listed, strict=True):
        alone = often[name] == 1 and name not in folders and len(name) <= LONGEST
        found[name if alone else _hashed(name, one)] = float(one.number)
    return found


def _part(x: object) -> str:
    """Return one part of a name without characters that trackers refuse.

    >>> _part(("recall", "a/b"))
    'recall.a_b'
    >>> _part("macro(f1)"), _part("fbeta(beta=2)"), _part(".."), _part("naïve"), _part("日本")
    ('macro_f1', 'fbeta_beta_2', '_', 'na_ve', '_')
    """
    if isinstance(x, tuple):
        return ".".join(map(_part, x))
    text = _OTHER.sub("_", str(x))
    text = text.strip("_") if len(text) > 1 else text
    return text if text.strip("._") else "_"


def _hashed(name: str, one: Tracked) -> str:
    """Return a name that belongs to this number alone."""
    original = "\0".join([*("\1".join(map(str, x)) if isinstance(x, tuple) else str(x) for x in one.parts), one.end])
    return f"{name[: LONGEST - _HASHED - 1]}-{sha256(original.encode('utf-8', 'replace')).hexdigest()[:_HASHED]}"


def _check_prefix(prefix: object) -> None:
    if not isinstance(prefix, str):
        raise InputTypeError("{prefix} is {got!r}", got=prefix, expected="a text such as 'test/'")
    if not _PREFIX.fullmatch(prefix) or prefix.startswith("/") or "//" in prefix or ".." in prefix:
        raise InputError(
            "{prefix} is {got!r}", got=prefix,
            expected="letters, digits, spaces, _, -, . and single slashes, such as 'test/'",
        )  # fmt: skip
    if len(prefix) > LONGEST // 2:
        raise InputError(
            "{prefix} has {long} characters", long=len(prefix), most=LONGEST // 2, expected="at most {most}"
        )
