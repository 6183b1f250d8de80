"""Write the tutorials as notebooks with outputs: `make tutorials` executes every page of this folder."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path

import nbformat
from nbclient import NotebookClient

HERE = Path(__file__).parent


def notebook(text: str) -> nbformat.NotebookNode:
    """Return a page of Markdown as a notebook: its blocks of Python are cells."""
    cells = []
    for k, part in enumerate(re.split(r"^```python\n(.*?)^```$", text, flags=re.DOTALL | re.MULTILINE)):
        source = part.strip("\n")
        if source:
            make = nbformat.v4.new_code_cell if k % 2 else nbformat.v4.new_markdown_cell
            cells.append(make(source, id=f"cell-{len(cells)}"))
    return nbformat.v4.new_notebook(cells=cells, metadata={"kernelspec": {"name": "python3", "display_name": "Python"}})


def main(names: list[str]) -> None:
    """Execute the pages with these names, or all."""
    os.environ["COLUMNS"] = "84"  # as wide as the site shows
    for path in sorted(HERE.glob("*.md")):
        if path.stem == "index" or (names and path.stem not in names):
            continue
        found = notebook(path.read_text(encoding="utf-8"))
        NotebookClient(found, timeout=300, kernel_name="python3").execute()
        for cell in found.cells:
            cell.metadata.pop("execution", None)  # when it ran
        nbformat.write(found, path.with_suffix(".ipynb"))
        print(path.stem, flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
