"""The options that a form of the page offers, as `goodmeasure.options` declares them."""

from __future__ import annotations

from collections.abc import Mapping

from goodmeasure.keywords import Option, options_of
from goodmeasure.options import CompareOptions

FORMS = {"compare": CompareOptions}


def offered_options(form: str) -> dict[str, Option]:
    """Return the options of a form, by name."""
    return {name: x for name, x in options_of(FORMS[form]).items() if x.form}


def forms_data() -> dict[str, object]:
    """Return what the page must know to draw the options of each form."""
    return {
        form: [
            {"name": x.name, "help": x.help, "kind": x.kind.__name__, "choices": x.choices, "default": x.default}
            for x in offered_options(form).values()
        ]
        for form in FORMS
    }


def read_options(form: str, texts: Mapping[str, str]) -> dict[str, object]:
    """Return the options that a request names, as values; what is left empty has its default."""
    return {name: x.read(texts[name]) for name, x in offered_options(form).items() if texts.get(name)}
