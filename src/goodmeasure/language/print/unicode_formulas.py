"""Formulas for a terminal: the printed LaTeX as plain text with the usual mathematical signs."""

from __future__ import annotations

import re
from collections.abc import Iterator

_TOKEN = re.compile(r"\\[A-Za-z]+|\\.|[_^](?=\{)|.", re.DOTALL)
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
    text = " ".join(_read(iter(_TOKEN.findall(latex))).split())
    return text.replace(" ,", ",").replace(" ;", ";").replace("if otherwise", "otherwise")


def _read(tokens: Iterator[str]) -> str:
    """Return the plain text up to a closing brace, or to the end."""
    parts = []
    for x in tokens:
        match x:
            case "}":
                break
            case "{":
                parts.append(_read(tokens))
            case "_" | "^":
                parts.append(x + _held(_group(tokens)))
            case "&":
                parts.append(" if ")
            case r"\frac" | r"\tfrac":
                parts.append(f"{_held(_group(tokens), product=True)}/{_held(_group(tokens))}")
            case r"\sqrt":
                parts.append(f"√{_held(_group(tokens))}")
            case r"\mathrm" | r"\text":
                parts.append(_group(tokens))
            case r"\begin" | r"\end":
                parts.append("{" if _group(tokens) and x == r"\begin" else "}")
            case _:
                parts.append(_SIGNS.get(x[1:], x[1:]) if x[0] == "\\" else x)
    return "".join(parts)


def _group(tokens: Iterator[str]) -> str:
    """Return the plain text of the group in braces that follows."""
    next(tokens)
    return _read(tokens)


def _held(text: str, *, product: bool = False) -> str:
    """Return a text, in brackets if an adjacent operator would bind more tightly; a numerator may be a product."""
    text = text.strip()
    loose = " + ", " - ", "=", "Σ", "Π", "/"
    if product:
        return f"({text})" if any(x in text for x in loose) else text
    return text if re.fullmatch(r"[\w']*", text) or _is_bracketed(text) else f"({text})"


def _is_bracketed(text: str) -> bool:
    """Return whether one pair of brackets encloses all of the text."""
    while (shorter := re.sub(r"\([^()]*\)", "…", text)) != text:
        text = shorter
    return text in ("…", "√…")
