"""What the papers say about a measure, and the errors in it with their witnesses."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import cast

from goodmeasure.catalogue.definitions.averaging import macro
from goodmeasure.catalogue.measure import Measure
from goodmeasure.paper_names import AXIOMS, GOESGENS, OPITZ, PAPERS, PROPERTIES, RH, SEBASTIANI
from goodmeasure.typing import ReadJson


@dataclass(frozen=True)
class Remark:
    """What a passage of a paper says, and what is wrong with it, if anything."""

    source: str
    where: str
    text: str
    erratum: str | None = None


# Rows of goesgens2021, Table 2: a measure, a family (any parameters) or a way of averaging (any measure).
TABLE_2 = {
    "F1(binary)": "f1", "J(binary)": "jaccard", "CC": "mcc", "Acc": "accuracy", "BA": "balanced_accuracy",
    "kappa": "kappa", "CE": "confusion_entropy", "SBA": "sba", "GM(binary)": "generalized_mean",
    "CD": "correlation_distance", "Micro": "micro", "Macro": "macro", "Weighted": "weighted",
}  # fmt: skip
AVERAGES = ("micro", "macro", "weighted")

# Rows of opitz2024, Table 5.
TABLE_5 = {
    "Accuracy": ("accuracy",), "macR": ("macro(recall)",), "GmacR/HmacR": ("macro(recall, p=0)", "macro(recall, p=-1)"),
    "macP": ("macro(precision)",), "macF1": ("macro(f1)",), "macF1p": ("macro_f1_of_means",),
    "weightF1": ("weighted(f1)",), "Kappa": ("kappa",), "MCC": ("mcc",),
}  # fmt: skip
EXPECTATIONS = {
    "PI": "PI monotonicity (no right prediction lowers it, no wrong one raises it)",
    "PII": "PII class sensitivity (it matters which classes the right or the wrong predictions belong to)",
    "PIII": "PIII class decomposability (it is an unweighted mean over classes)",
    "PIV": "PIV prevalence invariance (true class sizes do not matter)",
    "PV": "PV chance correction (a known bound for chance classifiers)",
}
CHANCE = {
    "1/n": "PV chance correction (with m classes no chance classifier gets more than 1/m)",
    "1/n strict": "PV strict chance correction (with m classes every chance classifier gets 1/m)",
    "0 complete": "PV complete chance correction (every chance classifier gets 0)",
}

# Axioms that sebastiani2015 shows to fail. K satisfies all eight; the paper does not say which the others satisfy.
FAILED = {
    "k": ("Properties 5.1–5.8, §6.1", ""),
    "k_cost": ("§6.2", ""),
    "k_ordinal": ("§6.2", ""),
    "f1": ("Properties 4.1–4.5, §5.1", "MON CON CHA IMB SYM"),
    "accuracy": ("Property 4.10", "IMB"),
    "average_set_precision": ("Properties 4.6–4.8, 4.10", "MON CON SDE IMB"),
    "diagnostic_odds_ratio": ("Properties 4.6, 4.9", "MON WDE"),
    "lam": ("Properties 4.6, 4.7, 4.9", "MON CON WDE"),
    "mcc": ("Properties 4.7, 4.8", "CON SDE"),
}

# The measures that each paper defines or compares, by number of classes, with parameters that the paper itself uses.
# Families of which it names no member (costs, Tversky's weights) are not among them.
_SIMPLE = ("recall", "miss_rate", "precision", "false_discovery_rate", "fallout", "specificity",
           "negative_predictive_value", "false_omission_rate")  # fmt: skip
_GM1 = "generalized_mean(r=1)"
_CALIBRATED = tuple(
    f"calibrated({x})"
    for x in ("accuracy", "macro(precision)", "macro(f1)", "macro_f1_of_means", "weighted(f1)", "kappa", "mcc")
)
_OPITZ = ("accuracy", "macro(recall)", "macro(recall, p=0)", "macro(recall, p=-1)", "macro(precision)", "macro(f1)",
          "macro_f1_of_means", "weighted(f1)", "kappa", "mcc", *_CALIBRATED)  # fmt: skip
TWO, MORE = "two", "more"
MEASURES: dict[str, dict[str, tuple[str, ...]]] = {
    SEBASTIANI: {
        TWO: (*_SIMPLE, "accuracy", "diagnostic_odds_ratio", "lam", "average_set_precision", "mcc", "f1", "k"),
        MORE: ("k", "k_ordinal(error='absolute')", "k_ordinal(error='squared')"),
    },
    GOESGENS: {
        TWO: ("accuracy", "balanced_accuracy", "f1", "jaccard", "kappa", "confusion_entropy", _GM1, "mcc", "sba",
              "correlation_distance", "correlation_chord"),
        MORE: ("accuracy", "balanced_accuracy", "kappa", "confusion_entropy", "mcc", "sba", "correlation_distance",
               *(f"{average}({x})" for x in ("f1", "jaccard", _GM1, "mcc", "correlation_distance")
                 for average in AVERAGES)),
    },
    OPITZ: {TWO: _OPITZ, MORE: _OPITZ},
    RH: {
        TWO: (*_SIMPLE, "accuracy", "prevalence", "f1", "f_alpha(alpha=0.7)", "kulczynski_2", "ochiai", "sba",
              "positive_likelihood_ratio", "negative_likelihood_ratio", "diagnostic_odds_ratio", "mcc",
              "somers_d", "somers_d_predicted", "yule_q", "yule_y", "kappa", "hamann",
              "sokal_sneath_5", "sokal_sneath_1", "rogers_tanimoto", "russell_rao", "jaccard", "sokal_sneath_2"),
        MORE: ("accuracy", "kappa", "hamann", "mutability", "rh", "dif2", "dif2norm"),
    },
}  # fmt: skip


def measures_of(paper: str | None, classes: int) -> list[str]:
    """Return the names of the measures that a paper (or any of them) defines or compares for so many classes."""
    kind = TWO if classes <= 2 else MORE
    papers = PAPERS if paper is None else (paper,)
    return list(dict.fromkeys(name for x in papers for name in MEASURES[x][kind]))


_OVERLAP = "not monotone under the strict Definition 6: [[1,2],[1,0]] → [[2,1],[1,0]], both 0"
_COST = (
    "robustness to chance fails in general: with five ordered classes and absolute error the expected value is 11/30 "
    "if all classes occur, 1/4 if only the middle one does, 3/8 if only the first"
)
# Errors in the two tables and in the statements about axioms, by paper and measure.
ERRATA = {
    (GOESGENS, "f1"): _OVERLAP,
    (GOESGENS, "jaccard"): _OVERLAP,
    (GOESGENS, "balanced_accuracy"): (
        "not strongly monotone for two classes: [[1,0],[1,1]] → [[2,0],[1,1]], both 3/4; "
        "not monotone for three or more: [[0,1,1],[0,3,0],[1,0,1]] → [[0,0,1],[0,4,0],[1,0,1]], both 1/2"
    ),
    (GOESGENS, "sba"): (
        "not strongly monotone for three or more classes, so Statement 3 fails: "
        "[[2,0,0],[0,1,1],[0,1,1]] → [[3,0,0],[0,1,1],[0,1,1]], both 2/3"
    ),
    (GOESGENS, "confusion_entropy"): (
        "no maximal agreement where a class may be empty: [[0,3],[0,0]] has the best value and is not diagonal"
    ),
    (GOESGENS, "weighted"): (
        "monotonicity is not kept: weighted(sba), [[0,0,1],[1,1,0],[3,0,0]] → [[1,0,1],[0,1,0],[3,0,0]], 7/16 → 17/40; "
        "with all classes present it is, if only the true class's diagonal cell may gain the item"
    ),
    (OPITZ, "kappa"): "by §4.7 calibration brings PI and PIII too: it makes kappa macro recall, shifted and scaled",
    (SEBASTIANI, "k_cost"): _COST,
    (SEBASTIANI, "k_ordinal"): _COST,
}

# Statements outside of the tables: source, place, measures concerned, what it says, what is wrong with it.
SAYINGS: tuple[tuple[str, str, tuple[str, ...], str, str | None], ...] = (
    (GOESGENS, "§3.1", ("recall", "precision"),
     "no maximal agreement: labelings that differ can get the best value", None),
    (GOESGENS, "Statements 4, 6", ("correlation_chord",),
     "has all properties but the constant baseline, which it approximates to first order only", None),
    (GOESGENS, "§6", ("mcc",), "a natural choice for two classes, since it can be transformed to a distance", None),
    (GOESGENS, "§6", ("correlation_distance",), "seems the best option where a distance is needed", None),
    (GOESGENS, "§6", ("sba",), "the one measure considered that keeps its good properties for three or more classes",
     "it does not keep strong monotonicity (see Table 2)"),
    (GOESGENS, "Table 5", ("sba",), "Swin gets 86.61%",
     "86.60466%, rounded twice (to 86.605, then to 86.61); Table 12 prints 86.60"),
    (GOESGENS, "Table 6", ("kappa",), "ranks FastText, SVM, BERT second to fourth, as balanced accuracy does",
     "probably BERT, SVM, FastText (0.2435, 0.2434, 0.2413), with counts rounded as in the authors' code; "
     "the two-decimal shares cannot decide"),
    (GOESGENS, "Appendix A", ("accuracy",), "Sebastiani's robustness to chance (CHA) is the constant baseline",
     "accuracy has CHA and no constant baseline"),
    (GOESGENS, "Appendix B", ("balanced_accuracy", "sba"),
     "an empty class gets the term that keeps the constant baseline",
     "alone, that breaks maximal and minimal agreement; with agreement decided first, the constant baseline fails for "
     "three or more classes (true sizes 2, 1, 0, predicted sizes 1, 1, 1: sba averages 17/54, not 1/3); no rule gives "
     "both there: with absent classes minimal agreement and constant baseline contradict each other"),
    (GOESGENS, "Appendix C.6", ("micro",), "strong monotonicity is lost: micro of TP + TN − FP − FN is n·m",
     "it is n(m − 4) + 4r with r right predictions, which breaks strong monotonicity only for four or more classes"),
    (GOESGENS, "Appendix C.6", ("weighted",), "two matrices show that strong monotonicity of TP + TN − FP − FN is lost",
     "both have a zero diagonal, which Definition 7 excludes; [[0,0,1],[0,1,1],[1,0,0]] → [[0,0,1],[0,1,0],[1,0,0]], "
     "1/2 → 1/3, shows it"),
    (GOESGENS, "Appendix D.2", ("correlation_distance",), "its series in CC begins with π/2",
     "with 1/2: a factor 1/π is missing on the right"),
    (GOESGENS, "Appendix E.1", ("balanced_accuracy",), "prints its change between thresholds",
     "a factor 1/2 is missing; the sign is right"),
    (GOESGENS, "Appendix E.1", ("sba",), "prints its change between thresholds",
     "a factor 1/4 is missing; the sign is right"),
    (GOESGENS, "Table 14", ("macro(mcc)",), "on Yeast it never disagrees with the multiclass coefficient (0.00%)",
     "it was undefined for 15 of 18 classifiers, whose pairs were skipped but counted; resolved, about 9% disagree"),
    (SEBASTIANI, "Table 2", ("mcc",), "prints a formula for MCC",
     "its denominator is another one and makes it unbounded (4.95 at TP = TN = 50, FN = 1, FP = 0); with the right one "
     "the proof of Property 4.7 fails, and its conclusion stands (not continuously differentiable where all "
     "predictions are equal)"),
    (SEBASTIANI, "§3.2", ("f1",),
     "the bare formula fails SDE and WDE too, until a value is agreed where nothing is positive", None),
    (SEBASTIANI, "Equation 3", ("f1",), "prints the derivatives of F1", "the numerator of the one by TN is 2·TP"),
    (SEBASTIANI, "Property 4.3", ("f1",), "100 positive items only: chance gets 0.612",
     "0.66518, averaged over all classifiers (footnote 2); TP uniform on 0 … 100 would give 0.61257"),
    (SEBASTIANI, "Property 4.4", ("f1",), "calling all items positive gets about 0.01 at prevalence 0.01", "0.0198"),
    (SEBASTIANI, "Equation 4", ("average_set_precision",), "prints its derivatives",
     "they are TP(2PP − TP)/(AP·PP²) by TP and TP²/(AP·PP²) by TN"),
    (OPITZ, "§4.1", ("micro(f1)", "micro(precision)", "micro(recall)"), "equals accuracy", None),
    (OPITZ, "§4.7", ("mcc", "kappa"), "|MCC| ≥ |κ|, since pᵀb is at most bᵀb and pᵀp",
     "the inequality holds, its reason does not: p = (0.6, 0.4), b = (0.9, 0.1)"),
    (OPITZ, "Appendix D.1", ("macro(f1)",), "prints its gradient", "the second term on the diagonal needs 4, not 2"),
    (OPITZ, "Appendix E.1", ("macro_f1_of_means",), "prints its gradient", "it is 2(P²R′ + R²P′)/(R + P)²"),
    (OPITZ, "Equation 20", ("kappa",), "prints its gradient", "(r − z) is to be multiplied by D_K, not by D_K²"),
    (OPITZ, "Appendix G.1", ("mcc",), "prints its gradient", "it needs 2D²(r − z), and no roots inside"),
    (RH, "§3", ("accuracy",), "does not see how the right predictions spread over the classes", None),
    (RH, "§3", ("kappa",), "suits agreement, not the evaluation of classification: 0 can mean more than chance", None),
    (RH, "Table 3.1", ("rh", "dif2norm"), "RH and Dif2Norm give the same order",
     "the rows 3,1,1 and 3,3,1 are missing, and with them they do not: RH prefers (3,3,0) to (3,1,1) and (3,3,1) to "
     "(2,2,2), Dif2Norm the other way round"),
    (RH, "Table 3.1", ("dif2", "dif2norm"), "diagonal 1,0,0: Dif2 23, Dif2Norm 0.148", "22 and 0.185"),
    (RH, "Table 2.2", ("prevalence",), "the predicted size of the positive group, as a share of all",
     "that is the predicted prevalence; prevalence takes the true size"),
    (RH, "Equation 2.22", ("matching_tversky",), "calls it the Tversky index", "Tversky's index is another one"),
    (RH, "Equation 2.3", ("f_alpha",), "alpha is a significance level", "alpha is the square of F-beta's beta"),
    (RH, "§2", ("yule_q", "yule_y"), "its values 1, 0, −1 go with the same values of the correlation coefficient",
     "1 does not: [[90,0],[30,60]] has Q = Y = 1 and mcc 0.707"),
)  # fmt: skip


def remarks(measure: Measure) -> list[Remark]:
    """Return what the papers say about a measure; nothing about users' own.

    >>> from goodmeasure.catalogue.definitions.rates import prevalence
    >>> remarks(prevalence)[0].erratum
    'that is the predicted prevalence; prevalence takes the true size'
    """
    if measure.family == "own":
        return []
    found = [*_of_table_2(measure), *_of_table_5(measure), *_of_axioms(measure), *_of_sayings(measure)]
    return sorted(found, key=lambda remark: PAPERS.index(remark.source))


@cache
def tables() -> dict[str, ReadJson]:
    """Return the printed tables of the papers, by paper and number."""
    text = files("goodmeasure.catalogue").joinpath("printed_tables.json").read_text(encoding="utf-8")
    return dict(json.loads(text))


def _names(measure: Measure) -> tuple[str, ...]:
    """Return a measure's name and that of its family or average, if its parameters are among those the papers treat.

    The papers' macro averages are over all classes, and are named here as those over the classes that occur.
    """
    inner = measure.inner
    if "classes" in measure.parameters and isinstance(inner, Measure):
        measure = macro(inner, cast(float, measure.parameters.get("p", 1)))
    other_mean = "p" in measure.parameters  # the papers' macro average is the arithmetic one
    limit = measure.parameters.get("r") in (math.inf, -math.inf)  # their generalized means have a finite r
    return (measure.name,) if other_mean or limit else (measure.name, measure.stem)


def _row(table: str, label: str) -> dict[str, str]:
    printed = tables()[table]
    return dict(zip(printed["columns"], printed["rows"][label], strict=True))


def _grouped(row: dict[str, str], heads: dict[str, str], words: dict[str, str]) -> str:
    """Return the columns of a row in words, under a heading for each kind of cell; a chance level counts as a yes."""
    found: dict[str, list[str]] = {head: [] for head in heads.values()}
    for column, cell in row.items():
        found[heads["y" if cell in CHANCE else cell]].append(CHANCE.get(cell, words[column]))
    return "; ".join(f"{head}: {', '.join(items)}" for head, items in found.items() if items)


def _of_table_2(measure: Measure) -> Iterator[Remark]:
    for label, name in TABLE_2.items():
        if name in _names(measure):
            heads = {"y": "has", "n": "lacks", "y2": "has only for two classes"}
            if name in AVERAGES:
                heads = {"y": "averaging preserves, if the binary measure has it", "n": "does not preserve"}
            text = _grouped(_row("goesgens2021:table2", label), heads, PROPERTIES)
            yield Remark(GOESGENS, "Table 2", text, ERRATA.get((GOESGENS, name)))


def _of_table_5(measure: Measure) -> Iterator[Remark]:
    heads = {"y": "has", "n": "lacks", "n(y)": "has only after calibration"}
    if measure.combinator == "calibrated" and isinstance(measure.inner, Measure):
        measure = measure.inner
        heads = {"n(y)": "has by calibration", "y": "has even without it", "n": "lacks even with it"}
    for label, names in TABLE_5.items():
        name = _names(measure)[0]
        if name in names:
            text = _grouped(_row("opitz2024:table5", label), heads, EXPECTATIONS)
            yield Remark(OPITZ, "Table 5", text, ERRATA.get((OPITZ, name)))


def _of_axioms(measure: Measure) -> Iterator[Remark]:
    for name in dict.fromkeys(_names(measure)):
        if name in FAILED:
            where, failed = FAILED[name]
            listed = ", ".join(f"{AXIOMS[x]} ({x})" for x in failed.split() or AXIOMS)
            text = f"fails: {listed}" if failed else f"has all eight axioms: {listed}"
            yield Remark(SEBASTIANI, where, text, ERRATA.get((SEBASTIANI, name)))


def _of_sayings(measure: Measure) -> Iterator[Remark]:
    for source, where, names, text, erratum in SAYINGS:
        if not set(names).isdisjoint(_names(measure)):
            yield Remark(source, where, text, erratum)
