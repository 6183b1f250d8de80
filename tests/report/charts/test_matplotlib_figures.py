"""Figures belong to pyplot where it can show them, and nothing is left behind where a call fails."""

from __future__ import annotations

import subprocess
import sys

import pytest

import goodmeasure as gm

matplotlib = pytest.importorskip("matplotlib")
TWO = gm.evaluate([[40, 2], [3, 15]], measures=["mcc", "accuracy"])
THREE = gm.evaluate([[4, 1, 0], [1, 5, 0], [0, 1, 6]], measures=["mcc"])


@pytest.fixture
def pyplot():
    from matplotlib import pyplot

    pyplot.close("all")
    yield pyplot
    pyplot.close("all")


def test_a_plot_is_the_current_figure_of_pyplot(pyplot):
    """So plt.show() shows it, and plt.savefig() saves it."""
    axes = TWO.plot.confusion()
    assert pyplot.gcf() is axes.figure
    assert pyplot.get_fignums() == [1]


@pytest.mark.parametrize("draw", [
    lambda ax: TWO.plot.confusion(ax=ax), lambda ax: TWO.plot.measures(ax=ax), lambda ax: TWO.plot.prevalence(ax=ax),
    lambda ax: TWO.plot.ranks(ax=ax), lambda ax: gm.sweep([0, 1, 1], [0.1, 0.4, 0.8]).plot.thresholds("mcc", ax=ax),
])  # fmt: skip
def test_axes_that_are_given_are_used_and_no_figure_is_made(pyplot, draw):
    _, ax = pyplot.subplots()
    assert draw(ax) is ax
    assert len(pyplot.get_fignums()) == 1


@pytest.mark.parametrize("draw", [
    lambda: THREE.plot.prevalence(), lambda: THREE.plot.confusion(by="cell"), lambda: THREE.plot.classes("mcc"),
    lambda: TWO.plot.prevalence("nonsense"), lambda: gm.sweep([0, 1, 1], [0.1, 0.4, 0.8]).plot.thresholds("nonsense"),
])  # fmt: skip
def test_a_call_that_fails_leaves_no_empty_figure(pyplot, draw):
    with pytest.raises(ValueError, match=r"classes|by is|no values|nonsense"):
        draw()
    assert pyplot.get_fignums() == []


@pytest.mark.parametrize(("backend", "known"), [("agg", 0), ("module://matplotlib_inline.backend_inline", 1)])
def test_figures_pile_up_nowhere_that_shows_nothing(backend, known):
    """A server that draws and never imports pyplot keeps no figures; a notebook shows them. The backend stays."""
    code = (
        "import sys, goodmeasure as gm; gm.evaluate([[4, 2], [3, 5]], measures='mcc').plot.confusion();"
        "import matplotlib; from matplotlib import pyplot; print(len(pyplot.get_fignums()), matplotlib.get_backend())"
    )
    pytest.importorskip("matplotlib_inline")
    run = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env={"MPLBACKEND": backend}
    )
    number, name = run.stdout.split()
    assert int(number) == known
    assert name.lower() in backend


def test_a_sweep_that_is_best_with_nothing_positive_can_be_drawn(pyplot):
    """The best threshold is infinite; the curve ends at the highest score."""
    swept = gm.sweep([0] * 18 + [1] * 2, [k / 20 for k in range(18)] + [0.1, 0.2], measures=["accuracy"])
    assert swept.best("accuracy", confidence=None).threshold == float("inf")
    axes = swept.plot.thresholds("accuracy")
    assert axes.get_xlim()[1] < 1.1
    axes.figure.canvas.draw()
