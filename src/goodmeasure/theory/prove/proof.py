"""Choose a method to prove a statement for all n, and write the certificate.

A statement for more than two classes is first tried for every number of classes, if the measure takes any number; what
holds for every m holds for the m that was asked for. Otherwise its kind decides which file proves it. A `Certificate`
holds one node for each case; constants that a statement claims to exist are computed once more as exact values, in the
measure's own sign. If no method gives a proof within the time limit, nothing follows.

A family with an exponent is proved for r > 0 and for r ≤ 0 (`algebra/open_exponent.py`); both proofs, with the same
constants, are one for every real exponent.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import replace

from goodmeasure.catalogue.family import Family
from goodmeasure.catalogue.measure import Measure, as_measure
from goodmeasure.exceptions import GoodmeasureError
from goodmeasure.language.class_symmetry import treats_classes_alike
from goodmeasure.language.exact.reals import Exact
from goodmeasure.language.policy import Undefined, policy_of
from goodmeasure.theory.algebra.open_exponent import OpenMeasure, with_open_exponent
from goodmeasure.theory.algebra.orthant import Outside
from goodmeasure.theory.prove import every_m
from goodmeasure.theory.prove.baselines import (
    prove_expectation,
    prove_flatness,
    prove_independent,
)
from goodmeasure.theory.prove.chance_correction import prove_chance_bound
from goodmeasure.theory.prove.decomposition import prove_decomposable
from goodmeasure.theory.prove.distance import GRAM, GRAM_OF_PAIRS, prove_triangle
from goodmeasure.theory.prove.every_m import Every
from goodmeasure.theory.prove.guesses import prove_guesses
from goodmeasure.theory.prove.moves import prove_moves
from goodmeasure.theory.prove.random_guesses import by_sizes, mean_of_rotations, rotations
from goodmeasure.theory.prove.signs import NoProof
from goodmeasure.theory.prove.support_cases import Reader, Support, reader_of
from goodmeasure.theory.prove.true_labelings import prove_range, prove_smooth, prove_trivial
from goodmeasure.theory.prove.vacuity import prove_vacuous, says_nothing_anywhere
from goodmeasure.theory.prove.values import (
    prove_defined,
    prove_extreme,
    prove_indifferent,
    prove_invariance,
)
from goodmeasure.theory.statements import statement as kinds
from goodmeasure.theory.statements.averages import AVERAGING, FACTS, averaged_name
from goodmeasure.theory.statements.certificate import Certificate, CertificateNode, definition_of
from goodmeasure.theory.statements.domain import ALL, Domain, domain_of
from goodmeasure.theory.statements.goesgens import class_permutations
from goodmeasure.theory.statements.lookup import statement as statement_of
from goodmeasure.theory.statements.proof_steps import ProofStep, ProofSteps, words_of
from goodmeasure.theory.statements.statement import Statement

EVERY_EXPONENT = "r"
SECONDS = {2: 20.0, 3: 60.0}  # the time for one proof, by the number of classes


def prove(
    measure: object,
    statement: object,
    *,
    classes: int | str = 2,
    domain: object = "all",
    undefined: Undefined = "resolve",
    constant: object = None,
    seconds: float | None = None,
) -> Certificate | None:
    """Return a certificate that the measure has the property for every n; None where no proof is found.

    >>> prove("accuracy", "symmetry", domain="regular").method
    'equal as rational functions on every support pattern'
    """
    if isinstance(measure, Family):
        return _for_every_exponent(measure, statement, classes, domain, undefined, seconds)
    try:
        return Proof(
            as_measure(measure), statement_of(statement), classes, domain_of(domain), undefined, seconds
        ).found()
    except (NoProof, Outside):
        return None


def prove_says_nothing(
    measure: object,
    statement: object,
    *,
    classes: int = 2,
    domain: object = "all",
    undefined: Undefined = "resolve",
    readable: bool = True,
) -> Certificate | None:
    """Return a certificate that a statement speaks of no matrix on which the measure has a value; None without proof.

    ``readable``: whether the definition can be read with symbols. If not, only the domain can make it vacuous.

    >>> prove_says_nothing("accuracy", "sebastiani_imb", domain="regular").vacuous
    True
    """
    try:
        attempt = Proof(as_measure(measure), statement_of(statement), classes, domain_of(domain), undefined, None)
        return attempt.of_nothing(readable=readable)
    except (NoProof, Outside):
        return None


def _for_every_exponent(
    family: Family, statement: object, classes: int | str, domain: object, undefined: Undefined, seconds: float | None
) -> Certificate | None:
    """Return a certificate for every real exponent, from one for positive exponents and one for all others."""
    parts = [
        prove(x, statement, classes=classes, domain=domain, undefined=undefined, seconds=seconds)
        for x in with_open_exponent(family)
    ]
    first = parts[0]
    if first is None or any(x is None or dict(x.constants) != dict(first.constants) for x in parts):
        return None
    found = tuple(x for x in parts if x is not None)
    steps = ProofStep.EVERY_EXPONENT, *first.steps
    name = f"{family.name}({EVERY_EXPONENT})"
    return replace(
        first, measure=name, family=family.name, exponents=EVERY_EXPONENT, method=words_of(steps), steps=steps,
        cases=(), parts=found,
    )  # fmt: skip


class Proof:
    """One attempt to prove one statement."""

    def __init__(
        self,
        measure: Measure,
        statement: Statement,
        classes: int | str,
        domain: Domain,
        undefined: Undefined,
        seconds: float | None,
    ) -> None:
        if not statement.fits(classes) or (measure.classes == 2 and classes != 2):
            raise NoProof("the statement or the measure speaks of another number of classes")
        self.measure, self.statement, self.classes, self.domain = measure, statement, classes, domain
        self.undefined = statement.policy or undefined
        self.policy = policy_of(self.undefined)
        self.seconds = seconds

    def found(self) -> Certificate:
        """Return the certificate; `NoProof` or `Outside` where there is none."""
        self._must_be_recorded()
        if self.classes == "every":
            return self._for_every_number()
        m = int(self.classes)
        if m > 2 and self.measure.classes is None:
            general = prove(self.measure, self.statement, classes="every", domain=self.domain, undefined=self.undefined)
            if general is not None:
                return self._instance(general, m)
        until = time.process_time() + self._limit(m)
        try:
            return self._on_the_domain(m)
        except (NoProof, Outside):
            left = until - time.process_time()
            if self.domain == ALL or self.statement.kind not in kinds.UNIVERSAL or left <= 0:
                raise
            wider = Proof(self.measure, self.statement, self.classes, ALL, self.undefined, left).found()
            return self._certificate(
                ProofStep.ON_ALL_MATRICES, [], inner=wider.steps, constants=wider.constants, parts=(wider,)
            )

    def _must_be_recorded(self) -> None:
        """Refuse a definition that has no tree for the number of classes."""
        try:
            found = self.measure.recorded
            tree = found.general() if self.classes == "every" else found.tree(int(self.classes))
        except GoodmeasureError as error:
            raise NoProof(str(error)) from None
        if tree is None:
            raise NoProof("the definition writes classes out")

    def _on_the_domain(self, m: int) -> Certificate:
        """Return the certificate for m classes on the domain, with or without the order of some values left open."""
        open_first = self.statement.kind != kinds.MOVES  # along a move, splitting by the order of cells is simpler
        reader = self._reader(m, open_order=open_first)
        try:
            return self._by_kind(reader, m)
        except (NoProof, Outside):
            if self.statement.kind == kinds.INVARIANCE:  # it is about matrices with values only
                return self._by_kind(self._reader(m, open_order=open_first, supposing=True), m)
            if not reader.orthant.extremes or self.statement.kind == kinds.DISTANCE:
                raise
        return self._by_kind(self._reader(m, open_order=not open_first), m)

    def _limit(self, m: int) -> float:
        """Return the processor time for one attempt, in seconds."""
        return self.seconds if self.seconds is not None else SECONDS.get(m, 120.0)

    def of_nothing(self, *, readable: bool) -> Certificate:
        """Return the certificate that the statement is vacuous; `NoProof` or `Outside` where there is none."""
        reader = self._reader(int(self.classes))
        if says_nothing_anywhere(reader, self.statement, self.domain):
            return replace(self._certificate(ProofStep.NO_CASE, []), vacuous=True)
        if not readable:
            raise NoProof("the definition cannot be read")
        nodes = prove_vacuous(reader, self.statement, self.domain)
        return replace(self._certificate(ProofStep.NO_VALUE, nodes), vacuous=True)

    def _reader(self, m: int, *, open_order: bool = True, supposing: bool = False) -> Reader:
        """Return the measure as it is read on matrices of m classes."""
        until = time.process_time() + self._limit(m)
        return reader_of(self.measure, m, self.policy, until, open_order=open_order, supposing=supposing)

    def _instance(self, general: Certificate, m: int) -> Certificate:
        """Return the certificate for m classes from that for every number of classes."""
        known = dict(general.constants)
        if self.statement.kind in (kinds.EXPECTATION, kinds.INDEPENDENT):  # a function of m, taken at this m
            known = {name: str(self._base()) for name in known}
        return self._certificate(
            ProofStep.EVERY_NUMBER_OF_CLASSES, [], inner=general.steps, constants=known, parts=(general,)
        )

    def _for_every_number(self) -> Certificate:
        """Return a certificate for every number of classes, by sums over classes or for an average."""
        for way in (self._by_class_sums, self._by_guesses):
            try:
                return way()
            except (NoProof, Outside):
                continue
        return self._by_averaging()

    def _by_guesses(self) -> Certificate:
        """Return a certificate that guessing scores a constant for every number of classes (see `guesses.py`)."""
        s = self.statement
        if s.kind != kinds.INDEPENDENT or s.uniform:
            raise NoProof("not about guesses")
        nodes, base = prove_guesses(every_m.every_of(self.measure, self.policy, self.domain))
        if s.across_m and base.depends_on_m:
            raise NoProof("the constant depends on the number of classes")
        known = {s.constants[0]: str(base.text)}
        return self._certificate(ProofStep.INDEPENDENT_CELLS, nodes, constants=known)

    def _by_averaging(self) -> Certificate:
        """Return a certificate for an average of a binary measure that has the property, if averaging preserves it.

        The arguments are in `verify/preservation.py`. Where every class occurs in both labelings, so do both classes of
        each binary matrix, so the binary measure needs its property, and values, on the domain "regular" only.
        Otherwise it needs them on all matrices.
        """
        inner = self.measure.parameters.get("measure")
        if not isinstance(inner, Measure):
            raise NoProof("not an average of a measure")
        averaging = next((x for x in AVERAGING if averaged_name(x, inner.name) == self.measure.name), "")
        facts, domains = FACTS.get((averaging, self.statement.name), ((), ()))
        if not facts or self.domain.name not in domains or self.domain.name == "non-unary":
            raise NoProof("averaging does not preserve it")
        part = prove(inner, self.statement, classes=2, domain=self.domain, undefined=self.undefined)
        if part is None:
            raise NoProof("the averaged measure is not shown to have the property")
        return self._certificate(
            ProofStep.AVERAGING,
            [{"averaging": averaging, "proof": {"by": "averaging"}}],
            constants=part.constants,
            parts=(part,),
        )

    def _by_class_sums(self) -> Certificate:
        """Return a certificate for every number of classes (see `every_m.py`)."""
        s, kind = self.statement, self.statement.kind
        if not is_class_symmetric(self.measure):
            raise NoProof("classes may be treated differently")
        if s.maps is class_permutations:
            return self._certificate(ProofStep.CLASSES_ALIKE, [])
        every = every_m.every_of(self.measure, self.policy, self.domain)
        if kind == kinds.MOVES:
            return self._certificate(ProofStep.TWO_CLASSES_CHANGE, every_m.prove_moves(every, s))
        if kind == kinds.INVARIANCE and (s.scales == "matrix" or s.name == "symmetry"):
            nodes = every_m.prove_scale(every) if s.scales else every_m.prove_symmetry(every)
            return self._certificate(ProofStep.EQUAL_CLASS_SUMS, nodes)
        if kind in (kinds.EXTREME, kinds.DISTANCE):
            return self._extreme_of_every(every)
        if kind == kinds.DECOMPOSABLE:
            nodes = every_m.prove_mean_of_scores(every)
            return self._certificate(ProofStep.MEAN_OF_SCORES, nodes, constants={s.constants[0]: "1"})
        if kind in (kinds.EXPECTATION, kinds.INDEPENDENT) and not s.uniform and self.domain.name == "regular":
            if kind == kinds.EXPECTATION:
                nodes, base = every_m.prove_expectation(every)
            else:
                nodes, base = every_m.prove_independent(every)
            if s.across_m and base.depends_on_m:
                raise NoProof("the constant depends on the number of classes")
            known = {s.constants[0]: base.text or str(self.measure.exact([[1, 1], [1, 1]], undefined=self.undefined))}
            return self._certificate(ProofStep.CLASS_SUMS, nodes, constants=known)
        raise NoProof(f"no way to prove {s.name} for every number of classes")

    def _extreme_of_every(self, every: Every) -> Certificate:
        """Return the certificate of an extreme, or a distance, for every m; c_max is read off two and three classes."""
        found = set()
        distance = self.statement.kind == kinds.DISTANCE
        diagonal = distance or self.statement.at == kinds.DIAGONAL
        for m in (2, 3):
            rows = [[int((i == j) == diagonal) for j in range(m)] for i in range(m)]
            found.add(self.measure.exact(rows, undefined=self.undefined))
        if len(found) != 1 or not next(iter(found)).is_rational:
            raise NoProof("not the same rational constant for every number of classes")
        best = found.pop()
        known = {self.statement.constants[0]: str(best)}
        if distance:
            nodes = every_m.prove_distance(every, best.as_fraction())
            return self._certificate(ProofStep.ERRORS, nodes, constants=known)
        nodes = every_m.prove_extreme(every, self.statement, best.as_fraction())
        return self._certificate(ProofStep.CLASS_BY_CLASS, nodes, constants=known)

    def _by_kind(self, reader: Reader, m: int) -> Certificate:
        """Return the certificate for m classes, in the way that fits the kind of the statement."""
        s, domain, kind = self.statement, self.domain, self.statement.kind
        symmetric = m > 2 and is_class_symmetric(self.measure)
        reader.alike = symmetric
        if kind == kinds.MOVES:
            nodes = prove_moves(reader, s, domain, symmetric=symmetric)
            return self._certificate(ProofStep.SIGNS, nodes, symmetric=symmetric)
        if kind == kinds.EXTREME:
            nodes, places = prove_extreme(reader, s, domain, symmetric=symmetric)
            return self._certificate(ProofStep.SIGNS, nodes, places=places, symmetric=symmetric)
        if kind == kinds.INVARIANCE:
            if symmetric and s.maps is class_permutations:
                return self._certificate(ProofStep.CLASSES_ALIKE, [])
            try:
                nodes = prove_invariance(reader, s, domain, symmetric=symmetric)
            except (NoProof, Outside):
                if s.maps is class_permutations and self.measure.classes is None and is_class_symmetric(self.measure):
                    return self._certificate(ProofStep.CLASSES_ALIKE, [])
                raise
            return self._certificate(ProofStep.EQUAL_FUNCTIONS, nodes, symmetric=symmetric)
        if kind == kinds.EXPECTATION and s.uniform:
            return self._guessing(reader, m)
        if kind == kinds.EXPECTATION:
            nodes, base = prove_expectation(reader, s, domain)
            return self._certificate(ProofStep.AFFINE, nodes, base=base)
        if kind == kinds.INDEPENDENT and not s.across_m:
            nodes, base = prove_independent(reader, s, domain)
            return self._certificate(ProofStep.INDEPENDENT_CONSTANT, nodes, base=base)
        if kind == kinds.FLATNESS:
            nodes, base = prove_flatness(reader, s)
            return self._certificate(ProofStep.DERIVATIVES, nodes, base=base)
        if kind == kinds.DISTANCE:
            return self._distance(reader)
        return self._about_definedness(reader, symmetric=symmetric)

    def _about_definedness(self, reader: Reader, *, symmetric: bool) -> Certificate:
        """Return the certificate of the remaining kinds: definedness, ranges, smoothness, class indifference."""
        s, domain, kind = self.statement, self.domain, self.statement.kind
        if kind in (kinds.DEFINED, kinds.DEFINED_TOGETHER):
            nodes = prove_defined(reader, domain, together=kind == kinds.DEFINED_TOGETHER, symmetric=symmetric)
            return self._certificate(ProofStep.EVERY_SUPPORT, nodes, symmetric=symmetric)
        if kind == kinds.RANGE:
            nodes, places = prove_range(reader, domain, symmetric=symmetric)
            return self._certificate(ProofStep.BOUNDS, nodes, places=places, symmetric=symmetric)
        if kind == kinds.TRIVIAL:
            nodes, places = prove_trivial(reader, s, domain)
            return self._certificate(ProofStep.EVERY_SUPPORT, nodes, places=places)
        if kind == kinds.SMOOTH:
            return self._certificate(ProofStep.SMOOTH_FORMULA, prove_smooth(reader, domain))
        if kind == kinds.CHANCE_BOUND:
            nodes, omega = prove_chance_bound(reader, domain, self._exact)
            known = {s.constants[0]: str(omega)}
            return self._certificate(ProofStep.CONSTANT_GUESS, nodes, constants=known)
        if kind == kinds.DECOMPOSABLE:
            nodes, p = prove_decomposable(reader, domain, symmetric=symmetric)
            known = {s.constants[0]: str(p)}
            return self._certificate(ProofStep.ANCHORED_VALUES, nodes, constants=known, symmetric=symmetric)
        if kind == kinds.INDIFFERENT:
            return self._certificate(
                ProofStep.EQUAL_VALUES,
                prove_indifferent(reader, domain, symmetric=symmetric),
                symmetric=symmetric,
            )
        raise NoProof(f"no way to prove {s.name}")

    def _guessing(self, reader: Reader, m: int) -> Certificate:
        """Return the certificate of an average over random guesses: by rotations, else from a constant baseline."""
        (name,) = self.statement.constants
        try:
            nodes, where = rotations(reader, self.domain)
        except (NoProof, Outside):
            part = prove(
                self.measure,
                "constant_baseline",
                classes=self.classes,
                domain=self.domain,
                undefined=self.undefined,
                seconds=self.seconds,
            )
            if part is None:
                raise
            nodes = by_sizes(reader, self.domain, self._base())
            return self._certificate(
                ProofStep.CONSTANT_FOR_SIZES, nodes, constants={name: part.constants["c_base"]}, parts=(part,)
            )
        known = {name: str(mean_of_rotations(self.measure, where, m, self.undefined))}
        return self._certificate(ProofStep.RENAMED_PREDICTIONS, nodes, constants=known)

    def _distance(self, reader: Reader) -> Certificate:
        """Return the certificate of a distance, from symmetry, maximal agreement and the triangle inequality."""
        nodes = prove_triangle(reader, self.domain)  # first, as it is what most measures fail at
        parts = []
        for name in ("symmetry", "maximal_agreement"):
            part = prove(
                self.measure,
                name,
                classes=self.classes,
                domain=self.domain,
                undefined=self.undefined,
                seconds=self.seconds,
            )
            if part is None:
                raise NoProof(f"no proof of {name}")
            parts.append(part)
        gram = any(node["proof"]["by"] in (GRAM, GRAM_OF_PAIRS) for node in nodes)
        step = ProofStep.GRAM if gram else ProofStep.TRIANGLE
        return self._certificate(step, nodes, constants=parts[1].constants, parts=tuple(parts))

    def _certificate(
        self,
        step: ProofStep,
        nodes: list[CertificateNode],
        *,
        inner: ProofSteps = (),
        places: Mapping[str, Support] | None = None,
        base: object = None,
        constants: Mapping[str, str] | None = None,
        symmetric: bool = False,
        parts: tuple[Certificate, ...] = (),
    ) -> Certificate:
        """Return the certificate; ``places`` are supports to read constants on, ``base`` asks for the baseline.

        ``inner``: the steps of the proof that it rests on, if it adds one step to them.
        """
        known = dict(constants or {})
        for name, support in (places or {}).items():
            known[name] = str(self._at(support))
        if base is not None:
            known[self.statement.constants[0]] = str(self._base())
        return Certificate(
            statement=self.statement.name,
            measure=self.measure.name,
            definition=definition_of(self.measure),
            classes=self.classes,
            domain=self.domain.name,
            undefined=str(self.policy),
            method=words_of((step, *inner)),
            cases=tuple(nodes),
            constants=known,
            symmetric=symmetric,
            parts=parts,
            steps=(step, *inner),
            family=self.measure.of_family if isinstance(self.measure, OpenMeasure) else "",
            exponents=self.measure.exponents if isinstance(self.measure, OpenMeasure) else "",
        )

    def _at(self, support: Support) -> Exact:
        """Return the exact value of the matrix with one item in each cell of a support."""
        m = int(self.classes)
        return self._exact([list(support[i * m : (i + 1) * m]) for i in range(m)])

    def _exact(self, rows: object) -> Exact:
        """Return the exact value on a matrix, in the measure's own sign."""
        value: Exact = self.measure.exact(rows, undefined=self.undefined)
        return value

    def _base(self) -> Exact:
        """Return the exact value of the matrix of ones: independent labelings in which every class occurs."""
        m = int(self.classes)
        return self._exact([[1] * m for _ in range(m)])


def is_class_symmetric(measure: Measure) -> bool:
    """Return whether the form of a measure's tree shows that it treats all classes alike."""
    return treats_classes_alike(measure.recorded.general())
