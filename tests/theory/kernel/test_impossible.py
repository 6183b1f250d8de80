"""A certificate that is not right is rejected, whatever was changed in it."""

from __future__ import annotations

import copy

import pytest

import goodmeasure as gm
from goodmeasure.exceptions import CertificateError
from goodmeasure.theory.kernel import FORMAT
from goodmeasure.theory.kernel.calculus import at
from goodmeasure.theory.kernel.texts import parsed
from goodmeasure.theory.kernel.values import Ring

RING = Ring(["n"], whole=["n"])


@pytest.fixture(scope="module")
def theorem():
    return gm.possible("monotone", "distance", "constant_baseline")


@pytest.fixture(scope="module")
def table():
    return gm.possible("symmetry", "monotone", "distance", "ACB", n=3)


def changed(data, change):
    found = copy.deepcopy(dict(data))
    change(found)
    return found


def put(*path_and_value):
    *path, last, value = path_and_value

    def change(data):
        for key in path:
            data = data[key]
        data[last] = value

    return change


CHANGES = {
    "a multiplier": put("rows", 0, "multiplier", "5"),
    "a sign": put("rows", 0, "multiplier", "-1"),
    "a matrix": put("rows", 0, "about", "matrix", [[0, 1], [1, 1]]),
    "a move that is none": put("rows", 0, "about", "after", [[1, 1], [1, 0]]),
    "a relation": put("rows", 3, "relation", ">"),
    "a statement": put("rows", 0, "statement", "strongly_monotone"),
    "the sizes": put("sizes", [4]),
    "the classes": put("classes", 3),
    "the labelings": put("rows", 3, "about", "labelings", [[[1, 0], [0, 0]], [[1, 0], [0, 1]]]),
    "class sizes": put("rows", 4, "about", "true", [3, 0]),
    "constant predictions": put("rows", 4, "about", "predicted", [3, 0]),
    "a row left out": lambda data: data["rows"].pop(),
    "a negative cell": put("rows", 0, "about", "matrix", [[-1, 1], [3, 0]]),
    "no statements": put("statements", []),
    "the format": put("format", "other"),
    "a multiplier that is no number": put("rows", 0, "multiplier", "one"),
    "an unreadable row": put("rows", 0, {}),
    "a measure": put("measure", {"name": "mcc"}),
    "half a class": put("classes", 2.5),
    "no domain": put("domain", None),
    "rows that are none": put("rows", "seven"),
}


@pytest.mark.parametrize("what", CHANGES)
def test_a_changed_proof_is_rejected(theorem, what):
    with pytest.raises(CertificateError):
        gm.verify(changed(theorem.certificate, CHANGES[what]))


def test_a_proof_does_not_hold_on_a_domain_without_its_matrices():
    found = gm.possible("sebastiani_mon", "constant_baseline").certificate
    assert gm.verify(found)
    with pytest.raises(CertificateError, match="domain"):
        gm.verify(changed(found, put("domain", "non-unary")))


def test_a_proof_holds_on_every_domain_with_its_matrices(theorem):
    assert gm.verify(changed(theorem.certificate, put("domain", "regular")))


EVERY = {
    "a smaller n": put("least", 2),
    "a multiplier": put("rows", 0, "multiplier", "n-1"),
    "a multiplier that is not positive from there on": put("rows", 0, "multiplier", "n-4"),
    "a cell": put("rows", 0, "about", "matrix", [["n-2", 1], [1, 0]]),
    "a cell that does not grow": put("rows", 0, "about", "matrix", [[3, 1], [2, 0]]),
    "the sizes": put("sizes", ["n+1"]),
    "mixed sizes": put("sizes", ["n", 3]),
}


@pytest.mark.parametrize("what", EVERY)
def test_a_changed_proof_for_every_n_is_rejected(theorem, what):
    with pytest.raises(CertificateError):
        gm.verify(changed(theorem.for_every_n, EVERY[what]))


def test_a_proof_for_every_n_is_one_for_each_n(theorem):
    """Put a number in place of n: the rows prove the same for that many items."""
    for n in (3, 4, 7, 12):
        data = copy.deepcopy(dict(theorem.for_every_n))
        data["sizes"] = [n]
        del data["least"]
        for row in data["rows"]:
            row["about"] = {k: filled(v, n) for k, v in row["about"].items()}
            row["multiplier"] = at(parsed(RING, row["multiplier"]), {0: RING.number(n)}).text()
        assert gm.verify(data)


def filled(value, n):
    if isinstance(value, list):
        return [filled(x, n) for x in value]
    if isinstance(value, str) and value.startswith("n"):
        return n + int(value[1:] or 0)
    return value


