"""Check certificates about one measure: every case of the statement is there, and each is proved.

A certificate claims that a measure has a property for every number of items. It is untrusted data, and the verifier
takes from it only hints: how each case is proved. Everything that gives the claim its meaning is worked out again.

What the verifier demands, and what would go wrong without it:

1. *The definition is the one named.* The text of the measure's definition must equal the text in the certificate
   (`claims.py`); else a proof about one formula would be taken for a proof about another.
2. *Every case is there.* The verifier lists the cases itself: supports in the domain (which cells are 0 and which are
   positive), moves, maps, sets of classes. On one support every class size is 0 or positive, so every rule for 0/0
   resolves and the measure is one formula in positive whole numbers. The finitely many supports cover all matrices of
   all n, so cases that are missing are matrices nothing is said about. Cases that the statement does not ask for are
   refused too, since they would mean that two readings of the statement differ.
3. *Splits are complete.* A case may be split by the order of two cells; all orders must follow (`check_splits`).
4. *Classes are renamed only where that is allowed.* Cases may be listed up to renaming the classes if the definition
   treats all classes alike, which is decided anew (`tells_no_classes_apart`). All cases of a group must then use one
   naming, since two halves of a split under different names need not fit together.
5. *Each case is proved.* The measure is read on the case again, the difference whose sign matters is formed again, and
   its sign is shown again (`arithmetic.py`, `signs.py`).
6. *Undefined is undefined.* A case is skipped if the measure has no value there, and only then.
7. *Constants are right.* c_max, c_base, … must be the exact values on matrices that the statement speaks of. Else a
   true statement would come with a false number.
8. *A reading agrees with numbers.* Whenever a formula is read, the exact value on a matrix of small, large or mixed
   counts is computed as well and compared (`readings.py`), signs are evaluated at random points, and derivatives are
   compared with difference quotients.
9. *A reading is not deceived.* A definition that asks what only numbers can answer is refused, also if it catches the
   exception by which the question is refused (`views.py`).

What the verifier shares with the prover: the statements and domains (`theory/statements`), the language in which
definitions are written, with its exact numbers (`language`), and the definitions themselves (`catalogue`). It imports
nothing from the rooms that search for proofs and counterexamples, nor from their algebra; a test of the layers sees to
that. docs/certificates.md lists all files that have to be believed.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property, lru_cache, partial
from itertools import permutations, product
from typing import TYPE_CHECKING

from goodmeasure.catalogue.measure import as_measure
from goodmeasure.catalogue.names import measure as named
from goodmeasure.theory.statements import statement as kinds
from goodmeasure.theory.statements.certificate import Certificate, CertificateNode
from goodmeasure.theory.statements.domain import ALL, domain_of
from goodmeasure.theory.statements.goesgens import class_permutations
from goodmeasure.theory.statements.lookup import statement as statement_of
from goodmeasure.theory.statements.statement import CellMap, Statement
from goodmeasure.theory.verify.arithmetic import NOT_DOWN, UNDEFINED, UP, FunctionValue, Outcome
from goodmeasure.theory.verify.atoms import at, derivative
from goodmeasure.theory.verify.claims import (
    SIDES,
    certificate_of,
    measure_of,
    readable,
    refuted_by_matrices,
    takes_only,
)
from goodmeasure.theory.verify.possibility import checked_for_all_measures
from goodmeasure.theory.verify.readings import Reading, check_splits, forget, reading_of
from goodmeasure.theory.verify.renaming import tells_no_classes_apart
from goodmeasure.theory.verify.signs import (
    CertificateError,
    as_angle,
    check_positive,
    check_slope,
    check_zero,
    demand,
    unmapped,
)
from goodmeasure.theory.verify.verdicts import belongs
from goodmeasure.theory.verify.witnesses import replay
from goodmeasure.typing import ReadJson

if TYPE_CHECKING:
    from goodmeasure.catalogue.measure import Measure
    from goodmeasure.theory.verify.arithmetic import Poly

MOST_CLASSES = 5  # so many have millions of supports: only statements about class sizes are looked at case by case
_BY_SIZES = (kinds.INDEPENDENT, kinds.FLATNESS, kinds.TRIVIAL, kinds.SENSITIVE)
SECONDS = 60.0  # of CPU time, after which a check is given up


def verify(proof: ReadJson, measure: object = None, *, seconds: float = SECONDS) -> bool:
    """Return True if a verdict, a certificate or its JSON is correct; raise `CertificateError` otherwise.

    ``measure``: the function that the certificate is about, if it is not in the catalogue. A verdict of `gm.check`
    knows its function; one that was read from JSON does not. ``seconds``: the CPU time after which the check is given
    up, which is an error too.

    >>> import goodmeasure as gm
    >>> verify(gm.check(gm.accuracy, properties="symmetry")["symmetry"].certificate)
    True
    """
    deadline = time.process_time() + seconds
    with readable(proof):
        if checked_for_all_measures(proof):
            return True
        said = refuted_by_matrices(proof)
        if said is not None:
            replay(said, _measure_of_verdict(said, _own(proof) if measure is None else measure), deadline)
            return True
        certificate, verdict = certificate_of(proof)
        if certificate.measure.endswith("(r)"):
            if verdict is not None:
                belongs(verdict, certificate, one_size=False)
            _check_exponents(certificate, deadline)
        else:
            known = measure_of(certificate, _own(proof) if measure is None else measure)
            if verdict is not None:
                belongs(verdict, certificate, one_size=takes_only(known, certificate.classes))
            if not _accepted_at_once(certificate, known, deadline):
                Check(certificate, known, deadline).run()
    return True


def _accepted_at_once(certificate: Certificate, measure: Measure, deadline: float) -> bool:
    """Return whether a certificate is accepted; False if it may depend on what was read for others.

    Which atoms of a ground came first decides the order in which they are eliminated, and a sign may be shown in one
    order and not in another. So a refusal counts only after the measure has been read anew.
    """
    try:
        Check(certificate, measure, deadline).run()
    except CertificateError:
        if forget():
            return False
        raise
    return True


def _measure_of_verdict(said: ReadJson, measure: object) -> Measure:
    """Return the measure that a refuted verdict is about, after demanding that it has the name that is stated."""
    known = as_measure(named(said["measure"]) if measure is None else measure)
    demand(known.name == said["measure"], f"the verdict is about {said['measure']}, not {known.name}")
    return known


def _own(proof: ReadJson) -> Measure | None:
    """Return the user's function that a verdict is about; None for a measure of the catalogue."""
    of = getattr(proof, "of", None)
    return of if of is not None and of._is_users_own() else None


