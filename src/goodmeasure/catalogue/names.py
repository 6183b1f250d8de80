"""Looking measures up by name: the grammar of names, aliases, suggestions, and the list of all measures."""

from __future__ import annotations

import ast
import difflib
import inspect
import math
import re
from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache
from typing import Literal, TypeAlias, overload

from goodmeasure.catalogue.absent import turned, why_absent
from goodmeasure.catalogue.definitions.averaging import COMBINATORS, USUAL
from goodmeasure.catalogue.family import Family, bound_to
from goodmeasure.catalogue.measure import Measure, MeasureLike, as_measure
from goodmeasure.catalogue.popular_names import POPULAR, TWO_MEANINGS, plain_words
from goodmeasure.catalogue.register import CatalogueEntry, entries, entry_of, known_names, plug_in, score_entries
from goodmeasure.catalogue.scores.measure import ScoreFamily, ScoreMeasure
from goodmeasure.catalogue.scores.over_thresholds import COMBINATORS as OVER_THRESHOLDS
from goodmeasure.exceptions import Either, InputError, InputTypeError, Phrase, UnknownName, about, warn


class NameWarning(UserWarning):
    """The measure that was found shares its popular name with another one."""


# Popular names that two measures share: the one that is found, the other one, and what to say about it.
SHARED_NAMES = {
    "macro(f1)": (
        "macro_f1_of_means",
        "carries the same name in some papers: it is the F1 of macro precision and macro recall",
    ),
}


_OF_PAPERS = ("macf1",)  # names of papers that another measure has in other papers

PlainValue: TypeAlias = int | float | Fraction | str | tuple["PlainValue", ...] | None  # a parameter in a name

USUAL_OF_SCORES = ("macro(roc_auc)", "weighted(roc_auc)", "macro(average_precision)")
"""The averages over classes of measures of scores that people ask for."""


@overload
def measure(name: Measure) -> Measure: ...


@overload
def measure(name: ScoreMeasure) -> ScoreMeasure: ...


@overload
def measure(name: MeasureLike | ScoreFamily) -> Measure | ScoreMeasure: ...


def measure(name: MeasureLike | ScoreFamily) -> Measure | ScoreMeasure:
    """Return the measure with a name, an alias, or an expression such as ``"calibrated(macro(f1))"``.

    It is a `Measure` of predicted labels, or a `ScoreMeasure` such as "roc_auc" or "area(recall, over=fallout)".

    A function of ``c`` is a measure too, and a measure is itself.

    >>> measure("matthews")
    mcc
    >>> measure("generalized_mean(r=-inf)")
    generalized_mean(r=-inf)
    """
    found = named(name, argument="name")
    if isinstance(found, Measure) and found.is_users_own():
        found.recorded.must_be_one_formula()
    return found


def named(name: object, *, argument: str, warns: bool = True) -> Measure | ScoreMeasure:
    """Return the measure with a name; an error says which argument it is about, a warning what else the name means."""
    with about(argument):
        found = _named(name)
    text = name.strip() if isinstance(name, str) else ""
    if warns and text.lower() in TWO_MEANINGS:
        warn(f"found {found.name}; {text!r} {TWO_MEANINGS[text.lower()]}", NameWarning)
    return found


