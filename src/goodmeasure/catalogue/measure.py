"""What a measure is: a definition with its facts, and everything that follows from them."""

from __future__ import annotations

import inspect
import json
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple, Self, TypeAlias, Unpack, cast, overload

import numpy as np

from goodmeasure.catalogue import running
from goodmeasure.catalogue.as_scorer import is_scored, scored
from goodmeasure.counts.arguments import check_square_binary, unknown_positive
from goodmeasure.counts.counting import count_labels
from goodmeasure.counts.matrix import ConfusionMatrix
from goodmeasure.exceptions import Either, InputError, InputTypeError, about, renamed_to
from goodmeasure.language.policy import NAN, RESOLVE, Policy, Undefined, UndefinedMeasure, policy_of
from goodmeasure.language.record import CannotRecord, GivenTree
from goodmeasure.language.recorded import Recorded
from goodmeasure.language.tree import OpenPower, Tree, below, from_json
from goodmeasure.language.value import Value
from goodmeasure.language.view import Definition, K, V, View, readable
from goodmeasure.notebooks import ShownInNotebooks
from goodmeasure.typing import AnyArray, Array, ArrayLike, ReadJson

if TYPE_CHECKING:
    from goodmeasure.catalogue.explanation import Explanation
    from goodmeasure.catalogue.facts import DataOptions, MeasureFacts
    from goodmeasure.catalogue.scores.measure import ScoreMeasure

MeasureLike: TypeAlias = "str | Measure | ScoreMeasure | Callable[..., object]"
"""A measure as users name it: by its name, as an object of the catalogue, or as a function of c."""
MeasuresLike: TypeAlias = "MeasureLike | Iterable[MeasureLike]"
"""Measures as users name them: one, the name of a set such as "all", or several."""
HIGHER, LOWER, NEITHER = "higher", "lower", "neither"
_ROUNDING = 1e-12  # a value this little beyond its range got there by rounding


class GeneratedHelp:
    """A ``__doc__`` that is fixed text on the class, and is generated from its facts on each object."""

    def __init__(self, of_class: str, of_object: Callable[..., str]) -> None:
        self.of_class, self.of_object = of_class, of_object

    def __get__(self, owned: object, owner: type) -> str:
        return self.of_class if owned is None else self.of_object(owned)


def _help(measure: Measure) -> str:
    from goodmeasure.catalogue.explanation import help_text

    return help_text(measure)


class Description(str):
    """What a measure is: a clause, and more that follows after a semicolon.

    >>> Description("the share of items that are right", "micro F1 is the same")
    'the share of items that are right; micro F1 is the same'
    """

    clause: str
    more: str

    def __new__(cls, clause: str, more: str = "") -> Self:
        """The whole text, of which the two parts are known."""
        made = super().__new__(cls, f"{clause}; {more}" if more else clause)
        made.clause, made.more = clause, more
        return made

    def __reduce__(self) -> tuple[object, ...]:
        return Description, (self.clause, self.more)

    def combined(self, how: str) -> Description:
        """Return the description of a measure that is made of this one: `how` is added to the clause."""
        return Description(f"{self.clause}, {how}" if self.clause else how, self.more)


def about_of(measure: MeasureBase) -> Description:
    """Return the description of a measure in its two parts; that of a user is one clause."""
    return measure.about if isinstance(measure.about, Description) else Description(measure.about)


class StoredMeasure(NamedTuple):
    """What a document holds of a user's own measure: its facts, and its tree where the definition has one."""

    name: str
    title: str
    range: tuple[float, float] | None
    orientation: str
    cite: str | None
    classes: int | None
    about: str
    tree: ReadJson

    def measure(self) -> Measure:
        """Return the measure; without a tree it has the values that were saved with it, and no others."""
        facts: MeasureFacts = {
            "title": self.title, "range": self.range, "orientation": self.orientation, "cite": self.cite,
            "classes": self.classes, "about": self.about,
        }  # fmt: skip
        if self.tree is not None:
            return Measure.from_tree(json.dumps(self.tree), self.name, **facts)

        def unsaved(_c: View) -> Value:
            raise CannotRecord("the function of {name} was not saved", name=self.name, advice="evaluate with it again")

        facts["key"] = unsaved
        return Measure(unsaved, self.name, **facts)


