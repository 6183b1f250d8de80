"""The options of public functions and of commands, each declared once: its type, default, help, check and flag.

To add an option, add a field to one of the classes below: every function whose ``**options`` are of this class, or of
one that is built from it, then takes the option, as do the command line, the forms of the page (with ``form=True``) and
the tables of docs/options.md.
"""

# The annotations are data, so they are not left unevaluated here.

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Literal, TypedDict

import numpy as np

from goodmeasure.exceptions import InputError, InputTypeError
from goodmeasure.keywords import Option
from goodmeasure.language.policy import Undefined, policy_of
from goodmeasure.typing import ArrayLike, Label

if TYPE_CHECKING:
    from goodmeasure.catalogue.measure import MeasureLike, MeasuresLike
    from goodmeasure.progress import Tick
    from goodmeasure.typing import LabelsLike

ScoreMissing = Literal["error", "drop"]
MissingLabels = Literal["error", "drop", "class"]
IntervalMethod = Literal["auto", "wilson", "exact", "smoothed", "delta", "percentile", "bca", "bayesian"]
ComparisonMethod = Literal["auto", "exact", "permutation", "bootstrap", "normal"]
PlanMethod = Literal["auto", "exact"]
Correction = Literal["systems", "all"]
PRIORS = {"jeffreys": 0.5, "uniform": 1.0}  # imagined items in each cell; "perks" spreads one over all cells
PERKS = "perks"

# Checks: they return the value to use, or refuse it.


def check_level(name: str, value: object) -> object:
    """Refuse what is no confidence level."""
    if isinstance(value, bool) or not isinstance(value, (int, float, np.floating)) or not 0 < value < 1:
        raise InputError(
            "{argument} is {got!r}", argument=name, got=value, expected="a number between 0 and 1, such as 0.95"
        )
    return value


def check_seed(name: str, value: object) -> object:
    """Refuse what is no random seed."""
    return _whole(name, value, 0, "a whole number from 0 on")


def check_draws(name: str, value: object) -> object:
    """Refuse what is no number of random samples."""
    return _whole(name, value, 2, "a whole number of at least 2")


def _whole(name: str, value: object, least: int, expected: str) -> object:
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or value < least:
        raise InputError("{argument} is {got!r}", argument=name, got=value, expected=expected)
    return value


def check_prior(name: str, value: object) -> object:
    """Refuse what is no prior of Bayesian intervals."""
    number = not isinstance(value, (bool, str)) and isinstance(value, (int, float, np.number)) and 0 < value < math.inf
    if not number and not (isinstance(value, str) and value in (PERKS, *PRIORS)):
        raise InputError(
            "{argument} is {got!r}", argument=name, got=value,
            expected="'perks', 'jeffreys', 'uniform', or the number of imagined items in each cell, such as 0.5",
        )  # fmt: skip
    return value


def check_margin(name: str, value: object) -> object:
    """Refuse what is no margin."""
    numbers = (int, float, np.integer, np.floating)
    if isinstance(value, bool) or not isinstance(value, numbers) or not 0 < value < math.inf:
        raise InputError(
            "{argument} is {got!r}", argument=name, got=value,
            expected="a positive number, the largest difference that does not matter",
        )  # fmt: skip
    return value


def _yes_or_no(name: str, value: object) -> object:
    """Refuse what is neither True nor False."""
    if isinstance(value, bool):
        return value
    raise InputTypeError("{argument} is {got!r}", argument=name, got=value, expected="True or False")


def _share(name: str, value: object) -> object:
    """Refuse what is no share between 0 and 1."""
    if isinstance(value, bool) or not isinstance(value, (int, float, np.floating)) or not 0 < value < 1:
        raise InputError(
            "{argument} is {got!r}", argument=name, got=value, expected="a share between 0 and 1, such as 0.01"
        )
    return value


def _capacity(name: str, value: object) -> object:
    """Refuse what is neither a number of cases nor a share of them."""
    numbers = (int, float, np.integer, np.floating)
    if isinstance(value, bool) or not isinstance(value, numbers) or not 0 < value < math.inf:
        expected = "a number of cases, such as 200, or a share of them, such as 0.02"
        raise InputError("{argument} is {got!r}", argument=name, got=value, expected=expected)
    if value >= 1 and value != int(value):
        raise InputError("{argument} is {got!r}", argument=name, got=value, expected="a whole number of cases")
    return int(value) if value >= 1 else value


