"""The atlas as theorems of the Coq library: each definition as data, examples of its values, and what is said of it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

from goodmeasure.catalogue.measure import Measure
from goodmeasure.catalogue.names import measure as named
from goodmeasure.language.exact.reals import UNDEFINED
from goodmeasure.language.record import CannotRecord
from goodmeasure.theory.atlas.atlas import Atlas, AtlasCell, opened
from goodmeasure.theory.proofs.coq_claims import Claims, CoqTheorem, flat, small_matrices
from goodmeasure.theory.proofs.coq_terms import CannotExport, Formulas, Loops, exact_term
from goodmeasure.theory.statements.verdict import PROVED, REFUTED
from goodmeasure.theory.statements.witness import MatrixRows

OPEN = Path(__file__).with_name("coq_open.txt")  # what the checkers in Coq were asked and did not decide, line by line
HEAD = """(* Written by `goodmeasure atlas --export coq`. *)
From Coq Require Import ZArith List.
From Goodmeasure Require Import Tree Statements Comparing Definedness Averages Decompositions Distances Flatness Every
  Examples Refutations.
Import ListNotations.
"""
_QED = "vm_cast_no_check (eq_refl true). Qed."
_LONGEST = {
    2: 400_000,
    3: 60_000,
    None: 400_000,
}  # characters of a file: few files start Coq, and each can be taken up again
_LONGEST_VALUE = 800  # characters of a value in an example: Coq does not see that a number of such roots is another one
_WEIGHTS = (5, 3, 2, 7, 11, 1, 13, 4, 6)  # cells of examples: few sums of them are equal
_THREE = (
    "accuracy", "balanced_accuracy", "kappa", "scott_pi", "hamann", "bennett_s", "zero_one_loss", "hamming_loss",
    "balanced_error", "k", "macro(recall)", "macro(precision)", "macro(f1)", "micro(f1)",
)  # fmt: skip
"""The measures whose theorems about three classes are written: for all of them Coq would need hours."""
_SUPPORTS_OF_THREE = (511, 273, 238, 84, 7, 448, 146, 73, 292, 27, 432, 283, 495, 510, 255, 479, 365, 186)
TheoremCounts = Counter[
    tuple[str, object, str, bool]
]  # by statement, number of classes, status and whether Coq has a theorem


@dataclass(frozen=True)
class Theorem:
    """A theorem and the term that proves it; ``key`` names what the atlas says, or a list of examples."""

    key: str
    name: str
    claim: CoqTheorem

    def __str__(self) -> str:
        return f"Theorem {self.name} : {self.claim.says}.\nProof. apply ({self.claim.proof}). {_QED}\n"


class Exported:
    """A measure for m classes: its formulas, with the rules for 0/0 and without, examples and theorems."""

    def __init__(self, measure: Measure, m: int, cells: Iterable[AtlasCell]) -> None:
        self.measure, self.m, self.cells = measure, m, list(cells)
        self.name = f"{coq_name(measure.name)}_{m}"
        self.bare = f"{self.name}_without_rules"

    @cached_property
    def formulas(self) -> dict[str, list[str]]:
        """Return the formulas by name."""
        tree = self.measure.recorded.tree(self.m)
        return {x: Formulas(tree, self.m, resolves=x == self.name).lines for x in (self.name, self.bare)}

    def definitions(self) -> str:
        return "".join(f"Definition {x} : formulas := [{'; '.join(lines)}].\n" for x, lines in self.formulas.items())

    def examples(self) -> list[Theorem]:
        """Return theorems on values of the formulas."""
        return [examples(x, x, self.measure, self.m, rules=x == self.name) for x in self.formulas]

    def theorems(self) -> Iterator[Theorem]:
        """Yield the theorems that the atlas calls for."""
        claims = Claims(self.measure, self.m, self.name, self.bare)
        for cell in self.cells:
            claim = claims.of(opened(cell)) if cell["status"] in (PROVED, REFUTED) else None
            if claim is not None:
                about = re.sub(r"\W+", "_", cell["property"]).strip("_")
                yield Theorem(key_of(cell), f"{self.name}_{about}_{cell['domain']}", claim)


class ExportedForEvery:
    """A measure for every number of classes, which treats classes alike."""

    def __init__(self, measure: Measure) -> None:
        tree = measure.recorded.general()
        if tree is None:
            raise CannotExport("a formula with classes that are written out")
        self.measure, self.name = measure, f"{coq_name(measure.name)}_every"
        self._lines = Loops(tree, self.name, resolves=True).lines

    def definitions(self) -> str:
        *parts, last = self._lines
        named_parts = [(f"{self.name}_{k}", x) for k, x in enumerate(parts)]
        lines = [f"Definition {name} : loop := {x}." for name, x in [*named_parts, (self.name, last)]]
        return "\n".join([f"Module {self.name}_loops.", "Import Loops.", *lines, f"End {self.name}_loops.", ""]) + (
            f"Import {self.name}_loops.\n"
        )

    def examples(self) -> list[Theorem]:
        """Return theorems on values for two and three classes."""
        return [
            examples(f"{self.name}_{m}", f"(for_classes {self.name} {m})", self.measure, m, rules=True) for m in (2, 3)
        ]

    def theorems(self) -> Iterator[Theorem]:
        """Yield the theorem that the measure treats classes alike."""
        says = f"forall m D, class_symmetry m D (for_classes {self.name} m)"
        claim = CoqTheorem(says, "class_symmetry_of_every_number")
        yield Theorem(f"{self.measure.name} class_symmetry every all", f"{self.name}_class_symmetry", claim)


def key_of(cell: AtlasCell) -> str:
    """Return the line that names a cell of the atlas."""
    return f"{cell['measure']} {cell['property']} {cell['classes']} {cell['domain']}"


def coq_name(name: str) -> str:
    """Return the name of a measure as Coq can write it.

    >>> coq_name("fbeta(beta=0.5)"), coq_name("generalized_mean(r=-inf)")
    ('fbeta_beta_0_5', 'generalized_mean_r_minus_inf')
    """
    return re.sub(r"\W+", "_", name.replace("-", "minus_")).strip("_")


def example_matrices(m: int) -> list[MatrixRows]:
    """Return matrices for examples: some of few items, and larger ones on which classes or cells are empty."""
    supports = range(1, 16) if m == 2 else _SUPPORTS_OF_THREE
    small = [x for x in small_matrices(m) if sum(flat(x)) <= (2 if m == 2 else 1)]
    large = []
    for support in supports:
        cells = [_WEIGHTS[k % len(_WEIGHTS)] * (support >> k & 1) for k in range(m * m)]
        large.append(tuple(tuple(cells[i * m : (i + 1) * m]) for i in range(m)))
    return [*small, *large]


def examples(name: str, formula: str, measure: Measure, m: int, *, rules: bool) -> Theorem:
    """Return a theorem that lists exact values of a formula, with the rules for 0/0 or without."""
    about = "every" if formula != name else m
    key = f"{measure.name} values{'' if rules else '_without_rules'} {about} {m}"
    return Theorem(
        key, f"{name}_values", CoqTheorem(f"has_values {formula} [\n  {_values(measure, m, rules)}]", "values_proved")
    )


@cache
def _values(measure: Measure, m: int, rules: bool) -> str:
    """Return the items of a list of values in Coq."""
    lines = []
    for rows in example_matrices(m):
        value = measure.exact(rows, undefined="resolve" if rules else "nan")
        text = "None" if value is UNDEFINED else f"Some {exact_term(value)}"
        if len(text) <= _LONGEST_VALUE:
            lines.append(f"([{'; '.join(map(str, flat(rows)))}]%nat, {text})")
    return ";\n  ".join(lines)


def _measure(name: str) -> Measure:
    found = named(name)
    assert isinstance(found, Measure)  # the atlas has no other ones
    return found


def exported(atlas: Atlas, m: int) -> Iterator[Exported]:
    """Yield the measures of an atlas that are defined for m classes; of three classes, some."""
    for name in atlas.measures if m == 2 else [x for x in atlas.measures if x in _THREE]:
        cells = [x for x in atlas.cells if x["measure"] == name and x["classes"] == m]
        if cells:
            yield Exported(_measure(name), m, cells)


def exported_for_every(atlas: Atlas) -> Iterator[ExportedForEvery]:
    """Yield the measures that treat classes alike, for every number of classes, as far as Coq has words for them."""
    for name in atlas.measures:
        try:
            yield ExportedForEvery(_measure(name))
        except (CannotExport, CannotRecord):
            continue


def open_theorems() -> frozenset[str]:
    """Return the keys of the theorems that the checkers in Coq do not decide."""
    return frozenset(OPEN.read_text(encoding="utf-8").splitlines())


def export(atlas: Atlas, folder: Path) -> TheoremCounts:
    """Write an atlas as files for Coq, without touching those that are as they should be; return what was asked."""
    folder.mkdir(parents=True, exist_ok=True)
    left, accepted, files = open_theorems(), set[str](), dict[str, str]()
    for m, title in ((2, "Two"), (3, "Three"), (None, "Every")):
        texts: list[str] = []
        for x in exported_for_every(atlas) if m is None else exported(atlas, m):
            values, theorems = x.examples(), [y for y in x.theorems() if y.key not in left]
            if any(y.key in left for y in values):  # then Coq cannot see that the formula is the measure's
                continue
            accepted.update(y.key for y in theorems)
            texts.append("".join([x.definitions(), *map(str, [*values, *theorems])]))
        for k, text in enumerate(_joined(texts, _LONGEST[m])):
            files[f"{title}_{k + 1:02}.v"] = HEAD + text
    for old in folder.glob("*.v"):
        if old.name not in files:
            old.unlink()
    for name, text in files.items():
        path = folder / name
        if not path.is_file() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")
    cells = [(x["property"], x["classes"], x["status"], key_of(x) in accepted) for x in atlas.cells]
    every = [("class_symmetry", "every", PROVED, True) for x in accepted if x.endswith(" class_symmetry every all")]
    return Counter([*cells, *every])


def _joined(texts: Iterable[str], longest: int) -> Iterator[str]:
    """Yield texts, joined as long as they do not become too long."""
    found = ""
    for text in texts:
        if found and len(found) + len(text) > longest:
            yield found
            found = ""
        found += text
    if found:
        yield found


def table(count: TheoremCounts) -> tuple[list[str], list[list[str]]]:
    """Return the columns and rows of a table: how many cells of the atlas are theorems, by statement and classes."""
    about = list(dict.fromkeys((name, m) for name, m, _, _ in sorted(count, key=str)))
    rows = []
    for name, m in about:
        row = [name, str(m)]
        for status in (PROVED, REFUTED):
            yes, no = (count[name, m, status, x] for x in (True, False))
            row.append(f"{yes}/{yes + no}" if yes + no else "")
        rows.append(row)
    totals = []
    for m in dict.fromkeys(m for _, m in about):
        row = ["all", str(m)]
        for status in (PROVED, REFUTED):
            yes, no = (
                sum(n for (_, k, s, y), n in count.items() if (k, s, y) == (m, status, x)) for x in (True, False)
            )
            row.append(f"{yes}/{yes + no}")
        totals.append(row)
    return ["statement", "m", "proved", "refuted"], rows + totals
