"""Names that JavaScript or Vega could take for something else, in every chart of a real browser."""

from __future__ import annotations

import numpy as np
import pytest

import goodmeasure as gm
from tests.report.browser import tips_of, violations

OF_OBJECTS = ("constructor", "__proto__", "toString", "hasOwnProperty")
SPECIAL = ("a.b", "a[0]", "back\\slash", "it's", "", "null", "0", "datum.x", 'x"y', "${z}")


def items(number=240):
    rng = np.random.default_rng(4)
    true = rng.integers(0, 2, number)
    return true, lambda share: np.where(rng.random(number) < share, true, 1 - true)


def own(name):
    """A measure of somebody's own, with this name."""

    def measured(c):
        return c.ratio(c.tp, c.tp + c.fp + c.fn, otherwise=1)

    measured.__name__ = measured.__qualname__ = name
    return measured


def named(kind, names):
    """A result, a comparison and a sweep with these names as classes, systems or measures."""
    true, drawn = items()
    measures = [own(x) for x in names] if kind == "measures" else ["accuracy", "mcc"]
    systems = names if kind == "systems" else ("A", "B", "C")
    given = {x: drawn(0.6 + 0.02 * k) for k, x in enumerate(systems)}
    rng = np.random.default_rng(1)
    swept = gm.sweep(true, {x: np.round(y + rng.normal(size=len(y)), 1) for x, y in given.items()}, measures=measures)
    return gm.evaluate(true, given, measures=measures, replicates=50).with_sweep(swept)


def of_classes(names):
    rng = np.random.default_rng(2)
    true = rng.integers(0, len(names), 300)
    shown = np.where(rng.random(300) < 0.8, true, rng.integers(0, len(names), 300))
    return gm.evaluate([names[k] for k in true], {"A": [names[k] for k in shown]}, measures=["accuracy", "mcc"])


@pytest.mark.parametrize("names", [OF_OBJECTS, SPECIAL])
@pytest.mark.parametrize("kind", ["systems", "measures", "classes"])
def test_every_chart_is_drawn_with_every_name(pages, tmp_path, kind, names):
    result = of_classes(names) if kind == "classes" else named(kind, names)
    result.save(tmp_path / "r.html")
    found = pages.open(tmp_path / "r.html", unfolded=True)
    assert found.said == []
    key = {"systems": "system", "measures": "measure"}.get(kind)
    if kind == "classes":
        seen = set(found.page.locator("#classes tbody th").all_text_contents())
        assert {x.removesuffix("\u2060") for x in seen} == {x or "(empty)" for x in names}
        assert violations(found.page, contrast=False) == []
        return
    figure = {"systems": "paired-differences", "measures": "ranks-of-systems"}[kind]
    marks = found.page.locator(f"#{figure} .mark-symbol.role-mark path, #{figure} .mark-rect.role-mark path")
    seen = {tip[key].removesuffix("\u2060") for tip in tips_of(found.page, marks)}
    unnamed = {"measures": "function", "systems": ""}[kind]
    assert seen == {x or unnamed for x in names}
    assert found.said == []
    assert violations(found.page, contrast=False) == []


def test_slices_without_a_difference_are_in_nobodys_way(pages, tmp_path):
    """Every system wins, so no mark is hollow; every table has a name of its own; a long name breaks."""
    true, drawn = items()
    one = drawn(0.8)
    where = ["north", "x" * 5000] * 120
    gm.compare(true, {"A": one, "B": one}, by=where, measures=["accuracy", "mcc"], replicates=50).save(
        tmp_path / "r.html"
    )
    page = pages.open(tmp_path / "r.html", unfolded=True).page
    assert violations(page, contrast=False) == []
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
