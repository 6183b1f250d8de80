"""Check certificates about chance correction (opitz2024, Property V): that a measure has it, and that it lacks it.

A guess is a matrix x_i·y_j with x_i, y_j ≥ 0, in which some class is true and some class is predicted. Every matrix
a_i b_j / n has this form, and every such matrix is one of these, for sizes that are real numbers.

**Chance correction.** ω is the value of a guess for which the value does not depend on the true sizes. Three things are
checked. On every set of true and predicted classes that the domain admits, ω − M ≥ 0 for all positive real x and y. For
each set of true classes with a guess that has a value, the named guess scores ω for all true sizes, or guesses that
predict one class s times as often as each other class come near it: ω − M ≤ K/s for all real s > 0 and all true sizes.
A matrix in the domain scores more than ω. So ω is the least upper bound of the guesses for all true sizes, and less
than some value.

If all classes occur, the bound may also be shown for x and y with the same total, after checking that the measure does
not change with the scale of the counts. Then x and y are equal, or x is greater in some classes and less in others, by
the same amount in all. Every order of x and y in each class must have its case, in which one class balances all others
that differ.

**No chance correction.** In the first form, a guess scores more than r, and for other true sizes a_i every guess scores
at most r: r − M(a_i·y_j) ≥ 0 for all positive real y, on every set of predicted classes that the domain admits; at
least one of these guesses has a value. (If the certificate says ``shares``, the cells are a_i·y_j/Σy. These are the
guesses for the sizes a_i, and a_i·y_j are all multiples of them.) In the second form, no matrix in the domain scores
more than v, and guesses reach v or come near it: v − M ≤ K/s for all real s > 0, where the guess predicts one class s
times as often as each other class, and K is a number. So ω ≥ v, and no matrix scores more than ω, although the
statement demands one. (The bound on all matrices is shown for whole counts; nothing is concluded from it about
guesses.) (``path`` may say that it predicts the class s + 1 times as often, or (s + m)² − (m − 1) times; both are
positive for all s > 0, and all that counts is that v − M falls below every number.) In the third form, such guesses
score at least log(s)/k for all real s > 0, with a positive whole number k, which exceeds every number.

Variables are real here. They may be split by their order (for x > y, x = y + z with a positive real z), but never by
whether they are 1, and no step may use that counts are whole numbers; only the bound on all matrices may.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import TYPE_CHECKING, TypeVar

from goodmeasure.language.exact.reals import Exact
from goodmeasure.theory.verify.arithmetic import UNDEFINED, FunctionValue, Poly
from goodmeasure.theory.verify.atoms import log
from goodmeasure.theory.verify.formula_readings import Reading, agrees, check_splits, read_soundly
from goodmeasure.theory.verify.signs import check_positive, check_zero, demand
from goodmeasure.theory.verify.stated_values import are_stated, fraction_of
from goodmeasure.theory.verify.views import FunctionView
from goodmeasure.typing import ReadJson

if TYPE_CHECKING:
    from goodmeasure.theory.statements.certificate import CertificateNode
    from goodmeasure.theory.verify.verify import Check

ClassSubset = tuple[int, ...]
_Size = TypeVar("_Size", Poly, int)


def chance_bound(check: Check) -> None:
    """Check that the best guess scores one constant for all true sizes, and that some matrix scores more."""
    reading = check.reading()
    bounds, named, better = _sorted(check.certificate.cases)
    omega, number = _omega(check, reading, named)
    constants = {check.statement.constants[0]: number}
    demand(
        are_stated(check.certificate.constants, constants),
        "the constants are {got}",
        field="constants",
        got=dict(check.certificate.constants),
        expected="{known}",
        known=constants,
    )
    demand(set(bounds) == set(_sets(check)), "the sets of classes are not those that the domain admits")
    has_value: dict[ClassSubset, bool] = {}
    for (a, b), nodes in bounds.items():
        if any(node["by"] == "same total" for node in nodes):
            demand(all((*a, *b)), "totals are compared where all classes occur")
            _check_same_totals(reading, nodes, omega)
            has_value[a] = True
            continue
        _check_branches(nodes, check.m)
        for node in nodes:
            x, y = _sizes(reading, a, b, node.get("splits", []))
            ones = [[p * q for q in b] for p in a]
            defined = _check_bound(check, reading, node, [p * q for p in x for q in y], ones, omega, number)
            has_value[a] = has_value.get(a, False) or defined
    demand(set(named) == {a for a, some in has_value.items() if some}, "a guess that reaches the bound is missing")
    for a, case in named.items():
        if "best" in case:
            check_zero(case["proof"], _value_of_guess(check, reading, a, _guess_of(case)) - omega)
        else:
            demand(all(a), "guesses come near the bound where all classes occur")
            _check_approached(check, reading, case, _sizes(reading, a, (0,) * check.m, [])[0], omega)
    demand(_inside(check, better), "the matrix that scores more is outside the domain")
    more = check.measure.exact(better, undefined=check.undefined)
    demand(more is not UNDEFINED and bool((more - number) * reading.turn > 0), "the matrix does not score more")


def _sorted(
    cases: tuple[CertificateNode, ...],
) -> tuple[dict[tuple[ClassSubset, ClassSubset], list[CertificateNode]], dict[ClassSubset, CertificateNode], ReadJson]:
    """Return the bounds by their sets of classes, the best guesses by their true classes, and the better matrix."""
    bounds: dict[tuple[ClassSubset, ClassSubset], list[CertificateNode]] = {}
    named: dict[ClassSubset, CertificateNode] = {}
    better = None
    for case in cases:
        if "better" in case:
            demand(better is None, "two matrices are said to score more")
            better = case["better"]
        elif "predicted" in case:
            bounds.setdefault((_bits(case["true"]), _bits(case["predicted"])), []).append(case["proof"])
        else:
            demand(_bits(case["true"]) not in named, "two guesses are said to be the best")
            named[_bits(case["true"])] = case
    demand(better is not None, "no matrix is said to score more")
    return bounds, named, better


def _check_same_totals(reading: Reading, nodes: list[CertificateNode], bound: object) -> None:
    """Check a bound for all guesses, by which sizes are greater in the truth and which in the predictions."""
    m = reading.m
    w, f = _sizes(reading, (1,) * m, (1,) * m, [])
    value, scaled = (reading.value([p * q * factor for p in w for q in f]) for factor in (1, w[0]))
    demand(value is not UNDEFINED and scaled is not UNDEFINED, "a guess has no value")
    check_zero({"by": "zero"}, value - scaled)
    orders = {"".join(x) for x in product("<=>", repeat=m) if set(x) == {"="} or {"<", ">"} <= set(x)}
    demand(len(nodes) == len(orders) and {x.get("order") for x in nodes} == orders, "an order of sizes is missing")
    for node in nodes:
        demand(node["by"] == "same total" and not node.get("splits"), "one case of sizes is shown in another way")
        x, y = _with_same_total(node["order"], w, f)
        there = reading.value([p * q for p in x for q in y])
        demand(there is not UNDEFINED, "a guess has no value")
        check_positive(node["proof"], (there - bound) * -1, strict=False, whole=False)


def _with_same_total(order: str, w: list[Poly], f: list[Poly]) -> tuple[list[Poly], list[Poly]]:
    """Return x and y with the same total: w and w plus gaps, where one class has the sum of all other gaps."""
    differ = [k for k, kind in enumerate(order) if kind != "="]
    single = sorted((k for k in differ if order.count(order[k]) == 1), key=lambda k: order[k])
    demand(not differ or bool(single), "several classes differ in either way")
    x, y = list(w), list(w)
    for k in differ:
        side = x if order[k] == ">" else y
        for gap in (k,) if k != single[0] else [j for j in differ if j != k]:
            side[k] = side[k] + f[gap]
    return x, y


def _bits(text: str) -> ClassSubset:
    demand(set(text) <= {"0", "1"}, "{got!r} does not say which classes occur", got=text)
    return tuple(map(int, text))


def _sets(check: Check) -> Iterator[tuple[ClassSubset, ClassSubset]]:
    """Yield which classes occur in the truth and in the predictions, in all ways that the domain admits."""
    for a, b in product(product((0, 1), repeat=check.m), repeat=2):
        if any(a) and any(b) and check.admits([x * y for x in a for y in b]):
            yield a, b


def _sizes(reading: Reading, a: ClassSubset, b: ClassSubset, splits: list[str]) -> tuple[list[Poly], list[Poly]]:
    """Return the variables x_i and y_j of the classes that occur; the first 2m cells of a matrix lend their names."""
    m = reading.m
    found = reading.cells("".join(map(str, (*a, *b))) + "0" * (m * m - 2 * m), splits)
    return found[:m], found[m : 2 * m]


def _check_branches(nodes: list[CertificateNode], m: int) -> None:
    """Demand that the branches of a case are complete, and that none asks whether a real number is 1."""
    splits = [list(x.get("splits", [])) for x in nodes]
    demand(not any(x.endswith(("=1", ">1", "<1")) for y in splits for x in y), "sizes are real numbers")
    check_splits(splits, {f"c{k // m}_{k % m}" for k in range(2 * m)})


def _check_bound(
    check: Check,
    reading: Reading,
    node: CertificateNode,
    cells: list[Poly],
    rows: object,
    bound: object,
    number: object,
) -> bool:
    """Check that the measure is at most a bound on cells in real variables; return whether it has a value there.

    A value without variables is compared by its exact value on one matrix of these cells; so the case must not be
    split, or that matrix might lie in another branch.
    """
    value = reading.value(cells)
    demand((value is UNDEFINED) == (node["by"] == "undefined"), "undefined elsewhere than the certificate says")
    if value is UNDEFINED:
        return False
    if node["by"] == "number":
        demand(not value.letters and not node.get("splits"), "the value is not one number on the whole case")
        known = check.measure.exact(rows, undefined=check.undefined)
        demand(bool((number - known) * reading.turn >= 0), "a guess scores more than the bound")
    else:
        check_positive(node, (value - bound) * -1, strict=False, whole=False)
    return True


def _guess_of(case: CertificateNode) -> ReadJson:
    """Return the guess that a case says is the best; the stored atlas and earlier versions write shares as text."""
    guess = case["best"]
    return _EARLIER.get(guess, guess) if isinstance(guess, str) else guess


_EARLIER = {f"shares {p} {q}": [p, q] for p, q in ((1, 2), (2, 1), (1, 3), (3, 1))}  # all that were ever written


def _predicted(guess: ReadJson, x: list[_Size], one: _Size) -> list[_Size]:
    """Return the shares of a guess: the true sizes, equal (for all or for true classes), given, or one class."""
    if guess == "true":
        return list(x)
    if guess == "even":
        return [one] * len(x)
    if guess == "even among true":
        return [one if size else one * 0 for size in x]
    if isinstance(guess, list) and len(guess) == len(x) and all(type(p) is int and p > 0 for p in guess):
        return [one * p for p in guess]
    known = {f"class {j}": j for j in range(len(x))}
    demand(
        isinstance(guess, str) and guess in known, "{got!r} is no guess that certificates know", field="best", got=guess
    )
    return [one if known[guess] == j else one * 0 for j in range(len(x))]


def _value_of_guess(check: Check, reading: Reading, a: ClassSubset, guess: ReadJson) -> FunctionValue:
    """Return the value of a guess for all true sizes with these classes."""
    x, _ = _sizes(reading, a, (0,) * reading.m, [])
    some = next(p for p in x if not p.is_zero())
    y = _predicted(guess, x, some * 0 + 1)
    demand(
        (a, tuple(int(not p.is_zero()) for p in y)) in set(_sets(check)),
        "the guess {got!r} is outside the domain",
        field="best",
        got=guess,
    )
    value = reading.value([p * q for p in x for q in y])
    demand(value is not UNDEFINED, "the guess {got!r} has no value", field="best", got=guess)
    return value


def _omega(
    check: Check, reading: Reading, named: dict[ClassSubset, CertificateNode]
) -> tuple[FunctionValue | Fraction, Exact | Fraction]:
    """Return ω as a formula without variables (turned so that higher is better), and exactly, in its own sign."""
    demand(bool(named), "no guess is said to be the best")
    reached = sorted(a for a, case in named.items() if "best" in case)
    if not reached:  # then its value is named, and all guesses are shown to come near it
        bound = fraction_of(check.certificate.constants[check.statement.constants[0]])
        return bound * reading.turn, bound
    guess = _guess_of(named[reached[0]])
    value = _value_of_guess(check, reading, reached[0], guess)
    demand(not value.letters, "the best guess does not score one constant")
    rows = [[int(x * y) for y in _predicted(guess, list(reached[0]), 1)] for x in reached[0]]
    return value, check.measure.exact(rows, undefined=check.undefined)


def _inside(check: Check, rows: ReadJson) -> bool:
    """Return whether a matrix of whole numbers lies in the domain."""
    demand(len(rows) == check.m and all(len(row) == check.m for row in rows), "a matrix of another size")
    cells = [x for row in rows for x in row]
    demand(all(isinstance(x, int) and not isinstance(x, bool) and x >= 0 for x in cells), "counts are whole numbers")
    return check.admits([int(x > 0) for x in cells])


def uncorrected(check: Check) -> None:
    """Check that no ω exists: bounds for different true sizes differ, or guesses come near the best value of all."""
    first, *others = check.certificate.cases
    if "unbounded" in first:
        demand(not others, "there is nothing more to show about guesses that score more than any number")
        _check_unbounded(check, first)
        return
    if "nearly always" in first:
        _check_best_of_all(check, others, _approached(check, first))
        return
    value = _reached(check, first["guess"])
    if others and "true sizes" in others[0]:
        _check_apart(check, others[0], others[1:], value)
    else:
        bound = value.as_fraction() if value.is_rational else _as_formula(check, first["guess"])
        _check_best_of_all(check, others, bound)


def _reached(check: Check, guess: ReadJson) -> Exact:
    """Return the exact value of a guess, turned so that higher is better."""
    true, predicted = guess["true"], guess["predicted"]
    for sizes in (true, predicted):
        demand(len(sizes) == check.m and any(sizes), "a guess has true and predicted sizes")
        demand(all(isinstance(x, int) and x >= 0 for x in sizes), "sizes are not negative")
    demand(check.admits([int(x > 0 and y > 0) for x in true for y in predicted]), "the guess is outside the domain")
    rows = [[Fraction(x * y, sum(predicted)) for y in predicted] for x in true]
    value = check.measure.exact(rows, undefined=check.undefined)
    demand(value is not UNDEFINED, "the guess has no value")
    return value * check.reading().turn  # type: ignore[no-any-return]


def _as_formula(check: Check, guess: ReadJson) -> FunctionValue:
    """Return the value of a guess as a formula without variables, which may contain logarithms and roots of numbers."""
    reading, total = check.reading(), sum(guess["predicted"])
    numbers = [[Fraction(x * y, total) for y in guess["predicted"]] for x in guess["true"]]
    rows = [[reading.ring.rational(x) for x in row] for row in numbers]
    value = read_soundly(check.measure, FunctionView(rows, reading.policy, reading.ring))
    point = reading.points.next(reading.ring.names)
    demand(agrees(check.measure, value, numbers, reading.policy, point), "the value of the guess cannot be compared")
    return value * reading.turn


def _check_apart(check: Check, about: CertificateNode, cases: list[CertificateNode], value: Exact) -> None:
    """Check that every guess for some true sizes scores at most a number that the value exceeds."""
    reading, true = check.reading(), about["true sizes"]
    bound = Fraction(about["bound"]) * reading.turn
    demand(bool(value > bound), "the guess does not score more than the bound")
    demand(len(true) == check.m and all(isinstance(x, int) and x >= 0 for x in true), "true sizes are whole numbers")
    a = tuple(int(x > 0) for x in true)
    groups: dict[ClassSubset, list[CertificateNode]] = {}
    for case in cases:
        groups.setdefault(_bits(case["predicted"]), []).append(case["proof"])
    demand(set(groups) == {b for other, b in _sets(check) if other == a}, "a set of predicted classes is missing")
    some = False
    for b, nodes in groups.items():
        _check_branches(nodes, check.m)
        for node in nodes:
            _, y = _sizes(reading, a, b, node.get("splits", []))
            if about.get("shares"):
                some = _check_shares(check, reading, node, true, y, bound) or some
                continue
            cells = [p * size for size in true for p in y]
            ones = [[p * q for q in b] for p in true]
            some = _check_bound(check, reading, node, cells, ones, bound, bound * reading.turn) or some
    demand(some, "no guess has a value for these true sizes")


def _check_shares(
    check: Check, reading: Reading, node: CertificateNode, true: list[int], y: list[Poly], bound: Fraction
) -> bool:
    """Check that the guesses a_i·y_j/Σy score at most a bound; return whether they have a value."""
    ring, total = reading.ring, sum(y[1:], y[0])
    rows = [[reading.of(p * size) / reading.of(total) for p in y] for size in true]
    value = read_soundly(check.measure, FunctionView(rows, reading.policy, ring))
    for _ in range(3):
        point = reading.points.next(ring.names)
        shares = [int(p(*point.values())) for p in y]
        matrix = [[Fraction(size * x, sum(shares)) for x in shares] for size in true]
        agrees(check.measure, value, matrix, reading.policy, point)
    demand((value is UNDEFINED) == (node["by"] == "undefined"), "undefined elsewhere than the certificate says")
    if value is UNDEFINED:
        return False
    # A value without variables is said to be a number; its sign is shown as that of any other value.
    shown = {"by": "coefficients"} if node["by"] == "number" else node
    check_positive(shown, bound - value * reading.turn, strict=False, whole=False)
    return True


def _approached(check: Check, case: CertificateNode) -> Fraction:
    """Return the value that guesses come near, where all classes are equally frequent."""
    reading = check.reading()
    bound = Fraction(case["bound"]) * reading.turn
    s = _sizes(reading, (0,) * check.m, (1,) * check.m, [])[1][0]
    _check_approached(check, reading, case, [s * 0 + 1] * check.m, bound)
    return bound


def _check_approached(check: Check, reading: Reading, case: CertificateNode, x: list[Poly], bound: object) -> None:
    """Check that guesses of nearly always one class come near a bound: its distance is at most K/s for all s > 0."""
    m = check.m
    demand(check.admits([1] * (m * m)), "the guesses are outside the domain")
    demand(case["nearly always"] in range(m) and isinstance(case["factor"], int), "no class, or no factor")
    s = _sizes(reading, (0,) * m, (1,) * m, [])[1][0]
    paths = {"s": s, "s + 1": s + 1, "square": (s + m) ** 2 - (m - 1)}
    demand(case.get("path", "s") in paths, "no path that certificates know")
    often = paths[case.get("path", "s")]
    value = reading.value([p * (often if k == case["nearly always"] else 1) for p in x for k in range(m)])
    demand(value is not UNDEFINED, "the guesses have no value")
    check_positive(case["proof"], (value - bound) * reading.of(s) + case["factor"], strict=False, whole=False)


def _check_unbounded(check: Check, case: CertificateNode) -> None:
    """Check that guesses of nearly always one class score at least log(s)/k, where all classes are equally frequent."""
    m, reading = check.m, check.reading()
    j, rate = case["nearly always"], case["unbounded"]
    demand(check.admits([1] * (m * m)), "the guesses are outside the domain")
    demand(j in range(m) and type(rate) is int and rate > 0, "no class, or no positive rate")
    s = _sizes(reading, (0,) * m, (1,) * m, [])[1][0]
    value = reading.value([s if k == j else s * 0 + 1 for _ in range(m) for k in range(m)])
    demand(value is not UNDEFINED, "the guesses have no value")
    check_positive(case["proof"], value * rate - log(reading.of(s)), strict=False, whole=False)


def _check_best_of_all(check: Check, cases: list[CertificateNode], bound: object) -> None:
    """Check that no matrix in the domain scores more than a bound."""
    m, reading = check.m, check.reading()
    groups: dict[str, list[CertificateNode]] = {}
    for case in cases:
        groups.setdefault(case["support"], []).append(case["proof"])
    wanted = {"".join(map(str, x)) for x in product((0, 1), repeat=m * m) if check.admits(x)}
    demand(set(groups) == wanted, "the supports are not those of the domain")
    for support, nodes in groups.items():
        check_splits([list(x.get("splits", [])) for x in nodes], {f"c{k // m}_{k % m}" for k in range(m * m)})
        for node in nodes:
            value = reading.value(reading.cells(support, node.get("splits", [])))
            demand((value is UNDEFINED) == (node["by"] == "undefined"), "undefined elsewhere than the certificate says")
            if value is not UNDEFINED:
                check_positive(node, (value - bound) * -1, strict=False, whole=True)
