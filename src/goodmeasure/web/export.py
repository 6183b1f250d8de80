"""Write the page as static files, which any web server can show."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from goodmeasure.evaluation.trivial_classifiers import scorecard
from goodmeasure.exceptions import InputError, file_error
from goodmeasure.web.answers import compare_measures, recommending
from goodmeasure.web.application import STATIC
from goodmeasure.web.replies import json_bytes
from goodmeasure.web.scripts import proportions
from goodmeasure.web.stored import config, names, stored

_ITEMS = 10  # of the data sets on which measures are compared


def export(folder: Path) -> int:
    """Write the page and its data into a folder, which is empty or not there yet; return how many files it has."""
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise InputError("{export} is {got!r}, which is not empty", got=str(folder), expected="a new or empty folder")
    written = 0
    for name, content in _files():
        path = folder / name
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        except OSError as error:
            raise file_error(error, "cannot write {got}: {why}", got=path) from None
        written += 1
    return written


def _files() -> Iterator[tuple[str, bytes]]:
    """Yield the names and contents of all files of the page."""
    for path in sorted(STATIC.rglob("*")):
        if path.is_file():
            yield path.relative_to(STATIC).as_posix(), path.read_bytes()
    yield "api/config.json", json_bytes(config(static=True))
    yield "api/recommendations.json", json_bytes(recommending.prepared())
    yield "api/proportions.json", json_bytes(proportions())
    yield "api/disagreements.json", json_bytes(_disagreements())
    for name in names():
        found = stored(name)
        assert found is not None  # every name that is listed has a file
        yield name, found.content


def _disagreements() -> dict[str, object]:
    """Return where the usual measures disagree, by the names of two of them in alphabetical order."""
    pairs = compare_measures.pairs_of(scorecard(2))
    return {f"{x.name}|{y.name}": compare_measures.disagreement(x, y, _ITEMS) for x, y in pairs}
