"""A family of measures read with its exponent left open, so that what is proved holds for every real exponent."""

from __future__ import annotations

from typing import Any

from goodmeasure.catalogue.family import Family
from goodmeasure.catalogue.measure import Measure
from goodmeasure.theory.algebra.support_patterns import EveryExponent

SIDES = {"r > 0": True, "r <= 0": False}


class OpenMeasure(Measure):
    """A measure whose exponent is open but for its sign; numbers are those of one exponent, to compare with."""

    def __init__(self, family: Family, side: str) -> None:
        exponent = EveryExponent(SIDES[side])
        self.sample = family(r=float(exponent))
        super().__init__(
            family.build(r=exponent),
            f"{family.name}({side})",
            orientation=self.sample.orientation,
            classes=self.sample.classes,
            family=self.sample.family,
        )

    def exact(self, *data: Any, **options: Any) -> Any:
        """The exact value for the exponent that is compared with."""
        return self.sample.exact(*data, **options)


def with_open_exponent(family: Any) -> list[OpenMeasure]:
    """The family for all positive exponents, and for all others."""
    if not isinstance(family, Family) or list(family.signature.parameters) != ["r"]:
        raise ValueError(f"{family!r} is no family with an exponent r")
    return [OpenMeasure(family, side) for side in SIDES]


def open_measure(name: str) -> OpenMeasure | None:
    """The measure of a name such as 'generalized_mean(r > 0)'; None where the name is another."""
    from goodmeasure.catalogue.register import entry_of

    family_name, _, side = name.removesuffix(")").partition("(")
    family = entry_of(family_name)
    return OpenMeasure(family, side) if side in SIDES and isinstance(family, Family) else None
