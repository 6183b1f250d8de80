"""Compressed files: recognising the compression, reading them, and checking that they are complete."""

from __future__ import annotations

import bz2
import gzip
import lzma
import sys
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, cast

from goodmeasure.exceptions import InputError, InputOSError, MissingPackageError, file_error

MAGIC = {
    "gzip": (b"\x1f\x8b",),
    "zstd": (b"\x28\xb5\x2f\xfd", *(bytes([k]) + b"\x2a\x4d\x18" for k in range(0x50, 0x60))),
    "bz2": (b"BZh",),
    "xz": (b"\xfd7zXZ\x00",),
}
READ_BY_DUCKDB = ("none", "gzip", "zstd")
PIECE = 1 << 20
_FIRST_LINES = 200


class BrokenFileError(InputError):
    """A compressed file ends early or does not match its checksum."""


class NotCopiedError(InputOSError):
    """A temporary copy could not be written."""


@contextmanager
def said_of_file(shown: str, folder: Path) -> Iterator[None]:
    """Name the file in every error that is raised while it is unpacked and copied to the folder inside the block."""
    try:
        yield
    except BrokenFileError as error:
        raise broken(shown, error) from None
    except MissingPackageError:  # of a sheet or a database, which say what they need
        raise
    except ImportError:
        raise InputError(
            "{shown} is compressed with zstd and holds no UTF-8 text", shown=shown,
            advice="unpack it, for example with zstd -d, or install PyArrow (pip install pyarrow), "
            "which unpacks it here",
        ) from None  # fmt: skip
    except NotCopiedError as error:
        raise NotCopiedError(
            "{shown} has to be copied before it can be counted, and the copy in {folder} could not be written ({why})",
            shown=shown, folder=folder, why=error,
            advice="make room there, or name another folder with the environment variable TMPDIR",
        ) from None  # fmt: skip
    except OSError as error:
        raise file_error(error, "{got} cannot be read: {why}", got=shown) from None


def broken(shown: str, error: BrokenFileError) -> InputError:
    """Return the error about a damaged file that names the file."""
    return InputError(
        "{shown} is damaged or cut off ({why})", shown=shown, why=error, advice="get or compress it again"
    )


def compression_of(start: bytes) -> str:
    """Return the compression of a file by its first bytes, whatever its name says.

    >>> compression_of(gzip.compress(b"text")), compression_of(b"text")
    ('gzip', 'none')
    """
    return next((name for name, starts in MAGIC.items() if start.startswith(starts)), "none")


def opened(path: Path, compression: str) -> IO[bytes]:
    """Return a file as a stream of its uncompressed bytes; raise ImportError if nothing here can read zstd."""
    if compression == "zstd":
        return _opened_zstd(path)
    openers: dict[str, Callable[[Path, str], object]] = {
        "none": open,
        "gzip": gzip.open,
        "bz2": bz2.open,
        "xz": lzma.open,
    }
    return cast(IO[bytes], openers[compression](path, "rb"))  # in this mode all of them return bytes


def _opened_zstd(path: Path) -> IO[bytes]:
    stream: IO[bytes]
    try:
        from compression import zstd  # type: ignore[import-not-found,unused-ignore] # Python 3.14 and newer

        stream = zstd.open(path, "rb")
    except ImportError:
        import pyarrow

        stream = pyarrow.input_stream(str(path), compression="zstd")
    return stream


def beginning(path: Path, compression: str, size: int = PIECE) -> bytes:
    """Return the first bytes of the contents of a file."""
    if compression == "zstd":
        check_whole(path, compression)
    try:
        with said_broken(), opened(path, compression) as stream:
            return stream.read(size)
    except ImportError:
        lines = _lines_by_duckdb(path, _FIRST_LINES)
        if lines is None:
            raise
        return lines


def everything(path: Path, compression: str) -> bytes:
    """Return the whole contents of a file."""
    if compression == "zstd":
        check_whole(path, compression)
    try:
        with said_broken(), opened(path, compression) as stream:
            return stream.read()
    except ImportError:
        lines = _lines_by_duckdb(path)
        if lines is None:
            raise
        return lines


