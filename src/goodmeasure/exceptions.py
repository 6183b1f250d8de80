"""The errors that goodmeasure raises, with what went wrong as data: argument, value, what was expected, what to do.

A message is a template. A placeholder without a value names an argument, so that the command line can name the option
instead; values stay apart from the words around them and are never searched or changed:

>>> error = InputError("{y_pred} has {n} labels, {y_true} has {m}", n=998, m=1000, advice="they must have equally many")
>>> str(error)
'y_pred has 998 labels, y_true has 1000: they must have equally many'
>>> error.message({"y_true": "--true", "y_pred": "--pred"}.get)
'--pred has 998 labels, --true has 1000: they must have equally many'
"""

from __future__ import annotations

import os
import pickle
import sys
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from string import Formatter
from typing import Self, TypeAlias

Naming = Callable[[str], str | None]
"""What the reader of an error calls an argument; None for an argument that the reader cannot give."""


class Argument(str):
    """The name of an argument, or of one of its items as in ``by['region']``; its type sets it off from other text."""

    name: str
    item: object

    def __new__(cls, name: str, item: object = None) -> Self:
        """The name as one writes it in Python; an item stands in brackets."""
        made = super().__new__(cls, name if item is None else f"{name}[{item!r}]")
        made.name, made.item = name, item
        return made

    def text(self, naming: Naming | None) -> str:
        """The name for a reader; an item of an option is its value."""
        option = naming(self.name) if naming else None
        if option is None:
            return str(self)
        return option if self.item is None else f"{option} {self.item}"


@dataclass(frozen=True, slots=True)
class Given:
    """An argument with a value to give it, such as ``missing='drop'``; where the value is empty, ``missing=``."""

    argument: str
    value: object = ""

    def text(self, naming: Naming | None) -> str:
        """What to type, in Python or as an option."""
        option = naming(self.argument) if naming else None
        if option is not None:
            return f"{option} {self.value}".rstrip()
        is_bare = isinstance(self.value, str) and (self.value == "" or self.value.isdecimal())
        return f"{self.argument}={self.value if is_bare else repr(self.value)}"


@dataclass(frozen=True, slots=True)
class Either:
    """Two ways to say the same: in Python, and as a template of options, for a reader who has all of them."""

    python: str
    options: str

    def text(self, naming: Naming | None) -> str:
        """One of the two; nothing where the reader has options, but not these."""
        if naming is None:
            return self.python
        said = Phrase(self.options)
        return "" if any(naming(name) is None for name in said.arguments()) else said.text(naming)


Piece: TypeAlias = str | Argument | Given | Either
"""A part of a message: words, or an argument that each reader calls by a name of their own."""


class Phrase:
    """Words in which arguments are kept apart from text.

    In a template, ``{name}`` is the value of that name, formatted as in ``str.format``, and an argument where there is
    no such value. ``{name:=}`` and ``{name:=value}`` are an argument as one gives it: ``name=``, ``name='value'``.
    """

    __slots__ = ("pieces",)

    def __init__(self, template: str, values: Mapping[str, object] | None = None) -> None:
        self.pieces = tuple(_pieces(template, values or {}))

    def text(self, naming: Naming | None = None) -> str:
        """The words for a reader."""
        return "".join(x.text(naming) if isinstance(x, (Argument, Given, Either)) else x for x in self.pieces)

    def arguments(self) -> list[str]:
        """The names of all arguments, in the order in which they appear."""
        return [
            x.name if isinstance(x, Argument) else x.argument for x in self.pieces if isinstance(x, (Argument, Given))
        ]


_CONVERSIONS: dict[str, Callable[[object], str]] = {"r": repr, "s": str, "a": ascii}


def _pieces(template: str, values: Mapping[str, object]) -> Iterator[Piece]:
    for literal, name, form, conversion in Formatter().parse(template):
        if literal:
            yield literal
        if name is None:
            continue
        value = values[name] if name in values else Argument(name)
        if isinstance(value, Argument) and (form or "").startswith("="):
            yield Given(value.name, (form or "")[1:])
        elif isinstance(value, (Argument, Given, Either)):
            yield value
        elif isinstance(value, Phrase):
            yield from value.pieces
        elif isinstance(value, GoodmeasureError):
            yield from value._pieces()
        else:
            yield str(format(_CONVERSIONS[conversion](value) if conversion else value, form or ""))


