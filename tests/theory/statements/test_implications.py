"""Implications between statements hold for every measure of the catalogue that was judged."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

import goodmeasure as gm
from goodmeasure.language.policy import policy_of
from goodmeasure.theory.statements.domain import DOMAINS
from goodmeasure.theory.statements.implications import IMPLICATIONS, consequences
from goodmeasure.theory.statements.lookup import statement
from goodmeasure.theory.subject.measured_values import subject


@cache
def defined_on_small_matrices(measure: str, classes: int, domain: str) -> bool:
    """Whether the measure has a value on every matrix of the domain with up to four items."""
    judged = subject(gm.measure(measure), classes, DOMAINS[domain], policy_of("resolve"), None, 10.0)
    return all(np.isfinite(judged.listed(n).values).all() for n in range(1, 5))


@cache
def statuses() -> dict[tuple[str, int, str], dict[str, str]]:
    """Return the status of each property, by measure, number of classes and domain."""
    found: dict[tuple[str, int, str], dict[str, str]] = {}
    for cell in gm.atlas().cells:
        found.setdefault((cell["measure"], cell["classes"], cell["domain"]), {})[cell["property"]] = cell["status"]
    return found


@pytest.mark.parametrize("implication", IMPLICATIONS, ids=lambda x: f"{'+'.join(x.premises)}->{x.conclusion}")
def test_an_implication_names_statements_and_no_verdict_breaks_it(implication):
    """No measure has proved premises and a refuted conclusion, on any domain and number of classes."""
    for name in (*implication.premises, implication.conclusion):
        assert statement(name).name == name
    scale_invariant = {x["measure"] for x in gm.atlas(property="scale_invariance", status="proved").cells}
    used = 0
    for (measure, classes, domain), known in statuses().items():
        if domain not in implication.domains or implication.classes not in (None, classes):
            continue
        if implication.scale_invariant and measure not in scale_invariant:
            continue
        if implication.defined and not defined_on_small_matrices(measure, classes, domain):
            continue
        if all(known.get(x) == "proved" for x in implication.premises):
            used += 1
            if implication.continuous and known.get(implication.conclusion) == "refuted":
                continue  # continuity is not decided here
            assert known.get(implication.conclusion) != "refuted", (measure, classes, domain)
    orders = any("order=1" in x for x in (*implication.premises, implication.conclusion))
    assert used or orders, "no measure of the atlas uses it"


def test_consequences_are_drawn_step_by_step():
    found = consequences(["distance", "opitz_chance_corrected_completely"], "all", 3, defined=True)
    assert set(found) == {
        "symmetry",
        "maximal_agreement",
        "opitz_chance_corrected_strictly",
        "opitz_chance_corrected",
        "approximate_constant_baseline",
    }
    assert "monotone" not in consequences(["strongly_monotone"], "all", 2, defined=False)
    assert "monotone" in consequences(["strongly_monotone"], "all", 2, defined=True)
    assert "sebastiani_wde" in consequences(["sebastiani_sde"], "all", 3, defined=False)
    assert "sebastiani_fix" not in consequences(["maximal_agreement", "minimal_agreement"], "all", 3, defined=True)


def test_a_chain_of_values_needs_them_all():
    premises = {"sebastiani_mon", "symmetry"}
    assert "monotone" in consequences(premises, "all", 2, defined=True)
    assert "monotone" not in consequences(premises, "all", 2, defined=False)
