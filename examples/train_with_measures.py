"""Train a small network on imbalanced data with several losses, and compare what they lead to.

Sebastiani (2015) argues that k is easy to optimise. Here a network learns to tell three classes of 80, 15 and 5% of
the items: with cross-entropy, plain and with the classes weighted equally, and with each of three measures as its loss.
All networks start alike, see the same batches, and are compared on the same test items, with intervals.

Run it with ``python examples/train_with_measures.py``; it needs PyTorch (pip install 'goodmeasure[torch]').
"""

from collections.abc import Callable

import torch

import goodmeasure as gm
from goodmeasure.torch import Estimate, Measures, SoftMeasureLoss

SHARES = torch.tensor([0.80, 0.15, 0.05])
LOSSES = {
    "cross-entropy": torch.nn.CrossEntropyLoss(),
    "weighted cross-entropy": torch.nn.CrossEntropyLoss(weight=1 / (3 * SHARES)),
    "k": SoftMeasureLoss("k"),
    "mcc": SoftMeasureLoss("mcc"),
    "macro(f1)": SoftMeasureLoss("macro(f1)"),
}
CENTRES = torch.tensor([[0.0, 0.0], [1.6, 0.8], [0.4, 2.0]])
JUDGED_BY = ["k", "mcc", "macro(f1)", "accuracy"]
BATCH = 500


def drawn(items: int, seed: int) -> tuple[torch.Tensor, torch.Tensor]:
    """Return items with two features, whose three classes overlap."""
    generator = torch.Generator().manual_seed(seed)
    target = torch.multinomial(SHARES, items, replacement=True, generator=generator)
    return CENTRES[target] + torch.randn((items, 2), generator=generator), target


def best_for_k(x: torch.Tensor) -> torch.Tensor:
    """Return what no network can beat on k: minus the distances to the centres, as all classes spread alike.

    With equal class sizes k is accuracy on another scale, and the nearest centre is the likeliest class.
    """
    return -torch.cdist(x, CENTRES)


def trained(
    loss: torch.nn.Module, steps: int, test: tuple[torch.Tensor, torch.Tensor]
) -> tuple[torch.nn.Module, dict[int, float]]:
    """Return a network that was trained on batches, and its k on test items on the way there."""
    torch.manual_seed(0)
    model = torch.nn.Sequential(torch.nn.Linear(2, 16), torch.nn.Tanh(), torch.nn.Linear(16, 3))
    optimiser = torch.optim.Adam(model.parameters(), lr=0.02)
    seen, on_the_way = Measures(["k"], classes=3), {}
    for step in range(1, steps + 1):
        x, target = drawn(BATCH, seed=step)
        optimiser.zero_grad()
        loss(model(x), target).backward()
        optimiser.step()
        if step in (steps // 8, steps // 4, steps // 2, steps):
            seen.reset()
            with torch.no_grad():
                seen.update(model(test[0]), test[1])
            on_the_way[step] = seen.compute()["k"].item()
    return model, on_the_way


def estimated(
    model: Callable[[torch.Tensor], torch.Tensor], test: tuple[torch.Tensor, torch.Tensor]
) -> dict[str, Estimate]:
    """Return the measures of a network on test items, with 95% intervals."""
    state = Measures(JUDGED_BY, classes=3)
    with torch.no_grad():
        state.update(model(test[0]), test[1])
    return state.compute(confidence=0.95)


def main(steps: int = 400, items: int = 20_000) -> dict[str, dict[str, Estimate]]:
    """Train with each loss, print the measures with intervals and the comparison, and return the measures."""
    test = drawn(items, seed=10**6)
    found, predicted = {}, {}
    for name, loss in LOSSES.items():
        model, on_the_way = trained(loss, steps, test)
        shown = ", ".join(f"{value:.3f} after {step}" for step, value in on_the_way.items())
        print(f"trained with {name}: k is {shown} steps")
        found[name] = estimated(model, test)
        with torch.no_grad():
            predicted[name] = model(test[0]).argmax(dim=1)
    found["(the best for k)"] = estimated(best_for_k, test)
    print("\n| trained with | " + " | ".join(JUDGED_BY) + " |")
    print("|---" * (len(JUDGED_BY) + 1) + "|")
    for name, values in found.items():
        cells = [f"{x.value:.3f} [{x.low:.3f}, {x.high:.3f}]" for x in values.values()]
        print(f"| {name} | " + " | ".join(cells) + " |")
    print()
    print(gm.compare(test[1], predicted, measures=JUDGED_BY))
    return found


if __name__ == "__main__":
    main()
