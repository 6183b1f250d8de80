"""Prove that guessing scores a constant for every number of classes (opitz2024, Property V, strict and complete).

The definition is read on c_ij = a_i·b_j/n (`algebra/guesses.py`) with sizes of several kinds, which together exhaust
the guesses of the domain:

* "regular": all sizes are positive.
* "all": for the true sizes, either one case covers all of them (``any``), or they are split into ``positive`` and
  ``missing`` (some class has no true items; the measure must be undefined there, so that nothing is demanded). For the
  predicted sizes, either one case covers all of them, or they are split into ``constant`` (all predictions name one
  class, which may or may not have true items) and ``several`` (at least two classes are predicted).

On each kind the value must be the same number, or the same function of m where the statement allows it.
"""

from __future__ import annotations

from itertools import product

from goodmeasure.language.exact.reals import UNDEFINED
from goodmeasure.theory.algebra.guesses import (
    ANY,
    CONSTANT,
    MISSING,
    POSITIVE,
    SEVERAL,
    GuessOrthant,
    GuessView,
    MissingView,
)
from goodmeasure.theory.algebra.orthant import Outside
from goodmeasure.theory.algebra.support_patterns import value_of
from goodmeasure.theory.prove.every_m import Base, Every, constant_of
from goodmeasure.theory.prove.signs import NoProof
from goodmeasure.theory.statements.certificate import CertificateNode

_TRUTHS = ((ANY,), (POSITIVE, MISSING))
_PREDICTIONS = ((ANY,), (CONSTANT, SEVERAL))


def prove_guesses(every: Every) -> tuple[list[CertificateNode], Base]:
    """Return a node for each kind of guesses, and the constant that they score."""
    if every.domain.name == "regular":
        return _of_kinds(every, ((POSITIVE, POSITIVE),))
    if every.domain.name != "all":
        raise NoProof("no kinds of sizes exhaust this domain")
    why = NoProof("not read")
    for truths, predictions in product(_TRUTHS, _PREDICTIONS):
        valued = [x for x in truths if x != MISSING]
        try:
            nodes, base = _of_kinds(every, tuple(product(valued, predictions)))
            if MISSING in truths:
                _undefined_where_missing(every)
                nodes.append({"true": MISSING, "predicted": ANY, "proof": {"by": "undefined"}})
        except (NoProof, Outside) as error:
            why = NoProof(str(error))
        else:
            return nodes, base
    raise why


def _of_kinds(every: Every, kinds: tuple[tuple[str, str], ...]) -> tuple[list[CertificateNode], Base]:
    """Return nodes that show that guesses of some kinds score one constant."""
    nodes, bases = list[CertificateNode](), list[Base]()
    for true, predicted in kinds:
        for missed in (False, True) if (true, predicted) == (ANY, CONSTANT) else (False,):
            orthant = GuessOrthant(true, predicted)
            orthant.missed = missed
            view = GuessView(every.policy, orthant)
            bases.append(constant_of(view, every.own(view)))
        nodes.append({"true": true, "predicted": predicted, "proof": {"by": "constant"}})
    if any(x.text is None or x != bases[0] for x in bases):
        raise NoProof("guesses of different kinds score differently, or no rational number")
    return nodes, bases[0]


def _undefined_where_missing(every: Every) -> None:
    """Demand that the measure is undefined where some class has no true items."""
    if value_of(every.tree, MissingView(every.policy, GuessOrthant(MISSING, ANY))) is not UNDEFINED:
        raise NoProof("the measure has a value where a class has no true items")
