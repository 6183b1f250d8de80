"""The errors that goodmeasure raises, with what went wrong as data: argument, value, what was expected, what to do.

A message is a template. A placeholder without a value names an argument, so that the command line can name the option
instead; values stay apart from the words around them and are never searched or changed:

>>> error = InputError("{y_pred} has {n} labels, {y_true} has {m}", n=998, m=1000, advice="they must have equally many")
>>> str(error)
'y_pred has 998 labels, y_true has 1000: they must have equally many'
>>> error.message({"y_true": "--true", "y_pred": "--pred"}.get)
'--pred has 998 labels, --true has 1000: they must have equally many'

What to do is said only to a reader who can do it: a clause of an advice whose arguments the reader does not have is
left out. What came (`got`) is the first value in the problem, unless it is given by itself; a quoted value goes first:

>>> error = InputError("{name!r} has no label", name="item 3", advice="give it one; {missing:=drop} leaves it out")
>>> error.got, error.advice, error.message(lambda argument: None)
('item 3', "give it one; missing='drop' leaves it out", "'item 3' has no label: give it one")
"""

from __future__ import annotations

import os
import pickle
import sys
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from string import Formatter
from typing import Protocol, Self, TypeAlias

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
    """An argument together with the value to pass, such as ``missing='drop'``; an empty value gives ``missing=``."""

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
    """A hint in two forms: one for Python, and a template of options for readers who have all of these options."""

    python: str
    options: str

    def text(self, naming: Naming | None) -> str:
        """Return the form that suits the reader: empty if the reader uses options and lacks one of these."""
        if naming is None:
            return self.python
        said = Phrase(self.options)
        return "" if any(naming(name) is None for name in said.arguments()) else said.text(naming)


@dataclass(frozen=True, slots=True)
class ClauseEnd:
    """The end of a clause: a semicolon in a template, and not one in a value."""

    def text(self, naming: Naming | None) -> str:
        """The semicolon."""
        return "; "


@dataclass(frozen=True, slots=True)
class Hint:
    """What to do, after the words that lead to it, in one or several clauses."""

    before: str
    pieces: tuple[Piece, ...]

    def text(self, naming: Naming | None) -> str:
        """The clauses that a reader can follow, since they have all of the arguments; nothing if there are none."""
        if naming is None:
            return self.before + _text(self.pieces, naming)
        clauses: list[list[Piece]] = [[]]
        for piece in self.pieces:
            if isinstance(piece, ClauseEnd):
                clauses.append([])
            else:
                clauses[-1].append(piece)
        followed = [
            _text(clause, naming)
            for clause in clauses
            if not any(naming(x) is None for piece in clause for x in _named_in(piece))
        ]
        said = "; ".join(x for x in followed if x.strip())
        return self.before + said if said else ""


Piece: TypeAlias = str | Argument | Given | Either | Hint | ClauseEnd
"""A part of a message: words, or an argument that each reader calls by a name of their own."""
Pieces: TypeAlias = tuple[Piece, ...]
_SPOKEN = (Argument, Given, Either, Hint, ClauseEnd)  # what each reader is told in words of their own


def _text(pieces: Iterable[Piece], naming: Naming | None) -> str:
    return "".join(x.text(naming) if isinstance(x, _SPOKEN) else x for x in pieces)


def _renamed(piece: Piece, names: Mapping[str, str]) -> Piece:
    if isinstance(piece, Argument):
        return Argument(names.get(piece.name, piece.name), piece.item)
    if isinstance(piece, Given):
        return Given(names.get(piece.argument, piece.argument), piece.value)
    return piece


def _named_in(piece: Piece) -> list[str]:
    if isinstance(piece, Argument):
        return [piece.name]
    return [piece.argument] if isinstance(piece, Given) else []


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
        return _text(self.pieces, naming)

    def arguments(self) -> list[str]:
        """The names of all arguments, in the order in which they appear."""
        return [name for piece in self.pieces for name in _named_in(piece)]


_CONVERSIONS: dict[str, Callable[[object], str]] = {"r": repr, "s": str, "a": ascii}


