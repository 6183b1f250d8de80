"""`evaluate`: measure one or several systems from labels, data frames, files or confusion matrices."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import islice
from typing import Unpack

from goodmeasure.catalogue.measure import MeasuresLike
from goodmeasure.counts.arguments import ListLabels, check_positive
from goodmeasure.counts.outcomes import VerdictLog
from goodmeasure.counts.sample import Counted, Sample, Slice
from goodmeasure.evaluation.batch_scoring import ScoringTask, score_all
from goodmeasure.evaluation.chosen_measures import NO_MEASURES, chosen
from goodmeasure.evaluation.chosen_measures import classwise as by_class
from goodmeasure.evaluation.multilabel import Multilabel, for_labels
from goodmeasure.evaluation.multilabel_averages import averages_of
from goodmeasure.evaluation.pairing import OF_MATRICES, UNASKED, Pairing, too_many
from goodmeasure.evaluation.provenance import GIVEN, LABEL, MATRIX, Provenance
from goodmeasure.evaluation.raters.consensus import Consensus
from goodmeasure.evaluation.reading import Asked, Precounted, are_paths, check_judge, opened_files, read, read_jointly
from goodmeasure.evaluation.result import Result
from goodmeasure.evaluation.row_notes import noted
from goodmeasure.evaluation.scoring import Settings, SystemScores
from goodmeasure.evaluation.slices import slice_value
from goodmeasure.evaluation.warnings.general import depends_on_order
from goodmeasure.exceptions import Either, InputError, InputTypeError
from goodmeasure.keywords import complete, only, takes_options
from goodmeasure.language.policy import policy_of
from goodmeasure.options import EvaluateOptions, ScoringOptions
from goodmeasure.progress import shows_progress
from goodmeasure.typing import ArrayLike, DataLike, Label, LabelsLike


@takes_options
@shows_progress("evaluating")
def evaluate(data: DataLike = None, y_pred: ArrayLike = None, **options: Unpack[EvaluateOptions]) -> Result:
    """Evaluate one or several systems: values with intervals, chance levels and the reasons for undefined values.

    `data` is one of
    - the true labels, with `y_pred` the predicted labels (a dict of them for several systems);
    - a data frame (pandas, Polars, PyArrow, DuckDB, any lazy engine) or the path of a file or of several, with
      `y_true`, `y_pred`, `sample_weight`, `by`, `groups` and `count` the names of columns;
    - the true labels, with `y_score` scores instead of predicted labels: one for each item, higher for the positive
      class, or with more classes an array with a column for each; a dict of them for several systems. With a data frame
      or a file, `y_score` names columns. Measures of scores (ROC AUC, log loss …) then come with those of the labels
      that `threshold` makes of the scores (0.5 for probabilities; of more classes, that with the highest score). Other
      scores without a threshold have measures of scores only. With `y_pred` too, the labels are measured, and the
      scores are swept over all thresholds;
    - a dict of data frames or files by system, each with the predictions of one run (in the column `y_pred`, which may
      be a dict of names): they are joined by the column `id`, and items that a run lacks are treated as `missing` says;
    - a confusion matrix, or a dict of them by system;
    - what `multilabel` returns: every label is measured on its own, and averages have intervals (`result.averages`).

    `measures` are names, measures, functions of c, or a set: "recommended" (the default), "papers", one of the papers
    ("goesgens2021", "sebastiani2015", "opitz2024", "rh-dif2norm") or "all". With `by`, slices are measured as well
    (with several columns: the values of each column, then their combinations). `groups` says which items belong
    together (patients, documents); intervals then treat a group as one. `positive` names the positive class.
    `pool=True` says that several files are parts of one data set, even if they have equally many rows. `count` says how
    many items a row stands for: the result is that of a table in which every item has a row of its own, while
    `sample_weight` gives an item more or less importance and makes intervals wider.

    Logs of lm-evaluation-harness and of Inspect are recognised (docs/runs.md); `format` says which filter or scorer is
    meant ("lm-eval:strict-match"), or that a file is an ordinary table ("table"). `table` names the sheet of a workbook
    or the table of a database, as does the path ``"runs.xlsx::March"``. `na_values` lists what stands for a missing
    label in text files and sheets (docs/files.md); ``[]``: nothing, so that NA is a class.

    `confidence=None` leaves intervals out; `method` says how they are found (docs/intervals.md): "auto", "wilson",
    "exact" (Clopper–Pearson), "smoothed", "delta", "percentile", "bca", or "bayesian" with a `prior` ("perks",
    "jeffreys", "uniform", or the number of imagined items in each cell).

    Several systems are compared on the same items, as `compare` does, when the result is first shown or asked for its
    `comparison`; ``tests=False`` leaves that out.

    >>> result = evaluate(["ham", "spam", "spam", "ham"], ["ham", "spam", "ham", "ham"], measures=["accuracy", "mcc"])
    >>> [(row["measure"], round(row["value"], 3)) for row in result.table if row["class"] is None]
    [('accuracy', 0.75), ('mcc', 0.577)]
    """
    if isinstance(data, Consensus):
        given = (options["sample_weight"], options["groups"], options["by"])
        data, y_pred, *soft = data.rows(y_pred, *given)
        options["sample_weight"], options["groups"], options["by"] = soft
    asked = Asked.of(data, y_pred, options)
    y_score, threshold, measures = options["y_score"], options["threshold"], options["measures"]
    if threshold is not None and (y_score is None or y_pred is not None):
        raise InputError(
            "{threshold:=} makes labels of scores",
            got=threshold,
            advice="use it with {y_score:=} and without {y_pred:=}",
        )
    tests = options["tests"] and options["confidence"] is not None
    check_judge(options)
    if options["y_correct"] is None and (y_score is None or y_pred is not None):
        return noted(_of_labels(asked, options, tests=tests), asked)

    if options["y_correct"] is not None:
        return _of_outcomes(asked, options, tests=tests)
    from goodmeasure.evaluation.scores.evaluating import evaluate_scores

    result = evaluate_scores(asked, y_score, threshold, measures, _counting(options))
    return noted(result if tests else replace(result, pairing=Pairing()), asked, y_score)


def _counting(options: EvaluateOptions) -> Callable[[Asked | Precounted, MeasuresLike | None], Result]:
    """Return what evaluates labels by some measures."""
    return lambda asked, chosen: evaluate_counts(*read(asked), {**options, "measures": chosen})


def _of_outcomes(asked: Asked, options: EvaluateOptions, *, tests: bool) -> Result:
    """Return the result of outcomes, which take the place of labels."""
    from goodmeasure.evaluation.outcomes.evaluating import evaluate_outcomes, refuse_labels

    refuse_labels({**options, "y_pred": asked.y_pred})
    result = evaluate_outcomes(asked, options["y_correct"], options["measures"], _counting(options))
    return result if tests else replace(result, pairing=Pairing())


def _of_labels(asked: Asked, options: EvaluateOptions, *, tests: bool) -> Result:
    """Return the result of predicted labels, with a sweep over scores if there are some beside them."""
    y_score = options["y_score"]
    with _opened_once(asked, y_score) as data:
        try:
            result = _with_pairing(data, options, tests=tests)
        except ListLabels:
            return _of_lists(data, options)
        except VerdictLog as log:
            id = data.id or (log.sample if isinstance(data.data, Mapping) else None)
            return _of_outcomes(replace(data, id=id), {**options, "y_correct": log.outcome}, tests=tests)
        if y_score is not None:
            from goodmeasure.evaluation.scores.evaluating import with_sweep

            return with_sweep(result, data, y_score, options["measures"])
    if not isinstance(asked.data, Multilabel):
        return result
    averaged, policy = for_labels(result.settings.measures), result.settings.policy
    settings = result.settings
    return replace(result, averages=averages_of(asked.data, averaged, settings.confidence, policy, settings.seed))


@contextmanager
def _opened_once(asked: Asked, y_score: ArrayLike) -> Iterator[Asked]:
    """Open the files that hold the data, if they are files: a pipe can be read only once, and may be needed twice."""
    from goodmeasure.evaluation.runs import are_runs

    if are_runs(asked):
        if y_score is not None:
            raise InputError(
                "{y_pred} and {y_score:=} were both given",
                advice="evaluate the labels of runs or their scores, one at a time",
            )
        yield asked
    elif are_paths(asked.data, asked.y_true, asked.y_pred):
        from goodmeasure.evaluation.scores.reading_scores import systems_of

        scores = [name for columns in systems_of(y_score).values() for name in columns]
        with opened_files(asked, scores) as files:
            yield replace(asked, data=files)
    else:
        yield asked


def _with_pairing(asked: Asked, options: EvaluateOptions, *, tests: bool) -> Result:
    """Return the result of predicted labels, with what a comparison of several systems needs."""
    counted, source = read(asked)
    result = evaluate_counts(replace(counted, jointly=None), source, options)
    if asked.is_matrix():
        return replace(result, pairing=Pairing(why=OF_MATRICES))
    systems = len(result.systems)
    why = too_many(counted.rows, systems)
    if systems == 1 or why or not tests:
        return replace(result, pairing=Pairing(why=why if why and systems > 1 and tests else UNASKED))
    if counted.jointly is not None:
        return replace(result, pairing=Pairing(counted.jointly.later()))
    again = replace(asked, by=None)  # there seemed to be too many labels when they were counted
    if not source.runs:
        again = replace(again, y_true=source.true or asked.y_true, y_pred=list(source.systems))
    return replace(result, pairing=Pairing(read_jointly(again)[0]))


def _of_lists(asked: Asked, options: EvaluateOptions) -> Result:
    """Return the result of one system whose labels are lists in a table; called where reading single labels failed."""
    from goodmeasure.evaluation.listed_labels import read_multilabel, refuse_arrays

    refuse_arrays(asked)
    found, source = read_multilabel(asked)
    if len(found) > 1:
        raise InputTypeError(
            "{y_pred} names {number} systems with several labels for an item", number=len(found),
            how=Either("gm.compare", "goodmeasure compare"), advice="compare them with {how}, or evaluate one of them",
        )  # fmt: skip
    result = evaluate(next(iter(found.values())), progress=options["progress"], **only(options, ScoringOptions))
    return replace(result, source=replace(source, unit=LABEL))


def evaluate_counts(counted: Counted, source: Provenance, options: EvaluateOptions) -> Result:
    """Return the result of systems that are counted already; `source` says where the counts come from."""
    plan = _planned(counted, source, only(options, ScoringOptions))
    return plan.result(score_all(plan.tasks, plan.settings, options["progress"]))


def evaluate_each(asked: Sequence[tuple[DataLike, ScoringOptions]]) -> list[Result]:
    """Return what `evaluate` does for each of several confusion matrices with options of its own.

    Small matrices that are measured in the same way are measured together, which takes far less time than one by one.
    """
    plans = [_planned(*read(Asked(data)), complete(ScoringOptions, options)) for data, options in asked]
    alike: dict[Settings, list[int]] = {}
    for k, plan in enumerate(plans):
        alike.setdefault(plan.settings, []).append(k)
    found: dict[int, Result] = {}
    for settings, places in alike.items():
        parts = iter(score_all([task for k in places for task in plans[k].tasks], settings, None))
        found.update((k, plans[k].result(list(islice(parts, len(plans[k].tasks))))) for k in places)
    return [found[k] for k in range(len(plans))]


@dataclass(frozen=True)
class _Plan:
    """What is to be measured, and how."""

    counted: Counted
    source: Provenance
    settings: Settings
    tasks: list[ScoringTask]

    def result(self, parts: Sequence[SystemScores]) -> Result:
        """Return the result with the scores of each task."""
        return Result(self.counted, tuple(parts), self.settings, self.source)


def _planned(counted: Counted, source: Provenance, options: ScoringOptions) -> _Plan:
    """Return what is to be measured on systems that are counted already."""
    measures, classwise = options["measures"], options["classwise"]
    labels = source.labels
    measured = _without_unused(counted) if labels is None and source.kind != MATRIX else counted
    samples = _same_classes(measured, source.positive, labels)
    classes = max(sample.matrix.m for sample in samples.values())
    shown = [] if measures is NO_MEASURES else chosen(measures, classes)
    if not any(depends_on_order(f) for f in shown):
        counted = measured
    elif source.positive is None or (source.positive_by != GIVEN and len(counted.labels) > 2):
        samples = {  # with all classes of the data, so that costs and distances keep their meaning
            key: x if x.matrix.is_sparse else x.with_classes(counted.labels) for key, x in counted.samples.items()
        }
    each = [] if measures is NO_MEASURES and classwise is None else by_class(classwise, shown)
    settings = Settings(
        tuple(shown), tuple(each), options["confidence"], options["seed"], options["method"], options["replicates"],
        policy_of(options["undefined"]), options["prior"], options["family"],
    )  # fmt: skip
    tasks = [ScoringTask(system, slice_value(where, counted.slices), x) for (system, where), x in samples.items()]
    return _Plan(counted, source, settings, tasks)


def _without_unused(counted: Counted) -> Counted:
    """Return the counts without categories that occur nowhere.

    Some engines list unused categories and others do not; a result must not depend on the engine.
    """
    samples = {key: x.with_occurring() for key, x in counted.samples.items()}
    found = {label for (_, where), x in samples.items() if where is None for label in x.matrix.labels}
    return replace(counted, samples=samples, labels=tuple(x for x in counted.labels if x in found))


def _same_classes(
    counted: Counted, positive: Label, labels: LabelsLike | None
) -> dict[tuple[str, Slice | None], Sample]:
    """Return the samples with the classes that each is measured with.

    With two classes, every slice keeps both, so that the positive class is the same everywhere. With more classes a
    slice is measured with the classes that occur in it, as if it were all there is, unless `labels` fixes them: an
    average over classes would otherwise include classes that the slice does not have.
    """
    samples = counted.samples
    if positive is not None:
        check_positive(positive, counted.labels)
        positive = next(x for x in counted.labels if x == positive)  # the label of the data: a user may type 1 for True
        return {key: x.with_classes(counted.labels).with_positive(positive) for key, x in samples.items()}
    if len(counted.labels) == 2 and labels is None:
        return {key: x.with_classes(counted.labels) for key, x in samples.items()}
    return samples
