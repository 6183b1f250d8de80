"""Bootstrap intervals on the device: the distribution of the resamples, and agreement with those on the host."""

from __future__ import annotations

import numpy as np
import pytest

torch = pytest.importorskip("torch")

import goodmeasure as gm  # noqa: E402
from goodmeasure.torch import intervals  # noqa: E402
from goodmeasure.torch.bootstrap import _resamples  # noqa: E402

MATRICES = torch.tensor([[[50, 3, 2], [4, 20, 0], [1, 0, 9]], [[5, 1, 1], [2, 30, 3], [0, 0, 200]]])


def test_resamples_have_the_moments_of_the_multinomial_distribution():
    drawing = torch.Generator().manual_seed(0)
    (drawn,) = _resamples(MATRICES.to(torch.float64), 20_000, drawing)
    n = MATRICES.sum((-1, -2))
    assert bool((drawn.sum((-1, -2)) == n[:, None]).all())
    for k in range(2):
        cells, share = drawn[k].reshape(-1, 9), (MATRICES[k] / n[k]).reshape(-1).to(torch.float64)
        covariance = n[k] * (torch.diag(share) - share[:, None] * share)
        assert torch.allclose(cells.mean(0), n[k] * share, atol=0.2)
        assert torch.allclose(torch.cov(cells.T), covariance, atol=0.05 * float(covariance.max()))
        assert bool((cells[:, share == 0] == 0).all())


@pytest.mark.parametrize("method", ["percentile", "bca"])
def test_intervals_agree_with_those_on_the_host(method):
    names = ["mcc", "macro(f1)", "k"]
    found = intervals(MATRICES, names, replicates=20_000, method=method, confidence=0.9)
    for k, counts in enumerate(MATRICES):
        rows = gm.evaluate(gm.ConfusionMatrix(counts.numpy()), measures=names, method=method, replicates=20_000,
                           confidence=0.9).table  # fmt: skip
        for row in (x for x in rows if x["class"] is None):
            each = found[row["measure"]]
            width = row["high"] - row["low"]
            assert each.value[k].item() == pytest.approx(row["value"], abs=1e-12)
            assert each.low[k].item() == pytest.approx(row["low"], abs=0.04 * width)
            assert each.high[k].item() == pytest.approx(row["high"], abs=0.04 * width)


def test_pieces_and_shapes_do_not_matter(monkeypatch):
    monkeypatch.setattr("goodmeasure.torch.bootstrap._CELLS_AT_ONCE", {"cpu": 1000})
    counts = MATRICES[None].expand(3, 2, 3, 3)
    found = intervals(counts, "accuracy", replicates=301)["accuracy"]
    assert found.value.shape == found.low.shape == (3, 2)
    assert bool((found.low < found.value).all())
    assert bool((found.value < found.high).all())


def test_undefined_resamples_are_left_out():
    counts = torch.tensor([[30, 1], [1, 0]])
    found = intervals(counts, "precision", replicates=500, undefined="nan")["precision"]
    assert found.low.item() == found.high.item() == 0.0
    never = intervals(torch.tensor([[3, 0], [0, 0]]), "precision", replicates=500, undefined="nan")["precision"]
    assert np.isnan([never.value.item(), never.low.item(), never.high.item()]).all()


@pytest.mark.parametrize(
    ("counts", "given", "said"),
    [
        ([[1, 2], [3, 4]], {}, "counts is a list"),
        (torch.ones(2, 3), {}, "counts has the shape"),
        (torch.tensor([[0.5, 1], [1, 1]]), {}, "not a whole number"),
        (torch.zeros(2, 2), {}, "no items"),
        (torch.ones(2, 2), {"method": "wilson"}, "method is 'wilson'"),
        (torch.ones(2, 2), {"replicates": 1}, "replicates is 1"),
        (torch.ones(2, 2), {"confidence": 95}, "confidence is 95"),
    ],
)
def test_what_cannot_be_resampled_is_refused(counts, given, said):
    with pytest.raises(gm.InputError, match=said):
        intervals(counts, ["accuracy"], **given)