def _pieces(template: str, values: Mapping[str, object]) -> Iterator[Piece]:
    for literal, name, form, conversion in Formatter().parse(template):
        for k, clause in enumerate(literal.split("; ")):
            if k:
                yield ClauseEnd()
            if clause:
                yield clause
        if name is None:
            continue
        value = values[name] if name in values else Argument(name)
        if isinstance(value, Argument) and (form or "").startswith("="):
            yield Given(value.name, (form or "")[1:])
        elif isinstance(value, _SPOKEN):
            yield value
        elif isinstance(value, Phrase):
            yield from value.pieces
        elif isinstance(value, GoodmeasureError):
            yield from value._pieces()
        else:
            yield str(format(_CONVERSIONS[conversion](value) if conversion else value, form or ""))


def _came(template: str, values: Mapping[str, object]) -> object:
    """Return the value in a problem that says what came: the first one in quotes, or else the first one."""
    named = [(name, conversion) for _, name, _, conversion in Formatter().parse(template) if name in values]
    plain = [
        (values[name], conversion)
        for name, conversion in named
        if name is not None and not isinstance(values[name], (Argument, Given, Either, Phrase, BaseException))
    ]
    quoted = [value for value, conversion in plain if conversion == "r"]
    return next(iter([*quoted, *(value for value, _ in plain)]), None)


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
        return _text(self._pieces(), naming)

    def todo(self, naming: Naming | None = None) -> str | None:
        """What to do, for a reader who has names of their own for arguments."""
        return self.advice

    def renamed(self, **names: str) -> Self:
        """Return the error with the names that a caller's arguments have."""
        return self

    def advising(self, advice: str, *, instead_of: str) -> Self:
        """Return the error with another advice where its own names an argument that the caller does not have."""
        return self

    def _pieces(self) -> tuple[Piece, ...]:
        return (str(self),)

    def __reduce__(self) -> tuple[object, ...]:
        return _restored, (type(self), self.args, {name: _portable(x) for name, x in self.__dict__.items()})


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


class _TemplateError(GoodmeasureError):
    """An error whose message is a template; see the module's description."""

    def __init__(
        self, problem: str, /, *, argument: str | None = None, got: object = None, expected: str | Phrase = "",
        advice: str | Phrase = "", **values: object,
    ) -> None:  # fmt: skip
        self.got = _came(problem, values) if got is None else got
        values["got"] = got
        if argument is not None:
            values["argument"] = Argument(argument)
        said, wanted, todo = (x if isinstance(x, Phrase) else Phrase(x, values) for x in (problem, expected, advice))
        self._tell(said.pieces, wanted.pieces, todo.pieces)
        self.argument = argument if argument is not None else next(iter(said.arguments()), None)
        super().__init__(self.message())

    def _tell(self, said: Pieces, wanted: Pieces, todo: Pieces) -> None:
        """Keep the parts of the message, and their texts."""
        self._parts = (said, wanted, todo)
        texts = [_text(x, None) for x in self._parts]
        self.problem, self.expected, self.advice = texts[0], texts[1] or None, texts[2] or None

    def _pieces(self) -> tuple[Piece, ...]:
        said, wanted, todo = self._parts
        found = (*said, ": expected ", *wanted) if wanted else said
        return (*found, Hint("; " if wanted else ": ", todo)) if todo else found

    def todo(self, naming: Naming | None = None) -> str | None:
        """What to do, for a reader who has names of their own for arguments."""
        return Hint("", self._parts[2]).text(naming) or None

    def renamed(self, **names: str) -> Self:
        """Return the error with the names that a caller's arguments have: as in ``renamed(counts="cm")``."""
        self._tell(*(tuple(_renamed(x, names) for x in part) for part in self._parts))
        self.argument = names.get(self.argument or "", self.argument)
        self.args = (self.message(),)
        return self

    def advising(self, advice: str, *, instead_of: str) -> Self:
        """Return the error with another advice where its own names an argument that the caller does not have."""
        if instead_of in [name for piece in self._parts[2] for name in _named_in(piece)]:
            self._tell(*self._parts[:2], Phrase(advice).pieces)
            self.args = (self.message(),)
        return self


class InputError(_TemplateError, ValueError):
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


class MissingPackageError(_TemplateError, ImportError):
    """A package that is needed and not installed; the advice says how to install it."""


