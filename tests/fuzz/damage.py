"""Whole files of every format that is read, and what becomes of them when bytes are lost, moved or overwritten."""

from __future__ import annotations

import bz2
import gzip
import io
import json
import lzma
from random import Random

import numpy as np
import pyarrow as pa
from pyarrow import feather, ipc, parquet

LABELS = ["ham", "spam", "eggs", 'a "quote"', "ä,ö", "", "007", "7", "1e5", "null"]
_NUMBERS = (0x7FFFFF00, 0xFFFFFFFF, 0x80000000, 0, 1, 0x100)
_PIECES = (
    b'"',
    b"\n",
    b"\r",
    b"\r\n",
    b",",
    b"\x00",
    b"\xff",
    b"\xef\xbb\xbf",
    b"{",
    b"]",
    b"[" * 3000,
    b"\\u12",
    b"1e999",
)


def seeds(rng: Random) -> dict[str, bytes]:
    """A whole file of each format, by name; what is called matrix is a confusion matrix."""
    rows = [(rng.choice(LABELS), rng.choice(LABELS), rng.random()) for _ in range(60)]
    table = pa.table({"y": [x for x, _, _ in rows], "A": pa.array([x for _, x, _ in rows]).dictionary_encode(),
                      "w": [x for _, _, x in rows]})  # fmt: skip
    text = "".join(f'{x.replace(",", ".")!s},"{y.replace(chr(34), chr(34) * 2)}",{w}\n' for x, y, w in rows)
    csv = ("y,A,w\n" + text.replace('a "quote"', "a quote")).encode()
    plain = b"y,A,w\n" + b"".join(f"{LABELS[k % 3]},{LABELS[k % 2]},1\n".encode() for k in range(60))
    lines = "".join(json.dumps({"y": x, "A": y, "w": w}) + "\n" for x, y, w in rows).encode()
    matrix = np.array([[50, 3, 1], [4, 20, 0], [2, 2, 9]])
    return {
        "csv": csv, "plain csv": plain, "tsv": plain.replace(b",", b"\t"), "json lines": lines,
        "json": json.dumps([json.loads(x) for x in lines.splitlines()]).encode(),
        "parquet": _written(parquet.write_table, table),
        "feather": _written(feather.write_feather, table, compression="lz4"),
        "arrow": _written(feather.write_feather, table, compression="uncompressed"), "arrow stream": _stream(table),
        "gzip": gzip.compress(csv), "bz2": bz2.compress(csv), "xz": lzma.compress(csv),
        "zstd": pa.Codec("zstd").compress(csv, asbytes=True),
        "gzip of parquet": gzip.compress(_written(parquet.write_table, table)),
        "matrix npy": _written(lambda x, out: np.save(out, x), matrix),
        "matrix json": json.dumps({"labels": ["a", "b", "c"], "counts": matrix.tolist()}).encode(),
        "matrix csv": b"t,a,b,c\na,50,3,1\nb,4,20,0\nc,2,2,9\n",
        "matrix zstd": pa.Codec("zstd").compress(b"50 3\n4 20\n", asbytes=True),
    }  # fmt: skip


def _written(write, table, **options) -> bytes:
    out = io.BytesIO()
    write(table, out, **options)
    return out.getvalue()


def _stream(table: pa.Table) -> bytes:
    out = io.BytesIO()
    with ipc.new_stream(out, table.schema) as stream:
        stream.write_table(table, max_chunksize=25)
    return out.getvalue()


def damaged(content: bytes, rng: Random) -> bytes:
    """The content after one or several accidents."""
    found = bytearray(content)
    for _ in range(rng.choice((1, 1, 2, 5, 20))):
        at = rng.randrange(len(found) + 1)
        how = rng.randrange(7)
        if how == 0:
            found[at : at + 1] = bytes([rng.randrange(256)])
        elif how == 1:
            found[at & ~3 : (at & ~3) + 4] = rng.choice(_NUMBERS).to_bytes(4, "little")
        elif how == 2:
            found[at & ~7 : (at & ~7) + 8] = rng.choice((1 << 62, 1 << 40, (1 << 64) - 1, 1 << 31)).to_bytes(
                8, "little"
            )
        elif how == 3:
            del found[at:]
        elif how == 4:
            del found[at : at + rng.randrange(1, 40)]
        elif how == 5:
            found[at:at] = rng.choice(_PIECES)
        else:
            found[at:at] = found[at : at + rng.randrange(1, 200)]
    return bytes(found)
