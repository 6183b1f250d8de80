"""Two versions side by side: each answers with its time or with its error, and the table says which one is slower."""

from __future__ import annotations

import pytest

from benchmarks.earlier import ROOT
from benchmarks.side_by_side import WORK, Version, line, timed


@pytest.fixture(scope="module")
def both():
    found = {"now": Version(ROOT), "earlier": Version(ROOT)}
    yield found
    for version in found.values():
        version.close()


@pytest.mark.parametrize("name", ["gm.mcc, lists of 100 labels", "gm.macro(gm.f1), a matrix", "gm.recommend"])
def test_work_is_timed_in_both_versions(both, name):
    found = timed(both, *WORK[name], rounds=2, turn=0.01)
    assert all(0 < seconds < 10 for seconds in found.values())


def test_what_is_prepared_is_kept_between_turns_and_not_for_other_work(both):
    version = both["now"]
    assert isinstance(version.seconds("x = 3", "assert x == 3", 0.01), float)
    assert isinstance(version.seconds(None, "assert x == 3", 0.01), float)
    assert version.seconds("", "assert x == 3", 0.01) == "NameError: name 'x' is not defined"


def test_work_that_a_version_cannot_do_shows_its_error(both):
    found = timed(both, "", "gm.no_such_measure", rounds=1, turn=0.01)
    assert "no_such_measure" in line("work", found)


@pytest.mark.parametrize(("now", "said"), [(1.2, "1.20 slower"), (1.05, "1.05 |"), (0.8, "0.80 faster")])
def test_the_table_says_what_is_slower_and_what_is_faster(now, said):
    assert said in line("work", {"now": now, "earlier": 1.0})


@pytest.mark.parametrize("work", WORK.values(), ids=list(WORK))
def test_work_is_code(work):
    assert all(compile(code, "<work>", "exec") for code in work)
