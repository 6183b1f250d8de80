"""What has to be believed is what the kernel loads: it is small, and docs/certificates.md lists it with its lines."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path

import goodmeasure

ROOT = Path(goodmeasure.__file__).parent
DOCS = Path(__file__).parents[3] / "docs" / "certificates.md"
BEGIN, END = "<!-- trusted base -->\n", "<!-- end of the trusted base -->"
KERNEL = ROOT / "theory" / "kernel"
# What is there today, so that it does not grow. The aim is 2,500 and 4,000 lines.
FIXED = 4090  # lines of code for statements about a fixed number of classes, with everything that is loaded for them
ALL = 5576  # with all further kinds, which are loaded when a certificate names them
FURTHER = (
    "affine",
    "every",
    "sums",
    "guesses",
    "averaging",
    "chance",
    "smooth",
    "impossible",
    "possible",
    "preservation",
)
LOADED = """
import sys
import goodmeasure.theory.kernel
import goodmeasure.theory.kernel.proof
from pathlib import Path
found = {k: m for k, m in sys.modules.items() if k.startswith("goodmeasure.")}
print("\\n".join(str(Path(m.__file__)) for m in found.values()))
print("numpy" in sys.modules, "flint" in sys.modules)
"""


def lines(path):
    """Lines of code: without blank lines, comments and docstrings."""
    text = path.read_text(encoding="utf-8")
    skipped = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef)) and ast.get_docstring(node):
            skipped |= set(range(node.body[0].lineno, node.body[0].end_lineno + 1))
    kept = [x for k, x in enumerate(text.splitlines(), 1) if k not in skipped]
    return sum(bool(x.strip()) and not x.strip().startswith("#") for x in kept)


def loaded():
    """The files of the package that `import goodmeasure.theory.kernel` loads, and whether NumPy or FLINT is there."""
    printed = subprocess.run([sys.executable, "-c", LOADED], capture_output=True, text=True, check=True).stdout
    *names, others = printed.strip().split("\n")
    return {Path(x) for x in names}, others


def is_further(path):
    """Whether a file is about a kind of certificate beyond statements about a fixed number of classes."""
    return KERNEL in path.parents and path.stem.startswith(FURTHER)


def trusted():
    """The files that have to be believed: what is loaded, and what is loaded for further kinds when they are named."""
    found, _ = loaded()
    return sorted({*found, *KERNEL.rglob("*.py")} - {KERNEL / "__main__.py"})


def listed():
    """The list as it stands in the documentation."""
    text = ""
    files = trusted()
    further = [x for x in files if is_further(x)]
    kernel = [x for x in files if KERNEL in x.parents and x not in further]
    rest = [x for x in files if KERNEL not in x.parents]
    for title, mine in (
        ("the kernel, `theory/kernel/`", kernel),
        ("further kinds of certificates, `theory/kernel/kinds/`", further),
        ("statements and domains, trees, and errors", rest),
    ):
        named = ", ".join(f"`{x.name}`" for x in mine if x.name != "__init__.py")
        text += f"- {title} (about {round(sum(map(lines, mine)) / 50) * 50}): {named}\n"
    return text


def test_the_documentation_lists_the_trusted_base():
    """To renew the list: python -m tests.theory.kernel.test_trusted_base"""
    text = DOCS.read_text(encoding="utf-8")
    stated, known = text[text.index(BEGIN) + len(BEGIN) : text.index(END)], listed()
    number = re.compile(r"about (\d+)")
    assert number.sub("", stated) == number.sub("", known)
    for mine, theirs in zip(number.findall(stated), number.findall(known), strict=True):
        assert abs(int(mine) - int(theirs)) <= max(100, 0.1 * int(theirs))


def test_the_kernel_is_small():
    files = trusted()
    assert sum(lines(x) for x in files if not is_further(x)) <= FIXED
    assert sum(map(lines, files)) <= ALL


def test_the_kernel_loads_the_standard_library_the_statements_and_trees_only():
    found, others = loaded()
    assert others == "False False"
    allowed = ("theory/kernel/", "theory/statements/", "language/tree.py", "language/__init__.py")
    allowed += ("exceptions.py", "paper_names.py", "theory/__init__.py")
    names = {x.relative_to(ROOT).as_posix() for x in found}
    assert {x for x in names if not x.startswith(allowed)} == set()


def test_no_file_of_the_kernel_imports_anything_else():
    for path in KERNEL.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            names += [x.name for x in node.names] if isinstance(node, ast.Import) else []
            for name in names:
                first = name.split(".")[0]
                own = name.startswith(
                    ("goodmeasure.theory.kernel", "goodmeasure.theory.statements", "goodmeasure.language.tree",
                     "goodmeasure.language", "goodmeasure.exceptions")
                )  # fmt: skip
                assert own or first in sys.stdlib_module_names, f"{path.name} imports {name}"


if __name__ == "__main__":
    before = DOCS.read_text(encoding="utf-8")
    head, tail = before[: before.index(BEGIN) + len(BEGIN)], before[before.index(END) :]
    DOCS.write_text(head + listed() + tail, encoding="utf-8")
