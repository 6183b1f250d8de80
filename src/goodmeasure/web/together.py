"""Questions that wait at the same time are answered together, which costs far less than one after another."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

Inquiry = TypeVar("Inquiry")
Reply = TypeVar("Reply")
_AT_ONCE = 50  # the most questions in one batch: the event loop is blocked while they are answered


class Together(Generic[Inquiry, Reply]):
    """Collects questions while others are answered, and answers what has come in by then.

    A single question is answered at once. Questions that arrive while an answer is computed wait and are then answered
    together in one batch, so that the cost of each falls with their number.
    """

    def __init__(self, answers: Callable[[Sequence[Inquiry]], list[Reply]]) -> None:
        self._answers = answers
        self._waiting: list[tuple[Inquiry, asyncio.Future[Reply]]] = []

    async def answer(self, question: Inquiry) -> Reply:
        """Return the answer to a question."""
        loop = asyncio.get_running_loop()
        found: asyncio.Future[Reply] = loop.create_future()
        self._waiting.append((question, found))
        if len(self._waiting) == 1:
            loop.call_soon(self._work)
        return await found

    def _work(self) -> None:
        """Answer the questions that wait; one that fails does not concern the others."""
        some, self._waiting = self._waiting[:_AT_ONCE], self._waiting[_AT_ONCE:]
        if self._waiting:
            asyncio.get_running_loop().call_soon(self._work)
        some = [(question, found) for question, found in some if not found.done()]  # whoever asked may have gone
        try:
            answers = self._answers([question for question, _ in some])
        except Exception:  # noqa: BLE001 - which of them failed shows when each is asked alone
            for question, found in some:
                self._answer_alone(question, found)
        else:
            for (_, found), answer in zip(some, answers, strict=True):
                found.set_result(answer)

    def _answer_alone(self, question: Inquiry, found: asyncio.Future[Reply]) -> None:
        try:
            found.set_result(self._answers([question])[0])
        except Exception as error:  # noqa: BLE001 - it is raised where the answer is awaited
            found.set_exception(error)
