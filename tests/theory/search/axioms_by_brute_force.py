"""Sebastiani's axioms written down from the paper, and examined on every test set with few items.

Nothing here knows supports, polynomials or certificates. A test set is a tuple of true labels, a classifier a tuple of
predicted labels; a measure is asked for its exact value on the table of counts.
"""

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import permutations, product

UNDEFINED = None


def table(true, predicted, m):
    """Return the confusion matrix of two labelings."""
    counts = Counter(zip(true, predicted, strict=True))
    return tuple(tuple(counts[i, j] for j in range(m)) for i in range(m))


def inside(domain, true, predicted, m):
    """Return whether a pair of labelings belongs to a domain."""
    seen = len(set(true)), len(set(predicted))
    return {"all": True, "non-unary": min(seen) > 1, "regular": seen == (m, m)}[domain]


class Measured:
    """The exact values of a measure on labelings, each table asked for once."""

    def __init__(self, measure, m, domain, undefined="resolve"):
        self.m, self.domain = m, domain
        self.lower = measure.orientation == "lower"  # lower values are better

        @cache
        def on(rows):
            value = measure.exact([list(row) for row in rows], undefined=undefined)
            return UNDEFINED if str(value) == "undefined" else value

        self.on = on

    def test_sets(self, most):
        """Yield test sets, up to the order of the items, with the values of all classifiers in the domain."""
        for n in range(1, most + 1):
            for true in product(range(self.m), repeat=n):
                if list(true) != sorted(true):
                    continue
                values = {
                    h: self.on(table(true, h, self.m))
                    for h in product(range(self.m), repeat=n)
                    if inside(self.domain, true, h, self.m)
                }
                if values:
                    yield true, values


def mon(measured, most):
    """Return whether correcting one label raises every value (Axiom 1)."""
    for true, values in measured.test_sets(most):
        for h, value in values.items():
            for k, label in enumerate(h):
                better = (*h[:k], true[k], *h[k + 1 :])
                after = values.get(better)
                if label == true[k] or UNDEFINED in (value, after):
                    continue
                if not (after < value if measured.lower else value < after):
                    return False
    return True


def defined(measured, most):
    """Return whether there is a value for every test set and classifier (Axiom 3)."""
    return all(x is not UNDEFINED for _, values in measured.test_sets(most) for x in values.values())


def defined_together(measured, most):
    """Return whether each test set has a value for all classifiers or for none (Axiom 4)."""
    return all(len({x is UNDEFINED for x in values.values()}) == 1 for _, values in measured.test_sets(most))


def ranges(measured, most):
    """Return the sets of least and of greatest values over the test sets that have values (Axiom 5)."""
    least, greatest = set(), set()
    for _, values in measured.test_sets(most):
        known = [x for x in values.values() if x is not UNDEFINED]
        if known:
            least.add(str(min(known)))
            greatest.add(str(max(known)))
    return least, greatest


def averages(measured, most):
    """Return the set of averages over all classifiers, of the test sets on which all have a value (Axiom 6)."""
    found = set()
    for _, values in measured.test_sets(most):
        if all(x is not UNDEFINED for x in values.values()):
            total = sum(values.values()) * Fraction(1, len(values))
            found.add(str(total))
    return found


def averages_where_defined(measured, most):
    """Return the set of averages over the classifiers that have a value."""
    found = set()
    for _, values in measured.test_sets(most):
        known = [x for x in values.values() if x is not UNDEFINED]
        if known:
            found.add(str(sum(known) * Fraction(1, len(known))))
    return found


def constant_predictions(measured, most):
    """Return the values of each constant prediction on all test sets in which every class occurs (Axiom 7)."""
    found = {j: set() for j in range(measured.m)}
    for true, values in measured.test_sets(most):
        if len(set(true)) == measured.m:
            for j in range(measured.m):
                value = values.get((j,) * len(true))
                if value is not UNDEFINED:
                    found[j].add(str(value))
    return found


def sym(measured, most):
    """Return whether no renaming of the classes changes a value (Axiom 8)."""
    for true, values in measured.test_sets(most):
        for h, value in values.items():
            for p in permutations(range(measured.m)):
                other = measured.on(table([p[x] for x in true], [p[x] for x in h], measured.m))
                if value is not UNDEFINED and other is not UNDEFINED and value != other:
                    return False
    return True
