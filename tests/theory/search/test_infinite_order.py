"""Baselines of infinite order (goesgens2021, Definitions 12 and 13), against second differences on exact numbers."""

import random

import numpy as np
import pytest

import goodmeasure as gm

INFINITE = "approximate_constant_baseline(order=inf)"


@pytest.mark.parametrize("name", ["mcc", "kappa", "sba", "generalized_mean(r=2)", "markedness"])
def test_a_measure_that_is_affine_in_the_agreements_has_infinite_order(name):
    verdict = gm.check(name, domain="regular", properties=[INFINITE])[INFINITE]
    assert verdict.status == "proved"
    assert gm.verify(verdict)
    rng, measure = random.Random(3), gm.measure(name)
    for _ in range(30):
        tn, fp, fn, tp = (rng.randint(2, 30) for _ in range(4))
        low, middle, high = (measure.exact([[tn + t, fp - t], [fn - t, tp + t]]) for t in (-1, 0, 1))
        assert low + high == middle + middle


@pytest.mark.parametrize(("name", "order"), [("correlation_distance", 3), ("correlation_chord", 2), ("yule_q", 3)])
def test_the_first_derivative_that_does_not_vanish_is_shown(name, order):
    """Statement 6 of the appendix: the correlation distance has order 2 and no more, the chord order 1."""
    verdict = gm.check(name, domain="regular", properties=[INFINITE])[INFINITE]
    assert verdict.status == "refuted"
    assert f"the derivative of order {order} by" in verdict.witness.says


def test_a_proof_of_another_order_is_refused():
    data = gm.check("mcc", domain="regular", properties=[INFINITE])[INFINITE].certificate.to_dict()
    assert gm.verify(data)
    finite = gm.check("correlation_distance", domain="regular", properties=["ACB2"])["ACB2"].certificate.to_dict()
    changes = (
        {"cases": data["cases"][:1]},
        {"constants": {"c_base": "1"}},
        {"measure": finite["measure"], "constants": finite["constants"]},
    )
    for change in changes:
        with pytest.raises(gm.CertificateError):
            gm.verify({**data, **change})


def test_derivatives_of_floats_are_not_said_to_be_searched():
    def black_box(matrix):
        rows = np.asarray(matrix, float)
        return float(np.linalg.det(rows) / rows.sum() ** 2)

    report = gm.check(black_box, domain="regular", properties=["ACB1", "ACB2", INFINITE])
    assert report["ACB1"].n is not None
    for name in ("ACB2", INFINITE):
        assert (report[name].status, report[name].n, report[name].method) == ("held", None, "not searched")


def test_an_order_is_a_whole_number_or_infinite():
    with pytest.raises(gm.InputError, match="or inf"):
        gm.check("mcc", properties=["approximate_constant_baseline(order=13)"])
