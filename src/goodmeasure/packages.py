"""Packages of others, imported where they are used; an absent one is said in one line that names it.

``from goodmeasure.packages import duckdb`` stands for ``import duckdb``, and raises `MissingPackageError` where DuckDB
is not installed. NumPy alone is imported directly: nothing works without it.
"""

from __future__ import annotations

import warnings
from functools import cache
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING

from goodmeasure.exceptions import MissingPackageError

if TYPE_CHECKING:
    import duckdb as duckdb
    import flint as flint
    import jinja2 as jinja2
    import rich as rich
    import rich.box
    import rich.console
    import rich.progress
    import rich.table
    import rich.text  # noqa: F401

_MODULES = {"latex2mathml": "latex2mathml.converter", "nw": "narwhals.stable.v2"}  # where the name here is another
_PACKAGES = {  # what pip installs, by the name that is imported from here
    "duckdb": "duckdb", "flint": "python-flint", "jinja2": "jinja2", "latex2mathml": "latex2mathml", "nw": "narwhals",
    "rich": "rich",
}  # fmt: skip
_PARTS = {"rich": ("box", "console", "progress", "table", "text")}  # modules of a package that are used


def __getattr__(name: str) -> ModuleType:
    if name not in _PACKAGES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module = _MODULES.get(name, name)
    try:
        found = import_module(module)
        for part in _PARTS.get(name, ()):
            import_module(f"{module}.{part}")
    except ModuleNotFoundError as error:
        lacking = (error.name or "").split(".")[0]
        package = _PACKAGES[name] if lacking == module.split(".")[0] else lacking  # or what that package needs
        raise MissingPackageError(
            "this needs the package {package}, which is not installed", package=package, advice="pip install {package}"
        ) from None
    globals()[name] = found
    return found


@cache
def plugged(group: str) -> dict[str, object]:
    """Return what other installed packages offer under an entry point group, by name; a broken one is warned about."""
    from importlib.metadata import entry_points

    found: dict[str, object] = {}
    for point in entry_points(group=group):
        try:
            found[point.name] = point.load()
        except Exception as error:  # noqa: BLE001  # whatever the code of others raises, one's own work goes on
            warnings.warn(f"{point.value} offers {point.name!r} to {group}, and fails: {error!r}", stacklevel=2)
    return found
