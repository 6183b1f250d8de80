"""Write the tables of the last results into docs/intervals.md, docs/comparison.md and docs/thresholds.md.

A table stands between ``<!-- coverage: NAME -->`` and ``<!-- end of coverage -->``; the prose around it is written by
hand.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

from benchmarks.coverage.results import Row, found, load

DOCS = Path(__file__).parent.parent.parent / "docs"
PAGES = ("intervals.md", "comparison.md", "thresholds.md")
LOW, LEAST, HIGH = 0.935, 0.92, 0.975  # the aim on average, at the least, and on average again
FEWEST = 20  # intervals: with fewer, a coverage says nothing
BLOCK = re.compile(r"<!-- coverage: (.*?) -->\n.*?<!-- end of coverage -->", re.DOTALL)
DEFAULT = ("default", "honest", "rare class")


def write_pages() -> None:
    """Write all tables into their pages."""
    rows = load()
    for name in PAGES:
        path = DOCS / name
        path.write_text(written(path.read_text(encoding="utf-8"), rows), encoding="utf-8")
        print(f"wrote docs/{name}")


def written(text: str, rows: list[Row]) -> str:
    """Return a page with the tables of these results."""

    def block(match: re.Match[str]) -> str:
        name = match[1]
        return f"<!-- coverage: {name} -->\n{TABLES[name](rows)}\n<!-- end of coverage -->"

    return BLOCK.sub(block, text)


# Numbers


def percent(share: float) -> str:
    """Return a share as a percentage; in bold where it is below what is promised at the least."""
    text = f"{100 * share:.1f}"
    return f"**{text}**" if float(text) < 100 * LEAST else text


def table(head: Sequence[str], lines: Iterable[Sequence[str]]) -> str:
    """Return a Markdown table whose columns from the second on are numbers."""
    marks = ["---"] + ["---:"] * (len(head) - 1)
    return "\n".join("| " + " | ".join(x) + " |" for x in (head, marks, *lines))


def shown(row: Row) -> Row:
    """Return the results of the interval that users get."""
    return next((row[x] for x in DEFAULT if x in row), row)


def coverages(rows: Iterable[Row], measure: str | None = None, part: Callable[[Row], Row] = shown) -> list[float]:
    """Return the coverages of one measure, or of all, in these situations."""
    every = []
    for row in rows:
        results = part(row)
        for name, share in results["coverage"].items():
            known = results["datasets"] * (1 - results["none"].get(name, 0))
            if (measure is None or name == measure) and known >= FEWEST:
                every.append(share)
    return every


def both(shares: Sequence[float]) -> str:
    """Return the lowest and the mean of some coverages."""
    return f"{percent(min(shares))} · {percent(sum(shares) / len(shares))}" if shares else ""


def number(x: float) -> str:
    """Return a number of items with thousands marked."""
    return f"{x:,}"


def share(x: float | str) -> str:
    """Return a prevalence as it is read."""
    return x if isinstance(x, str) else f"{100 * x:g}%"


def by(rows: list[Row], keys: Sequence[str], part: Callable[[Row], Row] = shown) -> str:
    """Return a table of the lowest and the mean coverage by these keys, with a column for each measure."""
    names = list(dict.fromkeys(name for row in rows for name in part(row)["coverage"]))
    groups: dict[tuple[Any, ...], list[Row]] = {}
    for row in rows:
        groups.setdefault(tuple(row[x] for x in keys), []).append(row)
    lines = [
        [*(_word(x) for x in values), *(both(coverages(mine, name, part)) for name in names)]
        for values, mine in groups.items()
    ]
    return table([*keys, *names], lines)


def _word(x: Any) -> str:
    if isinstance(x, bool):
        return "uneven" if x else "even"
    if isinstance(x, float):
        return share(x)
    return number(x) if isinstance(x, int) else str(x)


# Tables of docs/intervals.md


def summary(rows: list[Row]) -> str:
    """Return one line for each kind of interval: situations, lowest and mean coverage."""
    lines = []
    for kind, words in NAMES.items():
        mine = found(kind, rows)
        if mine:
            shares = coverages(mine)
            below = sum(round(x, 3) < LEAST for x in shares)
            numbers = (percent(min(shares)), percent(sum(shares) / len(shares)), f"{below} of {len(shares):,}")
            lines.append([words, str(len(mine)), *numbers])
    return table(["interval", "situations", "lowest", "mean", "below 92%"], lines)


NAMES = {
    "single": "one system, any measure",
    "by class": "one class against the rest",
    "random": "one system, 14 measures, random populations",
    "weighted": "one system, skewed weights",
    "grouped": "one system, 2 to 50 groups",
    "difference": "difference of two systems",
    "difference, weighted": "difference of two systems, skewed weights",
    "difference, grouped": "difference of two systems, 3 to 50 groups",
    "ensemble": "ensemble score, and ranks",
    "projection": "projection to other class shares",
    "threshold": "value to expect at a chosen threshold",
}


def proportion(rows: list[Row]) -> str:
    """Return the exact coverage of accuracy for each number of items and method."""
    lines = []
    for row in found("proportion", rows):
        for method in ("wilson", "exact", "smoothed"):
            one = row[method]
            lowest = f"{percent(one['lowest'])} (at {one['lowest_at']:g})"
            at = [percent(one["at"][x]) for x in ("0.7", "0.9", "0.97", "0.99", "0.999")]
            lines.append([f"`{method}`", number(row["items"]), *at, percent(one["mean"]), lowest])
    head = ["method", "items", "true value 0.7", "0.9", "0.97", "0.99", "0.999", "mean", "lowest"]
    return table(head, lines)


def recall(rows: list[Row]) -> str:
    """Return the exact coverage of recall: the lowest and the mean over true values from 0.5 to 0.999."""
    groups: dict[tuple[int, float], list[Row]] = {}
    for row in found("recall", rows):
        groups.setdefault((row["items"], row["prevalence"]), []).append(row)
    lines = [
        [number(n), share(p), *(both([x[method] for x in mine]) for method in ("wilson", "exact", "smoothed"))]
        for (n, p), mine in groups.items()
    ]
    return table(["items", "prevalence", "`wilson`", "`exact`", "`smoothed`"], lines)


def methods(rows: list[Row]) -> str:
    """Return how each method does over the same situations."""
    mine, lines = found("methods", rows), []
    names = [x for x in ("auto", "smoothed", "exact", "bayesian", "bca", "percentile", "delta") if x in mine[0]]
    for method in names:
        shares = coverages(mine, part=lambda row, method=method: row[method])
        measures = list(mine[0][method]["coverage"])
        wide = [
            row[method]["width"][x] / row["auto"]["width"][x]
            for row in mine
            for x in row[method]["width"]
            if row["auto"]["width"].get(x)
        ]
        said = "proportions only" if method == "exact" else "" if measures else "none"
        below = sum(round(x, 3) < LEAST for x in shares) / len(shares)
        numbers = [percent(min(shares)), percent(sum(shares) / len(shares)), f"{below:.0%}"]
        lines.append([f'`"{method}"`', *numbers, f"{sum(wide) / len(wide):.2f}", said])
    return table(["method", "lowest", "mean", "below 92%", "width relative to the default", ""], lines)


def random_table(rows: list[Row]) -> str:
    """Return the mean coverage over random situations, by how many items their smallest class has."""
    mine = found("random", rows)
    bins = (("fewer than 5", 0, 5), ("5 to 20", 5, 20), ("20 or more", 20, math.inf))
    groups = {name: [x for x in mine if low <= x["smallest"] < high] for name, low, high in bins}
    lines = [[name, *(both(coverages(x, name)) for x in groups.values())] for name in mine[0]["coverage"]]
    return table(["measure", *(f"{name} ({len(x)})" for name, x in groups.items())], lines)


def misses(rows: list[Row]) -> str:
    """Return every situation of one system in which the default covers less than 92%."""
    lines = []
    for row in found("single", rows):
        low = {x: y for x, y in row["coverage"].items() if round(y, 3) < LEAST and row["none"].get(x, 0) < 0.5}
        if low:
            said = ", ".join(f"{x} {100 * y:.1f}" for x, y in low.items())
            lines.append([str(row["classes"]), share(row["prevalence"]), number(row["items"]), row["classifier"], said])
    return table(["classes", "prevalence", "items", "classifier", "coverage"], lines)


def ignored(rows: list[Row], kind: str, other: str, keys: Sequence[str]) -> str:
    """Return the coverage of the default and, in a second table, of the interval that ignores weights or groups."""
    mine = found(kind, rows)
    blind = coverages(mine, part=lambda row: row[other])
    said = f"With {other}: {percent(min(blind))} at the lowest, {percent(sum(blind) / len(blind))} on average."
    return f"{by(mine, keys)}\n\n{said}"


def by_class(rows: list[Row]) -> str:
    """Return the coverage for the class of the given prevalence."""
    return by(found("by class", rows), ("classes", "prevalence"), lambda row: row["rare class"])


def _covered(results: Row, measure: str) -> str:
    """Return the coverage, and on how many data sets a package gives no interval."""
    if measure not in results["coverage"]:
        return ""
    none = results["none"][measure]
    return percent(results["coverage"][measure]) + (f" (none: {none:.0%})" if none >= 0.005 else "")


def peers(rows: list[Row]) -> str:
    """Return our coverage beside that of other packages."""
    mine = found("peers", rows)
    names = ("goodmeasure", "confidenceinterval", "scipy percentile", "scipy bca")
    lines = []
    for row in mine:
        for measure in ("accuracy", "macro(f1)", "mcc"):
            cells = [_covered(row[x], measure) for x in names]
            here = [str(row["classes"]), share(row["prevalence"]), number(row["items"]), row["classifier"], measure]
            lines.append([*here, *cells])
    head = ["classes", "prevalence", "items", "classifier", "measure", "goodmeasure", "`confidenceinterval`",
            "SciPy, percentile", "SciPy, BCa"]  # fmt: skip
    return table(head, lines)


# Tables of docs/comparison.md


def difference_of_accuracies(rows: list[Row]) -> str:
    """Return the exact coverage of the difference of two accuracies, and how often the test rejects."""
    lines = [
        [number(x["items"]), share(x["first"]), share(x["second"]), percent(x["tango"]), percent(x["wald"]),
         f"{100 * x['rejected']:.1f}"]
        for x in found("difference of accuracies", rows)
    ]  # fmt: skip
    head = ["items", "right in A only", "right in B only", "goodmeasure (Tango)", "Wald", "test rejects"]
    return table(head, lines)


def differences(rows: list[Row]) -> str:
    """Return the coverage of intervals of differences by classes, items and pair of systems."""
    return by(found("difference", rows), ("classes", "items", "pair"))


def _rates(rows: list[Row], name: str, is_wanted: Callable[[float], bool]) -> dict[str, list[float]]:
    rates: dict[str, list[float]] = {}
    for row in rows:
        for measure, rate in row[name].items():
            if is_wanted(row["difference"][measure]):
                rates.setdefault(measure, []).append(rate)
    return rates


def tests(rows: list[Row]) -> str:
    """Return the error rates of tests and of claims of non-inferiority, and the power, by kind of items."""
    lines = []
    kinds = {"difference": "plain", "difference, weighted": "weighted", "difference, grouped": "grouped"}
    for kind, words in kinds.items():
        mine = found(kind, rows)
        for name, said, is_wanted in (
            ("rejected", "rejects although there is no difference", lambda d: d == 0),
            ("claimed", "claims non-inferiority at the margin", lambda d: d != 0),
        ):
            rates = _rates(mine, name, is_wanted)
            if kind == "difference" and name == "rejected":  # for other measures, the default is another test
                rates = {x: rates[x] for x in ("accuracy", "recall")}
            every = [x for each in rates.values() for x in each]
            cells = [f"{100 * sum(x) / len(x):.1f} (at most {100 * max(x):.1f})" for x in rates.values()]
            if every:
                lines.append(
                    [f"{words} items, {said}", *(dict(zip(rates, cells, strict=True)).get(x, "") for x in TESTED)]
                )
    return table(["", *TESTED], lines)


TESTED = ("accuracy", "recall", "f1", "macro(f1)", "mcc", "balanced_accuracy")


def power(rows: list[Row]) -> str:
    """Return how often the tests find a difference that is there."""
    lines = []
    for row in found("difference", rows):
        if row["classes"] == 2 and row["prevalence"] == 0.5 and row["items"] >= 200 and row["difference"]["accuracy"]:
            cells = [f"{100 * row['rejected'][x]:.0f} ({row['difference'][x]:+.3f})" for x in TESTED[:5]]
            lines.append([row["pair"], number(row["items"]), *cells])
    return table(["pair", "items", *TESTED[:5]], lines)


def ensemble(rows: list[Row]) -> str:
    """Return the coverage of the ensemble score and of ranks."""
    return by(found("ensemble", rows), ("items", "best", "worst"))


def peers_difference(rows: list[Row]) -> str:
    """Return our intervals of differences beside SciPy's bootstraps, and our test beside those of statsmodels."""
    lines = []
    for row in found("peers, difference", rows):
        cells = [
            _covered(row[x], measure)
            for measure in ("accuracy", "mcc")
            for x in ("goodmeasure", "scipy percentile", "scipy bca")
        ]
        rates = [
            f"{100 * row['rejected'][x]:.1f}" for x in ("goodmeasure", "statsmodels exact", "statsmodels chi-squared")
        ]
        lines.append([row["pair"], number(row["items"]), *cells, *rates])
    head = ["pair", "items", "accuracy: goodmeasure", "SciPy, percentile", "SciPy, BCa", "MCC: goodmeasure",
            "SciPy, percentile", "SciPy, BCa", "rejects: goodmeasure", "statsmodels, exact",
            "statsmodels, χ²"]  # fmt: skip
    return table(head, lines)


