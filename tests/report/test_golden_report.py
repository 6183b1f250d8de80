"""The demo's report says what it said when somebody looked, every format carries it, and large reports stay small."""

from __future__ import annotations

import html
import json
import re

import numpy as np
import pytest

import goodmeasure as gm
from goodmeasure.catalogue.display_names import display_names
from goodmeasure.report.content.evaluation import contents
from goodmeasure.report.document import Finding, Grid, Headlines, MatrixBlock, Sentences
from goodmeasure.report.formats import latex_text, markdown
from goodmeasure.report.numbers import count_text
from tests.report.golden import GOLDEN, demo, golden_contents

TWENTY = (
    *("accuracy", "balanced_accuracy", "sba", "kappa", "mcc", "hamann", "scott_pi", "gwet_ac1", "k", "g_mean"),
    *("macro_f1_of_means", "rh", "dif2norm", "macro(f1)", "macro(precision)", "macro(recall)", "weighted(f1)"),
    *("macro(jaccard)", "micro(f1)", "weighted(jaccard)"),
)


@pytest.fixture(scope="module")
def result(tmp_path_factory):
    folder = tmp_path_factory.mktemp("golden")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        yield demo(folder)


def differences(now, then, where="report"):
    """Where two pieces of data differ; numbers may by rounding."""
    if isinstance(now, dict) and isinstance(then, dict) and now.keys() == then.keys():
        return [x for key in now for x in differences(now[key], then[key], f"{where}.{key}")]
    if isinstance(now, list) and isinstance(then, list) and len(now) == len(then):
        return [x for k, pair in enumerate(zip(now, then, strict=True)) for x in differences(*pair, f"{where}[{k}]")]
    numbers = all(isinstance(x, (int, float)) and not isinstance(x, bool) for x in (now, then))
    same = now == pytest.approx(then, rel=1e-5, abs=1e-9) if numbers else now == then
    return [] if same else [f"{where}: {str(then)[:80]!r} became {str(now)[:80]!r}"]


def test_the_contents_are_the_golden_ones(result):
    then = json.loads(GOLDEN.read_text(encoding="utf-8"))
    found = differences(golden_contents(result), then)
    assert not found, "\n".join([*found[:10], "if it is meant so: python -m tests.report.golden"])


def test_a_change_of_the_contents_is_seen(result):
    then = json.loads(GOLDEN.read_text(encoding="utf-8"))
    grid = next(x for section in then["sections"] for x in section["blocks"] if x["is"] == "Grid")
    grid["rows"][0][1]["text"] += "1"
    assert len(differences(golden_contents(result), then)) == 1


@pytest.mark.parametrize("format", ["html", "markdown", "latex"])
def test_every_format_carries_every_table_and_sentence(result, format):
    """All numbers and words of the contents, in their order, in each format that shows them."""
    text = getattr(result, f"to_{format}")()
    if format == "html":
        text = html.unescape(re.sub(r"<[^>]+>", " ", re.sub(r"<script.*?</script>", "", text, flags=re.DOTALL)))
    text = " ".join(text.split())
    written = {"html": lambda x: " ".join(x.split()), "markdown": markdown.escaped, "latex": latex_text.escaped}[format]
    at = 0
    for section in contents(result).sections:
        for block in section.blocks:
            if isinstance(block, Grid):
                words = [cell.words for row in block.rows for cell in row]
            elif isinstance(block, MatrixBlock):
                words = [count_text(x) for row in block.counts.tolist() for x in row]
            elif isinstance(block, Finding):
                words = [block.text]
            elif isinstance(block, Headlines):
                words = [x.name for x in block.items]
            else:
                words = [line for line, _ in block.shown()] if isinstance(block, Sentences) else []
            for word in words:
                found = text.find(" ".join(written(word).split()), at)
                assert found >= at, f"{section.key}: {word!r} is not there, or not in its place"
                at = found


def test_the_data_carries_the_same_numbers(result):
    data = json.loads(result.to_json())
    grid = next(x for x in contents(result).section("scorecard").blocks if isinstance(x, Grid))
    names = {text: name for name, text in display_names(result.settings.measures).items()}
    values = {(x["system"], x["measure"]): x["value"] for x in data["table"] if x["class"] is None}
    for row in grid.rows:
        for system, cell in zip(result.systems, row[1:], strict=False):
            assert values[system, names[row[0].text]] == cell.value
    assert {x["measure"] for x in data["comparison"]["differences"]} == {names[row[0].text] for row in grid.rows}


def test_the_page_of_the_demo_stays_small(result):
    assert len(result.to_html().encode()) < 1_200_000


def test_ten_systems_and_twenty_measures_stay_under_two_megabytes():
    rng = np.random.default_rng(0)
    true = rng.integers(0, 8, 600)
    guesses = rng.integers(0, 8, (10, 600))
    systems = {f"system {k}": np.where(rng.random(600) < 0.4 + 0.05 * k, true, x) for k, x in enumerate(guesses)}
    chosen = {"measures": TWENTY}
    compared = gm.compare(true, systems, **chosen, pairs="best", ensemble=False, replicates=100, method="normal")
    page = gm.evaluate(true, systems, **chosen, replicates=100).to_html()
    assert len(page.encode()) < 2_000_000
    assert len(compared.to_html().encode()) < 2_000_000


def test_two_classes_ten_systems_and_their_scores_stay_under_two_megabytes():
    rng = np.random.default_rng(1)
    hit = rng.random(3000) < 0.3
    scores = {f"system {k}": rng.normal(size=3000) + hit * k / 3 for k in range(10)}
    systems = {name: x > 0.5 for name, x in scores.items()}
    swept = gm.sweep(hit, scores, measures=TWENTY)
    page = gm.evaluate(hit, systems, measures=TWENTY, confidence=None).with_sweep(swept).to_html()
    assert len(page.encode()) < 2_000_000


def test_the_page_of_the_demo_is_small(result):
    assert len(result.to_html().encode()) < 1_200_000
