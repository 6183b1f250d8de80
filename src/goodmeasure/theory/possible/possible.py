"""`gm.possible`: decide whether a measure can have some properties together."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from fractions import Fraction

from goodmeasure.exceptions import CertificateError, InputError, UnverifiedProof, warn
from goodmeasure.progress import shows_progress
from goodmeasure.theory.kernel import Refused, check
from goodmeasure.theory.possible.answer import Impossible, Possible, plain, rows_certificate, table_certificate
from goodmeasure.theory.possible.demands import Matrix
from goodmeasure.theory.possible.farkas import Weighted, contradiction, solver
from goodmeasure.theory.possible.lift import lifted
from goodmeasure.theory.possible.orbits import Orbits
from goodmeasure.theory.possible.program import LinearProgram, ProgramTooLarge, demands_nothing, is_linear
from goodmeasure.theory.possible.witness_table import table
from goodmeasure.theory.statements import statement as kinds
from goodmeasure.theory.statements.domain import Domain, DomainLike, domain_of
from goodmeasure.theory.statements.lookup import statement as statement_of
from goodmeasure.theory.statements.statement import Statement
from goodmeasure.typing import ReadJson

FARTHEST = {2: 7, 3: 4, 4: 3}  # the greatest n that is searched if no n is given, by the number of classes
_FIRST = 5  # n = 1 … 5 are tried one by one, before the program of the n that was asked for


@shows_progress("searching")
def possible(
    *properties: str | Statement,
    n: int | None = None,
    sizes: Iterable[int] | None = None,
    classes: int = 2,
    domain: DomainLike = "all",
) -> Impossible | Possible:
    """Decide whether a measure can have some properties together, and return a table of values or a proof.

    Properties are named one by one, or in lists or tuples; those of a set are taken in alphabetical order.
    ``n``: consider all matrices of 1 … n items jointly, since a measure is one function on all of them. ``sizes``:
    consider only matrices of these numbers of items. Neither: try n = 1, 2, 3, … until the properties exclude each
    other, up to 7 for two classes, 4 for three and 3 for four.

    >>> print(possible("monotone", "distance", "constant_baseline").n)
    3
    >>> possible(["monotone", "distance"], n=3)([[1, 1], [0, 1]]) < 1
    True
    """
    start = time.perf_counter()
    asked = PossibilityQuestion(properties, classes, domain)
    if n is not None and sizes is not None:
        raise InputError(
            "n={n!r} asks for all sizes 1 … n, and sizes={sizes!r} for others",
            n=n,
            sizes=sizes,
            advice="give one of them",
        )
    solver()
    if sizes is not None:
        return asked.on(_sizes(sizes), start)
    return asked.up_to(_size(n, "n"), start) if n is not None else asked.search(start)


class PossibilityQuestion:
    """The question whether some properties are possible together, for m classes and a domain."""

    def __init__(self, properties: Iterable[object], classes: object, domain: object) -> None:
        self.m = _classes(classes)
        self.domain: Domain = domain_of(domain)
        found = {x.name: x for given in properties for x in _statements(given)}
        if not found:
            raise InputError(
                "no property was given", advice="name some, such as 'monotone', 'distance', 'constant_baseline'"
            )
        self.names = tuple(found)
        for of in found.values():
            _check_decidable(of, self.m, self.names, self.domain.name)
        self.linear = [x for x in found.values() if not demands_nothing(x)]

    def program(self, sizes: tuple[int, ...]) -> LinearProgram:
        """Return the linear program of the properties on matrices of these sizes, in orbits where it is large."""
        try:
            return LinearProgram(self.linear, sizes, self.m, self.domain)
        except ProgramTooLarge:
            if not Orbits(self.linear, sizes[:1], self.m, self.domain).maps:
                raise
            return Orbits(self.linear, sizes, self.m, self.domain)

    def contradiction(self, sizes: tuple[int, ...]) -> Weighted | None:
        """Return rows that contradict each other, or None; rows on the largest size alone if they are not more."""
        found = self._contradiction(sizes)
        if found is None or len(sizes) == 1:
            return found
        alone = self._contradiction(sizes[-1:])
        return found if alone is None or len(alone) > len(found) else alone

    def _contradiction(self, sizes: tuple[int, ...]) -> Weighted | None:
        program = self.program(sizes)
        found = contradiction(program.rows)
        return program.in_full(found) if found is not None and isinstance(program, Orbits) else found

    def on(self, sizes: tuple[int, ...], start: float) -> Impossible | Possible:
        """Return the answer for the matrices of some sizes only."""
        found = self.contradiction(sizes)
        return self._possible(sizes, None, start) if found is None else self._impossible(found, None, start)

    def known_contradiction(self) -> Impossible | None:
        """Return what the map knows: that some of the properties exclude each other."""
        from goodmeasure.theory.possible.knowledge import contradiction_of

        return contradiction_of(self.names, classes=self.m, domain=self.domain.name)

    def up_to(self, n: int, start: float) -> Impossible | Possible:
        """Return the answer for all matrices of 1 … n items jointly."""
        for k in [*range(1, min(n, _FIRST + 1)), n]:
            found = self.contradiction(tuple(range(1, k + 1)))
            if found is not None:
                return self._impossible(found, self._least(k, found), start)
        return self._possible(tuple(range(1, n + 1)), n, start)

    def search(self, start: float) -> Impossible | Possible:
        """Return the answer of a search over n = 1, 2, 3, … that stops when the properties exclude each other."""
        done = 0
        for n in range(1, FARTHEST[self.m] + 1):
            try:
                found = self.contradiction(tuple(range(1, n + 1)))
            except ProgramTooLarge:
                break
            if found is not None:
                return self._impossible(found, n, start)
            done = n
        return self.known_contradiction() or self._possible(tuple(range(1, done + 1)), done, start, searched=True)

    def _least(self, k: int, found: Weighted) -> int:
        """Return the least n at which the properties exclude each other, given that 1 … _FIRST and k were tried."""
        for n in range(_FIRST + 1, k):
            if self.contradiction(tuple(range(1, n + 1))) is not None:
                return n
        return k

    def _impossible(self, found: Weighted, n: int | None, start: float) -> Impossible:
        """Return the answer with a proof, and with one for every n if it is found; both are verified."""
        data = certificate(found, self.names, self.m, self.domain)
        _verified(data)
        for_every_n = lifted(data["statements"], data["sizes"], self.m, self.domain) if n is not None else None
        if for_every_n is not None:
            try:
                check(for_every_n)
            except Refused as error:  # the answer stands without it
                warn(f"{', '.join(data['statements'])}, for every n: {error}", UnverifiedProof)
                for_every_n = None
        return Impossible(self.names, self.m, self.domain.name, n, data, for_every_n, time.perf_counter() - start)

    def _possible(self, sizes: tuple[int, ...], n: int | None, start: float, searched: bool = False) -> Possible:
        """Return the answer with a table, after checking it."""
        program = self.program(sizes)
        values = table(program.rows, program.unknowns)
        found: dict[Matrix, Fraction] = {
            x: values[program.least(x) if isinstance(program, Orbits) else x] for n in sizes for x in program.listed(n)
        }
        _verified(table_certificate(self.names, sizes, self.m, self.domain.name, found))
        return Possible(
            self.names,
            self.m,
            self.domain.name,
            sizes,
            n,
            found,
            known_measure(self.names, self.m, self.domain.name),
            searched,
            time.perf_counter() - start,
        )


def _verified(data: Mapping[str, ReadJson]) -> None:
    """Verify a proof or a table before it is returned; raise an error that asks for a bug report if this fails."""
    try:
        check(data)
    except Refused as refusal:
        raise CertificateError(
            "an answer was found, but its verification failed ({why}): this is a bug of goodmeasure, please report it",
            why=refusal,
        ) from None


def known_measure(names: tuple[str, ...], m: int, domain: str) -> str | None:
    """Return a measure that is proved to have the properties for every n; None if none is known."""
    from goodmeasure.theory.possible.knowledge import measures_with

    return next(iter(measures_with(names, classes=m, domain=domain)), None)


def certificate(found: Weighted, names: tuple[str, ...], m: int, domain: Domain) -> dict[str, ReadJson]:
    """Return a contradiction as a certificate that names the statements and sizes which it needs."""
    rows = [
        {"statement": row.statement, "about": plain(row.about), "relation": row.relation, "multiplier": str(weight)}
        for weight, row in found
    ]
    unknowns = [x for _, row in found for x in row.form if not isinstance(x, str)]
    sizes = sorted({sum(map(sum, x)) for x in unknowns})
    used = {row.statement for _, row in found}
    if "sebastiani_fix" in used:
        used.add("sebastiani_mon")
    return rows_certificate(tuple(x for x in names if x in used), sizes, m, domain.name, rows)


def _statements(given: object) -> list[Statement]:
    """Return the properties that one argument names; a set has no order of its own, so its names are sorted."""
    if isinstance(given, (set, frozenset)):
        return sorted(map(statement_of, given), key=lambda x: x.name)
    return [statement_of(x) for x in (given if isinstance(given, (list, tuple)) else [given])]


def _check_decidable(of: Statement, m: int, names: tuple[str, ...], domain: str) -> None:
    """Raise an error if a property is not linear in the values of a measure, or needs another one."""
    if not of.fits(m) or (m > 2 and of.kind in (kinds.RANGE, kinds.TRIVIAL)):  # where a range ends is not linear there
        raise InputError(
            "{name} is about two classes, and {classes} is {m}",
            name=of.name,
            m=m,
            advice="leave it out, or use {classes:=2}",
        )
    if of.kind == kinds.RANGE and "sebastiani_mon" not in names:
        raise InputError("{name} is a linear demand only together with sebastiani_mon", name=of.name, advice="add it")
    if not is_linear(of) and not demands_nothing(of):
        known = known_measure(names, m, domain)
        raise InputError(
            "{name} is not a linear demand on the values of a measure, so it cannot be decided here",
            name=of.name, known=known,
            advice="leave it out" if known is None else "but {known} is proved to have all of these, for every n",
        )  # fmt: skip


def _classes(classes: object) -> int:
    if isinstance(classes, bool) or classes not in FARTHEST:
        raise InputError("{classes} is {got!r}", got=classes, advice="use 2, 3 or 4")
    return int(classes)


def _size(n: object, name: str) -> int:
    if isinstance(n, bool) or not isinstance(n, int) or n < 1:
        raise InputError("{argument} is {got!r}", argument=name, got=n, expected="a whole number from 1 on")
    return n


def _sizes(sizes: ReadJson) -> tuple[int, ...]:
    if isinstance(sizes, (str, int)):
        raise InputError("{sizes} is {got!r}", got=sizes, expected="a list of numbers of items, such as [3]")
    found = tuple(sorted({_size(x, "sizes") for x in sizes}))
    if not found:
        raise InputError("{sizes} is empty", expected="numbers of items, such as [3]")
    return found
