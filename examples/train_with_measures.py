"""Train a small network on imbalanced data with several losses, and compare what they lead to.

Sebastiani (2015) argues that k is easy to optimise. Here a network learns to tell three classes of 80, 15 and 5% of
the items, once with cross-entropy and once with each of three measures as its loss. All networks start alike, and are
compared on the same test items, with paired intervals.

Run it with ``python examples/train_with_measures.py``; it needs PyTorch (pip install 'goodmeasure[torch]').
"""

import torch

import goodmeasure as gm
from goodmeasure.torch import Measures, SoftMeasureLoss

LOSSES = {
    "cross-entropy": torch.nn.CrossEntropyLoss(),
    "k": SoftMeasureLoss("k"),
    "mcc": SoftMeasureLoss("mcc"),
    "macro f1": SoftMeasureLoss("macro(f1)"),
}
JUDGED_BY = ["k", "mcc", "macro(f1)", "accuracy"]


def drawn(items: int, seed: int) -> tuple[torch.Tensor, torch.Tensor]:
    """Return items with two features, whose three classes overlap."""
    generator = torch.Generator().manual_seed(seed)
    target = torch.multinomial(torch.tensor([0.80, 0.15, 0.05]), items, replacement=True, generator=generator)
    centres = torch.tensor([[0.0, 0.0], [1.6, 0.8], [0.4, 2.0]])
    return centres[target] + torch.randn((items, 2), generator=generator), target


def trained(loss: torch.nn.Module, steps: int = 400) -> torch.nn.Module:
    """Return a network that was trained on batches of 500 items."""
    torch.manual_seed(0)
    model = torch.nn.Sequential(torch.nn.Linear(2, 16), torch.nn.Tanh(), torch.nn.Linear(16, 3))
    optimiser = torch.optim.Adam(model.parameters(), lr=0.02)
    seen = Measures(["k"], classes=3)
    for step in range(steps):
        x, target = drawn(500, seed=step)
        logits = model(x)
        optimiser.zero_grad()
        loss(logits, target).backward()
        optimiser.step()
        seen.update(logits, target)  # on the device of the logits, without waiting for it
        if step % 100 == 99:
            print(f"  step {step + 1}: k of the last 100 batches {seen.compute()['k']:.3f}")
            seen.reset()
    return model


def main() -> None:
    """Train with each loss, and print the comparison."""
    x, target = drawn(20_000, seed=10**6)
    predicted = {}
    for name, loss in LOSSES.items():
        print(f"training with {name}")
        model = trained(loss)
        with torch.no_grad():
            predicted[name] = model(x).argmax(dim=1)
    compared = gm.compare(target, predicted, measures=JUDGED_BY)
    print(compared)


if __name__ == "__main__":
    main()
