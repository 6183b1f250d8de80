"""Floating point for batches: all classes and all matrices at once, with any library of the array API standard.

The batch is the last axis in memory, and each sum over classes that encloses a term adds an axis on the left; that of
the innermost sum is the leftmost. So values with fewer class axes broadcast against values with more of them without
any reshaping, and sums over classes add up long contiguous rows. The caller passes blocks of matrices that fit into the
processor's cache.

Rules for 0/0 act through masks. ``c.where`` and ``c.ratio`` evaluate both branches on the whole batch, so a rule must
know on which matrices its branch counts: `Run.mask` is the conjunction of all enclosing conditions.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np

from goodmeasure.language.compile.numbers import ROUNDING
from goodmeasure.language.floats.cell_sums import plain
from goodmeasure.language.policy import Policy, UndefinedMeasure
from goodmeasure.language.view import Chosen, ConstantTable, Number, Sizes, Term, View, check_weighted
from goodmeasure.typing import AnyArray, Namespace


@dataclass(slots=True)
class BatchRun:
    """What the views of one evaluation share: the array library, the policy, open sums and open conditions.

    `depth` is the number of sums that are open, `mask` says for which matrices the branch being evaluated counts (None:
    all of them), and `left_out` collects, for each open sum, where a rule leaves a class out.
    """

    xp: Namespace
    policy: Policy
    products_are_exact: bool = False  # whole counts with n² below 2^53
    depth: int = 0
    mask: AnyArray = None
    left_out: list[AnyArray] = field(default_factory=list)

    @property
    def differentiable(self) -> bool:
        """Whether gradients may flow, so that no branch may produce an infinity even if its value is discarded."""
        return bool(self.xp.__name__ != "numpy")

    @contextmanager
    def when(self, condition: object) -> Iterator[None]:
        """Evaluate a branch in which rules act only where every enclosing condition holds."""
        outer = self.mask
        self.mask = condition if outer is None else outer & condition
        try:
            yield
        finally:
            self.mask = outer

    def all_positive(self, values: object) -> bool:
        """Return whether all values are known to be greater than 0; a traced array cannot tell."""
        if type(values) is np.ndarray:  # its method is quicker than the function, which matters for small batches
            return bool(values.min() > 0)
        try:
            return bool(self.xp.min(values) > 0)
        except Exception:  # noqa: BLE001 - each library has its own error for a traced condition
            return False

    def any(self, mask: object) -> bool:
        """Return whether a mask holds anywhere.

        A traced array cannot tell; then the answer is True, and everything is computed.
        """
        if isinstance(mask, bool):
            return mask
        if type(mask) is np.ndarray:
            return bool(mask.any())
        try:
            return bool(self.xp.any(mask))
        except Exception:  # noqa: BLE001 - each library has its own error for a traced condition
            return True


class ArrayView(View[AnyArray, AnyArray]):
    """Arithmetic, choices and rules on arrays; subclasses say how the classes are laid out."""

    run: BatchRun

    @property
    def policy(self) -> Policy:  # type: ignore[override]
        return self.run.policy

    def release(self) -> None:
        """Free what was kept for the formula that has been evaluated."""

    # Arithmetic

    @property
    def pi(self) -> float:
        return math.pi

    def constant(self, number: object) -> AnyArray:
        return float(number) if isinstance(number, Fraction) else number

    def power(self, x: AnyArray, r: AnyArray) -> AnyArray:
        x, xp = plain(x), self.run.xp
        whole = r == int(r)
        bad = (x < 0) if not whole else False
        if r < 0:
            bad = bad | (x == 0)
        if isinstance(x, (int, float)):
            return self._fill(True, None) if bad else float(x) ** float(r)
        if isinstance(bad, bool):
            return x ** float(r)
        return self._mended(bad, lambda safe: safe ** float(r), x, xp)

    def sqrt(self, x: AnyArray) -> AnyArray:
        x, xp = plain(x), self.run.xp
        if isinstance(x, (int, float)):
            return math.sqrt(x) if x >= 0 else self._fill(True, None)
        if not self.run.differentiable:
            bad = x < 0
            if not bad.any():
                return xp.sqrt(x)
            return self._mended(x < -ROUNDING, xp.sqrt, xp.where(bad & (x >= -ROUNDING), 0.0, x), xp)
        # The derivative of the root is infinite at 0. Multiplied by the zero gradient of a discarded branch it would
        # give NaN, so the root is taken of 1 there, and the result replaced by a constant 0 (see `_mended`).
        flat = (x <= 0) & (x >= -ROUNDING)
        root = self._mended(x < -ROUNDING, xp.sqrt, xp.where(flat, xp.ones_like(x), x), xp)
        return xp.where(flat, xp.zeros_like(x), root)

    def log(self, x: AnyArray) -> AnyArray:
        x, xp = plain(x), self.run.xp
        if isinstance(x, (int, float)):
            return math.log(x) if x > 0 else self._fill(True, None)
        return self._mended(x <= 0, xp.log, x, xp)

    def _mended(self, bad: AnyArray, function: Callable[[AnyArray], AnyArray], x: AnyArray, xp: Namespace) -> AnyArray:
        """Return function(x), with what the policy says where x is `bad`.

        The argument is replaced by 1 before the function is applied, and the result afterwards. Replacing the result
        alone would give the right values but not the right gradients: backpropagation multiplies the zero gradient of
        the discarded value by the infinite derivative at the bad argument, and 0·∞ is NaN. With this double ``where``
        the function is never evaluated at a bad argument.
        """
        if not self.run.any(bad):
            return function(x)
        value = function(xp.where(bad, xp.ones_like(x), x))
        acting = bad if self.run.mask is None else bad & self.run.mask
        return xp.where(bad, self._fill(acting, None), value)

    def xlogy(self, x: AnyArray, y: AnyArray, above: Callable[[], AnyArray] | None = None) -> AnyArray:
        x, xp = plain(x), self.run.xp
        some = x != 0
        with self.run.when(some):
            y = plain(y() if callable(y) else y)
            more = None if above is None or self.run.differentiable else plain(above())
        found = self.log(xp.where(some, y, 1.0))
        if more is not None:  # log1p of y − 1 keeps the digits that y, being close to 1, has lost
            near = some & (y > 0.5) & (y < 2)
            found = xp.where(near, xp.log1p(xp.where(near, more, 0.0)), found)
        return x * found

    def arccos(self, x: AnyArray) -> AnyArray:
        x, xp = plain(x), self.run.xp
        if isinstance(x, (int, float)):
            return math.acos(max(-1.0, min(1.0, x))) if abs(x) <= 1 + ROUNDING else self._fill(True, None)
        if not self.run.differentiable:
            return self._mended(xp.abs(x) > 1 + ROUNDING, lambda y: xp.acos(xp.clip(y, -1.0, 1.0)), x, xp)
        # The derivative is infinite at both ends: the value there is a constant, with derivative 0.
        end = (x >= 1) | (x <= -1)
        inside = xp.acos(xp.where(end, xp.zeros_like(x), x))
        return xp.where(end, xp.where(x >= 1, xp.zeros_like(x), xp.full_like(x, math.pi)), inside)

    def exp(self, x: AnyArray) -> AnyArray:
        x = plain(x)
        return math.exp(x) if isinstance(x, (int, float)) else self.run.xp.exp(x)

    def log1p(self, x: AnyArray) -> AnyArray:
        x, xp = plain(x), self.run.xp
        if isinstance(x, (int, float)):
            return math.log1p(x) if x > -1 else self._fill(True, None)
        return self._mended(x <= -1, xp.log1p, x, xp)

    def arcsin(self, x: AnyArray) -> AnyArray:
        x, xp = plain(x), self.run.xp
        if isinstance(x, (int, float)):
            return math.asin(max(-1.0, min(1.0, x))) if abs(x) <= 1 + ROUNDING else self._fill(True, None)
        if not self.run.differentiable:
            return self._mended(xp.abs(x) > 1 + ROUNDING, lambda y: xp.asin(xp.clip(y, -1.0, 1.0)), x, xp)
        end = (x >= 1) | (x <= -1)  # a constant with derivative 0, as for the arc cosine
        inside = xp.asin(xp.where(end, xp.zeros_like(x), x))
        return xp.where(end, xp.where(x >= 1, xp.full_like(x, math.pi / 2), xp.full_like(x, -math.pi / 2)), inside)

    def min(self, *values: AnyArray) -> AnyArray:
        return self._extreme(values, "minimum", min)

    def max(self, *values: AnyArray) -> AnyArray:
        return self._extreme(values, "maximum", max)

    def _extreme(self, values: tuple[AnyArray, ...], name: str, of_numbers: Callable[..., object]) -> AnyArray:
        best, *others = (plain(x) for x in values)
        for x in others:
            if isinstance(best, (int, float)) and isinstance(x, (int, float)):
                best = of_numbers(best, x)
            else:
                best = getattr(self.run.xp, name)(*self._as_arrays(best, x))
        return best

    def _as_arrays(self, *values: object) -> list[AnyArray]:
        """Return values as arrays of one kind; at least one of them must be an array already."""
        kind = next(x for x in values if not isinstance(x, (int, float)))
        return [x if not isinstance(x, (int, float)) else self.run.xp.full_like(kind, float(x)) for x in values]

    # Choices

    def where(self, condition: AnyArray, x: AnyArray, y: AnyArray) -> AnyArray:
        if isinstance(condition, bool):
            chosen = x if condition else y
            chosen = chosen() if callable(chosen) else chosen
            return self._left_out(True if self.run.mask is None else self.run.mask) if chosen is self.skip else chosen
        run = self.run
        here = condition if run.mask is None else condition & run.mask
        there = ~condition if run.mask is None else ~condition & run.mask
        if callable(x) and not run.any(here):
            return self._branch(y, there)
        if callable(y) and not run.any(there):
            return self._branch(x, here)
        if callable(x):
            with run.when(condition):
                x = x()
        if callable(y):
            with run.when(~condition):
                y = y()
        x, y = self._branch(x, here), self._branch(y, there)
        x, y = plain(x), plain(y)
        if isinstance(x, (int, float)) and isinstance(y, (int, float)):
            return run.xp.where(condition, run.xp.asarray(float(x)), run.xp.asarray(float(y)))
        return run.xp.where(condition, *self._as_arrays(x, y))

    def _branch(self, chosen: AnyArray, acting: AnyArray) -> AnyArray:
        """Return the value of a branch that counts where `acting` holds, or what stands for a class left out there."""
        value = chosen() if callable(chosen) else chosen
        if value is not self.skip:
            return value
        return self._left_out(acting) if self.run.any(acting) else math.nan

    def ratio(self, x: AnyArray, y: AnyArray, otherwise: object = None) -> AnyArray:
        x, y, run = plain(x), plain(y), self.run
        if isinstance(y, (int, float)):
            if y != 0:
                return x / y
            acting = True if run.mask is None else run.mask
            return self._fill(acting, otherwise) if run.any(acting) else math.nan
        zero = y == 0
        if not run.any(zero):
            return x / y
        value = x / run.xp.where(zero, run.xp.ones_like(y), y)  # a double where, as in `_mended`
        acting = zero if run.mask is None else zero & run.mask
        if not run.any(acting):
            return value
        return run.xp.where(zero, plain(self._fill(acting, otherwise)), value)

    def _fill(self, acting: object, otherwise: object) -> AnyArray:
        """Return what stands in place of a term without a value, under the policy in force.

        `acting` says where the term both lacks a value and counts; "raise" and ``c.skip`` depend on it.
        """
        run = self.run
        if run.policy.name == "raise" and run.any(acting):
            raise UndefinedMeasure("a term of the formula is undefined")
        if run.policy.name == "number":
            return float(run.policy.number)
        if not run.policy.resolves or otherwise is None:
            return math.nan
        if otherwise is self.skip:
            return self._left_out(acting)
        if callable(otherwise):
            with run.when(acting):
                value = otherwise()
            return self._left_out(acting) if value is self.skip else value
        return self.constant(otherwise)

    def _left_out(self, acting: AnyArray) -> float:
        """Leave a class out of the innermost open sum where `acting` holds; return what stands in place of its term."""
        open_sums = self.run.left_out
        if not open_sums:
            return math.nan
        out, before = self._everywhere() if isinstance(acting, bool) else acting, open_sums[-1]
        open_sums[-1] = out if before is None else before | out
        return 1.0  # a NaN would spoil the gradient, although it is left out of the sum

    def _everywhere(self) -> AnyArray:
        """Return a mask that holds for every matrix; unlike True, it can be negated and combined with other masks."""
        n = self.run.xp.asarray(plain(self.n))
        return (n == n) | (n != n)

    def undefined(self) -> AnyArray:
        return self._fill(True if self.run.mask is None else self.run.mask, None)

    def occurs(self, i: object) -> AnyArray:
        if not self.policy.resolves or self._all_occur():
            return True
        return self.a[i] + self.b[i] > 0

    @abstractmethod
    def _all_occur(self) -> bool:
        """Return whether every class of every matrix is known to occur; the test is cheap and may miss cases."""

    # Over classes: a subclass evaluates the terms, and says with a mask which of them count (None: all of them)

    @abstractmethod
    def _terms(self, term: Term[AnyArray, AnyArray], over: Chosen[AnyArray] | None) -> tuple[AnyArray, AnyArray]:
        """Return the terms with a leading class axis, and a mask of those that count; None if all of them do."""

    def product(self, term: Term[AnyArray, AnyArray], over: Chosen[AnyArray] | None = None) -> AnyArray:
        terms, counts = self._terms(term, over)
        xp = self.run.xp
        return xp.prod(terms if counts is None else xp.where(counts, terms, 1.0), axis=0)

    def least(self, term: Term[AnyArray, AnyArray], over: Chosen[AnyArray] | None = None) -> AnyArray:
        return self._end(*self._terms(term, over), -math.inf)

    def greatest(self, term: Term[AnyArray, AnyArray], over: Chosen[AnyArray] | None = None) -> AnyArray:
        return self._end(*self._terms(term, over), math.inf)

    def _end(self, terms: object, counts: object, p: float) -> AnyArray:
        """Return the largest (p = ∞) or smallest (p = −∞) of the terms that count."""
        xp = self.run.xp
        end = xp.max if p > 0 else xp.min
        if counts is None:
            return end(terms, axis=0)
        value = end(xp.where(counts, terms, -p), axis=0)
        none = ~xp.any(counts, axis=0)
        if not self.run.any(none):
            return value
        acting = none if self.run.mask is None else none & self.run.mask
        return xp.where(none, self._fill(acting, None), value)

    def mean(
        self,
        term: Term[AnyArray, AnyArray],
        p: object = 1,
        over: Chosen[AnyArray] | None = None,
        undefined: object = None,
        weights: Sizes[AnyArray, AnyArray] | None = None,
    ) -> AnyArray:
        if undefined is not None and self.policy.resolves:
            term = self._with_rule(term, undefined)
        if weights is None:
            return self._mean_of(*self._terms(term, over), p)
        check_weighted(p, over)
        sizes = self._terms(lambda i: weights[i], None)[0]
        within = None if self.run.all_positive(sizes) else lambda i: weights[i] > 0
        return self._weighted(*self._terms(term, within), sizes)

    def _with_rule(self, term: Term[AnyArray, AnyArray], rule: object) -> Term:
        """Return the term of a mean, extended by a rule for the classes and matrices on which it is undefined."""

        def ruled(i: object) -> AnyArray:
            value, run = plain(term(i)), self.run
            gone = value != value if isinstance(value, (int, float)) else run.xp.isnan(value)
            if not run.any(gone):
                return value
            acting = gone if run.mask is None else gone & run.mask
            with run.when(gone):
                chosen = rule(i) if callable(rule) else rule
            return self.where(gone, self._fill(acting, chosen) if chosen is self.skip else chosen, value)

        return ruled

    def _weighted(self, terms: AnyArray, counts: object, weights: AnyArray) -> AnyArray:
        """Return the weighted mean of the terms that count."""
        xp = self.run.xp
        if counts is None:
            return self.ratio(xp.sum(weights * terms, axis=0), plain(self.n))
        nothing = xp.zeros_like(terms)
        kept = xp.where(counts, weights, xp.zeros_like(weights))
        return self.ratio(xp.sum(kept * xp.where(counts, terms, nothing), axis=0), xp.sum(kept, axis=0))

    def _mean_of(self, terms: AnyArray, counts: AnyArray, p: AnyArray) -> AnyArray:
        if math.isinf(p):
            return self._end(terms, counts, p)
        if p == 1:
            return self._average(terms, counts)
        return self._power_mean(terms, counts, p)

    def _average(self, terms: AnyArray, counts: AnyArray) -> AnyArray:
        """Return the arithmetic mean of the terms that count."""
        xp = self.run.xp
        if counts is None:
            return xp.sum(terms, axis=0) / terms.shape[0]
        kept = xp.where(counts, terms, xp.zeros_like(terms))
        number = xp.sum(xp.astype(counts, terms.dtype), axis=0)
        return self.ratio(xp.sum(kept, axis=0), number)

    def power_mean(self, values: Sequence[AnyArray], p: object) -> AnyArray:
        arrays = [plain(x) for x in values]
        if all(isinstance(x, (int, float)) for x in arrays):
            arrays = [self.run.xp.asarray(float(x)) for x in arrays]
        terms = self.run.xp.stack(self.run.xp.broadcast_arrays(*self._as_arrays(*arrays)))
        return self._mean_of(terms, None, p)

    def _power_mean(self, terms: AnyArray, counts: AnyArray, p: float) -> AnyArray:
        """Return the power mean of the terms that count.

        It is NaN if one of them is NaN, 0 if one is 0 and p ≤ 0, and undefined if one is negative.
        """
        xp = self.run.xp
        zero, negative = terms == 0, terms < 0
        if counts is not None:
            zero, negative = zero & counts, negative & counts
        safe = xp.where(terms > 0, terms, xp.ones_like(terms))
        value = xp.exp(self._average(xp.log(safe), counts)) if p == 0 else self._middle(safe, zero, counts, float(p))
        spoilt = xp.any(xp.isnan(terms) if counts is None else xp.isnan(terms) & counts, axis=0)
        if self.run.any(spoilt):
            value = xp.where(spoilt, xp.full_like(value, math.nan), value)
        if p <= 0 and self.run.any(zero):
            value = xp.where(xp.any(zero, axis=0) & ~spoilt, xp.zeros_like(value), value)
        below = xp.any(negative, axis=0)
        if not self.run.any(below):
            return value
        acting = below if self.run.mask is None else below & self.run.mask
        return xp.where(below, self._fill(acting, None), value)

    def _middle(self, safe: object, zero: object, counts: object, p: float) -> AnyArray:
        """Return the power mean of positive terms for a finite p other than 0 and 1, as `compile/numbers.py` does.

        `safe` has 1 in place of zeros and of negative terms; a zero contributes −1 = expm1(−∞) if p > 0.
        """
        xp = self.run.xp
        far = xp.full_like(safe, -math.inf if p > 0 else math.inf)
        among = safe if counts is None else xp.where(counts, safe, far)
        if p > 0:  # the 1 that `safe` has for a zero must not become the scale
            among = xp.where(zero, far, among)
        scale = xp.max(among, axis=0) if p > 0 else xp.min(among, axis=0)
        scale = xp.where(xp.isfinite(scale), scale, xp.ones_like(scale))
        bent = xp.expm1(p * xp.log(safe / scale))
        if p > 0:
            bent = xp.where(zero, xp.full_like(bent, -1.0), bent)
        mean = self._average(bent, counts)
        nothing = mean <= -1  # every value is zero
        value = scale * xp.exp(xp.log1p(xp.where(nothing, xp.zeros_like(mean), mean)) / p)
        return xp.where(nothing, xp.zeros_like(value), value)


def fixed_table(view: ArrayView, known: list[list[Number]]) -> ConstantTable[AnyArray, AnyArray]:
    """Return a table of constants for a view whose classes are visited one by one."""
    return ConstantTable(lambda i, j: view.constant(known[i][j]))
