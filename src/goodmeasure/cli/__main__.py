"""The entry point of `goodmeasure` and of `python -m goodmeasure.cli`."""

from __future__ import annotations

from goodmeasure.cli.ending import ended_in_one_line


def run() -> None:
    """Run the command; whatever ends it early is reported in one line, even while modules are still being loaded."""
    with ended_in_one_line():
        from goodmeasure.cli.main import main

        main(prog_name="goodmeasure")


if __name__ == "__main__":
    run()