class MeasureBase(ShownInNotebooks):
    """What measures of predicted labels and measures of scores share: their facts, and what follows from them."""

    __slots__ = ()  # `Measure` has slots for its facts

    name: str
    title: str
    range: tuple[float, float] | None
    orientation: str
    aliases: tuple[str, ...]
    cite: str | None
    family: str
    about: str
    parameters: dict[str, object]
    made_by: str | None  # the combinator or the family: "macro" made macro(f1), and "fbeta" made fbeta(2)
    _key: object

    def _stored(self) -> str | StoredMeasure:
        """Return what a document holds: the name or, of a user's own measure, its definition."""
        if not self.is_users_own():
            return self.name
        tree = self._own_tree(2) if isinstance(self, Measure) else None
        found = None if tree is None else json.loads(tree.to_json())
        classes = cast("Measure | ScoreMeasure", self).classes
        facts = (self.title, self.range, self.orientation, self.cite, classes, str(self.about))
        return StoredMeasure(self.name, *facts, found)

    @classmethod
    def _restored(cls, kept: str | StoredMeasure) -> Measure | ScoreMeasure:
        """Return the measure that a document holds."""
        if isinstance(kept, StoredMeasure):
            return kept.measure()
        from goodmeasure.catalogue.names import named

        return named(kept, argument="measure", warns=False)

    @property
    def __name__(self) -> str:
        """The name, where functions have theirs: scikit-learn's make_scorer asks for it."""
        return self.name

    @property
    def stem(self) -> str:
        """The name without parameters: that of the combinator or the family that made the measure, or its own.

        >>> import goodmeasure as gm
        >>> gm.fbeta(2).stem, gm.macro(gm.f1).stem, gm.f1.stem
        ('fbeta', 'macro', 'f1')
        """
        return self.made_by or self.name

    @property
    def inner(self) -> Measure | ScoreMeasure | None:
        """The measure that a combinator made this one from; None if it was made from no other.

        >>> import goodmeasure as gm
        >>> gm.macro(gm.f1).inner, gm.fbeta(2).inner
        (f1, None)
        """
        found = self.parameters.get("measure")
        return found if isinstance(found, MeasureBase) else None  # type: ignore[return-value]  # one of the two

    @property
    def combinator(self) -> str | None:
        """The name of the combinator that made the measure from another one, such as "macro"; None if none did."""
        return None if self.inner is None else self.made_by

    @property
    def citation(self) -> str:
        """Where the measure was published."""
        from goodmeasure.catalogue.references import reference

        return reference(self.cite) if self.cite else ""

    @property
    def best(self) -> float | None:
        """An older name of `best_value`."""
        renamed_to("best", "best_value")
        return self.best_value

    @property
    def best_value(self) -> float | None:
        """The best value that the measure can take."""
        if self.range is None or self.orientation == NEITHER:
            return None
        return self.range[0] if self.orientation == LOWER else self.range[1]

    def forget(self) -> None:
        """Give the names of a measure that a user defined back, so that they can be given to another one."""
        from goodmeasure.catalogue.register import forget

        forget(self.name)

    def is_users_own(self) -> bool:
        """Return whether a user wrote the definition, or a part of it, so that it may do anything."""
        return (
            callable(self._key)
            or self.family == "own"
            or any(x.is_users_own() for x in self.parameters.values() if isinstance(x, MeasureBase))
        )

    def within_range(self, value: AnyArray) -> AnyArray:
        """Return a value, clipped to the range: the range is proved, so only rounding can have put it outside."""
        if self.range is None:
            return value
        low, high = self.range
        if type(value) is float:
            if value > high and value - high < _ROUNDING:
                return float(high)
            return float(low) if value < low and low - value < _ROUNDING else value
        if isinstance(value, np.ndarray) and _beyond(value, low, high):
            value = np.where((value > high) & (value - high < _ROUNDING), float(high), value)
            value = np.where((value < low) & (low - value < _ROUNDING), float(low), value)
        return value

    def __repr__(self) -> str:
        return self.name


