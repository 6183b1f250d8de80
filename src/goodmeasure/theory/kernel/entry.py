"""Check a certificate of any kind, as JSON was read."""

from __future__ import annotations

from importlib import import_module

from goodmeasure.theory.kernel.facts import entries, listed
from goodmeasure.theory.kernel.refusal import Refused, demand

FORMAT = "goodmeasure certificate 2"
_MODULES = {  # what is about all measures, by its kind; what says no kind is about one measure
    "impossible": "kinds.impossible",
    "possible": "kinds.possible",
    "preserved": "kinds.preservation",
    "lost": "kinds.preservation",
}
_UNREADABLE = (LookupError, TypeError, ValueError, AttributeError, ArithmeticError, AssertionError, RecursionError)


def check(data: object) -> None:
    """Check a certificate; `Refused` unless it shows what it claims.

    What cannot be read is refused too. The order in which certificates are checked does not matter: nothing is kept.
    """
    try:
        found = entries(data)
        stated = found.get("format")
        earlier = isinstance(stated, str) and stated.startswith("goodmeasure certificate ")
        advice = "; it is of an earlier version: run gm.check again" if earlier else ""
        demand(stated == FORMAT, f"the format is {stated!r} and not {FORMAT!r}{advice}", "format")
        module = _MODULES.get(str(found["kind"])) if "kind" in found else "proof"
        demand(module, "the kind is none that is known", "kind")
        import_module(f"goodmeasure.theory.kernel.{module}").check(found)
    except _UNREADABLE as error:
        if isinstance(error, Refused):
            raise
        raise Refused(f"it cannot be read: {type(error).__name__}: {str(error)[:200]}") from None


__all__ = ["FORMAT", "Refused", "check", "listed"]