# Tables of docs/thresholds.md


def thresholds(rows: list[Row]) -> str:
    """Return the coverage at chosen thresholds, of the interval as if it had been fixed, and the optimism."""
    lines = []
    for row in found("threshold", rows):
        data = f"{row['groups']} groups of 8" if row.get("groups") else number(row["items"])
        data += f", {row['weights']} weights" if row.get("weights") else ""
        cells = []
        for measure in ("mcc", "f1", "accuracy"):
            honest, naive = (row[x]["coverage"].get(measure, math.nan) for x in ("honest", "naive"))
            cells.append(f"{percent(honest)} ({100 * naive:.0f})")
        cells += [f"{row['optimism']['mcc']:+.3f}", f"{row['bias']['mcc']:+.3f}"]
        cells.append(both(list(row["threshold"]["coverage"].values())))
        lines.append([data, share(row["prevalence"]), str(row["distance"]), *cells])
    head = ["items", "prevalence", "distance of the classes", "MCC", "F1", "accuracy", "bias of `value`",
            "bias of `honest`", "interval of the threshold"]  # fmt: skip
    return table(head, lines)


def projection(rows: list[Row]) -> str:
    """Return the coverage of projected values."""
    return by(found("projection", rows), ("classes", "prevalence", "to", "items"))


TABLES: dict[str, Callable[[list[Row]], str]] = {
    "summary": summary,
    "proportion": proportion,
    "recall": recall,
    "single": lambda rows: by([x for x in found("single", rows) if x["classes"] > 2], ("classes", "items")),
    "two classes": lambda rows: by([x for x in found("single", rows) if x["classes"] == 2], ("items", "prevalence")),
    "classifiers": lambda rows: by(found("single", rows), ("classifier",)),
    "misses": misses,
    "methods": methods,
    "by class": by_class,
    "random": random_table,
    "weighted": lambda rows: ignored(rows, "weighted", "weights taken for counts", ("weights", "items")),
    "grouped": lambda rows: ignored(rows, "grouped", "groups ignored", ("groups", "uneven")),
    "peers": peers,
    "difference of accuracies": difference_of_accuracies,
    "differences": differences,
    "tests": tests,
    "power": power,
    "ensemble": ensemble,
    "peers, difference": peers_difference,
    "thresholds": thresholds,
    "projection": projection,
}
