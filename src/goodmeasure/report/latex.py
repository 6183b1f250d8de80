"""A report as LaTeX: tables with booktabs, formulas as they are."""

from __future__ import annotations

import re
from typing import Any

from goodmeasure.report.document import (
    Block,
    Code,
    Counts,
    Definition,
    Definitions,
    Document,
    Facts,
    Grid,
    Section,
    Sentences,
)
from goodmeasure.report.numbers import count_text

_SIGNS = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "$": r"\$", "&": r"\&", "#": r"\#", "_": r"\_", "%": r"\%",
    "^": r"\textasciicircum{}", "~": r"\textasciitilde{}", "<": r"\textless{}", ">": r"\textgreater{}",
    "|": r"\textbar{}", '"': r"\textquotedbl{}", "−": r"$-$", "∞": r"$\infty$", "…": r"\dots{}", "–": "--",
}  # fmt: skip
_WIDEST = 12  # classes: a larger matrix does not fit a page


def latex(document: Document) -> str:
    """The whole report, for a document that uses booktabs and amsmath (and fontspec for labels of any script)."""
    needs = "% needs \\usepackage{booktabs, amsmath, textcomp} and T1 or Unicode fonts"
    head = f"% {' '.join(document.title.split())}\n{needs}"
    return "\n\n".join([head, *(_section(section) for section in document.sections)]) + "\n"


def escaped(text: str) -> str:
    """Text that stays text."""
    one_line = " ".join(text.split())
    return re.sub(".", lambda match: _SIGNS.get(match[0], match[0]), "".join(x for x in one_line if x.isprintable()))


def _section(section: Section) -> str:
    return "\n\n".join([f"\\section*{{{escaped(section.title)}}}", *(_block(block) for block in section.blocks)])


def _block(block: Block) -> str:
    match block:
        case Sentences(lines, warning):
            mark = "\\textbf{Beware:} " if warning else ""
            return _list([f"{mark}{escaped(line)}" for line in lines])
        case Facts(items):
            return _list([f"\\textbf{{{escaped(name)}}}: {escaped(text)}" for name, text in items])
        case Grid():
            rows = [[escaped(cell.text) for cell in row] for row in block.rows]
            return table([escaped(x) for x in block.columns], rows, block.numbers, escaped(block.caption))
        case Counts():
            return _counts(block)
        case Definitions(items):
            return "\n\n".join(_definition(item) for item in items)
        case Code(text, _):
            return f"\\begin{{verbatim}}\n{text.replace(chr(92) + 'end{verbatim}', '')}\n\\end{{verbatim}}"


def _list(items: list[str]) -> str:
    lines = "\n".join(f"  \\item {item}" for item in items)
    return f"\\begin{{itemize}}\n{lines}\n\\end{{itemize}}"


def table(columns: list[str], rows: list[list[str]], numbers: Any, caption: str) -> str:
    """A table of text that is LaTeX already."""
    kinds = "".join("r" if k in numbers else "l" for k in range(len(columns)))
    body = "\n".join(f"  {' & '.join(row)} \\\\" for row in rows)
    return (
        f"\\begin{{table}}[ht]\n\\centering\n\\caption{{{caption}}}\n\\begin{{tabular}}{{{kinds}}}\n  \\toprule\n"
        f"  {' & '.join(columns)} \\\\\n  \\midrule\n{body}\n  \\bottomrule\n\\end{{tabular}}\n\\end{{table}}"
    )


def _counts(counts: Counts) -> str:
    if len(counts.labels) > _WIDEST:
        return _list([f"{escaped(counts.caption)}: the matrix of {len(counts.labels)} classes does not fit a page."])
    columns = ["true $\\backslash$ predicted", *(escaped(x) for x in counts.labels)]
    rows = [
        [escaped(label), *(escaped(count_text(x)) for x in row)]
        for label, row in zip(counts.labels, counts.counts.tolist(), strict=True)
    ]
    return table(columns, rows, range(1, len(columns)), escaped(counts.caption))


def _definition(item: Definition) -> str:
    cited = f"~\\cite{{{item.key}}}" if item.key else ""
    about = f" {escaped(item.about[0].upper() + item.about[1:])}." if item.about else ""
    formula = f"\n\\[\n  {item.latex}\n\\]" if item.latex else f" {escaped(item.text)}."
    return (
        f"\\textbf{{{escaped(item.name)}}}: {escaped(item.title)}{cited}.{about}{formula}\n"
        f"Range {escaped(item.range)}; signature \\texttt{{{escaped(item.signature)}}}."
    )
