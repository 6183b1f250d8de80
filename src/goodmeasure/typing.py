"""Types that every room shares."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any, TypeAlias

import numpy as np

Array: TypeAlias = np.ndarray[Any, Any]  # of any shape and any kind of number
Label: TypeAlias = Hashable  # a class, a slice or a group: text, a number, a date, or None for a missing value
