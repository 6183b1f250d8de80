"""Writing a result: which ending means which format, and files that are whole or not there."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

from goodmeasure.evaluation.result import Result

ENDINGS = {".html": "html", ".htm": "html", ".md": "markdown", ".markdown": "markdown", ".tex": "latex",
           ".json": "json", ".csv": "csv"}  # fmt: skip


def write(result: Result, format: str, path: str | os.PathLike[str] | None = None) -> str:
    """The report in a format, as text; also in a file, if one is named."""
    text = _writer(format)(result)
    if path is not None:
        write_file(path, text)
    return text


def save(result: Result, path: str | os.PathLike[str]) -> None:
    """Write the report in the format of the file's ending."""
    write(result, format_of(path), path)


def format_of(path: str | os.PathLike[str]) -> str:
    """The format that a file's ending stands for."""
    ending = Path(path).suffix.lower()
    if ending not in ENDINGS:
        raise ValueError(f"{os.fspath(path)!r} ends in {ending or 'nothing'!r}: use .html, .md, .tex, .json or .csv")
    return ENDINGS[ending]


def _writer(format: str) -> Callable[[Result], str]:
    if format in ("json", "csv"):
        module, name = {"json": ("data", "to_json"), "csv": ("tabular", "to_csv")}[format]
        found: Callable[[Result], str] = getattr(import_module(f"goodmeasure.report.{module}"), name)
        return found
    from goodmeasure.report.contents import contents

    render: Callable[[Any], str] = getattr(import_module(f"goodmeasure.report.{format}"), format)
    return lambda result: render(contents(result))


def plain(result: Result) -> str:
    """What a result prints as: its scorecards."""
    from goodmeasure.report.contents import contents

    shown = []
    document = contents(result)
    for block in document.section("scorecard").blocks:
        columns, rows = block.columns, [[cell.text for cell in row] for row in block.rows]  # type: ignore[union-attr]
        widths = [max(len(line[k]) for line in [columns, *rows]) for k in range(len(columns))]
        lines = [
            "  ".join(
                x.rjust(w) if k else x.ljust(w) for k, (x, w) in enumerate(zip(line, widths, strict=True))
            ).rstrip()
            for line in [columns, *rows]
        ]
        shown.append("\n".join([block.caption, *lines]))  # type: ignore[union-attr]
    return "\n\n".join([document.title, *shown])


def write_file(path: str | os.PathLike[str], text: str) -> None:
    """Write a file so that it is whole or not there: beside its place first, then moved onto it."""
    target = Path(path)
    try:
        handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.", suffix=".part")
    except OSError as error:
        raise type(error)(_cannot(target, error)) from None
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(name, 0o666 & ~_umask())
        os.replace(name, target)
    except OSError as error:
        Path(name).unlink(missing_ok=True)
        raise type(error)(_cannot(target, error)) from None
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def _cannot(target: Path, error: OSError) -> str:
    return f"cannot write {target}: {(error.strerror or str(error)).lower()}"


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
