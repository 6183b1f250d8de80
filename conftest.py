"""What is collected as doctests: modules and pages that need PyTorch or Triton, only where these are installed."""

from __future__ import annotations

from importlib.util import find_spec

collect_ignore_glob = []
if find_spec("torch") is None:
    collect_ignore_glob += ["src/goodmeasure/torch/*", "docs/torch.md"]
if find_spec("triton") is None:
    collect_ignore_glob += ["src/goodmeasure/counts/device/*_kernels.py"]
