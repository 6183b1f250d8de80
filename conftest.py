"""Which modules and pages are doctests (some only where a large library is installed), and how wide they print."""

from __future__ import annotations

from collections.abc import Generator
from importlib.util import find_spec

import pytest
from _pytest.doctest import DoctestItem

collect_ignore_glob = ["tests/contract_calls.py", "docs/_generated/*", "docs/conf.py"]  # a program that tests start
if find_spec("torch") is None:
    collect_ignore_glob += ["src/goodmeasure/torch/*", "src/goodmeasure/counts/device/operators.py", "docs/torch.md"]
if find_spec("mlflow") is None:
    collect_ignore_glob += ["src/goodmeasure/mlflow.py"]
if find_spec("triton") is None:
    collect_ignore_glob += ["src/goodmeasure/counts/device/*_kernels.py"]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None]:
    """Let the pages of the documentation print for a terminal of 80 columns, wherever the tests run.

    A fixture that every test uses would be set up tens of thousands of times for these few pages.
    """
    with pytest.MonkeyPatch.context() as patch:
        if isinstance(item, DoctestItem) and item.path.suffix == ".md":
            patch.setenv("COLUMNS", "80")
        return (yield)
