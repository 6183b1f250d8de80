"""Measures: the list of them, and a page for each, with formula, meaning, rules for 0/0, verdicts and sources."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from goodmeasure.catalogue.explanation import range_text
from goodmeasure.catalogue.literature import remarks
from goodmeasure.catalogue.measure import LOWER, NEITHER, Measure
from goodmeasure.catalogue.names import all_measures
from goodmeasure.catalogue.references import reference
from goodmeasure.catalogue.zero_divisions import sentences
from goodmeasure.counts.matrix import ConfusionMatrix
from goodmeasure.language.policy import RESOLVE
from goodmeasure.language.print.unicode_formulas import plain_text
from goodmeasure.report.content.notation import definitions
from goodmeasure.report.formats.html import mathml
from goodmeasure.theory.atlas.atlas import AtlasCell, opened, stored
from goodmeasure.theory.proofs.ideas import ideas_of
from goodmeasure.theory.statements.lookup import statement, statements
from goodmeasure.theory.statements.verdict import PROVED, REFUTED, VACUOUS, Verdict
from goodmeasure.web.answers.page_data import PageData, facts

if TYPE_CHECKING:
    from goodmeasure.theory.statements.statement import Statement

FAMILIES = {
    "agreement": "Agreement",
    "rates": "Rates",
    "overlap": "Overlap with the positive class",
    "association": "Association",
    "contingency": "Contingency tables",
    "information": "Information",
    "imbalance": "Class imbalance",
    "classes": "Over classes, with costs or order",
    "averages": "Averages over classes",
}
KNOWN = (
    *("accuracy", "precision", "recall", "f1", "specificity", "balanced_accuracy", "mcc", "kappa", "macro(f1)"),
    *("micro(f1)", "weighted(f1)", "macro(precision)", "macro(recall)", "jaccard", "fbeta(beta=2)"),
    *("negative_predictive_value", "fallout", "miss_rate", "hamming_loss", "weighted_kappa(weights='quadratic')"),
)
"""Measures that most people know, in the order in which lists begin."""
_DEGENERATE = (
    ("all items are negative, and all are called negative", [[3, 0], [0, 0]]),
    ("all items are positive, and all are called positive", [[0, 0], [0, 3]]),
    ("all items are negative, and all are called positive", [[0, 3], [0, 0]]),
    ("all items are positive, and all are called negative", [[0, 0], [3, 0]]),
    ("everything is called positive", [[0, 3], [0, 2]]),
    ("everything is called negative", [[3, 0], [2, 0]]),
    ("all items are positive", [[0, 0], [2, 3]]),
    ("all items are negative", [[3, 2], [0, 0]]),
)


def file_name(measure: Measure) -> str:
    """Return the name of the file with the page of a measure: the name to type, with plain characters only."""
    plain = re.sub(r"[^a-z0-9]+", "-", measure.name.lower().replace("-", " minus ")).strip("-")
    return f"measures/{plain}.json"


@cache
def by_file() -> dict[str, Measure]:
    """Return all measures by the name of their file."""
    return {file_name(f): f for f in all_measures()}


def catalogue() -> PageData:
    """Return the list of measures, those first that most people know, of their families and of the properties."""
    place = {name: k for k, name in enumerate(KNOWN)}
    in_order = sorted(by_file().items(), key=lambda x: place.get(x[1].name, len(place)))
    listed = [
        {
            "name": f.name, **{k: v for k, v in facts(f).items() if k != "measure"}, "file": name,
            "classes": f.classes, "family": f.family, "aliases": list(f.aliases), "cite": f.cite,
            "known": f.name in place,
        }
        for name, f in in_order
    ]  # fmt: skip
    families = list(dict.fromkeys(f.family for f in by_file().values()))
    return {
        "measures": listed,
        "families": [{"name": x, "title": FAMILIES.get(x, x.capitalize())} for x in families],
        "properties": [_property(x) for x in statements(2)],
    }


def _property(x: Statement) -> PageData:
    return {
        "name": x.name, "short": x.short, "title": x.title, "sentence": x.sentence, "cite": x.cite, "where": x.where,
        "citation": reference(x.cite),
    }  # fmt: skip


def formula_data(latex: str) -> PageData:
    """Return a formula in the forms that the page needs."""
    return {"latex": latex, "mathml": str(mathml(latex)), "text": plain_text(latex)}


def page(f: Measure) -> PageData:
    """Return all there is to say about a measure."""
    formula = f.formula
    return {
        "name": f.name,
        **{k: v for k, v in facts(f).items() if k != "measure"},
        "file": file_name(f),
        "classes": f.classes,
        "range_text": range_text(f),
        "aliases": list(f.aliases),
        "family": f.family,
        "meaning": meaning(f),
        "formula": formula_data(formula),
        "where": symbols(formula),
        "zero_division": zero_divisions(f),
        "citation": {"key": f.cite, "text": f.citation} if f.cite else None,
        "verdicts": [verdict_data(_without_certificate(cell), cell) for cell in _cells_of(f.name)],
        "papers": [
            {"cite": x.source, "text": x.text, "where": x.where, "erratum": x.erratum} for x in remarks(f)
        ],
        "python": f"gm.measure({f.name!r})(y_true, y_pred)",
        "command": f'goodmeasure explain "{f.name}" "50 3; 4 20"',
    }  # fmt: skip


def meaning(f: Measure) -> str:
    """Return what a measure says, in two sentences."""
    about = f.about[:1].upper() + f.about[1:]
    return f"{about}. {_scale(f)}" if about else _scale(f)


def _scale(f: Measure) -> str:
    """Return a sentence on the best and the worst value of a measure."""
    if f.orientation == NEITHER:
        return "Neither high nor low values are good: it describes the data, and not how good the predictions are."
    better = "Lower" if f.orientation == LOWER else "Higher"
    if f.range is None:
        return f"{better} values are better."
    best, worst = f.best_value, f.worst_value
    if best is None or best in (float("inf"), float("-inf")):
        return f"{better} values are better, without a limit."
    ends = f"{best:g} is the best value" + ("" if worst is None else f", and {worst:g} the worst")
    return f"{better} values are better: {ends}.".replace("-", "−")


def symbols(formula: str) -> list[PageData]:
    """Return what the symbols of a formula mean: each with its mathematics, and in words."""
    return [
        {
            "mathml": "".join(_inline(x.text) if x.is_math else x.text for x in clause),
            "text": "".join(plain_text(x.text) if x.is_math else x.text for x in clause),
        }
        for clause in definitions([formula], None, "the last class", weighted=False)
    ]


def _inline(latex: str) -> str:
    """Return a formula as MathML inside of a sentence."""
    return str(mathml(latex)).replace('display="block"', 'display="inline"', 1)


def zero_divisions(f: Measure) -> list[PageData]:
    """Return what happens to a measure where all items are of one class, or are called so."""
    found: dict[str, PageData] = {}
    for when, counts in _DEGENERATE:
        matrix = ConfusionMatrix(counts, ["negative", "positive"])
        try:
            said = sentences(f, matrix, RESOLVE)
            value = float(f(matrix))
        except (ValueError, TypeError, ArithmeticError):  # a table of costs is made for other numbers of classes
            continue
        if said:
            then = "undefined" if value != value else f"{value:.4g}"
            found[when] = {"when": when[:1].upper() + when[1:], "matrix": counts, "then": then, "why": "; ".join(said)}
    return list(found.values())


# Verdicts


@cache
def _by_measure() -> dict[str, list[AtlasCell]]:
    found: dict[str, list[AtlasCell]] = {}
    for cell in stored().cells:
        found.setdefault(cell["measure"], []).append(cell)
    return found


def _cells_of(name: str) -> list[AtlasCell]:
    return _by_measure().get(name, [])


def _without_certificate(cell: AtlasCell) -> Verdict:
    """Return a stored verdict without its certificate, which is long and is shown by its method only."""
    return opened({**cell, "certificate": None})


def verdict_data(verdict: Verdict, cell: AtlasCell | None = None) -> PageData:
    """Return a verdict in plain words, with the matrices that refute it or a summary of its proof."""
    of = statement(verdict.statement)
    is_certified = cell["certificate"] is not None if cell is not None else verdict.certificate is not None
    return {
        "property": of.name,
        "title": of.title,
        "short": of.short,
        "sentence": of.sentence,
        "cite": of.cite,
        "status": verdict.status,
        "sign": verdict.sign,
        "words": words(verdict),
        "n": verdict.n,
        "classes": verdict.classes,
        "domain": verdict.domain,
        "witness": None if verdict.witness is None else verdict.witness.to_dict(),
        "proof": proof_summary(verdict, is_certified) if verdict.status in (PROVED, VACUOUS) else None,
    }


def words(verdict: Verdict) -> str:
    """Return what is known about a property, in a sentence or two."""
    if verdict.status == REFUTED:
        size = "" if verdict.n is None else f" The counterexample has {_items(verdict.n)}."
        return f"No.{size}"
    if verdict.status == PROVED:
        constants = ", ".join(f"{_CONSTANTS.get(k, k)} is {v}" for k, v in (verdict.constants or {}).items())
        more = f" Here {constants}." if constants else ""
        return f"Yes, for every number of items.{more}"
    if verdict.status == VACUOUS:
        return f"The property says nothing here: {verdict.remark}."
    far = f"No counterexample has up to {_items(verdict.n)}" if verdict.n else "Nothing was examined"
    why = f" ({verdict.remark})" if verdict.remark else ""
    return f"Not known. {far}, and no proof was found{why}."


_CONSTANTS = {"c_max": "the best value", "c_min": "the worst value", "c_base": "the score of chance"}


def _items(n: int) -> str:
    return f"{n:,} item" if n == 1 else f"{n:,} items"


LONGEST_PROOF = 20_000  # characters of a proof that the page shows


def proof_summary(verdict: Verdict, is_certified: bool) -> PageData:
    """Return how a property was proved, in sentences."""
    certificate = verdict.certificate
    said = [] if certificate is None else [sentence for x in ideas_of(certificate.data) for sentence in x.sentences]
    if verdict.remark and verdict.status == PROVED:
        said.append(f"{verdict.remark[:1].upper()}{verdict.remark[1:]}.")
    if is_certified:
        said.append("The proof was checked by a small program that searches for nothing.")
    text = str(verdict.proof) if is_certified and verdict.proof is not None else ""
    shown = text if len(text) < LONGEST_PROOF else ""
    return {"method": verdict.method, "summary": said, "certified": is_certified, "text": shown}
