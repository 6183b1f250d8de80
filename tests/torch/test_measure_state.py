"""The state of a training loop: what it counts, computes, merges, keeps and says."""

from __future__ import annotations

import copy
import io
import pickle

import numpy as np
import pytest

torch = pytest.importorskip("torch")

import goodmeasure as gm  # noqa: E402
from goodmeasure.torch import Measures  # noqa: E402


def batches(m=4, seed=0, sizes=(64, 1, 37)):
    generator = torch.Generator().manual_seed(seed)
    for size in sizes:
        yield torch.randn((size, m), generator=generator), torch.randint(0, m, (size,), generator=generator)


def filled(state, **given):
    for logits, target in batches(len(state.labels), **given):
        state.update(logits, target)
    return state


def matrix_of(m=4, **given):
    pieces = [gm.confusion(t.numpy(), x.argmax(1).numpy(), labels=range(m)) for x, t in batches(m, **given)]
    return sum(pieces)


@pytest.mark.parametrize("m", [2, 4])
def test_values_equal_those_of_the_whole_data(m):
    measures = gm.measures(classes=m)
    found = filled(Measures(measures, classes=m)).compute()
    for f in measures:
        assert found[f.name].dtype == torch.float64
        assert found[f.name].item() == pytest.approx(f(matrix_of(m)), abs=1e-12, nan_ok=True)


def test_intervals_are_those_of_evaluate():
    found = filled(Measures(["mcc", "macro(f1)"], classes=4)).compute(confidence=0.9)
    table = gm.evaluate(matrix_of(), measures=["mcc", "macro(f1)"], confidence=0.9).table
    for row in (x for x in table if x["class"] is None):
        estimate = found[row["measure"]]
        assert [x.item() for x in estimate] == pytest.approx([row["value"], row["low"], row["high"]], abs=1e-12)


def test_intervals_with_weights_are_those_of_evaluate():
    state = Measures(["accuracy", "kappa"], classes=3, weighted=True)
    target, pred = torch.randint(0, 3, (200,)), torch.randint(0, 3, (200,))
    weights = torch.rand(200, dtype=torch.float64)
    state.update(pred, target, weights)
    rows = gm.evaluate(
        target.numpy(), pred.numpy(), sample_weight=weights.numpy(), measures=["accuracy", "kappa"], labels=range(3)
    ).table
    found = state.compute(confidence=0.95)
    for row in (x for x in rows if x["class"] is None):
        expected = [row["value"], row["low"], row["high"]]
        assert [x.item() for x in found[row["measure"]]] == pytest.approx(expected, abs=1e-9)


def test_forward_measures_its_batch_and_counts_it():
    state = Measures(["accuracy"], classes=4)
    for logits, target in batches():
        value = state(logits, target)["accuracy"].item()
        assert value == pytest.approx((logits.argmax(1) == target).double().mean().item())
    assert state.matrix().n == 64 + 1 + 37


def test_reset_merge_and_copy():
    one, two = (filled(Measures(["mcc"], classes=4), seed=k) for k in (1, 2))
    both = copy.deepcopy(one)
    both.merge_state([two])
    assert np.array_equal(both.matrix().counts, (one.matrix() + two.matrix()).counts)
    both.merge_state(two)
    assert both.matrix().n == one.matrix().n + 2 * two.matrix().n
    both.reset()
    with pytest.raises(gm.InputError, match="nothing has been counted"):
        both.compute()
    with pytest.raises(gm.InputError, match="count the same classes"):
        one.merge_state(Measures(["mcc"], classes=3))


def test_a_state_is_kept_in_checkpoints_and_pickles():
    state = filled(Measures(["mcc", "macro(f1)"], classes=4))
    stored = io.BytesIO()
    torch.save(state.state_dict(), stored)
    stored.seek(0)
    other = Measures(["mcc", "macro(f1)"], classes=4)
    other.load_state_dict(torch.load(stored, weights_only=True))
    again = pickle.loads(pickle.dumps(state))
    for found in (other.compute(), again.compute()):
        assert found == state.compute()


