"""Errors carry what went wrong as data, and name arguments as their reader does."""

from __future__ import annotations

import ast
import builtins
import copy
import errno
import pickle
import string
import subprocess
import sys
from collections.abc import Iterable
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import goodmeasure as gm
from goodmeasure import exceptions
from goodmeasure.catalogue.register import forget
from goodmeasure.exceptions import (
    Argument,
    Either,
    Given,
    InputError,
    InputOSError,
    InputTypeError,
    MissingFileError,
    MissingPackageError,
    Phrase,
    UnknownKey,
    UnknownName,
    file_error,
)
from tests.sources import FILES, ROOT, tree_of

OPTIONS = {"y_true": "--true", "y_pred": "--pred", "missing": "--missing", "by": "--by", "positive": "--positive"}.get
PUBLIC = [gm.InputError, gm.InputTypeError, gm.UnknownName, gm.UndefinedMeasure, gm.Undecided, gm.CertificateError]


def test_an_error_says_what_came_and_what_to_do():
    with pytest.raises(gm.InputError) as caught:
        gm.confusion([0, 1], [0, 1], missing="skip")
    error = caught.value
    assert (error.argument, error.got, error.expected) == ("missing", "skip", "'error', 'class' or 'drop'")
    assert str(error) == "missing is 'skip': expected 'error', 'class' or 'drop'"
    assert error.args == (str(error),)


def test_a_wrong_length_names_both_arguments():
    with pytest.raises(
        ValueError, match=r"^y_pred has 2 labels, y_true has 3: they must be the same length$"
    ) as caught:
        gm.mcc([0, 1, 1], [0, 1])
    assert caught.value.message(OPTIONS) == "--pred has 2 labels, --true has 3: they must be the same length"
    assert caught.value.argument == "y_pred"


def test_a_name_that_nothing_has_comes_with_suggestions():
    with pytest.raises(gm.UnknownName) as caught:
        gm.measure("recal")
    assert caught.value.name == "recal"
    assert "recall" in caught.value.suggestions


def test_a_key_that_is_missing_is_said_without_quotes_around_the_message():
    error = exceptions.UnknownKey("{name!r} is not among {known}", name="x", known="a, b")
    assert str(error) == "'x' is not among a, b"
    assert isinstance(error, (KeyError, UnknownName))
    assert str(pickle.loads(pickle.dumps(error))) == str(error)


@pytest.mark.parametrize("kind", PUBLIC)
def test_every_error_is_of_one_family_and_of_pythons(kind):
    assert issubclass(kind, gm.GoodmeasureError)
    assert issubclass(kind, (ValueError, TypeError, ArithmeticError))


@pytest.mark.parametrize("form", ["{y_pred} is bad", "{missing:=drop}", "{by} and {y_true:=}"])
def test_a_reader_without_the_option_is_told_the_argument(form):
    assert InputError(form).message(lambda name: None) == str(InputError(form))


def test_what_a_reader_cannot_do_is_not_advised():
    error = InputError("{y_pred} is bad", expected="labels", advice="give {y_score:=}; {y_true} helps; or stop{one}",
                       one=Either(" by hand", " with {classes} M"))  # fmt: skip
    assert str(error) == "y_pred is bad: expected labels; give y_score=; y_true helps; or stop by hand"
    assert error.message(OPTIONS) == "--pred is bad: expected labels; --true helps; or stop"
    assert InputError("{why}", why=error).message(OPTIONS) == error.message(OPTIONS)
    assert InputError("it is bad", advice="use {classes:=2}").message(OPTIONS) == "it is bad"


def test_what_came_is_the_value_that_the_problem_names():
    assert InputError("{n} of {name!r} and {other!r}", n=3, name="f2", other="x").got == "f2"
    assert InputError("{y_pred} has {n} labels", n=3).got == 3
    assert InputError("{name} is empty", name=Argument("y_pred")).got is None
    assert InputError("{name!r} is empty", name="x", got="y").got == "y"


