"""Averaging rows of goesgens2021, Table 2: proofs for every measure and number of classes, or a measure that loses."""

from __future__ import annotations

import copy
import json
import random
from fractions import Fraction
from itertools import permutations, product

import pytest

import goodmeasure as gm
from goodmeasure.results import Preservation
from goodmeasure.theory.atlas.preservation import preserves
from goodmeasure.theory.statements.lookup import NINE, statement
from tests.replay import replayed
from tests.theory.proving import prove

# What is lost where all classes are present: as printed, but for weighted averaging and monotonicity.
LOST = {
    "micro": {"Min", "SMon", "CB", "ACB"},
    "macro": {"Min", "SMon"},
    "macro(classes='all')": {"Min", "SMon"},
    "weighted": {"Min", "Sym", "Dist", "Mon", "SMon"},
}
# What is lost in addition where classes may be absent.
LOST_THEN = {
    "micro": set(),
    "macro": {"Dist", "Mon", "CB", "ACB"},
    "macro(classes='all')": {"Mon", "CB", "ACB"},
    "weighted": {"CB", "ACB"},
}
DOMAINS = ("regular", "all")


@pytest.fixture(scope="module")
def answers():
    return {(x, y, z): preserves(x, y, domain=z) for x, y, z in product(LOST, NINE, DOMAINS)}


@pytest.mark.parametrize("domain", DOMAINS)
@pytest.mark.parametrize("averaging", LOST)
def test_what_averaging_keeps_is_decided_for_every_measure(answers, averaging, domain):
    found = {statement(x).short: answers[averaging, x, domain].status for x in NINE}
    lost = LOST[averaging] | (set() if domain == "regular" else LOST_THEN[averaging])
    assert found == {statement(x).short: "refuted" if statement(x).short in lost else "proved" for x in NINE}


def test_labelings_that_are_not_constant_are_decided_too():
    assert preserves("macro", "constant_baseline", domain="non-unary").status == "refuted"
    assert preserves("micro", "monotone", domain="non-unary").status == "proved"


def test_every_answer_is_verified_and_survives_json(answers):
    for answer in answers.values():
        assert gm.verify(answer)
        assert Preservation.from_json(json.loads(json.dumps(answer.to_dict()))) == answer
        assert answer.averaging in str(answer)


def test_a_lost_property_can_be_replayed(answers):
    for answer in answers.values():
        if answer.status == "refuted":
            assert answer.measure in answer.replay
            assert not replayed(answer.replay), answer
            assert gm.verify(answer.certificate["has"], measure=None) if not answer.measure.startswith("l") else True


# Independent brute force: random binary measures as tables, averaged over classes here


def _against_the_rest(rows):
    n, m = sum(map(sum, rows)), len(rows)
    for i in range(m):
        a, b, hit = sum(rows[i]), sum(row[i] for row in rows), rows[i][i]
        yield a, b, (n - a - b + hit, b - hit, a - hit, hit)


def _average(kind, rows, measure):
    parts, n = list(_against_the_rest(rows)), sum(map(sum, rows))
    if kind == "micro":
        return measure(tuple(map(sum, zip(*(x for _, _, x in parts), strict=True))))
    if kind == "weighted":
        return sum(Fraction(a, n) * measure(x) for a, _, x in parts if a)
    if kind == "macro(classes='all')":
        return Fraction(sum(measure(x) for _, _, x in parts), len(parts))
    there = [x for a, b, x in parts if a + b]
    return sum(map(measure, there)) / len(there)


def _drawn(rng, m, n):
    """Return a matrix of n items in which every class occurs in both labelings."""
    while True:
        rows = [[0] * m for _ in range(m)]
        for _ in range(n):
            rows[rng.randrange(m)][rng.randrange(m)] += 1
        if all(map(sum, rows)) and all(map(sum, zip(*rows, strict=True))):
            return rows


def _monotone(x):
    """A monotone binary measure with wild values: any rising function of each cell, times any function of n."""
    tn, fp, fn, tp = x
    return Fraction(tp**3 + tn - 50 * fp**2 - fn) * (1 + sum(x) ** 2 % 7)


@pytest.mark.parametrize("m", [2, 3, 4])
@pytest.mark.parametrize("kind", ["micro", "macro", "macro(classes='all')"])
def test_averages_of_a_wild_monotone_measure_are_monotone(kind, m):
    rng = random.Random(m)
    seen = 0
    for _ in range(400):
        rows = _drawn(rng, m, m + rng.randrange(6))
        for a, b in permutations(range(m), 2):
            for d in (a, b):
                after = [list(row) for row in rows]
                after[a][b] -= 1
                after[d][d] += 1
                if rows[a][b] == 0 or not all(map(sum, (*after, *zip(*after, strict=True)))):
                    continue
                seen += 1
                assert _average(kind, after, _monotone) > _average(kind, rows, _monotone)
    assert seen > 50


