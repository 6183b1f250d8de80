"""How many human labels are needed where a judge labels all items."""

from __future__ import annotations

from dataclasses import replace

from goodmeasure.comparison.planning.planned import Plan
from goodmeasure.evaluation.judges.judge import Judge
from goodmeasure.evaluation.judges.powered import UNEXPLAINED
from goodmeasure.exceptions import InputError


def with_judge(found: Plan, judge: Judge) -> Plan:
    """Return a plan for human labels and a judge, from that for human labels alone.

    The judge explains a share of the variance that the human labels leave, which the pilot has shown: with n of N items
    labelled by humans, the variance is 1 − share·(1 − n/N) of that without the judge. Intervals count that as n
    divided by this ratio human labels, with two that are never explained.
    """
    known = next(iter(judge.worths.values()), {}).get(found.measure)
    if known is None:
        raise InputError(
            "the judge is not known for {measure}", argument="judge", measure=found.measure,
            advice="give result.judge of an evaluation with this measure and y_judge=",
        )  # fmt: skip
    pilot, size = float(judge.known.sum()), len(judge.human)
    share = min(1.0, known / (pilot + known) / max(1e-12, 1 - pilot / size))

    def worth(labels: int) -> float:
        ratio = 1 - share * (1 - labels / size)
        return labels * (labels + UNEXPLAINED) / (labels * ratio + UNEXPLAINED) if share else float(labels)

    def needed(alone: int) -> int:
        low, high = 1, min(alone, size)
        if worth(high) < alone:
            return alone
        while low < high:
            middle = (low + high) // 2
            low, high = (low, middle) if worth(middle) >= alone else (middle + 1, high)
        return low

    human = needed(found.items)
    said = (
        f"the judge labels {size:,} items, so that {human:,} human labels are as good as {found.items:,} without it"
        if human < found.items
        else f"the judge saves no human labels: more than {size:,} judged items would be needed"
    )
    scale = human / found.items
    table = tuple(
        replace(x, items=needed(x.items), rare=round(x.rare * needed(x.items) / x.items)) for x in found.table
    )
    return replace(found, items=human, rare=round(found.rare * scale), table=table, notes=(*found.notes, said))
