"""An option is declared in one place, and functions, commands, forms and the documentation follow from it."""

from __future__ import annotations

import inspect
import subprocess
import sys
from pathlib import Path

import click
import pytest

import goodmeasure as gm
from goodmeasure import options
from goodmeasure.cli.main import main
from goodmeasure.keywords import MOST_SHOWN, options_of

ROOT = Path(__file__).parents[1]
TRUE, PRED = [0, 1, 1, 0], [0, 1, 0, 0]
FUNCTIONS = {
    "evaluate": options.EvaluateOptions, "compare": options.CompareOptions, "sweep": options.SweepOptions,
    "plan": options.PlanOptions, "drift": options.DriftOptions, "multilabel": options.MultilabelOptions,
    "project": options.ProjectOptions, "recommend": options.TaskOptions,
}  # fmt: skip
COMMANDS = ("evaluate", "compare", "sweep", "plan", "drift", "recommend")


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_signature_is_short_and_the_help_has_every_option(name):
    function, known = getattr(gm, name), options_of(FUNCTIONS[name])
    parameters = inspect.signature(function).parameters
    assert len(parameters) <= MOST_SHOWN
    assert list(parameters)[-1] == "options"
    assert all(parameters[x].default == known[x].default for x in parameters if x in known)
    assert all(f"\n  {x.name}={x.default!r}: " in function.__doc__ for x in known.values())


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_takes_the_options_of_the_function_with_their_help_and_default(name):
    taken = {x.opts[0]: x for x in main.get_command(click.Context(main), name).params if isinstance(x, click.Option)}
    for option in options_of(FUNCTIONS[name]).values():
        if not option.hidden:
            assert taken[option.on_command_line].help == option.command_help
            assert taken[option.on_command_line].name == option.name
            assert option.many or taken[option.on_command_line].default == option.default


@pytest.mark.parametrize("name", FUNCTIONS)
def test_an_unknown_keyword_is_refused_with_the_nearest_one(name):
    for known in options_of(FUNCTIONS[name]):
        with pytest.raises(gm.InputError, match=rf"{name}\(\) takes no {known}x=.*did you mean {known}=\?"):
            getattr(gm, name)(TRUE, PRED, **{f"{known}x": 1})


def test_defaults_and_checks_are_applied_at_entry():
    with pytest.raises(gm.InputError, match=r"method is 'wald': use 'auto', 'wilson', .* or 'bayesian'"):
        gm.evaluate(TRUE, PRED, method="wald")
    with pytest.raises(gm.InputError, match="method is 'wilson': use 'auto' or 'exact'"):
        gm.plan([[50, 3], [4, 20]], width=0.1, method="wilson")
    with pytest.raises(gm.InputError, match="confidence is None: expected a number between 0 and 1"):
        gm.compare(TRUE, {"A": PRED, "B": TRUE}, confidence=None)
    assert gm.evaluate(TRUE, PRED, confidence=None).settings.replicates == 2000


FIELD = '    shine: Annotated[float, Option(0.25, "How much it shines.", often=True, form=True)]\n'
PROGRAM = """
import importlib.util, inspect, sys
import goodmeasure as gm
spec = importlib.util.spec_from_file_location("goodmeasure.options", sys.argv[1])
module = importlib.util.module_from_spec(spec)
sys.modules["goodmeasure.options"] = module
spec.loader.exec_module(module)

from click.testing import CliRunner
from goodmeasure.cli.main import main
from goodmeasure.web.stored import config

before, after = [[8, 2], [1, 9]], [[7, 3], [2, 8]]
assert inspect.signature(gm.drift).parameters["shine"].default == 0.25
assert "shine=0.25: How much it shines." in gm.evaluate.__doc__
assert gm.drift(before, after, shine=0.5).drifted == gm.drift(before, after).drifted
for command in ("evaluate", "compare", "sweep", "drift"):
    said = " ".join(CliRunner().invoke(main, [command, "--help"]).output.split())
    assert "--shine FLOAT How much it shines. [default: 0.25]" in said, command
form = next(x for x in config(static=True)["options"]["compare"] if x["name"] == "shine")
assert (form["kind"], form["default"], form["help"]) == ("float", 0.25, "How much it shines.")
sys.path.insert(0, sys.argv[2])
import generate
assert generate.options().count("| `shine` | `--shine` | `0.25` | How much it shines. |") == 4
"""


def test_a_new_option_is_seen_everywhere(tmp_path):
    text = (ROOT / "src" / "goodmeasure" / "options.py").read_text(encoding="utf-8")
    start = text.index("    measures: Annotated[")
    changed = tmp_path / "options.py"
    changed.write_text(text[:start] + FIELD + text[start:], encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(changed), str(ROOT / "docs")], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
