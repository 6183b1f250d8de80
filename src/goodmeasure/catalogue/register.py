"""The register: how a definition gets a name, its facts and a place in the catalogue."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, TypeAlias, Unpack

from goodmeasure.catalogue.family import Family
from goodmeasure.catalogue.measure import HIGHER, LOWER, NEITHER, Measure
from goodmeasure.exceptions import InputError, InputTypeError, UnknownKey
from goodmeasure.language.record import GivenTree
from goodmeasure.language.tree import Tree
from goodmeasure.language.view import Definition
from goodmeasure.packages import plugged

if TYPE_CHECKING:
    from goodmeasure.catalogue.facts import FamilyFacts, MeasureFacts
    from goodmeasure.catalogue.scores.measure import ScoreFamily, ScoreMeasure

CatalogueEntry: TypeAlias = "Measure | Family | ScoreMeasure"

_ENTRIES: dict[str, CatalogueEntry] = {}
_ALIASES: dict[str, str] = {}
_ORIGINS: dict[str, tuple[str, str]] = {}  # where each entry was defined; running a cell again may redefine it


def define(
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
) -> Callable[[Definition], Measure]:
    """Give a function of ``c`` a name, facts and a place in the catalogue.

    >>> @define("half_accuracy", title="Half the accuracy", range=(0, 0.5))
    ... def half_accuracy(c):
    ...     return c.ratio(c.sum(lambda i: c[i, i]), 2 * c.n)
    >>> half_accuracy([[50, 3], [4, 20]])
    0.45454545454545453
    >>> forget("half_accuracy")
    """
    facts: MeasureFacts = {
        "title": title,
        "range": range,
        "range_by_classes": range_by_classes,
        "orientation": orientation,
        "aliases": aliases,
        "cite": cite,
        "classes": classes,
        "family": family,
        "about": about,
        "symmetric": symmetric,
        "class_symmetric": class_symmetric,
        "scale_invariant": scale_invariant,
    }
    _check_facts(name, facts)

    def register(function: Definition | Tree) -> Measure:
        binary = isinstance(function, Tree) and function.classes == 2
        if isinstance(function, Tree):
            function = GivenTree(function)
        if not callable(function):
            raise InputTypeError("define({name!r}) decorates a function of c, not {got!r}", name=name, got=function)
        known: MeasureFacts = {**facts, "aliases": tuple(aliases), "classes": 2 if binary else classes}
        measure = Measure(function, name, **known)
        if measure.is_users_own():
            measure.recorded.must_be_one_formula()
        enter(name, measure, (function.__module__, getattr(function, "__qualname__", name)))
        return measure

    return register


def define_family(
    name: str, *, usual: tuple[dict[str, object], ...], **facts: Unpack[FamilyFacts]
) -> Callable[[Callable[..., Definition]], Family]:
    """Give a function from parameters to definitions a name, facts, and the parameters that people usually choose.

    A fact that depends on the parameters is a function of them.
    """

    def register(build: Callable[..., Definition]) -> Family:
        family = Family(build, name, usual, facts)
        enter(name, family, (build.__module__, build.__qualname__))
        return family

    return register


def _check_facts(name: str, facts: MeasureFacts) -> None:
    """Refuse facts of a measure that cannot be right."""
    _check_aliases(facts["aliases"])
    if not isinstance(name, str) or not name.isidentifier():
        raise InputError("{name} is {got!r}", got=name, advice="a measure's name is an identifier such as 'my_measure'")
    if facts["orientation"] not in (HIGHER, LOWER, NEITHER):
        raise InputError(
            "{orientation} is {got!r}", got=facts["orientation"], advice="use 'higher', 'lower' or 'neither'"
        )
    if facts["classes"] not in (None, 2):
        raise InputError(
            "{classes} is {got!r}",
            got=facts["classes"],
            advice="use 2 for a binary measure, None for any number of classes",
        )
    ends = facts["range"]
    if ends is not None and not ends[0] < ends[1]:
        raise InputError("{range} is {got}", got=ends, expected="(least, greatest)")


def _check_aliases(aliases: Iterable[object]) -> None:
    """Refuse a single string, which would be read as a sequence of letters, and anything that is not a name."""
    if isinstance(aliases, str) or not all(isinstance(x, str) for x in aliases):
        raise InputTypeError("{aliases} is {got!r}", got=aliases, expected="a tuple of names")


def enter(name: str, entry: CatalogueEntry, origin: tuple[str, str]) -> None:
    """Add an entry to the catalogue; refuse a name or an alias that means something else."""
    from goodmeasure import _HOMES, _RESERVED

    if name in _HOMES or name in _RESERVED:
        raise InputError("{name!r} is a name of goodmeasure itself", name=name, advice="choose another")
    before = _ENTRIES.get(name)
    if before is not None and _ORIGINS[name] != origin:
        raise InputError(
            "{name!r} is the name of another measure",
            name=name,
            advice="choose another, or gm.measure({name!r}).forget() first",
        )
    if before is not None:
        forget(name)
    for alias in entry.aliases:
        owner = _ALIASES.get(alias) or (alias if alias in _ENTRIES else None)
        if owner is not None:
            raise InputError(
                "the alias {got!r} of {name!r} already means {owner!r}",
                advice="choose another",
                argument="aliases",
                got=alias,
                name=name,
                owner=owner,
            )
    if name in _ALIASES:
        raise InputError(
            "{name!r} is an alias of {owner!r}", name=name, owner=_ALIASES[name], advice="choose another name"
        )
    _ENTRIES[name], _ORIGINS[name] = entry, origin
    for alias in entry.aliases:
        _ALIASES[alias] = name


def forget(name: str) -> None:
    """Remove a measure of your own from the catalogue."""
    from goodmeasure import catalogue

    if not isinstance(name, str):
        raise InputTypeError("{name} is {got!r}", got=name, expected="the name of a measure of your own")
    if name in getattr(catalogue, "shipped", ()):
        raise InputError("{got!r} comes with goodmeasure and stays in the catalogue", argument="name", got=name)
    entry = _ENTRIES.pop(name, None)
    if entry is None:
        raise UnknownKey(
            "{name!r} is not in the catalogue", name=name, argument="name", expected="the name of a measure of your own"
        )
    for alias in entry.aliases:
        _ALIASES.pop(alias, None)


def entry_of(name: str) -> CatalogueEntry | None:
    """Return the entry with exactly this name or alias, or None.

    Modules of other packages that define measures (entry points `goodmeasure.measures`) are imported for the first
    name that is not ours.
    """
    found = _ENTRIES.get(_ALIASES.get(name, name))
    if found is None:
        plug_in()
        found = _ENTRIES.get(_ALIASES.get(name, name))
    return found


def plug_in() -> None:
    """Import what other packages add to the catalogue, once."""
    plugged("goodmeasure.measures")


def entries() -> Iterator[Measure | Family]:
    """Yield the measures of predicted labels, and their families, in the order of their definition."""
    for entry in _ENTRIES.values():
        if isinstance(entry, (Measure, Family)) and entry.takes == "labels":
            yield entry


def score_entries(takes: str = "scores") -> Iterator[ScoreMeasure | ScoreFamily]:
    """Yield the measures of scores (or of "outcomes"), and their families, in the order of their definition."""
    from goodmeasure.catalogue.scores.measure import ScoreFamily, ScoreMeasure

    for entry in _ENTRIES.values():
        if isinstance(entry, (ScoreMeasure, ScoreFamily)) and entry.takes == takes:
            yield entry


def known_names() -> dict[str, str]:
    """Return every name and alias, with the name it stands for."""
    return {**{name: name for name in _ENTRIES}, **_ALIASES}
