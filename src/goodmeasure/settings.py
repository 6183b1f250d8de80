"""Settings of a project: columns, positive class, measures and requirements, written once for every command and test.

They stand in `goodmeasure.toml`, or under `[tool.goodmeasure]` in `pyproject.toml`, in the current folder.
"""

from __future__ import annotations

import difflib
import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from goodmeasure import options
from goodmeasure.exceptions import InputError
from goodmeasure.keywords import Option, only, options_of

KINDS = (
    options.EvaluateCommandOptions, options.CompareCommandOptions, options.SweepCommandOptions,
    options.DriftCommandOptions, options.PlanCommandOptions,
)  # fmt: skip
FILES = ("goodmeasure.toml", "pyproject.toml")


@dataclass(frozen=True)
class ProjectSettings:
    """What a file says: options by their names in Python, and requirements; `file` is empty where there is none.

    >>> settings = ProjectSettings(options={"positive": "spam"}, require=("mcc >= 0.5",))
    >>> import goodmeasure as gm
    >>> result = gm.evaluate(["ham", "spam"] * 20, ["ham", "spam"] * 20, **settings.options)
    >>> result.require(*settings.require)
    met: mcc >= 0.5: it is 1.000 (95% confidence interval 0.793 to 1.000)
    """

    file: str = ""
    options: Mapping[str, object] = field(default_factory=dict)
    require: tuple[str, ...] = ()
    confident: bool = False
    baseline: str | None = None

    def of(self, kind: type) -> dict[str, object]:
        """Return the options that a function takes, such as those of `CompareOptions`."""
        return dict(only(self.options, kind))

    def typed(self) -> dict[str, object]:
        """Return everything as it is typed on the command line, by the names of its parameters."""
        known = options_of(*KINDS)
        texts = {name: _typed(known[name], value) for name, value in self.options.items()}
        given = {"requirements": self.require, "confident": self.confident, "baseline": self.baseline}
        return {**texts, **{name: value for name, value in given.items() if value}}


def read_settings(folder: str | os.PathLike[str] = ".") -> ProjectSettings:
    """Return the settings in a folder; none where no file has any."""
    for name in FILES:
        path = Path(folder) / name
        if not path.is_file():
            continue
        try:
            found = tomllib.loads(path.read_text(encoding="utf-8"))
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            if name == "pyproject.toml":
                continue  # it is not ours
            said = {"path": str(path), "error": error}
            raise InputError("{path} cannot be read: {error}", argument="path", advice="write TOML", **said) from None
        if name == "pyproject.toml":
            found = found.get("tool", {}).get("goodmeasure")
        if found is not None:
            return _settings(name, found)
    return ProjectSettings()


def _settings(file: str, found: Mapping[str, object]) -> ProjectSettings:
    known = options_of(*KINDS)
    own = ("require", "confident", "baseline")
    for name in found:
        if name not in known and name not in own:
            near = difflib.get_close_matches(name, [*known, *own], n=1)
            raise InputError(
                "{name!r} in {file} is not a setting", argument="name", name=name, file=file,
                near=near[0] if near else "y_true", advice="settings are options such as {near!r}, and require",
            )  # fmt: skip
    require = found.get("require", [])
    lines = [require] if isinstance(require, str) else require
    if not isinstance(lines, list) or not all(isinstance(x, str) for x in lines):
        raise InputError("{require} is {got!r}", got=require, expected='a list such as ["mcc >= 0.8"]')
    chosen = {name: known[name].checked(_value(value)) for name, value in found.items() if name in known}
    baseline = found.get("baseline")
    against = None if baseline is None else str(baseline)
    return ProjectSettings(file, chosen, tuple(lines), bool(found.get("confident")), against)


def _value(value: object) -> object:
    return tuple(value) if isinstance(value, list) else value


def _typed(option: Option, value: object) -> object:
    if option.kind is bool:
        return value
    listed = [str(x) for x in value] if isinstance(value, tuple) else [] if value is None else [str(value)]
    return listed if option.many else ",".join(listed) or None
