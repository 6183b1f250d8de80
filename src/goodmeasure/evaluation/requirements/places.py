"""Systems, classes and slices as requirements name them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import get_close_matches

from goodmeasure.evaluation.requirements.grammar import EACH, Requirement
from goodmeasure.evaluation.table import missing_name
from goodmeasure.exceptions import InputError, UnknownName
from goodmeasure.typing import Label

_SHOWN = 12
_PLURAL = {"class": "classes", "class or slice": "classes and slices"}


class KnownNames(dict[str, Label]):
    """What can be named, by the text that stands for it; `aliases` are further texts, each of one of them."""

    def __init__(self, what: str, known: Iterable[tuple[str, Label]], aliases: Iterable[tuple[str, str]] = ()) -> None:
        super().__init__(known)
        self.what, self.aliases = what, dict(aliases)
        self.columns: tuple[str, ...] = ()  # texts such as "site=*", for each slice of a column

    def knows(self, typed: str) -> bool:
        """Return whether a text names something."""
        return bool(self) and (typed in self or typed in self.aliases or typed == EACH or typed in self.columns)

    def named(self, typed: str | None) -> list[str | None]:
        """Return the texts of what is named: one of them, or all for ``*``; no name is [None]."""
        if typed is None:
            return [None]
        if typed in self:
            return [typed]
        if typed in self.aliases:
            return [self.aliases[typed]]
        if typed == EACH and self:
            return list(self)
        if typed in self.columns and self:
            return [x for x in self if x.startswith(f"{typed[:-1]}") and " & " not in x] or list(self)
        raise self.unknown(typed)

    def unknown(self, typed: str) -> UnknownName:
        """Return the error about a name that nothing has, with those that were meant."""
        plural, close = _PLURAL.get(self.what, f"{self.what}s"), get_close_matches(typed, list(self), 3, 0.6)
        meant = f"did you mean {' or '.join(map(repr, close))}? " if close else ""
        more = f" and {len(self) - _SHOWN} more" if len(self) > _SHOWN else ""
        listed = (
            f"the {plural} are {', '.join(map(repr, list(self)[:_SHOWN]))}{more}" if self else f"there are no {plural}"
        )
        return UnknownName(
            "there is no {what} {name!r}", name=typed, what=self.what, suggestions=close, meant=meant, listed=listed,
            advice="{meant}{listed}",
        )  # fmt: skip


def system_names(systems: Iterable[str]) -> KnownNames:
    """Return the systems by name."""
    return KnownNames("system", ((x, x) for x in systems))


def class_names(labels: Sequence[Label]) -> KnownNames:
    """Return the classes by name; that of missing labels is called as in the table."""
    missing = missing_name(labels)
    return KnownNames("class", ((missing if x is None else str(x), x) for x in labels))


def slice_names(slices: Iterable[Label], by: Sequence[str]) -> KnownNames:
    """Return the slices by name: a value of the only column, or "site=x" and "site=x & year=1" of several.

    >>> names = slice_names(["x", "y"], ["site"])
    >>> names.named("x"), names.named("site=y"), names.named("*")
    (['x'], ['y'], ['x', 'y'])
    >>> slice_names(["site=x", "site=y", "year=1", ("x", 1)], ["site", "year"]).named("site=*")
    ['site=x', 'site=y']
    """
    known = [(_slice_text(x, by), x) for x in slices]
    aliases = [(f"{by[0]}={text}", text) for text, _ in known] if len(by) == 1 else []
    found = KnownNames("slice", known, aliases)
    found.columns = tuple(f"{column}={EACH}" for column in by)
    return found


def _slice_text(where: Label, by: Sequence[str]) -> str:
    if isinstance(where, tuple) and len(where) == len(by):
        return " & ".join(f"{column}={value}" for column, value in zip(by, where, strict=True))
    return str(where)


def class_and_slice(asked: Requirement, classes: KnownNames, slices: KnownNames) -> tuple[str | None, str | None]:
    """Return the class and the slice that a requirement names, where its text may not say which is which."""
    either = asked.either
    if either is None:
        return asked.label, asked.slice
    is_class, is_slice = classes.knows(either), slices.knows(either)
    if is_class and is_slice and either != EACH:  # each class, as slices are rarely asked for
        raise InputError(
            "{requirement!r} may name a class or a slice", requirement=str(asked), name=either,
            advice="write [class={name}] or [slice={name}]",
        )  # fmt: skip
    if not is_class and not is_slice:
        raise (
            KnownNames("class or slice", [*classes.items(), *slices.items()]).unknown(either)
            if slices
            else classes.unknown(either)
        )
    return (either, None) if is_class else (None, either)
