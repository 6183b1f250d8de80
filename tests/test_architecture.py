"""The page that says where a line of code lives names only places that exist."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src" / "goodmeasure"
PAGES = (ROOT / "docs" / "architecture.md", ROOT / "docs" / "decisions.md", ROOT / "CONTRIBUTING.md")
PLACE = re.compile(r"`((?:[a-z_]+/)*(?:[a-z_]+/|[A-Za-z_]+\.(?:py|md|sh|json)))`")


def _places(page: Path) -> list[str]:
    return sorted(set(PLACE.findall(page.read_text(encoding="utf-8"))))


def _exists(place: str) -> bool:
    """Return whether a place is in the repository or in a room; a bare file name may be in any folder of one."""
    if (ROOT / place).exists() or (SOURCE / place).exists():
        return True
    return any(x.as_posix().endswith(f"/{place.rstrip('/')}") for x in SOURCE.rglob(Path(place).name))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_place_that_is_named_exists(page):
    places = _places(page)
    assert places
    assert [x for x in places if not _exists(x)] == []


def test_every_room_is_described():
    rooms = {x.name for x in SOURCE.iterdir() if x.is_dir() and (x / "__init__.py").exists()}
    named = {x.rstrip("/") for x in _places(PAGES[0]) if x.endswith("/") and x.count("/") == 1}
    assert rooms - named == set()
