"""A name of a class or of a type means one thing in the whole package."""

from __future__ import annotations

import ast
from collections import defaultdict
from functools import cache

import pytest

from tests.sources import FILES, ROOT, tree_of

KERNEL, KINDS = "theory/kernel/", "theory/kernel/kinds/"


def is_camel_case(name: str) -> bool:
    """Return whether a name is written as those of types are, not as those of constants."""
    return name[:1].isupper() and (len(name) == 1 or not name.isupper())


def named_in(tree: ast.Module) -> set[str]:
    """Return the classes and types that a module defines."""
    found = set()
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            found.add(node.name)
        elif isinstance(node, (ast.Assign, ast.AnnAssign)):
            target = node.target if isinstance(node, ast.AnnAssign) else node.targets[0]
            if (
                isinstance(target, ast.Name)
                and target.id[:1].isupper()
                and (len(target.id) == 1 or not target.id.isupper())
            ):
                found.add(target.id)
    return found


@cache
def homes() -> dict[str, list[str]]:
    """Return the modules that define each name."""
    found = defaultdict(list)
    for path in FILES:
        for name in named_in(tree_of(path)):
            found[name].append(str(path.relative_to(ROOT)))
    return found


def test_a_name_is_defined_once():
    """The kernel imports nothing of what searches and measures, so its names are its own; so are those of each kind."""
    several = {
        name: files
        for name, files in homes().items()
        if len([x for x in files if not x.startswith(KERNEL)]) > 1
        or len([x for x in files if x.startswith(KERNEL) and not x.startswith(KINDS)]) > 1
    }
    assert several == {}


@pytest.mark.parametrize("text", ["class A: ...", "A: TypeAlias = int", "A = tuple[int, ...]", "A = TypeVar('A')"])
def test_every_way_to_define_a_name_is_seen(text):
    assert named_in(ast.parse(text)) == {"A"}
