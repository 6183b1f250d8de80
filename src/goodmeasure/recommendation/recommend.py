"""`gm.recommend`: which measure suits a task, and why."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from itertools import combinations
from typing import TYPE_CHECKING, Unpack

from goodmeasure.catalogue.display_names import sentence_name
from goodmeasure.catalogue.measure import Measure
from goodmeasure.catalogue.names import measure as measure_of
from goodmeasure.exceptions import Either, InputError, InputTypeError, UnknownName
from goodmeasure.keywords import takes_options
from goodmeasure.language.value import total
from goodmeasure.options import TaskOptions
from goodmeasure.progress import shows_progress
from goodmeasure.recommendation.candidates import (
    DECIDED_FOR,
    USE_COSTS,
    USE_ORDER,
    Candidates,
    alike,
    family,
    with_costs,
)
from goodmeasure.recommendation.companions import guessing_level, report_beside
from goodmeasure.recommendation.leads import KNOWN, Lead, evaluate_line, lead_of
from goodmeasure.recommendation.needs import SAME, Need, domain_for, needs_of
from goodmeasure.recommendation.recommendation import (
    Advice,
    Drop,
    GuessingLevel,
    Recommendation,
    ShownMeasure,
    candidates_for,
    judged_needs,
)
from goodmeasure.recommendation.words import counterexample, opening
from goodmeasure.theory.statements.lookup import statement
from goodmeasure.theory.statements.verdict import HELD, PROVED
from goodmeasure.typing import ArrayLike

if TYPE_CHECKING:
    from goodmeasure.recommendation.needs import Answers
    from goodmeasure.theory.possible.answer import Impossible, Possible

# What a strictly increasing function makes of a measure (goesgens2021, section 6): of two that are else alike, the one
# with a distance of the same order comes first. A test compares the orders on all small matrices.
SAME_ORDER = {"mcc": "correlation_distance", "f1": "jaccard"}


@takes_options
@shows_progress("checking")
def recommend(
    classes: int = 2,
    needs: Iterable[str] | str = (),
    avoids: Iterable[str] | str = (),
    **options: Unpack[TaskOptions],
) -> Recommendation:
    """Return what to report for a task, with reasons, the line of code, what to show with it, and why not another one.

    ``needs`` and ``avoids`` name properties (``avoids`` also measures). The options answer questions about the task:
    ``gm.recommend(costs=[[0, 1], [5, 0]], predictions="scores")``. `why_not` of what is returned says what speaks
    against a measure that people expect.

    >>> import goodmeasure as gm
    >>> gm.recommend(classes=2).best.name
    'mcc'
    >>> gm.recommend(classes=5, readers="specialists").best.name
    'sba'
    >>> gm.recommend(one_class=True, prevalence=0.01).measures[:2]
    ['recall', 'specificity']
    >>> bool(gm.recommend(distance=True, chance=True).impossible is None)
    False
    """
    answers: Answers = {"classes": classes, **options}
    if answers["costs"] is False:
        answers["costs"] = None
    if answers["prevalence"] is not None and answers["deployment"] != SAME:
        answers["deployment"] = "other"
    _check(answers)
    properties, measures = _avoided(_names(avoids, "avoids"))
    named = [statement(x, "needs").name for x in _names(needs, "needs")]
    lead = lead_of(answers)
    if lead is not None and lead.alone:
        if named or properties:
            raise InputError("{needs} names properties of measures of labels, and other data are judged in this task",
                             argument="needs" if named else "avoids", got=named or properties,
                             advice="leave them out")  # fmt: skip
        return _led(lead, answers)
    wanted = needs_of(answers, named, properties)
    known = candidates_for(answers)
    wanted = [x for x in wanted if _speaks_of(known, x)]
    chosen = [x for x in _looked_at(known, answers) if x.name not in measures]
    ranked = _ranked(chosen, wanted, known, answers)
    if lead is not None:
        ranked = _in_front(lead, ranked, wanted, known, answers)
    elif _for_everyone(answers, bool(named)):
        ranked = _known_first(ranked, answers)
    impossible = feasible = None
    drop: tuple[Drop, ...] = ()
    if not any(x.suits for x in ranked):
        impossible, feasible = _together([x for x in wanted if x.required], known.classes)
        drop = _drops(chosen, wanted, known, answers, impossible)
    remarks = (*_remarks(answers, wanted), *_trade_off_of_distances(ranked, wanted))
    return Recommendation(answers, wanted, ranked, impossible=impossible, possible=feasible, drop=drop, remarks=remarks)


def _for_everyone(answers: Answers, named: bool) -> bool:
    """Return whether a measure that readers know comes first; who names properties, or a distance, is a specialist."""
    return answers["readers"] != "specialists" and not (named or answers["distance"])


def _known_first(ranked: list[Advice], answers: Answers) -> list[Advice]:
    """Return the advice with the best of the well-known measures that suit in front."""
    known = (*KNOWN, "accuracy") if answers["deployment"] == SAME else KNOWN
    suit = [(-x.score, known.index(name), x) for x in ranked if x.suits
            for name in (x.name, *x.alike) if name in known]  # fmt: skip
    if not suit:
        return ranked
    _, place, x = min(suit, key=lambda y: y[:2])
    best, name = ranked[0], known[place]
    elsewhere = (
        "" if best.measure.stem == x.measure.stem else f" (without regard to readers: {sentence_name(best.measure)})"
    )
    because = "readers know it, and it has all that such a task asks for"
    if x.violates:
        because = f"of the measures that readers know, it has most of what such a task asks for{elsewhere}"
    first = replace(x, because=because)
    if name != x.name:
        line = evaluate_line(answers, name)
        rest = (x.name, *(y for y in x.alike if y != name))
        first = replace(first, measure=measure_of(name), alike=rest, code=line)
    return [first, *(y for y in ranked if y is not x)]


def _led(lead: Lead, answers: Answers) -> Recommendation:
    """Return the recommendation where measures of labels are no alternative."""
    ranked = [_told(lead, measure_of(x)) for x in lead.measures]
    ranked += [Advice(measure_of(x), True, 0.0, code=evaluate_line(answers, x)) for x in lead.others]
    return Recommendation(answers, [], ranked)


def _told(lead: Lead, of: ShownMeasure) -> Advice:
    together = lead.measures if len(lead.measures) > 1 else ()
    return Advice(of, True, 0.0, because=lead.because, code=lead.code, beside=lead.beside, together=together,
                  title=lead.title)  # fmt: skip


def _in_front(
    lead: Lead, ranked: list[Advice], wanted: list[Need], known: Candidates, answers: Answers
) -> list[Advice]:
    """Return the advice with the measures of a lead in front, judged like the others."""
    front = []
    for name in lead.measures:
        of = measure_of(name)
        assert isinstance(of, Measure)
        told = _told(lead, of)
        if answers["costs"] is None:  # what errors cost is no property
            found = next((x for x in ranked if x.name == name), told)
            judged = judged_needs(of, wanted, known)
            told = replace(
                told, score=found.score, alike=found.alike, find_chance=_guessing(of, known, answers),
                why=tuple(x for x in judged if x.met), violates=tuple(x for x in judged if not x.met),
            )  # fmt: skip
        front.append(told)
    return [*front, *(x for x in ranked if x.name not in lead.measures)]


def _check(answers: Answers) -> None:
    classes, rare = answers["classes"], answers["rare"]
    if isinstance(classes, bool) or not isinstance(classes, int) or classes < 2:
        raise InputError("{classes} is {got!r}", got=classes, expected="a whole number of at least 2")
    if rare >= classes:
        raise InputError(
            "{rare} is {got} and {classes} is {m}",
            got=rare,
            m=classes,
            advice="not all classes can be rare; give fewer rare ones",
        )
    if answers["ordered"] and classes == 2:
        raise InputError(
            "{ordered} and {classes:=2} contradict each other", advice="an order says nothing about two classes"
        )
    if answers["ordered"] and answers["one_class"]:
        raise InputError(
            "{ordered} and {one_class} contradict each other", advice="one class against the rest has no order"
        )
    _check_costs(answers["costs"], classes, answers["one_class"])


def _check_costs(costs: ArrayLike, classes: int, one_class: bool) -> None:
    if costs is None:
        return
    m = 2 if one_class else classes
    try:
        table = [[float(x) for x in row] for row in costs]
    except (TypeError, ValueError):
        raise InputTypeError(
            "{costs} is {got!r}",
            got=costs,
            m=m,
            advice="which measure suits depends on your costs; give them as a table costs[true][predicted] of {m} "
            "rows, with 0 for right predictions",
        ) from None
    if len(table) != m or any(len(row) != m for row in table):
        raise InputError(
            "{costs} is a table of {rows}, and there are {m} classes",
            rows="1 row" if len(table) == 1 else f"{len(table)} rows",
            m=m,
            expected="{m} rows of {m} costs",
        )
    if any(table[i][i] != 0 for i in range(m)):
        raise InputError("{costs}: a right prediction costs nothing, so costs[i][i] must be 0", got=table)
    if m == 2 and min(table[0][1], table[1][0]) <= 0:
        raise InputError("{costs}: both kinds of error must cost something, costs[0][1] and costs[1][0]", got=table)


def _names(given: Iterable[str] | str, argument: str) -> list[str]:
    expected = "names of properties or measures" if argument == "avoids" else "names of properties"
    if not isinstance(given, (str, Iterable)):
        raise InputTypeError("{argument} is {got!r}", argument=argument, got=given, expected=expected)
    found = [given] if isinstance(given, str) else list(given)
    for x in found:
        if not isinstance(x, str):
            raise InputTypeError("{argument} holds {got!r}", argument=argument, got=x, expected=expected)
    return found


def _avoided(names: list[str]) -> tuple[list[str], set[str]]:
    """Return the properties and the measures among the names of what is to be avoided."""
    properties, measures = list[str](), set[str]()
    for name in names:
        try:
            properties.append(statement(name, "avoids").name)
        except InputError as error:
            try:
                measures.add(measure_of(name).name)
            except InputError as other:
                if not isinstance(error, UnknownName) or not isinstance(other, UnknownName):
                    raise (other if isinstance(error, UnknownName) else error) from None
                near = (*error.suggestions, *other.suggestions)
                raise UnknownName(
                    "{name!r} is neither the name of a property nor of a measure",
                    name=name,
                    argument="avoids",
                    suggestions=near,
                    listed=" or ".join(map(repr, near)),
                    how=Either("gm.measures() and gm.atlas() list them", "goodmeasure measures and atlas list them"),
                    advice="did you mean {listed}?" if near else "{how}",
                ) from None
    return properties, measures


def _speaks_of(known: Candidates, need: Need) -> bool:
    """Return whether a property is about this number of classes; raise where it was asked for and is not."""
    of = statement(need.statement)
    if of.classes is None or of.classes == known.classes:
        return True
    if need.required:
        raise InputError(
            "{statement} is about {classes} classes",
            statement=need.statement,
            classes=of.classes,
            wanted=known.classes,
            advice="it cannot be needed for {wanted}",
        )
    return False


def _looked_at(known: Candidates, answers: Answers) -> list[Measure]:
    """Return the measures to choose from: all of the atlas, or those that use the order of classes or costs."""
    if answers["costs"] is not None:
        return with_costs(answers["costs"])
    found = known.of_the_atlas()
    if answers["ordered"]:
        return [x for x in found if family(x) in USE_ORDER]
    if known.classes == 2:
        return [x for x in found if family(x) not in USE_ORDER]
    return [x for x in found if family(x) not in (*USE_ORDER, *USE_COSTS)]


def _ranked(chosen: list[Measure], wanted: list[Need], known: Candidates, answers: Answers) -> list[Advice]:
    """Return the advice on each measure: fewest missing requirements first, then the most desirable properties."""
    scored = []
    for place, of in enumerate(chosen):
        missing = sum(not known.meets(of, x) for x in wanted if x.required)
        score: float = total(x.weight * _credit(known, of, x) for x in wanted if not x.required)
        scored.append((missing, -score, of.name not in SAME_ORDER, place, of))
    scored.sort(key=lambda x: x[:4])
    scores = {of.name: -score for _, score, _, _, of in scored}
    return [
        _advice(first, others, scores[first.name], wanted, known, answers)
        for first, *others in alike([x[-1] for x in scored], known, wanted)
    ]


def _credit(known: Candidates, of: Measure, need: Need) -> float:
    """Return 1 where a desirable property is proved, a little less where it only held, and 0 otherwise."""
    if not known.meets(of, need):
        return 0.0
    return 0.9 if known.status(of, need.statement) == HELD else 1.0


def _guessing(of: Measure, known: Candidates, answers: Answers) -> Callable[[], GuessingLevel]:
    return lambda: guessing_level(of, known, 2 if answers["one_class"] else answers["classes"])


def _advice(
    of: Measure,
    others: list[Measure],
    score: float,
    wanted: list[Need],
    known: Candidates,
    answers: Answers,
) -> Advice:
    judged = judged_needs(of, wanted, known)
    why, violates = [x for x in judged if x.met], [x for x in judged if not x.met]
    notes = []
    if of.name in SAME_ORDER:
        notes.append(f"{SAME_ORDER[of.name]} puts systems in the same order, and is a distance")
    for x in why:
        in_question = x.need.required and x.need.holds and x.need.domain != "all"
        absent = known.refuted_where_absent(of, x.need.statement) if in_question else None
        if absent is not None and absent.witness is not None:
            notes.append(f"where a class may be absent, this no longer holds: {x.need.text} "
                         f"{counterexample(of, x.need.statement, absent)}")  # fmt: skip
    return Advice(
        of,
        all(not x.need.required for x in violates),
        score,
        tuple(why),
        tuple(violates),
        tuple(notes),
        _guessing(of, known, answers),
        tuple(report_beside(of, known, answers)),
        tuple(x.name for x in others),
        code=evaluate_line(answers, of.name),
    )


def _trade_off_of_distances(ranked: list[Advice], wanted: list[Need]) -> tuple[str, ...]:
    """Return what each of two distances gives up where none has everything that is wanted."""
    leads = ranked[0]
    if not any(x.statement == "distance" and x.holds for x in wanted) or not leads.suits or len(ranked) == 1:
        return ()
    given_up = {x.need.statement: x.need.text for x in leads.violates}
    other = next((x for x in ranked[1:] if x.suits and not {y.need.statement for y in x.violates} >= {*given_up}), None)
    if other is None:
        return ()
    lost = {x.need.statement: x.need.text for x in other.violates}
    keeps = next(text for name, text in given_up.items() if name not in lost)
    loses = next((f", but lacks this: {text}" for name, text in lost.items() if name not in given_up), "")
    first, second = opening(leads.measure), opening(other.measure)
    return (f"No distance has everything: {first} lacks this: {keeps} {second} has it{loses}",)


def _together(needs: list[Need], classes: int) -> tuple[Impossible | None, Possible | None]:
    """Return whether properties are possible together, each on the domain that it covers.

    What some of the requirements exclude on their domain, all of them exclude. That all are possible is only known
    where they cover one domain.
    """
    names = [x.statement for x in needs if x.holds]
    domains = sorted({domain_for(x) for x in names})
    for domain in domains:
        impossible, feasible = _together_on(domain, [x for x in names if domain_for(x) == domain], classes)
        if impossible is not None:
            return impossible, None
        if len(domains) == 1 and all(x.holds for x in needs):
            return None, feasible
    return None, None


def _together_on(domain: str, names: list[str], classes: int) -> tuple[Impossible | None, Possible | None]:
    """Return whether properties are possible on a domain: from the stored map, or by a linear program for few items."""
    from goodmeasure.theory.possible.answer import Impossible  # what decides it is needed where no measure has it all
    from goodmeasure.theory.possible.knowledge import contradiction_of
    from goodmeasure.theory.possible.possible import possible

    known = contradiction_of(
        names, classes=classes, domain=domain
    )  # what a larger domain excludes may be possible here
    if known is not None:
        return known, None
    try:
        decided = possible(*names, n=6 if classes == 2 else 4, classes=classes, domain=domain)
    except ValueError:  # a property that the linear program does not know
        return None, None
    return (decided, None) if isinstance(decided, Impossible) else (None, decided)


def _drops(
    chosen: list[Measure], wanted: list[Need], known: Candidates, answers: Answers, proof: Impossible | None
) -> tuple[Drop, ...]:
    """Return, for each requirement that could be given up, which measure would then be the best.

    If giving up one of them is not enough, pairs are tried. Where a proof shows that some exclude each other, one of
    these is among them.
    """
    required = [x for x in wanted if x.required]
    for few in (1, 2):
        found = []
        for needs in combinations(required, few):
            if proof is None or any(x.statement in proof.used for x in needs):
                rest = [x for x in wanted if x not in needs]
                kept = [of for of in chosen if all(known.meets(of, x) for x in rest if x.required)]
                if kept:
                    best = _ranked(kept, rest, known, answers)[0]
                    found.append(Drop(needs, best.name, _nearly(known, best.measure, needs)))
        if found:
            return tuple(found)
    return ()


def _nearly(known: Candidates, of: ShownMeasure, needs: tuple[Need, ...]) -> str:
    """Return what remains of requirements that were given up, in words."""
    weaker = "approximate_constant_baseline"
    given_up = any(x.statement == "constant_baseline" and x.holds for x in needs)
    if given_up and isinstance(of, Measure) and known.status(of, weaker) == PROVED:
        return ", whose value for the average random matrix is still one constant"
    return ""


def _remarks(answers: Answers, wanted: list[Need]) -> tuple[str, ...]:
    """Return remarks about the task that apply to all measures."""
    found = []
    if answers["ordered"]:
        found.append("Only measures that use the order of the classes were considered.")
    if answers["costs"] is not None and len(answers["costs"]) > DECIDED_FOR:
        found.append("Verdicts are for three of your classes, with their costs.")
    if answers["one_class"]:
        if answers["classes"] > 2:
            found.append("Only one class matters: the others are merged into one, so the task has two classes.")
        if any(x.required and x.statement == "constant_baseline" for x in wanted):
            found.append(
                "Guessing has no constant score in measures that ignore true negatives; MCC counts them, and has one."
            )
    elif answers["classes"] > DECIDED_FOR and answers["costs"] is None:
        found.append(
            f"Verdicts are for three classes; gm.check(measure, classes='every') decides some for {answers['classes']}."
        )
    if any(x.domain == "all" for x in wanted) and any(x.domain != "all" for x in wanted):
        found.append(
            "Sebastiani's axioms are judged on all test sets, also those that lack a class, as they are meant; the "
            "other properties where every class occurs in both labelings."
        )
    return tuple(found)
