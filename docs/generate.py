"""Writes what follows from the code: docs/catalogue.md, and the demo's output in the README."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from goodmeasure.catalogue.averaging import USUAL
from goodmeasure.catalogue.define import entries
from goodmeasure.catalogue.explanation import range_text
from goodmeasure.catalogue.families import Family
from goodmeasure.catalogue.names import measure
from goodmeasure.catalogue.references import bibliography, reference

PAGE = Path(__file__).parent / "catalogue.md"
README = Path(__file__).parent.parent / "README.md"
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


def demo_output() -> str:
    """What the demo prints, run where it may leave its files."""
    command = [sys.executable, "-m", "goodmeasure.cli", "demo"]
    wide = {**os.environ, "COLUMNS": "160"}
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(command, capture_output=True, check=True, encoding="utf-8", cwd=folder, env=wide)
    return done.stdout.strip("\n")


def readme(text: str) -> str:
    """The README with what the demo prints today."""
    block = f"<!-- demo -->\n```text\n{demo_output()}\n```\n<!-- /demo -->"
    return re.sub(r"<!-- demo -->.*?<!-- /demo -->", lambda _: block, text, flags=re.DOTALL)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
    print(f"wrote {PAGE.name}: {len(page().splitlines())} lines")
    README.write_text(readme(README.read_text(encoding="utf-8")), encoding="utf-8")
    print(f"wrote the demo's output into {README.name}")
