"""Run the tests that need a GPU, and keep their outcome for docs/benchmarks-gpu.md.

``python -m benchmarks.gpu_tests --out FILE``: the file is written after every test, so that nothing is lost if the run
is stopped.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
import time
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import pytest

TESTS = Path(__file__).parents[1] / "tests" / "torch"
FILES = ("test_kernels.py", "test_cuda.py")
LIBRARIES = ("torch", "triton", "torchmetrics", "numpy", "jax", "cupy", "cupy-cuda13x", "array-api-compat")


class Outcomes:
    """How each test function ended, in a file that is complete after every test."""

    def __init__(self, path: str | None) -> None:
        self.path, self.begin = path, time.monotonic()
        self.found: dict[str, Any] = {"device": None, "versions": _versions(), "functions": {}, "failures": []}

    def pytest_runtest_logreport(self, report: Any) -> None:
        """Count the outcome of a test; of setup and teardown only what went wrong."""
        if report.when != "call" and report.outcome == "passed":
            return
        how = report.outcome
        if hasattr(report, "wasxfail"):
            how = "passed" if how == "passed" else "expected to fail"
        name = report.nodeid.partition("[")[0].rpartition("/")[2]
        kept = self.found["functions"].setdefault(name, {})
        kept[how] = kept.get(how, 0) + 1
        if hasattr(report, "wasxfail") and how != "passed":
            kept["reason"] = str(report.wasxfail)
        if how == "skipped":
            kept["reason"] = str(report.longrepr[-1] if isinstance(report.longrepr, tuple) else report.longrepr)
        if how == "failed":
            self.found["failures"].append({"test": report.nodeid, "said": report.longreprtext[-3000:]})
        self.write()

    def write(self) -> None:
        """Write the file whole."""
        self.found["seconds"] = time.monotonic() - self.begin
        if self.path:
            beside = Path(f"{self.path}.partial")
            beside.write_text(json.dumps(self.found, indent=1), encoding="utf-8")
            os.replace(beside, self.path)


def _versions() -> dict[str, str]:
    found = {"python": platform.python_version()}
    for name in LIBRARIES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found


def main() -> int:
    """Run the tests, and return pytest's status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out")
    given, more = parser.parse_known_args()
    outcomes = Outcomes(given.out)
    import torch

    outcomes.found["device"] = torch.cuda.get_device_name() if torch.cuda.is_available() else "no GPU"
    outcomes.write()
    options = [
        "--noconftest",
        "-o",
        "addopts=",
        "-o",
        "filterwarnings=default",
        "-p",
        "no:cacheprovider",
        "-q",
        "--tb=short",
        *more,
    ]
    status = int(pytest.main([*options, *(str(TESTS / name) for name in FILES)], plugins=[outcomes]))
    outcomes.found["status"] = status
    outcomes.write()
    return status


if __name__ == "__main__":
    sys.exit(main())
