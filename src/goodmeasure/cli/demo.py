"""`goodmeasure demo`: evaluate small classifiers that look for eights among handwritten digits."""

from __future__ import annotations

import shlex
import shutil
import sys
from importlib.resources import files
from pathlib import Path
from tempfile import TemporaryDirectory

import click

from goodmeasure.cli.printing import print_json, show
from goodmeasure.evaluation.evaluate import evaluate
from goodmeasure.evaluation.result import Result
from goodmeasure.exceptions import InputError

_NAME = "goodmeasure-demo"
_POSITIVE = "eight"


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Output as JSON, and no report.")
def demo(as_json: bool) -> None:
    """Evaluate four small classifiers on handwritten digits.

    Which of 1,797 digits are eights? Writes the predictions and the report into the current folder.
    """
    from goodmeasure.report.whole_files import write_file

    text = files("goodmeasure.cli").joinpath("demo.csv").read_text(encoding="utf-8")
    data, report = f"{_NAME}.csv", f"{_NAME}.html"
    systems = text.splitlines()[0].split(",")[1:]
    if as_json:
        with TemporaryDirectory() as folder:
            aside = Path(folder, data)
            aside.write_text(text, encoding="utf-8")
            print_json(_evaluated(str(aside), systems).from_files(data).to_dict())
        return
    if Path(data).exists() and Path(data).read_text(encoding="utf-8", errors="replace") != text:
        raise InputError(
            "{data} already exists and does not hold the demo's predictions", data=data, advice="rename it first"
        )
    write_file(data, text)
    result = _evaluated(data, systems)
    result.save(report)
    click.echo(
        f"Which of 1,797 handwritten digits are eights? {len(systems)} classifiers, one of which only says no.\n"
    )
    show(result, [report])
    click.echo("\n" + "\n".join(_lessons(result)))
    click.echo(f"\nOpen {report} in a browser. To repeat this, or to evaluate your own predictions, type")
    click.echo(
        f"  {typed_command()} evaluate {data} --true label {' '.join(f'--pred {x}' for x in systems)} --positive eight"
    )


def typed_command() -> str:
    """Return what to type to run this program again: its name where the shell finds it, and its path otherwise."""
    if shutil.which("goodmeasure") is not None:
        return "goodmeasure"
    script = Path(sys.executable).parent / "goodmeasure"
    if not script.exists():
        return f"{shlex.quote(sys.executable)} -m goodmeasure.cli"
    here = Path.cwd()
    return shlex.quote(str(script.relative_to(here) if script.is_relative_to(here) else script))


def _evaluated(data: str, systems: list[str]) -> Result:
    return evaluate(data, y_true="label", y_pred=systems, positive=_POSITIVE)


def _lessons(result: Result) -> list[str]:
    """Return what to look at, with the numbers of this result."""
    accuracy, recall, mcc = (
        {name: result.value(x, name) for name in result.systems} for x in ("accuracy", "recall", "mcc")
    )
    finder, lazy = max(recall, key=lambda x: recall[x]), min(recall, key=lambda x: recall[x])
    best = max(mcc, key=lambda x: mcc[x])
    return [
        f"Look at {lazy}: it never says 'eight' and gets {accuracy[lazy]:.1%} accuracy; mcc gives it {mcc[lazy]:.0f}.",
        f"Look at {finder}: it finds {recall[finder]:.1%} of the eights, and accuracy puts it last.",
        f"Measures with a fixed chance level (mcc, kappa, sba) agree on {best}.",
    ]