class Measure(MeasureBase):
    __doc__ = GeneratedHelp(
        "A measure: callable on counts or labels, and a value that carries its own definition.", _help
    )
    takes = "labels"

    __slots__ = (
        "__weakref__",  # JAX keeps functions that it compiles by weak references
        "_formula",
        "_key",
        "_needs_positive",
        "about",
        "aliases",
        "cite",
        "classes",
        "combined",
        "declared_symmetric",
        "family",
        "function",
        "made_by",
        "name",
        "orientation",
        "parameters",
        "range",
        "range_by_classes",
        "recorded",
        "scale_invariant",
        "symmetric",
        "title",
    )

    def __init__(
        self,
        function: Definition,
        name: str,
        *,
        title: str | None = None,
        range: tuple[float, float] | None = None,
        range_by_classes: Callable[[int], tuple[float, float]] | None = None,
        orientation: str = HIGHER,
        aliases: tuple[str, ...] = (),
        cite: str | None = None,
        classes: int | None = None,
        family: str = "own",
        about: str = "",
        symmetric: bool = False,
        class_symmetric: bool | None = None,
        scale_invariant: bool = True,
        parameters: Mapping[str, object] | None = None,
        made_by: str | None = None,
        key: object = None,
    ) -> None:
        self.function = readable(function)
        self.recorded = Recorded(self.of, function.tree if isinstance(function, GivenTree) else None)
        self.name = name
        self.title = title or name
        self.range = range
        self.range_by_classes = range_by_classes
        self.orientation = orientation
        self.aliases = tuple(aliases)
        self.cite = cite
        self.classes = classes
        self.family = family
        self.about = about
        self.symmetric = symmetric
        self.declared_symmetric = class_symmetric
        self._needs_positive: bool | None = None
        self.scale_invariant = scale_invariant
        self.parameters = dict(parameters or {})
        self.made_by = made_by
        self._key = name if key is None else key
        self._formula: str | None = None
        self.combined: dict[str, Measure] = {}  # what combinators made of this measure, by their names

    @classmethod
    def from_tree(cls, tree: Tree | str, name: str = "formula", **facts: Unpack[MeasureFacts]) -> Measure:
        """Return the measure that a tree defines, or the JSON of one.

        >>> import goodmeasure as gm
        >>> gm.Measure.from_tree(gm.f1.tree.to_json())([[50, 3], [4, 20]], positive=1)
        0.851063829787234
        """
        if not isinstance(tree, (Tree, str)):
            raise InputTypeError("{tree} is {got!r}", got=tree, expected="the tree of a measure, or its JSON")
        given = GivenTree(from_json(tree) if isinstance(tree, str) else tree)
        if any(isinstance(x, OpenPower) for x in below(given.tree)):
            raise InputError("{tree} leaves an exponent open", expected="the tree of one measure")
        known: MeasureFacts = {"key": given, "classes": 2 if given.tree.classes == 2 else None, **facts}
        return cls(given, name, **known)

    # Values

    @overload
    def __call__(self, c: View[V, K], /) -> V: ...

    @overload
    def __call__(
        self,
        *data: object,
        labels: object = None,
        sample_weight: object = None,
        positive: object = None,
        pos_label: object = None,
        undefined: Undefined = "resolve",
        missing: str = "error",
        **foreign: object,
    ) -> AnyArray: ...

    def __call__(
        self,
        *data: object,
        labels: object = None,
        sample_weight: object = None,
        positive: object = None,
        pos_label: object = None,
        undefined: Undefined = "resolve",
        missing: str = "error",
        **foreign: object,
    ) -> AnyArray:
        """Return the value on a confusion matrix, on a batch of them, or on true and predicted labels.

        `positive` names the positive class of a binary measure; `pos_label` is scikit-learn's word for it. Items
        without a label are an error, or left out with ``missing="drop"``, or a class with ``missing="class"``.
        """
        if foreign:
            data = self._named(data, foreign)
        if pos_label is not None:
            positive = one_positive(positive, pos_label)
        if len(data) == 1 and labels is None and sample_weight is None and positive is None:
            counts = data[0]
            if type(counts) is not ConfusionMatrix:
                if isinstance(counts, View):
                    if undefined != "resolve":
                        raise InputTypeError(
                            "{undefined:=} is chosen by the outermost call",
                            advice="inside a definition it has no effect",
                        )
                    return self.of(counts)
                if running.are_matrices(counts):
                    counts = running.as_matrix(counts)
            if type(counts) is ConfusionMatrix and not counts._order.stated:
                self._must_know_positive(counts)
        elif len(data) == 3 and is_scored(data):
            options = {"labels": labels, "sample_weight": sample_weight, "positive": positive, "undefined": undefined}
            return scored(self, data, options)
        else:
            counts = self._matrix(data, labels=labels, sample_weight=sample_weight, positive=positive, missing=missing)
        laid_out = running.laid_out(counts)
        policy = RESOLVE if undefined == "resolve" else policy_of(undefined)
        try:
            value = laid_out.value(self.recorded, policy)
        except UndefinedMeasure as signal:
            if isinstance(laid_out, running.ForeignArrays):
                raise
            raise self._reasoned(signal, counts, policy) from None
        return value if policy.name == "number" else self.within_range(value)

    def is_users_own(self) -> bool:
        """Return whether a user wrote the definition, or a part of it, whatever family it was put into."""
        written_in = getattr(self.function, "__module__", None) or type(self.function).__module__
        return super().is_users_own() or not str(written_in).startswith("goodmeasure.")

    def _reasoned(self, signal: UndefinedMeasure, counts: object, policy: Policy) -> UndefinedMeasure:
        """Return the error about an undefined value: under the policy "raise" it says which term and why."""
        return self._reason(running.as_matrix(counts)) if policy.name == "raise" else signal

    def _reason(self, cm: ConfusionMatrix) -> UndefinedMeasure:
        """Return the error about an undefined value, with the sentences that say why it is undefined."""
        from goodmeasure.catalogue.zero_divisions import sentences

        which = ""
        if cm.batch:
            values = np.reshape(running.laid_out(cm).value(self.recorded, NAN), -1)
            first = int(np.flatnonzero(np.isnan(values))[0]) if np.isnan(values).any() else 0
            which = f" (matrix {first} of the batch)"
            cm = ConfusionMatrix(cm.counts.reshape(-1, cm.m, cm.m)[first], cm.labels)
        return UndefinedMeasure(
            "{measure} is undefined{which}: {reasons}",
            measure=self.name,
            which=which,
            reasons=list(sentences(self, cm, NAN)) or ["a term of the formula is 0/0"],
        )

    def _named(self, data: tuple[object, ...], foreign: dict[str, object]) -> tuple[object, ...]:
        """Return the data when labels are passed by name; refuse other keywords with what to write instead."""
        if not data and foreign.keys() == {"y_true", "y_pred"}:
            return foreign["y_true"], foreign["y_pred"]
        if len(data) == 1 and foreign.keys() == {"y_pred"}:
            return data[0], foreign["y_pred"]
        if foreign:
            from goodmeasure.catalogue.foreign_keywords import refusal

            typed = self.name if self.is_users_own() else f"gm.{self.name}"
            raise refusal(self.name, typed, foreign, one_class=self.classes == 2)
        return data

    def _counted(self, data: tuple[object, ...], options: DataOptions) -> ConfusionMatrix:
        """Return the confusion matrix that the arguments of a method stand for."""
        found: dict[str, object] = {"missing": "error", **options}
        positive = one_positive(found.pop("positive", None), found.pop("pos_label", None))
        labels, weights, missing = (found.pop(x, None) for x in ("labels", "sample_weight", "missing"))
        found.pop("undefined", None)
        data = self._named(data, found)
        return self._matrix(data, labels=labels, sample_weight=weights, positive=positive, missing=str(missing))

    def _matrix(
        self, data: tuple[object, ...], *, labels: ArrayLike, sample_weight: object, positive: object, missing: str
    ) -> ConfusionMatrix:
        """Return the confusion matrix that the arguments of a call stand for."""
        if len(data) == 2:
            cm = count_labels(data[0], data[1], labels=labels, sample_weight=sample_weight, missing=missing)
        elif len(data) == 1:
            if sample_weight is not None:
                raise InputTypeError(
                    "{sample_weight} can only be given with labels",
                    advice="a confusion matrix holds its weights already",
                )
            if missing != "error":
                raise InputTypeError("{missing} can only be given with labels", advice="a matrix has counted them")
            cm = running.as_matrix(data[0])
            if labels is not None:
                cm = ConfusionMatrix(cm, labels)
        else:
            raise InputTypeError(
                "{name}() takes a confusion matrix, or {y_true} and {y_pred}; got {size} arguments",
                name=self.name,
                size=len(data),
            )
        if positive is not None:
            return cm.with_positive(positive)
        if not cm._order.stated:
            self._must_know_positive(cm, is_matrix=len(data) == 1)
        return cm

    @staticmethod
    def together(measures: Sequence[Measure], cm: ConfusionMatrix, policy: Policy) -> list[float]:
        """Return the values of several measures on one matrix, which share what they have in common."""
        laid_out = running.laid_out(cm)
        if not isinstance(laid_out, running.OneMatrix) or policy.name == "raise":
            return [float(f(cm, undefined=policy)) for f in measures]
        for f in measures:
            f._must_know_positive(cm)
        values = laid_out.values([f.recorded for f in measures], policy)
        if policy.name == "number":
            return values
        return [float(f.within_range(value)) for f, value in zip(measures, values, strict=True)]

    def _must_know_positive(self, cm: ConfusionMatrix, *, is_matrix: bool = True) -> None:
        """Refuse two classes of which none is known to be the positive one, if that makes a difference."""
        if cm.m == 2 and not cm._order.stated and self.needs_positive:
            raise unknown_positive(self.name, cm.labels, orderable=not is_matrix)

    @property
    def class_symmetric(self) -> bool:
        """Whether the measure treats all classes alike, as far as its declaration says."""
        return self.classes is None if self.declared_symmetric is None else self.declared_symmetric

    @property
    def needs_positive(self) -> bool:
        """Whether the value on two classes depends on which of them is the positive one.

        A function of one's own does, unless it is declared not to (``class_symmetric=True`` of `define`) or cannot tell
        classes apart.

        >>> import goodmeasure as gm
        >>> gm.f1.needs_positive, gm.mcc.needs_positive, gm.macro(gm.f1).needs_positive
        (True, False, False)
        """
        if self._needs_positive is None:
            self._needs_positive = self._tells_two_apart()
        return self._needs_positive

    def _tells_two_apart(self) -> bool:
        if self.class_symmetric and (self.declared_symmetric is not None or not self.is_users_own()):
            return False
        if self.classes == 2:
            return True
        from goodmeasure.language.class_symmetry import treats_classes_alike

        try:
            return not treats_classes_alike(self.recorded.general(), for_two=True)
        except Exception:  # noqa: BLE001 - a user's function may raise anything when it is recorded
            return True

    def of(self, c: View[V, K]) -> V | float:
        """Return the value on a view of a matrix, whichever kind of numbers the view computes with."""
        m = c.m
        if isinstance(m, int):
            if m == 1:
                return self._of_one_class(c)
            if self.classes == 2 and m != 2:
                check_square_binary(self.name, m)
        try:
            value = self.function(c)
            return c.finish(value)
        except ZeroDivisionError:
            if not self.is_users_own():
                raise
            return c.undefined()  # a user's function may divide with / instead of c.ratio

    def _of_one_class(self, c: View[V, K]) -> V | float:
        """Return the value if there is only one class: agreement is perfect, and everything else is undefined."""
        if self.family == "agreement":
            if self.range is None:
                return self._without_best(c)
            best = c.constant(self.range[0 if self.orientation == LOWER else 1])
            general = self._without_best(c)
            return c.resolved(best, general)
        if self.family == "own":
            return self.function(c)
        return c.undefined()

    def _without_best(self, c: View[V, K]) -> V | float:
        """Return the value of a measure of agreement on one class where no rule says that agreement is perfect."""
        if self.classes == 2:
            return c.undefined()
        return self.function(c)

    def exact(self, *data: object, **options: Unpack[DataOptions]) -> AnyArray:
        """Return the value without rounding: a rational number, or one with roots, logarithms or arc cosines."""
        cm, policy = self._counted(data, options), policy_of(options.get("undefined", RESOLVE))
        if cm.batch:
            flat = [self.exact(x, undefined=policy) for x in cm.counts.reshape(-1, cm.m, cm.m)]
            values = np.empty(len(flat), dtype=object)
            values[:] = flat
            return values.reshape(cm.batch)
        if not _any(cm):
            raise InputError("{counts} holds no items", advice="a measure needs at least one")
        try:
            value = running.on_exact(self.recorded, cm.counts.tolist(), policy)
        except UndefinedMeasure as signal:
            raise self._reasoned(signal, cm, policy) from None
        return value if policy.name == "number" else self.within_range(value)

    def gradient(self, *data: object, exact: bool = False, **options: Unpack[DataOptions]) -> Array:
        """Return how fast the value changes with each cell: an array of the shape of the counts, (…, m, m).

        It is NaN by a cell where the value is undefined, where a rule for 0/0 acts or stops acting as soon as that cell
        changes, where a minimum changes hands, and where the slope is infinite; ``undefined="raise"`` says why. A cell
        that is 0 can only grow. With ``exact=True`` the derivatives are exact numbers.

        >>> import goodmeasure as gm
        >>> gm.recall.gradient([[50, 3], [4, 20]], exact=True)[1].tolist()
        [-5/144, 1/144]
        >>> gm.recall.gradient([[50, 3], [0, 0]]).tolist()
        [[nan, nan], [nan, nan]]
        """
        from goodmeasure.catalogue import derivative

        cm = self._counted(data, options)
        if self.classes == 2 and cm.m > 2:
            check_square_binary(self.name, cm.m)
        if not cm.counts.any(axis=(-2, -1)).all():
            raise InputError("{counts} holds no items", advice="a measure needs at least one")
        policy = policy_of(options.get("undefined", RESOLVE))
        wanted = RESOLVE if policy.name == "raise" else policy
        found = derivative.gradient(self, cm.counts, wanted, exact=exact)
        if policy.name == "raise":
            self._refuse_kinks(cm, found)
        return found

    def _refuse_kinks(self, cm: ConfusionMatrix, gradient: object) -> None:
        """Raise an error that names the first cell with respect to which there is no derivative, if there is one."""
        missing = np.argwhere(np.frompyfunc(lambda x: math.isnan(float(x)), 1, 1)(gradient).astype(bool))
        if not len(missing):
            return
        from goodmeasure.catalogue.zero_divisions import sentences

        *batch, i, j = missing[0].tolist()
        one = ConfusionMatrix(cm.counts[tuple(batch)], cm.labels)
        why = list(sentences(self, one, RESOLVE)) or ["the value bends there, or its slope is infinite"]
        which = f" of matrix {batch[0] if len(batch) == 1 else tuple(batch)}" if batch else ""
        cell = f"the items of {cm.labels[i]!r} predicted as {cm.labels[j]!r}{which}"
        raise UndefinedMeasure(
            "{measure} has no derivative by {cell}: {reasons}", measure=self.name, cell=cell, reasons=why
        )

    def explain(self, *data: object, **options: Unpack[DataOptions]) -> Explanation:
        """Return the value with its formula, the numbers put in, the rules that acted, chance level and range."""
        from goodmeasure.catalogue.explanation import explanation

        return explanation(self, self._counted(data, options), policy_of(options.get("undefined", RESOLVE)))

    def signature(self, *data: object, **options: Unpack[DataOptions]) -> str:
        """Return a line that lets others reproduce a number."""
        from goodmeasure.catalogue.signature import signature

        cm = self._counted(data, options) if data or {*options} - {"undefined"} else None
        if cm is not None and self.classes == 2 and cm.m > 2:
            check_square_binary(self.name, cm.m)
        return signature(self, cm, policy_of(options.get("undefined", RESOLVE)))

    # Facts

    @property
    def tree(self) -> Tree:
        """The definition as data: an expression tree, for any number of classes where it does not write them out.

        >>> import goodmeasure as gm
        >>> gm.recall.tree
        ratio(c[1, 1], (c[1, 1] + c[1, 0]))
        """
        return self.recorded.tree(self.classes or 2)

    @property
    def opaque(self) -> bool:
        """Whether the definition could not be recorded: it has values and counterexamples, but no formula or proof."""
        return self.recorded.is_opaque(self.classes or 2)

    def at_best_threshold(self) -> ScoreMeasure:
        """Return the measure of scores that is the best value of this one among all thresholds.

        >>> import goodmeasure as gm
        >>> gm.accuracy.at_best_threshold()([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
        0.75
        """
        from goodmeasure.catalogue.scores.over_thresholds import best

        return best(self)

    def source(self, m: int = 2, *, undefined: Undefined = "resolve", whole: bool = True) -> str:
        """Return the Python source that computes the value on one matrix of m classes.

        ``whole`` says that counts are whole, so that sums of them are exact.

        >>> import goodmeasure as gm
        >>> print(gm.recall.source())
        def f(c0, u):
            (c0_0, c0_1,), (c1_0, c1_1,), = c0
            t1 = c1_0 + c1_1
            return u if t1 == 0 else (c1_1 / t1)
        <BLANKLINE>
        """
        from goodmeasure.language.compile.compiled import python_source

        if not isinstance(m, int) or m < 1:
            raise InputError("{m} is {got!r}", got=m, expected="a number of classes")
        return python_source(self.recorded.tree(m), m, resolves=policy_of(undefined).resolves, whole=whole)

    @property
    def formula(self) -> str:
        """The formula in LaTeX."""
        if self._formula is None:
            from goodmeasure.language.print.formulas import formula

            self._formula = formula(self.recorded, self.classes)
        return self._formula

    @property
    def gradient_formula(self) -> str:
        """The derivatives in LaTeX: by the four cells of two classes, or by the cell c_kl of any number of classes.

        >>> import goodmeasure as gm
        >>> gm.accuracy.gradient_formula
        '\\\\frac{\\\\partial}{\\\\partial c_{kl}} = \\\\frac{\\\\delta_{kl} n - \\\\sum_{i} c_{ii}}{n^{2}}'
        """
        from goodmeasure.language.print.gradients import NoGradientFormula, gradient_formula

        try:
            return gradient_formula(self.recorded, self.classes)
        except NoGradientFormula as error:
            raise InputTypeError(
                "the gradient of {name} has no printed formula: it contains {what}",
                name=self.name,
                what=str(error),
                advice="gradient() gives the numbers",
            ) from None

    def range_for(self, classes: int) -> tuple[float, float] | None:
        """Return the least and the greatest value that the measure can take with so many classes; None if not known.

        >>> import goodmeasure as gm
        >>> gm.k.range, gm.k.range_for(3)
        ((-1, 1), (-0.5, 1))
        """
        return self.range if self.range_by_classes is None else self.range_by_classes(classes)

    @property
    def worst_value(self) -> float | None:
        """The worst value that the measure can take; None if it is unknown or infinite."""
        if self.range is None or self.orientation == NEITHER:
            return None
        end = self.range[1] if self.orientation == LOWER else self.range[0]
        return end if math.isfinite(end) else None

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Measure):
            return False
        if self._key == other._key:
            return True
        if callable(self._key) and callable(other._key):
            mine = self._own_tree(self.classes)
            return self.name == other.name and mine is not None and mine is other._own_tree(other.classes)
        return False

    def _own_tree(self, classes: int | None) -> Tree | None:
        """Return the tree of a definition for any number of classes, or else for the two that it has."""
        try:
            return self.recorded.general() or (self.recorded.tree(2) if classes == 2 else None)
        except Exception:  # noqa: BLE001 - a user's function may raise anything
            return None

    def __hash__(self) -> int:
        return hash(self.name if callable(self._key) else self._key)

    def __reduce__(self) -> tuple[object, ...]:
        if callable(self._key):
            facts = {fact: getattr(self, fact) for fact in _FACTS}
            tree = self._own_tree(self.classes)
            function = self.function if tree is None else GivenTree(tree)
            return _rebuilt, (function, self.name, {**facts, "class_symmetric": self.declared_symmetric})

        from goodmeasure.catalogue.names import measure

        return measure, (self.name,)


