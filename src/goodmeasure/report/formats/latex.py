"""A report as LaTeX, with booktabs tables."""

from __future__ import annotations

from collections.abc import Container

from goodmeasure.catalogue.references import bibliography, bibtex
from goodmeasure.report.document import (
    Block,
    Chart,
    Code,
    DefinitionEntry,
    Definitions,
    Document,
    Facts,
    Finding,
    Grid,
    Headlines,
    MatrixBlock,
    Section,
    Sentences,
)
from goodmeasure.report.formats.format import Format, register
from goodmeasure.report.formats.latex_text import escaped, typed
from goodmeasure.report.numbers import count_text
from goodmeasure.report.visible_text import visible

_WARNING = "\\textbf{Warning:} "
_WIDEST = 12  # a matrix of more classes does not fit a page


def latex(document: Document) -> str:
    """Return the whole report, for a document that loads the packages named in its second line.

    pdfLaTeX shows letters of other scripts as code points; XeLaTeX and LuaLaTeX show them, if the font has them.
    """
    needs = "% needs \\usepackage[T1]{fontenc} and \\usepackage{amsmath, booktabs, textcomp}"
    head = f"% {visible(document.title)}\n{needs}"
    keys = [item.key for x in document.sections for b in x.blocks if isinstance(b, Definitions) for item in b.items]
    cited = [key for key in dict.fromkeys(keys) if key is not None and key in bibliography()]
    known = [f"% cite with \\bibliography{{goodmeasure}}\n{bibliography_file(cited)}"] if cited else []
    about = [escaped(" · ".join(document.about))] if document.about else []
    return "\n\n".join([head, *known, *about, *(_section(section) for section in document.sections)]) + "\n"


register(Format("latex", (".tex",), lambda result: latex(result.report()), place=2, media_type="text/x-tex"))


def bibliography_file(keys: list[str]) -> str:
    """Return the lines that write goodmeasure.bib when the document is compiled."""
    entries = "\n\n".join(bibtex(key) for key in keys)
    return f"\\begin{{filecontents*}}[overwrite]{{goodmeasure.bib}}\n{entries}\n\\end{{filecontents*}}"


def _section(section: Section) -> str:
    blocks = [_block(block) for block in section.blocks]
    return "\n\n".join([f"\\section*{{{escaped(section.title)}}}", *(text for text in blocks if text)])


def _block(block: Block) -> str:
    match block:
        case Finding(text):
            return f"\\textbf{{{escaped(text)}}}"
        case Headlines():
            return _block(block.grid())
        case Sentences():
            return _list([f"{_WARNING if warns else ''}{escaped(line)}" for line, warns in block.shown()])
        case Facts(items):
            return _list([f"\\textbf{{{escaped(name)}}}: {escaped(text)}" for name, text in items])
        case Grid():
            rows = [[escaped(cell.words) for cell in row] for row in block.rows]
            shown = table([escaped(x) for x in block.columns], rows, block.numbers, escaped(block.caption))
            notes = [escaped(note) for note in block.notes()]
            return f"{shown}\n\n{_list(notes)}" if notes else shown
        case MatrixBlock():
            return _counts(block)
        case Definitions(items):
            return "\n\n".join(_definition(item) for item in items)
        case Chart():
            return ""  # the table beside it shows the same numbers
        case Code(text, _):
            return typed(text)


def _list(items: list[str]) -> str:
    lines = "\n".join(f"  \\item {item}" for item in items)
    return f"\\begin{{itemize}}\n{lines}\n\\end{{itemize}}"


def table(columns: list[str], rows: list[list[str]], numbers: Container[int], caption: str) -> str:
    """Return a table whose text is already LaTeX."""
    kinds = "".join("r" if k in numbers else "l" for k in range(len(columns)))
    body = "\n".join(f"  {' & '.join(row)} \\\\" for row in rows)
    return (
        f"\\begin{{table}}[ht]\n\\centering\n\\caption{{{caption}}}\n\\begin{{tabular}}{{{kinds}}}\n  \\toprule\n"
        f"  {' & '.join(columns)} \\\\\n  \\midrule\n{body}\n  \\bottomrule\n\\end{{tabular}}\n\\end{{table}}"
    )


def _counts(counts: MatrixBlock) -> str:
    if len(counts.labels) > _WIDEST:
        return _list([f"{escaped(counts.caption)}: the matrix of {len(counts.labels)} classes does not fit a page."])
    columns = ["true $\\backslash$ predicted", *(escaped(x) for x in counts.labels)]
    rows = [
        [escaped(label), *(escaped(count_text(x)) for x in row)]
        for label, row in zip(counts.labels, counts.counts.tolist(), strict=True)
    ]
    return table(columns, rows, range(1, len(columns)), escaped(counts.caption))


def _definition(item: DefinitionEntry) -> str:
    known = item.key is not None and item.key in bibliography()
    cited = f"~\\cite{{{item.key}}}" if known else f" ({escaped(item.citation)})" if item.citation else ""
    about = f" {escaped(item.about[0].upper() + item.about[1:])}." if item.about else ""
    formula = f"\n\\[\n  {item.latex}\n\\]" if item.latex else f" {escaped(item.text)}."
    return (
        f"\\textbf{{{escaped(item.name)}}}: {escaped(item.title)}{cited}.{about}{formula}\n"
        f"Range {escaped(item.range)}; signature \\texttt{{{escaped(item.signature)}}}."
    )
