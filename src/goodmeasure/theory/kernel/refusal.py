"""What the kernel raises: it refuses what it is not shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from goodmeasure.theory.kernel.polynomials import Polynomial


class Refused(Exception):  # noqa: N818 - a refusal is not an error of the program
    """The certificate does not show what it claims; ``where`` names the case and the field, from the outside in."""

    def __init__(self, why: str, *where: object) -> None:
        super().__init__(why)
        self.why, self.where = why, list(where)

    def __str__(self) -> str:
        return ": ".join([*map(str, self.where), self.why])


class Unsettled(Refused):
    """The sign of a polynomial matters, and neither its coefficients nor a stated fact show it."""

    def __init__(self, question: Polynomial, why: str = "the sign of a polynomial is not shown") -> None:
        super().__init__(why)
        self.question = question


def demand(condition: object, why: str, *where: object) -> None:
    """Refuse unless a condition holds."""
    if not condition:
        raise Refused(why, *where)
