"""Writes pages that follow from the code: catalogue, errata, peers and options, and parts of properties and demo."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from errata_lists import DAMAGE, ERRORS, EVIDENCE, UNSAID

import goodmeasure
from goodmeasure.catalogue.definitions.averaging import USUAL
from goodmeasure.catalogue.explanation import range_text
from goodmeasure.catalogue.family import Family
from goodmeasure.catalogue.literature import SAYINGS
from goodmeasure.catalogue.names import USUAL_OF_SCORES, measure
from goodmeasure.catalogue.peers import PEERS, crosswalk
from goodmeasure.catalogue.references import bibliography, reference
from goodmeasure.catalogue.register import entries, score_entries
from goodmeasure.documents import schema_of
from goodmeasure.keywords import options_of
from goodmeasure.options import (
    CompareOptions,
    DriftOptions,
    EvaluateOptions,
    JudgeCallOptions,
    MultilabelOptions,
    PlanOptions,
    ProjectOptions,
    RecommendCommandOptions,
    SweepOptions,
)
from goodmeasure.paper_names import PAPERS
from goodmeasure.results import KINDS as DOCUMENTS
from goodmeasure.results import class_of
from goodmeasure.theory.atlas.atlas import atlas
from goodmeasure.theory.atlas.printed_tables import TITLES, compare, own_averages
from goodmeasure.theory.possible.readable_proof import proof_text
from goodmeasure.theory.possible.theorems import WHERE
from goodmeasure.theory.possible.theorems import stored as stored_theorems

PAGE = Path(__file__).parent / "catalogue.md"
DEMO_PAGE = Path(__file__).parent / "demo.md"
PEERS_PAGE = Path(__file__).with_name("peers.md")
THEOREMS_PAGE = Path(__file__).with_name("theorems.md")
THEOREMS_HEAD = """# Theorems: which properties exclude each other

Generated from verified certificates by `make docs`; do not edit. There are {} statements, each about every measure: any
function of a confusion matrix with values on all matrices that are spoken of. [Properties](properties.md) defines the
properties by their short names; "the value of a matrix" is that of the measure, higher is better, and rows are true
classes. A proof of this kind is a list of rows that the properties demand, and multipliers with which they add up to
0 > 0. The kernel (see [certificates](certificates.md)) builds each row from the definition of its property. The
certificates are in `goodmeasure/theory/possible/theorems.json`.

A statement for every greater number of classes follows since a matrix of m classes is one of m + 1 classes in which the
last class is absent (where every class must occur: in which it has one item, predicted right); the kernel has checked
the proofs for up to five classes written in this way. [What is possible](possible.md) explains the search, and
`gm.possible` decides any other set of properties."""
THEOREMS_END = """## What is possible

Theorem 1 of Gösgens et al. does not extend to three classes that must all occur, as far as is known: on all such
matrices of up to five items some table of values has all nine of their properties together.

```python
>>> import goodmeasure as gm
>>> wanted = ["Max", "Sym", "CSym", "Dist", "Mon", "CB"]
>>> bool(gm.possible(wanted, classes=3, domain="regular", sizes=[4]))
True
>>> bool(gm.possible(wanted, classes=2, domain="regular", sizes=[4]))
False

```"""
ERRATA_PAGE = Path(__file__).parent / "errata.md"
ERRATA_HEAD = """# The papers, checked

Generated from the atlas by `make docs`; do not edit. The tables below repeat the papers' tables of properties: each
cell shows what the paper prints and, after the dot, what is known. ✓ means proved for every n, ✗ refuted, with the n of
the smallest counterexample, and ? that there is no counterexample up to n, but no proof. Table 2 is read with the
strict Definitions 6 and 7; "m = 2" means two classes on all matrices, "regular" that every class occurs in both
labelings, and ✓/✗ is printed for "only for two classes". Table 5 is read for three classes that all occur. A cell
marked * depends on whether every class occurs in both labelings.

