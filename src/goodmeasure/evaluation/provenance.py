"""Where the counts of a result come from, and the command or call that reproduces it."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from goodmeasure.catalogue.measure import Measure
from goodmeasure.keywords import options_of
from goodmeasure.options import CompareCommandOptions, EvaluateCommandOptions, typed_scores
from goodmeasure.typing import Label

if TYPE_CHECKING:
    from goodmeasure.catalogue.scores.measure import ScoreMeasure

ARRAYS, FRAME, FILES, MATRIX = "labels", "data frame", "files", "matrix"
MATRICES = "matrices by threshold"
SYSTEM, LABEL = "system", "label"
GIVEN, RARER, TIED = "given", "rarer", "tied"
BY_SIZE = (RARER, TIED)  # the positive class was chosen by how frequent the classes are


class Variable:
    """A Python name whose repr is the name itself, so that it can stand for a value in generated code."""

    def __init__(self, name: str) -> None:
        self.name = name if name.isidentifier() else "your_own"

    def __repr__(self) -> str:
        return self.name


def written(measures: Sequence[Measure | ScoreMeasure]) -> tuple[str | Variable, ...]:
    """Return the measures as one types them in Python: by name, or by the variable that holds a user's own function."""
    return tuple(Variable(f.name) if f.is_users_own() else f.name for f in measures)


