"""The files that have to be believed are listed in docs/certificates.md, with their lines."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import goodmeasure

ROOT = Path(goodmeasure.__file__).parent
DOCS = Path(__file__).parents[3] / "docs" / "certificates.md"
BEGIN, END = "<!-- trusted base -->\n", "<!-- end of the trusted base -->"
MEANING = (
    "language/view.py", "language/class_by_class.py", "language/policy.py", "language/means_of_two.py",
    "language/exact/exact_matrix.py", "language/exact/reals.py", "language/exact/monomials.py",
    "language/exact/factors.py", "catalogue/running.py",
)  # fmt: skip


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


def listed(folder):
    return sorted((ROOT / folder).glob("*.py"))


def trusted_base():
    """The list as it stands in the documentation."""
    verifier, statements = listed("theory/verify"), listed("theory/statements")
    meaning = [ROOT / x for x in MEANING]
    return "".join(
        f"- {title} ({rounded(paths)}): {', '.join(f'`{x.name}`' for x in paths if x.name != '__init__.py')}\n"
        for title, paths in (
            ("the verifier, `theory/verify/`", verifier),
            ("statements, domains and the form of certificates, `theory/statements/`", statements),
            ("the language and its exact numbers, `language/` and `catalogue/`", meaning),
        )
    )


def test_the_documentation_lists_the_trusted_base():
    """To renew the list: python -m tests.theory.verify.test_trusted_base"""
    text = DOCS.read_text(encoding="utf-8")
    stated, known = text[text.index(BEGIN) + len(BEGIN) : text.index(END)], trusted_base()
    number = re.compile(r"about (\d+)")
    assert number.sub("", stated) == number.sub("", known)
    for mine, theirs in zip(number.findall(stated), number.findall(known), strict=True):
        assert abs(int(mine) - int(theirs)) <= 0.15 * int(theirs)


if __name__ == "__main__":
    before = DOCS.read_text(encoding="utf-8")
    head, tail = before[: before.index(BEGIN) + len(BEGIN)], before[before.index(END) :]
    DOCS.write_text(head + trusted_base() + tail, encoding="utf-8")
