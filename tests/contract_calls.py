"""`python tests/contract_calls.py PACKAGE+… CALL…`: call what users type without some packages; print what came."""

from __future__ import annotations

import contextlib
import io
import json
import pathlib
import sys
import traceback
import zipfile

absent = sys.argv[1].split("+")


class Hiding:
    def __init__(self, finders):
        self.finders = finders

    def find_distributions(self, *args):
        return (x for f in self.finders if hasattr(f, "find_distributions") for x in f.find_distributions(*args))

    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in absent:
            return None
        return next((x for x in (f.find_spec(name, path, target) for f in self.finders) if x is not None), None)


sys.meta_path[:] = [Hiding(list(sys.meta_path))]
import goodmeasure as gm  # noqa: E402
from goodmeasure.cli.__main__ import run  # noqa: E402

rows = "id,y,p,q,w,g,s\n" + "".join(f"{k},{k % 2},{k % 3 % 2},{k % 5 % 2},1,{k % 4},{k / 30}\n" for k in range(30))
quoted = rows.replace(",g,", ',"g",')
pathlib.Path("p.csv").write_text(rows)
pathlib.Path("q.csv").write_text(quoted)
pathlib.Path("p.jsonl").write_text('{"y": 1, "p": 0}\n{"y": 0, "p": 0}\n')
pathlib.Path("p.parquet").write_bytes(b"PAR1 nothing PAR1")
pathlib.Path("p.arrow").write_bytes(b"ARROW1 nothing")
with zipfile.ZipFile("p.xlsx", "w") as book:
    book.writestr("xl/workbook.xml", "")
pathlib.Path("p.duckdb").write_bytes(bytes(8) + b"DUCK")
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
    "exact": lambda: gm.mcc.exact([[3, 1], [2, 4]]),
    "check": lambda: gm.check(gm.accuracy, properties=["monotone"]),
    "possible": lambda: gm.possible("monotone", "distance", n=2),
    "disagreement": lambda: gm.disagreement(["mcc", "f1"], [gm.confusion(y, p), gm.confusion(p, y)]),
    "confusion": lambda: gm.confusion(y, p).n,
    "evaluate": lambda: gm.evaluate(y, p).value("accuracy"),
    "text": lambda: str(gm.evaluate(y, p)),
    "html": lambda: gm.evaluate(y, p).to_html(),
    "notebook": lambda: gm.evaluate(y, p)._repr_html_(),
    "json": lambda: gm.evaluate(y, p).to_json(),
    "pandas": lambda: gm.evaluate(y, p).to_frame("pandas"),
    "polars": lambda: gm.evaluate(y, p).to_frame("polars"),
    "compare": lambda: gm.compare(y, {"A": p, "B": y}),
    "roc_auc": lambda: gm.roc_auc(y, s),
    "sweep": lambda: gm.sweep(y, s).best("mcc"),
    "csv": lambda: gm.evaluate("p.csv", y_true="y", y_pred="p").matrix().n,
    "quoted csv": lambda: gm.evaluate("q.csv", y_true="y", y_pred=["p", "q"], by="g").matrix("p").n,
    "csv, weights": lambda: gm.evaluate("q.csv", y_true="y", y_pred="p", sample_weight="w", groups="g").matrix().n,
    "csv, counts": lambda: gm.evaluate("q.csv", y_true="y", y_pred="p", count="w").matrix().n,
    "csv, pooled": lambda: gm.evaluate(["p.csv", "q.csv"], y_true="y", y_pred="p", pool=True).matrix().n,
    "csv, scores": lambda: gm.evaluate("q.csv", y_true="y", y_score="s").value("roc_auc"),
    "csv, compare": lambda: gm.compare("q.csv", y_true="y", y_pred=["p", "q"]),
    "csv, sweep": lambda: gm.sweep("q.csv", y_true="y", y_score="s"),
    "runs": lambda: gm.evaluate({"A": "p.csv", "B": "q.csv"}, id="id", y_true="y", y_pred="p"),
    "jsonl": lambda: gm.evaluate("p.jsonl", y_true="y", y_pred="p"),
    "parquet": lambda: gm.evaluate("p.parquet", y_true="y", y_pred="p"),
    "arrow": lambda: gm.evaluate("p.arrow", y_true="y", y_pred="p"),
    "sheet": lambda: gm.evaluate("p.xlsx", y_true="y", y_pred="p"),
    "database": lambda: gm.evaluate("p.duckdb", y_true="y", y_pred="p"),
    "$ sheet": command("evaluate", "p.xlsx", "--true", "y", "--pred", "p", "--no-report"),
    "$ evaluate": command("evaluate", "q.csv", "--true", "y", "--pred", "p", "--no-report"),
    "$ compare": command("compare", "q.csv", "--true", "y", "--pred", "p", "--pred", "q", "--no-report"),
    "$ check": command("check", "accuracy", "--property", "monotone"),
}
told = {}
for name in sys.argv[2:]:
    try:
        found = WAYS[name]()
        told[name] = found if isinstance(found, (int, float)) else "fine"
    except (gm.GoodmeasureError, AttributeError) as error:
        told[name] = f"{type(error).__name__}: {error}"
    except BaseException as error:  # noqa: BLE001
        told[name] = f"BARE {type(error).__name__}: {error} " + traceback.format_exc()[-600:]
print(json.dumps(told))
