"""Claims that were changed by hand are refused: what a verdict or a result says beside its certificate is verified too.

Certificates of more classes than can be checked are refused as well, and at once.
"""

from __future__ import annotations

import copy
import json

import pytest

import goodmeasure as gm
from goodmeasure.theory.kernel.proof import FORMS
from goodmeasure.theory.subject.time_limits import time_limit


def plain(x):
    return json.loads(json.dumps(x.to_dict()))


def verdict(measure, name, **options):
    return gm.check(measure, properties=[name], **options)[name]


def refused(data, **options):
    with pytest.raises(gm.CertificateError):
        gm.verify(data, **options)


# A constant that depends on the number of classes


def offset(c):
    more = (c.m - 2) * (c.m - 3) * (c.m - 4)  # it vanishes for two, three and four classes
    return c.mean(lambda i: c.ratio(c[i, i], c.a[i])) - c.ratio(1, c.m) + more


def lifts(c):
    return c.sum(lambda i: c.ratio(c.n * c[i, i], c.a[i] * c.b[i]))


@pytest.fixture(scope="module")
def strict():
    return verdict(offset, "opitz_chance_corrected_strictly", classes="every", domain="regular")


def test_a_constant_may_depend_on_the_number_of_classes(strict):
    assert strict.status == "proved"
    assert gm.verify(strict)
    found = gm.measure(offset)
    for m, expected in ((2, 0), (3, 0), (4, 0), (5, 6), (6, 24)):
        assert found.exact([[1] * m] * m) == expected
        stated = eval(str(strict.constants["omega"]).replace("^", "**"), {"m": m})
        assert stated == expected


def test_complete_chance_correction_does_not_follow_from_few_numbers_of_classes(strict):
    assert verdict(offset, "opitz_chance_corrected_completely", classes="every", domain="regular").status != "proved"
    for statement, name in (("opitz_chance_corrected_completely", "Omega"), (strict.statement, "omega")):
        data = plain(strict.certificate)
        data.update(statement=statement, constants={name: "0"})
        for case in data["cases"]:
            if "of" in case["proof"]:
                case["proof"]["of"] = "0"
        refused(data, measure=offset)


@pytest.mark.parametrize("m", [2, 3, 4, "every"])
def test_the_sum_of_lifts_scores_the_number_of_classes_by_chance(m):
    found = verdict(lifts, "constant_baseline", classes=m, domain="regular")
    assert (found.status, str(found.certificate.constants["c_base"])) == ("proved", "m" if m == "every" else str(m))
    assert gm.verify(found, measure=lifts)


def test_complete_chance_correction_does_not_follow_from_two_classes():
    """The sum of lifts scores m: what is proved for two classes says nothing about a measure that takes more."""
    data = plain(verdict(lifts, "opitz_chance_corrected_strictly", domain="regular"))
    assert gm.verify(data, measure=lifts)
    refused({**data, "property": "opitz_chance_corrected_completely", "constants": {"Omega": "2"}}, measure=lifts)


# Verdicts


def test_a_verdict_about_some_classes_may_not_state_another_constant():
    found = verdict(gm.accuracy, "maximal_agreement", classes=3, domain="regular")
    data = plain(found)
    assert gm.verify(data)
    for certificate in (data["certificate"], *data["certificate"].get("parts", ())):
        refused({**data, "certificate": certificate, "constants": {"c_max": "42"}})


def test_a_verdict_may_not_borrow_a_certificate_about_every_number_of_classes():
    data = plain(verdict(gm.accuracy, "maximal_agreement", classes="every", domain="regular"))
    refused({**data, "classes": 3, "constants": {"c_max": "42"}})
    refused({**data, "constants": {"c_max": "42"}})


@pytest.mark.parametrize(
    "changed",
    [
        {"constants": {"foo": "7"}}, {"constants": {"c_max": "1", "foo": "7"}}, {"constants": {"c_max": "2"}},
        {"constants": None}, {"n": 3}, {"status": "held"}, {"status": "refuted"}, {"status": "vacuous"},
        {"classes": 3}, {"domain": "regular"}, {"undefined": "nan"}, {"measure": "mcc"}, {"property": "symmetry"},
        {"witness": {"exhibits": [], "says": "", "replay": ""}},
    ],
    ids=str,
)  # fmt: skip
def test_everything_that_a_verdict_claims_is_verified(changed):
    data = plain(verdict(gm.accuracy, "maximal_agreement"))
    assert gm.verify(data)
    refused({**data, **changed})


# What is possible


@pytest.fixture(scope="module")
def impossible():
    return plain(gm.possible("monotone", "distance", "constant_baseline"))


@pytest.fixture(scope="module")
def possible():
    return plain(gm.possible("distance", "monotone", n=3))


@pytest.mark.parametrize(
    "changed", [{"n": 1}, {"n": 50}, {"sizes": [1]}, {"used": ["symmetry"]}, {"known": "f1"}], ids=str
)
def test_everything_that_an_impossible_result_claims_is_verified(impossible, changed):
    assert gm.verify(impossible)
    refused({**impossible, **changed})


@pytest.mark.parametrize("changed", [{"n": 1000}, {"sizes": list(range(1, 1001))}, {"known": "f1"}], ids=str)
def test_everything_that_a_possible_result_claims_is_verified(possible, changed):
    assert gm.verify(possible)
    refused({**possible, **changed})


@pytest.mark.parametrize(
    "data",
    [
        '{"certificate": "x"}', {"certificate": "{}"}, {"certificate": '"certificate"'},
        {"certificate": {"certificate": {"certificate": 1}}}, '"certificate"', {"certificate": ""},
        {"certificate": "certificate"}, {"certificate": '{"certificate":"x"}'}, "", "[]", "{}", {}, "null",
    ],
    ids=str,
)  # fmt: skip
def test_what_is_no_certificate_is_refused(data):
    refused(data)


# Too many classes, or none


@pytest.fixture(scope="module")
def proofs():
    names = ("monotone", "maximal_agreement", "symmetry", "class_symmetry", "approximate_constant_baseline", "distance")
    return {x: plain(verdict(gm.accuracy if x != "approximate_constant_baseline" else gm.mcc, x).certificate)
            for x in names}  # fmt: skip


@pytest.mark.parametrize("m", [-1, 0, 1, 5, 6, 40, 10**9, 10**40, 2.0, True, None, "2", "every", [2]])
def test_another_number_of_classes_is_refused_at_once(proofs, m):
    for data in proofs.values():
        if data["by"] in FORMS and m in (5, 6, "every"):
            continue  # what the form of a tree shows holds for every number of classes
        changed = {**copy.deepcopy(data), "classes": m}
        with time_limit(30, lambda: f"verify with {m} classes"):
            refused(changed)