def test_counts_keep_their_type_whatever_the_model_is_turned_into():
    state = filled(Measures(["mcc"], classes=4, weighted=True))
    before = state.counts.clone()
    for changed in (state.half(), state.bfloat16(), state.float(), state.to(torch.float16), state.cpu()):
        assert changed.counts.dtype == torch.float64
        assert torch.equal(changed.counts, before)


class Model(torch.nn.Module):
    """A model that counts by itself."""

    def __init__(self, **given):
        super().__init__()
        self.layer = torch.nn.Linear(4, 4)
        self.seen = Measures(["mcc"], classes=4, **given)


@pytest.mark.parametrize("given", [{}, {"weighted": True}, {"multilabel": True}], ids=str)
def test_a_model_that_counts_can_be_stored_copied_and_turned_into_halves(given):
    model = Model(**given)
    model.seen.counts += 2**24 + 1  # more than a float of 16 or 32 bits can count
    before = model.seen.counts.clone()
    for turn in (torch.nn.Module.half, torch.nn.Module.bfloat16, torch.nn.Module.double, torch.nn.Module.float):
        assert torch.equal(turn(model).seen.counts, before)
        assert model.seen.counts.dtype == before.dtype
    stored = io.BytesIO()
    torch.save(model, stored)
    stored.seek(0)
    fresh = Model(**given)
    fresh.load_state_dict(model.state_dict())
    turned = copy.deepcopy(model).to("cpu", torch.float16)
    for other in (fresh, turned, torch.load(stored, weights_only=False), pickle.loads(pickle.dumps(model))):
        assert torch.equal(other.seen.counts, before)
        assert other.seen.counts.dtype == before.dtype
    turned.seen.reset()
    assert torch.equal(model.seen.counts, before)  # a copy has counts of its own


def test_no_gradient_is_kept():
    state = Measures(["mcc"], classes=4)
    logits = torch.randn((8, 4), requires_grad=True)
    state.update(logits, torch.randint(0, 4, (8,)))
    state(logits, torch.randint(0, 4, (8,)))
    assert not state.counts.requires_grad
    assert not list(state.parameters())


def test_an_update_can_be_compiled_whole():
    state, plain = Measures(["mcc"], classes=4), Measures(["mcc"], classes=4)
    update = torch.compile(state.update, fullgraph=True, backend="aot_eager", dynamic=True)
    for logits, target in batches():
        update(logits, target)
        plain.update(logits, target)
    assert torch.equal(state.counts, plain.counts)


def test_a_weighted_update_can_be_compiled_whole():
    """Three tables are added to, which are parts of one tensor."""
    state, plain = (Measures(["mcc"], classes=4, weighted=True) for _ in range(2))
    update = torch.compile(state.update, fullgraph=True, backend="aot_eager", dynamic=True)
    for logits, target in batches():
        weights = torch.rand(len(target))
        update(logits, target, weights)
        plain.update(logits, target, weights)
    assert torch.equal(state.counts, plain.counts)


def test_the_operators_say_what_they_change():
    """PyTorch's own check of an operator: its schema, and what the compiler may assume."""
    counts, faults = torch.zeros((3, 3), dtype=torch.float64), torch.zeros(3, dtype=torch.int64)
    target, weights = torch.tensor([0, 1, 2, 2]), torch.rand(4, dtype=torch.float64)
    for operator, said in (("add_labels", torch.tensor([0, 1, 1, 2])), ("add_logits", torch.rand((4, 3)))):
        call = getattr(torch.ops.goodmeasure, operator).default
        torch.library.opcheck(call, (counts, faults, target, said, weights, None))


def test_labels_may_have_names_and_measures_own_names():
    def hits(c):
        return c.ratio(c.sum(lambda i: c[i, i]), c.n)

    state = Measures({"own": hits, "mcc": "mcc"}, classes=["cat", "dog", "bird"])
    state.update(torch.tensor([0, 1, 2]), torch.tensor([0, 1, 1]))
    assert state.matrix().labels == ("cat", "dog", "bird")
    assert state.compute()["own"].item() == pytest.approx(2 / 3)
    assert "own" in repr(state)


