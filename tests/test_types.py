"""`Any` stands in one file: every other room says what its values are, or uses an alias that names the reason."""

from __future__ import annotations

import ast
from itertools import pairwise
from pathlib import Path

import pytest

import goodmeasure
from goodmeasure.language.class_by_class import LoopView
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


def test_every_alias_of_any_says_why():
    lines = ALIASES.read_text(encoding="utf-8").splitlines()
    for above, line in pairwise(lines):
        if "TypeAlias =" in line and "Any" in line:
            assert above.startswith("#") or "  # " in line, f"{line} has no comment"


ALIASES_OF_ANY = {
    *("AnyArray", "Namespace", "Frame", "ArrayLike", "Scorer", "EngineType", "ReadJson"),  # of a foreign library
    *("Array", "DType", "PlotStyle", "ChartSpec"),  # with parts that a foreign library leaves open
    "OptionValue",
}


def test_there_are_no_more_aliases_of_any():
    """What this package computes itself has a type; a new alias needs a foreign library and a place in this list."""
    tree = ast.parse(ALIASES.read_text(encoding="utf-8"))
    found = [x for x in tree.body if isinstance(x, ast.AnnAssign) and x.value is not None]
    named = {x.target.id for x in found if isinstance(x.target, ast.Name) and "Any" in ast.unparse(x.value)}
    assert named == ALIASES_OF_ANY


def test_a_view_is_a_class_that_users_can_ask_for_and_extend():
    """It is generic for whoever checks types, and a plain class for everyone else."""

    class Own(LoopView):
        pass

    assert isinstance(View, type)
    assert issubclass(Own, goodmeasure.View)
    with pytest.raises(TypeError, match="abstract"):
        goodmeasure.View()
