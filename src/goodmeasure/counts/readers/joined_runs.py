"""Runs in data frames of their own, joined by the id of their items, and the errors about joins of any kind."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import ModuleType
from typing import NamedTuple, NoReturn

from goodmeasure.counts.readers import engines
from goodmeasure.counts.readers.columns import NoRows, check_columns
from goodmeasure.counts.readers.nested import with_paths
from goodmeasure.counts.text_labels import number_of
from goodmeasure.exceptions import InputError, InputTypeError, Phrase
from goodmeasure.typing import Frame

EXAMPLES = 3


class Absent(NamedTuple):
    """How many items of other runs a run does not have, of how many in all, and some of their ids."""

    run: str
    number: int
    items: int
    examples: tuple[object, ...]

    def __str__(self) -> str:
        return f"{self.run!r} lacks {self.number:,} of {self.items:,} items ({_listed(self.examples, self.number)})"


def _listed(examples: Sequence[object], number: int) -> str:
    said = ", ".join(map(repr, examples))
    return said if number <= len(examples) else f"such as {said}"


def check_ids(run: str, id: str, lacking: int, rows: int) -> None:
    """Refuse rows without an id."""
    if lacking:
        raise InputError(
            "the run {run!r} has no {id!r} in {lacking:,} of {rows:,} rows",
            argument="id",
            run=run,
            id=id,
            lacking=lacking,
            rows=rows,
            advice="every row needs the id of its item, so leave those rows out, or give each an id",
        )


def refuse_types(id: str, kinds: Mapping[str, tuple[str, str]]) -> None:
    """Refuse ids that are numbers in one run and text in another; `kinds` has the kind and the type in each run."""
    (first, (kind, shown)), *others = kinds.items()
    for name, (other, said) in others:
        if other != kind:
            raise InputTypeError(
                "{id!r} is {shown} in the run {first!r} and {said} in {name!r}",
                argument="id",
                id=id,
                shown=shown,
                said=said,
                first=first,
                name=name,
                advice="write the ids as one type, or no item of one run is found in the other",
            )


def refuse_duplicates(run: str, id: str, number: int, rows: int, found: Sequence[tuple[object, int]]) -> NoReturn:
    """Raise the error about ids that occur more than once in a run."""
    said = ", ".join(f"{value!r} {times:,} times" for value, times in found)
    raise InputError(
        "in the run {run!r}, {number:,} {values} of {id!r} {occur} more than once in {rows:,} rows ({said})",
        argument="id",
        run=run,
        id=id,
        number=number,
        values="value" if number == 1 else "values",
        occur="occurs" if number == 1 else "occur",
        rows=rows,
        said=said,
        advice="an id must stand for one item, so name another column, or keep one row of each item; answers to one "
        "item are given as outcomes, with {y_correct:=}",
    )


def differing(pairs: Sequence[tuple[object, ...]], *, untyped: bool) -> list[tuple[object, ...]]:
    """Return the pairs of values that are not the same label; in text, 1 and 1.0 are."""
    return [pair for pair in pairs if not (untyped and _is_same(pair[0], pair[1]))]


def _is_same(one: object, other: object) -> bool:
    if one is None or other is None:
        return one is other
    numbers = [number_of(str(x).strip('"')) for x in (one, other)]
    return str(one).strip('"') == str(other).strip('"') if None in numbers else numbers[0] == numbers[1]


def refuse_different(column: str, runs: tuple[str, str], number: int, found: Sequence[tuple[object, ...]]) -> NoReturn:
    """Raise the error about items whose true label differs between runs; `found` has ids and both labels."""
    said = ", ".join(f"{id!r}: {one!r} and {other!r}" for id, one, other in found)
    raise InputError(
        "{column!r} differs between the runs {one!r} and {other!r} for {number:,} {items} ({said})",
        column=column,
        one=runs[0],
        other=runs[1],
        number=number,
        items="item" if number == 1 else "items",
        said=said,
        advice="both runs must be about the same items, so check that {id:=} and {column!r} mean the same in both",
    )


def refuse_absent(absent: Sequence[Absent]) -> NoReturn:
    """Raise the error about items that are not in every run."""
    raise InputError(
        "the runs do not have the same items: {said}",
        said=" and ".join(map(str, absent)),
        advice=Phrase(
            "leave such items out with {missing:=drop}, or count a missing answer as a class with {missing:=class}"
        ),
    )


def join_frames(
    frames: Mapping[str, object], id: str, own: Mapping[str, str], shared: Sequence[str], missing: str
) -> tuple[Frame, list[Absent]]:
    """Return data frames of one engine joined by an id, with a column for each run, and the items that runs lack.

    `own` names the column of each run; `shared` are columns such as the true labels, which must be the same in all runs
    that have them.

    >>> import polars
    >>> a = polars.DataFrame({"item": [1, 2], "label": ["x", "y"], "answer": ["x", "x"]})
    >>> b = polars.DataFrame({"item": [2, 1], "label": ["y", "x"], "answer": ["y", "x"]})
    >>> found, _ = join_frames({"A": a, "B": b}, "item", {"A": "answer", "B": "answer"}, ["label"], "error")
    >>> found.sort("label").rows()
    [('x', 'x', 'x'), ('y', 'x', 'y')]
    """
    from goodmeasure.packages import nw

    names = list(frames)
    opened = {
        name: with_paths(engines.opened(frame), [id, own[name], *shared], f"the run {name!r}")
        for name, frame in frames.items()
    }
    headers = {name: table.collect_schema().names() for name, table in opened.items()}
    for name in names:
        check_columns([id, own[name]], headers[name], f"the run {name!r}")
    for column in shared:
        if not any(column in header for header in headers.values()):
            check_columns([column], headers[names[0]], f"the run {names[0]!r}")
    refuse_types(id, {name: _kind(table.collect_schema()[id]) for name, table in opened.items()})
    having = {j: [k for k, name in enumerate(names) if column in headers[name]] for j, column in enumerate(shared)}
    parts = []
    for k, name in enumerate(names):
        text = [nw.col(id).cast(nw.String)] if _kind(opened[name].collect_schema()[id])[0] == "text" else [nw.col(id)]
        columns = [nw.col(own[name]).alias(f"p{k}"), nw.lit(True).alias(f"x{k}")]
        columns += [nw.col(shared[j]).alias(f"s{j}_{k}") for j in having if k in having[j]]
        part = opened[name].select(text[0].alias("id"), *columns)
        _check_run(part, name, id)
        parts.append(part)
    absent = _absent(parts, names)
    if absent and missing == "error":
        refuse_absent(absent)
    joined = parts[0]
    for k, part in enumerate(parts[1:], 1):
        joined = _joined(joined, part, full=bool(absent))
        for j, where in having.items():
            if k in where and k != where[0]:
                _check_same(joined, shared[j], f"s{j}_{where[0]}", f"s{j}_{k}", (names[where[0]], names[k]))
    every = {j: [f"s{j}_{k}" for k in (where if absent else where[:1])] for j, where in having.items()}
    chosen = [_first(nw, places).alias(shared[j]) for j, places in every.items()]
    found = joined.select(*chosen, *(nw.col(f"p{k}").alias(name) for k, name in enumerate(names)))
    return found.to_native(), absent


def _joined(one: Frame, other: Frame, full: bool) -> Frame:
    """Return two runs joined by their ids; a full join keeps items that only one of them has."""
    from goodmeasure.packages import nw

    if not full:
        return one.join(other, on="id", how="inner")
    joined = one.join(other, on="id", how="full", suffix="_other")
    known = nw.when(~nw.col("id").is_null()).then(nw.col("id")).otherwise(nw.col("id_other"))
    return joined.with_columns(known.alias("id")).drop("id_other")


def _first(nw: ModuleType, columns: Sequence[str]) -> Frame:
    """Return the first value that is not missing."""
    found = nw.col(columns[-1])
    for name in reversed(columns[:-1]):
        found = nw.when(~nw.col(name).is_null()).then(nw.col(name)).otherwise(found)
    return found


def _kind(dtype: Frame) -> tuple[str, str]:
    """Return the kind of a type, number or text or its own name, and the type."""
    from goodmeasure.packages import nw

    is_text = dtype in (nw.String, nw.Categorical, nw.Enum, nw.Object)
    return "number" if dtype.is_numeric() else "text" if is_text else str(dtype), str(dtype)


def _home(table: Frame) -> Frame:
    return table.collect() if hasattr(table, "collect") else table


def _size(table: Frame) -> int:
    from goodmeasure.packages import nw

    return int(_home(table.select(nw.len())).item())


def _check_run(part: Frame, name: str, id: str) -> None:
    """Refuse a run without rows, without ids, or with ids that occur twice."""
    from goodmeasure.packages import nw

    rows = _size(part)
    if rows == 0:
        raise NoRows(f"the run {name!r}")
    missing = nw.col("id").is_null()
    if part.collect_schema()["id"].is_float():
        missing = missing | nw.col("id").is_nan()
    check_ids(name, id, _size(part.filter(missing)), rows)
    twice = part.group_by("id").agg(nw.len().alias("n")).filter(nw.col("n") > 1)
    found = _home(twice)
    if len(found):
        each = sorted(zip(found["id"].to_list(), found["n"].to_list(), strict=True), key=lambda x: (-x[1], str(x[0])))
        refuse_duplicates(name, id, len(found), rows, [(value, int(times)) for value, times in each[:EXAMPLES]])


def _absent(parts: Sequence[Frame], names: Sequence[str]) -> list[Absent]:
    """Return the items that each run lacks, compared with all items of all runs."""
    from goodmeasure.packages import nw

    ids = [part.select("id") for part in parts]
    sizes = [_size(x) for x in ids]
    common = ids[0]
    for other in ids[1:]:
        common = common.join(other, on="id", how="inner")
    shared = _size(common)
    if all(size == shared for size in sizes):
        return []
    every = nw.concat(ids).unique(subset=["id"])
    total = _size(every)
    if not shared:
        raise InputError(
            "no item is in all runs: no value of {id:=} is in every one of {names}",
            names=", ".join(map(repr, names)),
            advice="check that the ids of all runs are written in the same way",
        )
    found = []
    for name, mine, size in zip(names, ids, sizes, strict=True):
        if size < total:
            lacking = _home(every.join(mine, on="id", how="anti"))["id"].to_list()
            found.append(Absent(name, total - size, total, tuple(sorted(lacking, key=_order)[:EXAMPLES])))
    return found


def _order(value: object) -> tuple[bool, Frame]:
    return isinstance(value, str), value


def _check_same(joined: Frame, column: str, one: str, other: str, runs: tuple[str, str]) -> None:
    """Refuse items for which two runs have different values in a column that should be the same."""
    from goodmeasure.packages import nw

    present = [f"x{column.partition('_')[2]}" for column in (one, other)]
    both = joined.filter(*(~nw.col(x).is_null() for x in present))
    unknown = nw.col(one).is_null() != nw.col(other).is_null()
    schema = joined.collect_schema()
    kinds = [_kind(schema[x]) for x in (one, other)]
    if kinds[0][0] != kinds[1][0]:
        raise InputTypeError(
            "{column!r} is {first} in the run {one!r} and {second} in {other!r}", column=column, first=kinds[0][1],
            second=kinds[1][1], one=runs[0], other=runs[1], advice="write it as one type",
        )  # fmt: skip
    a, b = (nw.col(x).cast(nw.String) if kinds[0][0] == "text" else nw.col(x) for x in (one, other))
    bad = _home(both.filter((a != b) | unknown).select("id", one, other))
    if len(bad):
        rows = list(zip(*(bad[x].to_list() for x in ("id", one, other)), strict=True))
        refuse_different(column, runs, len(rows), sorted(rows, key=lambda x: _order(x[0]))[:EXAMPLES])
