"""A proof as people read it, written from its certificate: the statement, the idea, and each case with its formula.

The kernel is run over the cases once more, and what it shows in each is written down. Cases are put together where the
formula of one says what the others show: the formula on the largest support of a group holds on a smaller one with the
missing cells put to 0, and cases that say the same are said once.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import cast

from goodmeasure.theory.kernel.calculus import at
from goodmeasure.theory.kernel.claim import Branch, Case, branches, supposing
from goodmeasure.theory.kernel.facts import learn
from goodmeasure.theory.kernel.proof import claim_of, kind_of, whole_part
from goodmeasure.theory.kernel.refusal import Refused
from goodmeasure.theory.kernel.texts import expression, polynomial
from goodmeasure.theory.kernel.values import Ring, Value
from goodmeasure.theory.proofs.expressions import Notation, names_of_sums
from goodmeasure.theory.proofs.ideas import AROUND, ideas_of
from goodmeasure.theory.statements import statement as kinds
from goodmeasure.theory.statements.listing import named
from goodmeasure.typing import JsonObject, ReadJson


@dataclass
class Shown:
    """What the kernel shows in some cases: what they are about, a relation to 0 (or "="), a value, and why."""

    about: str
    support: tuple[int, ...]
    relation: str
    value: Value | None
    text: str
    why: list[str] = field(default_factory=list)
    count: int = 1


class ReadableProof:
    """A proof as text; `to_latex` returns it as LaTeX.

    >>> import goodmeasure as gm
    >>> print(gm.check(gm.accuracy, properties=["monotone"])["monotone"].proof)  # doctest: +ELLIPSIS
    Claim. accuracy: Resolving one disagreement raises the measure. (2 classes, on all matrices)
    The cells that are 0 are chosen in every possible way. ...
    In every case the difference is 1/(n + 1), which is positive, since no term is negative. ∎
    """

    def __init__(self, data: JsonObject) -> None:
        self.data = data

    def __str__(self) -> str:
        return "\n".join(_Writer(self.data, latex=False).lines())

    def __repr__(self) -> str:
        return str(self)

    def first_lines(self, count: int = 4) -> list[str]:
        """Return the first lines of the proof, and how many more there are."""
        lines = str(self).split("\n")
        more = len(lines) - count
        return lines if more <= 1 else [*lines[:count], f"… and {more} more lines: see .proof"]

    def to_latex(self) -> str:
        """Return the proof as LaTeX: a paragraph for each step."""
        first, *others = _Writer(self.data, latex=True).lines()
        return "\n\n".join([f"\\textbf{{Claim.}} {first.removeprefix('Claim. ')}", *others])


_FREE = (kinds.EXPECTATION, kinds.INDEPENDENT, kinds.FLATNESS)


class _Writer:
    """Writes one proof in one notation."""

    def __init__(self, data: JsonObject, *, latex: bool) -> None:
        self.data, self.latex = data, latex
        of = named(str(data["statement"]))
        assert of is not None
        self.of = of

    def lines(self) -> Iterator[str]:
        """Yield the claim, the idea, and what is shown."""
        data, of = self.data, self.of
        m = data["classes"]
        size = "every number of classes" if m == "every" else f"{m} classes"
        where = "on all matrices" if data["domain"] == "all" else f"on the domain {data['domain']!r}"
        constants = ", ".join(f"{k} = {v}" for k, v in data.get("constants", {}).items())
        with_them = f"; {constants}" if constants else ""
        yield f"Claim. {data['measure']['name']}: {of.sentence} ({size}, {where}{with_them})"
        around = data.get("by") in AROUND
        if around:
            yield ideas_of(data)[0].sentences[0]
        for name in data.get("parts", {}):
            yield from _Writer(whole_part(data, name), latex=self.latex).lines()
        if around:
            return
        told = " ".join(ideas_of(data)[-1].sentences)
        if m == "every" or not data.get("cases"):
            yield f"{told} {self._end()}"
            return
        shown = list(self._merged(self._shown()))
        yield f"{told} {self._letters()}".strip()
        for k, x in enumerate(shown):
            yield self._said(x, len(shown)) + (f" {self._end()}" if k == len(shown) - 1 else "")

    def _end(self) -> str:
        return "$\\blacksquare$" if self.latex else "∎"

    def _math(self, text: str) -> str:
        return f"${text}$" if self.latex else text

    def _letters(self) -> str:
        """Say what the letters stand for."""
        c, a, b, n = map(self._math, ("c_{ij}", "a_i", "b_j", "n") if self.latex else ("c_ij", "a_i", "b_j", "n"))
        if self.of.kind == kinds.MOVES:
            return (
                f"Here {c} are the cells that the matrices before and after have in common, "
                f"{a} and {b} the sizes of its classes, and {n} its number of items."
            )
        return f"Here {c} are the cells, {a} and {b} the sizes of the classes, and {n} the number of items."

    # What is shown

    def _shown(self) -> Iterator[Shown]:
        """Yield what the kernel shows in each case."""
        claim = claim_of(self.data)
        m = claim.m
        self.note = Notation(names_of_sums(m, latex=self.latex), latex=self.latex)
        nodes = {
            str(sorted((k, v) for k, v in case.items() if k != "proof")): case.get("proof")
            for case in self.data["cases"]
        }
        self.claim, kind = claim, kind_of(claim, str(self.data.get("by", "cases")))
        for case in kind.cases():
            with kind.one_case():
                yield from self._of_node(kind.ring, case, Branch(kind.ring), nodes[case.key], [])

    def _of_node(self, ring: Ring, case: Case, branch: Branch, node: JsonObject, path: list[str]) -> Iterator[Shown]:
        with supposing(ring, node):
            why = []
            for fact in node.get("facts", []):
                why.append(self._fact(ring, fact))  # before it is learnt: a known product is written with its factors
                learn(ring, [fact])
            if "split" in node:
                for order, part in branches(branch, node["split"]):
                    with supposing(ring):
                        part.suppose()
                        step = [*path, _split_text(node["split"], order)]
                        yield from self._of_node(ring, case, part, node[order], step)
                return
            ring.shown.clear()
            case.check(branch, node)
            relation, value = ring.shown[-1] if ring.shown else (str(node.get("by")), None)
            support = tuple(int(x) for x in str(case.about.get("support", "")))
            text = "" if value is None else self._math(self.note.value(value))
            kept = None if value is None or value.atoms() else value  # atoms are forgotten after the case
            yield Shown(_about(case, path), support, relation, kept, text, why)

    def _merged(self, cases: Iterator[Shown]) -> Iterator[Shown]:
        """Yield what several cases show once, with the number of cases; the largest supports come first."""
        groups: list[Shown] = []
        for x in sorted(cases, key=lambda x: -sum(x.support)):
            first = next((y for y in groups if self._covers(y, x)), None)
            if first is None:
                groups.append(x)
            else:
                first.count += 1
        yield from groups

    def _covers(self, x: Shown, y: Shown) -> bool:
        """Return whether the formula of a case says what another case shows, with the missing cells put to 0."""
        if x.relation == y.relation == "undefined":
            return True
        if (x.relation, x.why) != (y.relation, y.why):
            return False
        if x.text == y.text:
            return True
        gone = {k for k, s in enumerate(x.support) if s and not y.support[k]}
        inside = all(x.support[k] for k, s in enumerate(y.support) if s)
        if x.value is None or y.value is None or not gone or not inside or x.value.atoms():
            return False
        try:
            there = at(x.value, dict.fromkeys(gone, x.value.ring.number(0)))
        except Refused:
            return False
        return there.key == y.value.key

    def _said(self, x: Shown, count: int) -> str:
        """Return one sentence about some cases."""
        some = f"In {x.count} cases, such as {x.about}," if x.count > 1 else f"{x.about}:"
        total = "In every case" if count == 1 else some
        text = x.text
        why = f" ({'; '.join(x.why)})" if x.why else ""
        if x.relation == "undefined":
            return f"{total} a value is undefined, so nothing is claimed."
        if x.relation == "=":
            return f"{total} both values are {text}{why}."
        if x.relation in (">", ">="):
            sign = "positive" if x.relation == ">" else "not negative"
            reason = why or (", since no term is negative" if any(map(str.isalpha, text)) else "")
            return f"{total} the difference is {text}, which is {sign}{reason}."
        return f"{total} it is shown by: {x.relation}{why}."

    def _fact(self, ring: Ring, fact: JsonObject) -> str:
        """Return a fact about a sign as people read it."""
        note = self.note
        f = polynomial(ring, fact["of"])
        p = self._math(note.polynomial(ring, f))
        if "product" in fact:
            return f"{p} = {self._math(note.value(_product(ring, fact['product'])))}"
        sign, by = fact["sign"], fact["by"]
        claim = f"{p} {sign} 0"
        if by == "shift":
            moved = self._math(note.polynomial(ring, f.shifted(ring.whole)))
            return f"{claim}, as counts are whole: with 1 + x in the place of each count x it is {moved}"
        if by == "powers":
            up = ring.of(expression(ring, fact["up"]))
            turned = ring.of(-f if "<" in sign else f)
            one, two = (self._math(note.value(x)) for x in (up, up - turned))
            return f"{claim}, comparing {one} with {two} after raising both to the power {fact['degree']}"
        if by == "products":
            times = fact.get("times")
            lead = f" times {self._math(note.value(_product(ring, times)))}" if times else ""
            terms = " + ".join(self._term(ring, note, row) for row in fact["terms"])
            minus = "−" if sign.startswith("<") else ""
            return f"{claim}, as {minus}{p}{lead} = {terms}"
        return f"{claim}, by {by}"

    def _term(self, ring: Ring, note: Notation, row: list[ReadJson]) -> str:
        k, *factors = row
        texts = [] if k == 1 else [str(k)]
        for x in factors:
            text, e = x if isinstance(x, list) else (x, 1)
            inner = note.polynomial(ring, expression(ring, text))
            texts.append(f"({inner})" + ("" if e == 1 else f"^{e}"))
        return self._math((" " if self.latex else "·").join(texts))


def _product(ring: Ring, factors: list[ReadJson]) -> Value:
    """Return a product of polynomials, each with its exponent or alone."""
    found = ring.number(1)
    for x in factors:
        text, e = x if isinstance(x, list) else (x, 1)
        found = found * ring.of(expression(ring, text)) ** e
    return found


def _about(case: Case, path: list[str]) -> str:
    """Return what a case is about, in words."""
    about, words = dict(case.about), []
    support = str(about.pop("support", ""))
    if support:
        m = round(len(support) ** 0.5)
        rows = " | ".join(" ".join("+" if x == "1" else "0" for x in support[i * m : i * m + m]) for i in range(m))
        words.append(f"cells [{rows}]")
    if "move" in about:
        words.append(
            ", ".join(
                f"{'+' if d > 0 else '−'}1 in ({i}, {j})" for i, j, d in cast("list[list[int]]", about.pop("move"))
            )
        )
    words += [f"{k} {v}" for k, v in about.items()]
    return ", ".join([*words, *path])


def _split_text(split: JsonObject, order: str) -> str:
    """Return the branch of a split in words."""
    if "variables" in split:
        first, second = split["variables"]
        return f"{first} {order} {second}"
    return f"{split['polynomial']} {order} 0"
