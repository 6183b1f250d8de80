"""The contents of the demo's report as plain data, and the file that holds what they were when somebody looked.

`python -m tests.report.golden` writes the file again; look at what changed before you commit it.
"""

from __future__ import annotations

import json
from dataclasses import fields, is_dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

import goodmeasure as gm
from goodmeasure.report.content.evaluation import contents

GOLDEN = Path(__file__).parent / "golden_demo.json"
MEASURES = ["accuracy", "mcc", "kappa", "f1", "recall"]


def demo(folder: Path):
    """The demo, in the current folder, so that no path of a machine is said."""
    text = files("goodmeasure.cli").joinpath("demo.csv").read_text(encoding="utf-8")
    (folder / "demo.csv").write_text(text, encoding="utf-8")
    columns = {"y_true": "label", "y_pred": text.splitlines()[0].split(",")[1:], "positive": "eight"}
    return gm.evaluate("demo.csv", **columns, measures=MEASURES, replicates=500)


def golden_contents(result) -> dict[str, Any]:
    """What the report says, free of any format; numbers to six digits, and neither version nor date."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SOURCE_DATE_EPOCH", "1790000000")
        document = contents(result)
    return json.loads(json.dumps(_plain(document)).replace(gm.__version__, "VERSION"))


def _plain(x: Any) -> Any:
    if is_dataclass(x):
        return {"is": type(x).__name__, **{f.name: _plain(getattr(x, f.name)) for f in fields(x)}}
    if isinstance(x, dict):
        return {name: _plain(value) for name, value in x.items()}
    if isinstance(x, (list, tuple)):
        return [_plain(value) for value in x]
    if hasattr(x, "tolist"):
        return _plain(x.tolist())
    if isinstance(x, float):
        return None if x != x else float(f"{x:.6g}")
    return x


def main() -> None:
    import os
    from tempfile import TemporaryDirectory

    with TemporaryDirectory() as folder:
        before = os.getcwd()
        os.chdir(folder)
        try:
            data = golden_contents(demo(Path(folder)))
        finally:
            os.chdir(before)
    GOLDEN.write_text(json.dumps(data, indent=0, ensure_ascii=False) + "\n", encoding="utf-8")
    print(f"written: {GOLDEN}")


if __name__ == "__main__":
    main()
