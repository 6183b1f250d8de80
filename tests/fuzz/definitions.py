"""Random measures as source text: in the language of c, with misbehaviour that shows late, and with hostile Python.

A definition is text, so that what breaks something can be read and kept. Half of the definitions are random
expressions; the others are measures that have many properties, changed where few cells show it: beyond a threshold, at
one count, at one ratio of counts, from one number of classes on, or by a constant that is slightly off. Hostile ones
hide the change from a reader that calls them with symbols: they catch exceptions, ask for types, text, hashes and
lengths, keep results, use generators, recursion, NumPy and rounding.
"""

from __future__ import annotations

import linecache
import re
import warnings
from collections.abc import Callable
from itertools import count
from random import Random
from typing import Any, NamedTuple

TWO, THREE, EVERY = 2, 3, "every"
CELLS = ("c.tp", "c.fn", "c.fp", "c.tn")
RULES = ("", "", ", otherwise=0", ", otherwise=1", ", otherwise=c.undefined")
LATE = (13, 37, 60, 61, 100, 1000, 10**6)
_NUMBER = count()

GOOD = {
    TWO: (
        "c.ratio(c.tp + c.tn, c.n)",
        "c.ratio(c.tp, c.tp + c.fp + c.fn, otherwise=1)",
        "c.ratio(2 * c.tp, 2 * c.tp + c.fp + c.fn, otherwise=1)",
        "c.ratio(c.tp * c.tn - c.fp * c.fn, c.sqrt((c.tp + c.fp) * (c.tp + c.fn) * (c.tn + c.fp) * (c.tn + c.fn)), "
        "otherwise=0)",
        "c.ratio(c.tp, c.tp + c.fn, otherwise=0) + c.ratio(c.tn, c.tn + c.fp, otherwise=0)",
        "c.ratio(c.tp * c.tn - c.fp * c.fn, (c.tp + c.fp) * (c.fp + c.tn) + (c.tp + c.fn) * (c.fn + c.tn), "
        "otherwise=0)",
        "c.ratio(c.tp * c.tn - c.fp * c.fn, c.n * c.n)",
        "-c.arccos(c.ratio(c.tp + c.tn - c.fp - c.fn, c.n))",
        "1 - abs(c.ratio(c.fp - c.fn, c.n))",
        "c.min(c.ratio(c.tp, c.tp + c.fn), c.ratio(c.tn, c.tn + c.fp))",
        "c.power_mean([c.ratio(c.tp, c.tp + c.fn, otherwise=0), c.ratio(c.tn, c.tn + c.fp, otherwise=0)], 0)",
        "c.log(c.ratio(c.tp + c.tn + 1, c.fp + c.fn + 1))",
    ),
    THREE: (
        "c.ratio(c.sum(lambda i: c[i, i]), c.n)",
        "c.mean(lambda i: c.ratio(c[i, i], c.a[i], otherwise=0))",
        "c.mean(lambda i: c.ratio(c[i, i], c.a[i], otherwise=0) + c.ratio(c[i, i], c.b[i], otherwise=0))",
        "c.mean(lambda i: c.ratio(2 * c[i, i], c.a[i] + c.b[i], otherwise=c.skip))",
        "c.ratio(c.sum(lambda i: c.excess(i)), c.n ** 2 - c.sum(lambda i: c.a[i] * c.b[i]), otherwise=0)",
        "c.sum(lambda i: c.ratio(c.n * c[i, i], c.a[i] * c.b[i]))",
        "c.mean(lambda i: c.ratio(c[i, i], c.a[i] + c.b[i] - c[i, i], otherwise=1))",
        "c.mean(lambda i: c.ratio(c[i, i], c.a[i], otherwise=1), p=0)",
        "c.least(lambda i: c.ratio(c[i, i], c.a[i], otherwise=0))",
        "-c.ratio(c.sum_off(lambda i, j: c[i, j]), c.n)",
    ),
}  # fmt: skip


