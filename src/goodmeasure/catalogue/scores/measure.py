"""What a measure of scores is: a definition with its facts, called on labels and scores, and how it gets a name."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Unpack, cast, overload

from goodmeasure.catalogue.as_scorer import is_scored, scored
from goodmeasure.catalogue.family import Family
from goodmeasure.catalogue.foreign_keywords import refusal
from goodmeasure.catalogue.measure import HIGHER, GeneratedHelp, MeasureBase, one_positive
from goodmeasure.catalogue.register import enter
from goodmeasure.catalogue.scores.definition import DegenerateScores, ScoreDefinition
from goodmeasure.counts.scores.scored import Scored, read_scored
from goodmeasure.exceptions import InputError, InputTypeError
from goodmeasure.language.policy import RESOLVE, Policy, Undefined, UndefinedMeasure, policy_of
from goodmeasure.typing import ArrayLike

if TYPE_CHECKING:
    from goodmeasure.catalogue.facts import DataOptions, ScoreFacts, ScoreFamilyFacts
    from goodmeasure.catalogue.scores.explanation import ScoreExplanation


def _help(measure: ScoreMeasure) -> str:
    from goodmeasure.catalogue.scores.explanation import help_text

    return help_text(measure)


class ScoreMeasure(MeasureBase):
    __doc__ = GeneratedHelp("A measure of scores: callable on true labels and scores, with its own definition.", _help)
    takes = "scores"

    def __init__(
        self,
        definition: ScoreDefinition,
        name: str,
        *,
        title: str | None = None,
        range: tuple[float, float] | None = None,
        orientation: str = HIGHER,
        aliases: tuple[str, ...] = (),
        cite: str | None = None,
        family: str = "own",
        about: str = "",
        parameters: Mapping[str, object] | None = None,
        made_by: str | None = None,
        key: object = None,
    ) -> None:
        self.definition = definition
        self.name = name
        self.title = title or name
        self.range = range
        self.orientation = orientation
        self.aliases = tuple(aliases)
        self.cite = cite
        self.family = family
        self.about = about
        self.parameters = dict(parameters or {})
        self.made_by = made_by
        self._key = name if key is None else key

    # Values

    def __call__(
        self,
        y_true: object = None,
        y_score: object = None,
        *more: object,
        labels: object = None,
        positive: object = None,
        pos_label: object = None,
        sample_weight: object = None,
        missing: str = "error",
        undefined: Undefined = "resolve",
        **foreign: object,
    ) -> float:
        """Return the value on true labels and scores.

        With two classes there is one score for each item, higher for the positive class: the last one, or `positive`
        (scikit-learn calls it `pos_label`). With more classes there is a column of scores for each, in the order of
        `labels` or else of the sorted classes; `positive` then takes one class against the rest. As a scorer of
        scikit-learn it takes an estimator, its data and the true labels.
        """
        if foreign:
            raise refusal(self.name, f"gm.{self.name}", foreign, one_class=self.classes == 2, of_scores=True)
        positive = one_positive(positive, pos_label)
        if more:
            given = (y_true, y_score, *more)
            if not is_scored(given):
                raise InputTypeError(
                    "{name} takes {y_true} and {y_score}, and {size} arguments came", name=self.name, size=len(given),
                    advice="name the others, as in {sample_weight:=}",
                )  # fmt: skip
            options = {"labels": labels, "sample_weight": sample_weight, "positive": positive, "undefined": undefined}
            found_by_scorer: float = scored(self, given, options)
            return found_by_scorer
        self._must_have(y_true, y_score)
        policy = RESOLVE if undefined == "resolve" else policy_of(undefined)
        if policy is RESOLVE and hasattr(y_score, "is_cuda"):
            from goodmeasure.catalogue.scores.on_device import value_on_device

            found = value_on_device(
                self.definition, y_true, y_score, labels=labels, positive=positive, sample_weight=sample_weight
            )
            if found is not None:
                value: float = self.within_range(float(found))
                return value
        data = read_scored(
            y_true, y_score, labels=labels, positive=positive, sample_weight=sample_weight, missing=missing
        )
        return self.of(data, policy)[0]

    def _must_have(self, y_true: object, y_score: object) -> None:
        """Refuse anything but true labels with scores; a confusion matrix holds no scores."""
        if y_true is None or y_score is None:
            raise InputTypeError(
                "{name} takes {y_true} and {y_score}", name=self.name,
                advice="a confusion matrix or labels alone hold no scores",
            )  # fmt: skip

    def of(self, data: Scored, policy: Policy = RESOLVE) -> tuple[float, str | None]:
        """Return the value on scored items and, where it is undefined or a rule gave it, the reason."""
        self.check(data)
        try:
            value = self.definition.value(data)
        except DegenerateScores as signal:
            return self._by_policy(signal, policy)
        if math.isnan(value):
            return self._by_policy(DegenerateScores("a term of the formula is 0/0"), policy)
        if data.is_sketch:
            return self._of_sketch(data, value)
        return self.within_range(float(value)), self.definition.remark(data, value)

    def _of_sketch(self, data: Scored, value: float) -> tuple[float, str | None]:
        """Return a value of scores that are counted in intervals, with the most that it can be off by."""
        from goodmeasure.catalogue.scores.sketch_error import sketch_error

        off = sketch_error(self.definition, data, value)
        if off is None:
            reason = "there are too many different scores for an exact value, and its error in a sketch is not bounded"
            return math.nan, reason
        said = f"from a sketch of the scores, which is off by at most {off:.1e}" if off > 0 else None
        return self.within_range(float(value)), said or self.definition.remark(data, value)

    def _by_policy(self, signal: DegenerateScores, policy: Policy) -> tuple[float, str]:
        """Return what the policy makes of an undefined value."""
        if policy.name == "raise":
            raise UndefinedMeasure("{measure} is undefined: {reasons}", measure=self.name, reasons=[signal.reason])
        if policy.name == "number":
            return float(policy.number), signal.reason
        value = math.nan if signal.rule is None or not policy.resolves else self.within_range(float(signal.rule))
        return value, signal.reason

    def check(self, data: Scored) -> None:
        """Refuse scores that the measure is not defined for: of too many classes, or no probabilities."""
        if self.definition.classes == 2 and data.m != 2:
            raise InputError(
                "{name} is defined for two classes, and {scores} has {m} columns",
                got=data.m,
                name=self.name,
                scores=data.argument,
                m=data.m,
                typed=self.name,
                advice="use macro({typed}) or weighted({typed}), or one class against the rest with {positive:=}",
            )
        if self.definition.needs_probabilities:
            data.check_probabilities(self.name)

    def _scored(self, y_true: ArrayLike, y_score: ArrayLike, options: DataOptions) -> Scored:
        """Return the scored items that the arguments of a method stand for."""
        self._must_have(y_true, y_score)
        known: dict[str, ArrayLike] = {**options}
        for name in ("positive", "pos_label", "undefined"):
            known.pop(name, None)
        if foreign := {name: x for name, x in known.items() if name not in ("labels", "sample_weight", "missing")}:
            raise refusal(self.name, f"gm.{self.name}", foreign, one_class=self.classes == 2, of_scores=True)
        positive = one_positive(options.get("positive"), options.get("pos_label"))
        found: Scored = read_scored(y_true, y_score, positive=positive, **known)
        return found

    def explain(
        self, y_true: ArrayLike = None, y_score: ArrayLike = None, **options: Unpack[DataOptions]
    ) -> ScoreExplanation:
        """Return the value with its definition, and the reason where it is undefined or a rule gave it."""
        from goodmeasure.catalogue.scores.explanation import explanation

        data = self._scored(y_true, y_score, options)
        return explanation(self, data, policy_of(options.get("undefined", RESOLVE)))

    def signature(self, y_true: ArrayLike = None, y_score: ArrayLike = None, **options: Unpack[DataOptions]) -> str:
        """Return a line that lets others reproduce a number."""
        from goodmeasure.catalogue.scores.explanation import signature

        data = self._scored(y_true, y_score, options) if y_true is not None or {*options} - {"undefined"} else None
        return signature(self, data, policy_of(options.get("undefined", RESOLVE)))

    # Facts

    @property
    def formula(self) -> str:
        """The formula in LaTeX."""
        return self.definition.formula

    @property
    def classes(self) -> int | None:
        """The number of classes that the measure is defined for; None for any."""
        return self.definition.classes

    def range_for(self, classes: int) -> tuple[float, float] | None:
        """Return the least and the greatest value that the measure can take; None if not known."""
        return self.range

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ScoreMeasure) and self._key == other._key

    def __hash__(self) -> int:
        return hash(self._key)

    def __reduce__(self) -> tuple[object, ...]:
        if self.is_users_own():  # its name may be that of another measure, or of none
            return _rebuilt, (self.definition, self.name, {fact: getattr(self, fact) for fact in _FACTS}, self._key)
        from goodmeasure.catalogue.names import measure

        return measure, (self.name,)


_FACTS = ("title", "range", "orientation", "aliases", "cite", "family", "about", "parameters", "made_by")


def _rebuilt(definition: ScoreDefinition, name: str, facts: ScoreFacts, key: object) -> ScoreMeasure:
    known: ScoreFacts = {**facts, "key": key}
    return ScoreMeasure(definition, name, **known)


class ScoreFamily(Family):
    """Measures of scores with parameters, all of which have usual values."""

    takes = "scores"
    makes: type[ScoreMeasure] = ScoreMeasure

    def __init__(
        self,
        build: Callable[..., ScoreDefinition | ScoreMeasure],
        name: str,
        usual: tuple[dict[str, object], ...],
        facts: ScoreFamilyFacts,
    ) -> None:
        # Its result is used by `__call__` below only, which knows that these definitions are of another kind.
        super().__init__(build, name, usual, facts)  # type: ignore[arg-type]

    # It makes another kind of measure than a family of measures of labels does.
    @overload  # type: ignore[override]
    def __call__(self, **kwargs: object) -> ScoreMeasure: ...

    @overload
    def __call__(self, *args: object, **kwargs: object) -> ScoreMeasure | float: ...

    def __call__(self, *args: object, **kwargs: object) -> ScoreMeasure | float:
        """Return the measure with these parameters; on data, the value of the measure with the usual ones."""
        if is_scored(args) or (len(args) == 2 and not all(isinstance(x, (str, bool, int, float)) for x in args)):
            if any(name in kwargs for name in self.signature.parameters):
                raise InputTypeError(
                    "{name} takes its parameters before the data", name=self.name, example=self.example,
                    advice="write {example}(y_true, y_score)",
                )  # fmt: skip
            return self.usual_measure(*args, **cast("DataOptions", kwargs))  # which refuses other names
        built, name, facts = self._chosen(args, kwargs)
        definition = built.definition if isinstance(built, ScoreMeasure) else built
        assert isinstance(definition, ScoreDefinition)
        known: ScoreFacts = facts
        return self.makes(definition, name, **known)

    @cached_property
    def usual_measure(self) -> ScoreMeasure:
        """The measure whose parameters all have their usual values."""
        return self()

    @property
    def bare_name(self) -> str:
        """The name of the measure whose parameters all have their usual values."""
        return self.name

    @property
    def title(self) -> str:
        """The title of the measure whose parameters all have their usual values."""
        return str(self.usual_measure.title)

    @property
    def formula(self) -> str:
        """The formula of the measure whose parameters all have their usual values."""
        return str(self.usual_measure.formula)


def define_score(name: str, definition: ScoreDefinition | ScoreMeasure, **facts: Unpack[ScoreFacts]) -> ScoreMeasure:
    """Give a definition a name, facts and a place in the catalogue.

    A measure of scores that `area`, `at` or `best` made of other measures is a definition too.
    """
    inner = definition.definition if isinstance(definition, ScoreMeasure) else definition
    measure = ScoreMeasure(inner, name, **facts)
    enter(name, measure, (__name__, name))
    return measure


def define_score_family(
    name: str, *, usual: tuple[dict[str, object], ...], **facts: Unpack[ScoreFamilyFacts]
) -> Callable[[Callable[..., ScoreDefinition | ScoreMeasure]], ScoreFamily]:
    """Give a function from parameters to definitions a name, facts, and the parameters that people usually choose."""

    def register(build: Callable[..., ScoreDefinition | ScoreMeasure]) -> ScoreFamily:
        family = ScoreFamily(build, name, usual, facts)
        enter(name, family, (build.__module__, build.__qualname__))
        return family

    return register
