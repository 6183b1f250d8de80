"""What a page computes without a server equals what the library computes."""

from __future__ import annotations

import json
import math
import subprocess

import numpy as np
import pytest

from goodmeasure.catalogue.names import all_measures
from goodmeasure.counts.matrix import ConfusionMatrix
from goodmeasure.counts.sample import Sample
from goodmeasure.evaluation.intervals.interval import intervals
from goodmeasure.web.application import STATIC
from goodmeasure.web.scripts import definition, measures_script, proportions
from tests.needs import needs

RUN = """
import { value } from "./measuring.js";
import { definitions } from "./measures.js";
import { readFileSync } from "node:fs";
const cases = JSON.parse(readFileSync(0));
const found = {};
for (const name of Object.keys(definitions)) found[name] = cases.map((x) => String(value(name, x)));
console.log(JSON.stringify(found));
"""


def matrices():
    """Matrices of two to six classes, many with empty cells and classes, and some with fractional counts."""
    random = np.random.default_rng(1)
    for m in (2, 2, 3, 4, 6):
        for k in range(40):
            found = random.integers(0, [2, 3, 10, 1000][k % 4], (m, m))
            found = found * (random.random((m, m)) < 0.5) if k % 3 == 0 else found
            found = found * 1.37 if k % 10 == 9 else found
            if found.any():
                yield found.tolist()
    yield from ([[0, 0], [0, 25]], [[25, 0], [0, 0]], [[990, 0], [10, 0]], [[0, 5], [5, 0]])


@pytest.mark.parametrize("f", all_measures(), ids=lambda f: f.name)
def test_every_measure_has_a_script(f):
    assert "=> {" in definition(f)


def test_a_script_gives_the_values_of_the_library(tmp_path):
    node = needs("node")
    (tmp_path / "measures.js").write_bytes(measures_script())
    for name in ("measuring.js", "numbers.js"):
        (tmp_path / name).write_bytes((STATIC / name).read_bytes())
    (tmp_path / "package.json").write_text('{"type": "module"}')
    (tmp_path / "run.js").write_text(RUN)
    cases = list(matrices())
    done = subprocess.run([node, "run.js"], cwd=tmp_path, input=json.dumps(cases), capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    for f in all_measures():
        for counts, text in zip(cases, found[f.name], strict=True):
            if f.classes == 2 and len(counts) > 2:
                assert text == "NaN"
                continue
            try:
                expected = f(counts)
            except ValueError:  # a table of costs is made for another number of classes
                expected = math.nan
            ours = float(text.replace("Infinity", "inf"))
            same = ours == expected or (math.isnan(ours) and math.isnan(expected))
            assert same or math.isclose(ours, expected, rel_tol=1e-9, abs_tol=1e-9), (f.name, counts, ours, expected)


RUN_INTERVALS = """
import { interval } from "./intervals.js";
import { readFileSync } from "node:fs";
const { cases, proportions } = JSON.parse(readFileSync(0));
console.log(JSON.stringify(cases.map(([name, counts, confidence]) => interval(name, counts, proportions, confidence))));
"""


def cases_for_intervals():
    """Measures of the scorecard and others, on ordinary matrices and on some with empty cells."""
    small = [[[50, 3], [4, 20]], [[5, 0], [0, 7]], [[90, 10], [0, 3]], [[1, 2], [3, 0]], [[30.5, 2.5], [1, 8]]]
    for name in ("accuracy", "f1", "precision", "recall", "specificity", "mcc", "kappa", "sba", "jaccard", "macro(f1)"):
        for k, counts in enumerate(small):
            yield name, counts, (0.9, 0.95, 0.99)[k % 3]
    larger = [[[3, 0, 1], [0, 4, 1], [2, 2, 9]], [[30, 1, 2, 0], [4, 50, 0, 1], [0, 3, 8, 0], [1, 1, 1, 90]]]
    for name in ("accuracy", "mcc", "kappa", "macro(f1)", "balanced_accuracy", "sba", "k"):
        for counts in larger:
            yield name, counts, 0.95


def test_a_static_copy_has_the_intervals_of_the_library(tmp_path):
    node = needs("node")
    for name in ("measuring.js", "numbers.js", "intervals.js"):
        (tmp_path / name).write_bytes((STATIC / name).read_bytes())
    (tmp_path / "measures.js").write_bytes(measures_script())
    (tmp_path / "package.json").write_text('{"type": "module"}')
    (tmp_path / "run.js").write_text(RUN_INTERVALS)
    cases = list(cases_for_intervals())
    data = json.dumps({"cases": cases, "proportions": proportions()})
    done = subprocess.run([node, "run.js"], cwd=tmp_path, input=data, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    for (name, counts, confidence), found in zip(cases, json.loads(done.stdout), strict=True):
        sample = Sample(ConfusionMatrix(counts))
        expected = intervals(sample, [name], confidence=confidence)[0]
        if math.isnan(expected.low):
            assert found is None, (name, counts, found)
        else:
            assert found == pytest.approx([expected.low, expected.high], abs=1e-5), (name, counts, confidence)