def _baseline(x):
    """A binary measure with constant baseline 0 and any positive scale that depends on the class sizes."""
    tn, fp, fn, tp = x
    return Fraction((tp * tn - fp * fn) * (1 + (fp + tp) % 3) * (2 + (fn + tp) % 5))


@pytest.mark.parametrize("kind", ["macro", "macro(classes='all')", "weighted"])
@pytest.mark.parametrize(("a", "b"), [((1, 1, 2), (2, 1, 1)), ((2, 2, 1), (1, 1, 3)), ((1, 1, 1, 2), (1, 2, 1, 1))])
def test_random_predictions_score_the_baseline_after_averaging(kind, a, b):
    truth = [i for i, size in enumerate(a) for _ in range(size)]
    total = Fraction(0)
    for guess in permutations([j for j, size in enumerate(b) for _ in range(size)]):
        rows = [[0] * len(a) for _ in a]
        for i, j in zip(truth, guess, strict=True):
            rows[i][j] += 1
        total += _average(kind, rows, _baseline)
    assert total == 0


def _wrong(x):
    return Fraction(x[1] + x[2], sum(x))


def _unlike(x):
    """The Jaccard distance of two sets, a metric; that of two empty sets is 0."""
    return Fraction(x[1] + x[2], max(1, x[1] + x[2] + x[3]))


@pytest.mark.parametrize(
    ("kind", "distance", "is_metric"),
    [("macro(classes='all')", _wrong, True), ("macro(classes='all')", _unlike, True), ("macro", _wrong, False)],
)
def test_the_mean_over_all_classes_of_a_metric_is_a_metric(kind, distance, is_metric):
    """goesgens2021, appendix C.6: the sum of m metrics, also where some of three classes are absent."""
    labelings = list(product(range(3), repeat=3))

    def apart(x, y):
        rows = [[sum(p == (i, j) for p in zip(x, y, strict=True)) for j in range(3)] for i in range(3)]
        return _average(kind, rows, distance)

    known = {(x, y): apart(x, y) for x, y in product(labelings, repeat=2)}
    assert all(known[x, z] <= known[x, y] + known[y, z] for x, y, z in product(labelings, repeat=3)) is is_metric


# Tampered certificates

KEPT = {
    "another averaging": lambda d: d.update(averaging="weighted"),
    "another property": lambda d: d.update(statement="strongly_monotone"),
    "another domain": lambda d: d.update(domain="all"),
    "another number of classes": lambda d: d.update(classes=3),
    "one measure": lambda d: d.update(measure="mcc"),
    "another kind": lambda d: d.update(kind="lost"),
    "a kind that is not known": lambda d: d.update(kind="kept"),
    "another format": lambda d: d.update(format="goodmeasure certificate 1"),
}


@pytest.mark.parametrize("what", KEPT)
def test_a_tampered_proof_is_refused(answers, what):
    data = copy.deepcopy(answers["macro", "monotone", "regular"].certificate)
    KEPT[what](data)
    with pytest.raises(gm.CertificateError):
        gm.verify(data)


def _set(data, *path, value):
    for key in path[:-1]:
        data = data[key]
    data[path[-1]] = value


SHOWN = [
    (("macro", "monotone", "all"), ("example", "matrices", 1, 0, 0), 7),
    (("macro", "monotone", "all"), ("domain",), "regular"),
    (("macro", "monotone", "all"), ("measure",), "f1"),
    (("macro", "monotone", "all"), ("has", "statement"), "symmetry"),
    (("weighted", "symmetry", "regular"), ("example", "matrices", 1), [[1, 0, 0], [0, 1, 0], [0, 0, 1]]),
    (("weighted", "strongly_monotone", "regular"), ("averaging",), "median"),
    (("micro", "constant_baseline", "regular"), ("example", "sizes", 1), [[1, 1, 1], [1, 1, 1]]),
    (("micro", "approximate_constant_baseline", "regular"), ("example", "sizes", 0, 1), [0, 0, 3]),
    (("macro", "distance", "all"), ("example", "labelings", 1), [2, 2, 2]),
    (("macro", "minimal_agreement", "regular"), ("example", "matrices", 0), [[0, 1, 0], [0, 0, 1], [1, 0, 0]]),
]


@pytest.mark.parametrize(("which", "path", "value"), SHOWN)
def test_a_tampered_example_is_refused(answers, which, path, value):
    data = copy.deepcopy(answers[which].certificate)
    _set(data, *path, value=value)
    with pytest.raises(gm.CertificateError):
        gm.verify(data)


def test_an_answer_about_something_else_is_refused(answers):
    from dataclasses import replace

    for change in ({"domain": "all"}, {"property": "symmetry"}, {"status": "refuted"}, {"averaging": "micro"}):
        with pytest.raises(gm.CertificateError):
            gm.verify(replace(answers["macro", "monotone", "regular"], **change))


