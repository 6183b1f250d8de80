"""Checking certificates: every case is there, and each proves what it should; it shares nothing with the prover."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import permutations, product
from typing import Any

from goodmeasure.language.exact.reals import UNDEFINED
from goodmeasure.theory.algebra.open_exponent import SIDES
from goodmeasure.theory.algebra.parametricity import tells_no_classes_apart
from goodmeasure.theory.algebra.slopes import at, derivative
from goodmeasure.theory.statements import statement as kinds
from goodmeasure.theory.statements.certificate import Certificate, Node
from goodmeasure.theory.statements.domain import domain_of
from goodmeasure.theory.statements.lookup import statement as statement_of
from goodmeasure.theory.statements.statement import Statement
from goodmeasure.theory.verify.claims import certificate_of, measure_of, readable
from goodmeasure.theory.verify.possibility import checked_for_all_measures
from goodmeasure.theory.verify.readings import Reading, check_splits
from goodmeasure.theory.verify.signs import CertificateError, check_positive, check_zero, demand, unmapped


def verify(proof: Any, measure: Any = None) -> bool:
    """Check a verdict, a certificate or its JSON: True, or an error that says what is wrong.

    ``measure``: the function that a certificate is about, where it is not in the catalogue. A verdict of `gm.check`
    knows its own; one that was read from JSON does not.

    >>> import goodmeasure as gm
    >>> verify(gm.check(gm.accuracy, properties="symmetry")["symmetry"].certificate)
    True
    """
    with readable(proof):
        if checked_for_all_measures(proof):
            return True
        certificate = certificate_of(proof)
        if certificate.measure.endswith("(r)"):
            _check_exponents(certificate)
        else:
            Check(certificate, measure_of(certificate, _own(proof) if measure is None else measure)).run()
    return True


def _own(proof: Any) -> Any:
    """The function of its user that a verdict came from; None where the name says it all."""
    of = getattr(proof, "of", None)
    return of if of is not None and of._is_users_own() else None


def _check_exponents(certificate: Certificate) -> None:
    """What holds for positive exponents and for all others holds for every real one."""
    family = certificate.measure.removesuffix("(r)")
    demand(
        [x.measure for x in certificate.parts] == [f"{family}({side})" for side in SIDES],
        "the proofs for positive exponents and for all others are missing",
    )
    for part in certificate.parts:
        same = ("statement", "classes", "domain", "undefined", "constants")
        demand(all(getattr(part, x) == getattr(certificate, x) for x in same), f"{part.measure}: about something else")
        Check(part, measure_of(part, None)).run()


class Check:
    """One certificate being checked."""

    def __init__(self, certificate: Certificate, measure: Any) -> None:
        self.certificate, self.measure = certificate, measure
        self.statement: Statement = statement_of(certificate.statement)
        self.domain = domain_of(certificate.domain)
        self.undefined = _undefined(certificate.undefined)
        self.m = 0 if certificate.classes == "every" else _number_of_classes(certificate.classes)
        demand(
            set(certificate.constants) == set(self.statement.constants),
            f"the constants of {self.statement.name} are {', '.join(self.statement.constants) or 'none'}",
        )
        if certificate.symmetric:
            demand(tells_no_classes_apart(measure.of), f"{measure.name} may treat classes differently")

    def run(self) -> None:
        demand(
            self.statement.policy is None or self.statement.policy == self.undefined,
            f"{self.statement.name} is about undefined={self.statement.policy!r}",
        )
        if self.certificate.classes == "every":
            from goodmeasure.theory.verify.every_m import EveryCheck

            EveryCheck(self).run()
            return
        if self.certificate.parts and not self.certificate.cases:
            self._instance()
            return
        kind = self.statement.kind
        way = {
            kinds.MOVES: self.moves,
            kinds.EXTREME: self.extreme,
            kinds.INVARIANCE: self.invariance,
        }.get(kind)
        if way is None:
            from goodmeasure.theory.verify.baselines import OTHERS
            from goodmeasure.theory.verify.distance import distance

            others = {**OTHERS, kinds.DISTANCE: distance}
            demand(kind in others, f"no certificate proves {self.statement.name}")
            others[kind](self)
        else:
            way()

    def _instance(self) -> None:
        """The statement follows from one about every number of classes."""
        demand(len(self.certificate.parts) == 1, "the proof for every number of classes is missing")
        (part,) = self.certificate.parts
        same = ("statement", "measure", "definition", "domain", "undefined")
        demand(
            part.classes == "every" and all(getattr(part, x) == getattr(self.certificate, x) for x in same),
            "the proof for every number of classes is about something else",
        )
        Check(part, self.measure).run()
        if self.statement.constants:
            ones = [[1] * self.m] * self.m
            unit = [
                [int((i == j) == (self.statement.at == kinds.DIAGONAL)) for j in range(self.m)] for i in range(self.m)
            ]
            self.constants_are({self.statement.constants[0]: unit if self.statement.kind == kinds.EXTREME else ones})

    # What the cases are about

    def reading(self, extra: tuple[str, ...] = (), *, open_order: bool = True) -> Reading:
        return Reading(self.measure, self.m, self.undefined, extra, open_order=open_order)

    def admits(self, support: Any) -> bool:
        m = self.m
        return any(support) and self.domain.holds_pattern(tuple(tuple(support[i * m : (i + 1) * m]) for i in range(m)))

    def grouped(self, expected: Iterable[tuple[Any, ...]], key: Any) -> dict[tuple[Any, ...], list[Node]]:
        """The cases of the certificate by what they are about; each expected one must be there, split completely."""
        groups: dict[tuple[Any, ...], list[Node]] = {}
        for case in self.certificate.cases:
            try:
                groups.setdefault(self._least(key(case)), []).append(case)
            except (KeyError, TypeError, ValueError, IndexError):
                raise CertificateError(f"a case cannot be read: {str(case)[:100]}") from None
        wanted = set()
        for x in expected:  # one by one, since a certificate may claim far more than it shows
            wanted.add(self._least(x))
            demand(self._least(x) in groups, f"the case {x} is missing")
        demand(set(groups) <= wanted, "there are cases that the statement does not ask for")
        names = {f"c{i}_{j}" for i in range(self.m) for j in range(self.m)}
        for cases in groups.values():
            demand(len({str(key(x)) for x in cases}) == 1, "a case is given for two namings of the classes")
            check_splits([list(x["proof"].get("splits", [])) for x in cases], names)
        return groups

    def _least(self, what: tuple[Any, ...]) -> tuple[Any, ...]:
        """A case up to the names of the classes, where the certificate lists one of each kind."""
        if not self.certificate.symmetric:
            return what
        return min(_renamed(what, p, self.m) for p in permutations(range(self.m)))

    def constants_are(self, places: Mapping[str, Any]) -> None:
        """The constants that the certificate names are the exact values on these matrices."""
        known = {name: str(self.measure.exact(rows, undefined=self.undefined)) for name, rows in places.items()}
        demand(dict(self.certificate.constants) == known, f"the constants are {known}")

    # Moves

    def moves(self) -> None:
        rises = {tuple(sorted(move.changes)): move.rises for move in self.statement.moves(self.m)}
        reading = self.reading(open_order=False)
        for cases in self.grouped(self._demands(), lambda x: (x["support"], _changes(x))).values():
            for case in cases:
                self._move(reading, case, rises[_changes(case)])

    def _demands(self) -> Iterator[tuple[Any, ...]]:
        """Every support and move that the statement asks about."""
        for support in product((0, 1), repeat=self.m**2):
            for move in self.statement.moves(self.m):
                if self._demanded(*self._ends(support, move.changes)):
                    yield "".join(map(str, support)), tuple(sorted(move.changes))

    def _ends(self, support: Any, changes: Any) -> tuple[list[int], list[int]]:
        before, after = list(support), list(support)
        for i, j, delta in changes:
            (before if delta < 0 else after)[i * self.m + j] = 1
        return before, after

    def _demanded(self, before: list[int], after: list[int]) -> bool:
        s, m = self.statement, self.m
        if not self.admits(before) or not self.admits(after):
            return False
        diagonal = [all(not x or k % (m + 1) == 0 for k, x in enumerate(y)) for y in (before, after)]
        hollow = [all(not y[k * (m + 1)] for k in range(m)) for y in (before, after)]
        filled = [any(before[i * m : (i + 1) * m]) for i in range(m)], [any(before[j::m]) for j in range(m)]
        if kinds.NON_UNARY_BEFORE in s.before and any(sum(x) < 2 for x in filled):
            return False
        if kinds.NOT_BOTH_DIAGONAL in s.pair and all(diagonal):
            return False
        return not (kinds.NOT_BOTH_ZERO_DIAGONAL in s.pair and all(hollow))

    def _move(self, reading: Reading, case: Node, rises: bool) -> None:
        node, m, strict = case["proof"], self.m, self.statement.strict
        base = reading.cells(case["support"], node.get("splits", []))
        before, after = list(base), list(base)
        for i, j, delta in case["move"]:
            side = before if delta < 0 else after
            side[i * m + j] = side[i * m + j] + abs(delta)
        low, high = reading.value(before), reading.value(after)
        if self._skipped(node, low, high):
            return
        if not rises:
            low, high = high, low
        if node["by"] == "slope":
            self._slope(reading, case, rises)
        elif node["by"] == "inner":
            check_positive(node["proof"], unmapped(low, high, node["map"]), strict=strict, whole=True)
        else:
            check_positive(node, high - low, strict=strict, whole=True)

    def _skipped(self, node: Node, *values: Any) -> bool:
        """Whether the measure is undefined here, so that nothing is asked."""
        none = any(x is UNDEFINED for x in values)
        demand(none == (node.get("by") == "undefined"), "the measure is undefined elsewhere than the certificate says")
        return none

    def _slope(self, reading: Reading, case: Node, rises: bool) -> None:
        """The measure rises on the open way between the matrices and is continuous at its ends."""
        node, m = case["proof"], self.m
        demand(not node.get("splits"), "a slope is for a whole support")
        before, after = self._ends([int(x) for x in case["support"]], case["move"])
        between = [int(x or y) for x, y in zip(before, after, strict=True)]
        value = reading.value(reading.cells("".join(map(str, between)), []))
        demand(value is not UNDEFINED, "the measure is undefined on the way")
        direction = {i * m + j: d if rises else -d for i, j, d in case["move"]}
        inner, turn = _inner(value, node.get("map"))
        slope = derivative(inner, direction)
        reading.slope_agrees(inner, slope, direction)
        check_positive(node["proof"], slope * turn, strict=True, whole=False)
        none = reading.ring.constant(0)
        for end in (before, after):
            if end != between:
                there = at(inner, {k: none for k in range(m * m) if between[k] and not end[k]})
                seen = reading.value(reading.cells("".join(map(str, end)), []))
                demand(
                    there is not None and seen is not UNDEFINED, "the measure is not continuous at the end of a move"
                )
                again, turned = _inner(seen, node.get("map"))
                demand(turned in (turn, 0) and not (there - again).num, "the measure jumps at the end of a move")

    # Extremes and invariances

    def extreme(self) -> None:
        s, m, reading = self.statement, self.m, self.reading(_independent(self.m))
        supports = {("".join(map(str, x)),) for x in product((0, 1), repeat=m * m) if self.admits(x)}
        sense = 1 if s.at == kinds.DIAGONAL else -1
        special = {x for x in supports if self._special(x[0], s.at)}
        best = self.constant(reading, special)
        self.constants_are({s.constants[0]: self._matrix(special)})
        for (support,), cases in self.grouped(supports, lambda x: (x["support"],)).items():
            for case in cases:
                value = reading.value(reading.cells(case["support"], case["proof"].get("splits", [])))
                if self._skipped(case["proof"], value):
                    continue
                if self._special(support, s.at):
                    check_zero(case["proof"], value - best)
                else:
                    self.beyond(case["proof"], value, best, sense, strict=True)

    def _special(self, support: str, at: str) -> bool:
        on = {support[k * (self.m + 1)] for k in range(self.m)}
        off = {x for k, x in enumerate(support) if k % (self.m + 1)}
        return off == {"0"} if at == kinds.DIAGONAL else on == {"0"}

    def constant(self, reading: Reading, supports: set[tuple[str]]) -> Any:
        """The value on some support, which must be a constant."""
        for (support,) in sorted(supports):
            value = reading.value(reading.cells(support, []))
            if value is not UNDEFINED:
                demand(not varies(value), f"the value on {support} is not one constant")
                return value
        raise CertificateError("there is no matrix to take the constant from")

    def _matrix(self, supports: set[tuple[str]]) -> list[list[int]]:
        """The first matrix of zeros and ones with one of these supports on which the measure has a value."""
        for (support,) in sorted(supports):
            rows = [[int(x) for x in support[i * self.m : (i + 1) * self.m]] for i in range(self.m)]
            if self.measure.exact(rows, undefined=self.undefined) is not UNDEFINED:
                return rows
        raise CertificateError("there is no matrix to take the constant from")

    def beyond(self, node: Node, value: Any, bound: Any, sense: int, *, strict: bool) -> None:
        low, high = (value, bound) if sense > 0 else (bound, value)
        if node["by"] == "inner":
            check_positive(node["proof"], unmapped(low, high, node["map"]), strict=strict, whole=True)
        else:
            check_positive(node, high - low, strict=strict, whole=True)

    def invariance(self) -> None:
        if self.statement.name == "class_symmetry" and not self.certificate.cases:
            demand(tells_no_classes_apart(self.measure.of), f"{self.measure.name} may treat classes differently")
            return
        m, s = self.m, self.statement
        reading = self.reading(tuple(f"s{i}" for i in range(m)) if s.scales else ())
        images = self._images(reading)
        expected = {
            ("".join(map(str, x)), k)
            for k in range(len(images))
            for x in product((0, 1), repeat=m * m)
            if self.admits(x)
        }
        for cases in self.grouped(expected, lambda x: (x["support"], x["map"])).values():
            for case in cases:
                cells = reading.cells(case["support"], case["proof"].get("splits", []))
                value, other = reading.value(cells), reading.value(images[case["map"]](cells))
                if not self._skipped(case["proof"], value, other):
                    check_zero(case["proof"], value - other)
                else:
                    demand(len(s.maps(m)) < 2, "equalities do not chain over a matrix without a value")

    def _images(self, reading: Reading) -> list[Any]:
        """Maps of cells that generate those of the statement."""
        m, s = self.m, self.statement
        if s.scales:
            factor = reading.gens[m * m :]
            return [lambda cells: [p * factor[k // m if s.scales == "rows" else 0] for k, p in enumerate(cells)]]
        maps = s.maps(m)
        if len(maps) > 1:  # neighbours change places: from these all permutations follow
            near = [[{k: k + 1, k + 1: k}.get(i, i) for i in range(m)] for k in range(m - 1)]
            maps = tuple(tuple(tuple((p[i], p[j]) for j in range(m)) for i in range(m)) for p in near)
        return [
            lambda cells, t=t: [cells[t[i][j][0] * m + t[i][j][1]] for i in range(m) for j in range(m)] for t in maps
        ]


def _changes(case: Node) -> tuple[Any, ...]:
    return tuple(sorted(tuple(x) for x in case["move"]))


def _inner(value: Any, kind: str | None) -> tuple[Any, int]:
    """What a value is a monotone map of, and whether it rises (1) or falls (−1) with it."""
    from goodmeasure.theory.verify.signs import angle

    if kind is None:
        return value, 1
    if kind == "arccos":
        sign, _, cosine = angle(value)
        return cosine, -sign
    return value * value, value.sign()


def _independent(m: int) -> tuple[str, ...]:
    return tuple(f"x{i}" for i in range(m)) + tuple(f"y{i}" for i in range(m))


def varies(value: Any) -> bool:
    """Whether a value mentions a variable."""
    return bool(value.letters)


def _renamed(what: tuple[Any, ...], p: tuple[int, ...], m: int) -> tuple[Any, ...]:
    """What a case is about, after class k is called p[k]."""
    support = [""] * (m * m)
    for i, j in product(range(m), repeat=2):
        support[p[i] * m + p[j]] = what[0][i * m + j]
    if len(what) == 1 or isinstance(what[1], int):
        return ("".join(support), *what[1:])
    return "".join(support), tuple(sorted((p[i], p[j], *d) for i, j, *d in what[1]))


def _number_of_classes(classes: Any) -> int:
    known = isinstance(classes, int) and not isinstance(classes, bool) and classes >= 2
    demand(known, f'classes is {classes!r}: expected 2, 3, … or "every"')
    return int(classes)


def _undefined(text: str) -> Any:
    return text if text in ("resolve", "nan", "raise") else float(text)
