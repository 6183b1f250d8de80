"""`python -m goodmeasure.cli` is `goodmeasure`."""

from goodmeasure.cli.main import main

main(prog_name="goodmeasure")