class Definition(NamedTuple):
    """A random measure: its source text, for how many classes, and whether hostile Python stands around it."""

    text: str
    classes: int | str
    hostile: bool

    @property
    def numbers(self) -> list[int]:
        """Return the whole numbers in the text: thresholds, near which counterexamples are looked for."""
        return sorted({int(x) for x in re.findall(r"(?<![\w.])\d+(?![\w.])", self.text)} - {0, 1, 2})

    def function(self) -> Callable[[Any], Any]:
        """Return the function that the text defines; its source can be read again, as that of a file."""
        file, names = f"<fuzzed definition {next(_NUMBER)}>", dict[str, Any]()
        linecache.cache[file] = (len(self.text), None, self.text.splitlines(keepends=True), file)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", SyntaxWarning)  # since Python 3.14, for a `finally` that swallows errors
            exec(compile(self.text, file, "exec"), names)
        return names["M"]  # type: ignore[no-any-return]


def definition(rng: Random) -> Definition:
    """Return a random definition."""
    classes = rng.choice((TWO, TWO, TWO, THREE, EVERY))
    write = _Two(rng) if classes == TWO else _More(rng)
    if rng.random() < 0.4:
        return Definition(_plain(write.value(rng.choice((1, 2, 2)))), classes, False)
    good = rng.choice(GOOD[TWO if classes == TWO else THREE])
    if rng.random() < 0.2:
        return Definition(_plain(write.slightly_off(good)), classes, False)
    bad, late = write.changed(good), write.late()
    if rng.random() < 0.5:
        return Definition(_plain(f"c.where({late}, lambda: {bad}, lambda: {good})"), classes, False)
    asked = rng.choice((*CELLS, "c.n")) if classes == TWO else "c.n"
    body = rng.choice(HOSTILE).format(good=good, bad=bad, late=late, x=asked, t=rng.choice(LATE))
    return Definition(f"{_IMPORTS}\n\ndef M(c):\n{body}", classes, True)


def _plain(expression: str) -> str:
    return f"def M(c):\n    return {expression}\n"


