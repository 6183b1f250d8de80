"""The text that says which definition a certificate is about."""

from __future__ import annotations

import pytest

import goodmeasure as gm
from goodmeasure.theory.statements.certificate import definition_of, without_types


@pytest.mark.parametrize(
    ("written", "kept"),
    [
        ("def f(c: View) -> Value:\n    return c.tp / c.n", "def f(c):\n    return c.tp / c.n"),
        ("def f(c, *, beta: float = 2, **rest: Any): return beta", "def f(c, *, beta = 2, **rest): return beta"),
        ("def f(c) -> Callable[[int],\n    str]:\n    return 'é -> x: int'", "def f(c):\n    return 'é -> x: int'"),
        (
            "def f(c: 'é'):\n    def g(x: int) -> int: return x\n    return g(c.n)",
            "def f(c):\n    def g(x): return x\n    return g(c.n)",
        ),
        ("own = gm.measure(lambda c: c.tp", "own = gm.measure(lambda c: c.tp"),
    ],
)
def test_types_are_left_out_and_nothing_else(written, kept):
    assert without_types(written) == kept


def test_a_certificate_stays_valid_when_types_are_added_and_not_when_the_formula_changes():
    """As where an annotation of the catalogue is mended after the atlas was built."""
    proof = gm.check("accuracy", properties=["symmetry"])["symmetry"].certificate
    assert proof.definition == definition_of(gm.accuracy)
    typed = proof.definition.replace("(c):", "(c: View) -> Value:", 1)
    assert typed != proof.definition
    data = proof.to_json()
    gm.verify(type(proof).from_json({**data, "measure": {**data["measure"], "definition": typed}}))
    other = proof.definition + " + 0"
    with pytest.raises(gm.CertificateError, match="definition of accuracy"):
        gm.verify(type(proof).from_json({**data, "measure": {**data["measure"], "definition": other}}))
