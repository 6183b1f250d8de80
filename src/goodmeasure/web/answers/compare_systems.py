"""Compare systems: what an uploaded file holds, which system is better, and the report."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypedDict

import numpy as np

from goodmeasure.catalogue.display_names import display_name, opening_names
from goodmeasure.catalogue.measure import as_measure
from goodmeasure.comparison.compare import compare
from goodmeasure.comparison.comparison import Comparison
from goodmeasure.comparison.disagreement import CONSISTENT, Flip, disagreement
from goodmeasure.counts.counting import NothingLeft
from goodmeasure.counts.matrix import ConfusionMatrix
from goodmeasure.counts.readers.files.compression import PIECE, BrokenFileError, compression_of, opened, said_broken
from goodmeasure.counts.readers.files.containers import tables_in
from goodmeasure.counts.readers.files.label_files import header
from goodmeasure.counts.readers.files.locations import located
from goodmeasure.counts.readers.files.matrix_files import read_matrix_file
from goodmeasure.counts.readers.files.private_engine import PrivateEngine
from goodmeasure.evaluation import significance
from goodmeasure.evaluation.column_names import guess, guess_scores
from goodmeasure.evaluation.evaluate import evaluate
from goodmeasure.evaluation.positive_class import sentence as sentence_about_positive
from goodmeasure.evaluation.provenance import BY_SIZE, Provenance, written
from goodmeasure.evaluation.result import Result
from goodmeasure.evaluation.scores.score_columns import read_files, swept_columns
from goodmeasure.evaluation.significance import Claim
from goodmeasure.evaluation.warnings.general import words_as_classes
from goodmeasure.exceptions import GoodmeasureError, InputError
from goodmeasure.keywords import options_of
from goodmeasure.options import EvaluateOptions
from goodmeasure.report.content.comparison_words import note_lines, rank_lines, summary_lines
from goodmeasure.report.numbers import many
from goodmeasure.typing import ArrayLike, ReadJson
from goodmeasure.web import limits
from goodmeasure.web.answers.examples import swept
from goodmeasure.web.answers.page_data import PageData, label_text, matrix_data
from goodmeasure.web.fields import too_many_classes
from goodmeasure.web.replies import sentence

MOST_SYSTEMS = 20
MATRIX_BYTES = 2_000_000  # a file that is larger holds predictions
SMALL_BYTES = 5_000_000  # so small a file can be read once for each column
UNPACKED_BYTES = 400_000_000
MEMORY = "1GB"  # for the engine that reads files
NO_OPTIONS: Mapping[str, ArrayLike] = {}
_FLIPS = 12


@dataclass(frozen=True)
class NamedColumns:
    """Which columns of a file are meant; what is not named is guessed."""

    true: str | None = None
    systems: tuple[str, ...] = ()
    scores: tuple[str, ...] = ()
    positive: str | None = None
    table: str | None = None  # the sheet of a workbook, or the table of a database

    @classmethod
    def of(cls, data: Mapping[str, ReadJson]) -> NamedColumns:
        """Return the columns that a request names."""
        if len(data["pred"]) > MOST_SYSTEMS:
            raise InputError(
                "{pred} names {size} columns", size=len(data["pred"]), most=MOST_SYSTEMS, expected="at most {most}"
            )
        return cls(data["true"], tuple(data["pred"]), tuple(data["score"]), data["positive"], data.get("table"))

    @property
    def are_named(self) -> bool:
        return bool(self.true or self.systems or self.scores)


class _Found(TypedDict, total=False):
    """What a file of predictions holds."""

    kind: str
    tables: list[str]
    table: str | None
    columns: list[str]
    true: str | None
    systems: list[str]
    likely: list[str]
    offered: list[str]
    scores: list[str]
    positive: str | None
    n: int | None
    matrices: dict[str, PageData]
    sweeps: dict[str, PageData]
    notes: list[str]
    problem: str | None


def look(path: Path, columns: NamedColumns) -> PageData:
    """Return what a file holds: a confusion matrix, or predictions of systems and scores, in one of its tables."""
    place = located(path)
    tables = [] if place.table is not None else _tables(Path(place.path))
    matrix = None if columns.are_named or tables else _as_matrix(Path(place.path))
    if matrix is not None:
        return {"kind": "matrix", "matrix": matrix_data(_shown(matrix))}
    if len(tables) > 1 and columns.table is None:  # the page asks whether another one is meant
        columns = replace(columns, table=tables[0])
    path = _table_of(path, columns)
    _must_unpack_to_little(path)
    names = list(header(path))
    found: _Found = {
        "kind": "predictions", "tables": tables, "table": columns.table, "columns": names,
        "true": columns.true, "systems": [], "likely": _likely(names, columns), "offered": [],
        "scores": [], "positive": columns.positive, "n": None, "matrices": {}, "sweeps": {}, "notes": [],
        "problem": None,
    }  # fmt: skip
    true, systems = _roles(path, names, columns)
    if true is None:
        found["problem"] = "Which column holds the true labels?"
    elif not systems:
        found |= {"true": true, "problem": "Which columns hold the predicted labels?"}
    else:
        found |= _readable(path, replace(columns, true=true, systems=systems[:MOST_SYSTEMS]))
        found["offered"] = _offered(path, names, true, systems)
    return {**found, **_swept(path, names, columns, found)}


def _tables(path: Path) -> list[str]:
    """Return the sheets or tables of a file."""
    engine = PrivateEngine(MEMORY)
    try:
        return tables_in(path, engine)
    finally:
        engine.close()


def _table_of(path: Path, columns: NamedColumns) -> Path:
    """Return the path of the table that is meant."""
    return path if columns.table is None else Path(f"{path}::{columns.table}")


def _roles(path: Path, names: list[str], columns: NamedColumns) -> tuple[str | None, tuple[str, ...]]:
    """Return the columns of the true and the predicted labels, by their names, and else by their labels."""
    try:
        return guess(names, columns.true, columns.systems)
    except InputError:
        pass
    try:
        true, _ = guess(names, columns.true, ["unknown"])
    except InputError:
        return None, ()
    others = [x for x in names if x != true][:MOST_SYSTEMS]
    return true, tuple(x for x in others if _holds_labels_of(path, true, x))


def _offered(path: Path, names: list[str], true: str, systems: tuple[str, ...]) -> list[str]:
    """Return the columns that may hold predictions: ids, ages, regions and weights have other values than the labels.

    In a large file only the columns that were recognised are offered, as each of the others would have to be read.
    """
    others = [x for x in names if x not in (true, *systems)][:MOST_SYSTEMS] if _size(path) < SMALL_BYTES else []
    also = {x for x in others if _holds_labels_of(path, true, x)}
    return [x for x in names if x in systems or x in also]


def _size(path: Path) -> int:
    """Return how many bytes a file has, or all files of a folder."""
    place = Path(located(path).path)
    return sum(x.stat().st_size for x in place.rglob("*")) if place.is_dir() else place.stat().st_size


def _likely(names: list[str], columns: NamedColumns) -> list[str]:
    """Return the columns that most likely hold predicted labels, by their names, whatever holds the true ones."""
    try:
        return list(guess(names, columns.true or "", columns.systems)[1])
    except InputError:
        return []


def _holds_labels_of(path: Path, true: str, column: str) -> bool:
    """Return whether most labels in a column occur among the true labels."""
    try:
        result = evaluate(path, y_true=true, y_pred=[column], measures=["accuracy"], classwise=False, confidence=None,
                          memory_limit=MEMORY, missing="drop")  # fmt: skip
    except (ValueError, TypeError):  # numbers and text cannot be labels of the same classes
        return False
    matrix = result.parts[0].matrix
    known = float(matrix.b[matrix.a > 0].sum())
    return bool(matrix.m <= limits.MOST_CLASSES and 2 * known > float(matrix.n))


def _must_unpack_to_little(path: Path) -> None:
    """Refuse a compressed file that unpacks to more than can be read in the time that there is."""
    path = Path(located(path).path)
    if path.is_dir():
        return
    with path.open("rb") as stream:
        compression = compression_of(stream.read(8))
    if compression == "none":
        return
    size = 0
    try:
        with said_broken(), opened(path, compression) as stream:
            while piece := stream.read(PIECE):
                size += len(piece)
                if size > UNPACKED_BYTES:
                    raise InputError(
                        "the file unpacks to more than {most:,} million bytes", most=UNPACKED_BYTES // 10**6,
                        advice="use goodmeasure compare on the command line",
                    )  # fmt: skip
    except BrokenFileError as error:
        raise InputError("the file is damaged or cut off: {error}", error=error) from None
    except ImportError:  # zstd, which the engine reads within its memory limit
        return


def _as_matrix(path: Path) -> ConfusionMatrix | None:
    """Return the confusion matrix in a small file; None where it holds something else."""
    if path.is_dir():
        return None
    with path.open("rb") as stream:
        start = stream.read(8)
    if path.stat().st_size > MATRIX_BYTES or compression_of(start) != "none":
        return None
    try:
        found = read_matrix_file(path)
    except (ValueError, TypeError):
        return None
    return None if found.batch else found


def _shown(matrix: ConfusionMatrix) -> ConfusionMatrix:
    """Return a matrix that a page can show; refuse one with too many classes."""
    if matrix.m > limits.MOST_CLASSES:
        raise too_many_classes(matrix.m)
    return matrix


def _readable(path: Path, columns: NamedColumns) -> _Found:
    """Return the confusion matrix of each system whose column can be read; the others are left out, with a note.

    One bad column must not keep the rest of a file from being seen. Where no column is left, the problem is returned
    instead of raised, so that the page can ask for other columns.
    """
    try:
        return _counted(path, columns)
    except (ValueError, TypeError) as error:
        together = error
    notes, kept = [], list[str]()
    for name in columns.systems:
        try:
            _counted(path, replace(columns, systems=(name,)))
        except NothingLeft:
            notes.append(f"{name} is left out: no item has both a true label and a label in this column.")
        except (ValueError, TypeError) as error:
            notes.append(f"{name} is left out: {_in_short(error)}.")
        else:
            kept.append(name)
    if not kept:
        several = len(columns.systems) > 1
        problem = "None of these columns can be read." if several else f"{sentence(str(together))}."
        return {"true": columns.true, "problem": problem, "notes": notes if several else []}
    if not notes:  # each can be read, but not all together
        kept = kept[:1]
        said = together.message({"y_pred": "the file"}.get) if isinstance(together, GoodmeasureError) else together
        notes.append(f"Only {kept[0]} is shown: {said}.")
    found = _counted(path, replace(columns, systems=tuple(kept)))
    return {**found, "notes": [*notes, *found["notes"]]}


def _in_short(error: Exception) -> str:
    """Return what is wrong with columns, without advice about arguments, which the page does not have."""
    said = error.problem if isinstance(error, GoodmeasureError) else None
    return said or str(error)


def _counted(path: Path, columns: NamedColumns) -> _Found:
    """Return the confusion matrix of each system."""
    result = evaluate(
        path, y_true=columns.true, y_pred=list(columns.systems), positive=columns.positive, measures=["accuracy"],
        classwise=False, confidence=None, memory_limit=MEMORY, missing="drop",
    )  # fmt: skip
    matrices = {name: matrix_data(_shown(_positive_last(result, name))) for name in result.systems}
    positive = None if columns.positive is None else label_text(result.source.positive)
    left_out = _left_out(result.counted.dropped, len(result.systems))
    return {
        "true": columns.true, "systems": list(columns.systems), "positive": positive,
        "n": result.counted.rows, "matrices": matrices,
        "notes": [*_chosen(result.source), *result.source.notes, *left_out, *_missing_words(result)],
    }  # fmt: skip


def _missing_words(result: Result) -> list[str]:
    """Return the sentence about classes that are called like missing labels, if there are any."""
    labels = dict.fromkeys(x for name in result.systems for x in result.part(name).matrix.labels)
    said = words_as_classes(labels)
    return [f"{said}: if missing labels are meant, leave these fields empty in the file."] if said else []


def _chosen(source: Provenance) -> list[str]:
    """Return the sentence about a positive class that nobody chose, if there is one."""
    said = sentence_about_positive(source.positive, source.positive_by, "the choice above")
    return [f"{said[:1].upper()}{said[1:]}."] if said else []


def _left_out(dropped: Mapping[str, int], columns: int, what: str = "a label") -> list[str]:
    """Return sentences about the items that lack something, of which each column leaves out a number of its own."""
    dropped = {column: number for column, number in dropped.items() if number}
    alike = len(set(dropped.values())) == 1 and len(dropped) == columns
    said = {"": next(iter(dropped.values()))} if alike else {f" for {x}": n for x, n in dropped.items()}
    return [
        f"{many(n, 'item')} without {what} {'is' if n == 1 else 'are'} left out{whose}." for whose, n in said.items()
    ]


def _positive_last(result: Result, system: str) -> ConfusionMatrix:
    """Return the matrix of a system with all classes, of which a positive one is the last."""
    matrix = next(x.matrix for (name, where), x in result.counted.samples.items() if name == system and where is None)
    positive = result.source.positive
    if positive is None or matrix.m != 2:
        return matrix
    order = [*(x for x in matrix.labels if x != positive), positive]
    places = [matrix.labels.index(x) for x in order]
    return ConfusionMatrix(matrix.counts[np.ix_(places, places)], order)


def _swept(path: Path, names: list[str], columns: NamedColumns, found: _Found) -> _Found:
    """Return the counts at every threshold of each column of scores, if there are two classes."""
    try:
        true, scores = guess_scores(names, found["true"], columns.scores)
    except InputError:
        return {}
    scores = tuple(x for x in scores if x not in found["systems"])[:MOST_SYSTEMS]
    if not scores:
        return {}
    try:
        read = read_files((str(path),), true, scores, None, ())
        sweep = swept_columns(read, None, None, columns.positive, "drop", ["accuracy"])
    except (ValueError, TypeError) as error:
        return {"notes": [*found["notes"], f"The scores are not used: {_in_short(error)}."]}
    classes = list(dict.fromkeys(label_text(x) for x in read.values[true] if x is not None))
    chosen = [] if found["matrices"] else _chosen(sweep.source)
    positive, is_chosen = label_text(sweep.positive), sweep.source.positive_by not in BY_SIZE
    labels = [next((x for x in classes if x != positive), "other"), positive]
    groups = dict(zip(scores, sweep.groups, strict=True))
    sweeps = {name: swept(sweep, group, labels) for name, group in groups.items()}
    rows = len(read.values[true])
    dropped = {name: rows - round(float(sweep.matrices(group)[0].sum())) for name, group in groups.items()}
    notes = _left_out(dropped, len(scores) + len(found["systems"]), "a label or a score")
    return {
        "true": true, "scores": list(scores), "sweeps": sweeps, "positive": positive if is_chosen else None,
        "problem": None, "n": rows, "notes": [*chosen, *found["notes"], *notes],
    }  # fmt: skip


def compared(
    path: Path, columns: NamedColumns, measures: list[str] | None, options: Mapping[str, ArrayLike] = NO_OPTIONS
) -> PageData:
    """Return which system is better: the verdict, winners, differences, and where measures disagree."""
    found = _comparison(path, columns, measures, options)
    return {
        "systems": list(found.systems),
        "n": found.items,
        "labels": [label_text(x) for x in found.labels],
        "verdict": summary_lines(found),
        "ranking": rank_lines(found),
        "measures": list(found.measures),
        "short": {f.name: display_name(f) for f in found.settings.measures},
        "scores": [_only(row, "system", "measure", "value", "low", "high", "rank") for row in found.scores],
        "winners": {name: list(x) for name, x in found.winners.items()},
        "best": {name: list(x) for name, x in found.leaders.items()},
        "differences": [
            {**_only(row, "measure", "a", "b", "difference", "low", "high", "p", "p_corrected", "method"),
             "significant": significance.is_significant(Claim(found.settings.confidence, row["p_family"]))}
            for row in found.differences
        ],
        "flips": _flips(found),
        "matrices": {name: matrix_data(_shown(x)) for name, x in found.matrices.items()},
        "notes": [*_chosen(found.source), *note_lines(found)],
        **_to_copy(found, options),
    }  # fmt: skip


def _comparison(
    path: Path, columns: NamedColumns, measures: list[str] | None, options: Mapping[str, ArrayLike]
) -> Comparison:
    path = _table_of(path, columns)
    _must_unpack_to_little(path)
    try:
        found = compare(
            path, y_true=columns.true, y_pred=list(columns.systems) or None, positive=columns.positive,
            measures=measures, memory_limit=MEMORY, missing="drop", **options,
        )  # fmt: skip
    except NothingLeft:
        raise InputError(
            "no item has a true label and a label of every system", argument="pred",
            advice="leave out a system that has few labels or none",
        ) from None  # fmt: skip
    if found.of_averages:
        raise InputError(
            "the items of this file have several labels each, which this page does not compare",
            advice="use goodmeasure compare on the command line",
        )
    return found


def _only(row: Mapping[str, object], *names: str) -> PageData:
    return {name: row[name] for name in names}


def _flips(found: Comparison) -> list[PageData]:
    """Return pairs of systems that two measures put in opposite order, the clearest of each pair of systems first."""
    if len(found.systems) < 2 or len(found.labels) > limits.MOST_CLASSES:
        return []
    every = disagreement(list(found.settings.measures), found.matrices, ties=CONSISTENT).flips
    by_pair: dict[object, list[Flip]] = {}
    for flip in every:
        by_pair.setdefault(flip.systems, []).append(flip)
    shown: list[Flip] = []
    for flips in by_pair.values():
        shown += sorted(flips, key=_clearness, reverse=True)[: max(1, _FLIPS // len(by_pair))]
    return [_flip(x) for x in shown[:_FLIPS]]


def _clearness(flip: Flip) -> float:
    """Return how clearly both measures prefer their system."""
    return min(abs(x - y) for x, y in flip.values)


def _flip(x: Flip) -> PageData:
    names = opening_names([as_measure(name) for name in x.measures])
    said = [f"{name} prefers {best}" for name, best in zip(names, x.preferred, strict=True)]
    why = x.why
    values = {name: dict(zip(x.systems, pair, strict=True)) for name, pair in zip(x.measures, x.values, strict=True)}
    return {
        "pair": list(x.systems),
        "measures": list(x.measures),
        "preferred": list(x.preferred),
        "values": values,
        "text": f"{', '.join(said)}.",
        "why": f"{why[:1].upper()}{why[1:]}",
    }


def _to_copy(found: Comparison, options: Mapping[str, object]) -> PageData:
    call = found.source.python(written(found.settings.measures), options, "compare")
    command = found.source.command(found.measures, options, "compare")
    return {"python": f"import goodmeasure as gm\n\ncompared = {call}", "command": command}


def report(
    path: Path, columns: NamedColumns, measures: list[str] | None, ending: str, target: Path,
    options: Mapping[str, ArrayLike] = NO_OPTIONS,
) -> None:  # fmt: skip
    """Write the report on a file: the evaluation of its systems, with their comparison if there are several."""
    _must_unpack_to_little(path)
    result = evaluate(
        _table_of(path, columns), y_true=columns.true, y_pred=list(columns.systems) or None, positive=columns.positive,
        measures=measures, memory_limit=MEMORY, missing="drop",
        **{name: x for name, x in options.items() if name in options_of(EvaluateOptions)},
    )  # fmt: skip
    if any(part.matrix.m > limits.MOST_CLASSES for part in result.parts):
        raise too_many_classes(max(part.matrix.m for part in result.parts))
    result.save(str(target.with_suffix(f".{ending}")))
