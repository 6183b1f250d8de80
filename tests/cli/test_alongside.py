"""`goodmeasure evaluate` with several systems or with scores, and `sweep --out`: what their reports show."""

from __future__ import annotations

import inspect
import json
import os
import shlex
import sys
import threading
from contextlib import contextmanager

import numpy as np
import pytest

import goodmeasure as gm
from tests.cli.command import call, call_apart


@pytest.fixture
def table(tmp_path):
    rng = np.random.default_rng(2)
    hit = rng.random(150) < 0.4
    scores = 1 / (1 + np.exp(-rng.normal(size=(2, 150)) - np.array([[2.5], [1.0]]) * hit + 1))
    lines = ["label,p,q,x,one,two,site"]
    for k, y in enumerate(hit):
        p, q = scores[:, k].round(3)
        one, two = ("spam" if s >= 0.5 else "ham" for s in (p, q))
        lines.append(f"{'spam' if y else 'ham'},{p},{q},{10 * p},{one},{two},{'n' if k % 2 else 's'}")
    (tmp_path / "t.csv").write_text("\n".join(lines), encoding="utf-8")
    return tmp_path / "t.csv"


PAIR = ("--true", "label", "--pred", "one", "--pred", "two", "--measures", "mcc,accuracy,recall")


def test_several_systems_are_compared_in_pairs(table, tmp_path):
    done = call("evaluate", table, *PAIR, "--out", tmp_path / "r.html", "--out", tmp_path / "r.json")
    assert done.exit_code == 0, done.output
    assert "significant" in done.output
    data = json.loads((tmp_path / "r.json").read_text())["comparison"]
    found = gm.compare(table, y_true="label", y_pred=["one", "two"], measures=["mcc", "accuracy", "recall"])
    assert data["winners"] == {name: list(x) for name, x in found.winners.items()}
    page = (tmp_path / "r.html").read_text()
    for key in ("ranks-of-systems", "paired-differences", "along-the-share"):
        assert f'<figure id="{key}"' in page
    assert "The measures never disagree about which of two systems is better." in page  # which needs no chart
    assert '<figure id="agreement-of-measures"' not in page


def test_what_is_too_much_to_compare_is_said_and_measured(table, tmp_path, monkeypatch):
    for module in ("evaluation.pairing", "counts.readers.frames"):
        monkeypatch.setattr(f"goodmeasure.{module}.MOST_LABELS", 200)
    done = call("evaluate", table, *PAIR, "--out", tmp_path / "r.json")
    assert done.exit_code == 0, done.output
    said = " ".join(done.output.split())
    assert "whether the difference is significant was not tested, as there are 150 items: gm.compare" in said
    assert "comparison" not in json.loads((tmp_path / "r.json").read_text())


def test_items_without_labels_are_left_out_of_the_comparison_for_all(table, tmp_path):
    lines = table.read_text().splitlines()
    lines[1] = lines[1].replace(",ham,", ",,", 1) if ",ham," in lines[1] else lines[1].replace(",spam,", ",,", 1)
    table.write_text("\n".join(lines))
    done = call("evaluate", table, *PAIR, "--missing", "drop", "--out", tmp_path / "r.md")
    assert done.exit_code == 0, done.output
    assert "1 item is left out, as a label is missing in at least one column" in (tmp_path / "r.md").read_text()


def test_scores_alone_make_a_scorecard_at_a_threshold(table, tmp_path):
    scores = ("--true", "label", "--score", "p", "--score", "q", "--measures", "mcc")
    done = call("evaluate", table, *scores, "--out", tmp_path / "r.json", "--out", tmp_path / "r.html")
    assert done.exit_code == 0, done.output
    data = json.loads((tmp_path / "r.json").read_text())
    at_half = call("evaluate", table, *PAIR, "--no-report", "--json").stdout
    values = {x["system"]: x["value"] for x in data["table"] if x["measure"] == "mcc"}
    labelled = {
        x["system"]: x["value"] for x in json.loads(at_half)["table"] if x["measure"] == "mcc" and not x["class"]
    }
    assert values == {"p": labelled["one"], "q": labelled["two"]}
    assert {x["group"] for x in data["sweep"]["curves"]} == {"p", "q"}
    assert "--score p --score q --threshold 0.5" in (tmp_path / "r.html").read_text()


