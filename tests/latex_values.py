"""Values of printed formulas: a small reader of the LaTeX that formulas are printed in, written without the printer."""

from __future__ import annotations

import math
import re

TOKEN = re.compile(r"\\[a-zA-Z]+|\\.|\d+(?:\.\d+)?|\S")


def value(latex: str, counts, **indices: int) -> float:
    """The value of a formula on a matrix; `indices` gives the classes of its free indices."""
    return Reader(TOKEN.findall(latex)).expression()({"counts": counts, **indices})


def symbol_value(name: str, below: str, env) -> float:
    counts = env["counts"]
    m = len(counts)
    at = [env[x] for x in below]
    if name in ("TP", "FN", "FP", "TN"):
        i = at[0] if at else m - 1
        rest = [j for j in range(m) if j != i]
        return {
            "TP": counts[i][i], "FN": sum(counts[i][j] for j in rest), "FP": sum(counts[j][i] for j in rest),
            "TN": sum(counts[j][x] for j in rest for x in rest),
        }[name]  # fmt: skip
    if name == "delta":
        return float(at[0] == at[1])
    if name == "c":
        return counts[at[0]][at[1]]
    if name == "a":
        return sum(counts[at[0]])
    if name == "b":
        return sum(row[at[0]] for row in counts)
    return {"n": sum(map(sum, counts)), "m": m, "pi": math.pi}[name]


class Reader:
    def __init__(self, tokens):
        self.tokens, self.at = tokens, 0

    def peek(self):
        return self.tokens[self.at] if self.at < len(self.tokens) else None

    def take(self, expected=None):
        found = self.peek()
        assert expected is None or found == expected, (expected, self.tokens[max(0, self.at - 8) : self.at + 4])
        self.at += 1
        return found

    def group(self):
        """The tokens of a group in braces."""
        self.take("{")
        depth, start = 1, self.at
        while depth:
            depth += {"{": 1, "}": -1}.get(self.take(), 0)
        return self.tokens[start : self.at - 1]

    def braced(self):
        return Reader(self.group()).expression()

    def expression(self):
        parts = []
        sign = 1
        if self.peek() == "-":
            self.take()
            sign = -1
        while True:
            parts.append((sign, self.term()))
            if self.peek() not in ("+", "-"):
                break
            sign = 1 if self.take() == "+" else -1
            while self.peek() == "-":  # x + −y
                self.take()
                sign = -sign
        return lambda env: sum(s * part(env) for s, part in parts)

    def term(self):
        factors = []
        while self.peek() not in (None, "+", "-", "}", r"\right", "&", r"\\", r"\end"):
            if self.peek() == r"\cdot":
                self.take()
                continue
            factors.append(self.big() if self.peek() in (r"\sum", r"\prod") else self.factor())
        return lambda env: math.prod(f(env) for f in factors)

    def big(self):
        operator = self.take()
        self.take("_")
        below = "".join(self.group()).split(":")[0].replace(r"\,", "")
        body = self.term()
        names = below.split(r"\ne")

        def evaluate(env):
            m = len(env["counts"])
            if len(names) == 1:
                each = [{names[0]: i} for i in range(m)]
            elif names[1] in env:
                each = [{names[0]: i} for i in range(m) if i != env[names[1]]]
            else:
                each = [{names[0]: i, names[1]: j} for i in range(m) for j in range(m) if i != j]
            values = [body({**env, **x}) for x in each]
            return math.fsum(values) if operator == r"\sum" else math.prod(values)

        return evaluate

    def factor(self):
        base = self.base()
        if self.peek() == "^":
            self.take()
            raised = self.power()
            return lambda env: base(env) ** raised(env)
        return base

    def power(self):
        tokens = self.group()
        if "/" in tokens:
            cut = tokens.index("/")
            top, below = Reader(tokens[:cut]).expression(), Reader(tokens[cut + 1 :]).expression()
            return lambda env: top(env) / below(env)
        return Reader(tokens).expression()

    def base(self):
        token = self.take()
        if token in (r"\frac", r"\tfrac"):
            top, below = self.braced(), self.braced()
            return lambda env: top(env) / below(env)
        if token == r"\sqrt":
            inner = self.braced()
            return lambda env: math.sqrt(inner(env))
        if token in (r"\log", r"\arccos", r"\exp"):
            inner = self.factor()
            function = {r"\log": math.log, r"\arccos": math.acos, r"\exp": math.exp}[token]
            return lambda env: function(inner(env))
        if token == r"\left":
            return self.bracket(self.take())
        if token == r"\begin":
            return self.cases()
        if token[0].isdigit():
            return lambda env: float(token)
        name = "".join(self.group()) if token == r"\mathrm" else token.lstrip("\\")
        below = ""
        if self.peek() == "_":
            self.take()
            below = "".join(self.group())
        return lambda env: symbol_value(name, below, env)

    def bracket(self, kind):
        if kind == "|":  # the number of classes with some property, which all have here
            while self.take() != r"\right":
                pass
            self.take("|")
            return lambda env: len(env["counts"])
        inner = self.expression()
        self.take(r"\right")
        self.take(")")
        return inner

    def cases(self):
        """The last branch, which is the usual one."""
        self.group()
        while self.take() != r"\\":
            pass
        inner = self.expression()
        while self.take() != r"\end":
            pass
        self.group()
        return inner
