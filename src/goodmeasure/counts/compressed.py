"""Compressed files: which compression, their beginning, and whether they are whole."""

from __future__ import annotations

import bz2
import gzip
import lzma
import zlib
from pathlib import Path
from typing import IO, Any

MAGIC = {
    "gzip": (b"\x1f\x8b",),
    "zstd": (b"\x28\xb5\x2f\xfd", *(bytes([k]) + b"\x2a\x4d\x18" for k in range(0x50, 0x60))),
    "bz2": (b"BZh",),
    "xz": (b"\xfd7zXZ\x00",),
}
READ_BY_DUCKDB = ("none", "gzip", "zstd")
PIECE = 1 << 20


class BrokenFileError(ValueError):
    """A compressed file that ends early or does not fit its checksum."""


def compression_of(start: bytes) -> str:
    """The compression of a file by its first bytes, whatever its name says.

    >>> compression_of(gzip.compress(b"text")), compression_of(b"text")
    ('gzip', 'none')
    """
    return next((name for name, starts in MAGIC.items() if start.startswith(starts)), "none")


def opened(path: Path, compression: str) -> IO[bytes]:
    """A file as a stream of what it holds; zstd only where Python reads it."""
    openers: dict[str, Any] = {"none": open, "gzip": gzip.open, "bz2": bz2.open, "xz": lzma.open}
    if compression == "zstd":
        from compression import zstd  # type: ignore[import-not-found,unused-ignore] # Python 3.14 and newer

        openers["zstd"] = zstd.open
    stream: IO[bytes] = openers[compression](path, "rb")
    return stream


def beginning(path: Path, compression: str, size: int = PIECE) -> bytes:
    """The first bytes of what a file holds."""
    if compression == "zstd":
        return _beginning_by_duckdb(path)
    try:
        with opened(path, compression) as stream:
            return stream.read(size)
    except (EOFError, zlib.error, gzip.BadGzipFile, lzma.LZMAError) as error:
        raise BrokenFileError(str(error)) from None
    except OSError as error:
        if compression == "bz2" and error.errno is None:  # what the module raises for invalid data
            raise BrokenFileError(str(error)) from None
        raise


def _beginning_by_duckdb(path: Path) -> bytes:
    """The first lines of a zstd file, as not every Python can read it."""
    import duckdb

    from goodmeasure.counts.duck import literal_path

    with duckdb.connect(":memory:", config={"autoload_known_extensions": "false"}) as connection:
        lines = connection.execute(
            f"SELECT line FROM read_csv([{literal_path(path)}], auto_detect=false, columns={{'line': 'VARCHAR'}}, "
            "delim='\x01', quote='', escape='', header=false, strict_mode=false, compression='zstd') LIMIT 200"
        ).fetchall()
    return "\n".join("" if line is None else str(line) for (line,) in lines).encode() + b"\n" * bool(lines)


def copied(stream: IO[bytes], target: Path, start: bytes = b"") -> None:
    """Write a stream to a file, piece by piece."""
    try:
        with target.open("wb") as out:
            out.write(start)
            while piece := stream.read(PIECE):
                out.write(piece)
    except (EOFError, zlib.error, gzip.BadGzipFile, lzma.LZMAError) as error:
        raise BrokenFileError(str(error)) from None
    except OSError as error:
        if error.errno is None:
            raise BrokenFileError(str(error)) from None
        raise


def check_whole(path: Path, compression: str) -> None:
    """Refuse a file that was cut or damaged: DuckDB reads such a file without a word."""
    if compression == "gzip":
        try:
            with gzip.open(path, "rb") as stream:
                while stream.read(PIECE):
                    pass
        except (EOFError, zlib.error, gzip.BadGzipFile) as error:
            raise BrokenFileError(str(error)) from None
    elif compression == "zstd":
        with path.open("rb") as stream:
            _check_frames(stream, path.stat().st_size)


def _check_frames(stream: IO[bytes], size: int) -> None:
    """Walk over the frames and blocks of a zstd file, as RFC 8878 lays them out, without unpacking them."""

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