@pytest.mark.parametrize("average", ["macro", "micro", "weighted"])
def test_multilabel_averages_are_those_of_multilabel(average):
    p, t = torch.rand((50, 3)), torch.randint(0, 2, (50, 3))
    state = Measures(["f1", "mcc"], classes=3, multilabel=True, average=average)
    state.update(p[:20], t[:20])
    state.update(p[20:], t[20:])
    expected = gm.multilabel(t.numpy(), (p > 0.5).int().numpy())
    for name, value in state.compute().items():
        assert value.item() == pytest.approx(expected.average(name, average), abs=1e-12)


def _several(n, *, seed=0):
    drawn = torch.Generator().manual_seed(seed)
    t = torch.randint(0, 2, (n, 3), generator=drawn)
    p = torch.where(torch.rand((n, 3), generator=drawn) < 0.8, t.float(), 1 - t.float()) * 0.8 + 0.1
    return p, t, torch.rand(n, generator=drawn) + 0.5


@pytest.mark.parametrize("how", ["update", "forward", "one by one", "merged"])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("average", ["macro", "micro", "weighted"])
def test_multilabel_intervals_resample_items(average, weighted, how):
    p, t, w = _several(60)
    state = Measures(["f1", "mcc"], classes=3, multilabel=True, average=average, weighted=weighted)
    second = Measures(["f1", "mcc"], classes=3, multilabel=True, average=average, weighted=weighted)
    given = (p, t, w) if weighted else (p, t)
    if how == "one by one":
        for k in range(60):
            state(*(x[k : k + 1] for x in given))
    elif how == "merged":
        state.update(*(x[:30] for x in given))
        second.update(*(x[30:] for x in given))
        state.merge_state(second)
    else:
        getattr(state, how)(*given)
    data = gm.multilabel(t.numpy(), (p > 0.5).int().numpy(), sample_weight=w.double().numpy() if weighted else None)
    for name, found in state.compute(confidence=0.9).items():
        expected = data.average(name, average), *data.interval(name, average, confidence=0.9)
        assert [float(x) for x in found] == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("order", ["as drawn", "by difficulty", "with the period of the blocks"])
def test_intervals_of_many_items_do_not_depend_on_their_order(order):
    p, t, _ = _several(4000)
    wrong = ((p > 0.5).int() != t).sum(dim=1)
    places = {
        "as drawn": torch.arange(4000),
        "by difficulty": wrong.argsort(stable=True),
        "with the period of the blocks": wrong.argsort(stable=True)[:3840].view(256, 15).T.reshape(-1),
    }[order]
    state = Measures(["f1"], classes=3, multilabel=True)
    for part in places.split(96):
        state.update(p[part], t[part])
    found = state.compute(confidence=0.95)["f1"]
    low, high = gm.multilabel(t[places].numpy(), (p[places] > 0.5).int().numpy()).interval("f1", "macro")
    assert low < found.value.item() < high
    assert (found.high - found.low).item() == pytest.approx(high - low, rel=0.2)


def test_merged_states_of_few_items_do_not_share_blocks():
    p, t, _ = _several(100)
    state = Measures(["f1"], classes=3, multilabel=True)
    for k in range(100):
        one = Measures(["f1"], classes=3, multilabel=True)
        one.update(p[k : k + 1], t[k : k + 1])
        state.merge_state(one)
    expected = gm.multilabel(t.numpy(), (p > 0.5).int().numpy()).interval("f1", "macro")
    assert [x.item() for x in state.compute(confidence=0.95)["f1"][1:]] == pytest.approx(expected)


@pytest.mark.parametrize("weights", [torch.ones(1), torch.ones(4), torch.ones((5, 3)), torch.ones((5, 1))], ids=str)
def test_multilabel_weights_are_one_for_each_item(weights):
    p, t, _ = _several(5)
    with pytest.raises(gm.InputError, match="one weight for each item"):
        Measures(["f1"], classes=3, multilabel=True, weighted=True).update(p, t, weights)
    with pytest.raises(TypeError, match="sample_weight is a ndarray"):
        Measures(["f1"], classes=3, multilabel=True, weighted=True).update(p, t, torch.ones(5).numpy())