_IMPORTS = "import contextlib, copy, functools, math\nimport numpy as np\nMEMO = {}"
HOSTILE = tuple(
    "".join(f"    {line}\n" for line in x.strip("\n").splitlines())
    for x in (
        "try:\n    if {late}:\n        return {bad}\nexcept Exception:\n    pass\nreturn {good}",
        "try:\n    if {late}:\n        return {bad}\nexcept ArithmeticError:\n    pass\nreturn {good}",
        "try:\n    if {late}:\n        return {bad}\nexcept (TypeError, ValueError):\n    pass\nreturn {good}",
        "try:\n    if {late}:\n        return {bad}\nexcept:\n    return {good}\nreturn {good}",
        "try:\n    worse = 1 if {late} else 0\nexcept BaseException:\n    worse = 0\nreturn {good} - worse",
        "with contextlib.suppress(Exception):\n    if {late}:\n        return {bad}\nreturn {good}",
        "found = {good}\ntry:\n    if {late}:\n        found = {bad}\nfinally:\n    return found",
        "if isinstance({x}, (int, float)) and {x} > {t}:\n    return {bad}\nreturn {good}",
        "if type({x}) in (int, float) and {x} > {t}:\n    return {bad}\nreturn {good}",
        "if type({x}).__name__ != 'Quantity' and {x} > {t}:\n    return {bad}\nreturn {good}",
        "if hasattr({x}, 'is_rational') and {x} > {t}:\n    return {bad}\nreturn {good}",
        "if not hasattr({x}, 'num') and {x} > {t}:\n    return {bad}\nreturn {good}",
        "if len(str({x})) > 2 and str({x}).isdigit():\n    return {bad}\nreturn {good}",
        "if len(repr({x})) == 3:\n    return {bad}\nreturn {good}",
        "if format({x}).isdigit() and int(format({x})) > {t}:\n    return {bad}\nreturn {good}",
        "if f'{{{x}}}'.isdigit() and {x} > {t}:\n    return {bad}\nreturn {good}",
        "if ('%s' % {x}).isdigit() and {x} > {t}:\n    return {bad}\nreturn {good}",
        "try:\n    if hash({x}) > {t}:\n        return {bad}\nexcept TypeError:\n    pass\nreturn {good}",
        "try:\n    if {x} in {{{t}, {t} + 1}}:\n        return {bad}\nexcept TypeError:\n    pass\nreturn {good}",
        "if {x} in ({t}, {t} + 1):\n    return {bad}\nreturn {good}",
        "return {{True: {good}}}.get({x} < {t}, {bad})",
        "try:\n    return {bad} if int({x}) > {t} else {good}\nexcept ArithmeticError:\n    return {good}",
        "try:\n    return {bad} if float({x}) > {t} else {good}\nexcept Exception:\n    return {good}",
        "try:\n    return {bad} if math.floor({x}) > {t} else {good}\nexcept Exception:\n    return {good}",
        "try:\n    return {bad} if {x} % {t} == 0 else {good}\nexcept Exception:\n    return {good}",
        "try:\n    return {bad} if {x} // {t} else {good}\nexcept Exception:\n    return {good}",
        "try:\n    return {bad} if round({x}) > {t} else {good}\nexcept Exception:\n    return {good}",
        "try:\n    return {bad} if range({x})[-1] > {t} else {good}\nexcept Exception:\n    return {good}",
        "try:\n    return {bad} if len(range({x})) > {t} else {good}\nexcept Exception:\n    return {good}",
        "try:\n    return {bad} if bool({x} - {t}) is False else {good}\nexcept Exception:\n    return {good}",
        "if not ({x} - {t}):\n    return {bad}\nreturn {good}",
        "t = {t}\nif max({x}, t) is not t:\n    return {bad}\nreturn {good}",
        "if sorted([{x}, {t}])[0] == {t}:\n    return {bad}\nreturn {good}",
        "if any(x > {t} for x in (c.n, c.n - 1)):\n    return {bad}\nreturn {good}",
        "found = next((x for x in (c.n,) if x > {t}), None)\nreturn {good} if found is None else {bad}",
        "def down(k):\n    return {x} > {t} if k == 0 else down(k - 1)\nreturn {bad} if down(5) else {good}",
        "@functools.lru_cache\ndef f(x):\n    return x > {t}\n"
        "try:\n    return {bad} if f({x}) else {good}\nexcept TypeError:\n    return {good}",
        "seen = [c[i, j] for i in range(2) for j in range(2)]\n"
        "return MEMO.setdefault(str([*seen, c.n, c.m]), {bad} if {late} else {good})",
        "return np.where({late}, {bad}, {good}).item()",
        "return {bad} if np.max([0, {x}]) > {t} else {good}",
        "try:\n    return {bad} if np.isfinite({x}) and {x} > {t} else {good}\nexcept Exception:\n    return {good}",
        "try:\n    return {bad} if np.float64({x}) > {t} else {good}\nexcept Exception:\n    return {good}",
        "twin = copy.copy({x})\nif twin is {x} and twin > {t}:\n    return {bad}\nreturn {good}",
        "try:\n    return {bad} if copy.deepcopy({x}) > {t} else {good}\nexcept Exception:\n    return {good}",
        "try:\n    return {bad} if {x}.bit_length() > 6 else {good}\nexcept AttributeError:\n    return {good}",
        "try:\n    return {bad} if {x}.numerator > {t} else {good}\nexcept AttributeError:\n    return {good}",
        "return {bad} if getattr({x}, 'numerator', 0) > {t} else {good}",
        "match {x}:\n    case {t}:\n        return {bad}\nreturn {good}",
        "try:\n    assert {x} <= {t}\nexcept AssertionError:\n    return {bad}\n"
        "except Exception:\n    pass\nreturn {good}",
        "def g():\n    try:\n        yield {late}\n    except Exception:\n        yield False\n"
        "try:\n    worse = next(g())\nexcept StopIteration:\n    worse = False\nreturn {bad} if worse else {good}",
        "try:\n    c.where({late}, lambda: 1 / 0, 0)\nexcept ZeroDivisionError:\n    return {bad}\n"
        "except Exception:\n    pass\nreturn {good}",
        "try:\n    c.max({x} - {t}, 0) == 0 or c.missing\nexcept AttributeError:\n    return {bad}\n"
        "except Exception:\n    pass\nreturn {good}",
    )
)  # fmt: skip


