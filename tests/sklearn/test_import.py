"""The drop-in works without scikit-learn, and without loading it where it is there."""

import subprocess
import sys
import textwrap

FOREIGN = ("sklearn", "scipy", "pandas", "flint", "torch")


def run(program):
    """What a fresh interpreter prints."""
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(program)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_importing_and_using_it_loads_numpy_only():
    loaded = run(f"""
        import sys
        from goodmeasure.sklearn import classification_report, f1_score, log_loss, matthews_corrcoef, roc_auc_score
        f1_score([0, 1, 1], [0, 1, 0]), matthews_corrcoef(["a", "b"], ["a", "a"])
        classification_report([[0, 1], [1, 1]], [[1, 1], [1, 0]], zero_division=0)
        roc_auc_score([0, 1, 1], [0.1, 0.5, 0.4]), log_loss(["a", "b"], [0.1, 0.7])
        print([name for name in {FOREIGN!r} if name in sys.modules])
    """)
    assert loaded.strip() == "[]"


def test_without_scikit_learn_warnings_and_errors_are_our_own():
    told = run("""
        import sys, warnings
        sys.modules["sklearn"] = None  # as if it were not installed
        from goodmeasure.sklearn import f1_score, get_scorer
        with warnings.catch_warnings(record=True) as found:
            warnings.simplefilter("always")
            f1_score([0, 0], [0, 0])
        print(found[0].category.__module__, found[0].category.__name__, issubclass(found[0].category, UserWarning))
        try:
            f1_score([0, 1], [0, 1], average="maximal")
        except ValueError as error:
            print(type(error).__module__, type(error).__name__, isinstance(error, TypeError), "average" in str(error))
        try:
            get_scorer("mcc")
        except ImportError as error:
            print(error)
    """)
    assert told.splitlines() == [
        "goodmeasure.sklearn.exceptions UndefinedMetricWarning True",
        "goodmeasure.sklearn.exceptions InvalidParameterError True True",
        "scorers are for scikit-learn, which is not installed: pip install scikit-learn",
    ]


def test_a_warning_points_at_the_line_of_the_caller():
    told = run("""
        import warnings
        from goodmeasure.sklearn import classification_report
        with warnings.catch_warnings(record=True) as found:
            warnings.simplefilter("always")
            classification_report([0, 0], [1, 1])
        print({x.filename for x in found})
    """)
    assert told.strip() == "{'<string>'}"
