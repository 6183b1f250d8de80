"""Citations: the entries of references.bib, as text and as BibTeX."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files


@cache
def bibliography() -> dict[str, dict[str, str]]:
    """Return the fields of every entry by key; the raw entry is under "bibtex"."""
    text = files("goodmeasure.catalogue").joinpath("references.bib").read_text(encoding="utf-8")
    found = {}
    for raw in re.findall(r"@\w+\{.*?\n\}", text, flags=re.DOTALL):
        key = raw[raw.index("{") + 1 : raw.index(",")].strip()
        fields = dict(re.findall(r"^\s*(\w+)\s*=\s*\{(.*?)\},?\s*$", raw, flags=re.MULTILINE))
        found[key] = {**fields, "bibtex": raw}
    return found


def reference(key: str) -> str:
    """Return an entry as a sentence: authors, year, title, place."""
    try:
        entry = bibliography()[key]
    except KeyError:
        return key  # a user's own measure may cite something else
    plain = {name: _plain(value) for name, value in entry.items()}
    authors = plain.get("author", "").replace(" and ", " & ")
    year, title = plain.get("year", "n.d."), plain.get("title", key)
    where = plain.get("journal") or plain.get("booktitle") or plain.get("publisher") or plain.get("note") or ""
    volume = " ".join(x for x in (plain.get("volume", ""), f"({plain['number']})" if "number" in plain else "") if x)
    place = ", ".join(x for x in (where, volume, plain.get("pages", "")) if x)
    title = title if title.endswith("?") or not authors else f"{title}."
    start = f"{authors} ({year}). {title}" if authors else f"{title} ({year})."
    return " ".join(f"{start} {place}.".split()).replace("..", ".").removesuffix(" .")


def _plain(value: str) -> str:
    """Return a field without what is written for LaTeX only."""
    for latex, text in (("{", ""), ("}", ""), ("--", "–"), ("``", "“"), ("''", "”")):
        value = value.replace(latex, text)
    return value


def bibtex(key: str) -> str:
    """Return an entry as BibTeX."""
    return bibliography()[key]["bibtex"]
