"""Families of measures with their exponent left open, so that a proof holds for every real exponent.

A family such as `generalized_mean(r)` divides by the power mean M_r(u, v) of two quantities. The prover reads the
definition with an `EveryExponent` in place of r and uses only facts about M_r(u, v) that hold for every real r and all
u, v > 0: it is positive, symmetric and homogeneous of degree 1, strictly increasing in u and in v, equal to u where
u = v, and strictly between u and v elsewhere. One distinction is needed. If v = 0, the mean is 0 for r ≤ 0 and
2^(−1/r)·u for r > 0, a positive share of u that depends on r alone. So each family is read twice, for r > 0 and for
r ≤ 0, and a statement that is proved on both sides holds for every real r. The limits r = ±∞ (the greater and the
lesser value) are not covered.

An open exponent takes the general branch wherever a definition compares it with a number, so branches for special
exponents must agree with the general formula. The one family to which this applies is `generalized_mean` (a test in
`tests/theory/prove/test_proof.py` fails if there is another). Its definition never looks at r and hands it to
``c.power_mean``, with two values u, v ≥ 0. There (`language/class_by_class.py`) r = 1 gives (u + v)/2, which is
M_1(u, v) also where a value is 0; r = 0 gives √(uv), which is what M_0 means, the limit of M_r as r → 0; every r ≤ 0
gives 0 where a value is 0, the limit of the general formula; and two values 0 give 0 for every r. The branch for
negative values is never taken.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from goodmeasure.catalogue.family import Family
from goodmeasure.catalogue.measure import Measure
from goodmeasure.language.exact.reals import Exact
from goodmeasure.language.record import LeftOpen
from goodmeasure.theory.algebra.support_patterns import EveryExponent

if TYPE_CHECKING:
    from goodmeasure.language.policy import Undefined

SIDES = {"r > 0": True, "r <= 0": False}


class OpenMeasure(Measure):
    """A family as one measure of which only the sign of the exponent is known.

    Calls with numbers use one sample exponent of that sign: the verifier compares symbolic and numeric values.
    """

    def __init__(self, family: Family, side: str) -> None:
        self.of_family, self.exponents = family.name, side
        self.exponent = EveryExponent(SIDES[side])
        self.sample = family(r=float(self.exponent))
        super().__init__(
            family.build(r=LeftOpen(self.exponent)),
            f"{family.name}({side})",
            orientation=self.sample.orientation,
            classes=self.sample.classes,
            family=self.sample.family,
        )

    def exact(self, *data: object, undefined: Undefined = "resolve", **options: object) -> Exact:
        """Return the exact value for the sample exponent."""
        value: Exact = self.sample.exact(*data, undefined=undefined, **options)
        return value


def with_open_exponent(family: object) -> list[OpenMeasure]:
    """Return the family as two measures: for all positive exponents, and for all other real ones."""
    if not isinstance(family, Family) or list(family.signature.parameters) != ["r"]:
        raise ValueError(f"{family!r} is no family with an exponent r")
    return [OpenMeasure(family, side) for side in SIDES]
