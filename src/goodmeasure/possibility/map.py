"""The map of possibilities: placeholder while it is built."""

from typing import Any


class _M:
    def measures_with(self, names: Any, **k: Any) -> list[str]:
        return []


def stored() -> _M:
    return _M()
