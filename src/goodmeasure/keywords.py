"""How public functions take options: what is declared about each, its default and check, and the help on all of them.

The options themselves are in `goodmeasure.options`, as fields of typed dictionaries. A function that says
``**options: Unpack[EvaluateOptions]`` takes those of `EvaluateOptions`; so does a command, a form of the page and a
table of the documentation that names this class.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache, wraps
from textwrap import fill
from typing import ForwardRef, Literal, ParamSpec, TypeVar, cast, get_args, get_origin

from goodmeasure.exceptions import InputError

MOST_SHOWN = 14  # parameters in a signature
_P = ParamSpec("_P")
_R = TypeVar("_R")
_Kind = TypeVar("_Kind")


@dataclass(frozen=True)
class Option:
    """An option of public functions, of commands and of forms; what users type, read and are told follows from it."""

    default: object
    help: str  # a noun phrase, as the command line and the documentation print it
    check: Callable[[str, object], object] | None = None  # given the name and a value, returns the value to use
    often: bool = False  # typed so often that signatures show it
    flag: str = ""  # on the command line, if it is not --name
    metavar: str | None = None  # what stands for the value in the help of a command
    many: bool = False  # whether the command line takes it several times
    spelled: str = ""  # how several values are typed there, if it is not once for each
    typed: Callable[..., object] | None = None  # makes a value of what is typed on the command line
    hidden: bool = False  # only in Python
    form: bool = False  # on the page as well
    name: str = ""  # this and the annotation are those of the field
    annotation: object = None

    @property
    def choices(self) -> tuple[str, ...]:
        """Return the values that there are, where the type lists them."""
        kinds = (self.annotation, *get_args(self.annotation))
        return next((get_args(x) for x in kinds if get_origin(x) is Literal), ())

    @property
    def may_be_none(self) -> bool:
        """Return whether None is one of the values."""
        if isinstance(self.annotation, ForwardRef):
            return self.annotation.__forward_arg__.endswith("None")
        return self.default is None or type(None) in get_args(self.annotation)

    @property
    def kind(self) -> type:
        """Return the type of what is typed: a truth value, a number, or text."""
        kinds = {self.annotation, *get_args(self.annotation)}
        return next((x for x in (bool, int, float) if x in kinds and str not in kinds), str)

    @property
    def on_command_line(self) -> str:
        """Return the flag of the command line; a switch that is on by default is turned off by it."""
        return self.flag or f"--{'no-' if self.default is True else ''}{self.name.replace('_', '-')}"

    @property
    def command_help(self) -> str:
        """Return the help of the command line."""
        if self.default is True:
            return f"No {self.help[:1].lower()}{self.help[1:]}"
        spelled = self.spelled or ("repeatable" if self.many else "")
        return f"{self.help.removesuffix('.')}; {spelled}." if spelled else self.help

    def read(self, text: str) -> object:
        """Return the value that the text of a form stands for."""
        if self.kind is bool:
            return text == "true"
        try:
            value = self.typed(self.name, [text] if self.many else text) if self.typed else self.kind(text)
        except ValueError:
            value = text  # it is refused below
        return self.checked(value)

    def words(self, value: object) -> list[str]:
        """Return what is typed on the command line for a value; nothing for None and for what is off."""
        if value is None or value is False or value == ():
            return []
        if self.kind is bool:
            return [self.on_command_line]
        return [word for x in (value if self.many and isinstance(value, (tuple, list)) else [value])
                for word in (self.on_command_line, str(x))]  # fmt: skip

    def checked(self, value: object) -> object:
        """Return the value to use; refuse one that is not understood."""
        if value is None and self.may_be_none:
            return None
        if self.check is not None:
            return self.check(self.name, value)
        if self.choices and not (isinstance(value, str) and value in self.choices):
            *known, last = map(repr, self.choices)
            raise InputError("{argument} is {got!r}", argument=self.name, got=value, known=", ".join(known), last=last,
                             advice="use {known} or {last}")  # fmt: skip
        return value


def options_of(*kinds: type) -> Mapping[str, Option]:
    """Return the options that typed dictionaries declare, by name."""
    return _options_of(kinds)


@cache
def _options_of(kinds: tuple[type, ...]) -> Mapping[str, Option]:
    fields = {name: field for kind in kinds for name, field in kind.__annotations__.items()}
    return {name: replace(x.__metadata__[0], name=name, annotation=x.__origin__) for name, x in fields.items()}


def complete(kind: type[_Kind], given: Mapping[str, object]) -> _Kind:
    """Return the given options of one kind, checked, and the defaults of the others."""
    return cast(_Kind, {name: x.checked(given[name]) if name in given else x.default
                        for name, x in options_of(kind).items()})  # fmt: skip


def check_options(kind: type, **given: object) -> None:
    """Refuse options of one kind that are not understood."""
    complete(kind, given)


def only(options: object, kind: type[_Kind]) -> _Kind:
    """Return those options that are of another kind too."""
    known = options_of(kind)
    return cast(_Kind, {name: value for name, value in cast("Mapping[str, object]", options).items() if name in known})


def takes_options(function: Callable[_P, _R]) -> Callable[_P, _R]:
    """Return the function with the options of its ``**options``: checked, with defaults, in its signature and help.

    An unknown keyword is refused by what to write instead, also where other libraries call it so.
    """
    signature = inspect.signature(function)
    own = dict(signature.parameters)
    unpacked = str(own.pop("options").annotation).removeprefix("Unpack[").removesuffix("]")
    known = options_of(inspect.unwrap(function).__globals__[unpacked])
    defaults = {name: x.default for name, x in known.items()}
    positional = [x.name for x in own.values() if x.kind is x.POSITIONAL_OR_KEYWORD]

    @wraps(function)
    def call(*args: _P.args, **given: _P.kwargs) -> _R:
        for name, value in given.items():
            if name in known:
                given[name] = known[name].checked(value)
            elif name not in own:
                from goodmeasure.catalogue.foreign_keywords import unexpected

                raise unexpected(function.__name__, name, value, (*own, *known))
        if len(args) > len(positional):
            from goodmeasure.catalogue.foreign_keywords import too_many

            raise too_many(function.__name__, args, len(positional))
        return function(*args, **{**defaults, **given})  # type: ignore[arg-type]  # what is declared has these types

    shown = [x for x in known.values() if x.often][: MOST_SHOWN - 1 - len(own)]
    keywords = [inspect.Parameter(x.name, inspect.Parameter.KEYWORD_ONLY, default=x.default) for x in shown]
    parameters = [*own.values(), *keywords, signature.parameters["options"]]
    call.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
    call.__doc__ = f"{inspect.getdoc(function)}\n\nOptions:\n{_listed(known)}"
    return call


def _listed(options: Mapping[str, Option]) -> str:
    """Return the options as lines of a docstring."""
    return "\n".join(
        fill(f"{x.name}={x.default!r}: {x.help}", 100, initial_indent="  ", subsequent_indent="      ")
        for x in options.values()
    )
