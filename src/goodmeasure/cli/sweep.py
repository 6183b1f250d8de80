"""`goodmeasure sweep FILE…`: measures at every threshold, and the best threshold of each."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from goodmeasure.cli.options import split_names
from goodmeasure.cli.printing import print_json, print_table


@click.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option("--true", "true", metavar="COLUMN", help="The column of the true labels.")
@click.option("--score", "scores", multiple=True, metavar="COLUMN", help="A column of scores; repeatable.")
@click.option("--weight", metavar="COLUMN", help="The column of weights.")
@click.option("--by", metavar="COLUMN", help="Sweep each group on its own.")
@click.option("--positive", metavar="LABEL", help="The positive class; with more than two, it against the rest.")
@click.option("--missing", type=click.Choice(["error", "drop"]), default="error", show_default=True,
              help="What to do with items without a score.")  # fmt: skip
@click.option("--measures", multiple=True, help="Names, or sets: recommended, papers, all; repeatable, or with commas.")
@click.option("--confidence", type=click.FloatRange(0, 1, min_open=True, max_open=True), default=0.95,
              show_default=True, help="Of the intervals.")  # fmt: skip
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Of the draws.")
@click.option("--points", type=click.IntRange(min=4), default=200, show_default=True,
              help="How many points of each curve --json gives at most.")  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Print best thresholds and curves as JSON.")
def sweep(
    files: tuple[str, ...], true: str | None, scores: tuple[str, ...], weight: str | None, by: str | None,
    positive: str | None, missing: str, measures: tuple[str, ...], confidence: float, seed: int, points: int,
    as_json: bool,
) -> None:  # fmt: skip
    """Measure the scores in FILE… at every threshold: an item is positive if its score is at least that."""
    columns, true, scores = _columns(files, true, scores, weight, by)
    found = _swept(columns, true, scores, weight, by, positive, missing, split_names(measures))
    best = [
        found.best(f, group, confidence=confidence, seed=seed)
        for group in found.groups for f in found.measures
        if f.orientation != "neither" and _any_value(found, f, group)
    ]  # fmt: skip
    if as_json:
        print_json({"positive": found.positive, "best": [_row(x) for x in best], "curves": _curves(found, points)})
        return
    named = found.groups != (None,)
    rows = [
        [*([_group(x.group)] if named else []), x.measure, f"{x.threshold:.6g}", f"{x.low:.4g} to {x.high:.4g}",
         f"{x.value:.4f}", f"{x.value_low:.4f} to {x.value_high:.4f}" if x.value_low is not None else ""]
        for x in best
    ]  # fmt: skip
    head = [*(["group"] if named else []), "measure", "best threshold", "interval", "value there", "interval"]
    print_table(head, rows)
    many = ", ".join(f"{len(found.curve(found.measures[0], group=g).thresholds):,}" for g in found.groups)
    click.echo(
        f"{many} thresholds; positive: {found.positive}. A score of at least the threshold is a positive prediction."
    )


def _columns(
    files: tuple[str, ...], true: str | None, scores: tuple[str, ...], weight: str | None, by: str | None
) -> tuple[dict[str, Any], str, tuple[str, ...]]:
    from goodmeasure.counts.files import open_files
    from goodmeasure.evaluation.header import guess_scores

    named = [x for x in (true, *scores, weight, by) if x is not None]
    paths: list[Any] = ["-" if x == "-" else Path(x) for x in files]
    with open_files(paths, memory_limit=None, columns=named) as opened:
        true, scores = guess_scores([x for x in opened.header if x not in (weight, by)], true, scores)
        keys = [true, *([by] if by is not None else [])]
        numbers = [*scores, *([weight] if weight is not None else [])]
        return _arrays(opened, keys, numbers), true, scores


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
        said = opened._said(error, numbers)
        raise type(said)(str(said).replace("weight column", "column")) from None


def _swept(
    columns: dict[str, Any], true: str, scores: tuple[str, ...], weight: str | None, by: str | None, positive: Any,
    missing: str, measures: list[str] | None,
) -> Any:  # fmt: skip
    from goodmeasure.evaluation.sweep import sweep as swept

    labels = columns[true]
    if positive is not None:
        positive = next((x for x in labels if str(x) == positive), positive)
    given = {name: columns[name] for name in scores}
    return swept(
        labels, given[scores[0]] if len(scores) == 1 else given, measures=measures, positive=positive, missing=missing,
        sample_weight=None if weight is None else columns[weight],
        by=None if by is None else columns[by],
    )  # fmt: skip


def _any_value(found: Any, f: Any, group: Any) -> bool:
    return any(x == x for x in found.values(f, group))


def _group(group: Any) -> str:
    return ", ".join(map(str, group)) if isinstance(group, tuple) else str(group)


def _row(best: Any) -> dict[str, Any]:
    return {
        "group": None if best.group is None else _group(best.group), "measure": best.measure,
        "threshold": _finite(best.threshold), "low": _finite(best.low), "high": _finite(best.high),
        "value": _finite(best.value),
        "value_low": _finite(best.value_low), "value_high": _finite(best.value_high),
        "counts": best.matrix.counts.tolist(),
    }  # fmt: skip


def _curves(found: Any, points: int) -> list[dict[str, Any]]:
    curves = []
    for group in found.groups:
        for f in found.measures:
            curve = found.curve(f, group=group, points=points)
            curves.append({
                "group": None if group is None else _group(group), "measure": f.name,
                "thresholds": [_finite(x) for x in curve.thresholds.tolist()],
                "values": [_finite(x) for x in curve.values.tolist()],
            })  # fmt: skip
    return curves


def _finite(x: float | None) -> float | str | None:
    """JSON has no NaN and no infinities."""
    if x is None or x != x:
        return None
    return x if abs(x) != float("inf") else str(x)
