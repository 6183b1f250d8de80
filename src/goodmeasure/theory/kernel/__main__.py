"""``python -m goodmeasure.theory.kernel FILE…`` checks certificates that are stored as JSON."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from goodmeasure.theory.kernel import Refused, check


def main(names: list[str]) -> int:
    """Check files, say of each whether it is accepted, and return 0 if all are; 1 if not, 2 without a file."""
    if not names:
        print("usage: python -m goodmeasure.theory.kernel FILE…", file=sys.stderr)
        return 2
    status = 0
    for name in names:
        try:
            data = json.loads(Path(name).read_text(encoding="utf-8"))
            if isinstance(data, dict) and isinstance(data.get("certificate"), dict):
                data = data["certificate"]  # of a verdict
            check(data)
        except (OSError, UnicodeDecodeError, ValueError, RecursionError) as error:
            print(f"{name}: cannot be read: {error}")
            status = 1
        except Refused as refusal:
            print(f"{name}: refused: {refusal}")
            status = 1
        else:
            print(f"{name}: accepted: {claim_text(data)}")
    return status


def claim_text(data: dict[str, object]) -> str:
    """Return what an accepted certificate claims."""
    if "kind" in data:
        named = data.get("statements", [data.get("statement")])
        text = f"{data['kind']}: {', '.join(map(str, named if isinstance(named, list) else [named]))}"
    else:
        measure = data.get("measure")
        name = measure.get("name") if isinstance(measure, dict) else measure
        text = f"{name} has {data['statement']}"
    return f"{text}, for {data.get('classes')} classes on the domain {data.get('domain')!r}"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
