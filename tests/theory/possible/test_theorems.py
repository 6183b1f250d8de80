"""The page of theorems rests on certificates that the kernel accepts."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

import goodmeasure as gm
from goodmeasure.theory.possible.theorems import padded, stored
from goodmeasure.theory.statements.lookup import statement

DOCS = Path(__file__).parents[3] / "docs"
FOUND = stored()


@pytest.mark.parametrize("found", FOUND, ids=lambda x: f"{x.theorem.title}, {x.theorem.domain}")
def test_every_theorem_has_certificates_that_the_kernel_accepts(found):
    of = found.theorem
    for data in (found.certificate, found.for_every_n):
        if data is None:
            continue
        named = {statement(x).name for x in of.properties}
        assert (set(data["statements"]) <= named, data["classes"], data["domain"]) == (True, of.classes, of.domain)
        assert gm.verify(data)
        assert not of.and_more or gm.verify(padded(data, of.classes + 1))
    assert max(found.certificate["sizes"]) == of.n


def test_there_are_at_least_twenty_for_two_for_three_and_for_every_number_of_classes():
    assert len(FOUND) >= 20
    assert {x.theorem.classes for x in FOUND} == {2, 3}
    assert sum(x.theorem.and_more for x in FOUND) >= 10
    stated = {(frozenset(x.theorem.properties), x.theorem.classes) for x in FOUND}
    for names, m in (("PIV Mon", 3), ("Sym Mon PIV", 2), ("Sym MON IMB", 2), ("Min CB", 3), ("SMon CB", 3)):
        assert (frozenset(names.split()), m) in stated


@pytest.mark.parametrize(
    "of", [x.theorem for x in FOUND if x.theorem.classes == 2 and x.theorem.n <= 3], ids=lambda of: of.title
)
def test_no_property_of_a_theorem_can_be_left_out(of):
    for left in of.properties:
        assert gm.possible([x for x in of.properties if x != left], n=of.n), left


def test_a_forged_wider_theorem_is_refused():
    piv = next(x for x in FOUND if x.theorem.properties == ("PIV", "Mon"))
    with pytest.raises(gm.CertificateError):
        gm.verify({**padded(piv.certificate, 4), "sizes": piv.certificate["sizes"]})
    with pytest.raises(gm.CertificateError):
        gm.verify({**piv.certificate, "statements": ["opitz_prevalence_invariant", "symmetry"]})


def test_the_page_is_up_to_date():
    sys.path.insert(0, str(DOCS))
    try:
        import generate
    finally:
        sys.path.pop(0)
    assert (DOCS / "theorems.md").read_text(encoding="utf-8") == generate.theorems(), "run make docs"
