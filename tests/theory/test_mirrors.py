"""A statement is refuted, proved and verified in files of the same name, so that each of the three is easy to find."""

from __future__ import annotations

from types import FunctionType
from typing import NoReturn

import pytest

from goodmeasure.theory.prove import proof
from goodmeasure.theory.prove.signs import NoProof
from goodmeasure.theory.refute.search import REFUTERS
from goodmeasure.theory.statements import statement as kinds
from goodmeasure.theory.statements.lookup import STATEMENTS, statement
from goodmeasure.theory.verify.verify import CHECKERS, checker_of

NAMES = (*STATEMENTS, "approximate_constant_baseline(order=2)")

# (statement, room): the file in which it is treated instead, or None if it is not treated there, and why.
EXCEPTIONS = {
    ("sebastiani_cha", "refute"): ("baselines", "all averages are searched alike, over given or over all predictions"),
    ("opitz_class_indifferent", "refute"): (None, "it is hidden; an example of class sensitivity refutes it"),
    ("opitz_class_sensitive", "prove"): (None, "the example that the search finds is the proof"),
    ("opitz_chance_uncorrected", "refute"): (None, "it is hidden; only refuted chance correction needs it"),
    ("opitz_chance_uncorrected", "prove"): (None, "the search proves it with functions of prove/chance_correction.py"),
    ("opitz_chance_corrected_completely", "prove"): (None, "it compares numbers of classes: see prove/every_m.py"),
}


def refuted_in(name: str) -> str | None:
    """The file that searches for counterexamples of a statement."""
    refuter = REFUTERS.get(statement(name).kind)
    return None if refuter is None else refuter.__module__.rpartition(".")[2]


def proved_in(name: str, monkeypatch: pytest.MonkeyPatch) -> str | None:
    """The file of the first function of `prove/`, except for its general tools, that a proof for two classes calls."""
    called = []

    def recorder(module: str) -> object:
        def record(*_: object, **__: object) -> NoReturn:
            called.append(module)
            raise NoProof("only the name of the file is asked for")

        return record

    for key, value in vars(proof).items():
        room, _, module = getattr(value, "__module__", "").rpartition(".")
        is_method = isinstance(value, FunctionType) and module not in ("support_cases", "signs", "vacuity", "proof")
        if room == "goodmeasure.theory.prove" and is_method:
            monkeypatch.setattr(proof, key, recorder(module))
    proof.prove("accuracy", name)
    return called[0] if called else None


def verified_in(name: str) -> str:
    """The file that checks certificates of a statement."""
    return checker_of(statement(name)).__module__.rpartition(".")[2]


@pytest.mark.parametrize("name", NAMES)
def test_a_statement_has_files_of_one_name_in_all_rooms(name, monkeypatch):
    file = verified_in(name)
    found = {"refute": refuted_in(name), "prove": proved_in(name, monkeypatch)}
    expected = {room: EXCEPTIONS[name, room][0] if (name, room) in EXCEPTIONS else file for room in found}
    assert found == expected


def test_no_exception_is_left_over(monkeypatch):
    for name, room in EXCEPTIONS:
        with monkeypatch.context() as patched:
            found = refuted_in(name) if room == "refute" else proved_in(name, patched)
        assert found != verified_in(name), f"{name} is no exception in {room}/"


def test_every_kind_is_looked_at():
    known = {x for name, x in vars(kinds).items() if name.isupper() and isinstance(x, str)}
    of_statements = {statement(name).kind for name in NAMES}
    assert of_statements == set(CHECKERS)
    assert of_statements <= known
