"""The Triton kernels run by Triton's interpreter, so that they are tried where there is no GPU."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("triton", minversion="3.9")  # earlier interpreters fail with NumPy 2.4
if torch.cuda.is_available():
    pytest.skip("the kernels are tried on the GPU", allow_module_level=True)


def test_the_kernels_are_right_in_tritons_interpreter():
    tests = Path(__file__).with_name("test_kernels.py")
    command = [sys.executable, "-m", "pytest", "-p", "no:xdist", "-p", "no:cacheprovider", "-rs", str(tests)]
    environment = {k: v for k, v in os.environ.items() if not k.startswith(("PYTEST", "COV"))}
    done = subprocess.run(
        command, env=environment | {"TRITON_INTERPRET": "1"}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert " passed" in done.stdout
    assert "skipped" not in done.stdout