def one_positive(positive: object, pos_label: object) -> object:
    """Return the positive class, passed as `positive` or as `pos_label`; None if neither was given."""
    if positive is not None and pos_label is not None and positive != pos_label:
        raise InputError(
            "{argument} is {got!r} and pos_label is {pos_label!r}",
            argument="positive",
            got=positive,
            pos_label=pos_label,
            advice="they mean the same, so give one",
        )
    return pos_label if positive is None else positive


def _beyond(values: Array, low: float, high: float) -> bool:
    """Return whether some value, other than NaN, lies outside of a range."""
    most, least = np.fmax.reduce(values, axis=None, initial=low), np.fmin.reduce(values, axis=None, initial=high)
    return bool(most > high or least < low)


# The facts that a copy of a user's own measure keeps, besides the function and its name.
_FACTS = (
    "title", "range", "range_by_classes", "orientation", "aliases", "cite", "classes", "family", "about", "symmetric",
    "scale_invariant", "parameters", "made_by",
)  # fmt: skip


def _rebuilt(function: Definition, name: str, facts: MeasureFacts) -> Measure:
    known: MeasureFacts = {**facts, "key": function}
    return Measure(function, name, **known)


def _any(cm: ConfusionMatrix) -> bool:
    return bool(cm.n > 0) if not cm.batch else bool(cm.counts.any())


