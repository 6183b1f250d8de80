"""JavaScript source for one matrix, so that a page without a server computes measures from the same trees.

The functions that it calls are in `web/static/numbers.js`.
"""

from __future__ import annotations

from goodmeasure.language.compile.source import NamedConstant, PythonSource
from goodmeasure.language.rewrite.lower import lowered
from goodmeasure.language.tree import Tree

_INFIX = {"and": "&&", "or": "||", "eq": "==="}
_SUMS = {
    "d": ("var d# = c#.map((row, k) => row[k]);",) * 2,
    "R": ("var [R#, K#, E#] = others(c#);", ""),
    "r": ("var [r#, k#] = apart(c#);", ""),
    "e": ("var e# = elsewhere(c#);", ""),
    "a": ("var a# = c#.map(sum);",) * 2,
    "b": ("var b# = turned(c#).map(sum);",) * 2,
    "h": ("var h# = sum(d#);",) * 2,
    "o": ("var o# = sum(r#);", ""),
    "n": ("var n# = h# + o#;",) * 2,
}


class JavaScriptSource(PythonSource):
    """The source of a function of the cells and of what undefined terms are worth, in JavaScript.

    Sums of counts are computed as if they were rounded, since JavaScript has floats only.
    """

    end = "}"
    sums = _SUMS

    def __init__(self, tree: Tree, m: int | None) -> None:
        super().__init__([lowered(tree, m, resolves=True)], m, whole=False)

    def out(self, line: str) -> None:
        super().out(line if line.endswith(("{", "}", ">")) else f"{line};")

    def choice(self, test: str, x: str, y: str) -> str:
        return f"({test} ? {x} : {y})"

    def loop(self, variable: int) -> str:
        return f"for (let i{variable} = 0; i{variable} < m; i{variable}++) {{"

    def when(self, test: str) -> str:
        return f"if ({test}) {{"

    def otherwise(self) -> str:
        return "else {"

    def assign(self, name: str, value: str) -> None:
        if value != name:
            self.out(f"var {name} = {value}")

    def missing(self, x: str) -> str:
        return f"({x} !== {x})"

    def nonzero(self, y: str) -> str:
        return f"{y} !== 0"

    def between(self, y: str) -> str:
        return f"0.5 < {y} && {y} < 2"

    def push(self, name: str, x: str) -> None:
        self.out(f"{name}.push({x})")

    def spread(self, op: str, name: str) -> str:
        return f"{op}(...{name}, u)"

    def call(self, name: str, args: list[str]) -> str:
        return "Infinity" if name == "inf" else super().call(name, args)

    def test(self, name: str, args: list[str]) -> str:
        if name in _INFIX:
            return f"({args[0]} {_INFIX[name]} {args[1]})"
        return f"(!{args[0]})" if name == "not" else name if not args else super().test(name, args)

    def head(self) -> str:
        return "(c0, u) => {"

    def unpacked(self) -> list[str]:
        known = [f"    const {name} = {_constant(value)};" for value, name in self.constants.items()]
        if self.m is None:
            return [*known, "    const m = c0.length;"]
        rows = (f"[{', '.join(f'c{i}_{j}' for j in range(self.m))}]" for i in range(self.m))
        return [*known, f"    const [{', '.join(rows)}] = c0;"]

    def ending(self, results: list[str]) -> list[str]:
        return [f"    return {results[0]};", "}"]


def _constant(value: NamedConstant) -> str:
    return str([[float(x) for x in row] for row in value]) if isinstance(value, tuple) else repr(float(value))


def javascript(tree: Tree, m: int | None) -> str:
    """Return a formula as a function in JavaScript: for two classes, whose cells have names, or for any number (None).

    >>> import goodmeasure as gm
    >>> print(javascript(gm.recall.tree, 2))
    (c0, u) => {
        const [[c0_0, c0_1], [c1_0, c1_1]] = c0;
        var t1 = c1_0 + c1_1;
        var t2 = t1 !== 0 ? c1_1 / t1 : u;
        return t2;
    }
    """
    return JavaScriptSource(tree, m).written().rstrip()
