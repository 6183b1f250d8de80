"""Compare the papers' tables of properties with the atlas, cell by cell."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from goodmeasure.catalogue.literature import AVERAGES, FAILED, TABLE_2, TABLE_5, tables
from goodmeasure.catalogue.names import measures as in_catalogue
from goodmeasure.exceptions import InputError
from goodmeasure.paper_names import AXIOMS, GOESGENS, OPITZ, SEBASTIANI
from goodmeasure.theory.atlas.atlas import Atlas, stored
from goodmeasure.theory.atlas.preservation import Preservation
from goodmeasure.theory.statements.averages import OVER_ALL
from goodmeasure.theory.statements.lookup import statement
from goodmeasure.theory.statements.verdict import REFUTED, SIGNS, Verdict

KnownVerdict = Verdict | Preservation

# The measures that measures of Table 5 become by calibration (§4.2, §4.6, §4.7). As functions of the calibrated counts
# they are means over classes; as functions of the original counts they are not.
CALIBRATED_ALIKE = {"weighted(f1)": "macro(f1)", "accuracy": "macro(recall)", "kappa": "macro(recall)"}
PRINTED = {"y": "✓", "n": "✗", "y2": "✓/✗", "n(y)": "✗(✓)"}
DEPENDS = "*"  # marks a cell that depends on whether every class occurs in both labelings
# Verdicts that differ in their domain only: on all matrices, where every class occurs, and what may be absent.
WITH_ABSENT = (
    ("m = 2", "m = 2, regular", "one of two classes"),
    ("m = 3", "m = 3, regular", "some of three classes"),
    ("all", "regular", "classes"),
)


OWN = "macro(classes='present')"  # the macro average that no table prints


@dataclass(frozen=True)
class ComparedCell:
    """One printed cell, the verdicts on it, and whether they agree."""

    row: str
    column: str
    printed: str | None  # None: the paper prints nothing of the kind
    known: tuple[tuple[str, KnownVerdict], ...]
    agrees: bool
    remark: str = ""

    @property
    def ours(self) -> str:
        """Return the verdicts as signs, marked where they depend on the domain."""
        signs = " ".join(dict.fromkeys(sign_of(x) for _, x in self.known))
        return signs + (DEPENDS if self.depends else "")

    @property
    def depends(self) -> bool:
        """Return whether a property is lost, for one number of classes, on one of two domains only."""
        return bool(_only_where_absent(self.known))

    @property
    def evidence(self) -> list[tuple[str, KnownVerdict]]:
        """Return the verdicts that contradict the printed cell: counterexamples, or the proofs where ✗ is printed."""
        refuted = [(about, x) for about, x in self.known if x.status == REFUTED]
        if self.printed == "✗":
            return [(about, x) for about, x in self.known if x.status != REFUTED]
        return refuted or list(self.known)

    def to_dict(self) -> dict[str, object]:
        """Return the cell as plain data, without certificates."""
        known = []
        for about, x in self.known:
            data = {"about": about, "status": x.status, "n": x.n, "domain": x.domain, "classes": x.classes}
            witness = getattr(x, "witness", None)
            known.append({**data, "witness": None if witness is None else witness.to_dict()})
        return {"row": self.row, "column": self.column, "printed": self.printed, "ours": self.ours,
                "agrees": self.agrees, "remark": self.remark, "known": known}  # fmt: skip


def sign_of(known: KnownVerdict) -> str:
    """Return a verdict as a sign with its n."""
    return SIGNS[known.status] + ("" if known.n is None or known.status == "proved" else str(known.n))


def compare(table: str, atlas: Atlas | None = None) -> list[ComparedCell]:
    """Return every cell of a printed table with the verdicts on it.

    >>> [x.row for x in compare("goesgens2021:table2") if not x.agrees and x.column == "Mon"]
    ['F1(binary)', 'J(binary)', 'BA', 'Weighted']
    """
    if table not in COMPARISONS:
        raise InputError("{table} is {got!r}", got=table, known=", ".join(COMPARISONS), advice="use one of {known}")
    return COMPARISONS[table](stored() if atlas is None else atlas)


def _table_2(atlas: Atlas) -> list[ComparedCell]:
    """Return the cells of Table 2 of Gösgens et al."""
    printed = tables()["goesgens2021:table2"]
    found = []
    for label, name in TABLE_2.items():
        for column, cell in zip(printed["columns"], printed["rows"][label], strict=True):
            if name in AVERAGES:
                known = _averaged(atlas, name, column)
                agrees = (cell == "n") == any(x.status == REFUTED for about, x in known if about == "regular")
            else:
                known = _of_measure(atlas, name, column, binary="binary" in label)
                agrees = _agrees_2(cell, known)
            found.append(ComparedCell(label, column, PRINTED[cell], tuple(known), agrees, _scope(agrees, known)))
    return found


def own_averages(atlas: Atlas | None = None) -> list[ComparedCell]:
    """Return what Table 2 would say of the macro average over the classes that occur, the default of `gm.macro`.

    The paper's is over all classes. The two differ where a class occurs in neither labeling.
    """
    known = stored() if atlas is None else atlas
    return [
        ComparedCell("Macro over classes that occur", column, None, tuple(_averaged(known, OWN, column)), True)
        for column in tables()["goesgens2021:table2"]["columns"]
    ]


def _of_measure(atlas: Atlas, name: str, column: str, *, binary: bool) -> list[tuple[str, KnownVerdict]]:
    measure = "generalized_mean(r=1)" if name == "generalized_mean" else name
    cases = [
        ("m = 2", 2, "all"),
        ("m = 2, regular", 2, "regular"),
        *([] if binary else [("m = 3", 3, "all"), ("m = 3, regular", 3, "regular")]),
    ]
    return [(about, atlas.verdict(measure, column, classes=m, domain=domain)) for about, m, domain in cases]


def _agrees_2(cell: str, known: list[tuple[str, KnownVerdict]]) -> bool:
    """Return whether a cell of Table 2 agrees with the verdicts for two and for three classes."""
    lost = {about: x.status == REFUTED for about, x in known}
    two, more = lost["m = 2"], lost.get("m = 3, regular", False)
    if cell == "y2":
        return more and not two
    return (two or more) if cell == "n" else not (two or more)


def _only_where_absent(known: Iterable[tuple[str, KnownVerdict]]) -> list[str]:
    """Return in which cases a property is lost on all matrices, and kept where every class occurs."""
    lost = {about: x.status == REFUTED for about, x in known}
    return [words for all_, regular, words in WITH_ABSENT if lost.get(all_, False) and not lost.get(regular, True)]


def _scope(agrees: bool, known: list[tuple[str, KnownVerdict]]) -> str:
    """Return a remark on where the property is lost, if not everywhere; empty text otherwise."""
    lost, absent = {about for about, x in known if x.status == REFUTED}, _only_where_absent(known)
    if not agrees and lost <= {"m = 2", "m = 3"}:
        return "only where a class may be absent"
    if not agrees and lost <= {"m = 3", "m = 3, regular"}:
        return "only for three or more classes"
    return f"lost where {' and '.join(absent)} may be absent" if absent else ""


def _averaged(atlas: Atlas, name: str, column: str) -> list[tuple[str, KnownVerdict]]:
    wanted, averaging = statement(column).name, {"macro": OVER_ALL, OWN: "macro"}.get(name, name)
    return [(x.domain, x) for x in atlas.averages if x.averaging == averaging and x.property == wanted]


def _table_5(atlas: Atlas) -> list[ComparedCell]:
    """Return the cells of Table 5 of Opitz."""
    printed = tables()["opitz2024:table5"]
    found = []
    for label, names in TABLE_5.items():
        for column, cell in zip(printed["columns"], printed["rows"][label], strict=True):
            found.append(_of_table_5(atlas, label, names, column, cell))
    return found


def _of_table_5(atlas: Atlas, label: str, names: tuple[str, ...], column: str, cell: str) -> ComparedCell:
    """Return one cell of Table 5: a property, also after calibration, or the strength of chance correction."""

    def verdict(measure: str, name: str) -> Verdict:
        return atlas.verdict(measure, name, classes=3, domain="regular")

    def lost(known: list[tuple[str, KnownVerdict]]) -> bool:
        return any(x.status == REFUTED for _, x in known)

    known: list[tuple[str, KnownVerdict]] = [(name, verdict(name, column)) for name in names]
    remark, plain = "", cell if cell in PRINTED else "chance"
    if plain == "chance":
        stronger = {"1/n": "PV strict", "1/n strict": "PV complete", "0 complete": ""}[cell]
        wanted = {"1/n": "PV", "1/n strict": "PV strict", "0 complete": "PV complete"}[cell]
        known = [(f"{name}, {wanted}", verdict(name, wanted)) for name in names]
        beyond: list[tuple[str, KnownVerdict]] = [(f"{x}, {stronger}", verdict(x, stronger)) for x in names if stronger]
        agrees = not lost(known) and (not stronger or lost(beyond))
        return ComparedCell(label, column, f"✓ {cell}", (*known, *beyond), agrees, remark)
    after: list[tuple[str, KnownVerdict]] = []
    if plain != "y":
        after = [(f"calibrated({x})", verdict(f"calibrated({x})", column)) for x in names]
        alike = CALIBRATED_ALIKE.get(names[0])
        if column == "PIII" and alike and lost(after):
            after = [(f"{alike}, which it is on calibrated counts", verdict(alike, column))]
            remark = "it is a mean over classes of the calibrated counts, but not of the original counts"
    agrees = {"y": not lost(known), "n": lost(known) and lost(after), "n(y)": lost(known) and not lost(after)}[plain]
    if plain == "n" and not agrees:
        remark = f"calibration makes it {CALIBRATED_ALIKE[names[0]]}, shifted and scaled (§4.7), which has the property"
    if plain == "y" and (extra := _calibration_costs(verdict, names, column)):
        remark = extra
    return ComparedCell(label, column, PRINTED[plain], (*known, *after), agrees, remark)


def _calibration_costs(verdict: Callable[[str, str], Verdict], names: tuple[str, ...], column: str) -> str:
    """Return a remark if calibration costs a measure the property; empty text otherwise."""
    for name in names:
        try:
            after = verdict(f"calibrated({name})", column)
        except KeyError:
            continue
        if after.status == REFUTED and column == "PI" and after.witness is not None:
            return f"calibration costs it: {after.witness.says}"
    return ""


def _properties(atlas: Atlas) -> list[ComparedCell]:
    """Return the axioms that Sebastiani's Properties 4.1–5.8 say a measure fails or satisfies."""
    found = []
    for name, (where, failed) in FAILED.items():
        for measure, m in _judged(name):
            for axiom in failed.split() or AXIOMS:
                verdict = atlas.verdict(measure, axiom, classes=m)
                agrees = (verdict.status == REFUTED) == bool(failed)
                remark = _WITH_COSTS if not agrees and axiom == "SYM" else ""
                row, printed = f"{measure}, m = {m} ({where})", "✗" if failed else "✓"
                found.append(ComparedCell(row, axiom, printed, ((f"m = {m}", verdict),), agrees, remark))
    return found


_WITH_COSTS = "only if the costs stay where they are: renamed together with the classes, they change nothing"


def _judged(name: str) -> list[tuple[str, int]]:
    """Return which measures stand for a row, each with the number of classes that the paper speaks of.

    §6.1 speaks of K with more classes, §6.2 of K with costs; both are judged for three classes.
    """
    more = [(x.name, 3) for x in in_catalogue(classes=3) if x.stem == name]
    if name == "k":
        return [(name, 2), *more]
    return more if name in ("k_cost", "k_ordinal") else [(name, 2)]


COMPARISONS: dict[str, Callable[[Atlas], list[ComparedCell]]] = {
    "goesgens2021:table2": _table_2,
    "opitz2024:table5": _table_5,
    "sebastiani2015:properties": _properties,
}
TITLES = {
    "goesgens2021:table2": (GOESGENS, "Table 2: properties of measures and averages"),
    "opitz2024:table5": (OPITZ, "Table 5: properties of measures, (✓) after calibration"),
    "sebastiani2015:properties": (SEBASTIANI, "Properties 4.1–5.8 and §6: axioms that fail or hold"),
}
