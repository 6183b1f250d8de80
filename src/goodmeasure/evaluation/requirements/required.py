"""The base class of all results: requirements can be checked on them, and experiment trackers can log them."""

from __future__ import annotations

from collections.abc import Iterable
from copy import copy
from typing import Self

from goodmeasure.evaluation.requirements.gate import Gate, RequiredScore, judged
from goodmeasure.evaluation.requirements.grammar import Requirement, read
from goodmeasure.evaluation.tracked_numbers import Tracked, named_numbers
from goodmeasure.exceptions import InputError


class Required:
    """Base class of results that can be held to requirements, and written to an experiment tracker."""

    gate: Gate | None = None  # the outcomes of requirements, which a report shows

    def required_scores(self, asked: Requirement) -> list[RequiredScore]:
        """Return the scores that a requirement is about."""
        raise NotImplementedError

    def tracked(self) -> Iterable[Tracked]:
        """Return the numbers for an experiment tracker, each with the parts of its name."""
        raise NotImplementedError

    @property
    def required_confidence(self) -> float | None:
        """Return the confidence level of the intervals that requirements are checked against."""
        raise NotImplementedError

    def checked(self, *requirements: str, confident: bool = False) -> Gate:
        """Return the outcome of each requirement, whether it is met or not.

        >>> import goodmeasure as gm
        >>> gm.evaluate([0, 1, 1, 0], [0, 1, 0, 0], confidence=None).checked("accuracy >= 0.7", "recall[1] >= 0.9")
        met: accuracy >= 0.7: it is 0.750
        NOT MET: recall[1] >= 0.9: it is 0.500
        """
        if not requirements:
            raise InputError("nothing is required", argument="requirements", advice="give a text such as 'mcc >= 0.8'")
        read_first = [read(text) for text in requirements]
        level = self.required_confidence
        found = [x for asked in read_first for x in judged(asked, self.required_scores(asked), level, confident)]
        return Gate(tuple(found), level)

    def require(self, *requirements: str, confident: bool = False) -> Gate:
        """Check requirements such as "mcc >= 0.8", and raise `RequirementNotMet` if one of them is not met.

        A requirement is a measure by any name, a sign (>=, >, <=, <, ==) and a number. ``recall[spam]`` is about a
        class, ``mcc[slice=x]`` about a slice, ``recall[*]`` about each class, and ``A: mcc`` about one of several
        systems; without it, every system must meet the requirement. With `confident`, the whole confidence interval
        must meet it. An undefined value meets nothing.

        >>> import goodmeasure as gm
        >>> gm.evaluate([0, 1, 1, 0], [0, 1, 0, 0], confidence=None).require("accuracy >= 0.7", "recall[1] >= 0.9")
        Traceback (most recent call last):
            ...
        goodmeasure.RequirementNotMet: 1 requirement is not met:
          recall[1] >= 0.9: it is 0.500
        """
        return self.checked(*requirements, confident=confident).check()

    def with_gate(self, gate: Gate) -> Self:
        """Return the same result, with the outcomes of requirements shown in its report."""
        found = copy(self)
        object.__setattr__(found, "gate", gate)  # results are frozen
        return found

    def metrics(self, prefix: str = "") -> dict[str, float]:
        """Return every defined number by a name that experiment trackers such as MLflow and Weights & Biases accept.

        Names hold letters, digits, ``_``, ``-``, ``.`` and ``/``. They are unique, and the same in every run on the
        same classes, slices and systems.

        >>> import goodmeasure as gm
        >>> result = gm.evaluate([0, 1, 1, 0], [0, 1, 0, 0], measures=["accuracy", "macro(f1)"], confidence=None)
        >>> {name: round(x, 3) for name, x in result.metrics("test/").items() if "recall" not in name}
        ... # doctest: +NORMALIZE_WHITESPACE
        {'test/accuracy': 0.75, 'test/macro_f1': 0.733, 'test/precision.0': 0.667, 'test/f1.0': 0.8,
         'test/precision.1': 1.0, 'test/f1.1': 0.667, 'test/items': 4.0}
        """
        return named_numbers(prefix, self.tracked())
