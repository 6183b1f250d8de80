"""A recommendation: what the task asks for, which measures have it, and where they fall short."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from goodmeasure.catalogue.measure import Measure
from goodmeasure.recommendation.needs import USUAL, Need
from goodmeasure.theory.statements.verdict import PROVED, REFUTED, SIGNS, Verdict

if TYPE_CHECKING:
    from goodmeasure.theory.possible.answer import Impossible, Possible


@dataclass(frozen=True)
class Judged:
    """A need, and what is known of it for one measure."""

    need: Need
    status: str
    find_verdict: Callable[[], Verdict] = field(repr=False, compare=False)  # read when somebody asks: proofs are long

    @cached_property
    def verdict(self) -> Verdict:
        """The verdict, with its witness or its certificate."""
        return self.find_verdict()

    @property
    def met(self) -> bool:
        """Whether the measure does what the need asks, as far as is known."""
        return (self.status != REFUTED) is self.need.holds

    @property
    def sure(self) -> bool:
        """Whether that is proved or refuted, not only held."""
        return self.status in (PROVED, REFUTED)

    @property
    def text(self) -> str:
        """The finding in a sentence."""
        name, v = self.need.statement, self.verdict
        if self.met:
            if not self.need.holds:
                return self.need.name + (f": {v.witness.says}" if v.witness is not None else "")
            return name if v.status == PROVED else f"{name}: no counterexample up to n = {v.n}, and no proof"
        if not self.need.holds:
            known = "it has it" if v.status == PROVED else f"it has it as far as n = {v.n}"
            return f"{self.need.name}: {known}" + ("" if self.need.because == USUAL else f" ({self.need.because})")
        return name + (f": {v.witness.says}" if v.witness is not None else "")

    @property
    def sign(self) -> str:
        """✓ where what is asked is proved, ✗ where it is refuted, ? where neither; with n as in the verdict."""
        v = self.verdict
        if self.need.holds or v.status not in (PROVED, REFUTED):
            return v.sign
        return SIGNS[REFUTED] if v.status == PROVED else SIGNS[PROVED]

    def to_json(self) -> dict[str, Any]:
        """As plain data."""
        v = self.verdict
        return {
            **self.need.to_json(),
            "met": self.met,
            "status": v.status,
            "n": v.n,
            "witness": None if v.witness is None else v.witness.to_json(),
        }


@dataclass(frozen=True)
class Advice:
    """One measure of a recommendation.

    ``suits``: whether it has all that is required; ``why``: the needs that it meets; ``violates``: those that it does
    not, each with a witness; ``chance``: what guessing scores; ``beside``: what to report beside it; ``alike``:
    measures that are a linear function of this one, so that all of this holds of them too.
    """

    measure: Measure
    suits: bool
    score: float
    why: tuple[Judged, ...]
    violates: tuple[Judged, ...]
    notes: tuple[str, ...]
    find_chance: Callable[[], str] = field(repr=False)  # found when somebody asks: it takes longer than the ranking
    beside: tuple[tuple[str, str], ...]
    alike: tuple[str, ...] = ()

    @cached_property
    def chance(self) -> str:
        """What a system gets that guesses."""
        return self.find_chance()

    @property
    def name(self) -> str:
        """The name of the measure."""
        return self.measure.name

    def facts(self) -> list[tuple[str, str]]:
        """All that is said about the measure, each piece with a word that names it."""
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

    def to_json(self) -> dict[str, Any]:
        """As plain data."""
        return {
            "measure": self.name,
            "title": self.measure.title,
            "suits": self.suits,
            "score": self.score,
            "why": [x.to_json() for x in self.why],
            "violates": [x.to_json() for x in self.violates],
            "notes": list(self.notes),
            "alike": list(self.alike),
            "chance": self.chance,
            "beside": [{"what": what, "why": why} for what, why in self.beside],
        }


@dataclass(frozen=True)
class Drop:
    """A requirement that could be given up, and what would then be recommended."""

    need: Need
    then: str

    def __str__(self) -> str:
        what = self.need.name if self.need.holds else f'"{self.need.name}"'
        return f"without {what} ({self.need.because}): {self.then}"


class Recommendation:
    """A ranked list of measures with reasons; iterating gives the advice on each.

    ``impossible``: the proof that no measure can have all that is required, where there is one; ``possible``: the
    table of values that shows that one could, where no measure of the catalogue has it; ``drop``: what could be given
    up.
    """

    def __init__(
        self,
        answers: Mapping[str, Any],
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
        """The first measure that has all that is required; None where there is none."""
        return next((x for x in self.ranked if x.suits), None)

    @property
    def measures(self) -> list[str]:
        """The names of the measures that suit the task, the best first."""
        return [x.name for x in self.ranked if x.suits]

    @property
    def required(self) -> list[Need]:
        """What a measure must have, or must not have."""
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
        raise KeyError(f"{which!r} is not among the measures that were looked at: {', '.join(x.name for x in self)}")

    def __str__(self) -> str:
        return "\n\n".join(["\n".join(self.head()), *(str(x) for x in self.ranked[:3])])

    def __repr__(self) -> str:
        return str(self)

    def head(self) -> list[str]:
        """What is required, and what comes of it."""
        lines = ["This task asks of a measure:"]
        lines += [f"  {x.name}: {x.because}" for x in self.required]
        lines += list(self.remarks)
        if self.impossible is not None:
            lines += ["", str(self.impossible)]
        elif not self.measures:
            lines.append("No measure of the catalogue has all of this.")
            if self.possible is not None:
                lines.append(f"It is not excluded: a table of values has it, up to n = {self.possible.n}.")
        if self.drop:
            lines += ["", "Something has to go:", *(f"  {x}" for x in self.drop)]
        if self.measures:
            several = f"Best suited: {self.measures[0]}"
            others = self.measures[1:5]
            lines += ["", several + (f"; also {', '.join(others)}." if others else ".")]
        return lines

    def to_json(self) -> dict[str, Any]:
        """As plain data."""
        return {
            "answers": self.answers,
            "needs": [x.to_json() for x in self.needs],
            "recommended": self.measures,
            "measures": [x.to_json() for x in self.ranked],
            "impossible": None if self.impossible is None else self.impossible.to_json(),
            "drop": [{"property": x.need.statement, "because": x.need.because, "then": x.then} for x in self.drop],
            "remarks": list(self.remarks),
        }
