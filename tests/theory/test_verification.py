"""`gm.verify` accepts proofs and nothing else: one changed field or one dropped case is refused."""

from __future__ import annotations

import copy
import json

import pytest

import goodmeasure as gm
from goodmeasure.exceptions import CertificateError
from goodmeasure.theory.search.prove import prove, search
from goodmeasure.theory.statements import lookup
from goodmeasure.theory.statements.certificate import Certificate

PROVED = [
    ("accuracy", "Mon", 2, "all"),
    ("mcc", "SMon", 2, "regular"),
    ("mcc", "Max", 2, "all"),
    ("correlation_distance", "Dist", 2, "regular"),
    ("jaccard", "Dist", 2, "all"),
    ("sba", "CB", 2, "all"),
    ("kappa", "ACB", 2, "all"),
    ("k", "FIX", 2, "all"),
    ("k", "CON", 2, "all"),
    ("generalized_mean(r=2)", "Mon", 2, "regular"),
    ("generalized_mean(r=inf)", "Mon", 2, "regular"),
    ("accuracy", "Sym", 3, "regular"),
    ("accuracy", "Mon", "every", "regular"),
    ("sba", "Max", "every", "regular"),
    ("sba", "CB", "every", "regular"),
]


def certificate(measure, name, classes=2, domain="all"):
    return prove(gm.measure(measure), lookup.statement(name), classes, domain)


@pytest.fixture(scope="module")
def proved():
    """The certificates, as JSON."""
    return {x: json.dumps(certificate(*x)) for x in PROVED}


def refused(data, **options):
    with pytest.raises(CertificateError) as error:
        gm.verify(data, **options)
    return str(error.value)


@pytest.mark.parametrize("what", PROVED)
def test_json_certificates_are_accepted(proved, what):
    assert gm.verify(json.loads(proved[what]) if what[1] == "Max" else proved[what])
    assert Certificate.from_json(proved[what]).to_dict() == json.loads(proved[what])