Below the tables, an item first says what the paper prints, and after "But:" what is right. Nothing is called an error
without its scope and its evidence: an exact counterexample, a proof that `gm.verify` accepts, a line of Python that is
true, or a table that `goodmeasure reproduce` recomputes. All of these can be replayed; the lines of Python need
`import goodmeasure as gm`, `from fractions import Fraction as F` and `from itertools import permutations`, and DIR is a
folder with the authors' data. Remarks, and what may be the fault of the text that we read (it was extracted from PDF
files), are listed separately."""
SCHEMAS = Path(goodmeasure.__file__).parent / "schemas"
PROPERTIES_PAGE = Path(__file__).parent / "properties.md"
MISSING = {  # what a proof or a counterexample of the verdicts that are held would need
    "opitz_chance_corrected": "a best guess whose shares are not rational, or bounds of logarithms of fractions",
    "sebastiani_con": "limits at gaps that stay undecided",
    "sebastiani_fix": "a rule for the range of the values with given class sizes",
    "sebastiani_mon": "more time, or a rule for the difference of such roots and means",
    "distance": "the triangle inequality of least class sizes, and of three classes where some may be absent",
    "maximal_agreement": "a rule for the difference from the greatest value",
    "minimal_agreement": "a rule for the difference from the least value",
    "monotone": "a rule for the difference of least class sizes, and of means over classes of which some are absent",
    "opitz_monotone": "a rule for the difference of least class sizes, and of means of roots",
}
HEADINGS = {
    "agreement": "Agreement",
    "overlap": "Overlap of the positive class",
    "rates": "Rates",
    "association": "Association and odds",
    "contingency": "Association of any number of classes",
    "imbalance": "Two classes of unequal size",
    "classes": "Class-, cost- and order-sensitive",
    "information": "Information",
}
HEADINGS_OF_SCORES = {
    "ranking": "Rankings (measures of scores)",
    "probabilities": "Probabilities (measures of scores)",
    "calibration": "Calibration (measures of scores)",
}


def section(entry) -> str:
    """One measure or family."""
    name = f"{entry.name}({', '.join(entry.signature.parameters)})" if isinstance(entry, Family) else entry.name
    shown = entry(**entry.usual[0]) if isinstance(entry, Family) else entry
    classes = "two classes" if shown.classes == 2 else "any number of classes"
    facts = [f"*{range_text(shown)}{'' if shown.takes == 'outcomes' else f'; {classes}'}.*"]
    if entry.aliases:
        facts.append(f"Also: {', '.join(f'`{x}`' for x in entry.aliases)}.")
    if isinstance(entry, Family):
        facts.append(f"For example {', '.join(f'`{entry(**chosen).name}`' for chosen in entry.usual)}.")
    cited = f" [{entry.cite}]" if entry.cite else ""
    return f"### `{name}`\n\n{entry.title}: {entry.about}.\n\n$${entry.formula}$$\n\n{' '.join(facts)}{cited}\n"


def page() -> str:
    """The whole page."""
    parts = [
        "# The catalogue",
        "Generated from the definitions by `make docs`; do not edit. In the formulas, c_ij is the number of items of "
        "true class i that are predicted as class j; a_i and b_i are the numbers of items whose true and whose "
        "predicted class is i; n is the number of items, and m that of classes. Every binary measure can be averaged "
        "over classes: `macro(f1)`, `weighted(jaccard)`, `micro(mcc)`, `macro(recall, p=0)`; "
        "every measure can be calibrated to equal class sizes: `calibrated(kappa)`.",
    ]
    for family, heading in HEADINGS.items():
        found = [x for x in entries() if (x.facts["family"] if isinstance(x, Family) else x.family) == family]
        parts += [f"## {heading}", *map(section, found)]
    parts += ["## Averages and calibration", "Those that the papers use.", *(section(measure(name)) for name in USUAL)]
    for family, heading in HEADINGS_OF_SCORES.items():
        parts += [f"## {heading}", *(section(x) for x in score_entries() if x.family == family)]
    parts += ["## Averages over classes of measures of scores", *(section(measure(name)) for name in USUAL_OF_SCORES)]
    parts += ["## Outcomes", *map(section, score_entries("outcomes"))]
    parts.append("## References")
    parts.append("\n".join(f"- **{key}**: {reference(key)}" for key in sorted(bibliography())))
    return "\n\n".join(x.strip("\n") for x in parts) + "\n"


def demo_output() -> str:
    """What the demo prints, run where it may leave its files."""
    command = [sys.executable, "-m", "goodmeasure.cli", "demo"]
    installed = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"  # as where it is on the path
    wide = {**os.environ, "COLUMNS": "160", "PATH": installed}
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(command, capture_output=True, check=True, encoding="utf-8", cwd=folder, env=wide)
    return done.stdout.strip("\n")


def demo_page(text: str) -> str:
    """The page of the demo with what it prints today."""
    block = f"<!-- demo -->\n```text\n{demo_output()}\n```\n<!-- /demo -->"
    return re.sub(r"<!-- demo -->.*?<!-- /demo -->", lambda _: block, text, flags=re.DOTALL)


def errata() -> str:
    """The page on the papers' errors: every printed cell of the tables of properties beside the atlas."""
    parts = [ERRATA_HEAD]
    for table, (source, title) in TITLES.items():
        cells = compare(table)
        different = [x for x in cells if not x.agrees]
        parts.append(f"## {source}, {title}")
        parts.append(f"{len(cells)} printed cells: {len(cells) - len(different)} agree, {len(different)} differ.")
        parts.append(_grid(cells))
        parts += [_difference(x) for x in different]
        remarks = [f"- {x.row}, {x.column}: {x.remark}." for x in cells if x.agrees and x.remark]
        if remarks:
            parts += ["Where they agree, with a remark:", "\n".join(remarks)]
        if table == "goesgens2021:table2":
            parts += _own_averages()
    parts += ["## Other errors", "\n".join(_sayings())]
    parts += ["## Not errors: likely damage of the text extraction", _listed(DAMAGE)]
    parts += ["## Remarks that the papers leave unsaid", _listed(UNSAID)]
    return "\n\n".join(parts) + "\n"


