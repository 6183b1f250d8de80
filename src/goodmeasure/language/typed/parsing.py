"""Read the text of a formula as a tree, by a grammar of its own: nothing of it is ever run as Python.

::

    program     = [head] {NAME "=" expression END-OF-LINE} ["return"] expression
    head        = "def" NAME "(" "c" ")" ":" | "lambda" "c" ":"
    expression  = "lambda" [NAME {"," NAME}] ":" expression | disjunction
    disjunction = conjunction {("|" | "or") conjunction}
    conjunction = negation {("&" | "and") negation}
    negation    = ("~" | "not") negation | comparison
    comparison  = sum [("==" | "!=" | "<" | "<=" | ">" | ">=") sum]
    sum         = product {("+" | "-") product}
    product     = sign {("*" | "/") sign}
    sign        = ("-" | "+") sign | power
    power       = postfix ["**" sign]
    postfix     = atom {"." NAME | "[" expression {"," expression} "]" | "(" arguments ")"}
    atom        = NUMBER | NAME | "(" expression ")" | "[" expression {"," expression} "]"
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from goodmeasure.language.typed.tokens import END, END_OF_LINE, NAME, NUMBER, SIGN, FormulaError, Token, tokens
from goodmeasure.language.typed.tree import (
    Attribute,
    Binary,
    Call,
    Compare,
    FormulaProgram,
    Indexed,
    Lambda,
    Name,
    Negative,
    Node,
    NumberLiteral,
    RowList,
)

DEEPEST = 40  # brackets inside of brackets
_COMPARISONS = ("==", "!=", "<", "<=", ">", ">=")
_KEYWORDS = ("lambda", "return", "def", "and", "or", "not")
_FOREIGN = {
    "if": "say c.where(condition, x, y) instead",
    "for": "say c.sum(lambda i: …) instead",
    "while": "say c.sum(lambda i: …) instead",
    "import": "a formula has only the words of the language of c",
}
_OWN = "own"  # the name of a formula without one


def parsed(text: str) -> FormulaProgram:
    """Return the tree of a formula.

    >>> parsed("tp / (tp + fn)").value.sign
    '/'
    """
    return _Parser(tokens(text)).program()


class _Parser:
    """A single pass over the tokens, with one token of lookahead."""

    def __init__(self, found: list[Token]) -> None:
        self.found = found
        self.at = self.depth = 0

    # Tokens

    @property
    def next(self) -> Token:
        return self.found[self.at]

    def take(self) -> Token:
        token = self.next
        if token.kind != END:
            self.at += 1
        return token

    def sees(self, *texts: str) -> bool:
        """Return whether the next token is one of these signs or keywords."""
        return self.next.kind in (SIGN, NAME) and self.next.text in texts

    def skip(self, text: str) -> bool:
        """Take the next token if it is this sign or keyword."""
        if not self.sees(text):
            return False
        self.take()
        return True

    def must(self, text: str) -> Token:
        """Take the sign or keyword that has to come next."""
        if not self.sees(text):
            raise self.unexpected(text)
        return self.take()

    def unexpected(self, wanted: str | None = None) -> FormulaError:
        """Return the error about the next token."""
        token = self.next
        if token.kind == NAME and token.text in _FOREIGN:
            return FormulaError(
                "{word!r} is not a word of the language", position=token.position, word=token.text,
                advice=_FOREIGN[token.text],
            )  # fmt: skip
        came = "the formula ends" if token.kind == END else "the line ends" if token.kind == END_OF_LINE else token.text
        if token.kind in (END, END_OF_LINE):
            problem = "{came} where something is missing" if wanted is None else "{came} where {wanted!r} is missing"
        else:
            problem = "{came!r} is not expected here" if wanted is None else "{came!r} was found instead of {wanted!r}"
        return FormulaError(problem, position=token.position, came=came, wanted=wanted)

    def name(self) -> Token:
        """Take the name that has to come next."""
        if self.next.kind != NAME or self.next.text in _KEYWORDS:
            raise self.unexpected("a name")
        return self.take()

    def lines(self) -> None:
        while self.next.kind == END_OF_LINE:
            self.take()

    # The grammar

    def program(self) -> FormulaProgram:
        self.lines()
        title, assigned = self._head(), []
        self.lines()
        while self._assigns():
            name = self.name()
            self.must("=")
            assigned.append((name.text, self.expression()))
            if self.next.kind != END_OF_LINE:
                raise self.unexpected("a new line")
            self.lines()
        self.skip("return")
        value = self.expression()
        self.lines()
        if self.next.kind != END:
            raise self.unexpected()
        return FormulaProgram(title, tuple(assigned), value)

    def _head(self) -> str:
        """Return the name of the formula, after `def name(c):` or `lambda c:`, which may be left out."""
        if self.skip("def"):
            title = self.name().text
            self.must("(")
            self.must("c")
            self.must(")")
            self.must(":")
            return title
        after = [x.text for x in self.found[self.at : self.at + 3]]
        if after == ["lambda", "c", ":"]:
            self.at += 3
        return _OWN

    def _assigns(self) -> bool:
        following = self.found[self.at + 1] if self.at + 1 < len(self.found) else None
        return self.next.kind == NAME and following is not None and following[:2] == (SIGN, "=")

    def expression(self) -> Node:
        self.depth += 1
        if self.depth > DEEPEST:
            raise FormulaError("the formula is nested too deeply", position=self.next.position)
        try:
            return self._lambda() if self.sees("lambda") else self._disjunction()
        finally:
            self.depth -= 1

    def _lambda(self) -> Node:
        at = self.take().position
        names: list[str] = []
        while not self.sees(":"):
            names.append(self.name().text)
            if not self.skip(","):
                break
        self.must(":")
        return Lambda(at, tuple(names), self.expression())

    def _chain(self, part: Callable[[], Node], signs: dict[str, str]) -> Node:
        """Return parts with operators of the same strength between them, taken from left to right."""
        found = part()
        while self.sees(*signs):
            token = self.take()
            found = Binary(token.position, signs[token.text], found, part())
        return found

    def _disjunction(self) -> Node:
        return self._chain(self._conjunction, {"|": "|", "or": "|"})

    def _conjunction(self) -> Node:
        return self._chain(self._negation, {"&": "&", "and": "&"})

    def _negation(self) -> Node:
        if self.sees("~", "not"):
            at = self.take().position
            return _negated(self._deeper(self._negation), at)
        return self._comparison()

    def _comparison(self) -> Node:
        left = self._sum()
        if not self.sees(*_COMPARISONS):
            return left
        token = self.take()
        found = Compare(token.position, token.text, left, self._sum())
        if self.sees(*_COMPARISONS):
            raise FormulaError(
                "two comparisons follow each other", position=self.next.position, advice="put & between them"
            )
        return found

    def _sum(self) -> Node:
        return self._chain(self._product, {"+": "+", "-": "-"})

    def _product(self) -> Node:
        return self._chain(self._signed, {"*": "*", "/": "/"})

    def _signed(self) -> Node:
        if self.sees("-"):
            at = self.take().position
            return Negative(at, self._deeper(self._signed))
        if self.skip("+"):
            return self._deeper(self._signed)
        return self._power()

    def _deeper(self, part: Callable[[], Node]) -> Node:
        self.depth += 1
        if self.depth > DEEPEST:
            raise FormulaError("the formula is nested too deeply", position=self.next.position)
        try:
            return part()
        finally:
            self.depth -= 1

    def _power(self) -> Node:
        found = self._postfix()
        if self.sees("²", "³"):
            token = self.take()
            return Binary(
                token.position, "**", found, NumberLiteral(token.position, Fraction(2 if token.text == "²" else 3))
            )
        if self.sees("**"):
            token = self.take()
            return Binary(token.position, "**", found, self._deeper(self._signed))
        return found

    def _postfix(self) -> Node:
        found = self._atom()
        while self.sees(".", "[", "("):
            token = self.take()
            if token.text == ".":
                word = self.name()
                found = Attribute(word.position, found, word.text)
            elif token.text == "[":
                found = Indexed(token.position, found, tuple(self._listed("]")))
            else:
                found = self._call(found, token.position)
        return found

    def _listed(self, end: str) -> list[Node]:
        """Return the expressions up to a closing bracket."""
        found: list[Node] = []
        while not self.sees(end):
            found.append(self.expression())
            if not self.skip(","):
                break
        self.must(end)
        return found

    def _call(self, of: Node, at: int) -> Node:
        given: list[Node] = []
        named: list[tuple[str, Node]] = []
        while not self.sees(")"):
            if self._assigns():
                name = self.name().text
                self.must("=")
                named.append((name, self.expression()))
            elif named:
                raise FormulaError("an argument without a name follows one with a name", position=self.next.position)
            else:
                given.append(self.expression())
            if not self.skip(","):
                break
        self.must(")")
        return Call(at, of, tuple(given), tuple(named))

    def _atom(self) -> Node:
        token = self.next
        if token.kind == NUMBER:
            return NumberLiteral(self.take().position, Fraction(token.text))
        if token.kind == NAME and token.text not in (*_KEYWORDS, *_FOREIGN):
            return Name(self.take().position, token.text)
        if self.skip("√"):
            return Call(token.position, Name(token.position, "sqrt"), (self._deeper(self._postfix),))
        if self.skip("("):
            found = self.expression()
            self.must(")")
            return found
        if self.skip("["):
            return RowList(token.position, tuple(self._listed("]")))
        raise self.unexpected()


_CONTRARY = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}


def _negated(x: Node, at: int) -> Node:
    """Return the contrary of a condition, which is made of comparisons."""
    match x:
        case Compare():
            return Compare(x.position, _CONTRARY[x.sign], x.left, x.right)
        case Binary(sign="&" | "|"):
            return Binary(x.position, "|" if x.sign == "&" else "&", _negated(x.left, at), _negated(x.right, at))
    raise FormulaError("no comparison follows", position=at, advice="write not (x == y)")