def test_an_undefined_measure_is_named_with_the_reasons():
    with pytest.raises(gm.UndefinedMeasure) as caught:
        gm.precision([[3, 0], [2, 0]], undefined="raise")
    error = caught.value
    assert (error.measure, len(error.reasons)) == ("precision", 1)
    assert str(error) == f"precision is undefined: {error.reasons[0]}"
    with pytest.raises(gm.UndefinedMeasure) as caught:
        gm.mcc.gradient([[3, 0], [2, 0]], undefined="raise")
    assert caught.value.measure == "mcc"
    with pytest.raises(gm.UndefinedMeasure) as caught:
        gm.roc_auc([1, 1], [0.2, 0.3], undefined="raise")
    assert (caught.value.measure, len(caught.value.reasons)) == ("roc_auc", 1)


def test_a_requirement_that_is_not_met_comes_with_its_outcomes():
    result = gm.evaluate([0, 1, 1, 0, 1, 0], [0, 1, 0, 0, 1, 1], measures=["mcc", "f1"])
    with pytest.raises(gm.RequirementNotMet) as caught:
        result.require("mcc >= 0.9", "f1 >= 0.1")
    for error in (caught.value, pickle.loads(pickle.dumps(caught.value))):
        assert [(x.measure, x.value) for x in error.outcomes] == [("mcc", result.value("mcc"))]
        assert error.got == (result.value("mcc"),)
        assert error.expected == "mcc >= 0.9"
        assert len(error.gate.outcomes) == 2
        assert str(error).startswith("1 requirement is not met:\n  mcc >= 0.9: it is 0.333")


def test_what_could_not_be_decided_is_said():
    error = gm.Undecided("undecided: {what} is zero to {bits} bits", what="1 - {x}", bits=64)
    assert (error.what, error.got) == ("1 - {x}", "1 - {x}")
    assert pickle.loads(pickle.dumps(error)).what == error.what


def test_what_to_type_is_spelled_for_the_reader():
    said = Phrase("{missing:=drop}, {classes:=2}, {positive:=}{one}", {"one": Either("; cm.f()", "; {positive} LABEL")})
    assert said.text() == "missing='drop', classes=2, positive=; cm.f()"
    assert said.text(OPTIONS) == "--missing drop, classes=2, --positive; --positive LABEL"
    assert said.text({"missing": "--missing"}.get) == "--missing drop, classes=2, positive="


def test_a_semicolon_in_a_value_ends_no_clause():
    error = InputError("{got!r} is empty", got="a; b", advice="leave {got!r} out by {missing:=drop}; rename {got!r}")
    assert str(error) == "'a; b' is empty: leave 'a; b' out by missing='drop'; rename 'a; b'"
    assert error.message(lambda argument: None) == "'a; b' is empty: rename 'a; b'"


def test_an_item_of_an_argument_is_the_value_of_an_option():
    error = InputError("{name} is empty", name=Argument("by", "the y_pred column"))
    assert str(error) == "by['the y_pred column'] is empty"
    assert error.message(OPTIONS) == "--by the y_pred column is empty"
    assert error.argument == "by"


def test_an_error_within_an_error_is_named_too():
    inner = InputError("{y_true} is {got!r}", got="{y_pred}")
    outer = InputError("{path} is bad: {why}", path="y_true.csv", why=inner)
    assert outer.message(OPTIONS) == "y_true.csv is bad: --true is '{y_pred}'"


@given(st.text(), st.text())
def test_values_are_repeated_as_they_are(first, second):
    error = InputError("{y_true} has {x}", x=first, y=second, advice="{y} is not {y_pred}")
    assert error.message(OPTIONS) == f"--true has {first}: {second} is not --pred"


