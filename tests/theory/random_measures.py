"""Random measures for two classes, written in the language of c: rational functions, roots, rules and choices."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

CELLS = ("tp", "fn", "fp", "tn")


def linear() -> Any:
    """Small combinations of the cells, often with all weights the same sign."""
    return st.tuples(st.just("linear"), st.tuples(*(st.integers(-1, 2) for _ in CELLS)), st.sampled_from((0, 0, 0, 1)))


def positive() -> Any:
    return st.tuples(st.just("linear"), st.tuples(*(st.integers(0, 2) for _ in CELLS)), st.sampled_from((0, 0, 1)))


def quotients(above: Any, below: Any) -> Any:
    return st.tuples(st.just("ratio"), above, below, st.sampled_from((None, 0, 1)))


def expressions() -> Any:
    """What a measure may say."""
    product = st.tuples(st.just("times"), linear(), linear())
    positive_product = st.tuples(st.just("times"), positive(), positive())
    simple = st.one_of(
        quotients(linear(), positive()),
        quotients(product, positive_product),
        quotients(product, st.tuples(st.just("plus"), positive_product, positive_product)),
        quotients(linear(), st.tuples(st.just("sqrt"), positive_product)),
        st.tuples(st.just("sqrt"), quotients(positive(), positive())),
    )
    return st.one_of(
        simple,
        simple,
        st.tuples(st.just("plus"), simple, simple),
        st.tuples(st.just("where"), linear(), simple, simple),
        st.tuples(st.just("max"), simple, simple),
    )


def evaluated(c: Any, e: Any) -> Any:
    """An expression on a view."""
    kind = e[0]
    if kind == "linear":
        return sum((w * getattr(c, name) for w, name in zip(e[1], CELLS, strict=True)), 0) + e[2]
    if kind == "ratio":
        return c.ratio(evaluated(c, e[1]), evaluated(c, e[2]), otherwise=e[3])
    if kind == "times":
        return evaluated(c, e[1]) * evaluated(c, e[2])
    if kind == "plus":
        return evaluated(c, e[1]) + evaluated(c, e[2])
    if kind == "sqrt":
        return c.sqrt(evaluated(c, e[1]))
    if kind == "max":
        return c.max(evaluated(c, e[1]), evaluated(c, e[2]))
    return c.where(evaluated(c, e[1]) > 0, lambda: evaluated(c, e[2]), lambda: evaluated(c, e[3]))


def random_measure(e: Any) -> Any:
    """The measure that an expression says."""

    def measure(c: Any) -> Any:
        return evaluated(c, e)

    return measure
