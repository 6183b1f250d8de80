"""Check a certificate about one measure.

``by`` of a certificate says in which way it shows its statement. Most ways list cases: the kind of the statement says
which there are, and each must be there and be shown (`check_cases`). A few other ways rest on parts alone. A part is a
certificate of the same statement and measure, with the same number of classes, domain and policy, except where the way
itself says what else it is about.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from importlib import import_module

from goodmeasure.language.tree import OpenPower, below, from_data
from goodmeasure.theory.kernel.calculus import at
from goodmeasure.theory.kernel.claim import Branch, Case, Claim, Kind, check_node, statement_of
from goodmeasure.theory.kernel.facts import Node, entries, listed
from goodmeasure.theory.kernel.meaning import Outcome, must_be_policy
from goodmeasure.theory.kernel.means import OPEN
from goodmeasure.theory.kernel.mirror import must_be_mirrored
from goodmeasure.theory.kernel.refusal import Refused, demand
from goodmeasure.theory.kernel.scales import must_be_scale_free
from goodmeasure.theory.kernel.symmetry import treats_classes_alike
from goodmeasure.theory.kernel.texts import parsed
from goodmeasure.theory.kernel.values import Ring
from goodmeasure.theory.statements import statement as kinds
from goodmeasure.theory.statements.domain import DOMAINS
from goodmeasure.theory.statements.goesgens import class_permutations, transposition

MOST_CASES = 300_000
PROOF = ("by", "about", "constants", "symmetric", "cases", "parts")  # what a certificate has beside its claim
CASES = "cases"  # the usual way
EVERY_EXPONENT = "r"
RANDOM = "random predictions"  # averages over all predictions, not over those with given class sizes
# What checks a statement, by its kind and the way in which it is shown; modules are loaded when they are needed
KINDS: dict[str, dict[str, str]] = {
    kinds.MOVES: {CASES: "moves.Moves"},
    kinds.EXTREME: {CASES: "values.Extremes"},
    kinds.INVARIANCE: {CASES: "values.Invariances"},
    kinds.DEFINED: {CASES: "values.Definedness"},
    kinds.DEFINED_TOGETHER: {CASES: "values.Definedness"},
    kinds.INDIFFERENT: {CASES: "values.Indifference"},
    kinds.SENSITIVE: {CASES: "values.Example"},
    kinds.RANGE: {CASES: "labelings.Ranges"},
    kinds.TRIVIAL: {CASES: "labelings.ConstantPredictions"},
    kinds.SMOOTH: {CASES: "labelings.Smoothness"},
    kinds.INDEPENDENT: {CASES: "baselines.Independent"},
    kinds.EXPECTATION: {CASES: "baselines.Expectation"},
    RANDOM: {CASES: "baselines.Rotations", "class sizes": "baselines.Mixture"},
    kinds.FLATNESS: {CASES: "baselines.Flatness"},
    kinds.DECOMPOSABLE: {CASES: "decomposition.Decomposition"},
    kinds.DISTANCE: {"correlation": "distance.Correlations", CASES: "distance.Triangles"},
    kinds.CHANCE_BOUND: {CASES: "chance.Bound"},
    kinds.UNCORRECTED: {"apart": "chance.Apart", "perfect": "chance.Perfect", "unbounded": "chance.Unbounded"},
}
EVERY = "every"
# The same for every number of classes
KINDS_OF_EVERY: dict[str, dict[str, str]] = {
    kinds.MOVES: {"class by class": "every_m.Moves"},
    kinds.EXTREME: {"class by class": "every_m.Extremes"},
    kinds.INVARIANCE: {"class by class": "every_m.Transposes"},
    kinds.DISTANCE: {"errors": "every_m.Errors", "class by class": "every_m.Triangles"},
    kinds.DECOMPOSABLE: {"class by class": "every_m.Scores"},
    kinds.INDEPENDENT: {"guesses": "guesses.Independent"},
    kinds.EXPECTATION: {"guesses": "guesses.Expectation"},
}
# Kinds that say nothing of a case in which a matrix has no value
_MAY_SAY_NOTHING = (
    kinds.MOVES,
    kinds.EXTREME,
    kinds.INVARIANCE,
    kinds.RANGE,
    kinds.TRIVIAL,
    kinds.INDEPENDENT,
    kinds.FLATNESS,
    kinds.DISTANCE,
    kinds.CHANCE_BOUND,
)


def check(found: Node) -> None:
    """Check a certificate; refuse it unless it shows what it claims."""
    claim, by = claim_of(found), str(found.get("by", CASES))
    alike = not claim.symmetric or treats_classes_alike(claim.tree, claim.m or None)
    demand(alike, "the classes may be treated differently")
    if by in (*FORMS, "vacuous"):
        _check_constants(claim, {})
    WAYS.get(by, _check_kind)(claim, found)


def ways_of(claim: Claim) -> Mapping[str, str]:
    """Return what checks a claim, by the way in which it is shown."""
    s = claim.statement
    return (KINDS if claim.m else KINDS_OF_EVERY).get(RANDOM if s.uniform else s.kind, {})


def kind_of(claim: Claim, by: str = CASES) -> Kind:
    """Return what checks a claim that is shown in a way."""
    known = ways_of(claim)
    demand(by in known, f"no certificate proves {claim.statement.name} by {by[:60]}", "by")
    module, name = known[by].split(".")
    kind: type[Kind] = getattr(import_module(f"goodmeasure.theory.kernel.kinds.{module}"), name)
    return kind(claim)


def _check_kind(claim: Claim, found: Node) -> None:
    kind = kind_of(claim, str(found.get("by", CASES)))
    for name, about in kind.parts().items():
        check_part(found, name, about)
    check_cases(kind, kind.cases(), found)
    kind.finish()
    _check_constants(claim, kind.constants())


def _check_constants(claim: Claim, known: Mapping[str, Outcome]) -> None:
    """Demand that just those constants are stated that are shown, with their values."""
    demand(set(known) == set(claim.constants), "the constants are others", "constants")
    for name, value in known.items():
        claim.constant_is(name, value)


def check_cases(kind: Kind, cases: Iterable[Case], found: Node) -> None:
    """Check that a certificate has just these cases, each with its proof."""
    nodes = dict[str, object]()
    given = [entries(x) for x in listed(found.get("cases"), "cases", most=MOST_CASES)]
    for x in given:
        nodes[str(sorted((k, v) for k, v in x.items() if k != "proof"))] = x.get("proof")
    demand(len(nodes) == len(given), "a case is given twice")
    for case in cases:
        demand(case.key in nodes, f"the case {dict(case.about)} is missing")
        try:
            with kind.one_case():
                check_node(case, Branch(kind.ring), nodes.pop(case.key))
        except Refused as refusal:
            refusal.where.insert(0, str(case.about))
            raise
    demand(not nodes, "there are cases that the statement does not ask for")


# Other ways


def check_part(found: Node, name: str, about: Node) -> Node:
    """Check a part of a certificate that is about the same, but for what is said; return it as a whole."""
    whole, wanted = whole_part(found, name), {**{k: v for k, v in found.items() if k not in PROOF}, **about}
    demand(all(whole.get(k) == v for k, v in wanted.items()), "the part is about something else", name)
    try:
        check(whole)
    except Refused as refusal:
        refusal.where.insert(0, name)
        raise
    return whole


def whole_part(found: Node, name: str) -> Node:
    """Return a part of a certificate as one of its own: it says only where it differs in what it is about."""
    part = entries(entries(found.get("parts", {})).get(name))
    return {"constants": {}, **{k: v for k, v in found.items() if k not in PROOF}, **part}


def _classes_alike(claim: Claim, _found: Node) -> None:
    """Class symmetry, of a tree that treats all classes alike."""
    demand(claim.statement.maps is class_permutations, "the statement says more than that classes are alike", "by")
    demand(treats_classes_alike(claim.tree, claim.m or None), "the classes may be treated differently")


def _mirrored(claim: Claim, _found: Node) -> None:
    """Symmetry, of a tree that has the same form on the transpose."""
    demand(claim.statement.maps is transposition, "the statement is not about transposes", "by")
    must_be_mirrored(claim.tree)


def _scale_free(claim: Claim, _found: Node) -> None:
    """Scale invariance, of a tree of degree 0."""
    demand(claim.statement.scales == "matrix", "the statement is not about multiples of a matrix", "by")
    must_be_scale_free(claim.tree, claim.policy)


def _vacuous(claim: Claim, found: Node) -> None:
    """The statement says nothing: in each of its cases a matrix has no value. Then it claims no constant."""
    kind, cases = saying_nothing(claim)
    check_cases(kind, cases, found)


def saying_nothing(claim: Claim) -> tuple[Kind, Iterable[Case]]:
    """Return what checks a claim, and its cases with the demand that nothing is claimed in them.

    A distance has maximal agreement too, which says nothing only if no matrix has a value; and then there is no triple
    of labelings to speak of.
    """
    s = claim.statement
    demand(s.kind in _MAY_SAY_NOTHING, f"nothing shows that {s.name} says nothing", "by")
    if s.kind == kinds.DISTANCE:
        claim.statement = statement_of("maximal_agreement")
    claim.constants = dict.fromkeys(s.constants, "0")
    kind = kind_of(claim)
    return kind, (Case(x.about, partial(_check_nothing, x)) for x in kind.cases())


def _check_nothing(case: Case, branch: Branch, node: Node) -> None:
    demand(node.get("by") == "undefined", "a case is not said to be without a value")
    case.check(branch, node)


def _restricted(claim: Claim, found: Node) -> None:
    """What is shown on the domain "all", where each instance on a smaller domain is one too (`UNIVERSAL`)."""
    demand(claim.statement.kind in kinds.UNIVERSAL, "the statement may fail on a part of the matrices", "by")
    demand(claim.domain != "all", "the domain is no part", "domain")
    check_part(found, "all", {"domain": "all", "constants": claim.constants})


def _instance(claim: Claim, found: Node) -> None:
    """What is shown for every number of classes, with constants that may depend on it."""
    demand(claim.m, "the claim itself is about every number of classes", "by")
    stated = entries(check_part(found, "every", {"classes": EVERY}).get("constants", {}))
    m = claim.ring.number(claim.m)
    _check_constants(claim, {k: at(parsed(Ring(["m"]), text), {0: m}, claim.ring) for k, text in stated.items()})


def _every_exponent(claim: Claim, found: Node) -> None:
    """What is shown for all positive exponents of a family, and for all others, with the same constants."""
    demand(claim.exponents == EVERY_EXPONENT, "this is about other exponents", "measure")
    for exponents in OPEN:
        measure = {**entries(found.get("measure")), "exponents": exponents}
        check_part(found, exponents, {"measure": measure, "constants": claim.constants})


FORMS: dict[str, Callable[[Claim, Node], None]] = {  # what the form of a tree shows, for every number of classes
    "classes alike": _classes_alike,
    "mirrored": _mirrored,
    "scale free": _scale_free,
}
WAYS: dict[str, Callable[[Claim, Node], None]] = {
    **FORMS,
    "vacuous": _vacuous,
    "all matrices": _restricted,
    "every number of classes": _instance,
    "every exponent": _every_exponent,
}


def claim_of(found: Node) -> Claim:
    """Return what a certificate claims."""
    measure, statement = entries(found.get("measure")), statement_of(found.get("statement"))
    try:
        tree = from_data(measure.get("tree"))
    except ValueError as error:
        raise Refused(str(error)) from None
    m = 0 if found.get("classes") == EVERY else found.get("classes")
    if type(m) is not int or not (2 <= m <= 20 or found.get("classes") == EVERY):
        raise Refused("the number of classes is none that is known", "classes")
    policy, orientation, domain = found.get("undefined"), str(measure.get("orientation")), str(found.get("domain"))
    if not isinstance(policy, str):
        raise Refused("the policy is no text", "undefined")
    must_be_policy(policy)
    demand(statement.fits(m or EVERY), "the statement does not speak of so many classes", "classes")
    demand(tree.classes in (None, m), "the formula is for another number of classes", "classes")
    demand(domain in DOMAINS, "the domain is none that is known", "domain")
    demand(orientation in ("higher", "lower", "neither"), "the orientation is none that is known", "measure")
    demand(statement.policy in (None, policy), "the statement is about another policy", "undefined")
    exponents, is_open = measure.get("exponents", ""), any(isinstance(x, OpenPower) for x in below(tree))
    demand(exponents in (("",), (EVERY_EXPONENT, *OPEN))[is_open], "the exponents are none that are known", "measure")
    return Claim(
        tree, statement, m=m, domain=domain, policy=policy, lower=orientation == "lower",
        symmetric=found.get("symmetric") is True, constants=entries(found.get("constants", {})),
        about=entries(found.get("about", {})), exponents=str(exponents),
    )  # fmt: skip
