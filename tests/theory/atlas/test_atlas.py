"""The stored atlas: complete, replayable, verified, and built so that it can be stopped."""

from __future__ import annotations

import json
import random
from functools import cache

import pytest

import goodmeasure as gm
from goodmeasure.theory.atlas import building
from goodmeasure.theory.atlas.atlas import Atlas, home, unpack
from goodmeasure.theory.atlas.building import AtlasTask, build, tasks
from goodmeasure.theory.statements.lookup import statements
from tests.replay import replayed

ATLAS = gm.atlas()
CELLS = ATLAS.cells


def test_every_measure_meets_every_statement():
    wanted = {(x.measure, x.classes, x.domain, s.name) for x in tasks() for s in statements(x.classes)}
    assert {(x["measure"], x["classes"], x["domain"], x["property"]) for x in CELLS} == wanted
    assert len(CELLS) == len(wanted)
    assert set(ATLAS.measures) == {x.name for x in gm.measures()}


def test_what_is_refuted_has_a_witness_and_what_is_proved_a_certificate():
    for x in CELLS:
        if x["property"] == "opitz_class_sensitive":  # holds by an example, fails by a proof
            assert (x["witness"] is not None) == (x["status"] == "proved")
        else:
            assert (x["witness"] is not None) == (x["status"] == "refuted"), x["measure"]
            proved = x["status"] in ("proved", "vacuous")
            if x["property"] == "opitz_chance_corrected":  # that the best guess is as good as any matrix is proved too
                proved = proved or x["status"] == "refuted"
            assert (x["certificate"] is not None) == proved, x["measure"]


REFUTED = [x for x in CELLS if x["witness"] is not None]


@pytest.mark.parametrize("part", range(8))
def test_witnesses_can_be_replayed(part):
    """The line that is printed with a witness evaluates to False: what must hold does not (a seeded sample of 400)."""
    for x in random.Random(part).sample(REFUTED[part::8], 50):
        line = json.loads(x["witness"])["replay"]
        assert replayed(line) is False, (x["measure"], x["property"], line)


@cache
def certificates():
    """Return the certificates of the atlas as plain data."""
    return [x["certificate"] for x in ATLAS.whole_cells() if x["certificate"] is not None]


@pytest.mark.parametrize("part", range(4))
def test_certificates_are_accepted(part):
    """A seeded sample of the certificates with few cases, and of the larger ones."""
    small = [x for x in certificates() if len(x.get("cases", ())) <= 40]
    large = [x for x in certificates() if 40 < len(x.get("cases", ())) <= 400]
    chosen = random.Random(7).sample(small, min(80, len(small))) + random.Random(7).sample(large, min(4, len(large)))
    for x in chosen[part::4]:
        assert gm.verify(x) is True, (x["measure"], x["statement"])


def test_a_sample_of_verdicts_comes_out_again():
    decided = [x for x in CELLS if x["classes"] == 2 and x["seconds"] < 1 and x["status"] != "held"]
    chosen = random.Random(11).sample(decided, 25)  # how far a search comes is a matter of the machine
    for x in chosen:
        again = gm.check(x["measure"], 2, x["domain"], properties=[x["property"]])[x["property"]]
        assert (again.status, again.n) == (x["status"], x["n"]), (x["measure"], x["property"])


def test_lookups_and_filters():
    assert ATLAS["mcc", "Mon"].status == "proved"
    assert gm.atlas("kappa", "Mon", classes=3, domain="regular").whole_cells()[0]["n"] == 16
    assert gm.atlas(status="held", classes=2, domain="regular").counts["refuted"] == 0
    assert ATLAS["accuracy", "Max"].constant == 1
    with pytest.raises(KeyError, match=r"^the atlas holds no verdict on f1 and Mon .*: gm\.check decides it$") as error:
        ATLAS.verdict("f1", "Mon", classes=3, domain="regular")
    assert isinstance(error.value, gm.UnknownName)
    assert error.value.name == "Mon"
    with pytest.raises(ValueError, match="use proved, refuted, held"):
        gm.atlas(status="maybe")
    assert repr(gm.atlas("f1", "Mon", domain="all")) == "measure  m  domain  Mon\nf1       2  all     ✗2"