def _raters(name: str, value: object) -> object:
    """Refuse what is no number of raters."""
    return _whole(name, value, 2, "a whole number of at least 2")


def _rare(name: str, value: object) -> object:
    """Refuse what is no number of classes."""
    return _whole(name, value, 0, "a whole number of at least 0")


def _real(name: str, value: object) -> object:
    """Refuse what is no finite number."""
    if isinstance(value, bool) or not isinstance(value, (int, float, np.number)) or not math.isfinite(value):
        raise InputError("{argument} is {got!r}", argument=name, got=value, expected="a number, such as 0.5")
    return value


def check_policy(_name: str, value: Undefined) -> Undefined:
    """Refuse what does not say how to treat undefined terms."""
    policy_of(value)
    return value


def _spellings(name: str, value: object) -> object:
    """Return spellings as a tuple."""
    listed = (value,) if isinstance(value, str) else tuple(value) if isinstance(value, Iterable) else (None,)
    if all(isinstance(x, str) for x in listed):
        return listed
    raise InputTypeError(
        "{argument} is {got!r}", argument=name, got=value,
        expected="a list of texts, such as ['NA', '?'], or [] for none",
    )  # fmt: skip


# What is typed on the command line, as values.


def split_names(name: str, texts: Sequence[str]) -> list[str] | None:
    """Return the names of measures, split at commas that are not within parentheses.

    >>> split_names("measures", ("mcc,macro(recall, p=0)", "f1"))
    ['mcc', 'macro(recall, p=0)', 'f1']
    """
    found: list[str] = []
    for text in texts:
        depth, start = 0, 0
        for k, sign in enumerate(text):
            depth += (sign in "([") - (sign in ")]")
            if sign == "," and depth == 0:
                found.append(text[start:k])
                start = k + 1
        found.append(text[start:])
    chosen = [x.strip() for x in found if x.strip()]
    if texts and not chosen:
        raise InputError(
            "{argument} names no measure", argument=name, advice="see goodmeasure measures, or leave it out"
        )
    return chosen or None


def split_labels(name: str, text: str | None) -> list[str] | None:
    """Return the classes that were named."""
    names = None if text is None else [x.strip() for x in text.split(",")]
    if names is not None and "" in names:
        raise InputError(
            "{argument} {text!r} has an empty name", argument=name, text=text,
            advice="separate the classes by single commas, as in a,b,c",
        )  # fmt: skip
    return names


def typed_costs(_name: str, text: str | None) -> list[list[float | int]] | None:
    """Return a table of costs, one row for each true class.

    >>> typed_costs("costs", "0,1;5,0")
    [[0, 1], [5, 0]]
    """
    try:
        return None if text is None else [[_typed_number(x) for x in row.split(",")] for row in text.split(";")]
    except ValueError:
        raise InputError(
            "{costs} is {got!r}", got=text,
            expected='your table costs[true][predicted], a row for each true class, such as "0,1;5,0"',
        ) from None  # fmt: skip


def _typed_number(text: str) -> float | int:
    number = float(text)
    return int(number) if number.is_integer() else number


def number_or_name(_name: str, text: str) -> str | float:
    """Return a number, or text as it is."""
    try:
        return float(text)
    except ValueError:
        return text


def several_or_none(_name: str, values: Sequence[object]) -> Sequence[object] | None:
    """Return what was typed several times; None where it was not typed."""
    return values or None


def typed_spellings(_name: str, texts: Sequence[str]) -> tuple[str, ...] | None:
    """Return spellings of missing labels: the known ones if there are none, and none with the word none."""
    return None if not texts else () if tuple(texts) == ("none",) else tuple(texts)


def typed_scores(name: str, texts: Sequence[str]) -> dict[str, tuple[str, ...]] | None:
    """Return the columns of scores of each system: "p", "A=p" or "A=p_cat,p_dog,p_bird".

    >>> typed_scores("y_score", ["p", "A=p_cat,p_dog"])
    {'p': ('p',), 'A': ('p_cat', 'p_dog')}
    """
    found: dict[str, tuple[str, ...]] = {}
    for text in texts:
        name, _, listed = text.partition("=")
        columns = tuple(x.strip() for x in listed.split(","))
        found |= {name: columns} if name and listed else {text: (text,)}
    return found or None


# Options that several classes have, but not as a group.

