"""Runs in files of their own, joined by the id of their items inside DuckDB, and counted as one table.

The join, its checks and the counting are one query: a full outer join whose rows are counted by their labels and by the
runs that have the item. Only these counts are kept, so that runs may be larger than memory.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import NamedTuple

from goodmeasure.counts.readers.columns import NoRows, check_columns
from goodmeasure.counts.readers.duckdb_engine import is_duckdb_error, is_relation, json_value, quoted
from goodmeasure.counts.readers.files.label_files import OpenFiles
from goodmeasure.counts.readers.files.private_engine import PrivateEngine
from goodmeasure.counts.readers.files.queries import kind_of
from goodmeasure.counts.readers.files.reading_errors import ClosedAfterReading, is_about
from goodmeasure.counts.readers.frames import count_frame
from goodmeasure.counts.readers.joined_runs import (
    EXAMPLES,
    Absent,
    check_ids,
    differing,
    refuse_absent,
    refuse_different,
    refuse_duplicates,
    refuse_types,
)
from goodmeasure.counts.sample import Counted
from goodmeasure.counts.text_labels import TextRule
from goodmeasure.exceptions import InputError
from goodmeasure.typing import EngineType, Frame, Label, LabelsLike

_ITEMS = "items of a pattern"
_PATTERNS = "joined_patterns"


class TableRun(NamedTuple):
    """A run that is in memory as an Arrow table; it is read like open files."""

    arrow: Frame

    @property
    def header(self) -> tuple[str, ...]:
        """The names of the columns."""
        return tuple(self.arrow.column_names)

    @property
    def untyped(self) -> TextRule | None:
        """The rule by which the type of labels is inferred from how they look; those of an Arrow table have types."""
        return None

    def frame(self, columns: Sequence[str], numbers: Sequence[str] = ()) -> Frame:
        """Return some columns."""
        return self.arrow.select(list(dict.fromkeys([*columns, *numbers])))


class OpenRuns(ClosedAfterReading):
    """The files and tables of each run, with one DuckDB for all of them until they are closed."""

    def __init__(
        self, runs: Mapping[str, object], *, memory_limit: str | None = None, columns: Sequence[str] = (),
        format: str | None = None, table: str | None = None, na_values: Sequence[str] | None = None,
    ) -> None:  # fmt: skip
        """Open the runs: each is a list of paths, the parts of one run, or an Arrow table."""
        self.engine = PrivateEngine(memory_limit)
        self.runs: dict[str, OpenFiles | TableRun] = {}
        try:
            for name, run in runs.items():
                if not isinstance(run, (list, tuple)):
                    self.runs[name] = TableRun(run)
                    continue
                self.runs[name] = OpenFiles(
                    run, memory_limit=memory_limit, columns=columns, pool=True, engine=self.engine, format=format,
                    table=table, na_values=na_values,
                )  # fmt: skip
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Close the engine and remove all temporary files."""
        self.engine.close()


