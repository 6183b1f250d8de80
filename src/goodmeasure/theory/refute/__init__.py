"""Search for the smallest counterexample of a statement, with one file for each kind of statement.

A refuter goes through the confusion matrices of n = 1, 2, 3, … items and stops at the first violation, so that the
counterexample it returns has the fewest items. Three conventions hold in every file:

* Values are turned so that higher is better (`Subject.turn`); what is shown to people is in the measure's own sign.
* A demand concerns only matrices on which the measure has a value. A pair with an undefined side is skipped.
* Floats only choose what to look at. All matrices of n items are evaluated as one batch of floats, and every case that
  is violated or closer than a tolerance to being violated is decided again in exact arithmetic. So a counterexample of
  a measure with exact values is a fact. That it is the *smallest* one also assumes that the floats of the batch are
  accurate to that tolerance (1e-9, relative to values above 1); where they are not, a violation can be overlooked, and
  the verdict is then a larger counterexample or "held", never a false proof.
"""
