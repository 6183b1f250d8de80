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


def test_a_lightning_module_logs_what_was_counted(tmp_path):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Lightning warns about its own imports
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
                self.log_dict(self.seen.compute())
                self.last = self.seen.matrix()
                self.seen.reset()

            def configure_optimizers(self):
                return torch.optim.SGD(self.parameters(), lr=0.1)

        data = torch.utils.data.DataLoader(torch.utils.data.TensorDataset(LOGITS, TARGET), batch_size=10)
        trainer = lightning.Trainer(
            max_epochs=1, accelerator="cpu", logger=False, enable_checkpointing=False, enable_progress_bar=False,
            enable_model_summary=False, num_sanity_val_steps=0, default_root_dir=tmp_path,
        )  # fmt: skip
        model = Model()
        trainer.fit(model, data, data)
    expected = gm.confusion(TARGET.numpy(), LOGITS.argmax(1).numpy(), labels=range(3))
    assert model.last == expected
    assert trainer.callback_metrics["mcc"].item() == pytest.approx(gm.mcc(expected), abs=1e-6)  # logged in float32
    assert trainer.callback_metrics["macro(f1)"].item() == pytest.approx(gm.macro(gm.f1)(expected), abs=1e-6)


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
