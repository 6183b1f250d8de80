"""The formats a report can be written in.

A format is a module with an object `FORMAT`, and is listed in `formats` below. The modules that know how a kind of
result is written register it with `goodmeasure.evaluation.writing` when they are imported, which `load` does.
"""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from goodmeasure.exceptions import InputError

if TYPE_CHECKING:
    from goodmeasure.report.formats.format import Format


@cache
def formats() -> dict[str, Format]:
    """Return every format by its name, in the order in which messages list them."""
    from goodmeasure.report.formats import html, json_data, junit, latex, markdown, tabular

    listed = (html.FORMAT, markdown.FORMAT, latex.FORMAT, json_data.FORMAT, tabular.FORMAT, junit.FORMAT)
    return {x.name: x for x in listed}


def format_of(path: str | os.PathLike[str]) -> str:
    """Return the name of the format that a file's ending stands for."""
    known, ending = formats().values(), Path(path).suffix.lower()
    found = next((x.name for x in known if ending in x.endings), None)
    if found is None:
        *usual, last = (x.endings[0] for x in known)
        raise InputError(
            "the file name {path!r} ends in {ending!r}" if ending else "the file name {path!r} has no extension",
            path=os.fspath(path),
            ending=ending,
            known=", ".join(usual),
            last=last,
            advice="use {known} or {last}",
        )
    return found


def load() -> None:
    """Import the modules that register how results, comparisons and sweeps are written."""
    from goodmeasure.report.formats import (  # noqa: F401 - importing them registers them
        comparison_formats,
        evaluation_formats,
        multilabel_formats,
        sweep_formats,
    )