def _check_exponents(certificate: Certificate, deadline: float) -> None:
    """Check a certificate about every real exponent: one part about r > 0, and one about r ≤ 0."""
    family = certificate.measure.removesuffix("(r)")
    demand(
        [x.measure for x in certificate.parts] == [f"{family}({side})" for side in SIDES],
        "the proofs for positive exponents and for all others are missing",
    )
    for part in certificate.parts:
        same = ("statement", "classes", "domain", "undefined", "constants", "vacuous")
        demand(all(getattr(part, x) == getattr(certificate, x) for x in same), f"{part.measure}: about something else")
        Check(part, measure_of(part, None), deadline).run()


class Check:
    """The check of one certificate about one measure."""

    def __init__(self, certificate: Certificate, measure: Measure, deadline: float = float("inf")) -> None:
        self.certificate, self.measure, self.deadline = certificate, measure, deadline
        self._admitted: dict[tuple[int, ...], bool] = {}  # whether supports lie in the domain, which is asked often
        self.statement: Statement = statement_of(certificate.statement)
        self.domain = domain_of(certificate.domain)
        self.undefined = _undefined(certificate.undefined)
        self.m = 0 if certificate.classes == "every" else _number_of_classes(certificate.classes)
        demand(
            self.statement.fits(certificate.classes),
            f"{self.statement.name} does not speak of {certificate.classes} classes",
        )
        demand(
            set(certificate.constants) == (set() if certificate.vacuous else set(self.statement.constants))
            or (self.statement.kind == kinds.TRIVIAL and not certificate.vacuous),
            f"the constants of {self.statement.name} are {', '.join(self.statement.constants) or 'none'}",
        )
        if certificate.symmetric:
            demand(self.alike, f"{measure.name} may treat classes differently")

    @cached_property
    def alike(self) -> bool:
        """Whether the definition treats all classes alike, which is decided anew for each certificate."""
        return tells_no_classes_apart(self.measure)

    def run(self) -> None:
        """Check the certificate, by the kind of its statement."""
        demand(
            self.statement.policy is None or self.statement.policy == self.undefined,
            f"{self.statement.name} is about undefined={self.statement.policy!r}",
        )
        if self.certificate.vacuous:
            from goodmeasure.theory.verify.vacuity import check_vacuous

            check_vacuous(self)
            return
        if any("averaging" in x for x in self.certificate.cases):
            from goodmeasure.theory.verify.preservation import check_average

            check_average(self)
            return
        if self.certificate.classes == "every":
            from goodmeasure.theory.verify.every_m import EveryCheck

            EveryCheck(self).run()
            return
        if self.certificate.parts and not self.certificate.cases:
            self._instance()
            return
        kind = self.statement.kind
        # An invariance without cases claims that the definition treats all classes alike.
        listed = self.certificate.cases or kind != kinds.INVARIANCE
        demand(
            self.m < MOST_CLASSES or kind in _BY_SIZES or not listed,
            f"the supports of {self.m} classes are too many to look at",
        )
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
        """Check a certificate that rests on one other proof, and its constants.

        That proof is about every number of classes; or about the same number of classes on the domain "all", if each
        instance of the statement on a smaller domain is an instance on "all", with the same constants.
        """
        demand(len(self.certificate.parts) == 1, "the proof for every number of classes is missing")
        (part,) = self.certificate.parts
        if part.domain != self.certificate.domain:
            self._restricted(part)
            return
        same = ("statement", "measure", "definition", "domain", "undefined", "vacuous")
        demand(
            part.classes == "every" and all(getattr(part, x) == getattr(self.certificate, x) for x in same),
            "the proof for every number of classes is about something else",
        )
        Check(part, self.measure, self.deadline).run()
        if self.statement.kind == kinds.DECOMPOSABLE:
            demand(dict(self.certificate.constants) == dict(part.constants), "the exponent is another one")
        elif self.statement.constants:
            ones = [[1] * self.m] * self.m
            diagonal = self.statement.at == kinds.DIAGONAL or self.statement.kind == kinds.DISTANCE
            unit = [[int((i == j) == diagonal) for j in range(self.m)] for i in range(self.m)]
            extreme = self.statement.kind in (kinds.EXTREME, kinds.DISTANCE)
            self.constants_are({self.statement.constants[0]: unit if extreme else ones})

    def _restricted(self, part: Certificate) -> None:
        """Check a certificate that rests on a proof of the same statement on the domain "all"."""
        demand(self.statement.kind in kinds.UNIVERSAL, f"{self.statement.name} may fail on a part of the matrices")
        same = ("statement", "measure", "definition", "classes", "undefined", "vacuous", "constants")
        demand(
            part.domain == ALL.name and all(getattr(part, x) == getattr(self.certificate, x) for x in same),
            "the proof on all matrices is about something else",
        )
        Check(part, self.measure, self.deadline).run()

    # What the cases are about

    def reading(self) -> Reading:
        """Return the measure as formulas in its cells."""
        return reading_of(self.measure, self.m, self.undefined, self.deadline)

    def admits(self, support: Iterable[int]) -> bool:
        """Return whether the matrices with this support lie in the domain; a domain is a union of supports."""
        key, m = tuple(support), self.m
        if key not in self._admitted:
            demand(time.process_time() < self.deadline, "the check was given up: its time is over")
            rows = tuple(key[i * m : (i + 1) * m] for i in range(m))
            self._admitted[key] = any(key) and bool(self.domain.holds_pattern(rows))
        return self._admitted[key]

    def grouped(
        self, expected: Iterable[tuple[ReadJson, ...]], key: Callable[[CertificateNode], tuple[ReadJson, ...]]
    ) -> dict[tuple[ReadJson, ...], list[CertificateNode]]:
        """Return the cases of the certificate by subject; demand that the expected ones are there, each complete."""
        groups: dict[tuple[ReadJson, ...], list[CertificateNode]] = {}
        for case in self.certificate.cases:
            try:
                groups.setdefault(self._least(key(case)), []).append(case)
            except (KeyError, TypeError, ValueError, IndexError):
                raise CertificateError(f"a case cannot be read: {str(case)[:100]}") from None
        wanted = set()
        for x in expected:  # one by one, so that a certificate with few cases for many classes is refused early
            demand(time.process_time() < self.deadline, "the check was given up: its time is over")
            least = self._least(x)
            wanted.add(least)
            demand(least in groups, f"the case {x} is missing")
        demand(set(groups) <= wanted, "there are cases that the statement does not ask for")
        names = {f"c{i}_{j}" for i in range(self.m) for j in range(self.m)}
        for cases in groups.values():
            demand(len({str(key(x)) for x in cases}) == 1, "a case is given for two namings of the classes")
            check_splits([list(x["proof"].get("splits", [])) for x in cases], names)
        return groups

    def _least(self, what: tuple[ReadJson, ...]) -> tuple[ReadJson, ...]:
        """Return the subject of a case, up to renaming the classes if the certificate lists one case of each kind."""
        if not self.certificate.symmetric:
            return what
        least: tuple[ReadJson, ...] = _least_of(what, self.m)
        return least

    def constants_are(self, places: Mapping[str, ReadJson]) -> None:
        """Demand that the constants of the certificate are the exact values on these matrices."""
        known = {name: str(self.measure.exact(rows, undefined=self.undefined)) for name, rows in places.items()}
        demand(dict(self.certificate.constants) == known, f"the constants are {known}")

    # Moves

    def moves(self) -> None:
        """Check that the measure rises (or falls) with every move.

        The two matrices of a move have a common part, cell by cell the smaller of the two; each matrix is that part
        plus one item in some cells. A case is the support of the common part with a move, so the cells of the common
        part are the variables, and both values are formulas in them.
        """
        rises = {tuple(sorted(move.changes)): move.rises for move in self.statement.moves(self.m)}
        reading = self.reading()
        for cases in self.grouped(self._demands(), lambda x: (x["support"], _changes(x))).values():
            for case in cases:
                self._move(reading, case, rises[_changes(case)])

    def _demands(self) -> Iterator[tuple[ReadJson, ...]]:
        """Yield every support of the common part and every move that the statement makes a demand about."""
        for support in product((0, 1), repeat=self.m**2):
            for move in self.statement.moves(self.m):
                if self._demanded(*self._ends(support, move.changes)):
                    yield "".join(map(str, support)), tuple(sorted(move.changes))

    def _ends(self, support: Iterable[int], changes: Iterable[tuple[int, int, int]]) -> tuple[list[int], list[int]]:
        """Return the supports of the matrices before and after a move, from that of their common part."""
        before, after = list(support), list(support)
        for i, j, delta in changes:
            (before if delta < 0 else after)[i * self.m + j] = 1
        return before, after

    def _demanded(self, before: list[int], after: list[int]) -> bool:
        """Return whether both matrices lie in the domain and satisfy the side conditions of the statement."""
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

    def _move(self, reading: Reading, case: CertificateNode, rises: bool) -> None:
        """Check one case of a move: the value after it is greater (or less) than the value before it."""
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

    def _skipped(self, node: CertificateNode, *values: Outcome) -> bool:
        """Return whether the measure has no value in a case, after demanding that the certificate says the same."""
        none = any(x is UNDEFINED for x in values)
        demand(none == (node.get("by") == "undefined"), "the measure is undefined elsewhere than the certificate says")
        return none

    def _slope(self, reading: Reading, case: CertificateNode, rises: bool) -> None:
        """Check a move by the derivative: the measure rises between the two matrices and is continuous at both.

        Let B and A be the matrices before and after, and S the union of their supports. All matrices strictly between
        B and A on the segment have support S, where the measure is one formula f. If the derivative of f along the
        move is positive for all positive real cells (so no proof may use that counts are whole), f rises strictly on
        the open segment. If f extends to B and A with the values that the measure has there, then M(B) < M(A): where a
        cell vanishes at an end, f is evaluated with that cell set to 0, which must give what the definition gives on
        the smaller support; an end with support S is inside already. With a ``map``, the same is shown for the inner
        value of which the measure is a monotone function, so the direction is turned where that function falls.
        """
        node, m = case["proof"], self.m
        demand(not node.get("splits"), "a slope is for a whole support")
        before, after = self._ends([int(x) for x in case["support"]], case["move"])
        between = [int(x or y) for x, y in zip(before, after, strict=True)]
        value = reading.value(reading.cells("".join(map(str, between)), []))
        demand(value is not UNDEFINED, "the measure is undefined on the way")
        direction = {reading.cell_names[i * m + j]: d if rises else -d for i, j, d in case["move"]}
        way = Inner(value, node.get("map"))
        slope = derivative(way.value, direction)
        check_slope(way.value, slope, direction)
        check_positive(node["proof"], slope * way.turn, strict=True, whole=False)
        none = reading.ring.constant(0)
        for end in (before, after):
            if end == between:
                continue
            there = at(way.value, {reading.cell_names[k]: none for k in range(m * m) if between[k] and not end[k]})
            seen = reading.value(reading.cells("".join(map(str, end)), []))
            if there is None or seen is UNDEFINED:
                raise CertificateError("the measure is not continuous at the end of a move")
            demand(way.continues(there, Inner(seen, node.get("map"))), "the measure jumps at the end of a move")

    # Extremes and invariances

    def extreme(self) -> None:
        """Check that extreme supports have one value, and all other supports only values strictly on one side of it."""
        s, m, reading = self.statement, self.m, self.reading()
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
        """Return whether the matrices with a support are diagonal (or have a zero diagonal)."""
        on = {support[k * (self.m + 1)] for k in range(self.m)}
        off = {x for k, x in enumerate(support) if k % (self.m + 1)}
        return off == {"0"} if at == kinds.DIAGONAL else on == {"0"}

    def constant(self, reading: Reading, supports: set[tuple[str]]) -> Outcome:
        """Return the value on the first of these supports that has one, after demanding that it is a constant."""
        for (support,) in sorted(supports):
            value = reading.value(reading.cells(support, []))
            if value is not UNDEFINED:
                demand(not varies(value), f"the value on {support} is not one constant")
                return value
        raise CertificateError("there is no matrix to take the constant from")

    def _matrix(self, supports: set[tuple[str]]) -> list[list[int]]:
        """Return the first matrix of zeros and ones with one of these supports on which the measure has a value."""
        for (support,) in sorted(supports):
            rows = [[int(x) for x in support[i * self.m : (i + 1) * self.m]] for i in range(self.m)]
            if self.measure.exact(rows, undefined=self.undefined) is not UNDEFINED:
                return rows
        raise CertificateError("there is no matrix to take the constant from")

    def beyond(self, node: CertificateNode, value: Outcome, bound: Outcome, sense: int, *, strict: bool) -> None:
        """Check that a value is below a bound (sense 1) or above it (sense −1)."""
        low, high = (value, bound) if sense > 0 else (bound, value)
        if node["by"] == "inner":
            check_positive(node["proof"], unmapped(low, high, node["map"]), strict=strict, whole=True)
        else:
            check_positive(node, high - low, strict=strict, whole=True)

    def invariance(self) -> None:
        """Check that a matrix and its image have the same value, on every support.

        Class symmetry can also follow from the definition alone: if it runs on class indices that nothing can be asked
        about, it treats all classes alike; such a certificate has no cases. Otherwise only exchanges of neighbouring
        classes are checked. Every permutation is a product of these, and equalities chain as long as every matrix in
        between has a value; so an undefined case is accepted only where the statement has a single map, which needs no
        chain. For the same reason a case may suppose that roots are defined (``supposed``) only there: what is compared
        then are the values of a matrix and its image if both have one, which is all that the statement is about.
        """
        if self.statement.maps is class_permutations and not self.certificate.cases:
            demand(self.alike, f"{self.measure.name} may treat classes differently")
            return
        m, s = self.m, self.statement
        reading = self.reading()
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
                supposed = case.get("supposed", False)
                demand(not supposed or len(s.maps(m)) < 2, "equalities do not chain over what is supposed")
                image = images[case["map"]](cells)
                value, other = (reading.value(x, supposing=supposed) for x in (cells, image))
                if not self._skipped(case["proof"], value, other):
                    check_zero(case["proof"], value - other)
                else:
                    demand(len(s.maps(m)) < 2, "equalities do not chain over a matrix without a value")

    def _images(self, reading: Reading) -> list[Callable[[list[Poly]], list[Poly]]]:
        """Return functions of the cells that generate the maps of the statement."""
        m, s = self.m, self.statement
        if s.scales:
            factor, _ = reading.sizes
            return [lambda cells: [p * factor[k // m if s.scales == "rows" else 0] for k, p in enumerate(cells)]]
        maps = s.maps(m)
        if len(maps) > 1:  # exchanges of neighbours generate all permutations
            near = [[{k: k + 1, k + 1: k}.get(i, i) for i in range(m)] for k in range(m - 1)]
            maps = tuple(tuple(tuple((p[i], p[j]) for j in range(m)) for i in range(m)) for p in near)
        return [partial(_placed, m, table) for table in maps]


def _placed(m: int, table: CellMap, cells: list[Poly]) -> list[Poly]:
    """Return the cells of the image of a matrix, each of which a table takes from a place."""
    return [cells[table[i][j][0] * m + table[i][j][1]] for i in range(m) for j in range(m)]


def _changes(case: CertificateNode) -> tuple[ReadJson, ...]:
    return tuple(sorted(tuple(x) for x in case["move"]))


class Inner:
    """The inner value of which a value is a monotone function: its cosine, its square, or the value itself.

    ``turn`` is 1 if the function rises and −1 if it falls; ``scale`` is the constant factor of an angle. The square is
    a monotone function of values of one sign; ``turn`` is that sign, or 0 for the value 0.
    """

    def __init__(self, value: FunctionValue, kind: str | None) -> None:
        self.kind, self.value, self.turn, self.scale = kind, value, 1, value
        if kind == "arccos":
            self.scale, self.value = as_angle(value)
            self.turn = -self.scale.sign()
        elif kind == "square":
            signs = value.signs()
            demand(signs <= NOT_DOWN or not signs & UP, "the sign of the value is not settled")
            self.turn, self.value = 0 if value.is_zero else 1 if signs <= NOT_DOWN else -1, value * value
        else:
            demand(kind is None, f"{kind!r} is no map that certificates know")

    def continues(self, limit: FunctionValue, end: Inner) -> bool:
        """Return whether the limit of this inner value is that of an end, and both are mapped by the same function."""
        same = bool((limit - end.value).is_zero)
        if self.kind == "arccos":
            return same and bool((self.scale - end.scale).is_zero)
        return same and end.turn in (self.turn, 0)


def varies(value: Outcome) -> bool:
    """Return whether a variable occurs in a value."""
    return bool(value.letters)


def _least_of(what: tuple[ReadJson, ...], m: int) -> tuple[ReadJson, ...]:
    """Return the least renaming of the subject of a case."""
    supports = _supports_renamed(what[0], m)
    if len(what) == 1 or isinstance(what[1], int):
        return (min(supports), *what[1:])
    return min(zip(supports, _moves_renamed(what[1], m), strict=True))


@lru_cache(maxsize=1024)
def _supports_renamed(support: str, m: int) -> tuple[str, ...]:
    """Return a support after class k is renamed p[k], for every p."""
    found = []
    for p in permutations(range(m)):
        back = sorted(range(m), key=p.__getitem__)
        found.append("".join(support[i * m + j] for i, j in product(back, repeat=2)))
    return tuple(found)


@lru_cache(maxsize=1024)
def _moves_renamed(changes: tuple[ReadJson, ...], m: int) -> tuple[tuple[ReadJson, ...], ...]:
    """Return a move after class k is renamed p[k], for every p."""
    return tuple(tuple(sorted((p[i], p[j], *d) for i, j, *d in changes)) for p in permutations(range(m)))


def _number_of_classes(classes: ReadJson) -> int:
    known = isinstance(classes, int) and not isinstance(classes, bool) and 2 <= classes <= MOST_CLASSES
    demand(known, f'classes is {str(classes)[:20]}: expected 2, …, {MOST_CLASSES} or "every"')
    return int(classes)


def _undefined(text: str) -> str | float:
    return text if text in ("resolve", "nan", "raise") else float(text)