_Level = Option(0.95, "Confidence level of the intervals.", check_level, often=True, form=True)
Seed = Annotated[int, Option(0, "Random seed.", check_seed, often=True, form=True)]
Replicates = Annotated[int, Option(2000, "Number of resamples, for methods that resample the items.", check_draws)]
Margin = Annotated[
    float | None,
    Option(
        None, "Largest difference that does not matter: adds tests of non-inferiority and equivalence.", check_margin,
        metavar="NUMBER", form=True,
    ),
]  # fmt: skip


PAGE = "page"


def check_family(name: str, value: object) -> str | None:
    """Return what shares one error rate: a page, or None."""
    if value in (None, "none", PAGE):
        return PAGE if value == PAGE else None
    raise InputError("{argument} is {got!r}", argument=name, got=value, advice="use 'page' or None")


ErrorFamily = Annotated[
    str | None,
    Option(
        PAGE, "Claims that share one error rate: all that the page could make, or none (each has its own).",
        check_family, metavar="page|none",
    ),
]  # fmt: skip


class PredictionOptions(TypedDict, total=False):
    """What commands name by a flag, and functions take as their second argument."""

    y_pred: Annotated[
        ArrayLike,
        Option(None, "Column of predicted labels of one system.", flag="--pred", metavar="COLUMN",
               many=True, typed=several_or_none),
    ]  # fmt: skip


class TruthOptions(TypedDict, total=False):
    """Which column holds the true labels, and how files are read."""

    y_true: Annotated[
        ArrayLike, Option(None, "Column of the true labels.", often=True, flag="--true", metavar="COLUMN")
    ]
    positive: Annotated[
        Label,
        Option(None, "Positive class. With more than two classes: this class against the rest.", often=True,
               metavar="LABEL"),
    ]  # fmt: skip
    table: Annotated[str | None, Option(None, "Sheet of the workbook, or table of the database, to read.",
                                        metavar="NAME")]  # fmt: skip
    na_values: Annotated[
        Sequence[str] | None,
        Option(
            None, "Text that stands for a missing label in text files and sheets, or none. By default NA, "
            "NULL, NaN and the like, and among numbers also ? and -.",
            _spellings, flag="--na", metavar="TEXT", many=True, typed=typed_spellings,
        ),
    ]  # fmt: skip
    memory_limit: Annotated[
        str | None, Option(None, "Largest amount of memory for reading files, such as 200MB.", metavar="SIZE")
    ]


class ItemOptions(TypedDict, total=False):
    """What items weigh, and which belong together."""

    groups: Annotated[
        ArrayLike,
        Option(None, "Column that says which items belong together (patients, documents).", often=True,
               flag="--group", metavar="COLUMN"),
    ]  # fmt: skip
    sample_weight: Annotated[
        ArrayLike, Option(None, "Column of the item weights.", often=True, flag="--weight", metavar="COLUMN")
    ]


class LabelOptions(TypedDict, total=False):
    """The classes."""

    labels: Annotated[
        "LabelsLike | None",
        Option(None, "Classes in order.", often=True, typed=split_labels, spelled="separated by commas"),
    ]


class MissingOptions(TypedDict, total=False):
    """What happens to items without a label."""

    missing: Annotated[
        MissingLabels,
        Option("error", "Treatment of items without a label: refuse, leave out, or count as a class.", often=True),
    ]


class RowOptions(TypedDict, total=False):
    """What the rows of a table stand for."""

    by: Annotated[
        ArrayLike,
        Option(None, "Column whose values are slices to measure separately.", often=True,
               metavar="COLUMN", many=True, typed=several_or_none),
    ]  # fmt: skip
    count: Annotated[ArrayLike, Option(None, "Column that says how many items a row stands for.", metavar="COLUMN")]
    id: Annotated[
        ArrayLike,
        Option(
            None,
            "Column that says which item a row is about, to join runs and answers.",
            metavar="COLUMN",
            spelled="as in A=FILE B=FILE",
        ),
    ]
    format: Annotated[
        str | None,
        Option(None, "Kind of log, which is recognised by default: lm-eval, inspect, promptfoo, deepeval, mlflow, "
               "openai-evals, ragas or table; after a colon its filter, scorer, provider or metric.", metavar="FORMAT"),
    ]  # fmt: skip
    pool: Annotated[
        bool, Option(False, "Several files are parts of one data set, even if they have equally many rows.")
    ]


