"""Certificates have the published form: they fit the JSON Schema."""

from __future__ import annotations

import json
import re
from importlib.resources import files

import pytest
from jsonschema import Draft202012Validator

import goodmeasure as gm
from goodmeasure.theory.atlas.preservation import preserves
from goodmeasure.theory.statements.certificate import FORMAT
from tests.theory.proving import prove


@pytest.fixture(scope="module")
def schema():
    text = files("goodmeasure.theory.statements").joinpath("certificate.schema.json").read_text(encoding="utf-8")
    Draft202012Validator.check_schema(json.loads(text))
    return Draft202012Validator(json.loads(text))


def part_of(schema, name):
    """Return the validator of one definition of the schema."""
    return Draft202012Validator({**schema.schema, "oneOf": [{"$ref": f"#/$defs/{name}"}]})


def nodes(certificate):
    """Yield a certificate without its cases, and its cases, and the same of its parts."""
    yield "about_one_measure" if "format" in certificate else "part", {**certificate, "cases": [], "parts": {}}
    yield from (("case", x) for x in certificate.get("cases", ()))
    for part in certificate.get("parts", {}).values():
        yield from nodes(part)


def test_every_certificate_of_the_atlas_fits(schema):
    """There are a quarter of a million cases, of some hundred shapes: one of each shape is validated."""
    shapes = {}
    for text in {x["certificate"].text for x in gm.atlas().cells if x["certificate"]}:
        for name, x in nodes(json.loads(text)):
            shapes[name, re.sub(r"\d+", "0", json.dumps(x))] = x
    found = {(name, json.dumps(shape(x), sort_keys=True)): x for (name, _), x in shapes.items()}
    valid = {name: part_of(schema, name) for name, _ in found}
    for (name, _), x in found.items():
        valid[name].validate(x)


def shape(x):
    """Return a node without what the schema does not look at: sizes of numbers, texts, and repetitions in lists."""
    if isinstance(x, dict):
        return {k: shape(v) for k, v in x.items() if k not in ("tree", "of", "terms", "up")}
    if isinstance(x, list):
        return list({json.dumps(y, sort_keys=True): y for y in map(shape, x)}.values())
    if isinstance(x, int) and not isinstance(x, bool):
        return (x > 0) - (x < 0)
    return re.sub(r"\d+", "0", x) if isinstance(x, str) else x


def test_what_is_said_of_averages_fits(schema):
    for averaging, name, domain in (
        ("macro", "monotone", "regular"), ("micro", "distance", "all"), ("weighted", "symmetry", "regular"),
        ("macro", "distance", "all"), ("macro", "constant_baseline", "all"),
    ):  # fmt: skip
        data = json.loads(json.dumps(preserves(averaging, name, domain=domain).certificate))
        schema.validate(data)
        assert not schema.is_valid({**data, "averaging": "mean"})
        assert not schema.is_valid({**data, "more": 1})


def test_certificates_about_all_measures_fit(schema):
    result = gm.possible("monotone", "distance", "constant_baseline")
    schema.validate(json.loads(json.dumps(result.certificate)))
    schema.validate(json.loads(json.dumps(result.for_every_n)))
    schema.validate(json.loads(json.dumps(gm.possible("distance", "monotone", n=2).certificate)))


def test_what_has_another_form_does_not_fit(schema):
    data = json.loads(json.dumps(prove("accuracy", "Mon").to_dict()))
    schema.validate(data)
    assert schema.schema["title"] == FORMAT
    for changed in (
        {"format": "goodmeasure certificate 1"}, {"classes": 1}, {"classes": "2"}, {"domain": "some"}, {"more": 1},
        {"measure": None}, {"measure": {"name": "accuracy"}}, {"cases": [{"support": "12"}]}, {"constants": {"c": 1}},
        {"cases": [{"best": 1}]}, {"cases": [{"proof": {}}]}, {"parts": [1]}, {"parts": {"all": {"more": 1}}},
        {"cases": [{"proof": {"split": {"variables": ["x"]}}}]}, {"cases": [{"proof": {"by": "x", "facts": [{}]}}]},
    ):  # fmt: skip
        assert not schema.is_valid({**data, **changed})
    assert not schema.is_valid({k: v for k, v in data.items() if k != "statement"})
