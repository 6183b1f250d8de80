"""A package that is not installed is named in one line, and what does without it goes on working."""

from __future__ import annotations

import ast
import json
import subprocess
import sys

import pytest

from tests.sources import FILES, ROOT, tree_of

NEEDED = ("duckdb", "flint", "narwhals", "jinja2", "latex2mathml", "rich", "click")
EXTRA = ("scipy", "pyarrow", "polars", "pandas", "matplotlib", "torch", "starlette", "uvicorn", "sklearn", "numpy")

TRIED = r"""
import contextlib, io, json, pathlib, sys
absent = sys.argv[1].split("+")
class Absent:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in absent:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
sys.meta_path.insert(0, Absent())
import goodmeasure as gm
from goodmeasure.cli.__main__ import run

rows = "id,y,p,q,w,g,s\n" + "".join(f"{k},{k % 2},{k % 3 % 2},{k % 5 % 2},1,{k % 4},{k / 30}\n" for k in range(30))
quoted = rows.replace(",g,", ',"g",')
pathlib.Path("p.csv").write_text(rows)
pathlib.Path("q.csv").write_text(quoted)
pathlib.Path("p.jsonl").write_text('{"y": 1, "p": 0}\n{"y": 0, "p": 0}\n')
pathlib.Path("p.parquet").write_bytes(b"PAR1 nothing PAR1")
pathlib.Path("p.arrow").write_bytes(b"ARROW1 nothing")
y, p = [k % 2 for k in range(30)], [k % 3 % 2 for k in range(30)]
s = [k / 30 for k in range(30)]

def command(*typed):
    def way():
        out, sys.argv = io.StringIO(), ["goodmeasure", *typed]
        with contextlib.redirect_stderr(out), contextlib.redirect_stdout(io.StringIO()):
            try:
                run()
            except SystemExit as end:
                if end.code not in (0, None):
                    raise gm.InputError("{said}", said=out.getvalue()) from None
    return way

WAYS = {
    "confusion": lambda: gm.confusion(y, p), "mcc": lambda: gm.mcc(y, p), "batch": lambda: gm.mcc([[[3, 1], [2, 4]]] * 3),
    "exact": lambda: gm.mcc.exact([[3, 1], [2, 4]]), "formula": lambda: gm.mcc.formula,
    "check": lambda: gm.check(gm.mcc, properties=["monotone"]), "possible": lambda: gm.possible("monotone", "distance", n=2),
    "verify": lambda: gm.verify(gm.atlas().verdict("accuracy", "monotone")) if hasattr(gm.atlas(), "verdict") else gm.atlas(),
    "atlas": lambda: gm.atlas(), "evaluate": lambda: str(gm.evaluate(y, p)), "html": lambda: gm.evaluate(y, p).to_html(),
    "markdown": lambda: gm.evaluate(y, p).to_markdown(), "latex": lambda: gm.evaluate(y, p).to_latex(),
    "json": lambda: gm.evaluate(y, p).to_json(), "statement": lambda: gm.evaluate(y, p).statement(),
    "repr_html": lambda: gm.evaluate(y, p)._repr_html_(),
    "pandas": lambda: gm.evaluate(y, p).to_frame("pandas"), "polars": lambda: gm.evaluate(y, p).to_frame("polars"),
    "compare": lambda: str(gm.compare(y, {"A": p, "B": y})), "scores": lambda: str(gm.evaluate(y, y_score=s)),
    "compare scores": lambda: str(gm.compare(y, y_score={"A": s, "B": s[::-1]})), "sweep": lambda: gm.sweep(y, s).best("mcc"),
    "roc_auc": lambda: gm.roc_auc(y, s), "project": lambda: gm.project(gm.confusion(y, p), prevalence=0.1),
    "recommend": lambda: gm.recommend(classes=2), "plan": lambda: gm.plan(gm.confusion(y, p), width=0.1),
    "drift": lambda: gm.drift(gm.confusion(y, p), gm.confusion(p, y)), "baselines": lambda: gm.baselines(gm.confusion(y, p)),
    "disagreement": lambda: gm.disagreement(["mcc", "f1"], [gm.confusion(y, p), gm.confusion(p, y)]),
    "distinguish": lambda: gm.distinguish(["mcc", "f1"], 4), "explain": lambda: str(gm.mcc.explain(gm.confusion(y, p))),
    "csv": lambda: gm.evaluate("p.csv", y_true="y", y_pred="p").matrix().n, "csv, columns guessed": lambda: gm.evaluate("p.csv", y_pred="p"),
    "quoted csv": lambda: gm.evaluate("q.csv", y_true="y", y_pred=["p", "q"], by="g").matrix("p").n,
    "csv, weights": lambda: gm.evaluate("q.csv", y_true="y", y_pred="p", sample_weight="w", groups="g").matrix().n,
    "csv, counts": lambda: gm.evaluate("q.csv", y_true="y", y_pred="p", count="w").matrix().n,
    "csv, scores": lambda: gm.evaluate("q.csv", y_true="y", y_score="s").value("roc_auc"),
    "csv, compare": lambda: str(gm.compare("q.csv", y_true="y", y_pred=["p", "q"])),
    "csv, sweep": lambda: gm.sweep("q.csv", y_true="y", y_score="s"),
    "csv, pooled": lambda: gm.evaluate(["p.csv", "q.csv"], y_true="y", y_pred="p", pool=True).matrix().n,
    "runs": lambda: gm.evaluate({"A": "p.csv", "B": "q.csv"}, id="id", y_true="y", y_pred="p"),
    "jsonl": lambda: gm.evaluate("p.jsonl", y_true="y", y_pred="p"), "parquet": lambda: gm.evaluate("p.parquet", y_true="y", y_pred="p"),
    "arrow": lambda: gm.evaluate("p.arrow", y_true="y", y_pred="p"),
    "arrow of a matrix": lambda: gm.confusion(y, p).to_arrow() if hasattr(gm.ConfusionMatrix, "to_arrow") else None,
    "plot": lambda: gm.evaluate(y, p).plot() if hasattr(gm.Result, "plot") else None,
    "torch": lambda: __import__("goodmeasure.torch"), "sklearn": lambda: __import__("goodmeasure.sklearn").sklearn.scorer("mcc"),
    "$ evaluate": command("evaluate", "q.csv", "--true", "y", "--pred", "p", "--no-report"),
    "$ compare": command("compare", "q.csv", "--true", "y", "--pred", "p", "--pred", "q", "--no-report"),
    "$ measures": command("measures"), "$ explain": command("explain", "mcc"), "$ check": command("check", "accuracy", "--property", "monotone"),
    "$ explore": command("explore", "--help"),
}
told = {}
for name, way in WAYS.items():
    try:
        found = way()
        told[name] = found if isinstance(found, (int, float)) else "fine"
    except (gm.GoodmeasureError, AttributeError) as error:
        told[name] = f"{type(error).__name__}: {error}"
    except BaseException as error:
        import traceback
        told[name] = f"BARE {type(error).__name__}: {error} " + traceback.format_exc()[-600:]
print(json.dumps(told))
"""


def tried(absent: str, folder) -> dict[str, object]:
    run = subprocess.run([sys.executable, "-c", TRIED, absent], capture_output=True, text=True, check=False, cwd=folder)
    assert run.returncode == 0, run.stderr[-2000:]
    return json.loads(run.stdout.splitlines()[-1])


if __name__ == "__main__":
    import tempfile

    for absent in sys.argv[1:] or (*NEEDED, *EXTRA):
        with tempfile.TemporaryDirectory() as folder:
            for name, said in tried(absent, folder).items():
                if said != "fine":
                    print(absent, "|", name, "|", said)