class JudgeOptions(TypedDict, total=False):
    """Labels of a judge, such as a language model, where only some items have a human label."""

    y_judge: Annotated[
        ArrayLike,
        Option(None, "Column of a judge's labels. Items without a true label are then those that no human has "
               "labelled.", flag="--judge", metavar="COLUMN"),
    ]  # fmt: skip
    strata: Annotated[
        ArrayLike,
        Option(None, "With a judge: column of the strata from which items were drawn for human labels.",
               metavar="COLUMN"),
    ]  # fmt: skip
    sampling: Annotated[
        ArrayLike,
        Option(None, "With a judge: column of the probability with which each item was drawn for a human label.",
               metavar="COLUMN"),
    ]  # fmt: skip


class UndefinedOptions(TypedDict, total=False):
    """What becomes of undefined terms."""

    undefined: Annotated[
        Undefined,
        Option("resolve", "Treatment of zero division: resolve, nan, raise, or a number.", check_policy,
               typed=number_or_name),
    ]  # fmt: skip


class MeasuresOptions(UndefinedOptions, total=False):
    """What is measured."""

    measures: Annotated[
        "MeasuresLike | None",
        Option(
            None, "Names of measures, or of a set: recommended, papers, goesgens2021, sebastiani2015, opitz2024, "
            "rh-dif2norm, all.", often=True, many=True, typed=split_names, spelled="repeatable, or with commas",
        ),
    ]  # fmt: skip


class ScoreOptions(TypedDict, total=False):
    """Scores instead of labels."""

    y_score: Annotated[
        ArrayLike,
        Option(None, "Column of scores of the positive class, or a column for each class.",
               often=True, flag="--score", metavar="COLUMN", many=True, typed=typed_scores,
               spelled="repeatable, with NAME=COLUMN,… for classes"),
    ]  # fmt: skip


class OutcomeOptions(TypedDict, total=False):
    """Outcomes instead of labels, and several answers of one item."""

    y_correct: Annotated[
        ArrayLike,
        Option(None, "Column of outcomes instead of labels: true or false, 0 to 1, or the letters C, P, I and N.",
               often=True, flag="--correct", metavar="COLUMN", many=True, typed=several_or_none),
    ]  # fmt: skip
    repeat: Annotated[
        ArrayLike,
        Option(None, "Column that says which answer of an item a row is: its epoch, sample or seed.", metavar="COLUMN"),
    ]


class ThresholdOptions(TypedDict, total=False):
    """Labels that are made of scores, and calls along the way."""

    threshold: Annotated[
        float | None,
        Option(None, "Of scores: the smallest that is positive (0.5 if all are in 0–1).", metavar="NUMBER"),
    ]
    progress: Annotated["Tick | None", Option(None, "Function that is called with (done, total).", hidden=True)]


class SampleOptions(TypedDict, total=False):
    """Intervals and random draws."""

    confidence: Annotated[float, _Level]
    seed: Seed


class SpreadOptions(UndefinedOptions, total=False):
    """Intervals, if there are to be any."""

    confidence: Annotated[float | None, _Level]
    seed: Seed
    replicates: Replicates


class ProjectOptions(MeasuresOptions, SpreadOptions, total=False):
    """The options of `project`."""


class MethodOptions(TypedDict, total=False):
    """By which method intervals are found."""

    method: Annotated[IntervalMethod, Option("auto", "Method of the confidence intervals.")]
    prior: Annotated[
        str | float,
        Option(
            PERKS, "Prior of method bayesian: perks, jeffreys, uniform, or imagined items in each cell.", check_prior,
            metavar="PRIOR", typed=number_or_name,
        ),
    ]  # fmt: skip


class IntervalOptions(UndefinedOptions, SampleOptions, MethodOptions, total=False):
    """How intervals are found."""

    replicates: Replicates


class ScoringOptions(ProjectOptions, MethodOptions, total=False):
    """How systems are measured once they are counted."""

    classwise: Annotated[
        "MeasuresLike | bool | None", Option(None, "Measures of each class against the rest.", hidden=True)
    ]
    family: ErrorFamily


class ReadingOptions(TruthOptions, RowOptions, ItemOptions, LabelOptions, MissingOptions, total=False):
    """Which columns hold what, and how they are read."""


class JudgeCallOptions(ReadingOptions, total=False):
    """The options of `judge`."""

    confidence: Annotated[float, _Level]


