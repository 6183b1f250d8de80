"""Write the figures and the bibliography of the paper: `make paper`."""

from __future__ import annotations

import re
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
from matplotlib.lines import Line2D

import goodmeasure as gm
from goodmeasure.catalogue.references import bibliography as known_sources
from goodmeasure.catalogue.references import bibtex

HERE = Path(__file__).parent
MEASURES = ("accuracy", "balanced_accuracy", "f1", "jaccard", "macro(f1)", "mcc", "kappa", "sba", "g_mean")
PROPERTIES = {
    "maximal_agreement": "Max", "minimal_agreement": "Min", "class_symmetry": "CSym", "symmetry": "Sym",
    "distance": "Dist", "monotone": "Mon", "strongly_monotone": "SMon", "constant_baseline": "CB",
    "approximate_constant_baseline": "ACB",
}  # fmt: skip
INK = {"proved": "#1b7f5c", "refuted": "#c8553d", "held": "#999999"}
OTHERS = """\
@article{scikit-learn,
  author  = {Pedregosa, F. and Varoquaux, G. and Gramfort, A. and others},
  title   = {Scikit-learn: Machine Learning in {Python}},
  journal = {Journal of Machine Learning Research},
  volume  = {12},
  pages   = {2825--2830},
  year    = {2011}
}

@article{torchmetrics,
  author  = {Detlefsen, Nicki Skafte and Borovec, Jiri and Schock, Justus and others},
  title   = {{TorchMetrics}: Measuring Reproducibility in {PyTorch}},
  journal = {Journal of Open Source Software},
  volume  = {7},
  number  = {70},
  pages   = {4101},
  year    = {2022},
  doi     = {10.21105/joss.04101}
}

@article{pycm,
  author  = {Haghighi, Sepand and Jasemi, Masoomeh and Hessabi, Shaahin and Zolanvari, Alireza},
  title   = {{PyCM}: Multiclass confusion matrix library in {Python}},
  journal = {Journal of Open Source Software},
  volume  = {3},
  number  = {25},
  pages   = {729},
  year    = {2018},
  doi     = {10.21105/joss.00729}
}
"""


def properties() -> None:
    """Draw which measure has which property for two classes, with the size of the smallest counterexample."""
    atlas = gm.atlas()
    figure, axes = plt.subplots(figsize=(7, 3.4), layout="constrained")
    for row, name in enumerate(MEASURES):
        for column, statement in enumerate(PROPERTIES):
            found = atlas.verdict(name, statement, classes=2)
            box = plt.Rectangle((column, row), 0.94, 0.9, color=INK[found.status])
            axes.add_patch(box)
            said = str(found.n) if found.status == "refuted" else ""
            axes.text(column + 0.47, row + 0.47, said, ha="center", va="center", color="white", fontsize=9)
    axes.set(xlim=(0, len(PROPERTIES)), ylim=(len(MEASURES), 0))
    axes.set_xticks([k + 0.47 for k in range(len(PROPERTIES))], PROPERTIES.values())
    axes.set_yticks([k + 0.45 for k in range(len(MEASURES))], MEASURES)
    axes.tick_params(length=0)
    for side in axes.spines.values():
        side.set_visible(False)
    marks = [Line2D([], [], marker="s", ls="", color=INK[x], label=x) for x in ("proved", "refuted")]
    axes.legend(handles=marks, loc="upper left", bbox_to_anchor=(1, 1), frameon=False)
    figure.savefig(HERE / "properties.png", dpi=200)


def disagreement() -> None:
    """Draw four classifiers of the demo: measures disagree about which is the best."""
    measures = ("accuracy", "f1", "mcc")
    data, systems = HERE.parent / "src/goodmeasure/cli/demo.csv", ["linear", "tree", "bayes", "majority"]
    result = gm.evaluate(data, y_true="label", y_pred=systems, measures=list(measures), positive="eight")
    figure, parts = plt.subplots(1, 3, figsize=(7, 2.2), sharey=True, layout="constrained")
    for axes, name in zip(parts, measures, strict=True):
        rows = [x for x in result.table if x["measure"] == name and x["class"] is None and x["slice"] is None]
        for k, x in enumerate(rows):
            axes.plot([x["low"], x["high"]], [k, k], color="#2a6f97", lw=2)
            axes.plot([x["value"]], [k], "o", color="#2a6f97")
        axes.set_title(gm.measure(name).title, fontsize=9)
        axes.set(ylim=(len(rows) - 0.5, -0.5))
        axes.set_yticks(range(len(rows)), [x["system"] for x in rows])
    figure.savefig(HERE / "demo.png", dpi=200)


def bibliography() -> None:
    """Write the entries that the text cites."""
    cited = re.findall(r"@([a-z0-9-]+)", (HERE / "paper.md").read_text(encoding="utf-8").split("---", 2)[2])
    ours = [bibtex(key) for key in sorted({*cited} & {*known_sources()})]
    (HERE / "paper.bib").write_text("\n\n".join([*ours, OTHERS]), encoding="utf-8")


if __name__ == "__main__":
    properties()
    disagreement()
    bibliography()
