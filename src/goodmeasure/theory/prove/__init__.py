"""Prove statements about measures for all n; each kind of statement has its file.

`proof.py` picks a way to prove a statement and writes the certificate. The ways are in `moves.py`, `values.py`,
`baselines.py`, `distance.py` and, for every number of classes at once, `every_m.py`; `cases.py` lists and splits the
cases, and `signs.py` shows that a quantity is positive. Each file says why its way is sound and what it does not cover.
No proof says nothing about the statement: the ways are sufficient, not necessary.
"""
