"""Writing files completely or not at all."""

from __future__ import annotations

import errno
import os
import stat
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from goodmeasure.exceptions import file_error


def write_file(path: str | os.PathLike[str], text: str) -> None:
    """Write a file completely or not at all."""
    write_files({path: text})


def write_files(texts: Mapping[str | os.PathLike[str], str]) -> None:
    """Write all of several files completely, or none of them: each under a temporary name first, then all are moved.

    An existing file keeps its mode, and a link keeps pointing to its file, which is the one that is replaced.
    """
    staged: list[tuple[str, Path, Path]] = []
    try:
        for path, text in texts.items():
            _stage(Path(path), text, staged)
        for name, target, path in staged:
            with _said_of(path):
                os.replace(name, target)
    except BaseException:
        for name, _, _ in staged:
            Path(name).unlink(missing_ok=True)
        raise


def _stage(path: Path, text: str, staged: list[tuple[str, Path, Path]]) -> None:
    """Write a temporary file beside its target, and add both to `staged`."""
    with _said_of(path):
        target = Path(os.path.realpath(path))
        if target.is_dir():
            raise IsADirectoryError(errno.EISDIR, "is a directory")
        if target.exists() and not target.is_file():
            raise OSError(errno.EINVAL, "it is no regular file")  # a device must not be replaced
        mode = stat.S_IMODE(target.stat().st_mode) if target.exists() else 0o666 & ~_umask()
        handle, name = tempfile.mkstemp(dir=target.parent, prefix=".goodmeasure-", suffix=".part")
        staged.append((name, target, path))
        # a lone surrogate, as in file names that are not UTF-8, is written as an escape
        with os.fdopen(handle, "w", encoding="utf-8", errors="backslashreplace", newline="\n") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(name, mode)


@contextmanager
def _said_of(target: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise file_error(error, "cannot write {got}: {why}", got=target) from None


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