def as_measure(f: object, argument: str = "measure") -> Measure:
    """Return a measure from a measure, a name, or any function of c (higher is better, no range known).

    An error says that it is about an argument.
    """
    if isinstance(f, Measure):
        return f
    with about(argument):
        return _as_measure(f, argument)


def _as_measure(f: object, argument: str) -> Measure:
    if isinstance(f, str):
        from goodmeasure.catalogue.names import named

        f = named(f, argument=argument)
        if isinstance(f, Measure):
            return f
    name = getattr(f, "name", "")
    if getattr(f, "takes", None) == "outcomes":
        raise InputTypeError(
            "{name} is a measure of outcomes, and predicted labels have none", name=name,
            outcomes=Either("gm.evaluate(y_correct=…)", "--correct COLUMN"), advice="give outcomes: {outcomes}",
        )  # fmt: skip
    if getattr(f, "takes", None) == "scores":
        raise InputTypeError(
            "{name} is a measure of scores, and predicted labels have none",
            name=name,
            scores=Either(
                f"give scores: gm.{name}(y_true, y_score) or gm.evaluate(y_true, y_score=…)",
                "give scores: {y_score} COLUMN",
            ),
            advice="{scores}",
        )
    if hasattr(f, "usual"):
        raise InputError(
            "{name!r} needs its parameters",
            name=name,
            example=getattr(f, "example", ""),
            advice="for example {example}",
        )
    if callable(f):
        name = _name_of(f)
        _takes_one_argument(f, name)
        return Measure(f, name, key=f)
    raise InputTypeError(
        "{f!r} is not a measure", f=f, expected="a measure of the catalogue, its name, or a function of c"
    )


