"""Columns of labels and scores from files, as lists, and the sweep over them."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple


class Columns(NamedTuple):
    """The columns by name, which of them are what, and the files that they come from."""

    values: dict[str, list[Any]]
    true: str
    scores: tuple[str, ...]
    files: tuple[str, ...]

    def label(self, text: str | None) -> Any:
        """The class that an option names: in the files it may be a number."""
        return None if text is None else next((x for x in self.values[self.true] if str(x) == text), text)


def read_files(
    files: tuple[str, ...], true: str | None, scores: tuple[str, ...], weight: str | None, keys: tuple[str, ...]
) -> Columns:
    """Open files, and read their columns."""
    from goodmeasure.counts.files import open_files

    named = [x for x in (true, *scores, weight, *keys) if x is not None]
    with open_files([x if x == "-" else Path(x) for x in files], columns=named) as opened:
        return read_columns(opened, true, scores, weight, keys)


def read_columns(
    opened: Any, true: str | None, scores: tuple[str, ...], weight: str | None, keys: tuple[str, ...]
) -> Columns:
    """The columns of true labels, scores and weights, and those named by `keys`; what is obvious is guessed."""
    from goodmeasure.evaluation.header import guess_scores

    true, scores = guess_scores([x for x in opened.header if x not in (weight, *keys)], true, scores)
    numbers = [*scores, *([weight] if weight is not None else [])]
    return Columns(_arrays(opened, [true, *keys], numbers), true, scores, opened.paths)


def _arrays(opened: Any, keys: list[str], numbers: list[str]) -> dict[str, list[Any]]:
    """The columns of files as lists, with None where a value is missing."""
    import duckdb

    from goodmeasure.counts import duck

    frame = opened.frame(keys, numbers)
    if not duck.is_relation(frame):
        import narwhals.stable.v2 as nw

        found = nw.from_native(frame).lazy().collect()
        return {name: found[name].to_list() for name in found.columns}
    try:
        return {name: column.tolist() for name, column in frame.fetchnumpy().items()}
    except duckdb.Error as error:
        raise opened._said(error, numbers, role="column") from None


def swept_columns(
    columns: Columns, weight: str | None, by: str | None, positive: str | None, missing: str, measures: Any
) -> Any:
    """The sweep over the scores."""
    from goodmeasure.evaluation.source import FILES, Source
    from goodmeasure.evaluation.sweep import sweep as swept

    given = {name: columns.values[name] for name in columns.scores}
    found = swept(
        columns.values[columns.true], given[columns.scores[0]] if len(given) == 1 else given, measures=measures,
        positive=columns.label(positive), missing=missing,
        sample_weight=None if weight is None else columns.values[weight],
        by=None if by is None else columns.values[by],
    )  # fmt: skip
    found.source = Source(
        FILES, columns.files, columns.true, weight=weight, by=() if by is None else (by,), missing=missing,
        positive=columns.label(positive), scores=columns.scores,
    )  # fmt: skip
    return found
