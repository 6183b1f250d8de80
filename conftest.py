"""Which modules and pages are doctests (some only where PyTorch or Triton is installed), and how wide they print."""

from __future__ import annotations

from importlib.util import find_spec

import pytest
from _pytest.doctest import DoctestItem

collect_ignore_glob = []
if find_spec("torch") is None:
    collect_ignore_glob += ["src/goodmeasure/torch/*", "docs/torch.md"]
if find_spec("triton") is None:
    collect_ignore_glob += ["src/goodmeasure/counts/device/*_kernels.py"]


@pytest.fixture(autouse=True)
def _width(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the pages of the documentation print for a terminal of 80 columns, wherever the tests run."""
    if isinstance(request.node, DoctestItem) and request.node.path.suffix == ".md":
        monkeypatch.setenv("COLUMNS", "80")
