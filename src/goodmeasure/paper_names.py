"""The papers by their keys, and what they call the properties of measures."""

from __future__ import annotations

PAPERS = SEBASTIANI, GOESGENS, OPITZ, RH = "sebastiani2015", "goesgens2021", "opitz2024", "rh-dif2norm"

# goesgens2021, Table 2
PROPERTIES = {
    "Max": "maximal agreement", "Min": "minimal agreement", "CSym": "class symmetry", "Sym": "symmetry",
    "Dist": "distance", "Mon": "monotonicity", "SMon": "strong monotonicity",
    "CB": "constant baseline", "ACB": "approximate constant baseline",
}  # fmt: skip

# sebastiani2015, Section 3.1
AXIOMS = {
    "MON": "strict monotonicity", "CON": "continuous differentiability", "SDE": "strong definiteness",
    "WDE": "weak definiteness", "FIX": "fixed range", "CHA": "robustness to chance", "IMB": "robustness to imbalance",
    "SYM": "symmetry",
}  # fmt: skip
