"""What can be said about measures themselves: statements, verdicts, counterexamples and proofs."""
