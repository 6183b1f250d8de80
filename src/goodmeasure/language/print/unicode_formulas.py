"""Formulas for a terminal: the printed LaTeX as plain text with the usual mathematical signs."""

from __future__ import annotations

_SIGNS = {
    **{"sum": "Σ", "prod": "Π", "pi": "π", "ne": "≠", "le": "≤", "ge": "≥", "wedge": "and", "vee": "or", "neg": "not "},
    **{"alpha": "α", "beta": "β", "quad": "  ", ",": " ", "{": "{", "}": "}", "\\": ";"},
    **{"left": "", "right": "", "int": "∫", "bar": "mean "},
}


def plain_text(latex: str) -> str:
    """Return a formula as text without LaTeX commands.

    >>> plain_text(r"\\frac{2 \\mathrm{TP}_{i}}{\\sqrt{a_{i} b_{i}}}")
    '2 TP_i/√(a_i b_i)'
    """
    text = " ".join(_LatexReader(latex).until("").split())
    return text.replace(" ,", ",").replace(" ;", ";").replace("if otherwise", "otherwise")


class _LatexReader:
    """A single pass over a LaTeX formula."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0

    def until(self, end: str) -> str:
        """Return the plain text up to a closing character, or to the end."""
        parts = []
        while self.at < len(self.text):
            x = self.text[self.at]
            if end and x == end:
                self.at += 1
                break
            self.at += 1
            if x == "\\":
                parts.append(self._command())
            elif x in "_^" and self.text[self.at : self.at + 1] == "{":
                parts.append(x + _held(self._group()))
            elif x == "{":
                parts.append(self.until("}"))
            elif x == "&":
                parts.append(" if ")
            else:
                parts.append(x)
        return "".join(parts)

    def _group(self) -> str:
        """Return the plain text of the group in braces that follows."""
        self.at += 1  # the opening brace
        return self.until("}")

    def _name(self) -> str:
        """Return the name of the command that follows a backslash."""
        start = self.at
        while self.at < len(self.text) and self.text[self.at].isalpha():
            self.at += 1
        if self.at == start:
            self.at += 1
        return self.text[start : self.at]

    def _command(self) -> str:
        """Return the plain text of the command that follows a backslash, with its arguments."""
        name = self._name()
        if name in ("frac", "tfrac"):
            above, below = self._group(), self._group()
            return f"{_held(above, product=True)}/{_held(below)}"
        if name == "sqrt":
            return f"√{_held(self._group())}"
        if name in ("mathrm", "text"):
            return self._group()
        if name in ("begin", "end"):
            self._group()
            return "{" if name == "begin" else "}"
        return _SIGNS.get(name, name)


def _held(text: str, *, product: bool = False) -> str:
    """Return a text, in brackets if an adjacent operator would bind more tightly; a numerator may be a product."""
    text = text.strip()
    loose = " + ", " - ", "=", "Σ", "Π", "/"
    if product:
        return f"({text})" if any(x in text for x in loose) else text
    return f"({text})" if any(not (x.isalnum() or x in "_'") for x in text) and not _is_bracketed(text) else text


def _is_bracketed(text: str) -> bool:
    """Return whether one pair of brackets encloses all of the text."""
    text = text.removeprefix("√")
    if not text.startswith("("):
        return False
    depth = 0
    for k, x in enumerate(text):
        depth += (x == "(") - (x == ")")
        if depth == 0:
            return k == len(text) - 1
    return False
