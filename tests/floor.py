"""`python tests/floor.py`: the oldest version of every dependency that pyproject.toml allows, as pip's constraints."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

TOOLS = {"ruff", "mypy", "torch"}
"""What no test imports, so that new versions of them need not work with old ones of the rest; and PyTorch, of which the
tests name one version."""


def floors(project: dict) -> dict[str, str]:
    """The lower bound of each dependency of the package, its extras, its build and its tests."""
    needed = [
        *project["project"]["dependencies"],
        *(x for extra in project["project"]["optional-dependencies"].values() for x in extra),
        *project["build-system"]["requires"],
        *project["dependency-groups"]["test"],
    ]
    found = (re.fullmatch(r"([\w.-]+)(?:\[[\w,]+\])?>=([\w.]+).*", x) for x in needed)
    return {x[1]: x[2] for x in found if x is not None and x[1] not in TOOLS}


if __name__ == "__main__":
    text = (Path(__file__).parent.parent / "pyproject.toml").read_text(encoding="utf-8")
    print("\n".join(f"{name}=={version}" for name, version in sorted(floors(tomllib.loads(text)).items())))