class UnknownName(InputError):  # noqa: N818 - a name that says what happened
    """An unknown name of a measure, a property, a system or a column."""

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
    """An unknown name that was looked up in brackets, as in a dictionary."""

    __str__ = Exception.__str__  # a KeyError would show its message in quotes

    @classmethod
    def of(cls, error: UnknownName) -> GoodmeasureError:
        """Return an unknown name that was looked up in brackets as an unknown key."""
        return _restored(cls, error.args, error.__dict__)


class UndefinedMeasure(_TemplateError, ArithmeticError):  # noqa: N818 - a name of the contract
    """A measure has no value on these counts, and ``undefined="raise"`` asked for an error."""

    measure: str | None
    """The name of the measure; None where a matrix, and no measure, is undefined."""
    reasons: tuple[str, ...]
    """Why it has no value: a sentence for each term that is 0/0."""

    def __init__(
        self, problem: str, /, *, measure: str | None = None, reasons: Sequence[str] = (), argument: str | None = None,
        got: object = None, expected: str | Phrase = "", advice: str | Phrase = "", **values: object,
    ) -> None:  # fmt: skip
        self.measure = measure
        self.reasons = tuple(reasons)
        known = {"measure": measure, "reasons": "; ".join(self.reasons), **values}
        super().__init__(problem, argument=argument, got=got, expected=expected, advice=advice, **known)


class Undecided(_TemplateError, ArithmeticError):  # noqa: N818 - as above
    """Two exact values agree to so many digits that ball arithmetic could not tell them apart."""

    what: str | None
    """What could not be decided: a number that may be zero, or a measure that cannot be followed along a ray."""

    def __init__(
        self, problem: str, /, *, what: str | None = None, argument: str | None = None, got: object = None,
        expected: str | Phrase = "", advice: str | Phrase = "", **values: object,
    ) -> None:  # fmt: skip
        self.what = what
        known = {"what": what, **values}
        super().__init__(problem, argument=argument, got=got, expected=expected, advice=advice, **known)


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


class UnmetRequirement(Protocol):
    """What an error says about a requirement: what was required of which value, and what was found instead."""

    @property
    def requirement(self) -> str: ...
    @property
    def measure(self) -> str: ...
    @property
    def system(self) -> str | None: ...
    @property
    def slice(self) -> str | None: ...
    @property
    def label(self) -> str | None: ...
    @property
    def value(self) -> float: ...
    @property
    def low(self) -> float: ...
    @property
    def high(self) -> float: ...
    @property
    def found(self) -> str: ...
    @property
    def line(self) -> str: ...


class CheckedRequirements(Protocol):
    """The outcomes of all requirements, met or not."""

    @property
    def outcomes(self) -> Sequence[UnmetRequirement]: ...
    @property
    def unmet(self) -> Sequence[UnmetRequirement]: ...
    def __len__(self) -> int: ...


class RequirementNotMet(_TemplateError, AssertionError):  # noqa: N818 - a name of the contract
    """A result does not meet what was required of it; there is a line for each requirement that is not met."""

    gate: CheckedRequirements
    """The outcomes of all requirements."""
    outcomes: tuple[UnmetRequirement, ...]
    """The outcomes of the requirements that are not met, with the values that were found."""
    lines: tuple[str, ...]
    """The same in words."""

    def __init__(self, gate: CheckedRequirements) -> None:
        self.gate = gate
        self.outcomes = tuple(gate.unmet)
        self.lines = tuple(x.line for x in self.outcomes)
        many = len(self.lines)
        super().__init__(
            "{count} not met:{lines}",
            argument="requirements",
            got=tuple(x.value for x in self.outcomes),
            count="1 requirement is" if many == 1 else f"{many} requirements are",
            lines="".join(f"\n  {line}" for line in self.lines),
        )
        self.expected = "; ".join(x.requirement for x in self.outcomes)


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
for _kind in (
    *(GoodmeasureError, InputError, InputTypeError, InputOSError, MissingPackageError, UnknownName, UnknownKey),
    *(MissingFileError, DirectoryError, NoDirectoryError, FilePermissionError, UndefinedMeasure, Undecided),
    *(CertificateError, RequirementNotMet, UnverifiedProof),
):
    _kind.__module__ = "goodmeasure"
