"""Check a certificate about one measure: every case of the statement is there, and each is shown."""

from __future__ import annotations

from goodmeasure.exceptions import InputError
from goodmeasure.language.tree import from_data
from goodmeasure.theory.kernel.claim import Branch, Case, Claim, Kind, check_node, statement_of
from goodmeasure.theory.kernel.facts import Node, entries
from goodmeasure.theory.kernel.kinds import baselines, decomposition, labelings, moves, values
from goodmeasure.theory.kernel.mirror import must_be_mirrored
from goodmeasure.theory.kernel.refusal import Refused, demand
from goodmeasure.theory.kernel.scales import must_be_scale_free
from goodmeasure.theory.kernel.symmetry import treats_classes_alike
from goodmeasure.theory.statements import statement as kinds
from goodmeasure.theory.statements.domain import DOMAINS
from goodmeasure.theory.statements.goesgens import class_permutations, transposition
from goodmeasure.theory.statements.statement import Statement

MOST_CASES = 300_000


KINDS: dict[str, type[Kind]] = {
    kinds.MOVES: moves.Moves,
    kinds.EXTREME: values.Extremes,
    kinds.INVARIANCE: values.Invariances,
    kinds.DEFINED: values.Definedness,
    kinds.DEFINED_TOGETHER: values.Definedness,
    kinds.INDIFFERENT: values.Indifference,
    kinds.RANGE: labelings.Ranges,
    kinds.TRIVIAL: labelings.ConstantPredictions,
    kinds.SMOOTH: labelings.Smoothness,
    kinds.INDEPENDENT: baselines.Independent,
    kinds.FLATNESS: baselines.Flatness,
    kinds.DECOMPOSABLE: decomposition.Decomposition,
}


def kind_of(claim: Claim) -> Kind:
    """Return what checks a claim, by the kind of its statement."""
    s = claim.statement
    if s.kind == kinds.EXPECTATION:
        return baselines.Rotations(claim) if s.uniform else baselines.Expectation(claim)
    if s.kind not in KINDS:
        raise Refused(f"no certificate proves {s.name}")
    return KINDS[s.kind](claim)


def check(data: object) -> None:
    """Check a certificate, as JSON was read; refuse it unless it shows what it claims."""
    found = entries(data)
    claim = claim_of(found)
    demand(not claim.symmetric or treats_classes_alike(claim.tree, claim.m), "the classes may be treated differently")
    cases = listed_cases(found)
    if not cases and is_about_form(claim.statement):
        check_form(claim)
        return
    if claim.statement.kind == kinds.SENSITIVE:
        _check_example(claim, cases)
        return
    kind, seen = kind_of(claim), set[str]()
    nodes = {case_key(x): x.get("proof") for x in cases}
    demand(len(nodes) == len(cases), "a case is given twice")
    for case in kind.cases():
        demand(case.key in nodes, f"the case {case.about} is missing")
        seen.add(case.key)
        _located(claim, case, nodes[case.key])
    demand(len(seen) == len(nodes), "there are cases that the statement does not ask for")
    kind.finish()


def is_about_form(statement: Statement) -> bool:
    """Return whether the form of a tree alone may show a statement, for every number of classes."""
    return statement.maps in (class_permutations, transposition) or statement.scales == "matrix"


def check_form(claim: Claim) -> None:
    """Check a statement by the form of the tree, without cases."""
    if claim.statement.maps is transposition:
        must_be_mirrored(claim.tree)
    elif claim.statement.scales:
        must_be_scale_free(claim.tree, claim.policy)
    else:
        demand(treats_classes_alike(claim.tree, claim.m), "the classes may be treated differently")


def _located(claim: Claim, case: Case, node: object) -> None:
    """Check a case, and let a refusal say which it was."""
    try:
        with claim.one_case():
            check_node(case, Branch(claim.ring), node)
    except Refused as refusal:
        refusal.where.insert(0, str(case.about))
        raise


def _check_example(claim: Claim, cases: list[dict[str, object]]) -> None:
    demand(len(cases) == 1, "an example is one case")
    (case,) = cases
    about = {k: v for k, v in case.items() if k != "proof"}
    _located(claim, values.Example(claim).case(about), case.get("proof"))


def listed_cases(found: Node) -> list[dict[str, object]]:
    """Return the cases of a certificate."""
    cases = found.get("cases")
    if not isinstance(cases, list) or len(cases) > MOST_CASES:
        raise Refused("the cases are no list, or too many")
    return [entries(x) for x in cases]


def case_key(case: dict[str, object]) -> str:
    """Return what names a case: everything but its proof."""
    return str(sorted((k, v) for k, v in case.items() if k != "proof"))


def claim_of(found: Node) -> Claim:
    """Return what a certificate claims."""
    measure, statement = entries(found.get("measure")), statement_of(found.get("statement"))
    try:
        tree = from_data(measure.get("tree"))
    except InputError as error:
        raise Refused(str(error)) from None
    m = found.get("classes")
    if type(m) is not int or not 2 <= m <= 20:
        raise Refused("the number of classes is none that is known", "classes")
    policy, orientation, domain = (
        str(x) for x in (found.get("undefined"), measure.get("orientation"), found.get("domain"))
    )
    demand(statement.fits(m), "the statement does not speak of so many classes", "classes")
    demand(tree.classes in (None, m), "the formula is for another number of classes", "classes")
    demand(domain in DOMAINS, "the domain is none that is known", "domain")
    demand(orientation in ("higher", "lower", "neither"), "the orientation is none that is known", "measure")
    demand(statement.policy in (None, policy), "the statement is about another policy", "undefined")
    return Claim(
        tree, statement, m=m, domain=domain, policy=policy, lower=orientation == "lower",
        symmetric=found.get("symmetric") is True, constants=entries(found.get("constants", {})),
    )  # fmt: skip