def theorems() -> str:
    """The page of theorems: statements, proofs in words, and what the kernel checked."""
    found = stored_theorems()
    parts = [THEOREMS_HEAD.format(len(found))]
    for k, x in enumerate(found, 1):
        of, called = x.theorem, ", ".join(f'"{y}"' for y in x.theorem.properties)
        more = f" The same holds for every number of classes from {of.classes} on." if of.and_more else ""
        asked = f"gm.possible({called}, classes={of.classes}, domain={of.domain!r}, n={of.n})"
        parts += [
            f"## {k}. {of.title}",
            f"**{of.says}** It holds {x.scope}{WHERE[of.domain]}.{more}",
            f"*Proof.* {of.proof}",
            f"The smallest example; `{asked}` finds it, and `gm.verify` checks it:",
            f"```text\n{proof_text(x.certificate)}\n```",
        ]
        if x.for_every_n is not None:
            parts += [f"For every n ≥ {x.for_every_n['least']}:", f"```text\n{proof_text(x.for_every_n)}\n```"]
    return "\n\n".join([*parts, THEOREMS_END]) + "\n"


def undecided(text: str) -> str:
    """The page on properties with the verdicts of the atlas that are held, and what each group lacks."""
    found: dict[str, list[str]] = {}
    cells = [x for x in atlas().cells if x["status"] == "held"]
    for x in cells:
        found.setdefault(x["property"], []).append(f"{x['measure']} ({x['classes']}, {x['domain']})")
    lines = [
        f"{len(cells)} of the {len(atlas()):,} verdicts of the atlas:",
        "",
        "| property | held | what is missing |",
    ]
    lines += [
        "|---|---|---|",
        *(f"| `{x}` | {', '.join(names)} | {MISSING.get(x, 'more time')} |" for x, names in found.items()),
    ]
    block = "\n".join(["<!-- held -->", *lines, "<!-- /held -->"])
    return re.sub(r"<!-- held -->.*?<!-- /held -->", lambda _: block, text, flags=re.DOTALL)


