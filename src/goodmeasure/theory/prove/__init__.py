"""Prove statements about measures for all n; each kind of statement has its file.

`proof.py` chooses a method to prove a statement and writes the certificate. The methods are in one file for each kind
of statement (`moves.py`, `values.py`, `baselines.py`, `distance.py`, `true_labelings.py`, `chance_correction.py`,
`decomposition.py`, `random_guesses.py`, `vacuity.py`) and, for every number of classes at once, in `every_m.py` and
`guesses.py`. `support_cases.py` lists and splits the cases, and `signs.py` shows that a quantity is positive. Each file
says why its method is sound and what it does not cover. That no proof is found says nothing about the statement: the
methods are sufficient, not necessary.
"""
