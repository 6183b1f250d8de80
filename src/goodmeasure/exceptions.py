"""The errors that goodmeasure raises, with what went wrong as data: argument, value, what was expected, what to do.

An error is raised with its problem as text; values in braces come by keyword. A name in braces without a value is that
of an argument, which the command line calls by its option. ``{missing:=drop}`` is an argument with what to give:

>>> error = InputError("{y_pred} has {n} labels", n=998, advice="give as many as {y_true}; {missing:=drop} leaves out")
>>> str(error)
"y_pred has 998 labels: give as many as y_true; missing='drop' leaves out"
>>> error.message({"y_true": "--true", "y_pred": "--pred"}.get)
'--pred has 998 labels: give as many as --true'

As here, a clause of an advice is left out for readers who lack its arguments. `got` is the first value in the problem
(one that is shown with quotes goes first), unless it is given.
"""

from __future__ import annotations

import os
import pickle
import sys
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from string import Formatter
from typing import ClassVar, Self, TypeAlias

Naming = Callable[[str], str | None]
"""What the reader of an error calls an argument; None for an argument that the reader cannot give."""
_CONVERSIONS: Mapping[str | None, Callable[[object], object]] = {"r": repr, "s": str, "a": ascii, None: lambda x: x}


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
        return str(self) if option is None else option if self.item is None else f"{option} {self.item}"

    def renamed(self, names: Mapping[str, str]) -> Argument:
        """Return the argument under the name that a caller has for it."""
        return Argument(names.get(self.name, self.name), self.item)


class Given:
    """An argument together with the value to pass, such as ``missing='drop'``; an empty value gives ``missing=``."""

    def __init__(self, name: str, value: object = "") -> None:
        self.name, self.value = name, value

    def text(self, naming: Naming | None) -> str:
        """What to type, in Python or as an option."""
        option = naming(self.name) if naming else None
        if option is not None:
            return f"{option} {self.value}".rstrip()
        is_bare = isinstance(self.value, str) and (self.value == "" or self.value.isdecimal())
        return f"{self.name}={self.value if is_bare else repr(self.value)}"

    def renamed(self, names: Mapping[str, str]) -> Given:
        """Return the argument under the name that a caller has for it."""
        return Given(names.get(self.name, self.name), self.value)


class Either:
    """Words for Python, and words with options for readers who have all of these; for others nothing."""

    def __init__(self, python: str, options: str) -> None:
        self.python, self.options = python, Phrase(options)

    def text(self, naming: Naming | None) -> str:
        """Return the words that suit the reader."""
        if naming is None:
            return self.python
        return self.options.text(naming) if self.options.is_for(naming) else ""


class Phrase:
    """Words in which arguments are kept apart from text, clause by clause; the module's description has the form."""

    def __init__(self, template: str, values: Mapping[str, object] | None = None) -> None:
        known, self.clauses = values or {}, list[list[Piece]]([[]])
        for literal, name, form, conversion in Formatter().parse(template):
            self._add([[x] for x in literal.split("; ")])
            if name is None:
                continue
            value = known[name] if name in known else Argument(name)
            if isinstance(value, Argument) and (form or "").startswith("="):
                value = Given(value.name, (form or "")[1:])
            elif not isinstance(value, (Argument, Given, Either, Phrase, GoodmeasureError)):
                value = format(_CONVERSIONS[conversion](value), form or "")
            self._add(value.clauses if isinstance(value, Phrase) else [[value]])

    def _add(self, clauses: list[list[Piece]]) -> None:
        """Continue the last clause with the first of these, and begin the others."""
        self.clauses[-1] += clauses[0]
        self.clauses += [list(x) for x in clauses[1:]]

    def text(self, naming: Naming | None = None, *, can_follow: bool = False) -> str:
        """Return the words for a reader; without the clauses that the reader lacks arguments for if `can_follow`."""
        kept = [x for x in self.clauses if not can_follow or naming is None or _can(x, naming)]
        said = ["".join(_word(y, naming) for y in x) for x in kept]
        return "; ".join(x for x in said if x.strip() or not can_follow)

    def is_for(self, naming: Naming) -> bool:
        """Return whether a reader has all arguments."""
        return all(_can(x, naming) for x in self.clauses)

    def named(self) -> list[str]:
        """Return the names of all arguments, in order."""
        return [y.name for x in self.clauses for y in x if isinstance(y, (Argument, Given))]

    def renamed(self, names: Mapping[str, str]) -> None:
        """Give arguments the names that a caller has for them."""
        self.clauses = [[y.renamed(names) if isinstance(y, (Argument, Given)) else y for y in x] for x in self.clauses]