@dataclass(frozen=True)
class Provenance:
    """What was counted: labels, a data frame, files or a matrix, and the role of each column."""

    kind: str
    files: tuple[str, ...] = ()
    true: str | None = None
    systems: tuple[str, ...] = ()
    weight: str | None = None
    by: tuple[str, ...] = ()
    groups: str | None = None
    labels: tuple[Label, ...] | None = None
    positive: Label = None
    positive_by: str = GIVEN  # where there is a positive class: whether it was given, or how it was chosen
    missing: str = "error"
    guessed: bool = False  # whether columns were guessed from their names
    beside: tuple[str, ...] = ()  # arguments that came as arrays along with labels: sample_weight, by, groups
    scores: tuple[str, ...] = ()  # columns of scores that were swept
    threshold: float | None = None  # from which score on an item was predicted positive
    of_scores: bool = False  # whether predicted labels were made of scores
    of_outcomes: bool = False  # whether there are outcomes instead of labels
    facts: tuple[tuple[str, str], ...] = ()  # about the outcomes: how many answers items have, what letters stand for
    repeat: str | None = None  # the column that says which answer of an item a row is
    unit: str = SYSTEM  # what each matrix belongs to: a system, or a label of multilabel data
    reading: str | None = None  # how the labels of a text file were read: as text, numbers …
    pool: bool = False  # whether the user said that the files are parts of one data set
    parts: int = 0  # how many files were read as one data set, where there are several
    count: str | None = None  # the column with the number of items in each row
    id: str | None = None  # the column by which runs are joined
    runs: tuple[tuple[str, str | None, str], ...] = ()  # of each run: the system, its file if it is one, its column
    preset: str = ""  # the kind of log that was read
    format: str | None = None  # the preset that was named
    na_values: tuple[str, ...] | None = None  # the spellings of missing labels that were named
    judge: str | None = None  # the column of a judge's labels, and below how items were drawn for human labels
    strata: str | None = None
    sampling: str | None = None
    notes: tuple[str, ...] = ()  # what a reader must know about how the data were read

    def command(self, measures: tuple[str, ...], options: Mapping[str, object], verb: str = "evaluate") -> str | None:
        """Return the command that reproduces the result.

        It is None where the data are not in files, or where a label cannot be typed on a command line.
        """
        positive = None if self.positive_by != GIVEN and _is_split(str(self.positive)) else self.positive
        chosen = [x for x in (*(self.labels or ()), positive) if x is not None]
        in_files = self.kind in (FILES, MATRIX) or self.of_scores
        if not in_files or not self.files or any(_is_split(str(x)) for x in chosen):
            return None
        files = [f"./{x}" if x.startswith("-") and x != "-" else x for x in self.files]
        words = ["goodmeasure", verb]
        words += ["--matrix", *files] if self.kind == MATRIX else files
        labelled = self.systems if self.kind == FILES and not self.of_scores else ()
        predicted, scores = (labelled, self.scores) if not self.runs else (self._run_columns(), ())
        if self.runs and self.of_scores:
            predicted, scores = scores, predicted
        values: dict[str, object] = {
            "pool": self.pool, "id": self.id, "y_true": self.true, "sample_weight": self.weight, "groups": self.groups,
            "count": self.count, "format": self.format, "y_judge": self.judge, "strata": self.strata,
            "sampling": self.sampling, "y_pred": () if self.of_outcomes else predicted, "by": self.by,
            "y_correct" if self.of_outcomes else "y_score": scores, "repeat": self.repeat,
            "threshold": None if self.threshold is None else f"{self.threshold:g}",
            "labels": None if self.labels is None else ",".join(map(str, self.labels)),
            "positive": positive, "missing": None if self.missing == "error" else self.missing,
            "na_values": None if self.na_values is None else self.na_values or ("none",),
            "measures": ",".join(measures) or None,
        }  # fmt: skip
        known = options_of(EvaluateCommandOptions, CompareCommandOptions)
        words += [word for name, value in {**values, **options}.items() for word in known[name].words(value)]
        return shlex.join(words)

    def python(self, measures: tuple[object, ...], options: Mapping[str, object], verb: str = "evaluate") -> str:
        """Return the Python call that reproduces the result."""
        given: dict[str, object] = {}
        if self.kind in (FILES, FRAME):
            what = "y_correct" if self.of_outcomes else "y_score" if self.of_scores else "y_pred"
            columns = _score_columns(self.scores) if self.of_scores else _one_or_all(self.systems)
            given = {"id": self.id, "repeat": self.repeat, "y_true": self.true}
            given[what] = self._of_runs() if self.runs else columns
            given |= {"pool": self.pool or None} | {
                "sample_weight": self.weight,
                "by": _one_or_all(self.by),
                "groups": self.groups,
                "count": self.count,
                "format": self.format,
                "y_judge": self.judge,
                "strata": self.strata,
                "sampling": self.sampling,
            }
        given["labels"] = None if self.labels is None else [_plain(x) for x in self.labels]
        arrays = "y_true, y_score=y_score" if self.of_scores else "y_true, y_pred"
        arrays = "y_correct=y_correct" if self.of_outcomes else arrays
        first = {FILES: repr(_one_or_all(self.files)), FRAME: "frame", MATRIX: "cm", ARRAYS: arrays}[self.kind]
        if self.runs:
            first = self._listed_runs()
        given["threshold"] = self.threshold
        return self._call(verb, first, given, {"measures": list(measures), **options})

    def _run_columns(self) -> tuple[str, ...]:
        """Return the columns of the runs as they are typed: once where all are called the same."""
        columns = tuple(dict.fromkeys(column for *_, column in self.runs))
        return columns if len(columns) == 1 else tuple(f"{name}={column}" for name, _, column in self.runs)

    def _of_runs(self) -> object:
        """Return the column of each run, or the one that all have."""
        columns = {name: column for name, _, column in self.runs}
        return self.runs[0][2] if len(set(columns.values())) == 1 else columns

    def _listed_runs(self) -> str:
        """Return the files of the runs as a dict, or a variable where some are data frames."""
        paths = {name: path for name, path, _ in self.runs}
        return "runs" if None in paths.values() else repr(paths)

    def python_of_sweep(self, measures: tuple[object, ...], options: dict[str, object]) -> str:
        """Return the Python call that reproduces a sweep."""
        columns = {"sample_weight": self.weight, "by": _one_or_all(self.by), "groups": self.groups, "count": self.count}
        if self.kind in (FILES, FRAME):
            first = "frame" if self.kind == FRAME else repr(_one_or_all(self.files))
            scores = self._of_runs() if self.runs else _score_columns(self.scores)
            if self.runs:
                first = self._listed_runs()
            given = {"id": self.id, "y_true": self.true, "y_score": scores, **columns, "pool": self.pool or None,
                     "format": self.format}  # fmt: skip
            return self._call("sweep", first, given, {"measures": list(measures), **options})
        given = {name: None if column is None else Variable(name) for name, column in columns.items()}
        first = "matrices=matrices" if self.kind == MATRICES else "y_true, y_score"
        return self._call("sweep", first, given, {"measures": list(measures), **options})

    def _call(self, verb: str, first: str, given: dict[str, object], options: dict[str, object]) -> str:
        """Return a Python call with every argument that was given, and with all options."""
        given = {
            **given,
            "positive": _plain(self.positive),
            "missing": None if self.missing == "error" else self.missing,
            "na_values": None if self.na_values is None else list(self.na_values),
        }
        given |= {name: Variable(name) for name in self.beside}  # arrays are too large to be written into a call
        said = {name: value for name, value in given.items() if value is not None}
        words = [first, *(f"{name}={value!r}" for name, value in {**said, **options}.items())]
        return f"gm.{verb}({', '.join(words)})"


def _is_split(label: str) -> bool:
    """Return whether the command line would split a label at commas, strip its spaces or take it for an option."""
    return not label or "," in label or label != label.strip() or label.startswith("-")


def _plain(label: Label) -> Label:
    """Return a NumPy scalar as the Python value, whose repr is shorter."""
    return label.item() if hasattr(label, "item") else label


def _score_columns(scores: tuple[str, ...]) -> object:
    """Return columns of scores as they are typed in Python; "A=p,q" stands for the columns p and q of system A."""
    if not any("=" in text for text in scores):
        return _one_or_all(scores)
    named = typed_scores("y_score", scores) or {}
    return {name: name if columns == (name,) else list(columns) for name, columns in named.items()}


def _one_or_all(names: tuple[str, ...]) -> object:
    return None if not names else names[0] if len(names) == 1 else list(names)
