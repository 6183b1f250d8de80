"""Checking certificates about random predictions, distances, ranges and definedness."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import TYPE_CHECKING, Any

from goodmeasure.algebra.orthant import Orthant, Outside
from goodmeasure.algebra.quantities import constant
from goodmeasure.algebra.reals import UNDEFINED
from goodmeasure.algebra.slopes import at, derivative
from goodmeasure.properties import statements as kinds
from goodmeasure.properties.verify_readings import Reading
from goodmeasure.properties.verify_signs import CertificateError, angle, check_positive, check_zero, demand

if TYPE_CHECKING:
    from goodmeasure.properties.verify import Check

Classes = tuple[int, ...]


def _text(bits: Any) -> str:
    return "".join(map(str, bits))


def _block(a: Classes, b: Classes) -> str:
    return _text(int(x and y) for x in a for y in b)


def _classes(check: Check) -> Iterator[tuple[Classes, Classes]]:
    """Which classes occur in both labelings, in all ways that the statement and the domain admit."""
    s, m = check.statement, check.m
    for a, b in product(product((0, 1), repeat=m), repeat=2):
        few = sum(a) < (1 if s.unary_truth else 2) or sum(b) < (1 if s.unary_predictions else 2)
        if not few and check.admits([int(x) for x in _block(a, b)]):
            yield a, b


def _within(whole: str, a: Classes, b: Classes | None) -> Iterator[str]:
    """The supports inside a block in which exactly these classes occur (any predicted ones where b is None)."""
    m = len(a)
    for bits in product(*((0, 1) if x == "1" else (0,) for x in whole)):
        true = tuple(int(any(bits[i * m : (i + 1) * m])) for i in range(m))
        predicted = tuple(int(any(bits[j::m])) for j in range(m))
        if true == a and b in (None, predicted):
            yield _text(bits)


def _cases(check: Check, expected: set[tuple[str, ...]], *fields: str) -> dict[tuple[str, ...], Any]:
    found = {tuple(case.get(x) for x in fields): case["proof"] for case in check.certificate.cases}
    demand(len(found) == len(check.certificate.cases), "a case is given twice")
    missing = expected - set(found)
    demand(not missing, f"the case {min(missing, default=())} is missing")
    demand(set(found) == expected, "there are cases that the statement does not ask for")
    return found


def _product_cells(reading: Reading, a: Classes, b: Classes) -> list[Any]:
    m, none = reading.m, reading.ring.constant(0)
    x, y = reading.gens[m * m : m * m + m], reading.gens[m * m + m :]
    return [x[i] * y[j] if a[i] and b[j] else none for i in range(m) for j in range(m)]


def _same_constant(values: list[Any]) -> None:
    demand(bool(values), "there is nothing that the statement speaks of")
    demand(not any(name in str(values[0]) for name in values[0].orthant.names), "the value is not constant")
    demand(all(not (x - values[0]).num for x in values), "the value is not the same everywhere")


def independent(check: Check) -> None:
    """One constant wherever labelings are independent: cells x_i·y_j are all of them."""
    demand(not check.statement.across_m, "one number of classes shows nothing about the others")
    reading = check.reading(_names(check.m))
    sets = list(_classes(check))
    found = _cases(check, {(_text(a), _text(b)) for a, b in sets}, "true", "predicted")
    values = []
    for a, b in sets:
        value = reading.value(_product_cells(reading, a, b))
        node = found[_text(a), _text(b)]
        demand((value is UNDEFINED) == (node["by"] == "undefined"), "undefined elsewhere than the certificate says")
        if value is not UNDEFINED:
            values.append(value)
    _same_constant(values)
    check.constants_are({check.statement.constants[0]: [[1] * check.m] * check.m})


def _names(m: int) -> tuple[str, ...]:
    return tuple(f"x{i}" for i in range(m)) + tuple(f"y{i}" for i in range(m))


def expectation(check: Check) -> None:
    """The measure is affine in the cells for given class sizes, so its mean is its value on the mean matrix."""
    m, s = check.m, check.statement
    reading = check.reading(_names(m))
    if s.uniform:
        demand(check.domain.name == "all", "the mean runs over matrices outside the domain")
        sets: list[tuple[Classes, Any]] = [(a, None) for a in product((0, 1), repeat=m) if any(a)]
    else:
        sets = list(_classes(check))
    found = _cases(check, {(_text(a), _text(b) if b else "*" * m) for a, b in sets}, "true", "predicted")
    values = []
    for a, b in sets:
        node = found[_text(a), _text(b) if b else "*" * m]
        whole = _block(a, b or (1,) * m)
        supports = list(_within(whole, a, b))
        if node["by"] == "undefined":
            for support in supports:
                value = reading.value(reading.cells(support, []))
                demand(value is UNDEFINED, f"the measure is defined on {support}")
            continue
        demand(node["by"] == "affine", f"{node['by']!r} proves nothing about averages")
        _check_affine(reading, whole, supports, _directions(a, b), partly=not s.uniform)
        x = reading.gens[m * m : m * m + m]
        mean = _product_cells(reading, a, b) if b else [x[i] * a[i] for i in range(m) for _ in range(m)]
        values.append(reading.value(mean))
        demand(values[-1] is not UNDEFINED, "the measure is undefined on a mean matrix")
    _same_constant(values)
    check.constants_are({s.constants[0]: [[1] * m] * m})


def _directions(a: Classes, b: Classes | None) -> list[dict[int, int]]:
    """Changes that span those which keep the true (and, where given, the predicted) class sizes."""
    m = len(a)
    true = [i for i in range(m) if a[i]]
    if b is None:
        return [{i * m: -1, i * m + j: 1} for i in true for j in range(1, m)]
    first, *others = [j for j in range(m) if b[j]]
    top = true[0]
    return [
        {top * m + first: 1, top * m + j: -1, i * m + first: -1, i * m + j: 1} for i in true[1:] for j in others
    ]


def _check_affine(reading: Reading, whole: str, supports: list[str], directions: Any, *, partly: bool) -> None:
    value = reading.value(reading.cells(whole, []))
    demand(value is not UNDEFINED, f"the measure is undefined on {whole}")
    for k, first in enumerate(directions):
        slope = derivative(value, first)
        reading.slope_agrees(value, slope, first)
        for second in directions[k:]:
            demand(not derivative(slope, second).num, "the measure is not affine in the cells")
    for support in supports:
        _check_formula(reading, value, whole, support, partly=partly)


def _check_formula(reading: Reading, value: Any, whole: str, support: str, *, partly: bool = False) -> None:
    """The formula of a whole block holds on a support inside it; where ``partly``, or the measure is undefined."""
    if support == whole:
        return
    none = reading.ring.constant(0)
    seen = reading.value(reading.cells(support, []))
    if seen is UNDEFINED and partly:
        return
    there = at(value, {k: none for k in range(len(whole)) if whole[k] == "1" and support[k] == "0"})
    demand(seen is not UNDEFINED and there is not None, f"another rule acts on {support}")
    demand(not (there - seen).num, f"another formula holds on {support}")


def flatness(check: Check) -> None:
    """The value and its derivatives by the number of agreements, where two labelings are independent."""
    order = check.statement.order or 1
    reading = check.reading(_names(2))
    _cases(check, {(k,) for k in (0, *range(2, order + 1))}, "order")  # type: ignore[arg-type]
    cells = _product_cells(reading, (1, 1), (1, 1))
    value, base = reading.value(reading.cells("1111", [])), reading.value(cells)
    demand(value is not UNDEFINED and base is not UNDEFINED, "the measure is undefined")
    _same_constant([base])
    direction = {0: 1, 1: -1, 2: -1, 3: 1}
    for k in range(1, order + 1):
        slope = derivative(value, direction)
        reading.slope_agrees(value, slope, direction)
        value = slope
        there = at(value, dict(enumerate(cells))) if k > 1 else None
        demand(k == 1 or (there is not None and not there.num), f"the derivative of order {k} does not vanish")
    check.constants_are({check.statement.constants[0]: [[1, 1], [1, 1]]})


def smooth(check: Check) -> None:
    """On each test set one formula, without zeros below or under roots, holds up to the rim."""
    demand(check.domain.name == "all", "the rim of the test sets lies outside the domain")
    reading = check.reading(_names(2))
    _cases(check, {("11",), ("01",), ("10",)}, "true")
    for a in ((1, 1), (0, 1), (1, 0)):
        whole = _block(a, (1, 1))
        value = reading.value(reading.cells(whole, []))
        demand(value is not UNDEFINED, f"the measure is undefined on {whole}")
        keys = [key for part in (value.num, value.den) for key in part]
        demand(all(len(key) == 1 for key in keys), "the measure is no quotient of polynomials and roots")
        for support in _within(whole, a, None):
            _check_formula(reading, value, whole, support)
            rim = [0 * g if k < 4 and support[k] == "0" else g for k, g in enumerate(reading.gens)]
            for key in keys:
                under = reading.ring.roots[key[0]].compose(*rim)
                demand(under != 0 and all(c > 0 for c in under.coeffs()), "a root vanishes at the rim")


def defined(check: Check) -> None:
    """Which supports the measure has a value on."""
    together = check.statement.kind == kinds.DEFINED_TOGETHER
    m, reading, known = check.m, check.reading(_names(check.m)), dict[Any, bool]()
    expected = {(_text(x),) for x in product((0, 1), repeat=m * m) if check.admits(x)}
    for (support,), cases in check.grouped(expected, lambda x: (x["support"],)).items():
        test = tuple("1" in support[i * m : (i + 1) * m] for i in range(m)) if together else None
        for case in cases:
            value = reading.value(reading.cells(support, case["proof"].get("splits", [])))
            has = value is not UNDEFINED
            demand(known.setdefault(test, has if together else True) == has, f"undefined on {support}")


def bounded(check: Check) -> None:
    """Two bounds that hold everywhere and are reached on every test set."""
    m, reading = check.m, check.reading(_names(check.m))
    supports = [_text(x) for x in product((0, 1), repeat=m * m) if check.admits(x)]
    groups = check.grouped({(x, y) for x in ("alpha", "beta") for y in supports}, lambda x: (x["bound"], x["support"]))
    places = {}
    for name, where, sense in (("alpha", kinds.ZERO_DIAGONAL, -1), ("beta", kinds.DIAGONAL, 1)):
        special = [x for x in supports if check._special(x, where)]
        tests = [{_text(int("1" in x[i * m : (i + 1) * m]) for i in range(m)) for x in y} for y in (special, supports)]
        demand(tests[0] == tests[1], "a test set has no prediction of that kind in the domain")
        bound = check.constant(reading, {(x,) for x in special})
        places[name] = [[int(x) for x in special[0][i * m : (i + 1) * m]] for i in range(m)]
        for support in supports:
            for case in groups[name, support]:
                value = reading.value(reading.cells(support, case["proof"].get("splits", [])))
                if support in special:
                    demand(value is not UNDEFINED, f"undefined on {support}")
                    check_zero(case["proof"], value - bound)
                elif not check._skipped(case["proof"], value):
                    check.beyond(case["proof"], value, bound, sense, strict=False)
    check.constants_are(places)


def trivial(check: Check) -> None:
    """The two constant predictions."""
    reading = check.reading(_names(2))
    places = {"k_1": "0101", "k_2": "1010"}
    _cases(check, {(x,) for x in places.values()}, "support")
    for support in places.values():
        demand(check.admits([int(x) for x in support]), "constant predictions lie outside the domain")
        check.constant(reading, {(support,)})
    check.constants_are({name: [[int(x) for x in s[:2]], [int(x) for x in s[2:]]] for name, s in places.items()})


def indifferent(check: Check) -> None:
    """An item more counts the same in all cells on the diagonal, and in all others."""
    m, reading = check.m, check.reading(_names(check.m))
    on = [(i, i) for i in range(m)]
    off = [(i, j) for i, j in product(range(m), repeat=2) if i != j]
    expected = set()
    for first, second in [*zip(on, on[1:], strict=False), *zip(off, off[1:], strict=False)]:
        for support in product((0, 1), repeat=m * m):
            ends = [[1 if k == i * m + j else x for k, x in enumerate(support)] for i, j in (first, second)]
            if all(check.admits(x) for x in ends):
                expected.add(((first, second), _text(support)))
    key = lambda x: (tuple(tuple(y) for y in x["cells"]), x["support"])  # noqa: E731
    for (two, support), cases in check.grouped(expected, key).items():
        for case in cases:
            values = []
            for i, j in two:
                cells = reading.cells(support, case["proof"].get("splits", []))
                cells[i * m + j] = cells[i * m + j] + 1
                values.append(reading.value(cells))
            if not check._skipped(case["proof"], *values):
                check_zero(case["proof"], values[0] - values[1])


def distance(check: Check) -> None:
    """Symmetry, maximal agreement, and the triangle inequality over the joint cells of three labelings."""
    from goodmeasure.properties.verify import Check as Again

    parts = {x.statement: x for x in check.certificate.parts}
    for name in ("symmetry", "maximal_agreement"):
        demand(name in parts, f"the proof of {name} is missing")
        part = parts[name]
        same = ("measure", "definition", "classes", "domain", "undefined")
        demand(
            all(getattr(part, x) == getattr(check.certificate, x) for x in same), f"{name} is about something else"
        )
        Again(part, check.measure).run()
    check.constants_are({"c_max": [[int(i == j) for j in range(check.m)] for i in range(check.m)]})
    Triangle(check).run()


class Triangle:
    """The triangle inequality of d = c_max − M: on all joint cells at once, and where other formulas hold."""

    def __init__(self, check: Check) -> None:
        self.check, self.m = check, check.m
        self.pair = check.reading(_names(self.m))
        self.places = list(product(range(self.m), repeat=3))
        self.ring = Orthant(tuple("t" + _text(x) for x in self.places))

    def run(self) -> None:
        check, m = self.check, self.m
        diagonal = {(_text(x),) for x in product((0, 1), repeat=m * m) if check.admits(x) and check._special(_text(x), kinds.DIAGONAL)}
        top = check.constant(self.pair, diagonal)
        odd = self._odd()
        expected = {("1" * m**3,)}
        if odd:
            demand(m == 2, "there are too many joint supports")
            for support in product((0, 1), repeat=m**3):
                shapes = [_text(int(p != 0) for p in self.cells(support, side)) for side in ((0, 1), (1, 2), (0, 2))]
                if all(check.admits([int(y) for y in x]) for x in shapes) and odd.intersection(shapes):
                    expected.add((_text(support),))
        for (joint,), node in _cases(check, expected, "joint").items():
            if node["by"] == "gram of pairs":
                demand("0" not in joint, "the Gram determinant is for the full support")
                self._gram_of_pairs(node, top)
                continue
            values = [self.pair.value(self.cells([int(x) for x in joint], side), self.ring) for side in ((0, 1), (1, 2), (0, 2))]
            if not check._skipped(node, *values):
                self._triangle(node, values, top)

    def _odd(self) -> set[str]:
        """The supports of the domain on which another formula may hold than on the full one."""
        m, odd = self.m, set()
        value = self.pair.value(self.pair.cells("1" * m * m, []))
        demand(value is not UNDEFINED, "the measure is undefined where all cells are positive")
        for support in product((0, 1), repeat=m * m):
            if self.check.admits(support):
                try:
                    _check_formula(self.pair, value, "1" * m * m, _text(support))
                except (CertificateError, Outside):
                    odd.add(_text(support))
        return odd

    def cells(self, support: Any, side: tuple[int, int]) -> list[Any]:
        cells = [self.ring.constant(0)] * (self.m**2)
        for g, present, labels in zip(self.ring.context.gens(), support, self.places, strict=True):
            if present:
                k = labels[side[0]] * self.m + labels[side[1]]
                cells[k] = cells[k] + g
        return cells

    def _triangle(self, node: Any, values: list[Any], top: Any) -> None:
        if node["by"] != "gram":
            best = top.as_fraction()
            demand(best is not None, "the best value is not rational")
            ab, bc, ac = values
            check_positive(node, (ac - ab) + (best - bc), strict=False, whole=True)
            return
        demand(not (self._cosine(top, node["map"]) - 1).num, "equal labelings are not at distance 0")
        ab, bc, ac = (self._cosine(x, node["map"]) for x in values)
        one = constant(self.ring, 1)
        gram = one + 2 * ab * bc * ac - ab * ab - bc * bc - ac * ac
        check_positive(node["proof"], gram, strict=False, whole=True)
        for bound, x in zip(node["bounds"], (ab, bc, ac), strict=True):
            check_positive(bound, 1 - x * x, strict=False, whole=True)

    def _gram_of_pairs(self, node: Any, top: Any) -> None:
        """x = N/(h√(V·W)) for every pair; h³·A·B·C times the Gram determinant has no negative coefficient."""
        demand(not (self._cosine(top, node["map"]) - 1).num, "equal labelings are not at distance 0")
        x = self._cosine(self.pair.value(self.pair.cells("1" * self.m**2, [])), node["map"])
        check_positive(node["bound"], 1 - x * x, strict=False, whole=True)
        demand(len(x.num) == 1 and set(x.den) == {("1",)}, "the correlation is not a quotient by one root")
        ((key, top_n),) = x.num.items()
        under = self.pair.ring.roots[key[0]]
        h = int((x.den[("1",)] // under).leading_coefficient())
        demand(x.den[("1",)] == h * under and h > 0, "the correlation is not N/(h√(V·W))")
        sides = ((0, 1), (1, 2), (0, 2))
        none, context = self.ring.constant(0), self.ring.context
        pad = [none] * (len(self.pair.gens) - self.m**2)
        place = {side: self.cells([1] * self.m**3, side) + pad for side in sides}
        ab, bc, ac = (top_n.compose(*place[side], ctx=context) for side in sides)
        roots = [f for f, k in under.factor()[1] if k == 1]
        demand(len(roots) == 2 and roots[0] * roots[1] == under, "the correlation is not N/(h√(V·W))")
        for v, w in (roots, roots[::-1]):
            a, b, c = (f.compose(*place[side], ctx=context) for f, side in ((v, (0, 1)), (v, (1, 2)), (w, (0, 2))))
            if all(
                f.compose(*place[side], ctx=context) == g
                for f, side, g in ((v, (0, 2), a), (w, (0, 1), b), (w, (1, 2), c))
            ):
                gram = h**3 * a * b * c + 2 * ab * bc * ac - h * (c * ab**2 + a * bc**2 + b * ac**2)
                demand(len(gram) == node["terms"], "the Gram determinant is another polynomial")
                demand(all(k > 0 for k in gram.coeffs()), "the Gram determinant has a negative coefficient")
                return
        raise CertificateError("the roots of the three pairs have nothing in common")

    def _cosine(self, value: Any, kind: str) -> Any:
        """What c_max − M is an angle of (c_max = 0), or the chord √(2(1 − x)) of."""
        if kind == "arccos":
            sign, _, inner = angle(value)
            demand(sign < 0, "the distance falls with the angle")
            return inner
        demand(kind == "chord" and value.sign() <= 0, "the distance is no chord")
        return 1 - value * value / 2


OTHERS = {
    kinds.INDEPENDENT: independent,
    kinds.EXPECTATION: expectation,
    kinds.FLATNESS: flatness,
    kinds.SMOOTH: smooth,
    kinds.DEFINED: defined,
    kinds.DEFINED_TOGETHER: defined,
    kinds.RANGE: bounded,
    kinds.TRIVIAL: trivial,
    kinds.INDIFFERENT: indifferent,
    kinds.DISTANCE: distance,
}