@pytest.mark.parametrize(
    "error",
    [
        InputError("{y_pred} has {n} labels", n=3, got=[1, 2], advice="use {missing:=drop}"),
        InputTypeError("{y_pred} is {got!r}", got="{x}", expected="a list"),
        UnknownName("{name!r} is no name", name="{f2}", suggestions=["f1"]),
        InputError("{name} is bad", name=Argument("by", "{x}"), got=lambda: None),
        InputError("{what} is bad", what=Given("y_true", "label")),
        UnknownKey("{name!r} is no key", name="{f2}", advice="use {missing:=drop}"),
        InputOSError("{got} is full", got="{x}", advice="make room for {y_true}"),
        MissingFileError("there is no file {got}", got="{x}"),
        MissingPackageError("{what} needs more", what="{x}", advice="install it for {y_pred}"),
        gm.UndefinedMeasure("{class_!r} is empty", class_="{x}", measure="f1", reasons=["{y}"]),
        gm.Undecided("{what} may be 0", what="{x}"),
        gm.CertificateError(
            "{got} is no field", field="{x}", got="{", case={"support": "01"}, advice="see {why}", why="{"
        ),
    ],
)
@pytest.mark.parametrize("again", [copy.copy, lambda error: pickle.loads(pickle.dumps(error))])
def test_an_error_survives_the_way_to_another_process(error, again):
    found = again(error)
    assert type(found) is type(error)
    assert str(found) == str(error)
    assert found.message(OPTIONS) == error.message(OPTIONS)
    assert (found.argument, found.expected, found.advice) == (error.argument, error.expected, error.advice)


def test_a_key_that_nothing_has_is_told_without_quotes_around_the_message():
    error = UnknownKey("{name!r} is no key", name="a", suggestions=["b"])
    assert str(error) == "'a' is no key"
    assert isinstance(error, (KeyError, gm.UnknownName))
    assert (error.name, error.suggestions) == ("a", ("b",))


@pytest.mark.parametrize(
    ("number", "kind"),
    [
        (errno.ENOENT, FileNotFoundError), (errno.EISDIR, IsADirectoryError), (errno.ENOTDIR, NotADirectoryError),
        (errno.EACCES, PermissionError), (errno.ENOSPC, OSError),
    ],
)  # fmt: skip
def test_an_error_of_the_operating_system_is_caught_by_the_same_handlers(number, kind):
    error = file_error(OSError(number, "It {failed}"), "{got} cannot be read: {why}", got="a {b}")
    assert isinstance(error, kind)
    assert isinstance(error, InputOSError)
    assert (error.got, str(error)) == ("a {b}", "a {b} cannot be read: it {failed}")


LOOKED_UP = {
    "a measure of a disagreement": lambda: gm.disagreement(["f1", "mcc"], [MATRICES]).rates["kappa"],
    "a measure of a recommendation": lambda: gm.recommend(classes=2)["a{b}"],
    "a measure to forget": lambda: forget("a{b}"),
}
MATRICES = {"A": [[5, 1], [2, 3]], "B": [[4, 2], [1, 4]]}


@pytest.mark.parametrize("look_up", LOOKED_UP.values(), ids=LOOKED_UP)
def test_an_unknown_name_in_brackets_is_a_key_error_of_ours(look_up):
    with pytest.raises(KeyError) as caught:
        look_up()
    assert isinstance(caught.value, gm.UnknownName)
    assert caught.value.name in ("kappa", "a{b}")
    assert str(caught.value) == caught.value.message()


@pytest.mark.parametrize("kind", [gm.GoodmeasureError, *PUBLIC])
def test_a_traceback_shows_the_name_by_which_users_catch_an_error(kind):
    assert f"{kind.__module__}.{kind.__qualname__}" == f"goodmeasure.{kind.__name__}"
    assert getattr(gm, kind.__name__) is kind


def test_the_errors_cost_no_import_of_numpy():
    code = "import sys, goodmeasure as gm; gm.InputError, gm.UnknownName; sys.exit('numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0


def templated(trees: Iterable[ast.Module]) -> set[str]:
    """Return the names of the kinds of errors that are made from a template."""
    classes = [node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]
    known = {"GoodmeasureError"}
    while True:
        more = {x.name for x in classes if {ast.unparse(base) for base in x.bases} & known} | known
        if more == known:
            break
        known = more
    makers = {x.name: f for x in classes for f in x.body if isinstance(f, ast.FunctionDef) and f.name == "__init__"}
    return {name for name in known if name not in makers or makers[name].args.posonlyargs[1:2]}