def _own_averages() -> list[str]:
    """What holds for the macro average that is no average of the paper, with a witness for what it loses."""
    cells = own_averages()
    lost = [_lost(x, about, known) for x in cells for about, known in x.evidence if known.status == "refuted"]
    return ["`gm.macro` is over the classes that occur in some labeling, which is no average of the paper (that one is "
            "`gm.macro(M, classes='all')`, the row above). Of every binary measure, it keeps or loses:",
            _grid(cells), "\n".join(lost)]  # fmt: skip


def _lost(cell, about, known) -> str:
    where = "where every class occurs" if about == "regular" else "where classes may be absent"
    return f"- {cell.row}, {cell.column}, {where}: {known.witness.says}. Replay: `{known.witness.replay}` is `False`."


def _grid(cells) -> str:
    columns = list(dict.fromkeys(x.column for x in cells))
    rows: dict[str, dict[str, str]] = {}
    for x in cells:
        rows.setdefault(x.row, {})[x.column] = _cell(x) if x.agrees else f"**{x.printed} · {x.ours}**"
    lines = [f"| | {' | '.join(columns)} |", "|---" * (len(columns) + 1) + "|"]
    return "\n".join(
        [*lines, *(f"| {row} | {' | '.join(found.get(x, '') for x in columns)} |" for row, found in rows.items())]
    )


def _cell(x) -> str:
    return x.ours if x.printed is None else f"{x.printed} · {x.ours}"


def _difference(cell) -> str:
    scope = f" ({cell.remark})" if cell.remark else ""
    lines = [f"**{cell.row}, {cell.column}**: printed {cell.printed}, found {cell.ours}{scope}."]
    for about, known in cell.evidence:
        witness = getattr(known, "witness", None)
        if witness is None:
            asked = f"{known.measure!r}, {known.statement!r}, classes={known.classes}, domain={known.domain!r}"
            first = str(known).splitlines()[0]
            lines.append(f"- {about}: {first}. Replay: `gm.verify(gm.atlas().verdict({asked}))` is `True`.")
        else:
            lines.append(f"- {about}: {witness.says}. Replay: `{witness.replay}` is `False`.")
    return "\n".join(lines)


def _sayings() -> list[str]:
    """Return every other error with its evidence; one without evidence ends the build."""
    by_measure = [
        (f"{source}, {where}", _about(names, text), erratum, EVIDENCE[source, where, names[0]])
        for source, where, names, text, erratum in SAYINGS
        if erratum
    ]
    order = {paper: k for k, paper in enumerate(PAPERS)}
    listed = sorted([*by_measure, *ERRORS], key=lambda x: order[x[0].partition(",")[0]])
    return [f"- **{where}**: {text}. But: {but}. Replay: {_replay(evidence)}." for where, text, but, evidence in listed]


def _about(names, text) -> str:
    """Return what a paper says with the measures that it is about."""
    return f"{', '.join(names)}: {text}"


def _replay(evidence: str) -> str:
    return f"`{evidence}`" if evidence.startswith("goodmeasure ") else f"`{evidence}` is `True`"


def _listed(items) -> str:
    return "\n".join(f"- **{where}**: {text}." for where, text in items)


PEERS_HEAD = """# The names of other libraries

Generated from the table in `catalogue/peers.py` by `make docs`; do not edit. The left column has the name of a measure
in another library, and the middle column the name to type here; where there is none, the note says why.
`crosswalk("pycm")` of `goodmeasure.catalogue.peers` returns the table, and `goodmeasure measures --peer pycm` prints
it. Values are compared with the installed libraries by tests; where they differ at 0/0, docs/undefined.md says what
happens here."""
PEER_TITLES = {
    "pycm": "PyCM", "scikit-learn": "scikit-learn", "imbalanced-learn": "imbalanced-learn",
    "torchmetrics": "torchmetrics", "yardstick": "yardstick", "mlr3": "mlr3", "caret": "caret",
}  # fmt: skip
KINDS = {"class": "Of each class", "overall": "Of the whole matrix", "function": "Functions"}


