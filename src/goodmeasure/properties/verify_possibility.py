"""Telling certificates of what is possible or impossible for all measures from those about one measure."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from goodmeasure.properties.certificate import FORMAT
from goodmeasure.properties.verify_signs import demand


def checked_for_all_measures(proof: Any) -> bool:
    """Check a certificate about all measures; False where it is about one measure, or none at all."""
    data = _data(proof)
    if data is None:
        return False
    from goodmeasure.properties.verify_rows import check_impossible
    from goodmeasure.properties.verify_table import check_possible

    demand(data.get("format") == FORMAT, f"format is {data.get('format')!r}: expected {FORMAT!r}")
    wanted = ("statements", "classes", "domain", "sizes", "rows" if data["kind"] == "impossible" else "table")
    missing = [x for x in wanted if x not in data]
    demand(not missing, f"the certificate lacks {', '.join(missing)}")
    (check_impossible if data["kind"] == "impossible" else check_possible)(data)
    return True


def _data(proof: Any) -> Mapping[str, Any] | None:
    """The certificate as plain data, from a result, its JSON, or the certificate itself."""
    if isinstance(proof, str):
        try:
            proof = json.loads(proof)
        except ValueError:
            return None  # said where certificates about one measure are read
    data = proof if isinstance(proof, Mapping) else getattr(proof, "certificate", None)
    if isinstance(data, Mapping) and isinstance(data.get("certificate"), Mapping):
        data = data["certificate"]
    return data if isinstance(data, Mapping) and data.get("kind") in ("impossible", "possible") else None
