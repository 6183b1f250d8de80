"""Scores with ties, infinities, denormal and constant numbers, weights and both classes, for Hypothesis."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

SCORES = st.one_of(
    st.sampled_from([0.0, 0.25, 0.5, 0.75, 1.0, 0.1 + 0.2, 0.3]),
    st.floats(allow_nan=False, width=64),
    st.floats(0, 1e-300),
    st.sampled_from([np.inf, -np.inf, -0.0, 5e-324, 1.7976931348623157e308]),
)
SHARES = st.one_of(st.sampled_from([0.0, 0.25, 0.5, 1.0, 0.3]), st.floats(0, 1))


@st.composite
def scored(draw, scores=SCORES, least=2, most=25, weighted=None):
    """True labels with both classes, scores, and weights or None."""
    n = draw(st.integers(least, most))
    y = np.array([0, 1, *draw(st.lists(st.integers(0, 1), min_size=n - 2, max_size=n - 2))])
    s = np.array(draw(st.lists(scores, min_size=n, max_size=n)))
    has = draw(st.booleans()) if weighted is None else weighted
    w = np.array(draw(st.lists(st.integers(1, 5) | st.floats(0.1, 10), min_size=n, max_size=n))) if has else None
    return y, s, w
