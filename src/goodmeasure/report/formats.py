"""Writing a result: which ending means which format, and files that are whole or not there."""

from __future__ import annotations

import errno
import os
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path

from goodmeasure.evaluation.result import Result
from goodmeasure.report.document import Document, Grid

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


def save_all(result: Result, paths: Sequence[str]) -> None:
    """Write several reports, each in the format of its ending: all of them or none."""
    write_files({path: _writer(format_of(path))(result) for path in paths})


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

    return lambda result: rendered(contents(result), format)


def rendered(document: Document, format: str) -> str:
    """A report in a format that shows it as it is: html, markdown or latex."""
    render: Callable[[Document], str] = getattr(import_module(f"goodmeasure.report.{format}"), format)
    return render(document)


def plain(result: Result) -> str:
    """What a result prints as: its scorecards."""
    from goodmeasure.report.contents import contents

    document = contents(result)
    shown = [grid_text(block) for block in document.section("scorecard").blocks if isinstance(block, Grid)]
    return "\n\n".join([document.title, *shown])


def grid_text(grid: Grid) -> str:
    """A table as lines of text."""
    columns, rows = grid.columns, [[cell.text for cell in row] for row in grid.rows]
    widths = [max(len(line[k]) for line in [columns, *rows]) for k in range(len(columns))]
    lines = [
        "  ".join(x.rjust(w) if k else x.ljust(w) for k, (x, w) in enumerate(zip(line, widths, strict=True))).rstrip()
        for line in [columns, *rows]
    ]
    return "\n".join([grid.caption, *lines])


def write_file(path: str | os.PathLike[str], text: str) -> None:
    """Write a file so that it is whole or not there: beside its place first, then moved onto it."""
    write_files({path: text})


def write_files(texts: Mapping[str | os.PathLike[str], str]) -> None:
    """Write files of which all are whole, or none is there: each beside its place first, then all are moved."""
    staged: list[tuple[str, Path]] = []
    try:
        for path, text in texts.items():
            _stage(Path(path), text, staged)
        for name, target in staged:
            with _said_of(target):
                os.replace(name, target)
    except BaseException:
        for name, _ in staged:
            Path(name).unlink(missing_ok=True)
        raise


def _stage(target: Path, text: str, staged: list[tuple[str, Path]]) -> None:
    """Write a file beside its place, and note where."""
    with _said_of(target):
        if target.is_dir():
            raise IsADirectoryError(errno.EISDIR, "is a directory")
        handle, name = tempfile.mkstemp(dir=target.parent, prefix=".goodmeasure-", suffix=".part")
        staged.append((name, target))
        # half of a pair of surrogates, as in names of files that are no UTF-8, is written as an escape
        with os.fdopen(handle, "w", encoding="utf-8", errors="backslashreplace", newline="\n") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(name, 0o666 & ~_umask())


@contextmanager
def _said_of(target: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise type(error)(_cannot(target, error)) from None


def _cannot(target: Path, error: OSError) -> str:
    return f"cannot write {target}: {(error.strerror or str(error)).lower()}"


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