def among(measure: object, known: Iterable[Measure]) -> Measure:
    """Return the known measure with this name, which may be a user's own; otherwise look it up as usual."""
    found = next((f for f in known if f.name == measure), None)
    return as_measure(measure) if found is None else found


def _name_of(f: object) -> str:
    """Return the name of a function; a partial function is named like its function, an object like its class."""
    inner = getattr(f, "func", None)
    return str(getattr(f, "__name__", "") or (_name_of(inner) if callable(inner) else type(f).__name__))


def _takes_one_argument(f: Callable[..., object], name: str) -> None:
    """Refuse what cannot be a function from one matrix to one number."""
    hint = "a measure is a function of one argument, c or a matrix, that returns a number"
    if inspect.isclass(f):
        raise InputTypeError(
            "{name} is a class", name=name, hint=hint, advice="hand in an object of it, as in {name}(); {hint}"
        )
    if inspect.iscoroutinefunction(f) or inspect.isgeneratorfunction(f):
        raise InputTypeError(
            "{name} is a {kind}",
            name=name,
            kind="coroutine" if inspect.iscoroutinefunction(f) else "generator",
            got=f,
            advice=hint,
        )
    try:
        signature = inspect.signature(f)
    except (TypeError, ValueError):  # a compiled function need not have one
        return
    try:
        signature.bind(None)
    except TypeError:
        raise InputTypeError(
            "{name} takes the arguments {signature}", name=name, signature=signature, got=f, advice=hint
        ) from None
