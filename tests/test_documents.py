"""Everything that is saved as JSON is read back as it was, by one mechanism, and follows its published schema."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from importlib.resources import files

import numpy as np
import pytest
from jsonschema import Draft202012Validator

import goodmeasure as gm
from goodmeasure import results
from goodmeasure.comparison.comparison import Comparison
from goodmeasure.documents import HEAD, JsonDocument, _fields_of, schema_of
from goodmeasure.evaluation.result import Result
from goodmeasure.evaluation.writing import Written
from goodmeasure.notebooks import SentencesAndTable
from goodmeasure.theory.atlas.preservation import preserves
from goodmeasure.theory.possible.normaliser import normaliser

TRUE = ["ham", "spam", "ham", "spam", "ham", "ham", "spam", "ham"] * 5
A = ["ham", "spam", "ham", "ham", "ham", "spam", "spam", "ham"] * 5
B = ["ham", "ham", "ham", "spam", "spam", "ham", "spam", "ham"] * 5
LISTED = [["a"], ["b"], ["a", "b"]] * 4
COLOURS = (["r", "g", "b", "b", "r", "g"] * 6, ["r", "g", "b", "r", "r", "b"] * 6)
SCORES = np.linspace(0, 1, 40) ** 2
BOTH = {"A": SCORES, "B": SCORES[::-1]}
OPTIONS = {"replicates": 50, "seed": 1}


def window() -> gm.SlidingWindow:
    found = gm.SlidingWindow(2)
    for k in range(3):
        found.update(TRUE[k : k + 4], A[k : k + 4])
    return found


def own(c):
    return c.ratio(c.sum(lambda i: c[i, i]), c.n + 1)


MADE: dict[str, Callable[[], JsonDocument]] = {
    "matrix": lambda: gm.confusion(TRUE, A),
    "weighted matrix": lambda: gm.confusion(TRUE, A, sample_weight=np.arange(1, 41) / 7),
    "result": lambda: gm.evaluate(TRUE, A, **OPTIONS),
    "several systems and slices": lambda: gm.evaluate(
        TRUE, {"A": A, "B": B}, by={"site": ["x", "y"] * 20, "age": [1, 2, 2, None] * 10}, missing="class", **OPTIONS
    ),
    "three classes, groups and weights": lambda: gm.evaluate(
        *COLOURS, groups=[0, 1, 2] * 12, sample_weight=[0.5, 1.5, 1] * 12, **OPTIONS
    ),
    "own measures": lambda: gm.evaluate(TRUE, A, measures=["mcc", own, "fbeta(2)"], undefined="nan", **OPTIONS),
    "undefined values": lambda: gm.evaluate(["a", "a", "b"], ["a", "a", "a"], undefined="nan", confidence=None),
    "scores": lambda: gm.evaluate(TRUE, y_score=SCORES, threshold=0.3, positive="spam", **OPTIONS),
    "several scores": lambda: gm.evaluate(TRUE, y_score={"A": SCORES, "B": SCORES[::-1]}, positive="spam", **OPTIONS),
    "a matrix": lambda: gm.evaluate(gm.ConfusionMatrix([[50, 3], [4, 20]]), **OPTIONS),
    "comparison": lambda: gm.compare(TRUE, {"A": A, "B": B}, by=["x", "y"] * 20, margin=0.1, **OPTIONS),
    "comparison of scores": lambda: gm.compare(TRUE, y_score=BOTH, positive="spam", **OPTIONS),
    "multilabel": lambda: gm.evaluate(gm.multilabel(LISTED, [["a"], ["a"], ["a", "b"]] * 4), **OPTIONS),
    "comparison of multilabel systems": lambda: gm.compare(
        {
            "A": gm.multilabel(LISTED, [["a"], ["a"], ["a", "b"]] * 4),
            "B": gm.multilabel(LISTED, [["b"], ["a"], []] * 4),
        },
        **OPTIONS,
    ),
    "sweep": lambda: gm.sweep(TRUE, SCORES, positive="spam"),
    "sweep of groups": lambda: gm.sweep(TRUE, BOTH, by=["x", "y"] * 20, positive="spam"),
    "sweep of matrices": lambda: gm.sweep(
        matrices={0.5: gm.ConfusionMatrix([[5, 3], [2, 4]]), 0.7: gm.ConfusionMatrix([[7, 1], [3, 3]])}
    ),
    "result with a judge": lambda: gm.evaluate(
        [*TRUE[:20], *[None] * 20], {"A": A, "B": B}, y_judge=A[::-1], strata=[1, 2] * 20, **OPTIONS
    ),
    "judge": lambda: gm.judge([*TRUE[:30], *[None] * 10], A, by={"site": ["x", "y"] * 20}, groups=[1, 2, 3, 4] * 10),
    "raters": lambda: gm.raters([["a", "a", None], ["b", "a", "b"], ["b", "b", "b"], ["a", None, "a"]] * 3),
    "preferences": lambda: gm.preferences(["A", "B", "A"] * 6, ["B", "C", "C"] * 6, ["A", "tie", "C"] * 6),
    "requirements": lambda: gm.evaluate(TRUE, A, **OPTIONS).checked("mcc >= 0.3", "recall[spam] >= 0.9"),
    "drift": lambda: gm.drift(gm.confusion(TRUE, A), gm.confusion(TRUE, B), replicates=50),
    "plan": lambda: gm.plan(gm.ConfusionMatrix([[50, 3], [4, 20]]), width=0.1, simulations=20),
    "window": window,
    "verdict": lambda: gm.check(gm.f1, properties=["monotone"])["monotone"],
    "proved verdict": lambda: gm.check(gm.accuracy, properties=["symmetry"])["symmetry"],
    "verdicts": lambda: gm.check(gm.f1, properties=["symmetry", "monotone", "distance"]),
    "recommendation": lambda: gm.recommend(classes=3, needs=["monotone"], avoids=["distance"]),
    "impossible recommendation": lambda: gm.recommend(needs=["monotone", "distance", "constant_baseline"]),
    "recommendation with costs": lambda: gm.recommend(costs=[[0, 1], [5, 0]]),
    "recommendation of scores": lambda: gm.recommend(predictions="scores", capacity=0.1),
    "atlas": lambda: gm.atlas("f1", classes=2),
    "possible": lambda: gm.possible("monotone", "symmetry", n=2),
    "impossible": lambda: gm.possible("monotone", "distance", "constant_baseline"),
    "preservation": lambda: preserves("macro", "minimal_agreement"),
    "normaliser": lambda: normaliser(mean="geometric"),
}


@pytest.mark.parametrize("name", MADE)
def test_a_document_is_read_back_as_it_was(name):
    made = MADE[name]()
    text = made.to_json()
    assert json.loads(text) == made.to_dict()
    back = type(made).from_json(text)
    assert str(back) == str(made)
    assert repr(back) == repr(made)
    assert back.to_json() == text
    if hasattr(made, "table") and not callable(made.table):
        assert repr(back.table) == repr(made.table)
    if hasattr(made, "to_html"):
        assert back.to_html() == made.to_html()
    Draft202012Validator(published(made.kind)).validate(json.loads(text))
    assert str(results.read(text)) == str(made)


def published(kind):
    return json.loads(files("goodmeasure").joinpath("schemas", f"{kind}.json").read_text(encoding="utf-8"))


def test_every_kind_has_a_class_a_test_and_a_published_schema():
    """What derives from JsonDocument is listed in `results.KINDS`; `make docs` writes the schemas."""
    for kind in results.KINDS:
        cls = results.class_of(kind)
        assert cls.kind == kind
        Draft202012Validator.check_schema(published(kind))
        assert published(kind) == json.loads(json.dumps(schema_of(cls)))
    assert {x.name.removesuffix(".json") for x in files("goodmeasure").joinpath("schemas").iterdir()} == {
        *results.KINDS
    }
    known = {results.class_of(x) for x in results.KINDS}
    ours = {x for x in below(JsonDocument) if hasattr(sys.modules.get(x.__module__), x.__name__)}  # not of doctests
    assert {x for x in ours if x.__module__.startswith("goodmeasure.")} == known | {
        Written,
        SentencesAndTable,
    }


def below(cls):
    return {x for each in cls.__subclasses__() for x in (each, *below(each))}


def test_a_document_of_another_kind_is_refused():
    text = gm.drift(gm.confusion(TRUE, A), gm.confusion(TRUE, B), replicates=50).to_json()
    with pytest.raises(gm.InputError, match="not an evaluation: its schema is 'goodmeasure/drift/1'"):
        Result.from_json(text)
    with pytest.raises(gm.InputError, match="not an evaluation: it has no schema"):
        results.read("[]")


def test_a_document_of_a_newer_version_is_refused():
    text = (
        gm.confusion(TRUE, A)
        .to_json()
        .replace("confusion-matrix/1", "confusion-matrix/2")
        .replace(gm.__version__, "9.0")
    )
    said = r"goodmeasure 9.0; this version of goodmeasure reads 'goodmeasure/confusion-matrix/1'"
    with pytest.raises(gm.InputError, match=said):
        gm.ConfusionMatrix.from_json(text)


@pytest.mark.parametrize("name", ["result", "comparison", "sweep", "drift", "plan", "verdicts", "recommendation"])
def test_a_document_that_lacks_something_is_refused(name):
    made = MADE[name]()
    data = made.to_dict()
    part = data.get("state", data)
    optional = {x.name for x in _fields_of(type(made)) if x.optional} | {*made.derived, *HEAD}
    assert {*part} - optional
    for key in {*part} - optional:
        changed = {name: x for name, x in part.items() if name != key}
        with pytest.raises(gm.InputError, match="is damaged: KeyError"):
            type(made).from_json({**data, "state": changed} if "state" in data else changed)


def test_a_saved_result_is_drifted_checked_and_shown_again():
    """Last night's JSON takes the place of the result that it was."""
    result = gm.evaluate(TRUE, {"A": A}, **OPTIONS)
    saved = Result.from_json(json.loads(result.to_json()))
    now = gm.evaluate(TRUE, {"A": B}, **OPTIONS)
    assert repr(gm.drift(saved, now, replicates=50)) == repr(gm.drift(result, now, replicates=50))
    assert saved.metrics() == result.metrics()
    assert saved.value("mcc") == result.value("mcc")
    assert repr(saved.checked("mcc >= 0.3")) == repr(result.checked("mcc >= 0.3"))
    compared = gm.compare(TRUE, {"A": A, "B": B}, **OPTIONS)
    again = Comparison.from_json(compared.to_json())
    assert repr(again.checked(baseline="A")) == repr(compared.checked(baseline="A"))


def test_a_measure_without_a_tree_keeps_the_values_that_it_had():
    """A function that cannot be recorded is not saved: its values are, and computing others is refused."""

    def opaque(c):
        return float(c.tp) / 4 if float(c.tp) > 3 else 0.0

    result = gm.evaluate(TRUE, A, measures=["mcc", opaque], **OPTIONS)
    back = Result.from_json(result.to_json())
    assert back.value("opaque") == result.value("opaque")
    assert repr(back.table) == repr(result.table)
    with pytest.raises(gm.InputError, match="the function of opaque was not saved"):
        back.settings.measures[1]([[1, 2], [3, 4]], positive=1)
