"""Theorems about properties: which exclude each other, for how many classes, with a proof in words and a certificate.

A statement about m classes holds for every greater number of classes too where it says so: a matrix of m classes is one
of m + 1 classes in which the last class does not occur (or, where every class must occur, in which one more item of the
last class is right). Every row of the proof is a row about the larger matrices (`padded`), and the kernel checks it.

The certificates are stored in `theorems.json`; `python -m goodmeasure.theory.possible.theorems` writes them anew.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path

from goodmeasure.theory.kernel import check
from goodmeasure.typing import ReadJson

FILE = "theorems.json"
ALL, NON_UNARY, REGULAR = "all", "non-unary", "regular"
WHERE = {
    ALL: "",
    NON_UNARY: ", even if neither labeling may be constant",
    REGULAR: ", even if every class must occur in both labelings",
}


@dataclass(frozen=True)
class Exclusion:
    """Properties that no measure has together, with the reason in words; ``sizes`` has the proof."""

    properties: tuple[str, ...]
    says: str
    proof: str
    classes: int = 2
    domain: str = ALL
    n: int = 3  # no proof on fewer items
    and_more: bool = False  # also for every greater number of classes

    @property
    def title(self) -> str:
        """Return the properties with the number of classes."""
        more = "or more classes" if self.and_more else "classes"
        return f"{', '.join(self.properties)}: {self.classes} {more}"


@dataclass(frozen=True)
class ProvedExclusion:
    """A theorem with its certificate on the fewest items, and the one for every n from some n on, if there is one."""

    theorem: Exclusion
    certificate: Mapping[str, ReadJson]
    for_every_n: Mapping[str, ReadJson] | None

    @property
    def scope(self) -> str:
        """Return for which numbers of items the properties exclude each other."""
        if self.for_every_n is None:
            return f"already on the matrices of {_listed(self.certificate['sizes'])} items"
        sizes = self.for_every_n["sizes"]
        alone = "" if len(sizes) == 1 else f" (on the matrices of {_listed(sizes)} items together)"
        return f"for every n ≥ {self.for_every_n['least']}{alone}"


THEOREMS = (
    # Gösgens and others
    Exclusion(
        ("Dist", "Mon", "CB"),
        "No distance is monotone and has a constant baseline (Theorem 1 of Gösgens et al.).",
        "Take two labelings with one error each against a third one between them, and two differences from "
        "each other. The constant baseline expresses each value with one error by the average over random "
        "guesses, and monotonicity makes the other matrices of these averages worse than M[0 1|1 1]. Then the "
        "two steps together are shorter than the direct way, against the triangle inequality.",
        and_more=True,
    ),
    Exclusion(
        ("Min", "Dist", "CB"),
        "No distance has minimal agreement and a constant baseline.",
        "The same triangle: minimal agreement gives the zero-diagonal matrices of these averages the value "
        "c_min, which lies below M[0 1|1 1]; this is what monotonicity gave.",
        and_more=True,
    ),
    Exclusion(
        ("Dist", "SMon", "CB"),
        "No distance is strongly monotone and has a constant baseline.",
        "The same triangle with one item more: strong monotonicity compares matrices of n and n + 1 items, "
        "and makes the guesses with more errors worse.",
        n=4,
    ),
    Exclusion(
        ("Min", "CB"),
        "With three or more classes, some of which may be absent, minimal agreement and a constant baseline "
        "exclude each other; so Statement 3 of Gösgens et al. can hold for no measure.",
        "If all items have one true class, the sizes of the predictions leave only one matrix, so its value "
        "is the baseline. One such matrix has a zero diagonal, and another one has not.",
        classes=3, n=2, and_more=True,
    ),
    Exclusion(
        ("Min", "ACB"),
        "The same for an approximate constant baseline.",
        "A constant true labeling makes every prediction independent of it: the matrix is the expected one. "
        "One such matrix has a zero diagonal, and another one has not.",
        classes=3, n=2, and_more=True,
    ),
    Exclusion(
        ("SMon", "CB"),
        "With three or more classes, some of which may be absent, no strongly monotone measure has a constant "
        "baseline.",
        "If all true items are of one class, the only guess with given sizes has the value of the baseline, "
        "for instance M[n−1 1 0|0 0 0|0 0 0]. Every guess for the true sizes (n − 1, 0, 1) comes from it by "
        "adding errors and leaving out right items, so it lies below the baseline, and so does their average.",
        classes=3, n=4, and_more=True,
    ),
    Exclusion(
        ("SMon", "ACB"),
        "The same for an approximate constant baseline.",
        "A constant true labeling is independent of every prediction, and so is M[0 1 1|0 0 0|0 1 1]. Two "
        "errors and a right item fewer lead from the one to the other, all of which lower the value.",
        classes=3, n=4, and_more=True,
    ),
    Exclusion(
        ("Min", "Mon", "CB"),
        "With three or more classes, minimal agreement, monotonicity and a constant baseline exclude each "
        "other.",
        "With one item of each of two true classes there are two guesses for given sizes. Two choices of "
        "sizes share the value c_min of the wrong guess, so their other guesses have one value; but one of "
        "these is right in both items, and the other one in one.",
        classes=3, domain=NON_UNARY, n=2, and_more=True,
    ),
    Exclusion(
        ("Max", "Min", "CB"),
        "With three or more classes, maximal agreement, minimal agreement and a constant baseline exclude "
        "each other.",
        "As before: the better one of two guesses is all right for one choice of sizes, and has an error for "
        "another.",
        classes=3, domain=NON_UNARY, n=2, and_more=True,
    ),
    Exclusion(
        ("Min", "Dist", "CB"),
        "With three or more classes, no distance has minimal agreement and a constant baseline.",
        "A distance has maximal agreement, so this follows from the theorem before.",
        classes=3, domain=NON_UNARY, n=2, and_more=True,
    ),
    Exclusion(
        ("Min", "SMon", "CB"),
        "With three or more classes, minimal agreement, strong monotonicity and a constant baseline exclude "
        "each other.",
        "The wrong guesses of two choices of sizes have the value c_min, which fixes the other guesses: M[1 0 "
        "0|0 1 0|0 0 0] is 2c_base − c_min, and M[1 0 0|0 0 0|0 2 0] is 3c_base − 2c_min. Strong monotonicity "
        "leads from the first one down to the second one, so c_min would lie above the baseline, which is an "
        "average of values that are c_min or greater.",
        classes=3, domain=NON_UNARY, n=3, and_more=True,
    ),
    # Sebastiani
    Exclusion(
        ("MON", "CB"),
        "No measure with Sebastiani's MON has a constant baseline, if all items may be of one class.",
        "If all items are positive (or all negative), the sizes of the predictions leave only one matrix, so "
        "every value is the baseline. MON says that fewer right predictions score less.",
        and_more=True,
    ),
    Exclusion(
        ("MON", "ACB"),
        "The same for an approximate constant baseline.",
        "A constant true labeling is independent of every prediction.",
        and_more=True,
    ),
    Exclusion(
        ("Sym", "MON", "IMB"),
        "No symmetric measure has Sebastiani's MON and IMB: the axioms that lead to K exclude the correlation "
        "coefficient, symmetric balanced accuracy and kappa in principle.",
        "IMB gives a constant prediction the same value for all true sizes. By symmetry, a constant true "
        "labeling has the same value for all sizes of the predictions. MON says that fewer right predictions "
        "score less.",
    ),
    Exclusion(
        ("Dist", "MON", "IMB"),
        "No distance has Sebastiani's MON and IMB.",
        "A distance is symmetric.",
    ),
    # Opitz
    Exclusion(
        ("MON", "PV strict"),
        "No measure with Sebastiani's MON is strictly chance corrected, if all items may be of one class.",
        "A single item that is right and one that is wrong are both independent of the true labeling, so both "
        "have the value of chance; MON tells them apart.",
        n=1, and_more=True,
    ),
    Exclusion(
        ("Max", "PV strict"),
        "No measure with maximal agreement is strictly chance corrected, if a labeling may be constant.",
        "One item, right or wrong: both matrices are independent, and only one is diagonal.",
        n=1, and_more=True,
    ),
    Exclusion(
        ("Min", "PV strict"),
        "No measure with minimal agreement is strictly chance corrected, if a labeling may be constant.",
        "One item, right or wrong: both matrices are independent, and only one has a zero diagonal.",
        n=1, and_more=True,
    ),
    Exclusion(
        ("Dist", "PV strict"),
        "No distance is strictly chance corrected, if a labeling may be constant.",
        "A distance has maximal agreement.",
        n=1, and_more=True,
    ),
    Exclusion(
        ("Mon", "CB", "PI"),
        "With three or more classes, some of which may be absent, no monotone measure with Opitz's property I "
        "has a constant baseline.",
        "If all true items are of one class, the value is that of the baseline. Both guesses for the true "
        "sizes (n, 1, 0) and the predicted sizes (n − 1, 0, 2) come from such matrices: one by two moves that "
        "monotonicity calls worse, and the other one by adding an error, which does not raise the value "
        "(property I). So their average lies below the baseline.",
        classes=3, and_more=True,
    ),
    Exclusion(
        ("Max", "CB", "PI"),
        "With three or more classes, some of which may be absent, no measure with maximal agreement and "
        "Opitz's property I has a constant baseline.",
        "Adding an error must not raise a value (property I), and lowers it if all was right. All guesses for "
        "the true sizes (n, 1, 0) and the predicted sizes (n − 1, 1, 1) come in this way from guesses for n "
        "items, and from M[n−1 1 0|0 0 0|0 0 0], whose value is the baseline. So their average lies below the "
        "baseline.",
        classes=3, and_more=True,
    ),
    Exclusion(
        ("Mon", "PI", "PV strict"),
        "With three or more classes, some of which may be absent, no monotone measure with Opitz's property I "
        "is strictly chance corrected.",
        "M[2 0 n−2|0 0 0|0 0 0] and M[0 0 n−1|0 0 1|0 0 0] are independent, so both have the value of chance. "
        "Adding an error to the first one, making another error, and leaving out a right item leads to the "
        "second one; the second step lowers the value, and the others do not raise it.",
        classes=3, and_more=True,
    ),
    # Prevalence invariance
    Exclusion(
        ("PIV", "Mon"),
        "With three or more classes, no measure is both prevalence invariant and monotone.",
        "M[0 0 1|1 1 0|0 0 2] = M[0 0 2|1 1 0|0 0 1]: scale the first row by 2 and the third one by 1/2. But "
        "the first matrix is the second one with an error made right, by changing the true label of an item "
        "from the first class to the third (the branch of Definition 6 that changes the true labeling).",
        classes=3, domain=REGULAR, n=5, and_more=True,
    ),
    Exclusion(
        ("PIV", "SMon"),
        "No measure is both prevalence invariant and strongly monotone.",
        "Doubling a row that holds errors only leaves the value as it is, and adds an error.",
        n=4, and_more=True,
    ),
    Exclusion(
        ("Sym", "Mon", "PIV"),
        "With two classes, no symmetric measure is prevalence invariant and monotone. So Opitz's advice "
        "(macro recall) and that of Gösgens et al. (symmetric measures) exclude each other.",
        "M[1 0|1 3] > M[1 0|2 2] by monotonicity, = M[3 0|1 1] by scaling, = M[3 1|0 1] by symmetry, > M[2 "
        "2|0 1] by monotonicity, = M[1 1|0 3] by scaling, = M[1 0|1 3] by symmetry.",
        n=5,
    ),
    Exclusion(
        ("Dist", "Mon", "PIV"),
        "With two classes, no distance is prevalence invariant and monotone.",
        "A distance is symmetric.",
        n=5,
    ),
    Exclusion(
        ("Sym", "MON", "PIV"),
        "No symmetric measure is prevalence invariant and has Sebastiani's MON, if a labeling may be "
        "constant.",
        "If all predictions are negative, the rows can be scaled to any sizes. By symmetry, a measure does "
        "not see what is predicted if all items are negative; MON does.",
    ),
    Exclusion(
        ("Dist", "CB", "PIV"),
        "No distance is prevalence invariant and has a constant baseline.",
        "The triangle of the first theorem: here scaling gives the zero-diagonal matrices of the averages the "
        "value of M[0 1|1 0], in the place of monotonicity.",
    ),
    Exclusion(
        ("Dist", "CB", "PI"),
        "No distance has Opitz's property I and a constant baseline.",
        "The triangle of the first theorem: adding an error to M[0 1|1 0] does not raise its value, in the "
        "place of monotonicity.",
    ),
    Exclusion(
        ("Min", "Sym", "CB", "PIV"),
        "With two classes, no symmetric measure with a constant baseline is prevalence invariant and has "
        "minimal agreement.",
        "The averages for three items give M[1 0|1 1] and M[1 1|0 1] in c_base and c_min. Scaling and "
        "symmetry carry them to five items, where two averages give M[0 1|1 1] in two ways: they agree only "
        "if c_base = c_min. But an average of five items has M[1 3|1 0], which lies above c_min.",
        n=5,
    ),
    Exclusion(
        ("Max", "Sym", "CB", "PIV"),
        "With two classes, no symmetric measure with a constant baseline is prevalence invariant and has "
        "maximal agreement.",
        "The averages over guesses, carried from three items to five by scaling and symmetry, express M[1 0|1 "
        "3] and M[3 1|0 1] by c_base and c_max. Both have errors, so they lie below c_max: the one only if "
        "c_base < c_max, and the other one only if c_base > c_max.",
        n=5,
    ),
)  # fmt: skip


@cache
def stored() -> tuple[ProvedExclusion, ...]:
    """Return the theorems with the certificates that come with the package."""
    found = json.loads(files("goodmeasure.theory.possible").joinpath(FILE).read_text(encoding="utf-8"))
    return tuple(ProvedExclusion(of, x["certificate"], x["for_every_n"]) for of, x in zip(THEOREMS, found, strict=True))


def padded(certificate: Mapping[str, ReadJson], m: int) -> dict[str, ReadJson]:
    """Return the proof about m classes, of which the last ones are absent, or have one right item each (regular)."""
    more = m - int(certificate["classes"])
    right = int(certificate["domain"] == REGULAR)

    def widened(x: ReadJson, name: str) -> ReadJson:
        if name == "part":
            return x
        rows = [widened(y, name) for y in x] if isinstance(x, list) and isinstance(x[0], list) else list(x)
        empty = _nothing_like(rows[0], m)
        added = [empty for _ in range(more)]
        if right and name in ("matrix", "after", "image"):
            size = len(rows)
            added = (
                [[int(size + k == j) for j in range(m)] for k in range(more)] if isinstance(rows[0], list) else added
            )
        return [*rows, *added]

    rows = [
        {**row, "about": {name: widened(x, name) for name, x in row["about"].items()}} for row in certificate["rows"]
    ]
    sizes = [n + right * more if isinstance(n, int) else n for n in certificate["sizes"]]
    return {**certificate, "classes": m, "sizes": sizes, "rows": rows}


def _nothing_like(x: ReadJson, m: int) -> ReadJson:
    return [_nothing_like(x[0], m) for _ in range(m)] if isinstance(x, list) else 0


def _listed(sizes: ReadJson) -> str:
    return " and ".join(str(x).replace("-", "−") for x in sizes)


def build(path: Path) -> None:
    """Find every theorem's certificates, let the kernel check them, and write them to a file."""
    from goodmeasure.theory.possible.answer import Impossible
    from goodmeasure.theory.possible.possible import possible

    found = []
    for of in THEOREMS:
        answer = possible(*of.properties, classes=of.classes, domain=of.domain, n=of.n)
        assert isinstance(answer, Impossible)
        every = answer.for_every_n
        for m in range(of.classes + 1, 6) if of.and_more else ():
            check(padded(answer.certificate, m))
            if every is not None:
                check(padded(every, m))
        found.append({"certificate": answer.certificate, "for_every_n": every})
    path.write_text(json.dumps(found, separators=(",", ":")) + "\n", encoding="utf-8")


if __name__ == "__main__":
    build(Path(__file__).with_name(FILE))