def _named(name: object) -> Measure | ScoreMeasure:
    if isinstance(name, ScoreMeasure):
        return name
    if isinstance(name, ScoreFamily):
        return name()
    if isinstance(name, Family):
        raise InputError(
            "{name!r} needs its parameters", name=name.name, example=name.example, advice="for example {example!r}"
        )
    if not isinstance(name, str):
        return as_measure(name)
    text = name.strip()
    if not text:
        raise InputError("the name of a measure is empty", got=name, expected="a name such as 'mcc' or 'macro(f1)'")
    try:
        tree = _parsed(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        if "(" in text:
            raise InputError(
                "the name {got!r} is not well formed",
                got=text,
                error=error.msg if isinstance(error, SyntaxError) else error,
                advice="{error}; write it as in 'calibrated(macro(f1))'",
            ) from None
        return _spoken(text)
    if text.lower() in POPULAR:
        return _spoken(text)
    try:
        found = _built(tree)
    except RecursionError:
        raise InputError(
            "the name of a measure is nested too deeply", got=text, expected="a name such as 'calibrated(macro(f1))'"
        ) from None
    if isinstance(found, (Measure, ScoreMeasure)):
        return found
    if isinstance(found, ScoreFamily):
        return found()
    if isinstance(found, Family):
        raise InputError(
            "{text!r} needs its parameters", text=text, example=found.example, advice="for example {example!r}"
        )
    if text.lower() in OVER_THRESHOLDS:
        raise InputError(
            "{text!r} makes measures of scores",
            text=text,
            example=_EXAMPLES[text.lower()],
            advice="for example {example!r}",
        )
    if text.lower() in COMBINATORS:
        raise InputError(
            "{text!r} makes measures of measures", text=text, name=text.lower(), advice="for example '{name}(f1)'"
        )
    return _spoken(text)


@lru_cache(maxsize=512)
def _parsed(text: str) -> ast.expr:
    return ast.parse(text, mode="eval").body


def score_measure(name: str) -> ScoreMeasure:
    """Return the measure of scores with a name."""
    found = measure(name)
    if not isinstance(found, ScoreMeasure):
        raise InputTypeError("{name} is a measure of predicted labels", name=found.name, expected="a measure of scores")
    return found


def _built(tree: ast.expr) -> object:
    """Return a measure, a family or None (unknown) from an expression of calls with literals."""
    if isinstance(tree, ast.Name):
        return entry_of(tree.id) or entry_of(tree.id.lower())
    if not isinstance(tree, ast.Call) or not isinstance(tree.func, ast.Name):
        return None
    name = tree.func.id if tree.func.id.lower() not in (*COMBINATORS, *OVER_THRESHOLDS) else tree.func.id.lower()
    if name in OVER_THRESHOLDS:
        return _over_thresholds(name, tree)
    keywords = {k.arg: _literal(k.value) for k in tree.keywords if k.arg is not None}
    if len(keywords) != len(tree.keywords) or any(isinstance(x, ast.Starred) for x in tree.args):
        raise InputError("{text!r}", text=ast.unparse(tree), advice="only plain parameters are allowed in a name")
    if name in COMBINATORS:
        return _combined(name, tree, keywords)
    family = entry_of(name) or entry_of(name.lower())
    if isinstance(family, (Measure, ScoreMeasure)):
        raise InputError("{name!r} takes no parameters", name=family.name, advice="write it without brackets")
    if family is None:
        raise _unknown("{name!r} is not a measure with parameters", name)
    try:
        return family(*(_literal(x) for x in tree.args), **keywords)
    except InputTypeError as error:
        raise InputError.inside(ast.unparse(tree), error) from None


_EXAMPLES = {
    "area": "area(recall, over=fallout)",
    "at": "at(precision, 'recall >= 0.9')",
    "best": "best(f1)",
}


def _over_thresholds(name: str, tree: ast.Call) -> ScoreMeasure:
    """Return the measure of scores that an expression builds from measures of confusion matrices."""
    if not tree.args or any(isinstance(x, ast.Starred) for x in tree.args) or any(k.arg is None for k in tree.keywords):
        raise InputError(
            "{text!r}", text=ast.unparse(tree), example=_EXAMPLES[name], advice="write it as in {example!r}"
        )
    inner = [_inner(x) if k == 0 or name == "area" else _literal(x) for k, x in enumerate(tree.args)]
    keywords = {str(k.arg): _inner(k.value) if k.arg == "over" else _literal(k.value) for k in tree.keywords}
    make = OVER_THRESHOLDS[name]
    try:
        bound_to(name, inspect.signature(make), tuple(inner), keywords, example=_EXAMPLES[name])
        return make(*inner, **keywords)
    except InputTypeError as error:
        raise InputError.inside(ast.unparse(tree), error) from None


def _inner(tree: ast.expr) -> object:
    """Return the measure that a part of an expression names."""
    found = _built(tree)
    if isinstance(found, Family):
        raise InputError(
            "{text!r} needs its parameters",
            text=ast.unparse(tree),
            example=found.example,
            advice="for example {example!r}",
        )
    return _spoken(ast.unparse(tree)) if found is None else found


def _combined(name: str, tree: ast.Call, keywords: Mapping[str, object]) -> object:
    """Return the average or calibration of a measure that an expression names."""
    if not tree.args:
        raise InputError("{name}() needs a measure", name=name, advice="for example '{name}(f1)'")
    first = tree.args[0]
    inner = _built(first)
    if isinstance(inner, Family) and not isinstance(inner, ScoreFamily):
        raise InputError(
            "{text!r} needs its parameters",
            text=ast.unparse(first),
            example=inner.example,
            advice="for example {example!r}",
        )
    if inner is None:
        inner = _spoken(ast.unparse(first))
    make, more = COMBINATORS[name], [_literal(x) for x in tree.args[1:]]
    try:
        bound_to(name, inspect.signature(make), (inner, *more), keywords, example=f"{name}(f1)")
        return make(inner, *more, **keywords)
    except InputTypeError as error:
        raise InputError.inside(ast.unparse(tree), error) from None


def _literal(tree: ast.expr) -> PlainValue:
    """Return the value of a literal: numbers (with inf and fractions such as 1/3), strings, None, tables of them."""
    if isinstance(tree, ast.Constant) and (tree.value is None or isinstance(tree.value, (int, float, str))):
        return tree.value
    if isinstance(tree, ast.Name) and tree.id in ("inf", "nan"):
        return math.inf if tree.id == "inf" else math.nan
    if isinstance(tree, ast.UnaryOp) and isinstance(tree.op, (ast.USub, ast.UAdd)):
        value = _literal(tree.operand)
        if isinstance(value, (int, float, Fraction)):
            return -value if isinstance(tree.op, ast.USub) else value
    if isinstance(tree, ast.BinOp) and isinstance(tree.op, ast.Div):
        above, below = _literal(tree.left), _literal(tree.right)
        if isinstance(above, int) and isinstance(below, int) and below:
            return Fraction(above, below)
    if isinstance(tree, (ast.List, ast.Tuple)):
        return tuple(_literal(x) for x in tree.elts)
    raise InputError(
        "{text!r} is not a plain value",
        text=ast.unparse(tree),
        advice="parameters are numbers, strings, or tables of numbers",
    )


_WORDS = re.compile(r"[a-z0-9]+(?:[\s_-]+[a-z0-9]+)*")


def _spoken(text: str) -> Measure | ScoreMeasure:
    """Return the measure with a name as people say it: "macro F1", "Cohen's kappa", "balanced-accuracy".

    No word is ignored: "average precision" is not precision, and a sign such as % or − may change the meaning.
    """
    found = _as_said(text) or _as_elsewhere(text)
    if found is None:
        raise _unknown(_NO_NAME, text)
    return found


def _as_said(text: str) -> Measure | ScoreMeasure | None:
    """Return the measure with these words as its name, an alias, a popular name or its title; None if unknown."""
    said = re.sub(r"[’ʼ′ʹ]", "'", text.lower())
    popular = POPULAR.get(said) or POPULAR.get(re.sub(r"[\s-]+", "_", said))
    if popular is not None:
        known = _named(popular)
        return _mentioned(known) if isinstance(known, Measure) and said in _OF_PAPERS else known
    said = re.sub(r"(?<=[a-z0-9])'(?=s\b)|(?<=s)'(?=\s)", "", said)  # Cohen's, Somers'
    said = re.sub(r"'$", "_prime", said)  # CD′ is another measure than CD
    if not _WORDS.fullmatch(said):
        return None
    words = re.split(r"[\s_-]+", said)
    found = _entry(words)
    if isinstance(found, ScoreFamily):
        return found()
    if isinstance(found, Family):
        raise InputError(
            "{text!r} needs its parameters", text=text, example=found.example, advice="for example {example!r}"
        )
    return found or _averaged(words, text)


def _as_elsewhere(text: str) -> Measure | ScoreMeasure | None:
    """Return what another library calls so ("BinaryF1Score", "classif.auc"), unless it is known to be absent here."""
    if why_absent(text):
        return None
    plain = plain_words(text)
    found = _as_said(" ".join(plain.words)) if plain.words else None
    found = found or _in_crosswalk(text) or _in_crosswalk(plain.name)
    if found is not None and plain.over_classes and found.classes == 2:
        return COMBINATORS["macro"](found)
    return found


def _in_crosswalk(text: str) -> Measure | ScoreMeasure | None:
    """Return what the crosswalk of names of other libraries leads to; say what differs, or why there is none."""
    from goodmeasure.catalogue.peers import counterpart

    row = counterpart(text)
    if row is None:
        return None
    if row.measure is None or row.of_pairs:
        there = "is not in the catalogue" if row.measure is None else f"is {row.measure!r}"
        raise UnknownName(
            "{name!r} of {peer} {there} ({note})", name=text, peer=row.peer, there=there, note=row.note,
            suggestions=() if row.measure is None else (row.measure,),
        )  # fmt: skip
    found = measure(row.measure)
    if row.takes_any:
        raise InputError(
            "{text!r} needs its parameters", text=text, example=found.name, advice="for example {example!r}"
        )
    if row.differs:
        warn(f"found {found.name} for {text!r} of {row.peer}: {row.note}", NameWarning)
    return found


def _entry(words: list[str]) -> CatalogueEntry | None:
    """Return the entry with these words as its name, an alias, or its title."""
    joined = "_".join(words)
    return entry_of(joined) or entry_of("".join(words)) or _titles().get(joined)


def _averaged(words: list[str], text: str) -> Measure | ScoreMeasure | None:
    """Return an average as people say it: "macro F1", "weighted-average recall", "f1_macro"; None if it is none."""
    at = next((k for k, word in enumerate(words) if word in COMBINATORS), None)
    if at is None:
        return None
    combinator, rest = words[at], words[at + 1 :]
    if rest[:1] == ["averaged"] or (rest[:1] == ["average"] and rest[1:2] != ["precision"]):
        rest = rest[1:]  # except that "macro average precision" may mean the average precision
    inner = _entry([*words[:at], *rest]) if words[:at] or rest else None
    if isinstance(inner, ScoreMeasure) and inner.classes == 2 and combinator in ("macro", "weighted"):
        return COMBINATORS[combinator](inner)
    if not isinstance(inner, Measure):
        return None
    if inner.classes != 2 and combinator != "calibrated":
        raise InputError(
            "{text!r} may mean several measures",
            text=text,
            combinator=combinator,
            name=inner.name,
            advice="write '{combinator}({name})' for the average of {name} over classes, each against the "
            "rest, or 'macro(recall)' for the average recall",
        )
    return _mentioned(as_measure(COMBINATORS[combinator](inner)))


# Words that occur only in names of measures of scores (probabilities, rankings).
_OF_SCORES = re.compile(
    r"auc|auroc|aupr|\broc\b|brier|average precision|\bm?ap\b|log ?loss|cross entropy|top k|calibration (error|loss)|"
    r"\bece\b|n?dcg|hinge loss|precision recall curve|coverage error|ranking|\bgini\b|gain capture"
)


def _names_scores(text: str) -> bool:
    """Return whether a name sounds like a measure of scores, also in CamelCase."""
    apart = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", text).lower()
    return bool(_OF_SCORES.search(re.sub(r"[^a-z0-9]+", " ", apart)))


def _mentioned(found: Measure) -> Measure:
    """Return a measure, after a warning if another one has the same popular name."""
    if found.name in SHARED_NAMES:
        other, why = SHARED_NAMES[found.name]
        warn(f"found {found.name}; {other} {why}", NameWarning)
    return found


def _titles() -> dict[str, Measure | ScoreMeasure]:
    """Return the measures by title, in lower case with underscores."""
    spoken = {}
    for entry in (*entries(), *score_entries()):
        if isinstance(entry, (Measure, ScoreMeasure)):
            words = re.split(r"[^a-z0-9]+", entry.title.lower().replace("'", ""))
            spoken["_".join(filter(None, words))] = entry
    return spoken


_NO_NAME = "{name!r} is not the name of a measure"


def _unknown(problem: str, text: str) -> UnknownName:
    """Return the error about an unknown name, with suggestions."""
    absent = why_absent(text)
    if absent is not None:
        return UnknownName("{sentence}", name=text, sentence=absent[0], suggestions=absent[1])
    positive = turned(text)
    if positive is not None and (known := _as_said(positive) or _as_elsewhere(positive)) is not None:
        return UnknownName(
            "{name!r} is scikit-learn's name for {known!r} with the sign turned", name=text, known=known.name,
            suggestions=[known.name], advice="use {known!r}, of which goodmeasure knows that lower is better",
        )  # fmt: skip
    near = [x for x in nearest(text) if x != text]
    if _names_scores(text):
        near = ["average_precision"] if re.search(r"pr(c|_auc)?$|pr_auc", text.lower()) else near
        of_scores = [x for x in near if getattr(entry_of(x), "takes", None) == "scores"]
        which = Either("gm.measures(takes='scores')", "`goodmeasure measures --takes scores`")
        return UnknownName(
            "{name!r} sounds like a measure of scores, and the catalogue has none of that name",
            name=text,
            suggestions=of_scores,
            advice=Phrase(
                "did you mean {near}? {which} lists them" if of_scores else "{which} lists them",
                {"near": " or ".join(map(repr, of_scores)), "which": which},
            ),
        )
    listed = Either("gm.measures()", "`goodmeasure measures`")
    meant = Phrase(
        "did you mean {near}?" if near else "see {listed}", {"near": " or ".join(map(repr, near)), "listed": listed}
    )
    return UnknownName(problem, name=text, suggestions=near, advice=meant)


def nearest(text: str) -> list[str]:
    """Return up to three names of measures that look like the text."""
    known = {name: found for name, found in known_names().items() if not name.endswith("_score")}
    text = text.lower().removesuffix("_score")  # many names end in it, so it does not distinguish measures
    if re.fullmatch(r"f\d+(\.\d+)?", text):
        return [f"fbeta(beta={text[1:]})"]
    every = {**{x: x for x in (*USUAL, *COMBINATORS)}, **known}
    found = look_alikes(text, every, alike=_TYPED_WRONG)
    same = [every[x] for x in every if len(x) == len(text) < _SHORT and set(x) == set(text)]  # mmc for mcc
    return list(dict.fromkeys([*found, *same]))[:3]


_SHORT = 5  # letters
_TYPED_WRONG = 0.79  # so alike are a name and one with a letter wrong; other measures, such as aic and auc, are less so


def look_alikes(text: str, known: dict[str, str], alike: float = 0.6) -> list[str]:
    """Return up to three names that look like the text; `known` maps names and aliases to names."""
    inside = [name for name in known if len(text) >= 3 and text in name][:2]
    close = difflib.get_close_matches(text, known, n=4, cutoff=max(alike, 0.6 if len(text) > 4 else 0.66))
    return list(dict.fromkeys(known[x] for x in [*close, *inside]))[:3]


def family(name: str) -> Family:
    """Return the family of measures with a name."""
    found = entry_of(name)
    if not isinstance(found, Family):
        raise _unknown("{name!r} is not a measure with parameters", name)
    return found


LABELS, SCORES, OUTCOMES, ANY = TAKES = ("labels", "scores", "outcomes", "any")


@overload
def measures(
    *, classes: int | None = None, orientation: str | None = None, family: str | None = None, search: str | None = None,
    takes: Literal["labels"] = "labels",
) -> list[Measure]: ...  # fmt: skip


@overload
def measures(
    *, classes: int | None = None, orientation: str | None = None, family: str | None = None, search: str | None = None,
    takes: Literal["scores", "outcomes"],
) -> list[ScoreMeasure]: ...  # fmt: skip


@overload
def measures(
    *, classes: int | None = None, orientation: str | None = None, family: str | None = None, search: str | None = None,
    takes: str,
) -> list[Measure | ScoreMeasure]: ...  # fmt: skip


def measures(
    *, classes: int | None = None, orientation: str | None = None, family: str | None = None, search: str | None = None,
    takes: str = LABELS,
) -> list[Measure] | list[ScoreMeasure] | list[Measure | ScoreMeasure]:  # fmt: skip
    """Return the catalogue: all measures, those with parameters at usual values, and the averages of the papers.

    `classes=3` leaves out what is defined only for two classes; `search` looks in names, aliases and titles. `takes`
    says what is measured: predicted "labels", "scores" (rankings and probabilities), "outcomes" (such as verdicts of a
    grader), or "any" for the first two.

    >>> measures(family="rates", orientation="lower")
    [fallout, miss_rate, false_discovery_rate, false_omission_rate, bray_curtis]
    >>> measures(takes="scores", search="auc")[:2]
    [roc_auc, partial_auc]
    """
    if classes is not None and (isinstance(classes, bool) or not isinstance(classes, int) or classes < 1):
        raise InputError("{classes} is {got!r}", got=classes, expected="a number of classes, such as 2")
    if orientation not in (None, "higher", "lower", "neither"):
        raise InputError("{orientation} is {got!r}", got=orientation, advice="use 'higher', 'lower' or 'neither'")
    if takes not in TAKES:
        raise InputError("{takes} is {got!r}", got=takes, advice="use 'labels', 'scores', 'outcomes' or 'any'")
    listed: list[Measure | ScoreMeasure] = []
    listed += [x for x in all_measures() if fits(x, classes)] if takes in (LABELS, ANY) else []
    listed += (
        [x for x in all_score_measures() if classes in (None, 2) or x.classes is None] if takes in (SCORES, ANY) else []
    )
    of_outcomes = outcome_measures()
    listed += of_outcomes if takes == OUTCOMES else []
    known = {x.family for x in (*all_measures(), *all_score_measures(), *of_outcomes)}
    if family is not None and (not isinstance(family, str) or family not in known):
        raise InputError("{family} is {got!r}", got=family, known=", ".join(sorted(known)), advice="use one of {known}")
    found = [x for x in listed if orientation in (None, x.orientation) and family in (None, x.family)]
    if search is not None:
        if not isinstance(search, str):
            raise InputTypeError("{search} is {got!r}", got=search, expected="a part of a name, an alias or a title")
        word = search.lower()
        found = [x for x in found if any(word in text.lower() for text in (x.name, x.title, *x.aliases))]
    return found


def fits(found: Measure, classes: int | None) -> bool:
    """Return whether a measure applies to that many classes; a table of costs is made for one number of them."""
    if classes is None:
        return True
    costs = found.parameters.get("costs")
    return len(costs) == classes if isinstance(costs, tuple) else found.classes is None or classes == 2


def all_measures() -> list[Measure]:
    """Return every measure of the catalogue, in the order of definition."""
    plug_in()
    found: list[Measure] = []
    for entry in entries():
        if isinstance(entry, Measure):
            found.append(entry)
        else:
            found.extend(entry(**chosen) for chosen in entry.usual)
    return found + [as_measure(name) for name in USUAL]


def outcome_measures() -> list[ScoreMeasure]:
    """Return every measure of outcomes, in the order of definition."""
    listed = score_entries(OUTCOMES)
    return [y for x in listed for y in ([x] if isinstance(x, ScoreMeasure) else [x(**chosen) for chosen in x.usual])]


def all_score_measures() -> list[ScoreMeasure]:
    """Return every measure of scores of the catalogue, in the order of definition."""
    found: list[ScoreMeasure] = []
    order = ("ranking", "probabilities", "calibration")
    listed = list(score_entries())
    listed.sort(key=lambda x: order.index(str(x.family)) if x.family in order else len(order))
    for entry in listed:
        found.extend([entry] if isinstance(entry, ScoreMeasure) else [entry(**chosen) for chosen in entry.usual])
    return found + [score_measure(name) for name in USUAL_OF_SCORES]