class GoodmeasureError(Exception):
    """The base of all errors that goodmeasure itself raises."""

    argument: str | None = None
    """The name of the argument that is wrong, where there is one."""
    got: object = None
    """What came."""
    expected: str | None = None
    """What should have come."""
    advice: str | None = None
    """What to do."""
    problem: str | None = None
    """What is wrong, without what was expected and what to do."""

    def message(self, naming: Naming | None = None) -> str:
        """What went wrong, with the names that a reader has for arguments."""
        return "".join(x.text(naming) if isinstance(x, (Argument, Given, Either)) else x for x in self._pieces())

    def _pieces(self) -> tuple[Piece, ...]:
        return (str(self),)

    def __reduce__(self) -> tuple[object, ...]:
        return _restored, (type(self), self.args, {name: _portable(x) for name, x in self.__dict__.items()})


def _portable(value: object) -> object:
    """A value as it is, and its text where it cannot be sent to another process."""
    try:
        pickle.dumps(value)
    except Exception:  # noqa: BLE001 - somebody else's object may raise anything
        return repr(value)
    return value


def _restored(kind: type[GoodmeasureError], args: tuple[object, ...], state: dict[str, object]) -> GoodmeasureError:
    error = kind.__new__(kind, *args)
    error.args = args  # an OSError gets them only when it is initialised
    error.__dict__.update(state)
    return error


class _TemplateError(GoodmeasureError):
    """An error whose message is a template; see the module's description."""

    def __init__(
        self, problem: str, /, *, argument: str | None = None, got: object = None, expected: str | Phrase = "",
        advice: str | Phrase = "", **values: object,
    ) -> None:  # fmt: skip
        values["got"] = self.got = got
        if argument is not None:
            values["argument"] = Argument(argument)
        parts = [Phrase(problem, values)]
        self.problem = parts[0].text()
        wanted, todo = (x if isinstance(x, Phrase) else Phrase(x, values) for x in (expected, advice))
        if wanted.pieces:
            parts += [Phrase(": expected "), wanted]
            self.expected = wanted.text()
        if todo.pieces:
            parts += [Phrase("; " if wanted.pieces else ": "), todo]
            self.advice = todo.text()
        self._said = tuple(piece for part in parts for piece in part.pieces)
        self.argument = argument if argument is not None else next(iter(parts[0].arguments()), None)
        super().__init__(self.message())

    def _pieces(self) -> tuple[Piece, ...]:
        return self._said


class InputError(_TemplateError, ValueError):
    """An argument, a file or a table that cannot be used as it is."""


class InputTypeError(_TemplateError, TypeError):
    """An argument of a type that cannot be used."""


class InputOSError(_TemplateError, OSError):
    """A file that cannot be opened, read or written, or memory that does not suffice."""


class MissingFileError(InputOSError, FileNotFoundError):
    """A file that does not exist."""


class DirectoryError(InputOSError, IsADirectoryError):
    """A directory where a file is needed."""


class NoDirectoryError(InputOSError, NotADirectoryError):
    """A file where a directory is needed."""


class FilePermissionError(InputOSError, PermissionError):
    """A file that this user may not read or write."""


_SYSTEM_ERRORS: dict[type[OSError], type[InputOSError]] = {
    FileNotFoundError: MissingFileError,
    IsADirectoryError: DirectoryError,
    NotADirectoryError: NoDirectoryError,
    PermissionError: FilePermissionError,
}


def file_error(error: OSError, problem: str, /, *, got: object) -> InputOSError:
    """Return an error of the operating system about the file `got` as one of ours, which the same handlers catch.

    In the template, ``{why}`` is what the operating system says.
    """
    kind = next((ours for theirs, ours in _SYSTEM_ERRORS.items() if isinstance(error, theirs)), InputOSError)
    return kind(problem, got=got, why=(error.strerror or str(error)).lower())


