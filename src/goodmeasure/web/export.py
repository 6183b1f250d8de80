"""Write the page as static files, which any web server can show."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from goodmeasure.exceptions import InputError
from goodmeasure.web.application import STATIC
from goodmeasure.web.replies import json_bytes
from goodmeasure.web.stored import config, names, stored


def export(folder: Path) -> int:
    """Write the page and its data into a folder, which is empty or not there yet; return how many files it has."""
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise InputError("{export} is {got!r}, which is not empty", got=str(folder), expected="a new or empty folder")
    written = 0
    for name, content in _files():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        written += 1
    return written


def _files() -> Iterator[tuple[str, bytes]]:
    """Yield the names and contents of all files of the page."""
    for path in sorted(STATIC.rglob("*")):
        if path.is_file():
            yield path.relative_to(STATIC).as_posix(), path.read_bytes()
    yield "api/config.json", json_bytes(config(static=True))
    for name in names():
        found = stored(name)
        assert found is not None  # every name that is listed has a file
        yield name, found.content
