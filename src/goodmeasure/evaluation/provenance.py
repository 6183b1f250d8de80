"""Where the counts of a result come from, and the line that makes it again."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from goodmeasure.catalogue.measure import Measure

ARRAYS, FRAME, FILES, MATRIX = "labels", "data frame", "files", "matrix"
MATRICES = "matrices by threshold"
SYSTEM, LABEL = "system", "label"


class Variable:
    """A name of Python's, written as it is."""

    def __init__(self, name: str) -> None:
        self.name = name if name.isidentifier() else "your_own"

    def __repr__(self) -> str:
        return self.name


def written(measures: Sequence[Measure]) -> tuple[Any, ...]:
    """Measures by name; a user's own by that of the function, which nobody else knows."""
    return tuple(Variable(f.name) if f._is_users_own() else f.name for f in measures)


@dataclass(frozen=True)
class Source:
    """What was counted: labels, a data frame, files or a matrix, and which columns as what."""

    kind: str
    files: tuple[str, ...] = ()
    true: str | None = None
    systems: tuple[str, ...] = ()
    weight: str | None = None
    by: tuple[str, ...] = ()
    groups: str | None = None
    labels: tuple[Any, ...] | None = None
    positive: Any = None
    missing: str = "error"
    guessed: bool = False  # whether the columns were found by their names
    beside: tuple[str, ...] = ()  # which arguments came as arrays beside labels: sample_weight, by, groups
    scores: tuple[str, ...] = ()  # columns of scores that were swept
    threshold: float | None = None  # that made labels of them
    unit: str = SYSTEM  # what each matrix belongs to: a system, or a label of multilabel data
    reading: str | None = None  # as what the labels of a text file are read
    pool: bool = False  # whether the user said that the files are parts of one data set
    parts: int = 0  # how many files were read as one data set, where there are several

    def command(self, measures: tuple[str, ...], options: dict[str, Any], verb: str = "evaluate") -> str | None:
        """The command line that makes the result again; None where the data is not in files, or labels are no text."""
        chosen = [x for x in (*(self.labels or ()), self.positive) if x is not None]
        in_files = self.kind in (FILES, MATRIX) or self.threshold is not None
        if not in_files or not self.files or any(_is_split(str(x)) for x in chosen):
            return None
        files = [f"./{x}" if x.startswith("-") and x != "-" else x for x in self.files]
        words = ["goodmeasure", verb]
        words += ["--matrix", *files] if self.kind == MATRIX else files
        words += ["--pool"] if self.pool else []
        for flag, value in (("--true", self.true), ("--weight", self.weight), ("--group", self.groups)):
            words += [] if value is None else [flag, value]
        if self.kind == FILES:
            words += [word for name in self.systems for word in ("--pred", name)]
        words += [word for name in self.scores for word in ("--score", name)]
        words += [] if self.threshold is None else ["--threshold", f"{self.threshold:g}"]
        words += [word for name in self.by for word in ("--by", name)]
        words += [] if self.labels is None else ["--labels", ",".join(map(str, self.labels))]
        words += [] if self.positive is None else ["--positive", str(self.positive)]
        words += [] if self.missing == "error" else ["--missing", self.missing]
        words += ["--measures", ",".join(measures)] if measures else []
        words += [word for name, value in options.items() for word in (f"--{name}", str(value))]
        return shlex.join(words)

    def python(self, measures: tuple[Any, ...], options: dict[str, Any], verb: str = "evaluate") -> str:
        """The call that makes the result again."""
        given: dict[str, Any] = {}
        if self.kind in (FILES, FRAME):
            given = {"y_true": self.true, "y_pred": _one_or_all(self.systems)}
            given |= {"pool": self.pool or None} | {
                "sample_weight": self.weight,
                "by": _one_or_all(self.by),
                "groups": self.groups,
            }
        given["labels"] = None if self.labels is None else [_plain(x) for x in self.labels]
        first = {FILES: repr(_one_or_all(self.files)), FRAME: "frame", MATRIX: "cm", ARRAYS: "y_true, y_pred"}[
            self.kind
        ]
        return self._call(verb, first, given, {"measures": list(measures), **options})

    def python_of_sweep(self, measures: tuple[Any, ...], options: dict[str, Any]) -> str:
        """The call that makes a sweep again, which takes no files but the columns in them."""
        columns = {"sample_weight": self.weight, "by": _one_or_all(self.by)}
        given = {name: None if column is None else Variable(name) for name, column in columns.items()}
        first = "matrices=matrices" if self.kind == MATRICES else "y_true, y_score"
        return self._call("sweep", first, given, {"measures": list(measures), **options})

    def _call(self, verb: str, first: str, given: dict[str, Any], options: dict[str, Any]) -> str:
        """A call with what was given, as far as it was, and with all options."""
        given = {
            **given,
            "positive": _plain(self.positive),
            "missing": None if self.missing == "error" else self.missing,
        }
        given |= {name: Variable(name) for name in self.beside}  # as a call cannot hold them
        said = {name: value for name, value in given.items() if value is not None}
        words = [first, *(f"{name}={value!r}" for name, value in {**said, **options}.items())]
        return f"gm.{verb}({', '.join(words)})"


def _is_split(label: str) -> bool:
    """Whether the command line would take a label apart, or take blanks off it."""
    return not label or "," in label or label != label.strip() or label.startswith("-")


def _plain(label: Any) -> Any:
    """A label of NumPy's as Python writes it."""
    return label.item() if hasattr(label, "item") else label


def _one_or_all(names: tuple[str, ...]) -> Any:
    return None if not names else names[0] if len(names) == 1 else list(names)