def test_a_table_is_rejected_where_one_value_is_changed(table):
    assert gm.verify(table)
    for k in range(len(table.certificate["table"])):
        with pytest.raises(CertificateError):
            gm.verify(changed(table.certificate, put("table", k, 1, "100")))


def test_a_table_is_rejected_where_a_matrix_is_missing(table):
    with pytest.raises(CertificateError):
        gm.verify(changed(table.certificate, lambda data: data["table"].pop()))


def test_a_table_is_rejected_for_a_property_that_it_has_not(table):
    with pytest.raises(CertificateError, match="constant_baseline"):
        gm.verify(changed(table.certificate, lambda data: data["statements"].append("constant_baseline")))


def test_a_table_is_rejected_where_a_matrix_has_two_values(table):
    with pytest.raises(CertificateError, match="two values"):
        gm.verify(changed(table.certificate, lambda data: data["table"].append(data["table"][0])))


def test_a_result_is_rejected_where_it_says_more_than_its_certificates(theorem, table):
    """The certificate of a result, and that for every n, must be about what the result says."""
    said = theorem.to_dict()
    assert gm.verify(said)
    for change in (
        put("properties", ["monotone"]),
        put("status", "possible"),
        put("domain", "regular"),
        put("classes", 3),
        put("for_every_n", "least", 2),
        put("for_every_n", "rows", 0, "multiplier", "n"),
    ):
        with pytest.raises(CertificateError):
            gm.verify(changed(said, change))
    with pytest.raises(CertificateError, match="about"):
        gm.verify(changed(table.to_dict(), put("properties", ["symmetry", "constant_baseline"])))


@pytest.mark.parametrize(
    ("statement", "breaks"),
    [
        ("symmetry", [[0, 1], [2, 0]]), ("class_symmetry", [[0, 1], [2, 0]]), ("sebastiani_imb", [[1, 0], [2, 0]]),
        ("scale_invariance", [[0, 1], [1, 1]]), ("opitz_prevalence_invariant", [[0, 2], [1, 1]]),
        ("sebastiani_cha", [[0, 1], [2, 0]]), ("opitz_chance_corrected_strictly", [[1, 1], [1, 1]]),
        ("opitz_monotone", [[2, 0], [1, 1]]), ("opitz_class_indifferent", [[2, 0], [1, 1]]),
    ],
)  # fmt: skip
def test_each_kind_of_statement_is_read_on_the_table(statement, breaks):
    """Constant tables have every weak statement; one value that differs breaks it."""
    found = gm.possible(statement, sizes=[2, 3, 4] if "opitz" in statement else [3, 6])
    data = copy.deepcopy(dict(found.certificate))
    assert gm.verify(data)
    next(row for row in data["table"] if row[0] == breaks)[1] = "100"
    with pytest.raises(CertificateError, match=statement):
        gm.verify(data)


@pytest.mark.parametrize("text", ["", "n n", "m", "n^", "1//2", "2n*n", "1/0", "n" * 5000])
def test_what_is_no_polynomial_is_no_multiplier(theorem, text):
    with pytest.raises(CertificateError):
        gm.verify(changed(theorem.for_every_n, put("rows", 0, "multiplier", text)))


def test_several_growing_class_sizes_are_refused():
    """Rows about (n, n) were read as rows about other sizes, from which a contradiction could be forged."""
    rows = [
        {"statement": "maximal_agreement", "about": {"matrix": [["n", 0], [0, 0]]}, "relation": "=",
         "multiplier": "-n"},
        {"statement": "constant_baseline", "about": {"true": ["n", "n"], "predicted": ["n", "n"]}, "relation": "=",
         "multiplier": "-n"},
        {"statement": "constant_baseline", "about": {"true": ["n-1", 1], "predicted": ["n-1", 1]}, "relation": "=",
         "multiplier": "n"},
        {"statement": "maximal_agreement", "about": {"matrix": [["n-1", 0], [0, 1]]}, "relation": "=",
         "multiplier": "1"},
        {"statement": "maximal_agreement", "about": {"matrix": [["n-2", 1], [1, 0]]}, "relation": ">",
         "multiplier": "n-1"},
    ]  # fmt: skip
    forged = {
        "format": FORMAT, "kind": "impossible", "statements": ["maximal_agreement", "constant_baseline"],
        "measure": None, "classes": 2, "domain": "all", "sizes": ["n"], "least": 2, "rows": rows,
    }  # fmt: skip
    with pytest.raises(gm.CertificateError, match="grow with n"):
        gm.verify(forged)


@pytest.mark.parametrize("n", [2, 3])
def test_two_items_that_count_the_same_may_be_added_to_a_smaller_matrix(n):
    """The matrix before both items does not occur in the row, so it need not have one of the sizes."""
    assert gm.verify(
        gm.possible("opitz_class_indifferent", "strongly_monotone", "opitz_chance_corrected_strictly", n=n)
    )
