"""The formats a report can be written in.

A module of this folder that registers a `Format` (`format.py`) is a format, and one that registers a writer with
`goodmeasure.evaluation.writing` says how a kind of result is written. Nothing else lists them.
"""

from __future__ import annotations

import os
from functools import cache
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import TYPE_CHECKING

from goodmeasure.exceptions import InputError, InputTypeError

if TYPE_CHECKING:
    from goodmeasure.report.formats.format import Format


@cache
def load() -> None:
    """Import the modules of this folder, so that formats and writers register themselves."""
    for module in iter_modules(__path__):
        import_module(f"{__name__}.{module.name}")


@cache
def formats() -> dict[str, Format]:
    """Return every format by its name, in the order in which messages list them."""
    from goodmeasure.report.formats.format import REGISTERED

    load()
    return {x.name: x for x in sorted(REGISTERED, key=lambda x: x.place)}


def offered() -> dict[str, Format]:
    """Return the formats that the local page offers, by the ending of the file."""
    return {x.endings[0].removeprefix("."): x for x in formats().values() if x.media_type is not None}


def endings() -> str:
    """Return the usual endings of files, as messages and help texts list them.

    >>> endings()
    '.html, .md, .tex, .json, .csv or .xml'
    """
    *first, last = (x.endings[0] for x in formats().values())
    return f"{', '.join(first)} or {last}"


def check_path(path: object) -> None:
    """Refuse what cannot be the path of a file."""
    if not isinstance(path, (str, os.PathLike)):
        raise InputTypeError("{path} is {got!r}", got=path, expected="the path of a file")


def format_of(path: str | os.PathLike[str]) -> str:
    """Return the name of the format that a file's ending stands for."""
    check_path(path)
    known, ending = formats().values(), Path(path).suffix.lower()
    found = next((x.name for x in known if ending in x.endings), None)
    if found is None:
        raise InputError(
            "the file name {path!r} ends in {ending!r}" if ending else "the file name {path!r} has no extension",
            argument="path",
            path=os.fspath(path),
            ending=ending,
            known=endings(),
            advice="use {known}",
        )
    return found
