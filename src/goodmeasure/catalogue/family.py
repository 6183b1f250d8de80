"""Measures with parameters: a family makes a measure from a choice of parameters."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, TypeVar, cast, overload

import numpy as np

from goodmeasure.catalogue.measure import GeneratedHelp, Measure
from goodmeasure.exceptions import InputError, InputTypeError
from goodmeasure.language.view import Definition, Number, readable

if TYPE_CHECKING:
    from goodmeasure.catalogue.facts import FamilyFacts, MeasureFacts, Range

GREEK = {"alpha", "beta", "gamma"}

_Given = TypeVar("_Given")


def _help(family: Family) -> str:
    from goodmeasure.catalogue.explanation import help_text_of_family

    return help_text_of_family(family)


class Family:
    __doc__ = GeneratedHelp("A measure that needs parameters first: ``fbeta(2)(cm)``.", _help)
    takes = "labels"

    if TYPE_CHECKING:  # facts of the family, or of the measure with its usual parameters, found by __getattr__
        range: Range | None
        orientation: str
        cite: str | None
        citation: str
        classes: int | None
        family: str
        about: str

    def __init__(
        self,
        build: Callable[..., Definition],
        name: str,
        usual: tuple[dict[str, object], ...],
        facts: FamilyFacts,
    ) -> None:
        self.build = build
        self.name = name
        self.usual = usual
        self.facts = facts
        self.signature = inspect.signature(build)

    def __call__(self, *args: object, **kwargs: object) -> Measure:
        function, name, facts = self._chosen(args, kwargs)
        return Measure(function, name, **facts)

    def _chosen(self, args: tuple[object, ...], kwargs: Mapping[str, object]) -> tuple[Definition, str, MeasureFacts]:
        """Return the definition that the parameters lead to, the name of the measure, and its facts."""
        if (
            args
            and _looks_like_data(args[0])
            and "costs" not in self.signature.parameters
            and "weights" not in self.signature.parameters
        ):
            raise InputTypeError(
                "{name} needs its parameters before the data",
                name=self.name,
                example=self.example,
                got=args[0],
                advice="{example}(cm)",
            )
        bound = bound_to(self.name, self.signature, args, kwargs, example=self.example)
        bound.apply_defaults()
        chosen = {name: canonical(value) for name, value in bound.arguments.items()}
        function = self.build(**chosen)
        shown = self.shown(chosen)
        name = f"{self.name}({', '.join(f'{k}={literal(v)}' for k, v in shown.items())})" if shown else self.bare_name
        key = (self.name, tuple(chosen.items()))
        return function, name, {
            "parameters": chosen, "made_by": self.name, "key": key, **self._facts_of(chosen), "aliases": (),
        }  # fmt: skip

    def shown(self, chosen: Mapping[str, object]) -> dict[str, object]:
        """Return the parameters that the name of a measure shows: those that differ from their defaults."""
        defaults = {name: p.default for name, p in self.signature.parameters.items()}
        return {
            name: value
            for name, value in chosen.items()
            if value != defaults[name] or defaults[name] is inspect.Parameter.empty
        }

    def _facts_of(self, chosen: Mapping[str, object]) -> MeasureFacts:
        """Return the facts of the measure with these parameters."""
        found = {fact: value(**chosen) if callable(value) else value for fact, value in self.facts.items()}
        return cast("MeasureFacts", found)  # a fact, and a function that returns it, have the same name

    @property
    def bare_name(self) -> str:
        """The name of the measure whose parameters all have their defaults."""
        return f"{self.name}()"

    @property
    def example(self) -> str:
        """The family with its first usual parameters, as users type it."""
        return f"{self.name}({', '.join(f'{k}={literal(canonical(v))}' for k, v in self.usual[0].items())})"

    @property
    def title(self) -> str:
        return str(self.facts["title"])

    @property
    def aliases(self) -> tuple[str, ...]:
        return tuple(self.facts.get("aliases", ()))

    @property
    def formula(self) -> str:
        """The formula with the parameters as letters, if the definition allows it."""
        from goodmeasure.language.print.formulas import formula_of
        from goodmeasure.language.record import ParameterValue, record

        letters = {name: ParameterValue(rf"\{name}" if name in GREEK else name) for name in self.signature.parameters}
        classes = self.facts.get("classes")
        try:
            return formula_of(record(readable(self.build(**letters)), classes), two=classes == 2)
        except (TypeError, ValueError):  # a parameter that is not a number, such as a table of costs
            return str(self(**self.usual[0]).formula)

    def __getattr__(self, fact: str) -> object:
        if fact in ("facts", "usual", "build", "signature"):  # not set yet, while unpickling or in __init__
            raise AttributeError(fact)
        known = self.facts.get(fact)
        if known is not None and not callable(known):
            return known
        return getattr(self(**self.usual[0]), fact)

    def __repr__(self) -> str:
        return f"{self.name}({', '.join(self._parameters())})"

    def _parameters(self) -> list[str]:
        """Return the parameters as users type them, with their defaults."""
        return [
            name if p.default is inspect.Parameter.empty else f"{name}={literal(p.default)}"
            for name, p in self.signature.parameters.items()
        ]

    def __reduce__(self) -> tuple[object, ...]:
        from goodmeasure.catalogue.names import family

        return family, (self.name,)


def bound_to(
    name: str, signature: inspect.Signature, args: tuple[object, ...], kwargs: Mapping[str, object], *, example: str
) -> inspect.BoundArguments:
    """Return the parameters that a call gives to what makes a measure; say which are missing, unknown or too many."""
    known = list(signature.parameters)
    for given in kwargs:
        if given not in known:
            raise InputTypeError(
                "{name} has no parameter {got!r}", name=name, got=given, argument=given, known=", ".join(known),
                example=example, advice="it has {known}, as in {example}",
            )  # fmt: skip
    positional = [x for x in signature.parameters.values() if x.kind is not x.KEYWORD_ONLY]
    if len(args) > len(positional):
        raise InputTypeError(
            "{name} takes {most} without a name", name=name, got=args, example=example,
            most="1 parameter" if len(positional) == 1 else f"{len(positional)} parameters",
            advice="for example {example}",
        )  # fmt: skip
    twice = next((x.name for x in positional[: len(args)] if x.name in kwargs), None)
    if twice is not None:
        raise InputTypeError(
            "{name} was given {argument} twice", name=name, argument=twice, got=kwargs[twice], advice="give it once"
        )
    bound = signature.bind_partial(*args, **kwargs)
    needed = [x.name for x in signature.parameters.values() if x.default is x.empty and x.name not in bound.arguments]
    if needed:
        raise InputTypeError(
            "{name} needs its parameter {argument}", name=name, argument=needed[0], got=args, example=example,
            advice="for example {example}",
        )  # fmt: skip
    return bound


def _looks_like_data(x: object) -> bool:
    return hasattr(x, "counts") or hasattr(x, "to_numpy") or isinstance(x, (list, tuple, np.ndarray))


@overload
def canonical(value: Number) -> Number: ...


@overload
def canonical(value: object) -> object: ...


def canonical(value: object) -> object:
    """Return a parameter in one form: whole floats as integers, arrays as tuples."""
    if isinstance(value, np.ndarray):
        value = value.tolist()
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, (list, tuple)):
        return tuple(canonical(x) for x in value)
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, Fraction) and value.denominator == 1:
        return value.numerator
    return value


def literal(value: object) -> str:
    """Return a parameter as it is typed in a name."""
    if isinstance(value, float) and math.isinf(value):
        return "inf" if value > 0 else "-inf"
    if isinstance(value, tuple):
        return f"[{', '.join(literal(x) for x in value)}]"
    if isinstance(value, Fraction):
        return f"{value.numerator}/{value.denominator}"
    return repr(value)


def number(
    value: _Given, name: str, *, at_least: float | None = None, at_most: float | None = None, infinite: bool = False
) -> _Given:
    """Return a numeric parameter after checking its bounds; the letters of a printed formula pass."""
    from goodmeasure.language.record import RecordedValue

    if not isinstance(value, RecordedValue):
        _check_number(value, name, at_least, at_most, infinite)
    return value


def _check_number(value: object, name: str, at_least: float | None, at_most: float | None, infinite: bool) -> None:
    if isinstance(value, bool) or not isinstance(value, (int, float, Fraction)):
        raise InputTypeError("{argument} is {got!r}", argument=name, got=value, expected="a number")
    if math.isnan(value) or (math.isinf(value) and not infinite):
        raise InputError(
            "{argument} is {got}",
            argument=name,
            got=value,
            which="" if infinite else "finite ",
            expected="a {which}number",
        )
    if at_least is not None and value < at_least:
        raise InputError(
            "{argument} is {got}", argument=name, got=value, at_least=at_least, expected="at least {at_least}"
        )
    if at_most is not None and value > at_most:
        raise InputError("{argument} is {got}", argument=name, got=value, at_most=at_most, expected="at most {at_most}")