class MissingPackageError(_TemplateError, ImportError):
    """A package that is needed and not installed; the advice says how to install it."""


class UnknownName(InputError):  # noqa: N818 - a name that says what happened
    """A name that nothing has: of a measure, a property, a system or a column."""

    def __init__(
        self,
        problem: str,
        /,
        *,
        name: object,
        suggestions: Sequence[str] = (),
        argument: str | None = None,
        got: object = None,
        expected: str | Phrase = "",
        advice: str | Phrase = "",
        **values: object,
    ) -> None:
        self.name = name
        self.suggestions = tuple(suggestions)
        came = name if got is None else got
        super().__init__(problem, argument=argument, got=came, expected=expected, advice=advice, name=name, **values)


class UnknownKey(UnknownName, KeyError):  # noqa: N818 - as above
    """A name that nothing has, looked up in brackets as in a dictionary."""

    __str__ = Exception.__str__  # a KeyError would show its message in quotes

    @classmethod
    def of(cls, error: UnknownName) -> GoodmeasureError:
        """Return an unknown name that was looked up in brackets as an unknown key."""
        return _restored(cls, error.args, error.__dict__)


class UndefinedMeasure(GoodmeasureError, ArithmeticError):  # noqa: N818 - a name of the contract
    """A measure has no value on these counts, and ``undefined="raise"`` asked to hear of it."""


class Undecided(GoodmeasureError, ArithmeticError):  # noqa: N818 - as above
    """Two exact values agree to so many digits that ball arithmetic could not tell them apart."""


class CertificateError(_TemplateError, ValueError):
    """A certificate does not prove what it says; the message says where it fails.

    ``statement``: the property that the failing certificate, or part of one, is about. ``case``: the case that fails,
    where one was being checked, or what should have been a case. ``field``: the field of the certificate, of its case,
    or of the verdict around it that is wrong, where it is one; ``got`` is then what it holds.
    """

    def __init__(
        self, problem: str, /, *, statement: str | None = None, case: object = None, field: str | None = None,
        got: object = None, expected: str | Phrase = "", advice: str | Phrase = "", **values: object,
    ) -> None:  # fmt: skip
        self.statement, self.case, self.field = statement, case, field
        super().__init__(
            problem, argument=None, got=got, expected=expected, advice=advice,
            **values, statement=statement, case=case, field=field,
        )  # fmt: skip

    def locate(self, statement: str, case: object) -> None:
        """Note what was being checked, unless the error knows it from where it was raised."""
        self.statement = statement if self.statement is None else self.statement
        self.case = case if self.case is None else self.case


class RequirementNotMet(GoodmeasureError, AssertionError):  # noqa: N818 - a name of the contract
    """A result does not meet what was required of it; there is a line for each requirement that is not met."""

    def __init__(self, lines: Sequence[str], gate: object = None) -> None:
        self.lines = tuple(lines)
        self.gate = gate
        head = "1 requirement is not met" if len(self.lines) == 1 else f"{len(self.lines)} requirements are not met"
        super().__init__("\n".join([f"{head}:", *(f"  {line}" for line in self.lines)]))


class UnverifiedProof(UserWarning):
    """A proof was found that could not be verified; it is not used. This is a bug of goodmeasure."""


_HERE = os.path.join(os.path.dirname(__file__), "")


def warn(message: str, category: type[Warning] = UserWarning) -> None:
    """Warn at the user's line that called goodmeasure, from whatever depth."""
    depth, frame = 1, sys._getframe()
    while frame.f_back is not None and frame.f_code.co_filename.startswith(_HERE):
        depth, frame = depth + 1, frame.f_back
    warnings.warn(message, category, stacklevel=depth)


# Tracebacks show the names by which users catch these errors.
for _kind in (
    *(GoodmeasureError, InputError, InputTypeError, InputOSError, MissingPackageError, UnknownName, UnknownKey),
    *(MissingFileError, DirectoryError, NoDirectoryError, FilePermissionError, UndefinedMeasure, Undecided),
    *(CertificateError, RequirementNotMet, UnverifiedProof),
):
    _kind.__module__ = "goodmeasure"