def peers() -> str:
    """The page that leads from the names of other libraries to ours."""
    parts = [PEERS_HEAD]
    for peer in PEERS:
        parts.append(f"## {PEER_TITLES[peer]}")
        rows = crosswalk(peer)
        kinds = list(dict.fromkeys(x.kind for x in rows))
        for kind in kinds:
            lines = [f"| {PEER_TITLES[peer]} | goodmeasure | note |", "|---|---|---|"]
            lines += [
                f"| {x.name} | {f'`{x.measure}`' if x.measure else '–'} | {x.note} |" for x in rows if x.kind == kind
            ]
            parts += [*([f"### {KINDS[kind]}"] if len(kinds) > 1 else []), "\n".join(lines)]
    return "\n\n".join(parts) + "\n"


OPTIONS_PAGE = Path(__file__).with_name("options.md")
OPTIONS_HEAD = """# Options of functions and commands

Generated from `goodmeasure/options.py` by `make docs`; do not edit. A keyword that a function does not take is refused
with the nearest one, and `help(gm.evaluate)` lists these options too. Columns are named where the data are files or
frames; of labels in memory, these options are the values themselves, one for each item. The command takes the flag
instead of the keyword; where there is none, the option is for Python alone."""
OPTIONS = {
    "evaluate": EvaluateOptions, "compare": CompareOptions, "sweep": SweepOptions, "plan": PlanOptions,
    "recommend": RecommendCommandOptions,
    "drift": DriftOptions, "project": ProjectOptions, "multilabel": MultilabelOptions,
    "judge": JudgeCallOptions,
}  # fmt: skip
WITHOUT_COMMAND = ("project", "multilabel")


def options() -> str:
    """The page of the options that public functions and commands take."""
    parts = [OPTIONS_HEAD]
    for name, kind in OPTIONS.items():
        flags = name not in WITHOUT_COMMAND
        lines = [f"| keyword |{' flag |' if flags else ''} default | |", f"|---|{'---|' if flags else ''}---|---|"]
        for x in options_of(kind).values():
            flag = f" {'–' if x.hidden else f'`{x.on_command_line}`'} |" if flags else ""
            said = f"{x.help} {'One of ' + ', '.join(map(repr, x.choices)) + '.' if x.choices else ''}".strip()
            lines.append(f"| `{x.name}` |{flag} `{x.default!r}` | {said} |")
        parts += [f"## `gm.{name}`", "\n".join(lines)]
    return "\n\n".join(parts) + "\n"


if __name__ == "__main__":
    for path, written in (
        (PAGE, page()), (ERRATA_PAGE, errata()), (PEERS_PAGE, peers()), (OPTIONS_PAGE, options()),
        (THEOREMS_PAGE, theorems()),
    ):  # fmt: skip
        path.write_text(written, encoding="utf-8")
        print(f"wrote {path.name}: {len(written.splitlines())} lines")
    for kind in DOCUMENTS:
        schema = json.dumps(schema_of(class_of(kind)), indent=1, ensure_ascii=False)
        (SCHEMAS / f"{kind}.json").write_text(schema + "\n", encoding="utf-8")
    print(f"wrote the schemas of {len(DOCUMENTS)} kinds of documents")
    PROPERTIES_PAGE.write_text(undecided(PROPERTIES_PAGE.read_text(encoding="utf-8")), encoding="utf-8")
    print(f"wrote the undecided verdicts into {PROPERTIES_PAGE.name}")
    DEMO_PAGE.write_text(demo_page(DEMO_PAGE.read_text(encoding="utf-8")), encoding="utf-8")
    print(f"wrote the demo's output into {DEMO_PAGE.name}")
