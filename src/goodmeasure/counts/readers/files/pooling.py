"""Which files are read as one data set, and when that is refused because items would be counted twice."""

from __future__ import annotations

import glob
import os
import shlex
from collections.abc import Callable, Sequence
from pathlib import Path

from goodmeasure.counts.readers.files.containers import container_of
from goodmeasure.counts.readers.files.file_formats import LabelFile
from goodmeasure.counts.readers.files.locations import Location, located
from goodmeasure.exceptions import DirectoryError, Either, InputError, MissingFileError


def expanded(paths: Sequence[str | Path]) -> list[list[str | Path]]:
    """Return the files that each name or pattern stands for; a name that is a file is never a pattern."""
    if not paths:
        raise InputError("no file is given", argument="files", advice="name at least one, or - for standard input")
    return [_matching(path) for path in paths]


def _matching(path: str | Path) -> list[str | Path]:
    """Return the files that one name or pattern stands for."""
    if path == "-":
        return [path]
    place = located(path)
    if Path(place.path).is_dir() and container_of(Path(place.path)) is None:
        raise DirectoryError(
            "{got} is a directory without Parquet files", got=path,
            advice="name its files, for example by the pattern {got}/*.csv",
        )  # fmt: skip
    if Path(place.path).exists():
        return [str(place) if place.table is not None else path]
    if not glob.has_magic(place.path):
        raise MissingFileError("there is no file {got}", got=place.path)
    matching = sorted(x for x in glob.glob(place.path, recursive=True) if Path(x).is_file())
    if not matching:
        raise MissingFileError("no file matches the pattern {got}", got=place.path)
    return [str(place._replace(path=x)) for x in matching]


def check_named_once(paths: Sequence[str | Path]) -> None:
    """Refuse the same file under two names, since its items would be counted twice."""
    seen: dict[tuple[int, int, str | None], str | Path] = {}
    for path in paths:
        place = Location("-") if path == "-" else located(path)
        if path == "-":
            key: tuple[int, int, str | None] = (-1, -1, None)
        elif Path(place.path).is_file() or Path(place.path).is_dir():
            found = os.stat(place.path)
            key = (found.st_dev, found.st_ino, place.table)
        else:
            continue  # a pipe, which may give different data each time it is opened
        if key in seen:
            first = "standard input" if path == "-" else str(seen[key])
            what = "is named twice" if path in ("-", seen[key]) else f"and {path} are the same file"
            raise InputError(
                "{first} {what}", first=first, what=what, advice="name it once, as its items would be counted twice"
            )
        seen[key] = path


def check_parts(
    arguments: Sequence[Sequence[LabelFile]], names_of: Callable[[LabelFile], Sequence[str]],
    rows_of: Callable[[LabelFile], int], ids_of: Callable[[LabelFile, str], set[str]],
) -> None:  # fmt: skip
    """Refuse files that look like the predictions of several systems for the same items.

    Each of `arguments` is what the user named as one: a file, or all files of a pattern. Two of them with the same
    columns are rarely parts of one data set if they have equally many rows, or begin with the same ids: pooling them
    would count items twice.
    """
    seen: dict[tuple[frozenset[str], int], LabelFile] = {}
    begun: dict[frozenset[str], list[tuple[LabelFile, set[str]]]] = {}
    for sources in arguments:
        if not sources:
            continue
        names = names_of(sources[0])
        key = frozenset(names), sum(map(rows_of, sources))
        other = seen.setdefault(key, sources[0])
        if other is not sources[0]:
            raise _two_systems(other, sources[0], f"{key[1]:,} rows each")
        id = next((x for x in names if _plain(x) in _IDS), None)
        ids = set() if id is None else ids_of(sources[0], id)
        for earlier, known in begun.setdefault(key[0], []):
            if 2 * len(ids & known) > min(len(ids), len(known)):
                raise _two_systems(earlier, sources[0], f"values of {id!r} in common")
        begun[key[0]].append((sources[0], ids))


_IDS = {"id", "item", "itemid", "docid", "sampleid", "exampleid", "questionid", "qid", "uid", "uuid", "guid"}


def _plain(name: str) -> str:
    return "".join(x for x in name.lower() if x.isalpha())


def _two_systems(first: LabelFile, second: LabelFile, alike: str) -> InputError:
    return InputError(
        "{first} and {second} have the same columns and {alike}, so they may hold the predictions of two systems for "
        "the same items",
        advice="{two}if the files are parts of one data set, {say}name them by one pattern in quotes, such as "
        "'part-*.csv'",
        first=first.shown,
        second=second.shown,
        alike=alike,
        two=_as_runs(first.shown, second.shown),
        say=Either("say so with pool=True or ", "say so with {pool} or "),
    )


def _as_runs(first: str, second: str) -> Either:
    """Return how to say that two files are runs of two systems, joined by the ids of their items."""
    return Either(
        f"to compare them, name the systems and the column of the items' ids, {{'A': {first!r}, 'B': {second!r}}} with "
        "id='…'; ",
        "to compare them, name the systems and the column of the items' ids, "
        f"A={_typed(first)} B={_typed(second)} {{id:=COLUMN}}; ",
    )


def _typed(path: str) -> str:
    """Return a path as it is typed in a shell, within a template."""
    return shlex.quote(path).replace("{", "{{").replace("}", "}}")
