"""Writes docs/intervals.md: the prose of coverage_page.md with the tables of the last simulation."""

from __future__ import annotations

import json
import math
from pathlib import Path
from string import Template
from typing import Any

from benchmarks.coverage import CLASSIFIERS, MEASURES, METHODS, RESULTS

TEMPLATE = Path(__file__).parent / "coverage_page.md"
PAGE = Path(__file__).parent.parent / "docs" / "intervals.md"
LOW, HIGH = 0.935, 0.965
BINS = ((0, 2), (2, 5), (5, 20), (20, 100), (100, math.inf))

Row = dict[str, Any]


def write_page() -> None:
    data = json.loads(RESULTS.read_text(encoding="utf-8"))
    rows = data["rows"]
    datasets = max(row["datasets"] for row in rows)
    parts = {
        "datasets": f"{datasets:,}",
        "resampled": ", ".join(f"{k:,}" for k in sorted({row["resampled"] for row in rows}, reverse=True)),
        "replicates": f"{data['replicates']:,}",
        "error": f"{100 * math.sqrt(0.95 * 0.05 / datasets):.1f}",
        "situations": str(len(rows) // len(MEASURES)),
        "default": default_table(rows),
        "smallest": smallest_table(rows),
        "methods": method_table(rows),
        "misses": misses(rows),
        "random": random_table(data["random"]),
        "information_lowest": percent(
            min(row["coverage"]["normalized_mutual_information()"] for row in data["random"])
        ),
        "random_situations": str(len(data["random"])),
        "random_datasets": f"{data['random'][0]['datasets']:,}",
        "beyond": beyond_table(data["beyond"]),
        "peer": peer_text(rows, data["peer"]),
    }
    PAGE.write_text(Template(TEMPLATE.read_text(encoding="utf-8")).substitute(parts), encoding="utf-8")
    print(f"wrote {PAGE.name}")


def table(head: list[str], lines: list[list[str]]) -> str:
    marks = ["---"] + ["---:"] * (len(head) - 1)
    return "\n".join("| " + " | ".join(x) + " |" for x in (head, marks, *lines))


def percent(share: float) -> str:
    return f"{100 * share:.1f}"


def marked(share: float) -> str:
    text = percent(share)
    return f"**{text}**" if share < LOW else f"*{text}*" if share > HIGH else text


def situation(row: Row) -> tuple[int, float, int]:
    return row["classes"], row["prevalence"], row["items"]


def default_table(rows: list[Row]) -> str:
    found = {(*situation(row), row["measure"], row["classifier"]): row["coverage"]["auto"] for row in rows}
    lines = []
    for one in dict.fromkeys(map(situation, rows)):
        cells = [" / ".join(marked(found[*one, name, kind]) for kind in CLASSIFIERS) for name in MEASURES]
        lines.append([str(one[0]), f"{one[1]:.0%}", f"{one[2]:,}", *cells])
    return table(["classes", "prevalence", "items", *MEASURES], lines)


def expected_in_smallest(row: Row) -> float:
    m, prevalence, n = situation(row)
    return n * min(prevalence, (1 - prevalence) / (m - 1))


def smallest_table(rows: list[Row]) -> str:
    lines = []
    for low, high in BINS:
        here = [row for row in rows if low <= expected_in_smallest(row) < high]
        if not here:
            continue
        cells = []
        for name in MEASURES:
            shares = [row["coverage"]["auto"] for row in here if row["measure"] == name]
            cells.append(f"{percent(min(shares))} · {percent(sum(shares) / len(shares))} · {percent(max(shares))}")
        lines.append([f"{low} to {high:g}" if high < math.inf else f"{low} or more", *cells])
    return table(["items in the smallest class", *MEASURES], lines)


def method_table(rows: list[Row]) -> str:
    lines = []
    for method in METHODS:
        shares = [row["coverage"][method] for row in rows]
        # The methods that draw anew are tried on fewer data sets, so their shares vary more.
        within = sum(LOW <= x <= HIGH for x in shares) / len(shares)
        below = sum(x < LOW for x in shares) / len(shares)
        widths = [row["width"][method] / row["width"]["auto"] for row in rows]
        cells = [f"{within:.0%}", f"{below:.0%}", f"{abs(1 - within - below):.0%}", percent(min(shares))]
        lines.append([f'`"{method}"`', *cells, f"{sum(widths) / len(widths):.2f}"])
    head = ["method", "within", "below", "above", "lowest coverage", "mean width, to the default's"]
    return table(head, lines)


def misses(rows: list[Row]) -> str:
    below = [row for row in rows if row["coverage"]["auto"] < LOW]
    above = [row for row in rows if row["coverage"]["auto"] > HIGH]
    wide = [row for row in above if expected_in_smallest(row) < 5]
    highest = percent(max((row["coverage"]["auto"] for row in above), default=HIGH))
    text = (
        f"It covers more than 96.5 % in {len(above)} of the {len(rows)} cases, up to {highest} %; {len(wide)} of these "
        "have fewer than 5 items to be expected in the smallest class, where a data set says little and the interval "
        "says so. Nothing else is needed there but more items.\n\n"
    )
    if not below:
        return text + "It covers less than 93.5 % nowhere."
    lines = [
        [
            row["measure"],
            str(row["classes"]),
            f"{row['prevalence']:.0%}",
            f"{row['items']:,}",
            row["classifier"],
            f"{expected_in_smallest(row):.3g}",
            *(marked(row["coverage"][method]) for method in METHODS if method != "smoothed"),
        ]
        for row in below
    ]
    head = ["measure", "classes", "prevalence", "items", "classifier", "items in the smallest class"]
    shown = table([*head, *(f'`"{x}"`' for x in METHODS if x != "smoothed")], lines)
    lowest = percent(min(row["coverage"]["auto"] for row in below))
    return (
        f"{text}It covers less than 93.5 % in {len(below)} of the {len(rows)} cases, at the lowest {lowest} %. The "
        "table has them with what the other methods cover there. Where one of those is not in bold, it can be used "
        "instead; where all are, no interval from so few items of a class can be trusted to the percent: take more "
        "items of the smallest classes, ask for a higher `confidence`, or look at a measure that does not give a class "
        f"of few items the weight of a large one (accuracy, kappa, mcc).\n\n{shown}"
    )


def random_table(found: list[Row]) -> str:
    """The mean coverage over random situations, by how many items their smallest class has."""
    bins = ((0, 5), (5, 20), (20, math.inf))
    groups = [[row for row in found if low <= row["smallest"] < high] for low, high in bins]
    lines = []
    for name in found[0]["coverage"]:
        known = [[row["coverage"][name] for row in rows if row["coverage"][name] is not None] for rows in groups]
        lines.append([name, *(marked(sum(x) / len(x)) if x else "" for x in known)])
    names = ("fewer than 5", "5 to 20", "20 or more")
    head = [f"{x} ({len(rows)})" for x, rows in zip(names, groups, strict=True)]
    return table(["measure", *head], lines)


def beyond_table(found: list[Row]) -> str:
    lines = [
        [
            f"{row['kind']}, {row['items']:,} items",
            *(f"{marked(row['coverage'][name])} ({percent(row['ignored'][name])})" for name in MEASURES),
        ]
        for row in found
    ]
    return table(["", *MEASURES], lines)


def peer_text(rows: list[Row], peer: list[Row]) -> str:
    if not peer:
        return "The package `confidenceinterval` was not installed when this page was written."
    ours = {(*situation(row), row["measure"], row["classifier"]): row["coverage"]["auto"] for row in rows}
    names = list(peer[0]["coverage"])
    lines = []
    for one in dict.fromkeys(map(situation, peer)):
        cells = []
        for name in names:
            theirs = {x["classifier"]: x["coverage"][name] for x in peer if situation(x) == one}
            cells.append(" / ".join(marked(theirs[kind]) for kind in CLASSIFIERS))
            cells.append(" / ".join(marked(ours[*one, name, kind]) for kind in CLASSIFIERS))
        lines.append([str(one[0]), f"{one[1]:.0%}", f"{one[2]:,}", *cells])
    head = [x for name in names for x in (f"{name}, theirs", f"{name}, ours")]
    error = 100 * math.sqrt(0.95 * 0.05 / peer[0]["datasets"])
    return (
        "The package `confidenceinterval` by its defaults (Wilson's interval for accuracy, Takahashi's delta method "
        "for macro F1; for mcc, kappa and sba it has only a bootstrap of items) on the first "
        f"{peer[0]['datasets']} of the same data sets, so within about {error:.1f} points. Of a class that does "
        "not occur in a data set it knows nothing, so its macro F1 is one of fewer classes then.\n\n"
        + table(["classes", "prevalence", "items", *head], lines)
    )