@pytest.mark.parametrize("what", PROVED)
def test_a_dropped_case_is_noticed(proved, what):
    data = json.loads(proved[what])
    for k in {0, len(data.get("cases", [])) // 2, len(data.get("cases", [])) - 1} if data.get("cases") else ():
        changed = copy.deepcopy(data)
        del changed["cases"][k]
        refused(changed)
    for name in data.get("parts", {}):
        changed = copy.deepcopy(data)
        del changed["parts"][name]
        refused(changed)


def test_another_measures_certificate_is_refused(proved):
    data = json.loads(proved["accuracy", "Mon", 2, "all"])
    other = copy.deepcopy(data)
    other["measure"]["name"] = "kappa"
    assert "definition" in refused(other)
    other["measure"] = certificate("f1", "Sym")["measure"]
    refused(other)


def test_a_wider_domain_or_a_stronger_statement_is_refused(proved):
    data = json.loads(proved["mcc", "SMon", 2, "regular"])
    refused({**data, "domain": "all"})
    data = json.loads(proved["accuracy", "Mon", 2, "all"])
    refused({**data, "statement": "strongly_monotone"})
    refused({**data, "statement": "symmetry"})
    refused({**data, "undefined": "nan", "statement": "distance"})


@pytest.mark.parametrize(
    ("what", "name"),
    [
        (("mcc", "Max", 2, "all"), "c_max"),
        (("sba", "CB", 2, "all"), "c_base"),
        (("sba", "CB", "every", "regular"), "c_base"),
        (("sba", "Max", "every", "regular"), "c_max"),
    ],
)
def test_a_wrong_constant_is_refused(proved, what, name):
    data = json.loads(proved[what])
    for wrong in ("2/7", "2/m", "√2", "", None, {}, "0/0", "1e3"):
        refused({**data, "constants": {name: wrong}})
    refused({**data, "constants": {}})
    refused({**data, "constants": {name: data["constants"][name], "more": "1"}})


def test_a_missing_order_of_two_cells_is_noticed(proved):
    data = json.loads(proved["generalized_mean(r=inf)", "Mon", 2, "regular"])
    split = next(k for k, case in enumerate(data["cases"]) if "split" in case["proof"])
    for order in [x for x in data["cases"][split]["proof"] if x in ("<", "=", ">", "<=", ">=")]:
        changed = copy.deepcopy(data)
        del changed["cases"][split]["proof"][order]
        refused(changed)


def test_a_false_claim_is_refused():
    """f1 is not monotone: no list of nodes makes it so."""
    data = certificate("accuracy", "Mon")
    data = {**data, "measure": certificate("f1", "Sym")["measure"]}
    refused(data)
    for case in data["cases"]:
        case["proof"] = {"by": "undefined"}
    refused(data)


def test_class_symmetry_cannot_be_claimed_for_a_definition_that_tells_classes_apart():
    data = certificate("accuracy", "CSym", "every", "regular")
    refused({**data, "measure": certificate("weighted_kappa('linear')", "Sym", 2, "regular")["measure"]})


def first_class(c):
    return c.ratio(c[0, 0], c.n)


def test_a_certificate_holds_the_formula_that_it_is_about():
    data = certificate(first_class, "Sym", 2, "regular")
    assert gm.verify(data)
    assert gm.verify(data, measure=first_class)
    assert "the one" in refused(data, measure=lambda c: c.ratio(c[1, 1], c.n)) + "the one"
    with pytest.raises(CertificateError, match="about"):
        gm.verify(data, measure=gm.accuracy)


def test_what_is_no_certificate_is_refused_with_a_reason():
    assert "format" in refused({"format": "something else"})
    assert "gm.check" in refused({"format": "goodmeasure certificate 1"})
    with pytest.raises(TypeError, match="not a verdict"):
        gm.verify(3)
    assert gm.verify(gm.check("f1", properties="symmetry")["symmetry"])


@pytest.mark.parametrize(
    ("field", "wrong"),
    [
        ("classes", 4), ("classes", "2"), ("classes", 2.5), ("classes", None), ("classes", True), ("undefined", "soon"),
        ("undefined", None), ("undefined", []), ("undefined", 0), ("undefined", {"resolve": 1}), ("measure", "mcc"),
        ("cases", [1, 2]), ("cases", None), ("cases", "none"),
        ("measure", {"name": 3}), ("domain", ["all"]), ("domain", "some"), ("by", "magic"), ("statement", 7),
        ("parts", {"all": 1}),
    ],
)  # fmt: skip
def test_a_field_that_makes_no_sense_is_refused(proved, field, wrong):
    data = json.loads(proved["mcc", "Max", 2, "all"])
    if field == "parts":
        data["by"] = "all matrices"
    assert refused({**data, field: wrong})


@pytest.mark.parametrize(
    ("measure", "statement"),
    [
        ("kappa", "ACB"),
        ("correlation_distance", "approximate_constant_baseline(order=2)"),
        ("accuracy", "WDE"),
        ("k", "CON"),
        ("k", "IMB"),
        ("sba", "Max"),
    ],
)
def test_a_way_of_proving_that_shows_something_else_is_refused(measure, statement):
    data = certificate(measure, statement)
    for by in ("nothing", "slope", None):
        changed = copy.deepcopy(data)
        changed["cases"][0]["proof"]["by"] = by
        refused(changed)


def test_the_constant_of_a_verdict_must_be_that_of_its_certificate():
    verdict = json.loads(json.dumps(gm.check("mcc", properties="Max")["Max"].to_dict()))
    assert gm.verify(verdict)
    assert gm.verify(json.dumps(verdict))
    assert "c_max" in refused({**verdict, "constants": {"c_max": "7"}})


def nearly_a_distance(c):
    """A metric where all three labelings differ everywhere in all ways, and none where d(A, C) is about 200."""
    errors = c.sum_off(lambda i, j: c[i, j])
    return c.ratio(errors**2, errors**2 + 1000) - errors


def test_whole_numbers_in_all_joint_cells_show_nothing_about_zeros():
    """d(A, C) = 199.02 > 198.18 = d(A, B) + d(B, C), where 100 items have labels 0 1 1 and 100 have 0 0 1."""
    far, near = ([[0, 200], [0, 0]], [[100, 100], [0, 0]])
    exact = gm.measure(nearly_a_distance).exact
    assert exact(far) < 2 * exact(near)
    assert certificate(nearly_a_distance, "Dist") is None


@pytest.mark.parametrize(
    ("measure", "name"), [("f1", "Mon"), ("kappa", "SMon"), ("recall", "Sym"), ("f1", "Min"), ("zero_one_loss", "PIV")]
)
def test_the_matrices_of_a_refuted_verdict_are_replayed(measure, name):
    verdict = gm.check(measure, properties=name)[name]
    assert verdict.status == "refuted"
    assert gm.verify(verdict)
    data = json.loads(json.dumps(verdict.to_dict()))
    assert gm.verify(data)
    assert gm.verify(json.dumps(data))
    refused({**data, "n": data["n"] + 1})
    refused({**data, "domain": "regular", "property": data["property"], "measure": "accuracy"})
    for k in (0, 1):
        changed = copy.deepcopy(data)
        changed["witness"]["exhibits"][k]["matrix"][0][0] += 1
        refused(changed)
        changed = copy.deepcopy(data)
        changed["witness"]["exhibits"][k]["value"] = "2/7"
        refused(changed)
    changed = copy.deepcopy(data)
    del changed["witness"]["exhibits"][1]
    assert "2 matrices" in refused(changed)


# What is proved on all matrices


def on_regular(measure, statement):
    """Return the claim that a statement holds on regular matrices because it holds on all."""
    data = certificate(measure, statement)
    about = {k: data[k] for k in ("format", "statement", "measure", "classes", "undefined")}
    part = {k: v for k, v in data.items() if k in ("by", "about", "constants", "symmetric", "cases", "parts")}
    return {**about, "domain": "regular", "by": "all matrices", "constants": data.get("constants", {}),
            "parts": {"all": {"domain": "all", **part}}}  # fmt: skip


@pytest.mark.parametrize(
    ("measure", "statement"),
    [("accuracy", "Mon"), ("mcc", "Max"), ("mcc", "SYM"), ("k", "SDE"), ("k", "WDE"), ("k", "CON")],
)
def test_what_holds_for_each_matrix_holds_on_a_smaller_domain(measure, statement):
    assert gm.verify(on_regular(measure, statement))


def test_the_proof_on_all_matrices_is_checked():
    whole = on_regular("accuracy", "Mon")
    changed = copy.deepcopy(whole)
    del changed["parts"]["all"]["cases"][0]
    assert "missing" in refused(changed)
    assert "no part" in refused({**whole, "domain": "all"})
    del whole["parts"]["all"]["constants"]
    assert gm.verify(whole)  # it claims none
    changed = on_regular("mcc", "Max")
    changed["constants"] = {"c_max": "2"}
    refused(changed)


@pytest.mark.parametrize(("measure", "statement"), [("predicted_prevalence", "FIX"), ("lift", "CHA"), ("lift", "IMB")])
def test_ranges_and_averages_do_not_carry_over(measure, statement):
    """Predicted prevalence reaches 0 and 1 at constant predictions, which are not regular."""
    assert "may fail on a part" in refused(on_regular(measure, statement))


# What errors say


def test_an_error_says_which_case_is_missing_or_wrong():
    data = certificate("accuracy", "Mon")
    assert "missing" in refused({**data, "cases": data["cases"][1:]})
    wrong = {**data["cases"][0], "proof": {"by": "undefined"}}
    assert "0010" in refused({**data, "cases": [wrong, *data["cases"][1:]]})


def test_an_error_about_a_row_says_which_row():
    proof = gm.possible("sebastiani_mon", "constant_baseline").for_every_n
    assert "row 2" in refused({**proof, "least": 2})


# What is proved does not depend on what was checked before


def test_certificates_are_accepted_in_any_order(proved):
    for what in (*PROVED, *reversed(PROVED)):
        assert gm.verify(proved[what])


def test_a_search_finds_what_is_claimed_again(proved):
    data = json.loads(proved["mcc", "Max", 2, "all"])
    about = {k: data[k] for k in ("format", "statement", "measure", "classes", "domain", "undefined")}
    assert json.loads(json.dumps(search(about, float("inf")))) == data
