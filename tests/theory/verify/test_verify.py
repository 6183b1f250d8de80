"""The checker accepts proofs and nothing else: one changed coefficient or one dropped case is refused."""

from __future__ import annotations

import copy
import json
from dataclasses import replace

import pytest

import goodmeasure as gm
from goodmeasure.theory.prove import proof
from goodmeasure.theory.prove.proof import prove
from goodmeasure.theory.prove.signs import NoProof
from goodmeasure.theory.statements.certificate import Certificate, definition_of
from goodmeasure.theory.verify.arithmetic import FunctionValue
from goodmeasure.theory.verify.signs import CertificateError, demand
from tests.theory.verify.refusals import refused as expect_refusal

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


@pytest.fixture(scope="module")
def proved():
    """The certificates, as JSON."""
    return {x: json.dumps(prove(x[0], x[1], classes=x[2], domain=x[3]).to_json()) for x in PROVED}


def refused(data):
    with pytest.raises(CertificateError) as error:
        gm.verify(data)
    return str(error.value)


@pytest.mark.parametrize("what", PROVED)
def test_json_certificates_are_accepted(proved, what):
    assert gm.verify(json.loads(proved[what]) if what[1] == "Max" else proved[what])
    assert Certificate.from_json(proved[what]).to_json() == json.loads(proved[what])


