"""Errors of functions, said as options of the command that was given."""

from __future__ import annotations

import pytest

from goodmeasure.cli.options import as_options

ALL = {"--true", "--pred", "--labels", "--missing", "--positive", "--method", "--group"}


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("y_pred has 2 labels, y_true has 3", "--pred has 2 labels, --true has 3"),
        ("leave them out with missing='drop'", "leave them out with --missing drop"),
        ("occurs in the data but not in labels=['a', 'b']: add it", "occurs in the data but not in --labels: add it"),
        ("name the true one with y_true= (on the command line: --true)", "name the true one with --true"),
        ("groups has 2 values", "--group has 2 values"),
        ("there is no column 'y_true', and no positive items", "there is no column 'y_true', and no positive items"),
        ("data/y_true.csv and y_pred.csv differ", "data/y_true.csv and y_pred.csv differ"),
        ("labels are of different kinds", "labels are of different kinds"),
    ],
)
def test_arguments_become_options(said, told):
    assert as_options(said, ALL) == told


def test_an_option_that_the_command_lacks_is_not_named():
    assert as_options("positive is 'x'; or cm.vs_rest(label)", {"--true"}) == "positive is 'x'; or cm.vs_rest(label)"