class EvaluateOptions(
    ReadingOptions, JudgeOptions, ScoreOptions, OutcomeOptions, ThresholdOptions, ScoringOptions, total=False
):
    """The options of `evaluate`."""

    tests: Annotated[bool, Option(True, "Paired tests of the differences between systems.")]


class DifferenceOptions(MeasuresOptions, SampleOptions, total=False):
    """How differences are found and tested."""

    replicates: Replicates


class DriftOptions(DifferenceOptions, total=False):
    """The options of `drift`."""

    sequential: Annotated[
        bool, Option(False, "Tests against all earlier results, valid however often one looks.", hidden=True)
    ]


class PairedOptions(DifferenceOptions, total=False):
    """How systems on the same items are compared."""

    ensemble: Annotated[
        "MeasuresLike | bool | None",
        Option(None, "Measures whose mean is a score of its own; by default all.", many=True, typed=split_names),
    ]
    pairs: Annotated[
        str,
        Option("auto", "Differences to show: all, best (against the best), the name of a system, or auto.",
               metavar="PAIRS"),
    ]  # fmt: skip
    method: Annotated[ComparisonMethod, Option("auto", "Test of the differences.")]
    correct: Annotated[
        Correction,
        Option(
            "systems",
            "What p-values are corrected over: the pairs of systems, or all pairs, measures and slices.",
            flag="--correct-over",
            form=True,
        ),
    ]
    margin: Margin
    family: ErrorFamily


class CompareOptions(
    ReadingOptions, JudgeOptions, ScoreOptions, OutcomeOptions, ThresholdOptions, PairedOptions, total=False
):
    """The options of `compare`."""


class JudgeCommandOptions(JudgeCallOptions, total=False):
    """What the command `judge` shares with the function."""

    y_judge: Annotated[ArrayLike, Option(None, "Column of the judge's labels.", flag="--judge", metavar="COLUMN")]


class EvaluateCommandOptions(PredictionOptions, EvaluateOptions, total=False):
    """What the command `evaluate` shares with the function."""


class CompareCommandOptions(PredictionOptions, CompareOptions, total=False):
    """What the command `compare` shares with the function."""


class PeriodOptions(PredictionOptions, TruthOptions, ItemOptions, LabelOptions, MissingOptions, total=False):
    """How the command `drift` reads the file of a period."""


class DriftCommandOptions(PeriodOptions, DriftOptions, total=False):
    """What the command `drift` takes: how a period is read, and how two are compared."""


class SweepOptions(TruthOptions, RowOptions, ItemOptions, MeasuresOptions, total=False):
    """The options of `sweep`."""

    matrices: Annotated[ArrayLike, Option(None, "Confusion matrices by threshold.", often=True, hidden=True)]
    missing: Annotated[
        ScoreMissing,
        Option("error", "Treatment of items without a score or a true label: refuse, or leave out.", often=True),
    ]


class SweepCommandOptions(ScoreOptions, SweepOptions, total=False):
    """What the command `sweep` shares with the function."""


class MultilabelOptions(LabelOptions, ItemOptions, total=False):
    """The options of `multilabel`."""


class GoalOptions(SampleOptions, total=False):
    """What is planned."""

    width: Annotated[
        float | None, Option(None, "Width of the confidence interval to reach.", often=True, metavar="NUMBER")
    ]
    difference: Annotated[
        float | None, Option(None, "Difference of two systems to detect.", often=True, metavar="NUMBER")
    ]
    power: Annotated[
        float | None, Option(None, "Probability of detecting it; 0.8 by default.", often=True, metavar="SHARE")
    ]
    margin: Margin
    equivalence: Annotated[bool, Option(False, "Equivalence within the margin, instead of non-inferiority.")]
    items: Annotated[
        int | None,
        Option(None, "Number of items; shows the width or power that they give.", often=True, metavar="NUMBER"),
    ]
    assurance: Annotated[
        float | None, Option(None, "Share of samples within the width (default: mean).", metavar="SHARE")
    ]
    method: Annotated[PlanMethod, Option("auto", "Test of the difference, as in compare.")]
    simulations: Annotated[int, Option(400, "Number of simulated samples.", check_draws)]


