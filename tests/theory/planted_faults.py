"""Faults to plant in the prover: each makes it find proofs of false statements, which no verifier may accept."""

from __future__ import annotations

from pathlib import Path

import goodmeasure.theory.verify

# Whether the verifier computes with the prover's algebra; a fault in what both share shows in neither.
SHARED = any(
    "goodmeasure.theory.algebra" in path.read_text(encoding="utf-8")
    for path in Path(goodmeasure.theory.verify.__file__).parent.glob("*.py")
)
