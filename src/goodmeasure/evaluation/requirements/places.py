"""Systems, classes and slices as requirements name them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches

from goodmeasure.counts.class_names import missing_name
from goodmeasure.counts.sample import Slice
from goodmeasure.evaluation.requirements.grammar import EACH, Requirement
from goodmeasure.exceptions import InputError, UnknownName
from goodmeasure.typing import Label

_SHOWN = 12
_PLURAL = {"class": "classes", "class or slice": "classes and slices"}


class KnownNames(dict[str, Label]):
    """The names that a requirement may use, each with what it stands for.

    `aliases` are further names for some of them. `columns` are patterns such as "site=*", which stand for all slices of
    that column.
    """

    def __init__(
        self,
        what: str,
        known: Iterable[tuple[str, Label]],
        aliases: Iterable[tuple[str, str]] = (),
        columns: Mapping[str, Sequence[str]] | None = None,
    ) -> None:
        super().__init__(known)
        self.what, self.aliases, self.columns = what, dict(aliases), dict(columns or {})

    def knows(self, typed: str) -> bool:
        """Return whether a text names something."""
        return bool(self) and (typed in self or typed in self.aliases or typed == EACH or typed in self.columns)

    def named(self, typed: str | None) -> list[str | None]:
        """Return the texts of what is named: one of them, or all of them for ``*``; without a name, [None]."""
        if typed is None:
            return [None]
        if typed in self:
            return [typed]
        if typed in self.aliases:
            return [self.aliases[typed]]
        if typed == EACH and self:
            return list(self)
        if typed in self.columns:
            return list(self.columns[typed])
        raise self.unknown(typed)

    def unknown(self, typed: str) -> UnknownName:
        """Return the error about an unknown name, with suggestions."""
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


def slice_names(slices: Mapping[Label, Slice]) -> KnownNames:
    """Return the slices by name: a value of the only column, or "site=x" and "site=x & year=1" of several.

    `slices` are the slices by their names in the table.

    >>> x, y, new = ("site", "x"), ("site", "R & D"), ("year", 1)
    >>> names = slice_names({"x": Slice([x]), "R & D": Slice([y])})
    >>> names.named("x"), names.named("site=R & D"), names.named("*")
    (['x'], ['R & D'], ['x', 'R & D'])
    >>> several = {"site=x": Slice([x]), "site=R & D": Slice([y]), "year=1": Slice([new]), ("x", 1): Slice([x, new])}
    >>> slice_names(several).named("site=*")
    ['site=x', 'site=R & D']
    """
    known: dict[str, Label] = {}
    aliases: list[tuple[str, str]] = []
    columns: dict[str, list[str]] = {}
    for label, where in slices.items():
        text = _slice_text(label, where)
        if text in known:  # the value of one column reads like the values of several
            text = " & ".join(f"{column}={value!r}" for column, value in where)
        known[text] = label
        if len(where) == 1:
            column = where[0][0]
            columns.setdefault(f"{column}={EACH}", []).append(text)
            aliases.append((f"{column}={text}", text))
    return KnownNames("slice", known.items(), aliases if len(columns) == 1 else (), columns)


def _slice_text(label: Label, where: Slice) -> str:
    if isinstance(label, tuple) and len(where) > 1:
        return " & ".join(f"{column}={value}" for (column, _), value in zip(where, label, strict=True))
    return str(label)


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