def _word(piece: Piece, naming: Naming | None) -> str:
    if isinstance(piece, str) and not isinstance(piece, Argument):
        return piece
    return piece.text(naming)


def _can(clause: list[Piece], naming: Naming) -> bool:
    return not any(isinstance(x, (Argument, Given)) and naming(x.name) is None for x in clause)


class GoodmeasureError(Exception):
    """The base of all errors that goodmeasure itself raises; the module's description says how they are made."""

    kept: ClassVar[Mapping[str, object]] = {}
    """Values that are fields of the error too, each with what it is where it is not given."""
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

    def __init__(self, problem: str, /, **values: object) -> None:
        for name, usual in self.kept.items():
            setattr(self, name, values.setdefault(name, usual))
        argument, self.got = values.get("argument"), values.setdefault("got", None)
        if self.got is None:
            self.got = _first_value(problem, values)
        if argument is not None:
            values["argument"] = Argument(str(argument))
        said = (problem, values.get("expected", ""), values.get("advice", ""))
        self._parts = [x if isinstance(x, Phrase) else Phrase(str(x), values) for x in said]
        self.argument = next(iter(self._parts[0].named()), None) if argument is None else str(argument)
        self._say()

    def _say(self) -> None:
        """Keep the texts of the message."""
        self.problem, expected, advice = (x.text() for x in self._parts)
        self.expected, self.advice, self.args = expected or None, advice or None, (self.message(),)

    def message(self, naming: Naming | None = None) -> str:
        """What went wrong, with the names that a reader has for arguments."""
        said, wanted, todo = self._parts[0].text(naming), self._parts[1].text(naming), self.todo(naming)
        said = f"{said}: expected {wanted}" if wanted else said
        return f"{said}{'; ' if wanted else ': '}{todo}" if todo else said

    text = message

    def todo(self, naming: Naming | None = None) -> str | None:
        """What to do, for a reader who has names of their own for arguments."""
        return self._parts[2].text(naming, can_follow=True) or None

    def renamed(self, **names: str) -> Self:
        """Return the error with the names that a caller's arguments have: as in ``renamed(counts="cm")``."""
        for part in self._parts:
            part.renamed(names)
        self.argument = names.get(self.argument or "", self.argument)
        self._say()
        return self

    def with_advice(self, advice: str, *, instead_of: str) -> Self:
        """Replace an advice that names an argument which the caller does not have."""
        if instead_of in self._parts[2].named():
            self._parts[2] = Phrase(advice)
            self._say()
        return self

    def __reduce__(self) -> tuple[object, ...]:
        return _restored, (type(self), self.args, {name: _portable(x) for name, x in self.__dict__.items()})


Piece: TypeAlias = str | Argument | Given | Either | GoodmeasureError
"""A part of a message: words, or an argument that each reader calls by a name of their own."""


def _first_value(template: str, values: Mapping[str, object]) -> object:
    """Return the first value in a problem that is quoted, or else the first one."""
    own = (Argument, Given, Either, Phrase, BaseException)
    named = [(name, conversion) for _, name, _, conversion in Formatter().parse(template) if name in values]
    plain = [(values[x], how) for x, how in named if x is not None and not isinstance(values[x], own)]
    return next((x for wanted in (True, False) for x, how in plain if how == "r" or not wanted), None)


def _portable(value: object) -> object:
    """Return a value unchanged, or its repr if it cannot be pickled for another process."""
    try:
        pickle.dumps(value)
    except Exception:  # noqa: BLE001 - somebody else's object may raise anything
        return repr(value)
    return value


def _restored(kind: type[GoodmeasureError], args: tuple[object, ...], state: dict[str, object]) -> GoodmeasureError:
    error: GoodmeasureError = (OSError if issubclass(kind, OSError) else kind).__new__(kind, *args)
    error.args = args  # an OSError gets them only when it is initialised
    error.__dict__.update(state)
    return error


class InputError(GoodmeasureError, ValueError):
    """An argument, a file or a table that cannot be used as it is."""

    @classmethod
    def inside(cls, text: str, error: GoodmeasureError) -> InputError:
        """Return an error about a part of a text as one about the text, with the same fields."""
        found = cls("{text!r}: {error}", text=text, error=error, argument=error.argument, got=error.got)
        found.expected, found.advice, found.problem = error.expected, error.advice, error.problem
        return found


