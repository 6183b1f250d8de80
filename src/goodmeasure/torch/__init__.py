"""Measures inside training loops: counts that stay on the device, losses from measures, scores on the device.

>>> import pytest; _ = pytest.importorskip("torch")
>>> import torch
>>> state = Measures(["accuracy", "macro(f1)"], classes=3)
>>> state.update(torch.tensor([0, 1, 2, 2]), torch.tensor([0, 1, 1, 2]))
>>> {name: round(value.item(), 4) for name, value in state.compute().items()}
{'accuracy': 0.75, 'macro(f1)': 0.7778}
"""

from __future__ import annotations

from goodmeasure.exceptions import MissingPackageError

try:
    import torch as _torch  # noqa: F401 - everything in this room needs it
except ImportError:
    raise MissingPackageError("goodmeasure.torch needs PyTorch", advice="pip install 'goodmeasure[torch]'") from None

from goodmeasure.torch.bootstrap import intervals
from goodmeasure.torch.measure_state import Estimate, Measures
from goodmeasure.torch.model_outputs import confusion
from goodmeasure.torch.soft import SoftMeasureLoss, soft_confusion

__all__ = ["Estimate", "Measures", "SoftMeasureLoss", "confusion", "intervals", "soft_confusion"]
