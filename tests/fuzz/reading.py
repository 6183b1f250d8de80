"""`python -m tests.fuzz.reading FILE…`: the command line on each file, and what is wrong with its answer."""

from __future__ import annotations

import sys

from click.testing import CliRunner

from goodmeasure.cli.main import main

_QUICK = ("--measures", "accuracy", "--no-report", "--method", "wilson", "--replicates", "2")


def _runner() -> CliRunner:
    """A runner that keeps standard error apart, as those of older versions of click do only if they are asked."""
    try:
        return CliRunner(mix_stderr=False)  # type: ignore[call-arg]
    except TypeError:
        return CliRunner()


def wrong(path: str) -> str | None:
    """What is wrong with how a file is answered; None where it is a result, or an error in one line with status 2."""
    named = ("--matrix", path) if " matrix " in path else (path, "--true", "y", "--pred", "A", "--missing", "drop")
    done = _runner().invoke(main, ["evaluate", *named, *_QUICK])
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        return f"{type(done.exception).__name__}: {done.exception}"
    stderr = done.stderr if done.stderr_bytes is not None else ""
    said = [x for x in stderr.splitlines() if not x.startswith("note: ")]
    if done.exit_code == 0:
        return None if not said else f"a result, and on standard error {said[0]!r}"
    if done.exit_code == 2 and len(said) == 1 and said[0].startswith("error: "):
        return None
    return f"status {done.exit_code} and {stderr[:300]!r}"


for name in sys.argv[1:]:
    print("begun", name, sep="\t", flush=True)
    found = wrong(name)
    if found is not None:
        print("wrong", name, " ".join(found.split()), sep="\t", flush=True)
