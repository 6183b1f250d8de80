"""Recommend: the questions of `gm.recommend`, and its answers as data, with what to copy."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping
from itertools import combinations

from goodmeasure.catalogue.display_names import display_name, names_text, title_inside
from goodmeasure.catalogue.measure import Measure, as_measure
from goodmeasure.exceptions import InputError
from goodmeasure.keywords import options_of
from goodmeasure.options import NeedsOptions, TaskOptions
from goodmeasure.recommendation.needs import QUESTIONS, USUAL, Need, Question
from goodmeasure.recommendation.recommend import recommend
from goodmeasure.recommendation.recommendation import Advice, Drop, Recommendation
from goodmeasure.theory.possible.answer import Impossible
from goodmeasure.theory.possible.readable_proof import proof_text
from goodmeasure.theory.statements.lookup import statement
from goodmeasure.typing import ReadJson
from goodmeasure.web.answers.page_data import PageData

SHOWN = 8
_OPTIONS = options_of(NeedsOptions, TaskOptions)
FIELDS = tuple(_OPTIONS)


def questions() -> list[PageData]:
    """Return the questions with examples, and what each answer requires of a measure."""
    return [_question(q) for q in QUESTIONS]


def _question(q: Question) -> PageData:
    return {
        "name": q.name,
        "question": q.text,
        "kind": q.kind,
        "choices": list(q.option.choices) or None,
        "usual": q.option.default,
        "whole": q.option.kind is int,
        "example": q.example,
        "requires": {_answer_text(x): [_need_text(need) for need in needs] for x, needs in q.needs.items()},
    }


def _answer_text(answer: object) -> str:
    return "yes" if answer is True else str(answer)


def _need_text(need: Need) -> str:
    return f"{need.text} ({'required' if need.required else 'desirable'}: {need.because})"


def recommendation(answers: Mapping[str, ReadJson], shown: int = SHOWN) -> PageData:
    """Return the measures that suit a task, with reasons, and what to copy."""
    unknown = [name for name in answers if name not in FIELDS]
    if unknown:
        raise InputError(
            "{name!r} is not a question", name=unknown[0], known=", ".join(FIELDS), advice="there are {known}"
        )
    given = {name: x for name, x in answers.items() if x is not None}
    found = recommend(**given)
    best = found.best
    return {
        "best": None if best is None else best.name,
        "ranked": [_advice(x) for x in found.ranked[:shown]],
        "requires": [_need_text(x) for x in found.required],
        "remarks": list(found.remarks),
        "why_not": [{"measure": x, "text": text} for x, text in found.objections.items()] if found.measures else [],
        "impossible": None if found.impossible is None else _impossible(found.impossible),
        "possible": None if found.possible is None else str(found.possible),
        "drop": [_drop(x) for x in found.drop],
        **_to_copy(given, found),
    }


def _impossible(found: Impossible) -> PageData:
    """Return which properties exclude each other, and the proof, as the map has them."""
    every = found.for_every_n
    return {
        "properties": list(found.used),
        "n": max(found.sizes),
        "proof": proof_text(found.certificate),
        "every_n": None if every is None else f"n ≥ {every['least']}",
        "proof_every_n": None if every is None else proof_text(every),
    }


def _drop(x: Drop) -> str:
    """Return what could be given up and what would then be recommended, as a sentence."""
    given_up = " and ".join(f"{_wish(need)} ({need.because})" for need in x.needs)
    return f"Without {given_up}: {display_name(as_measure(x.measure))}{x.remains}."


def _wish(need: Need) -> str:
    title = statement(need.statement).title
    return title if need.holds else f"the lack of {title}"


def _advice(x: Advice) -> PageData:
    return {
        "measure": x.name,
        "title": f"{x.title[:1].upper()}{x.title[1:]}" or x.measure.title,
        "short": display_name(x.measure),
        "suits": x.suits,
        "because": f"{x.because[:1].upper()}{x.because[1:]}." if x.because else "",
        "code": x.code,
        "together": list(x.together),
        "fits": [y.reason for y in x.why if y.need.because != USUAL],
        "has": [statement(y.need.statement).title for y in x.why if y.need.because == USUAL],
        "violates": [
            {
                "property": y.need.statement,
                "title": statement(y.need.statement).title,
                "required": y.need.required,
                "text": y.example,
                "witness": None if y.verdict.witness is None else y.verdict.witness.to_dict(),
            }
            for y in x.violates
        ],
        "notes": list(x.notes),
        "alike": list(x.alike),
        "chance": x.chance,
        "beside": [{"what": what, "why": why} for what, why in x.beside],
    }


def _to_copy(given: Mapping[str, ReadJson], found: Recommendation) -> PageData:
    """Return the lines that ask the same question elsewhere, and those that use the measure."""
    changed = {name: x for name, x in given.items() if x not in (_OPTIONS[name].default, [], None)}
    arguments = ", ".join(f"{name}={x!r}" for name, x in changed.items())
    lines: PageData = {
        "python": f"gm.recommend({arguments})",
        "command": "goodmeasure recommend" + "".join(_option(name, x) for name, x in changed.items()),
        "measure_python": None,
        "measure_command": None,
        "statement": None,
    }
    if found.best is None:
        return lines
    name = found.best.name
    lines["measure_python"] = found.best.code
    if isinstance(found.best.measure, Measure):
        lines["measure_command"] = f"goodmeasure evaluate predictions.csv --measures {shlex.quote(name)}"
    lines["statement"] = _statement(found.best)
    return lines


def _option(name: str, x: ReadJson) -> str:
    """Return an answer as an option of the command."""
    if name == "costs":
        return f' --costs "{";".join(",".join(map(str, row)) for row in x)}"'
    return "".join(f" {shlex.quote(word)}" for word in _OPTIONS[name].words(x))


def _statement(best: Advice) -> str:
    """Return the sentence that says in a paper what is measured, with the formula and its source."""
    f = best.measure
    if best.together:
        return f"We report {names_text([title_inside(as_measure(x)) for x in best.together])} on n = … items."
    source = f" [@{f.cite}]" if f.cite else ""
    guessing = "The score of random guessing" if best.guessing.depends else "Random guessing gets"
    return f"We report {f.title}{source}, ${f.formula}$, on n = … items. {guessing} {best.chance}."


# Without a server

_YES = ("ordered", "one_class", "equal_standing", "across", "chance", "distance", "rare")
_DEPLOYMENTS = (None, "same", "other", "unknown")
_FEW = 3  # measures that are explained


def prepared() -> PageData:
    """Return recommendations for a page without a server: for one or two answers of yes, and for each deployment.

    ``keys`` maps a task, as `key_of` writes it, to its place among the ``answers``.
    """
    answers: list[PageData] = []
    keys: dict[str, int] = {}
    for task in _tasks():
        try:
            found = recommendation(task, _FEW)
        except InputError:  # some answers contradict each other
            continue
        keys[key_of(task)] = len(answers)
        answers.append(found)
    return {"keys": keys, "answers": answers}


def _tasks() -> Iterator[PageData]:
    """Yield the tasks that are prepared."""
    for classes in (2, 3):
        for chosen in ((), *((x,) for x in _YES)):
            for deployment in _DEPLOYMENTS:
                yield {"classes": classes, "deployment": deployment, **{x: _yes(x) for x in chosen}}
        for pair in combinations(_YES, 2):
            yield {"classes": classes, **{x: _yes(x) for x in pair}}


def _yes(name: str) -> int:
    return 1 if name == "rare" else True


def key_of(task: Mapping[str, ReadJson]) -> str:
    """Return the key of a task: what differs from the usual answers, sorted by the questions.

    >>> key_of({"classes": 3, "rare": 1, "distance": True, "deployment": None})
    'classes=3&distance=yes&rare=1'
    """
    given = {name: "yes" if x is True else x for name, x in task.items() if x not in (None, False, 0)}
    return "&".join(f"{name}={x}" for name, x in sorted(given.items()) if (name, x) != ("classes", 2))
