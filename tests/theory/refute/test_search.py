"""The search for the smallest counterexample, when its time is over before a size is finished."""

from __future__ import annotations

import time

import goodmeasure as gm
from goodmeasure.language.policy import RESOLVE
from goodmeasure.theory.refute.search import Search
from goodmeasure.theory.statements.domain import domain_of
from goodmeasure.theory.statements.lookup import statement
from goodmeasure.theory.subject.measured_values import subject


def test_a_size_that_was_given_up_is_looked_at_again(monkeypatch):
    search = Search(statement("monotone"), [subject(gm.measure("kappa"), 3, domain_of("regular"), RESOLVE, None, 5)])
    looked = []

    def given_up_at_three(n):
        looked.append(n)
        if n == 3:
            monkeypatch.setattr(time, "process_time", lambda: 10.0)

    monkeypatch.setattr(search.refuters[0], "at", given_up_at_three)
    monkeypatch.setattr(time, "process_time", lambda: 0.0)
    assert search.upto(4, until=5.0) is None
    assert search.looked == 2
    monkeypatch.setattr(search.refuters[0], "at", looked.append)
    assert search.upto(4, until=20.0) is None
    assert looked == [1, 2, 3, 3, 4]
