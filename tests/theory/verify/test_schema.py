"""Certificates have the published form: they fit the JSON Schema."""

from __future__ import annotations

import json
import random
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


def test_certificates_of_the_atlas_fit(schema):
    """Each run takes another twelfth of them, since all take half a minute."""
    one = Draft202012Validator({**schema.schema, "oneOf": [{"$ref": "#/$defs/about_one_measure"}]})
    texts = {x["certificate"].text for x in gm.atlas().cells if x["certificate"]}
    for text in sorted(texts)[random.randrange(12) :: 12]:
        one.validate(json.loads(text))


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
        {"measure": None}, {"cases": [{"support": "12"}]}, {"cases": [{"proof": {"splits": ["x?y"], "by": "zero"}}]},
    ):  # fmt: skip
        assert not schema.is_valid({**data, **changed})
    assert not schema.is_valid({k: v for k, v in data.items() if k != "statement"})