class _Writer:
    """Random expressions as text."""

    def __init__(self, rng: Random) -> None:
        self.rng = rng

    def some(self, *texts: Callable[[], str]) -> str:
        return self.rng.choice(texts)()

    def value(self, depth: int) -> str:
        """Return an expression for a value."""
        if depth == 0:
            return self.simple()
        inner = self.value
        return self.some(
            self.simple,
            lambda: f"({inner(depth - 1)} + {inner(depth - 1)})",
            lambda: f"({inner(depth - 1)} - {inner(depth - 1)})",
            lambda: f"({inner(depth - 1)} * {inner(depth - 1)})",
            lambda: f"c.where({self.condition()}, lambda: {inner(depth - 1)}, lambda: {inner(depth - 1)})",
            lambda: f"c.max({inner(depth - 1)}, {inner(depth - 1)})",
            lambda: f"c.min({inner(depth - 1)}, {inner(depth - 1)}, {inner(0)})",
            lambda: f"c.max({inner(depth - 1)}, {self.rng.choice(('0', '1', '0.5', '0.999'))})",
            lambda: f"abs({inner(depth - 1)})",
            lambda: f"c.sqrt({inner(depth - 1)})",
            lambda: f"c.power({inner(depth - 1)}, {self.rng.choice(('2', '-1', '1.5', '0.5', '0.1'))})",
            lambda: f"({inner(depth - 1)}) ** {self.rng.choice((2, 3))}",
            lambda: f"c.log({inner(depth - 1)})",
            lambda: f"c.arccos({inner(depth - 1)})",
            lambda: f"c.power_mean([{inner(0)}, {inner(0)}], {self.rng.choice((0, 2, -1, 0.5, -2))})",
            lambda: f"c.ratio({inner(depth - 1)}, {inner(depth - 1)}{self.rng.choice(RULES)})",
        )

    def simple(self) -> str:
        raise NotImplementedError

    def condition(self) -> str:
        raise NotImplementedError

    def late(self) -> str:
        raise NotImplementedError

    def changed(self, good: str) -> str:
        """Return a measure with fewer properties than a good one."""
        return self.rng.choice((f"-({good})", "0", "1", f"2 * ({good})", f"{good} + 1", self.value(1), "c.undefined()"))

    def slightly_off(self, good: str) -> str:
        """Return a good measure with a small change that turns something round for large counts only."""
        t = self.rng.choice(LATE)
        some = self.rng.choice(CELLS) if isinstance(self, _Two) else "c.n"
        return self.rng.choice(
            (
                f"{good} + c.ratio(({t} - c.n) * {some}, {t} * c.n ** 4)",
                f"{good} + c.ratio({some} - {t}, 10 ** 12)",
                f"c.min({good}, 0.999999)",
                f"c.max({good}, c.ratio({some}, c.n + {t}))",
                f"({good}) * c.ratio(c.n + {t} + 1, c.n + {t})",
                f"c.ratio({good}, 1) + c.ratio(c.min({some}, {t}), 10 ** 9)",
                f"c.max({t}, {some}) - {t} + {good}",
                f"({good}) * c.where({some} == {t}, 2, 1)",
                f"abs({some} - {t}) * c.ratio(1, 10 ** 9 * c.n) + {good}",
                f"c.sqrt(({some} - {t}) ** 2) - abs({some} - {t}) + {good}",
                f"c.sqrt({some} ** 2 - 2 * {t} * {some} + {t} ** 2) - {some} + {good}",
            )
        )


class _Two(_Writer):
    """Expressions in the cells of two classes."""

    def linear(self) -> str:
        terms = [f"{self.rng.choice((1, 1, 2, -1))} * {x}" for x in self.rng.sample(CELLS, self.rng.randint(1, 3))]
        return "(" + " + ".join(terms) + ")"

    def positive(self) -> str:
        return self.rng.choice(
            ("c.n", "(c.tp + c.fn)", "(c.tp + c.fp)", "(c.tn + c.fp)", "(c.tp + c.fp + c.fn)", "(c.n + 1)",
             "(c.fp + c.fn)", "(c.n + c.fn)", "c.tp", "c.tn")
        )  # fmt: skip

    def simple(self) -> str:
        rule = self.rng.choice(RULES)
        return self.some(
            lambda: f"c.ratio({self.linear()}, {self.positive()}{rule})",
            lambda: f"c.ratio(c.tp * c.tn - c.fp * c.fn, {self.positive()} * {self.positive()}{rule})",
            lambda: f"c.ratio({self.linear()}, c.sqrt({self.positive()} * {self.positive()}){rule})",
            lambda: f"c.ratio({self.linear()} * {self.linear()}, {self.positive()} * {self.positive()}{rule})",
            lambda: self.rng.choice(GOOD[TWO]),
        )

    def condition(self) -> str:
        return self.some(
            lambda: f"{self.linear()} > 0",
            lambda: f"{self.linear()} == 0",
            lambda: f"{self.rng.choice(CELLS)} > {self.rng.choice((0, 1, 3, *LATE))}",
            lambda: f"({self.linear()} > 0) & ({self.linear()} > 0)",
            lambda: f"({self.rng.choice(CELLS)} == 0) | ({self.rng.choice(CELLS)} == 0)",
        )

    def late(self) -> str:
        t = self.rng.choice(LATE)
        x, y = self.rng.sample(CELLS, 2)
        return self.rng.choice(
            (f"c.n > {t}", f"{x} == {t}", f"{x} > {t} * {y}", f"({x} == 3 * {y}) & ({y} > 2)", f"{x} * {y} == {t}",
             f"{x} > {t}", f"{x} * {x} - {t} * {y} > c.n", f"({x} > {t}) & ({y} == 0)", f"{x} - {y} == {t}",
             f"2 * {x} ** 4 + 4 * {x} ** 3 * {y} - {x} ** 2 * {y} ** 2 + 4 * {x} * {y} ** 3 + 2 * {y} ** 4 == {t}")
        )  # fmt: skip


