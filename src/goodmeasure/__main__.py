"""`python -m goodmeasure` is the command `goodmeasure`."""

from goodmeasure.cli.__main__ import run

if __name__ == "__main__":
    run()
