"""The colours of charts: those of the design system, by the names of its custom properties.

Specifications hold the colours of light pages, so that notebooks and other programs can draw them as they are. A page
exchanges them for its own, which suit dark pages, too. `report/formats/templates/design.css` says how they are used.
"""

from __future__ import annotations

SERIES = ("#0072b2", "#d55e00", "#00875f", "#b4558c", "#b97e00", "#3f9bd1", "#6b5b95", "#6f7780")
VALUE, ALARM, CHANCE, GREY = "#0072b2", "#d55e00", "#8a5a00", "#6f7780"


def custom_properties() -> dict[str, str]:
    """Return the custom property of the design system for each colour."""
    return {**{colour: f"--series-{k}" for k, colour in enumerate(SERIES, 1)}, CHANCE: "--chance"}


def series(number: int) -> list[str]:
    """Return a colour for each of this many systems; colours repeat if there are more systems than colours."""
    return [SERIES[k % len(SERIES)] for k in range(number)]