def test_a_batch_without_weight_or_without_decisions_about_a_label_has_values_where_it_can():
    state = Measures(["accuracy"], classes=2, weighted=True)
    assert torch.isnan(state(torch.tensor([1, 0]), torch.tensor([1, 1]), torch.zeros(2))["accuracy"])
    p, t, _ = _several(6)
    t[:, 1] = -1
    for average in ("macro", "none"):
        several = Measures(["f1"], classes=3, multilabel=True, ignore_index=-1, average=average)
        several(p, t)
        found = several.compute(confidence=0.9)["f1"]
        values = several.compute()["f1"]
        expected = gm.multilabel(t[:, [0, 2]].numpy(), (p[:, [0, 2]] > 0.5).int().numpy())
        if average == "macro":
            assert values.item() == found.value.item() == pytest.approx(expected.average("f1", "macro"))
        else:
            assert values.isnan().tolist() == found.value.isnan().tolist() == [False, True, False]


def test_multilabel_intervals_of_each_label():
    p, t, _ = _several(60)
    state = Measures(["f1", "recall"], classes=3, multilabel=True, average="none")
    state.update(p, t)
    found = state.compute(confidence=0.95)
    for k in range(3):
        matrix = gm.confusion(t[:, k].numpy(), (p[:, k] > 0.5).int().numpy())
        for row in gm.evaluate(matrix, measures=["f1", "recall"]).parts[0].rows[:2]:
            assert [float(x[k]) for x in found[row.measure]] == pytest.approx([row.value, row.low, row.high])


def test_multilabel_values_of_each_label():
    p, t = torch.rand((50, 3)), torch.randint(0, 2, (50, 3))
    state = Measures(["f1"], classes=3, multilabel=True, average="none")
    state.update(p, t)
    expected = gm.multilabel(t.numpy(), (p > 0.5).int().numpy()).values("f1")
    assert state.compute()["f1"].tolist() == pytest.approx(list(expected.values()))
    t[0, 0] = 2
    state.update(p, t)
    with pytest.raises(gm.InputError, match="outside 0"):
        state.compute()


def test_faults_are_said_when_values_are_asked_for():
    state = Measures(["mcc"], classes=3)
    state.update(torch.tensor([0, 7]), torch.tensor([0, 1]))
    with pytest.raises(gm.InputError, match="outside 0"):
        state.compute()
    state.reset()
    state.update(torch.tensor([0, 2]), torch.tensor([0, 1]))
    assert state.compute()["mcc"].isfinite()


def test_wrong_settings_and_arguments_are_refused():
    with pytest.raises(gm.InputError, match="at least two classes"):
        Measures(["mcc"], classes=1)
    with pytest.raises(gm.InputError, match="empty"):
        Measures([], classes=3)
    with pytest.raises(gm.UnknownName):
        Measures(["no such measure"], classes=3)
    with pytest.raises(gm.InputError, match="weighted=True"):
        Measures(["mcc"], classes=3).update(torch.tensor([0]), torch.tensor([0]), torch.tensor([1.0]))
    with pytest.raises(gm.InputError, match="'macro'"):
        Measures(["f1"], classes=3, multilabel=True, average="mean")
    with pytest.raises(gm.InputError, match="a column for each of 3 labels"):
        Measures(["f1"], classes=3, multilabel=True).update(torch.rand((2, 4)), torch.zeros((2, 4)))


def test_one_logit_for_each_item_is_read_as_torchmetrics_reads_it():
    functional = pytest.importorskip("torchmetrics.functional.classification")
    target = torch.tensor([0, 1, 1, 1])
    logits = torch.tensor([-2.0, 0.3, 0.2, 4.0])
    state = Measures(["accuracy"], classes=2)
    state.update(logits, target)
    assert state.confusion().tolist() == functional.binary_confusion_matrix(logits, target).tolist()
    several = Measures(["f1"], classes=2, multilabel=True, average="none")
    columns, decided = torch.stack([logits, -logits], 1), torch.stack([target, 1 - target], 1)
    several.update(columns, decided)
    expected = functional.multilabel_f1_score(columns, decided, 2, average="none")
    assert several.compute()["f1"].tolist() == pytest.approx(expected.tolist())


