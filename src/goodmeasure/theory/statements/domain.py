"""Domains: the sets of confusion matrices that statements speak of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from goodmeasure.typing import Array


@dataclass(frozen=True)
class Domain:
    """A set of confusion matrices that depends only on which classes occur in the two labelings."""

    name: str
    sentence: str

    def holds(self, matrices: Array) -> Array:
        """Return which matrices of a batch (…, m, m) lie in the domain; a matrix without items lies in none."""
        rows, columns = matrices.shape[-2:]  # adding up slices takes a tenth of the time of a sum over a short axis
        a, b = sum(matrices[..., j] for j in range(columns)), sum(matrices[..., i, :] for i in range(rows))
        return self.admits(a, b)  # type: ignore[arg-type] # sums of arrays are arrays

    def admits(self, a: Array, b: Array) -> Array:
        """Return whether matrices with true class sizes a and predicted class sizes b (…, m) lie in the domain."""
        inside: Array = sum(a[..., i] for i in range(a.shape[-1])) > 0  # type: ignore[assignment] # an array
        if self.name == "regular":
            inside = inside & (a > 0).all(axis=-1) & (b > 0).all(axis=-1)
        elif self.name == "non-unary":
            inside = inside & ((a > 0).sum(axis=-1) > 1) & ((b > 0).sum(axis=-1) > 1)
        return inside

    def admits_classes(self, true: Sequence[object], predicted: Sequence[object]) -> bool:
        """Return whether matrices lie in the domain in whose labelings just these classes occur."""
        if not any(true):
            return False
        if self.name == "regular":
            return all(true) and all(predicted)
        return self.name == "all" or (sum(map(bool, true)) > 1 and sum(map(bool, predicted)) > 1)

    def holds_pattern(self, support: tuple[tuple[int, ...], ...]) -> bool:
        """Return whether the matrices with this support lie in the domain.

        The support, which cells are positive, decides which classes occur. So every domain is a union of supports.
        """
        return self.admits_classes(list(map(any, support)), list(map(any, zip(*support, strict=True))))

    def __str__(self) -> str:
        return self.name


ALL = Domain("all", "every matrix with at least one item")
NON_UNARY = Domain("non-unary", "neither labeling is constant")
REGULAR = Domain("regular", "every class occurs in both labelings")
DOMAINS = {x.name: x for x in (ALL, NON_UNARY, REGULAR)}


DomainLike: TypeAlias = str | Domain
"""A domain by its name, or itself."""


def domain_of(domain: object) -> Domain:
    """Return the domain that the argument ``domain=`` names.

    >>> domain_of("regular").sentence
    'every class occurs in both labelings'
    """
    if isinstance(domain, Domain):
        return domain
    found = DOMAINS.get(str(domain).replace("_", "-").lower())
    if found is None:
        from goodmeasure.exceptions import InputError

        raise InputError("{domain} is {got!r}", got=domain, advice='use "all", "non-unary" or "regular"')
    return found