class JoinedFiles:
    """Runs joined by an id, as one table with a column of each system and the columns that all share."""

    pool, parts = False, 0

    def __init__(self, opened: OpenRuns, id: str | None, own: Mapping[str, str], missing: str) -> None:
        """Set up the join; `own` names the column of each run that holds the system's labels or scores."""
        self.engine = opened.engine
        self.runs, self.own, self.missing = opened.runs, dict(own), missing
        self.id = id
        self.absent: list[Absent] = []
        self.roles, self.format = None, None
        files = [x for x in self.runs.values() if isinstance(x, OpenFiles)]
        self.notes = [note for x in files for note in x.notes]
        self.preset = ", ".join(dict.fromkeys(x.preset for x in files if x.preset))
        shared = dict.fromkeys(x for run in self.runs.values() for x in run.header)
        self.header = (*(x for x in shared if x not in self.own), *self.own)
        self.paths = tuple(x for run in self.runs.values() if isinstance(run, OpenFiles) for x in run.paths)

    @property
    def untyped(self) -> TextRule | None:
        """The rule of the runs that are text, by which the type of labels is inferred from how they look."""
        rules = [run.untyped for run in self.runs.values() if run.untyped is not None]
        return next((x for x in rules if x.na is None), rules[0] if rules else None)

    def count(
        self, *, y_true: str, y_pred: Sequence[str], sample_weight: str | None = None, by: Sequence[str] = (),
        groups: str | None = None, labels: LabelsLike | None = None, missing: str = "error", count: str | None = None,
        always_jointly: bool = False, beside: Sequence[str] = (),
    ) -> Counted:  # fmt: skip
        """Return the counts of the joined runs, as `count_frame` does."""
        assert count is None
        common = [x for x in y_pred if x not in self.own]  # a judge's labels are the same in all runs
        keys = [y_true, *common, *by, *beside, *([groups] if groups is not None else [])]
        numbers = [] if sample_weight is None else [sample_weight]
        with self._in_our_words(numbers):
            # Where an item that the first run lacks is refused, its true label need not be looked for in other runs,
            # which saves a tenth of the join.
            joined = _Join(self, keys, numbers, of_first=(y_true,) if self.missing == "error" else ())
            return count_frame(
                joined.counted(), y_true=y_true, y_pred=list(y_pred), sample_weight=sample_weight, by=list(by),
                groups=groups, labels=labels, missing=missing, untyped=self.untyped, count=_ITEMS,
                always_jointly=always_jointly, beside=beside,
            )  # fmt: skip

    def frame(self, columns: Sequence[str], numbers: Sequence[str] = ()) -> Frame:
        """Return columns of the joined runs, a row for each item."""
        shared = [x for x in columns if x not in self.own]
        own = [x for x in numbers if x in self.own]
        with self._in_our_words(numbers):
            joined = _Join(self, shared, [x for x in numbers if x not in self.own], own_numbers=bool(own))
            joined.counted()  # which checks the join
            return joined.items()

    def check_rows(self, rows: int, numbers: Sequence[str] = ()) -> None:
        """Do nothing: the rows of each run were compared with its records when the runs were joined."""

    def example(self, column: str) -> Label:
        """Return one of a column's labels; None if there is none."""
        for run in self.runs.values():
            if isinstance(run, OpenFiles) and column in run.header:
                return run.example(column)
            if isinstance(run, TableRun) and column in run.header:
                return next((x.as_py() for x in run.arrow[column] if x.is_valid), None)
        return None

    @contextmanager
    def _in_our_words(self, numbers: Sequence[str]) -> Iterator[None]:
        """Report DuckDB's errors inside the block in one line, and name the runs that have no rows."""
        try:
            yield
        except NoRows:
            raise NoRows(" and ".join(self.paths)) from None
        except Exception as error:
            if not is_duckdb_error(error):
                raise
            raise self.in_one_line(error, numbers) from None

    def in_one_line(self, error: Exception, numbers: Sequence[str], role: str = "weight column") -> Exception:
        """Return an error of DuckDB's as an error in our words, about the file that it names."""
        files = [run for run in self.runs.values() if isinstance(run, OpenFiles)]
        named = [x for x in files if is_about(error, x.sources)]
        return (named or files)[0].in_one_line(error, numbers, role) if files else error


