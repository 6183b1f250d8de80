"""Reports in LaTeX compile with the packages that their own second line names, whatever labels and systems are called.

pdfLaTeX is not needed for the tests: where it is not installed, the tests that compile are skipped and say so.
"""

from __future__ import annotations

import random
import re
import shutil
import subprocess

import pytest

import goodmeasure as gm
from goodmeasure.report.formats.latex_text import escaped, typed

LABELS = [
    "Grüße ß ł ő İ",
    "日本語",
    "עברית",
    "العربية",
    "ω τ Ω ς",
    "emoji 😀👩‍👩‍👧",
    "a_b%$#&{}~^\\",
    "\u2028x\u2029\ud800\x00",
    "zero\u200bwidth \u202e",
    "“q” ‘r’ «g» „l“",
    "½ ± µ × ÷ ° № ™ € £ ¥ ₿",
    '<b>|"`</b>',
    "--- ,, << ?` ''",
    "Ж ẞ ǆ ﬁ e\u0301\u0323",
    "[x]*",
    "\\end{verbatim}\\input{x}",
]
PREAMBLE = "\\documentclass{article}\n%s\n\\begin{document}\n%s\n\\end{document}\n"


def evaluated():
    """A result whose labels, systems and slices are hostile."""
    rng = random.Random(1)
    true = [rng.choice(LABELS) for _ in range(200)]
    systems = {
        name: [y if rng.random() < 0.7 else rng.choice(LABELS) for y in true]
        for name in ("α_β ≥ 1 τ", "\\end{document} 日本")
    }
    by = {"ñ #": [rng.choice(["κ", "%", "Ж"]) for _ in true]}
    measures = ["accuracy", "mcc", "kappa", "macro(f1)"]
    result = gm.evaluate(true, systems, measures=measures, by=by, replicates=50)
    compared = gm.compare(true, systems, measures=measures, replicates=50)
    return true, result, compared


def reports():
    true, result, compared = evaluated()
    rng = random.Random(2)
    positive = [LABELS[1] if y in LABELS[:8] else LABELS[6] for y in true]
    swept = gm.sweep(positive, {"σ_1": [rng.random() for _ in true]}, measures=["mcc", "f1"], positive=LABELS[1])
    return {
        "evaluate": result.to_latex(), "compare": compared.to_latex(), "sweep": swept.to_latex(),
        "statement": result.statement("latex"), "statement of a comparison": compared.statement("latex"),
        "every measure": gm.evaluate([0, 1, 1, 0, 1], [0, 1, 0, 0, 1], measures="all", confidence=None).to_latex(),
    }  # fmt: skip


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="pdfLaTeX IS NOT INSTALLED: NO REPORT WAS COMPILED")
def test_every_report_compiles_under_pdflatex(tmp_path):
    packages = "\\usepackage[T1]{fontenc}\n\\usepackage{amsmath, booktabs, textcomp}"
    for name, text in reports().items():
        (tmp_path / "r.tex").write_text(PREAMBLE % (packages, text), encoding="utf-8", errors="backslashreplace")
        command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "r.tex"]
        run = subprocess.run(command, cwd=tmp_path, capture_output=True, timeout=120, check=False)
        assert run.returncode == 0, (name, run.stdout.decode(errors="replace")[-1500:])


def test_a_report_names_the_packages_it_needs():
    text = gm.evaluate([0, 1], [0, 1], measures=["mcc"], confidence=None).to_latex()
    assert text.splitlines()[1] == "% needs \\usepackage[T1]{fontenc} and \\usepackage{amsmath, booktabs, textcomp}"


@pytest.mark.parametrize("label", LABELS)
@pytest.mark.parametrize("written", [escaped, typed])
def test_letters_that_pdflatex_has_not_got_stand_where_it_does_not_look(written, label):
    """They are set by engines that have them; pdfLaTeX sets their numbers."""
    text = re.sub(r"\\ifdefined\\Umathchar .*?\\else", "", written(label))
    assert set(filter(lambda x: not x.isascii(), text)) <= set("ßæÆøØœŒåÅłŁđĐðÐþÞŋŊ")


def test_letters_keep_their_accents_and_signs_their_shape():
    assert escaped("é Ő τ Ω 50 %") == r"\'{e} \H{O} $\tau$ $\Omega$ 50 \%"
    assert escaped("日本") == r"\ifdefined\Umathchar 日本\else [U+65E5 U+672C]\fi{}"
    assert escaped("a--b,,c''") == "a-{}-b,{},c'{}'"


def test_a_program_with_letters_of_any_script_is_set_letter_by_letter():
    assert typed("a --b") == "\\begin{verbatim}\na --b\n\\end{verbatim}"
    assert typed("p('τ')").splitlines()[2] == r"\mbox{}p(\textquotesingle{}$\tau$\textquotesingle{})"
