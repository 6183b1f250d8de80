"""A room imports only rooms listed above it, and what the package imports stays light."""

from __future__ import annotations

import ast
import inspect
import re
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

import goodmeasure
from goodmeasure import results
from tests.sources import FILES, ROOT, tree_of

ROOMS = (
    "exceptions", "packages", "typing", "documents", "paper_names", "progress", "notebooks", "language", "counts",
    "catalogue", "theory", "keywords", "options", "settings", "evaluation", "comparison", "recommendation", "report",
    "papers", "web", "cli", "sklearn", "torch", "mlflow", "results", "__main__",
)  # fmt: skip


def room_of(path: Path) -> str | None:
    first = path.relative_to(ROOT).parts[0].removesuffix(".py")
    return None if first == "__init__" else first


class Facts(NamedTuple):
    """What a module says about itself, and the rooms of this package that it imports, wherever it does so."""

    docstring: str | None
    rooms: set[str]


@cache
def facts_of(path: Path) -> Facts:
    tree = tree_of(path)
    return Facts(ast.get_docstring(tree), imported_rooms(tree))


def imported_rooms(tree: ast.Module) -> set[str]:
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("goodmeasure."):
            found.add(node.module.split(".")[1])
        elif isinstance(node, ast.ImportFrom) and node.module == "goodmeasure":
            found |= {alias.name for alias in node.names if (ROOT / alias.name).exists()}
        elif isinstance(node, ast.Import):
            found |= {a.name.split(".")[1] for a in node.names if a.name.startswith("goodmeasure.")}
    return found


# Results are shown and written by the report room, and compared by the comparison room. Both are below theirs and are
# loaded when somebody asks for it. So are scorers, which need scikit-learn, by measures that scikit-learn calls.
# Classes of documents are loaded by what is read, and for annotations that only type checkers import.
BY_NAME = {
    "notebooks.py",
    "evaluation/writing.py",
    "evaluation/pairing.py",
    "catalogue/as_scorer.py",
    "documents.py",
    "results.py",
}


def rooms_by_name(tree: ast.Module) -> set[str]:
    """Return the rooms of this package that a module imports by a text, which the order of rooms does not show."""
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and ast.unparse(node.func).endswith("import_module") and node.args:
            text = node.args[0].values[0] if isinstance(node.args[0], ast.JoinedStr) else node.args[0]
            if isinstance(text, ast.Constant) and str(text.value).startswith("goodmeasure."):
                found.add(str(text.value).split(".")[1])
    return found


def test_only_six_modules_reach_below_their_room_by_name():
    reaching = {
        path.relative_to(ROOT).as_posix()
        for path in FILES
        if room_of(path) and rooms_by_name(tree_of(path)) - {room_of(path)}
    }
    assert reaching == BY_NAME


@pytest.mark.parametrize("room", sorted({room_of(x) for x in FILES if room_of(x)}))
def test_a_room_imports_only_rooms_above_it(room):
    assert room in ROOMS, f"{room} is not a room of the design"
    for path in (x for x in FILES if room_of(x) == room):
        named = rooms_by_name(tree_of(path))  # a module that loads a room by its name may name its classes for mypy
        for other in facts_of(path).rooms - {room} - named:
            assert ROOMS.index(other) < ROOMS.index(room), f"{path.name} in {room} imports {other}"


def test_every_module_says_what_lives_in_it():
    assert [str(x.relative_to(ROOT)) for x in FILES if not facts_of(x).docstring] == []


def modules_after(statement: str) -> set[str]:
    code = f"import sys; before = set(sys.modules); {statement}; print(*(set(sys.modules) - before))"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return {name.split(".")[0] for name in run.stdout.split()}


@pytest.mark.parametrize("statement", ["import goodmeasure", "import goodmeasure as gm; gm.mcc([[3, 1], [2, 4]])"])
def test_importing_needs_numpy_and_the_standard_library_only(statement):
    outside = {x for x in modules_after(statement) if x not in sys.stdlib_module_names and not x.startswith("_")}
    assert outside <= {"goodmeasure", "numpy"}


@pytest.mark.parametrize(("module", "module_homes"), [(goodmeasure, goodmeasure._HOMES), (results, results.HOMES)])
def test_every_public_name_is_there_and_typed(module, module_homes):
    """The names for readers of types and the names at run time are the same."""
    typed = set()
    for node in ast.walk(tree_of(Path(str(module.__file__)))):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("goodmeasure."):
            typed |= {(alias.name, node.module) for alias in node.names if alias.asname == alias.name}
    assert typed == {(name, f"goodmeasure.{home}") for name, home in module_homes.items()}
    for name in module.__all__ if module is goodmeasure else module_homes:
        assert getattr(module, name) is not None


# Classes that public methods return and users need no name for.
UNNAMED = {
    "Policy",  # of the language of c
    "Sample", "Samples", "Scored",  # counts and scores as the rooms hand them to each other
    "Tree",  # of the definition of a measure: people read it, and hand it back
    "ReadableProof",  # of a verdict: people read it
    "RequiredScore", "Tracked",  # between a result and its requirements or trackers
}  # fmt: skip


def test_every_class_that_users_get_is_public():
    """What a public function, or a public method of a public class, returns has a name for annotations."""
    classes = {
        node.name for path in FILES for node in ast.walk(tree_of(path))
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_")
    }  # fmt: skip
    returned: dict[str, list[str]] = {}
    named = {**goodmeasure._HOMES, **results.HOMES}
    for name in named:
        for place, function in callables(name, getattr(goodmeasure if name in goodmeasure._HOMES else results, name)):
            for word in re.findall(r"\w+", str(inspect.signature(function).return_annotation)):
                if word in classes:
                    returned.setdefault(word, []).append(place)
    assert {"Result", "Explanation", "Multilabel", "ThresholdCurve"} <= set(returned)
    assert {x: places for x, places in returned.items() if x not in named and x not in UNNAMED} == {}
    assert set(returned) >= UNNAMED  # no exemption is left over


def callables(name, public):
    """Yield a public function, or the public methods and properties of a public class, with their names."""
    if not inspect.isclass(public):
        yield from [(name, public)] if inspect.isfunction(public) else []
        return
    for member, found in inspect.getmembers_static(public):
        function = getattr(found, "fget", None) or getattr(found, "func", None) or getattr(found, "__func__", found)
        if inspect.isfunction(function) and (not member.startswith("_") or member == "__call__"):
            yield f"{name}.{member}", function


def test_star_import_brings_the_measures():
    names: dict[str, object] = {}
    exec("from goodmeasure import *", names)
    assert names["mcc"] is goodmeasure.mcc
    assert "ConfusionMatrix" in names


def test_an_alias_is_no_attribute_but_says_where_to_look():
    with pytest.raises(AttributeError, match=r"use goodmeasure\.mcc or goodmeasure\.measure"):
        goodmeasure.matthews  # noqa: B018
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        goodmeasure.nonsense  # noqa: B018
