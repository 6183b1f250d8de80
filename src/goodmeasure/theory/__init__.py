"""What can be said about measures themselves: statements, counterexamples, proofs and possibility."""
