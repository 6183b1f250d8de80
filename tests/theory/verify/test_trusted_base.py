"""The files that have to be believed are listed in docs/certificates.md, with their lines.

They are found by their imports: what the verifier and the statements import, what that imports, and so on, but for the
files in `PASSED_BY`, of which no accepted certificate depends on what they do. A new import therefore appears in the
list, or needs a reason here.
"""

from __future__ import annotations

import ast
import re
from pathlib import Path

import goodmeasure

ROOT = Path(goodmeasure.__file__).parent
DOCS = Path(__file__).parents[3] / "docs" / "certificates.md"
BEGIN, END = "<!-- trusted base -->\n", "<!-- end of the trusted base -->"

# Files (or folders) that are imported on the way, and why nothing is believed because of them.
PASSED_BY = {
    "__init__.py": "names for users",
    "catalogue/definitions/": "what a certificate is about: it names the text of the definition",
    "catalogue/scores/": "measures of scores, about which there are no certificates",
    "catalogue/derivative.py": "derivatives for readers",
    "catalogue/display_names.py": "names for readers",
    "catalogue/explanation.py": "explanations for readers",
    "catalogue/foreign_keywords.py": "messages about wrong arguments",
    "catalogue/literature.py": "titles of papers",
    "catalogue/references.py": "titles of papers",
    "catalogue/signature.py": "signatures for readers",
    "catalogue/zero_divisions.py": "explanations for readers",
    "counts/classes.py": "the names of classes",
    "counts/counting.py": "labels of items; a certificate is about matrices",
    "counts/matrix_bytes.py": "files",
    "counts/matrix_json.py": "files",
    "counts/sparse_counts.py": "matrices of very many classes, as floats",
    "counts/streaming.py": "labels of items; a certificate is about matrices",
    "counts/windows.py": "labels of items; a certificate is about matrices",
    "language/compile/": "values as floats; a claim is decided by exact numbers",
    "language/print/": "formulas for readers",
    "notebooks.py": "how notebooks show objects",
    "typing.py": "types without code",
}
BELIEVED = {"catalogue/definitions/averaging.py"}  # what it makes of a measure is what an average is
KINDS = (
    ("the verifier, `theory/verify/`", ("theory/verify/",)),
    ("statements, domains and the form of certificates, `theory/statements/`", ("theory/statements/",)),
    ("the language and its exact numbers, `language/`", ("language/",)),
    ("what a measure, a family and an average are, and how they are looked up and run, `catalogue/`", ("catalogue/",)),
    ("matrices and lists of them, errors and time limits, in `counts/`, `theory/subject/` and the package", ("",)),
)


def lines(path):
    """Lines of code: without blank lines, comments and docstrings."""
    text = path.read_text(encoding="utf-8")
    skipped = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef)) and ast.get_docstring(node):
            skipped |= set(range(node.body[0].lineno, node.body[0].end_lineno + 1))
    kept = [x for k, x in enumerate(text.splitlines(), 1) if k not in skipped]
    return sum(bool(x.strip()) and not x.strip().startswith("#") for x in kept)


def rounded(paths):
    """The number of lines, rounded to hundreds, so that a small change leaves the documentation true."""
    return f"about {max(1, round(sum(map(lines, paths)) / 100)) * 100}"


def imports(path):
    """The files of the package that a file imports when it runs, also inside of its functions."""
    names, todo = set(), [ast.parse(path.read_text(encoding="utf-8"))]
    while todo:
        node = todo.pop()
        if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
            todo += node.orelse
            continue
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "goodmeasure":
            names |= {node.module, *(f"{node.module}.{x.name}" for x in node.names)}
        if isinstance(node, ast.Import):
            names |= {x.name for x in node.names if x.name.split(".")[0] == "goodmeasure"}
        todo += ast.iter_child_nodes(node)
    found = (ROOT.parent / f"{name.replace('.', '/')}.py" for name in names)
    return {x for x in found if x.exists()}


def is_passed_by(path):
    name = path.relative_to(ROOT).as_posix()
    known = path.name == "__init__.py" or any(name == x or (x.endswith("/") and name.startswith(x)) for x in PASSED_BY)
    return known and name not in BELIEVED


def believed():
    """All files that have to be believed."""
    found = {x for folder in ("theory/verify", "theory/statements") for x in (ROOT / folder).glob("*.py")}
    todo = list(found)
    while todo:
        new = {x for x in imports(todo.pop()) if not is_passed_by(x)} - found
        found |= new
        todo += new
    return sorted(x for x in found if x.name != "__init__.py")


def trusted_base():
    """The list as it stands in the documentation."""
    left, text = believed(), ""
    for title, folders in KINDS:
        mine = [x for x in left if x.relative_to(ROOT).as_posix().startswith(folders)]
        left = [x for x in left if x not in mine]
        text += f"- {title} ({rounded(mine)}): {', '.join(f'`{x.name}`' for x in mine)}\n"
    return text


def test_the_documentation_lists_the_trusted_base():
    """To renew the list: python -m tests.theory.verify.test_trusted_base"""
    text = DOCS.read_text(encoding="utf-8")
    stated, known = text[text.index(BEGIN) + len(BEGIN) : text.index(END)], trusted_base()
    number = re.compile(r"about (\d+)")
    assert number.sub("", stated) == number.sub("", known)
    for mine, theirs in zip(number.findall(stated), number.findall(known), strict=True):
        assert abs(int(mine) - int(theirs)) <= 0.15 * int(theirs)


def test_what_is_passed_by_is_imported_on_the_way():
    reached = {x.relative_to(ROOT).as_posix() for path in believed() for x in imports(path)}
    unused = [x for x in PASSED_BY if x != "__init__.py" and not any(y.startswith(x) for y in reached)]
    assert unused == []


def test_the_prover_is_not_believed():
    names = {x.relative_to(ROOT).as_posix() for x in believed()}
    assert not any(x.startswith(("theory/prove/", "theory/algebra/", "theory/refute/")) for x in names)
    assert "counts/enumeration.py" in names
    assert "catalogue/definitions/averaging.py" in names


if __name__ == "__main__":
    before = DOCS.read_text(encoding="utf-8")
    head, tail = before[: before.index(BEGIN) + len(BEGIN)], before[before.index(END) :]
    DOCS.write_text(head + trusted_base() + tail, encoding="utf-8")
