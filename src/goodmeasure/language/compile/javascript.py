"""JavaScript source for one matrix, so that a page without a server computes measures from the same trees.

The functions that it calls are in `web/static/numbers.js`.
"""

from __future__ import annotations

from goodmeasure.language.compile.numbers import constant
from goodmeasure.language.compile.source import PYTHON, PythonSource
from goodmeasure.language.rewrite.lower import lowered
from goodmeasure.language.tree import Tree


class JavaScriptSource(PythonSource):
    """The source of a function of the cells and of what undefined terms are worth, in JavaScript.

    Sums of counts are computed as if they were rounded, since JavaScript has floats only.
    """

    words = PYTHON | {
        "and": "({} && {})", "or": "({} || {})", "not": "(!{})", "eq": "({} === {})", "same": "({} === {})",
        "true": "true", "false": "false", "inf": "Infinity", "undefined": "({0} !== {0})",
        "log_near": "(0.5 < {0} && {0} < 2 ? log1p({1}, u) : log({0}, u))",
        "choice": "({0} ? {1} : {2})", "spread": "...{}", "LeftOutTerm": "null",
        "set": "var {} = {};", "more sum": "{} += {};", "more product": "{} *= {};", "more list": "{}.push({});",
        "sums": "{}.map(sum)", "turned": "turned({})", "diagonal": "{}.map((row, k) => row[k])",
        "loop": "for (let i{0} = 0; i{0} < m; i{0}++) {{", "if": "if ({}) {{", "else": "else {{", "end": "}}",
        "function": "(c0, u) => {{", "classes": "const m = c0.length;", "cells": "const [{}] = c0;", "row": "[{}]",
        "return": "return {};",
    }  # fmt: skip

    def unpack(self) -> None:
        for value, name in self.constants.items():
            self.out(f"const {name} = {constant(value)};")
        super().unpack()


def javascript(tree: Tree, m: int | None) -> str:
    """Return a formula as a function in JavaScript: for two classes, whose cells have names, or for any number (None).

    >>> import goodmeasure as gm
    >>> print(javascript(gm.recall.tree, 2))
    (c0, u) => {
        const [[c0_0, c0_1], [c1_0, c1_1]] = c0;
        var t1 = c1_0 + c1_1;
        return t1 === 0 ? u : (c1_1 / t1);
    }
    """
    return JavaScriptSource(lowered(tree, m, resolves=True), m, whole=False).written().rstrip()
