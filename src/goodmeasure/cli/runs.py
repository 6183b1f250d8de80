"""Files that are named as systems on the command line: `A=a.jsonl B=b.jsonl --id item`."""

from __future__ import annotations

import glob
import os
from collections.abc import Sequence
from pathlib import Path

from goodmeasure.counts.readers.files.pooling import expanded
from goodmeasure.exceptions import InputError


def data_of(files: Sequence[str], id: str | None) -> dict[str, list[str]] | list[str | Path]:
    """Return the runs by system where files are named or have an id, and a list of paths otherwise.

    >>> data_of(["A=a.csv", "B=b.csv"], "item")
    {'A': ['a.csv'], 'B': ['b.csv']}
    """
    named = [_split(x) for x in files]
    if all(name is None for name, _ in named):
        return [x if x == "-" else Path(x) for x in files] if id is None else _by_file_name(files)
    unnamed = next((path for name, path in named if name is None), None)
    if unnamed is not None:
        raise InputError(
            "{file} has no name, and other files have one", file=unnamed, advice="name every run, as in NAME={file}"
        )
    runs: dict[str, list[str]] = {}
    for name, path in named:
        runs.setdefault(str(name), []).append(path)
    return runs


def columns_of(columns: Sequence[str] | None, data: object) -> dict[str, str] | Sequence[str] | None:
    """Return the columns of predictions, by run if they are given for each run: `--pred A=answer --pred B=choice`."""
    if columns is None or not isinstance(data, dict):
        return columns
    pairs = [x.partition("=") for x in columns]
    if pairs and all(sign and name in data for name, sign, _ in pairs):
        return {name: column for name, _, column in pairs}
    return columns


def paths_of(files: Sequence[str]) -> tuple[str, ...]:
    """Return the files without the names of their systems."""
    return tuple(path for _, path in map(_split, files))


def _split(text: str) -> tuple[str | None, str]:
    """Return the name of a run and its file; what is a file, or a pattern that matches some, has no name."""
    name, sign, path = text.partition("=")
    if not sign or not name or not path or "/" in name or os.path.exists(text) or glob.glob(text, recursive=True):
        return None, text
    return name, path


def _by_file_name(files: Sequence[str]) -> dict[str, list[str]]:
    """Return each file as a run that is called like it."""
    paths = [str(path) for found in expanded(files) for path in found]
    stems = [Path(path).name.split(".")[0] for path in paths]
    distinct = len(set(stems)) == len(stems)
    return {stem if distinct else path: [path] for stem, path in zip(stems, paths, strict=True)}
