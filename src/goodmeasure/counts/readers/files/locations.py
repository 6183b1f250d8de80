"""Where the data are that a user names: a path with ~, a file:// address, `file.xlsx::Sheet`; never the network."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

from goodmeasure.exceptions import MissingFileError

_ADDRESS = re.compile(r"([A-Za-z][A-Za-z0-9+.-]+):(/+)(.*)", re.DOTALL)  # a drive such as C: has one letter


class Location(NamedTuple):
    """A path, and the sheet or table in it that is meant, if one is named."""

    path: str
    table: str | None = None

    def __str__(self) -> str:
        return self.path if self.table is None else f"{self.path}::{self.table}"


def located(name: str | os.PathLike[str]) -> Location:
    """Return where the data are that are called so; a file that has exactly this name is always meant.

    >>> located("runs.xlsx::March")
    Location(path='runs.xlsx', table='March')
    >>> located("s3://bucket/p.parquet")
    Traceback (most recent call last):
        ...
    goodmeasure.exceptions.MissingFileError: s3://bucket/p.parquet is not on this machine, and goodmeasure downloads nothing: download it, or read it with pandas or Polars and give the data frame
    """  # noqa: E501 - the message is one line
    text = os.fspath(name)
    if _exists(text):
        return Location(text)
    path, sign, table = text.rpartition("::")
    if not sign or not path:
        return Location(_local(text))
    return Location(_local(path), table)


def _exists(text: str) -> bool:
    try:
        return os.path.lexists(text)
    except ValueError:  # a null character
        return False


def _local(text: str) -> str:
    """Return a path of this machine."""
    address = _ADDRESS.fullmatch(text)
    if address is None:
        return os.path.expanduser(text)
    scheme, slashes, rest = address.groups()
    if scheme.lower() != "file":
        whole = text if len(slashes) > 1 else f"{scheme}://{rest}"  # a Path has lost a slash
        raise MissingFileError(
            "{got} is not on this machine, and goodmeasure downloads nothing", got=whole,
            advice="download it, or read it with pandas or Polars and give the data frame",
        )  # fmt: skip
    if len(slashes) == 2:
        return unquote(urlsplit(text).path)
    return unquote(f"/{rest}")


def is_there(name: str | os.PathLike[str]) -> bool:
    """Return whether a name leads to something on this machine."""
    return Path(located(name).path).exists()
