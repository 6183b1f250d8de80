"""Questions that only numbers can answer, which the symbols of a printed formula refuse."""

from __future__ import annotations

from typing import Never


class Symbolic:
    """What stands for a number in a printed formula; questions that only a number can answer raise an error.

    A class that defines ``__eq__`` has to say ``__hash__ = Symbolic.__hash__``, or Python takes the hash away.
    """

    __slots__ = ()

    def _refusal(self, why: str) -> Exception:
        """Return the error by which a question is refused."""
        return TypeError(why)

    def _refuse(self, *_: object) -> Never:
        raise self._refusal("the definition asks a symbol what only a number can answer")

    __float__ = __int__ = __index__ = __complex__ = __round__ = __trunc__ = __floor__ = __ceil__ = _refuse
    __floordiv__ = __rfloordiv__ = __mod__ = __rmod__ = __divmod__ = __rdivmod__ = _refuse

    def __hash__(self) -> int:
        return self._refuse()
