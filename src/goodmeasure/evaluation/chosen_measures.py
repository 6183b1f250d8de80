"""Choose the measures to show: from names, measures, functions, and the names of sets."""

from __future__ import annotations

from collections.abc import Iterable

from goodmeasure.catalogue.literature import measures_of
from goodmeasure.catalogue.measure import Measure, MeasureLike, as_measure
from goodmeasure.catalogue.names import measures as in_catalogue
from goodmeasure.catalogue.names import named
from goodmeasure.catalogue.running import on_rows
from goodmeasure.catalogue.scores.measure import ScoreMeasure
from goodmeasure.counts.arguments import check_square_binary
from goodmeasure.evaluation.trivial_classifiers import scorecard
from goodmeasure.exceptions import InputError, InputTypeError
from goodmeasure.language.policy import RESOLVE
from goodmeasure.paper_names import PAPERS

SETS = {
    "recommended": "the scorecard that is shown by default",
    "papers": "the measures that the papers define or compare",
    **{paper: f"those of {paper}" for paper in PAPERS},
    "all": "the whole catalogue",
}
_FEW = 12  # classes: up to here, trying a user's function on one matrix costs nothing
NO_MEASURES: tuple[MeasureLike, ...] = ("no measures of labels",)  # compared by identity: only scores are measured
CLASSWISE = ("recall", "precision", "f1")


def chosen(measures: object, classes: int) -> list[Measure]:
    """Return the measures that a user asked for, each once, for data with this many classes.

    >>> chosen(["mcc", "f1"], 2)
    [mcc, f1]
    >>> chosen("recommended", 3)[:3]
    [accuracy, balanced_accuracy, sba]
    """
    if measures is None:
        return scorecard(classes)
    found: dict[Measure, None] = {}
    for one in as_asked(measures):
        found |= dict.fromkeys(_set(one, classes) if isinstance(one, str) and one in SETS else [_single(one, classes)])
    must_differ(found)
    if not found:
        raise InputError("{measures} is empty", sets=_sets(), advice="name some, such as 'mcc', or one of {sets}")
    return list(found)


def canonical(measure: object, known: Iterable[str]) -> str:
    """Return the name that a measure has in a table; the measure may come by that name, an alias, or itself.

    >>> canonical("weighted_kappa('linear')", ["mcc", "weighted_kappa(weights='linear')"])
    "weighted_kappa(weights='linear')"
    """
    listed = list(known)
    if str(measure) in listed:
        return str(measure)
    name = str(named(measure, argument="measure").name)
    if name not in listed:
        raise InputError(
            "{name} was not measured",
            argument="measure",
            name=name,
            known=", ".join(listed),
            advice="name it in {measures:=}; there are {known}",
        )
    return name


def must_differ(measures: Iterable[Measure | ScoreMeasure]) -> None:
    """Refuse two different measures with the same name: neither a table nor a reader could tell them apart."""
    known: dict[str, Measure | ScoreMeasure] = {}
    for f in measures:
        if known.setdefault(f.name, f) != f:
            raise InputError(
                "measures holds two measures named {name!r}",
                argument="measures",
                name=f.name,
                advice="give your function another name, with def or gm.define",
            )


def _sets() -> str:
    return ", ".join(map(repr, SETS))


def _set(name: str, classes: int) -> list[Measure]:
    if name == "recommended":
        return scorecard(classes)
    if name == "all":
        return in_catalogue(classes=classes)
    return [as_measure(x) for x in measures_of(None if name == "papers" else name, classes)]


def _single(one: object, classes: int) -> Measure:
    found = as_measure(one, "measures")
    if found.classes == 2 and classes > 2:
        check_square_binary(found.name, classes)
    if found.is_users_own():
        _must_take_c(found, classes)
    return found


def _must_take_c(found: Measure, classes: int) -> None:
    """Refuse a user's function of an array: a measure here is a function of c.

    The function is tried on one matrix, so that the error comes now and says why, not later from deep inside.
    """
    rows = [[2 + (i == j) * 9 + j for j in range(classes)] for i in range(classes)] if classes <= _FEW else None
    try:
        if rows is not None and classes > 1:
            on_rows(found.recorded, rows, RESOLVE)
    except (ValueError, ArithmeticError):
        return  # the function may refuse this very matrix on purpose
    except Exception as error:  # noqa: BLE001 - somebody else's function may raise anything
        raise InputTypeError(
            "{name} raised {kind}",
            argument="measures",
            name=found.name,
            kind=type(error).__name__,
            error=error,
            advice="{error}: a measure is a function of c, as in c.ratio(c.tp, c.n); only gm.check takes "
            "functions of an array of counts too",
        ) from None


def classwise(measures: object, shown: Iterable[Measure]) -> list[Measure]:
    """Return the binary measures to show for every class.

    These are the ones asked for, or by default the usual ones and those that some shown measure averages.
    """
    if measures is not None and measures is not True:
        if measures is False:
            return []
        return list(dict.fromkeys(as_measure(x, "classwise") for x in as_asked(measures)))
    usual = [as_measure(x) for x in CLASSWISE]
    averaged = [x.inner for x in shown if isinstance(x.inner, Measure)]
    return list(dict.fromkeys([*usual, *(x for x in averaged if x.classes == 2)]))


def as_asked(measures: object) -> list[MeasureLike]:
    """Return what a user named as measures, one by one: names, measures, functions or sets such as "all"."""
    if isinstance(measures, (str, Measure)) or callable(measures):
        return [measures]
    if not isinstance(measures, Iterable):
        raise InputTypeError(
            "{measures} is {got!r}",
            got=measures,
            sets=_sets(),
            expected="names such as 'mcc', measures, or one of {sets}",
        )
    return list(measures)
