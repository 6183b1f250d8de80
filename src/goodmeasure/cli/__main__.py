"""The entry of `goodmeasure`, and of `python -m goodmeasure.cli`."""

from __future__ import annotations

import sys


def run() -> None:
    """Run the command; Ctrl-C ends it in one line, also while its parts are still being loaded."""
    try:
        from goodmeasure.cli.main import main

        main(prog_name="goodmeasure")
    except KeyboardInterrupt:
        print("Aborted!", file=sys.stderr)
        sys.exit(1)  # as click does once it runs


if __name__ == "__main__":
    run()