def test_the_command_of_a_report_of_scores_makes_it_again(table, tmp_path):
    chosen = ("--true", "label", "--score", "x", "--threshold", "4", "--measures", "mcc", "--by", "site")
    assert call("evaluate", table, *chosen, "--out", tmp_path / "r.md", "--out", tmp_path / "a.json").exit_code == 0
    text = (tmp_path / "r.md").read_text()
    command = next(line for line in text.splitlines() if line.startswith("goodmeasure evaluate"))
    again = call(*shlex.split(command)[1:], "--out", tmp_path / "b.json")
    assert again.exit_code == 0, again.output
    one, two = (json.loads((tmp_path / f"{x}.json").read_text())["table"] for x in "ab")
    assert one == two


def test_scores_stand_beside_predicted_labels(table, tmp_path):
    done = call("evaluate", table, "--true", "label", "--pred", "one", "--score", "p", "--measures", "mcc",
               "--out", tmp_path / "r.json")  # fmt: skip
    assert done.exit_code == 0, done.output
    data = json.loads((tmp_path / "r.json").read_text())
    assert data["source"]["systems"] == ["one"]
    assert data["source"]["scores"] == ["p"]
    labels = [line.split(",")[0] for line in table.read_text().splitlines()[1:]]
    scores = [float(line.split(",")[1]) for line in table.read_text().splitlines()[1:]]
    best = gm.sweep(labels, scores, measures=["mcc"]).best("mcc")
    assert data["sweep"]["best"][0]["threshold"] == best.threshold


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--threshold", "3"], "use it with --score and without --pred"),
        (["--score", "p", "--pred", "one", "--threshold", "3"], "use it with --score and without --pred"),
        (["--score", "nope"], "no column 'nope'"),
    ],
)
def test_bad_input_is_one_line_and_status_2(table, arguments, said):
    done = call("evaluate", table, "--true", "label", *arguments)
    assert done.exit_code == 2
    assert said in done.output
    assert done.output.count("\n") == 1


def test_the_demo_names_no_folder_of_a_machine():
    data = json.loads(call("demo", "--json").stdout)
    assert data["comparison"]["source"]["files"] == data["source"]["files"] == ["goodmeasure-demo.csv"]


def test_scores_go_with_files_of_items(tmp_path):
    (tmp_path / "m.json").write_text(json.dumps([[3, 1], [1, 3]]))
    done = call("evaluate", "--matrix", tmp_path / "m.json", "--score", "p")
    assert done.exit_code == 2
    assert "--score needs files of labels" in done.output


def test_a_sweep_is_written_in_every_format(table, tmp_path):
    endings = ("html", "md", "tex", "json", "csv")
    out = [word for x in endings for word in ("--out", tmp_path / f"s.{x}")]
    done = call("sweep", table, "--true", "label", "--score", "p", "--score", "q", "--measures", "mcc,f1", *out)
    assert done.exit_code == 0, done.output
    assert done.output.count("written: ") == len(endings)
    assert json.loads((tmp_path / "s.json").read_text())["schema"] == "goodmeasure/sweep/1"
    assert '<figure id="along-the-threshold"' in (tmp_path / "s.html").read_text()
    assert (tmp_path / "s.csv").read_text().count("\n") == 5
    assert call("sweep", table, "--true", "label", "--score", "p", "--out", table).exit_code == 2