@cache
def raised_and_parameters() -> tuple[list[tuple[Path, ast.Call]], set[str]]:
    """Every call in the source that makes an error from a template, and the names of all parameters and options."""
    calls, names = [], set()
    trees = {path: tree_of(path) for path in FILES}
    kinds = templated(trees.values())
    assert {"InputError", "InputOSError", "UnknownKey", "MissingData"} <= kinds
    for path, tree in trees.items():
        for node in ast.walk(tree):
            if isinstance(node, ast.arguments):
                names |= {x.arg for x in (*node.posonlyargs, *node.args, *node.kwonlyargs)}
            elif isinstance(node, ast.AnnAssign) and path.name == "options.py":
                names.add(ast.unparse(node.target))
            elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in kinds:
                calls.append((path, node))
            elif isinstance(node, ast.Call) and ast.unparse(node.func) == "demand" and "kernel" not in path.parts:
                raised = ast.Call(node.func, node.args[1:], node.keywords)  # without the condition
                calls.append((path, ast.copy_location(raised, node)))
    return [(path, node) for path, node in calls if path != Path(exceptions.__file__)], names


def test_no_template_holds_a_value_and_every_placeholder_is_a_value_or_an_argument():
    """An f-string as a template would read users' words as placeholders; a misspelt name would become an argument."""
    calls, names = raised_and_parameters()
    known = names | {"aliases", "orientation", "range"}
    assert len(calls) > 100
    for path, call in calls:
        given = {x.arg for x in call.keywords}
        texts = [*call.args, *(x.value for x in call.keywords if x.arg in ("expected", "advice"))]
        for text in texts:
            assert not isinstance(text, ast.JoinedStr), f"{path.name}:{call.lineno} has an f-string as a template"
            if not isinstance(text, ast.Constant) or None in given:
                continue
            for _, name, form, _ in string.Formatter().parse(text.value):
                if name is not None and name not in given:
                    assert name in known, f"{path.name}:{call.lineno}: {name} is neither a value nor an argument"
                elif name is not None and (form or "").startswith("="):
                    assert name == "argument", f"{path.name}:{call.lineno}: {name} is a value, not an argument"


# Errors of Python with words of our own, by the beginning of a path; each with the reason why they are not objects.
MAY_SPEAK_PLAINLY = {
    "sklearn/": "the library that it stands in for raises these errors, in these words",
    "language/": "the algebras say to each other what they cannot do",
    "theory/possible/map_build.py": "two answers to one question differ, which is a mistake of ours",
    "theory/refute/germs.py": "quotients by 0 are asked about before",
    "counts/readers/files/file_formats.py": "a signal to the JSON reader of Python, caught five lines below",
    "report/whole_files.py": "an error of the operating system, which is told in our words where it is caught",
}
# What Python's own protocols expect, or what only a mistake of ours can raise
OF_PYTHON = {
    AttributeError, IndexError, StopIteration, StopAsyncIteration, AssertionError, NotImplementedError, SystemExit,
    KeyboardInterrupt,
}  # fmt: skip
FOR_USERS = {
    name
    for name, x in vars(builtins).items()
    if isinstance(x, type) and issubclass(x, BaseException) and not issubclass(x, (Warning, *OF_PYTHON))
}


@cache
def plain_errors() -> list[tuple[str, int]]:
    """Return where an error of Python is made with words, or an error is made again from words, raised or not."""
    found = []
    for path in FILES:
        tree = tree_of(path)
        caught = {x.name for x in ast.walk(tree) if isinstance(x, ast.ExceptHandler)}
        for node in ast.walk(tree):
            if not isinstance(node, ast.Call) or not node.args:
                continue
            of = node.func
            by_name = isinstance(of, ast.Name) and of.id in FOR_USERS
            again = isinstance(of, ast.Call) and ast.unparse(of) in {f"type({name})" for name in caught}
            if by_name or again:
                found.append((path.relative_to(ROOT).as_posix(), node.lineno))
    return found


def test_what_users_did_wrong_is_an_object():
    """A plain ValueError with words in it would tell the command line nothing that it can put in its own words."""
    assert [f"{name}:{line}" for name, line in plain_errors() if not name.startswith(tuple(MAY_SPEAK_PLAINLY))] == []


@pytest.mark.parametrize("place", MAY_SPEAK_PLAINLY)
def test_no_exemption_outlives_its_reason(place):
    assert any(name.startswith(place) for name, _ in plain_errors())


