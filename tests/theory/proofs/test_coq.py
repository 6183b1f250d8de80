"""The export for Coq, and what Coq says of it where it is installed."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

import goodmeasure as gm
from goodmeasure.catalogue.names import measure
from goodmeasure.theory.atlas.atlas import stored
from goodmeasure.theory.proofs import coq_export
from goodmeasure.theory.proofs.coq_export import (
    HEAD,
    Exported,
    ExportedForEvery,
    export,
    exported,
    exported_for_every,
    open_theorems,
    table,
)
from goodmeasure.theory.proofs.coq_terms import CannotExport, Formulas, exact_term
from tests.needs import Missing

LIBRARY = Path(__file__).parents[3] / "coq"
AXIOMS = {  # of the standard library's real numbers; its powers, arc cosine and pi rest on all four
    "ClassicalDedekindReals.sig_forall_dec",
    "ClassicalDedekindReals.sig_not_dec",
    "Classical_Prop.classic",
    "FunctionalExtensionality.functional_extensionality_dep",
}


def without_comments(text):
    while "(*" in text:
        text = re.sub(r"\(\*(?:(?!\(\*|\*\)).)*\*\)", "", text, flags=re.DOTALL)
    return text


@pytest.mark.parametrize("path", sorted(LIBRARY.glob("*.v")), ids=lambda x: x.name)
def test_the_library_proves_everything_it_says(path):
    text = without_comments(path.read_text(encoding="utf-8"))
    forbidden = r"\b(Admitted|admit|Axioms?|Parameters?|Conjecture|give_up|Unset|bypass_check|Extract|cheat)\b"
    assert re.findall(forbidden, text) == []
    assert "vm_cast_no_check" not in text


def test_no_word_of_the_export_assumes_anything(tmp_path):
    export(stored().filter(measure="mcc"), tmp_path)
    for path in tmp_path.glob("*.v"):
        text = without_comments(path.read_text(encoding="utf-8"))
        assert set(re.findall(r"^(\w+)", text, re.MULTILINE)) <= {
            "From", "Import", "Module", "End", "Definition", "Theorem", "Proof",
        }  # fmt: skip


def test_files_that_are_as_they_should_be_are_left_alone(tmp_path):
    atlas = stored().filter(measure="mcc")
    first = table(export(atlas, tmp_path))
    (tmp_path / "Two_99.v").write_text("old")
    times = {x.name: x.stat().st_mtime_ns for x in tmp_path.glob("*.v")}
    assert table(export(atlas, tmp_path)) == first
    assert {x.name: x.stat().st_mtime_ns for x in tmp_path.glob("*.v")} == {
        k: v for k, v in times.items() if k != "Two_99.v"
    }


@pytest.mark.deep
def test_the_export_has_most_of_what_the_atlas_proves():
    """At least 85 % of the proved cells with two classes, 200 with three, and class symmetry for every number."""
    atlas, left = stored(), open_theorems()
    proved = {
        m: {coq_export.key_of(x) for x in atlas.cells if x["classes"] == m and x["status"] == "proved"} for m in (2, 3)
    }
    theorems = {m: {x.key for y in exported(atlas, m) for x in y.theorems()} - left for m in (2, 3)}
    assert len(theorems[2] & proved[2]) >= 0.85 * len(proved[2])
    assert len(theorems[3] & proved[3]) >= 200
    alike = {x.split(" class_symmetry ")[0] for x in proved[3] if " class_symmetry " in x}
    every = {x.measure.name for x in exported_for_every(atlas) if left.isdisjoint(y.key for y in x.examples())}
    assert alike - every == {"g_mean", "macro(recall, p=0)"}


def test_what_is_left_open_is_asked():
    """No line of the list of open theorems is left over."""
    atlas = stored()
    every = [*exported(atlas, 2), *exported(atlas, 3), *exported_for_every(atlas)]
    asked = {x.key for y in every for x in y.theorems()}
    assert {x for x in open_theorems() if " values" not in x} <= asked


def test_every_exported_term_has_examples_of_undefined_values_where_it_has_any():
    for x in exported(stored(), 2):
        for theorem in x.examples():
            listed = theorem.claim.says
            rules = "_without_rules" not in theorem.name
            policy = "resolve" if rules else "nan"
            small = [[[a, b], [c, d]] for a in (0, 1) for b in (0, 1) for c in (0, 1) for d in (0, 1) if a + b + c + d]
            undefined = any(str(x.measure.exact(rows, undefined=policy)) == "undefined" for rows in small)
            assert (", None)" in listed) == undefined, theorem.name


@pytest.mark.parametrize(
    ("value", "term"),
    [
        ("-3", "(Const (-3) 1)"),
        ("3/4", "(Const 3 4)"),
        ("2*sqrt(21)/21", "(Div (Mul (Const 2 1) (Root 2 (Const 21 1))) (Const 21 1) Undefined)"),
        ("1 + log(2)^2", "(Add (Const 1 1) (Mul (Log (Const 2 1)) (Log (Const 2 1))))"),
        ("root(7, 3)", "(Root 3 (Const 7 1))"),
    ],
)
def test_exact_numbers_as_terms(value, term):
    assert exact_term(value) == term


def test_what_coq_has_no_word_for_is_refused():
    with pytest.raises(CannotExport, match="no word for"):
        exact_term("sin(3)")
    with pytest.raises(CannotExport, match="written out"):
        ExportedForEvery(gm.f1)


def test_terms_follow_the_rules_for_0_over_0():
    with_rules, without = (Formulas(gm.mcc.tree, 2, resolves=x).lines for x in (True, False))
    assert with_rules != without
    assert without[-1].endswith("Undefined)")
    assert not with_rules[-1].endswith("Undefined)")


# With Coq


@pytest.fixture(scope="module")
def coq(tmp_path_factory):
    """Compile a file against the library, which is compiled first; return what Coq says, or None if it refuses."""
    if shutil.which("coqc") is None:
        raise Missing("coqc", "`make coq` installs it, and checks the whole atlas")
    library = tmp_path_factory.mktemp("coq")
    for path in [*LIBRARY.glob("*.v"), *LIBRARY.glob("*.vo"), LIBRARY / "Makefile"]:
        shutil.copy2(path, library)  # with the times of change, so that what is compiled is not compiled again
    subprocess.run(["make", "-s", "-C", library, "library"], check=True, capture_output=True)

    def compiled(text):
        path = library / "Tried.v"
        path.write_text(text, encoding="utf-8")
        run = subprocess.run(
            ["coqc", "-q", "-Q", library, "Goodmeasure", path], capture_output=True, text=True, check=False
        )
        return run.stdout if run.returncode == 0 else None

    return compiled


def of(name, m=2):
    return Exported(measure(name), m, [x for x in stored().cells if x["measure"] == name and x["classes"] == m])


def written(x, theorems):
    return HEAD + x.definitions() + "".join(map(str, theorems))


@pytest.mark.deep
def test_coq_accepts_the_theorems_on_mcc_and_nothing_else(coq):
    """Theorems on proved and refuted cells are accepted; their negations, and values of another formula, are not."""
    x = of("mcc")
    theorems = [*x.examples(), *x.theorems()]
    text = written(x, theorems)
    assert len(theorems) > 40
    assert coq(text) is not None
    swapped = text.replace("(Cell 1) (Cell 3)", "(Cell 3) (Cell 3)", 1)
    assert swapped != text
    assert coq(swapped) is None
    for y in (t for t in theorems if "monotone" in t.name and not t.claim.says.startswith("~")):
        false = str(y).replace(f": {y.claim.says}", f": ~ {y.claim.says}")
        assert coq(written(x, x.examples()) + false) is None
    every = ExportedForEvery(gm.mcc)
    assert coq(written(every, [*every.examples(), *every.theorems()])) is not None


@pytest.mark.deep
def test_coq_finds_each_wrong_rule_for_0_over_0(coq):
    """A term whose rules are others has other values in some example."""
    x = of("kappa")
    right, wrong = x.formulas[x.name], x.formulas[x.bare]
    text = written(x, x.examples())
    mutant = text.replace("; ".join(right), "; ".join(wrong), 1)
    assert mutant != text
    assert coq(mutant) is None


@pytest.mark.deep
def test_the_theorems_assume_the_axioms_of_the_real_numbers_only(coq):
    names = []
    for path in LIBRARY.glob("*.v"):
        names += re.findall(r"^Theorem (\w+)", path.read_text(encoding="utf-8"), re.MULTILINE)
    assert {"moves_proved", "values_proved", "moves_refuted", "class_symmetry_of_every_number"} <= set(names)
    asked = [x for x in names if re.search("proved|refuted|every_number", x)]
    library = " ".join(x.stem for x in LIBRARY.glob("*.v"))
    said = coq(f"From Goodmeasure Require Import {library}.\n" + "".join(f"Print Assumptions {x}.\n" for x in asked))
    assert said is not None
    assert said.count("Axioms:") + said.count("Closed under the global context") == len(asked)
    assert set(re.findall(r"^([\w.]+)(?= :|$)", said, re.MULTILINE)) <= AXIOMS
