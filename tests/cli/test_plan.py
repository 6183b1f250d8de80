"""`goodmeasure plan`: from rates, matrices and a pilot to a number of items."""

from __future__ import annotations

import json

import pytest

import goodmeasure as gm
from tests.cli.command import call

RATES = "--prevalence", "0.2", "--recall", "0.8", "--specificity", "0.9"


def test_rates_are_planned_as_in_python():
    done = call("plan", *RATES, "--measure", "accuracy", "--width", "0.05", "--json")
    found = gm.plan(prevalence=0.2, recall=0.8, specificity=0.9, measure="accuracy", width=0.05)
    assert json.loads(done.out) == json.loads(found.to_json())


def test_two_rates_are_two_systems():
    done = call("plan", *RATES, "--recall", "0.9", "--disagreement", "0.1", "--measure", "accuracy", "--power", "0.9")
    assert "significant at the 5% level with a power of 9" in done.out
    assert "items" in done.out


def test_matrices_are_typed_or_read(tmp_path):
    (tmp_path / "b.csv").write_text("40,10\n9,41\n", encoding="utf-8")
    done = call(
        "plan", "--matrix", "45 5; 4 46", "--matrix", str(tmp_path / "b.csv"), "--measure", "accuracy", "--json"
    )
    assert json.loads(done.out)["difference"] == pytest.approx(0.1)


def test_a_pilot_is_a_file(tmp_path):
    rows = ["label,pred_a,pred_b", *["x,x,x", "y,y,x", "y,y,y", "x,y,y", "x,x,y", "y,x,y", "y,y,x"] * 20]
    (tmp_path / "p.csv").write_text("\n".join(rows) + "\n", encoding="utf-8")
    done = call("plan", str(tmp_path / "p.csv"), "--measure", "accuracy", "--difference", "0.05", "--json")
    found = json.loads(done.out)
    assert found["difference"] == pytest.approx(0.05)
    assert "140 items" in found["notes"][0]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ((), "give --width, or --difference with --power, or --items"),
        (("--width", "0.1", "--margin", "0.1"), "--width and --margin ask for different things"),
        (("--width", "-1"), "--width is -1.0"),
    ],
)
def test_errors_name_the_options(options, said):
    done = call("plan", *RATES, *options)
    assert done.exit_code == 2
    assert said in done.err
