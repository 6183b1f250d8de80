"""The witness of a refuted verdict is replayed for every kind of statement that matrices can refute."""

from __future__ import annotations

import copy
import json

import pytest

import goodmeasure as gm
from goodmeasure.exceptions import CertificateError

REFUTED = [
    ("accuracy", "constant_baseline", "all"), ("precision", "sebastiani_cha", "all"),
    ("diagnostic_odds_ratio", "constant_baseline", "all"), ("f1", "approximate_constant_baseline", "regular"),
    ("accuracy", "opitz_chance_corrected_completely", "all"), ("f1", "approximate_constant_baseline(order=1)", "all"),
    ("mutual_information", "approximate_constant_baseline(order=2)", "regular"), ("f1", "sebastiani_sde", "all"),
    ("f1", "sebastiani_wde", "all"), ("predicted_prevalence", "sebastiani_fix", "regular"),
    ("accuracy", "sebastiani_imb", "all"),
    ("mcc", "opitz_class_decomposable", "regular"), ("mcc", "distance", "regular"), ("recall", "distance", "all"),
    ("discriminant_power", "maximal_agreement", "all"), ("discriminant_power", "minimal_agreement", "regular"),
    ("lift", "maximal_agreement", "all"), ("plr", "maximal_agreement", "all"), ("nlr", "minimal_agreement", "regular"),
]  # fmt: skip


def refuted(measure, name, domain):
    verdict = gm.check(measure, domain=domain, properties=name)[name]
    assert verdict.status == "refuted"
    return json.loads(json.dumps(verdict.to_dict()))


@pytest.mark.parametrize(("measure", "name", "domain"), REFUTED)
def test_a_witness_is_replayed_and_a_changed_one_is_refused(measure, name, domain):
    data = refuted(measure, name, domain)
    assert gm.verify(data)
    assert gm.verify(json.dumps(data))
    for change in ({"n": data["n"] + 1}, {"classes": "2"}, {"property": "sebastiani_con"}):
        with pytest.raises(CertificateError):
            gm.verify({**data, **change})
    exhibits = data["witness"]["exhibits"]
    for k, exhibit in enumerate(exhibits):
        for change in changes(exhibit):
            changed = copy.deepcopy(data)
            changed["witness"]["exhibits"][k].update(change)
            with pytest.raises(CertificateError):
                gm.verify(changed)
    changed = copy.deepcopy(data)
    del changed["witness"]["exhibits"][-1]
    with pytest.raises(CertificateError):
        gm.verify(changed)


def changes(exhibit):
    """Yield changes of an exhibit after which it shows nothing."""
    if exhibit["value"] != "undefined":
        yield {"value": "2/7"}
    if "matrix" in exhibit:
        rows = copy.deepcopy(exhibit["matrix"])
        rows[0][0] = 7
        if exhibit["role"] != "equal labelings":  # of which any number will do
            yield {"matrix": rows}
        yield {"matrix": [[-1, 1], [1, 1]]}
    else:
        average = copy.deepcopy(exhibit["average"])
        average[0][0] = "1/7"
        yield {"average": average}
        yield {"average": average[1:]}


def test_whole_averages_are_not_refuted_by_averages_over_a_part():
    """Lift has a constant baseline; averages over only those predictions that have a value say nothing against it."""
    data = refuted("diagnostic_odds_ratio", "constant_baseline", "all")
    assert "where defined" in data["witness"]["exhibits"][0]["role"]
    for exhibit in data["witness"]["exhibits"]:
        del exhibit["average"][1:]
        exhibit["average"][0][0] = "1"
    with pytest.raises(CertificateError):
        gm.verify({**data, "measure": "lift"})


@pytest.mark.parametrize(
    "name",
    [
        *("f1", "mcc", "lift"),  # a jump, a limit that depends on the ray, a pole
        *("g_mean", "entropy_joint", "cramers_v"),  # slopes like 1/√t and log t, and a corner
        *("correlation_distance", "braun_blanquet", "optimized_precision"),
    ],
)
def test_limits_and_slopes_along_rays_are_worked_out_again(name):
    assert gm.verify(refuted(name, "sebastiani_con", "all"))


@pytest.mark.parametrize("name", ["accuracy", "jaccard", "kappa", "mutual_information", "diagnostic_odds_ratio", "mcc"])
def test_a_measure_is_smooth_where_all_cells_are_positive(name):
    data = refuted("f1", "sebastiani_con", "all")
    value = gm.measure(name).exact([[2, 1], [1, 3]])
    data["witness"]["exhibits"] = [
        {"role": "at", "matrix": [[2, 1], [1, 3]], "value": str(value), "number": float(value)}
    ]
    with pytest.raises(CertificateError, match="smooth function"):
        gm.verify({**data, "measure": name, "n": 7})


def test_a_logarithm_is_unbounded_in_one_direction_only():
    said = refuted("discriminant_power", "maximal_agreement", "regular")
    said["witness"]["exhibits"][1] = said["witness"]["exhibits"][0] | {"matrix": [[1, 1], [1, 10**9 + 1]]}
    value = gm.discriminant_power.exact([[1, 1], [1, 10**9 + 1]])
    said["witness"]["exhibits"][1] |= {"value": str(value), "number": float(value)}
    assert gm.verify(said)  # the other recall grows as well
    said["witness"]["exhibits"][1] |= {"matrix": [[1, 10**9 + 1], [1, 1]]}
    said["witness"]["exhibits"][1] |= {"value": str(-value), "number": -float(value)}
    with pytest.raises(CertificateError):
        gm.verify(said)  # along this ray it falls
