"""The numbers of a certificate are compared by value, however they are written."""

from __future__ import annotations

from fractions import Fraction

import pytest

import goodmeasure as gm
from goodmeasure.language.exact import reals
from goodmeasure.theory.verify.stated_values import is_stated, value_of


@pytest.mark.parametrize("text", ["1/2", "2/4", "1 - 1/2", "sqrt(2)^2/4", "sqrt(1/4)", "root(1/8, 3)", "log(2)/log(4)"])
def test_a_value_may_be_written_in_many_ways(text):
    assert is_stated(text, Fraction(1, 2))
    assert not is_stated(text, Fraction(1, 3))


@pytest.mark.parametrize(
    "text",
    [
        *("", "0.5", "True", "m/2", "undefined", "1/0", "1 if 1 else 2", "sqrt(1, 4)", "abs(1/2)", "1/2; 1", None, 0.5),
        *("sqrt(-1)", "log(0)", "acos(2)", "root(2, 0)", "root(-8, 3)", "9^9^9", "exp(exp(exp(9)))"),
        *("((((9^99)^99)^99)^99)^99*0 + 1/2", "sqrt((((2 + sqrt(2))^50)^50)^50)*0 + 1/2"),
        *("(" * 5000 + "1/2" + ")" * 5000, "log(" * 90 + "3" + ")" * 90, "1/2" + "+0" * 9000),
    ],
    ids=lambda x: str(x)[:12],
)
def test_what_is_no_number_is_refused_at_once(text):
    assert not is_stated(text, Fraction(1, 2))


def test_an_equality_that_stays_undecided_is_refused():
    class Open:
        def __eq__(self, other):
            raise gm.Undecided("too close")

        __hash__ = None

    assert not is_stated("1/2", Open())
    assert not is_stated("1/2", reals.UNDEFINED)
    assert not is_stated("1/2", None)


def test_every_value_in_the_atlas_is_read_as_the_same_number():
    seen = set()
    for verdict in gm.atlas(domain="regular"):
        if verdict.witness is not None:
            seen |= {x.value for x in verdict.witness.exhibits if x.value != "undefined"}
    assert len(seen) > 100
    assert all(is_stated(x, value_of(x)) for x in seen)


PROVED = [
    ("accuracy", "maximal_agreement", 2, "all"),
    ("accuracy", "maximal_agreement", 3, "regular"),
    ("mcc", "constant_baseline", 2, "regular"),
    ("accuracy", "distance", 3, "regular"),
    ("recall", "sebastiani_fix", 2, "regular"),
    ("k", "sebastiani_cha", 2, "regular"),
    ("mcc", "opitz_chance_corrected", 2, "regular"),
]


@pytest.mark.parametrize(("name", "prop", "classes", "domain"), PROVED)
def test_constants_may_be_written_differently_but_not_be_others(name, prop, classes, domain):
    verdict = gm.atlas().verdict(name, prop, classes=classes, domain=domain)
    assert verdict.constants
    data = verdict.to_json()
    for change, accepted in ((lambda x: f"2*({x})/2", True), (lambda x: f"{x} + 1/10^9", False)):
        constants = {k: change(v) for k, v in data["certificate"]["constants"].items()}
        changed = {**data["certificate"], "constants": constants}
        changed["parts"] = [{**x, "constants": {k: change(v) for k, v in x["constants"].items()}}
                            for x in changed.get("parts", [])] or None  # fmt: skip
        changed = {k: v for k, v in changed.items() if v is not None}
        if accepted:
            assert gm.verify(changed)
            assert gm.verify({**data, "certificate": changed})
        else:
            with pytest.raises(gm.CertificateError):
                gm.verify(changed)


def test_the_values_of_a_witness_may_be_written_differently_but_not_be_others():
    data = gm.atlas().verdict("f1", "monotone").to_json()
    first = data["witness"]["exhibits"][0]
    value = first["value"]
    first["value"] = f"({value})*3/3"
    assert gm.verify(data)
    first["value"] = f"{value} + 1/10^30"
    with pytest.raises(gm.CertificateError) as error:
        gm.verify(data)
    assert (error.value.field, error.value.got) == ("witness", first["value"])
