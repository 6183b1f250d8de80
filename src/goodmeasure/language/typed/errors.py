"""What is wrong with a typed formula, and where."""

from __future__ import annotations

from typing import Any

from goodmeasure.exceptions import InputError, Phrase


class FormulaError(InputError):
    """A formula that cannot be read; ``position`` is the place in its text, counted from 0."""

    position: int

    def __init__(self, problem: str, /, *, position: int, advice: str | Phrase = "", **values: Any) -> None:
        self.position = position
        super().__init__(problem, argument="text", advice=advice, **values)