@pytest.mark.parametrize(
    "ask",
    [
        lambda: gm.check(gm.f1, properties=["symmetry"])["monotone"],
        lambda: gm.check(gm.f1, properties=["symmetry"])["foo"],
        lambda: gm.atlas()["mcc", "foo"],
        lambda: gm.baselines([[3, 1], [1, 3]])["foo"],
        lambda: gm.disagreement(["mcc", "f1"], [[[3, 1], [1, 3]], [[2, 2], [1, 3]]]).rates["foo"],
    ],
)
def test_what_is_looked_up_in_brackets_is_a_key(ask):
    with pytest.raises(KeyError) as caught:
        ask()
    assert isinstance(caught.value, UnknownKey)
    assert not str(caught.value).startswith('"')


def test_a_table_without_a_key_answers_no():
    rates = gm.disagreement(["mcc", "f1"], [[[3, 1], [1, 3]], [[2, 2], [1, 3]]]).rates
    assert "foo" not in rates
    assert rates.get("foo", 5) == 5
    assert gm.check(gm.f1, properties=["symmetry"]).get("foo") is None


@pytest.mark.parametrize("asked", ["foo", ("mcc", "monotone", "x"), 3])
def test_the_atlas_is_asked_for_a_measure_and_a_property(asked):
    with pytest.raises(gm.InputTypeError, match="the atlas is asked for"):
        gm.atlas()[asked]


# What is about a package, a certificate (whose case and field the error knows) or a value that does not exist, and not
# about an argument that somebody gave
NO_INPUT = {"MissingPackageError", "UndefinedMeasure", "Undecided", "CertificateError", "demand"}
# Errors about no single argument, by the beginning of a path; each with the reason.
ABOUT_NO_ARGUMENT = {
    "counts/readers/files/": "the error around it, or the reader of the file, names the file",
    "language/compile/sparse.py": "the definition of a measure asks for cells that are not kept",
    "theory/possible/": "what is wrong is that nothing was given, or two things that exclude each other",
    "torch/measure_state.py": "a state was asked before it was updated",
    "web/": "a request as a whole is refused, and a page has no arguments",
}
# Errors that need no advice, by the beginning of a path; each with the reason.
SAYS_ENOUGH = {
    "catalogue/measure.py": "what the call takes stands in the sentence",
    "catalogue/names.py": "the sentence about an absent measure says what there is",
    "catalogue/register.py": "what is decorated, or stays in the catalogue, stands in the sentence",
    "cli/user_files.py": "it repeats what the user's own file said",
    "comparison/compare.py": "one argument needs another one, which the sentence names",
    "counts/arguments.py": "labels must be different, as the sentence says",
    "counts/readers/files/compression.py": "the error around it says what to do",
    "counts/readers/files/matrix_files.py": "the error around it shows how a matrix is written",
    "counts/readers/files/pooling.py": "there is no such file",
    "counts/readers/files/presets/registry.py": "the sentence names the format that was asked for",
    "counts/readers/files/private_engine.py": "it repeats what the engine says about the limit",
    "evaluation/prevalence/": "the classes that there are stand in the sentence; or there is no value at all",
    "evaluation/reading.py": "what the function takes stands in the sentence",
    "evaluation/thresholds/sweep.py": "what the function takes stands in the sentence",
    "language/typed/": "the place in the formula says where to look",
    "language/means_of_two.py": "what the mean takes stands in the sentence",
    "language/view.py": "the two sizes that differ stand in the sentence",
    "papers/": "the file that is missing, or what failed, stands in the sentence",
    "recommendation/recommend.py": "what must be 0 or positive stands in the sentence",
    "report/": "this kind of result has no such thing",
    "theory/": "a function of the user's or a certificate is wrong, and the sentence says where",
    "web/": "a request as a whole is refused",
}


def fields_of(call: ast.Call) -> tuple[bool, bool]:
    """Return whether an error says what it is about (an argument or what came), and what was expected or to do."""
    given = {x.arg for x in call.keywords}
    texts = [x.value for x in ast.walk(call.args[0]) if isinstance(x, ast.Constant) and isinstance(x.value, str)]
    named = [name for text in texts for _, name, _, _ in string.Formatter().parse(text) if name]
    about = bool(named) or bool(given & {"argument", "got", "name", "position"})
    return about, bool(given & {"expected", "advice"})


