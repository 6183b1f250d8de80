"""Settings of the whole suite."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

quiet = (HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large)
settings.register_profile("suite", max_examples=30, deadline=None, derandomize=True, suppress_health_check=quiet)
settings.register_profile("deep", max_examples=1000, deadline=None, suppress_health_check=quiet)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "suite"))
