"""Earlier versions of goodmeasure, checked out from the history and compiled, to be timed beside this one."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).parent.parent
CHARTS = "src/goodmeasure/report/formats/templates/vega.js"


@contextmanager
def checked_out(revision: str) -> Iterator[Path | None]:
    """Give the folder of an earlier version while the block runs; None where its history is not at hand."""
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder, "earlier")
        added = subprocess.run(["git", "worktree", "add", "--quiet", "--detach", tree, revision], cwd=ROOT, check=False)
        if added.returncode:
            yield None
            return
        try:
            build = [sys.executable, "setup.py", "--quiet", "build_ext", "--inplace"]
            subprocess.run(build, cwd=tree, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            if (ROOT / CHARTS).exists():  # the script of the charts, which reports need, is the same in all versions
                shutil.copy(ROOT / CHARTS, tree / CHARTS)
            yield tree
        finally:
            subprocess.run(["git", "worktree", "remove", "--force", tree], cwd=ROOT, check=True)


def environment(tree: Path) -> dict[str, str]:
    """Return the environment in which `import goodmeasure` imports the version in a folder."""
    return {**os.environ, "PYTHONPATH": str(tree / "src"), "OPENBLAS_NUM_THREADS": "1"}