def test_what_is_ignored_may_be_nan_and_a_batch_may_be_ignored_whole():
    state = Measures(["accuracy"], classes=2, ignore_index=-1)
    state.update(torch.tensor([0.9, float("nan")]), torch.tensor([1, -1]))
    assert state.compute()["accuracy"].item() == 1
    assert torch.isnan(state(torch.tensor([0.9]), torch.tensor([-1]))["accuracy"])
    assert state.compute()["accuracy"].item() == 1


@pytest.mark.parametrize("weight", [-1.0, float("nan"), float("inf")])
def test_a_weight_that_is_none_is_refused(weight):
    state = Measures(["accuracy"], classes=2, weighted=True)
    state.update(torch.tensor([0, 1]), torch.tensor([0, 1]), torch.tensor([1.0, weight]))
    with pytest.raises(gm.InputError, match="1 weights in sample_weight are negative or not finite"):
        state.compute()


def test_decisions_are_0_or_1():
    state = Measures(["f1"], classes=2, multilabel=True)
    state.update(torch.tensor([[0, 7]]), torch.tensor([[0, 1]]))
    with pytest.raises(gm.InputError, match="1 labels"):
        state.compute()


def test_a_checkpoint_of_other_classes_is_refused():
    with pytest.raises(RuntimeError, match="counts other classes"):
        Measures(["mcc"], classes=3).load_state_dict(Measures(["mcc"], classes=4).state_dict())
    with pytest.raises(RuntimeError, match="counts"):
        Measures(["mcc"], classes=3).load_state_dict({})
    assert not list(Measures(["mcc"], classes=3).buffers())  # which DistributedDataParallel would overwrite


OF_SCORES = ["roc_auc", "average_precision", "brier", "log_loss", "calibration_error"]


def scored(n=500, seed=5):
    generator = torch.Generator().manual_seed(seed)
    probabilities = torch.rand(n, generator=generator)
    return probabilities, (torch.rand(n, generator=generator) < probabilities).long()


def in_batches(state, *columns, size=130):
    for first in range(0, len(columns[0]), size):
        state.update(*(x[first : first + size] for x in columns))
    return state


FORMS_OF_SCORES = {
    "probabilities": lambda p: p,
    "logits": lambda p: p.double().logit(),
    "two columns of probabilities": lambda p: torch.stack([1 - p.double(), p.double()], 1),
    "two columns of logits": lambda p: torch.stack([0.3 * p, p.double().logit() + 0.3 * p], 1),
}


@pytest.mark.parametrize("form", FORMS_OF_SCORES)
def test_measures_of_scores_are_those_of_all_scores_together(form):
    p, y = scored()
    state = in_batches(Measures([*OF_SCORES, "mcc"], classes=2), FORMS_OF_SCORES[form](p), y)
    found = state.compute()
    assert list(found) == [*OF_SCORES, "mcc"]
    for name in OF_SCORES:
        assert found[name].item() == pytest.approx(gm.measure(name)(y.numpy(), p.double().numpy()), rel=1e-6), name
    assert found["mcc"].item() == pytest.approx(gm.mcc(y.numpy(), (p > 0.5).long().numpy()))


def test_measures_of_scores_of_more_classes_weights_and_ignored_items():
    generator = torch.Generator().manual_seed(1)
    logits, y = torch.randn((200, 3), generator=generator), torch.randint(0, 3, (200,), generator=generator)
    weights, names = torch.rand(200, generator=generator), ["macro(roc_auc)", "brier", "log_loss"]
    y[::9] = -100
    state = Measures([*names, "accuracy"], classes=3, weighted=True, ignore_index=-100)
    found = in_batches(state, logits, y, weights).compute()
    kept, shares = (y != -100).numpy(), logits.double().softmax(1).numpy()
    for name in names:
        given = y.numpy()[kept], shares[kept]
        expected = gm.measure(name)(*given, sample_weight=weights.double().numpy()[kept])
        assert found[name].item() == pytest.approx(expected, rel=1e-9), name


