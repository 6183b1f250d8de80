"""The authors' data, which is never part of the repository: tests that need it are skipped where it is absent."""

from __future__ import annotations

from pathlib import Path

import pytest

DATA = Path(__file__).resolve().parents[2].parent / "shared" / "data"


def needs(folder):
    """Skip a test where a folder of the authors' data is absent."""
    return pytest.mark.skipif(not (DATA / folder).is_dir(), reason=f"the authors' data is not at {DATA / folder}")
