"""The entry of `goodmeasure`, and of `python -m goodmeasure.cli`."""

from __future__ import annotations

from goodmeasure.cli.ending import ended_in_one_line


def run() -> None:
    """Run the command; what ends it early is said in one line, also while its parts are still being loaded."""
    with ended_in_one_line():
        from goodmeasure.cli.main import main

        main(prog_name="goodmeasure")


if __name__ == "__main__":
    run()
