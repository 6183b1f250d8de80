"""Sheets of Excel and OpenDocument workbooks, through python-calamine; the first row names the columns."""

from __future__ import annotations

import csv
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING

from goodmeasure.counts.readers.files.file_formats import LabelFile, number_columns
from goodmeasure.exceptions import InputError, MissingPackageError

if TYPE_CHECKING:
    from python_calamine import CalamineWorkbook

    from goodmeasure.counts.readers.files.private_engine import PrivateEngine

_PARTS = ("xl/workbook.xml", "xl/workbook.bin", "content.xml")  # xlsx, xlsb, ods


class Workbook:
    """Reads the sheets of a workbook as text, as if they had been saved as CSV."""

    what, unit = "an Excel workbook", "sheet"

    def knows(self, path: Path, start: bytes) -> bool:
        """Return whether a file is a workbook; one of other kinds of zip archives is not."""
        if start.startswith(b"\xd0\xcf\x11\xe0"):
            return True
        if not start.startswith(b"PK\x03\x04"):
            return False
        try:
            with zipfile.ZipFile(path) as archive:
                return any(x in archive.namelist() for x in _PARTS)
        except zipfile.BadZipFile:
            return False

    def tables(self, path: Path, engine: PrivateEngine) -> list[str]:
        """Return the names of the sheets that hold anything."""
        book = _opened(path)
        filled = [x for x in book.sheet_names if book.get_sheet_by_name(x).height]
        return filled or list(book.sheet_names)

    def table(self, path: Path, shown: str, name: str, engine: PrivateEngine) -> LabelFile:
        """Write a sheet as CSV, and return how that is read."""
        rows = ([_text(x) for x in row] for row in _opened(path).get_sheet_by_name(name).to_python())
        filled = (row for row in rows if any(row))
        header = next(filled, None)
        if header is None:
            raise InputError("{shown} is empty", shown=shown, advice="there is nothing to count")
        rest = list(filled)
        target = engine.new_file()
        with target.open("w", encoding="utf-8", newline="") as stream:
            # in quotes, since a lone carriage return would get none; line breaks in the header are kept from DuckDB
            writer = csv.writer(stream, lineterminator="\n", quoting=csv.QUOTE_ALL)
            writer.writerow([f"c{k}" for k in range(len(header))])
            writer.writerows(rest)
        commas, lacking = number_columns([header, *rest])
        return LabelFile(target, shown, "csv", names=tuple(header), commas=commas, lacking=lacking)


def _opened(path: Path) -> CalamineWorkbook:
    try:
        from python_calamine import CalamineError, CalamineWorkbook
    except ImportError:
        raise MissingPackageError(
            "an Excel workbook needs the extra excel",
            advice="pip install 'goodmeasure[excel]', or save the sheet as CSV",
        ) from None
    try:
        return CalamineWorkbook.from_path(str(path))
    except CalamineError as error:
        why = str(error).splitlines()[0] if str(error) else "it cannot be opened"
        raise InputError("the workbook cannot be read ({why})", why=why, advice="save it again, or as CSV") from None


def _text(value: object) -> str:
    """Return a cell as CSV has it; a whole number has no fraction, as Excel shows it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() and abs(value) < 2**53 else repr(value)
    return str(value)
