"""Definitions as data: equal formulas are one object, and JSON brings a tree back or is refused."""

from __future__ import annotations

import copy
import gc
import json
import pickle
import subprocess
import sys
import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

import goodmeasure as gm
from goodmeasure.language import tree as trees
from goodmeasure.language.record import record

CATALOGUE = [x for x in gm.measures() if "cost" not in x.name and "k_ordinal" not in x.name]


@pytest.fixture(scope="module")
def rows():
    return json.loads(gm.macro(gm.f1).tree.to_json())["nodes"]


def test_formulas_that_differ_in_the_letters_of_their_classes_are_one_object():
    one = record(lambda c: c.sum(lambda i: c.sum(lambda j: c[i, j] * c.a[i])), None)
    other = record(lambda c: c.sum(lambda row: c.sum(lambda column: c[row, column] * c.a[row])), None)
    assert one is other
    assert one is not record(lambda c: c.sum(lambda i: c.sum(lambda j: c[i, j] * c.a[j])), None)


def test_every_measure_comes_back_from_json_as_the_same_object():
    texts = [x.tree.to_json() for x in CATALOGUE]
    assert all(trees.from_json(text) is x.tree for x, text in zip(CATALOGUE, texts, strict=True))
    assert sum(map(len, texts)) < 400_000


def test_a_tree_can_be_copied_pickled_and_not_changed():
    tree = gm.mcc.tree
    assert pickle.loads(pickle.dumps(tree)) is tree
    assert copy.deepcopy(tree) is tree
    with pytest.raises(AttributeError, match="does not change"):
        tree.x = tree


@given(st.data())
def test_damaged_json_is_a_tree_or_an_input_error_and_never_anything_else(rows, data):
    row = data.draw(st.integers(0, len(rows) - 1))
    field = data.draw(st.integers(0, len(rows[row]) - 1))
    new = data.draw(st.sampled_from([None, -1, 0, 1, len(rows), "1/0", "inf", "Over", "x", [], [0, 0], True, 1.5, {}]))
    damaged = copy.deepcopy(rows)
    damaged[row][field] = new
    try:
        found = trees.from_json(json.dumps({"tree": 1, "nodes": damaged}))
    except gm.InputError:
        return
    assert trees.from_json(found.to_json()) is found


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "not JSON"),
        ("[]", "no list of nodes"),
        ('{"tree": 2, "nodes": []}', "version is 2"),
        ('{"tree": 1, "nodes": []}', "0 nodes"),
        ('{"tree": 1, "nodes": [["Counts", null]]}', "not the value of a formula"),
        ('{"tree": 1, "nodes": [["ClassVariable", 1], ["Position", 0]]}', "not the value of a formula"),
        ('{"tree": 1, "nodes": [["Numeral", "1"], ["Operation", "tan", [0]]]}', "do not belong together"),
        ('{"tree": 1, "nodes": [["Numeral", "1e999999999"]]}', "not a whole number"),
        ('{"tree": 1, "nodes": [["Numeral", "1/0"]]}', "not a whole number"),
        ('{"tree": 1, "nodes": [[[], "1"]]}', "is not a node"),
    ],
)
def test_what_is_no_tree_is_refused_with_the_reason(text, said):
    with pytest.raises(gm.InputError, match=said):
        trees.from_json(text)


def test_threads_that_record_at_once_get_the_same_objects():
    definition, found = gm.macro(gm.mcc).of, []
    threads = [threading.Thread(target=lambda: found.append(record(definition, None))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 8
    assert len(set(map(id, found))) == 1


def test_nodes_that_nobody_holds_are_forgotten():
    gc.collect()
    before = len(trees._MADE)
    for k in range(200):
        record(lambda c, k=k: c.n * (1000 + k) + c.sum(lambda i: c[i, i] * (5000 + k)), None)
    gc.collect()
    assert len(trees._MADE) <= before + 20


def test_source_does_not_depend_on_what_was_recorded_before():
    before = "import goodmeasure as gm; [x.tree for x in gm.measures(classes={})[:{}]]"
    program = before + "; print(gm.sba.source(3), gm.mcc.source())"
    runs = [("3", "20", "1"), ("2", "0", "2")]
    texts = {
        subprocess.run(
            [sys.executable, "-c", program.format(classes, count)],
            capture_output=True, text=True, check=True, env={"PYTHONHASHSEED": seed, "PYTHONPATH": ":".join(sys.path)},
        ).stdout
        for classes, count, seed in runs
    }  # fmt: skip
    assert len(texts) == 1


def test_a_measure_can_be_made_and_defined_from_a_tree():
    tree = gm.macro(gm.f1).tree
    again = gm.Measure.from_tree(tree.to_json(), "again", title="Macro F1 again", range=(0, 1))
    assert again.tree is tree
    for counts in ([[50, 3], [4, 20]], [[5, 1, 0], [0, 4, 2], [1, 0, 3]]):
        assert (again(counts), again.exact(counts)) == (gm.macro(gm.f1)(counts), gm.macro(gm.f1).exact(counts))
    assert again.formula == gm.macro(gm.f1).formula
    assert gm.measure(lambda c: 2 * again(c))([[50, 3], [4, 20]]) == 2 * again([[50, 3], [4, 20]])
    defined = gm.define("from_a_tree")(gm.f1.tree)
    try:
        assert (defined.classes, defined.tree) == (2, gm.f1.tree)
        with pytest.raises(gm.InputError, match="macro"):
            defined([[5, 1, 0], [0, 4, 2], [1, 0, 3]])
    finally:
        gm.measure("from_a_tree").forget()


def test_a_tree_for_three_classes_is_for_three_classes():
    tree = record(lambda c: c[2, 2] / c.n, 3)
    assert gm.Measure.from_tree(tree)([[5, 1, 0], [0, 4, 2], [1, 0, 3]]) == 3 / 16
    with pytest.raises(gm.InputError, match="for 3 classes, the matrix has 2"):
        gm.Measure.from_tree(tree)([[50, 3], [4, 20]])


def test_measures_of_the_same_formula_and_name_are_equal_and_can_be_pickled():
    mine, other = (gm.measure(lambda c: c.sum(lambda i: c[i, i]) / c.n) for _ in range(2))
    assert mine == other
    assert hash(mine) == hash(other)
    assert pickle.loads(pickle.dumps(mine)) == mine
    assert mine != gm.measure(lambda c: c.sum(lambda i: c[i, i]) / (c.n + 1))
    binary = gm.measure(lambda c: c.ratio(c.tp, c.n))
    assert binary != gm.measure(lambda c: c.ratio(c.fp, c.n))