FEW = (AtlasTask("accuracy", 2, "all"), AtlasTask("recall", 2, "all"), AtlasTask("f1", 2, "regular"))


def test_a_stopped_build_is_taken_up(tmp_path, monkeypatch):
    """What was done is kept, and a line that was cut off is done again; another source starts anew."""
    monkeypatch.setattr(building, "statements_of", lambda task: ["symmetry", "monotone"])
    solved = []
    real = building.solve

    def counted(task, proofs):
        solved.append(task)
        if len(solved) == 2:
            raise KeyboardInterrupt
        return real(task, proofs)

    monkeypatch.setattr(building, "solve", counted)
    output = tmp_path / "atlas.json.xz"
    with pytest.raises(KeyboardInterrupt):
        build(output, processes=1, only=FEW.__contains__)
    partial = tmp_path / "atlas.json.xz.partial"
    with partial.open("a") as log:
        log.write('["recall", 2, "al')
    seen = []
    build(output, processes=1, only=FEW.__contains__, said=lambda done, total, task: seen.append((done, total)))
    assert len(solved) == 4, "the first task was not done again"
    assert seen == [(2, 3), (3, 3)]
    assert len(unpack(output.read_bytes())) == 6
    assert not partial.exists()
    partial.write_text(json.dumps({"digest": "of another source"}) + "\nnonsense\n")
    build(output, processes=1, only=FEW.__contains__)
    assert len(solved) == 7


def test_some_measures_are_decided_again_and_all_others_are_kept(tmp_path, monkeypatch):
    monkeypatch.setattr(building, "statements_of", lambda task: ["symmetry", "monotone"])
    monkeypatch.setattr(building, "_averages", list)
    first, second = tmp_path / "first.json.xz", tmp_path / "second.json.xz"
    build(first, processes=1, only=FEW.__contains__)
    stored = unpack(first.read_bytes())
    solved = []
    other = {**stored.whole_cells()[0], "n": 77}
    monkeypatch.setattr(building, "solve", lambda task, proofs: solved.append(task) or [other])
    build(second, processes=1, only=lambda task: task == FEW[0], keep=stored)
    assert solved == [FEW[0]]
    found = unpack(second.read_bytes()).whole_cells()
    assert [x for x in found if x["n"] != 77] == [x for x in stored.whole_cells() if x["measure"] != "accuracy"]
    assert [x for x in found if x["n"] == 77] == [other]


def test_counterexamples_that_stand_are_taken_over(monkeypatch):
    """Those that do not stand are searched again, and so is what rests on a proof."""
    stored = gm.atlas("f1", classes=2, domain="all").cells
    kept = [{**x, "n": 77} if x["property"] == "monotone" else {**x, "seconds": 99.0} for x in stored]
    monkeypatch.setattr(building, "atlas", lambda *about, **more: Atlas(kept).filter(status=more.get("status")))
    monkeypatch.setattr(building, "statements_of", lambda task: ["monotone", "symmetry", "distance"])
    found = building.solve(AtlasTask("f1", 2, "all"), proofs=True)
    assert [(x["property"], x["status"], x["n"], x["seconds"] == 99) for x in found] == [
        ("monotone", "refuted", 2, False),
        ("symmetry", "proved", None, False),
        ("distance", "refuted", 2, True),
    ]


def test_certificates_are_decompressed_only_when_one_is_read():
    found = unpack(home().read_bytes())
    read = next(x["certificate"].among for x in found.cells if x["certificate"] is not None)
    assert "texts" not in vars(read)
    assert found["mcc", "Mon"].certificate.statement == "monotone"
    assert "texts" in vars(read)
