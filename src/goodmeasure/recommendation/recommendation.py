"""A recommendation: what the task requires, which measures have it, and where they fall short."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, NamedTuple, cast

from goodmeasure.catalogue.display_names import inside, names_text, sentence_name, short_name, title_inside
from goodmeasure.catalogue.measure import Measure, MeasureLike
from goodmeasure.catalogue.names import measure as measure_of
from goodmeasure.catalogue.scores.measure import ScoreMeasure
from goodmeasure.documents import JsonDocument
from goodmeasure.exceptions import UnknownKey
from goodmeasure.notebooks import ShownInNotebooks
from goodmeasure.recommendation.candidates import Candidates, judged_by_three
from goodmeasure.recommendation.leads import Lead, lead_of
from goodmeasure.recommendation.needs import ALWAYS_ASKED, USUAL, Need
from goodmeasure.recommendation.words import counterexample, counts_what_was_left_out, opening
from goodmeasure.theory.statements.verdict import HELD, PROVED, REFUTED, SIGNS, VACUOUS, Verdict
from goodmeasure.typing import ReadJson

if TYPE_CHECKING:
    from goodmeasure.recommendation.needs import Answers
    from goodmeasure.theory.possible.answer import Impossible, Possible


ShownMeasure = Measure | ScoreMeasure
_WIDTH = 100  # characters of a line on the screen
_MOST_LINES = 30
_FEW_DROPS = 4
_FEW_WHY, _FEW_NOT, _FEW_BESIDE = 4, 3, 4  # what the screen shows of each
_EXPECTED = ("accuracy", "f1", "macro(f1)", "mcc", "kappa", "balanced_accuracy")  # what people expect
_FIRST = (
    "constant_baseline",
    "opitz_monotone",
    "maximal_agreement",
    "monotone",
    "symmetry",
)  # what readers see at once


class StoredNeed(NamedTuple):
    """What a document holds of a need with its verdict."""

    need: Need
    met: bool
    status: str
    verdict: Verdict


@dataclass(frozen=True)
class JudgedNeed:
    """A need, and the verdict on it for one measure."""

    need: Need
    status: str
    met: bool  # as far as is known; a property that covers no matrix is no merit
    find_verdict: Callable[[], Verdict] = field(repr=False, compare=False)  # loaded on demand, since proofs are long
    measure: Measure | None = None

    @cached_property
    def verdict(self) -> Verdict:
        """The verdict, with its witness or its certificate."""
        return self.find_verdict()

    @property
    def sure(self) -> bool:
        """Return whether the verdict is proved, refuted or vacuous, and did not only hold."""
        return self.status in (PROVED, REFUTED, VACUOUS)

    @property
    def example(self) -> str:
        """Return an example of what the measure does, or how far the finding goes, as a sentence; it may be empty."""
        v = self.verdict
        if v.status == VACUOUS:
            return f"It says nothing here, because {v.remark}."
        if v.status == HELD:
            return f"There is no counterexample up to n = {v.n}, and no proof." if v.n else "Nothing is known about it."
        if self.measure is None:
            return ""
        if self.need.statement == "class_symmetry" and v.status == PROVED and not self.need.holds and v.classes == 2:
            return counts_what_was_left_out(self.measure)
        return counterexample(self.measure, self.need.statement, v) if v.status == REFUTED else ""

    @property
    def text(self) -> str:
        """Return the finding in words: the property as a sentence, and an example where there is one."""
        return f"{self.need.text} {self.example}".strip()

    @property
    def reason(self) -> str:
        """Return the property as a sentence, with the reason why the task asks for it."""
        return (
            self.need.text
            if self.need.because == USUAL
            else f"{self.need.text.removesuffix('.')} ({self.need.because})."
        )

    @property
    def sign(self) -> str:
        """Return ✓ where the need is proved, ✗ where it is refuted and ? otherwise, with n as in the verdict."""
        v = self.verdict
        if self.need.holds or v.status not in (PROVED, REFUTED):
            return v.sign
        return SIGNS[REFUTED] if v.status == PROVED else SIGNS[PROVED]

    def _stored(self) -> StoredNeed:
        """Return what a document holds: the verdict without its proof, which `gm.check` finds again."""
        return StoredNeed(self.need, self.met, self.status, replace(self.verdict, certificate=None))

    @classmethod
    def _restored(cls, kept: StoredNeed) -> JudgedNeed:
        """Return the finding that a document holds; the advice that it is part of names the measure."""
        return cls(kept.need, kept.status, kept.met, lambda: kept.verdict)


class GuessingLevel(NamedTuple):
    """What random guessing scores under a measure, in words."""

    text: str
    depends: bool
    """Whether it depends on the class sizes; the text then begins with a verb, and otherwise with a number."""


class StoredAdvice(NamedTuple):
    """What a document holds of the advice on one measure."""

    measure: Measure | ScoreMeasure
    title: str
    suits: bool
    score: float
    because: str
    code: str
    together: tuple[str, ...]
    why: tuple[JudgedNeed, ...]
    violates: tuple[JudgedNeed, ...]
    notes: tuple[str, ...]
    alike: tuple[str, ...]
    guessing: GuessingLevel | None
    beside: tuple[tuple[str, str], ...]


def _nothing_known() -> GuessingLevel:
    return GuessingLevel("depends on the data: gm.evaluate shows it", depends=True)


@dataclass(frozen=True)
class Advice:
    """The advice on one measure.

    ``suits`` says whether the measure meets all requirements, ``why`` which needs it meets, and ``violates`` which it
    does not, each with an example. ``because`` says why it comes first, ``code`` is the line that computes it, and
    ``beside`` is what else to show. ``together`` names the measures that are to be reported together with it. ``alike``
    names measures that are a linear function of this one, for which all of this holds too.
    """

    measure: ShownMeasure
    suits: bool
    score: float
    why: tuple[JudgedNeed, ...] = ()
    violates: tuple[JudgedNeed, ...] = ()
    notes: tuple[str, ...] = ()
    find_chance: Callable[[], GuessingLevel] = field(default=_nothing_known, repr=False)  # it takes longer than ranking
    beside: tuple[tuple[str, str], ...] = ()
    alike: tuple[str, ...] = ()
    because: str = ""
    code: str = ""
    together: tuple[str, ...] = ()
    title: str = ""  # what is reported, where the title of the measure does not say it

    @cached_property
    def guessing(self) -> GuessingLevel:
        """Return what random guessing scores."""
        return self.find_chance()

    @property
    def chance(self) -> str:
        """Return what random guessing scores, in words."""
        return self.guessing.text

    @property
    def name(self) -> str:
        """Return the name of the measure."""
        return self.measure.name

    def facts(self) -> list[tuple[str, str]]:
        """Return everything that is said about the measure, each fact with its name."""
        said = [("first", f"{_capital(self.because)}.")] if self.because else []
        said += [("why", f"{x.reason} {x.example}".strip()) for x in self.why if x.need.because != USUAL]
        said += [("also", x.text) for x in self.why if x.need.because == USUAL]
        said += [("lacks", x.text) for x in self.violates]
        said += [("note", x) for x in self.notes]
        said += [("same", f"{', '.join(self.alike)} (linear functions of it)")] if self.alike else []
        said += [("chance", self.chance)]
        said += [("code", self.code)] if self.code else []
        return said + [("show", f"{what}: {why}") for what, why in self.beside]

    def __str__(self) -> str:
        lines = [f"  {name:<9} {text}" for name, text in self.facts()]
        return "\n".join([f"{self.name}: {self.measure.title}", *lines])

    def _stored(self) -> StoredAdvice:
        """Return what a document holds."""
        guessing = None if self.find_chance is _nothing_known else self.guessing
        said = (self.because, self.code, self.together, self.why, self.violates, self.notes, self.alike, guessing)
        title = self.title or self.measure.title
        return StoredAdvice(self.measure, title, self.suits, self.score, *said, self.beside)

    @classmethod
    def _restored(cls, kept: StoredAdvice) -> Advice:
        """Return the advice that a document holds."""
        f, guessing = kept.measure, kept.guessing
        why, violates = (
            tuple(replace(x, measure=f) if isinstance(f, Measure) else x for x in judged)
            for judged in (kept.why, kept.violates)
        )
        return cls(f, kept.suits, kept.score, why, violates, kept.notes,
                   _nothing_known if guessing is None else lambda: guessing, kept.beside, kept.alike, kept.because,
                   kept.code, kept.together, "" if kept.title == f.title else kept.title)  # fmt: skip


def judged_needs(of: Measure, wanted: list[Need], known: Candidates) -> list[JudgedNeed]:
    """Return the verdict on each need for one measure."""
    return [
        JudgedNeed(x, known.status(of, x.statement), known.meets(of, x), partial(known.verdict, of, x.statement), of)
        for x in wanted
    ]


def candidates_for(answers: Answers) -> Candidates:
    """Return what is known about the measures for a task."""
    stand_ins = None if answers["costs"] is None else judged_by_three(answers["costs"])
    return Candidates(2 if answers["one_class"] else answers["classes"], stand_ins)


@dataclass(frozen=True)
class Drop:
    """A requirement that could be given up, or two of them together, and what would then be recommended."""

    needs: tuple[Need, ...]
    measure: str
    remains: str = ""  # what it still has of the requirements, in words that follow its name

    @property
    def then(self) -> str:
        """What would be recommended: the name of the measure, and what remains of the requirements."""
        return self.measure + self.remains

    @property
    def need(self) -> Need:
        """The requirement that could be given up; the first of them where it takes two."""
        return self.needs[0]

    def __str__(self) -> str:
        return f"without {' and '.join(map(_given_up, self.needs))}: {self.then}"


def _given_up(need: Need) -> str:
    """Return a requirement in words, with the reason for it."""
    return f"“{need.text.removesuffix('.')}” ({need.because})"


class Recommendation(ShownInNotebooks, JsonDocument):
    """A ranked list of measures with reasons; iterating gives the advice on each.

    ``why_not`` says what speaks against a measure. ``impossible`` is the proof that no measure can meet all
    requirements, if there is one. ``possible`` is a table of values which shows that some measure could, where none of
    the catalogue does. ``drop`` lists what could be given up.
    """

    kind = "recommendation"
    derived = ("measures", "objections")

    def __init__(
        self,
        answers: Mapping[str, ReadJson],
        needs: list[Need],
        ranked: list[Advice],
        *,
        impossible: Impossible | None = None,
        possible: Possible | None = None,
        drop: tuple[Drop, ...] = (),
        remarks: tuple[str, ...] = (),
    ) -> None:
        self.answers, self.needs, self.ranked = dict(answers), needs, ranked
        self.impossible, self.possible, self.drop, self.remarks = impossible, possible, drop, remarks

    @property
    def best(self) -> Advice | None:
        """Return the first measure that meets all requirements; None where there is none."""
        return next((x for x in self.ranked if x.suits), None)

    @property
    def measures(self) -> list[str]:
        """Return the names of the measures that suit the task, the best first."""
        return [x.name for x in self.ranked if x.suits]

    @property
    def required(self) -> list[Need]:
        """Return the needs that are requirements."""
        return [x for x in self.needs if x.required]

    def __iter__(self) -> Iterator[Advice]:
        return iter(self.ranked)

    def __len__(self) -> int:
        return len(self.ranked)

    def __getitem__(self, which: int | str) -> Advice:
        if isinstance(which, int):
            return self.ranked[which]
        for x in self.ranked:
            if which == x.name or which in x.alike:
                return x
        raise UnknownKey(
            "{name!r} is not one of the measures that were considered", name=which,
            known=", ".join(x.name for x in self), advice="they are {known}",
        )  # fmt: skip

    def __str__(self) -> str:
        return "\n".join(self.head())

    def __repr__(self) -> str:
        return str(self)

    def why_not(self, name: MeasureLike) -> str:
        """Return what speaks against a measure: the property that it lacks for this task, and the smallest example.

        >>> import goodmeasure as gm
        >>> print(gm.recommend().why_not("kappa"))  # doctest: +NORMALIZE_WHITESPACE
        Cohen's kappa lacks this: One more right prediction never lowers the measure, one more wrong prediction never
        raises it (as in every task). Cohen's kappa rises from -1 to -0.8 when one more item is predicted wrong.
        [[0, 1], [1, 0]] → [[0, 2], [1, 0]]
        """
        of = measure_of(name)
        if isinstance(of, Measure) and self._by_properties and of.classes == 2 and self._classes > 2:
            return f"{opening(of)} is about two classes; of more, there are averages such as macro({of.name})."
        subject, leads = opening(of), self.best or (self.ranked[0] if self.ranked else None)
        if leads is not None and of.name in (leads.name, *leads.together, *leads.alike):
            same = "" if of.name == leads.name else f" (a linear function of {leads.name})" * (of.name in leads.alike)
            return f"{subject} is what is recommended{same}." if self.best else f"{subject} comes nearest."
        against = None if self._lead is None else self._lead.against
        demand, example = ("", "") if against is None else against(of)
        if not example and isinstance(of, ScoreMeasure) and self._by_properties:
            return (f"{subject} judges scores, and here labels are judged. With scores whose threshold is open, "
                        f"ask again with predictions='scores'.")  # fmt: skip
        if not example and isinstance(of, Measure) and self._by_properties:
            fault = self._fault(of, leads)
            if fault is not None:
                return f"{subject} lacks this: {fault.reason} {fault.example}".strip()
        if example:
            return f"{subject} lacks this: {demand} {example}"
        first = (
            "what comes first is"
            if leads is None
            else f"{_capital(leads.title) or opening(leads.measure)} comes first since it is"
        )
        return f"Nothing speaks against {inside(subject)} here; {first} better known, or has more of what is wanted."

    @property
    def _classes(self) -> int:
        return 2 if self.answers["one_class"] else int(self.answers["classes"])

    @cached_property
    def _lead(self) -> Lead | None:
        return lead_of(cast("Answers", self.answers))

    @property
    def _by_properties(self) -> bool:
        """Return whether measures of labels are ranked by properties."""
        return self._lead is None or not self._lead.alone

    @cached_property
    def _known(self) -> Candidates:
        return candidates_for(cast("Answers", self.answers))

    @property
    def objections(self) -> dict[str, str]:
        """Return what speaks against measures that people expect, by name."""
        return {x: self.why_not(x) for x in self.expected}

    def _fault(self, of: Measure, leads: Advice | None) -> JudgedNeed | None:
        """Return the most telling need that a measure does not meet, and that the recommended one does."""
        has = {x.need.statement for x in leads.why} if leads is not None else set()
        lacking = [
            x
            for x in judged_needs(of, self.needs, self._known)
            if not x.met and (x.need.required or x.need.statement in has)
        ]
        place = {name: k for k, name in enumerate(_FIRST)}
        lacking.sort(key=lambda x: (not x.need.required, x.need.because in (USUAL, ALWAYS_ASKED),
                                    x.need.statement not in has, place.get(x.need.statement, 9)))  # fmt: skip
        return lacking[0] if lacking else None

    @property
    def expected(self) -> list[str]:
        """Return measures that people expect in such a task, and that are not the first: `why_not` answers for them."""
        leads = self.best
        taken = () if leads is None else (leads.name, *leads.together, *leads.alike)
        wrong = ("f1", "roc_auc") if self._classes > 2 else ("macro(f1)",)
        ranks = not self._by_properties or self.answers.get("predictions") in ("scores", "probabilities")
        known = ("roc_auc", *_EXPECTED) if ranks and self.answers.get("raters") is None else _EXPECTED
        return [x for x in known if x not in (*taken, *wrong)][:_FEW_NOT]

    def head(self) -> list[str]:
        """Return what to report, why, with which code, what to show with it and why not another, as lines of text."""
        if self.best is None:
            return [line for text in self._nothing() for line in _wrapped(text)]
        best = self.best
        lines = [f"Report {best.title or _named(best.measure)}.", "", f"    {best.code}", ""]
        blocks = self._blocks(best)
        others = list({x.measure.stem: sentence_name(x.measure) for x in reversed(self.ranked[1:])
                       if x.suits and x.name not in best.together}.values())[::-1][:3]  # fmt: skip
        rest = [f"Also suitable: {', '.join(others)}."] if others else []
        rest = [line for x in (*self.remarks, *rest) for line in _wrapped(x)]
        while len(lines) + len(rest) + sum(1 + len(_listed(x)) for x in blocks.values()) > _MOST_LINES:
            longest = max(blocks, key=lambda x: (len(blocks[x]) > 1, len(_listed(blocks[x]))))
            if len(blocks[longest]) == 1:
                break
            blocks[longest].pop()
        return [*lines, *(line for name, told in blocks.items() for line in (name, *_listed(told))), *rest]

    def _blocks(self, best: Advice) -> dict[str, list[str]]:
        """Return why a measure comes first, what to show with it, why not others, and what it lacks, as sentences."""
        place = {name: k for k, name in enumerate(_FIRST)}
        why = [f"{_capital(best.because)}."] if best.because else []
        why += [x.reason for x in best.why if x.need.because != USUAL]
        usual = sorted((x for x in best.why if x.need.because == USUAL), key=lambda x: place.get(x.need.statement, 9))
        show = [f"{what}: {reason}" for what, reason in best.beside]
        if best.find_chance is not _nothing_known and not best.together:
            show.insert(0, f"what guessing gets: {best.chance}")
        told = [text for x in self.expected if not (text := self.why_not(x)).startswith("Nothing speaks")]
        lacks = [x.text for x in best.violates if x.need.required or x.need.statement in _FIRST]
        blocks = {"Why": [*why, *(x.need.text for x in usual)][:_FEW_WHY], "Show with it": show[:_FEW_BESIDE],
                  "Why not": told, "What it lacks": lacks[:1]}  # fmt: skip
        return {name: [_shown(x) for x in texts] for name, texts in blocks.items() if texts}

    def _nothing(self) -> list[str]:
        """Return what is said where no measure meets all requirements, as paragraphs."""
        lines = ["No measure can have all that this task requires:" if self.impossible is not None else
                 "No measure of the catalogue has all that this task requires:"]  # fmt: skip
        lines += [f"{k + 1}. {x.text.removesuffix('.')} ({x.because})." for k, x in enumerate(self.required)]
        if self.impossible is not None:
            used = names_text([str(k + 1) for k, x in enumerate(self.required) if x.statement in self.impossible.used])
            properties = " ".join(self.impossible.used)
            lines += [f"Requirements {used} exclude each other. Proof: goodmeasure possible {properties}"]
        elif self.possible is not None:
            lines.append(f"It is not impossible: a table of values up to n = {self.possible.n} does.")
        if self.drop:
            few = "One of the requirements has" if len(self.drop[0].needs) == 1 else "Two of the requirements have"
            lines += ["", f"{few} to be given up:", *(f"- {x}" for x in self.drop[:_FEW_DROPS])]
            more = len(self.drop) - _FEW_DROPS
            lines += [f"There are {more} more ways."] if more > 0 else []
        return [*lines, *self.remarks]


def _wrapped(text: str) -> list[str]:
    return textwrap.wrap(text, _WIDTH, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False) or [""]


def _listed(sentences: list[str]) -> list[str]:
    return [line for x in sentences for line in _wrapped(f"- {x}")]


def _named(of: ShownMeasure) -> str:
    """Return the name of a measure with its title, where that says more."""
    short, title = short_name(of), title_inside(of)
    return short if short.removeprefix("the ") == title else f"{short} ({title})"


def _shown(text: str) -> str:
    """Return what the screen shows of a sentence with an example: `why_not` also gives its matrices."""
    return re.split(r" \[\[| Smallest example: guessing", text)[0].removesuffix(":")


def _capital(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}"
