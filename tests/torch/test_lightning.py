"""The state of a training loop inside Lightning, and beside torchmetrics' collections."""

from __future__ import annotations

import warnings

import pytest

torch = pytest.importorskip("torch")
torchmetrics = pytest.importorskip("torchmetrics")

import goodmeasure as gm  # noqa: E402
from goodmeasure.torch import Measures  # noqa: E402

LOGITS = torch.randn((64, 3), generator=torch.Generator().manual_seed(1))
TARGET = torch.randint(0, 3, (64,), generator=torch.Generator().manual_seed(2))


def lightning_model():
    """The library, and a module that counts in its validation steps."""
    lightning = pytest.importorskip("pytorch_lightning", reason="pip install pytorch-lightning")

    class Model(lightning.LightningModule):
        def __init__(self):
            super().__init__()
            self.layer = torch.nn.Linear(3, 3)
            self.seen = Measures(["mcc", "macro(f1)"], classes=3)

        def training_step(self, batch, _):
            return torch.nn.functional.cross_entropy(self.layer(batch[0]), batch[1])

        def validation_step(self, batch, _):
            self.seen.update(batch[0], batch[1])

        def on_validation_epoch_end(self):
            values = self.seen.compute()
            self.log("mcc", values["mcc"])
            self.log_dict({"best " + name: x for name, x in values.items()}, prog_bar=False)
            self.last, self.kinds = self.seen.matrix(), (self.seen.counts.dtype, values["mcc"].dtype)
            self.checkpointed = self.seen.confusion()

        def on_validation_epoch_start(self):
            self.seen.reset()

        def configure_optimizers(self):
            return torch.optim.SGD(self.parameters(), lr=0.1)

    return lightning, Model


@pytest.mark.parametrize("precision", ["32-true", "bf16-true"])
def test_a_lightning_module_logs_what_was_counted(tmp_path, precision):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Lightning warns about its own imports
        lightning, kind = lightning_model()
        data = torch.utils.data.DataLoader(torch.utils.data.TensorDataset(LOGITS, TARGET), batch_size=10)
        trainer = lightning.Trainer(
            max_epochs=2, accelerator="cpu", logger=False, enable_checkpointing=False, enable_progress_bar=False,
            enable_model_summary=False, num_sanity_val_steps=0, default_root_dir=tmp_path, precision=precision,
        )  # fmt: skip
        model = kind()
        trainer.fit(model, data, data)
        trainer.save_checkpoint(tmp_path / "kept.ckpt")
        again = kind.load_from_checkpoint(tmp_path / "kept.ckpt")
    seen = LOGITS if precision == "32-true" else LOGITS.bfloat16()
    expected = gm.confusion(TARGET.numpy(), seen.argmax(1).numpy(), labels=range(3))
    assert model.last == expected
    assert model.kinds == (torch.int64, torch.float64)
    logged = {"mcc": gm.mcc(expected), "best macro(f1)": gm.macro(gm.f1)(expected)}
    for name, value in logged.items():  # which Lightning keeps in its own precision
        rounding = 1e-6 if precision == "32-true" else 1e-2
        assert trainer.callback_metrics[name].item() == pytest.approx(value, abs=rounding)
    assert torch.equal(again.seen.confusion(), model.checkpointed)


def test_a_state_stands_beside_a_collection_of_torchmetrics():
    from torchmetrics.classification import MulticlassAccuracy, MulticlassMatthewsCorrCoef

    theirs = torchmetrics.MetricCollection(
        {"accuracy": MulticlassAccuracy(3, average="micro"), "mcc": MulticlassMatthewsCorrCoef(3)}
    )
    ours = Measures(["accuracy", "mcc"], classes=3)
    for x, y in zip(LOGITS.split(9), TARGET.split(9), strict=True):
        theirs.update(x, y)
        ours.update(x, y)
    expected, found = theirs.compute(), ours.compute()
    assert list(found) == ["accuracy", "mcc"]
    for name, value in found.items():
        assert value.item() == pytest.approx(expected[name].item(), abs=1e-6)
    both = torch.nn.ModuleDict({"theirs": theirs, "ours": ours})
    assert any(name.startswith("ours") for name in both.state_dict())
