"""A recommendation: what the task requires, which measures have it, and where they fall short."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from goodmeasure.catalogue.measure import Measure
from goodmeasure.documents import JsonDocument
from goodmeasure.exceptions import UnknownKey
from goodmeasure.notebooks import ShownInNotebooks
from goodmeasure.recommendation.needs import USUAL, Need
from goodmeasure.theory.statements.verdict import HELD, PROVED, REFUTED, SIGNS, VACUOUS, Verdict
from goodmeasure.typing import ReadJson

if TYPE_CHECKING:
    from goodmeasure.theory.possible.answer import Impossible, Possible


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
    met: bool  # as far as is known; a property that speaks of nothing is no merit
    find_verdict: Callable[[], Verdict] = field(repr=False, compare=False)  # loaded on demand, since proofs are long

    @cached_property
    def verdict(self) -> Verdict:
        """The verdict, with its witness or its certificate."""
        return self.find_verdict()

    @property
    def sure(self) -> bool:
        """Return whether the verdict is proved, refuted or vacuous, and did not only hold."""
        return self.status in (PROVED, REFUTED, VACUOUS)

    @property
    def text(self) -> str:
        """Return the finding in words, with the witness where there is one."""
        name, v = self.need.statement, self.verdict
        if self.met:
            if not self.need.holds:
                return self.need.name + (f": {v.witness.says}" if v.witness is not None else "")
            return _as_far_as_known(name, v)
        if not self.need.holds and v.status != VACUOUS:
            known = "it has it" if v.status == PROVED else f"it has it as far as n = {v.n}"
            return f"{self.need.name}: {known}" + ("" if self.need.because == USUAL else f" ({self.need.because})")
        if v.status in (HELD, VACUOUS):
            return _as_far_as_known(name, v)
        return name + (f": {v.witness.says}" if v.witness is not None else "")

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
        """Return the finding that a document holds."""
        return cls(kept.need, kept.status, kept.met, lambda: kept.verdict)


def _as_far_as_known(name: str, verdict: Verdict) -> str:
    """Return the name of a property that was not refuted, with what a proof still lacks."""
    if verdict.status == PROVED:
        return name
    if verdict.status == VACUOUS:
        return f"{name}: it says nothing here, because {verdict.remark}"
    if not verdict.n:
        return f"{name}: neither refuted nor proved, and nothing was examined"
    return f"{name}: no counterexample up to n = {verdict.n}, and no proof"


class GuessingLevel(NamedTuple):
    """What random guessing scores under a measure, in words."""

    text: str
    depends: bool
    """Whether it depends on the class sizes; the text then begins with a verb, and otherwise with a number."""


class StoredAdvice(NamedTuple):
    """What a document holds of the advice on one measure."""

    measure: Measure
    title: str
    suits: bool
    score: float
    why: tuple[JudgedNeed, ...]
    violates: tuple[JudgedNeed, ...]
    notes: tuple[str, ...]
    alike: tuple[str, ...]
    guessing: GuessingLevel
    beside: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Advice:
    """The advice on one measure.

    ``suits`` says whether the measure meets all requirements, ``why`` which needs it meets, and ``violates`` which it
    does not, each with a witness. ``chance`` is what random guessing scores, ``beside`` what else to report. ``alike``
    names measures that are a linear function of this one, for which all of this holds too.
    """

    measure: Measure
    suits: bool
    score: float
    why: tuple[JudgedNeed, ...]
    violates: tuple[JudgedNeed, ...]
    notes: tuple[str, ...]
    find_chance: Callable[[], GuessingLevel] = field(repr=False)  # called on demand: it takes longer than the ranking
    beside: tuple[tuple[str, str], ...]
    alike: tuple[str, ...] = ()

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
        said = [("fits", f"{x.text} ({x.need.because})") for x in self.why if x.need.because != USUAL]
        usual = [x.need.statement for x in self.why if x.need.because == USUAL]
        said += [("has", ", ".join(usual))] if usual else []
        said += [("violates", x.text) for x in self.violates]
        said += [("note", x) for x in self.notes]
        said += [("alike", ", ".join(self.alike))] if self.alike else []
        said.append(("chance", self.chance))
        return said + [("beside", f"{what}: {why}") for what, why in self.beside]

    def __str__(self) -> str:
        lines = [f"  {name:<9} {text}" for name, text in self.facts()]
        return "\n".join([f"{self.name}: {self.measure.title}", *lines])

    def _stored(self) -> StoredAdvice:
        """Return what a document holds."""
        said = (self.why, self.violates, self.notes, self.alike, self.guessing, self.beside)
        return StoredAdvice(self.measure, self.measure.title, self.suits, self.score, *said)

    @classmethod
    def _restored(cls, kept: StoredAdvice) -> Advice:
        """Return the advice that a document holds."""
        said = (kept.why, kept.violates, kept.notes, lambda: kept.guessing, kept.beside, kept.alike)
        return cls(kept.measure, kept.suits, kept.score, *said)


@dataclass(frozen=True)
class Drop:
    """A requirement that could be given up, or two of them together, and what would then be recommended."""

    needs: tuple[Need, ...]
    best: str  # the name of the measure
    remains: str = ""  # what it still has of the requirements, in words that follow its name

    @property
    def then(self) -> str:
        """What would be recommended: the name of the measure, and what remains of the requirements."""
        return self.best + self.remains

    @property
    def need(self) -> Need:
        """The requirement that could be given up; the first of them where it takes two."""
        return self.needs[0]

    def __str__(self) -> str:
        return f"without {' and '.join(map(_given_up, self.needs))}: {self.then}"


def _given_up(need: Need) -> str:
    """Return a requirement in words, with the reason for it."""
    what = need.name if need.holds else f'"{need.name}"'
    return f"{what} ({need.because})"


class Recommendation(ShownInNotebooks, JsonDocument):
    """A ranked list of measures with reasons; iterating gives the advice on each.

    ``impossible`` is the proof that no measure can meet all requirements, if there is one. ``possible`` is a table of
    values which shows that some measure could, where none of the catalogue does. ``drop`` lists what could be given up.
    """

    kind = "recommendation"
    derived = ("measures",)

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
        return "\n\n".join(["\n".join(self.head()), *(str(x) for x in self.ranked[:3])])

    def __repr__(self) -> str:
        return str(self)

    def head(self) -> list[str]:
        """Return what is required and what follows from it, as lines of text."""
        lines = ["This task requires of a measure:"] if self.required else ["This task requires no property."]
        lines += [f"  {x.name}: {x.because}" for x in self.required]
        lines += list(self.remarks)
        if self.impossible is not None:
            lines += ["", str(self.impossible)]
        elif not self.measures:
            lines.append("No measure of the catalogue meets all requirements.")
            if self.possible is not None:
                lines.append(f"It is not impossible: a table of values up to n = {self.possible.n} does.")
        if self.drop:
            few = "One of the requirements has" if len(self.drop[0].needs) == 1 else "Two of the requirements have"
            lines += ["", f"{few} to be given up:", *(f"  {x}" for x in self.drop)]
        if self.measures:
            several = f"Best suited: {self.measures[0]}"
            others = self.measures[1:5]
            lines += ["", several + (f"; also {', '.join(others)}." if others else ".")]
        return lines
