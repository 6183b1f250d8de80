"""Options that functions and commands share, each declared once: name, default, check and help."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


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

    @property
    def typed(self) -> str:
        """Return what is typed on the command line."""
        return self.flag or f"--{self.name.replace('_', '-')}"


OPTIONS: dict[str, Option] = {}


def declare(option: Option) -> Option:
    """Enter an option in the list of all options, and return it."""
    OPTIONS[option.name] = option
    return option


declare(
    Option(
        "tests", True, "No paired tests of the differences between systems.", ("evaluate",), ("evaluate",),
        flag="--no-tests",
    )
)  # fmt: skip
declare(Option("full", False, "Everything on the screen, not only the short form.", (), ("evaluate", "compare")))