def test_unknown_names_are_refused():
    with pytest.raises(gm.InputError, match=r"use one of micro, macro, macro\(classes='all'\), weighted"):
        preserves("median", "Mon")
    with pytest.raises(gm.InputError, match="averages are judged by"):
        preserves("macro", "sebastiani_cha")


# Averages of measures of the catalogue, and of functions of one's own


@pytest.mark.parametrize(
    ("name", "prop"),
    [
        *(("macro(mcc)", "Max"), ("macro(mcc)", "CB"), ("macro(mcc)", "Mon"), ("macro(jaccard)", "Dist")),
        ("macro(mcc, classes='all')", "Mon"),
    ],
)
@pytest.mark.parametrize("classes", [3, "every"])
def test_an_average_has_what_its_measure_has(name, prop, classes):
    found = prove(name, prop, classes=classes, domain="regular")
    assert gm.verify(found)
    data = found.to_dict() if classes == "every" else found.to_dict()["parts"]["every"]
    assert data["by"] in ("class by class", "guesses")  # one class against the rest, as its measure sees it


@pytest.mark.parametrize(
    ("name", "prop"),
    [
        *(("macro(mcc)", "Max"), ("micro(mcc)", "Max"), ("macro(mcc)", "Sym"), ("macro(f1)", "Sym")),
        *(("macro(accuracy, classes='all')", "Dist"), ("macro(jaccard, classes='all')", "Dist")),
    ],
)
def test_an_average_of_a_measure_with_values_everywhere_has_it_on_all_matrices(name, prop):
    assert gm.verify(prove(name, prop, classes="every", domain="all"))


@pytest.mark.deep
def test_an_arc_cosine_over_classes_is_symmetric_for_each_number_of_them():
    """That its argument lies between −1 and 1 is shown of each support; what is read for every m takes no facts yet."""
    assert gm.verify(prove("macro(correlation_distance)", "Sym", classes=3, domain="all"))
    assert prove("macro(correlation_distance)", "Sym", classes="every", domain="all") is None


def root_of_accuracy(c):
    return c.sqrt((c.tp + c.tn) / c.n)


def root_of_error(c):
    return c.sqrt((c.fp + c.fn) / c.n)


@pytest.mark.parametrize(("prop", "domain"), [("Max", "all"), ("Sym", "all"), ("Max", "regular")])
def test_an_average_of_ones_own_function_has_what_the_function_has(prop, domain):
    of = gm.macro(gm.measure(root_of_accuracy))
    data = prove(of, prop, classes=3, domain=domain).to_dict()
    assert gm.verify(data, measure=of)
    with pytest.raises(gm.CertificateError):  # the average of another function
        gm.verify(data, measure=gm.macro(gm.measure(root_of_error)))


def test_a_check_of_an_average_of_ones_own_function_is_verified():
    of = gm.macro(gm.measure(root_of_accuracy))
    verdict = gm.check(of, classes=3, properties=["Max"], n=2)["Max"]
    assert verdict.status == "proved"
    assert gm.verify(verdict)


def test_an_average_with_another_exponent_is_another_measure():
    data = prove(gm.macro(gm.measure(root_of_accuracy)), "Max", classes=3, domain="regular").to_dict()
    other = gm.macro(gm.measure(root_of_accuracy), p=2)
    other.name = "macro(root_of_accuracy)"
    with pytest.raises(gm.CertificateError, match="is not the one that the certificate is about"):
        gm.verify(data, measure=other)


TAMPERED = {
    "another averaging": lambda d: d["measure"].update(tree=_claimed("weighted(mcc)")["tree"]),
    "another measure": lambda d: d.update(measure=_claimed("macro(recall)")),
    "another name": lambda d: d["measure"].update(name="macro(sba)"),
    "another property": lambda d: d.update(statement="strongly_monotone"),
    "another domain": lambda d: d.update(domain="all"),
    "three classes": lambda d: d.update(classes=3),
    "another case": lambda d: d["cases"][0].update(averaging="weighted"),
    "no cases": lambda d: d["cases"].clear(),
    "a case is missing": lambda d: d["cases"].pop(),
}


def _claimed(name):
    """What a certificate says of the measure that it is about."""
    return copy.deepcopy(prove(name, "class_symmetry", classes="every", domain="regular").to_dict()["measure"])


@pytest.mark.parametrize("what", TAMPERED)
def test_a_tampered_proof_about_an_average_is_refused(what):
    data = prove("macro(mcc)", "Mon", classes="every", domain="regular").to_dict()
    assert gm.verify(data)
    data = copy.deepcopy(data)
    TAMPERED[what](data)
    with pytest.raises(gm.CertificateError):
        gm.verify(data)


def test_a_function_of_ones_own_is_no_average_by_its_name():
    def mine(c):
        return c.ratio(c.n, c.n)

    mine.__name__ = "macro(mcc)"
    data = prove("macro(mcc)", "Mon", classes="every", domain="regular").to_dict()
    with pytest.raises(gm.CertificateError):
        gm.verify(data, measure=mine)
