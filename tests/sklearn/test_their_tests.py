"""Scikit-learn's own tests of these metrics pass with our functions in the place of theirs."""

import pytest

import goodmeasure.sklearn as ours
from tests.sklearn.outcomes import SAME_VERSION
from tests.sklearn.theirs import METRICS, loaded, selection

if not SAME_VERSION:
    pytest.skip(
        "the errors and warnings of scikit-learn 1.9 are ours, older tests ask for older ones", allow_module_level=True
    )

pytestmark = pytest.mark.filterwarnings("ignore")  # their tests say themselves where a warning is an error

OTHER_FUNCTIONS = ("dcg", "sort_inputs")
"""Tests with these words in their names are about functions that are not here, or about private ones of theirs."""

_DISPATCH = "asks for arrays of the caller's library (sklearn.set_config(array_api_dispatch=True)); ours are NumPy's"

NOT_APPLICABLE = {
    "test_array_api_compliance": _DISPATCH,
    "test_mixed_array_api_namespace_input_compliance": _DISPATCH,
    "test_confusion_matrix_array_api": _DISPATCH,
}
"""Tests that cannot apply, each with its reason; none is about a result."""

CLASSIFICATION = loaded("sklearn.metrics.tests.test_classification")
COMMON = loaded("sklearn.metrics.tests.test_common")
RANKING = loaded("sklearn.metrics.tests.test_ranking")
MODULES = (CLASSIFICATION, COMMON, RANKING)


def _applies(name):
    return name not in NOT_APPLICABLE and not any(word in name for word in OTHER_FUNCTIONS)


for _module in MODULES:
    globals().update({name: test for name, test in selection(_module).items() if _applies(name)})


@pytest.fixture
def global_random_seed():
    """The seed that scikit-learn's own configuration supplies."""
    return 42


def test_every_test_that_does_not_apply_is_one_of_theirs():
    assert {*NOT_APPLICABLE} <= {name for module in MODULES for name in vars(module)}


def test_the_modules_have_no_name_in_common():
    """Else one test would hide another here."""
    names = [name for module in MODULES for name in selection(module)]
    assert len(names) == len({*names})


def test_their_tests_call_our_functions():
    called = {name for module in MODULES for name in METRICS if vars(module).get(name) is getattr(ours, name)}
    assert called == {*METRICS}
