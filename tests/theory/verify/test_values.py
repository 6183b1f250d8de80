"""What the verifier demands of certificates about single matrices: each demand refuses a certificate that lacks it."""

from dataclasses import replace

import pytest

import goodmeasure as gm
from goodmeasure.exceptions import CertificateError
from goodmeasure.theory.prove.proof import prove
from goodmeasure.theory.statements.certificate import definition_of


def test_test_sets_that_differ_by_names_are_told_together():
    """A measure without a value where one class of three is never predicted: some predictions have one, some not."""

    def all_predicted(c):
        return c.sum(lambda i: c.ratio(c[i, i], c.b[i]))

    measure = gm.measure(all_predicted)
    assert prove(measure, "WDE", classes=3) is None
    sde = prove("accuracy", "SDE", classes=3)
    assert sde.symmetric
    said = [
        {**x, "proof": {**x["proof"], "by": "defined" if has_value(measure, x) else "undefined"}} for x in sde.cases
    ]
    forged = replace(
        sde, statement="sebastiani_wde", measure=measure.name, definition=definition_of(measure), cases=tuple(said)
    )
    with pytest.raises(CertificateError, match="undefined on"):
        gm.verify(forged, measure=all_predicted)


def has_value(measure, case):
    rows = [[int(x) for x in case["support"][3 * i : 3 * i + 3]] for i in range(3)]
    return str(measure.exact(rows, undefined="nan")) != "undefined"
