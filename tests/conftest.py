"""Settings of the whole suite."""

from __future__ import annotations

import gc
import os
from collections import Counter

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.needs import Missing

if "PYTEST_XDIST_WORKER" in os.environ:  # processes share the cores; threads that wait for each other burn them
    for library in ("OMP", "OPENBLAS", "MKL"):
        os.environ.setdefault(f"{library}_NUM_THREADS", "1")

quiet = (HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large)
settings.register_profile("suite", max_examples=10, deadline=None, derandomize=True, suppress_health_check=quiet)
settings.register_profile("deep", max_examples=500, deadline=None, suppress_health_check=quiet)
PROFILE = os.environ.get("HYPOTHESIS_PROFILE", "suite")
settings.load_profile(PROFILE)


def pytest_configure(config):
    config.addinivalue_line("markers", "deep: takes long, so `make deep` runs it every night, and `make test` does not")


def pytest_collection_modifyitems(config, items):
    left = [x for x in items if PROFILE != "deep" and x.get_closest_marker("deep")]
    config.hook.pytest_deselected(items=left)
    items[:] = [x for x in items if x not in set(left)]


def pytest_collection():
    """What is imported and collected stays to the end, so the collector need not look at it again and again."""
    gc.disable()


@given(st.none())
def _begun(nothing):
    """Let Hypothesis make its random numbers, as old versions do not find who holds them among frozen objects."""


def pytest_collection_finish():
    _begun()
    gc.enable()
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 100)  # what tests keep in caches is looked at seldom, too


_STATES = {}  # of the random numbers of each module, as it was when its first test began


def _restore_random_numbers(item):
    """Let what a test draws from its module's `RNG` not depend on which tests ran before it in this process."""
    module = getattr(item, "module", None)
    rng = getattr(module, "RNG", None)
    if rng is not None:
        rng.bit_generator.state = _STATES.setdefault(module.__name__, rng.bit_generator.state)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item):
    _restore_random_numbers(item)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_call(item):
    _restore_random_numbers(item)  # again, since fixtures may have drawn some


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    """A report of a test that lacked a program says which, and why; reports travel between processes."""
    report = yield
    if call.excinfo is not None and isinstance(call.excinfo.value, Missing):
        report.user_properties.append(("missing", (call.excinfo.value.program, call.excinfo.value.why)))
    return report


def pytest_terminal_summary(terminalreporter):
    """The last lines of a run say aloud what could not be tested."""
    missing = [
        value
        for report in terminalreporter.stats.get("skipped", [])
        for name, value in getattr(report, "user_properties", ())  # a module that was skipped whole has none
        if name == "missing"
    ]
    for (program, why), number in Counter(map(tuple, missing)).items():
        terminalreporter.write_sep("!", f"{number} TESTS WERE SKIPPED BECAUSE {program.upper()} IS MISSING", red=True)
        terminalreporter.write_line(why)
