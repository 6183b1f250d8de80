"""Writes the pages that follow from the catalogue: docs/catalogue.md."""

from __future__ import annotations

from pathlib import Path

from goodmeasure.catalogue.averaging import USUAL
from goodmeasure.catalogue.define import entries
from goodmeasure.catalogue.explanation import range_text
from goodmeasure.catalogue.families import Family
from goodmeasure.catalogue.names import measure
from goodmeasure.catalogue.references import bibliography, reference

PAGE = Path(__file__).parent / "catalogue.md"
HEADINGS = {
    "agreement": "Agreement",
    "overlap": "Overlap of the positive class",
    "rates": "Rates",
    "association": "Association and odds",
    "classes": "Class-, cost- and order-sensitive",
    "information": "Information",
}


def section(entry) -> str:
    """One measure or family."""
    name = f"{entry.name}({', '.join(entry.signature.parameters)})" if isinstance(entry, Family) else entry.name
    shown = entry(**entry.usual[0]) if isinstance(entry, Family) else entry
    facts = [f"*{range_text(shown)}; {'two classes' if shown.classes == 2 else 'any number of classes'}.*"]
    if entry.aliases:
        facts.append(f"Also: {', '.join(f'`{x}`' for x in entry.aliases)}.")
    if isinstance(entry, Family):
        facts.append(f"For example {', '.join(f'`{entry(**chosen).name}`' for chosen in entry.usual)}.")
    return f"### `{name}`\n\n{entry.title}: {entry.about}.\n\n$${entry.formula}$$\n\n{' '.join(facts)} [{entry.cite}]\n"


def page() -> str:
    """The whole page."""
    parts = [
        "# The catalogue",
        "Generated from the definitions by `make docs`; do not edit. Notation: c_ij items of true class i predicted "
        "as j, a_i and b_i the sizes of class i among true and predicted labels, n items, m classes. Every binary "
        "measure can be averaged over classes: `macro(f1)`, `weighted(jaccard)`, `micro(mcc)`, `macro(recall, p=0)`; "
        "every measure can be calibrated to equal class sizes: `calibrated(kappa)`.",
    ]
    for family, heading in HEADINGS.items():
        found = [x for x in entries() if (x.facts["family"] if isinstance(x, Family) else x.family) == family]
        parts += [f"## {heading}", *map(section, found)]
    parts += ["## Averages and calibration", "Those that the papers use.", *(section(measure(name)) for name in USUAL)]
    parts.append("## References")
    parts.append("\n".join(f"- **{key}**: {reference(key)}" for key in sorted(bibliography())))
    return "\n\n".join(x.strip("\n") for x in parts) + "\n"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
    print(f"wrote {PAGE.name}: {len(page().splitlines())} lines")