@contextmanager
def said_broken() -> Iterator[None]:
    """Turn whatever a decompressor raises for damaged data inside the block into a `BrokenFileError`."""
    try:
        yield
    except (EOFError, zlib.error, gzip.BadGzipFile, lzma.LZMAError) as error:
        raise BrokenFileError("{why}", why=error) from None
    except OSError as error:
        if error.errno is None:  # what bz2 and PyArrow raise for invalid data
            raise BrokenFileError("{why}", why=error) from None
        raise


def _lines_by_duckdb(path: Path, most: int | None = None) -> bytes | None:
    """Return the first lines of a zstd file, or all of them, read by DuckDB; None if the file does not hold text.

    Python reads zstd only from version 3.14 on.
    """
    from goodmeasure.counts.readers.duckdb_engine import literal_path
    from goodmeasure.packages import duckdb

    with duckdb.connect(":memory:", config={"autoload_known_extensions": "false"}) as connection:
        found = connection.sql(
            f"SELECT line FROM read_csv([{literal_path(path)}], auto_detect=false, columns={{'line': 'VARCHAR'}}, "
            "delim='\x01', quote='', escape='', header=false, strict_mode=false, compression='zstd')"
            + (f" LIMIT {most}" if most is not None else "")
        )
        try:
            lines = found.fetchall()
        except duckdb.InvalidInputException:
            return None
        except duckdb.Error as error:
            raise BrokenFileError("{why}", why=str(error).splitlines()[0]) from None
    return "\n".join("" if line is None else str(line) for (line,) in lines).encode() + b"\n" * bool(lines)


def standard_input() -> IO[bytes]:
    """Return the stream of bytes of standard input, which the caller may have closed."""
    if sys.stdin is None:
        raise InputOSError("it is closed")
    return sys.stdin.buffer


def copied(stream: IO[bytes], target: Path, start: bytes = b"") -> None:
    """Write a stream to a file, piece by piece, and tell failures to write from failures to read.

    Each piece is what a single system call returns, so that a signal between two calls is noticed at once, and not only
    after a pipe has filled a large buffer.
    """
    read = getattr(stream, "read1", stream.read)
    reads = False
    try:
        with said_broken(), target.open("wb") as out:
            out.write(start)
            while True:
                reads = True
                piece = read(PIECE)
                reads = False
                if not piece:
                    break
                out.write(piece)
    except OSError as error:
        if reads:
            raise
        raise NotCopiedError("{why}", why=(error.strerror or str(error)).lower()) from None


def check_whole(path: Path, compression: str) -> None:
    """Refuse a file that is cut off or damaged, since DuckDB would read its beginning without an error."""
    if compression == "gzip":
        with said_broken(), gzip.open(path, "rb") as stream:
            while stream.read(PIECE):
                pass
    elif compression == "zstd":
        with path.open("rb") as stream:
            _check_frames(stream, path.stat().st_size)


def _check_frames(stream: IO[bytes], size: int) -> None:
    """Walk over the frames and blocks of a zstd file, as RFC 8878 lays them out, without decompressing them."""

    def number(length: int) -> int:
        piece = stream.read(length)
        if len(piece) < length:
            raise BrokenFileError("it ends early")
        return int.from_bytes(piece, "little")

    while stream.tell() < size:
        magic = number(4)
        if magic & 0xFFFFFFF0 == 0x184D2A50:
            stream.seek(number(4), 1)
        elif magic == 0xFD2FB528:
            described = number(1)
            single = described >> 5 & 1
            stream.seek((not single) + (0, 1, 2, 4)[described & 3] + (single, 2, 4, 8)[described >> 6], 1)
            last = False
            while not last:
                block = number(3)
                last = bool(block & 1)
                stream.seek(1 if block >> 1 & 3 == 1 else block >> 3, 1)
            stream.seek(4 * (described >> 2 & 1), 1)
        else:
            raise BrokenFileError("it holds something else after its data")
        if stream.tell() > size:
            raise BrokenFileError("it ends early")
