"""The pages of the site that follow from the code: public names, commands, one page for each measure."""

from __future__ import annotations

import inspect
import re
from functools import cache
from pathlib import Path

import click
import numpy as np

import goodmeasure as gm
from goodmeasure.catalogue.names import all_measures
from goodmeasure.catalogue.peers import PEERS, Counterpart, crosswalk
from goodmeasure.cli.main import TASKS, main
from goodmeasure.web.answers.measure_pages import KNOWN, file_name, page

CITED = {"goesgens2021": "Gösgens 2021", "sebastiani2015": "Sebastiani 2015", "opitz2024": "Opitz 2024"}


def write(folder: Path) -> None:
    """Write all pages anew; files that would stay the same are left alone, so that they are not read again."""
    pages = {"api.md": names(), "commands.md": commands(), "measures/index.md": list_of_measures()}
    pages |= {f"{stem(f)}.md": measure(f) for f in all_measures()}
    for path in folder.rglob("*.md"):
        if path.relative_to(folder).as_posix() not in pages:
            path.unlink()
    for name, text in pages.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.is_file() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")


def stem(f: gm.Measure) -> str:
    """Return the place of a measure's page, which is that on the explore page."""
    return file_name(f).removesuffix(".json")


def names() -> str:
    """Return the reference of all public names, by what they are."""
    shipped = {f.name.partition("(")[0] for f in all_measures()}
    found = [(name, getattr(gm, name)) for name in sorted(set(dir(gm))) if not name.startswith("_")]
    found = [
        (name, x) for name, x in found if name not in shipped and getattr(x, "__module__", "").startswith("goodmeasure")
    ]
    kinds = {
        "Functions": [x for x in found if inspect.isfunction(x[1])],
        "Classes": [x for x in found if inspect.isclass(x[1]) and not issubclass(x[1], BaseException)],
        "Errors and warnings": [x for x in found if inspect.isclass(x[1]) and issubclass(x[1], BaseException)],
    }
    parts = ["# Public names\n\n`import goodmeasure as gm`. The measures have [pages of their own](measures/index.md)."]
    for kind, listed in kinds.items():
        parts.append(f"## {kind}")
        parts += [_entry(name, x, 3) for name, x in listed]
    return "\n\n".join(parts) + "\n"


def _entry(name: str, x: object, level: int) -> str:
    try:
        typed = re.sub(r"(: |-> )'([^']*)'", r"\1\2", f"{name}{inspect.signature(x)}")  # type: ignore[arg-type]
    except (TypeError, ValueError):
        typed = name
    parts = [
        f"{'#' * level} `{name}`",
        f"```python\n{typed}\n```" if not _is_error(x) else "",
        _prose(inspect.getdoc(x)),
    ]
    if inspect.isclass(x) and not _is_error(x):
        for part, value in sorted(vars(x).items()):
            member = value.func if hasattr(value, "func") and not callable(value) else value
            said = inspect.getdoc(member.fget if isinstance(member, property) else member)
            if part.startswith("_") or not said or not (callable(member) or isinstance(member, property)):
                continue
            call = f"`.{part}`" if isinstance(member, property) else f"`.{part}()`"
            parts.append(f"{call}\n: {_prose(said.partition(chr(10) * 2)[0]).replace(chr(10), chr(10) + '  ')}")
    return "\n\n".join(x for x in parts if x)


def _is_error(x: object) -> bool:
    return inspect.isclass(x) and issubclass(x, BaseException)


def _prose(text: str | None) -> str:
    """Return a docstring as Markdown: its examples become blocks of code, and double backticks single ones."""
    blocks = []
    for block in (text or "").replace("``", "`").split("\n\n"):
        shown = f"```python\n{block}\n```" if block.lstrip().startswith(">>>") else block
        blocks.append(shown if shown.startswith("```") else re.sub(r"(?m)^ {4,}", "", shown).replace("|", "\\|"))
    return "\n\n".join(blocks)


def commands() -> str:
    """Return the help of every command, by task."""
    said = "Every command prints JSON with `--json`. The status is 0, 1 if a check failed, 2 for bad input."
    parts = ["# Commands", said]
    context = click.Context(main, info_name="goodmeasure", max_content_width=100, terminal_width=100)
    for task, listed in TASKS.items():
        parts.append(f"## {task}")
        for name in listed:
            command = main.get_command(context, name)
            assert command is not None
            inner = click.Context(command, info_name=name, parent=context, max_content_width=100, terminal_width=100)
            parts.append(f"### `goodmeasure {name}`\n\n```text\n{command.get_help(inner)}\n```")
    return "\n\n".join(parts) + "\n"


def list_of_measures() -> str:
    """Return the list of all pages of measures, those first that most people know."""
    place = {name: k for k, name in enumerate(KNOWN)}
    listed = sorted(all_measures(), key=lambda f: (place.get(f.name, len(place)), f.name))
    rows = [f"| [`{f.name}`]({Path(stem(f)).name}.md) | {f.title} |" for f in listed]
    tree = "\n".join(Path(stem(f)).name for f in listed)
    return (
        "# Measures\n\nEach has a page with its formula, meaning, rules for 0/0, properties and sources.\n\n"
        "| name | title |\n|---|---|\n" + "\n".join(rows) + f"\n\n```{{toctree}}\n:hidden:\n\n{tree}\n```\n"
    )