def test_scores_of_one_of_several_numbered_classes_are_evaluated(tmp_path, monkeypatch):
    """The other classes are numbers too, so that no class is called by a text."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "s.csv").write_text("label,score\n0,0.2\n1,0.7\n2,0.9\n1.0,0.3\n")
    typed = ["evaluate", "s.csv", "--true", "label", "--score", "score", "--positive", "2", "--no-report"]
    done = call(*typed, "--measures", "accuracy")
    assert done.exit_code == 0, done.output
    assert "0.750" in done.output


def without_files(data):
    """A document without the names of the files that it is about, wherever they stand."""
    if isinstance(data, dict):
        return {key: without_files(x) for key, x in data.items() if key != "files"}
    return [without_files(x) for x in data] if isinstance(data, list) else data


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes here")
@pytest.mark.parametrize("way", ["named pipe", "standard input"])
def test_a_pipe_gives_what_its_file_gives(table, tmp_path, way):
    """A pipe can be read only once: the scorecard, the comparison and the sweep come from one reading."""
    arguments = [*PAIR, "--score", "p", "--json"]
    expected = json.loads(call("evaluate", table, *arguments).output)
    path, given = "-", table.read_bytes()
    if way == "named pipe":
        path = tmp_path / "pipe"
        os.mkfifo(path)
        threading.Thread(target=path.write_bytes, args=(given,), daemon=True).start()
        done = call("evaluate", path, *arguments, check=0)
    else:
        done = call_apart("evaluate", path, *arguments, stdin=given, check=0)
    assert done.err == ""
    found = json.loads(done.out)
    assert found["comparison"] is not None
    assert without_files(found) == without_files(expected)


def test_files_of_several_systems_are_read_once(table, monkeypatch):
    """The patterns of all systems answer for each of them, and for their comparison."""
    from goodmeasure.counts.readers.files import delimited_text

    scans = []
    scan = delimited_text._scan_all
    monkeypatch.setattr(delimited_text, "_scan_all", lambda *given: scans.append(given) or scan(*given))
    done = call("evaluate", table, *PAIR, "--json")
    assert done.exit_code == 0, done.output
    assert len(scans) == 1


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes here")
def test_a_matrix_can_come_through_a_pipe(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    threading.Thread(target=pipe.write_text, args=("[[50, 3], [4, 20]]",), daemon=True).start()
    done = call("evaluate", "--matrix", pipe, "--measures", "mcc", "--json")
    assert done.exit_code == 0, done.output


def test_scores_alone_say_who_chose_the_positive_class(table):
    arguments = ("evaluate", table, "--true", "label", "--score", "p", "--measures", "mcc", "--no-report")
    assert call(*arguments).output.startswith("positive class: 'spam', the rarer one; change it with")
    chosen = call(*arguments, "--positive", "spam").output
    assert "'spam'" in chosen
    assert "the rarer one" not in chosen


def _parquet(path):
    import duckdb

    duckdb.sql(f"COPY (FROM read_csv('{path}')) TO '{path.with_suffix('.parquet')}'")
    return path.with_suffix(".parquet")


def _intervals_of_comparisons(monkeypatch):
    """Return the list that grows with every interval of a single value that a comparison computes itself."""
    from goodmeasure.comparison import paired_labels

    calls = []

    class Watched(paired_labels.SampleWork):
        def interval(self, *given):
            calls.append(given)
            return super().interval(*given)

    monkeypatch.setattr(paired_labels, "SampleWork", Watched)
    return calls


def _counting(monkeypatch, module, name):
    """Count the calls of a function; return the list that grows with them."""
    calls, function = [], getattr(module, name)

    def counted(*arguments, **options):
        calls.append(arguments)
        return function(*arguments, **options)

    monkeypatch.setattr(module, name, counted)
    return calls


@pytest.mark.parametrize("kind", ["csv", "parquet"])
@pytest.mark.parametrize("more", [(), ("--by", "site"), ("--group", "x"), ("--weight", "p")])
def test_several_systems_are_counted_in_one_pass(table, tmp_path, monkeypatch, kind, more):
    from goodmeasure.counts.readers import duckdb_engine
    from goodmeasure.counts.readers.files import delimited_text, label_files

    path = table if kind == "csv" else _parquet(table)
    opened = _counting(monkeypatch, label_files.OpenFiles, "__init__")
    scans = _counting(monkeypatch, delimited_text, "_scan_all")
    queries = _counting(monkeypatch, duckdb_engine, "_aggregated")
    done = call("evaluate", path, *PAIR, *more, "--out", tmp_path / "r.json")
    assert done.exit_code == 0, done.output
    assert len(opened) == 1
    assert (len(scans), len(queries)) == ((1, 0) if kind == "csv" and not more else (0, 1))
    found = json.loads((tmp_path / "r.json").read_text())["comparison"]
    keys = {"--group": "groups", "--weight": "sample_weight"}
    asked = {keys[more[0]]: more[1]} if more and more[0] in keys else {}
    names = ["mcc", "accuracy", "recall"]
    alone = gm.compare(path, y_true="label", y_pred=["one", "two"], measures=names, pairs="best", **asked)
    assert [x["p"] for x in found["differences"]] == pytest.approx([x["p"] for x in alone.differences])
    assert [x["low"] for x in found["scores"]] == pytest.approx([x["low"] for x in alone.scores])


@pytest.mark.parametrize("more", [(), ("--by", "site"), ("--group", "x"), ("--weight", "p")])
@pytest.mark.parametrize("looks_sorted", [False, True])
def test_data_with_too_many_patterns_is_read_item_by_item_once(table, tmp_path, monkeypatch, more, looks_sorted):
    from goodmeasure.counts.readers import duckdb_engine
    from goodmeasure.counts.readers.files import delimited_text

    assert call("evaluate", table, *PAIR, *more, "--out", tmp_path / "few.json").exit_code == 0
    monkeypatch.setattr(delimited_text, "MOST_PATTERNS", 2)
    monkeypatch.setattr(delimited_text, "_MANY", 0)
    monkeypatch.setattr(duckdb_engine, "MOST_PATTERNS", 2)
    monkeypatch.setattr(duckdb_engine, "_FEW_PATTERNS", 1000 if looks_sorted else 0)
    read = _counting(monkeypatch, duckdb_engine, "_item_by_item")
    queries = _counting(monkeypatch, duckdb_engine, "_aggregated")
    done = call("evaluate", table, *PAIR, *more, "--out", tmp_path / "many.json")
    assert done.exit_code == 0, done.output
    assert (len(read), len(queries)) == (1, int(looks_sorted))
    few, many = (json.loads((tmp_path / name).read_text()) for name in ("few.json", "many.json"))
    for rows in (lambda x: x["table"], lambda x: x["comparison"]["scores"], lambda x: x["comparison"]["differences"]):
        for one, other in zip(rows(few), rows(many), strict=True):
            assert one == {key: pytest.approx(x) if isinstance(x, float) else x for key, x in other.items()}


@pytest.mark.parametrize("kind", ["csv", "parquet"])
def test_too_many_labels_for_a_comparison_are_counted_system_by_system(table, tmp_path, monkeypatch, kind):
    from goodmeasure.counts.readers import duckdb_engine
    from goodmeasure.counts.readers.files import delimited_text

    path = table if kind == "csv" else _parquet(table)
    assert call("evaluate", path, *PAIR, "--out", tmp_path / "few.json").exit_code == 0
    for module in ("evaluation.pairing", "counts.readers.frames"):
        monkeypatch.setattr(f"goodmeasure.{module}.MOST_LABELS", 200)
    monkeypatch.setattr(delimited_text, "_DENSE", 1)
    monkeypatch.setattr(duckdb_engine, "MOST_PATTERNS", 2)
    monkeypatch.setattr(duckdb_engine, "_FEW_PATTERNS", 0)
    read = _counting(monkeypatch, duckdb_engine, "_item_by_item")
    done = call("evaluate", path, *PAIR, "--out", tmp_path / "many.json")
    assert done.exit_code == 0, done.output
    assert "was not tested, as there are 150 items" in done.output
    assert not read
    few, many = (json.loads((tmp_path / name).read_text()) for name in ("few.json", "many.json"))
    assert few["table"] == many["table"]
    assert "comparison" not in many


def test_labels_that_only_seem_too_many_are_compared(table, tmp_path, monkeypatch):
    from goodmeasure.counts.readers.files import delimited_text

    assert call("evaluate", table, *PAIR, "--out", tmp_path / "few.json").exit_code == 0
    monkeypatch.setattr(delimited_text, "_rows_about", lambda source: 1e9)
    monkeypatch.setattr(delimited_text, "_DENSE", 1)
    assert call("evaluate", table, *PAIR, "--out", tmp_path / "many.json").exit_code == 0
    assert (tmp_path / "few.json").read_text() == (tmp_path / "many.json").read_text()


def test_a_function_of_ones_own_is_compared_from_the_same_counts(table, monkeypatch):
    def hits(c):
        return c[0, 0] / c.n if c[0, 0] > 0 else 0.0

    again = _intervals_of_comparisons(monkeypatch)
    columns = {"y_true": "label", "y_pred": ["one", "two"]}
    found = gm.evaluate(table, **columns, measures=[hits, "mcc"])
    assert found.comparison is not None
    assert not again
    alone = gm.compare(table, **columns, measures=[hits, "mcc"])
    assert list(found.comparison.scores) == list(alone.scores)
    assert list(found.comparison.differences) == list(alone.differences)


@pytest.mark.parametrize(
    "more",
    [
        (), ("--positive", "ham"), ("--by", "site"), ("--weight", "p"), ("--group", "x"), ("--method", "delta"),
        ("--method", "percentile"), ("--method", "bayesian", "--prior", "uniform"),
    ],
)  # fmt: skip
def test_no_interval_is_found_twice(table, tmp_path, monkeypatch, more):
    again = _intervals_of_comparisons(monkeypatch)
    done = call("evaluate", table, *PAIR, *more, "--out", tmp_path / "r.json")
    assert done.exit_code == 0, done.output
    assert not again
    data = json.loads((tmp_path / "r.json").read_text())
    ends = {(x["system"], x["measure"]): (x["value"], x["low"], x["high"]) for x in data["table"]
            if x["class"] is None and x["slice"] is None}  # fmt: skip
    shown = {(x["system"], x["measure"]): (x["value"], x["low"], x["high"]) for x in data["comparison"]["scores"]}
    assert ends == shown


def test_systems_with_other_items_in_the_comparison_get_intervals_of_their_own(table, tmp_path, monkeypatch):
    lines = table.read_text().splitlines()
    fields = lines[1].split(",")
    fields[4] = ""  # the first system has no label here, so the comparison leaves the item out for both
    table.write_text("\n".join([lines[0], ",".join(fields), *lines[2:]]))
    again = _intervals_of_comparisons(monkeypatch)
    done = call("evaluate", table, *PAIR, "--missing", "drop", "--out", tmp_path / "r.json")
    assert done.exit_code == 0, done.output
    assert len(again) == 3  # of the second system, which had a label of it, under each measure
    asked = {"y_true": "label", "y_pred": ["one", "two"], "measures": ["mcc", "accuracy", "recall"]}
    alone = gm.compare(table, **asked, missing="drop", pairs="best")
    shown = json.loads((tmp_path / "r.json").read_text())["comparison"]["scores"]
    assert [(x["value"], x["low"]) for x in shown] == [(x["value"], x["low"]) for x in alone.scores]


@pytest.mark.parametrize("more", [("--method", "delta"), ("--method", "bayesian", "--prior", "uniform")])
def test_systems_that_are_counted_anew_get_their_intervals_by_the_same_method(table, tmp_path, more):
    lines = table.read_text().splitlines()
    fields = lines[1].split(",")
    fields[4] = ""
    table.write_text("\n".join([lines[0], ",".join(fields), *lines[2:]]))
    (tmp_path / "shared.csv").write_text("\n".join([lines[0], *lines[2:]]))
    seen = []
    for path, missing in ((table, "drop"), (tmp_path / "shared.csv", "error")):
        done = call("evaluate", path, *PAIR, *more, "--missing", missing, "--out", tmp_path / "r.json")
        assert done.exit_code == 0, done.output
        seen.append(json.loads((tmp_path / "r.json").read_text())["comparison"]["scores"])
    assert seen[0] == seen[1]


@pytest.fixture
def three_classes(tmp_path):
    rng = np.random.default_rng(4)
    true = rng.integers(0, 3, 120)
    one, two = (np.where(rng.random(120) < share, true, rng.integers(0, 3, 120)) for share in (0.8, 0.6))
    rows = (f"{t},{x},{y},{'ns'[k % 2]}" for k, (t, x, y) in enumerate(zip(true, one, two, strict=True)))
    (tmp_path / "p.csv").write_text("\n".join(["label,one,two,site", *rows]), encoding="utf-8")
    return tmp_path / "p.csv"


@contextmanager
def _runs_of(*functions):
    """Count how often the bodies of functions run, by name, whoever calls them."""
    codes = {inspect.unwrap(f).__code__: f.__name__ for f in functions}
    runs, before = dict.fromkeys(codes.values(), 0), sys.getprofile()

    def watch(frame, event, argument):
        if event == "call" and frame.f_code in codes:
            runs[codes[frame.f_code]] += 1

    sys.setprofile(watch)
    try:
        yield runs
    finally:
        sys.setprofile(before)


@pytest.mark.parametrize("systems", [("one",), ("one", "two")])
@pytest.mark.parametrize("by", [(), ("--by", "site")])
def test_a_page_and_the_terminal_share_all_work(three_classes, tmp_path, systems, by):
    from goodmeasure.comparison.compare import compare_counts
    from goodmeasure.counts.readers.files.label_files import OpenFiles
    from goodmeasure.evaluation.batch_scoring import score_all
    from goodmeasure.evaluation.intervals.interval import intervals
    from goodmeasure.evaluation.scoring import score
    from goodmeasure.report.content import evaluation as content
    from goodmeasure.report.content import per_class, scorecard
    from goodmeasure.report.content.comparison_words import summary_lines
    from goodmeasure.report.content.first_screen import headlines
    from goodmeasure.report.content.main_finding import verdict
    from goodmeasure.report.content.short_screen import short_evaluation

    pieces = [content.contents, content.body, content.glance, scorecard.comparison, scorecard.scorecard]
    pieces += [content.slice_grids, per_class.class_comparison, per_class.class_grid, content.warning_lines, verdict]
    pieces += [headlines, summary_lines, short_evaluation]
    asked = ["--true", "label", *by, *(x for name in systems for x in ("--pred", name))]
    files = ["--out", tmp_path / "page.html", "--out", tmp_path / "page.md"]
    with _runs_of(OpenFiles.__init__, intervals, score, score_all, compare_counts, *pieces) as runs:
        done = call("evaluate", three_classes, *asked, *files)
    assert done.exit_code == 0, done.output
    several, parts = len(systems) > 1, len(systems) * (3 if by else 1)
    alone = 0 if parts > 4 else parts  # more are scored together
    assert runs == {
        "__init__": 1,  # of the files, which are opened once
        "score_all": 1,
        "score": alone,
        "intervals": alone,
        "compare_counts": int(several),
        "contents": 1,
        "body": 1,
        "verdict": 1,
        "headlines": 1,
        "short_evaluation": 1,
        "glance": 1,
        "comparison": int(several),
        "scorecard": 1,
        "slice_grids": int(bool(by)),
        "class_comparison": 0,
        "class_grid": int(not several),
        "warning_lines": 2,  # about all items, and about slices
        "summary_lines": int(several),
    }
