"""`goodmeasure explore`: a local page that shows how measures behave."""

from __future__ import annotations

import webbrowser
from pathlib import Path

import click

from goodmeasure.counts.readers.files.containers import container_of
from goodmeasure.counts.readers.files.locations import located
from goodmeasure.exceptions import InputError, MissingPackageError

_PORT = 8642


@click.command()
@click.argument("file", required=False, metavar="[FILE]")
@click.option("--port", type=click.IntRange(0, 65535), default=_PORT, show_default=True, help="Port of the page.")
@click.option("--host", default="127.0.0.1", show_default=True, metavar="ADDRESS",
              help="Address to listen on. Others can reach the page unless it is 127.0.0.1.")  # fmt: skip
@click.option("--no-browser", is_flag=True, help="Only print the address, without opening a browser.")
@click.option("--export", metavar="FOLDER", help="Folder to write a static version of the page to.")
def explore(file: str | None, port: int, host: str, no_browser: bool, export: str | None) -> None:
    """Open a local page that shows how measures react to your numbers.

    Edit a confusion matrix, or begin with FILE, which holds predictions or a matrix. The page shows what each measure
    means and which properties it has, compares measures and systems, and recommends a measure for a task. Nothing
    leaves this machine. Ctrl-C ends it.
    """
    _must_be_installed()
    if export is not None:
        if file is not None:
            raise InputError("{export} writes a page without data of its own", advice="leave FILE out")
        _export(export)
        return
    path = None if file is None else _given(file)
    from goodmeasure.web.server import opened, serve

    found = opened(host, port)
    serve(found, host, path, lambda address: _ready(address, browser=not no_browser))
    click.echo("\nThe server has stopped.")


def _given(file: str) -> Path:
    """Return the file, folder of Parquet files, sheet or table that the page begins with."""
    place = located(file)
    there = Path(place.path)
    if not there.is_file() and not (there.is_dir() and container_of(there) is not None):
        raise InputError("{file} is {got!r}, which is not a file", expected="a file of predictions", got=file)
    return Path(str(place))


def _ready(address: str, *, browser: bool) -> None:
    """Say where the page is, and open it."""
    click.echo(f"Explore is at {address}\nPress Ctrl-C to end it.")
    if browser:
        webbrowser.open(address)


def _export(folder: str) -> None:
    from goodmeasure.web.export import export

    written = export(Path(folder))
    click.echo(f"Wrote {written:,} files into {folder}. Put the folder on any web server.")


def _must_be_installed() -> None:
    """Refuse where the extra `web` is missing, with the line that installs it."""
    try:
        import starlette  # noqa: F401
        import uvicorn  # noqa: F401
    except ImportError:
        raise MissingPackageError("explore needs the extra web", advice="pip install 'goodmeasure[web]'") from None