@cache
def elsewhere() -> dict[str, list[tuple[str, Counterpart]]]:
    """Return what other libraries call each measure."""
    found: dict[str, list[tuple[str, Counterpart]]] = {}
    for peer in PEERS:
        for x in crosswalk(peer):
            if x.measure is not None:
                found.setdefault(x.measure, []).append((peer, x))
    return found


def drawing(f: gm.Measure) -> str:
    """Return how a measure of two classes reacts to recall at three specificities; one item of ten is positive."""
    if f.classes not in (None, 2) or f.parameters.get("costs"):
        return ""
    n, wide, high = 1000, 420, 220
    recalls = np.linspace(0, 1, 51)
    curves = {}
    for specificity in (0.99, 0.9, 0.5):
        tp, tn = 0.1 * n * recalls, np.full(51, 0.9 * n * specificity)
        curves[specificity] = f(np.stack([np.stack([tn, 0.9 * n - tn], -1), np.stack([0.1 * n - tp, tp], -1)], -2))
    values = np.concatenate([x[np.isfinite(x)] for x in curves.values()])
    if not len(values):
        return ""
    low, top = float(min(values.min(), 0)), float(max(values.max(), 1 if values.max() <= 1 else values.max()))
    parts = [f'<line x1="50" y1="{high - 30}" x2="{wide - 90}" y2="{high - 30}" class="axis"/>',
             f'<line x1="50" y1="10" x2="50" y2="{high - 30}" class="axis"/>',
             f'<text x="44" y="{high - 26}" text-anchor="end">{low:.3g}</text>',
             f'<text x="44" y="18" text-anchor="end">{top:.3g}</text>',
             f'<text x="50" y="{high - 14}">0</text><text x="{wide - 90}" y="{high - 14}" text-anchor="end">1</text>',
             f'<text x="{wide / 2 - 20:.0f}" y="{high - 2}" text-anchor="middle">recall</text>']  # fmt: skip
    for k, (specificity, found) in enumerate(curves.items()):
        points = " ".join(
            f"{50 + (wide - 140) * r:.1f},{10 + (high - 40) * (top - v) / ((top - low) or 1):.1f}"
            for r, v in zip(recalls, found, strict=True) if np.isfinite(v)
        )  # fmt: skip
        parts.append(f'<polyline points="{points}" class="curve{k}"/>')
        parts.append(f'<text x="{wide - 84}" y="{24 + 18 * k}" class="key{k}">— {specificity:.0%}</text>')
    parts.append(f'<text x="{wide - 84}" y="{24 + 18 * 3}">specificity</text>')
    said = f"{f.title} by recall, for specificities of 99, 90 and 50%, where 10% of the items are positive"
    return (f'<figure><svg class="reaction" viewBox="0 0 {wide} {high}" role="img" aria-label="{said}">'
            f"{''.join(parts)}</svg><figcaption>{said}.</figcaption></figure>")  # fmt: skip


def measure(f: gm.Measure) -> str:
    """Return the page of one measure."""
    found = page(f)
    parts = [f"# {f.title}", f"`{f.name}`" + (f" · also {', '.join(f'`{x}`' for x in f.aliases)}" if f.aliases else "")]
    parts.append(f'<div class="formula" tabindex="0">{found["formula"]["mathml"]}</div>')
    parts += [str(found["meaning"]), drawing(f)]
    if f.classes in (None, 2) and not f.parameters.get("costs"):
        parts.append(f"```python\ngm.measure({f.name!r})([[50, 3], [4, 20]])    # {f([[50, 3], [4, 20]])!r}\n```")
    rules = found.get("zero_division") or []
    if rules:
        parts.append("## Where it is 0/0\n\n| when | then |\n|---|---|\n"
                     + "\n".join(f"| {x['when']} | {x['then']} |" for x in rules))  # fmt: skip
    rows = [
        f"| {x['title']} ({CITED[x['cite']]}) | {x['sentence']} "
        f"| {x['classes'] or 'any'}, {x['domain']} | {x['sign']} {x['words']} |"
        for x in found["verdicts"]
    ]
    if rows:
        parts.append("## Properties\n\n| property | what it says | classes, matrices | verdict |\n|---|---|---|---|\n"
                     + "\n".join(x.replace("\n", " ") for x in rows)
                     + f"\n\nThe proofs: `goodmeasure check \"{f.name}\" --proof`.")  # fmt: skip
    there = elsewhere().get(f.name, [])
    if there:
        parts.append("## In other libraries\n\n| library | name there | difference |\n|---|---|---|\n"
                     + "\n".join(f"| {peer} | `{x.name}` | {x.note} |" for peer, x in there))  # fmt: skip
    if f.cite:
        parts.append(f"## Source\n\n{f.citation}")
    return "\n\n".join(x for x in parts if x) + "\n"