def test_intervals_of_scores_are_those_of_evaluate():
    p, y = scored()
    found = in_batches(Measures(["roc_auc", "accuracy", "brier"], classes=2), p, y).compute(confidence=0.9)
    table = gm.evaluate(y.numpy(), y_score=p.double().numpy(), measures=["roc_auc", "brier"], confidence=0.9).table
    for row in (x for x in table if x["class"] is None):
        expected = [row["value"], row["low"], row["high"]]
        assert [x.item() for x in found[row["measure"]]] == pytest.approx(expected, abs=1e-9)


def test_scores_are_kept_in_checkpoints_pickles_copies_and_merged_states():
    p, y = scored()
    names = [*OF_SCORES, "mcc"]
    whole = in_batches(Measures(names, classes=2), p, y)
    stored = io.BytesIO()
    torch.save(whole.state_dict(), stored)
    stored.seek(0)
    fresh = in_batches(Measures(names, classes=2), p[:7], y[:7])
    fresh.load_state_dict(torch.load(stored, weights_only=True))
    first, second = (in_batches(Measures(names, classes=2), p[part], y[part]) for part in (slice(200), slice(200, 500)))
    first.merge_state([second, Measures(names, classes=2)])
    again = in_batches(copy.deepcopy(whole), p[:3], y[:3])
    again.reset()
    in_batches(again, p, y)
    for other in (fresh, first, again, pickle.loads(pickle.dumps(whole)), whole.half(), whole.to("cpu")):
        assert other.compute() == whole.compute()
    with pytest.raises(gm.InputError, match="keeps scores"):
        first.merge_state(Measures(["mcc"], classes=2))


def test_forward_measures_the_scores_of_its_batch_and_keeps_them():
    p, y = scored()
    state = Measures(["roc_auc", "mcc"], classes=2)
    assert state(p[:300], y[:300])["roc_auc"].item() == pytest.approx(gm.roc_auc(y[:300].numpy(), p[:300].numpy()))
    state(p[300:], y[300:])
    assert state.compute()["roc_auc"].item() == pytest.approx(gm.roc_auc(y.numpy(), p.numpy()))


def test_scores_of_other_precision_are_kept_without_rounding():
    p, y = scored()
    state = Measures(["brier"], classes=2)
    state.update(p[:100].half(), y[:100])
    state.update(p[100:].double(), y[100:])
    kept = torch.cat([p[:100].half().double(), p[100:].double()])
    assert state.compute()["brier"].item() == pytest.approx(gm.brier(y.numpy(), kept.numpy()), rel=1e-12)


def test_what_has_no_scores_is_refused_and_leaves_the_state_as_it_was():
    p, y = scored()
    state = in_batches(Measures(["roc_auc", "mcc"], classes=2), p, y)
    before = state.compute()
    with pytest.raises(gm.InputTypeError, match="before it decided"):
        state.update(y, y)
    with pytest.raises(gm.InputError, match="the same kind of scores"):
        state.update(torch.stack([1 - p, p], 1), y)
    assert state.compute() == before
    with pytest.raises(gm.InputError, match="a state for each label"):
        Measures(["roc_auc"], classes=3, multilabel=True)
    one = Measures(["roc_auc", "accuracy"], classes=2)
    one.update(p[:5], torch.zeros(5, dtype=torch.int64))
    assert one.compute()["roc_auc"].isnan()


def test_an_update_with_scores_can_be_compiled_around_them():
    p, y = scored()
    state, plain = (Measures(["roc_auc", "mcc"], classes=2) for _ in range(2))
    update = torch.compile(state.update, backend="eager")
    for first in (0, 100, 300):
        update(p[first : first + 100], y[first : first + 100])
        plain.update(p[first : first + 100], y[first : first + 100])
    assert state.compute() == plain.compute()