class _More(_Writer):
    """Expressions in sums over classes, for any number of them."""

    def of_class(self) -> str:
        above = self.rng.choice(("c[i, i]", "2 * c[i, i]", "c.a[i]", "c.b[i]", "c[i, i] ** 2", "c.excess(i)",
                                 "c.a[i] - c[i, i]", "(c.n - c.a[i])"))  # fmt: skip
        below = self.rng.choice(("c.a[i]", "c.b[i]", "c.n", "(c.a[i] + c.b[i])", "c.a[i] * c.b[i]", "c.m",
                                 "(c.n + c.a[i])", "(c.a[i] + c.b[i] - c[i, i])"))  # fmt: skip
        return f"c.ratio({above}, {below}{self.rng.choice((*RULES, ', otherwise=c.skip'))})"

    def simple(self) -> str:
        term = self.of_class()
        return self.some(
            lambda: f"c.sum(lambda i: {term})",
            lambda: f"c.mean(lambda i: {term})",
            lambda: f"c.mean(lambda i: {term}, weights={self.rng.choice(('c.a', 'c.b'))})",
            lambda: f"c.mean(lambda i: {term}, over=lambda i: c.a[i] > {self.rng.choice((0, 1, 13))})",
            lambda: f"c.mean(lambda i: {term}, p={self.rng.choice((0, 2, -1))})",
            lambda: f"c.{self.rng.choice(('least', 'greatest', 'product'))}(lambda i: {term})",
            lambda: f"c.ratio(c.sum(lambda i: c[i, i]), {self.rng.choice(('c.n', 'c.m', 'c.n + c.m'))})",
            lambda: f"c.ratio(c.sum_off(lambda i, j: c[i, j] * c[j, i]), c.n ** {self.rng.choice((1, 2))})",
            lambda: f"c.sqrt(c.ratio(c.sum(lambda i: c.a[i] * c.b[i]), c.n ** {self.rng.choice((1, 2))}))",
            lambda: f"c.ratio(c.sum(lambda i: 1) - {self.rng.choice((0, 1))}, {self.rng.choice(('c.m', 'c.n'))})",
            lambda: self.rng.choice(GOOD[THREE]),
        )

    def condition(self) -> str:
        return self.rng.choice(
            ("c.sum(lambda i: c[i, i]) == 0", "c.sum(lambda i: c[i, i]) == c.n", "c.n > 13",
             "c.sum(lambda i: c.excess(i)) > 0", "c.m > 3", "c.sum(lambda i: c.a[i] * c.b[i]) > c.n")
        )  # fmt: skip

    def late(self) -> str:
        t = self.rng.choice(LATE)
        return self.rng.choice(
            (f"c.n > {t}", "c.m > 3", "c.m > 4", "(c.m - 2) * (c.m - 3) * (c.m - 4) != 0", f"c.n == {t}",
             f"c.sum(lambda i: c[i, i]) > {t}", f"c.greatest(lambda i: c.a[i]) > {t}",
             f"c.sum(lambda i: c.where(c[i, i] == {t}, 1, 0)) > 0", "c.sum(lambda i: 1) > 3",
             f"c.n - c.sum(lambda i: c[i, i]) == {t}")
        )  # fmt: skip
