"""Data that the page loads once: the same files that a static version of the page has."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from importlib.resources import files
from typing import NamedTuple

from goodmeasure import __version__
from goodmeasure.counts.readers.files.formats import MATRIX_ENDINGS, file_endings, format_names
from goodmeasure.evaluation.trivial_classifiers import scorecard
from goodmeasure.report.formats import offered
from goodmeasure.web import limits
from goodmeasure.web.answers import compare_measures, examples, measure_pages, recommending
from goodmeasure.web.forms import forms_data
from goodmeasure.web.replies import json_bytes
from goodmeasure.web.scripts import measures_script


class StoredFile(NamedTuple):
    """The contents of a file, and their type."""

    content: bytes
    media_type: str


JSON, SCRIPT, STYLE = "application/json", "text/javascript", "text/css"


IN_BROWSER = [".csv", ".tsv", ".txt"]  # endings of files that a static copy reads


def config(*, static: bool, file: str | None = None) -> dict[str, object]:
    """Return what the page must know about the server."""
    return {
        "version": __version__,
        "static": static,
        "file": None if file is None else {"name": file},
        "formats": [{"ending": ending, "name": x.name} for ending, x in offered().items()],
        "options": forms_data(),
        "files": {"names": format_names(), "endings": IN_BROWSER if static else [*file_endings(), *MATRIX_ENDINGS]},
        "limits": {
            "classes": limits.MOST_CLASSES,
            "upload_bytes": limits.UPLOAD_BYTES,
            "formula_characters": limits.LONGEST_FORMULA,
            "seconds_of_check": limits.CHECK_SECONDS,
        },
        "scorecard": {"2": [x.name for x in scorecard(2)], "more": [x.name for x in scorecard(3)]},
    }


def _design() -> bytes:
    """Return the design tokens of the reports, which the page shares."""
    found = files("goodmeasure.report.formats").joinpath("templates", "design.css")
    return found.read_bytes() if found.is_file() else b""


_DATA: dict[str, Callable[[], object]] = {
    "api/examples.json": examples.examples,
    "api/measures.json": measure_pages.catalogue,
    "api/atlas.json": compare_measures.atlas_table,
    "api/map.json": compare_measures.possibility_map,
    "api/questions.json": recommending.questions,
}
_OTHERS: dict[str, tuple[Callable[[], bytes], str]] = {
    "design.css": (_design, STYLE),
    "measures.js": (measures_script, SCRIPT),
    "api/demo.csv": (examples.demo, "text/csv"),
}
OUTSIDE_API = tuple(name for name in _OTHERS if not name.startswith("api/"))


def names() -> list[str]:
    """Return the names of all files that `stored` makes."""
    return [*_DATA, *(f"api/{name}" for name in measure_pages.by_file()), *_OTHERS]


@lru_cache(maxsize=512)
def stored(name: str) -> StoredFile | None:
    """Return a file of the page that is made from what the package knows; None where there is none of this name."""
    if name in _OTHERS:
        make, kind = _OTHERS[name]
        return StoredFile(make(), kind)
    if name in _DATA:
        return StoredFile(json_bytes(_DATA[name]()), JSON)
    found = measure_pages.by_file().get(name.removeprefix("api/"))
    return None if found is None else StoredFile(json_bytes(measure_pages.page(found)), JSON)
