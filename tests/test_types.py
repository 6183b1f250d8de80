"""`Any` stands in one file: every other room says what its values are, or uses an alias that names the reason."""

from __future__ import annotations

import ast
import inspect
from itertools import takewhile
from pathlib import Path

import pytest

import goodmeasure
from goodmeasure.language.view import View

ROOT = Path(goodmeasure.__file__).parent
ALIASES = ROOT / "typing.py"
ROOMS = sorted({path.relative_to(ROOT).parts[0] for path in ROOT.rglob("*.py")} - {ALIASES.name})


def places_of_any(text: str) -> list[int]:
    """Return the lines that name `Any`, also where it is `typing.Any` or has another name."""
    found = []
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.ImportFrom) and node.module in ("typing", "typing_extensions"):
            found += [node.lineno for alias in node.names if alias.name == "Any"]
        elif isinstance(node, ast.Attribute) and node.attr == "Any":
            found.append(node.lineno)
    return found


@pytest.mark.parametrize(
    "text", ["from typing import Any", "from typing import TypeVar, Any as X", "import typing\nx: typing.Any = 1"]
)
def test_every_way_to_write_any_is_seen(text):
    assert places_of_any(text)


@pytest.mark.parametrize("room", ROOMS)
def test_a_room_has_no_value_without_a_type(room):
    """A value of a foreign library that has no type gets an alias in typing.py, which says why."""
    files = [ROOT / room] if room.endswith(".py") else sorted((ROOT / room).rglob("*.py"))
    found = {str(path.relative_to(ROOT)): places_of_any(path.read_text(encoding="utf-8")) for path in files}
    assert {name: lines for name, lines in found.items() if lines} == {}


# What this package makes itself has a type. An alias of `Any` stands for what a foreign library leaves without one,
# and its comment names that library.
LIBRARY_OF_ALIAS = {
    "Array": "NumPy",
    "DType": "NumPy",
    "AnyArray": "PyTorch",
    "Namespace": "SciPy",
    "Frame": "narwhals",
    "ArrayLike": "pandas",
    "PlotStyle": "Matplotlib",
    "Scorer": "scikit-learn",
    "ChartSpec": "Vega-Lite",
    "EngineType": "DuckDB",
    "ReadJson": "json module",
    "FieldValue": "annotation",
}


def aliases_of_any(text: str) -> dict[str, str]:
    """Return the comment of each alias that contains `Any`, by name; an alias of such an alias is one as well."""
    lines, found = text.splitlines(), dict[str, str]()
    for node in ast.parse(text).body:
        if not isinstance(node, (ast.Assign, ast.AnnAssign)) or node.value is None:
            continue
        target = node.target if isinstance(node, ast.AnnAssign) else node.targets[0]
        names = {x.id for x in ast.walk(node.value) if isinstance(x, ast.Name)}
        if isinstance(target, ast.Name) and names & {"Any", *found}:
            found[target.id] = _comment(lines, node.lineno)
    return found


def _comment(lines: list[str], number: int) -> str:
    """Return the comment at the end of a line, after those above it."""
    above = list(takewhile(lambda line: line.startswith("#"), reversed(lines[: number - 1])))
    return " ".join([*reversed(above), lines[number - 1].partition("  # ")[2]])


def test_an_alias_of_any_stands_for_what_a_foreign_library_leaves_without_a_type():
    found = aliases_of_any(ALIASES.read_text(encoding="utf-8"))
    assert found.keys() == LIBRARY_OF_ALIAS.keys()
    assert [name for name, comment in found.items() if LIBRARY_OF_ALIAS[name] not in comment] == []


@pytest.mark.parametrize(
    "text", ["# Ours.\nX: TypeAlias = Any", "X: TypeAlias = dict[str, Any]  # Ours.", "# Ours.\nX = list[Any]"]
)
def test_every_way_to_write_an_alias_is_seen(text):
    assert aliases_of_any(text)["X"].strip("# ") == "Ours."


def test_an_alias_of_an_alias_is_seen():
    assert aliases_of_any("X = Any\nY: TypeAlias = dict[str, X]").keys() == {"X", "Y"}


def test_a_view_is_a_class_that_users_can_ask_for_and_extend():
    """It is generic for whoever checks types, and a plain class for everyone else."""

    class Own(View):
        pass

    assert isinstance(View, type)
    assert issubclass(Own, View)
    with pytest.raises(TypeError, match="abstract"):
        View()


NAMED = {
    *("measure", "measures", "labels", "domain", "proof", "over", "properties", "y"),
    *("data", "y_true", "y_pred", "y_score", "sample_weight", "cm", "matrices", "before", "after", "costs"),
    *("labels_a", "labels_b"),
}
FUNCTIONS = [getattr(goodmeasure, name) for name in goodmeasure.__all__]


@pytest.mark.parametrize("function", [x for x in FUNCTIONS if inspect.isfunction(x)], ids=lambda x: x.__name__)
def test_a_type_checker_hears_what_a_public_argument_is(function):
    """With `object`, it would accept gm.check(3)."""
    parameters = inspect.signature(function).parameters
    assert [name for name in NAMED & set(parameters) if parameters[name].annotation == "object"] == []
