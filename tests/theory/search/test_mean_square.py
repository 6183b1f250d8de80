"""The roots of chi-squared: they are defined, symmetric and independent of the scale, for three classes too."""

import json

import pytest

import goodmeasure as gm


def test_a_root_of_phi_squared_has_a_value_wherever_all_classes_occur():
    verdict = gm.check("cramers_v", classes=3, domain="regular", properties=["sebastiani_wde"])["sebastiani_wde"]
    assert verdict.status == "proved"


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
    about = {"name": "asks", "orientation": "higher", "tree": json.loads(gm.measure(asks).tree.to_json())}
    with pytest.raises(gm.CertificateError):
        gm.verify({**verdict.certificate.to_dict(), "measure": about}, measure=asks)
    assert gm.check(asks, properties=["scale_invariance"])["scale_invariance"].status == "refuted"
