"""Certificates have the published form: they fit the JSON Schema."""

from __future__ import annotations

import json
import re
from importlib.resources import files

import pytest
from jsonschema import Draft202012Validator

import goodmeasure as gm
from goodmeasure.theory.prove.proof import prove
from goodmeasure.theory.statements.certificate import FORMAT


@pytest.fixture(scope="module")
def schema():
    text = files("goodmeasure.theory.statements").joinpath("certificate.schema.json").read_text(encoding="utf-8")
    Draft202012Validator.check_schema(json.loads(text))
    return Draft202012Validator(json.loads(text))


def part_of(schema, name):
    """Return the validator of one definition of the schema."""
    return Draft202012Validator({**schema.schema, "oneOf": [{"$ref": f"#/$defs/{name}"}]})


def plain(certificate):
    """Return the cases of a certificate and of its parts, and each of these without its cases."""
    cases, around = list(certificate["cases"]), [{**certificate, "cases": []}]
    for part in certificate.get("parts", ()):
        more = plain(part)
        cases, around = cases + more[0], around + more[1]
    return cases, [{k: v for k, v in x.items() if k != "parts"} for x in around]


def test_every_certificate_of_the_atlas_fits(schema):
    """There are a quarter of a million cases, of some hundred shapes: one of each shape is validated."""
    cases, around = {}, {}
    for text in {x["certificate"].text for x in gm.atlas().cells if x["certificate"]}:
        found, outside = plain(json.loads(text))
        cases |= {nearly_shape(without_polynomials(x)): x for x in found}
        around |= {nearly_shape(x): x for x in outside}
    for name, listed in (("about_one_measure", around.values()), ("case", cases.values())):
        valid = part_of(schema, name)
        for x in {json.dumps(shape(without_polynomials(x)), sort_keys=True): x for x in listed}.values():
            valid.validate(x)


def nearly_shape(x):
    """Return the text of a node without the sizes of numbers, which is quickly made and tells all shapes apart."""
    return re.sub(r"[1-9]\d*", "1", json.dumps(x))


def shape(x):
    """Return a node without what the schema does not look at: sizes of numbers, and repetitions in lists."""
    if isinstance(x, dict):
        return {k: shape(v) for k, v in x.items()}
    if isinstance(x, list):
        shapes = map(shape, x)
        return list({json.dumps(y, sort_keys=True): y for y in shapes}.values())
    if isinstance(x, int) and not isinstance(x, bool):
        return (x > 0) - (x < 0)
    return re.sub(r"\d+", "0", x) if isinstance(x, str) else x


def without_polynomials(x):
    """Return a node without the texts of polynomials, which certificates of earlier versions have."""
    if isinstance(x, list):
        return [without_polynomials(y) for y in x]
    return {k: without_polynomials(v) for k, v in x.items() if k != "of"} if isinstance(x, dict) else x


def test_what_is_said_of_averages_fits(schema):
    for averaging, name, domain in (
        ("macro", "monotone", "regular"), ("micro", "distance", "all"), ("weighted", "symmetry", "regular"),
        ("macro", "distance", "all"), ("macro", "constant_baseline", "all"),
    ):  # fmt: skip
        data = json.loads(json.dumps(gm.preserves(averaging, name, domain=domain).certificate))
        schema.validate(data)
        assert not schema.is_valid({**data, "averaging": "mean"})
        assert not schema.is_valid({**data, "more": 1})


def test_certificates_about_all_measures_fit(schema):
    result = gm.possible("monotone", "distance", "constant_baseline")
    schema.validate(json.loads(json.dumps(result.certificate)))
    schema.validate(json.loads(json.dumps(result.for_every_n)))
    schema.validate(json.loads(json.dumps(gm.possible("distance", "monotone", n=2).certificate)))


def test_what_has_another_form_does_not_fit(schema):
    data = json.loads(json.dumps(prove("accuracy", "Mon").to_json()))
    schema.validate(data)
    assert schema.schema["title"] == FORMAT
    for changed in (
        {"format": "goodmeasure certificate 0"}, {"classes": 1}, {"classes": "2"}, {"domain": "some"}, {"more": 1},
        {"measure": None}, {"cases": [{"support": "12"}]}, {"cases": [{"guess": {"true": [1, 1]}}]},
        {"cases": [{"best": 1}]}, {"cases": [{"unknown": 1}]}, {"cases": [{"proof": {"by": "zero", "unknown": 1}}]},
        {"cases": [{"proof": {"splits": ["x?y"], "by": "zero"}}]},
    ):  # fmt: skip
        assert not schema.is_valid({**data, **changed})
    assert not schema.is_valid({k: v for k, v in data.items() if k != "statement"})
