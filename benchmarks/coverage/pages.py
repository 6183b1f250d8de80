"""Write the tables of the last results into the pages of docs/ that show them.

A table stands between ``<!-- coverage: NAME -->`` and ``<!-- end of coverage -->``; the prose around it is written by
hand.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from statistics import fmean
from typing import Any

from benchmarks.coverage.results import Row, found, load

DOCS = Path(__file__).parent.parent.parent / "docs"
PAGES = ("intervals.md", "comparison.md", "thresholds.md", "slices.md", "tasks.md", "scores.md", "planning.md")
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
        for name, share in results.get("coverage", {}).items():
            known = results["datasets"] * (1 - results["none"].get(name, 0))
            if (measure is None or name == measure) and known >= FEWEST:
                every.append(share)
    return every


def both(shares: Sequence[float]) -> str:
    """Return the lowest and the mean of some coverages."""
    return f"{percent(min(shares))} · {percent(fmean(shares))}" if shares else ""


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
        mine = _of_kind(kind, rows)
        shares = coverages(mine)
        if shares:
            below = sum(round(x, 3) < LEAST for x in shares)
            numbers = (percent(min(shares)), percent(fmean(shares)), f"{below} of {len(shares):,}")
            sizes = sorted({shown(x).get("datasets", 0) for x in mine})
            sets = number(sizes[0]) if len(sizes) == 1 else f"{number(sizes[0])} to {number(sizes[-1])}"
            lines.append([words, str(len(mine)), sets, *numbers])
    return table(["interval", "situations", "data sets in each", "lowest", "mean", "below 92%"], lines)


def _of_kind(kind: str, rows: list[Row]) -> list[Row]:
    """Return the situations of a line of the summary, some of which are parts of a kind."""
    if kind == "best threshold":
        return [x["threshold"] for x in found("threshold", rows)]
    if kind.startswith("scores") and kind != "scores, tests":
        return [x for x in found("scores", rows) if x.get("resampled", False) == (kind == "scores, resampled")]
    return found(kind, rows)


NAMES = {
    "single": "one system, any measure",
    "by class": "one class against the rest",
    "random": "one system, 14 measures, random populations",
    "weighted": "one system, skewed weights",
    "grouped": "one system, 2 to 50 groups",
    "difference": "difference of two systems",
    "difference, by default": "difference of two systems, 2 to 50 classes, permutation test",
    "difference, weighted": "difference of two systems, skewed weights",
    "difference, grouped": "difference of two systems, 3 to 50 groups",
    "ensemble": "ensemble score, and ranks",
    "projection": "projection to other class shares",
    "threshold": "value to expect at a chosen threshold",
    "best threshold": "the best threshold itself",
    "multilabel": "averages over several labels",
    "multilabel, tests": "difference of two averages over several labels",
    "slices": "gap between slices",
    "scores": "areas and losses of scores",
    "scores, resampled": "other measures of scores",
    "scores, tests": "difference of two systems' scores",
    "bands": "bands of ROC, precision-recall and gain curves",
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
        numbers = [percent(min(shares)), percent(fmean(shares)), f"{below:.0%}"]
        lines.append([f'`"{method}"`', *numbers, f"{fmean(wide):.2f}", said])
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
    said = f"With {other}: {percent(min(blind))} at the lowest, {percent(fmean(blind))} on average."
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
    names = ("goodmeasure", "confidenceinterval", "statsmodels", "scipy percentile", "scipy bca")
    lines = []
    for row in mine:
        for measure in ("accuracy", "macro(f1)", "mcc"):
            cells = [_covered(row[x], measure) if x in row else "" for x in names]
            here = [str(row["classes"]), share(row["prevalence"]), number(row["items"]), row["classifier"], measure]
            lines.append([*here, *cells])
    head = ["classes", "prevalence", "items", "classifier", "measure", "goodmeasure", "`confidenceinterval`",
            "statsmodels", "SciPy, percentile", "SciPy, BCa"]  # fmt: skip
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
    kinds = {
        "difference": "plain items",
        "difference, by default": "plain items, permutation test",
        "difference, weighted": "weighted items",
        "difference, grouped": "grouped items",
    }
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
            cells = [f"{100 * fmean(x):.1f} (at most {100 * max(x):.1f})" for x in rates.values()]
            if every:
                lines.append([f"{words}: {said}", *(dict(zip(rates, cells, strict=True)).get(x, "") for x in TESTED)])
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


def margin_of_accuracies(rows: list[Row]) -> str:
    """Return how often claims about a margin of accuracy are made: false ones, and true ones."""
    groups: dict[tuple[int, float], dict[float, Row]] = {}
    for row in found("margin of accuracies", rows):
        groups.setdefault((row["items"], row["margin"]), {})[row["disagreement"]] = row
    apart = sorted({x for each in groups.values() for x in each})
    lines = []
    for (items, margin), mine in groups.items():
        cells = []
        for x in apart:
            one = mine.get(x)
            wrong, (power, equivalent) = (one["wrong"][0], one["right"]) if one else (0.0, (0.0, 0.0))
            cells.append(f"{100 * wrong:.1f} · {100 * power:.0f} · {100 * equivalent:.0f}" if one else "")
        lines.append([number(items), f"{margin:g}", *cells])
    return table(["items", "margin", *(f"systems disagree on {share(x)}" for x in apart)], lines)


def margins(rows: list[Row]) -> str:
    """Return how often non-inferiority and equivalence of alike systems are shown."""
    lines = []
    for row in found("margins", rows):
        cells = []
        for x in TESTED:
            claims = row["claimed"].get(x)
            cells.append(f"{100 * claims[0]:.0f} · {100 * claims[1]:.0f}" if claims else "")
        here = [str(row["classes"]), share(row["prevalence"]), row["pair"], number(row["items"]), f"{row['margin']:g}"]
        lines.append([*here, *cells])
    return table(["classes", "prevalence", "pair", "items", "margin", *TESTED], lines)


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


# Tables of docs/comparison.md about tests


def study(rows: list[Row]) -> str:
    """Return how often each paired test rejects, by case and measure."""
    lines = []
    for row in found("tests", rows):
        for test, rates in row.items():
            if isinstance(rates, dict):
                cells = [f"{100 * rates[x]:.1f}" if x in rates else "" for x in STUDIED]
                lines.append([row["case"], number(row["items"]), test, *cells])
    return table(["case", "items", "test", *STUDIED], lines)


STUDIED = ("accuracy", "mcc", "kappa", "macro(f1)", "sba")


def winners(rows: list[Row]) -> str:
    """Return family-wise error, confidence of the set of winners, and power."""
    lines, names = [], ("accuracy", "mcc", "macro(f1)")
    for row in found("winners", rows):
        cells = []
        for wrong, stays, left in (row[x] for x in names):
            power = "" if left is None else f" · {100 * left:.0f}"
            cells.append(f"{100 * wrong:.1f} · {100 * stays:.1f}{power}")
        lines.append([row["race"], number(row["items"]), *cells])
    return table(["systems", "items", *names], lines)


# Tables of docs/slices.md, docs/tasks.md, docs/scores.md and docs/planning.md


def slices(rows: list[Row]) -> str:
    """Return the coverage of gaps and, where slices are alike, the error rates of both tests."""
    lines = []
    for row in found("slices", rows):
        alike, cells = not row["case"].endswith("different"), []
        for x in SLICED:
            if x not in row["coverage"]:
                cells.append("")
                continue
            tests = f" ({100 * row['rejected'][x]:.1f} / {100 * row['single'][x]:.1f})" if alike else ""
            cells.append(percent(row["coverage"][x]) + tests)
        lines.append([row["case"], *cells])
    return table(["slices", *SLICED], lines)


SLICED = ("accuracy", "recall", "precision", "balanced_accuracy", "mcc")


def gaps(rows: list[Row]) -> str:
    """Return how far gap and spread of recall are estimated right, and how often the test rejects."""
    lines = []
    for row in found("slices", rows):
        if row["case"].endswith("different") or row["case"] in ("5 slices of 50", "20 slices of 20"):
            mean = row["recall"]
            words = [f"{mean[x]:.3f}" for x in ("true", "gap", "by chance", "beyond noise", "deviation")]
            lines.append([row["case"], *words, f"{100 * row['rejected']['recall']:.1f}"])
    return table(["slices", "true gap", "gap", "by chance", "beyond noise", "σ beyond noise", "rejected"], lines)


def averages(rows: list[Row], kind: str, show: Callable[[Row, str], str]) -> str:
    """Return a number for every case, measure and average of several labels."""
    lines = [
        [row["case"], f, *(show(row, f"{f}, {x}") for x in AVERAGES)]
        for row in found(kind, rows)
        for f in ("f1", "recall", "mcc")
    ]
    return table(["case", "measure", *AVERAGES], lines)


AVERAGES = ("macro", "micro", "weighted", "samples")


def scores(rows: list[Row]) -> str:
    """Return the coverage of measures of scores."""
    mine = found("scores", rows)
    names = list(mine[0]["coverage"])
    lines = []
    for row in mine:
        data = f"{row['groups']} groups of 8" if row.get("groups") else number(row["items"])
        data += f", {row['weights']} weights" if row.get("weights") else ""
        lines.append(
            [data, share(row["prevalence"]), f"{row['area']:g}", *(percent(row["coverage"][x]) for x in names)]
        )
    return table(["items", "prevalence", "AUC", *names], lines)


def scores_tests(rows: list[Row]) -> str:
    """Return how often tests of two equally good systems reject, and their intervals hold 0."""
    lines = []
    for row in found("scores, tests", rows):
        cells = [f"{100 * row['rejected'][x]:.1f} ({percent(row['coverage'][x])})" for x in row["rejected"]]
        lines.append([number(row["items"]), share(row["prevalence"]), f"{row['area']:g}", *cells])
    return table(["items", "prevalence", "AUC", *found("scores, tests", rows)[0]["rejected"]], lines)


def bands(rows: list[Row]) -> str:
    """Return the lowest and the mean coverage of the bands of each curve, over places along it."""
    lines = []
    for row in found("bands", rows):
        names = row["coverage"]
        cells = [both([names[x] for x in names if x.startswith(f"{kind} at")]) for kind in CURVES]
        lines.append([f"{row['positive']} + {row['negative']}", f"{row['area']:g}", *cells])
    return table(["positive + negative items", "AUC", "ROC", "precision-recall", "gain"], lines)


CURVES = ("roc", "precision_recall", "gain")


def widths(rows: list[Row]) -> str:
    """Return planned widths, and the mean widths on new samples."""
    lines = [
        [x["case"], x["measure"], str(x["width"]), number(x["planned"]), number(x["rare"]), f"{x['seen']:.4f}"]
        for x in found("width", rows)
    ]
    head = ["case", "measure", "width", "items", "of the rarest class", "mean width of new samples"]
    return table(head, lines)


def powers(rows: list[Row]) -> str:
    """Return numbers of items that were planned for a power of 80%, and the power on new samples."""
    lines = [
        [x["case"], x["measure"], *(str(x["size"]) if x["claim"] == y else "" for y in ("difference", "margin")),
         number(x["planned"]), f"{100 * x['seen']:.1f}"]
        for x in found("power", rows)
    ]  # fmt: skip
    return table(["case", "measure", "difference", "margin", "items", "power on new samples"], lines)


def data_sets(rows: list[Row], share: float = 0.95) -> str:
    """Return how many data sets there are in each of these situations, and the standard error of a share."""
    sizes = sorted({x["datasets"] for x in rows})
    words = " to ".join(map(number, dict.fromkeys((sizes[0], sizes[-1]))))
    error = 100 * math.sqrt(share * (1 - share) / sizes[0])
    return f"({words} data sets in each situation: {share:.0%} has a standard error of at most {error:.1f} points.)"


def _rate(row: Row, name: str) -> str:
    return f"{100 * row['rejected'][name]:.1f}"


def simulated(
    show: Callable[[list[Row]], str], *kinds: str, only: Callable[[Row], bool] = lambda _: True, share: float = 0.95
) -> Callable[[list[Row]], str]:
    """Return a table of some kinds, followed by how many data sets it rests on, and the standard error that follows."""

    def both(rows: list[Row]) -> str:
        mine = [x for x in rows if x["kind"] in kinds and only(x["situation"])]
        return f"{show(mine)}\n\n{data_sets([x for kind in kinds for x in found(kind, mine)], share)}"

    return both


def every_design(rows: list[Row]) -> str:
    """Return the lowest and the mean coverage over all measures in each design, and which are below the least."""
    lines = []
    for kind, what in (("every measure", "labels"), ("every score", "scores and bands")):
        for row in found(kind, rows):
            known = row["coverage"]
            low = sorted((share, name) for name, share in known.items() if 100 * share < 100 * LEAST)
            named = ", ".join(f"{name} ({100 * share:.0f})" for share, name in low[:4])
            lines.append([row["design"], what, str(len(known)), str(row["datasets"]), percent(fmean(known.values())),
                          str(len(low)), named])  # fmt: skip
    return table(["design", "of", "measures", "data sets", "mean", "below 92", "the lowest"], lines)


TABLES: dict[str, Callable[[list[Row]], str]] = {
    "summary": summary,
    "every design": every_design,
    "proportion": proportion,
    "recall": recall,
    "single": simulated(
        lambda rows: by(found("single", rows), ("classes", "items")), "single", only=lambda x: x["classes"] > 2
    ),
    "two classes": simulated(
        lambda rows: by(found("single", rows), ("items", "prevalence")), "single", only=lambda x: x["classes"] == 2
    ),
    "classifiers": lambda rows: by(found("single", rows), ("classifier",)),
    "misses": misses,
    "methods": simulated(methods, "methods"),
    "by class": simulated(by_class, "by class"),
    "random": simulated(random_table, "random"),
    "weighted": simulated(
        lambda rows: ignored(rows, "weighted", "weights taken for counts", ("weights", "items")), "weighted"
    ),
    "grouped": simulated(lambda rows: ignored(rows, "grouped", "groups ignored", ("groups", "uneven")), "grouped"),
    "peers": simulated(peers, "peers"),
    "difference of accuracies": difference_of_accuracies,
    "margin of accuracies": margin_of_accuracies,
    "margins": simulated(margins, "margins", share=0.5),
    "differences": simulated(differences, "difference"),
    "differences, by default": simulated(
        lambda rows: by(found("difference, by default", rows), ("classes", "items", "pair")), "difference, by default"
    ),
    "tests": simulated(tests, "difference", "difference, by default", "difference, weighted", "difference, grouped"),
    "power": simulated(power, "difference"),
    "ensemble": simulated(ensemble, "ensemble"),
    "peers, difference": simulated(peers_difference, "peers, difference"),
    "thresholds": simulated(thresholds, "threshold"),
    "projection": simulated(projection, "projection"),
    "tests of pairs": simulated(study, "tests"),
    "winners": simulated(winners, "winners"),
    "slices": simulated(slices, "slices"),
    "gaps": gaps,
    "multilabel": simulated(
        lambda rows: averages(rows, "multilabel", lambda row, x: percent(row["coverage"][x])), "multilabel"
    ),
    "multilabel, tests": simulated(lambda rows: averages(rows, "multilabel, tests", _rate), "multilabel, tests"),
    "scores": simulated(scores, "scores", only=lambda x: "resampled" not in x),
    "scores, resampled": simulated(scores, "scores", only=lambda x: "resampled" in x),
    "scores, tests": simulated(scores_tests, "scores, tests"),
    "bands": simulated(bands, "bands"),
    "planned widths": widths,
    "planned power": simulated(powers, "power", share=0.8),
}
