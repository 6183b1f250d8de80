"""Options that functions and commands share, each declared once: name, default, check and help."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from goodmeasure.exceptions import InputTypeError


@dataclass(frozen=True)
class Option:
    """An option of public functions and of commands; what users type, read and are told about it follows from this."""

    name: str  # the argument in Python
    default: object
    help: str  # a noun phrase, as the command line and the documentation print it
    functions: tuple[str, ...] = ()  # the public functions that take it
    commands: tuple[str, ...] = ()  # the commands that take it
    flag: str | None = None  # on the command line, if it is not --name
    metavar: str | None = None  # what stands for the value in the help; None: a switch
    many: bool = False  # whether the command line takes it several times
    check: Callable[[object], object] | None = None  # returns the value to use, or refuses it

    def checked(self, value: object) -> object:
        """Return the value to use; refuse one that is not understood."""
        return value if self.check is None else self.check(value)

    @property
    def typed(self) -> str:
        """Return what is typed on the command line."""
        return self.flag or f"--{self.name.replace('_', '-')}"


OPTIONS: dict[str, Option] = {}


def declare(option: Option) -> Option:
    """Enter an option in the list of all options, and return it."""
    OPTIONS[option.name] = option
    return option


def _spellings(value: object) -> object:
    """Return spellings as a tuple, None for the known ones; on the command line, the word none names no spelling."""
    if value is None:
        return None
    if isinstance(value, str):
        return (value,)
    if isinstance(value, Iterable):
        listed = tuple(value)
        if all(isinstance(x, str) for x in listed):
            return listed
    raise InputTypeError(
        "{na_values} is {got!r}", got=value, expected="a list of texts, such as ['NA', '?'], or [] for none"
    )


def typed_spellings(value: Sequence[str]) -> tuple[str, ...] | None:
    """Return the spellings that --na names: the known ones without it, and none with the word none."""
    return None if not value else () if tuple(value) == ("none",) else tuple(value)


NA_VALUES = declare(Option(
    "na_values", None, "Text that stands for a missing label in text files and sheets, or none; repeatable. By default "
    "NA, NULL, NaN and the like, and among numbers also ? and -.",
    functions=("evaluate", "compare", "sweep", "plan"), commands=("evaluate", "compare", "sweep", "drift"), flag="--na",
    metavar="TEXT", many=True, check=_spellings,
))  # fmt: skip
TABLE = declare(Option(
    "table", None, "Sheet of the workbook, or table of the database, that FILE is.",
    functions=("evaluate", "compare", "sweep", "plan"), commands=("evaluate", "compare", "sweep", "drift"),
    metavar="NAME",
))  # fmt: skip
NO_REPORT = declare(Option("no_report", False, "No report, unless --out names one.", commands=("evaluate", "compare")))
declare(
    Option(
        "tests", True, "No paired tests of the differences between systems.", ("evaluate",), ("evaluate",),
        flag="--no-tests",
    )
)  # fmt: skip
declare(Option("full", False, "Everything on the screen, not only the short form.", (), ("evaluate", "compare")))