class AssumedOptions(TypedDict, total=False):
    """What is assumed about one or two systems."""

    prevalence: Annotated[
        float | Mapping[Label, float] | Sequence[float] | None,
        Option(None, "Share of the positive class, of two classes.", often=True, metavar="SHARE"),
    ]
    recall: Annotated[
        float | Sequence[float] | None,
        Option(None, "Assumed recall.", often=True, metavar="SHARE", many=True,
               spelled="twice for two systems", typed=several_or_none),
    ]  # fmt: skip
    specificity: Annotated[
        float | Sequence[float] | None,
        Option(None, "Assumed specificity.", often=True, metavar="SHARE", many=True,
               spelled="twice for two systems", typed=several_or_none),
    ]  # fmt: skip
    disagreement: Annotated[
        float | None,
        Option(None, "Share of items for which the two systems predict different classes.", often=True,
               metavar="SHARE"),
    ]  # fmt: skip


class PlanOptions(
    GoalOptions, AssumedOptions, TruthOptions, LabelOptions, MissingOptions, UndefinedOptions, total=False
):
    """The options of `plan`."""

    measure: Annotated["MeasureLike", Option("mcc", "Measure to plan for.", often=True)]
    judge: Annotated[
        ArrayLike,
        Option(None, "The judge of a pilot, result.judge: how many human labels are needed with it.", hidden=True),
    ]


class PlanCommandOptions(PredictionOptions, PlanOptions, total=False):
    """What the command `plan` shares with the function."""


class NeedsOptions(TypedDict, total=False):
    """What `recommend` takes first, and its command by a flag."""

    classes: Annotated[int, Option(2, "Number of classes.")]
    needs: Annotated[
        Sequence[str], Option((), "Property that the measure must have.", flag="--need", metavar="PROPERTY", many=True)
    ]
    avoids: Annotated[
        Sequence[str], Option((), "Property or measure to avoid.", flag="--avoid", metavar="NAME", many=True)
    ]


class TaskOptions(TypedDict, total=False):
    """What is known about a task: the options of `recommend`."""

    predictions: Annotated[
        Literal["labels", "scores", "probabilities"] | None,
        Option(None, "Output of the classifier: labels, scores, or probabilities that are used as such.", often=True),
    ]
    threshold: Annotated[
        float | None,
        Option(None, "Threshold of the scores, if it is already fixed.", _real, often=True, metavar="NUMBER"),
    ]
    capacity: Annotated[
        float | None,
        Option(None, "Number of cases that can be reviewed, such as 200, or their share, such as 0.02.", _capacity,
               often=True, metavar="NUMBER"),
    ]  # fmt: skip
    costs: Annotated[
        ArrayLike,
        Option(None, 'Costs of errors, costs[true][predicted], as in "0,1;5,0".', often=True, metavar="TABLE",
               typed=typed_costs),
    ]  # fmt: skip
    one_class: Annotated[bool, Option(False, "Only one class matters (spam, disease).", _yes_or_no, often=True)]
    deployment: Annotated[
        Literal["same", "other", "unknown"] | None,
        Option(None, "Class distribution in use: the same as in this data, another, or unknown.", often=True),
    ]
    prevalence: Annotated[
        float | None,
        Option(None, "Share of the positive class where the classifier will be used.", _share, often=True,
               metavar="SHARE"),
    ]  # fmt: skip
    ordered: Annotated[bool, Option(False, "Ordered classes: some errors are worse than others.", _yes_or_no)]
    structure: Annotated[
        Literal["single", "sets", "sequences"] | None,
        Option(None, "Labels of an item: a single one, a set of them, or a sequence with spans."),
    ]
    raters: Annotated[int | None, Option(None, "Number of raters who label the same items.", _raters, metavar="NUMBER")]
    equal_standing: Annotated[bool, Option(False, "Equal standing of both labelings (two clusterings).", _yes_or_no)]
    rare: Annotated[int, Option(0, "Number of rare classes.", _rare)]
    across: Annotated[bool, Option(False, "Scores that can be compared across data sets.", _yes_or_no)]
    chance: Annotated[bool, Option(False, "Scores that can be compared to chance.", _yes_or_no)]
    distance: Annotated[bool, Option(False, "A measure that is a distance.", _yes_or_no)]
    readers: Annotated[
        Literal["everyone", "specialists"] | None,
        Option(None, "Who reads the number: everyone (known measures first), or specialists (by properties alone)."),
    ]


class RecommendCommandOptions(NeedsOptions, TaskOptions, total=False):
    """What the command `recommend` shares with the function."""
