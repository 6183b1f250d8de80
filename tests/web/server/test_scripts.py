"""What a page computes without a server equals what the library computes."""

from __future__ import annotations

import json
import math
import subprocess

import numpy as np
import pytest

from goodmeasure.catalogue.names import all_measures
from goodmeasure.web.application import STATIC
from goodmeasure.web.scripts import definition, measures_script
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
    assert definition(f) is not None


def test_a_script_gives_the_values_of_the_library(tmp_path):
    node = needs("node")
    (tmp_path / "measures.js").write_bytes(measures_script())
    (tmp_path / "measuring.js").write_bytes((STATIC / "measuring.js").read_bytes())
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