@pytest.mark.parametrize("what", [x for x in PROVED if x[0] != "accuracy" or x[1] != "Sym"])
def test_a_dropped_case_is_noticed(proved, what):
    data = json.loads(proved[what])
    for k in {0, len(data["cases"]) // 2, len(data["cases"]) - 1}:
        changed = copy.deepcopy(data)
        del changed["cases"][k]
        refused(changed)


def test_another_measures_certificate_is_refused(proved):
    data = json.loads(proved["accuracy", "Mon", 2, "all"])
    other = copy.deepcopy(data)
    other["measure"]["name"] = "kappa"
    assert "definition" in refused(other)
    other["measure"] = prove("f1", "Sym").to_json()["measure"]
    assert "positive" in refused(other)


def test_a_wider_domain_or_a_stronger_statement_is_refused(proved):
    data = json.loads(proved["mcc", "SMon", 2, "regular"])
    assert "missing" in refused({**data, "domain": "all"})
    data = json.loads(proved["accuracy", "Mon", 2, "all"])
    refused({**data, "statement": "strongly_monotone"})
    refused({**data, "statement": "symmetry"})
    refused({**data, "undefined": "nan", "statement": "distance"})


def test_a_wrong_constant_is_refused(proved):
    named = {
        ("mcc", "Max", 2, "all"): "c_max",
        ("sba", "CB", 2, "all"): "c_base",
        ("sba", "CB", "every", "regular"): "c_base",
        ("sba", "Max", "every", "regular"): "c_max",
    }
    for what, name in named.items():
        data = json.loads(proved[what])
        refused({**data, "constants": {name: "2/7"}})
    data = json.loads(proved["sba", "CB", "every", "regular"])
    assert "2/m" in refused({**data, "constants": {"c_base": "2/m"}})
    assert "constant" in refused({**data, "constants": {"c_base": "√2"}})


def test_a_missing_order_of_two_cells_is_noticed(proved):
    data = json.loads(proved["generalized_mean(r=inf)", "Mon", 2, "regular"])
    split = [k for k, case in enumerate(data["cases"]) if case["proof"]["splits"]]
    changed = copy.deepcopy(data)
    del changed["cases"][split[0]]
    assert "missing" in refused(changed)
    changed = copy.deepcopy(data)
    changed["cases"][split[0]]["proof"]["splits"] = []
    refused(changed)


def test_a_false_claim_is_refused():
    """f1 is not monotone: no list of nodes makes it so."""
    data = json.loads(json.dumps(prove("accuracy", "Mon").to_json()))
    honest = prove("f1", "Sym").to_json()
    data["measure"] = honest["measure"]
    refused(data)
    for case in data["cases"]:
        case["proof"] = {"splits": [], "by": "undefined"}
    assert "undefined" in refused(data)


def test_class_symmetry_cannot_be_claimed_for_a_definition_that_tells_classes_apart():
    data = prove("accuracy", "CSym", classes="every", domain="regular").to_json()
    data["measure"] = prove("weighted_kappa('linear')", "Sym", classes=2, domain="regular").to_json()["measure"]
    assert "classes" in refused(data)


def first_class(c):
    return c.ratio(c[0, 0], c.n)


def test_a_users_function_is_verified_with_the_function():
    certificate = prove(first_class, "Sym", domain="regular")
    assert gm.verify(certificate, measure=first_class)
    with pytest.raises(CertificateError, match="measure="):
        gm.verify(certificate)
    with pytest.raises(CertificateError, match=r"not the one|is about"):
        gm.verify(certificate, measure=lambda c: c.ratio(c[0, 0], c.n))


def test_what_is_no_certificate_is_refused_with_a_reason():
    assert "format" in refused({"format": "something else"})
    assert "lacks" in refused({"format": "goodmeasure certificate 1"})
    with pytest.raises(TypeError, match="not a verdict"):
        gm.verify(3)
    assert gm.verify(gm.check("f1", properties="symmetry")["symmetry"])


@pytest.mark.parametrize(
    ("what", "field", "wrong"),
    [
        (("accuracy", "Mon", 2, "all"), "classes", 4),
        (("accuracy", "Mon", 2, "all"), "classes", "2"),
        (("accuracy", "Mon", 2, "all"), "classes", 2.5),
        (("accuracy", "Mon", 2, "all"), "classes", None),
        (("accuracy", "Mon", 2, "all"), "constants", {"c_max": "1"}),
        (("mcc", "Max", 2, "all"), "constants", {"c_max": "1", "c_min": "-1"}),
        (("mcc", "Max", 2, "all"), "undefined", "soon"),
        (("mcc", "Max", 2, "all"), "undefined", None),
        (("mcc", "Max", 2, "all"), "cases", [1, 2]),
        (("mcc", "Max", 2, "all"), "cases", None),
        (("mcc", "Max", 2, "all"), "measure", "mcc"),
        (("mcc", "Max", 2, "all"), "measure", {"name": 3}),
        (("kappa", "ACB", 2, "all"), "cases", "none"),
        (("k", "FIX", 2, "all"), "domain", ["all"]),
    ],
)
def test_a_field_that_makes_no_sense_is_refused(proved, what, field, wrong):
    assert refused({**json.loads(proved[what]), field: wrong})


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
    data = prove(measure, statement).to_json()
    for by in ("nothing", "inner", None):
        changed = copy.deepcopy(data)
        changed["cases"][0]["proof"]["by"] = by
        refused(changed)


def test_the_constant_of_a_verdict_must_be_that_of_its_certificate():
    verdict = json.loads(json.dumps(gm.check("mcc", properties="Max")["Max"].to_json()))
    assert gm.verify(verdict)
    assert gm.verify(json.dumps(verdict))
    assert "'c_max': '7'" in refused({**verdict, "constants": {"c_max": "7"}})


def named(function):
    """What a certificate says of the measure that it is about."""
    measure = gm.measure(function)
    return {"name": measure.name, "definition": definition_of(measure)}


def two_faced(c):
    """Accuracy to whoever reads the definition, and the share of errors to whoever computes a value."""
    hits, errors = c.tp + c.tn, c.fp + c.fn
    return c.ratio(hits if isinstance(hits, FunctionValue) else errors, c.n)


def test_a_definition_that_is_recorded_otherwise_than_the_certificate_says_is_refused():
    certificate = {**prove("accuracy", "Mon").to_json(), "measure": named(two_faced)}
    with pytest.raises(CertificateError):
        gm.verify(certificate, measure=two_faced)


def undefined_when_computed(c):
    """Accuracy to whoever reads the definition, and 0/0 to whoever computes a value."""
    hits = c.tp + c.tn
    return c.ratio(hits, c.n) if isinstance(hits, FunctionValue) else c.ratio(hits - hits, hits - hits)


def test_a_definition_that_is_undefined_when_it_is_recorded_is_refused():
    certificate = {**prove("accuracy", "Mon").to_json(), "measure": named(undefined_when_computed)}
    with pytest.raises(CertificateError):
        gm.verify(certificate, measure=undefined_when_computed)


def nearly_a_distance(c):
    """A metric where all three labelings differ everywhere in all ways, and none where d(A, C) is about 200."""
    errors = c.sum_off(lambda i, j: c[i, j])
    return c.ratio(errors**2, errors**2 + 1000) - errors


def test_whole_numbers_in_all_joint_cells_show_nothing_about_zeros():
    """d(A, C) = 199.02 > 198.18 = d(A, B) + d(B, C), where 100 items have labels 0 1 1 and 100 have 0 0 1."""
    far, near = ([[0, 200], [0, 0]], [[100, 100], [0, 0]])
    exact = gm.measure(nearly_a_distance).exact
    assert exact(far) < 2 * exact(near)
    assert prove(nearly_a_distance, "Dist") is None
    certificate = prove("accuracy", "Dist").to_json()
    certificate["measure"] = prove(nearly_a_distance, "Mon").to_json()["measure"]
    certificate["parts"] = [prove(nearly_a_distance, x).to_json() for x in ("Sym", "Max")]
    certificate["constants"] = {"c_max": "0"}
    certificate["cases"] = [{"joint": "1" * 8, "proof": {"by": "shift"}}]
    with pytest.raises(CertificateError, match="not shown to be positive"):
        gm.verify(certificate, measure=nearly_a_distance)


@pytest.mark.parametrize(
    ("measure", "name"), [("f1", "Mon"), ("kappa", "SMon"), ("recall", "Sym"), ("f1", "Min"), ("zero_one_loss", "PIV")]
)
def test_the_matrices_of_a_refuted_verdict_are_replayed(measure, name):
    verdict = gm.check(measure, properties=name)[name]
    assert verdict.status == "refuted"
    assert gm.verify(verdict)
    data = json.loads(json.dumps(verdict.to_json()))
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


def on_regular(certificate, **changes):
    """Return the claim that a statement holds on regular matrices because it holds on all."""
    return replace(certificate, domain="regular", cases=(), symmetric=False, parts=(certificate,), **changes)


@pytest.mark.parametrize(
    ("measure", "statement"),
    [
        ("accuracy", "Mon"),
        ("mcc", "Max"),
        ("mcc", "SYM"),
        ("jaccard", "Dist"),
        ("k", "SDE"),
        ("k", "WDE"),
        ("k", "CON"),
    ],
)
def test_what_holds_for_each_matrix_holds_on_a_smaller_domain(measure, statement):
    assert gm.verify(on_regular(prove(measure, statement)))


def test_the_proof_on_all_matrices_is_checked_and_is_about_the_same():
    whole = prove("accuracy", "Mon")
    expect_refusal(on_regular(replace(whole, cases=whole.cases[1:])), "missing")
    expect_refusal(replace(on_regular(whole), parts=(replace(whole, undefined="nan"),)), "something else")
    expect_refusal(replace(on_regular(whole), statement="strongly_monotone"), "something else")
    narrow = prove("accuracy", "Mon", domain="regular")
    expect_refusal(replace(narrow, domain="all", cases=(), parts=(narrow,)), "something else")
    expect_refusal(on_regular(prove("mcc", "Max"), constants={"c_max": "2"}), "something else")


@pytest.mark.parametrize(("measure", "statement"), [("predicted_prevalence", "FIX"), ("lift", "CHA"), ("lift", "IMB")])
def test_ranges_and_averages_do_not_carry_over(measure, statement):
    """Predicted prevalence reaches 0 and 1 at constant predictions, which are not regular."""
    expect_refusal(on_regular(prove(measure, statement)), "may fail on a part")


def test_a_proof_on_all_matrices_is_used_where_no_other_is_found(monkeypatch):
    original = proof.prove_defined

    def only_on_all(reader, domain, **options):
        if domain.name != "all":
            raise NoProof("not today")
        return original(reader, domain, **options)

    monkeypatch.setattr(proof, "prove_defined", only_on_all)
    certificate = prove("accuracy", "SDE", domain="regular")
    assert certificate.parts[0].domain == "all"
    assert gm.verify(certificate)


# What an error says, as data


def honest():
    return gm.check("accuracy", properties=["monotone"])["monotone"].certificate.to_json()


def error_of(data):
    with pytest.raises(CertificateError) as caught:
        gm.verify(data)
    return caught.value


def test_an_error_says_which_field_of_the_certificate_is_wrong():
    error = error_of({**honest(), "classes": 17})
    assert (error.field, error.got, error.expected) == ("classes", 17, '2, …, 5 or "every"')
    error = error_of({**honest(), "measure": {"name": "acuracy", "definition": ""}})
    assert (error.field, error.got) == ("measure", "acuracy")
    assert "measure=" in error.advice


def test_an_error_says_which_case_is_missing_or_wrong():
    data = honest()
    error = error_of({**data, "cases": data["cases"][1:]})
    assert (error.statement, error.field) == ("monotone", "cases")
    assert error.case == ("0010", ((0, 0, 1), (0, 1, -1)))
    wrong = {**data["cases"][0], "proof": {"by": "undefined"}}
    error = error_of({**data, "cases": [wrong, *data["cases"][1:]]})
    assert (error.statement, error.case) == ("monotone", wrong)


def test_an_error_says_which_constants_came_and_which_were_expected():
    data = gm.check("accuracy", properties=["maximal_agreement"])["maximal_agreement"].certificate.to_json()
    error = error_of({**data, "constants": {"c_max": "2"}})
    assert (error.field, error.got, error.expected) == ("constants", {"c_max": "2"}, "{'c_max': 1}")
    assert error.statement == "maximal_agreement"


def test_an_error_about_a_row_says_which_row():
    proof = gm.possible("sebastiani_mon", "constant_baseline").for_every_n
    error = error_of({**proof, "least": 2})
    assert (error.field, error.case) == ("rows", proof["rows"][1])
    assert str(error) == "row 2: the predictions are constant"


def test_what_a_demand_says_is_put_together_only_if_it_is_not_met():
    class Unprintable:
        def __format__(self, form):
            raise AssertionError("it was printed")

    demand(True, "{got} is wrong", got=Unprintable())
    with pytest.raises(AssertionError, match="printed"):
        demand(False, "{got} is wrong", got=Unprintable())