def raised_without(which: int) -> list[str]:
    calls = [(path.relative_to(ROOT).as_posix(), call) for path, call in raised_and_parameters()[0]]
    return [
        f"{name}:{call.lineno}"
        for name, call in calls
        if not fields_of(call)[which] and ast.unparse(call.func) not in NO_INPUT
    ]


def test_every_error_says_what_it_is_about():
    assert [x for x in raised_without(0) if not x.startswith(tuple(ABOUT_NO_ARGUMENT))] == []


def test_an_error_that_says_neither_what_was_expected_nor_what_to_do_is_rare():
    assert [x for x in raised_without(1) if not x.startswith(tuple(SAYS_ENOUGH))] == []


@pytest.mark.parametrize(("which", "places"), [(0, ABOUT_NO_ARGUMENT), (1, SAYS_ENOUGH)])
def test_no_reason_for_a_bare_error_outlives_the_error(which, places):
    found = raised_without(which)
    assert [place for place in places if not any(x.startswith(place) for x in found)] == []


@pytest.mark.parametrize(
    ("ask", "argument", "words"),
    [
        (lambda: gm.project(None), "cm", "cm is None"),
        (lambda: gm.project({"A": None}), "cm", "cm is None"),
        (lambda: gm.baselines(None), "cm", "cm is None"),
        (lambda: gm.drift([1], [2]), "before", "before has shape"),
        (lambda: gm.plan([[1, 2]], width=0.1), "data", "data has shape"),
        (lambda: gm.sweep([0, 1], [0.2, 0.8]).best("f1", where="zz"), "where", "where is 'zz'"),
        (lambda: gm.f1([0, 1, 1], [0, 1, 0], positive=7), "positive", "7 is not a class"),
        (lambda: gm.confusion([0, 1], [0, 2], labels=[0, 1]), "labels", "the label 2 occurs"),
        (lambda: gm.f1([[5, 1, 0], [0, 4, 2], [1, 0, 3]]), "positive", "f1 is defined for two classes"),
        (lambda: gm.check("f1", properties=["zz"]), "properties", "'zz' is not the name of a property"),
        (lambda: gm.check("zz"), "measure", "'zz' is not the name of a measure"),
        (lambda: gm.atlas(property="zz"), "property", "'zz' is not the name of a property"),
        (lambda: gm.evaluate([0, 1], [0, 1], measures=["zz"]), "measures", "'zz' is not the name of a measure"),
        (lambda: gm.recommend(needs=["zz"]), "needs", "'zz' is not the name of a property"),
        (lambda: gm.recommend(avoids=["zz"]), "avoids", "'zz' is neither the name of a property nor of a measure"),
        (lambda: evaluated().part("zz"), "system", "there is no system 'zz'"),
        (lambda: evaluated().require("zz >= 3"), "requirements", "'zz' is not the name of a measure"),
        (lambda: evaluated().require("mcc"), "requirements", "the requirement 'mcc' has no sign"),
        (lambda: evaluated().save("x.zz"), "path", "the file name 'x.zz' ends in '.zz'"),
        (lambda: evaluated().save(3), "path", "path is 3"),
    ],
)
def test_an_error_names_the_argument_of_the_function_that_was_called(ask, argument, words):
    with pytest.raises(gm.GoodmeasureError) as caught:
        ask()
    assert caught.value.argument == argument
    assert str(caught.value).startswith(words)


@cache
def evaluated():
    return gm.evaluate([0, 1, 1, 0], [0, 1, 0, 0], confidence=None)


def test_missing_labels_are_not_answered_with_an_argument_that_the_function_lacks():
    with pytest.raises(gm.InputError, match=r"\[1\] is None: ") as caught:
        gm.pair_confusion([1, None], [1, 0])
    assert "with missing=" not in str(caught.value)
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)


def test_text_weights_are_called_text():
    with pytest.raises(gm.InputTypeError, match=r"^sample_weight holds text values of shape \(2,\)"):
        gm.confusion([0, 1], [0, 1], sample_weight=["a", "b"])
