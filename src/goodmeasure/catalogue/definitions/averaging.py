"""Measures made from measures: averages over classes against the rest, and calibration to equal class sizes."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from functools import wraps
from typing import TYPE_CHECKING, ParamSpec, TypeVar, cast, overload

from goodmeasure.catalogue.display_names import title_inside
from goodmeasure.catalogue.family import canonical, literal, number
from goodmeasure.catalogue.measure import Measure, MeasureLike, about_of, as_measure
from goodmeasure.exceptions import InputError
from goodmeasure.language.value import Value
from goodmeasure.language.view import ClassIndex, Number, Rule, Term, View

if TYPE_CHECKING:
    from goodmeasure.catalogue.scores.measure import ScoreMeasure


_P = ParamSpec("_P")
_Made = TypeVar("_Made")


def average(c: View, term: Term, worst: float | None, p: Number = 1) -> Value:
    """Return the power mean of a term over the classes that occur in either labeling."""
    return c.mean(term, p=p, over=c.occurs, undefined=never_predicted(c, worst))


def never_predicted(c: View, worst: float | None) -> Rule:
    """Return the rule for an undefined term of an average, for classes that have true or predicted items.

    A class that is never predicted counts as the worst value, so that no classifier gains by ignoring it. If the
    measure has no finite worst value, the class is left out, and so is every other class whose term is undefined.
    """
    return c.skip if worst is None else lambda i: c.where(c.b[i] == 0, worst, c.skip)


def _made_once(make: Callable[_P, _Made]) -> Callable[_P, _Made]:
    """Return a combinator that makes one measure from another once, and finds it again, with all that was compiled."""

    @wraps(make)
    def made(*args: _P.args, **kwargs: _P.kwargs) -> _Made:
        if kwargs or len(args) != 1 or type(args[0]) is not Measure:
            return make(*args, **kwargs)
        found = args[0].combined.get(make.__name__)
        if found is None:
            found = args[0].combined[make.__name__] = make(*args)  # type: ignore[call-arg,assignment]
        return cast(_Made, found)

    return made


PRESENT, ALL = "present", "all"  # the classes that an average is over: those that occur in either labeling, or all


@overload
def macro(measure: Measure, p: Number = 1, classes: str = PRESENT) -> Measure: ...


@overload
def macro(measure: ScoreMeasure, p: Number = 1, classes: str = PRESENT) -> ScoreMeasure: ...


@overload
def macro(measure: MeasureLike, p: Number = 1, classes: str = PRESENT) -> Measure | ScoreMeasure: ...


@_made_once
def macro(measure: MeasureLike, p: Number = 1, classes: str = PRESENT) -> Measure | ScoreMeasure:
    """Return the macro average of a measure: the power mean over classes, each against the rest (p = 1: the mean).

    The mean is over the classes that occur in either labeling ("present"). With `classes="all"`, as papers write it,
    it is over all classes, and it has no value where one of the terms has none.

    >>> from goodmeasure.catalogue.definitions.overlap import f1
    >>> macro(f1)([[5, 1, 0], [0, 4, 2], [1, 0, 3]])
    0.7424242424242423
    >>> [macro(f1, classes=x)([[3, 1, 0], [1, 3, 0], [0, 0, 0]]) for x in ("present", "all")]
    [0.75, 0.8333333333333334]
    """
    if classes not in (PRESENT, ALL):
        raise InputError("{classes} is {got!r}", got=classes, expected="'present' or 'all'")
    if (of_scores := _of_scores("macro", measure, p, classes)) is not None:
        return of_scores
    inner = as_measure(measure)
    p = canonical(number(p, "p", infinite=True))
    over_all = classes == ALL

    def definition(c: View) -> Value:
        def term(i: ClassIndex) -> Value:
            return inner.of(c.vs_rest(i))

        return c.mean(term, p=p) if over_all else average(c, term, inner.worst_value, p)

    kinds: dict[Number, str] = {1: "Macro-averaged", 0: "Geometric macro", -1: "Harmonic macro"}
    kind = kinds.get(p, f"Power-mean ({literal(p)}) macro")
    return _derived(
        "macro",
        inner,
        definition,
        f"{kind} {title_inside(inner)}{' over all classes' if over_all else ''}",
        options={**({} if p == 1 else {"p": p}), **({"classes": ALL} if over_all else {})},
        symmetric=inner.symmetric and (over_all or not _rule_acts(inner)),
        class_symmetric=True,
    )


def _of_scores(combinator: str, measure: object, p: Number = 1, classes: str = PRESENT) -> ScoreMeasure | None:
    """Return the average of a measure of scores; None if the measure is one of predicted labels."""
    from goodmeasure.catalogue.scores.measure import ScoreFamily, ScoreMeasure

    found = measure
    if isinstance(measure, str):
        from goodmeasure.catalogue.names import named

        found = named(measure, argument="measure")
    if not isinstance(found, (ScoreMeasure, ScoreFamily)):
        return None
    from goodmeasure.catalogue.scores.class_averages import average as average_of_scores

    if p != 1:
        raise InputError("{p} is {got!r}", got=p, advice="a measure of scores has the plain mean over classes only")
    if classes == ALL:
        raise InputError(
            "{classes} is {got!r}",
            got=classes,
            advice="a measure of scores is averaged over the classes for which it has a value",
        )
    return average_of_scores(combinator, found if isinstance(found, ScoreMeasure) else found())


def _rule_acts(inner: Measure) -> bool:
    """Return whether the rule for classes that are never predicted can act.

    If it can, exchanging the labelings changes the value. A class against the rest that is never predicted has two
    forms: with items of other classes, and without.
    """
    if inner.worst_value is None:
        return False
    try:
        return any(math.isnan(inner([[others, 0], [1, 0]])) for others in (0, 1))
    except (ArithmeticError, TypeError, ValueError):  # a function of the user's that fails there
        return True


@overload
def weighted(measure: Measure) -> Measure: ...


@overload
def weighted(measure: ScoreMeasure) -> ScoreMeasure: ...


@overload
def weighted(measure: MeasureLike) -> Measure | ScoreMeasure: ...


@_made_once
def weighted(measure: MeasureLike) -> Measure | ScoreMeasure:
    """Return the average of a measure over classes, each against the rest, weighted by true class size."""
    if (of_scores := _of_scores("weighted", measure)) is not None:
        return of_scores
    inner = as_measure(measure)

    def definition(c: View) -> Value:
        rule = never_predicted(c, inner.worst_value)
        return c.mean(lambda i: inner.of(c.vs_rest(i)), undefined=rule, weights=c.a)

    return _derived(
        "weighted", inner, definition, f"Weighted {title_inside(inner)}", symmetric=False, class_symmetric=True
    )


@_made_once
def micro(measure: MeasureLike) -> Measure:
    """Return the micro average of a measure: its value on the sum of the matrices of each class against the rest."""
    inner = as_measure(measure)

    def definition(c: View) -> Value:
        right = c.sum(lambda i: c[i, i])
        wrong = c.n - right
        return inner.of(c.two(tp=right, fn=wrong, fp=wrong, tn=(c.m - 2) * c.n + right))

    return _derived(
        "micro", inner, definition, f"Micro-averaged {title_inside(inner)}", symmetric=True, class_symmetric=True
    )


@_made_once
def calibrated(measure: MeasureLike) -> Measure:
    """Return a measure of the matrix in which every true class is made equally frequent."""
    inner = as_measure(measure)

    def definition(c: View) -> Value:
        return inner.of(c.map(lambda i, j: c.ratio(c[i, j] * c.n, c.m * c.a[i])))

    return _derived(
        "calibrated",
        inner,
        definition,
        f"Calibrated {title_inside(inner)}",
        classes=inner.classes,
        symmetric=False,
        class_symmetric=inner.declared_symmetric,
        family=inner.family,
        cite="opitz2024",
    )


COMBINATORS: dict[str, Callable[..., Measure | ScoreMeasure]] = {
    "macro": macro,
    "micro": micro,
    "weighted": weighted,
    "calibrated": calibrated,
}

USUAL = (
    *("macro(recall)", "macro(precision)", "macro(f1)", "macro(jaccard)", "macro(mcc)"),
    *(f"macro({x}, classes='all')" for x in ("recall", "precision", "f1", "jaccard", "mcc")),
    *("macro(recall, p=0, classes='all')", "macro(recall, p=-1, classes='all')"),
    *(
        "macro(recall, p=0)",
        "macro(recall, p=-1)",
        "weighted(f1)",
        "weighted(precision)",
        "micro(f1)",
        "micro(jaccard)",
    ),
    *("calibrated(accuracy)", "calibrated(kappa)", "calibrated(mcc)"),
    *(
        "calibrated(macro(precision))",
        "calibrated(macro(f1))",
        "calibrated(macro_f1_of_means)",
        "calibrated(weighted(f1))",
    ),
)
"""The averaged and calibrated measures that the papers use."""


def _derived(
    combinator: str,
    inner: Measure,
    definition: Callable[[View], Value],
    title: str,
    *,
    options: Mapping[str, object] | None = None,
    classes: int | None = None,
    symmetric: bool,
    class_symmetric: bool | None,
    family: str = "averages",
    cite: str | None = None,
) -> Measure:
    """Return a measure that a combinator makes from another one, with the facts that follow."""
    chosen = dict(options or {})
    how = _ABOUT[combinator].replace(
        "over classes", "over all classes" if chosen.get("classes") == ALL else "over classes"
    )
    return Measure(
        definition,
        f"{combinator}({', '.join([inner.name, *(f'{k}={literal(v)}' for k, v in chosen.items())])})",
        title=title,
        range=inner.range,
        orientation=inner.orientation,
        cite=cite or inner.cite,
        classes=classes,
        family=family,
        about=about_of(inner).combined(how),
        symmetric=symmetric,
        class_symmetric=class_symmetric,
        scale_invariant=inner.scale_invariant,
        parameters={"measure": inner, **chosen},
        made_by=combinator,
        key=definition if inner.is_users_own() else (combinator, inner._key, *chosen.items()),
    )


_ABOUT = {
    "macro": "averaged over classes (each against the rest)",
    "weighted": "averaged over classes (each against the rest) with weights by true class size",
    "micro": "computed from the sum over classes (each against the rest)",
    "calibrated": "with every true class made equally frequent",
}
