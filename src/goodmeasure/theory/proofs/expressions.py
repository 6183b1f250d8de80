"""Values of the kernel as text or LaTeX, with names for the sums of cells that readers know."""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import chain

from goodmeasure.theory.kernel.functions import Angle, Constant, Exponential, Extreme, Logarithm
from goodmeasure.theory.kernel.polynomials import Polynomial, exponents, variable
from goodmeasure.theory.kernel.values import Atom, Exponent, Ring, Root, Value

VariableNames = Mapping[Polynomial, str]
_LETTER = re.compile(r"([a-z])(\d)?_?(\d)?")


class Notation:
    """How values are written: as text, or as LaTeX; `names` has sums of cells that are written as one letter."""

    def __init__(self, names: VariableNames, *, latex: bool) -> None:
        self.names, self.latex = names, latex

    def value(self, x: Value) -> str:
        """Return a value as a quotient of products."""
        k = x.coefficient
        above = [(f, e) for f, e in x.powers.items() if e > 0]
        below = [(f, -e) for f, e in x.powers.items() if e < 0]
        sign = "−" if k < 0 and not self.latex else "-" if k < 0 else ""
        top = self._product(x.ring, abs(k.numerator), above)
        if not below and k.denominator == 1:
            return sign + top
        bottom = self._product(x.ring, k.denominator, below)
        if self.latex:
            return f"{sign}\\frac{{{_bare(top)}}}{{{_bare(bottom)}}}"
        several = "·" in bottom or " " in bottom
        return f"{sign}{top}/({_bare(bottom)})" if several else f"{sign}{top}/{bottom}"

    def _product(self, ring: Ring, number: int, factors: list[tuple[Polynomial, Exponent]]) -> str:
        parts = [self._power(ring, f, e) for f, e in factors]
        parts.sort(key=lambda x: (len(x), x))
        if number != 1 or not parts:
            parts.insert(0, str(number))
        return (" " if self.latex else "·").join(parts)

    def _power(self, ring: Ring, f: Polynomial, e: Exponent) -> str:
        text = self.polynomial(ring, f)
        if e == 1:
            return f"({text})" if _is_sum(text) else text
        if e.denominator == 2:
            root = f"\\sqrt{{{text}}}" if self.latex else f"√({text})" if len(text) > 1 else f"√{text}"
            return root if e.numerator == 1 else self._raised(root, e.numerator)
        return self._raised(f"({text})" if _is_sum(text) else text, e)

    def _raised(self, base: str, e: Exponent) -> str:
        if self.latex:
            return f"{base}^{{{e}}}"
        return f"{base}^{e}" if e.denominator == 1 else f"{base}^({e})"

    def polynomial(self, ring: Ring, p: Polynomial) -> str:
        """Return a polynomial, with names for sums where it is one of them, or one more or less than one."""
        if p in self.names:
            return self.names[p]
        for k in (1, -1):
            rest = p.plus(Polynomial({0: 1}, 0), -k)
            if rest in self.names:
                return f"{self.names[rest]} {'+' if k > 0 else self._minus()} 1"
        terms = []
        for e in sorted(p.terms, key=ring.order, reverse=True):  # type: ignore[arg-type] # a number and names
            c = p.terms[e]
            factors = [self._letter(ring, k, x) for k, x in exponents(e)]
            if abs(c) != 1 or not factors:
                factors.insert(0, str(abs(c)))
            terms.append((self._minus() if c < 0 else "+", (" " if self.latex else "·").join(factors)))
        if not terms:
            return "0"
        (sign, first), *others = terms
        return " ".join([("" if sign == "+" else sign) + first, *chain.from_iterable(others)])

    def _minus(self) -> str:
        return "-" if self.latex else "−"

    def _letter(self, ring: Ring, k: int, x: int) -> str:
        atom = ring.atom(k)
        if atom is not None:
            text = self._atom(ring, atom)
        elif variable(k) in self.names:
            text = self.names[variable(k)]
        else:
            text = self.name(ring.names[k])
        return text if x == 1 else self._raised(text, x)

    def name(self, name: str) -> str:
        """Return the name of a variable."""
        found = _LETTER.fullmatch(name)
        if found is None:
            return name
        indices = "".join(x for x in found.groups()[1:] if x)
        return f"{found[1]}_{{{indices}}}" if self.latex else f"{found[1]}{indices}"

    def _atom(self, ring: Ring, atom: Atom) -> str:
        if isinstance(atom, Constant):
            known = {"pi": "\\pi" if self.latex else "π"}
            r = atom.name.partition("_")[2].split("_")  # the numerator and denominator in the name of a share
            return known.get(atom.name, f"2^(-{r[1]}/{r[0]})" if len(r) == 2 else atom.name)
        if isinstance(atom, Root):
            inner = self.polynomial(ring, atom.of)
            if atom.degree == 2:
                return f"\\sqrt{{{inner}}}" if self.latex else f"√({inner})"
            return f"\\sqrt[{atom.degree}]{{{inner}}}" if self.latex else f"({inner})^(1/{atom.degree})"
        named = {Logarithm: "log", Angle: "arccos", Exponential: "exp"}.get(type(atom))
        inside = ", ".join(map(self.value, atom.parts))
        if isinstance(atom, Extreme):
            named = atom.name
        if named is None:
            return atom.text()
        return f"\\{named}({inside})" if self.latex else f"{named}({inside})"


def _is_sum(text: str) -> bool:
    return " " in text.replace("\\ ", "")


def _bare(text: str) -> str:
    """Return a text without a bracket around all of it."""
    if not (text.startswith("(") and text.endswith(")")):
        return text
    depth = 0
    for k, x in enumerate(text):
        depth += (x == "(") - (x == ")")
        if not depth and k < len(text) - 1:
            return text
    return text[1:-1]


def names_of_sums(m: int, *, latex: bool) -> dict[Polynomial, str]:
    """Return the names of the class sizes and of the number of items, as polynomials in all cells of m classes."""

    def total(places: list[int]) -> Polynomial:
        found = Polynomial({}, 0)
        for k in places:
            found = found + variable(k)
        return found

    def letter(side: str, i: int) -> str:
        return f"{side}_{{{i}}}" if latex else f"{side}{i}"

    found = {}
    for i in range(m):
        found[total([i * m + j for j in range(m)])] = letter("a", i)
        found[total([j * m + i for j in range(m)])] = letter("b", i)
    found[total(list(range(m * m)))] = "n"
    return found