class InputTypeError(InputError, TypeError):
    """An argument of a type that cannot be used."""


class InputOSError(InputError, OSError):
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
    """Convert the operating system's error about the file `got` into one of ours; the same handlers catch it.

    In the template, ``{why}`` is what the operating system says.
    """
    kind = next((ours for theirs, ours in _SYSTEM_ERRORS.items() if isinstance(error, theirs)), InputOSError)
    return kind(problem, got=got, why=(error.strerror or str(error)).lower())


class MissingPackageError(GoodmeasureError, ImportError):
    """A package that is needed and not installed; the advice says how to install it."""


class UnknownName(InputError):  # noqa: N818 - a name that says what happened
    """An unknown name of a measure, a property, a system or a column."""

    kept: ClassVar[Mapping[str, object]] = {"name": None}
    name: object
    suggestions: tuple[str, ...]

    def __init__(self, problem: str, /, *, suggestions: Sequence[str] = (), **values: object) -> None:
        self.suggestions = tuple(suggestions)
        super().__init__(problem, **{"got": values.get("name"), **values})


class UnknownKey(UnknownName, KeyError):  # noqa: N818 - as above
    """An unknown name that was looked up in brackets, as in a dictionary."""

    __str__ = Exception.__str__  # a KeyError would show its message in quotes

    @classmethod
    def of(cls, error: UnknownName) -> GoodmeasureError:
        """Return an unknown name that was looked up in brackets as an unknown key."""
        return _restored(cls, error.args, error.__dict__)


class UndefinedMeasure(GoodmeasureError, ArithmeticError):  # noqa: N818 - a name of the contract
    """A measure has no value on these counts, and ``undefined="raise"`` asked for an error."""

    kept: ClassVar[Mapping[str, object]] = {"measure": None}
    measure: str | None
    """The name of the measure; None where a matrix, and no measure, is undefined."""
    reasons: tuple[str, ...]
    """Why it has no value: a sentence for each term that is 0/0."""

    def __init__(self, problem: str, /, *, reasons: Sequence[str] = (), **values: object) -> None:
        self.reasons = tuple(reasons)
        super().__init__(problem, reasons="; ".join(reasons), **values)


class Undecided(GoodmeasureError, ArithmeticError):  # noqa: N818 - as above
    """Two exact values agree to so many digits that ball arithmetic could not separate them."""

    kept: ClassVar[Mapping[str, object]] = {"what": None}
    what: str | None
    """What could not be decided: a number that may be zero, or a measure that cannot be followed along a ray."""


class CertificateError(GoodmeasureError, ValueError):
    """A certificate does not prove what it says; the message says where it fails.

    ``statement``: the property that the failing certificate, or part of one, is about. ``case``: the case that fails,
    where one was being checked, or what should have been a case. ``field``: the field of the certificate, of its case,
    or of the verdict around it that is wrong, where it is one; ``got`` is then what it holds.
    """

    kept: ClassVar[Mapping[str, object]] = {"statement": None, "case": None, "field": None}
    statement: str | None
    case: object
    field: str | None

    def locate(self, statement: str, case: object) -> None:
        """Note what was being checked, unless the error knows it from where it was raised."""
        self.statement = statement if self.statement is None else self.statement
        self.case = case if self.case is None else self.case


class UnverifiedProof(UserWarning):
    """A proof was found that could not be verified; it is not used. This is a bug of goodmeasure."""


@contextmanager
def about(argument: str) -> Iterator[None]:
    """Say of an error that is raised inside, and names no argument itself, which argument it is about."""
    try:
        yield
    except GoodmeasureError as error:
        if error.argument is None:
            error.argument = argument
        raise


_HERE = os.path.join(os.path.dirname(__file__), "")


def warn(message: str, category: type[Warning] = UserWarning) -> None:
    """Issue a warning that points at the user's line, however deep inside the package it is raised."""
    depth, frame = 1, sys._getframe()
    while frame.f_back is not None and frame.f_code.co_filename.startswith(_HERE):
        depth, frame = depth + 1, frame.f_back
    warnings.warn(message, category, stacklevel=depth)


def renamed_to(old: str, new: str) -> None:
    """Warn that something has another name now; the old one works for one release."""
    warn(f"{old} is called {new} now", DeprecationWarning)


# Tracebacks show the names by which users catch these errors.
for _kind in (GoodmeasureError, InputError, InputTypeError, UnknownName, UndefinedMeasure, Undecided, CertificateError):
    _kind.__module__ = "goodmeasure"
