"""The roots of chi-squared: they are defined, symmetric and independent of the scale, for three classes too."""

import pytest

import goodmeasure as gm
from goodmeasure.theory.statements.certificate import definition_of
from goodmeasure.theory.verify.arithmetic import Ground
from goodmeasure.theory.verify.mean_square import never_negative


def test_a_root_of_phi_squared_has_a_value_wherever_all_classes_occur():
    verdict = gm.check("cramers_v", classes=3, domain="regular", properties=["sebastiani_wde"])["sebastiani_wde"]
    assert verdict.status == "proved"


def test_only_multiples_of_phi_squared_are_taken_for_it():
    ground = Ground(("p", "q", "r", "s"))
    p, q, r, s = cells = [ground.value(g) for g in ground.gens]
    rows = [cells[:2], cells[2:]]
    square = (p * s - q * r) * (p * s - q * r)
    assert never_negative(square / (p + q), rows)
    assert not never_negative(-square, rows)
    assert not never_negative(square - 1, rows)
    assert not never_negative(square * (p - q), rows)
    assert not never_negative(p * s - q * r, [[p, -q], [r, s]])


def test_a_root_that_is_supposed_to_be_defined_decides_nothing_else():
    """The difference of cells is negative on half of the matrices, where the measure has no value, or a rule acts."""

    def honest(c):
        return c.sqrt(c.ratio(c.tp - c.fn, c.n))

    def asks(c):
        return c.where(c.sqrt(c.ratio(c.tp - c.fn, c.n)) >= 0, c.ratio(c.tp, c.n), c.ratio(c.tp, c.n + 1))

    verdict = gm.check(honest, properties=["scale_invariance"])["scale_invariance"]
    assert verdict.status == "proved"
    assert gm.verify(verdict, measure=honest)
    assert gm.measure(honest).exact([[1, 1], [1, 2]]) == gm.measure(honest).exact([[2, 2], [2, 4]])
    about = {"name": "asks", "definition": definition_of(gm.measure(asks))}
    cases = [{"map": 0, "support": f"{x:04b}", "supposed": True, "proof": {"by": "zero"}} for x in range(15, 0, -1)]
    forged = {**verdict.certificate.to_json(), "measure": about, "cases": cases}
    with pytest.raises(gm.CertificateError, match="supposed to be defined"):
        gm.verify(forged, measure=asks)
    assert gm.check(asks, properties=["scale_invariance"])["scale_invariance"].status == "refuted"