class _Join:
    """One join: its views in the engine, and what was found out about them."""

    def __init__(
        self, joined: JoinedFiles, shared: Sequence[str], numbers: Sequence[str], own_numbers: bool = False,
        of_first: Sequence[str] = (),
    ) -> None:  # fmt: skip
        """Set up the views; the columns `of_first` are taken from the first run that has them."""
        self.of_first = set(of_first)
        self.joined, self.names = joined, list(joined.runs)
        self.shared = list(dict.fromkeys([*shared, *numbers]))
        self.engine = joined.engine.connection()
        self.types: list[dict[str, EngineType]] = []
        self.read: list[tuple[OpenFiles | TableRun, list[str]]] = []  # each run, and its columns of numbers
        for k, (name, run) in enumerate(joined.runs.items()):
            self.types.append(self._viewed(k, name, run, set(numbers), own_numbers))
        for column in self.shared:
            if not any(column in types for types in self.types):
                first = next(iter(joined.runs.values()))
                check_columns([column], first.header, f"the run {self.names[0]!r}")
        self._keyed()

    def _viewed(self, k: int, name: str, run: OpenFiles | TableRun, numbers: set[str], own_numbers: bool) -> Frame:
        """Make a view of the columns of one run; return their types."""
        id, own = self.joined.id, self.joined.own[name]
        present = (
            [x for x in self.shared if run.has(x)]
            if isinstance(run, OpenFiles)
            else [x for x in self.shared if x in run.header]
        )
        keys = [*([] if id is None else [id]), *(x for x in present if x not in numbers)]
        of_numbers = [x for x in present if x in numbers]
        (of_numbers if own_numbers else keys).append(own)
        if isinstance(run, TableRun):
            check_columns([*keys, *of_numbers], run.header, f"the run {name!r}")
        self.read.append((run, [x for x in of_numbers if x not in keys]))
        found = run.frame(keys, self.read[-1][1])
        if not is_relation(found):
            found = self.engine.from_arrow(found.collect().to_arrow() if hasattr(found, "collect") else found)
        names = found.columns
        found = found.project(", ".join(f"#{place} AS c{place}" for place in range(1, len(names) + 1)))
        if isinstance(run, OpenFiles) and run.untyped is not None and len(self.joined.runs) > 1:
            # Text is parsed once: the join needs the number of rows beforehand, which only a typed file knows.
            found.create_view(f"text{k}", replace=True)
            self.engine.execute(f"CREATE OR REPLACE TEMP TABLE run{k} AS FROM text{k}")
            found = self.engine.table(f"run{k}")
        else:
            found.create_view(f"run{k}", replace=True)
        return dict(zip(names, found.types, strict=True))

    def _at(self, k: int, column: str) -> str:
        """Return how SQL refers to a column of a run: by its place, since DuckDB ignores the case of names."""
        return f"r{k}.c{list(self.types[k]).index(column) + 1}"

    def _keyed(self) -> None:
        """Decide how ids are compared: as text where a run is text, otherwise by their common type."""
        id = self.joined.id
        if id is None:
            self.keys = ["NULL"] * len(self.names)
            return
        kinds = [types[id] for types in self.types]
        if self.joined.untyped is not None:
            self.keys = [_text(self._at(k, id), kind) for k, kind in enumerate(kinds)]
            return
        refuse_types(id, dict(zip(self.names, zip(map(kind_of, kinds), map(str, kinds), strict=True), strict=True)))
        self.keys = [self._at(k, id) for k in range(len(kinds))]

    def counted(self) -> Frame:
        """Return the joined runs as a relation of patterns with how many items have each; refuse a bad join."""
        columns = self._columns()
        limit = ""
        self.rows = [self._number(f"SELECT count(*) FROM run{k}") for k in range(len(self.names))]
        for rows, (run, numbers) in zip(self.rows, self.read, strict=True):
            if isinstance(run, OpenFiles):
                run.check_rows(rows, numbers)
        if len(self.names) > 1:
            # Ids that occur twice in two runs would multiply. More rows than both have show it, and end the query.
            limit = f" LIMIT {sum(self.rows) + 1}"
        inner = ", ".join(f"{expression} AS {alias}" for alias, expression in columns.items())
        self.engine.execute(
            f"CREATE OR REPLACE TEMP TABLE {_PATTERNS} AS SELECT {', '.join(columns)}, count(*) AS n "
            f"FROM (SELECT {inner} FROM {self._joined()}{limit}) GROUP BY ALL"
        )
        self._check()
        return self.engine.sql(f"SELECT {self._named(aliased=True)}, n AS {quoted(_ITEMS)} FROM {_PATTERNS}")

    def items(self) -> Frame:
        """Return the joined runs as a relation with a row for each item."""
        return self.engine.sql(f"SELECT {self._named(aliased=False)} FROM {self._joined()}")

    def _columns(self) -> dict[str, str]:
        """Return the expressions that patterns consist of, by their aliases."""
        columns = {f"p{k}": self._at(k, self.joined.own[name]) for k, name in enumerate(self.names)}
        for j, column in enumerate(
            self.shared
        ):  # its value, and whether runs differ, as fewer texts are grouped faster
            first, *others = having = self._having(column)
            values = ", ".join(self._shared(column, k) for k in having)
            if others and column in self.of_first:
                columns[f"s{j}"] = self._shared(column, first)
            else:
                columns[f"s{j}"] = f"coalesce({values})" if others else values
            for k in others:
                differs = f"{self._shared(column, first)} IS DISTINCT FROM {self._shared(column, k)}"
                columns[f"d{j}_{k}"] = f"{self.keys[first]} IS NOT NULL AND {self.keys[k]} IS NOT NULL AND {differs}"
        return columns | {f"x{k}": f"{self.keys[k]} IS NOT NULL" for k in range(len(self.names))}

    def _having(self, column: str) -> list[int]:
        """Return the runs that have a column."""
        return [k for k, types in enumerate(self.types) if column in types]

    def _shared(self, column: str, k: int) -> str:
        """Return a column of one run; where runs have different types, as text."""
        kinds = [str(types[column]) for types in self.types if column in types]
        place = self._at(k, column)
        return place if len(set(kinds)) == 1 else _text(place, self.types[k][column])

    def _joined(self) -> str:
        parts = ["run0 AS r0"]
        for k in range(1, len(self.names)):
            before = self.keys[0] if k == 1 else f"coalesce({', '.join(self.keys[:k])})"
            parts.append(f"FULL JOIN run{k} AS r{k} ON {before} = {self.keys[k]}")
        return " ".join(parts)

    def _named(self, aliased: bool) -> str:
        """Return the selection of all columns by the names that users know."""
        columns = self._columns()
        place = {alias: alias if aliased else expression for alias, expression in columns.items()}
        said = [f"{place[f's{j}']} AS {quoted(column)}" for j, column in enumerate(self.shared)]
        return ", ".join([*said, *(f"{place[f'p{k}']} AS {quoted(name)}" for k, name in enumerate(self.names))])

    def _check(self) -> None:
        """Refuse runs without ids, with ids that occur twice, with other true labels, or with other items."""
        if self.joined.id is None:
            return
        present = " OR ".join(f"x{k}" for k in range(len(self.names)))
        if self._number(f"SELECT coalesce(sum(n), 0) FROM {_PATTERNS} WHERE NOT ({present})"):
            for k, name in enumerate(self.names):
                lacking = self._number(f"SELECT count(*) FROM run{k} AS r{k} WHERE {self.keys[k]} IS NULL")
                check_ids(name, self.joined.id, lacking, self.rows[k])
        if len(self.names) == 1:
            self._check_duplicates()
            return
        seen = [self._number(f"SELECT coalesce(sum(n), 0) FROM {_PATTERNS} WHERE x{k}") for k in range(len(self.names))]
        if seen != self.rows:
            self._check_duplicates()
        self._check_shared()
        self._check_absent()

    def _check_duplicates(self) -> None:
        assert self.joined.id is not None
        for k, name in enumerate(self.names):
            twice = f"SELECT {self.keys[k]} AS k, count(*) AS n FROM run{k} AS r{k} GROUP BY 1 HAVING count(*) > 1"
            number = self._number(f"SELECT count(*) FROM ({twice})")
            if number:
                found = self.engine.execute(f"{twice} ORDER BY n DESC, k LIMIT {EXAMPLES}").fetchall()
                refuse_duplicates(name, self.joined.id, number, self.rows[k], found)

    def _check_shared(self) -> None:
        """Refuse items whose true label, or another column that all runs share, differs between two runs."""
        for j, column in enumerate(self.shared):
            having = self._having(column)
            for k in having[1:]:
                if not self._number(f"SELECT count(*) FROM {_PATTERNS} WHERE d{j}_{k}"):
                    continue
                pairs = self.engine.execute(
                    f"SELECT {self._shared(column, having[0])}, {self._shared(column, k)}, count(*) "
                    f"FROM {self._joined()} WHERE {self._columns()[f'd{j}_{k}']} GROUP BY ALL"
                ).fetchall()
                bad = differing(pairs, untyped=self.joined.untyped is not None)
                if bad:
                    examples = self._different(column, having[0], k, bad)
                    names = self.names[having[0]], self.names[k]
                    refuse_different(column, names, sum(n for *_, n in bad if isinstance(n, int)), examples)

    def _different(self, column: str, a: int, b: int, bad: list[tuple[object, ...]]) -> list[tuple[object, ...]]:
        one, other = self._shared(column, a), self._shared(column, b)
        found = self.engine.execute(
            f"SELECT {self.keys[a]}, {one}, {other} FROM {self._joined()} WHERE {self.keys[a]} IS NOT NULL "
            f"AND {self.keys[b]} IS NOT NULL AND {one} IS DISTINCT FROM {other} ORDER BY 1 LIMIT 10000"
        ).fetchall()
        wrong = {(x, y) for x, y, _ in bad}
        shown = [row for row in found if (row[1], row[2]) in wrong][:EXAMPLES]
        if {str(self.types[k][column]) for k in (a, b)} != {"JSON"}:
            return shown
        return [(id, *(None if x is None else json_value(x) for x in values)) for id, *values in shown]

    def _check_absent(self) -> None:
        """Note the items that are not in every run; refuse them unless they are to be left out or to be a class."""
        every = " AND ".join(f"x{k}" for k in range(len(self.names)))
        if not self._number(f"SELECT coalesce(sum(n), 0) FROM {_PATTERNS} WHERE NOT ({every})"):
            return
        self._check_duplicates()  # among items of one run, which do not multiply
        absent = []
        total = self._number(f"SELECT sum(n) FROM {_PATTERNS}")
        anyone = f"coalesce({', '.join(self.keys)})"
        for k, name in enumerate(self.names):
            number = self._number(f"SELECT coalesce(sum(n), 0) FROM {_PATTERNS} WHERE NOT x{k}")
            if number:
                found = self.engine.execute(
                    f"SELECT {anyone} FROM {self._joined()} WHERE {self.keys[k]} IS NULL ORDER BY 1 LIMIT {EXAMPLES}"
                ).fetchall()
                absent.append(Absent(name, number, total, tuple(x for (x,) in found)))
        if self.joined.missing == "error" or len(absent) == len(self.names) == 0:
            refuse_absent(absent)
        if self._number(f"SELECT coalesce(sum(n), 0) FROM {_PATTERNS} WHERE {every}") == 0:
            raise InputError(
                "no item is in all runs: no value of {id:=} is in every one of {names}",
                names=", ".join(map(repr, self.names)),
                advice="check that the ids of all runs are written in the same way",
            )
        self.joined.absent = absent

    def _number(self, asked: str) -> int:
        return int(self.engine.execute(asked).fetchall()[0][0])


def _text(place: str, kind: object) -> str:
    """Return a column as text; a JSON string without its quotes."""
    return f"({place} ->> '$')" if str(kind) == "JSON" else f"CAST({place} AS VARCHAR)"
