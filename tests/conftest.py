"""Settings of the whole suite."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

quiet = (HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large)
settings.register_profile("suite", max_examples=30, deadline=None, derandomize=True, suppress_health_check=quiet)
settings.register_profile("deep", max_examples=1000, deadline=None, suppress_health_check=quiet)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "suite"))


def pytest_terminal_summary(terminalreporter):
    """What a browser would have tested and could not is said aloud at the end."""
    skipped = [report for report in terminalreporter.stats.get("skipped", []) if "BROWSER:" in str(report.longrepr)]
    if skipped:
        terminalreporter.write_sep("!", f"{len(skipped)} TESTS IN A REAL BROWSER WERE SKIPPED", red=True, bold=True)
        reason = str(skipped[0].longrepr[-1] if isinstance(skipped[0].longrepr, tuple) else skipped[0].longrepr)
        terminalreporter.write_line(reason)
